/* SPDX-License-Identifier: Apache-2.0 */
/* The state that registers show: programming bit, counters, sequencer, locks,
   power (ETM architecture 3.4.4, 3.5.5, 3.5.24 to 3.5.29). */
#include "setup/explain.h"

#include <stdio.h>

static void say_control(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t cr = v->value[ETM_REG_CR];

    if (!v->known[ETM_REG_CR])
        return;
    ETM_SAY(x, "power", ETM_REG_CR, "The macrocell is powered %s.",
            (cr & ETM_CR_POWER_DOWN) != 0 ? "down" : "up");
    ETM_SAY(x, "programming bit", ETM_REG_CR, "The programming bit is %s.",
            (cr & ETM_CR_PROGRAMMING) != 0 ? "set: nothing is traced"
                                           : "clear: tracing is allowed");
}

/* Bits by version (table 3-13). */
static void say_status(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t sr = v->value[ETM_REG_SR];

    if (!v->known[ETM_REG_SR] || v->version < ETM_V1_1)
        return;
    if (v->version >= ETM_V1_2)
        ETM_SAY(x, "effective programming bit", ETM_REG_SR,
                "The programming bit is %s effect%s.",
                (sr & ETM_SR_PROGRAMMING) != 0 ? "in" : "not in",
                (sr & ETM_SR_PROGRAMMING) != 0 && v->version >= ETM_V3_2
                    ? ", and the FIFO is empty"
                    : "");
    ETM_SAY(x, "overflow", ETM_REG_SR, "%s",
            (sr & ETM_SR_OVERFLOW) != 0
                ? "The FIFO has overflowed, which the trace does not show yet."
                : "No overflow is pending.");
    if (v->version >= ETM_V1_2 && v->counts.start_stop)
        ETM_SAY(x, "start/stop block", ETM_REG_SR,
                "The start/stop block is %s.",
                (sr & ETM_SR_START_STOP) != 0 ? "on" : "off");
    if (v->version >= ETM_V3_1)
        ETM_SAY(x, "trigger", ETM_REG_SR, "The trigger %s.",
                (sr & ETM_SR_TRIGGER) != 0 ? "has occurred"
                                           : "has not occurred yet");
}

static void say_items(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;

    for (unsigned n = 1; n <= v->counts.counters; n++) {
        uint32_t number = ETM_REG_CNTVR1 + n - 1;
        char subject[32];

        if (!v->known[number] || !etm_view_exists(v, number))
            continue;
        (void)snprintf(subject, sizeof subject, "counter %u", n);
        ETM_SAY(x, subject, number, "Counter %u is at %u.", n,
                (unsigned)(v->value[number] & 0xffff));
    }
    if (v->known[ETM_REG_SQR] && v->counts.sequencer) {
        unsigned state = v->value[ETM_REG_SQR] & 3;

        if (state == 3)
            ETM_SAY(x, "sequencer", ETM_REG_SQR,
                    "The sequencer is in a reserved state.");
        else
            ETM_SAY(x, "sequencer", ETM_REG_SQR,
                    "The sequencer is in state %u.", state + 1);
    }
}

static void say_locks(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t lsr = v->value[ETM_REG_LSR], oslsr = v->value[ETM_REG_OSLSR];

    if (v->known[ETM_REG_LSR])
        ETM_SAY(x, "lock", ETM_REG_LSR, "Software lock: %s.",
                !etm_bit(lsr, 0)  ? "none for the access that read this"
                : etm_bit(lsr, 1) ? "set, software cannot write registers"
                                  : "clear");
    if (v->known[ETM_REG_OSLSR] && v->version >= ETM_V3_3)
        ETM_SAY(x, "OS lock", ETM_REG_OSLSR, "OS lock: %s.",
                !etm_has_os_lock(oslsr) ? "not implemented"
                : etm_bit(oslsr, 1)     ? "set, nothing is traced"
                                        : "clear");
    if (v->known[ETM_REG_CLAIMCLR])
        ETM_SAY(x, "claim tag", ETM_REG_CLAIMCLR, "Claim tag: 0x%02x%s.",
                (unsigned)(v->value[ETM_REG_CLAIMCLR] & 0xff),
                (v->value[ETM_REG_CLAIMCLR] & 0xff) == 0
                    ? ", the macrocell is not claimed"
                    : "");
    if (v->known[ETM_REG_ITCTRL] && etm_bit(v->value[ETM_REG_ITCTRL], 0))
        ETM_SAY(x, "integration", ETM_REG_ITCTRL,
                "Integration mode is on: pins are driven by registers.");
}

/* Table 3-57. */
static void say_power(struct etm_explain *x)
{
    static const char *const texts[4] = {
        "The trace registers cannot be accessed; their state is kept.",
        "The trace registers have power and can be accessed.",
        "The trace registers have no power, and their state is lost.",
        "The trace registers have power, but lost their state.",
    };
    const struct etm_view *v = &x->view;

    if (v->known[ETM_REG_PDSR] && v->version >= ETM_V3_3)
        ETM_SAY(x, "power status", ETM_REG_PDSR, "%s",
                texts[v->value[ETM_REG_PDSR] & 3]);
}

/* Tables 3-63 and 3-64: b10 is disabled, b11 enabled. */
static void say_authentication(struct etm_explain *x)
{
    static const char *const texts[4] = {"not indicated", "reserved",
                                         "disabled", "enabled"};
    const struct etm_view *v = &x->view;
    uint32_t value = v->value[ETM_REG_AUTHSTATUS];

    if (!v->known[ETM_REG_AUTHSTATUS])
        return;
    ETM_SAY(x, "authentication", ETM_REG_AUTHSTATUS,
            "Non-invasive debug: Non-secure %s, Secure %s.",
            texts[value >> 2 & 3], texts[value >> 6 & 3]);
}

void etm_explain_state(struct etm_explain *x)
{
    say_control(x);
    say_status(x);
    say_items(x);
    say_locks(x);
    say_power(x);
    say_authentication(x);
}
