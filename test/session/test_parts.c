/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that adjoin, of captures in several buffers, of which some are empty:
 * their elements are those of the whole. */
#include "../input/support.h"
#include "support/capture.h"

#include <etm/port.h>
#include <etm/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 200000u

static struct etm_test_elements whole, parts;

/* As much of a PFT as can be known without code: triggers, and syncs. */
static void write_buffer(const char *name, size_t n)
{
    static const uint8_t sync[] = {0,    0,    0,    0,    0,    0x80,
                                   0x08, 0x00, 0x00, 0x10, 0x00, 0x21};
    static uint8_t bytes[MOST];

    assert_true(n <= MOST);
    memset(bytes, 0x0c, n);
    for (size_t i = 0; i + sizeof sync < n; i += 1000)
        memcpy(bytes + i, sync, sizeof sync);
    write_file(name, bytes, n);
}

static struct etm_session *open_buffers(const size_t *sizes, size_t n)
{
    struct etm_session *session;
    struct etm_diag diag;
    char ini[2000] = "[trace_buffers]\nbuffers=";
    char names[100] = "", file[32];
    size_t at;

    for (size_t i = 0; i < n; i++) {
        snprintf(file, sizeof file, "%zu.bin", i);
        write_buffer(file, sizes[i]);
        at = strlen(ini);
        snprintf(ini + at, sizeof ini - at, "%sb%zu", i != 0 ? "," : "", i);
        at = strlen(names);
        snprintf(names + at, sizeof names - at, "%sETB_%zu", i != 0 ? "," : "",
                 i);
    }
    for (size_t i = 0; i < n; i++) {
        at = strlen(ini);
        snprintf(ini + at, sizeof ini - at,
                 "\n[b%zu]\nname=ETB_%zu\nfile=%zu.bin\nformat=source_data\n",
                 i, i, i);
    }
    at = strlen(ini);
    snprintf(ini + at, sizeof ini - at, "[source_buffers]\nPTM_0=%s\n", names);
    write_text("trace.ini", ini);
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.1\n[regs]\nETMCR=0\nETMIDR=0x411CF310\n");
    write_text("snapshot.ini",
               "[snapshot]\nversion=1.0\n[device_list]\n"
               "device0=ptm.ini\n[trace]\nmetadata=trace.ini\n");
    assert_int_equal(etm_session_open(&session, in_directory(""), NULL, &diag),
                     ETM_OK);
    assert_int_equal(etm_session_sources(session), 1);
    return session;
}

static void add_part(const struct etm_session *session, uint64_t begin,
                     uint64_t end, unsigned jobs,
                     struct etm_test_elements *elements)
{
    struct etm_session_run run = {.size = sizeof run,
                                  .elements = etm_test_collect,
                                  .begin = begin,
                                  .end = end,
                                  .start = ETM_START_JOIN,
                                  .jobs = jobs,
                                  .context = elements};
    struct etm_diag diag;

    if (elements == &whole)
        run.start = ETM_START_SYNC;
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag), ETM_OK);
}

static void check(const size_t *sizes, size_t n)
{
    struct etm_session *session = open_buffers(sizes, n);
    uint64_t total = etm_session_bytes(session, 0);

    whole.n = 0;
    add_part(session, 0, 0, 1, &whole);
    assert_true(whole.n > 0);
    assert_int_equal(whole.all[whole.n - 1].kind, ETM_ELEMENT_END);
    for (unsigned all = 1; all <= 8; all++) {
        parts.n = 0;
        /* as --shard does it: the last one has no end, nor an empty one */
        for (unsigned i = 0; i < all; i++)
            if (i + 1 == all || total != 0)
                add_part(session, total * i / all,
                         i + 1 == all ? 0 : total * (i + 1) / all, 1 + all % 3,
                         &parts);
        assert_int_equal(parts.n, whole.n);
        for (size_t i = 0; i < whole.n; i++)
            assert_true(etm_test_same(&whole.all[i], &parts.all[i]));
    }
    etm_session_free(session);
}

static void a_part_may_end_where_a_buffer_does(void **state)
{
    static const size_t sizes[] = {MOST, MOST};

    (void)state;
    check(sizes, 2);
}

static void buffers_may_be_empty(void **state)
{
    static const size_t sizes[][3] = {
        {MOST, 0, MOST}, {0, MOST, MOST}, {MOST, MOST, 0}, {0, 0, 0}};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        empty_directory(state);
        check(sizes[i], 3);
    }
}

static void a_capture_may_be_empty(void **state)
{
    static const size_t nothing = 0;

    (void)state;
    check(&nothing, 1);
}

/* A part that is told to end gives what a capture of so many bytes gives, also
 * those that are held back because they might have shifted by bits. */
static void a_part_has_all_before_its_end(void **state)
{
    static const size_t ends[] = {13, 700, 999, 5500, 9999, 40000};
    static const size_t all = MOST;

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct etm_session *session;
        struct etm_session_run run = {.size = sizeof run,
                                      .elements = etm_test_collect,
                                      .jobs = 1 + (unsigned)i % 3,
                                      .context = &parts};
        struct etm_diag diag;

        empty_directory(state);
        session = open_buffers(&ends[i], 1);
        whole.n = 0;
        add_part(session, 0, 0, 1, &whole);
        etm_session_free(session);
        empty_directory(state);
        session = open_buffers(&all, 1);
        run.end = ends[i];
        parts.n = 0;
        assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                         ETM_OK);
        etm_session_free(session);
        assert_int_equal(parts.n, whole.n);
        for (size_t k = 0; k < whole.n; k++)
            assert_true(etm_test_same(&whole.all[k], &parts.all[k]));
    }
}

/* Places and sizes of packets, and all their bytes. */
struct packets {
    struct etm_packet all[MOST];
    size_t n;
    uint8_t bytes[MOST];
    size_t n_bytes;
};

static struct packets all_packets, some_packets;

static int keep_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct packets *kept = context;

    assert_true(kept->n + n <= MOST);
    memcpy(kept->all + kept->n, packets, n * sizeof *packets);
    kept->n += n;
    for (size_t i = 0; i < n; i++) {
        assert_true(kept->n_bytes + packets[i].size <= MOST);
        memcpy(kept->bytes + kept->n_bytes, bytes, packets[i].size);
        kept->n_bytes += packets[i].size;
        bytes += packets[i].size;
    }
    return ETM_OK;
}

/* Those after the synchronization where a part begins, however far that is. */
static void a_part_has_the_packets_of_the_whole(void **state)
{
    static const size_t places[] = {500, 5000, 70000, 150500};
    static const size_t size = MOST;
    struct etm_session *session = open_buffers(&size, 1);
    struct etm_session_run run = {
        .size = sizeof run, .packets = keep_packets, .context = &all_packets};
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag), ETM_OK);
    run.context = &some_packets;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t first = 0;

        some_packets.n = some_packets.n_bytes = 0;
        run.begin = places[i];
        assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                         ETM_OK);
        assert_true(some_packets.n > 0 && some_packets.n <= all_packets.n);
        first = all_packets.n - some_packets.n;
        assert_int_equal(some_packets.all[0].kind, ETM_PACKET_A_SYNC);
        assert_int_equal(some_packets.all[0].offset, places[i] / 1000 * 1000);
        for (size_t k = 0; k < some_packets.n; k++) {
            assert_int_equal(some_packets.all[k].offset,
                             all_packets.all[first + k].offset);
            assert_int_equal(some_packets.all[k].kind,
                             all_packets.all[first + k].kind);
        }
        assert_memory_equal(some_packets.bytes,
                            all_packets.bytes + all_packets.n_bytes -
                                some_packets.n_bytes,
                            some_packets.n_bytes);
    }
    etm_session_free(session);
}

#define BLANK 4096u /* bytes in the middle, of no frame */

static struct {
    size_t packets; /* so many before it */
    uint64_t lost;
    unsigned n;
} gaps;

static int note_gap(void *context, uint64_t lost)
{
    const struct packets *kept = context;

    gaps.packets = kept->n;
    gaps.lost += lost;
    gaps.n++;
    return ETM_OK;
}

/* Half of the frames, nothing, and the others. */
static void write_frames(void)
{
    static const uint8_t sync[] = {0,    0,    0,    0,    0,    0x80,
                                   0x08, 0x00, 0x00, 0x10, 0x00, 0x21};
    static const uint8_t blank[BLANK];
    struct etm_framer_config config = {.layout = ETM_FRAME_ALIGNED};
    struct etm_framer *framer;
    const uint8_t *frames;
    static uint8_t bytes[2 * MOST];
    size_t n, half;

    assert_int_equal(etm_framer_new(&framer, &config), ETM_OK);
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(etm_framer_push(framer, 0x10, sync, sizeof sync),
                         ETM_OK);
    assert_int_equal(etm_framer_flush(framer), ETM_OK);
    etm_framer_take(framer, &frames, &n);
    half = n / 2 / 16 * 16;
    memcpy(bytes, frames, half);
    memcpy(bytes + half, blank, BLANK);
    memcpy(bytes + half + BLANK, frames + half, n - half);
    write_file("0.bin", bytes, n + BLANK);
    etm_framer_free(framer);
}

static void packets_know_where_bytes_are_missing(void **state)
{
    static const size_t size = 16;
    struct etm_session *session;
    struct etm_session_run run = {.size = sizeof run,
                                  .packets = keep_packets,
                                  .gap = note_gap,
                                  .context = &all_packets};
    struct etm_diag diag;

    (void)state;
    etm_session_free(open_buffers(&size, 1));
    write_text("trace.ini", "[trace_buffers]\nbuffers=b0\n[b0]\nname=ETB_0\n"
                            "file=0.bin\nformat=coresight\n"
                            "[source_buffers]\nPTM_0=ETB_0\n");
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.1\n[regs]\nETMCR=0\nETMIDR=0x411CF310\n"
                          "ETMTRACEIDR=0x10\n");
    write_frames();
    assert_int_equal(etm_session_open(&session, in_directory(""), NULL, &diag),
                     ETM_OK);
    all_packets.n = all_packets.n_bytes = 0;
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag), ETM_OK);
    assert_int_equal(gaps.n, 1);
    assert_int_equal(gaps.lost, BLANK);
    assert_true(gaps.packets > 100 && gaps.packets + 100 < all_packets.n);
    /* the bytes after it begin with an I-sync like the last one: E-660 */
    assert_int_equal(all_packets.all[gaps.packets].kind, ETM_PACKET_I_SYNC);
    etm_session_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_part_may_end_where_a_buffer_does,
                               empty_directory),
        cmocka_unit_test_setup(buffers_may_be_empty, empty_directory),
        cmocka_unit_test_setup(a_capture_may_be_empty, empty_directory),
        cmocka_unit_test(a_part_has_all_before_its_end),
        cmocka_unit_test_setup(a_part_has_the_packets_of_the_whole,
                               empty_directory),
        cmocka_unit_test_setup(packets_know_where_bytes_are_missing,
                               empty_directory),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
