/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What damage costs: how many instructions are still decoded, and how many are
 * given that never ran, beside OpenCSD where that decodes the stream as well.
 *
 *     ETM_SHARED=../shared damage [--seeds N] [--only TEXT] [SNAPSHOT...]
 *
 * Streams are captures of real chips, all sources of each in their frames and
 * each source alone without frames, and the first BYTES of recorded snapshots
 * (bench/record.sh makes some) without frames and in frames. Each is damaged in
 * each way of `ways` with N different random numbers, 20 if nothing is said.
 *
 * An instruction is its address, instruction set and condition result (of
 * OpenCSD, without the last). What a decoder makes of damaged bytes is aligned
 * with what it makes of the undamaged ones by their longest common subsequence:
 * as many of the undamaged instructions as can be found again in the same
 * order. These are kept. All others that it gives are wrong: they are not what
 * ran at that place. What is kept is a percentage of the undamaged instructions
 * of all sources of the stream, what is wrong one of the instructions given,
 * both over all random numbers. Each decoder is measured by its own undamaged
 * output, so that OpenCSD does not pay for what it decodes otherwise anyway.
 */
#include "contender.h"
#include "memory.h"

#include "support/damage.h"

#include <etm/port.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20260101u
#define SEEDS 20u
#define BYTES 8192u
#define BURST 64u
#define FRAME 16u
#define SOURCES ETM_DAMAGE_SOURCES

/* Bytes that are damaged; there is room for twice as many. */
struct bytes {
    uint8_t *data;
    size_t n;
};

static void flip(struct bytes *b, uint32_t *random)
{
    size_t place = etm_test_random(random) % (b->n * 8);

    b->data[place / 8] ^= (uint8_t)(1u << place % 8);
}

static void cut(struct bytes *b, size_t at, size_t n)
{
    memmove(b->data + at, b->data + at + n, b->n - at - n);
    b->n -= n;
}

static void drop(struct bytes *b, uint32_t *random)
{
    cut(b, etm_test_random(random) % b->n, 1);
}

static void repeat(struct bytes *b, uint32_t *random)
{
    size_t at = etm_test_random(random) % b->n;

    memmove(b->data + at + 1, b->data + at, b->n - at);
    b->n++;
}

static void drop_frame(struct bytes *b, uint32_t *random)
{
    cut(b, etm_test_random(random) % (b->n / FRAME) * FRAME, FRAME);
}

static void burst(struct bytes *b, uint32_t *random)
{
    size_t at = etm_test_random(random) % (b->n - BURST);

    for (size_t i = 0; i < BURST; i++)
        b->data[at + i] = (uint8_t)(etm_test_random(random) >> 8);
}

/* Up to a quarter at each end: what stood there counts as lost. */
static void cut_ends(struct bytes *b, uint32_t *random)
{
    size_t quarter = b->n / 4;

    cut(b, 0, etm_test_random(random) % quarter);
    b->n -= etm_test_random(random) % quarter;
}

static const struct way {
    const char *name;
    void (*damage)(struct bytes *b, uint32_t *random);
    unsigned times;
} ways[] = {
    {"1 flip", flip, 1},
    {"10 flips", flip, 10},
    {"100 flips", flip, 100},
    {"1 byte lost", drop, 1},
    {"10 bytes lost", drop, 10},
    {"1 byte doubled", repeat, 1},
    {"10 bytes doubled", repeat, 10},
    {"1 frame lost", drop_frame, 1},
    {"10 frames lost", drop_frame, 10},
    {"1 burst", burst, 1},
    {"10 bursts", burst, 10},
    {"ends cut", cut_ends, 1},
};
#define WAYS (sizeof ways / sizeof *ways)

/* Instructions as numbers. */
struct keys {
    uint64_t *all;
    size_t n, capacity;
};

enum decoder { OURS, OPENCSD, DECODERS };

/* A stream, and what each decoder makes of it undamaged. */
struct subject {
    char name[64];
    bool framed, rival;
    enum etm_frame_layout layout;
    struct bytes bytes;
    struct etm_bench_stream sources[SOURCES];
    size_t n;
    struct keys whole[DECODERS][SOURCES];
};

struct options {
    unsigned seeds;
    const char *only;
};

static void ours(const struct subject *s, const struct bytes *b, size_t source,
                 struct keys *out)
{
    static struct etm_test_elements elements;
    const struct etm_bench_stream *from = &s->sources[source];
    int status =
        s->framed
            ? etm_damage_decode_as(&from->config, from->image, s->layout,
                                   b->data, b->n, &elements)
            : etm_test_decode(&from->config, from->image,
                              ETM_LEVEL_INSTRUCTIONS, b->data, b->n, &elements);

    if (status != ETM_OK)
        abort();
    free(out->all);
    out->n = etm_damage_keys(&elements, &out->all);
}

/* Where OpenCSD's ranges go. */
struct taking {
    const struct subject *subject;
    struct keys *out; /* one a source */
};

static void add(struct keys *keys, uint64_t key)
{
    if (keys->n == keys->capacity) {
        keys->capacity = 2 * keys->capacity + 1024;
        keys->all = realloc(keys->all, keys->capacity * sizeof *keys->all);
        if (keys->all == NULL)
            abort();
    }
    keys->all[keys->n++] = key;
}

/* The size of a Thumb instruction (ARMv7 manual, A6.1). */
static uint32_t thumb_size(const struct etm_bench_stream *s, uint32_t address)
{
    uint8_t high[2] = {0};

    etm_image_read(s->image, address, NULL, high, sizeof high);
    return high[1] >> 3 > 0x1c ? 4 : 2;
}

static void take(void *context, uint8_t id, bool thumb, uint32_t start,
                 uint32_t n)
{
    const struct taking *t = context;
    const struct subject *s = t->subject;
    size_t i = 0;

    while (i < s->n && s->framed && s->sources[i].config.trace_id != id)
        i++;
    if (i == s->n)
        return;
    for (uint32_t at = start; n-- != 0;
         at += thumb ? thumb_size(&s->sources[i], at) : 4)
        add(&t->out[i], (uint64_t)at << 8 | thumb);
}

static void decode(const struct subject *s, const struct bytes *b,
                   enum decoder decoder, struct keys *out)
{
    struct taking taking = {s, out};
    enum etm_bench_csd_frames frames = ETM_BENCH_CSD_NO_FRAMES;

    if (decoder == OURS) {
        for (size_t i = 0; i < s->n; i++)
            ours(s, b, i, &out[i]);
        return;
    }
    if (s->framed)
        frames = s->layout == ETM_FRAME_TPIU ? ETM_BENCH_CSD_TPIU
                                             : ETM_BENCH_CSD_ALIGNED;
    for (size_t i = 0; i < s->n; i++)
        out[i].n = 0;
    /* whole frames: it takes none of a piece that ends with half a one */
    etm_bench_csd_ranges(s->sources, s->n, frames, b->data,
                         s->framed ? b->n / FRAME * FRAME : b->n, take,
                         &taking);
}

/* Percentages of instructions that are kept, and that are wrong. */
static void cell(const struct subject *s, enum decoder decoder,
                 const struct way *way, unsigned seeds)
{
    struct bytes b = {.data = etm_bench_memory(2 * s->bytes.n)};
    struct keys got[SOURCES] = {{NULL, 0, 0}};
    uint64_t all = 0, kept = 0, given = 0;

    for (unsigned seed = 0; seed < seeds; seed++) {
        uint32_t random = SEED + 7919 * seed;

        memcpy(b.data, s->bytes.data, s->bytes.n);
        b.n = s->bytes.n;
        for (unsigned i = 0; i < way->times; i++)
            way->damage(&b, &random);
        decode(s, &b, decoder, got);
        for (size_t i = 0; i < s->n; i++) {
            const struct keys *whole = &s->whole[decoder][i];
            all += whole->n;
            given += got[i].n;
            kept +=
                etm_damage_common(whole->all, whole->n, got[i].all, got[i].n);
        }
    }
    printf(" %.1f / %.2f |", 100.0 * (double)kept / (double)all,
           given == 0 ? 0 : 100.0 * (double)(given - kept) / (double)given);
    fflush(stdout);
    for (size_t i = 0; i < s->n; i++)
        free(got[i].all);
    free(b.data);
}

static void measure(struct subject *s, const struct options *options)
{
    if (options->only != NULL && strstr(s->name, options->only) == NULL)
        return;
    for (enum decoder d = OURS; d < DECODERS; d++) {
        size_t n = 0;

        if (d == OPENCSD && (!s->rival || !etm_bench_csd_is_here()))
            continue;
        decode(s, &s->bytes, d, s->whole[d]);
        for (size_t i = 0; i < s->n; i++)
            n += s->whole[d][i].n;
        if (n == 0)
            continue; /* OpenCSD makes nothing of it */
        printf("| %s | %s, %zu |", d == OURS ? s->name : "",
               d == OURS ? "libetm" : "OpenCSD", n);
        for (size_t i = 0; i < WAYS; i++)
            cell(s, d, &ways[i], options->seeds);
        putchar('\n');
    }
    for (size_t i = 0; i < s->n; i++)
        for (enum decoder d = OURS; d < DECODERS; d++)
            free(s->whole[d][i].all);
    memset(s->whole, 0, sizeof s->whole);
}

/* What OpenCSD needs of a source of a capture. */
static void describe(const struct etm_test_source *source,
                     const struct etm_test_capture *capture,
                     struct etm_bench_stream *s)
{
    *s = (struct etm_bench_stream){.name = source->name,
                                   .config = capture->config,
                                   .etmcr = source->etmcr,
                                   .etmidr = source->etmidr,
                                   .etmccer = source->etmccer,
                                   .image = capture->image};
    if (etm_image_region(s->image, 0, &s->code_address, &s->code_size, NULL) !=
        ETM_OK)
        abort();
    s->code = etm_bench_memory(s->code_size);
    etm_image_read(s->image, s->code_address, NULL, s->code, s->code_size);
}

static void capture(const char *name, enum etm_frame_layout layout,
                    const struct options *options)
{
    static struct etm_damage d;
    struct subject whole = {.framed = true, .rival = true, .layout = layout};
    size_t first = 0;

    if (!etm_damage_open(&d, name))
        return;
    while (strncmp(etm_test_sources[first].name, name, strlen(name)) != 0)
        first++;
    snprintf(whole.name, sizeof whole.name, "%s, framed", name);
    whole.bytes = (struct bytes){d.sources[0].file.data, d.sources[0].file.n};
    whole.n = d.n;
    for (size_t i = 0; i < d.n; i++)
        describe(&etm_test_sources[first + i], &d.sources[i],
                 &whole.sources[i]);
    measure(&whole, options);
    for (size_t i = 0; i < d.n; i++) {
        struct subject one = {.rival = true, .n = 1};

        snprintf(one.name, sizeof one.name, "%s", whole.sources[i].name);
        one.bytes =
            (struct bytes){d.sources[i].stream.bytes, d.sources[i].stream.n};
        one.sources[0] = whole.sources[i];
        if (one.bytes.n >= BURST)
            measure(&one, options);
        free(whole.sources[i].code);
    }
    etm_damage_close(&d);
}

/* A stream in frames, as if it were alone in them. */
static struct bytes framed(const struct etm_bench_stream *s)
{
    struct etm_framer_config how = {.size = sizeof how,
                                    .layout = ETM_FRAME_ALIGNED};
    struct bytes out = {NULL, 0};
    struct etm_framer *framer;
    const uint8_t *bytes;

    if (etm_framer_new(&framer, &how) != ETM_OK ||
        etm_framer_push(framer, s->config.trace_id, s->bytes, s->n) != ETM_OK ||
        etm_framer_flush(framer) != ETM_OK)
        abort();
    etm_framer_take(framer, &bytes, &out.n);
    out.data = etm_bench_memory(out.n);
    memcpy(out.data, bytes, out.n);
    etm_framer_free(framer);
    return out;
}

static void recorded(const char *path, const struct options *options)
{
    struct etm_bench_stream stream;
    struct subject s = {.n = 1};

    if (!etm_bench_recorded_init(&stream, path, BYTES))
        return;
    if (stream.config.trace_id == 0)
        stream.config.trace_id = 0x10;
    s.rival = stream.rival;
    s.sources[0] = stream;
    s.bytes = (struct bytes){stream.bytes, stream.n};
    snprintf(s.name, sizeof s.name, "%s", stream.name);
    measure(&s, options);
    s.framed = true;
    s.bytes = framed(&stream);
    snprintf(s.name, sizeof s.name, "%s, framed", stream.name);
    measure(&s, options);
    free(s.bytes.data);
    etm_bench_stream_fini(&stream);
}

static void head(void)
{
    printf("kept %% / wrong %%; OpenCSD %s\n\n| stream | decoder, "
           "instructions |",
           etm_bench_csd_version());
    for (size_t i = 0; i < WAYS; i++)
        printf(" %s |", ways[i].name);
    printf("\n| --- | --- |");
    for (size_t i = 0; i < WAYS; i++)
        printf(" ---: |");
    putchar('\n');
}

int main(int argc, char **argv)
{
    struct options options = {.seeds = SEEDS};
    int at = 1;

    for (; at + 1 < argc && strncmp(argv[at], "--", 2) == 0; at += 2) {
        if (strcmp(argv[at], "--seeds") == 0)
            options.seeds = (unsigned)strtoul(argv[at + 1], NULL, 10);
        else if (strcmp(argv[at], "--only") == 0)
            options.only = argv[at + 1];
    }
    head();
    capture("tc2", ETM_FRAME_ALIGNED, &options);
    capture("snowball", ETM_FRAME_ALIGNED, &options);
    capture("stm32f105", ETM_FRAME_TPIU, &options);
    for (; at < argc; at++)
        recorded(argv[at], &options);
    return EXIT_SUCCESS;
}
