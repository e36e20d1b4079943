/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PFT executions and their bytes, worked out by hand from the PFT
 * architecture; some stand in captures of real chips.
 */
#include "../support/scarce.h"
#include "gen_util.h"

#define ADD 0xe2800001u /* add r0, r0, #1 */
#define B 0xea000000u   /* b: the targets are in the events */
#define BNE 0x1a000000u
#define BL 0xeb000000u
#define BLX_IMM 0xfa000000u
#define BLX_R3 0xe12fff33u
#define BX_LR 0xe12fff1eu
#define POP_PC 0xe8bd8010u  /* pop {r4, pc} */
#define MOVS_PC 0xe1b0f00eu /* movs pc, lr */
#define BXJ 0xe12fff21u
#define ISB 0xf57ff06fu
#define DMB 0xf57ff05fu
#define T_BX_LR 0x4770u
#define T_SUBS_PC 0xf3de8f00u
#define T_LEAVEX 0xf3bf8f0fu
#define T_ENTERX 0xf3bf8f1fu

static struct etm_config pft(unsigned minor)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_PFT,
                               .minor = (uint8_t)minor};
}

static struct etm_place in_arm(uint32_t address)
{
    return place(address, ETM_ISA_ARM);
}

#define I_SYNC_8000 "08 00 80 00 00 21 "

static void five_atoms_make_a_packet(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {start(in_arm(0x8000)),
                                  to(arm(0x8000, B), in_arm(0x8010)),
                                  arm(0x8010, ADD),
                                  to(arm(0x8014, BNE), in_arm(0x8020)),
                                  failing(arm(0x8020, BNE)),
                                  to(arm(0x8024, B), in_arm(0x8000)),
                                  to(arm(0x8000, B), in_arm(0x8010)),
                                  failing(arm(0x8010, BNE))};

    (void)state;
    /* E E N E E as in a capture, then N */
    BECOME(&c, e, I_SYNC_8000 "C8 86");
    become(&c, (struct etm_generator_config){.packing = ETM_PACKING_SINGLE}, e,
           COUNT(e), I_SYNC_8000 "84 84 86 84 84 86");
}

static void atoms_have_counts_in_cycle_accurate_mode(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {after(51, start(in_arm(0x8000))),
                                  after(500, arm(0x8000, ADD)),
                                  after(22, to(arm(0x8004, B), in_arm(0x8010))),
                                  after(23, failing(arm(0x8010, BNE)))};

    (void)state;
    c.cycle_accurate = true;
    BECOME(&c, e, I_SYNC_8000 "CC 03 E8 20 DE 01");
}

/* Snowball, source 0x10: a function returns, one instruction later an IRQ
 * comes; trace is off for 77 cycles. */
static void an_interrupt_after_a_plain_instruction_is_as_captured(void **state)
{
    struct etm_config c = pft(0);
    const struct etm_event e[] = {
        after(380, start(non_secure(in_arm(0xc0020a28)))),
        after(12, to(arm(0xc0020a28, POP_PC), non_secure(in_arm(0xc0010ef0)))),
        after(5, arm(0xc0010ef0, ADD)),
        after(10, exception(ETM_EXCEPTION_IRQ, false,
                            non_secure(in_arm(0xffff0018)))),
        plain_event(ETM_EVENT_TRACE_OFF),
        after(77, start(non_secure(in_arm(0xc000fd00))))};

    (void)state;
    c.security = c.cycle_accurate = true;
    BECOME(&c, e,
           "08 28 0A 02 C0 29 F0 17 "
           "F9 8E 02 30 72 79 8D 80 FE FF 4F 1D 3C "
           "08 00 FD 00 C0 29 F4 04");
}

static void a_cancelled_instruction_is_not_traced(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event first[] = {
        start(in_arm(0x8000)), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_DATA_ABORT, true, in_arm(0x10))};
    const struct etm_event second[] = {
        start(in_arm(0x8000)), arm(0x8000, ADD), arm(0x8004, ADD),
        exception(ETM_EXCEPTION_DATA_ABORT, true, in_arm(0x10))};

    (void)state;
    BECOME(&c, first, I_SYNC_8000 "89 80 40 18");
    BECOME(&c, second, I_SYNC_8000 "72 01 89 80 40 18");
}

/* Table 2.3; E-81. */
static void enterx_and_leavex_always_have_an_atom(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {
        start(place(0x8000, ETM_ISA_THUMB)), thumb(0x8000, T_LEAVEX),
        thumb(0x8004, T_ENTERX),
        insn(0x8008, ETM_ISA_THUMBEE, T_ENTERX, 4, true, 0),
        insn(0x800c, ETM_ISA_THUMBEE, T_LEAVEX, 4, true, 0)};

    (void)state;
    BECOME(&c, e, "08 01 80 00 00 21 A0");
}

static void a_reset_has_no_waypoint_update(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {
        start(in_arm(0x8000)), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_RESET, false, in_arm(0x8000))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "81 40 10");
}

static void debug_entry_is_as_captured(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {
        start(in_arm(0x80000554)), to(arm(0x80000554, B), in_arm(0x80000558)),
        exception(ETM_EXCEPTION_DEBUG_HALT, false, in_arm(0)),
        trace_on(ETM_TRACE_ON_DEBUG_EXIT, in_arm(0x80000558))};

    (void)state;
    BECOME(&c, e, "08 54 05 00 80 21 84 81 80 80 80 48 02 08 58 05 00 80 61");
    become(&c, (struct etm_generator_config){.no_debug_entry = true}, e,
           COUNT(e), "08 54 05 00 80 21 84 08 58 05 00 80 61");
}

/* 4096 bytes are not announced, more are. */
static void a_far_waypoint_is_announced(void **state)
{
    struct etm_config c = pft(1);
    static struct etm_event e[1100];
    uint32_t i;

    (void)state;
    e[0] = start(in_arm(0x8000));
    for (i = 0; i < 1025; i++)
        e[1 + i] = arm(0x8000 + 4 * i, ADD);
    e[1025] = to(arm(0x9000, B), in_arm(0x8000));
    become(&c, (struct etm_generator_config){0}, e, 1026, I_SYNC_8000 "84");
    e[1025] = arm(0x9000, ADD);
    e[1026] = to(arm(0x9004, B), in_arm(0x8000));
    become(&c, (struct etm_generator_config){0}, e, 1027,
           I_SYNC_8000 "72 81 10 84");
}

/* Whether a waypoint update moves the base of compression is not certain: the
 * address after it is long enough for both. 0x9000 and 0x9004 differ in one
 * byte, but 0x8000 is the other base. E-11 */
static void addresses_after_a_waypoint_update_suit_both_bases(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {
        start(in_arm(0x8000)), to(arm(0x8000, B), in_arm(0x9000)),
        arm(0x9000, ADD), exception(ETM_EXCEPTION_IRQ, false, in_arm(0x9018)),
        to(arm(0x9018, BX_LR), in_arm(0x9020))};
    const struct etm_event f[] = {
        start(in_arm(0x208000)), to(arm(0x208000, B), in_arm(0x9000)),
        arm(0x9000, ADD), exception(ETM_EXCEPTION_IRQ, false, in_arm(0x9018)),
        to(arm(0x9018, BX_LR), in_arm(0x9020))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 72 81 10 8D 50 1C 11");
    BECOME(&c, f, "08 00 80 20 00 21 84 72 81 90 81 00 8D 90 81 40 1C 11");
}

/* 4.13: the stack is looked at first, then pushed. V3-EX-16, PFT-RS-02,
   -07, -08, -13 */
static void an_indirect_call_compares_before_it_pushes(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event no_match[] = {
        start(in_arm(0x1000)), to(arm(0x1000, BLX_R3), in_arm(0x2000)),
        to(arm(0x2000, BX_LR), in_arm(0x1004)),
        to(arm(0x1004, B), in_arm(0x1000))};
    const struct etm_event match[] = {start(in_arm(0x1ffc)),
                                      to(arm(0x1ffc, BL), in_arm(0x1000)),
                                      to(arm(0x1000, BLX_R3), in_arm(0x2000)),
                                      to(arm(0x2000, BX_LR), in_arm(0x1004))};

    (void)state;
    BECOME(&c, no_match, "08 00 10 00 00 21 81 20 83 10 84");
    c.return_stack = true;
    BECOME(&c, no_match, "08 00 10 00 00 21 81 20 88");
    BECOME(&c, match, "08 FC 1F 00 00 21 90");
}

/* PFT-RS-06, PFT-RS-16 */
static void the_return_stack_forgets_the_oldest(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {start(in_arm(0x8000)),
                                  to(arm(0x8000, BL), in_arm(0x8010)),
                                  to(arm(0x8010, BL), in_arm(0x8020)),
                                  to(arm(0x8020, BX_LR), in_arm(0x8014)),
                                  to(arm(0x8014, BX_LR), in_arm(0x8004))};

    (void)state;
    c.return_stack = true;
    BECOME(&c, e, I_SYNC_8000 "A0");
    become(&c, (struct etm_generator_config){.return_stack_size = 1}, e,
           COUNT(e), I_SYNC_8000 "90 03");
    become(&c,
           (struct etm_generator_config){.return_stack_size =
                                             ETM_RETURN_STACK_NONE},
           e, COUNT(e), I_SYNC_8000 "88 0B 03");
    /* not together with branch broadcasting */
    c.branch_broadcast = true;
    BECOME(&c, e, I_SYNC_8000 "09 11 0B 03");
}

/* PFT-RS-15 */
static void exception_returns_never_match_from_v1_1(void **state)
{
    const struct etm_event e[] = {start(in_arm(0x8000)),
                                  to(arm(0x8000, BL), in_arm(0x8010)),
                                  to(arm(0x8010, MOVS_PC), in_arm(0x8004))};
    struct etm_config c = pft(0);

    (void)state;
    c.return_stack = true;
    BECOME(&c, e, I_SYNC_8000 "88");
    c.minor = 1;
    BECOME(&c, e, I_SYNC_8000 "84 03 76");
}

static void barriers_are_waypoints_if_configured(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {start(in_arm(0x8000)), arm(0x8000, ISB),
                                  arm(0x8004, DMB),
                                  to(arm(0x8008, B), in_arm(0x8000))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "88");
    c.barriers_are_waypoints = true;
    BECOME(&c, e, I_SYNC_8000 "90");
}

static void security_and_hyp_have_exception_bytes(void **state)
{
    struct etm_config c = pft(1);
    struct etm_place user = non_secure(in_arm(0x8100));
    struct etm_place hyp = non_secure(in_arm(0x14));
    struct etm_event e[4] = {start(in_arm(0x8000)),
                             to(arm(0x8000, MOVS_PC), user),
                             arm(0x8100, 0xe1400070)};

    (void)state;
    c.security = c.virtualization = true;
    hyp.hyp = true;
    e[3] = exception(ETM_EXCEPTION_HYP_ENTRY, false, hyp);
    BECOME(&c, e, I_SYNC_8000 "81 41 01 76 72 01 8B 80 40 87 20");
}

static void a_silent_change_of_state_makes_the_next_address_full(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {
        start(in_arm(0x8000)),
        to(arm(0x8000, BLX_IMM), place(0x9000, ETM_ISA_THUMB)),
        to(thumb(0x9000, T_BX_LR), place(0x9010, ETM_ISA_THUMB)),
        to(thumb(0x9010, T_SUBS_PC), place(0x9000, ETM_ISA_THUMBEE))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 91 A0 82 80 10 81 A0 82 80 50 40 76");
}

/* E-35 */
static void bytecodes_are_not_traced(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {
        after(1, start(in_arm(0x8000))),
        after(2, to(arm(0x8000, BXJ), place(0x9000, ETM_ISA_JAZELLE))),
        after(3, insn(0x9000, ETM_ISA_JAZELLE, 0x60, 1, true, 3)),
        after(4, exception(ETM_EXCEPTION_IRQ, false, in_arm(0x18))),
        after(5, to(arm(0x18, B), in_arm(0x8000)))};

    (void)state;
    c.cycle_accurate = true;
    BECOME(&c, e, I_SYNC_8000 "84 81 C0 84 80 20 08 08 18 00 00 00 21 B0 80");
}

static void a_context_id_waits_for_the_next_waypoint(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {context(0x11, 1),
                                  start(in_arm(0x8000)),
                                  arm(0x8000, ADD),
                                  context(0x22, 2),
                                  arm(0x8004, ISB),
                                  context(0x33, 2),
                                  to(arm(0x8008, B), in_arm(0x8000))};

    (void)state;
    c.context_id_bytes = 1;
    c.virtualization = c.vmid = true;
    BECOME(&c, e, I_SYNC_8000 "11 3C 01 84 6E 22 3C 02 6E 33 84");
}

/* Snowball: raw values in Gray code, as few bytes as change. */
static void timestamps_are_in_gray_code_as_captured(void **state)
{
    struct etm_config c = pft(0);
    const struct etm_event e[] = {start(in_arm(0x8000)),
                                  timestamp(0x6f4e0d2fba),
                                  timestamp(0x6f4e0d2fbb)};

    (void)state;
    c.timestamps = true;
    BECOME(&c, e, I_SYNC_8000 "42 E7 F0 AE C8 8E 8B 00 42 66");
}

/* 4.3.11: the last of nine bytes has eight bits. */
static void a_timestamp_of_64_bits_may_change_in_its_highest(void **state)
{
    struct etm_config c = pft(1);
    const struct etm_event e[] = {start(in_arm(0x8000)), timestamp(0x7f),
                                  timestamp(0x800000000000007f),
                                  timestamp(0x800000000000007e)};

    (void)state;
    c.timestamps = c.timestamp_64bit = c.timestamp_binary = true;
    BECOME(&c, e,
           I_SYNC_8000 "42 FF 80 80 80 80 80 80 80 00 "
                       "42 FF 80 80 80 80 80 80 80 80 42 7E");
}

static void a_timestamp_of_v1_1_has_no_time_of_its_own(void **state)
{
    const struct etm_event e[] = {start(in_arm(0x8000)), after(3, timestamp(0)),
                                  after(1, to(arm(0x8000, B), in_arm(0x8000)))};
    struct etm_config c = pft(0);

    (void)state;
    c.timestamps = c.cycle_accurate = true;
    BECOME(&c, e, I_SYNC_8000 "80 42 80 80 80 80 80 80 00 0C 84");
    c.minor = 1;
    BECOME(&c, e, I_SYNC_8000 "80 42 80 80 80 80 80 80 00 00 90");
}

/* The allocator hook. */

static int loop(struct faulty *faulty, unsigned rounds, size_t *warm)
{
    const struct etm_event e[] = {
        to(arm(0x8000, BX_LR), in_arm(0x9000)), arm(0x9000, ADD),
        exception(ETM_EXCEPTION_IRQ, false, in_arm(0x18)),
        to(arm(0x18, BX_LR), in_arm(0x8000))};
    struct etm_event first = start(in_arm(0x8000));
    struct etm_config c = pft(1);
    struct etm_allocator allocator = {faulty_resize, faulty};
    struct etm_generator_config options = {
        .size = sizeof options, .config = &c, .allocator = &allocator};
    struct etm_generator *g;
    int status = etm_generator_new(&g, &options);

    if (status == ETM_OK)
        status = etm_generator_push(g, &first, 1);
    for (unsigned i = 0; i < rounds && status == ETM_OK; i++) {
        status = etm_generator_push(g, e, COUNT(e));
        if (i == 500) /* synchronizations make the longest output */
            *warm = faulty->calls;
    }
    etm_generator_free(g);
    return status;
}

static void nothing_is_allocated_after_warm_up(void **state)
{
    struct faulty faulty = {0};
    size_t warm = 0;

    (void)state;
    assert_int_equal(loop(&faulty, 1000, &warm), ETM_OK);
    assert_int_equal(faulty.calls, warm);
}

static void lack_of_memory_is_an_error(void **state)
{
    size_t needed, warm;
    struct faulty all = {0};

    (void)state;
    assert_int_equal(loop(&all, 20, &warm), ETM_OK);
    needed = all.calls;
    assert_true(needed >= 2);
    for (size_t i = 1; i <= needed; i++) {
        struct faulty faulty = {.fail_at = i};

        assert_int_equal(loop(&faulty, 20, &warm), ETM_ERR_MEMORY);
    }
}

static void nothing_generates_nothing(void **state)
{
    struct etm_config config = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_generator *generator;

    (void)state;
    assert_int_equal(etm_generator_push(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_generator_finish(NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_generator_new(&generator,
                          &(struct etm_generator_config){.config = &config}),
        ETM_OK);
    assert_int_equal(etm_generator_push(generator, NULL, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_generator_push(generator, NULL, 0), ETM_OK);
    etm_generator_free(generator);
}

/* It would not be traced, and nobody would know. */
static void nothing_comes_after_the_end(void **state)
{
    const struct etm_event idle = {.kind = ETM_EVENT_IDLE, .cycles = 1};

    (void)state;
    for (int p = ETM_PROTOCOL_ETMV1; p <= ETM_PROTOCOL_PFT; p++) {
        struct etm_config config = {.protocol = (enum etm_protocol)p,
                                    .thumb32_split = p < ETM_PROTOCOL_ETMV3};
        struct etm_generator *generator;

        assert_int_equal(
            etm_generator_new(
                &generator, &(struct etm_generator_config){.config = &config}),
            ETM_OK);
        assert_int_equal(etm_generator_push(generator, &idle, 1), ETM_OK);
        assert_int_equal(etm_generator_finish(generator), ETM_OK);
        assert_int_equal(etm_generator_push(generator, &idle, 1),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_generator_finish(generator), ETM_ERR_ARGUMENT);
        etm_generator_free(generator);
    }
}

/* Cycle-accurate ETMv3 would trace 2^64 - 1 of them. */
static void only_a_gap_may_have_unknown_cycles(void **state)
{
    const struct etm_event on = {.kind = ETM_EVENT_TRACE_ON,
                                 .cycles = ETM_CYCLES_UNKNOWN,
                                 .u.trace_on.at = place(0x8000, ETM_ISA_ARM)};
    const struct etm_event others[] = {
        after(ETM_CYCLES_UNKNOWN, arm(0x8000, 0xe1a00000)),
        {.kind = ETM_EVENT_IDLE, .cycles = ETM_CYCLES_UNKNOWN},
        after(ETM_CYCLES_UNKNOWN, transfer(0x9000, 1))};

    (void)state;
    for (size_t i = 0; i < 3 * COUNT(others); i++) {
        struct etm_config config = {
            .protocol = (enum etm_protocol)(ETM_PROTOCOL_ETMV2 + i % 3),
            .thumb32_split = i % 3 == 0};
        struct etm_generator *generator;

        assert_int_equal(
            etm_generator_new(
                &generator, &(struct etm_generator_config){.config = &config}),
            ETM_OK);
        assert_int_equal(etm_generator_push(generator, &on, 1), ETM_OK);
        assert_int_equal(etm_generator_push(generator, &others[i / 3], 1),
                         ETM_ERR_ARGUMENT);
        etm_generator_free(generator);
    }
}

/* The number is reserved in v1.0. */
static void entry_to_hyp_mode_came_with_v1_1(void **state)
{
    const struct etm_event e[] = {
        start(in_arm(0x8000)), arm(0x8000, 0xe1400070),
        exception(ETM_EXCEPTION_HYP_ENTRY, false, in_arm(0x14))};

    (void)state;
    for (unsigned minor = 0; minor < 2; minor++) {
        struct etm_config c = pft(minor);
        struct etm_generator *g;

        assert_int_equal(
            etm_generator_new(&g, &(struct etm_generator_config){.config = &c}),
            ETM_OK);
        assert_int_equal(etm_generator_push(g, e, COUNT(e)),
                         minor == 0 ? ETM_ERR_ARGUMENT : ETM_OK);
        etm_generator_free(g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(five_atoms_make_a_packet),
        cmocka_unit_test(atoms_have_counts_in_cycle_accurate_mode),
        cmocka_unit_test(an_interrupt_after_a_plain_instruction_is_as_captured),
        cmocka_unit_test(a_cancelled_instruction_is_not_traced),
        cmocka_unit_test(enterx_and_leavex_always_have_an_atom),
        cmocka_unit_test(a_reset_has_no_waypoint_update),
        cmocka_unit_test(debug_entry_is_as_captured),
        cmocka_unit_test(a_far_waypoint_is_announced),
        cmocka_unit_test(addresses_after_a_waypoint_update_suit_both_bases),
        cmocka_unit_test(an_indirect_call_compares_before_it_pushes),
        cmocka_unit_test(the_return_stack_forgets_the_oldest),
        cmocka_unit_test(exception_returns_never_match_from_v1_1),
        cmocka_unit_test(barriers_are_waypoints_if_configured),
        cmocka_unit_test(security_and_hyp_have_exception_bytes),
        cmocka_unit_test(a_silent_change_of_state_makes_the_next_address_full),
        cmocka_unit_test(bytecodes_are_not_traced),
        cmocka_unit_test(a_context_id_waits_for_the_next_waypoint),
        cmocka_unit_test(timestamps_are_in_gray_code_as_captured),
        cmocka_unit_test(a_timestamp_of_64_bits_may_change_in_its_highest),
        cmocka_unit_test(a_timestamp_of_v1_1_has_no_time_of_its_own),
        cmocka_unit_test(nothing_is_allocated_after_warm_up),
        cmocka_unit_test(lack_of_memory_is_an_error),
        cmocka_unit_test(nothing_generates_nothing),
        cmocka_unit_test(nothing_comes_after_the_end),
        cmocka_unit_test(only_a_gap_may_have_unknown_cycles),
        cmocka_unit_test(entry_to_hyp_mode_came_with_v1_1),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
