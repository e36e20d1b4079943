/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the bytes of a source tell of its configuration. Every configuration
 * that changes the format of packets is tried on the beginning of the stream;
 * each thing in it that a real macrocell would not have sent costs something.
 * A field is known if all of the cheapest configurations agree in it.
 */
#include "session/session.h"

#include <string.h>

#define SAMPLE_BYTES ((size_t)256 * 1024)

/* Costs. An A-sync cannot occur by chance (ETM architecture 7.7.2). */
#define COST_MISSED_A_SYNC 256u
#define COST_BAD_PACKET 64u
#define COST_ODD_I_SYNC 64u
#define COST_NO_COUNT 64u /* a gap whose length no packet gives */
#define COST_OUTSIDE 8u   /* an address where there is no code */
#define COST_EXCEPTION 1u

struct trial {
    struct etm_config config;
    const struct etm_image *image;
    struct etm_broadcast broadcast;
    uint64_t cost;
    uint64_t a_syncs, i_syncs, bad_bytes;
    uint64_t gaps, counts; /* non-periodic I-syncs; cycle counts */
    uint64_t data;         /* data packets */
    bool synchronized;
};

static bool in_image(const struct trial *t, uint32_t address)
{
    uint8_t byte;

    return !t->image || etm_image_regions(t->image) == 0 ||
           etm_image_read(t->image, address, NULL, &byte, 1) == 1;
}

/*
 * The information byte of an I-sync has bit 0 set (ETM architecture 7.11.2),
 * PFT leaves its bits 7 and 4 clear, and an ARM address is a multiple of 4.
 */
static void judge_i_sync(struct trial *t, const struct etm_packet *p)
{
    bool pft = t->config.protocol == ETM_PROTOCOL_PFT;

    t->i_syncs++;
    if (!(p->info & 1u) || (pft && (p->info & 0x90u)) ||
        (p->isa == ETM_ISA_ARM && (p->address & 3u)))
        t->cost += COST_ODD_I_SYNC;
    if (p->reason != ETM_SYNC_PERIODIC)
        t->gaps++;
    if (p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT)
        t->counts++;
    if (!in_image(t, p->address))
        t->cost += COST_OUTSIDE;
}

static void judge_branch(struct trial *t, const struct etm_packet *p)
{
    if (p->fields & (ETM_FIELD_EXCEPTION_0 | ETM_FIELD_DEPRECATED))
        t->cost += COST_EXCEPTION;
    if (t->broadcast.valid && !in_image(t, t->broadcast.address))
        t->cost += COST_OUTSIDE;
}

static void judge(struct trial *t, const struct etm_packet *p)
{
    switch ((enum etm_packet_kind)p->kind) {
    case ETM_PACKET_UNSYNCHRONIZED:
        if (t->synchronized)
            t->bad_bytes += p->size;
        break;
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
        /* the sample may end in the middle of a packet */
        if (p->fields & ETM_FIELD_TRUNCATED)
            break;
        t->bad_bytes += p->size;
        t->cost += COST_BAD_PACKET;
        break;
    case ETM_PACKET_A_SYNC:
        t->synchronized = true;
        t->a_syncs++;
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
    case ETM_PACKET_LSIP_I_SYNC:
        judge_i_sync(t, p);
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        judge_branch(t, p);
        break;
    case ETM_PACKET_CYCLE_COUNT:
        t->counts++;
        break;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
        t->data++;
        break;
    case ETM_PACKET_P_HEADER:
    case ETM_PACKET_ATOM:
    case ETM_PACKET_WAYPOINT_UPDATE:
    case ETM_PACKET_CONTEXT_ID:
    case ETM_PACKET_VMID:
    case ETM_PACKET_TIMESTAMP:
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        break;
    }
}

static int judge_all(void *context, const struct etm_packet *packets, size_t n)
{
    struct trial *t = context;

    for (size_t i = 0; i < n; i++) {
        etm_broadcast_apply(&t->broadcast, &t->config, &packets[i]);
        judge(t, &packets[i]);
    }
    return ETM_OK;
}

/* A-syncs wherever they stand: five zeros or more, then 80. */
static uint64_t find_a_syncs(const uint8_t *bytes, size_t n)
{
    uint64_t found = 0;
    size_t zeros = 0;

    for (size_t i = 0; i < n; i++) {
        if (bytes[i] == 0x80 && zeros >= 5)
            found++;
        zeros = bytes[i] == 0 ? zeros + 1 : 0;
    }
    return found;
}

static int try_one(struct trial *t, const uint8_t *bytes, size_t n,
                   uint64_t a_syncs, const struct etm_allocator *allocator)
{
    const struct etm_packet_decoder_config config = {
        .size = sizeof config,
        .config = &t->config,
        .packets = judge_all,
        .context = t,
        .allocator = allocator,
    };
    struct etm_packet_decoder *decoder;
    int status = etm_packet_decoder_new(&decoder, &config);

    if (status == ETM_OK)
        status = etm_packet_decoder_push(decoder, bytes, n);
    if (status == ETM_OK)
        status = etm_packet_decoder_finish(decoder);
    etm_packet_decoder_free(decoder);
    if (a_syncs > t->a_syncs)
        t->cost += COST_MISSED_A_SYNC * (a_syncs - t->a_syncs);
    /* Cycle-accurate: each gap but the last has a count (7.4.8, 7.7.3). */
    if (t->config.protocol == ETM_PROTOCOL_ETMV3 && t->config.cycle_accurate &&
        t->gaps > t->counts + 1)
        t->cost += COST_NO_COUNT * (t->gaps - t->counts - 1);
    t->cost += t->bad_bytes;
    return status;
}

/* The n-th configuration of a protocol; false after the last. */
static bool make_config(struct etm_config *config, enum etm_protocol protocol,
                        unsigned n)
{
    static const uint8_t context_id_bytes[] = {0, 1, 2, 4};
    bool v3 = protocol == ETM_PROTOCOL_ETMV3;

    if (n >= (v3 ? 64u : 8u))
        return false;
    *config = (struct etm_config){
        .size = sizeof *config,
        .protocol = protocol,
        .minor = v3 ? 5 : 1,
        .cycle_accurate = n & 1u,
        .context_id_bytes = context_id_bytes[n >> 1 & 3u],
        .timestamps = true,
        .vmid = true,
        .security = true,
        .virtualization = true,
    };
    if (v3) {
        config->alternative_branches = n >> 3 & 1u;
        config->data_address = n >> 4 & 1u;
        config->data_value = n >> 5 & 1u;
    }
    return true;
}

static enum etm_tri tri(bool value)
{
    return value ? ETM_TRUE : ETM_FALSE;
}

static void take(struct etm_guess *guess, const struct trial *t)
{
    const struct etm_config *c = &t->config;
    bool v3 = c->protocol == ETM_PROTOCOL_ETMV3;

    guess->protocol = c->protocol;
    guess->cycle_accurate = tri(c->cycle_accurate);
    guess->context_id_bytes = c->context_id_bytes;
    guess->alternative_branches =
        v3 ? tri(c->alternative_branches) : ETM_UNKNOWN;
    guess->data_address = v3 ? tri(c->data_address) : ETM_UNKNOWN;
    guess->data_value = v3 ? tri(c->data_value) : ETM_UNKNOWN;
    guess->a_syncs = t->a_syncs;
    guess->i_syncs = t->i_syncs;
    guess->bad_bytes = t->bad_bytes;
}

static void keep_same(enum etm_tri *have, bool value)
{
    if (*have != tri(value))
        *have = ETM_UNKNOWN;
}

/* Another configuration explains the bytes as well. */
static void doubt(struct etm_guess *guess, const struct trial *t)
{
    const struct etm_config *c = &t->config;

    if (guess->protocol != c->protocol) {
        *guess = (struct etm_guess){.context_id_bytes = -1};
        return;
    }
    keep_same(&guess->cycle_accurate, c->cycle_accurate);
    if (guess->context_id_bytes != c->context_id_bytes)
        guess->context_id_bytes = -1;
    if (c->protocol != ETM_PROTOCOL_ETMV3)
        return;
    keep_same(&guess->alternative_branches, c->alternative_branches);
    /* Without data packets all data modes look the same: none is meant. */
    if (t->data == 0)
        return;
    keep_same(&guess->data_address, c->data_address);
    keep_same(&guess->data_value, c->data_value);
}

static int try_protocol(struct etm_guess *guess, uint64_t *best,
                        enum etm_protocol protocol,
                        const struct etm_image *image,
                        const struct etm_vec *sample)
{
    uint64_t a_syncs = find_a_syncs(sample->data, sample->n);
    struct trial trial;
    int status = ETM_OK;

    for (unsigned n = 0; status == ETM_OK; n++) {
        trial = (struct trial){.image = image};
        if (!make_config(&trial.config, protocol, n))
            break;
        status = try_one(&trial, sample->data, sample->n, a_syncs,
                         &sample->allocator);
        if (status != ETM_OK)
            break;
        if (trial.cost < *best) {
            *best = trial.cost;
            take(guess, &trial);
        } else if (trial.cost == *best) {
            doubt(guess, &trial);
        }
    }
    return status;
}

static int take_sample(void *context, const uint8_t *bytes, size_t n)
{
    struct etm_vec *sample = context;
    size_t room = SAMPLE_BYTES - sample->n;
    int status = etm_vec_append(sample, bytes, n < room ? n : room);

    if (status == ETM_OK && sample->n == SAMPLE_BYTES)
        status = ETM_ERR_STOPPED;
    return status;
}

int etm_session_guess(const struct etm_session *session, size_t source,
                      enum etm_protocol protocol, struct etm_guess *guess)
{
    static const enum etm_protocol protocols[] = {ETM_PROTOCOL_PFT,
                                                  ETM_PROTOCOL_ETMV3};
    const struct etm_source_info *info;
    struct etm_session_run run = {.size = sizeof run, .bytes = take_sample};
    uint64_t best = UINT64_MAX;
    struct etm_vec sample;
    int status;

    info = session ? etm_session_source(session, source) : NULL;
    if (!info || !guess)
        return ETM_ERR_ARGUMENT;
    *guess = (struct etm_guess){.context_id_bytes = -1};
    etm_vec_init(&sample, 1, &session->allocator);
    run.context = &sample;
    status = etm_session_run(session, source, &run, NULL);
    if (status == ETM_ERR_STOPPED)
        status = ETM_OK;
    for (size_t i = 0; status == ETM_OK && i < 2; i++)
        if (protocol == ETM_PROTOCOL_NONE || protocol == protocols[i])
            status =
                try_protocol(guess, &best, protocols[i], info->image, &sample);
    /* Nothing can be said without a single A-sync. */
    if (guess->a_syncs == 0 || guess->i_syncs == 0)
        *guess = (struct etm_guess){.context_id_bytes = -1};
    guess->sample_bytes = sample.n;
    etm_vec_fini(&sample);
    return status;
}
