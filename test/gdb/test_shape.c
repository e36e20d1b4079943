/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of functions that no .debug_frame describes: from their prologues, and
 * from what is left of their epilogues (ARMv7-A ARM, A8.8). */
#include "../support/test.h"
#include "gdb/shape.h"

#include <stdlib.h>

#define START 0x8000u

static uint8_t code[64];
static size_t size;

static size_t read_code(void *context, uint32_t address, uint8_t *bytes,
                        size_t n)
{
    size_t left = address - START < size ? size - (address - START) : 0;

    (void)context;
    n = n < left ? n : left;
    memcpy(bytes, code + (address - START), n);
    return n;
}

/* Words of 32 bits, or of 16, as they are in memory. */
static struct etm_gdb_code load(const char *text)
{
    struct etm_gdb_code how = {.read = read_code, .profile = ETM_PROFILE_A};

    size = 0;
    while (*text != '\0') {
        char *end;
        unsigned long word = strtoul(text, &end, 16);

        for (ptrdiff_t n = end - text; n > 1; n -= 2, word >>= 8)
            code[size++] = (uint8_t)word;
        text = end + strspn(end, " ");
    }
    return how;
}

/* Code, and a shape such as "r13+16 depth 16: r4-16 r14-12": the CFA, and what
 * is saved below it. NULL: it is no epilogue. */
struct row {
    enum etm_isa isa;
    const char *code, *shape;
};

static void expect_shape(const struct etm_gdb_shape *s, const struct row *row)
{
    char text[200];
    size_t n = (size_t)snprintf(text, sizeof text, "r%u%+d depth %u:", s->base,
                                (int)s->offset, (unsigned)s->depth);

    for (unsigned r = 0; r < 16; r++)
        if ((s->saved >> r & 1u) != 0)
            n += (size_t)snprintf(text + n, sizeof text - n, " r%u%+d", r,
                                  (int)s->at[r]);
    if (strcmp(text, row->shape) != 0)
        fail_msg("%s: %s, not %s", row->code, text, row->shape);
}

TEST(prologues_tell_what_the_frame_is)
{
    static const struct row table[] = {
        {ETM_ISA_ARM, "", "r13+0 depth 0:"},
        /* nop; push {r4, lr} */
        {ETM_ISA_ARM, "e1a00000 e92d4010", "r13+8 depth 8: r4-8 r14-4"},
        /* str lr, [sp, #-4]!; sub sp, sp, #1024 */
        {ETM_ISA_ARM, "e52de004 e24ddb01", "r13+1028 depth 1028: r14-4"},
        /* push {r11, lr}; add r11, sp, #4; sub sp, sp, #8 */
        {ETM_ISA_ARM, "e92d4800 e28db004 e24dd008",
         "r11+4 depth 16: r11-8 r14-4"},
        /* push {r4, lr}; push {r0, r1, r4}: that of the caller is the first */
        {ETM_ISA_ARM, "e92d4010 e92d0013",
         "r13+20 depth 20: r0-20 r1-16 r4-8 r14-4"},
        /* push {r4, lr}; vpush {d8-d9}; vpush {s16-s18} */
        {ETM_ISA_ARM, "e92d4010 ed2d8b04 ed2d8a03",
         "r13+36 depth 36: r4-8 r14-4"},
        /* push {lr}; bl; sub sp, sp, #8: after a branch nothing counts */
        {ETM_ISA_ARM, "e92d4000 eb000000 e24dd008", "r13+4 depth 4: r14-4"},
        /* push {r4, r7, lr}; sub sp, #12; add r7, sp, #8 */
        {ETM_ISA_THUMB, "b590 b083 af02", "r7+16 depth 24: r4-12 r7-8 r14-4"},
        /* push.w {r8, lr}; str r4, [sp, #-4]!; vpush {d8}; sub.w sp, sp, #512
         */
        {ETM_ISA_THUMB, "e92d 4100 f84d 4d04 ed2d 8b02 f5ad 7d00",
         "r13+532 depth 532: r4-12 r8-8 r14-4"},
        /* push {lr}; subw sp, sp, #1026 */
        {ETM_ISA_THUMB, "b500 f2ad 4d02", "r13+1030 depth 1030: r14-4"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct etm_gdb_shape s;
        struct etm_gdb_code how = load(table[i].code);

        etm_gdb_shape_scan(&s, &how, table[i].isa, START,
                           START + (uint32_t)size);
        expect_shape(&s, &table[i]);
    }
}

TEST(epilogues_tell_what_is_left_of_it)
{
    static const struct row table[] = {
        /* bx lr; pop {r4, pc} */
        {ETM_ISA_ARM, "e12fff1e", "r13+0 depth 0:"},
        {ETM_ISA_ARM, "e8bd8010", "r13+8 depth 8: r4-8 r14-4"},
        /* add sp, sp, #1024; ldr lr, [sp], #4; bx lr */
        {ETM_ISA_ARM, "e28ddb01 e49de004 e12fff1e",
         "r13+1028 depth 1028: r14-4"},
        /* vpop {d8-d9}; vpop {s16-s18}; pop {r4, pc}; nop */
        {ETM_ISA_ARM, "ecbd8b04 ecbd8a03 e8bd8010 e1a00000",
         "r13+36 depth 36: r4-8 r14-4"},
        {ETM_ISA_ARM, "e28dd008 e1a00000 e12fff1e", NULL}, /* nop in it */
        {ETM_ISA_ARM, "e28dd008", NULL},                   /* no end */
        /* add sp, #12; pop {r4, r7, pc} */
        {ETM_ISA_THUMB, "b003 bd90", "r13+24 depth 24: r4-12 r7-8 r14-4"},
        /* pop {r4}; bx lr */
        {ETM_ISA_THUMB, "bc10 4770", "r13+4 depth 4: r4-4"},
        /* add.w sp, sp, #512; addw sp, sp, #1026; vpop {d8};
         * ldr r4, [sp], #4; pop.w {r8, pc} */
        {ETM_ISA_THUMB, "f50d 7d00 f20d 4d02 ecbd 8b02 f85d 4b04 e8bd 8100",
         "r13+1558 depth 1558: r4-12 r8-8 r14-4"},
        /* more than eight instructions */
        {ETM_ISA_THUMB, "b001 b001 b001 b001 b001 b001 b001 b001 bd00", NULL},
        {ETM_ISA_THUMB, "b001 b001 b001 b001 b001 b001 b001 bd00",
         "r13+32 depth 32: r14-4"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct etm_gdb_shape s;
        struct etm_gdb_code how = load(table[i].code);
        bool is = etm_gdb_shape_epilogue(&s, &how, table[i].isa, START);

        assert_int_equal(is, table[i].shape != NULL);
        if (is)
            expect_shape(&s, &table[i]);
    }
}
