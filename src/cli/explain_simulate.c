/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm explain --simulate: a program runs in the emulator, what it does goes
 * through the model of the macrocell with the programmed registers, and the
 * resulting trace is decoded. What this shows is what is traced.
 */
#include "cli/access.h"
#include "cli/simulate.h"

#include <etm/program.h>

#include <stdlib.h>
#include <string.h>

/* The entry of the function that an address is in; NULL: no memory. */
static struct etm_cli_function *function_at(struct etm_cli_simulation *s,
                                            uint32_t address)
{
    struct etm_symbol symbol = {0};
    bool named =
        etm_symbols_at(s->explain->symbols, address, &symbol) == ETM_OK;
    uint32_t start = named ? address - symbol.offset : 0;
    size_t low = 0, high = s->n_functions;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->functions[middle].address < start)
            low = middle + 1;
        else
            high = middle;
    }
    s->last_low = address;
    s->last_high = address;
    if (named && symbol.size != 0) {
        s->last_low = start;
        s->last_high = start + symbol.size - 1;
    }
    if (low < s->n_functions && s->functions[low].address == start)
        return &s->functions[low];
    if (s->n_functions == s->capacity) {
        size_t capacity = s->capacity == 0 ? 64 : 2 * s->capacity;
        struct etm_cli_function *more =
            realloc(s->functions, capacity * sizeof *more);

        if (!more)
            return NULL;
        s->functions = more;
        s->capacity = capacity;
    }
    memmove(s->functions + low + 1, s->functions + low,
            (s->n_functions - low) * sizeof *s->functions);
    s->functions[low] = (struct etm_cli_function){
        .address = start, .name = named ? symbol.name : NULL};
    s->n_functions++;
    return &s->functions[low];
}

static struct etm_cli_function *find(struct etm_cli_simulation *s,
                                     uint32_t address)
{
    if (!s->last_function || address < s->last_low || address > s->last_high)
        s->last_function = function_at(s, address);
    return s->last_function;
}

/* An etm_element_fn: what the trace shows. */
static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct etm_cli_simulation *s = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];
        struct etm_cli_function *f;

        if (e->kind == ETM_ELEMENT_DATA)
            s->traced_data++;
        if (e->kind == ETM_ELEMENT_LOST)
            s->lost += e->u.lost.bytes;
        if (e->kind != ETM_ELEMENT_INSN)
            continue;
        f = find(s, e->u.insn.address);
        if (!f)
            return ETM_ERR_MEMORY;
        f->traced++;
        s->traced++;
    }
    return ETM_OK;
}

/* An etm_bytes_fn: the trace. */
static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct etm_cli_simulation *s = context;

    s->bytes += n;
    return etm_decoder_push(s->decoder, bytes, n);
}

/* An etm_signals_fn. */
static int take_signals(void *context,
                        const struct etm_macrocell_signals *signals)
{
    struct etm_cli_simulation *s = context;
    unsigned rises = signals->ext_out & ~(unsigned)s->ext_out;

    for (unsigned i = 0; i < 4; i++)
        s->out_rises[i] += rises >> i & 1;
    s->ext_out = signals->ext_out;
    if (signals->overflow && !s->overflow)
        s->overflows++;
    s->overflow = signals->overflow;
    if (signals->trigger && !s->triggered) {
        s->triggered = true;
        s->trigger_place = s->place;
        s->trigger_cycle = signals->cycle;
    }
    return ETM_OK;
}

/* The instruction at `place` was executed; or it was not, as an exception has
 * cancelled it. */
static int count(struct etm_cli_simulation *s, bool executed)
{
    struct etm_cli_function *f = find(s, s->place);

    if (!f)
        return ETM_ERR_MEMORY;
    if (executed) {
        f->executed++;
        s->executed++;
    } else {
        f->executed--;
        s->executed--;
    }
    return ETM_OK;
}

/*
 * An etm_event_fn: what the processor did. The macrocell holds an instruction
 * back until the next event comes: a signal belongs to the previous
 * instruction.
 */
static int take_events(void *context, const struct etm_event *events, size_t n)
{
    struct etm_cli_simulation *s = context;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_event *event = &events[i];

        status = etm_macrocell_run(s->macrocell, event, 1);
        if (status == ETM_OK && event->kind == ETM_EVENT_INSN) {
            s->place = event->u.insn.address;
            status = count(s, true);
        } else if (status == ETM_OK && event->kind == ETM_EVENT_EXCEPTION &&
                   event->u.exception.cancels) {
            status = count(s, false);
        }
    }
    return status;
}

static int fail(struct etm_cli_simulation *s, const char *what, int status)
{
    if (s->diag.what[0] != '\0')
        etm_cli_diag(status, &s->diag);
    else
        etm_cli_error("%s: %s: %s", s->explain->program, what,
                      etm_status_text(status));
    return ETM_EXIT_UNREADABLE;
}

/* Take the values to program; others in a dump belong to the macrocell. */
static void make_setup(struct etm_cli_simulation *s)
{
    const struct etm_cli_explain *e = s->explain;

    for (size_t i = 0; i < e->n; i++)
        (void)etm_setup_set(&s->setup, e->registers[i].number,
                            (uint32_t)e->registers[i].value);
}

static int make_macrocell(struct etm_cli_simulation *s)
{
    const struct etm_macrocell_config *config = s->explain->explain.macrocell;
    const struct etm_macrocell_output output = {
        .bytes = take_bytes, .signals = take_signals, .context = s};
    const struct etm_macrocell_pins pins = {
        .dbgen = true, .niden = true, .spiden = true, .spniden = true};
    int status = etm_macrocell_new(&s->macrocell, config, &s->diag);

    if (status != ETM_OK)
        return fail(s, "the macrocell", status);
    etm_macrocell_set_pins(s->macrocell, &pins);
    status = etm_macrocell_connect(s->macrocell, &output);
    if (status != ETM_OK)
        return fail(s, "this macrocell's trace cannot be generated", status);
    make_setup(s);
    status = etm_setup_apply(&s->setup, s->macrocell,
                             etm_cli_access(s->macrocell), &s->diag);
    return status == ETM_OK ? ETM_EXIT_OK : fail(s, "the registers", status);
}

static int make_decoder(struct etm_cli_simulation *s)
{
    struct etm_config config = {.size = sizeof config};
    struct etm_decoder_config decoder = {.config = &config,
                                         .level = ETM_LEVEL_INSTRUCTIONS,
                                         .elements = take_elements,
                                         .context = s};
    int status = etm_image_new(&s->image, NULL);

    if (status == ETM_OK)
        status = etm_symbols_code(s->explain->symbols, s->image);
    etm_macrocell_trace_config(s->macrocell, &config);
    config.profile = s->explain->config.profile;
    config.trace_id = 0;
    decoder.image = s->image;
    if (status == ETM_OK)
        status = etm_decoder_new(&s->decoder, &decoder);
    return status == ETM_OK ? ETM_EXIT_OK
                            : fail(s, "the trace cannot be decoded", status);
}

static int run(struct etm_cli_simulation *s)
{
    const struct etm_cli_explain *e = s->explain;
    struct etm_emulator_config config = {.size = sizeof config,
                                         .core = e->core,
                                         .program = e->program,
                                         .regions = e->regions,
                                         .n_regions = e->n_regions,
                                         .usual_memory = true,
                                         .pc_first = e->config.pc_first,
                                         .limit = e->instructions,
                                         .events = take_events,
                                         .context = s};
    struct etm_emulator *emulator = NULL;
    int status;

    status = etm_emulator_new(&emulator, &config, &s->diag);
    if (status == ETM_OK)
        status = etm_emulator_run(emulator, &s->result, &s->diag);
    if (status == ETM_OK)
        status = etm_macrocell_finish(s->macrocell);
    if (status == ETM_OK)
        status = etm_decoder_finish(s->decoder);
    etm_emulator_free(emulator);
    return status == ETM_OK ? ETM_EXIT_OK : fail(s, "the program", status);
}

int etm_cli_explain_simulate(struct etm_cli_explain *e,
                             struct etm_cli_output *out)
{
    struct etm_cli_simulation *s = calloc(1, sizeof *s);
    int status = ETM_EXIT_UNREADABLE;

    if (!s) {
        etm_cli_error("out of memory");
        return status;
    }
    s->explain = e;
    if (!etm_emulator_available())
        etm_cli_error("this command was built without the emulator");
    else
        status = make_macrocell(s);
    if (status == ETM_EXIT_OK)
        status = make_decoder(s);
    if (status == ETM_EXIT_OK)
        status = run(s);
    if (status == ETM_EXIT_OK && strcmp(e->format, "jsonl") == 0)
        etm_cli_summary_jsonl(s, out);
    else if (status == ETM_EXIT_OK)
        etm_cli_summary_text(s, out);
    etm_decoder_free(s->decoder);
    etm_macrocell_free(s->macrocell);
    etm_image_free(s->image);
    free(s->functions);
    free(s);
    return status;
}
