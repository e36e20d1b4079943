/* SPDX-License-Identifier: Apache-2.0 */
/* What elements become calls: functions, gaps, code without symbols. */
#include "rig.h"

static void calls_return_to_their_callers(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x200, CALL);
    range(&b, 0x300, RETURN);
    range(&b, 0x210, RETURN);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +b +c -c -b -a?c ");
}

static void what_returns_without_a_call_reveals_its_caller(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x340, RETURN);
    range(&b, 0x240, RETURN);
    range(&b, 0x140, NEXT);
    expect(&b, "+c? -c? +b? -b? +a? -a?c ");
}

static void a_jump_to_a_function_is_a_tail_call(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x200, JUMP);
    range(&b, 0x220, JUMP); /* within */
    range(&b, 0x300, JUMP);
    range(&b, 0x450, RETURN); /* not its beginning */
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +b -bt +ct -ct -a?c ");
}

static void cold_code_belongs_to_its_function(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, JUMP);
    range(&b, 0x600, JUMP);
    range(&b, 0x150, NEXT);
    expect(&b, "+a? -a?c ");
}

static void a_deeper_return_unwinds(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x200, CALL);
    range(&b, 0x300, CALL);
    range(&b, 0x400, RETURN);
    range(&b, 0x110, NEXT); /* where b would have returned to */
    expect(&b, "+a? +b +c +d -du -cu -b -a?c ");
}

static void longjmp_goes_to_where_setjmp_returned(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL); /* a, */
    range(&b, 0xf00, RETURN);
    range(&b, 0x110, CALL);
    range(&b, 0x100, JUMP); /* which calls itself, */
    range(&b, 0x120, CALL);
    range(&b, 0x200, RETURN); /* and is reached again from far below */
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +setjmp -setjmp +ar +b -bu -aur -a?c ");
}

static void a_call_of_the_next_instruction_is_none(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? -a?c ");
}

static void behind_a_gap_what_is_on_the_stack_goes_on(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x200, CALL);
    range(&b, 0x300, NEXT);
    element(&b, ETM_ELEMENT_TRACE_ON);
    range(&b, 0x240, RETURN);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +b +c -ccgx -bgx -a?cgx ");
}

static void behind_a_gap_nothing_is_made_up(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    range(&b, 0x200, NEXT);
    element(&b, ETM_ELEMENT_LOST);
    range(&b, 0x440, NEXT);
    expect(&b, "+a? +b -bcgx -a?cgx +d? -d?c ");
}

static void a_gap_with_cycles_is_timed(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, NEXT);
    element(&b, ETM_ELEMENT_TRACE_ON);
    cycles(&b, 1000);
    range(&b, 0x120, NEXT);
    assert_int_equal(etm_calls_cost(b.calls).cycles, 1020);
    assert_int_equal(etm_calls_cost(b.calls).instructions, 8);
    assert_int_equal(etm_calls_gap_cycles(b.calls), 1000);
    element(&b, ETM_ELEMENT_TRACE_ON);
    cycles(&b, ETM_CYCLES_UNKNOWN);
    range(&b, 0x140, NEXT);
    expect(&b, "+a? -a?cgx ");
}

static void functions_that_are_not_traced_are_called_and_return(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL); /* something that calls b */
    element(&b, ETM_ELEMENT_TRACE_ON);
    range(&b, 0x200, RETURN);
    element(&b, ETM_ELEMENT_TRACE_ON);
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +b? -b? -a?cgx ");
}

static void code_that_is_missing_returns_to_its_caller(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    range(&b, 0x100, CALL);
    give(&b, (struct etm_element){.kind = ETM_ELEMENT_NO_IMAGE,
                                  .u.no_image.address = 0x9000});
    range(&b, 0x110, NEXT);
    expect(&b, "+a? +unknown -unknowngx -a?cgx ");
}

static void without_symbols_calls_make_functions(void **state)
{
    struct etm_calls_config config = plain;
    struct rig b;

    (void)state;
    config.names.symbol = NULL;
    start(&b, &config);
    range(&b, 0x100, CALL);
    range(&b, 0x200, JUMP);
    range(&b, 0x300, RETURN);
    range(&b, 0x110, NEXT);
    assert_int_equal(etm_calls_functions(b.calls), 2);
    assert_int_equal(etm_calls_function(b.calls, 1)->address, 0x200);
    assert_null(etm_calls_function(b.calls, 2));
    expect(&b, "+unknown? +unknown -unknown -unknown?c ");
}

static size_t code(void *context, uint32_t address, uint8_t *bytes, size_t size)
{
    static const uint8_t mov_lr_pc[4] = {0x0f, 0xe0, 0xa0, 0xe1};

    (void)context;
    assert_int_equal(size, 4);
    memset(bytes, 0, 4);
    if (address == 0x108)
        memcpy(bytes, mov_lr_pc, 4);
    return 4;
}

static void two_instructions_may_be_a_call(void **state)
{
    struct etm_calls_config config = plain;
    struct rig b;

    (void)state;
    config.code = code;
    start(&b, &config);
    range(&b, 0x100, INDIRECT);
    range(&b, 0x200, INDIRECT); /* BX R1, as in Thumb code of Armv4T */
    range(&b, 0x110, INDIRECT);
    range(&b, 0x300, NEXT);
    expect(&b, "+a? +b -b -at? +ct? -ct?c ");
}

static int keep_last(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_call *last = context;

    *last = calls[n - 1];
    return ETM_OK;
}

static void costs_are_those_of_the_frame(void **state)
{
    struct etm_calls_config config = plain;
    struct etm_call last;
    struct rig b = {.n = 0};

    (void)state;
    config.calls = keep_last;
    config.context = &last;
    assert_int_equal(etm_calls_new(&b.calls, &config), ETM_OK);
    range(&b, 0x100, CALL);
    range(&b, 0x200, CALL);
    range(&b, 0x300, RETURN);
    range(&b, 0x210, RETURN);
    range(&b, 0x110, NEXT);
    assert_int_equal(last.kind, ETM_CALL_LEAVE);
    assert_int_equal(last.depth, 1);
    assert_int_equal(last.total.instructions, 12);
    assert_int_equal(last.self.instructions, 8);
    assert_int_equal(last.total.cycles, 30);
    assert_int_equal(last.self.cycles, 20);
    assert_int_equal(last.from.cycles, 10);
    assert_int_equal(last.at.cycles, 40);
    etm_calls_free(b.calls);
}

static void misuse_is_refused(void **state)
{
    struct etm_calls_config config = plain;
    struct etm_element e = {.kind = ETM_ELEMENT_RANGE, .u.range.n = 1};
    struct etm_calls *calls = (struct etm_calls *)&config;
    struct rig b = {.stop = 77};

    (void)state;
    assert_int_equal(etm_calls_new(NULL, &config), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_calls_new(&calls, NULL), ETM_ERR_ARGUMENT);
    assert_null(calls);
    config.calls = NULL;
    assert_int_equal(etm_calls_new(&calls, &config), ETM_ERR_ARGUMENT);
    config = plain;
    config.size = 1;
    assert_int_equal(etm_calls_new(&calls, &config), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_calls_elements(NULL, &e, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_calls_finish(NULL), ETM_ERR_ARGUMENT);
    etm_calls_free(NULL);
    assert_int_equal(etm_calls_functions(NULL), 0);
    assert_string_equal(etm_call_kind_name((enum etm_call_kind)99), "?");
    assert_string_equal(etm_call_flag_name(ETM_CALL_CUT), "cut");
    /* what the function returns is final */
    config = plain;
    config.context = &b;
    assert_int_equal(etm_calls_new(&b.calls, &config), ETM_OK);
    e.u.range.start = 0x100;
    assert_int_equal(etm_calls_elements(b.calls, &e, 1), 77);
    assert_int_equal(etm_calls_elements(b.calls, &e, 1), 77);
    assert_int_equal(etm_calls_finish(b.calls), 77);
    etm_calls_free(b.calls);
}

/* Whatever comes: what is entered is left in the reverse order, and all of it
 * costs what was executed. */
struct balance {
    uint32_t depth[ETM_CALL_TASKS];
    struct etm_call_cost self;
};

static int weigh(void *context, const struct etm_call *calls, size_t n)
{
    struct balance *b = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_call *c = &calls[i];

        assert_true(c->task < ETM_CALL_TASKS);
        if (c->kind == ETM_CALL_ENTER)
            assert_int_equal(c->depth, b->depth[c->task]++);
        if (c->kind != ETM_CALL_LEAVE)
            continue;
        assert_int_equal(c->depth, --b->depth[c->task]);
        assert_true(c->total.instructions >= c->self.instructions);
        b->self.instructions += c->self.instructions;
        b->self.cycles += c->self.cycles;
    }
    return ETM_OK;
}

static uint32_t pick(uint32_t *random, uint32_t n)
{
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    return *random % n;
}

static struct etm_element any_element(uint32_t *random)
{
    static const uint8_t kinds[] = {
        ETM_ELEMENT_TRACE_ON,         ETM_ELEMENT_LOST,
        ETM_ELEMENT_CONTEXT,          ETM_ELEMENT_NO_IMAGE,
        ETM_ELEMENT_EXCEPTION,        ETM_ELEMENT_EXCEPTION,
        ETM_ELEMENT_EXCEPTION_RETURN, ETM_ELEMENT_CYCLES};
    uint32_t address = 0x100 + 16 * pick(random, 0x80);
    struct etm_element e = {.kind = ETM_ELEMENT_RANGE};

    if (pick(random, 4) == 0)
        e.kind = kinds[pick(random, sizeof kinds)];
    if (e.kind == ETM_ELEMENT_RANGE) {
        e.u.range.start = e.u.range.last_address = address;
        e.u.range.end = address + 16;
        e.u.range.n = 4;
        e.u.range.cycles = pick(random, 9);
        e.u.range.isa = (uint8_t)(1 + pick(random, 2));
        e.u.range.last_type = (uint8_t)pick(random, 4);
        e.u.range.last_exec = (uint8_t)pick(random, 3);
        e.u.range.last_flags = (uint8_t)pick(random, 16);
    } else if (e.kind == ETM_ELEMENT_CONTEXT) {
        e.u.context.context_id_known = true;
        e.u.context.context_id = pick(random, 400);
    } else if (e.kind == ETM_ELEMENT_EXCEPTION) {
        e.u.exception.type = (uint8_t)pick(random, ETM_EXCEPTION_IRQ_N + 1);
        e.u.exception.return_known = pick(random, 3) != 0;
        e.u.exception.return_address = address;
    } else if (e.kind == ETM_ELEMENT_NO_IMAGE) {
        e.u.no_image.address = address;
    } else if (e.kind == ETM_ELEMENT_CYCLES) {
        e.u.cycles.n =
            pick(random, 3) != 0 ? pick(random, 99) : ETM_CYCLES_UNKNOWN;
    }
    return e;
}

static void all_that_may_come_adds_up(void **state)
{
    uint32_t random = 1;

    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        struct balance b = {{0}, {0, 0}};
        struct etm_calls_config config = plain;
        struct etm_calls *calls;

        config.calls = weigh;
        config.context = &b;
        config.code = round % 2 != 0 ? code : NULL;
        if (round % 5 == 0)
            config.names.symbol = NULL;
        assert_int_equal(etm_calls_new(&calls, &config), ETM_OK);
        for (unsigned i = 0; i < 5000; i++) {
            struct etm_element e = any_element(&random);

            assert_int_equal(etm_calls_elements(calls, &e, 1), ETM_OK);
        }
        assert_int_equal(etm_calls_finish(calls), ETM_OK);
        for (unsigned i = 0; i < ETM_CALL_TASKS; i++)
            assert_int_equal(b.depth[i], 0);
        assert_int_equal(b.self.instructions,
                         etm_calls_cost(calls).instructions);
        assert_int_equal(b.self.cycles + etm_calls_gap_cycles(calls),
                         etm_calls_cost(calls).cycles);
        etm_calls_free(calls);
    }
}

/* A recursion without end is cut at some depth, and goes on. */
static void stacks_are_bounded(void **state)
{
    struct balance b = {{0}, {0, 0}};
    struct etm_calls_config config = plain;
    struct rig r = {.n = 0};

    (void)state;
    config.calls = weigh;
    config.context = &b;
    assert_int_equal(etm_calls_new(&r.calls, &config), ETM_OK);
    for (unsigned i = 0; i < 200000; i++) {
        range(&r, 0x100, CALL);
        assert_true(b.depth[0] <= 65536);
    }
    assert_int_equal(etm_calls_finish(r.calls), ETM_OK);
    assert_int_equal(b.depth[0], 0);
    assert_int_equal(b.self.instructions, 800000);
    etm_calls_free(r.calls);
}

static void dwt(struct rig *b, enum etm_exception_action action,
                enum etm_exception_type type)
{
    give(b, (struct etm_element){.kind = ETM_ELEMENT_EXCEPTION,
                                 .u.exception = {.type = (uint8_t)type,
                                                 .number = (uint16_t)type,
                                                 .action = (uint8_t)action}});
}

static void tick(struct rig *b, uint32_t delta)
{
    give(b, (struct etm_element){.kind = ETM_ELEMENT_LOCAL_TIMESTAMP,
                                 .u.local_timestamp.delta = delta});
}

struct times {
    uint64_t at[8], total[8];
    size_t n;
};

static int note_times(void *context, const struct etm_call *calls, size_t n)
{
    struct times *t = context;

    for (size_t i = 0; i < n && t->n < 8; i++, t->n++) {
        t->at[t->n] = calls[i].at.cycles;
        t->total[t->n] = calls[i].total.cycles;
    }
    return 0;
}

static void a_dwt_tells_of_exceptions(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    tick(&b, 5);
    dwt(&b, ETM_EXCEPTION_ENTER, ETM_EXCEPTION_SVC);
    tick(&b, 5);
    dwt(&b, ETM_EXCEPTION_ENTER, ETM_EXCEPTION_NMI);
    tick(&b, 5);
    dwt(&b, ETM_EXCEPTION_EXIT, ETM_EXCEPTION_NMI);
    dwt(&b, ETM_EXCEPTION_RETURN, ETM_EXCEPTION_SVC);
    dwt(&b, ETM_EXCEPTION_EXIT, ETM_EXCEPTION_SVC);
    dwt(&b, ETM_EXCEPTION_RETURN, ETM_EXCEPTION_THREAD);
    dwt(&b, ETM_EXCEPTION_EXIT, ETM_EXCEPTION_PEND_SV);
    tick(&b, 5);
    expect(&b, "+svc +nmi -nmi -svc +pend_sv? -pend_sv? ");
}

static void what_a_dwt_lost_has_ended(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    tick(&b, 5);
    dwt(&b, ETM_EXCEPTION_ENTER, ETM_EXCEPTION_SVC);
    dwt(&b, ETM_EXCEPTION_ENTER, ETM_EXCEPTION_NMI);
    dwt(&b, ETM_EXCEPTION_ENTER, ETM_EXCEPTION_SVC); /* once more */
    element(&b, ETM_ELEMENT_TRACE_ON);
    dwt(&b, ETM_EXCEPTION_RETURN, ETM_EXCEPTION_THREAD);
    dwt(&b, ETM_EXCEPTION_RETURN, ETM_EXCEPTION_NMI);
    tick(&b, 5);
    expect(&b, "+svc +nmi -nmic -svcc +svc -svcgx +nmi? -nmi?c ");
}

static void exceptions_have_the_time_that_follows_them(void **state)
{
    struct times t = {.n = 0};
    struct etm_calls_config config = plain;
    struct rig b = {.n = 0};

    (void)state;
    config.calls = note_times;
    config.context = &t;
    assert_int_equal(etm_calls_new(&b.calls, &config), ETM_OK);
    tick(&b, 100);
    dwt(&b, ETM_EXCEPTION_ENTER, ETM_EXCEPTION_SVC);
    tick(&b, 7);
    dwt(&b, ETM_EXCEPTION_EXIT, ETM_EXCEPTION_SVC);
    tick(&b, 30);
    assert_int_equal(t.n, 2);
    assert_int_equal(t.at[0], 107);
    assert_int_equal(t.at[1], 137);
    assert_int_equal(t.total[1], 30);
    etm_calls_free(b.calls);
}

/* Each is a gap of unknown length behind the one before it. */
static void without_timestamps_nothing_has_a_duration(void **state)
{
    struct rig b;

    (void)state;
    start(&b, &plain);
    for (unsigned i = 0; i < 40; i++) {
        dwt(&b, ETM_EXCEPTION_ENTER, ETM_EXCEPTION_SVC);
        dwt(&b, ETM_EXCEPTION_EXIT, ETM_EXCEPTION_SVC);
    }
    assert_int_equal(etm_calls_finish(b.calls), ETM_OK);
    assert_int_equal(b.n, 40 * strlen("+svc -svcgx "));
    assert_memory_equal(b.text, "+svc -svcgx +svc -svcgx ", 24);
    etm_calls_free(b.calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_return_to_their_callers),
        cmocka_unit_test(what_returns_without_a_call_reveals_its_caller),
        cmocka_unit_test(a_jump_to_a_function_is_a_tail_call),
        cmocka_unit_test(cold_code_belongs_to_its_function),
        cmocka_unit_test(a_deeper_return_unwinds),
        cmocka_unit_test(longjmp_goes_to_where_setjmp_returned),
        cmocka_unit_test(a_call_of_the_next_instruction_is_none),
        cmocka_unit_test(behind_a_gap_what_is_on_the_stack_goes_on),
        cmocka_unit_test(behind_a_gap_nothing_is_made_up),
        cmocka_unit_test(a_gap_with_cycles_is_timed),
        cmocka_unit_test(functions_that_are_not_traced_are_called_and_return),
        cmocka_unit_test(code_that_is_missing_returns_to_its_caller),
        cmocka_unit_test(without_symbols_calls_make_functions),
        cmocka_unit_test(two_instructions_may_be_a_call),
        cmocka_unit_test(costs_are_those_of_the_frame),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(all_that_may_come_adds_up),
        cmocka_unit_test(stacks_are_bounded),
        cmocka_unit_test(a_dwt_tells_of_exceptions),
        cmocka_unit_test(what_a_dwt_lost_has_ended),
        cmocka_unit_test(exceptions_have_the_time_that_follows_them),
        cmocka_unit_test(without_timestamps_nothing_has_a_duration),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
