/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration of a macrocell: from a core's row, also for another version
 * of the architecture, or from the registers of a dump.
 */
#include <etm/setup.h>

#include "base/diag.h"
#include "base/fold.h"
#include "base/size.h"
#include "model/registers.h"

#include <string.h>

/* Versions by their names. */
static const struct {
    const char *name;
    enum etm_protocol protocol;
    uint8_t minor;
} versions[] = {
    {"v1.0", ETM_PROTOCOL_ETMV1, 0}, {"v1.1", ETM_PROTOCOL_ETMV1, 1},
    {"v1.2", ETM_PROTOCOL_ETMV1, 2}, {"v1.3", ETM_PROTOCOL_ETMV1, 3},
    {"v2.0", ETM_PROTOCOL_ETMV2, 0}, {"v2.1", ETM_PROTOCOL_ETMV2, 1},
    {"v3.0", ETM_PROTOCOL_ETMV3, 0}, {"v3.1", ETM_PROTOCOL_ETMV3, 1},
    {"v3.2", ETM_PROTOCOL_ETMV3, 2}, {"v3.3", ETM_PROTOCOL_ETMV3, 3},
    {"v3.4", ETM_PROTOCOL_ETMV3, 4}, {"v3.5", ETM_PROTOCOL_ETMV3, 5},
    {"pft1.0", ETM_PROTOCOL_PFT, 0}, {"pft1.1", ETM_PROTOCOL_PFT, 1},
};

#define N_VERSIONS (sizeof versions / sizeof *versions)

/* ETMIDR[11:4]: the major version less one, and the minor (3.5.18). */
#define IDR_VERSION UINT32_C(0x00000ff0)
#define IDR_REVISION UINT32_C(0xf)
#define IDR_ARM UINT32_C(0x41000000)

/* ETMCCER[23:22]: return stack and timestamps. */
#define CCER_TIMESTAMPS (UINT32_C(1) << 22)
#define CCER_RETURN_STACK (UINT32_C(1) << 23)

/* ETMCCR: data comparators and memory map decoders, FIFOFULL. */
#define CCR_NOT_PFT UINT32_C(0x00801ff0)
#define CCR_PROTOCOL UINT32_C(0x70000000)
#define SCR_FIFOFULL UINT32_C(0x00000100)

/* Row of a version's name; N_VERSIONS if there is no such. */
static size_t find_version(const char *name)
{
    static const char prefix[] = "etm";
    size_t i = 0;

    if (etm_fold(name[0]) == 'e' && etm_fold(name[1]) == 't' &&
        etm_fold(name[2]) == 'm')
        name += sizeof prefix - 1;
    while (i < N_VERSIONS && !etm_fold_same(name, versions[i].name))
        i++;
    return i;
}

static void add(struct etm_register *registers, size_t *n, uint32_t number,
                uint32_t value)
{
    struct etm_register *r = &registers[(*n)++];
    const char *name = etm_register_name(number);

    *r = (struct etm_register){.number = number, .value = value};
    if (name)
        memcpy(r->name, name, strlen(name) + 1);
}

/* ETMIDR of the core's macrocell if it had that version; for a version other
 * than its own there is no known revision. */
static uint32_t idr_of(const struct etm_core *core, size_t own, size_t version)
{
    uint32_t idr = core->idr == 0 ? IDR_ARM : core->idr;
    uint32_t major =
        (uint32_t)(versions[version].protocol - ETM_PROTOCOL_ETMV1);

    if (version != own)
        idr &= ~IDR_REVISION;
    return (idr & ~IDR_VERSION) | major << 8 |
           (uint32_t)versions[version].minor << 4;
}

/* Adapt resources to another version: what it does not have is removed. */
static void change_version(struct etm_macrocell_config *m, size_t from,
                           size_t to)
{
    enum etm_protocol protocol = versions[to].protocol;
    bool v3 = protocol >= ETM_PROTOCOL_ETMV3;

    m->ccr &= ~CCR_PROTOCOL;
    if (protocol == ETM_PROTOCOL_PFT)
        m->ccr &= ~CCR_NOT_PFT;
    /* What an earlier version always had. */
    if (versions[from].protocol == ETM_PROTOCOL_ETMV1)
        m->ccr |= UINT32_C(1) << 26;
    /* Features that a macrocell of the version usually has. */
    m->ccer |= CCER_TIMESTAMPS;
    if (protocol == ETM_PROTOCOL_PFT)
        m->ccer |= CCER_RETURN_STACK;
    /* Codes of port sizes, and formats, changed with v3.0. */
    if ((versions[from].protocol >= ETM_PROTOCOL_ETMV3) != v3)
        m->scr = (v3 ? 0xcu : 0xfau) | (m->scr & SCR_FIFOFULL);
    /* v1.3 began to say so. */
    if ((m->ccr >> 23 & 1) != 0)
        m->scr |= SCR_FIFOFULL;
    m->interfaces = 0;
    if (protocol == ETM_PROTOCOL_PFT)
        m->data_features = ETM_DATA_FEATURES_ALL;
}

int etm_core_macrocell(const struct etm_core *core, const char *version,
                       struct etm_macrocell_config *macrocell,
                       struct etm_config *config, struct etm_diag *diag)
{
    struct etm_macrocell_config m;
    struct etm_register registers[3];
    size_t own, row, n = 0;
    int status;

    if (!core || !macrocell || !config)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "core", "no core is given");
    own = find_version(core->version);
    row = version ? find_version(version) : own;
    if (row == N_VERSIONS)
        return etm_diag_say(
            diag, ETM_ERR_ARGUMENT, version,
            "no such version of the architecture: v1.0 to v1.3, v2.0, "
            "v2.1, v3.0 to v3.5, pft1.0, pft1.1");
    m = (struct etm_macrocell_config){
        .config = config,
        .ccr = core->ccr,
        .ccer = core->ccer,
        .scr = core->scr,
        .idr2 = core->idr2,
        .interfaces = core->interfaces,
        .data_features = core->data_features,
        .fifo_size = core->fifo_size,
        .part = core->part,
        .no_os_lock = core->no_os_lock,
        .no_cycle_accurate = core->no_cycle_accurate,
        .no_context_id = core->no_context_id,
    };
    if (row != own)
        change_version(&m, own, row);
    if (versions[row].protocol == ETM_PROTOCOL_ETMV1) {
        uint32_t told = (uint32_t)versions[row].minor << 28;

        add(registers, &n, ETM_REG_CCR, row == own ? m.ccr : told);
    } else {
        m.idr = idr_of(core, own, row);
        add(registers, &n, ETM_REG_IDR, m.idr);
        add(registers, &n, ETM_REG_CCER, m.ccer);
    }
    ETM_GIVE(etm_macrocell_config, macrocell, &m);
    status = etm_config_from_registers(config, versions[row].protocol,
                                       registers, n, diag);
    config->profile = core->profile;
    if (status == ETM_OK)
        status = etm_config_check(config, diag);
    return status;
}

int etm_dump_macrocell(const struct etm_register *registers, size_t n,
                       struct etm_macrocell_config *macrocell,
                       struct etm_config *config, struct etm_diag *diag)
{
    struct etm_macrocell_config m = {.config = config};
    bool ccr = false;

    if ((n != 0 && !registers) || !macrocell || !config)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "registers",
                            "none are given");
    for (size_t i = 0; i < n; i++) {
        uint32_t value = (uint32_t)registers[i].value;
        uint32_t number = etm_register_number(registers[i].name);

        if (number == ETM_REGISTER_NONE)
            number = registers[i].number;
        switch (number) {
        case ETM_REG_CCR:
            m.ccr = value;
            ccr = true;
            break;
        case ETM_REG_CCER:
            m.ccer = value;
            break;
        case ETM_REG_SCR:
            m.scr = value;
            break;
        case ETM_REG_IDR:
            m.idr = value;
            break;
        case ETM_REG_IDR2:
            m.idr2 = value;
            break;
        case ETM_REG_OSLSR: /* see explain.h */
            m.no_os_lock = (value & 9u) == 0;
            break;
        case ETM_REG_DEVID:
            m.devid = value;
            break;
        case ETM_REG_PIDR0:
            m.part |= (uint16_t)(value & 0xff);
            break;
        case ETM_REG_PIDR0 + 1:
            m.part |= (uint16_t)((value & 0xf) << 8);
            break;
        }
    }
    ETM_GIVE(etm_macrocell_config, macrocell, &m);
    if (!ccr)
        return etm_diag_say(diag, ETM_ERR_CONFIG, "ETMCCR",
                            "ETMCCR, which gives the resources, is missing");
    return etm_config_from_registers(config, ETM_PROTOCOL_NONE, registers, n,
                                     diag);
}
