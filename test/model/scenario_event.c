/* SPDX-License-Identifier: Apache-2.0 */
/* One line of an execution: events, in the words of doc/execution-log.md. */
#include "scenario.h"

#include <etm/macrocell.h>

#include <stdlib.h>
#include <string.h>

/* What follows `key` in a word; NULL: it begins otherwise. */
static const char *after(const char *word, const char *key)
{
    size_t n = strlen(key);

    return strncmp(word, key, n) == 0 ? word + n : NULL;
}

static bool hex(const char *text, uint64_t *value)
{
    char *end;

    *value = strtoull(text, &end, 16);
    return end != text && *end == 0;
}

static bool cycles(const char *word, uint64_t *value)
{
    char *end;

    if (strcmp(word, "+?") == 0) {
        *value = ETM_CYCLES_UNKNOWN;
        return true;
    }
    if (*word != '+')
        return false;
    *value = strtoull(word + 1, &end, 10);
    return end != word + 1 && *end == 0;
}

/* "8000", "8000:tn" */
static bool place(const char *text, struct etm_place *at)
{
    char *end;

    *at = (struct etm_place){.isa = ETM_ISA_ARM};
    at->address = (uint32_t)strtoul(text, &end, 16);
    if (end == text || (*end != 0 && *end != ':'))
        return false;
    for (const char *c = *end == ':' ? end + 1 : end; *c != 0; c++)
        if (*c == 't')
            at->isa = ETM_ISA_THUMB;
        else if (*c == 'e')
            at->isa = ETM_ISA_THUMBEE;
        else if (*c == 'j')
            at->isa = ETM_ISA_JAZELLE;
        else if (*c == 'n')
            at->ns = true;
        else if (*c == 'h')
            at->ns = at->hyp = true;
        else if (*c != 'a' && *c != 's')
            return false;
    return true;
}

/* "r:2000=1", "w1b+3:2000=?2": size 4 and 0 cycles are left out. */
static bool transfer(const char *word, struct etm_event *e)
{
    char *at = (char *)word + 1;

    *e = (struct etm_event){.kind = ETM_EVENT_DATA, .u.data.size = 4};
    if (*word != 'r' && *word != 'w')
        return false;
    e->u.data.store = *word == 'w';
    if (*at >= '0' && *at <= '8')
        e->u.data.size = (uint8_t)(*at++ - '0');
    for (; *at == 'b' || *at == 'f' || *at == 'x'; at++)
        *(*at == 'b'   ? &e->u.data.big_endian
          : *at == 'f' ? &e->u.data.filtered
                       : &e->u.data.failed) = true;
    if (*at == '+')
        e->cycles = strtoull(at + 1, &at, 10);
    if (*at != ':')
        return false;
    e->u.data.address = (uint32_t)strtoul(at + 1, &at, 16);
    if (*at++ != '=')
        return false;
    if (*at != '?')
        return hex(at, &e->u.data.value);
    e->u.data.tag = (uint8_t)strtoul(at + 1, &at, 10);
    return *at == 0;
}

/* Names of opcodes that many scenarios have. */
static const struct {
    const char *name, *digits;
    bool thumb;
} opcodes[] = {
    {"nop", "e1a00000", false}, {"nop", "bf00", true},
    {"ldr", "e5910000", false}, {"str", "e5810000", false},
    {"mcr", "ee010f10", false}, {"ldm", "e8910007", false}, /* three words */
    {"isb", "f57ff06f", false}, {"wfi", "e320f003", false},
    {"smc", "e1600070", false}, {"b", "ea000000", false},
};

static bool opcode(const char *word, struct etm_event *e)
{
    bool thumb = e->u.insn.isa != ETM_ISA_ARM;
    uint64_t value;

    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (strcmp(word, opcodes[i].name) == 0 && thumb == opcodes[i].thumb) {
            word = opcodes[i].digits;
            break;
        }
    if (!hex(word, &value) || strlen(word) % 2 != 0)
        return false;
    e->u.insn.opcode = (uint32_t)value;
    e->u.insn.size = (uint8_t)(strlen(word) / 2);
    return true;
}

/* A branch has the target in its opcode, too. */
static void aim(struct etm_event *e)
{
    if (e->u.insn.isa == ETM_ISA_ARM && e->u.insn.opcode == 0xea000000 &&
        e->u.insn.next.isa != ETM_ISA_UNKNOWN)
        e->u.insn.opcode |=
            (e->u.insn.next.address - e->u.insn.address - 8) / 4 & 0xffffff;
}

static bool insn_word(const char *word, struct etm_event *e)
{
    const char *value;

    if (strcmp(word, "fail") == 0)
        e->u.insn.passed = false;
    else if (strcmp(word, "return") == 0)
        e->u.insn.exception_return = true;
    else if ((value = after(word, "next=")) != NULL)
        return place(value, &e->u.insn.next);
    else if ((value = after(word, "resume=")) != NULL)
        e->u.insn.resume = (uint8_t)strtoul(value, NULL, 10);
    else if ((value = after(word, "size=")) != NULL)
        e->u.insn.size = (uint8_t)strtoul(value, NULL, 10);
    else
        return cycles(word, &e->cycles);
    return true;
}

/* "r:*": no transfer shares a byte of its address or value with the last. */
static void scatter(struct etm_event *e)
{
    e->u.data.address =
        ((e->u.data.address ^ 0x20000000) + 0x9e3779b1) ^ 0x20000000;
    e->u.data.value = (uint32_t)(e->u.data.value + 0x85ebca6b);
}

/* An instruction, "*N": N of them one after the other, and its transfers. */
static const char *insn(const struct words *w, struct etm_event_list *list)
{
    struct etm_event e = {.kind = ETM_EVENT_INSN, .cycles = 1};
    struct etm_place at;
    unsigned long times = 1;
    bool scattered = false;
    size_t n;

    e.u.insn.passed = true;
    if (!place(w->word[0], &at))
        return w->word[0];
    e.u.insn.address = at.address;
    e.u.insn.isa = at.isa;
    if (w->n < 2 || !opcode(w->word[1], &e))
        return w->n < 2 ? w->word[0] : w->word[1];
    list->n = 1;
    for (unsigned i = 2; i < w->n; i++) {
        const char *word = w->word[i];
        if (list->n == EVENTS_LINE)
            return word;
        if (strcmp(word, "r:*") == 0) {
            scattered = true;
            word = "r:20000000=0";
        }
        if (*word == '*')
            times = strtoul(word + 1, NULL, 10);
        else if (transfer(word, &list->event[list->n]))
            list->n++;
        else if (!insn_word(word, &e))
            return word;
    }
    aim(&e);
    n = list->n;
    if (times == 0 || times * n > EVENTS_LINE)
        return "*";
    list->event[0] = e;
    for (; list->n < times * n; list->n++) {
        list->event[list->n] = list->event[list->n - n];
        if (list->n % n == 0)
            list->event[list->n].u.insn.address += e.u.insn.size;
        else if (scattered)
            scatter(&list->event[list->n]);
    }
    return NULL;
}

static bool exception_word(const char *word, struct etm_event *e)
{
    static const uint8_t types[] = {
#define TYPE(value, text) value,
        ETM_EXCEPTION_LIST(TYPE)
#undef TYPE
    };
    const char *value;

    if ((value = after(word, "to=")) != NULL)
        return place(value, &e->u.exception.next);
    if ((value = after(word, "resume=")) != NULL)
        e->u.exception.resume = (uint8_t)strtoul(value, NULL, 10);
    else if (strcmp(word, "cancels") == 0)
        e->u.exception.cancels = true;
    else if (strcmp(word, "tail") == 0)
        e->u.exception.chain = ETM_CHAIN_TAIL;
    else if (strcmp(word, "preempted") == 0)
        e->u.exception.chain = ETM_CHAIN_PREEMPTED;
    else {
        for (size_t i = 0; i < sizeof types; i++)
            if (strcmp(word, etm_exception_name(
                                 (enum etm_exception_type)types[i])) == 0) {
                e->u.exception.type = types[i];
                return true;
            }
        if (strncmp(word, "irq", 3) != 0 || word[3] < '0' || word[3] > '9')
            return false;
        e->u.exception.type = ETM_EXCEPTION_IRQ_N;
        e->u.exception.irq = (uint16_t)strtoul(word + 3, NULL, 10);
    }
    return true;
}

static bool trace_on_word(const char *word, struct etm_event *e)
{
    static const uint8_t reasons[] = {ETM_TRACE_ON_START, ETM_TRACE_ON_OVERFLOW,
                                      ETM_TRACE_ON_DEBUG_EXIT};

    for (size_t i = 0; i < sizeof reasons; i++)
        if (strcmp(word, etm_trace_on_name(
                             (enum etm_trace_on_reason)reasons[i])) == 0) {
            e->u.trace_on.reason = reasons[i];
            return true;
        }
    if (strcmp(word, "under") == 0)
        e->u.trace_on.in_progress = ETM_IN_PROGRESS_UNDER;
    else if (strcmp(word, "alone") == 0)
        e->u.trace_on.in_progress = ETM_IN_PROGRESS_ALONE;
    else
        return strncmp(word, "at=", 3) == 0 &&
               place(word + 3, &e->u.trace_on.at);
    return true;
}

/* "key=VALUE" into a number of the event. */
static bool pins_word(const char *word, struct etm_event *e)
{
    static const struct field fields[] = {
        FIELD_AS("ext", etm_event, u.pins.ext_in),
        FIELD_AS("eice", etm_event, u.pins.eice),
        FIELD_AS("sampled", etm_event, u.pins.eice_sampled),
        FIELD_AS("mmd", etm_event, u.pins.mmd),
        NO_FIELD,
    };
    uint64_t value;
    const char *at = strchr(word, '=');

    if (e->kind != ETM_EVENT_EXT_INPUTS)
        return field_set(fields, e, word, 16);
    if (at == NULL || !hex(at + 1, &value))
        return false;
    e->u.ext_inputs.word = (uint8_t)strtoul(word, NULL, 10);
    e->u.ext_inputs.level = (uint32_t)value;
    return true;
}

static bool context_word(const char *word, struct etm_event *e)
{
    uint64_t value = 0;

    if (strcmp(word, "user") == 0) {
        e->u.context.user = true;
    } else if (strncmp(word, "vmid=", 5) == 0) {
        if (!hex(word + 5, &value))
            return false;
        e->u.context.vmid = (uint8_t)value;
    } else {
        if (!hex(word, &value))
            return false;
        e->u.context.context_id = (uint32_t)value;
    }
    return true;
}

static bool value_word(const char *word, struct etm_event *e)
{
    if (strcmp(word, "failed") == 0) {
        e->u.data_value.failed = true;
        return true;
    }
    if (*word < '1' || *word > '4' || word[1] != '=')
        return false;
    e->u.data_value.tag = (uint8_t)(*word - '0');
    return hex(word + 2, &e->u.data_value.value);
}

/* One word of a line whose event is `e`. */
static bool event_word(const char *word, struct etm_event *e)
{
    switch ((enum etm_event_kind)e->kind) {
    case ETM_EVENT_DATA_VALUE:
        return value_word(word, e);
    case ETM_EVENT_STACKING:
        return strncmp(word, "next=", 5) == 0 &&
               place(word + 5, &e->u.stacking.next);
    case ETM_EVENT_SUPPRESS:
        e->u.suppress.on = strcmp(word, "on") == 0;
        return e->u.suppress.on || strcmp(word, "off") == 0;
    case ETM_EVENT_EXCEPTION:
        return exception_word(word, e);
    case ETM_EVENT_CONTEXT:
        return context_word(word, e);
    case ETM_EVENT_TIMESTAMP:
        if (strcmp(word, "frequency") == 0)
            return e->u.timestamp.frequency_changed = true;
        e->u.timestamp.value = strtoull(word, NULL, 10);
        return *word >= '0' && *word <= '9';
    case ETM_EVENT_TRACE_ON:
        return trace_on_word(word, e);
    case ETM_EVENT_PINS:
    case ETM_EVENT_EXT_INPUTS:
        return pins_word(word, e);
    case ETM_EVENT_PLACE:
        return place(word, &e->u.place.at);
    case ETM_EVENT_INSN:
    case ETM_EVENT_DATA:
    case ETM_EVENT_TRIGGER:
    case ETM_EVENT_TRACE_OFF:
    case ETM_EVENT_IDLE:
    case ETM_EVENT_WAIT:
        break;
    }
    return false;
}

const char *scenario_events(const struct words *w, struct etm_event_list *list)
{
    static const struct {
        const char *name;
        enum etm_event_kind kind;
    } kinds[] = {
        {"value", ETM_EVENT_DATA_VALUE},
        {"push", ETM_EVENT_STACKING},
        {"pop", ETM_EVENT_STACKING},
        {"suppress", ETM_EVENT_SUPPRESS},
        {"exception", ETM_EVENT_EXCEPTION},
        {"context", ETM_EVENT_CONTEXT},
        {"timestamp", ETM_EVENT_TIMESTAMP},
        {"trigger", ETM_EVENT_TRIGGER},
        {"trace_on", ETM_EVENT_TRACE_ON},
        {"trace_off", ETM_EVENT_TRACE_OFF},
        {"idle", ETM_EVENT_IDLE},
        {"pins", ETM_EVENT_PINS},
        {"wait", ETM_EVENT_WAIT},
        {"place", ETM_EVENT_PLACE},
        {"ext_inputs", ETM_EVENT_EXT_INPUTS},
    };
    struct etm_event *e = &list->event[0];
    bool data = strcmp(w->word[0], "data") == 0;
    size_t k = 0;

    list->n = 0;
    while (k < sizeof kinds / sizeof *kinds &&
           strcmp(w->word[0], kinds[k].name) != 0)
        k++;
    if (!data && k == sizeof kinds / sizeof *kinds)
        return insn(w, list);
    if (!data) {
        *e = (struct etm_event){.kind = (uint8_t)kinds[k].kind};
        e->u.stacking.pop = strcmp(w->word[0], "pop") == 0;
        list->n = 1;
    }
    for (unsigned i = 1; i < w->n; i++) {
        const char *word = w->word[i];
        if (list->n == EVENTS_LINE)
            return word;
        if ((data || e->kind == ETM_EVENT_STACKING) &&
            transfer(word, &list->event[list->n]))
            list->n++;
        else if (data || !(cycles(word, &e->cycles) || event_word(word, e)))
            return word;
    }
    return list->n == 0 ? w->word[0] : NULL;
}
