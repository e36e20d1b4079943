/* SPDX-License-Identifier: Apache-2.0 */
/* Of tests that have none of their own. */
#include "test.h"

int main(void)
{
    return tests_run();
}
