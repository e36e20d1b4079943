/* SPDX-License-Identifier: Apache-2.0 */
/* Single frames, written by hand from the rules in <etm/port.h>. */
#include "../support/scarce.h"
#include "port_support.h"

static void assert_stream(const struct made *m, const char *bytes, size_t n)
{
    assert_int_equal(m->stream.n, n);
    if (n != 0)
        assert_memory_equal(m->stream.data, bytes, n);
}

static void assert_event(const struct made *m, size_t i,
                         enum etm_frame_event_kind kind, uint64_t file,
                         uint64_t n)
{
    assert_true(i < m->n_events);
    assert_int_equal(m->events[i].kind, kind);
    assert_int_equal(m->events[i].file, file);
    assert_int_equal(m->events[i].n, n);
}

/* ID 0x10 at once, then 14 bytes of it whose low bits are in byte 15. */
#define ONE_SOURCE                                                             \
    0x21, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab,    \
        0xac, 0xad, 0xae, 0x54

static void low_bits_of_even_bytes_come_from_byte_15(void **state)
{
    const uint8_t frame[] = {ONE_SOURCE};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, frame, sizeof frame);

    (void)state;
    /* 0x54: bits 2, 4 and 6, of bytes 4, 8 and 12. */
    assert_stream(m, "\xa1\xa2\xa3\xa5\xa5\xa6\xa7\xa9\xa9\xaa\xab\xad\xad\xae",
                  14);
    assert_int_equal(m->stream.place[0], 1);
    assert_int_equal(m->stream.place[13], 14);
    assert_int_equal(m->n_events, 0);
    assert_int_equal(m->counts.bytes[0x10], 14);
    assert_int_equal(m->counts.frames, 1);
    made_free(m);
}

static void an_id_with_its_flag_set_begins_one_byte_later(void **state)
{
    const uint8_t frame[] = {0x21, 0xa1, 0x23, 0xa2, 0xa4, 0xa5, 0x21, 0xa3,
                             0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac, 0x02};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, frame, sizeof frame);

    (void)state;
    assert_stream(m, "\xa1\xa2\xa3\xa6\xa7\xa8\xa9\xaa\xab\xac", 10);
    assert_int_equal(m->stream.place[1], 3);
    assert_int_equal(m->stream.place[2], 7);
    made_free(m);
    m = deframe(ETM_FRAME_ALIGNED, 0x11, frame, sizeof frame);
    assert_stream(m, "\xa4\xa5", 2);
    made_free(m);
}

/* E-60 */
static void an_id_in_byte_14_counts_from_the_next_frame(void **state)
{
    for (unsigned flag = 0; flag < 2; flag++) {
        const uint8_t frames[] = {
            0x21, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0x23,
            (uint8_t)(flag << 7),
            /* without an ID byte, then with another one at once */
            0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a,
            0x4b, 0x4c, 0x4d, 0x21, 0x00};
        struct made *m =
            deframe(ETM_FRAME_ALIGNED, 0x11, frames, sizeof frames);

        (void)state;
        assert_stream(m,
                      "\x40\x41\x42\x43\x44\x45\x46\x47\x48\x49\x4a\x4b\x4c"
                      "\x4d",
                      14);
        made_free(m);
        m = deframe(ETM_FRAME_ALIGNED, 0x10, frames, sizeof frames);
        assert_int_equal(m->stream.n, 13);
        made_free(m);
    }
}

/* E-61 */
static void an_id_byte_may_be_followed_by_another(void **state)
{
    /* 0x11 is announced for the byte after 0xb1 and replaced before that. */
    const uint8_t frame[] = {0x21, 0xa1, 0x23, 0xb1, 0x25, 0xc1, 0x01, 0,
                             0,    0,    0,    0,    0,    0,    0,    0x02};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, frame, sizeof frame);

    (void)state;
    assert_stream(m, "\xa1\xb1", 2);
    assert_int_equal(m->counts.bytes[0x11], 0);
    assert_int_equal(m->counts.bytes[0x12], 1);
    assert_int_equal(m->counts.bytes[0x00], 8);
    made_free(m);
}

/* V3-PORT-09 */
static void trigger_bytes_become_events(void **state)
{
    const uint8_t frame[] = {0x21, 0xa1, 0xfb, 0x10, 0x44, 0x21, 0x21, 0xa2,
                             0x01, 0,    0,    0,    0,    0,    0,    0x04};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, frame, sizeof frame);

    (void)state;
    assert_stream(m, "\xa1\xa2", 2);
    assert_int_equal(m->n_events, 3);
    assert_event(m, 0, ETM_FRAME_TRIGGER, 3, 1);
    assert_int_equal(m->events[0].value, 0x10);
    assert_event(m, 1, ETM_FRAME_TRIGGER, 4, 1);
    assert_int_equal(m->events[1].value, 0x45);
    assert_event(m, 2, ETM_FRAME_TRIGGER, 5, 1);
    assert_int_equal(m->n_gaps, 0);
    made_free(m);
}

/* E-67 */
static void bytes_before_the_first_id_belong_to_nobody(void **state)
{
    const uint8_t frames[] = {2,  1,  2,  3,  4, 5, 6, 7,    8,    9,    10,
                              11, 12, 13, 14, 0, 2, 1, 0x21, 0xa1, 0xa2, 0xa3,
                              1,  0,  0,  0,  0, 0, 0, 0,    0,    0};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, frames, sizeof frames);

    (void)state;
    assert_stream(m, "\xa1\xa2\xa3", 3);
    assert_int_equal(m->n_gaps, 0);
    assert_int_equal(m->n_events, 1);
    assert_event(m, 0, ETM_FRAME_UNKNOWN, 0, 17);
    assert_int_equal(m->counts.bytes[ETM_ID_UNKNOWN], 17);
    made_free(m);
}

/* E-62 */
static void a_reserved_id_costs_the_source_before_it_and_no_other(void **state)
{
    const uint8_t frame[] = {0x21, 0xa1, 0x23, 0xb1, 0xe7, 0xb2, 0xb4, 0xb5,
                             0x21, 0xa2, 0x23, 0xb6, 0x01, 0,    0,    0x00};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, frame, sizeof frame);

    (void)state;
    assert_stream(m, "\xa1\xa2", 2);
    assert_int_equal(m->n_gaps, 0);
    assert_int_equal(m->n_events, 1);
    assert_event(m, 0, ETM_FRAME_BAD, 4, 4);
    assert_int_equal(m->counts.bad, 4);
    made_free(m);
    m = deframe(ETM_FRAME_ALIGNED, 0x11, frame, sizeof frame);
    assert_stream(m, "\xb1\xb6", 2);
    assert_int_equal(m->n_gaps, 1);
    assert_int_equal(m->gaps[0], 1);
    assert_int_equal(m->lost, 4);
    made_free(m);
}

static void every_reserved_id_is_bad_unless_it_is_asked_for(void **state)
{
    (void)state;
    for (unsigned id = 1; id < 0x7f; id++) {
        const uint8_t frame[] = {(uint8_t)(id << 1 | 1),
                                 0xa1,
                                 0x01,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0,
                                 0};
        struct made *m;
        bool reserved = id >= 0x70 && id != ETM_ID_TRIGGER;

        m = deframe(ETM_FRAME_ALIGNED, 0, frame, sizeof frame);
        assert_int_equal(m->stream.n, 0);
        assert_int_equal(m->n_events, reserved || id == ETM_ID_TRIGGER);
        if (reserved)
            assert_event(m, 0, ETM_FRAME_BAD, 0, 2);
        made_free(m);
        if (id == ETM_ID_TRIGGER)
            continue;
        m = deframe(ETM_FRAME_ALIGNED, (uint8_t)id, frame, sizeof frame);
        assert_stream(m, "\xa1", 1);
        assert_int_equal(m->n_events, 0);
        made_free(m);
    }
}

static void memory_of_ones_gives_no_data_and_few_events(void **state)
{
    uint8_t bytes[4096];
    struct made *m;

    (void)state;
    memset(bytes, 0xff, sizeof bytes);
    m = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, sizeof bytes);
    assert_int_equal(m->stream.n, 0);
    assert_int_equal(m->n_events, 2);
    /* The flag of the first ID byte puts it after byte 1. */
    assert_event(m, 0, ETM_FRAME_UNKNOWN, 1, 1);
    assert_event(m, 1, ETM_FRAME_BAD, 0, 256 * 15 - 1);
    made_free(m);
    m = deframe(ETM_FRAME_TPIU, 0x10, bytes, sizeof bytes);
    assert_int_equal(m->stream.n, 0);
    assert_int_equal(m->n_events, 3);
    /* The last three may be the beginning of a synchronization. */
    assert_event(m, 1, ETM_FRAME_BAD, 0, 255 * 15 - 1);
    assert_event(m, 2, ETM_FRAME_BAD, 4080, 16);
    made_free(m);
}

/* E-63 */
static void zeros_at_the_end_are_no_data(void **state)
{
    uint8_t bytes[16 * 40] = {ONE_SOURCE};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, sizeof bytes);

    (void)state;
    assert_int_equal(m->stream.n, 14);
    assert_int_equal(m->counts.blank, 16 * 39);
    assert_int_equal(m->n_events, 0);
    made_free(m);
}

static void a_few_frames_of_zeros_between_others_are_data(void **state)
{
    uint8_t bytes[16 * 66] = {ONE_SOURCE};
    struct made *m;
    struct bytes expected;

    (void)state;
    bytes[sizeof bytes - 16] = 0x40;
    m = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, sizeof bytes);
    expected = slow_deframe(bytes, sizeof bytes, false, 0x10);
    assert_int_equal(m->stream.n, 14 + 15 * 65);
    assert_bytes_equal(&m->stream, &expected);
    assert_int_equal(m->n_gaps, 0);
    made_free(m);
    bytes_free(&expected);
}

/* E-63 */
static void many_frames_of_zeros_between_others_are_a_hole(void **state)
{
    uint8_t bytes[16 * 67] = {ONE_SOURCE};
    struct made *m;

    (void)state;
    bytes[sizeof bytes - 16] = 0x40;
    m = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, sizeof bytes);
    assert_int_equal(m->stream.n, 14 + 15);
    assert_event(m, 0, ETM_FRAME_BAD, 16, 16 * 65);
    assert_int_equal(m->n_gaps, 1);
    assert_int_equal(m->lost, 16 * 65);
    made_free(m);
}

/* E-68, E-97 */
static void a_frame_cut_off_by_the_end_is_bad(void **state)
{
    const uint8_t bytes[] = {ONE_SOURCE, ONE_SOURCE};

    (void)state;
    for (size_t n = 17; n < 32; n++) {
        for (int layout = 0; layout <= ETM_FRAME_TPIU; layout++) {
            struct made *m =
                deframe((enum etm_frame_layout)layout, 0x10, bytes, n);

            assert_int_equal(m->stream.n, 14);
            assert_int_equal(m->n_events, 1);
            assert_event(m, 0, ETM_FRAME_BAD, 16, n - 16);
            assert_int_equal(m->lost, n - 16);
            made_free(m);
        }
    }
}

/* E-66 */
static void four_syncs_in_memory_are_a_barrier(void **state)
{
    const uint8_t bytes[] = {ONE_SOURCE, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff,
                             0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff,
                             0xff, 0x7f,
                             /* whose bytes these are is not known any more */
                             0x40, 0x41, 0x42, 0x43, 0x21, 0xa1, 0xa2, 0xa3,
                             0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0x00};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, sizeof bytes);

    (void)state;
    assert_int_equal(m->stream.n, 14 + 10);
    assert_int_equal(m->stream.place[14], 37);
    assert_int_equal(m->n_gaps, 1);
    assert_int_equal(m->gaps[0], 14);
    assert_int_equal(m->n_events, 2);
    assert_event(m, 0, ETM_FRAME_BARRIER, 16, 16);
    assert_event(m, 1, ETM_FRAME_UNKNOWN, 32, 4);
    made_free(m);
    /* At the beginning nothing was lost that this stream ever had. */
    m = deframe(ETM_FRAME_ALIGNED, 0x10, bytes + 16, sizeof bytes - 16);
    assert_int_equal(m->stream.n, 10);
    assert_int_equal(m->n_gaps, 0);
    made_free(m);
}

/* E-66 */
static void fewer_syncs_in_memory_are_passed_over(void **state)
{
    const uint8_t bytes[] = {
        0xff, 0xff, 0xff, 0x7f, ONE_SOURCE, 0xff, 0xff, 0xff, 0x7f, 0xff,
        0xff, 0xff, 0x7f, 0x40, 1,          2,    3,    4,    5,    6,
        7,    8,    9,    10,   11,         12,   13,   14,   0};
    struct made *m = deframe(ETM_FRAME_ALIGNED, 0x10, bytes, sizeof bytes);

    (void)state;
    assert_int_equal(m->stream.n, 14 + 15);
    assert_int_equal(m->stream.place[14], 28);
    assert_int_equal(m->counts.full_syncs, 3);
    assert_int_equal(m->n_events, 0);
    assert_int_equal(m->n_gaps, 0);
    made_free(m);
}

static void frames_without_id_bytes_make_one_run(void **state)
{
    uint8_t bytes[16 * 100];
    struct etm_deframer_config config = {.size = sizeof config, .id = 0x10};
    struct etm_deframer *d;
    struct etm_deframed out;

    (void)state;
    memset(bytes, 0x42, sizeof bytes);
    bytes[0] = 0x21;
    assert_int_equal(etm_deframer_new(&d, &config), ETM_OK);
    assert_int_equal(etm_deframer_push(d, bytes, sizeof bytes), ETM_OK);
    etm_deframer_take(d, &out);
    assert_int_equal(out.n_runs, 1);
    assert_int_equal(out.runs[0].n, 1499);
    assert_int_equal(out.runs[0].at, 1);
    assert_int_equal(out.runs[0].file, 1);
    assert_int_equal(etm_frame_run_file(&out.runs[0], 13), 14);
    assert_int_equal(etm_frame_run_file(&out.runs[0], 14), 16);
    assert_int_equal(etm_frame_run_file(&out.runs[0], 1498), 16 * 99 + 14);
    etm_deframer_free(d);
}

static void misuse_is_refused(void **state)
{
    struct etm_deframer_config config = {.size = sizeof config, .id = 0x10};
    struct etm_deframer *d;

    (void)state;
    assert_int_equal(etm_deframer_new(NULL, &config), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_new(&d, NULL), ETM_ERR_ARGUMENT);
    config.size = 1;
    assert_int_equal(etm_deframer_new(&d, &config), ETM_ERR_ARGUMENT);
    config.size = sizeof config;
    config.id = ETM_ID_TRIGGER;
    assert_int_equal(etm_deframer_new(&d, &config), ETM_ERR_ARGUMENT);
    config.id = ETM_ID_SYNC;
    assert_int_equal(etm_deframer_new(&d, &config), ETM_ERR_ARGUMENT);
    assert_null(d);
    config.id = 0x10;
    assert_int_equal(etm_deframer_new(&d, &config), ETM_OK);
    assert_int_equal(etm_deframer_finish(d), ETM_OK);
    assert_int_equal(etm_deframer_push(d, (const uint8_t *)"", 1),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_finish(d), ETM_ERR_ARGUMENT);
    etm_deframer_free(d);
    etm_deframer_free(NULL);
}

static void a_stop_sequence_is_taken_off_in_bypass(void **state)
{
    (void)state;
    assert_int_equal(etm_bypass_size((const uint8_t *)"\x80\x01\0\0", 4), 1);
    assert_int_equal(etm_bypass_size((const uint8_t *)"\x80\x21\x01", 3), 2);
    assert_int_equal(etm_bypass_size((const uint8_t *)"\x80\x03\0\0", 4), 4);
    assert_int_equal(etm_bypass_size((const uint8_t *)"\0\0\0\0", 4), 4);
    assert_int_equal(etm_bypass_size((const uint8_t *)"", 0), 0);
}

static void lack_of_memory_is_reported_at_every_call(void **state)
{
    struct faulty faulty = {0};
    const struct etm_allocator allocator = {faulty_resize, &faulty};
    uint8_t bytes[16 * 200];
    struct etm_frame_counts counts;
    bool enough = false;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(i * 7 + i / 16);
    bytes[0] = 0x21;
    while (!enough) {
        struct etm_deframer_config config = {.size = sizeof config,
                                             .layout = ETM_FRAME_TPIU,
                                             .id = 0x10,
                                             .allocator = &allocator};
        struct etm_deframer *d;
        int status;

        faulty.fail_at++;
        faulty.calls = 0;
        status = etm_deframer_new(&d, &config);
        if (status == ETM_OK)
            status = etm_deframer_push(d, bytes, sizeof bytes);
        if (status == ETM_OK)
            status = etm_deframer_finish(d);
        enough = faulty.calls < faulty.fail_at;
        assert_int_equal(status, enough ? ETM_OK : ETM_ERR_MEMORY);
        etm_deframer_free(d);
    }
    assert_true(faulty.fail_at > 3);
    faulty = (struct faulty){.fail_at = 1};
    assert_int_equal(etm_frame_survey(&counts, ETM_FRAME_TPIU, bytes,
                                      sizeof bytes, &allocator),
                     ETM_ERR_MEMORY);
}

static void nothing_is_allocated_after_warm_up(void **state)
{
    struct faulty faulty = {0};
    const struct etm_allocator allocator = {faulty_resize, &faulty};
    uint8_t bytes[16 * 64];
    uint64_t seed = 7;
    struct etm_deframer_config config = {
        .size = sizeof config, .id = 0x10, .allocator = &allocator};
    struct etm_deframer *d;
    struct etm_deframed out;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)random_next(&seed);
        if (i % 2 == 0 && (bytes[i] & 1) != 0)
            bytes[i] &= 0x23; /* four trace IDs, */
        if (bytes[i] == 0x01)
            bytes[i] = 0x21; /* none of the null source */
    }
    assert_int_equal(etm_deframer_new(&d, &config), ETM_OK);
    for (unsigned round = 0; round < 100; round++) {
        if (round == 2)
            faulty.calls = 0;
        assert_int_equal(etm_deframer_push(d, bytes, sizeof bytes), ETM_OK);
        etm_deframer_take(d, &out);
    }
    assert_int_equal(faulty.calls, 0);
    etm_deframer_free(d);
}

static void nothing_takes_no_bytes(void **state)
{
    const uint8_t byte = 0;

    (void)state;
    assert_int_equal(etm_deframer_push(NULL, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_finish(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_realigner_push(NULL, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_realigner_finish(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_framer_push(NULL, 1, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_framer_flush(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_unpacker_push(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_push(NULL, &byte, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_drain(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_trigger(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_idle(NULL, 1), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(low_bits_of_even_bytes_come_from_byte_15),
        cmocka_unit_test(an_id_with_its_flag_set_begins_one_byte_later),
        cmocka_unit_test(an_id_in_byte_14_counts_from_the_next_frame),
        cmocka_unit_test(an_id_byte_may_be_followed_by_another),
        cmocka_unit_test(trigger_bytes_become_events),
        cmocka_unit_test(bytes_before_the_first_id_belong_to_nobody),
        cmocka_unit_test(a_reserved_id_costs_the_source_before_it_and_no_other),
        cmocka_unit_test(every_reserved_id_is_bad_unless_it_is_asked_for),
        cmocka_unit_test(memory_of_ones_gives_no_data_and_few_events),
        cmocka_unit_test(zeros_at_the_end_are_no_data),
        cmocka_unit_test(a_few_frames_of_zeros_between_others_are_data),
        cmocka_unit_test(many_frames_of_zeros_between_others_are_a_hole),
        cmocka_unit_test(a_frame_cut_off_by_the_end_is_bad),
        cmocka_unit_test(four_syncs_in_memory_are_a_barrier),
        cmocka_unit_test(fewer_syncs_in_memory_are_passed_over),
        cmocka_unit_test(frames_without_id_bytes_make_one_run),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(a_stop_sequence_is_taken_off_in_bypass),
        cmocka_unit_test(lack_of_memory_is_reported_at_every_call),
        cmocka_unit_test(nothing_is_allocated_after_warm_up),
        cmocka_unit_test(nothing_takes_no_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
