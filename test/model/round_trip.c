/* SPDX-License-Identifier: Apache-2.0 */
#include "round_trip.h"

#include "../support/element_text.h"
#include "../support/setting.h"
#include "program.h"
#include "proto/etmv2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct trip the;

void trip_print(const struct etm_element *e)
{
    char text[ETM_ELEMENT_TEXT_MAX];

    printf("%5llu %s\n", (unsigned long long)(e->offset / the.size),
           etm_element_text(e, text));
}

void trip_fail(const char *what, size_t at)
{
    const struct etm_element *e = the.elements.data;
    bool all = getenv("ETM_TEST_VERBOSE") != NULL;

    printf("ETM_TEST_SEED=%llu: %s at %zu; port %d data %d%d cprt %d high "
           "vectors %d\n",
           (unsigned long long)the.seed, what, at, the.config.port_width,
           the.config.data_address, the.config.data_value, the.config.cprt,
           the.config.high_vectors);
    config_print(&the.config);
    if (all)
        the.print();
    for (size_t i = 0; i < the.elements.n; i++)
        if (all || (i + 4 > at && i < at + 4))
            trip_print(&e[i]);
    fail_msg("%s", what);
}

void trip_rounds(unsigned long n, void (*make)(uint64_t seed),
                 void (*check)(void))
{
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    etm_vec_init(&the.elements, sizeof(struct etm_element), NULL);
    etm_vec_init(&the.again, sizeof(struct etm_element), NULL);
    n = setting("ETM_TEST_ROUNDS", n);
    for (unsigned long i = 0; i < n; i++) {
        the.seed = seed + i;
        the.r.state = seed + i;
        make(seed + i);
        the.size = etm_protocol_is_port(the.config.protocol)
                       ? etm_sample_size(&the.config)
                       : 1;
        check();
        etm_image_free(the.image);
    }
    etm_vec_fini(&the.elements);
    etm_vec_fini(&the.again);
}

static int keep(void *context, const struct etm_element *e, size_t n)
{
    return etm_vec_append(context, e, n);
}

/* Bytes to elements, in one piece or in many. */
static void decode(const uint8_t *bytes, size_t n, enum etm_level level,
                   bool split, struct etm_vec *out)
{
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &the.config,
                                        .image = the.image,
                                        .level = level,
                                        .elements = keep,
                                        .context = out};
    struct etm_decoder *decoder;
    uint32_t most = random_chance(&the.r, 50) ? 9 : 40;

    out->n = 0;
    assert_int_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    for (size_t i = 0, piece; i < n; i += piece) {
        piece = split ? 1 + random_below(&the.r, most) : n;
        if (piece > n - i)
            piece = n - i;
        assert_int_equal(etm_decoder_push(decoder, bytes + i, piece), ETM_OK);
    }
    assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
    etm_decoder_free(decoder);
}

static void decode_again(const uint8_t *bytes, size_t n, bool split)
{
    decode(bytes, n, ETM_LEVEL_INSTRUCTIONS, split, &the.again);
}

static void same_again(const char *what)
{
    if (the.again.n != the.elements.n ||
        memcmp(the.again.data, the.elements.data,
               the.elements.n * sizeof(struct etm_element)) != 0)
        trip_fail(what, 0);
}

static void check_ranges(void)
{
    const struct etm_element *r = the.again.data, *e = the.elements.data;
    size_t k = 0;

    for (size_t i = 0; i < the.again.n; i++, k++) {
        uint64_t cycles = 0;

        if (k < the.elements.n && r[i].kind == e[k].kind &&
            memcmp(&r[i], &e[k], sizeof r[i]) == 0)
            continue;
        if (r[i].kind != ETM_ELEMENT_RANGE)
            trip_fail("ranges have another element", k);
        for (uint32_t n = 0; n < r[i].u.range.n; n++, k++) {
            if (k == the.elements.n || e[k].kind != ETM_ELEMENT_INSN ||
                (n == 0 && e[k].u.insn.address != r[i].u.range.start))
                trip_fail("a range of other instructions", k);
            cycles += e[k].u.insn.cycles;
        }
        k--;
        if (e[k].u.insn.address != r[i].u.range.last_address ||
            e[k].u.insn.exec != r[i].u.range.last_exec ||
            (the.config.cycle_accurate && cycles != r[i].u.range.cycles))
            trip_fail("a range with another end", k);
    }
    if (k != the.elements.n)
        trip_fail("ranges are missing", k);
}

void trip_decode_at(enum etm_level level)
{
    decode(the.bytes, the.n_bytes, level, false, &the.elements);
    decode(the.bytes, the.n_bytes, level, true, &the.again);
    same_again("a split of the input changes the output");
}

void trip_decode(void)
{
    trip_decode_at(ETM_LEVEL_INSTRUCTIONS);
    decode(the.bytes, the.n_bytes, ETM_LEVEL_RANGES, true, &the.again);
    check_ranges();
}

void trip_without_idle(void)
{
    size_t n = 0;

    for (size_t i = 0; i < the.n_bytes; i += the.size) {
        if (the.bytes[i] == ETM_ETMV2_TD && (the.bytes[i + 1] & 1) == 0 &&
            random_chance(&the.r, 70))
            continue;
        memmove(the.bytes + n, the.bytes + i, the.size);
        n += the.size;
    }
    decode_again(the.bytes, n, false);
    for (size_t i = 0; i < the.again.n && i < the.elements.n; i++) {
        ((struct etm_element *)the.elements.data)[i].offset = 0;
        ((struct etm_element *)the.again.data)[i].offset = 0;
    }
    same_again("cycles without trace change the output");
}

static const struct etm_element *next_insn(const struct etm_vec *v, size_t *i,
                                           uint64_t from)
{
    const struct etm_element *e = v->data;

    while (*i < v->n && (e[*i].kind != ETM_ELEMENT_INSN || e[*i].offset < from))
        (*i)++;
    return *i < v->n ? &e[(*i)++] : NULL;
}

/* From that record on, both have the same instructions; in the second one
 * offsets are `shift` less. */
static void same_from(size_t record, uint64_t shift, const char *what)
{
    uint64_t from = record * the.size;
    size_t i = 0, k = 0;

    for (;;) {
        const struct etm_element *a = next_insn(&the.elements, &i, from);
        const struct etm_element *b = next_insn(&the.again, &k, from - shift);

        if (a == NULL && b == NULL)
            return;
        if (a != NULL && b != NULL && a->offset == b->offset + shift &&
            a->u.insn.address == b->u.insn.address &&
            a->u.insn.exec == b->u.insn.exec)
            continue;
        if (b != NULL)
            trip_print(b);
        trip_fail(what, i);
    }
}

void trip_cut(size_t sync(size_t from))
{
    size_t records = the.n_bytes / the.size;

    for (unsigned i = 0; i < 5; i++) {
        size_t from = random_below(&the.r, (uint32_t)records), at;

        decode_again(the.bytes + from * the.size, the.n_bytes - from * the.size,
                     false);
        at = sync(from);
        if (at < records)
            same_from(at, from * the.size, "a cut changes what follows");
    }
}

void trip_damage(size_t end, size_t clean(size_t at))
{
    unsigned n = 1 + random_below(&the.r, 4);
    size_t last = 0, at;

    for (unsigned i = 0; i < n && end > 0; i++) {
        at = random_below(&the.r, (uint32_t)(end * the.size));
        the.bytes[at] ^= (uint8_t)(1u << random_below(&the.r, 8));
        last = at / the.size > last ? at / the.size : last;
    }
    decode_again(the.bytes, the.n_bytes, false);
    at = clean(last);
    if (at < the.n_bytes / the.size)
        same_from(at, 0, "damage was not contained");
    trip_decode_at(ETM_LEVEL_INSTRUCTIONS);
    trip_decode_at(ETM_LEVEL_RANGES);
}
