/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/follow.h"

#include <string.h>

int etm_follow_init(struct etm_follow *f, const struct etm_config *config,
                    const struct etm_image *image, enum etm_level level,
                    const struct etm_block_rules *rules,
                    const struct etm_allocator *allocator)
{
    static const struct etm_block none;
    struct etm_block_rules r = *rules;

    memset(f, 0, sizeof *f);
    f->last_block = &none;
    f->level = level;
    f->profile = config->profile;
    f->cycle_accurate = config->cycle_accurate;
    f->source = config->trace_id;
    f->floor = UINT64_MAX;
    r.profile = config->profile;
    r.insns = level == ETM_LEVEL_INSTRUCTIONS;
    r.counts = etm_level_counts(level);
    f->counts = etm_blocks_have_hits(&r);
    return etm_blocks_init(&f->blocks, image, &r, allocator);
}

void etm_follow_fini(struct etm_follow *f)
{
    etm_blocks_fini(&f->blocks);
}

struct etm_element *etm_follow_grow(struct etm_follow *f)
{
    struct etm_vec *out = f->out;
    int status = etm_vec_reserve(out, 1);

    if (status != ETM_OK) { /* the status says that something is missing */
        f->status = status;
        return &f->nothing;
    }
    return (struct etm_element *)out->data + out->n++;
}

/* The range that is open, or was closed last. */
static inline struct etm_follow_range last_range(const struct etm_follow *f)
{
    return (struct etm_follow_range){.block = f->last_block,
                                     .index = f->last_index,
                                     .start = f->open_start,
                                     .n = f->open_n,
                                     .exec = f->open_exec,
                                     .cycles = f->open_cycles};
}

/* The same as an element. */
static void fill_range(const struct etm_follow *f, struct etm_element *e)
{
    struct etm_follow_range r = last_range(f);

    etm_follow_fill(f, &r, etm_block_last(r.block, r.index), e);
}

void etm_follow_give(struct etm_follow *f)
{
    f->has_open = false;
    fill_range(f, etm_follow_add(f, ETM_ELEMENT_RANGE, f->open_offset));
}

/* The counter of a range; NULL: it is counted in the table. */
static inline uint32_t *hits_of(const struct etm_follow *f,
                                const struct etm_follow_range *r)
{
    uint32_t from = r->index + 1 - r->n;

    /* it may have begun in another block */
    if (r->n > r->index + 1 || r->block == &f->kept || r->exec == ETM_UNKNOWN ||
        !etm_block_stands(r->block, from, r->start))
        return NULL;
    return etm_block_hits(&f->blocks, (struct etm_block *)r->block, from,
                          r->index, r->exec == ETM_FALSE);
}

static inline void count_range(struct etm_follow *f,
                               const struct etm_follow_range *r)
{
    struct etm_count count;
    uint32_t *hits;

    if (r->block == NULL || f->muted)
        return;
    if (f->cycle_accurate && f->level == ETM_LEVEL_COUNTS)
        f->counted_cycles += r->cycles;
    hits = hits_of(f, r);
    if (hits != NULL) {
        ++*hits;
        return;
    }
    count = etm_block_count(r->block, r->index, r->start, r->n,
                            (enum etm_tri)r->exec);
    (void)etm_counts_add(&f->blocks.counts, &count); /* its status stays */
}

void etm_follow_owe(struct etm_follow *f)
{
    f->has_open = false;
    f->unmade++;
    if (f->certain) {
        struct etm_follow_range r = last_range(f);

        count_range(f, &r);
        return;
    }
    count_range(f, &f->owed);
    f->owed = last_range(f);
}

void etm_follow_count_owed(struct etm_follow *f)
{
    count_range(f, &f->owed);
    f->owed = (struct etm_follow_range){.block = NULL};
}

void etm_follow_forget(struct etm_follow *f)
{
    etm_follow_pay(f);
    f->kept = *f->last_block;
    f->last_block = &f->kept;
    etm_blocks_trim(&f->blocks);
    f->block = NULL;
}

void etm_follow_remove(struct etm_follow *f, size_t index)
{
    struct etm_element *elements = f->out->data;

    memmove(&elements[index], &elements[index + 1],
            (f->out->n - index - 1) * sizeof *elements);
    f->out->n--;
}

/* The last element of that kind among those held back; out.n if there is
 * none. */
static size_t last_held(const struct etm_follow *f, enum etm_element_kind kind)
{
    const struct etm_element *elements = f->out->data;

    for (size_t i = f->out->n; i > f->held; i--)
        if (elements[i - 1].kind == kind)
            return i - 1;
    return f->out->n;
}

uint64_t etm_follow_drop_held(struct etm_follow *f, enum etm_element_kind kind)
{
    size_t i = last_held(f, kind);

    if (i == f->out->n)
        return UINT64_MAX;
    etm_follow_remove(f, i);
    return f->base + i;
}

/* Elements from that one on come this many cycles later. */
static void put_off(struct etm_follow *f, size_t i, uint64_t cycles)
{
    struct etm_element *elements = f->out->data;

    for (; i < f->out->n; i++)
        if (elements[i].since_known)
            etm_follow_time(&elements[i], elements[i].since + cycles);
    f->context_since += cycles;
}

uint64_t etm_follow_take_back(struct etm_follow *f, uint64_t cycles)
{
    struct etm_element *elements = f->out->data;
    size_t i;

    if (f->level == ETM_LEVEL_INSTRUCTIONS) {
        uint64_t number = etm_follow_drop_held(f, ETM_ELEMENT_INSN);

        if (number != UINT64_MAX)
            put_off(f, (size_t)(number - f->base), cycles);
        return number;
    }
    f->open_n--;
    f->open_cycles -= cycles;
    f->open_exec = f->before_exec;
    if (f->last_index != 0) {
        f->last_index--;
    } else if (f->before_block != NULL) {
        f->last_block = f->before_block;
        f->last_index = f->before_index;
    }
    if (f->has_open) {
        f->has_open = f->open_n != 0;
        f->context_since += cycles;
        return UINT64_MAX;
    }
    if (f->counts) {
        if (f->owed.block != NULL)
            f->owed = last_range(f);
        if (f->open_n == 0)
            f->owed = (struct etm_follow_range){.block = NULL};
        return UINT64_MAX;
    }
    i = last_held(f, ETM_ELEMENT_RANGE);
    put_off(f, i, cycles);
    if (f->open_n == 0)
        return etm_follow_drop_held(f, ETM_ELEMENT_RANGE);
    if (i < f->out->n)
        fill_range(f, &elements[i]);
    return UINT64_MAX;
}

struct etm_element *etm_follow_put_context(struct etm_follow *f,
                                           struct etm_element *e)
{
    const struct etm_follow_context *now = &f->now;

    f->now.isa = f->isa;
    f->context_changed = false;
    if (etm_follow_is_given(f))
        return e;
    memset(e, 0, sizeof *e);
    e->offset = f->context_offset;
    e->kind = ETM_ELEMENT_CONTEXT;
    e->source = f->source;
    e->u.context.isa = now->isa;
    e->u.context.secure = now->secure;
    e->u.context.hyp = now->hyp;
    e->u.context.context_id_known = now->context_id_known;
    e->u.context.context_id = now->context_id;
    e->u.context.vmid_known = now->vmid_known;
    e->u.context.vmid = now->vmid;
    if (f->context_timed)
        etm_follow_time(e, f->context_since);
    f->given = f->now;
    return e + 1;
}

static void give_context(struct etm_follow *f)
{
    struct etm_element context;

    if (etm_follow_put_context(f, &context) == &context)
        return;
    etm_follow_close(f);
    *etm_follow_add(f, ETM_ELEMENT_CONTEXT, context.offset) = context;
}

static void see(struct etm_follow *f)
{
    struct etm_space space = {.secure = (enum etm_tri)f->now.secure,
                              .has_context = f->now.context_id_known,
                              .context_id = f->now.context_id};
    int changed = etm_blocks_see(&f->blocks, &space);

    if (changed < 0)
        f->status = changed;
    else if (changed != 0)
        f->block = NULL;
}

struct etm_block *etm_follow_look(struct etm_follow *f)
{
    if (f->context_changed)
        see(f);
    if (f->block == NULL) {
        if (!f->known)
            return NULL;
        f->block = etm_blocks_get(&f->blocks, f->address, (enum etm_isa)f->isa);
        if (f->block == NULL)
            f->status = ETM_ERR_MEMORY;
    }
    return f->block;
}

struct etm_block *etm_follow_here(struct etm_follow *f)
{
    etm_follow_look(f);
    if (f->context_changed)
        give_context(f);
    return f->block;
}

void etm_follow_go(struct etm_follow *f, uint32_t address, enum etm_isa isa,
                   uint64_t offset)
{
    f->known = true;
    f->address = address;
    f->block = NULL;
    if (f->isa != (uint8_t)isa) {
        f->isa = (uint8_t)isa;
        etm_follow_context_changed(f, offset);
    }
}

/* Before Thumb-2 a BL or BLX reaches 4 MB. What seems to reach further is two
 * unrelated halfwords, such as the end of a literal and the branch after it. */
static bool reaches(const struct etm_block *block)
{
    return block->target - block->address + 0x400000 < 0x800000 + 4;
}

struct etm_block *etm_follow_half(struct etm_follow *f, bool *half)
{
    struct etm_block *block =
        etm_blocks_get(&f->blocks, f->address - 2, ETM_ISA_THUMB);

    if (block == NULL) {
        f->status = ETM_ERR_MEMORY;
    } else if (block->n == 1 && (block->wide & 1) != 0 &&
               block->end_kind == ETM_BLOCK_DIRECT &&
               (block->last_flags & ETM_INSN_LINK) != 0 && reaches(block)) {
        *half = true;
        f->address = block->address;
        f->block = block;
    }
    return f->block;
}

void etm_follow_enter_other(struct etm_follow *f, struct etm_block *link,
                            uint64_t offset)
{
    if (link == NULL) {
        f->status = ETM_ERR_MEMORY;
        etm_follow_nowhere(f);
        return;
    }
    f->block = link;
    f->address = link->address;
    f->isa = link->isa;
    etm_follow_context_changed(f, offset);
}

void etm_follow_no_image(struct etm_follow *f, uint64_t offset)
{
    etm_follow_close(f);
    etm_follow_add(f, ETM_ELEMENT_NO_IMAGE, offset)->u.no_image.address =
        f->address;
    etm_follow_nowhere(f);
}

void etm_follow_lose(struct etm_follow *f, enum etm_lost_reason reason,
                     uint64_t offset, uint64_t bytes)
{
    if (!f->has_lost) {
        f->has_lost = true;
        f->lost_reason = (uint8_t)reason;
        f->lost_offset = offset;
        f->lost_bytes = 0;
    }
    f->lost_bytes += bytes;
}

void etm_follow_give_lost(struct etm_follow *f)
{
    struct etm_element *element;

    if (!f->has_lost)
        return;
    etm_follow_close(f);
    f->has_lost = f->lost_kept = false;
    element = etm_follow_add(f, ETM_ELEMENT_LOST, f->lost_offset);
    element->u.lost.reason = f->lost_reason;
    element->u.lost.bytes = f->lost_bytes;
}

/* Cycles of code that is not known. */
static void give_blind(struct etm_follow *f, uint64_t offset)
{
    if (f->blind_cycles != 0) {
        etm_follow_cycles(f, f->blind_cycles, offset);
        f->context_timed = false; /* it is given after them */
    }
    f->blind_cycles = 0;
}

void etm_follow_resume(struct etm_follow *f, uint64_t offset)
{
    etm_follow_give_lost(f);
    give_blind(f, offset);
}

void etm_follow_spend(struct etm_follow *f)
{
    if (f->cycle_accurate && f->level != ETM_LEVEL_COVERAGE)
        etm_follow_blind(f);
}

void etm_follow_broken(struct etm_follow *f, uint64_t offset)
{
    etm_follow_spend(f);
    if (f->has_lost && f->blind_cycles != 0) {
        /* what is lost with these bytes began there: E-309 */
        offset = f->lost_offset;
        f->lost_kept = false;
    }
    give_blind(f, offset);
}

void etm_follow_finish(struct etm_follow *f, uint64_t offset)
{
    etm_follow_resume(f, offset);
    etm_follow_event(f, ETM_ELEMENT_END, offset);
    etm_follow_commit(f);
    etm_follow_pay(f);
}

void etm_follow_trace_on(struct etm_follow *f, unsigned sync_reason,
                         uint64_t offset)
{
    etm_follow_close(f);
    etm_follow_add(f, ETM_ELEMENT_TRACE_ON, offset)->u.trace_on.reason =
        (uint8_t)etm_follow_began(sync_reason);
}

void etm_follow_cycles(struct etm_follow *f, uint64_t n, uint64_t offset)
{
    etm_follow_close(f);
    etm_follow_add(f, ETM_ELEMENT_CYCLES, offset)->u.cycles.n = n;
}

void etm_follow_timestamp(struct etm_follow *f, uint64_t value, uint64_t offset)
{
    etm_follow_close(f);
    etm_follow_add(f, ETM_ELEMENT_TIMESTAMP, offset)->u.timestamp.value = value;
}

void etm_follow_event(struct etm_follow *f, enum etm_element_kind kind,
                      uint64_t offset)
{
    etm_follow_close(f);
    etm_follow_add(f, kind, offset);
}

void etm_follow_state(struct etm_follow *f, enum etm_tri secure,
                      enum etm_tri hyp, uint64_t offset)
{
    if (f->now.secure == (uint8_t)secure && f->now.hyp == (uint8_t)hyp)
        return;
    f->now.secure = (uint8_t)secure;
    f->now.hyp = (uint8_t)hyp;
    etm_follow_context_changed(f, offset);
}

void etm_follow_context_id(struct etm_follow *f, uint32_t context_id,
                           uint64_t offset)
{
    if (f->now.context_id_known && f->now.context_id == context_id)
        return;
    f->now.context_id_known = true;
    f->now.context_id = context_id;
    etm_follow_context_changed(f, offset);
}

void etm_follow_forget_context_id(struct etm_follow *f, uint64_t offset)
{
    if (!f->now.context_id_known)
        return;
    f->now.context_id_known = false;
    f->now.context_id = 0;
    etm_follow_context_changed(f, offset);
}

void etm_follow_forget_vmid(struct etm_follow *f, uint64_t offset)
{
    if (!f->now.vmid_known)
        return;
    f->now.vmid_known = false;
    f->now.vmid = 0;
    etm_follow_context_changed(f, offset);
}

void etm_follow_vmid(struct etm_follow *f, uint8_t vmid, uint64_t offset)
{
    if (f->now.vmid_known && f->now.vmid == vmid)
        return;
    f->now.vmid_known = true;
    f->now.vmid = vmid;
    etm_follow_context_changed(f, offset);
}
