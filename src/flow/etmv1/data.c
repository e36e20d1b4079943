/* SPDX-License-Identifier: Apache-2.0 */
/* Data transfers of ETMv1 (ETM architecture 5.7, 4.9). */
#include "flow/etmv1/fifo.h"
#include "flow/walk/data_plain.h"

struct etm_transfers etm_etmv1_data_of(struct etm_etmv1_flow *flow,
                                       const struct etm_block *block,
                                       unsigned index)
{
    struct etm_transfers t = {.kind = ETM_TRANSFER_NONE};

    if ((block->data >> index & 1) == 0)
        return t;
    t = *etm_block_transfers(&flow->walk.blocks, block, index);
    if (t.kind == ETM_TRANSFER_COPROCESSOR)
        t.count = flow->config.coprocessor_words[t.cp & 15][t.cp >> 4];
    return t;
}

bool etm_etmv1_data_shape(const struct etm_etmv1_flow *flow,
                          const struct etm_transfers *t, bool *address,
                          unsigned *n)
{
    *address = false;
    *n = 0;
    if (t->kind == ETM_TRANSFER_NONE)
        return false;
    /* coprocessor registers have no address (4.11.3) */
    *address = flow->config.data_address && t->kind != ETM_TRANSFER_CPRT;
    if (!flow->config.data_value)
        return true;
    /* LDC, STC and unspecified instructions: the opcode does not say
     * (4.11.2) */
    *n = (unsigned)t->count * t->size;
    return t->count != 0 && *n <= ETM_ETMV1_DATA_MAX;
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
    return t->direction == ETM_DIRECTION_LOAD && !t->multiple && t->count == 1;
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

static uint8_t store_of(const struct etm_transfers *t)
{
    if (t->direction == ETM_DIRECTION_LOAD)
        return ETM_FALSE;
    return t->direction == ETM_DIRECTION_STORE ? ETM_TRUE : ETM_UNKNOWN;
}

void etm_etmv1_data_give(struct etm_etmv1_flow *flow, uint32_t insn,
                         const struct etm_transfers *t,
                         const struct etm_etmv1_data *data, uint64_t offset)
{
    struct etm_data_owner owner; /* identifies each transfer */
    unsigned n = t->count;

    if (flow->walk.level == ETM_LEVEL_COVERAGE)
        return;
    owner.kind = ETM_DATA_OWNER_INSN;
    owner.pc_first = false;
    owner.unplaced = false;
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
        e->u.data.insn_known = true;
        e->u.data.insn = insn;
        e->u.data.size = t->size;
        e->u.data.store = store_of(t);
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
