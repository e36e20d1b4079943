/* SPDX-License-Identifier: Apache-2.0 */
/* Samples, edges and pulses. */
#include "scenario.h"

#include "port/manchester.h"
#include "port/uart.h"

#include <stdio.h>

static struct etm_port_config port;
static struct etm_vec samples; /* struct etm_port_sample */
static struct etm_vec edges;   /* struct etm_port_edge; of these, or driven */
static struct etm_packer *packer;

/* What `use` has sent: bytes, of which some are triggers. */
static uint8_t used[4096];
static bool used_trigger[sizeof used];
static size_t n_used;

/* A pin: `uart` and `manchester` go on where the last ones ended. */
static struct etm_vec changes; /* struct etm_pin_change */
static double pin_time;
static unsigned pin_level;

static void append(struct etm_vec *vec, const void *value)
{
    if (etm_vec_append(vec, value, 1) != ETM_OK)
        abort();
}

void pins_begin(void)
{
    port = (struct etm_port_config){.size = sizeof port};
    etm_packer_free(packer);
    packer = NULL;
    etm_vec_fini(&samples);
    etm_vec_fini(&edges);
    etm_vec_fini(&changes);
    etm_vec_init(&samples, sizeof(struct etm_port_sample), NULL);
    etm_vec_init(&edges, sizeof(struct etm_port_edge), NULL);
    etm_vec_init(&changes, sizeof(struct etm_pin_change), NULL);
    pin_time = 0;
    pin_level = 2;
    n_used = 0;
}

/* ---- The port ------------------------------------------------------------ */

static const struct named modes[] = {
    {"normal", ETM_PORT_NORMAL},
    {"multiplexed", ETM_PORT_MULTIPLEXED},
    {"demultiplexed", ETM_PORT_DEMULTIPLEXED},
};

static bool port_words(struct words *w, unsigned first)
{
    for (unsigned i = first; i < w->n; i++) {
        int mode;

        if (strcmp(w->word[i], "half_rate") == 0)
            port.half_rate = true;
        else if (NAMED(modes, w->word[i], &mode))
            port.mode = (enum etm_port_mode)mode;
        else
            return false;
    }
    return true;
}

/* port PROTOCOL WIDTH [MODE] [half_rate] */
static bool port_line(struct words *w)
{
    int protocol;
    uint64_t width;

    pins_begin();
    if (w->n < 3 || !NAMED(protocols, w->word[1], &protocol) ||
        !number(w->word[2], 10, &width))
        return wrong("port PROTOCOL WIDTH");
    port.protocol = (enum etm_protocol)protocol;
    port.width = (uint8_t)width;
    return port_words(w, 3);
}

/* Of every interface that takes a port. */
static int status_of_port(void)
{
    struct etm_diag diag;
    struct etm_port_clock clock;
    struct etm_unpacker *u;
    struct etm_packer *p;
    int status = etm_port_check(&port, &diag), stream, edges_status;

    if (status != ETM_OK && diag.what[0] == 0)
        wrong("it does not say why");
    stream = etm_unpacker_new(&u, &port);
    if (stream != etm_packer_new(&p, &port) ||
        (stream == ETM_OK) != (u != NULL))
        wrong("of packers it is another status");
    etm_unpacker_free(u);
    etm_packer_free(p);
    edges_status = etm_port_clock_init(&clock, &port, NULL);
    if (status != ETM_OK && edges_status != status)
        wrong("of its clock it is another status");
    return edges_status;
}

/* port good; port STATUS; port PROTOCOL STATUS WIDTH..WIDTH ... */
static bool expect_port(struct words *w)
{
    int status = status_of_port(), expected;

    if (w->n != 3)
        return wrong("port STATUS");
    if (strcmp(w->word[2], "good") == 0)
        expected = ETM_OK;
    else if (!NAMED(statuses, w->word[2], &expected))
        return false;
    return status == expected || wrong("status %d", status);
}

/* etmcr VALUE good WIDTH [MODE] [half_rate]; etmcr VALUE config: it is not */
static bool expect_etmcr(struct words *w)
{
    uint64_t etmcr, width;
    struct etm_port_config is = port;
    struct etm_diag diag;
    int status;

    if (w->n < 4 || !number(w->word[2], 16, &etmcr))
        return wrong("etmcr VALUE WIDTH");
    status = etm_port_from_etmcr(&is, (uint32_t)etmcr, &diag);
    if (strcmp(w->word[3], "config") == 0)
        return (status == ETM_ERR_CONFIG &&
                (!etm_port_is_stream(&port) ||
                 strcmp(diag.source, "ETMCR") == 0)) ||
               wrong("status %d, %u pins", status, is.width);
    if (status != ETM_OK || !number(w->word[3], 10, &width))
        return wrong("status %d", status);
    port.mode = ETM_PORT_NORMAL;
    port.half_rate = false;
    return expected_number("width", is.width, w->word[3], 10) &&
           port_words(w, 4) &&
           ((is.mode == port.mode && is.half_rate == port.half_rate) ||
            wrong("it is %s%s", NAME_IN(modes, is.mode),
                  is.half_rate ? " half_rate" : ""));
}

/* ---- Samples ------------------------------------------------------------- */

/* `84`; `0c!` with TRACECTL or TRACESYNC; `4f:4` with a PIPESTAT */
static void describe_sample(struct scenario_text *t,
                            const struct etm_port_sample *s)
{
    if (s->status == ETM_PORT_LOST) {
        text_add(t, "lost ");
        return;
    }
    text_add(t, "%02llx%s", (unsigned long long)s->data,
             s->control != 0 ? "!" : "");
    text_add(t, etm_port_is_stream(&port) ? " " : ":%x ", s->status);
}

static bool same_samples(struct words *w, const struct etm_vec *all)
{
    struct scenario_text t = {0};

    for (size_t i = 0; i < all->n; i++)
        describe_sample(&t, (struct etm_port_sample *)all->data + i);
    return same_text(w, 2, &t);
}

/* samples DATA ... */
static bool samples_line(struct words *w)
{
    for (unsigned i = 1; i < w->n; i++) {
        char *end;
        struct etm_port_sample s = {strtoull(w->word[i], &end, 16), 0, 0};

        if (*end == '!') {
            s.control = 1;
            end++;
        }
        if (*end == ':')
            s.status = (uint8_t)strtoul(end + 1, &end, 16);
        if (*end != 0)
            return wrong("not a sample: %s", w->word[i]);
        append(&samples, &s);
    }
    return true;
}

static bool pack_line(struct words *w)
{
    static uint8_t bytes[MOST_BYTES];
    size_t n = 0;
    uint64_t cycles;
    int status;
    const struct etm_port_sample *made;

    if (packer == NULL && etm_packer_new(&packer, &port) != ETM_OK)
        return wrong("the port is refused");
    if (strcmp(w->word[0], "trigger") == 0) {
        status = etm_packer_trigger(packer);
    } else if (strcmp(w->word[0], "drain") == 0) {
        status = etm_packer_drain(packer);
    } else if (strcmp(w->word[0], "idle") == 0) {
        if (w->n != 2 || !number(w->word[1], 10, &cycles))
            return wrong("idle N");
        status = etm_packer_idle(packer, cycles);
    } else {
        if (!take_bytes(w, 1, bytes, &n, MOST_BYTES))
            return false;
        status = etm_packer_push(packer, bytes, n);
    }
    etm_packer_take(packer, &made, &n);
    if (etm_vec_append(&samples, made, n) != ETM_OK)
        abort();
    return status == ETM_OK || wrong("status %d", status);
}

static uint64_t random_word(void)
{
    uint64_t high = random_next(&capture.random);

    return high << 32 | random_next(&capture.random);
}

/* any N: samples of any value that the port can have */
static bool any_line(struct words *w)
{
    uint64_t n,
        mask = port.width < 64 ? (UINT64_C(1) << port.width) - 1 : UINT64_MAX;

    if (w->n != 2 || !number(w->word[1], 10, &n))
        return wrong("any N");
    for (; n != 0; n--) {
        struct etm_port_sample s = {random_word() & mask, 0, 0};

        if (port.protocol != ETM_PROTOCOL_ETMV2)
            s.control = random_word() & 1;
        if (port.protocol == ETM_PROTOCOL_ETMV1)
            s.status = random_word() & 7;
        if (port.protocol == ETM_PROTOCOL_ETMV2)
            s.status = random_word() & 15;
        append(&samples, &s);
    }
    return true;
}

static void use(uint8_t byte, bool trigger)
{
    if (n_used == sizeof used)
        abort();
    used_trigger[n_used] = trigger;
    used[n_used++] = byte;
}

/* use N: bytes, triggers, ignore packets and pauses in any order */
static bool use_line(struct words *w)
{
    struct words one = {1, {"pack"}};
    uint64_t n;
    bool good = w->n == 2 && number(w->word[1], 10, &n);

    for (; good && n != 0; n--) {
        unsigned what = random_word() % 16;
        uint8_t byte = (uint8_t)random_word();
        char text[8];

        one.word[0] = what == 0             ? "trigger"
                      : what == 1 || n == 1 ? "drain"
                      : what < 5            ? "idle"
                                            : "pack";
        one.word[1] = text;
        one.n = what >= 2 && n != 1 ? 2 : 1;
        sprintf(text, what < 5 ? "%u" : "%02x", what < 5 ? what : byte);
        while (one.n == 1 && 8 * n_used % port.width != 0)
            use(0x66, false);
        if (what == 0 && n != 1)
            use(0x0c, true);
        if (what >= 5 && n != 1)
            use(byte, false);
        good = pack_line(&one);
    }
    return good;
}

static bool expect_samples(struct words *w)
{
    return same_samples(w, &samples);
}

/* actions WORD ...: capture trigger alone disabled */
static bool expect_actions(struct words *w)
{
    static const char *const names[] = {"capture", "disabled", "trigger",
                                        "alone"};
    struct scenario_text t = {0};

    for (size_t i = 0; i < samples.n; i++)
        text_add(&t, "%s ",
                 names[etm_port_sample_action(
                     &port, (struct etm_port_sample *)samples.data + i)]);
    return same_text(w, 2, &t);
}

/* ---- The stream of a port ------------------------------------------------ */

/* "84 @2 86 0c / 1- 3:16" of samples, `step` at a time. */
static bool unpack(size_t step, struct scenario_text *t,
                   struct etm_port_counts *counts)
{
    struct etm_unpacker *u;
    struct etm_unpacked made;
    struct scenario_text triggers = {0};
    uint64_t next = 0, n = 0;
    int status = etm_unpacker_new(&u, &port);

    text_add(t, "%s", "");
    for (size_t at = 0; at < samples.n && status == ETM_OK; at += step) {
        const struct etm_port_sample *s = samples.data;
        size_t run = 0;

        status = etm_unpacker_push(
            u, s + at, step < samples.n - at ? step : samples.n - at);
        etm_unpacker_take(u, &made);
        for (size_t i = 0; i < made.n_bytes; i++, n++) {
            const struct etm_port_run *r = made.runs;
            uint64_t sample;

            while (8 * n >= r[run].bit + r[run].n * r[run].width)
                run++;
            sample = etm_port_run_sample(&r[run], 8 * n);
            if (sample != next)
                text_add(t, "@%llu ", (unsigned long long)sample);
            next = sample + 1;
            text_add(t, "%02x ", made.bytes[i]);
        }
        for (size_t i = 0; i < made.n_triggers; i++)
            text_add(&triggers, " %llu:%llu%s",
                     (unsigned long long)made.triggers[i].sample,
                     (unsigned long long)made.triggers[i].bit,
                     made.triggers[i].captured ? "" : "-");
    }
    if (triggers.n != 0)
        text_add(t, "/%s", triggers.text);
    free(triggers.text);
    if (status != ETM_OK)
        return wrong("status %d", status);
    *counts = *etm_unpacker_counts(u);
    etm_unpacker_free(u);
    return true;
}

static bool expect_stream(struct words *w)
{
    struct etm_port_counts counts, other;
    struct scenario_text t = {0};
    bool good = unpack(MOST_BYTES, &t, &counts);

    for (size_t step = 1; step <= samples.n && good; step++) {
        struct scenario_text cut = {0};

        good = unpack(step, &cut, &other) &&
               ((strcmp(t.text, cut.text) == 0 &&
                 memcmp(&counts, &other, sizeof counts) == 0) ||
                wrong("in pieces of %zu: %s", step, cut.text));
        free(cut.text);
    }
    return same_text(w, 2, &t) && good;
}

/* Every byte is in the sample of its first bit, which has it there. */
static bool same_use(const struct etm_unpacked *made)
{
    const struct etm_port_sample *s = samples.data;
    const struct etm_port_run *run = made->runs;
    size_t trigger = 0;

    if (made->n_bytes != n_used || memcmp(made->bytes, used, n_used) != 0)
        return wrong("other bytes than were sent");
    for (uint64_t bit = 0; bit < 8 * n_used; bit++) {
        uint64_t sample, first;

        while (bit >= run->bit + run->n * run->width)
            run++;
        sample = etm_port_run_sample(run, bit);
        first = bit - (bit - run->bit) % run->width;
        if ((s[sample].data >> (bit - first) & 1) !=
            (unsigned)(used[bit / 8] >> bit % 8 & 1))
            return wrong("bit %u is not in sample %u", (unsigned)bit,
                         (unsigned)sample);
        if (bit % 8 != 0 || !used_trigger[bit / 8])
            continue;
        if (trigger == made->n_triggers || made->triggers[trigger].bit != bit ||
            made->triggers[trigger].sample != sample ||
            !made->triggers[trigger].captured)
            return wrong("trigger %zu", trigger);
        trigger++;
    }
    return trigger == made->n_triggers || wrong("too many triggers");
}

/* used: that comes back, also with a sample more at any place, of trace
 * disabled */
static bool expect_used(struct words *w)
{
    bool good = true;

    (void)w;
    for (size_t at = 0; at <= samples.n && good; at++) {
        struct etm_port_sample *s;
        const struct etm_port_sample disabled = {UINT64_MAX, 1, 0};
        struct etm_unpacked made;
        struct etm_unpacker *u;

        append(&samples, &disabled);
        s = samples.data;
        memmove(s + at + 1, s + at, (samples.n - 1 - at) * sizeof *s);
        s[at] = disabled;
        good = etm_unpacker_new(&u, &port) == ETM_OK &&
               etm_unpacker_push(u, s, samples.n) == ETM_OK;
        etm_unpacker_take(u, &made);
        good = good && same_use(&made);
        etm_unpacker_free(u);
        memmove(s + at, s + at + 1, (--samples.n - at) * sizeof *s);
    }
    return good;
}

/* port_counts SAMPLES DISABLED TRIGGERS DROPPED */
static bool expect_port_counts(struct words *w)
{
    struct etm_port_counts c = {0};
    struct scenario_text t = {0}, is = {0};
    bool good = unpack(1, &t, &c);

    text_add(&is, "%llu %llu %llu %llu", (unsigned long long)c.samples,
             (unsigned long long)c.disabled, (unsigned long long)c.triggers,
             (unsigned long long)c.dropped_triggers);
    free(t.text);
    return same_text(w, 2, &is) && good;
}

int unpack_all(const struct etm_allocator *allocator)
{
    struct etm_port_config config = port;
    struct etm_unpacker *u;
    int status;

    config.allocator = allocator;
    status = etm_unpacker_new(&u, &config);
    if (status == ETM_OK)
        status = etm_unpacker_push(u, samples.data, samples.n);
    etm_unpacker_free(u);
    return status;
}

int pack_all(const struct etm_allocator *allocator)
{
    struct etm_port_config config = port;
    struct etm_packer *p;
    int status;

    config.allocator = allocator;
    status = etm_packer_new(&p, &config);
    if (status == ETM_OK)
        status = etm_packer_trigger(p);
    etm_packer_free(p);
    return status;
}

/* ---- Edges --------------------------------------------------------------- */

/* edges PINS+ PINS- ...: rising and falling ones */
static bool edges_line(struct words *w)
{
    for (unsigned i = 1; i < w->n; i++) {
        char *end;
        struct etm_port_edge e = {strtoull(w->word[i], &end, 16), *end == '+'};

        if (strcmp(end, "+") != 0 && strcmp(end, "-") != 0)
            return wrong("not an edge: %s", w->word[i]);
        append(&edges, &e);
    }
    return true;
}

/* drive: the edges that these samples make */
static bool drive_line(struct words *w)
{
    struct etm_port_clock clock;

    (void)w;
    edges.n = 0;
    return (etm_port_clock_init(&clock, &port, NULL) == ETM_OK &&
            etm_port_clock_drive(&clock, samples.data, samples.n, &edges) ==
                ETM_OK &&
            etm_port_clock_finish(&clock, &edges) == ETM_OK) ||
           wrong("it is not driven");
}

static bool expect_edges(struct words *w)
{
    const struct etm_port_edge *e = edges.data;
    struct scenario_text t = {0};

    for (size_t i = 0; i < edges.n; i++)
        text_add(&t, "%llx%c ", (unsigned long long)e[i].pins,
                 e[i].rising ? '+' : '-');
    return same_text(w, 2, &t);
}

/* sampled DATA ...: what is sampled at the edges */
static bool expect_sampled(struct words *w)
{
    bool good = true;

    for (size_t step = 1; step <= edges.n && good; step++) {
        struct etm_vec got;
        struct etm_port_clock clock;
        int status = etm_port_clock_init(&clock, &port, NULL);

        etm_vec_init(&got, sizeof(struct etm_port_sample), NULL);
        for (size_t at = 0; at < edges.n && status == ETM_OK; at += step)
            status = etm_port_clock_sample(
                &clock, (struct etm_port_edge *)edges.data + at,
                step < edges.n - at ? step : edges.n - at, &got);
        good = status == ETM_OK ? same_samples(w, &got)
                                : wrong("status %d", status);
        etm_vec_fini(&got);
    }
    return good;
}

static bool same_vec(const struct etm_vec *got, const char *what)
{
    const struct etm_port_sample *a = got->data, *b = samples.data;

    for (size_t i = 0; i < got->n && i < samples.n; i++)
        if (a[i].data != b[i].data || a[i].control != b[i].control ||
            a[i].status != b[i].status)
            return wrong("%s: sample %zu", what, i);
    return got->n == samples.n || wrong("%s: %zu samples", what, got->n);
}

/* driven N: these samples make N edges, by turns rising and falling, and come
 * back */
static bool expect_driven(struct words *w)
{
    struct etm_port_clock clock;
    const struct etm_port_edge *e;
    struct etm_vec got;
    bool good = w->n == 3 && drive_line(w) &&
                expected_number("edges", edges.n, w->word[2], 10);

    e = edges.data;
    for (size_t i = 0; i < edges.n; i++)
        good = good && e[i].rising == (i % 2 == 0);
    etm_vec_init(&got, sizeof(struct etm_port_sample), NULL);
    good = good && etm_port_clock_init(&clock, &port, NULL) == ETM_OK &&
           etm_port_clock_sample(&clock, e, edges.n, &got) == ETM_OK &&
           same_vec(&got, "driven");
    etm_vec_fini(&got);
    return good;
}

/* lines ["LINE" ...]: so they are written, and what is written is read */
static bool expect_lines(struct words *w)
{
    struct etm_port_text text;
    struct etm_vec got;
    char line[ETM_PORT_LINE_MAX];
    bool good = true;

    etm_vec_init(&got, sizeof(struct etm_port_sample), NULL);
    etm_port_text_init(&text, &port);
    for (size_t i = 0; i < samples.n && good; i++) {
        size_t n = etm_port_text_line(
            &port, (struct etm_port_sample *)samples.data + i, line);

        if (i + 2 < w->n && strcmp(line, w->word[i + 2] + 1) != 0)
            good = wrong("line %zu is %s", i, line);
        if (n != strlen(line) || n >= ETM_PORT_LINE_MAX ||
            etm_port_text_push(&text, line, n, &got, NULL) != ETM_OK)
            good = wrong("sample %zu is not read", i);
    }
    good = good && same_vec(&got, "lines");
    etm_vec_fini(&got);
    return good;
}

/* ---- Pulses -------------------------------------------------------------- */

static void drive(unsigned level, double length)
{
    const struct etm_pin_change change = {(uint64_t)(pin_time + 0.5),
                                          (uint8_t)level};

    if (level != pin_level)
        append(&changes, &change);
    pin_level = level;
    pin_time += length;
}

/* pin LEVEL*LENGTH ... */
static bool pin_line(struct words *w)
{
    for (unsigned i = 1; i < w->n; i++) {
        unsigned level;
        double length;

        if (sscanf(w->word[i], "%u*%lf", &level, &length) != 2)
            return wrong("not a pulse: %s", w->word[i]);
        drive(level, length);
    }
    return true;
}

/* uart BIT BYTES; manchester HALF BYTES: a start bit, these and a stop bit;
 * bits HALF 0110: without a start or a stop */
static bool code_line(struct words *w)
{
    static uint8_t bytes[MOST_BYTES];
    bool uart = strcmp(w->word[0], "uart") == 0;
    double length = w->n > 2 ? strtod(w->word[1], NULL) : 0;
    size_t n = 0;

    if (length <= 0)
        return wrong("%s LENGTH ...", w->word[0]);
    if (strcmp(w->word[0], "bits") == 0) {
        for (const char *bit = w->word[2]; *bit != 0; bit++) {
            drive(*bit == '1', length);
            drive(*bit != '1', length);
        }
        return true;
    }
    if (!take_bytes(w, 2, bytes, &n, MOST_BYTES))
        return false;
    if (!uart) {
        drive(1, length);
        drive(0, length);
    }
    for (size_t i = 0; i < 8 * n; i++) {
        unsigned bit = bytes[i / 8] >> i % 8 & 1;

        if (uart && i % 8 == 0)
            drive(0, length);
        drive(bit, length);
        if (!uart)
            drive(!bit, length);
        if (uart && i % 8 == 7)
            drive(1, length);
    }
    if (!uart)
        drive(0, 2 * length);
    return true;
}

/* period LEAST-MOST: of a pulse, in 256ths */
static bool expect_period(struct words *w)
{
    return w->n == 3 &&
           expected_number("the period",
                           etm_uart_period(changes.data, changes.n), w->word[2],
                           10);
}

/* uart PERIOD BYTES, manchester PERIOD BYTES: what is read; `41?` has no good
 * stop bit, or is no byte. PERIOD `found`: that of the pulses */
static bool expect_code(struct words *w)
{
    bool uart = strcmp(w->word[1], "uart") == 0, good;
    struct etm_vec bytes, bad;
    struct scenario_text t = {0};
    uint64_t period = 0;
    size_t at = 0;

    if (w->n < 3)
        return wrong("%s PERIOD BYTES", w->word[1]);
    period = strcmp(w->word[2], "found") == 0
                 ? etm_uart_period(changes.data, changes.n)
                 : strtoull(w->word[2], NULL, 10) << ETM_UART_FRACTION;
    etm_vec_init(&bytes, 1, NULL);
    etm_vec_init(&bad, sizeof(uint64_t), NULL);
    good = (uart ? etm_uart_bytes : etm_manchester_bytes)(
               changes.data, changes.n, period, &bytes, &bad) == ETM_OK;
    for (size_t i = 0; i < bytes.n; i++) {
        bool is_bad = at < bad.n && ((uint64_t *)bad.data)[at] == i;

        text_add(&t, is_bad ? "?? " : "%02x ", ((uint8_t *)bytes.data)[i]);
        at += is_bad;
    }
    if (good && at != bad.n)
        good = wrong("wrong bytes beyond the last one");
    good = good && same_text(w, 3, &t);
    etm_vec_fini(&bytes);
    etm_vec_fini(&bad);
    return good;
}

/* fits PERIOD yes: it may be Manchester code */
static bool expect_fits(struct words *w)
{
    uint64_t period = w->n != 4 ? 0
                      : strcmp(w->word[2], "found") == 0
                          ? etm_uart_period(changes.data, changes.n)
                          : strtoull(w->word[2], NULL, 10) << ETM_UART_FRACTION;
    bool fits =
        period != 0 && etm_manchester_fits(changes.data, changes.n, period);

    return period != 0 && (fits == (strcmp(w->word[3], "yes") == 0) ||
                           wrong("it does%s", fits ? "" : " not"));
}

const struct verb pin_verbs[] = {
    {"port", port_line},       {"any", any_line},   {"use", use_line},
    {"samples", samples_line}, {"pack", pack_line}, {"trigger", pack_line},
    {"drain", pack_line},      {"idle", pack_line}, {"edges", edges_line},
    {"drive", drive_line},     {"pin", pin_line},   {"uart", code_line},
    {"manchester", code_line}, {"bits", code_line}, {NULL, NULL},
};

const struct verb pin_expected[] = {
    {"port", expect_port},
    {"used", expect_used},
    {"driven", expect_driven},
    {"lines", expect_lines},
    {"etmcr", expect_etmcr},
    {"samples", expect_samples},
    {"actions", expect_actions},
    {"stream", expect_stream},
    {"port_counts", expect_port_counts},
    {"edges", expect_edges},
    {"sampled", expect_sampled},
    {"period", expect_period},
    {"uart", expect_code},
    {"manchester", expect_code},
    {"fits", expect_fits},
    {NULL, NULL},
};
