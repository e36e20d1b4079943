/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of ETMv3 (ETM architecture, chapter 7), one `if` after the other. */
#include "plain_reader.h"

/* ETMv3: exception information bytes (7.3.5). NS came with v3.2, AltISA with
 * v3.3, the bytes after the first with v3.4, Hyp with v3.5. */
static void etmv3_information(struct plain_reader *r)
{
    unsigned minor = r->c->minor;
    uint8_t byte = plain_next(r);

    if (minor < 4)
        byte &= 0x7f;
    plain_information(r, byte);
    if (byte & 0x20)
        r->p.fields |= ETM_FIELD_CANCEL;
    if (minor < 3)
        r->p.fields &= (uint16_t)~ETM_FIELD_ALT_ISA;
    if (minor < 2)
        r->p.fields &= (uint16_t)~ETM_FIELD_NS;
    if ((byte & 0x80) == 0)
        return;
    byte = plain_next(r);
    if ((byte & 0x40) == 0) {
        plain_high_exception(r, byte);
        if ((byte & 0x80) == 0)
            return;
        byte = plain_next(r);
        if ((byte & 0x40) == 0) {
            plain_offend(r);
            return;
        }
    }
    r->p.resume = byte & 15;
    if (byte & 0x80)
        plain_offend(r);
}

/* Address and exception bytes of a branch packet or an LSiP I-sync. */
static void etmv3_branch(struct plain_reader *r, uint8_t first)
{
    bool alternative = r->c->alternative_branches;
    struct plain_address a = plain_read_address(r, first, alternative);

    r->p.kind = ETM_PACKET_BRANCH_ADDRESS;
    if (a.bytes == 5 && (a.last & 0x80) != 0) { /* deprecated: table 7-8 */
        a.bits |= (uint32_t)(a.last & 7) << a.n;
        a.n += 3;
        a.isa = ETM_ISA_ARM;
        r->p.fields |= ETM_FIELD_DEPRECATED;
        if (a.last & 0x40)
            r->p.fields |= ETM_FIELD_CANCEL;
        r->p.exception = a.last >> 3 & 7;
        plain_keep_address(r, &a);
        return;
    }
    if (a.bytes == 5)
        plain_fifth_of(r, &a);
    plain_keep_address(r, &a);
    if (!r->bad && (a.last & 0x40) != 0 &&
        (a.bytes == 5 || (alternative && a.bytes > 1)))
        etmv3_information(r);
}

/* Seven bits a byte, the fifth has the rest (7.3.4). */
static void etmv3_count(struct plain_reader *r)
{
    uint8_t byte;

    r->p.fields |= ETM_FIELD_CYCLES;
    for (unsigned shift = 0; shift <= 28; shift += 7) {
        byte = plain_next(r);
        r->p.cycle_count |= (uint32_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            break;
    }
}

/* An LSiP I-sync's second address: the packet that a branch to it would be. */
static void etmv3_second(struct plain_reader *r)
{
    struct etm_packet p = r->p;
    uint8_t first = plain_next(r);

    p.kind = ETM_PACKET_LSIP_I_SYNC;
    if ((first & 1) == 0) {
        plain_offend(r);
        return;
    }
    r->p = (struct etm_packet){0};
    etmv3_branch(r, first);
    if (!r->bad && (r->p.fields & ETM_FIELD_DEPRECATED) != 0)
        plain_offend(r);
    p.address2 = r->p.address;
    p.address2_bits = r->p.address_bits;
    p.isa2 = r->p.isa;
    if (r->p.fields & ETM_FIELD_EXCEPTION_0)
        p.fields &= (uint16_t) ~(ETM_FIELD_NS | ETM_FIELD_ALT_ISA);
    if (r->p.fields & ETM_FIELD_EXCEPTION_1)
        p.fields &= (uint16_t)~ETM_FIELD_HYP;
    p.fields |= r->p.fields;
    r->p = p;
}

static void etmv3_i_sync(struct plain_reader *r, bool count)
{
    r->p.kind = ETM_PACKET_I_SYNC;
    if (count)
        etmv3_count(r);
    plain_read_context_id(r);
    r->p.info = plain_next(r);
    if ((r->p.info & 0x01) == 0) { /* E-41 */
        plain_offend(r);
        return;
    }
    if (r->c->data_only) { /* neither address nor instruction set (7.7.3) */
        r->p.reason = r->p.info >> 5 & 3;
        return;
    }
    if ((r->p.info & 0xe0) == 0x80) { /* LSiP is only where tracing starts */
        plain_offend(r);
        return;
    }
    r->p.address = plain_little_endian(r, 4);
    plain_sync_state(r, (r->p.info & 0x10) != 0,
                     (r->p.info & 0x04) != 0 && r->c->minor >= 3);
    if (r->p.info & 0x80)
        etmv3_second(r);
}

static void atoms(struct plain_reader *r, unsigned kind, unsigned n)
{
    for (; n > 0; n--)
        r->p.value |= (uint64_t)kind << 2 * r->p.count++;
}

/* Tables 7-2 and 7-3 */
static void p_header(struct plain_reader *r, uint8_t header)
{
    bool cycles = r->c->cycle_accurate;
    unsigned bit6 = header >> 6 & 1;

    r->p.kind = ETM_PACKET_P_HEADER;
    if (cycles && header == 0x80) {
        atoms(r, ETM_ATOM_W, 1);
        r->reserved = r->c->minor != 0;
    } else if (!cycles && (header & 0x83) == 0x80) { /* 1NEEEE00 */
        atoms(r, ETM_ATOM_E, header >> 2 & 15);
        atoms(r, ETM_ATOM_N, bit6);
    } else if (cycles && (header & 0xa3) == 0x80) { /* 1N0EEE00 */
        for (unsigned n = header >> 2 & 7; n > 0; n--) {
            atoms(r, ETM_ATOM_W, 1);
            atoms(r, ETM_ATOM_E, 1);
        }
        atoms(r, ETM_ATOM_W, bit6);
        atoms(r, ETM_ATOM_N, bit6);
    } else if (cycles && (header & 0xa3) == 0xa0) { /* 1E1WWW00 */
        atoms(r, ETM_ATOM_W, (header >> 2 & 7) + 1u);
        atoms(r, ETM_ATOM_E, bit6);
    } else if ((header & 0xf3) == 0x82) { /* 1000FF10 */
        atoms(r, ETM_ATOM_W, cycles);
        atoms(r, header & 0x08 ? ETM_ATOM_N : ETM_ATOM_E, 1);
        atoms(r, header & 0x04 ? ETM_ATOM_N : ETM_ATOM_E, 1);
    } else if (cycles && (header & 0xfb) == 0x92 && r->c->minor >= 3) {
        atoms(r, header & 0x04 ? ETM_ATOM_N : ETM_ATOM_E, 1); /* 10010F10 */
    } else {
        r->reserved = true;
    }
}

/* Data trace is on (7.4). */
static bool has_data(const struct etm_config *c)
{
    return c->data_address || c->data_value || c->cprt || c->data_only;
}

/* 0x76, from v3.4 on M-profile cores, from v3.5 on others: E-43 */
static bool has_exit(const struct etm_config *c)
{
    return c->minor >= 5 ||
           (c->minor == 4 &&
            (c->profile == ETM_PROFILE_M || c->profile == ETM_PROFILE_UNKNOWN));
}

/* 0x7e, from v3.4 on M-profile cores, where there are data (7.5.3): E-43 */
static bool has_entry(const struct etm_config *c)
{
    return has_data(c) && c->minor >= 4 &&
           (c->profile == ETM_PROFILE_M || c->profile == ETM_PROFILE_UNKNOWN);
}

/* Seven bits a byte and four in the fifth, which has the BE bit from v3.1 on:
 * E-44, E-48. */
static void data_address(struct plain_reader *r, bool a)
{
    uint8_t byte = 0x80;

    if (a)
        r->p.fields |= ETM_FIELD_A;
    if (!a || !r->c->data_address)
        return;
    r->p.fields |= ETM_FIELD_ADDRESS;
    while ((byte & 0x80) != 0 && r->p.address_bits < 28) {
        byte = plain_next(r);
        r->p.address |= (uint32_t)(byte & 0x7f) << r->p.address_bits;
        r->p.address_bits += 7;
    }
    if ((byte & 0x80) == 0)
        return;
    byte = plain_next(r);
    if (byte & 0x80)
        plain_offend(r);
    r->p.address |= (uint32_t)(byte & 0x0f) << 28;
    r->p.address_bits = 32;
    if ((byte & 0x10) != 0 && r->c->minor >= 1)
        r->p.fields |= ETM_FIELD_BE;
}

/* Table 7-19; without value tracing there is nothing: E-49. */
static void data_value(struct plain_reader *r, uint8_t header)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4};

    if (r->bad || !r->c->data_value)
        return;
    r->p.fields |= ETM_FIELD_VALUE;
    r->p.value = plain_little_endian(r, sizes[header >> 2 & 3]);
}

/* The data packets of table 7-1; false: another one. */
static bool data_packet(struct plain_reader *r, uint8_t header)
{
    if (!has_data(r->c))
        return false;
    if ((header & 0xd3) == 0x02) { /* 00A0SS10 */
        r->p.kind = ETM_PACKET_NORMAL_DATA;
        data_address(r, (header & 0x20) != 0);
        data_value(r, header);
    } else if ((header & 0xd3) == 0x50 && (header & 0x0c) != 0) { /* 01A1TT00 */
        r->p.kind = ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER;
        r->p.tag = header >> 2 & 3;
        data_address(r, (header & 0x20) != 0);
    } else if ((header & 0x93) == 0x00 && (header & 0x60) != 0) { /* 0TT0SS00 */
        r->p.kind = ETM_PACKET_OUT_OF_ORDER_DATA;
        r->p.tag = header >> 5 & 3;
        data_value(r, header);
    } else if ((header & 0xef) == 0x6a) { /* 011A1010 */
        r->p.kind = ETM_PACKET_VALUE_NOT_TRACED;
        data_address(r, (header & 0x10) != 0);
    } else if (header == 0x50) {
        r->p.kind = ETM_PACKET_STORE_FAILED;
        r->reserved = !r->c->data_value;
    } else if (header == 0x62) {
        r->p.kind = ETM_PACKET_DATA_SUPPRESSED;
        r->reserved = r->c->data_only;
    } else {
        return false;
    }
    return true;
}

/* Exception entry (7.5.3) and exit (7.5.4). */
static bool exception_packet(struct plain_reader *r, uint8_t header)
{
    if (header == 0x76 && has_exit(r->c))
        r->p.kind = ETM_PACKET_EXCEPTION_EXIT;
    else if (header == 0x7e && has_entry(r->c))
        r->p.kind = ETM_PACKET_EXCEPTION_ENTRY;
    else
        return false;
    return true;
}

/* Where there are instructions, and no data-only mode (7.4.10). */
static bool program_packet(struct plain_reader *r, uint8_t header)
{
    if (r->c->data_only)
        return false;
    if (header & 1) {
        etmv3_branch(r, header);
    } else if (header & 0x80) {
        p_header(r, header);
    } else if (header == 0x04 && r->c->cycle_accurate) {
        r->p.kind = ETM_PACKET_CYCLE_COUNT;
        etmv3_count(r);
    } else if (header == 0x70 && r->c->cycle_accurate) {
        etmv3_i_sync(r, true);
    } else {
        return exception_packet(r, header);
    }
    return true;
}

/* Table 7-1 */
void plain_etmv3_packet(struct plain_reader *r, uint8_t header)
{
    const struct etm_config *c = r->c;

    if (program_packet(r, header) || data_packet(r, header))
        return;
    if (header == 0x08) {
        etmv3_i_sync(r, false);
    } else if (header == 0x0c) {
        r->p.kind = ETM_PACKET_TRIGGER;
    } else if (header == 0x3c && c->minor >= 5) {
        r->p.kind = ETM_PACKET_VMID;
        r->p.value = plain_next(r);
    } else if ((header == 0x42 || header == 0x46) && c->minor >= 5) {
        r->p.kind = ETM_PACKET_TIMESTAMP;
        plain_read_timestamp(r);
    } else if (header == 0x66) {
        r->p.kind = ETM_PACKET_IGNORE;
    } else if (header == 0x6e && c->context_id_bytes != 0) {
        r->p.kind = ETM_PACKET_CONTEXT_ID;
        plain_read_context_id(r);
    } else {
        r->reserved = true;
    }
}
