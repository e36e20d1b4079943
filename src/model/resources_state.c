/* SPDX-License-Identifier: Apache-2.0 */
/* Counters and sequencer (ETM architecture 2.2.3). */
#include "model/resources.h"

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
 * Only the two events that lead out of the state count, and only if one of
 * them alone is active (2.2.3, 2.11.4).
 */
void etm_resources_sequence(struct etm_resources *r,
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
        return;
    first = etm_event_active(&r->sequence[exits[state].event[0]], set);
    second = etm_event_active(&r->sequence[exits[state].event[1]], set);
    if (first != second)
        r->state = exits[state].to[second ? 1 : 0];
}
