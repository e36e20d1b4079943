/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that all generators have in common, and their output. */
#include "model/generator.h"

#include "base/isa.h"

void etm_gen_fail(struct etm_gen *gen, int status)
{
    if (gen->status == ETM_OK)
        gen->status = status;
}

/* The FIFO has no room for a packet. A count of PFT restarts only when it has
 * been output, so that the next one includes these cycles, too. */
static void lose(struct etm_gen *gen, const struct etm_packet *packet)
{
    gen->overflow = true;
    if (gen->config.protocol == ETM_PROTOCOL_PFT)
        gen->cycles += packet->cycle_count;
}

void etm_gen_emit(struct etm_gen *gen, struct etm_packet *packet)
{
    uint8_t bytes[ETM_PACKET_ENCODED_MAX];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
    int status;

    if (gen->status != ETM_OK)
        return;
    if (gen->overflow && packet->kind != ETM_PACKET_TRIGGER) {
        lose(gen, packet);
        return;
    }
    status = gen->ops->encode(&gen->config, packet, &w);
    if (status == ETM_OK && w.full)
        status = ETM_ERR_ARGUMENT;
    if (status == ETM_OK && packet->kind != ETM_PACKET_TRIGGER &&
        gen->offset + etm_writer_size(&w) > gen->limit) {
        lose(gen, packet);
        return;
    }
    if (status == ETM_OK) {
        packet->offset = gen->offset;
        packet->size = (uint32_t)etm_writer_size(&w);
        packet->header = bytes[0];
        status = etm_vec_append(&gen->bytes, bytes, packet->size);
    }
    if (status == ETM_OK && gen->options.packets != NULL)
        status = etm_vec_append(&gen->packets, packet, 1);
    if (status != ETM_OK) {
        etm_gen_fail(gen, status);
        return;
    }
    gen->offset += packet->size;
    if (packet->kind == ETM_PACKET_A_SYNC)
        gen->synchronized = gen->offset;
}

void etm_gen_emit_byte(struct etm_gen *gen, uint8_t byte)
{
    int status;

    if (gen->status != ETM_OK || gen->overflow)
        return;
    if (gen->offset + 1 > gen->limit) {
        gen->overflow = true;
        return;
    }
    status = etm_vec_append(&gen->bytes, &byte, 1);
    if (status != ETM_OK)
        etm_gen_fail(gen, status);
    else
        gen->offset++;
}

void etm_gen_emit_kind(struct etm_gen *gen, enum etm_packet_kind kind)
{
    struct etm_packet packet = {.kind = (uint8_t)kind};

    etm_gen_emit(gen, &packet);
}

void etm_gen_emit_context_id(struct etm_gen *gen)
{
    struct etm_packet packet = {.kind = ETM_PACKET_CONTEXT_ID,
                                .fields = ETM_FIELD_CONTEXT_ID,
                                .context_id = gen->context_id};

    if (gen->config.context_id_bytes != 0)
        etm_gen_emit(gen, &packet);
}

void etm_gen_emit_vmid(struct etm_gen *gen)
{
    struct etm_packet packet = {
        .kind = ETM_PACKET_VMID, .value = gen->vmid, .value_bytes = 1};

    if (gen->config.vmid)
        etm_gen_emit(gen, &packet);
}

/*
 * Address bits in `n` bytes, before the shift: six in the first, seven in each
 * further one. In the alternative encoding the last of two to four bytes
 * gives one to the E bit (ETM architecture, tables 7-4 and 7-6).
 */
static unsigned payload_bits(bool alternative, unsigned n, enum etm_isa isa)
{
    if (n == 5)
        return 32 - etm_isa_shift(isa);
    return 7 * n - 1 - (alternative && n > 1);
}

unsigned etm_gen_address_bytes(const struct etm_gen *gen, bool alternative,
                               uint32_t from, enum etm_isa from_isa,
                               uint32_t to, enum etm_isa to_isa)
{
    uint32_t changed = (from ^ to) >> etm_isa_shift(to_isa);

    /* Only the fifth byte names the instruction set. */
    if (from_isa != to_isa || gen->options.full_addresses)
        return 5;
    for (unsigned n = 1; n < 5; n++)
        if (changed >> payload_bits(alternative, n, to_isa) == 0)
            return n;
    return 5;
}

void etm_gen_set_address(struct etm_packet *packet, bool alternative,
                         uint32_t address, enum etm_isa isa, unsigned bytes)
{
    unsigned bits = payload_bits(alternative, bytes, isa);
    uint32_t mask = bits == 32 ? UINT32_MAX : ((uint32_t)1 << bits) - 1;

    packet->address = address >> etm_isa_shift(isa) & mask;
    packet->address_bits = (uint8_t)bits;
    packet->address_bytes = (uint8_t)bytes;
    packet->fields |= ETM_FIELD_ADDRESS;
    packet->isa = ETM_ISA_UNKNOWN;
    if (bytes == 5)
        packet->isa = (uint8_t)(isa == ETM_ISA_THUMBEE ? ETM_ISA_THUMB : isa);
}

/* Whether the version has this state bit (ETM architecture 7.3.5; PFT 4.3).
 * Without the security extensions the processor counts as Secure at all times
 * (3.5.18, ETMIDR[19]). */
static bool has_state(const struct etm_config *config, uint16_t field)
{
    bool pft = config->protocol == ETM_PROTOCOL_PFT;

    if (field == ETM_FIELD_NS)
        return config->security && (pft || config->minor >= 2);
    if (field == ETM_FIELD_ALT_ISA)
        return pft || config->minor >= 3;
    return pft ? config->minor >= 1 : config->minor >= 5;
}

/* The state fields of a place that this version can trace. */
static uint16_t state_fields(const struct etm_gen *gen, bool ns, bool alt_isa,
                             bool hyp)
{
    unsigned fields = 0;

    if (ns && has_state(&gen->config, ETM_FIELD_NS))
        fields |= ETM_FIELD_NS;
    if (alt_isa && has_state(&gen->config, ETM_FIELD_ALT_ISA))
        fields |= ETM_FIELD_ALT_ISA;
    if (hyp && has_state(&gen->config, ETM_FIELD_HYP))
        fields |= ETM_FIELD_HYP;
    return (uint16_t)fields;
}

static unsigned place_fields(const struct etm_gen *gen,
                             const struct etm_place *to)
{
    return state_fields(gen, to->ns, to->isa == ETM_ISA_THUMBEE, to->hyp);
}

static unsigned changed_fields(const struct etm_gen *gen,
                               const struct etm_place *to)
{
    return place_fields(gen, to) ^ state_fields(gen, gen->out.ns,
                                                gen->out.isa == ETM_ISA_THUMBEE,
                                                gen->out.hyp);
}

bool etm_gen_state_changes(const struct etm_gen *gen,
                           const struct etm_place *to)
{
    if (to->ns == gen->out.ns && to->hyp == gen->out.hyp)
        return false;
    return (changed_fields(gen, to) & (ETM_FIELD_NS | ETM_FIELD_HYP)) != 0;
}

/* Exception information byte 0, for listings. */
static uint8_t info_byte(const struct etm_packet *packet)
{
    bool more =
        (packet->fields & (ETM_FIELD_EXCEPTION_1 | ETM_FIELD_EXCEPTION_2)) != 0;

    return (uint8_t)((unsigned)more << 7 |
                     (unsigned)((packet->fields & ETM_FIELD_ALT_ISA) != 0)
                         << 6 |
                     (unsigned)((packet->fields & ETM_FIELD_CANCEL) != 0) << 5 |
                     (packet->exception & 0xfu) << 1 |
                     (unsigned)((packet->fields & ETM_FIELD_NS) != 0));
}

struct etm_packet etm_gen_branch(struct etm_gen *gen, bool alternative,
                                 const struct etm_place *to, unsigned bytes,
                                 unsigned number, bool cancel, unsigned resume)
{
    struct etm_packet packet = {.kind = ETM_PACKET_BRANCH_ADDRESS,
                                .exception = (uint16_t)number,
                                .resume = (uint8_t)resume};
    unsigned state = place_fields(gen, to);
    unsigned changed = changed_fields(gen, to);
    unsigned fields = 0;

    if (number != 0 || cancel || changed != 0 || resume != 0)
        fields |= ETM_FIELD_EXCEPTION_0 | (state & ~(unsigned)ETM_FIELD_HYP);
    if (number > 0xf || (changed & ETM_FIELD_HYP) != 0)
        fields |= ETM_FIELD_EXCEPTION_1 | (state & ETM_FIELD_HYP);
    if (resume != 0)
        fields |= ETM_FIELD_EXCEPTION_2;
    if (cancel)
        fields |= ETM_FIELD_CANCEL;
    packet.fields = (uint16_t)fields;
    if ((fields & ETM_FIELD_EXCEPTION_0) != 0) {
        packet.info = info_byte(&packet);
        /* The original encoding announces these bytes in the fifth byte only,
         * the alternative one not in the first. */
        if (!alternative)
            bytes = 5;
        else if (bytes < 2)
            bytes = 2;
    }
    etm_gen_set_address(&packet, alternative, to->address,
                        (enum etm_isa)to->isa, bytes);
    gen->out.address = to->address;
    gen->out.isa = to->isa;
    gen->out.ns = to->ns;
    gen->out.hyp = to->hyp;
    return packet;
}

struct etm_packet etm_gen_i_sync(struct etm_gen *gen,
                                 const struct etm_place *at,
                                 enum etm_sync_reason reason)
{
    struct etm_packet packet = {.kind = ETM_PACKET_I_SYNC,
                                .reason = (uint8_t)reason,
                                .isa = at->isa,
                                .address = at->address,
                                .address_bits = 32,
                                .address_bytes = 4};
    unsigned fields = ETM_FIELD_ADDRESS | place_fields(gen, at);

    if (gen->config.context_id_bytes != 0) {
        fields |= ETM_FIELD_CONTEXT_ID;
        packet.context_id = gen->context_id;
    }
    if (etm_gen_data_only(&gen->config)) { /* 7.7.3 */
        fields &= ~(unsigned)(ETM_FIELD_ADDRESS | ETM_FIELD_ALT_ISA);
        packet.isa = ETM_ISA_UNKNOWN;
        packet.address = 0;
        packet.address_bits = 0;
        packet.address_bytes = 0;
    }
    packet.fields = (uint16_t)fields;
    packet.info =
        (uint8_t)((unsigned)reason << 5 |
                  (unsigned)(packet.isa == ETM_ISA_JAZELLE) << 4 |
                  (unsigned)((fields & ETM_FIELD_NS) != 0) << 3 |
                  (unsigned)((fields & ETM_FIELD_ALT_ISA) != 0) << 2 |
                  (unsigned)((fields & ETM_FIELD_HYP) != 0) << 1 | 1u);
    gen->out.address = at->address;
    gen->out.isa = at->isa;
    gen->out.ns = at->ns;
    gen->out.hyp = at->hyp;
    return packet;
}

bool etm_gen_synchronize(struct etm_gen *gen, const struct etm_place *next)
{
    struct etm_packet packet;

    if (gen->sync_waits || etm_gen_synchronized(gen))
        return false;
    if (gen->sync == ETM_GEN_SYNC_NONE) {
        gen->sync_due = false;
        gen->ops->flush(gen);
        etm_gen_emit_kind(gen, ETM_PACKET_A_SYNC);
        gen->sync = ETM_GEN_SYNC_I;
        if (gen->options.spread_sync)
            return false;
    }
    gen->ops->flush(gen);
    packet = etm_gen_i_sync(gen, next, ETM_SYNC_PERIODIC);
    etm_gen_emit(gen, &packet);
    etm_gen_emit_vmid(gen);
    gen->sync = ETM_GEN_SYNC_NONE;
    gen->full_timestamp = true;
    return true;
}

uint32_t etm_gen_take_cycles(struct etm_gen *gen)
{
    uint64_t cycles = gen->cycles;

    gen->cycles = 0;
    return cycles > UINT32_MAX ? UINT32_MAX : (uint32_t)cycles;
}

void etm_gen_tag_transfer(struct etm_gen_tag *tag, bool second)
{
    if (!second || tag->waits == 2)
        *tag = (struct etm_gen_tag){0};
    tag->waits++;
}

void etm_gen_tag_traced(struct etm_gen_tag *tag, bool paired)
{
    if (!paired)
        tag->traced = 0;
    tag->traced = (uint8_t)(tag->traced | 1u << (tag->waits - 1u));
}

bool etm_gen_tag_value(struct etm_gen_tag *tag)
{
    bool traced = (tag->traced & 1u) != 0;

    tag->traced >>= 1;
    if (tag->waits != 0)
        tag->waits--;
    return traced;
}
