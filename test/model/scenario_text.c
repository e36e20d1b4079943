/* SPDX-License-Identifier: Apache-2.0 */
/* What came out of a macrocell, its registers or a generator, as text. */
#include "full.h"
#include "scenario.h"

#include "proto/etmv1.h"

#include <stdlib.h>
#include <string.h>

/* "3+trace+trigger": external outputs, and what else is HIGH. */
void signals_text(struct scenario_text *t,
                  const struct etm_macrocell_signals *s)
{
    text_add(t, "%x%s%s%s%s%s%s", (unsigned)s->ext_out,
             s->trace_enable ? "+trace" : "", s->trigger ? "+trigger" : "",
             s->fifofull ? "+fifofull" : "",
             s->suppress_data ? "+suppress" : "",
             s->debug_request ? "+request" : "", s->overflow ? "+lost" : "");
}

static void bytes_text(const struct scenario_text *bytes, bool async,
                       struct scenario_text *out)
{
    for (size_t i = 0; i < bytes->n; i++) {
        bool whole = async && bytes->n - i >= 6 &&
                     memcmp(bytes->text + i, "\0\0\0\0\0\x80", 6) == 0;
        if (whole)
            text_add(out, " async");
        else
            text_add(out, " %02x", (unsigned)(uint8_t)bytes->text[i]);
        i += whole ? 5 : 0;
    }
}

/* ETMv1: "BE1:80" is a status, TRACESYNC and TRACEPKT; "WT0:00*7", from five
 * on, so many of them. */
static void records_text(const struct unit *u, struct scenario_text *out)
{
    static const char names[8][3] = {"IE", "ID", "IN", "WT",
                                     "BE", "BD", "TR", "TD"};
    size_t size = etm_sample_size(&u->trace);
    const uint8_t *b = (const uint8_t *)u->bytes.text;

    for (size_t i = 0, n; i + size <= u->bytes.n; i += n * size) {
        for (n = 1; i + (n + 1) * size <= u->bytes.n &&
                    memcmp(b + i, b + i + n * size, size) == 0;)
            n++;
        n = n < 5 ? 1 : n;
        text_add(out, " %s%d:%0*x", names[b[i] & 7], b[i] >> 7,
                 u->trace.port_width == 4 ? 1 : 2 * (int)(size - 1),
                 b[i + 1] | (size == 3 ? (unsigned)b[i + 2] << 8 : 0));
        if (n > 1)
            text_add(out, "*%zu", n);
    }
}

/* Atoms in P-headers, and those of table 7-24 in statuses of ETMv2, up to the
 * last instruction: then the FIFO drains. */
static void atoms_text(const struct unit *u, struct scenario_text *out)
{
    static const char *const pipestats[16] = {
        "WE",  "WE",  "WN",  "WN",  "W",   "W",   "",    "",
        "WEE", "WEE", "WEN", "WEN", "WNE", "WNE", "WNN", "WNN"};

    for (size_t i = 0; i < u->n_packets; i++) {
        const struct etm_packet *p = &u->packets[i];

        if (p->kind == ETM_PACKET_PIPESTAT)
            text_add(out, "%s", pipestats[p->value & 15]);
        for (unsigned k = 0; p->kind == ETM_PACKET_P_HEADER && k < p->count;
             k++)
            text_add(out, "%c", "ENW"[p->value >> 2 * k & 3]);
    }
    while (out->n != 0 && out->text[out->n - 1] == 'W')
        out->text[--out->n] = 0;
}

static void data_text(struct scenario_text *t, const struct etm_element *e)
{
    uint64_t value = e->u.data.value_known ? e->u.data.value : 0xbad;

    if (e->u.data.address_known)
        text_add(t, " data:%x=%llx", e->u.data.address,
                 (unsigned long long)value);
    else
        text_add(t, " cprt=0");
}

static void element_text(struct scenario_text *t, const struct etm_element *e)
{
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_TRACE_ON:
        text_add(
            t, " on:%s",
            etm_trace_on_name((enum etm_trace_on_reason)e->u.trace_on.reason));
        return;
    case ETM_ELEMENT_INSN:
        text_add(t, " %x", e->u.insn.address);
        return;
    case ETM_ELEMENT_DATA:
        data_text(t, e);
        return;
    case ETM_ELEMENT_EXCEPTION:
        text_add(
            t, " exc:%s",
            etm_exception_name((enum etm_exception_type)e->u.exception.type));
        return;
    case ETM_ELEMENT_TIMESTAMP:
        text_add(t, " ts:%llx", (unsigned long long)e->u.timestamp.value);
        return;
    case ETM_ELEMENT_TRIGGER:
        text_add(t, " trigger");
        return;
    case ETM_ELEMENT_CYCLES:
        if (e->u.cycles.n == ETM_CYCLES_UNKNOWN)
            text_add(t, " gap:?");
        else
            text_add(t, " gap:%x", (unsigned)e->u.cycles.n);
        return;
    case ETM_ELEMENT_LOST:
        text_add(t, " lost");
        return;
    case ETM_ELEMENT_NO_IMAGE:
        text_add(t, " none:%x", e->u.no_image.address);
        return;
    case ETM_ELEMENT_RANGE:
    case ETM_ELEMENT_CONTEXT:
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_END:
    case ETM_ELEMENT_SOFTWARE: /* of an ITM, from here on */
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        return;
    }
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct unit *u = context;

    for (size_t i = 0; i < n; i++) {
        element_text(&u->told, &elements[i]);
        if (elements[i].kind == ETM_ELEMENT_INSN) {
            u->told_time += u->told_begun ? elements[i].u.insn.cycles : 0;
            u->told_cycles += elements[i].u.insn.cycles;
            u->told_begun = true;
        } else if (elements[i].kind == ETM_ELEMENT_CYCLES && u->told_begun) {
            u->told_time += elements[i].u.cycles.n;
        }
    }
    return ETM_OK;
}

/* What a decoder says, with the code that was executed. */
static bool decode(struct unit *u)
{
    struct etm_config trace = u->trace;
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &trace,
                                        .level = ETM_LEVEL_INSTRUCTIONS,
                                        .elements = take_elements,
                                        .context = u};
    struct etm_decoder *decoder;
    struct etm_image *image;
    bool good = !u->code_changed || wrong("the program has changed");

    if (!good || etm_image_new(&image, NULL) != ETM_OK)
        return false;
    u->told.n = u->told_cycles = u->told_time = 0;
    u->told_begun = false;
    text_add(&u->told, "%s", "");
    config.image = image;
    if (u->m != NULL)
        etm_macrocell_trace_config(u->m, &trace);
    for (size_t i = 0; i < u->n_code && good; i++) {
        const struct etm_event *e = &u->code[i];
        uint8_t code[4];
        cell_code(e, code);
        good = etm_image_add_copy(image, e->u.insn.address, code,
                                  e->u.insn.size, NULL) == ETM_OK;
    }
    good = good && etm_decoder_new(&decoder, &config) == ETM_OK;
    if (good) {
        good = etm_decoder_push(decoder, (const uint8_t *)u->bytes.text,
                                u->bytes.n) == ETM_OK &&
               etm_decoder_finish(decoder) == ETM_OK;
        etm_decoder_free(decoder);
    }
    etm_image_free(image);
    return good;
}

unsigned told_times(const struct unit *u, const char *key, size_t n)
{
    unsigned times = 0;

    for (const char *at = u->told.text; *at != 0;) {
        size_t size;
        bool insn;
        at += strspn(at, " ");
        size = strcspn(at, " ");
        insn = size != 0 && strspn(at, "0123456789abcdef") == size;
        if (insn && n == 4 && strncmp(key, "insn", n) == 0)
            times++;
        else if (insn == (strspn(key, "0123456789abcdef") >= n))
            times += strncmp(at, key, n) == 0;
        at += size;
    }
    return times;
}

/* Kinds in order, "atom*3"; or one field of those of a kind. */
static void packets_text(const struct unit *u, const char *what,
                         const char *kind, struct scenario_text *out)
{
    for (size_t i = 0, n; i < u->n_packets; i += n) {
        const struct etm_packet *p = &u->packets[i];
        const char *name = etm_packet_kind_name((enum etm_packet_kind)p->kind);
        for (n = 1; *kind == 0 && i + n < u->n_packets &&
                    u->packets[i + n].kind == p->kind;)
            n++;
        if (*kind != 0 && strcmp(name, kind) != 0)
            continue;
        if (strcmp(what, "packets") == 0)
            text_add(out, n > 1 ? " %s*%zu" : " %s", name, n);
        else if (strcmp(what, "values") == 0)
            text_add(out, " %llx", (unsigned long long)p->value);
        else if (strcmp(what, "addresses") == 0)
            text_add(out, " %x", p->address);
    }
}

/* Numbers of what there is: "0..9 b". */
static void numbers_text(const bool *there, unsigned count,
                         struct scenario_text *out)
{
    for (unsigned i = 0, n; i < count; i += n) {
        for (n = 0; i + n < count && there[i + n];)
            n++;
        if (n > 1)
            text_add(out, " %x..%x", i, i + n - 1);
        else if (n == 1)
            text_add(out, " %x", i);
        n += n == 0;
    }
}

static void registers_text(const struct unit *u, struct scenario_text *out)
{
    bool there[ETM_REGISTERS];

    for (unsigned i = 0; i < ETM_REGISTERS; i++)
        there[i] = (u->m->registers.flags[i] & ETM_REG_EXISTS) != 0;
    numbers_text(there, ETM_REGISTERS, out);
}

static size_t count(const struct unit *u, const char *kind)
{
    size_t n = 0;

    for (size_t i = 0; i < u->n_packets; i++)
        n += strcmp(
                 etm_packet_kind_name((enum etm_packet_kind)u->packets[i].kind),
                 kind) == 0;
    return n;
}

bool unit_text(struct unit *u, const char *what, const char *argument,
               struct scenario_text *out)
{
    struct etm_macrocell_signals s;

    if (strcmp(what, "traced") == 0) {
        if (!decode(u))
            return false;
        text_add(out, "%s", u->told.text);
    } else if (strcmp(what, "bytes") == 0) {
        bytes_text(&u->bytes, !etm_protocol_is_port(u->trace.protocol), out);
    } else if (strcmp(what, "size") == 0) {
        text_add(out, "%zu", u->bytes.n);
    } else if (strcmp(what, "count") == 0) {
        text_add(out, "%zu", count(u, argument));
    } else if (strcmp(what, "records") == 0) {
        records_text(u, out);
    } else if (strcmp(what, "atoms") == 0) {
        atoms_text(u, out);
    } else if (strcmp(what, "packets") == 0 || strcmp(what, "values") == 0 ||
               strcmp(what, "addresses") == 0) {
        packets_text(u, what, argument, out);
    } else if (strcmp(what, "signals") == 0 || strcmp(what, "outputs") == 0) {
        const struct scenario_text *t =
            *what == 's' ? &u->signals : &u->outputs;
        text_add(out, "%s", t->n != 0 ? t->text : "");
    } else if (strcmp(what, "now") == 0 && u->m != NULL) {
        etm_macrocell_get_signals(u->m, &s);
        signals_text(out, &s);
    } else if (strcmp(what, "cycle") == 0 && u->m != NULL) {
        etm_macrocell_get_signals(u->m, &s);
        text_add(out, "%llu", (unsigned long long)s.cycle);
    } else if (strcmp(what, "overflows") == 0 && decode(u)) {
        /* the last one is not traced where nothing follows */
        bool shown =
            u->overflows - u->overflow_now == told_times(u, "on:overflow", 11);
        text_add(out, shown ? "shown" : "not shown");
    } else if (strcmp(what, "registers") == 0 && u->m != NULL) {
        registers_text(u, out);
    } else if (strcmp(what, "exist") == 0 || strcmp(what, "active") == 0) {
        bool there[RESOURCE_NUMBERS];
        resources_there(u, *what == 'a', there, out);
        numbers_text(there, RESOURCE_NUMBERS, out);
    } else if (strcmp(what, "ever") == 0) {
        signals_text(out, &u->ever);
    } else if (strcmp(what, "held") == 0 && u->m != NULL) {
        text_add(out, etm_regfile_held(&u->m->registers) ? "yes" : "no");
    } else {
        return false;
    }
    return true;
}
