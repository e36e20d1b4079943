/* SPDX-License-Identifier: Apache-2.0 */
/* A frame of etm top, as text and as a line of JSON Lines. */
#include "cli/top.h"

#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* To the upper left corner of the terminal, and clear it. */
#define HOME "\033[H\033[J"

/* Rows in the order in which they are shown, by what they have now and then by
 * all that they have. */
static int by_weight(const void *a, const void *b)
{
    const struct etm_cli_top_row *x = *(const struct etm_cli_top_row *const *)a;
    const struct etm_cli_top_row *y = *(const struct etm_cli_top_row *const *)b;

    if (x->now != y->now)
        return (x->now < y->now) - (x->now > y->now);
    if (x->all != y->all)
        return (x->all < y->all) - (x->all > y->all);
    return (x->address > y->address) - (x->address < y->address);
}

/* The caller frees them; NULL: out of memory. */
static const struct etm_cli_top_row **order(const struct etm_cli_top_rows *r)
{
    const struct etm_cli_top_row **rows =
        malloc((r->n + 1) * sizeof(const struct etm_cli_top_row *));

    if (!rows)
        return NULL;
    for (size_t i = 0; i < r->n; i++)
        rows[i] = &r->rows[i];
    qsort(rows, r->n, sizeof *rows, by_weight);
    return rows;
}

static const char *unit_of(const struct etm_cli_top *top)
{
    return top->samples ? "samples" : top->cycles ? "cycles" : "instructions";
}

static double share(uint64_t part, uint64_t all)
{
    return all != 0 ? 100.0 * (double)part / (double)all : 0.0;
}

static const char *name_of(const struct etm_cli_top *top,
                           const struct etm_cli_top_frame *f,
                           const struct etm_cli_top_row *row)
{
    return row->name ? etm_cli_demangle(f->demangler,
                                        (size_t)(row - top->functions.rows),
                                        row->name, false)
                     : NULL;
}

static void put_function(const struct etm_cli_top *top,
                         const struct etm_cli_top_frame *f,
                         const struct etm_cli_top_row *row)
{
    const char *name = name_of(top, f, row);

    etm_cli_print(f->output, "%7.2f%%%7.2f%%%14" PRIu64,
                  share(row->now, top->now), share(row->all, top->all),
                  row->all);
    if (!top->samples)
        etm_cli_print(f->output, "%10" PRIu64, row->calls);
    etm_cli_print(f->output, "  ");
    if (name)
        etm_cli_put_plain(f->output, name, strlen(name));
    else
        etm_cli_print(f->output, "0x%08x", (unsigned)row->address);
    etm_cli_put(f->output, "\n", 1);
}

static void put_head(const struct etm_cli_top *top,
                     const struct etm_cli_top_frame *f)
{
    char title[256];

    if (f->in_place)
        etm_cli_print(f->output, HOME);
    etm_cli_title(f->info, title, sizeof title);
    etm_cli_put_plain(f->output, title, strlen(title));
    etm_cli_print(f->output,
                  "\n%" PRIu64 " %s, of which %" PRIu64 " now; %" PRIu64
                  " place%s with losses, of which %" PRIu64 " now\n",
                  top->all, unit_of(top), top->now, etm_cli_top_lost(top),
                  etm_cli_plural(etm_cli_top_lost(top)),
                  etm_cli_top_lost(top) - top->lost_before);
    etm_cli_print(f->output, "%8s%8s%14s%s  function\n", "now", "all",
                  unit_of(top), top->samples ? "" : "     calls");
}

static void show_text(const struct etm_cli_top *top,
                      const struct etm_cli_top_frame *f,
                      const struct etm_cli_top_row *const *functions,
                      const struct etm_cli_top_row *const *exceptions)
{
    size_t left = f->most;

    put_head(top, f);
    if (top->sleeping != 0)
        etm_cli_print(f->output, "%7.2f%%%7.2f%%%14" PRIu64 "  [sleeping]\n",
                      share(top->sleeping_now, top->now),
                      share(top->sleeping, top->all), top->sleeping);
    for (size_t i = 0; i < top->functions.n && left > 0; i++, left--)
        put_function(top, f, functions[i]);
    if (top->exceptions.n != 0)
        etm_cli_print(f->output, "%16s%14s  exception\n", "now", "all");
    for (size_t i = 0; i < top->exceptions.n && i < f->most; i++)
        etm_cli_print(f->output, "%16" PRIu64 "%14" PRIu64 "  %s\n",
                      exceptions[i]->now, exceptions[i]->all,
                      exceptions[i]->name);
    if (!f->in_place)
        etm_cli_put(f->output, "\n", 1);
}

static void show_jsonl(const struct etm_cli_top *top,
                       const struct etm_cli_top_frame *f,
                       const struct etm_cli_top_row *const *functions,
                       const struct etm_cli_top_row *const *exceptions)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < ETM_CLI_REASONS; i++)
        bytes += top->damage.bytes[i];
    etm_cli_print(f->output, "{\"k\":\"frame\",\"src\":%u", f->info->id);
    etm_cli_json_number(f->output, "n", true, f->number);
    etm_cli_json_text(f->output, "unit", unit_of(top));
    etm_cli_json_number(f->output, "now", true, top->now);
    etm_cli_json_number(f->output, "all", true, top->all);
    etm_cli_json_number(f->output, "sleeping", top->samples, top->sleeping);
    etm_cli_json_number(f->output, "lost_now", true,
                        etm_cli_top_lost(top) - top->lost_before);
    etm_cli_json_number(f->output, "lost", true, etm_cli_top_lost(top));
    etm_cli_json_number(f->output, "lost_bytes", true, bytes);
    etm_cli_print(f->output, ",\"functions\":[");
    for (size_t i = 0; i < top->functions.n && i < f->most; i++) {
        etm_cli_print(f->output, "%s{\"addr\":\"0x%08x\"", i == 0 ? "" : ",",
                      (unsigned)functions[i]->address);
        etm_cli_json_text(f->output, "name", name_of(top, f, functions[i]));
        etm_cli_json_number(f->output, "now", true, functions[i]->now);
        etm_cli_json_number(f->output, "all", true, functions[i]->all);
        etm_cli_json_number(f->output, "calls", !top->samples,
                            functions[i]->calls);
        etm_cli_put(f->output, "}", 1);
    }
    etm_cli_print(f->output, "],\"exceptions\":[");
    for (size_t i = 0; i < top->exceptions.n && i < f->most; i++)
        etm_cli_print(f->output,
                      "%s{\"name\":\"%s\",\"now\":%" PRIu64 ",\"all\":%" PRIu64
                      "}",
                      i == 0 ? "" : ",", exceptions[i]->name,
                      exceptions[i]->now, exceptions[i]->all);
    etm_cli_print(f->output, "],\"end\":%s}\n", f->end ? "true" : "false");
}

int etm_cli_top_show(struct etm_cli_top *top, const struct etm_cli_top_frame *f)
{
    const struct etm_cli_top_row **functions = order(&top->functions);
    const struct etm_cli_top_row **exceptions = order(&top->exceptions);
    bool good = functions && exceptions;

    if (good && f->jsonl)
        show_jsonl(top, f, functions, exceptions);
    else if (good)
        show_text(top, f, functions, exceptions);
    free(functions);
    free(exceptions);
    etm_cli_top_next(top);
    return good ? etm_cli_flush(f->output) : ETM_ERR_MEMORY;
}
