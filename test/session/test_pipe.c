/* SPDX-License-Identifier: Apache-2.0 */
/* A session whose trace comes through a pipe. */
#define _POSIX_C_SOURCE 200809L
#include "../input/support.h"
#include "../support/test.h"

#include <etm/session.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST 2000u
#define SECOND 3000u

struct reading {
    int fd; /* for writing; -1: closed */
    size_t bytes, at_idle, idles;
    int answer; /* of idle() */
};

/* Records of an ETMv2: waits (WT) without anything on the pins. */
static const uint8_t *waits(void)
{
    static uint8_t bytes[SECOND];

    for (size_t i = 0; i < sizeof bytes; i += 2)
        bytes[i] = 0x07;
    return bytes;
}

static void feed(int fd, size_t n)
{
    assert_int_equal(write(fd, waits(), n), (ssize_t)n);
}

static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct reading *r = context;

    (void)bytes;
    r->bytes += n;
    return ETM_OK;
}

/* The first time more is written, then the pipe ends. */
static int idle(void *context)
{
    struct reading *r = context;

    r->at_idle = r->bytes;
    r->idles++;
    if (r->idles == 1)
        feed(r->fd, SECOND);
    close(r->fd);
    r->fd = -1;
    return r->answer;
}

/* A session of a new pipe with FIRST bytes in it, which stays open. */
static struct etm_session *open_pipe(struct reading *r)
{
    struct etm_session_options options = {.protocol = ETM_PROTOCOL_ETMV2,
                                          .once = true};
    const char *path = in_directory("pipe");
    struct etm_session *session;

    *r = (struct reading){.fd = -1};
    assert_int_equal(mkfifo(path, 0600), 0);
    r->fd = open(path, O_RDWR);
    assert_true(r->fd >= 0);
    feed(r->fd, FIRST);
    OK(etm_session_open(&session, path, &options, NULL));
    return session;
}

/* A session of a pipe that ends, and is kept. */
static struct etm_session *keep_pipe(void)
{
    struct etm_session_options options = {.protocol = ETM_PROTOCOL_ETMV2};
    struct etm_session *session;
    pid_t child = write_pipe("pipe", waits(), FIRST, FIRST);
    int status =
        etm_session_open(&session, in_directory("pipe"), &options, NULL);

    end_pipe(child, "pipe");
    OK(status);
    return session;
}

TEST_BETWEEN(what_came_is_given_before_the_end, empty_directory, NULL)
{
    struct reading r;
    struct etm_session *session = open_pipe(&r);
    const struct etm_session_run run = {
        .bytes = take_bytes, .idle = idle, .context = &r};

    assert_int_equal(etm_session_bytes(session, 0), 0);
    OK(etm_session_run_source(session, 0, &run, NULL));
    assert_int_equal(r.idles, 1);
    assert_int_equal(r.at_idle, FIRST);
    assert_int_equal(r.bytes, FIRST + SECOND);
    etm_session_free(session);
}

TEST_BETWEEN(it_is_read_once_and_from_its_beginning, empty_directory, NULL)
{
    struct reading r;
    struct etm_session *session = open_pipe(&r);
    struct etm_session_run run = {.bytes = take_bytes};
    struct etm_session_run part = {.begin = 100};
    struct etm_frame_counts counts;
    struct etm_diag diag;

    run.context = &r;
    close(r.fd);
    MISUSE(etm_session_run_source(session, 0, &part, &diag));
    expect_diag(&diag, ETM_ERR_ARGUMENT, "pipe", 0, "beginning");
    part = (struct etm_session_run){.start = ETM_START_JOIN};
    MISUSE(etm_session_run_source(session, 0, &part, &diag));
    MISUSE(etm_session_count(session, 0, &counts));
    OK(etm_session_run_source(session, 0, &run, &diag));
    assert_int_equal(r.bytes, FIRST);
    MISUSE(etm_session_run_source(session, 0, &run, &diag));
    expect_diag(&diag, ETM_ERR_ARGUMENT, "pipe", 0, "read once");
    etm_session_free(session);
}

TEST_BETWEEN(what_idle_returns_stops_the_run, empty_directory, NULL)
{
    struct reading r;
    struct etm_session *session = open_pipe(&r);
    const struct etm_session_run run = {
        .bytes = take_bytes, .idle = idle, .context = &r};

    r.answer = ETM_ERR_STOPPED;
    assert_int_equal(etm_session_run_source(session, 0, &run, NULL),
                     ETM_ERR_STOPPED);
    assert_int_equal(r.bytes, FIRST);
    etm_session_free(session);
}

TEST_BETWEEN(one_that_is_kept_is_as_a_file, empty_directory, NULL)
{
    struct reading r = {.fd = -1};
    struct etm_session *session = keep_pipe();
    const struct etm_session_run run = {
        .bytes = take_bytes, .idle = idle, .context = &r};

    assert_int_equal(etm_session_bytes(session, 0), FIRST);
    for (unsigned i = 0; i < 2; i++)
        OK(etm_session_run_source(session, 0, &run, NULL));
    assert_int_equal(r.bytes, 2 * FIRST);
    assert_int_equal(r.idles, 0);
    etm_session_free(session);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
