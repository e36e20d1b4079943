/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores and their macrocells: table 3-47 for ETMIDR, tables 2-19 and 2-20 for
 * the standard configurations of ETMv1, the technical reference manuals of
 * the macrocells and register dumps of chips for the others.
 */
#include <etm/setup.h>

#include "base/name.h"

#define ARM (1u << ETM_ISA_ARM)
#define THUMB (1u << ETM_ISA_THUMB)
#define THUMBEE (1u << ETM_ISA_THUMBEE)
#define JAZELLE (1u << ETM_ISA_JAZELLE)

#define JTAG ETM_INTERFACE_JTAG
#define COPROCESSOR ETM_INTERFACE_COPROCESSOR
#define MEMORY ETM_INTERFACE_MEMORY

/* ETMCCR from the rows of tables 2-19 and 2-20; `protocol` is [30:28]. */
#define CCR_V1(protocol, pairs, dvcs, mmds, counters, sequencer, in, out)      \
    ((uint32_t)(protocol) << 28 | 1u << 23 | (uint32_t)(out) << 20 |           \
     (uint32_t)(in) << 17 | (uint32_t)(sequencer) << 16 |                      \
     (uint32_t)(counters) << 13 | (uint32_t)(mmds) << 8 |                      \
     (uint32_t)(dvcs) << 4 | (uint32_t)(pairs))
#define SMALL(protocol) CCR_V1(protocol, 1, 0, 4, 1, 0, 2, 0)
#define MEDIUM(protocol) CCR_V1(protocol, 4, 2, 8, 2, 1, 4, 1)
#define LARGE(protocol) CCR_V1(protocol, 8, 8, 16, 4, 1, 4, 4)

/* ETMCCR from ETMv2.0 on, with a start/stop block and a sequencer. */
#define CCR_V2(cidcs, fifofull, out, in, counters, mmds, dvcs, pairs)          \
    (0x84010000u | (uint32_t)(cidcs) << 24 | (uint32_t)(fifofull) << 23 |      \
     (uint32_t)(out) << 20 | (uint32_t)(in) << 17 |                            \
     (uint32_t)(counters) << 13 | (uint32_t)(mmds) << 8 |                      \
     (uint32_t)(dvcs) << 4 | (uint32_t)(pairs))

/* ETMSCR: all formats and clocks, 8 or 16 pins; FIFOFULL is shown from v1.3
 * on. */
#define SCR_8 0x0f9u
#define SCR_16 0x0fau
#define SCR_FULL 0x100u

/* Four pairs, two data comparators, two counters, sequencer, four inputs, two
   outputs, one context ID comparator, start/stop block: those of ETM-A8, and of
   most macrocells of its time. */
#define CCR_USUAL 0x8d294024u
/* The same without data comparators. */
#define CCR_PTM 0x8d294004u

static const struct etm_core rows[] = {
    {.name = "arm7tdmi",
     .macrocell = "ETM7 Rev 1a, medium",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(4),
     .scr = SCR_16,
     .fifo_size = 20,
     .interfaces = JTAG},
    {.name = "arm7tdmi-small",
     .macrocell = "ETM7 Rev 1a, small",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = SMALL(4),
     .scr = SCR_8,
     .fifo_size = 10,
     .interfaces = JTAG},
    {.name = "arm7tdmi-medium",
     .macrocell = "ETM7 Rev 1a, medium",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(4),
     .scr = SCR_16,
     .fifo_size = 20,
     .interfaces = JTAG},
    {.name = "arm7tdmi-large",
     .macrocell = "ETM7 Rev 1a, large",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = LARGE(4),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm9tdmi",
     .macrocell = "ETM9 Rev 1, mediumplus",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm9tdmi-small",
     .macrocell = "ETM9 Rev 1, small",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = SMALL(2),
     .scr = SCR_8,
     .fifo_size = 9,
     .interfaces = JTAG},
    {.name = "arm9tdmi-medium",
     .macrocell = "ETM9 Rev 1, medium",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 18,
     .interfaces = JTAG},
    {.name = "arm9tdmi-mediumplus",
     .macrocell = "ETM9 Rev 1, mediumplus",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm9tdmi-large",
     .macrocell = "ETM9 Rev 1, large",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = LARGE(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm920t",
     .macrocell = "ETM9 Rev 1, mediumplus",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm926ej-s", /* Jazelle needs ETMv1.3 */
     .macrocell = "ETM9 r2p2, mediumplus",
     .version = "v1.3",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .ccr = MEDIUM(7),
     .scr = SCR_16 | SCR_FULL,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm926ej-s-small",
     .macrocell = "ETM9 r2p2, small",
     .version = "v1.3",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .ccr = SMALL(7),
     .scr = SCR_8 | SCR_FULL,
     .fifo_size = 9,
     .interfaces = JTAG},
    {.name = "arm926ej-s-large",
     .macrocell = "ETM9 r2p2, large",
     .version = "v1.3",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .ccr = LARGE(7),
     .scr = SCR_16 | SCR_FULL,
     .fifo_size = 45,
     .interfaces = JTAG},
    /* ETM10 and ETM11: table 3-47 gives the ID, but not their resources. ETM10
     * is assumed to be a large ETM9 with the three context ID comparators that
     * ETMv2 allows, ETM11 to be like the macrocells after it. */
    {.name = "arm1020e",
     .macrocell = "ETM10 Rev 0",
     .version = "v2.0",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .idr = 0x41002100,
     .ccr = CCR_V2(3, 1, 4, 4, 4, 16, 8, 8),
     .scr = SCR_16 | SCR_FULL,
     .fifo_size = 60,
     .interfaces = JTAG},
    {.name = "arm1022e",
     .macrocell = "ETM10 Rev 0",
     .version = "v2.0",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .idr = 0x41002100,
     .ccr = CCR_V2(3, 1, 4, 4, 4, 16, 8, 8),
     .scr = SCR_16 | SCR_FULL,
     .fifo_size = 60,
     .interfaces = JTAG},
    {.name = "arm1026ej-s",
     .macrocell = "ETM10RV Rev 0",
     .version = "v3.0",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .idr = 0x41002200,
     .ccr = CCR_V2(3, 1, 4, 4, 4, 16, 8, 8),
     .scr = 0x10c,
     .fifo_size = 60,
     .interfaces = JTAG},
    {.name = "arm1136jf-s",
     .macrocell = "ETM11RV r0p1",
     .version = "v3.1",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .idr = 0x41013211,
     .ccr = CCR_USUAL,
     .ccer = 0x800,
     .scr = 0x10c,
     .fifo_size = 69,
     .interfaces = JTAG | COPROCESSOR},
    {.name = "arm1176jzf-s",
     .macrocell = "CoreSight ETM11 r0p0",
     .version = "v3.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .idr = 0x41093220, /* with Security Extensions */
     .ccr = CCR_USUAL,
     .ccer = 0x800,
     .scr = 0x10c,
     .fifo_size = 69,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x920}, /* 0x910 is CoreSight ETM9 */
    /* ETM-M3 of r2p1; up to r1p1 it was v3.4 (table 3-47). No data trace, one
       counter, and the watchpoint comparators of the DWT instead of address
       comparators. Two external inputs: the manuals leave the number to the
       chip. Neither cycles nor context IDs (E-402). */
    {.name = "cortex-m3",
     .macrocell = "ETM-M3",
     .version = "v3.5",
     .profile = ETM_PROFILE_M,
     .isas = THUMB,
     .idr = 0x4114f253,
     .ccr = 0x8c842000,
     .ccer = 0x18541800,
     .scr = 0x00020d09,
     .fifo_size = 24,
     .interfaces = MEMORY,
     .data_features = ETM_DATA_FEATURES_NONE,
     .part = 0x924,
     .no_os_lock = true,
     .no_cycle_accurate = true,
     .no_context_id = true},
    {.name = "cortex-m4",
     .macrocell = "ETM-M4",
     .version = "v3.5",
     .profile = ETM_PROFILE_M,
     .isas = THUMB,
     .idr = 0x4114f250,
     .ccr = 0x8c842000,
     .ccer = 0x18541800,
     .scr = 0x00020d09,
     .fifo_size = 24,
     .interfaces = MEMORY,
     .data_features = ETM_DATA_FEATURES_NONE,
     .part = 0x925,
     .no_os_lock = true,
     .no_cycle_accurate = true,
     .no_context_id = true},
    {.name = "cortex-r4",
     .macrocell = "ETM-R4",
     .version = "v3.3",
     .profile = ETM_PROFILE_R,
     .isas = ARM | THUMB,
     .idr = 0x4104f230,
     .ccr = CCR_USUAL,
     .ccer = 0x98a,
     .scr = 0xc,
     .fifo_size = 144,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x930},
    /* As ETM-R4 except for 55 extended external inputs, and comparators that do
       not see fetches (ETMSCR[17]). External inputs and outputs are the
       chip's. */
    {.name = "cortex-r5",
     .macrocell = "ETM-R5",
     .version = "v3.3",
     .profile = ETM_PROFILE_R,
     .isas = ARM | THUMB,
     .idr = 0x4104f231,
     .ccr = CCR_USUAL,
     .ccer = 0x9ba,
     .scr = 0x20c0c,
     .fifo_size = 144,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x931,
     .no_os_lock = true},
    /* ETMCCER of a Cortex-A7's dump, for ETM-A5 without virtualization. Sizes
     * of FIFOs are not documented. */
    {.name = "cortex-a5",
     .macrocell = "ETM-A5",
     .version = "v3.5",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | THUMBEE | JAZELLE,
     .idr = 0x410cf250,
     .ccr = CCR_USUAL,
     .ccer = 0x304008f2,
     .scr = 0xc,
     .fifo_size = 64,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x955,
     .no_os_lock = true},
    {.name = "cortex-a7",
     .macrocell = "ETM-A7",
     .version = "v3.5",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | THUMBEE | JAZELLE,
     .idr = 0x410cf250,
     .ccr = CCR_USUAL,
     .ccer = 0x344008f2,
     .scr = 0xc,
     .fifo_size = 64,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x956},
    {.name = "cortex-a8",
     .macrocell = "ETM-A8",
     .version = "v3.3",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | THUMBEE | JAZELLE,
     .idr = 0x410cf230,
     .ccr = CCR_USUAL,
     .ccer = 0x98a,
     .scr = 0xc,
     .fifo_size = 64,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x921},
    /* PTM-A9 of r0p0 as its manual has it (DDI 0401A). */
    {.name = "cortex-a9r0p0",
     .macrocell = "PTM-A9 r0p0",
     .version = "pft1.0",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | THUMBEE | JAZELLE,
     .idr = 0x411cf300,
     .ccr = CCR_PTM,
     .ccer = 0x00c018ea,
     .fifo_size = 64,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x950},
    /* The values of chips, from a DB8500's dump and the manual of Zynq-7000
     * (r3p0): no return stack. They have timestamps, too (E-337). */
    {.name = "cortex-a9",
     .macrocell = "PTM-A9",
     .version = "pft1.0",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | THUMBEE | JAZELLE,
     .idr = 0x411cf301,
     .ccr = CCR_PTM,
     .ccer = 0x000008ea,
     .fifo_size = 64,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x950},
    {.name = "cortex-a15",
     .macrocell = "PTM-A15",
     .version = "pft1.1",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | THUMBEE | JAZELLE,
     .idr = 0x411cf312,
     .ccr = CCR_PTM,
     .ccer = 0x34c01ac2,
     .fifo_size = 64,
     .interfaces = MEMORY | COPROCESSOR,
     .part = 0x95f},
};

#define N_ROWS (sizeof rows / sizeof *rows)

/* Other names of the same core. */
static const struct {
    const char *alias, *name;
} aliases[] = {
    {"arm7", "arm7tdmi"},
    {"arm7tdmi-s", "arm7tdmi"},
    {"arm9", "arm9tdmi"},
    {"arm922t", "arm920t"},
    {"arm926", "arm926ej-s"},
    {"arm1020", "arm1020e"},
    {"arm1020t", "arm1020e"},
    {"arm1022", "arm1022e"},
    {"arm1026", "arm1026ej-s"},
    {"arm1136", "arm1136jf-s"},
    {"arm1136j-s", "arm1136jf-s"},
    {"arm1176", "arm1176jzf-s"},
    {"arm1176jz-s", "arm1176jzf-s"},
};

const struct etm_core *etm_cores(size_t n)
{
    return n < N_ROWS ? &rows[n] : NULL;
}

const struct etm_core *etm_core_find(const char *name)
{
    if (!name)
        return NULL;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (etm_same_name(name, aliases[i].alias)) {
            name = aliases[i].name;
            break;
        }
    }
    for (size_t i = 0; i < N_ROWS; i++)
        if (etm_same_name(name, rows[i].name))
            return &rows[i];
    return NULL;
}
