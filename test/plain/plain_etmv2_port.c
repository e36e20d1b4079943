/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The trace port of ETMv2, cycle by cycle (ETM architecture 6.1 to 6.5): every
 * status with bit 0 puts one group of packets into the FIFO, and they come out
 * in that order, in all cycles but TD and TR. All groups of the stream are kept
 * in one list, and so are all cycles.
 */
#include "plain_etmv2.h"
#include "plain_reader.h"

#include "proto/sample.h"

#include <stdlib.h>
#include <string.h>

#define TR 6u
#define TD 7u
#define WT 4u

/* Groups and bytes that no FIFO holds: what has more is damaged. */
#define GROUPS_MAX 128u
#define GROUP_BYTES_MAX 128u
#define CYCLES_MAX 512u

struct group {
    size_t cycle;
    bool tfo;    /* it is a TFO packet */
    uint64_t at; /* which is to begin after so many bytes */
};

/* What the pins carry before bytes of the FIFO go on (6.5.1). */
enum due { NOTHING, WHOLE_TFO, UPPER_TFO, GAP };

struct port {
    const struct etm_config *c;
    unsigned pins;
    struct plain_cycle *cycles;
    size_t now; /* the cycle at hand */
    struct group *groups;
    size_t first, n; /* of the groups: the oldest in the FIFO, and the end */
    bool synced;     /* there was a TFO */
    bool has_half;   /* 4 pins: half of a byte came */
    uint8_t half;
    enum due due;
    uint8_t low; /* lower half of a TFO value on 4 pins */
    uint8_t packet[16];
    size_t n_packet;      /* bytes of the packet at hand */
    unsigned group_bytes; /* bytes of its group so far */
    uint64_t bytes;       /* that came out of the FIFO */
};

/* Cycles from that of the oldest group up to `end` carried what is lost. */
static void lose_cycles(struct port *p, size_t end, enum etm_lost_reason why)
{
    size_t from = p->first < p->n ? p->groups[p->first].cycle : p->now;

    if (from < end)
        p->cycles[from].begun = from < p->now || p->cycles[from].n != 0;
    for (size_t i = from; i < end; i++) {
        p->cycles[i].lost = true;
        p->cycles[i].why = (uint8_t)why;
    }
    p->n_packet = 0;
    p->group_bytes = 0;
}

/* All that is in the FIFO is lost, and nothing is known up to the next TFO:
 * E-254. */
static void lose_all(struct port *p, size_t end)
{
    lose_cycles(p, end, ETM_LOST_BAD_PACKET);
    p->first = p->n;
    p->synced = false;
    p->has_half = false;
    p->due = NOTHING;
}

/* Groups before this one, of a TFO, are lost. */
static void lose_before(struct port *p, size_t group)
{
    lose_cycles(p, p->groups[group].cycle, ETM_LOST_BAD_PACKET);
    p->first = group;
}

/* The first TFO packet in the FIFO from this group on; n if there is none. */
static size_t tfo_from(const struct port *p, size_t group)
{
    while (group < p->n && !p->groups[group].tfo)
        group++;
    return group;
}

/* The bytes of the oldest group mean nothing. */
static void lose_group(struct port *p)
{
    size_t tfo = tfo_from(p, p->first + 1);

    if (tfo < p->n)
        lose_before(p, tfo);
    else
        lose_all(p, p->now + 1);
}

static void push(struct port *p, bool tfo)
{
    if (p->n - p->first == GROUPS_MAX)
        lose_all(p, p->now + !tfo);
    if (tfo)
        p->synced = true;
    if (p->synced)
        p->groups[p->n++] = (struct group){.cycle = p->now, .tfo = tfo};
}

/* Packets (6.4, 6.5.3 to 6.5.5, 6.7.1): the bytes at hand of one. */

/*
 * 6.7.1: six bits, then seven a byte, and a 1 above the address, which in the
 * fifth byte tells ARM (bit 3) from Thumb (bit 4).
 */
static uint32_t branch_address(struct plain_reader *r, uint8_t *bits,
                               uint8_t *isa, bool *e)
{
    struct plain_address a = plain_read_address(r, plain_next(r), false);

    *e = false;
    *isa = ETM_ISA_UNKNOWN;
    *bits = (uint8_t)a.n;
    if (r->cut || a.bytes < 5)
        return a.bits;
    if ((a.last & 0xf0) == 0x10) { /* 0001xxxx */
        *isa = ETM_ISA_THUMB;
        *bits = 31;
        return a.bits | (uint32_t)(a.last & 0x0f) << 27;
    }
    *isa = ETM_ISA_ARM; /* 0E001xxx */
    *bits = 30;
    *e = (a.last & 0x40) != 0;
    r->bad = (a.last & 0xb8) != 0x08;
    return a.bits | (uint32_t)(a.last & 0x07) << 27;
}

static void tfo_packet(const struct port *port, struct plain_reader *r,
                       struct etm_packet *p)
{
    unsigned header = plain_next(r);
    uint32_t address;
    bool e;

    p->kind = (header & 0x80) != 0 ? ETM_PACKET_LSIP_I_SYNC : ETM_PACKET_I_SYNC;
    p->reason = header >> 5 & 3;
    r->bad = (header & 0x1f) != 0;
    if (r->bad)
        return;
    if (port->c->context_id_bytes != 0)
        p->fields |= ETM_FIELD_CONTEXT_ID;
    p->context_id = plain_little_endian(r, port->c->context_id_bytes);
    address = plain_little_endian(r, 4);
    p->isa = (address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    p->address = address & ~1u;
    if (p->kind == ETM_PACKET_LSIP_I_SYNC && !r->cut)
        p->address2 = branch_address(r, &p->address2_bits, &p->isa2, &e);
}

/* 1 to 5 bytes, with a continue bit in all but the last (6.4.2, E-250). */
static void data_address(struct plain_reader *r, struct etm_packet *p)
{
    uint32_t byte = 0x80;
    unsigned n = 0;

    for (; !r->cut && (byte & 0x80) != 0 && n < 5; n++) {
        byte = plain_next(r);
        p->address |= (byte & (n == 4 ? 0x0fu : 0x7fu)) << 7 * n;
    }
    p->address_bits = (uint8_t)(n == 5 ? 32 : 7 * n);
    p->fields |= ETM_FIELD_ADDRESS;
    r->bad = !r->cut && (byte & 0x80) != 0;
}

static void data_value(const struct port *port, unsigned header,
                       struct plain_reader *r, struct etm_packet *p)
{
    static const uint8_t sizes[4] = {0, 1, 2, 4}; /* table 6-3 */

    if (!port->c->data_value || r->bad)
        return;
    p->value = plain_little_endian(r, sizes[header >> 2 & 3]);
    p->fields |= ETM_FIELD_VALUE;
}

/* Table 6-2. Returns whether another packet of the group follows. */
static bool packet(const struct port *port, struct plain_reader *r,
                   struct etm_packet *p)
{
    unsigned header = plain_next(r);
    bool e;

    if ((header & 0x01) == 0x01) { /* cxxxxxx1 */
        p->kind = ETM_PACKET_BRANCH_ADDRESS;
        r->at--;
        p->address = branch_address(r, &p->address_bits, &p->isa, &e);
        p->fields = e ? ETM_FIELD_CANCEL : 0;
        return false;
    }
    if ((header & 0x53) == 0x02 || (header & 0x53) == 0x50) {
        bool miss = (header & 0x53) == 0x50; /* C1A1TT00 */

        p->kind =
            miss ? ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER : ETM_PACKET_NORMAL_DATA;
        if ((header & 0x20) != 0)
            p->fields |= ETM_FIELD_A;
        if ((header & 0x20) != 0 && port->c->data_address)
            data_address(r, p);
        if (miss)
            p->tag = header >> 2 & 3;
        else
            data_value(port, header, r, p);
    } else if ((header & 0x13) == 0x00) { /* CTT0SS00 */
        p->kind = ETM_PACKET_OUT_OF_ORDER_DATA;
        p->tag = header >> 5 & 3;
        data_value(port, header, r, p);
    } else if ((header & 0x7f) == 0x6a) {
        p->kind = ETM_PACKET_VALUE_NOT_TRACED;
    } else if ((header & 0x7f) == 0x6e && port->c->context_id_bytes != 0) {
        p->kind = ETM_PACKET_CONTEXT_ID;
        p->context_id = plain_little_endian(r, port->c->context_id_bytes);
    } else {
        r->bad = true;
    }
    return (header & 0x80) != 0;
}

/* The FIFO */

/* The groups, other TFO packets among them, do not end where a TFO says that
 * its packet begins: E-255. True: the byte to come belongs to none. */
static bool counted_wrong(struct port *p)
{
    size_t last = p->first;

    if (tfo_from(p, p->first) == p->n)
        return false;
    for (size_t i = p->first; i < p->n; i++)
        if (p->groups[i].tfo && p->groups[i].at == p->bytes)
            last = i;
    if (last != p->first)
        lose_before(p, last);
    return p->groups[p->first].tfo && p->n_packet == 0 &&
           p->groups[p->first].at != p->bytes;
}

static void keep(struct plain_cycle *c, const struct etm_packet *p)
{
    c->packets = realloc(c->packets, (c->n + 1) * sizeof *c->packets);
    if (c->packets == NULL)
        abort();
    c->packets[c->n] = *p;
    c->packets[c->n++].offset = c->offset;
}

static void byte_comes(struct port *p, uint8_t byte)
{
    struct group *group;
    struct etm_packet packet_ = {.kind = ETM_PACKET_RESERVED};
    struct plain_reader r = {.bytes = p->packet};
    bool more = false;

    if (counted_wrong(p)) {
        p->bytes++;
        return;
    }
    group = &p->groups[p->first];
    p->bytes++;
    p->packet[p->n_packet++] = byte;
    p->group_bytes++;
    r.n = p->n_packet;
    if (group->tfo)
        tfo_packet(p, &r, &packet_);
    else
        more = packet(p, &r, &packet_);
    if (!r.bad && r.cut)
        return;
    p->n_packet = 0;
    if (r.bad || (more && p->group_bytes >= GROUP_BYTES_MAX)) {
        lose_group(p);
        return;
    }
    keep(&p->cycles[group->cycle], &packet_);
    if (more)
        return;
    p->first++;
    p->group_bytes = 0;
}

/* 6.2: as many bytes as fit, as long as a group is not complete. */
static void output(struct port *p, unsigned pins)
{
    if (p->pins != 4) {
        byte_comes(p, (uint8_t)pins);
        if (p->pins == 16 && p->first < p->n)
            byte_comes(p, (uint8_t)(pins >> 8));
        return;
    }
    p->has_half = !p->has_half;
    if (!p->has_half) {
        byte_comes(p, (uint8_t)(p->half | (pins & 15) << 4));
        return;
    }
    p->half = pins & 15;
    (void)counted_wrong(p);
}

/* Table 6-4: the value of the newest TFO. Half a byte that came before it goes
 * on after a gap nibble. */
static void tfo_value(struct port *p, unsigned pins)
{
    unsigned value = (pins >> 4 & 15) | (pins >> 1 & 3) << 4;
    size_t i = p->n;

    if ((pins & 8) == 0)
        value |= 0x40;
    while (i > p->first && !p->groups[i - 1].tfo)
        i--;
    if (i > p->first)
        p->groups[i - 1].at = p->bytes + value;
    p->due = p->has_half ? GAP : NOTHING;
}

/* E-256 */
static void no_gap(struct port *p, unsigned pins)
{
    size_t last = p->first;

    for (size_t i = p->first; i < p->n; i++)
        if (p->groups[i].tfo)
            last = i;
    p->has_half = false;
    lose_before(p, last);
    output(p, pins);
}

static bool is_tfo(unsigned pins)
{
    pins &= 15;
    return (pins & 1) != 0 && pins != 5 && pins != 7;
}

/* 6.5.1 */
static void first_of_tfo(struct port *p, unsigned pins)
{
    p->due = UPPER_TFO;
    p->low = pins & 15;
    if (p->pins != 4)
        tfo_value(p, pins);
}

static void due_comes(struct port *p, unsigned pins)
{
    if (p->due == WHOLE_TFO) {
        if (is_tfo(pins))
            first_of_tfo(p, pins);
        else
            lose_all(p, p->now + 1);
    } else if (p->due == UPPER_TFO) {
        tfo_value(p, p->low | (pins & 15) << 4);
    } else {
        p->due = NOTHING;
        if ((pins & 15) != 6)
            no_gap(p, pins);
    }
}

/* Status TD: either a TFO or nothing, and then the FIFO is empty (6.1.6). 0101
 * is neither (table 6-4, E-397). */
static void disabled(struct port *p, unsigned pins)
{
    struct plain_cycle *c = &p->cycles[p->now];

    c->tfo = is_tfo(pins);
    if (p->due != NOTHING || (!c->tfo && p->first < p->n) ||
        ((pins & 15) == 5 && p->synced))
        lose_all(p, p->now + !c->tfo);
    if (!c->tfo)
        return;
    push(p, true);
    first_of_tfo(p, pins);
}

/* 6.1.7: the pins have the status; nothing comes out of the FIFO. TD stands for
 * a TFO, whose value comes in the next cycle. */
static void trigger(struct port *p, unsigned pins)
{
    struct plain_cycle *c = &p->cycles[p->now];

    c->trigger = true;
    c->status = pins & 15;
    if (c->status == TR) /* it never is */
        c->status = WT;
    if (c->status == TD) {
        if (p->due != NOTHING)
            lose_all(p, p->now);
        c->tfo = true;
        push(p, true);
        p->due = WHOLE_TFO;
    } else if ((c->status & 1) != 0) {
        push(p, false);
    }
}

static void pins_of(struct port *p, unsigned status, unsigned pins)
{
    if (status == TR) {
        trigger(p, pins);
        return;
    }
    if (status == TD) {
        disabled(p, pins);
        return;
    }
    if ((status & 1) != 0)
        push(p, false);
    if (p->due != NOTHING)
        due_comes(p, pins);
    else if (p->first < p->n)
        output(p, pins);
    else if (p->synced && status == WT)
        lose_all(p, p->now + 1);
}

static void cycle(struct port *p, unsigned status, unsigned pins)
{
    struct plain_cycle *c = &p->cycles[p->now];
    bool off, late;

    c->status = (uint8_t)status;
    late = p->first < p->n && p->now - p->groups[p->first].cycle >= CYCLES_MAX;
    if (late)
        lose_all(p, p->now);
    pins_of(p, status, pins);
    if (late)
        lose_all(p, p->now);
    off = status == TD && !c->tfo;
    c->counted = p->c->cycle_accurate && (!off || (pins & 15) == 7);
    c->stored = !off || (pins & 1) != 0;
    if (c->trigger && c->status == WT) /* nothing but the trigger (6.1.7) */
        c->stored = false;
}

void plain_cycles(const struct etm_config *config, const uint8_t *bytes,
                  size_t n, struct plain_cycles *out)
{
    size_t size = etm_sample_size(config);
    struct port p = {.c = config, .pins = etm_sample_width(config)};

    out->n = n / size;
    out->all = p.cycles = calloc(out->n + 1, sizeof *p.cycles);
    p.groups = calloc(out->n + 1, sizeof *p.groups);
    if (p.cycles == NULL || p.groups == NULL)
        abort();
    for (size_t i = 0; i < out->n; i++) {
        unsigned pins = bytes[i * size + 1];

        if (size == 3)
            pins |= (unsigned)bytes[i * size + 2] << 8;
        p.now = i;
        p.cycles[i].offset = i * size;
        cycle(&p, bytes[i * size] & 15, pins);
    }
    p.now = out->n; /* what is in the FIFO will not come */
    if (p.first < p.n)
        lose_cycles(&p, out->n, ETM_LOST_TRUNCATED);
    free(p.groups);
}

void plain_cycles_free(struct plain_cycles *cycles)
{
    for (size_t i = 0; i < cycles->n; i++)
        free(cycles->all[i].packets);
    free(cycles->all);
}
