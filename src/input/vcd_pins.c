/* SPDX-License-Identifier: Apache-2.0 */
/* Connecting bits of a value change dump's signals to pins (vcd.h). */
#include "input/vcd.h"

#include "base/diag.h"

#include <stdio.h>
#include <stdlib.h>

#define SIGNALS 20u /* of one connector; see pins_clock.c */
#define MAX_BITS 64u
#define TRACECTL_PIN UINT64_C(2) /* of ETMv3; see pin_of() */

/* The position of a bit of a role in etm_port_edge.pins; -1: none. */
static int pin_of(const struct etm_port_config *config, unsigned role,
                  uint32_t bit)
{
    bool stream = etm_port_is_stream(config);
    bool v1 = config->protocol == ETM_PROTOCOL_ETMV1;
    bool demux = config->mode == ETM_PORT_DEMULTIPLEXED;
    bool mux = config->mode == ETM_PORT_MULTIPLEXED;
    int b = (int)bit, base = 0;

    switch ((enum etm_vcd_role)role) {
    case ETM_VCD_TRACECLK:
        return bit == 0 ? (int)ETM_VCD_CLOCK : -1;
    case ETM_VCD_PINS:
        return bit < ETM_VCD_CLOCK ? b : -1;
    case ETM_VCD_SWO:
        return bit == 0 ? 0 : -1;
    case ETM_VCD_TRACECTL:
        return stream && bit == 0 ? 1 : -1;
    case ETM_VCD_TRACEDATA:
        if (!stream || bit >= config->width)
            return -1;
        return bit == 0 ? 0 : b + 4;
    case ETM_VCD_PIPESTATB:
    case ETM_VCD_TRACEPKTB:
    case ETM_VCD_TRACESYNCB:
        base = (int)SIGNALS;
        if (!demux)
            return -1;
        role -= ETM_VCD_PIPESTATB;
        break;
    case ETM_VCD_PIPESTAT:
    case ETM_VCD_TRACEPKT:
    case ETM_VCD_TRACESYNC:
        break;
    }
    if (stream || mux)
        return -1;
    if (role == ETM_VCD_PIPESTAT)
        return bit < (v1 ? 3u : 4u) ? base + b : -1;
    if (role == ETM_VCD_TRACESYNC)
        return v1 && bit == 0 ? base + 3 : -1;
    return bit < config->width ? base + 4 + b : -1;
}

/* The pins that are used by this port. */
static int used_pins(const struct etm_vcd *vcd, uint64_t *used)
{
    static const struct etm_port_sample samples[4] = {
        {UINT64_MAX, 1, 15}, {UINT64_MAX, 1, 15}, {0, 0, 0}, {0, 0, 0}};
    const struct etm_port_edge *edges;
    struct etm_port_clock clock;
    struct etm_vec made;
    int status = etm_port_clock_init(&clock, &vcd->config, NULL);

    *used = 0;
    etm_vec_init(&made, sizeof(struct etm_port_edge), vcd->config.allocator);
    if (status == ETM_OK)
        status = etm_port_clock_drive(&clock, samples, 4, &made);
    edges = made.data;
    for (size_t i = 0; i < made.n / 2 && status == ETM_OK; i++)
        *used |= edges[i].pins ^ edges[made.n / 2 + i].pins;
    etm_vec_fini(&made);
    return status;
}

static bool comes_before(const struct etm_vcd_net *a,
                         const struct etm_vcd_net *b)
{
    if (a->role != b->role)
        return a->role < b->role;
    return a->order != b->order ? a->order < b->order : a->index < b->index;
}

/* A signal may be in any number of scopes; where it is more than one, those of
 * one variable are neighbours. */
static int compare_nets(const void *a, const void *b)
{
    const struct etm_vcd_net *x = a, *y = b;

    if (comes_before(x, y) || comes_before(y, x))
        return comes_before(x, y) ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static void upper_name(unsigned role, char *text, size_t capacity)
{
    (void)snprintf(text, capacity, "%s",
                   etm_vcd_role_name((enum etm_vcd_role)role));
    for (; *text != '\0'; text++)
        *text = (char)(*text - 32);
}

/* Each bit of a role once: the same variable may be seen in several scopes. */
static int connect_nets(struct etm_vcd *vcd, struct etm_diag *diag)
{
    const struct etm_vcd_net *nets = vcd->nets.data;
    char name[16];
    int status = ETM_OK;

    if (vcd->nets.n > 1)
        qsort(vcd->nets.data, vcd->nets.n, vcd->nets.width, compare_nets);
    for (size_t i = 0; i < vcd->nets.n && status == ETM_OK; i++) {
        const struct etm_vcd_net *n = &nets[i], *last = i > 0 ? n - 1 : NULL;
        bool same = last != NULL && !comes_before(last, n);
        uint32_t bit = etm_vcd_signals_listed(vcd, n->role)
                           ? vcd->widths[n->role]
                           : n->index;
        int pin;

        if (same && last->id == n->id && last->from == n->from)
            continue;
        /* if the pins of the connector are given, they are used */
        if (n->role < ETM_VCD_PINS && etm_vcd_signals_listed(vcd, ETM_VCD_PINS))
            continue;
        if (same) {
            upper_name(n->role, name, sizeof name);
            etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag, name);
            etm_diag_text(
                diag,
                " is in several places of the dump: choose one with --signals");
            return vcd->status;
        }
        vcd->widths[n->role]++;
        pin = pin_of(&vcd->config, n->role, bit);
        if (pin >= 0)
            status = etm_vec_append(
                &vcd->taps, &(struct etm_vcd_tap){n->id, n->from, (uint8_t)pin},
                1);
    }
    return status == ETM_OK ? ETM_OK : etm_diag_begin(diag, status, NULL);
}

static int fail_missing(struct etm_vcd *vcd, unsigned pin,
                        struct etm_diag *diag)
{
    unsigned role = ETM_VCD_PINS;
    uint32_t bit = pin;
    char name[16];

    for (unsigned r = 0; r < ETM_VCD_ROLES; r++)
        for (uint32_t b = 0;
             b < MAX_BITS && r != ETM_VCD_PINS && r != ETM_VCD_SWO; b++)
            if (pin_of(&vcd->config, r, b) == (int)pin) {
                role = r;
                bit = b;
            }
    upper_name(role, name, sizeof name);
    etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag, name);
    if (role != ETM_VCD_TRACECLK && role != ETM_VCD_TRACECTL &&
        role != ETM_VCD_TRACESYNC && role != ETM_VCD_TRACESYNCB) {
        etm_diag_text(diag, "[");
        etm_diag_dec(diag, bit);
        etm_diag_text(diag, "]");
    }
    etm_diag_text(diag, " is not in the dump: name it with --signals");
    if (role == ETM_VCD_TRACECTL)
        etm_diag_text(diag, ", or use --framing tpiu-port if a TPIU formats");
    if (vcd->seen[0] != '\0') {
        etm_diag_text(diag, " (there are ");
        etm_diag_text(diag, vcd->seen);
        etm_diag_text(diag, ")");
    }
    return vcd->status;
}

/* The bits that the dump has of a NAME of the list; the nets are sorted. */
static uint32_t count_bits(const struct etm_vcd *vcd, size_t order,
                           unsigned role)
{
    const struct etm_vcd_net *nets = vcd->nets.data, *last = NULL;
    uint32_t n = 0;

    for (size_t i = 0; i < vcd->nets.n; i++) {
        if (nets[i].role != role || nets[i].order != order)
            continue;
        n += last == NULL || last->index != nets[i].index;
        last = &nets[i];
    }
    return n;
}

/* Check that the dump has every NAME of the list. */
static int check_listed(struct etm_vcd *vcd, struct etm_diag *diag)
{
    const struct etm_vcd_name *names = vcd->names.data;

    for (size_t i = 0; i < vcd->names.n; i++) {
        const struct etm_vcd_name *name = &names[i];
        uint32_t all = name->part ? name->high - name->low + 1 : 1;

        if (count_bits(vcd, i, name->role) >= (all < MAX_BITS ? all : MAX_BITS))
            continue;
        etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag, "the dump has no variable ");
        etm_diag_text(diag, name->text);
        if (!name->part)
            return vcd->status;
        etm_diag_text(diag, "[");
        etm_diag_dec(diag, name->high);
        if (name->low != name->high) {
            etm_diag_text(diag, ":");
            etm_diag_dec(diag, name->low);
        }
        etm_diag_text(diag, "]");
        return vcd->status;
    }
    return ETM_OK;
}

/* The pins without which a sample has no meaning, and their values in cycles
 * without trace: PIPESTAT is TD with TRACEPKT[0] = 0, or TRACECTL is 1 with
 * TRACEDATA[0] = 1 (4.4.2). */
static void set_status_pins(struct etm_vcd *vcd, bool controlled)
{
    const struct etm_port_config *c = &vcd->config;

    if (etm_port_is_stream(c)) {
        vcd->status_pins = controlled ? TRACECTL_PIN : 0;
        vcd->idle_pins = 3;
        return;
    }
    vcd->status_pins =
        c->protocol == ETM_PROTOCOL_ETMV1 || c->mode == ETM_PORT_MULTIPLEXED
            ? 7
            : 15;
    vcd->idle_pins = 7;
    if (c->mode == ETM_PORT_DEMULTIPLEXED) {
        vcd->status_pins |= vcd->status_pins << SIGNALS;
        vcd->idle_pins |= vcd->idle_pins << SIGNALS;
    }
}

/* The pin alone: without a name, the only variable that there is. */
static int connect_one(struct etm_vcd *vcd, struct etm_diag *diag)
{
    const struct etm_vcd_tap tap = {.id = vcd->only};
    int status = ETM_OK;

    if (vcd->taps.n == 0 && vcd->declared == 1 && vcd->only != 0)
        status = etm_vec_append(&vcd->taps, &tap, 1);
    if (status != ETM_OK)
        return etm_diag_begin(diag, status, NULL);
    if (vcd->taps.n == 1)
        return ETM_OK;
    etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                 vcd->taps.n == 0
                     ? "SWO is not in the dump: name it with --signals swo=NAME"
                     : "SWO is one pin, and not several");
    if (vcd->taps.n == 0 && vcd->seen[0] != '\0') {
        etm_diag_text(diag, " (there are ");
        etm_diag_text(diag, vcd->seen);
        etm_diag_text(diag, ")");
    }
    return vcd->status;
}

int etm_vcd_pins_connect(struct etm_vcd *vcd, struct etm_diag *diag)
{
    const struct etm_vcd_tap *taps;
    bool clocked = vcd->sampled, controlled;
    uint64_t used;
    int status = connect_nets(vcd, diag);

    if (status == ETM_OK)
        status = check_listed(vcd, diag);
    if (status == ETM_OK && vcd->changes != NULL)
        return connect_one(vcd, diag);
    if (status == ETM_OK)
        status = used_pins(vcd, &used);
    if (status != ETM_OK)
        return status;
    taps = vcd->taps.data;
    for (size_t i = 0; i < vcd->taps.n; i++) {
        if (taps[i].to == ETM_VCD_CLOCK)
            clocked = true;
        else
            used &= ~(UINT64_C(1) << taps[i].to);
    }
    if (!clocked)
        return fail_missing(vcd, ETM_VCD_CLOCK, diag);
    controlled = (used & TRACECTL_PIN) == 0;
    if (vcd->formatted)
        used &= ~TRACECTL_PIN;
    for (unsigned pin = 0; pin < MAX_BITS; pin++)
        if ((used >> pin & 1) != 0)
            return fail_missing(vcd, pin, diag);
    set_status_pins(vcd, controlled);
    return ETM_OK;
}

int etm_vcd_pins_note(struct etm_vcd *vcd)
{
    const struct etm_vcd_values *v = &vcd->next, *before = &vcd->now;
    struct etm_pin_change change = {
        vcd->time, (v->known & 1) != 0 ? (uint8_t)(v->values & 1) : 2};
    bool same = v->known == before->known && v->values == before->values;

    if (same && vcd->changes->n != 0)
        return ETM_OK;
    vcd->now = vcd->next;
    return etm_vec_append(vcd->changes, &change, 1);
}
