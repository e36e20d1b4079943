/* SPDX-License-Identifier: Apache-2.0 */
/* Files of Linux's perf with CoreSight trace in them. */
#define _POSIX_C_SOURCE 200809L

#include "../support/scarce.h"
#include "capture_support.h"
#include "perf_support.h"

#include <string.h>

static int open_with(const struct etm_raw_options *options,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    return etm_capture_open_raw(&capture, in_directory("perf.data"), options,
                                allocator, diag);
}

static void open_file(void)
{
    struct etm_diag diag = {0};

    if (open_with(NULL, NULL, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
}

/* All versions of what perf says of the macrocells, in a file and as it writes
 * to a pipe. E-335 */
static void each_cpu_with_trace_is_a_source(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        const struct etm_capture_buffer *b;
        unsigned version = i % 3;

        begin(i > 2);
        put_info(version, ETMV3, version == 2 ? LEGACY : 0);
        if (version == 2) { /* the other way round */
            put_id(4, UINT64_C(1) << 56 | 0x10);
            put_id(0, UINT64_C(1) << 56 | 0x11);
        }
        put_trace(0, 0x11, 0x22);
        put_trace(7, 0x11, 0x44);
        put_trace(0, 0x10, 0x66);
        if (i > 2)
            write_file("perf.data", file.bytes, file.n);
        else
            end();
        open_file();
        assert_int_equal(capture.buffers.n, 2);
        b = capture.buffers.data;
        assert_string_equal(b[0].name, "aux_0");
        assert_int_equal(b[0].n, 32);
        assert_int_equal(b[0].bytes[1], 0x22);
        assert_int_equal(b[0].bytes[17], 0x66);
        assert_int_equal(b[0].framing, ETM_FRAMING_CORESIGHT);
        assert_string_equal(b[1].name, "aux_7");
        assert_int_equal(b[1].n, 16);
        assert_int_equal(capture.sources.n, 2);
        assert_string_equal(source_at(0)->name, "PTM_0");
        assert_string_equal(source_at(1)->name, "ETM_4");
        for (size_t k = 0; k < 2; k++) {
            const struct etm_config *c = &source_at(k)->config;

            assert_true(source_at(k)->decodable);
            assert_int_equal(source_at(k)->buffers.n, 2);
            assert_int_equal(c->protocol,
                             k == 0 ? ETM_PROTOCOL_PFT : ETM_PROTOCOL_ETMV3);
            assert_true(c->cycle_accurate);
            assert_int_equal(c->trace_id, version == 2 ? 0x11 - k : 0x10 + k);
            assert_int_equal(source_at(k)->id, c->trace_id);
        }
        etm_capture_close(&capture);
    }
}

static void only_what_occurs_is_a_source(void **state)
{
    (void)state;
    begin(false);
    put_info(1, ETMV3, 0);
    put_trace(0, 0x11, 0x22);
    put_trace(0, 0x33, 0x22);
    end();
    open_file();
    assert_int_equal(capture.sources.n, 1);
    assert_string_equal(source_at(0)->name, "ETM_4");
    assert_true(has_note("no CPU with an ETMv3 or PTM has trace ID 0x33"));
    etm_capture_close(&capture);
}

static void refuse(const struct etm_raw_options *o, int status,
                   const char *part)
{
    struct etm_diag diag = {0};

    assert_int_equal(open_with(o, NULL, &diag), status);
    if (strstr(diag.what, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", diag.what, part);
    assert_null(capture.sources.data);
}

static void what_cannot_be_decoded_is_refused(void **state)
{
    const struct etm_raw_options framed = {.framing = ETM_FRAMING_CORESIGHT};
    const struct etm_raw_options pft = {.protocol = ETM_PROTOCOL_PFT};

    (void)state;
    begin(false);
    put_info(1, ETMV3, 0);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "without CoreSight trace");
    put_trace(0, 0x10, 0x22);
    end();
    refuse(&framed, ETM_ERR_CONFIG, "its own configuration");
    refuse(&pft, ETM_ERR_CONFIG, "its own configuration");
    begin(false);
    put_trace(0, 0x10, 0x22);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "does not say what trace");
    /* more parameters than 32 bits can count */
    begin(false);
    put_record(70, 8 + 8 * (3 + 7));
    put(3, 4);
    put(0, 4);
    put(1, 8);
    put(1, 8);
    put(0, 8);
    put(ETMV3, 8);
    put(0, 8);
    put(UINT64_C(1) << 32 | 4, 8);
    for (unsigned k = 0; k < 4; k++)
        put(0x10, 8);
    put_trace(0, 0x10, 0x22);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "does not say what trace");
    begin(false);
    put_info(1, ETMV4, 0);
    put_trace(0, 0x10, 0x22);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "ETMv4");
}

/* Each record is looked for among them: a file of nothing else would take
 * hours. */
static void more_than_any_machine_has_is_refused(void **state)
{
    (void)state;
    begin(false);
    put_info(1, ETMV3, 0);
    for (uint32_t sink = 0; sink <= 4096; sink++)
        put_piece(sink, 0);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "more CPUs or sinks");
    begin(false);
    put_record(70, 8 + 8 * (3 + 7 * 1025));
    put(3, 4);
    put(0, 4);
    put(1, 8);
    put(1025, 8);
    put(0, 8);
    for (unsigned i = 0; i < 1025; i++) {
        put(ETMV3, 8);
        put(i, 8);
        put(4, 8);
        for (unsigned k = 0; k < 4; k++)
            put(0x10, 8);
    }
    put_trace(0, 0x10, 0x22);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "more CPUs or sinks");
}

/* Is the file read? Else it is refused with a reason. */
static bool is_read(void)
{
    struct etm_diag diag = {0};
    int status = open_with(NULL, NULL, &diag);

    if (status == ETM_OK)
        return true;
    assert_int_equal(status, ETM_ERR_FORMAT);
    assert_non_null(strstr(diag.source, "perf.data"));
    assert_true(diag.what[0] != '\0');
    return false;
}

/* Wherever a file ends, what is whole in it counts; and whatever bytes are in
 * it, it is read or refused. */
static void damaged_file_is_read_or_refused(void **state)
{
    static uint8_t whole[sizeof file.bytes];
    unsigned read = 0, refused = 0;
    uint64_t random = 1;
    size_t n;

    (void)state;
    begin(false);
    put_info(2, ETMV3, 0);
    put_id(4, 0x11);
    put_trace(0, 0x10, 0x22);
    put_trace(0, 0x11, 0x22);
    end();
    n = file.n;
    memcpy(whole, file.bytes, n);
    for (size_t cut = 16; cut < n; cut++) {
        write_file("perf.data", whole, cut);
        if (!is_read())
            continue;
        read++;
        assert_true(has_fault("is truncated"));
        assert_true(capture.sources.n >= 1 || cut < n - 80);
        etm_capture_close(&capture);
    }
    assert_true(read > 20);
    read = 0;
    for (unsigned i = 0; i < 300; i++) {
        memcpy(file.bytes, whole, n);
        for (unsigned k = 0; k < 3; k++) {
            random = random * UINT64_C(6364136223846793005) + 99;
            file.bytes[8 + (random >> 33) % (n - 8)] = (uint8_t)(random >> 20);
        }
        write_file("perf.data", file.bytes, n);
        if (!is_read()) {
            refused++;
            continue;
        }
        read++;
        /* there are two records of trace, of one sink or two */
        assert_in_range(capture.buffers.n, 1, 2);
        assert_in_range(capture.sources.n, 0, 2);
        etm_capture_close(&capture);
    }
    /* the seed gives some of each */
    assert_true(read > 20 && refused > 20);
}

/* The attributes of several events: those of the trace have another form of
 * samples than the first. */
static void event_of_the_trace_tells_where_cpus_stand(void **state)
{
    (void)state;
    begin(true);
    file.bytes[16 + 8] = 1;          /* not the PMU of put_info() */
    file.bytes[16 + 8 + 24 + 2] = 0; /* no identifier: CPU is last */
    put_record(64, 136);
    put(8, 4);
    put(120, 4);
    put(0, 8);
    put(1, 8);
    put(USUAL, 8);
    for (unsigned i = 0; i < 104; i++)
        put(0, 1);
    put_info(1, ETMV3, LEGACY);
    put_id(4, 0x10);
    put_id(0, 0x11);
    put_trace(0, 0x11, 0x22);
    write_file("perf.data", file.bytes, file.n);
    open_file();
    assert_int_equal(capture.sources.n, 1);
    assert_string_equal(source_at(0)->name, "PTM_0");
    etm_capture_close(&capture);
}

static void put_piece_at(uint64_t offset, uint64_t bytes)
{
    put_piece(0, bytes);
    file.n -= 40 - 8;
    put(offset, 8);
    file.n += 40 - 16;
}

/* Where trace was not copied the decoder does not go on. E-338 */
static void missing_trace_is_a_barrier(void **state)
{
    const struct etm_capture_buffer *b;

    (void)state;
    begin(false);
    put_info(1, ETMV3, 0);
    for (unsigned i = 0; i < 3; i++) {
        unsigned n = i == 1 ? 24 : 16;

        put_piece_at(i == 0 ? 64 : i == 1 ? 80 : 112, n);
        for (unsigned k = 0; k < n; k++)
            put(k == 0 ? 0x21 : 0x22, 1);
    }
    end();
    open_file();
    b = capture.buffers.data;
    assert_int_equal(b->n, 16 + 16 + 16 + 16);
    assert_int_equal(b->bytes[16], 0x21);
    for (unsigned i = 32; i < 48; i++)
        assert_int_equal(b->bytes[i], i % 4 == 3 ? 0x7f : 0xff);
    assert_int_equal(b->bytes[48], 0x21);
    etm_capture_close(&capture);
}

/* Records that are not read, or have something else after them. */
static void other_records_are_reported_or_passed_over(void **state)
{
    (void)state;
    begin(true);
    put_record(66, 4); /* tracing data of a pipe, 13 bytes of it */
    put(13, 4);
    for (unsigned i = 0; i < 16; i++)
        put(i < 13 ? 0xff : 0, 1);
    put_info(1, ETMV3, 0);
    put_record(81, 8);
    put(0, 8);
    put_trace(0, 0x11, 0x22);
    write_file("perf.data", file.bytes, file.n);
    open_file();
    assert_int_equal(capture.sources.n, 1);
    assert_true(has_note("compressed"));
    assert_false(has_note("is truncated"));
    etm_capture_close(&capture);
}

static void one_id_of_two_cpus_is_reported(void **state)
{
    (void)state;
    begin(false);
    put_info(1, ETMV3, 0);
    put_id(4, 0x10);
    put_trace(0, 0x10, 0x22);
    end();
    open_file();
    assert_int_equal(capture.sources.n, 1);
    assert_true(has_note("CPU 4 has the trace ID 0x10 of CPU 0"));
    etm_capture_close(&capture);
}

static void files_of_other_machines_are_refused(void **state)
{
    (void)state;
    begin(false);
    put_info(1, ETMV3, 0);
    put_trace(0, 0x10, 0x22);
    memcpy(file.bytes, "2ELIFREP", 8);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "from a big-endian machine");
    memcpy(file.bytes, "PERFFILE", 8);
    end();
    refuse(NULL, ETM_ERR_FORMAT, "from before Linux 3.6");
}

static void failing_allocation_is_reported(void **state)
{
    struct scarce scarce = {0};
    const struct etm_allocator allocator = {.resize = scarce_resize,
                                            .context = &scarce};
    int status = ETM_ERR_MEMORY;
    struct etm_diag diag;

    (void)state;
    begin(false);
    put_info(1, ETMV3, 0);
    put_trace(0, 0x10, 0x22);
    put_trace(1, 0x11, 0x22);
    end();
    for (unsigned i = 0; status != ETM_OK && i < 1000; i++) {
        scarce.left = i;
        status = open_with(NULL, &allocator, &diag);
        assert_true(status == ETM_OK || status == ETM_ERR_MEMORY);
    }
    assert_int_equal(status, ETM_OK);
    etm_capture_close(&capture);
}

/* 0x6f is the last trace ID of a source, 0x70 the first reserved one. */
static void a_reserved_id_is_of_no_source(void **state)
{
    static const uint8_t ids[] = {0x6f, 0x70, 0x7f, 0};

    (void)state;
    for (size_t i = 0; i < sizeof ids; i++) {
        begin(false);
        put_info(1, ETMV3, 0);
        put_id(4, ids[i]);
        put_trace(0, 0x10, 0x22);
        put_trace(0, 0x6f, 0x22);
        end();
        open_file();
        assert_int_equal(capture.sources.n, i == 0 ? 2 : 1);
        assert_int_equal(has_note("has trace ID 0x6f"), i != 0);
        assert_false(has_note("CPU 4 has the trace ID"));
        etm_capture_close(&capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_cpu_with_trace_is_a_source),
        cmocka_unit_test(only_what_occurs_is_a_source),
        cmocka_unit_test(what_cannot_be_decoded_is_refused),
        cmocka_unit_test(more_than_any_machine_has_is_refused),
        cmocka_unit_test(damaged_file_is_read_or_refused),
        cmocka_unit_test(event_of_the_trace_tells_where_cpus_stand),
        cmocka_unit_test(missing_trace_is_a_barrier),
        cmocka_unit_test(other_records_are_reported_or_passed_over),
        cmocka_unit_test(one_id_of_two_cpus_is_reported),
        cmocka_unit_test(files_of_other_machines_are_refused),
        cmocka_unit_test(a_reserved_id_is_of_no_source),
        cmocka_unit_test(failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
