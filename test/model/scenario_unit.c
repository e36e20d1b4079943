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

#define F(field) FIELD(etm_macrocell_config, field)
static const struct field macrocell_fields[] = {
    F(ccr),
    F(ccer),
    F(scr),
    F(idr),
    F(idr2),
    F(interfaces),
    F(data_features),
    F(no_data_suppression),
    F(no_cycle_accurate),
    F(no_branch_broadcast),
    F(no_context_id),
    F(no_cprt),
    F(no_write_disable),
    F(no_os_lock),
    F(no_secure_status),
    F(secure_elsewhere),
    F(power_down_drops_writes),
    F(single_power_domain),
    F(no_sticky),
    F(port_sizes),
    F(port_modes),
    F(fifo_size),
    F(fifo_level_ignored),
    F(sync_fixed),
    F(sync_low_bits),
    F(asic_bits),
    F(implementation),
    F(part),
    F(modified),
    F(devid),
    F(unknown_seed),
    NO_FIELD,
};
#undef F

#define F(field) FIELD(etm_macrocell_output, field)
static const struct field output_fields[] = {
    FIELD_AS("output_fifo_size", etm_macrocell_output, fifo_size),
    F(drain_bits),
    F(drain_cycles),
    F(stall_after),
    F(access_cycles),
    F(timestamp_cycles),
    F(late_events),
    F(trace_waits),
    NO_FIELD,
};
#undef F

#define F(field) FIELD(etm_generator_config, field)
static const struct field generator_fields[] = {
    F(packing),
    F(return_stack_size),
    F(deprecated_exceptions),
    F(separate_cycle_count),
    F(cancelled_as_failed),
    F(no_debug_entry),
    F(full_addresses),
    F(fold_branches),
    F(fifo_size),
    F(spread_sync),
    F(branch_before_data),
    F(data_only_addresses),
    NO_FIELD,
};
#undef F

#define F(field) FIELD(etm_resources_config, field)
static const struct field resource_fields[] = {
    F(split),
    F(no_fetch),
    F(exact_ranges_fire),
    F(ranges_follow_data),
    F(no_view_data),
    F(no_timestamps),
    F(outputs_low_disabled),
    F(late_events),
    F(security),
    F(virtualization),
    F(no_cprt),
    NO_FIELD,
};
#undef F

#define F(field) FIELD(etm_resource_counts, field)
static const struct field count_fields[] = {
    F(sac_pairs),
    F(dvcs),
    F(mmds),
    F(counters),
    F(ext_in),
    F(ext_out),
    F(cidcs),
    F(extsels),
    F(ext_ext_in),
    F(instrumentation),
    F(eices),
    F(sequencer),
    F(start_stop),
    F(start_stop_eice),
    F(eice_behavior),
    F(no_data_address),
    F(reduced_counter),
    NO_FIELD,
};
#undef F

/* "name" or "name=NUMBER", decimal or 0x... */
static bool option(struct unit *u, const char *word)
{
    bool resources = u->kind == UNIT_RESOURCES;
    bool generator = u->kind == UNIT_GENERATOR;
    const struct {
        const struct field *fields;
        void *of;
        bool has;
    } parts[] = {{config_fields, &u->trace, !resources},
                 {macrocell_fields, &u->config, !resources && !generator},
                 {output_fields, &u->output, !resources},
                 {generator_fields, &u->generator, !resources},
                 {resource_fields, &u->resources.config, resources},
                 {count_fields, &u->resources.config.counts, resources}};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].has && field_set(parts[i].fields, parts[i].of, word, 0))
            return true;
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

static int unit_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct scenario_text *t = &((struct unit *)context)->bytes;

    for (size_t i = 0; i < n; i++) {
        text_add(t, "%c", bytes[i]);
        t->text[t->n] = 0;
    }
    return ETM_OK;
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
