/* SPDX-License-Identifier: Apache-2.0 */
/* Files of trace alone: a stream, frames, samples of a port. */
#include "session_support.h"

#include "../support/random.h"

static struct etm_session *open_raw(const char *path, enum etm_framing framing,
                                    const struct etm_session *like)
{
    const struct etm_source_info *info = etm_session_source(like, 0);
    struct etm_session_options options = {.framing = framing,
                                          .profile = info->config.profile,
                                          .registers = info->registers,
                                          .n_registers = info->n_registers};
    struct etm_session *session;
    struct etm_diag diag = {0};

    if (etm_session_open(&session, path, &options, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
    assert_int_equal(etm_session_sources(session), 1);
    return session;
}

/* The stream itself as a raw file: offsets are those of its bytes. */
static void unframed_file_has_offsets_of_its_bytes(void **state)
{
    struct etm_session *demo = open_demo("cortex-m3");
    struct etm_session *framed = open_raw(demo_path("cortex-m3", "cstrace.bin"),
                                          ETM_FRAMING_CORESIGHT, demo);
    struct etm_session *raw;
    struct seen a = {0}, b = {0};
    uint64_t at = 0;

    (void)state;
    see(framed, 0, &a);
    write_file("raw.bin", a.stream, a.n_stream);
    raw = open_raw(in_directory("raw.bin"), ETM_FRAMING_NONE, demo);
    see(raw, 0, &b);
    assert_int_equal(b.n_stream, a.n_stream);
    assert_memory_equal(b.stream, a.stream, a.n_stream);
    assert_int_equal(b.n_packets, a.n_packets);
    for (size_t i = 0; i < b.n_packets; i++) {
        assert_int_equal(b.packets[i].offset, at);
        at += b.packets[i].size;
    }
    assert_true(same_execution(&a.elements, &b.elements));
    forget(&a);
    forget(&b);
    etm_session_free(raw);
    etm_session_free(framed);
    etm_session_free(demo);
}

/* Memory that was filled with the formatter in bypass ends with 01 and zeros,
 * which would be a branch, and the beginning of an A-sync. E-334 */
static void stop_sequence_of_a_bypassed_formatter_is_no_trace(void **state)
{
    static const uint8_t trace[] = {0,    0,    0,    0,    0,    0x80, 0x08,
                                    0x00, 0x80, 0x00, 0x00, 0x21, 0x84, 0x01,
                                    0,    0,    0,    0,    0,    0};
    static const struct {
        enum etm_protocol protocol;
        size_t n, kept;
    } rows[] = {
        {ETM_PROTOCOL_PFT, 20, 13},   {ETM_PROTOCOL_PFT, 16, 13},
        {ETM_PROTOCOL_ETMV3, 16, 13}, {ETM_PROTOCOL_PFT, 15, 15},
        {ETM_PROTOCOL_PFT, 12, 12},   {ETM_PROTOCOL_ETMV2, 16, 16},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct etm_session_options o = {.protocol = rows[i].protocol};
        struct etm_session *session;
        struct etm_diag diag = {0};
        struct seen seen = {0};
        unsigned noted = 0;

        write_file("stop.bin", trace, rows[i].n);
        assert_int_equal(
            etm_session_open(&session, in_directory("stop.bin"), &o, &diag),
            ETM_OK);
        assert_int_equal(etm_session_bytes(session, 0), rows[i].kept);
        assert_int_equal(etm_session_buffer(session, 0)->stop,
                         rows[i].n - rows[i].kept);
        for (size_t k = 0; k < etm_session_notes(session); k++)
            noted += strstr(etm_session_note(session, k), "bypass") != NULL;
        assert_int_equal(noted, rows[i].kept != rows[i].n ? 1 : 0);
        see(session, 0, &seen);
        assert_int_equal(seen.n_stream, rows[i].kept);
        forget(&seen);
        etm_session_free(session);
    }
}

/* The same bytes at the end of a packet are its own. E-334 */
static void end_of_a_packet_is_no_stop_sequence(void **state)
{
    static const struct {
        enum etm_protocol protocol;
        size_t n, kept;
        uint8_t trace[20];
    } rows[] = {
        /* I-syncs: at address 0 in Thumb state; periodic; cut off */
        {ETM_PROTOCOL_ETMV3, 12, 12, {0, 0, 0, 0, 0, 0x80, 8, 0x21, 1}},
        {ETM_PROTOCOL_PFT, 12, 12, {0, 0, 0, 0, 0, 0x80, 8, 0, 2, 0, 0, 1}},
        {ETM_PROTOCOL_ETMV3, 8, 8, {0, 0, 0, 0, 0, 0x80, 8, 1}},
        {ETM_PROTOCOL_ETMV3,
         16,
         12,
         {0, 0, 0, 0, 0, 0x80, 8, 0x21, 1, 0, 0, 0, 1}},
        /* of a packet before which there is no A-sync nobody knows */
        {ETM_PROTOCOL_ETMV3, 8, 2, {8, 0x21, 1}},
        /* lost after a reserved header */
        {ETM_PROTOCOL_ETMV3, 8, 7, {0, 0, 0, 0, 0, 0x80, 0x22, 1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct etm_session_options o = {.protocol = rows[i].protocol};
        struct etm_session *session;
        struct etm_diag diag = {0};

        write_file("within.bin", rows[i].trace, rows[i].n);
        assert_int_equal(
            etm_session_open(&session, in_directory("within.bin"), &o, &diag),
            ETM_OK);
        assert_int_equal(etm_session_bytes(session, 0), rows[i].kept);
        etm_session_free(session);
    }
}

/* A capture of a narrow port that began within a byte. */
static void shifted_bits_are_put_right(void **state)
{
    struct etm_session *demo = open_demo("cortex-m3");
    struct etm_session *framed = open_raw(demo_path("cortex-m3", "cstrace.bin"),
                                          ETM_FRAMING_CORESIGHT, demo);
    struct seen whole = {0};
    uint8_t *shifted;

    (void)state;
    see(framed, 0, &whole);
    shifted = calloc(whole.n_stream + 1, 1);
    assert_non_null(shifted);
    for (unsigned shift = 1; shift < 8; shift++) {
        struct etm_session *raw;

        memset(shifted, 0, whole.n_stream + 1);
        shifted[0] = (uint8_t)((1u << shift) - 1);
        for (size_t i = 0; i < whole.n_stream; i++) {
            unsigned bits = (unsigned)whole.stream[i] << shift;

            shifted[i] |= (uint8_t)bits;
            shifted[i + 1] |= (uint8_t)(bits >> 8);
        }
        write_file("raw.bin", shifted, whole.n_stream + 1);
        raw = open_raw(in_directory("raw.bin"), ETM_FRAMING_NONE, demo);
        {
            struct seen seen = {0};
            size_t skip;

            see(raw, 0, &seen);
            /* the bits before the first A-sync are lost */
            assert_int_equal(seen.elements.all[0].kind, ETM_ELEMENT_LOST);
            assert_true(seen.elements.n >= whole.elements.n);
            assert_int_equal(seen.n_stream, whole.n_stream);
            assert_memory_equal(seen.stream, whole.stream, whole.n_stream);
            skip = seen.elements.n - whole.elements.n;
            seen.elements.n -= skip;
            memmove(seen.elements.all, seen.elements.all + skip,
                    seen.elements.n * sizeof *seen.elements.all);
            assert_true(same_execution(&seen.elements, &whole.elements));
            for (size_t i = 0; i < seen.n_packets; i++)
                assert_true(seen.packets[i].offset <= whole.n_stream);
            forget(&seen);
        }
        etm_session_free(raw);
    }
    free(shifted);
    forget(&whole);
    etm_session_free(framed);
    etm_session_free(demo);
}

/* Samples of a port of 4 bits (ETMCR: size 0), one with trace disabled after
 * each byte; offsets are numbers of samples. */
static void port_samples_make_the_stream(void **state)
{
    struct etm_session *demo = open_demo("cortex-m3");
    struct etm_session *framed = open_raw(demo_path("cortex-m3", "cstrace.bin"),
                                          ETM_FRAMING_CORESIGHT, demo);
    struct etm_session *port;
    struct seen a = {0}, b = {0};
    uint64_t at = 0;
    char *text, *end;

    (void)state;
    see(framed, 0, &a);
    text = end = malloc(16 * a.n_stream + 64);
    assert_non_null(text);
    end += sprintf(end, "# TRACECTL TRACEDATA\n");
    for (size_t i = 0; i < a.n_stream; i++)
        end += sprintf(end, "0 %x\n0 %x\n1 1\n", a.stream[i] & 15u,
                       a.stream[i] >> 4 & 15u);
    write_file("port.txt", text, (size_t)(end - text));
    port = open_raw(in_directory("port.txt"), ETM_FRAMING_PORT, demo);
    see(port, 0, &b);
    assert_int_equal(b.n_stream, a.n_stream);
    assert_memory_equal(b.stream, a.stream, a.n_stream);
    assert_int_equal(b.n_packets, a.n_packets);
    for (size_t i = 0; i < b.n_packets; i++) {
        assert_int_equal(b.packets[i].offset, 3 * at);
        at += b.packets[i].size;
    }
    assert_true(same_execution(&a.elements, &b.elements));
    free(text);
    forget(&a);
    forget(&b);
    etm_session_free(port);
    etm_session_free(framed);
    etm_session_free(demo);
}

static void port_text_that_is_no_sample_is_one_error(void **state)
{
    struct etm_session *demo = open_demo("cortex-m3");
    struct etm_session *port;
    struct seen seen = {0};
    struct etm_session_run run = {.context = &seen};
    struct etm_diag diag = {0};

    (void)state;
    write_text("port.txt", "0 0\n0 0\n0 x\n0 0\n");
    port = open_raw(in_directory("port.txt"), ETM_FRAMING_PORT, demo);
    assert_int_equal(etm_session_run_source(port, 0, &run, &diag),
                     ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "port.txt", 3, "hexadecimal");
    etm_session_free(port);
    etm_session_free(demo);
}

/* A frame whose IDs are reserved ones: bytes are missing there, and no more. */
static void damaged_frame_is_a_gap(void **state)
{
    struct etm_session *demo = open_demo("cortex-m3");
    struct etm_session *raw;
    struct seen whole = {0}, seen = {0};
    size_t n, lost = 0;
    uint8_t *file = read_whole(demo_path("cortex-m3", "cstrace.bin"), &n);

    (void)state;
    raw = open_raw(demo_path("cortex-m3", "cstrace.bin"), ETM_FRAMING_CORESIGHT,
                   demo);
    see(raw, 0, &whole);
    etm_session_free(raw);
    file[16 * 100] = 0xff; /* ID 0x7f, which never appears in a frame */
    write_file("bad.bin", file, n);
    raw = open_raw(in_directory("bad.bin"), ETM_FRAMING_CORESIGHT, demo);
    see(raw, 0, &seen);
    assert_int_equal(count_kind(&seen.elements, ETM_ELEMENT_END), 1);
    for (size_t i = 0; i < seen.elements.n; i++)
        lost += seen.elements.all[i].kind == ETM_ELEMENT_LOST &&
                seen.elements.all[i].u.lost.reason == ETM_LOST_BAD_FRAME;
    assert_int_equal(lost, 1);
    assert_true(seen.n_stream < whole.n_stream);
    assert_true(seen.n_stream > whole.n_stream - 300);
    /* the packets' bytes are still those of the stream, to the byte */
    assert_int_equal(seen.n_bytes, seen.n_stream);
    assert_memory_equal(seen.bytes, seen.stream, seen.n_stream);
    assert_true(seen.elements.n > whole.elements.n / 2);
    forget(&whole);
    forget(&seen);
    free(file);
    etm_session_free(raw);
    etm_session_free(demo);
}

/* E-305: synchronization every 16 frames, and blocks of 512 bytes. */
static void blocks_of_a_dstream_are_found(void **state)
{
    struct etm_session *demo = open_demo("cortex-m3");
    struct etm_session *raw;
    struct seen whole = {0}, seen = {0};
    enum etm_framing looks;
    size_t n, made = 0;
    uint8_t *file = read_whole(demo_path("cortex-m3", "cstrace.bin"), &n);
    uint8_t *blocks = malloc(2 * n);

    (void)state;
    assert_non_null(blocks);
    for (size_t i = 0; i < n; i++) {
        static const uint8_t sync[] = {0xff, 0xff, 0xff, 0x7f};

        for (unsigned k = 0; k < 5; k++) {
            if (k == 4 || i % 256 == 0)
                blocks[made++] = k < 4 ? sync[k] : file[i];
            for (unsigned f = 0; f < 8 && made % 512 >= 504; f++)
                blocks[made++] = (uint8_t)(0x55 + f);
        }
    }
    raw = open_raw(demo_path("cortex-m3", "cstrace.bin"), ETM_FRAMING_CORESIGHT,
                   demo);
    see(raw, 0, &whole);
    etm_session_free(raw);
    write_file("blocks.bin", blocks, made);
    raw = open_raw(in_directory("blocks.bin"), ETM_FRAMING_DSTREAM, demo);
    assert_true(etm_session_buffer(raw, 0)->blocks);
    assert_int_equal(etm_session_sources(raw), 1);
    see(raw, 0, &seen);
    assert_int_equal(seen.n_stream, whole.n_stream);
    assert_memory_equal(seen.stream, whole.stream, whole.n_stream);
    assert_true(same_execution(&whole.elements, &seen.elements));
    etm_session_free(raw);
    raw = open_raw(in_directory("blocks.bin"), ETM_FRAMING_NONE, demo);
    assert_int_equal(etm_session_guess_framing(raw, 0, &looks), ETM_OK);
    assert_int_equal(looks, ETM_FRAMING_DSTREAM);
    etm_session_free(raw);
    forget(&whole);
    forget(&seen);
    free(file);
    free(blocks);
    etm_session_free(demo);
}

/* E-316: half-word synchronization between halfwords of frames. */
static void the_stream_of_a_tpiu_is_told_from_memory(void **state)
{
    static const uint8_t full[] = {0xff, 0xff, 0xff, 0x7f};
    struct etm_session *demo = open_demo("cortex-m3");
    struct etm_session *raw;
    struct seen whole = {0}, seen = {0};
    size_t n, made = 0;
    uint8_t *file = read_whole(demo_path("cortex-m3", "cstrace.bin"), &n);
    uint8_t *stream = malloc(3 * n);

    (void)state;
    assert_non_null(stream);
    raw = open_raw(demo_path("cortex-m3", "cstrace.bin"), ETM_FRAMING_CORESIGHT,
                   demo);
    assert_int_equal(etm_session_buffer(raw, 0)->framing,
                     ETM_FRAMING_CORESIGHT);
    see(raw, 0, &whole);
    etm_session_free(raw);
    for (size_t i = 0; i < n; i++) {
        for (unsigned k = 0; k < sizeof full && i % 512 == 0; k++)
            stream[made++] = full[k];
        for (unsigned k = 2; k < sizeof full && i % 34 == 2; k++)
            stream[made++] = full[k];
        stream[made++] = file[i];
    }
    write_file("tpiu.bin", stream, made);
    raw = open_raw(in_directory("tpiu.bin"), ETM_FRAMING_CORESIGHT, demo);
    assert_int_equal(etm_session_buffer(raw, 0)->framing, ETM_FRAMING_TPIU);
    see(raw, 0, &seen);
    assert_int_equal(seen.n_stream, whole.n_stream);
    assert_memory_equal(seen.stream, whole.stream, whole.n_stream);
    assert_true(same_execution(&whole.elements, &seen.elements));
    etm_session_free(raw);
    /* damage in memory is nothing of the kind */
    for (size_t i = 0; i < n; i += 160)
        file[i] = 0xff;
    write_file("damaged.bin", file, n);
    raw = open_raw(in_directory("damaged.bin"), ETM_FRAMING_CORESIGHT, demo);
    assert_int_equal(etm_session_buffer(raw, 0)->framing,
                     ETM_FRAMING_CORESIGHT);
    etm_session_free(raw);
    forget(&whole);
    forget(&seen);
    free(file);
    free(stream);
    etm_session_free(demo);
}

static enum etm_framing look_at(const uint8_t *bytes, size_t n)
{
    static const struct etm_session_options options = {0};
    struct etm_session *session;
    enum etm_framing looks;

    write_file("small.bin", bytes, n);
    assert_int_equal(
        etm_session_open(&session, in_directory("small.bin"), &options, NULL),
        ETM_OK);
    assert_int_equal(etm_session_guess_framing(session, 0, &looks), ETM_OK);
    etm_session_free(session);
    return looks;
}

/* E-343: the first bytes of memory with frames, which have few A-syncs; and
 * what was in them, cut anywhere, which has none. */
static void frames_of_small_memory_are_seen(void **state)
{
    static const char *const demos[] = {"cortex-m3", "cortex-a9"};

    (void)state;
    for (size_t i = 0; i < sizeof demos / sizeof *demos; i++) {
        struct etm_session *demo = open_demo(demos[i]), *raw;
        struct seen whole = {0};
        size_t n;
        uint8_t *file = read_whole(demo_path(demos[i], "cstrace.bin"), &n);

        raw = open_raw(demo_path(demos[i], "cstrace.bin"),
                       ETM_FRAMING_CORESIGHT, demo);
        see(raw, 0, &whole);
        etm_session_free(raw);
        for (size_t size = 64; size <= n && size < 8192; size += size / 3)
            assert_int_equal(look_at(file, size), ETM_FRAMING_CORESIGHT);
        file[32] = 0xf1; /* a reserved trace ID: it is not certain */
        assert_int_equal(look_at(file, 200), ETM_FRAMING_NONE);
        for (size_t size = 64; size <= whole.n_stream; size += size / 3)
            for (size_t at = 0; at + size <= whole.n_stream; at += 97 + size)
                assert_int_equal(look_at(whole.stream + at, size),
                                 ETM_FRAMING_NONE);
        forget(&whole);
        free(file);
        etm_session_free(demo);
    }
}

/* E-343: with one full synchronization, between frames or before them, they are
 * the output of a TPIU: nothing else sends it. */
static void frames_with_one_full_synchronization_are_of_a_tpiu(void **state)
{
    static const char *const demos[] = {"cortex-m3", "cortex-a9"};
    static const uint8_t sync[4] = {0xff, 0xff, 0xff, 0x7f};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        size_t n;
        uint8_t *file = read_whole(demo_path(demos[i], "cstrace.bin"), &n);

        assert_true(n >= 1600);
        for (size_t size = 64; size <= 1600; size += size / 48 * 16)
            for (size_t at = 0; at < size; at += 16) {
                uint8_t bytes[1604];

                memcpy(bytes, file, at);
                memcpy(bytes + at, sync, 4);
                memcpy(bytes + at + 4, file + at, size - at);
                assert_int_equal(look_at(bytes, size + 4), ETM_FRAMING_TPIU);
            }
        free(file);
    }
}

/* More than a few kilobytes of frames: those of the demo, several times. */
static uint8_t *many_frames(size_t *n)
{
    size_t once;
    uint8_t *file = read_whole(demo_path("cortex-m3", "cstrace.bin"), &once);
    uint8_t *all = malloc(3 * once);

    assert_non_null(all);
    for (size_t i = 0; i < 3; i++)
        memcpy(all + i * once, file, once);
    free(file);
    *n = 3 * once;
    return all;
}

/* Put a full synchronization before byte `at` of frames, and a halfword one
 * after every `half` halfwords. Returns the size. */
static size_t as_tpiu(const uint8_t *frames, size_t n, size_t at, size_t half,
                      uint8_t *out)
{
    static const uint8_t sync[4] = {0xff, 0xff, 0xff, 0x7f};
    size_t made = 0;

    for (size_t i = 0; i < n; i += 2) {
        memcpy(out + made, sync, i == at ? 4 : 0);
        made += i == at ? 4 : 0;
        memcpy(out + made, frames + i, 2);
        made += 2;
        if (i / 2 % half == half - 1) {
            memcpy(out + made, sync + 2, 2);
            made += 2;
        }
    }
    return made;
}

/* E-532: with one full synchronization they are the output of a TPIU, however
 * few halfword ones there are, and wherever the capture begins. */
static void
many_frames_with_one_full_synchronization_are_of_a_tpiu(void **state)
{
    static const size_t halves[] = {17, 100, 1000, 5000};
    size_t n;
    uint8_t *frames = many_frames(&n), *stream = malloc(2 * n);

    (void)state;
    assert_non_null(stream);
    for (size_t i = 0; i < 4; i++)
        for (size_t at = 0; at < n; at += n / 5 / 16 * 16)
            for (size_t cut = 0; cut <= 7 && cut <= at; cut += 7) {
                size_t made = as_tpiu(frames, n, at, halves[i], stream);

                assert_int_equal(look_at(stream + cut, made - cut),
                                 ETM_FRAMING_TPIU);
            }
    free(stream);
    free(frames);
}

/* E-532: frames of memory in which damage left these four bytes, and bytes that
 * are no frames. */
static void chance_is_no_full_synchronization(void **state)
{
    static const uint8_t sync[4] = {0xff, 0xff, 0xff, 0x7f};
    size_t n;
    uint8_t *frames = many_frames(&n), *noise = malloc(n);
    struct random random = {1};
    enum etm_framing looks;
    unsigned hits = 0;

    (void)state;
    assert_non_null(noise);
    for (size_t at = 0; at + 4 <= n; at += n / 90) {
        uint8_t kept[4];

        memcpy(kept, frames + at, 4);
        memcpy(frames + at, sync, 4);
        looks = look_at(frames, n);
        assert_int_not_equal(looks, ETM_FRAMING_TPIU);
        hits += looks == ETM_FRAMING_CORESIGHT;
        memcpy(frames + at, kept, 4);
    }
    assert_true(hits > 70);
    for (size_t i = 0; i < n; i++)
        noise[i] = (uint8_t)random_next(&random);
    for (size_t at = 0; at + 4 <= n; at += n / 9) {
        memcpy(noise + at, sync, 4);
        assert_int_equal(look_at(noise, n), ETM_FRAMING_NONE);
        noise[at] = 0;
    }
    free(noise);
    free(frames);
}

/* What OpenOCD's "etm dump" wrote: head and two samples. */
static void file_of_openocd_looks_like_samples_of_a_port(void **state)
{
    static const struct etm_session_options options = {0};
    uint8_t file[36] = {[6] = 0x10, [7] = 0x10, [11] = 2, [15] = 7, [27] = 4};
    struct etm_session *session;
    enum etm_framing looks;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        write_file("etm.bin", file, sizeof file);
        assert_int_equal(
            etm_session_open(&session, in_directory("etm.bin"), &options, NULL),
            ETM_OK);
        assert_int_equal(etm_session_guess_framing(session, 0, &looks), ETM_OK);
        assert_int_equal(looks, i == 0 ? ETM_FRAMING_PORT : ETM_FRAMING_NONE);
        etm_session_free(session);
        file[11] = 3; /* which it has not */
    }
}

static void frames_without_a_source_are_noted(void **state)
{
    const struct etm_session_options options = {.framing =
                                                    ETM_FRAMING_CORESIGHT};
    static const uint8_t zeros[64];
    struct etm_session *session;

    (void)state;
    write_file("zeros.bin", zeros, sizeof zeros);
    assert_int_equal(
        etm_session_open(&session, in_directory("zeros.bin"), &options, NULL),
        ETM_OK);
    assert_int_equal(etm_session_sources(session), 0);
    assert_int_equal(etm_session_notes(session), 1);
    assert_non_null(strstr(etm_session_note(session, 0), "no trace ID occurs"));
    assert_null(etm_session_note(session, 1));
    etm_session_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unframed_file_has_offsets_of_its_bytes),
        cmocka_unit_test(stop_sequence_of_a_bypassed_formatter_is_no_trace),
        cmocka_unit_test(end_of_a_packet_is_no_stop_sequence),
        cmocka_unit_test(shifted_bits_are_put_right),
        cmocka_unit_test(port_samples_make_the_stream),
        cmocka_unit_test(port_text_that_is_no_sample_is_one_error),
        cmocka_unit_test(damaged_frame_is_a_gap),
        cmocka_unit_test(frames_of_small_memory_are_seen),
        cmocka_unit_test(frames_with_one_full_synchronization_are_of_a_tpiu),
        cmocka_unit_test(
            many_frames_with_one_full_synchronization_are_of_a_tpiu),
        cmocka_unit_test(chance_is_no_full_synchronization),
        cmocka_unit_test(file_of_openocd_looks_like_samples_of_a_port),
        cmocka_unit_test(frames_without_a_source_are_noted),
        cmocka_unit_test(blocks_of_a_dstream_are_found),
        cmocka_unit_test(the_stream_of_a_tpiu_is_told_from_memory),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
