/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of registers that are put back together from a trace are those that
 * the processor had: programs run in the emulator and are traced, and before
 * each instruction the registers that are known are compared with the
 * emulator's.
 *
 *     test_values PROGRAMS                    the programs of test/programs
 *     test_values PROGRAM CORE LIMIT [irq]    another one, with interrupts
 */
#define _POSIX_C_SOURCE 200809L
#include "../support/test.h"
#include "emulate/emulate.h"
#include "gdb/program.h"
#include "gdb/values.h"

#include <etm/decode.h>
#include <etm/program.h>
#include <etm/setup.h>

/* Instructions between the emulator and what is decoded of its trace. */
#define AHEAD (1u << 20)

#define NO_STEP 1u /* no address of an instruction */

struct step {
    uint32_t registers[16];
};

struct run {
    struct etm_emulator *emulator;
    struct etm_generator *generator;
    struct etm_decoder *decoder;
    struct etm_symbols *symbols;
    struct etm_image *image;
    struct etm_gdb_program *program;
    bool has_constants;
    struct etm_gdb_values values;
    struct step *steps; /* AHEAD of them, a ring */
    uint64_t made, taken;
    uint64_t compared, known, wrong; /* registers */
    uint64_t insns;
    uint64_t handlers, links; /* entered; LR is known there */
    unsigned slowness;        /* so that the FIFO of a port does not overflow */
};

static const char *folder;

/* An instruction that failed its condition in an IT block is counted, but has
 * no step; one that begins again has two. */
static void keep_step(void *context, uint64_t index, uint32_t stack)
{
    struct run *run = context;

    (void)stack;
    for (; run->made <= index; run->made++)
        run->steps[run->made % AHEAD].registers[15] = NO_STEP;
    assert_true(run->made - run->taken < AHEAD);
    etm_emulator_registers(run->emulator, run->steps[index % AHEAD].registers);
}

static int push_events(void *context, const struct etm_event *events, size_t n)
{
    struct run *run = context;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        struct etm_event e = events[i];

        e.cycles *= run->slowness;
        status = etm_generator_push(run->generator, &e, 1);
    }
    return status;
}

static int push_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct run *run = context;

    return etm_decoder_push(run->decoder, bytes, n);
}

/* Constants: what the program does not write. */
static size_t read_constants(void *context, uint32_t address, uint8_t *bytes,
                             size_t size)
{
    const struct run *run = context;

    return run->has_constants && !etm_gdb_program_writes(run->program, address)
               ? etm_image_read(run->image, address, NULL, bytes, size)
               : 0;
}

/* The step of an instruction; NULL: it has none. */
static const struct step *step_of(struct run *run, const struct etm_element *e)
{
    for (unsigned i = 0; i < 8 && run->taken < run->made; i++) {
        const struct step *s = &run->steps[run->taken++ % AHEAD];

        if (s->registers[15] == e->u.insn.address)
            return s;
        if (s->registers[15] == NO_STEP && e->u.insn.exec != ETM_TRUE)
            return NULL;
        /* an exception took it back */
    }
    fail_msg("instruction %llu at %08x was not executed",
             (unsigned long long)run->insns, e->u.insn.address);
    return NULL;
}

static void compare(struct run *run, const struct etm_element *e)
{
    const struct etm_gdb_registers *r = &run->values.registers;
    const struct step *s = step_of(run, e);

    run->insns++;
    for (unsigned i = 0; i < 15 && s; i++) {
        run->compared++;
        if (!etm_gdb_knows(r, i))
            continue;
        run->known++;
        if (r->value[i] == s->registers[i])
            continue;
        if (run->wrong++ < 10)
            print_error("instruction %llu at %08x: r%u is %08x, not %08x\n",
                        (unsigned long long)run->insns, e->u.insn.address, i,
                        s->registers[i], r->value[i]);
    }
}

static int take(void *context, const struct etm_element *elements, size_t n)
{
    struct run *run = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        if (e->kind == ETM_ELEMENT_INSN)
            compare(run, e);
        etm_gdb_values_take(&run->values, e);
        if (e->kind == ETM_ELEMENT_EXCEPTION) {
            run->handlers++;
            run->links += etm_gdb_knows(&run->values.registers, 14);
        }
    }
    return ETM_OK;
}

static void execute(struct run *run, const struct etm_emulator_config *how)
{
    struct etm_emulator_config config = *how;
    struct etm_run_result result;
    struct etm_diag diag = {.what = ""};
    struct etm_event on = {.kind = ETM_EVENT_TRACE_ON};

    config.size = sizeof config;
    config.events = push_events;
    config.step = keep_step;
    config.context = run;
    while (config.interrupts && config.interrupts[config.n_interrupts].every)
        config.n_interrupts++;
    if (etm_emulator_new(&run->emulator, &config, &diag) != ETM_OK)
        fail_msg("%s: %s", config.program, diag.what);
    on.u.trace_on.at = etm_emulator_start(run->emulator);
    assert_ok(push_events(run, &on, 1));
    if (etm_emulator_run(run->emulator, &result, &diag) != ETM_OK)
        fail_msg("%s: %s", config.program, diag.what);
    etm_emulator_free(run->emulator);
    assert_ok(etm_generator_finish(run->generator));
    assert_ok(etm_decoder_finish(run->decoder));
}

/* Run a program, trace it, and compare. */
static void check(struct run *run, const struct etm_emulator_config *how,
                  const struct etm_config *trace)
{
    const struct etm_generator_config generator = {.size = sizeof generator,
                                                   .config = trace,
                                                   .bytes = push_bytes,
                                                   .context = run};
    struct etm_decoder_config decoder = {.size = sizeof decoder,
                                         .config = trace,
                                         .level = ETM_LEVEL_INSTRUCTIONS,
                                         .elements = take,
                                         .context = run,
                                         .sizeof_element =
                                             sizeof(struct etm_element)};
    struct etm_diag diag = {.what = ""};

    if (etm_symbols_open(&run->symbols, how->program, NULL, &diag) != ETM_OK)
        fail_msg("%s: %s", how->program, diag.what);
    run->program = etm_gdb_program_of(how->program);
    assert_non_null(run->program);
    assert_ok(etm_image_new(&run->image, NULL));
    assert_ok(etm_symbols_code(run->symbols, run->image));
    decoder.image = run->image;
    run->steps = calloc(AHEAD, sizeof *run->steps);
    assert_non_null(run->steps);
    assert_ok(etm_generator_new(&run->generator, &generator));
    assert_ok(etm_decoder_new(&run->decoder, &decoder));
    run->slowness = etm_protocol_is_port(trace->protocol) ? 40 : 1;
    etm_gdb_values_init(&run->values, trace, read_constants, run);
    /* no core of the M profile that is emulated has an FPU */
    if (trace->profile == ETM_PROFILE_M)
        run->values.exceptions.never =
            etm_gdb_program_never(run->program, false);
    execute(run, how);
    etm_generator_free(run->generator);
    etm_decoder_free(run->decoder);
    free(run->steps);
    etm_image_free(run->image);
    etm_gdb_program_free(run->program);
    etm_symbols_free(run->symbols);
}

/* A macrocell of each protocol with all that it can trace of data. */
static const struct etm_config kinds[] = {
    {.protocol = ETM_PROTOCOL_ETMV1,
     .minor = 3,
     .data_address = true,
     .data_value = true},
    {.protocol = ETM_PROTOCOL_ETMV2, .data_address = true, .data_value = true},
    {.protocol = ETM_PROTOCOL_ETMV3,
     .minor = 3,
     .data_address = true,
     .data_value = true},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 3, .data_value = true},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 3, .data_address = true},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 4, .alternative_branches = true},
    {.protocol = ETM_PROTOCOL_PFT},
};

static const struct program {
    const char *name, *core;
    struct etm_interrupt interrupts[3];
} programs[] = {
    {"recurse-a9", "Cortex-A9", {{0}}},
    {"recurse-r4", "Cortex-R4", {{0}}},
    {"recurse-arm926", "ARM926EJ-S", {{0}}},
    {"recurse-arm7tdmi", "ARM7TDMI", {{0}}},
    {"recurse-m3", "Cortex-M3", {{0}}},
    {"unwind-a9", "Cortex-A9", {{0}}},
    {"moves-a9", "Cortex-A9", {{0}}},
    {"moves-r4", "Cortex-R4", {{0}}},
    {"moves-arm926", "ARM926EJ-S", {{0}}},
    {"moves-arm7tdmi", "ARM7TDMI", {{0}}},
    {"moves-m3", "Cortex-M3", {{0}}},
    {"floats-a9", "Cortex-A9", {{0}}},
    {"nested-a9",
     "Cortex-A9",
     {{.at = 100, .every = 71, .kind = ETM_INTERRUPT_IRQ},
      {.at = 150, .every = 53, .kind = ETM_INTERRUPT_FIQ}}},
    {"nested-arm926",
     "ARM926EJ-S",
     {{.at = 100, .every = 71, .kind = ETM_INTERRUPT_IRQ},
      {.at = 150, .every = 53, .kind = ETM_INTERRUPT_FIQ}}},
    {"nested-m3",
     "Cortex-M3",
     {{.at = 90, .every = 331, .kind = ETM_INTERRUPT_IRQ_N},
      {.at = 99, .every = 257, .kind = ETM_INTERRUPT_IRQ_N, .number = 1}}},
    {"tasks-m3", "Cortex-M3", {{0}}},
    {"tasks-a9",
     "Cortex-A9",
     {{.at = 500, .every = 97, .kind = ETM_INTERRUPT_IRQ}}},
};

/* What a core of this profile can have. */
static bool fits(const struct etm_config *kind, enum etm_profile profile)
{
    if (profile == ETM_PROFILE_M)
        return kind->protocol == ETM_PROTOCOL_ETMV3 &&
               kind->alternative_branches;
    return !kind->alternative_branches;
}

static enum etm_profile profile_of(const char *name)
{
    const struct etm_core *core;

    assert_ok(etm_core_find(name, &core));
    return core->profile;
}

TEST(values_are_those_of_the_processor)
{
    uint64_t wrong = 0, known = 0, insns = 0, handlers = 0, links = 0;

    for (size_t i = 0; i < COUNT(programs); i++) {
        enum etm_profile profile = profile_of(programs[i].core);
        char path[512];
        const struct etm_emulator_config how = {.program = path,
                                                .core = programs[i].core,
                                                .limit = 60000,
                                                .interrupts =
                                                    programs[i].interrupts};

        (void)snprintf(path, sizeof path, "%s/%s.elf", folder,
                       programs[i].name);
        for (size_t k = 0; k < COUNT(kinds); k++)
            for (unsigned constants = 0; constants < 2; constants++) {
                struct etm_config trace = kinds[k];
                struct run run = {.has_constants = constants != 0};

                if (!fits(&trace, profile))
                    continue;
                trace.profile = profile;
                check(&run, &how, &trace);
                if (run.wrong != 0)
                    print_error("%s, kind %zu: %llu wrong\n", programs[i].name,
                                k, (unsigned long long)run.wrong);
                assert_true(run.insns > 0);
                wrong += run.wrong;
                known += run.known;
                insns += run.insns;
                if (profile == ETM_PROFILE_M) {
                    handlers += run.handlers;
                    links += run.links;
                }
            }
    }
    print_message("%llu instructions, %llu values known\n",
                  (unsigned long long)insns, (unsigned long long)known);
    assert_int_equal(wrong, 0);
    /* these programs begin at their entry, and their handlers save LR */
    assert_true(handlers > 100);
    assert_int_equal(links, handlers);
    /* a third of all, over all kinds of trace */
    assert_true(known > insns * 5);
}

/* One program, for long. */
static int run_other(char **argv)
{
    const struct etm_interrupt interrupts[] = {
        {.at = 1000, .every = 911, .kind = ETM_INTERRUPT_IRQ}, {0}};
    const struct etm_emulator_config how = {.program = argv[1],
                                            .core = argv[2],
                                            .limit = strtoull(argv[3], NULL, 0),
                                            .interrupts =
                                                argv[4] ? interrupts : NULL};
    enum etm_profile profile = profile_of(argv[2]);
    uint64_t wrong = 0;

    for (size_t k = 0; k < COUNT(kinds); k++) {
        struct etm_config trace = kinds[k];
        struct run run = {.has_constants = true};

        if (!fits(&trace, profile))
            continue;
        trace.profile = profile;
        check(&run, &how, &trace);
        printf("kind %zu: %llu instructions, %.1f%% of the registers known, "
               "%llu wrong\n",
               k, (unsigned long long)run.insns,
               100 * (double)run.known / (double)run.compared,
               (unsigned long long)run.wrong);
        wrong += run.wrong;
    }
    return wrong != 0;
}

int main(int argc, char **argv)
{
    if (argc > 3)
        return run_other(argv);
    folder = argv[1];
    if (!etm_emulator_available()) {
        printf("SKIP: built without the emulator\n");
        return 77;
    }
    return tests_run();
}
