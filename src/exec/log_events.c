/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of the execution log other than instructions and data. */
#include "exec/log.h"

#include "base/lists.h"

#include <string.h>

#define HEX_OR(word, most, number, what)                                       \
    (etm_word_hex(word, most, number) ? ETM_OK : etm_log_bad(r, word, what))

/* A line while it is read: its event, and whether a place was given. */
struct line {
    struct etm_event event;
    bool led;
    bool given; /* the word that must be there */
};

/* One word of a line; each kind has its own. */
typedef int take_fn(struct etm_execution_reader *r, const struct etm_word *word,
                    struct line *line);

static int not_understood(struct etm_execution_reader *r,
                          const struct etm_word *word)
{
    return etm_log_bad(r, word, "not understood here");
}

static int take_nothing(struct etm_execution_reader *r,
                        const struct etm_word *word, struct line *line)
{
    (void)line;
    return not_understood(r, word);
}

static int take_version(struct etm_execution_reader *r,
                        const struct etm_word *word, struct line *line)
{
    uint64_t version;

    line->given = true;
    if (!etm_word_dec(word, UINT32_MAX, &version) || version != ETM_LOG_VERSION)
        return etm_log_bad(r, word, "an unknown version: only 1 is known");
    return ETM_OK;
}

/* "1=5", "1=5 failed" */
static int take_data_value(struct etm_execution_reader *r,
                           const struct etm_word *word, struct line *line)
{
    struct etm_word tag = *word, value;
    uint64_t number = 0;
    int status;

    if (line->given && etm_word_is(word, "failed")) {
        line->event.u.data_value.failed = true;
        return ETM_OK;
    }
    if (line->given || !etm_word_cut(&tag, '=', &value))
        return not_understood(r, word);
    line->given = true;
    status = etm_log_count(r, &tag, 4, "not a tag: they are 1 to 4", &number);
    if (status == ETM_OK && number == 0)
        status = etm_log_bad(r, word, "not a tag: they are 1 to 4");
    line->event.u.data_value.tag = (uint8_t)number;
    return status == ETM_OK
               ? HEX_OR(&value, UINT64_MAX, &line->event.u.data_value.value,
                        "not a value")
               : status;
}

static int take_suppress(struct etm_execution_reader *r,
                         const struct etm_word *word, struct line *line)
{
    if (line->given || !(etm_word_is(word, "on") || etm_word_is(word, "off")))
        return not_understood(r, word);
    line->given = true;
    line->event.u.suppress.on = etm_word_is(word, "on");
    return ETM_OK;
}

/* "irq", "hard_fault", "irq5" */
static bool take_type(const struct etm_word *word, struct etm_event *event)
{
    static const uint8_t types[] = {
#define TYPE(value, text) value,
        ETM_EXCEPTION_LIST(TYPE)
#undef TYPE
    };
    struct etm_word digits = {word->text + 3, word->n - 3};
    uint64_t number;

    for (size_t i = 0; i < sizeof types; i++) {
        event->u.exception.type = types[i];
        if (types[i] != ETM_EXCEPTION_IRQ_N &&
            etm_word_is(word,
                        etm_exception_name((enum etm_exception_type)types[i])))
            return true;
    }
    if (word->n <= 3 || memcmp(word->text, "irq", 3) != 0 ||
        !etm_word_dec(&digits, UINT16_MAX, &number))
        return false;
    event->u.exception.type = ETM_EXCEPTION_IRQ_N;
    event->u.exception.irq = (uint16_t)number;
    return true;
}

static int take_exception(struct etm_execution_reader *r,
                          const struct etm_word *word, struct line *line)
{
    struct etm_event *event = &line->event;
    struct etm_place from = r->now;
    struct etm_word value;
    uint64_t number = 0;
    int status = ETM_OK;

    if (!line->given) {
        line->given = true;
        return take_type(word, event)
                   ? ETM_OK
                   : etm_log_bad(r, word, "not a kind of exception");
    }
    if (etm_word_is(word, "cancels")) {
        event->u.exception.cancels = true;
    } else if (etm_word_is(word, "tail")) {
        event->u.exception.chain = ETM_CHAIN_TAIL;
    } else if (etm_word_is(word, "preempted")) {
        event->u.exception.chain = ETM_CHAIN_PREEMPTED;
    } else if (etm_word_key(word, "to", &value)) {
        line->led = true;
        event->u.exception.next = r->now;
        status = etm_log_place(r, value, &event->u.exception.next);
    } else if (etm_word_key(word, "from", &value)) {
        status = etm_log_place(r, value, &from);
        if (status == ETM_OK && !etm_pending_return(r, &from))
            status = etm_log_bad(r, word,
                                 "not allowed: the previous instruction "
                                 "already says where it led");
    } else if (etm_word_key(word, "resume", &value)) {
        status =
            etm_log_count(r, &value, 15, "not a number of transfers", &number);
        event->u.exception.resume = (uint8_t)number;
    } else {
        status = not_understood(r, word);
    }
    return status;
}

static int take_context(struct etm_execution_reader *r,
                        const struct etm_word *word, struct line *line)
{
    struct etm_word value;
    uint64_t number = 0;
    int status = ETM_OK;

    if (etm_word_key(word, "vmid", &value)) {
        status = HEX_OR(&value, UINT8_MAX, &number, "not a VMID");
        line->event.u.context.vmid = (uint8_t)number;
    } else if (etm_word_is(word, "user")) {
        line->event.u.context.user = true;
    } else if (!line->given) {
        status = HEX_OR(word, UINT32_MAX, &number, "not a context ID");
        line->event.u.context.context_id = (uint32_t)number;
    } else {
        status = not_understood(r, word);
    }
    line->given = true;
    return status;
}

static int take_timestamp(struct etm_execution_reader *r,
                          const struct etm_word *word, struct line *line)
{
    if (line->given) {
        line->event.u.timestamp.frequency_changed = true;
        return etm_word_is(word, "frequency") ? ETM_OK
                                              : not_understood(r, word);
    }
    line->given = true;
    return etm_log_count(r, word, UINT64_MAX, "not a timestamp",
                         &line->event.u.timestamp.value);
}

static int take_trace_on(struct etm_execution_reader *r,
                         const struct etm_word *word, struct line *line)
{
    struct etm_event *event = &line->event;
    struct etm_word value;

    if (etm_word_key(word, "at", &value)) {
        line->led = true;
        event->u.trace_on.at = r->now;
        return etm_log_place(r, value, &event->u.trace_on.at);
    }
    if (etm_word_is(word, "under"))
        event->u.trace_on.in_progress = ETM_IN_PROGRESS_UNDER;
    else if (etm_word_is(word, "alone"))
        event->u.trace_on.in_progress = ETM_IN_PROGRESS_ALONE;
    else if (etm_word_is(word, "start"))
        event->u.trace_on.reason = ETM_TRACE_ON_START;
    else if (etm_word_is(word, "overflow"))
        event->u.trace_on.reason = ETM_TRACE_ON_OVERFLOW;
    else if (etm_word_is(word, "debug_exit"))
        event->u.trace_on.reason = ETM_TRACE_ON_DEBUG_EXIT;
    else
        return not_understood(r, word);
    return ETM_OK;
}

static int take_pins(struct etm_execution_reader *r,
                     const struct etm_word *word, struct line *line)
{
    struct etm_event *event = &line->event;
    struct etm_word value;
    uint64_t number = 0;
    int status = ETM_OK;

    if (etm_word_key(word, "mmd", &value)) {
        status = HEX_OR(&value, UINT16_MAX, &number, "not a 16-bit number");
        event->u.pins.mmd = (uint16_t)number;
    } else if (etm_word_key(word, "ext", &value)) {
        status = HEX_OR(&value, UINT8_MAX, &number, "not an 8-bit number");
        event->u.pins.ext_in = (uint8_t)number;
    } else if (etm_word_key(word, "eice", &value)) {
        status = HEX_OR(&value, UINT8_MAX, &number, "not an 8-bit number");
        event->u.pins.eice = (uint8_t)number;
    } else if (etm_word_key(word, "sampled", &value)) {
        status = HEX_OR(&value, UINT8_MAX, &number, "not an 8-bit number");
        event->u.pins.eice_sampled = (uint8_t)number;
    } else {
        status = not_understood(r, word);
    }
    return status;
}

/* "0=ff" */
static int take_ext_inputs(struct etm_execution_reader *r,
                           const struct etm_word *word, struct line *line)
{
    struct etm_word number = *word, value;
    uint64_t n, level;

    if (line->given || !etm_word_cut(&number, '=', &value) ||
        !etm_word_dec(&number, 7, &n) ||
        !etm_word_hex(&value, UINT32_MAX, &level))
        return etm_log_bad(r, word, "not WORD=LEVEL, with a word from 0 to 7");
    line->given = true;
    line->event.u.ext_inputs.word = (uint8_t)n;
    line->event.u.ext_inputs.level = (uint32_t)level;
    return ETM_OK;
}

static int take_where(struct etm_execution_reader *r,
                      const struct etm_word *word, struct line *line)
{
    if (line->given)
        return not_understood(r, word);
    line->given = true;
    line->event.u.place.at = r->now;
    return etm_log_place(r, *word, &line->event.u.place.at);
}

enum { NO_EVENT = UINT8_MAX };

static const struct row {
    const char *name;
    uint8_t kind; /* enum etm_event_kind */
    take_fn *take;
    const char *needs; /* what must be there; NULL: nothing */
} rows[] = {
    {"version", NO_EVENT, take_version, "its number"},
    {"value", ETM_EVENT_DATA_VALUE, take_data_value, "TAG=VALUE"},
    {"suppress", ETM_EVENT_SUPPRESS, take_suppress, "on or off"},
    {"exception", ETM_EVENT_EXCEPTION, take_exception, "its kind"},
    {"context", ETM_EVENT_CONTEXT, take_context, "the context ID"},
    {"timestamp", ETM_EVENT_TIMESTAMP, take_timestamp, "its value"},
    {"trigger", ETM_EVENT_TRIGGER, take_nothing, NULL},
    {"trace_on", ETM_EVENT_TRACE_ON, take_trace_on, NULL},
    {"trace_off", ETM_EVENT_TRACE_OFF, take_nothing, NULL},
    {"idle", ETM_EVENT_IDLE, take_nothing, NULL},
    {"pins", ETM_EVENT_PINS, take_pins, NULL},
    {"ext_inputs", ETM_EVENT_EXT_INPUTS, take_ext_inputs, "WORD=LEVEL"},
    {"place", ETM_EVENT_PLACE, take_where, "the address"},
    {"wait", ETM_EVENT_WAIT, take_nothing, NULL},
};

/* Add the event of a line that was read. */
static int add(struct etm_execution_reader *r, struct line *line)
{
    struct etm_event *event = &line->event;
    bool exception = event->kind == ETM_EVENT_EXCEPTION;
    int status = ETM_OK;

    if (event->kind == ETM_EVENT_CONTEXT) {
        r->context_id = event->u.context.context_id;
        r->vmid = event->u.context.vmid;
    }
    if (exception || event->kind == ETM_EVENT_TRACE_ON ||
        event->kind == ETM_EVENT_TRACE_OFF || event->kind == ETM_EVENT_PLACE) {
        status = etm_pending_break(r, exception && event->u.exception.cancels);
        r->data.due = 0; /* its remaining transfers need not come */
    }
    if (status != ETM_OK)
        return status;
    r->report.exceptions += exception;
    if (event->kind == ETM_EVENT_TRACE_ON || event->kind == ETM_EVENT_TRACE_OFF)
        r->untraced = event->kind == ETM_EVENT_TRACE_OFF;
    if (event->kind == ETM_EVENT_PLACE) {
        r->now = event->u.place.at;
        r->began = true;
    }
    /* Debug state leads nowhere; what comes after it may be anywhere. */
    if ((exception && event->u.exception.type != ETM_EXCEPTION_DEBUG_HALT) ||
        event->kind == ETM_EVENT_TRACE_ON) {
        /* Tracing may begin under an instruction that does not complete. */
        if (line->led && exception)
            etm_pending_told(r, event);
        return etm_pending_turn(r, event, line->led);
    }
    return etm_pending_add(r, event);
}

int etm_log_event_line(struct etm_execution_reader *r,
                       const struct etm_word *first, struct etm_word *rest,
                       bool *known)
{
    const struct row *row = NULL;
    struct line line = {0};
    struct etm_word word;
    int status = ETM_OK;

    for (size_t i = 0; i < sizeof rows / sizeof *rows && row == NULL; i++) {
        if (etm_word_is(first, rows[i].name))
            row = &rows[i];
    }
    *known = row != NULL;
    if (row == NULL)
        return ETM_OK;
    line.event.kind = row->kind;
    if (row->kind == ETM_EVENT_CONTEXT) {
        line.event.u.context.context_id = r->context_id;
        line.event.u.context.vmid = r->vmid;
    }
    while (status == ETM_OK && etm_word_next(rest, &word)) {
        if (word.text[0] == '+' && row->kind != NO_EVENT)
            status = etm_log_cycles(r, &word, &line.event);
        else
            status = row->take(r, &word, &line);
    }
    if (status == ETM_OK && row->needs != NULL && !line.given)
        status = etm_reader_fail(r, "%s: %s is missing", row->name, row->needs);
    if (status != ETM_OK || row->kind == NO_EVENT)
        return status;
    return add(r, &line);
}
