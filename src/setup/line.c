/* SPDX-License-Identifier: Apache-2.0 */
#include "setup/line.h"

#include "base/number.h"

#include <string.h>

const char *etm_line_skip(const char *text)
{
    while (etm_line_blank(*text))
        text++;
    return text;
}

const char *etm_line_number(const char *text, unsigned base, uint32_t *value)
{
    uint64_t v = 0;
    size_t n = 0;

    if (etm_is_0x(text)) {
        base = 16;
        text += 2;
    }
    for (; etm_digit(*text) < base; text++, n++) {
        v = v * base + etm_digit(*text);
        if (v > UINT32_MAX)
            return NULL;
    }
    *value = (uint32_t)v;
    return n != 0 ? text : NULL;
}

size_t etm_line_digits(const char *text)
{
    size_t n = 0;

    while (etm_digit(text[n]) < 16)
        n++;
    return n;
}

bool etm_span_is(struct etm_span word, const char *text)
{
    return strlen(text) == word.n && etm_fold_like(word.at, text, word.n);
}

bool etm_span_has(struct etm_span word, const char *part)
{
    size_t n = strlen(part);

    for (size_t i = 0; i + n <= word.n; i++)
        if (etm_fold_begins(word.at + i, part))
            return true;
    return false;
}

struct etm_span etm_line_word(const char *text, const char *apart)
{
    size_t n = 0;

    while (text[n] != '\0' && !etm_line_blank(text[n]) &&
           !strchr(apart, text[n]))
        n++;
    return (struct etm_span){text, n};
}

struct etm_span etm_line_name(const char *text)
{
    size_t n = 0;

    if (!etm_line_digit(*text))
        while (etm_line_letter(text[n]))
            n++;
    return (struct etm_span){text, n};
}

bool etm_span_copy(struct etm_span word, char *to, size_t room)
{
    if (word.n >= room)
        return false;
    memcpy(to, word.at, word.n);
    to[word.n] = '\0';
    return true;
}

const char *etm_line_balanced(const char *text)
{
    unsigned depth = 0;

    for (; *text != '\0'; text++) {
        if (strchr("([{", *text))
            depth++;
        else if (strchr(")]}", *text) && --depth == 0)
            return text + 1;
    }
    return text;
}
