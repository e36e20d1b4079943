/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real captures, which are not part of the project: compared with a plain
 * deframer, with trc_pkt_lister if it is installed, and with the listing
 * beside the capture.
 */
#define _POSIX_C_SOURCE 200809L
#include "port_support.h"

#include <stdio.h>

static char path[4096];

static const char *shared(const char *name)
{
    const char *folder = getenv("ETM_SHARED");

    snprintf(path, sizeof path, "%s/captures/%s",
             folder != NULL ? folder : "../shared", name);
    return path;
}

/* The file, or a skipped test. */
static struct bytes read_capture(const char *name)
{
    FILE *file = fopen(shared(name), "rb");
    struct bytes b = {0};
    int byte;

    if (file == NULL) {
        print_message("%s is missing: skipped\n", path);
        skip();
    }
    while ((byte = fgetc(file)) != EOF)
        bytes_add(&b, (uint8_t)byte, 0);
    fclose(file);
    return b;
}

struct count {
    uint8_t id;
    uint64_t n;
};

static void assert_counts(const struct etm_frame_counts *counts,
                          const struct count *expected, size_t n)
{
    uint64_t total = 0, wanted = 0;

    for (size_t i = 0; i < n; i++) {
        assert_int_equal(counts->bytes[expected[i].id], expected[i].n);
        wanted += expected[i].n;
    }
    for (unsigned id = 0; id <= ETM_ID_UNKNOWN; id++)
        total += counts->bytes[id];
    assert_int_equal(total, wanted);
}

/* The bytes that the other decoder lists for one source. */
static struct bytes listed(const char *snapshot, unsigned id)
{
    char command[4200], line[512], tag[32];
    struct bytes b = {0};
    FILE *pipe;

    snprintf(command, sizeof command,
             "trc_pkt_lister -ss_dir '%s' -o_raw_unpacked "
             "-logfilename /dev/stdout",
             shared(snapshot));
    pipe = popen(command, "r");
    assert_non_null(pipe);
    snprintf(tag, sizeof tag, "ID_DATA[0x%02x];", id);
    while (fgets(line, sizeof line, pipe) != NULL) {
        char *at =
            strncmp(line, "Frame Data", 10) == 0 ? strstr(line, tag) : NULL;
        char *end;

        if (at == NULL)
            continue;
        for (at += strlen(tag);; at = end) {
            unsigned long value = strtoul(at, &end, 16);

            if (end == at)
                break;
            bytes_add(&b, (uint8_t)value, 0);
        }
    }
    pclose(pipe);
    return b;
}

static void compare_etb(const char *snapshot, const struct count *expected,
                        size_t n)
{
    char name[64];
    struct bytes capture;
    struct etm_frame_counts counts;
    bool other = system("command -v trc_pkt_lister >/dev/null") == 0;

    snprintf(name, sizeof name, "%s/cstrace.bin", snapshot);
    capture = read_capture(name);
    assert_int_equal(etm_frame_survey(&counts, ETM_FRAME_ALIGNED, capture.data,
                                      capture.n, NULL),
                     ETM_OK);
    assert_counts(&counts, expected, n);
    if (!other)
        print_message("trc_pkt_lister is missing: not compared with it\n");
    for (uint8_t id = 0x10; id < 0x15; id++) {
        struct made *m =
            deframe(ETM_FRAME_ALIGNED, id, capture.data, capture.n);
        struct bytes slow = slow_deframe(capture.data, capture.n, false, id);

        assert_bytes_equal(&m->stream, &slow);
        assert_int_equal(m->n_gaps, 0);
        assert_int_equal(m->counts.bad, 0);
        if (other && slow.n != 0) {
            struct bytes theirs = listed(snapshot, id);

            assert_int_equal(theirs.n, slow.n);
            assert_memory_equal(theirs.data, m->stream.data, slow.n);
            bytes_free(&theirs);
        }
        bytes_free(&slow);
        made_free(m);
    }
    bytes_free(&capture);
}

static void tc2_has_the_same_streams(void **state)
{
    static const struct count expected[] = {
        {0x10, 10873}, {0x11, 10619}, {0x12, 3153},
        {0x13, 4533},  {0x00, 36},    {ETM_ID_UNKNOWN, 22}};

    (void)state;
    compare_etb("tc2", expected, sizeof expected / sizeof *expected);
}

static void snowball_has_the_same_streams(void **state)
{
    static const struct count expected[] = {
        {0x10, 4340}, {0x11, 3104}, {0x00, 34}, {ETM_ID_UNKNOWN, 106}};

    (void)state;
    compare_etb("snowball", expected, sizeof expected / sizeof *expected);
}

static void stm32f105_stream_2_is_as_listed(void **state)
{
    static const struct count expected[] = {
        {0x00, 3149}, {0x01, 2619}, {0x02, 760}, {ETM_ID_TRIGGER, 8}};
    struct bytes capture = read_capture("stm32f105/trace.tpiu");
    struct made *m = deframe(ETM_FRAME_TPIU, 0x02, capture.data, capture.n);
    FILE *file = fopen(shared("stm32f105/reference/tpiu.txt"), "r");
    char line[256];
    size_t n = 0;

    (void)state;
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *data = strstr(line, "data: \"0x");

        if (data == NULL)
            continue;
        assert_true(n < m->stream.n);
        assert_int_equal(m->stream.data[n++], strtoul(data + 9, NULL, 16));
    }
    fclose(file);
    assert_int_equal(n, 760);
    assert_int_equal(m->stream.n, 760);
    assert_int_equal(m->n_gaps, 0);
    assert_int_equal(m->n_events, 8);
    for (size_t i = 0; i < m->n_events; i++)
        assert_int_equal(m->events[i].kind, ETM_FRAME_TRIGGER);
    assert_counts(&m->counts, expected, sizeof expected / sizeof *expected);
    made_free(m);
    bytes_free(&capture);
}

/* It has no full synchronization: what a shorter capture of it begins with
 * is found all the same (E-370). */
static void stm32f105_may_begin_at_any_byte(void **state)
{
    struct bytes capture = read_capture("stm32f105/trace.tpiu");
    struct made *all = deframe(ETM_FRAME_TPIU, 0x02, capture.data, capture.n);

    (void)state;
    for (size_t cut = 0; cut < 100; cut++) {
        struct made *m =
            deframe(ETM_FRAME_TPIU, 0x02, capture.data + cut, capture.n - cut);
        size_t before = all->stream.n - m->stream.n;

        assert_in_range(before, 0, 27);
        for (size_t i = 0; i < m->stream.n; i++) {
            assert_int_equal(m->stream.data[i], all->stream.data[before + i]);
            assert_int_equal(m->stream.place[i] + cut,
                             all->stream.place[before + i]);
        }
        made_free(m);
    }
    made_free(all);
    bytes_free(&capture);
}

/* The bytes of the stream from the one at `place` of the capture on, or after
 * that. */
static size_t from_place(const struct bytes *stream, uint64_t place)
{
    size_t i = 0;

    while (i < stream->n && stream->place[i] < place)
        i++;
    return i;
}

/* A serial adapter has lost bytes: a quarter of the capture later, all is as it
 * would have been (E-373). */
static void stm32f105_goes_on_after_missing_bytes(void **state)
{
    struct bytes capture = read_capture("stm32f105/trace.tpiu");
    struct made *all = deframe(ETM_FRAME_TPIU, 0x02, capture.data, capture.n);
    uint8_t *cut = malloc(capture.n);

    (void)state;
    assert_non_null(cut);
    for (size_t lost = 1; lost < 16; lost++) {
        size_t at = 1500 + 200 * lost, n = capture.n - lost;
        struct made *m, *in_steps;
        size_t i, k;

        memcpy(cut, capture.data, at);
        memcpy(cut + at, capture.data + at + lost, n - at);
        m = deframe(ETM_FRAME_TPIU, 0x02, cut, n);
        i = from_place(&all->stream, at + lost + capture.n / 4);
        k = from_place(&m->stream, at + capture.n / 4);
        assert_int_equal(m->stream.n - k, all->stream.n - i);
        assert_memory_equal(m->stream.data + k, all->stream.data + i,
                            m->stream.n - k);
        assert_true(m->n_gaps > 0);
        in_steps = deframe_in_steps(ETM_FRAME_TPIU, 0x02, cut, n, lost, 17);
        assert_same(m, in_steps);
        made_free(in_steps);
        made_free(m);
    }
    free(cut);
    made_free(all);
    bytes_free(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tc2_has_the_same_streams),
        cmocka_unit_test(snowball_has_the_same_streams),
        cmocka_unit_test(stm32f105_stream_2_is_as_listed),
        cmocka_unit_test(stm32f105_may_begin_at_any_byte),
        cmocka_unit_test(stm32f105_goes_on_after_missing_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
