/* SPDX-License-Identifier: Apache-2.0 */
/* What events see in a cycle, and what follows from it: counters, the sequencer
 * (ETM architecture 2.2.3) and outputs. */
#include "model/resources.h"

/* Extended external inputs by their selectors (3.5.20). */
static unsigned selected_inputs(const struct etm_resources *r)
{
    unsigned inputs = 0;

    for (unsigned n = 0; n < r->config.counts.extsels; n++) {
        unsigned input = r->ext_ext_select[n];

        if (input < r->config.counts.ext_ext_in)
            inputs |= (unsigned)(r->pins.ext_ext[input / 32] >> input % 32 & 1u)
                      << n;
    }
    return inputs;
}

/* EmbeddedICE inputs: resources, and from bit 8 on the latched ones for the
   events that want them so (7.6.2, 7.6.3). */
static unsigned eice_inputs(const struct etm_resources *r)
{
    unsigned pulse = (unsigned)r->pins.eice_sampled & r->pins.eice;

    if (r->version < ETM_V3_4)
        return r->pins.eice;
    if (r->eice_modes)
        return (pulse & ~(unsigned)r->eice_latch) |
               (r->eice_held & (unsigned)r->eice_latch);
    return pulse | (unsigned)r->eice_held << 8;
}

/*
 * The state of the processor as events see it (table 3-81). An exception, or a
 * return from one, changes it for the next cycle: in its own cycle the items
 * count that were executed there (2.11.1).
 */
static void security(const struct etm_resources *r, bool *non_secure,
                     bool *prohibited)
{
    bool items = r->now.insns != 0 || r->now.transfers != 0;
    bool closed = r->context.prohibited;

    *prohibited = items ? r->now.prohibited : closed;
    *non_secure = items ? r->now.non_secure : r->context.non_secure && !closed;
}

bool etm_resources_state_lasts(const struct etm_resources *r)
{
    bool non_secure, prohibited;

    security(r, &non_secure, &prohibited);
    return prohibited == r->context.prohibited &&
           non_secure == (r->context.non_secure && !prohibited);
}

/* The bit of a resource in the second word. */
#define HIGH(number) ((number)-64u)

struct etm_resource_set etm_resources_active(const struct etm_resources *r)
{
    struct etm_resource_set set;
    bool off = r->pins.no_noninvasive;
    bool non_secure, prohibited;
    uint64_t high = 0;

    security(r, &non_secure, &prohibited);
    set.word[0] = (r->now.matches | (r->sticky & ~r->hidden)) |
                  (uint64_t)(r->instrumentation | r->now.hint_now)
                      << ETM_RESOURCE_INSTRUMENTATION |
                  (uint64_t)(r->now.mmds | r->pins.mmd)
                      << ETM_RESOURCE_MEMORY_MAP;
    for (unsigned n = 0; n < 4; n++)
        high |= (uint64_t)(r->counter[n] == 0)
                << (HIGH(ETM_RESOURCE_COUNTER) + n);
    high |= UINT64_C(1) << (HIGH(ETM_RESOURCE_STATE) + r->state);
    high |= (uint64_t)(r->now.cidcs | r->cidcs)
            << HIGH(ETM_RESOURCE_CONTEXT_ID);
    high |= (uint64_t)(r->now.judged ? r->now.active : r->started)
            << HIGH(ETM_RESOURCE_START_STOP);
    if (!off) {
        set.word[0] |= (uint64_t)eice_inputs(r) << ETM_RESOURCE_EICE;
        high |= (uint64_t)r->pins.ext_in << HIGH(ETM_RESOURCE_EXTERNAL);
        high |= (uint64_t)selected_inputs(r) << HIGH(ETM_RESOURCE_SELECTOR);
    }
    high |= (uint64_t)(non_secure && !off) << HIGH(ETM_RESOURCE_NON_SECURE);
    high |= (uint64_t)(prohibited || off) << HIGH(ETM_RESOURCE_PROHIBITED);
    high |= UINT64_C(1) << HIGH(ETM_RESOURCE_ALWAYS);
    set.word[1] = high;
    return set;
}

uint8_t etm_resources_outputs(const struct etm_resources *r,
                              const struct etm_resource_set *set)
{
    unsigned levels = 0;

    for (unsigned rest = r->live_ext_out, n = 0; rest != 0; rest >>= 1, n++)
        levels |= (unsigned)etm_event_active(&r->ext_out[n], set) << n;
    return (uint8_t)levels;
}

/*
 * Events see the counters as they are at the beginning of the cycle, and they
 * change at its end. A reload comes before counting (2.2.3), and a cycle
 * counts once, however many matches there are in it (2.11.3).
 */
void etm_resources_count(struct etm_resources *r,
                         const struct etm_resource_set *set)
{
    for (unsigned rest = r->live_counts, n = 0; rest != 0; rest >>= 1, n++) {
        if (!(rest & 1u))
            continue;
        if (etm_event_active(&r->reload_event[n], set))
            r->counter[n] = r->reload[n];
        else if (r->counter[n] != 0 && etm_event_active(&r->count[n], set))
            r->counter[n]--;
    }
}

/*
 * Only the two events that lead out of the state matter, and only if exactly
 * one of them is active (2.2.3, 2.11.4).
 */
static uint8_t next_state(const struct etm_resources *r,
                          const struct etm_resource_set *set)
{
    /* Events out of each state, in the order of the registers: 1 to 2, 2 to 1,
       2 to 3, 3 to 1, 3 to 2, 1 to 3 (3.5.13). */
    static const struct {
        uint8_t event[2], to[2];
    } exits[3] = {
        {{0, 5}, {1, 2}},
        {{1, 2}, {0, 2}},
        {{3, 4}, {0, 1}},
    };
    unsigned state = r->state;
    bool first, second;

    if (!r->live_sequencer)
        return r->state;
    first = etm_event_active(&r->sequence[exits[state].event[0]], set);
    second = etm_event_active(&r->sequence[exits[state].event[1]], set);
    return first != second ? exits[state].to[second ? 1 : 0] : r->state;
}

void etm_resources_sequence(struct etm_resources *r,
                            const struct etm_resource_set *set)
{
    r->state = next_state(r, set);
}

/* How many of `cycles` cycles with the same resources a counter allows to skip,
 * in which it does not change or counts down. */
static uint64_t counts_on(const struct etm_resources *r, unsigned n,
                          const struct etm_resource_set *set, uint64_t cycles)
{
    if (etm_event_active(&r->reload_event[n], set))
        return r->counter[n] == r->reload[n] ? cycles : 0;
    if (r->counter[n] == 0 || !etm_event_active(&r->count[n], set))
        return cycles;
    return r->counter[n] < cycles ? r->counter[n] : cycles;
}

/* Whether trigger, outputs and sequencer do not change in such a cycle. */
static bool outputs_stand(const struct etm_resources *r,
                          const struct etm_resource_set *set)
{
    if (!r->triggered && etm_event_active(&r->trigger, set))
        return false;
    if (r->timestamp_present &&
        etm_event_active(&r->timestamp, set) != r->last_timestamp)
        return false;
    return etm_resources_outputs(r, set) == r->last_ext_out &&
           next_state(r, set) == r->state;
}

bool etm_resources_stand(const struct etm_resources *r,
                         const struct etm_resource_set *set)
{
    for (unsigned rest = r->live_counts, n = 0; rest != 0; rest >>= 1, n++) {
        if (!(rest & 1u))
            continue;
        if (etm_event_active(&r->reload_event[n], set)
                ? r->counter[n] != r->reload[n]
                : r->counter[n] != 0 && etm_event_active(&r->count[n], set))
            return false;
    }
    return outputs_stand(r, set);
}

uint64_t etm_resources_skip(struct etm_resources *r, uint64_t cycles)
{
    struct etm_resource_set set;
    uint64_t n = cycles;

    if (r->held != ETM_RESOURCES_RUN || r->pins.no_noninvasive)
        return cycles;
    set = etm_resources_active(r);
    if (!outputs_stand(r, &set))
        return 0;
    for (unsigned i = 0; i < r->config.counts.counters; i++)
        if ((unsigned)r->live_counts >> i & 1u)
            n = counts_on(r, i, &set, n);
    for (unsigned i = 0; i < r->config.counts.counters && n != 0; i++)
        if ((unsigned)r->live_counts >> i & 1u && r->counter[i] != 0 &&
            !etm_event_active(&r->reload_event[i], &set) &&
            etm_event_active(&r->count[i], &set))
            r->counter[i] = (uint16_t)(r->counter[i] - n);
    if (n != 0) { /* what late events will see */
        r->late_trace = etm_event_active(&r->trace_enable, &set);
        r->late_view = etm_event_active(&r->view_data, &set);
    }
    return n;
}
