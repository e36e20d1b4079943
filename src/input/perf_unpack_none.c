/* SPDX-License-Identifier: Apache-2.0 */
/* Replacement of compressed records of perf in a build without zstd. */
#include "input/perf_private.h"

void etm_perf_unpacker_init(struct etm_perf_unpacker *u,
                            const struct etm_allocator *allocator)
{
    (void)allocator;
    *u = (struct etm_perf_unpacker){.stream = NULL};
}

void etm_perf_unpacker_fini(struct etm_perf_unpacker *u)
{
    (void)u;
}

bool etm_perf_unpack(struct etm_perf_unpacker *u, const uint8_t **at, size_t *n,
                     int *status)
{
    (void)at;
    (void)n;
    (void)status;
    u->stopped = true;
    return false;
}

int etm_perf_unpacked(struct etm_perf_unpacker *u, size_t taken, bool keep)
{
    (void)u;
    (void)taken;
    (void)keep;
    return ETM_OK;
}

const char *etm_perf_unpack_fault(const struct etm_perf_unpacker *u)
{
    (void)u;
    return "its records are compressed (perf record -z), which this build "
           "cannot read";
}
