/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a logic analyser as text, a column each signal or bus: what Vivado,
 * Signal Tap, WaveForms, Saleae Logic, sigrok and DSView export.
 *
 *     ; comments, one of which may have the names     Time [s],Channel 0,CLK
 *     Time,D0,D1,CLK                                  0.000000000,0,1
 *
 *     Sample in Buffer,TRIGGER,TRACEDATA[31:0]        Data:
 *     Radix - UNSIGNED,UNSIGNED,HEX                   time unit:
 * ns,D[7..0],CTL, 0,1,7fffffff                                    0,80,0,
 *
 * Each row becomes a time of a value change dump (vcd.h), and the columns its
 * variables; one named Time... is ignored. Columns may also be separated by
 * semicolons or tabs. Where the line with the names comes again, another table
 * begins.
 *
 * How many bits a column has, and in which radix its numbers are, is found once
 * (csv_columns.c): its name has a range, a line says the radix, or the first
 * rows show it, which wait until then. A column of the port whose bits or radix
 * nothing shows is an error, and so is a value that its column cannot have.
 */
#ifndef ETM_INPUT_CSV_H
#define ETM_INPUT_CSV_H

#include "input/csv_survey.h"
#include "input/vcd.h"

struct etm_csv_column {
    size_t title;   /* of its name in etm_csv.titles */
    size_t at;      /* of its first bit in etm_csv.last */
    uint32_t width; /* bits; 0: nothing says how many */
    uint8_t radix;  /* of numbers that show none: enum etm_csv_radix */
    bool ignored;   /* a time or a number of the row, no signal */
    uint8_t unit;   /* of a time: it is in 10 to minus this seconds, plus 1; 0:
                       it is none */
    bool used;      /* it belongs to the port */
    bool foreign;   /* in a radix that is not read: ASCII, floating point */
    struct etm_csv_survey survey;
};

struct etm_csv {
    struct etm_vcd vcd;
    struct etm_vec line;    /* char: that is being read */
    struct etm_vec comment; /* char: names of columns, from a comment */
    struct etm_vec head;    /* char: the line with the names */
    struct etm_vec columns; /* struct etm_csv_column */
    struct etm_vec titles;  /* char: their names, each terminated */
    struct etm_vec ahead;   /* char: lines that wait until these are known */
    struct etm_vec text;    /* char: of the dump */
    struct etm_vec last;    /* char: the values of the previous row, */
    struct etm_vec bits;    /* char: and those of one column of this row */
    uint64_t number;        /* of the line */
    uint64_t first;         /* of the line before those in `ahead` */
    uint64_t row;
    size_t row_most;          /* characters of a row in the dump */
    char separator;           /* of columns */
    bool preamble;            /* what comes before the names is not over */
    bool known;               /* the columns are: `ahead` is empty */
    enum etm_csv_radix usual; /* of numbers, in a table of this program */
};

/* As etm_vcd_init(); fini is due afterwards, also after a failure. */
int etm_csv_init(struct etm_csv *csv, const struct etm_port_config *config,
                 const char *signals, bool formatted, struct etm_diag *diag);
void etm_csv_fini(struct etm_csv *csv);

/* As etm_vcd_push() and etm_vcd_finish(). */
int etm_csv_push(struct etm_csv *csv, const char *characters, size_t n,
                 struct etm_vec *samples, struct etm_diag *diag);
int etm_csv_finish(struct etm_csv *csv, struct etm_vec *samples,
                   struct etm_diag *diag);

/* As etm_vcd_width(). */
int etm_csv_width(const struct etm_port_config *config, const char *signals,
                  const char *characters, size_t n, unsigned *width);

/* csv_time.c: times of rows, in picoseconds, modulo 2^64, and what makes those
 * before 0 positive. */
#define ETM_CSV_TIME_UNIT 1000u /* femtoseconds */
#define ETM_CSV_TIME_BIAS (UINT64_C(1) << 62)

/* struct etm_csv_column.unit of a column with this title. */
uint8_t etm_csv_time_unit(const char *title);

/* A number of that unit, "-1.25e-06"; false: it is none, or too long. */
bool etm_csv_time(const char *text, size_t n, uint8_t unit, uint64_t *time);

/* csv_columns.c: for csv.c only. Errors are those of the whole, sticky. */

/* Take the fields of a line as names of the columns. *row: they are those of
 * the comment instead, and the line is a row. */
int etm_csv_columns_name(struct etm_csv *csv, const char *line, size_t n,
                         bool *row, struct etm_diag *diag);

/* "Radix - UNSIGNED,HEX,...": false if the line is none of these. */
bool etm_csv_columns_radix(struct etm_csv *csv, const char *line, size_t n);

/* Look at the values of a row. */
void etm_csv_columns_survey(struct etm_csv *csv, const char *line, size_t n);

/* No more rows are needed: declare the columns in csv->text. */
int etm_csv_columns_declare(struct etm_csv *csv, struct etm_diag *diag);

/* This was read: a column of the port has to be clear. */
int etm_csv_columns_check(struct etm_csv *csv, struct etm_diag *diag);

/* A value of a column that is used, as characters 0, 1 and x in csv->bits. */
int etm_csv_columns_value(struct etm_csv *csv,
                          const struct etm_csv_column *column,
                          const char *field, size_t n, struct etm_diag *diag);

/* csv_fields.c: for these only */

/* The separator in a line with names. */
char etm_csv_separator(const char *names, size_t n);

/* The next field of a line, without the blanks and quotes around it; false:
 * there is none. */
bool etm_csv_next(const struct etm_csv *csv, const char **at, const char *end,
                  const char **field, size_t *n);

/* An error in the current line. */
int etm_csv_fail(struct etm_csv *csv, struct etm_diag *diag, const char *what);
int etm_csv_fail_memory(struct etm_csv *csv, struct etm_diag *diag);

#endif
