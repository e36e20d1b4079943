/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first half of the ETMv3 fast path: bytes -> a chart of their
 * instructions. It does not use the program, so nothing here has to wait for
 * what the other half finds; and there is no branch on how many instructions a
 * header has.
 */
#include "flow/etmv3_fast.h"

#include "base/fetch.h"
#include "flow/etmv3_address.h"
#include "flow/etmv3_walk.h"

#include <string.h>

/* This many bytes of W atoms and marks may extend a full chart. */
#define BEYOND 1024u

/* A place of 1 in each of eight instructions. */
#define PLACES UINT64_C(0x0101010101010101)

/* A header with `n` instructions in a chart: all passed except perhaps the
 * first and the last, which did if these are true. */
static struct etm_etmv3_share share_of(unsigned n, bool first, bool last,
                                       bool cycles)
{
    struct etm_etmv3_share share = {.n = n};
    uint8_t insns[ETM_ETMV3_ATOMS] = {0};

    if (n != 0) {
        insns[0] = first ? 0 : ETM_CHART_FAILED;
        insns[n - 1] = last ? 0 : ETM_CHART_FAILED;
    }
    for (unsigned i = 0;
         i < (cycles ? ETM_ETMV3_ATOMS_CYCLES : ETM_ETMV3_ATOMS); i++) {
        if (cycles)
            share.all.timed[i] = insns[i];
        else
            share.all.insns[i] = insns[i];
    }
    return share;
}

/* The share of a run of atoms. */
static struct etm_etmv3_share run_of(struct etm_etmv3_shape shape, bool cycles)
{
    bool passed = shape.exec == ETM_TRUE;
    struct etm_etmv3_share share =
        share_of(shape.n, shape.n > 1 || passed, passed, cycles);

    for (unsigned i = 0; cycles && i < ETM_ETMV3_ATOMS_CYCLES; i++)
        share.all.timed[i] |= (uint16_t)(shape.before + shape.each * (i + 1));
    share.cycles = shape.cycles;
    return share;
}

/* The same for 10001F10: after the W atom of cycle-accurate mode, N and one
 * more. */
static struct etm_etmv3_share two_of(unsigned header, bool cycles)
{
    struct etm_etmv3_share share =
        share_of(2, false, (header & 0x04) == 0, cycles);

    for (unsigned i = 0; cycles && i < 2; i++)
        share.all.timed[i] |= 1;
    share.cycles = cycles;
    return share;
}

static uint32_t quick_of(struct etm_etmv3_shape shape)
{
    return shape.n | (uint32_t)shape.before << ETM_QUICK_BEFORE |
           (shape.each != 0 ? ETM_QUICK_EACH : 0) |
           (shape.exec == ETM_FALSE ? ETM_QUICK_FAILED : 0);
}

/* The atoms of a header as bundles need them. */
static uint32_t atoms_of(const struct etm_etmv3_share *share, bool cycles)
{
    uint32_t n = (uint32_t)share->n, atoms = n, first, last;

    if (n == 0 || !etm_chart_has(share))
        return 0;
    first = cycles ? share->all.timed[0] : share->all.insns[0];
    last = cycles ? share->all.timed[n - 1] : share->all.insns[n - 1];
    if ((last & ETM_CHART_FAILED) != 0)
        atoms |= ETM_HEADER_FAILED;
    if ((first & ETM_CHART_FAILED) != 0)
        atoms |= ETM_HEADER_FIRST;
    return atoms;
}

void etm_etmv3_fast_init(struct etm_etmv3_flow *flow)
{
    bool cycles = flow->config.cycle_accurate;

    for (unsigned byte = 0; byte < 256; byte++) {
        struct etm_etmv3_shape shape = flow->shapes[byte];
        unsigned kind = etm_etmv3_header(&flow->config, (uint8_t)byte).kind;
        struct etm_etmv3_share share = {.n = ETM_CHART_NOT_HERE};
        uint32_t q = ETM_QUICK_NO_RUN;

        if (kind == ETM_PACKET_BRANCH_ADDRESS) {
            q |= ETM_QUICK_BRANCH;
        } else if (kind == (cycles ? ETM_PACKET_I_SYNC_CYCLE_COUNT
                                   : ETM_PACKET_I_SYNC)) {
            q |= ETM_QUICK_SYNC;
        } else if (kind == ETM_PACKET_P_HEADER && shape.n != ETM_ETMV3_NO_RUN) {
            q = quick_of(shape);
            share = run_of(shape, cycles);
        } else if (kind == ETM_PACKET_P_HEADER && (byte & 0xf3) == 0x82) {
            q |= ETM_QUICK_TWO | ((byte & 0x04) != 0 ? ETM_QUICK_FAILED : 0);
            q |= (uint32_t)cycles << ETM_QUICK_BEFORE;
            share = two_of(byte, cycles);
        }
        flow->quick[byte] = q;
        flow->shares[byte] = share;
        flow->atoms[byte] = atoms_of(&share, cycles);
    }
}

/* What is counted while a chart is made. */
struct sums {
    size_t place;
    uint64_t n; /* instructions */
    uint32_t cycles;
    struct etm_etmv3_target to;
};

/* Write eight instructions at a place. */
static inline void put(uint8_t *to, const uint8_t *insns, uint64_t places)
{
    uint64_t eight;

    memcpy(&eight, insns, sizeof eight);
    eight += places; /* no carry leaves a byte */
    memcpy(to, &eight, sizeof eight);
}

static inline void put_timed(uint16_t *restrict to,
                             const uint16_t *restrict own, uint64_t place)
{
    for (unsigned i = 0; i < ETM_ETMV3_ATOMS_CYCLES; i++)
        to[i] = (uint16_t)(own[i] + place);
}

/*
 * Chart the header at a place; returns the number of instructions including its
 * own. All that a header may have is written, whatever it has: its number of
 * instructions cannot be predicted.
 */
static inline uint64_t header(struct etm_etmv3_chart *chart,
                              const struct etm_etmv3_share *share, uint64_t n,
                              uint64_t place, bool cycles)
{
    if (cycles) {
        put_timed(chart->all.timed + n, share->all.timed, place);
    } else {
        put(chart->all.insns + n, share->all.insns, place);
        put(chart->all.insns + n + 8, share->all.insns + 8, place);
    }
    return n + share->n;
}

/* Chart P-headers up to place `end`, or to something else. Two per iteration,
 * since that takes less counting than one and one: the one at `end` may be
 * among them. */
static inline void headers(const struct etm_etmv3_flow *flow,
                           struct etm_etmv3_chart *chart, struct sums *sums,
                           const uint8_t *bytes, size_t end, bool cycles)
{
    const struct etm_etmv3_share *shares = flow->shares, *share;
    const uint64_t next = cycles ? 1u << ETM_CHART_PLACE : PLACES;
    uint64_t places = sums->place * next, n = sums->n;
    uint32_t all = sums->cycles;
    size_t place = sums->place;

    for (; place < end; place += 2, places += 2 * next) {
        share = &shares[bytes[place]];
        if (cycles) {
            chart->before[place] = (uint16_t)all;
            all += share->cycles;
        }
        n = header(chart, share, n, places, cycles);
        if (n >= ETM_CHART_NOT_HERE)
            break;
        share = &shares[bytes[place + 1]];
        if (cycles) {
            chart->before[place + 1] = (uint16_t)all;
            all += share->cycles;
        }
        n = header(chart, share, n, places + next, cycles);
        if (n >= ETM_CHART_NOT_HERE) {
            place++;
            break;
        }
    }
    sums->place = place;
    sums->n = n & ~ETM_CHART_NOT_HERE;
    sums->cycles = all;
}

unsigned etm_etmv3_parse_restart(const struct etm_etmv3_flow *flow,
                                 const struct etm_etmv3_terms *t,
                                 const uint8_t *p,
                                 struct etm_etmv3_target *target,
                                 struct etm_etmv3_mark *mark)
{
    const uint8_t *info;
    uint32_t address;

    if ((size_t)(t->end - p) + ETM_ETMV3_WINDOW < ETM_ETMV3_PACKET_MAX)
        return 0;
    info = etm_etmv3_restart_info(flow, t, p, &mark->gap);
    if (info == NULL)
        return 0;
    address = etm_address_four(info + 1);
    etm_etmv3_target_set_isa(target,
                             (address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM);
    target->address = address >> target->shift;
    mark->address = target->address << target->shift;
    mark->isa = (uint8_t)(target->isa | ETM_MARK_SYNC);
    return (unsigned)(info + 5 - p);
}

/* etm_etmv3_find_targets() will look there for the step that a mark leads to.
 */
static inline void fetch_target(const struct etm_blocks *blocks,
                                const struct etm_etmv3_mark *mark)
{
    uint64_t hash = etm_blocks_hash(mark->address, (unsigned)etm_mark_isa(mark),
                                    blocks->space);

    etm_fetch(&blocks->table[hash & blocks->mask]);
}

/* Chart a branch packet or a restart, after W atoms if the chart is full; false
 * if something else comes. */
static inline bool pass_mark(const struct etm_etmv3_flow *flow,
                             const struct etm_etmv3_terms *t,
                             struct etm_etmv3_chart *chart, struct sums *sums,
                             const uint8_t *bytes, size_t end)
{
    struct etm_etmv3_mark *mark = &chart->marks[chart->n_marks];
    unsigned header, size;

    for (;; sums->place++) {
        if (sums->place >= end)
            return false;
        header = bytes[sums->place];
        if (!etm_chart_no_insn(&flow->shares[header]))
            break;
        sums->cycles += flow->shares[header].cycles;
    }
    if (chart->n_marks == ETM_CHART_MARKS)
        return false;
    if ((flow->quick[header] & ETM_QUICK_BRANCH) != 0) {
        size = etm_etmv3_parse_branch(flow, t->forms, bytes + sums->place,
                                      &sums->to);
        mark->isa = (uint8_t)sums->to.isa;
    } else if ((flow->quick[header] & ETM_QUICK_SYNC) != 0) {
        size = etm_etmv3_parse_restart(flow, t, bytes + sums->place, &sums->to,
                                       mark);
    } else {
        return false;
    }
    if (size == 0)
        return false;
    mark->at = (uint32_t)sums->n;
    mark->cycles = sums->cycles;
    mark->address = sums->to.address << sums->to.shift;
    mark->place = (uint16_t)sums->place;
    mark->size = (uint8_t)size;
    chart->n_marks++;
    fetch_target(&flow->follow.blocks, mark);
    sums->place += size;
    return true;
}

const uint8_t *etm_etmv3_chart(const struct etm_etmv3_flow *flow,
                               const struct etm_etmv3_terms *t,
                               const uint8_t *p, struct etm_etmv3_chart *chart)
{
    size_t n = (size_t)(t->end - p);
    size_t most = t->most;
    size_t full = n < most ? n : most - 1;
    size_t beyond = n < BEYOND ? n : BEYOND;
    struct sums sums = {.place = 0};

    etm_etmv3_target_load(&sums.to, &flow->base);
    chart->n_marks = 0;
    do {
        if (t->counts)
            headers(flow, chart, &sums, p, full, true);
        else
            headers(flow, chart, &sums, p, full, false);
    } while (pass_mark(flow, t, chart, &sums, p, beyond));
    chart->n = (uint32_t)sums.n;
    if (t->counts) /* no entry: give_insns() may read it */
        chart->all.timed[sums.n] = 0;
    else
        chart->all.insns[sums.n] = 0;
    chart->marks[chart->n_marks] = (struct etm_etmv3_mark){
        .at = chart->n, .cycles = sums.cycles, .place = (uint16_t)sums.place};
    etm_etmv3_find_targets(flow, chart);
    return p + sums.place;
}
