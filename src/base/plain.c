/* SPDX-License-Identifier: Apache-2.0 */
/* Text from files and command lines that people are shown: names of symbols,
 * sources and devices, paths. What a terminal takes for a command, and how much
 * of a name is shown, is said here alone. */
#include "base/plain.h"

#include <etm/types.h>

#include <string.h>

/* Length of the UTF-8 sequence at the beginning of `n` bytes, 0 if it is none.
 */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    size_t length = *s < 0x80                  ? 1
                    : *s >= 0xc2 && *s <= 0xdf ? 2
                    : *s >= 0xe0 && *s <= 0xef ? 3
                    : *s >= 0xf0 && *s <= 0xf4 ? 4
                                               : 0;

    if (length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0u) != 0x80)
            return 0;
    /* overlong forms, surrogates and what lies beyond U+10FFFF */
    if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
        (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* Is a character of two or three bytes a command to a terminal, does it change
 * the direction in which text is written, or is it none in XML? */
static bool is_command(const unsigned char *s, size_t length)
{
    if (length == 2)
        return (s[0] == 0xc2 && s[1] < 0xa0) || /* U+0080 to U+009F */
               (s[0] == 0xd8 && s[1] == 0x9c);  /* U+061C */
    if (length == 3 && s[0] == 0xef)            /* U+FFFE, U+FFFF */
        return s[1] == 0xbf && s[2] >= 0xbe;
    if (length != 3 || s[0] != 0xe2)
        return false;
    if (s[1] == 0x80) /* U+200E, U+200F; U+2028 to U+202E */
        return s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xa8 && s[2] <= 0xae);
    return s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9; /* U+2066 to U+2069 */
}

size_t etm_character(const char *text, size_t n, bool *plain)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t length = n != 0 ? utf8_length(s, n) : 0;

    if (length == 0)
        *plain = false;
    else if (length == 1)
        *plain = *s >= ' ' && *s != 0x7f;
    else
        *plain = !is_command(s, length);
    return length;
}

void etm_make_plain(char *text, const char *keep)
{
    char *to = text;
    size_t left = strlen(text), length;

    for (; left > 0; text += length, left -= length) {
        bool plain;

        length = etm_character(text, left, &plain);
        if (plain || strchr(keep, *text) != NULL) {
            memmove(to, text, length);
            to += length;
        } else {
            *to++ = '?';
            length = length != 0 ? length : 1;
        }
    }
    *to = '\0';
}

/* A sum of all bytes, which differs if one does (FNV-1a, eight bytes at a time,
 * since names may have megabytes). */
static uint64_t sum_of(const char *text, size_t n)
{
    uint64_t sum = UINT64_C(14695981039346656037) ^ n;

    for (; n != 0;) {
        size_t part = n < 8 ? n : 8;
        uint64_t word = 0;

        for (size_t i = 0; i < part; i++)
            word |= (uint64_t)(unsigned char)text[i] << (8 * i);
        sum = (sum ^ word) * UINT64_C(1099511628211);
        sum ^= sum >> 32;
        text += part;
        n -= part;
    }
    return sum ^ sum >> 32;
}

const char *etm_name_shown(const char *name, char cut[ETM_NAME_SHOWN + 1])
{
    static const char dots[] = "\xe2\x80\xa6"; /* U+2026 */
    const size_t room = ETM_NAME_SHOWN - (sizeof dots - 1) - 8;
    size_t n = room;
    uint32_t sum;

    if (memchr(name, '\0', ETM_NAME_SHOWN + 1) != NULL)
        return name;
    /* not within a character */
    while (n > room - 4 && ((unsigned char)name[n] & 0xc0u) == 0x80)
        n--;
    memcpy(cut, name, n);
    memcpy(cut + n, dots, sizeof dots - 1);
    n += sizeof dots - 1;
    sum = (uint32_t)sum_of(name, strlen(name));
    for (unsigned i = 0; i < 8; i++)
        cut[n++] = "0123456789abcdef"[sum >> (28 - 4 * i) & 0xfu];
    cut[n] = '\0';
    return cut;
}
