/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One source while it is read. run.c reads its buffers, reading.c one of them,
 * and placing.c replaces offsets in the stream by those in the file.
 */
#ifndef ETM_SESSION_READING_H
#define ETM_SESSION_READING_H

#include "image/counts.h"
#include "session/parallel.h"
#include "session/part.h"

#include <pthread.h>
#include <stdatomic.h>

/* Copies of elements with other offsets, and the view for these. */
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
    struct etm_part part;      /* of the current buffer */
    struct etm_places *places; /* of the current stream; */
    pthread_mutex_t lock;      /* for it and `settled`, if several threads use
                                  these; */
    atomic_bool moved;         /* not necessary as long as offsets in the stream
                                  and in the file are equal */
    uint64_t settled;          /* all before this offset was given */
    /* Bytes of the stream from `pending_offset` on, of packets that were not
     * given yet. */
    struct etm_vec pending;
    uint64_t pending_offset;
    struct etm_vec scratch_packets;
    struct etm_scratch scratch;
    struct etm_counts *counts; /* of all buffers; NULL: not wanted, or of a
                                  single buffer */
    uint64_t cycles;           /* and theirs */
};

/* Whether the run asks for counts, or for their cycles alone. */
static inline bool etm_reading_counts(const struct etm_session_run *run)
{
    return run->counts || (run->cycles && etm_level_counts(run->level));
}

/* Read this buffer, whose bytes are those from `done` on of `total`. */
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
