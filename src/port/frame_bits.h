/* SPDX-License-Identifier: Apache-2.0 */
/* The bits of a frame (the layout is in <etm/port.h>), and what files of the
 * deframer share. */
#ifndef ETM_PORT_FRAME_BITS_H
#define ETM_PORT_FRAME_BITS_H

#include "port/frame.h"

#include <string.h>

/*
 * Eight bytes are processed together, the first one lowest: bit 0 of each even
 * byte, and the multiplier that moves four adjacent bits to these places (or,
 * in the high half of the product, back from them).
 */
#define EVEN_BIT0 UINT64_C(0x0001000100010001)
#define EVEN_BYTE UINT64_C(0x00ff00ff00ff00ff)
#define EVEN_CARRY UINT64_C(0x0100010001000100)
#define SPREAD UINT64_C(0x0000200040008001)

/* Frames taken together: bounds what is reserved ahead. */
#define ETM_FRAMES_AT_ONCE 4096u

/* Compilers join the bytes of a load, but not always those of a store. */
static inline void store(uint8_t *p, uint64_t value)
{
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(p, &value, sizeof value);
#else
    for (unsigned i = 0; i < 8; i++)
        p[i] = (uint8_t)(value >> (8 * i));
#endif
}

static inline uint64_t spread(unsigned four)
{
    return (four * SPREAD) & EVEN_BIT0;
}

static inline unsigned gather(uint64_t even_bits)
{
    return (unsigned)((even_bits * SPREAD) >> 45) & 0xfu;
}

/* The data of a frame in place, all 15 bytes as if none were an ID byte. */
static inline void put_bits_back(uint8_t *data, uint64_t low, uint64_t high,
                                 unsigned flags)
{
    store(data, (low & ~EVEN_BIT0) | spread(flags & 0xfu));
    store(data + 8, (high & ~EVEN_BIT0) | spread(flags >> 4));
}

/* `n` bytes at `file`, which is position `at` of a frame, have been appended to
 * the stream: add a run for them. */
static inline void add_run(struct etm_deframer *d, unsigned at, uint32_t n,
                           uint64_t file)
{
    struct etm_frame_run run = {d->made, file, d->lost, n, d->want, 0, d->gap};
    bool follows = !d->gap && d->runs.n != 0 && d->run_end == file;

    d->made += n;
    d->run_end = file + n + (at + n) / ETM_FRAME_DATA;
    if (follows) {
        struct etm_frame_run *last =
            (struct etm_frame_run *)d->runs.data + d->runs.n - 1;

        if (last->n <= UINT32_MAX - n) {
            last->n += n;
            return;
        }
    }
    run.at = (uint8_t)at;
    d->gap = false;
    d->lost = 0;
    if (d->runs.n == d->runs.capacity &&
        etm_vec_reserve(&d->runs, 1) != ETM_OK) {
        d->status = ETM_ERR_MEMORY;
        return;
    }
    ((struct etm_frame_run *)d->runs.data)[d->runs.n++] = run;
}

/*
 * frame_mixed.c: as etm_deframer_frames(), for frames of several sources
 * without anything unusual. Returns bytes used.
 */
size_t etm_deframer_mixed(struct etm_deframer *d, const uint8_t *bytes,
                          size_t n, uint64_t file);

#endif
