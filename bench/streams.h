/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the benchmark decodes: streams of one trace source with their
 * configuration and code, real ones or generated ones, repeated up to a size.
 */
#ifndef BENCH_STREAMS_H
#define BENCH_STREAMS_H

#include <etm/config.h>
#include <etm/decode.h>

struct etm_bench_stream {
    const char *name;
    struct etm_config config;
    uint32_t etmcr, etmidr, etmccer; /* the same, as registers */
    struct etm_image *image;
    uint8_t *code; /* all of the image */
    uint32_t code_address;
    size_t code_size;
    uint8_t *bytes; /* whole periods */
    size_t n;
    size_t period; /* bytes after which they repeat */
    bool rival;    /* OpenCSD decodes it as well */
};

/* How many streams there may be. */
size_t etm_bench_streams(void);
const char *etm_bench_stream_name(size_t index);

/*
 * Make one, of at least `bytes` bytes. False, with a printed message, where
 * the captures that it is made of are missing.
 */
bool etm_bench_stream_init(struct etm_bench_stream *stream, size_t index,
                           size_t bytes);

/* The first `bytes` bytes of the first source of a snapshot. */
bool etm_bench_recorded_init(struct etm_bench_stream *stream, const char *path,
                             size_t bytes);
void etm_bench_stream_fini(struct etm_bench_stream *stream);

#endif
