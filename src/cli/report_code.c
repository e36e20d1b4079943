/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "cli/disassembly.h"
#include "cli/json.h"

#include <inttypes.h>
#include <string.h>

/* Functions of a source whose code is shown, and instructions of all sources
 * together. */
#define MOST_SHOWN 60u
#define MOST_INSNS 16000u
/* Where a function without a symbol ends is not known; one that may be longer
 * is not shown. */
#define MOST_NAMELESS 500u
/* Functions of which it is said what ran. */
#define MOST_COVERED 4000u

/* What ran of some code. */
struct extent {
    uint64_t insns, ran, lines, lines_ran;
    uint64_t branches; /* conditional ones that ran, with known outcomes */
    uint64_t both;     /* ... and both of them */
};

static bool same_line(const struct etm_cli_executed_row *a,
                      const struct etm_cli_executed_row *b)
{
    return a->line.line == b->line.line &&
           strcmp(a->line.file, b->line.file) == 0;
}

/* Lines are counted by their first appearance in the function. */
static bool is_first(const struct etm_cli_executed *code, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (same_line(&code->rows[j], &code->rows[i]))
            return false;
    return true;
}

static bool line_ran(const struct etm_cli_executed *code, size_t i)
{
    for (size_t j = i; j < code->n; j++)
        if (code->rows[j].cost.instructions != 0 &&
            same_line(&code->rows[j], &code->rows[i]))
            return true;
    return false;
}

static struct extent extent_of(const struct etm_cli_executed *code)
{
    struct extent x = {.insns = code->n};

    for (size_t i = 0; i < code->n; i++) {
        const struct etm_cli_executed_row *row = &code->rows[i];

        x.ran += row->cost.instructions != 0;
        if ((row->element.u.insn.flags & ETM_INSN_CONDITIONAL) != 0 &&
            row->passed + row->failed != 0) {
            x.branches++;
            x.both += row->passed != 0 && row->failed != 0;
        }
        if (row->line.line != 0 && is_first(code, i)) {
            x.lines++;
            x.lines_ran += line_ran(code, i);
        }
    }
    return x;
}

static void put_line(struct etm_cli_replay *r,
                     const struct etm_cli_executed_row *row)
{
    etm_cli_print(r->output, "{\"line\":%u", (unsigned)row->line.line);
    etm_cli_json_text(r->output, "file", row->line.file);
    etm_cli_json_text(r->output, "text", row->line.text);
    etm_cli_put(r->output, "},\n", 3);
}

/* [executed, passed, failed, text] for instructions; before those of a source
 * line, an object. */
static int put_insns(struct etm_cli_replay *r,
                     const struct etm_cli_executed *code,
                     struct etm_cli_disassembly *d)
{
    int status = ETM_OK;

    for (size_t i = 0; i < code->n && status == ETM_OK; i++) {
        const struct etm_cli_executed_row *row = &code->rows[i];
        char json[1024];
        const char *text;
        bool either = (row->element.u.insn.flags & ETM_INSN_CONDITIONAL) != 0;

        etm_cli_put(r->output, ",\n", i == 0 ? 0 : 2);
        if (row->line.line != 0 && (i == 0 || !same_line(row, row - 1)))
            put_line(r, row);
        status = etm_cli_disassembly_of(d, &row->element, &text);
        while (*text == ' ')
            text++;
        etm_cli_print(r->output, "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s]",
                      row->cost.instructions, either ? row->passed : 0,
                      either ? row->failed : 0,
                      etm_json_string(text, json, sizeof json));
    }
    return status;
}

/* The first instruction that ran from an address on. */
static size_t row_from(const struct etm_cli_executed *x, uint32_t address)
{
    size_t low = 0, high = x->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (x->rows[middle].element.u.insn.address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The code of a function at an address, with lines; is it all there is? */
static int find_code(struct etm_cli_replay *r, uint32_t address,
                     struct etm_cli_executed *code, bool *whole)
{
    const struct etm_cli_report *p = r->state;
    const struct etm_cli_executed *x = &p->ranges.insns;
    size_t i = row_from(x, address);
    struct etm_symbol symbol;
    int status;

    *whole = r->names.symbol(r->names.context, address, &symbol) == ETM_OK;
    if (!*whole)
        status = etm_cli_code_nameless(r, x, address, code);
    else if (i < x->n)
        status = etm_cli_code_function(r, x, &i, code);
    else
        status = ETM_OK;
    etm_cli_executed_lines(code, &r->names);
    return status;
}

static void put_extent(struct etm_cli_replay *r, const struct extent *x)
{
    etm_cli_json_number(r->output, "insns", true, x->insns);
    etm_cli_json_number(r->output, "ran", true, x->ran);
    etm_cli_json_number(r->output, "lines", true, x->lines);
    etm_cli_json_number(r->output, "lines_ran", true, x->lines_ran);
    etm_cli_json_number(r->output, "branches", true, x->branches);
    etm_cli_json_number(r->output, "both", true, x->both);
}

/* What ran of a function; and its code, if there is room. */
static int put_function(struct etm_cli_replay *r,
                        const struct etm_cli_subject *s, size_t *shown,
                        struct etm_cli_disassembly *d)
{
    struct etm_cli_report *p = r->state;
    struct etm_cli_executed code = {0};
    struct extent x = {0};
    bool whole;
    int status = find_code(r, s->address, &code, &whole);

    if (whole)
        x = extent_of(&code);
    etm_cli_print(r->output, "{\"addr\":\"0x%08" PRIx32 "\"", s->address);
    etm_cli_json_text(r->output, "name", s->name);
    etm_cli_json_text(r->output, "file",
                      code.n != 0 && code.rows[0].line.line != 0
                          ? code.rows[0].line.file
                          : NULL);
    put_extent(r, &x);
    if (*shown < MOST_SHOWN && p->insns + code.n <= MOST_INSNS && code.n != 0 &&
        (whole || code.n <= MOST_NAMELESS) && status == ETM_OK) {
        etm_cli_print(r->output, ",\"rows\":[\n");
        status = put_insns(r, &code, d);
        etm_cli_put(r->output, "]", 1);
        p->insns += code.n;
        ++*shown;
    }
    etm_cli_put(r->output, "}", 1);
    etm_cli_executed_free(&code);
    return status;
}

/* The functions that cost most first. */
static int put_functions(struct etm_cli_replay *r,
                         struct etm_cli_disassembly *d)
{
    struct etm_cli_report *p = r->state;
    const struct etm_cli_subjects *functions = &p->costs.subjects;
    size_t shown = 0, n = 0;
    int status = ETM_OK;

    etm_cli_print(r->output, ",\"code\":[");
    for (size_t i = 0; i < functions->n && n < MOST_COVERED && status == ETM_OK;
         i++) {
        const struct etm_cli_subject *s = &functions->rows[i];

        if (s->exception || s->inlined)
            continue;
        etm_cli_put(r->output, ",\n", n++ == 0 ? 0 : 2);
        status = put_function(r, s, &shown, d);
    }
    etm_cli_put(r->output, "]", 1);
    return status;
}

/* The functions that never ran. */
struct never {
    struct etm_cli_replay *replay;
    uint64_t functions; /* in all */
    size_t n;
};

static int take_function(void *context, const struct etm_function *function)
{
    struct never *never = context;
    struct etm_cli_replay *r = never->replay;
    const struct etm_cli_report *p = r->state;
    const struct etm_cli_executed *x = &p->ranges.insns;
    size_t i = row_from(x, function->address);
    char json[1024];

    never->functions++;
    if (i < x->n && x->rows[i].element.u.insn.address - function->address <
                        (function->size != 0 ? function->size : 1))
        return ETM_OK;
    if (never->n < MOST_COVERED)
        etm_cli_print(
            r->output, "%s%s", never->n == 0 ? "" : ",\n",
            etm_json_string(etm_cli_demangle(r->demangler,
                                             etm_calls_functions(r->calls) +
                                                 (size_t)never->functions,
                                             function->name, false),
                            json, sizeof json));
    never->n++;
    return ETM_OK;
}

static int put_never(struct etm_cli_replay *r)
{
    struct never never = {.replay = r};
    int status;

    etm_cli_print(r->output, ",\"never\":[");
    status = r->names.functions(r->names.context, take_function, &never);
    etm_cli_put(r->output, "]", 1);
    etm_cli_json_number(r->output, "never_in_all", true, never.n);
    return status == ETM_ERR_MEMORY ? status : ETM_OK;
}

int etm_cli_report_code(struct etm_cli_replay *r)
{
    struct etm_cli_report *p = r->state;
    struct etm_cli_disassembly d = {0};
    int status = etm_cli_ranges_insns(&p->ranges, r);

    if (status == ETM_OK)
        status = etm_cli_disassembly_begin(&d, r);
    if (status == ETM_OK)
        status = put_functions(r, &d);
    if (status == ETM_OK)
        status = put_never(r);
    etm_cli_disassembly_end(&d);
    return status;
}
