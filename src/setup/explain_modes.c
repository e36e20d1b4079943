/* SPDX-License-Identifier: Apache-2.0 */
/* General modes: ETMCR (ETM architecture 3.5.1), synchronization, trace ID. */
#include "setup/explain.h"

static const uint32_t control = ETM_REG_CR;

static bool cr(const struct etm_explain *x, uint32_t bits)
{
    return (x->view.value[ETM_REG_CR] & bits) != 0;
}

#define SAY_CR(x, subject, ...)                                                \
    etm_explain_say((x), (subject), &control, 1, __VA_ARGS__)

static void say_cycles(struct etm_explain *x)
{
    unsigned bytes = x->view.value[ETM_REG_CR] >> 14 & 3;
    static const uint8_t sizes[4] = {0, 1, 2, 4};

    SAY_CR(x, "cycle accurate", "Tracing is %scycle-accurate.",
           cr(x, ETM_CR_CYCLE_ACCURATE) ? "" : "not ");
    if (x->view.version < ETM_V1_2)
        return;
    if (bytes == 0)
        SAY_CR(x, "context ID", "No context ID is traced.");
    else
        SAY_CR(x, "context ID", "%u byte%s of the context ID %s traced.",
               (unsigned)sizes[bytes], bytes == 1 ? "" : "s",
               bytes == 1 ? "is" : "are");
}

static void say_data(struct etm_explain *x)
{
    static const char *const names[4] = {"none", "values", "addresses",
                                         "addresses and values"};
    const struct etm_view *v = &x->view;

    if (v->pft)
        return;
    SAY_CR(x, "data", "Data trace of loads and stores: %s.",
           names[v->value[ETM_REG_CR] >> 2 & 3]);
    /* Table 2-1; before v3.0 ETMCR[1] alone decides (4.11.3). */
    if (!cr(x, ETM_CR_CPRT))
        SAY_CR(x, "coprocessor transfers",
               "Coprocessor register transfers are not traced.");
    else if (v->version >= ETM_V3_0 && cr(x, ETM_CR_CPRT_FILTER))
        SAY_CR(x, "coprocessor transfers",
               "Coprocessor register transfers are traced where data are.");
    else
        SAY_CR(x, "coprocessor transfers",
               "All coprocessor register transfers are traced.");
    if (v->version >= ETM_V3_1 && cr(x, ETM_CR_DATA_ONLY))
        SAY_CR(x, "data only", "Data-only mode: no instructions are traced.");
}

static void say_branches(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;

    SAY_CR(
        x, "branch output", "%s",
        cr(x, ETM_CR_BRANCH_OUTPUT)
            ? "Every branch is traced with its address, even a direct branch."
            : "Direct branches are traced without an address.");
    if (v->pft)
        SAY_CR(x, "return stack", "The return stack is %s.",
               cr(x, ETM_CR_RETURN_STACK) ? "on" : "off");
    if (v->version >= ETM_V3_5)
        SAY_CR(x, "timestamps", "Timestamps are %s.",
               cr(x, ETM_CR_TIMESTAMP) ? "on" : "off");
    if (v->version >= ETM_V3_5 && v->version != ETM_PFT1_0 &&
        cr(x, ETM_CR_VMID))
        SAY_CR(x, "VMID", "The virtual machine identifier is traced.");
}

static void say_control(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;

    if (cr(x, ETM_CR_DEBUG_REQUEST))
        SAY_CR(x, "debug request",
               "The trigger requests entry to Debug state.");
    if (v->version >= ETM_V3_3 && v->counts.instrumentation != 0 &&
        v->extension_known)
        SAY_CR(x, "instrumentation", "Instrumentation instructions work in %s.",
               cr(x, ETM_CR_INSTRUMENTATION) ? "privileged modes only"
                                             : "all modes");
    if (v->version >= ETM_V3_1 && cr(x, ETM_CR_NO_DEBUGGER_WRITES))
        SAY_CR(x, "debugger writes", "A debugger cannot write registers.");
    if (v->version >= ETM_V3_2 && cr(x, ETM_CR_NO_SOFTWARE_WRITES))
        SAY_CR(x, "software writes", "Software cannot write registers.");
    if (v->version >= ETM_V3_2 && (v->value[ETM_REG_SCR] >> 12 & 7) != 0)
        SAY_CR(x, "core", "Processor %u is selected.",
               (unsigned)(v->value[ETM_REG_CR] >> 25 & 7));
}

/* ETMSYNCFR counts cycles up to v3.0, bytes from v3.1 (3.5.17). */
static void say_sync(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t period = v->value[ETM_REG_SYNCFR] & 0xfff;

    if (v->version < ETM_V2_0)
        return;
    if (v->known[ETM_REG_SYNCFR])
        ETM_SAY(x, "synchronization", ETM_REG_SYNCFR,
                "Synchronization every %u %s.", (unsigned)period,
                v->version <= ETM_V3_0 ? "cycles" : "bytes of trace");
    if (v->version >= ETM_V3_2 && v->known[ETM_REG_TRACEIDR])
        ETM_SAY(x, "trace ID", ETM_REG_TRACEIDR, "Trace ID 0x%02x.",
                (unsigned)(v->value[ETM_REG_TRACEIDR] & 0x7f));
}

void etm_explain_modes(struct etm_explain *x)
{
    if (!etm_explain_unknown(x, "control", &control, 1,
                             "what is traced, if anything")) {
        say_cycles(x);
        say_data(x);
        say_branches(x);
        say_control(x);
    }
    say_sync(x);
}
