/* SPDX-License-Identifier: Apache-2.0 */
/* etm explain --simulate: what was traced, in numbers. */
#include "cli/access.h"
#include "cli/simulate.h"

#include <etm/program.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions that ran longest; the rest is summed up. */
enum { LONGEST = 20 };

/* A register of the macrocell after the run; false: it does not exist. */
static bool state_of(const struct etm_cli_simulation *s, const char *name,
                     uint32_t *value)
{
    return etm_macrocell_read(s->macrocell, etm_register_number(name),
                              etm_cli_access(s->macrocell),
                              value) == ETM_ACCESS_OK;
}

/* The number of counters, and whether there is a sequencer (ETMCCR, 3.5.2). */
static unsigned counters_of(const struct etm_cli_simulation *s, bool *sequencer)
{
    uint32_t ccr;

    if (!state_of(s, "ETMCCR", &ccr))
        ccr = s->explain->macrocell.ccr;
    *sequencer = (ccr >> 16 & 1) != 0;
    return ccr >> 13 & 7;
}

/* One sentence. */
ETM_CLI_PRINTF(2, 3)
static void say(struct etm_cli_output *out, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    etm_cli_put_sentence(out, text);
}

static unsigned percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (unsigned)(100 * part / whole);
}

static int longer(const void *x, const void *y)
{
    const struct etm_cli_function *a = x, *b = y;

    if (a->executed != b->executed)
        return a->executed > b->executed ? -1 : 1;
    return a->address < b->address ? -1 : 1;
}

/* A name for an address, or the address. */
static void place_text(const struct etm_cli_simulation *s, uint32_t address,
                       char *text, size_t capacity)
{
    struct etm_symbol symbol;

    if (etm_symbols_at(s->explain->symbols, address, &symbol) != ETM_OK)
        (void)snprintf(text, capacity, "0x%08x", (unsigned)address);
    else if (symbol.offset == 0)
        (void)snprintf(text, capacity, "0x%08x (%s)", (unsigned)address,
                       symbol.name);
    else
        (void)snprintf(text, capacity, "0x%08x (%s+0x%x)", (unsigned)address,
                       symbol.name, (unsigned)symbol.offset);
}

static void functions_text(const struct etm_cli_simulation *s,
                           struct etm_cli_output *out)
{
    uint64_t executed = 0, traced = 0;

    for (size_t i = 0; i < s->n_functions; i++) {
        const struct etm_cli_function *f = &s->functions[i];

        if (i < LONGEST) {
            const char *name = f->name ? f->name : "(no name)";
            size_t n = strlen(name);

            etm_cli_put(out, "    ", 4);
            etm_cli_put_plain(out, name, n);
            etm_cli_print(out, "%*s %10" PRIu64 " of %10" PRIu64 "\n",
                          n < 24 ? 24 - (int)n : 0, "", f->traced, f->executed);
            continue;
        }
        executed += f->executed;
        traced += f->traced;
    }
    if (s->n_functions > LONGEST)
        etm_cli_print(out, "    %-24s %10" PRIu64 " of %10" PRIu64 "\n",
                      "(all others)", traced, executed);
}

/* Whether one of its events is set to something that can happen. */
static bool has_sequencer(const struct etm_cli_simulation *s)
{
    uint32_t first = etm_register_number("ETMSQ12EVR"), event;
    char words[256];

    for (uint32_t i = 0; i < 6; i++)
        if (etm_setup_get(&s->setup, first + i, &event) == ETM_OK &&
            strcmp(etm_event_words(event, words, sizeof words), "never") != 0)
            return true;
    return false;
}

static void state_text(const struct etm_cli_simulation *s,
                       struct etm_cli_output *out)
{
    uint32_t value;

    for (unsigned i = 1; i <= 4; i++) {
        char name[16];

        (void)snprintf(name, sizeof name, "ETMCNTVR%u", i);
        if (state_of(s, name, &value) &&
            etm_setup_get(&s->setup, etm_register_number(name) - 0xc,
                          &(uint32_t){0}) == ETM_OK)
            say(out, "Counter %u ended at %u.", i, (unsigned)value);
    }
    if (has_sequencer(s) && state_of(s, "ETMSQR", &value))
        say(out, "The sequencer ended in state %u.", (unsigned)(value & 3) + 1);
    for (unsigned i = 0; i < 4; i++)
        if (s->out_rises[i] != 0)
            say(out, "External output %u became active %" PRIu64 " time%s.",
                i + 1, s->out_rises[i], etm_cli_plural(s->out_rises[i]));
}

void etm_cli_summary_text(const struct etm_cli_simulation *s,
                          struct etm_cli_output *out)
{
    const struct etm_run_result *r = &s->result;
    char place[256], fault[ETM_CLI_FAULT];

    if (s->n_functions > 1)
        qsort(s->functions, s->n_functions, sizeof *s->functions, longer);
    etm_cli_print(out, "\nsimulation\n");
    say(out,
        "Executed: %" PRIu64 " instruction%s, %" PRIu64
        " transfer%s and %" PRIu64 " exception%s in %" PRIu64 " cycle%s; %s.",
        s->executed, etm_cli_plural(s->executed), r->transfers,
        etm_cli_plural(r->transfers), r->exceptions,
        etm_cli_plural(r->exceptions), r->cycles, etm_cli_plural(r->cycles),
        etm_run_end_text((enum etm_run_end)r->end));
    if (r->end != ETM_RUN_END_EXIT && etm_cli_fault_text(r, fault)[0] != '\0')
        say(out, "The last fault: %s.", fault);
    say(out,
        "Traced: %" PRIu64 " instruction%s (%u%%) and %" PRIu64
        " transfer%s, in %" PRIu64 " byte%s.",
        s->traced, etm_cli_plural(s->traced), percent(s->traced, s->executed),
        s->traced_data, etm_cli_plural(s->traced_data), s->bytes,
        etm_cli_plural(s->bytes));
    if (s->lost != 0)
        say(out, "Of these, %" PRIu64 " byte%s could not be used.", s->lost,
            etm_cli_plural(s->lost));
    if (s->overflows != 0)
        say(out, "The FIFO overflowed %" PRIu64 " time%s.", s->overflows,
            etm_cli_plural(s->overflows));
    else
        say(out, "The FIFO did not overflow.");
    place_text(s, s->trigger_place, place, sizeof place);
    if (s->triggered)
        say(out,
            "The trigger came in cycle %" PRIu64
            ", near the instruction at %s.",
            s->trigger_cycle, place);
    else
        say(out, "There was no trigger.");
    state_text(s, out);
    say(out, "Instructions traced, of those executed:");
    functions_text(s, out);
}

void etm_cli_summary_jsonl(const struct etm_cli_simulation *s,
                           struct etm_cli_output *out)
{
    const struct etm_run_result *r = &s->result;
    bool sequencer;
    unsigned counters = counters_of(s, &sequencer);
    uint32_t value;

    etm_cli_print(
        out,
        "{\"k\":\"simulation\",\"executed\":%" PRIu64 ",\"transfers\":%" PRIu64
        ",\"exceptions\":%" PRIu64 ",\"cycles\":%" PRIu64 ",\"traced\":%" PRIu64
        ",\"traced_transfers\":%" PRIu64 ",\"bytes\":%" PRIu64
        ",\"lost\":%" PRIu64 ",\"overflows\":%" PRIu64 ",\"ended\":\"%s\"}\n",
        s->executed, r->transfers, r->exceptions, r->cycles, s->traced,
        s->traced_data, s->bytes, s->lost, s->overflows,
        etm_run_end_text((enum etm_run_end)r->end));
    if (s->triggered)
        etm_cli_print(
            out,
            "{\"k\":\"trigger\",\"addr\":\"0x%08x\",\"cycle\":%" PRIu64 "}\n",
            (unsigned)s->trigger_place, s->trigger_cycle);
    for (unsigned i = 1; i <= counters; i++) {
        char name[16];

        (void)snprintf(name, sizeof name, "ETMCNTVR%u", i);
        if (state_of(s, name, &value))
            etm_cli_print(
                out, "{\"k\":\"ended\",\"register\":\"%s\",\"value\":%u}\n",
                name, (unsigned)value);
    }
    if (sequencer && state_of(s, "ETMSQR", &value))
        etm_cli_print(out,
                      "{\"k\":\"ended\",\"register\":\"ETMSQR\",\"value\":%u}"
                      "\n",
                      (unsigned)value);
    for (size_t i = 0; i < s->n_functions; i++) {
        const struct etm_cli_function *f = &s->functions[i];
        char name[512];

        etm_cli_print(out,
                      "{\"k\":\"function\",\"addr\":\"0x%08x\",\"name\":%s,"
                      "\"executed\":%" PRIu64 ",\"traced\":%" PRIu64 "}\n",
                      (unsigned)f->address,
                      f->name ? etm_json_string(f->name, name, sizeof name)
                              : "null",
                      f->executed, f->traced);
    }
}
