/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cores that had these macrocells, and what is known of them by name or by
 * ETMIDR: table 3-47 for ETMIDR, tables 2-19 and 2-20 for the standard
 * configurations of ETMv1, the technical reference manuals of the macrocells
 * and register dumps of chips for the others.
 */
#include "regs/cores.h"

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
/* CCR_USUAL without data comparators. */
#define CCR_PTM 0x8d294004u

static const struct etm_core rows[] = {
    {.name = "arm7tdmi",
     .processor = "arm7tdmi",
     .architecture = 4,
     .macrocell = "ETM7 Rev 1a, medium",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(4),
     .scr = SCR_16,
     .fifo_size = 20,
     .interfaces = JTAG},
    {.name = "arm7tdmi-small",
     .processor = "arm7tdmi",
     .architecture = 4,
     .macrocell = "ETM7 Rev 1a, small",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = SMALL(4),
     .scr = SCR_8,
     .fifo_size = 10,
     .interfaces = JTAG},
    {.name = "arm7tdmi-medium",
     .processor = "arm7tdmi",
     .architecture = 4,
     .macrocell = "ETM7 Rev 1a, medium",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(4),
     .scr = SCR_16,
     .fifo_size = 20,
     .interfaces = JTAG},
    {.name = "arm7tdmi-large",
     .processor = "arm7tdmi",
     .architecture = 4,
     .macrocell = "ETM7 Rev 1a, large",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = LARGE(4),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm9tdmi",
     .processor = "arm9tdmi",
     .architecture = 4,
     .macrocell = "ETM9 Rev 1, mediumplus",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm9tdmi-small",
     .processor = "arm9tdmi",
     .architecture = 4,
     .macrocell = "ETM9 Rev 1, small",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = SMALL(2),
     .scr = SCR_8,
     .fifo_size = 9,
     .interfaces = JTAG},
    {.name = "arm9tdmi-medium",
     .processor = "arm9tdmi",
     .architecture = 4,
     .macrocell = "ETM9 Rev 1, medium",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 18,
     .interfaces = JTAG},
    {.name = "arm9tdmi-mediumplus",
     .processor = "arm9tdmi",
     .architecture = 4,
     .macrocell = "ETM9 Rev 1, mediumplus",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm9tdmi-large",
     .processor = "arm9tdmi",
     .architecture = 4,
     .macrocell = "ETM9 Rev 1, large",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = LARGE(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm920t",
     .processor = "arm920t",
     .architecture = 4,
     .macrocell = "ETM9 Rev 1, mediumplus",
     .version = "v1.2",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB,
     .ccr = MEDIUM(2),
     .scr = SCR_16,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm926ej-s", /* Jazelle needs ETMv1.3 */
     .processor = "arm926ej-s",
     .architecture = 5,
     .macrocell = "ETM9 r2p2, mediumplus",
     .version = "v1.3",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .ccr = MEDIUM(7),
     .scr = SCR_16 | SCR_FULL,
     .fifo_size = 45,
     .interfaces = JTAG},
    {.name = "arm926ej-s-small",
     .processor = "arm926ej-s",
     .architecture = 5,
     .macrocell = "ETM9 r2p2, small",
     .version = "v1.3",
     .profile = ETM_PROFILE_A,
     .isas = ARM | THUMB | JAZELLE,
     .ccr = SMALL(7),
     .scr = SCR_8 | SCR_FULL,
     .fifo_size = 9,
     .interfaces = JTAG},
    {.name = "arm926ej-s-large",
     .processor = "arm926ej-s",
     .architecture = 5,
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
     .processor = "arm1020e",
     .architecture = 5,
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
     .processor = "arm1022e",
     .architecture = 5,
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
     .processor = "arm1026ej-s",
     .architecture = 5,
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
     .processor = "arm1136jf-s",
     .architecture = 6,
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
     .processor = "arm1176jzf-s",
     .architecture = 6,
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
     .processor = "cortex-m3",
     .architecture = 7,
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
     .processor = "cortex-m4",
     .architecture = 7,
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
     .processor = "cortex-r4",
     .architecture = 7,
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
     .processor = "cortex-r5",
     .architecture = 7,
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
     .processor = "cortex-a5",
     .architecture = 7,
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
     .processor = "cortex-a7",
     .architecture = 7,
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
     .processor = "cortex-a8",
     .architecture = 7,
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
     .processor = "cortex-a9",
     .architecture = 7,
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
     .processor = "cortex-a9",
     .architecture = 7,
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
     .processor = "cortex-a15",
     .architecture = 7,
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

#define COUNT(array) (sizeof(array) / sizeof *(array))

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

/* The rows whose ETMCCER all known chips show, as far as it affects the format
 * of the trace (E-365). */
static const char *const seen[] = {"cortex-m3", "cortex-a7", "cortex-a9",
                                   "cortex-a15"};

/*
 * Families of cores, most of which have macrocells that are not described here,
 * and architectures: how their names begin. No register of the macrocell gives
 * the profile directly, but it determines what exception numbers mean.
 */
static const struct {
    const char *begins;
    enum etm_profile profile;
} families[] = {
    {"CORTEXM", ETM_PROFILE_M},
    {"CORTEXR", ETM_PROFILE_R},
    {"CORTEXA", ETM_PROFILE_A},
    {"CORTEXX", ETM_PROFILE_A},
    {"NEOVERSE", ETM_PROFILE_A},
    {"SC000", ETM_PROFILE_M},
    {"SC300", ETM_PROFILE_M},
    {"ARMV6M", ETM_PROFILE_M},
    {"ARMV7M", ETM_PROFILE_M},
    {"ARMV7EM", ETM_PROFILE_M},
    {"ARMV8M", ETM_PROFILE_M},
    {"ARMV7R", ETM_PROFILE_R},
    {"ARMV8R", ETM_PROFILE_R},
    {"ARMV7A", ETM_PROFILE_A},
    {"ARMV8A", ETM_PROFILE_A},
    {"ARMV9A", ETM_PROFILE_A},
    {"ARMAA64", ETM_PROFILE_A},
    {"SCORPION", ETM_PROFILE_A},
    {"KRAIT", ETM_PROFILE_A},
    /* Older than profiles; their exceptions are those of the A profile. */
    {"ARM7", ETM_PROFILE_A},
    {"ARM9", ETM_PROFILE_A},
    {"ARM10", ETM_PROFILE_A},
    {"ARM11", ETM_PROFILE_A},
};

const struct etm_core *etm_cores(size_t n)
{
    return n < COUNT(rows) ? &rows[n] : NULL;
}

static const struct etm_core *core_named(const char *name)
{
    for (size_t i = 0; i < COUNT(aliases); i++) {
        if (etm_same_name(name, aliases[i].alias)) {
            name = aliases[i].name;
            break;
        }
    }
    for (size_t i = 0; i < COUNT(rows); i++)
        if (etm_same_name(name, rows[i].name))
            return &rows[i];
    return NULL;
}

int etm_core_find(const char *name, const struct etm_core **core)
{
    *core = name ? core_named(name) : NULL;
    if (!name)
        return ETM_ERR_ARGUMENT;
    return *core ? ETM_OK : ETM_ERR_NOT_FOUND;
}

const struct etm_core *etm_core_seen(uint32_t idr)
{
    for (size_t i = 0; i < COUNT(seen); i++) {
        const struct etm_core *core = core_named(seen[i]);

        /* without the revision, ETMIDR[3:0] */
        if ((core->idr ^ idr) >> 4 == 0)
            return core;
    }
    return NULL;
}

enum etm_profile etm_profile_of_idr(uint32_t idr)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        /* Without the minor version, ETMIDR[7:4], too: it differs between
         * revisions of the core. */
        if (rows[i].idr != 0 && (rows[i].idr ^ idr) >> 8 == 0)
            return rows[i].profile;
    }
    return ETM_PROFILE_UNKNOWN;
}

enum etm_profile etm_profile_of_core(const char *type)
{
    for (size_t i = 0; i < COUNT(families); i++)
        if (etm_name_begins(type, families[i].begins))
            return families[i].profile;
    return ETM_PROFILE_UNKNOWN;
}
