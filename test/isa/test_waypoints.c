/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The waypoints of the PFT architecture, written down once more as masks and
 * values, and compared with the classifier over the encoding space. What is
 * UNDEFINED may be in a table's mask and is no waypoint.
 */
#include "../support/test.h"
#include "judge.h"

#define OTHER ETM_INSN_TYPE_OTHER
#define DIRECT ETM_INSN_TYPE_DIRECT
#define INDIRECT ETM_INSN_TYPE_INDIRECT
#define BARRIER ETM_INSN_TYPE_BARRIER

struct waypoint {
    uint32_t mask, value;
    uint8_t type;
    bool link;
};

/* clang-format off */
/* Rows of condition field 1111 have its bits in their masks, and come first;
 * the others are for all other conditions. */
static const struct waypoint arm_waypoints[] = {
    {0xfe000000, 0xfa000000, DIRECT, true},    /* BLX immediate */
    {0xfe50ffff, 0xf8100a00, INDIRECT, false}, /* RFE */
    {0xfffffff0, 0xf57ff060, BARRIER, false},  /* ISB */
    {0xfffffff0, 0xf57ff040, BARRIER, false},  /* DSB */
    {0xfffffff0, 0xf57ff050, BARRIER, false},  /* DMB */
    {0xf0000000, 0xf0000000, OTHER, false},
    {0x0f000000, 0x0a000000, DIRECT, false},   /* B */
    {0x0f000000, 0x0b000000, DIRECT, true},    /* BL */
    {0x0ffffff0, 0x012fff10, INDIRECT, false}, /* BX */
    {0x0ffffff0, 0x012fff20, INDIRECT, false}, /* BXJ */
    {0x0ffffff0, 0x012fff30, INDIRECT, true},  /* BLX register */
    {0x0e108000, 0x08108000, INDIRECT, false}, /* LDM */
    {0x0e000010, 0x06000010, OTHER, false},    /* media, not LDR */
    {0x0c50f000, 0x0410f000, INDIRECT, false}, /* LDR */
    {0x0fffffff, 0x0160006e, INDIRECT, false}, /* ERET */
    {0x0fff0fff, 0x0e070f95, BARRIER, false},
    {0x0fff0fff, 0x0e070f9a, BARRIER, false},
    {0x0fff0fff, 0x0e070fba, BARRIER, false},
    {0x0e000090, 0x00000090, OTHER, false},    /* no data processing */
    {0x0d800000, 0x01000000, OTHER, false},    /* TST, TEQ, CMP, CMN */
    {0x0c00f000, 0x0000f000, INDIRECT, false}, /* data processing */
};

static const struct waypoint thumb16_waypoints[] = {
    {0xfe00, 0xde00, OTHER, false},    /* UDF, SVC */
    {0xf000, 0xd000, DIRECT, false},   /* B<c> */
    {0xf800, 0xe000, DIRECT, false},   /* B */
    {0xf500, 0xb100, DIRECT, false},   /* CBZ, CBNZ */
    {0xff87, 0x4700, INDIRECT, false}, /* BX */
    {0xff87, 0x4780, INDIRECT, true},  /* BLX register */
    {0xff87, 0x4687, INDIRECT, false}, /* MOV PC */
    {0xff87, 0x4487, INDIRECT, false}, /* ADD PC */
    {0xff00, 0xbd00, INDIRECT, false}, /* POP */
};

static const struct waypoint thumb32_waypoints[] = {
    {0xf800d000, 0xf0009000, DIRECT, false},   /* B.W */
    {0xf800d000, 0xf000d000, DIRECT, true},    /* BL */
    {0xf800d001, 0xf000c000, DIRECT, true},    /* BLX immediate */
    {0xffd08000, 0xe8908000, INDIRECT, false}, /* LDM */
    {0xffd08000, 0xe9108000, INDIRECT, false}, /* LDMDB */
    {0xff70f000, 0xf850f000, INDIRECT, false}, /* LDR */
    {0xfff0ffe0, 0xe8d0f000, INDIRECT, false}, /* TBB, TBH */
    {0xffd0ffff, 0xe810c000, INDIRECT, false}, /* RFEDB */
    {0xffd0ffff, 0xe990c000, INDIRECT, false}, /* RFEIA */
    {0xffffff00, 0xf3de8f00, INDIRECT, false}, /* SUBS PC, LR */
    {0xfff0ffff, 0xf3c08f00, INDIRECT, false}, /* BXJ */
    {0xfffffff0, 0xf3bf8f60, BARRIER, false},  /* ISB */
    {0xfffffff0, 0xf3bf8f40, BARRIER, false},  /* DSB */
    {0xfffffff0, 0xf3bf8f50, BARRIER, false},  /* DMB */
    {0xffff0fff, 0xee070f95, BARRIER, false},
    {0xffff0fff, 0xee070f9a, BARRIER, false},
    {0xffff0fff, 0xee070fba, BARRIER, false},
    {0xffffffff, 0xf3bf8f1f, DIRECT, false},   /* ENTERX */
    {0xfb80d000, 0xf3808000, OTHER, false},    /* no condition */
    {0xf800d000, 0xf0008000, DIRECT, false},   /* B<c>.W */
};
/* clang-format on */

#define N(table) (sizeof(table) / sizeof((table)[0]))

static void expect_waypoint(const struct waypoint *table, size_t n,
                            const struct etm_insn *insn)
{
    static const struct waypoint none = {0, 0, OTHER, false};
    const struct waypoint *found = &none;

    if (insn->undefined) {
        assert_int_equal(insn->type, OTHER);
        return;
    }
    for (size_t i = 0; i < n && found == &none; i++) {
        if ((insn->opcode & table[i].mask) == table[i].value)
            found = &table[i];
    }
    if (insn->type != found->type ||
        ((insn->flags & ETM_INSN_LINK) != 0) != found->link)
        fail_msg("%08x: type %u, flags %u, but the table has %u", insn->opcode,
                 insn->type, insn->flags, found->type);
}

static void check_arm(uint32_t opcode)
{
    struct etm_insn insn = {0};

    etm_insn_decode_arm(&insn, ETM_PROFILE_A, 0, opcode);
    expect_waypoint(arm_waypoints, N(arm_waypoints), &insn);
}

static void check_thumb32(uint32_t opcode)
{
    struct etm_insn insn = {0};

    etm_insn_decode_thumb32(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0, opcode);
    expect_waypoint(thumb32_waypoints, N(thumb32_waypoints), &insn);
}

/* PFT-RS-03, PFT-DEC-01 */
TEST(arm_waypoints_are_those_of_the_table)
{
    for (uint64_t i = 0; i < 32 * (uint64_t)SAMPLES_ARM_ROUND; i++)
        check_arm(sample_arm(i));
    /* the rows themselves, with every other bit at random */
    for (uint64_t i = 0; i < 1000 * N(arm_waypoints); i++) {
        const struct waypoint *row = &arm_waypoints[i % N(arm_waypoints)];

        check_arm((sample_arm(i * 65) & ~row->mask) | row->value);
    }
}

/* PFT-RS-03, PFT-DEC-01 */
TEST(thumb_waypoints_are_those_of_the_table)
{
    struct etm_insn insn;

    for (uint32_t opcode = 0; opcode < 0xe800; opcode++) {
        insn = (struct etm_insn){0};
        etm_insn_decode_thumb16(&insn, ETM_ISA_THUMB, ETM_PROFILE_A, 0,
                                (uint16_t)opcode);
        expect_waypoint(thumb16_waypoints, N(thumb16_waypoints), &insn);
    }
    for (uint64_t i = 0; i < 22 * (uint64_t)SAMPLES_THUMB32_ROUND; i++)
        check_thumb32(sample_thumb32(i));
    for (uint64_t i = 0; i < 1000 * N(thumb32_waypoints); i++) {
        const struct waypoint *row =
            &thumb32_waypoints[i % N(thumb32_waypoints)];

        check_thumb32((sample_thumb32(i * 65) & ~row->mask) | row->value);
    }
}
