/* SPDX-License-Identifier: Apache-2.0 */
/* Data transfers of ETMv1 (ETM architecture 5.7, 4.9). Which register each of
 * them is about is for test_etmv1_roundtrip.c to see to. */
#include "plain_etmv1.h"

bool v1_shape(const struct etmv1 *f, struct etm_transfers *t, bool *address,
              unsigned *n)
{
    const struct etm_config *c = f->c;

    *address = false;
    *n = 0;
    if (t->kind == ETM_TRANSFER_NONE)
        return false;
    if (t->kind == ETM_TRANSFER_COPROCESSOR) /* E-186 */
        t->count = c->coprocessor_words[t->cp & 15][t->cp >> 4];
    *address = c->data_address && t->kind != ETM_TRANSFER_CPRT; /* 4.11.3 */
    if (!c->data_value)
        return true;
    *n = (unsigned)t->count * t->size;
    return *n != 0 && *n <= 128;
}

/* The value in the order of the processor (4.9.2, E-179). */
static uint64_t value_of(const struct etmv1 *f, const struct etm_transfers *t,
                         const uint8_t *bytes)
{
    bool big =
        f->c->endian == ETM_ENDIAN_BE8 || f->c->endian == ETM_ENDIAN_BE32;
    unsigned size = t->size;
    uint64_t value = 0;

    if (t->kind == ETM_TRANSFER_CPRT) /* E-356 */
        big = false;
    for (unsigned i = 0; i < size; i++)
        value = value << 8 | bytes[big ? i : size - 1 - i];
    return value;
}

/* Unaligned words are rotated: E-180. */
static bool rotates(const struct etm_transfers *t, unsigned i)
{
    bool swap = t->direction == ETM_DIRECTION_SWAP && i == 0;
    bool load =
        t->direction == ETM_DIRECTION_LOAD && !t->multiple && t->count == 1;

    return t->kind == ETM_TRANSFER_CORE && t->size == 4 && !t->exclusive &&
           (swap || load);
}

static uint8_t is_store(const struct etm_transfers *t, unsigned i)
{
    if (t->direction == ETM_DIRECTION_SWAP)
        return i == 0 ? ETM_FALSE : ETM_TRUE;
    if (t->direction == ETM_DIRECTION_LOAD)
        return ETM_FALSE;
    return t->direction == ETM_DIRECTION_STORE ? ETM_TRUE : ETM_UNKNOWN;
}

void v1_give_data(struct etmv1 *f, uint32_t insn, const struct etm_transfers *t,
                  const struct v1_data *data)
{
    bool swap = t->direction == ETM_DIRECTION_SWAP;
    unsigned n = t->count;

    if (n == 0 && data->has_address)
        n = 1;
    for (unsigned i = 0; i < n && (data->has_address || data->n != 0); i++) {
        bool whole = (i + 1) * t->size <= data->n && t->size != 0;
        struct etm_element *e;

        /* what an overflow took away (5.9) */
        if (f->c->data_value && !whole && t->size != 0 &&
            !(i == 0 && data->has_address))
            return;
        e = plain_add(f->p, ETM_ELEMENT_DATA);
        e->u.data.insn_known = true;
        e->u.data.insn = insn;
        e->u.data.size = t->size;
        e->u.data.store = is_store(t, i);
        e->u.data.index = (uint8_t)i;
        if (data->has_address && f->data_valid) { /* E-182 */
            e->u.data.address_known = true;
            e->u.data.address = f->data_base + (swap ? 0 : i * t->size);
        }
        if (!whole)
            continue;
        e->u.data.value_known = true;
        e->u.data.value = value_of(f, t, data->values + i * t->size);
        if (data->has_address && rotates(t, i)) /* E-180 */
            for (unsigned k = 0; k < 8 * (f->data_base & 3); k++)
                e->u.data.value = e->u.data.value >> 1 | (e->u.data.value & 1)
                                                             << 31;
    }
}
