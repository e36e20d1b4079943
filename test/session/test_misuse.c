/* SPDX-License-Identifier: Apache-2.0 */
/* What <etm/types.h> says of NULL: what is freed, what has no bytes, what
 * nothing can be made of; and misuse that is told: arrays that are NULL
 * although they are counted, and values that an enumeration does not have. */
#include "../support/core.h"
#include "../support/receive.h"
#include "../support/status.h"
#include "../support/test.h"

#include <etm/decode.h>
#include <etm/macrocell.h>
#include <etm/model.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/program.h>
#include <etm/session.h>
#include <etm/setup.h>
#include <etm/write.h>

static const enum etm_protocol protocols[] = {
    ETM_PROTOCOL_ETMV1, ETM_PROTOCOL_ETMV2, ETM_PROTOCOL_ETMV3,
    ETM_PROTOCOL_PFT};

/* Functions that take what they are given. */
RECEIVE(take_elements, const struct etm_element *)
RECEIVE(take_packets, const struct etm_packet *)
RECEIVE(take_events, const struct etm_event *)
RECEIVE_ONE(take_line, const struct etm_explain_line *)

/* Keeps it, if there is a place. */
static int take_text(void *context, const char *text, size_t n)
{
    if (context != NULL)
        strncat(context, text, n);
    return ETM_OK;
}

static const struct etm_port_config port_v1 = {.protocol = ETM_PROTOCOL_ETMV1,
                                               .width = 8};

/* ---- NULL in place of an object, and of what it is made of --------------- */

TEST(nothing_is_freed)
{
    etm_counts_free(NULL);
    etm_decoder_free(NULL);
    etm_deframer_free(NULL);
    etm_execution_reader_free(NULL);
    etm_execution_writer_free(NULL);
    etm_framer_free(NULL);
    etm_generator_free(NULL);
    etm_image_free(NULL);
    etm_listing_free(NULL);
    etm_listing_portion_free(NULL);
    etm_macrocell_free(NULL);
    etm_packer_free(NULL);
    etm_packet_decoder_free(NULL);
    etm_realigner_free(NULL);
    etm_session_free(NULL);
    etm_snapshot_writer_discard(NULL);
    etm_snapshot_writer_free(NULL);
    etm_symbols_free(NULL);
    etm_unpacker_free(NULL);
    etm_vcd_writer_free(NULL);
}

/* Without a place for it, and without what it is made of; `...`: NULL, where
 * the last argument is for a diagnosis. */
#define MAKES_NOTHING(noun, ...)                                               \
    do {                                                                       \
        struct etm_##noun *made;                                               \
        MISUSE(etm_##noun##_new(NULL, __VA_ARGS__));                           \
        MISUSE(etm_##noun##_new(&made, __VA_ARGS__));                          \
    } while (0)

TEST(nothing_is_made_of_nothing)
{
    struct etm_session *session;
    struct etm_symbols *symbols;

    MAKES_NOTHING(decoder, NULL);
    MAKES_NOTHING(deframer, NULL);
    MAKES_NOTHING(execution_reader, NULL);
    MAKES_NOTHING(execution_writer, NULL);
    MAKES_NOTHING(framer, NULL);
    MAKES_NOTHING(generator, NULL);
    MAKES_NOTHING(listing, NULL);
    MAKES_NOTHING(macrocell, NULL, NULL);
    MAKES_NOTHING(packer, NULL);
    MAKES_NOTHING(packet_decoder, NULL);
    MAKES_NOTHING(realigner, NULL);
    MAKES_NOTHING(snapshot_writer, NULL, NULL);
    MAKES_NOTHING(unpacker, NULL);
    MAKES_NOTHING(vcd_writer, NULL, NULL);
    MISUSE(etm_counts_new(NULL, NULL));
    MISUSE(etm_image_new(NULL, NULL));
    MISUSE(etm_session_open(NULL, "x", NULL, NULL));
    MISUSE(etm_session_open(&session, NULL, NULL, NULL));
    MISUSE(etm_session_find_points(NULL, 0, NULL, NULL));
    MISUSE(etm_symbols_open(NULL, "x", NULL, NULL));
    MISUSE(etm_symbols_open(&symbols, NULL, NULL, NULL));
}

TEST(nothing_is_configured_by_nothing)
{
    struct etm_config config = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_macrocell_config macrocell = {0};
    const enum etm_protocol pft = ETM_PROTOCOL_PFT;

    MISUSE(etm_config_check(NULL, NULL));
    MISUSE(etm_config_to_registers(NULL, NULL, 0));
    assert_true(etm_config_to_registers(&config, NULL, 16) > 0);
    MISUSE(etm_config_from_registers(&config, pft, NULL, 1, NULL));
    MISUSE(etm_config_from_registers(NULL, pft, NULL, 0, NULL));
    OK(etm_config_from_registers(&config, pft, NULL, 0, NULL));
    assert_int_equal(etm_register_number(NULL), ETM_REGISTER_NONE);
    MISUSE(etm_core_macrocell(NULL, NULL, &macrocell, &config, NULL));
}

TEST(a_capture_needs_what_is_counted)
{
    static const char *const images[] = {NULL};
    static const struct {
        struct etm_session_options options;
        const char *what;
    } rows[] = {
        {{.n_images = 1}, "the images are NULL"},
        {{.n_images = 1, .images = images}, "the name of an image is NULL"},
        {{.n_registers = 1}, "the registers are NULL"},
    };
    struct etm_session *session;
    struct etm_diag diag;

    for (size_t i = 0; i < COUNT(rows); i++) {
        MISUSE(etm_session_open(&session, "x", &rows[i].options, &diag));
        assert_null(session);
        assert_string_equal(diag.what, rows[i].what);
    }
}

static void *no_memory(void *context, void *old, size_t size)
{
    (void)context;
    (void)old;
    (void)size;
    return NULL;
}

/* struct etm_diag, which may have had anything in it before, is that of the
 * failure. */
#define DIAGNOSED(expected, call)                                              \
    do {                                                                       \
        memset(&diag, 0x55, sizeof diag);                                      \
        assert_int_equal(call, expected);                                      \
        assert_int_equal(diag.status, expected);                               \
        assert_non_null(memchr(diag.what, 0, sizeof diag.what));               \
        assert_true(diag.what[0] != '\0');                                     \
        assert_non_null(memchr(diag.source, 0, sizeof diag.source));           \
    } while (0)

TEST(every_failure_has_a_diagnosis)
{
    static const struct etm_allocator none = {no_memory, NULL};
    struct etm_config config = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_macrocell_config cell = {.config = &config, .allocator = &none};
    struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV3, .width = 8};
    struct etm_vcd_writer_config dump = {
        .port = &port, .write = take_text, .allocator = &none};
    struct etm_macrocell *macrocell;
    struct etm_vcd_writer *vcd;
    struct etm_diag diag;

    DIAGNOSED(ETM_ERR_ARGUMENT, etm_config_check(NULL, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_config_from_registers(
                                    &config, ETM_PROTOCOL_PFT, NULL, 1, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_session_open(NULL, "x", NULL, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_snapshot_writer_new(NULL, NULL, &diag));
    DIAGNOSED(ETM_ERR_MEMORY, etm_macrocell_new(&macrocell, &cell, &diag));
    DIAGNOSED(ETM_ERR_MEMORY, etm_vcd_writer_new(&vcd, &dump, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_vcd_writer_new(NULL, &dump, &diag));
    dump.size = 3;
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_vcd_writer_new(&vcd, &dump, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_port_from_etmcr(NULL, 0x10, &diag));
    MISUSE(etm_port_from_etmcr(NULL, 0x10, NULL));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_port_check(NULL, &diag));
    port.size = 3;
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_port_check(&port, &diag));
    port.size = 0;
    port.protocol = ETM_PROTOCOL_NONE;
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_port_check(&port, &diag));
}

TEST(an_image_that_is_none_has_nothing)
{
    struct etm_image *image;
    uint8_t byte;

    assert_int_equal(etm_image_regions(NULL), 0);
    assert_int_equal(etm_image_region(NULL, 0, NULL, NULL, NULL),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_image_read(NULL, 0, NULL, &byte, 1), 0);
    OK(etm_image_new(&image, NULL));
    MISUSE(etm_image_add(image, 0, NULL, 1, NULL));
    OK(etm_image_add(image, 0, NULL, 0, NULL));
    OK(etm_image_add_copy(image, 0, NULL, 0, NULL));
    assert_int_equal(etm_image_read(image, 0, NULL, NULL, 0), 0);
    etm_image_free(image);
}

/* ---- NULL in place of an array ------------------------------------------- */

/* An array that is NULL has no bytes or values: a number of them is a mistake
 * of the caller. What is fed goes on as if it had not been made. `then` is
 * done at the end. */
#define FEED(noun, config, then)                                               \
    do {                                                                       \
        struct etm_##noun *it;                                                 \
        OK(etm_##noun##_new(&it, config));                                     \
        MISUSE(etm_##noun##_push(it, NULL, 1));                                \
        OK(etm_##noun##_push(it, NULL, 0));                                    \
        then;                                                                  \
        etm_##noun##_free(it);                                                 \
    } while (0)

TEST(streams_need_what_is_counted)
{
    const struct etm_deframer_config frames = {.id = 1};
    const struct etm_framer_config way = {.layout = ETM_FRAME_ALIGNED};
    const struct etm_realigner_config bits = {.hold = 0};
    struct etm_frame_counts counts;
    struct etm_framer *framer;

    for (size_t i = 0; i < COUNT(protocols); i++) {
        const struct etm_config config = {.protocol = protocols[i]};
        const struct etm_decoder_config how = {.config = &config,
                                               .elements = take_elements};
        const struct etm_packet_decoder_config what = {.config = &config,
                                                       .packets = take_packets};
        const struct etm_generator_config made = {.config = &config};
        const struct etm_port_config port = {.protocol = protocols[i],
                                             .width = 8};

        FEED(decoder, &how, OK(etm_decoder_finish(it)));
        FEED(packet_decoder, &what, OK(etm_packet_decoder_finish(it)));
        FEED(generator, &made, OK(etm_generator_finish(it)));
        if (i < 2) /* what they trace are samples, no bytes */
            continue;
        FEED(unpacker, &port, (void)it);
        FEED(packer, &port, (void)it);
    }
    FEED(deframer, &frames, OK(etm_deframer_finish(it)));
    FEED(realigner, &bits, OK(etm_realigner_finish(it)));
    OK(etm_framer_new(&framer, &way));
    OK(etm_framer_push(framer, 0x10, NULL, 0));
    etm_framer_free(framer);
    MISUSE(etm_frame_survey(&counts, ETM_FRAME_ALIGNED, NULL, 16, NULL));
}

TEST(nothing_is_listed_of_nothing)
{
    struct etm_listing_config listing = {.write = take_text};
    static const struct etm_listing_source source = {.id = 1};
    static const struct etm_packet packets[1];
    const struct etm_listing_format *format;
    struct etm_listing *l;

    for (size_t i = 0; (format = etm_listing_formats(i)) != NULL; i++) {
        if ((format->takes & ETM_LISTING_ELEMENTS) == 0)
            continue;
        listing.format = format->name;
        OK(etm_listing_new(&l, &listing));
        OK(etm_listing_begin(l, &source));
        MISUSE(etm_listing_elements(l, NULL, 1));
        MISUSE(etm_listing_packets(l, NULL, 1, NULL));
        MISUSE(etm_listing_packets(l, packets, 1, NULL));
        OK(etm_listing_elements(l, NULL, 0));
        OK(etm_listing_packets(l, NULL, 0, NULL));
        OK(etm_listing_flush(l));
        etm_listing_free(l);
    }
}

TEST(texts_need_what_is_counted)
{
    const struct etm_execution_writer_config events = {.write = take_text};
    struct etm_execution_reader_config text = {.events = take_events};
    const struct etm_vcd_writer_config waves = {.port = &port_v1,
                                                .write = take_text};
    struct etm_execution_reader *reader;
    struct etm_vcd_writer *vcd;
    struct etm_setup setup;

    FEED(execution_writer, &events, OK(etm_execution_writer_finish(it)));
    for (unsigned i = 0; i < 2; i++) {
        text.format = i == 0 ? ETM_EXECUTION_LOG : ETM_EXECUTION_TARMAC;
        OK(etm_execution_reader_new(&reader, &text));
        MISUSE(etm_execution_reader_push(reader, NULL, 1, NULL));
        OK(etm_execution_reader_push(reader, NULL, 0, NULL));
        if (i == 0)
            OK(etm_execution_reader_push(reader, "version 1\n", 10, NULL));
        (void)etm_execution_reader_finish(reader, NULL);
        MISUSE(etm_execution_reader_push(reader, NULL, 0, NULL));
        etm_execution_reader_free(reader);
    }
    OK(etm_vcd_writer_new(&vcd, &waves, NULL));
    MISUSE(etm_vcd_writer_push(vcd, NULL, 1));
    OK(etm_vcd_writer_push(vcd, NULL, 0));
    OK(etm_vcd_writer_finish(vcd));
    etm_vcd_writer_free(vcd);
    assert_int_equal(etm_setup_read(&setup, NULL, 0, NULL), ETM_ERR_FORMAT);
    assert_int_equal(setup.n, 0);
}

static void macrocell_of(const char *core, struct etm_macrocell_config *what,
                         struct etm_config *config)
{
    OK(etm_core_macrocell(core_named(core), NULL, what, config, NULL));
}

TEST(nothing_happens_in_no_time)
{
    struct etm_macrocell_config what = {0};
    struct etm_macrocell *macrocell;
    struct etm_config config = {0};

    macrocell_of("cortex-a9", &what, &config);
    OK(etm_macrocell_new(&macrocell, &what, NULL));
    OK(etm_macrocell_run(macrocell, NULL, 0));
    OK(etm_macrocell_finish(macrocell));
    etm_macrocell_free(macrocell);
}

TEST(setups_need_what_is_counted)
{
    const struct etm_request requests[] = {
        {.n_include = 1},
        {.n_exclude = 1},
        {.n_start = 1},
        {.n_stop = 1},
        {.data_address = true, .n_data_include = 1},
        {.data_address = true, .n_data_exclude = 1},
        {.trigger.what = ETM_CONDITION_CHAIN, .n_chain = 2},
    };
    struct etm_macrocell_config what = {0};
    struct etm_config config = {0};
    struct etm_explain_config values = {.macrocell = &what};
    struct etm_setup setup;
    struct etm_diag diag;

    macrocell_of("cortex-r4", &what, &config);
    for (size_t i = 0; i < COUNT(requests); i++) {
        MISUSE(etm_configure(&setup, &requests[i], &what, NULL, &diag));
        assert_string_equal(diag.what, "the list is NULL");
    }
    MISUSE(etm_lint_values(&values, NULL, 1, NULL));
    assert_true(etm_lint_values(&values, NULL, 0, NULL) >= 0);
    MISUSE(etm_lint_accesses(&values, NULL, 1, NULL, 0, NULL));
    MISUSE(etm_lint_accesses(&values, NULL, 0, NULL, 1, NULL));
    assert_int_equal(etm_lint_accesses(&values, NULL, 0, NULL, 0, NULL), 0);
    values.n_registers = 1;
    MISUSE(etm_explain(&values, take_line, NULL, NULL));
    MISUSE(etm_lint_values(&values, NULL, 0, NULL));
}

/* ---- Values of enumerations ---------------------------------------------- */

#define NONE 99 /* no value of an enumeration is as large */

TEST(there_are_only_the_values_of_an_enumeration)
{
    const struct etm_config config = {.protocol = ETM_PROTOCOL_ETMV3};
    const struct etm_generator_config generators[] = {
        {.config = &config, .packing = NONE},
        {.config = &config, .deprecated_exceptions = NONE},
    };
    const struct etm_execution_reader_config text = {
        .events = take_events, .profile = (enum etm_profile)NONE};
    const struct etm_execution_writer_config events = {
        .write = take_text, .profile = (enum etm_profile)NONE};
    const struct etm_session_options options[] = {
        {.framing = (enum etm_framing)NONE},
        {.framing = ETM_FRAMING_PORT, .form = (enum etm_port_form)NONE},
    };
    static const uint8_t frame[ETM_FRAME_BYTES];
    struct etm_generator *generator;
    struct etm_execution_reader *reader;
    struct etm_execution_writer *writer;
    struct etm_session *session;
    struct etm_frame_counts counts;

    for (size_t i = 0; i < 2; i++) {
        MISUSE(etm_generator_new(&generator, &generators[i]));
        MISUSE(etm_session_open(&session, "x", &options[i], NULL));
    }
    MISUSE(etm_execution_reader_new(&reader, &text));
    MISUSE(etm_execution_writer_new(&writer, &events));
    MISUSE(etm_frame_survey(&counts, (enum etm_frame_layout)NONE, frame,
                            sizeof frame, NULL));
}

/* DEMO is the folder of a snapshot with one source. */
TEST(a_session_knows_only_the_values_of_an_enumeration)
{
    const struct etm_session_run run = {.start = (enum etm_session_start)NONE};
    const struct etm_session_run nothing = {.jobs = 1};
    const enum etm_protocol none = (enum etm_protocol)NONE;
    struct etm_session *session;
    struct etm_guess guess;

    OK(etm_session_open(&session, DEMO, NULL, NULL));
    MISUSE(etm_session_run_source(session, 0, &run, NULL));
    OK(etm_session_run_source(session, 0, &nothing, NULL));
    MISUSE(etm_session_guess(session, 0, none, &guess));
    etm_session_free(session);
}

/* A trace_on; nothing else gives it a reason. */
static int generate(uint8_t reason, uint8_t in_progress)
{
    const struct etm_config config = {.protocol = ETM_PROTOCOL_ETMV3};
    const struct etm_generator_config how = {.config = &config};
    const struct etm_event events[] = {
        {.kind = ETM_EVENT_TRACE_ON, .u.trace_on = {.at.isa = ETM_ISA_ARM}},
        {.kind = ETM_EVENT_INSN,
         .u.insn = {.opcode = 0xe5910000, /* ldr r0, [r1] */
                    .isa = ETM_ISA_ARM,
                    .size = 4,
                    .passed = true}},
        {.kind = ETM_EVENT_TRACE_OFF},
        {.kind = ETM_EVENT_TRACE_ON,
         .u.trace_on = {.reason = reason,
                        .in_progress = in_progress,
                        .at = {.address = 4, .isa = ETM_ISA_ARM}}},
    };
    struct etm_generator *generator;
    int status;

    OK(etm_generator_new(&generator, &how));
    status = etm_generator_push(generator, events, 4);
    etm_generator_free(generator);
    return status;
}

TEST(tracing_begins_for_a_reason)
{
    OK(generate(ETM_TRACE_ON_DEBUG_EXIT, ETM_IN_PROGRESS_NO));
    OK(generate(ETM_TRACE_ON_START, ETM_IN_PROGRESS_ALONE));
    MISUSE(generate(NONE, ETM_IN_PROGRESS_NO));
    MISUSE(generate(ETM_TRACE_ON_START, NONE));
}

TEST(a_setup_is_what_there_can_be)
{
    const struct etm_request_match match = {.isa = (enum etm_isa)NONE};
    const struct etm_request request = {.include = &match, .n_include = 1};
    const struct etm_setup_script script = {.interfaces = 8};
    static struct etm_setup setup; /* static: what is beyond it is noticed */
    struct etm_macrocell_config what = {0};
    struct etm_macrocell *macrocell;
    struct etm_config config = {0};
    char text[8];

    macrocell_of("cortex-r4", &what, &config);
    MISUSE(etm_configure(&setup, &request, &what, NULL, NULL));
    MISUSE(etm_setup_write(&setup, ETM_SETUP_FORMAT_C, &script, text,
                           sizeof text, NULL));
    setup.n = ETM_SETUP_CAPACITY + 1;
    MISUSE(etm_setup_set(&setup, 0x10, 1));
    MISUSE(etm_setup_write(&setup, ETM_SETUP_FORMAT_TABLE, NULL, text,
                           sizeof text, NULL));
    OK(etm_macrocell_new(&macrocell, &what, NULL));
    MISUSE(etm_setup_apply(&setup, macrocell, ETM_ACCESS_DEBUGGER, NULL));
    etm_macrocell_free(macrocell);
}

/* value_bytes is at most 9, of a timestamp (<etm/packet.h>): a value has 8. */
TEST(a_data_value_has_at_most_eight_bytes)
{
    const struct etm_packet packet = {.kind = ETM_PACKET_NORMAL_DATA,
                                      .size = 10,
                                      .fields = ETM_FIELD_VALUE,
                                      .value = 0x0123456789abcdef,
                                      .value_bytes = 9};
    static const uint8_t bytes[10];
    static const char *const formats[] = {"text", "jsonl"};

    for (size_t i = 0; i < 2; i++) {
        char text[1024] = "";
        const struct etm_listing_config how = {
            .format = formats[i], .write = take_text, .context = text};
        struct etm_listing *listing;

        OK(etm_listing_new(&listing, &how));
        OK(etm_listing_packets(listing, &packet, 1, bytes));
        OK(etm_listing_flush(listing));
        assert_non_null(strstr(text, "0x0123456789abcdef"));
        etm_listing_free(listing);
    }
}

/* ---- Functions of which one is NULL -------------------------------------- */

/* <etm/session.h>: also with one thread, where none may be called. */
TEST(portions_need_all_their_functions)
{
    const struct etm_session_options options = {.protocol = ETM_PROTOCOL_PFT,
                                                .framing = ETM_FRAMING_NONE};
    struct etm_session *session;

    OK(etm_session_open(&session, "/dev/null", &options, NULL));
    for (unsigned i = 0; i < 12; i++) {
        int token = 0;
        struct etm_portions portions = {
            .begin = i % 6 == 0 ? NULL : begin_portion,
            .elements = i % 6 == 1 ? NULL : take_elements,
            .end = i % 6 == 2 ? NULL : end_portion,
            .take = i % 6 == 3 ? NULL : take_portion,
            .free = i % 6 == 4 ? NULL : free_portion,
            .context = &token,
        };
        const struct etm_session_run run = {.elements = take_elements,
                                            .jobs = i < 6 ? 1 : 4,
                                            .portions = &portions};

        assert_int_equal(etm_session_run_source(session, 0, &run, NULL),
                         i % 6 == 5 ? ETM_OK : ETM_ERR_ARGUMENT);
    }
    etm_session_free(session);
}
