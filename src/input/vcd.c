/* SPDX-License-Identifier: Apache-2.0 */
/* Value change dumps of a trace port: words, values and edges (vcd.h). */
#include "input/vcd.h"

#include "base/diag.h"

#include <string.h>

/* Longer words do not occur in a dump of a trace port. */
#define TOKEN_MAX 65536u
#define ID_MAX 8u

/* More samples than this without a change mean a wrong period. */
#define SAME_MOST (UINT32_C(1) << 20)

/* Characters taken at a time, to find the width of the port. */
#define PIECE 4096u

enum state {
    TOP,        /* between commands or values */
    SKIP,       /* up to $end */
    TIMESCALE,  /* $timescale NUMBER UNIT $end */
    SCOPE,      /* $scope TYPE NAME $end */
    UPSCOPE,    /* $upscope $end */
    VARIABLE,   /* $var TYPE SIZE IDENTIFIER NAME $end */
    IDENTIFIER, /* after the bits of a vector */
    IGNORED     /* the identifier of a real number or a string */
};

static void fail_memory(struct etm_vcd *vcd, struct etm_diag *diag)
{
    vcd->status = etm_diag_begin(diag, ETM_ERR_MEMORY, NULL);
}

/* "WORD: what"; a long word is cut. */
static void fail_word(struct etm_vcd *vcd, const char *word, size_t n,
                      const char *what, struct etm_diag *diag)
{
    char text[33] = "";

    memcpy(text, word, n < sizeof text ? n : sizeof text - 1);
    etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag, text);
    etm_diag_text(diag, ": ");
    etm_diag_text(diag, what);
}

static bool is(const char *word, size_t n, const char *text)
{
    return n == strlen(text) && memcmp(word, text, n) == 0;
}

/* A decimal number; false if it is none. */
static bool number(const char *word, size_t n, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned digit = (unsigned)(word[i] - '0');

        if (digit > 9 || *value > (UINT64_MAX - digit) / 10)
            return false;
        *value = 10 * *value + digit;
    }
    return n > 0;
}

static bool identifier(const char *word, size_t n, uint64_t *id)
{
    *id = 0;
    if (n == 0 || n > ID_MAX)
        return false;
    for (size_t i = 0; i < n; i++)
        *id |= (uint64_t)(uint8_t)word[i] << 8 * i;
    return true;
}

/* Values */

/* The values of the pins at an edge, as far as they are known. */
static uint64_t settle(const struct etm_vcd *vcd,
                       const struct etm_vcd_values *v, bool rising)
{
    /* table 8-8: at the falling edge of a multiplexed port there is no status
       but PIPESTAT[3], which is 0 in TD */
    if (vcd->config.mode == ETM_PORT_MULTIPLEXED && !rising)
        return v->values & v->known;
    if ((v->known & vcd->status_pins) == vcd->status_pins)
        return v->values & v->known;
    return vcd->idle_pins;
}

/* The pins have not changed up to this time: samples of an analyser. */
static void take_samples(struct etm_vcd *vcd, uint64_t until,
                         struct etm_vec *samples, struct etm_diag *diag)
{
    const struct etm_port_edge edge = {settle(vcd, &vcd->next, true), true};
    uint64_t n = 1;

    if (vcd->period != 0)
        n = until > vcd->due ? (until - vcd->due - 1) / vcd->period + 1 : 0;
    if (n > SAME_MOST) {
        etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                     "more than a million samples are the same: the period "
                     "after traceclk=# is wrong");
        return;
    }
    vcd->due += n * vcd->period;
    vcd->changed = false;
    for (; n != 0 && vcd->status == ETM_OK; n--)
        if (etm_port_clock_sample(&vcd->clock, &edge, 1, samples) != ETM_OK)
            fail_memory(vcd, diag);
}

/* Time advances: the values before it are sampled if TRACECLK changed. */
static void end_time(struct etm_vcd *vcd, struct etm_vec *samples,
                     struct etm_diag *diag)
{
    unsigned before = vcd->now.clock, after = vcd->next.clock;

    if (vcd->changes != NULL) {
        if (etm_vcd_pins_note(vcd) != ETM_OK)
            fail_memory(vcd, diag);
        return;
    }
    /* while TRACECLK was not known, edges may have been */
    if (before == 2 && after != 2)
        etm_port_clock_miss(&vcd->clock);
    if (before + after == 1 && before != after) {
        struct etm_port_edge edge = {settle(vcd, &vcd->now, after == 1),
                                     after == 1};

        if (etm_port_clock_sample(&vcd->clock, &edge, 1, samples) != ETM_OK)
            fail_memory(vcd, diag);
    }
    vcd->now = vcd->next;
}

static void take_time(struct etm_vcd *vcd, const char *word, size_t n,
                      struct etm_vec *samples, struct etm_diag *diag)
{
    uint64_t time;

    if (!number(word + 1, n - 1, &time)) {
        fail_word(vcd, word, n, "no time", diag);
        return;
    }
    if (vcd->timed && time < vcd->time) {
        fail_word(vcd, word, n, "time goes backwards", diag);
        return;
    }
    /* values before the first time are those at the beginning */
    if (vcd->sampled && !vcd->timed)
        vcd->due = time;
    else if (vcd->sampled && time > vcd->time)
        take_samples(vcd, time, samples, diag);
    else if (!vcd->sampled && (!vcd->timed || time > vcd->time))
        end_time(vcd, samples, diag);
    vcd->time = time;
    vcd->timed = true;
}

/* The end of a dump: what its last time has to say. */
static void end_dump(struct etm_vcd *vcd, struct etm_vec *samples,
                     struct etm_diag *diag)
{
    if (!vcd->sampled)
        end_time(vcd, samples, diag);
    else if (vcd->changed && vcd->timed && vcd->time != UINT64_MAX)
        take_samples(vcd, vcd->time + 1, samples, diag);
}

/* Declarations, after which another dump begins (E-531): nothing is known of
 * it, nor of what was between the two. */
static void begin_dump(struct etm_vcd *vcd, struct etm_vec *samples,
                       struct etm_diag *diag)
{
    end_dump(vcd, samples, diag);
    etm_port_clock_miss(&vcd->clock);
    vcd->now = vcd->next = (struct etm_vcd_values){.clock = 2};
    vcd->defined = vcd->timed = vcd->changed = false;
    vcd->declared = 0;
    vcd->scopes.n = vcd->depths.n = vcd->nets.n = vcd->taps.n = 0;
    vcd->seen[0] = '\0';
    memset(vcd->widths, 0, sizeof vcd->widths);
}

static void set_pin(struct etm_vcd *vcd, unsigned pin, char value)
{
    struct etm_vcd_values *v = &vcd->next;
    bool known = value == '0' || value == '1';
    uint64_t bit;

    if (pin == ETM_VCD_CLOCK) {
        v->clock = known ? (uint8_t)(value - '0') : 2;
        return;
    }
    bit = UINT64_C(1) << pin;
    v->values = value == '1' ? v->values | bit : v->values & ~bit;
    v->known = known ? v->known | bit : v->known & ~bit;
}

/* The variable `id` has the value `bits`, the rightmost one lowest. A short
 * vector goes on with its leftmost bit, or with 0 if that is 1. */
static void set_variable(struct etm_vcd *vcd, uint64_t id, const char *bits,
                         size_t n)
{
    const struct etm_vcd_tap *taps = vcd->taps.data;
    char fill = bits[0] == '1' ? '0' : bits[0];

    vcd->changed = true;
    for (size_t i = 0; i < vcd->taps.n; i++)
        if (taps[i].id == id)
            set_pin(vcd, taps[i].to,
                    taps[i].from < n ? bits[n - 1 - taps[i].from] : fill);
}

/* Simulators of VHDL have values other than 0, 1, x and z. */
static bool is_value(char c)
{
    return c != '\0' && strchr("01xXzZuUwWlLhH-", c) != NULL;
}

static void take_value(struct etm_vcd *vcd, const char *word, size_t n,
                       struct etm_diag *diag)
{
    uint64_t id;

    switch (word[0]) {
    case 'b':
    case 'B':
        for (size_t i = 1; i < n; i++) {
            if (!is_value(word[i])) {
                fail_word(vcd, word, n, "not a binary number", diag);
                return;
            }
        }
        vcd->value.n = 0;
        if (n < 2)
            fail_word(vcd, word, n, "not a binary number", diag);
        else if (etm_vec_append(&vcd->value, word + 1, n - 1) != ETM_OK)
            fail_memory(vcd, diag);
        vcd->state = IDENTIFIER;
        return;
    case 'r':
    case 'R':
    case 's':
    case 'S':
        vcd->state = IGNORED;
        return;
    }
    if (!is_value(word[0]))
        fail_word(vcd, word, n, "neither a time nor a value", diag);
    else if (n < 2)
        fail_word(vcd, word, n, "a value without an identifier", diag);
    else if (identifier(word + 1, n - 1, &id))
        set_variable(vcd, id, word, 1);
}

/* Commands */

static void begin_command(struct etm_vcd *vcd, const char *word, size_t n,
                          struct etm_vec *samples, struct etm_diag *diag)
{
    vcd->field = 0;
    vcd->state = SKIP;
    if (vcd->defined && (is(word, n, "$scope") || is(word, n, "$var")))
        begin_dump(vcd, samples, diag);
    if (vcd->defined) {
        /* values come between these and their $end */
        if (is(word, n, "$dumpvars") || is(word, n, "$dumpall") ||
            is(word, n, "$dumpon") || is(word, n, "$dumpoff") ||
            is(word, n, "$end"))
            vcd->state = TOP;
        return;
    }
    if (is(word, n, "$scope")) {
        vcd->state = SCOPE;
    } else if (is(word, n, "$timescale")) {
        vcd->state = TIMESCALE;
        vcd->reference.n = 0;
    } else if (is(word, n, "$upscope")) {
        vcd->state = UPSCOPE;
    } else if (is(word, n, "$var")) {
        vcd->state = VARIABLE;
        vcd->variable = (struct etm_vcd_variable){0};
        vcd->reference.n = 0;
    } else if (is(word, n, "$enddefinitions")) {
        vcd->defined = true;
        if (vcd->status == ETM_OK)
            vcd->status = etm_vcd_pins_connect(vcd, diag);
    } else if (is(word, n, "$end")) {
        fail_word(vcd, word, n, "$end without a command", diag);
    }
}

/* "10ns" in femtoseconds; 0: it is no such time. */
static uint64_t timescale(const char *text, size_t n)
{
    static const char *const units[] = {"fs", "ps", "ns", "us", "ms", "s"};
    uint64_t unit = 1, value;
    size_t digits = 0;

    while (digits < n && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (!number(text, digits, &value) || value > 1000)
        return 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++, unit *= 1000)
        if (is(text + digits, n - digits, units[i]))
            return value * unit;
    return 0;
}

static void end_command(struct etm_vcd *vcd, struct etm_diag *diag)
{
    const size_t *depths = vcd->depths.data;
    int status = ETM_OK;

    switch ((enum state)vcd->state) {
    case UPSCOPE:
        if (vcd->depths.n == 0) {
            etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                         "$upscope: there is no scope to leave");
            return;
        }
        vcd->scopes.n = depths[--vcd->depths.n];
        break;
    case VARIABLE:
        if (vcd->field < 4) {
            etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                         "$var has a type, a size, an identifier and a name");
            return;
        }
        if (vcd->variable.size > 0)
            status = etm_vcd_signals_declare(vcd, diag);
        break;
    case TIMESCALE:
        vcd->unit = timescale(vcd->reference.data, vcd->reference.n);
        break;
    case SCOPE:
        if (vcd->field < 2) {
            etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                         "$scope has a type and a name");
            return;
        }
        break;
    case TOP:
    case SKIP:
    case IDENTIFIER:
    case IGNORED:
        break;
    }
    if (status != ETM_OK)
        vcd->status = status;
    vcd->state = TOP;
}

static void take_scope(struct etm_vcd *vcd, const char *word, size_t n,
                       struct etm_diag *diag)
{
    if (vcd->field != 1)
        return;
    if (etm_vec_append(&vcd->depths, &vcd->scopes.n, 1) != ETM_OK ||
        etm_vec_append(&vcd->scopes, word, n) != ETM_OK ||
        etm_vec_append(&vcd->scopes, ".", 1) != ETM_OK)
        fail_memory(vcd, diag);
}

static void take_variable(struct etm_vcd *vcd, const char *word, size_t n,
                          struct etm_diag *diag)
{
    uint64_t size;

    switch (vcd->field) {
    case 0: /* wire, reg ...: no difference here */
        return;
    case 1:
        /* 0: a string of any length, in a dump made from an FST file */
        if (!number(word, n, &size) || size > INT32_MAX)
            fail_word(vcd, word, n, "not the size of a variable", diag);
        else
            vcd->variable.size = (uint32_t)size;
        return;
    case 2:
        /* one that is too long is not ours, and must not be taken for one */
        if (!identifier(word, n, &vcd->variable.id))
            vcd->variable.id = 0;
        return;
    }
    /* the range may be a word of its own */
    if (etm_vec_append(&vcd->reference, word, n) != ETM_OK)
        fail_memory(vcd, diag);
}

/* sigrok's command prints a line like "META samplerate: 10000000" before a dump
 * that it makes of plain bytes: the first one, or one that was joined (E-531).
 */
static bool in_meta(struct etm_vcd *vcd, const char *word, size_t n)
{
    if ((vcd->defined || vcd->line == 1) && is(word, n, "META"))
        vcd->meta = vcd->line;
    return vcd->meta == vcd->line && word[0] != '$';
}

/* Where a word of values goes over into what a dump begins with, because the
 * dump before was cut there (E-531); `n`: nowhere. As an identifier these would
 * take some 10^7 variables. */
static size_t cut_at(const char *word, size_t n)
{
    static const char *const begins[] = {"$date", "$version", "$timescale",
                                         "$comment", "$scope"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        size_t length = strlen(begins[i]);

        if (n >= length && memcmp(word + n - length, begins[i], length) == 0)
            return n - length;
    }
    return n;
}

static void take_token(struct etm_vcd *vcd, const char *word, size_t n,
                       struct etm_vec *samples, struct etm_diag *diag)
{
    bool values = vcd->defined && (vcd->state == TOP || vcd->state == IGNORED ||
                                   vcd->state == IDENTIFIER);
    size_t at = values && word[0] != 's' ? cut_at(word, n) : n;
    uint64_t id;

    if (at != n) {
        vcd->state = TOP; /* what was cut is no value */
        word += at;
        n -= at;
    }
    switch ((enum state)vcd->state) {
    case TOP:
        if (in_meta(vcd, word, n))
            return;
        if (word[0] == '$')
            begin_command(vcd, word, n, samples, diag);
        else if (!vcd->defined)
            fail_word(vcd, word, n, "not a command of a value change dump",
                      diag);
        else if (word[0] == '#')
            take_time(vcd, word, n, samples, diag);
        else
            take_value(vcd, word, n, diag);
        return;
    case IDENTIFIER:
        if (identifier(word, n, &id))
            set_variable(vcd, id, vcd->value.data, vcd->value.n);
        vcd->state = TOP;
        return;
    case IGNORED:
        vcd->state = TOP;
        return;
    case SKIP:
    case TIMESCALE:
    case SCOPE:
    case UPSCOPE:
    case VARIABLE:
        break;
    }
    if (is(word, n, "$end")) {
        end_command(vcd, diag);
        return;
    }
    if (vcd->state == SCOPE)
        take_scope(vcd, word, n, diag);
    else if (vcd->state == TIMESCALE &&
             etm_vec_append(&vcd->reference, word, n) != ETM_OK)
        fail_memory(vcd, diag);
    else if (vcd->state == VARIABLE)
        take_variable(vcd, word, n, diag);
    vcd->field++;
}

static void end_token(struct etm_vcd *vcd, struct etm_vec *samples,
                      struct etm_diag *diag)
{
    if (vcd->token.n > 0 && vcd->status == ETM_OK)
        take_token(vcd, vcd->token.data, vcd->token.n, samples, diag);
    vcd->token.n = 0;
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int etm_vcd_push(struct etm_vcd *vcd, const char *characters, size_t n,
                 struct etm_vec *samples, struct etm_diag *diag)
{
    size_t i = 0;

    while (i < n && vcd->status == ETM_OK) {
        size_t end = i;

        while (end < n && !is_space(characters[end]))
            end++;
        if (vcd->token.n + (end - i) > TOKEN_MAX)
            etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                         "a word is too long for a value change dump");
        else if (etm_vec_append(&vcd->token, characters + i, end - i) != ETM_OK)
            fail_memory(vcd, diag);
        if (end == n)
            break;
        end_token(vcd, samples, diag);
        if (characters[end] == '\n')
            vcd->line++;
        i = end + 1;
    }
    return vcd->status;
}

int etm_vcd_finish(struct etm_vcd *vcd, struct etm_vec *samples,
                   struct etm_diag *diag)
{
    end_token(vcd, samples, diag);
    if (vcd->status != ETM_OK)
        return vcd->status;
    if (!vcd->defined)
        etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                     "the value change dump ends before $enddefinitions");
    else if (vcd->state == IDENTIFIER)
        etm_vcd_fail(vcd, ETM_ERR_FORMAT, diag,
                     "the value change dump ends within a value");
    else
        end_dump(vcd, samples, diag);
    return vcd->status;
}

int etm_vcd_init(struct etm_vcd *vcd, const struct etm_port_config *config,
                 const char *signals, bool formatted, struct etm_diag *diag)
{
    const struct etm_allocator *a = config->allocator;
    const struct etm_vcd_values unknown = {.clock = 2};

    *vcd = (struct etm_vcd){.config = *config,
                            .line = 1,
                            .now = unknown,
                            .next = unknown,
                            .formatted = formatted};
    etm_vec_init(&vcd->token, 1, a);
    etm_vec_init(&vcd->value, 1, a);
    etm_vec_init(&vcd->names, sizeof(struct etm_vcd_name), a);
    etm_vec_init(&vcd->scopes, 1, a);
    etm_vec_init(&vcd->depths, sizeof(size_t), a);
    etm_vec_init(&vcd->nets, sizeof(struct etm_vcd_net), a);
    etm_vec_init(&vcd->taps, sizeof(struct etm_vcd_tap), a);
    etm_vec_init(&vcd->reference, 1, a);
    vcd->status = etm_port_clock_init(&vcd->clock, config, diag);
    if (vcd->status == ETM_OK)
        vcd->status = etm_vcd_signals_list(vcd, signals, diag);
    return vcd->status;
}

void etm_vcd_fini(struct etm_vcd *vcd)
{
    etm_vec_fini(&vcd->token);
    etm_vec_fini(&vcd->value);
    etm_vec_fini(&vcd->names);
    etm_vec_fini(&vcd->scopes);
    etm_vec_fini(&vcd->depths);
    etm_vec_fini(&vcd->nets);
    etm_vec_fini(&vcd->taps);
    etm_vec_fini(&vcd->reference);
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
