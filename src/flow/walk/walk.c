/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/walk.h"

#include <string.h>

int etm_walk_init(struct etm_walk *w, const struct etm_config *config,
                  const struct etm_image *image,
                  const struct etm_block_rules *rules,
                  const struct etm_allocator *allocator)
{
    static const struct etm_block none;
    struct etm_block_rules r = *rules;

    w->end_block = &none;
    w->profile = config->profile;
    w->cycle_accurate = config->cycle_accurate;
    w->source = config->trace_id;
    w->range_head[0] = ETM_ELEMENT_RANGE;
    w->insn_head[0] = ETM_ELEMENT_INSN;
    w->range_head[1] = w->insn_head[1] = w->source;
    w->floor = UINT64_MAX;
    w->data.config = config;
    w->data.stream_end = UINT64_MAX;
    w->data.last = ETM_DATA_NONE;
    w->data.partner = ETM_DATA_NONE;
    w->data.last_tag = ETM_DATA_NO_TAG;
    r.profile = config->profile;
    r.insns = w->level == ETM_LEVEL_INSTRUCTIONS;
    r.counts = etm_level_counts(w->level);
    w->counts = r.counts;
    return etm_blocks_init(&w->blocks, image, &r, allocator);
}

void etm_walk_fini(struct etm_walk *w)
{
    etm_blocks_fini(&w->blocks);
}

struct etm_element *etm_walk_grow(struct etm_walk *w)
{
    struct etm_vec *out = w->out;
    int status = etm_vec_reserve(out, 1);

    if (status != ETM_OK) { /* the status says that something is missing */
        w->status = status;
        return &w->nothing;
    }
    return (struct etm_element *)out->data + out->n++;
}

/* The range that is open, or was closed last. */
static inline struct etm_walk_range last_range(const struct etm_walk *w)
{
    return (struct etm_walk_range){.block = w->end_block,
                                   .index = w->end_index,
                                   .start = w->open_start,
                                   .n = w->open_n,
                                   .exec = w->open_exec,
                                   .cycles = w->open_cycles};
}

/* Fill an element with the range that is open, or was closed last. */
static void fill_range(const struct etm_walk *w, struct etm_element *e)
{
    struct etm_walk_range r = last_range(w);

    etm_walk_fill(w, &r, etm_block_last(r.block, r.index), e);
}

void etm_walk_give(struct etm_walk *w)
{
    w->has_open = false;
    fill_range(w, etm_walk_add(w, ETM_ELEMENT_RANGE, w->open_offset));
}

/* The counter of a range; NULL: it is counted in the table. */
static inline uint32_t *hits_of(const struct etm_walk *w,
                                const struct etm_walk_range *r)
{
    uint32_t from = r->index + 1 - r->n;

    /* it may have begun in another block */
    if (r->n > r->index + 1 || r->block == &w->kept || r->exec == ETM_UNKNOWN ||
        etm_block_address(r->block, from) != r->start)
        return NULL;
    return etm_block_hits(&w->blocks, (struct etm_block *)r->block, from,
                          r->index, r->exec == ETM_FALSE);
}

static inline void count_range(struct etm_walk *w,
                               const struct etm_walk_range *r)
{
    struct etm_count count;
    uint32_t *hits;

    if (r->block == NULL || w->muted)
        return;
    if (w->cycle_accurate && w->level == ETM_LEVEL_COUNTS)
        w->counted_cycles += r->cycles;
    hits = hits_of(w, r);
    if (hits != NULL) {
        ++*hits;
        return;
    }
    count = etm_block_count(r->block, r->index, r->start, r->n,
                            (enum etm_tri)r->exec);
    (void)etm_counts_add(&w->blocks.counts, &count); /* its status stays */
}

void etm_walk_count(struct etm_walk *w)
{
    w->has_open = false;
    w->unmade++;
    if (w->certain) {
        struct etm_walk_range r = last_range(w);

        count_range(w, &r);
        return;
    }
    count_range(w, &w->pending);
    w->pending = last_range(w);
}

void etm_walk_count_now(struct etm_walk *w)
{
    count_range(w, &w->pending);
    w->pending = (struct etm_walk_range){.block = NULL};
}

void etm_walk_forget(struct etm_walk *w)
{
    etm_walk_count_pending(w);
    w->kept = *w->end_block;
    w->end_block = &w->kept;
    etm_blocks_trim(&w->blocks);
    w->block = NULL;
}

void etm_walk_remove(struct etm_walk *w, size_t index)
{
    struct etm_element *elements = w->out->data;

    memmove(&elements[index], &elements[index + 1],
            (w->out->n - index - 1) * sizeof *elements);
    w->out->n--;
}

/* The last element of that kind among those held back; out.n if there is
 * none. */
static size_t last_held(const struct etm_walk *w, enum etm_element_kind kind)
{
    const struct etm_element *elements = w->out->data;

    for (size_t i = w->out->n; i > w->held; i--)
        if (elements[i - 1].kind == kind)
            return i - 1;
    return w->out->n;
}

uint64_t etm_walk_drop_held(struct etm_walk *w, enum etm_element_kind kind)
{
    size_t i = last_held(w, kind);

    if (i == w->out->n)
        return UINT64_MAX;
    etm_walk_remove(w, i);
    return w->base + i;
}

/* Elements from that one on come this many cycles later. */
static void put_off(struct etm_walk *w, size_t i, uint64_t cycles)
{
    struct etm_element *elements = w->out->data;

    for (; i < w->out->n; i++)
        if (elements[i].since_known)
            etm_walk_time(&elements[i], elements[i].since + cycles);
    w->context_since += cycles;
}

uint64_t etm_walk_take_back(struct etm_walk *w, uint64_t cycles)
{
    struct etm_element *elements = w->out->data;
    size_t i;

    if (w->level == ETM_LEVEL_INSTRUCTIONS) {
        uint64_t number = etm_walk_drop_held(w, ETM_ELEMENT_INSN);

        if (number != UINT64_MAX)
            put_off(w, (size_t)(number - w->base), cycles);
        return number;
    }
    w->open_n--;
    w->open_cycles -= cycles;
    w->open_exec = w->before_exec;
    if (w->end_index != 0) {
        w->end_index--;
    } else if (w->before_block != NULL) {
        w->end_block = w->before_block;
        w->end_index = w->before_index;
    }
    if (w->has_open) {
        w->has_open = w->open_n != 0;
        w->context_since += cycles;
        return UINT64_MAX;
    }
    if (w->counts) {
        if (w->pending.block != NULL)
            w->pending = last_range(w);
        if (w->open_n == 0)
            w->pending = (struct etm_walk_range){.block = NULL};
        return UINT64_MAX;
    }
    i = last_held(w, ETM_ELEMENT_RANGE);
    put_off(w, i, cycles);
    if (w->open_n == 0)
        return etm_walk_drop_held(w, ETM_ELEMENT_RANGE);
    if (i < w->out->n)
        fill_range(w, &elements[i]);
    return UINT64_MAX;
}

struct etm_element *etm_walk_put_context(struct etm_walk *w,
                                         struct etm_element *e)
{
    const struct etm_walk_context *now = &w->now;

    w->now.isa = w->isa;
    w->context_changed = false;
    if (etm_walk_is_given(w))
        return e;
    memset(e, 0, sizeof *e);
    e->offset = w->context_offset;
    e->kind = ETM_ELEMENT_CONTEXT;
    e->source = w->source;
    e->u.context.isa = now->isa;
    e->u.context.secure = now->secure;
    e->u.context.hyp = now->hyp;
    e->u.context.context_id_known = now->context_id_known;
    e->u.context.context_id = now->context_id;
    e->u.context.vmid_known = now->vmid_known;
    e->u.context.vmid = now->vmid;
    if (w->context_timed)
        etm_walk_time(e, w->context_since);
    w->given = w->now;
    return e + 1;
}

static void give_context(struct etm_walk *w)
{
    struct etm_element context;

    if (etm_walk_put_context(w, &context) == &context)
        return;
    etm_walk_close(w);
    *etm_walk_add(w, ETM_ELEMENT_CONTEXT, context.offset) = context;
}

static void see(struct etm_walk *w)
{
    struct etm_space space = {.secure = (enum etm_tri)w->now.secure,
                              .has_context = w->now.context_id_known,
                              .context_id = w->now.context_id};
    int changed = etm_blocks_see(&w->blocks, &space);

    if (changed < 0)
        w->status = changed;
    else if (changed != 0)
        w->block = NULL;
}

struct etm_block *etm_walk_look(struct etm_walk *w)
{
    if (w->context_changed)
        see(w);
    if (w->block == NULL) {
        if (!w->known)
            return NULL;
        w->block = etm_blocks_get(&w->blocks, w->address, (enum etm_isa)w->isa);
        if (w->block == NULL)
            w->status = ETM_ERR_MEMORY;
    }
    return w->block;
}

struct etm_block *etm_walk_here(struct etm_walk *w)
{
    etm_walk_look(w);
    if (w->context_changed)
        give_context(w);
    return w->block;
}

void etm_walk_go(struct etm_walk *w, uint32_t address, enum etm_isa isa,
                 uint64_t offset)
{
    w->known = true;
    w->address = address;
    w->block = NULL;
    if (w->isa != (uint8_t)isa) {
        w->isa = (uint8_t)isa;
        etm_walk_context_changed(w, offset);
    }
}

/* Before Thumb-2 a BL or BLX reaches 4 MB. What seems to reach further is two
 * unrelated halfwords, such as the end of a literal and the branch after it. */
static bool reaches(const struct etm_block *block)
{
    return block->target - block->address + 0x400000 < 0x800000 + 4;
}

struct etm_block *etm_walk_half(struct etm_walk *w, bool *half)
{
    struct etm_block *block =
        etm_blocks_get(&w->blocks, w->address - 2, ETM_ISA_THUMB);

    if (block == NULL) {
        w->status = ETM_ERR_MEMORY;
    } else if (block->n == 1 && (block->wide & 1) != 0 &&
               block->end_kind == ETM_BLOCK_DIRECT &&
               (block->last_flags & ETM_INSN_LINK) != 0 && reaches(block)) {
        *half = true;
        w->address = block->address;
        w->block = block;
    }
    return w->block;
}

void etm_walk_enter_other(struct etm_walk *w, struct etm_block *link,
                          uint64_t offset)
{
    if (link == NULL) {
        w->status = ETM_ERR_MEMORY;
        etm_walk_nowhere(w);
        return;
    }
    w->block = link;
    w->address = link->address;
    w->isa = link->isa;
    etm_walk_context_changed(w, offset);
}

void etm_walk_no_image(struct etm_walk *w, uint64_t offset)
{
    etm_walk_close(w);
    etm_walk_add(w, ETM_ELEMENT_NO_IMAGE, offset)->u.no_image.address =
        w->address;
    etm_walk_nowhere(w);
}

void etm_walk_lose(struct etm_walk *w, enum etm_lost_reason reason,
                   uint64_t offset, uint64_t bytes)
{
    if (!w->has_lost) {
        w->has_lost = true;
        w->lost_reason = (uint8_t)reason;
        w->lost_offset = offset;
        w->lost_bytes = 0;
    }
    w->lost_bytes += bytes;
}

void etm_walk_give_lost(struct etm_walk *w)
{
    struct etm_element *element;

    if (!w->has_lost)
        return;
    etm_walk_close(w);
    w->has_lost = w->lost_kept = false;
    element = etm_walk_add(w, ETM_ELEMENT_LOST, w->lost_offset);
    element->u.lost.reason = w->lost_reason;
    element->u.lost.bytes = w->lost_bytes;
}

/* Cycles of code that is not known. */
static void give_blind(struct etm_walk *w, uint64_t offset)
{
    if (w->blind_cycles != 0) {
        etm_walk_cycles(w, w->blind_cycles, offset);
        w->context_timed = false; /* it is given after them */
    }
    w->blind_cycles = 0;
}

void etm_walk_resume(struct etm_walk *w, uint64_t offset)
{
    etm_walk_give_lost(w);
    give_blind(w, offset);
}

void etm_walk_spend(struct etm_walk *w)
{
    if (w->cycle_accurate && w->level != ETM_LEVEL_COVERAGE)
        etm_walk_blind(w);
}

void etm_walk_broken(struct etm_walk *w, uint64_t offset)
{
    etm_walk_spend(w);
    if (w->has_lost && w->blind_cycles != 0) {
        /* what is lost with these bytes began there: E-309 */
        offset = w->lost_offset;
        w->lost_kept = false;
    }
    give_blind(w, offset);
}

void etm_walk_finish(struct etm_walk *w, uint64_t offset)
{
    etm_walk_resume(w, offset);
    etm_walk_event(w, ETM_ELEMENT_END, offset);
    etm_walk_commit(w);
    etm_walk_count_pending(w);
}

void etm_walk_trace_on(struct etm_walk *w, unsigned sync_reason,
                       uint64_t offset)
{
    etm_walk_close(w);
    etm_walk_add(w, ETM_ELEMENT_TRACE_ON, offset)->u.trace_on.reason =
        (uint8_t)etm_walk_began(sync_reason);
}

void etm_walk_cycles(struct etm_walk *w, uint64_t n, uint64_t offset)
{
    etm_walk_close(w);
    etm_walk_add(w, ETM_ELEMENT_CYCLES, offset)->u.cycles.n = n;
}

void etm_walk_timestamp(struct etm_walk *w, uint64_t value, uint64_t offset)
{
    etm_walk_close(w);
    etm_walk_add(w, ETM_ELEMENT_TIMESTAMP, offset)->u.timestamp.value = value;
}

void etm_walk_event(struct etm_walk *w, enum etm_element_kind kind,
                    uint64_t offset)
{
    etm_walk_close(w);
    etm_walk_add(w, kind, offset);
}

void etm_walk_state(struct etm_walk *w, enum etm_tri secure, enum etm_tri hyp,
                    uint64_t offset)
{
    if (w->now.secure == (uint8_t)secure && w->now.hyp == (uint8_t)hyp)
        return;
    w->now.secure = (uint8_t)secure;
    w->now.hyp = (uint8_t)hyp;
    etm_walk_context_changed(w, offset);
}

void etm_walk_context_id(struct etm_walk *w, uint32_t context_id,
                         uint64_t offset)
{
    if (w->now.context_id_known && w->now.context_id == context_id)
        return;
    w->now.context_id_known = true;
    w->now.context_id = context_id;
    etm_walk_context_changed(w, offset);
}

void etm_walk_forget_context_id(struct etm_walk *w, uint64_t offset)
{
    if (!w->now.context_id_known)
        return;
    w->now.context_id_known = false;
    w->now.context_id = 0;
    etm_walk_context_changed(w, offset);
}

void etm_walk_forget_vmid(struct etm_walk *w, uint64_t offset)
{
    if (!w->now.vmid_known)
        return;
    w->now.vmid_known = false;
    w->now.vmid = 0;
    etm_walk_context_changed(w, offset);
}

void etm_walk_vmid(struct etm_walk *w, uint8_t vmid, uint64_t offset)
{
    if (w->now.vmid_known && w->now.vmid == vmid)
        return;
    w->now.vmid_known = true;
    w->now.vmid = vmid;
    etm_walk_context_changed(w, offset);
}
