/* SPDX-License-Identifier: Apache-2.0 */
/* OpenCSD was not there when this was built. */
#include "contender.h"

bool etm_bench_csd_is_here(void)
{
    return false;
}

const char *etm_bench_csd_version(void)
{
    return "none";
}

void etm_bench_csd_init(struct etm_bench_contender *c,
                        const struct etm_bench_stream *stream)
{
    (void)c;
    (void)stream;
}

void etm_bench_csd_push(struct etm_bench_contender *c, const uint8_t *bytes,
                        size_t n)
{
    (void)c;
    (void)bytes;
    (void)n;
}

void etm_bench_csd_finish(struct etm_bench_contender *c)
{
    (void)c;
}

void etm_bench_csd_fini(struct etm_bench_contender *c)
{
    (void)c;
}

void etm_bench_csd_ranges(const struct etm_bench_stream *sources,
                          size_t n_sources, enum etm_bench_csd_frames frames,
                          const uint8_t *bytes, size_t n,
                          etm_bench_csd_range_fn *range, void *context)
{
    (void)sources;
    (void)n_sources;
    (void)frames;
    (void)bytes;
    (void)n;
    (void)range;
    (void)context;
}
