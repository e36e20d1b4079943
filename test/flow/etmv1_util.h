/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of an ETMv1 in words, and the elements that must come of them.
 *
 *     "BE1:80 IE0:a0 TD0:01*4"    status, TRACESYNC, TRACEPKT; four times
 *
 * In the offset cycles of a branch the status is a number: "02:80" is the code
 * b010 there too.
 */
#ifndef TEST_FLOW_ETMV1_UTIL_H
#define TEST_FLOW_ETMV1_UTIL_H

#include "../support/element_text.h"
#include "../support/scarce.h"

#include "flow/etmv1/flow.h"
#include "proto/etmv1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define V1_RECORD_BYTES 8192u
#define V1_TEXT_BYTES 16384u

/* The restart of every test: ARM state at 0x1000, reason 1. */
#define AT_1000 "BE1:80 IE0:a0 IE0:80 WT0:80 WT0:10 "

struct v1_case {
    struct etm_config config;
    struct etm_image *image;
    enum etm_level level;
    size_t n;
    uint8_t bytes[V1_RECORD_BYTES];
    char text[V1_TEXT_BYTES];
};

/* Code at an address: opcodes in pieces of `size` bytes. */
static inline void v1_code(struct v1_case *c, uint32_t address,
                           const uint32_t *opcodes, size_t n, unsigned size)
{
    uint8_t bytes[256];

    if (c->image == NULL)
        assert_int_equal(etm_image_new(&c->image, NULL), ETM_OK);
    for (size_t i = 0; i < n; i++)
        for (unsigned b = 0; b < size; b++)
            bytes[i * size + b] = (uint8_t)(opcodes[i] >> (8 * b));
    assert_int_equal(
        etm_image_add_copy(c->image, address, bytes, n * size, NULL), ETM_OK);
}

static inline void v1_begin(struct v1_case *c)
{
    memset(c, 0, sizeof *c);
    c->config.protocol = ETM_PROTOCOL_ETMV1;
    c->config.minor = 2;
    c->level = ETM_LEVEL_INSTRUCTIONS;
}

static inline void v1_end(struct v1_case *c)
{
    etm_image_free(c->image);
}

static inline uint8_t v1_status(const char *word)
{
    static const char names[8][3] = {"IE", "ID", "IN", "WT",
                                     "BE", "BD", "TR", "TD"};

    for (uint8_t i = 0; i < 8; i++)
        if (strncmp(word, names[i], 2) == 0)
            return i;
    fail_msg("no status: %s", word);
    return 0;
}

static inline void v1_records(struct v1_case *c, const char *words)
{
    unsigned size = etm_sample_size(&c->config);

    while (*words != '\0') {
        char *end;
        uint8_t first = v1_status(words);
        unsigned long pins, times = 1;

        if (words[2] == '1')
            first |= ETM_SAMPLE_SYNC;
        assert_int_equal(words[3], ':');
        pins = strtoul(words + 4, &end, 16);
        if (*end == '*')
            times = strtoul(end + 1, &end, 10);
        for (; times != 0; times--) {
            assert_true(c->n + size <= sizeof c->bytes);
            c->bytes[c->n++] = first;
            c->bytes[c->n++] = (uint8_t)pins;
            if (size == 3)
                c->bytes[c->n++] = (uint8_t)(pins >> 8);
        }
        while (*end == ' ' || *end == '\n')
            end++;
        words = end;
    }
}

/* What these tests do not look at is left out. */
static inline void v1_shorten(char *line)
{
    static const char *const words[] = {
        " arm",       " secure=null hyp=false", " vmid=null", " cycles=null",
        " addr=null", " context_id=null",       " resume=0"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *at = strstr(line, words[i]);

        /* a change of state is looked at */
        if (at != NULL && !(i == 0 && strstr(line, " context ") != NULL))
            memmove(at, at + strlen(words[i]),
                    strlen(at + strlen(words[i])) + 1);
    }
}

static inline void v1_take(struct v1_case *c, struct etm_etmv1_flow *flow,
                           struct etm_vec *elements)
{
    const struct etm_element *e = elements->data;
    size_t at = strlen(c->text);

    for (size_t i = 0; i < flow->walk.held; i++) {
        char line[ETM_ELEMENT_TEXT_MAX];

        (void)etm_element_text(&e[i], line);
        v1_shorten(line);
        at += (size_t)snprintf(c->text + at, sizeof c->text - at, "%s\n", line);
    }
    etm_vec_drop(elements, flow->walk.held);
    flow->walk.base += flow->walk.held;
    flow->walk.held = 0;
}

/* Decode with so many allocations; the status of the first failure. */
static inline int v1_decode_with(struct v1_case *c, size_t allocations)
{
    static struct etm_etmv1_flow flow;
    struct scarce scarce = {.left = allocations};
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_etmv1_decoder decoder;
    struct etm_vec packets, elements;
    int status;

    etm_vec_init(&packets, sizeof(struct etm_packet), NULL);
    etm_vec_init(&elements, sizeof(struct etm_element), &allocator);
    etm_etmv1_decoder_init(&decoder, &c->config);
    etm_etmv1_decoder_push(&decoder, c->bytes, c->n, &packets);
    status =
        etm_etmv1_flow_init(&flow, &c->config, c->image, c->level, &allocator);
    if (status == ETM_OK)
        status = etm_etmv1_flow_push(&flow, packets.data, packets.n, &elements);
    if (status == ETM_OK)
        status = etm_etmv1_flow_finish(&flow, c->n, &elements);
    etm_etmv1_flow_fini(&flow);
    etm_vec_fini(&packets);
    etm_vec_fini(&elements);
    return status;
}

/* Decode, `step` bytes at a time; after byte `gap_at` 16 bytes are lost. */
static inline void v1_decode(struct v1_case *c, size_t step, size_t gap_at)
{
    static struct etm_etmv1_flow flow;
    struct etm_etmv1_decoder decoder;
    struct etm_vec packets, elements;

    c->text[0] = '\0';
    etm_vec_init(&packets, sizeof(struct etm_packet), NULL);
    etm_vec_init(&elements, sizeof(struct etm_element), NULL);
    etm_etmv1_decoder_init(&decoder, &c->config);
    assert_int_equal(
        etm_etmv1_flow_init(&flow, &c->config, c->image, c->level, NULL),
        ETM_OK);
    for (size_t i = 0, part; i < c->n; i += part) {
        part = step < c->n - i ? step : c->n - i;
        if (i < gap_at && gap_at - i < part)
            part = gap_at - i;
        etm_etmv1_decoder_push(&decoder, c->bytes + i, part, &packets);
        if (i + part == gap_at)
            etm_etmv1_decoder_gap(&decoder, &packets);
        assert_int_equal(
            etm_etmv1_flow_push(&flow, packets.data, packets.n, &elements),
            ETM_OK);
        packets.n = 0;
        if (i + part == gap_at)
            assert_int_equal(etm_etmv1_flow_gap(&flow, gap_at, 16, &elements),
                             ETM_OK);
        v1_take(c, &flow, &elements);
    }
    etm_etmv1_decoder_finish(&decoder, &packets);
    etm_etmv1_flow_push(&flow, packets.data, packets.n, &elements);
    assert_int_equal(etm_etmv1_flow_finish(&flow, c->n, &elements), ETM_OK);
    v1_take(c, &flow, &elements);
    assert_int_equal(elements.n, 0);
    etm_etmv1_flow_fini(&flow);
    etm_vec_fini(&packets);
    etm_vec_fini(&elements);
}

static inline void v1_expect_gap(struct v1_case *c, size_t gap_at,
                                 const char *expected)
{
    for (size_t step = 1; step <= 8; step++) {
        v1_decode(c, step < 8 ? step : c->n + 1, gap_at); /* and all at once */
        if (strcmp(c->text, expected) != 0)
            printf("by %zu bytes:\n%s", step, c->text);
        assert_string_equal(c->text, expected);
    }
}

/* At any split of the input. */
static inline void v1_expect(struct v1_case *c, const char *expected)
{
    v1_expect_gap(c, SIZE_MAX, expected);
}

#endif
