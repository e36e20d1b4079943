/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The call stack that a trace shows is that of the program that ran: programs
 * of test/programs run in the emulator, whose stack pointer tells their stacks
 * (oracle.h), and are traced in every protocol, with all of it and with parts
 * left out.
 */
#define _POSIX_C_SOURCE 200809L
#include "../support/core.h"
#include "../support/scenario.h"
#include "../support/test.h"
#include "oracle.h"

#include "../support/trace.h"
#include "emulate/emulate.h"

#include <etm/decode.h>
#include <etm/program.h>
#include <etm/setup.h>

#define BYTES (8u << 20)

struct program {
    const char *name, *core;
    bool contexts, pages;
    struct etm_interrupt interrupts[2];
    const char *left_out[2]; /* functions, by the filter */
};

#define EVERY(first, next, is)                                                 \
    {                                                                          \
        .at = first, .every = next, .kind = ETM_INTERRUPT_##is                 \
    }
#define NESTED                                                                 \
    {EVERY(100, 71, IRQ), EVERY(150, 53, FIQ)},                                \
        LEFT_OUT("checksum", "irq_handler")
#define ON_ALL(name, ...)                                                      \
    {name "-a9", "Cortex-A9", __VA_ARGS__},                                    \
        {name "-r4", "Cortex-R4", __VA_ARGS__},                                \
        {name "-arm926", "ARM926EJ-S", __VA_ARGS__},                           \
    {                                                                          \
        name "-arm7tdmi", "ARM7TDMI", __VA_ARGS__                              \
    }
#define LEFT_OUT(...) .left_out = {__VA_ARGS__}

static const struct program programs[] = {
    ON_ALL("recurse", LEFT_OUT("less", "ackermann_step")),
    {"recurse-m3", "Cortex-M3", LEFT_OUT("less", "ackermann_step")},
    ON_ALL("unwind", LEFT_OUT("note", "catch")),
    {"unwind-m3", "Cortex-M3", LEFT_OUT("note", "catch")},
    ON_ALL("nested", .interrupts = NESTED),
    {"nested-m3", "Cortex-M3",
     .interrupts =
         {EVERY(90, 331, IRQ_N),
          {.at = 99, .every = 257, .kind = ETM_INTERRUPT_IRQ_N, .number = 1}},
     LEFT_OUT("print_value", "SysTick_Handler")},
    {"tasks-m3", "Cortex-M3", .pages = true,
     LEFT_OUT("yield", "SysTick_Handler")},
    {"tasks-a9", "Cortex-A9", .contexts = true,
     .interrupts = {EVERY(500, 97, IRQ)}, LEFT_OUT("work", "finish")},
};

/* A macrocell of each protocol that a core may have. */
static const struct trace_kind {
    const char *core, *config; /* in words, as scenarios have them */
} kinds[] = {
    {"ARM7TDMI", "etmv1 minor=1"},
    {"ARM7TDMI", "etmv1 minor=3 cycle_accurate"},
    {"ARM926EJ-S", "etmv2"},
    {"ARM926EJ-S", "etmv2 minor=1 cycle_accurate"},
    {"ARM926EJ-S", "etmv3"},
    {"Cortex-R4", "etmv3 minor=3 profile=r context_id_bytes=4"},
    {"Cortex-A9", "etmv3 minor=5 profile=a alternative_branches "
                  "context_id_bytes=4 cycle_accurate"},
    {"Cortex-A9", "pft profile=a context_id_bytes=4"},
    {"Cortex-A9", "pft minor=1 profile=a return_stack "
                  "return_stack_implemented context_id_bytes=4"},
    {"Cortex-A9", "pft minor=1 profile=a cycle_accurate context_id_bytes=4"},
    {"Cortex-M3", "etmv3 minor=4 profile=m alternative_branches"},
};

static const char *folder; /* with the programs */

/* What ran. */
struct run {
    const struct program *program;
    struct etm_symbols *symbols;
    struct etm_image *image;
    struct etm_vec events; /* struct etm_event; of the trace, with what turns
                              it on and off */
    struct etm_vec insns;  /* struct oracle_insn */
    uint32_t stacks[40000];
    struct etm_place start;
    enum etm_profile profile;
};

static int keep_events(void *context, const struct etm_event *events, size_t n)
{
    struct run *run = context;

    return etm_vec_append(&run->events, events, n);
}

static void keep_stack(void *context, uint64_t index, uint32_t stack)
{
    struct run *run = context;

    assert_true(index < COUNT(run->stacks));
    run->stacks[index] = stack;
}

static void execute(struct run *run, const char *path)
{
    const struct program *p = run->program;
    struct etm_emulator_config config = {.size = sizeof config,
                                         .program = path,
                                         .core = p->core,
                                         .limit = COUNT(run->stacks),
                                         .interrupts = p->interrupts,
                                         .events = keep_events,
                                         .step = keep_stack,
                                         .context = run};
    struct etm_emulator *emulator;
    struct etm_run_result result;
    struct etm_diag diag = {.what = ""};

    while (config.n_interrupts < COUNT(p->interrupts) &&
           p->interrupts[config.n_interrupts].every != 0)
        config.n_interrupts++;
    run->profile = core_named(p->core)->profile;
    if (etm_emulator_new(&emulator, &config, &diag) != ETM_OK)
        fail_msg("%s: %s", path, diag.what);
    run->start = etm_emulator_start(emulator);
    if (etm_emulator_run(emulator, &result, &diag) != ETM_OK)
        fail_msg("%s: %s", path, diag.what);
    assert_int_equal(result.end, ETM_RUN_END_EXIT);
    etm_emulator_free(emulator);
}

static bool is_left_out(const struct run *run, uint32_t address)
{
    struct etm_symbol symbol;

    if (etm_symbols_at(run->symbols, address, &symbol) != ETM_OK)
        return false;
    for (size_t i = 0; i < COUNT(run->program->left_out); i++)
        if (strcmp(symbol.name, run->program->left_out[i]) == 0)
            return true;
    return false;
}

/* The events of the trace: everything, or all but the functions left out. */
static void put_filter(struct run *run, bool filter)
{
    struct etm_vec all = run->events;
    bool on = false;
    uint32_t segment = 0;

    etm_vec_init(&run->events, sizeof(struct etm_event), &etm_allocator_malloc);
    for (size_t i = 0; i < all.n; i++) {
        const struct etm_event *e = (const struct etm_event *)all.data + i;
        struct oracle_insn insn = {.address = e->u.insn.address};
        struct etm_event turn = {.kind = ETM_EVENT_TRACE_OFF};

        if (e->kind == ETM_EVENT_INSN) {
            insn.traced = !filter || !is_left_out(run, insn.address);
            if (insn.traced && !on) {
                turn.kind = ETM_EVENT_TRACE_ON;
                turn.u.trace_on.at = (struct etm_place){.address = insn.address,
                                                        .isa = e->u.insn.isa};
                segment++;
            }
            if (insn.traced != on)
                assert_ok(etm_vec_append(&run->events, &turn, 1));
            on = insn.traced;
            insn.stack = run->stacks[run->insns.n];
            if (insn.stack == 0 && run->insns.n > 0) /* in an IT block */
                insn.stack =
                    ((struct oracle_insn *)run->insns.data)[run->insns.n - 1]
                        .stack;
            insn.segment = segment;
            insn.event = run->events.n;
            assert_ok(etm_vec_append(&run->insns, &insn, 1));
        } else if (e->kind == ETM_EVENT_EXCEPTION && e->u.exception.cancels) {
            ((struct oracle_insn *)run->insns.data)[run->insns.n - 1]
                .cancelled = true;
        }
        assert_ok(etm_vec_append(&run->events, e, 1));
    }
    etm_vec_fini(&all);
}

static void run_make(struct run *run, const struct program *p, bool filter)
{
    char path[512];
    struct etm_diag diag = {.what = ""};

    memset(run, 0, sizeof *run);
    run->program = p;
    snprintf(path, sizeof path, "%s/%s.elf", folder, p->name);
    if (etm_symbols_open(&run->symbols, path, NULL, &diag) != ETM_OK)
        fail_msg("%s: %s", path, diag.what);
    assert_ok(etm_image_new(&run->image, NULL));
    assert_ok(etm_symbols_code(run->symbols, run->image));
    etm_vec_init(&run->events, sizeof(struct etm_event), &etm_allocator_malloc);
    etm_vec_init(&run->insns, sizeof(struct oracle_insn),
                 &etm_allocator_malloc);
    execute(run, path);
    put_filter(run, filter);
}

static void run_free(struct run *run)
{
    etm_vec_fini(&run->events);
    etm_vec_fini(&run->insns);
    etm_image_free(run->image);
    etm_symbols_free(run->symbols);
}

/* The engine's stacks, as it tells of them. */
struct told_frame {
    uint32_t function;
    bool exception;
    bool sure; /* no gap since */
};

struct told {
    struct etm_calls *calls;
    uint32_t task;
    struct {
        size_t n;
        struct told_frame frames[ORACLE_DEPTH];
    } tasks[ETM_CALL_TASKS];
    struct etm_call_cost self, last;
    size_t enters, leaves;
};

static int tell(void *context, const struct etm_call *calls, size_t n)
{
    struct told *t = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_call *c = &calls[i];
        bool exception = (c->flags & ETM_CALL_EXCEPTION) != 0;
        uint32_t function = c->exception_type;

        assert_true(c->task < ETM_CALL_TASKS);
        assert_true((c->flags & ETM_CALL_CUT) != 0 ||
                    c->at.instructions >= t->last.instructions);
        t->last = c->at;
        if (!exception && c->kind != ETM_CALL_SWITCH)
            function = etm_calls_function(t->calls, c->function)->address;
        switch ((enum etm_call_kind)c->kind) {
        case ETM_CALL_ENTER:
            assert_int_equal(c->depth, t->tasks[c->task].n);
            assert_true(c->depth < ORACLE_DEPTH);
            t->tasks[c->task].frames[t->tasks[c->task].n++] =
                (struct told_frame){function, exception, true};
            t->enters++;
            break;
        case ETM_CALL_LEAVE:
            assert_true(t->tasks[c->task].n > 0);
            assert_int_equal(c->depth, --t->tasks[c->task].n);
            assert_int_equal(t->tasks[c->task].frames[c->depth].function,
                             function);
            t->self.instructions += c->self.instructions;
            t->self.cycles += c->self.cycles;
            t->leaves++;
            break;
        case ETM_CALL_SWITCH:
            t->task = c->task;
            break;
        }
    }
    return ETM_OK;
}

static int find_symbol(void *context, uint32_t address,
                       struct etm_symbol *symbol)
{
    return etm_symbols_at(context, address, symbol);
}

static size_t read_code(void *context, uint32_t address, uint8_t *bytes,
                        size_t size)
{
    return etm_image_read(context, address, NULL, bytes, size);
}

static int keep_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    return etm_vec_append(context, elements, n);
}

static void decode(struct etm_vec *elements, const struct run *run,
                   const struct etm_config *config, enum etm_level level)
{
    static uint8_t bytes[BYTES];
    struct etm_generator_config how = {
        .config = config,
        .fifo_size = config->protocol == ETM_PROTOCOL_ETMV1 ? 255 : 95};
    struct etm_decoder_config to = {.size = sizeof to,
                                    .config = config,
                                    .image = run->image,
                                    .level = level,
                                    .elements = keep_elements,
                                    .context = elements};
    struct etm_decoder *decoder;
    size_t n = trace_make(&how, run->events.data, run->events.n, bytes, BYTES);

    etm_vec_init(elements, sizeof(struct etm_element), &etm_allocator_malloc);
    assert_ok(etm_decoder_new(&decoder, &to));
    assert_ok(etm_decoder_push(decoder, bytes, n));
    assert_ok(etm_decoder_finish(decoder));
    etm_decoder_free(decoder);
}

static void fail_stacks(const struct oracle *o, const struct told *t,
                        const char *what)
{
    const struct oracle_stack *s = oracle_stack(o);

    print_message("at %08x, instruction %zu\n", (unsigned)oracle_at(o)->address,
                  o->insn);
    for (size_t i = 0; i < s->n || i < t->tasks[t->task].n; i++)
        print_message("%8zx: stack pointer %08x%s, engine %08x%s\n", i,
                      i < s->n ? (unsigned)s->frames[i].function : 0,
                      i < s->n && s->frames[i].exception ? "!" : "",
                      i < t->tasks[t->task].n
                          ? (unsigned)t->tasks[t->task].frames[i].function
                          : 0,
                      i < t->tasks[t->task].n &&
                              t->tasks[t->task].frames[i].exception
                          ? "!"
                          : "");
    fail_msg("%s", what);
}

/* Both stacks: all frames, or those since the last gap and the topmost. */
static void compare(const struct oracle *o, const struct told *t, bool filter,
                    const char *what)
{
    const struct oracle_stack *s = oracle_stack(o);
    size_t n = t->tasks[t->task].n;

    if (!filter && n != s->n)
        fail_stacks(o, t, what);
    for (size_t i = 1; i <= n; i++) {
        const struct told_frame *a = &t->tasks[t->task].frames[n - i];
        const struct oracle_frame *b = i <= s->n ? &s->frames[s->n - i] : NULL;

        if (!a->sure && i > 1)
            break;
        if (!b || a->function != b->function || a->exception != b->exception)
            fail_stacks(o, t, what);
    }
}

static void doubt(struct told *t)
{
    for (size_t task = 0; task < ETM_CALL_TASKS; task++)
        for (size_t i = 0; i < t->tasks[task].n; i++)
            t->tasks[task].frames[i].sure = false;
}

/* Go to the first instruction of the next stretch that begins there. */
static bool find_stretch(struct oracle *o, uint32_t address)
{
    uint32_t segment = o->insn > 0 ? oracle_at(o)->segment : 0;

    while (oracle_next(o))
        if (oracle_at(o)->segment > segment && oracle_at(o)->traced &&
            oracle_at(o)->address == address)
            return true;
    return false;
}

static void check_range(struct oracle *o, const struct told *t, bool filter,
                        bool *gap, const struct etm_element *e)
{
    char what[64];
    bool found = *gap ? find_stretch(o, e->u.range.start) : oracle_next(o);

    snprintf(what, sizeof what, "range at %08x", (unsigned)e->u.range.start);
    if (!found || oracle_at(o)->address != e->u.range.start)
        fail_stacks(o, t, "not the instruction that ran");
    *gap = false;
    compare(o, t, filter, what);
    for (uint32_t i = 1; i < e->u.range.n; i++)
        assert_true(oracle_next(o));
    assert_int_equal(oracle_at(o)->address, e->u.range.last_address);
}

static size_t check(const struct run *run, const struct etm_config *config,
                    bool filter)
{
    struct oracle o = {.events = run->events.data,
                       .n_events = run->events.n,
                       .insns = run->insns.data,
                       .n_insns = run->insns.n,
                       .profile = run->profile,
                       .contexts = run->program->contexts,
                       .pages = run->program->pages,
                       .keeps_cancelled =
                           etm_protocol_is_port(config->protocol),
                       .symbols = run->symbols};
    static struct told t;
    struct etm_calls_config how = {
        .size = sizeof how,
        .calls = tell,
        .context = &t,
        .names = {.symbol = find_symbol, .context = run->symbols},
        .code = read_code,
        .code_context = run->image};
    struct etm_vec elements;
    bool gap = false;
    size_t ranges = 0;

    memset(&t, 0, sizeof t);
    decode(&elements, run, config, ETM_LEVEL_RANGES);
    assert_ok(etm_calls_new(&t.calls, &how));
    for (size_t i = 0; i < elements.n; i++) {
        const struct etm_element *e =
            (const struct etm_element *)elements.data + i;

        assert_int_not_equal(e->kind, ETM_ELEMENT_LOST);
        if (e->kind == ETM_ELEMENT_TRACE_ON) {
            assert_int_equal(e->u.trace_on.reason, ETM_TRACE_ON_START);
            gap = true;
            doubt(&t);
        }
        assert_ok(etm_calls_elements(t.calls, e, 1));
        if (e->kind == ETM_ELEMENT_RANGE) {
            check_range(&o, &t, filter, &gap, e);
            ranges++;
        }
    }
    assert_ok(etm_calls_finish(t.calls));
    assert_int_equal(t.enters, t.leaves);
    assert_int_equal(t.self.instructions, etm_calls_cost(t.calls).instructions);
    assert_int_equal(t.self.cycles + etm_calls_gap_cycles(t.calls),
                     etm_calls_cost(t.calls).cycles);
    etm_calls_free(t.calls);
    etm_vec_fini(&elements);
    return ranges;
}

static void check_programs(bool filter)
{
    static struct run run;

    for (size_t i = 0; i < COUNT(programs); i++) {
        run_make(&run, &programs[i], filter);
        for (size_t k = 0; k < COUNT(kinds); k++) {
            struct etm_config config;

            if (strcmp(kinds[k].core, programs[i].core) != 0)
                continue;
            assert_true(etm_scenario_config_of(&config, kinds[k].config));
            if (!programs[i].contexts)
                config.context_id_bytes = 0;
            print_message("%s, %s\n", programs[i].name, kinds[k].config);
            assert_true(check(&run, &config, filter) > 30);
        }
        run_free(&run);
    }
}

TEST(stacks_are_those_of_the_stack_pointer)
{
    check_programs(false);
}

TEST(what_is_sure_behind_gaps_is_right)
{
    check_programs(true);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 99;
    if (!etm_emulator_available()) {
        puts("built without the emulator: no stack pointer to compare with");
        return 77;
    }
    folder = argv[1];
    return tests_run();
}
