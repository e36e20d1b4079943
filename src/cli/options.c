/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. doc/elements.md is its contract. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "cli/part.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    OPTION_ENDIAN,
    OPTION_HIVECS,
    OPTION_COPROCESSOR,
    OPTION_PROFILE,
    OPTION_IMAGE,
    OPTION_SYSROOT,
    OPTION_SOURCE_LINES,
    OPTION_CYCLES,
    OPTION_JOBS,
    OPTION_FROM,
    OPTION_TO,
    OPTION_LAST,
    OPTION_SHARD,
    OPTION_INDEX,
    OPTION_STATS,
    OPTION_COVERAGE,
    OPTION_EVERY,
    OPTION_COLOR,
    OPTION_NO_COLOR,
    OPTION_HELP,
    OPTION_VERSION
};

struct option_row {
    const char *name;
    enum option_id id;
    bool value;
    bool decode_only;
};

static const struct option_row rows[] = {
    {"--source", OPTION_SOURCE, true, false},
    {"--format", OPTION_FORMAT, true, false},
    {"--level", OPTION_LEVEL, true, true},
    {"-o", OPTION_OUTPUT, true, false},
    {"--protocol", OPTION_PROTOCOL, true, false},
    {"--reg", OPTION_REG, true, false},
    {"--dump", OPTION_DUMP, true, false},
    {"--framing", OPTION_FRAMING, true, false},
    {"--port-format", OPTION_PORT_FORMAT, true, false},
    {"--port-width", OPTION_PORT_WIDTH, true, false},
    {"--signals", OPTION_SIGNALS, true, false},
    {"--endian", OPTION_ENDIAN, true, false},
    {"--hivecs", OPTION_HIVECS, false, false},
    {"--coprocessor", OPTION_COPROCESSOR, true, false},
    {"--profile", OPTION_PROFILE, true, false},
    {"--image", OPTION_IMAGE, true, false},
    {"--sysroot", OPTION_SYSROOT, true, false},
    {"--source-lines", OPTION_SOURCE_LINES, false, true},
    {"--cycles", OPTION_CYCLES, false, true},
    {"--jobs", OPTION_JOBS, true, true},
    {"--from", OPTION_FROM, true, true},
    {"--to", OPTION_TO, true, true},
    {"--last", OPTION_LAST, true, true},
    {"--shard", OPTION_SHARD, true, true},
    {"--index", OPTION_INDEX, true, true},
    {"--stats", OPTION_STATS, false, true},
    {"--coverage", OPTION_COVERAGE, false, true},
    {"--every", OPTION_EVERY, true, false},
    {"--color", OPTION_COLOR, false, false},
    {"--colour", OPTION_COLOR, false, false},
    {"--no-color", OPTION_NO_COLOR, false, false},
    {"--no-colour", OPTION_NO_COLOR, false, false},
    {"--help", OPTION_HELP, false, false},
    {"-h", OPTION_HELP, false, false},
    {"--version", OPTION_VERSION, false, false},
};

/* " decode" if the command is known: its help lists the options. */
static char named[16];

/* Wrong usage: one line, with where to look. */
static int usage(const char *subject, const char *what)
{
    etm_cli_error("%s%s (see 'etm%s --help')",
                  *what == ':' ? etm_cli_word(subject) : subject, what, named);
    return ETM_EXIT_USAGE;
}

static int bad_value(const char *option, const char *value, const char *what)
{
    etm_cli_error("%s %s: %s (see 'etm%s --help')", option, etm_cli_word(value),
                  what, named);
    return ETM_EXIT_USAGE;
}

/* Index of `value` in a list that ends with NULL; -1 if it is not in it. */
static int choose(const char *value, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(value, names[i]) == 0)
            return i;
    return -1;
}

/* NAME=VALUE; the value in decimal, or in hexadecimal after 0x. */
static int add_register(struct etm_cli_options *o, const char *text)
{
    struct etm_register *reg = &o->registers[o->session.n_registers];
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;

    if (n == 0 || n >= sizeof reg->name)
        return bad_value("--reg", text, "not of the form NAME=VALUE");
    memset(reg, 0, sizeof *reg);
    memcpy(reg->name, text, n);
    reg->number = etm_register_number(reg->name);
    if (reg->number == ETM_REGISTER_NONE)
        return bad_value("--reg", text, "no register has that name");
    if (!etm_cli_number(equals + 1, UINT64_MAX, &reg->value))
        return bad_value("--reg", text, "the value is not a number");
    o->session.n_registers++;
    return -1;
}

bool etm_cli_take_number(const char **text, uint64_t most, uint64_t *value)
{
    bool hexadecimal =
        (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X');
    char *end;

    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *value = strtoull(*text, &end, hexadecimal ? 16 : 10);
    *text = end;
    return errno == 0 && *value <= most;
}

bool etm_cli_number(const char *text, uint64_t most, uint64_t *value)
{
    return etm_cli_take_number(&text, most, value) && *text == '\0';
}

static int set_protocol(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"etmv1", "etmv2", "etmv3", "pft", NULL};
    int i = choose(value, names);

    if (i < 0)
        return bad_value("--protocol", value,
                         "not one of etmv1, etmv2, etmv3, pft");
    o->session.protocol = (enum etm_protocol)(ETM_PROTOCOL_ETMV1 + i);
    return -1;
}

static int set_framing(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"none", "coresight", "dstream", "tpiu",
                                        "port", "tpiu-port", NULL};
    int i = choose(value, names);

    if (i < 0)
        return bad_value("--framing", value,
                         "not one of none, coresight, tpiu, dstream, port, "
                         "tpiu-port");
    o->session.framing = (enum etm_framing)(ETM_FRAMING_NONE + i);
    o->session.framing_told = true;
    return -1;
}

static int set_port_format(struct etm_cli_options *o, const char *value)
{
#define FORM_NAME(name, text) text,
    static const char *const names[] = {ETM_PORT_FORM_LIST(FORM_NAME) NULL};
#undef FORM_NAME
    int i = choose(value, names);

    if (i < 0)
        return bad_value(
            "--port-format", value,
            "not one of auto, text, vcd, csv, openocd, records, etb, bytes");
    o->session.form = (enum etm_port_form)i;
    return -1;
}

static int set_port_width(struct etm_cli_options *o, const char *value)
{
    uint64_t pins;

    /* table 3-6 */
    if (!etm_cli_number(value, 64, &pins) || pins < 1)
        return bad_value("--port-width", value, "not a number from 1 to 64");
    o->session.port_width = (uint8_t)pins;
    return -1;
}

static int set_endian(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"le", "be8", "be32", NULL};
    int i = choose(value, names);

    if (i < 0)
        return bad_value("--endian", value, "not one of le, be8, be32");
    o->session.endian = (enum etm_endian)(ETM_ENDIAN_LITTLE + i);
    return -1;
}

/* N=SHORT or N=SHORT/LONG: words that its LDC and STC move. */
static int set_coprocessor(struct etm_cli_options *o, const char *value)
{
    const char *text = value;
    uint64_t n, words[2] = {0};
    bool fine = etm_cli_take_number(&text, 15, &n) && *text++ == '=' &&
                etm_cli_take_number(&text, 32, &words[0]);

    if (fine && *text == '/') {
        text++;
        fine = etm_cli_take_number(&text, 32, &words[1]);
    }
    if (!fine || *text != '\0' || (words[0] == 0 && words[1] == 0))
        return bad_value("--coprocessor", value,
                         "not of the form N=WORDS or N=WORDS/WORDS, with 0 to "
                         "15 and 1 to 32 words");
    o->session.coprocessor_words[n][0] = (uint8_t)words[0];
    o->session.coprocessor_words[n][1] = (uint8_t)words[1];
    return -1;
}

static int set_profile(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"a", "r", "m", NULL};
    int i = choose(value, names);

    if (i < 0)
        return bad_value("--profile", value, "not one of a, r, m");
    o->session.profile = (enum etm_profile)(ETM_PROFILE_A + i);
    return -1;
}

static int set_format(struct etm_cli_options *o, const char *value)
{
    for (size_t i = 0; etm_listing_format(i); i++) {
        if (strcmp(value, etm_listing_format(i)) == 0) {
            o->format = value;
            return -1;
        }
    }
    if (strcmp(value, "vcd") == 0 || strcmp(value, "lcov") == 0) {
        o->format = value;
        return -1;
    }
    return bad_value("--format", value, "not one of text, jsonl, lcov, vcd");
}

static int set_level(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {"ranges", "instructions", NULL};
    int i = choose(value, names);

    if (i < 0)
        return bad_value("--level", value, "not one of ranges, instructions");
    o->level = i == 0 ? ETM_LEVEL_RANGES : ETM_LEVEL_INSTRUCTIONS;
    o->level_told = true;
    return -1;
}

static int set_jobs(struct etm_cli_options *o, const char *value)
{
    uint64_t n;

    if (!etm_cli_number(value, 1024, &n) || n < 1)
        return bad_value("--jobs", value, "not a number from 1 to 1024");
    o->jobs = (unsigned)n;
    return -1;
}

static int set_every(struct etm_cli_options *o, const char *value)
{
    if (!etm_cli_bytes(value, &o->every))
        return bad_value("--every", value, "not a number of bytes");
    return -1;
}

/* -1 to go on, else an exit status. */
static int apply(struct etm_cli_options *o, enum option_id id,
                 const char *value)
{
    switch (id) {
    case OPTION_SOURCE:
        o->sources[o->n_sources++] = value;
        return -1;
    case OPTION_FORMAT:
        return set_format(o, value);
    case OPTION_LEVEL:
        return set_level(o, value);
    case OPTION_OUTPUT:
        o->output = value;
        return -1;
    case OPTION_PROTOCOL:
        return set_protocol(o, value);
    case OPTION_REG:
        return add_register(o, value);
    case OPTION_DUMP:
        if (o->dump)
            return usage("--dump", ": only one at a time");
        o->dump = value;
        return -1;
    case OPTION_FRAMING:
        return set_framing(o, value);
    case OPTION_PORT_FORMAT:
        return set_port_format(o, value);
    case OPTION_PORT_WIDTH:
        return set_port_width(o, value);
    case OPTION_SIGNALS:
        o->session.signals = value;
        return -1;
    case OPTION_ENDIAN:
        return set_endian(o, value);
    case OPTION_HIVECS:
        o->session.high_vectors = true;
        return -1;
    case OPTION_COPROCESSOR:
        return set_coprocessor(o, value);
    case OPTION_PROFILE:
        return set_profile(o, value);
    case OPTION_IMAGE:
        o->images[o->session.n_images++] = value;
        return -1;
    case OPTION_SYSROOT:
        o->session.sysroot = value;
        return -1;
    case OPTION_SOURCE_LINES:
        o->lines = true;
        return -1;
    case OPTION_CYCLES:
        o->cycles = true;
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
            return bad_value(
                "--index", value,
                "it is read more than once, so it cannot be standard input");
        o->index = value;
        return -1;
    case OPTION_STATS:
        o->stats = true;
        return -1;
    case OPTION_COVERAGE:
        o->coverage = true;
        return -1;
    case OPTION_EVERY:
        return set_every(o, value);
    case OPTION_COLOR:
        o->colour = ETM_CLI_ALWAYS;
        return -1;
    case OPTION_NO_COLOR:
        o->colour = ETM_CLI_NEVER;
        return -1;
    case OPTION_HELP:
        return etm_cli_help(o);
    case OPTION_VERSION:
        (void)printf("etm %s\n", etm_version());
        return ETM_EXIT_OK;
    }
    return ETM_EXIT_USAGE;
}

/*
 * The row of "--name", "--name=value" or "-nvalue"; *value is what follows the
 * name, NULL for nothing.
 */
static const struct option_row *find_row(const char *argument,
                                         const char **value)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);

        if (strncmp(argument, rows[i].name, n) != 0)
            continue;
        if (argument[n] == '\0') {
            *value = NULL;
            return &rows[i];
        }
        if (n == 2 && rows[i].value) {
            *value = argument + n;
            return &rows[i];
        }
        if (argument[n] == '=' && n > 2) {
            *value = argument + n + 1;
            return &rows[i];
        }
    }
    return NULL;
}

/* One option at argv[*i]; moves *i to the last argument that belongs to it. */
static int take_option(struct etm_cli_options *o, int argc, char **argv, int *i)
{
    const char *argument = argv[*i];
    const char *value;
    const struct option_row *row = find_row(argument, &value);

    if (!row)
        return usage(argument, ": no such option");
    if (!row->value && value)
        return usage(row->name, " takes no value");
    if (row->value && !value) {
        if (*i + 1 >= argc)
            return usage(row->name, " needs a value");
        value = argv[++*i];
    }
    if (row->decode_only)
        o->decode_only = row->name;
    return apply(o, row->id, value);
}

static int take_word(struct etm_cli_options *o, const char *word)
{
    static const char *const names[] = {"info", "packets", "decode", "index",
                                        NULL};

    if (!o->name) {
        int i = choose(word, names);

        if (i < 0)
            return usage(word, ": no such command");
        o->name = names[i];
        (void)snprintf(named, sizeof named, " %s", o->name);
        o->command = (enum etm_cli_command)(1u << i);
        return -1;
    }
    if (o->capture)
        return usage(word, ": only one capture at a time");
    o->capture = word;
    return -1;
}

/* Checks of the whole command line: options may come before the command. -1 if
 * everything is consistent. */
static int check_together(const struct etm_cli_options *o)
{
    if (o->decode_only && o->command != ETM_CLI_DECODE)
        return usage(o->decode_only, " is for 'etm decode' only");
    if (strcmp(o->format, "vcd") == 0 && o->command != ETM_CLI_PACKETS)
        return usage("--format vcd", " is for 'etm packets' only");
    if (strcmp(o->format, "lcov") == 0 && !o->coverage)
        return usage("--format lcov", " is for --coverage only");
    if (o->coverage && o->stats)
        return usage("--coverage", " cannot be combined with --stats");
    if (o->coverage && (o->lines || o->cycles))
        return usage("--coverage", " gives no listing: it cannot be combined "
                                   "with --source-lines or --cycles");
    if (o->lines && o->level_told && o->level == ETM_LEVEL_RANGES)
        return usage(
            "--source-lines",
            " shows instructions: it cannot be combined with --level ranges");
    if (o->lines && strcmp(o->format, "text") != 0)
        return usage("--source-lines", " is for --format text only");
    if (o->stats && (o->lines || o->cycles))
        return usage("--stats", " gives no listing: it cannot be combined with "
                                "--source-lines or --cycles");
    if (o->dump && strcmp(o->dump, "-") == 0 && strcmp(o->capture, "-") == 0)
        return usage("--dump -", ": standard input is already the capture");
    if (o->every != 0 && o->command != ETM_CLI_INDEX)
        return usage("--every", " is for 'etm index' only");
    return etm_cli_part_check(o);
}

static int take_all(struct etm_cli_options *o, int argc, char **argv)
{
    bool options = true;
    int status = -1;

    for (int i = 1; i < argc && status < 0; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && argv[i][0] == '-' && argv[i][1] != '\0')
            status = take_option(o, argc, argv, &i);
        else
            status = take_word(o, argv[i]);
    }
    if (status >= 0)
        return status;
    if (!o->name)
        return usage("", "no command is given");
    if (!o->capture)
        return usage(o->name, ": no capture is given");
    return check_together(o);
}

int etm_cli_parse(struct etm_cli_options *o, int argc, char **argv)
{
    size_t n = argc > 0 ? (size_t)argc : 1;
    int status;

    *o = (struct etm_cli_options){.format = "text"};
    o->session.size = sizeof o->session;
    o->sources = calloc(n, sizeof *o->sources);
    o->images = calloc(n, sizeof *o->images);
    o->registers = calloc(n, sizeof *o->registers);
    if (!o->sources || !o->images || !o->registers) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    status = take_all(o, argc, argv);
    if (status < 0 && o->dump)
        status = etm_cli_dump_add(o);
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
}

/* Maximum number of threads for each core: more only compete for its caches. */
#define THREADS_MOST 4u

unsigned etm_cli_threads(const struct etm_cli_options *o)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned cores = n > 0 ? (unsigned)n : 1;

    if (o->jobs == 0)
        return cores;
    return o->jobs / THREADS_MOST < cores ? o->jobs : THREADS_MOST * cores;
}
