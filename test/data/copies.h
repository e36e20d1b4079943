/* SPDX-License-Identifier: Apache-2.0 */
/* A function of which each source file gets a copy. */
extern volatile int sum;

__attribute__((noinline)) static int square(int n)
{
    if (n > sum)
        sum = n * n;
    return sum;
}
