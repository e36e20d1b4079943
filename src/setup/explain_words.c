/* SPDX-License-Identifier: Apache-2.0 */
/* Resources, events and lists as words. */
#include "setup/explain.h"

#include "base/name.h"

#include <stdarg.h>
#include <stdio.h>

void etm_words_add(struct etm_words *words, const char *format, ...)
{
    va_list arguments;
    int n;

    if (words->n + 1 >= words->capacity)
        return;
    va_start(arguments, format);
    n = vsnprintf(words->text + words->n, words->capacity - words->n, format,
                  arguments);
    va_end(arguments);
    if (n > 0)
        words->n += (size_t)n;
    if (words->n >= words->capacity)
        words->n = words->capacity - 1;
}

void etm_words_between(struct etm_words *words, unsigned i, unsigned n,
                       const char *last)
{
    if (i > 0)
        etm_words_add(words, "%s", i + 1 == n ? last : ", ");
}

/* Three or more consecutive numbers become "a to b". */
void etm_words_numbers(struct etm_words *words, uint32_t set, const char *last)
{
    struct {
        unsigned first, n;
    } runs[32];
    unsigned count = 0, items = 0, item = 0;

    for (unsigned i = 0; i < 32; i++) {
        if (!etm_bit(set, i))
            continue;
        if (count > 0 && runs[count - 1].first + runs[count - 1].n == i + 1) {
            runs[count - 1].n++;
        } else {
            runs[count].first = i + 1;
            runs[count++].n = 1;
        }
    }
    for (unsigned i = 0; i < count; i++)
        items += runs[i].n == 2 ? 2 : 1;
    for (unsigned i = 0; i < count; i++) {
        etm_words_between(words, item++, items, last);
        etm_words_add(words, "%u", runs[i].first);
        if (runs[i].n == 2) {
            etm_words_between(words, item++, items, last);
            etm_words_add(words, "%u", runs[i].first + 1);
        } else if (runs[i].n > 2) {
            etm_words_add(words, " to %u", runs[i].first + runs[i].n - 1);
        }
    }
}

/* Consecutive resources of one kind (table 3-81). */
struct kind {
    uint8_t first, count;
    const char *before; /* the number, from 1, comes between these */
    const char *active, *inactive;
};

static const struct kind kinds[] = {
    {ETM_RESOURCE_ADDRESS, 16, "address comparator ", " matching",
     " not matching"},
    {ETM_RESOURCE_INSTRUMENTATION, 4, "instrumentation resource ", " set",
     " clear"},
    {ETM_RESOURCE_EICE, 8, "EmbeddedICE comparator ", " matching",
     " not matching"},
    {ETM_RESOURCE_MEMORY_MAP, 16, "memory map decoder ", " matching",
     " not matching"},
    {ETM_RESOURCE_COUNTER, 4, "counter ", " at zero", " not at zero"},
    {ETM_RESOURCE_CONTEXT_ID, 3, "context ID comparator ", " matching",
     " not matching"},
    {ETM_RESOURCE_EXTERNAL, 4, "external input ", " active", " inactive"},
    {ETM_RESOURCE_SELECTOR, 4, "extended external input selector ", " active",
     " inactive"},
};

static void add_resource(struct etm_words *w, unsigned number, bool inverted)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct kind *k = &kinds[i];

        if (number >= k->first && number - k->first < k->count) {
            etm_words_add(w, "%s%u%s", k->before, number - k->first + 1,
                          inverted ? k->inactive : k->active);
            return;
        }
    }
    if (number >= ETM_RESOURCE_RANGE && number < ETM_RESOURCE_RANGE + 8)
        etm_words_add(w, "address %sin range %u", inverted ? "not " : "",
                      number - ETM_RESOURCE_RANGE + 1);
    else if (number >= ETM_RESOURCE_STATE && number < ETM_RESOURCE_STATE + 3)
        etm_words_add(w, "sequencer %sin state %u", inverted ? "not " : "",
                      number - ETM_RESOURCE_STATE + 1);
    else if (number == ETM_RESOURCE_VMID)
        etm_words_add(w, "VMID comparator %smatching", inverted ? "not " : "");
    else if (number == ETM_RESOURCE_START_STOP)
        etm_words_add(w, "start/stop block %s", inverted ? "off" : "on");
    else if (number == ETM_RESOURCE_NON_SECURE)
        etm_words_add(w, "processor %sin Non-secure state",
                      inverted ? "not " : "");
    else if (number == ETM_RESOURCE_PROHIBITED)
        etm_words_add(w, "tracing %s",
                      inverted ? "not prohibited" : "prohibited");
    else
        etm_words_add(w, "%sthe reserved resource 0x%02x",
                      inverted ? "not " : "", number);
}

enum etm_constant etm_event_constant(uint32_t event)
{
    unsigned rows = etm_event_function(event)->truth;
    unsigned a = etm_event_operand(event, 0), b = etm_event_operand(event, 1);
    unsigned ones = 0, zeros = 0;

    for (unsigned i = 0; i < 4; i++) {
        bool used_b = etm_event_uses(event, 1);

        if ((a == ETM_RESOURCE_ALWAYS && (i & 1) == 0) ||
            (used_b && b == ETM_RESOURCE_ALWAYS && (i & 2) == 0) ||
            (used_b && a == b && (i == 1 || i == 2)))
            continue;
        ones += rows >> i & 1;
        zeros += ~rows >> i & 1;
    }
    return zeros == 0 ? ETM_ALWAYS : ones == 0 ? ETM_NEVER : ETM_VARIES;
}

void etm_words_event(struct etm_words *w, uint32_t event)
{
    const struct etm_event_function *f = etm_event_function(event);
    unsigned a = etm_event_operand(event, 0), b = etm_event_operand(event, 1);
    bool two = etm_event_uses(event, 1) && a != ETM_RESOURCE_ALWAYS &&
               b != ETM_RESOURCE_ALWAYS && a != b;

    switch (etm_event_constant(event)) {
    case ETM_ALWAYS:
        etm_words_add(w, "always");
        return;
    case ETM_NEVER:
        etm_words_add(w, "never");
        return;
    case ETM_VARIES:
        break;
    }
    if (a != ETM_RESOURCE_ALWAYS)
        add_resource(w, a, f->not_a);
    if (two)
        etm_words_add(w, "%s", f->either ? " or " : " and ");
    if (two || a == ETM_RESOURCE_ALWAYS)
        add_resource(w, b, f->not_b);
}

const char *etm_event_words(uint32_t event, char *text, size_t capacity)
{
    struct etm_words w;

    if (capacity == 0)
        return text;
    w = etm_words_on(text, capacity);
    etm_words_event(&w, event);
    return text;
}

void etm_words_address(struct etm_words *w, const struct etm_view *view,
                       uint32_t address)
{
    struct etm_symbol symbol;

    etm_words_add(w, "0x%08x", (unsigned)address);
    if (view->names == NULL || view->names->symbol == NULL ||
        view->names->symbol(view->names->context, address, &symbol) != ETM_OK)
        return;
    if (symbol.offset == 0)
        etm_words_add(w, " (%s)", symbol.name);
    else
        etm_words_add(w, " (%s+0x%x)", symbol.name, (unsigned)symbol.offset);
}

#define ETM_TOPIC_LIST(X)                                                      \
    X(ETM_TOPIC_MACROCELL, "macrocell")                                        \
    X(ETM_TOPIC_MODES, "modes")                                                \
    X(ETM_TOPIC_TRACE_ENABLE, "instruction trace")                             \
    X(ETM_TOPIC_VIEW_DATA, "data trace")                                       \
    X(ETM_TOPIC_TRIGGER, "trigger")                                            \
    X(ETM_TOPIC_COMPARATORS, "comparators")                                    \
    X(ETM_TOPIC_COUNTERS, "counters")                                          \
    X(ETM_TOPIC_SEQUENCER, "sequencer")                                        \
    X(ETM_TOPIC_OUTPUTS, "inputs and outputs")                                 \
    X(ETM_TOPIC_FIFO, "FIFO")                                                  \
    X(ETM_TOPIC_STATE, "state")

const char *etm_topic_name(enum etm_topic topic)
{
    ETM_RETURN_NAME(ETM_TOPIC_LIST, topic);
}

#define ETM_SEVERITY_LIST(X)                                                   \
    X(ETM_SEVERITY_UNPREDICTABLE, "unpredictable")                             \
    X(ETM_SEVERITY_ADVICE, "advice")

const char *etm_severity_name(enum etm_severity severity)
{
    ETM_RETURN_NAME(ETM_SEVERITY_LIST, severity);
}
