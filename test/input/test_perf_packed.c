/* SPDX-License-Identifier: Apache-2.0 */
/* Files of perf whose records are compressed (perf record -z). */
#define _POSIX_C_SOURCE 200809L

#include "../support/scarce.h"
#include "../support/test.h"
#include "capture_support.h"
#include "perf_support.h"

#include <unistd.h>

#include <zstd.h>

#define COMPRESSED 81u
#define COMPRESSED2 83u

static uint8_t plain[1 << 18], packed[1 << 16];

/* As perf does it: the records from byte `from` of the file on become one
 * stream, of which each record has what `piece` bytes are compressed to. */
static void pack(size_t from, size_t piece, unsigned type)
{
    ZSTD_CStream *stream = ZSTD_createCStream();
    size_t n = file.n - from;

    assert_non_null(stream);
    memcpy(plain, file.bytes + from, n);
    file.n = from;
    for (size_t i = 0; i < n; i += piece) {
        ZSTD_inBuffer in = {plain + i, n - i < piece ? n - i : piece, 0};
        ZSTD_outBuffer out = {packed, sizeof packed - 16, 0};
        size_t head = type == COMPRESSED2 ? 8 : 0, fill = 0;

        assert_int_equal(ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush),
                         0);
        assert_int_equal(in.pos, in.size);
        if (type == COMPRESSED2)
            fill = (8 - out.pos % 8) % 8;
        put_record(type, head + out.pos + fill);
        if (type == COMPRESSED2)
            put(out.pos, 8);
        for (size_t k = 0; k < out.pos + fill; k++)
            put(k < out.pos ? packed[k] : 0xff, 1);
    }
    assert_int_equal(ZSTD_freeCStream(stream), 0);
}

/* A sample, with numbers that are hardly compressed, or well. */
static void put_sample(size_t n, bool varied)
{
    static uint32_t random = 1;

    put_record(9, n);
    for (size_t i = 0; i < n; i++) {
        random = random * 1103515245u + 12345u;
        put(varied ? random >> 16 & 0xff : 0, 1);
    }
}

/* A trace ID, a program, and samples before, between and after them. */
static void put_all(void)
{
    put_sample(60000, false);
    put_sample(61000, true);
    put_id(0, 0x21);
    for (unsigned i = 0; i < 40; i++)
        put_sample(8 * i, true);
    put_mmap2(USER, 5, 0x8000, 0x1000, 0x74, NULL, 5, "/prog");
    put_sample(65000, false);
    put_mmap2(USER, 5, 0x40000000, 0x1000, 0x74, NULL, 5, "/prog");
    put_sample(400, true);
}

static void start(void)
{
    begin(false);
    put_info(1, ETMV3, LEGACY);
}

static int open_with(const struct etm_allocator *allocator)
{
    const struct etm_raw_options options = {.sysroot = perf_root()};
    struct etm_diag diag = {0};

    put_trace(0, 0x21, 0x22);
    end();
    return etm_capture_open_raw(&capture, in_directory("perf.data"), &options,
                                allocator, &diag);
}

TEST(compressed_records_are_what_they_were)
{
    static const size_t pieces[] = {7, 100, 4096, 60000};

    write_program("prog", false, NULL);
    for (unsigned i = 0; i < 2 * sizeof pieces / sizeof pieces[0]; i++) {
        size_t from;

        start();
        from = file.n;
        if (pieces[i / 2] < 4096) /* there is no room for so many records */
            put_mmap2(USER, 5, 0x8000, 0x1000, 0x74, NULL, 5, "/prog");
        else
            put_all();
        if (pieces[i / 2] < 4096)
            put_id(0, 0x21);
        pack(from, pieces[i / 2], i % 2 != 0 ? COMPRESSED2 : COMPRESSED);
        assert_ok(open_with(NULL));
        assert_int_equal(capture.sources.n, 1);
        assert_int_equal(code_at(0x802c), MOV);
        if (pieces[i / 2] >= 4096)
            assert_int_equal(code_at(0x4000002c), MOV);
        assert_false(has_note("compressed"));
        assert_false(has_note("is truncated"));
        etm_capture_close(&capture);
    }
}

/* What came before the damage is known. */
TEST(damage_is_reported)
{
    size_t from;

    write_program("prog", false, NULL);
    start();
    from = file.n;
    put_all();
    pack(from, 30000, COMPRESSED);
    for (unsigned i = 0; i < 64; i++)
        file.bytes[file.n - 1 - i] ^= 0x5a;
    assert_ok(open_with(NULL));
    assert_int_equal(code_at(0x802c), MOV);
    assert_true(has_note("some of its compressed records are damaged"));
    etm_capture_close(&capture);
    /* a record of no bytes, which would be endless; records within records */
    start();
    from = file.n;
    for (unsigned i = 0; i < 20000; i++)
        put(0, 8);
    pack(from, 50000, COMPRESSED);
    from = file.n;
    put_record(COMPRESSED, 8);
    put(0, 8);
    put_trace(0, 0x11, 0x22);
    pack(from, 50000, COMPRESSED2);
    put_id(0, 0x21);
    assert_ok(open_with(NULL));
    assert_int_equal(capture.sources.n, 1);
    assert_true(has_note("some of its compressed records are damaged"));
    etm_capture_close(&capture);
}

/* Of trace in them nothing is taken, since nobody writes it there. */
TEST(they_have_no_trace)
{
    size_t from;

    start();
    from = file.n;
    put_id(0, 0x21);
    put_trace(0, 0x10, 0x22);
    pack(from, 50000, COMPRESSED);
    assert_ok(open_with(NULL));
    assert_int_equal(capture.sources.n, 1);
    assert_int_equal(((struct etm_capture_buffer *)capture.buffers.data)->n,
                     16);
    etm_capture_close(&capture);
}

/* n records of zeros, each a piece of the stream, and a trace ID in the last
 * piece: a few bytes stand for 64 KB each. */
static void put_zeros(size_t n)
{
    ZSTD_CStream *stream = ZSTD_createCStream();
    size_t from = file.n;

    assert_non_null(stream);
    for (size_t i = 0; i <= n; i++) {
        ZSTD_inBuffer in = {plain, 0, 0};
        ZSTD_outBuffer out = {packed, sizeof packed - 16, 0};

        if (i < n)
            put_sample(65000, false);
        else
            put_id(0, 0x21);
        in.size = file.n - from;
        memcpy(plain, file.bytes + from, in.size);
        file.n = from;
        assert_int_equal(ZSTD_compressStream2(stream, &out, &in, ZSTD_e_flush),
                         0);
        put_record(COMPRESSED, out.pos);
        for (size_t k = 0; k < out.pos; k++)
            put(packed[k], 1);
        from = file.n;
    }
    assert_int_equal(ZSTD_freeCStream(stream), 0);
}

/* doc/reliability.md, "Limits": 64 MiB, however few bytes they are made of. */
TEST(what_stands_for_too_many_bytes_is_not_read)
{
    for (unsigned over = 0; over < 2; over++) {
        start();
        put_zeros(over != 0 ? 1100 : 1000);
        assert_ok(open_with(NULL));
        assert_int_equal(has_note("more than 200 times as long"), over != 0);
        assert_false(has_note("are damaged"));
        /* the frame after them is there in any case */
        assert_int_equal(((struct etm_capture_buffer *)capture.buffers.data)->n,
                         16);
        etm_capture_close(&capture);
    }
}

TEST(failing_allocation_is_reported)
{
    struct scarce scarce = {0};
    const struct etm_allocator allocator = {.resize = scarce_resize,
                                            .context = &scarce};
    int status = ETM_ERR_MEMORY;

    write_program("prog", false, NULL);
    for (unsigned i = 0; status != ETM_OK && i < 1000; i++) {
        size_t from;

        scarce.left = i;
        start();
        from = file.n;
        put_all();
        pack(from, 60000, COMPRESSED);
        status = open_with(&allocator);
        assert_true(status == ETM_OK || status == ETM_ERR_MEMORY);
    }
    assert_ok(status);
    etm_capture_close(&capture);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
