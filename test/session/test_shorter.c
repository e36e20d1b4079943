/* SPDX-License-Identifier: Apache-2.0 */
/* A file that another program makes shorter while it is read: E-385. */
#define _XOPEN_SOURCE 700
#include "../input/support.h"
#include "../support/test.h"

#include <etm/port.h>
#include <etm/session.h>

#include <unistd.h>

/* Bytes of it, and those that are left; and bytes that are read at a time. */
#define BYTES ((size_t)6 << 20)
#define LEFT ((size_t)3 << 20)
#define PIECE ((size_t)1 << 18)

/* As much of a PFT as can be known without code: triggers, and syncs. */
static void fill(uint8_t *bytes, size_t n)
{
    static const uint8_t sync[] = {0,    0,    0,    0,    0,    0x80,
                                   0x08, 0x00, 0x00, 0x10, 0x00, 0x21};

    memset(bytes, 0x0c, n);
    for (size_t i = 0; i + sizeof sync < n; i += 1000)
        memcpy(bytes + i, sync, sizeof sync);
}

static void write_plain(void)
{
    uint8_t *bytes = malloc(BYTES);

    assert_non_null(bytes);
    fill(bytes, BYTES);
    write_file("capture", bytes, BYTES);
    free(bytes);
}

static void write_frames(void)
{
    struct etm_framer_config config = {.layout = ETM_FRAME_ALIGNED};
    uint8_t *bytes = malloc(BYTES);
    struct etm_framer *framer;
    const uint8_t *frames;
    size_t n;

    assert_non_null(bytes);
    fill(bytes, BYTES);
    OK(etm_framer_new(&framer, &config));
    OK(etm_framer_push(framer, 0x10, bytes, BYTES));
    OK(etm_framer_flush(framer));
    etm_framer_take(framer, &frames, &n);
    assert_true(n >= BYTES);
    write_file("capture", frames, BYTES);
    etm_framer_free(framer);
    free(bytes);
}

/* The elements, as a number that depends on their order too, and those before
 * the one that was the last when it was read for the first time. */
struct heard {
    uint64_t sum, most;
    uint64_t n, last;
};

static int hear(void *context, const struct etm_element *elements, size_t n)
{
    struct heard *h = context;

    for (size_t i = 0; i < n && h->n < h->most; i++, h->n++) {
        h->sum = 31 * h->sum + elements[i].offset;
        h->sum = 31 * h->sum + elements[i].kind;
        h->last = elements[i].offset;
    }
    return ETM_OK;
}

static int cut(void *context, uint64_t done, uint64_t total)
{
    (void)context;
    (void)total;
    if (done > PIECE)
        assert_int_equal(truncate(in_directory("capture"), LEFT), 0);
    return ETM_OK;
}

static struct heard run(const struct etm_session_options *options,
                        unsigned jobs, uint64_t most, bool shorter)
{
    struct heard heard = {.most = most};
    struct etm_session_run run = {.size = sizeof run,
                                  .elements = hear,
                                  .jobs = jobs,
                                  .progress = shorter ? cut : NULL,
                                  .context = &heard};
    struct etm_session *session;
    struct etm_diag diag;

    OK(etm_session_open(&session, in_directory("capture"), options, &diag));
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                     shorter ? ETM_ERR_IO : ETM_OK);
    if (shorter) {
        assert_string_equal(diag.source, in_directory("capture"));
        assert_string_equal(diag.what, "cannot read the file: it had 6291456 "
                                       "bytes, but only 3145728 are left");
    }
    etm_session_free(session);
    return heard;
}

/* What is left is decoded, and is what it would have been. */
static void try(void (*write)(void), enum etm_framing framing)
{
    struct etm_session_options options = {.size = sizeof options,
                                          .protocol = ETM_PROTOCOL_PFT,
                                          .framing = framing};

    for (unsigned jobs = 1; jobs <= 3; jobs++) {
        struct heard some, all;

        write();
        some = run(&options, jobs, UINT64_MAX, true);
        assert_true(some.last < LEFT);
        assert_true(some.last > LEFT - 2 * PIECE);
        write();
        all = run(&options, jobs, some.n, false);
        assert_int_equal(all.n, some.n);
        assert_int_equal(all.sum, some.sum);
    }
}

/* E-385 */
TEST_BETWEEN(bytes_that_are_left_are_decoded, empty_directory, NULL)
{
    try(write_plain, ETM_FRAMING_NONE);
}

TEST_BETWEEN(frames_that_are_left_are_decoded, empty_directory, NULL)
{
    try(write_frames, ETM_FRAMING_CORESIGHT);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
