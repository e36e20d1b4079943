/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for the tests of src/input: Arm and Thumb functions, data between
 * code, labels. Only two_states.elf and its big-endian twin are used; they
 * were made by ./two_states.sh.
 */
int counter = 7;
const int table[4] = {1, 2, 3, 5};

__attribute__((noinline)) static int local(int x)
{
    return x * counter;
}

__attribute__((noinline)) int thumb_function(int x)
{
    return local(x) + table[x & 3];
}

__attribute__((noinline, target("arm"))) int arm_function(int x)
{
    return x ^ 0x12345678;
}

int weak_function(int x)
    __attribute__((weak, noinline, alias("thumb_function")));

/* In assembly: a function without a size, a label inside of a function with
   one, data in code. */
__asm__(".text\n"
        ".thumb\n"
        ".global sized\n"
        ".type sized, %function\n"
        "sized:\n"
        "    nop\n"
        "inner:\n"
        "    b inner\n"
        "    .word 0xdeadbeef\n"
        ".size sized, . - sized\n"
        "    .balign 4\n"
        ".global unsized\n"
        ".thumb_func\n"
        "unsized:\n"
        "    nop\n"
        "    bx lr\n"
        ".global bare_label\n"
        "bare_label:\n"
        "    nop\n"
        "    bx lr\n");

int _start(void)
{
    return thumb_function(1) + arm_function(2) + weak_function(3);
}
