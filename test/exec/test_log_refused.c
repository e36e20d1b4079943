/* SPDX-License-Identifier: Apache-2.0 */
/* Events that an execution log cannot express. */
#include "log_util.h"

static void kinds_that_do_not_exist_are_refused(void **state)
{
    struct etm_execution_writer_config config = {.write = take_text};
    struct etm_event event = {.kind = 200};
    struct etm_execution_writer *writer;

    (void)state;
    assert_int_equal(etm_execution_writer_new(&writer, &config), ETM_OK);
    assert_int_equal(etm_execution_writer_push(writer, &event, 1),
                     ETM_ERR_ARGUMENT);
    event.kind = ETM_EVENT_TRIGGER;
    assert_int_equal(etm_execution_writer_push(writer, &event, 1),
                     ETM_ERR_ARGUMENT);
    etm_execution_writer_free(writer);
}

static void transfers_of_more_than_8_bytes_are_refused(void **state)
{
    struct etm_execution_writer_config config = {.write = take_text};
    struct etm_event events[2] = {{.kind = ETM_EVENT_INSN},
                                  {.kind = ETM_EVENT_DATA}};
    struct etm_execution_writer *writer;

    (void)state;
    events[0].u.insn.isa = ETM_ISA_ARM;
    events[0].u.insn.size = 4;
    for (unsigned size = 9; size <= UINT8_MAX; size++) {
        events[1].u.data.size = (uint8_t)size;
        assert_int_equal(etm_execution_writer_new(&writer, &config), ETM_OK);
        assert_int_equal(etm_execution_writer_push(writer, events, 2),
                         ETM_ERR_ARGUMENT);
        etm_execution_writer_free(writer);
    }
}

/* A text has no word for them. */
static void values_that_an_enumeration_does_not_have_are_refused(void **state)
{
    const struct etm_place arm = {.isa = ETM_ISA_ARM}, none = {0},
                           odd = {.isa = ETM_ISA_JAZELLE + 1};
    const struct {
        struct etm_event event;
        bool good;
    } rows[] = {
#define INSN(is, to) {.kind = ETM_EVENT_INSN, .u.insn = {.isa = is, .next = to}}
#define EXCEPTION(...)                                                         \
    {                                                                          \
        .kind = ETM_EVENT_EXCEPTION, .u.exception = { __VA_ARGS__ }            \
    }
#define ON(...)                                                                \
    {                                                                          \
        .kind = ETM_EVENT_TRACE_ON, .u.trace_on = { __VA_ARGS__ }              \
    }
        {INSN(ETM_ISA_ARM, none), true},
        {INSN(ETM_ISA_ARM, odd), false},
        {INSN(ETM_ISA_UNKNOWN, arm), false},
        {INSN(ETM_ISA_JAZELLE + 1, arm), false},
        {EXCEPTION(.type = ETM_EXCEPTION_IRQ_N, .next = arm), true},
        {EXCEPTION(.type = ETM_EXCEPTION_IRQ_N + 1, .next = arm), false},
        {EXCEPTION(.type = UINT8_MAX, .next = arm), false},
        {EXCEPTION(.type = ETM_EXCEPTION_IRQ, .next = none), false},
        {EXCEPTION(.type = ETM_EXCEPTION_IRQ, .next = odd), false},
        {EXCEPTION(.type = ETM_EXCEPTION_DEBUG_HALT, .next = none), true},
        {EXCEPTION(.type = ETM_EXCEPTION_IRQ, .chain = 3, .next = arm), false},
        {ON(.reason = ETM_TRACE_ON_DEBUG_EXIT, .at = arm), true},
        {ON(.reason = ETM_TRACE_ON_DEBUG_EXIT + 1, .at = arm), false},
        {ON(.in_progress = 3, .at = arm), false},
        {ON(.at = none), false},
        {{.kind = ETM_EVENT_STACKING, .u.stacking.next = none}, true},
        {{.kind = ETM_EVENT_STACKING, .u.stacking.next = odd}, false},
        {{.kind = ETM_EVENT_PLACE, .u.place.at = arm}, true},
        {{.kind = ETM_EVENT_PLACE, .u.place.at = none}, false},
        {{.kind = ETM_EVENT_PLACE, .u.place.at = odd}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_execution_writer_config config = {.write = take_text};
        struct etm_execution_writer *writer;

        got.length = 0;
        assert_int_equal(etm_execution_writer_new(&writer, &config), ETM_OK);
        assert_int_equal(etm_execution_writer_push(writer, &rows[i].event, 1),
                         rows[i].good ? ETM_OK : ETM_ERR_ARGUMENT);
        assert_int_equal(etm_execution_writer_finish(writer),
                         rows[i].good ? ETM_OK : ETM_ERR_ARGUMENT);
        etm_execution_writer_free(writer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_that_do_not_exist_are_refused),
        cmocka_unit_test(transfers_of_more_than_8_bytes_are_refused),
        cmocka_unit_test(values_that_an_enumeration_does_not_have_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
