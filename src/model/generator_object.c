/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The generator as an object: what follows from its configuration, making and
 * freeing it, its public functions, and delivering its output. generator.c has
 * the processing of events.
 */
#include "model/generator.h"

#include "base/size.h"
#include "regs/regs.h"

#include <limits.h>
#include <string.h>

int etm_gen_deliver(struct etm_gen *gen)
{
    const struct etm_generator_config *o = &gen->options;
    int status = ETM_OK;

    if (o->packets != NULL && gen->packets.n != 0)
        status = o->packets(o->context, gen->packets.data, gen->packets.n);
    if (status == ETM_OK && o->bytes != NULL && gen->bytes.n != 0)
        status = o->bytes(o->context, gen->bytes.data, gen->bytes.n);
    gen->packets.n = 0;
    gen->bytes.n = 0;
    if (status != ETM_OK)
        etm_gen_fail(gen, status);
    return status;
}

/* The public object is the generator itself. After its end tracing is off: what
 * came then would be silently missing. */
struct etm_generator {
    struct etm_gen gen;
    bool finished;
    /* The last data instruction: how many transfers it has left, UINT_MAX if
     * that is not known; and whether there was one. */
    unsigned left;
    bool moves;
};

static const struct etm_gen_ops *ops_of(const struct etm_config *config)
{
    switch (config->protocol) {
    case ETM_PROTOCOL_PFT:
        return &etm_pft_gen_ops;
    case ETM_PROTOCOL_ETMV3:
        return &etm_etmv3_gen_ops;
    case ETM_PROTOCOL_ETMV2:
        return &etm_etmv2_gen_ops;
    case ETM_PROTOCOL_ETMV1:
        return &etm_etmv1_gen_ops;
    case ETM_PROTOCOL_NONE:
    case ETM_PROTOCOL_ITM:
    case ETM_PROTOCOL_MTB:
        break;
    }
    return NULL;
}

/* What follows from the configuration. */
static void derive(struct etm_gen *gen)
{
    if (gen->config.sync_period == 0)
        gen->config.sync_period = 1024; /* reset value, 3.5.17 */
    gen->dense = gen->options.packing == ETM_PACKING_DENSE &&
                 !etm_gen_data_only(&gen->config);
    gen->flow_only = gen->dense && !etm_gen_traces_data(&gen->config);
}

int etm_gen_init(struct etm_gen *gen, const struct etm_generator_config *config)
{
    const struct etm_gen_ops *ops;
    struct etm_config trace;
    int status;

    if (config->packing > ETM_PACKING_SINGLE ||
        config->deprecated_exceptions > ETM_TRUE ||
        (config->return_stack_size > ETM_GEN_RETURNS &&
         config->return_stack_size != ETM_RETURN_STACK_NONE))
        return ETM_ERR_ARGUMENT;
    status = etm_config_take(&trace, config->config, NULL);
    if (status != ETM_OK)
        return status;
    ops = ops_of(&trace);
    if (ops == NULL)
        return ETM_ERR_UNSUPPORTED;
    memset(gen, 0, sizeof *gen);
    gen->allocator = etm_allocator_or_default(config->allocator);
    gen->config = trace;
    gen->options = *config;
    gen->options.config = NULL; /* borrowed for this call only */
    gen->options.allocator = NULL;
    derive(gen);
    gen->ops = ops;
    gen->limit = UINT64_MAX;
    etm_insn_cache_init(&gen->cache, gen->config.profile);
    etm_vec_init(&gen->behind, sizeof(struct etm_event), &gen->allocator);
    etm_vec_init(&gen->packets, sizeof(struct etm_packet), &gen->allocator);
    etm_vec_init(&gen->bytes, 1, &gen->allocator);
    return ETM_OK;
}

void etm_gen_fini(struct etm_gen *gen)
{
    etm_vec_fini(&gen->behind);
    etm_vec_fini(&gen->packets);
    etm_vec_fini(&gen->bytes);
}

int etm_gen_configure(struct etm_gen *gen, const struct etm_config *config)
{
    if (etm_config_check(config, NULL) != ETM_OK)
        return ETM_ERR_CONFIG;
    gen->config = *config;
    derive(gen);
    gen->started = false;
    gen->cycles = 0;
    memset(&gen->u, 0, sizeof gen->u);
    return ETM_OK;
}

int etm_generator_new(struct etm_generator **generator,
                      const struct etm_generator_config *config)
{
    struct etm_generator_config own;
    struct etm_generator *self;
    struct etm_allocator allocator;
    int status;

    if (generator == NULL)
        return ETM_ERR_ARGUMENT;
    *generator = NULL;
    status = ETM_TAKE(etm_generator_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    allocator = etm_allocator_or_default(config->allocator);
    self = etm_alloc_zero(&allocator, sizeof *self);
    if (self == NULL)
        return ETM_ERR_MEMORY;
    status = etm_gen_init(&self->gen, config);
    if (status != ETM_OK)
        etm_alloc_free(&allocator, self);
    else
        *generator = self;
    return status;
}

/* Transfers belong to an instruction, or to stacking, and are not more than it
 * makes. */
static bool is_owned(struct etm_generator *g, const struct etm_event *event)
{
    const struct etm_transfers *t;

    if (event->kind == ETM_EVENT_STACKING) {
        g->left = UINT_MAX;
        g->moves = true;
    }
    if (event->kind == ETM_EVENT_INSN && event->u.insn.passed &&
        event->u.insn.isa >= ETM_ISA_ARM &&
        event->u.insn.isa <= ETM_ISA_JAZELLE && event->u.insn.size != 0) {
        t = &etm_insn_cache_get(&g->gen.cache, event)->decoded.transfers;
        if (t->kind != ETM_TRANSFER_NONE) {
            g->left = t->count != 0 ? t->count : UINT_MAX;
            g->moves = true;
        }
    }
    if (event->kind != ETM_EVENT_DATA)
        return true;
    if (!g->moves || g->left == 0)
        return false;
    if (g->left != UINT_MAX)
        g->left--;
    return true;
}

/* Only of a gap may the length be unknown: anything else would be as many W
 * atoms, or records, as there are numbers. */
static void take(struct etm_generator *g, const struct etm_event *event)
{
    struct etm_gen *gen = &g->gen;

    if ((event->cycles == ETM_CYCLES_UNKNOWN &&
         event->kind != ETM_EVENT_TRACE_ON) ||
        (etm_gen_traces_data(&gen->config) && !is_owned(g, event)))
        etm_gen_fail(gen, ETM_ERR_ARGUMENT);
    else
        etm_gen_take(gen, event);
}

int etm_generator_push(struct etm_generator *generator,
                       const struct etm_event *events, size_t n)
{
    struct etm_gen *gen;
    int status;

    if (generator == NULL || (events == NULL && n > 0))
        return ETM_ERR_ARGUMENT;
    gen = &generator->gen;
    if (generator->finished && gen->status == ETM_OK)
        return ETM_ERR_ARGUMENT;
    for (size_t i = 0; i < n && gen->status == ETM_OK; i++)
        take(generator, &events[i]);
    /* What came before an error is good. */
    status = gen->status;
    if (etm_gen_deliver(gen) != ETM_OK && status == ETM_OK)
        status = gen->status;
    return status;
}

int etm_generator_finish(struct etm_generator *generator)
{
    struct etm_gen *gen;

    if (generator == NULL)
        return ETM_ERR_ARGUMENT;
    gen = &generator->gen;
    if (gen->status != ETM_OK)
        return gen->status;
    if (generator->finished)
        return ETM_ERR_ARGUMENT;
    generator->finished = true;
    etm_gen_end(gen);
    return gen->status != ETM_OK ? gen->status : etm_gen_deliver(gen);
}

void etm_generator_free(struct etm_generator *generator)
{
    struct etm_allocator allocator;

    if (generator == NULL)
        return;
    allocator = generator->gen.allocator;
    etm_gen_fini(&generator->gen);
    etm_alloc_free(&allocator, generator);
}
