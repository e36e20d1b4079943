/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers in a line of text. */
#ifndef ETM_SETUP_LINE_H
#define ETM_SETUP_LINE_H

#include "base/fold.h"

#include <stdint.h>

/* A part of a line. */
struct etm_span {
    const char *at;
    size_t n;
};

static inline bool etm_line_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline bool etm_line_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Part of a name. */
static inline bool etm_line_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           etm_line_digit(c);
}

/* After blanks. */
const char *etm_line_skip(const char *text);

/* A number in `base`, or hexadecimal after 0x; NULL if there is no 32-bit
 * number. */
const char *etm_line_number(const char *text, unsigned base, uint32_t *value);

/* Digits that may be hexadecimal, without 0x. */
size_t etm_line_digits(const char *text);

/* Regardless of case. */
bool etm_span_is(struct etm_span word, const char *text);

/* Whether `part` is in the word, in any case. */
bool etm_span_has(struct etm_span word, const char *part);

/* From here to the next blank, without what is `apart` from words, too. */
struct etm_span etm_line_word(const char *text, const char *apart);

/* The name that begins here; n is 0 if none does. */
struct etm_span etm_line_name(const char *text);

/* A copy with a terminator; false if it does not fit. */
bool etm_span_copy(struct etm_span word, char *to, size_t room);

/* After the bracket that closes the one at `text`; the end if none does. */
const char *etm_line_balanced(const char *text);

#endif
