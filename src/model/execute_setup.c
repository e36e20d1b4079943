/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the registers to a working macrocell: connecting it, the configuration
 * of the trace, and the programming procedure (ETM architecture 3.4.3).
 */
#include "model/execute.h"

#include "base/size.h"

/* ETMCR[15:14]: bytes of context ID. */
static uint8_t context_id_bytes(uint32_t cr)
{
    static const uint8_t bytes[4] = {0, 1, 2, 4};

    return bytes[cr >> 14 & 3u];
}

/* ETMCR (table 3-5) and ETMSYNCFR; the rest does not change. */
void etm_execute_config(const struct etm_regfile *file,
                        struct etm_config *config)
{
    uint32_t cr = file->value[ETM_REG_CR] & file->writable[ETM_REG_CR];
    struct etm_config *c = config;

    *c = file->trace;
    c->cycle_accurate = (cr & ETM_CR_CYCLE_ACCURATE) != 0;
    c->context_id_bytes = context_id_bytes(cr);
    c->data_value = (cr & ETM_CR_DATA_VALUE) != 0;
    c->data_address = (cr & ETM_CR_DATA_ADDRESS) != 0;
    c->cprt = (cr & ETM_CR_CPRT) != 0;
    c->cprt_filter = c->cprt && (cr & ETM_CR_CPRT_FILTER) != 0;
    c->data_only = (cr & ETM_CR_DATA_ONLY) != 0;
    c->branch_broadcast = (cr & ETM_CR_BRANCH_OUTPUT) != 0;
    c->timestamps = (cr & ETM_CR_TIMESTAMP) != 0;
    c->return_stack = (cr & ETM_CR_RETURN_STACK) != 0;
    c->vmid = (cr & ETM_CR_VMID) != 0;
    c->trace_id = (uint8_t)(file->value[ETM_REG_TRACEIDR] & 0x7fu);
    c->sync_period = file->value[ETM_REG_SYNCFR] & 0xfffu;
    if (file->version < ETM_V3_0 && (cr >> 4 & 7u) < 3)
        c->port_width = (uint8_t)(4u << (cr >> 4 & 7u));
}

int etm_execute_new(struct etm_execute **execute, struct etm_regfile *file,
                    const struct etm_dwt *dwt,
                    const struct etm_allocator *allocator)
{
    struct etm_resources_config config = etm_resources_config_of(file);
    struct etm_execute *x = etm_alloc_zero(allocator, sizeof *x);

    *execute = x;
    if (x == NULL)
        return ETM_ERR_MEMORY;
    x->file = file;
    x->dwt = dwt;
    x->allocator = *allocator;
    etm_resources_init(&x->r, &config);
    etm_insn_cache_init(&x->gen.cache, file->trace.profile);
    etm_vec_init(&x->carry, sizeof(struct etm_event), allocator);
    etm_vec_init(&x->items, sizeof(struct etm_execute_item), allocator);
    x->fifo.size = file->fifo_size;
    etm_fifo_set_rate(&x->fifo, etm_fifo_port_rate(file));
    etm_execute_permit(x);
    return ETM_OK;
}

void etm_execute_free(struct etm_execute *x)
{
    struct etm_allocator allocator;

    if (x == NULL)
        return;
    allocator = x->allocator;
    if (x->has_gen)
        etm_gen_fini(&x->gen);
    etm_vec_fini(&x->carry);
    etm_vec_fini(&x->items);
    etm_alloc_free(&allocator, x);
}

/* The size of the FIFO of generators that have their own. */
static uint8_t own_fifo_size(const struct etm_regfile *file, uint64_t wanted)
{
    uint64_t size = wanted == 0 ? file->fifo_size : wanted;
    uint64_t most = file->version >= ETM_V2_0 ? 95 : UINT8_MAX;

    return (uint8_t)(size < most ? size : most);
}

int etm_execute_connect(struct etm_execute *x,
                        const struct etm_macrocell_output *output)
{
    struct etm_config config = {.size = sizeof config};
    struct etm_generator_config options = {0};
    struct etm_macrocell_output own;
    int status;

    if (x->has_gen)
        return ETM_ERR_ARGUMENT;
    status = ETM_TAKE(etm_macrocell_output, &own, output, NULL);
    if (status == ETM_OK && own.generator != NULL)
        status = ETM_TAKE(etm_generator_config, &options, own.generator, NULL);
    if (status != ETM_OK)
        return status;
    output = &own;
    etm_execute_config(x->file, &config);
    options.size = sizeof options;
    options.config = &config;
    options.packets = output->packets;
    options.bytes = output->bytes;
    options.context = output->context;
    options.allocator = &x->allocator;
    if (options.fifo_size == 0)
        options.fifo_size = own_fifo_size(x->file, output->fifo_size);
    status = etm_gen_init(&x->gen, &options);
    if (status != ETM_OK)
        return status;
    x->has_gen = true;
    x->own_fifo = x->gen.ops->finish != NULL;
    x->output = *output;
    x->output.generator = NULL;
    if (output->fifo_size != 0)
        x->fifo.size = output->fifo_size;
    if (x->own_fifo)
        x->fifo.size = UINT64_MAX;
    x->r.config.late_events = output->late_events;
    return ETM_OK;
}

static enum etm_resources_hold hold_of(const struct etm_regfile *file)
{
    if (file->os_lock || !file->core_power)
        return ETM_RESOURCES_LOCKED;
    return etm_regfile_held(file) ? ETM_RESOURCES_PROGRAMMING
                                  : ETM_RESOURCES_RUN;
}

/* The resources take over the registers. State that is not in a register is
 * kept after the OS lock (3.8.2), and after any access that was not for
 * programming. */
static void program_resources(struct etm_execute *x, bool anew)
{
    struct etm_resources *r = &x->r;
    uint32_t sticky = r->sticky, hidden = r->hidden;
    bool trace = r->late_trace, view = r->late_view;

    etm_resources_program(r, x->file->value);
    if (anew)
        return;
    r->sticky = sticky;
    r->hidden = hidden;
    r->late_trace = trace;
    r->late_view = view;
}

/* Take over the registers; tracing restarts if it was held. */
static void program(struct etm_execute *x, enum etm_resources_hold was)
{
    const struct etm_macrocell_output *o = &x->output;
    struct etm_fifo_rate rate = etm_fifo_port_rate(x->file);
    struct etm_config config = {.size = sizeof config};
    bool held = was != ETM_RESOURCES_RUN;

    program_resources(x, was == ETM_RESOURCES_PROGRAMMING);
    x->level = x->file->value[ETM_REG_FFLR];
    x->watches_level =
        !x->file->pft && (x->file->value[ETM_REG_CR] &
                          (ETM_CR_STALL | ETM_CR_SUPPRESS_DATA)) != 0;
    if (held && x->has_gen) {
        etm_execute_config(x->file, &config);
        if (etm_gen_configure(&x->gen, &config) != ETM_OK)
            etm_execute_fail(x, ETM_ERR_CONFIG);
        x->gen.sync_by_cycles = x->file->version == ETM_V3_0;
        x->synced = x->now;
        if (o->drain_bits != 0)
            rate = (struct etm_fifo_rate){o->drain_bits, o->drain_cycles};
        etm_fifo_set_rate(&x->fifo, rate);
        /* 7.3.4: the counter is reset, and 0 means unknown. PFT counts on. */
        x->gap_unknown = x->gen.config.protocol == ETM_PROTOCOL_ETMV3;
        x->told = x->now;
    }
    if (held) {
        x->r.high = false;
        x->timestamp_level = false;
        x->debug_exit = false;
        x->moves = 0;
        x->trigger_due = x->timestamp_due = false;
    }
    x->warm = false;
    x->feeds_off = x->has_gen &&
                   (etm_gen_traces_data(&x->gen.config) || x->r.data_used != 0);
    etm_execute_fast_setup(x);
}

void etm_execute_restart(struct etm_execute *x)
{
    if (x->r.held == ETM_RESOURCES_RUN)
        program(x, ETM_RESOURCES_PROGRAMMING);
}

void etm_execute_registers(struct etm_execute *x)
{
    enum etm_resources_hold was = (enum etm_resources_hold)x->r.held;
    enum etm_resources_hold hold = hold_of(x->file);

    if (was == ETM_RESOURCES_RUN && hold != ETM_RESOURCES_RUN) {
        if (x->has_gen) {
            etm_execute_stop(x);
            etm_gen_end(&x->gen);
        }
        etm_resources_hold(&x->r, hold);
        x->fast = false;
        x->signals.suppress_data = x->signals.fifofull = false;
        x->signals.ext_out = 0;
        x->signals.trigger = x->signals.debug_request = false;
        if (x->gen.sync_waits && x->has_gen) {
            struct etm_event event = {.kind = ETM_EVENT_SUPPRESS};

            etm_gen_take(&x->gen, &event);
        }
        etm_execute_signals(x, false);
    } else if (hold == ETM_RESOURCES_RUN &&
               (was != ETM_RESOURCES_RUN ||
                x->file->generation != x->generation)) {
        etm_resources_hold(&x->r, hold);
        program(x, was);
    } else {
        etm_resources_hold(&x->r, hold);
    }
    if (!x->file->core_power) {
        x->r.instrumentation = 0;
        x->r.sticky = 0;
        x->r.late_trace = x->r.late_view = false;
    }
    x->generation = x->file->generation;
    /* ETMCR[0] discards what was not traced (3.5.5). */
    etm_execute_note_overflow(x);
    if (x->has_gen)
        x->file->drained = etm_fifo_level(&x->fifo) == 0;
    (void)etm_execute_deliver(x); /* an error stays for the next run */
}

void etm_execute_observe(struct etm_execute *x)
{
    uint32_t cycles = x->output.access_cycles;

    etm_execute_settle(x);
    if (cycles != 0)
        etm_execute_pass(x, cycles);
    else if (x->r.held != ETM_RESOURCES_RUN)
        etm_execute_pass(x, etm_fifo_time(&x->fifo));
    etm_fifo_advance(&x->fifo, x->now);
    if (x->r.held == ETM_RESOURCES_RUN)
        etm_resources_save(&x->r, x->file->value);
    if (x->r.held == ETM_RESOURCES_RUN)
        etm_execute_observe_overflow(x);
    x->file->drained = etm_fifo_level(&x->fifo) == 0;
    (void)etm_execute_deliver(x);
}
