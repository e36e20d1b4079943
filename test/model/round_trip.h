/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One random execution of any protocol, its trace, and what a decoder says of
 * it; and what has to be so of all of them. ETM_TEST_ROUNDS=N runs N,
 * ETM_TEST_SEED=N begins with another one, ETM_TEST_VERBOSE shows all of a
 * round that failed.
 */
#ifndef TEST_MODEL_ROUND_TRIP_H
#define TEST_MODEL_ROUND_TRIP_H

#include "base/vec.h"
#include "random.h"

#include <etm/decode.h>

#define TRIP_BYTES (3u << 20)

/* Too big for a stack. */
struct trip {
    uint64_t seed;
    struct random r;
    struct etm_config config;
    struct etm_image *image;
    size_t size; /* of a record of ETMv1 or ETMv2; else 1 */
    size_t n_bytes;
    uint8_t bytes[TRIP_BYTES];
    struct etm_vec elements, again;
    void (*print)(void); /* what only the test knows of the round */
};

extern struct trip the;

/* `make` one round after the other, and `check` them. */
void trip_rounds(unsigned long n, void (*make)(uint64_t seed),
                 void (*check)(void));

/* Fail, and say how to come back. */
void trip_fail(const char *what, size_t at);
void trip_print(const struct etm_element *e);

/* The bytes become the.elements, and others the same in any pieces; ranges are
 * these instructions, many in one. */
void trip_decode(void);

/* The bytes become the.elements at a level, and the same in any pieces. */
void trip_decode_at(enum etm_level level);

/* ETMv1 and ETMv2: TCD-04, TCD-05, TCD-09: a capture device may leave out
 * cycles without trace. */
void trip_without_idle(void);

/* A capture may begin at any record: it is right from record `sync(from)` on;
 * SIZE_MAX: nothing is. */
void trip_cut(size_t sync(size_t from));

/* Damage before record `end` ends with record `clean(at)`, where `at` is the
 * last that was damaged; and the way the input is split does not matter. */
void trip_damage(size_t end, size_t clean(size_t at));

#endif
