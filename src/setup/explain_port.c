/* SPDX-License-Identifier: Apache-2.0 */
/* The trace port: its width and how it is clocked (ETM architecture 2.10,
   table 3-6). */
#include "setup/explain.h"

static const uint32_t control = ETM_REG_CR;

/* Table 2-17: half-rate clocking and port mode up to v2.1. */
static const char *format_name(unsigned mode)
{
    static const char *const names[8] = {
        "normal format",
        "multiplexed format: each pin carries two signals",
        "demultiplexed format: each signal has two pins",
        "a reserved format",
        "normal format, half-rate: captured at both edges of TRACECLK",
        "a reserved format",
        "demultiplexed format, half-rate: captured at both edges",
        "a reserved format",
    };

    return names[mode & 7];
}

/* Table 2-18, from v3.0 on. */
static const char *mode_name(unsigned mode)
{
    static const char *const names[8] = {
        "dynamic mode, for capture on the chip",
        "mode 2:1, two words in each cycle",
        "a reserved mode",
        "an implementation-defined mode",
        "mode 1:1",
        "mode 1:3, a word in three cycles",
        "mode 1:2, a word in two cycles",
        "mode 1:4, a word in four cycles",
    };

    return names[mode & 7];
}

static void say_size(struct etm_explain *x)
{
    unsigned code = etm_port_code(&x->view);
    unsigned pins = etm_port_pins(code);

    if (x->view.version < ETM_V3_0 && code > 2)
        pins = 0;
    if (pins != 0)
        etm_explain_say(x, "port size", &control, 1,
                        "Trace port: %u bit%s wide.", pins,
                        pins == 1 ? "" : "s");
    else
        etm_explain_say(x, "port size", &control, 1,
                        "Trace port: size 0x%x, which is %s.", code,
                        x->view.version >= ETM_V3_0 && code >= 14
                            ? "user-defined"
                            : "reserved");
}

void etm_explain_port(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t cr = v->value[ETM_REG_CR];

    if (v->pft || !v->known[ETM_REG_CR])
        return;
    say_size(x);
    if (v->version >= ETM_V3_0)
        etm_explain_say(x, "port mode", &control, 1, "Trace port: %s.",
                        mode_name(etm_port_mode_code(v)));
    else if (v->version >= ETM_V1_2)
        etm_explain_say(x, "port mode", &control, 1, "Trace port: %s.",
                        format_name(etm_port_mode_code(v)));
    etm_explain_say(x, "port select", &control, 1, "Trace port: ETMEN is %s.",
                    (cr & ETM_CR_PORT_ENABLE) != 0
                        ? "HIGH, its pins are selected"
                        : "LOW, its pins may be switched off");
}
