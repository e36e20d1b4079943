/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements for the engine of <etm/program.h>, and what it makes of them, as
 * text. Functions a, b, c ... begin at 0x100, 0x200, 0x300 ... and are 0x100
 * bytes long; a.cold is at 0x600 and setjmp at 0xf00.
 */
#ifndef TEST_ANALYZE_RIG_H
#define TEST_ANALYZE_RIG_H

#include "../support/test.h"

#include <etm/program.h>

struct rig {
    struct etm_calls *calls;
    char text[2048];
    size_t n;
    int stop; /* what the function of the engine returns */
};

/* With the symbols; `context` is to be the rig. */
extern const struct etm_calls_config plain;

void start(struct rig *b, const struct etm_calls_config *config);

/*
 * Elements, a word each, with hexadecimal addresses that begin with a digit:
 *
 *     100 200:call        four instructions of 10 cycles, the last of which
 *                         goes on, or is a :jump, a :call, a :return, an
 *                         :indirect branch or an exception return (:eret)
 *     irq@110 pend_sv@?   an exception that returns there, or nobody knows
 *     returned on lost    exception_return, trace_on, lost
 *     missing@9000        no_image
 *     context=7           a context ID
 *     cycles=9 cycles=?   the length of a gap
 *     store@8000=1        a value is written
 *     enter=svc exit=svc back=thread tick=5
 *                         of a DWT, and a local timestamp
 */
void play(struct rig *b, const char *elements);

/*
 * The end, and all that was told: "+a" is entered, "-a" left, "=1" another
 * task; a function without a name is its address. Letters are flags: t tail,
 * ? no caller, u unwound, c cut, g gap, x untimed, r recursive.
 */
void expect(struct rig *b, const char *text);

#endif
