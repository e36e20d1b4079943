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
    void *context; /* of `write` */
    bool colour;   /* text: ANSI colours */
    bool cycles;   /* text: a column of cycle counts */
    bool lines;    /* text: the source line when it changes */
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
 * writes nothing any more and returns the same again.
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

/* Hand on everything that is held back. */
int etm_listing_flush(struct etm_listing *listing);

/* Accepts NULL. Does not flush. */
void etm_listing_free(struct etm_listing *listing);

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
