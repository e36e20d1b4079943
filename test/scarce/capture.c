/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libetm-capture that allocate. */
#define _POSIX_C_SOURCE 200809L
#include "scarce.h"

#include "../support/receive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ELF DEMO "/sensor.elf"

static const struct etm_session_options options = {.size = sizeof options,
                                                   .allocator = &scarce};

RECEIVE(take_elements, const struct etm_element *)
RECEIVE(take_text, const char *)
RECEIVE_ONE(take_point, const struct etm_point *)
RECEIVE_ONE(take_line, const struct etm_line_range *)
RECEIVE_ONE(take_function, const struct etm_function *)
RECEIVE_ONE(take_covered, const struct etm_covered *)

static int take_item(void *context, void *item,
                     const struct etm_clock_time *time)
{
    (void)time;
    return item == context;
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++)
        (void)etm_call_place(&calls[i], ETM_TIME_CYCLES);
    return ETM_OK;
}

/* What only looks at a session. */
static void look(const struct etm_session *s)
{
    size_t index;
    uint8_t byte;

    (void)etm_session_sources(s);
    (void)etm_session_source(s, 0);
    (void)etm_session_buffers(s);
    (void)etm_session_buffer(s, 0);
    (void)etm_session_source_buffer(s, 0, 0);
    (void)etm_session_code_file(s, 0);
    (void)etm_session_file(s, 0);
    (void)etm_session_notes(s);
    (void)etm_session_note(s, 0);
    (void)etm_session_mapping(s, 0);
    (void)etm_session_faults(s);
    (void)etm_session_fault(s, 0);
    (void)etm_session_bytes(s, 0);
    (void)etm_session_find(s, "ETM_0", &index);
    (void)etm_session_read(s, 0, 0x1b8, NULL, &byte, 1);
}

static int session(void)
{
    const struct etm_session_points points = {.point = take_point};
    const struct etm_session_run run = {.size = sizeof run,
                                        .elements = take_elements,
                                        .sizeof_element =
                                            sizeof(struct etm_element)};
    static struct etm_frame_counts counts;
    struct etm_session *s;
    enum etm_framing framing;
    int status = etm_session_open(&s, DEMO, &options, NULL);

    if (status == ETM_OK)
        look(s);
    THEN(etm_session_count(s, 0, &counts));
    THEN(etm_session_run_source(s, 0, &run, NULL));
    THEN(etm_session_find_points(s, 0, &points, NULL));
    THEN(etm_session_guess_framing(s, 0, &framing));
    etm_session_free(s);
    return status;
}

static int guess(void)
{
    struct etm_session *s;
    struct etm_guess made;
    struct etm_register registers[3];
    int status = etm_session_open(&s, DEMO, &options, NULL);

    THEN(etm_session_guess(s, 0, ETM_PROTOCOL_ETMV3, &made));
    if (status == ETM_OK)
        (void)etm_guess_registers(&made, registers);
    etm_session_free(s);
    return status;
}

static int or_not_found(int status)
{
    return status == ETM_ERR_NOT_FOUND ? ETM_OK : status;
}

static int program(void)
{
    struct etm_session *s;
    struct etm_symbol symbol;
    struct etm_source_line line;
    struct etm_inlined inlined[4];
    enum etm_isa isa;
    size_t n = 4;
    int status = etm_session_open(&s, DEMO, &options, NULL);

    THEN(etm_session_load_symbols(s, 0));
    THEN(or_not_found(etm_session_symbol(s, 0, 0x1b8, &symbol)));
    THEN(or_not_found(etm_session_line(s, 0, 0x1b8, &line)));
    THEN(or_not_found(etm_session_isa(s, 0, 0x1b8, &isa)));
    THEN(or_not_found(etm_session_inlined(s, 0, 0x1b8, inlined, &n)));
    THEN(etm_session_lines(s, 0, take_line, NULL));
    THEN(etm_session_functions(s, 0, take_function, NULL));
    etm_session_free(s);
    return status;
}

static int symbols(void)
{
    struct etm_symbols *s;
    struct etm_symbol symbol;
    struct etm_image *image = NULL;
    const struct etm_scalar *scalar;
    const char *name;
    uint32_t at = 0, size;
    enum etm_isa isa;
    int status = etm_symbols_open(&s, ELF, &scarce, NULL);

    THEN(or_not_found(etm_symbols_at(s, 0x1b8, &symbol)));
    THEN(or_not_found(etm_symbols_find(s, "main", &at, &size, &isa)));
    if (status == ETM_OK)
        (void)etm_symbols_count(s, "main");
    THEN(or_not_found(etm_symbols_variable(s, "ticks", &at, &size)));
    if (status == ETM_OK && etm_symbols_scalar(s, at, 0, &scalar) == ETM_OK)
        (void)etm_symbols_enumerator(s, scalar, 0, &name);
    THEN(etm_image_new(&image, &scarce));
    THEN(etm_symbols_code(s, image));
    etm_image_free(image);
    etm_symbols_free(s);
    return status;
}

/* Elements of the demo in all formats, with the names of its program. */
static int list(const char *format, bool portions)
{
    struct etm_session *s;
    struct etm_session_names named = {.source = 0};
    struct etm_listing_source of = {.size = sizeof of, .name = "ETM_0"};
    const struct etm_listing_config config = {.size = sizeof config,
                                              .format = format,
                                              .write = take_text,
                                              .allocator = &scarce,
                                              .lines = true,
                                              .sizeof_element =
                                                  sizeof(struct etm_element)};
    struct etm_element e[2] = {{.kind = ETM_ELEMENT_RANGE},
                               {.kind = ETM_ELEMENT_END}};
    const struct etm_packet packet = {.kind = ETM_PACKET_A_SYNC, .size = 1};
    struct etm_listing *listing = NULL;
    struct etm_listing_portion *portion = NULL;
    int status = etm_session_open(&s, DEMO, &options, NULL);

    if (status == ETM_OK) {
        named.session = s;
        of.config = &etm_session_source(s, 0)->config;
        of.names = etm_session_names_of(&named);
    }
    e[0].u.range.start = 0x1b8;
    e[0].u.range.end = 0x1bc;
    e[0].u.range.n = 2;
    THEN(etm_listing_new(&listing, &config));
    THEN(etm_listing_begin(listing, &of));
    if (portions) {
        THEN(etm_listing_portion_begin(listing, &portion));
        THEN(etm_listing_elements(listing, e, 2));
        if (portion != NULL) {
            int ended = etm_listing_portion_end(listing);

            THEN(ended);
        }
        THEN(etm_listing_append(listing, portion));
    } else {
        THEN(etm_listing_elements(listing, e, 2));
        THEN(etm_listing_packets(listing, &packet, 1, (const uint8_t *)"\x80"));
    }
    THEN(etm_listing_flush(listing));
    THEN(etm_listing_finish(listing));
    etm_listing_portion_free(portion);
    etm_listing_free(listing);
    etm_session_free(s);
    return named.failed && status == ETM_OK ? ETM_ERR_MEMORY : status;
}

static int text(void)
{
    return list("text", false);
}

static int jsonl(void)
{
    return list("jsonl", true);
}

/* Counts as a listing, and one by one. */
static int covered(void)
{
    struct etm_session *s;
    struct etm_session_names named = {.source = 0};
    struct etm_listing_source of = {.size = sizeof of, .name = "ETM_0"};
    const struct etm_listing_config config = {.size = sizeof config,
                                              .format = "lcov",
                                              .write = take_text,
                                              .allocator = &scarce};
    const struct etm_count count = {.n = 2,
                                    .start = 0x1b8,
                                    .end = 0x1bc,
                                    .insns = 2,
                                    .last_address = 0x1ba,
                                    .isa = ETM_ISA_THUMB};
    struct etm_counts *counts = NULL;
    struct etm_listing *listing = NULL;
    int status = etm_session_open(&s, DEMO, &options, NULL);

    if (status == ETM_OK) {
        const struct etm_source_info *info = etm_session_source(s, 0);

        named.session = s;
        of.config = &info->config;
        of.image = info->image;
        of.names = etm_session_names_of(&named);
    }
    THEN(etm_counts_new(&counts, &scarce));
    THEN(etm_counts_add(counts, &count));
    THEN(etm_covered_walk(&of, counts, take_covered, NULL));
    THEN(etm_listing_new(&listing, &config));
    THEN(etm_listing_begin(listing, &of));
    THEN(etm_listing_counts(listing, counts));
    THEN(etm_listing_finish(listing));
    etm_listing_free(listing);
    etm_counts_free(counts);
    etm_session_free(s);
    return named.failed && status == ETM_OK ? ETM_ERR_MEMORY : status;
}

static int calls(void)
{
    struct etm_session *s;
    const struct etm_calls_config config = {.size = sizeof config,
                                            .calls = take_calls,
                                            .allocator = &scarce,
                                            .sizeof_element =
                                                sizeof(struct etm_element)};
    struct etm_session_run run = {.size = sizeof run,
                                  .elements = etm_calls_elements,
                                  .sizeof_element = sizeof(struct etm_element)};
    struct etm_calls *made = NULL;
    int status = etm_session_open(&s, DEMO, &options, NULL);

    THEN(etm_calls_new(&made, &config));
    run.context = made;
    THEN(etm_session_run_source(s, 0, &run, NULL));
    THEN(etm_calls_finish(made));
    if (status == ETM_OK) {
        (void)etm_calls_functions(made);
        (void)etm_calls_function(made, 0);
        (void)etm_calls_tasks(made);
        (void)etm_calls_task(made, 0);
        (void)etm_calls_cost(made);
        (void)etm_calls_gap_cycles(made);
        (void)etm_calls_place(made, ETM_TIME_CYCLES);
    }
    etm_calls_free(made);
    etm_session_free(s);
    return status;
}

static int clock_of(void)
{
    const struct etm_clock_config config = {
        .take = take_item, .sizeof_item = sizeof(struct etm_element)};
    const struct etm_element e = {.kind = ETM_ELEMENT_END};
    struct etm_clock *made;
    int status = etm_clock_new(&made, &config);

    for (unsigned i = 0; i < 100; i++)
        THEN(etm_clock_hold(made, (struct etm_clock_place){.at = i}, &e));
    THEN(etm_clock_timestamp(made, (struct etm_clock_place){.at = 100}, 5));
    THEN(etm_clock_elements(made, &e, 1));
    THEN(etm_clock_finish(made));
    etm_clock_free(made);
    return status;
}

static int waves(void)
{
    const struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV3,
                                         .width = 8};
    const struct etm_vcd_writer_config config = {
        .port = &port, .write = take_text, .allocator = &scarce};
    const struct etm_port_sample samples[3] = {{.data = 1}, {.data = 2}};
    struct etm_vcd_writer *made;
    int status = etm_vcd_writer_new(&made, &config, NULL);

    THEN(etm_vcd_writer_push(made, samples, 3));
    THEN(etm_vcd_writer_finish(made));
    etm_vcd_writer_free(made);
    return status;
}

static int write_snapshot(bool discard)
{
    char directory[] = "/tmp/etm-scarce-XXXXXX", command[64];
    const struct etm_snapshot_writer_config config = {.directory = directory,
                                                      .allocator = &scarce};
    const struct etm_snapshot_core core = {.type = "Cortex-M3"};
    const struct etm_snapshot_buffer buffer = {.framing =
                                                   ETM_FRAMING_CORESIGHT};
    const struct etm_register registers[] = {{"ETMCR", 0, 0x800},
                                             {"ETMIDR", 0x79, 0x4114f240},
                                             {"ETMTRACEIDR", 0x80, 0x10}};
    struct etm_config config_of = {0};
    const struct etm_snapshot_source source = {
        .config = &config_of, .registers = registers, .n_registers = 3};
    const uint8_t bytes[64] = {0};
    const struct etm_snapshot_piece pieces[] = {{0, bytes, 32},
                                                {0x100, bytes + 32, 32}};
    struct etm_snapshot_writer *made = NULL;
    int status;

    if (mkdtemp(directory) == NULL)
        abort();
    status = etm_config_from_registers(&config_of, ETM_PROTOCOL_NONE, registers,
                                       3, NULL);
    THEN(etm_snapshot_writer_new(&made, &config, NULL));
    THEN(etm_snapshot_add_core(made, &core, NULL, NULL));
    THEN(etm_snapshot_add_memory(made, 0, "memory", 0x8000, bytes, 64, NULL,
                                 NULL));
    THEN(etm_snapshot_add_pieces(made, 0, "pieces", pieces, 2, NULL, NULL));
    THEN(etm_snapshot_add_program(made, 0, ELF, NULL));
    THEN(etm_snapshot_add_buffer(made, &buffer, NULL, NULL));
    THEN(etm_snapshot_add_source(made, &source, NULL, NULL));
    THEN(etm_snapshot_add_trace(made, 0, bytes, 64, NULL));
    if (discard)
        etm_snapshot_writer_discard(made);
    else {
        THEN(etm_snapshot_writer_finish(made, NULL));
        etm_snapshot_writer_free(made);
    }
    snprintf(command, sizeof command, "rm -rf %s", directory);
    if (system(command) != 0)
        abort();
    return status;
}

static int snapshot(void)
{
    return write_snapshot(false);
}

static int discarded(void)
{
    return write_snapshot(true);
}

const struct exercise capture_exercises[] = {
    {"session", session}, {"guess", guess},       {"program", program},
    {"symbols", symbols}, {"text", text},         {"jsonl", jsonl},
    {"covered", covered}, {"calls", calls},       {"clock", clock_of},
    {"waves", waves},     {"snapshot", snapshot}, {"discarded", discarded},
    {NULL, NULL},
};
