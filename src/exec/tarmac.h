/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Tarmac log: text that Arm's models and RTL simulations write. There is
 * no standard; the forms read here are
 *
 *     12 clk IT (12) 0000802c 1afb T svc_s : SUBNE r3,r7,r3
 *     12 clk MW4 0000ab34 00000001
 *     12 clk R r0 00000001
 *     13 clk E 00008030 irq 00000019 CoreEvent_ModeChange
 *     13 clk E 00008030 00000007 CoreEvent_IRQ
 *
 * of the Fast Models; without the E lines, of gem5; and of RTL
 *
 *     3041 cyc IT (00022a7c:00000006) 00022a7c 48f6 T16 LDR r0,[pc,#984]
 *     3041 cyc MNR4___D 00022e58 00ba0020
 *     1156 ns IT (00000168:0000002b) 00000168 e59fd4e8 A : LDR r13,[pc]
 *     1156 ns MNR4____ (00000168:0000002b) 00000664 01012000
 *     1157 ns MCW4___R (0000016c:0000002c) TRANSFER 00000031
 *
 * and that of the Cycle Models
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

#include "isa/insn.h"

#include <etm/model.h>

enum {
    /* Maximum number of bytes that one instruction transfers. */
    ETM_TARMAC_BYTES = 256,
    /* Accesses may come some instructions after theirs. */
    ETM_TARMAC_WINDOW = 16,
    /* Exceptions that are taken without an instruction between them. */
    ETM_TARMAC_EXCEPTIONS = 4,
    /* Characters of a line that are kept, to show it. */
    ETM_TARMAC_TEXT = 128
};

/* The mode. Those up to Hyp mode have a bank of registers each; the others use
 * that of User mode. */
enum etm_tarmac_mode {
    ETM_TARMAC_UNKNOWN = 0,
    ETM_TARMAC_USR,
    ETM_TARMAC_FIQ,
    ETM_TARMAC_IRQ,
    ETM_TARMAC_SVC,
    ETM_TARMAC_ABT,
    ETM_TARMAC_UND,
    ETM_TARMAC_MON,
    ETM_TARMAC_HYP,
    ETM_TARMAC_SYS,
    ETM_TARMAC_THREAD,
    ETM_TARMAC_HANDLER
};

/* A value that the log gave; not known: it gave none. */
struct etm_tarmac_value {
    uint32_t value;
    bool known;
};

struct etm_tarmac_byte {
    uint32_t address;
    uint8_t value;
    bool store;
};

/* An exception, and what the log says of where it came from. */
struct etm_tarmac_exception {
    uint64_t line;
    struct etm_event event;
    struct etm_tarmac_value from; /* the value of its E line: a PC, often */
    struct etm_tarmac_value link; /* the link register, written after it */
    struct etm_tarmac_value spsr;
};

/* An instruction, until its transfers and where it led are known. */
struct etm_tarmac_insn {
    uint64_t line;
    struct etm_event event;
    struct etm_insn insn;
    struct etm_place at;
    uint8_t mode;     /* enum etm_tarmac_mode */
    bool conditional; /* it may fail its condition */
    bool rtl;         /* it has an index: accesses may name it */
    uint32_t index;
    struct etm_tarmac_value target;     /* the register that BX takes */
    struct etm_tarmac_value sources[2]; /* those that MCR, MCRR move */
    struct etm_tarmac_value monitor;    /* where a store-exclusive stores */

    /* what the lines after it said */
    bool closed;   /* accesses of the processor itself follow */
    bool aborted;  /* an access was */
    bool hidden;   /* the value of an access cannot be read */
    bool left;     /* AArch64 code followed */
    bool returned; /* an exception return was complete */
    struct etm_tarmac_value resumed; /* and led here */
    bool has_branch;                 /* a BR line said where */
    struct etm_place branch;
    struct etm_tarmac_value context_id; /* it wrote CONTEXTIDR */
    uint16_t written;                   /* core registers, with these values: */
    uint32_t values[16];
    struct etm_tarmac_value link; /* the link register of mode `link_mode` */
    uint8_t link_mode;
    bool one;                       /* the last register was written with 1 */
    struct etm_tarmac_value number; /* M profile: the exception number in the
                                       PSR, written after it */
    unsigned n_exceptions, n_words;
    uint32_t words[2]; /* moved from or to a coprocessor */
    size_t n_bytes;

    /* the last members: how much of them there is, others say */
    struct etm_tarmac_byte bytes[ETM_TARMAC_BYTES];
    struct etm_tarmac_exception exceptions[ETM_TARMAC_EXCEPTIONS];
    char text[ETM_TARMAC_TEXT];
};

/* What is remembered between lines. */
struct etm_tarmac {
    char cpu[64];    /* the selected one; "": the first */
    uint64_t period; /* units of time in a cycle; 0: by the unit */
    uint64_t time;   /* of the current line */
    uint64_t before; /* of the last instruction */
    bool has_before;
    bool counts; /* the unit of time is a cycle */
    bool fixed;  /* the profile was given */
    bool m_profile;
    bool arm_state;       /* there was an instruction of Arm state */
    bool user;            /* a context event has said so */
    bool has_data;        /* there are accesses in the log */
    bool outside;         /* the last instruction was AArch64 code */
    bool repeated;        /* the previous line was LD or ST: the next one may */
    bool store;           /* lack the word, and is of the same kind */
    size_t column;        /* if its address is in the same column */
    struct etm_place now; /* the state of the next instruction */
    uint8_t mode;
    uint8_t it;      /* ITSTATE of the next instruction */
    uint32_t number; /* M profile: the exception number in the PSR */
    struct etm_tarmac_value context_id; /* before the first instruction */
    bool has_vectors;                   /* an exception was taken to them */
    uint32_t vectors;                   /* their address */
    /* core registers, by mode, last time they were written */
    struct etm_tarmac_value registers[ETM_TARMAC_HYP + 1][15];

    /* accesses before the instruction that they belong to */
    size_t n_early;
    struct etm_tarmac_byte early[ETM_TARMAC_BYTES];

    /* the last instructions, the first at `first` */
    unsigned first, n;
    struct etm_tarmac_insn insns[ETM_TARMAC_WINDOW];
};

#endif
