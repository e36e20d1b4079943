/* SPDX-License-Identifier: Apache-2.0 */
/* What the loop of the ETMv3 fast path (etmv3_march.inc) works on: a chart, and
 * the elements of its instructions. Only for etmv3_fast.c. */
#ifndef ETM_FLOW_ETMV3_MARCH_H
#define ETM_FLOW_ETMV3_MARCH_H

#include "base/fetch.h"
#include "flow/etmv3_walk.h"

/* A chart, and how far it was walked. */
struct here {
    const struct etm_etmv3_chart *chart;
    const struct etm_etmv3_mark *mark; /* the next one */
    const struct etm_etmv3_mark *seen; /* up to here, w->branch is up to date */
    const uint8_t *bytes;              /* where the chart begins */
    uint64_t start;                    /* its offset */
    /* The number in the chart of the first instruction of the step at the
     * position; the chart may begin in the middle of that step. */
    uint32_t begin;
    uint32_t given;   /* instructions of that step that were given as elements
                       */
    uint64_t counted; /* cycles in the chart before the range */
    bool cycles;      /* cycles are counted */
};

/* Where in the chart the header of instruction i is. */
static inline uint32_t place_of(const struct here *h, uint32_t i)
{
    return etm_chart_place(h->chart, i, h->cycles);
}

/* The element of an instruction; `charted` is its entry in the chart. */
static inline void give_insn(struct etm_element *e, const uint8_t *head,
                             const struct etm_block_insn *insn, uint64_t start,
                             uint32_t charted, bool counts, uint64_t cycles)
{
    etm_fast_give_insn(e, head, insn,
                       start + etm_chart_insn_place(charted, counts), cycles);
    e->u.insn.exec = (uint8_t)(ETM_TRUE - etm_chart_insn_failed(charted));
}

/* Give instructions `from` to `end` (exclusive), each of which has its own
 * header; `counted` cycles were before them. Returns the place after them. Two
 * at a time: one after the last does no harm. */
static inline struct etm_element *
give_insns(struct etm_element *e, const uint8_t *head,
           const struct etm_block_insn *insn, const struct here *h,
           uint32_t from, uint32_t end, bool cycles, uint64_t counted)
{
    const struct etm_etmv3_chart *chart = h->chart;
    const uint64_t start = h->start; /* no write changes these two */
    struct etm_element *after = e + (end - from);

    for (uint32_t i = from; e < after; i += 2, insn += 2, e += 2) {
        const uint32_t a = etm_chart_insn(chart, i, cycles);
        const uint32_t b = etm_chart_insn(chart, i + 1, cycles);
        uint64_t first = ETM_CYCLES_UNKNOWN, second = ETM_CYCLES_UNKNOWN;

        if (cycles) {
            uint64_t now = etm_chart_insn_cycles(chart, a);

            first = now - counted;
            counted = etm_chart_insn_cycles(chart, b);
            second = counted - now;
        }
        give_insn(e, head, insn, start, a, cycles, first);
        give_insn(e + 1, head, insn + 1, start, b, cycles, second);
    }
    return after;
}

/* Steps of a chart whose instructions are far away in memory: they are fetched
 * while the march continues, and become elements at its end. */
struct rows {
    uint32_t n;
    struct {
        uint32_t insns; /* index of the first etm_block_insn */
        uint32_t end;   /* in the chart */
    } of[ETM_CHART_INSNS + ETM_ETMV3_ATOMS];
};

/* Add a row: instructions `from` to `end` (exclusive) of the chart. */
static inline void add_row(struct rows *rows, const struct etm_block_insn *all,
                           uint32_t insns, uint32_t from, uint32_t end)
{
    const struct etm_block_insn *row = all + insns;

    /* four to a cache line; of long rows only a part */
    etm_fetch(row);
    etm_fetch(row + 4);
    etm_fetch(row + 8);
    etm_fetch(row + (end - from));
    rows->of[rows->n].insns = insns;
    rows->of[rows->n].end = end;
    rows->n++;
}

/* give_insns() of all rows. */
static inline struct etm_element *
give_rows(struct etm_element *e, const uint8_t *head,
          const struct etm_block_insn *all, const struct rows *rows,
          const struct here *h, uint32_t from, bool cycles)
{
    uint64_t counted = h->counted;

    for (uint32_t i = 0; i < rows->n; i++) {
        const uint32_t end = rows->of[i].end;

        e = give_insns(e, head, all + rows->of[i].insns, h, from, end, cycles,
                       counted);
        counted = cycles ? etm_chart_cycles(h->chart, end - 1) : 0;
        from = end;
    }
    return e;
}

/* Whether the packet after step `last`, which ended with instruction `at`, is
 * the target of its indirect branch: that was found, and is in this instruction
 * set. */
static inline bool may_jump(const struct etm_etmv3_mark *mark, uint32_t at,
                            uint64_t last, uint32_t failed, unsigned isa)
{
    return mark->at == at && mark->step != 0 && mark->isa == isa &&
           failed == 0 && etm_etmv3_step_indirect(last);
}

#endif
