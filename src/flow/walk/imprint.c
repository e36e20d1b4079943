/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Imprints of what the flows share. Each struct has one table with its fields
 * of the state; what a table cannot say, because it depends on the rest or is
 * counted from elsewhere, stands in the function after it.
 */
#include "flow/walk/imprint.h"

void etm_block_imprint(const struct etm_block *block, unsigned index,
                       struct etm_imprint *imprint)
{
    bool ends = index + 1u >= block->n;

    etm_imprint_put(imprint, etm_block_address(block, index));
    etm_imprint_put(imprint, block->isa);
    etm_imprint_put(imprint, block->wide >> index & 1);
    etm_imprint_put(imprint, block->barriers >> index & 1);
    etm_imprint_put(imprint, ends);
    if (!ends)
        return;
    etm_imprint_put(imprint, block->end);
    etm_imprint_put(imprint, block->end_kind);
    etm_imprint_put(imprint, block->target);
    etm_imprint_put(imprint, block->target_isa);
    etm_imprint_put(imprint, block->last_type);
    etm_imprint_put(imprint, block->last_flags);
    etm_imprint_put(imprint, block->it_free_before);
    etm_imprint_put(imprint, block->it_free_after);
}

/* Of both contexts; the instruction set is that of the position. */
#define CONTEXT(c)                                                             \
    ETM_IMPRINT(struct etm_walk, c.secure),                                    \
        ETM_IMPRINT(struct etm_walk, c.hyp),                                   \
        ETM_IMPRINT(struct etm_walk, c.context_id_known),                      \
        ETM_IMPRINT(struct etm_walk, c.context_id),                            \
        ETM_IMPRINT(struct etm_walk, c.vmid_known),                            \
        ETM_IMPRINT(struct etm_walk, c.vmid)

#define WALK(name) ETM_IMPRINT(struct etm_walk, name)
#define WALK_IF(name, set) ETM_IMPRINT_IF(struct etm_walk, name, set)

/* At every level. */
static const struct etm_imprint_field walk_fields[] = {
    WALK(status),   WALK(known),  WALK(mismatch), WALK(astray),
    WALK(awaiting), WALK(half),   WALK(arrived),  WALK(last),
    WALK(has_open), CONTEXT(now), WALK(unmade),   WALK(has_lost),
    WALK_IF(suspect, mismatch)};

/* Cycles, and what elements have that ETM_LEVEL_COVERAGE does not give. */
static const struct etm_imprint_field walk_timed[] = {
    CONTEXT(given),
    WALK(given.isa),
    WALK(context_changed),
    WALK_IF(context_offset, context_changed),
    WALK_IF(context_timed, context_changed),
    WALK(cycles),
    WALK(blind_cycles)};

/* While a range is open, or while its last instruction may be taken back. */
static const struct etm_imprint_field walk_range[] = {
    WALK(open_exec), WALK(open_start), WALK(open_n)};
static const struct etm_imprint_field walk_range_timed[] = {WALK(open_cycles),
                                                            WALK(open_offset)};

/* In the order of ETM_CARRIED_LOST. */
static const struct etm_imprint_field walk_lost[] = {
    WALK(lost_bytes), WALK(lost_offset), WALK(lost_reason)};

/* The range that is not counted yet. */
static const struct etm_imprint_field pending_fields[] = {
    WALK(pending.start), WALK(pending.n), WALK(pending.exec)};

/* The range that is being walked, and what taking back its last instruction
 * would make of it. */
static void range(const struct etm_walk *w, struct etm_imprint *imprint)
{
    const bool revocable = (w->last & ETM_LAST_VALID) != 0;

    if (!w->has_open && !revocable)
        return;
    ETM_IMPRINT_TABLE(imprint, w, walk_range);
    if (w->level != ETM_LEVEL_COVERAGE)
        ETM_IMPRINT_TABLE(imprint, w, walk_range_timed);
    etm_block_imprint(w->end_block, w->end_index, imprint);
    if (!revocable)
        return;
    etm_block_imprint(w->last_block, w->last_index, imprint);
    etm_imprint_put(imprint, w->last_cycles);
    etm_imprint_put(imprint, w->before_exec);
    if (w->end_index != 0)
        etm_block_imprint(w->end_block, w->end_index - 1u, imprint);
    else if (w->before_block != NULL && w->before_block->n != 0)
        etm_block_imprint(w->before_block, w->before_index, imprint);
}

static void pending(const struct etm_walk *w, struct etm_imprint *imprint)
{
    const struct etm_walk_range *o = &w->pending;

    etm_imprint_put(imprint, o->block != NULL);
    if (o->block == NULL)
        return;
    ETM_IMPRINT_TABLE(imprint, w, pending_fields);
    if (w->level != ETM_LEVEL_COVERAGE)
        etm_imprint_put(imprint, o->cycles);
    etm_block_imprint(o->block, o->index, imprint);
}

/* Which code is seen. */
static void space(const struct etm_blocks *blocks, struct etm_imprint *imprint)
{
    const struct etm_seen_space *spaces = blocks->spaces.data;
    const struct etm_space *s;

    if (blocks->image == NULL || blocks->space >= blocks->spaces.n)
        return;
    s = &spaces[blocks->space].space;
    etm_imprint_put(imprint, (uint64_t)s->secure);
    etm_imprint_put(imprint, s->has_context);
    etm_imprint_put(imprint, s->context_id);
}

void etm_walk_imprint(const struct etm_walk *w, unsigned index,
                      struct etm_imprint *imprint)
{
    const uint64_t final = w->base + w->held;

    ETM_IMPRINT_TABLE(imprint, w, walk_fields);
    etm_imprint_put(imprint,
                    w->floor == UINT64_MAX ? w->floor : w->floor - final);
    etm_imprint_put(imprint, etm_walk_since(w) - final);
    if (w->known)
        etm_imprint_put(imprint, etm_walk_at(w, index));
    if (w->known || w->level != ETM_LEVEL_COVERAGE)
        etm_imprint_put(imprint, w->isa);
    space(&w->blocks, imprint);
    if (w->level != ETM_LEVEL_COVERAGE) {
        ETM_IMPRINT_TABLE(imprint, w, walk_timed);
        if (w->context_changed && w->context_timed)
            etm_imprint_put(imprint, w->context_since);
    }
    if ((w->last & ETM_LAST_NO_CODE) != 0)
        etm_imprint_put(imprint, w->no_code);
    range(w, imprint);
    pending(w, imprint);
    if (w->has_lost) {
        etm_imprint_carried(imprint, ETM_CARRIED_LOST,
                            sizeof walk_lost / sizeof *walk_lost);
        ETM_IMPRINT_TABLE(imprint, w, walk_lost);
    }
}

#define DATA(name) ETM_IMPRINT(struct etm_element, u.data.name)

/* Of an element of data: its unions are not zeroed as a whole. */
static const struct etm_imprint_field data_fields[] = {
    DATA(insn_known), DATA(address_known), DATA(value_known), DATA(size),
    DATA(store),      DATA(index),         DATA(status),      DATA(be8),
    DATA(reg_kind),   DATA(reg),           DATA(insn),        DATA(address),
    DATA(value)};

void etm_elements_imprint(const struct etm_vec *elements,
                          const struct etm_walk *w, struct etm_imprint *imprint)
{
    const struct etm_element *e = elements->data;
    size_t n = elements->n - w->held;

    etm_imprint_put(imprint, n);
    e = n != 0 ? e + w->held : e;
    for (; n != 0; n--, e++) {
        etm_imprint_put(imprint, e->kind);
        etm_imprint_put(imprint, e->offset);
        etm_imprint_put(imprint, e->since_known ? e->since : UINT64_MAX);
        if (e->kind == ETM_ELEMENT_DATA) {
            ETM_IMPRINT_TABLE(imprint, e, data_fields);
        } else { /* zeroed as a whole before it was filled in */
            /* where 64 bits are aligned to 32, the last word is half of one */
            uint64_t words[(sizeof e->u + 7) / 8] = {0};

            memcpy(words, &e->u, sizeof e->u);
            for (size_t k = 0; k < sizeof words / sizeof *words; k++)
                etm_imprint_put(imprint, words[k]);
        }
    }
}

#define SAID(name) ETM_IMPRINT(struct etm_broadcast, name)
#define SAID_IF(name, set) ETM_IMPRINT_IF(struct etm_broadcast, name, set)

/* Context ID and VMID are the walk's. */
static const struct etm_imprint_field broadcast_fields[] = {
    SAID(valid),
    SAID(address),
    SAID(isa),
    SAID(ns),
    SAID(alt_isa),
    SAID(hyp),
    SAID(timestamp_bits),
    SAID_IF(timestamp, timestamp_bits)};

/* In the order of ETM_CARRIED_BASE. */
static const struct etm_imprint_field broadcast_base[] = {
    SAID(data_valid), SAID_IF(be, data_valid),
    SAID_IF(data_address, data_valid)};

void etm_broadcast_imprint(const struct etm_broadcast *b,
                           struct etm_imprint *imprint)
{
    ETM_IMPRINT_TABLE(imprint, b, broadcast_fields);
    etm_imprint_carried(imprint, ETM_CARRIED_BASE,
                        sizeof broadcast_base / sizeof *broadcast_base);
    ETM_IMPRINT_TABLE(imprint, b, broadcast_base);
}

/* Instead of the number of an element that is final. */
#define GONE (ETM_DATA_SLOT - 1)

/* An item: numbers count from the first element that is not final. */
static void item(const struct etm_walk *w, uint64_t number,
                 struct etm_imprint *imprint)
{
    if (number != ETM_DATA_NONE && !(number & ETM_DATA_SLOT))
        number = number < w->base + w->held ? GONE : number - w->base - w->held;
    etm_imprint_put(imprint, number);
}

#define OWNER(name) ETM_IMPRINT(struct etm_data_owner, name)

static const struct etm_imprint_field owner_fields[] = {
    OWNER(pc_first),
    OWNER(addressed),
    OWNER(unplaced),
    OWNER(settled),
    OWNER(failed),
    OWNER(insn),
    OWNER(done),
    OWNER(n),
    OWNER(transfers.kind),
    OWNER(transfers.direction),
    OWNER(transfers.count),
    OWNER(transfers.size),
    OWNER(transfers.multiple),
    OWNER(transfers.exclusive),
    OWNER(transfers.sign_extend),
    OWNER(transfers.pc),
    OWNER(transfers.base),
    OWNER(transfers.first),
    OWNER(transfers.second),
    OWNER(transfers.registers)};

static void owner(const struct etm_walk *w, const struct etm_data_owner *o,
                  struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, o->kind);
    etm_imprint_put(imprint, o->previous_known);
    etm_imprint_put(imprint, o->previous_known ? o->previous : 0);
    if (o->kind == ETM_DATA_OWNER_NONE)
        return;
    ETM_IMPRINT_TABLE(imprint, o, owner_fields);
    item(w, o->hole, imprint);
    for (unsigned i = 0; i < o->n; i++)
        item(w, o->item[i], imprint);
}

void etm_data_imprint(const struct etm_walk *w, uint64_t next,
                      struct etm_imprint *imprint)
{
    bool own = next == UINT64_MAX;
    bool follows =
        !own && w->data.stream_end != UINT64_MAX && w->data.stream_end >= next;

    owner(w, &w->data.owner, imprint);
    owner(w, &w->data.before, imprint);
    etm_imprint_put(imprint, w->data.done);
    etm_imprint_put(imprint, w->data.done != 0 ? w->data.resumes : 0);
    for (unsigned i = 0; i < 8; i++) {
        const struct etm_data_slot *slot = &w->data.slots[i / 2][i % 2];

        etm_imprint_put(imprint, slot->used);
        if (!slot->used)
            continue;
        etm_imprint_put(imprint, slot->void_owner);
        etm_imprint_put(imprint, slot->exclusive);
        ETM_IMPRINT_TABLE(imprint, &slot->element, data_fields);
    }
    etm_imprint_put(imprint, follows ? w->data.stream_end : 0);
    if (!follows && !own) /* only what stands directly after asks for these */
        return;
    etm_imprint_put(imprint, w->data.last_tag);
    item(w, w->data.last, imprint);
    item(w, w->data.partner, imprint);
    for (unsigned i = 0; i < w->data.owner.n; i++)
        etm_imprint_put(imprint, w->data.owner.item[i] == w->data.last);
}
