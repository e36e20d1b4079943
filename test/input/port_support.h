/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of files of samples share. */
#ifndef ETM_TEST_PORT_SUPPORT_H
#define ETM_TEST_PORT_SUPPORT_H

#include "../support/scarce.h"
#include "support.h"

#include "input/port_reader.h"

#include <stdlib.h>
#include <string.h>

static inline struct etm_port_config port_of(enum etm_protocol protocol,
                                             uint8_t width)
{
    return (struct etm_port_config){.protocol = protocol, .width = width};
}

/* Read a file `step` bytes at a time. *samples is to be freed. */
static inline int read_port(const struct etm_port_reader_config *config,
                            const void *bytes, size_t n, size_t step,
                            struct etm_vec *samples, struct etm_diag *diag)
{
    struct etm_port_reader reader;
    int status = etm_port_reader_init(&reader, config, diag);

    etm_vec_init(samples, sizeof(struct etm_port_sample),
                 config->port.allocator);
    for (size_t at = 0; at < n && status == ETM_OK; at += step)
        status =
            etm_port_reader_push(&reader, (const uint8_t *)bytes + at,
                                 step < n - at ? step : n - at, samples, diag);
    if (status == ETM_OK)
        status = etm_port_reader_finish(&reader, samples, diag);
    etm_port_reader_fini(&reader);
    return status;
}

/* However the file is cut, these are its samples. */
static inline void expect_samples(const struct etm_port_reader_config *config,
                                  const void *bytes, size_t n,
                                  const struct etm_port_sample *expected,
                                  size_t count)
{
    for (size_t step = 1; step <= n; step += 1 + step / 8) {
        const struct etm_port_sample *s;
        struct etm_vec samples;
        struct etm_diag diag = {0};

        if (read_port(config, bytes, n, step, &samples, &diag) != ETM_OK)
            fail_msg("line %d: %s", (int)diag.line, diag.what);
        assert_int_equal(samples.n, count);
        s = samples.data;
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(s[i].control, expected[i].control);
            assert_int_equal(s[i].status, expected[i].status);
            assert_int_equal(s[i].data, expected[i].data);
        }
        etm_vec_fini(&samples);
    }
}

/* However it is cut, it fails so. `line` and `offset`: or ETM_DIAG_NONE. */
static inline void expect_fault(const struct etm_port_reader_config *config,
                                const void *bytes, size_t n, int status,
                                uint64_t line, uint64_t offset,
                                const char *part)
{
    for (size_t step = 1; step <= n + 1; step += 1 + step / 4) {
        struct etm_vec samples;
        struct etm_diag diag = {0};

        assert_int_equal(read_port(config, bytes, n, step, &samples, &diag),
                         status);
        assert_int_equal(diag.status, status);
        if (strstr(diag.what, part) == NULL)
            fail_msg("\"%s\" does not say \"%s\"", diag.what, part);
        assert_int_equal(diag.line, line);
        assert_int_equal(diag.offset, offset);
        etm_vec_fini(&samples);
    }
}

/* Without memory it says so, whenever that happens. */
static inline void expect_scarcity(struct etm_port_reader_config config,
                                   const void *bytes, size_t n)
{
    for (size_t k = 0;; k++) {
        struct scarce scarce = {.left = k};
        struct etm_allocator a = {scarce_resize, &scarce};
        struct etm_vec samples;
        int status;

        config.port.allocator = &a;
        status = read_port(&config, bytes, n, 7, &samples, NULL);
        etm_vec_fini(&samples);
        if (!scarce.failed) {
            assert_int_equal(status, ETM_OK);
            assert_true(k > 0);
            return;
        }
        assert_int_equal(status, ETM_ERR_MEMORY);
    }
}

#endif
