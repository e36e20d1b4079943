/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of JSON. */
#include <etm/types.h>

#include <string.h>

/* Length of the UTF-8 sequence at `s`, 0 if it is none. */
static size_t utf8_length(const unsigned char *s)
{
    size_t n = *s < 0x80                  ? 1
               : *s >= 0xc2 && *s <= 0xdf ? 2
               : *s >= 0xe0 && *s <= 0xef ? 3
               : *s >= 0xf0 && *s <= 0xf4 ? 4
                                          : 0;

    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0u) != 0x80)
            return 0;
    /* overlong forms, surrogates and what lies beyond U+10FFFF */
    if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
        (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
        return 0;
    return n;
}

/* The JSON form of one character; returns how many bytes of `s` it took. */
static size_t json_character(const unsigned char *s, char form[8])
{
    size_t n = utf8_length(s);

    if (n == 0) {
        memcpy(form, "\\ufffd", 7);
        return 1;
    }
    if (*s == '"' || *s == '\\') {
        form[0] = '\\';
        form[1] = (char)*s;
        form[2] = '\0';
    } else if (*s < 0x20) {
        memcpy(form, "\\u00", 4);
        form[4] = (char)('0' + (*s >> 4));
        form[5] = "0123456789abcdef"[*s & 0xfu];
        form[6] = '\0';
    } else {
        memcpy(form, s, n);
        form[n] = '\0';
    }
    return n;
}

const char *etm_json_string(const char *text, char *out, size_t capacity)
{
    const unsigned char *s = (const unsigned char *)text;
    char form[8];
    size_t at = 0;

    if (capacity < 3) {
        if (capacity > 0)
            *out = '\0';
        return out;
    }
    out[at++] = '"';
    while (*s) {
        size_t took = json_character(s, form);
        size_t n = strlen(form);

        if (at + n + 2 > capacity)
            break;
        memcpy(out + at, form, n);
        at += n;
        s += took;
    }
    out[at++] = '"';
    out[at] = '\0';
    return out;
}
