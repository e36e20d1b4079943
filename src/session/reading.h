/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One source while it is read. run.c goes through its buffers, reading.c
 * through one of them, placing.c gives what comes out offsets in the file
 * instead of those in the stream.
 */
#ifndef ETM_SESSION_READING_H
#define ETM_SESSION_READING_H

#include "session/parallel.h"
#include "session/part.h"

#include <pthread.h>
#include <stdatomic.h>

/* Elements that are given other offsets, and where they look for them. */
struct etm_scratch {
    struct etm_vec elements;
    struct etm_places_view view;
};

void etm_scratch_init(struct etm_scratch *scratch,
                      const struct etm_allocator *allocator);
void etm_scratch_fini(struct etm_scratch *scratch);

struct etm_reading {
    const struct etm_session *session;
    const struct etm_session_run *run;
    struct etm_diag *diag;
    struct etm_config config;
    const struct etm_image *image;
    unsigned jobs;
    struct etm_packet_decoder *packet_decoder;
    struct etm_parallel *decoder;
    bool last_buffer;
    struct etm_part part;      /* of the buffer at hand */
    struct etm_places *places; /* of the stream at hand; */
    pthread_mutex_t lock;      /* of it and `settled`, if several threads
                                  look there; */
    atomic_bool moved;         /* they need not as long as all bytes of the
                                  stream stand there in the file as well */
    uint64_t settled;          /* all before this offset was given */
    /* Bytes of the stream from `pending_offset` on: those of packets that
     * were not given yet. */
    struct etm_vec pending;
    uint64_t pending_offset;
    struct etm_vec scratch_packets;
    struct etm_scratch scratch;
    struct etm_counts *counts; /* of all buffers; NULL: not asked for,
                                  or of one alone */
    uint64_t cycles;           /* and theirs */
};

/* Bytes `done` and on of `total` are those of this buffer, which is read. */
int etm_reading_buffer(struct etm_reading *reading,
                       const struct etm_source_info *info,
                       const struct etm_capture_buffer *buffer, uint64_t done,
                       uint64_t total);

/* An etm_packet_fn and an etm_element_fn of decoders of the stream. */
int etm_reading_packets(void *reading, const struct etm_packet *packets,
                        size_t n);
int etm_reading_elements(void *reading, const struct etm_element *elements,
                         size_t n);

/* The portions of the run, as a decoder of the stream makes them. */
struct etm_portions etm_reading_portions(struct etm_reading *reading);

#endif
