/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The effects of resets, power and writes on the registers: the control
 * register (3.5.1), the programming bit and the state that depends on it
 * (3.4.4), and fields that do not simply keep what is written.
 */
#include "model/registers.h"

/* Bits of etm_regfile.kept other than those of counters. */
enum {
    KEPT_SEQUENCER = 1 << 4,
    KEPT_STATUS = 1 << 5 /* start/stop and trigger flag: one register */
};

static unsigned port_size(uint32_t cr)
{
    return (cr >> 4 & 7) | (cr >> 21 & 1) << 3;
}

static unsigned port_mode(uint32_t cr)
{
    return (cr >> 16 & 3) | (cr >> 13 & 1) << 2;
}

static uint32_t lowest(uint32_t mask)
{
    uint32_t n = 0;

    while (n < 31 && (mask >> n & 1) == 0)
        n++;
    return n;
}

/* splitmix64: bits that look random, the same in every run. */
static uint32_t unknown_bits(struct etm_regfile *r)
{
    uint64_t x = r->unknown += UINT64_C(0x9e3779b97f4a7c15);

    if (r->config.unknown_seed == 0)
        return 0;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)(x >> 32);
}

/* Set the trace registers to their values after power-up, before the reset. */
void etm_regfile_unknown(struct etm_regfile *r)
{
    for (uint32_t n = ETM_REG_TRIGGER; n < ETM_REG_OSLAR; n++) {
        if (n == ETM_REG_SCR || n == ETM_REG_IDR || n == ETM_REG_CCER ||
            n == ETM_REG_IDR2)
            continue;
        r->value[n] = unknown_bits(r) & r->defined[n];
    }
    /* Never above the size of the FIFO. */
    r->value[ETM_REG_FFLR] &= r->fifo_size;
    if (r->config.fifo_level_ignored && r->version >= ETM_V2_0 && !r->pft)
        r->value[ETM_REG_FFLR] = r->fifo_size;
    r->generation++;
}

/* Table 3-5: the lowest port width that exists. For widths below four bits,
 * whose codes have ETMCR[21] set, the text resets [21] to 0: they are used only
 * if there is no other. */
static uint32_t control_reset(const struct etm_regfile *r)
{
    uint32_t cr = ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN;
    uint32_t size = lowest(r->port_sizes);

    if (r->pft)
        return cr;
    return cr | (size & 7) << 4 | (size >> 3) << 21;
}

static void reset_trace(struct etm_regfile *r)
{
    if ((r->flags[ETM_REG_SYNCFR] & ETM_REG_EXISTS) != 0) {
        r->value[ETM_REG_SYNCFR] = 0x400; /* table 3-45 */
        r->value[ETM_REG_IMPSPEC0] = r->config.implementation & 0xf;
    }
    r->value[ETM_REG_CR] = control_reset(r);
    r->value[ETM_REG_SR] = 0;
    r->value[ETM_REG_SQR] = 0;
    r->value[ETM_REG_AUXCR] = 0;
    r->value[ETM_REG_TRACEIDR] = 0;
    if (etm_version_saves_by_hand(r->version))
        r->value[ETM_REG_CLAIMCLR] = 0;
    r->kept = 0;
    r->os_lock = !r->config.no_os_lock && r->pins.os_lock_init;
    r->ossrr_state = ETM_OSSRR_FIRST;
    r->generation++;
}

static void reset_management(struct etm_regfile *r)
{
    r->value[ETM_REG_PDCR] = 0;
    r->value[ETM_REG_ITCTRL] = 0;
    if (!etm_version_saves_by_hand(r->version))
        r->value[ETM_REG_CLAIMCLR] = 0;
    r->lock = r->version >= ETM_V3_2;
}

void etm_regfile_reset(struct etm_regfile *r)
{
    reset_trace(r);
    reset_management(r);
}

void etm_regfile_power(struct etm_regfile *r, bool debug, bool core)
{
    if (r->config.single_power_domain)
        debug = core;
    if (r->core_power && !core) {
        r->sticky = !r->config.no_sticky && r->version >= ETM_V3_3;
        r->drained = true;
    }
    if (!r->core_power && core) {
        etm_regfile_unknown(r);
        reset_trace(r);
    }
    if (!r->debug_power && debug)
        reset_management(r);
    r->core_power = core;
    r->debug_power = debug;
}

bool etm_regfile_has_timestamps(const struct etm_regfile *r)
{
    return r->version == ETM_PFT1_0 || (r->value[ETM_REG_CCER] >> 22 & 1) != 0;
}

bool etm_regfile_held(const struct etm_regfile *r)
{
    return (r->value[ETM_REG_CR] & (ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN)) !=
               0 ||
           r->os_lock || !r->core_power;
}

/* 3.4.4: the five items of state, except for those in `keep`. */
static void reset_items(struct etm_regfile *r, unsigned keep)
{
    for (uint32_t i = 0; i < r->counts.counters; i++) {
        if ((keep >> i & 1) == 0)
            r->value[ETM_REG_CNTVR1 + i] = r->value[ETM_REG_CNTRLDVR1 + i];
    }
    if ((keep & KEPT_SEQUENCER) == 0)
        r->value[ETM_REG_SQR] = 0;
    if ((keep & KEPT_STATUS) == 0)
        r->value[ETM_REG_SR] &= ~(uint32_t)(ETM_SR_START_STOP | ETM_SR_TRIGGER);
}

/*
 * 3.5.1: up to v2.1 an unsupported width selects the closest one that exists;
 * of two equally close ones the smaller, which every capture device can
 * capture.
 */
static uint32_t closest_size(struct etm_regfile *r, uint32_t cr)
{
    unsigned want = port_size(cr) & 7, best = lowest(r->port_sizes);

    if (want > 2)
        r->mistakes |= ETM_MISTAKE_RESERVED_VALUE;
    for (unsigned code = best; code < 3; code++) {
        unsigned far = best > want ? best - want : want - best;
        unsigned near = code > want ? code - want : want - code;

        if ((r->port_sizes >> code & 1) != 0 && near < far)
            best = code;
    }
    return (cr & ~(uint32_t)ETM_CR_PORT_SIZE) | best << 4;
}

/* Mistakes in changing ETMCR from `old` to `value`. */
static void check_control(struct etm_regfile *r, uint32_t old, uint32_t value)
{
    const uint32_t port = ETM_CR_PORT_SIZE | ETM_CR_PORT_SIZE_3 |
                          ETM_CR_PORT_MODE | ETM_CR_PORT_MODE_2;
    const uint32_t off = ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN;
    const uint32_t full = ETM_CR_STALL | ETM_CR_SUPPRESS_DATA;
    uint32_t changed = old ^ value;

    /* 3.4.3: others may change only once the programming bit works. */
    if ((changed & ~(uint32_t)ETM_CR_PROGRAMMING) != 0 &&
        !etm_regfile_programming(r))
        r->mistakes |= ETM_MISTAKE_CONTROL;
    if ((value & full) == full)
        r->mistakes |= ETM_MISTAKE_SUPPRESS_AND_STALL;
    if (r->version >= ETM_V1_2 && !r->pft && (changed & port) != 0 &&
        ((r->port_sizes >> port_size(value) & 1) == 0 ||
         (r->port_modes >>
              (r->version >= ETM_V3_0 ? port_mode(value) : value >> 16 & 3) &
          1) == 0))
        r->mistakes |= ETM_MISTAKE_PORT;
    if ((changed & ETM_CR_CORE_SELECT) != 0 &&
        ((old & off) != off ||
         (value >> 25 & 7) > (r->value[ETM_REG_SCR] >> 12 & 7)))
        r->mistakes |= ETM_MISTAKE_CORE_SELECT;
}

static void store_control(struct etm_regfile *r, bool debugger, uint32_t value)
{
    uint32_t old = r->value[ETM_REG_CR];
    uint32_t mask = r->writable[ETM_REG_CR];
    bool restores = etm_version_saves_by_hand(r->version) && r->os_lock;
    uint32_t rises, falls;

    /* Each side can only be locked out by the other. */
    mask &= ~(uint32_t)(debugger ? ETM_CR_NO_DEBUGGER_WRITES
                                 : ETM_CR_NO_SOFTWARE_WRITES);
    if (r->version < ETM_V3_0)
        value = closest_size(r, value);
    if (r->config.power_down_drops_writes && !restores &&
        (value & ETM_CR_POWER_DOWN) != 0)
        mask &= ETM_CR_POWER_DOWN | ETM_CR_CORE_SELECT;
    value = (old & ~mask) | (value & mask);
    rises = value & ~old;
    falls = old & ~value;
    if (!restores)
        check_control(r, old, value);
    r->value[ETM_REG_CR] = value;

    if ((rises & ETM_CR_POWER_DOWN) != 0)
        r->value[ETM_REG_SR] &= ~(uint32_t)ETM_SR_OVERFLOW; /* 3.5.5 */
    if ((rises & ETM_CR_PROGRAMMING) != 0) {
        r->kept = 0;
        if (r->version <= ETM_V3_0)
            reset_items(r, 0);
    }
    if ((falls & ETM_CR_PROGRAMMING) != 0 && r->version >= ETM_V3_1)
        reset_items(r, r->kept);
}

/* Reserved encodings of an Address Access Type (table 3-27). */
static bool reserved_type(const struct etm_regfile *r, uint32_t value)
{
    unsigned type = value & 7, data = value >> 5 & 3;

    if (type == 7 || (value >> 3 & 3) == 2 || data == 2 ||
        (r->version < ETM_V3_5 &&
         ((value & r->defined[ETM_REG_ACTR1]) >> 10 & 3) == 3))
        return true;
    return r->version < ETM_V1_2 && (type == 2 || type == 3 || data == 3);
}

static void keep_bits(struct etm_regfile *r, uint32_t number, uint32_t value)
{
    uint32_t mask = r->writable[number];

    r->value[number] = (r->value[number] & ~mask) | (value & mask);
}

/*
 * 3.5.12 and 3.5.13 make a counter depend on its reload value, and the
 * sequencer on its transitions, in every version; only 3.4.4 has different
 * rules from v3.1 on. So these change at once, which does not count as writing
 * the state.
 */
static void store_reload(struct etm_regfile *r, uint32_t number, uint32_t value)
{
    uint32_t counter = number - ETM_REG_CNTRLDVR1;

    keep_bits(r, number, value);
    if ((r->value[ETM_REG_CR] & ETM_CR_PROGRAMMING) != 0)
        r->value[ETM_REG_CNTVR1 + counter] = r->value[number];
}

static void store_transition(struct etm_regfile *r, uint32_t number,
                             uint32_t value)
{
    keep_bits(r, number, value);
    if ((r->value[ETM_REG_CR] & ETM_CR_PROGRAMMING) != 0)
        r->value[ETM_REG_SQR] = 0;
}

/* 3.5.8: from v2.0 on the size of the FIFO is the highest level. */
static void store_level(struct etm_regfile *r, uint32_t value)
{
    if (r->version < ETM_V2_0)
        keep_bits(r, ETM_REG_FFLR, value);
    else if (!r->config.fifo_level_ignored)
        r->value[ETM_REG_FFLR] = value > r->fifo_size ? r->fifo_size : value;
}

static void store_sequencer(struct etm_regfile *r, uint32_t value)
{
    if ((value & 3) == 3) {
        r->mistakes |= ETM_MISTAKE_RESERVED_VALUE;
        return;
    }
    keep_bits(r, ETM_REG_SQR, value);
    r->kept |= KEPT_SEQUENCER;
}

/* Ones in undefined bits are a mistake, except where 3.5 itself tells tools to
 * write them, where a read-modify-write does, or where tools cannot know
 * (ETMASICCR, 3.5.4; which bits of ETMCR PFT has, E-145). */
static void check_bits(struct etm_regfile *r, uint32_t number, uint32_t value)
{
    uint32_t allowed = r->defined[number];

    if (number == ETM_REG_FFLR || number == ETM_REG_SYNCFR ||
        number == ETM_REG_ASICCR)
        allowed = UINT32_MAX;
    if (number == ETM_REG_CR && r->pft)
        allowed |= UINT32_C(0x003ff8fe);
    if (number - ETM_REG_CNTENR1 < 4)
        allowed |= 0x20000; /* "always set to 1" (table 3-34) */
    if (number == ETM_REG_SR)
        allowed = 0xf;
    if (number == ETM_REG_IMPSPEC0)
        allowed = 0xff;
    if ((value & ~allowed) != 0)
        r->mistakes |= ETM_MISTAKE_RESERVED_BITS;
}

void etm_regfile_store(struct etm_regfile *r, uint32_t number, bool debugger,
                       uint32_t value)
{
    uint32_t cr = r->value[ETM_REG_CR];
    /* 3.4.3 and power-down (3.5.1) do not concern the claim tag, ... */
    bool trace = (r->flags[number] & ETM_REG_MANAGEMENT) == 0 &&
                 number != ETM_REG_CLAIMSET && number != ETM_REG_CLAIMCLR;
    /* ... nor about registers that are restored while nothing runs */
    bool restores = etm_version_saves_by_hand(r->version) && r->os_lock;

    check_bits(r, number, value);
    if (trace && number != ETM_REG_CR && !restores) {
        if ((cr & ETM_CR_PROGRAMMING) == 0)
            r->mistakes |= ETM_MISTAKE_TRACING;
        if (r->config.power_down_drops_writes && (cr & ETM_CR_POWER_DOWN) != 0)
            return;
    }
    r->generation++;
    if (number == ETM_REG_CR) {
        store_control(r, debugger, value);
    } else if (number == ETM_REG_SR) {
        keep_bits(r, number, value);
        r->kept |= KEPT_STATUS;
    } else if (number == ETM_REG_FFLR) {
        store_level(r, value);
    } else if (number - ETM_REG_CNTRLDVR1 < 4) {
        store_reload(r, number, value);
    } else if (number - ETM_REG_CNTVR1 < 4) {
        keep_bits(r, number, value);
        r->kept |= (uint8_t)(1u << (number - ETM_REG_CNTVR1));
    } else if (number - ETM_REG_SQ12EVR < 6) {
        store_transition(r, number, value);
    } else if (number == ETM_REG_SQR) {
        store_sequencer(r, value);
    } else if (number == ETM_REG_CLAIMSET) {
        r->value[ETM_REG_CLAIMCLR] |= value & 0xff;
    } else if (number == ETM_REG_CLAIMCLR) {
        r->value[ETM_REG_CLAIMCLR] &= ~value;
    } else {
        if (number - ETM_REG_ACTR1 < 16 && reserved_type(r, value))
            r->mistakes |= ETM_MISTAKE_RESERVED_VALUE;
        keep_bits(r, number, value);
    }
}
