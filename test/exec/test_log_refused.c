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

/* The status of an event that is written, and of the log that is read again. It
 * begins with an instruction that may have transfers. */
static int written(const struct etm_event *event, struct etm_diag *diag)
{
    struct etm_execution_writer_config config = {.write = take_text};
    struct etm_event first = {.kind = ETM_EVENT_INSN};
    struct etm_execution_writer *writer;
    int status;

    first.u.insn.isa = ETM_ISA_ARM;
    first.u.insn.size = 4;
    first.u.insn.opcode = 0xe1a00000;
    if (event->kind == ETM_EVENT_INSN) /* leads to it */
        first.u.insn.next =
            (struct etm_place){.address = 4, .isa = event->u.insn.isa};
    got.length = 0;
    assert_int_equal(etm_execution_writer_new(&writer, &config), ETM_OK);
    assert_int_equal(etm_execution_writer_push(writer, &first, 1), ETM_OK);
    status = etm_execution_writer_push(writer, event, 1);
    assert_int_equal(etm_execution_writer_finish(writer), status);
    etm_execution_writer_free(writer);
    if (status != ETM_OK)
        return status;
    return read_in(got.text, got.length, 0, ETM_PROFILE_A, diag);
}

/* What is written can be read again, and nothing else is written. */
static void numbers_that_a_reader_does_not_take_are_refused(void **state)
{
#define DATA(...)                                                              \
    {                                                                          \
        .kind = ETM_EVENT_DATA, .u.data = { __VA_ARGS__ }                      \
    }
#define VALUE(n)                                                               \
    {                                                                          \
        .kind = ETM_EVENT_DATA_VALUE, .u.data_value = {.tag = n }              \
    }
#define WORD(n)                                                                \
    {                                                                          \
        .kind = ETM_EVENT_EXT_INPUTS, .u.ext_inputs = {.word = n }             \
    }
#define AT_4(is, bytes, op, paused)                                            \
    {                                                                          \
        .kind = ETM_EVENT_INSN, .u.insn = {                                    \
            .address = 4,                                                      \
            .isa = is,                                                         \
            .size = bytes,                                                     \
            .opcode = op,                                                      \
            .passed = true,                                                    \
            .resume = paused                                                   \
        }                                                                      \
    }
#define PAUSED(n)                                                              \
    {                                                                          \
        .kind = ETM_EVENT_EXCEPTION, .u.exception = {                          \
            .type = ETM_EXCEPTION_IRQ,                                         \
            .resume = n,                                                       \
            .next = {.address = 0x18, .isa = ETM_ISA_ARM}                      \
        }                                                                      \
    }
    static const struct {
        struct etm_event event;
        bool good;
    } rows[] = {
        {DATA(.size = 1, .value = 0xff), true},
        {DATA(.size = 1, .value = 0x100), false},
        {DATA(.size = 1, .value = 0x100, .tag = 1), true},
        {DATA(.size = 4, .value = UINT32_MAX), true},
        {DATA(.size = 4, .value = UINT64_C(1) << 32), false},
        {DATA(.size = 8, .value = UINT64_MAX), true},
        {DATA(.size = 8, .tag = 1), false},
        {DATA(.size = 4, .tag = 4), true},
        {DATA(.size = 4, .tag = 5), false},
        {VALUE(0), false},
        {VALUE(1), true},
        {VALUE(4), true},
        {VALUE(5), false},
        {WORD(7), true},
        {WORD(8), false},
        {AT_4(ETM_ISA_ARM, 4, 0xe1a00000, 15), true},
        {AT_4(ETM_ISA_ARM, 4, 0xe1a00000, 16), false},
        {AT_4(ETM_ISA_ARM, 2, 0xe1a0, 0), false},
        {AT_4(ETM_ISA_ARM, 0, 0, 0), false},
        {AT_4(ETM_ISA_ARM, 5, 0, 0), false},
        {AT_4(ETM_ISA_THUMB, 2, 0x46c0, 0), true},
        {AT_4(ETM_ISA_THUMB, 2, 0xf3af8000, 0), false},
        {AT_4(ETM_ISA_THUMB, 4, 0xf3af8000, 0), true},
        {AT_4(ETM_ISA_THUMB, 3, 0x46c0, 0), false},
        {AT_4(ETM_ISA_JAZELLE, 0, 0, 0), false},
        {AT_4(ETM_ISA_JAZELLE, 1, 0, 0), true},
        {AT_4(ETM_ISA_JAZELLE, 1, 0x100, 0), false},
        {AT_4(ETM_ISA_JAZELLE, 3, 0, 0), true},
        {AT_4(ETM_ISA_JAZELLE, 255, 0xaa, 0), true},
        {PAUSED(15), true},
        {PAUSED(16), false},
        {PAUSED(255), false},
        {{ETM_EVENT_IDLE, .cycles = ETM_CYCLES_UNKNOWN - 1}, true},
        {{ETM_EVENT_IDLE, .cycles = ETM_CYCLES_UNKNOWN}, false},
        {{ETM_EVENT_DATA, ETM_CYCLES_UNKNOWN, .u.data.size = 4}, false},
        {{ETM_EVENT_TRACE_ON, ETM_CYCLES_UNKNOWN,
          .u.trace_on.at = {.address = 4, .isa = ETM_ISA_ARM}},
         true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct etm_diag diag = {0};
        int status = written(&rows[i].event, &diag);

        if (status != (rows[i].good ? ETM_OK : ETM_ERR_ARGUMENT))
            fail_msg("row %zu: status %d, %s", i, status, diag.what);
    }
}

static void places_are_aligned(void **state)
{
    static const struct {
        uint8_t isa;
        uint32_t address;
        bool good;
    } rows[] = {
        {ETM_ISA_ARM, 0x8000, true},      {ETM_ISA_ARM, 0x8002, false},
        {ETM_ISA_ARM, 0x8001, false},     {ETM_ISA_THUMB, 0x8002, true},
        {ETM_ISA_THUMB, 0x8001, false},   {ETM_ISA_THUMBEE, 0x8002, true},
        {ETM_ISA_THUMBEE, 0x8003, false}, {ETM_ISA_JAZELLE, 0x8001, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct etm_place at = {.address = rows[i].address,
                                     .isa = rows[i].isa};
        struct etm_event events[] = {
            {.kind = ETM_EVENT_PLACE, .u.place.at = at},
            {.kind = ETM_EVENT_EXCEPTION,
             .u.exception = {.type = ETM_EXCEPTION_IRQ, .next = at}},
            {.kind = ETM_EVENT_TRACE_ON, .u.trace_on.at = at},
            {.kind = ETM_EVENT_STACKING, .u.stacking.next = at},
            {.kind = ETM_EVENT_INSN,
             .u.insn = {.isa = ETM_ISA_ARM,
                        .address = 4,
                        .size = 4,
                        .opcode = 0xe12fff10,
                        .passed = true,
                        .next = at}},
            /* the reader is elsewhere: only if it is refused */
            {.kind = ETM_EVENT_INSN,
             .u.insn = {.isa = rows[i].isa,
                        .address = rows[i].address,
                        .size = 4,
                        .passed = true}},
        };
        size_t n = sizeof events / sizeof *events - rows[i].good;

        for (size_t k = 0; k < n; k++) {
            struct etm_diag diag = {0};

            if (written(&events[k], &diag) !=
                (rows[i].good ? ETM_OK : ETM_ERR_ARGUMENT))
                fail_msg("row %zu: event %zu, %s", i, k, diag.what);
        }
    }
}

static void transfers_have_1_2_4_or_8_bytes(void **state)
{
    struct etm_event event = {.kind = ETM_EVENT_DATA};
    struct etm_diag diag = {0};

    (void)state;
    for (unsigned size = 0; size <= UINT8_MAX; size++) {
        bool good = size == 1 || size == 2 || size == 4 || size == 8;

        event.u.data.size = (uint8_t)size;
        assert_int_equal(written(&event, &diag),
                         good ? ETM_OK : ETM_ERR_ARGUMENT);
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
#define INSN(is, to)                                                           \
    {.kind = ETM_EVENT_INSN, .u.insn = {.isa = is, .size = 4, .next = to}}
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
        cmocka_unit_test(transfers_have_1_2_4_or_8_bytes),
        cmocka_unit_test(numbers_that_a_reader_does_not_take_are_refused),
        cmocka_unit_test(places_are_aligned),
        cmocka_unit_test(values_that_an_enumeration_does_not_have_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
