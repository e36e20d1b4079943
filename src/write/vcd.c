/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of a trace port as a value change dump (include/etm/write.h). */
#include "base/diag.h"
#include "base/size.h"
#include "port/pins.h"
#include "write/out.h"

#define SIGNALS 20u /* of one connector; see pins_clock.c */
#define VARIABLES (2u * SIGNALS)
#define HALF 5u /* from a change of the pins to the edge of TRACECLK, in ns */

/* Samples taken together: bounds what is reserved ahead. */
#define SAMPLES_AT_ONCE 1024u

/* A bus among the pins: bit 0 is pin `first`, bit b is pin `rest` + b. */
struct variable {
    const char *name;
    uint8_t bits, first, rest;
    int8_t number; /* of a bit that stands alone; -1: it is a bus */
};

struct etm_vcd_writer {
    struct etm_out out;
    struct etm_port_clock clock;
    struct etm_vec edges; /* struct etm_port_edge */
    struct variable variables[VARIABLES];
    unsigned n_variables;
    uint64_t time; /* of the last edge, in ns */
    uint64_t pins;
    bool single; /* no buses */
    bool begun;  /* `pins` were written */
    bool finished;
};

static void add(struct etm_vcd_writer *w, const char *name, unsigned bits,
                unsigned first, unsigned rest)
{
    struct variable v = {name, (uint8_t)bits, (uint8_t)first, (uint8_t)rest,
                         -1};

    if (!w->single || bits == 1) {
        w->variables[w->n_variables++] = v;
        return;
    }
    v.bits = 1;
    for (unsigned bit = 0; bit < bits; bit++) {
        v.first = v.rest = (uint8_t)(bit == 0 ? first : rest + bit);
        v.number = (int8_t)bit;
        w->variables[w->n_variables++] = v;
    }
}

static void add_pin(struct etm_vcd_writer *w, const char *name, unsigned pin)
{
    add(w, name, 1, pin, pin);
}

/* The numbers of pins are those of struct etm_port_edge. */
static void add_variables(struct etm_vcd_writer *w)
{
    const struct etm_port_config *c = &w->clock.config;
    bool v1 = c->protocol == ETM_PROTOCOL_ETMV1;
    unsigned status = v1 ? 3 : 4;

    if (etm_port_is_stream(c)) {
        add_pin(w, "TRACECTL", 1);
        add(w, "TRACEDATA", c->width, 0, 4);
        return;
    }
    switch (c->mode) {
    case ETM_PORT_NORMAL:
        add(w, "PIPESTAT", status, 0, 0);
        if (v1)
            add_pin(w, "TRACESYNC", 3);
        add(w, "TRACEPKT", c->width, 4, 4);
        break;
    case ETM_PORT_MULTIPLEXED:
        /* two signals a pin: status and four, eight or sixteen packets */
        add(w, "PINS", 2u + c->width / 2u, 0, 0);
        break;
    case ETM_PORT_DEMULTIPLEXED:
        add(w, "PIPESTATA", status, 0, 0);
        if (v1)
            add_pin(w, "TRACESYNCA", 3);
        add(w, "TRACEPKTA", c->width, 4, 4);
        add(w, "PIPESTATB", status, SIGNALS, SIGNALS);
        if (v1)
            add_pin(w, "TRACESYNCB", SIGNALS + 3);
        add(w, "TRACEPKTB", c->width, SIGNALS + 4, SIGNALS + 4);
        break;
    }
}

/* Identifiers are one character each; that of TRACECLK comes first. */
static char identifier(unsigned variable)
{
    return (char)('"' + variable);
}
#define CLOCK_IDENTIFIER '!'

static void put_variable(struct etm_out *out, const struct variable *v, char id)
{
    ETM_OUT(out, "$var wire ");
    etm_out_decimal(out, v->bits);
    etm_out_char(out, ' ');
    etm_out_char(out, id);
    etm_out_char(out, ' ');
    etm_out_word(out, v->name);
    if (v->number >= 0)
        etm_out_decimal(out, (uint64_t)v->number);
    if (v->bits > 1) {
        ETM_OUT(out, " [");
        etm_out_decimal(out, v->bits - 1u);
        ETM_OUT(out, ":0]");
    }
    ETM_OUT(out, " $end\n");
    etm_out_line(out);
}

static void put_header(struct etm_vcd_writer *w, const char *scope)
{
    static const struct variable clock = {"TRACECLK", 1, 0, 0, -1};
    struct etm_out *out = &w->out;

    etm_out_line(out);
    ETM_OUT(out, "$comment pins of a trace port; the times are not those of "
                 "the processor $end\n"
                 "$timescale 1 ns $end\n"
                 "$scope module ");
    etm_out_text(out, scope);
    ETM_OUT(out, " $end\n");
    put_variable(out, &clock, CLOCK_IDENTIFIER);
    for (unsigned i = 0; i < w->n_variables; i++)
        put_variable(out, &w->variables[i], identifier(i));
    ETM_OUT(out, "$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n0!\n");
    for (unsigned i = 0; i < w->n_variables; i++) {
        if (w->variables[i].bits > 1)
            ETM_OUT(out, "bx ");
        else
            etm_out_char(out, 'x');
        etm_out_char(out, identifier(i));
        etm_out_char(out, '\n');
    }
    ETM_OUT(out, "$end\n");
    etm_out_line(out);
}

static void put_time(struct etm_out *out, uint64_t time)
{
    etm_out_char(out, '#');
    etm_out_decimal(out, time);
    etm_out_char(out, '\n');
}

static uint64_t value_of(const struct variable *v, uint64_t pins)
{
    uint64_t ones = (UINT64_C(1) << (v->bits - 1)) - 1;

    return (pins >> v->first & 1) | (pins >> (v->rest + 1) & ones) << 1;
}

static void put_pins(struct etm_vcd_writer *w, uint64_t pins)
{
    struct etm_out *out = &w->out;

    for (unsigned i = 0; i < w->n_variables; i++) {
        const struct variable *v = &w->variables[i];
        uint64_t value = value_of(v, pins);

        if (w->begun && value == value_of(v, w->pins))
            continue;
        if (v->bits > 1)
            etm_out_char(out, 'b');
        for (unsigned bit = v->bits; bit-- > 0;)
            etm_out_char(out, (char)('0' + (value >> bit & 1)));
        if (v->bits > 1)
            etm_out_char(out, ' ');
        etm_out_char(out, identifier(i));
        etm_out_char(out, '\n');
    }
    w->pins = pins;
    w->begun = true;
}

static void put_edges(struct etm_vcd_writer *w)
{
    const struct etm_port_edge *edges = w->edges.data;

    for (size_t i = 0; i < w->edges.n; i++) {
        if (!w->begun || edges[i].pins != w->pins) {
            put_time(&w->out, w->time + HALF);
            put_pins(w, edges[i].pins);
        }
        w->time += UINT64_C(2) * HALF;
        put_time(&w->out, w->time);
        etm_out_char(&w->out, edges[i].rising ? '1' : '0');
        etm_out_char(&w->out, CLOCK_IDENTIFIER);
        etm_out_char(&w->out, '\n');
        etm_out_line(&w->out);
    }
    w->edges.n = 0;
}

int etm_vcd_writer_new(struct etm_vcd_writer **writer,
                       const struct etm_vcd_writer_config *config,
                       struct etm_diag *diag)
{
    struct etm_vcd_writer_config own;
    struct etm_allocator allocator;
    struct etm_port_clock clock;
    struct etm_vcd_writer *w;
    int status;

    if (writer)
        *writer = NULL;
    status = ETM_TAKE(etm_vcd_writer_config, &own, config, diag);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (!writer || !config->write || !config->port)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, NULL,
                            "the writer, its output or its port is NULL");
    status = etm_port_clock_init(&clock, config->port, diag);
    if (status != ETM_OK)
        return status;
    allocator = etm_allocator_or_default(config->allocator);
    w = etm_alloc_zero(&allocator, sizeof *w);
    if (!w)
        return etm_diag_say(diag, ETM_ERR_MEMORY, NULL,
                            etm_status_text(ETM_ERR_MEMORY));
    w->clock = clock;
    w->single = config->single;
    w->out.allocator = allocator;
    etm_vec_init(&w->edges, sizeof(struct etm_port_edge), &allocator);
    status = etm_out_init(&w->out, config->write, config->context, &allocator);
    if (status != ETM_OK) {
        etm_vcd_writer_free(w);
        return etm_diag_say(diag, status, NULL, etm_status_text(status));
    }
    add_variables(w);
    put_header(w, config->scope ? config->scope : "etm");
    *writer = w;
    return ETM_OK;
}

int etm_vcd_writer_push(struct etm_vcd_writer *w,
                        const struct etm_port_sample *samples, size_t n)
{
    if (!samples && n > 0)
        return ETM_ERR_ARGUMENT;
    while (n > 0 && w->out.status == ETM_OK) {
        size_t piece = n < SAMPLES_AT_ONCE ? n : SAMPLES_AT_ONCE;

        if (etm_port_clock_drive(&w->clock, samples, piece, &w->edges) !=
            ETM_OK) {
            w->out.status = ETM_ERR_MEMORY;
            break;
        }
        put_edges(w);
        samples += piece;
        n -= piece;
    }
    return w->out.status;
}

int etm_vcd_writer_finish(struct etm_vcd_writer *w)
{
    if (w->finished || w->out.status != ETM_OK)
        return w->out.status;
    w->finished = true;
    if (etm_port_clock_finish(&w->clock, &w->edges) != ETM_OK) {
        w->out.status = ETM_ERR_MEMORY;
        return ETM_ERR_MEMORY;
    }
    put_edges(w);
    /* so that a viewer shows the last edge */
    put_time(&w->out, w->time + UINT64_C(2) * HALF);
    return etm_out_flush(&w->out);
}

void etm_vcd_writer_free(struct etm_vcd_writer *w)
{
    struct etm_allocator allocator;

    if (!w)
        return;
    allocator = w->out.allocator;
    etm_vec_fini(&w->edges);
    etm_out_fini(&w->out);
    etm_alloc_free(&allocator, w);
}
