/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internals of the deframer. The interface, and the layout of a frame, are
 * in <etm/port.h>; structs that embed a deframer use init and fini.
 *
 *     capture bytes ─ tpiu.c: where do frames begin? ─► frames
 *                   ─ frame.c: whose bytes are these? ─► stream, runs, events
 */
#ifndef ETM_PORT_FRAME_H
#define ETM_PORT_FRAME_H

#include "base/vec.h"

#include <etm/port.h>

/* More than the longest distance of full synchronizations, if a TPIU sends any:
 * 4096 frames (TPIU Formatter Synchronization Counter Register). */
#define ETM_FRAME_SEARCH (128u * 1024u)

/* What is done with the data of the current trace ID. */
enum etm_frame_sink {
    ETM_SINK_DROP = 0, /* another source, or padding */
    ETM_SINK_KEEP,     /* the wanted source */
    ETM_SINK_TRIGGER,  /* each byte makes an event */
    ETM_SINK_COUNT     /* unknown or reserved: one event for the stretch */
};

struct etm_deframer {
    struct etm_allocator allocator;
    enum etm_frame_layout layout;
    uint8_t want; /* trace ID; 0: none */
    bool taken;   /* the caller has got what is in the three vectors */
    bool finished;
    bool uncounted; /* the bytes by trace ID are not needed: set after init */
    int status;     /* sticky: ETM_OK or ETM_ERR_MEMORY */

    /* Bytes that a pin did not carry as it should, in order, of those of which
     * number `wrong_from` is at offset 0: set after init, borrowed. */
    const uint64_t *wrong;
    size_t n_wrong;
    uint64_t wrong_from;

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
    uint64_t run_end;      /* offset of what follows the last run */
    bool stretch_is_ours;  /* its bytes may be missing in the wanted stream */
    uint64_t stretch_file; /* ETM_SINK_COUNT: where the stretch began, */
    uint64_t stretch_n;    /* and its bytes so far */
    uint64_t blank_file;   /* frames of nothing but zeros, not yet used */
    uint64_t blank_frames;

    /* tpiu.c */
    uint64_t offset;                /* of the next byte in the capture */
    bool blocks;                    /* of a DSTREAM, ... */
    uint16_t begun;                 /* ... which begin this far before offset
                                       0 */
    uint16_t in_block;              /* bytes of the block that were pushed */
    uint64_t file[ETM_FRAME_BYTES]; /* offsets of the bytes of `frame` */
    uint8_t frame[ETM_FRAME_BYTES]; /* a frame that is not complete */
    uint8_t fill;                   /* its bytes */
    uint8_t from;        /* not 0: the earlier bytes were never seen */
    uint8_t pending;     /* bytes ff that may begin a synchronization */
    uint8_t ones;        /* bytes ff just seen, wherever they belong; <= 3 */
    uint8_t barrier;     /* full synchronizations in a row, <= 4 */
    bool searching;      /* where frames begin is not known yet, and */
    struct etm_vec held; /* these bytes wait for it */
    bool settling; /* bytes are held for an answer about those before them */

    /* missing.c */
    bool fixed;       /* it is not looked for missing bytes: set after init */
    bool doubting;    /* from d->offset on frames may begin elsewhere, and the
                         bytes in `held` wait for an answer */
    uint32_t wanted;  /* which needs so many of them */
    uint64_t calm;    /* frames before this offset are taken as they are */
    uint64_t learned; /* all IDs before this one are known; 0: none came */
    bool broken;      /* an A-sync with bits of a flag byte is in doubt; */
    uint64_t quiet;   /* it is no sign before this offset, */
    uint8_t in_vain;  /* after so many that were none */
    uint8_t noise;    /* searches without an answer, and */
    uint32_t rest;    /* bytes after the last one that are taken as they are */
    bool ahead;       /* a thread is ahead of the one that reads, and */
    bool moved;       /* met what it cannot judge */
    struct etm_vec past;  /* the last frames that were right */
    uint8_t strange[256]; /* not 0: an even byte that needs a look, because it
                             is an ID that was not met yet, or unusual */
};

/* `id` as in struct etm_deframer_config; `allocator` is copied. */
void etm_deframer_init(struct etm_deframer *d, enum etm_frame_layout layout,
                       uint8_t id, const struct etm_allocator *allocator);
void etm_deframer_fini(struct etm_deframer *d);

/*
 * Before the first push of ETM_FRAME_ALIGNED: the capture begins with the rest
 * of a frame, of which `missing` bytes (0 to 15) were before it. It is not
 * known to which source its data belong.
 */
void etm_deframer_begin(struct etm_deframer *d, unsigned missing);

/* The trace in each block of ETM_BLOCK_BYTES. */
#define ETM_BLOCK_TRACE 504u

/*
 * missing.c: do frames not begin any more where they did?
 */

/* Before the first frame: no ID was met. */
void etm_deframer_know(struct etm_deframer *d);

/* Does a frame at offset `at` show it? `id` is in force before it. An ID that
 * is met here may be known afterwards. */
bool etm_deframer_strange(struct etm_deframer *d, const uint8_t *frame,
                          uint8_t id, uint64_t at);

/* Bytes of whole frames, of `n` at `file` (at least a frame), before the first
 * one that has an A-sync with bits of a flag byte. */
size_t etm_deframer_clear(struct etm_deframer *d, const uint8_t *bytes,
                          size_t n, uint64_t file);

/* A frame that shows it is the next one: bytes are held from here on. */
void etm_deframer_doubt(struct etm_deframer *d, const uint8_t *frame);

/* Frames have been taken. */
void etm_deframer_remember(struct etm_deframer *d, const uint8_t *frames,
                           size_t n);

/*
 * An answer from the first d->wanted bytes held, if they are enough, or from
 * all of them at the end; `end`: no more will come. Otherwise more are wanted.
 * *done: so many of them can be taken now, without another look, or 0; and
 * where frames go on elsewhere in them is appended to the stretches.
 */
int etm_deframer_judge(struct etm_deframer *d, bool end,
                       struct etm_vec *stretches, size_t *done);

/* Does it go on like a deframer that has seen nothing of that? */
bool etm_deframer_untroubled(const struct etm_deframer *d);

/* Before the first push of ETM_FRAME_DSTREAM: the capture begins at byte `at`
 * (0 to 511) of a block. */
void etm_deframer_begin_block(struct etm_deframer *d, unsigned at);

/*
 * Is the stream of a TPIU in blocks of a DSTREAM, from the first byte on? The
 * contents between full synchronizations show it. ETM_OK or ETM_ERR_MEMORY.
 */
int etm_frame_blocks(const uint8_t *bytes, size_t n,
                     const struct etm_allocator *allocator, bool *blocks);

/*
 * Are declared aligned frames really the stream of a TPIU? They are if there is
 * halfword synchronization, which memory never has, and frames are complete
 * without it. ETM_OK or ETM_ERR_MEMORY.
 */
int etm_frame_synchronized(const uint8_t *bytes, size_t n,
                           const struct etm_allocator *allocator, bool *is);

/*
 * The state of a deframer between two frames of ETM_FRAME_ALIGNED with nothing
 * pending: some frame came before, and nothing is missing.
 */
struct etm_deframer_start {
    uint64_t file; /* offset in the capture of the next frame */
    uint8_t id;    /* the current trace ID */
    bool ones;     /* the previous byte is ff */
};

/* Set this state, with no output. False, and the deframer cannot be used, if
 * that ID needs more state. */
bool etm_deframer_start(struct etm_deframer *d,
                        const struct etm_deframer_start *start);

/*
 * If the deframer is in this state, and its output was taken, it is exchanged
 * with `other`, which has begun there, including the output of that one. Both
 * must want the same source, and no counts. False: nothing was done.
 */
bool etm_deframer_exchange(struct etm_deframer *d,
                           const struct etm_deframer_start *start,
                           struct etm_deframer *other);

/* The current trace ID after a frame; ETM_ID_UNKNOWN: it has none. */
static inline uint8_t etm_frame_last_id(const uint8_t *frame)
{
    for (unsigned i = ETM_FRAME_BYTES; i != 0; i -= 2)
        if ((frame[i - 2] & 1) != 0)
            return frame[i - 2] >> 1;
    return ETM_ID_UNKNOWN;
}

/*
 * phase.c: does memory begin with a frame?
 */

/* Maximum number of bytes examined at the beginning. */
#define ETM_PHASE_BYTES 65536u

enum etm_phase {
    ETM_PHASE_MORE = 0, /* more bytes are needed */
    ETM_PHASE_KNOWN,    /* frames begin at *first, or nothing contradicts the
                           first byte */
    ETM_PHASE_DOUBT     /* probably not at the first byte, but it is not
                           clear where */
};

/*
 * Examine the first `n` bytes of a capture; `end`: no more will come. The
 * result depends only on the bytes needed, not on how many more there are.
 * *first is 0 to 15, and 0 unless frames are known to begin at another byte.
 */
enum etm_phase etm_frame_phase(const uint8_t *bytes, size_t n, bool end,
                               uint8_t *first);

/*
 * Examine the first bytes of a TPIU's stream without full synchronization.
 * *first is the number of bytes of a frame before the first whole one, without
 * halfword synchronization.
 */
enum etm_phase etm_frame_tpiu_phase(const uint8_t *bytes, size_t n,
                                    uint8_t *first);

/* The A-syncs in the frames of such a stream, wherever these begin. */
unsigned etm_frame_a_syncs(const uint8_t *bytes, size_t n);

/*
 * Do bytes that are declared to have no frames look like frames? They do if
 * A-syncs are complete after deframing, but not in the bytes themselves.
 * *phase: how many bytes come before the first frame.
 */
bool etm_frame_likely(const uint8_t *bytes, size_t n, unsigned *phase);

/* Or like the stream of a TPIU with only halfword synchronization? */
bool etm_frame_tpiu_likely(const uint8_t *bytes, size_t n);

/* The reverse: are there no frames in bytes that are declared to have some? */
bool etm_frame_unlikely(const uint8_t *bytes, size_t n);

/*
 * stretches.c: where frames begin in bytes, at most ETM_FRAME_SEARCH of them,
 * and where they go on elsewhere: stretches of frames that end before byte
 * `end_before`, and begin again with byte `begin`. For the first one `begin` is
 * 0, or up to 15 if this is evident; the bytes before it are those of another
 * frame.
 */
struct etm_frame_stretch {
    size_t end_before, begin;
    uint8_t id; /* probably in force there; ETM_ID_UNKNOWN. Of the first one it
                   says nothing */
};

/* Append those of the stream of a TPIU without full synchronization to `list`;
 * the `begin` of the first stretch does not count halfword synchronization. *n
 * bytes; if their beginning is no frames at all, it becomes the number of those
 * that were looked at. ETM_OK or ETM_ERR_MEMORY. */
int etm_frame_tpiu_stretches(const uint8_t *bytes, size_t *n,
                             struct etm_vec *list);

/*
 * slip.c: where frames go on elsewhere in bytes that begin with a frame, where
 * all frames before it were right.
 */

/* Bytes that are looked at, in whole frames: those before it, and at most so
 * many without synchronization from it on. */
#define ETM_SLIP_PAST ((size_t)4096)
#define ETM_SLIP_MOST ((size_t)4096)

struct etm_frame_doubt {
    const struct etm_vec *past; /* frames */
    const uint8_t *bytes;
    size_t n;
    const uint32_t *syncs; /* frames begin at these bytes */
    size_t n_syncs;
    uint8_t id; /* in force before them */
    bool last;  /* an answer is needed */
};

/* The ID in force before the last of these frames; ETM_ID_UNKNOWN. */
uint8_t etm_frame_id_before(const struct etm_vec *past);

/* *done: for so many of the bytes there is an answer; 0: there is none. The
 * stretches but the first are appended to `list`. ETM_OK, ETM_ERR_MEMORY. */
int etm_frame_slips(const struct etm_frame_doubt *doubt, struct etm_vec *list,
                    size_t *done);

/* Where in memory, of at least 16 bytes, frames begin as these signs show: 0 to
 * 15; ETM_FRAME_BYTES: they do not. */
unsigned etm_frame_evident(const uint8_t *bytes, size_t n);

/*
 * seam.c: where in memory, of no more than so many bytes, the last frame of
 * trace ends and other frames follow, if it is at one place, and no trace
 * begins there or with the first frame; 0: nowhere.
 */
#define ETM_FRAME_SEAM_MOST ((size_t)64 << 20)
size_t etm_frame_seam(const uint8_t *bytes, size_t n);

/*
 * align.c: append the bytes of a TPIU's stream that are in `bits` bits with any
 * alignment, as from samples of a narrow port, aligned by full synchronizations
 * or, if there are none, by halfword ones or A-syncs. Bits after the last one
 * are 0. Where bits are missing, what precedes the next full synchronization
 * (at most 8 KiB) is replaced by a frame of a single byte. ETM_ERR_MEMORY.
 */
int etm_frame_align(const uint8_t *bytes, uint64_t bits,
                    struct etm_vec *stream);

/*
 * Were words stored in the wrong byte order? Returns the bytes of such a word:
 * 2, 4 or 8; 0: no sign of it. `framed`: frames, which would otherwise begin at
 * byte `first`; else the bytes of one source.
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
 * Take as many frames of the `n` bytes as possible without looking for
 * synchronization byte by byte. They are at `file`. Returns the number of bytes
 * used.
 */
size_t etm_deframer_frames(struct etm_deframer *d, const uint8_t *bytes,
                           size_t n, uint64_t file);

/* `n` bytes at `file` cannot be used; every source has a gap here. */
void etm_deframer_bad(struct etm_deframer *d, uint64_t file, uint64_t n);

/* Forget the current trace ID. */
void etm_deframer_forget_id(struct etm_deframer *d, uint64_t file);

/* Then this one is probably in force. */
void etm_deframer_assume_id(struct etm_deframer *d, uint8_t id);

void etm_deframer_event(struct etm_deframer *d, enum etm_frame_event_kind kind,
                        uint64_t file, uint64_t n, uint8_t value);

/* Before a capture ends. */
void etm_deframer_close(struct etm_deframer *d);

#endif
