/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv2: cycles made by hand, and the elements that must come of them (ETM
 * architecture, chapter 6).
 *
 *     "DE+0211 IE*3 TFO+2000800000 IE!"
 *
 * a status, the group that it puts into the FIFO, how many such cycles, and a
 * trigger. The bytes come out through 8 pins as 6.3 says; `WT` without any in
 * the FIFO is TD, `tick` a TD of cycle-accurate trace, `drain` as many WT as
 * are needed.
 */
#ifndef TEST_FLOW_ETMV2_UTIL_H
#define TEST_FLOW_ETMV2_UTIL_H

#include "../support/element_text.h"
#include "../support/scarce.h"

#include "flow/etmv2/flow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct stream {
    struct etm_config config;
    enum etm_level level;
    bool no_vectors;
    bool another; /* context 11 has code of its own */
    size_t n, n_fifo, due;
    uint8_t pins;
    uint8_t bytes[4096], fifo[256];
    char text[8192];
};

static const uint32_t code[] = {
    0xe1a00000, /* 8000 mov r0, r0 */
    0xe5910000, /* 8004 ldr r0, [r1] */
    0xe8b0003e, /* 8008 ldm r0!, {r1-r5} */
    0x0a000002, /* 800c beq 801c */
    0xe12fff1e, /* 8010 bx lr */
    0xef000001, /* 8014 svc 1 */
    0xeafffff8, /* 8018 b 8000 */
    0xe1a00000, /* 801c mov r0, r0 */
    0xee113f10, /* 8020 mrc p15, 0, r3, c1, c0 */
    0xe7f000f0, /* 8024 udf */
};

/* 8000 b 8020; 8004 mov r3, r3 */
static const uint8_t code_11[] = {0x06, 0x00, 0x00, 0xea,
                                  0x03, 0x30, 0xa0, 0xe1};

/* Thumb: 9000 bl 9008; 9004, 9006, 9008 mov r8, r8 */
static const uint8_t thumb[] = {0x00, 0xf0, 0x02, 0xf8, 0xc0,
                                0x46, 0xc0, 0x46, 0xc0, 0x46};

#define TFO_8000 "TFO+2000800000 "

static inline void record(struct stream *s, unsigned status, unsigned pins)
{
    assert_true(s->n + 2 <= sizeof s->bytes);
    s->bytes[s->n++] = (uint8_t)status;
    s->bytes[s->n++] = (uint8_t)pins;
}

/* One cycle: what the port does (6.1.7, 6.3, 6.5.1). */
static inline void cycle(struct stream *s, unsigned status, bool trigger)
{
    if (trigger) {
        record(s, ETM_ETMV2_TR, status);
        s->due = status == ETM_ETMV2_TD;
    } else if (status == ETM_ETMV2_TD) {
        record(s, status, s->pins);
    } else if (s->due != 0) {
        s->due = 0;
        record(s, status, s->pins);
    } else if (s->n_fifo == 0) {
        record(s, status == ETM_ETMV2_WT ? ETM_ETMV2_TD : status, 0);
    } else {
        record(s, status, s->fifo[0]);
        memmove(s->fifo, s->fifo + 1, --s->n_fifo);
    }
}

static inline unsigned status_of(const char *word, size_t n)
{
    static const char *const names[16] = {
        "IE",   "DE",   "IN",   "DN",   "WT",   "DW",   "TR",   "TFO",
        "PTIE", "PTDE", "PTIN", "PTDN", "PNIE", "PNDE", "PNIN", "PNDN"};

    for (unsigned i = 0; i < 16; i++)
        if (strlen(names[i]) == n && strncmp(word, names[i], n) == 0)
            return i;
    fail_msg("no status: %s", word);
    return 0;
}

static const char *group(struct stream *s, const char *at)
{
    for (; strchr("0123456789abcdef", *at) != NULL && *at != '\0'; at += 2) {
        char digits[3] = {at[0], at[1], '\0'};

        s->fifo[s->n_fifo++] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return at;
}

static inline void put(struct stream *s, const char *words)
{
    while (*words != '\0') {
        size_t n = strspn(words, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const char *at = words + n;
        unsigned long times = 1;
        unsigned status;

        if (strncmp(words, "drain", 5) == 0) {
            while (s->n_fifo != 0 || s->due != 0)
                cycle(s, ETM_ETMV2_WT, false);
            at = words + 5;
        } else if (strncmp(words, "tick", 4) == 0) {
            record(s, ETM_ETMV2_TD, 0x7);
            at = words + 4;
        } else {
            status = status_of(words, n);
            s->pins = etm_etmv2_tfo_pins((unsigned)s->n_fifo);
            if (*at == '+')
                at = group(s, at + 1);
            if (*at == '*')
                times = strtoul(at + 1, (char **)&at, 10);
            for (; times != 0; times--)
                cycle(s, status, *at == '!');
            at += *at == '!';
        }
        while (*at == ' ')
            at++;
        words = at;
    }
}

static inline struct etm_image *make_image(const struct stream *s)
{
    struct etm_image *image;
    uint8_t bytes[sizeof code], nops[32];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(code[i / 4] >> (8 * (i % 4)));
    for (size_t i = 0; i < sizeof nops; i++)
        nops[i] = (uint8_t)(0xe1a00000u >> (8 * (i % 4)));
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(
        etm_image_add_copy(image, 0x8000, bytes, sizeof bytes, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, 0x9000, thumb, sizeof thumb, NULL),
                     ETM_OK);
    if (s->another) {
        struct etm_space space = {.has_context = true, .context_id = 0x11};

        assert_int_equal(
            etm_image_add(image, 0x8000, code_11, sizeof code_11, &space),
            ETM_OK);
    }
    if (!s->no_vectors)
        assert_int_equal(
            etm_image_add_copy(image, s->config.high_vectors ? 0xffff0000 : 0,
                               nops, sizeof nops, NULL),
            ETM_OK);
    return image;
}

/* What these tests do not look at is left out. */
static inline void shorten(char *line)
{
    static const char *const words[] = {" secure=null hyp=false",
                                        " vmid=null",
                                        " resume=0",
                                        " context_id=null",
                                        " insn 0000 cycles",
                                        " cycles=null",
                                        " addr=null",
                                        " e1a00000 other exec"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *at = strstr(line, words[i]);

        if (at != NULL)
            memmove(at, at + strlen(words[i]),
                    strlen(at + strlen(words[i])) + 1);
    }
}

static inline void give(struct stream *s, struct etm_walk *f, struct etm_vec *v)
{
    const struct etm_element *e = v->data;
    size_t at = strlen(s->text);

    for (size_t i = 0; i < f->held; i++) {
        char line[ETM_ELEMENT_TEXT_MAX];

        (void)etm_element_text(&e[i], line);
        shorten(line);
        at += (size_t)snprintf(s->text + at, sizeof s->text - at, "%s\n", line);
    }
    etm_vec_drop(v, f->held);
    f->base += f->held;
    f->held = 0;
}

/* Decode in pieces; 16 bytes are lost after byte `gap`. */
static inline void decode(struct stream *s, size_t piece, size_t gap)
{
    static struct etm_etmv2_flow flow;
    struct etm_etmv2_decoder d;
    struct etm_image *image = make_image(s);
    struct etm_vec packets, elements;

    s->text[0] = '\0';
    etm_vec_init(&packets, sizeof(struct etm_packet), NULL);
    etm_vec_init(&elements, sizeof(struct etm_element), NULL);
    etm_etmv2_decoder_init(&d, &s->config);
    assert_int_equal(
        etm_etmv2_flow_init(&flow, &s->config, image, s->level, NULL), ETM_OK);
    for (size_t i = 0; i < s->n;) {
        size_t n = s->n - i < piece ? s->n - i : piece;

        if (i < gap && gap - i < n)
            n = gap - i;
        packets.n = 0;
        etm_etmv2_decoder_push(&d, s->bytes + i, n, &packets);
        i += n;
        if (i == gap)
            etm_etmv2_decoder_gap(&d, &packets);
        etm_etmv2_flow_push(&flow, packets.data, packets.n, &elements);
        if (i == gap)
            etm_etmv2_flow_gap(&flow, gap, 16, &elements);
        give(s, &flow.walk, &elements);
    }
    packets.n = 0;
    etm_etmv2_decoder_finish(&d, &packets);
    etm_etmv2_flow_push(&flow, packets.data, packets.n, &elements);
    assert_int_equal(etm_etmv2_flow_finish(&flow, s->n, &elements), ETM_OK);
    give(s, &flow.walk, &elements);
    etm_etmv2_flow_fini(&flow);
    etm_vec_fini(&packets);
    etm_vec_fini(&elements);
    etm_image_free(image);
}

static inline void expect(struct stream *s, const char *text)
{
    for (size_t piece = 1; piece < 8; piece += 2) {
        decode(s, piece, SIZE_MAX);
        assert_string_equal(s->text, text);
    }
}

static inline struct stream *begin(void)
{
    static struct stream s;

    memset(&s, 0, sizeof s);
    s.config.protocol = ETM_PROTOCOL_ETMV2;
    s.config.minor = 1;
    s.config.data_value = s.config.data_address = true;
    s.level = ETM_LEVEL_INSTRUCTIONS;
    return &s;
}

static inline int decode_with(struct stream *s, size_t allocations)
{
    static struct etm_etmv2_flow flow;
    struct scarce scarce = {.left = allocations};
    struct etm_allocator allocator = {scarce_resize, &scarce};
    struct etm_etmv2_decoder d;
    struct etm_image *image = make_image(s);
    struct etm_vec packets, elements;
    int status;

    etm_vec_init(&packets, sizeof(struct etm_packet), &allocator);
    etm_vec_init(&elements, sizeof(struct etm_element), &allocator);
    etm_etmv2_decoder_init(&d, &s->config);
    status =
        etm_etmv2_flow_init(&flow, &s->config, image, s->level, &allocator);
    for (size_t i = 0; i < s->n && status == ETM_OK; i += 2) {
        packets.n = 0;
        status = etm_etmv2_decoder_push(&d, s->bytes + i, 2, &packets);
        if (status == ETM_OK)
            status =
                etm_etmv2_flow_push(&flow, packets.data, packets.n, &elements);
    }
    if (status == ETM_OK)
        status = etm_etmv2_flow_finish(&flow, s->n, &elements);
    etm_etmv2_flow_fini(&flow);
    etm_vec_fini(&packets);
    etm_vec_fini(&elements);
    etm_image_free(image);
    return status;
}

#endif
