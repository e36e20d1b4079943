/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The internals of the trace port. The interface is in <etm/port.h>; structs
 * that embed one of these use init and fini.
 *
 *     edges of TRACECLK ─ pins_clock.c ─┐
 *     lines of text ───── pins_text.c ──┴► samples ─┬ ETMv1, ETMv2: as they are
 *                                                   └ ETMv3: pins.c ─► bytes
 *                                    ─ realign.c: do bytes begin there? ─►
 * bytes
 */
#ifndef ETM_PORT_PINS_H
#define ETM_PORT_PINS_H

#include "base/vec.h"

#include <etm/port.h>

/* The port carries a stream of bytes: not ETMv1 and ETMv2. */
static inline bool etm_port_is_stream(const struct etm_port_config *config)
{
    return !etm_protocol_is_port(config->protocol);
}

/* Copy a caller's port as this version has the struct (base/size.h), and check
 * it. Errors as for etm_port_check(). */
int etm_port_config_take(struct etm_port_config *own,
                         const struct etm_port_config *given,
                         struct etm_diag *diag);

/* pins.c */

/* Pins by the code of a port size, bits [21, 6:4] of ETMCR (table 3-6); 0:
 * reserved or implementation defined. */
unsigned etm_port_pins(unsigned code);

struct etm_unpacker {
    struct etm_allocator allocator;
    struct etm_port_config config;
    bool taken; /* the caller has got what is in the vectors */
    int status; /* sticky: ETM_OK or ETM_ERR_MEMORY */

    struct etm_vec stream;   /* uint8_t */
    struct etm_vec runs;     /* struct etm_port_run */
    struct etm_vec triggers; /* struct etm_port_trigger */
    struct etm_port_counts counts;

    uint64_t bits; /* captured so far: 8 * bytes made + fill */
    uint8_t byte;  /* the incomplete byte, */
    uint8_t fill;  /* and its bits, 0 to 7 */
    bool joined;   /* the previous sample was captured */
};

/* As etm_unpacker_new(), except for memory; fini is due only after ETM_OK. */
int etm_unpacker_init(struct etm_unpacker *unpacker,
                      const struct etm_port_config *config);
void etm_unpacker_fini(struct etm_unpacker *unpacker);

struct etm_packer {
    struct etm_allocator allocator;
    struct etm_port_config config;
    bool taken;
    int status;

    struct etm_vec samples;        /* struct etm_port_sample */
    struct etm_port_sample sample; /* the sample that is not full, */
    uint8_t fill;                  /* and its bits */
};

int etm_packer_init(struct etm_packer *packer,
                    const struct etm_port_config *config);
void etm_packer_fini(struct etm_packer *packer);

/* pins_text.c */

/* Numbers on a line. */
#define ETM_PORT_COLUMNS 3u

/*
 * Samples as text, one a line, numbers in hexadecimal, what follows a `#` is a
 * comment, lines without numbers are skipped:
 *
 *     ETMv1, ETMv2   TRACESYNC PIPESTAT TRACEPKT    0 4 4f
 *     ETMv3, PFT     TRACECTL TRACEDATA             0 4f
 */
struct etm_port_text {
    uint64_t line;  /* that is being read, from 1 */
    uint64_t value; /* of the column that is being read */
    uint64_t values[ETM_PORT_COLUMNS];
    uint64_t limits[ETM_PORT_COLUMNS]; /* largest values */
    const char *names[ETM_PORT_COLUMNS];
    uint8_t columns; /* of a line */
    uint8_t column;  /* columns of this line so far */
    bool digits;     /* in a number */
    bool comment;
    int status; /* sticky */
};

/* The configuration must be one that etm_port_check() accepts. */
void etm_port_text_init(struct etm_port_text *text,
                        const struct etm_port_config *config);

/*
 * Convert `n` characters, borrowed for the call, to samples (struct
 * etm_port_sample). The samples do not depend on how the text is divided into
 * calls. ETM_ERR_FORMAT: the samples before the error are in the vector, and
 * *diag has its line; ETM_ERR_MEMORY.
 */
int etm_port_text_push(struct etm_port_text *text, const char *characters,
                       size_t n, struct etm_vec *samples,
                       struct etm_diag *diag);

/* The end of the text, which need not end its last line. */
int etm_port_text_finish(struct etm_port_text *text, struct etm_vec *samples,
                         struct etm_diag *diag);

/* Characters of the longest line, with its end and a terminator. */
#define ETM_PORT_LINE_MAX 24u

/* The line of a sample, terminated. Returns its length. */
size_t etm_port_text_line(const struct etm_port_config *config,
                          const struct etm_port_sample *sample,
                          char line[ETM_PORT_LINE_MAX]);

/* pins_clock.c */

/*
 * What the pins were at an edge of TRACECLK, by the numbers of chapter 8:
 *
 *     normal         bit k - 1: trace signal k, 1 to 20 (table 8-2); bits 20
 *                    to 35: TRACEDATA[31:16] of the second connector (8-5)
 *     multiplexed    bit k: pin 38 - 2k, 0 to 9 (table 8-7)
 *     demultiplexed  bits 0 to 19: trace signals of suffix A, bits 20 to 39:
 *                    those of suffix B (8.2.5)
 */
struct etm_port_edge {
    uint64_t pins;
    bool rising;
};

/* The status of an entry that is not a sample: what was there cannot be used,
 * and cycles are missing (doc/errata.md, E-351, E-530). Only of ETMv1 and
 * ETMv2.
 */
#define ETM_PORT_LOST 0x80u

/* From edges to samples, or from samples to edges: one clock for each
 * direction. */
struct etm_port_clock {
    struct etm_port_config config;
    bool half;                     /* this one waits for its other half: */
    struct etm_port_edge first;    /* a rising edge (multiplexed), */
    struct etm_port_sample sample; /* suffix B (demultiplexed, driven) */
    bool begun;                    /* there was a sample, */
    bool missing; /* and edges are missing before the next one */
    bool falling; /* of the next edge that is driven */
};

/* ETM_OK; as etm_port_check(); ETM_ERR_UNSUPPORTED: a port that chapter 8 has
 * no connector for (more than 32 bits). */
int etm_port_clock_init(struct etm_port_clock *clock,
                        const struct etm_port_config *config,
                        struct etm_diag *diag);

/* Append to `samples` (struct etm_port_sample); where a half of a multiplexed
 * port is missing between samples, an ETM_PORT_LOST. ETM_ERR_MEMORY. */
int etm_port_clock_sample(struct etm_port_clock *clock,
                          const struct etm_port_edge *edges, size_t n,
                          struct etm_vec *samples);

/* Any number of edges may be missing here. If samples came before and come
 * after, an ETM_PORT_LOST is between them. */
void etm_port_clock_miss(struct etm_port_clock *clock);

/* Append the edges at which the pins change or are captured to `edges` (struct
 * etm_port_edge). ETM_ERR_MEMORY. */
int etm_port_clock_drive(struct etm_port_clock *clock,
                         const struct etm_port_sample *samples, size_t n,
                         struct etm_vec *edges);

/* The last edge of a demultiplexed port, filled up with a cycle of trace
 * disabled. ETM_ERR_MEMORY. */
int etm_port_clock_finish(struct etm_port_clock *clock, struct etm_vec *edges);

/* realign.c */

struct etm_realigner {
    struct etm_allocator allocator;
    uint32_t hold;
    bool taken;
    bool finished;
    int status;

    struct etm_vec stream; /* uint8_t */
    struct etm_vec runs;   /* struct etm_realign_run */
    struct etm_vec held;   /* uint8_t: input from byte `base` on */
    uint64_t base;
    uint64_t seen;  /* bytes of input that were searched */
    uint64_t next;  /* bit of the input where the next byte begins */
    uint64_t made;  /* bytes of stream since the beginning */
    unsigned zeros; /* zero bits before byte `seen`, at most 64 */
    bool gap;       /* bits before `next` were dropped, */
    uint64_t lost;  /* so many bytes */
    bool proven;    /* an A-sync agrees with bytes counted from `next` */
    bool doubt;     /* an A-sync that does not is held until the next one; */
    bool many;      /* it has more zeros than such a packet */
    uint64_t at;    /* the byte that it ends in, */
    uint64_t begin; /* the bit that it begins with */
};

/* `hold` as in struct etm_realigner_config; `allocator` is copied. */
void etm_realigner_init(struct etm_realigner *realigner, uint32_t hold,
                        const struct etm_allocator *allocator);
void etm_realigner_fini(struct etm_realigner *realigner);

#endif
