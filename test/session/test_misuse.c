/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse that is told: arrays that are NULL although they are counted
 * (<etm/types.h>), and values that an enumeration does not have. */
#include "../support/core.h"

#include <etm/decode.h>
#include <etm/macrocell.h>
#include <etm/model.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/session.h>
#include <etm/setup.h>
#include <etm/write.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static int write_text(void *context, const char *text, size_t n)
{
    (void)context;
    (void)text;
    (void)n;
    return ETM_OK;
}

static int take_events(void *context, const struct etm_event *events, size_t n)
{
    (void)context;
    (void)events;
    (void)n;
    return ETM_OK;
}

static int explain_nothing(void *context, const struct etm_explain_line *line)
{
    (void)context;
    (void)line;
    return ETM_OK;
}

/* An array that is NULL has no bytes or values: a number of them is a mistake
 * of the caller. What is fed goes on as if it had not been made. */
static void streams_need_what_is_counted(void **state)
{
    const struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV3,
                                         .width = 8};
    const struct etm_deframer_config frames = {.id = 1};
    const struct etm_realigner_config bits = {.hold = 0};
    struct etm_frame_counts counts;
    struct etm_unpacker *unpacker;
    struct etm_packer *packer;
    struct etm_deframer *deframer;
    struct etm_realigner *realigner;

    (void)state;
    assert_int_equal(etm_unpacker_new(&unpacker, &port), ETM_OK);
    assert_int_equal(etm_unpacker_push(unpacker, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_unpacker_push(unpacker, NULL, 0), ETM_OK);
    etm_unpacker_free(unpacker);
    assert_int_equal(etm_packer_new(&packer, &port), ETM_OK);
    assert_int_equal(etm_packer_push(packer, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_packer_push(packer, NULL, 0), ETM_OK);
    etm_packer_free(packer);
    assert_int_equal(etm_deframer_new(&deframer, &frames), ETM_OK);
    assert_int_equal(etm_deframer_push(deframer, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_deframer_finish(deframer), ETM_OK);
    etm_deframer_free(deframer);
    assert_int_equal(etm_realigner_new(&realigner, &bits), ETM_OK);
    assert_int_equal(etm_realigner_push(realigner, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_realigner_finish(realigner), ETM_OK);
    etm_realigner_free(realigner);
    assert_int_equal(
        etm_frame_survey(&counts, ETM_FRAME_ALIGNED, NULL, 16, NULL),
        ETM_ERR_ARGUMENT);
}

static void texts_need_what_is_counted(void **state)
{
    const struct etm_listing_config listing = {.format = "jsonl",
                                               .write = write_text};
    const struct etm_execution_writer_config events = {.write = write_text};
    const struct etm_execution_reader_config text = {.events = take_events};
    const struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV1,
                                         .width = 8};
    const struct etm_vcd_writer_config waves = {.port = &port,
                                                .write = write_text};
    static const struct etm_packet packets[1];
    struct etm_execution_writer *writer;
    struct etm_execution_reader *reader;
    struct etm_vcd_writer *vcd;
    struct etm_listing *l;

    (void)state;
    assert_int_equal(etm_listing_new(&l, &listing), ETM_OK);
    assert_int_equal(etm_listing_elements(l, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_listing_packets(l, NULL, 1, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_listing_packets(l, packets, 1, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_listing_flush(l), ETM_OK);
    etm_listing_free(l);
    assert_int_equal(etm_execution_writer_new(&writer, &events), ETM_OK);
    assert_int_equal(etm_execution_writer_push(writer, NULL, 1),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_execution_writer_finish(writer), ETM_OK);
    etm_execution_writer_free(writer);
    assert_int_equal(etm_execution_reader_new(&reader, &text), ETM_OK);
    assert_int_equal(etm_execution_reader_push(reader, NULL, 1, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_execution_reader_push(reader, "version 1\n", 10, NULL),
                     ETM_OK);
    etm_execution_reader_free(reader);
    assert_int_equal(etm_vcd_writer_new(&vcd, &waves, NULL), ETM_OK);
    assert_int_equal(etm_vcd_writer_push(vcd, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_vcd_writer_finish(vcd), ETM_OK);
    etm_vcd_writer_free(vcd);
}

static void setups_need_what_is_counted(void **state)
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

    (void)state;
    assert_int_equal(
        etm_core_macrocell(core_named("cortex-r4"), NULL, &what, &config, NULL),
        ETM_OK);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        assert_int_equal(
            etm_configure(&setup, &requests[i], &what, NULL, &diag),
            ETM_ERR_ARGUMENT);
        assert_string_equal(diag.what, "the list is NULL");
    }
    assert_int_equal(etm_lint_values(&values, NULL, 1, NULL), ETM_ERR_ARGUMENT);
    assert_true(etm_lint_values(&values, NULL, 0, NULL) >= 0);
    assert_int_equal(etm_lint_accesses(&values, NULL, 1, NULL, 0, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_accesses(&values, NULL, 0, NULL, 1, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_accesses(&values, NULL, 0, NULL, 0, NULL), 0);
    values.n_registers = 1;
    assert_int_equal(etm_explain(&values, explain_nothing, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_values(&values, NULL, 0, NULL), ETM_ERR_ARGUMENT);
}

#define NONE 99 /* no value of an enumeration is as large */

static void there_are_only_the_values_of_an_enumeration(void **state)
{
    const struct etm_config config = {.protocol = ETM_PROTOCOL_ETMV3};
    const struct etm_generator_config generators[] = {
        {.config = &config, .packing = NONE},
        {.config = &config, .deprecated_exceptions = NONE},
    };
    const struct etm_execution_reader_config text = {
        .events = take_events, .profile = (enum etm_profile)NONE};
    const struct etm_execution_writer_config events = {
        .write = write_text, .profile = (enum etm_profile)NONE};
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

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(etm_generator_new(&generator, &generators[i]),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_session_open(&session, "x", &options[i], NULL),
                         ETM_ERR_ARGUMENT);
    }
    assert_int_equal(etm_execution_reader_new(&reader, &text),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_execution_writer_new(&writer, &events),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_frame_survey(&counts, (enum etm_frame_layout)NONE,
                                      frame, sizeof frame, NULL),
                     ETM_ERR_ARGUMENT);
}

/* DEMO is the folder of a snapshot with one source. */
static void a_session_knows_only_the_values_of_an_enumeration(void **state)
{
    const struct etm_session_run run = {.start = (enum etm_session_start)NONE};
    const struct etm_session_run nothing = {.jobs = 1};
    struct etm_session *session;
    struct etm_guess guess;

    (void)state;
    assert_int_equal(etm_session_open(&session, DEMO, NULL, NULL), ETM_OK);
    assert_int_equal(etm_session_run_source(session, 0, &run, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_session_run_source(session, 0, &nothing, NULL),
                     ETM_OK);
    assert_int_equal(
        etm_session_guess(session, 0, (enum etm_protocol)NONE, &guess),
        ETM_ERR_ARGUMENT);
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

    assert_int_equal(etm_generator_new(&generator, &how), ETM_OK);
    status = etm_generator_push(generator, events, 4);
    etm_generator_free(generator);
    return status;
}

static void tracing_begins_for_a_reason(void **state)
{
    (void)state;
    assert_int_equal(generate(ETM_TRACE_ON_DEBUG_EXIT, ETM_IN_PROGRESS_NO),
                     ETM_OK);
    assert_int_equal(generate(ETM_TRACE_ON_START, ETM_IN_PROGRESS_ALONE),
                     ETM_OK);
    assert_int_equal(generate(NONE, ETM_IN_PROGRESS_NO), ETM_ERR_ARGUMENT);
    assert_int_equal(generate(ETM_TRACE_ON_START, NONE), ETM_ERR_ARGUMENT);
}

static void a_setup_is_what_there_can_be(void **state)
{
    const struct etm_request_match match = {.isa = (enum etm_isa)NONE};
    const struct etm_request request = {.include = &match, .n_include = 1};
    const struct etm_setup_script script = {.interfaces = 8};
    static struct etm_setup setup; /* static: what is beyond it is noticed */
    struct etm_macrocell_config what = {0};
    struct etm_macrocell *macrocell;
    struct etm_config config = {0};
    char text[8];

    (void)state;
    assert_int_equal(
        etm_core_macrocell(core_named("cortex-r4"), NULL, &what, &config, NULL),
        ETM_OK);
    assert_int_equal(etm_configure(&setup, &request, &what, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_setup_write(&setup, ETM_SETUP_FORMAT_C, &script, text,
                                     sizeof text, NULL),
                     ETM_ERR_ARGUMENT);
    setup.n = ETM_SETUP_CAPACITY + 1;
    assert_int_equal(etm_setup_set(&setup, 0x10, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_setup_write(&setup, ETM_SETUP_FORMAT_TABLE, NULL, text,
                                     sizeof text, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_new(&macrocell, &what, NULL), ETM_OK);
    assert_int_equal(
        etm_setup_apply(&setup, macrocell, ETM_ACCESS_DEBUGGER, NULL),
        ETM_ERR_ARGUMENT);
    etm_macrocell_free(macrocell);
}

static int keep_text(void *context, const char *text, size_t n)
{
    char *to = context;

    strncat(to, text, n);
    return ETM_OK;
}

/* value_bytes is at most 9, of a timestamp (<etm/packet.h>): a value has 8. */
static void a_data_value_has_at_most_eight_bytes(void **state)
{
    const struct etm_packet packet = {.kind = ETM_PACKET_NORMAL_DATA,
                                      .size = 10,
                                      .fields = ETM_FIELD_VALUE,
                                      .value = 0x0123456789abcdef,
                                      .value_bytes = 9};
    static const uint8_t bytes[10];
    static const char *const formats[] = {"text", "jsonl"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char text[1024] = "";
        const struct etm_listing_config how = {
            .format = formats[i], .write = keep_text, .context = text};
        struct etm_listing *listing;

        assert_int_equal(etm_listing_new(&listing, &how), ETM_OK);
        assert_int_equal(etm_listing_packets(listing, &packet, 1, bytes),
                         ETM_OK);
        assert_int_equal(etm_listing_flush(listing), ETM_OK);
        assert_non_null(strstr(text, "0x0123456789abcdef"));
        etm_listing_free(listing);
    }
}

/* An etm_element_fn. */
static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    (void)context;
    (void)elements;
    (void)n;
    return ETM_OK;
}

static int begin(void *context, unsigned thread, void **portion)
{
    (void)thread;
    *portion = context;
    return ETM_OK;
}

static int end(void *portion)
{
    (void)portion;
    return ETM_OK;
}

static int take(void *context, void *portion)
{
    (void)context;
    (void)portion;
    return ETM_OK;
}

static void release(void *context, void *portion)
{
    (void)context;
    (void)portion;
}

/* <etm/session.h>: also with one thread, where none may be called. */
static void portions_need_all_their_functions(void **state)
{
    const struct etm_session_options options = {.protocol = ETM_PROTOCOL_PFT,
                                                .framing = ETM_FRAMING_NONE};
    struct etm_session *session;

    (void)state;
    assert_int_equal(etm_session_open(&session, "/dev/null", &options, NULL),
                     ETM_OK);
    for (unsigned i = 0; i < 12; i++) {
        int token = 0;
        struct etm_portions portions = {
            .begin = i % 6 == 0 ? NULL : begin,
            .elements = i % 6 == 1 ? NULL : take_elements,
            .end = i % 6 == 2 ? NULL : end,
            .take = i % 6 == 3 ? NULL : take,
            .free = i % 6 == 4 ? NULL : release,
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

static void a_port_needs_a_place_for_its_configuration(void **state)
{
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_port_from_etmcr(NULL, 0x10, &diag), ETM_ERR_ARGUMENT);
    assert_int_equal(diag.status, ETM_ERR_ARGUMENT);
    assert_int_equal(etm_port_from_etmcr(NULL, 0x10, NULL), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_need_what_is_counted),
        cmocka_unit_test(texts_need_what_is_counted),
        cmocka_unit_test(setups_need_what_is_counted),
        cmocka_unit_test(there_are_only_the_values_of_an_enumeration),
        cmocka_unit_test(a_session_knows_only_the_values_of_an_enumeration),
        cmocka_unit_test(tracing_begins_for_a_reason),
        cmocka_unit_test(a_setup_is_what_there_can_be),
        cmocka_unit_test(a_data_value_has_at_most_eight_bytes),
        cmocka_unit_test(portions_need_all_their_functions),
        cmocka_unit_test(a_port_needs_a_place_for_its_configuration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
