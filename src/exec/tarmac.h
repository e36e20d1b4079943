/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Tarmac log: text that Arm's models and RTL simulations write. There is
 * no standard; the forms read here are
 *
 *     12 clk IT (12) 0000802c 1afb T svc_s : SUBNE r3,r7,r3
 *     12 clk MW4 0000ab34 00000001
 *     12 clk R r0 00000001
 *     13 clk E 00000018 00000006 CoreEvent_IRQ
 *
 * of the Fast Models, the same with (address:...) in the parentheses and
 * MNR4___D accesses, of RTL, and that of the Cycle Models
 *
 *     7097 tic ES (00020164:e92d4830) A svc_s: PUSH {r4,r5,r11,lr}
 *              ST 000ffff0 0002015c 00000000 ........ ........
 *              R SP_SVC 000ffff8
 *              BR (000204f0) A
 *     7098 tic ES EXC [0x18] IRQ
 *
 * where LD and ST show 16 bytes, the highest address first.
 */
#ifndef ETM_EXEC_TARMAC_H
#define ETM_EXEC_TARMAC_H

#include <etm/model.h>

/* Maximum number of bytes that one instruction transfers. */
#define ETM_TARMAC_BYTES 512u

struct etm_tarmac_byte {
    uint32_t address;
    uint8_t value;
    bool store;
};

/* What is remembered between lines. */
struct etm_tarmac {
    char cpu[64];    /* the selected one; "": the first */
    uint64_t period; /* units of time in a cycle; 0: by the unit */
    uint64_t time;   /* of the current line */
    uint64_t before; /* of the last instruction */
    bool has_before;
    bool counts; /* the unit of time is a cycle */
    bool m_profile;
    bool user;        /* a context event has said so */
    bool has_data;    /* there are accesses in the log */
    bool repeated;    /* the previous line was LD or ST: the next one may */
    bool store;       /* lack the word, and is of the same kind */
    size_t column;    /* if its address is in the same column */
    uint32_t link;    /* the link register, last time it was written */
    bool link_is_new; /* since the exception that waits */
    uint32_t registers[16]; /* r0 to r14, last time they were written */
    uint32_t source;        /* what BX took, before its own lines */

    /* the last instruction, until it is known where it led */
    bool has_insn;
    uint64_t line;
    struct etm_event insn;
    struct etm_place at;
    bool is_user;
    bool has_branch; /* a BR line said where */
    struct etm_place branch;
    uint64_t value;   /* of the last register written */
    bool has_context; /* it wrote CONTEXTIDR */
    struct etm_event context;
    size_t n_bytes;
    struct etm_tarmac_byte bytes[ETM_TARMAC_BYTES];

    /* and the exception after it */
    bool has_exception;
    struct etm_event exception;
};

#endif
