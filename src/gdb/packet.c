/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/packet.h"

#include <string.h>

static const char digits[] = "0123456789abcdef";

/* -1: it is none. */
static int digit_of(char c)
{
    const char *at;

    if (c >= 'A' && c <= 'F')
        c = (char)(c - 'A' + 'a');
    at = c != '\0' ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static void begin(struct etm_gdb_input *in)
{
    in->state = ETM_GDB_INSIDE;
    in->escaped = in->too_long = false;
    in->sum = 0;
    in->n = 0;
}

/* A character between `$` and `#`. */
static void take_inside(struct etm_gdb_input *in, uint8_t c)
{
    in->sum = (uint8_t)(in->sum + c);
    if (c == '}' && !in->escaped) {
        in->escaped = true;
        return;
    }
    if (in->n == ETM_GDB_PACKET_MOST)
        in->too_long = true;
    else
        in->text[in->n++] = (char)(in->escaped ? c ^ 0x20u : c);
    in->escaped = false;
}

enum etm_gdb_input_kind etm_gdb_input_take(struct etm_gdb_input *in, uint8_t c)
{
    int digit = digit_of((char)c);

    if (c == '$') { /* never within a packet, where it is escaped */
        begin(in);
        return ETM_GDB_NOTHING;
    }
    switch (in->state) {
    case ETM_GDB_OUTSIDE:
        return c == 0x03 ? ETM_GDB_INTERRUPT : ETM_GDB_NOTHING;
    case ETM_GDB_INSIDE:
        if (c == '#')
            in->state = ETM_GDB_SUM_HIGH;
        else
            take_inside(in, c);
        return ETM_GDB_NOTHING;
    case ETM_GDB_SUM_HIGH:
        in->state = digit < 0 ? ETM_GDB_OUTSIDE : ETM_GDB_SUM_LOW;
        in->told = (uint8_t)(digit < 0 ? 0 : digit << 4);
        return digit < 0 ? ETM_GDB_BROKEN : ETM_GDB_NOTHING;
    case ETM_GDB_SUM_LOW:
        in->state = ETM_GDB_OUTSIDE;
        in->text[in->n] = '\0';
        return digit < 0 || (in->told | digit) != in->sum || in->too_long
                   ? ETM_GDB_BROKEN
                   : ETM_GDB_PACKET;
    }
    return ETM_GDB_NOTHING;
}

void etm_gdb_put_char(struct etm_gdb_reply *reply, char character)
{
    if (reply->n < sizeof reply->text)
        reply->text[reply->n++] = character;
}

void etm_gdb_put(struct etm_gdb_reply *reply, const char *text)
{
    while (*text != '\0')
        etm_gdb_put_char(reply, *text++);
}

void etm_gdb_put_bytes(struct etm_gdb_reply *reply, const uint8_t *bytes,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        etm_gdb_put_char(reply, digits[bytes[i] >> 4]);
        etm_gdb_put_char(reply, digits[bytes[i] & 15u]);
    }
}

void etm_gdb_put_word(struct etm_gdb_reply *reply, uint32_t value)
{
    const uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8),
                             (uint8_t)(value >> 16), (uint8_t)(value >> 24)};

    etm_gdb_put_bytes(reply, bytes, sizeof bytes);
}

void etm_gdb_put_number(struct etm_gdb_reply *reply, uint64_t value)
{
    unsigned shift = 60;

    while (shift != 0 && value >> shift == 0)
        shift -= 4;
    for (;; shift -= 4) {
        etm_gdb_put_char(reply, digits[value >> shift & 15u]);
        if (shift == 0)
            return;
    }
}

void etm_gdb_put_error(struct etm_gdb_reply *reply)
{
    reply->n = 0;
    etm_gdb_put(reply, "E01");
}

size_t etm_gdb_reply_frame(const struct etm_gdb_reply *reply, char *to)
{
    uint8_t sum = 0;
    size_t n = 0;

    to[n++] = '$';
    for (size_t i = 0; i < reply->n; i++) {
        char c = reply->text[i];

        if (c == '$' || c == '#' || c == '}' || c == '*') {
            to[n++] = '}';
            c ^= 0x20;
        }
        to[n++] = c;
    }
    for (size_t i = 1; i < n; i++)
        sum = (uint8_t)(sum + (uint8_t)to[i]);
    to[n++] = '#';
    to[n++] = digits[sum >> 4];
    to[n++] = digits[sum & 15u];
    return n;
}

bool etm_gdb_take_char(struct etm_gdb_text *text, char character)
{
    if (text->at == text->end || *text->at != character)
        return false;
    text->at++;
    return true;
}

bool etm_gdb_take_word(struct etm_gdb_text *text, const char *word)
{
    size_t n = strlen(word);

    if ((size_t)(text->end - text->at) < n || memcmp(text->at, word, n) != 0)
        return false;
    text->at += n;
    return true;
}

bool etm_gdb_take_hex(struct etm_gdb_text *text, uint64_t *value)
{
    const char *at = text->at;

    *value = 0;
    for (; at < text->end && digit_of(*at) >= 0; at++) {
        if (*value >> 60 != 0)
            return false;
        *value = *value << 4 | (uint64_t)digit_of(*at);
    }
    if (at == text->at)
        return false;
    text->at = at;
    return true;
}

size_t etm_gdb_take_bytes(struct etm_gdb_text *text, char *bytes, size_t most)
{
    size_t n = 0;

    while (text->end - text->at >= 2 && n < most) {
        struct etm_gdb_text pair = {text->at, text->at + 2};
        uint64_t c;

        if (!etm_gdb_take_hex(&pair, &c) || !etm_gdb_is_end(&pair))
            break;
        bytes[n++] = (char)c;
        text->at += 2;
    }
    return n;
}

bool etm_gdb_take_thread(struct etm_gdb_text *text, int64_t *thread)
{
    const char *begin = text->at;
    uint64_t value;

    if (etm_gdb_take_word(text, "-1")) {
        *thread = -1;
        return true;
    }
    if (!etm_gdb_take_hex(text, &value))
        return false;
    if (value > INT32_MAX) {
        text->at = begin;
        return false;
    }
    *thread = (int64_t)value;
    return true;
}
