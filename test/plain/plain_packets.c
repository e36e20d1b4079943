/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes of a whole stream cut into packets, one `if` after the other. PFT:
 * section numbers of its architecture; ETMv3: of the ETM architecture. Only
 * what plain_pft.c and plain_etmv3.c look at is filled in.
 */
#include "plain_packets.h"

#include <stdlib.h>
#include <string.h>

struct reader {
    const struct etm_config *c;
    const uint8_t *bytes;
    size_t n, at;
    bool cut;      /* the stream ends in the middle of a packet */
    bool bad;      /* the byte at `at` breaks a rule: it is no part of it */
    bool reserved; /* a header that means nothing */
    struct etm_packet p;
};

static uint8_t next(struct reader *r)
{
    if (r->at == r->n) {
        r->cut = true;
        return 0;
    }
    return r->bytes[r->at++];
}

/* The byte that was read last breaks a rule: E-40. */
static void offend(struct reader *r)
{
    if (!r->bad && !r->cut)
        r->at--;
    r->bad = true;
}

static uint32_t little_endian(struct reader *r, unsigned n)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= (uint32_t)next(r) << 8 * i;
    return value;
}

static void context_id(struct reader *r)
{
    r->p.context_id = little_endian(r, r->c->context_id_bytes);
    if (r->c->context_id_bytes != 0)
        r->p.fields |= ETM_FIELD_CONTEXT_ID;
}

/* Seven bits a byte, and the rest in the seventh or the ninth (PFT 4.5). */
static void timestamp(struct reader *r)
{
    unsigned last = r->c->timestamp_64bit ? 9 : 7, n = 0;
    uint8_t byte;

    do {
        uint64_t bits;
        byte = next(r);
        bits = ++n < last ? byte & 0x7fu : last == 9 ? byte : byte & 0x3fu;
        r->p.value |= bits << 7 * (n - 1);
    } while ((byte & 0x80) != 0 && n < last);
    r->p.value_bytes = (uint8_t)n;
}

/* The fifth byte of an address tells the instruction set by its highest bit
 * (ETM 7.3.5, the same in PFT); returns the address bits in it. */
static unsigned fifth_byte(struct reader *r, uint8_t byte, uint8_t *isa)
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
    offend(r);
    return 0;
}

/* Address bytes */
struct address {
    uint32_t bits;
    unsigned n; /* bits */
    unsigned bytes;
    uint8_t isa;
    uint8_t last; /* byte */
};

/*
 * Six bits in the first byte, seven in each of the next three, and the rest.
 * `flag`: bit 6 of the last of two to four bytes is no address bit (PFT; ETM,
 * alternative encoding).
 */
static struct address address(struct reader *r, uint8_t first, bool flag)
{
    struct address a = {.bits = first >> 1 & 0x3f, .n = 6, .bytes = 1};

    a.last = first;
    while ((a.last & 0x80) != 0 && a.bytes < 4 && !r->cut) {
        a.last = next(r);
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
        a.last = next(r);
        a.bytes++;
    }
    return a;
}

static void keep_address(struct reader *r, const struct address *a)
{
    r->p.address = a->bits;
    r->p.address_bits = (uint8_t)a->n;
    r->p.isa = a->isa;
}

/* An ordinary fifth byte. */
static void fifth_of(struct reader *r, struct address *a)
{
    unsigned bits = fifth_byte(r, a->last, &a->isa);

    a->bits |= (a->last & ((UINT32_C(1) << bits) - 1)) << a->n;
    a->n += bits;
}

/* A cycle count of up to 32 bits: bits 5:2 of the first byte, bit 6 of which
 * says that there is more, then seven bits a byte (PFT 4.5). */
static void pft_count(struct reader *r, uint8_t first)
{
    uint32_t n = first >> 2 & 15;
    bool more = (first & 0x40) != 0;

    for (unsigned shift = 4; more && shift <= 25 && !r->cut; shift += 7) {
        uint8_t byte = next(r);
        n |= (uint32_t)(byte & 0x7f) << shift;
        more = (byte & 0x80) != 0;
    }
    r->p.cycle_count = n;
}

static void information(struct reader *r, uint8_t byte)
{
    r->p.fields |= ETM_FIELD_EXCEPTION_0;
    if (byte & 0x40)
        r->p.fields |= ETM_FIELD_ALT_ISA;
    if (byte & 0x01)
        r->p.fields |= ETM_FIELD_NS;
    r->p.exception = byte >> 1 & 15;
}

static void high_exception(struct reader *r, uint8_t byte)
{
    r->p.fields |= ETM_FIELD_EXCEPTION_1;
    if (byte & 0x20)
        r->p.fields |= ETM_FIELD_HYP;
    r->p.exception |= (uint16_t)((byte & 0x1f) << 4);
}

static void pft_branch(struct reader *r, uint8_t first)
{
    struct address a = address(r, first, true);

    r->p.kind = ETM_PACKET_BRANCH_ADDRESS;
    if (a.bytes == 5)
        fifth_of(r, &a);
    keep_address(r, &a);
    if (r->bad)
        return;
    if (a.bytes > 1 && (a.last & 0x40) != 0) {
        uint8_t byte = next(r);
        information(r, byte);
        if (byte & 0x80)
            high_exception(r, next(r));
    }
    if (r->c->cycle_accurate)
        pft_count(r, next(r));
}

static void pft_waypoint_update(struct reader *r)
{
    struct address a = address(r, next(r), true);

    r->p.kind = ETM_PACKET_WAYPOINT_UPDATE;
    if (a.bytes == 5)
        fifth_of(r, &a);
    if (a.isa == ETM_ISA_JAZELLE) /* bytecodes are never traced: 4.8 */
        offend(r);
    keep_address(r, &a);
    if (!r->bad && a.bytes == 5 && (a.last & 0x40) != 0) { /* E-50 */
        uint8_t byte = next(r);
        r->p.fields |= ETM_FIELD_EXCEPTION_0;
        if (byte & 0x40)
            r->p.fields |= ETM_FIELD_ALT_ISA;
    }
}

/* The instruction set of an I-sync: J is in no PFT packet. */
static void sync_state(struct reader *r, bool jazelle, bool alt_isa)
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

static void pft_i_sync(struct reader *r)
{
    r->p.kind = ETM_PACKET_I_SYNC;
    r->p.address = little_endian(r, 4);
    r->p.info = next(r);
    sync_state(r, false, (r->p.info & 0x04) != 0);
    if (r->c->cycle_accurate && r->p.reason != 0)
        pft_count(r, next(r));
    context_id(r);
}

/* The oldest atom is the highest bit below the one that says where they begin
 * (4.5); cycle-accurate: there is one, with a count. */
static void pft_atoms(struct reader *r, uint8_t header)
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

static void pft_packet(struct reader *r, uint8_t header)
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
        r->p.value = next(r);
    } else if (header == 0x42 || header == 0x46) {
        r->p.kind = ETM_PACKET_TIMESTAMP;
        timestamp(r);
        if (r->c->cycle_accurate)
            pft_count(r, next(r));
    } else if (header == 0x66) {
        r->p.kind = ETM_PACKET_IGNORE;
    } else if (header == 0x6e && r->c->context_id_bytes != 0) {
        r->p.kind = ETM_PACKET_CONTEXT_ID;
        context_id(r);
    } else if (header == 0x72) {
        pft_waypoint_update(r);
    } else if (header == 0x76) {
        r->p.kind = ETM_PACKET_EXCEPTION_EXIT;
    } else {
        r->reserved = true;
    }
}

/* ETMv3: exception information bytes (7.3.5). NS came with v3.2, AltISA with
 * v3.3, the bytes behind the first with v3.4, Hyp with v3.5. */
static void etmv3_information(struct reader *r)
{
    unsigned minor = r->c->minor;
    uint8_t byte = next(r);

    if (minor < 4)
        byte &= 0x7f;
    information(r, byte);
    if (byte & 0x20)
        r->p.fields |= ETM_FIELD_CANCEL;
    if (minor < 3)
        r->p.fields &= (uint16_t)~ETM_FIELD_ALT_ISA;
    if (minor < 2)
        r->p.fields &= (uint16_t)~ETM_FIELD_NS;
    if ((byte & 0x80) == 0)
        return;
    byte = next(r);
    if ((byte & 0x40) == 0) {
        high_exception(r, byte);
        if ((byte & 0x80) == 0)
            return;
        byte = next(r);
        if ((byte & 0x40) == 0) {
            offend(r);
            return;
        }
    }
    r->p.resume = byte & 15;
    if (byte & 0x80)
        offend(r);
}

/* Address and exception bytes of a branch packet or an LSiP I-sync. */
static void etmv3_branch(struct reader *r, uint8_t first)
{
    bool alternative = r->c->alternative_branches;
    struct address a = address(r, first, alternative);

    r->p.kind = ETM_PACKET_BRANCH_ADDRESS;
    if (a.bytes == 5 && (a.last & 0x80) != 0) { /* deprecated: table 7-8 */
        a.bits |= (uint32_t)(a.last & 7) << a.n;
        a.n += 3;
        a.isa = ETM_ISA_ARM;
        r->p.fields |= ETM_FIELD_DEPRECATED;
        if (a.last & 0x40)
            r->p.fields |= ETM_FIELD_CANCEL;
        r->p.exception = a.last >> 3 & 7;
        keep_address(r, &a);
        return;
    }
    if (a.bytes == 5)
        fifth_of(r, &a);
    keep_address(r, &a);
    if (!r->bad && (a.last & 0x40) != 0 &&
        (a.bytes == 5 || (alternative && a.bytes > 1)))
        etmv3_information(r);
}

/* Seven bits a byte, the fifth has the rest (7.3.4). */
static void etmv3_count(struct reader *r)
{
    uint8_t byte;

    r->p.fields |= ETM_FIELD_CYCLES;
    for (unsigned shift = 0; shift <= 28; shift += 7) {
        byte = next(r);
        r->p.cycle_count |= (uint32_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            break;
    }
}

/* An LSiP I-sync's second address: the packet that a branch to it would be. */
static void etmv3_second(struct reader *r)
{
    struct etm_packet p = r->p;
    uint8_t first = next(r);

    p.kind = ETM_PACKET_LSIP_I_SYNC;
    if ((first & 1) == 0) {
        offend(r);
        return;
    }
    r->p = (struct etm_packet){0};
    etmv3_branch(r, first);
    if (!r->bad && (r->p.fields & ETM_FIELD_DEPRECATED) != 0)
        offend(r);
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

static void etmv3_i_sync(struct reader *r, bool count)
{
    r->p.kind = ETM_PACKET_I_SYNC;
    if (count)
        etmv3_count(r);
    context_id(r);
    r->p.info = next(r);
    /* E-41, and LSiP is only where tracing starts (7.7.3) */
    if ((r->p.info & 0x01) == 0 || (r->p.info & 0xe0) == 0x80) {
        offend(r);
        return;
    }
    r->p.address = little_endian(r, 4);
    sync_state(r, (r->p.info & 0x10) != 0,
               (r->p.info & 0x04) != 0 && r->c->minor >= 3);
    if (r->p.info & 0x80)
        etmv3_second(r);
}

static void atoms(struct reader *r, unsigned kind, unsigned n)
{
    for (; n > 0; n--)
        r->p.value |= (uint64_t)kind << 2 * r->p.count++;
}

/* Tables 7-2 and 7-3 */
static void p_header(struct reader *r, uint8_t header)
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

/* 0x76, from v3.4 on M-profile cores, from v3.5 on others: E-43 */
static bool has_exit(const struct etm_config *c)
{
    return c->minor >= 5 ||
           (c->minor == 4 &&
            (c->profile == ETM_PROFILE_M || c->profile == ETM_PROFILE_UNKNOWN));
}

/* Table 7-1, without data, of which exception entry is a part (7.5.3). */
static void etmv3_packet(struct reader *r, uint8_t header)
{
    const struct etm_config *c = r->c;

    if (header & 1) {
        etmv3_branch(r, header);
    } else if (header & 0x80) {
        p_header(r, header);
    } else if (header == 0x04 && c->cycle_accurate) {
        r->p.kind = ETM_PACKET_CYCLE_COUNT;
        etmv3_count(r);
    } else if (header == 0x08 || (header == 0x70 && c->cycle_accurate)) {
        etmv3_i_sync(r, header == 0x70);
    } else if (header == 0x0c) {
        r->p.kind = ETM_PACKET_TRIGGER;
    } else if (header == 0x3c && c->minor >= 5) {
        r->p.kind = ETM_PACKET_VMID;
        r->p.value = next(r);
    } else if ((header == 0x42 || header == 0x46) && c->minor >= 5) {
        r->p.kind = ETM_PACKET_TIMESTAMP;
        timestamp(r);
    } else if (header == 0x66) {
        r->p.kind = ETM_PACKET_IGNORE;
    } else if (header == 0x6e && c->context_id_bytes != 0) {
        r->p.kind = ETM_PACKET_CONTEXT_ID;
        context_id(r);
    } else if (header == 0x76 && has_exit(c)) {
        r->p.kind = ETM_PACKET_EXCEPTION_EXIT;
    } else {
        r->reserved = true;
    }
}

/* A-sync: five zeros or more, and 80 (7.7.2, PFT 4.5). */
static void a_sync(struct reader *r)
{
    size_t zeros = 1;

    r->p.kind = ETM_PACKET_A_SYNC;
    while (r->at < r->n && r->bytes[r->at] == 0) {
        r->at++;
        zeros++;
    }
    if (next(r) != 0x80 || zeros < 5)
        offend(r);
}

/* One packet of a stream that is synchronized; false: it was broken. */
static bool one(struct reader *r)
{
    uint8_t header = next(r);

    if (header == 0)
        a_sync(r);
    else if (r->c->protocol == ETM_PROTOCOL_PFT)
        pft_packet(r, header);
    else
        etmv3_packet(r, header);
    if (r->reserved) {
        r->p = (struct etm_packet){.kind = ETM_PACKET_RESERVED};
    } else if (r->cut || r->bad) {
        r->p = (struct etm_packet){.kind = ETM_PACKET_BAD};
        if (r->cut)
            r->p.fields = ETM_FIELD_TRUNCATED;
    }
    return !r->reserved && !r->cut && !r->bad;
}

/* Up to the next A-sync, of which only five zeros are certain: E-01. */
static void skip(struct reader *r)
{
    size_t zeros = 0;

    r->p.kind = ETM_PACKET_UNSYNCHRONIZED;
    for (; r->at < r->n; r->at++) {
        if (r->bytes[r->at] == 0x80 && zeros >= 5) {
            r->at -= 5;
            return;
        }
        zeros = r->bytes[r->at] == 0 ? zeros + 1 : 0;
    }
}

void plain_packets(const struct etm_config *config, const uint8_t *bytes,
                   size_t n, struct plain_packets *out)
{
    struct reader r = {.c = config, .bytes = bytes, .n = n};
    bool synchronized = false;
    size_t from;

    out->n = 0;
    while (r.at < n) {
        from = r.at;
        r.p = (struct etm_packet){0};
        r.cut = r.bad = r.reserved = false;
        if (synchronized) {
            synchronized = one(&r);
        } else {
            skip(&r);
            synchronized = true;
        }
        if (r.at == from)
            continue;
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
