/* SPDX-License-Identifier: Apache-2.0 */
/* etm coverage: where the first gaps of a source are. Only the elements around
 * them are decoded again, with ranges. */
#include "cli/coverage.h"

#include <inttypes.h>
#include <string.h>

/* Bytes before a gap in which the code before it is looked for. */
#define BEFORE 4096u

static bool is_gap(const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_LOST || e->kind == ETM_ELEMENT_NO_IMAGE ||
           (e->kind == ETM_ELEMENT_TRACE_ON &&
            e->u.trace_on.reason != ETM_TRACE_ON_DEBUG_EXIT);
}

/* In an element the reasons of both kinds are in one place. */
static struct etm_cli_gap gap_of(const struct etm_element *e)
{
    return (struct etm_cli_gap){
        .offset = e->offset,
        .kind = e->kind,
        .reason = e->kind == ETM_ELEMENT_TRACE_ON ? e->u.trace_on.reason
                  : e->kind == ETM_ELEMENT_LOST   ? e->u.lost.reason
                                                  : 0};
}

static bool is_same(const struct etm_cli_gap *a, const struct etm_cli_gap *b)
{
    return a->offset == b->offset && a->kind == b->kind &&
           a->reason == b->reason;
}

void etm_cli_gaps_note(struct etm_cli_gaps *gaps,
                       const struct etm_element *elements, size_t n)
{
    for (size_t i = 0; i < n && gaps->n < ETM_CLI_GAPS; i++)
        if (is_gap(&elements[i]))
            gaps->gaps[gaps->n++] = gap_of(&elements[i]);
}

void etm_cli_gaps_join(struct etm_cli_gaps *gaps,
                       const struct etm_cli_gaps *later)
{
    for (size_t i = 0; i < later->n && gaps->n < ETM_CLI_GAPS; i++)
        gaps->gaps[gaps->n++] = later->gaps[i];
}

/* Looking for the code before and after a gap. */
struct placing {
    struct etm_cli_gap *gap;
    bool found; /* the gap itself */
};

static int place_elements(void *context, const struct etm_element *elements,
                          size_t n)
{
    struct placing *p = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];
        struct etm_cli_gap gap;

        if (e->kind == ETM_ELEMENT_RANGE) {
            if (p->found) {
                p->gap->to = e->u.range.start;
                p->gap->to_known = true;
                return ETM_ERR_STOPPED;
            }
            p->gap->from = e->u.range.last_address;
            p->gap->from_known = true;
        } else if (!p->found && is_gap(e)) {
            gap = gap_of(e);
            p->found = is_same(&gap, p->gap);
            /* what came before another gap was not right before this one */
            p->gap->from_known &= p->found;
        }
    }
    return ETM_OK;
}

/* Offsets are places in the capture if there is one buffer, of bytes. */
static bool has_places(const struct etm_session *session, size_t source)
{
    size_t buffer = etm_session_source_buffer(session, source, 0);
    const struct etm_buffer_info *info =
        buffer != SIZE_MAX ? etm_session_buffer(session, buffer) : NULL;

    return info && etm_session_source(session, source)->n_buffers == 1 &&
           info->framing != ETM_FRAMING_PORT;
}

static void find_places(struct etm_cli_gaps *gaps,
                        const struct etm_session *session, size_t source)
{
    if (!has_places(session, source))
        return;
    for (size_t i = 0; i < gaps->n; i++) {
        struct etm_cli_gap *gap = &gaps->gaps[i];
        struct placing placing = {.gap = gap};
        struct etm_diag diag;
        const struct etm_session_run run = {
            .size = sizeof run,
            .level = ETM_LEVEL_RANGES,
            .elements = place_elements,
            .context = &placing,
            .begin = gap->offset > BEFORE ? gap->offset - BEFORE : 0};

        /* what it does not find is not shown, nor what a pipe had */
        (void)etm_session_run_source(session, source, &run, &diag);
        gap->from_known &= placing.found;
    }
}

/* "main+0x10 (main.c:5)" */
static void put_place(struct etm_cli_output *output,
                      const struct etm_names *names, uint32_t address)
{
    struct etm_source_line line;
    struct etm_symbol symbol;

    if (names->symbol(names->context, address, &symbol) == ETM_OK) {
        etm_cli_put_name(output, symbol.name);
        if (symbol.offset != 0)
            etm_cli_print(output, "+0x%x", (unsigned)symbol.offset);
    } else {
        etm_cli_print(output, "0x%08x", (unsigned)address);
    }
    if (names->line(names->context, address, &line) != ETM_OK)
        return;
    etm_cli_put(output, " (", 2);
    etm_cli_put_name(output, line.file);
    etm_cli_print(output, ":%u)", (unsigned)line.line);
}

static const char *what_of(const struct etm_cli_gap *gap)
{
    if (gap->kind == ETM_ELEMENT_NO_IMAGE)
        return "unknown code";
    if (gap->kind == ETM_ELEMENT_LOST)
        return etm_lost_name((enum etm_lost_reason)gap->reason);
    return gap->reason == ETM_TRACE_ON_OVERFLOW ? "overflow" : "off";
}

static void put_gap(struct etm_cli_output *output,
                    const struct etm_names *names,
                    const struct etm_cli_gap *gap)
{
    etm_cli_print(output, "%7" PRIx64 "  %-14s", gap->offset, what_of(gap));
    if (gap->from_known) {
        etm_cli_put(output, "  after ", 8);
        put_place(output, names, gap->from);
    }
    if (gap->to_known) {
        etm_cli_put(output, "  until ", 8);
        put_place(output, names, gap->to);
    }
    etm_cli_put(output, "\n", 1);
}

void etm_cli_gaps_print(struct etm_cli_gaps *gaps, const struct etm_gaps *sums,
                        const struct etm_session_names *named,
                        struct etm_cli_output *output)
{
    struct etm_session_names own = *named;
    struct etm_names names = etm_session_names_of(&own);
    uint64_t all = etm_gaps_count(sums);
    size_t from = 0;

    /* where tracing begins is none */
    while (sums->began && from < gaps->n &&
           gaps->gaps[from].kind != ETM_ELEMENT_TRACE_ON)
        from++;
    if (sums->began && from < gaps->n &&
        gaps->gaps[from].reason == ETM_TRACE_ON_START) {
        memmove(&gaps->gaps[from], &gaps->gaps[from + 1],
                (gaps->n - from - 1) * sizeof *gaps->gaps);
        gaps->n--;
    }
    if (gaps->n == 0)
        return;
    if (gaps->n == ETM_CLI_GAPS)
        gaps->n--;
    find_places(gaps, named->session, named->source);
    for (size_t i = 0; i < gaps->n; i++)
        put_gap(output, &names, &gaps->gaps[i]);
    if (all > gaps->n)
        etm_cli_print(output, "         and %" PRIu64 " more\n", all - gaps->n);
    etm_cli_put(output, "\n", 1);
    (void)etm_cli_flush(output); /* a listing is written past it */
}
