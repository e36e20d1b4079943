/* SPDX-License-Identifier: Apache-2.0 */
/* --core of commands that read a capture: what its macrocell implies. */
#include "cli/args.h"

#include <stdio.h>
#include <string.h>

/* The ETMIDR of --reg or --dump; NULL: it is not given. */
static const struct etm_register *given_idr(const struct etm_cli_options *o)
{
    for (size_t i = 0; i < o->session.n_registers; i++)
        if (etm_register_number(o->registers[i].name) ==
            etm_register_number("ETMIDR"))
            return &o->registers[i];
    return NULL;
}

/* Does something else that is given contradict the core? -1: no. */
static int check(const struct etm_cli_options *o)
{
    static const char *const profiles[] = {"?", "A", "R", "M"};
    const struct etm_cli_core *c = &o->core;
    const struct etm_register *idr = given_idr(o);
    struct etm_config other = {.size = sizeof other};
    char title[32];

    (void)etm_config_title(&c->config, title, sizeof title);
    if (o->session.protocol != ETM_PROTOCOL_NONE &&
        o->session.protocol != ETM_PROTOCOL_ITM && /* of any core */
        o->session.protocol != c->config.protocol)
        return etm_cli_usage(o->name, "--protocol %s: --core %s has %s",
                             etm_protocol_name(o->session.protocol), c->name,
                             title);
    if (o->session.profile != ETM_PROFILE_UNKNOWN &&
        o->session.profile != c->fallback.profile)
        return etm_cli_usage(o->name, "--profile: --core %s is of profile %s",
                             c->name,
                             profiles[(unsigned)c->fallback.profile & 3u]);
    if (idr &&
        etm_config_from_registers(&other, ETM_PROTOCOL_NONE, idr, 1, NULL) ==
            ETM_OK &&
        other.protocol != c->config.protocol)
        return etm_cli_usage(o->name, "ETMIDR 0x%08lx: --core %s has %s",
                             (unsigned long)idr->value, c->name, title);
    return -1;
}

static void add(struct etm_cli_core *c, const char *name, uint32_t value)
{
    struct etm_register *r = &c->registers[c->fallback.n_registers++];

    *r = (struct etm_register){.number = etm_register_number(name),
                               .value = value};
    (void)snprintf(r->name, sizeof r->name, "%s", name);
}

int etm_cli_core_add(struct etm_cli_options *o)
{
    struct etm_cli_core *c = &o->core;
    const struct etm_core *core = etm_cli_core(c->name);
    struct etm_macrocell_config macrocell = {0};
    struct etm_diag diag = {0};
    int status;

    if (!core)
        return ETM_EXIT_USAGE;
    status = etm_core_macrocell(core, NULL, &macrocell, &c->config, &diag);
    if (status != ETM_OK) {
        etm_cli_diag(status, &diag);
        return ETM_EXIT_UNREADABLE;
    }
    c->fallback = (struct etm_session_fallback){
        .size = sizeof c->fallback,
        .registers = c->registers,
        .profile = core->profile,
    };
    /* ETMv1 has no ETMIDR (3.5.18), and ETMv3.1 was the first with an ETMCCER
     * (3.5.19) */
    if (c->config.protocol == ETM_PROTOCOL_ETMV1) {
        add(c, "ETMCCR", macrocell.ccr);
    } else {
        add(c, "ETMIDR", macrocell.idr);
        if (macrocell.ccer != 0)
            add(c, "ETMCCER", macrocell.ccer);
    }
    o->session.fallback = &c->fallback;
    return check(o);
}

int etm_cli_core_fits(const struct etm_cli_options *o,
                      const struct etm_cli_capture *capture)
{
    const struct etm_cli_core *c = &o->core;
    const struct etm_source_info *other = NULL;
    char has[32], is[32];

    for (size_t i = 0; c->name && i < capture->n_sources; i++) {
        const struct etm_source_info *info =
            etm_session_source(capture->session, capture->sources[i]);

        /* an ITM is no macrocell, whose core needs no telling */
        if (info->why_not || info->config.protocol == ETM_PROTOCOL_ITM)
            continue;
        if (info->config.protocol == c->config.protocol &&
            info->config.profile == c->fallback.profile)
            return ETM_EXIT_OK;
        other = info;
    }
    if (!other)
        return ETM_EXIT_OK;
    etm_cli_error("%s: --core %s: its macrocell is %s, and %s (0x%02x) is "
                  "another one (%s)",
                  etm_cli_path(o->capture), c->name,
                  etm_config_title(&c->config, has, sizeof has), other->name,
                  other->id, etm_config_title(&other->config, is, sizeof is));
    return ETM_EXIT_UNREADABLE;
}
