/* SPDX-License-Identifier: Apache-2.0 */
#include "input/serial.h"

#include "base/fold.h"
#include "base/mark.h"
#include "input/csv.h"
#include "input/text.h"

#include <string.h>

/* Characters of a line that are looked at. */
#define LINE_MOST 512u

#define NO_COLUMN 255u

/* Where a table has what; annotations have none of these. */
struct layout {
    bool annotations;
    struct etm_csv csv; /* its separator only */
    unsigned data, type;
    unsigned errors[2]; /* of framing and of parity */
    bool hexadecimal;   /* numbers without a sign of their base */
};

struct line {
    const char *at;
    size_t n;
};

/* The next line that is neither empty nor a comment; *number counts all. */
static bool next_line(const char **at, const char *end, struct line *line,
                      unsigned *number)
{
    while (*at < end) {
        const char *last = memchr(*at, '\n', (size_t)(end - *at));
        size_t n = (size_t)((last != NULL ? last : end) - *at);

        *line = (struct line){*at, n};
        *at = last != NULL ? last + 1 : end;
        ++*number;
        while (line->n > 0 &&
               (line->at[line->n - 1] == '\r' || line->at[line->n - 1] == ' '))
            line->n--;
        if (line->n != 0 && line->at[0] != ';' && line->at[0] != '#')
            return true;
    }
    return false;
}

/* A field as text; cut off if it is long. */
static void copy(char text[64], const char *field, size_t n)
{
    n = n < 63 ? n : 63;
    memcpy(text, field, n);
    text[n] = '\0';
}

static bool holds(const char *text, const char *part)
{
    size_t n = strlen(part);

    for (; *text != '\0'; text++)
        if (strncmp(text, part, n) == 0)
            return true;
    return false;
}

/* The names of columns; false: they are of another table. */
static bool take_names(struct layout *l, struct line line)
{
    const char *at = line.at, *field;
    bool time = false, type = false, id = false;
    char name[64];
    size_t n;

    *l = (struct layout){
        .data = NO_COLUMN, .type = NO_COLUMN, .errors = {NO_COLUMN, NO_COLUMN}};
    l->csv.separator = etm_csv_separator(line.at, line.n);
    for (unsigned i = 0;
         etm_csv_next(&l->csv, &at, line.at + line.n, &field, &n); i++) {
        copy(name, field, n);
        time |= etm_fold_same(name, "start_time");
        id |= i == 0 && etm_fold_same(name, "id");
        if (etm_fold_same(name, "type")) {
            type = true;
            l->type = i;
        } else if (etm_fold_same(name, "value") ||
                   etm_fold_same(name, "data") || (id && holds(name, "UART"))) {
            l->data = i;
        } else if (etm_fold_same(name, "framing error") ||
                   etm_fold_same(name, "error")) {
            l->errors[0] = i;
        } else if (etm_fold_same(name, "parity error")) {
            l->errors[1] = i;
        }
    }
    l->hexadecimal = id;
    /* tables of pins may have a column of that name, but not these */
    return l->data != NO_COLUMN &&
           (l->errors[1] != NO_COLUMN || (time && type) || id);
}

/* What an annotation says, after the name of the decoder; NULL: it is none of a
 * UART. */
static const char *annotation(struct line line, size_t *n)
{
    const char *end = line.at + line.n, *at = line.at;
    size_t name;

    while (at < end && (*at == '-' || (*at >= '0' && *at <= '9')))
        at++;
    while (at < end && *at == ' ')
        at++;
    name = (size_t)(end - at);
    if (name < 6 || (memcmp(at, "uart", 4) != 0 && memcmp(at, "UART", 4) != 0))
        return NULL;
    /* of several colons, the last one is before the text */
    for (at = end; at > line.at && (at[-1] != ' ' || at[-2] != ':');)
        at--;
    *n = (size_t)(end - at);
    return at > line.at ? at : NULL;
}

static bool find_layout(struct layout *l, const char **at, const char *end,
                        unsigned *number)
{
    const char *first = *at;
    struct line line;
    size_t n;

    if (!next_line(at, end, &line, number) || line.n > LINE_MOST)
        return false;
    if (annotation(line, &n) == NULL)
        return take_names(l, line);
    *l = (struct layout){.annotations = true, .hexadecimal = true};
    *at = first;
    *number = 0;
    return true;
}

bool etm_serial_is(const uint8_t *bytes, size_t n)
{
    size_t mark = etm_mark_size(bytes, n);
    const char *at = (const char *)bytes + mark;
    unsigned number = 0;
    struct layout l;

    return n > mark && find_layout(&l, &at, (const char *)bytes + n, &number);
}

static unsigned digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a' + 10);
    return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 99;
}

/* A number of up to eight bits. */
static bool take_number(const char *text, size_t n, unsigned base,
                        uint8_t *byte)
{
    unsigned value = 0;

    for (size_t i = 0; i < n; i++) {
        if (digit(text[i]) >= base)
            return false;
        value = value * base + digit(text[i]);
        if (value > 255)
            return false;
    }
    *byte = (uint8_t)value;
    return n != 0;
}

/* Characters that Logic writes by their names. */
static bool take_character(const char *text, size_t n, uint8_t *byte)
{
    static const struct {
        const char *name;
        char is;
    } rows[] = {{"\\n", '\n'}, {"\\r", '\r'},  {"\\t", '\t'},
                {"\\0", 0},    {"COMMA", ','}, {"SPACE", ' '}};

    if (n >= 3 && text[0] == '\'' && text[n - 1] == '\'') {
        text++;
        n -= 2;
        if (take_number(text, n, 10, byte)) /* of a character without a name */
            return true;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (n == strlen(rows[i].name) && memcmp(text, rows[i].name, n) == 0) {
            *byte = (uint8_t)rows[i].is;
            return true;
        }
    *byte = (uint8_t)text[0];
    return n == 1;
}

/* "0x48", "0b0100 1000", "72", "H", "'72'", "H (0x48)". */
static bool take_value(const struct layout *l, const char *text, size_t n,
                       uint8_t *byte)
{
    char bits[9];
    size_t k = 0;

    if (n > 3 && text[n - 1] == ')')
        for (size_t i = 0; i + 3 < n; i++)
            if (text[i] == '(')
                return take_value(l, text + i + 1, n - i - 2, byte);
    if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        return take_number(text + 2, n - 2, 16, byte);
    if (n > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
        for (size_t i = 2; i < n && k < sizeof bits; i++)
            if (text[i] != ' ')
                bits[k++] = text[i];
        return k < sizeof bits && take_number(bits, k, 2, byte);
    }
    if (l->hexadecimal)
        return take_number(text, n, 16, byte);
    return take_number(text, n, 10, byte) || take_character(text, n, byte);
}

static int mark(const struct etm_vec *out, struct etm_vec *wrong)
{
    uint64_t last = out->n - 1;

    if (out->n == 0 ||
        (wrong->n != 0 && ((uint64_t *)wrong->data)[wrong->n - 1] == last))
        return ETM_OK;
    return etm_vec_append(wrong, &last, 1);
}

/* An annotation: a byte has two digits, where a bit has one; words are about
 * the byte before. */
static int take_annotation(const struct layout *l, struct line line,
                           struct etm_vec *out, struct etm_vec *wrong)
{
    size_t n = 0;
    const char *text = annotation(line, &n);
    uint8_t byte;

    if (text == NULL)
        return ETM_OK;
    if (n == 2 && take_value(l, text, n, &byte))
        return etm_vec_append(out, &byte, 1);
    return (n == 11 && memcmp(text, "Frame error", n) == 0) ||
                   (n == 12 && memcmp(text, "Parity error", n) == 0)
               ? mark(out, wrong)
               : ETM_OK;
}

/* A row of a table; false: its value is no byte. */
static bool take_row(const struct layout *l, struct line line,
                     struct etm_vec *out, struct etm_vec *wrong, int *status)
{
    const char *at = line.at, *field, *data = NULL;
    bool bad = false, other = false;
    size_t n, n_data = 0;
    uint8_t byte;

    for (unsigned i = 0;
         etm_csv_next(&l->csv, &at, line.at + line.n, &field, &n); i++) {
        if (i == l->data) {
            data = field;
            n_data = n;
        }
        bad |= (i == l->errors[0] || i == l->errors[1]) && n != 0;
        other |= i == l->type && !(n == 4 && memcmp(field, "data", n) == 0);
    }
    if (other)
        return true;
    if (data == NULL || !take_value(l, data, n_data, &byte))
        return false;
    *status = etm_vec_append(out, &byte, 1);
    if (*status == ETM_OK && bad)
        *status = mark(out, wrong);
    return true;
}

int etm_serial_read(const uint8_t *bytes, size_t n, const char *path,
                    struct etm_vec *out, struct etm_vec *wrong,
                    struct etm_diag *diag)
{
    const char *at = (const char *)bytes + etm_mark_size(bytes, n);
    const char *end = (const char *)bytes + n;
    unsigned number = 0;
    struct layout l;
    struct line line;
    int status = ETM_OK;

    if (!find_layout(&l, &at, end, &number))
        return ETM_OK;
    while (status == ETM_OK && next_line(&at, end, &line, &number)) {
        if (l.annotations)
            status = take_annotation(&l, line, out, wrong);
        else if (!take_row(&l, line, out, wrong, &status))
            return etm_text_fail(diag, ETM_ERR_FORMAT, path, number, "%s",
                                 "the value of this row is no byte");
    }
    return status;
}
