/* SPDX-License-Identifier: Apache-2.0 */
/* Events as an execution log (doc/execution-log.md). */
#include "base/isa.h"
#include "base/size.h"
#include "exec/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct etm_execution_writer {
    struct etm_allocator allocator;
    enum etm_profile profile;
    etm_write_fn *write;
    void *context;
    struct etm_place now; /* the state that a reader assumes */
    uint8_t vmid;
    bool carries; /* the current line may have transfers */
    int status;
    size_t n;
    char text[4096];
};

/* The longest piece for print(), in bytes. */
enum { PIECE = 256 };

/* Largest numbers that a log can have. */
enum { RESUME_MAX = 15, TAG_MAX = 4, EXT_INPUTS_MAX = 7 };

static void flush(struct etm_execution_writer *w)
{
    size_t n = w->n;

    w->n = 0;
    if (w->status == ETM_OK && n > 0)
        w->status = w->write(w->context, w->text, n);
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
print(struct etm_execution_writer *w, const char *format, ...)
{
    va_list list;
    int n;

    va_start(list, format);
    n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, list);
    va_end(list);
    if (n > 0)
        w->n += (size_t)n;
}

/* A new line, and room for it. */
static void begin(struct etm_execution_writer *w, const char *word)
{
    if (w->n > 0)
        print(w, "\n");
    if (w->n > sizeof w->text / 2)
        flush(w);
    w->carries = false;
    print(w, "%s", word);
}

static void print_cycles(struct etm_execution_writer *w, uint64_t cycles,
                         uint64_t usual)
{
    if (cycles == ETM_CYCLES_UNKNOWN)
        print(w, " +?");
    else if (cycles != usual)
        print(w, " +%" PRIu64, cycles);
}

/* An address with what differs from the state so far. */
static void print_place(struct etm_execution_writer *w,
                        const struct etm_place *place)
{
    static const char letters[] = "?atej";
    bool security = place->ns != w->now.ns || place->hyp != w->now.hyp;

    print(w, "%08" PRIx32, place->address);
    if (place->isa != w->now.isa || security)
        print(w, ":");
    if (place->isa != w->now.isa && place->isa < sizeof letters - 1)
        print(w, "%c", letters[place->isa]);
    if (security)
        print(w, "%s%s", place->ns ? "n" : "s", place->hyp ? "h" : "");
    w->now = *place;
}

static bool is_same(const struct etm_place *a, const struct etm_place *b)
{
    return a->address == b->address && a->isa == b->isa && a->ns == b->ns &&
           a->hyp == b->hyp;
}

static void write_insn(struct etm_execution_writer *w,
                       const struct etm_event *event)
{
    const uint8_t size = event->u.insn.size;
    struct etm_place here = w->now, stated, next = event->u.insn.next;
    unsigned digits = size < 4 ? 2u * size : 8;

    here.address = event->u.insn.address;
    here.isa = event->u.insn.isa;
    begin(w, "");
    print_place(w, &here);
    print(w, " %0*" PRIx32, (int)digits, event->u.insn.opcode);
    if (size > 4)
        print(w, " size=%u", (unsigned)size);
    if (!event->u.insn.passed)
        print(w, " fail");
    if (event->u.insn.exception_return)
        print(w, " return");
    if (event->u.insn.resume != 0)
        print(w, " resume=%u", (unsigned)event->u.insn.resume);
    print_cycles(w, event->cycles, 1);
    if (next.isa == ETM_ISA_UNKNOWN) {
        next = here;
        next.address += size;
    }
    if (!etm_opcode_leads(w->profile, event, &here, &stated) ||
        !is_same(&stated, &next)) {
        print(w, " next=");
        print_place(w, &next);
    }
    w->now = next;
    w->carries = true;
}

static void write_data(struct etm_execution_writer *w,
                       const struct etm_event *event)
{
    unsigned size = event->u.data.size;

    if (!w->carries)
        begin(w, "data");
    else if (w->n > sizeof w->text - PIECE)
        flush(w);
    print(w, " %c%u%s%s%s", event->u.data.store ? 'w' : 'r', size,
          event->u.data.big_endian ? "b" : "",
          event->u.data.filtered ? "f" : "", event->u.data.failed ? "x" : "");
    if (event->cycles != 0)
        print(w, "+%" PRIu64, event->cycles);
    print(w, ":%08" PRIx32 "=", event->u.data.address);
    if (event->u.data.tag != 0)
        print(w, "?%u", (unsigned)event->u.data.tag);
    else
        print(w, "%0*" PRIx64, (int)(2 * size), event->u.data.value);
    w->carries = true;
}

static void write_exception(struct etm_execution_writer *w,
                            const struct etm_event *event)
{
    static const char *const chains[] = {"", " tail", " preempted"};
    uint8_t type = event->u.exception.type;

    begin(w, "exception ");
    if (type == ETM_EXCEPTION_IRQ_N)
        print(w, "irq%u", (unsigned)event->u.exception.irq);
    else
        print(w, "%s", etm_exception_name((enum etm_exception_type)type));
    if (event->u.exception.cancels)
        print(w, " cancels");
    if (event->u.exception.chain < 3)
        print(w, "%s", chains[event->u.exception.chain]);
    if (event->u.exception.resume != 0)
        print(w, " resume=%u", (unsigned)event->u.exception.resume);
    print_cycles(w, event->cycles, 0);
    if (type != ETM_EXCEPTION_DEBUG_HALT) {
        print(w, " to=");
        print_place(w, &event->u.exception.next);
    }
}

static void write_stacking(struct etm_execution_writer *w,
                           const struct etm_event *event)
{
    struct etm_place now = w->now;

    begin(w, event->u.stacking.pop ? "pop" : "push");
    print_cycles(w, event->cycles, 0);
    if (event->u.stacking.next.isa != ETM_ISA_UNKNOWN) {
        print(w, " next=");
        print_place(w, &event->u.stacking.next);
        w->now = now;
    }
    w->carries = true;
}

static void write_context(struct etm_execution_writer *w,
                          const struct etm_event *event)
{
    begin(w, "context");
    print(w, " %" PRIx32, event->u.context.context_id);
    if (event->u.context.vmid != w->vmid)
        print(w, " vmid=%x", (unsigned)event->u.context.vmid);
    w->vmid = event->u.context.vmid;
    if (event->u.context.user)
        print(w, " user");
    print_cycles(w, event->cycles, 0);
}

static void write_trace_on(struct etm_execution_writer *w,
                           const struct etm_event *event)
{
    static const char *const progress[] = {"", " under", " alone"};
    uint8_t in_progress = event->u.trace_on.in_progress;

    begin(w, "trace_on ");
    print(w, "%s%s",
          etm_trace_on_name((enum etm_trace_on_reason)event->u.trace_on.reason),
          in_progress < 3 ? progress[in_progress] : "");
    print_cycles(w, event->cycles, 0);
    print(w, " at=");
    print_place(w, &event->u.trace_on.at);
}

static void write_pins(struct etm_execution_writer *w,
                       const struct etm_event *event)
{
    begin(w, "pins");
    print_cycles(w, event->cycles, 0);
    if (event->u.pins.ext_in != 0)
        print(w, " ext=%x", (unsigned)event->u.pins.ext_in);
    if (event->u.pins.eice != 0)
        print(w, " eice=%x", (unsigned)event->u.pins.eice);
    if (event->u.pins.eice_sampled != 0)
        print(w, " sampled=%x", (unsigned)event->u.pins.eice_sampled);
    if (event->u.pins.mmd != 0)
        print(w, " mmd=%x", (unsigned)event->u.pins.mmd);
}

/* A line that is no more than its word and its cycles. */
static void write_word(struct etm_execution_writer *w,
                       const struct etm_event *event)
{
    begin(w, etm_event_kind_name((enum etm_event_kind)event->kind));
    print_cycles(w, event->cycles, 0);
}

static bool is_isa(uint8_t isa)
{
    return isa >= ETM_ISA_ARM && isa <= ETM_ISA_JAZELLE;
}

/* Does a value have no more than that many bytes? */
static bool fits(uint64_t value, unsigned bytes)
{
    return bytes >= sizeof value || value >> 8 * bytes == 0;
}

/* Could an instruction be there? */
static bool is_sound_place(const struct etm_place *place)
{
    return is_isa(place->isa) &&
           etm_isa_is_aligned((enum etm_isa)place->isa, place->address);
}

/* A place that may be left to the library. */
static bool is_sound_next(const struct etm_place *place)
{
    return place->isa == ETM_ISA_UNKNOWN || is_sound_place(place);
}

/* The number of digits of an opcode is its size. */
static bool is_sound_insn(const struct etm_event *event)
{
    const uint8_t size = event->u.insn.size;
    struct etm_place here = {.address = event->u.insn.address,
                             .isa = event->u.insn.isa};
    bool whole = size == 4;

    if (event->u.insn.isa == ETM_ISA_JAZELLE)
        whole = size != 0;
    else if (event->u.insn.isa != ETM_ISA_ARM)
        whole = size == 2 || size == 4;
    return is_sound_place(&here) && whole && fits(event->u.insn.opcode, size) &&
           event->u.insn.resume <= RESUME_MAX &&
           is_sound_next(&event->u.insn.next);
}

/* Tags are of values that fit into one transfer; 8 bytes are two. */
static bool is_sound_data(const struct etm_event *event)
{
    const uint8_t size = event->u.data.size;

    if (size != 1 && size != 2 && size != 4 && size != 8)
        return false;
    if (event->u.data.tag != 0)
        return event->u.data.tag <= TAG_MAX && size != 8;
    return fits(event->u.data.value, size);
}

/* Can a log say this? It has no words for other values of enumerations, and a
 * reader takes no other numbers. */
static bool is_sound(const struct etm_event *event)
{
    const uint8_t type = event->u.exception.type;

    if (event->cycles == ETM_CYCLES_UNKNOWN &&
        event->kind != ETM_EVENT_TRACE_ON)
        return false;
    if (event->kind == ETM_EVENT_INSN)
        return is_sound_insn(event);
    if (event->kind == ETM_EVENT_DATA)
        return is_sound_data(event);
    if (event->kind == ETM_EVENT_DATA_VALUE)
        return event->u.data_value.tag >= 1 &&
               event->u.data_value.tag <= TAG_MAX;
    if (event->kind == ETM_EVENT_EXT_INPUTS)
        return event->u.ext_inputs.word <= EXT_INPUTS_MAX;
    if (event->kind == ETM_EVENT_STACKING)
        return is_sound_next(&event->u.stacking.next);
    if (event->kind == ETM_EVENT_EXCEPTION)
        return type <= ETM_EXCEPTION_IRQ_N &&
               event->u.exception.chain <= ETM_CHAIN_PREEMPTED &&
               event->u.exception.resume <= RESUME_MAX &&
               (type == ETM_EXCEPTION_DEBUG_HALT ||
                is_sound_place(&event->u.exception.next));
    if (event->kind == ETM_EVENT_TRACE_ON)
        return event->u.trace_on.reason <= ETM_TRACE_ON_DEBUG_EXIT &&
               event->u.trace_on.in_progress <= ETM_IN_PROGRESS_ALONE &&
               is_sound_place(&event->u.trace_on.at);
    if (event->kind == ETM_EVENT_PLACE)
        return is_sound_place(&event->u.place.at);
    return true;
}

static int write_event(struct etm_execution_writer *w,
                       const struct etm_event *event)
{
    if (!is_sound(event))
        return ETM_ERR_ARGUMENT;
    switch ((enum etm_event_kind)event->kind) {
    case ETM_EVENT_INSN:
        write_insn(w, event);
        return ETM_OK;
    case ETM_EVENT_DATA:
        write_data(w, event);
        return ETM_OK;
    case ETM_EVENT_DATA_VALUE:
        begin(w, "value");
        print(w, " %u=%" PRIx64 "%s", (unsigned)event->u.data_value.tag,
              event->u.data_value.value,
              event->u.data_value.failed ? " failed" : "");
        print_cycles(w, event->cycles, 0);
        return ETM_OK;
    case ETM_EVENT_STACKING:
        write_stacking(w, event);
        return ETM_OK;
    case ETM_EVENT_SUPPRESS:
        begin(w, "suppress");
        print(w, event->u.suppress.on ? " on" : " off");
        print_cycles(w, event->cycles, 0);
        return ETM_OK;
    case ETM_EVENT_EXCEPTION:
        write_exception(w, event);
        return ETM_OK;
    case ETM_EVENT_CONTEXT:
        write_context(w, event);
        return ETM_OK;
    case ETM_EVENT_TIMESTAMP:
        begin(w, "timestamp");
        print(w, " %" PRIu64 "%s", event->u.timestamp.value,
              event->u.timestamp.frequency_changed ? " frequency" : "");
        print_cycles(w, event->cycles, 0);
        return ETM_OK;
    case ETM_EVENT_TRACE_ON:
        write_trace_on(w, event);
        return ETM_OK;
    case ETM_EVENT_PINS:
        write_pins(w, event);
        return ETM_OK;
    case ETM_EVENT_EXT_INPUTS:
        begin(w, "ext_inputs");
        print(w, " %u=%" PRIx32, (unsigned)event->u.ext_inputs.word,
              event->u.ext_inputs.level);
        print_cycles(w, event->cycles, 0);
        return ETM_OK;
    case ETM_EVENT_PLACE:
        begin(w, "place ");
        print_place(w, &event->u.place.at);
        print_cycles(w, event->cycles, 0);
        return ETM_OK;
    case ETM_EVENT_TRIGGER:
    case ETM_EVENT_TRACE_OFF:
    case ETM_EVENT_IDLE:
    case ETM_EVENT_WAIT:
        write_word(w, event);
        return ETM_OK;
    }
    return ETM_ERR_ARGUMENT;
}

int etm_execution_writer_new(struct etm_execution_writer **writer,
                             const struct etm_execution_writer_config *config)
{
    struct etm_execution_writer_config own;
    struct etm_execution_writer *w;
    struct etm_allocator a;
    int status;

    if (writer == NULL)
        return ETM_ERR_ARGUMENT;
    *writer = NULL;
    status = ETM_TAKE(etm_execution_writer_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (config->write == NULL || (unsigned)config->profile > ETM_PROFILE_M)
        return ETM_ERR_ARGUMENT;
    a = etm_allocator_or_default(config->allocator);
    w = etm_alloc_zero(&a, sizeof *w);
    if (w == NULL)
        return ETM_ERR_MEMORY;
    w->allocator = a;
    w->profile = config->profile;
    w->write = config->write;
    w->context = config->context;
    w->now.isa = config->profile == ETM_PROFILE_M ? ETM_ISA_THUMB : ETM_ISA_ARM;
    begin(w, "version 1");
    *writer = w;
    return ETM_OK;
}

int etm_execution_writer_push(struct etm_execution_writer *w,
                              const struct etm_event *events, size_t n)
{
    if (events == NULL && n > 0)
        return ETM_ERR_ARGUMENT;
    for (size_t i = 0; i < n && w->status == ETM_OK; i++) {
        int status = write_event(w, &events[i]);

        if (w->status == ETM_OK)
            w->status = status;
    }
    return w->status;
}

int etm_execution_writer_finish(struct etm_execution_writer *w)
{
    if (w->status == ETM_OK) {
        print(w, "\n");
        flush(w);
    }
    return w->status;
}

void etm_execution_writer_free(struct etm_execution_writer *w)
{
    struct etm_allocator a;

    if (w == NULL)
        return;
    a = w->allocator;
    etm_alloc_free(&a, w);
}
