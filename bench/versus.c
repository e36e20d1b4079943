/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two builds of the library against each other.
 *
 *     versus OLD.so NEW.so [--mb N] [--only TEXT] [--what LIST] [SNAPSHOT...]
 *
 * Both are loaded into one process and decode the same stream at the same time,
 * 32 KB in turn, so that whatever disturbs the machine disturbs both: two equal
 * builds differ by one or two hundredths, where separate runs differ by twenty
 * and more. The first part of each stream, an eighth, is left out: code is seen
 * for the first time there. LIST: ranges,insns,counts,coverage. Snapshots take
 * the place of the streams of bench/streams.c.
 */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"
#include "memory.h"
#include "streams.h"

#include <etm/decode.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 32768u

enum { OLD, NEW };

/* What an image looks like inside is a matter of each. */
struct build {
    int (*image_new)(struct etm_image **, const struct etm_allocator *);
    int (*image_add)(struct etm_image *, uint32_t, const uint8_t *, size_t,
                     const struct etm_space *);
    void (*image_free)(struct etm_image *);
    int (*make)(struct etm_decoder **, const struct etm_decoder_config *);
    int (*push)(struct etm_decoder *, const uint8_t *, size_t);
    void (*end)(struct etm_decoder *);
};

struct level {
    const char *name;
    enum etm_level level;
};

static const struct level levels[] = {{"ranges", ETM_LEVEL_RANGES},
                                      {"insns", ETM_LEVEL_INSTRUCTIONS},
                                      {"counts", ETM_LEVEL_COUNTS},
                                      {"coverage", ETM_LEVEL_COVERAGE}};
#define LEVELS (sizeof levels / sizeof *levels)

/* Of one build. */
struct run {
    struct etm_image *image;
    struct etm_decoder *decoder;
    uint64_t insns;
    double ns;
};

/* One function of a library, as POSIX has it written. */
static bool take(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);

    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool load(struct build *build, const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (library != NULL && take(library, "etm_image_new", &build->image_new) &&
        take(library, "etm_image_add", &build->image_add) &&
        take(library, "etm_image_free", &build->image_free) &&
        take(library, "etm_decoder_new", &build->make) &&
        take(library, "etm_decoder_push", &build->push) &&
        take(library, "etm_decoder_free", &build->end))
        return true;
    fprintf(stderr, "versus: %s\n", dlerror());
    return false;
}

static int count(void *context, const struct etm_element *elements, size_t n)
{
    struct run *run = context;
    uint64_t insns = 0;

    for (size_t i = 0; i < n; i++) {
        insns += elements[i].kind == ETM_ELEMENT_INSN;
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            insns += elements[i].u.range.n;
    }
    run->insns += insns;
    return ETM_OK;
}

static void push(const struct build *build, struct run *run,
                 const uint8_t *bytes)
{
    double begin = etm_bench_now();

    if (build->push(run->decoder, bytes, CHUNK) != ETM_OK)
        abort();
    run->ns = (etm_bench_now() - begin) / CHUNK;
}

/* False: an old build does not have the level. */
static bool begin(const struct build *build,
                  const struct etm_bench_stream *stream, enum etm_level level,
                  struct run *run)
{
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = &stream->config,
                                     .level = level,
                                     .elements = count,
                                     .context = run};

    *run = (struct run){0};
    if (build->image_new(&run->image, NULL) != ETM_OK ||
        build->image_add(run->image, stream->code_address, stream->code,
                         stream->code_size, NULL) != ETM_OK)
        abort();
    how.image = run->image;
    return build->make(&run->decoder, &how) == ETM_OK;
}

static void end(const struct build *build, struct run *run)
{
    build->end(run->decoder);
    build->image_free(run->image);
}

static void measure(const struct build *builds,
                    const struct etm_bench_stream *stream,
                    const struct level *level)
{
    size_t chunks = stream->n / CHUNK, n = 0;
    double *ratios = etm_bench_memory((chunks + 1) * sizeof *ratios);
    struct run runs[2];

    bool has = begin(&builds[OLD], stream, level->level, &runs[OLD]);

    if (!begin(&builds[NEW], stream, level->level, &runs[NEW]))
        abort();
    for (size_t i = 0; has && i < chunks; i++) {
        int first = i % 2 == 0 ? OLD : NEW, second = NEW - first;

        push(&builds[first], &runs[first], stream->bytes + i * CHUNK);
        push(&builds[second], &runs[second], stream->bytes + i * CHUNK);
        if (i >= chunks / 8)
            ratios[n++] = runs[OLD].ns / runs[NEW].ns;
    }
    end(&builds[OLD], &runs[OLD]);
    end(&builds[NEW], &runs[NEW]);
    qsort(ratios, n, sizeof *ratios, etm_bench_ascending);
    if (n != 0)
        printf("| %s | %s | %.3f | %.3f to %.3f |%s\n", stream->name,
               level->name, ratios[n / 2], ratios[n / 4], ratios[n - 1 - n / 4],
               runs[OLD].insns != runs[NEW].insns ? " not the same elements"
                                                  : "");
    fflush(stdout);
    free(ratios);
}

struct options {
    size_t bytes;
    const char *only;
    const char *what;
    char **snapshots;
    int n_snapshots;
};

static bool parse(struct options *o, int argc, char **argv)
{
    int i = 3;

    *o = (struct options){.bytes = 10000000};
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (strcmp(argv[i], "--mb") == 0)
            o->bytes = strtoul(argv[i + 1], NULL, 10) * 1000000;
        else if (strcmp(argv[i], "--only") == 0)
            o->only = argv[i + 1];
        else if (strcmp(argv[i], "--what") == 0)
            o->what = argv[i + 1];
        else
            return false;
    }
    o->snapshots = argv + i;
    o->n_snapshots = argc - i;
    return argc >= 3 && o->bytes != 0 && (i >= argc || argv[i][0] != '-');
}

static void every_level(const struct options *o, const struct build *builds,
                        struct etm_bench_stream *stream)
{
    for (size_t l = 0; l < LEVELS; l++)
        if (o->what == NULL || strstr(o->what, levels[l].name) != NULL)
            measure(builds, stream, &levels[l]);
    etm_bench_stream_fini(stream);
}

int main(int argc, char **argv)
{
    struct etm_bench_stream stream;
    struct build builds[2];
    struct options o;

    if (!parse(&o, argc, argv)) {
        fprintf(stderr, "usage: versus OLD.so NEW.so [--mb N] [--only TEXT] "
                        "[--what LIST] [SNAPSHOT...]\n");
        return 2;
    }
    if (!load(&builds[OLD], argv[1]) || !load(&builds[NEW], argv[2]))
        return 1;
    printf("| stream | level | new : old | half of all parts |\n"
           "| --- | --- | --: | --: |\n");
    for (int i = 0; i < o.n_snapshots; i++)
        if (etm_bench_recorded_init(&stream, o.snapshots[i], o.bytes))
            every_level(&o, builds, &stream);
    for (size_t i = 0; o.n_snapshots == 0 && i < etm_bench_streams(); i++)
        if ((o.only == NULL ||
             strstr(etm_bench_stream_name(i), o.only) != NULL) &&
            etm_bench_stream_init(&stream, i, o.bytes))
            every_level(&o, builds, &stream);
    return 0;
}
