/* SPDX-License-Identifier: Apache-2.0 */
/*
 * M-profile processors: their macrocell has no address comparators, but the
 * comparators of the DWT are its EmbeddedICE inputs. Each compares an address
 * but for a number of its low bits: a block of 2^n bytes at a multiple of that
 * (ARMv7-M Architecture Reference Manual, DDI 0403, C1.8).
 */
#include "model/dwt.h"
#include "setup/plan.h"

#include "base/diag.h"

#include <stdio.h>

static unsigned comparators(const struct etm_plan *p)
{
    return etm_dwt_count(p->file.trace.profile, p->file.counts.eices);
}

bool etm_plan_by_dwt(const struct etm_plan *p)
{
    return p->file.counts.sac_pairs == 0 && comparators(p) != 0;
}

/* DWT_FUNCTIONn; 0: it compares nothing of that kind. */
static uint32_t function_of(enum etm_look look)
{
    switch (look) {
    case ETM_LOOK_EXECUTE:
        return ETM_DWT_INSN;
    case ETM_LOOK_TRANSFER:
        return ETM_DWT_TRANSFER;
    case ETM_LOOK_LOAD:
        return ETM_DWT_LOAD;
    case ETM_LOOK_STORE:
        return ETM_DWT_STORE;
    case ETM_LOOK_PASSED:
    case ETM_LOOK_FAILED:
    case ETM_LOOK_FETCH:
        break;
    }
    return 0;
}

/* The last address of a match. */
static uint32_t last_of(const struct etm_request_match *m)
{
    return m->range ? m->to : m->from;
}

/* Low bits in which addresses of a block differ, if both ends are in it. */
static unsigned bits_between(uint32_t first, uint32_t last)
{
    unsigned bits = 0;

    while (bits < 32 && (uint64_t)first >> bits != (uint64_t)last >> bits)
        bits++;
    return bits;
}

static struct etm_request_match block_at(uint32_t address, unsigned bits)
{
    uint64_t size = UINT64_C(1) << bits;
    uint32_t from = (uint32_t)(address & ~(size - 1));

    return (struct etm_request_match){
        .range = true, .from = from, .to = (uint32_t)(from + size - 1)};
}

static uint64_t size_of(const struct etm_request_match *m)
{
    return (uint64_t)last_of(m) - m->from + 1;
}

static bool is_block(const struct etm_request_match *m)
{
    unsigned bits = bits_between(m->from, m->to);

    return bits <= ETM_DWT_MOST_MASK && size_of(m) == UINT64_C(1) << bits;
}

static void add_range(char *text, size_t capacity, size_t *n,
                      const struct etm_request_match *m)
{
    int added = snprintf(text + *n, capacity - *n, "%s0x%08x-0x%08x",
                         *n == 0 ? "" : " and ", (unsigned)m->from,
                         (unsigned)last_of(m));

    if (added > 0 && (size_t)added < capacity - *n)
        *n += (size_t)added;
}

static int refuse_range(struct etm_plan *p, const struct etm_request_match *m)
{
    char text[64];
    size_t n = 0;
    int status = etm_diag_begin(p->diag, ETM_ERR_UNSUPPORTED, NULL);

    add_range(text, sizeof text, &n, m);
    etm_diag_text(p->diag, text);
    etm_diag_text(p->diag, " is no block of 2^n bytes, up to 32 KB, at a "
                           "multiple of that: the DWT's comparators, which "
                           "this macrocell has in place of address "
                           "comparators, hold no other ranges; or use ice:1");
    return status;
}

int etm_plan_dwt_compile(struct etm_plan *p, const struct etm_request_match *m,
                         enum etm_plan_use use, struct etm_plan_want *w)
{
    uint32_t function = function_of(m->look), size = 1;
    int status = ETM_OK;

    if (function == 0)
        return etm_plan_lacks(p, "comparators for anything but executed "
                                 "instructions, loads and stores: those of the "
                                 "DWT are in place of address comparators");
    if (m->has_value)
        return etm_plan_lacks(p, "comparison of values: set DWT comparator 1 "
                                 "up for one (DATAVMATCH), and use ice:2");
    if (m->has_context_id || m->security != ETM_REQUEST_SECURITY_ANY ||
        m->mode != ETM_REQUEST_MODE_ANY)
        return etm_plan_lacks(p, "comparison of context IDs and states with "
                                 "addresses");
    if (m->range && !is_block(m))
        return refuse_range(p, m);
    if (!m->range && m->look != ETM_LOOK_EXECUTE)
        status = etm_plan_data_size(p, m, &size);
    if (status != ETM_OK)
        return status;
    *w = (struct etm_plan_want){
        .low = m->from,
        .high = bits_between(m->from, m->range ? m->to : m->from + (size - 1)),
        .type = function,
        .use = etm_plan_has(p, ETM_REG_EIBCR) ? use : ETM_PLAN_REGION};
    if (m->look == ETM_LOOK_EXECUTE)
        w->low &= ~UINT32_C(1); /* the T bit is no part of the address */
    return ETM_OK;
}

/* The DWT may be in use already. */
static void note_used(struct etm_plan *p, uint32_t used)
{
    bool several = (used & (used - 1)) != 0;
    char text[256], list[32] = "";
    size_t n = 0;

    for (unsigned i = 0; i < ETM_DWT_COMPARATORS; i++)
        if ((used >> i & 1) != 0)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%u",
                                  n == 0 ? "" : ", ", i);
    (void)snprintf(text, sizeof text,
                   "DWT comparator%s %s (EmbeddedICE comparator n is DWT "
                   "comparator n-1) compare%s addresses for the macrocell: a "
                   "debugger must not use %s for watchpoints, and its reset "
                   "may clear %s",
                   several ? "s" : "", list, several ? "" : "s",
                   several ? "them" : "it", several ? "them" : "it");
    etm_plan_note(p, text);
}

int etm_plan_dwt_place(struct etm_plan *p)
{
    unsigned there = comparators(p), named = 0, slot = 0;
    uint32_t used = 0;
    int status;

    for (unsigned i = 0; i < there; i++)
        named += (unsigned)p->ices >> i & 1u;
    if (p->n_wants + named > there) {
        status = etm_plan_short(p, "DWT comparators",
                                (unsigned)p->n_wants + named, there);
        etm_diag_text(p->diag, ": each address takes one, what is traced by "
                               "range one or two, and each ice:N is one");
        return status;
    }
    for (size_t i = 0; i < p->n_wants; i++, slot++) {
        while ((p->ices >> slot & 1) != 0)
            slot++;
        p->wants[i].slot = (uint8_t)slot;
        used |= UINT32_C(1) << slot;
        if (p->wants[i].use == ETM_PLAN_REGION)
            p->latches |= (uint8_t)(1u << slot);
    }
    p->ices |= (uint8_t)used;
    if (used != 0)
        note_used(p, used);
    return ETM_OK;
}

void etm_plan_dwt_write(struct etm_plan *p)
{
    if (p->n_wants != 0)
        etm_plan_set(p, ETM_REG_DEMCR, ETM_DEMCR_TRCENA);
    for (size_t i = 0; i < p->n_wants; i++) {
        const struct etm_plan_want *w = &p->wants[i];
        uint32_t at = ETM_DWT_STRIDE * w->slot;

        etm_plan_set(p, ETM_REG_DWT_COMP0 + at, w->low);
        etm_plan_set(p, ETM_REG_DWT_MASK0 + at, w->high);
        etm_plan_set(p, ETM_REG_DWT_FUNCTION0 + at, w->type);
    }
}

/* The smallest block that has all that the parts have from `low` to `high`;
 * false if that is nothing. */
static bool enclose(const struct etm_request_match *parts, size_t n,
                    uint32_t low, uint32_t high, struct etm_request_match *out)
{
    uint32_t first = UINT32_MAX, last = 0;

    for (size_t i = 0; i < n; i++) {
        uint32_t from = parts[i].from > low ? parts[i].from : low;
        uint32_t to = last_of(&parts[i]) < high ? last_of(&parts[i]) : high;

        if (from > to)
            continue;
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    if (first > last)
        return false;
    *out = block_at(first, bits_between(first, last));
    return true;
}

/* Whether all of a block is in some part. */
static bool is_filled(const struct etm_request_match *parts, size_t n,
                      const struct etm_request_match *block)
{
    uint64_t at = block->from;

    while (at <= block->to) {
        uint64_t next = at;

        for (size_t i = 0; i < n; i++)
            if (parts[i].from <= at && last_of(&parts[i]) >= next)
                next = (uint64_t)last_of(&parts[i]) + 1;
        if (next == at)
            return false;
        at = next;
    }
    return true;
}

/* What is selected, where this is not what was asked for. */
static void note_blocks(struct etm_plan *p, const char *before,
                        const struct etm_request_match *blocks, size_t n,
                        const char *after)
{
    char list[64] = "", text[256];
    size_t length = 0;

    for (size_t i = 0; i < n; i++)
        add_range(list, sizeof list, &length, &blocks[i]);
    (void)snprintf(text, sizeof text,
                   "%s%s%s: the DWT compares blocks of 2^n bytes at multiples "
                   "of that (at single addresses tracing can start and stop: "
                   "--start-at, --stop-at)",
                   before, list, after);
    etm_plan_note(p, text);
}

static int refuse_cover(struct etm_plan *p,
                        const struct etm_request_match *parts, size_t n)
{
    struct etm_request_match all = parts[0];
    char text[64];
    size_t length = 0;
    int status = etm_diag_begin(p->diag, ETM_ERR_UNSUPPORTED, NULL);

    all.range = true;
    all.to = last_of(&parts[0]);
    for (size_t i = 1; i < n; i++) {
        all.from = parts[i].from < all.from ? parts[i].from : all.from;
        all.to = last_of(&parts[i]) > all.to ? last_of(&parts[i]) : all.to;
    }
    add_range(text, sizeof text, &length, &all);
    etm_diag_text(p->diag, text);
    etm_diag_text(p->diag,
                  " does not fit into the blocks of up to 32 KB, one or two, "
                  "that the DWT compares in place of address comparators: use "
                  "--start-at and --stop-at, or ice:1");
    return status;
}

/* The halves of the smallest block that has all parts, as far as there is
 * something in each; if they are smaller, or the whole is none. Any other two
 * blocks would not do better: one would reach beyond the middle, and be the
 * whole. */
static bool halve(const struct etm_request_match *parts, size_t n,
                  const struct etm_request_match *all,
                  struct etm_request_match blocks[2])
{
    uint32_t middle = all->from + (uint32_t)(size_of(all) / 2);

    return size_of(all) > 1 &&
           enclose(parts, n, all->from, middle - 1, &blocks[0]) &&
           enclose(parts, n, middle, all->to, &blocks[1]) &&
           (size_of(&blocks[0]) + size_of(&blocks[1]) < size_of(all) ||
            !is_block(all));
}

int etm_plan_dwt_cover(struct etm_plan *p,
                       const struct etm_request_match *parts, size_t n,
                       unsigned most, struct etm_request_match blocks[2])
{
    struct etm_request_match all;
    bool filled = true;
    int count = 1;

    if (!enclose(parts, n, 0, UINT32_MAX, &all))
        return 0;
    if (most > 1 && halve(parts, n, &all, blocks)) {
        p->halves = true;
        count = 2;
    } else {
        blocks[0] = all;
    }
    for (int i = 0; i < count; i++) {
        if (!is_block(&blocks[i]))
            return refuse_cover(p, parts, n);
        filled = filled && is_filled(parts, n, &blocks[i]);
    }
    if (!filled)
        note_blocks(p, "", blocks, (size_t)count,
                    count == 1 ? " is traced, more than was asked for"
                               : " are traced, more than was asked for");
    return count;
}

/* The largest block from `from` to `to`. */
static bool find_inner(uint64_t from, uint64_t to,
                       struct etm_request_match *block)
{
    for (unsigned bits = ETM_DWT_MOST_MASK + 1; bits-- != 0 && from <= to;) {
        uint64_t size = UINT64_C(1) << bits;
        uint64_t at = (from + size - 1) & ~(size - 1);

        if (at + size - 1 > to)
            continue;
        *block = block_at((uint32_t)at, bits);
        return true;
    }
    return false;
}

/* After one block in a part: the larger one that is left before or behind it.
 */
static bool find_second(const struct etm_request_match *part,
                        const struct etm_request_match *first,
                        struct etm_request_match *second)
{
    struct etm_request_match behind;
    bool any = first->from != 0 &&
               find_inner(part->from, (uint64_t)first->from - 1, second);

    if (!find_inner((uint64_t)first->to + 1, last_of(part), &behind))
        return any;
    if (!any || size_of(&behind) > size_of(second))
        *second = behind;
    return true;
}

int etm_plan_dwt_fill(struct etm_plan *p, const struct etm_request_match *parts,
                      size_t n, unsigned most,
                      struct etm_request_match blocks[2])
{
    uint64_t asked = 0, held = 0;
    size_t count = n;

    if (n > most)
        return etm_plan_refuse(
            p, ETM_ERR_UNSUPPORTED,
            "an event joins two resources: the DWT's comparators, in place of "
            "address comparators, can leave out two regions, or one if there "
            "is another condition (3.6.2)");
    for (size_t i = 0; i < n; i++)
        (void)find_inner(parts[i].from, last_of(&parts[i]), &blocks[i]);
    if (n == 1 && most > 1 && find_second(&parts[0], &blocks[0], &blocks[1])) {
        p->halves = true;
        count = 2;
    }
    for (size_t i = 0; i < n; i++)
        asked += size_of(&parts[i]);
    for (size_t i = 0; i < count; i++)
        held += size_of(&blocks[i]);
    if (held != asked)
        note_blocks(p, "of what is to be left out, only ", blocks, count,
                    count == 1 ? " is" : " are");
    return (int)count;
}
