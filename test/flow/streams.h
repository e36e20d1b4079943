/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random streams of all protocols with the code that they are of, for what is
 * compared of decoders. ETM_TEST_ROUNDS=N takes N of each kind, ETM_TEST_SEED=N
 * begins with another one.
 */
#ifndef TEST_FLOW_STREAMS_H
#define TEST_FLOW_STREAMS_H

#include "support/trial.h"

enum stream_kind {
    STREAM_PFT, /* executions */
    STREAM_ETMV3,
    STREAM_DATA, /* ETMv3 with data trace */
    STREAM_ETMV2,
    STREAM_ETMV1,
    STREAM_PFT_CALM, /* executions, with little between instructions */
    STREAM_ETMV3_CALM,
    STREAM_PFT_MIXED, /* packets that no macrocell makes in this order */
    STREAM_ETMV3_MIXED,
    STREAM_DATA_MIXED,
    STREAM_ETMV3_WOVEN,  /* tracing restarts again and again */
    STREAM_PFT_REPEATED, /* the same places again and again */
    STREAM_ETMV3_REPEATED,
    STREAM_ITM, /* packets */
    STREAM_KINDS
};

/* The stream at hand; too big for a stack. */
extern struct trial stream;

/* Makes it; the same of the same seed. Some of the code is missing in the
 * image, or is there in one state or context only. */
struct etm_image *stream_make(enum stream_kind kind, unsigned long seed);

/* A copy with damage: bits or records are others, something is missing or comes
 * again. Returns its size; there is room for TRIAL_BYTES. */
size_t stream_damage(uint8_t *to);

/* What is to be so of each of them. */
typedef void stream_check(const struct etm_image *image);

struct stream_test {
    const char *group, *name; /* NULL: that of the kind */
    enum stream_kind kind;
    unsigned long rounds;
    stream_check *check;
    void (*end)(unsigned long least); /* NULL, or after all rounds */
    unsigned long least;
};

/* Runs the tests of the group that the command line names, or all. */
int stream_main(int argc, char **argv, const struct stream_test *tests,
                size_t n);

/* Fails the test, and says of which stream. */
void stream_fail(const char *format, ...);

static inline uint32_t stream_below(uint32_t n)
{
    return random_below(&stream.r, n);
}

static inline bool stream_chance(uint32_t percent)
{
    return random_chance(&stream.r, percent);
}

/* The kinds that are not executions: what they make of `stream`, or make there.
 */
void stream_mix(void);
void stream_weave(const struct etm_image *image);
struct etm_image *stream_repeat_pft(void);
struct etm_image *stream_repeat_etmv3(void);

#endif
