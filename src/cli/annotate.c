/* SPDX-License-Identifier: Apache-2.0 */
/* etm profile --annotate: the source and the instructions of a function, also
 * those that never ran, with what each costs. The instructions are those of a
 * listing. */
#include "cli/executed.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of a line of a listing: the offset in the capture, which means nothing
 * here. */
#define OFFSET_COLUMN 8u

struct annotation {
    struct etm_cli_executed executed; /* of the source */
    struct etm_cli_executed code;     /* of the functions; without its index */
    struct etm_listing *listing;
    struct etm_cli_replay *replay;
    const struct etm_cli_executed_row *row; /* that is being listed */
    char line[4096];                        /* that is being written */
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

static void put_line(struct annotation *a)
{
    struct etm_cli_replay *r = a->replay;
    bool instruction =
        a->n > OFFSET_COLUMN && a->line[OFFSET_COLUMN - 1] == '0';

    if (instruction) {
        put_count(r, a->row->cost.instructions, a->row->cost.cycles);
        put_condition(r, a->row);
        etm_cli_put(r->output, a->line + OFFSET_COLUMN, a->n - OFFSET_COLUMN);
        etm_cli_put(r->output, "\n", 1);
    }
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

static bool add(struct etm_cli_executed *code,
                const struct etm_cli_executed_row *row)
{
    if (code->n == code->room) {
        size_t room = code->room != 0 ? 2 * code->room : 256;
        struct etm_cli_executed_row *rows =
            realloc(code->rows, room * sizeof *rows);

        if (!rows)
            return false;
        code->rows = rows;
        code->room = room;
    }
    code->rows[code->n++] = *row;
    return true;
}

/* The instruction at an address, of the set that the mapping symbols tell or
 * else `isa`; false: there is none. */
static bool read_insn(const struct etm_cli_replay *r, uint32_t address,
                      enum etm_isa isa, struct etm_element *e)
{
    uint8_t code[4];
    size_t n = etm_session_read(r->session, r->source, address, NULL, code,
                                sizeof code);
    uint32_t low, high;

    (void)etm_session_isa(r->session, r->source, address, &isa);
    if (n < 2 || (isa != ETM_ISA_THUMB && isa != ETM_ISA_ARM))
        return false;
    low = code[0] | (uint32_t)code[1] << 8;
    high = n >= 4 ? code[2] | (uint32_t)code[3] << 8 : 0;
    *e = (struct etm_element){.kind = ETM_ELEMENT_INSN, .source = r->info->id};
    e->u.insn.address = address;
    e->u.insn.isa = (uint8_t)isa;
    e->u.insn.size = isa == ETM_ISA_THUMB && low < 0xe800 ? 2 : 4;
    e->u.insn.opcode = low;
    if (isa == ETM_ISA_ARM)
        e->u.insn.opcode = high << 16 | low;
    else if (e->u.insn.size == 4)
        e->u.insn.opcode = low << 16 | high;
    return n >= e->u.insn.size;
}

/* The code of the function that row `i` of what was executed is in; the next
 * row is *i. */
static int take_function(struct etm_cli_replay *r, size_t *i)
{
    struct annotation *a = r->state;
    const struct etm_cli_executed *x = &a->executed;
    struct etm_symbol function, symbol;
    uint32_t address = x->rows[*i].element.u.insn.address;
    enum etm_isa isa = (enum etm_isa)x->rows[*i].element.u.insn.isa;

    if (r->names.symbol(r->names.context, address, &function) != ETM_OK)
        return ETM_OK;
    address -= function.offset;
    function.offset = 0;
    while (r->names.symbol(r->names.context, address, &symbol) == ETM_OK &&
           symbol.offset == function.offset &&
           strcmp(symbol.name, function.name) == 0) {
        const struct etm_cli_executed_row *row =
            *i < x->n ? &x->rows[*i] : NULL;
        struct etm_cli_executed_row never = {.cost = {0}};
        uint32_t size = 2; /* of data, a part of them */

        if (row && row->element.u.insn.address == address) {
            size = row->element.u.insn.size;
            isa = (enum etm_isa)row->element.u.insn.isa;
            ++*i;
        } else if (read_insn(r, address, isa, &never.element)) {
            row = &never;
            size = never.element.u.insn.size;
        } else {
            row = NULL;
        }
        if (row && !add(&a->code, row))
            return ETM_ERR_MEMORY;
        address += size;
        function.offset += size;
        while (*i < x->n && x->rows[*i].element.u.insn.address < address)
            ++*i; /* within an instruction: two programs at one place */
    }
    return ETM_OK;
}

/* Where the next function without a symbol begins. */
static uint32_t next_function(const struct etm_cli_replay *r, uint32_t address)
{
    uint32_t next = UINT32_MAX;

    for (size_t i = 0; i < etm_calls_functions(r->calls); i++) {
        uint32_t other = etm_calls_function(r->calls, i)->address;

        next = other > address && other < next ? other : next;
    }
    return next;
}

/* The code of a function without a symbol: what ran from there on, up to the
 * next one, and what is between. */
static int take_nameless(struct etm_cli_replay *r, uint32_t address)
{
    struct annotation *a = r->state;
    const struct etm_cli_executed *x = &a->executed;
    uint32_t end = next_function(r, address);
    enum etm_isa isa = ETM_ISA_UNKNOWN;
    size_t i = 0;

    while (i < x->n && x->rows[i].element.u.insn.address < address)
        i++;
    while (i < x->n && x->rows[i].element.u.insn.address < end) {
        const struct etm_cli_executed_row *row = &x->rows[i];
        struct etm_cli_executed_row never = {.cost = {0}};

        if (row->element.u.insn.address <= address) {
            isa = (enum etm_isa)row->element.u.insn.isa;
            i++;
        } else if (read_insn(r, address, isa, &never.element)) {
            row = &never;
        } else {
            break;
        }
        if (!add(&a->code, row))
            return ETM_ERR_MEMORY;
        address = row->element.u.insn.address + row->element.u.insn.size;
    }
    return ETM_OK;
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
    etm_cli_put_plain(r->output, first->line.file, strlen(first->line.file));
    etm_cli_print(r->output, ":%u", (unsigned)first->line.line);
    if (first->line.text) {
        etm_cli_put(r->output, "  ", 2);
        etm_cli_put_plain(r->output, first->line.text,
                          strlen(first->line.text));
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
    etm_cli_put_plain(r->output, symbol.name, strlen(symbol.name));
    etm_cli_put(r->output, ">:\n", 3);
}

static int put_code(struct etm_cli_replay *r)
{
    struct annotation *a = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < a->code.n && status == ETM_OK; i++) {
        struct etm_element e = a->code.rows[i].element;

        put_function(r, i);
        if (a->code.rows[i].line.line != 0 &&
            (i == 0 || !same_line(&a->code.rows[i], &a->code.rows[i - 1])))
            put_source(r, i);
        a->row = &a->code.rows[i];
        e.offset = 0;
        e.u.insn.exec = ETM_TRUE; /* it may have passed and failed */
        e.u.insn.type = ETM_INSN_TYPE_OTHER;
        status = etm_listing_elements(a->listing, &e, 1);
        if (status == ETM_OK)
            status = etm_listing_flush(a->listing);
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
        status = take_nameless(r, (uint32_t)address);
    while (i < a->executed.n && status == ETM_OK) {
        size_t before = i;

        if (is_wanted(r, a->executed.rows[i].element.u.insn.address))
            status = take_function(r, &i);
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
    struct etm_listing_config config = {.size = sizeof config,
                                        .format = "text",
                                        .write = take_text,
                                        .context = a};
    struct etm_listing_source source = {.size = sizeof source,
                                        .config = &r->info->config,
                                        .names = r->names,
                                        .id = r->info->id};
    int status = etm_listing_new(&a->listing, &config);

    a->replay = r;
    etm_cli_executed_order(&a->executed);
    if (status == ETM_OK)
        status = etm_listing_begin(a->listing, &source);
    if (status == ETM_OK)
        status = list(r);
    etm_listing_free(a->listing);
    a->listing = NULL;
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
