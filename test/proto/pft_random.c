/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random PFT packets, as a decoder would give them, made without looking at
 * the decoder or the encoder.
 */
#include "pft_util.h"

static uint32_t random_bits(uint64_t *state, unsigned n)
{
    if (n == 0)
        return 0;
    return random_next(state) >> (32 - n);
}

/* A cycle count of 1 to 5 bytes: 4, 11, 18, 25 or 32 bits. */
static uint32_t add_count(struct etm_packet *k, uint64_t *state)
{
    unsigned n = 1 + random_below(state, 5);

    k->fields |= ETM_FIELD_CYCLES;
    k->cycle_bytes = (uint8_t)n;
    k->cycle_count = random_bits(state, n == 5 ? 32 : 7 * n - 3);
    return n;
}

static uint32_t add_address(struct etm_packet *k, uint64_t *state, unsigned n,
                            unsigned isas)
{
    static const uint8_t isa[3] = {ETM_ISA_ARM, ETM_ISA_THUMB, ETM_ISA_JAZELLE};
    static const uint8_t short_bits[5] = {0, 6, 12, 19, 26};
    unsigned which = random_below(state, isas);

    k->fields |= ETM_FIELD_ADDRESS;
    k->address_bytes = (uint8_t)n;
    k->address_bits = n == 5 ? (uint8_t)(30 + which) : short_bits[n];
    k->address = random_bits(state, k->address_bits);
    if (n == 5)
        k->isa = isa[which];
    return n;
}

static void random_branch(const struct etm_config *c, struct etm_packet *k,
                          uint64_t *state)
{
    uint32_t bits = random_next(state);
    unsigned n = 1 + random_below(state, 5);

    k->kind = ETM_PACKET_BRANCH_ADDRESS;
    k->size = add_address(k, state, n, 3);
    k->header = (uint8_t)((n > 1 ? 0x80u : 0) | (k->address & 0x3f) << 1 | 1);
    if (n > 1 && (bits & 3) == 0) {
        bool e1 = (bits & 4) != 0;

        k->size += e1 ? 2 : 1;
        k->fields |= ETM_FIELD_EXCEPTION_0;
        k->exception = (uint16_t)random_bits(state, e1 ? 9 : 4);
        k->info = (uint8_t)((e1 ? 0x80u : 0) | (k->exception & 15u) << 1);
        if ((bits & 8) != 0) {
            k->fields |= ETM_FIELD_NS;
            k->info |= 0x01;
        }
        if ((bits & 16) != 0) {
            k->fields |= ETM_FIELD_ALT_ISA;
            k->info |= 0x40;
        }
        if (e1)
            k->fields |= ETM_FIELD_EXCEPTION_1;
        if (e1 && c->minor == 1 && (bits & 32) != 0)
            k->fields |= ETM_FIELD_HYP;
    }
    if (c->cycle_accurate)
        k->size += add_count(k, state);
}

static void random_waypoint_update(struct etm_packet *k, uint64_t *state)
{
    unsigned n = 1 + random_below(state, 5);

    k->kind = ETM_PACKET_WAYPOINT_UPDATE;
    k->header = 0x72;
    k->size = 1 + add_address(k, state, n, 2);
    if (n == 5 && random_below(state, 2) != 0) {
        k->size++;
        k->fields |= ETM_FIELD_EXCEPTION_0;
        if (random_below(state, 2) != 0) {
            k->fields |= ETM_FIELD_ALT_ISA;
            k->info = 0x40;
        }
    }
}

static void random_i_sync(const struct etm_config *c, struct etm_packet *k,
                          uint64_t *state)
{
    uint32_t bits = random_next(state);

    k->kind = ETM_PACKET_I_SYNC;
    k->header = 0x08;
    k->reason = bits & 3;
    k->info = (uint8_t)(0x01 | (bits & 3) << 5);
    k->address = random_next(state) & ~(uint32_t)1;
    k->address_bits = 32;
    k->address_bytes = 4;
    k->fields = ETM_FIELD_ADDRESS;
    k->size = 6;
    k->isa = (bits & 4) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
    if ((bits & 8) != 0) {
        k->fields |= ETM_FIELD_NS;
        k->info |= 0x08;
    }
    if ((bits & 20) == 20) {
        k->isa = ETM_ISA_THUMBEE;
        k->fields |= ETM_FIELD_ALT_ISA;
        k->info |= 0x04;
    }
    if (c->minor == 1 && (bits & 32) != 0) {
        k->fields |= ETM_FIELD_HYP;
        k->info |= 0x02;
    }
    if (c->cycle_accurate && k->reason != 0)
        k->size += add_count(k, state);
    if (c->context_id_bytes != 0) {
        k->fields |= ETM_FIELD_CONTEXT_ID;
        k->context_id = random_bits(state, 8u * c->context_id_bytes);
        k->size += c->context_id_bytes;
    }
}

static void random_atom(const struct etm_config *c, struct etm_packet *k,
                        uint64_t *state)
{
    unsigned bits = random_next(state);

    k->kind = ETM_PACKET_ATOM;
    if (c->cycle_accurate) {
        k->count = 1;
        k->value = bits & 1;
        k->size = add_count(k, state);
        k->header = (uint8_t)(0x80 | (k->size > 1 ? 0x40u : 0) |
                              (k->cycle_count & 15) << 2 | (bits & 1) << 1);
        return;
    }
    k->count = (uint8_t)(1 + random_below(state, 5));
    k->size = 1;
    k->header = 0x80;
    k->header |= (uint8_t)(2u << k->count);
    for (unsigned i = 0; i < k->count; i++) {
        unsigned atom = bits >> i & 1;

        k->value |= (uint64_t)atom << (2 * i);
        k->header |= (uint8_t)(atom << (k->count - i));
    }
}

static void random_timestamp(const struct etm_config *c, struct etm_packet *k,
                             uint64_t *state)
{
    bool wide = c->minor == 1 && c->timestamp_64bit;
    unsigned full = wide ? 9 : 7;
    unsigned n = 1 + random_below(state, full);
    unsigned bits = n < full ? 7 * n : wide ? 64 : 48;

    k->kind = ETM_PACKET_TIMESTAMP;
    k->header = 0x42;
    k->value = (uint64_t)random_next(state) << 32 | random_next(state);
    k->value >>= 64 - bits;
    k->value_bytes = (uint8_t)n;
    k->size = 1 + n;
    if (random_below(state, 2) != 0) {
        k->fields |= ETM_FIELD_R;
        k->header = 0x46;
    }
    if (c->cycle_accurate)
        k->size += add_count(k, state);
}

static void random_small(const struct etm_config *c, struct etm_packet *k,
                         uint64_t *state)
{
    static const uint8_t kinds[3] = {ETM_PACKET_TRIGGER, ETM_PACKET_IGNORE,
                                     ETM_PACKET_EXCEPTION_EXIT};
    static const uint8_t headers[3] = {0x0c, 0x66, 0x76};
    unsigned which = random_below(state, 6);

    if (which == 3 && c->context_id_bytes != 0) {
        k->kind = ETM_PACKET_CONTEXT_ID;
        k->header = 0x6e;
        k->fields = ETM_FIELD_CONTEXT_ID;
        k->context_id = random_bits(state, 8u * c->context_id_bytes);
        k->size = 1u + c->context_id_bytes;
    } else if (which == 4 && c->minor == 1 && c->virtualization) {
        k->kind = ETM_PACKET_VMID;
        k->header = 0x3c;
        k->value = random_bits(state, 8);
        k->value_bytes = 1;
        k->size = 2;
    } else if (which == 5) {
        k->kind = ETM_PACKET_A_SYNC;
        k->size = 6 + random_below(state, 8);
    } else {
        k->kind = kinds[which % 3];
        k->header = headers[which % 3];
        k->size = 1;
    }
}

struct etm_packet random_packet(const struct etm_config *config,
                                uint64_t *state)
{
    struct etm_packet k = {0};

    switch (random_below(state, 8)) {
    case 0:
    case 1:
        random_branch(config, &k, state);
        break;
    case 2:
        random_waypoint_update(&k, state);
        break;
    case 3:
        random_i_sync(config, &k, state);
        break;
    case 4:
        random_timestamp(config, &k, state);
        break;
    case 5:
        random_small(config, &k, state);
        break;
    default:
        random_atom(config, &k, state);
        break;
    }
    return k;
}
