/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and numbers of the registers (ETM architecture, table 3-3; those of
 * ETMv3.5 and PFT fill gaps in the same numbering).
 */
#include "base/fold.h"
#include "regs/regs.h"

#include <etm/config.h>

#define ROWS_2(name, first, step)                                              \
    {(first), name "1"},                                                       \
    {                                                                          \
        (first) + (step), name "2"                                             \
    }
#define ROWS_3(name, first, step)                                              \
    ROWS_2(name, first, step),                                                 \
    {                                                                          \
        (first) + 2 * (step), name "3"                                         \
    }
#define ROWS_4(name, first, step)                                              \
    ROWS_3(name, first, step),                                                 \
    {                                                                          \
        (first) + 3 * (step), name "4"                                         \
    }
#define ROWS_8(name, first, step)                                              \
    ROWS_4(name, first, step), {(first) + 4 * (step), name "5"},               \
        {(first) + 5 * (step), name "6"}, {(first) + 6 * (step), name "7"},    \
    {                                                                          \
        (first) + 7 * (step), name "8"                                         \
    }
#define ROWS_16(name, first, step)                                             \
    ROWS_8(name, first, step), {(first) + 8 * (step), name "9"},               \
        {(first) + 9 * (step), name "10"}, {(first) + 10 * (step), name "11"}, \
        {(first) + 11 * (step), name "12"},                                    \
        {(first) + 12 * (step), name "13"},                                    \
        {(first) + 13 * (step), name "14"},                                    \
        {(first) + 14 * (step), name "15"},                                    \
    {                                                                          \
        (first) + 15 * (step), name "16"                                       \
    }

struct row {
    uint32_t number;
    const char *name;
};

/* In ascending order of the numbers. */
static const struct row rows[] = {
    {0x000, "ETMCR"},                 /* Control */
    {0x001, "ETMCCR"},                /* Configuration Code */
    {0x002, "ETMTRIGGER"},            /* Trigger Event */
    {0x003, "ETMASICCR"},             /* ASIC Control */
    {0x004, "ETMSR"},                 /* Status */
    {0x005, "ETMSCR"},                /* System Configuration */
    {0x006, "ETMTSSCR"},              /* Trace Start/Stop Resource Control */
    {0x007, "ETMTECR2"},              /* TraceEnable Control 2 */
    {0x008, "ETMTEEVR"},              /* TraceEnable Event */
    {0x009, "ETMTECR1"},              /* TraceEnable Control 1 */
    {0x00a, "ETMFFRR"},               /* FIFOFULL Region */
    {0x00b, "ETMFFLR"},               /* FIFOFULL Level */
    {0x00c, "ETMVDEVR"},              /* ViewData Event */
    ROWS_3("ETMVDCR", 0x00d, 1),      /* ViewData Control */
    ROWS_16("ETMACVR", 0x010, 1),     /* Address Comparator Value */
    ROWS_16("ETMACTR", 0x020, 1),     /* Address Access Type */
    ROWS_8("ETMDCVR", 0x030, 2),      /* Data Comparator Value */
    ROWS_8("ETMDCMR", 0x040, 2),      /* Data Comparator Mask */
    ROWS_4("ETMCNTRLDVR", 0x050, 1),  /* Counter Reload Value */
    ROWS_4("ETMCNTENR", 0x054, 1),    /* Counter Enable */
    ROWS_4("ETMCNTRLDEVR", 0x058, 1), /* Counter Reload Event */
    ROWS_4("ETMCNTVR", 0x05c, 1),     /* Counter Value */
    {0x060, "ETMSQ12EVR"}, /* Sequencer State Transition Event 1 to 2 */
    {0x061, "ETMSQ21EVR"},
    {0x062, "ETMSQ23EVR"},
    {0x063, "ETMSQ31EVR"},
    {0x064, "ETMSQ32EVR"},
    {0x065, "ETMSQ13EVR"},
    {0x067, "ETMSQR"},                /* Current Sequencer State */
    ROWS_4("ETMEXTOUTEVR", 0x068, 1), /* External Output Event */
    ROWS_3("ETMCIDCVR", 0x06c, 1),    /* Context ID Comparator Value */
    {0x06f, "ETMCIDCMR"},             /* Context ID Comparator Mask */
    {0x070, "ETMIMPSPEC0"},           /* Implementation specific */
    {0x071, "ETMIMPSPEC1"},
    {0x072, "ETMIMPSPEC2"},
    {0x073, "ETMIMPSPEC3"},
    {0x074, "ETMIMPSPEC4"},
    {0x075, "ETMIMPSPEC5"},
    {0x076, "ETMIMPSPEC6"},
    {0x077, "ETMIMPSPEC7"},
    {0x078, "ETMSYNCFR"},     /* Synchronization Frequency */
    {0x079, "ETMIDR"},        /* ETM ID */
    {0x07a, "ETMCCER"},       /* Configuration Code Extension */
    {0x07b, "ETMEXTINSELR"},  /* Extended External Input Selection */
    {0x07c, "ETMTESSEICR"},   /* Trace Start/Stop EmbeddedICE Control */
    {0x07d, "ETMEIBCR"},      /* EmbeddedICE Behavior Control */
    {0x07e, "ETMTSEVR"},      /* Timestamp Event: ETMv3.5, PFT */
    {0x07f, "ETMAUXCR"},      /* Auxiliary Control: ETMv3.5, PFT */
    {0x080, "ETMTRACEIDR"},   /* CoreSight Trace ID */
    {0x082, "ETMIDR2"},       /* ID 2: ETMv3.5, PFT */
    {0x090, "ETMVMIDCVR"},    /* VMID Comparator Value: ETMv3.5, PFTv1.1 */
    {0x0c0, "ETMOSLAR"},      /* OS Lock Access */
    {0x0c1, "ETMOSLSR"},      /* OS Lock Status */
    {0x0c2, "ETMOSSRR"},      /* OS Save/Restore */
    {0x0c4, "ETMPDCR"},       /* Power-Down Control: ETMv3.5, PFT */
    {0x0c5, "ETMPDSR"},       /* Power-Down Status */
    {0x3c0, "ETMITCTRL"},     /* Integration Mode Control */
    {0x3e8, "ETMCLAIMSET"},   /* Claim Tag Set */
    {0x3e9, "ETMCLAIMCLR"},   /* Claim Tag Clear */
    {0x3ec, "ETMLAR"},        /* Lock Access */
    {0x3ed, "ETMLSR"},        /* Lock Status */
    {0x3ee, "ETMAUTHSTATUS"}, /* Authentication Status */
    {0x3f2, "ETMDEVID"},      /* Device Configuration */
    {0x3f3, "ETMDEVTYPE"},    /* Device Type */
    {0x3f4, "ETMPIDR4"},      /* Peripheral identification */
    {0x3f5, "ETMPIDR5"},
    {0x3f6, "ETMPIDR6"},
    {0x3f7, "ETMPIDR7"},
    {0x3f8, "ETMPIDR0"},
    {0x3f9, "ETMPIDR1"},
    {0x3fa, "ETMPIDR2"},
    {0x3fb, "ETMPIDR3"},
    {0x3fc, "ETMCIDR0"}, /* Component identification */
    {0x3fd, "ETMCIDR1"},
    {0x3fe, "ETMCIDR2"},
    {0x3ff, "ETMCIDR3"},
};

/*
 * Registers beside the macrocell that select for it, by their addresses: those
 * of the DWT in M-profile processors, and what switches it on (ARMv7-M
 * Architecture Reference Manual, DDI 0403, C1.6.5 and C1.8).
 */
static const struct row beside[] = {
    {0xe0001020, "DWT_COMP0"},     {0xe0001024, "DWT_MASK0"},
    {0xe0001028, "DWT_FUNCTION0"}, {0xe0001030, "DWT_COMP1"},
    {0xe0001034, "DWT_MASK1"},     {0xe0001038, "DWT_FUNCTION1"},
    {0xe0001040, "DWT_COMP2"},     {0xe0001044, "DWT_MASK2"},
    {0xe0001048, "DWT_FUNCTION2"}, {0xe0001050, "DWT_COMP3"},
    {0xe0001054, "DWT_MASK3"},     {0xe0001058, "DWT_FUNCTION3"},
    {0xe000edfc, "DEMCR"},
};

/* Registers of the buffers that trace is read from, which have no fixed
 * addresses: numbers that are no address of a register, as they are odd
 * (CoreSight Trace Memory Controller TRM, DDI 0461; ETB TRM, DDI 0242; MTB-M0+
 * TRM, DDI 0486).
 */
static const struct row buffers[] = {
    {0xfffff001, "MTB_POSITION"}, {0xfffff003, "MTB_MASTER"},
    {0xfffff011, "ETB_STS"},      {0xfffff013, "ETB_RWP"},
    {0xfffff021, "TMC_STS"},      {0xfffff023, "TMC_RWP"},
    {0xfffff025, "TMC_DBALO"},
};

/* Other names in use. */
static const struct row aliases[] = {
    {0x003, "ETMASICCTLR"},
    {0x006, "ETMTSSVR"}, /* as Linux calls its file */
    {0x3ec, "ETMLOCKACCESS"},
    {0x3ed, "ETMLOCKSTATUS"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* `prefix`: so many characters of the names may be left out. */
static uint32_t find(const struct row *table, size_t n, size_t prefix,
                     const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (etm_fold_same(table[i].name, name) ||
            etm_fold_same(table[i].name + prefix, name))
            return table[i].number;
    }
    return ETM_REGISTER_NONE;
}

/* The specification names the management registers without "ETM" (for instance
 * OSLAR, 3.5.24), and tools do so with others. */
uint32_t etm_register_number(const char *name)
{
    uint32_t number;

    if (name == NULL)
        return ETM_REGISTER_NONE;
    number = find(rows, COUNT(rows), 3, name);
    if (number == ETM_REGISTER_NONE)
        number = find(aliases, COUNT(aliases), 3, name);
    if (number == ETM_REGISTER_NONE)
        number = find(beside, COUNT(beside), 0, name);
    if (number == ETM_REGISTER_NONE)
        number = find(buffers, COUNT(buffers), 0, name);
    return number;
}

/* Rows in ascending order. */
static const char *name_in(const struct row *table, size_t n, uint32_t number)
{
    size_t low = 0, high = n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table[middle].number == number)
            return table[middle].name;
        if (table[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *etm_register_name(uint32_t number)
{
    const char *name = name_in(rows, COUNT(rows), number);

    if (name == NULL)
        name = name_in(beside, COUNT(beside), number);
    return name != NULL ? name : name_in(buffers, COUNT(buffers), number);
}

const struct etm_register *etm_register_find(const struct etm_register *r,
                                             size_t n, uint32_t number)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t known = etm_register_number(r[i].name);

        if ((known == ETM_REGISTER_NONE ? r[i].number : known) == number)
            return &r[i];
    }
    return NULL;
}
