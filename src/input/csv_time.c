/* SPDX-License-Identifier: Apache-2.0 */
/* Times in a table (csv.h). */
#include "input/csv.h"
#include "input/text.h"

#include <string.h>

/* The times are integers of 10 to minus this seconds. */
#define DIGITS 12

/* Exponents beyond this are no times. */
#define EXPONENT_MOST 30

uint8_t etm_csv_time_unit(const char *title)
{
    static const struct {
        const char *word;
        uint8_t digits;
    } words[] = {{"nanoseconds", 9}, {"microseconds", 6}, {"milliseconds", 3},
                 {"seconds", 0},     {"[ns]", 9},         {"[us]", 6},
                 {"[ms]", 3},        {"(ns)", 9},         {"(us)", 6},
                 {"(ms)", 3}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i].word);

        for (const char *at = title; strlen(at) >= n; at++) {
            char part[16] = "";

            memcpy(part, at, n);
            if (etm_text_same(part, words[i].word))
                return (uint8_t)(words[i].digits + 1);
        }
    }
    return etm_text_begins(title, "time") ? 1 : 0;
}

/* "e-06"; false: it is no exponent. */
static bool take_exponent(const char *text, size_t n, int *exponent)
{
    bool minus = n > 0 && *text == '-';
    int value = 0;

    if (n > 0 && (*text == '-' || *text == '+')) {
        text++;
        n--;
    }
    if (n == 0)
        return false;
    for (; n != 0; text++, n--) {
        if (*text < '0' || *text > '9' || value > EXPONENT_MOST)
            return false;
        value = 10 * value + (*text - '0');
    }
    *exponent = minus ? -value : value;
    return true;
}

bool etm_csv_time(const char *text, size_t n, uint8_t unit, uint64_t *time)
{
    int after = -1, exponent = 0; /* digits after the point; -1: before it */
    bool minus = n > 0 && *text == '-', any = false;
    uint64_t value = 0;

    for (size_t i = minus; i < n; i++) {
        char c = text[i];

        if (c == 'e' || c == 'E') {
            if (!take_exponent(text + i + 1, n - i - 1, &exponent))
                return false;
            break;
        }
        if (c == '.' && after < 0) {
            after = 0;
            continue;
        }
        if (c < '0' || c > '9' || value > (UINT64_MAX >> 8) / 10)
            return false;
        value = 10 * value + (uint64_t)(c - '0');
        after += after >= 0;
        any = true;
    }
    exponent += DIGITS - (unit - 1) - (after > 0 ? after : 0);
    for (; exponent > 0; exponent--) {
        if (value > (UINT64_MAX >> 8) / 10)
            return false;
        value *= 10;
    }
    for (; exponent < 0; exponent++)
        value /= 10;
    *time = minus ? UINT64_C(0) - value : value;
    return any;
}
