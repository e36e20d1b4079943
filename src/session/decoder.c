/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes -> elements, whatever the protocol (include/etm/decode.h). */
#include "session/decoder.h"

#include "base/receiver.h"
#include "base/size.h"
#include "flow/walk/imprint.h"
#include "regs/regs.h"
#include "session/protocols.h"

#include <etm/decode.h>

#include <string.h>

/* Bytes taken at a time: packets and elements stay in the caches. */
#define PIECE 2048u
/* Bytes taken after the fast path has stopped: it may continue behind them. */
#define PIECE_LEAST 16u

/* Bytes after which executions are folded: even twice as many, of 16 atoms
 * each, would not overflow (etm_blocks_fold()). */
#define FOLD ((size_t)1 << 26)

/* Number of elements that are worth a call. */
#define ENOUGH 256u

struct etm_decoder {
    struct etm_allocator allocator;
    const struct etm_protocol_row *row;
    const struct etm_fast_path *path; /* NULL: none */
    size_t piece;                     /* bytes to take at a time */
    union etm_proto_any proto;
    union etm_flow_any flow;
    /* in their initial state: they have tables */
    union etm_proto_any fresh_proto;
    union etm_flow_any fresh_flow;
    struct etm_vec packets;
    struct etm_vec elements;
    uint64_t offset; /* bytes taken so far */
    size_t unfolded; /* those since executions were folded */
    int stopped;     /* error of an earlier call, which all later ones return */
    bool finished;
    bool giving;  /* giving elements to a callback, which may not call us */
    bool warming; /* etm_decoder_warm_up() */
    struct etm_receiver receiver;
    enum etm_level level;
};

/* The configuration as this version has it, with that of the trace. */
static int take_config(struct etm_decoder_config *config,
                       struct etm_config *trace,
                       const struct etm_decoder_config *given)
{
    int status = ETM_TAKE(etm_decoder_config, config, given, NULL);

    if (status != ETM_OK)
        return status;
    if (config->elements == NULL)
        return ETM_ERR_ARGUMENT;
    if (config->level != ETM_LEVEL_RANGES &&
        config->level != ETM_LEVEL_INSTRUCTIONS &&
        !etm_level_counts(config->level))
        return ETM_ERR_ARGUMENT;
    if (!etm_receiver_is_valid(config->sizeof_element))
        return ETM_ERR_ARGUMENT;
    status = etm_config_take(trace, config->config, NULL);
    config->config = trace;
    return status;
}

int etm_decoder_new(struct etm_decoder **decoder,
                    const struct etm_decoder_config *config)
{
    const struct etm_protocol_row *row;
    struct etm_decoder_config own;
    struct etm_config trace;
    struct etm_allocator a;
    struct etm_decoder *d;
    int status;

    if (decoder == NULL)
        return ETM_ERR_ARGUMENT;
    *decoder = NULL;
    status = take_config(&own, &trace, config);
    if (status != ETM_OK)
        return status;
    config = &own;
    row = etm_protocol_row(config->config->protocol);
    if (row == NULL)
        return ETM_ERR_UNSUPPORTED;
    a = etm_allocator_or_default(config->allocator);
    d = etm_alloc_zero(&a, sizeof *d);
    if (d == NULL)
        return ETM_ERR_MEMORY;
    d->allocator = a;
    d->row = row;
    d->path = etm_protocol_fast_path(config->config);
    d->piece = PIECE_LEAST;
    d->receiver = (struct etm_receiver){config->elements, config->context,
                                        config->sizeof_element};
    d->level = config->level;
    etm_vec_init(&d->packets, sizeof(struct etm_packet), &a);
    etm_vec_init(&d->elements, sizeof(struct etm_element), &a);
    row->init(&d->proto, config->config);
    d->fresh_proto = d->proto;
    status = row->flow_init(&d->flow, config->config, config->image,
                            config->level, &a);
    d->fresh_flow = d->flow;
    if (status != ETM_OK) {
        etm_decoder_free(d);
        return status;
    }
    *decoder = d;
    return ETM_OK;
}

static struct etm_counts *counts_of(struct etm_decoder *d)
{
    return &d->row->walk(&d->flow)->blocks.counts;
}

/* Give the elements that are final, and keep the others. */
static int give(struct etm_decoder *d)
{
    struct etm_walk *f = d->row->walk(&d->flow);
    size_t n = f->held, others = n;
    int status = ETM_OK;

    if (etm_level_counts(d->level)) {
        others = etm_counts_take(d->warming ? NULL : counts_of(d),
                                 d->elements.data, n, &f->counted_cycles);
        status = counts_of(d)->status;
    }
    if (d->level == ETM_LEVEL_COVERAGE) {
        others = etm_counts_missing(d->elements.data, others);
        f->counted_cycles = 0;
    }
    if (n != 0) {
        if (others != 0 && status == ETM_OK) {
            d->giving = true;
            status = etm_receiver_give(&d->receiver, d->elements.data, others);
            d->giving = false;
        }
        etm_vec_drop(&d->elements, n);
        f->held = 0;
        f->base += n;
    }
    return status;
}

static int flow(struct etm_decoder *d, int status)
{
    if (status == ETM_OK)
        status = d->row->flow_push(&d->flow, d->packets.data, d->packets.n,
                                   &d->elements);
    d->packets.n = 0;
    if (status == ETM_OK && d->elements.n >= ENOUGH)
        status = give(d);
    return status;
}

/* Take the next bytes: one packet if the fast path may continue after it. */
static size_t take(struct etm_decoder *d, const uint8_t *bytes, size_t n,
                   int *status)
{
    size_t used = 0;

    if (d->path != NULL && !d->warming) {
        /* room for a piece, so that no more is needed */
        *status = etm_vec_reserve(&d->packets, 2 * PIECE);
        if (*status == ETM_OK)
            used = d->path->one(&d->proto, bytes, n, &d->packets);
    }
    if (used != 0) {
        d->piece = PIECE_LEAST;
        return used;
    }
    used = n < d->piece ? n : d->piece;
    if (d->piece < PIECE)
        d->piece *= 2;
    if (*status == ETM_OK)
        *status = d->row->push(&d->proto, bytes, used, &d->packets);
    return used;
}

/* Take at most `n` bytes on the fast path; returns 0 if that is not
 * possible. */
static size_t take_fast(struct etm_decoder *d, const uint8_t *bytes, size_t n)
{
    if (d->path == NULL || d->warming)
        return 0;
    return d->path->fast(&d->proto, &d->flow, bytes, n < FOLD ? n : FOLD,
                         &d->elements);
}

static void fold(struct etm_decoder *d)
{
    etm_blocks_fold(&d->row->walk(&d->flow)->blocks);
    d->unfolded = 0;
}

/* After a failure there is a gap in the elements that none of them shows. */
static int ended(struct etm_decoder *d, int status)
{
    d->stopped = status;
    return status;
}

/* May it continue? Otherwise the error that it failed with, or ETM_ERR_ARGUMENT
 * after its end and within a callback. */
static int may_go_on(const struct etm_decoder *d)
{
    if (d == NULL || d->giving)
        return ETM_ERR_ARGUMENT;
    return d->stopped == ETM_OK && d->finished ? ETM_ERR_ARGUMENT : d->stopped;
}

int etm_decoder_push(struct etm_decoder *d, const uint8_t *bytes, size_t n)
{
    int status = may_go_on(d);

    if (status == ETM_OK && bytes == NULL && n != 0)
        status = ETM_ERR_ARGUMENT;
    if (status != ETM_OK)
        return status;
    while (n != 0 && status == ETM_OK) {
        size_t used;

        if (d->unfolded > FOLD)
            fold(d);
        used = take_fast(d, bytes, n);
        if (used == 0) {
            used = take(d, bytes, n, &status);
            status = flow(d, status);
        } else if (d->elements.n >= ENOUGH) {
            status = give(d);
        }
        d->offset += used;
        d->unfolded += used;
        bytes += used;
        n -= used;
    }
    if (status == ETM_OK) /* of the fast path, which took all */
        status = d->row->walk(&d->flow)->status;
    if (status == ETM_OK)
        status = give(d);
    return ended(d, status);
}

int etm_decoder_gap(struct etm_decoder *d, uint64_t bytes)
{
    int status = may_go_on(d);

    if (status != ETM_OK)
        return status;
    status = d->row->flow_gap(&d->flow, d->offset, bytes, &d->elements);
    if (status == ETM_OK)
        status = flow(d, d->row->gap(&d->proto, &d->packets));
    if (status == ETM_OK) /* it may take long until more comes */
        status = give(d);
    return ended(d, status);
}

int etm_decoder_finish(struct etm_decoder *d)
{
    int status = may_go_on(d);

    if (status != ETM_OK)
        return status;
    d->finished = true;
    status = flow(d, d->row->finish(&d->proto, &d->packets));
    if (status == ETM_OK)
        status = d->row->flow_finish(&d->flow, d->offset, &d->elements);
    if (status == ETM_OK)
        status = give(d);
    return ended(d, status);
}

int etm_decoder_counts(struct etm_decoder *d, etm_count_fn *fn, void *context)
{
    struct etm_counts *counts;
    int status;

    if (d == NULL || fn == NULL || d->giving || !etm_level_counts(d->level))
        return ETM_ERR_ARGUMENT;
    counts = counts_of(d);
    etm_blocks_fold(&d->row->walk(&d->flow)->blocks);
    if (counts->status != ETM_OK) /* some may be missing from now on */
        return ended(d, counts->status);
    d->giving = true;
    status = etm_counts_walk(counts, fn, context);
    d->giving = false;
    return status;
}

uint64_t etm_decoder_counted_cycles(struct etm_decoder *d)
{
    return d != NULL ? d->row->walk(&d->flow)->counted_cycles : 0;
}

int etm_decoder_take_counts(struct etm_decoder *d, etm_count_fn *add,
                            struct etm_counts *to)
{
    return etm_blocks_take_counts(&d->row->walk(&d->flow)->blocks, add, to);
}

uint64_t etm_decoder_take_cycles(struct etm_decoder *d)
{
    uint64_t cycles = etm_decoder_counted_cycles(d);

    d->row->walk(&d->flow)->counted_cycles = 0;
    return cycles;
}

void etm_decoder_drop_counts(struct etm_decoder *d)
{
    etm_blocks_drop_counts(&d->row->walk(&d->flow)->blocks);
    (void)etm_decoder_take_cycles(d);
}

void etm_decoder_warm_up(struct etm_decoder *d, bool on)
{
    d->warming = on && etm_level_counts(d->level);
    d->row->walk(&d->flow)->muted = d->warming;
}

void etm_decoder_free(struct etm_decoder *d)
{
    struct etm_allocator a;

    if (d == NULL)
        return;
    a = d->allocator;
    d->row->flow_fini(&d->flow);
    etm_vec_fini(&d->packets);
    etm_vec_fini(&d->elements);
    etm_alloc_free(&a, d);
}

void etm_decoder_restart(struct etm_decoder *d, uint64_t offset)
{
    struct etm_walk *f = d->row->walk(&d->flow);
    struct etm_blocks blocks = f->blocks;

    memset(&f->blocks, 0, sizeof f->blocks); /* they stay */
    d->row->flow_fini(&d->flow);
    memcpy(&d->flow, &d->fresh_flow, d->row->flow_size);
    f->blocks = blocks;
    f->blocks.space = 0;
    etm_blocks_trim(&f->blocks);
    d->proto = d->fresh_proto;
    if (offset != 0)
        d->row->enter(&d->proto, offset);
    d->offset = offset;
    d->piece = PIECE_LEAST;
    d->packets.n = 0;
    d->elements.n = 0;
    d->stopped = ETM_OK;
    d->finished = false;
    d->warming = false;
}

void etm_decoder_enter(struct etm_decoder *d, uint64_t offset)
{
    etm_decoder_restart(d, offset);
    d->row->enter(&d->proto, offset);
}

int etm_decoder_reset(struct etm_decoder *d)
{
    if (d == NULL || d->giving)
        return ETM_ERR_ARGUMENT;
    etm_decoder_drop_counts(d);
    d->unfolded = 0;
    etm_decoder_restart(d, 0);
    return ETM_OK;
}

static struct etm_broadcast *broadcast(struct etm_decoder *d)
{
    return d->row->broadcast != NULL ? d->row->broadcast(&d->flow) : NULL;
}

struct etm_decoder_memory etm_decoder_memory(struct etm_decoder *d)
{
    const struct etm_walk *f = d->row->walk(&d->flow);
    const struct etm_broadcast *b = broadcast(d);
    struct etm_decoder_memory m = {0};

    if (b != NULL && b->timestamp_bits != 0) {
        m.timestamp = b->timestamp;
        m.timestamp_bits = b->timestamp_bits;
    }
    if (f->now.vmid_known) {
        m.vmid = f->now.vmid;
        m.vmid_known = true;
    }
    return m;
}

void etm_decoder_remember(struct etm_decoder *d,
                          const struct etm_decoder_memory *m)
{
    struct etm_walk *f = d->row->walk(&d->flow);
    struct etm_broadcast *b = broadcast(d);

    f->now.vmid = m->vmid;
    f->now.vmid_known = m->vmid_known;
    if (b == NULL)
        return;
    b->timestamp = m->timestamp;
    b->timestamp_bits = m->timestamp_bits;
    b->vmid = m->vmid;
    b->vmid_valid = m->vmid_known;
}

uint64_t etm_decoder_pending(struct etm_decoder *d)
{
    const struct etm_walk *f = d->row->walk(&d->flow);

    return f->context_changed ? f->context_offset : UINT64_MAX;
}

void etm_decoder_mark(struct etm_decoder *d)
{
    etm_walk_mark(d->row->walk(&d->flow));
    if (d->row->mark != NULL)
        d->row->mark(&d->flow);
}

struct etm_carried_sets etm_decoder_carried(struct etm_decoder *d)
{
    bool lost = d->row->walk(&d->flow)->lost_kept;
    struct etm_carried_sets c = {0};

    if (d->row->carried != NULL)
        c = d->row->carried(&d->flow);
    c.kept |= etm_carried_set(lost, ETM_CARRIED_LOST);
    c.unused |= etm_carried_set(lost, ETM_CARRIED_LOST);
    return c;
}

static void carry_lost(struct etm_walk *f, const uint64_t *values)
{
    f->lost_bytes = values[0];
    f->lost_offset = values[1];
    f->lost_reason = (uint8_t)values[2];
}

void etm_decoder_carry(struct etm_decoder *d, unsigned kinds,
                       const struct etm_imprint *imprint)
{
    if (kinds == 0 || imprint->status != ETM_OK)
        return;
    if (kinds & 1u << ETM_CARRIED_LOST)
        carry_lost(d->row->walk(&d->flow),
                   etm_imprint_carried_at(imprint, ETM_CARRIED_LOST));
    if (d->row->carry != NULL)
        d->row->carry(&d->flow, kinds, imprint);
}

void etm_decoder_redirect(struct etm_decoder *d, etm_element_fn *elements,
                          void *context)
{
    d->receiver =
        (struct etm_receiver){elements, context, sizeof(struct etm_element)};
}

void etm_decoder_limit(struct etm_decoder *d, size_t blocks)
{
    d->row->walk(&d->flow)->blocks.limit = blocks;
}

void etm_decoder_imprint(struct etm_decoder *d, struct etm_imprint *imprint)
{
    etm_imprint_clear(imprint);
    d->row->imprint(&d->proto, &d->flow, imprint);
    etm_elements_imprint(&d->elements, d->row->walk(&d->flow), imprint);
}
