/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv3 executions and the bytes that chapter 7 of the ETM architecture makes
 * of them, worked out by hand.
 */
#include "gen_util.h"

#define ADD 0xe2800001u     /* add r0, r0, #1 */
#define ADDNE 0x12800001u   /* addne r0, r0, #1 */
#define BLX_IMM 0xfa000000u /* blx: the targets are in the events */
#define BX_LR 0xe12fff1eu
#define MOVS_PC 0xe1b0f00eu /* movs pc, lr */
#define BXJ 0xe12fff21u
#define T_ADDS 0x3001u
#define T_BX_LR 0x4770u
#define T_SUBS_PC 0xf3de8f00u
#define T_LEAVEX 0xf3bf8f0fu
#define T_LDM 0xe8900006u

static struct etm_config etmv3(unsigned minor)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = ETM_PROTOCOL_ETMV3,
                               .minor = (uint8_t)minor};
}

static const struct etm_place at_8000 = {.address = 0x8000, .isa = ETM_ISA_ARM};

#define I_SYNC_8000 "08 21 00 80 00 00 "

/* Example 7-1. V3-EX-01, V3-PH-02, V3-PH-03 */
static void atoms_are_packed_without_cycles(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event een[] = {start(at_8000), arm(0x8000, ADD),
                                    arm(0x8004, ADD),
                                    failing(arm(0x8008, ADDNE))};
    const struct etm_event ne[] = {start(at_8000), failing(arm(0x8000, ADDNE)),
                                   arm(0x8004, ADD)};
    struct etm_event many[18] = {start(at_8000)};

    (void)state;
    BECOME(&c, een, I_SYNC_8000 "C8");
    BECOME(&c, ne, I_SYNC_8000 "8A");
    for (unsigned i = 1; i < 18; i++)
        many[i] = arm(0x8000 + 4 * (i - 1), ADD);
    BECOME(&c, many, I_SYNC_8000 "BC 88");
}

/* V3-PH-13: how many atoms a header has is up to the macrocell. */
static void each_instruction_may_have_a_header(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        after(5, start(at_8000)), after(1, arm(0x8000, ADD)),
        after(0, arm(0x8004, ADD)), after(1, failing(arm(0x8008, ADDNE)))};
    const struct etm_generator_config single = {.packing = ETM_PACKING_SINGLE};

    (void)state;
    become(&c, single, e, COUNT(e), I_SYNC_8000 "84 84 C0");
    BECOME(&c, e, I_SYNC_8000 "C8");
    c.cycle_accurate = true;
    become(&c, single, e, COUNT(e), "70 05 21 00 80 00 00 84 92 C0");
    BECOME(&c, e, "70 05 21 00 80 00 00 82 C0");
}

/* V3-PH-16: 4.5.5 */
static void compare_and_branch_is_direct(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(place(0x8000, ETM_ISA_THUMB)),
        to(thumb(0x8000, 0xb108), place(0x8006, ETM_ISA_THUMB)),
        failing(thumb(0x8006, 0xb908)), thumb(0x8008, T_ADDS)};

    (void)state;
    BECOME(&c, e, "08 21 01 80 00 00 C4 84");
    c.branch_broadcast = true;
    BECOME(&c, e, "08 21 01 80 00 00 84 07 8A");
}

/* Example 7-2, and table 7-4 for two instructions of one cycle. V3-EX-02,
   V3-PH-07 to -11 */
static void atoms_are_packed_with_cycles(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event three[] = {
        after(5, start(at_8000)), after(1, arm(0x8000, ADD)),
        after(1, arm(0x8004, ADD)), after(1, failing(arm(0x8008, ADDNE)))};
    const struct etm_event pair[] = {after(5, start(at_8000)),
                                     after(1, failing(arm(0x8000, ADDNE))),
                                     after(0, arm(0x8004, ADD))};
    const struct etm_event late[] = {after(5, start(at_8000)),
                                     after(3, arm(0x8000, ADD)),
                                     after(3, failing(arm(0x8004, ADDNE)))};
    const struct etm_event branch[] = {
        after(5, start(at_8000)),
        to(after(1, arm(0x8000, BX_LR)), place(0x8010, ETM_ISA_ARM)),
        after(0, arm(0x8010, ADD))};

    (void)state;
    c.cycle_accurate = true;
    BECOME(&c, three, "70 05 21 00 80 00 00 C8");
    BECOME(&c, pair, "70 05 21 00 80 00 00 8A");
    BECOME(&c, late, "70 05 21 00 80 00 00 E8 A4 C0");
    BECOME(&c, branch, "70 05 21 00 80 00 00 84 09 92");
}

/* Before v3.3 there is no format 4: every instruction takes a cycle, and the
 * time is made up for. */
static void instructions_before_v3_3_each_have_a_cycle(void **state)
{
    struct etm_config c = etmv3(2);
    const struct etm_event e[] = {
        after(5, start(at_8000)),
        to(after(1, arm(0x8000, BX_LR)), place(0x8010, ETM_ISA_ARM)),
        after(0, arm(0x8010, ADD)), after(4, arm(0x8014, ADD))};

    (void)state;
    c.cycle_accurate = true;
    BECOME(&c, e, "70 05 21 00 80 00 00 84 09 84 E8");
}

/* V3-PH-06 */
static void a_single_cycle_is_format_0_in_v3_0(void **state)
{
    const struct etm_event e[] = {after(5, start(at_8000)),
                                  after(1, plain_event(ETM_EVENT_TRIGGER)),
                                  after(1, arm(0x8000, ADD))};

    (void)state;
    for (unsigned minor = 0; minor < 2; minor++) {
        struct etm_config c = etmv3(minor);

        c.cycle_accurate = true;
        BECOME(&c, e,
               minor == 0 ? "70 05 21 00 80 00 00 80 0C 84"
                          : "70 05 21 00 80 00 00 A0 0C 84");
    }
}

/* Table 7-15: BLX (immediate) changes the state without a packet; the branch
 * back to the state that was broadcast can be short. V3-EX-07, V3-ST-07 */
static void a_branch_back_to_the_broadcast_state_is_short(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(at_8000), to(arm(0x8000, BLX_IMM), place(0x9000, ETM_ISA_THUMB)),
        to(thumb(0x9000, T_SUBS_PC), place(0x8004, ETM_ISA_ARM))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "88 03");
}

/* V3-EX-07, V3-ST-09 */
static void a_branch_in_a_silent_state_is_full(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(at_8000), to(arm(0x8000, BLX_IMM), place(0x9010, ETM_ISA_THUMB)),
        to(thumb(0x9010, T_BX_LR), place(0x9000, ETM_ISA_THUMB))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "88 81 A0 82 80 10");
}

/* Table 7-16: LEAVEX is silent too. V3-ST-08, V3-EX-07, V3-BR-03, V3-EXB-08 */
static void a_branch_to_thumbee_has_an_exception_byte_once(void **state)
{
    struct etm_config c = etmv3(4);
    struct etm_event leavex =
        insn(0x9000, ETM_ISA_THUMBEE, T_LEAVEX, 4, true, 0);
    const struct etm_event e[] = {
        start(at_8000),
        to(arm(0x8000, MOVS_PC), place(0x9000, ETM_ISA_THUMBEE)),
        to(leavex, place(0x9004, ETM_ISA_THUMB)),
        to(thumb(0x9004, T_SUBS_PC), place(0x9010, ETM_ISA_THUMBEE))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 81 A0 82 80 50 40 88 11");
}

/* Table 7-14, AMB-05: all five bytes, though the alignment is the same. */
static void a_change_between_thumb_and_thumbee_is_full(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(place(0x9000, ETM_ISA_THUMB)),
        to(thumb(0x9000, T_SUBS_PC), place(0x9010, ETM_ISA_THUMBEE))};

    (void)state;
    BECOME(&c, e, "08 21 01 90 00 00 84 91 A0 82 80 50 40");
    c.alternative_branches = true;
    BECOME(&c, e, "08 21 01 90 00 00 84 91 A0 82 80 50 40");
}

/* 7.3.5, exception packets in both encodings. V3-EX-08, V3-PH-17 */
static void an_irq_packet_tells_whether_it_cancels(void **state)
{
    struct etm_config c = etmv3(4);
    struct etm_event e[] = {
        start(at_8000), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 8D 80 80 80 48 1C");
    e[2].u.exception.cancels = true;
    BECOME(&c, e, I_SYNC_8000 "84 8D 80 80 80 48 3C");
    c.alternative_branches = true;
    BECOME(&c, e, I_SYNC_8000 "84 8D 80 40 3C");
}

/* Table 4-2: it always is, whatever the execution says of the instruction
 * before; a branch packet of that one would tell a completion. V3-EXC-04 E-347
 */
static void a_reset_packet_always_cancels(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(at_8000), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_RESET, false, place(0, ETM_ISA_ARM))};
    const struct etm_event branch[] = {
        start(at_8000), to(arm(0x8000, MOVS_PC), place(0x9000, ETM_ISA_THUMB)),
        exception(ETM_EXCEPTION_RESET, false, place(0, ETM_ISA_ARM)),
        arm(0, ADD)};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 81 80 80 80 48 30");
    BECOME(&c, branch, I_SYNC_8000 "84 81 80 80 80 48 30 84");
}

/* Table 7-8: the usual form up to v3.1, on request later. E-45,
 * AMB-06, AMB-07, V3-EX-08, V3-DEP-01, V3-DEP-04, V3-EXB-16 */
static void deprecated_exceptions_have_five_bytes(void **state)
{
    struct etm_config c = etmv3(1);
    struct etm_event fiq[] = {
        start(at_8000), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_FIQ, true, place(0x1c, ETM_ISA_ARM))};
    struct etm_event irq[] = {
        start(at_8000), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_IRQ, false, place(0xffff0018, ETM_ISA_ARM))};
    /* EEE = 0 needs the vector to tell the type */
    struct etm_event svc[] = {
        start(at_8000), arm(0x8000, 0xef000000),
        exception(ETM_EXCEPTION_SVC, false, place(0x1234, ETM_ISA_ARM))};

    (void)state;
    BECOME(&c, fiq, I_SYNC_8000 "84 8F 80 80 80 E8");
    BECOME(&c, irq, I_SYNC_8000 "84 8D 80 FE FF 8F");
    BECOME(&c, svc, I_SYNC_8000 "84 9B 92 80 80 48 14");
    c.minor = 3;
    BECOME(&c, irq, I_SYNC_8000 "84 8D 80 FE FF 4F 1C");
    become(&c, (struct etm_generator_config){.deprecated_exceptions = ETM_TRUE},
           irq, COUNT(irq), I_SYNC_8000 "84 8D 80 FE FF 8F");
    c.minor = 4;
    c.alternative_branches = true; /* that encoding has no such form */
    become(&c, (struct etm_generator_config){.deprecated_exceptions = ETM_TRUE},
           irq, COUNT(irq), I_SYNC_8000 "84 8D 80 FE FF 4F 1C");
}

/* V3-ORG-08, V3-ALT-10, V3-DEP-01: the form has no other instruction set, and
 * the alternative encoding does not have it. E-46 */
static void the_deprecated_form_is_of_arm_state_only(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_generator_config how = {.deprecated_exceptions = ETM_TRUE};
    struct etm_event e[] = {
        start(place(0x8000, ETM_ISA_THUMB)), thumb(0x8000, T_ADDS),
        exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_THUMB))};

    (void)state;
    become(&c, how, e, COUNT(e), "08 21 01 80 00 00 84 99 80 80 80 50 1C");
    e[2].u.exception.next.isa = ETM_ISA_ARM;
    become(&c, how, e, COUNT(e), "08 21 01 80 00 00 84 8D 80 80 80 88");
    c.alternative_branches = true;
    become(&c, how, e, COUNT(e), "08 21 01 80 00 00 84 8D 80 80 80 48 1C");
}

/* V3-EX-08, V3-BR-03, V3-ALT-06, V3-EXB-05, V3-EXB-10, V3-SEC-01, V3-MP-48 */
static void a_change_of_security_has_an_exception_byte(void **state)
{
    struct etm_config c = etmv3(4);
    struct etm_event e[] = {
        start(at_8000),
        to(arm(0x8000, MOVS_PC), non_secure(place(0x8100, ETM_ISA_ARM)))};

    (void)state;
    c.security = true;
    BECOME(&c, e, I_SYNC_8000 "84 81 81 81 80 48 01");
    c.alternative_branches = true;
    BECOME(&c, e, I_SYNC_8000 "84 81 41 01");
    /* one address byte cannot announce it: padded to two */
    e[1].u.insn.next.address = 0x8004;
    BECOME(&c, e, I_SYNC_8000 "84 83 40 01");
}

/* V3-CFG-04, 3.5.18: ETMIDR[19] of 0 is Secure state at all times. */
static void without_security_extensions_everything_is_secure(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(non_secure(at_8000)),
        to(arm(0x8000, MOVS_PC), place(0x8100, ETM_ISA_ARM)),
        to(arm(0x8100, MOVS_PC), non_secure(place(0x8200, ETM_ISA_ARM)))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 81 01 84 81 02");
    c.security = true;
    BECOME(&c, e,
           "08 29 00 80 00 00 84 81 81 81 80 48 00 84 81 82 81 80 48 01");
}

/* V3-EX-08 */
static void jazelle_state_is_entered_with_five_bytes(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(at_8000), to(arm(0x8000, BXJ), place(0x9000, ETM_ISA_JAZELLE)),
        insn(0x9000, ETM_ISA_JAZELLE, 0x60, 1, true, 0)};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 81 C0 84 80 20 84");
}

/* 7.5: M-profile numbers in two bytes, tail-chaining, and a pop that was
 * given up. The first is in a capture of a Cortex-M3. V3-PH-17, V3-EXB-04,
 * V3-EXB-11, V3-MP-06, V3-MP-41 to -43, V3-MP-46 */
static void m_profile_exceptions_have_two_bytes(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_place at = place(0x08000306, ETM_ISA_THUMB);
    const struct etm_place handler = place(0x08001588, ETM_ISA_THUMB);
    struct etm_event back = thumb(0x08000306, T_BX_LR);
    struct etm_event tail = irq_n(22, false, handler);
    const struct etm_event plain[] = {start(at), thumb(0x08000306, T_ADDS),
                                      irq_n(22, false, handler)};
    const struct etm_event pause[] = {
        start(place(0x400, ETM_ISA_THUMB)), thumb(0x400, T_LDM),
        irq_n(3, true, place(0x600, ETM_ISA_THUMB))};

    (void)state;
    c.profile = ETM_PROFILE_M;
    c.alternative_branches = true;
    BECOME(&c, plain, "08 21 07 03 00 08 84 89 6B 8C 02");
    /* without data trace a pause is a cancellation */
    BECOME(&c, pause, "08 21 01 04 00 00 84 81 4C 26");
    back.u.insn.exception_return = true;
    tail.u.exception.chain = ETM_CHAIN_TAIL;
    {
        const struct etm_event e[] = {start(at), back, tail};
        BECOME(&c, e, "08 21 07 03 00 08 84 76 89 6B 8C 02");
    }
    tail.u.exception.chain = ETM_CHAIN_PREEMPTED;
    {
        const struct etm_event e[] = {start(at), back, tail};
        BECOME(&c, e, "08 21 07 03 00 08 84 76 89 6B AC 02");
    }
}

/* 7.3.5, several packets for one instruction. V3-PH-17, V3-MUL-05 */
static void an_interrupted_branch_has_two_packets(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(at_8000), to(arm(0x8000, BX_LR), place(0x8010, ETM_ISA_ARM)),
        exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM))};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 09 8D 80 80 80 48 1C");
}

/* V3-BR-01, 7.3.5: the target is traced where tracing ends with the branch. */
static void the_last_branch_has_its_target(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        start(at_8000), to(arm(0x8000, BX_LR), place(0x9000, ETM_ISA_ARM)),
        plain_event(ETM_EVENT_TRACE_OFF), start(at_8000), arm(0x8000, ADD)};

    (void)state;
    BECOME(&c, e, I_SYNC_8000 "84 81 10 " I_SYNC_8000 "84");
}

/* 4.5.4: two atoms; of a cancelled one only the first. AMB-27 */
static void split_thumb_instructions_are_two(void **state)
{
    struct etm_config c = etmv3(4);
    struct etm_event e[] = {
        start(place(0x8000, ETM_ISA_THUMB)), thumb(0x8000, T_LDM),
        thumb(0x8004, T_LDM),
        exception(ETM_EXCEPTION_IRQ, true, place(0x8008, ETM_ISA_THUMB))};

    (void)state;
    c.thumb32_split = true;
    BECOME(&c, e, "08 21 01 80 00 00 8C 89 80 82 80 50 3C");
}

/* 7.3.2. V3-PH-15 */
static void a_cancelled_instruction_may_be_traced_as_failed(void **state)
{
    struct etm_config c = etmv3(4);
    struct etm_event e[] = {
        start(at_8000), arm(0x8000, ADD),
        exception(ETM_EXCEPTION_DATA_ABORT, true, place(0x10, ETM_ISA_ARM))};

    (void)state;
    become(&c, (struct etm_generator_config){.cancelled_as_failed = true}, e,
           COUNT(e), I_SYNC_8000 "C0 89 80 80 80 48 38");
}

/* 7.3.4. V3-CYC-10, V3-CC-06 */
static void a_cycle_count_can_follow_its_i_sync(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {after(300, start(at_8000)),
                                  after(1, arm(0x8000, ADD))};

    (void)state;
    c.cycle_accurate = true;
    become(&c, (struct etm_generator_config){.separate_cycle_count = true}, e,
           COUNT(e), "08 21 00 80 00 00 84 04 AC 02");
}

/* V3-IS-03, V3-PH-17, V3-CTX-01, V3-CTX-02, V3-CTX-06 */
static void a_context_id_stands_between_old_and_new(void **state)
{
    struct etm_config c = etmv3(5);
    const struct etm_event e[] = {context(0x11223344, 7), start(at_8000),
                                  arm(0x8000, ADD), context(0x11223355, 9),
                                  arm(0x8004, ADD)};

    (void)state;
    c.context_id_bytes = 2;
    c.vmid = c.virtualization = true;
    BECOME(&c, e, "08 44 33 21 00 80 00 00 3C 07 84 6E 55 33 3C 09 84");
    c.context_id_bytes = 4;
    BECOME(&c, e,
           "08 44 33 22 11 21 00 80 00 00 3C 07 84 6E 55 33 22 11 3C 09 84");
    c.context_id_bytes = 0;
    BECOME(&c, e, I_SYNC_8000 "3C 07 84 3C 09 84");
}

/* 7.3.6, AMB-20: of the two that come before the next atom it is the second. */
static void a_context_id_follows_the_packet_of_an_exception(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {
        context(0x44, 0),
        start(at_8000),
        arm(0x8000, ADD),
        exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM)),
        context(0x55, 0),
        arm(0x18, ADD)};

    (void)state;
    c.context_id_bytes = 1;
    BECOME(&c, e, "08 44 21 00 80 00 00 84 8D 80 80 80 48 1C 6E 55 84");
}

/* Every sync_period bytes; the stream here is 1 + 5 bytes an iteration.
 * V3-SYNC-01, V3-IS-07, V3-IS-14 */
static void synchronization_is_periodic(void **state)
{
    struct etm_config c = etmv3(5);
    const struct etm_event e[] = {
        start(at_8000), to(arm(0x8000, BX_LR), place(0x8010, ETM_ISA_ARM)),
        to(arm(0x8010, BX_LR), place(0x8000, ETM_ISA_ARM)), timestamp(3),
        timestamp(4)};

    (void)state;
    c.sync_period = 10;
    c.timestamps = true;
    c.timestamp_binary = true;
    /* A-sync 6, I-sync 6, then 2 + 2 bytes: after these it is due; the full
     * timestamp stays due from the start */
    BECOME(&c, e,
           I_SYNC_8000 "84 09 84 01 00 00 00 00 00 80 08 01 00 80 00 00 "
                       "42 83 80 80 80 80 80 00 42 04");
}

/* V3-MP-09 */
static void exceptions_of_another_profile_are_refused(void **state)
{
    struct etm_config c = etmv3(4);
    const struct etm_event e[] = {start(at_8000), arm(0x8000, ADD),
                                  irq_n(1, false, at_8000)};
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &c};
    struct etm_generator *g;

    (void)state;
    assert_int_equal(etm_generator_new(&g, &options), ETM_OK);
    assert_int_equal(etm_generator_push(g, e, 2), ETM_OK);
    assert_int_equal(etm_generator_push(g, e + 2, 1), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_generator_finish(g), ETM_ERR_ARGUMENT);
    etm_generator_free(g);
}

static void a_configuration_that_cannot_be_is_refused(void **state)
{
    struct etm_config c = etmv3(2);
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &c};
    struct etm_generator *g;

    (void)state;
    c.timestamps = true; /* since v3.5 */
    assert_int_equal(etm_generator_new(&g, &options), ETM_ERR_CONFIG);
    assert_null(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(atoms_are_packed_without_cycles),
        cmocka_unit_test(each_instruction_may_have_a_header),
        cmocka_unit_test(compare_and_branch_is_direct),
        cmocka_unit_test(atoms_are_packed_with_cycles),
        cmocka_unit_test(instructions_before_v3_3_each_have_a_cycle),
        cmocka_unit_test(a_single_cycle_is_format_0_in_v3_0),
        cmocka_unit_test(a_branch_back_to_the_broadcast_state_is_short),
        cmocka_unit_test(a_branch_in_a_silent_state_is_full),
        cmocka_unit_test(a_branch_to_thumbee_has_an_exception_byte_once),
        cmocka_unit_test(a_change_between_thumb_and_thumbee_is_full),
        cmocka_unit_test(an_irq_packet_tells_whether_it_cancels),
        cmocka_unit_test(a_reset_packet_always_cancels),
        cmocka_unit_test(deprecated_exceptions_have_five_bytes),
        cmocka_unit_test(the_deprecated_form_is_of_arm_state_only),
        cmocka_unit_test(a_change_of_security_has_an_exception_byte),
        cmocka_unit_test(without_security_extensions_everything_is_secure),
        cmocka_unit_test(jazelle_state_is_entered_with_five_bytes),
        cmocka_unit_test(m_profile_exceptions_have_two_bytes),
        cmocka_unit_test(an_interrupted_branch_has_two_packets),
        cmocka_unit_test(the_last_branch_has_its_target),
        cmocka_unit_test(split_thumb_instructions_are_two),
        cmocka_unit_test(a_cancelled_instruction_may_be_traced_as_failed),
        cmocka_unit_test(a_cycle_count_can_follow_its_i_sync),
        cmocka_unit_test(a_context_id_stands_between_old_and_new),
        cmocka_unit_test(a_context_id_follows_the_packet_of_an_exception),
        cmocka_unit_test(synchronization_is_periodic),
        cmocka_unit_test(exceptions_of_another_profile_are_refused),
        cmocka_unit_test(a_configuration_that_cannot_be_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
