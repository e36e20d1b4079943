/* SPDX-License-Identifier: Apache-2.0 */
/* Text with the bytes of a trace, as debuggers and analysers show them. */
#include "input/memory_text.h"

#include "base/mark.h"
#include "base/number.h"
#include "input/records.h"

#include <string.h>

static size_t digits(const uint8_t *at, size_t n)
{
    size_t i = 0;

    while (i < n && etm_digit((char)at[i]) < ETM_NO_DIGIT)
        i++;
    return i;
}

static size_t prefix(const uint8_t *at, size_t n)
{
    return n >= 2 && etm_is_0x((const char *)at) ? 2 : 0;
}

/* A class of memory before an address: "ENSD:". */
static size_t class(const uint8_t *at, size_t n)
{
    size_t from = 0, i;

    while (from < n && (at[from] == ' ' || at[from] == '\t'))
        from++;
    for (i = from; i < n && at[i] >= 'A' && at[i] <= 'Z'; i++)
        ;
    return i > from && i < n && at[i] == ':' ? i + 1 : 0;
}

static size_t blanks(const uint8_t *at, size_t n)
{
    size_t i = 0;

    while (i < n && (at[i] == ' ' || at[i] == '\t'))
        i++;
    return i;
}

/*
 * "0x20000000: 80000000 ..." of OpenOCD, "0x20000000 <trace>:\t0x80000000" of
 * GDB, "20000000 = 80000000 ..." of J-Link, "SD:20000000|>80000000" of TRACE32,
 * "00000000: 0000 0080" of xxd, "00000000 00 00" of hexdump: the number of
 * digits of the first number after the address; 0: not such a line.
 */
static size_t group(const uint8_t *at, size_t n)
{
    size_t i = class(at, n), count;
    bool colon, bar;

    at += i;
    n -= i;
    i = prefix(at, n);
    count = digits(at + i, n - i);

    if (count < 7 || count > 16)
        return 0;
    i += count;
    if (i + 1 < n && at[i] == ' ' && at[i + 1] == '<') {
        const uint8_t *end = memchr(at + i, '>', n - i);

        i = end != NULL ? (size_t)(end - at) + 1 : n;
    }
    if (i + 1 < n && at[i] == ' ' && at[i + 1] == '=')
        i++;
    bar = i < n && at[i] == '|';
    colon = bar || (i < n && (at[i] == ':' || at[i] == '='));
    i += colon;
    i += bar && i < n && at[i] == '>';
    count = blanks(at + i, n - i);
    if (count < (bar ? 0 : colon ? 1 : 2))
        return 0;
    i += count;
    i += prefix(at + i, n - i);
    count = digits(at + i, n - i);
    i += count;
    if (i < n && at[i] != ' ' && at[i] != '\t' && at[i] != '\r')
        return 0;
    return colon || count == 2 ? count : 0;
}

/* What a line consists of. */
enum kind {
    KIND_OTHER,
    KIND_BLANK,
    KIND_BYTES, /* "80 41", "0x80, 0x41" */
    KIND_WORDS, /* "80000000 15200880" */
    KIND_LONG,  /* one number that is longer than any word, of xxd -p */
    KIND_LISTED /* one byte with something before it */
};

static size_t separators(const uint8_t *at, size_t n)
{
    size_t i = 0;

    while (i < n && memchr(" \t\r,;", at[i], 5) != NULL)
        i++;
    return i;
}

/* Is there a field of one bit after the first one? Then the line is a row of a
 * table of port samples, which may have buses, too. */
static bool has_bit(const uint8_t *at, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (separators(at + i - 1, 1) != 0 &&
            memchr("01xXzZ", at[i], 6) != NULL &&
            (i + 1 == n || separators(at + i + 1, 1) != 0))
            return true;
    return false;
}

/* "uart-1: 80" of sigrok, "0.000012,0x80,," of Saleae Logic. */
static bool is_listed(const uint8_t *at, size_t n)
{
    while (n > 0 && separators(at + n - 1, 1) != 0)
        n--;
    if (n >= 4 && at[n - 4] == ':' && at[n - 3] == ' ' &&
        digits(at + n - 2, 2) == 2)
        return true;
    for (size_t i = 1; i + 4 <= n; i++)
        if (separators(at + i - 1, 1) != 0 && prefix(at + i, n - i) != 0 &&
            digits(at + i + 2, n - i - 2) == 2 &&
            (i + 4 == n || separators(at + i + 4, 1) != 0))
            return !has_bit(at, n);
    return false;
}

/* *numbers: how many there are, if the line has nothing but numbers of one
 * length; else 0. */
static enum kind kind_of(const uint8_t *at, size_t n, size_t *numbers)
{
    size_t length = 0, found = 0, i = separators(at, n);

    *numbers = 0;
    while (i < n) {
        size_t count;

        i += prefix(at + i, n - i);
        count = digits(at + i, n - i);
        i += count;
        if (count == 0 || (length != 0 && count != length) ||
            (i < n && separators(at + i, 1) == 0))
            return is_listed(at, n) ? KIND_LISTED : KIND_OTHER;
        length = count;
        found++;
        i += separators(at + i, n - i);
    }
    if (found == 0)
        return KIND_BLANK;
    *numbers = found;
    return length == 2                                    ? KIND_BYTES
           : length == 8                                  ? KIND_WORDS
           : found == 1 && length > 16 && length % 2 == 0 ? KIND_LONG
                                                          : KIND_OTHER;
}

/* Characters that are examined, and the least number of lines in a list. */
#define ENOUGH ((size_t)4096)
#define MANY 8u

/*
 * The kind of all whole lines at the beginning; KIND_OTHER if they are of
 * several. Two or three numbers in every line may be samples of a port. The
 * first line of a list may name its columns.
 */
static enum kind kind_of_all(const uint8_t *bytes, size_t n)
{
    enum kind all = KIND_BLANK;
    size_t lines = 0, samples = 0;
    const uint8_t *end;

    if (n > ENOUGH)
        n = ENOUGH;
    for (; (end = n == 0 ? NULL : memchr(bytes, '\n', n)) != NULL; lines++) {
        size_t length = (size_t)(end - bytes), numbers;
        enum kind kind = kind_of(bytes, length, &numbers);

        samples += numbers == 2 || numbers == 3;
        /* the last line of xxd -p is shorter */
        if (all == KIND_LONG && numbers == 1)
            kind = KIND_LONG;
        if (all == KIND_BLANK || (lines == 1 && kind == KIND_LISTED))
            all = kind;
        else if (kind != all && kind != KIND_BLANK)
            all = KIND_OTHER;
        if (all == KIND_OTHER && lines > 0)
            return all;
        bytes = end + 1;
        n -= length + 1;
    }
    if (lines == 0) /* a single line, which may be longer than that */
        return digits(bytes, n) == n ? KIND_LONG : KIND_OTHER;
    if (samples == lines || (all == KIND_LISTED && lines < MANY))
        return KIND_OTHER;
    return all;
}

/* Bytes or words without addresses. */
static const char *numbers_alone(const uint8_t *bytes, size_t n)
{
    switch (kind_of_all(bytes, n)) {
    case KIND_OTHER:
    case KIND_BLANK:
        break;
    case KIND_BYTES:
    case KIND_LONG:
        return "it is bytes in hexadecimal: convert it with 'xxd -r -p'";
    case KIND_WORDS:
        return "it is words in hexadecimal: convert it with 'xxd -r -p' and "
               "'objcopy -I binary -O binary --reverse-bytes=4'";
    case KIND_LISTED:
        return "it is a list of bytes, as of a serial line (UART, SWO): take "
               "the bytes alone, and convert them with 'xxd -r -p'";
    }
    return NULL;
}

/* Lines in which a listing begins, after the command that made it. */
#define FEW 4u

/* Digits of a group in the first line that has an address; 0: none has. */
static size_t group_of_all(const uint8_t *bytes, size_t n)
{
    size_t found = 0;

    for (unsigned i = 0; i < FEW && n != 0 && found == 0; i++) {
        const uint8_t *end = memchr(bytes, '\n', n);
        size_t length = end != NULL ? (size_t)(end - bytes) : n;

        found = group(bytes, length);
        length += end != NULL;
        bytes += length;
        n -= length;
    }
    return found;
}

const char *etm_memory_text(const uint8_t *bytes, size_t n)
{
    size_t from = etm_mark_size(bytes, n), words;

    while (from < n && (bytes[from] == '\n' || bytes[from] == '\r' ||
                        bytes[from] == ' ' || bytes[from] == '\t'))
        from++;
    bytes += from;
    n -= from;
    switch (etm_records_kind(bytes, n)) {
    case ETM_RECORDS_NONE:
        break;
    case ETM_RECORDS_INTEL:
        return "it is Intel HEX: convert it with 'objcopy -I ihex -O binary'";
    case ETM_RECORDS_MOTOROLA:
        return "it is S-records: convert it with 'objcopy -I srec -O binary'";
    }
    words = group_of_all(bytes, n);
    if (words == 0)
        return numbers_alone(bytes, n);
    if (words == 8 || words == 16)
        return "it is a listing of words in memory: dump the bytes with "
               "OpenOCD's dump_image, GDB's dump binary memory or J-Link's "
               "savebin, or remove the addresses and convert it with 'xxd -r "
               "-p' and 'objcopy -I binary -O binary --reverse-bytes=4'";
    return "it is a hexadecimal dump with addresses: convert one made by xxd "
           "with 'xxd -r'; from others remove the addresses and use 'xxd -r "
           "-p'";
}
