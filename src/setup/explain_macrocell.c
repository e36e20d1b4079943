/* SPDX-License-Identifier: Apache-2.0 */
/* What the macrocell is: its identification and configuration registers
   (ETM architecture 3.5.2, 3.5.6, 3.5.18, 3.5.19). */
#include "setup/explain.h"

/* Table 3-46. */
static const char *implementer(unsigned code)
{
    switch (code) {
    case 0x41:
        return "Arm";
    case 0x44:
        return "Digital";
    case 0x4d:
        return "Motorola";
    case 0x51:
        return "Qualcomm";
    case 0x56:
        return "Marvell";
    case 0x69:
        return "Intel";
    }
    return NULL;
}

static void say_version(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t idr = v->value[ETM_REG_IDR];
    const char *made_by = implementer(idr >> 24);
    const char *name = v->pft ? "PFT" : "ETM";
    unsigned major = v->pft ? 1 : v->version >> 4;
    unsigned minor = v->version & 15;

    if (v->known[ETM_REG_IDR])
        ETM_SAY(x, "version", ETM_REG_IDR, "%sv%u.%u, revision %u, %s%s.", name,
                major, minor, (unsigned)(idr & 15),
                made_by != NULL ? "made by "
                                : "with a reserved implementer code",
                made_by != NULL ? made_by : "");
    else if (v->identified)
        ETM_SAY(x, "version", ETM_REG_CCR, "%sv%u.%u, protocol number %u.",
                name, major, minor,
                (unsigned)(v->value[ETM_REG_CCR] >> 28 & 7));
    else
        etm_explain_say(x, "version", NULL, 0, "%sv%u.%u.", name, major, minor);
}

/* ETMIDR[20:16]: what changes the format of the trace. */
static void say_format(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    const struct etm_config *c = &v->config;

    if (v->version >= ETM_V3_2 && !v->pft)
        ETM_SAY(x, "thumb32", ETM_REG_IDR,
                "32-bit Thumb instructions count as %s.",
                c->thumb32_split ? "two instructions" : "one instruction");
    if (v->version >= ETM_V3_2)
        ETM_SAY(x, "security", ETM_REG_IDR, "Security Extensions: %s.",
                v->security ? "yes" : "no, the processor is treated as Secure");
    if (v->version >= ETM_V3_4 && !v->pft)
        ETM_SAY(x, "branches", ETM_REG_IDR,
                "Branch packets have the %s encoding.",
                c->alternative_branches ? "alternative" : "original");
    if (c->pc_first)
        ETM_SAY(x, "pc first", ETM_REG_IDR,
                "Load multiples transfer the PC first.");
}

static void count(struct etm_words *w, unsigned n, const char *one,
                  const char *many)
{
    if (w->n > 0)
        etm_words_add(w, ", ");
    if (n == 0)
        etm_words_add(w, "no %s", many);
    else
        etm_words_add(w, "%u %s", n, n == 1 ? one : many);
}

/* 3.5.2 */
static void say_resources(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    const struct etm_resource_counts *c = &v->counts;
    char text[512];
    struct etm_words w = etm_words_on(text, sizeof text);

    if (!v->counts_known) {
        (void)etm_explain_unknown(x, "resources",
                                  &(const uint32_t){ETM_REG_CCR}, 1,
                                  "how many resources there are");
        return;
    }
    if (c->sac_pairs == 0)
        etm_words_add(&w, "no address comparators");
    else
        etm_words_add(&w, "%u address comparators (%u range%s)",
                      2u * c->sac_pairs, (unsigned)c->sac_pairs,
                      c->sac_pairs == 1 ? "" : "s");
    if (!v->pft) {
        count(&w, c->dvcs, "data value comparator", "data value comparators");
        count(&w, c->mmds, "memory map decoder", "memory map decoders");
    }
    if (v->version >= ETM_V2_0)
        count(&w, c->cidcs, "context ID comparator", "context ID comparators");
    count(&w, c->counters, "counter", "counters");
    etm_words_add(&w, ", %s sequencer", c->sequencer ? "a" : "no");
    if (v->version >= ETM_V1_2)
        etm_words_add(&w, ", %s start/stop block", c->start_stop ? "a" : "no");
    count(&w, c->ext_in, "external input", "external inputs");
    count(&w, c->ext_out, "external output", "external outputs");
    ETM_SAY(x, "resources", ETM_REG_CCR, "Resources: %s.", text);
    if (!v->pft)
        ETM_SAY(x, "fifofull", ETM_REG_CCR, "FIFOFULL logic: %s.",
                c->fifofull ? "yes" : "no");
}

/* 3.5.19 */
static void say_extension(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    const struct etm_resource_counts *c = &v->counts;
    char text[512];
    struct etm_words w = etm_words_on(text, sizeof text);

    if (v->version < ETM_V3_1)
        return;
    if (!v->extension_known) {
        (void)etm_explain_unknown(
            x, "extensions", &(const uint32_t){ETM_REG_CCER}, 1,
            "extended inputs, and which registers can be read");
        return;
    }
    if (c->extsels == 0)
        etm_words_add(&w, "no extended external inputs");
    else
        etm_words_add(&w, "%u extended external input%s on %u selector%s",
                      (unsigned)c->ext_ext_in, c->ext_ext_in == 1 ? "" : "s",
                      (unsigned)c->extsels, c->extsels == 1 ? "" : "s");
    if (v->version >= ETM_V3_3)
        count(&w, c->instrumentation, "instrumentation resource",
              "instrumentation resources");
    if (v->version >= ETM_V3_4)
        count(&w, c->eices, "EmbeddedICE comparator",
              "EmbeddedICE comparators");
    if (v->version >= ETM_V3_4 && c->eices != 0)
        etm_words_add(
            &w, "%s%s",
            c->start_stop_eice ? ", which can start and stop tracing" : "",
            c->eice_behavior ? ", with a choice of pulse or latch mode" : "");
    ETM_SAY(x, "extensions", ETM_REG_CCER, "Further resources: %s.", text);
    ETM_SAY(x, "readable", ETM_REG_CCER, "%s",
            etm_bit(v->macrocell.ccer, 11)
                ? "Trace registers can be read back."
                : "Most trace registers are write-only.");
    if (c->no_data_address)
        ETM_SAY(x, "data addresses", ETM_REG_CCER,
                "Address comparators compare instructions only.");
    if (v->version >= ETM_V3_5 && etm_bit(v->macrocell.ccer, 22))
        ETM_SAY(x, "timestamps", ETM_REG_CCER, "Timestamps: %u bits, %s.",
                etm_timestamp_bits(&v->config),
                v->config.timestamp_binary ? "binary" : "Gray-coded");
    if (v->pft)
        ETM_SAY(x, "return stack", ETM_REG_CCER, "Return stack: %s.",
                v->config.return_stack_implemented ? "yes" : "no");
    if (v->pft)
        ETM_SAY(x, "barriers", ETM_REG_CCER, "DMB and DSB are %swaypoints.",
                v->config.barriers_are_waypoints ? "" : "not ");
}

/* 3.5.6 */
static void say_system(struct etm_explain *x)
{
    const struct etm_view *v = &x->view;
    uint32_t scr = v->macrocell.scr;
    unsigned max =
        (scr & 7) | (v->version >= ETM_V3_0 ? (scr >> 9 & 1) << 3 : 0);

    if (!v->known[ETM_REG_SCR] || v->version < ETM_V1_2)
        return;
    if (!v->pft && etm_port_pins(max) != 0)
        ETM_SAY(x, "port", ETM_REG_SCR, "The trace port has up to %u pin%s.",
                etm_port_pins(max), etm_port_pins(max) == 1 ? "" : "s");
    if (!v->pft && v->version >= ETM_V1_3)
        ETM_SAY(x, "stall", ETM_REG_SCR, "The processor %s FIFOFULL.",
                etm_bit(scr, 8) ? "stalls on" : "ignores");
    if (v->version >= ETM_V2_1)
        ETM_SAY(x, "fetch", ETM_REG_SCR, "Comparison of fetches: %s.",
                etm_bit(scr, 17) ? "no" : "yes");
    if (v->version >= ETM_V3_2)
        ETM_SAY(x, "cores", ETM_REG_SCR, "It can trace %u processor%s.",
                (unsigned)(scr >> 12 & 7) + 1,
                (scr >> 12 & 7) == 0 ? "" : "s, one at a time");
}

void etm_explain_macrocell(struct etm_explain *x)
{
    say_version(x);
    if (x->view.known[ETM_REG_IDR])
        say_format(x);
    say_resources(x);
    say_extension(x);
    say_system(x);
}
