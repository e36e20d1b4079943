/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a capture: where they end, and their packets. */
#include "../input/support.h"
#include "support/capture.h"

#include <etm/port.h>
#include <etm/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 200000u

static const uint8_t sync[] = {0,    0,    0,    0,    0,    0x80,
                               0x08, 0x00, 0x00, 0x10, 0x00, 0x21};
static struct etm_test_elements whole, parts;

/* As much of a PFT as can be known without code: triggers, and syncs. */
static void write_buffer(const char *name, size_t n)
{
    static uint8_t bytes[MOST];

    assert_true(n <= MOST);
    memset(bytes, 0x0c, n);
    for (size_t i = 0; i + sizeof sync < n; i += 1000)
        memcpy(bytes + i, sync, sizeof sync);
    write_file(name, bytes, n);
}

/* A capture of one buffer, in a file of that many bytes. */
static struct etm_session *open_buffer(const char *format, size_t n)
{
    struct etm_session *session;
    char ini[200];

    if (n != 0)
        write_buffer("0.bin", n);
    snprintf(ini, sizeof ini,
             "[trace_buffers]\nbuffers=b0\n[b0]\nname=ETB_0\nfile=0.bin\n"
             "format=%s\n[source_buffers]\nPTM_0=ETB_0\n",
             format);
    write_text("trace.ini", ini);
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.1\n[regs]\nETMCR=0\nETMIDR=0x411CF310\n"
                          "ETMTRACEIDR=0x10\n");
    write_text("snapshot.ini",
               "[snapshot]\nversion=1.0\n[device_list]\n"
               "device0=ptm.ini\n[trace]\nmetadata=trace.ini\n");
    OK(etm_session_open(&session, in_directory(""), NULL, NULL));
    assert_int_equal(etm_session_sources(session), 1);
    return session;
}

static void run(struct etm_session *session, const struct etm_session_run *how)
{
    OK(etm_session_run_source(session, 0, how, NULL));
}

/* A part that is told to end gives what a capture of so many bytes gives, also
 * those that are held back because they might have shifted by bits. */
static void a_part_has_all_before_its_end(void **state)
{
    static const size_t ends[] = {13, 700, 999, 5500, 9999, 40000};

    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct etm_session_run how = {.elements = etm_test_collect,
                                      .context = &whole};
        struct etm_session *session = open_buffer("source_data", ends[i]);

        whole.n = parts.n = 0;
        run(session, &how);
        etm_session_free(session);
        session = open_buffer("source_data", MOST);
        how.jobs = 1 + (unsigned)i % 3;
        how.context = &parts;
        how.end = ends[i];
        run(session, &how);
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
    struct etm_session *session = open_buffer("source_data", MOST);
    struct etm_session_run how = {.packets = keep_packets,
                                  .context = &all_packets};

    (void)state;
    run(session, &how);
    how.context = &some_packets;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        size_t first = 0;

        some_packets.n = some_packets.n_bytes = 0;
        how.begin = places[i];
        run(session, &how);
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
    static const uint8_t blank[BLANK];
    struct etm_framer_config config = {.layout = ETM_FRAME_ALIGNED};
    struct etm_framer *framer;
    const uint8_t *frames;
    static uint8_t bytes[2 * MOST];
    size_t n, half;

    OK(etm_framer_new(&framer, &config));
    for (unsigned i = 0; i < 1000; i++)
        OK(etm_framer_push(framer, 0x10, sync, sizeof sync));
    OK(etm_framer_flush(framer));
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
    struct etm_session *session;
    const struct etm_session_run how = {
        .packets = keep_packets, .gap = note_gap, .context = &all_packets};

    (void)state;
    write_frames();
    session = open_buffer("coresight", 0);
    all_packets.n = all_packets.n_bytes = 0;
    run(session, &how);
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
        cmocka_unit_test(a_part_has_all_before_its_end),
        cmocka_unit_test(a_part_has_the_packets_of_the_whole),
        cmocka_unit_test(packets_know_where_bytes_are_missing),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
