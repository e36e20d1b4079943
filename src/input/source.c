/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a trace source, from its registers and other facts. */
#include "input/build.h"
#include "regs/cores.h"
#include "regs/regs.h"

#include <stdio.h>
#include <string.h>

static const struct etm_register *find(const struct etm_vec *registers,
                                       uint32_t number)
{
    return etm_register_find(registers->data, registers->n, number);
}

/*
 * Add the register with the version, as a macrocell of this version would show
 * it. Those for the M profile all use the alternative branch encoding (ETM-M3
 * and ETM-M4) and have no security state.
 */
static int assumed_version(struct etm_vec *registers,
                           const struct etm_source_facts *facts)
{
    int last = etm_protocol_last_minor(facts->protocol);
    int minor = facts->minor >= 0 ? facts->minor : last;
    bool v3 = facts->protocol == ETM_PROTOCOL_ETMV3;
    bool m = facts->profile == ETM_PROFILE_M;
    struct etm_config seed = {
        .protocol = facts->protocol,
        .minor = (uint8_t)minor,
        .alternative_branches = m && v3 && minor >= 4,
        .security =
            !m && (facts->protocol == ETM_PROTOCOL_PFT || (v3 && minor >= 2))};
    struct etm_register made[8];
    int n = etm_config_to_registers(&seed, made, 8);

    for (int i = 0; i < n; i++) {
        if (strcmp(made[i].name, "ETMIDR") == 0 ||
            strcmp(made[i].name, "ETMCCR") == 0)
            return etm_vec_append(registers, &made[i], 1);
    }
    return ETM_OK;
}

/* The core whose ETMCCER replaces a missing one (E-365). NULL: none. */
static const struct etm_core *assumed_core(const struct etm_vec *registers)
{
    const struct etm_register *idr = find(registers, 0x79);

    return idr != NULL && find(registers, 0x7a) == NULL
               ? etm_core_seen((uint32_t)idr->value)
               : NULL;
}

static int assumed_code(struct etm_vec *registers)
{
    const struct etm_core *core = assumed_core(registers);
    struct etm_register ccer = {.name = "ETMCCER", .number = 0x7a};

    if (core == NULL)
        return ETM_OK;
    ccer.value = core->ccer;
    return etm_vec_append(registers, &ccer, 1);
}

/* "ETMv3.5" without the minor version. */
static const char *protocol_title(enum etm_protocol protocol)
{
    switch (protocol) {
    case ETM_PROTOCOL_ETMV1:
        return "ETMv1.";
    case ETM_PROTOCOL_ETMV2:
        return "ETMv2.";
    case ETM_PROTOCOL_ETMV3:
        return "ETMv3.";
    case ETM_PROTOCOL_PFT:
        return "PFT 1.";
    case ETM_PROTOCOL_ITM:
        return "ITM ";
    case ETM_PROTOCOL_MTB:
        return "MTB ";
    case ETM_PROTOCOL_NONE:
        break;
    }
    return "none";
}

/* Add notes on what was assumed for missing registers. */
static int note_missing(struct etm_capture *capture,
                        const struct etm_capture_source *source,
                        const struct etm_config *c, bool assumed)
{
    bool has_ccer = c->protocol == ETM_PROTOCOL_PFT ||
                    (c->protocol == ETM_PROTOCOL_ETMV3 && c->minor >= 5);
    const struct etm_core *core = assumed_core(&source->registers);
    char value[48] = "0";
    int status = ETM_OK;

    if (!etm_protocol_is_macrocell(c->protocol))
        return ETM_OK; /* its packets depend on no register */
    if (assumed)
        status = etm_build_note(
            capture, "%s: %s is not given; %s%u%s is assumed", source->name,
            c->protocol == ETM_PROTOCOL_ETMV1 ? "ETMCCR" : "ETMIDR",
            protocol_title(c->protocol), c->minor,
            c->alternative_branches ? " with alternative branch encoding" : "");
    if (status == ETM_OK && find(&source->registers, 0x00) == NULL)
        status = etm_build_note(
            capture,
            "%s: ETMCR is not given; 0 is assumed: not cycle-accurate, no "
            "context ID%s",
            source->name, c->protocol == ETM_PROTOCOL_PFT ? "" : ", no data");
    if (status != ETM_OK || !has_ccer || find(&source->registers, 0x7a) != NULL)
        return status;
    if (core != NULL)
        snprintf(value, sizeof value, "0x%08lx of %s %s",
                 (unsigned long)core->ccer,
                 core->macrocell[0] == 'E' ? "an" : "a", core->macrocell);
    return etm_build_note(
        capture,
        "%s: ETMCCER is not given; %s is assumed: timestamps of %u bits in %s",
        source->name, value, etm_timestamp_bits(c),
        c->timestamp_binary ? "natural binary" : "Gray code");
}

/* Make *config from registers, or their replacements. */
static int configure(struct etm_config *config,
                     const struct etm_capture_source *source,
                     const struct etm_source_facts *facts, bool *assumed,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    struct etm_vec registers;
    int status;

    etm_vec_init(&registers, sizeof(struct etm_register), allocator);
    status =
        etm_vec_append(&registers, source->registers.data, source->registers.n);
    *assumed = facts->protocol != ETM_PROTOCOL_NONE &&
               find(&registers, 0x79) == NULL && find(&registers, 0x01) == NULL;
    if (status == ETM_OK && *assumed)
        status = assumed_version(&registers, facts);
    else if (status == ETM_OK)
        status = assumed_code(&registers);
    if (status == ETM_OK)
        status = etm_config_from_registers(config, facts->protocol,
                                           registers.data, registers.n, diag);
    etm_vec_fini(&registers);
    return status;
}

bool etm_build_has_register(const struct etm_capture_source *source,
                            uint32_t number)
{
    return find(&source->registers, number) != NULL;
}

int etm_build_configure(struct etm_capture *capture, size_t source,
                        const struct etm_source_facts *facts,
                        struct etm_diag *diag)
{
    struct etm_capture_source *s = etm_build_source_at(capture, source);
    struct etm_config config = {.size = sizeof config};
    bool assumed;
    int status =
        configure(&config, s, facts, &assumed, &capture->allocator, diag);

    if (status != ETM_OK)
        return status;
    if (facts->profile != ETM_PROFILE_UNKNOWN)
        config.profile = facts->profile;
    status = etm_config_check(&config, diag);
    if (status != ETM_OK)
        return status;
    if (facts->minor >= 0 && facts->minor != config.minor)
        status = etm_build_note(
            capture, "%s is called %s, but its registers say %s%u", s->name,
            s->type, protocol_title(config.protocol), config.minor);
    if (status == ETM_OK)
        status = note_missing(capture, s, &config, assumed);
    if (status == ETM_OK) {
        s->config = config;
        s->id = config.trace_id;
        s->decodable = true;
    }
    return status;
}
