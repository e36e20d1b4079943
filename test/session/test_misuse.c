/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse that is told: arrays that are NULL although they are counted
 * (<etm/status.h>), and values that an enumeration does not have. */
#include <etm/decode.h>
#include <etm/execution.h>
#include <etm/explain.h>
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
    struct etm_macrocell_config what;
    struct etm_config config;
    struct etm_explain_config values = {.macrocell = &what};
    struct etm_setup setup;
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_core_macrocell(etm_core_find("cortex-r4"), NULL, &what,
                                        &config, NULL),
                     ETM_OK);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        assert_int_equal(
            etm_configure(&setup, &requests[i], &what, NULL, &diag),
            ETM_ERR_ARGUMENT);
        assert_string_equal(diag.what, "the list is NULL");
    }
    assert_int_equal(etm_lint(&values, NULL, 1, NULL), ETM_ERR_ARGUMENT);
    assert_true(etm_lint(&values, NULL, 0, NULL) >= 0);
    assert_int_equal(etm_lint_accesses(&values, NULL, 1, NULL, 0, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_accesses(&values, NULL, 0, NULL, 1, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint_accesses(&values, NULL, 0, NULL, 0, NULL), 0);
    values.n_registers = 1;
    assert_int_equal(etm_explain(&values, explain_nothing, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_lint(&values, NULL, 0, NULL), ETM_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_need_what_is_counted),
        cmocka_unit_test(texts_need_what_is_counted),
        cmocka_unit_test(setups_need_what_is_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
