/* SPDX-License-Identifier: Apache-2.0 */
/* What a scenario is about: a macrocell, its registers alone, or a generator of
 * trace. */
#include "full.h"
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PACKETS 20000u

/* ---- Options ------------------------------------------------------------- */

enum part { TRACE, CONFIG, OUTPUT, GENERATOR, RESOURCES, COUNTS };

static const struct {
    const char *name;
    enum part part;
    size_t offset, size;
} options[] = {
#define OPTION(part, type, field)                                              \
    {                                                                          \
#field, part, offsetof(struct type, field),                            \
            sizeof(((struct type *)0)->field)                                  \
    }
    OPTION(TRACE, etm_config, cycle_accurate),
    OPTION(TRACE, etm_config, context_id_bytes),
    OPTION(TRACE, etm_config, data_value),
    OPTION(TRACE, etm_config, data_address),
    OPTION(TRACE, etm_config, cprt),
    OPTION(TRACE, etm_config, cprt_filter),
    OPTION(TRACE, etm_config, data_only),
    OPTION(TRACE, etm_config, branch_broadcast),
    OPTION(TRACE, etm_config, timestamps),
    OPTION(TRACE, etm_config, return_stack),
    OPTION(TRACE, etm_config, vmid),
    OPTION(TRACE, etm_config, pc_first),
    OPTION(TRACE, etm_config, thumb32_split),
    OPTION(TRACE, etm_config, security),
    OPTION(TRACE, etm_config, alternative_branches),
    OPTION(TRACE, etm_config, return_stack_implemented),
    OPTION(TRACE, etm_config, barriers_are_waypoints),
    OPTION(TRACE, etm_config, virtualization),
    OPTION(TRACE, etm_config, timestamp_binary),
    OPTION(TRACE, etm_config, timestamp_64bit),
    OPTION(TRACE, etm_config, sync_period),
    OPTION(TRACE, etm_config, port_width),
    OPTION(TRACE, etm_config, high_vectors),
    OPTION(TRACE, etm_config, endian),
    OPTION(CONFIG, etm_macrocell_config, ccr),
    OPTION(CONFIG, etm_macrocell_config, ccer),
    OPTION(CONFIG, etm_macrocell_config, scr),
    OPTION(CONFIG, etm_macrocell_config, idr),
    OPTION(CONFIG, etm_macrocell_config, idr2),
    OPTION(CONFIG, etm_macrocell_config, interfaces),
    OPTION(CONFIG, etm_macrocell_config, data_features),
    OPTION(CONFIG, etm_macrocell_config, no_data_suppression),
    OPTION(CONFIG, etm_macrocell_config, no_cycle_accurate),
    OPTION(CONFIG, etm_macrocell_config, no_branch_broadcast),
    OPTION(CONFIG, etm_macrocell_config, no_context_id),
    OPTION(CONFIG, etm_macrocell_config, no_cprt),
    OPTION(CONFIG, etm_macrocell_config, no_write_disable),
    OPTION(CONFIG, etm_macrocell_config, no_os_lock),
    OPTION(CONFIG, etm_macrocell_config, no_secure_status),
    OPTION(CONFIG, etm_macrocell_config, secure_elsewhere),
    OPTION(CONFIG, etm_macrocell_config, power_down_drops_writes),
    OPTION(CONFIG, etm_macrocell_config, single_power_domain),
    OPTION(CONFIG, etm_macrocell_config, no_sticky),
    OPTION(CONFIG, etm_macrocell_config, port_sizes),
    OPTION(CONFIG, etm_macrocell_config, port_modes),
    OPTION(CONFIG, etm_macrocell_config, fifo_size),
    OPTION(CONFIG, etm_macrocell_config, fifo_level_ignored),
    OPTION(CONFIG, etm_macrocell_config, sync_fixed),
    OPTION(CONFIG, etm_macrocell_config, sync_low_bits),
    OPTION(CONFIG, etm_macrocell_config, asic_bits),
    OPTION(CONFIG, etm_macrocell_config, implementation),
    OPTION(CONFIG, etm_macrocell_config, part),
    OPTION(CONFIG, etm_macrocell_config, modified),
    OPTION(CONFIG, etm_macrocell_config, devid),
    OPTION(CONFIG, etm_macrocell_config, unknown_seed),
    {"output_fifo_size", OUTPUT,
     offsetof(struct etm_macrocell_output, fifo_size), sizeof(uint64_t)},
    OPTION(OUTPUT, etm_macrocell_output, drain_bits),
    OPTION(OUTPUT, etm_macrocell_output, drain_cycles),
    OPTION(OUTPUT, etm_macrocell_output, stall_after),
    OPTION(OUTPUT, etm_macrocell_output, access_cycles),
    OPTION(OUTPUT, etm_macrocell_output, timestamp_cycles),
    OPTION(OUTPUT, etm_macrocell_output, late_events),
    OPTION(OUTPUT, etm_macrocell_output, trace_waits),
    OPTION(GENERATOR, etm_generator_config, packing),
    OPTION(GENERATOR, etm_generator_config, return_stack_size),
    OPTION(GENERATOR, etm_generator_config, deprecated_exceptions),
    OPTION(GENERATOR, etm_generator_config, separate_cycle_count),
    OPTION(GENERATOR, etm_generator_config, cancelled_as_failed),
    OPTION(GENERATOR, etm_generator_config, no_debug_entry),
    OPTION(GENERATOR, etm_generator_config, full_addresses),
    OPTION(GENERATOR, etm_generator_config, fold_branches),
    OPTION(GENERATOR, etm_generator_config, fifo_size),
    OPTION(GENERATOR, etm_generator_config, spread_sync),
    OPTION(GENERATOR, etm_generator_config, branch_before_data),
    OPTION(GENERATOR, etm_generator_config, data_only_addresses),
    OPTION(RESOURCES, etm_resources_config, split),
    OPTION(RESOURCES, etm_resources_config, no_fetch),
    OPTION(RESOURCES, etm_resources_config, exact_ranges_fire),
    OPTION(RESOURCES, etm_resources_config, ranges_follow_data),
    OPTION(RESOURCES, etm_resources_config, no_view_data),
    OPTION(RESOURCES, etm_resources_config, no_timestamps),
    OPTION(RESOURCES, etm_resources_config, outputs_low_disabled),
    OPTION(RESOURCES, etm_resources_config, late_events),
    OPTION(RESOURCES, etm_resources_config, security),
    OPTION(RESOURCES, etm_resources_config, virtualization),
    OPTION(RESOURCES, etm_resources_config, no_cprt),
    OPTION(COUNTS, etm_resource_counts, sac_pairs),
    OPTION(COUNTS, etm_resource_counts, dvcs),
    OPTION(COUNTS, etm_resource_counts, mmds),
    OPTION(COUNTS, etm_resource_counts, counters),
    OPTION(COUNTS, etm_resource_counts, ext_in),
    OPTION(COUNTS, etm_resource_counts, ext_out),
    OPTION(COUNTS, etm_resource_counts, cidcs),
    OPTION(COUNTS, etm_resource_counts, extsels),
    OPTION(COUNTS, etm_resource_counts, ext_ext_in),
    OPTION(COUNTS, etm_resource_counts, instrumentation),
    OPTION(COUNTS, etm_resource_counts, eices),
    OPTION(COUNTS, etm_resource_counts, sequencer),
    OPTION(COUNTS, etm_resource_counts, start_stop),
    OPTION(COUNTS, etm_resource_counts, start_stop_eice),
    OPTION(COUNTS, etm_resource_counts, eice_behavior),
    OPTION(COUNTS, etm_resource_counts, no_data_address),
    OPTION(COUNTS, etm_resource_counts, reduced_counter),
};

/* "name" or "name=NUMBER", decimal or 0x... */
static bool option(struct unit *u, const char *word)
{
    void *const parts[] = {
        &u->trace,     &u->config,           &u->output,
        &u->generator, &u->resources.config, &u->resources.config.counts};
    size_t n = strcspn(word, "=");
    uint64_t value = word[n] == '=' ? strtoull(word + n + 1, NULL, 0) : 1;

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char *at = (char *)parts[options[i].part] + options[i].offset;
        if (strlen(options[i].name) != n ||
            strncmp(word, options[i].name, n) != 0 ||
            (options[i].part == CONFIG && u->kind == UNIT_GENERATOR) ||
            (options[i].part >= RESOURCES) != (u->kind == UNIT_RESOURCES))
            continue;
        if (options[i].size == 1)
            *(uint8_t *)at = (uint8_t)value;
        else if (options[i].size == 2)
            *(uint16_t *)at = (uint16_t)value;
        else if (options[i].size == 4)
            *(uint32_t *)at = (uint32_t)value;
        else
            *(uint64_t *)at = value;
        return true;
    }
    return false;
}

/* "etmv3.4", "pft1.1" */
static bool protocol(struct etm_config *trace, const char *word)
{
    static const enum etm_protocol all[] = {
        ETM_PROTOCOL_ETMV1, ETM_PROTOCOL_ETMV2, ETM_PROTOCOL_ETMV3,
        ETM_PROTOCOL_PFT};

    *trace = (struct etm_config){.size = sizeof *trace};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *name = etm_protocol_name(all[i]);
        const char *rest = word + strlen(name);
        if (strncmp(word, name, strlen(name)) != 0)
            continue;
        if (all[i] == ETM_PROTOCOL_PFT && *rest++ != '1')
            return false;
        trace->protocol = all[i];
        trace->minor = (uint8_t)(rest[0] != 0 ? rest[1] - '0' : 0);
        return rest[0] == '.' && rest[1] >= '0' && rest[1] <= '9' &&
               rest[2] == 0;
    }
    return false;
}

/* ---- Output -------------------------------------------------------------- */

static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct scenario_text *t = context;

    for (size_t i = 0; i < n; i++) {
        text_add(t, "%c", bytes[i]);
        t->text[t->n] = 0;
    }
    return ETM_OK;
}

static int unit_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct unit *u = context;

    return take_bytes(&u->bytes, bytes, n);
}

static int unit_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    struct unit *u = context;

    if (u->packets == NULL)
        u->packets = malloc(PACKETS * sizeof *u->packets);
    for (size_t i = 0; i < n && u->n_packets < PACKETS; i++)
        u->packets[u->n_packets++] = packets[i];
    return ETM_OK;
}

static int unit_signals(void *context, const struct etm_macrocell_signals *s)
{
    struct unit *u = context;

    text_add(&u->signals, " %llu:", (unsigned long long)s->cycle);
    signals_text(&u->signals, s);
    if (u->outputs.n == 0 || u->output_now != s->ext_out)
        text_add(&u->outputs, " %x", (unsigned)s->ext_out);
    u->output_now = s->ext_out;
    u->overflows += s->overflow && !u->overflow_now;
    u->overflow_now = s->overflow;
    u->ever.ext_out |= s->ext_out;
    u->ever.trace_enable |= s->trace_enable;
    u->ever.trigger |= s->trigger;
    u->ever.fifofull |= s->fifofull;
    u->ever.suppress_data |= s->suppress_data;
    u->ever.debug_request |= s->debug_request;
    u->ever.overflow |= s->overflow;
    return ETM_OK;
}

/* ---- The unit ------------------------------------------------------------ */

static bool pft(const struct unit *u)
{
    return u->trace.protocol == ETM_PROTOCOL_PFT;
}

static bool since(const struct unit *u, unsigned minor)
{
    return pft(u) ||
           (u->trace.protocol == ETM_PROTOCOL_ETMV3 && u->trace.minor >= minor);
}

static void defaults(struct unit *u)
{
    cell_full(&u->config, &u->trace);
    if (u->kind == UNIT_REGISTERS) {
        bool one_0 = pft(u) && u->trace.minor == 0;
        u->config.scr = since(u, 0) ? 0x7104 : 0x1fa;
        u->config.fifo_size = 0;
        u->trace.security = since(u, 2);
        u->trace.virtualization = since(u, 5) && !one_0;
        u->trace.return_stack_implemented = pft(u);
    }
    u->side = since(u, 2) ? ETM_ACCESS_DEBUGGER : ETM_ACCESS_JTAG;
    u->output.size = sizeof u->output;
    u->output.bytes = unit_bytes;
    u->output.packets = u->no_packets ? NULL : unit_packets;
    u->output.signals = unit_signals;
    u->output.context = u;
    u->output.generator = &u->generator;
    u->generator.size = sizeof u->generator;
    u->generator.config = &u->trace;
}

static void poke(struct unit *u, uint32_t number, uint32_t value)
{
    (void)etm_macrocell_write(u->m, number, u->side, value);
}

static uint32_t peek(struct unit *u, uint32_t number)
{
    uint32_t value;

    (void)etm_macrocell_read(u->m, number, u->side, &value);
    return value;
}

void unit_program(struct unit *u)
{
    unit_flush(u);
    poke(u, ETM_REG_CR,
         (peek(u, ETM_REG_CR) | ETM_CR_PROGRAMMING) &
             ~(uint32_t)ETM_CR_POWER_DOWN);
    for (unsigned i = 0; i < 100000; i++)
        if ((peek(u, ETM_REG_SR) & ETM_SR_PROGRAMMING) != 0)
            break;
}

void unit_run(struct unit *u, uint32_t control)
{
    unit_flush(u);
    poke(u, ETM_REG_CR, control | ETM_CR_PROGRAMMING);
    poke(u, ETM_REG_CR, control & ~(uint32_t)ETM_CR_PROGRAMMING);
    (void)peek(u, ETM_REG_SR);
}

/* 3.8.2: the OS lock is set, and ETMOSSRR gives the number of words, then these
 * words; or it takes them. */
void unit_save(struct unit *u)
{
    poke(u, ETM_REG_OSLAR, 0xc5acce55);
    u->n_saved = peek(u, ETM_REG_OSSRR);
    for (uint32_t i = 0; i < u->n_saved && i < UNIT_SAVED; i++)
        u->saved[i] = peek(u, ETM_REG_OSSRR);
}

void unit_restore(struct unit *u)
{
    poke(u, ETM_REG_OSLAR, 0xc5acce55);
    (void)peek(u, ETM_REG_OSSRR);
    for (uint32_t i = 0; i < u->n_saved && i < UNIT_SAVED; i++)
        poke(u, ETM_REG_OSSRR, u->saved[i]);
    poke(u, ETM_REG_OSLAR, 0);
}

static void poke_unit(void *context, uint32_t number, uint32_t value)
{
    poke(context, number, value);
}

void unit_clear(struct unit *u)
{
    cell_clear(&u->trace, poke_unit, u);
    if (u->trace.sync_period != 0)
        poke(u, ETM_REG_SYNCFR, u->trace.sync_period);
}

uint32_t unit_control(const struct unit *u)
{
    return cell_control(&u->trace);
}

void unit_connect(struct unit *u)
{
    u->status = etm_macrocell_connect(u->m, &u->output);
}

static void make(struct unit *u)
{
    static const struct etm_macrocell_pins open = {
        .dbgen = true, .niden = true, .spiden = true, .spniden = true};
    const struct etm_allocator allocator = {faulty_resize, &u->memory};

    u->config.allocator = u->generator.allocator = &allocator;
    if (u->kind == UNIT_GENERATOR) {
        u->generator.bytes = unit_bytes;
        u->generator.packets = u->no_packets ? NULL : unit_packets;
        u->generator.context = u;
        u->status = etm_generator_new(&u->g, &u->generator);
        return;
    }
    u->status = etm_macrocell_new(&u->m, &u->config, &u->diag);
    u->generator.allocator = NULL;
    if (u->status != ETM_OK || u->kind == UNIT_REGISTERS)
        return;
    etm_macrocell_set_pins(u->m, &open);
    if (!u->unconnected)
        unit_connect(u);
    if (u->status != ETM_OK || u->blank)
        return;
    unit_program(u);
    unit_clear(u);
}

const char *unit_begin(struct unit *u, const struct words *w)
{
    unit_end(u);
    u->kind = strcmp(w->word[0], "macrocell") == 0   ? UNIT_MACROCELL
              : strcmp(w->word[0], "registers") == 0 ? UNIT_REGISTERS
              : strcmp(w->word[0], "resources") == 0 ? UNIT_RESOURCES
                                                     : UNIT_GENERATOR;
    if (w->n < 2 || !protocol(&u->trace, w->word[1]))
        return w->word[w->n < 2 ? 0 : 1];
    defaults(u);
    if (u->kind == UNIT_RESOURCES)
        resources_begin(u);
    for (unsigned i = 2; i < w->n; i++)
        if (strcmp(w->word[i], "data") == 0)
            u->trace.data_value = u->trace.data_address = true;
        else if (strcmp(w->word[i], "blank") == 0)
            u->blank = true;
        else if (strcmp(w->word[i], "unconnected") == 0)
            u->unconnected = true;
        else if (strcmp(w->word[i], "profile=m") == 0)
            u->trace.profile = ETM_PROFILE_M;
        else if (!option(u, w->word[i]))
            return w->word[i];
    if (u->kind != UNIT_RESOURCES)
        make(u);
    return NULL;
}

void unit_end(struct unit *u)
{
    struct faulty memory = u->memory;
    bool at_once = u->at_once, no_packets = u->no_packets;

    etm_macrocell_free(u->m);
    etm_generator_free(u->g);
    free(u->bytes.text);
    free(u->signals.text);
    free(u->outputs.text);
    free(u->told.text);
    free(u->packets);
    memory.live = u->memory.live;
    memset(u, 0, sizeof *u);
    u->memory = memory;
    u->at_once = at_once;
    u->no_packets = no_packets;
}

uint64_t unit_sum(const struct unit *u)
{
    const struct scenario_text *const texts[] = {&u->bytes, &u->signals};
    uint64_t sum = 0;

    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i <= texts[k]->n && texts[k]->n != 0; i++)
            sum = (sum ^ (uint8_t)texts[k]->text[i]) * 0x100000001b3u;
    return sum;
}

void unit_flush(struct unit *u)
{
    int status = ETM_OK;

    if (u->n_held == 0)
        return;
    if (u->m != NULL)
        status = etm_macrocell_run(u->m, u->held, u->n_held);
    else if (u->g != NULL)
        status = etm_generator_push(u->g, u->held, u->n_held);
    u->n_held = 0;
    if (u->status == ETM_OK)
        u->status = status;
}

/* An instruction that a decoder will have to know. */
/* The decoder has one image for the whole case: it cannot follow a program
 * that is another one later. */
static void add_code(struct unit *u, const struct etm_event *e)
{
    for (size_t i = 0; i < u->n_code; i++) {
        if (u->code[i].u.insn.address != e->u.insn.address)
            continue;
        if (u->code[i].u.insn.opcode != e->u.insn.opcode)
            u->code_changed = true;
        return;
    }
    if (u->n_code < UNIT_EVENTS)
        u->code[u->n_code++] = *e;
    else
        u->code_changed = true;
}

void unit_code(struct unit *u, const struct etm_event_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->event[i].kind == ETM_EVENT_INSN)
            add_code(u, &list->event[i]);
}

void unit_push(struct unit *u, const struct etm_event_list *list)
{
    unit_code(u, list);
    for (size_t i = 0; i < list->n; i++) {
        u->held[u->n_held++] = list->event[i];
        if (!u->at_once || u->n_held == UNIT_EVENTS)
            unit_flush(u);
    }
}

void unit_finish(struct unit *u)
{
    int status = ETM_OK;

    unit_flush(u);
    if (u->m != NULL) {
        status = etm_macrocell_finish(u->m);
    } else if (u->g != NULL) {
        status = u->status != ETM_OK ? u->status : etm_generator_finish(u->g);
        etm_generator_free(u->g);
        u->g = NULL;
    }
    if (u->status == ETM_OK)
        u->status = status;
}
