/* SPDX-License-Identifier: Apache-2.0 */
/* Sections are those of the ETM architecture; PFT: the PFT architecture. */
#include "session/judge.h"

#include "proto/i_sync.h"

/* Costs in bits. Chips never do these things, but trace may be damaged. */
#define COST_MISSED_A_SYNC 64 /* it cannot occur by chance (7.7.2) */
#define COST_BAD_PACKET 32
#define COST_BAD_BYTE 1
#define COST_RULE 24     /* a reserved bit, an impossible address */
#define COST_NO_COUNT 24 /* a gap whose length no packet gives */
/* Chips may do these things, but seldom do. */
#define COST_UNUSUAL 8
#define COST_FAR 6     /* an address far from all others */
#define COST_OUTSIDE 8 /* an address where there is no code */
#define COST_CONTEXT 4 /* another context ID after a gap */
#define COST_EXCEPTION 2
#define COST_TRIGGER 4

/* Number of address regions that code usually has. */
#define REGIONS_USUAL 3u
/* A context ID that does not change is a good sign, up to this. */
#define SAME_CONTEXTS_MAX 32u
/* Bytes after a gap within which its length must have come. */
#define COUNT_WITHIN 1024u

static bool in_image(const struct etm_trial *t, uint32_t address)
{
    uint8_t byte;

    return !t->image || etm_image_regions(t->image) == 0 ||
           etm_image_read(t->image, address, NULL, &byte, 1) == 1;
}

static void judge_info(struct etm_trial *t, const struct etm_packet *p)
{
    if (!etm_i_sync_is_possible(&t->config, p))
        t->cost += COST_RULE;
    if (p->isa == ETM_ISA_JAZELLE || (p->info & 0x04u) != 0)
        t->cost += COST_UNUSUAL;
    if ((p->info & 0x08u) != 0)
        t->seen |= ETM_SEEN_NS;
    if ((p->info & 0x02u) != 0)
        t->seen |= ETM_SEEN_HYP;
    if (p->isa == ETM_ISA_ARM)
        t->seen |= ETM_SEEN_ARM;
}

/*
 * Code is in few places, and at a periodic I-sync execution is not far from the
 * last address that was broadcast.
 */
static void judge_place(struct etm_trial *t, const struct etm_packet *p,
                        const struct etm_broadcast *before)
{
    unsigned region = p->address >> 24;
    uint8_t mask = (uint8_t)(1u << (region & 7u));

    if ((t->region_set[region >> 3] & mask) == 0) {
        t->region_set[region >> 3] |= mask;
        if (t->regions++ >= REGIONS_USUAL)
            t->cost += COST_FAR;
    }
    if (p->reason == ETM_SYNC_PERIODIC && before->valid &&
        before->address >> 24 != region)
        t->cost += COST_FAR;
    if (!in_image(t, p->address))
        t->cost += COST_OUTSIDE;
}

/*
 * While tracing, a context ID packet gives each change (7.3.6): a periodic
 * I-sync can only repeat it. A value that does not change is a small good sign,
 * unless it looks like the VMID packet or timestamp that often follows an
 * I-sync.
 */
static void judge_context(struct etm_trial *t, const struct etm_packet *p,
                          const struct etm_broadcast *before)
{
    unsigned first = p->context_id & 0xffu;

    if ((p->fields & ETM_FIELD_CONTEXT_ID) == 0 || !before->context_id_valid)
        return;
    if (p->context_id != before->context_id)
        t->cost += p->reason == ETM_SYNC_PERIODIC ? COST_RULE : COST_CONTEXT;
    else if (first != 0x3cu && (first & 0xfbu) != 0x42u &&
             t->same_contexts++ < SAME_CONTEXTS_MAX)
        t->cost--;
}

static void begin_at(struct etm_trial *t, const struct etm_packet *p)
{
    if (!t->synchronized)
        t->first = p->offset;
    t->synchronized = true;
}

static void judge_i_sync(struct etm_trial *t, const struct etm_packet *p,
                         const struct etm_broadcast *before)
{
    begin_at(t, p); /* it may be the first of the stream (E-610) */
    t->i_syncs++;
    judge_info(t, p);
    if ((p->fields & ETM_FIELD_ADDRESS) != 0)
        judge_place(t, p, before);
    judge_context(t, p, before);
    if (p->reason != ETM_SYNC_PERIODIC) {
        t->gaps++;
        t->counting = true;
        t->count_since = p->offset;
    }
    if ((p->fields & ETM_FIELD_CYCLES) != 0) {
        t->counts++;
        t->counting = false;
    }
}

/*
 * Exceptions are rare among branches. Exception 0 is no exception: its
 * information byte shows a change of state (7.3.5), which most programs never
 * make.
 */
static void judge_branch(struct etm_trial *t, const struct etm_packet *p,
                         const struct etm_broadcast *before)
{
    if ((p->fields & (ETM_FIELD_EXCEPTION_0 | ETM_FIELD_DEPRECATED)) != 0)
        t->cost += COST_EXCEPTION;
    if ((p->fields & ETM_FIELD_EXCEPTION_0) != 0) {
        /* as traced, even if the version has no such bits */
        bool ns = (p->info & 0x01u) != 0;
        bool alt_isa = (p->info & 0x40u) != 0;

        if (p->exception == 0 || alt_isa)
            t->cost += COST_UNUSUAL;
        if (before->valid && before->ns != ns)
            t->cost += COST_UNUSUAL;
        if ((p->fields & ETM_FIELD_HYP) != 0)
            t->seen |= ETM_SEEN_HYP;
        if (ns)
            t->seen |= ETM_SEEN_NS;
    }
    if (p->isa == ETM_ISA_JAZELLE)
        t->cost += COST_UNUSUAL;
    if (t->broadcast.valid && !in_image(t, t->broadcast.address))
        t->cost += COST_OUTSIDE;
}

/* Time does not go back: this distinguishes Gray code from binary. */
static void judge_timestamp(struct etm_trial *t, const struct etm_packet *p)
{
    struct etm_config config = t->config;
    unsigned back = 0;

    t->seen |= ETM_SEEN_TIMESTAMP;
    if (p->value_bytes > 7)
        t->seen |= ETM_SEEN_LONG_STAMP;
    if (t->broadcast.timestamp_bits < 48 || t->broadcast.timestamp == 0)
        return; /* 0, in either code: the time is not known */
    for (unsigned i = 0; i < 2; i++) {
        uint64_t time;

        config.timestamp_binary = i != 0;
        time = etm_timestamp_time(&config, t->broadcast.timestamp);
        if (t->timed && time < t->time[i]) {
            t->seen |= i ? ETM_SEEN_BINARY_BACK : ETM_SEEN_GRAY_BACK;
            back++;
        }
        t->time[i] = time;
    }
    t->timed = true;
    if (back == 2)
        t->cost += COST_UNUSUAL;
}

static void judge(struct etm_trial *t, const struct etm_packet *p,
                  const struct etm_broadcast *before)
{
    switch (p->kind) {
    case ETM_PACKET_UNSYNCHRONIZED:
        if (t->synchronized) {
            t->bad_bytes += p->size;
            t->cost += (int64_t)p->size * COST_BAD_BYTE;
        }
        break;
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        /* the sample may end in the middle of a packet */
        if ((p->fields & ETM_FIELD_TRUNCATED) != 0)
            break;
        t->bad_bytes += p->size;
        t->cost += COST_BAD_PACKET + (int64_t)p->size * COST_BAD_BYTE;
        break;
    case ETM_PACKET_A_SYNC:
        begin_at(t, p);
        t->a_syncs++;
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        judge_i_sync(t, p, before);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        judge_branch(t, p, before);
        break;
    case ETM_PACKET_CYCLE_COUNT:
        t->counts++;
        t->counting = false;
        break;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
        t->data++;
        break;
    case ETM_PACKET_P_HEADER:
        /* of no cycle and no instruction: they exist in table 7-3 only */
        if (p->count == 0 && t->config.cycle_accurate)
            t->cost += COST_UNUSUAL;
        break;
    case ETM_PACKET_VMID:
        t->seen |= ETM_SEEN_VMID;
        break;
    case ETM_PACKET_TIMESTAMP:
        judge_timestamp(t, p);
        break;
    case ETM_PACKET_TRIGGER:
        t->cost += COST_TRIGGER;
        break;
    }
}

int etm_trial_judge(void *context, const struct etm_packet *packets, size_t n)
{
    struct etm_trial *t = context;

    for (size_t i = 0; i < n; i++) {
        struct etm_broadcast before = t->broadcast;

        etm_broadcast_apply(&t->broadcast, &t->config, &packets[i]);
        judge(t, &packets[i], &before);
        if (t->cost > t->limit)
            return ETM_ERR_STOPPED;
    }
    return ETM_OK;
}

void etm_trial_finish(struct etm_trial *t, uint64_t offset, uint64_t a_syncs)
{
    uint64_t untold;

    if (a_syncs > t->a_syncs)
        t->cost += COST_MISSED_A_SYNC * (int64_t)(a_syncs - t->a_syncs);
    if (t->config.protocol != ETM_PROTOCOL_ETMV3 || !t->config.cycle_accurate)
        return;
    /* Cycle-accurate: a count for each gap (7.4.8, 7.7.3); that of the last
       one may still be to come. */
    untold = t->gaps > t->counts ? t->gaps - t->counts : 0;
    if (untold > 0 && t->counting && offset - t->count_since < COUNT_WITHIN)
        untold--;
    t->cost += COST_NO_COUNT * (int64_t)untold;
}
