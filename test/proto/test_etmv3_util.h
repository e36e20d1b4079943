/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the ETMv3 packet layer share. */
#ifndef TEST_ETMV3_UTIL_H
#define TEST_ETMV3_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "proto/etmv3.h"

/* xorshift64*: the same numbers in every run. */
static inline uint32_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(2685821657736338717)) >> 32);
}

static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    return random_next(state) % n;
}

/* Any configuration of ETMv3 that makes a difference to its packets. */
static inline struct etm_config random_config(uint64_t *state)
{
    static const uint8_t context_ids[] = {0, 1, 2, 4};
    uint32_t bits = random_next(state);

    return (struct etm_config){
        .size = sizeof(struct etm_config),
        .protocol = ETM_PROTOCOL_ETMV3,
        .profile = (enum etm_profile)random_below(state, 4),
        .minor = (uint8_t)random_below(state, 6),
        .cycle_accurate = (bits & 1) != 0,
        .context_id_bytes = context_ids[bits >> 1 & 3],
        .data_value = (bits & 8) != 0,
        .data_address = (bits & 16) != 0,
        .cprt = (bits & 32) != 0,
        .data_only = (bits >> 6 & 7) == 0,
        .alternative_branches = (bits & 512) != 0,
        .timestamp_64bit = (bits & 1024) != 0,
    };
}

static inline struct etm_packet *packets_of(const struct etm_vec *vec)
{
    return vec->data;
}

/* All packets of the bytes, pushed in pieces of `piece` (0: at once). */
static inline void decode_all(const struct etm_config *config,
                              const uint8_t *bytes, size_t n, size_t piece,
                              struct etm_vec *out)
{
    struct etm_etmv3_decoder *d = malloc(sizeof *d);

    assert_non_null(d);
    etm_vec_init(out, sizeof(struct etm_packet), NULL);
    etm_etmv3_decoder_init(d, config);
    if (piece == 0)
        piece = n != 0 ? n : 1;
    for (size_t i = 0; i < n; i += piece) {
        size_t some = n - i < piece ? n - i : piece;
        /* a copy of its own size, so that a sanitizer sees reads beyond it */
        uint8_t *copy = malloc(some);

        assert_non_null(copy);
        memcpy(copy, bytes + i, some);
        assert_int_equal(etm_etmv3_decoder_push(d, copy, some, out), ETM_OK);
        free(copy);
    }
    assert_int_equal(etm_etmv3_decoder_finish(d, out), ETM_OK);
    free(d);
}

static inline void assert_same_packet(const struct etm_packet *a,
                                      const struct etm_packet *b)
{
#define SAME(member) assert_int_equal(a->member, b->member)
    SAME(offset);
    SAME(value);
    SAME(size);
    SAME(address);
    SAME(address2);
    SAME(cycle_count);
    SAME(context_id);
    SAME(fields);
    SAME(exception);
    SAME(kind);
    SAME(header);
    SAME(info);
    SAME(isa);
    SAME(reason);
    SAME(address_bits);
    SAME(address_bytes);
    SAME(address2_bits);
    SAME(address2_bytes);
    SAME(isa2);
    SAME(value_bytes);
    SAME(count);
    SAME(tag);
    SAME(resume);
    SAME(cycle_bytes);
    SAME(use);
#undef SAME
}

static inline void assert_same_packets(const struct etm_vec *a,
                                       const struct etm_vec *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++)
        assert_same_packet(&packets_of(a)[i], &packets_of(b)[i]);
}

/* "C8 8A" -> bytes; returns how many. */
static inline size_t unhex(const char *text, uint8_t *bytes, size_t capacity)
{
    size_t n = 0;
    char *end;

    while (*text != '\0') {
        unsigned long byte = strtoul(text, &end, 16);

        assert_ptr_not_equal(end, text);
        assert_true(byte < 256 && n < capacity);
        bytes[n++] = (uint8_t)byte;
        for (text = end; *text == ' '; text++)
            ;
    }
    return n;
}

static inline void say(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* Kinds and sizes, as "a_sync 6, p_header 1". */
static inline void assert_packets(const struct etm_vec *vec,
                                  const char *expected)
{
    char text[1024] = "";

    for (size_t i = 0; i < vec->n; i++) {
        const struct etm_packet *p = &packets_of(vec)[i];

        say(text, sizeof text, "%s%s %u%s", i != 0 ? ", " : "",
            etm_packet_kind_name((enum etm_packet_kind)p->kind), p->size,
            (p->fields & ETM_FIELD_TRUNCATED) != 0 ? " truncated" : "");
    }
    assert_string_equal(text, expected);
}

#endif
