/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name.h"

#include <etm/program.h>

const char *etm_call_kind_name(enum etm_call_kind kind)
{
    ETM_RETURN_NAME(ETM_CALL_LIST, kind);
}

const char *etm_call_flag_name(enum etm_call_bit bit)
{
    ETM_RETURN_NAME(ETM_CALL_FLAG_LIST, bit);
}
