/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements for the engine of <etm/program.h>, and what it makes of them, as text.
 * Functions a, b, c ... begin at 0x100, 0x200, 0x300 ... and are 0x100 bytes
 * long; a.cold is at 0x600 and setjmp at 0xf00.
 */
#ifndef TEST_ANALYZE_RIG_H
#define TEST_ANALYZE_RIG_H

#include <etm/program.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct rig {
    struct etm_calls *calls;
    char text[2048];
    size_t n;
    int stop; /* what the function of the engine returns */
};

/* With the symbols; `context` is to be the rig. */
extern const struct etm_calls_config plain;

void start(struct rig *b, const struct etm_calls_config *config);

/* Four instructions of 10 cycles, the last of which does this; in the order of
 * rig.c. */
enum last { NEXT, JUMP, CALL, RETURN, INDIRECT, EXCEPTION_RETURN };
void range(struct rig *b, uint32_t start, enum last last);
void give(struct rig *b, struct etm_element e);
void element(struct rig *b, enum etm_element_kind kind);
/* `returns` 0: it is not known where to. */
void exception(struct rig *b, enum etm_exception_type type, uint32_t returns);
void cycles(struct rig *b, uint64_t n);
void context(struct rig *b, uint32_t id);
void store(struct rig *b, uint32_t address, uint32_t value);

/*
 * The end, and all that was told: "+a" is entered, "-a" left, "=1" another
 * task, each with letters for its flags: t tail, ? no caller, u unwound, c cut,
 * g gap, x untimed, r recursive.
 */
void expect(struct rig *b, const char *text);

#endif
