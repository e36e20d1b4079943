/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a raw file in any framing: what they are is guessed, and they
 * are decoded by one thread and by three, which give the same elements, with a
 * program of random names in all formats of listings.
 */
#include "fuzz.h"
#include "sum.h"

#include <etm/session.h>
#include <etm/write.h>

/* Names of the input: any characters. */
static char hostile[64];

static int symbol(void *context, uint32_t address, struct etm_symbol *symbol)
{
    (void)context;
    *symbol = (struct etm_symbol){.name = hostile, .offset = address & 7};
    return ETM_OK;
}

static int line(void *context, uint32_t address, struct etm_source_line *line)
{
    (void)context;
    *line = (struct etm_source_line){.file = hostile, .line = address & 0xff};
    return ETM_OK;
}

/* Nothing controls a terminal, whatever names are. */
static int put(void *context, const char *bytes, size_t n)
{
    const uint8_t *text = (const uint8_t *)bytes;

    (void)context;
    for (size_t i = 0; i < n; i++)
        must(text[i] >= 0x20 || text[i] == '\n' || text[i] == '\t');
    return ETM_OK;
}

static int list(void *context, const struct etm_element *elements, size_t n)
{
    return etm_listing_elements(context, elements, n);
}

static void listings(const struct etm_session *session, size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_listing_format *format;

    for (size_t i = 0; (format = etm_listing_formats(i)) != NULL; i++) {
        const struct etm_listing_config config = {
            .size = sizeof config,
            .format = format->name,
            .write = put,
            .lines = true,
            .cycles = true,
            .sizeof_element = sizeof(struct etm_element)};
        const struct etm_listing_source of = {
            .size = sizeof of,
            .title = hostile,
            .config = &info->config,
            .name = hostile,
            .names = {.symbol = symbol, .line = line}};
        struct etm_listing *listing;
        struct etm_session_run run = {.size = sizeof run,
                                      .level = ETM_LEVEL_INSTRUCTIONS,
                                      .elements = list,
                                      .sizeof_element =
                                          sizeof(struct etm_element)};

        if (!(format->takes & ETM_LISTING_ELEMENTS))
            continue;
        must(etm_listing_new(&listing, &config) == ETM_OK);
        run.context = listing;
        if (etm_listing_begin(listing, &of) == ETM_OK)
            (void)etm_session_run_source(session, source, &run, NULL);
        (void)etm_listing_finish(listing);
        etm_listing_free(listing);
    }
}

static void run(const struct etm_session *session, size_t source)
{
    struct sum one = {0}, three = {0};
    struct etm_session_run how = {
        .size = sizeof how, .elements = add, .context = &one};
    int status = etm_session_run_source(session, source, &how, NULL);

    how.jobs = 3;
    how.context = &three;
    must(etm_session_run_source(session, source, &how, NULL) == status);
    must(status != ETM_OK || (one.n == three.n && one.hash == three.hash));
    listings(session, source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t kind = take(&data, &size), form = take(&data, &size);
    static const uint8_t widths[] = {0, 4, 8, 16};
    char image[160];
    const char *const images[] = {image};
    struct etm_session_options options = {
        .size = sizeof options,
        .protocol = (enum etm_protocol)(kind % 8 % (ETM_PROTOCOL_MTB + 1)),
        .framing = (enum etm_framing)(kind / 8 % (ETM_FRAMING_ORBFLOW + 1)),
        .form = (enum etm_port_form)(form & 7),
        .port_width = widths[form >> 3 & 3],
        .guess = (form & 0x20) != 0,
        .images = images,
        .n_images = 1};
    struct etm_session *session;
    struct etm_diag diag = {0};
    size_t n;
    const uint8_t *name = take_text(&data, &size, &n);

    memcpy(hostile, name, n < 63 ? n : 63);
    hostile[n < 63 ? n : 63] = '\0';
    write_file("code", data, size < 512 ? size : 512);
    write_file("trace", data, size);
    snprintf(image, sizeof image, "%s@0x8000", in_directory("code"));
    if (etm_session_open(&session, in_directory("trace"), &options, &diag) !=
        ETM_OK) {
        must(diag.what[0] != '\0');
        return 0;
    }
    for (size_t i = 0; i < etm_session_sources(session); i++)
        run(session, i);
    etm_session_free(session);
    return 0;
}
