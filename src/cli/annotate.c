/* SPDX-License-Identifier: Apache-2.0 */
/* etm profile --annotate: the source and the instructions of a function, also
 * those that never ran, with what each costs. The instructions are those of a
 * listing. */
#include "cli/code.h"
#include "cli/disassembly.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct annotation {
    struct etm_cli_executed executed; /* of the source */
    struct etm_cli_executed code;     /* of the functions; without its index */
    struct etm_cli_disassembly disassembly;
    bool found; /* the function, in some source */
};

static bool fits(const struct etm_cli_options *o)
{
    return o->view.annotate != NULL;
}

static int take_elements(struct etm_cli_replay *r,
                         const struct etm_element *elements, size_t n)
{
    struct annotation *a = r->state;

    return etm_cli_executed_count(&a->executed, elements, n);
}

/* What ran so often; "never" stands out among numbers. */
static void put_count(struct etm_cli_replay *r, uint64_t n, uint64_t cycles)
{
    if (n == 0) {
        etm_cli_print(r->output, r->cycles ? "%12s%12s" : "%12s", "never", "");
        return;
    }
    etm_cli_print(r->output, "%12" PRIu64, n);
    if (r->cycles)
        etm_cli_print(r->output, "%12" PRIu64, cycles);
}

/* How often the condition passed, and failed; not of what has none. */
static void put_condition(struct etm_cli_replay *r,
                          const struct etm_cli_executed_row *row)
{
    if ((row->element.u.insn.flags & ETM_INSN_CONDITIONAL) == 0 ||
        row->cost.instructions == 0)
        etm_cli_print(r->output, "%20s", "");
    else if (row->passed + row->failed == 0) /* the protocol does not tell */
        etm_cli_print(r->output, "%10s%10s", "?", "?");
    else
        etm_cli_print(r->output, "%10" PRIu64 "%10" PRIu64, row->passed,
                      row->failed);
}

static void put_instruction(struct etm_cli_replay *r,
                            const struct etm_cli_executed_row *row,
                            const char *text)
{
    put_count(r, row->cost.instructions, row->cost.cycles);
    put_condition(r, row);
    etm_cli_put(r->output, text, strlen(text));
    etm_cli_put(r->output, "\n", 1);
}

static bool is_wanted(struct etm_cli_replay *r, uint32_t address)
{
    struct etm_symbol symbol;

    return r->names.symbol(r->names.context, address, &symbol) == ETM_OK &&
           etm_cli_demangle_same(r->demangler, symbol.name,
                                 r->options->view.annotate);
}

static bool same_line(const struct etm_cli_executed_row *a,
                      const struct etm_cli_executed_row *b)
{
    return a->line.line == b->line.line &&
           strcmp(a->line.file, b->line.file) == 0;
}

/* The source line of instructions from row `i` on: as often as the most
 * frequent of them, and what all cost. */
static void put_source(struct etm_cli_replay *r, size_t i)
{
    const struct annotation *a = r->state;
    const struct etm_cli_executed_row *first = &a->code.rows[i], *row;
    uint64_t most = 0, cycles = 0;

    for (row = first; row < a->code.rows + a->code.n && same_line(row, first);
         row++) {
        most = row->cost.instructions > most ? row->cost.instructions : most;
        cycles += row->cost.cycles;
    }
    put_count(r, most, cycles);
    etm_cli_print(r->output, "%20s  ", "");
    etm_cli_put_name(r->output, first->line.file);
    etm_cli_print(r->output, ":%u", (unsigned)first->line.line);
    if (first->line.text) {
        etm_cli_put(r->output, "  ", 2);
        etm_cli_put_name(r->output, first->line.text);
    }
    etm_cli_put(r->output, "\n", 1);
}

/* Another function begins at row `i`. */
static void put_function(struct etm_cli_replay *r, size_t i)
{
    const struct annotation *a = r->state;
    struct etm_symbol symbol;

    if (r->names.symbol(r->names.context,
                        a->code.rows[i].element.u.insn.address,
                        &symbol) != ETM_OK ||
        symbol.offset != 0)
        return;
    etm_cli_print(r->output, "%*s<", r->cycles ? 46 : 34, "");
    etm_cli_put_name(r->output, symbol.name);
    etm_cli_put(r->output, ">:\n", 3);
}

static int put_code(struct etm_cli_replay *r)
{
    struct annotation *a = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < a->code.n && status == ETM_OK; i++) {
        const char *text;

        put_function(r, i);
        if (a->code.rows[i].line.line != 0 &&
            (i == 0 || !same_line(&a->code.rows[i], &a->code.rows[i - 1])))
            put_source(r, i);
        status = etm_cli_disassembly_of(&a->disassembly,
                                        &a->code.rows[i].element, &text);
        if (status == ETM_OK)
            put_instruction(r, &a->code.rows[i], text);
    }
    return status;
}

static int list(struct etm_cli_replay *r)
{
    struct annotation *a = r->state;
    int status = ETM_OK;
    char title[256];
    uint64_t address;
    size_t i = 0;

    if (etm_cli_number(r->options->view.annotate, UINT32_MAX, &address))
        status =
            etm_cli_code_nameless(r, &a->executed, (uint32_t)address, &a->code);
    while (i < a->executed.n && status == ETM_OK) {
        size_t before = i;

        if (is_wanted(r, a->executed.rows[i].element.u.insn.address))
            status = etm_cli_code_function(r, &a->executed, &i, &a->code);
        i += i == before;
    }
    if (status != ETM_OK || a->code.n == 0)
        return status;
    a->found = true;
    etm_cli_executed_lines(&a->code, &r->names);
    etm_cli_title(r->info, title, sizeof title);
    etm_cli_print(r->output, "%s\n%12s", title, "executed");
    if (r->cycles)
        etm_cli_print(r->output, "%12s", "cycles");
    etm_cli_print(r->output, "%10s%10s\n", "passed", "failed");
    status = put_code(r);
    etm_cli_put(r->output, "\n", 1);
    return status;
}

static int end_source(struct etm_cli_replay *r)
{
    struct annotation *a = r->state;
    int status = etm_cli_disassembly_begin(&a->disassembly, r);

    etm_cli_executed_order(&a->executed);
    if (status == ETM_OK)
        status = list(r);
    etm_cli_disassembly_end(&a->disassembly);
    etm_cli_executed_free(&a->executed);
    etm_cli_executed_free(&a->code);
    return status;
}

static int end(struct etm_cli_replay *r)
{
    const struct annotation *a = r->state;

    if (a->found)
        return ETM_OK;
    etm_cli_error("--annotate %s: no such function was executed",
                  etm_cli_word(r->options->view.annotate));
    return ETM_ERR_NOT_FOUND;
}

static void free_annotation(struct etm_cli_replay *r)
{
    struct annotation *a = r->state;

    etm_cli_executed_free(&a->executed);
    etm_cli_executed_free(&a->code);
}

const struct etm_cli_view etm_cli_annotation = {
    .command = ETM_CLI_PROFILE,
    .format = "text",
    .state_size = sizeof(struct annotation),
    .fits = fits,
    .elements = take_elements,
    .end_source = end_source,
    .end = end,
    .free = free_annotation,
};
