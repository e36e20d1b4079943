/* SPDX-License-Identifier: Apache-2.0 */
/* What elements become calls: functions, gaps, exceptions, tasks, code without
 * symbols. */
#include "../support/test.h"
#include "rig.h"

struct row {
    const char *name, *elements, *told;
};

static const struct row rows[] = {
    {"calls_return_to_their_callers",
     "100:call 200:call 300:return 210:return 110", "+a? +b +c -c -b -a?c "},
    {"what_returns_without_a_call_reveals_its_caller",
     "340:return 240:return 140", "+c? -c? +b? -b? +a? -a?c "},
    /* but one within it, or not to its beginning, is none */
    {"a_jump_to_a_function_is_a_tail_call",
     "100:call 200:jump 220:jump 300:jump 450:return 110",
     "+a? +b -bt +ct -ct -a?c "},
    {"cold_code_belongs_to_its_function", "100:jump 600:jump 150", "+a? -a?c "},
    /* to where b would have returned to */
    {"a_deeper_return_unwinds", "100:call 200:call 300:call 400:return 110",
     "+a? +b +c +d -du -cu -b -a?c "},
    /* a calls setjmp, then itself, and is reached again from far below. */
    {"longjmp_goes_to_where_setjmp_returned",
     "100:call 0f00:return 110:call 100:jump 120:call 200:return "
     "110",
     "+a? +setjmp -setjmp +ar +b -bu -aur -a?c "},
    {"a_call_of_the_next_instruction_is_none", "100:call 110", "+a? -a?c "},
    {"behind_a_gap_what_is_on_the_stack_goes_on",
     "100:call 200:call 300 on 240:return 110", "+a? +b +c -ccgx -bgx -a?cgx "},
    {"behind_a_gap_nothing_is_made_up", "100:call 200 lost 440",
     "+a? +b -bcgx -a?cgx +d? -d?c "},
    /* something calls b */
    {"functions_that_are_not_traced_are_called_and_return",
     "100:call on 200:return on 110", "+a? +b? -b? -a?cgx "},
    {"code_that_is_missing_returns_to_its_caller", "100:call missing@9000 110",
     "+a? +9000 -9000gx -a?cgx "},
    {"a_dwt_tells_of_exceptions",
     "tick=5 enter=svc tick=5 enter=nmi tick=5 exit=nmi back=svc "
     "exit=svc back=thread exit=pend_sv tick=5",
     "+svc +nmi -nmi -svc +pend_sv? -pend_sv? "},
    /* the SVC is entered once more */
    {"what_a_dwt_lost_has_ended",
     "tick=5 enter=svc enter=nmi enter=svc on back=thread "
     "back=nmi tick=5",
     "+svc +nmi -nmic -svcc +svc -svcgx +nmi? -nmi?c "},
    {"exceptions_are_frames_with_a_return_address",
     "100 irq@110 400 fiq@410 500:eret 410:eret 110",
     "+a? +irq +d +fiq +e -e -fiq -d -irq -a?c "},
    {"an_exception_at_a_call_comes_behind_it",
     "100:call irq@200 400:eret 200:return 110",
     "+a? +b +irq +d -d -irq -b -a?c "},
    {"chained_exceptions_follow_each_other",
     "100 sys_tick@110 400:return returned pend_sv@? 500:return "
     "returned 110",
     "+a? +sys_tick +d -d -sys_tick +pend_sv +e -e -pend_sv -a?c "},
    {"a_late_arrival_takes_the_place_of_the_first",
     "100 irqN@110 nmi@110 400:return returned 110",
     "+a? +irqN -irqN +nmi +d -d -nmi -a?c "},
    {"a_handler_may_go_on_behind_a_fault", "100 undefined@110 400:eret 114",
     "+a? +undefined +d -d -undefined -a?c "},
    /* to a new one, then to the first */
    {"an_exception_that_returns_elsewhere_switches_tasks",
     "100 pend_sv@110 400:eret 200 pend_sv@210 400:eret 110 "
     "pend_sv@120 400:eret 210",
     "+a? +pend_sv +d -d -pend_sv =1 +b? +pend_sv +d -d -pend_sv "
     "=0 +pend_sv +d -d -pend_sv =1 -b?c -a?c "},
    /* Both wait at 0x310; the one that waited longest is taken first, and it is
     * the other one whose caller is returned to. */
    {"a_return_tells_which_of_two_tasks_goes_on",
     "100:call 300 svc@310 400:eret 200:call 300 svc@310 400:eret "
     "500 svc@510 400:eret 310:return 210",
     "+a? +c +svc +d -d -svc =1 +b? +c +svc +d -d -svc =2 +e? "
     "+svc +d -d -svc =0 =1 -c -b?c -cc -a?c -e?c "},
    {"a_reset_cuts_everything", "100:call 200 reset@? 400",
     "+a? +b -bc -a?c +reset -reset +d? -d?c "},
};

TEST(elements_become_calls)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rig b;

        print_message("%s\n", rows[i].name);
        start(&b, &plain);
        play(&b, rows[i].elements);
        expect(&b, rows[i].told);
    }
}

TEST(a_gap_with_cycles_is_timed)
{
    struct rig b;

    start(&b, &plain);
    play(&b, "100 on cycles=1000 120");
    assert_int_equal(etm_calls_cost(b.calls).cycles, 1020);
    assert_int_equal(etm_calls_cost(b.calls).instructions, 8);
    assert_int_equal(etm_calls_gap_cycles(b.calls), 1000);
    play(&b, "on cycles=? 140");
    expect(&b, "+a? -a?cgx ");
}

TEST(without_symbols_calls_make_functions)
{
    struct etm_calls_config config = plain;
    struct rig b;

    config.names.symbol = NULL;
    start(&b, &config);
    play(&b, "100:call 200:jump 300:return 110");
    assert_int_equal(etm_calls_functions(b.calls), 2);
    assert_int_equal(etm_calls_function(b.calls, 1)->address, 0x200);
    assert_null(etm_calls_function(b.calls, 2));
    expect(&b, "+100? +200 -200 -100?c ");
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

TEST(two_instructions_may_be_a_call)
{
    struct etm_calls_config config = plain;
    struct rig b;

    config.code = code;
    start(&b, &config);
    play(&b, "100:indirect 200:indirect 110:indirect 300");
    expect(&b, "+a? +b -b -at? +ct? -ct?c ");
}

static int keep_last(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_call *last = context;

    *last = calls[n - 1];
    return ETM_OK;
}

TEST(costs_are_those_of_the_frame)
{
    struct etm_calls_config config = plain;
    struct etm_call last;
    struct rig b = {.n = 0};

    config.calls = keep_last;
    config.context = &last;
    assert_ok(etm_calls_new(&b.calls, &config));
    play(&b, "100:call 200:call 300:return 210:return 110");
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

TEST(misuse_is_refused)
{
    struct etm_calls_config config = plain;
    struct etm_element e = {.kind = ETM_ELEMENT_RANGE, .u.range.n = 1};
    struct etm_calls *calls = (struct etm_calls *)&config;
    struct rig b = {.stop = 77};

    assert_refused(etm_calls_new(NULL, &config));
    assert_refused(etm_calls_new(&calls, NULL));
    assert_null(calls);
    config.calls = NULL;
    assert_refused(etm_calls_new(&calls, &config));
    config = plain;
    config.size = 1;
    assert_refused(etm_calls_new(&calls, &config));
    assert_refused(etm_calls_elements(NULL, &e, 1));
    assert_refused(etm_calls_finish(NULL));
    etm_calls_free(NULL);
    assert_int_equal(etm_calls_functions(NULL), 0);
    assert_string_equal(etm_call_kind_name((enum etm_call_kind)99), "?");
    assert_string_equal(etm_call_flag_name(ETM_CALL_CUT), "cut");
    /* what the function returns is final */
    config = plain;
    config.context = &b;
    assert_ok(etm_calls_new(&b.calls, &config));
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

TEST(all_that_may_come_adds_up)
{
    uint32_t random = 1;

    for (unsigned round = 0; round < 40; round++) {
        struct balance b = {{0}, {0, 0}};
        struct etm_calls_config config = plain;
        struct etm_calls *calls;

        config.calls = weigh;
        config.context = &b;
        config.code = round % 2 != 0 ? code : NULL;
        if (round % 5 == 0)
            config.names.symbol = NULL;
        assert_ok(etm_calls_new(&calls, &config));
        for (unsigned i = 0; i < 5000; i++) {
            struct etm_element e = any_element(&random);

            assert_ok(etm_calls_elements(calls, &e, 1));
        }
        assert_ok(etm_calls_finish(calls));
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
TEST(stacks_are_bounded)
{
    struct balance b = {{0}, {0, 0}};
    struct etm_calls_config config = plain;
    struct rig r = {.n = 0};

    config.calls = weigh;
    config.context = &b;
    assert_ok(etm_calls_new(&r.calls, &config));
    for (unsigned i = 0; i < 200000; i++) {
        play(&r, "100:call");
        assert_true(b.depth[0] <= 65536);
    }
    assert_ok(etm_calls_finish(r.calls));
    assert_int_equal(b.depth[0], 0);
    assert_int_equal(b.self.instructions, 800000);
    etm_calls_free(r.calls);
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

TEST(exceptions_have_the_time_that_follows_them)
{
    struct times t = {.n = 0};
    struct etm_calls_config config = plain;
    struct rig b = {.n = 0};

    config.calls = note_times;
    config.context = &t;
    assert_ok(etm_calls_new(&b.calls, &config));
    play(&b, "tick=100 enter=svc tick=7 exit=svc tick=30");
    assert_int_equal(t.n, 2);
    assert_int_equal(t.at[0], 107);
    assert_int_equal(t.at[1], 137);
    assert_int_equal(t.total[1], 30);
    etm_calls_free(b.calls);
}

/* Each is a gap of unknown length behind the one before it. */
TEST(without_timestamps_nothing_has_a_duration)
{
    struct rig b;

    start(&b, &plain);
    for (unsigned i = 0; i < 40; i++) {
        play(&b, "enter=svc exit=svc");
    }
    assert_ok(etm_calls_finish(b.calls));
    assert_int_equal(b.n, 40 * strlen("+svc -svcgx "));
    assert_memory_equal(b.text, "+svc -svcgx +svc -svcgx ", 24);
    etm_calls_free(b.calls);
}

TEST(the_task_variable_tells_the_task)
{
    struct etm_calls_config config = plain;
    struct rig b;

    config.has_task_variable = true;
    config.task_variable = 0x8000;
    start(&b, &config);
    play(&b, "store@8000=1"); /* not by an exception: nobody switches */
    play(&b, "100 irq@110 400 store@8000=1 410:eret "
             "300 irq@310 400 store@8000=3 410:eret");
    play(&b, "100 irq@110 400 store@8000=2 410:eret "
             "110 irq@120 400 store@8000=3 410:eret");
    assert_int_equal(etm_calls_task(b.calls, 1)->value, 1);
    assert_true(etm_calls_task(b.calls, 1)->value_known);
    assert_false(etm_calls_task(b.calls, 0)->value_known &&
                 etm_calls_task(b.calls, 0)->value == 1);
    assert_null(etm_calls_task(b.calls, etm_calls_tasks(b.calls)));
    etm_calls_free(b.calls);
}

/* The first one that began is given up for the last one, from which the one
 * before it goes on. */
TEST(the_oldest_of_too_many_tasks_is_given_up)
{
    char words[64];
    struct rig b;

    start(&b, &plain);
    for (unsigned i = 0; i <= ETM_CALL_TASKS; i++) {
        unsigned at = 0x10000 + 0x100 * i;

        b.n = 0;
        snprintf(words, sizeof words, "%x pend_sv@%x 400:eret", at, at + 16);
        play(&b, words);
    }
    assert_non_null(strstr(b.text, " -10000?c =0 +20000? "));
    b.n = 0;
    snprintf(words, sizeof words, "%x", 0x10010 + 0x100 * (ETM_CALL_TASKS - 1));
    play(&b, words);
    assert_string_equal(b.text, "-d -pend_sv =255 ");
    etm_calls_free(b.calls);
}

TEST(context_ids_are_tasks)
{
    struct rig b;

    start(&b, &plain);
    play(&b, "context=7 100:call 200 context=8 210:call 300 "
             "context=7 220:return 110");
    assert_int_equal(etm_calls_task(b.calls, 1)->context_id, 8);
    expect(&b, "+a? +b =1 +b? +c =0 -b -a?c -cc -b?c ");
}
