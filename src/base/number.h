/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text, in any locale. */
#ifndef ETM_BASE_NUMBER_H
#define ETM_BASE_NUMBER_H

#include "base/fold.h"

#include <stddef.h>
#include <stdint.h>

#define ETM_NO_DIGIT 16u

/* The value of a digit, which may be hexadecimal, or ETM_NO_DIGIT. */
static inline unsigned etm_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    c = etm_fold(c);
    return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : ETM_NO_DIGIT;
}

/* Does a text begin with 0x? */
static inline bool etm_is_0x(const char *text)
{
    return text[0] == '0' && etm_fold(text[1]) == 'x';
}

/* number.c: the whole text as a number in `base`, 10 or 16, or hexadecimal
 * after 0x. False: it is none, or is more than `most`; *number is unchanged. */
bool etm_number_read(const char *text, size_t n, unsigned base, uint64_t most,
                     uint64_t *number);

#endif
