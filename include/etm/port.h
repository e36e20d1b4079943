/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the bytes or samples of a capture to the stream of one trace source,
 * and back: the CoreSight formatter, trace ports without one, and bits that
 * do not begin where bytes do.
 *
 * The CoreSight formatter, both ways: from frames to the stream of one trace
 * source, and from the streams of several sources to frames (Arm CoreSight
 * Architecture Specification, chapter "Trace Formatter"; CoreSight
 * Components TRM, DDI 0314H, 8.12 and 9.6).
 *
 * A frame is 16 bytes:
 *
 *     byte  0 2 .. 14   bit 0 = 1: a change of the trace ID, the new one in
 *                       bits [7:1]
 *                       bit 0 = 0: data bits [7:1], bit 0 is in byte 15
 *     byte  1 3 .. 13   data
 *     byte 15           bit i belongs to byte 2i: bit 0 of the data, or for a
 *                       change of ID whether byte 2i+1 still belongs to the
 *                       previous ID (1) or already to the new one (0)
 *
 * In the stream of a trace port (TPIU) there are synchronization packets
 * between frames (ff ff ff 7f) and between the halfwords of a frame (ff 7f).
 *
 * What the bytes of a formatter in bypass mean is up to the one source they
 * come from; see etm_bypass_size().
 */
#ifndef ETM_PORT_H
#define ETM_PORT_H

#include <etm/status.h>
#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What surrounds the frames. */
enum etm_frame_layout {
    /* The memory of an ETB, ETF or ETR: frames from the first byte on.
     * Between frames there may be full synchronization packets; four in a
     * row are the barrier that Linux writes where older trace was
     * overwritten. */
    ETM_FRAME_ALIGNED = 0,
    /* What a trace port sends, or a DSTREAM records: frames with full and
     * halfword synchronization packets. It may begin in the middle of a
     * frame. */
    ETM_FRAME_TPIU,
    /* The same in the blocks of 512 bytes of a DSTREAM's memory: the last
     * eight of each are its own, and no trace. A deframer reads it, no framer
     * writes it. */
    ETM_FRAME_DSTREAM
};

#define ETM_FRAME_BYTES 16u
#define ETM_FRAME_DATA 15u   /* data bytes of a frame without ID bytes */
#define ETM_BLOCK_BYTES 512u /* of ETM_FRAME_DSTREAM */

/* Trace IDs with a meaning of their own (AMBA ATB, "ATID"). */
#define ETM_ID_NULL 0x00u     /* padding */
#define ETM_ID_RESERVED 0x70u /* 0x70 to 0x7f are no source's, ... */
#define ETM_ID_TRIGGER 0x7du  /* ... this one marks triggers and flushes, */
#define ETM_ID_SYNC 0x7fu     /* ... and this one never appears in a frame */
#define ETM_ID_UNKNOWN 0x80u  /* before the first ID byte of a capture */

/*
 * Where a piece of the source's stream stands in the capture: data bytes that
 * follow each other with nothing between them but the flag byte (byte 15)
 * that ends each frame.
 */
struct etm_frame_run {
    uint64_t stream; /* offset in the source's stream of the first byte */
    uint64_t file;   /* offset in the capture of that byte */
    uint64_t lost;   /* if `gap`: capture bytes that were dropped, and may
                        have been this source's */
    uint32_t n;      /* data bytes */
    uint8_t id;
    uint8_t at; /* position in its frame of the first byte, 0 to 14 */
    bool gap;   /* the bytes just before this run were lost */
};

/* The offset in the capture of byte `i` of a run (0 to n). */
static inline uint64_t etm_frame_run_file(const struct etm_frame_run *run,
                                          uint32_t i)
{
    uint64_t at = run->at;

    return run->file + i + (at + i) / ETM_FRAME_DATA;
}

enum etm_frame_event_kind {
    /* A data byte of ID 0x7d: `value`. */
    ETM_FRAME_TRIGGER = 1,
    /* From `file` on, `n` bytes could not be used: a reserved trace ID and
     * what came under it (without flag bytes), or a frame that a
     * synchronization or the end of the capture cut short. 0: the frames
     * before were misread, but nothing is left over. */
    ETM_FRAME_BAD,
    /* `n` bytes whose trace ID is not known, because no ID byte came
     * before them. No damage: most captures begin with some. */
    ETM_FRAME_UNKNOWN,
    /* A barrier of four synchronization packets: what comes next does not
     * continue what came before. */
    ETM_FRAME_BARRIER
};

struct etm_frame_event {
    uint64_t file; /* offset in the capture */
    uint64_t n;
    enum etm_frame_event_kind kind;
    uint8_t value;
};

/* How much of what there was. All but the first three are in bytes. */
struct etm_frame_counts {
    uint64_t frames;
    uint64_t full_syncs;
    uint64_t half_syncs;
    uint64_t bad;         /* in BAD events */
    uint64_t blank;       /* the padding behind the last frame */
    uint64_t bytes[0x81]; /* data by trace ID, and of ETM_ID_UNKNOWN */
};

/* What a deframer has made; valid until its next push or finish. */
struct etm_deframed {
    const uint8_t *bytes; /* the source's stream */
    size_t n_bytes;
    const struct etm_frame_run *runs; /* without a hole: they cover `bytes` */
    size_t n_runs;
    const struct etm_frame_event *events;
    size_t n_events;
    uint64_t lost; /* bytes lost behind the last run: the `lost` of the next
                      one, so far */
};

struct etm_deframer;

struct etm_deframer_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_frame_layout layout;
    uint8_t id; /* the source that is wanted, 0x01 to 0x7e but not 0x7d; 0:
                   none, for counts and events only */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * On success the caller owns *deframer; on failure it is NULL.
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_deframer_new(struct etm_deframer **deframer,
                     const struct etm_deframer_config *config);

/*
 * Feed bytes of the capture; they are borrowed for the call. However a
 * capture is cut into calls, the stream and the events are the same, and so
 * are the runs where the cut itself does not split one.
 *
 * A TPIU stream is held back until its first full synchronization has shown
 * where frames begin, at most for ETM_FRAME_SEARCH bytes; then the frames
 * themselves have to show it, or it is taken to begin with one.
 *
 * ETM_ERR_MEMORY: the deframer is good for nothing more than being freed.
 * ETM_ERR_ARGUMENT after finish.
 */
int etm_deframer_push(struct etm_deframer *deframer, const uint8_t *bytes,
                      size_t n);

/* The end of the capture. Errors as above. */
int etm_deframer_finish(struct etm_deframer *deframer);

/* All that was made since the last take. Without a take it accumulates. */
void etm_deframer_take(struct etm_deframer *deframer,
                       struct etm_deframed *made);

/* What was counted so far; final after finish. The deframer owns it. */
const struct etm_frame_counts *
etm_deframer_counts(const struct etm_deframer *deframer);

/* Accepts NULL. */
void etm_deframer_free(struct etm_deframer *deframer);

/* Longer than any TPIU goes without a full synchronization, if it sends any:
 * 4096 frames (TPIU Formatter Synchronization Counter Register). */
#define ETM_FRAME_SEARCH (128u * 1024u)

/*
 * Count what is in a whole capture: the trace IDs that occur and the data
 * bytes of each. ETM_ERR_MEMORY.
 */
int etm_frame_survey(struct etm_frame_counts *counts,
                     enum etm_frame_layout layout, const uint8_t *bytes,
                     size_t n, const struct etm_allocator *allocator);

/*
 * The bytes of trace in a buffer that was filled with the formatter in
 * bypass: without the stop sequence, a byte 01 and zeros up to the end
 * (CoreSight TMC TRM, DDI 0461, 2.2.3). `n` if there is none.
 */
size_t etm_bypass_size(const uint8_t *bytes, size_t n);

struct etm_framer;

struct etm_framer_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_frame_layout layout;
    uint32_t full_sync;  /* TPIU: a full synchronization before the first frame
                            and after each so many; 0: none */
    uint32_t half_sync;  /* TPIU: a halfword synchronization after each so
                            many halfwords; 0: none */
    uint32_t repeat_id;  /* repeat the ID in force after so many frames
                            without an ID byte; 0: 8, like CoreSight's */
    bool no_deferred_id; /* before a change of source that falls on an odd
                            byte, repeat the old ID instead of announcing
                            the new one early */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * On success the caller owns *framer; on failure it is NULL.
 * ETM_ERR_ARGUMENT: synchronization packets asked for in ETM_FRAME_ALIGNED.
 * ETM_ERR_MEMORY.
 */
int etm_framer_new(struct etm_framer **framer,
                   const struct etm_framer_config *config);

/*
 * The next bytes of source `id`, 0x00 to 0x7e; a byte of ETM_ID_TRIGGER is a
 * trigger. ETM_ERR_ARGUMENT for any other ID, ETM_ERR_MEMORY.
 */
int etm_framer_push(struct etm_framer *framer, uint8_t id, const uint8_t *bytes,
                    size_t n);

/*
 * Fill the frame that has been begun with padding, as at a flush or a stop.
 * Everything pushed is in the output then. ETM_ERR_MEMORY.
 */
int etm_framer_flush(struct etm_framer *framer);

/* The bytes made since the last take; valid until the next push or flush. */
void etm_framer_take(struct etm_framer *framer, const uint8_t **bytes,
                     size_t *n);

/* Accepts NULL. */
void etm_framer_free(struct etm_framer *framer);

/*
 * The trace port of a macrocell, without a formatter behind it (ETM
 * architecture, 4.3, 4.4, 7.8). Each cycle of the port is one sample:
 *
 *     ETMv1     TRACESYNC (control)  PIPESTAT[2:0] (status)  TRACEPKT (data)
 *     ETMv2                          PIPESTAT[3:0] (status)  TRACEPKT (data)
 *     ETMv3, PFT  TRACECTL (control)                         TRACEDATA (data)
 *
 * In ETMv3 the samples carry a stream of bytes, the lowest bits first, and an
 * unpacker makes that stream of them. In ETMv1 and ETMv2 every sample has a
 * meaning of its own.
 */

/* How the cycles of the port are spread over its pins (2.10). */
enum etm_port_mode {
    ETM_PORT_NORMAL = 0,
    ETM_PORT_MULTIPLEXED,  /* two signals a pin, one on each edge: v1, v2 */
    ETM_PORT_DEMULTIPLEXED /* two cycles side by side: v1, v2 */
};

struct etm_port_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_protocol protocol;
    uint8_t width; /* TRACEPKT pins: 4, 8, 16; TRACEDATA pins: 1 to 64 */
    enum etm_port_mode mode;
    bool half_rate; /* v1, v2: samples on both edges of TRACECLK. Multiplexed
                       ports and those of ETMv3 always have them there */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/* Does such a port exist? ETM_OK, ETM_ERR_ARGUMENT, ETM_ERR_CONFIG. */
int etm_port_check(const struct etm_port_config *config, struct etm_diag *diag);

/*
 * Fill width, mode and half_rate from ETMCR (tables 3-5, 3-6, 2-17); the
 * protocol is given. In PFT it has no port size: the width stays, or is 8 if
 * it is 0. ETM_ERR_CONFIG: a reserved port size, or one that only its maker
 * knows.
 */
int etm_port_from_etmcr(struct etm_port_config *config, uint32_t etmcr,
                        struct etm_diag *diag);

struct etm_port_sample {
    uint64_t data;
    uint8_t control;
    uint8_t status; /* 0 in ETMv3 */
};

/* What a capture device has to do with a sample (4.4, table 4-1). */
enum etm_port_action {
    ETM_PORT_CAPTURE = 0,
    ETM_PORT_DISABLED,     /* no trace: drop it */
    ETM_PORT_TRIGGER,      /* the trigger, and capture it */
    ETM_PORT_TRIGGER_ALONE /* the trigger, and drop it */
};

enum etm_port_action etm_port_action(const struct etm_port_config *config,
                                     const struct etm_port_sample *sample);

/* Samples without a hole: bits of the stream, and where they were captured. */
struct etm_port_run {
    uint64_t bit;    /* in the stream: 8 * offset + number of the bit */
    uint64_t sample; /* number of the sample that carried it */
    uint64_t n;      /* samples */
    uint8_t width;   /* bits of each */
};

/* The sample that carried a bit of the stream which is in the run. */
static inline uint64_t etm_port_run_sample(const struct etm_port_run *run,
                                           uint64_t bit)
{
    return run->sample + (bit - run->bit) / run->width;
}

/* TRACECTL told of a trigger. */
struct etm_port_trigger {
    uint64_t sample;
    uint64_t bit;  /* place in the stream */
    bool captured; /* the stream has a trigger packet at this place */
};

struct etm_port_counts {
    uint64_t samples; /* all of them */
    uint64_t disabled;
    uint64_t triggers;
    uint64_t dropped_triggers; /* of those, not in the stream */
};

/* What an unpacker has made; valid until its next push or take. */
struct etm_unpacked {
    const uint8_t *bytes;
    size_t n_bytes;
    /* They cover `bytes`. A run that reaches beyond them is given again next
     * time, and may be longer then. */
    const struct etm_port_run *runs;
    size_t n_runs;
    const struct etm_port_trigger *triggers;
    size_t n_triggers;
};

struct etm_unpacker;

/*
 * Samples to the stream of an ETMv3 or PFT. On success the caller owns
 * *unpacker; on failure it is NULL. ETM_ERR_ARGUMENT, ETM_ERR_CONFIG: as
 * etm_port_check(), and for ETMv1 and ETMv2, whose samples are no stream of
 * bytes. ETM_ERR_MEMORY.
 */
int etm_unpacker_new(struct etm_unpacker **unpacker,
                     const struct etm_port_config *config);

/*
 * Feed samples; they are borrowed for the call. However they are cut into
 * calls, the stream is the same. Data bits beyond the width of the port are
 * ignored. ETM_ERR_MEMORY: the unpacker is good for nothing more than being
 * freed.
 */
int etm_unpacker_push(struct etm_unpacker *unpacker,
                      const struct etm_port_sample *samples, size_t n);

/* All that was made since the last take. Without a take it accumulates. Bits
 * that do not fill a byte wait for the next sample. */
void etm_unpacker_take(struct etm_unpacker *unpacker,
                       struct etm_unpacked *made);

/* What was counted so far. The unpacker owns it. */
const struct etm_port_counts *
etm_unpacker_counts(const struct etm_unpacker *unpacker);

/* Accepts NULL. */
void etm_unpacker_free(struct etm_unpacker *unpacker);

struct etm_packer;

/* The other direction: the port of an ETMv3. As etm_unpacker_new(). */
int etm_packer_new(struct etm_packer **packer,
                   const struct etm_port_config *config);

/* Bytes of trace. Samples go out as soon as they are full (7.8.3).
 * ETM_ERR_MEMORY. */
int etm_packer_push(struct etm_packer *packer, const uint8_t *bytes, size_t n);

/*
 * A trigger packet: on TRACEDATA[7:0], with TRACECTL, after as many ignore
 * packets as this takes (7.8.1). Only between packets. ETM_ERR_MEMORY.
 */
int etm_packer_trigger(struct etm_packer *packer);

/*
 * Fill the sample that has been begun with ignore packets, as before A-sync
 * or when the macrocell is being programmed (7.8.3). Only between packets.
 * ETM_ERR_MEMORY.
 */
int etm_packer_drain(struct etm_packer *packer);

/* `cycles` cycles of the port without trace (7.8.3). They may stand anywhere,
 * also within a packet. ETM_ERR_MEMORY. */
int etm_packer_idle(struct etm_packer *packer, uint64_t cycles);

/* The samples made since the last take; valid until the next call. */
void etm_packer_take(struct etm_packer *packer,
                     const struct etm_port_sample **samples, size_t *n);

/* Accepts NULL. */
void etm_packer_free(struct etm_packer *packer);

/*
 * Bits that moved: a port of less than 8 bits whose capture began, or lost or
 * doubled a cycle, within a byte. Every A-sync of ETMv3 and PFT, 47 or more 0
 * bits and a 1, shows where bytes begin (ETM architecture, 7.7.2); when that
 * is not where they were taken to begin, all from there on is shifted. Zeros
 * that were written over trace look like one: if the next A-sync stands where
 * those before did, or none follows and they are 64 or more, nothing is.
 */

/* A stretch of the shifted stream and where its bits stood. */
struct etm_realign_run {
    uint64_t stream; /* offset in the stream that comes out */
    uint64_t input;  /* offset in the stream that went in of the byte that */
    uint8_t bit;     /* has the first bit, and the number of that bit */
    bool gap;        /* what was before this run in the input was dropped, */
    uint64_t lost;   /* so many bytes */
    uint64_t n;      /* bytes */
};

struct etm_realigned {
    const uint8_t *bytes;
    size_t n_bytes;
    const struct etm_realign_run *runs; /* without a hole: they cover `bytes` */
    size_t n_runs;
};

struct etm_realigner;

struct etm_realigner_config {
    size_t size; /* sizeof this struct, or 0 */
    /*
     * When an A-sync shows that bits have moved, nobody knows since when:
     * everything behind the A-sync before it is dropped. For this so many
     * bytes at most are held back until an A-sync follows that confirms them,
     * and as many behind one that does not, for the next.
     * 0: ETM_REALIGN_HOLD. 8 is the least, and passes on what came between.
     */
    uint32_t hold;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/* The longest way from one A-sync to the next: ETMSYNCFR has 12 bits, and
 * synchronization may be late by as much again (7.7.1). */
#define ETM_REALIGN_HOLD 8192u
#define ETM_REALIGN_HOLD_MIN 8u

/*
 * On success the caller owns *realigner; on failure it is NULL.
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_realigner_new(struct etm_realigner **realigner,
                      const struct etm_realigner_config *config);

/*
 * Feed bytes; they are borrowed for the call. A stream whose A-syncs stand
 * where bytes begin comes out as it went in. However it is cut into calls,
 * the output is the same. ETM_ERR_MEMORY: the realigner is good for nothing
 * more than being freed. ETM_ERR_ARGUMENT after finish.
 */
int etm_realigner_push(struct etm_realigner *realigner, const uint8_t *bytes,
                       size_t n);

/* The end: gives what is held back. Errors as above. */
int etm_realigner_finish(struct etm_realigner *realigner);

/* All that was made since the last take; valid until the next push or
 * finish. Without a take it accumulates. */
void etm_realigner_take(struct etm_realigner *realigner,
                        struct etm_realigned *made);

/* Accepts NULL. */
void etm_realigner_free(struct etm_realigner *realigner);

#ifdef __cplusplus
}
#endif
#endif
