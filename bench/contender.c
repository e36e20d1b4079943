/* SPDX-License-Identifier: Apache-2.0 */
#include "contender.h"

#include <etm/decode.h>

#include <stdlib.h>
#include <string.h>

static int count_ranges(void *context, const struct etm_element *elements,
                        size_t n)
{
    struct etm_bench_contender *c = context;
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            count += elements[i].u.range.n;
    c->count += count;
    return ETM_OK;
}

static int count_insns(void *context, const struct etm_element *elements,
                       size_t n)
{
    struct etm_bench_contender *c = context;
    uint64_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += elements[i].kind == ETM_ELEMENT_INSN;
    c->count += count;
    return ETM_OK;
}

/* At the level of coverage: once, at the end. */
static int count_executions(void *context, const struct etm_count *count)
{
    struct etm_bench_contender *c = context;

    c->count += count->n * count->insns;
    return ETM_OK;
}

static int count_nothing(void *context, const struct etm_element *elements,
                         size_t n)
{
    (void)context;
    (void)elements;
    (void)n;
    return ETM_OK;
}

static int count_branches(void *context, const struct etm_element *elements,
                          size_t n)
{
    struct etm_bench_contender *c = context;

    for (size_t i = 0; i < n; i++)
        if (elements[i].kind == ETM_ELEMENT_RANGE &&
            elements[i].u.range.last_type != ETM_INSN_TYPE_OTHER)
            c->branches++;
    return ETM_OK;
}

static int count_packets(void *context, const struct etm_packet *packets,
                         size_t n)
{
    struct etm_bench_contender *c = context;

    (void)packets;
    c->count += n;
    return ETM_OK;
}

bool etm_bench_has(enum etm_bench_what what)
{
    return (what != ETM_BENCH_CSD && what != ETM_BENCH_CSD_PACKETS) ||
           etm_bench_csd_is_here();
}

static void *new_decoder(struct etm_bench_contender *c,
                         const struct etm_bench_stream *stream,
                         enum etm_level level, etm_element_fn *elements)
{
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = &stream->config,
                                     .image = stream->image,
                                     .level = level,
                                     .elements = elements,
                                     .context = c};
    struct etm_decoder *decoder;

    if (etm_decoder_new(&decoder, &how) != ETM_OK)
        abort();
    return decoder;
}

static void *new_packet_decoder(struct etm_bench_contender *c,
                                const struct etm_bench_stream *stream)
{
    struct etm_packet_decoder_config how = {.size = sizeof how,
                                            .config = &stream->config,
                                            .packets = count_packets,
                                            .context = c};
    struct etm_packet_decoder *decoder;

    if (etm_packet_decoder_new(&decoder, &how) != ETM_OK)
        abort();
    return decoder;
}

void etm_bench_contender_init(struct etm_bench_contender *c,
                              enum etm_bench_what what,
                              const struct etm_bench_stream *stream)
{
    memset(c, 0, sizeof *c);
    c->what = what;
    switch (what) {
    case ETM_BENCH_RANGES:
        c->decoder = new_decoder(c, stream, ETM_LEVEL_RANGES, count_ranges);
        break;
    case ETM_BENCH_INSNS:
        c->decoder =
            new_decoder(c, stream, ETM_LEVEL_INSTRUCTIONS, count_insns);
        break;
    case ETM_BENCH_COVERAGE:
        c->decoder = new_decoder(c, stream, ETM_LEVEL_COVERAGE, count_nothing);
        break;
    case ETM_BENCH_PACKETS:
        c->decoder = new_packet_decoder(c, stream);
        break;
    case ETM_BENCH_CSD:
    case ETM_BENCH_CSD_PACKETS:
        etm_bench_csd_init(c, stream);
        break;
    case ETM_BENCH_CONTENDERS:
        break;
    }
}

void etm_bench_contender_push(struct etm_bench_contender *c,
                              const uint8_t *bytes, size_t n)
{
    int status = ETM_OK;

    switch (c->what) {
    case ETM_BENCH_RANGES:
    case ETM_BENCH_INSNS:
    case ETM_BENCH_COVERAGE:
        status = etm_decoder_push(c->decoder, bytes, n);
        break;
    case ETM_BENCH_PACKETS:
        status = etm_packet_decoder_push(c->decoder, bytes, n);
        break;
    case ETM_BENCH_CSD:
    case ETM_BENCH_CSD_PACKETS:
        etm_bench_csd_push(c, bytes, n);
        break;
    case ETM_BENCH_CONTENDERS:
        break;
    }
    if (status != ETM_OK)
        abort();
    c->offset += n;
}

void etm_bench_contender_finish(struct etm_bench_contender *c)
{
    int status = ETM_OK;

    switch (c->what) {
    case ETM_BENCH_RANGES:
    case ETM_BENCH_INSNS:
        status = etm_decoder_finish(c->decoder);
        break;
    case ETM_BENCH_COVERAGE:
        status = etm_decoder_finish(c->decoder);
        if (status == ETM_OK)
            status = etm_decoder_counts(c->decoder, count_executions, c);
        break;
    case ETM_BENCH_PACKETS:
        status = etm_packet_decoder_finish(c->decoder);
        break;
    case ETM_BENCH_CSD:
    case ETM_BENCH_CSD_PACKETS:
        etm_bench_csd_finish(c);
        break;
    case ETM_BENCH_CONTENDERS:
        break;
    }
    if (status != ETM_OK)
        abort();
}

void etm_bench_contender_fini(struct etm_bench_contender *c)
{
    switch (c->what) {
    case ETM_BENCH_RANGES:
    case ETM_BENCH_INSNS:
    case ETM_BENCH_COVERAGE:
        etm_decoder_free(c->decoder);
        break;
    case ETM_BENCH_PACKETS:
        etm_packet_decoder_free(c->decoder);
        break;
    case ETM_BENCH_CSD:
    case ETM_BENCH_CSD_PACKETS:
        etm_bench_csd_fini(c);
        break;
    case ETM_BENCH_CONTENDERS:
        break;
    }
    c->decoder = NULL;
}

uint64_t etm_bench_branches(const struct etm_bench_stream *stream)
{
    struct etm_bench_contender c = {.what = ETM_BENCH_RANGES};

    c.decoder = new_decoder(&c, stream, ETM_LEVEL_RANGES, count_branches);
    /* not by the functions that are measured */
    if (etm_decoder_push(c.decoder, stream->bytes, stream->period) != ETM_OK ||
        etm_decoder_finish(c.decoder) != ETM_OK)
        abort();
    etm_bench_contender_fini(&c);
    return c.branches;
}
