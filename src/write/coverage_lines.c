/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage: how often lines were executed. Code is executed in ranges, and each
 * time that one leads into a line from another line counts; so does each round
 * of a loop within a line. Two parts of a `for` add up, and a condition of
 * several branches counts once. This is what gcov counts in code that was not
 * optimized.
 *
 * Where the trace breaks off within a line, what leads on has no range, and one
 * execution would be missing. So no line has less than that instruction of it
 * which was executed most.
 */
#include "write/coverage.h"

#include <stdlib.h>
#include <string.h>

/* A line of which there is code; `stretch` is the first one of it. */
struct line {
    const struct etm_line_range *stretch;
    uint64_t n;    /* executions, modulo 2^64 */
    uint64_t most; /* of one instruction */
    uint64_t row;  /* the last range that led into it */
};

struct entering {
    struct etm_covering *covering;
    struct etm_vec lines;   /* struct line */
    struct etm_vec numbers; /* uint32_t: the line of each stretch */
    struct etm_vec leaders; /* uint32_t: where ranges begin and end, in order */
    uint64_t row;           /* the number of the range at hand, from 1 */
};

static int compare_lines(const void *a, const void *b)
{
    const struct etm_line_range *x = *(const struct etm_line_range *const *)a;
    const struct etm_line_range *y = *(const struct etm_line_range *const *)b;

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->file == y->file ? 0 : strcmp(x->file, y->file);
}

/* Number the lines. */
static int number(struct entering *e)
{
    const struct etm_covering *c = e->covering;
    const struct etm_line_range *all = c->stretches.data;
    const struct etm_line_range **order;
    struct etm_vec pointers;
    uint32_t *numbers;
    size_t n = c->stretches.n;
    int status;

    etm_vec_init(&pointers, sizeof all, &c->stretches.allocator);
    status = etm_vec_reserve(&pointers, n);
    if (status == ETM_OK)
        status = etm_vec_reserve(&e->numbers, n);
    order = pointers.data;
    numbers = e->numbers.data;
    for (size_t i = 0; i < n && status == ETM_OK; i++)
        order[i] = &all[i];
    if (status == ETM_OK && n != 0)
        qsort(order, n, sizeof *order, compare_lines);
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        struct line line = {.stretch = order[i]};

        if (i == 0 || compare_lines(&order[i - 1], &order[i]) != 0)
            status = etm_vec_append(&e->lines, &line, 1);
        numbers[order[i] - all] = (uint32_t)e->lines.n - 1;
    }
    etm_vec_fini(&pointers);
    return status;
}

/* The first element of an array of addresses behind `address`. */
static size_t behind(const uint32_t *all, size_t n, uint32_t address)
{
    size_t low = 0;

    while (low < n) {
        size_t middle = low + (n - low) / 2;

        if (all[middle] <= address)
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static int take_leaders(void *context, const struct etm_count *count)
{
    struct entering *e = context;
    const uint32_t both[2] = {count->start, count->end};

    return etm_vec_append(&e->leaders, both, 2);
}

static void order_leaders(struct entering *e)
{
    uint32_t *all = e->leaders.data;
    size_t kept = 0;

    if (e->leaders.n != 0)
        qsort(all, e->leaders.n, sizeof *all, etm_covering_compare);
    for (size_t i = 0; i < e->leaders.n; i++)
        if (kept == 0 || all[kept - 1] != all[i])
            all[kept++] = all[i];
    e->leaders.n = kept;
}

/* Each line of a range was executed with it; one with several statements apart
 * from each other as often as there are. */
static void enter(struct entering *e, const struct etm_count *count)
{
    const struct etm_covering *c = e->covering;
    const struct etm_line_range *all = c->stretches.data;
    const uint32_t *numbers = e->numbers.data;
    struct line *lines = e->lines.data;
    uint32_t before = UINT32_MAX;

    for (size_t i = etm_covering_stretch(c, count->start);
         i < c->stretches.n && all[i].start < count->end; i++) {
        struct line *line = &lines[numbers[i]];

        if (numbers[i] != before &&
            (line->row != e->row ||
             (all[i].statement && all[i].start >= count->start)))
            line->n += count->n;
        line->row = e->row;
        before = numbers[i];
    }
}

/* Is an indirect branch the call of an Armv4 processor, "mov lr, pc" and "bx"
 * or "mov pc"? */
static bool is_old_call(const struct entering *e, const struct etm_count *count)
{
    static const uint8_t mov_lr_pc[4] = {0x0f, 0xe0, 0xa0, 0xe1};
    const struct etm_image *image = e->covering->source->image;
    uint8_t bytes[4];

    return image && count->isa == ETM_ISA_ARM &&
           etm_image_read(image, count->last_address - 4, NULL, bytes,
                          sizeof bytes) == sizeof bytes &&
           memcmp(bytes, mov_lr_pc, sizeof bytes) == 0;
}

/* Is all of a range of one line? */
static bool is_one_line(const struct entering *e, const struct etm_count *count)
{
    const struct etm_covering *c = e->covering;
    const struct etm_line_range *all = c->stretches.data;
    const uint32_t *numbers = e->numbers.data;
    size_t first = etm_covering_stretch(c, count->start), i = first;

    while (i < c->stretches.n && all[i].start < count->end &&
           numbers[i] == numbers[first])
        i++;
    return i == c->stretches.n || all[i].start >= count->end;
}

/* Where a range leads to without having been elsewhere; behind a call that is
 * where it returns to. False: not known, or it is a round of a loop within a
 * line. */
static bool leads_on(const struct entering *e, const struct etm_count *count,
                     uint32_t *to)
{
    bool branch = count->last_type == ETM_INSN_TYPE_DIRECT ||
                  count->last_type == ETM_INSN_TYPE_INDIRECT;
    struct etm_insn insn;

    *to = count->end;
    if (!branch || count->last_exec == ETM_FALSE ||
        (count->last_flags & ETM_INSN_LINK) != 0)
        return true;
    if (count->last_type == ETM_INSN_TYPE_INDIRECT)
        return is_old_call(e, count);
    if (!etm_covering_read(e->covering, count->last_address,
                           (enum etm_isa)count->isa, &insn))
        return false;
    *to = insn.target;
    return insn.target > count->last_address || !is_one_line(e, count);
}

/* Mark the lines between two addresses with the number of the range. */
static void mark(struct entering *e, uint32_t start, uint32_t end)
{
    const struct etm_line_range *all = e->covering->stretches.data;
    const uint32_t *numbers = e->numbers.data;
    struct line *lines = e->lines.data;

    for (size_t i = etm_covering_stretch(e->covering, start);
         i < e->covering->stretches.n && all[i].start < end; i++)
        lines[numbers[i]].row = e->row;
}

/* Lines between two addresses that are marked were not entered there: each n
 * times less. */
static void leave_out(struct entering *e, uint32_t start, uint32_t end,
                      uint64_t n)
{
    const struct etm_line_range *all = e->covering->stretches.data;
    const uint32_t *numbers = e->numbers.data;
    struct line *lines = e->lines.data;

    for (size_t i = etm_covering_stretch(e->covering, start);
         i < e->covering->stretches.n && all[i].start < end; i++) {
        if (lines[numbers[i]].row == e->row)
            lines[numbers[i]].n -= n;
        lines[numbers[i]].row = 0;
    }
}

static int take_row(void *context, const struct etm_count *count)
{
    struct entering *e = context;
    const uint32_t *leaders = e->leaders.data;
    size_t n = e->leaders.n, last, next;
    uint32_t to;

    e->row++;
    enter(e, count);
    if (!leads_on(e, count, &to))
        return ETM_OK;
    /* from the last basic block of the range to the first one there */
    last = behind(leaders, n, count->last_address) - 1;
    next = behind(leaders, n, to);
    e->row++;
    mark(e, leaders[last], count->end);
    leave_out(e, to, next < n ? leaders[next] : to + 1, count->n);
    return ETM_OK;
}

static int give(struct entering *e)
{
    struct etm_covering *c = e->covering;
    const struct etm_line_range *all = c->stretches.data;
    const uint32_t *numbers = e->numbers.data;
    struct line *lines = e->lines.data;
    int status = ETM_OK;

    for (size_t i = 0; i < c->stretches.n; i++) {
        uint64_t n = etm_covering_most(c, all[i].start, all[i].end);

        if (n > lines[numbers[i]].most)
            lines[numbers[i]].most = n;
    }
    for (size_t i = 0; i < e->lines.n && status == ETM_OK; i++) {
        const struct line *line = &lines[i];
        struct etm_covered covered = {.kind = ETM_COVERED_LINE,
                                      .file = line->stretch->file,
                                      .line = line->stretch->line,
                                      .n = line->n};

        /* a number below 0 is a very large one */
        if (line->n < line->most || line->n > INT64_MAX)
            covered.n = line->most;
        status = etm_covering_add(c, &covered, false);
    }
    return status;
}

int etm_covering_entries(struct etm_covering *c,
                         const struct etm_counts *counts)
{
    const struct etm_allocator *a = &c->stretches.allocator;
    struct entering e = {.covering = c};
    int status;

    if (c->stretches.n == 0)
        return ETM_OK;
    etm_vec_init(&e.lines, sizeof(struct line), a);
    etm_vec_init(&e.numbers, sizeof(uint32_t), a);
    etm_vec_init(&e.leaders, sizeof(uint32_t), a);
    status = number(&e);
    if (status == ETM_OK)
        status = etm_counts_walk(counts, take_leaders, &e);
    order_leaders(&e);
    if (status == ETM_OK)
        status = etm_counts_walk(counts, take_row, &e);
    if (status == ETM_OK)
        status = give(&e);
    etm_vec_fini(&e.lines);
    etm_vec_fini(&e.numbers);
    etm_vec_fini(&e.leaders);
    return status;
}
