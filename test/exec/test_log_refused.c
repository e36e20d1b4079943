/* SPDX-License-Identifier: Apache-2.0 */
/* Events that an execution log cannot express: what is written can be read
 * again, and nothing else is written. */
#include "../support/test.h"
#include "log_util.h"

/* The status of an event that is written; `is_read`: and of the log that is
 * read again. It begins with an instruction that may have transfers. */
static int written(const struct etm_event *event, bool is_read)
{
    struct etm_execution_writer_config config = {.write = take_text};
    struct etm_event first = {
        .kind = ETM_EVENT_INSN,
        .u.insn = {.isa = ETM_ISA_ARM, .size = 4, .opcode = 0xe1a00000}};
    struct etm_execution_writer *writer;
    struct etm_diag diag = {0};
    int status;

    if (event->kind == ETM_EVENT_INSN) /* leads to it */
        first.u.insn.next =
            (struct etm_place){.address = 4, .isa = event->u.insn.isa};
    got.length = 0;
    assert_ok(etm_execution_writer_new(&writer, &config));
    if (is_read)
        assert_ok(etm_execution_writer_push(writer, &first, 1));
    status = etm_execution_writer_push(writer, event, 1);
    assert_int_equal(etm_execution_writer_finish(writer), status);
    /* an error stays */
    if (status != ETM_OK)
        assert_int_equal(etm_execution_writer_push(writer, &first, 1), status);
    etm_execution_writer_free(writer);
    if (status == ETM_OK && is_read &&
        read_in(got.text, got.length, 0, ETM_PROFILE_A, &diag) != ETM_OK)
        fail_msg("%s", diag.what);
    return status;
}

struct row {
    struct etm_event event;
    bool good;
};

static void check(const struct row *rows, size_t n, bool is_read)
{
    for (size_t i = 0; i < n; i++)
        if (written(&rows[i].event, is_read) !=
            (rows[i].good ? ETM_OK : ETM_ERR_ARGUMENT))
            fail_msg("row %zu of %zu", i, n);
}

#define CHECK(rows, is_read) check(rows, COUNT(rows), is_read)

#define OF(KIND, member, ...)                                                  \
    {                                                                          \
        .kind = ETM_EVENT_##KIND, .u.member = { __VA_ARGS__ }                  \
    }
#define DATA(...) OF(DATA, data, __VA_ARGS__)
#define VALUE(n) OF(DATA_VALUE, data_value, .tag = n)
#define WORD(n) OF(EXT_INPUTS, ext_inputs, .word = n)
#define EXCEPTION(...) OF(EXCEPTION, exception, __VA_ARGS__)
#define PAUSED(n) EXCEPTION(.type = ETM_EXCEPTION_IRQ, .resume = n, .next = arm)
#define ON(...) OF(TRACE_ON, trace_on, __VA_ARGS__)
#define INSN(is, to) OF(INSN, insn, .isa = is, .size = 4, .next = to)
#define AT_4(is, bytes, op, paused)                                            \
    OF(INSN, insn, .address = 4, .isa = is, .size = bytes, .opcode = op,       \
       .passed = true, .resume = paused)

TEST(numbers_that_a_reader_does_not_take_are_refused)
{
    const struct etm_place arm = {.address = 0x18, .isa = ETM_ISA_ARM};
    const struct row rows[] = {
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
        {{ETM_EVENT_TRACE_ON, ETM_CYCLES_UNKNOWN, .u.trace_on.at = arm}, true},
    };

    CHECK(rows, true);
}

TEST(transfers_have_1_2_4_or_8_bytes)
{
    for (unsigned size = 0; size <= UINT8_MAX; size++) {
        bool good = size == 1 || size == 2 || size == 4 || size == 8;
        const struct row row = {DATA(.size = (uint8_t)size), good};

        check(&row, 1, true);
    }
}

TEST(places_are_aligned)
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

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct etm_place at = {.address = rows[i].address,
                                     .isa = rows[i].isa};
        bool good = rows[i].good;
        const struct row events[] = {
            {OF(PLACE, place, .at = at), good},
            {EXCEPTION(.type = ETM_EXCEPTION_IRQ, .next = at), good},
            {ON(.at = at), good},
            {OF(STACKING, stacking, .next = at), good},
            {OF(INSN, insn, .isa = ETM_ISA_ARM, .size = 4, .address = 4,
                .opcode = 0xe12fff10, .passed = true, .next = at),
             good},
            /* the reader is elsewhere: only if it is refused */
            {OF(INSN, insn, .isa = at.isa, .size = 4, .address = at.address),
             good},
        };

        check(events, COUNT(events) - good, true);
    }
}

/* A text has no word for them. */
TEST(values_that_an_enumeration_does_not_have_are_refused)
{
    const struct etm_place arm = {.isa = ETM_ISA_ARM}, none = {0},
                           odd = {.isa = ETM_ISA_JAZELLE + 1};
    const struct row rows[] = {
        {{.kind = 200}, false},
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
        {OF(STACKING, stacking, .next = none), true},
        {OF(STACKING, stacking, .next = odd), false},
        {OF(PLACE, place, .at = arm), true},
        {OF(PLACE, place, .at = none), false},
        {OF(PLACE, place, .at = odd), false},
    };

    CHECK(rows, false);
}
