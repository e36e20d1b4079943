/* SPDX-License-Identifier: Apache-2.0 */
/* Files of samples, as test/input and test/write read them. */
#ifndef ETM_TEST_PORT_SUPPORT_H
#define ETM_TEST_PORT_SUPPORT_H

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

#endif
