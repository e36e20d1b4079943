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

static bool looks_like_openocd(const uint8_t *bytes, size_t n)
{
    uint32_t etmcr;

    return etm_port_openocd_header(bytes, n, &etmcr);
}

static int text_init(struct etm_port_reader *r,
                     const struct etm_port_reader_config *config,
                     struct etm_diag *diag)
{
    (void)diag;
    etm_port_text_init(&r->text, &config->port);
    return ETM_OK;
}

static int text_push(struct etm_port_reader *r, const uint8_t *bytes, size_t n,
                     struct etm_vec *samples, struct etm_diag *diag)
{
    return etm_port_text_push(&r->text, (const char *)bytes, n, samples, diag);
}

static int text_finish(struct etm_port_reader *r, struct etm_vec *samples,
                       struct etm_diag *diag)
{
    return etm_port_text_finish(&r->text, samples, diag);
}

static int vcd_init(struct etm_port_reader *r,
                    const struct etm_port_reader_config *config,
                    struct etm_diag *diag)
{
    return etm_vcd_init(&r->vcd, &config->port, config->signals,
                        config->formatted, diag);
}

static int vcd_push(struct etm_port_reader *r, const uint8_t *bytes, size_t n,
                    struct etm_vec *samples, struct etm_diag *diag)
{
    return etm_vcd_push(&r->vcd, (const char *)bytes, n, samples, diag);
}

static int vcd_finish(struct etm_port_reader *r, struct etm_vec *samples,
                      struct etm_diag *diag)
{
    return etm_vcd_finish(&r->vcd, samples, diag);
}

static void vcd_fini(struct etm_port_reader *r)
{
    etm_vcd_fini(&r->vcd);
}

static int csv_init(struct etm_port_reader *r,
                    const struct etm_port_reader_config *config,
                    struct etm_diag *diag)
{
    return etm_csv_init(&r->csv, &config->port, config->signals,
                        config->formatted, diag);
}

static int csv_push(struct etm_port_reader *r, const uint8_t *bytes, size_t n,
                    struct etm_vec *samples, struct etm_diag *diag)
{
    return etm_csv_push(&r->csv, (const char *)bytes, n, samples, diag);
}

static int csv_finish(struct etm_port_reader *r, struct etm_vec *samples,
                      struct etm_diag *diag)
{
    return etm_csv_finish(&r->csv, samples, diag);
}

static void csv_fini(struct etm_port_reader *r)
{
    etm_csv_fini(&r->csv);
}

static int units_init(struct etm_port_reader *r,
                      const struct etm_port_reader_config *config,
                      struct etm_diag *diag)
{
    return etm_port_units_init(&r->units, &config->port, config->form, diag);
}

static int units_push(struct etm_port_reader *r, const uint8_t *bytes, size_t n,
                      struct etm_vec *samples, struct etm_diag *diag)
{
    return etm_port_units_push(&r->units, bytes, n, samples, diag);
}

static int units_finish(struct etm_port_reader *r, struct etm_vec *samples,
                        struct etm_diag *diag)
{
    return etm_port_units_finish(&r->units, samples, diag);
}

/* A form of files, and its reader. */
struct etm_port_form_row {
    enum etm_port_form form;
    bool text; /* a byte order mark may come first */
    /* Does a file look like this, without its mark? NULL: nothing shows it. */
    bool (*is)(const uint8_t *bytes, size_t n);
    int (*init)(struct etm_port_reader *reader,
                const struct etm_port_reader_config *config,
                struct etm_diag *diag);
    int (*push)(struct etm_port_reader *reader, const uint8_t *bytes, size_t n,
                struct etm_vec *samples, struct etm_diag *diag);
    int (*finish)(struct etm_port_reader *reader, struct etm_vec *samples,
                  struct etm_diag *diag);
    void (*fini)(struct etm_port_reader *reader); /* NULL: nothing to free */
    /* The width that names of signals tell; NULL: they have no names. */
    int (*width)(const struct etm_port_config *config, const char *signals,
                 const char *characters, size_t n, unsigned *width);
};

#define UNITS(name, looks)                                                     \
    {                                                                          \
        .form = ETM_PORT_FORM_##name, .is = (looks), .init = units_init,       \
        .push = units_push, .finish = units_finish                             \
    }

/* The first row that a file looks like is its form. */
static const struct etm_port_form_row rows[] = {
    UNITS(OPENOCD, looks_like_openocd),
    {.form = ETM_PORT_FORM_VCD,
     .text = true,
     .is = looks_like_vcd,
     .init = vcd_init,
     .push = vcd_push,
     .finish = vcd_finish,
     .fini = vcd_fini,
     .width = etm_vcd_width},
    {.form = ETM_PORT_FORM_CSV,
     .text = true,
     .is = looks_like_csv,
     .init = csv_init,
     .push = csv_push,
     .finish = csv_finish,
     .fini = csv_fini,
     .width = etm_csv_width},
    {.form = ETM_PORT_FORM_TEXT,
     .text = true,
     .init = text_init,
     .push = text_push,
     .finish = text_finish},
    UNITS(RECORDS, NULL),
    UNITS(ETB, NULL),
    UNITS(BYTES, NULL),
};

#define N_ROWS (sizeof rows / sizeof *rows)

static const struct etm_port_form_row *row_of(enum etm_port_form form)
{
    for (size_t i = 0; i < N_ROWS; i++)
        if (rows[i].form == form)
            return &rows[i];
    return NULL;
}

enum etm_port_form etm_port_form_of(const uint8_t *bytes, size_t n)
{
    size_t mark = etm_mark_size(bytes, n);

    for (size_t i = 0; i < N_ROWS; i++) {
        size_t skip = rows[i].text ? mark : 0;

        if (rows[i].is && rows[i].is(bytes + skip, n - skip))
            return rows[i].form;
    }
    return ETM_PORT_FORM_TEXT;
}

bool etm_port_form_is_named(enum etm_port_form form)
{
    const struct etm_port_form_row *row = row_of(form);

    return row != NULL && row->width != NULL;
}

int etm_port_form_width(enum etm_port_form form,
                        const struct etm_port_config *config,
                        const char *signals, const uint8_t *bytes, size_t n,
                        unsigned *width)
{
    const struct etm_port_form_row *row = row_of(form);
    size_t mark = etm_mark_size(bytes, n);

    *width = 0;
    if (row == NULL || row->width == NULL)
        return ETM_OK;
    return row->width(config, signals, (const char *)bytes + mark, n - mark,
                      width);
}

int etm_port_reader_init(struct etm_port_reader *reader,
                         const struct etm_port_reader_config *config,
                         struct etm_diag *diag)
{
    int status = etm_port_check(&config->port, diag);

    *reader = (struct etm_port_reader){.form = config->form};
    if (status != ETM_OK)
        return status;
    reader->row = row_of(config->form);
    if (reader->row == NULL)
        return etm_diag_begin(diag, ETM_ERR_ARGUMENT, NULL);
    return reader->row->init(reader, config, diag);
}

void etm_port_reader_fini(struct etm_port_reader *reader)
{
    if (reader->row != NULL && reader->row->fini != NULL)
        reader->row->fini(reader);
    reader->row = NULL;
}

size_t etm_port_reader_piece(const struct etm_port_reader *reader, size_t most)
{
    bool long_lines =
        reader->form == ETM_PORT_FORM_VCD && reader->vcd.period != 0;

    return long_lines && most > FEW ? FEW : most;
}

/* The text begins: what looked like a byte order mark, but was cut off, is part
 * of it. */
static int begin_text(struct etm_port_reader *reader, struct etm_vec *samples,
                      struct etm_diag *diag)
{
    size_t n = reader->mark < ETM_MARK_SIZE ? reader->mark : 0;

    reader->started = true;
    return n != 0 ? reader->row->push(reader, (const uint8_t *)ETM_MARK, n,
                                      samples, diag)
                  : ETM_OK;
}

int etm_port_reader_push(struct etm_port_reader *reader, const uint8_t *bytes,
                         size_t n, struct etm_vec *samples,
                         struct etm_diag *diag)
{
    int status = ETM_OK;

    if (!reader->started && reader->row->text) {
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
    return status == ETM_OK ? reader->row->push(reader, bytes, n, samples, diag)
                            : status;
}

int etm_port_reader_finish(struct etm_port_reader *reader,
                           struct etm_vec *samples, struct etm_diag *diag)
{
    int status = ETM_OK;

    if (!reader->started && reader->row->text)
        status = begin_text(reader, samples, diag);
    return status == ETM_OK ? reader->row->finish(reader, samples, diag)
                            : status;
}
