/* SPDX-License-Identifier: Apache-2.0 */
/* Converting tables of a logic analyser to value change dumps (csv.h). */
#include "input/csv.h"

#include "base/diag.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 65536u
#define MAX_COLUMNS 1024u
#define PIECE ((size_t)4096)

/* Characters of "#", a number and a newline; of " 0c" and a column. */
#define TIME_MAX 22u
#define VALUE_MAX 7u

/* sigrok's default: what the columns are, not what they are called. */
#define KIND "logic"

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '"';
}

/* The separator of columns: a program that writes numbers with a comma uses a
 * different one, and so does one whose tables are TSV. */
static char separator_of(const char *names, size_t n)
{
    if (memchr(names, ',', n) != NULL)
        return ',';
    if (memchr(names, ';', n) != NULL)
        return ';';
    return memchr(names, '\t', n) != NULL ? '\t' : ',';
}

/* The next field of a line, without the blanks and quotes around it; false:
 * there is none. */
static bool next_field(const char **at, const char *end, char separator,
                       const char **field, size_t *n)
{
    const char *comma, *last;

    if (*at == NULL)
        return false;
    comma = memchr(*at, separator, (size_t)(end - *at));
    last = comma != NULL ? comma : end;
    *field = *at;
    *at = comma != NULL ? comma + 1 : NULL;
    while (*field < last && is_space(**field))
        (*field)++;
    while (last > *field && is_space(last[-1]))
        last--;
    *n = (size_t)(last - *field);
    return true;
}

static bool begins(const char *text, size_t n, const char *with)
{
    return n >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

static int put(struct etm_csv *csv, const char *text, size_t n)
{
    return etm_vec_append(&csv->text, text, n);
}

/* Pass the text to the reader of value change dumps. */
static int push_text(struct etm_csv *csv, struct etm_vec *samples,
                     struct etm_diag *diag)
{
    int status =
        etm_vcd_push(&csv->vcd, csv->text.data, csv->text.n, samples, diag);

    csv->text.n = 0;
    if (status != ETM_OK && diag != NULL && diag->line != ETM_DIAG_NONE)
        diag->line = csv->number;
    return status;
}

static int fail(struct etm_csv *csv, struct etm_diag *diag, const char *what)
{
    etm_vcd_fail(&csv->vcd, ETM_ERR_FORMAT, diag, what);
    if (diag != NULL)
        diag->line = csv->number > 0 ? csv->number : 1;
    return csv->vcd.status;
}

/* Declare a column; one without a name gets its number. */
static int declare(struct etm_csv *csv, unsigned column, const char *name,
                   size_t n)
{
    char head[64], own[16];
    int length = snprintf(head, sizeof head, "$var wire 1 c%u ", column);
    int status = put(csv, head, (size_t)length);

    if (n == 0) {
        length = snprintf(own, sizeof own, "%u", column);
        name = own;
        n = (size_t)length;
    }
    if (status == ETM_OK)
        status = put(csv, name, n);
    return status == ETM_OK ? put(csv, " $end ", 6) : status;
}

/* "; Channels (5/5): D0, D1 ...": after the colon. */
static int take_comment(struct etm_csv *csv, const char *line, size_t n)
{
    const char *colon;

    while (n > 0 && (*line == ';' || is_space(*line))) {
        line++;
        n--;
    }
    colon = memchr(line, ':', n);
    if (!begins(line, n, "Channels") || colon == NULL)
        return ETM_OK;
    csv->names.n = 0;
    return etm_vec_append(&csv->names, colon + 1,
                          n - (size_t)(colon + 1 - line));
}

/* Take the columns of a line as those of the table. */
static int take_names(struct etm_csv *csv, const char *line, size_t n,
                      struct etm_vec *samples, struct etm_diag *diag)
{
    const char *at = line, *end = line + n, *field;
    bool named = csv->names.n > 0;
    const char *other = named ? csv->names.data : NULL;
    const char *other_end = named ? other + csv->names.n : NULL;
    size_t length;
    int status = etm_vec_append(&csv->head, line, n);

    csv->separator = separator_of(line, n);
    while (status == ETM_OK &&
           next_field(&at, end, csv->separator, &field, &length)) {
        bool first = csv->columns == 0 && !csv->timed;
        const char *name = field;

        if (csv->columns == MAX_COLUMNS)
            return fail(csv, diag, "a table with too many columns");
        if (first &&
            (begins(field, length, "Time") || begins(field, length, "time"))) {
            csv->timed = true;
            continue;
        }
        if (length == strlen(KIND) && begins(field, length, KIND) &&
            !next_field(&other, other_end, ',', &name, &length))
            length = 0;
        status = declare(csv, csv->columns++, name, length);
        if (status == ETM_OK)
            status = etm_vec_append(&csv->last, "", 1);
    }
    if (status == ETM_OK && csv->columns == 0)
        return fail(csv, diag, "a table without columns");
    if (status == ETM_OK)
        status = put(csv, "$enddefinitions $end\n", 21);
    return status == ETM_OK ? push_text(csv, samples, diag) : status;
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

/* A row becomes its time and the values that differ from the previous row, or
 * the first value if there are none. */
static int take_row(struct etm_csv *csv, const char *line, size_t n,
                    struct etm_vec *samples, struct etm_diag *diag)
{
    const char *at = line, *end = line + n, *field;
    char *last = csv->last.data, *out;
    unsigned column = 0;
    size_t length;

    if (etm_vec_reserve(&csv->text, TIME_MAX + VALUE_MAX * csv->columns) !=
        ETM_OK)
        return ETM_ERR_MEMORY;
    out = csv->text.data;
    *out++ = '#';
    out = put_number(out, csv->row++);
    if (csv->timed)
        (void)next_field(&at, end, csv->separator, &field, &length);
    while (next_field(&at, end, csv->separator, &field, &length)) {
        bool known = length == 1 && (*field == '0' || *field == '1');
        char value = known ? *field : 'x';

        if (column++ == csv->columns)
            break;
        if (value == last[column - 1] && column > 1)
            continue;
        last[column - 1] = value;
        *out++ = ' ';
        *out++ = value;
        *out++ = 'c';
        out = put_number(out, column - 1);
    }
    if (column != csv->columns)
        return fail(csv, diag,
                    "a row does not have as many values as there are columns");
    *out++ = '\n';
    csv->text.n = (size_t)(out - (char *)csv->text.data);
    return push_text(csv, samples, diag);
}

/* The names of the columns again, which are no values: another table begins
 * (E-531). */
static bool is_head(const struct etm_csv *csv, const char *line, size_t n)
{
    if (csv->columns == 0 || n != csv->head.n ||
        memcmp(line, csv->head.data, n) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (memchr("01,;\t \"", line[i], 7) == NULL)
            return true;
    return false;
}

static int take_line(struct etm_csv *csv, const char *line, size_t n,
                     struct etm_vec *samples, struct etm_diag *diag)
{
    int status;

    csv->number++;
    while (n > 0 && is_space(line[n - 1]) && line[n - 1] != '"')
        n--;
    if (n == 0)
        return ETM_OK;
    if (is_head(csv, line, n)) {
        csv->head.n = csv->last.n = 0;
        csv->columns = 0;
        csv->timed = false;
    }
    if (*line == ';')
        status = take_comment(csv, line, n);
    else if (begins(line, n, "META "))
        return ETM_OK; /* a line of sigrok's command */
    else if (csv->columns == 0)
        status = take_names(csv, line, n, samples, diag);
    else
        status = take_row(csv, line, n, samples, diag);
    if (status == ETM_ERR_MEMORY && csv->vcd.status == ETM_OK)
        csv->vcd.status = etm_diag_begin(diag, status, NULL);
    return csv->vcd.status;
}

int etm_csv_push(struct etm_csv *csv, const char *characters, size_t n,
                 struct etm_vec *samples, struct etm_diag *diag)
{
    while (n > 0 && csv->vcd.status == ETM_OK) {
        const char *newline = memchr(characters, '\n', n);
        size_t piece = newline != NULL ? (size_t)(newline - characters) : n;

        if (csv->line.n + piece > LINE_MAX_BYTES)
            return fail(csv, diag, "a line is too long for a table");
        if (etm_vec_append(&csv->line, characters, piece) != ETM_OK) {
            csv->vcd.status = etm_diag_begin(diag, ETM_ERR_MEMORY, NULL);
            break;
        }
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
    if (csv->columns == 0)
        return fail(csv, diag, "a table without column names");
    return etm_vcd_finish(&csv->vcd, samples, diag);
}

int etm_csv_init(struct etm_csv *csv, const struct etm_port_config *config,
                 const char *signals, bool formatted, struct etm_diag *diag)
{
    const struct etm_allocator *a = config->allocator;

    csv->number = csv->row = 0;
    csv->columns = 0;
    csv->timed = false;
    etm_vec_init(&csv->line, 1, a);
    etm_vec_init(&csv->names, 1, a);
    etm_vec_init(&csv->text, 1, a);
    etm_vec_init(&csv->last, 1, a);
    etm_vec_init(&csv->head, 1, a);
    return etm_vcd_init(&csv->vcd, config, signals, formatted, diag);
}

void etm_csv_fini(struct etm_csv *csv)
{
    etm_vec_fini(&csv->line);
    etm_vec_fini(&csv->names);
    etm_vec_fini(&csv->text);
    etm_vec_fini(&csv->last);
    etm_vec_fini(&csv->head);
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
    for (size_t i = 0; i < n && status == ETM_OK && csv.columns == 0;
         i += PIECE)
        status = etm_csv_push(&csv, characters + i,
                              n - i < PIECE ? n - i : PIECE, &samples, NULL);
    if (csv.vcd.defined)
        *width = csv.vcd.widths[stream ? ETM_VCD_TRACEDATA : ETM_VCD_TRACEPKT];
    etm_csv_fini(&csv);
    etm_vec_fini(&samples);
    return status == ETM_ERR_MEMORY ? status : ETM_OK;
}
