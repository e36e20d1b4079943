/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the judges differ from us, and why that is right. Sections are those
 * of the ARM Architecture Reference Manual, ARMv7-A and ARMv7-R edition
 * (DDI 0406C). Nearly all are UNPREDICTABLE encodings: there the reading is
 * free, and ours is that of the specification's own tables of waypoints,
 * which want the should-be bits of a branch right.
 */
#include "judge.h"

#define BOTH JUDGE_BOTH
#define CAPSTONE JUDGE_CAPSTONE
#define OBJDUMP JUDGE_OBJDUMP
#define ARM ETM_ISA_ARM
#define THUMB ETM_ISA_THUMB

/* clang-format off */
const struct allowed allowed_differences[] = {
    /* MOV and MVN to the PC with (0)(0)(0)(0) in the place of Rn */
    {BOTH, ARM, CLAIM_NO_BRANCH, 0x0de0f000, 0x01a0f000, 0x000f0000, 0,
     "MOV pc with SBZ bits set is UNPREDICTABLE (A8.8.102, A8.8.104)"},
    {CAPSTONE, ARM, CLAIM_NO_BRANCH, 0x0de0f000, 0x01e0f000, 0x000f0000, 0,
     "MVN pc with SBZ bits set is UNPREDICTABLE (A8.8.115, A8.8.116)"},
    /* RFE with wrong bits: (0)(0)(0)(0)(1)(0)(1)(0) and zeros */
    {CAPSTONE, ARM, CLAIM_BRANCH, 0xfe500000, 0xf8100000, 0xffff, 0x0a00,
     "RFE with wrong should-be bits is UNPREDICTABLE (B9.3.13)"},
    /* objdump falls through to a shift by a register */
    {OBJDUMP, ARM, CLAIM_BRANCH, 0x0fe0f0f0, 0x01a0f090, 0, 0,
     "STREXD, LDREXD with Rd or Rt = 15: no shift (A5.2.10)"},
    {OBJDUMP, ARM, CLAIM_BRANCH, 0x0fe0f0f0, 0x01a0f0b0, 0, 0,
     "STRH, LDRH with Rt = 15: no shift (A5.2.8)"},
    {OBJDUMP, ARM, CLAIM_BRANCH, 0x0ff0f0f0, 0x01b0f0d0, 0, 0,
     "LDRSB with Rt = 15: no shift (A5.2.8)"},
    {OBJDUMP, ARM, CLAIM_BRANCH, 0x0ff0f0f0, 0x01b0f0f0, 0, 0,
     "LDRSH with Rt = 15: no shift (A5.2.8)"},
    {CAPSTONE, ARM, CLAIM_DEFINED, 0xfe000e00, 0xfc000a00, 0, 0,
     "LDC2, STC2 of coprocessors 10 and 11 are UNDEFINED (A8.8.55)"},
    {CAPSTONE, ARM, CLAIM_DEFINED, 0xff000e00, 0xfe000a00, 0, 0,
     "VSEL, VMAXNM, VRINT ... are Armv8; UNDEFINED before (A5.7)"},

    /* 0100 0111 0mmm m(0)(0)(0) */
    {BOTH, THUMB, CLAIM_BRANCH, 0xffffff80, 0x00004700, 0x7, 0,
     "BX with SBZ bits set is UNPREDICTABLE (A8.8.27)"},
    /* Rd = 15 in data processing does not write the PC in Thumb */
    {BOTH, THUMB, CLAIM_BRANCH, 0xfa008f00, 0xf0000f00, 0, 0,
     "modified immediate with Rd = 15 is UNPREDICTABLE (A6.3.1)"},
    {BOTH, THUMB, CLAIM_BRANCH, 0xfbf08f00, 0xf2000f00, 0, 0,
     "ADDW with Rd = 15 is UNPREDICTABLE (A8.8.4)"},
    {BOTH, THUMB, CLAIM_BRANCH, 0xfbf08f00, 0xf2a00f00, 0, 0,
     "SUBW with Rd = 15 is UNPREDICTABLE (A8.8.221)"},
    {BOTH, THUMB, CLAIM_BRANCH, 0xfe000f00, 0xea000f00, 0, 0,
     "shifted register with Rd = 15 is UNPREDICTABLE (A6.3.11)"},
    {BOTH, THUMB, CLAIM_BRANCH, 0xff80fff0, 0xfa00ff00, 0, 0,
     "LSL, LSR, ASR, ROR with Rd = 15 are UNPREDICTABLE (A6.3.12)"},
    {OBJDUMP, THUMB, CLAIM_BRANCH, 0xfff0f000, 0xf850f000, 0xfc0, 0,
     "LDR with these bits [11:6] is UNDEFINED (A6.3.7)"},
    {OBJDUMP, THUMB, CLAIM_TRANSFERS, 0xff70f000, 0xf930f000, 0, 0,
     "LDRSH with Rt = 15 is an unallocated memory hint (A6.3.8)"},
    {BOTH, THUMB, CLAIM_NO_BRANCH, 0xffffffff, 0xf3bf8f1f, 0, 0,
     "ENTERX, of ThumbEE, is not known to this judge (A9.3.1)"},
    /* 1110 1000 10W1 nnnn PM(0)r rrrr rrrr rrrr */
    {CAPSTONE, THUMB, CLAIM_NO_BRANCH, 0xffffa000, 0xe8bda000, 0, 0,
     "POP with the SP in its list is UNPREDICTABLE (A8.8.131)"},
    {CAPSTONE, THUMB, CLAIM_NO_BRANCH, 0xffffc000, 0xe8bdc000, 0, 0,
     "POP of LR and PC is UNPREDICTABLE (A8.8.131)"},
    {OBJDUMP, THUMB, CLAIM_NO_BRANCH, 0xffff8000, 0xe89f8000, 0, 0,
     "LDM with Rn = 15 is UNPREDICTABLE; CLRM is Armv8.1-M (A8.8.57)"},
    {CAPSTONE, THUMB, CLAIM_DEFINED, 0xfe000e00, 0xfc000a00, 0, 0,
     "LDC2, STC2 of coprocessors 10 and 11 are UNDEFINED (A8.8.55)"},
    {CAPSTONE, THUMB, CLAIM_DEFINED, 0xff000e00, 0xfe000a00, 0, 0,
     "VSEL, VMAXNM, VRINT ... are Armv8; UNDEFINED before (A6.3.18)"},
};
/* clang-format on */

const size_t allowed_differences_n =
    sizeof(allowed_differences) / sizeof(allowed_differences[0]);

_Static_assert(sizeof(allowed_differences) / sizeof(allowed_differences[0]) <=
                   ALLOWED_MAX,
               "struct trial counts each row");
