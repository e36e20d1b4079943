/* SPDX-License-Identifier: Apache-2.0 */
/* All that a run of a source gives, and the captures in demo/. */
#ifndef TEST_SESSION_SUPPORT_H
#define TEST_SESSION_SUPPORT_H

#include "../input/support.h"
#include "support/capture.h"

#include <etm/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that a run gave. */
struct seen {
    struct etm_test_elements elements;
    struct etm_packet *packets;
    size_t n_packets;
    uint8_t *bytes; /* those of the packets */
    size_t n_bytes;
    uint8_t *stream;
    size_t n_stream;
    size_t buffers[8];
    size_t n_buffers;
    uint64_t lost;         /* between packets, */
    size_t n_gaps, gap_at; /* after so many of them: the last time */
};

/* Run a source for all there is. What came before in *seen is dropped. */
void see(const struct etm_session *session, size_t source, struct seen *seen);
int see_what(const struct etm_session *session, size_t source,
             struct seen *seen, struct etm_diag *diag);
void forget(struct seen *seen);

/* The packets of a part of the first source alone. */
void see_packets(const struct etm_session *session, uint64_t begin,
                 struct seen *seen);

/* Two lists have equal elements, but for their places in the file. */
bool same_execution(const struct etm_test_elements *a,
                    const struct etm_test_elements *b);

size_t count_kind(const struct etm_test_elements *elements,
                  enum etm_element_kind kind);

/* A capture in demo/: its snapshot is open, and its only source was seen. */
struct demo {
    const char *core;
    uint8_t id;
    struct etm_session *session;
    uint8_t *file; /* with the trace, in frames */
    size_t n;
    struct seen whole;
};

extern struct demo demos[2];

/* For a group's setup and teardown: with a directory for files. */
int open_demos(void **state);
int close_demos(void **state);

/* A file in the directory, opened with the registers and code of a demo. */
struct etm_session *open_like(const struct demo *demo, const char *name,
                              enum etm_framing framing);

/* A file with these bytes, opened with the registers and code of a demo; what
 * its first source gives is in *seen. */
struct etm_session *see_like(const struct demo *demo, const uint8_t *bytes,
                             size_t n, enum etm_framing framing,
                             struct seen *seen);

/* What was seen are the bytes of the demo's source, and its elements. */
void expect_like(const struct demo *demo, const struct seen *seen);

#endif
