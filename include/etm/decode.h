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
     * other elements come as with ranges, but without `since`, which counts
     * from one. Cycles of the ranges are added up
     * (etm_decoder_counted_cycles()).
     */
    ETM_LEVEL_COUNTS,
    /*
     * As ETM_LEVEL_COUNTS, for who wants nothing but the counts: no cycles, and
     * of the other elements only those that say what is missing in them and
     * where the trace ends: `lost`, `no_image` and `end`. Faster still.
     */
    ETM_LEVEL_COVERAGE
};

/*
 * Called with arrays of elements in the order of the trace. A return value
 * other than 0 stops the decoder: push returns it, and whatever is called
 * behind it, but for reset and free, returns it again and does nothing.
 */
typedef int etm_element_fn(void *context, const struct etm_element *elements,
                           size_t n);

struct etm_decoder;

struct etm_decoder_config {
    size_t size;                     /* sizeof this struct, or 0 */
    const struct etm_config *config; /* copied */
    const struct etm_image *image;   /* borrowed; NULL: no code is known */
    enum etm_level level;
    etm_element_fn *elements;
    void *context;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Make a decoder. On success *decoder is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT; ETM_ERR_CONFIG, of which etm_config_check() says
 * why; ETM_ERR_UNSUPPORTED; ETM_ERR_MEMORY. For another stream, make another
 * one, or see etm_decoder_reset().
 */
int etm_decoder_new(struct etm_decoder **decoder,
                    const struct etm_decoder_config *config);

/*
 * Feed bytes of the source's stream; they are borrowed for the call.
 * ETM_ERR_MEMORY, or what `elements` returned; both stop the decoder.
 * ETM_ERR_ARGUMENT, also behind etm_decoder_finish().
 */
int etm_decoder_push(struct etm_decoder *decoder, const uint8_t *bytes,
                     size_t n);

/*
 * `bytes` bytes of the capture could not be used (a broken frame): what comes
 * next is not the continuation of what came before. Offsets go on without a
 * step. Errors as of etm_decoder_push().
 */
int etm_decoder_gap(struct etm_decoder *decoder, uint64_t bytes);

/* End of the stream: gives what is held back and an `end` element. Nothing may
 * be pushed behind it. Errors as of etm_decoder_push(). */
int etm_decoder_finish(struct etm_decoder *decoder);

/*
 * ETM_LEVEL_COUNTS and ETM_LEVEL_COVERAGE: how often each range was executed in
 * what was pushed so far, less what is still held back; after
 * etm_decoder_finish(), in all of it. They are the `range` elements of
 * ETM_LEVEL_RANGES, counted. Rows come as from etm_counts_walk().
 * ETM_ERR_ARGUMENT: it has another level; ETM_ERR_MEMORY; or what `fn`
 * returned.
 */
int etm_decoder_counts(struct etm_decoder *decoder, etm_count_fn *fn,
                       void *context);

/* The cycles of what etm_decoder_counts() tells, as far as the ranges have
 * some: 0 at other levels. */
uint64_t etm_decoder_counted_cycles(struct etm_decoder *decoder);

/*
 * Begin again with the first byte of another stream, as a new decoder of the
 * same configuration does: counts and offsets are 0, and what was held back is
 * gone. At any time, also when the decoder was stopped. What it knows of the
 * code stays, for many short traces of one program: the image has to be as it
 * was. ETM_ERR_ARGUMENT.
 */
int etm_decoder_reset(struct etm_decoder *decoder);

/* Accepts NULL. */
void etm_decoder_free(struct etm_decoder *decoder);

#ifdef __cplusplus
}
#endif
#endif
