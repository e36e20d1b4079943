/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first half of the loop of ETMv3 (loop.inc): the atoms of a stretch of
 * trace, one after the other, and the branch packets between them, without
 * regard to the program. How many atoms a P-header has is unpredictable, so
 * there is no branch on it here; and the loop that follows the program branches
 * once for each block, not for each header.
 */
#ifndef ETM_FLOW_ETMV3_BATCH_H
#define ETM_FLOW_ETMV3_BATCH_H

#include "flow/etmv3/flow.h"
#include "proto/etmv3_address.h"

#include <assert.h>
#include <string.h>

/* Bytes of a batch; branch packets and W atoms may follow the last one. */
#define ETM_BATCH_BYTES 128u
#define ETM_BATCH_BYTES_CYCLES 256u
#define ETM_BATCH_ATOMS (ETM_BATCH_BYTES * ETM_ETMV3_ATOMS)
#define ETM_BATCH_BRANCHES 64u

/*
 * An atom E or N is one byte: the place of its header, in bytes from the
 * beginning of the batch, and whether it failed. If cycles are counted it is
 * two bytes, with the cycles of the header up to and including this atom:
 *
 *       7    6   0        15     8   7    6    0
 *     failed place          place  failed cycles
 */
#define ETM_BATCH_FAILED 7u
#define ETM_BATCH_PLACE 8u

static_assert(ETM_BATCH_BYTES <= 1u << ETM_BATCH_FAILED, "a place fits");
static_assert(ETM_BATCH_BYTES_CYCLES <= 1u << ETM_BATCH_PLACE, "a place fits");
static_assert(ETM_ETMV3_ATOMS == 2 * ETM_ETMV3_ATOMS_CYCLES &&
                  ETM_BATCH_BYTES_CYCLES == 2 * ETM_BATCH_BYTES,
              "both kinds of atoms take as much room");

/* Where the atoms end, or a branch packet without exception information comes
 * between two of them. */
struct etm_batch_stop {
    uint32_t at;     /* atoms before it */
    uint32_t cycles; /* cycles before it */
    uint32_t place;  /* in bytes from the beginning of the batch */
    uint32_t size;   /* bytes of the packet; 0: the end */
    uint32_t address;
    struct etm_block *to; /* there; NULL: not looked up yet */
};

struct etm_batch {
    union {
        uint8_t plain[ETM_BATCH_ATOMS + ETM_ETMV3_ATOMS];
        uint16_t timed[ETM_BATCH_ATOMS + ETM_ETMV3_ATOMS_CYCLES];
    } atoms;
    uint32_t n;                              /* atoms */
    uint16_t before[ETM_BATCH_BYTES_CYCLES]; /* cycles before each header */
    struct etm_batch_stop stops[ETM_BATCH_BRANCHES + 1]; /* the last: the end */
};

/* Atom i; `cycles`: they are counted. */
static inline uint32_t etm_batch_atom(const struct etm_batch *batch, uint32_t i,
                                      bool cycles)
{
    return cycles ? batch->atoms.timed[i] : batch->atoms.plain[i];
}

static inline uint32_t etm_batch_place(uint32_t atom, bool cycles)
{
    return cycles ? atom >> ETM_BATCH_PLACE
                  : atom & ((1u << ETM_BATCH_FAILED) - 1);
}

/* 1 or 0 */
static inline uint32_t etm_batch_failed(uint32_t atom)
{
    return atom >> ETM_BATCH_FAILED & 1;
}

/* Cycles of the batch up to and including the atom; 0 if they are not counted.
 */
static inline uint64_t etm_batch_cycles(const struct etm_batch *batch,
                                        uint32_t atom, bool cycles)
{
    return cycles ? batch->before[atom >> ETM_BATCH_PLACE] +
                        (uint64_t)(atom & ((1u << ETM_BATCH_FAILED) - 1))
                  : 0;
}

/* A place of 1 in each of the atoms in eight bytes. */
#define ETM_BATCH_PLACES UINT64_C(0x0101010101010101)
#define ETM_BATCH_PLACES_CYCLES UINT64_C(0x0100010001000100)

/* Write the atoms of a header at atom n: as many as any header may have, so
 * that nothing depends on their number. Returns n and that number. `places`:
 * their place in each. */
static inline uint64_t etm_batch_put(struct etm_batch *batch,
                                     const struct etm_etmv3_share *share,
                                     uint64_t n, uint64_t places, bool cycles)
{
    uint64_t half[2];

    static_assert(sizeof half == sizeof share->all, "all of them");
    memcpy(half, &share->all, sizeof half);
    half[0] += places; /* no carry leaves an atom */
    half[1] += places;
    if (cycles)
        memcpy(batch->atoms.timed + n, half, sizeof half);
    else
        memcpy(batch->atoms.plain + n, half, sizeof half);
    return n + share->n;
}

/* What a batch is made of. */
struct etm_batch_source {
    const struct etm_address_form *forms; /* of branch packets */
    const uint8_t *bytes;
    size_t n; /* of the bytes; a whole packet may be read after them */
};

/* How far a batch was made. */
struct etm_batch_sums {
    size_t place;
    uint64_t n; /* atoms */
    uint32_t cycles;
    struct etm_etmv3_target to; /* what a packet gave last */
};

/* P-headers of the first `source->n` bytes, or up to something else. */
static inline void etm_batch_headers(const struct etm_etmv3_share *shares,
                                     struct etm_batch *batch,
                                     struct etm_batch_sums *sums,
                                     const struct etm_batch_source *source,
                                     bool cycles)
{
    const uint8_t *bytes = source->bytes;
    const size_t end = source->n;
    const uint64_t one = cycles ? ETM_BATCH_PLACES_CYCLES : ETM_BATCH_PLACES;
    uint64_t n = sums->n, places = sums->place * one;
    size_t place = sums->place;
    uint32_t all = sums->cycles;

    for (; place < end; place++, places += one) {
        const struct etm_etmv3_share *share = &shares[bytes[place]];

        if (cycles) {
            batch->before[place] = (uint16_t)all;
            all += share->cycles;
        }
        n = etm_batch_put(batch, share, n, places, cycles);
        if (n >= ETM_ETMV3_NOT_ATOMS)
            break;
    }
    sums->cycles = all;
    sums->place = place;
    sums->n = n & ~ETM_ETMV3_NOT_ATOMS;
}

/*
 * Make a batch of bytes, to their end or earlier, where anything comes but
 * P-headers, and branch packets that stay in the instruction set of the flow.
 */
static inline void etm_batch_make(const struct etm_etmv3_flow *flow,
                                  struct etm_batch_source source,
                                  struct etm_batch *batch, bool cycles)
{
    const struct etm_blocks *blocks = &flow->walk.blocks;
    const struct etm_etmv3_share *shares = flow->shares;
    const unsigned isa = flow->base.isa;
    const size_t most = cycles ? ETM_BATCH_BYTES_CYCLES : ETM_BATCH_BYTES;
    const uint8_t *p = source.bytes;
    /* without branch packets if they change the instruction set */
    struct etm_batch_stop *stop = batch->stops;
    const struct etm_batch_stop *last =
        stop + (isa == flow->walk.isa ? ETM_BATCH_BRANCHES : 0);
    struct etm_batch_sums sums = {.place = 0};

    source.n = source.n < most ? source.n : most;
    etm_etmv3_target_load(&sums.to, &flow->base);
    for (;; stop++) {
        unsigned size = 0;

        if (cycles)
            etm_batch_headers(shares, batch, &sums, &source, true);
        else
            etm_batch_headers(shares, batch, &sums, &source, false);
        if (sums.place < source.n && shares[p[sums.place]].branch &&
            stop != last)
            size = etm_etmv3_parse_branch(source.forms, flow->base.alt_isa,
                                          p + sums.place, &sums.to);
        if (sums.to.isa != isa)
            size = 0;
        stop->at = (uint32_t)sums.n;
        stop->cycles = sums.cycles;
        stop->place = (uint32_t)sums.place;
        stop->size = size;
        stop->address = sums.to.address << sums.to.shift;
        if (size == 0)
            break;
        etm_fetch(
            &blocks->table[etm_blocks_hash(stop->address, isa, blocks->space) &
                           blocks->mask]);
        sums.place += size;
    }
    batch->n = (uint32_t)sums.n;
    if (cycles) /* no atom, but it may be read */
        batch->atoms.timed[sums.n] = 0;
    else
        batch->atoms.plain[sums.n] = 0;
    stop->to = NULL;
    while (stop != batch->stops) { /* no search waits for another */
        uint32_t number =
            etm_blocks_find(blocks, (--stop)->address, (enum etm_isa)isa);

        stop->to = number != 0 ? etm_blocks_at(blocks, number) : NULL;
    }
}

#endif
