/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of the text form. What a line of an instruction shows depends on the
 * one before it: the function and the source line have headings where they
 * change, and mnemonics stand in an IT block or not. After the first few
 * instructions of a part all of this is known: these are held, and shown when
 * the part is appended. Totals of cycles are those of the part, and corrected
 * then.
 */
#include "write/part.h"
#include "write/text.h"

/* Instructions of an IT block (ARMv7, A2.5.2): without another IT, after so
 * many none is in one. */
#define IT_BLOCK 4u

void etm_text_part_begin(struct etm_listing *l)
{
    struct etm_text *text = l->state;

    text->it = 0;
    text->total = 0;
    text->total_partial = false;
    text->unknown = (struct etm_text_unknown){.function = true,
                                              .file = l->config.lines,
                                              .next = true,
                                              .it = IT_BLOCK};
}

static void put_place(const struct etm_text *text, struct etm_part_place *place)
{
    *place = (struct etm_part_place){.function = text->function,
                                     .file = text->file,
                                     .line = text->line,
                                     .next = text->next,
                                     .it = text->it,
                                     .partial = text->total_partial,
                                     .cycles = text->total};
}

static void learn_place(struct etm_listing *l, const struct etm_element *e)
{
    const struct etm_names *names = &l->source.names;
    uint32_t address = e->u.insn.address;
    struct etm_text *text = l->state;
    struct etm_symbol symbol;
    struct etm_source_line line;

    if (!names->symbol ||
        names->symbol(names->context, address, &symbol) != ETM_OK)
        symbol.name = NULL;
    /* in another function than before there is no line yet */
    if (!text->unknown.function && symbol.name != text->function) {
        text->file = NULL;
        text->unknown.file = false;
    }
    text->function = symbol.name;
    text->unknown.function = false;
    if (l->config.lines && names->line &&
        names->line(names->context, address, &line) == ETM_OK) {
        text->file = line.file;
        text->line = line.line;
        text->unknown.file = false;
    }
}

static void learn_it(struct etm_text *text, const struct etm_element *e)
{
    bool jump = !text->unknown.next && e->u.insn.address != text->next;

    (void)etm_text_follow_it(text, e);
    text->unknown.next = false;
    if (e->u.insn.isa == ETM_ISA_ARM || jump || text->it != 0)
        text->unknown.it = 0;
    else if (text->unknown.it > 0)
        text->unknown.it--;
}

/* Function, file and line are shown again after these (text.c). */
static bool is_break(const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_TRACE_ON || e->kind == ETM_ELEMENT_LOST ||
           e->kind == ETM_ELEMENT_EXCEPTION || e->kind == ETM_ELEMENT_NO_IMAGE;
}

bool etm_text_part_holds(struct etm_listing *l, const struct etm_element *e)
{
    struct etm_listing_portion *p = l->part;
    struct etm_text *text = l->state;

    if (is_break(e)) {
        text->function = text->file = NULL;
        text->it = 0;
        p->known = true;
        return p->held.n != 0;
    }
    if (e->kind != ETM_ELEMENT_INSN)
        return p->held.n != 0;
    if (p->held.n == 0) {
        p->held_at = etm_part_at(p);
        put_place(text, &p->before);
    }
    learn_place(l, e);
    learn_it(text, e);
    p->known =
        !text->unknown.function && !text->unknown.file && text->unknown.it == 0;
    return true;
}

void etm_text_part_end(struct etm_listing *l)
{
    put_place(l->state, &l->part->end);
}

/* Characters of a total: at least 10, and the sign of a part of it. */
static size_t total_size(uint64_t cycles)
{
    size_t n = 10;

    for (cycles /= UINT64_C(10000000000); cycles != 0; cycles /= 10)
        n++;
    return n + 1;
}

/* Copy text up to a byte of it, with totals that count from `base` on; `next`
 * is the index of the next total. */
static void copy(struct etm_listing *l, const struct etm_listing_portion *p,
                 struct etm_part_cursor *c, size_t *next, uint64_t to,
                 const struct etm_part_place *base)
{
    const struct etm_part_total *totals = p->totals.data;

    for (; *next < p->totals.n && totals[*next].at < to; ++*next) {
        const struct etm_part_total *t = &totals[*next];

        (void)etm_part_copy(l, p, c, t->at);
        etm_part_skip(p, c, total_size(t->cycles));
        etm_out_line(&l->out);
        etm_text_put_total(&l->out, base->cycles + t->cycles,
                           base->partial || t->partial);
    }
    (void)etm_part_copy(l, p, c, to);
}

int etm_text_part_append(struct etm_listing *l,
                         const struct etm_listing_portion *p)
{
    struct etm_text *text = l->state;
    struct etm_part_cursor cursor = {0};
    struct etm_part_place base;
    size_t next = 0;

    put_place(text, &base);
    if (p->held.n != 0) {
        copy(l, p, &cursor, &next, p->held_at, &base);
        text->total += p->before.cycles;
        text->total_partial |= p->before.partial;
        (void)etm_listing_elements(l, p->held.data, p->held.n);
        base.cycles = text->total - p->before.cycles;
        base.partial = text->total_partial;
    }
    copy(l, p, &cursor, &next, p->size, &base);
    text->total = base.cycles + p->end.cycles;
    text->total_partial = base.partial || p->end.partial;
    if (p->known) {
        text->function = p->end.function;
        text->file = p->end.file;
        text->line = p->end.line;
        text->next = p->end.next;
        text->it = p->end.it;
    }
    return l->out.status;
}
