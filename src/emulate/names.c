/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of this room; in every build. */
#include "emulate/emulate.h"

#include "base/name.h"

const char *etm_run_end_text(enum etm_run_end end)
{
    ETM_RETURN_NAME(ETM_RUN_END_LIST, end);
}

const char *etm_run_fault_text(enum etm_run_fault fault)
{
    ETM_RETURN_NAME(ETM_RUN_FAULT_LIST, fault);
}

const char *etm_interrupt_kind_name(enum etm_interrupt_kind kind)
{
    ETM_RETURN_NAME(ETM_INTERRUPT_LIST, kind);
}
