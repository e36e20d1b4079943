/* SPDX-License-Identifier: Apache-2.0 */
/* Which registers a macrocell has, and which of their bits (3.4, 3.5). */
#include "model/registers.h"

#include "base/diag.h"
#include "base/size.h"
#include "model/etmv1_port.h"
#include "model/etmv2_port.h"

#include <string.h>

/* Column "Type" of table 3-3. */
enum type {
    RO,
    WO,     /* readable where ETMCCER[11] says so (table 3-3, note d) */
    WO_RAZ, /* never readable: a key */
    RW,
    RW_20, /* write-only in v1.x, then read/write: ETMFFLR (3.5.8) */
    RW_31, /* read-only before v3.1: the state items (3.4.4) */
    TEST   /* implementation defined: reads zero, ignores writes (3.3.2) */
};

/* What must exist for a register to exist. */
enum need {
    ALWAYS,
    ETM,      /* no program flow trace macrocell */
    SACS,     /* one for each single address comparator */
    SAC_ANY,  /* and not in PFT */
    DVCS,     /* one for each */
    COUNTERS, /* one for each */
    SEQUENCER,
    EXT_OUTS, /* one for each */
    CIDCS,    /* one for each */
    CIDC_ANY,
    EXTSELS,
    START_STOP,
    START_STOP_EICE,
    EICE_BEHAVIOR,
    FIFOFULL,
    VIEW_DATA,
    VIEW_DATA_MMD,
    TIMESTAMPS,
    VMID,
    OS_LOCK,
    OS_SAVE,
    POWER_CONTROL
};

struct rule {
    uint16_t first;
    uint8_t count, step; /* number of similar registers, and their distance */
    uint8_t type;        /* enum type */
    uint8_t since;       /* first version */
    uint8_t need;        /* enum need */
    uint32_t bits;       /* defined bits; narrow() takes some away */
};

#define EVENT 0x1ffffu /* 3.5.3 */
#define ALL 0xffffffffu
#define BYTE 0xffu

static const struct rule rules[] = {
    {0x000, 1, 1, RW, ETM_V1_0, ALWAYS, ALL},
    {0x001, 1, 1, RO, ETM_V1_0, ALWAYS, ALL},
    {0x002, 1, 1, WO, ETM_V1_0, ALWAYS, EVENT},
    {0x003, 1, 1, WO, ETM_V1_0, ETM, ALL},
    {0x004, 1, 1, RW_31, ETM_V1_1, ALWAYS, 0xf},
    {0x005, 1, 1, RO, ETM_V1_2, ALWAYS, ALL},
    {0x006, 1, 1, WO, ETM_V1_2, START_STOP, ALL},
    {0x007, 1, 1, WO, ETM_V1_2, SAC_ANY, 0xffff},
    {0x008, 1, 1, WO, ETM_V1_0, ALWAYS, EVENT},
    {0x009, 1, 1, WO, ETM_V1_0, ALWAYS, 0x03ffffff},
    {0x00a, 1, 1, WO, ETM_V1_0, FIFOFULL, 0x01ffffff},
    {0x00b, 1, 1, RW_20, ETM_V1_0, ETM, BYTE},
    {0x00c, 1, 1, WO, ETM_V1_0, VIEW_DATA, EVENT},
    {0x00d, 1, 1, WO, ETM_V1_0, VIEW_DATA, ALL},
    {0x00e, 1, 1, WO, ETM_V1_0, VIEW_DATA_MMD, ALL},
    {0x00f, 1, 1, WO, ETM_V1_0, VIEW_DATA, 0x0001ffff},
    {0x010, 16, 1, WO, ETM_V1_0, SACS, ALL},
    {0x020, 16, 1, WO, ETM_V1_0, SACS, 0xffff},
    {0x030, 8, 2, WO, ETM_V1_0, DVCS, ALL},
    {0x040, 8, 2, WO, ETM_V1_0, DVCS, ALL},
    {0x050, 4, 1, WO, ETM_V1_0, COUNTERS, 0xffff},
    {0x054, 4, 1, WO, ETM_V1_0, COUNTERS, 0x3ffff},
    {0x058, 4, 1, WO, ETM_V1_0, COUNTERS, EVENT},
    {0x05c, 4, 1, RW_31, ETM_V1_0, COUNTERS, 0xffff},
    {0x060, 6, 1, WO, ETM_V1_0, SEQUENCER, EVENT},
    {0x067, 1, 1, RW_31, ETM_V1_0, SEQUENCER, 3},
    {0x068, 4, 1, WO, ETM_V1_0, EXT_OUTS, EVENT},
    {0x06c, 3, 1, WO, ETM_V2_0, CIDCS, ALL},
    {0x06f, 1, 1, WO, ETM_V2_0, CIDC_ANY, ALL},
    {0x070, 1, 1, WO, ETM_V2_0, ALWAYS, 0xf0},
    {0x078, 1, 1, WO, ETM_V2_0, ALWAYS, 0xfff},
    {0x079, 1, 1, RO, ETM_V2_0, ALWAYS, ALL},
    {0x07a, 1, 1, RO, ETM_V3_1, ALWAYS, ALL},
    {0x07b, 1, 1, WO, ETM_V3_1, EXTSELS, ALL},
    {0x07c, 1, 1, WO, ETM_V3_4, START_STOP_EICE, 0x00ff00ff},
    {0x07d, 1, 1, WO, ETM_V3_4, EICE_BEHAVIOR, BYTE},
    {0x07e, 1, 1, RW, ETM_V3_5, TIMESTAMPS, EVENT},
    {0x07f, 1, 1, RW, ETM_V3_5, ALWAYS, BYTE},
    {0x080, 1, 1, RW, ETM_V3_2, ALWAYS, 0x7f},
    {0x082, 1, 1, RO, ETM_V3_5, ALWAYS, ALL},
    {0x090, 1, 1, RW, ETM_V3_5, VMID, BYTE},
    {0x0c0, 1, 1, WO_RAZ, ETM_V3_3, OS_LOCK, ALL},
    {0x0c1, 1, 1, RO, ETM_V3_3, OS_LOCK, ALL},
    {0x0c2, 1, 1, RW, ETM_V3_3, OS_SAVE, ALL},
    {0x0c4, 1, 1, RW, ETM_V3_5, POWER_CONTROL, 8},
    {0x0c5, 1, 1, RO, ETM_V3_3, ALWAYS, ALL},
    {0x380, 64, 1, TEST, ETM_V3_2, ALWAYS, ALL},
    {0x3c0, 1, 1, RW, ETM_V3_2, ALWAYS, 1},
    {0x3e8, 1, 1, RW, ETM_V3_2, ALWAYS, BYTE},
    {0x3e9, 1, 1, RW, ETM_V3_2, ALWAYS, BYTE},
    {0x3ec, 1, 1, WO_RAZ, ETM_V3_2, ALWAYS, ALL},
    {0x3ed, 1, 1, RO, ETM_V3_2, ALWAYS, ALL},
    {0x3ee, 1, 1, RO, ETM_V3_2, ALWAYS, ALL},
    {0x3f2, 14, 1, RO, ETM_V3_2, ALWAYS, ALL},
};

/*
 * How many of rule->count registers there are. PFT has no data comparators,
 * memory map decoders or ViewData; its TraceEnable takes address ranges only,
 * so there is no second control register. None that is known stalls its
 * processor: ETMFFLR is reserved (IHI 0035B, 3.16.10; E-125).
 */
static unsigned existing(const struct etm_regfile *r, const struct rule *rule)
{
    const struct etm_resource_counts *c = &r->counts;
    bool view_data =
        !r->pft && (r->version < ETM_V3_3 ||
                    r->config.data_features != ETM_DATA_FEATURES_NONE);

    switch ((enum need)rule->need) {
    case ALWAYS:
        return rule->count;
    case ETM:
        return !r->pft;
    case SACS:
        return 2u * c->sac_pairs;
    case SAC_ANY:
        return !r->pft && c->sac_pairs != 0;
    case DVCS:
        return c->dvcs;
    case COUNTERS:
        return c->counters;
    case SEQUENCER:
        return c->sequencer ? rule->count : 0;
    case EXT_OUTS:
        return c->ext_out;
    case CIDCS:
        return c->cidcs;
    case CIDC_ANY:
        return c->cidcs != 0;
    case EXTSELS:
        return c->extsels != 0;
    case START_STOP:
        return c->start_stop && c->sac_pairs != 0; /* E-403 */
    case START_STOP_EICE:
        return c->start_stop && c->start_stop_eice;
    case EICE_BEHAVIOR:
        return c->eice_behavior;
    case FIFOFULL: /* and something that a region is made of (E-403) */
        return !r->pft && c->fifofull && (c->sac_pairs != 0 || c->mmds != 0);
    case VIEW_DATA:
        return view_data;
    case VIEW_DATA_MMD:
        return view_data && c->mmds != 0;
    case TIMESTAMPS:
        return etm_regfile_has_timestamps(r);
    case VMID:
        return r->trace.virtualization;
    case OS_LOCK:
        return !r->config.no_os_lock;
    case OS_SAVE:
        return !r->config.no_os_lock && !etm_version_saves_by_hand(r->version);
    case POWER_CONTROL:
        return r->version != ETM_PFT1_0 && !r->config.no_os_lock;
    }
    return 0;
}

static uint8_t flags_of(const struct etm_regfile *r, enum type type)
{
    bool readable = (r->value[ETM_REG_CCER] >> 11 & 1) != 0; /* 3.5.19 */
    unsigned both = ETM_REG_EXISTS | ETM_REG_READS | ETM_REG_WRITES;
    unsigned read = ETM_REG_EXISTS | ETM_REG_READS;
    unsigned write = ETM_REG_EXISTS | ETM_REG_WRITES;

    switch (type) {
    case RO:
        return (uint8_t)read;
    case WO:
        return (uint8_t)(readable ? both : write);
    case WO_RAZ:
        return (uint8_t)write;
    case RW:
    case TEST:
        return (uint8_t)both;
    case RW_20:
        return (uint8_t)(r->version >= ETM_V2_0 ? both : write);
    case RW_31:
        return (uint8_t)(r->version >= ETM_V3_1 ? both : read);
    }
    return 0;
}

static uint32_t low_bits(unsigned n)
{
    return n >= 32 ? ALL : (UINT32_C(1) << n) - 1;
}

/*
 * ETMCR (table 3-5). The program flow trace macrocells have no data trace and
 * no port of their own: these are the bits that have a meaning there.
 */
static uint32_t control_bits(const struct etm_regfile *r)
{
    unsigned v = r->version;
    uint32_t bits = ETM_CR_POWER_DOWN | ETM_CR_BRANCH_OUTPUT |
                    ETM_CR_DEBUG_REQUEST | ETM_CR_PROGRAMMING |
                    ETM_CR_CYCLE_ACCURATE;

    if (!r->pft)
        bits |= ETM_CR_CPRT | ETM_CR_DATA_VALUE | ETM_CR_DATA_ADDRESS |
                ETM_CR_PORT_SIZE | ETM_CR_STALL | ETM_CR_PORT_ENABLE;
    if (v >= ETM_V1_2)
        bits |= ETM_CR_CONTEXT_ID;
    if (v >= ETM_V1_2 && !r->pft)
        bits |= ETM_CR_PORT_MODE_2 | ETM_CR_PORT_MODE;
    if (v >= ETM_V3_0 && !r->pft)
        bits |= ETM_CR_SUPPRESS_DATA | ETM_CR_CPRT_FILTER | ETM_CR_PORT_SIZE_3;
    if (v >= ETM_V3_1)
        bits |= ETM_CR_NO_DEBUGGER_WRITES;
    if (v >= ETM_V3_1 && !r->pft)
        bits |= ETM_CR_DATA_ONLY;
    if (v >= ETM_V3_2)
        bits |= ETM_CR_NO_SOFTWARE_WRITES | ETM_CR_CORE_SELECT;
    if (v >= ETM_V3_3)
        bits |= ETM_CR_INSTRUMENTATION;
    if (v >= ETM_V3_5)
        bits |= ETM_CR_TIMESTAMP;
    if (r->pft)
        bits |= ETM_CR_RETURN_STACK;
    if (v >= ETM_V3_5 && v != ETM_PFT1_0)
        bits |= ETM_CR_VMID;
    return bits;
}

/* Bits of ETMCR whose feature is missing: they ignore writes and read 0. */
static uint32_t control_absent(const struct etm_regfile *r)
{
    const struct etm_macrocell_config *c = &r->config;
    bool optional_data = r->version >= ETM_V3_3 && !r->pft;
    uint32_t absent = 0;

    if (c->no_branch_broadcast && r->version >= ETM_V2_0)
        absent |= ETM_CR_BRANCH_OUTPUT;
    if (!r->counts.fifofull)
        absent |= ETM_CR_STALL;
    if (c->no_cycle_accurate && r->version >= ETM_V3_3)
        absent |= ETM_CR_CYCLE_ACCURATE;
    if (c->no_context_id)
        absent |= ETM_CR_CONTEXT_ID;
    if (c->no_cprt && r->version >= ETM_V2_1)
        absent |= ETM_CR_CPRT | ETM_CR_CPRT_FILTER;
    if (c->no_data_suppression && r->version >= ETM_V3_3)
        absent |= ETM_CR_SUPPRESS_DATA;
    if (c->no_write_disable)
        absent |= ETM_CR_NO_DEBUGGER_WRITES | ETM_CR_NO_SOFTWARE_WRITES;
    if (r->counts.instrumentation == 0)
        absent |= ETM_CR_INSTRUMENTATION;
    if (!etm_regfile_has_timestamps(r))
        absent |= ETM_CR_TIMESTAMP;
    if (!r->trace.return_stack_implemented)
        absent |= ETM_CR_RETURN_STACK;
    if (!r->trace.virtualization)
        absent |= ETM_CR_VMID;
    if (!optional_data)
        return absent;

    /* Table 3-9: what a probe of bits [20:18] and [3:1] sees. */
    switch ((enum etm_data_features)c->data_features) {
    case ETM_DATA_FEATURES_ALL:
        break;
    case ETM_DATA_FEATURES_ADDRESS:
        absent |= ETM_CR_DATA_ONLY | ETM_CR_CPRT_FILTER | ETM_CR_DATA_VALUE |
                  ETM_CR_CPRT;
        break;
    case ETM_DATA_FEATURES_VALUE:
        absent |= ETM_CR_DATA_ONLY | ETM_CR_DATA_ADDRESS;
        break;
    case ETM_DATA_FEATURES_NONE:
        absent |= ETM_CR_DATA_ONLY | ETM_CR_CPRT_FILTER | ETM_CR_SUPPRESS_DATA |
                  ETM_CR_DATA_ADDRESS | ETM_CR_DATA_VALUE | ETM_CR_CPRT;
        break;
    }
    return absent;
}

/* Address Access Type (table 3-27; v3.5 and PFT: two bits for each security
   state, [13,11] and [12,10]; with virtualization, Hyp mode [14] and VMID
   [15]). */
static uint32_t access_type_bits(const struct etm_regfile *r)
{
    uint32_t bits = 0x7f;

    if (r->version >= ETM_V2_0)
        bits |= 0x080 | (r->counts.cidcs != 0 ? 0x300u : 0);
    if (r->version >= ETM_V3_2 && r->security)
        bits |= r->version >= ETM_V3_5 ? 0x3c00 : 0xc00;
    if (r->trace.virtualization && r->version >= ETM_V3_5 &&
        r->version != ETM_PFT1_0)
        bits |= 0xc000;
    return bits;
}

static void narrow(struct etm_regfile *r, uint32_t number, uint32_t bits)
{
    r->defined[number] &= bits;
}

/* Bits of absent resources are reserved, and those of later versions. */
static void narrow_all(struct etm_regfile *r)
{
    const struct etm_resource_counts *c = &r->counts;
    uint32_t sacs = low_bits(2u * c->sac_pairs);
    uint32_t arcs = low_bits(c->sac_pairs);
    uint32_t mmds = low_bits(c->mmds);
    uint32_t eices = low_bits(c->eices);
    unsigned asic = r->config.asic_bits == 0 ? 8 : r->config.asic_bits;

    narrow(r, ETM_REG_CR, control_bits(r));
    narrow(r, ETM_REG_ASICCR, low_bits(asic));
    narrow(r, ETM_REG_SR, r->version >= ETM_V3_1 ? 0xc : 0);
    narrow(r, ETM_REG_TSSCR, sacs << 16 | sacs);
    narrow(r, ETM_REG_TECR2, sacs);
    narrow(r, ETM_REG_TECR1,
           (uint32_t)(c->start_stop && r->version >= ETM_V1_2) << 25 |
               UINT32_C(1) << 24 | mmds << 8 | arcs);
    narrow(r, ETM_REG_FFRR, UINT32_C(1) << 24 | mmds << 8 | arcs);
    narrow(r, ETM_REG_VDCR1, sacs << 16 | sacs);
    narrow(r, ETM_REG_VDCR2, mmds << 16 | mmds);
    narrow(r, ETM_REG_VDCR3, UINT32_C(1) << 16 | arcs << 8 | arcs);
    for (uint32_t i = 0; i < 16; i++)
        narrow(r, ETM_REG_ACTR1 + i, access_type_bits(r));
    for (uint32_t i = 0; i < 4; i++)
        /* [17] chooses the source of the clock in v1.x only (3.5.12). */
        narrow(r, ETM_REG_CNTENR1 + i,
               r->version < ETM_V2_0 ? EVENT | 0x20000 : EVENT);
    narrow(r, ETM_REG_EXTINSELR, low_bits(8u * c->extsels));
    narrow(r, ETM_REG_TESSEICR, eices << 16 | eices);
    narrow(r, ETM_REG_EIBCR, eices);
}

/* What of the defined bits really takes a write. */
static void writable_all(struct etm_regfile *r)
{
    memcpy(r->writable, r->defined, sizeof r->writable);
    for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
        if ((r->flags[n] & ETM_REG_WRITES) == 0)
            r->writable[n] = 0;
    }
    r->writable[ETM_REG_CR] &= ~control_absent(r);
    if (r->config.implementation == 0)
        r->writable[ETM_REG_IMPSPEC0] = 0;
    r->writable[ETM_REG_SYNCFR] &= ~low_bits(r->config.sync_low_bits);
    if (r->config.sync_fixed && r->version >= ETM_V3_4)
        r->writable[ETM_REG_SYNCFR] = 0;
    for (uint32_t n = 0x380; n < 0x3c0; n++)
        r->writable[n] = 0;
}

/* Fills flags, writable and defined. */
static void make_rules(struct etm_regfile *r)
{
    memset(r->flags, 0, sizeof r->flags);
    memset(r->defined, 0, sizeof r->defined);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct rule *rule = &rules[i];
        unsigned n = existing(r, rule);

        if (r->version < rule->since)
            continue;
        for (unsigned k = 0; k < n && k < rule->count; k++) {
            uint32_t number = rule->first + k * rule->step;

            r->flags[number] = flags_of(r, (enum type)rule->type);
            r->defined[number] = rule->bits;
        }
    }
    /* 3.5.17: read-only, whatever ETMCCER[11] says. Writing it is no mistake,
     * as its probe does it. */
    if (r->config.sync_fixed && r->version >= ETM_V3_4)
        r->flags[ETM_REG_SYNCFR] |= ETM_REG_READS;
    /* A counter of reduced function has none of these (v3.5, 3.5.26). */
    for (uint32_t n = ETM_REG_CNTENR1; n <= ETM_REG_CNTVR1; n += 4) {
        if (!r->counts.reduced_counter)
            break;
        r->flags[n] = 0;
        r->defined[n] = 0;
    }
    /* Table 3-4; it is the power and lock rules that ask (3.9). */
    for (uint32_t n = 0; n < ETM_REGISTERS; n++) {
        if ((n >= 0x0c0 && n <= 0x0c5) || n >= 0x3c0)
            r->flags[n] |= ETM_REG_MANAGEMENT;
    }
    /* the claim tag is saved with the trace registers (IHI 0014Q, 3.8.4) */
    if (etm_version_saves_by_hand(r->version))
        for (uint32_t n = ETM_REG_CLAIMSET; n <= ETM_REG_CLAIMCLR; n++)
            r->flags[n] &= (uint8_t)~ETM_REG_MANAGEMENT;
    narrow_all(r);
    writable_all(r);
}

/* The FIFO of the macrocell, which ETMFFLR has to tell (3.5.8). */
static uint8_t fifo_size(const struct etm_regfile *r)
{
    unsigned size = r->config.fifo_size == 0 ? 64 : r->config.fifo_size;
    unsigned least = 1, most = UINT8_MAX;

    if (r->version < ETM_V2_0) {
        least = ETM_ETMV1_FIFO_MIN;
    } else if (r->version < ETM_V3_0) {
        least = ETM_ETMV2_FIFO_MIN;
        most = ETM_ETMV2_FIFO_MAX;
    }
    return (uint8_t)(size < least ? least : size > most ? most : size);
}

int etm_regfile_init(struct etm_regfile *r,
                     const struct etm_macrocell_config *config,
                     struct etm_diag *diag)
{
    int status;

    memset(r, 0, sizeof *r);
    status = ETM_TAKE(etm_macrocell_config, &r->config, config, diag);
    if (status == ETM_OK && r->config.config == NULL)
        status = etm_diag_say(diag, ETM_ERR_ARGUMENT, "config",
                              "no protocol is given");
    if (status == ETM_OK)
        status = ETM_TAKE(etm_config, &r->trace, r->config.config, diag);
    if (status != ETM_OK)
        return status;
    r->config.config = NULL; /* `trace` replaces it, wherever this struct is
                                moved */
    r->unknown = r->config.unknown_seed;
    status = etm_regfile_identity(r, diag);
    if (status != ETM_OK)
        return status;
    r->fifo_size = fifo_size(r);
    make_rules(r);
    etm_regfile_saved_set(r);
    r->core_power = r->debug_power = true;
    r->drained = true;
    etm_regfile_unknown(r);
    etm_regfile_reset(r);
    return ETM_OK;
}
