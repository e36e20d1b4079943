/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "cli/code.h"
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
static bool same_line(const struct etm_cli_executed_row *a,
                      const struct etm_cli_executed_row *b)
{
    return a->line.line == b->line.line &&
           strcmp(a->line.file, b->line.file) == 0;
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
        char json[ETM_CLI_JSON];
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
                      either ? row->failed : 0, etm_cli_json_name(text, json));
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

/* What ran, instruction by instruction. */
struct ran {
    struct etm_cli_replay *replay;
    struct etm_cli_executed *insns;
};

static void note_last(struct etm_cli_executed_row *row,
                      const struct etm_count *count)
{
    row->element.u.insn.flags = count->last_flags;
    row->element.u.insn.type = count->last_type;
    row->passed += count->last_exec == ETM_TRUE ? count->n : 0;
    row->failed += count->last_exec == ETM_FALSE ? count->n : 0;
}

/* The instructions of a range. */
static int take_range(void *context, const struct etm_count *count)
{
    const struct ran *ran = context;
    uint32_t address = count->start;

    while (address != count->end) {
        struct etm_cli_executed_row *row;
        struct etm_element e;

        if (!etm_cli_code_read(ran->replay, address, (enum etm_isa)count->isa,
                               &e))
            return ETM_OK;
        row = etm_cli_executed_row(ran->insns, &e);
        if (!row)
            return ETM_ERR_MEMORY;
        row->cost.instructions += count->n;
        if (address == count->last_address) {
            note_last(row, count);
            return ETM_OK;
        }
        address += e.u.insn.size;
    }
    return ETM_OK;
}

/* Instructions that have conditions and end no range. */
static int take_condition(void *context, const struct etm_count *count)
{
    const struct ran *ran = context;
    struct etm_cli_executed_row *row;
    struct etm_element e;

    if (!etm_cli_code_read(ran->replay, count->start, (enum etm_isa)count->isa,
                           &e))
        return ETM_OK;
    row = etm_cli_executed_row(ran->insns, &e);
    if (!row)
        return ETM_ERR_MEMORY;
    note_last(row, count);
    return ETM_OK;
}

static int find_ran(struct etm_cli_replay *r, struct etm_cli_executed *insns)
{
    const struct etm_cli_report *p = r->state;
    struct ran ran = {r, insns};
    int status = etm_counts_walk(p->counting.ranges, take_range, &ran);

    if (status == ETM_OK && p->counting.conditions)
        status = etm_counts_walk(p->counting.conditions, take_condition, &ran);
    etm_cli_executed_order(insns);
    return status;
}

/* The code of a function at an address, with lines; not if there is too much of
 * it. */
static int find_code(struct etm_cli_replay *r, const struct etm_cli_executed *x,
                     uint32_t address, struct etm_cli_executed *code)
{
    const struct etm_cli_report *p = r->state;
    size_t i = row_from(x, address);
    struct etm_symbol symbol;
    bool named = r->names.symbol(r->names.context, address, &symbol) == ETM_OK;
    int status = ETM_OK;

    if (!named)
        status = etm_cli_code_nameless(r, x, address, code);
    else if (i < x->n)
        status = etm_cli_code_function(r, x, &i, code);
    if (p->insns + code->n > MOST_INSNS || (!named && code->n > MOST_NAMELESS))
        code->n = 0;
    etm_cli_executed_lines(code, &r->names);
    return status;
}

static int put_function(struct etm_cli_replay *r,
                        const struct etm_cli_subject *s,
                        const struct etm_cli_executed *code,
                        struct etm_cli_disassembly *d)
{
    int status;

    etm_cli_print(r->output, "{\"addr\":\"0x%08" PRIx32 "\"", s->address);
    etm_cli_json_text(r->output, "name", s->name);
    etm_cli_json_text(r->output, "file",
                      code->rows[0].line.line != 0 ? code->rows[0].line.file
                                                   : NULL);
    etm_cli_print(r->output, ",\"rows\":[\n");
    status = put_insns(r, code, d);
    etm_cli_put(r->output, "]}", 2);
    return status;
}

/* The functions that cost most first. */
static int put_functions(struct etm_cli_replay *r,
                         const struct etm_cli_executed *x,
                         struct etm_cli_disassembly *d)
{
    struct etm_cli_report *p = r->state;
    const struct etm_cli_subjects *functions = &p->costs.subjects;
    size_t shown = 0;
    int status = ETM_OK;

    etm_cli_print(r->output, ",\"code\":[");
    for (size_t i = 0;
         i < functions->n && shown < MOST_SHOWN && status == ETM_OK; i++) {
        const struct etm_cli_subject *s = &functions->rows[i];
        struct etm_cli_executed code = {0};

        if (s->exception || s->inlined)
            continue;
        status = find_code(r, x, s->address, &code);
        if (status == ETM_OK && code.n != 0) {
            etm_cli_put(r->output, ",\n", shown++ == 0 ? 0 : 2);
            status = put_function(r, s, &code, d);
            p->insns += code.n;
        }
        etm_cli_executed_free(&code);
    }
    etm_cli_put(r->output, "]", 1);
    return status;
}

int etm_cli_report_code(struct etm_cli_replay *r)
{
    struct etm_cli_executed insns = {0};
    struct etm_cli_disassembly d = {0};
    int status = find_ran(r, &insns);

    if (status == ETM_OK)
        status = etm_cli_disassembly_begin(&d, r);
    if (status == ETM_OK)
        status = put_functions(r, &insns, &d);
    etm_cli_disassembly_end(&d);
    etm_cli_executed_free(&insns);
    return status;
}
