/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares how fast this library and OpenCSD decode the same streams in the
 * same process.
 *
 *     compare [--mb N] [--rounds N] [--only TEXT] [--what LIST] [--no-opencsd]
 *             [--all] [SNAPSHOT...]
 *
 * Snapshots (bench/record.sh makes long ones) replace the streams of
 * bench/streams.c, or with --all follow them.
 *
 * Each stream is cut into as many parts as there are rounds. In each round
 * every decoder takes the same part, one after the other, and the order is
 * reversed from round to round, so that a disturbance of the machine affects
 * all of them. Speeds are medians of the rounds; ratios are medians of the
 * rounds' ratios. Time is the processor time of the process, which has one
 * thread. Memory is the most that a decoder had on the heap.
 */
#define _POSIX_C_SOURCE 200809L
#include "contender.h"

#include "measure.h"
#include "memory.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS_MAX 101u

static const char *const what_names[ETM_BENCH_CONTENDERS] = {
    [ETM_BENCH_RANGES] = "ranges",
    [ETM_BENCH_INSNS] = "insns",
    [ETM_BENCH_COVERAGE] = "coverage",
    [ETM_BENCH_PACKETS] = "packets",
    [ETM_BENCH_CSD] = "opencsd",
    [ETM_BENCH_CSD_PACKETS] = "opencsd-packets",
};

struct options {
    size_t bytes;
    unsigned rounds;
    const char *only;
    bool exactly; /* `only` is a whole name */
    bool what[ETM_BENCH_CONTENDERS];
    bool all; /* the streams of streams.c before the snapshots */
    char **snapshots;
    size_t n_snapshots;
};

/* What was measured with one stream. */
struct result {
    char name[64];
    size_t bytes;
    double branches; /* per byte of trace */
    uint64_t count[ETM_BENCH_CONTENDERS];
    double ns[ETM_BENCH_CONTENDERS];        /* median, per byte */
    double times_csd[ETM_BENCH_CONTENDERS]; /* median of ratios */
    size_t memory[ETM_BENCH_CONTENDERS];    /* bytes */
};

/* Bytes on the heap. */
static size_t on_heap(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

static double median(const double *values, unsigned n)
{
    double sorted[ROUNDS_MAX];

    memcpy(sorted, values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, etm_bench_ascending);
    return n % 2 != 0 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The decoder that a contender is measured by. */
static enum etm_bench_what rival(enum etm_bench_what what)
{
    return what == ETM_BENCH_PACKETS || what == ETM_BENCH_CSD_PACKETS
               ? ETM_BENCH_CSD_PACKETS
               : ETM_BENCH_CSD;
}

/* ns[contender][round], per byte */
typedef double times[ETM_BENCH_CONTENDERS][ROUNDS_MAX];

static void evaluate(const struct options *o, times ns, struct result *result)
{
    for (unsigned w = 0; w < ETM_BENCH_CONTENDERS; w++) {
        unsigned other = rival((enum etm_bench_what)w);
        double ratios[ROUNDS_MAX];

        if (!o->what[w])
            continue;
        result->ns[w] = median(ns[w], o->rounds);
        if (!o->what[other])
            continue;
        for (unsigned r = 0; r < o->rounds; r++)
            ratios[r] = ns[other][r] / ns[w][r];
        result->times_csd[w] = median(ratios, o->rounds);
    }
}

static void measure(const struct options *o, const struct etm_bench_stream *s,
                    struct result *result)
{
    struct etm_bench_contender all[ETM_BENCH_CONTENDERS];
    size_t has[ETM_BENCH_CONTENDERS]; /* bytes; may wrap in between */
    static times ns;

    for (unsigned w = 0; w < ETM_BENCH_CONTENDERS; w++) {
        if (!o->what[w])
            continue;
        has[w] = -on_heap();
        etm_bench_contender_init(&all[w], (enum etm_bench_what)w, s);
        has[w] += on_heap();
    }
    for (unsigned r = 0; r < o->rounds; r++) {
        size_t from = s->n / o->rounds * r;
        size_t to = r + 1 < o->rounds ? s->n / o->rounds * (r + 1) : s->n;

        for (unsigned i = 0; i < ETM_BENCH_CONTENDERS; i++) {
            unsigned w = r % 2 == 0 ? i : ETM_BENCH_CONTENDERS - 1 - i;
            double begin;
            if (!o->what[w])
                continue;
            has[w] -= on_heap();
            begin = etm_bench_now();
            etm_bench_contender_push(&all[w], s->bytes + from, to - from);
            ns[w][r] = (etm_bench_now() - begin) / (double)(to - from);
            has[w] += on_heap();
            if (has[w] > result->memory[w])
                result->memory[w] = has[w];
        }
    }
    for (unsigned w = 0; w < ETM_BENCH_CONTENDERS; w++) {
        if (!o->what[w])
            continue;
        etm_bench_contender_finish(&all[w]);
        result->count[w] = all[w].count;
        etm_bench_contender_fini(&all[w]);
    }
    evaluate(o, ns, result);
}

/* Million instructions a second. */
static double speed(const struct result *r, unsigned w)
{
    return (double)r->count[w] / (double)r->bytes / r->ns[w] * 1e3;
}

/* Speed, in MB/s of trace and in million instructions a second. */
static void print_flow(const struct result *r, unsigned w)
{
    if (r->ns[w] > 0)
        printf(" %.1f | %.0f |", 1e3 / r->ns[w], speed(r, w));
    else
        printf(" | |");
}

static void print_ratio(const struct result *r, unsigned w)
{
    if (r->times_csd[w] > 0)
        printf(" %.1f |", r->times_csd[w]);
    else
        printf(" |");
}

static void print_branch(const struct result *r, unsigned w)
{
    if (r->ns[w] > 0 && r->branches > 0)
        printf(" %.2f |", r->ns[w] / r->branches);
    else
        printf(" |");
}

static void print_memory(const struct result *r, unsigned w)
{
    if (r->ns[w] > 0)
        printf(" %.1f |", (double)r->memory[w] / 1e6);
    else
        printf(" |");
}

static void print_flow_table(const struct result *results, size_t n)
{
    printf(
        "\n| ranges | insns/byte | MB/s | Minsn/s | ns/branch | MB of memory "
        "| OpenCSD MB/s | Minsn/s | ns/branch | MB of memory "
        "| ranges : OpenCSD |\n"
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: "
        "|\n");
    for (size_t i = 0; i < n; i++) {
        const struct result *r = &results[i];

        printf("| %s | %.2f |", r->name,
               (double)r->count[ETM_BENCH_RANGES] / (double)r->bytes);
        print_flow(r, ETM_BENCH_RANGES);
        print_branch(r, ETM_BENCH_RANGES);
        print_memory(r, ETM_BENCH_RANGES);
        print_flow(r, ETM_BENCH_CSD);
        print_branch(r, ETM_BENCH_CSD);
        print_memory(r, ETM_BENCH_CSD);
        print_ratio(r, ETM_BENCH_RANGES);
        printf("\n");
    }
}

/* The levels of more and of less than ranges. */
static void print_level_table(const struct result *results, size_t n)
{
    printf("\n| levels | instructions MB/s | Minsn/s "
           "| instructions : OpenCSD | coverage MB/s | Minsn/s | ns/branch "
           "| coverage : OpenCSD |\n"
           "| --- | --: | --: | --: | --: | --: | --: | --: |\n");
    for (size_t i = 0; i < n; i++) {
        const struct result *r = &results[i];

        printf("| %s |", r->name);
        print_flow(r, ETM_BENCH_INSNS);
        print_ratio(r, ETM_BENCH_INSNS);
        print_flow(r, ETM_BENCH_COVERAGE);
        print_branch(r, ETM_BENCH_COVERAGE);
        print_ratio(r, ETM_BENCH_COVERAGE);
        printf("\n");
    }
}

static void print_packet_table(const struct result *results, size_t n)
{
    printf("\n| packets | packets/byte | MB/s | ns/packet | OpenCSD MB/s "
           "| ns/packet | packets : OpenCSD |\n"
           "| --- | --: | --: | --: | --: | --: | --: |\n");
    for (size_t i = 0; i < n; i++) {
        const struct result *r = &results[i];

        printf("| %s | %.2f |", r->name,
               (double)r->count[ETM_BENCH_PACKETS] / (double)r->bytes);
        for (unsigned k = 0; k < 2; k++) {
            unsigned w = k == 0 ? ETM_BENCH_PACKETS : ETM_BENCH_CSD_PACKETS;
            if (r->count[w] != 0)
                printf(" %.1f | %.2f |", 1e3 / r->ns[w],
                       r->ns[w] * (double)r->bytes / (double)r->count[w]);
            else
                printf(" | |");
        }
        print_ratio(r, ETM_BENCH_PACKETS);
        printf("\n");
    }
}

/* A speed means nothing if the decoders did not do the same. */
static void print_difference(const struct options *o, const struct result *r,
                             unsigned a, unsigned b)
{
    uint64_t x = r->count[a], y = r->count[b];

    if (!o->what[a] || !o->what[b] || r->ns[a] == 0 || r->ns[b] == 0)
        return;
    if (x == y)
        printf("%s: %s = %s = %" PRIu64 "\n", r->name, what_names[a],
               what_names[b], x);
    else
        printf("%s: %s %" PRIu64 ", %s %" PRIu64 ": %+.4f %%\n", r->name,
               what_names[a], x, what_names[b], y,
               100.0 * ((double)x - (double)y) / (double)y);
}

/* With one decoder there is nothing to compare: its count. */
static void print_alone(const struct options *o, const struct result *r)
{
    unsigned asked = 0, last = 0;

    for (unsigned w = 0; w < ETM_BENCH_CONTENDERS; w++) {
        asked += o->what[w];
        last = o->what[w] ? w : last;
    }
    if (asked == 1)
        printf("%s: %s %" PRIu64 "\n", r->name, what_names[last],
               r->count[last]);
}

static void print(const struct options *o, const struct result *results,
                  size_t n)
{
    if (o->what[ETM_BENCH_RANGES] || o->what[ETM_BENCH_CSD])
        print_flow_table(results, n);
    if (o->what[ETM_BENCH_INSNS] || o->what[ETM_BENCH_COVERAGE])
        print_level_table(results, n);
    if (o->what[ETM_BENCH_PACKETS] || o->what[ETM_BENCH_CSD_PACKETS])
        print_packet_table(results, n);
    printf("\nCounts of instructions and packets:\n");
    for (size_t i = 0; i < n; i++) {
        print_alone(o, &results[i]);
        print_difference(o, &results[i], ETM_BENCH_RANGES, ETM_BENCH_INSNS);
        print_difference(o, &results[i], ETM_BENCH_RANGES, ETM_BENCH_COVERAGE);
        print_difference(o, &results[i], ETM_BENCH_RANGES, ETM_BENCH_CSD);
        print_difference(o, &results[i], ETM_BENCH_PACKETS,
                         ETM_BENCH_CSD_PACKETS);
    }
}

static int usage(void)
{
    fprintf(stderr,
            "usage: compare [--mb N] [--rounds N] [--only TEXT] [--what LIST]"
            " [--no-opencsd] [--all] [SNAPSHOT...]\n"
            "       compare --list\n"
            "  LIST: ranges,insns,coverage,packets,opencsd,opencsd-packets\n");
    return 2;
}

/* Names with commas between them. */
static bool parse_what(struct options *o, const char *list)
{
    memset(o->what, 0, sizeof o->what);
    while (*list != 0) {
        size_t n = strcspn(list, ",");
        bool known = false;

        for (unsigned w = 0; w < ETM_BENCH_CONTENDERS; w++)
            if (strlen(what_names[w]) == n &&
                strncmp(list, what_names[w], n) == 0)
                known = o->what[w] = true;
        if (!known)
            return false;
        list += n;
        list += *list == ',';
    }
    return true;
}

/* A whole name means that stream alone, a part of names all that have it. */
static void only(struct options *o, const char *text)
{
    o->only = text;
    for (size_t i = 0; i < etm_bench_streams(); i++)
        o->exactly |= strcmp(etm_bench_stream_name(i), text) == 0;
}

static bool parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){.bytes = 50000000, .rounds = 11};
    memset(o->what, true, sizeof o->what);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "--no-opencsd") == 0) {
            o->what[ETM_BENCH_CSD] = false;
            o->what[ETM_BENCH_CSD_PACKETS] = false;
            continue;
        }
        if (strcmp(argv[i], "--all") == 0) {
            o->all = true;
            continue;
        }
        if (argv[i][0] != '-') {
            o->snapshots = &argv[i];
            o->n_snapshots = (size_t)(argc - i);
            break;
        }
        if (value == NULL)
            return false;
        if (strcmp(argv[i], "--mb") == 0)
            o->bytes = strtoul(value, NULL, 10) * 1000000;
        else if (strcmp(argv[i], "--rounds") == 0)
            o->rounds = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(argv[i], "--only") == 0)
            only(o, value);
        else if (strcmp(argv[i], "--what") != 0 || !parse_what(o, value))
            return false;
        i++;
    }
    for (unsigned w = 0; w < ETM_BENCH_CONTENDERS; w++)
        o->what[w] = o->what[w] && etm_bench_has((enum etm_bench_what)w);
    return o->bytes != 0 && o->rounds != 0 && o->rounds <= ROUNDS_MAX;
}

/* Streams of streams.c that come first. */
static size_t first_streams(const struct options *o)
{
    return o->n_snapshots == 0 || o->all ? etm_bench_streams() : 0;
}

/* Stream number `i` of those that were asked for, if it can be had. */
static bool open_stream(const struct options *o, size_t i,
                        struct etm_bench_stream *stream)
{
    size_t first = first_streams(o);
    const char *name =
        i < first ? etm_bench_stream_name(i) : o->snapshots[i - first];

    if (o->only != NULL && (o->exactly ? strcmp(name, o->only) != 0
                                       : strstr(name, o->only) == NULL))
        return false;
    if (i < first)
        return etm_bench_stream_init(stream, i, o->bytes);
    return etm_bench_recorded_init(stream, name, o->bytes);
}

int main(int argc, char **argv)
{
    struct options options;
    struct result *results;
    size_t n = 0, streams;

    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < etm_bench_streams(); i++)
            puts(etm_bench_stream_name(i));
        return 0;
    }
    if (!parse(&options, argc, argv))
        return usage();
    streams = first_streams(&options) + options.n_snapshots;
    results = etm_bench_memory(streams * sizeof *results);
    for (size_t i = 0; i < streams; i++) {
        struct etm_bench_stream stream;
        struct options these = options;

        if (!open_stream(&options, i, &stream))
            continue;
        results[n] = (struct result){.bytes = stream.n};
        snprintf(results[n].name, sizeof results[n].name, "%s", stream.name);
        results[n].branches =
            (double)etm_bench_branches(&stream) / (double)stream.period;
        printf("%s: %zu bytes, repeated to %zu; code %zu bytes\n", stream.name,
               stream.period, stream.n, stream.code_size);
        fflush(stdout);
        if (!stream.rival)
            these.what[ETM_BENCH_CSD] = these.what[ETM_BENCH_CSD_PACKETS] =
                false;
        measure(&these, &stream, &results[n++]);
        etm_bench_stream_fini(&stream);
    }
    printf("%u rounds; OpenCSD: %s\n", options.rounds, etm_bench_csd_version());
    print(&options, results, n);
    free(results);
    return 0;
}
