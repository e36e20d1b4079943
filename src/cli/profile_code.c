/* SPDX-License-Identifier: Apache-2.0 */
/* etm profile --by address, line, file: what code costs itself. */
#include "cli/executed.h"
#include "cli/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool by(const struct etm_cli_options *o, const char *what)
{
    return o->view.by && strcmp(o->view.by, what) == 0;
}

static bool fits(const struct etm_cli_options *o)
{
    return by(o, "address") || by(o, "line") || by(o, "file");
}

static int take_elements(struct etm_cli_replay *r,
                         const struct etm_element *elements, size_t n)
{
    return etm_cli_executed_count(r->state, elements, n);
}

static int by_place(const void *x, const void *y)
{
    const struct etm_cli_executed_row *a = x, *b = y;
    int order = strcmp(a->line.file, b->line.file);

    if (order == 0)
        order = (a->line.line > b->line.line) - (a->line.line < b->line.line);
    return order;
}

static int by_instructions(const void *x, const void *y)
{
    const struct etm_cli_executed_row *a = x, *b = y;
    uint64_t n = a->cost.instructions, m = b->cost.instructions;
    uint32_t p = a->element.u.insn.address, q = b->element.u.insn.address;

    if (n != m)
        return (n < m) - (n > m);
    if (by_place(a, b) != 0)
        return by_place(a, b);
    return (p > q) - (p < q);
}

static int by_cycles(const void *x, const void *y)
{
    const struct etm_cli_executed_row *a = x, *b = y;
    uint64_t n = a->cost.cycles, m = b->cost.cycles;

    return n != m ? (n < m) - (n > m) : by_instructions(x, y);
}

/* Rows of one line, or of one file, become one. */
static void join(struct etm_cli_executed *x, bool files)
{
    size_t n = 0;

    for (size_t i = 0; files && i < x->n; i++)
        x->rows[i].line.line = 0;
    qsort(x->rows, x->n, sizeof *x->rows, by_place);
    for (size_t i = 0; i < x->n; i++) {
        if (n != 0 && by_place(&x->rows[n - 1], &x->rows[i]) == 0) {
            x->rows[n - 1].cost.instructions += x->rows[i].cost.instructions;
            x->rows[n - 1].cost.cycles += x->rows[i].cost.cycles;
        } else {
            x->rows[n++] = x->rows[i];
        }
    }
    x->n = n;
}

static void arrange(struct etm_cli_replay *r)
{
    struct etm_cli_executed *x = r->state;

    if (x->n == 0)
        return;
    etm_cli_executed_order(x);
    etm_cli_executed_lines(x, &r->names);
    if (!by(r->options, "address"))
        join(x, by(r->options, "file"));
    qsort(x->rows, x->n, sizeof *x->rows,
          r->cycles ? by_cycles : by_instructions);
}

static void put_symbol(struct etm_cli_replay *r, uint32_t address)
{
    struct etm_symbol symbol;

    if (r->names.symbol(r->names.context, address, &symbol) != ETM_OK)
        return;
    etm_cli_put(r->output, "  ", 2);
    etm_cli_put_name(r->output, symbol.name);
    if (symbol.offset != 0)
        etm_cli_print(r->output, "+0x%x", (unsigned)symbol.offset);
}

static void put_place(struct etm_cli_replay *r,
                      const struct etm_source_line *line)
{
    etm_cli_put(r->output, "  ", 2);
    etm_cli_put_name(r->output, line->file);
    if (line->line != 0)
        etm_cli_print(r->output, ":%u", (unsigned)line->line);
    if (line->text && by(r->options, "line")) {
        etm_cli_put(r->output, "  ", 2);
        etm_cli_put_name(r->output, line->text);
    }
}

static int end_text(struct etm_cli_replay *r)
{
    struct etm_cli_executed *x = r->state;
    struct etm_call_cost all = etm_calls_cost(r->calls);
    uint64_t whole = etm_cli_in_unit(r, all) -
                     (r->cycles ? etm_calls_gap_cycles(r->calls) : 0);
    char title[256];

    arrange(r);
    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n%8s%14s", title, "self", "insns");
    if (r->cycles)
        etm_cli_print(r->output, "%14s", "cycles");
    etm_cli_print(r->output, "  %s\n", r->options->view.by);
    for (size_t i = 0; i < x->n; i++) {
        const struct etm_cli_executed_row *row = &x->rows[i];

        etm_cli_print(r->output, "%7.2f%%%14" PRIu64,
                      100.0 * (double)etm_cli_in_unit(r, row->cost) /
                          (double)(whole != 0 ? whole : 1),
                      row->cost.instructions);
        if (r->cycles)
            etm_cli_print(r->output, "%14" PRIu64, row->cost.cycles);
        if (by(r->options, "address")) {
            etm_cli_print(r->output, "  %08x",
                          (unsigned)row->element.u.insn.address);
            put_symbol(r, row->element.u.insn.address);
        }
        put_place(r, &row->line);
        etm_cli_put(r->output, "\n", 1);
    }
    etm_cli_put(r->output, "\n", 1);
    etm_cli_executed_free(x);
    return ETM_OK;
}

static void put_jsonl(struct etm_cli_replay *r,
                      const struct etm_cli_executed_row *row)
{
    bool known = row->line.file[0] != '[';

    etm_cli_print(r->output, "{\"k\":\"%s\",\"src\":%u", r->options->view.by,
                  r->info->id);
    if (by(r->options, "address")) {
        uint32_t address = row->element.u.insn.address;
        struct etm_symbol symbol = {.name = NULL};

        etm_cli_print(r->output, ",\"addr\":\"0x%08x\"", (unsigned)address);
        if (r->names.symbol(r->names.context, address, &symbol) != ETM_OK)
            symbol.name = NULL;
        etm_cli_json_text(r->output, "symbol", symbol.name);
    }
    etm_cli_json_text(r->output, "file", known ? row->line.file : NULL);
    if (by(r->options, "file"))
        ; /* of all its lines */
    else if (known)
        etm_cli_print(r->output, ",\"line\":%u", (unsigned)row->line.line);
    else
        etm_cli_print(r->output, ",\"line\":null");
    etm_cli_print(r->output, ",\"self\":%" PRIu64, row->cost.instructions);
    if (r->cycles)
        etm_cli_print(r->output, ",\"self_cycles\":%" PRIu64, row->cost.cycles);
    else
        etm_cli_print(r->output, ",\"self_cycles\":null");
    if (by(r->options, "address")) {
        bool told = (row->element.u.insn.flags & ETM_INSN_CONDITIONAL) != 0 &&
                    row->passed + row->failed != 0;

        etm_cli_json_number(r->output, "passed", told, row->passed);
        etm_cli_json_number(r->output, "failed", told, row->failed);
    }
    etm_cli_put(r->output, "}\n", 2);
}

static int end_jsonl(struct etm_cli_replay *r)
{
    struct etm_cli_executed *x = r->state;

    arrange(r);
    for (size_t i = 0; i < x->n; i++)
        put_jsonl(r, &x->rows[i]);
    etm_cli_executed_free(x);
    return ETM_OK;
}

static void free_code(struct etm_cli_replay *r)
{
    etm_cli_executed_free(r->state);
}

const struct etm_cli_view etm_cli_profile_code_text = {
    .command = ETM_CLI_PROFILE,
    .format = "text",
    .state_size = sizeof(struct etm_cli_executed),
    .fits = fits,
    .elements = take_elements,
    .end_source = end_text,
    .free = free_code,
};

const struct etm_cli_view etm_cli_profile_code_jsonl = {
    .command = ETM_CLI_PROFILE,
    .format = "jsonl",
    .state_size = sizeof(struct etm_cli_executed),
    .fits = fits,
    .elements = take_elements,
    .end_source = end_jsonl,
    .free = free_code,
};
