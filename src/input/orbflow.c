/* SPDX-License-Identifier: Apache-2.0 */
#include "input/orbflow.h"

#include <string.h>

/* The longest packet, with room for longer ones than there are today. */
#define PACKET_MOST ((size_t)16384)

/* A packet has a stream and a sum. */
#define PACKET_LEAST 2u

/* Bytes of which a file shows that it has such packets. */
#define LOOK ((size_t)16384)
#define LOOK_PACKETS 3u

/* Each frame has an ID: one of nothing but zeros, at the end of what came,
 * would be memory without trace. */
static int new_framer(struct etm_orbflow *o)
{
    const struct etm_framer_config config = {.size = sizeof config,
                                             .layout = ETM_FRAME_ALIGNED,
                                             .repeat_id = 1,
                                             .allocator = &o->packet.allocator};

    return etm_framer_new(&o->framer, &config);
}

int etm_orbflow_init(struct etm_orbflow *o,
                     const struct etm_allocator *allocator)
{
    *o = (struct etm_orbflow){.framer = NULL};
    etm_vec_init(&o->packet, 1, allocator);
    return new_framer(o);
}

void etm_orbflow_fini(struct etm_orbflow *o)
{
    etm_framer_free(o->framer);
    etm_vec_fini(&o->packet);
}

static int take_frames(struct etm_orbflow *o, struct etm_vec *frames)
{
    const uint8_t *bytes;
    size_t n;

    etm_framer_take(o->framer, &bytes, &n);
    return etm_vec_append(frames, bytes, n);
}

static int flush(struct etm_orbflow *o, struct etm_vec *frames)
{
    int status = etm_framer_flush(o->framer);

    return status == ETM_OK ? take_frames(o, frames) : status;
}

/* A frame that is made by hand: pairs of an even byte, which may be an ID, and
 * an odd one, of which there is none after the last. */
struct by_hand {
    struct etm_vec *frames;
    uint8_t frame[ETM_FRAME_BYTES];
    unsigned at;
    int status;
};

/* An ID byte; `deferred`: it is that of the byte after the next one. */
static void put(struct by_hand *f, uint8_t even, bool deferred)
{
    f->frame[f->at] = even;
    if (deferred)
        f->frame[15] |= (uint8_t)(1u << f->at / 2);
    f->at += 2;
    if (f->at < ETM_FRAME_BYTES)
        return;
    if (f->status == ETM_OK)
        f->status = etm_vec_append(f->frames, f->frame, sizeof f->frame);
    memset(f->frame, 0, sizeof f->frame);
    f->at = 0;
}

#define ID(id) ((uint8_t)((unsigned)(id) << 1 | 1u))
#define FILLING 0xaa /* frames of zeros would be memory without trace */

/* In a frame of its own, n bytes of a source are missing. */
static int put_missing(uint8_t id, uint64_t n, struct etm_vec *frames)
{
    struct by_hand f = {.frames = frames};
    bool last;

    put(&f, ID(ETM_ID_NULL), false);
    put(&f, ID(id), true); /* the byte next to it is not of the source */
    /* no source has this ID; it is counted itself, and so are those after it */
    put(&f, ID(ETM_ID_SYNC), false);
    n -= n < 2 ? n : 2;
    while (n > 1) {
        last = f.at == ETM_FRAME_BYTES - 2;
        put(&f, FILLING, false);
        n -= last ? 1 : 2;
    }
    put(&f, ID(ETM_ID_NULL), n != 0 && f.at != ETM_FRAME_BYTES - 2);
    while (f.at != 0)
        put(&f, 0, false);
    return f.status;
}

/* Frames for the bytes that are missing, of which source is not known. */
static int put_gap(struct etm_orbflow *o, struct etm_vec *frames)
{
    uint64_t n = o->missing;
    int status = n != 0 ? flush(o, frames) : ETM_OK;

    o->missing = 0;
    if (n == 0 || status != ETM_OK)
        return status;
    /* what follows begins with its ID */
    etm_framer_free(o->framer);
    o->framer = NULL;
    status = new_framer(o);
    for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
        if (o->seen[id])
            status = put_missing((uint8_t)id, n, frames);
    return status;
}

/*
 * n more are missing. They become frames together with those that follow, at
 * the next good packet: each gap has a frame for each source, many times the
 * size of a short packet. Of a long one, many sources miss many bytes, so parts
 * of it are gaps of their own, which are not all in memory at a time.
 */
static int miss(struct etm_orbflow *o, uint64_t n, struct etm_vec *frames)
{
    if (o->good != 0)
        o->missing += n;
    return o->missing >= PACKET_MOST ? put_gap(o, frames) : ETM_OK;
}

static bool is_good(const struct etm_orbflow *o)
{
    const uint8_t *bytes = o->packet.data;
    uint8_t sum = 0;

    if (o->left != 0 || o->too_long || o->packet.n < PACKET_LEAST)
        return false;
    for (size_t i = 0; i < o->packet.n; i++)
        sum = (uint8_t)(sum + bytes[i]);
    return sum == 0;
}

static void begin_packet(struct etm_orbflow *o)
{
    o->packet.n = o->encoded = 0;
    o->left = 0;
    o->zero = o->too_long = false;
}

static int end_packet(struct etm_orbflow *o, struct etm_vec *frames)
{
    const uint8_t *bytes = o->packet.data;
    int status = ETM_OK;

    if (is_good(o)) {
        uint8_t id = bytes[0];

        o->good++;
        status = put_gap(o, frames);
        if (status == ETM_OK && id != ETM_ID_NULL && id < ETM_ID_RESERVED) {
            o->first = o->first != 0 ? o->first : id;
            o->seen[id] = true;
            status = etm_framer_push(o->framer, id, bytes + 1,
                                     o->packet.n - PACKET_LEAST);
            /* the bytes are at hand then, and it makes no difference in which
             * pieces packets come */
            if (status == ETM_OK)
                status = flush(o, frames);
        }
    } else if (o->good != 0) {
        o->damaged++;
        status = miss(o, o->encoded + 1, frames);
    }
    begin_packet(o);
    return status;
}

/* A byte that is not 0. */
static int take_byte(struct etm_orbflow *o, uint8_t byte,
                     struct etm_vec *frames)
{
    static const uint8_t nothing = 0;
    bool tells = o->left == 0;
    int status = ETM_OK;

    o->encoded++;
    if (o->packet.n >= PACKET_MOST) {
        o->too_long = true;
        if (o->encoded < PACKET_MOST)
            return ETM_OK;
        status = miss(o, o->encoded, frames);
        o->encoded = 0;
        return status;
    }
    if (!tells) {
        o->left--;
        return etm_vec_append(&o->packet, &byte, 1);
    }
    if (o->zero)
        status = etm_vec_append(&o->packet, &nothing, 1);
    o->left = (uint8_t)(byte - 1);
    o->zero = byte != 0xff;
    return status;
}

int etm_orbflow_push(struct etm_orbflow *o, const uint8_t *bytes, size_t n,
                     struct etm_vec *frames)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (bytes[i] != 0)
            status = take_byte(o, bytes[i], frames);
        else if (o->encoded != 0 || o->too_long)
            status = end_packet(o, frames);
    }
    return status;
}

int etm_orbflow_break(struct etm_orbflow *o, struct etm_vec *frames)
{
    int status = miss(o, o->encoded, frames);

    begin_packet(o);
    return status == ETM_OK ? put_gap(o, frames) : status;
}

int etm_orbflow_is(const uint8_t *bytes, size_t n,
                   const struct etm_allocator *allocator, bool *is)
{
    struct etm_orbflow o;
    struct etm_vec frames;
    size_t most = n < LOOK ? n : LOOK, packets = 0;
    int status = etm_orbflow_init(&o, allocator);

    etm_vec_init(&frames, 1, allocator);
    if (status == ETM_OK)
        status = etm_orbflow_push(&o, bytes, most, &frames);
    for (size_t i = 0; i + 1 < most; i++)
        packets += bytes[i] != 0 && bytes[i + 1] == 0;
    *is = status == ETM_OK && o.good == packets && packets >= LOOK_PACKETS;
    etm_vec_fini(&frames);
    etm_orbflow_fini(&o);
    return status;
}
