/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. doc/elements.md is its contract. */
#include "cli/args.h"
#include "cli/diff.h"
#include "cli/options_raw.h"
#include "cli/part.h"
#include "cli/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    OPTION_SOURCE,
    OPTION_FORMAT,
    OPTION_LEVEL,
    OPTION_OUTPUT,
    OPTION_PROTOCOL,
    OPTION_REG,
    OPTION_DUMP,
    OPTION_FRAMING,
    OPTION_PORT_FORMAT,
    OPTION_PORT_WIDTH,
    OPTION_SIGNALS,
    OPTION_BAUD,
    OPTION_WRITE_POINTER,
    OPTION_ENDIAN,
    OPTION_HIVECS,
    OPTION_COPROCESSOR,
    OPTION_PROFILE,
    OPTION_CORE,
    OPTION_REVERSE_BYTES,
    OPTION_IMAGE,
    OPTION_SYSROOT,
    OPTION_ALLOW_OUTSIDE,
    OPTION_RECONNECT,
    OPTION_SOURCE_LINES,
    OPTION_CYCLES,
    OPTION_NO_OFFSET,
    OPTION_JOBS,
    OPTION_FROM,
    OPTION_TO,
    OPTION_LAST,
    OPTION_SHARD,
    OPTION_INDEX,
    OPTION_STATS,
    OPTION_ITM_TEXT,
    OPTION_MERGE,
    OPTION_EVERY,
    OPTION_LISTEN,
    OPTION_DIFF, /* of diff_options.c */
    OPTION_INTERVAL,
    OPTION_ONCE,
    OPTION_VIEW, /* of view_options.c */
    OPTION_COLOR,
    OPTION_NO_COLOR,
    OPTION_NO_PAGER,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct etm_cli_option rows[] = {
    {"--source", OPTION_SOURCE, true},
    {"--format", OPTION_FORMAT, true},
    {"--level", OPTION_LEVEL, true},
    {"-o", OPTION_OUTPUT, true},
    {"--protocol", OPTION_PROTOCOL, true},
    {"--reg", OPTION_REG, true},
    {"--dump", OPTION_DUMP, true},
    {"--framing", OPTION_FRAMING, true},
    {"--port-format", OPTION_PORT_FORMAT, true},
    {"--port-width", OPTION_PORT_WIDTH, true},
    {"--signals", OPTION_SIGNALS, true},
    {"--baud", OPTION_BAUD, true},
    {"--write-pointer", OPTION_WRITE_POINTER, true},
    {"--endian", OPTION_ENDIAN, true},
    {"--hivecs", OPTION_HIVECS, false},
    {"--coprocessor", OPTION_COPROCESSOR, true},
    {"--profile", OPTION_PROFILE, true},
    {"--core", OPTION_CORE, true},
    {"--reverse-bytes", OPTION_REVERSE_BYTES, true},
    {"--image", OPTION_IMAGE, true},
    {"--sysroot", OPTION_SYSROOT, true},
    {"--allow-outside", OPTION_ALLOW_OUTSIDE, false},
    {"--reconnect", OPTION_RECONNECT, false},
    {"--source-lines", OPTION_SOURCE_LINES, false},
    {"--cycles", OPTION_CYCLES, false},
    {"--no-offset", OPTION_NO_OFFSET, false},
    {"--jobs", OPTION_JOBS, true},
    {"--from", OPTION_FROM, true},
    {"--to", OPTION_TO, true},
    {"--last", OPTION_LAST, true},
    {"--shard", OPTION_SHARD, true},
    {"--index", OPTION_INDEX, true},
    {"--stats", OPTION_STATS, false},
    {"--itm-text", OPTION_ITM_TEXT, true},
    {"--merge", OPTION_MERGE, false},
    {"--every", OPTION_EVERY, true},
    {"--listen", OPTION_LISTEN, true},
    {"--ignore", OPTION_DIFF, true},
    {"--context", OPTION_DIFF, true},
    {"--window", OPTION_DIFF, true},
    {"--lines", OPTION_DIFF, true},
    {"--interval", OPTION_INTERVAL, true},
    {"--once", OPTION_ONCE, false},
    {"--by", OPTION_VIEW, true},
    {"--annotate", OPTION_VIEW, true},
    {"--callers", OPTION_VIEW, false},
    {"--callees", OPTION_VIEW, false},
    {"--function", OPTION_VIEW, true},
    {"--depth", OPTION_VIEW, true},
    {"--summary", OPTION_VIEW, false},
    {"--minimum-duration", OPTION_VIEW, true},
    {"--watch", OPTION_VIEW, true},
    {"--no-demangle", OPTION_VIEW, false},
    {"--inlined", OPTION_VIEW, false},
    {"--task-variable", OPTION_VIEW, true},
    {"--color", OPTION_COLOR, ETM_CLI_PERHAPS},
    {"--colour", OPTION_COLOR, ETM_CLI_PERHAPS},
    {"--no-color", OPTION_NO_COLOR, false},
    {"--no-colour", OPTION_NO_COLOR, false},
    {"--no-pager", OPTION_NO_PAGER, false},
    {"--help", OPTION_HELP, false},
    {"-h", OPTION_HELP, false},
    {"--version", OPTION_VERSION, false},
};

const struct etm_cli_option *etm_cli_capture_options(size_t *n)
{
    *n = sizeof rows / sizeof *rows;
    return rows;
}

/* Index of `value` in a list that ends with NULL; -1 if it is not in it. */
static int choose(const char *value, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    return -1;
}

static int add_register(struct etm_cli_options *o, const char *text)
{
    struct etm_register *reg = &o->registers[o->session.n_registers];
    int status = etm_cli_register(o->name, text, reg);

    if (status < 0)
        o->session.n_registers++;
    return status;
}

static int set_profile(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"a", "r", "m", NULL};
    int i = etm_cli_choose(o->name, "--profile", value, names);

    if (i < 0)
        return ETM_EXIT_USAGE;
    o->session.profile = (enum etm_profile)(ETM_PROFILE_A + i);
    return -1;
}

static int set_format(struct etm_cli_options *o, const char *value)
{
    o->format_told = true;
    o->format = value;
    return -1;
}

static int set_jobs(struct etm_cli_options *o, const char *value)
{
    uint64_t n;

    if (!etm_cli_number(value, 1024, &n) || n < 1)
        return etm_cli_bad_value(o->name, "--jobs", value,
                                 "not a number from 1 to 1024");
    o->jobs = (unsigned)n;
    return -1;
}

static int set_every(struct etm_cli_options *o, const char *value)
{
    if (!etm_cli_bytes(value, &o->every))
        return etm_cli_bad_value(o->name, "--every", value,
                                 "not a number of bytes");
    return -1;
}

static int set_interval(struct etm_cli_options *o, const char *value)
{
    if (!etm_cli_number(value, 3600000, &o->interval) || o->interval < 10)
        return etm_cli_bad_value(o->name, "--interval", value,
                                 "not milliseconds: 10 to 3600000");
    return -1;
}

static int set_itm_text(struct etm_cli_options *o, const char *value)
{
    uint64_t port;

    if (!etm_cli_number(value, 255, &port))
        return etm_cli_bad_value(o->name, "--itm-text", value,
                                 "not a stimulus port: 0 to 255");
    o->itm_text = true;
    o->itm_port = (unsigned)port;
    return -1;
}

static int set_colour(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"auto", "never", "always", NULL};
    int i = value ? choose(value, names) : (int)ETM_CLI_ALWAYS;

    if (i < 0)
        return etm_cli_bad_value(o->name, "--color", value,
                                 "not one of auto, always, never");
    etm_cli_colour_choose((enum etm_cli_colour)i);
    return -1;
}

/* -1 to go on, else an exit status. */
static int apply(struct etm_cli_options *o, const char *name, enum option_id id,
                 const char *value)
{
    switch (id) {
    case OPTION_SOURCE:
        o->sources[o->n_sources++] = value;
        return -1;
    case OPTION_FORMAT:
        return set_format(o, value);
    case OPTION_LEVEL:
        o->level_name = value;
        return -1;
    case OPTION_OUTPUT:
        o->output = value;
        return -1;
    case OPTION_PROTOCOL:
        return etm_cli_set_protocol(o, value);
    case OPTION_REG:
        return add_register(o, value);
    case OPTION_DUMP:
        if (o->dump)
            return etm_cli_usage(o->name, "--dump: only one at a time");
        o->dump = value;
        return -1;
    case OPTION_FRAMING:
        return etm_cli_set_framing(o, value);
    case OPTION_PORT_FORMAT:
        return etm_cli_set_port_format(o, value);
    case OPTION_PORT_WIDTH:
        return etm_cli_set_port_width(o, value);
    case OPTION_SIGNALS:
        o->session.signals = value;
        return -1;
    case OPTION_BAUD:
        return etm_cli_set_baud(o, value);
    case OPTION_WRITE_POINTER:
        return etm_cli_set_write_pointer(o, value);
    case OPTION_ENDIAN:
        return etm_cli_set_endian(o, value);
    case OPTION_HIVECS:
        o->session.high_vectors = true;
        return -1;
    case OPTION_COPROCESSOR:
        return etm_cli_set_coprocessor(o, value);
    case OPTION_PROFILE:
        return set_profile(o, value);
    case OPTION_CORE:
        o->core.name = value;
        return -1;
    case OPTION_REVERSE_BYTES:
        return etm_cli_set_reverse_bytes(o, value);
    case OPTION_IMAGE:
        o->images[o->session.n_images++] = value;
        return -1;
    case OPTION_SYSROOT:
        o->session.sysroot = value;
        return -1;
    case OPTION_ALLOW_OUTSIDE:
        o->session.allow_outside = true;
        return -1;
    case OPTION_RECONNECT:
        o->session.reconnect = true;
        return -1;
    case OPTION_SOURCE_LINES:
        o->lines = true;
        return -1;
    case OPTION_CYCLES:
        o->cycles = true;
        return -1;
    case OPTION_NO_OFFSET:
        o->no_offset = true;
        return -1;
    case OPTION_JOBS:
        return set_jobs(o, value);
    case OPTION_FROM:
        o->from = value;
        return -1;
    case OPTION_TO:
        o->to = value;
        return -1;
    case OPTION_LAST:
        o->last = value;
        return -1;
    case OPTION_SHARD:
        o->shard = value;
        return -1;
    case OPTION_INDEX:
        if (strcmp(value, "-") == 0)
            return etm_cli_bad_value(
                o->name, "--index", value,
                "it is read more than once, so it cannot be standard input");
        o->index = value;
        return -1;
    case OPTION_STATS:
        o->stats = true;
        return -1;
    case OPTION_ITM_TEXT:
        return set_itm_text(o, value);
    case OPTION_MERGE:
        o->merge = true;
        return -1;
    case OPTION_EVERY:
        return set_every(o, value);
    case OPTION_LISTEN:
        o->listen = value;
        return -1;
    case OPTION_DIFF:
        return etm_cli_diff_option(o, name, value);
    case OPTION_INTERVAL:
        return set_interval(o, value);
    case OPTION_ONCE:
        o->once = true;
        return -1;
    case OPTION_VIEW:
        return etm_cli_view_option(o, name, value);
    case OPTION_COLOR:
        return set_colour(o, value);
    case OPTION_NO_COLOR:
        etm_cli_colour_choose(ETM_CLI_NEVER);
        return -1;
    case OPTION_NO_PAGER:
        o->no_pager = true;
        return -1;
    case OPTION_HELP:
        return etm_cli_help(o);
    case OPTION_VERSION: /* taken before, if nothing else is there */
        return etm_cli_usage(NULL, ETM_CLI_VERSION_ALONE);
    }
    return ETM_EXIT_USAGE;
}

static int unknown_command(const char *word)
{
    static const char *const names[] = {
        "calls",      "configure", "coverage", "decode",  "diff",
        "exceptions", "explain",   "gdb",      "help",    "index",
        "info",       "merge",     "packets",  "profile", "record",
        "report",     "split",     "timeline", "top",     "variables"};
    struct etm_cli_nearest nearest = {.word = word};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        etm_cli_nearest_try(&nearest, names[i]);
    return etm_cli_unknown(NULL, "", word, "no such command", &nearest);
}

static int take_command(struct etm_cli_options *o, const char *word)
{
    int i = choose(word, etm_cli_command_names);

    if (i < 0)
        return unknown_command(word);
    o->name = etm_cli_command_names[i];
    o->command = (enum etm_cli_command)(1u << i);
    return -1;
}

static int take_word(struct etm_cli_options *o, const char *word)
{
    if (!o->name)
        return take_command(o, word);
    if (o->capture)
        return etm_cli_usage(o->name, "%s: only one capture at a time",
                             etm_cli_word(word));
    o->capture = word;
    return -1;
}

int etm_cli_help_of(const char *command)
{
    struct etm_cli_options o = {0};
    int status = command ? take_command(&o, command) : -1;

    return status >= 0 ? status : etm_cli_help(&o);
}

/* Is the output a directory? */
static bool gives_directory(const struct etm_cli_options *o)
{
    return o->command == ETM_CLI_SPLIT || strcmp(o->format, "ctf") == 0;
}

/* The value of --level. -1, or an exit status. */
static int take_level(struct etm_cli_options *o)
{
    const char *names[] = {"ranges", "instructions", "packets", NULL};
    int i;

    if (o->command != ETM_CLI_DIFF) {
        if (strcmp(o->level_name, "packets") == 0)
            return etm_cli_not_of_command(o, "--level packets", ETM_CLI_DIFF);
        names[2] = NULL;
    }
    i = etm_cli_choose(o->name, "--level", o->level_name, names);
    if (i < 0)
        return ETM_EXIT_USAGE;
    o->level = i == 1 ? ETM_LEVEL_INSTRUCTIONS : ETM_LEVEL_RANGES;
    o->diff.packets = i == 2;
    o->level_told = true;
    return -1;
}

/* Does the command, which may come behind them, have all options, and their
 * values? -1, or an exit status. */
static int check_command(struct etm_cli_options *o)
{
    for (size_t i = 0; i < o->n_given; i++) {
        unsigned commands = etm_cli_option_commands(o->given[i]);

        if ((commands & o->command) == 0)
            return etm_cli_not_of_command(o, o->given[i], commands);
    }
    if (o->format_told && etm_cli_format_check(o) >= 0)
        return ETM_EXIT_USAGE;
    return o->level_name ? take_level(o) : -1;
}

/* Checks of the whole command line. -1 if everything is consistent. */
static int check_together(const struct etm_cli_options *o)
{
    if ((o->command & ETM_CLI_VIEWS) != 0 && etm_cli_view_check(o) >= 0)
        return ETM_EXIT_USAGE;
    if (o->lines && o->level_told && o->level == ETM_LEVEL_RANGES)
        return etm_cli_usage(o->name, "--source-lines shows instructions: it "
                                      "cannot be combined with --level ranges");
    if (o->lines && strcmp(o->format, "text") != 0)
        return etm_cli_usage(o->name,
                             "--source-lines is for --format text only");
    if (o->stats && (o->lines || o->cycles))
        return etm_cli_usage(o->name,
                             "--stats gives no listing: it cannot be combined "
                             "with --source-lines or --cycles");
    if (o->no_offset && (o->stats || o->itm_text))
        return etm_cli_usage(o->name, "--no-offset is for listings");
    if (o->no_offset && strcmp(o->format, "vcd") == 0)
        return etm_cli_usage(o->name, "--no-offset is for text and jsonl only");
    if (o->itm_text &&
        (o->stats || o->format_told || o->level_told || o->lines || o->cycles))
        return etm_cli_usage(o->name, "--itm-text gives what was written, and "
                                      "nothing else in any format");
    if (o->merge && (o->stats || o->itm_text || o->shard || o->view.summary))
        return etm_cli_usage(o->name,
                             "--merge is for lines in the order of time: it "
                             "cannot be combined with --stats, --itm-text, "
                             "--shard or --summary");
    if (o->session.reconnect && strncmp(o->capture, "tcp:", 4) != 0)
        return etm_cli_usage(o->name,
                             "--reconnect is for a server: tcp:HOST:PORT");
    if (o->session.baud != 0 && o->session.framing != ETM_FRAMING_SWO)
        return etm_cli_usage(o->name, "--baud is for --framing swo only");
    if (gives_directory(o) && (!o->directory || strcmp(o->directory, "-") == 0))
        return etm_cli_usage(o->name, "no directory is given (-o DIRECTORY)");
    if (o->dump && strcmp(o->dump, "-") == 0 && strcmp(o->capture, "-") == 0)
        return etm_cli_usage(o->name,
                             "--dump -: standard input is already the capture");
    return etm_cli_part_check(o);
}

static int take_all(struct etm_cli_options *o, int argc, char **argv)
{
    struct etm_cli_args args =
        etm_cli_args_of(NULL, rows, sizeof rows / sizeof *rows, argc, argv);

    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        (void)printf("etm %s\n", etm_version());
        return ETM_EXIT_OK;
    }
    while (etm_cli_args_next(&args)) {
        if (args.id == ETM_CLI_OPERAND) {
            args.status = take_word(o, args.value);
            args.command = o->name;
            continue;
        }
        o->given[o->n_given++] = args.name;
        args.status = apply(o, args.name, (enum option_id)args.id, args.value);
    }
    if (args.status >= 0)
        return args.status;
    if (gives_directory(o)) {
        o->directory = o->output;
        o->output = NULL;
    }
    if (!o->name)
        return etm_cli_usage(NULL, "no command is given");
    if (!o->capture)
        return etm_cli_usage(o->name, "%s: no capture is given", o->name);
    args.status = check_command(o);
    return args.status < 0 ? check_together(o) : args.status;
}

int etm_cli_parse(struct etm_cli_options *o, int argc, char **argv)
{
    size_t n = argc > 0 ? (size_t)argc : 1;
    int status;

    *o = (struct etm_cli_options){
        .format = "text",
        .diff = {.context = 3, .window = 65536, .lines = 100},
        .interval = 1000};
    o->session.size = sizeof o->session;
    o->sources = calloc(n, sizeof *o->sources);
    o->images = calloc(n, sizeof *o->images);
    o->registers = calloc(n, sizeof *o->registers);
    o->given = calloc(n, sizeof *o->given);
    if (!o->sources || !o->images || !o->registers || !o->given) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    status = take_all(o, argc, argv);
    if (status < 0 && o->dump)
        status = etm_cli_dump_add(o);
    if (status < 0 && o->core.name)
        status = etm_cli_core_add(o);
    o->session.images = o->images;
    o->session.registers = o->registers;
    if (o->lines)
        o->level = ETM_LEVEL_INSTRUCTIONS;
    return status;
}

void etm_cli_options_free(struct etm_cli_options *o)
{
    free(o->sources);
    free(o->images);
    free(o->registers);
    free(o->given);
}
