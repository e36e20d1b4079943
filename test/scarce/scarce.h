/* SPDX-License-Identifier: Apache-2.0 */
/* Exercises for an allocator that fails: what calls the public functions. */
#ifndef TEST_SCARCE_SCARCE_H
#define TEST_SCARCE_SCARCE_H

#include <etm/capture.h>
#include <etm/etm.h>

/* Returns ETM_OK, or the first error; frees what it made in any case. */
typedef int exercise_fn(void);

struct exercise {
    const char *name;
    exercise_fn *run;
};

/* The one that is tested; where another library does not survive to be short of
 * memory, only what is asked of this one fails. */
extern const struct etm_allocator scarce;

/* They end with a row without name. Those of values.c allocate nothing. */
extern const struct exercise core_exercises[], capture_exercises[];
extern const struct exercise values[];

/* Evaluate a call unless one before it failed. */
#define THEN(call)                                                             \
    do {                                                                       \
        if (status == ETM_OK)                                                  \
            status = (call);                                                   \
    } while (0)

#endif
