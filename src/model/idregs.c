/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers that describe the macrocell: their values come from the
 * configuration and from pins, never from a write (3.5.2, 3.5.5, 3.5.6, 3.5.18,
 * 3.5.19, 3.5.29 to 3.5.33).
 */
#include "model/registers.h"

#include "base/diag.h"
#include "port/pins.h"
#include "regs/regs.h"

/* "What" about the field `name`. */
static int wrong(struct etm_diag *diag, const char *name, const char *what)
{
    int status = etm_diag_begin(diag, ETM_ERR_CONFIG, name);

    etm_diag_text(diag, what);
    return status;
}

static unsigned field(uint32_t value, unsigned high, unsigned low)
{
    return value >> low & ((UINT32_C(1) << (high - low + 1)) - 1);
}

static bool bit(uint32_t value, unsigned n)
{
    return (value >> n & 1) != 0;
}

static unsigned version_of(const struct etm_config *c)
{
    unsigned major = (unsigned)(c->protocol - ETM_PROTOCOL_ETMV1) + 1;

    return major << 4 | c->minor;
}

/* The value of `number` among those that a configuration shows. */
static uint32_t shown(const struct etm_config *c, uint32_t number)
{
    struct etm_register registers[16];
    int n = etm_config_to_registers(c, registers, 16);

    for (int i = 0; i < n && i < 16; i++) {
        if (registers[i].number == number)
            return (uint32_t)registers[i].value;
    }
    return 0;
}

/* Table 3-1 and 3.2.5. */
static int set_interfaces(struct etm_regfile *r, struct etm_diag *diag)
{
    unsigned v = r->version;
    unsigned i = r->config.interfaces;

    if (i == 0 && v <= ETM_V3_0)
        i = ETM_INTERFACE_JTAG;
    else if (i == 0 && v == ETM_V3_1)
        i = ETM_INTERFACE_JTAG | ETM_INTERFACE_COPROCESSOR;
    else if (i == 0)
        i = ETM_INTERFACE_MEMORY | ETM_INTERFACE_COPROCESSOR;
    if (i > 7)
        return wrong(diag, "interfaces", "there is no such interface");
    if ((i & ETM_INTERFACE_COPROCESSOR) != 0 && v < ETM_V3_1)
        return wrong(diag, "interfaces",
                     "coprocessor access begins with ETMv3.1");
    if ((i & ETM_INTERFACE_MEMORY) != 0 && v < ETM_V3_2)
        return wrong(diag, "interfaces",
                     "memory-mapped access begins with ETMv3.2");
    r->interfaces = (uint8_t)i;
    if ((i & ETM_INTERFACE_JTAG) != 0)
        r->config.no_os_lock = true;
    return ETM_OK;
}

/* ETMCCER (table 3-48, and what ETMv3.5 and PFT add). */
static uint32_t extension(const struct etm_regfile *r)
{
    uint32_t bits = 0;
    uint32_t value = r->config.ccer;

    if (r->version >= ETM_V3_1)
        bits |= 0x00000fff;
    if (r->version >= ETM_V3_3)
        bits |= 0x0000f000;
    if (r->version >= ETM_V3_4)
        bits |= 0x003f0000;
    if (r->version >= ETM_V3_5)
        bits |= 0x00400000;
    if (r->version >= ETM_V3_5 && r->version != ETM_PFT1_0)
        bits |= 0x3c000000;
    if (r->pft)
        bits |= 0x03800000;
    /* No selectors, no bus that they select from. */
    if ((value & 7) == 0)
        value &= ~UINT32_C(0x7f8);
    return ((value & ~UINT32_C(0x35800000)) | shown(&r->trace, ETM_REG_CCER)) &
           bits;
}

/* Extract the counts, and check that such a macrocell is possible. */
static int set_counts(struct etm_regfile *r, struct etm_diag *diag)
{
    struct etm_resource_counts *c = &r->counts;
    uint32_t ccr = r->config.ccr, ccer = r->value[ETM_REG_CCER];
    unsigned v = r->version;

    c->sac_pairs = (uint8_t)field(ccr, 3, 0);
    c->dvcs = (uint8_t)field(ccr, 7, 4);
    c->mmds = (uint8_t)field(ccr, 12, 8);
    c->counters = (uint8_t)field(ccr, 15, 13);
    c->sequencer = bit(ccr, 16);
    c->ext_in = (uint8_t)field(ccr, 19, 17);
    c->ext_out = (uint8_t)field(ccr, 22, 20);
    c->fifofull = bit(ccr, 23);
    c->cidcs = v >= ETM_V2_0 ? (uint8_t)field(ccr, 25, 24) : 0;
    c->start_stop = v >= ETM_V2_0 ? bit(ccr, 26) : v >= ETM_V1_2;
    c->extsels = (uint8_t)field(ccer, 2, 0);
    c->ext_ext_in = (uint8_t)field(ccer, 10, 3);
    c->no_data_address = bit(ccer, 12);
    c->instrumentation = (uint8_t)field(ccer, 15, 13);
    c->eices = (uint8_t)field(ccer, 19, 16);
    c->start_stop_eice = bit(ccer, 20);
    c->eice_behavior = bit(ccer, 21);
    /* ETM-M3 has one although it does not show the bit, which came with
     * v3.5. */
    c->reduced_counter = c->counters != 0 && bit(r->config.ccer, 27) &&
                         v >= ETM_V3_4 && v != ETM_PFT1_0;

    if (c->sac_pairs > 8 || c->dvcs > 8 || c->mmds > 16 || c->counters > 4 ||
        c->ext_in > 4 || c->ext_out > 4)
        return wrong(diag, "ETMCCR", "more resources than there can be");
    if (c->extsels > 4 || c->instrumentation > 4 || c->eices > 8)
        return wrong(diag, "ETMCCER", "more resources than there can be");
    if (c->dvcs > c->sac_pairs)
        return wrong(diag, "ETMCCR",
                     "more data comparators than pairs of address comparators");
    if (c->no_data_address && c->dvcs != 0)
        return wrong(diag, "ETMCCR",
                     "data comparators without data address comparison");
    if (r->pft && (c->dvcs != 0 || c->mmds != 0))
        return wrong(diag, "ETMCCR",
                     "a program flow trace macrocell has no data comparators "
                     "or memory map decoders");
    /* IHI 0035B, 3.16.10: it may have one, but none is known that does
     * (E-125) */
    if (r->pft && c->fifofull)
        return wrong(
            diag, "ETMCCR",
            "a program flow trace macrocell cannot stall its processor");
    return ETM_OK;
}

/* ETMCCR (table 3-10); in v1.x [30:28] are the protocol number (1.2). */
static int set_code(struct etm_regfile *r, struct etm_diag *diag)
{
    static const uint8_t minors[8] = {0, 1, 2, 3, 2, 3, 0xff, 3};
    uint32_t ccr = r->config.ccr & 0x00ffffff;
    unsigned protocol = field(r->config.ccr, 30, 28);

    if (r->version >= ETM_V2_0) {
        ccr |= (r->config.ccr & 0x07000000) | UINT32_C(1) << 31;
    } else {
        /* 0 is v1.0, and also means "not given". */
        if (protocol == 0)
            protocol = r->trace.minor;
        if (minors[protocol] != r->trace.minor)
            return wrong(diag, "ETMCCR",
                         "bits [30:28] give a different version");
        ccr |= (uint32_t)protocol << 28;
    }
    if (r->version >= ETM_V3_1)
        ccr |= (uint32_t)((r->interfaces & ~ETM_INTERFACE_JTAG) != 0) << 27;
    r->value[ETM_REG_CCR] = ccr;
    return ETM_OK;
}

/* ETMIDR (table 3-46). */
static uint32_t id(const struct etm_regfile *r)
{
    const uint32_t named = 0xff00f00f; /* implementer, family, revision */
    uint32_t made = shown(&r->trace, ETM_REG_IDR);
    uint32_t given = r->config.idr;

    if (given == 0)
        return made;
    /* Its bit [16] is not what it does (table 3-47, note c). */
    if (given == 0x41003210 && r->version == ETM_V3_1)
        return given;
    return (made & ~named) | (given & named);
}

/*
 * EmbeddedICE inputs before v3.4, in no register: the RANGEOUT[1:0] of an ARM7
 * or ARM9, which others do not have (2.2.1). ETMv1 was made for these two, and
 * has no ETMIDR. E-143
 */
static uint8_t range_outputs(const struct etm_regfile *r)
{
    return field(r->value[ETM_REG_IDR], 15, 12) <= 1 ? 2 : 0;
}

/* ETMSCR without [11:10] (table 3-14), and the sizes and modes it allows. */
static int set_system(struct etm_regfile *r, struct etm_diag *diag)
{
    bool v3 = r->version >= ETM_V3_0;
    uint32_t scr = r->config.scr, bits = 0;
    unsigned max;

    /* The usual: 16 pins and every format, or 32 pins; and a processor that
     * heeds FIFOFULL if there is such a signal. */
    if (scr == 0)
        scr = (v3 ? 4 : 0xfa) | (r->counts.fifofull ? ETM_SCR_FIFOFULL : 0);
    if (!r->pft)
        bits |= v3 ? 0x207 : 0x0ff;
    if (r->version >= ETM_V1_3 && !r->pft)
        bits |= ETM_SCR_FIFOFULL;
    if (r->version >= ETM_V2_1)
        bits |= 0x20000;
    if (r->version >= ETM_V3_2 && (r->interfaces & ETM_INTERFACE_JTAG) == 0)
        bits |= 0x7000;
    r->value[ETM_REG_SCR] = (scr & bits) | (v3 && !r->pft ? 8u : 0);

    max = field(scr, 2, 0) | (v3 ? field(scr, 9, 9) << 3 : 0);
    r->port_sizes = r->config.port_sizes;
    for (unsigned code = 0; r->config.port_sizes == 0 && code < 16; code++) {
        if ((v3 || code < 3) && etm_port_pins(code) != 0 &&
            etm_port_pins(code) <= etm_port_pins(max))
            r->port_sizes |= UINT32_C(1) << code;
    }
    if (!v3)
        r->port_sizes &= 7;
    if (r->port_sizes == 0 && !r->pft)
        return wrong(diag, "ETMSCR", "no port size is left");
    /* Table 2-17: mode 3 is not listed; table 2-18: 2 is reserved. */
    r->port_modes = r->config.port_modes;
    if (r->port_modes == 0)
        r->port_modes = v3 ? 0xfb : field(scr, 7, 5);
    return ETM_OK;
}

/* Peripheral and component ID, device type (3.5.30 to 3.5.33). Arm is 0x3b,
   the fifth page of JEP106. */
static void set_component(struct etm_regfile *r)
{
    uint32_t *pidr0 = &r->value[ETM_REG_PIDR0];
    uint32_t *cidr = &r->value[ETM_REG_CIDR0];
    uint32_t part = r->config.part;

    if (r->version < ETM_V3_2)
        return;
    pidr0[0] = part & 0xff;
    pidr0[1] = 0xb0 | (part >> 8 & 0xf);
    pidr0[2] = (r->value[ETM_REG_IDR] & 0xf) << 4 | 0xb;
    pidr0[3] = r->config.modified;
    r->value[ETM_REG_PIDR4] = 0x04;
    cidr[0] = 0x0d;
    cidr[1] = 0x90;
    cidr[2] = 0x05;
    cidr[3] = 0xb1;
    r->value[ETM_REG_DEVID] = r->config.devid;
    r->value[ETM_REG_DEVTYPE] = 0x13;
}

int etm_regfile_identity(struct etm_regfile *r, struct etm_diag *diag)
{
    const struct etm_macrocell_config *c = &r->config;
    int status = etm_config_check(&r->trace, diag);

    if (status != ETM_OK)
        return status;
    if (c->data_features > ETM_DATA_FEATURES_NONE)
        return wrong(diag, "data_features", "there is no such choice");
    if (c->asic_bits > 32)
        return wrong(diag, "asic_bits", "ETMASICCR has up to 32 bits");
    if (c->sync_low_bits > 10)
        return wrong(diag, "sync_low_bits",
                     "ETMSYNCFR needs bit 10: its default is 1024");
    r->version = version_of(&r->trace);
    r->pft = r->trace.protocol == ETM_PROTOCOL_PFT;
    r->security = r->trace.security;
    if (r->version < ETM_V3_3)
        r->config.no_os_lock = true;
    status = set_interfaces(r, diag);
    /* no power-down support at all (IHI 0014Q, 3.8.1; doc/errata.md, E-401) */
    if (r->version >= ETM_V3_3 && r->config.no_os_lock)
        r->config.single_power_domain = r->config.no_sticky = true;
    r->value[ETM_REG_CCER] = extension(r);
    if (status == ETM_OK)
        status = set_counts(r, diag);
    if (status == ETM_OK)
        status = set_code(r, diag);
    if (status == ETM_OK)
        status = set_system(r, diag);
    if (status != ETM_OK)
        return status;
    if (r->version >= ETM_V2_0)
        r->value[ETM_REG_IDR] = id(r);
    if (r->version < ETM_V3_4)
        r->counts.eices = range_outputs(r);
    if (r->version >= ETM_V3_5)
        r->value[ETM_REG_IDR2] = c->idr2;
    set_component(r);
    return ETM_OK;
}

bool etm_regfile_programming(const struct etm_regfile *r)
{
    /* 3.5.5: since v3.2 what is in the FIFO must be out first. */
    return (r->value[ETM_REG_CR] & ETM_CR_PROGRAMMING) != 0 &&
           (r->version < ETM_V3_2 || r->drained);
}

/* ETMSR; v1.1 has bit 0, v1.2 to v3.0 have [2:0] (table 3-13). */
uint32_t etm_regfile_status(const struct etm_regfile *r)
{
    uint32_t value = r->value[ETM_REG_SR] & ~(uint32_t)ETM_SR_PROGRAMMING;

    if (etm_regfile_programming(r))
        value |= ETM_SR_PROGRAMMING;
    if (r->version < ETM_V1_2)
        return value & 1;
    return value & (r->version < ETM_V3_1 ? 7u : 15u);
}

/* ETMSCR; [11:10] depend on the port that ETMCR selects. */
uint32_t etm_regfile_system(const struct etm_regfile *r)
{
    uint32_t value = r->value[ETM_REG_SCR];
    uint32_t cr = r->value[ETM_REG_CR];
    unsigned size = field(cr, 6, 4) | field(cr, 21, 21) << 3;
    unsigned mode = field(cr, 17, 16) | field(cr, 13, 13) << 2;

    if (r->version < ETM_V3_0 || r->pft)
        return value;
    return value | (r->port_sizes >> size & 1) << 10 |
           (r->port_modes >> mode & 1) << 11;
}

/* AUTHSTATUS (tables 3-63 and 3-64): b10 is "implemented, disabled", b11
   "implemented, enabled". */
uint32_t etm_regfile_auth(const struct etm_regfile *r)
{
    const struct etm_macrocell_pins *p = &r->pins;
    bool any = p->niden || p->dbgen;
    uint32_t state = any ? 3 : 2;

    if (!r->security)
        return r->config.no_secure_status ? 0 : state << 6;
    if (r->config.secure_elsewhere)
        return state << 2;
    return state << 2 |
           (any && (p->spniden || p->spiden) ? UINT32_C(3) : UINT32_C(2)) << 6;
}
