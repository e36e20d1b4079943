/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cores that had these macrocells. If Unicorn does not have a core, the
 * nearest one of the same architecture is used: TI925T has the ARM9TDMI's
 * Armv4T, the Cortex-R5 is used for other cores of the R profile.
 */
#ifndef ETM_EMULATE_CORES_H
#define ETM_EMULATE_CORES_H

/* X(name, profile, architecture, Unicorn's model) */
#define ETM_EMULATOR_CORE_LIST(X)                                              \
    X("ARM7TDMI", A, 4, UC_CPU_ARM_TI925T)                                     \
    X("ARM7TDMI-S", A, 4, UC_CPU_ARM_TI925T)                                   \
    X("ARM720T", A, 4, UC_CPU_ARM_TI925T)                                      \
    X("ARM9TDMI", A, 4, UC_CPU_ARM_TI925T)                                     \
    X("ARM920T", A, 4, UC_CPU_ARM_TI925T)                                      \
    X("ARM922T", A, 4, UC_CPU_ARM_TI925T)                                      \
    X("ARM926EJ-S", A, 5, UC_CPU_ARM_926)                                      \
    X("ARM926", A, 5, UC_CPU_ARM_926)                                          \
    X("ARM946E-S", A, 5, UC_CPU_ARM_946)                                       \
    X("ARM966E-S", A, 5, UC_CPU_ARM_946)                                       \
    X("ARM968E-S", A, 5, UC_CPU_ARM_946)                                       \
    X("ARM1020E", A, 5, UC_CPU_ARM_1026)                                       \
    X("ARM1022E", A, 5, UC_CPU_ARM_1026)                                       \
    X("ARM1026EJ-S", A, 5, UC_CPU_ARM_1026)                                    \
    X("ARM1136J-S", A, 6, UC_CPU_ARM_1136)                                     \
    X("ARM1136JF-S", A, 6, UC_CPU_ARM_1136)                                    \
    X("ARM1156T2-S", R, 7, UC_CPU_ARM_CORTEX_R5)                               \
    X("ARM1176JZ-S", A, 6, UC_CPU_ARM_1176)                                    \
    X("ARM1176JZF-S", A, 6, UC_CPU_ARM_1176)                                   \
    X("ARM11MPCore", A, 6, UC_CPU_ARM_11MPCORE)                                \
    X("Cortex-M3", M, 7, UC_CPU_ARM_CORTEX_M3)                                 \
    X("Cortex-M4", M, 7, UC_CPU_ARM_CORTEX_M4)                                 \
    X("Cortex-R4", R, 7, UC_CPU_ARM_CORTEX_R5)                                 \
    X("Cortex-R4F", R, 7, UC_CPU_ARM_CORTEX_R5F)                               \
    X("Cortex-R5", R, 7, UC_CPU_ARM_CORTEX_R5)                                 \
    X("Cortex-R5F", R, 7, UC_CPU_ARM_CORTEX_R5F)                               \
    X("Cortex-R7", R, 7, UC_CPU_ARM_CORTEX_R5)                                 \
    X("Cortex-A5", A, 7, UC_CPU_ARM_CORTEX_A9)                                 \
    X("Cortex-A7", A, 7, UC_CPU_ARM_CORTEX_A7)                                 \
    X("Cortex-A8", A, 7, UC_CPU_ARM_CORTEX_A8)                                 \
    X("Cortex-A9", A, 7, UC_CPU_ARM_CORTEX_A9)                                 \
    X("Cortex-A15", A, 7, UC_CPU_ARM_CORTEX_A15)

#endif
