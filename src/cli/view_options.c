/* SPDX-License-Identifier: Apache-2.0 */
/* Which commands that read captures have an option or a format; and the options
 * of those that show what the program did. */
#include "cli/args.h"
#include "cli/view.h"

#include <etm/write.h>

#include <stdio.h>
#include <string.h>

const char *const etm_cli_command_names[] = {
    "info",       "packets",  "decode", "index",    "profile", "calls",
    "exceptions", "timeline", "split",  "coverage", "gdb",     "variables",
    "report",     "diff",     "top",    NULL};

struct owner {
    const char *name;
    unsigned commands;
};

#define PROGRAM ETM_CLI_NEED_CODE
#define ALL (((unsigned)ETM_CLI_TOP << 1) - 1)
#define ALL_BUT(commands) (ALL & ~(unsigned)(commands))

/* All others are of every command. */
static const struct owner options_of[] = {
    {"--format", ALL_BUT(ETM_CLI_GDB)},
    {"-o", ALL_BUT(ETM_CLI_GDB)},
    {"--level", (unsigned)ETM_CLI_DECODE | ETM_CLI_COVERAGE | ETM_CLI_DIFF},
    {"--source-lines", ETM_CLI_DECODE},
    {"--cycles", ETM_CLI_DECODE},
    {"--no-offset", (unsigned)ETM_CLI_PACKETS | ETM_CLI_DECODE},
    {"--jobs", PROGRAM | ETM_CLI_GDB | ETM_CLI_DIFF | ETM_CLI_TOP},
    {"--from", PROGRAM},
    {"--to", PROGRAM},
    {"--last", PROGRAM},
    {"--shard", (unsigned)ETM_CLI_DECODE | ETM_CLI_COVERAGE},
    {"--index", PROGRAM},
    {"--stats", ETM_CLI_DECODE},
    {"--itm-text", ETM_CLI_DECODE},
    {"--merge", (unsigned)ETM_CLI_DECODE | ETM_CLI_CALLS | ETM_CLI_EXCEPTIONS |
                    ETM_CLI_VARIABLES},
    {"--every", ETM_CLI_INDEX},
    {"--by", ETM_CLI_PROFILE},
    {"--annotate", ETM_CLI_PROFILE},
    {"--callers", ETM_CLI_PROFILE},
    {"--callees", ETM_CLI_PROFILE},
    {"--function", (unsigned)ETM_CLI_CALLS | ETM_CLI_TIMELINE},
    {"--depth", (unsigned)ETM_CLI_CALLS | ETM_CLI_TIMELINE},
    {"--summary", (unsigned)ETM_CLI_CALLS | ETM_CLI_DIFF},
    {"--minimum-duration", (unsigned)ETM_CLI_CALLS | ETM_CLI_TIMELINE},
    {"--watch",
     (unsigned)ETM_CLI_TIMELINE | ETM_CLI_VARIABLES | ETM_CLI_REPORT},
    {"--no-demangle", ETM_CLI_VIEWS | ETM_CLI_TOP},
    {"--inlined", (unsigned)ETM_CLI_PROFILE | ETM_CLI_CALLS | ETM_CLI_TIMELINE |
                      ETM_CLI_REPORT},
    {"--task-variable", ETM_CLI_VIEWS | ETM_CLI_GDB},
    {"--listen", ETM_CLI_GDB},
    {"--ignore", ETM_CLI_DIFF},
    {"--context", ETM_CLI_DIFF},
    {"--window", ETM_CLI_DIFF},
    {"--lines", (unsigned)ETM_CLI_DIFF | ETM_CLI_TOP},
    {"--interval", ETM_CLI_TOP},
    {"--once", ETM_CLI_TOP},
};

/* Formats of views alone; those of listings are in a table of the library, of
 * which these commands have none. */
#define NO_LISTING ((unsigned)ETM_CLI_TIMELINE | ETM_CLI_REPORT | ETM_CLI_GDB)

static const struct owner formats_of[] = {
    {"folded", ETM_CLI_PROFILE},     {"callgrind", ETM_CLI_PROFILE},
    {"speedscope", ETM_CLI_PROFILE}, {"pprof", ETM_CLI_PROFILE},
    {"perfetto", ETM_CLI_TIMELINE},  {"chrome", ETM_CLI_TIMELINE},
    {"ctf", ETM_CLI_TIMELINE},       {"csv", ETM_CLI_VARIABLES},
    {"html", ETM_CLI_REPORT},
};

unsigned etm_cli_option_commands(const char *option)
{
    for (size_t i = 0; i < sizeof options_of / sizeof *options_of; i++)
        if (strcmp(options_of[i].name, option) == 0)
            return options_of[i].commands;
    return ALL;
}

bool etm_cli_option_of_all(const char *option)
{
    return etm_cli_option_commands(option) == ALL;
}

static size_t count(unsigned commands)
{
    size_t n = 0;

    for (; commands != 0; commands &= commands - 1)
        n++;
    return n;
}

/* Names the commands that have it, or those that have not if these are fewer:
 * "for 'etm calls', 'diff' and 'top' only", "not for 'etm info' or 'split'". */
int etm_cli_not_of_command(const struct etm_cli_options *o, const char *what,
                           unsigned commands)
{
    bool most = count(commands) > count(ALL_BUT(commands));
    unsigned named = most ? ALL_BUT(commands) : commands;
    char text[256] = "";

    for (size_t i = 0; etm_cli_command_names[i]; i++) {
        size_t n = strlen(text);
        const char *before = n == 0           ? "etm "
                             : named >> i > 1 ? ", '"
                             : most           ? " or '"
                                              : " and '";

        if ((named >> i & 1) != 0)
            (void)snprintf(text + n, sizeof text - n, "%s%s'", before,
                           etm_cli_command_names[i]);
    }
    return etm_cli_usage(o->name, "%s is %sfor '%s%s", what, most ? "not " : "",
                         text, most ? "" : " only");
}

/* 0: there is no such format. */
static unsigned format_commands(const char *format)
{
    const struct etm_listing_format *row;

    if (etm_listing_format_find(format, &row) == ETM_OK)
        return row->takes == ETM_LISTING_PACKETS  ? ETM_CLI_PACKETS
               : row->takes == ETM_LISTING_COUNTS ? ETM_CLI_COVERAGE
                                                  : ALL_BUT(NO_LISTING);
    for (size_t i = 0; i < sizeof formats_of / sizeof *formats_of; i++)
        if (strcmp(formats_of[i].name, format) == 0)
            return formats_of[i].commands;
    return 0;
}

static const char *format_name(size_t n)
{
    size_t listings = 0;

    while (etm_listing_formats(listings))
        listings++;
    if (n < listings)
        return etm_listing_formats(n)->name;
    n -= listings;
    return n < sizeof formats_of / sizeof *formats_of ? formats_of[n].name
                                                      : NULL;
}

/* There is no such format: those of the command. */
static int bad_format(const struct etm_cli_options *o)
{
    char names[256] = "not one of";
    const char *name, *before = "";

    for (size_t i = 0; (name = format_name(i)) != NULL; i++) {
        size_t n = strlen(names);

        if ((format_commands(name) & o->command) == 0)
            continue;
        (void)snprintf(names + n, sizeof names - n, "%s %s", before, name);
        before = ",";
    }
    return etm_cli_bad_value(o->name, "--format", o->format, names);
}

int etm_cli_format_check(const struct etm_cli_options *o)
{
    unsigned commands = format_commands(o->format);
    char what[64];

    if ((commands & o->command) != 0)
        return -1;
    if (commands == 0)
        return bad_format(o);
    (void)snprintf(what, sizeof what, "--format %s", o->format);
    return etm_cli_not_of_command(o, what, commands);
}

static int set_depth(struct etm_cli_options *o, const char *value)
{
    uint64_t depth;

    if (!etm_cli_number(value, UINT32_MAX, &depth))
        return etm_cli_bad_value(o->name, "--depth", value,
                                 "not a number of callers");
    o->view.depth = (uint32_t)depth;
    o->view.depth_told = true;
    return -1;
}

static int set_minimum_duration(struct etm_cli_options *o, const char *value)
{
    if (!etm_cli_number(value, UINT64_MAX, &o->view.minimum_duration))
        return etm_cli_bad_value(o->name, "--minimum-duration", value,
                                 "not a number of cycles, ticks or "
                                 "instructions");
    return -1;
}

int etm_cli_view_option(struct etm_cli_options *o, const char *name,
                        const char *value)
{
    if (strcmp(name, "--depth") == 0)
        return set_depth(o, value);
    if (strcmp(name, "--minimum-duration") == 0)
        return set_minimum_duration(o, value);
    if (strcmp(name, "--by") == 0)
        o->view.by = value;
    else if (strcmp(name, "--annotate") == 0)
        o->view.annotate = value;
    else if (strcmp(name, "--callers") == 0)
        o->view.callers = true;
    else if (strcmp(name, "--callees") == 0)
        o->view.callees = true;
    else if (strcmp(name, "--function") == 0)
        o->view.function = value;
    else if (strcmp(name, "--summary") == 0)
        o->view.summary = true;
    else if (strcmp(name, "--no-demangle") == 0)
        o->view.no_demangle = true;
    else if (strcmp(name, "--inlined") == 0)
        o->view.inlined = true;
    else if (strcmp(name, "--watch") == 0)
        o->view.watch = value;
    else if (strcmp(name, "--task-variable") == 0)
        o->view.task_variable = value;
    return -1;
}

static bool is_by(const char *text)
{
    static const char *const by[] = {
        "function", "line", "file", "address", "task", "exception", "source"};

    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        if (strcmp(text, by[i]) == 0)
            return true;
    return false;
}

int etm_cli_view_check(const struct etm_cli_options *o)
{
    const struct etm_cli_view_options *v = &o->view;
    bool edges = v->callers || v->callees;

    if (v->by && !is_by(v->by))
        return etm_cli_bad_value(o->name, "--by", v->by,
                                 "not one of function, line, file, address, "
                                 "task, exception, source");
    if (v->summary && v->minimum_duration != 0)
        return etm_cli_usage(o->name, "--summary adds calls of any length up: "
                                      "it cannot be combined with "
                                      "--minimum-duration");
    if (o->command == ETM_CLI_VARIABLES && o->merge &&
        (!v->watch || strcmp(o->format, "csv") == 0))
        return etm_cli_usage(o->name,
                             "--merge is for the lines of --watch, as text or "
                             "jsonl");
    if (v->annotate && (v->by || edges || strcmp(o->format, "text") != 0))
        return etm_cli_usage(o->name,
                             "--annotate is for --format text only, and "
                             "cannot be combined with --by, --callers or "
                             "--callees");
    if (o->command == ETM_CLI_PROFILE && strcmp(o->format, "text") != 0 &&
        strcmp(o->format, "jsonl") != 0 && (v->by || edges))
        return etm_cli_usage(o->name,
                             "--format %s has all functions with their "
                             "callers: it cannot be combined with --by, "
                             "--callers or --callees",
                             o->format);
    if (v->by && strcmp(v->by, "function") != 0 && edges)
        return etm_cli_usage(o->name,
                             "--callers and --callees are those of "
                             "functions: they cannot be combined with --by %s",
                             v->by);
    return -1;
}
