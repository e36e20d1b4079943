/* SPDX-License-Identifier: Apache-2.0 */
/* From a request to register values. */
#include "setup/plan.h"

#include "base/diag.h"
#include "base/size.h"
#include "model/dwt.h"
#include "port/pins.h"

#include <etm/port.h>
#include <stdio.h>
#include <string.h>

/* Features of ETMCR, by the names used when they are missing. */
static const struct {
    uint32_t bits;
    const char *what;
} control_features[] = {
    {ETM_CR_CPRT, "trace of coprocessor transfers"},
    {ETM_CR_DATA_VALUE, "trace of data values"},
    {ETM_CR_DATA_ADDRESS, "trace of data addresses"},
    {ETM_CR_STALL, "logic to stall the processor (FIFOFULL)"},
    {ETM_CR_BRANCH_OUTPUT, "branch broadcast"},
    {ETM_CR_DEBUG_REQUEST, "debug request"},
    {ETM_CR_CYCLE_ACCURATE, "cycle-accurate trace"},
    {ETM_CR_CONTEXT_ID, "trace of context IDs"},
    {ETM_CR_PORT_MODE | ETM_CR_PORT_MODE_2, "port modes"},
    {ETM_CR_SUPPRESS_DATA, "suppression of data"},
    {ETM_CR_CPRT_FILTER, "filter for coprocessor transfers"},
    {ETM_CR_DATA_ONLY, "data-only mode"},
    {ETM_CR_TIMESTAMP, "timestamps"},
    {ETM_CR_RETURN_STACK, "return stack"},
    {ETM_CR_VMID, "trace of VMIDs"},
};

const char *etm_control_feature(uint32_t *bits)
{
    for (size_t i = 0; i < sizeof control_features / sizeof *control_features;
         i++) {
        if ((*bits & control_features[i].bits) == 0)
            continue;
        *bits &= ~control_features[i].bits;
        return control_features[i].what;
    }
    return NULL;
}

static int lacks_port(struct etm_plan *p, unsigned pins)
{
    int status = etm_plan_lacks(p, "trace port of ");

    etm_diag_dec(p->diag, pins);
    etm_diag_text(p->diag, " pins");
    return status;
}

/* Port size and mode of ETMCR (3.5.1, tables 3-6, 2-17 and 2-18). */
static int take_port(struct etm_plan *p, uint32_t *cr)
{
    const struct etm_request *r = p->request;
    bool v3 = p->version >= ETM_V3_0;
    unsigned best = 16, mode = r->port_mode;
    uint32_t scr = p->file.value[ETM_REG_SCR];

    if (p->file.pft) {
        if (r->port_pins != 0 || mode != 0 || r->half_rate)
            return etm_plan_lacks(p, "trace port of its own");
        return ETM_OK;
    }
    for (unsigned code = 0; code < 16; code++) {
        if ((p->file.port_sizes >> code & 1) == 0)
            continue;
        if (r->port_pins != 0
                ? etm_port_pins(code) == r->port_pins
                : best == 16 || etm_port_pins(code) > etm_port_pins(best))
            best = code;
    }
    if (best == 16)
        return lacks_port(p, r->port_pins);
    if (mode > 7 || (mode != 0 && (p->file.port_modes >> mode & 1) == 0))
        return etm_plan_lacks(p, "such port mode");
    if (r->half_rate && (v3 || p->version < ETM_V1_2))
        return etm_plan_lacks(p, "half-rate clocking in ETMCR[13]");
    if (r->half_rate && mode == ETM_PORT_MULTIPLEXED)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a multiplexed port cannot be clocked at half "
                               "rate (table 2-17)");
    if (r->half_rate && scr != 0 && (scr >> 3 & 1) == 0)
        return etm_plan_lacks(p, "half-rate clocking (ETMSCR[3])");
    *cr |= (best & 7) << 4 | (best >> 3) << 21 | ETM_CR_PORT_ENABLE |
           (mode & 3u) << 16 | (mode >> 2) << 13;
    if (r->half_rate)
        *cr |= ETM_CR_PORT_MODE_2;
    return ETM_OK;
}

static int take_context_size(struct etm_plan *p, uint32_t *cr)
{
    switch (p->request->context_id_bytes) {
    case 0:
        return ETM_OK;
    case 1:
        *cr |= 1u << 14;
        return ETM_OK;
    case 2:
        *cr |= 2u << 14;
        return ETM_OK;
    case 4:
        *cr |= 3u << 14;
        return ETM_OK;
    }
    return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                           "a context ID has 0, 1, 2 or 4 bytes");
}

/* ETMCR (3.5.1), as it is when tracing runs. */
static int make_control(struct etm_plan *p, uint32_t *out)
{
    const struct etm_request *r = p->request;
    uint32_t cr = 0, missing;
    const char *what;
    int status;

    const struct {
        bool set;
        uint32_t bits;
    } rows[] = {
        {r->cprt, ETM_CR_CPRT},
        {r->data_value, ETM_CR_DATA_VALUE},
        {r->data_address, ETM_CR_DATA_ADDRESS},
        {r->stall, ETM_CR_STALL},
        {r->branch_broadcast, ETM_CR_BRANCH_OUTPUT},
        {r->debug_on_trigger, ETM_CR_DEBUG_REQUEST},
        {r->cycle_accurate, ETM_CR_CYCLE_ACCURATE},
        {r->suppress, ETM_CR_SUPPRESS_DATA},
        {r->cprt_filter, ETM_CR_CPRT_FILTER},
        {r->data_only, ETM_CR_DATA_ONLY},
        {r->timestamps, ETM_CR_TIMESTAMP},
        {r->return_stack, ETM_CR_RETURN_STACK},
        {r->vmid, ETM_CR_VMID},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].set)
            cr |= rows[i].bits;
    if (r->cprt_filter && !r->cprt)
        return etm_plan_refuse(
            p, ETM_ERR_ARGUMENT,
            "coprocessor transfers are filtered, but not traced (table 2-1)");
    if (r->data_only && !r->data_address && !r->data_value)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "data-only mode without data addresses or "
                               "values: nothing would be traced");
    if (r->stall && r->suppress)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "stalling and data suppression exclude each "
                               "other (table 2-3)");
    status = take_context_size(p, &cr);
    if (status == ETM_OK)
        status = take_port(p, &cr);
    if (status != ETM_OK)
        return status;
    missing = cr & ~p->file.writable[ETM_REG_CR];
    what = etm_control_feature(&missing);
    if (what)
        return etm_plan_lacks(p, what);
    *out = cr;
    return ETM_OK;
}

/* FIFOFULL and data suppression (2.6.6, 3.5.8). */
static int write_fifo(struct etm_plan *p)
{
    const struct etm_request *r = p->request;
    unsigned size = p->file.fifo_size;
    unsigned level = r->fifo_level != 0 ? r->fifo_level : (size + 1) / 2;

    if (etm_plan_has(p, ETM_REG_FFRR) && r->stall)
        etm_plan_set(p, ETM_REG_FFRR, UINT32_C(1) << 24); /* everywhere */
    if (!r->stall && !r->suppress) {
        if (r->fifo_level != 0)
            return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                                   "a level of the FIFO without stalling or "
                                   "data suppression");
        return ETM_OK;
    }
    if (r->stall && p->version >= ETM_V1_3 &&
        (p->file.value[ETM_REG_SCR] & ETM_SCR_FIFOFULL) == 0)
        return etm_plan_lacks(p, "processor that FIFOFULL stalls (ETMSCR[8])");
    if (level > size)
        return etm_plan_short(p, "bytes of FIFO", level, size);
    etm_plan_set(p, ETM_REG_FFLR, level);
    return ETM_OK;
}

static int write_sync(struct etm_plan *p)
{
    const struct etm_request *r = p->request;
    char text[128];

    if (r->sync_period != 0) {
        uint32_t takes = p->file.writable[ETM_REG_SYNCFR];

        if (!etm_plan_has(p, ETM_REG_SYNCFR) || takes == 0)
            return etm_plan_lacks(p, "programmable synchronization period");
        if ((r->sync_period & ~takes) != 0) {
            (void)snprintf(text, sizeof text,
                           "synchronization period with bits beyond 0x%03x",
                           (unsigned)takes);
            return etm_plan_lacks(p, text);
        }
        if (r->sync_period <= p->file.fifo_size && !p->file.pft)
            etm_plan_note(p, "the synchronization period should be greater "
                             "than the size of the FIFO (3.5.17)");
        etm_plan_set(p, ETM_REG_SYNCFR, r->sync_period);
    }
    if (r->trace_id == 0)
        return ETM_OK;
    if (!etm_plan_has(p, ETM_REG_TRACEIDR))
        return etm_plan_lacks(p, "trace ID: its stream has only one source");
    if (r->trace_id > 0x6f)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT, "trace IDs are 1 to 0x6f");
    etm_plan_set(p, ETM_REG_TRACEIDR, r->trace_id);
    return ETM_OK;
}

/* The values of the request's events. */
struct events {
    struct etm_plan_event trigger, timestamp, external[4];
};

static int plan_one(struct etm_plan *p,
                    const struct etm_request_condition *condition,
                    struct etm_plan_event *event)
{
    if (condition->what != ETM_CONDITION_NONE)
        return etm_plan_condition(p, condition, ETM_PLAN_EVENT, event);
    *event = (struct etm_plan_event){.op = ETM_PLAN_NEVER};
    return ETM_OK;
}

static int plan_events(struct etm_plan *p, struct events *e)
{
    const struct etm_request *r = p->request;
    int status = plan_one(p, &r->trigger, &e->trigger);

    if (status == ETM_OK)
        status = plan_one(p, &r->timestamp, &e->timestamp);
    for (unsigned i = 0; i < 4 && status == ETM_OK; i++) {
        status = plan_one(p, &r->external[i], &e->external[i]);
        if (status == ETM_OK && e->external[i].op != ETM_PLAN_NEVER &&
            i >= p->file.counts.ext_out)
            return etm_plan_short(p, "external outputs", i + 1,
                                  p->file.counts.ext_out);
    }
    if (status != ETM_OK)
        return status;
    if (e->timestamp.op != ETM_PLAN_NEVER && !etm_plan_has(p, ETM_REG_TSEVR))
        return etm_plan_lacks(p, "timestamp event");
    if (e->timestamp.op != ETM_PLAN_NEVER && !r->timestamps)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a timestamp event without timestamps");
    if (r->debug_on_trigger && r->trigger.what == ETM_CONDITION_NONE)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a debug request without a trigger");
    if (r->n_chain != 0 && !p->chained)
        return etm_plan_refuse(p, ETM_ERR_ARGUMENT,
                               "a chain that no condition uses");
    return ETM_OK;
}

static void write_events(struct etm_plan *p, const struct events *e)
{
    etm_plan_set(p, ETM_REG_TRIGGER, etm_plan_event(p, &e->trigger));
    if (etm_plan_has(p, ETM_REG_TSEVR))
        etm_plan_set(p, ETM_REG_TSEVR, etm_plan_event(p, &e->timestamp));
    for (unsigned i = 0; i < p->file.counts.ext_out; i++)
        etm_plan_set(p, ETM_REG_EXTOUTEVR1 + i,
                     etm_plan_event(p, &e->external[i]));
}

static int build(struct etm_plan *p)
{
    struct etm_plan_trace trace;
    struct etm_plan_filter view;
    struct events events;
    uint32_t cr = 0;
    int status = make_control(p, &cr);

    if (status == ETM_OK)
        status = etm_plan_trace(p, &trace);
    if (status == ETM_OK)
        status = etm_plan_view(p, &view);
    if (status == ETM_OK)
        status = plan_events(p, &events);
    if (status == ETM_OK)
        status = etm_plan_place(p);
    if (status != ETM_OK)
        return status;
    etm_plan_set(p, ETM_REG_CR, cr);
    write_events(p, &events);
    etm_plan_write_trace(p, &trace);
    etm_plan_write_view(p, &view);
    etm_plan_write_comparators(p);
    etm_plan_write_resources(p);
    status = write_fifo(p);
    return status == ETM_OK ? write_sync(p) : status;
}

static void reset(struct etm_plan *p)
{
    p->setup->n = 0;
    if (p->notes)
        p->notes->n = 0;
    p->n_wants = 0;
    p->n_context_ids = p->n_selectors = 0;
    p->has_vmid = false;
    p->latches = p->pulses = p->ices = 0;
    memset(p->counters, 0, sizeof p->counters);
    p->chained = false;
}

/* Where a register is in the order of writing: what is beside the macrocell
 * comes first, and before that what switches it on. */
static uint64_t order_of(uint32_t number)
{
    if (number == ETM_REG_DEMCR)
        return 0;
    return etm_register_beside(number) ? number
                                       : UINT64_C(0x100000000) + number;
}

/* The order of writing; in the macrocell it is that of a dump. */
static void sort(struct etm_setup *setup)
{
    for (size_t i = 1; i < setup->n; i++) {
        struct etm_setup_value value = setup->values[i];
        size_t k = i;

        for (; k > 0 &&
               order_of(setup->values[k - 1].number) > order_of(value.number);
             k--)
            setup->values[k] = setup->values[k - 1];
        setup->values[k] = value;
    }
}

/* Lists that are counted are there. */
static int check_lists(const struct etm_request *r, struct etm_diag *diag)
{
    const struct {
        const void *list;
        size_t n;
        const char *name;
    } lists[] = {
        {r->include, r->n_include, "include"},
        {r->exclude, r->n_exclude, "exclude"},
        {r->start, r->n_start, "start"},
        {r->stop, r->n_stop, "stop"},
        {r->data_include, r->n_data_include, "data_include"},
        {r->data_exclude, r->n_data_exclude, "data_exclude"},
        {r->chain, r->n_chain, "chain"},
    };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (!lists[i].list && lists[i].n != 0)
            return etm_diag_say(diag, ETM_ERR_ARGUMENT, lists[i].name,
                                "the list is NULL");
    return ETM_OK;
}

int etm_configure(struct etm_setup *setup, const struct etm_request *request,
                  const struct etm_macrocell_config *macrocell,
                  struct etm_notes *notes, struct etm_diag *diag)
{
    struct etm_request own;
    struct etm_plan p = {
        .request = &own, .setup = setup, .notes = notes, .diag = diag};
    int status = ETM_TAKE(etm_request, &own, request, diag);

    if (status == ETM_OK && (!setup || !macrocell))
        status = etm_diag_say(diag, ETM_ERR_ARGUMENT, "macrocell",
                              "no macrocell, or no place for the setup");
    if (status != ETM_OK)
        return status;
    status = check_lists(&own, diag);
    if (status != ETM_OK)
        return status;
    reset(&p);
    status = etm_regfile_init(&p.file, macrocell, diag);
    if (status != ETM_OK)
        return status;
    p.version = p.file.version;
    p.resources = etm_resources_config_of(&p.file);
    status = build(&p);
    /* A context ID may not need the range over all memory, nor a range two
     * comparators of the DWT. */
    if (status == ETM_ERR_UNSUPPORTED && (p.whole || p.halves)) {
        p.event_conditions = p.whole;
        p.no_halves = p.halves;
        reset(&p);
        status = build(&p);
    }
    if (status != ETM_OK)
        setup->n = 0;
    sort(setup);
    return status;
}
