/* SPDX-License-Identifier: Apache-2.0 */
/* An execution log, read into events, and written from them. */
#ifndef ETM_TEST_EXEC_LOG_UTIL_H
#define ETM_TEST_EXEC_LOG_UTIL_H

#include "../support/test.h"
#include "walk.h"

#include <etm/model.h>

#define MAX_EVENTS (2 * WALK_EVENTS)

static struct {
    struct etm_event events[MAX_EVENTS];
    size_t n;
    char text[1 << 20];
    size_t length;
} got;

/* Of the processor whose log is read (E-366). */
static bool loads_pc_first;

static inline int take_events(void *context, const struct etm_event *events,
                              size_t n)
{
    (void)context;
    assert_true(n <= MAX_EVENTS - got.n);
    memcpy(got.events + got.n, events, n * sizeof *events);
    got.n += n;
    return ETM_OK;
}

static inline int take_text(void *context, const char *text, size_t n)
{
    (void)context;
    assert_true(n < sizeof got.text - got.length);
    memcpy(got.text + got.length, text, n);
    got.length += n;
    got.text[got.length] = '\0';
    return ETM_OK;
}

/* Read a text in pieces; 0: in one. Returns the status. */
static inline int read_in(const char *text, size_t n, size_t piece,
                          enum etm_profile profile, struct etm_diag *diag)
{
    struct etm_execution_reader_config config = {.name = "a.log",
                                                 .profile = profile,
                                                 .pc_first = loads_pc_first,
                                                 .events = take_events};
    struct etm_execution_reader *reader;
    int status = ETM_OK;

    got.n = 0;
    assert_ok(etm_execution_reader_new(&reader, &config));
    for (size_t at = 0; at < n && status == ETM_OK;) {
        size_t now = piece == 0 || piece > n - at ? n - at : piece;

        status = etm_execution_reader_push(reader, text + at, now, diag);
        at += now;
    }
    if (status == ETM_OK)
        status = etm_execution_reader_finish(reader, diag);
    etm_execution_reader_free(reader);
    return status;
}

static inline void write_text(const struct etm_event *events, size_t n,
                              enum etm_profile profile)
{
    struct etm_execution_writer_config config = {.profile = profile,
                                                 .write = take_text};
    struct etm_execution_writer *writer;

    got.length = 0;
    assert_ok(etm_execution_writer_new(&writer, &config));
    assert_ok(etm_execution_writer_push(writer, events, n));
    assert_ok(etm_execution_writer_finish(writer));
    etm_execution_writer_free(writer);
}

#endif
