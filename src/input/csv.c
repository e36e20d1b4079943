/* SPDX-License-Identifier: Apache-2.0 */
/* Converting tables of a logic analyser to value change dumps: lines and rows
 * (csv.h). */
#include "input/csv.h"

#include "base/diag.h"

#include <string.h>

#define LINE_MAX_BYTES 65536u
#define PIECE ((size_t)4096)

/* Characters of rows that show what their columns are. */
#define AHEAD_MOST ((size_t)65536)

/* Characters of two newlines, "#" and a number; of " b", " c" and a column. */
#define TIME_MAX 23u
#define VALUE_MAX 9u

static bool begins(const char *text, size_t n, const char *with)
{
    return n >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

static bool is(const char *text, size_t n, const char *all)
{
    return n == strlen(all) && begins(text, n, all);
}

/* Pass the text to the reader of value change dumps. */
static int pass_text(struct etm_csv *csv, struct etm_vec *samples,
                     struct etm_diag *diag)
{
    int status =
        etm_vcd_push(&csv->vcd, csv->text.data, csv->text.n, samples, diag);

    csv->text.n = 0;
    if (status != ETM_OK && diag != NULL && diag->line != ETM_DIAG_NONE)
        diag->line = csv->known ? csv->number : csv->first;
    return status;
}

/* "; Channels (5/5): D0, D1 ..." of sigrok: after the colon; "#Digilent
 * WaveForms ...". */
static int take_comment(struct etm_csv *csv, const char *line, size_t n,
                        struct etm_diag *diag)
{
    const char *colon;

    while (n > 0 && (*line == ';' || *line == '#' || *line == ' ')) {
        line++;
        n--;
    }
    if (begins(line, n, "Digilent WaveForms"))
        csv->usual = ETM_CSV_DECIMAL;
    colon = memchr(line, ':', n);
    if (!begins(line, n, "Channels") || colon == NULL)
        return ETM_OK;
    csv->comment.n = 0;
    if (etm_vec_append(&csv->comment, colon + 1,
                       n - (size_t)(colon + 1 - line)) != ETM_OK)
        return etm_csv_fail_memory(csv, diag);
    return ETM_OK;
}

/* Does a line belong to what comes before the names: the groups of Signal Tap,
 * up to a line "Data:"; the settings of an oscilloscope by Tektronix, up to a
 * column TIME; the separator, which Excel reads? */
static bool is_preamble(struct etm_csv *csv, const char *line, size_t n)
{
    bool over = csv->preamble && begins(line, n, "TIME");

    csv->preamble |= is(line, n, "Groups:") || begins(line, n, "Model,");
    csv->preamble &= !over;
    if (!is(line, n, "Data:"))
        return csv->preamble || (n == 5 && begins(line, n, "sep="));
    csv->preamble = false;
    return true;
}

static char *put_number(char *out, uint64_t value)
{
    char digits[20];
    unsigned n = 0;

    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    while (n > 0)
        *out++ = digits[--n];
    return out;
}

/* " b0101 c12", " 1c3" */
static char *put_value(char *out, const struct etm_csv *csv, size_t column,
                       uint32_t width)
{
    *out++ = ' ';
    if (width > 1)
        *out++ = 'b';
    memcpy(out, csv->bits.data, width);
    out += width;
    if (width > 1)
        *out++ = ' ';
    *out++ = 'c';
    return put_number(out, column);
}

/* Does the value of a column, often one bit, differ from its last one, which it
 * becomes? */
static bool take_change(char *last, const char *bits, uint32_t width)
{
    bool changed = width == 1 ? *last != *bits : memcmp(last, bits, width) != 0;

    if (changed && width == 1)
        *last = *bits;
    else if (changed)
        memcpy(last, bits, width);
    return changed;
}

/* The changes of a pin are wanted at their times: a row begins with that in its
 * first column, or where it has none with its number. */
static char *put_time(char *out, struct etm_csv *csv, const char *line,
                      size_t n)
{
    const struct etm_csv_column *columns = csv->columns.data;
    const char *at = line, *field;
    uint64_t time = csv->row;
    size_t length;

    if (columns[0].ignored && columns[0].unit != 0 &&
        etm_csv_next(csv, &at, line + n, &field, &length) &&
        etm_csv_time(field, length, columns[0].unit, &time)) {
        csv->vcd.unit = ETM_CSV_TIME_UNIT;
        /* a pretrigger is before 0 */
        time += ETM_CSV_TIME_BIAS;
    }
    *out++ = '#';
    out = put_number(out, time);
    *out++ = '\n';
    return out;
}

/* A row becomes the values that differ from the previous row, or the first
 * value if there are none, and the time at which it ends, so that it is whole
 * whatever follows. */
static int take_row(struct etm_csv *csv, const char *line, size_t n,
                    struct etm_vec *samples, struct etm_diag *diag)
{
    const struct etm_csv_column *columns = csv->columns.data;
    const char *at = line, *end = line + n, *field;
    char *last = csv->last.data, *bits = csv->bits.data, *out;
    size_t column = 0, length;
    bool first = true;

    if (etm_vec_reserve(&csv->text, TIME_MAX + csv->row_most +
                                        VALUE_MAX * csv->columns.n) != ETM_OK)
        return etm_csv_fail_memory(csv, diag);
    out = csv->text.data;
    if (csv->vcd.changes != NULL)
        out = put_time(out, csv, line, n);
    for (; etm_csv_next(csv, &at, end, &field, &length); column++) {
        const struct etm_csv_column *c = &columns[column];

        if (column == csv->columns.n) {
            /* a separator may be at the end of the line */
            column += length != 0 || at != NULL;
            break;
        }
        if (!c->used)
            continue;
        /* nearly all values are one of these */
        if (c->width == 1 && length == 1 && (*field == '0' || *field == '1'))
            *bits = *field;
        else if (etm_csv_columns_value(csv, c, field, length, diag) != ETM_OK)
            return csv->vcd.status;
        if (!take_change(last + c->at, bits, c->width) && !first)
            continue;
        first = false;
        out = put_value(out, csv, column, c->width);
    }
    if (column != csv->columns.n)
        return etm_csv_fail(
            csv, diag,
            "a row does not have as many values as there are columns");
    *out++ = '\n';
    csv->row++;
    if (csv->vcd.changes == NULL) {
        *out++ = '#';
        out = put_number(out, csv->row);
        *out++ = '\n';
    }
    csv->text.n = (size_t)(out - (char *)csv->text.data);
    return pass_text(csv, samples, diag);
}

/* The columns are known, as far as they will be: take the rows that waited. */
static int end_waiting(struct etm_csv *csv, struct etm_vec *samples,
                       struct etm_diag *diag)
{
    const char *line = csv->ahead.data;
    size_t left = csv->ahead.n;
    uint64_t number = csv->number;

    if (csv->known || csv->columns.n == 0 ||
        etm_csv_columns_declare(csv, diag) != ETM_OK ||
        pass_text(csv, samples, diag) == ETM_ERR_MEMORY ||
        etm_csv_columns_check(csv, diag) != ETM_OK)
        return csv->vcd.status;
    csv->known = true;
    csv->number = csv->first;
    while (left > 0 && csv->vcd.status == ETM_OK) {
        const char *newline = memchr(line, '\n', left);

        csv->number++;
        if (newline > line)
            (void)take_row(csv, line, (size_t)(newline - line), samples, diag);
        left -= (size_t)(newline + 1 - line);
        line = newline + 1;
    }
    if (csv->vcd.status == ETM_OK)
        csv->number = number;
    csv->ahead.n = 0;
    return csv->vcd.status;
}

/* A line that waits; one that is no row is empty. */
static int wait(struct etm_csv *csv, const char *line, size_t n,
                struct etm_vec *samples, struct etm_diag *diag)
{
    if (etm_vec_append(&csv->ahead, line, n) != ETM_OK ||
        etm_vec_append(&csv->ahead, "\n", 1) != ETM_OK)
        return etm_csv_fail_memory(csv, diag);
    etm_csv_columns_survey(csv, line, n);
    return csv->ahead.n >= AHEAD_MOST ? end_waiting(csv, samples, diag)
                                      : ETM_OK;
}

/* Take a line as that of the names. */
static int take_names(struct etm_csv *csv, const char *line, size_t n,
                      struct etm_vec *samples, struct etm_diag *diag)
{
    bool row;

    csv->separator = etm_csv_separator(line, n);
    csv->first = csv->number;
    if (etm_vec_append(&csv->head, line, n) != ETM_OK)
        return etm_csv_fail_memory(csv, diag);
    if (etm_csv_columns_name(csv, line, n, &row, diag) != ETM_OK || !row)
        return csv->vcd.status;
    csv->first--;
    csv->head.n = 0;
    return wait(csv, line, n, samples, diag);
}

/* The names of the columns again, which are no values: another table begins
 * (E-531). */
static bool is_head(const struct etm_csv *csv, const char *line, size_t n)
{
    if (csv->columns.n == 0 || n != csv->head.n || n == 0 ||
        memcmp(line, csv->head.data, n) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (memchr("01,;\t \"", line[i], 7) == NULL)
            return true;
    return false;
}

/* A line after the names that is no row: a comment, the line after the names
 * that says the radix or, in tables of oscilloscopes, the units. */
static bool is_remark(struct etm_csv *csv, const char *line, size_t n)
{
    return (*line == ';' && csv->separator != ';') || *line == '#' ||
           begins(line, n, "META ") || /* a line of sigrok's command */
           etm_csv_columns_radix(csv, line, n) || begins(line, n, "second,");
}

static int take_line(struct etm_csv *csv, const char *line, size_t n,
                     struct etm_vec *samples, struct etm_diag *diag)
{
    csv->number++;
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\r'))
        n--;
    if (n > 0 && is_head(csv, line, n)) {
        if (end_waiting(csv, samples, diag) != ETM_OK)
            return csv->vcd.status;
        csv->head.n = csv->columns.n = csv->titles.n = 0;
        csv->known = false;
    }
    if (n > 0 && (*line == ';' || *line == '#') &&
        take_comment(csv, line, n, diag) != ETM_OK)
        return csv->vcd.status;
    if (csv->columns.n == 0) {
        if (n == 0 || *line == ';' || *line == '#' ||
            begins(line, n, "META ") || is_preamble(csv, line, n))
            return ETM_OK;
        return take_names(csv, line, n, samples, diag);
    }
    if (n > 0 && is_remark(csv, line, n))
        n = 0;
    if (!csv->known)
        return wait(csv, line, n, samples, diag);
    return n > 0 ? take_row(csv, line, n, samples, diag) : ETM_OK;
}

int etm_csv_push(struct etm_csv *csv, const char *characters, size_t n,
                 struct etm_vec *samples, struct etm_diag *diag)
{
    while (n > 0 && csv->vcd.status == ETM_OK) {
        const char *newline = memchr(characters, '\n', n);
        size_t piece = newline != NULL ? (size_t)(newline - characters) : n;

        if (csv->line.n + piece > LINE_MAX_BYTES) {
            csv->number++; /* it is behind the last one that was taken */
            return etm_csv_fail(csv, diag, "a line is too long for a table");
        }
        if (etm_vec_append(&csv->line, characters, piece) != ETM_OK)
            return etm_csv_fail_memory(csv, diag);
        if (newline == NULL)
            break;
        (void)take_line(csv, csv->line.data, csv->line.n, samples, diag);
        csv->line.n = 0;
        characters += piece + 1;
        n -= piece + 1;
    }
    return csv->vcd.status;
}

int etm_csv_finish(struct etm_csv *csv, struct etm_vec *samples,
                   struct etm_diag *diag)
{
    if (csv->vcd.status == ETM_OK && csv->line.n > 0)
        (void)take_line(csv, csv->line.data, csv->line.n, samples, diag);
    csv->line.n = 0;
    if (csv->vcd.status != ETM_OK)
        return csv->vcd.status;
    if (csv->columns.n == 0)
        return etm_csv_fail(csv, diag, "a table without column names");
    if (end_waiting(csv, samples, diag) != ETM_OK)
        return csv->vcd.status;
    return etm_vcd_finish(&csv->vcd, samples, diag);
}

int etm_csv_init(struct etm_csv *csv, const struct etm_port_config *config,
                 const char *signals, bool formatted, struct etm_diag *diag)
{
    const struct etm_allocator *a = config->allocator;

    *csv = (struct etm_csv){.separator = ','};
    etm_vec_init(&csv->line, 1, a);
    etm_vec_init(&csv->comment, 1, a);
    etm_vec_init(&csv->head, 1, a);
    etm_vec_init(&csv->columns, sizeof(struct etm_csv_column), a);
    etm_vec_init(&csv->titles, 1, a);
    etm_vec_init(&csv->ahead, 1, a);
    etm_vec_init(&csv->text, 1, a);
    etm_vec_init(&csv->last, 1, a);
    etm_vec_init(&csv->bits, 1, a);
    return etm_vcd_init(&csv->vcd, config, signals, formatted, diag);
}

void etm_csv_fini(struct etm_csv *csv)
{
    etm_vec_fini(&csv->line);
    etm_vec_fini(&csv->comment);
    etm_vec_fini(&csv->head);
    etm_vec_fini(&csv->columns);
    etm_vec_fini(&csv->titles);
    etm_vec_fini(&csv->ahead);
    etm_vec_fini(&csv->text);
    etm_vec_fini(&csv->last);
    etm_vec_fini(&csv->bits);
    etm_vcd_fini(&csv->vcd);
}

int etm_csv_width(const struct etm_port_config *config, const char *signals,
                  const char *characters, size_t n, unsigned *width)
{
    struct etm_port_config widest = *config;
    bool stream = etm_port_is_stream(config);
    struct etm_vec samples;
    struct etm_csv csv;
    int status;

    *width = 0;
    widest.width = stream ? 32 : 16;
    etm_vec_init(&samples, sizeof(struct etm_port_sample), config->allocator);
    status = etm_csv_init(&csv, &widest, signals, false, NULL);
    for (size_t i = 0; i < n && status == ETM_OK && !csv.known; i += PIECE)
        status = etm_csv_push(&csv, characters + i,
                              n - i < PIECE ? n - i : PIECE, &samples, NULL);
    if (status == ETM_OK)
        status = end_waiting(&csv, &samples, NULL);
    if (csv.vcd.defined)
        *width = csv.vcd.widths[stream ? ETM_VCD_TRACEDATA : ETM_VCD_TRACEPKT];
    etm_csv_fini(&csv);
    etm_vec_fini(&samples);
    return status == ETM_ERR_MEMORY ? status : ETM_OK;
}
