/* SPDX-License-Identifier: Apache-2.0 */
/* Going on, forwards and backwards, and what stops it. */
#include "gdb/report.h"
#include "gdb/server.h"

#include <inttypes.h>
#include <stdio.h>

/* The kinds of Z packets. */
enum { SOFTWARE, HARDWARE, WATCH_WRITES, WATCH_READS, WATCH_BOTH };

static const unsigned accesses[] = {
    [WATCH_WRITES] = ETM_GDB_WRITES,
    [WATCH_READS] = ETM_GDB_READS,
    [WATCH_BOTH] = (unsigned)ETM_GDB_WRITES | ETM_GDB_READS,
};

static const char *watch_name(const struct etm_gdb_server *s,
                              const struct etm_element *access)
{
    const struct etm_gdb_wanted wanted = {.watches = s->watches.data,
                                          .n_watches = s->watches.n};
    const struct etm_gdb_watch *w = etm_gdb_watched(&wanted, access);

    if (!w || w->accesses == accesses[WATCH_WRITES])
        return "watch";
    return w->accesses == accesses[WATCH_READS] ? "rwatch" : "awatch";
}

/* Signals, by GDB's numbers. */
enum { SIGNAL_NONE = 0, SIGNAL_INT = 2, SIGNAL_TRAP = 5 };

/* GDB expects SIGTRAP where it has a reason to: other stops are without a
 * signal, and so is a step that another thread has made, or one to where GDB
 * would look for the caller in vain (`expected`: none of these). */
static unsigned signal_of(const struct etm_gdb_stop *stop, bool expected)
{
    if (stop->reason == ETM_GDB_INTERRUPTED)
        return SIGNAL_INT;
    if (stop->reason == ETM_GDB_ELEMENT ||
        (stop->reason == ETM_GDB_STEPPED && !expected))
        return SIGNAL_NONE;
    return SIGNAL_TRAP;
}

/* The stop reply for this. */
static void note_stop(struct etm_gdb_server *s, const struct etm_gdb_stop *stop,
                      bool expected)
{
    int n = snprintf(s->stop, sizeof s->stop, "T%02xthread:%" PRIx32 ";",
                     signal_of(stop, expected), s->thread);
    char *rest = s->stop + n;
    size_t room = sizeof s->stop - (size_t)n;

    s->told = s->thread;
    switch (stop->reason) {
    case ETM_GDB_STEPPED:
    case ETM_GDB_BREAKPOINT:
    case ETM_GDB_ELEMENT:
    case ETM_GDB_INTERRUPTED:
        break;
    case ETM_GDB_WATCHPOINT:
        (void)snprintf(rest, room, "%s:%" PRIx32 ";",
                       watch_name(s, &stop->access),
                       stop->access.u.data.address);
        break;
    case ETM_GDB_BEGIN:
        (void)snprintf(rest, room, "replaylog:begin;");
        break;
    case ETM_GDB_END:
        (void)snprintf(rest, room, "replaylog:end;");
        break;
    }
}

void etm_gdb_tell_stop(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    const struct etm_gdb_stop first = {.reason = ETM_GDB_STEPPED};

    (void)text;
    if (s->stop[0] == '\0')
        note_stop(s, &first, true);
    etm_gdb_put(&s->reply, s->stop);
}

static void say_gap(struct etm_gdb_server *s, const struct etm_element *gap)
{
    char text[ETM_GDB_GAP_TEXT];

    etm_gdb_gap_text(gap, text);
    etm_gdb_say(s, "etm: gap: ");
    etm_gdb_say(s, text);
    etm_gdb_say(s, "\n");
}

/* Was the instruction before a return? */
static bool has_returned(struct etm_gdb_core *core)
{
    const struct etm_gdb_insn *insn = etm_gdb_insn_at(core);

    return insn && core->place.insn != 0 &&
           (insn[-1].flags & ETM_INSN_RETURN) != 0 &&
           insn[-1].exec != ETM_FALSE;
}

/* Is it in a handler whose caller GDB cannot find, and was not before? */
static bool has_been_cut(struct etm_gdb_server *s, struct etm_gdb_core *core)
{
    const struct etm_gdb_stretch *stretch;
    bool was = s->cut, entered = false;

    s->cut = core->code.profile == ETM_PROFILE_M &&
             etm_gdb_thread_frames(s, s->thread) && s->frames.cut;
    if (!s->cut || etm_gdb_history_stretch(&core->history, core->place.stretch,
                                           &stretch) != ETM_OK)
        return false;
    for (size_t i = etm_gdb_events_before(stretch, core->place.insn);
         i < stretch->events.n &&
         etm_gdb_events(stretch)[i].before == core->place.insn;
         i++)
        entered =
            entered || etm_gdb_is_kind(&etm_gdb_events(stretch)[i].element,
                                       ETM_GDB_KIND(ETM_ELEMENT_EXCEPTION));
    etm_gdb_hint_links(s);
    return entered || !was;
}

static void move(struct etm_gdb_server *s, struct etm_gdb_walk *how)
{
    struct etm_gdb_core *core = &s->cores[s->core];
    struct etm_gdb_stop stop = {.reason = ETM_GDB_STEPPED};
    uint32_t thread = s->told;
    int status = ETM_OK;
    bool cut;

    how->noted = ETM_GDB_GAPS;
    how->wanted = (struct etm_gdb_wanted){
        .addresses = s->breakpoints.data,
        .n_addresses = s->breakpoints.n,
        .watches = s->watches.data,
        .n_watches = s->watches.n,
        .kinds = s->stops_at_gaps && how->steps == 0 ? ETM_GDB_GAPS : 0};
    how->interrupted = etm_gdb_poll_interrupt;
    how->context = s;
    s->interrupted = false;
    etm_gdb_follow(core);
    if (core->empty)
        status = ETM_ERR_NOT_FOUND;
    else if (!s->arriving || (how->steps == 0 && how->high == 0))
        status = etm_gdb_walk(&core->history, &core->place, how, &stop);
    s->arriving = false;
    if (status != ETM_OK) {
        etm_gdb_say(s, "etm: ");
        etm_gdb_say(s, etm_status_text(status));
        etm_gdb_say(s, "\n");
        stop.reason = ETM_GDB_INTERRUPTED;
    }
    etm_gdb_moved(s);
    s->thread = etm_gdb_thread_running(s, s->core);
    s->returned = stop.reason == ETM_GDB_BREAKPOINT && !how->backwards &&
                  has_returned(core);
    if (stop.crossed)
        say_gap(s, &stop.element);
    cut = has_been_cut(s, core);
    note_stop(s, &stop, s->thread == thread && !cut);
    etm_gdb_put(&s->reply, s->stop);
}

/* The core of the thread that is to move; all or any: the one that did last. */
static bool choose_core(struct etm_gdb_server *s, int64_t number)
{
    const struct etm_gdb_thread *thread = etm_gdb_thread_of(s, number);

    /* of what a command has chosen the client knows nothing yet */
    if (number <= 0 || s->arriving)
        return true;
    if (!thread)
        return false;
    s->core = thread->core;
    s->told = (uint32_t)number;
    return true;
}

/* Actions of vCont, each with the thread that it is for. Only one thread moves:
 * the first one that is not just to continue, else the first. */
static bool read_actions(struct etm_gdb_server *s, struct etm_gdb_text *text,
                         struct etm_gdb_walk *how)
{
    bool stepping = false, first = true;

    while (etm_gdb_take_char(text, ';')) {
        bool steps = true, with_range = false;
        int64_t number = -1;
        uint64_t low = 0, high = 0, signal;

        if (etm_gdb_take_char(text, 'C') || etm_gdb_take_char(text, 'S')) {
            steps = text->at[-1] == 'S';
            if (!etm_gdb_take_hex(text, &signal))
                return false;
        } else if (etm_gdb_take_char(text, 'r')) {
            with_range = true;
            if (!etm_gdb_take_hex(text, &low) ||
                !etm_gdb_take_char(text, ',') ||
                !etm_gdb_take_hex(text, &high) || high > UINT32_MAX ||
                low > high)
                return false;
        } else if (etm_gdb_take_char(text, 'c')) {
            steps = false;
        } else if (!etm_gdb_take_char(text, 's')) {
            return false;
        }
        if (etm_gdb_take_char(text, ':') && !etm_gdb_take_thread(text, &number))
            return false;
        if (stepping || (!first && !steps))
            continue;
        first = false;
        stepping = steps;
        how->steps = steps && !with_range ? 1 : 0;
        how->low = (uint32_t)low;
        how->high = (uint32_t)high;
        if (with_range && low == high)
            how->steps = 1;
        if (!choose_core(s, number))
            return false;
    }
    return !first && etm_gdb_is_end(text);
}

void etm_gdb_continue(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    struct etm_gdb_walk how = {0};

    if (etm_gdb_take_char(text, '?')) {
        etm_gdb_put(&s->reply, "vCont;c;C;s;S;r");
        return;
    }
    if (read_actions(s, text, &how))
        move(s, &how);
    else
        etm_gdb_put_error(&s->reply);
}

void etm_gdb_back(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    struct etm_gdb_walk how = {.backwards = true};

    if (etm_gdb_take_char(text, 's'))
        how.steps = 1;
    else if (!etm_gdb_take_char(text, 'c'))
        return;
    if (etm_gdb_is_end(text))
        move(s, &how);
    else
        etm_gdb_put_error(&s->reply);
}

/* TYPE,ADDRESS,SIZE */
static bool read_point(struct etm_gdb_text *text, uint64_t *type,
                       struct etm_gdb_watch *watch)
{
    uint64_t address, size;

    if (!etm_gdb_take_hex(text, type) || !etm_gdb_take_char(text, ',') ||
        !etm_gdb_take_hex(text, &address) || address > UINT32_MAX ||
        !etm_gdb_take_char(text, ',') || !etm_gdb_take_hex(text, &size) ||
        size > UINT32_MAX || *type > WATCH_BOTH)
        return false;
    *watch = (struct etm_gdb_watch){(uint32_t)address, (uint32_t)size,
                                    accesses[*type]};
    return true; /* conditions and commands behind it are left to GDB */
}

/* Are data addresses traced, by any core? */
static bool has_data(const struct etm_gdb_server *s)
{
    for (size_t i = 0; i < s->n_cores; i++)
        if (s->cores[i].info->config.data_address)
            return true;
    return false;
}

static bool is_same(const struct etm_gdb_watch *a,
                    const struct etm_gdb_watch *b)
{
    return a->address == b->address && a->size == b->size &&
           a->accesses == b->accesses;
}

static size_t find_watch(const struct etm_gdb_server *s,
                         const struct etm_gdb_watch *watch)
{
    size_t i = 0;

    while (i < s->watches.n &&
           !is_same((const struct etm_gdb_watch *)s->watches.data + i, watch))
        i++;
    return i;
}

static size_t find_breakpoint(const struct etm_gdb_server *s, uint32_t address)
{
    size_t i = 0;

    while (i < s->breakpoints.n &&
           ((const uint32_t *)s->breakpoints.data)[i] != address)
        i++;
    return i;
}

/* More of either are refused: each is looked for at every instruction. */
#define POINTS_MOST 1024u

void etm_gdb_insert(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    struct etm_gdb_watch watch;
    uint64_t type;
    int status = ETM_OK;

    if (!read_point(text, &type, &watch) || s->breakpoints.n == POINTS_MOST ||
        s->watches.n == POINTS_MOST) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    if (type >= WATCH_WRITES && !has_data(s))
        return; /* not known here */
    if (type >= WATCH_WRITES && find_watch(s, &watch) == s->watches.n)
        status = etm_vec_append(&s->watches, &watch, 1);
    else if (type < WATCH_WRITES &&
             find_breakpoint(s, watch.address) == s->breakpoints.n)
        status = etm_vec_append(&s->breakpoints, &watch.address, 1);
    if (status == ETM_OK)
        etm_gdb_put(&s->reply, "OK");
    else
        etm_gdb_put_error(&s->reply);
}

void etm_gdb_remove(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    struct etm_gdb_watch *watches = s->watches.data, watch;
    uint32_t *breakpoints = s->breakpoints.data;
    uint64_t type;
    size_t i;

    if (!read_point(text, &type, &watch)) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    if (type >= WATCH_WRITES) {
        i = find_watch(s, &watch);
        if (i < s->watches.n)
            watches[i] = watches[--s->watches.n];
    } else {
        i = find_breakpoint(s, watch.address);
        if (i < s->breakpoints.n)
            breakpoints[i] = breakpoints[--s->breakpoints.n];
    }
    etm_gdb_put(&s->reply, "OK");
}
