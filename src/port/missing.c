/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that are missing: what shows that frames do not begin any more where
 * they did. In the stream of a TPIU, whose full synchronization shows it, only
 * faults of its frames do if it has none (doc/errata.md, E-373). In memory
 * (E-404) three signs are cheap to see in every frame:
 *
 * - Reserved trace IDs, which no formatter sends. They come if the even bytes
 *   of frames are now odd ones.
 * - Bytes of the null source that are not 0. They come if the flag byte is in
 *   another place, and the null source is not at the end of all trace.
 *
 * - Zeros and 80, as in an A-sync, of which the flag byte sets some bits: it is
 *   not their flag byte. In a right frame these are values of an A-sync.
 *
 * They are looked for frame by frame, so that the result does not depend on how
 * many bytes are pushed at a time.
 */
#include "base/bits.h"
#include "base/bytes.h"
#include "port/frame_bits.h"

/* Each fault counts FAULT, each frame without one takes 1 off, and TROUBLE is
 * too much. */
#define FAULT 64u
#define TROUBLE (3 * FAULT)

/* Each A-sync with bits of a flag byte, and each frame whose padding is not 0,
 * counts 2, each without takes 1 off, and BROKEN is too much. */
#define BROKEN 6u

/* After how many bytes without a result is it searched again: at first, and at
 * most; and after how many more were earlier searches another matter? */
#define CALM UINT64_C(16384)
#define CALM_MOST_LOG2 6u
#define OTHER_MATTER UINT64_C(65536)

#define A_SYNC_BYTES 6u

/* One bit for each of 16 bytes, those at even places. */
#define EVEN_BYTES 0x5555u

/* Of five zero bytes two are in one of these lanes. */
#define LANES_LOW EVEN_BIT0
#define LANES_HIGH (LANES_LOW << 15)

static unsigned trouble_now(const struct etm_deframer *d)
{
    uint64_t frames = d->counts.frames - d->fault;

    return d->trouble > frames ? d->trouble - (unsigned)frames : 0;
}

void etm_deframer_fault(struct etm_deframer *d)
{
    unsigned trouble = trouble_now(d) + FAULT;

    d->trouble = (uint8_t)(trouble < TROUBLE ? trouble : TROUBLE);
    d->fault = d->counts.frames;
}

bool etm_deframer_troubled(const struct etm_deframer *d, uint64_t at)
{
    if (d->layout != ETM_FRAME_ALIGNED)
        return d->watching && at >= d->calm && trouble_now(d) == TROUBLE;
    return !d->fixed && at >= d->calm &&
           (trouble_now(d) == TROUBLE ||
            (d->broken >= BROKEN && at >= d->looked));
}

bool etm_deframer_untroubled(const struct etm_deframer *d)
{
    return !d->searching && trouble_now(d) == 0 && d->broken == 0 &&
           !d->padding && d->offset >= d->followed && d->offset >= d->calm &&
           (d->in_vain == 0 || d->offset > d->calm + OTHER_MATTER);
}

void etm_deframer_calm(struct etm_deframer *d, bool found)
{
    if (found || d->offset > d->calm + OTHER_MATTER)
        d->in_vain = 0;
    if (!found) {
        d->calm = d->offset + (CALM << d->in_vain);
        if (d->in_vain < CALM_MOST_LOG2)
            d->in_vain++;
    }
    d->trouble = d->broken = 0;
    d->looked = d->offset;
}

/* One bit for each of eight bytes: it is 0. */
static inline unsigned zero_bytes(uint64_t bytes)
{
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t zero = ~(((bytes & low7) + low7) | bytes | low7);

    return (unsigned)((zero >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

/* In a frame that ends before `end` there was one of these signs, or the
 * contrary. */
static void note(struct etm_deframer *d, bool sign, uint64_t end)
{
    if (sign)
        d->broken = (uint8_t)(d->broken + 2);
    else if (d->broken != 0)
        d->broken--;
    if (end < d->calm && d->broken >= BROKEN)
        d->broken = 0;
}

/* Bytes of the null source: are they 0? */
static void look_at_padding(struct etm_deframer *d, const uint8_t *frame,
                            uint64_t end)
{
    uint64_t low = etm_le64(frame), high = etm_le64(frame + 8);
    uint8_t last = etm_frame_last_id(frame);
    bool padding = d->padding;

    if (((low | high) & EVEN_BIT0) != 0) {
        for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2)
            padding = padding || frame[i] == (ETM_ID_NULL << 1 | 1);
    }
    if (!padding)
        return;
    note(d, etm_frame_faults(frame, d->padding ? ETM_ID_NULL : ETM_ID_UNKNOWN),
         end);
    if (last != ETM_ID_UNKNOWN || !d->padding)
        d->padding = last == ETM_ID_NULL;
}

/* Look at a frame, which ends before `end`. */
static void look(struct etm_deframer *d, const uint8_t *frame, uint64_t end)
{
    unsigned zeros =
        zero_bytes(etm_le64(frame)) | zero_bytes(etm_le64(frame + 8)) << 8;
    unsigned five = zeros & zeros >> 1;
    unsigned i, flags;

    if (!d->padding && (five & EVEN_BYTES) == 0)
        return;
    look_at_padding(d, frame, end);

    /* the last five of each run */
    five = five & five >> 2 & zeros >> 4 & ~(zeros >> 5);
    if (five == 0)
        return;
    i = etm_zeros_below(five);
    if (i + A_SYNC_BYTES > ETM_FRAME_DATA ||
        frame[i + A_SYNC_BYTES - 1] != 0x80)
        return;
    /* the flags of its even bytes */
    flags = (1u << (i + A_SYNC_BYTES + 1) / 2) - (1u << (i + 1) / 2);
    note(d, (frame[15] & flags) != 0, end);
}

void etm_deframer_look(struct etm_deframer *d, const uint8_t *frame,
                       uint64_t end)
{
    if (d->layout != ETM_FRAME_ALIGNED || d->fixed || end <= d->looked)
        return;
    d->looked = end;
    look(d, frame, end);
}

#define BLOCK ((size_t)4 * ETM_FRAME_BYTES)

/* Not one of two bytes, in a block, is 0 like the other. */
static inline bool has_no_zeros(const uint8_t *bytes)
{
    uint64_t zero = 0;

    for (size_t i = 0; i < BLOCK; i += sizeof zero) {
        uint64_t x = etm_le64(bytes + i);

        zero |= (x - LANES_LOW) & ~x;
    }
    return (zero & LANES_HIGH) == 0;
}

size_t etm_deframer_look_ahead(struct etm_deframer *d, const uint8_t *bytes,
                               size_t n)
{
    size_t at = 0;

    if (d->layout != ETM_FRAME_ALIGNED || d->fixed)
        return n;
    if (d->looked > d->offset)
        at = (size_t)(d->looked - d->offset);
    for (; at < n && n - at >= ETM_FRAME_BYTES; at += ETM_FRAME_BYTES) {
        uint64_t end = d->offset + at + ETM_FRAME_BYTES;

        if (!d->padding && n - at >= BLOCK && has_no_zeros(bytes + at)) {
            at += BLOCK - ETM_FRAME_BYTES;
            continue;
        }
        look(d, bytes + at, end);
        if (d->broken >= BROKEN) {
            d->looked = end;
            return at + ETM_FRAME_BYTES;
        }
    }
    d->looked = d->offset + at;
    return n;
}
