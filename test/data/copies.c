/* SPDX-License-Identifier: Apache-2.0 */
/* Is compiled twice by ./copies.sh, for copies.elf. */
#include "copies.h"

#ifdef FIRST
volatile int sum;

int first(int n)
{
    return square(n);
}
#else
int second(int n)
{
    return square(n + 1);
}
#endif
