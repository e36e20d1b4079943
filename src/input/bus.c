/* SPDX-License-Identifier: Apache-2.0 */
/* The range in the name of a bus (bus.h). */
#include "input/bus.h"

#include <string.h>

/* No bus has an index of more digits. */
#define DIGITS_MOST 6u

static void skip_blanks(const char **at, const char *end)
{
    while (*at < end && (**at == ' ' || **at == '\t'))
        (*at)++;
}

/* A number at *at, which is advanced; false: there is none. */
static bool take_number(const char **at, const char *end, uint32_t *number)
{
    const char *from;

    *number = 0;
    skip_blanks(at, end);
    from = *at;
    for (; *at < end && **at >= '0' && **at <= '9'; (*at)++) {
        if ((size_t)(*at - from) == DIGITS_MOST)
            return false;
        *number = 10 * *number + (uint32_t)(**at - '0');
    }
    if (*at == from)
        return false;
    skip_blanks(at, end);
    return true;
}

/* What stands between the bounds. */
static bool take_separator(const char **at, const char *end)
{
    static const char *const words[] = {":", "..", "-", "downto", "to"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);

        if ((size_t)(end - *at) >= n && memcmp(*at, words[i], n) == 0) {
            *at += n;
            return true;
        }
    }
    return false;
}

bool etm_bus_read(const char *name, size_t n, struct etm_bus *bus)
{
    static const char brackets[][2] = {{'[', ']'}, {'(', ')'}, {'<', '>'}};
    char open = '\0';
    const char *at, *end;
    uint32_t left, right;

    for (size_t i = 0; n > 0 && i < sizeof brackets / sizeof *brackets; i++)
        if (name[n - 1] == brackets[i][1])
            open = brackets[i][0];
    if (open == '\0')
        return false;
    end = at = name + n - 1;
    while (at > name && at[-1] != open)
        at--;
    if (at == name)
        return false;
    *bus = (struct etm_bus){.length = (size_t)(at - 1 - name)};
    if (!take_number(&at, end, &left))
        return false;
    right = left;
    bus->range = at < end;
    if (bus->range && !(take_separator(&at, end) &&
                        take_number(&at, end, &right) && at == end))
        return false;
    bus->descending = left >= right;
    bus->low = left < right ? left : right;
    bus->high = left < right ? right : left;
    return true;
}
