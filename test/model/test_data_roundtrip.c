/* SPDX-License-Identifier: Apache-2.0 */
/* Executions with data trace come back, each transfer with the instruction
 * that made it: see roundtrip.h. */
#include "roundtrip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void executions_come_back_with_their_data(void **state)
{
    (void)state;
    roundtrip(ETM_PROTOCOL_ETMV3, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(executions_come_back_with_their_data),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
