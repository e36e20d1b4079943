/* SPDX-License-Identifier: Apache-2.0 */
/* All that a deframer makes of a capture. */
#ifndef TEST_SESSION_DEFRAMED_H
#define TEST_SESSION_DEFRAMED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "../support/xorshift.h"
#include <etm/port.h>

/* Bytes that grow; `place` is where each one stood in the capture. */
struct bytes {
    uint8_t *data;
    uint64_t *place;
    size_t n, capacity;
};

static inline void bytes_add(struct bytes *b, uint8_t value, uint64_t place)
{
    if (b->n == b->capacity) {
        b->capacity = b->capacity != 0 ? 2 * b->capacity : 256;
        b->data = realloc(b->data, b->capacity);
        b->place = realloc(b->place, b->capacity * sizeof *b->place);
        assert_non_null(b->data);
        assert_non_null(b->place);
    }
    b->data[b->n] = value;
    b->place[b->n++] = place;
}

static inline void bytes_free(struct bytes *b)
{
    free(b->data);
    free(b->place);
    *b = (struct bytes){0};
}

static inline void assert_bytes_equal(const struct bytes *a,
                                      const struct bytes *b)
{
    assert_int_equal(a->n, b->n);
    if (a->n == 0)
        return;
    assert_memory_equal(a->data, b->data, a->n);
    assert_memory_equal(a->place, b->place, a->n * sizeof *a->place);
}

#define MAX_EVENTS 8192

/* All that a deframer made of a capture. */
struct made {
    struct bytes stream;
    struct etm_frame_event events[MAX_EVENTS];
    size_t n_events;
    uint64_t gaps[MAX_EVENTS]; /* stream offsets of the runs that have one */
    size_t n_gaps;
    uint64_t lost; /* of all runs, and after the last */
    struct etm_frame_counts counts;
};

static inline void made_add(struct made *m, const struct etm_deframed *d)
{
    size_t covered = 0;

    for (size_t i = 0; i < d->n_runs; i++) {
        const struct etm_frame_run *run = &d->runs[i];

        assert_true(run->n != 0);
        assert_int_equal(run->stream, m->stream.n);
        if (run->gap) {
            assert_true(m->n_gaps < MAX_EVENTS);
            m->gaps[m->n_gaps++] = run->stream;
            m->lost += run->lost;
        } else {
            assert_int_equal(run->lost, 0);
        }
        for (uint32_t k = 0; k < run->n; k++)
            bytes_add(&m->stream, d->bytes[covered + k],
                      etm_frame_run_file(run, k));
        covered += run->n;
    }
    assert_int_equal(covered, d->n_bytes);
    for (size_t i = 0; i < d->n_events; i++) {
        assert_true(m->n_events < MAX_EVENTS);
        m->events[m->n_events++] = d->events[i];
    }
}

static inline void made_free(struct made *m)
{
    bytes_free(&m->stream);
    free(m);
}

static inline void assert_same(const struct made *a, const struct made *b)
{
    assert_bytes_equal(&a->stream, &b->stream);
    assert_int_equal(a->n_events, b->n_events);
    for (size_t i = 0; i < a->n_events; i++) {
        assert_int_equal(a->events[i].file, b->events[i].file);
        assert_int_equal(a->events[i].n, b->events[i].n);
        assert_int_equal(a->events[i].kind, b->events[i].kind);
        assert_int_equal(a->events[i].value, b->events[i].value);
    }
    assert_int_equal(a->n_gaps, b->n_gaps);
    assert_memory_equal(a->gaps, b->gaps, a->n_gaps * sizeof *a->gaps);
    assert_int_equal(a->lost, b->lost);
    assert_memory_equal(&a->counts, &b->counts, sizeof a->counts);
}

#endif
