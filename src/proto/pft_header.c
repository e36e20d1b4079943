/* SPDX-License-Identifier: Apache-2.0 */
/* PFT: the meaning of header bytes, as far as it depends on the configuration,
 * too. */
#include "base/isa.h"
#include "proto/address.h"
#include "proto/pft.h"
#include "proto/timestamp.h"

/* Table 4.1; 4.5, Atom packet. */
static const struct etm_pft_header_row header_rows[] = {
    /* xxxxxxx1 */ {0x01, 0x01, ETM_PFT_HEADER_BRANCH, 0},
    /* 1Cccccf0 */ {0x81, 0x80, ETM_PFT_HEADER_ATOM, ETM_PFT_ONLY_CYCLES},
    /* 100000x0 */
    {0xfd, 0x80, ETM_PFT_HEADER_RESERVED, ETM_PFT_ONLY_NO_CYCLES},
    /* 100001f0 */ {0xfd, 0x84, ETM_PFT_HEADER_ATOM, ETM_PFT_ONLY_NO_CYCLES},
    /* 10001ff0 */ {0xf9, 0x88, ETM_PFT_HEADER_ATOM, ETM_PFT_ONLY_NO_CYCLES},
    /* 1001fff0 */ {0xf1, 0x90, ETM_PFT_HEADER_ATOM, ETM_PFT_ONLY_NO_CYCLES},
    /* 101ffff0 */ {0xe1, 0xa0, ETM_PFT_HEADER_ATOM, ETM_PFT_ONLY_NO_CYCLES},
    /* 11fffff0 */ {0xc1, 0xc0, ETM_PFT_HEADER_ATOM, ETM_PFT_ONLY_NO_CYCLES},
    /* 00000000 */ {0xff, 0x00, ETM_PFT_HEADER_A_SYNC, 0},
    /* 0000xx10 */ {0xf3, 0x02, ETM_PFT_HEADER_RESERVED, 0},
    /* 00000100 */ {0xff, 0x04, ETM_PFT_HEADER_RESERVED, 0},
    /* 00001000 */ {0xff, 0x08, ETM_PFT_HEADER_I_SYNC, 0},
    /* 00001100 */ {0xff, 0x0c, ETM_PFT_HEADER_TRIGGER, 0},
    /* 0001xxx0 */ {0xf1, 0x10, ETM_PFT_HEADER_RESERVED, 0},
    /* 0010xxx0 */ {0xf1, 0x20, ETM_PFT_HEADER_RESERVED, 0},
    /* 00110xx0 */ {0xf9, 0x30, ETM_PFT_HEADER_RESERVED, 0},
    /* 001110x0 */ {0xfd, 0x38, ETM_PFT_HEADER_RESERVED, 0},
    /* 00111100 */ {0xff, 0x3c, ETM_PFT_HEADER_VMID, ETM_PFT_ONLY_VMID},
    /* 00111100 */ {0xff, 0x3c, ETM_PFT_HEADER_RESERVED, ETM_PFT_ONLY_NO_VMID},
    /* 00111110 */ {0xff, 0x3e, ETM_PFT_HEADER_RESERVED, 0},
    /* 01000x00 */ {0xfb, 0x40, ETM_PFT_HEADER_RESERVED, 0},
    /* 01000r10 */ {0xfb, 0x42, ETM_PFT_HEADER_TIMESTAMP, 0},
    /* 01001xx0 */ {0xf9, 0x48, ETM_PFT_HEADER_RESERVED, 0},
    /* 0101xxx0 */ {0xf1, 0x50, ETM_PFT_HEADER_RESERVED, 0},
    /* 011000x0 */ {0xfd, 0x60, ETM_PFT_HEADER_RESERVED, 0},
    /* 01100100 */ {0xff, 0x64, ETM_PFT_HEADER_RESERVED, 0},
    /* 01100110 */ {0xff, 0x66, ETM_PFT_HEADER_IGNORE, 0},
    /* 011010x0 */ {0xfd, 0x68, ETM_PFT_HEADER_RESERVED, 0},
    /* 01101100 */ {0xff, 0x6c, ETM_PFT_HEADER_RESERVED, 0},
    /* 01101110 */
    {0xff, 0x6e, ETM_PFT_HEADER_CONTEXT_ID, ETM_PFT_ONLY_CONTEXT_ID},
    /* 01101110 */
    {0xff, 0x6e, ETM_PFT_HEADER_RESERVED, ETM_PFT_ONLY_NO_CONTEXT_ID},
    /* 01110000 */ {0xff, 0x70, ETM_PFT_HEADER_RESERVED, 0},
    /* 01110010 */ {0xff, 0x72, ETM_PFT_HEADER_WAYPOINT_UPDATE, 0},
    /* 01110100 */ {0xff, 0x74, ETM_PFT_HEADER_RESERVED, 0},
    /* 01110110 */ {0xff, 0x76, ETM_PFT_HEADER_EXCEPTION_RETURN, 0},
    /* 01111xx0 */ {0xf9, 0x78, ETM_PFT_HEADER_RESERVED, 0},
};

const struct etm_pft_header_row *etm_pft_header_rows(size_t *n)
{
    *n = sizeof header_rows / sizeof header_rows[0];
    return header_rows;
}

struct etm_pft_format etm_pft_format_of(const struct etm_config *config)
{
    /* ETMCCER[29:26] are reserved in v1.0, whatever they read as. */
    bool v1_1 = config->minor >= 1;
    bool vmid = v1_1 && (config->virtualization || config->vmid);
    unsigned only = 0;

    only |=
        config->cycle_accurate ? ETM_PFT_ONLY_CYCLES : ETM_PFT_ONLY_NO_CYCLES;
    only |= config->context_id_bytes != 0 ? ETM_PFT_ONLY_CONTEXT_ID
                                          : ETM_PFT_ONLY_NO_CONTEXT_ID;
    only |= vmid ? ETM_PFT_ONLY_VMID : ETM_PFT_ONLY_NO_VMID;
    return (struct etm_pft_format){
        .cycles = config->cycle_accurate,
        .hyp = v1_1,
        /* An unchecked configuration must not lead a parser out of its
         * window. */
        .context_id_bytes =
            config->context_id_bytes < 4 ? config->context_id_bytes : 4,
        .timestamp_bytes = (uint8_t)etm_timestamp_bytes(config),
        .last_stamp_mask = etm_timestamp_bits(config) == 64 ? 0xff : 0x3f,
        .only = (uint8_t)only,
    };
}

unsigned etm_pft_address_bits(unsigned bytes, enum etm_isa isa)
{
    if (bytes == 0 || bytes > 5)
        return 0;
    if (bytes < 5)
        return etm_address_forms[1][bytes - 1].bits;
    return isa != ETM_ISA_UNKNOWN && isa != ETM_ISA_THUMBEE
               ? 32 - etm_isa_shift(isa)
               : 0;
}

/*
 * The atoms of a header without cycle count (4.5, Atom packet): below the
 * highest one of bits [6:2], one bit an atom, the oldest highest, 1 for N.
 */
static uint16_t atoms_of(unsigned header)
{
    unsigned n = 5;
    unsigned value = 0;

    while (n != 0 && (header >> (n + 1) & 1) == 0)
        n--;
    for (unsigned i = 0; i < n; i++) {
        unsigned atom = (header >> (n - i) & 1) != 0 ? ETM_ATOM_N : ETM_ATOM_E;

        value |= atom << (2 * i);
    }
    return (uint16_t)(value | n << 12);
}

/* Which atoms of a header failed, one bit each and a 1 above the last. */
static uint8_t failed_of(unsigned atoms)
{
    unsigned n = atoms >> 12, value = 1u << n;

    for (unsigned i = 0; i < n; i++)
        value |= (unsigned)((atoms >> 2 * i & 3) == ETM_ATOM_N) << i;
    return (uint8_t)value;
}

enum etm_pft_header etm_pft_header_kind(const struct etm_pft_format *format,
                                        uint8_t header)
{
    for (size_t i = 0; i < sizeof header_rows / sizeof header_rows[0]; i++) {
        const struct etm_pft_header_row *row = &header_rows[i];

        if ((row->only & ~format->only) == 0 &&
            (header & row->mask) == row->value)
            return (enum etm_pft_header)row->kind;
    }
    return ETM_PFT_HEADER_RESERVED;
}

/* Row by row: with the format, each header is in one row. */
void etm_pft_table_init(struct etm_pft_table *table,
                        const struct etm_pft_format *format)
{
    *table = (struct etm_pft_table){.kind = {0}};
    for (size_t i = 0; i < sizeof header_rows / sizeof header_rows[0]; i++) {
        const struct etm_pft_header_row *row = &header_rows[i];
        const unsigned free = ~(unsigned)row->mask & 0xffu;

        if ((row->only & ~format->only) != 0)
            continue;
        /* all values of the bits that the mask leaves free, down to 0 */
        for (unsigned bits = free;; bits = (bits - 1) & free) {
            const unsigned h = row->value | bits;

            table->kind[h] = row->kind;
            if (row->kind == ETM_PFT_HEADER_ATOM && !format->cycles) {
                table->atoms[h] = atoms_of(h);
                table->failed[h] = failed_of(table->atoms[h]);
            }
            if (bits == 0)
                break;
        }
    }
}
