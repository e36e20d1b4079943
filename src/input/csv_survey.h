/* SPDX-License-Identifier: Apache-2.0 */
/* What the first values in a column of a table show of its bits and radix. */
#ifndef ETM_INPUT_CSV_SURVEY_H
#define ETM_INPUT_CSV_SURVEY_H

#include "input/csv_value.h"

struct etm_csv_survey {
    uint32_t least, most; /* digits of a number; 0: there was none */
    uint32_t bits;        /* that one has if its digits are hexadecimal */
    uint64_t values;      /* a bit each of their hashes: how many there are */
    uint8_t radix;        /* that all numbers show; UNKNOWN: one does not */
    bool numbers;         /* one is more than a bit */
    bool several;         /* one without a radix has several digits, */
    bool zeros;           /* of which the first one is 0 */
    bool negative, letters;
    bool binary; /* all digits are 0 or 1 */
    bool other;  /* there is a value that is no number */

    uint64_t line; /* of the first value that is no bit, or may have several */
    char text[32]; /* radixes, and this value; 0: there is none */
};

/* Look at a value, of this line. */
void etm_csv_survey_take(struct etm_csv_survey *survey, const char *field,
                         size_t n, uint64_t line);

/* The radix of numbers that show none, in a column of `width` bits (0: not
 * known); `usual`: that of the program which wrote the table. Letters and zeros
 * at the beginning say hexadecimal; signs, and values that would not fit,
 * decimal (E-336). UNKNOWN: they may be either. */
enum etm_csv_radix etm_csv_survey_radix(const struct etm_csv_survey *survey,
                                        uint32_t width,
                                        enum etm_csv_radix usual);

/* The bits of a column: one, or those of digits that are always as many; 0: not
 * known. */
uint32_t etm_csv_survey_width(const struct etm_csv_survey *survey);

#endif
