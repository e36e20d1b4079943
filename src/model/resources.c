/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resources of a macrocell: taking registers, and the cycle (ETM
 * architecture, chapter 2).
 */
#include "model/resources.h"

#include <string.h>

static void limit(uint8_t *count, uint8_t most)
{
    if (*count > most)
        *count = most;
}

void etm_resources_init(struct etm_resources *r,
                        const struct etm_resources_config *config)
{
    memset(r, 0, sizeof *r);
    r->config = *config;
    /* No macrocell has more (3.5.2, 3.5.19). */
    limit(&r->config.counts.sac_pairs, 8);
    limit(&r->config.counts.dvcs, 8);
    limit(&r->config.counts.mmds, 16);
    limit(&r->config.counts.counters, 4);
    limit(&r->config.counts.ext_out, 4);
    limit(&r->config.counts.cidcs, 3);
    limit(&r->config.counts.extsels, 4);
    limit(&r->config.counts.instrumentation, 4);
    limit(&r->config.counts.eices, 8);
    r->version = config->version;
    r->held = ETM_RESOURCES_PROGRAMMING;
}

struct etm_resources_config
etm_resources_config_of(const struct etm_regfile *file)
{
    return (struct etm_resources_config){
        .size = sizeof(struct etm_resources_config),
        .version = file->version,
        .security = file->security,
        .split = file->trace.thumb32_split,
        .no_fetch =
            file->version >= ETM_V2_1 && file->value[ETM_REG_SCR] >> 17 & 1u,
        .virtualization = file->trace.virtualization &&
                          file->version >= ETM_V3_5 &&
                          file->version != ETM_PFT1_0,
        .counts = file->counts,
        .no_cprt = !(file->writable[ETM_REG_CR] & ETM_CR_CPRT),
        .no_view_data = !(file->flags[ETM_REG_VDEVR] & ETM_REG_EXISTS),
        .no_timestamps = !etm_regfile_has_timestamps(file),
    };
}

/* What an event depends on. */
static void use(struct etm_resources *r, const struct etm_event_logic *event)
{
    if (event->a != ETM_RESOURCE_FALSE || event->b != ETM_RESOURCE_FALSE)
        r->changing = true;
    if (event->a < ETM_RESOURCE_INSTRUMENTATION)
        r->resources_used |= UINT32_C(1) << event->a;
    if (event->b < ETM_RESOURCE_INSTRUMENTATION)
        r->resources_used |= UINT32_C(1) << event->b;
}

static struct etm_event_logic take(struct etm_resources *r, uint32_t event,
                                   bool latch)
{
    struct etm_event_logic logic = etm_event_compile(
        &r->config, event,
        latch && r->version >= ETM_V3_4 && !r->config.counts.eice_behavior);

    use(r, &logic);
    return logic;
}

/* Events of the derived resources (3.5.12 to 3.5.14). */
static void take_derived(struct etm_resources *r, const uint32_t *value)
{
    for (unsigned n = 0; n < r->config.counts.counters; n++) {
        uint32_t enable = value[ETM_REG_CNTENR1 + n];
        uint32_t reload = value[ETM_REG_CNTRLDEVR1 + n];

        /* Bit 17 clear: every cycle counts; only in v1.x (table 3-34). */
        if (r->version < ETM_V2_0 && !(enable >> 17 & 1u))
            enable = ETM_RESOURCE_ALWAYS;
        if (n == 0 && r->config.counts.reduced_counter) {
            enable = ETM_RESOURCE_ALWAYS;
            reload = ETM_RESOURCE_COUNTER;
        }
        r->count[n] = take(r, enable, false);
        r->reload_event[n] = take(r, reload, false);
        r->reload[n] = (uint16_t)value[ETM_REG_CNTRLDVR1 + n];
        if (!etm_event_never(&r->count[n]) ||
            !etm_event_never(&r->reload_event[n]))
            r->live_counts = (uint8_t)(r->live_counts | 1u << n);
    }
    for (unsigned n = 0; n < 6 && r->config.counts.sequencer; n++) {
        r->sequence[n] = take(r, value[ETM_REG_SQ12EVR + n], false);
        if (!etm_event_never(&r->sequence[n]))
            r->live_sequencer = true;
    }
    for (unsigned n = 0; n < r->config.counts.ext_out; n++) {
        r->ext_out[n] = take(r, value[ETM_REG_EXTOUTEVR1 + n], false);
        if (!etm_event_never(&r->ext_out[n]))
            r->live_ext_out = (uint8_t)(r->live_ext_out | 1u << n);
    }
}

/* Table 3-13, 3.5.12, 3.5.13; the reserved state of the sequencer is 1. */
static void take_state(struct etm_resources *r, const uint32_t *value)
{
    uint32_t state = value[ETM_REG_SQR] & 3u;

    for (unsigned n = 0; n < 4; n++)
        r->counter[n] = (uint16_t)value[ETM_REG_CNTVR1 + n];
    r->state = state < 3 ? (uint8_t)state : 0;
    r->started = value[ETM_REG_SR] & ETM_SR_START_STOP;
    r->triggered = value[ETM_REG_SR] & ETM_SR_TRIGGER;
}

/* What follows from the context: comparators that ask nothing of it in this
   mode, and those of the context ID, with one mask for all (3.5.15), and of
   the VMID. */
static void compare_context(struct etm_resources *r)
{
    r->plain = r->context.hyp ? r->plain_hyp : r->plain_modes;
    r->cidcs = 0;
    if (r->version < ETM_V2_0 || r->context.prohibited ||
        r->pins.no_noninvasive)
        return;
    for (unsigned n = 0; n < r->config.counts.cidcs; n++)
        if (((r->context.context_id ^ r->cidc_value[n]) & ~r->cidc_mask) == 0)
            r->cidcs = (uint8_t)(r->cidcs | 1u << n);
    if (r->config.virtualization && r->context.vmid == r->vmid_value)
        r->cidcs |= 1u << 3; /* the next resource (IHI 0014Q, table 3.89) */
}

void etm_resources_program(struct etm_resources *r, const uint32_t *value)
{
    r->resources_used = 0;
    r->changing = false;
    r->live_counts = r->live_ext_out = 0;
    r->live_sequencer = false;
    take_derived(r, value);
    r->trigger = take(r, value[ETM_REG_TRIGGER], false);
    r->trace_enable = take(r, value[ETM_REG_TEEVR], true);
    r->view_data =
        take(r, r->config.no_view_data ? ETM_EVENT_NEVER : value[ETM_REG_VDEVR],
             true);
    r->timestamp_present = r->version >= ETM_V3_5 && !r->config.no_timestamps;
    r->timestamp =
        take(r, r->timestamp_present ? value[ETM_REG_TSEVR] : ETM_EVENT_NEVER,
             false);
    etm_resources_filters(r, value);
    etm_resources_comparators(r, value);
    take_state(r, value);

    for (unsigned n = 0; n < 3; n++)
        r->cidc_value[n] = value[ETM_REG_CIDCVR1 + n];
    r->cidc_mask = value[ETM_REG_CIDCMR];
    r->vmid_value = (uint8_t)value[ETM_REG_VMIDCVR];
    for (unsigned n = 0; n < 4; n++)
        r->ext_ext_select[n] = (uint8_t)(value[ETM_REG_EXTINSELR] >> 8 * n);
    r->eice_modes = r->version >= ETM_V3_4 && r->config.counts.eice_behavior;
    r->eice_latch = (uint8_t)value[ETM_REG_EIBCR];
    r->privileged_hints = r->version >= ETM_V3_3 &&
                          value[ETM_REG_CR] & (uint32_t)ETM_CR_INSTRUMENTATION;
    compare_context(r);
    r->sticky = r->hidden = 0;
    r->late_trace = r->late_view = false;
}

void etm_resources_save(const struct etm_resources *r, uint32_t *value)
{
    uint32_t status = value[ETM_REG_SR];

    for (unsigned n = 0; n < r->config.counts.counters; n++)
        value[ETM_REG_CNTVR1 + n] = r->counter[n];
    if (r->config.counts.sequencer)
        value[ETM_REG_SQR] = r->state;
    status &= ~(uint32_t)(ETM_SR_START_STOP | ETM_SR_TRIGGER);
    if (r->started)
        status |= ETM_SR_START_STOP;
    if (r->triggered)
        status |= ETM_SR_TRIGGER;
    value[ETM_REG_SR] = status;
}

void etm_resources_hold(struct etm_resources *r, enum etm_resources_hold held)
{
    r->held = (uint8_t)held;
}

/* A sample is an item of its own for the start/stop block, in which it acts
   as a pulse (table 7-21), unless ETMEIBCR says that it is maintained
   (7.6.1). */
void etm_resources_pins(struct etm_resources *r,
                        const struct etm_resource_pins *pins)
{
    uint8_t sampled = pins->eice_sampled;
    uint8_t high = sampled & pins->eice;

    r->pins = *pins;
    if (pins->no_noninvasive)
        r->pins.mmd = 0;
    r->eice_held = (uint8_t)((r->eice_held & ~(unsigned)sampled) | high);
    if (high & (r->start_eice | r->stop_eice))
        etm_resources_start_stop(r, high & r->start_eice, high & r->stop_eice);
    compare_context(r);
}

void etm_resources_context(struct etm_resources *r,
                           const struct etm_resource_context *context)
{
    r->context = *context;
    if (!r->config.security)
        r->context.non_secure = false;
    if (!r->config.virtualization)
        r->context.hyp = false;
    compare_context(r);
}

/*
 * DBG hints (2.9.2, table 2-16): 0 to 3 set, 4 to 7 clear, 8 to 11 pulse.
 * A resource that is cleared is as it was for the rest of the cycle.
 */
static void take_hint(struct etm_resources *r, unsigned hint)
{
    unsigned n = hint & 3u;
    uint8_t bit = (uint8_t)(1u << n);

    if (n >= r->config.counts.instrumentation || hint > 11 ||
        r->version < ETM_V3_3 || r->held == ETM_RESOURCES_LOCKED ||
        (r->privileged_hints && r->context.user))
        return;
    if (hint < 4) {
        r->now.hint_now |= bit;
        r->instrumentation |= bit;
        return;
    }
    /* What it was at the beginning of the cycle lasts to its end. */
    r->now.hint_now |= hint < 8 ? r->instrumentation & bit : bit;
    r->instrumentation &= (uint8_t) ~(unsigned)bit;
}

/* The state of the processor at an item. */
static void see_state(struct etm_resources *r)
{
    bool prohibited = r->context.prohibited;

    r->now.non_secure |= r->context.non_secure && !prohibited;
    r->now.prohibited |= prohibited;
}

/* What events see of it. In v1.x comparators and ranges that an event selects
 * skip cancelled instructions, and all others do not (2.7.5); a fetch is never
 * cancelled. E-386 */
static void see_insn(struct etm_resources *r,
                     const struct etm_resource_insn *insn, uint32_t matches)
{
    uint32_t seen = matches;

    if (r->version < ETM_V2_0 && insn->cancelled)
        seen &= r->fetches;
    r->hidden =
        (r->hidden & r->sticky & ~seen) | (matches & ~seen & ~r->sticky);
    r->now.matches |= seen;
}

struct etm_resource_owner
etm_resources_insn(struct etm_resources *r,
                   const struct etm_resource_insn *insn)
{
    struct etm_resource_owner owner = {.number = r->number++};
    bool allowed = !r->context.prohibited && !r->pins.no_noninvasive;

    if (r->now.insns == 0)
        r->now.first = owner.number;
    if (allowed) {
        owner.matches = etm_resources_match_insn(r, insn);
        if (insn->hint != 0 && insn->passed && !insn->cancelled)
            take_hint(r, insn->hint - 1u);
    }
    if (!r->config.ranges_follow_data || !allowed)
        r->sticky &= ~r->insn_used;
    see_insn(r, insn, owner.matches);
    r->sticky |= owner.matches & ETM_MATCH_ARCS & ~r->fires;
    etm_resources_filter_insn(r, owner.matches, allowed);
    r->now.mmds |= r->pins.mmd;
    r->now.cidcs |= r->cidcs;
    see_state(r);
    if (r->now.insns < ETM_RESOURCES_ITEMS)
        r->now.insns++;
    if (!allowed)
        owner.matches |= ETM_MATCH_PROHIBITED;
    return owner;
}

void etm_resources_transfer(struct etm_resources *r,
                            const struct etm_resource_transfer *transfer)
{
    uint32_t matches = 0;

    r->now.mmds |= r->pins.mmd;
    see_state(r);
    if (transfer->owner.matches & ETM_MATCH_PROHIBITED) {
        /* As if it did not happen (2.6.2). */
    } else if (transfer->cprt) {
        /* It has no address, and ends what ranges of data remember (2.7.9). */
        if (!r->config.no_cprt && transfer->phase != ETM_TRANSFER_RETURNED)
            r->sticky &= ~r->data_used;
        etm_resources_filter_transfer(r, transfer, 0);
    } else {
        matches = etm_resources_match_data(r, transfer);
        if (transfer->phase != ETM_TRANSFER_RETURNED)
            r->sticky &= ~r->data_used;
        r->sticky |= matches & ETM_MATCH_ARCS & ~r->fires;
        r->now.matches |= matches;
        etm_resources_filter_transfer(r, transfer, matches);
    }
    if (r->now.transfers < ETM_RESOURCES_ITEMS)
        r->now.transfers++;
}

/* One trigger in a run: the flag bars further ones (2.4). */
static bool take_trigger(struct etm_resources *r,
                         const struct etm_resource_set *set)
{
    if (etm_event_never(&r->trigger) || r->triggered ||
        !etm_event_active(&r->trigger, set))
        return false;
    r->triggered = true;
    return true;
}

/* Counters, sequencer, trigger and outputs, where nothing stops them. */
static void clock(struct etm_resources *r, const struct etm_resource_set *set,
                  struct etm_resource_outputs *out)
{
    if (r->pins.no_noninvasive) { /* they hold (2.14) */
        if (r->config.outputs_low_disabled)
            r->last_ext_out = 0;
        out->ext_out = r->last_ext_out;
        return;
    }
    out->trigger = take_trigger(r, set);
    out->timestamp = r->last_timestamp =
        r->timestamp_present && etm_event_active(&r->timestamp, set);
    out->ext_out = r->last_ext_out = etm_resources_outputs(r, set);
    etm_resources_count(r, set);
    etm_resources_sequence(r, set);
}

void etm_resources_cycle(struct etm_resources *r, bool outstanding,
                         struct etm_resource_outputs *out)
{
    memset(out, 0, sizeof *out);
    if (r->held == ETM_RESOURCES_RUN) {
        struct etm_resource_set set = r->changing
                                          ? etm_resources_active(r)
                                          : (struct etm_resource_set){{0, 0}};
        bool trace = etm_event_active(&r->trace_enable, &set);
        bool view = etm_event_active(&r->view_data, &set);

        if (r->config.late_events) {
            bool trace_now = r->late_trace, view_now = r->late_view;

            r->late_trace = trace;
            r->late_view = view;
            trace = trace_now;
            view = view_now;
        }
        etm_resources_filter_cycle(r, trace, view, outstanding, out);
        clock(r, &set, out);
    } else {
        r->high = false;
        r->last_ext_out = 0;
    }
    if (r->config.ranges_follow_data && !outstanding)
        r->sticky &= ~r->insn_used;
    etm_resources_maintain(r);
    r->pins.eice_sampled = 0;
    memset(&r->now, 0, sizeof r->now);
}

/* DBG: ARM cond 0011 0010 0000 1111 0000 1111 hint, Thumb 0xf3af 0x80f0
   | hint (2.9.2); the bits that should be one or zero do not matter. */
uint8_t etm_resources_hint(uint8_t isa, uint32_t opcode)
{
    bool dbg = false;

    if (isa == ETM_ISA_ARM)
        dbg = (opcode & UINT32_C(0x0fff00f0)) == UINT32_C(0x032000f0) &&
              opcode >> 28 != 0xf;
    else if (isa == ETM_ISA_THUMB || isa == ETM_ISA_THUMBEE)
        dbg = (opcode & UINT32_C(0xfff0d7f0)) == UINT32_C(0xf3a080f0);
    return dbg ? (uint8_t)((opcode & 15u) + 1) : 0;
}
