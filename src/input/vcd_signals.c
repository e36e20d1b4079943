/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the signals of the port among the variables of a value change dump
 * (vcd.h), and what is wrong there. */
#include "input/vcd.h"

#include "base/diag.h"
#include "base/name.h"
#include "input/bus.h"
#include "input/text.h"

#include <stdio.h>
#include <string.h>

#define MAX_BITS 64u

/* The end of the scopes around a variable: all that a name in the list, of 250
 * characters, can mean, so that a variable takes the same time in any depth. */
#define SCOPES_MOST 256u

void etm_vcd_fail(struct etm_vcd *vcd, int status, struct etm_diag *diag,
                  const char *what)
{
    vcd->status = etm_diag_begin(diag, status, NULL);
    if (diag != NULL)
        diag->line = vcd->line;
    etm_diag_text(diag, what);
}

/* The name of a variable, without the range after it. */
struct declared {
    char path[4 * SCOPES_MOST]; /* with the scopes; cut where it does not fit */
    const char *base;           /* after all scopes */
    uint32_t low, high;         /* the range */
    bool descending;            /* the highest index is on the left */
    bool single;                /* a single bit of a bus: `low` */
};

const char *etm_vcd_role_name(enum etm_vcd_role role)
{
    ETM_RETURN_NAME(ETM_VCD_ROLE_LIST, role);
}

/* The list */

/* The role that a word names, of `n` characters. */
static bool find_role(const char *word, size_t n, uint8_t *role)
{
    char text[16] = "";

    if (n >= sizeof text)
        return false;
    memcpy(text, word, n);
    for (unsigned r = 0; r < ETM_VCD_ROLES; r++) {
        if (etm_text_same(text, etm_vcd_role_name((enum etm_vcd_role)r))) {
            *role = (uint8_t)r;
            return true;
        }
    }
    return false;
}

static int fail_list(struct etm_diag *diag, const char *what, const char *item,
                     size_t n)
{
    return etm_text_fail(diag, ETM_ERR_CONFIG, NULL, ETM_DIAG_NONE, "%s: %.*s",
                         what, (int)(n < 64 ? n : 64), item);
}

/* "traceclk=#" and "traceclk=#PERIOD", of `n` characters after the #. */
static int take_period(struct etm_vcd *vcd, const char *text, size_t n,
                       struct etm_diag *diag)
{
    uint64_t period = 0;

    /* only TRACECLK shows which half of a sample an edge has */
    if (vcd->config.mode == ETM_PORT_MULTIPLEXED)
        return fail_list(diag, "a multiplexed port needs TRACECLK", text, n);
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || period > UINT32_MAX)
            return fail_list(diag, "not a number of time units", text, n);
        period = 10 * period + (uint64_t)(text[i] - '0');
    }
    if (n != 0 && period == 0)
        return fail_list(diag, "not a number of time units", text, n);
    vcd->sampled = true;
    vcd->period = period;
    return ETM_OK;
}

static int take_name(struct etm_vcd *vcd, uint8_t role, const char *text,
                     size_t n, struct etm_diag *diag)
{
    struct etm_vcd_name name = {.role = role};
    struct etm_bus bus;
    size_t k = 0;

    if (role == ETM_VCD_TRACECLK && n > 0 && text[0] == '#')
        return take_period(vcd, text + 1, n - 1, diag);
    /* a dump's words are joined, too: "Channel 0" */
    for (size_t i = 0; i < n && k < sizeof name.text; i++)
        if (text[i] != ' ')
            name.text[k++] = text[i];
    if (k == 0 || k >= sizeof name.text)
        return fail_list(diag, "a signal has no name", text, n);
    if (etm_bus_read(name.text, k, &bus)) {
        name.part = true;
        name.low = bus.low;
        name.high = bus.high;
        name.text[bus.length] = '\0';
    }
    return etm_vec_append(&vcd->names, &name, 1);
}

int etm_vcd_signals_list(struct etm_vcd *vcd, const char *signals,
                         struct etm_diag *diag)
{
    uint8_t role = ETM_VCD_ROLES;
    int status = ETM_OK;

    while (signals != NULL && *signals != '\0' && status == ETM_OK) {
        size_t n, equals;

        signals += strspn(signals, " ");
        n = strcspn(signals, ",");
        equals = strcspn(signals, "=,");

        if (equals < n) {
            if (!find_role(signals, equals, &role))
                return fail_list(diag, "the port has no signal of that name",
                                 signals, equals);
            signals += equals + 1;
            n -= equals + 1;
        } else if (role == ETM_VCD_ROLES) {
            return fail_list(diag,
                             "signals are not of the form ROLE=NAME,NAME...",
                             signals, n);
        }
        status = take_name(vcd, role, signals, n, diag);
        signals += n;
        signals += *signals == ',';
    }
    return status;
}

bool etm_vcd_signals_listed(const struct etm_vcd *vcd, unsigned role)
{
    const struct etm_vcd_name *names = vcd->names.data;

    for (size_t i = 0; i < vcd->names.n; i++)
        if (names[i].role == role)
            return true;
    return role == ETM_VCD_TRACECLK && vcd->sampled;
}

/* Variables */

/* Scopes, also those of tools that write FPGA hierarchies into names. */
static bool is_separator(char c)
{
    return c == '.' || c == '/' || c == '|';
}

/* Take the declaration apart: the base, its scopes, its range. */
static void take_apart(const struct etm_vcd *vcd, struct declared *d)
{
    const char *name = vcd->reference.data, *scopes = vcd->scopes.data;
    size_t n = vcd->reference.n, around = vcd->scopes.n, cut = 0;
    uint32_t size = vcd->variable.size;
    struct etm_bus bus;

    /* an escaped name of Verilog */
    if (n > 1 && name[0] == '\\') {
        name++;
        n--;
    }
    *d = (struct declared){.high = size - 1, .descending = true};
    /* otherwise it is an element of an array: its number belongs to the name */
    if (etm_bus_read(name, n, &bus) &&
        (size == 1 || bus.high - bus.low == size - 1)) {
        d->single = size == 1;
        d->low = bus.low;
        d->high = size == 1 ? bus.low : bus.high;
        d->descending = bus.descending;
        n = bus.length;
    }
    if (around > SCOPES_MOST)
        cut = around - SCOPES_MOST;
    around -= cut;
    if (n >= sizeof d->path - around)
        n = sizeof d->path - around - 1;
    if (around > 0)
        memcpy(d->path, scopes + cut, around);
    memcpy(d->path + around, name, n);
    d->base = d->path + around;
    for (const char *c = d->base; *c != '\0'; c++)
        if (is_separator(*c) && c[1] != '\0')
            d->base = c + 1;
}

/* Assign bit `index` of a bus to a role. */
static int add_net(struct etm_vcd *vcd, const struct declared *d, uint8_t role,
                   size_t order, uint32_t bus, uint32_t index,
                   struct etm_diag *diag)
{
    struct etm_vcd_net net = {.id = vcd->variable.id,
                              .order = (uint32_t)order,
                              .index = index,
                              .role = role};

    if (net.id == 0) {
        etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag, d->path);
        etm_diag_text(diag, " has an identifier of more than 8 characters");
        return vcd->status;
    }
    if (!d->single)
        net.from = d->descending ? bus - d->low : d->high - bus;
    if (etm_vec_append(&vcd->nets, &net, 1) != ETM_OK)
        return etm_diag_begin(diag, ETM_ERR_MEMORY, NULL);
    return ETM_OK;
}

/* All bits of a variable, numbered from its lowest index on. */
static int add_bus(struct etm_vcd *vcd, const struct declared *d, uint8_t role,
                   size_t order, struct etm_diag *diag)
{
    int status = ETM_OK;

    if (d->single)
        return add_net(vcd, d, role, order, d->low, d->low, diag);
    for (uint32_t i = 0;
         i < vcd->variable.size && i < MAX_BITS && status == ETM_OK; i++)
        status = add_net(vcd, d, role, order, d->low + i, i, diag);
    return status;
}

/* The bits of a bus that the list selects, as far as it has them. */
static int add_part(struct etm_vcd *vcd, const struct declared *d, size_t order,
                    struct etm_diag *diag)
{
    const struct etm_vcd_name *name =
        (const struct etm_vcd_name *)vcd->names.data + order;
    uint32_t low = name->low > d->low ? name->low : d->low;
    uint32_t high = name->high < d->high ? name->high : d->high;
    int status = ETM_OK;

    for (uint32_t bit = low;
         bit <= high && bit - name->low < MAX_BITS && status == ETM_OK; bit++)
        status = add_net(vcd, d, name->role, order, bit, bit, diag);
    return status;
}

/* Does the list mean this variable: its name, or the end of its path? */
static bool is_meant(const struct etm_vcd_name *name, const char *path)
{
    size_t n = strlen(name->text), all = strlen(path);

    if (n > all || strcmp(path + all - n, name->text) != 0)
        return false;
    return n == all || is_separator(path[all - n - 1]);
}

uint32_t etm_vcd_signals_bits(const struct etm_vcd *vcd, const char *path)
{
    const struct etm_vcd_name *names = vcd->names.data, *only = NULL;
    unsigned n = 0;

    for (size_t i = 0; i < vcd->names.n; i++) {
        if (!names[i].part || !is_meant(&names[i], path))
            continue;
        only = &names[i];
        n++;
    }
    if (n == 0)
        return 0;
    return n == 1 && only->low == 0 && only->high > 0 ? only->high + 1
                                                      : MAX_BITS;
}

static int take_listed(struct etm_vcd *vcd, const struct declared *d,
                       struct etm_diag *diag)
{
    const struct etm_vcd_name *names = vcd->names.data;
    int status = ETM_OK;

    for (size_t i = 0; i < vcd->names.n && status == ETM_OK; i++) {
        if (!is_meant(&names[i], d->path))
            continue;
        status = names[i].part ? add_part(vcd, d, i, diag)
                               : add_bus(vcd, d, names[i].role, i, diag);
    }
    return status;
}

/*
 * Whether a name is that of a role: letters and digits, without case; after the
 * role's name `text` there may be an A (demultiplexed ports have two of each),
 * or the number of a bit.
 */
static bool says_role(const char *base, const char *text, bool *numbered,
                      uint32_t *number)
{
    *numbered = false;
    *number = 0;
    for (bool suffix = false; *base != '\0'; base++) {
        char c = *base >= 'A' && *base <= 'Z' ? (char)(*base + 32) : *base;
        bool digit = c >= '0' && c <= '9';

        if (!digit && (c < 'a' || c > 'z'))
            continue;
        if (*text != '\0') {
            if (c != *text++)
                return false;
        } else if (c == 'a' && !suffix && !*numbered) {
            suffix = true;
        } else if (digit && *number < 100) {
            *numbered = true;
            *number = 10 * *number + (uint32_t)(c - '0');
        } else {
            return false;
        }
    }
    return *text == '\0';
}

static bool role_of_name(const char *base, unsigned role, bool *numbered,
                         uint32_t *number)
{
    /* the pins of microcontrollers: TRACECK, TRACED0 ... */
    static const char *const short_names[ETM_VCD_ROLES] = {
        [ETM_VCD_TRACEDATA] = "traced",
        [ETM_VCD_TRACECLK] = "traceck",
        [ETM_VCD_SWO] = "traceswo"};

    return says_role(base, etm_vcd_role_name((enum etm_vcd_role)role), numbered,
                     number) ||
           (short_names[role] != NULL &&
            says_role(base, short_names[role], numbered, number));
}

static int take_usual(struct etm_vcd *vcd, const struct declared *d,
                      struct etm_diag *diag)
{
    int status = ETM_OK;

    for (unsigned role = 0; role < ETM_VCD_ROLES && status == ETM_OK; role++) {
        uint32_t number;
        bool numbered;

        /* a pin is looked at alone, and pins of the connector are needed for a
         * multiplexed port only */
        if ((role == ETM_VCD_SWO) != (vcd->changes != NULL) ||
            (role == ETM_VCD_PINS &&
             vcd->config.mode != ETM_PORT_MULTIPLEXED) ||
            !role_of_name(d->base, role, &numbered, &number) ||
            etm_vcd_signals_listed(vcd, role))
            continue;
        if (!numbered)
            status = add_bus(vcd, d, (uint8_t)role, 0, diag);
        else if (vcd->variable.size == 1 && !d->single)
            status = add_net(vcd, d, (uint8_t)role, 0, 0, number, diag);
    }
    return status;
}

int etm_vcd_signals_declare(struct etm_vcd *vcd, struct etm_diag *diag)
{
    struct declared d;
    size_t n = strlen(vcd->seen);
    int status;

    take_apart(vcd, &d);
    vcd->declared++;
    vcd->only = vcd->variable.size == 1 ? vcd->variable.id : 0;
    if (n + strlen(d.base) + 3 < sizeof vcd->seen)
        (void)snprintf(vcd->seen + n, sizeof vcd->seen - n, "%s%s",
                       n > 0 ? ", " : "", d.base);
    status = take_listed(vcd, &d, diag);
    return status == ETM_OK ? take_usual(vcd, &d, diag) : status;
}
