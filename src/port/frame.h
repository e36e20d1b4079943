/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The deframer from inside. The interface, and what a frame looks like, is in
 * <etm/port.h>; structs that embed a deframer use init and fini.
 *
 *     capture bytes ─ tpiu.c: where do frames begin? ─► frames
 *                   ─ frame.c: whose bytes are these? ─► stream, runs, events
 */
#ifndef ETM_PORT_FRAME_H
#define ETM_PORT_FRAME_H

#include "base/vec.h"

#include <etm/port.h>

/* What becomes of the data of the trace ID in force. */
enum etm_frame_sink {
    ETM_SINK_DROP = 0, /* another source, or padding */
    ETM_SINK_KEEP,     /* the source that is wanted */
    ETM_SINK_TRIGGER,  /* each byte makes an event */
    ETM_SINK_COUNT     /* unknown or reserved: one event for the stretch */
};

struct etm_deframer {
    struct etm_allocator allocator;
    enum etm_frame_layout layout;
    uint8_t want; /* trace ID; 0: none */
    bool taken;   /* the caller has seen what is in the three vectors */
    bool finished;
    bool uncounted; /* nobody asks for the bytes by trace ID: set behind init */
    int status;     /* sticky: ETM_OK or ETM_ERR_MEMORY */

    struct etm_vec stream; /* uint8_t */
    struct etm_vec runs;   /* struct etm_frame_run */
    struct etm_vec events; /* struct etm_frame_event */
    struct etm_frame_counts counts;

    /* frame.c */
    uint64_t made; /* bytes of stream since the beginning */
    uint64_t lost; /* see struct etm_frame_run */
    uint8_t id;    /* in force; ETM_ID_UNKNOWN */
    enum etm_frame_sink sink;
    bool gap;              /* the next run follows a gap */
    uint64_t run_end;      /* what follows the last run stands there */
    bool stretch_is_ours;  /* its bytes may be missing in our stream */
    uint64_t stretch_file; /* ETM_SINK_COUNT: where the stretch began, */
    uint64_t stretch_n;    /* and its bytes so far */
    uint64_t blank_file;   /* frames of nothing but zeros, not yet used */
    uint64_t blank_frames;

    /* tpiu.c */
    uint64_t offset;                /* of the next byte in the capture */
    bool blocks;                    /* of a DSTREAM, ... */
    uint16_t begun;                 /* ... which begin so far before offset 0 */
    uint16_t in_block;              /* bytes of the block that were pushed */
    uint64_t file[ETM_FRAME_BYTES]; /* where the bytes of `frame` stood */
    uint8_t frame[ETM_FRAME_BYTES]; /* a frame that is not complete */
    uint8_t fill;                   /* its bytes */
    uint8_t from;        /* not 0: the bytes before were never seen */
    uint8_t pending;     /* bytes ff that may begin a synchronization */
    uint8_t ones;        /* bytes ff just seen, wherever they belong; <= 3 */
    uint8_t barrier;     /* full synchronizations in a row, <= 4 */
    bool searching;      /* where frames begin is not known yet, and */
    struct etm_vec held; /* these bytes wait for it */
    bool watching;   /* no full synchronization tells when bytes are missing */
    uint8_t trouble; /* faults of the last frames, then */
};

/* `id` as in struct etm_deframer_config; `allocator` is copied. */
void etm_deframer_init(struct etm_deframer *d, enum etm_frame_layout layout,
                       uint8_t id, const struct etm_allocator *allocator);
void etm_deframer_fini(struct etm_deframer *d);

/*
 * Before the first push of ETM_FRAME_ALIGNED: the capture begins with the rest
 * of a frame, of which `missing` bytes (0 to 15) stood before it. Nobody knows
 * whose data they are.
 */
void etm_deframer_begin(struct etm_deframer *d, unsigned missing);

/* The trace in each block of ETM_BLOCK_BYTES. */
#define ETM_BLOCK_TRACE 504u

/* Before the first push of ETM_FRAME_DSTREAM: the capture begins at byte `at`
 * (0 to 511) of a block. */
void etm_deframer_begin_block(struct etm_deframer *d, unsigned at);

/*
 * Does the stream of a TPIU stand in blocks of a DSTREAM, from the first byte
 * on? What there is between full synchronizations tells. ETM_OK or
 * ETM_ERR_MEMORY.
 */
int etm_frame_blocks(const uint8_t *bytes, size_t n,
                     const struct etm_allocator *allocator, bool *blocks);

/*
 * Is it the stream of a TPIU that is told to be aligned frames? Half-word
 * synchronization tells, which no memory has, and frames that are whole without
 * it. ETM_OK or ETM_ERR_MEMORY.
 */
int etm_frame_synchronized(const uint8_t *bytes, size_t n,
                           const struct etm_allocator *allocator, bool *is);

/*
 * How a deframer stands between two frames of ETM_FRAME_ALIGNED where nothing
 * is open: some frame came before, and nothing is missing.
 */
struct etm_deframer_start {
    uint64_t file; /* offset in the capture of the next frame */
    uint8_t id;    /* the trace ID in force */
    bool ones;     /* the byte before is ff */
};

/* Stand so, with nothing made. False, and good for nothing, if that ID needs to
 * know more. */
bool etm_deframer_start(struct etm_deframer *d,
                        const struct etm_deframer_start *start);

/*
 * If the deframer stands so, and what it made is taken, it becomes `other`,
 * which has begun there, with all that this has made; and the other way round.
 * Both want the same source, and nobody asks for counts. False: nothing has
 * happened.
 */
bool etm_deframer_exchange(struct etm_deframer *d,
                           const struct etm_deframer_start *start,
                           struct etm_deframer *other);

/* The trace ID in force behind a frame; ETM_ID_UNKNOWN: it has none. */
uint8_t etm_frame_last_id(const uint8_t *frame);

/*
 * phase.c: does memory begin with a frame?
 */

/* Bytes of the beginning that are looked at, at most. */
#define ETM_PHASE_BYTES 65536u

enum etm_phase {
    ETM_PHASE_MORE = 0, /* more bytes are needed */
    ETM_PHASE_KNOWN,    /* frames begin at *first, or nothing speaks against
                           the first byte */
    ETM_PHASE_DOUBT     /* hardly at the first byte; where is not clear */
};

/*
 * Look at the `n` bytes that a capture begins with; `end`: no more will come.
 * The answer depends on the bytes only, not on how many there are beyond those
 * that were needed. *first is 0 to 15, and 0 unless frames are known to begin
 * at another byte.
 */
enum etm_phase etm_frame_phase(const uint8_t *bytes, size_t n, bool end,
                               uint8_t *first);

/*
 * The same of the first bytes of a TPIU's stream that have no full
 * synchronization, all there are. *first is how many bytes of a frame stand
 * before the first whole one, without half-word synchronization.
 */
enum etm_phase etm_frame_tpiu_phase(const uint8_t *bytes, size_t n,
                                    uint8_t *first);

/* Bytes of padding that are not 0, and reserved trace IDs, in a frame with `id`
 * in force: what a frame has that is none. */
unsigned etm_frame_faults(const uint8_t *frame, uint8_t id);

/* The A-syncs in the frames of such a stream, wherever these begin. */
unsigned etm_frame_a_syncs(const uint8_t *bytes, size_t n);

/*
 * Do bytes that are told to have no frames look like frames? Their A-syncs are
 * whole in them, as they are not in the bytes themselves.
 */
bool etm_frame_likely(const uint8_t *bytes, size_t n);

/* Or the stream of a TPIU, with half-word synchronization alone? */
bool etm_frame_tpiu_likely(const uint8_t *bytes, size_t n);

/* The other way round: are there no frames in what is told to have some? */
bool etm_frame_unlikely(const uint8_t *bytes, size_t n);

/*
 * align.c: append the bytes of a TPIU's stream that stand in `bits` bits from
 * any bit on, as samples of a narrow port give them, so that full
 * synchronizations are whole bytes, or without any half-word ones, or else
 * A-syncs. Bits behind the last one are 0. Where some
 * bits are missing, what lies before the next full synchronization (at most 8
 * KiB) is left out, and a frame of a single byte stands there. ETM_ERR_MEMORY.
 */
int etm_frame_align(const uint8_t *bytes, uint64_t bits,
                    struct etm_vec *stream);

/*
 * Was the byte order wrong when words were stored, so that the bytes of each
 * stand the other way round? The bytes of such a word: 2, 4 or 8; 0: nothing
 * speaks for it. `framed`: in frames, that would else begin at byte `first`,
 * and not the bytes of one source.
 */
unsigned etm_frame_swapped(const uint8_t *bytes, size_t n, bool framed,
                           size_t first);

/*
 * frame.c for tpiu.c. Errors are left in d->status.
 */

/* One frame; `file` has the place of each of its bytes. */
void etm_deframer_frame(struct etm_deframer *d, const uint8_t *frame,
                        const uint64_t *file);

/*
 * As many frames of the `n` bytes as can be read without looking for
 * synchronization byte by byte. They stand at `file`. Returns bytes used.
 */
size_t etm_deframer_frames(struct etm_deframer *d, const uint8_t *bytes,
                           size_t n, uint64_t file);

/* `n` bytes at `file` cannot be used; every source has a gap here. */
void etm_deframer_bad(struct etm_deframer *d, uint64_t file, uint64_t n);

/* Forget which trace ID is in force. */
void etm_deframer_forget_id(struct etm_deframer *d, uint64_t file);

void etm_deframer_event(struct etm_deframer *d, enum etm_frame_event_kind kind,
                        uint64_t file, uint64_t n, uint8_t value);

/* Before a capture ends. */
void etm_deframer_close(struct etm_deframer *d);

#endif
