/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames in which several sources take turns. The bytes of the wanted source
 * are found for all bytes of a frame together, without a loop over its IDs,
 * whose places are unpredictable. The flag of the second ID is set here, so
 * that it takes effect one byte later:
 *
 *     ids     bytes that are an ID       ..1.....1......
 *     starts  where one takes effect     1..1......1....
 *     own     those of the one wanted    1.........1....
 *     mask    its bytes                  11........11111
 */
#include "base/bytes.h"
#include "port/frame_bits.h"

/* An ID byte from here on has an ID of 0x70 or above, which is unusual. */
#define UNUSUAL 0xe1u

/* Moves bit 0 of four lanes to every other bit from 48 on. */
#define HALVE                                                                  \
    (UINT64_C(1) << 48 | UINT64_C(1) << 34 | UINT64_C(1) << 20 |               \
     UINT64_C(1) << 6)

#define DATA_BYTES ((1u << ETM_FRAME_DATA) - 1)

/* Bit 2i is bit 0 of byte 2i, of eight bytes in each half. */
static unsigned even_bits(uint64_t low, uint64_t high)
{
    return (unsigned)(((low & EVEN_BIT0) * HALVE) >> 48 & 0x55) |
           (unsigned)(((high & EVEN_BIT0) * HALVE) >> 48 & 0x55) << 8;
}

/* Bit 8 of each lane: its byte, with bit 0 set, is an unusual ID. */
static uint64_t unusual(uint64_t even)
{
    return (even + (0x100 - UNUSUAL) * EVEN_BIT0) & even << 8 & EVEN_CARRY;
}

/* Bit 8 of each lane: its byte is that one. */
static uint64_t equal(uint64_t even, uint64_t bytes)
{
    return (EVEN_CARRY - (even ^ bytes)) & EVEN_CARRY;
}

/* The lowest 16 bits are not all 0. */
static unsigned low_zeros(unsigned bits)
{
    /* by the four bits that the lowest one moves to the top (de Bruijn) */
    static const uint8_t places[16] = {0,  1, 2, 5,  3,  9, 6,  11,
                                       15, 4, 8, 10, 14, 7, 13, 12};

    return places[(bits & (~bits + 1)) * 0x09afu >> 12 & 0xf];
}

/* The bytes of a frame that are `ours`; `mine`: so are those before its first
 * ID. */
static unsigned mask_of(unsigned ids, unsigned ours, unsigned flags, bool mine)
{
    unsigned late = ids & flags, late_ours = ours & flags;
    unsigned starts = 1 | (ids ^ late) << 1 | late << 2;
    unsigned own = (unsigned)mine | (ours ^ late_ours) << 1 | late_ours << 2;
    unsigned rest = ~starts & DATA_BYTES;

    /* from each of our starts a carry goes through what is no start */
    own |= (((own << 1 & rest) + rest) ^ rest) & rest;
    return own & ~ids & DATA_BYTES;
}

/* Data of a frame, with room after them: they are copied 16 at a time. */
static void take(struct etm_deframer *d, const uint8_t data[static 32],
                 unsigned mask, uint64_t file)
{
    for (unsigned at = 0; mask != 0;) {
        unsigned skip = low_zeros(mask), n = low_zeros(~(mask >> skip));

        at += skip;
        memcpy((uint8_t *)d->stream.data + d->stream.n, data + at,
               ETM_FRAME_BYTES);
        d->stream.n += n;
        add_run(d, at, n, file + at);
        mask = mask >> skip >> n;
        at += n;
    }
}

/* Count bytes by trace ID; `id` is the current ID before the frame. Returns the
 * one after it. */
static uint8_t count(struct etm_deframer *d, const uint8_t *frame, unsigned ids,
                     unsigned flags, uint8_t id)
{
    unsigned from = 0;

    for (; ids != 0; ids &= ids - 1) {
        unsigned at = low_zeros(ids), late = flags >> at & 1;

        d->counts.bytes[id] += at - from;
        from = at + 1;
        if (late != 0 && from < ETM_FRAME_DATA) {
            d->counts.bytes[id]++;
            from++;
        }
        id = frame[at] >> 1;
    }
    d->counts.bytes[id] += ETM_FRAME_DATA - from;
    return id;
}

/* What is searched in frames, and what was found so far. */
struct looking {
    uint64_t wanted;     /* in each lane, its ID byte */
    bool mine;           /* the wanted ID is the current one */
    bool null;           /* the null source is */
    const uint8_t *last; /* frame with an ID; NULL: none */
};

static bool has_id(const uint8_t *frame)
{
    return ((etm_le64(frame) | etm_le64(frame + 8)) & EVEN_BIT0) != 0;
}

/* Is there an ID byte that is not simply one met before? */
static inline bool is_strange(const struct etm_deframer *d, const uint8_t *f)
{
    const uint8_t *strange = d->strange;

    return (strange[f[0]] | strange[f[2]] | strange[f[4]] | strange[f[6]] |
            strange[f[8]] | strange[f[10]] | strange[f[12]] | strange[f[14]]) !=
           0;
}

/* Then: is it a frame that is usual, but for padding? */
static bool look_closer(struct etm_deframer *d, struct looking *l,
                        const uint8_t *frame, uint64_t file)
{
    uint64_t low = etm_le64(frame), high = etm_le64(frame + 8);
    uint8_t id = l->last != NULL ? etm_frame_last_id(l->last) : d->id;

    if ((unusual(low & EVEN_BYTE) | unusual(high & EVEN_BYTE)) != 0 ||
        etm_deframer_strange(d, frame, id, file))
        return false;
    id = ((low | high) & EVEN_BIT0) != 0 ? etm_frame_last_id(frame) : id;
    l->null = id == ETM_ID_NULL;
    return true;
}

/* Take one frame, if it is a usual one, and not one of several without IDs,
 * which are faster elsewhere: `more` frames come after it. */
static inline bool look(struct etm_deframer *d, struct looking *l,
                        const uint8_t *frame, size_t more, uint64_t file)
{
    uint64_t low = etm_le64(frame), high = etm_le64(frame + 8);
    uint64_t even = low & EVEN_BYTE, even2 = high & EVEN_BYTE;
    uint64_t ours = equal(even, l->wanted), ours2 = equal(even2, l->wanted);
    bool any = ((low | high) & EVEN_BIT0) != 0;
    uint8_t data[2 * ETM_FRAME_BYTES] = {0};
    unsigned ids, own, flags;

    if ((low | high) == 0 || ((l->null || (any && is_strange(d, frame))) &&
                              !look_closer(d, l, frame, file)))
        return false;
    if ((ours | ours2) == 0 && !l->mine && d->uncounted) {
        l->last = any ? frame : l->last;
        return true;
    }
    if (!any) {
        if (!d->uncounted || (more != 0 && !has_id(frame + ETM_FRAME_BYTES)))
            return false;
        put_bits_back(data, low, high, frame[15]);
        take(d, data, DATA_BYTES, file);
        return true;
    }
    ids = even_bits(low, high);
    own = even_bits(ours >> 8, ours2 >> 8);
    flags = even_bits(spread(frame[15] & 0xfu), spread(frame[15] >> 4));
    if (!d->uncounted)
        d->id = count(d, frame, ids, flags, d->id);
    l->last = frame;
    if (own == 0 && !l->mine)
        return true;
    put_bits_back(data, low, high, frame[15]);
    take(d, data, mask_of(ids, own, flags, l->mine), file);
    l->mine = own > (ids ^ own);
    return true;
}

size_t etm_deframer_mixed(struct etm_deframer *d, const uint8_t *bytes,
                          size_t n, uint64_t file)
{
    /* no ID is wanted: an unusual one, which is never compared */
    struct looking l = {EVEN_BIT0 *
                            (d->want != ETM_ID_NULL ? 2u * d->want + 1 : 0xffu),
                        d->sink == ETM_SINK_KEEP, d->id == ETM_ID_NULL, NULL};
    size_t most = n / ETM_FRAME_BYTES, k;

    if (d->blank_frames != 0 || (d->sink != ETM_SINK_DROP && !l.mine))
        return 0;
    if (most > ETM_FRAMES_AT_ONCE)
        most = ETM_FRAMES_AT_ONCE;
    if (d->want != ETM_ID_NULL &&
        etm_vec_reserve(&d->stream, (most + 1) * ETM_FRAME_BYTES) != ETM_OK) {
        d->status = ETM_ERR_MEMORY;
        return 0;
    }
    for (k = 0; k < most && d->status == ETM_OK; k++)
        if (!look(d, &l, bytes + k * ETM_FRAME_BYTES, most - k - 1,
                  file + k * ETM_FRAME_BYTES))
            break;
    if (k == 0)
        return 0;
    d->barrier = 0;
    d->counts.frames += k;
    d->sink = l.mine ? ETM_SINK_KEEP : ETM_SINK_DROP;
    if (l.last != NULL)
        d->id = etm_frame_last_id(l.last);
    return k * ETM_FRAME_BYTES;
}
