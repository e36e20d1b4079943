/* SPDX-License-Identifier: Apache-2.0 */
/* etm configure: from a request to registers. */
#include "cli/configure.h"
#include "cli/args.h"

#include <etm/program.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    CORE,
    VERSION,
    DUMP,
    ELF,
    FUNCTION,
    FROM,
    TO,
    RANGE,
    EXCLUDE_FUNCTION,
    EXCLUDE_RANGE,
    START,
    STOP,
    WHEN,
    DATA,
    DATA_RANGE,
    EXCLUDE_DATA,
    DATA_VARIABLE,
    DATA_VALUE,
    DATA_ACCESS,
    DATA_SIZE,
    DATA_WHEN,
    TRIGGER,
    AFTER_COUNT,
    CHAIN,
    EXTERNAL_OUTPUT,
    TIMESTAMP_EVENT,
    CONTEXT_ID,
    CONTEXT_ID_SIZE,
    SYNC,
    TRACE_ID,
    FIFO_LEVEL,
    PORT_SIZE,
    PORT_MODE,
    FORMAT,
    BASE,
    DEVICE,
    TAP,
    CHIP,
    SINK,
    CLOCK,
    TRACE,
    TPIU,
    ETB,
    TMC,
    FUNNEL,
    ROM_TABLE,
    READ_OUT,
    OUTPUT,
    CYCLE_ACCURATE,
    TIMESTAMPS,
    RETURN_STACK,
    BRANCH_BROADCAST,
    VMID,
    CPRT,
    CPRT_FILTER,
    DATA_ONLY,
    STALL,
    SUPPRESS,
    HALF_RATE,
    DEBUG_ON_TRIGGER,
    BIG_ENDIAN_DATA,
    SECURE,
    NON_SECURE,
    USER,
    PRIVILEGED,
    HELP
};

static const struct etm_cli_option rows[] = {
    {"--core", CORE, true},
    {"--etm", VERSION, true},
    {"--dump", DUMP, true},
    {"--elf", ELF, true},
    {"--trace-function", FUNCTION, true},
    {"--from", FROM, true},
    {"--to", TO, true},
    {"--range", RANGE, true},
    {"--exclude-function", EXCLUDE_FUNCTION, true},
    {"--exclude-range", EXCLUDE_RANGE, true},
    {"--start-at", START, true},
    {"--stop-at", STOP, true},
    {"--when", WHEN, true},
    {"--data", DATA, true},
    {"--data-range", DATA_RANGE, true},
    {"--exclude-data-range", EXCLUDE_DATA, true},
    {"--data-variable", DATA_VARIABLE, true},
    {"--data-value", DATA_VALUE, true},
    {"--data-access", DATA_ACCESS, true},
    {"--data-size", DATA_SIZE, true},
    {"--data-when", DATA_WHEN, true},
    {"--trigger-at", TRIGGER, true},
    {"--after-count", AFTER_COUNT, true},
    {"--chain", CHAIN, true},
    {"--external-output", EXTERNAL_OUTPUT, true},
    {"--timestamp-at", TIMESTAMP_EVENT, true},
    {"--context-id", CONTEXT_ID, true},
    {"--context-id-size", CONTEXT_ID_SIZE, true},
    {"--sync", SYNC, true},
    {"--trace-id", TRACE_ID, true},
    {"--fifo-level", FIFO_LEVEL, true},
    {"--port-size", PORT_SIZE, true},
    {"--port-mode", PORT_MODE, true},
    {"--format", FORMAT, true},
    {"--base", BASE, true},
    {"--device", DEVICE, true},
    {"--tap", TAP, true},
    {"--chip", CHIP, true},
    {"--sink", SINK, true},
    {"--clock", CLOCK, true},
    {"--trace", TRACE, true},
    {"--tpiu", TPIU, true},
    {"--etb", ETB, true},
    {"--tmc", TMC, true},
    {"--funnel", FUNNEL, true},
    {"--rom-table", ROM_TABLE, true},
    {"--read-out", READ_OUT, false},
    {"-o", OUTPUT, true},
    {"--cycle-accurate", CYCLE_ACCURATE, false},
    {"--timestamps", TIMESTAMPS, false},
    {"--return-stack", RETURN_STACK, false},
    {"--branch-broadcast", BRANCH_BROADCAST, false},
    {"--vmid", VMID, false},
    {"--cprt", CPRT, false},
    {"--cprt-filter", CPRT_FILTER, false},
    {"--data-only", DATA_ONLY, false},
    {"--stall", STALL, false},
    {"--suppress", SUPPRESS, false},
    {"--half-rate", HALF_RATE, false},
    {"--debug-on-trigger", DEBUG_ON_TRIGGER, false},
    {"--big-endian", BIG_ENDIAN_DATA, false},
    {"--secure", SECURE, false},
    {"--non-secure", NON_SECURE, false},
    {"--user", USER, false},
    {"--privileged", PRIVILEGED, false},
    {"--help", HELP, false},
    {"-h", HELP, false},
};

/* Room for one more match in the list, of instructions or data; NULL and a
   message if it is full. */
static struct etm_request_match *more(struct etm_cli_matches *list,
                                      enum etm_look look)
{
    struct etm_request_match *m = &list->match[list->n];

    if (list->n == ETM_CLI_MATCHES) {
        etm_cli_error("more regions than any macrocell has comparators for");
        return NULL;
    }
    *m = (struct etm_request_match){.look = look};
    list->n++;
    return m;
}

static int take_range(struct etm_cli_configure *c, const char *value,
                      struct etm_cli_matches *list, enum etm_look look)
{
    const char *minus = strchr(value, '-');
    char from[128];
    struct etm_request_match *m;

    if (!minus || (size_t)(minus - value) >= sizeof from)
        return etm_cli_bad_value("configure", c->option, value,
                                 "not of the form FROM-TO");
    memcpy(from, value, (size_t)(minus - value));
    from[minus - value] = '\0';
    m = more(list, look);
    return m ? etm_cli_configure_range(c, from, minus + 1, m)
             : ETM_EXIT_UNREADABLE;
}

static int take_function(struct etm_cli_configure *c, const char *value,
                         struct etm_cli_matches *list)
{
    struct etm_request_match *m = more(list, ETM_LOOK_EXECUTE);

    return m ? etm_cli_configure_function(c, value, m) : ETM_EXIT_UNREADABLE;
}

/* Where tracing starts or stops: an address or a transfer, in `list`, or an
 * EmbeddedICE comparator, in `ice`. */
static int take_point(struct etm_cli_configure *c, const char *value,
                      struct etm_cli_matches *list, uint8_t *ice)
{
    struct etm_request_condition point = {.what = ETM_CONDITION_NONE};
    int status = etm_cli_configure_point(c, value, &point);
    struct etm_request_match *m;

    if (status >= 0)
        return status;
    if (point.what == ETM_CONDITION_ICE) {
        *ice |= (uint8_t)(1u << (point.number - 1));
        return -1;
    }
    m = more(list, ETM_LOOK_EXECUTE);
    if (!m)
        return ETM_EXIT_UNREADABLE;
    *m = point.match;
    return -1;
}

static int take_to(struct etm_cli_configure *c, const char *value)
{
    struct etm_request_match *m = more(&c->include, ETM_LOOK_EXECUTE);
    const char *from = c->from;

    if (!from)
        return etm_cli_usage("configure", "--to needs --from before it");
    c->from = NULL;
    return m ? etm_cli_configure_range(c, from, value, m) : ETM_EXIT_UNREADABLE;
}

static int take_data(struct etm_cli_configure *c, const char *value)
{
    if (strcmp(value, "address") == 0) {
        c->request.data_address = true;
    } else if (strcmp(value, "value") == 0) {
        c->request.data_value = true;
    } else if (strcmp(value, "address,value") == 0 ||
               strcmp(value, "value,address") == 0 ||
               strcmp(value, "both") == 0) { /* as in `etm record` */
        c->request.data_address = c->request.data_value = true;
    } else {
        return etm_cli_bad_value("configure", "--data", value,
                                 "not one of address, value, both");
    }
    return -1;
}

static int take_chain(struct etm_cli_configure *c, const char *value)
{
    size_t n = 0;

    while (n < 3) {
        const char *comma = strchr(value, ',');
        size_t length = comma ? (size_t)(comma - value) : strlen(value);
        char word[128];
        int status;

        if (length >= sizeof word)
            return etm_cli_bad_value("configure", "--chain", value,
                                     "not a condition");
        memcpy(word, value, length);
        word[length] = '\0';
        status = etm_cli_configure_condition(c, word, &c->chain[n++]);
        if (status >= 0)
            return status;
        if (!comma) {
            c->request.n_chain = n;
            return -1;
        }
        value = comma + 1;
    }
    return etm_cli_usage(
        "configure",
        "--chain: not two or three conditions, separated by commas");
}

/* N=CONDITION */
static int take_output(struct etm_cli_configure *c, const char *value)
{
    if (value[0] < '1' || value[0] > '4' || value[1] != '=')
        return etm_cli_bad_value("configure", "--external-output", value,
                                 "not of the form N=CONDITION, N from 1 to 4");
    return etm_cli_configure_condition(c, value + 2,
                                       &c->request.external[value[0] - '1']);
}

static int take_format(struct etm_cli_configure *c, const char *value)
{
    const char *names[ETM_SETUP_FORMAT_PYOCD + 2] = {NULL};
    int i;

    for (i = 0; i <= ETM_SETUP_FORMAT_PYOCD; i++)
        names[i] = etm_setup_format_name((enum etm_setup_format)i);
    i = etm_cli_choose("configure", "--format", value, names);
    if (i < 0)
        return ETM_EXIT_USAGE;
    c->format = (enum etm_setup_format)i;
    return -1;
}

static int take_small(const struct etm_cli_configure *c, const char *value,
                      uint32_t most, uint8_t *out)
{
    uint32_t v = 0;
    int status = etm_cli_configure_number(c, value, most, &v);

    *out = (uint8_t)v;
    return status;
}

/* A number from 1 on: 0 would be the same as nothing. */
static int take_positive(const char *option, const char *value, uint32_t most,
                         uint32_t *out)
{
    uint64_t v;

    if (!etm_cli_number(value, most, &v) || v == 0)
        return etm_cli_usage("configure", "%s %s: not a number from 1 to %lu",
                             option, etm_cli_word(value), (unsigned long)most);
    *out = (uint32_t)v;
    return -1;
}

static int take_size(struct etm_cli_configure *c, const char *value)
{
    uint64_t v;

    if (!etm_cli_number(value, 4, &v) || v == 0 || v == 3)
        return etm_cli_bad_value("configure", "--data-size", value,
                                 "not 1, 2 or 4 bytes");
    c->data_size = (uint8_t)v;
    return -1;
}

static int take_base(const char *option, const char *value, uint32_t *base)
{
    uint64_t v;

    if (!etm_cli_number(value, UINT32_MAX, &v) || v == 0 || v % 4 != 0)
        return etm_cli_bad_value("configure", option, value,
                                 "not an address other than 0 that is a "
                                 "multiple of 4");
    *base = (uint32_t)v;
    return -1;
}

static int take_access(struct etm_cli_configure *c, const char *value)
{
    if (strcmp(value, "load") == 0)
        c->data_look = ETM_LOOK_LOAD;
    else if (strcmp(value, "store") == 0)
        c->data_look = ETM_LOOK_STORE;
    else
        return etm_cli_bad_value("configure", "--data-access", value,
                                 "not one of load, store");
    return -1;
}

static int take_data_value(struct etm_cli_configure *c, const char *value)
{
    struct etm_request_match *m = more(&c->data_include, ETM_LOOK_TRANSFER);

    return m ? etm_cli_configure_value(c, value, m) : ETM_EXIT_UNREADABLE;
}

static int take_variable(struct etm_cli_configure *c, const char *value)
{
    struct etm_request_match *m = more(&c->data_include, ETM_LOOK_TRANSFER);

    return m ? etm_cli_configure_variable(c, value, m) : ETM_EXIT_UNREADABLE;
}

/* The formatter has its own uses for 0 and the IDs from 0x70 on. */
static int take_id(struct etm_cli_configure *c, const char *value)
{
    uint64_t id;

    if (!etm_cli_number(value, ETM_ID_RESERVED - 1, &id) || id == 0)
        return etm_cli_bad_value("configure", "--trace-id", value,
                                 "not from 1 to 0x6f");
    c->request.trace_id = (uint8_t)id;
    return -1;
}

static int take_sync(struct etm_cli_configure *c, const char *value)
{
    uint32_t v = 0;
    int status = take_positive("--sync", value, 0xfff, &v);

    c->request.sync_period = (uint16_t)v;
    return status;
}

static int set(bool *flag)
{
    *flag = true;
    return -1;
}

/* -1 to go on, else an exit status. */
static int apply(struct etm_cli_configure *c, enum option_id id,
                 const char *option, const char *value)
{
    struct etm_request *r = &c->request;
    uint32_t number = 0;
    int status;

    switch (id) {
    case CORE:
        c->core = value;
        return -1;
    case VERSION:
        c->version = value;
        return -1;
    case DUMP:
        c->dump = value;
        return -1;
    case ELF:
        return etm_cli_configure_elf(c, value);
    case FUNCTION:
        return take_function(c, value, &c->include);
    case FROM:
        if (c->from)
            return etm_cli_usage("configure", "--from needs --to after it");
        c->from = value;
        return -1;
    case TO:
        return take_to(c, value);
    case RANGE:
        return take_range(c, value, &c->include, ETM_LOOK_EXECUTE);
    case EXCLUDE_FUNCTION:
        return take_function(c, value, &c->exclude);
    case EXCLUDE_RANGE:
        return take_range(c, value, &c->exclude, ETM_LOOK_EXECUTE);
    case START:
        return take_point(c, value, &c->start, &r->start_ice);
    case STOP:
        return take_point(c, value, &c->stop, &r->stop_ice);
    case WHEN:
        return etm_cli_configure_condition(c, value, &r->when);
    case DATA:
        return take_data(c, value);
    case DATA_RANGE:
        return take_range(c, value, &c->data_include, ETM_LOOK_TRANSFER);
    case EXCLUDE_DATA:
        return take_range(c, value, &c->data_exclude, ETM_LOOK_TRANSFER);
    case DATA_VARIABLE:
        return take_variable(c, value);
    case DATA_VALUE:
        return take_data_value(c, value);
    case DATA_ACCESS:
        return take_access(c, value);
    case DATA_SIZE:
        return take_size(c, value);
    case DATA_WHEN:
        return etm_cli_configure_condition(c, value, &r->data_when);
    case TRIGGER:
        return etm_cli_configure_condition(c, value, &r->trigger);
    case AFTER_COUNT:
        return take_positive(option, value, UINT32_MAX, &c->after_count);
    case CHAIN:
        return take_chain(c, value);
    case EXTERNAL_OUTPUT:
        return take_output(c, value);
    case TIMESTAMP_EVENT:
        return etm_cli_configure_condition(c, value, &r->timestamp);
    case CONTEXT_ID:
        r->has_context_id = true;
        return etm_cli_configure_number(c, value, UINT32_MAX, &r->context_id);
    case CONTEXT_ID_SIZE:
        return take_small(c, value, 4, &r->context_id_bytes);
    case SYNC:
        return take_sync(c, value);
    case TRACE_ID:
        return take_id(c, value);
    case FIFO_LEVEL:
        status = take_positive(option, value, 0xff, &number);
        r->fifo_level = (uint8_t)number;
        return status;
    case PORT_SIZE:
        status = take_positive(option, value, 64, &number);
        r->port_pins = (uint8_t)number;
        return status;
    case PORT_MODE:
        return take_small(c, value, 7, &r->port_mode);
    case FORMAT:
        return take_format(c, value);
    case BASE:
        return take_base(option, value, &c->script.base);
    case DEVICE:
        c->script.device = value;
        return -1;
    case TAP:
        c->script.tap = value;
        return -1;
    case CHIP:
        c->chip = value;
        return -1;
    case SINK:
        return etm_cli_configure_sink(c, value);
    case CLOCK:
        return take_positive(option, value, UINT32_MAX, &c->path.clock);
    case TRACE:
        return etm_cli_configure_trace(c, value);
    case TPIU:
        return take_base(option, value, &c->path.tpiu);
    case ETB:
        return take_base(option, value, &c->path.etb);
    case TMC:
        return take_base(option, value, &c->path.tmc);
    case FUNNEL:
        return etm_cli_configure_funnel(c, value);
    case ROM_TABLE:
        c->rom_table = value;
        return -1;
    case READ_OUT:
        return set(&c->path.read_out);
    case OUTPUT:
        c->output = value;
        return -1;
    case CYCLE_ACCURATE:
        return set(&r->cycle_accurate);
    case TIMESTAMPS:
        return set(&r->timestamps);
    case RETURN_STACK:
        return set(&r->return_stack);
    case BRANCH_BROADCAST:
        return set(&r->branch_broadcast);
    case VMID:
        return set(&r->vmid);
    case CPRT:
        return set(&r->cprt);
    case CPRT_FILTER:
        return set(&r->cprt_filter);
    case DATA_ONLY:
        return set(&r->data_only);
    case STALL:
        return set(&r->stall);
    case SUPPRESS:
        return set(&r->suppress);
    case HALF_RATE:
        return set(&r->half_rate);
    case DEBUG_ON_TRIGGER:
        return set(&r->debug_on_trigger);
    case BIG_ENDIAN_DATA:
        return set(&c->big_endian);
    case SECURE:
    case NON_SECURE:
        return etm_cli_configure_security(r, id == SECURE);
    case USER:
    case PRIVILEGED:
        return etm_cli_configure_mode(r, id == USER);
    case HELP:
        return etm_cli_configure_help();
    }
    return ETM_EXIT_USAGE;
}

static int take_all(struct etm_cli_configure *c, int argc, char **argv)
{
    struct etm_cli_args args = etm_cli_args_of(
        "configure", rows, sizeof rows / sizeof *rows, argc, argv);

    while (etm_cli_args_next(&args)) {
        c->option = args.name;
        c->value = args.value;
        if (args.id == ETM_CLI_OPERAND)
            args.status = etm_cli_usage("configure", "%s: not an option",
                                        etm_cli_word(args.value));
        else
            args.status =
                apply(c, (enum option_id)args.id, args.name, args.value);
    }
    return args.status;
}

int etm_cli_configure(int argc, char **argv)
{
    struct etm_cli_configure *c = calloc(1, sizeof *c);
    int status;

    if (!c) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    c->data_look = ETM_LOOK_TRANSFER;
    c->script.size = sizeof c->script;
    c->path.size = sizeof c->path;
    status = take_all(c, argc, argv);
    if (status < 0)
        status = etm_cli_configure_check(c);
    if (status < 0)
        status = etm_cli_configure_run(c);
    etm_symbols_free(c->symbols);
    free(c);
    return status;
}
