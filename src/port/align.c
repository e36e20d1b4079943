/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding where the bytes of a TPIU's stream begin in what its port carried, if
 * the port has less than eight pins or samples are missing.
 *
 * A full synchronization is 31 ones and a 0 on the pins. Nothing else has as
 * many consecutive ones: an even byte of a frame is never ff (trace ID 0x7f is
 * not used), so that there are at most 7 + 8 + 7, or 7 + 8 + 15 before a
 * halfword synchronization.
 *
 *     bits      ...|good sync|.......suspect.......|1 .. 1 0|...
 *
 * If bytes counted from one synchronization do not lead to the next one, bits
 * are missing somewhere between them.
 *
 * A TPIU that sends no full synchronization fills its port with halfword
 * synchronization while it has nothing to send. This has 15 ones, as data may
 * have, but with the right alignment it is found again and again. If there is
 * none either, only the right alignment has complete A-syncs (E-371).
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

/* Find the next full synchronization that ends after byte *at. Returns the bit
 * after it, and advances *at to its last byte; 0: there is none. */
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

/* Append the whole bytes between two bits. */
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

/* Number of bits examined, and by how much one alignment must be ahead of the
 * others. */
#define SAMPLE_BITS (UINT64_C(8) * ETM_FRAME_SEARCH)
#define AHEAD 4u
#define TIMES_AHEAD 2u

static unsigned count_half_syncs(const uint8_t *bytes, size_t n)
{
    unsigned count = 0;

    for (size_t i = 1; i < n; i++)
        count += bytes[i - 1] == 0xff && bytes[i] == 0x7f;
    return count;
}

/* Which of eight counts is ahead of all others; 8: none is. */
static unsigned ahead(const unsigned *counts)
{
    unsigned best = 0;

    for (unsigned i = 1; i < 8; i++)
        if (counts[i] > counts[best])
            best = i;
    for (unsigned i = 0; i < 8; i++)
        if (i != best && counts[best] < TIMES_AHEAD * counts[i] + AHEAD)
            return 8;
    return best;
}

/* The bit with which bytes begin, without full synchronization; 0 if it cannot
 * be found. */
static int first_bit(const uint8_t *bytes, uint64_t bits, struct etm_vec *room,
                     uint64_t *first)
{
    unsigned half_syncs[8], a_syncs[8], found;
    size_t before = room->n;
    int status;

    if (bits < 2 * 8)
        return ETM_OK;
    if (bits > SAMPLE_BITS)
        bits = SAMPLE_BITS;
    for (unsigned bit = 0; bit < 8; bit++) {
        const uint8_t *shifted;
        size_t n;

        status = put_bytes(room, bytes, bit, bits);
        if (status != ETM_OK)
            return status;
        shifted = (const uint8_t *)room->data + before;
        n = room->n - before;
        half_syncs[bit] = count_half_syncs(shifted, n);
        a_syncs[bit] = etm_frame_a_syncs(shifted, n);
        room->n = before;
    }
    found = ahead(half_syncs);
    if (found == 8)
        found = ahead(a_syncs);
    *first = found % 8;
    return ETM_OK;
}

int etm_frame_align(const uint8_t *bytes, uint64_t bits, struct etm_vec *stream)
{
    /* a frame of one byte: what comes before and after is not contiguous, and
     * every source has a gap */
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
    if (status == ETM_OK && good == 0)
        status = first_bit(bytes, bits, stream, &next);
    return status == ETM_OK ? put_bytes(stream, bytes, next, bits) : status;
}
