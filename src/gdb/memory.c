/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/memory.h"

/* Stretches to look through: 16 MiB of trace. */
#define REACH UINT64_C(256)

/* A search backwards. */
struct search {
    struct etm_gdb_wanted wanted;
    uint32_t address;
    uint8_t *bytes;
    size_t n;
    uint64_t all, seen, known; /* bits of bytes */
    bool ended;
};

/* The bytes that a transfer shows, if no later one has. One without a value, or
 * one that failed, hides older ones. */
static void take(struct search *s, const struct etm_element *e)
{
    bool tells = e->u.data.value_known && e->u.data.status == ETM_DATA_OK;
    unsigned size = e->u.data.size != 0 ? e->u.data.size : 4;

    for (unsigned i = 0; i < size && i < 8; i++) {
        uint32_t at = e->u.data.address + i - s->address;
        unsigned shift = 8 * (e->u.data.be8 == ETM_TRUE ? size - 1 - i : i);
        uint64_t bit;

        if (at >= s->n)
            continue;
        bit = UINT64_C(1) << at;
        if ((s->seen & bit) == 0 && tells && e->u.data.size != 0) {
            s->known |= bit;
            s->bytes[at] = (uint8_t)(e->u.data.value >> shift);
        }
        s->seen |= bit;
    }
    s->ended = s->ended || s->seen == s->all;
}

/* The first `n` events of a stretch, from the last one on. */
static void look(struct search *s, const struct etm_gdb_stretch *stretch,
                 size_t n)
{
    for (; n > 0 && !s->ended; n--) {
        const struct etm_element *e = &etm_gdb_events(stretch)[n - 1].element;

        /* before a gap it may have been something else */
        if (etm_gdb_is_kind(e, ETM_GDB_GAPS))
            s->ended = true;
        else if (etm_gdb_watched(&s->wanted, e))
            take(s, e);
    }
}

/* Stretches before this one. */
static int look_before(struct search *s, struct etm_gdb_history *h,
                       uint64_t number)
{
    uint64_t end = number < REACH ? 0 : number - REACH, n = 1;
    const struct etm_gdb_stretch *stretch;
    int status = ETM_OK;

    while (number > end && !s->ended && status == ETM_OK) {
        bool has;

        n = n < number - end ? n : number - end;
        status = etm_gdb_history_has(h, number - n, n, &s->wanted, &has);
        if (status == ETM_OK && !has) {
            number -= n;
            n *= 2;
        } else if (n > 1) {
            n /= 2;
        } else if (status == ETM_OK) {
            status = etm_gdb_history_stretch(h, --number, &stretch);
            if (status == ETM_OK)
                look(s, stretch, stretch->events.n);
        }
    }
    return status;
}

uint64_t etm_gdb_memory_at(struct etm_gdb_history *h,
                           const struct etm_gdb_place *place, uint32_t address,
                           uint8_t *bytes, size_t n)
{
    const struct etm_gdb_watch watch = {
        address, (uint32_t)n, (unsigned)ETM_GDB_WRITES | ETM_GDB_READS};
    struct search s = {
        .wanted = {.watches = &watch, .n_watches = 1, .kinds = ETM_GDB_GAPS},
        .address = address,
        .bytes = bytes,
        .n = n,
        .all = n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1};
    const struct etm_gdb_stretch *stretch;

    if (etm_gdb_history_stretch(h, place->stretch, &stretch) != ETM_OK)
        return 0;
    look(&s, stretch, etm_gdb_events_before(stretch, place->insn + 1));
    (void)look_before(&s, h, place->stretch);
    return s.known;
}
