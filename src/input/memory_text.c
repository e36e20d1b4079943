/* SPDX-License-Identifier: Apache-2.0 */
/* Text with the bytes of a trace, as debuggers show memory. */
#include "input/memory_text.h"
#include "input/records.h"

#include <string.h>

static bool is_digit(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
           (c >= 'A' && c <= 'F');
}

static size_t digits(const uint8_t *at, size_t n)
{
    size_t i = 0;

    while (i < n && is_digit(at[i]))
        i++;
    return i;
}

static size_t prefix(const uint8_t *at, size_t n)
{
    return n >= 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') ? 2 : 0;
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
 * GDB, "00000000: 0000 0080" of xxd, "00000000 00 00" of hexdump: the number of
 * digits of the first number after the address; 0: not such a line.
 */
static size_t group(const uint8_t *at, size_t n)
{
    size_t i = prefix(at, n), count = digits(at + i, n - i);
    bool colon;

    if (count < 7 || count > 16)
        return 0;
    i += count;
    if (i + 1 < n && at[i] == ' ' && at[i + 1] == '<') {
        const uint8_t *end = memchr(at + i, '>', n - i);

        i = end != NULL ? (size_t)(end - at) + 1 : n;
    }
    colon = i < n && at[i] == ':';
    i += colon;
    count = blanks(at + i, n - i);
    if (count < (colon ? 1 : 2))
        return 0;
    i += count;
    i += prefix(at + i, n - i);
    count = digits(at + i, n - i);
    i += count;
    if (i < n && at[i] != ' ' && at[i] != '\t' && at[i] != '\r')
        return 0;
    return colon || count == 2 ? count : 0;
}

const char *etm_memory_text(const uint8_t *bytes, size_t n)
{
    size_t from = 0, words;
    const uint8_t *end;

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
    end = n == 0 ? NULL : memchr(bytes, '\n', n);
    words = group(bytes, end != NULL ? (size_t)(end - bytes) : n);
    if (words == 0)
        return NULL;
    if (words == 8 || words == 16)
        return "it is a listing of words in memory: dump the bytes with "
               "OpenOCD's dump_image or GDB's dump binary memory, or remove "
               "the addresses and convert it with 'xxd -r -p' and 'objcopy -I "
               "binary -O binary --reverse-bytes=4'";
    return "it is a hexadecimal dump with addresses: convert one made by xxd "
           "with 'xxd -r'; from others remove the addresses and use 'xxd -r "
           "-p'";
}
