/* SPDX-License-Identifier: Apache-2.0 */
/* What the generators of program flow make comes back: see roundtrip.h. */
#include "roundtrip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void pft_executions_come_back(void **state)
{
    (void)state;
    roundtrip(ETM_PROTOCOL_PFT, false);
}

static void etmv3_executions_come_back(void **state)
{
    (void)state;
    roundtrip(ETM_PROTOCOL_ETMV3, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pft_executions_come_back),
        cmocka_unit_test(etmv3_executions_come_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
