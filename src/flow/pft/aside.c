/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for what the loops of the fast path of PFT need rarely, and call
 * without stopping. */
#include "flow/pft/walk.h"

struct etm_element *etm_pft_give_context(struct etm_walk *f,
                                         struct etm_element *e, unsigned isa,
                                         uint64_t offset)
{
    etm_walk_context_changed(f, offset);
    f->isa = (uint8_t)isa;
    return etm_walk_put_context(f, e);
}

/* Put the step at an address among the targets. False: it was there, blocks
 * must be forgotten first, or memory has run out. */
static bool look_up(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                    struct etm_pft_terms t, uint32_t key)
{
    uint32_t step;

    if (etm_pft_find(flow, t, key, &step) ||
        etm_blocks_full(&flow->walk.blocks))
        return false;
    step = etm_pft_flow_find(flow, key);
    etm_pft_see_steps(flow, w);
    return step != 0;
}

/* A branch address packet. Returns whether the loop can take it now. */
static bool branch(struct etm_pft_flow *flow, struct etm_pft_walk *w,
                   struct etm_pft_terms t, const uint8_t *p)
{
    struct etm_walk *f = &flow->walk;
    uint32_t kind = etm_pft_kind(w, t);
    struct etm_pft_address to;
    bool done = false;

    if (kind == 0 && w->at != 0) { /* for the first time */
        etm_pft_fill(flow, w->at);
        etm_pft_see_steps(flow, w);
        kind = etm_pft_kind(w, t);
        done = true;
    }
    if (!(kind & (ETM_STEP_INDIRECT | ETM_PFT_STEP_NO_CODE)) && w->at != 0)
        return false;
    if (!etm_pft_address(w->last, etm_pft_load(p), &to))
        return false;
    done |= look_up(flow, w, t, to.key);
    if (f->status != ETM_OK)
        return false;
    done |= w->at != 0 && etm_pft_see_isa(f, w, t, kind);
    return done;
}

/* The size of an A-sync that ends within the readable bytes, or 0. */
static unsigned a_sync(const uint8_t *p)
{
    unsigned n = 0;

    while (n < ETM_PFT_WINDOW && p[n] == 0)
        n++;
    return n >= ETM_PFT_A_SYNC_ZEROS && n < ETM_PFT_WINDOW && p[n] == 0x80
               ? n + 1
               : 0;
}

/* Add an element, without the part specific to its kind. */
static struct etm_element *add(const struct etm_walk *f, struct etm_pft_walk *w,
                               enum etm_element_kind kind, uint64_t offset)
{
    struct etm_element *e = w->e++;

    memset(e, 0, sizeof *e);
    e->offset = offset;
    e->kind = (uint8_t)kind;
    e->source = f->source;
    return e;
}

/* A timestamp packet, as timestamp() of flow.c. Returns its size. */
static size_t timestamp(struct etm_pft_flow *flow,
                        const struct etm_pft_decoder *d, struct etm_pft_walk *w,
                        const uint8_t *p, uint64_t offset)
{
    struct etm_packet packet;
    uint64_t time;

    etm_pft_decoder_look(d, p, offset, &packet);
    w->cycles += packet.cycle_count;
    if (etm_pft_flow_time(flow, &packet, &time))
        add(&flow->walk, w, ETM_ELEMENT_TIMESTAMP, offset)->u.timestamp.value =
            time;
    return packet.size;
}

/* An I-sync whose address may only have to be looked up. Returns as above. In
 * another context it is looked up in another place. */
static bool i_sync(struct etm_pft_flow *flow, const struct etm_pft_decoder *d,
                   struct etm_pft_walk *w, struct etm_pft_terms t,
                   const uint8_t *p, uint64_t offset)
{
    const struct etm_walk_context *now = &flow->walk.now;
    struct etm_pft_place to = etm_pft_i_sync(flow, etm_pft_load(p));
    struct etm_packet packet;

    if (!to.same_state || (to.reason == ETM_SYNC_PERIODIC && w->at != 0))
        return false;
    etm_pft_decoder_look(d, p, offset, &packet);
    if ((packet.fields & ETM_FIELD_CONTEXT_ID) != 0 &&
        !(now->context_id_known && now->context_id == packet.context_id))
        return false;
    return look_up(flow, w, t, to.key);
}

struct etm_pft_aided etm_pft_aid(struct etm_pft_flow *flow,
                                 const struct etm_pft_decoder *d,
                                 struct etm_pft_walk *w, struct etm_pft_terms t,
                                 const uint8_t *p, uint64_t offset)
{
    struct etm_walk *f = &flow->walk;
    struct etm_pft_aided aided = {0};

    switch ((enum etm_pft_header)d->table.kind[*p]) {
    case ETM_PFT_HEADER_BRANCH:
        aided.stop = !branch(flow, w, t, p);
        return aided;
    case ETM_PFT_HEADER_I_SYNC:
        aided.stop = !i_sync(flow, d, w, t, p, offset);
        return aided;
    case ETM_PFT_HEADER_TIMESTAMP:
        etm_pft_note_moved(f, w, t);
        aided.size = timestamp(flow, d, w, p, offset);
        break;
    case ETM_PFT_HEADER_A_SYNC:
        aided.size = a_sync(p);
        break;
    case ETM_PFT_HEADER_IGNORE:
        aided.size = 1;
        break;
    case ETM_PFT_HEADER_EXCEPTION_RETURN:
        etm_pft_note_moved(f, w, t);
        add(f, w, ETM_ELEMENT_EXCEPTION_RETURN, offset);
        aided.size = 1;
        break;
    case ETM_PFT_HEADER_TRIGGER:
        etm_pft_note_moved(f, w, t);
        add(f, w, ETM_ELEMENT_TRIGGER, offset);
        aided.size = 1;
        break;
    case ETM_PFT_HEADER_RESERVED:
    case ETM_PFT_HEADER_ATOM:
    case ETM_PFT_HEADER_VMID:
    case ETM_PFT_HEADER_CONTEXT_ID:
    case ETM_PFT_HEADER_WAYPOINT_UPDATE:
        break;
    }
    aided.stop = aided.size == 0;
    return aided;
}
