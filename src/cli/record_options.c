/* SPDX-License-Identifier: Apache-2.0 */
/* etm record: the command line. */
#include "cli/memory.h"
#include "cli/record.h"

#include <stdlib.h>
#include <string.h>

static int usage(const char *subject, const char *what)
{
    etm_cli_error("%s%s (see 'etm record --help')", etm_cli_word(subject),
                  what);
    return ETM_EXIT_USAGE;
}

static int bad_value(const char *option, const char *value, const char *what)
{
    etm_cli_error("%s %s: %s (see 'etm record --help')", option,
                  etm_cli_word(value), what);
    return ETM_EXIT_USAGE;
}

/* "irq3", "systick": its kind and number; *text moves after it. */
static bool take_kind(const char **text, struct etm_interrupt *interrupt)
{
    size_t n = strcspn(*text, "@/:");
    uint64_t number;
    const char *digits = *text + 3;

    for (uint8_t kind = 0; kind <= ETM_INTERRUPT_NMI; kind++) {
        const char *name =
            etm_interrupt_kind_name((enum etm_interrupt_kind)kind);

        interrupt->kind = kind;
        if (kind != ETM_INTERRUPT_IRQ_N && strlen(name) == n &&
            memcmp(*text, name, n) == 0) {
            *text += n;
            return true;
        }
    }
    interrupt->kind = ETM_INTERRUPT_IRQ_N;
    if (n <= 3 || memcmp(*text, "irq", 3) != 0 ||
        !etm_cli_take_number(&digits, 239, &number) || digits != *text + n)
        return false;
    interrupt->number = (uint16_t)number;
    *text = digits;
    return true;
}

/* "irq@1000", "irq/500", "irq3@200/50:2" */
static int add_interrupt(struct etm_cli_record_options *o, const char *value)
{
    struct etm_interrupt *interrupt = &o->interrupts[o->n_interrupts];
    const char *text = value;
    uint64_t priority = 0;
    bool fine;

    *interrupt = (struct etm_interrupt){0};
    fine = take_kind(&text, interrupt);
    if (fine && *text == '@') {
        text++;
        fine = etm_cli_take_number(&text, UINT64_MAX, &interrupt->at);
    }
    if (fine && *text == '/') {
        text++;
        fine = etm_cli_take_number(&text, UINT64_MAX, &interrupt->every) &&
               interrupt->every != 0;
    }
    if (fine && *text == ':') {
        text++;
        interrupt->prioritized = true;
        fine = etm_cli_take_number(&text, UINT8_MAX, &priority);
        interrupt->priority = (uint8_t)priority;
    }
    if (!fine || *text != '\0' || (interrupt->at == 0 && interrupt->every == 0))
        return bad_value("--interrupt", value,
                         "not NAME@COUNT, NAME/EVERY or NAME@COUNT/EVERY with "
                         "irq, fiq, irqN, systick, pendsv or nmi");
    if (interrupt->prioritized && interrupt->kind != ETM_INTERRUPT_IRQ_N &&
        interrupt->kind != ETM_INTERRUPT_SYS_TICK &&
        interrupt->kind != ETM_INTERRUPT_PEND_SV)
        return bad_value("--interrupt", value,
                         "only irqN, systick and pendsv have a priority");
    o->n_interrupts++;
    return -1;
}

static int add_region(struct etm_cli_record_options *o, const char *value)
{
    if (!etm_cli_memory_parse(value, &o->regions[o->n_regions]))
        return bad_value("--memory", value, "not of the form FROM-TO");
    o->n_regions++;
    return -1;
}

static int set_framing(struct etm_cli_record_options *o, const char *value)
{
    static const enum etm_framing framings[] = {
        ETM_FRAMING_NONE, ETM_FRAMING_CORESIGHT, ETM_FRAMING_DSTREAM,
        ETM_FRAMING_TPIU, ETM_FRAMING_PORT};

    o->has_framing = true;
    for (size_t i = 0; i < sizeof framings / sizeof *framings; i++) {
        o->framing = framings[i];
        if (strcmp(value, etm_framing_name(framings[i])) == 0)
            return -1;
    }
    return bad_value("--framing", value,
                     "not one of none, coresight, dstream, tpiu, port");
}

static int set_id(struct etm_cli_record_options *o, const char *value)
{
    uint64_t id;

    if (!etm_cli_number(value, ETM_ID_RESERVED - 1, &id) || id == 0)
        return bad_value("--trace-id", value, "not from 1 to 0x6f");
    o->has_id = true;
    o->trace_id = (uint8_t)id;
    return -1;
}

static int set_fifo(struct etm_cli_record_options *o, const char *value)
{
    o->fifo = 0;
    if (strcmp(value, "real") == 0)
        return -1;
    if (!etm_cli_number(value, UINT32_MAX, &o->fifo) || o->fifo == 0)
        return bad_value("--fifo", value,
                         "neither a number of bytes nor 'real'");
    return -1;
}

/* NAME=VALUE */
static int add_register(struct etm_cli_record_options *o, const char *text)
{
    struct etm_register *reg = &o->registers[o->n_registers];
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : 0;

    if (n == 0 || n >= sizeof reg->name)
        return bad_value("--reg", text, "not of the form NAME=VALUE");
    *reg = (struct etm_register){0};
    memcpy(reg->name, text, n);
    reg->number = etm_register_number(reg->name);
    if (reg->number == ETM_REGISTER_NONE)
        return bad_value("--reg", text, "no register has that name");
    if (!etm_cli_number(equals + 1, UINT32_MAX, &reg->value))
        return bad_value("--reg", text, "the value is not a number");
    o->n_registers++;
    return -1;
}

static int set_data(struct etm_cli_record_options *o, const char *value)
{
    /* as in `etm configure` */
    bool both = strcmp(value, "both") == 0 ||
                strcmp(value, "address,value") == 0 ||
                strcmp(value, "value,address") == 0;

    o->request.data_address = both || strcmp(value, "address") == 0;
    o->request.data_value = both || strcmp(value, "value") == 0;
    if (!o->request.data_address && !o->request.data_value)
        return bad_value("--data", value, "not one of address, value, both");
    return -1;
}

static int set_context_id(struct etm_cli_record_options *o, const char *value)
{
    uint64_t bytes;

    if (!etm_cli_number(value, 4, &bytes) || bytes == 3)
        return bad_value("--context-id", value, "not 0, 1, 2 or 4 bytes");
    o->request.context_id_bytes = (uint8_t)bytes;
    return -1;
}

static int set_positive(const char *option, const char *value, uint64_t *count)
{
    if (!etm_cli_number(value, UINT64_MAX, count) || *count == 0)
        return bad_value(option, value, "not a number above 0");
    return -1;
}

static int set_small(const char *option, const char *value, uint64_t most,
                     uint64_t *count, struct etm_cli_record_options *o)
{
    if (!etm_cli_number(value, most, count) || *count == 0)
        return bad_value(option, value, "not a number above 0, or too large");
    if (strcmp(option, "--port-width") == 0)
        o->request.port_pins = (uint8_t)*count;
    if (strcmp(option, "--sync") == 0)
        o->request.sync_period = (uint16_t)*count;
    return -1;
}

/* An option with a value; -1: fine. */
static int take_valued(struct etm_cli_record_options *o, const char *name,
                       const char *value)
{
    const struct {
        const char *name;
        const char **place;
    } texts[] = {
        {"-o", &o->directory},
        {"--core", &o->core},
        {"--etm", &o->version},
        {"--setup", &o->setup},
        {"--execution", &o->execution},
        {"--tarmac", &o->tarmac},
        {"--log", &o->log},
        {"--cpu", &o->cpu},
    };
    uint64_t count;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].place = value;
            return -1;
        }
    }
    if (strcmp(name, "--interrupt") == 0)
        return add_interrupt(o, value);
    if (strcmp(name, "--memory") == 0)
        return add_region(o, value);
    if (strcmp(name, "--framing") == 0)
        return set_framing(o, value);
    if (strcmp(name, "--trace-id") == 0)
        return set_id(o, value);
    if (strcmp(name, "--fifo") == 0)
        return set_fifo(o, value);
    if (strcmp(name, "--reg") == 0)
        return add_register(o, value);
    if (strcmp(name, "--limit") == 0)
        return set_positive(name, value, &o->limit);
    if (strcmp(name, "--period") == 0)
        return set_positive(name, value, &o->period);
    /* the other options need a setup */
    o->asks = name;
    if (strcmp(name, "--data") == 0)
        return set_data(o, value);
    if (strcmp(name, "--context-id") == 0)
        return set_context_id(o, value);
    if (strcmp(name, "--port-width") == 0)
        return set_small(name, value, 64, &count, o);
    return set_small(name, value, 0xfff, &count, o); /* --sync */
}

static const struct {
    const char *name;
    bool value;
} rows[] = {
    {"-o", true},
    {"--core", true},
    {"--etm", true},
    {"--setup", true},
    {"--execution", true},
    {"--tarmac", true},
    {"--log", true},
    {"--cpu", true},
    {"--interrupt", true},
    {"--framing", true},
    {"--trace-id", true},
    {"--fifo", true},
    {"--reg", true},
    {"--limit", true},
    {"--memory", true},
    {"--period", true},
    {"--data", true},
    {"--context-id", true},
    {"--port-width", true},
    {"--sync", true},
    {"--formatted", false},
    {"--unformatted", false},
    {"--timestamps", false},
    {"--cycle-accurate", false},
    {"--return-stack", false},
    {"--branch-broadcast", false},
    {"--help", false},
    {"-h", false},
};

static int take_flag(struct etm_cli_record_options *o, const char *name)
{
    bool formatted = strcmp(name, "--formatted") == 0;

    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return etm_cli_record_help();
    if (formatted || strcmp(name, "--unformatted") == 0) {
        o->has_framing = true;
        o->framing = formatted ? ETM_FRAMING_CORESIGHT : ETM_FRAMING_NONE;
        return -1;
    }
    o->asks = name;
    o->request.timestamps |= strcmp(name, "--timestamps") == 0;
    o->request.cycle_accurate |= strcmp(name, "--cycle-accurate") == 0;
    o->request.return_stack |= strcmp(name, "--return-stack") == 0;
    o->request.branch_broadcast |= strcmp(name, "--branch-broadcast") == 0;
    return -1;
}

/* The option at argv[*i]; moves *i to the last argument that belongs to it. */
static int take_option(struct etm_cli_record_options *o, int argc, char **argv,
                       int *i)
{
    const char *argument = argv[*i];

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        size_t n = strlen(rows[k].name);

        if (strncmp(argument, rows[k].name, n) != 0)
            continue;
        if (argument[n] == '\0' && !rows[k].value)
            return take_flag(o, rows[k].name);
        if (argument[n] == '=' && n > 2) {
            if (!rows[k].value)
                return usage(rows[k].name, " takes no value");
            return take_valued(o, rows[k].name, argument + n + 1);
        }
        if (argument[n] == '\0') {
            if (*i + 1 >= argc)
                return usage(rows[k].name, " needs a value");
            return take_valued(o, rows[k].name, argv[++*i]);
        }
        if (n == 2 && rows[k].value)
            return take_valued(o, rows[k].name, argument + n);
    }
    return usage(argument, ": no such option");
}

/* Checks of the whole command line. */
static int check_together(const struct etm_cli_record_options *o)
{
    bool log = o->execution || o->tarmac;

    if (o->execution && o->tarmac)
        return usage("--tarmac", " and --execution: only one execution at a "
                                 "time");
    if (!log && !o->program)
        return usage(
            "record",
            ": what to record? Give a program, --execution or --tarmac");
    if (!o->directory)
        return usage("record", ": where to? -o DIRECTORY is missing");
    if (strcmp(o->directory, "-") == 0)
        return usage("-o -", ": a snapshot is a directory, and cannot go to "
                             "standard output");
    if (log && o->setup && strcmp(o->setup, "-") == 0 &&
        strcmp(o->execution ? o->execution : o->tarmac, "-") == 0)
        return usage("--setup -", ": standard input is already the execution");
    if (log && (o->n_interrupts > 0 || o->limit > 0 || o->n_regions > 0))
        return usage(
            o->limit > 0       ? "--limit"
            : o->n_regions > 0 ? "--memory"
                               : "--interrupt",
            " is for running a program, not for --execution or --tarmac");
    if ((o->cpu || o->period > 0) && !o->tarmac)
        return usage(o->cpu ? "--cpu" : "--period", " is for --tarmac only");
    if (o->setup && o->asks)
        return usage(
            o->asks,
            ": --setup says what is traced; use --reg to change registers");
    return -1;
}

int etm_cli_record_parse(struct etm_cli_record_options *o, int argc,
                         char **argv)
{
    bool options = true;
    int status = -1;

    *o = (struct etm_cli_record_options){.trace_id = 0x10, .fifo = UINT64_MAX};
    o->interrupts = calloc((size_t)argc + 1, sizeof *o->interrupts);
    o->registers = calloc((size_t)argc + 1, sizeof *o->registers);
    o->regions = calloc((size_t)argc + 1, sizeof *o->regions);
    if (!o->interrupts || !o->registers || !o->regions) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    for (int i = 1; i < argc && status < 0; i++) {
        if (options && strcmp(argv[i], "--") == 0)
            options = false;
        else if (options && argv[i][0] == '-' && argv[i][1] != '\0')
            status = take_option(o, argc, argv, &i);
        else if (o->program)
            status = usage(argv[i], ": only one program at a time");
        else
            o->program = argv[i];
    }
    return status >= 0 ? status : check_together(o);
}

void etm_cli_record_options_free(struct etm_cli_record_options *o)
{
    free(o->interrupts);
    free(o->registers);
    free(o->regions);
}
