/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kinds of files that trace is read from, in one table (reader.c). The
 * kinds of captures, of which a file is one, are in open.c; the forms of
 * samples in port_reader.c; and what is no trace in foreign.c.
 */
#ifndef ETM_INPUT_READER_H
#define ETM_INPUT_READER_H

#include "input/build.h"
#include "input/pipe.h"

/* The beginning of a pipe, as much as has been needed so far. */
struct etm_beginning {
    struct etm_pipe *pipe;
    const struct etm_raw_options *options;
    bool source_known; /* the trace ID of the one that is wanted */
    uint8_t live;      /* that of the one that was found instead */
    bool unpacked;     /* what comes are frames, which were packets */
    struct etm_file head;
    int status; /* ETM_ERR_IO, ETM_ERR_MEMORY: sticky */
    struct etm_diag *diag;
};

struct etm_reader {
    /* Files that are recognized, whatever framing is declared: may one begin
     * so? It is one if at least `least` bytes do. */
    bool (*may)(const uint8_t *bytes, size_t n);
    size_t least;
    /* Others: the framing that is declared */
    enum etm_framing framing;
    /* and that of the buffer which open() gets. */
    enum etm_framing buffer;
    /*
     * Can the rest of a pipe be read as it comes? Waits for as much of its
     * beginning as this takes (etm_beginning_more()). NULL: all of it is
     * needed.
     */
    bool (*flows)(struct etm_beginning *b);
    /*
     * The capture has one buffer, with the file's bytes, and one core: refuse
     * what cannot be read, and complete the buffer. ETM_ERR_FORMAT,
     * ETM_ERR_CONFIG, ETM_ERR_MEMORY.
     */
    int (*open)(struct etm_capture *capture,
                const struct etm_raw_options *options, struct etm_diag *diag);
    /* The file says what its sources are: open() adds them. */
    bool described;
};

/* The reader of a file with this content. */
const struct etm_reader *etm_reader_of(const struct etm_raw_options *options,
                                       const uint8_t *bytes, size_t n);

/* And of a pipe, if the rest of it can be read as it comes. NULL: all of it has
 * to be kept, or b->status is an error. */
const struct etm_reader *etm_reader_of_pipe(struct etm_beginning *b);

/* beginning.c */

/* Wait for more of a pipe. False: there is no more, or an error. */
bool etm_beginning_more(struct etm_beginning *b);

/* What has to come of samples of a port, of frames in memory, and of the blocks
 * of a DSTREAM; see struct etm_reader, flows(). */
bool etm_beginning_samples(struct etm_beginning *b);
bool etm_beginning_frames(struct etm_beginning *b);
bool etm_beginning_blocks(struct etm_beginning *b);

/* Is it known which source is wanted? Of a connection, which may have no end,
 * it is the first one. */
bool etm_beginning_source(struct etm_beginning *b);

/* Packets of orbuculum, which are frames from then on (etm_pipe_unpack()). */
bool etm_beginning_packets(struct etm_beginning *b);

#endif
