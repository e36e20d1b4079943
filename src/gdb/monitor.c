/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of GDB's `monitor`: where in the trace it is, and going elsewhere.
 */
#include "gdb/goto.h"
#include "gdb/report.h"
#include "gdb/server.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(struct etm_gdb_server *s, const char *format, ...)
{
    char text[512];
    va_list list;

    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    etm_gdb_say(s, text);
}

/* "0x1f", "31". */
static bool number(const char *text, uint64_t *value)
{
    bool hex = strncmp(text, "0x", 2) == 0;
    char *end;

    if (text[hex ? 2 : 0] < '0')
        return false;
    *value = strtoull(text + (hex ? 2 : 0), &end, hex ? 16 : 10);
    return *end == '\0';
}

static void where(struct etm_gdb_server *s, const char *rest)
{
    struct etm_gdb_core *core = &s->cores[s->core];
    const struct etm_gdb_insn *insn = etm_gdb_insn_at(core);
    struct etm_symbol symbol;
    struct etm_gdb_where w;

    (void)rest;
    if (!insn || etm_gdb_where(&core->history, &core->place, &w) != ETM_OK) {
        etm_gdb_say(s, "the trace cannot be read there\n");
        return;
    }
    say(s, "%s: offset %" PRIu64 " (%.1f%%)", core->info->name, w.offset,
        w.percent);
    if (w.time_known)
        say(s, ", time %" PRIu64, w.time);
    if (w.cycles_known)
        say(s, ", cycle %" PRIu64, w.cycles);
    insn = etm_gdb_insn_at(core);
    if (!insn)
        return;
    say(s, ": 0x%08" PRIx32, insn->address);
    if (etm_session_symbol(s->config->session, core->history.source,
                           insn->address, &symbol) == ETM_OK)
        say(s, " <%.200s+%" PRIu32 ">", symbol.name, symbol.offset);
    etm_gdb_say(s, "\n");
}

/* Walk to the next element of some kinds. False: there is none. */
static int walk_to(struct etm_gdb_core *core, uint32_t kinds, bool backwards,
                   struct etm_gdb_place *place, bool *found)
{
    const struct etm_gdb_walk how = {.backwards = backwards,
                                     .wanted = {.kinds = kinds}};
    struct etm_gdb_stop stop;
    int status = etm_gdb_walk(&core->history, place, &how, &stop);

    *found = stop.reason == ETM_GDB_ELEMENT;
    return status;
}

/* The N-th exception of the trace, or the next one. */
static int goto_exception(struct etm_gdb_core *core, const char *text,
                          struct etm_gdb_place *place)
{
    uint64_t n = 1;
    bool found = true;
    int status = ETM_OK;

    if (*text != '\0') {
        if (!number(text, &n) || n == 0)
            return ETM_ERR_ARGUMENT;
        status = etm_gdb_walk_first(&core->history, place);
    }
    for (; n > 0 && status == ETM_OK && found; n--)
        status = walk_to(core, ETM_GDB_KIND(ETM_ELEMENT_EXCEPTION), false,
                         place, &found);
    return status == ETM_OK && !found ? ETM_ERR_NOT_FOUND : status;
}

static int goto_place(struct etm_gdb_core *core, const char *text,
                      struct etm_gdb_place *place)
{
    struct etm_gdb_history *h = &core->history;
    size_t n = strlen(text);
    uint64_t value;
    double percent;
    char *end;
    bool found;
    int status;

    if (strcmp(text, "start") == 0 || strcmp(text, "begin") == 0)
        return etm_gdb_walk_first(h, place);
    if (strcmp(text, "end") == 0)
        return etm_gdb_walk_last(h, place);
    if (strcmp(text, "trigger") == 0) {
        status = walk_to(core, ETM_GDB_KIND(ETM_ELEMENT_TRIGGER), false, place,
                         &found);
        return status == ETM_OK && !found ? ETM_ERR_NOT_FOUND : status;
    }
    if (strncmp(text, "exception", 9) == 0)
        return goto_exception(core, text + 9 + strspn(text + 9, " "), place);
    if (strncmp(text, "ts:", 3) == 0 && number(text + 3, &value))
        return etm_gdb_goto_time(h, value, place);
    if (strncmp(text, "cyc:", 4) == 0 && number(text + 4, &value))
        return etm_gdb_goto_cycles(h, value, place);
    if (n > 1 && text[n - 1] == '%') {
        percent = strtod(text, &end);
        if (*end != '%' || !(percent >= 0 && percent <= 100))
            return ETM_ERR_ARGUMENT;
        return etm_gdb_goto_offset(
            h, (uint64_t)(percent / 100 * (double)h->bytes), place);
    }
    return number(text, &value) ? etm_gdb_goto_offset(h, value, place)
                                : ETM_ERR_ARGUMENT;
}

static void moved(struct etm_gdb_server *s, const struct etm_gdb_place *place)
{
    s->cores[s->core].place = *place;
    s->cores[s->core].follows = false;
    etm_gdb_moved(s);
    s->thread = etm_gdb_thread_running(s, s->core);
    s->stop[0] = '\0';
    s->arriving = true;
    where(s, "");
}

static void go_to(struct etm_gdb_server *s, const char *rest)
{
    struct etm_gdb_core *core = &s->cores[s->core];
    struct etm_gdb_place place = core->place;
    int status = goto_place(core, rest, &place);

    if (status == ETM_ERR_ARGUMENT)
        etm_gdb_say(s, "goto start | end | ts:TIME | cyc:CYCLES | N% | trigger "
                       "| exception [N] | OFFSET\n");
    else if (status == ETM_ERR_UNSUPPORTED)
        etm_gdb_say(s, "the trace does not tell that\n");
    else if (status == ETM_ERR_NOT_FOUND)
        etm_gdb_say(s, "there is none\n");
    else if (status != ETM_OK)
        say(s, "%s\n", etm_status_text(status));
    else
        moved(s, &place);
}

static void say_line(void *server, const char *text)
{
    etm_gdb_say(server, text);
    etm_gdb_say(server, "\n");
}

static void gaps(struct etm_gdb_server *s, const char *rest)
{
    int status;

    if (strcmp(rest, "stop") == 0 || strcmp(rest, "pass") == 0) {
        s->stops_at_gaps = rest[0] == 's';
        return;
    }
    if (*rest != '\0') {
        etm_gdb_say(s, "gaps [stop | pass]\n");
        return;
    }
    status = etm_gdb_report_gaps(&s->cores[s->core].history, say_line, s);
    if (status != ETM_OK)
        say(s, "%s\n", etm_status_text(status));
}

static void profile(struct etm_gdb_server *s, const char *rest)
{
    int status =
        etm_gdb_report_profile(&s->cores[s->core].history, say_line, s);

    (void)rest;
    if (status != ETM_OK)
        say(s, "%s\n", etm_status_text(status));
}

/* FUNCTION, or -FUNCTION: the last time before here. */
static void find(struct etm_gdb_server *s, const char *rest)
{
    struct etm_gdb_core *core = &s->cores[s->core];
    struct etm_gdb_place place = core->place;
    uint32_t address;
    struct etm_gdb_walk how = {
        .backwards = *rest == '-',
        .wanted = {.addresses = &address, .n_addresses = 1},
        .interrupted = etm_gdb_poll_interrupt,
        .context = s};
    struct etm_gdb_stop stop;
    int status;

    rest += how.backwards ? 1 : 0;
    if (!etm_gdb_report_function(&core->history, rest, &address)) {
        say(s, "find [-]FUNCTION: no function is called '%.200s'\n", rest);
        return;
    }
    s->interrupted = false;
    status = etm_gdb_walk(&core->history, &place, &how, &stop);
    if (status != ETM_OK)
        say(s, "%s\n", etm_status_text(status));
    else if (stop.reason != ETM_GDB_BREAKPOINT)
        say(s, "it is not executed %s here\n",
            how.backwards ? "before" : "behind");
    else
        moved(s, &place);
}

/* Another core is to move. */
static void choose_source(struct etm_gdb_server *s, const char *rest)
{
    size_t index = s->config->n_sources;
    bool named = etm_session_find(s->config->session, rest, &index) == ETM_OK;

    for (size_t i = 0; named && i < s->n_cores; i++) {
        struct etm_gdb_core *core = &s->cores[i];

        if (core->history.source != index || core->empty)
            continue;
        s->core = i;
        etm_gdb_follow(core);
        moved(s, &core->place);
        return;
    }
    for (size_t i = 0; i < s->n_cores; i++)
        say(s, "%s%s\n", s->cores[i].info->name,
            s->cores[i].empty ? ": no instructions" : "");
}

static void backtrace(struct etm_gdb_server *s, const char *rest)
{
    (void)rest;
    etm_gdb_say_callers(s);
}

static void help(struct etm_gdb_server *s, const char *rest);

static const struct {
    const char *name;
    void (*run)(struct etm_gdb_server *server, const char *rest);
    const char *help;
} commands[] = {
    {"where", where, "offset, time and cycle of the current instruction"},
    {"goto", go_to,
     "start | end | ts:TIME | cyc:CYCLES | N% | trigger | exception [N] | "
     "OFFSET"},
    {"find", find, "FUNCTION: where it begins next; -FUNCTION: last before"},
    {"gaps", gaps, "all gaps; stop | pass: whether going on stops there"},
    {"source", choose_source, "NAME|ID: which core moves; else all of them"},
    {"backtrace", backtrace, "the callers, also where GDB does not find them"},
    {"exc-return", etm_gdb_tell_links,
     "VALUE ...: what LR holds in handlers where the trace does not tell it "
     "(M profile); unknown: forget that"},
    {"profile", profile, "instructions of each function, the most first"},
    {"help", help, "this list"},
};

static void help(struct etm_gdb_server *s, const char *rest)
{
    (void)rest;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        say(s, "%-10s %s\n", commands[i].name, commands[i].help);
}

void etm_gdb_monitor(struct etm_gdb_server *s, char *line)
{
    size_t n = strcspn(line, " \t");

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strlen(commands[i].name) == n &&
            strncmp(line, commands[i].name, n) == 0) {
            commands[i].run(s, line + n + strspn(line + n, " \t"));
            return;
        }
    say(s, "no such command; try 'monitor help'\n");
}
