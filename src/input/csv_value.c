/* SPDX-License-Identifier: Apache-2.0 */
/* Values in tables of analysers (csv_value.h). */
#include "input/csv_value.h"

#include "base/number.h"

#include <string.h>

#define UNDRIVEN (ETM_NO_DIGIT + 1) /* the digit x or z */

static unsigned digit(char c)
{
    unsigned value = etm_digit(c);

    if (value == ETM_NO_DIGIT && c != '\0' && strchr("xXzZ?", c) != NULL)
        return UNDRIVEN;
    return value;
}

/* What may stand between digits. */
static bool is_gap(char c)
{
    return c == ' ' || c == '_';
}

char etm_csv_bit(const char *field, size_t n)
{
    if (n != 1 || *field == '\0')
        return '\0';
    /* H and L: the weak values of VHDL, and the levels of analysers */
    if (*field == '0' || *field == 'l' || *field == 'L')
        return '0';
    if (*field == '1' || *field == 'h' || *field == 'H')
        return '1';
    return strchr("xXzZuUwW-?", *field) != NULL ? 'x' : '\0';
}

static enum etm_csv_radix radix_of(char letter)
{
    switch (letter) {
    case 'b':
    case 'B':
        return ETM_CSV_BINARY;
    case 'o':
    case 'O':
        return ETM_CSV_OCTAL;
    case 'd':
    case 'D':
        return ETM_CSV_DECIMAL;
    case 'h':
    case 'H':
    case 'x':
    case 'X':
        return ETM_CSV_HEXADECIMAL;
    }
    return ETM_CSV_UNKNOWN;
}

/* Examine the digits; false: there is something else. */
static bool count(struct etm_csv_number *number)
{
    number->n = 0;
    number->letters = number->known = false;
    number->binary = true;
    for (size_t i = 0; i < number->length; i++) {
        unsigned value = digit(number->digits[i]);

        if (is_gap(number->digits[i]))
            continue;
        if (value == ETM_NO_DIGIT)
            return false;
        number->n++;
        number->letters |= value >= 10 && value < UNDRIVEN;
        number->binary &= value < 2 || value == UNDRIVEN;
        number->known |= value < UNDRIVEN;
    }
    return number->n > 0;
}

/* Take the digits from `from` up to `end` with this radix. */
static bool take(struct etm_csv_number *number, const char *from,
                 const char *end, enum etm_csv_radix radix)
{
    number->digits = from;
    number->length = (size_t)(end - from);
    number->radix = (uint8_t)radix;
    return count(number);
}

bool etm_csv_number_read(const char *field, size_t n,
                         struct etm_csv_number *number)
{
    const char *end = field + n, *quote;

    *number = (struct etm_csv_number){.negative = n > 1 && *field == '-'};
    if (n > 1 && (*field == '-' || *field == '+'))
        field++;
    if (field == end)
        return false;
    quote = memchr(field, '\'', (size_t)(end - field));
    if (quote != NULL)
        return end - quote > 1 && radix_of(quote[1]) != ETM_CSV_UNKNOWN &&
               take(number, quote + 2, end, radix_of(quote[1]));
    if (end - field > 2 && field[0] == '0' &&
        (radix_of(field[1]) == ETM_CSV_HEXADECIMAL ||
         radix_of(field[1]) == ETM_CSV_OCTAL))
        return take(number, field + 2, end, radix_of(field[1]));
    if (end - field > 2 && field[0] == '0' &&
        radix_of(field[1]) == ETM_CSV_BINARY &&
        take(number, field + 2, end, ETM_CSV_BINARY) && number->binary) {
        number->prefixed = true;
        return true;
    }
    if (end - field > 1 && strchr("$hH", *field) != NULL)
        return take(number, field + 1, end, ETM_CSV_HEXADECIMAL);
    if (end - field > 1 && (end[-1] == 'h' || end[-1] == 'H'))
        return take(number, field, end - 1, ETM_CSV_HEXADECIMAL);
    return take(number, field, end, ETM_CSV_UNKNOWN);
}

/* Write a value of 64 bits; false: it does not fit. */
static bool put(uint64_t value, uint32_t width, char *bits)
{
    for (uint32_t i = 0; i < width; i++)
        bits[width - 1 - i] = i < 64 && (value >> i & 1) != 0 ? '1' : '0';
    return width >= 64 || value >> width == 0;
}

static bool put_decimal(const struct etm_csv_number *number, uint32_t width,
                        char *bits)
{
    uint64_t value = 0;

    for (size_t i = 0; i < number->length; i++) {
        unsigned more = digit(number->digits[i]);

        if (is_gap(number->digits[i]))
            continue;
        if (more > 9 || value > (UINT64_MAX - more) / 10)
            return false;
        value = 10 * value + more;
    }
    if (!number->negative)
        return put(value, width, bits);
    if (width > 64 || value > UINT64_C(1) << (width - 1))
        return false;
    value = 0 - value;
    return put(width < 64 ? value & ((UINT64_C(1) << width) - 1) : value, width,
               bits);
}

/* Digits of 1, 3 or 4 bits each. */
static bool put_digits(const struct etm_csv_number *number, unsigned each,
                       uint32_t width, char *bits)
{
    uint64_t at = 0;

    if (number->negative)
        return false;
    for (size_t i = number->length; i-- > 0;) {
        unsigned value = digit(number->digits[i]);

        if (is_gap(number->digits[i]))
            continue;
        if (value != UNDRIVEN && value >> each != 0)
            return false;
        for (unsigned k = 0; k < each; k++, at++) {
            bool one = value != UNDRIVEN && (value >> k & 1) != 0;

            if (at < width)
                bits[width - 1 - at] = value == UNDRIVEN ? 'x'
                                       : one             ? '1'
                                                         : '0';
            else if (one)
                return false;
        }
    }
    for (; at < width; at++)
        bits[width - 1 - at] = '0';
    return true;
}

bool etm_csv_number_bits(const struct etm_csv_number *number,
                         enum etm_csv_radix radix, uint32_t width, char *bits)
{
    struct etm_csv_number whole = *number;

    if (!number->known) {
        memset(bits, 'x', width);
        return true;
    }
    if (number->prefixed && radix == ETM_CSV_HEXADECIMAL) {
        whole.digits -= 2;
        whole.length += 2;
    } else if (number->radix != ETM_CSV_UNKNOWN) {
        radix = (enum etm_csv_radix)number->radix;
    }
    switch (radix) {
    case ETM_CSV_BINARY:
        return put_digits(&whole, 1, width, bits);
    case ETM_CSV_OCTAL:
        return put_digits(&whole, 3, width, bits);
    case ETM_CSV_DECIMAL:
        return put_decimal(&whole, width, bits);
    case ETM_CSV_UNKNOWN: /* a single digit, which needs none */
    case ETM_CSV_HEXADECIMAL:
        return put_digits(&whole, 4, width, bits);
    }
    return false;
}
