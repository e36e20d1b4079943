/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How much of a capture is decoded when one of its bits is wrong: 1,000 bits,
 * one at a time, and the mean share of instructions that are still there, in
 * order. For each capture anywhere in the file; then for each source in the
 * bytes that are its own.
 *
 *     ETM_SHARED=../shared damage [-v] [flips]
 *
 * -v lists the flips that cost a source the most. Ends with an error if a
 * capture keeps less than 97 %.
 */
#include "support/damage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST 0.97
#define SEED 20260101u
#define WORST 12 /* flips that -v lists */

static const char *const captures[] = {"tc2", "snowball", "stm32f105"};

struct loss {
    uint64_t place; /* bit in the file */
    uint64_t lost;  /* instructions */
};

static struct loss worst[WORST];

static void note(uint64_t place, uint64_t lost)
{
    size_t i = WORST - 1;

    if (lost <= worst[i].lost)
        return;
    for (; i > 0 && worst[i - 1].lost < lost; i--)
        worst[i] = worst[i - 1];
    worst[i] = (struct loss){place, lost};
}

/* Instructions of all sources, or of one, with one bit wrong. */
static uint64_t kept(const struct etm_damage *d, size_t from, size_t to,
                     uint64_t place)
{
    static struct etm_test_elements elements;
    uint8_t *file = d->sources[0].file.data;
    uint64_t n = 0;

    file[place / 8] ^= (uint8_t)(1u << place % 8);
    for (size_t i = from; i < to; i++) {
        if (etm_damage_decode(&d->sources[i], file, d->sources[0].file.n,
                              &elements) != ETM_OK)
            abort();
        n += etm_damage_kept(&d->whole[i], &elements);
    }
    file[place / 8] ^= (uint8_t)(1u << place % 8);
    return n;
}

static double anywhere(const struct etm_damage *d, unsigned flips)
{
    uint32_t random = SEED;
    uint64_t n = 0;

    for (unsigned i = 0; i < flips; i++)
        n += kept(d, 0, d->n,
                  etm_test_random(&random) % (d->sources[0].file.n * 8));
    return (double)n / ((double)flips * (double)d->instructions);
}

static double within(const struct etm_damage *d, size_t source, unsigned flips)
{
    const struct etm_test_capture *s = &d->sources[source];
    uint64_t all = etm_damage_kept(&d->whole[source], &d->whole[source]);
    uint32_t random = SEED;
    uint64_t n = 0;

    memset(worst, 0, sizeof worst);
    for (unsigned i = 0; i < flips; i++) {
        size_t byte = etm_test_random(&random) % s->stream.n;
        uint64_t place =
            etm_damage_place(s, byte, etm_test_random(&random) % 8);
        uint64_t left = kept(d, source, source + 1, place);
        note(place, all - left);
        n += left;
    }
    return (double)n / ((double)flips * (double)all);
}

static bool capture(const char *name, unsigned flips, bool verbose)
{
    static struct etm_damage d;
    double share;

    if (!etm_damage_open(&d, name))
        return true;
    share = anywhere(&d, flips);
    printf("%-10s %7llu instructions, a bit anywhere: %6.2f %% kept\n", name,
           (unsigned long long)d.instructions, 100 * share);
    for (size_t i = 0; i < d.n; i++) {
        if (etm_damage_kept(&d.whole[i], &d.whole[i]) == 0)
            continue;
        printf("  0x%02x, a bit of its own: %6.2f %% kept\n",
               d.sources[i].config.trace_id, 100 * within(&d, i, flips));
        for (size_t k = 0; verbose && k < WORST; k++)
            printf("    %5llu lost: bit %llu of byte %llu\n",
                   (unsigned long long)worst[k].lost,
                   (unsigned long long)(worst[k].place % 8),
                   (unsigned long long)(worst[k].place / 8));
    }
    etm_damage_close(&d);
    return share >= LEAST;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    int at = verbose ? 2 : 1;
    unsigned flips = argc > at ? (unsigned)strtoul(argv[at], NULL, 10) : 1000;
    bool good = true;

    for (size_t i = 0; i < sizeof captures / sizeof *captures; i++)
        good = capture(captures[i], flips, verbose) && good;
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
