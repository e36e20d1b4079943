/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the trace port share. */
#ifndef PINS_SUPPORT_H
#define PINS_SUPPORT_H

#include "port_support.h"

#include "port/pins.h"

static inline struct etm_port_config port_of(enum etm_protocol protocol,
                                             unsigned width)
{
    return (struct etm_port_config){.size = sizeof(struct etm_port_config),
                                    .protocol = protocol,
                                    .width = (uint8_t)width};
}

static inline void vec_add_sample(struct etm_vec *vec, unsigned control,
                                  uint64_t data)
{
    struct etm_port_sample sample = {data, (uint8_t)control, 0};

    assert_int_equal(etm_vec_append(vec, &sample, 1), ETM_OK);
}

static inline const struct etm_port_sample *sample_at(const struct etm_vec *vec,
                                                      size_t i)
{
    assert_true(i < vec->n);
    return (const struct etm_port_sample *)vec->data + i;
}

static inline void assert_samples_equal(const struct etm_vec *a,
                                        const struct etm_vec *b)
{
    assert_int_equal(a->n, b->n);
    for (size_t i = 0; i < a->n; i++) {
        assert_int_equal(sample_at(a, i)->data, sample_at(b, i)->data);
        assert_int_equal(sample_at(a, i)->control, sample_at(b, i)->control);
        assert_int_equal(sample_at(a, i)->status, sample_at(b, i)->status);
    }
}

#define MAX_TRIGGERS 4096

/* The whole stream of a port, with the samples its bits came in. */
struct unpacked {
    struct bytes stream;     /* place: the sample of a byte's first bit */
    uint64_t *sample_of_bit; /* of each bit of the stream */
    struct etm_port_trigger triggers[MAX_TRIGGERS];
    size_t n_triggers;
    struct etm_port_counts counts;
};

static inline void unpacked_add(struct unpacked *all,
                                const struct etm_unpacked *made)
{
    uint64_t bit = 8 * all->stream.n;
    size_t run = 0;

    all->sample_of_bit =
        realloc(all->sample_of_bit,
                (all->stream.n + made->n_bytes + 1) * 8 * sizeof(uint64_t));
    assert_non_null(all->sample_of_bit);
    for (size_t i = 0; i < 8 * made->n_bytes; i++, bit++) {
        while (run < made->n_runs &&
               bit >= made->runs[run].bit +
                          made->runs[run].n * made->runs[run].width)
            run++;
        assert_true(run < made->n_runs && bit >= made->runs[run].bit);
        all->sample_of_bit[bit] = etm_port_run_sample(&made->runs[run], bit);
        if (bit % 8 == 0)
            bytes_add(&all->stream, made->bytes[i / 8],
                      all->sample_of_bit[bit]);
    }
    for (size_t i = 0; i < made->n_triggers; i++) {
        assert_true(all->n_triggers < MAX_TRIGGERS);
        all->triggers[all->n_triggers++] = made->triggers[i];
    }
}

/* `step` samples at a time. */
static inline struct unpacked *unpack(const struct etm_port_config *config,
                                      const struct etm_port_sample *samples,
                                      size_t n, size_t step)
{
    struct unpacked *all = calloc(1, sizeof *all);
    struct etm_unpacker *u;
    struct etm_unpacked made;

    assert_non_null(all);
    assert_int_equal(etm_unpacker_new(&u, config), ETM_OK);
    for (size_t at = 0; at < n; at += step) {
        size_t k = step < n - at ? step : n - at;

        assert_int_equal(etm_unpacker_push(u, samples + at, k), ETM_OK);
        etm_unpacker_take(u, &made);
        unpacked_add(all, &made);
    }
    all->counts = *etm_unpacker_counts(u);
    etm_unpacker_free(u);
    return all;
}

static inline void unpacked_free(struct unpacked *all)
{
    bytes_free(&all->stream);
    free(all->sample_of_bit);
    free(all);
}

#endif
