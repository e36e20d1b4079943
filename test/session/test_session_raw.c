/* SPDX-License-Identifier: Apache-2.0 */
/* Files of trace alone, made of those of the demos: a stream, frames, samples
 * of a port; and what their bytes look like. */
#include "../support/test.h"
#include "session_support.h"

#include "../support/random.h"

static const uint8_t sync[4] = {0xff, 0xff, 0xff, 0x7f};
static struct seen seen;
static uint8_t made[1 << 18]; /* a file */

static void forget_seen(struct etm_session *session)
{
    forget(&seen);
    etm_session_free(session);
}

/* Packets have the places of their bytes, which are so far apart. */
static void expect_places(unsigned apart)
{
    uint64_t at = 0;

    for (size_t i = 0; i < seen.n_packets; i++) {
        assert_int_equal(seen.packets[i].offset, apart * at);
        at += seen.packets[i].size;
    }
}

TEST(unframed_file_has_offsets_of_its_bytes)
{
    const struct seen *whole = &demos[0].whole;
    struct etm_session *session = see_like(
        &demos[0], whole->stream, whole->n_stream, ETM_FRAMING_NONE, &seen);

    expect_like(&demos[0], &seen);
    expect_places(1);
    forget_seen(session);
}

/* Samples of a port of 4 bits (ETMCR: size 0), one with trace disabled after
 * each byte; offsets are numbers of samples. */
TEST(port_samples_make_the_stream)
{
    const struct seen *whole = &demos[0].whole;
    char *end = (char *)made;
    struct etm_session *session;

    assert_true(16 * whole->n_stream + 64 < sizeof made);
    end += sprintf(end, "# TRACECTL TRACEDATA\n");
    for (size_t i = 0; i < whole->n_stream; i++)
        end += sprintf(end, "0 %x\n0 %x\n1 1\n", whole->stream[i] & 15u,
                       whole->stream[i] >> 4 & 15u);
    session = see_like(&demos[0], made, (size_t)(end - (char *)made),
                       ETM_FRAMING_PORT, &seen);
    expect_like(&demos[0], &seen);
    expect_places(3);
    forget_seen(session);
}

/* A capture of a narrow port that began within a byte. */
TEST(shifted_bits_are_put_right)
{
    const struct seen *whole = &demos[0].whole;

    for (unsigned shift = 1; shift < 8; shift++) {
        struct etm_session *session;
        size_t skip;

        memset(made, 0, whole->n_stream + 1);
        made[0] = (uint8_t)((1u << shift) - 1);
        for (size_t i = 0; i < whole->n_stream; i++) {
            unsigned bits = (unsigned)whole->stream[i] << shift;

            made[i] |= (uint8_t)bits;
            made[i + 1] |= (uint8_t)(bits >> 8);
        }
        session = see_like(&demos[0], made, whole->n_stream + 1,
                           ETM_FRAMING_NONE, &seen);
        /* the bits before the first A-sync are lost */
        assert_int_equal(seen.elements.all[0].kind, ETM_ELEMENT_LOST);
        assert_true(seen.elements.n >= whole->elements.n);
        skip = seen.elements.n - whole->elements.n;
        seen.elements.n -= skip;
        memmove(seen.elements.all, seen.elements.all + skip,
                seen.elements.n * sizeof *seen.elements.all);
        assert_int_equal(seen.n_stream, whole->n_stream);
        assert_memory_equal(seen.stream, whole->stream, whole->n_stream);
        assert_true(same_execution(&seen.elements, &whole->elements));
        for (size_t i = 0; i < seen.n_packets; i++)
            assert_true(seen.packets[i].offset <= whole->n_stream);
        forget_seen(session);
    }
}

/* A frame whose IDs are reserved ones: bytes are missing there, and no more. */
TEST(damaged_frame_is_a_gap)
{
    const struct seen *whole = &demos[0].whole;
    struct etm_session *session;
    size_t lost = 0;

    memcpy(made, demos[0].file, demos[0].n);
    made[16 * 100] = 0xff; /* ID 0x7f, which never appears in a frame */
    session =
        see_like(&demos[0], made, demos[0].n, ETM_FRAMING_CORESIGHT, &seen);
    assert_int_equal(count_kind(&seen.elements, ETM_ELEMENT_END), 1);
    for (size_t i = 0; i < seen.elements.n; i++)
        lost += seen.elements.all[i].kind == ETM_ELEMENT_LOST &&
                seen.elements.all[i].u.lost.reason == ETM_LOST_BAD_FRAME;
    assert_int_equal(lost, 1);
    assert_in_range(seen.n_stream, whole->n_stream - 299, whole->n_stream - 1);
    /* the packets' bytes are still those of the stream, to the byte */
    assert_int_equal(seen.n_bytes, seen.n_stream);
    assert_memory_equal(seen.bytes, seen.stream, seen.n_stream);
    assert_true(seen.elements.n > whole->elements.n / 2);
    forget_seen(session);
}

/* What a file that was opened without frames looks like. */
static enum etm_framing looks(const struct etm_session *session)
{
    enum etm_framing framing;

    OK(etm_session_guess_framing(session, 0, &framing));
    return framing;
}

static enum etm_framing look_at(const uint8_t *bytes, size_t n)
{
    static const struct etm_session_options options = {0};
    struct etm_session *session;
    enum etm_framing framing;

    write_file("small.bin", bytes, n);
    OK(etm_session_open(&session, in_directory("small.bin"), &options, NULL));
    framing = looks(session);
    etm_session_free(session);
    return framing;
}

/* E-305: synchronization every 16 frames, and blocks of 512 bytes. */
TEST(blocks_of_a_dstream_are_found)
{
    struct etm_session *session;
    size_t n = 0;

    for (size_t i = 0; i < demos[0].n; i++)
        for (unsigned k = 0; k < 5; k++) {
            if (k == 4 || i % 256 == 0)
                made[n++] = k < 4 ? sync[k] : demos[0].file[i];
            for (unsigned f = 0; f < 8 && n % 512 >= 504; f++)
                made[n++] = (uint8_t)(0x55 + f);
        }
    session = see_like(&demos[0], made, n, ETM_FRAMING_DSTREAM, &seen);
    assert_true(etm_session_buffer(session, 0)->blocks);
    expect_like(&demos[0], &seen);
    forget_seen(session);
    session = open_like(&demos[0], "trace.bin", ETM_FRAMING_NONE);
    assert_int_equal(looks(session), ETM_FRAMING_DSTREAM);
    etm_session_free(session);
}

/* E-316: half-word synchronization between halfwords of frames. */
TEST(the_stream_of_a_tpiu_is_told_from_memory)
{
    struct etm_session *session;
    size_t n = 0;

    for (size_t i = 0; i < demos[0].n; i++) {
        for (unsigned k = 0; k < sizeof sync && i % 512 == 0; k++)
            made[n++] = sync[k];
        for (unsigned k = 2; k < sizeof sync && i % 34 == 2; k++)
            made[n++] = sync[k];
        made[n++] = demos[0].file[i];
    }
    session = see_like(&demos[0], made, n, ETM_FRAMING_CORESIGHT, &seen);
    assert_int_equal(etm_session_buffer(session, 0)->framing, ETM_FRAMING_TPIU);
    expect_like(&demos[0], &seen);
    forget_seen(session);
    /* memory is nothing of the kind, nor is damage in it */
    for (unsigned damaged = 0; damaged < 2; damaged++) {
        memcpy(made, demos[0].file, demos[0].n);
        for (size_t i = 0; i < demos[0].n && damaged != 0; i += 160)
            made[i] = 0xff;
        write_file("memory.bin", made, demos[0].n);
        session = open_like(&demos[0], "memory.bin", ETM_FRAMING_CORESIGHT);
        assert_int_equal(etm_session_buffer(session, 0)->framing,
                         ETM_FRAMING_CORESIGHT);
        etm_session_free(session);
    }
}

/* E-343: the first bytes of memory with frames, which have few A-syncs; and
 * what was in them, cut anywhere, which has none. */
TEST(frames_of_small_memory_are_seen)
{
    for (size_t i = 0; i < COUNT(demos); i++) {
        const struct seen *whole = &demos[i].whole;
        size_t n = demos[i].n;

        for (size_t size = 64; size <= n && size < 8192; size += size / 3)
            assert_int_equal(look_at(demos[i].file, size),
                             ETM_FRAMING_CORESIGHT);
        memcpy(made, demos[i].file, 200);
        made[32] = 0xf1; /* a reserved trace ID: it is not certain */
        assert_int_equal(look_at(made, 200), ETM_FRAMING_NONE);
        for (size_t size = 64; size <= whole->n_stream; size += size / 3)
            for (size_t at = 0; at + size <= whole->n_stream; at += 97 + size)
                assert_int_equal(look_at(whole->stream + at, size),
                                 ETM_FRAMING_NONE);
    }
}

/* E-343: with one full synchronization, between frames or before them, they are
 * the output of a TPIU: nothing else sends it. */
TEST(frames_with_one_full_synchronization_are_of_a_tpiu)
{
    for (size_t i = 0; i < COUNT(demos); i++)
        for (size_t size = 64; size <= 1600; size += size / 48 * 16)
            for (size_t at = 0; at < size; at += 16) {
                memcpy(made, demos[i].file, at);
                memcpy(made + at, sync, 4);
                memcpy(made + at + 4, demos[i].file + at, size - at);
                assert_int_equal(look_at(made, size + 4), ETM_FRAMING_TPIU);
            }
}

/* More than a few kilobytes of frames: those of the demo, several times. */
static uint8_t *many_frames(size_t *n)
{
    size_t once = demos[0].n;
    uint8_t *all = malloc(3 * once);

    assert_non_null(all);
    for (size_t i = 0; i < 3; i++)
        memcpy(all + i * once, demos[0].file, once);
    *n = 3 * once;
    return all;
}

/* Put a full synchronization before byte `at` of frames, and a halfword one
 * after every `half` halfwords. Returns the size. */
static size_t as_tpiu(const uint8_t *frames, size_t n, size_t at, size_t half)
{
    size_t size = 0;

    for (size_t i = 0; i < n; i += 2) {
        memcpy(made + size, sync, i == at ? 4 : 0);
        size += i == at ? 4 : 0;
        memcpy(made + size, frames + i, 2);
        size += 2;
        if (i / 2 % half == half - 1) {
            memcpy(made + size, sync + 2, 2);
            size += 2;
        }
    }
    return size;
}

/* E-532: with one full synchronization they are the output of a TPIU, however
 * few halfword ones there are, and wherever the capture begins. */
TEST(many_frames_with_one_full_synchronization_are_of_a_tpiu)
{
    static const size_t halves[] = {17, 100, 1000, 5000};
    size_t n;
    uint8_t *frames = many_frames(&n);

    assert_true(2 * n < sizeof made);
    for (size_t i = 0; i < COUNT(halves); i++)
        for (size_t at = 0; at < n; at += n / 5 / 16 * 16)
            for (size_t cut = 0; cut <= 7 && cut <= at; cut += 7) {
                size_t size = as_tpiu(frames, n, at, halves[i]);

                assert_int_equal(look_at(made + cut, size - cut),
                                 ETM_FRAMING_TPIU);
            }
    free(frames);
}

/* E-532: frames of memory in which damage left these four bytes, and bytes that
 * are no frames. */
TEST(chance_is_no_full_synchronization)
{
    size_t n;
    uint8_t *frames = many_frames(&n);
    struct random random = {1};
    unsigned hits = 0;

    for (size_t at = 0; at + 4 <= n; at += n / 90) {
        enum etm_framing framing;
        uint8_t kept[4];

        memcpy(kept, frames + at, 4);
        memcpy(frames + at, sync, 4);
        framing = look_at(frames, n);
        assert_int_not_equal(framing, ETM_FRAMING_TPIU);
        hits += framing == ETM_FRAMING_CORESIGHT;
        memcpy(frames + at, kept, 4);
    }
    assert_true(hits > 70);
    for (size_t i = 0; i < n; i++)
        frames[i] = (uint8_t)random_next(&random);
    for (size_t at = 0; at + 4 <= n; at += n / 9) {
        memcpy(frames + at, sync, 4);
        assert_int_equal(look_at(frames, n), ETM_FRAMING_NONE);
        frames[at] = 0;
    }
    free(frames);
}

/* What it gives, too, unless it is to be read as it is. */
static struct etm_session *see_words(const char *name, uint8_t reverse,
                                     enum etm_framing framing)
{
    const struct etm_session_options options = {.guess = true,
                                                .framing = framing,
                                                .framing_told =
                                                    framing != ETM_FRAMING_NONE,
                                                .reverse_bytes = reverse};
    struct etm_session *session;

    OK(etm_session_open(&session, in_directory(name), &options, NULL));
    if (reverse != 1)
        see(session, 0, &seen);
    return session;
}

/* The bytes of each word are reversed; what is no whole one is kept. */
static void check_words(const uint8_t *stream, size_t n, size_t size,
                        unsigned word)
{
    struct etm_session *session;

    for (size_t i = 0; i < size; i++)
        made[i] = demos[0].file[i < size - size % word ? i ^ (word - 1) : i];
    write_file("reversed.bin", made, size);
    for (unsigned told = 0; told < 3; told++) {
        session =
            see_words("reversed.bin", (uint8_t)(told == 1 ? word : 0),
                      told == 2 ? ETM_FRAMING_CORESIGHT : ETM_FRAMING_NONE);
        assert_int_equal(etm_session_buffer(session, 0)->swapped, word);
        assert_true(etm_session_buffer(session, 0)->reversed);
        assert_int_equal(seen.n_stream, n);
        assert_memory_equal(seen.stream, stream, n);
        forget_seen(session);
    }
    session = see_words("reversed.bin", 1, ETM_FRAMING_NONE);
    assert_int_equal(etm_session_buffer(session, 0)->swapped, 0);
    forget_seen(session);
}

TEST(a_small_dump_in_the_wrong_order_is_put_right)
{
    static const size_t sizes[] = {1024, 2048, 4094, 9040};

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct etm_session *session;
        uint8_t *stream;
        size_t n;

        write_file("right.bin", demos[0].file, sizes[i]);
        session = see_words("right.bin", 0, ETM_FRAMING_NONE);
        assert_int_equal(etm_session_buffer(session, 0)->swapped, 0);
        stream = seen.stream;
        n = seen.n_stream;
        seen.stream = NULL;
        forget_seen(session);
        for (unsigned word = 2; word <= 8; word *= 2)
            check_words(stream, n, sizes[i], word);
        free(stream);
    }
}

int main(void)
{
    return tests_run_between(open_demos, close_demos);
}
