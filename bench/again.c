/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes one stream over and over, and does as little else as possible: for a
 * profiler (bench/profile.py).
 *
 *     again LEVEL STREAM SECONDS
 *     again --list
 *
 * LEVEL: ranges, insns, coverage or packets. STREAM: the beginning of a name
 * from bench/streams.c, or a snapshot. It stops when so many seconds of
 * processor time were spent on decoding.
 */
#define _POSIX_C_SOURCE 200809L
#include "contender.h"
#include "measure.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BYTES 10000000u
#define CHUNK 65536u

static const char *const levels[] = {"ranges", "insns", "coverage", "packets"};
static_assert(ETM_BENCH_RANGES == 0 && ETM_BENCH_PACKETS == 3,
              "levels are named in the order of enum etm_bench_what");
#define LEVELS (sizeof levels / sizeof *levels)

static size_t level_of(const char *name)
{
    size_t level = 0;

    while (level < LEVELS && strcmp(levels[level], name) != 0)
        level++;
    return level;
}

static bool open_stream(struct etm_bench_stream *stream, const char *name)
{
    struct stat status;

    if (stat(name, &status) == 0)
        return etm_bench_recorded_init(stream, name, BYTES);
    for (size_t i = 0; i < etm_bench_streams(); i++)
        if (strncmp(etm_bench_stream_name(i), name, strlen(name)) == 0)
            return etm_bench_stream_init(stream, i, BYTES);
    fprintf(stderr, "again: there is no stream '%s'\n", name);
    return false;
}

static void decode(const struct etm_bench_stream *stream, size_t level,
                   double seconds)
{
    struct etm_bench_contender c;
    double end = etm_bench_now() + seconds * 1e9;
    uint64_t bytes = 0;

    etm_bench_contender_init(&c, (enum etm_bench_what)level, stream);
    do {
        for (size_t at = 0; at < stream->n; at += CHUNK) {
            size_t n = stream->n - at < CHUNK ? stream->n - at : CHUNK;

            etm_bench_contender_push(&c, stream->bytes + at, n);
            bytes += n;
        }
    } while (etm_bench_now() < end);
    etm_bench_contender_finish(&c);
    printf("%s, %s: %llu bytes\n", stream->name, levels[level],
           (unsigned long long)bytes);
    etm_bench_contender_fini(&c);
}

int main(int argc, char **argv)
{
    struct etm_bench_stream stream;
    double seconds = argc == 4 ? strtod(argv[3], NULL) : 0;

    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < etm_bench_streams(); i++)
            puts(etm_bench_stream_name(i));
        return 0;
    }
    if (argc != 4 || level_of(argv[1]) == LEVELS || !(seconds > 0)) {
        fprintf(stderr, "usage: again LEVEL STREAM SECONDS\n"
                        "       again --list\n");
        return 2;
    }
    if (!open_stream(&stream, argv[2]))
        return 1;
    decode(&stream, level_of(argv[1]), seconds);
    etm_bench_stream_fini(&stream);
    return 0;
}
