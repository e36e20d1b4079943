/* SPDX-License-Identifier: Apache-2.0 */
/* What the test programs share: printing and leaving by semihosting. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdint.h>

#define SYS_WRITE0 0x04
#define SYS_EXIT_EXTENDED 0x20
#define APPLICATION_EXIT 0x20026

static inline uint32_t semihost(uint32_t operation, const void *parameter)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = parameter;

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
#elif defined(__thumb__)
    __asm__ volatile("svc 0xab" : "+r"(r0) : "r"(r1) : "memory", "lr");
#else
    __asm__ volatile("svc 0x123456" : "+r"(r0) : "r"(r1) : "memory", "lr");
#endif
    return r0;
}

static inline void print(const char *text)
{
    semihost(SYS_WRITE0, text);
}

/* "NAME 0000002a\n" */
static inline void print_value(const char *name, uint32_t value)
{
    char text[11];

    for (unsigned i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    text[8] = '\n';
    text[9] = 0;
    print(name);
    print(text);
}

static inline void leave(uint32_t status)
{
    const uint32_t block[2] = {APPLICATION_EXIT, status};

    semihost(SYS_EXIT_EXTENDED, block);
    for (;;) {
    }
}

int main(void);

#endif
