/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much faster several threads decode: the streams of bench/streams.c
 * through struct etm_parallel, with 1, 2, 4 ... threads up to those of the
 * machine. The first thread does nothing with the elements but count them.
 *
 * Beside wall-clock time, which others on the machine spoil: the processor
 * time of all threads, and that of the first one, against the time of one
 * thread alone.
 *
 *     ETM_SHARED=../shared jobs [--mb N] [--level 0|1] [--only TEXT] [--jobs N]
 *
 * TEXT is the name of a stream, or else a part of names. With --write FILE: no
 * decoding, but the one stream of that name goes to FILE and its code to
 * FILE.code, and what `etm decode` needs to be told of them is printed.
 */
#define _POSIX_C_SOURCE 200809L
#include "streams.h"

#include "session/parallel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 3
#define REGISTERS 64

struct counting {
    uint64_t elements, instructions;
};

static int count(void *context, const struct etm_element *elements, size_t n)
{
    struct counting *c = context;

    c->elements += n;
    for (size_t i = 0; i < n; i++)
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            c->instructions += elements[i].u.range.n;
        else
            c->instructions += elements[i].kind == ETM_ELEMENT_INSN;
    return ETM_OK;
}

static double now(clockid_t clock)
{
    struct timespec t;

    (void)clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct times {
    double wall, all, first; /* seconds */
};

static struct times run(const struct etm_bench_stream *s, unsigned jobs,
                        enum etm_level level, struct counting *c,
                        struct etm_parallel_joints *joints)
{
    struct etm_parallel_config how = {.config = &s->config,
                                      .image = s->image,
                                      .level = level,
                                      .elements = count,
                                      .context = c,
                                      .jobs = jobs};
    struct etm_parallel *p;
    struct times t = {-now(CLOCK_MONOTONIC), -now(CLOCK_PROCESS_CPUTIME_ID),
                      -now(CLOCK_THREAD_CPUTIME_ID)};

    *c = (struct counting){0};
    if (etm_parallel_new(&p, &how) != ETM_OK)
        abort();
    for (size_t at = 0; at < s->n; at += 65536)
        if (etm_parallel_push(p, s->bytes + at,
                              s->n - at < 65536 ? s->n - at : 65536) != ETM_OK)
            abort();
    if (etm_parallel_finish(p) != ETM_OK)
        abort();
    *joints = etm_parallel_joints(p);
    etm_parallel_free(p);
    t.wall += now(CLOCK_MONOTONIC);
    t.all += now(CLOCK_PROCESS_CPUTIME_ID);
    t.first += now(CLOCK_THREAD_CPUTIME_ID);
    return t;
}

/* The best of some rounds: others use the machine too. */
static void measure(const struct etm_bench_stream *s, enum etm_level level,
                    unsigned least, unsigned most)
{
    struct counting one = {0}, c;
    struct times alone = {0};

    printf("%s\n", s->name);
    for (unsigned jobs = least; jobs <= most; jobs *= 2) {
        struct etm_parallel_joints joints;
        struct times best = {.wall = 1e9};

        for (unsigned i = 0; i < ROUNDS; i++) {
            struct times t = run(s, jobs, level, &c, &joints);

            best = t.wall < best.wall ? t : best;
        }
        if (jobs == least) {
            one = c;
            alone = best;
        }
        printf("  %2u threads: %7.1f MB/s, %6.0f Minsn/s, %5.2f times; "
               "processor time %4.2f, of the first %4.2f; "
               "%llu of %llu joints fit%s\n",
               jobs, (double)s->n / best.wall / 1e6,
               (double)c.instructions / best.wall / 1e6, alone.wall / best.wall,
               best.all / alone.all, best.first / alone.all,
               (unsigned long long)joints.good,
               (unsigned long long)(joints.good + joints.bad),
               c.elements == one.elements && c.instructions == one.instructions
                   ? ""
                   : "  NOT THE SAME");
    }
}

static void write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

/* For `etm decode $(jobs --write FILE ...)`. */
static void write_stream(const struct etm_bench_stream *s, const char *path)
{
    struct etm_register registers[REGISTERS];
    char code[4096];
    int n;

    (void)snprintf(code, sizeof code, "%s.code", path);
    write_file(path, s->bytes, s->n);
    write_file(code, s->code, s->code_size);
    n = etm_config_to_registers(&s->config, registers, REGISTERS);
    if (n < 0)
        abort();
    printf("%s --protocol %s --image %s@0x%08x", path,
           etm_protocol_name(s->config.protocol), code,
           (unsigned)s->code_address);
    for (int i = 0; i < n; i++)
        printf(" --reg %s=0x%llx", etm_register_name(registers[i].number),
               (unsigned long long)registers[i].value);
    printf("\n");
}

/* Streams of that name; if none has it, those of which it is a part. */
static bool is_wanted(size_t stream, const char *only)
{
    for (size_t i = 0; i < etm_bench_streams(); i++)
        if (strcmp(etm_bench_stream_name(i), only) == 0)
            return i == stream;
    return strstr(etm_bench_stream_name(stream), only) != NULL;
}

/* How many are wanted? Of none or, if one is to be written, several their names
 * help on. */
static bool is_enough(const char *only, bool one)
{
    size_t n = 0;

    for (size_t i = 0; i < etm_bench_streams(); i++)
        n += is_wanted(i, only);
    if (n == 1 || (n > 1 && !one))
        return true;
    fprintf(stderr, "--only '%s': %s. There are:\n", only,
            n == 0 ? "no such stream" : "more than one stream");
    for (size_t i = 0; i < etm_bench_streams(); i++)
        if (n == 0 || is_wanted(i, only))
            fprintf(stderr, "    %s\n", etm_bench_stream_name(i));
    return false;
}

int main(int argc, char **argv)
{
    size_t mb = 50;
    enum etm_level level = ETM_LEVEL_RANGES;
    const char *only = "", *path = NULL;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned least = 1, most = cores > 1 ? (unsigned)cores : 2;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--mb") == 0)
            mb = strtoul(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--level") == 0)
            level = (enum etm_level)strtoul(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
        else if (strcmp(argv[i], "--write") == 0)
            path = argv[i + 1];
        else if (strcmp(argv[i], "--jobs") == 0)
            least = most = (unsigned)strtoul(argv[i + 1], NULL, 0);
    }
    if (!is_enough(only, path != NULL))
        return EXIT_FAILURE;
    for (size_t i = 0; i < etm_bench_streams(); i++) {
        struct etm_bench_stream s;

        if (!is_wanted(i, only) || !etm_bench_stream_init(&s, i, mb * 1000000))
            continue;
        if (path)
            write_stream(&s, path);
        else
            measure(&s, level, least, most);
        etm_bench_stream_fini(&s);
    }
    return EXIT_SUCCESS;
}
