/* SPDX-License-Identifier: Apache-2.0 */
/* The text form: what it remembers, and the parts its files share. */
#ifndef ETM_WRITE_TEXT_H
#define ETM_WRITE_TEXT_H

#include "write/coverage.h"
#include "write/listing.h"
#include "write/put.h"
#include "write/text_cache.h"

/* An address's symbol, ready to be put; each is looked up once. */
struct etm_text_name {
    const char *symbol; /* NULL: none is known */
    uint32_t address, offset;
    bool used;
    uint8_t n;     /* of text; 0: it has no room there */
    char text[46]; /* " <symbol+0x14>" */
};

/* A name that is too long, and what is shown of it. */
struct etm_text_cut {
    const char *name;
    char shown[ETM_NAME_SHOWN + 1];
};

#define ETM_TEXT_NAMES 8192u /* a power of two; the last one stays */

/* What a part of a listing does not know yet about what precedes it. */
struct etm_text_unknown {
    bool function, file, next;
    uint8_t it; /* this many instructions may still be in an IT block */
};

struct etm_text {
    struct etm_disassembler disassembler;
    bool open;
    bool apart;           /* the output ends with an empty line */
    const char *function; /* symbol of the last instruction shown */
    const char *file;     /* source line last shown */
    uint32_t line;
    uint32_t next;      /* address after the last instruction */
    uint8_t it;         /* ITSTATE there (ARMv7, A2.5.2) */
    bool total_partial; /* a gap of unknown length was in between */
    uint64_t total;     /* cycles so far */
    struct etm_text_unknown unknown;
    struct etm_slow_number offset;
    struct etm_text_cache cache;
    uint32_t last; /* number of the entry last shown; 0: none */
    struct etm_coverage_doc coverage;
    struct etm_text_name names[ETM_TEXT_NAMES];
    struct etm_text_cut cuts[64];
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

/* text_put.c */
void etm_text_colour(struct etm_listing *listing, enum etm_colour colour);

/* "     1a3  " */
void etm_text_offset(struct etm_listing *listing, uint64_t offset);

/* text_code.c */

/* " <symbol+0x14>" of an address, nothing when no symbol is known. */
void etm_text_symbol(struct etm_listing *listing, uint32_t address);

/* Count cycles, known or not, that passed. */
void etm_text_count(struct etm_listing *listing, uint64_t cycles);

/* A disassembler that ran out of memory ends the listing: otherwise missing
 * text would look as if there were none. */
void etm_text_check_disassembler(struct etm_listing *listing);

/* The columns of an element that is no instruction: when it was, if that is
 * known. */
void etm_text_put_since(struct etm_listing *listing,
                        const struct etm_element *e);

/* The total with its sign, as a column shows it. */
void etm_text_put_total(struct etm_out *out, uint64_t cycles, bool partial);

/*
 * Follow the IT state (ARMv7 A2.5.2) over consecutive instructions: the
 * mnemonics inside an IT block depend on it. Returns the state of this one.
 */
uint8_t etm_text_follow_it(struct etm_text *text, const struct etm_element *e);

void etm_text_insn(struct etm_listing *listing, const struct etm_element *e);
/* What only an ITM and a DWT have, but for addresses. */
void etm_text_itm(struct etm_out *out, const struct etm_element *e);
void etm_text_range(struct etm_listing *listing, const struct etm_element *e);
void etm_text_packet(struct etm_listing *listing,
                     const struct etm_packet *packet,
                     const struct etm_description *description,
                     const uint8_t *bytes);
int etm_text_counts(struct etm_listing *listing,
                    const struct etm_counts *counts);
void etm_text_finish(struct etm_listing *listing);

#endif
