/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that were lost or came twice: what shows that frames do not begin any
 * more where they did (doc/errata.md, E-404). Three signs are cheap to see in
 * every frame:
 *
 * - Trace IDs that were not met before. At an odd distance every second byte
 *   with bit 0 set is taken for an ID byte. So is a byte in which a bit was
 *   damaged, and another source may begin.
 * - Bytes of the null source that are not 0.
 * - Zeros and 80, as in an A-sync, of which the flag byte sets some bits: it is
 *   not their flag byte. In a right frame they are data, which is rare. At an
 *   even distance there may be no other sign.
 *
 * Nothing is held back as long as there is no sign. The frame that has one
 * waits for as many after it as show where frames begin (slip.c).
 */
#include "port/frame_signs.h"

#include "base/bits.h"
#include "base/bytes.h"
#include "port/frame_bits.h"

/* A new ID that was so often in the last frames is known. */
#define OFTEN 4u

/* All IDs in these bytes, from the first one on, are known. */
#define BEGINNING (32u * ETM_FRAME_BYTES)

/* After how many bytes is a broken A-sync a sign again, if one was none, and at
 * most? */
#define QUIET UINT64_C(4096)
#define QUIET_MOST_LOG2 6u

/* As many bytes as were searched without an answer, and up to 2^2 times as many
 * after further searches, are taken without another one: noise. */
#define NOISE_MOST_LOG2 2u

#define A_SYNC_BYTES 6u
#define AT_ONCE ((size_t)65536) /* in which one is looked for */

/* One bit for each of 16 bytes, those at even places. */
#define EVEN_BYTES 0x5555u

/* Of five zero bytes two are in one of these lanes. */
#define LANES_LOW EVEN_BIT0
#define LANES_HIGH (LANES_LOW << 15)

/* Least number of bytes in which the way is searched, and of signs in them: a
 * single new ID is another source, or damage. */
#define SIGNS 2u
#define LEAST 256u

/* Of an ID in the table of strange bytes: so often a new one must be in its
 * place. */
enum { KNOWN = 0, NEW = 3, SPECIAL = 255 };

void etm_deframer_know(struct etm_deframer *d)
{
    for (unsigned id = 0; id < ETM_ID_UNKNOWN; id++)
        d->strange[id << 1 | 1] = NEW;
    d->strange[ETM_ID_NULL << 1 | 1] = SPECIAL;
    d->strange[ETM_ID_TRIGGER << 1 | 1] = SPECIAL;
    if (d->want >= ETM_ID_RESERVED)
        d->strange[d->want << 1 | 1] = SPECIAL;
}

static void know_id(struct etm_deframer *d, uint8_t id)
{
    uint8_t *strange = &d->strange[id << 1 | 1];

    if (*strange <= NEW && id < ETM_ID_RESERVED)
        *strange = KNOWN;
}

/* Memory full of ff was never written: not ID 7f. */
static bool is_new(const struct etm_deframer *d, const uint8_t *bytes)
{
    return d->strange[bytes[0]] - 1u < NEW && (bytes[0] & bytes[1]) != 0xff;
}

/* Bytes of the null source in a frame that are not 0. */
static bool has_padding_fault(const uint8_t *frame, uint8_t id)
{
    struct etm_frame_parts p;

    etm_frame_part(&p, frame, id);
    for (unsigned i = 0; i < p.n; i++)
        if (p.owner[i] == ETM_ID_NULL && p.data[i] != 0)
            return !is_filled(frame);
    return false;
}

bool etm_deframer_strange(struct etm_deframer *d, const uint8_t *frame,
                          uint8_t id, uint64_t at)
{
    bool learning, strange = false;

    if (d->fixed || at < d->calm ||
        (etm_frame_last_id(frame) == ETM_ID_UNKNOWN && id != ETM_ID_NULL))
        return false;
    if (d->learned == 0)
        d->learned = at + BEGINNING;
    learning = d->ahead || at < d->learned;
    for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2) {
        if (learning && (frame[i] & 1) != 0)
            know_id(d, frame[i] >> 1);
        strange = strange || is_new(d, frame + i);
    }
    strange = strange || has_padding_fault(frame, id);
    if (!d->ahead)
        return strange && !learning;
    d->moved = d->moved || strange;
    return false;
}

/* One bit for each of eight bytes: it is 0. */
static inline unsigned zero_bytes(uint64_t bytes)
{
    const uint64_t low7 = UINT64_C(0x7f7f7f7f7f7f7f7f);
    uint64_t zero = ~(((bytes & low7) + low7) | bytes | low7);

    return (unsigned)((zero >> 7) * UINT64_C(0x0102040810204080) >> 56);
}

static bool has_broken_a_sync(const uint8_t *frame)
{
    unsigned zeros =
        zero_bytes(etm_le64(frame)) | zero_bytes(etm_le64(frame + 8)) << 8;
    unsigned i, flags, five = zeros & zeros >> 1;

    if ((five & EVEN_BYTES) == 0)
        return false;
    /* the last five of each run */
    five = five & five >> 2 & zeros >> 4 & ~(zeros >> 5);
    if (five == 0)
        return false;
    i = etm_zeros_below(five);
    if (i + A_SYNC_BYTES > ETM_FRAME_DATA ||
        frame[i + A_SYNC_BYTES - 1] != 0x80)
        return false;
    /* the flags of its even bytes */
    flags = (1u << (i + A_SYNC_BYTES + 1) / 2) - (1u << (i + 1) / 2);
    return (frame[15] & flags) != 0;
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

/* The first frame with one; `n`: there is none. */
static size_t find_broken(const uint8_t *bytes, size_t n)
{
    size_t at = 0;

    for (; n - at >= BLOCK; at += BLOCK) {
        if (has_no_zeros(bytes + at))
            continue;
        for (size_t i = at; i < at + BLOCK; i += ETM_FRAME_BYTES)
            if (has_broken_a_sync(bytes + i))
                return i;
    }
    for (; at < n; at += ETM_FRAME_BYTES)
        if (has_broken_a_sync(bytes + at))
            return at;
    return n;
}

size_t etm_deframer_clear(struct etm_deframer *d, const uint8_t *bytes,
                          size_t n, uint64_t file)
{
    uint64_t quiet = d->calm > d->quiet ? d->calm : d->quiet;
    size_t most = n < AT_ONCE ? n - n % ETM_FRAME_BYTES : AT_ONCE, clear;

    if (d->layout != ETM_FRAME_ALIGNED || d->fixed)
        return most;
    if (file < quiet && quiet - file < most)
        return (size_t)(quiet - file + ETM_FRAME_BYTES - 1) / ETM_FRAME_BYTES *
               ETM_FRAME_BYTES;
    if (file < quiet)
        return most;
    clear = find_broken(bytes, most);
    if (!d->ahead || clear == most)
        return clear;
    d->moved = true;
    return most;
}

void etm_deframer_doubt(struct etm_deframer *d, const uint8_t *frame)
{
    d->doubting = true;
    d->broken = has_broken_a_sync(frame);
    d->wanted = LEAST;
}

void etm_deframer_remember(struct etm_deframer *d, const uint8_t *frames,
                           size_t n)
{
    if (d->fixed)
        return;
    if (n > ETM_SLIP_PAST) {
        frames += n - ETM_SLIP_PAST;
        n = ETM_SLIP_PAST;
        d->past.n = 0;
    }
    if ((d->past.capacity == 0 &&
         etm_vec_reserve(&d->past, 3 * ETM_SLIP_PAST) != ETM_OK) ||
        etm_vec_append(&d->past, frames, n) != ETM_OK)
        d->status = ETM_ERR_MEMORY;
    else if (d->past.n > 2 * ETM_SLIP_PAST)
        etm_vec_drop(&d->past, d->past.n - ETM_SLIP_PAST);
}

bool etm_deframer_untroubled(const struct etm_deframer *d)
{
    return !d->searching && !d->doubting && d->offset >= d->calm &&
           d->offset >= d->quiet;
}

/* The IDs that were often there in the last frames. */
static void know_past(struct etm_deframer *d)
{
    size_t n = d->past.n < ETM_SLIP_PAST ? d->past.n : ETM_SLIP_PAST;
    const uint8_t *frame = (const uint8_t *)d->past.data + d->past.n - n;
    unsigned counts[256] = {0};

    for (; n != 0; n -= ETM_FRAME_BYTES, frame += ETM_FRAME_BYTES)
        for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2)
            if ((frame[i] & 1) != 0 && ++counts[frame[i]] == OFTEN)
                know_id(d, frame[i] >> 1);
}

/* The bytes held without synchronization, where they are, and what is before
 * a full one. */
struct plain {
    struct etm_vec bytes; /* uint8_t */
    struct etm_vec at;    /* uint32_t */
    struct etm_vec syncs; /* uint32_t: of `bytes` */
    size_t n;             /* with synchronization */
};

static bool is_full_sync(const uint8_t *bytes, size_t n)
{
    return n >= 4 && bytes[0] == 0xff && bytes[1] == 0xff && bytes[2] == 0xff &&
           bytes[3] == 0x7f;
}

/* Neither packet is part of a frame, wherever that begins: an even byte ff
 * would be trace ID 7f, and an even byte 7f trace ID 3f. */
static int leave_out_syncs(struct plain *p, const uint8_t *bytes, size_t n,
                           bool half)
{
    int status = etm_vec_reserve(&p->bytes, n);

    if (status == ETM_OK)
        status = etm_vec_reserve(&p->at, n + 1);
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        uint32_t at = (uint32_t)p->bytes.n;

        if (is_full_sync(bytes + i, n - i)) {
            status = etm_vec_append(&p->syncs, &at, 1);
            i += 3;
        } else if (half && n - i >= 2 && is_half_sync(bytes + i)) {
            i++;
        } else {
            ((uint8_t *)p->bytes.data)[p->bytes.n++] = bytes[i];
            ((uint32_t *)p->at.data)[p->at.n++] = (uint32_t)i;
        }
    }
    return status;
}

/* Frames begin where they did: new IDs in the first frame may be right. */
static void accept(struct etm_deframer *d, const uint8_t *frame)
{
    for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2)
        if ((frame[i] & 1) != 0 && frame[i] >> 1 < ETM_ID_RESERVED &&
            d->strange[frame[i]] <= NEW && d->strange[frame[i]] != KNOWN)
            d->strange[frame[i]]--;
}

/* Signs in frames: a new ID counts once, padding is enough. */
static unsigned count_signs(const struct etm_deframer *d, const uint8_t *bytes,
                            size_t n)
{
    bool met[256] = {false};
    uint8_t id = d->id;
    unsigned signs = 0;

    for (; n >= ETM_FRAME_BYTES; n -= ETM_FRAME_BYTES) {
        uint8_t last = etm_frame_last_id(bytes);

        for (unsigned i = 0; i < ETM_FRAME_DATA; i += 2) {
            signs += is_new(d, bytes + i) && !met[bytes[i]];
            met[bytes[i]] = true;
        }
        signs += has_padding_fault(bytes, id) ? SIGNS : 0;
        id = last != ETM_ID_UNKNOWN ? last : id;
        bytes += ETM_FRAME_BYTES;
    }
    return signs;
}

/* What the answer to a doubt says of those to come: `frame` is the first one.
 */
static void learn_from(struct etm_deframer *d, const uint8_t *frame,
                       const struct etm_vec *stretches, size_t done)
{
    const struct etm_frame_stretch *first =
        stretches->n != 0 ? stretches->data : NULL;

    if (first != NULL) {
        d->in_vain = 0;
    } else if (d->broken) {
        d->quiet = d->offset + (QUIET << d->in_vain);
        d->in_vain = (uint8_t)(d->in_vain + (d->in_vain < QUIET_MOST_LOG2));
    }
    if (done >= ETM_FRAME_BYTES &&
        (first == NULL || first->end_before >= ETM_FRAME_BYTES))
        accept(d, frame);
}

/* An answer for bytes without synchronization; *done: 0, or so many of them. */
static int judge_plain(struct etm_deframer *d, const struct plain *p, bool end,
                       struct etm_vec *stretches, size_t *done)
{
    size_t n = p->bytes.n;
    struct etm_frame_doubt doubt = {
        .past = &d->past,
        .bytes = p->bytes.data,
        .n = n < ETM_SLIP_MOST ? n : ETM_SLIP_MOST,
        .syncs = p->syncs.data,
        .n_syncs = p->syncs.n,
        .id = d->id,
        .last = end || n >= ETM_SLIP_MOST || p->n >= ETM_FRAME_SEARCH,
    };
    int status;

    if (n < LEAST && !doubt.last)
        return ETM_OK;
    know_past(d);
    if (!d->broken && n >= LEAST &&
        count_signs(d, doubt.bytes, LEAST) < SIGNS) {
        accept(d, doubt.bytes);
        *done = ETM_FRAME_BYTES;
        return ETM_OK;
    }
    status = etm_frame_slips(&doubt, stretches, done);
    if (*done == 0 && doubt.last) /* it is not known: they are as they were */
        *done = doubt.n -
                (doubt.n < ETM_FRAME_BYTES ? 0 : doubt.n % ETM_FRAME_BYTES);
    if (*done != 0)
        learn_from(d, doubt.bytes, stretches, *done);
    return status;
}

/* From bytes without synchronization to those held. */
static size_t place(const struct plain *p, size_t at)
{
    return at < p->at.n ? ((const uint32_t *)p->at.data)[at] : p->n;
}

int etm_deframer_judge(struct etm_deframer *d, bool end,
                       struct etm_vec *stretches, size_t *done)
{
    size_t n = d->held.n < d->wanted ? d->held.n : d->wanted;
    struct plain p = {.n = n};
    int status;

    *done = 0;
    etm_vec_init(&p.bytes, 1, &d->allocator);
    etm_vec_init(&p.at, sizeof(uint32_t), &d->allocator);
    etm_vec_init(&p.syncs, sizeof(uint32_t), &d->allocator);
    status =
        leave_out_syncs(&p, d->held.data, n, d->layout != ETM_FRAME_ALIGNED);
    if (status == ETM_OK)
        status = judge_plain(d, &p, end, stretches, done);
    for (size_t i = 0; i < stretches->n && status == ETM_OK; i++) {
        struct etm_frame_stretch *s =
            (struct etm_frame_stretch *)stretches->data + i;

        s->end_before = place(&p, s->end_before);
        s->begin = place(&p, s->begin);
    }
    if (*done != 0)
        *done = place(&p, *done);
    else
        d->wanted = 2 * (uint32_t)n;
    etm_vec_fini(&p.bytes);
    etm_vec_fini(&p.at);
    etm_vec_fini(&p.syncs);
    return status;
}
