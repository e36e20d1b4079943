/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stream of one source from one buffer, a piece at a time.
 *
 *     frames ── deframer ─────────────────────────► stream
 *     samples ─┬─ records, ETMv1 and ETMv2 ───────► stream
 *              └─ unpacker ─┐
 *     bytes ────────────────┴─ realigner ─────────► stream
 */
#ifndef ETM_SESSION_STREAM_H
#define ETM_SESSION_STREAM_H

#include "input/capture.h"
#include "input/port_reader.h"
#include "port/frame.h"
#include "port/pins.h"
#include "session/ahead.h"
#include "session/places.h"

/* Bytes of the capture that are read at a time. */
#define ETM_STREAM_PIECE 65536u

enum etm_stream_kind {
    ETM_STREAM_PLAIN = 0, /* bytes as they are */
    ETM_STREAM_BYTES,     /* of an ETMv3 or PFT: they may be shifted */
    ETM_STREAM_FRAMES,
    ETM_STREAM_PORT,   /* samples that carry bytes */
    ETM_STREAM_RECORDS /* samples that are the stream: proto/sample.h */
};

struct etm_stream {
    const struct etm_capture_buffer *buffer;
    enum etm_stream_kind kind;
    uint64_t at;   /* bytes of the buffer that were read, or skipped */
    uint64_t stop; /* no piece goes beyond this, unless it is 0 */
    uint64_t kept; /* memory of a mapped file before this was given back */
    struct etm_vec bytes; /* uint8_t: of a file that is read */
    bool broken; /* a connection was lost: what comes is no continuation */
    bool done;
    uint64_t made; /* bytes of the stream so far */
    struct etm_places places;
    struct etm_vec gaps; /* struct etm_stream_gap, of the last piece */

    struct etm_deframer deframer;
    struct etm_ahead *ahead; /* NULL: one thread does it */
    struct etm_realigner realigner;
    struct etm_unpacker unpacker;
    struct etm_port_reader reader;
    struct etm_vec samples; /* struct etm_port_sample */
    struct etm_vec records; /* uint8_t */
    uint8_t record_size;
    uint64_t sample;          /* number of the next one */
    uint64_t lost;            /* samples since the last one that was good */
    bool assumed;             /* the protocol is not known, ETMv3 assumed */
    struct etm_vec port_runs; /* struct etm_port_run: of bits that are still
                                 in the realigner */
};

/* Here `lost` bytes are missing. */
struct etm_stream_gap {
    size_t at; /* index in the piece of the byte after it */
    uint64_t lost;
};

struct etm_stream_piece {
    const uint8_t *bytes;
    size_t n;
    const struct etm_stream_gap *gaps;
    size_t n_gaps;
};

/* Properties of a source on which its stream depends. */
struct etm_stream_source {
    enum etm_protocol protocol; /* ETM_PROTOCOL_NONE: not known */
    uint8_t id;
    uint8_t port_width; /* ETMv1, ETMv2; 0: the default */
    bool etmcr_known;
    uint32_t etmcr; /* gives the size, mode and clock of a trace port */
};

/*
 * fini is due afterwards, also after a failure. ETM_ERR_CONFIG: there is no
 * such port.
 */
int etm_stream_init(struct etm_stream *stream,
                    const struct etm_capture_buffer *buffer,
                    const struct etm_stream_source *source,
                    const struct etm_allocator *allocator,
                    struct etm_diag *diag);
void etm_stream_fini(struct etm_stream *stream);

/* Before the first piece: begin at byte `at` of the buffer. */
void etm_stream_begin(struct etm_stream *stream, uint64_t at);

/* From the current place of the stream to `stop`, which is then the last one,
 * this many threads may deframe. ETM_OK or ETM_ERR_MEMORY. */
int etm_stream_ahead(struct etm_stream *stream, unsigned jobs, uint64_t stop);

/*
 * Get the next piece; valid until the next call. What was read of a mapped file
 * long before needs no memory any more. For a pipe it is what has come, or the
 * end if etm_pipe_wait() reported something. ETM_OK, ETM_ERR_MEMORY,
 * ETM_ERR_FORMAT (invalid samples; the piece is what precedes them), ETM_ERR_IO
 * (the file has become shorter, or cannot be read). `stream->done` says that
 * this was the last piece.
 */
int etm_stream_next(struct etm_stream *stream, struct etm_stream_piece *piece,
                    struct etm_diag *diag);

/* stream_plain.c: bytes as they are, but without those that a pin carried
 * wrongly, which are missing. `n` bytes are at hand, the last ones before
 * s->at. ETM_OK or ETM_ERR_MEMORY. */
int etm_stream_plain(struct etm_stream *stream, const uint8_t *bytes, size_t n,
                     struct etm_stream_piece *piece);

/*
 * Nothing more is read, even if the buffer continues: the last piece is what is
 * held back, of possibly shifted bytes, and what was lost before the end.
 * Incomplete frames and samples are dropped. ETM_OK or ETM_ERR_MEMORY.
 */
int etm_stream_end(struct etm_stream *stream, struct etm_stream_piece *piece);

#endif
