/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for the tests of src/input, of which the linker removes functions:
 * their source lines stay, at address 0. Made by ./removed.sh.
 */
volatile int sum;

int removed(int n)
{
    int x = n;

    for (int i = 0; i < n; i++)
        x += i * sum;
    for (int i = 0; i < n; i++)
        x ^= i * sum;
    for (int i = 0; i < n; i++)
        x -= i * sum;
    return x;
}

int used(int n)
{
    return n > 3 ? n * sum : n + 1;
}

int removed_short(int n)
{
    return n;
}

void start(void)
{
    for (int i = 0; i < 10; i++)
        sum += used(i);
    for (;;)
        ;
}

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    (void *)0x20001000, (void *)start};
