/* SPDX-License-Identifier: Apache-2.0 */
/* Data trace of ETMv1 (ETM architecture 5.7): addresses and values of the held
 * instruction. */
#include "model/etmv1_data_gen.h"

/* The bytes of one transfer, in the order of the bus: a value that a load
 * rotates is not rotated there (4.9). Those of a coprocessor register are in no
 * memory: E-356. */
static unsigned value_bytes(const struct etm_gen *gen, uint64_t value,
                            unsigned size, unsigned rotated, bool memory,
                            uint8_t *bytes)
{
    bool big = memory && (gen->config.endian == ETM_ENDIAN_BE8 ||
                          gen->config.endian == ETM_ENDIAN_BE32);

    if (rotated != 0)
        value = (uint32_t)(value << 8 * rotated |
                           (uint32_t)value >> (32 - 8 * rotated));
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> (8 * (big ? size - 1 - i : i)));
    return size;
}

static bool is_rotated(const struct etm_transfers *t, unsigned i)
{
    if (t->kind != ETM_TRANSFER_CORE || t->size != 4 || t->exclusive)
        return false;
    return t->direction == ETM_DIRECTION_SWAP
               ? i == 0
               : t->direction == ETM_DIRECTION_LOAD && t->count == 1 &&
                     !t->multiple;
}

unsigned etm_etmv1_address_bytes(uint32_t address, uint32_t base, bool full,
                                 uint8_t bytes[ETM_ETMV1_ADDRESS_MAX])
{
    unsigned n = full ? ETM_ETMV1_ADDRESS_MAX : 1;

    while (n < ETM_ETMV1_ADDRESS_MAX && (address ^ base) >> (7 * n) != 0)
        n++;
    for (unsigned i = 0; i < n; i++)
        bytes[i] =
            (uint8_t)((address >> (7 * i) & 0x7f) | (i + 1 < n ? 0x80u : 0u));
    return n;
}

static unsigned data_address(struct etm_gen *gen, uint32_t address,
                             uint8_t *bytes)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    bool full = v->port.data_cycles >= ETM_ETMV1_SYNC_CYCLES;
    unsigned n = etm_etmv1_address_bytes(address, v->data_base, full, bytes);

    v->data_base = address;
    if (n == ETM_ETMV1_ADDRESS_MAX)
        v->port.data_cycles = 0;
    return n;
}

unsigned etm_etmv1_data_bytes(struct etm_gen *gen, unsigned i, uint8_t *bytes)
{
    struct etm_etmv1_gen *v = &gen->u.etmv1;
    const struct etm_transfers *t = &v->held.decoded.transfers;
    bool cprt = t->kind == ETM_TRANSFER_CPRT;
    /* of an aborted instruction all transfers are traced (5.7.4) */
    struct etm_etmv1_transfer transfer = {.size = t->size};
    unsigned n = 0;

    if (i < v->n_data)
        transfer = v->data[i];
    if (i == 0 && gen->config.data_address && !cprt)
        n = data_address(gen, transfer.address, bytes);
    if (gen->config.data_value)
        n += value_bytes(gen, transfer.value, transfer.size,
                         is_rotated(t, i) ? transfer.address & 3 : 0, !cprt,
                         bytes + n);
    return n;
}

bool etm_etmv1_data_traced(const struct etm_gen *gen)
{
    const struct etm_etmv1_gen *v = &gen->u.etmv1;

    if (v->n_data == 0)
        return false;
    if (v->held.decoded.transfers.kind == ETM_TRANSFER_CPRT)
        return gen->config.cprt && gen->config.data_value;
    return !v->data[0].filtered &&
           (gen->config.data_value || gen->config.data_address);
}
