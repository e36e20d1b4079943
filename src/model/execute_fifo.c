/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How full the FIFO is, and what follows from it: FIFOFULL, SuppressData and
 * the flag of an overflow that was not traced (ETM architecture 2.6.6, 3.5.5,
 * 3.5.8). The generators of ETMv1 and ETMv2 have a FIFO of their own.
 */
#include "model/execute.h"

/* Whether there is an overflow that the generator will show itself. */
static bool own_lost(const struct etm_execute *x)
{
    if (!x->own_fifo)
        return false;
    return x->gen.config.protocol == ETM_PROTOCOL_ETMV1
               ? x->gen.u.etmv1.overflow
               : x->gen.u.etmv2.port.lost;
}

bool etm_execute_loses(const struct etm_execute *x)
{
    return x->gen.overflow || x->gen.lost || own_lost(x);
}

static void show_overflow(struct etm_execute *x, bool loses)
{
    int status;

    if (loses == x->shown.overflow || x->status != ETM_OK)
        return;
    x->signals.overflow = x->shown.overflow = loses;
    x->signals.cycle = x->shown.cycle = x->now;
    if (x->output.signals == NULL)
        return;
    status = x->output.signals(x->output.context, &x->shown);
    if (status != ETM_OK)
        etm_execute_fail(x, status);
}

void etm_execute_show_loss(struct etm_execute *x)
{
    show_overflow(x, etm_execute_loses(x));
    x->gen.lost = false;
    show_overflow(x, etm_execute_loses(x));
}

void etm_execute_observe_overflow(struct etm_execute *x)
{
    if (!x->own_fifo)
        return;
    x->file->value[ETM_REG_SR] &= ~(uint32_t)ETM_SR_OVERFLOW;
    if (x->lost || own_lost(x))
        x->file->value[ETM_REG_SR] |= ETM_SR_OVERFLOW;
}

void etm_execute_note_overflow(struct etm_execute *x)
{
    x->lost =
        (x->file->value[ETM_REG_SR] & ETM_SR_OVERFLOW) != 0 && !own_lost(x);
}

/* Free bytes of the FIFO; `longest` is how many cycles it may take to drain. */
static uint64_t room(const struct etm_execute *x, uint64_t *longest)
{
    const struct etm_etmv1_port *v1 = &x->gen.u.etmv1.port;
    const struct etm_etmv2_port *v2 = &x->gen.u.etmv2.port;
    uint64_t level = etm_fifo_level(&x->fifo);

    if (!x->own_fifo) {
        *longest = etm_fifo_time(&x->fifo);
        return x->fifo.size > level ? x->fifo.size - level : 0;
    }
    if (x->gen.config.protocol == ETM_PROTOCOL_ETMV1) {
        *longest = 2 * (uint64_t)v1->n; /* 4 pins */
        return v1->depth == 0 ? UINT64_MAX : etm_etmv1_port_room(v1);
    }
    /* the group of the cycle that is open goes into it too, and a TFO value
     * keeps the bytes waiting (6.5.1) */
    level = (uint64_t)v2->n_fifo + v2->open.n;
    *longest = 2 * level + 3;
    if (v2->depth == 0)
        return UINT64_MAX;
    return v2->depth > level ? v2->depth - level : 0;
}

/* Put what has completed into the FIFO, and drain it up to now. ETMv1 and ETMv2
 * wait for the data of an instruction. */
static void settle(struct etm_execute *x, bool complete)
{
    bool releases = x->has_gen && !x->fate_open &&
                    (complete || (!x->own_fifo && !etm_gen_may_begin(&x->gen)));

    etm_execute_enter(x);
    if (releases)
        etm_gen_release(&x->gen);
    if (x->own_fifo && !x->gen.has_held) {
        x->gen.cycles += x->now - x->told;
        x->told = x->now;
        x->gen.ops->pass(&x->gen, releases);
    }
    etm_execute_leave(x);
}

/* One of the signals, and SuppressData for the generator. */
static void watch(struct etm_execute *x)
{
    uint32_t cr = x->file->value[ETM_REG_CR];
    uint64_t longest;
    bool low = room(x, &longest) < x->level;

    x->signals.fifofull = low && x->region && (cr & ETM_CR_STALL) != 0;
    low = low && (cr & ETM_CR_SUPPRESS_DATA) != 0;
    if (low != x->signals.suppress_data && x->has_gen) {
        struct etm_event event = {.kind = ETM_EVENT_SUPPRESS,
                                  .u.suppress.on = low};

        x->signals.suppress_data = low;
        etm_execute_tell(x, &event);
    }
}

void etm_execute_watch(struct etm_execute *x, bool region)
{
    x->region = region;
    settle(x, false);
    watch(x);
}

/* Whether the processor heeds FIFOFULL; before v1.3 no register says so
 * (3.5.6). */
static bool heeds(const struct etm_execute *x)
{
    return x->output.stall_after != ETM_STALL_NEVER &&
           (x->file->version < ETM_V1_3 ||
            (x->file->value[ETM_REG_SCR] & ETM_SCR_FIFOFULL) != 0);
}

uint64_t etm_execute_stalls(struct etm_execute *x)
{
    uint64_t longest;

    /* the next instruction ends the one before */
    if (x->own_fifo && x->watches_level) {
        settle(x, true);
        watch(x);
    }
    if (!x->signals.fifofull) {
        x->stall_count = 0;
        return 0;
    }
    if (!heeds(x))
        return 0;
    if (x->stall_count < x->output.stall_after) {
        x->stall_count++;
        return 0;
    }
    x->stall_count = 0;
    (void)room(x, &longest);
    return longest + 1;
}
