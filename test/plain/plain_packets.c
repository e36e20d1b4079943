/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a whole stream cut into packets, one `if` after the other; and
 * the packets of PFT, with section numbers of its architecture. */
#include "plain_packets.h"
#include "plain_reader.h"

#include <stdlib.h>
#include <string.h>

uint8_t plain_next(struct plain_reader *r)
{
    if (r->at == r->n) {
        r->cut = true;
        return 0;
    }
    return r->bytes[r->at++];
}

void plain_offend(struct plain_reader *r)
{
    if (!r->bad && !r->cut)
        r->at--;
    r->bad = true;
}

uint32_t plain_little_endian(struct plain_reader *r, unsigned n)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= (uint32_t)plain_next(r) << 8 * i;
    return value;
}

void plain_read_context_id(struct plain_reader *r)
{
    r->p.context_id = plain_little_endian(r, r->c->context_id_bytes);
    if (r->c->context_id_bytes != 0)
        r->p.fields |= ETM_FIELD_CONTEXT_ID;
}

void plain_read_timestamp(struct plain_reader *r)
{
    unsigned last = r->c->timestamp_64bit ? 9 : 7, n = 0;
    uint8_t byte;

    do {
        uint64_t bits;
        byte = plain_next(r);
        bits = ++n < last ? byte & 0x7fu : last == 9 ? byte : byte & 0x3fu;
        r->p.value |= bits << 7 * (n - 1);
    } while ((byte & 0x80) != 0 && n < last);
    r->p.value_bytes = (uint8_t)n;
}

/* The fifth byte of an address tells the instruction set by its highest bit
 * (ETM 7.3.5, the same in PFT); returns the address bits in it. */
static unsigned fifth_byte(struct plain_reader *r, uint8_t byte, uint8_t *isa)
{
    if (byte & 0x20) {
        *isa = ETM_ISA_JAZELLE;
        return 5;
    }
    if (byte & 0x10) {
        *isa = ETM_ISA_THUMB;
        return 4;
    }
    *isa = ETM_ISA_ARM;
    if (byte & 0x08)
        return 3;
    plain_offend(r);
    return 0;
}

struct plain_address plain_read_address(struct plain_reader *r, uint8_t first,
                                        bool flag)
{
    struct plain_address a = {.bits = first >> 1 & 0x3f, .n = 6, .bytes = 1};

    a.last = first;
    while ((a.last & 0x80) != 0 && a.bytes < 4 && !r->cut) {
        a.last = plain_next(r);
        a.bytes++;
        if (flag && (a.last & 0x80) == 0) {
            a.bits |= (uint32_t)(a.last & 0x3f) << a.n;
            a.n += 6;
        } else {
            a.bits |= (uint32_t)(a.last & 0x7f) << a.n;
            a.n += 7;
        }
    }
    if ((a.last & 0x80) != 0 && !r->cut) {
        a.last = plain_next(r);
        a.bytes++;
    }
    return a;
}

void plain_keep_address(struct plain_reader *r, const struct plain_address *a)
{
    r->p.address = a->bits;
    r->p.address_bits = (uint8_t)a->n;
    r->p.isa = a->isa;
}

void plain_fifth_of(struct plain_reader *r, struct plain_address *a)
{
    unsigned bits = fifth_byte(r, a->last, &a->isa);

    a->bits |= (a->last & ((UINT32_C(1) << bits) - 1)) << a->n;
    a->n += bits;
}

/* A cycle count of up to 32 bits: bits 5:2 of the first byte, bit 6 of which
 * says that there is more, then seven bits a byte (PFT 4.5). */
static void pft_count(struct plain_reader *r, uint8_t first)
{
    uint32_t n = first >> 2 & 15;
    bool more = (first & 0x40) != 0;

    for (unsigned shift = 4; more && shift <= 25 && !r->cut; shift += 7) {
        uint8_t byte = plain_next(r);
        n |= (uint32_t)(byte & 0x7f) << shift;
        more = (byte & 0x80) != 0;
    }
    r->p.cycle_count = n;
}

void plain_information(struct plain_reader *r, uint8_t byte)
{
    r->p.fields |= ETM_FIELD_EXCEPTION_0;
    if (byte & 0x40)
        r->p.fields |= ETM_FIELD_ALT_ISA;
    if (byte & 0x01)
        r->p.fields |= ETM_FIELD_NS;
    r->p.exception = byte >> 1 & 15;
}

void plain_high_exception(struct plain_reader *r, uint8_t byte)
{
    r->p.fields |= ETM_FIELD_EXCEPTION_1;
    if (byte & 0x20)
        r->p.fields |= ETM_FIELD_HYP;
    r->p.exception |= (uint16_t)((byte & 0x1f) << 4);
}

static void pft_branch(struct plain_reader *r, uint8_t first)
{
    struct plain_address a = plain_read_address(r, first, true);

    r->p.kind = ETM_PACKET_BRANCH_ADDRESS;
    if (a.bytes == 5)
        plain_fifth_of(r, &a);
    plain_keep_address(r, &a);
    if (r->bad)
        return;
    if (a.bytes > 1 && (a.last & 0x40) != 0) {
        uint8_t byte = plain_next(r);
        plain_information(r, byte);
        if (byte & 0x80)
            plain_high_exception(r, plain_next(r));
    }
    if (r->c->cycle_accurate)
        pft_count(r, plain_next(r));
}

static void pft_waypoint_update(struct plain_reader *r)
{
    struct plain_address a = plain_read_address(r, plain_next(r), true);

    r->p.kind = ETM_PACKET_WAYPOINT_UPDATE;
    if (a.bytes == 5)
        plain_fifth_of(r, &a);
    if (a.isa == ETM_ISA_JAZELLE) /* bytecodes are never traced: 4.8 */
        plain_offend(r);
    plain_keep_address(r, &a);
    if (!r->bad && a.bytes == 5 && (a.last & 0x40) != 0) { /* E-50 */
        uint8_t byte = plain_next(r);
        r->p.fields |= ETM_FIELD_EXCEPTION_0;
        if (byte & 0x40)
            r->p.fields |= ETM_FIELD_ALT_ISA;
    }
}

void plain_sync_state(struct plain_reader *r, bool jazelle, bool alt_isa)
{
    bool thumb = !jazelle && (r->p.address & 1) != 0;

    r->p.isa = ETM_ISA_ARM;
    if (jazelle)
        r->p.isa = ETM_ISA_JAZELLE;
    else
        r->p.address &= ~UINT32_C(1);
    if (thumb)
        r->p.isa = alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;
    if (alt_isa)
        r->p.fields |= ETM_FIELD_ALT_ISA;
    if (r->p.info & 0x08)
        r->p.fields |= ETM_FIELD_NS;
    if (r->p.info & 0x02)
        r->p.fields |= ETM_FIELD_HYP;
    r->p.reason = r->p.info >> 5 & 3;
}

/* Five zeros or more around the information byte, which was read last, and 80
 * after them or the end of the packet. */
static bool a_sync_within(const struct plain_reader *r)
{
    size_t from = r->at - 1, to = r->at, end = r->at + r->c->context_id_bytes;

    while (from > r->at - 5 && r->bytes[from - 1] == 0)
        from--;
    if (end > r->n)
        return false; /* it is cut off */
    while (to < end && r->bytes[to] == 0)
        to++;
    return to - from >= 5 && (to == end || r->bytes[to] == 0x80);
}

static void pft_i_sync(struct plain_reader *r)
{
    r->p.kind = ETM_PACKET_I_SYNC;
    r->p.address = plain_little_endian(r, 4);
    r->p.info = plain_next(r);
    if (!r->cut && r->p.info == 0 && a_sync_within(r)) { /* E-441 */
        plain_offend(r);
        return;
    }
    plain_sync_state(r, false, (r->p.info & 0x04) != 0);
    if (r->c->cycle_accurate && r->p.reason != 0)
        pft_count(r, plain_next(r));
    plain_read_context_id(r);
}

/* The oldest atom is the highest bit below the one that says where they begin
 * (4.5); cycle-accurate: there is one, with a count. */
static void pft_atoms(struct plain_reader *r, uint8_t header)
{
    unsigned n = 5;

    r->p.kind = ETM_PACKET_ATOM;
    if (r->c->cycle_accurate) {
        r->p.count = 1;
        r->p.value = header & 2 ? ETM_ATOM_N : ETM_ATOM_E;
        pft_count(r, header);
        return;
    }
    while (n > 0 && (header >> (n + 1) & 1) == 0)
        n--;
    r->reserved = n == 0; /* E-05 */
    r->p.count = (uint8_t)n;
    for (unsigned i = 0; i < n; i++)
        if (header >> (n - i) & 1)
            r->p.value |= (uint64_t)ETM_ATOM_N << 2 * i;
}

static void pft_packet(struct plain_reader *r, uint8_t header)
{
    if (header & 1) {
        pft_branch(r, header);
    } else if (header & 0x80) {
        pft_atoms(r, header);
    } else if (header == 0x08) {
        pft_i_sync(r);
    } else if (header == 0x0c) {
        r->p.kind = ETM_PACKET_TRIGGER;
    } else if (header == 0x3c && r->c->minor >= 1 &&
               (r->c->virtualization || r->c->vmid)) {
        r->p.kind = ETM_PACKET_VMID;
        r->p.value = plain_next(r);
    } else if (header == 0x42 || header == 0x46) {
        r->p.kind = ETM_PACKET_TIMESTAMP;
        plain_read_timestamp(r);
        if (r->c->cycle_accurate)
            pft_count(r, plain_next(r));
    } else if (header == 0x66) {
        r->p.kind = ETM_PACKET_IGNORE;
    } else if (header == 0x6e && r->c->context_id_bytes != 0) {
        r->p.kind = ETM_PACKET_CONTEXT_ID;
        plain_read_context_id(r);
    } else if (header == 0x72) {
        pft_waypoint_update(r);
    } else if (header == 0x76) {
        r->p.kind = ETM_PACKET_EXCEPTION_EXIT;
    } else {
        r->reserved = true;
    }
}

/* A-sync: five zeros or more, and 80 (7.7.2, PFT 4.5). */
static void a_sync(struct plain_reader *r)
{
    size_t zeros = 1;

    r->p.kind = ETM_PACKET_A_SYNC;
    while (r->at < r->n && r->bytes[r->at] == 0) {
        r->at++;
        zeros++;
    }
    if (plain_next(r) != 0x80 || zeros < 5)
        plain_offend(r);
}

/* Before the byte that was read last. */
static size_t zeros_before(const struct plain_reader *r)
{
    size_t zeros = 0;

    while (zeros + 1 < r->at && r->bytes[r->at - 2 - zeros] == 0)
        zeros++;
    return zeros;
}

/* One packet of a stream that is synchronized; false: it was broken. */
static bool one(struct plain_reader *r)
{
    uint8_t header = plain_next(r);

    if (header == 0)
        a_sync(r);
    else if (r->c->protocol == ETM_PROTOCOL_PFT)
        pft_packet(r, header);
    else
        plain_etmv3_packet(r, header);
    if (r->reserved && header == 0x80 && zeros_before(r) >= 5) { /* E-441 */
        r->reserved = false;
        r->p = (struct etm_packet){.kind = ETM_PACKET_A_SYNC};
    } else if (r->reserved) {
        r->p = (struct etm_packet){.kind = ETM_PACKET_RESERVED};
    } else if (r->cut || r->bad) {
        r->p = (struct etm_packet){.kind = ETM_PACKET_BAD};
        if (r->cut)
            r->p.fields = ETM_FIELD_TRUNCATED;
    }
    return !r->reserved && !r->cut && !r->bad;
}

/* Do the next bytes begin an I-sync that is like `last`, the one before: in
 * state, and in the highest byte of the address (E-660)? */
static bool is_like(struct plain_reader r, const struct etm_packet *last)
{
    bool v3 = r.c->protocol == ETM_PROTOCOL_ETMV3;
    uint8_t header = plain_next(&r), info = 0;
    uint32_t address;

    if (last->kind == 0 || (header != 0x08 && header != 0x70))
        return false;
    if (header == 0x70) {
        unsigned n = 0;
        if (!v3 || !r.c->cycle_accurate)
            return false;
        while ((plain_next(&r) & 0x80) != 0 && ++n < 5)
            ;
    }
    if (v3) {
        (void)plain_little_endian(&r, r.c->context_id_bytes);
        info = plain_next(&r);
    }
    address = plain_little_endian(&r, 4);
    if (!v3)
        info = plain_next(&r);
    if (v3 && (info & 0xe0) == 0x80)
        return false;
    if (r.cut || (info & 0x1f) != (last->info & 0x1f) ||
        address >> 24 != last->address >> 24)
        return false;
    return (address & 3) != 2 || (info & 0x10) != 0;
}

/* Up to the next A-sync, of which only five zeros are certain: E-01. The first
 * of them may be in the packets before: E-441. Or up to an I-sync, and then
 * *synchronized is set. */
static bool skip(struct plain_reader *r, const struct etm_packet *last,
                 bool *synchronized)
{
    size_t from = r->at, zeros = 0;

    while (zeros < from && r->bytes[from - 1 - zeros] == 0)
        zeros++;
    r->p.kind = ETM_PACKET_UNSYNCHRONIZED;
    for (; r->at < r->n; r->at++) {
        if (r->bytes[r->at] == 0x80 && zeros >= 5) {
            r->at = r->at - from < 5 ? from : r->at - 5;
            return true;
        }
        if (is_like(*r, last)) {
            *synchronized = true;
            return false;
        }
        zeros = r->bytes[r->at] == 0 ? zeros + 1 : 0;
    }
    return false;
}

/* The A-sync that was found, or what is left of it. */
static void begin(struct plain_reader *r)
{
    r->p.kind = ETM_PACKET_A_SYNC;
    while (plain_next(r) == 0)
        ;
}

static bool is_i_sync(const struct etm_packet *p)
{
    return p->kind == ETM_PACKET_I_SYNC ||
           p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT ||
           p->kind == ETM_PACKET_LSIP_I_SYNC;
}

/* Can a macrocell have sent this I-sync? */
static bool can_be(const struct etm_config *c, const struct etm_packet *p)
{
    bool v3 = c->protocol == ETM_PROTOCOL_ETMV3;
    unsigned info = p->info;

    if ((info & 0x01) == 0 || (info & 0x0a) == 0x02)
        return false;
    if (c->profile == ETM_PROFILE_M &&
        ((info & 0x08) != 0 || (!c->data_only && p->isa != ETM_ISA_THUMB)))
        return false;
    if (p->isa == ETM_ISA_ARM && ((p->address & 3) != 0 || (info & 0x04)))
        return false;
    if (!v3)
        return (info & 0x90) == 0;
    if (c->minor == 0 && (info & 0x0e) != 0)
        return false;
    if (c->data_only && (info & 0x94) != 0)
        return false;
    return true;
}

/* Is the first packet of the stream an I-sync of a macrocell that began to
 * trace? E-610 */
static bool begins_with_i_sync(struct plain_reader r)
{
    bool data = r.c->data_address || r.c->data_value || r.c->cprt;

    return r.n != 0 && one(&r) && is_i_sync(&r.p) && (r.p.info & 0x60) != 0 &&
           can_be(r.c, &r.p) && ((r.p.info & 0x80) == 0 || data);
}

/* E-661: no packet of this configuration. */
static bool cannot_be(const struct plain_reader *r)
{
    if (is_i_sync(&r->p))
        return !can_be(r->c, &r->p);
    return r->p.kind == ETM_PACKET_BRANCH_ADDRESS &&
           r->c->profile == ETM_PROFILE_M &&
           (r->p.isa == ETM_ISA_ARM || r->p.isa == ETM_ISA_JAZELLE ||
            r->p.isa == ETM_ISA_THUMBEE ||
            (r->p.fields & (ETM_FIELD_ALT_ISA | ETM_FIELD_NS)) != 0);
}

void plain_packets(const struct etm_config *config, const uint8_t *bytes,
                   size_t n, struct plain_packets *out)
{
    struct plain_reader r = {.c = config, .bytes = bytes, .n = n};
    struct etm_packet last = {0}; /* I-sync with an address */
    bool synchronized = begins_with_i_sync(r), found = false;
    size_t from;

    out->n = 0;
    while (r.at < n) {
        from = r.at;
        r.p = (struct etm_packet){0};
        r.cut = r.bad = r.reserved = false;
        if (synchronized) {
            synchronized = one(&r);
        } else if (found) {
            begin(&r);
            synchronized = true;
            found = false;
        } else {
            found = skip(&r, &last, &synchronized);
        }
        if (r.at == from)
            continue;
        if (is_i_sync(&r.p) && !config->data_only && (r.p.info & 1) != 0)
            last = r.p;
        if (cannot_be(&r))
            r.p = (struct etm_packet){.kind = ETM_PACKET_BAD};
        r.p.offset = from;
        r.p.size = (uint32_t)(r.at - from);
        if (out->n == out->capacity) {
            out->capacity = 2 * out->capacity + 1024;
            out->all = realloc(out->all, out->capacity * sizeof *out->all);
            if (out->all == NULL)
                abort();
        }
        out->all[out->n++] = r.p;
    }
}
