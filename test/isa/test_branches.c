/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes of instructions, one by one: the tables of waypoints of the PFT
 * architecture, and what ETMv3 takes as direct (ETM architecture, 4.10.3).
 */
#include "isa/insn.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define ADDRESS 0x8000u

static struct etm_insn decode(enum etm_isa isa, enum etm_profile profile,
                              uint32_t address, uint32_t opcode)
{
    struct etm_insn insn;
    uint32_t word = opcode;
    uint8_t bytes[4];

    if (isa != ETM_ISA_ARM && opcode > 0xffff)
        word = opcode << 16 | opcode >> 16;
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
    etm_insn_decode(&insn, isa, profile, address, bytes, sizeof(bytes));
    assert_int_equal(insn.opcode, opcode);
    return insn;
}

static struct etm_insn arm(uint32_t opcode)
{
    return decode(ETM_ISA_ARM, ETM_PROFILE_A, ADDRESS, opcode);
}

static struct etm_insn thumb(uint32_t opcode)
{
    return decode(ETM_ISA_THUMB, ETM_PROFILE_A, ADDRESS, opcode);
}

static struct etm_insn thumbee(uint32_t opcode)
{
    return decode(ETM_ISA_THUMBEE, ETM_PROFILE_A, ADDRESS, opcode);
}

static struct etm_insn m_profile(uint32_t opcode)
{
    return decode(ETM_ISA_THUMB, ETM_PROFILE_M, ADDRESS, opcode);
}

static void expect_direct(struct etm_insn insn, uint32_t target,
                          enum etm_isa isa, unsigned flags)
{
    assert_int_equal(insn.type, ETM_INSN_TYPE_DIRECT);
    assert_int_equal(insn.target, target);
    assert_int_equal(insn.target_isa, isa);
    assert_int_equal(insn.flags, flags);
    assert_false(insn.undefined);
    assert_int_equal(insn.trap, ETM_TRAP_NONE);
}

static void expect_indirect(struct etm_insn insn, unsigned flags,
                            bool exception_return)
{
    assert_int_equal(insn.type, ETM_INSN_TYPE_INDIRECT);
    assert_int_equal(insn.flags,
                     flags |
                         (exception_return ? ETM_INSN_EXCEPTION_RETURN : 0u));
    assert_int_equal(insn.target_isa, ETM_ISA_UNKNOWN);
    assert_false(insn.undefined);
}

static void expect_other(struct etm_insn insn)
{
    assert_int_equal(insn.type, ETM_INSN_TYPE_OTHER);
    assert_int_equal(insn.trap, ETM_TRAP_NONE);
    assert_int_equal(insn.barrier, ETM_BARRIER_NONE);
    assert_false(insn.undefined);
    assert_int_equal(insn.flags & ETM_INSN_EXCEPTION_RETURN, 0);
}

static void expect_trap(struct etm_insn insn, enum etm_trap trap)
{
    assert_int_equal(insn.type, ETM_INSN_TYPE_OTHER);
    assert_int_equal(insn.trap, trap);
    assert_int_equal(insn.undefined, trap == ETM_TRAP_UDF);
}

static void expect_barrier(struct etm_insn insn, enum etm_barrier barrier)
{
    assert_int_equal(insn.type, ETM_INSN_TYPE_BARRIER);
    assert_int_equal(insn.barrier, barrier);
}

/* V3-BR-02, PFT-DEC-01 */
static void arm_direct_branches_have_targets(void **state)
{
    (void)state;
    expect_direct(arm(0xeafffffe), 0x8000, ETM_ISA_ARM, 0);
    expect_direct(arm(0x0a000001), 0x800c, ETM_ISA_ARM, ETM_INSN_CONDITIONAL);
    expect_direct(arm(0xeb7fffff), 0x02008004, ETM_ISA_ARM, ETM_INSN_LINK);
    expect_direct(arm(0x1b800000), 0xfe008008, ETM_ISA_ARM,
                  ETM_INSN_LINK | ETM_INSN_CONDITIONAL);
    /* BLX: H is bit 1 of the target */
    expect_direct(arm(0xfafffffe), 0x8000, ETM_ISA_THUMB, ETM_INSN_LINK);
    expect_direct(arm(0xfb000000), 0x800a, ETM_ISA_THUMB, ETM_INSN_LINK);
}

static void arm_conditions_are_as_encoded(void **state)
{
    (void)state;
    assert_int_equal(arm(0x0a000000).condition, 0);
    assert_int_equal(arm(0xda000000).condition, 13);
    assert_int_equal(arm(0xea000000).condition, 14);
    assert_int_equal(arm(0xfa000000).condition, 14);
    assert_int_equal(arm(0x13a00001).flags, ETM_INSN_CONDITIONAL);
}

/* EX-09, BRX-03, V3-EX-15, V3-BR-02 */
static void arm_writes_to_the_pc_are_indirect(void **state)
{
    (void)state;
    expect_indirect(arm(0xe12fff1e), ETM_INSN_RETURN, false); /* BX LR */
    expect_indirect(arm(0xe12fff13), 0, false);               /* BX R3 */
    expect_indirect(arm(0xe12fff23), 0, false);               /* BXJ */
    expect_indirect(arm(0xe12fff33), ETM_INSN_LINK, false);   /* BLX R3 */
    expect_indirect(arm(0xe1a0f00e), ETM_INSN_RETURN, false); /* MOV PC, LR */
    expect_indirect(arm(0xe1a0f001), 0, false);               /* MOV PC, R1 */
    expect_indirect(arm(0xe28ff004), 0, false); /* ADD PC, PC, #4 */
    expect_indirect(arm(0xe08ff101), 0, false); /* ADD PC, PC, R1, LSL #2 */
    expect_indirect(arm(0x908ff211), ETM_INSN_CONDITIONAL, false);
    expect_indirect(arm(0xe3e0f000), 0, false); /* MVN PC, #0 */
    expect_indirect(arm(0xe59ff018), 0, false); /* LDR PC, [PC, #24] */
    expect_indirect(arm(0xe79ff101), 0, false);
    expect_indirect(arm(0xe49df004), ETM_INSN_RETURN, false);
    expect_indirect(arm(0xe8bd8010), ETM_INSN_RETURN, false);
    expect_indirect(arm(0xe89d8010), 0, false); /* LDM SP: no writeback */
    expect_indirect(arm(0xe8908000), 0, false);
}

static void arm_exception_returns_are_returns(void **state)
{
    (void)state;
    expect_indirect(arm(0xe25ef004), ETM_INSN_RETURN, true); /* SUBS PC,LR,#4 */
    expect_indirect(arm(0xe1b0f00e), ETM_INSN_RETURN, true); /* MOVS PC, LR */
    expect_indirect(arm(0xe8fd8000), ETM_INSN_RETURN, true); /* LDM ..^ */
    expect_indirect(arm(0xf8bd0a00), ETM_INSN_RETURN, true); /* RFE */
    expect_indirect(arm(0xe160006e), ETM_INSN_RETURN, true); /* ERET */
}

static void
arm_compares_and_moves_from_coprocessors_are_no_branches(void **state)
{
    (void)state;
    expect_other(arm(0xe35ff000)); /* CMP PC, #0 with Rd = 15 */
    expect_other(arm(0xe33ff000)); /* TEQ */
    expect_other(arm(0xe129f000)); /* MSR CPSR_fc, R0 */
    expect_other(arm(0xe30ff000)); /* MOVW with Rd = 15 */
    expect_other(arm(0xee1eff10)); /* MRC to APSR_nzcv */
    expect_other(arm(0xeef1fa10)); /* VMRS APSR_nzcv, FPSCR */
    expect_other(arm(0xe5dff000)); /* LDRB with Rt = 15 */
    expect_other(arm(0xf5d0f000)); /* PLD */
    expect_other(arm(0xe320f003)); /* WFI */
    expect_other(arm(0xe8fd0010)); /* LDM ..^ without the PC */
}

static void arm_barriers_have_two_forms(void **state)
{
    (void)state;
    expect_barrier(arm(0xf57ff06f), ETM_BARRIER_ISB);
    expect_barrier(arm(0xf57ff04f), ETM_BARRIER_DSB);
    expect_barrier(arm(0xf57ff05b), ETM_BARRIER_DMB);
    expect_barrier(arm(0xee070f95), ETM_BARRIER_ISB);
    expect_barrier(arm(0xee07cf9a), ETM_BARRIER_DSB);
    expect_barrier(arm(0xee073fba), ETM_BARRIER_DMB);
    /* the bit that tells MCR2 in Thumb belongs to the condition here */
    expect_barrier(arm(0x1e070f95), ETM_BARRIER_ISB);
    expect_other(arm(0xfe070f95)); /* MCR2 */
    expect_other(arm(0xee070fb5)); /* another CP15 operation */
    expect_other(arm(0xee170f95)); /* MRC */
}

static void arm_traps_are_of_type_other(void **state)
{
    (void)state;
    expect_trap(arm(0xef000000), ETM_TRAP_SVC);
    expect_trap(arm(0xe1600071), ETM_TRAP_SMC);
    expect_trap(arm(0xe1400072), ETM_TRAP_HVC);
    expect_trap(arm(0xe1200070), ETM_TRAP_BKPT);
    expect_trap(arm(0xe7f000f0), ETM_TRAP_UDF);
    expect_trap(arm(0xff000000), ETM_TRAP_UDF);
    expect_trap(arm(0xe1000070), ETM_TRAP_UDF); /* HLT of Armv8 */
}

/* BRX-04, BRX-20 */
static void thumb16_direct_branches_have_targets(void **state)
{
    (void)state;
    expect_direct(thumb(0xe7fe), 0x8000, ETM_ISA_THUMB, 0);
    expect_direct(thumb(0xe3ff), 0x8802, ETM_ISA_THUMB, 0);
    expect_direct(thumb(0xd0fe), 0x8000, ETM_ISA_THUMB, ETM_INSN_CONDITIONAL);
    expect_direct(thumb(0xdd7f), 0x8102, ETM_ISA_THUMB, ETM_INSN_CONDITIONAL);
    assert_int_equal(thumb(0xdd7f).condition, 13);
    expect_direct(thumb(0xb100), 0x8004, ETM_ISA_THUMB, ETM_INSN_CONDITIONAL);
    expect_direct(thumb(0xbbff), 0x8082, ETM_ISA_THUMB, ETM_INSN_CONDITIONAL);
    /* the condition of CBZ is not one of the flags' */
    assert_int_equal(thumb(0xb100).condition, 14);
}

static void thumb16_writes_to_the_pc_are_indirect(void **state)
{
    (void)state;
    expect_indirect(thumb(0x4770), ETM_INSN_RETURN, false);
    expect_indirect(thumb(0x4718), 0, false);
    expect_indirect(thumb(0x4798), ETM_INSN_LINK, false);
    expect_indirect(thumb(0x46f7), ETM_INSN_RETURN, false); /* MOV PC, LR */
    expect_indirect(thumb(0x469f), 0, false);
    expect_indirect(thumb(0x449f), 0, false); /* ADD PC, R3 */
    expect_indirect(thumb(0xbd10), ETM_INSN_RETURN, false);
    expect_other(thumb(0xbc10));
    expect_other(thumb(0x459f)); /* CMP PC, R3 */
    expect_other(thumb(0x46f6)); /* MOV LR, LR */
}

static void thumb16_traps_and_it(void **state)
{
    (void)state;
    expect_trap(thumb(0xdf00), ETM_TRAP_SVC);
    expect_trap(thumb(0xde00), ETM_TRAP_UDF);
    expect_trap(thumb(0xbe00), ETM_TRAP_BKPT);
    expect_other(thumb(0xbf0c));
    assert_int_equal(thumb(0xbf0c).it, 0x0c);
    assert_int_equal(thumb(0xbf30).it, 0); /* WFI */
}

/* PFT-DEC-01 */
static void thumb32_direct_branches_have_targets(void **state)
{
    struct etm_insn insn;

    (void)state;
    expect_direct(thumb(0xf000f800), 0x8004, ETM_ISA_THUMB, ETM_INSN_LINK);
    expect_direct(thumb(0xf7fffffe), 0x8000, ETM_ISA_THUMB, ETM_INSN_LINK);
    /* J1 and J2 reach further than BL of Armv4T did */
    expect_direct(thumb(0xf000d000), 0x00c08004, ETM_ISA_THUMB, ETM_INSN_LINK);
    expect_direct(thumb(0xf400d000), 0xff008004, ETM_ISA_THUMB, ETM_INSN_LINK);
    expect_direct(thumb(0xf000b800), 0x8004, ETM_ISA_THUMB, 0);
    expect_direct(thumb(0xf43fafff), 0x8002, ETM_ISA_THUMB,
                  ETM_INSN_CONDITIONAL);
    expect_direct(thumb(0xf0408000), 0x8004, ETM_ISA_THUMB,
                  ETM_INSN_CONDITIONAL);
    assert_int_equal(thumb(0xf0408000).condition, 1);
    /* BLX counts from the aligned PC */
    expect_direct(thumb(0xf000e800), 0x8004, ETM_ISA_ARM, ETM_INSN_LINK);
    insn = decode(ETM_ISA_THUMB, ETM_PROFILE_A, ADDRESS + 2, 0xf000e800);
    expect_direct(insn, 0x8004, ETM_ISA_ARM, ETM_INSN_LINK);
    expect_trap(thumb(0xf000e801), ETM_TRAP_UDF);
}

/* E-80 */
static void thumb32_writes_to_the_pc_are_indirect(void **state)
{
    (void)state;
    expect_indirect(thumb(0xe8bd8010), ETM_INSN_RETURN, false); /* POP.W */
    expect_indirect(thumb(0xe9108010), 0, false);               /* LDMDB */
    expect_indirect(thumb(0xf8dff004), 0, false); /* LDR.W PC, [PC, #4] */
    expect_indirect(thumb(0xf85dfb04), ETM_INSN_RETURN, false);
    expect_indirect(thumb(0xf850f021), 0, false);
    expect_indirect(thumb(0xe8dff001), 0, false);              /* TBB */
    expect_indirect(thumb(0xe8dff011), 0, false);              /* TBH */
    expect_indirect(thumb(0xf3c38f00), 0, false);              /* BXJ */
    expect_indirect(thumb(0xe9bdc000), ETM_INSN_RETURN, true); /* RFE */
    expect_indirect(thumb(0xe990c000), ETM_INSN_RETURN, true);
    expect_indirect(thumb(0xf3de8f04), ETM_INSN_RETURN, true);
    expect_indirect(thumb(0xf3de8f00), ETM_INSN_RETURN, true); /* ERET */
    expect_other(thumb(0xea4f0f01)); /* MOV.W with Rd = 15: UNPREDICTABLE */
    expect_other(thumb(0xf810f001)); /* PLD */
    expect_other(thumb(0xf890f000)); /* PLD */
    expect_other(thumb(0xee1eff10)); /* MRC to APSR_nzcv */
}

static void thumb32_barriers_and_traps(void **state)
{
    (void)state;
    expect_barrier(thumb(0xf3bf8f6f), ETM_BARRIER_ISB);
    expect_barrier(thumb(0xf3bf8f4f), ETM_BARRIER_DSB);
    expect_barrier(thumb(0xf3bf8f5f), ETM_BARRIER_DMB);
    expect_barrier(thumb(0xee070f95), ETM_BARRIER_ISB);
    expect_other(thumb(0xfe070f95));
    expect_other(thumb(0xf3af8003)); /* WFI.W */
    expect_trap(thumb(0xf7f08000), ETM_TRAP_SMC);
    expect_trap(thumb(0xf7e08000), ETM_TRAP_HVC);
    expect_trap(thumb(0xf7f0a000), ETM_TRAP_UDF);
}

/* E-81: no branch, but a waypoint of PFT that leads to the next instruction */
static void expect_same_state(struct etm_insn insn, enum etm_isa isa)
{
    assert_int_equal(insn.type, ETM_INSN_TYPE_OTHER);
    assert_int_equal(insn.barrier, ETM_BARRIER_SAME_STATE);
    assert_int_equal(insn.target, 0x8004);
    assert_int_equal(insn.target_isa, isa);
    assert_false(insn.undefined);
}

static void
enterx_and_leavex_branch_only_where_they_change_the_state(void **state)
{
    (void)state;
    expect_direct(thumb(0xf3bf8f1f), 0x8004, ETM_ISA_THUMBEE, 0);
    expect_direct(thumbee(0xf3bf8f0f), 0x8004, ETM_ISA_THUMB, 0);
    expect_same_state(thumb(0xf3bf8f0f), ETM_ISA_THUMB);
    expect_same_state(thumbee(0xf3bf8f1f), ETM_ISA_THUMBEE);
}

static void thumbee_branches_stay_in_thumbee(void **state)
{
    (void)state;
    expect_direct(thumbee(0xe7fe), 0x8000, ETM_ISA_THUMBEE, 0);
    expect_direct(thumbee(0xf000f800), 0x8004, ETM_ISA_THUMBEE, ETM_INSN_LINK);
    /* BLX immediate is UNDEFINED there */
    expect_trap(thumbee(0xf000e800), ETM_TRAP_UDF);
}

/* E-82, PFT-RS-03 */
static void thumbee_handler_branches_are_indirect(void **state)
{
    (void)state;
    expect_indirect(thumbee(0xc021), 0, false);             /* HBP */
    expect_indirect(thumbee(0xc221), 0, false);             /* HB */
    expect_indirect(thumbee(0xc321), ETM_INSN_LINK, false); /* HBL */
    expect_indirect(thumbee(0xc421), ETM_INSN_LINK, false); /* HBLP */
    expect_indirect(thumbee(0xc7ff), ETM_INSN_LINK, false);
    expect_trap(thumbee(0xc100), ETM_TRAP_UDF);
    expect_other(thumbee(0xca08)); /* CHKA */
    /* the same encodings are LDM and STM in Thumb */
    expect_other(thumb(0xc321));
}

static void m_profile_has_no_arm_state(void **state)
{
    (void)state;
    expect_trap(decode(ETM_ISA_ARM, ETM_PROFILE_M, ADDRESS, 0xe1a00000),
                ETM_TRAP_UDF);
    expect_trap(m_profile(0xf000e800), ETM_TRAP_UDF); /* BLX immediate */
    expect_trap(m_profile(0xf3de8f04), ETM_TRAP_UDF); /* SUBS PC, LR */
    expect_trap(m_profile(0xe9bdc000), ETM_TRAP_UDF); /* RFE */
    expect_trap(m_profile(0xf3c38f00), ETM_TRAP_UDF); /* BXJ */
    expect_trap(m_profile(0xf7f08000), ETM_TRAP_UDF); /* SMC */
    expect_trap(m_profile(0xf9200a0f), ETM_TRAP_UDF); /* VLD */
    /* an exception return there is an ordinary branch to EXC_RETURN */
    expect_indirect(m_profile(0x4770), ETM_INSN_RETURN, false);
    expect_direct(m_profile(0xf7fffffe), 0x8000, ETM_ISA_THUMB, ETM_INSN_LINK);
}

/* E-85, PFT-DEC-01 */
static void sizes_follow_the_first_halfword(void **state)
{
    static const uint8_t bytes[4] = {0x00, 0xf0, 0x00, 0xf8};
    static const uint8_t nop[2] = {0x00, 0xbf};
    struct etm_insn insn;

    (void)state;
    for (uint32_t opcode = 0; opcode < 0x10000; opcode++) {
        uint8_t code[4] = {(uint8_t)opcode, (uint8_t)(opcode >> 8), 0, 0};

        etm_insn_decode(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, code, 4);
        assert_int_equal(insn.size, opcode >> 11 >= 0x1d ? 4 : 2);
    }
    /* what is not there is not read, and the last halfword is */
    etm_insn_decode(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, nop, 2);
    assert_int_equal(insn.size, 2);
    etm_insn_decode(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, bytes, 2);
    assert_int_equal(insn.size, 0);
    etm_insn_decode(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, bytes, 1);
    assert_int_equal(insn.size, 0);
    etm_insn_decode(&insn, ETM_ISA_ARM, ETM_PROFILE_A, 0, bytes, 3);
    assert_int_equal(insn.size, 0);
    etm_insn_decode(&insn, ETM_ISA_ARM, ETM_PROFILE_A, 0, bytes, 4);
    assert_int_equal(insn.size, 4);
    etm_insn_decode(&insn, ETM_ISA_UNKNOWN, ETM_PROFILE_A, 0, bytes, 4);
    assert_int_equal(insn.size, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arm_direct_branches_have_targets),
        cmocka_unit_test(arm_conditions_are_as_encoded),
        cmocka_unit_test(arm_writes_to_the_pc_are_indirect),
        cmocka_unit_test(arm_exception_returns_are_returns),
        cmocka_unit_test(
            arm_compares_and_moves_from_coprocessors_are_no_branches),
        cmocka_unit_test(arm_barriers_have_two_forms),
        cmocka_unit_test(arm_traps_are_of_type_other),
        cmocka_unit_test(thumb16_direct_branches_have_targets),
        cmocka_unit_test(thumb16_writes_to_the_pc_are_indirect),
        cmocka_unit_test(thumb16_traps_and_it),
        cmocka_unit_test(thumb32_direct_branches_have_targets),
        cmocka_unit_test(thumb32_writes_to_the_pc_are_indirect),
        cmocka_unit_test(thumb32_barriers_and_traps),
        cmocka_unit_test(
            enterx_and_leavex_branch_only_where_they_change_the_state),
        cmocka_unit_test(thumbee_branches_stay_in_thumbee),
        cmocka_unit_test(thumbee_handler_branches_are_indirect),
        cmocka_unit_test(m_profile_has_no_arm_state),
        cmocka_unit_test(sizes_follow_the_first_halfword),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
