/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of execution counts: a table of ranges. */
#include "write/text.h"

struct table {
    struct etm_listing *listing;
    struct etm_count row; /* of which more may come */
    uint64_t taken;
    uint64_t insns, ranges; /* executed; and in how many ranges */
};

/* "  main+0x10  main.c:5", as far as they are known. */
static void put_place(struct etm_listing *l, uint32_t address)
{
    const struct etm_names *names = &l->source.names;
    struct etm_out *out = &l->out;
    struct etm_symbol symbol;
    struct etm_source_line line;

    if (names->symbol && names->symbol(names->context, address, &symbol)) {
        ETM_OUT(out, "  ");
        etm_out_plain(out, symbol.name);
        if (symbol.offset != 0) {
            ETM_OUT(out, "+0x");
            etm_out_hex_short(out, symbol.offset);
        }
    }
    if (names->line && names->line(names->context, address, &line)) {
        ETM_OUT(out, "  ");
        etm_out_plain(out, line.file);
        etm_out_char(out, ':');
        etm_out_decimal(out, line.line);
    }
}

/* The row at hand. */
static void put_row(struct table *t)
{
    const struct etm_count *row = &t->row;
    struct etm_out *out = &t->listing->out;

    if (row->n == 0)
        return;
    etm_out_line(out);
    etm_out_decimal_width(out, row->n, 12);
    if (t->taken == row->n)
        etm_out_blanks(out, 12);
    else
        etm_out_decimal_width(out, t->taken, 12);
    etm_out_decimal_width(out, row->insns, 7);
    ETM_OUT(out, "  0x");
    etm_out_hex32(out, row->start);
    ETM_OUT(out, "-0x");
    etm_out_hex32(out, row->end);
    put_place(t->listing, row->start);
    etm_out_char(out, '\n');
    t->insns += row->n * row->insns;
    t->ranges++;
}

/* One line for a range, whether or not its last instruction passed. */
static int take_row(void *context, const struct etm_count *count)
{
    struct table *t = context;
    struct etm_count *row = &t->row;
    uint64_t taken = count->last_exec == ETM_FALSE ? 0 : count->n;

    if (row->n != 0 && row->start == count->start && row->end == count->end &&
        row->isa == count->isa && row->insns == count->insns &&
        row->last_address == count->last_address) {
        row->n += count->n;
        t->taken += taken;
    } else {
        put_row(t);
        *row = *count;
        t->taken = taken;
    }
    return t->listing->out.status;
}

int etm_text_counts(struct etm_listing *l, const struct etm_counts *counts)
{
    struct etm_text *text = l->state;
    struct etm_out *out = &l->out;
    struct table t = {.listing = l};
    int status;

    etm_out_line(out);
    ETM_OUT(out, "    executed      passed  insns  range\n");
    status = etm_counts_walk(counts, take_row, &t);
    if (status != ETM_OK)
        return status;
    put_row(&t);
    etm_out_line(out);
    etm_out_decimal(out, t.insns);
    ETM_OUT(out, " instruction");
    etm_out_word(out, t.insns == 1 ? "" : "s");
    ETM_OUT(out, " executed, in ");
    etm_out_decimal(out, t.ranges);
    ETM_OUT(out, " range");
    etm_out_word(out, t.ranges == 1 ? "" : "s");
    ETM_OUT(out, "\n\n");
    text->apart = true;
    return ETM_OK;
}
