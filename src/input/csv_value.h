/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values in tables of analysers: bits, and numbers in the ways that tools write
 * them: 1F, 0x1F, 1Fh, h1F, $1F, 8'h1F, 0b11111, -3; `x` and `z` are digits.
 */
#ifndef ETM_INPUT_CSV_VALUE_H
#define ETM_INPUT_CSV_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum etm_csv_radix {
    ETM_CSV_UNKNOWN,
    ETM_CSV_BINARY,
    ETM_CSV_OCTAL,
    ETM_CSV_DECIMAL, /* also with a sign, in two's complement */
    ETM_CSV_HEXADECIMAL
};

struct etm_csv_number {
    const char *digits; /* with blanks and underscores between them */
    size_t length;      /* of these */
    uint32_t n;         /* digits */
    uint8_t radix;      /* that it shows: enum etm_csv_radix */
    bool prefixed;      /* by 0b, which may as well be hexadecimal digits */
    bool negative;
    bool letters; /* there are a to f among the digits */
    bool binary;  /* all of them are 0, 1, x or z */
    bool known;   /* not all of them are x or z */
};

/* '0', '1' or 'x': the value of one bit; '\0': it is none. */
char etm_csv_bit(const char *field, size_t n);

/* False: it is no number. *number has pointers into the field. */
bool etm_csv_number_read(const char *field, size_t n,
                         struct etm_csv_number *number);

/*
 * Its bits as characters 0, 1 and x, the highest first; `radix` is that of
 * numbers which show none. False: it is no number of that radix, or has more
 * than `width` bits.
 */
bool etm_csv_number_bits(const struct etm_csv_number *number,
                         enum etm_csv_radix radix, uint32_t width, char *bits);

#endif
