/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of bit alignment share. */
#ifndef REALIGN_SUPPORT_H
#define REALIGN_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <etm/port.h>

#define MAX_REALIGNED (1u << 18)
#define MAX_REALIGN_RUNS 4096u

/* A whole stream after realignment. */
struct realigned {
    uint8_t bytes[MAX_REALIGNED];
    size_t n;
    struct etm_realign_run runs[MAX_REALIGN_RUNS]; /* joined over takes */
    size_t n_runs;
};

static inline void realigned_add(struct realigned *all,
                                 const struct etm_realigned *made)
{
    uint64_t n = all->n;

    for (size_t i = 0; i < made->n_runs; i++) {
        const struct etm_realign_run *run = &made->runs[i];
        struct etm_realign_run *last = all->runs + all->n_runs;

        assert_true(run->n != 0 && run->bit < 8);
        assert_true(run->gap == (run->lost != 0));
        assert_int_equal(run->stream, n);
        n += run->n;
        if (all->n_runs != 0 && !run->gap) {
            last--;
            assert_int_equal(run->input, last->input + last->n);
            assert_int_equal(run->bit, last->bit);
            last->n += run->n;
            continue;
        }
        assert_true(all->n_runs < MAX_REALIGN_RUNS);
        all->runs[all->n_runs++] = *run;
    }
    assert_int_equal(n, all->n + made->n_bytes);
    assert_true(n <= MAX_REALIGNED);
    if (made->n_bytes != 0)
        memcpy(all->bytes + all->n, made->bytes, made->n_bytes);
    all->n = (size_t)n;
}

static inline unsigned bit_at(const uint8_t *bytes, uint64_t bit)
{
    return (unsigned)bytes[bit / 8] >> bit % 8 & 1u;
}

/* Every bit stands in the input where its run says. */
static inline void assert_realign_map(const struct realigned *all,
                                      const uint8_t *input, size_t n)
{
    for (size_t i = 0; i < all->n_runs; i++) {
        const struct etm_realign_run *run = &all->runs[i];
        uint64_t from = 8 * run->input + run->bit;

        assert_true(from + 8 * run->n <= 8 * n);
        for (uint64_t k = 0; k < 8 * run->n; k++)
            assert_int_equal(bit_at(all->bytes, 8 * run->stream + k),
                             bit_at(input, from + k));
    }
}

/* `step` bytes at a time, with the memory of a test that goes on. */
static inline struct realigned *realign(const uint8_t *bytes, size_t n,
                                        uint32_t hold, size_t step)
{
    static struct realigned all;
    struct etm_realigner_config config = {.size = sizeof config, .hold = hold};
    struct etm_realigner *r;
    struct etm_realigned made;

    all.n = all.n_runs = 0;
    assert_int_equal(etm_realigner_new(&r, &config), ETM_OK);
    for (size_t at = 0; at < n; at += step) {
        assert_int_equal(
            etm_realigner_push(r, bytes + at, step < n - at ? step : n - at),
            ETM_OK);
        etm_realigner_take(r, &made);
        realigned_add(&all, &made);
    }
    assert_int_equal(etm_realigner_finish(r), ETM_OK);
    etm_realigner_take(r, &made);
    realigned_add(&all, &made);
    etm_realigner_free(r);
    assert_realign_map(&all, bytes, n);
    return &all;
}

/* `n` bits of `from`, beginning with bit `first`, to bit `to` of zeroed
 * memory. */
static inline void copy_bits(uint8_t *out, uint64_t to, const uint8_t *from,
                             uint64_t first, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++, to++)
        out[to / 8] |= (uint8_t)(bit_at(from, first + i) << to % 8);
}

/*
 * A valid stream that begins with an A-sync: it comes out as it went in, and
 * after one to seven bits of something else, it comes out as well.
 */
static inline void assert_valid_stream_survives(const uint8_t *stream, size_t n)
{
    uint8_t *shifted = malloc(n + 2);
    struct realigned *all = realign(stream, n, 0, n);

    assert_non_null(shifted);
    assert_int_equal(all->n, n);
    assert_memory_equal(all->bytes, stream, n);
    assert_int_equal(all->n_runs, 1);
    assert_false(all->runs[0].gap);
    for (unsigned bits = 1; bits < 8; bits++) {
        /* The last one before the stream is a 1: otherwise its A-sync would
         * be longer. */
        static const uint8_t before[] = {0xff};

        memset(shifted, 0, n + 2);
        copy_bits(shifted, 0, before, 0, bits);
        copy_bits(shifted, bits, stream, 0, 8 * n);
        all = realign(shifted, n + 1, 0, 4096);
        assert_int_equal(all->n_runs, 1);
        assert_true(all->runs[0].gap);
        assert_int_equal(all->runs[0].input, 0);
        assert_int_equal(all->runs[0].bit, bits);
        assert_int_equal(all->n, n);
        assert_memory_equal(all->bytes, stream, n);
    }
    free(shifted);
}

#endif
