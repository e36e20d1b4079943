/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv3: what follows the header of a packet. Every parser here reads at *next
 * and moves it behind what it took. It returns false if the packet is bad: then
 * *next is the byte that violates the format. The bytes that a packet can have
 * are there (etm_etmv3_payload()).
 */
#include "base/bytes.h"
#include "base/isa.h"
#include "proto/etmv3_address.h"
#include "proto/timestamp.h"

/* The last byte taken violates the format. */
static bool offends(const uint8_t **next)
{
    --*next;
    return false;
}

/* `n` bytes, the first one lowest. */
static uint32_t bytes_of(const uint8_t **next, unsigned n)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= (uint32_t) * (*next)++ << (8 * i);
    return value;
}

/* Up to `most` bytes of seven bits, each with a C bit if another one follows.
 * The last one that there can be has eight bits. Returns their number. */
static unsigned continued(const uint8_t **next, unsigned most, uint64_t *value)
{
    unsigned n = 0;
    uint8_t byte;

    *value = 0;
    do {
        byte = *(*next)++;
        *value |= (uint64_t)(byte & (n + 1 < most ? 0x7Fu : 0xFFu)) << (7 * n);
        n++;
    } while ((byte & ETM_ETMV3_MORE) != 0 && n < most);
    return n;
}

/* 7.3.4: up to five bytes; of the fifth only bits [3:0] count, and none
 * follows. */
static void cycle_count(const uint8_t **next, struct etm_packet *p)
{
    uint64_t count;

    p->cycle_bytes = (uint8_t)continued(next, 5, &count);
    p->cycle_count = (uint32_t)count;
    p->fields |= ETM_FIELD_CYCLES;
}

/* 7.3.6 */
static void context_id(const struct etm_etmv3_decoder *d, const uint8_t **next,
                       struct etm_packet *p)
{
    if (d->config.context_id_bytes == 0)
        return;
    p->context_id = bytes_of(next, d->config.context_id_bytes);
    p->fields |= ETM_FIELD_CONTEXT_ID;
}

/* Version 3.5: 7 bits a byte, at most 48 or 64 bits in 7 or 9 bytes. */
static void timestamp(const struct etm_etmv3_decoder *d, const uint8_t **next,
                      struct etm_packet *p)
{
    p->value_bytes =
        (uint8_t)continued(next, etm_timestamp_bytes(&d->config), &p->value);
    p->value &= UINT64_MAX >> (64 - etm_timestamp_bits(&d->config));
    if ((p->header & 0x04) != 0)
        p->fields |= ETM_FIELD_R;
}

/* Figure 7-25, tables 7-10 and (version 3.5) 7.9. */
static bool exception_bytes(const struct etm_etmv3_decoder *d,
                            const uint8_t **next, struct etm_packet *p)
{
    uint8_t byte = *(*next)++;
    unsigned fields = ((byte & 0x01u) != 0 ? ETM_FIELD_NS : 0u) |
                      ((byte & 0x40u) != 0 ? ETM_FIELD_ALT_ISA : 0u);

    p->info = byte;
    p->exception = byte >> 1 & 0x0Fu;
    p->fields |= (uint16_t)((fields & d->state_fields) | ETM_FIELD_EXCEPTION_0);
    if ((byte & 0x20) != 0)
        p->fields |= ETM_FIELD_CANCEL;
    if ((byte & ETM_ETMV3_MORE) == 0 || d->config.minor < 4)
        return true;

    byte = *(*next)++;
    if ((byte & 0x40) == 0) {
        p->fields |= ETM_FIELD_EXCEPTION_1;
        p->exception |= (uint16_t)((byte & 0x1Fu) << 4);
        if ((byte & 0x20) != 0)
            p->fields |= ETM_FIELD_HYP & d->state_fields;
        if ((byte & ETM_ETMV3_MORE) == 0)
            return true;
        byte = *(*next)++;
        if ((byte & 0x40) == 0)
            return offends(next);
    }
    if ((byte & ETM_ETMV3_MORE) != 0)
        return offends(next);
    p->fields |= ETM_FIELD_EXCEPTION_2;
    p->resume = byte & 0x0F;
    return true;
}

/* The fifth byte, which names an instruction set and, in a deprecated form, an
 * exception. False for a reserved pattern. */
static bool fifth_byte(uint8_t byte, struct etm_packet *p)
{
    if ((byte & ETM_ETMV3_MORE) != 0) { /* 1CEEEaaa, deprecated */
        p->fields |= (uint16_t)(ETM_FIELD_DEPRECATED |
                                ((byte & 0x40) != 0 ? ETM_FIELD_CANCEL : 0));
        p->exception = byte >> 3 & 0x07u;
        p->isa = ETM_ISA_ARM;
    } else {
        p->isa = (uint8_t)etm_address_fifth_isa(byte);
        if (p->isa == ETM_ISA_UNKNOWN)
            return false;
    }
    p->address_bits = (uint8_t)(32 - etm_isa_shift((enum etm_isa)p->isa));
    p->address |= (byte & ((1u << (p->address_bits - 27)) - 1)) << 27;
    return true;
}

/*
 * 7.3.5, from the first byte on: up to five address bytes and up to three
 * exception information bytes. In the original encoding only byte five can
 * announce these; in the alternative one (table 7-6) bit 6 of the last of two
 * to four bytes does, and is no address bit.
 */
static inline bool branch(const struct etm_etmv3_decoder *d,
                          const uint8_t **next, struct etm_packet *p)
{
    const uint32_t word = etm_le32(*next);
    const size_t last = etm_address_last_byte(word);
    const struct etm_address_form *form =
        &etm_address_forms[d->alternative][last];
    bool exception = (word & form->other) != 0;

    *next += last + 1;
    p->address_bytes = (uint8_t)(last + 1);
    p->fields |= ETM_FIELD_ADDRESS;
    p->address = etm_address_bits(word);
    if (last == ETM_ADDRESS_FORM_5) {
        if (!fifth_byte((*next)[-1], p))
            return offends(next);
        exception = ((*next)[-1] & 0xC0) == 0x40;
    } else {
        p->address &= form->address;
        p->address_bits = form->bits;
    }
    return !exception || exception_bytes(d, next, p);
}

/*
 * 7.7.3, LSiP: the address of the current instruction in the form of a branch
 * packet. The deprecated form of an exception is not used in it.
 */
static bool second_address(const struct etm_etmv3_decoder *d,
                           const uint8_t **next, struct etm_packet *p)
{
    struct etm_packet second = {0};

    if ((**next & 0x01) == 0)
        return false;
    if (!branch(d, next, &second))
        return false;
    if ((second.fields & ETM_FIELD_DEPRECATED) != 0)
        return offends(next);
    if ((second.fields & ETM_FIELD_EXCEPTION_0) != 0)
        p->fields &= (uint16_t) ~(ETM_FIELD_NS | ETM_FIELD_ALT_ISA);
    if ((second.fields & ETM_FIELD_EXCEPTION_1) != 0)
        p->fields &= (uint16_t)~ETM_FIELD_HYP;
    p->fields |= second.fields;
    p->exception = second.exception;
    p->resume = second.resume;
    p->address2 = second.address;
    p->address2_bits = second.address_bits;
    p->address2_bytes = second.address_bytes;
    p->isa2 = second.isa;
    return true;
}

/*
 * 7.7.3: all five forms. Bit 0 of the information byte is always 1 (7.11.2); it
 * is the only way to recognize a false I-sync.
 */
static bool i_sync(const struct etm_etmv3_decoder *d, const uint8_t **next,
                   struct etm_packet *p)
{
    unsigned fields;

    if (p->kind == ETM_PACKET_I_SYNC_CYCLE_COUNT)
        cycle_count(next, p);
    context_id(d, next, p);
    p->info = *(*next)++;
    if ((p->info & 0x01) == 0)
        return offends(next);
    fields = ((p->info & 0x08) != 0 ? ETM_FIELD_NS : 0u) |
             ((p->info & 0x02) != 0 ? ETM_FIELD_HYP : 0u);
    if ((p->info & 0x04) != 0 && !d->data_only)
        fields |= ETM_FIELD_ALT_ISA;
    p->fields |= (uint16_t)(fields & d->state_fields);
    p->reason = p->info >> 5 & 0x03u;
    if (d->data_only)
        return true;
    /* LSiP is only where tracing starts */
    if ((p->info & 0x80) != 0 && p->reason == ETM_SYNC_PERIODIC)
        return offends(next);

    p->address = bytes_of(next, 4);
    p->address_bytes = 4;
    p->address_bits = 32;
    p->fields |= ETM_FIELD_ADDRESS;
    if ((p->info & 0x10) != 0) {
        p->isa = ETM_ISA_JAZELLE; /* bit 0 is an address bit then */
    } else {
        p->isa = (p->address & 1) != 0 ? ETM_ISA_THUMB : ETM_ISA_ARM;
        if (p->isa == ETM_ISA_THUMB &&
            (fields & d->state_fields & ETM_FIELD_ALT_ISA) != 0)
            p->isa = ETM_ISA_THUMBEE;
        p->address &= ~UINT32_C(1);
    }
    if ((p->info & 0x80) == 0)
        return true;
    p->kind = ETM_PACKET_LSIP_I_SYNC;
    return second_address(d, next, p);
}

/* 7.4.2. BE came with version 3.1. */
static bool data_address(const struct etm_etmv3_decoder *d,
                         const uint8_t **next, struct etm_packet *p)
{
    struct etm_etmv3_data_address a = {.be = false};
    const unsigned n = etm_etmv3_parse_data_address(*next, &a);

    if (n == 0) {
        *next += 4;
        return false;
    }
    *next += n;
    p->address = a.address;
    p->address_bytes = (uint8_t)n;
    p->address_bits = (uint8_t)(n < 5 ? 7 * n : 32);
    p->fields |= ETM_FIELD_ADDRESS;
    if (a.be && d->config.minor >= 1)
        p->fields |= ETM_FIELD_BE;
    return true;
}

/* Table 7-19: without value tracing the size bits mean nothing. */
static void data_value(const struct etm_etmv3_decoder *d, const uint8_t **next,
                       struct etm_packet *p)
{
    uint32_t value;

    if (!d->config.data_value)
        return;
    p->value_bytes = (uint8_t)etm_etmv3_parse_value(*next, p->header, &value);
    p->value = value;
    p->fields |= ETM_FIELD_VALUE;
    *next += p->value_bytes;
}

/* 7.4.2, 7.4.3, 7.4.8 */
static bool data(const struct etm_etmv3_decoder *d, const uint8_t **next,
                 struct etm_packet *p)
{
    bool not_traced = p->kind == ETM_PACKET_VALUE_NOT_TRACED;

    if (p->kind == ETM_PACKET_OUT_OF_ORDER_DATA) { /* 0TT0SS00 */
        p->tag = p->header >> 5 & 0x03u;
        data_value(d, next, p);
        return true;
    }
    if (p->kind == ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER) /* 01A1TT00 */
        p->tag = p->header >> 2 & 0x03u;
    /* 011A1010, 00A0SS10: A says that an address follows, if addresses are
     * traced */
    if ((p->header & (not_traced ? 0x10 : 0x20)) != 0) {
        p->fields |= ETM_FIELD_A;
        if (d->config.data_address && !data_address(d, next, p))
            return false;
    }
    if (p->kind == ETM_PACKET_NORMAL_DATA)
        data_value(d, next, p);
    return true;
}

bool etm_etmv3_payload(const struct etm_etmv3_decoder *d, const uint8_t **next,
                       struct etm_packet *p)
{
    switch (p->kind) {
    case ETM_PACKET_BRANCH_ADDRESS:
        --*next; /* the header is the first byte of the address */
        return branch(d, next, p);
    case ETM_PACKET_I_SYNC:
    case ETM_PACKET_I_SYNC_CYCLE_COUNT:
        return i_sync(d, next, p);
    case ETM_PACKET_CYCLE_COUNT:
        cycle_count(next, p);
        return true;
    case ETM_PACKET_CONTEXT_ID:
        context_id(d, next, p);
        return true;
    case ETM_PACKET_VMID:
        p->value = *(*next)++;
        p->value_bytes = 1;
        return true;
    case ETM_PACKET_TIMESTAMP:
        timestamp(d, next, p);
        return true;
    case ETM_PACKET_NORMAL_DATA:
    case ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER:
    case ETM_PACKET_OUT_OF_ORDER_DATA:
    case ETM_PACKET_VALUE_NOT_TRACED:
        return data(d, next, p);
    case ETM_PACKET_RESERVED:
        return false;
    case ETM_PACKET_P_HEADER:
    case ETM_PACKET_TRIGGER:
    case ETM_PACKET_IGNORE:
    case ETM_PACKET_EXCEPTION_ENTRY:
    case ETM_PACKET_EXCEPTION_EXIT:
    case ETM_PACKET_DATA_SUPPRESSED:
    case ETM_PACKET_STORE_FAILED:
        return true;
    }
    return false;
}
