/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction as text. Without Capstone in the build there is none. */
#ifndef ETM_WRITE_DISASM_H
#define ETM_WRITE_DISASM_H

#include <etm/types.h>

struct etm_disassembler {
    size_t handles[2]; /* ARM, Thumb; Capstone's handles */
    bool open[2];
    bool failed; /* memory was short: text that there is may be missing */
};

/* An instruction to show. */
struct etm_disasm_insn {
    uint32_t address;
    uint32_t opcode; /* 32-bit Thumb: first halfword in [31:16] */
    uint8_t isa;     /* enum etm_isa */
    uint8_t size;    /* bytes */
    uint8_t it;      /* condition in an IT block, plus 0x10; 0: outside */
    bool direct;     /* a direct branch */
};

void etm_disassembler_init(struct etm_disassembler *d,
                           enum etm_profile profile);
void etm_disassembler_fini(struct etm_disassembler *d);

/*
 * Write the instruction's text, at most `capacity` bytes with a terminator.
 * Returns its length, 0 if it has none.
 */
size_t etm_disassemble(struct etm_disassembler *d,
                       const struct etm_disasm_insn *insn, char *text,
                       size_t capacity);

#endif
