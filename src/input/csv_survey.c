/* SPDX-License-Identifier: Apache-2.0 */
/* What values show of their column (csv_survey.h). */
#include "input/csv_survey.h"

#include <string.h>

/* Numbers without a letter among their digits: of so many different ones that
 * were hexadecimal, one would have a letter. */
#define DECIMAL_LEAST 24u

/* The value of a number whose digits are hexadecimal, for its hash, and its
 * bits. */
static uint64_t read_hexadecimal(const struct etm_csv_number *number,
                                 uint32_t *bits)
{
    char all[64];
    uint64_t value = 0;

    *bits = 65;
    if (!etm_csv_number_bits(number, ETM_CSV_HEXADECIMAL, sizeof all, all))
        return 0;
    for (size_t i = 0; i < sizeof all; i++)
        value = value << 1 | (all[i] == '1');
    for (*bits = 0; *bits < 64 && value >> *bits != 0;)
        (*bits)++;
    return value;
}

static void survey_digits(struct etm_csv_survey *s,
                          const struct etm_csv_number *number)
{
    uint32_t bits;
    uint64_t value = read_hexadecimal(number, &bits);

    s->values |= UINT64_C(1) << (value * UINT64_C(0x9e3779b97f4a7c15) >> 58);
    if (bits > s->bits)
        s->bits = bits;
    s->several |= number->n > 1;
    s->zeros |= number->n > 1 && *number->digits == '0';
    s->letters |= number->letters;
}

/* Is it one bit all the same: 1'b0, 0x1? */
static bool is_one_bit(const struct etm_csv_number *number)
{
    char bit;

    return number->n == 1 && number->radix != ETM_CSV_UNKNOWN &&
           etm_csv_number_bits(number, ETM_CSV_UNKNOWN, 1, &bit);
}

void etm_csv_survey_take(struct etm_csv_survey *s, const char *field, size_t n,
                         uint64_t line)
{
    struct etm_csv_number number;
    bool is_number = etm_csv_number_read(field, n, &number);
    bool first, bit, doubtful;

    if (n == 0 || etm_csv_bit(field, n) == 'x' || (is_number && !number.known))
        return; /* of any width and radix, or an error later */
    bit = etm_csv_bit(field, n) != '\0' || (is_number && is_one_bit(&number));
    doubtful = is_number && number.radix == ETM_CSV_UNKNOWN && number.n > 1;
    if (!bit && (s->line == 0 || (doubtful && !s->several))) {
        s->line = line;
        n = n < sizeof s->text ? n : sizeof s->text - 1;
        memset(s->text, 0, sizeof s->text);
        memcpy(s->text, field, n);
    }
    s->other |= !is_number && !bit;
    if (!is_number)
        return;
    first = s->most == 0;
    s->numbers |= !bit;
    s->radix = first || s->radix == number.radix ? number.radix
                                                 : (uint8_t)ETM_CSV_UNKNOWN;
    s->binary = (first || s->binary) && number.binary;
    s->negative |= number.negative;
    if (first || number.n < s->least)
        s->least = number.n;
    if (number.n > s->most)
        s->most = number.n;
    if (number.radix == ETM_CSV_UNKNOWN)
        survey_digits(s, &number);
}

static unsigned count_values(uint64_t values)
{
    unsigned n = 0;

    for (; values != 0; values &= values - 1)
        n++;
    return n;
}

/* Only hexadecimal numbers have letters, and zeros at the beginning; what does
 * not fit is not hexadecimal. */
enum etm_csv_radix etm_csv_survey_radix(const struct etm_csv_survey *s,
                                        uint32_t width,
                                        enum etm_csv_radix usual)
{
    if (s->negative)
        return ETM_CSV_DECIMAL;
    if (s->letters)
        return ETM_CSV_HEXADECIMAL;
    if (s->binary && width > 1 && s->least == width && s->most == width)
        return ETM_CSV_BINARY;
    if (s->zeros)
        return ETM_CSV_HEXADECIMAL;
    if (width != 0 && s->bits > width)
        return ETM_CSV_DECIMAL;
    if (usual != ETM_CSV_UNKNOWN)
        return usual;
    return count_values(s->values) >= DECIMAL_LEAST ? ETM_CSV_DECIMAL
                                                    : ETM_CSV_UNKNOWN;
}

uint32_t etm_csv_survey_width(const struct etm_csv_survey *s)
{
    if (s->other || !s->numbers)
        return 1;
    if (s->least != s->most)
        return 0;
    if (s->radix == ETM_CSV_BINARY)
        return s->most;
    if (s->radix == ETM_CSV_HEXADECIMAL ||
        (s->radix == ETM_CSV_UNKNOWN && s->letters && s->most > 1))
        return 4 * s->most;
    return 0;
}
