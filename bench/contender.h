/* SPDX-License-Identifier: Apache-2.0 */
/* The decoders that are compared, all behind one face. */
#ifndef BENCH_CONTENDER_H
#define BENCH_CONTENDER_H

#include "streams.h"

enum etm_bench_what {
    ETM_BENCH_RANGES,      /* etm_decoder, ranges */
    ETM_BENCH_INSNS,       /* etm_decoder, one element an instruction */
    ETM_BENCH_COVERAGE,    /* etm_decoder, executions counted */
    ETM_BENCH_PACKETS,     /* etm_packet_decoder */
    ETM_BENCH_CSD,         /* OpenCSD's full decoder */
    ETM_BENCH_CSD_PACKETS, /* OpenCSD's packet processor */
    ETM_BENCH_CONTENDERS
};

/* A decoder that does nothing with what it finds but count it. */
struct etm_bench_contender {
    enum etm_bench_what what;
    uint64_t count;    /* instructions, or packets */
    uint64_t branches; /* only by etm_bench_branches() */
    uint64_t offset;   /* bytes pushed */
    void *decoder;
};

/* False: not in this build. */
bool etm_bench_has(enum etm_bench_what what);

void etm_bench_contender_init(struct etm_bench_contender *c,
                              enum etm_bench_what what,
                              const struct etm_bench_stream *stream);
void etm_bench_contender_push(struct etm_bench_contender *c,
                              const uint8_t *bytes, size_t n);

/* The end of the stream: what was held back is counted. */
void etm_bench_contender_finish(struct etm_bench_contender *c);
void etm_bench_contender_fini(struct etm_bench_contender *c);

/* Branches, taken or not, and barriers that end a range, in one period. */
uint64_t etm_bench_branches(const struct etm_bench_stream *stream);

/* OpenCSD's half of these functions, and its version. */
bool etm_bench_csd_is_here(void);
const char *etm_bench_csd_version(void);
void etm_bench_csd_init(struct etm_bench_contender *c,
                        const struct etm_bench_stream *stream);
void etm_bench_csd_push(struct etm_bench_contender *c, const uint8_t *bytes,
                        size_t n);
void etm_bench_csd_finish(struct etm_bench_contender *c);
void etm_bench_csd_fini(struct etm_bench_contender *c);

/* How the bytes that OpenCSD gets are framed. */
enum etm_bench_csd_frames {
    ETM_BENCH_CSD_NO_FRAMES,
    ETM_BENCH_CSD_ALIGNED,
    ETM_BENCH_CSD_TPIU
};

/* A range of source `id`: `n` instructions from `start` on. */
typedef void etm_bench_csd_range_fn(void *context, uint8_t id, bool thumb,
                                    uint32_t start, uint32_t n);

/* What OpenCSD makes of the bytes of some sources, with the code of the first
 * one. */
void etm_bench_csd_ranges(const struct etm_bench_stream *sources,
                          size_t n_sources, enum etm_bench_csd_frames frames,
                          const uint8_t *bytes, size_t n,
                          etm_bench_csd_range_fn *range, void *context);

#endif
