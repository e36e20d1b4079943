/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets and elements as text, for people or for programs. doc/elements.md
 * is the contract of the JSON Lines form; the text form is for the eye and
 * may change.
 */
#ifndef ETM_WRITE_H
#define ETM_WRITE_H

#include <etm/config.h>
#include <etm/element.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/symbol.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etm_listing;

/* Takes the text in large pieces. A value other than 0 ends the listing. */
typedef int etm_write_fn(void *context, const char *text, size_t n);

struct etm_listing_config {
    size_t size;        /* sizeof this struct, or 0 */
    const char *format; /* "text" or "jsonl" */
    etm_write_fn *write;
    void *context;    /* of `write` */
    bool colour;      /* text: ANSI colours */
    bool cycles;      /* text: columns of cycle counts; jsonl: those of data,
                         triggers and contexts, etm_element.since */
    bool lines;       /* text: the source line when it changes */
    unsigned threads; /* text: listings like this one that there are, which
                         share the memory for texts of instructions; 0: 1 */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Make a listing. On success *listing is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT, ETM_ERR_NOT_FOUND (no such format),
 * ETM_ERR_MEMORY.
 */
int etm_listing_new(struct etm_listing **listing,
                    const struct etm_listing_config *config);

/* Names of the formats in turn; NULL after the last. */
const char *etm_listing_format(size_t index);

/* What a listing must know of the source whose trace comes next. */
struct etm_listing_source {
    size_t size;                     /* sizeof this struct, or 0 */
    const char *title;               /* "PTM_0 (0x13): PFT 1.1"; NULL: none */
    const struct etm_config *config; /* copied; NULL where not needed */
    struct etm_names names;          /* functions may be NULL */
    uint8_t id;                      /* trace ID */
};

/*
 * Write. Each returns ETM_OK or what `write` returned; afterwards the listing
 * writes nothing any more and returns the same again. What is written before a
 * begin is of a source of which nothing is known. ETM_ERR_ARGUMENT of a begin:
 * a wrong size.
 *
 * `bytes` are those of the first packet; each packet's follow those of the one
 * before.
 */
int etm_listing_begin(struct etm_listing *listing,
                      const struct etm_listing_source *source);
int etm_listing_elements(struct etm_listing *listing,
                         const struct etm_element *elements, size_t n);
int etm_listing_packets(struct etm_listing *listing,
                        const struct etm_packet *packets, size_t n,
                        const uint8_t *bytes);

/* Hand on everything that is held back. Errors as of etm_listing_elements(). */
int etm_listing_flush(struct etm_listing *listing);

/*
 * Parts of a listing can be made side by side, each by a listing of its own
 * (of the same configuration and source), before it is known what comes before
 * them. Appended to a listing in their order, they give what it would have
 * written of all their elements, byte for byte.
 */
struct etm_listing_part;

/*
 * Elements are for a part from here on, and `write` is not called. *part is
 * NULL or what came from here before and was ended: that is used again. On
 * success it is owned by the caller, who frees it after the end, and not
 * before. ETM_ERR_ARGUMENT: a part is open; ETM_ERR_MEMORY.
 */
int etm_listing_part_begin(struct etm_listing *listing,
                           struct etm_listing_part **part);

/* The part is complete. ETM_ERR_ARGUMENT: there is none; ETM_ERR_MEMORY: it is
 * good for nothing. */
int etm_listing_part_end(struct etm_listing *listing);

/* Write a part that is complete. Errors as of etm_listing_elements();
 * ETM_ERR_ARGUMENT. The part is as it was. */
int etm_listing_append(struct etm_listing *listing,
                       const struct etm_listing_part *part);

/* Accepts NULL. */
void etm_listing_part_free(struct etm_listing_part *part);

/* Accepts NULL. Does not flush. */
void etm_listing_free(struct etm_listing *listing);

/*
 * Samples of a trace port as a value change dump (IEEE 1364), which viewers of
 * waves show: TRACECLK, and of a normal port PIPESTAT, TRACEPKT and TRACESYNC,
 * or TRACECTL and TRACEDATA. Signals of a demultiplexed port end with A and B;
 * of a multiplexed port, PINS[0] is pin 38, PINS[1] pin 36 ... (ETM
 * architecture, table 8-7). The port's clock is not known: edges of TRACECLK
 * are 10 ns from each other, and the pins change in the middle between two.
 */
struct etm_vcd_writer;

struct etm_vcd_writer_config {
    size_t size;                        /* sizeof this struct, or 0 */
    const struct etm_port_config *port; /* copied */
    const char *scope; /* a name around the signals; copied; NULL: "etm" */
    bool single; /* PIPESTAT0, PIPESTAT1 ... in place of a bus PIPESTAT, for
                    readers that know no buses, as sigrok up to 0.5.2 */
    etm_write_fn *write;
    void *context;                         /* of `write` */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * On success *writer is owned by the caller; on failure it is NULL.
 * ETM_ERR_ARGUMENT; as etm_port_check(); ETM_ERR_UNSUPPORTED: a port of more
 * than 32 bits; ETM_ERR_MEMORY.
 */
int etm_vcd_writer_new(struct etm_vcd_writer **writer,
                       const struct etm_vcd_writer_config *config,
                       struct etm_diag *diag);

/* Samples, borrowed for the call. ETM_OK, ETM_ERR_MEMORY, or what `write`
 * returned; afterwards the writer writes nothing any more. */
int etm_vcd_writer_push(struct etm_vcd_writer *writer,
                        const struct etm_port_sample *samples, size_t n);

/* The end: hand on everything that is held back. Errors as above. */
int etm_vcd_writer_finish(struct etm_vcd_writer *writer);

/* Accepts NULL. Does not finish. */
void etm_vcd_writer_free(struct etm_vcd_writer *writer);

/*
 * `text` as a JSON string with its quotes: writes at most `capacity` bytes
 * with a terminator, cut where it does not fit. Bytes that are not UTF-8
 * become U+FFFD. Returns `out`.
 */
const char *etm_json_string(const char *text, char *out, size_t capacity);

/* Whether this build can disassemble (it was made with Capstone). */
bool etm_write_disassembles(void);

#ifdef __cplusplus
}
#endif
#endif
