/* SPDX-License-Identifier: Apache-2.0 */
/* Random packets of ETMv3 that are valid in a configuration. */
#ifndef TEST_ETMV3_RANDOM_H
#define TEST_ETMV3_RANDOM_H

#include "test_etmv3_util.h"

static inline uint32_t bits(uint64_t *random, unsigned n)
{
    return n >= 32 ? random_next(random)
                   : random_next(random) & ((1u << n) - 1);
}

/* A random value of a random width of at most n bits. */
static inline uint64_t some_value(uint64_t *random, unsigned n)
{
    unsigned width = random_below(random, n + 1);
    uint64_t value = (uint64_t)random_next(random) << 32 | random_next(random);

    return width == 0 ? 0 : value >> (64 - width);
}

static inline unsigned at_least(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static inline void random_branch(uint64_t *random,
                                 const struct etm_config *config,
                                 struct etm_packet *p)
{
    static const uint8_t original[] = {6, 13, 20, 27};
    static const uint8_t alternative[] = {6, 12, 19, 26};
    static const uint8_t five[] = {0, 30, 31, 0, 32};
    static const enum etm_isa isas[] = {ETM_ISA_ARM, ETM_ISA_THUMB,
                                        ETM_ISA_JAZELLE};
    bool short_exceptions = etm_etmv3_alternative(config);
    bool exception = random_below(random, 3) == 0;
    unsigned n = 1 + random_below(random, 5);

    if (exception)
        n = at_least(n, short_exceptions ? 2 : 5);
    p->fields = ETM_FIELD_ADDRESS;
    p->address_bytes = (uint8_t)n;
    if (n == 5) {
        p->isa = (uint8_t)isas[random_below(random, 3)];
        p->address_bits = five[p->isa];
    } else {
        p->address_bits = (short_exceptions ? alternative : original)[n - 1];
    }
    p->address = bits(random, p->address_bits);
    if (exception) {
        bool more = config->minor >= 4;

        p->fields |= ETM_FIELD_EXCEPTION_0;
        p->fields |= bits(random, 8) & etm_etmv3_state_fields(config) &
                     (ETM_FIELD_NS | ETM_FIELD_ALT_ISA);
        p->fields |= bits(random, 5) & ETM_FIELD_CANCEL;
        p->exception = (uint16_t)bits(random, 4);
        if (more && bits(random, 1) != 0) {
            p->fields |= ETM_FIELD_EXCEPTION_1;
            p->exception |= (uint16_t)(bits(random, 5) << 4);
            p->fields |= bits(random, 8) & etm_etmv3_state_fields(config) &
                         ETM_FIELD_HYP;
        }
        if (more && bits(random, 1) != 0) {
            p->fields |= ETM_FIELD_EXCEPTION_2;
            p->resume = (uint8_t)bits(random, 4);
        }
    } else if (p->isa == ETM_ISA_ARM && bits(random, 2) == 0) {
        p->fields |= ETM_FIELD_DEPRECATED;
        p->fields |= bits(random, 5) & ETM_FIELD_CANCEL;
        p->exception = (uint16_t)bits(random, 3);
    }
}

static inline void random_cycles(uint64_t *random, struct etm_packet *p)
{
    unsigned least;

    p->cycle_count = (uint32_t)some_value(random, 32);
    for (least = 1; least < 5 && p->cycle_count >> (7 * least) != 0; least++)
        ;
    p->cycle_bytes = (uint8_t)(least + random_below(random, 6 - least));
    p->fields |= ETM_FIELD_CYCLES;
}

static inline void random_context(uint64_t *random,
                                  const struct etm_config *config,
                                  struct etm_packet *p)
{
    if (config->context_id_bytes == 0)
        return;
    p->context_id = bits(random, 8u * config->context_id_bytes);
    p->fields |= ETM_FIELD_CONTEXT_ID;
}

static inline void random_second_address(uint64_t *random,
                                         const struct etm_config *config,
                                         struct etm_packet *p)
{
    struct etm_packet second = {0};

    do {
        second = (struct etm_packet){0};
        random_branch(random, config, &second);
    } while ((second.fields & ETM_FIELD_DEPRECATED) != 0);
    p->kind = ETM_PACKET_LSIP_I_SYNC;
    p->info |= 0x80;
    if (p->reason == ETM_SYNC_PERIODIC) { /* never: 7.7.3 */
        p->reason = ETM_SYNC_TRACE_ON;
        p->info |= 0x20;
    }
    p->address2 = second.address;
    p->address2_bits = second.address_bits;
    p->address2_bytes = second.address_bytes;
    p->isa2 = second.isa;
    p->exception = second.exception;
    p->resume = second.resume;
    if ((second.fields & ETM_FIELD_EXCEPTION_0) != 0)
        p->fields &= (uint16_t) ~(ETM_FIELD_NS | ETM_FIELD_ALT_ISA);
    if ((second.fields & ETM_FIELD_EXCEPTION_1) != 0)
        p->fields &= (uint16_t)~ETM_FIELD_HYP;
    p->fields |= second.fields;
}

static inline void random_i_sync(uint64_t *random,
                                 const struct etm_config *config,
                                 struct etm_packet *p)
{
    uint16_t has = etm_etmv3_state_fields(config);

    if (p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT)
        random_cycles(random, p);
    random_context(random, config, p);
    if (etm_etmv3_data_only(config))
        has &= (uint16_t)~ETM_FIELD_ALT_ISA;
    p->fields |= bits(random, 8) & has &
                 (ETM_FIELD_NS | ETM_FIELD_ALT_ISA | ETM_FIELD_HYP);
    p->reason = (uint8_t)bits(random, 2);
    p->info = (uint8_t)(0x01 | p->reason << 5 |
                        ((p->fields & ETM_FIELD_NS) != 0 ? 0x08 : 0) |
                        ((p->fields & ETM_FIELD_ALT_ISA) != 0 ? 0x04 : 0) |
                        ((p->fields & ETM_FIELD_HYP) != 0 ? 0x02 : 0));
    if (etm_etmv3_data_only(config))
        return;
    p->fields |= ETM_FIELD_ADDRESS;
    p->address = random_next(random);
    p->address_bits = 32;
    p->address_bytes = 4;
    p->isa = (uint8_t)(ETM_ISA_ARM + random_below(random, 3));
    if (p->isa == ETM_ISA_THUMBEE)
        p->isa = ETM_ISA_JAZELLE;
    if (p->isa == ETM_ISA_THUMB && (p->info & 0x04) != 0)
        p->isa = ETM_ISA_THUMBEE;
    if (p->isa == ETM_ISA_JAZELLE)
        p->info |= 0x10;
    else
        p->address &= ~1u;
    if (bits(random, 1) != 0)
        random_second_address(random, config, p);
}

static inline void random_data(uint64_t *random,
                               const struct etm_config *config,
                               struct etm_packet *p)
{
    static const uint8_t sizes[] = {0, 1, 2, 4};
    bool value = p->kind == ETM_PACKET_NORMAL_DATA ||
                 p->kind == ETM_PACKET_OUT_OF_ORDER_DATA;
    bool address = p->kind != ETM_PACKET_OUT_OF_ORDER_DATA;

    if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER ||
        p->kind == ETM_PACKET_OUT_OF_ORDER_DATA)
        p->tag = (uint8_t)(1 + random_below(random, 3));
    if (address && bits(random, 1) != 0) {
        p->fields |= ETM_FIELD_A;
        if (config->data_address) {
            p->address_bytes = (uint8_t)(1 + random_below(random, 5));
            p->address_bits =
                (uint8_t)(p->address_bytes < 5 ? 7 * p->address_bytes : 32);
            p->address = bits(random, p->address_bits);
            p->fields |= ETM_FIELD_ADDRESS;
            if (p->address_bytes == 5 && config->minor >= 1)
                p->fields |= bits(random, 13) & ETM_FIELD_BE;
        }
    }
    if (value && config->data_value) {
        p->fields |= ETM_FIELD_VALUE;
        p->value_bytes = sizes[bits(random, 2)];
        p->value = p->value_bytes == 0 ? 0 : bits(random, 8u * p->value_bytes);
        if (p->value_bytes == 0)
            p->value = 0;
    }
}

static inline void random_timestamp(uint64_t *random,
                                    const struct etm_config *config,
                                    struct etm_packet *p)
{
    unsigned most = config->timestamp_64bit ? 9 : 7;

    p->value_bytes = (uint8_t)(1 + random_below(random, most));
    p->value = some_value(random, p->value_bytes < most ? 7u * p->value_bytes
                                  : most == 9           ? 64
                                                        : 48);
    p->fields |= bits(random, 15) & ETM_FIELD_R;
}

/*
 * A packet of this configuration as the decoder would give it, but for
 * offset, size and, where only one is possible, header.
 */
static inline struct etm_packet random_packet(uint64_t *random,
                                              const struct etm_config *config)
{
    struct etm_packet p = {0};
    uint8_t header;

    do {
        header = (uint8_t)random_next(random);
        if ((header & 1) == 0 && bits(random, 1) != 0)
            header &= 0x7F; /* all but branches and P-headers are here */
        p.kind = etm_etmv3_header(config, header).kind;
    } while (p.kind == ETM_PACKET_RESERVED || header == 0x00 || header == 0x80);
    switch ((enum etm_packet_kind)p.kind) {
    case ETM_PACKET_P_HEADER:
        p.value = etm_etmv3_header(config, header).atoms;
        p.count = etm_etmv3_header(config, header).count;
        p.header = header;
        break;
    case ETM_PACKET_BRANCH_ADDRESS:
        random_branch(random, config, &p);
        break;
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
        random_i_sync(random, config, &p);
        break;
    case ETM_PACKET_CYCLE_COUNT:
        random_cycles(random, &p);
        break;
    case ETM_PACKET_CONTEXT_ID:
        random_context(random, config, &p);
        break;
    case ETM_PACKET_VMID:
        p.value = bits(random, 8);
        p.value_bytes = 1;
        break;
    case ETM_PACKET_TIMESTAMP:
        random_timestamp(random, config, &p);
        break;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
        random_data(random, config, &p);
        break;
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
        break;
    case ETM_PACKET_UNSYNCHRONIZED:
    case ETM_PACKET_BAD:
    case ETM_PACKET_RESERVED:
    case ETM_PACKET_A_SYNC:
    case ETM_PACKET_LSIP_I_SYNC:
    case ETM_PACKET_ATOM:
    case ETM_PACKET_WAYPOINT_UPDATE:
    case ETM_PACKET_PIPESTAT:
    case ETM_PACKET_TRACE_PACKET:
    case ETM_PACKET_TFO:
        fail();
    }
    return p;
}

#endif
