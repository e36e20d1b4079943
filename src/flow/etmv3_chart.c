/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first half of ETMv3's fast way: bytes -> a chart of their instructions.
 * It knows nothing of the program, so nothing here has to wait for what the
 * other half finds out; and how many instructions a header has is no jump.
 */
#include "flow/etmv3_fast.h"
#include "flow/etmv3_walk.h"

/* Waits and branch packets go on for so many bytes behind a full chart: its
 * cycles and places have 16 bits. */
#define BEHIND 1024u

/* What a header adds to places and cycles. */
static uint32_t sum_of(unsigned cycles)
{
    return cycles << ETM_CHART_CYCLES | 1u << ETM_CHART_PLACE;
}

/* A run of atoms: each of them, or the first and the last one; and what all add
 * to what stands behind. */
static uint32_t run_of(uint32_t *insns, struct etm_etmv3_shape shape,
                       bool cycles)
{
    for (unsigned i = 1; cycles && i <= shape.n; i++)
        insns[i - 1] = (uint32_t)(shape.before + shape.each * i)
                           << ETM_CHART_CYCLES |
                       (i == shape.n ? shape.exec : ETM_TRUE);
    if (!cycles) {
        insns[0] = shape.n == 1 ? shape.exec : ETM_TRUE;
        insns[1] = shape.exec;
    }
    return sum_of(shape.cycles);
}

/* The same of 10001F10: after the W atom of cycle-accurate mode, N and
 * another. */
static uint32_t two_of(uint32_t *insns, unsigned header, bool cycles)
{
    uint32_t wait = (uint32_t)cycles << ETM_CHART_CYCLES;

    insns[0] = wait | ETM_FALSE;
    insns[1] = wait | ((header & 0x04) != 0 ? ETM_FALSE : ETM_TRUE);
    return sum_of(cycles);
}

static uint32_t quick_of(struct etm_etmv3_shape shape)
{
    return shape.n | (uint32_t)shape.before << ETM_QUICK_BEFORE |
           (shape.each != 0 ? ETM_QUICK_EACH : 0) |
           (shape.exec == ETM_FALSE ? ETM_QUICK_FAILED : 0);
}

void etm_etmv3_fast_init(struct etm_etmv3_flow *flow)
{
    bool cycles = flow->config.cycle_accurate;

    for (unsigned byte = 0; byte < 256; byte++) {
        struct etm_etmv3_shape shape = flow->shapes[byte];
        unsigned kind = etm_etmv3_header(&flow->config, (uint8_t)byte).kind;
        uint32_t *insns = flow->insns[byte];
        uint32_t q = ETM_QUICK_NO_RUN;
        uint32_t count = ETM_CHART_NOT_HERE, sum = 0;

        if (kind == ETM_PACKET_BRANCH_ADDRESS) {
            q |= ETM_QUICK_BRANCH;
        } else if (kind == ETM_PACKET_P_HEADER && shape.n != ETM_ETMV3_NO_RUN) {
            q = quick_of(shape);
            count = shape.n;
            sum = run_of(insns, shape, cycles);
        } else if (kind == ETM_PACKET_P_HEADER && (byte & 0xf3) == 0x82) {
            q |= ETM_QUICK_TWO | ((byte & 0x04) != 0 ? ETM_QUICK_FAILED : 0);
            q |= (uint32_t)cycles << ETM_QUICK_BEFORE;
            count = 2;
            sum = two_of(insns, byte, cycles);
        }
        flow->quick[byte] = q;
        flow->counts[byte] = count;
        flow->sums[byte] = sum;
    }
}

/* What is counted while a chart is made. */
struct sums {
    uint32_t n;       /* instructions */
    uint32_t address; /* that branch packets said last */
    uint32_t isa;     /* enum etm_isa: the same */
    uint32_t all;     /* of flow->sums */
};

/* All instructions that a header may have, whatever it is: how many they are is
 * not to be foretold. */
static inline void put(uint32_t *restrict to, const uint32_t *restrict insns,
                       uint32_t all)
{
    for (unsigned i = 0; i < ETM_ETMV3_ATOMS_CYCLES; i++)
        to[i] = insns[i] + all;
}

/* The same of up to sixteen without cycles. n is not 0; what has no
 * instructions may write anywhere here. */
static inline void put_plain(uint32_t *restrict to,
                             const uint32_t *restrict insns, uint32_t n,
                             uint32_t all)
{
    for (unsigned i = 0; i < ETM_ETMV3_ATOMS; i++)
        to[i] = all + ETM_TRUE;
    to[0] = all + insns[0];
    to[(n - 1) % ETM_ETMV3_ATOMS] = all + insns[1];
}

/* P-headers up to `end`, a full chart or something else. */
static inline const uint8_t *headers(const struct etm_etmv3_flow *flow,
                                     struct etm_etmv3_chart *chart,
                                     struct sums *sums, const uint8_t *p,
                                     const uint8_t *end, bool cycles)
{
    size_t n = sums->n;
    uint32_t all = sums->all;

    /* something else has so many that the chart is full, and adds nothing */
    for (; p < end && n < ETM_CHART_INSNS; p++) {
        unsigned header = *p;
        const uint32_t *insns = flow->insns[header];
        uint32_t count = flow->counts[header];

        if (cycles)
            put(chart->insns + n, insns, all);
        else
            put_plain(chart->insns + n, insns, count, all);
        n += count;
        all += flow->sums[header];
    }
    if (n >= ETM_CHART_NOT_HERE) {
        n -= ETM_CHART_NOT_HERE;
        p--;
    }
    sums->n = (uint32_t)n;
    sums->all = all;
    return p;
}

/* Address bits [6:1] of the first byte, [13:7] of the second and so on. */
static inline uint32_t bits_of(uint32_t word)
{
    return (word >> 1 & 0x3Fu) | (word >> 2 & 0x7Fu << 6) |
           (word >> 3 & 0x7Fu << 13) | (word >> 4 & 0x7Fu << 20);
}

/* A branch packet of five bytes, as fifth_byte() of etmv3_branch.c, where the
 * last one names ARM or Thumb code and no exception. Returns its size, or 0. */
static unsigned long_branch(const struct etm_etmv3_flow *flow, uint32_t word,
                            unsigned fifth, struct sums *sums)
{
    unsigned thumb = flow->base.alt_isa ? ETM_ISA_THUMBEE : ETM_ISA_THUMB;

    if ((fifth & 0xf8) == 0x08) {
        sums->isa = ETM_ISA_ARM;
        sums->address = bits_of(word) << 2 | fifth << 29;
    } else if ((fifth & 0xf0) == 0x10) {
        sums->isa = thumb;
        sums->address = bits_of(word) << 1 | fifth << 28;
    } else {
        return 0;
    }
    return 5;
}

/*
 * A branch packet without exception information, as etm_etmv3_branch(), but
 * without a jump on its length, unless it has five bytes; what it says of the
 * address, as broadcast.c. Returns its size, or 0 if it is another.
 */
static inline unsigned branch(const struct etm_etmv3_flow *flow,
                              bool alternative, const uint8_t *p,
                              struct sums *sums)
{
    /* bytes up to the first that none follows, by the C bits of four bytes */
    static const uint8_t lengths[16] = {1, 2, 1, 3, 1, 2, 1, 4,
                                        1, 2, 1, 3, 1, 2, 1, 5};
    uint32_t word = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
                    (uint32_t)p[3] << 24;
    /* the product gathers bits 0, 8, 16 and 24 in its bits 24 to 27 */
    unsigned n =
        lengths[((word >> 7 & 0x01010101u) * 0x01020408u) >> 24 & 0x0Fu];
    unsigned bits = 7 * n - (alternative && n > 1 ? 2u : 1u);
    unsigned shift = sums->isa == ETM_ISA_ARM ? 2 : 1;
    uint32_t mask;

    if (n == 5)
        return long_branch(flow, word, p[4], sums);
    if ((alternative && n > 1 && (p[n - 1] & 0x40) != 0) ||
        sums->isa == ETM_ISA_JAZELLE)
        return 0;
    mask = ((UINT32_C(1) << bits) - 1) << shift;
    sums->address = (sums->address & ~(mask | ((UINT32_C(1) << shift) - 1))) |
                    (bits_of(word) << shift & mask);
    return n;
}

/* A branch packet, and W atoms before it; false where they are followed by
 * something else. */
static inline bool pass_branch(const struct etm_etmv3_flow *flow,
                               bool alternative, struct etm_etmv3_chart *chart,
                               struct sums *sums, const uint8_t **at,
                               const uint8_t *end)
{
    struct etm_etmv3_mark *mark = &chart->marks[chart->n_marks];
    const uint8_t *p = *at;
    unsigned size = 0;

    for (; p < end && flow->counts[*p] == 0; p++)
        sums->all += flow->sums[*p];
    if (p < end && (flow->quick[*p] & ETM_QUICK_BRANCH) != 0 &&
        chart->n_marks < ETM_CHART_MARKS)
        size = branch(flow, alternative, p, sums);
    if (size != 0) {
        mark->size = (uint8_t)size;
        mark->isa = (uint8_t)sums->isa;
        mark->address = sums->address;
        mark->at = sums->n;
        mark->place = sums->all;
        chart->n_marks++;
    }
    sums->all += size << ETM_CHART_PLACE;
    *at = p + size;
    return size != 0;
}

const uint8_t *etm_etmv3_chart(const struct etm_etmv3_flow *flow,
                               bool alternative, const uint8_t *p,
                               const uint8_t *end,
                               struct etm_etmv3_chart *chart)
{
    size_t n = (size_t)(end - p);
    const uint8_t *full = n < ETM_CHART_BYTES ? end : p + ETM_CHART_BYTES;
    const uint8_t *behind = n < BEHIND ? end : p + BEHIND;
    struct sums sums = {.address = flow->base.address, .isa = flow->base.isa};

    chart->n_marks = 0;
    do {
        if (flow->config.cycle_accurate)
            p = headers(flow, chart, &sums, p, full, true);
        else
            p = headers(flow, chart, &sums, p, full, false);
    } while (pass_branch(flow, alternative, chart, &sums, &p, behind));
    chart->n = sums.n;
    chart->insns[sums.n] = sums.all;
    chart->marks[chart->n_marks] =
        (struct etm_etmv3_mark){.at = sums.n, .place = sums.all};
    etm_etmv3_find_targets(flow, chart);
    return p;
}
