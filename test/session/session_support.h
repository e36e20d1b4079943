/* SPDX-License-Identifier: Apache-2.0 */
/* The demo captures, opened by the library and, to compare, by hand. */
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
};

struct etm_session *open_demo(const char *core);

/* The file in a demo's folder; valid until the next call. */
const char *demo_path(const char *core, const char *file);

/* A file in memory; the caller frees it. */
uint8_t *read_whole(const char *path, size_t *n);

/* Run a source for all there is. What came before in *seen is dropped. */
void see(const struct etm_session *session, size_t source, struct seen *seen);
void forget(struct seen *seen);

/* The same elements, but for their place in the file. */
bool same_execution(const struct etm_test_elements *a,
                    const struct etm_test_elements *b);

size_t count_kind(const struct etm_test_elements *elements,
                  enum etm_element_kind kind);

#endif
