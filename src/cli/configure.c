/* SPDX-License-Identifier: Apache-2.0 */
/* etm configure: from a request to registers. */
#include "cli/configure.h"

#include <errno.h>
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
    OUTPUT
};

static const struct {
    const char *name;
    enum option_id id;
} rows[] = {
    {"--core", CORE},
    {"--etm", VERSION},
    {"--dump", DUMP},
    {"--elf", ELF},
    {"--trace-function", FUNCTION},
    {"--from", FROM},
    {"--to", TO},
    {"--range", RANGE},
    {"--exclude-function", EXCLUDE_FUNCTION},
    {"--exclude-range", EXCLUDE_RANGE},
    {"--start-at", START},
    {"--stop-at", STOP},
    {"--when", WHEN},
    {"--data", DATA},
    {"--data-range", DATA_RANGE},
    {"--exclude-data-range", EXCLUDE_DATA},
    {"--data-variable", DATA_VARIABLE},
    {"--data-value", DATA_VALUE},
    {"--data-access", DATA_ACCESS},
    {"--data-size", DATA_SIZE},
    {"--data-when", DATA_WHEN},
    {"--trigger-at", TRIGGER},
    {"--after-count", AFTER_COUNT},
    {"--chain", CHAIN},
    {"--external-output", EXTERNAL_OUTPUT},
    {"--timestamp-at", TIMESTAMP_EVENT},
    {"--context-id", CONTEXT_ID},
    {"--context-id-size", CONTEXT_ID_SIZE},
    {"--sync", SYNC},
    {"--trace-id", TRACE_ID},
    {"--fifo-level", FIFO_LEVEL},
    {"--port-size", PORT_SIZE},
    {"--port-mode", PORT_MODE},
    {"--format", FORMAT},
    {"--base", BASE},
    {"--device", DEVICE},
    {"--tap", TAP},
    {"-o", OUTPUT},
};

static int usage(const char *subject, const char *what)
{
    etm_cli_error("%s%s (see 'etm configure --help')", etm_cli_word(subject),
                  what);
    return ETM_EXIT_USAGE;
}

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

static int take_range(struct etm_cli_configure *c, const char *option,
                      const char *value, struct etm_cli_matches *list,
                      enum etm_look look)
{
    const char *minus = strchr(value, '-');
    char from[128];
    struct etm_request_match *m;

    if (!minus || (size_t)(minus - value) >= sizeof from)
        return usage(value, ": not of the form FROM-TO");
    memcpy(from, value, (size_t)(minus - value));
    from[minus - value] = '\0';
    m = more(list, look);
    return m ? etm_cli_configure_range(c, option, from, minus + 1, m)
             : ETM_EXIT_UNREADABLE;
}

static int take_function(struct etm_cli_configure *c, const char *option,
                         const char *value, struct etm_cli_matches *list)
{
    struct etm_request_match *m = more(list, ETM_LOOK_EXECUTE);

    return m ? etm_cli_configure_function(c, option, value, m)
             : ETM_EXIT_UNREADABLE;
}

static int take_point(struct etm_cli_configure *c, const char *option,
                      const char *value, struct etm_cli_matches *list)
{
    struct etm_request_match *m = more(list, ETM_LOOK_EXECUTE);

    return m ? etm_cli_configure_place(c, option, value, m)
             : ETM_EXIT_UNREADABLE;
}

static int take_to(struct etm_cli_configure *c, const char *value)
{
    struct etm_request_match *m = more(&c->include, ETM_LOOK_EXECUTE);
    const char *from = c->from;

    if (!from)
        return usage("--to", " needs --from before it");
    c->from = NULL;
    return m ? etm_cli_configure_range(c, "--to", from, value, m)
             : ETM_EXIT_UNREADABLE;
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
        return usage(value, ": not one of address, value, both");
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
            return usage(value, ": not a condition");
        memcpy(word, value, length);
        word[length] = '\0';
        status =
            etm_cli_configure_condition(c, "--chain", word, &c->chain[n++]);
        if (status >= 0)
            return status;
        if (!comma) {
            c->request.n_chain = n;
            return -1;
        }
        value = comma + 1;
    }
    return usage("--chain",
                 ": not two or three conditions, separated by commas");
}

/* N=CONDITION */
static int take_output(struct etm_cli_configure *c, const char *value)
{
    if (value[0] < '1' || value[0] > '4' || value[1] != '=')
        return usage(value, ": not of the form N=CONDITION, N from 1 to 4");
    return etm_cli_configure_condition(c, "--external-output", value + 2,
                                       &c->request.external[value[0] - '1']);
}

static int take_format(struct etm_cli_configure *c, const char *value)
{
    for (int i = 0; i <= ETM_SETUP_FORMAT_SYSFS; i++) {
        if (strcmp(value, etm_setup_format_name((enum etm_setup_format)i)) ==
            0) {
            c->format = (enum etm_setup_format)i;
            return -1;
        }
    }
    return usage(value, ": not one of table, c, openocd, gdb, sysfs");
}

static int open_elf(struct etm_cli_configure *c, const char *value)
{
    struct etm_diag diag = {0};
    int status;

    if (c->symbols)
        return usage("--elf", " is given twice");
    c->elf = value;
    status = etm_symbols_open(&c->symbols, value, NULL, &diag);
    if (status == ETM_OK)
        return -1;
    etm_cli_diag(status, &diag);
    return ETM_EXIT_UNREADABLE;
}

static int take_small(const char *option, const char *value, uint32_t most,
                      uint8_t *out)
{
    uint32_t v = 0;
    int status = etm_cli_configure_number(option, value, most, &v);

    *out = (uint8_t)v;
    return status;
}

/* A number from 1 on: 0 would be the same as nothing. */
static int take_positive(const char *option, const char *value, uint32_t most,
                         uint32_t *out)
{
    uint64_t v;

    if (!etm_cli_number(value, most, &v) || v == 0) {
        etm_cli_error("%s %s: not a number from 1 to %lu (see 'etm configure "
                      "--help')",
                      option, etm_cli_word(value), (unsigned long)most);
        return ETM_EXIT_USAGE;
    }
    *out = (uint32_t)v;
    return -1;
}

static int take_size(struct etm_cli_configure *c, const char *value)
{
    uint64_t v;

    if (!etm_cli_number(value, 4, &v) || v == 0 || v == 3)
        return usage("--data-size", " must be 1, 2 or 4 bytes");
    c->data_size = (uint8_t)v;
    return -1;
}

static int take_base(struct etm_cli_configure *c, const char *value)
{
    uint64_t v;

    if (!etm_cli_number(value, UINT32_MAX, &v) || v == 0 || v % 4 != 0)
        return usage("--base",
                     " must be an address that is a multiple of 4, and not 0");
    c->script.base = (uint32_t)v;
    return -1;
}

static int take_access(struct etm_cli_configure *c, const char *value)
{
    if (strcmp(value, "load") == 0)
        c->data_look = ETM_LOOK_LOAD;
    else if (strcmp(value, "store") == 0)
        c->data_look = ETM_LOOK_STORE;
    else
        return usage(value, ": not one of load, store");
    return -1;
}

static int take_data_value(struct etm_cli_configure *c, const char *value)
{
    struct etm_request_match *m = more(&c->data_include, ETM_LOOK_TRANSFER);

    return m ? etm_cli_configure_value(c, "--data-value", value, m)
             : ETM_EXIT_UNREADABLE;
}

static int take_variable(struct etm_cli_configure *c, const char *value)
{
    struct etm_request_match *m = more(&c->data_include, ETM_LOOK_TRANSFER);

    return m ? etm_cli_configure_variable(c, "--data-variable", value, m)
             : ETM_EXIT_UNREADABLE;
}

/* The formatter has its own uses for 0 and the IDs from 0x70 on. */
static int take_id(struct etm_cli_configure *c, const char *value)
{
    uint64_t id;

    if (!etm_cli_number(value, ETM_ID_RESERVED - 1, &id) || id == 0) {
        etm_cli_error("--trace-id %s: not from 1 to 0x6f (see 'etm configure "
                      "--help')",
                      value);
        return ETM_EXIT_USAGE;
    }
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
        return open_elf(c, value);
    case FUNCTION:
        return take_function(c, option, value, &c->include);
    case FROM:
        if (c->from)
            return usage("--from", " needs --to after it");
        c->from = value;
        return -1;
    case TO:
        return take_to(c, value);
    case RANGE:
        return take_range(c, option, value, &c->include, ETM_LOOK_EXECUTE);
    case EXCLUDE_FUNCTION:
        return take_function(c, option, value, &c->exclude);
    case EXCLUDE_RANGE:
        return take_range(c, option, value, &c->exclude, ETM_LOOK_EXECUTE);
    case START:
        return take_point(c, option, value, &c->start);
    case STOP:
        return take_point(c, option, value, &c->stop);
    case WHEN:
        return etm_cli_configure_condition(c, option, value, &r->when);
    case DATA:
        return take_data(c, value);
    case DATA_RANGE:
        return take_range(c, option, value, &c->data_include,
                          ETM_LOOK_TRANSFER);
    case EXCLUDE_DATA:
        return take_range(c, option, value, &c->data_exclude,
                          ETM_LOOK_TRANSFER);
    case DATA_VARIABLE:
        return take_variable(c, value);
    case DATA_VALUE:
        return take_data_value(c, value);
    case DATA_ACCESS:
        return take_access(c, value);
    case DATA_SIZE:
        return take_size(c, value);
    case DATA_WHEN:
        return etm_cli_configure_condition(c, option, value, &r->data_when);
    case TRIGGER:
        return etm_cli_configure_condition(c, option, value, &r->trigger);
    case AFTER_COUNT:
        return take_positive(option, value, UINT32_MAX, &c->after_count);
    case CHAIN:
        return take_chain(c, value);
    case EXTERNAL_OUTPUT:
        return take_output(c, value);
    case TIMESTAMP_EVENT:
        return etm_cli_configure_condition(c, option, value, &r->timestamp);
    case CONTEXT_ID:
        r->has_context_id = true;
        return etm_cli_configure_number(option, value, UINT32_MAX,
                                        &r->context_id);
    case CONTEXT_ID_SIZE:
        return take_small(option, value, 4, &r->context_id_bytes);
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
        return take_small(option, value, 7, &r->port_mode);
    case FORMAT:
        return take_format(c, value);
    case BASE:
        return take_base(c, value);
    case DEVICE:
        c->script.device = value;
        return -1;
    case TAP:
        c->script.tap = value;
        return -1;
    case OUTPUT:
        c->output = value;
        return -1;
    }
    return ETM_EXIT_USAGE;
}

/* `--name VALUE` or `--name=VALUE` at argv[*i]. */
static int take_option(struct etm_cli_configure *c, int argc, char **argv,
                       int *i)
{
    const char *argument = argv[*i];
    int status;

    if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0)
        return etm_cli_configure_help();
    status = etm_cli_configure_flag(c, argument);
    if (status != ETM_CLI_NO_FLAG)
        return status;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        size_t n = strlen(rows[k].name);

        if (strncmp(argument, rows[k].name, n) != 0)
            continue;
        if (argument[n] == '=')
            return apply(c, rows[k].id, rows[k].name, argument + n + 1);
        if (argument[n] != '\0' && n == 2) /* -oFILE */
            return apply(c, rows[k].id, rows[k].name, argument + n);
        if (argument[n] != '\0')
            continue;
        if (*i + 1 >= argc)
            return usage(argument, " needs a value");
        return apply(c, rows[k].id, rows[k].name, argv[++*i]);
    }
    return usage(argument, ": no such option");
}

/* Only loads or only stores, at any address: a match of all addresses. */
static int all_data(struct etm_cli_configure *c)
{
    struct etm_request_match *m;

    if (c->data_include.n != 0 || c->data_exclude.n != 0)
        return -1;
    if (c->data_size != 0)
        return usage("--data-size",
                     " needs --data-range, --data-variable or --data-value");
    if (c->data_look == ETM_LOOK_TRANSFER)
        return -1;
    m = more(&c->data_include, c->data_look);
    if (m == NULL)
        return ETM_EXIT_UNREADABLE;
    m->range = true;
    m->to = UINT32_MAX;
    return -1;
}

/* Set the byte order of a value to compare. */
static bool order_value(const struct etm_cli_configure *c,
                        struct etm_request_match *m)
{
    m->big_endian = c->big_endian;
    return m->has_value;
}

/* --big-endian may come before or after the values that it applies to. */
static int order_values(struct etm_cli_configure *c)
{
    struct etm_cli_matches *lists[] = {&c->data_include, &c->data_exclude};
    struct etm_request *r = &c->request;
    struct etm_request_condition *alone[] = {&r->when, &r->data_when,
                                             &r->trigger, &r->timestamp};
    bool any = false;

    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        any = order_value(c, &alone[i]->match) || any;
    for (size_t i = 0; i < sizeof r->external / sizeof *r->external; i++)
        any = order_value(c, &r->external[i].match) || any;
    for (size_t i = 0; i < r->n_chain; i++)
        any = order_value(c, &c->chain[i].match) || any;
    for (size_t i = 0; i < c->n_joined; i++)
        any = order_value(c, &c->joined[i].match) || any;
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < lists[i]->n; k++)
            any = order_value(c, &lists[i]->match[k]) || any;
    if (c->big_endian && !any)
        return usage("--big-endian",
                     " needs a value, of --data-value or of a condition");
    return -1;
}

/* Options for all data matches, and checks of the whole command line. */
static int finish(struct etm_cli_configure *c)
{
    struct etm_cli_matches *lists[] = {&c->data_include, &c->data_exclude};
    struct etm_request *r = &c->request;
    int status = all_data(c);

    if (status >= 0)
        return status;
    status = order_values(c);
    if (status >= 0)
        return status;
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < lists[i]->n; k++) {
            struct etm_request_match *m = &lists[i]->match[k];

            if (c->data_size != 0)
                m->size = c->data_size;
            m->look = c->data_look;
        }
    }
    if (c->from)
        return usage("--from", " needs --to after it");
    if ((c->core != NULL) == (c->dump != NULL))
        return usage("configure",
                     ": for which macrocell? Give --core or --dump");
    if (c->dump && c->version)
        return usage("--etm", " needs --core");
    if (c->after_count != 0 && r->trigger.what == ETM_CONDITION_NONE)
        return usage("--after-count", " needs --trigger-at");
    r->cprt = r->cprt || r->cprt_filter;
    if (c->after_count != 0)
        r->trigger.times = c->after_count;
    r->include = c->include.match;
    r->n_include = c->include.n;
    r->exclude = c->exclude.match;
    r->n_exclude = c->exclude.n;
    r->start = c->start.match;
    r->n_start = c->start.n;
    r->stop = c->stop.match;
    r->n_stop = c->stop.n;
    r->data_include = c->data_include.match;
    r->n_data_include = c->data_include.n;
    r->data_exclude = c->data_exclude.match;
    r->n_data_exclude = c->data_exclude.n;
    r->chain = c->chain;
    return -1;
}

int etm_cli_configure(int argc, char **argv)
{
    struct etm_cli_configure *c = calloc(1, sizeof *c);
    int status = -1;

    if (!c) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    c->data_look = ETM_LOOK_TRANSFER;
    for (int i = 1; i < argc && status < 0; i++)
        status = take_option(c, argc, argv, &i);
    if (status < 0)
        status = finish(c);
    if (status < 0)
        status = etm_cli_configure_run(c);
    etm_symbols_free(c->symbols);
    free(c);
    return status;
}
