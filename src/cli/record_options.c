/* SPDX-License-Identifier: Apache-2.0 */
/* etm record: the command line. */
#include "cli/args.h"
#include "cli/memory.h"
#include "cli/record.h"

#include <stdlib.h>
#include <string.h>

static int help(void)
{
    fputs(
        "usage: etm record PROGRAM.elf -o DIRECTORY [options]\n"
        "       etm record --execution FILE -o DIRECTORY [options]\n"
        "       etm record --tarmac FILE -o DIRECTORY [options]\n"
        "\n"
        "Run a bare-metal program, or read what a simulator ran, and write "
        "the\n"
        "snapshot that a processor with a macrocell would have left behind.\n"
        "What the program prints by semihosting goes to standard output.\n"
        "\n"
        "  etm record program.elf --core cortex-m3 -o recorded\n"
        "  etm decode recorded\n"
        "\n"
        "  -o DIRECTORY         the snapshot\n"
        "  --core NAME          the processor; default: the one that the "
        "program\n"
        "                       was built for, cortex-m3 for a Tarmac log of "
        "the\n"
        "                       M profile, or cortex-a9\n"
        "  --etm VERSION        v1.0 ... v3.5, pft1.0, pft1.1; default: the "
        "core's own\n"
        "  --log FILE           write what was executed, as --execution reads "
        "it\n"
        "  --interrupt SPEC     irq@1000: after 1000 instructions; irq/500: "
        "every\n"
        "                       500; irq3@200/50 (repeatable; fiq, irqN, "
        "systick,\n"
        "                       pendsv, nmi)\n"
        "  --limit N|none       end after N instructions; default 10000000. "
        "Ctrl-C\n"
        "                       also ends it and keeps the trace\n"
        "  --memory FROM-TO     additional memory (repeatable): RAM, "
        "peripheral\n"
        "                       registers\n"
        "  --cpu NAME           the processor of a Tarmac log that has "
        "several\n"
        "  --period N           length of a cycle in its time units\n"
        "\n"
        "what is traced (default: all instructions):\n"
        "  --setup FILE         registers, as 'etm configure' writes them\n"
        "  --reg NAME=VALUE     one register, overrides the setup "
        "(repeatable)\n"
        "  --data address|value|both  --cycle-accurate  --timestamps\n"
        "  --context-id 0|1|2|4       --return-stack    --branch-broadcast\n"
        "  --sync N             bytes between synchronizations\n"
        "\n"
        "how it is output:\n"
        "  --framing none|coresight|dstream|tpiu|port  (--formatted, "
        "--unformatted)\n"
        "  --trace-id N         default: that of --setup, or 0x10\n"
        "  --fifo BYTES|real    FIFO size; default: unlimited, in ETMv1 and\n"
        "                       ETMv2 as large as the protocol allows\n"
        "  --port-width N       pins of the trace port\n",
        stdout);
    return ETM_EXIT_OK;
}

enum option_id {
    OUTPUT,
    CORE,
    VERSION,
    SETUP,
    EXECUTION,
    TARMAC,
    LOG,
    CPU,
    INTERRUPT,
    FRAMING,
    TRACE_ID,
    FIFO,
    REG,
    LIMIT,
    MEMORY,
    PERIOD,
    DATA,
    CONTEXT_ID,
    PORT_WIDTH,
    SYNC,
    FORMATTED,
    UNFORMATTED,
    TIMESTAMPS,
    CYCLE_ACCURATE,
    RETURN_STACK,
    BRANCH_BROADCAST,
    HELP
};

static const struct etm_cli_option rows[] = {
    {"-o", OUTPUT, true},
    {"--core", CORE, true},
    {"--etm", VERSION, true},
    {"--setup", SETUP, true},
    {"--execution", EXECUTION, true},
    {"--tarmac", TARMAC, true},
    {"--log", LOG, true},
    {"--cpu", CPU, true},
    {"--interrupt", INTERRUPT, true},
    {"--framing", FRAMING, true},
    {"--trace-id", TRACE_ID, true},
    {"--fifo", FIFO, true},
    {"--reg", REG, true},
    {"--limit", LIMIT, true},
    {"--memory", MEMORY, true},
    {"--period", PERIOD, true},
    {"--data", DATA, true},
    {"--context-id", CONTEXT_ID, true},
    {"--port-width", PORT_WIDTH, true},
    {"--sync", SYNC, true},
    {"--formatted", FORMATTED, false},
    {"--unformatted", UNFORMATTED, false},
    {"--timestamps", TIMESTAMPS, false},
    {"--cycle-accurate", CYCLE_ACCURATE, false},
    {"--return-stack", RETURN_STACK, false},
    {"--branch-broadcast", BRANCH_BROADCAST, false},
    {"--help", HELP, false},
    {"-h", HELP, false},
};

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
        return etm_cli_bad_value(
            "record", "--interrupt", value,
            "not NAME@COUNT, NAME/EVERY or NAME@COUNT/EVERY with "
            "irq, fiq, irqN, systick, pendsv or nmi");
    if (interrupt->prioritized && interrupt->kind != ETM_INTERRUPT_IRQ_N &&
        interrupt->kind != ETM_INTERRUPT_SYS_TICK &&
        interrupt->kind != ETM_INTERRUPT_PEND_SV)
        return etm_cli_bad_value(
            "record", "--interrupt", value,
            "only irqN, systick and pendsv have a priority");
    o->n_interrupts++;
    return -1;
}

static int set_limit(struct etm_cli_record_options *o, const char *value)
{
    o->limit_told = true;
    o->limit = UINT64_MAX;
    if (strcmp(value, "none") == 0 ||
        (etm_cli_number(value, UINT64_MAX, &o->limit) && o->limit != 0))
        return -1;
    return etm_cli_bad_value("record", "--limit", value,
                             "neither a number above 0 nor 'none'");
}

static int add_region(struct etm_cli_record_options *o, const char *value)
{
    if (!etm_cli_memory_parse(value, &o->regions[o->n_regions]))
        return etm_cli_bad_value("record", "--memory", value,
                                 "not of the form FROM-TO");
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
    return etm_cli_bad_value("record", "--framing", value,
                             "not one of none, coresight, dstream, tpiu, port");
}

static int set_id(struct etm_cli_record_options *o, const char *value)
{
    uint64_t id;

    if (!etm_cli_number(value, ETM_ID_RESERVED - 1, &id) || id == 0)
        return etm_cli_bad_value("record", "--trace-id", value,
                                 "not from 1 to 0x6f");
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
        return etm_cli_bad_value("record", "--fifo", value,
                                 "neither a number of bytes nor 'real'");
    return -1;
}

static int add_register(struct etm_cli_record_options *o, const char *text)
{
    int status =
        etm_cli_register("record", text, &o->registers[o->n_registers]);

    if (status < 0)
        o->n_registers++;
    return status;
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
        return etm_cli_bad_value("record", "--data", value,
                                 "not one of address, value, both");
    return -1;
}

static int set_context_id(struct etm_cli_record_options *o, const char *value)
{
    uint64_t bytes;

    if (!etm_cli_number(value, 4, &bytes) || bytes == 3)
        return etm_cli_bad_value("record", "--context-id", value,
                                 "not 0, 1, 2 or 4 bytes");
    o->request.context_id_bytes = (uint8_t)bytes;
    return -1;
}

static int set_positive(const char *option, const char *value, uint64_t *count)
{
    if (!etm_cli_number(value, UINT64_MAX, count) || *count == 0)
        return etm_cli_bad_value("record", option, value,
                                 "not a number above 0");
    return -1;
}

/* A number from 1 on; 0 after a message, which leaves an exit status. */
static uint16_t small(const char *option, const char *value, uint16_t most,
                      int *status)
{
    uint64_t count;

    *status = -1;
    if (etm_cli_number(value, most, &count) && count != 0)
        return (uint16_t)count;
    *status = etm_cli_bad_value("record", option, value,
                                "not a number above 0, or too large");
    return 0;
}

static int set_formatted(struct etm_cli_record_options *o, bool formatted)
{
    o->has_framing = true;
    o->framing = formatted ? ETM_FRAMING_CORESIGHT : ETM_FRAMING_NONE;
    return -1;
}

static int set(bool *flag)
{
    *flag = true;
    return -1;
}

static int set_text(const char **place, const char *value)
{
    *place = value;
    return -1;
}

/* Does an option say what is traced, which --setup says as well? */
static bool asks(enum option_id id)
{
    return id == DATA || id == CONTEXT_ID || id == PORT_WIDTH || id == SYNC ||
           id == TIMESTAMPS || id == CYCLE_ACCURATE || id == RETURN_STACK ||
           id == BRANCH_BROADCAST;
}

/* -1 to go on, else an exit status. */
static int apply(struct etm_cli_record_options *o, enum option_id id,
                 const char *option, const char *value)
{
    struct etm_request *r = &o->request;
    int status = -1;

    switch (id) {
    case OUTPUT:
        return set_text(&o->directory, value);
    case CORE:
        return set_text(&o->core, value);
    case VERSION:
        return set_text(&o->version, value);
    case SETUP:
        return set_text(&o->setup, value);
    case EXECUTION:
        return set_text(&o->execution, value);
    case TARMAC:
        return set_text(&o->tarmac, value);
    case LOG:
        return set_text(&o->log, value);
    case CPU:
        return set_text(&o->cpu, value);
    case INTERRUPT:
        return add_interrupt(o, value);
    case FRAMING:
        return set_framing(o, value);
    case TRACE_ID:
        return set_id(o, value);
    case FIFO:
        return set_fifo(o, value);
    case REG:
        return add_register(o, value);
    case LIMIT:
        return set_limit(o, value);
    case MEMORY:
        return add_region(o, value);
    case PERIOD:
        return set_positive(option, value, &o->period);
    case DATA:
        return set_data(o, value);
    case CONTEXT_ID:
        return set_context_id(o, value);
    case PORT_WIDTH:
        r->port_pins = (uint8_t)small(option, value, 64, &status);
        return status;
    case SYNC:
        r->sync_period = small(option, value, 0xfff, &status);
        return status;
    case FORMATTED:
    case UNFORMATTED:
        return set_formatted(o, id == FORMATTED);
    case TIMESTAMPS:
        return set(&r->timestamps);
    case CYCLE_ACCURATE:
        return set(&r->cycle_accurate);
    case RETURN_STACK:
        return set(&r->return_stack);
    case BRANCH_BROADCAST:
        return set(&r->branch_broadcast);
    case HELP:
        return help();
    }
    return ETM_EXIT_USAGE;
}

static int take_program(struct etm_cli_record_options *o, const char *program)
{
    if (o->program)
        return etm_cli_usage("record", "%s: only one program at a time",
                             etm_cli_word(program));
    o->program = program;
    return -1;
}

static int take_all(struct etm_cli_record_options *o, int argc, char **argv)
{
    struct etm_cli_args args =
        etm_cli_args_of("record", rows, sizeof rows / sizeof *rows, argc, argv);

    while (etm_cli_args_next(&args)) {
        if (args.id == ETM_CLI_OPERAND) {
            args.status = take_program(o, args.value);
            continue;
        }
        if (asks((enum option_id)args.id))
            o->asks = args.name;
        args.status = apply(o, (enum option_id)args.id, args.name, args.value);
    }
    return args.status;
}

/* Checks of the whole command line. */
static int check_together(const struct etm_cli_record_options *o)
{
    bool log = o->execution || o->tarmac;

    if (o->execution && o->tarmac)
        return etm_cli_usage("record", "--tarmac and --execution: only one "
                                       "execution at a time");
    if (!log && !o->program)
        return etm_cli_usage("record", "record: what to record? Give a "
                                       "program, --execution or --tarmac");
    if (!o->directory)
        return etm_cli_usage("record",
                             "record: where to? -o DIRECTORY is missing");
    if (strcmp(o->directory, "-") == 0)
        return etm_cli_usage("record", "-o -: a snapshot is a directory, and "
                                       "cannot go to standard output");
    if (log && o->setup && strcmp(o->setup, "-") == 0 &&
        strcmp(o->execution ? o->execution : o->tarmac, "-") == 0)
        return etm_cli_usage(
            "record", "--setup -: standard input is already the execution");
    if (log && (o->n_interrupts > 0 || o->limit_told || o->n_regions > 0))
        return etm_cli_usage(
            "record",
            "%s is for running a program, not for --execution or --tarmac",
            o->limit_told      ? "--limit"
            : o->n_regions > 0 ? "--memory"
                               : "--interrupt");
    if ((o->cpu || o->period > 0) && !o->tarmac)
        return etm_cli_usage("record", "%s is for --tarmac only",
                             o->cpu ? "--cpu" : "--period");
    if (o->setup && o->asks)
        return etm_cli_usage("record",
                             "%s: --setup says what is traced; use --reg to "
                             "change registers",
                             o->asks);
    return -1;
}

int etm_cli_record_parse(struct etm_cli_record_options *o, int argc,
                         char **argv)
{
    int status;

    *o = (struct etm_cli_record_options){
        .trace_id = 0x10, .fifo = UINT64_MAX, .limit = ETM_CLI_USUAL_LIMIT};
    o->interrupts = calloc((size_t)argc + 1, sizeof *o->interrupts);
    o->registers = calloc((size_t)argc + 1, sizeof *o->registers);
    o->regions = calloc((size_t)argc + 1, sizeof *o->regions);
    if (!o->interrupts || !o->registers || !o->regions) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    status = take_all(o, argc, argv);
    return status >= 0 ? status : check_together(o);
}

void etm_cli_record_options_free(struct etm_cli_record_options *o)
{
    free(o->interrupts);
    free(o->registers);
    free(o->regions);
}
