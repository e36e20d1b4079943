/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements as scenarios have them: whatever would be no news is left out, but
 * two different lists of elements never have the same text.
 */
#include "scenario.h"

#include "support/element_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void scenario_add(struct elements *all, const struct etm_element *e)
{
    if (all->n == all->capacity) {
        all->capacity = 2 * all->capacity + 64;
        all->e = realloc(all->e, all->capacity * sizeof *all->e);
        if (all->e == NULL)
            abort();
    }
    all->e[all->n++] = *e;
}

void scenario_list(const struct elements *all, struct scenario_text *out)
{
    char line[ETM_ELEMENT_TEXT_MAX];

    out->n = 0;
    for (size_t i = 0; i < all->n; i++)
        text_add(out, "  %s\n", etm_element_text(&all->e[i], line));
}

/* ---- Ranges -------------------------------------------------------------- */

/* Where the trace records a decision, a range ends. */
static bool ends_range(const struct scenario *s, const struct etm_element *e)
{
    switch ((enum etm_insn_type)e->u.insn.type) {
    case ETM_INSN_TYPE_OTHER:
        return false;
    case ETM_INSN_TYPE_BARRIER:
        return s->config.protocol == ETM_PROTOCOL_PFT &&
               e->u.insn.exec != ETM_UNKNOWN;
    case ETM_INSN_TYPE_DIRECT:
    case ETM_INSN_TYPE_INDIRECT:
        return true;
    }
    return true;
}

void scenario_ranges(const struct scenario *s, const struct elements *insns,
                     struct elements *ranges)
{
    struct etm_element r = {.kind = ETM_ELEMENT_RANGE};
    bool open = false;

    for (const struct etm_element *e = insns->e; e < insns->e + insns->n; e++) {
        bool insn = e->kind == ETM_ELEMENT_INSN;
        if (open && (!insn || e->u.insn.address != r.u.range.end ||
                     e->u.insn.isa != r.u.range.isa)) {
            scenario_add(ranges, &r);
            open = false;
        }
        if (!insn) {
            scenario_add(ranges, e);
            continue;
        }
        if (!open) {
            r.offset = e->offset;
            r.u.range.isa = e->u.insn.isa;
            r.u.range.start = e->u.insn.address;
            r.u.range.n = 0;
            r.u.range.cycles = ETM_CYCLES_UNKNOWN;
        }
        r.u.range.end = e->u.insn.address + e->u.insn.size;
        r.u.range.n++;
        r.u.range.last_address = e->u.insn.address;
        r.u.range.last_type = e->u.insn.type;
        r.u.range.last_exec = e->u.insn.exec;
        r.u.range.last_flags = e->u.insn.flags;
        if (r.u.range.cycles == ETM_CYCLES_UNKNOWN)
            r.u.range.cycles = e->u.insn.cycles;
        else if (e->u.insn.cycles != ETM_CYCLES_UNKNOWN)
            r.u.range.cycles += e->u.insn.cycles;
        open = !ends_range(s, e);
        if (!open)
            scenario_add(ranges, &r);
    }
    if (open)
        scenario_add(ranges, &r);
}

/* ---- One element --------------------------------------------------------- */

static void isa(struct scenario_text *t, struct scenario_place *place,
                unsigned of)
{
    if (of != place->isa)
        text_add(t, " %s", etm_isa_name((enum etm_isa)of));
    place->isa = (enum etm_isa)of;
}

/* The only opcode that can be there. */
static bool only_opcode(const struct scenario *s, const struct etm_element *e)
{
    unsigned size = e->u.insn.size, found = 0;
    bool thumb =
        e->u.insn.isa == ETM_ISA_THUMB || e->u.insn.isa == ETM_ISA_THUMBEE;
    uint32_t opcode = 0;

    for (size_t i = 0; i < s->n_sections; i++) {
        const struct section *c = &s->sections[i];
        uint32_t at = e->u.insn.address - c->address;
        if (at >= c->n)
            continue;
        found++;
        if (c->n - at < size)
            return false;
        for (unsigned k = 0; k < size && size <= 4; k++)
            opcode |= (uint32_t)c->bytes[at + k]
                      << (8 * (thumb && size == 4 ? k ^ 2 : k));
    }
    return found == 1 && opcode == e->u.insn.opcode;
}

static void insn_words(struct scenario_text *t, const struct scenario *s,
                       const struct etm_element *e)
{
    if (!only_opcode(s, e))
        text_add(t, " opcode=%0*" PRIx32, 2 * e->u.insn.size, e->u.insn.opcode);
    if (e->u.insn.exec != ETM_UNKNOWN)
        text_add(t, e->u.insn.exec == ETM_TRUE ? " E" : " N");
    if (e->u.insn.type != ETM_INSN_TYPE_OTHER)
        text_add(t, " %s",
                 etm_insn_type_name((enum etm_insn_type)e->u.insn.type));
    if (e->u.insn.flags & ETM_INSN_LINK)
        text_add(t, " link");
    if (e->u.insn.flags & ETM_INSN_RETURN)
        text_add(t, " return");
    if (e->u.insn.flags & ETM_INSN_CONDITIONAL)
        text_add(t, " conditional");
    if (e->u.insn.cycles != ETM_CYCLES_UNKNOWN)
        text_add(t, " cycles=%" PRIu64, e->u.insn.cycles);
}

/* Does one instruction follow the other, and is all else the same? */
static bool runs_on(const struct scenario *s, const struct etm_element *e,
                    const struct etm_element *to)
{
    return to->kind == ETM_ELEMENT_INSN && to->offset == e->offset &&
           to->u.insn.address == e->u.insn.address + e->u.insn.size &&
           to->u.insn.size == e->u.insn.size &&
           to->u.insn.isa == e->u.insn.isa &&
           to->u.insn.type == e->u.insn.type &&
           to->u.insn.exec == e->u.insn.exec &&
           to->u.insn.flags == e->u.insn.flags &&
           to->u.insn.cycles == e->u.insn.cycles && only_opcode(s, e) &&
           only_opcode(s, to);
}

/* One or more instructions; returns how many. */
static size_t insns(struct scenario_text *t, const struct scenario *s,
                    struct scenario_place *place, const struct etm_element *e,
                    size_t n)
{
    size_t i = 1;

    while (i < n && runs_on(s, &e[i - 1], &e[i]))
        i++;
    text_add(t, "%" PRIx32, e->u.insn.address);
    if (i > 1)
        text_add(t, "-%" PRIx32, e[i - 1].u.insn.address);
    isa(t, place, e->u.insn.isa);
    insn_words(t, s, e);
    return i;
}

/* One or more; returns how many. */
static size_t words(struct scenario_text *t, const struct scenario *s,
                    struct scenario_place *place, const struct etm_element *e,
                    size_t n)
{
    char line[ETM_ELEMENT_TEXT_MAX];

    if (e->kind == ETM_ELEMENT_INSN)
        return insns(t, s, place, e, n);
    if (e->kind == ETM_ELEMENT_CONTEXT)
        place->isa = (enum etm_isa)e->u.context.isa;
    text_add(t, "%s", strchr(etm_element_text(e, line), ' ') + 1);
    return 1;
}

/* ---- By packet ----------------------------------------------------------- */

/* The item, from `i` on, that an offset is in; else `i`. */
static size_t item_of(const struct scenario *s, size_t i, uint64_t offset)
{
    for (size_t k = i; k < s->n_items; k++)
        if (s->items[k].offset <= offset && offset < s->items[k].end)
            return k;
    return i;
}

/* An end that stands where the stream does is no news. */
static bool plain_end(const struct scenario *s, const struct elements *all,
                      const struct etm_element *e)
{
    return e->kind == ETM_ELEMENT_END && e + 1 == all->e + all->n &&
           !e->since_known && e->offset == s->pieces[s->n_pieces - 1].end;
}

void scenario_text(const struct scenario *s, const struct elements *all,
                   struct scenario_place *place, struct scenario_text *out)
{
    out->n = 0;
    text_add(out, "%s", "");
    while (place->element < all->n) {
        const struct etm_element *e = &all->e[place->element];
        uint64_t from =
            s->n_items != 0 ? s->items[place->item].offset : e->offset;
        if (plain_end(s, all, e)) {
            place->element++;
            continue;
        }
        if (place->item + 1 < s->n_items &&
            item_of(s, place->item, e->offset) != place->item)
            break;
        if (out->n != 0)
            text_add(out, "; ");
        if (e->offset != from)
            text_add(out, "@%+d ", (int)(int64_t)(e->offset - from));
        place->element += words(out, s, place, e, all->n - place->element);
    }
    place->item++;
}
