/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the bytes of a TPIU begin in what its port carried, if the port has
 * less than eight pins or samples of it are missing.
 *
 * A full synchronization is 31 ones and a 0 on the pins. Nothing else has so
 * many ones in a row: an even byte of a frame is never ff (trace ID 0x7f is
 * not used), which leaves 7 + 8 + 7 of them, or 7 + 8 + 15 in front of a
 * halfword synchronization.
 *
 *     bits      ...|good sync|.......suspect.......|1 .. 1 0|...
 *
 * If bytes counted from one synchronization do not lead to the next one, bits
 * are missing somewhere between them.
 */
#include "port/frame.h"

#include <string.h>

#define SYNC_ONES 31u
#define SYNC_BITS 32u

/* Bytes before a slip that are not trusted, as in realign.c. */
#define SUSPECT_BITS (UINT64_C(8) * 8192u)

static unsigned low_ones(uint8_t byte)
{
    unsigned n = 0;

    for (; (byte & 1) != 0; byte >>= 1)
        n++;
    return n;
}

static unsigned high_ones(uint8_t byte)
{
    unsigned n = 0;

    for (; (byte & 0x80) != 0; byte = (uint8_t)(byte << 1))
        n++;
    return n;
}

/* The bit behind the next full synchronization that ends behind byte *at, which
 * goes on to its last byte; 0: there is none. */
static uint64_t next_sync(const uint8_t *bytes, size_t n, size_t *at)
{
    const uint8_t *found;

    while (*at < n && (found = memchr(bytes + *at, 0xff, n - *at)) != NULL) {
        size_t first = (size_t)(found - bytes), end = first;
        uint64_t ones = first > 0 ? high_ones(bytes[first - 1]) : 0;
        unsigned low;

        while (end < n && bytes[end] == 0xff)
            end++;
        *at = end;
        if (end == n)
            break;
        low = low_ones(bytes[end]);
        if (ones + 8 * (uint64_t)(end - first) + low >= SYNC_ONES)
            return 8 * (uint64_t)end + low + 1;
    }
    return 0;
}

/* The whole bytes between two bits. */
static int put_bytes(struct etm_vec *stream, const uint8_t *bytes,
                     uint64_t from, uint64_t end)
{
    size_t n = end > from ? (size_t)((end - from) / 8) : 0;
    unsigned shift = (unsigned)(from % 8);
    const uint8_t *in;
    uint8_t *out;

    if (n == 0)
        return ETM_OK;
    in = bytes + (size_t)(from / 8);
    if (shift == 0)
        return etm_vec_append(stream, in, n);
    if (etm_vec_reserve(stream, n) != ETM_OK)
        return ETM_ERR_MEMORY;
    out = (uint8_t *)stream->data + stream->n;
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(in[i] >> shift | in[i + 1] << (8 - shift));
    stream->n += n;
    return ETM_OK;
}

int etm_frame_align(const uint8_t *bytes, uint64_t bits, struct etm_vec *stream)
{
    /* a frame of one byte: what is before and behind does not belong together,
       and every source has a gap */
    static const uint8_t cut[] = {0xff, 0xff, 0xff, 0x7f, 0};
    uint64_t next = 0, good = 0, sync;
    size_t n = (size_t)((bits + 7) / 8), at = 0;
    int status = ETM_OK;

    while (status == ETM_OK && (sync = next_sync(bytes, n, &at)) != 0) {
        if (good == 0) {
            next = sync % 8;
        } else if ((sync - next) % 8 != 0) {
            uint64_t begin = sync - SYNC_BITS;
            uint64_t suspect =
                begin - good > SUSPECT_BITS ? begin - SUSPECT_BITS : good;

            status = put_bytes(stream, bytes, next, suspect);
            if (status == ETM_OK)
                status = etm_vec_append(stream, cut, sizeof cut);
            next = begin;
        }
        good = sync;
    }
    return status == ETM_OK ? put_bytes(stream, bytes, next, bits) : status;
}
