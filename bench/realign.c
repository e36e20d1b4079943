/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a byte costs that is lost in frames, or comes twice: the bytes of all
 * sources that are wrong or missing, for slips at random places, in captures
 * of chips and in frames that are made of streams of the benchmark.
 *
 *     ETM_SHARED=../shared realign [rounds [row]]
 *
 * Each cell is the median / what nine of ten do not exceed / the most.
 */
#include "streams.h"
#include "support/capture.h"
#include "support/slip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 20260101u
#define FRAMED ((size_t)32768) /* bytes of frames that are made */
#define SOURCES 4u

enum { PFT = 0, ETMV3 = 2, MADE_PFT = 3, MADE_ETMV3 = 6, DATA = 8, ITM = 99 };

/* Frames: of which streams (ITM: made here), how many bytes of one in a row,
 * and after how many in a hundred such pieces there is padding. */
struct row {
    const char *name;
    const char *capture; /* a file; NULL: frames are made */
    struct etm_framer_config how;
    size_t n;
    unsigned streams[SOURCES];
    unsigned least, most, padded;
};

#define ALIGNED .how.layout = ETM_FRAME_ALIGNED
#define TPIU .how.layout = ETM_FRAME_TPIU

static const struct row rows[] = {
    {.name = "TC2", ALIGNED, .capture = "captures/tc2/cstrace.bin"},
    {.name = "Snowball", ALIGNED, .capture = "captures/snowball/cstrace.bin"},
    {.name = "STM32F105 (TPIU)",
     TPIU,
     .capture = "captures/stm32f105/trace.tpiu"},
    {.name = "PFT", ALIGNED, .n = 1, .streams = {PFT}, .least = 64, .most = 64},
    {.name = "PFT, padded",
     ALIGNED,
     .n = 1,
     .streams = {PFT},
     .least = 4,
     .most = 40,
     .padded = 100},
    {.name = "PFT, waypoints",
     ALIGNED,
     .n = 1,
     .streams = {MADE_PFT},
     .least = 64,
     .most = 64},
    {.name = "ETMv3",
     ALIGNED,
     .n = 1,
     .streams = {MADE_ETMV3},
     .least = 64,
     .most = 64},
    {.name = "ETMv3 CA, seldom padded",
     ALIGNED,
     .n = 1,
     .streams = {ETMV3},
     .least = 50,
     .most = 400,
     .padded = 50},
    {.name = "ETMv3 with data",
     ALIGNED,
     .n = 1,
     .streams = {DATA},
     .least = 64,
     .most = 64},
    {.name = "PFT + ETMv3, seldom",
     ALIGNED,
     .n = 2,
     .streams = {PFT, ETMV3},
     .least = 64,
     .most = 400},
    {.name = "PFT + ETMv3, often",
     ALIGNED,
     .n = 2,
     .streams = {PFT, ETMV3},
     .least = 1,
     .most = 12},
    {.name = "PFT + ETMv3, often, padded",
     ALIGNED,
     .n = 2,
     .streams = {PFT, ETMV3},
     .least = 1,
     .most = 12,
     .padded = 30},
    {.name = "4 sources, seldom",
     ALIGNED,
     .n = 4,
     .streams = {PFT, ETMV3, MADE_PFT, ITM},
     .least = 64,
     .most = 400},
    {.name = "4 sources, often",
     ALIGNED,
     .n = 4,
     .streams = {PFT, ETMV3, MADE_PFT, ITM},
     .least = 1,
     .most = 12},
    {.name = "ITM, padded",
     ALIGNED,
     .n = 1,
     .streams = {ITM},
     .least = 3,
     .most = 9,
     .padded = 100},
    {.name = "ITM, padded (TPIU)",
     TPIU,
     .n = 1,
     .streams = {ITM},
     .least = 3,
     .most = 9,
     .padded = 100},
    {.name = "ETMv3 + ITM (TPIU)",
     TPIU,
     .n = 2,
     .streams = {MADE_ETMV3, ITM},
     .least = 2,
     .most = 20,
     .padded = 20},
    {.name = "ETMv3 + ITM (half syncs)",
     TPIU,
     .how.half_sync = 40,
     .n = 2,
     .streams = {MADE_ETMV3, ITM},
     .least = 2,
     .most = 20,
     .padded = 20},
    {.name = "ETMv3 + ITM (full syncs)",
     TPIU,
     .how.full_sync = 256,
     .n = 2,
     .streams = {MADE_ETMV3, ITM},
     .least = 2,
     .most = 20,
     .padded = 20},
};

static const struct etm_test_slip slips[] = {
    {.lost = 1}, {.twice = 1}, {.lost = 2},  {.twice = 2},
    {.lost = 3}, {.twice = 3}, {.lost = 15}, {.lost = 16},
};
#define SLIPS (sizeof slips / sizeof *slips)

/* Packets of an ITM: text on a port, samples of the PC, time stamps. */
static void make_itm(uint8_t *bytes, size_t n)
{
    uint32_t random = SEED, pc = 0x08001000;

    for (size_t i = 0; i < n;) {
        uint8_t packet[5] = {0x17};
        size_t size = 5;

        switch (etm_test_random(&random) % 4) {
        case 0:
            pc = 0x08001000 + etm_test_random(&random) % 0x800 * 2;
            for (unsigned k = 0; k < 4; k++)
                packet[k + 1] = (uint8_t)(pc >> 8 * k);
            break;
        case 1:
            packet[0] = 0xc0;
            packet[1] = (uint8_t)(etm_test_random(&random) % 128);
            size = 2;
            break;
        default:
            packet[0] = 0x01;
            packet[1] = (uint8_t)(' ' + etm_test_random(&random) % 64);
            size = 2;
        }
        size = size < n - i ? size : n - i;
        memcpy(bytes + i, packet, size);
        i += size;
    }
}

struct source {
    struct etm_bench_stream stream;
    uint8_t *bytes;
    size_t n, at;
};

static bool open_source(struct source *s, unsigned index)
{
    *s = (struct source){.n = FRAMED};
    if (index == ITM) {
        s->bytes = malloc(s->n);
        if (s->bytes == NULL)
            abort();
        make_itm(s->bytes, s->n);
        return true;
    }
    if (!etm_bench_stream_init(&s->stream, index, FRAMED))
        return false;
    s->bytes = s->stream.bytes;
    s->n = s->stream.n;
    return true;
}

static void frame_sources(const struct row *row, struct etm_framer *f,
                          struct source *sources)
{
    uint32_t random = SEED;
    size_t sent = 0;

    for (unsigned i = 0; sent < FRAMED; i++) {
        struct source *s = &sources[i % row->n];
        size_t n = row->least +
                   etm_test_random(&random) % (row->most - row->least + 1);

        if (n > s->n - s->at)
            s->at = 0;
        if (etm_framer_push(f, (uint8_t)(0x10 + i % row->n), s->bytes + s->at,
                            n) != ETM_OK)
            abort();
        s->at += n;
        sent += n;
        if (etm_test_random(&random) % 100 < row->padded) {
            if (etm_framer_flush(f) != ETM_OK)
                abort();
            sent += ETM_FRAME_BYTES / 2;
        }
    }
}

/* The caller frees the bytes; NULL: a capture is missing. */
static uint8_t *make_frames(const struct row *row, size_t *n)
{
    struct source sources[SOURCES];
    struct etm_framer_config how = row->how;
    struct etm_framer *f;
    const uint8_t *made;
    uint8_t *copy;

    for (size_t i = 0; i < row->n; i++)
        if (!open_source(&sources[i], row->streams[i]))
            return NULL;
    how.size = sizeof how;
    if (etm_framer_new(&f, &how) != ETM_OK)
        abort();
    frame_sources(row, f, sources);
    if (etm_framer_flush(f) != ETM_OK)
        abort();
    etm_framer_take(f, &made, n);
    copy = malloc(*n);
    if (copy == NULL)
        abort();
    memcpy(copy, made, *n);
    etm_framer_free(f);
    for (size_t i = 0; i < row->n; i++) {
        if (row->streams[i] == ITM)
            free(sources[i].bytes);
        else
            etm_bench_stream_fini(&sources[i].stream);
    }
    return copy;
}

static void measure(const struct row *row, unsigned rounds)
{
    struct etm_test_bytes file = {0};
    struct etm_test_framed framed;
    size_t *costs = malloc(rounds * sizeof *costs);

    if (row->capture == NULL)
        file.data = make_frames(row, &file.n);
    else if (!etm_test_shared(row->capture, &file))
        file.data = NULL;
    if (file.data == NULL || costs == NULL) {
        free(costs);
        return;
    }
    etm_test_framed_init(&framed, row->how.layout, file.data, file.n);
    printf("%-26s", row->name);
    for (size_t k = 0; k < SLIPS; k++) {
        uint32_t random = SEED;

        for (unsigned i = 0; i < rounds; i++) {
            struct etm_test_slip slip = slips[k];

            slip.at = file.n / 8 + etm_test_random(&random) % (file.n * 3 / 4);
            costs[i] = etm_test_slip_cost(&framed, &slip);
        }
        printf("  %5zu", etm_test_percentile(costs, rounds, 50));
        printf("/%5zu/%5zu", costs[(rounds - 1) * 9 / 10], costs[rounds - 1]);
        fflush(stdout);
    }
    printf("\n");
    etm_test_framed_fini(&framed);
    free(file.data);
    free(costs);
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 100;

    if (rounds == 0)
        return EXIT_FAILURE;
    printf("%-26s", "");
    for (size_t k = 0; k < SLIPS; k++)
        printf("  %9s %2u %s", "", slips[k].lost + slips[k].twice,
               slips[k].lost != 0 ? "lost " : "twice");
    printf("\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (argc < 3 || strtoul(argv[2], NULL, 10) == i)
            measure(&rows[i], rounds);
    return EXIT_SUCCESS;
}
