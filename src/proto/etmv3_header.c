/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The header bytes of ETMv3 (tables 7-1, 7-2 and 7-3) as one table, and what
 * the atoms of a P-header are.
 */
#include "proto/etmv3.h"

#include <stddef.h>

/* What a header needs beyond its bit pattern. */
enum needs {
    FLOW = 1u << 0,        /* instruction trace: not data-only mode */
    DATA = 1u << 1,        /* data trace of any sort (7.4) */
    VALUES = 1u << 2,      /* data values traced */
    CONTEXT_ID = 1u << 3,  /* context ID bytes selected */
    CYCLES = 1u << 4,      /* cycle-accurate mode */
    V3_0 = 1u << 5,        /* version 3.0 and no other */
    V3_3 = 1u << 6,        /* version 3.3 and later */
    V3_5 = 1u << 7,        /* version 3.5 */
    MARKS_ENTRY = 1u << 8, /* version 3.4 and later, M-profile */
    MARKS_EXIT = 1u << 9   /* the same, or version 3.5 */
};

#define ROW(mask, value, kind, needs)                                          \
    {                                                                          \
        mask, value, ETM_PACKET_##kind, ETM_UNKNOWN, needs                     \
    }
#define ROW_NON_CA(mask, value, kind, needs)                                   \
    {                                                                          \
        mask, value, ETM_PACKET_##kind, ETM_FALSE, needs                       \
    }
#define ROW_CA(mask, value, kind, needs)                                       \
    {                                                                          \
        mask, value, ETM_PACKET_##kind, ETM_TRUE, needs                        \
    }

static const struct etm_etmv3_row rows[] = {
    /* xxxxxxx1 */ ROW(0x01, 0x01, BRANCH_ADDRESS, FLOW),

    /* Table 7-2 */
    /* 1NEEEE00: format 1 */ ROW_NON_CA(0x83, 0x80, P_HEADER, FLOW),
    /* 1000FF10: format 2 */ ROW_NON_CA(0xF3, 0x82, P_HEADER, FLOW),
    /* 1001xx10 */ ROW_NON_CA(0xF3, 0x92, RESERVED, 0),
    /* 101xxx10 */ ROW_NON_CA(0xE3, 0xA2, RESERVED, 0),
    /* 11xxxx10 */ ROW_NON_CA(0xC3, 0xC2, RESERVED, 0),

    /* Table 7-3; format 1 is 1N0EEE00 without 10000000 */
    /* 10000000: format 0 */ ROW_CA(0xFF, 0x80, P_HEADER, FLOW | V3_0),
    /* 10000100: format 1 */ ROW_CA(0xFF, 0x84, P_HEADER, FLOW),
    /* 10001x00: format 1 */ ROW_CA(0xFB, 0x88, P_HEADER, FLOW),
    /* 1001xx00: format 1 */ ROW_CA(0xF3, 0x90, P_HEADER, FLOW),
    /* 110xxx00: format 1 */ ROW_CA(0xE3, 0xC0, P_HEADER, FLOW),
    /* 1000FF10: format 2 */ ROW_CA(0xF3, 0x82, P_HEADER, FLOW),
    /* 1E1WWW00: format 3 */ ROW_CA(0xA3, 0xA0, P_HEADER, FLOW),
    /* 10010F10: format 4 */ ROW_CA(0xFB, 0x92, P_HEADER, FLOW | V3_3),
    /* 10011x10 */ ROW_CA(0xFB, 0x9A, RESERVED, 0),
    /* 101xxx10 */ ROW_CA(0xE3, 0xA2, RESERVED, 0),
    /* 11xxxx10 */ ROW_CA(0xC3, 0xC2, RESERVED, 0),

    /* Table 7-1, the others */
    /* 00000000 */ ROW(0xFF, 0x00, A_SYNC, 0),
    /* 00000100 */ ROW(0xFF, 0x04, CYCLE_COUNT, FLOW | CYCLES),
    /* 00001000 */ ROW(0xFF, 0x08, I_SYNC, 0),
    /* 00001100 */ ROW(0xFF, 0x0C, TRIGGER, 0),
    /* 0001xx00 */ ROW(0xF3, 0x10, RESERVED, 0),
    /* 00110x00 */ ROW(0xFB, 0x30, RESERVED, 0),
    /* 00111000 */ ROW(0xFF, 0x38, RESERVED, 0),
    /* 00111100 */ ROW(0xFF, 0x3C, VMID, V3_5),
    /* 0010SS00: tag 1 */ ROW(0xF3, 0x20, OUT_OF_ORDER_DATA, DATA),
    /* 0100SS00: tag 2 */ ROW(0xF3, 0x40, OUT_OF_ORDER_DATA, DATA),
    /* 0110SS00: tag 3 */ ROW(0xF3, 0x60, OUT_OF_ORDER_DATA, DATA),
    /* 01010000 */ ROW(0xFF, 0x50, STORE_FAILED, VALUES),
    /* 01110000 */ ROW(0xFF, 0x70, I_SYNC_CYCLE_COUNT, FLOW | CYCLES),
    /* 01A10100 */ ROW(0xDF, 0x54, OUT_OF_ORDER_PLACEHOLDER, DATA),
    /* 01A11000 */ ROW(0xDF, 0x58, OUT_OF_ORDER_PLACEHOLDER, DATA),
    /* 01A11100 */ ROW(0xDF, 0x5C, OUT_OF_ORDER_PLACEHOLDER, DATA),

    /* 00A0SS10 */ ROW(0xD3, 0x02, NORMAL_DATA, DATA),
    /* 00x1xx10 */ ROW(0xD3, 0x12, RESERVED, 0),
    /* 01000R10 */ ROW(0xFB, 0x42, TIMESTAMP, V3_5),
    /* 01001x10 */ ROW(0xFB, 0x4A, RESERVED, 0),
    /* 0101xx10 */ ROW(0xF3, 0x52, RESERVED, 0),
    /* 01100010 */ ROW(0xFF, 0x62, DATA_SUPPRESSED, FLOW | DATA),
    /* 01100110 */ ROW(0xFF, 0x66, IGNORE, 0),
    /* 011A1010 */ ROW(0xEF, 0x6A, VALUE_NOT_TRACED, DATA),
    /* 01101110 */ ROW(0xFF, 0x6E, CONTEXT_ID, CONTEXT_ID),
    /* 01110010 */ ROW(0xFF, 0x72, RESERVED, 0),
    /* 01110110 */ ROW(0xFF, 0x76, EXCEPTION_EXIT, FLOW | MARKS_EXIT),
    /* 01111110 */ ROW(0xFF, 0x7E, EXCEPTION_ENTRY, FLOW | DATA | MARKS_ENTRY),
};

const struct etm_etmv3_row *etm_etmv3_rows(size_t *n)
{
    *n = sizeof rows / sizeof rows[0];
    return rows;
}

/*
 * CPRT tracing alone is data tracing, too (7.4). The markers of exception entry
 * and exit belong to the M profile (7.5.3, 7.5.4); version 3.5 has that of the
 * exit for all. An unknown profile is assumed to have them.
 */
static unsigned abilities(const struct etm_config *config)
{
    bool flow = !etm_etmv3_data_only(config);
    bool data = config->data_value || config->data_address || config->cprt;
    bool marks = config->minor >= 4 && config->profile != ETM_PROFILE_A &&
                 config->profile != ETM_PROFILE_R;

    return (flow ? FLOW : 0u) | (data ? DATA : 0u) |
           (config->data_value ? VALUES : 0u) |
           (config->context_id_bytes != 0 ? CONTEXT_ID : 0u) |
           (config->cycle_accurate ? CYCLES : 0u) |
           (config->minor == 0 ? V3_0 : 0u) | (config->minor >= 3 ? V3_3 : 0u) |
           (config->minor >= 5 ? V3_5 : 0u) | (marks ? MARKS_ENTRY : 0u) |
           (marks || config->minor >= 5 ? MARKS_EXIT : 0u);
}

/* Atoms to be added one after another. */
struct atoms {
    uint32_t bits;
    unsigned n;
};

static void add(struct atoms *atoms, enum etm_atom atom)
{
    atoms->bits |= (uint32_t)atom << (2 * atoms->n++);
}

/* A bit of formats 2 and 4: 1 is an instruction that failed. */
static enum etm_atom instruction(unsigned failed)
{
    return failed != 0 ? ETM_ATOM_N : ETM_ATOM_E;
}

static struct atoms atoms_non_cycle_accurate(uint8_t header)
{
    struct atoms atoms = {0, 0};

    if ((header & 0x02) != 0) { /* format 2: 1000FF10 */
        add(&atoms, instruction(header & 0x08u));
        add(&atoms, instruction(header & 0x04u));
        return atoms;
    }
    for (unsigned e = header >> 2 & 0x0Fu; e != 0; e--) /* 1NEEEE00 */
        add(&atoms, ETM_ATOM_E);
    if ((header & 0x40) != 0)
        add(&atoms, ETM_ATOM_N);
    return atoms;
}

/*
 * Table 7-3. In format 3 the text calls WWW the count of W atoms and gives
 * their number as 1 to 8: WWW is the count minus one (example 7-2).
 */
static struct atoms atoms_cycle_accurate(uint8_t header)
{
    struct atoms atoms = {0, 0};
    unsigned count = header >> 2 & 0x07u;

    if ((header & 0x02) != 0) {
        if ((header & 0x10) != 0) { /* format 4: 10010F10 */
            add(&atoms, instruction(header & 0x04u));
            return atoms;
        }
        add(&atoms, ETM_ATOM_W); /* format 2: 1000FF10 */
        add(&atoms, instruction(header & 0x08u));
        add(&atoms, instruction(header & 0x04u));
        return atoms;
    }
    if ((header & 0x20) != 0) { /* format 3: 1E1WWW00 */
        for (unsigned w = 0; w <= count; w++)
            add(&atoms, ETM_ATOM_W);
        if ((header & 0x40) != 0)
            add(&atoms, ETM_ATOM_E);
        return atoms;
    }
    if (header == 0x80) { /* format 0 */
        add(&atoms, ETM_ATOM_W);
        return atoms;
    }
    for (unsigned e = 0; e < count; e++) { /* format 1: 1N0EEE00 */
        add(&atoms, ETM_ATOM_W);
        add(&atoms, ETM_ATOM_E);
    }
    if ((header & 0x40) != 0) {
        add(&atoms, ETM_ATOM_W);
        add(&atoms, ETM_ATOM_N);
    }
    return atoms;
}

/* Is it a row of this mode, in a macrocell that can do `have`? */
static bool applies(const struct etm_etmv3_row *row, bool cycle_accurate,
                    unsigned have)
{
    return (row->needs & ~have) == 0 &&
           (row->cycles == ETM_UNKNOWN ||
            row->cycles == (cycle_accurate ? ETM_TRUE : ETM_FALSE));
}

/* A byte of a row that applies. */
static struct etm_etmv3_header meaning(const struct etm_etmv3_row *row,
                                       uint8_t byte, bool cycle_accurate)
{
    struct etm_etmv3_header header = {0, 0, row->kind};

    if (header.kind == ETM_PACKET_P_HEADER) {
        struct atoms atoms = cycle_accurate ? atoms_cycle_accurate(byte)
                                            : atoms_non_cycle_accurate(byte);

        header.atoms = atoms.bits;
        header.count = (uint8_t)atoms.n;
    }
    return header;
}

struct etm_etmv3_header etm_etmv3_header(const struct etm_config *config,
                                         uint8_t byte)
{
    const bool cycles = config->cycle_accurate;
    const unsigned have = abilities(config);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((byte & rows[i].mask) == rows[i].value &&
            applies(&rows[i], cycles, have))
            return meaning(&rows[i], byte, cycles);
    return (struct etm_etmv3_header){0, 0, ETM_PACKET_RESERVED};
}

/*
 * Row by row: each byte is in one row, so that this takes a step a byte, where
 * to look for the row of each takes fifty. Whoever guesses a configuration
 * makes hundreds of such tables.
 */
void etm_etmv3_headers(const struct etm_config *config,
                       struct etm_etmv3_header headers[256])
{
    const bool cycles = config->cycle_accurate;
    const unsigned have = abilities(config);

    for (unsigned byte = 0; byte < 256; byte++)
        headers[byte] = (struct etm_etmv3_header){0, 0, ETM_PACKET_RESERVED};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const unsigned free = ~(unsigned)rows[i].mask & 0xffu;

        if (!applies(&rows[i], cycles, have))
            continue;
        /* all values of the bits that the mask leaves free, down to 0 */
        for (unsigned bits = free;; bits = (bits - 1) & free) {
            uint8_t byte = (uint8_t)(rows[i].value | bits);

            headers[byte] = meaning(&rows[i], byte, cycles);
            if (bits == 0)
                break;
        }
    }
}
