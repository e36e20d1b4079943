/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a time line shows, in bounded memory: slices that are nested in tracks,
 * marks, and values. Where there are too many, those that are shorter than the
 * resolution become one with their neighbours; the resolution is then twice as
 * long.
 */
#ifndef ETM_CLI_SLICES_H
#define ETM_CLI_SLICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of these, and of values, there are no more than this at a time. */
#define ETM_CLI_SLICES_MOST 120000u
/* Slices that are nested deeper are only counted. */
#define ETM_CLI_SLICES_DEPTH 48u

/* One, or several that are shorter than the resolution; a mark has no
 * duration. */
struct etm_cli_slice {
    uint64_t begin, end;
    uint64_t busy;    /* within which so much is slices */
    uint64_t longest; /* of these, */
    uint32_t name;    /* which is called this */
    uint32_t n;
};

/* A value, from a time on; or several values, of which the least and the most
 * are numbers if one of them is. */
struct etm_cli_point {
    uint64_t time;
    double least, most, last;
    uint64_t n;
};

struct etm_cli_slice_lane {
    struct etm_cli_slice *rows;
    size_t n, room;
};

struct etm_cli_plot {
    struct etm_cli_point *rows;
    size_t n, room;
};

struct etm_cli_begun {
    uint32_t depth;
    uint64_t times[ETM_CLI_SLICES_DEPTH];
};

struct etm_cli_slices {
    unsigned tracks;
    struct etm_cli_slice_lane
        *lanes;                 /* of all depths of the first track, ... */
    struct etm_cli_plot *plots; /* of each track */
    struct etm_cli_begun *begun;
    size_t n;            /* in all lanes and plots */
    uint64_t resolution; /* 0: none was put together */
    uint64_t too_deep;
    uint64_t first, last;
    bool any;
};

/* Errors of all functions are ETM_ERR_MEMORY. Times of a track come in
 * order. */
int etm_cli_slices_init(struct etm_cli_slices *slices, unsigned tracks);
void etm_cli_slices_begin(struct etm_cli_slices *slices, unsigned track,
                          uint64_t time);
int etm_cli_slices_end(struct etm_cli_slices *slices, unsigned track,
                       uint64_t time, uint32_t name);
int etm_cli_slices_mark(struct etm_cli_slices *slices, unsigned track,
                        uint64_t time, uint32_t name);
int etm_cli_slices_value(struct etm_cli_slices *slices, unsigned track,
                         uint64_t time, double value);

static inline const struct etm_cli_slice_lane *
etm_cli_slices_lane(const struct etm_cli_slices *slices, unsigned track,
                    unsigned depth)
{
    return &slices->lanes[track * ETM_CLI_SLICES_DEPTH + depth];
}

/* Accepts one that is zero. */
void etm_cli_slices_free(struct etm_cli_slices *slices);

#endif
