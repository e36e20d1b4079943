/* SPDX-License-Identifier: Apache-2.0 */
/* etm configure: the path of the trace out of a chip. */
#include "cli/args.h"
#include "cli/configure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int etm_cli_configure_sink(struct etm_cli_configure *c, const char *value)
{
    const char *colon = strchr(value, ':');
    size_t n = colon ? (size_t)(colon - value) : strlen(value);
    uint64_t number = 0;
    bool told = colon && etm_cli_number(colon + 1, UINT32_MAX, &number);

    for (int i = ETM_SINK_TPIU; i <= ETM_SINK_ETB; i++) {
        const char *name = etm_sink_name((enum etm_sink)i);

        if (strlen(name) == n && strncmp(name, value, n) == 0)
            c->path.sink = (enum etm_sink)i;
    }
    if (c->path.sink == ETM_SINK_TPIU && told && number != 0 && number <= 32) {
        c->path.pins = (uint8_t)number;
        return -1;
    }
    if (c->path.sink == ETM_SINK_SWO && told && number != 0) {
        c->path.baud = (uint32_t)number;
        return -1;
    }
    if (c->path.sink == ETM_SINK_ETB && !colon)
        return -1;
    return etm_cli_bad_value("configure", "--sink", value,
                             "not one of tpiu:PINS, swo:BAUD, etb");
}

int etm_cli_configure_trace(struct etm_cli_configure *c, const char *value)
{
    static const char *const names[] = {
        "etm", "itm", "exceptions", "pc-samples", "timestamps", NULL};
    char word[16];

    for (c->path.origins = 0;; value++) {
        size_t n = strcspn(value, ",");
        int i;

        (void)snprintf(word, sizeof word, "%.*s", (int)n, value);
        i = etm_cli_choose("configure", "--trace", word, names);
        if (i < 0)
            return ETM_EXIT_USAGE;
        c->path.origins |= (uint8_t)(1u << i);
        value += n;
        if (*value == '\0')
            return -1;
    }
}

/* ADDR[:INPUT[,INPUT...]] */
int etm_cli_configure_funnel(struct etm_cli_configure *c, const char *value)
{
    size_t n = strcspn(value, ":");
    char word[24];
    uint64_t number;

    (void)snprintf(word, sizeof word, "%.*s", (int)n, value);
    if (!etm_cli_number(word, UINT32_MAX, &number) || number == 0 ||
        number % 4 != 0)
        return etm_cli_bad_value("configure", "--funnel", value,
                                 "not of the form ADDR[:INPUT,...]");
    c->path.funnel = (uint32_t)number;
    for (c->path.funnel_ports = 0, value += n; *value != '\0'; value += n) {
        value++;
        n = strcspn(value, ",");
        (void)snprintf(word, sizeof word, "%.*s", (int)n, value);
        if (!etm_cli_number(word, 7, &number))
            return etm_cli_bad_value("configure", "--funnel", c->value,
                                     "its inputs are numbered from 0 to 7");
        c->path.funnel_ports |= (uint8_t)(1u << number);
    }
    return -1;
}

bool etm_cli_configure_macrocell(const struct etm_cli_configure *c)
{
    if (c->path.sink == ETM_SINK_NONE)
        return true;
    if (c->path.origins != 0)
        return (c->path.origins & ETM_TRACE_MACROCELL) != 0;
    return !c->path.chip || c->path.chip->etm;
}

/* An option about the path without its end. */
static const char *stray(const struct etm_cli_configure *c)
{
    const struct {
        bool given;
        const char *name;
    } options[] = {{c->path.clock != 0, "--clock"},
                   {c->path.origins != 0, "--trace"},
                   {c->path.tpiu != 0, "--tpiu"},
                   {c->path.etb != 0, "--etb"},
                   {c->path.tmc != 0, "--tmc"},
                   {c->path.funnel != 0, "--funnel"},
                   {c->rom_table != NULL, "--rom-table"},
                   {c->path.read_out, "--read-out"}};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return options[i].name;
    return NULL;
}

static int find_chip(struct etm_cli_configure *c)
{
    struct etm_cli_nearest nearest = {.word = c->chip};

    if (etm_chip_find(c->chip, &c->path.chip) == ETM_OK)
        return -1;
    for (size_t i = 0; etm_chips(i); i++)
        etm_cli_nearest_try(&nearest, etm_chips(i)->name);
    return etm_cli_usage(
        "configure",
        "--chip %s: no such chip ('etm configure --chip list' shows them; of "
        "another, give --core, and its blocks with --rom-table or --tpiu)%s",
        etm_cli_word(c->chip), etm_cli_nearest_text(&nearest));
}

/* What is asked of a macrocell that is not there, or not to trace. */
static bool asks_macrocell(const struct etm_cli_configure *c)
{
    static const struct etm_request none;

    return memcmp(&c->request, &none, sizeof none) != 0 || c->include.n != 0 ||
           c->exclude.n != 0 || c->start.n != 0 || c->stop.n != 0 ||
           c->data_include.n != 0 || c->data_exclude.n != 0;
}

int etm_cli_configure_chip_check(struct etm_cli_configure *c)
{
    const char *option = stray(c);

    if (c->chip && strcmp(c->chip, "list") == 0) {
        c->core = "list";
        return -1;
    }
    if (c->path.sink == ETM_SINK_NONE && (c->chip || option))
        return etm_cli_usage("configure", "%s needs --sink",
                             c->chip ? "--chip" : option);
    if (c->chip && c->core)
        return etm_cli_usage("configure",
                             "--chip cannot be combined with --core");
    if (c->chip) {
        int status = find_chip(c);

        if (status >= 0)
            return status;
        if (!c->dump)
            c->core = c->path.chip->core;
    }
    if (!etm_cli_configure_macrocell(c) && asks_macrocell(c))
        return etm_cli_usage("configure",
                             c->path.origins != 0
                                 ? "--trace without etm traces no instructions"
                                 : "this chip has no ETM that could trace "
                                   "instructions");
    return -1;
}

/* What is no CoreSight component has none. */
void etm_cli_configure_ids(struct etm_cli_configure *c)
{
    bool has_id = c->dump || c->macrocell.part != 0;

    if (c->path.sink != ETM_SINK_NONE && c->request.trace_id == 0 && has_id)
        c->request.trace_id = 2;
    c->path.itm_id = c->request.trace_id == 1 ? 2 : 1;
}

static int fail(int status, const struct etm_diag *diag)
{
    etm_cli_diag(status, diag);
    return status == ETM_ERR_ARGUMENT ? ETM_EXIT_USAGE : ETM_EXIT_UNREADABLE;
}

/* What the command line says, before the table. */
static void use(uint32_t *place, uint32_t address)
{
    if (*place == 0)
        *place = address;
}

static int read_rom_table(struct etm_cli_configure *c)
{
    struct etm_diag diag = {0};
    struct etm_rom_table table;
    size_t length = 0;
    char *text = etm_cli_text_read(c->rom_table, &length);
    int status;

    if (!text)
        return ETM_EXIT_UNREADABLE;
    status = etm_rom_table_read(&table, text, length, &diag);
    free(text);
    if (status != ETM_OK) {
        (void)snprintf(diag.source, sizeof diag.source, "%s", c->rom_table);
        return fail(status, &diag);
    }
    if (table.several)
        etm_cli_error("note: %s has several blocks of a kind: the first is "
                      "taken, unless an option has its address",
                      etm_cli_path(c->rom_table));
    use(&c->path.tpiu, table.tpiu);
    if (c->path.tmc == 0)
        use(&c->path.etb, table.etb);
    if (c->path.etb == 0)
        use(&c->path.tmc, table.tmc);
    use(&c->path.funnel, table.funnel);
    use(&c->script.base, table.macrocell);
    return -1;
}

int etm_cli_configure_path(struct etm_cli_configure *c)
{
    struct etm_notes *notes;
    struct etm_diag diag = {0};
    int status = -1;

    if (c->path.sink == ETM_SINK_NONE)
        return -1;
    if (c->rom_table)
        status = read_rom_table(c);
    if (status >= 0)
        return status;
    notes = calloc(1, sizeof *notes);
    if (!notes) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    if (c->path.sink == ETM_SINK_ETB && !c->request.debug_on_trigger &&
        c->request.trigger.what != ETM_CONDITION_NONE)
        etm_cli_error(
            "note: the trigger does not stop the buffer, because what "
            "connects them depends on the chip; with "
            "--debug-on-trigger the processor halts, and with it the "
            "trace");
    c->path.profile = c->config.profile;
    c->script.path = &c->path;
    status = etm_trace_path_notes(&c->path, notes, &diag);
    for (size_t i = 0; i < notes->n; i++)
        etm_cli_error("note: %s", notes->text[i]);
    free(notes);
    return status == ETM_OK ? -1 : fail(status, &diag);
}

int etm_cli_configure_list_chips(struct etm_cli_output *output)
{
    for (size_t i = 0; etm_chips(i); i++) {
        const struct etm_chip *chip = etm_chips(i);
        char line[512], sinks[32] = "";

        for (int k = ETM_SINK_TPIU; k <= ETM_SINK_ETB; k++)
            if ((chip->sinks >> k & 1) != 0)
                (void)snprintf(sinks + strlen(sinks),
                               sizeof sinks - strlen(sinks), "%s%s",
                               sinks[0] != '\0' ? " " : "",
                               etm_sink_name((enum etm_sink)k));
        (void)snprintf(line, sizeof line, "%-10s %-10s %-4s %-13s %s  (%s)\n",
                       chip->name, chip->core, chip->etm ? "etm" : "-", sinks,
                       chip->models, chip->source);
        (void)etm_cli_write(output, line, strlen(line));
    }
    return etm_cli_output_close(output);
}
