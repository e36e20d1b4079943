/* SPDX-License-Identifier: Apache-2.0 */
/* Captures with synchronization points, of every protocol and in any framing.
 */
#ifndef TEST_SESSION_POINTS_SUPPORT_H
#define TEST_SESSION_POINTS_SUPPORT_H

#include "../input/support.h"
#include "support/capture.h"

#include <etm/session.h>

/* What a capture is made of. */
struct kind {
    const char *name;
    struct etm_config config;
    enum etm_framing framing;
};

/* Write the snapshot of a program with loops and an indirect branch, traced
 * without a break but for one gap, and open it. */
struct etm_session *open_kind(const struct kind *kind,
                              const struct etm_allocator *allocator);
void write_kind(const struct kind *kind);
struct etm_session *open_written(const struct etm_allocator *allocator);

/* Points that were found. */
#define POINTS 2000u
struct points {
    struct etm_point all[POINTS];
    size_t n;
    size_t stop_at; /* the callback returns 7 at this one, from 1; 0: never */
    struct etm_point end;
};

/* Search them, after a point or from the beginning: the status. */
int find_points(const struct etm_session *session, const struct etm_point *from,
                struct points *points);

/* All elements of a source, instruction by instruction, from a byte on. */
void decode_from(const struct etm_session *session, uint64_t begin,
                 struct etm_test_elements *elements);

#endif
