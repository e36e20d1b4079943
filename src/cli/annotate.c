/* SPDX-License-Identifier: Apache-2.0 */
/* etm profile --annotate: the source and the instructions of a function, with
 * what each costs. The lines are those of a listing of its instructions. */
#include "cli/executed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a line of a listing: the offset in the capture, which means nothing
 * here. */
#define OFFSET_COLUMN 8u

struct annotation {
    struct etm_cli_executed executed;
    struct etm_listing *listing;
    struct etm_cli_replay *replay;
    const struct etm_cli_executed_row *row;
    char line[4096]; /* that is being written */
    size_t n;
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

/* Is it the line of the instruction, not one of its source? */
static bool is_instruction(const struct annotation *a)
{
    return a->n > OFFSET_COLUMN && a->line[OFFSET_COLUMN - 1] == '0' &&
           strspn(a->line, " ") == OFFSET_COLUMN - 1;
}

static void put_line(struct annotation *a)
{
    struct etm_cli_replay *r = a->replay;
    struct etm_call_cost cost = a->row->cost;
    bool instruction = is_instruction(a);

    if (instruction) {
        etm_cli_print(r->output, "%12" PRIu64, cost.instructions);
        if (r->cycles)
            etm_cli_print(r->output, "%12" PRIu64, cost.cycles);
    } else {
        etm_cli_print(r->output, "%*s", r->cycles ? 24 : 12, "");
    }
    if (instruction)
        etm_cli_put(r->output, a->line + OFFSET_COLUMN, a->n - OFFSET_COLUMN);
    else
        etm_cli_put(r->output, a->line, a->n);
    etm_cli_put(r->output, "\n", 1);
    a->n = 0;
}

/* What the listing writes, line by line. */
static int take_text(void *context, const char *text, size_t n)
{
    struct annotation *a = context;

    for (size_t i = 0; i < n; i++) {
        if (text[i] == '\n')
            put_line(a);
        else if (a->n < sizeof a->line)
            a->line[a->n++] = text[i];
    }
    return ETM_OK;
}

static bool is_in(struct etm_cli_replay *r, uint32_t address)
{
    struct etm_symbol symbol;

    return r->names.symbol(r->names.context, address, &symbol) &&
           etm_cli_demangle_same(r->demangler, symbol.name,
                                 r->options->view.annotate);
}

static int list(struct etm_cli_replay *r)
{
    struct annotation *a = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < a->executed.n && status == ETM_OK; i++) {
        struct etm_element e = a->executed.rows[i].element;

        if (!is_in(r, e.u.insn.address))
            continue;
        if (!a->row) {
            char title[256];

            etm_cli_title(r->info, title, sizeof title);
            etm_cli_print(r->output, "%s\n%12s", title, "executed");
            etm_cli_print(r->output, r->cycles ? "%12s\n" : "\n", "cycles");
        }
        a->row = &a->executed.rows[i];
        a->found = true;
        e.offset = 0;
        e.u.insn.exec = ETM_TRUE; /* it may have passed and failed */
        e.u.insn.type = ETM_INSN_TYPE_OTHER;
        status = etm_listing_elements(a->listing, &e, 1);
        if (status == ETM_OK)
            status = etm_listing_flush(a->listing);
    }
    if (a->row)
        etm_cli_put(r->output, "\n", 1);
    return status;
}

static int end_source(struct etm_cli_replay *r)
{
    struct annotation *a = r->state;
    struct etm_listing_config config = {.size = sizeof config,
                                        .format = "text",
                                        .write = take_text,
                                        .context = a,
                                        .lines = true};
    struct etm_listing_source source = {.size = sizeof source,
                                        .config = &r->info->config,
                                        .names = r->names,
                                        .id = r->info->id};
    int status = etm_listing_new(&a->listing, &config);

    a->replay = r;
    a->row = NULL;
    etm_cli_executed_order(&a->executed);
    if (status == ETM_OK)
        status = etm_listing_begin(a->listing, &source);
    if (status == ETM_OK)
        status = list(r);
    etm_listing_free(a->listing);
    a->listing = NULL;
    etm_cli_executed_free(&a->executed);
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
