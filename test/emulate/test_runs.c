/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: what is refused, what they end with, and what is reported then. */
#include "../support/scarce.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static void runs_end_for_a_reason(void **state)
{
    static const uint32_t forever[] = {0xeafffffe};
    static const uint32_t no_vectors[] = {0, 0, 0, 0, 0xe7f000f0};
    struct etm_emulator_config config = A9;
    struct recording r;

    (void)state;
    config.limit = 1234;
    run_code(&r, forever, sizeof forever, 0, config);
    assert_int_equal(r.result.end, ETM_RUN_END_LIMIT);
    assert_int_equal(r.result.instructions, 1234);
    recording_close(&r);
    run_code(&r, no_vectors, sizeof no_vectors, 0x10, A9);
    assert_int_equal(r.result.end, ETM_RUN_END_LOCKUP);
    recording_close(&r);
}

/* Without a limit they end where nothing can come that is new. E-339 */
static void circles_are_noticed(void **state)
{
    static const uint32_t forever[] = {0xeafffffe};
    static const uint32_t polls[] = {
        0xe3a00020, /* mov r0, #0x20 */
        0xe5901000, /* ldr r1, [r0] */
        0xe3110001, /* tst r1, #1 */
        0x0afffffc, /* beq 4 */
    };
    static const uint32_t faults[] = {
        0xeafffffe,
        0xe25ef004, /* subs pc, lr, #4 */
        0xe7f000f0,
        0xeafffffd,
    };
    static const struct {
        const uint32_t *code;
        size_t n;
        uint32_t entry, most;
    } rows[] = {
        {forever, sizeof forever, 0, 10},
        {polls, sizeof polls, 0, 70000},
        {faults, sizeof faults, 8, 70000},
    };
    static const struct etm_interrupt irq = {.every = 1000,
                                             .kind = ETM_INTERRUPT_IRQ};
    struct etm_emulator_config config = A9;
    struct recording r;

    (void)state;
    config.limit = UINT64_MAX;
    for (size_t i = 0; i < COUNT(rows); i++) {
        run_code(&r, rows[i].code, rows[i].n, rows[i].entry, config);
        assert_int_equal(r.result.end, ETM_RUN_END_CIRCLE);
        assert_in_range(r.result.instructions, 1, rows[i].most);
        recording_close(&r);
    }
    /* interrupts that are masked do not help */
    config.interrupts = &irq;
    config.n_interrupts = 1;
    run_code(&r, forever, sizeof forever, 0, config);
    assert_int_equal(r.result.end, ETM_RUN_END_CIRCLE);
    assert_int_equal(r.result.instructions, 1002);
    recording_close(&r);
}

/* Interrupts that come again and again are a part of the circle, if nothing is
 * kept of them. E-339 */
static void interrupts_that_leave_nothing_are_in_the_circle(void **state)
{
    static const uint32_t waits[] = {
        0xf10800c0,             /* cpsie if */
        0xeafffffe, 0, 0, 0, 0, /* b . */
        0xe25ef004,             /* subs pc, lr, #4 */
        0xe25ef004,
    };
    static const uint32_t counts[] = {
        0xf10800c0, 0xeafffffe, 0, 0,          0,
        0,          0xea000000, 0, 0xe2800001, /* add r0, #1 */
        0xe35000c8,                            /* cmp r0, #200 */
        0x125ef004,                            /* subsne pc, lr, #4 */
        0xe1200070,
    };
    static const struct etm_interrupt list[] = {
        {.every = 1000, .kind = ETM_INTERRUPT_IRQ},
        {.every = 777, .kind = ETM_INTERRUPT_FIQ},
    };
    struct etm_emulator_config config = A9;
    struct recording r;

    (void)state;
    config.limit = UINT64_MAX;
    config.interrupts = list;
    for (config.n_interrupts = 1; config.n_interrupts <= 2;
         config.n_interrupts++) {
        run_code(&r, waits, sizeof waits, 0, config);
        assert_int_equal(r.result.end, ETM_RUN_END_CIRCLE);
        /* 777000 instructions at most up to where both come together */
        assert_in_range(r.result.instructions, 65536, 3000000);
        recording_close(&r);
    }
    config.n_interrupts = 1;
    run_code(&r, counts, sizeof counts, 0, config);
    assert_int_equal(r.result.end, ETM_RUN_END_BREAKPOINT);
    recording_close(&r);
}

static void what_still_waits_for_something_is_no_circle(void **state)
{
    static const uint32_t interrupted[] = {
        0xf1080080,                         /* cpsie i */
        0xeafffffe, 0, 0, 0, 0, 0xe1200070, /* bkpt, for IRQ */
    };
    /* SysTick counts 200001 cycles; its COUNTFLAG is waited for */
    static const struct {
        uint32_t vectors[64];
        uint16_t code[12];
        uint32_t literals[2];
    } ticks = {{0x10000, 0x101},
               {0x4805, 0x4906, 0x6041, 0x2101, 0x6001, 0x6802, 0x03d2, 0xd5fc,
                0xbe00},
               {0xe000e010, 200000}};
    /* mov r0, #16; mov r1, #0; svc 0x123456 (SYS_CLOCK); cmp r0, #1; blt 0 */
    static const uint32_t clock[] = {0xe3a00010, 0xe3a01000, 0xef123456,
                                     0xe3500001, 0xbafffffa, 0xe1200070};
    static const struct etm_interrupt irq = {.at = 300000,
                                             .kind = ETM_INTERRUPT_IRQ};
    struct etm_emulator_config config = A9, m3 = M3;
    struct recording r;

    (void)state;
    config.limit = m3.limit = UINT64_MAX;
    config.interrupts = &irq;
    config.n_interrupts = 1;
    run_code(&r, interrupted, sizeof interrupted, 0, config);
    assert_int_equal(r.result.end, ETM_RUN_END_BREAKPOINT);
    recording_close(&r);
    run_code(&r, &ticks, sizeof ticks, 0x101, m3);
    assert_int_equal(r.result.end, ETM_RUN_END_BREAKPOINT);
    assert_in_range(r.result.cycles, 200000, 200100);
    recording_close(&r);
    run_code(&r, clock, sizeof clock, 0, config);
    assert_int_equal(r.result.end, ETM_RUN_END_BREAKPOINT);
    recording_close(&r);
}

/* SYS_HEAPINFO where the stack stands right after the program: neither heap
 * nor stack is anywhere else. */
static void no_room_for_a_heap_is_no_heap(void **state)
{
    static const uint32_t code[15] = {
        0xe3a00016, /* mov r0, #22 */
        0xe3a01024, /* mov r1, #0x24 */
        0xef123456, /* svc 0x123456 */
        0xe3a0302c, /* mov r3, #0x2c */
        0xe89300f0, /* ldm r3, {r4, r5, r6, r7}: base and limit of both */
        0xe354003c, /* cmp r4, #60 */
        0x91550004, /* cmpls r5, r4 */
        0x01570005, /* cmpeq r7, r5 */
        0x1afffffe, /* bne . */
        0x0000002c, /* and here: andeq r0, r0, r12, lsr #32 */
        0xe1200070, /* bkpt 0 */
    };
    struct etm_emulator_config config = A9;
    struct recording r;

    (void)state;
    config.limit = 10000;
    config.has_stack = true;
    config.stack = sizeof code;
    run_code(&r, code, sizeof code, 0, config);
    assert_int_equal(r.result.end, ETM_RUN_END_BREAKPOINT);
    recording_close(&r);
}

/* What did not go well in a program that did not come to its end. */
static void the_last_fault_is_reported(void **state)
{
    static const uint32_t loads[] = {
        0xe3a01202, /* mov r1, #0x20000000 */
        0xe5910008, /* ldr r0, [r1, #8] */
        0xeafffffe, /* b . */
    };
    static const uint32_t stores[] = {
        0xe3a01202, /* mov r1, #0x20000000 */
        0xe5810000, /* str r0, [r1] */
    };
    static const uint32_t jumps[] = {
        0xe3a01202, /* mov r1, #0x20000000 */
        0xe12fff11, /* bx r1 */
    };
    static const uint32_t undefined[] = {0xe1a00000, 0xe7f000f0};
    /* CPACR and FPEXC have to be written first: vmov s0, r0; vldr d0, [r0];
       vadd.i32 d0, d0, d0; vld1.8 {d0}, [r0]; and the same in Thumb */
    static const uint32_t floats[][2] = {
        {0xe1a00000, 0xee000a10}, {0xe1a00000, 0xed900b00},
        {0xe1a00000, 0xf2200800}, {0xe1a00000, 0xf420070f},
        {0xbf00bf00, 0x0a10ee00}, {0xbf00bf00, 0x0b00ed90},
        {0xbf00bf00, 0x0800ef20}, {0xbf00bf00, 0x070ff920}};
    static const struct {
        const uint32_t *code;
        size_t n;
        enum etm_run_fault fault;
        uint32_t access;
    } rows[] = {
        {loads, sizeof loads, ETM_RUN_FAULT_LOAD, 0x20000008},
        {stores, sizeof stores, ETM_RUN_FAULT_STORE, 0x20000000},
        {jumps, sizeof jumps, ETM_RUN_FAULT_FETCH, 0x20000000},
        {undefined, sizeof undefined, ETM_RUN_FAULT_UNDEFINED, 0},
    };
    static const struct etm_emulator_region ram = {0x20000000, 0x1000};
    struct etm_emulator_config config = A9;
    struct recording r;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        /* vectors of zeros in front: no handlers */
        uint32_t code[16] = {0};

        memcpy(code + 8, rows[i].code, rows[i].n);
        run_code(&r, code, sizeof code, 0x20, A9);
        assert_int_equal(r.result.end, ETM_RUN_END_LOCKUP);
        assert_int_equal(r.result.fault, rows[i].fault);
        assert_int_equal(r.result.fault_at, 0x24);
        assert_int_equal(r.result.fault_access, rows[i].access);
        recording_close(&r);
    }
    for (size_t i = 0; i < COUNT(floats); i++) {
        uint32_t code[16] = {0};

        memcpy(code + 8, floats[i], sizeof floats[i]);
        run_code(&r, code, sizeof code, i < 4 ? 0x20 : 0x21, A9);
        assert_int_equal(r.result.end, ETM_RUN_END_LOCKUP);
        assert_int_equal(r.result.fault, ETM_RUN_FAULT_FLOAT);
        assert_int_equal(r.result.fault_at, 0x24);
        recording_close(&r);
    }
    /* with memory there, none */
    config.regions = &ram;
    config.n_regions = 1;
    config.usual_memory = true;
    config.limit = 50;
    run_code(&r, loads, sizeof loads, 0, config);
    assert_int_equal(r.result.end, ETM_RUN_END_LIMIT);
    assert_int_equal(r.result.fault, ETM_RUN_FAULT_NONE);
    recording_close(&r);
}

/* Thumb-2 on a processor before it: that is the reason, not what Unicorn does
 * of the halves. */
static void a_program_of_another_core_is_reported(void **state)
{
    static const char *const programs[] = {"moves-m3.elf", "recurse-m3.elf"};
    static const char *const cores[] = {"ARM7TDMI", "ARM926EJ-S",
                                        "ARM1136JF-S"};

    (void)state;
    for (size_t p = 0; p < COUNT(programs); p++)
        for (size_t i = 0; i < COUNT(cores); i++) {
            struct etm_emulator_config config = {.core = cores[i]};
            struct etm_diag diag = {.what = ""};
            struct recording r;

            recording_open(&r, programs[p], config);
            assert_int_equal(etm_emulator_run(r.emulator, &r.result, &diag),
                             ETM_ERR_UNSUPPORTED);
            assert_non_null(strstr(diag.what, "made for another one"));
            recording_close(&r);
        }
}

/* There is a model of each core that has a row. */
static void every_core_can_be_emulated(void **state)
{
    const struct etm_core *core;

    (void)state;
    for (size_t n = 0; (core = etm_cores(n)) != NULL; n++) {
        struct etm_emulator_config config = {.core = core->name};
        struct recording r;

        recording_open(&r,
                       core->profile == ETM_PROFILE_M ? "hello-m3.elf"
                                                      : "hello-arm7tdmi.elf",
                       config);
        recording_close(&r);
    }
}

/* Regions stand in for the usual memory, or beside it. */
static void regions_may_leave_the_usual_memory(void **state)
{
    static const uint32_t code[] = {
        0xe3a01a01, /* mov r1, #0x1000 */
        0xe5810000, /* str r0, [r1] */
        0xeafffffe, /* b . */
    };
    static const struct etm_emulator_region ram = {0x20000000, 0x1000};
    struct etm_emulator_config config = A9;
    struct recording r;

    (void)state;
    config.regions = &ram;
    config.n_regions = 1;
    config.limit = 50;
    run_code(&r, code, sizeof code, 0, config);
    assert_int_equal(r.result.fault, ETM_RUN_FAULT_STORE);
    recording_close(&r);
    config.usual_memory = true;
    run_code(&r, code, sizeof code, 0, config);
    assert_int_equal(r.result.fault, ETM_RUN_FAULT_NONE);
    recording_close(&r);
}

static int stop_at_once(void *context, const struct etm_event *events, size_t n)
{
    (void)context;
    (void)events;
    (void)n;
    return ETM_ERR_STOPPED;
}

static void what_the_callback_returns_ends_the_run(void **state)
{
    static const uint32_t forever[] = {0xeafffffe};
    const char *file = make_elf(forever, sizeof forever, 0);
    struct etm_emulator_config config = A9;
    struct etm_emulator *e;
    struct etm_run_result result;

    (void)state;
    config.program = file;
    config.events = stop_at_once;
    assert_int_equal(etm_emulator_new(&e, &config, NULL), ETM_OK);
    remove(file);
    assert_int_equal(etm_emulator_run(e, &result, NULL), ETM_ERR_STOPPED);
    assert_int_equal(etm_emulator_run(e, &result, NULL), ETM_ERR_ARGUMENT);
    etm_emulator_free(e);
}

static void refuse(const struct etm_emulator_config *config, int status,
                   const char *what)
{
    struct etm_diag diag = {.what = ""};
    struct etm_emulator *e = NULL;

    assert_int_equal(etm_emulator_new(&e, config, &diag), status);
    assert_null(e);
    if (strstr(diag.what, what) == NULL)
        fail_msg("'%s' does not speak of '%s'", diag.what, what);
}

static void nonsense_is_refused(void **state)
{
    static const struct etm_interrupt irq = {.kind = ETM_INTERRUPT_IRQ,
                                             .at = 1};
    struct etm_emulator_config config = M3;
    const char *file;
    uint32_t word = 0;

    (void)state;
    refuse(&config, ETM_ERR_ARGUMENT, "no program");
    config.program = "./there-is-no-such-file";
    refuse(&config, ETM_ERR_IO, "cannot read");
    config.core = "Cortex-Z9";
    refuse(&config, ETM_ERR_CONFIG, "core");
    file = make_elf(&word, sizeof word, 0);
    config = M3;
    config.program = file;
    config.interrupts = &irq;
    config.n_interrupts = 1;
    refuse(&config, ETM_ERR_CONFIG, "M-profile");
    remove(file);
}

/* A file cut short at any place, or with a byte changed, is refused or run,
 * but breaks nothing. */
static void broken_files_break_nothing(void **state)
{
    static const uint32_t code[] = {0xe3a00042, 0xe1200070};
    uint8_t bytes[52 + 32 + sizeof code], broken[sizeof bytes];
    const char *file = make_elf(code, sizeof code, 0);
    FILE *stream = fopen(file, "rb");

    (void)state;
    assert_int_equal(fread(bytes, 1, sizeof bytes, stream), sizeof bytes);
    fclose(stream);
    for (size_t i = 0; i < 2 * sizeof bytes; i++) {
        size_t n = i < sizeof bytes ? i : sizeof bytes;
        struct etm_emulator_config config = A9;
        struct etm_emulator *e;
        int status;

        memcpy(broken, bytes, sizeof bytes);
        if (i >= sizeof bytes)
            broken[i - sizeof bytes] ^= 0x80;
        stream = fopen(file, "wb");
        assert_int_equal(fwrite(broken, 1, n, stream), n);
        fclose(stream);
        config.program = file;
        status = etm_emulator_new(&e, &config, NULL);
        assert_int_equal(status == ETM_OK, e != NULL);
        if (i < sizeof bytes)
            assert_int_not_equal(status, ETM_OK);
        etm_emulator_free(e);
    }
    remove(file);
}

static void lack_of_memory_is_reported(void **state)
{
    static const uint32_t code[] = {0xe3a00042, 0xe1200070};
    static const struct etm_interrupt irq = {.at = 1};
    const char *file = make_elf(code, sizeof code, 0);
    struct faulty faulty = {0};
    const struct etm_allocator allocator = {faulty_resize, &faulty};
    struct etm_emulator_config config = A9;
    int status;

    (void)state;
    config.program = file;
    config.interrupts = &irq;
    config.n_interrupts = 1;
    config.allocator = &allocator;
    do {
        struct etm_emulator *e;

        faulty.fail_at++;
        faulty.calls = 0;
        status = etm_emulator_new(&e, &config, NULL);
        assert_true(status == ETM_OK || status == ETM_ERR_MEMORY);
        assert_int_equal(status == ETM_OK, e != NULL);
        etm_emulator_free(e);
    } while (status != ETM_OK);
    remove(file);
    assert_true(faulty.fail_at > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_are_noticed),
        cmocka_unit_test(interrupts_that_leave_nothing_are_in_the_circle),
        cmocka_unit_test(what_still_waits_for_something_is_no_circle),
        cmocka_unit_test(no_room_for_a_heap_is_no_heap),
        cmocka_unit_test(the_last_fault_is_reported),
        cmocka_unit_test(a_program_of_another_core_is_reported),
        cmocka_unit_test(every_core_can_be_emulated),
        cmocka_unit_test(regions_may_leave_the_usual_memory),
        cmocka_unit_test(runs_end_for_a_reason),
        cmocka_unit_test(what_the_callback_returns_ends_the_run),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(broken_files_break_nothing),
        cmocka_unit_test(lack_of_memory_is_reported),
    };

    if (!etm_emulator_available())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
