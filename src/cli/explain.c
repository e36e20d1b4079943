/* SPDX-License-Identifier: Apache-2.0 */
/* etm explain: from registers to words. */
#include "cli/explain.h"
#include "cli/args.h"

#include <etm/program.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
    CORE,
    VERSION,
    ELF,
    LIMIT,
    MEMORY,
    SIMULATE,
    FORMAT,
    OUTPUT,
    HELP
};

static const struct etm_cli_option rows[] = {
    {"--core", CORE, true},     {"--etm", VERSION, true},
    {"--elf", ELF, true},       {"--limit", LIMIT, true},
    {"--memory", MEMORY, true}, {"--simulate", SIMULATE, true},
    {"--format", FORMAT, true}, {"-o", OUTPUT, true},
    {"--help", HELP, false},    {"-h", HELP, false},
};

/* One more --memory. */
static int add_region(struct etm_cli_explain *e, const char *value)
{
    struct etm_emulator_region *more =
        realloc(e->regions, (e->n_regions + 1) * sizeof *e->regions);

    if (!more) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    e->memory = value;
    e->regions = more;
    if (!etm_cli_memory_parse(value, &e->regions[e->n_regions]))
        return etm_cli_bad_value("explain", "--memory", value,
                                 "not of the form FROM-TO");
    e->n_regions++;
    return -1;
}

/* -1 to go on, else an exit status. */
static int apply(struct etm_cli_explain *e, enum option_id id,
                 const char *value)
{
    switch (id) {
    case CORE:
        e->core = value;
        return -1;
    case VERSION:
        e->version = value;
        return -1;
    case ELF:
        e->elf = value;
        return -1;
    case LIMIT:
        e->limit = value;
        return -1;
    case MEMORY:
        return add_region(e, value);
    case SIMULATE:
        e->program = value;
        return -1;
    case FORMAT:
        e->format = value;
        return -1;
    case OUTPUT:
        e->output = value;
        return -1;
    case HELP:
        return etm_cli_explain_help();
    }
    return ETM_EXIT_USAGE;
}

static int take_file(struct etm_cli_explain *e, const char *file)
{
    if (e->input)
        return etm_cli_usage("explain", "%s: only one file at a time",
                             etm_cli_word(file));
    e->input = file;
    return -1;
}

/* Checks of the whole command line. */
static int check_together(struct etm_cli_explain *e)
{
    if (!e->input)
        return etm_cli_usage("explain",
                             "explain: no file with registers is given");
    if (strcmp(e->format, "text") != 0 && strcmp(e->format, "jsonl") != 0)
        return etm_cli_bad_value("explain", "--format", e->format,
                                 "the format is text or jsonl");
    if (e->version && !e->core)
        return etm_cli_usage("explain", "--etm needs --core");
    if ((e->limit || e->memory) && !e->program)
        return etm_cli_usage("explain", "%s needs --simulate",
                             e->limit ? "--limit" : "--memory");
    if (e->limit && (!etm_cli_number(e->limit, UINT64_MAX, &e->instructions) ||
                     e->instructions == 0))
        return etm_cli_bad_value("explain", "--limit", e->limit,
                                 "not a number of instructions above 0");
    /* the program has names, too */
    if (e->program && !e->elf)
        e->elf = e->program;
    return -1;
}

static int take_all(struct etm_cli_explain *e, int argc, char **argv)
{
    struct etm_cli_args args = etm_cli_args_of(
        "explain", rows, sizeof rows / sizeof *rows, argc, argv);

    while (etm_cli_args_next(&args)) {
        if (args.id == ETM_CLI_OPERAND)
            args.status = take_file(e, args.value);
        else
            args.status = apply(e, (enum option_id)args.id, args.value);
    }
    return args.status >= 0 ? args.status : check_together(e);
}

static struct etm_register *add(struct etm_cli_explain *e)
{
    struct etm_register *more =
        realloc(e->registers, (e->n + 1) * sizeof *e->registers);

    if (!more) {
        etm_cli_error("out of memory");
        return NULL;
    }
    e->registers = more;
    e->registers[e->n] = (struct etm_register){.number = ETM_REGISTER_NONE};
    return &e->registers[e->n++];
}

static int take_registers(struct etm_cli_explain *e, const char *text, size_t n)
{
    struct etm_setup *setup = calloc(1, sizeof *setup);
    struct etm_diag diag = {0};
    int status, read;

    if (!setup) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    read = etm_setup_read_listing(setup, &e->listing, text, n, &diag);
    if (read != ETM_OK) {
        if (diag.source[0] == '\0')
            (void)snprintf(diag.source, sizeof diag.source, "%s", e->input);
        etm_cli_diag(read, &diag);
    }
    status = read == ETM_OK ? -1 : ETM_EXIT_UNREADABLE;
    for (size_t i = 0; i < setup->n && status < 0; i++) {
        struct etm_register *r = add(e);

        if (!r) {
            status = ETM_EXIT_UNREADABLE;
            break;
        }
        r->number = setup->values[i].number;
        r->value = setup->values[i].value;
    }
    if (status < 0 && e->n == 0) {
        etm_cli_error("%s: it contains no registers", etm_cli_path(e->input));
        status = ETM_EXIT_UNREADABLE;
    }
    free(setup);
    return status;
}

static int read_input(struct etm_cli_explain *e)
{
    size_t n;
    char *text = etm_cli_text_read(e->input, &n);
    int status;

    if (!text)
        return ETM_EXIT_UNREADABLE;
    status = take_registers(e, text, n);
    free(text);
    return status;
}

/* The core that the file names, if no other one is given. */
static void take_core(struct etm_cli_explain *e)
{
    const struct etm_core *core;

    if (e->core || etm_core_find(e->listing.core, &core) != ETM_OK ||
        etm_core_macrocell(core, e->listing.version, &e->macrocell, &e->config,
                           NULL) != ETM_OK)
        return;
    e->core = e->listing.core;
    e->version = e->listing.version;
}

static int find_core(struct etm_cli_explain *e)
{
    const struct etm_core *core = etm_cli_core(e->core);
    struct etm_diag diag = {0};
    int status;

    if (!core)
        return ETM_EXIT_USAGE;
    status =
        etm_core_macrocell(core, e->version, &e->macrocell, &e->config, &diag);
    if (status != ETM_OK) {
        etm_cli_diag(status, &diag);
        return status == ETM_ERR_ARGUMENT ? ETM_EXIT_USAGE
                                          : ETM_EXIT_UNREADABLE;
    }
    e->explain.macrocell = &e->macrocell;
    return -1;
}

static int symbol_at(void *context, uint32_t address, struct etm_symbol *symbol)
{
    return etm_symbols_at(context, address, symbol);
}

static int open_elf(struct etm_cli_explain *e)
{
    struct etm_diag diag = {0};
    int status = etm_symbols_open(&e->symbols, e->elf, NULL, &diag);

    if (status != ETM_OK) {
        etm_cli_diag(status, &diag);
        return ETM_EXIT_UNREADABLE;
    }
    e->names = (struct etm_names){.symbol = symbol_at, .context = e->symbols};
    e->explain.names = &e->names;
    return -1;
}

static int run(struct etm_cli_explain *e)
{
    int status = read_input(e);

    if (status < 0)
        take_core(e);
    if (status < 0 && e->program && !e->core)
        status = etm_cli_usage("explain", "--simulate needs --core");
    if (status < 0 && e->core)
        status = find_core(e);
    if (status < 0 && e->elf)
        status = open_elf(e);
    e->explain.registers = e->registers;
    e->explain.n_registers = e->n;
    if (status < 0)
        status = etm_cli_explain_print(e);
    return status;
}

int etm_cli_explain(int argc, char **argv)
{
    struct etm_cli_explain e = {.format = "text", .instructions = 1000000};
    int status = take_all(&e, argc, argv);

    if (status < 0)
        status = run(&e);
    etm_symbols_free(e.symbols);
    free(e.registers);
    free(e.regions);
    return status;
}
