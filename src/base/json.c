/* SPDX-License-Identifier: Apache-2.0 */
/* Strings of JSON. */
#include <etm/types.h>

#include <string.h>

/* How many of four bytes are before the end of the text. */
static size_t length_of(const char *s)
{
    const char *end = memchr(s, '\0', 4);

    return end != NULL ? (size_t)(end - s) : 4;
}

/* "\u202e" of a character with so many bytes. */
static void escape(const unsigned char *s, size_t n, char form[8])
{
    unsigned code =
        n == 1   ? s[0]
        : n == 2 ? (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu)
                 : (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);

    memcpy(form, "\\u", 2);
    for (unsigned i = 0; i < 4; i++)
        form[2 + i] = "0123456789abcdef"[code >> (12 - 4 * i) & 0xfu];
    form[6] = '\0';
}

/* The JSON form of one character; returns how many bytes of `s` it took. What a
 * terminal takes for a command is escaped, though JSON allows some of it. */
static size_t json_character(const char *s, char form[8])
{
    bool plain;
    size_t n = etm_character(s, length_of(s), &plain);

    if (n == 0) {
        memcpy(form, "\\ufffd", 7);
        return 1;
    }
    if (*s == '"' || *s == '\\') {
        form[0] = '\\';
        form[1] = *s;
        form[2] = '\0';
    } else if (!plain) {
        escape((const unsigned char *)s, n, form);
    } else {
        memcpy(form, s, n);
        form[n] = '\0';
    }
    return n;
}

const char *etm_json_string(const char *text, char *out, size_t capacity)
{
    char form[8];
    size_t at = 0;

    if (capacity < 3) {
        if (capacity > 0)
            *out = '\0';
        return out;
    }
    out[at++] = '"';
    while (*text) {
        size_t took = json_character(text, form);
        size_t n = strlen(form);

        if (at + n + 2 > capacity)
            break;
        memcpy(out + at, form, n);
        at += n;
        text += took;
    }
    out[at++] = '"';
    out[at] = '\0';
    return out;
}
