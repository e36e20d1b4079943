/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as the packets in which orbuculum sends trace: cut anywhere, the
 * same frames come out, and in them each source has the bytes of its good
 * packets, as a plain reader of the packets finds them.
 */
#include "fuzz.h"

#include "input/orbflow.h"
#include "port/frame.h"

static void to_frames(const uint8_t *bytes, size_t n, size_t step,
                      struct etm_vec *frames)
{
    const struct etm_allocator allocator = etm_allocator_or_default(NULL);
    struct etm_orbflow o;

    etm_vec_init(frames, 1, &allocator);
    must(etm_orbflow_init(&o, &allocator) == ETM_OK);
    for (size_t at = 0; at < n; at += step)
        must(etm_orbflow_push(&o, bytes + at, n - at < step ? n - at : step,
                              frames) == ETM_OK);
    must(etm_orbflow_break(&o, frames) == ETM_OK);
    etm_orbflow_fini(&o);
}

/* A packet without its stuffing, from the bytes before a 0: each distance
 * stands for a 0, but the first, and one behind 254 bytes. Its size; 0: it is
 * damaged. */
static size_t plain(const uint8_t *bytes, size_t n, uint8_t *packet)
{
    size_t size = 0, at = 0;
    uint8_t sum = 0, before = 0xff;

    while (at < n) {
        uint8_t distance = bytes[at++];

        if (before != 0xff)
            packet[size++] = 0;
        if (n - at < distance - 1u)
            return 0;
        memcpy(packet + size, bytes + at, distance - 1u);
        size += distance - 1u;
        at += distance - 1u;
        before = distance;
    }
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + packet[i]);
    return size < 2 || sum != 0 ? 0 : size;
}

/* The bytes of one source in all packets that end. */
static size_t of_source(const uint8_t *bytes, size_t n, uint8_t id,
                        uint8_t *stream)
{
    static uint8_t packet[1 << 16];
    size_t all = 0, from = 0;

    for (size_t at = 0; at < n; at++) {
        size_t size;

        if (bytes[at] != 0)
            continue;
        size = plain(bytes + from, at - from, packet);
        from = at + 1;
        if (size != 0 && packet[0] == id) {
            memcpy(stream + all, packet + 1, size - 2);
            all += size - 2;
        }
    }
    return all;
}

static void check(const struct etm_vec *frames, uint8_t id,
                  const uint8_t *stream, size_t n)
{
    struct etm_deframer d;
    struct etm_deframed made;

    etm_deframer_init(&d, ETM_FRAME_ALIGNED, id, &frames->allocator);
    d.fixed = true; /* as a session has it */
    if (frames->n != 0)
        must(etm_deframer_push(&d, frames->data, frames->n) == ETM_OK);
    must(etm_deframer_finish(&d) == ETM_OK);
    etm_deframer_take(&d, &made);
    must(made.n_bytes == n && (n == 0 || memcmp(made.bytes, stream, n) == 0));
    etm_deframer_fini(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t stream[1 << 16];
    const uint8_t step = take(&data, &size);
    const struct etm_allocator allocator = etm_allocator_or_default(NULL);
    struct etm_vec whole, cut;
    bool is;

    /* all of one is shorter than the longest packet */
    size = size < 16000 ? size : 16000;
    if (size == 0)
        return 0;
    to_frames(data, size, size, &whole);
    to_frames(data, size, 1u + step % 40, &cut);
    must(whole.n == cut.n &&
         (whole.n == 0 || memcmp(whole.data, cut.data, whole.n) == 0));
    for (uint8_t id = 1; id < ETM_ID_RESERVED; id++)
        check(&whole, id, stream, of_source(data, size, id, stream));
    must(etm_orbflow_is(data, size, &allocator, &is) == ETM_OK);
    etm_vec_fini(&whole);
    etm_vec_fini(&cut);
    return 0;
}
