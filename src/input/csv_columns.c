/* SPDX-License-Identifier: Apache-2.0 */
/* What the columns of a table are: names, bits, radix (csv.h). */
#include "input/csv.h"

#include "base/diag.h"
#include "input/bus.h"
#include "input/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_COLUMNS 1024u
#define MAX_WIDTH 4096u

/* sigrok's default: what the columns are, not what they are called. */
#define KIND "logic"

/* The first column of Vivado's tables, whose numbers are hexadecimal in older
 * versions, which do not say so. */
#define VIVADO "Sample in Buffer"

static const char *title_of(const struct etm_csv *csv,
                            const struct etm_csv_column *column)
{
    return (const char *)csv->titles.data + column->title;
}

/* Names */

static bool ends(const char *text, const char *with)
{
    size_t n = strlen(text), m = strlen(with);

    return n >= m && etm_text_same(text + n - m, with);
}

/* Is it a time or the number of a row, which the first columns may be? sigrok
 * calls its times by their unit. */
static bool is_index(const char *title)
{
    static const char *const whole[] = {"sample", "samples", "x-axis"};

    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (etm_text_same(title, whole[i]))
            return true;
    return etm_text_begins(title, "time") || ends(title, "seconds") ||
           etm_text_begins(title, "sample in ") ||
           etm_text_begins(title, "sample number");
}

/* A name in the comment; false: it has not as many. */
static bool comment_name(const struct etm_csv *csv, unsigned number,
                         const char **name, size_t *n)
{
    const char *at = csv->comment.data, *end, *comma;

    if (csv->comment.n == 0)
        return false;
    end = at + csv->comment.n;
    for (; (comma = memchr(at, ',', (size_t)(end - at))) != NULL;
         at = comma + 1)
        if (number-- == 0)
            break;
    if (comma == NULL && number != 0)
        return false;
    *n = (size_t)((comma != NULL ? comma : end) - at);
    for (*name = at; *n > 0 && **name == ' '; (*name)++)
        (*n)--;
    return *n > 0;
}

/* The name of a column that has none of its own: the one of that number in the
 * comment, or the number. */
static int append_title(struct etm_csv *csv, unsigned number)
{
    char own[16];
    const char *name;
    size_t n;

    if (!comment_name(csv, number, &name, &n)) {
        n = (size_t)snprintf(own, sizeof own, "%u", number);
        name = own;
    }
    return etm_vec_append(&csv->titles, name, n);
}

/* The name without blanks, as the words of a dump are joined; cut. */
static void squeeze(const char *title, char *out, size_t capacity)
{
    size_t n = 0;

    for (; *title != '\0' && n + 1 < capacity; title++)
        if (*title != ' ' && *title != '\t')
            out[n++] = *title;
    out[n] = '\0';
}

/* The range in the name of a column; false: it has none. */
static bool read_bus(const struct etm_csv *csv,
                     const struct etm_csv_column *column, struct etm_bus *bus)
{
    const char *title = title_of(csv, column);

    return etm_bus_read(title, strlen(title), bus);
}

/* The bits of a column, as far as they are given: by its name, or else by the
 * list of signals. */
static void set_width(const struct etm_csv *csv, struct etm_csv_column *column)
{
    char name[1024];
    struct etm_bus bus;

    squeeze(title_of(csv, column), name, sizeof name);
    column->width = read_bus(csv, column, &bus)
                        ? 1 + bus.high - bus.low
                        : etm_vcd_signals_bits(&csv->vcd, name);
    /* Vivado says it of all buses */
    if (column->width == 0 && csv->usual == ETM_CSV_HEXADECIMAL)
        column->width = 1;
}

static unsigned count_fields(const struct etm_csv *csv, const char *line,
                             size_t n)
{
    const char *at = line, *field;
    unsigned fields = 0;
    size_t length;

    while (etm_csv_next(csv, &at, line + n, &field, &length))
        fields++;
    return fields;
}

/* The names that a comment has; 0: there is none. */
static unsigned count_names(const struct etm_csv *csv)
{
    const char *names = csv->comment.data;
    unsigned n = csv->comment.n > 0;

    for (size_t i = 0; i < csv->comment.n; i++)
        n += names[i] == ',';
    return n;
}

/* Is it a row, before which sigrok was told to write no names? Names that are
 * numbers are those of the comment. */
static bool is_row(const struct etm_csv *csv, const char *line, size_t n)
{
    unsigned names = count_names(csv), fields = count_fields(csv, line, n);
    const char *at = line, *field;
    size_t length;

    if (names == 0 || fields < names || fields > names + 1)
        return false;
    for (unsigned i = 0; etm_csv_next(csv, &at, line + n, &field, &length); i++)
        if (etm_csv_bit(field, length) == '\0' && (i > 0 || fields == names))
            return false;
    return true;
}

static int add_column(struct etm_csv *csv, const char *title, size_t n,
                      unsigned signals, struct etm_diag *diag)
{
    struct etm_csv_column column = {.title = csv->titles.n};
    int status;

    if (csv->columns.n == MAX_COLUMNS)
        return etm_csv_fail(csv, diag, "a table with too many columns");
    status = n != 0 ? etm_vec_append(&csv->titles, title, n)
                    : append_title(csv, signals);
    if (status == ETM_OK)
        status = etm_vec_append(&csv->titles, "", 1);
    if (status != ETM_OK)
        return etm_csv_fail_memory(csv, diag);
    title = title_of(csv, &column);
    if (csv->columns.n == 0 && etm_text_same(title, VIVADO))
        csv->usual = ETM_CSV_HEXADECIMAL;
    column.ignored = n != 0 && signals == 0 && is_index(title);
    column.unit = etm_csv_time_unit(title);
    set_width(csv, &column);
    if (etm_vec_append(&csv->columns, &column, 1) != ETM_OK)
        return etm_csv_fail_memory(csv, diag);
    return ETM_OK;
}

/* Signal Tap writes the bits of a bus beside it: D[7..0], D[7], D[6] ... */
static bool is_member(const struct etm_csv *csv,
                      const struct etm_csv_column *column)
{
    const struct etm_csv_column *others = csv->columns.data;
    struct etm_bus bit, bus;

    if (!read_bus(csv, column, &bit) || bit.range)
        return false;
    for (size_t i = 0; i < csv->columns.n; i++)
        if (read_bus(csv, &others[i], &bus) && bus.range &&
            bus.length == bit.length &&
            memcmp(title_of(csv, column), title_of(csv, &others[i]),
                   bit.length) == 0 &&
            bit.low >= bus.low && bit.low <= bus.high)
            return true;
    return false;
}

int etm_csv_columns_name(struct etm_csv *csv, const char *line, size_t n,
                         bool *row, struct etm_diag *diag)
{
    static const char time[] = "Time";
    const char *at = line, *end = line + n, *field;
    bool timed;
    unsigned signals = 0;
    size_t length;

    *row = is_row(csv, line, n);
    timed = *row && count_fields(csv, line, n) > count_names(csv);
    while (etm_csv_next(csv, &at, end, &field, &length)) {
        const struct etm_csv_column *columns;

        if (at == NULL && length == 0 && csv->columns.n > 0)
            break; /* a separator at the end of the line */
        if (*row ||
            (length == strlen(KIND) && memcmp(field, KIND, length) == 0))
            length = 0;
        if (timed && csv->columns.n == 0) {
            field = time;
            length = sizeof time - 1;
        }
        if (add_column(csv, field, length, signals, diag) != ETM_OK)
            return csv->vcd.status;
        columns = csv->columns.data;
        signals += !columns[csv->columns.n - 1].ignored;
    }
    if (signals == 0)
        return etm_csv_fail(csv, diag, "a table without columns");
    for (size_t i = 0; i < csv->columns.n; i++) {
        struct etm_csv_column *column =
            (struct etm_csv_column *)csv->columns.data + i;

        column->ignored |= is_member(csv, column);
    }
    return ETM_OK;
}

/* Radix */

bool etm_csv_columns_radix(struct etm_csv *csv, const char *line, size_t n)
{
    static const char begins[] = "Radix - ";
    static const struct {
        const char *name;
        uint8_t radix;
    } rows[] = {{"UNSIGNED", ETM_CSV_DECIMAL}, {"SIGNED", ETM_CSV_DECIMAL},
                {"DECIMAL", ETM_CSV_DECIMAL},  {"HEX", ETM_CSV_HEXADECIMAL},
                {"BINARY", ETM_CSV_BINARY},    {"OCTAL", ETM_CSV_OCTAL}};
    struct etm_csv_column *columns = csv->columns.data;
    const char *at = line, *end = line + n, *field;
    size_t length;

    if (n < sizeof begins - 1 || memcmp(line, begins, sizeof begins - 1) != 0)
        return false;
    at += sizeof begins - 1;
    for (size_t i = 0;
         i < csv->columns.n && etm_csv_next(csv, &at, end, &field, &length);
         i++) {
        columns[i].foreign = length != 0;
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
            if (length != strlen(rows[k].name) ||
                memcmp(field, rows[k].name, length) != 0)
                continue;
            columns[i].radix = rows[k].radix;
            columns[i].foreign = false;
        }
    }
    return true;
}

void etm_csv_columns_survey(struct etm_csv *csv, const char *line, size_t n)
{
    struct etm_csv_column *columns = csv->columns.data;
    const char *at = line, *field;
    size_t length;

    for (size_t i = 0; i < csv->columns.n &&
                       etm_csv_next(csv, &at, line + n, &field, &length);
         i++)
        etm_csv_survey_take(&columns[i].survey, field, length, csv->number);
}

/* Declaration */

static bool is_doubtful(const struct etm_csv_column *column)
{
    return column->width != 1 && column->radix == ETM_CSV_UNKNOWN &&
           column->survey.several;
}

static int declare(struct etm_csv *csv, struct etm_csv_column *column,
                   size_t number)
{
    char head[64];
    int n;

    if (column->radix == ETM_CSV_UNKNOWN)
        column->radix = (uint8_t)etm_csv_survey_radix(
            &column->survey, column->width, csv->usual);
    if (column->width == 0)
        column->width = etm_csv_survey_width(&column->survey);
    if (column->ignored || column->width > MAX_WIDTH)
        return ETM_OK;
    n = snprintf(head, sizeof head, "$var wire %u c%zu ",
                 column->width != 0 ? (unsigned)column->width : 1, number);
    if (etm_vec_append(&csv->text, head, (size_t)n) != ETM_OK ||
        etm_vec_append(&csv->text, title_of(csv, column),
                       strlen(title_of(csv, column))) != ETM_OK)
        return ETM_ERR_MEMORY;
    return etm_vec_append(&csv->text, " $end ", 6);
}

/* The column of an identifier, c0 and so on (vcd.c keeps its characters). */
static struct etm_csv_column *column_of(const struct etm_csv *csv, uint64_t id)
{
    size_t number = 0;

    for (id >>= 8; id != 0; id >>= 8)
        number = 10 * number + (id & 0xff) - '0';
    return (struct etm_csv_column *)csv->columns.data + number;
}

/* Which columns belong to the port: those that are connected, or were meant for
 * it if it is not complete. */
static void find_used(struct etm_csv *csv)
{
    const struct etm_vcd *vcd = &csv->vcd;
    const struct etm_vcd_tap *taps = vcd->taps.data;
    const struct etm_vcd_net *nets = vcd->nets.data;

    for (size_t i = 0; i < vcd->taps.n && vcd->status == ETM_OK; i++)
        column_of(csv, taps[i].id)->used = true;
    for (size_t i = 0; i < vcd->nets.n && vcd->status != ETM_OK; i++)
        column_of(csv, nets[i].id)->used = true;
}

/* "column NAME: VALUE" in this line; the sentence goes on. */
static int fail_column(struct etm_csv *csv, const struct etm_csv_column *column,
                       const char *value, struct etm_diag *diag)
{
    etm_csv_fail(csv, diag, "column ");
    etm_diag_text(diag, title_of(csv, column));
    etm_diag_text(diag, ": ");
    etm_diag_text(diag, value);
    return csv->vcd.status;
}

/* A number in a column of one bit may be a bus. */
static int fail_bit(struct etm_csv *csv, const struct etm_csv_column *column,
                    const char *value, struct etm_diag *diag)
{
    struct etm_csv_number number;
    struct etm_bus bus;

    fail_column(csv, column, value, diag);
    etm_diag_text(diag, " is not 0, 1, x or z");
    if (strpbrk(value, ".,") != NULL) {
        etm_diag_text(diag, ": of analog channels, export the digital values");
    } else if (etm_csv_number_read(value, strlen(value), &number) &&
               !read_bus(csv, column, &bus)) {
        etm_diag_text(diag, ": the bits of a bus have to be in its name in the "
                            "table or in --signals, as in ");
        etm_diag_text(diag, title_of(csv, column));
        etm_diag_text(diag, "[7:0]");
    }
    return csv->vcd.status;
}

static int fail_radix(struct etm_csv *csv, const struct etm_csv_column *column,
                      const char *value, struct etm_diag *diag)
{
    fail_column(csv, column, value, diag);
    etm_diag_text(diag,
                  " may be decimal or hexadecimal: export the bus with 0x "
                  "or in binary");
    return csv->vcd.status;
}

/* A column of the port has to be clear. */
static int check_columns(struct etm_csv *csv, struct etm_diag *diag)
{
    const struct etm_csv_column *columns = csv->columns.data;
    uint64_t here = csv->number;

    for (size_t i = 0; i < csv->columns.n; i++) {
        const struct etm_csv_column *c = &columns[i];

        if (!c->used || (c->width != 0 && !c->foreign && !is_doubtful(c)))
            continue;
        csv->number = c->foreign ? csv->first : c->survey.line;
        if (c->foreign)
            fail_column(csv, c, "a radix that is not read: export it as HEX",
                        diag);
        else if (c->width == 0)
            fail_bit(csv, c, c->survey.text, diag);
        else
            fail_radix(csv, c, c->survey.text, diag);
        csv->number = here;
        return csv->vcd.status;
    }
    return ETM_OK;
}

/* Room for the values of columns that are used. */
static int make_room(struct etm_csv *csv)
{
    struct etm_csv_column *columns = csv->columns.data;
    size_t all = 0, most = 1;

    for (size_t i = 0; i < csv->columns.n; i++) {
        columns[i].at = all;
        if (!columns[i].used)
            continue;
        all += columns[i].width;
        most = columns[i].width > most ? columns[i].width : most;
    }
    csv->last.n = csv->bits.n = 0;
    if (etm_vec_reserve(&csv->last, all + 1) != ETM_OK ||
        etm_vec_reserve(&csv->bits, most) != ETM_OK)
        return ETM_ERR_MEMORY;
    memset(csv->last.data, 0, all);
    csv->row_most = all;
    return ETM_OK;
}

int etm_csv_columns_declare(struct etm_csv *csv, struct etm_diag *diag)
{
    char end[48];
    int length = snprintf(end, sizeof end,
                          "$enddefinitions $end\n#%" PRIu64 "\n", csv->row);
    struct etm_csv_column *columns = csv->columns.data;
    int status = ETM_OK;

    for (size_t i = 0; i < csv->columns.n && status == ETM_OK; i++)
        status = declare(csv, &columns[i], i);
    if (status == ETM_OK)
        status = etm_vec_append(&csv->text, end, (size_t)length);
    return status == ETM_OK ? ETM_OK : etm_csv_fail_memory(csv, diag);
}

int etm_csv_columns_check(struct etm_csv *csv, struct etm_diag *diag)
{
    find_used(csv);
    if (check_columns(csv, diag) != ETM_OK || csv->vcd.status != ETM_OK)
        return csv->vcd.status;
    return make_room(csv) == ETM_OK ? ETM_OK : etm_csv_fail_memory(csv, diag);
}

/* Values */

static int fail_value(struct etm_csv *csv, const struct etm_csv_column *column,
                      const char *value, const struct etm_csv_number *number,
                      struct etm_diag *diag)
{
    static const char *const names[] = {"a ", "a binary ", "an octal ",
                                        "a decimal ", "a hexadecimal "};

    if (value[0] == '\0') {
        fail_column(csv, column, "there is no value", diag);
        return csv->vcd.status;
    }
    if (column->width == 1)
        return fail_bit(csv, column, value, diag);
    if (number != NULL && column->radix == ETM_CSV_UNKNOWN &&
        number->radix == ETM_CSV_UNKNOWN)
        return fail_radix(csv, column, value, diag);
    fail_column(csv, column, value, diag);
    etm_diag_text(diag, " is not ");
    etm_diag_text(diag, names[column->radix]);
    etm_diag_text(diag, "number of ");
    etm_diag_dec(diag, column->width);
    etm_diag_text(diag, " bits");
    return csv->vcd.status;
}

int etm_csv_columns_value(struct etm_csv *csv,
                          const struct etm_csv_column *column,
                          const char *field, size_t n, struct etm_diag *diag)
{
    enum etm_csv_radix radix = (enum etm_csv_radix)column->radix;
    char *bits = csv->bits.data, bit = etm_csv_bit(field, n), shown[33];
    struct etm_csv_number number;
    bool clear, is_number;

    if (bit != '\0' && (column->width == 1 || bit == 'x')) {
        memset(bits, bit, column->width);
        return ETM_OK;
    }
    is_number = etm_csv_number_read(field, n, &number);
    clear = is_number && (radix != ETM_CSV_UNKNOWN || !number.known ||
                          number.radix != ETM_CSV_UNKNOWN ||
                          (number.n == 1 && column->width > 1));
    if (clear && etm_csv_number_bits(&number, radix, column->width, bits))
        return ETM_OK;
    n = n < sizeof shown ? n : sizeof shown - 1;
    memcpy(shown, field, n);
    shown[n] = '\0';
    return fail_value(csv, column, shown, is_number ? &number : NULL, diag);
}
