/* SPDX-License-Identifier: Apache-2.0 */
/* Which variable of a value change dump is which pin of the port (vcd.h). */
#include "input/vcd.h"

#include "base/diag.h"
#include "base/name.h"
#include "input/text.h"

#include <stdio.h>
#include <string.h>

#define SIGNALS 20u /* of one connector; see pins_clock.c */
#define MAX_BITS 64u
#define PIECE 4096u
#define TRACECTL_PIN UINT64_C(2) /* of ETMv3; see pin_of() */

/* What a variable is called, without the range behind its name. */
struct declared {
    char path[512]; /* with the scopes; cut where it does not fit */
    const char *base;
    uint32_t left, right; /* the range */
    bool single;          /* a bit of a bus that was taken apart: `left` */
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

/* Numbers of "[3]" or "[7:4]" up to the end; false: there is no such. */
static bool read_range(const char *text, uint32_t *left, uint32_t *right)
{
    uint32_t *number = left;
    bool digits = false;

    *left = *right = 0;
    if (*text++ != '[')
        return false;
    for (; *text != ']'; text++) {
        if (*text == ':' && digits && number == left) {
            number = right;
            digits = false;
        } else if (*text >= '0' && *text <= '9' && *number < 100000) {
            *number = 10 * *number + (uint32_t)(*text - '0');
            digits = true;
        } else {
            return false;
        }
    }
    if (number == left)
        *right = *left;
    return digits && text[1] == '\0';
}

static int fail_list(struct etm_diag *diag, const char *what, const char *item,
                     size_t n)
{
    return etm_text_fail(diag, ETM_ERR_CONFIG, NULL, ETM_DIAG_NONE, "%s: %.*s",
                         what, (int)(n < 64 ? n : 64), item);
}

/* "traceclk=#" and "traceclk=#PERIOD", of `n` characters behind the #. */
static int take_period(struct etm_vcd *vcd, const char *text, size_t n,
                       struct etm_diag *diag)
{
    uint64_t period = 0;

    /* which half of a sample an edge has, only TRACECLK tells */
    if (vcd->config.mode == ETM_PORT_MULTIPLEXED)
        return fail_list(diag, "a multiplexed port needs TRACECLK", text, n);
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || period > UINT32_MAX)
            return fail_list(diag, "not a number of units of time", text, n);
        period = 10 * period + (uint64_t)(text[i] - '0');
    }
    if (n != 0 && period == 0)
        return fail_list(diag, "not a number of units of time", text, n);
    vcd->sampled = true;
    vcd->period = period;
    return ETM_OK;
}

static int take_name(struct etm_vcd *vcd, uint8_t role, const char *text,
                     size_t n, struct etm_diag *diag)
{
    struct etm_vcd_name name = {.role = role, .bit = -1};
    uint32_t left, right;
    size_t k = 0;
    char *bracket;

    if (role == ETM_VCD_TRACECLK && n > 0 && text[0] == '#')
        return take_period(vcd, text + 1, n - 1, diag);
    /* a dump's words are joined, too: "Channel 0" */
    for (size_t i = 0; i < n && k < sizeof name.text; i++)
        if (text[i] != ' ')
            name.text[k++] = text[i];
    if (k == 0 || k >= sizeof name.text)
        return fail_list(diag, "a signal has no name", text, n);
    bracket = strrchr(name.text, '[');
    if (bracket != NULL && read_range(bracket, &left, &right)) {
        /* the range of a whole bus says nothing more */
        if (strchr(bracket, ':') == NULL)
            name.bit = (int32_t)left;
        *bracket = '\0';
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
            return fail_list(diag, "signals are named ROLE=NAME,NAME...",
                             signals, n);
        }
        status = take_name(vcd, role, signals, n, diag);
        signals += n;
        signals += *signals == ',';
    }
    return status;
}

static bool is_listed(const struct etm_vcd *vcd, unsigned role)
{
    const struct etm_vcd_name *names = vcd->names.data;

    for (size_t i = 0; i < vcd->names.n; i++)
        if (names[i].role == role)
            return true;
    return role == ETM_VCD_TRACECLK && vcd->sampled;
}

/* Variables */

/* Take the declaration apart: the base, its scopes, its range. */
static void take_apart(const struct etm_vcd *vcd, struct declared *d)
{
    const char *name = vcd->reference.data;
    int n = (int)vcd->reference.n;
    char *bracket;

    /* an escaped name of Verilog */
    if (n > 1 && name[0] == '\\') {
        name++;
        n--;
    }
    (void)snprintf(d->path, sizeof d->path, "%.*s%.*s", (int)vcd->scopes.n,
                   vcd->scopes.n > 0 ? (const char *)vcd->scopes.data : "", n,
                   name);
    d->base = d->path + (vcd->scopes.n < sizeof d->path ? vcd->scopes.n
                                                        : sizeof d->path - 1);
    d->left = vcd->variable.size - 1;
    d->right = 0;
    d->single = false;
    bracket = strrchr(d->path, '[');
    if (bracket == NULL || bracket < d->base ||
        !read_range(bracket, &d->left, &d->right)) {
        d->left = vcd->variable.size - 1;
        d->right = 0;
        return;
    }
    if (vcd->variable.size == 1)
        d->single = true;
    else if (d->left - d->right != vcd->variable.size - 1 &&
             d->right - d->left != vcd->variable.size - 1)
        return; /* an element of an array: its number belongs to the name */
    *bracket = '\0';
}

/* Bit `index` of a bus goes to a role. */
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
        net.from = d->left >= d->right ? bus - d->right : d->right - bus;
    if (etm_vec_append(&vcd->nets, &net, 1) != ETM_OK)
        return etm_diag_begin(diag, ETM_ERR_MEMORY, NULL);
    return ETM_OK;
}

/* All bits of a variable, numbered from its lowest index on. */
static int add_bus(struct etm_vcd *vcd, const struct declared *d, uint8_t role,
                   size_t order, struct etm_diag *diag)
{
    uint32_t first = d->left < d->right ? d->left : d->right;
    int status = ETM_OK;

    if (d->single)
        return add_net(vcd, d, role, order, first, first, diag);
    for (uint32_t i = 0;
         i < vcd->variable.size && i < MAX_BITS && status == ETM_OK; i++)
        status = add_net(vcd, d, role, order, first + i, i, diag);
    return status;
}

/* Does the list mean this variable: its name, or the end of its path? */
static bool is_meant(const struct etm_vcd_name *name, const struct declared *d)
{
    size_t n = strlen(name->text), all = strlen(d->path);

    if (n > all || strcmp(d->path + all - n, name->text) != 0)
        return false;
    return n == all || d->path[all - n - 1] == '.';
}

static int take_listed(struct etm_vcd *vcd, const struct declared *d,
                       struct etm_diag *diag)
{
    const struct etm_vcd_name *names = vcd->names.data;
    uint32_t low = d->left < d->right ? d->left : d->right;
    uint32_t high = d->left < d->right ? d->right : d->left;
    int status = ETM_OK;

    for (size_t i = 0; i < vcd->names.n && status == ETM_OK; i++) {
        uint32_t bit = (uint32_t)names[i].bit;

        if (!is_meant(&names[i], d))
            continue;
        if (names[i].bit < 0)
            status = add_bus(vcd, d, names[i].role, i, diag);
        else if (bit >= low && bit <= high)
            status = add_net(vcd, d, names[i].role, i, bit, bit, diag);
    }
    return status;
}

/*
 * The role that a name says: its letters and digits, without case; behind the
 * role's name `text` an A (demultiplexed ports have two of each), or the number
 * of a bit.
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
        [ETM_VCD_TRACEDATA] = "traced", [ETM_VCD_TRACECLK] = "traceck"};

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

        /* of the connector there is no need but for a multiplexed port */
        if ((role == ETM_VCD_PINS &&
             vcd->config.mode != ETM_PORT_MULTIPLEXED) ||
            !role_of_name(d->base, role, &numbered, &number) ||
            is_listed(vcd, role))
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
    if (n + strlen(d.base) + 3 < sizeof vcd->seen)
        (void)snprintf(vcd->seen + n, sizeof vcd->seen - n, "%s%s",
                       n > 0 ? ", " : "", d.base);
    status = take_listed(vcd, &d, diag);
    return status == ETM_OK ? take_usual(vcd, &d, diag) : status;
}

/* Pins */

/* Where a bit of a role is among etm_port_edge.pins; -1: nowhere. */
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
    case ETM_VCD_ROLES:
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

/* The pins that a sample of this port changes. */
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

static void sort_nets(struct etm_vec *all)
{
    struct etm_vcd_net *nets = all->data;

    for (size_t i = 1; i < all->n; i++) {
        struct etm_vcd_net net = nets[i];
        size_t k = i;

        for (; k > 0 && comes_before(&net, &nets[k - 1]); k--)
            nets[k] = nets[k - 1];
        nets[k] = net;
    }
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

    sort_nets(&vcd->nets);
    for (size_t i = 0; i < vcd->nets.n && status == ETM_OK; i++) {
        const struct etm_vcd_net *n = &nets[i], *last = i > 0 ? n - 1 : NULL;
        bool same = last != NULL && !comes_before(last, n);
        uint32_t bit =
            is_listed(vcd, n->role) ? vcd->widths[n->role] : n->index;
        int pin;

        if (same && last->id == n->id && last->from == n->from)
            continue;
        /* who tells what is at the connector means that */
        if (n->role < ETM_VCD_PINS && is_listed(vcd, ETM_VCD_PINS))
            continue;
        if (same) {
            upper_name(n->role, name, sizeof name);
            etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag, name);
            etm_diag_text(diag, " is in several places of the dump: say which "
                                "one with --signals");
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
        for (uint32_t b = 0; b < MAX_BITS && r != ETM_VCD_PINS; b++)
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

/* A NAME of the list that the dump does not have. */
static int check_listed(struct etm_vcd *vcd, struct etm_diag *diag)
{
    const struct etm_vcd_name *names = vcd->names.data;
    const struct etm_vcd_net *nets = vcd->nets.data;

    for (size_t i = 0; i < vcd->names.n; i++) {
        bool found = false;

        for (size_t k = 0; k < vcd->nets.n && !found; k++)
            found = nets[k].role == names[i].role && nets[k].order == i;
        if (found)
            continue;
        etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag, "the dump has no variable ");
        etm_diag_text(diag, names[i].text);
        return vcd->status;
    }
    return ETM_OK;
}

/* The pins without which a sample says nothing, and what they are in cycles
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

int etm_vcd_signals_connect(struct etm_vcd *vcd, struct etm_diag *diag)
{
    const struct etm_vcd_tap *taps;
    bool clocked = vcd->sampled, controlled;
    uint64_t used;
    int status = connect_nets(vcd, diag);

    if (status == ETM_OK)
        status = check_listed(vcd, diag);
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

int etm_vcd_width(const struct etm_port_config *config, const char *signals,
                  const char *characters, size_t n, unsigned *width)
{
    struct etm_port_config widest = *config;
    struct etm_vec samples;
    struct etm_vcd vcd;
    int status;

    *width = 0;
    widest.width = etm_port_is_stream(config) ? 32 : 16;
    etm_vec_init(&samples, sizeof(struct etm_port_sample), config->allocator);
    status = etm_vcd_init(&vcd, &widest, signals, false, NULL);
    for (size_t i = 0; i < n && status == ETM_OK && !vcd.defined; i += PIECE)
        status = etm_vcd_push(&vcd, characters + i,
                              n - i < PIECE ? n - i : PIECE, &samples, NULL);
    if (vcd.defined)
        *width = vcd.widths[etm_port_is_stream(config) ? ETM_VCD_TRACEDATA
                                                       : ETM_VCD_TRACEPKT];
    etm_vcd_fini(&vcd);
    etm_vec_fini(&samples);
    return status == ETM_ERR_MEMORY ? status : ETM_OK;
}
