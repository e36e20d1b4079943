#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a C program whose code fits no cache: thousands of functions that
loop, choose, jump through tables and call each other by what a random number
says. It prints nothing and ends by semihosting.

    large.py [FUNCTIONS [ROUNDS [SEED]]] >large.c
"""
import random
import sys

START = """\
/* Made by bench/large.py. */
typedef unsigned u;
void _start(void) __attribute__((naked));
int main(void);
static u stack[4096];
void finish(void);
void finish(void)
{
    __asm__ volatile("mov r0, #0x18\\n\\tldr r1, =0x20026\\n\\t"
#ifdef __thumb__
                     "svc #0xab"
#else
                     "svc #0x123456"
#endif
                     : : : "r0", "r1", "memory");
}
void _start(void)
{
    __asm__ volatile("mov sp, %0\\n\\tbl main\\n\\tbl finish\\n\\tb ."
                     : : "r"(stack + 4096));
}
"""


def statement(r, i, n, calls):
    """One statement of function i; `calls` holds how many calls it has left."""
    kind = r.randrange(12)
    k, s, bit = r.randrange(3, 1 << 16) | 1, r.randrange(3, 24), r.randrange(20)
    if kind < 3:
        return f"    if (x & {1 << bit}u)\n        x = x * {k}u + {s}u;\n"
    if kind < 5:
        return (f"    if ((x >> {bit} & 3) == 0)\n        x ^= x >> {s};\n"
                f"    else\n        x += {k}u ^ x << 3;\n")
    if kind < 7:
        return (f"    for (u j = 0, m = x >> {s} & 3; j < m; j++)\n"
                f"        x = (x ^ j) * {k}u + memory[x >> 20];\n")
    if kind < 8:
        cases = "".join(f"    case {c}: x = x * {k + 2 * c}u ^ x >> {c + 3}; "
                        "break;\n" for c in range(7))
        return f"    switch (x >> {s} & 7) {{\n{cases}    default: x++;\n    }}\n"
    if kind < 9:
        return f"    memory[x >> 20] = x;\n    x += memory[x & 4095];\n"
    if calls[0] == 0 or i + 2 >= n:
        return f"    x = x * {k}u + 1;\n"
    calls[0] -= 1
    # later functions only, so that each call ends
    to = r.randrange(i + 1, min(n, i + n // 12 + 2))
    if kind < 11:
        return f"    if (x >> {s} & 1)\n        x = f{to}(x + {k}u);\n"
    span = n - i - 1
    return (f"    x = table[{i + 1} + (x >> 8) % {min(span, n // 12 + 1)}u]"
            f"(x ^ {k}u);\n")


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 12000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 100000
    r = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    out = [START, "static u memory[4096];\nextern u (*const table[])(u);\n"]
    out += [f"u f{i}(u x);\n" for i in range(n)]
    for i in range(n):
        calls = [2]
        body = "".join(statement(r, i, n, calls)
                       for _ in range(r.randrange(3, 9)))
        out.append(f"u f{i}(u x)\n{{\n{body}    return x * 5u + {i}u;\n}}\n")
    names = ", ".join(f"f{i}" for i in range(n))
    out.append(f"u (*const table[])(u) = {{{names}}};\n")
    out.append("int main(void)\n{\n    u x = 12345;\n"
               f"    for (u i = 0; i < {rounds}u; i++)\n"
               "        x = table[(x >> 4 ^ i) % "
               f"{max(1, n // 2)}u](x * 1103515245u + 12345u);\n"
               "    return (int)x;\n}\n")
    sys.stdout.writelines(out)


main()
