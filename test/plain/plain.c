/* SPDX-License-Identifier: Apache-2.0 */
#include "plain.h"

#include "plain_packets.h"

#include <stdlib.h>
#include <string.h>

static struct plain_item *append(struct plain *p, enum etm_element_kind kind,
                                 uint64_t offset)
{
    struct plain_item *item;

    if (p->n == p->capacity) {
        p->capacity = 2 * p->capacity + 1024;
        p->items = realloc(p->items, p->capacity * sizeof *p->items);
        if (p->items == NULL)
            abort();
    }
    item = &p->items[p->n++];
    memset(item, 0, sizeof *item);
    item->e.kind = (uint8_t)kind;
    item->e.source = p->config->trace_id;
    item->e.offset = offset;
    return item;
}

struct etm_element *plain_add(struct plain *p, enum etm_element_kind kind)
{
    return &append(p, kind, p->p->offset)->e;
}

bool plain_counts(const struct plain *p)
{
    return p->synced && p->config->protocol == ETM_PROTOCOL_ETMV3 &&
           p->config->cycle_accurate && !p->config->data_only; /* E-110 */
}

void plain_time(const struct plain *p, struct etm_element *e)
{
    if (!plain_counts(p))
        return;
    e->since_known = true;
    e->since = (uint32_t)(p->blind + p->cycles);
}

struct plain_item *plain_add_insn(struct plain *p, const struct etm_insn *insn,
                                  uint32_t address, enum etm_tri exec,
                                  uint64_t cycles)
{
    struct etm_element *e = plain_add(p, ETM_ELEMENT_INSN);

    e->u.insn.isa = (uint8_t)p->isa;
    e->u.insn.type = insn->type;
    e->u.insn.flags = insn->flags;
    e->u.insn.size = insn->size;
    e->u.insn.opcode = insn->opcode;
    e->u.insn.address = address;
    e->u.insn.exec = (uint8_t)exec;
    e->u.insn.cycles = p->config->cycle_accurate ? cycles : ETM_CYCLES_UNKNOWN;
    return &p->items[p->n - 1];
}

void plain_remove(struct plain *p, size_t index)
{
    memmove(&p->items[index], &p->items[index + 1],
            (p->n - index - 1) * sizeof *p->items);
    p->n--;
}

bool plain_read(const struct plain *p, uint32_t address, struct etm_insn *insn)
{
    struct etm_space space = {.secure = (enum etm_tri)p->now.secure,
                              .has_context = p->now.context_id_known,
                              .context_id = p->now.context_id};
    uint8_t bytes[16];
    size_t n;

    if (p->image == NULL)
        return false;
    n = etm_image_read(p->image, address, &space, bytes, sizeof bytes);
    if (n == 0)
        return false;
    etm_insn_decode(insn, p->isa, p->config->profile, address, bytes, n);
    if (insn->barrier == ETM_BARRIER_SAME_STATE &&
        p->config->protocol == ETM_PROTOCOL_PFT)
        insn->type = ETM_INSN_TYPE_DIRECT; /* E-81 */
    return insn->size != 0;
}

bool plain_is_bl(const struct etm_insn *insn, uint32_t address)
{
    int32_t way = (int32_t)(insn->target - address);

    return insn->type == ETM_INSN_TYPE_DIRECT &&
           (insn->flags & ETM_INSN_LINK) != 0 && way >= -0x400000 &&
           way < 0x400004;
}

bool plain_is_branch(const struct etm_insn *insn)
{
    return insn->type == ETM_INSN_TYPE_DIRECT ||
           insn->type == ETM_INSN_TYPE_INDIRECT;
}

bool plain_traces_data(const struct plain *p)
{
    const struct etm_config *c = p->config;

    return c->data_value || c->data_address || c->cprt;
}

/* Context */

static void context_changes(struct plain *p)
{
    if (!p->context_changed) {
        p->context_offset = p->p->offset;
        p->context_timed =
            p->p->kind == ETM_PACKET_CONTEXT_ID && plain_counts(p);
        p->context_since = p->blind + p->cycles;
    }
    p->context_changed = true;
}

void plain_go(struct plain *p, uint32_t address, enum etm_isa isa)
{
    p->known = true;
    p->address = address;
    if (p->isa != isa)
        context_changes(p);
    p->isa = isa;
}

void plain_state(struct plain *p, enum etm_tri secure, enum etm_tri hyp)
{
    if (p->now.secure != secure || p->now.hyp != hyp)
        context_changes(p);
    p->now.secure = (uint8_t)secure;
    p->now.hyp = (uint8_t)hyp;
}

void plain_context_id(struct plain *p)
{
    if (!p->now.context_id_known || p->now.context_id != p->p->context_id)
        context_changes(p);
    p->now.context_id_known = true;
    p->now.context_id = p->p->context_id;
}

void plain_forget_context_id(struct plain *p)
{
    if (p->now.context_id_known)
        context_changes(p);
    p->now.context_id_known = false;
    p->now.context_id = 0;
}

void plain_forget_vmid(struct plain *p)
{
    if (p->now.vmid_known)
        context_changes(p);
    p->now.vmid_known = false;
    p->now.vmid = 0;
}

void plain_vmid(struct plain *p)
{
    if (!p->now.vmid_known || p->now.vmid != p->p->value)
        context_changes(p);
    p->now.vmid_known = true;
    p->now.vmid = (uint8_t)p->p->value;
}

void plain_give_context(struct plain *p)
{
    const struct plain_context *now = &p->now, *was = &p->given;
    struct etm_element *e;

    p->context_changed = false;
    p->now.isa = (uint8_t)p->isa;
    if (now->isa == was->isa && now->secure == was->secure &&
        now->hyp == was->hyp && now->vmid_known == was->vmid_known &&
        now->vmid == was->vmid && now->context_id == was->context_id &&
        now->context_id_known == was->context_id_known)
        return;
    e = &append(p, ETM_ELEMENT_CONTEXT, p->context_offset)->e;
    e->u.context.isa = now->isa;
    e->u.context.secure = now->secure;
    e->u.context.hyp = now->hyp;
    e->u.context.context_id_known = now->context_id_known;
    e->u.context.context_id = now->context_id;
    e->u.context.vmid_known = now->vmid_known;
    e->u.context.vmid = now->vmid;
    e->since_known = p->context_timed;
    e->since = p->context_timed ? (uint32_t)p->context_since : 0;
    p->given = p->now;
}

/* What cannot be followed */

void plain_no_image(struct plain *p)
{
    plain_add(p, ETM_ELEMENT_NO_IMAGE)->u.no_image.address = p->address;
    p->known = false;
}

void plain_lose(struct plain *p, enum etm_lost_reason reason, uint64_t bytes)
{
    if (!p->lost) {
        p->lost = true;
        p->lost_reason = reason;
        p->lost_offset = p->p->offset;
        p->lost_bytes = 0;
    }
    p->lost_bytes += bytes;
}

void plain_give_lost(struct plain *p)
{
    struct etm_element *e;

    if (!p->lost)
        return;
    p->lost = false;
    e = &append(p, ETM_ELEMENT_LOST, p->lost_offset)->e;
    e->u.lost.reason = (uint8_t)p->lost_reason;
    e->u.lost.bytes = p->lost_bytes;
}

/* So many low bits of the address are those of this packet. */
static unsigned low_bits(const struct plain *p)
{
    unsigned shift = p->said.isa == ETM_ISA_ARM       ? 2
                     : p->said.isa == ETM_ISA_JAZELLE ? 0
                                                      : 1;

    return p->p->address_bits + shift;
}

void plain_suspect(struct plain *p)
{
    if (low_bits(p) > p->suspect)
        p->suspect = low_bits(p);
}

bool plain_is_suspect(const struct plain *p)
{
    return p->mismatch && low_bits(p) < p->suspect;
}

void plain_mismatch(struct plain *p, uint64_t bytes)
{
    plain_lose(p, ETM_LOST_IMAGE_MISMATCH, bytes);
    if (p->n != 0) /* a range ends there */
        p->items[p->n - 1].ends = true;
    p->known = false;
    p->mismatch = true;
}

/* Cycles of what could not be named are given as one count: E-19. */
void plain_resume(struct plain *p)
{
    p->mismatch = false;
    p->suspect = 0;
    plain_give_lost(p);
    if (p->blind != 0) {
        plain_add(p, ETM_ELEMENT_CYCLES)->u.cycles.n = p->blind;
        p->context_timed = false; /* it stands after that */
    }
    p->blind = 0;
}

void plain_leave(struct plain *p)
{
    if (p->config->cycle_accurate && p->synced && p->blind + p->cycles != 0) {
        struct etm_element *e = plain_add(p, ETM_ELEMENT_CYCLES);

        e->u.cycles.n = p->blind + p->cycles;
        if (p->lost) /* before what is lost */
            e->offset = p->lost_offset;
        p->context_timed = false;
    }
    p->blind = p->cycles = 0;
}

void plain_trace_on(struct plain *p)
{
    enum etm_trace_on_reason reason = ETM_TRACE_ON_START;

    if (p->p->reason == ETM_SYNC_OVERFLOW)
        reason = ETM_TRACE_ON_OVERFLOW;
    if (p->p->reason == ETM_SYNC_DEBUG_EXIT)
        reason = ETM_TRACE_ON_DEBUG_EXIT;
    p->context_timed = false;
    plain_add(p, ETM_ELEMENT_TRACE_ON)->u.trace_on.reason = (uint8_t)reason;
}

/* The whole */

static void give(struct etm_test_elements *out, const struct etm_element *e)
{
    if (etm_test_collect(out, e, 1) != ETM_OK)
        abort();
}

/* The range of the instructions from `first` to `last`, with nothing but counts
 * that stand aside between them. */
static void give_range(const struct plain *p, size_t first, size_t last,
                       struct etm_test_elements *out)
{
    const struct etm_element *a = &p->items[first].e, *z = &p->items[last].e;
    struct etm_element e;

    memset(&e, 0, sizeof e);
    e.kind = ETM_ELEMENT_RANGE;
    e.source = a->source;
    e.offset = a->offset;
    e.u.range.isa = a->u.insn.isa;
    e.u.range.start = a->u.insn.address;
    e.u.range.end = z->u.insn.address + z->u.insn.size;
    e.u.range.last_address = z->u.insn.address;
    e.u.range.last_type = z->u.insn.type;
    e.u.range.last_exec = z->u.insn.exec;
    e.u.range.last_flags = z->u.insn.flags;
    e.u.range.cycles = p->config->cycle_accurate ? 0 : ETM_CYCLES_UNKNOWN;
    for (size_t i = first; i <= last; i++) {
        if (p->items[i].e.kind != ETM_ELEMENT_INSN)
            continue;
        e.u.range.n++;
        if (p->config->cycle_accurate)
            e.u.range.cycles += p->items[i].e.u.insn.cycles;
    }
    give(out, &e);
}

/* An instruction goes on the range that ends with another. */
static bool goes_on(const struct plain_item *last, const struct plain_item *i)
{
    return !last->ends && !last->cut && i->e.kind == ETM_ELEMENT_INSN &&
           i->e.u.insn.isa == last->e.u.insn.isa &&
           i->e.u.insn.address ==
               (uint32_t)(last->e.u.insn.address + last->e.u.insn.size);
}

static void give_ranges(const struct plain *p, struct etm_test_elements *out)
{
    size_t none = SIZE_MAX, first = none, last = none;

    for (size_t i = 0; i < p->n; i++) {
        const struct plain_item *item = &p->items[i];
        if (first != none && !item->aside && !goes_on(&p->items[last], item)) {
            give_range(p, first, last, out);
            first = none;
        }
        if (item->e.kind != ETM_ELEMENT_INSN) {
            if (first != none &&
                (p->items[last].ends || (p->items[last].cut && !item->aside))) {
                give_range(p, first, last, out);
                first = none;
            }
            give(out, &item->e);
            continue;
        }
        if (first == none)
            first = i;
        last = i;
    }
    if (first != none)
        give_range(p, first, last, out);
}

/* PFT and ETMv3: packets first. */
static void decode_packets(struct plain *p, const uint8_t *bytes, size_t n)
{
    struct etm_packet end = {.offset = n};
    struct plain_packets packets = {NULL, 0, 0};

    plain_packets(p->config, bytes, n, &packets);
    if (p->config->protocol == ETM_PROTOCOL_PFT)
        plain_pft(p, packets.all, packets.n);
    else
        plain_etmv3(p, packets.all, packets.n, &end);
    free(packets.all);
}

bool plain_decode(const struct etm_config *config,
                  const struct etm_image *image, enum etm_level level,
                  const uint8_t *bytes, size_t n, struct etm_test_elements *out)
{
    struct plain p = {.config = config, .image = image};

    out->n = 0;
    switch (config->protocol) {
    case ETM_PROTOCOL_PFT:
    case ETM_PROTOCOL_ETMV3:
        decode_packets(&p, bytes, n);
        break;
    case ETM_PROTOCOL_ETMV1:
        plain_etmv1(&p, bytes, n);
        break;
    case ETM_PROTOCOL_ETMV2:
        plain_etmv2(&p, bytes, n);
        break;
    case ETM_PROTOCOL_NONE:
    case ETM_PROTOCOL_ITM:
    case ETM_PROTOCOL_MTB:
        return false;
    }
    if (config->cycle_accurate && p.synced)
        p.blind += p.cycles; /* E-309 */
    plain_give_lost(&p);
    if (p.blind != 0) /* E-19 */
        append(&p, ETM_ELEMENT_CYCLES, n)->e.u.cycles.n = p.blind;
    append(&p, ETM_ELEMENT_END, n);
    if (level == ETM_LEVEL_RANGES)
        give_ranges(&p, out);
    for (size_t i = 0; level == ETM_LEVEL_INSTRUCTIONS && i < p.n; i++)
        give(out, &p.items[i].e);
    free(p.items);
    return true;
}
