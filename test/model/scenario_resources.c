/* SPDX-License-Identifier: Apache-2.0 */
/* The resources of a macrocell alone, cycle by cycle (test/README.md). */
#include "scenario.h"

#include <string.h>

/* Everything is there; traces all instructions and all data. */
void resources_begin(struct unit *u)
{
    struct resources_unit *s = &u->resources;
    bool pft = u->trace.protocol == ETM_PROTOCOL_PFT;
    unsigned version = ((unsigned)u->trace.protocol - ETM_PROTOCOL_ETMV1 + 1)
                           << 4 |
                       u->trace.minor;

    s->config = (struct etm_resources_config){
        .size = sizeof s->config,
        .version = version,
        .security = pft || version >= ETM_V3_2,
        .counts = {.sac_pairs = 8,
                   .dvcs = 8,
                   .mmds = 16,
                   .counters = 4,
                   .ext_in = 4,
                   .ext_out = 4,
                   .cidcs = 3,
                   .extsels = 4,
                   .ext_ext_in = 255,
                   .instrumentation = 4,
                   .eices = 8,
                   .sequencer = true,
                   .start_stop = true,
                   .start_stop_eice = true},
    };
    s->value[ETM_REG_TECR1] = 1u << 24;
    s->value[ETM_REG_TEEVR] = s->value[ETM_REG_VDEVR] = 0x6f;
    s->value[ETM_REG_VDCR3] = 1u << 16;
    s->value[ETM_REG_TRIGGER] = 0x406f;
    for (unsigned n = 0; n < 4; n++) {
        s->value[ETM_REG_CNTENR1 + n] = 0x2406f;
        s->value[ETM_REG_CNTRLDEVR1 + n] = 0x406f;
        s->value[ETM_REG_CNTVR1 + n] = 1;
        s->value[ETM_REG_EXTOUTEVR1 + n] = 0x406f;
    }
    for (unsigned n = 0; n < 6; n++)
        s->value[ETM_REG_SQ12EVR + n] = 0x406f;
}

/* A coprocessor register is moved (A32: MCR, MRC, MCRR, MRRC). */
static bool moves_cprt(uint32_t opcode)
{
    return (opcode & 0x0f000010) == 0x0e000010 ||
           (opcode & 0x0fe00000) == 0x0c400000;
}

static void transfer(struct resources_unit *s, const struct etm_event *e,
                     bool older)
{
    struct etm_resource_transfer t = {.owner = older ? s->older : s->owner,
                                      .address = e->u.data.address,
                                      .value = (uint32_t)e->u.data.value,
                                      .size = e->u.data.size,
                                      .store = e->u.data.store,
                                      .big_endian = e->u.data.big_endian,
                                      .failed = e->u.data.failed,
                                      .cprt = s->cprt,
                                      .follows = s->follows};

    s->follows = true;
    if (e->u.data.tag != 0) {
        t.phase = ETM_TRANSFER_WAITS;
        s->waiting = t;
    }
    etm_resources_transfer(&s->r, &t);
}

static void insn(struct resources_unit *s, const struct etm_event *e,
                 bool cancelled)
{
    struct etm_resource_insn i = {
        .address = e->u.insn.address,
        .isa = e->u.insn.isa,
        .size = e->u.insn.size,
        .passed = e->u.insn.passed,
        .cancelled = cancelled,
        .hint = etm_resources_hint(e->u.insn.isa, e->u.insn.opcode)};

    s->older = s->owner;
    s->owner = etm_resources_insn(&s->r, &i);
    s->follows = false;
    s->cprt = e->u.insn.isa == ETM_ISA_ARM && moves_cprt(e->u.insn.opcode);
}

static void inputs(struct resources_unit *s, const struct etm_event *e)
{
    if (e->kind == ETM_EVENT_PINS) {
        s->pins.ext_in = e->u.pins.ext_in;
        s->pins.eice = e->u.pins.eice;
        s->pins.eice_sampled = e->u.pins.eice_sampled;
        s->pins.mmd = e->u.pins.mmd;
    } else {
        s->pins.ext_ext[e->u.ext_inputs.word & 7] = e->u.ext_inputs.level;
    }
    etm_resources_pins(&s->r, &s->pins);
}

static void state(struct resources_unit *s, const struct etm_event *e)
{
    if (e->kind == ETM_EVENT_CONTEXT) {
        s->context.context_id = e->u.context.context_id;
        s->context.vmid = e->u.context.vmid;
        s->context.user = e->u.context.user;
    } else {
        s->context.non_secure = e->u.place.at.ns;
        s->context.hyp = e->u.place.at.hyp;
    }
    etm_resources_context(&s->r, &s->context);
}

/* Words of this unit alone are taken off. */
static bool take(struct words *w, const char *word)
{
    for (unsigned i = 0; i < w->n; i++)
        if (strcmp(w->word[i], word) == 0) {
            for (w->n--; i < w->n; i++)
                w->word[i] = w->word[i + 1];
            return true;
        }
    return false;
}

static const char *events(struct resources_unit *s, struct words *w,
                          struct etm_event_list *list)
{
    bool cancelled = take(w, "cancelled"), older = take(w, "older");
    const char *bad = scenario_events(w, list);

    for (size_t i = 0; bad == NULL && i < list->n; i++) {
        struct etm_event *e = &list->event[i];
        switch ((enum etm_event_kind)e->kind) {
        case ETM_EVENT_INSN:
            insn(s, e, cancelled);
            break;
        case ETM_EVENT_DATA:
            transfer(s, e, older);
            break;
        case ETM_EVENT_DATA_VALUE:
            s->waiting.phase = ETM_TRANSFER_RETURNED;
            s->waiting.value = (uint32_t)e->u.data_value.value;
            s->waiting.failed = e->u.data_value.failed;
            etm_resources_transfer(&s->r, &s->waiting);
            break;
        case ETM_EVENT_PINS:
        case ETM_EVENT_EXT_INPUTS:
            inputs(s, e);
            break;
        case ETM_EVENT_CONTEXT:
        case ETM_EVENT_PLACE:
            state(s, e);
            break;
        case ETM_EVENT_STACKING:
        case ETM_EVENT_SUPPRESS:
        case ETM_EVENT_EXCEPTION:
        case ETM_EVENT_TIMESTAMP:
        case ETM_EVENT_TRIGGER:
        case ETM_EVENT_TRACE_ON:
        case ETM_EVENT_TRACE_OFF:
        case ETM_EVENT_IDLE:
        case ETM_EVENT_WAIT:
            return w->word[0];
        }
    }
    return bad;
}

/* "9+trace+trigger insns=1 view=1 counter1=4 state=2": outputs, which items of
 * the cycle are traced, and what moved. */
static void outputs_text(struct resources_unit *s, struct scenario_text *t)
{
    const struct etm_resource_outputs *o = &s->out;

    text_add(t, "%x%s%s%s%s", (unsigned)o->ext_out,
             o->trace_enable ? "+trace" : "", o->trigger ? "+trigger" : "",
             o->timestamp ? "+timestamp" : "", o->full_region ? "+full" : "");
    if (o->insns != 0)
        text_add(t, " insns=%x", o->insns);
    if (o->transfers != 0)
        text_add(t, " by=%x", o->transfers);
    if (o->view != 0)
        text_add(t, " view=%x", o->view);
    for (unsigned n = 0; n < 4; n++)
        if (s->r.counter[n] != s->counter[n])
            text_add(t, " counter%u=%x", n + 1, s->r.counter[n]);
    if (s->r.state != s->state)
        text_add(t, " state=%u", s->r.state + 1u);
}

void resources_there(const struct unit *u, bool active,
                     bool there[RESOURCE_NUMBERS], struct scenario_text *out)
{
    struct etm_resources_config c =
        u->m != NULL ? etm_resources_config_of(&u->m->registers)
                     : u->resources.config;
    struct etm_resource_set set = {0};

    if (active)
        set = etm_resources_active(&u->resources.r);
    else
        text_add(out, "%s%s%s", c.security ? " security" : "",
                 c.no_fetch ? " no_fetch" : "", c.split ? " split" : "");
    for (unsigned n = 0; n < RESOURCE_NUMBERS; n++)
        there[n] =
            active ? etm_resource_active(&set, n) : etm_resource_exists(&c, n);
}

static void remember(struct resources_unit *s)
{
    memcpy(s->counter, s->r.counter, sizeof s->counter);
    s->state = s->r.state;
}

void resources_cycle(struct unit *u, bool outstanding, struct scenario_text *t)
{
    struct resources_unit *s = &u->resources;

    remember(s);
    etm_resources_cycle(&s->r, outstanding, &s->out);
    s->pins.eice_sampled = 0;
    outputs_text(s, t);
}

const char *resources_line(struct unit *u, struct words *w,
                           struct etm_event_list *list)
{
    static const char *const holds[] = {"run", "programming", "locked"};
    struct resources_unit *s = &u->resources;

    if (strcmp(w->word[0], "run") == 0) {
        etm_resources_init(&s->r, &s->config);
        etm_resources_program(&s->r, s->value);
        etm_resources_hold(&s->r, ETM_RESOURCES_RUN);
    } else if (strcmp(w->word[0], "program") == 0) {
        etm_resources_program(&s->r, s->value);
    } else if (strcmp(w->word[0], "save") == 0) {
        etm_resources_save(&s->r, s->value);
    } else if (strcmp(w->word[0], "hold") == 0 && w->n == 2) {
        for (unsigned i = 0; i < 3; i++)
            if (strcmp(w->word[1], holds[i]) == 0) {
                etm_resources_hold(&s->r, (enum etm_resources_hold)i);
                return NULL;
            }
        return w->word[1];
    } else if (strcmp(w->word[0], "region") == 0 && w->n == 2) {
        s->context.prohibited = strcmp(w->word[1], "prohibited") == 0;
        etm_resources_context(&s->r, &s->context);
    } else if (strcmp(w->word[0], "noninvasive") == 0 && w->n == 2) {
        s->pins.no_noninvasive = strcmp(w->word[1], "no") == 0;
        etm_resources_pins(&s->r, &s->pins);
    } else {
        return events(s, w, list);
    }
    return NULL;
}
