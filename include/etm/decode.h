/* SPDX-License-Identifier: Apache-2.0 */
/* From the bytes of one trace source to the program that ran. */
#ifndef ETM_DECODE_H
#define ETM_DECODE_H

#include <etm/config.h>
#include <etm/coverage.h>
#include <etm/element.h>
#include <etm/image.h>
#include <etm/packet.h>

#ifdef __cplusplus
extern "C" {
#endif

enum etm_level {
    ETM_LEVEL_RANGES = 0,   /* `range` elements */
    ETM_LEVEL_INSTRUCTIONS, /* one `insn` element for each instruction */
    /*
     * Neither: ranges are counted (etm_decoder_counts()), which is faster. All
     * other elements come as with ETM_LEVEL_RANGES, but without `since`, which
     * counts from a range. Cycles of the ranges are added up
     * (etm_decoder_counted_cycles()).
     */
    ETM_LEVEL_COUNTS,
    /*
     * As ETM_LEVEL_COUNTS, but only the counts: no cycles, and of the other
     * elements only those that say what the counts lack, and the end: `lost`,
     * `no_image` and `end`. Faster still.
     */
    ETM_LEVEL_COVERAGE
};

/*
 * Called with arrays of elements in the order of the trace. A return value
 * other than 0 stops the decoder: push returns it, and so do all later calls of
 * push, gap and finish, without doing anything.
 */
typedef int etm_element_fn(void *context, const struct etm_element *elements,
                           size_t n);

struct etm_decoder;

#define ETM_SIZEOF_ELEMENT_MAX 512u

struct etm_decoder_config {
    size_t size;                     /* sizeof this struct, or 0 */
    const struct etm_config *config; /* copied */
    const struct etm_image *image;   /* borrowed; NULL: no code is known */
    enum etm_level level;
    etm_element_fn *elements; /* required at every level */
    void *context;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
    /* sizeof(struct etm_element), by which `elements` goes from one element to
     * the next; 0: that in the first version of the library. Larger than what
     * this version has: the rest is 0. At most ETM_SIZEOF_ELEMENT_MAX. */
    size_t sizeof_element;
};

/*
 * Make a decoder. On success *decoder is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT; ETM_ERR_CONFIG (etm_config_check() says why);
 * ETM_ERR_UNSUPPORTED; ETM_ERR_MEMORY. For another stream, make another
 * decoder, or see etm_decoder_reset().
 */
int etm_decoder_new(struct etm_decoder **decoder,
                    const struct etm_decoder_config *config);

/*
 * Feed bytes of the source's stream; they are borrowed for the call.
 * ETM_ERR_MEMORY, or what `elements` returned; both stop the decoder.
 * ETM_ERR_ARGUMENT, also after etm_decoder_finish().
 */
int etm_decoder_push(struct etm_decoder *decoder, const uint8_t *bytes,
                     size_t n);

/*
 * `bytes` bytes of the capture could not be used (a broken frame): what comes
 * next does not continue what came before. Offsets do not count these bytes.
 * Errors as for etm_decoder_push().
 */
int etm_decoder_gap(struct etm_decoder *decoder, uint64_t bytes);

/* End of the stream: gives what is held back and an `end` element. Nothing may
 * be pushed after it. Errors as for etm_decoder_push(). */
int etm_decoder_finish(struct etm_decoder *decoder);

/*
 * ETM_LEVEL_COUNTS and ETM_LEVEL_COVERAGE: how often each range was executed in
 * what was pushed so far, less what is still held back; after
 * etm_decoder_finish(), in all of it. They are the `range` elements of
 * ETM_LEVEL_RANGES, counted. Rows come as from etm_counts_walk(). Also allowed
 * when the decoder was stopped. ETM_ERR_ARGUMENT: it has another level;
 * ETM_ERR_MEMORY: `fn` was not called, and the decoder is stopped if counts
 * are missing; or what `fn` returned, which does not stop it.
 */
int etm_decoder_counts(struct etm_decoder *decoder, etm_count_fn *fn,
                       void *context);

/* The sum of the cycles of the ranges counted by etm_decoder_counts(), as far
 * as they have any: 0 at other levels. */
uint64_t etm_decoder_counted_cycles(struct etm_decoder *decoder);

/*
 * Begin again with the first byte of another stream, as a new decoder of the
 * same configuration does: counts and offsets are 0, and what was held back is
 * gone. Allowed at any time, also when the decoder was stopped. Decoded code is
 * kept, for many short traces of one program: the image must not have changed.
 * ETM_ERR_ARGUMENT.
 */
int etm_decoder_reset(struct etm_decoder *decoder);

/* Accepts NULL. */
void etm_decoder_free(struct etm_decoder *decoder);

#ifdef __cplusplus
}
#endif
#endif
