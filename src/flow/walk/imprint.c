/* SPDX-License-Identifier: Apache-2.0 */
/* Imprints of what the flows share. */
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

static void context(const struct etm_walk_context *c,
                    struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, c->secure);
    etm_imprint_put(imprint, c->hyp);
    etm_imprint_put(imprint, c->context_id_known);
    etm_imprint_put(imprint, c->context_id);
    etm_imprint_put(imprint, c->vmid_known);
    etm_imprint_put(imprint, c->vmid);
}

/* The range that is being walked, and what taking back its last instruction
 * would make of it. */
static void range(const struct etm_walk *w, bool revocable,
                  struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, w->has_open);
    if (!w->has_open && !revocable)
        return;
    etm_imprint_put(imprint, w->open_exec);
    etm_imprint_put(imprint, w->open_start);
    etm_imprint_put(imprint, w->open_n);
    if (w->level != ETM_LEVEL_COVERAGE) {
        etm_imprint_put(imprint, w->open_cycles);
        etm_imprint_put(imprint, w->open_offset);
    }
    etm_block_imprint(w->end_block, w->end_index, imprint);
    if (!revocable)
        return;
    etm_imprint_put(imprint, w->before_exec);
    if (w->end_index != 0)
        etm_block_imprint(w->end_block, w->end_index - 1u, imprint);
    else if (w->before_block != NULL && w->before_block->n != 0)
        etm_block_imprint(w->before_block, w->before_index, imprint);
}

/* The range that is not counted yet. */
static void pending(const struct etm_walk *w, struct etm_imprint *imprint)
{
    const struct etm_walk_range *o = &w->pending;

    etm_imprint_put(imprint, w->unmade);
    etm_imprint_put(imprint, o->block != NULL);
    if (o->block == NULL)
        return;
    etm_imprint_put(imprint, o->start);
    etm_imprint_put(imprint, o->n);
    etm_imprint_put(imprint, o->exec);
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

void etm_walk_imprint(const struct etm_walk *w, unsigned index, bool revocable,
                      struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, (uint64_t)w->status);
    etm_imprint_put(imprint, w->floor == UINT64_MAX
                                 ? w->floor
                                 : w->floor - w->base - w->held);
    etm_imprint_put(imprint, etm_walk_since(w) - w->base - w->held);
    etm_imprint_put(imprint, w->known);
    if (w->known)
        etm_imprint_put(imprint, etm_walk_at(w, index));
    if (w->known || w->level != ETM_LEVEL_COVERAGE)
        etm_imprint_put(imprint, w->isa);
    space(&w->blocks, imprint);
    context(&w->now, imprint);
    if (w->level != ETM_LEVEL_COVERAGE) {
        context(&w->given, imprint);
        etm_imprint_put(imprint, w->given.isa);
        etm_imprint_put(imprint, w->context_changed);
        etm_imprint_put(imprint, w->context_changed ? w->context_offset : 0);
        etm_imprint_put(imprint, w->context_changed && w->context_timed
                                     ? w->context_since
                                     : UINT64_MAX);
        etm_imprint_put(imprint, w->cycles);
        etm_imprint_put(imprint, w->blind_cycles);
    }
    range(w, revocable, imprint);
    pending(w, imprint);
    etm_imprint_put(imprint, w->has_lost);
    if (w->has_lost) {
        etm_imprint_carried(imprint, ETM_CARRIED_LOST, 3);
        etm_imprint_put(imprint, w->lost_bytes);
        etm_imprint_put(imprint, w->lost_offset);
        etm_imprint_put(imprint, w->lost_reason);
    }
}

void etm_position_imprint(const struct etm_walk *w, struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, w->mismatch);
    etm_imprint_put(imprint, w->astray);
    etm_imprint_put(imprint, w->awaiting);
    etm_imprint_put(imprint, w->half);
    etm_imprint_put(imprint, w->arrived);
    etm_imprint_put(imprint, w->last);
    if ((w->last & ETM_LAST_VALID) != 0) {
        etm_block_imprint(w->last_block, w->last_index, imprint);
        etm_imprint_put(imprint, w->last_cycles);
    }
    if ((w->last & ETM_LAST_NO_CODE) != 0)
        etm_imprint_put(imprint, w->no_code);
}

static void data_element(const struct etm_element *e,
                         struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, e->u.data.insn_known);
    etm_imprint_put(imprint, e->u.data.address_known);
    etm_imprint_put(imprint, e->u.data.value_known);
    etm_imprint_put(imprint, e->u.data.size);
    etm_imprint_put(imprint, e->u.data.store);
    etm_imprint_put(imprint, e->u.data.index);
    etm_imprint_put(imprint, e->u.data.status);
    etm_imprint_put(imprint, e->u.data.be8);
    etm_imprint_put(imprint, e->u.data.reg_kind);
    etm_imprint_put(imprint, e->u.data.reg);
    etm_imprint_put(imprint, e->u.data.insn);
    etm_imprint_put(imprint, e->u.data.address);
    etm_imprint_put(imprint, e->u.data.value);
}

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
            data_element(e, imprint);
        } else { /* zeroed as a whole before it was filled in */
            /* where 64 bits are aligned to 32, the last word is half of one */
            uint64_t words[(sizeof e->u + 7) / 8] = {0};

            memcpy(words, &e->u, sizeof e->u);
            for (size_t k = 0; k < sizeof words / sizeof *words; k++)
                etm_imprint_put(imprint, words[k]);
        }
    }
}

void etm_broadcast_imprint(const struct etm_broadcast *b,
                           struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, b->valid);
    etm_imprint_put(imprint, b->address);
    etm_imprint_put(imprint, b->isa);
    etm_imprint_put(imprint, b->ns);
    etm_imprint_put(imprint, b->alt_isa);
    etm_imprint_put(imprint, b->hyp);
    etm_imprint_carried(imprint, ETM_CARRIED_BASE, 3);
    etm_imprint_put(imprint, b->data_valid);
    etm_imprint_put(imprint, b->data_valid ? b->be : 0);
    etm_imprint_put(imprint, b->data_valid ? b->data_address : 0);
    etm_imprint_put(imprint, b->timestamp_bits);
    etm_imprint_put(imprint, b->timestamp_bits != 0 ? b->timestamp : 0);
    /* context ID and VMID are the walk's */
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

static void transfers(const struct etm_transfers *t,
                      struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, t->kind);
    etm_imprint_put(imprint, t->direction);
    etm_imprint_put(imprint, t->count);
    etm_imprint_put(imprint, t->size);
    etm_imprint_put(imprint, t->multiple);
    etm_imprint_put(imprint, t->exclusive);
    etm_imprint_put(imprint, t->sign_extend);
    etm_imprint_put(imprint, t->pc);
    etm_imprint_put(imprint, t->base);
    etm_imprint_put(imprint, t->first);
    etm_imprint_put(imprint, t->second);
    etm_imprint_put(imprint, t->registers);
}

static void owner(const struct etm_walk *w, const struct etm_data_owner *o,
                  struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, o->kind);
    etm_imprint_put(imprint, o->previous_known);
    etm_imprint_put(imprint, o->previous_known ? o->previous : 0);
    if (o->kind == ETM_DATA_OWNER_NONE)
        return;
    etm_imprint_put(imprint, o->pc_first);
    etm_imprint_put(imprint, o->addressed);
    etm_imprint_put(imprint, o->unplaced);
    etm_imprint_put(imprint, o->settled);
    etm_imprint_put(imprint, o->insn);
    transfers(&o->transfers, imprint);
    item(w, o->hole, imprint);
    etm_imprint_put(imprint, o->done);
    etm_imprint_put(imprint, o->n);
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
        data_element(&slot->element, imprint);
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
