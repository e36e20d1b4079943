/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of files with samples of a port, which are read in pieces of many
 * sizes. */
#include "scenario.h"

#include "input/port_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct named forms[8] = {
    {"auto", ETM_PORT_FORM_AUTO},       {"text", ETM_PORT_FORM_TEXT},
    {"vcd", ETM_PORT_FORM_VCD},         {"csv", ETM_PORT_FORM_CSV},
    {"openocd", ETM_PORT_FORM_OPENOCD}, {"records", ETM_PORT_FORM_RECORDS},
    {"etb", ETM_PORT_FORM_ETB},         {"bytes", ETM_PORT_FORM_BYTES},
};

static struct etm_port_reader_config config;
static char list[512]; /* of signals */

void port_begin(void)
{
    config = (struct etm_port_reader_config){.form = ETM_PORT_FORM_AUTO};
}

bool is_port(void)
{
    return config.port.protocol != ETM_PROTOCOL_NONE;
}

/* port PROTOCOL WIDTH FORM [half_rate] [formatted] [MODE] */
bool port_line(struct words *w)
{
    static const struct named modes[] = {
        {"multiplexed", ETM_PORT_MULTIPLEXED},
        {"demultiplexed", ETM_PORT_DEMULTIPLEXED},
    };
    int protocol, form, mode;
    uint64_t width;

    if (w->n < 4)
        return wrong("port PROTOCOL WIDTH FORM");
    if (!NAMED(protocols, w->word[1], &protocol) ||
        !number(w->word[2], 10, &width) || !NAMED(forms, w->word[3], &form))
        return false;
    config = (struct etm_port_reader_config){
        .port = {.protocol = (enum etm_protocol)protocol,
                 .width = (uint8_t)width},
        .form = (enum etm_port_form)form};
    for (unsigned i = 4; i < w->n; i++) {
        if (strcmp(w->word[i], "half_rate") == 0)
            config.port.half_rate = true;
        else if (strcmp(w->word[i], "formatted") == 0)
            config.formatted = true;
        else if (NAMED(modes, w->word[i], &mode))
            config.port.mode = (enum etm_port_mode)mode;
        else
            return false;
    }
    return true;
}

/* The list is the rest of the line; without one it is not given. */
bool port_signals(const char *text)
{
    if (!substitute(text + (*text == ' '), list, sizeof list))
        return false;
    config.signals = list[0] != 0 ? list : NULL;
    return true;
}

static int read_in_pieces(const struct etm_port_reader_config *c, size_t step,
                          struct etm_vec *samples, struct etm_diag *diag)
{
    struct etm_port_reader reader;
    int status = etm_port_reader_init(&reader, c, diag);

    etm_vec_init(samples, sizeof(struct etm_port_sample), c->port.allocator);
    for (size_t at = 0; at < content.n && status == ETM_OK; at += step)
        status = etm_port_reader_push(
            &reader, content.bytes + at,
            step < content.n - at ? step : content.n - at, samples, diag);
    if (status == ETM_OK)
        status = etm_port_reader_finish(&reader, samples, diag);
    etm_port_reader_fini(&reader);
    return status;
}

/* DATA[/CONTROL[/STATUS]], lost */
static bool sample_of(const char *word, struct etm_port_sample *s)
{
    unsigned control = 0, status = 0;
    int n = 0;

    *s = (struct etm_port_sample){.status = ETM_PORT_LOST};
    if (strcmp(word, "lost") == 0)
        return true;
    if (sscanf(word, "%" SCNx64 "%n/%x%n/%x%n", &s->data, &n, &control, &n,
               &status, &n) < 1 ||
        word[n] != 0)
        return wrong("not a sample: %s", word);
    s->control = (uint8_t)control;
    s->status = (uint8_t)status;
    return true;
}

static bool same_samples(const struct etm_vec *samples, const struct words *w)
{
    const struct etm_port_sample *s = samples->data;
    struct etm_port_sample expected;

    for (unsigned i = 2; i < w->n; i++) {
        if (!sample_of(w->word[i], &expected))
            return false;
        if (i - 2 >= samples->n)
            break;
        if (s[i - 2].data != expected.data ||
            s[i - 2].control != expected.control ||
            s[i - 2].status != expected.status)
            return wrong("sample %u is %" PRIx64 "/%x/%x", i - 1, s[i - 2].data,
                         s[i - 2].control, s[i - 2].status);
    }
    return samples->n == w->n - 2 || wrong("there are %zu", samples->n);
}

static bool expect_samples(const struct words *w)
{
    bool good = true;

    for (size_t step = 1; step <= content.n && good; step += 1 + step / 8) {
        struct etm_vec samples;
        struct etm_diag diag = {0};

        if (read_in_pieces(&config, step, &samples, &diag) != ETM_OK)
            good = wrong("line %d: %s", (int)diag.line, diag.what);
        good = good && same_samples(&samples, w);
        etm_vec_fini(&samples);
    }
    return good;
}

/* expect samples SAMPLE ...; form FORM; width N; etmcr N */
bool port_expect(struct words *w)
{
    const char *word = w->word[1];
    enum etm_port_form is = etm_port_form_of(content.bytes, content.n);
    int form;
    uint64_t wanted;
    unsigned width = 99;
    uint32_t etmcr = 0;

    if (strcmp(word, "samples") == 0)
        return expect_samples(w);
    if (w->n != 3)
        return wrong("not known: %s", word);
    if (strcmp(word, "form") == 0)
        return NAMED(forms, w->word[2], &form) &&
               ((int)is == form || wrong("it is of form %d", (int)is));
    if (strcmp(word, "etmcr") == 0)
        return number(w->word[2], 16, &wanted) &&
               ((etm_port_openocd_header(content.bytes, content.n, &etmcr) &&
                 etmcr == wanted) ||
                wrong("ETMCR is %x", (unsigned)etmcr));
    if (strcmp(word, "width") != 0)
        return wrong("not known: %s", word);
    if (etm_port_form_width(config.form, &config.port, config.signals,
                            content.bytes, content.n, &width) != ETM_OK)
        return wrong("there is no width");
    return number(w->word[2], 10, &wanted) &&
           (width == wanted || wrong("the width is %u", width));
}

/* refused STATUS [line=N] [offset=N] [samples=N] "TEXT": so many before it */
bool port_refused(struct words *w)
{
    const char *text = w->n > 2 ? quoted(w->word[w->n - 1]) : NULL;
    uint64_t line = ETM_DIAG_NONE, offset = ETM_DIAG_NONE, n = UINT64_MAX;
    int status;

    if (text == NULL || !NAMED(statuses, w->word[1], &status))
        return wrong("refused STATUS [line=N] \"TEXT\"");
    for (unsigned i = 2; i < w->n - 1; i++) {
        char *l = value_of(w->word[i], "line");
        char *o = value_of(w->word[i], "offset");
        char *s = value_of(w->word[i], "samples");

        if (l != NULL   ? !number(l, 10, &line)
            : s != NULL ? !number(s, 10, &n)
                        : o == NULL || !number(o, 10, &offset))
            return wrong("not known: %s", w->word[i]);
    }
    for (size_t step = 1; step <= content.n + 1; step += 1 + step / 4) {
        struct etm_vec samples;
        struct etm_diag diag = {0};
        int is = read_in_pieces(&config, step, &samples, &diag);
        size_t samples_before = samples.n;

        etm_vec_fini(&samples);
        if (read_in_pieces(&config, step, &samples, NULL) != is)
            return wrong("without a diag it is another status");
        etm_vec_fini(&samples);
        if (n != UINT64_MAX && samples_before != n)
            return wrong("%zu samples before it", samples_before);
        if (is != status || diag.status != status)
            return wrong("status %d: %s", is, diag.what);
        if (strstr(diag.what, text) == NULL)
            return wrong("it says \"%s\"", diag.what);
        if (diag.line != line || diag.offset != offset)
            return wrong("line %d, offset %d", (int)diag.line,
                         (int)diag.offset);
    }
    return true;
}

static int read_all(const struct etm_allocator *allocator)
{
    struct etm_port_reader_config c = config;
    struct etm_vec samples;
    int status;

    c.port.allocator = allocator;
    status = read_in_pieces(&c, 7, &samples, NULL);
    etm_vec_fini(&samples);
    return status;
}

bool port_scarce(void)
{
    return each_call_fails(read_all, ETM_OK, 1);
}
