/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of test/programs: what they say, and what holds of any run. */
#include "../support/core.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
/* The programs' memory: code, data, stacks. */
#define MEMORY 0x44000u

struct program {
    const char *file, *core, *output;
    uint32_t status;
    bool interruptible; /* it has handlers for IRQ and FIQ, or PendSV */
};

#define RECURSE                                                                \
    "sum 00000000\nwrong 00000000\nackermann 0000000d\nfibonacci 00000090\n"
#define MOVES "wrong 00000000\nfailed 00000001\n"
#define NESTED                                                                 \
    "calls 0000000a\nsum 00000000\nundefined 00000001\nprefetch 00000001\n"    \
    "data 00000001\n"
#define FLOATS "high 40100001\ntotal 00000029\n"
#define HELLO "hello, 2 arguments: world\n"

static const struct program programs[] = {
    {"recurse-arm7tdmi.elf", "ARM7TDMI", RECURSE, 0, false},
    {"recurse-arm926.elf", "ARM926EJ-S", RECURSE, 0, false},
    {"recurse-r4.elf", "Cortex-R4", RECURSE, 0, false},
    {"recurse-a9.elf", "Cortex-A9", RECURSE, 0, false},
    {"recurse-a9.elf", "cortex a8", RECURSE, 0, false},
    {"recurse-m3.elf", "Cortex-M3", RECURSE, 0, false},
    {"recurse-m3.elf", "Cortex-M4", RECURSE, 0, false},
    {"moves-arm7tdmi.elf", "ARM7TDMI", MOVES, 0, false},
    {"moves-arm926.elf", "ARM926EJ-S", MOVES, 0, false},
    {"moves-r4.elf", "Cortex-R4", MOVES, 0, false},
    {"moves-a9.elf", "Cortex-A9", MOVES, 0, false},
    {"moves-m3.elf", "Cortex-M3", MOVES, 0, false},
    {"floats-a9.elf", "Cortex-A9", FLOATS, 0, false},
    {"nested-arm7tdmi.elf", "ARM7TDMI", NESTED, 0, true},
    {"nested-arm926.elf", "ARM926EJ-S", NESTED, 0, true},
    {"nested-r4.elf", "Cortex-R4", NESTED, 0, true},
    {"nested-a9.elf", "Cortex-A9", NESTED, 0, true},
    {"nested-m3.elf", "Cortex-M3",
     "order 00001324\nvalue 00000502\nconditions 001f0118\nfaults 00000002\n",
     0, true},
    {"hello-arm7tdmi.elf", "ARM7TDMI", HELLO, 7, false},
    {"hello-a9.elf", "Cortex-A9", HELLO, 7, false},
    {"hello-m3.elf", "Cortex-M3", HELLO, 7, false},
};

static const struct etm_interrupt for_a[] = {
    {.every = 61, .kind = ETM_INTERRUPT_IRQ},
    {.at = 100, .every = 37, .kind = ETM_INTERRUPT_FIQ}};
static const struct etm_interrupt for_m[] = {
    {.every = 97, .kind = ETM_INTERRUPT_PEND_SV},
    {.at = 500, .every = 253, .kind = ETM_INTERRUPT_SYS_TICK}};

/* Run number `run` of a program: 1 is with interrupts. */
static void start(struct recording *r, const struct program *p, unsigned run)
{
    struct etm_emulator_config config = {.core = p->core,
                                         .command_line = "hello world"};

    if (run == 1) {
        bool is_m = core_named(p->core)->profile == ETM_PROFILE_M;

        config.interrupts = is_m ? for_m : for_a;
        config.n_interrupts = 2;
    }
    recording_open(r, p->file, config);
}

typedef void check_fn(const struct recording *r, const char *file);

static void for_each_run(check_fn *check)
{
    for (size_t i = 0; i < COUNT(programs); i++) {
        for (unsigned run = 0; run < (programs[i].interruptible ? 2u : 1u);
             run++) {
            struct recording r;

            start(&r, &programs[i], run);
            recording_run(&r);
            check(&r, programs[i].file);
            recording_close(&r);
        }
    }
}

/* E-150 */
static void programs_print_and_leave(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++) {
        for (unsigned run = 0; run < (programs[i].interruptible ? 2u : 1u);
             run++) {
            struct recording r;

            start(&r, &programs[i], run);
            recording_run(&r);
            assert_string_equal(r.output, programs[i].output);
            assert_int_equal(r.result.end, ETM_RUN_END_EXIT);
            assert_int_equal(r.result.exit_status, programs[i].status);
            recording_close(&r);
        }
    }
}

static void assert_place(const struct etm_place *expected, uint32_t address,
                         uint8_t isa, const char *file)
{
    if (expected->address != address || expected->isa != isa)
        fail_msg("%s: at %08x, but %08x was to come", file, address,
                 expected->address);
}

/* The next instruction stands where the one before leads, or the exception. */
static void follow(const struct recording *r, const char *file)
{
    struct etm_place place = etm_emulator_start(r->emulator);
    bool chained = false;

    for (size_t i = 0; i < r->events.n; i++) {
        const struct etm_event *e = recording_event(r, i);

        if (e->kind == ETM_EVENT_INSN) {
            assert_false(chained);
            assert_place(&place, e->u.insn.address, e->u.insn.isa, file);
            place = e->u.insn.next;
            if (!e->u.insn.passed)
                assert_int_equal(place.address,
                                 e->u.insn.address + e->u.insn.size);
            chained = place.isa == ETM_ISA_UNKNOWN;
        } else if (e->kind == ETM_EVENT_EXCEPTION) {
            assert_int_equal(e->u.exception.chain,
                             chained ? ETM_CHAIN_TAIL : ETM_CHAIN_NONE);
            chained = false;
            place = e->u.exception.next;
        }
    }
    assert_true(r->result.instructions > 100);
}

/* E-150 */
static void each_instruction_leads_to_the_next(void **state)
{
    (void)state;
    for_each_run(follow);
}

/* An exception follows, maybe after its stacking, that cancels. */
static bool is_cancelled(const struct recording *r, size_t i)
{
    while (i < r->events.n &&
           (recording_event(r, i)->kind == ETM_EVENT_STACKING ||
            recording_event(r, i)->kind == ETM_EVENT_DATA))
        i++;
    return i < r->events.n &&
           recording_event(r, i)->kind == ETM_EVENT_EXCEPTION &&
           recording_event(r, i)->u.exception.cancels;
}

/* How many data events come before the next instruction, exception or
 * stacking; they are as the decoder says. */
static void count_transfers(const struct recording *r, size_t i,
                            const char *file)
{
    const struct etm_event *e = recording_event(r, i);
    struct etm_insn insn;
    uint8_t bytes[4] = {0};
    unsigned n = 0, stores = 0;
    size_t j = i + 1;

    assert_int_equal(etm_emulator_read(r->emulator, e->u.insn.address, bytes,
                                       e->u.insn.size),
                     e->u.insn.size);
    etm_insn_decode(&insn, (enum etm_isa)e->u.insn.isa, r->profile,
                    e->u.insn.address, bytes, 4);
    assert_int_equal(insn.opcode, e->u.insn.opcode);
    for (; j < r->events.n; j++) {
        const struct etm_event *data = recording_event(r, j);

        if (data->kind != ETM_EVENT_DATA && data->kind != ETM_EVENT_CONTEXT)
            break;
        if (data->kind != ETM_EVENT_DATA)
            continue;
        n++;
        stores += data->u.data.store;
        assert_int_equal(data->u.data.size, insn.transfers.size);
    }
    if (is_cancelled(r, j))
        return;
    if (n != (e->u.insn.passed ? insn.transfers.count : 0))
        fail_msg("%s: %u transfers of %08x at %08x", file, n, insn.opcode,
                 e->u.insn.address);
    switch ((enum etm_transfer_direction)insn.transfers.direction) {
    case ETM_DIRECTION_NONE:
    case ETM_DIRECTION_LOAD:
        assert_int_equal(stores, 0);
        break;
    case ETM_DIRECTION_STORE:
        assert_int_equal(stores, n);
        break;
    case ETM_DIRECTION_SWAP:
        assert_int_equal(stores, n / 2);
        break;
    }
}

static void count_all_transfers(const struct recording *r, const char *file)
{
    for (size_t i = 0; i < r->events.n; i++) {
        const struct etm_event *e = recording_event(r, i);

        if (e->kind == ETM_EVENT_INSN)
            count_transfers(r, i, file);
        if (e->kind != ETM_EVENT_STACKING)
            continue;
        for (size_t j = 1; j <= 8; j++) {
            const struct etm_event *data = recording_event(r, i + j);

            assert_int_equal(data->kind, ETM_EVENT_DATA);
            assert_int_equal(data->u.data.store, !e->u.stacking.pop);
            assert_int_equal(data->u.data.address,
                             (data - (j - 1))->u.data.address + 4 * (j - 1));
        }
    }
}

static void transfers_are_those_of_the_opcode(void **state)
{
    (void)state;
    for_each_run(count_all_transfers);
}

/* A program that only prints by semihosting changes memory by its stores. */
static void stores_make_the_memory(void **state)
{
    uint8_t *expected = malloc(MEMORY), *actual = malloc(MEMORY);

    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct recording r;

        if (strncmp(programs[i].file, "hello", 5) == 0)
            continue;
        start(&r, &programs[i], programs[i].interruptible);
        assert_int_equal(etm_emulator_read(r.emulator, 0, expected, MEMORY),
                         MEMORY);
        recording_run(&r);
        for (size_t j = 0; j < r.events.n; j++) {
            const struct etm_event *e = recording_event(&r, j);

            if (e->kind != ETM_EVENT_DATA || e->u.data.failed)
                continue;
            for (unsigned b = 0; b < e->u.data.size; b++) {
                uint8_t byte = (uint8_t)(e->u.data.value >> (8 * b));

                if (e->u.data.address + b >= MEMORY || e->u.data.address == 0)
                    continue; /* peripherals; coprocessors */
                if (e->u.data.store)
                    expected[e->u.data.address + b] = byte;
                else
                    assert_int_equal(expected[e->u.data.address + b], byte);
            }
        }
        assert_int_equal(etm_emulator_read(r.emulator, 0, actual, MEMORY),
                         MEMORY);
        assert_memory_equal(actual, expected, MEMORY);
        recording_close(&r);
    }
    free(expected);
    free(actual);
}

static void counts_are_those_of_the_events(const struct recording *r,
                                           const char *file)
{
    uint64_t instructions = 0, exceptions = 0, transfers = 0, cycles = 0;

    (void)file;
    for (size_t i = 0; i < r->events.n; i++) {
        const struct etm_event *e = recording_event(r, i);

        instructions += e->kind == ETM_EVENT_INSN;
        exceptions += e->kind == ETM_EVENT_EXCEPTION;
        transfers += e->kind == ETM_EVENT_DATA;
        cycles += e->cycles;
    }
    assert_int_equal(instructions, r->result.instructions);
    assert_int_equal(exceptions, r->result.exceptions);
    assert_int_equal(transfers, r->result.transfers);
    assert_int_equal(cycles, r->result.cycles);
}

static void the_result_counts_events(void **state)
{
    (void)state;
    for_each_run(counts_are_those_of_the_events);
}

static void assert_same_event(const struct etm_event *a,
                              const struct etm_event *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->cycles, b->cycles);
    if (a->kind == ETM_EVENT_INSN) {
        assert_int_equal(a->u.insn.address, b->u.insn.address);
        assert_int_equal(a->u.insn.opcode, b->u.insn.opcode);
        assert_int_equal(a->u.insn.passed, b->u.insn.passed);
        assert_int_equal(a->u.insn.next.address, b->u.insn.next.address);
    } else if (a->kind == ETM_EVENT_DATA) {
        assert_int_equal(a->u.data.address, b->u.data.address);
        assert_int_equal(a->u.data.value, b->u.data.value);
    }
}

static void the_same_run_gives_the_same_events(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(programs); i++) {
        struct recording a, b;

        if (!programs[i].interruptible)
            continue;
        start(&a, &programs[i], 1);
        start(&b, &programs[i], 1);
        recording_run(&a);
        recording_run(&b);
        assert_int_equal(a.events.n, b.events.n);
        for (size_t j = 0; j < a.events.n; j++)
            assert_same_event(recording_event(&a, j), recording_event(&b, j));
        recording_close(&a);
        recording_close(&b);
    }
}

/* Generators refuse events that contradict each other. */
static void generate(const struct recording *r, const struct etm_config *config)
{
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = config};
    struct etm_event on = {.kind = ETM_EVENT_TRACE_ON};
    struct etm_generator *generator;

    on.u.trace_on.reason = ETM_TRACE_ON_START;
    on.u.trace_on.at = etm_emulator_start(r->emulator);
    assert_int_equal(etm_generator_new(&generator, &options), ETM_OK);
    assert_int_equal(etm_generator_push(generator, &on, 1), ETM_OK);
    assert_int_equal(etm_generator_push(generator, r->events.data, r->events.n),
                     ETM_OK);
    assert_int_equal(etm_generator_finish(generator), ETM_OK);
    etm_generator_free(generator);
}

static void take_events(const struct recording *r, const char *file)
{
    struct etm_config config = {.size = sizeof config,
                                .protocol = ETM_PROTOCOL_ETMV3,
                                .profile = r->profile,
                                .minor = 4,
                                .cycle_accurate = true,
                                .context_id_bytes = 4,
                                .data_value = true,
                                .data_address = true,
                                .cprt = true,
                                .alternative_branches = true};

    (void)file;
    generate(r, &config);
    if (r->profile == ETM_PROFILE_M)
        return;
    config = (struct etm_config){.size = sizeof config,
                                 .protocol = ETM_PROTOCOL_PFT,
                                 .profile = r->profile,
                                 .context_id_bytes = 4,
                                 .cycle_accurate = true};
    generate(r, &config);
}

static void generators_take_the_events(void **state)
{
    (void)state;
    for_each_run(take_events);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_print_and_leave),
        cmocka_unit_test(each_instruction_leads_to_the_next),
        cmocka_unit_test(transfers_are_those_of_the_opcode),
        cmocka_unit_test(stores_make_the_memory),
        cmocka_unit_test(the_result_counts_events),
        cmocka_unit_test(the_same_run_gives_the_same_events),
        cmocka_unit_test(generators_take_the_events),
    };

    if (!etm_emulator_available())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
