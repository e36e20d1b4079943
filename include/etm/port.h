/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the bytes or samples of a capture to the stream of one trace source, and
 * back: the CoreSight formatter, trace ports without a formatter, and streams
 * whose bits are shifted against byte boundaries.
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
 * The bytes of a formatter in bypass mode are those of its only source; see
 * etm_bypass_size().
 */
#ifndef ETM_PORT_H
#define ETM_PORT_H

#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What surrounds the frames. */
enum etm_frame_layout {
    /* The memory of an ETB, ETF or ETR: frames from the first byte on.
     * Between frames there may be full synchronization packets; four in a
     * row are the barrier that Linux writes where older trace was
     * overwritten. If bytes are missing, frames are found again by their
     * contents (doc/errata.md, E-404), and sources that may have had data
     * there have a gap: where frames look wrong, up to 4 KiB are held back
     * for that, also in the other layouts. */
    ETM_FRAME_ALIGNED = 0,
    /* What a trace port sends, or a DSTREAM records: frames with full and
     * halfword synchronization packets. It may begin in the middle of a
     * frame. */
    ETM_FRAME_TPIU,
    /* Frames with such packets in the 512-byte blocks of a DSTREAM's memory:
     * the last eight bytes of each block are not trace. A deframer reads this
     * layout, but a framer does not write it. */
    ETM_FRAME_DSTREAM
};

#define ETM_FRAME_BYTES 16u
#define ETM_FRAME_DATA 15u   /* data bytes of a frame without ID bytes */
#define ETM_BLOCK_BYTES 512u /* of ETM_FRAME_DSTREAM */

/* Trace IDs with a meaning of their own (AMBA ATB, "ATID"). */
#define ETM_ID_NULL 0x00u     /* padding */
#define ETM_ID_RESERVED 0x70u /* 0x70 to 0x7f belong to no source, ... */
#define ETM_ID_TRIGGER 0x7du  /* ... this one marks triggers and flushes, */
#define ETM_ID_SYNC 0x7fu     /* ... and this one never appears in a frame */
#define ETM_ID_UNKNOWN 0x80u  /* before the first ID byte of a capture */

/*
 * Where a piece of the source's stream is in the capture: consecutive data
 * bytes with nothing between them except the flag byte (byte 15) at the end of
 * each frame.
 */
struct etm_frame_run {
    uint64_t stream; /* offset in the source's stream of the first byte */
    uint64_t file;   /* offset in the capture of that byte */
    uint64_t lost;   /* if `gap`: bytes of the capture that were dropped and may
                        have belonged to this source */
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
    /* From `file` on, `n` bytes could not be used: a reserved trace ID and the
     * data under it (without flag bytes), or a frame cut short by a
     * synchronization packet or the end of the capture, or where bytes are
     * missing. `n` is 0 if earlier frames were misread but no bytes are left
     * over. */
    ETM_FRAME_BAD,
    /* `n` bytes whose trace ID is not known, because no ID byte came before
     * them. This is no damage: most captures begin with some. */
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

/* Contents of a capture. All but the first three count bytes. */
struct etm_frame_counts {
    uint64_t frames;
    uint64_t full_syncs;
    uint64_t half_syncs;
    uint64_t bad;         /* in BAD events */
    uint64_t blank;       /* padding after the last frame */
    uint64_t bytes[0x81]; /* data by trace ID, including ETM_ID_UNKNOWN */
    uint64_t moved;       /* not bytes: places where frames go on elsewhere,
                             because bytes were lost or added, as only their
                             contents show */
    uint64_t reserve[4];
};

/* Output of a deframer; valid until its next push or finish. */
struct etm_deframed {
    const uint8_t *bytes; /* the source's stream */
    size_t n_bytes;
    const struct etm_frame_run *runs; /* without a hole: they cover `bytes` */
    size_t n_runs;
    const struct etm_frame_event *events;
    size_t n_events;
    uint64_t lost; /* bytes lost after the last run: `lost` of the next run, so
                      far */
    uint64_t reserve[4];
};

struct etm_deframer;

struct etm_deframer_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_frame_layout layout;
    uint8_t id; /* trace ID of the wanted source, 0x01 to 0x7e but not 0x7d; 0:
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
 * Feed bytes of the capture; they are borrowed for the call. Stream and events
 * do not depend on how the capture is divided into calls; runs do only in that
 * the end of a call may split one.
 *
 * A TPIU stream is held back until its first full synchronization shows where
 * frames begin, but at most for 128 KiB. After that, the contents of the frames
 * are used to find out, or the stream is assumed to begin with a frame.
 *
 * ETM_ERR_MEMORY: the deframer can only be freed. ETM_ERR_ARGUMENT: after
 * finish.
 */
int etm_deframer_push(struct etm_deframer *deframer, const uint8_t *bytes,
                      size_t n);

/* The end of the capture. Errors as for etm_deframer_push(). */
int etm_deframer_finish(struct etm_deframer *deframer);

/* Get everything made since the last take; without a take it accumulates. */
void etm_deframer_take(struct etm_deframer *deframer,
                       struct etm_deframed *made);

/* What was counted so far; final after finish. The deframer owns it. */
const struct etm_frame_counts *
etm_deframer_counts(const struct etm_deframer *deframer);

/* Accepts NULL. */
void etm_deframer_free(struct etm_deframer *deframer);

/*
 * Count what is in a whole capture: the trace IDs that occur and the data
 * bytes of each. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_frame_survey(struct etm_frame_counts *counts,
                     enum etm_frame_layout layout, const uint8_t *bytes,
                     size_t n, const struct etm_allocator *allocator);

/*
 * The number of bytes of trace in a buffer that was filled with the formatter
 * in bypass mode: without the stop sequence, which is a byte 01 and zeros up to
 * the end (CoreSight TMC TRM, DDI 0461, 2.2.3). `n` if there is no stop
 * sequence.
 */
size_t etm_bypass_size(const uint8_t *bytes, size_t n);

struct etm_framer;

struct etm_framer_config {
    size_t size; /* sizeof this struct, or 0 */
    enum etm_frame_layout layout;
    uint32_t full_sync;  /* TPIU: a full synchronization before the first frame
                            and after every full_sync frames; 0: none */
    uint32_t half_sync;  /* TPIU: a halfword synchronization after every
                            half_sync halfwords; 0: none */
    uint32_t repeat_id;  /* repeat the current ID after this many frames without
                            an ID byte; 0: 8, as CoreSight formatters do */
    bool no_deferred_id; /* if the source changes at an odd byte, repeat the old
                            ID instead of giving the new one a byte early */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * On success the caller owns *framer; on failure it is NULL. ETM_ERR_ARGUMENT,
 * also for synchronization packets in ETM_FRAME_ALIGNED; ETM_ERR_MEMORY.
 */
int etm_framer_new(struct etm_framer **framer,
                   const struct etm_framer_config *config);

/*
 * The next bytes of source `id`, 0x00 to 0x7e; a byte of ETM_ID_TRIGGER is a
 * trigger. ETM_ERR_ARGUMENT, also for any other ID, and without `bytes` unless
 * `n` is 0; ETM_ERR_MEMORY.
 */
int etm_framer_push(struct etm_framer *framer, uint8_t id, const uint8_t *bytes,
                    size_t n);

/*
 * Fill the current frame with padding, as at a flush or a stop. Afterwards
 * everything pushed is in the output. ETM_ERR_MEMORY.
 */
int etm_framer_flush(struct etm_framer *framer);

/* Get the bytes made since the last take; valid until the next push or
 * flush. */
void etm_framer_take(struct etm_framer *framer, const uint8_t **bytes,
                     size_t *n);

/* Accepts NULL. */
void etm_framer_free(struct etm_framer *framer);

/*
 * The trace port of a macrocell without a formatter (ETM architecture, 4.3,
 * 4.4, 7.8). Each cycle of the port is one sample:
 *
 *     ETMv1     TRACESYNC (control)  PIPESTAT[2:0] (status)  TRACEPKT (data)
 *     ETMv2                          PIPESTAT[3:0] (status)  TRACEPKT (data)
 *     ETMv3, PFT  TRACECTL (control)                         TRACEDATA (data)
 *
 * In ETMv3 and PFT the samples carry a stream of bytes, the lowest bits first,
 * and an unpacker extracts it. In ETMv1 and ETMv2 every sample has a meaning of
 * its own.
 */

/* How the samples of a trace port are written in a file. */
enum etm_port_form {
    ETM_PORT_FORM_AUTO,    /* text, vcd, csv, openocd, by what the file shows */
    ETM_PORT_FORM_TEXT,    /* numbers in hexadecimal, one sample a line */
    ETM_PORT_FORM_VCD,     /* value change dump (IEEE 1364): pins and clock */
    ETM_PORT_FORM_OPENOCD, /* OpenOCD's `etm dump` */
    ETM_PORT_FORM_RECORDS, /* v1, v2: 2 bytes a sample, 3 with 16 pins */
    ETM_PORT_FORM_ETB,     /* v1, v2: 32-bit words of an Embedded Trace Buffer
                              for ETM7 to ETM10, the lowest byte first */
    ETM_PORT_FORM_BYTES,   /* v1, v2, 4 pins: a byte a sample */
    ETM_PORT_FORM_CSV,     /* a table of an analyser: a column each pin */
};

/* "auto", "text", ...; never NULL, static storage. */
const char *etm_port_form_name(enum etm_port_form form);

/* How the cycles of the port are distributed over its pins (2.10). */
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
    bool half_rate; /* v1, v2: samples on both edges of TRACECLK, as always in
                       multiplexed ports and in those of ETMv3 */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/* Check that there is such a port. ETM_OK, ETM_ERR_ARGUMENT, ETM_ERR_CONFIG. */
int etm_port_check(const struct etm_port_config *config, struct etm_diag *diag);

/*
 * Set width, mode and half_rate from ETMCR (tables 3-5, 3-6, 2-17); the
 * protocol must be set. PFT has no port size in ETMCR: the width is kept, or is
 * 8 if it is 0. ETM_ERR_ARGUMENT; ETM_ERR_CONFIG: the port size is reserved or
 * implementation defined.
 */
int etm_port_from_etmcr(struct etm_port_config *config, uint32_t etmcr,
                        struct etm_diag *diag);

struct etm_port_sample {
    uint64_t data;
    uint8_t control;
    uint8_t status; /* 0 in ETMv3 */
};

/* What a capture device does with a sample (4.4, table 4-1). */
enum etm_port_action {
    ETM_PORT_CAPTURE = 0,
    ETM_PORT_DISABLED,     /* no trace: drop it */
    ETM_PORT_TRIGGER,      /* a trigger; capture the sample */
    ETM_PORT_TRIGGER_ALONE /* a trigger; drop the sample */
};

enum etm_port_action
etm_port_sample_action(const struct etm_port_config *config,
                       const struct etm_port_sample *sample);

/* Consecutive samples: bits of the stream, and where they were captured. */
struct etm_port_run {
    uint64_t bit;    /* in the stream: 8 * offset + number of the bit */
    uint64_t sample; /* number of the sample that carried it */
    uint64_t n;      /* samples */
    uint8_t width;   /* bits of each */
};

/* The sample that carried a given bit of the stream; the bit must be in the
 * run. */
static inline uint64_t etm_port_run_sample(const struct etm_port_run *run,
                                           uint64_t bit)
{
    return run->sample + (bit - run->bit) / run->width;
}

/* A trigger signalled by TRACECTL. */
struct etm_port_trigger {
    uint64_t sample;
    uint64_t bit;  /* place in the stream */
    bool captured; /* the stream has a trigger packet here */
};

struct etm_port_counts {
    uint64_t samples; /* all of them */
    uint64_t disabled;
    uint64_t triggers;
    uint64_t dropped_triggers; /* triggers that are not in the stream */
};

/* Output of an unpacker; valid until its next push or take. */
struct etm_unpacked {
    const uint8_t *bytes;
    size_t n_bytes;
    /* They cover `bytes`. A run that extends beyond them is given again with
     * the next take, and may be longer then. */
    const struct etm_port_run *runs;
    size_t n_runs;
    const struct etm_port_trigger *triggers;
    size_t n_triggers;
    uint64_t reserve[4];
};

struct etm_unpacker;

/*
 * Make an unpacker: from samples to the stream of an ETMv3 or PFT. On success
 * the caller owns *unpacker; on failure it is NULL. ETM_ERR_ARGUMENT,
 * ETM_ERR_CONFIG: as for etm_port_check(), and for ETMv1 and ETMv2, whose
 * samples are no stream of bytes; ETM_ERR_MEMORY.
 */
int etm_unpacker_new(struct etm_unpacker **unpacker,
                     const struct etm_port_config *config);

/*
 * Feed samples; they are borrowed for the call. The stream does not depend on
 * how they are divided into calls. Data bits beyond the width of the port are
 * ignored. ETM_ERR_MEMORY: the unpacker can only be freed.
 */
int etm_unpacker_push(struct etm_unpacker *unpacker,
                      const struct etm_port_sample *samples, size_t n);

/* Get everything made since the last take; without a take it accumulates. Bits
 * that do not fill a byte wait for the next sample. */
void etm_unpacker_take(struct etm_unpacker *unpacker,
                       struct etm_unpacked *made);

/* What was counted so far. The unpacker owns it. */
const struct etm_port_counts *
etm_unpacker_counts(const struct etm_unpacker *unpacker);

/* Accepts NULL. */
void etm_unpacker_free(struct etm_unpacker *unpacker);

struct etm_packer;

/* The other direction: from the stream of an ETMv3 or PFT to samples. Arguments
 * and errors as for etm_unpacker_new(). */
int etm_packer_new(struct etm_packer **packer,
                   const struct etm_port_config *config);

/* Feed bytes of trace. A sample is output as soon as it is full (7.8.3).
 * ETM_ERR_MEMORY. */
int etm_packer_push(struct etm_packer *packer, const uint8_t *bytes, size_t n);

/*
 * Output a trigger packet: on TRACEDATA[7:0], with TRACECTL, after as many
 * ignore packets as are needed for that (7.8.1). Allowed between packets only.
 * ETM_ERR_MEMORY.
 */
int etm_packer_trigger(struct etm_packer *packer);

/*
 * Fill the current sample with ignore packets, as before an A-sync or when the
 * macrocell is being programmed (7.8.3). Allowed between packets only.
 * ETM_ERR_MEMORY.
 */
int etm_packer_drain(struct etm_packer *packer);

/* Output `cycles` cycles of the port without trace (7.8.3). Allowed anywhere,
 * even within a packet. ETM_ERR_MEMORY: there is no room for all of them; none
 * was output. */
int etm_packer_idle(struct etm_packer *packer, uint64_t cycles);

/* Get the samples made since the last take; valid until the next call. */
void etm_packer_take(struct etm_packer *packer,
                     const struct etm_port_sample **samples, size_t *n);

/* Accepts NULL. */
void etm_packer_free(struct etm_packer *packer);

/*
 * Shifted bits: a capture of a port of less than 8 bits may begin within a
 * byte, or lose or double a cycle. Every A-sync of ETMv3 and PFT, 47 or more 0
 * bits and a 1, shows where bytes begin (ETM architecture, 7.7.2); if that is
 * not the assumed byte boundary, everything from there on is shifted. Zeros
 * written over trace can look like an A-sync: nothing is shifted if the next
 * A-sync agrees with the ones before, or if none follows and there are 64 or
 * more zeros.
 */

/* A stretch of the realigned stream, and where its bits were. */
struct etm_realign_run {
    uint64_t stream; /* offset in the output */
    uint64_t input;  /* offset in the input of the byte that holds the */
    uint8_t bit;     /* first bit, and the number of that bit in it */
    bool gap;        /* input before this run was dropped: */
    uint64_t lost;   /* this many bytes */
    uint64_t n;      /* bytes */
};

struct etm_realigned {
    const uint8_t *bytes;
    size_t n_bytes;
    const struct etm_realign_run *runs; /* without a hole: they cover `bytes` */
    size_t n_runs;
    uint64_t reserve[4];
};

struct etm_realigner;

struct etm_realigner_config {
    size_t size; /* sizeof this struct, or 0 */
    /*
     * When an A-sync shows that bits were shifted, it is not known since when:
     * everything after the previous A-sync is dropped. Therefore up to `hold`
     * bytes are held back until an A-sync confirms them, and as many after one
     * that does not agree, until the next one. 0: ETM_REALIGN_HOLD. With the
     * minimum, ETM_REALIGN_HOLD_MIN, these bytes are passed on instead of
     * dropped.
     */
    uint32_t hold;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/* The longest distance between two A-syncs: ETMSYNCFR has 12 bits, and
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
 * Feed bytes; they are borrowed for the call. A stream whose A-syncs are at
 * byte boundaries is output unchanged. The output does not depend on how the
 * input is divided into calls. ETM_ERR_MEMORY: the realigner can only be freed.
 * ETM_ERR_ARGUMENT: after finish.
 */
int etm_realigner_push(struct etm_realigner *realigner, const uint8_t *bytes,
                       size_t n);

/* The end of the stream: outputs what is held back. Errors as for
 * etm_realigner_push(). */
int etm_realigner_finish(struct etm_realigner *realigner);

/* Get everything made since the last take; valid until the next push or finish.
 * Without a take it accumulates. */
void etm_realigner_take(struct etm_realigner *realigner,
                        struct etm_realigned *made);

/* Accepts NULL. */
void etm_realigner_free(struct etm_realigner *realigner);

#ifdef __cplusplus
}
#endif
#endif
