/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of the first version (first.h), run with the shared libraries of
 * this one: everything in a capture as JSON Lines, as `etm decode` has it. What
 * does not agree is said on standard error.
 *
 *     first CAPTURE
 */
#include "first.h"

#include <stdio.h>

static struct etm_session *session;
static struct etm_listing *listing;
static struct etm_decoder *decoder;
static size_t n_listed, n_decoded, n_points, source;

static int wrong(const char *what)
{
    (void)fprintf(stderr, "%s\n", what);
    return 1;
}

static int print(void *context, const char *text, size_t n)
{
    return fwrite(text, 1, n, context) == n ? 0 : wrong("cannot write");
}

static int symbol(void *context, uint32_t address, struct etm_symbol *found)
{
    (void)context;
    return etm_session_symbol(session, source, address, found);
}

static int line(void *context, uint32_t address, struct etm_source_line *found)
{
    (void)context;
    return etm_session_line(session, source, address, found);
}

static int list(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    n_listed += n;
    return etm_listing_elements(listing, elements, n);
}

static int decode(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    return etm_decoder_push(decoder, bytes, n);
}

static int count(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    n_decoded += n;
    return elements[n - 1].kind <= ETM_ELEMENT_END ? 0 : wrong("no such kind");
}

static int count_point(void *context, const struct etm_point *point)
{
    (void)context;
    n_points++;
    return point->size >= sizeof *point ? 0 : wrong("a small point");
}

/* With the decoder alone, the elements are as many. */
static int decode_alone(const struct etm_source_info *info)
{
    const struct etm_decoder_config config = {.size = sizeof config,
                                              .config = &info->config,
                                              .image = info->image,
                                              .level = ETM_LEVEL_INSTRUCTIONS,
                                              .elements = count};
    const struct etm_session_run run = {.size = sizeof run, .bytes = decode};
    int status = etm_decoder_new(&decoder, &config);

    if (status == 0)
        status = etm_session_run_source(session, source, &run, NULL);
    if (status == 0)
        status = etm_decoder_finish(decoder);
    etm_decoder_free(decoder);
    return status != 0 ? wrong("the decoder failed") : 0;
}

static int find_points(void)
{
    struct etm_point end = {.size = sizeof end};
    const struct etm_session_points how = {
        .size = sizeof how, .point = count_point, .end = &end};

    if (etm_session_find_points(session, source, &how, NULL) != 0 ||
        end.size != sizeof end || end.stream == 0 || n_points == 0)
        return wrong("no points");
    return 0;
}

static int show(void)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_listing_source begin = {
        .size = sizeof begin,
        .config = &info->config,
        .names = {.symbol = symbol, .line = line},
        .id = info->id};
    const struct etm_session_run run = {
        .size = sizeof run, .level = ETM_LEVEL_INSTRUCTIONS, .elements = list};

    if (etm_listing_begin(listing, &begin) != 0 ||
        etm_session_run_source(session, source, &run, NULL) != 0)
        return wrong("the run failed");
    if (decode_alone(info) != 0 || find_points() != 0)
        return 1;
    return n_decoded == n_listed ? 0 : wrong("other elements");
}

int main(int argc, char **argv)
{
    const struct etm_session_options options = {.size = sizeof options};
    const struct etm_listing_config config = {.size = sizeof config,
                                              .format = "jsonl",
                                              .write = print,
                                              .context = stdout};
    struct etm_diag diag = {.status = 0};
    int status;

    if (argc != 2)
        return wrong("usage: first CAPTURE");
    if (etm_session_open(&session, argv[1], &options, &diag) != 0)
        return wrong(diag.what);
    if (etm_session_buffers(session) != 1 ||
        etm_session_buffer(session, 0)->bytes == 0)
        return wrong("no buffer");
    if (etm_listing_new(&listing, &config) != 0)
        return wrong("no listing");
    status = 0;
    for (; status == 0 && source < etm_session_sources(session); source++)
        status = show();
    if (status == 0 && etm_listing_flush(listing) != 0)
        status = 1;
    etm_listing_free(listing);
    etm_session_free(session);
    return status;
}
