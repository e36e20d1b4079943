/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage: how often each address was executed, and its line. */
#include "write/coverage.h"

#include <stdlib.h>

static int add_change(struct etm_covering *c, uint64_t at, uint64_t n)
{
    const struct etm_change change = {at, n};

    return etm_vec_append(&c->changes, &change, 1);
}

int etm_covering_add(struct etm_covering *c, const struct etm_covered *covered,
                     bool conditional)
{
    const struct etm_fact fact = {*covered, conditional};

    return etm_vec_append(&c->all, &fact, 1);
}

int etm_covering_add_branch(struct etm_covering *c, struct etm_covered *covered,
                            bool conditional)
{
    const struct etm_names *names = &c->source->names;
    struct etm_symbol symbol;

    if (names->symbol &&
        names->symbol(names->context, covered->address, &symbol) == ETM_OK) {
        covered->name = symbol.name;
        covered->offset = symbol.offset;
    }
    return etm_covering_add(c, covered, conditional);
}

/* For now: n more from here on; less, modulo 2^64, from the end on. */
static int take_count(void *context, const struct etm_count *count)
{
    uint64_t end = count->end > count->start ? count->end
                                             : count->end + (UINT64_C(1) << 32);
    int status = add_change(context, count->start, count->n);

    return status == ETM_OK ? add_change(context, end, 0 - count->n) : status;
}

static int compare_changes(const void *a, const void *b)
{
    const struct etm_change *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

static void sum_changes(struct etm_covering *c)
{
    struct etm_change *changes = c->changes.data;
    uint64_t sum = 0;
    size_t kept = 0;

    if (c->changes.n != 0)
        qsort(changes, c->changes.n, sizeof *changes, compare_changes);
    for (size_t i = 0; i < c->changes.n; i++) {
        sum += changes[i].n;
        if (i + 1 < c->changes.n && changes[i + 1].at == changes[i].at)
            continue;
        changes[kept++] = (struct etm_change){changes[i].at, sum};
    }
    c->changes.n = kept;
}

uint64_t etm_covering_most(const struct etm_covering *c, uint64_t start,
                           uint64_t end)
{
    const struct etm_change *changes = c->changes.data;
    size_t low = 0, high = c->changes.n;
    uint64_t n = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (changes[middle].at <= start)
            low = middle + 1;
        else
            high = middle;
    }
    if (low > 0) /* the number that applies at the start */
        n = changes[low - 1].n;
    for (; low < c->changes.n && changes[low].at < end; low++)
        if (changes[low].n > n)
            n = changes[low].n;
    return n;
}

int etm_covering_count(struct etm_covering *c, const struct etm_counts *counts)
{
    int status = etm_counts_walk(counts, take_count, c);

    sum_changes(c);
    return status;
}

size_t etm_covering_stretch(const struct etm_covering *c, uint32_t address)
{
    const struct etm_line_range *all = c->stretches.data;
    size_t low = 0, high = c->stretches.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (all[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool etm_covering_line(const struct etm_covering *c, uint32_t address,
                       struct etm_source_line *line)
{
    const struct etm_line_range *all = c->stretches.data;
    const struct etm_names *names = &c->source->names;
    size_t i = etm_covering_stretch(c, address);

    if (i == c->stretches.n || all[i].start > address)
        return names->line &&
               names->line(names->context, address, line) == ETM_OK;
    *line = (struct etm_source_line){.file = all[i].file, .line = all[i].line};
    return true;
}

bool etm_covering_read(const struct etm_covering *c, uint32_t address,
                       enum etm_isa isa, struct etm_insn *insn)
{
    const struct etm_listing_source *source = c->source;
    uint8_t bytes[4];
    size_t n;

    if (!source->image)
        return false;
    n = etm_image_read(source->image, address, NULL, bytes, sizeof bytes);
    etm_insn_decode(insn, isa,
                    source->config ? source->config->profile
                                   : ETM_PROFILE_UNKNOWN,
                    address, bytes, n);
    return insn->size != 0;
}

int etm_covering_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x < y ? -1 : x > y;
}

int etm_covering_note_conditional(struct etm_covering *c)
{
    const struct etm_fact *all = c->all.data;
    int status = ETM_OK;

    for (size_t i = 0; i < c->all.n && status == ETM_OK; i++)
        if (etm_covered_is_two(&all[i].covered))
            status =
                etm_vec_append(&c->conditional, &all[i].covered.address, 1);
    if (c->conditional.n != 0)
        qsort(c->conditional.data, c->conditional.n, sizeof(uint32_t),
              etm_covering_compare);
    return status;
}

bool etm_covering_is_conditional(const struct etm_covering *c, uint32_t address)
{
    return c->conditional.n != 0 &&
           bsearch(&address, c->conditional.data, c->conditional.n,
                   sizeof(uint32_t), etm_covering_compare) != NULL;
}
