/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of a logic analyser as text, a column each signal: what Saleae Logic
 * exports, and sigrok's csv.
 *
 *     ; comments, one of which may have the names     Time [s],Channel 0,CLK
 *     Time,D0,D1,CLK                                  0.000000000,0,1
 *
 * Each row becomes a time of a value change dump (vcd.h), and the columns its
 * variables; one named Time... is ignored. Columns may also be separated by
 * semicolons or tabs. Values other than 0 and 1 are unknown.
 * Where the line with the names comes again, another table begins.
 */
#ifndef ETM_INPUT_CSV_H
#define ETM_INPUT_CSV_H

#include "input/vcd.h"

struct etm_csv {
    struct etm_vcd vcd;
    struct etm_vec line;  /* char: that is being read */
    struct etm_vec names; /* char: of the columns, from a comment */
    struct etm_vec text;  /* char: of the dump */
    struct etm_vec last;  /* char: the values of the previous row */
    struct etm_vec head;  /* char: the line with the names */
    uint64_t number;      /* of the line */
    uint64_t row;
    unsigned columns; /* 0: their names have not come */
    char separator;   /* of columns */
    bool timed;       /* the first one is the time */
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

#endif
