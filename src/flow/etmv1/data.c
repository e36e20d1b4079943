/* SPDX-License-Identifier: Apache-2.0 */
/* Data transfers of ETMv1 (ETM architecture 5.7, 4.9). */
#include "flow/etmv1/walk.h"
#include "flow/walk/data_plain.h"

/* The number of words of an LDC or STC comes from the configuration (4.11.2).
 */
static bool take_transfers(struct etm_etmv1_flow *flow,
                           const struct etm_block *block,
                           struct etm_transfers *t)
{
    if ((block->data >> flow->walk.index & 1) == 0) {
        *t = (struct etm_transfers){.kind = ETM_TRANSFER_NONE};
        return false;
    }
    *t = *etm_block_transfers(&flow->walk.blocks, block, flow->walk.index);
    if (t->kind == ETM_TRANSFER_COPROCESSOR)
        t->count = flow->config.coprocessor_words[t->cp & 15][t->cp >> 4];
    return t->kind != ETM_TRANSFER_NONE;
}

bool etm_etmv1_data_expect(struct etm_etmv1_flow *flow,
                           const struct etm_block *block,
                           struct etm_etmv1_data *data)
{
    const struct etm_transfers *t = &data->transfers;

    data->insn = etm_position_address(&flow->walk);
    data->wants_address = data->has_address = false;
    data->wants = data->n = 0;
    if (!take_transfers(flow, block, &data->transfers))
        return false;
    /* coprocessor registers have no address (4.11.3) */
    data->wants_address =
        flow->config.data_address && t->kind != ETM_TRANSFER_CPRT;
    if (!flow->config.data_value)
        return true;
    /* LDC, STC and unspecified instructions: the opcode does not say
     * (4.11.2) */
    data->wants = (unsigned)t->count * t->size;
    return t->count != 0 && data->wants <= ETM_ETMV1_DATA_MAX;
}

/*
 * Data end where an address begins: the rest was lost in an overflow. If the
 * last packet was read in the cycle of a status, or from an upper half, there
 * may have been no packet (5.3.1): it is not trusted.
 */
static void distrust(const struct etm_etmv1_fifo *fifo, uint64_t behind,
                     struct etm_etmv1_data *data)
{
    const struct etm_etmv1_record *r = etm_etmv1_fifo_at(fifo, behind - 1);

    if (r != NULL && r->status == ETM_ETMV1_WT && fifo->pins != 16)
        return;
    data->has_address = data->has_address && data->n != 0;
    data->n -= data->n != 0;
}

enum etm_etmv1_read etm_etmv1_data_read(const struct etm_etmv1_flow *flow,
                                        struct etm_etmv1_place *at,
                                        struct etm_etmv1_data *data)
{
    const struct etm_etmv1_fifo *fifo = &flow->fifo;
    enum etm_etmv1_read read = ETM_READ_OK;

    if (data->wants_address) {
        read = etm_etmv1_read_address(fifo, at, false, &data->address);
        data->has_address = read == ETM_READ_OK;
    }
    while (read == ETM_READ_OK && data->n < data->wants) {
        uint64_t behind = at->record;

        read = etm_etmv1_read_packet(fifo, at, false, &data->values[data->n]);
        if (read == ETM_READ_OK)
            data->n++;
        else if (read == ETM_READ_BROKEN)
            distrust(fifo, behind, data);
    }
    return read;
}

void etm_etmv1_data_note(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_data *data)
{
    if (!data->has_address)
        return;
    flow->data_base = etm_etmv1_merge(flow->data_base, &data->address);
    if (data->address.n == ETM_ETMV1_ADDRESS_MAX)
        flow->data_valid = true;
}

/* The value that the instruction transferred, from the bytes of the transfer,
 * which are traced in the order of memory (4.9.2). Values that are not in
 * memory are traced as in a register: E-356. */
static uint64_t value_of(const struct etm_etmv1_flow *flow,
                         const struct etm_transfers *t, const uint8_t *bytes)
{
    bool big = (flow->config.endian == ETM_ENDIAN_BE8 ||
                flow->config.endian == ETM_ENDIAN_BE32) &&
               t->kind != ETM_TRANSFER_CPRT;
    unsigned size = t->size;
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * (big ? size - 1 - i : i));
    return value;
}

/* Armv4 and Armv5: the word around an unaligned address is loaded, and rotated
 * on its way to the register (4.9.1, U = 0). */
static bool is_rotated(const struct etm_transfers *t, unsigned i)
{
    if (t->kind != ETM_TRANSFER_CORE || t->size != 4 || t->exclusive)
        return false;
    if (t->direction == ETM_DIRECTION_SWAP)
        return i == 0;
    return t->direction == ETM_DIRECTION_LOAD && !t->multiple;
}

static uint64_t rotate(uint64_t value, uint32_t address)
{
    unsigned by = 8 * (address & 3);

    return by == 0 ? value : (uint32_t)(value >> by | value << (32 - by));
}

/* There is one address for all transfers; those of a load/store multiple ascend
 * from it, and both accesses of a swap are to it (5.4). */
static uint32_t address_of(const struct etm_etmv1_flow *flow,
                           const struct etm_transfers *t, unsigned i)
{
    if (t->direction == ETM_DIRECTION_SWAP)
        return flow->data_base;
    return flow->data_base + i * t->size;
}

void etm_etmv1_data_give(struct etm_etmv1_flow *flow,
                         const struct etm_etmv1_data *data, uint64_t offset)
{
    const struct etm_transfers *t = &data->transfers;
    struct etm_data_owner owner; /* identifies each transfer */
    unsigned n = t->count;

    if (flow->walk.level == ETM_LEVEL_COVERAGE)
        return;
    etm_data_begin_owner(&owner, ETM_DATA_OWNER_INSN);
    owner.insn = data->insn;
    owner.transfers = *t;
    /* their number is not known: the address is that of the first one */
    if (n == 0 && data->has_address)
        n = 1;
    if (!data->has_address && data->n == 0)
        n = 0;
    for (unsigned i = 0; i < n; i++) {
        struct etm_element *e;
        unsigned at = i * t->size;

        /* lost in an overflow (5.9) */
        if (flow->config.data_value && at + t->size > data->n &&
            !(i == 0 && data->has_address))
            return;
        e = etm_walk_add(&flow->walk, ETM_ELEMENT_DATA, offset);
        etm_data_name_owner(&owner, e);
        if (!etm_data_name_single(t, e))
            etm_data_number(&owner, i, e);
        if (data->has_address && flow->data_valid) {
            e->u.data.address_known = true;
            e->u.data.address = address_of(flow, t, i);
        }
        if (t->size == 0 || at + t->size > data->n)
            continue;
        e->u.data.value_known = true;
        e->u.data.value = value_of(flow, t, &data->values[at]);
        /* its low bits are known, whatever it is relative to */
        if (data->has_address && is_rotated(t, i))
            e->u.data.value = rotate(e->u.data.value, address_of(flow, t, i));
    }
}
