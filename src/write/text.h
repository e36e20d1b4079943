/* SPDX-License-Identifier: Apache-2.0 */
/* The text form: what it remembers, and the parts its files share. */
#ifndef ETM_WRITE_TEXT_H
#define ETM_WRITE_TEXT_H

#include "write/disasm.h"
#include "write/listing.h"

/*
 * What an address and the opcode there look like. A program runs the same
 * instructions again and again: each is disassembled and looked up once.
 */
struct etm_text_entry {
    const char *symbol; /* NULL: none is known */
    const char *file;   /* NULL: no source line is known */
    const char *source; /* text of the line; may be NULL */
    uint32_t symbol_offset;
    uint32_t line;
    uint8_t n;      /* bytes of text */
    char text[183]; /* "c0008014  e1a00000    mov     r0, r0" */
};

/* Which instruction an entry is of. */
struct etm_text_tag {
    uint32_t address, opcode;
    uint8_t isa, it;
    bool used;
};

/* An instruction may be in any of the ways of its set; the oldest goes. */
#define ETM_TEXT_WAYS 4u
#define ETM_TEXT_SETS 4096u /* a power of two */

struct etm_text {
    struct etm_disassembler disassembler;
    bool open;
    const char *function; /* symbol of the last instruction shown */
    const char *file;     /* source line last shown */
    uint32_t line;
    uint32_t next;      /* address after the last instruction */
    uint8_t it;         /* ITSTATE there (ARMv7, A2.5.2) */
    bool total_partial; /* a gap of unknown length was in between */
    uint64_t total;     /* cycles so far */
    uint8_t oldest[ETM_TEXT_SETS];
    struct etm_text_tag tags[ETM_TEXT_SETS][ETM_TEXT_WAYS];
    struct etm_text_entry entries[ETM_TEXT_SETS][ETM_TEXT_WAYS];
};

/* Sequences for colours; nothing when colours are off. */
enum etm_colour {
    ETM_COLOUR_NONE = 0,
    ETM_COLOUR_DIM,   /* what did not happen */
    ETM_COLOUR_TITLE, /* sources, functions */
    ETM_COLOUR_TAKEN, /* branches */
    ETM_COLOUR_EVENT, /* exceptions */
    ETM_COLOUR_NOTE,  /* context, time */
    ETM_COLOUR_GAP    /* what is missing */
};

void etm_text_colour(struct etm_listing *listing, enum etm_colour colour);

/* "     1a3  " */
void etm_text_offset(struct etm_listing *listing, uint64_t offset);

/* What stands at an address; for the symbol alone isa is ETM_ISA_UNKNOWN. */
const struct etm_text_entry *
etm_text_look_up(struct etm_listing *listing,
                 const struct etm_disasm_insn *insn);

/* " <symbol+0x14>", nothing when no symbol is known. */
void etm_text_symbol(struct etm_out *out, const struct etm_text_entry *entry);

/* Count cycles, known or not, that passed. */
void etm_text_count(struct etm_listing *listing, uint64_t cycles);

void etm_text_insn(struct etm_listing *listing, const struct etm_element *e);
void etm_text_range(struct etm_listing *listing, const struct etm_element *e);
void etm_text_packet(struct etm_listing *listing,
                     const struct etm_packet *packet,
                     const struct etm_description *description,
                     const uint8_t *bytes);

#endif
