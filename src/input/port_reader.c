/* SPDX-License-Identifier: Apache-2.0 */
/* Files with samples of a trace port: their form, and its reader. */
#include "input/port_reader.h"

#include "base/diag.h"
#include "base/mark.h"

#include <string.h>

/* Bytes that give at most some millions of samples. */
#define FEW 64u

/* Does a text begin with a keyword of VCD? Nothing else begins with `$`, but a
 * line of sigrok may come before it. */
static bool looks_like_vcd(const uint8_t *bytes, size_t n)
{
    static const char meta[] = "META ";
    size_t i = 0;

    if (n >= sizeof meta && memcmp(bytes, meta, sizeof meta - 1) == 0)
        return true;
    while (i < n && (bytes[i] == ' ' || (bytes[i] >= '\t' && bytes[i] <= '\r')))
        i++;
    return i + 1 < n && bytes[i] == '$' && bytes[i + 1] >= 'a' &&
           bytes[i + 1] <= 'z';
}

/* What a line of our own text form has before a comment. */
static bool is_hexadecimal(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (memchr("0123456789abcdefABCDEF \t\r", bytes[i], 25) == NULL)
            return false;
    return true;
}

/* A line of our own text form, which may end with a comment. */
static bool is_sample(const uint8_t *line, size_t n)
{
    const uint8_t *hash = memchr(line, '#', n);

    return is_hexadecimal(line, hash != NULL ? (size_t)(hash - line) : n);
}

/* The first line that is neither blank nor a comment, which tables of some
 * analysers and our own text form may have before everything; false: it has not
 * come. *n: without the end of the line. */
static bool first_line(const uint8_t **line, size_t *n)
{
    const uint8_t *at = *line, *end = at + *n;

    while (at < end) {
        const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));
        const uint8_t *last = newline != NULL ? newline : end, *c = at;

        while (c < last && memchr(" \t\r", *c, 3) != NULL)
            c++;
        if (c < last && *c != '#') {
            *line = at;
            *n = (size_t)(last - at);
            return true;
        }
        at = newline != NULL ? newline + 1 : end;
    }
    return false;
}

static bool is_line(const uint8_t *line, size_t n, const char *text)
{
    size_t length = strlen(text);

    return n >= length && memcmp(line, text, length) == 0 &&
           (n == length || (n == length + 1 && line[length] == '\r'));
}

/* Does it begin with a comment of sigrok or a section of Signal Tap, or does
 * its first line have a separator of columns, not in a comment of our own text
 * form, which may have tabs? */
static bool looks_like_csv(const uint8_t *bytes, size_t n)
{
    if (!first_line(&bytes, &n))
        return false;
    if (bytes[0] == ';' || is_line(bytes, n, "Groups:") ||
        is_line(bytes, n, "Data:"))
        return true;
    if (memchr(bytes, '#', n) != NULL && is_sample(bytes, n))
        return false;
    return memchr(bytes, ',', n) != NULL || memchr(bytes, ';', n) != NULL ||
           (memchr(bytes, '\t', n) != NULL && !is_hexadecimal(bytes, n));
}

bool etm_port_form_is_clear(const uint8_t *bytes, size_t n)
{
    const uint8_t *end = bytes + n;

    return first_line(&bytes, &n) && bytes + n < end;
}

bool etm_port_form_is_samples(const uint8_t *bytes, size_t n)
{
    return !first_line(&bytes, &n) || is_sample(bytes, n);
}

enum etm_port_form etm_port_form_of(const uint8_t *bytes, size_t n)
{
    size_t mark = etm_mark_size(bytes, n);
    uint32_t etmcr;

    if (etm_port_openocd_header(bytes, n, &etmcr))
        return ETM_PORT_FORM_OPENOCD;
    bytes += mark;
    n -= mark;
    if (looks_like_vcd(bytes, n))
        return ETM_PORT_FORM_VCD;
    return looks_like_csv(bytes, n) ? ETM_PORT_FORM_CSV : ETM_PORT_FORM_TEXT;
}

bool etm_port_form_is_named(enum etm_port_form form)
{
    return form == ETM_PORT_FORM_VCD || form == ETM_PORT_FORM_CSV;
}

int etm_port_form_width(enum etm_port_form form,
                        const struct etm_port_config *config,
                        const char *signals, const uint8_t *bytes, size_t n,
                        unsigned *width)
{
    size_t mark = etm_mark_size(bytes, n);

    *width = 0;
    bytes += mark;
    n -= mark;
    if (form == ETM_PORT_FORM_VCD)
        return etm_vcd_width(config, signals, (const char *)bytes, n, width);
    if (form == ETM_PORT_FORM_CSV)
        return etm_csv_width(config, signals, (const char *)bytes, n, width);
    return ETM_OK;
}

int etm_port_reader_init(struct etm_port_reader *reader,
                         const struct etm_port_reader_config *config,
                         struct etm_diag *diag)
{
    int status = etm_port_check(&config->port, diag);

    *reader = (struct etm_port_reader){.form = config->form};
    if (status != ETM_OK)
        return status;
    switch (config->form) {
    case ETM_PORT_FORM_AUTO:
        return etm_diag_begin(diag, ETM_ERR_ARGUMENT, NULL);
    case ETM_PORT_FORM_TEXT:
        etm_port_text_init(&reader->text, &config->port);
        break;
    case ETM_PORT_FORM_VCD:
        reader->begun = true;
        return etm_vcd_init(&reader->vcd, &config->port, config->signals,
                            config->formatted, diag);
    case ETM_PORT_FORM_CSV:
        reader->begun = true;
        return etm_csv_init(&reader->csv, &config->port, config->signals,
                            config->formatted, diag);
    case ETM_PORT_FORM_OPENOCD:
    case ETM_PORT_FORM_RECORDS:
    case ETM_PORT_FORM_ETB:
    case ETM_PORT_FORM_BYTES:
        return etm_port_units_init(&reader->units, &config->port, config->form,
                                   diag);
    }
    return ETM_OK;
}

void etm_port_reader_fini(struct etm_port_reader *reader)
{
    if (reader->begun && reader->form == ETM_PORT_FORM_VCD)
        etm_vcd_fini(&reader->vcd);
    if (reader->begun && reader->form == ETM_PORT_FORM_CSV)
        etm_csv_fini(&reader->csv);
    reader->begun = false;
}

size_t etm_port_reader_piece(const struct etm_port_reader *reader, size_t most)
{
    bool long_lines = reader->begun && reader->form == ETM_PORT_FORM_VCD &&
                      reader->vcd.period != 0;

    return long_lines && most > FEW ? FEW : most;
}

static int push(struct etm_port_reader *reader, const uint8_t *bytes, size_t n,
                struct etm_vec *samples, struct etm_diag *diag)
{
    switch (reader->form) {
    case ETM_PORT_FORM_TEXT:
        return etm_port_text_push(&reader->text, (const char *)bytes, n,
                                  samples, diag);
    case ETM_PORT_FORM_VCD:
        return etm_vcd_push(&reader->vcd, (const char *)bytes, n, samples,
                            diag);
    case ETM_PORT_FORM_CSV:
        return etm_csv_push(&reader->csv, (const char *)bytes, n, samples,
                            diag);
    case ETM_PORT_FORM_OPENOCD:
    case ETM_PORT_FORM_RECORDS:
    case ETM_PORT_FORM_ETB:
    case ETM_PORT_FORM_BYTES:
        return etm_port_units_push(&reader->units, bytes, n, samples, diag);
    case ETM_PORT_FORM_AUTO:
        break;
    }
    return etm_diag_begin(diag, ETM_ERR_ARGUMENT, NULL);
}

static bool is_text(enum etm_port_form form)
{
    return form == ETM_PORT_FORM_TEXT || etm_port_form_is_named(form);
}

/* The text begins: what looked like a byte order mark, but was cut off, is part
 * of it. */
static int begin_text(struct etm_port_reader *reader, struct etm_vec *samples,
                      struct etm_diag *diag)
{
    size_t n = reader->mark < ETM_MARK_SIZE ? reader->mark : 0;

    reader->started = true;
    return n != 0 ? push(reader, (const uint8_t *)ETM_MARK, n, samples, diag)
                  : ETM_OK;
}

int etm_port_reader_push(struct etm_port_reader *reader, const uint8_t *bytes,
                         size_t n, struct etm_vec *samples,
                         struct etm_diag *diag)
{
    int status = ETM_OK;

    if (!reader->started && is_text(reader->form)) {
        while (n != 0 && reader->mark < ETM_MARK_SIZE &&
               bytes[0] == (uint8_t)ETM_MARK[reader->mark]) {
            reader->mark++;
            bytes++;
            n--;
        }
        if (n == 0)
            return ETM_OK;
        status = begin_text(reader, samples, diag);
    }
    return status == ETM_OK ? push(reader, bytes, n, samples, diag) : status;
}

static int finish(struct etm_port_reader *reader, struct etm_vec *samples,
                  struct etm_diag *diag)
{
    switch (reader->form) {
    case ETM_PORT_FORM_TEXT:
        return etm_port_text_finish(&reader->text, samples, diag);
    case ETM_PORT_FORM_VCD:
        return etm_vcd_finish(&reader->vcd, samples, diag);
    case ETM_PORT_FORM_CSV:
        return etm_csv_finish(&reader->csv, samples, diag);
    case ETM_PORT_FORM_OPENOCD:
    case ETM_PORT_FORM_RECORDS:
    case ETM_PORT_FORM_ETB:
    case ETM_PORT_FORM_BYTES:
        return etm_port_units_finish(&reader->units, samples, diag);
    case ETM_PORT_FORM_AUTO:
        break;
    }
    return etm_diag_begin(diag, ETM_ERR_ARGUMENT, NULL);
}

int etm_port_reader_finish(struct etm_port_reader *reader,
                           struct etm_vec *samples, struct etm_diag *diag)
{
    int status = ETM_OK;

    if (!reader->started && is_text(reader->form))
        status = begin_text(reader, samples, diag);
    return status == ETM_OK ? finish(reader, samples, diag) : status;
}
