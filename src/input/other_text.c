/* SPDX-License-Identifier: Apache-2.0 */
/* Text instead of trace: a program's source, a log, or what has to be converted
 * first. */
#include "input/other_text.h"

#include "base/mark.h"
#include "input/csv_value.h"
#include "input/memory_text.h"
#include "input/port_reader.h"

#include <string.h>

/* Bytes that are examined, and lines of a table. */
#define ENOUGH ((size_t)65536)
#define LINES 64u

/* Characters that tell text from bytes of trace, which have A-syncs, or zeros;
 * fewer only with the end of a line after them. */
#define TELLING 32u

struct text {
    const uint8_t *at;
    size_t n;
};

/* Bytes of the character at the beginning of UTF-8 text, also if its end is
 * missing; 0: it is not text. Escape sequences colour the text of logs. */
static size_t character(const uint8_t *at, size_t n)
{
    size_t size = at[0] < 0x80   ? 1
                  : at[0] < 0xc2 ? 0
                  : at[0] < 0xe0 ? 2
                  : at[0] < 0xf0 ? 3
                  : at[0] < 0xf5 ? 4
                                 : 0;

    if (at[0] < ' ')
        return memchr("\t\n\v\f\r\b\033", at[0], 7) != NULL;
    if (at[0] == 0x7f)
        return 0;
    for (size_t i = 1; i < size && i < n; i++)
        if ((at[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

static bool is_utf8(const uint8_t *bytes, size_t n)
{
    size_t i = 0, size = 1;

    for (; i < n && size != 0; i += size)
        size = character(bytes + i, n - i);
    return n != 0 && size != 0;
}

/* The next line without blanks around it and what ends it; false: none. */
static bool next_line(struct text *text, struct text *line)
{
    const uint8_t *end = text->n == 0 ? NULL : memchr(text->at, '\n', text->n);
    size_t n = end != NULL ? (size_t)(end - text->at) : text->n;

    if (text->n == 0)
        return false;
    *line = (struct text){text->at, n};
    text->at += n + (end != NULL);
    text->n -= n + (end != NULL);
    while (line->n != 0 && line->at[line->n - 1] <= ' ')
        line->n--;
    while (line->n != 0 && line->at[0] <= ' ') {
        line->at++;
        line->n--;
    }
    return true;
}

/* A number, a value of signals, a time, or nothing? */
static bool is_value(const uint8_t *at, size_t n)
{
    struct etm_csv_number number;

    while (n != 0 && memchr("\" ", *at, 2) != NULL) {
        at++;
        n--;
    }
    while (n != 0 && memchr("\" ", at[n - 1], 2) != NULL)
        n--;
    return n == 0 || memchr("0123456789+-.", *at, 13) != NULL ||
           etm_csv_bit((const char *)at, n) != '\0' ||
           etm_csv_number_read((const char *)at, n, &number);
}

/* Are there columns, each with a value? */
static bool is_row(struct text line)
{
    size_t begin = 0;

    for (size_t i = 0; i < line.n; i++) {
        if (memchr(",;\t", line.at[i], 3) == NULL)
            continue;
        if (!is_value(line.at + begin, i - begin))
            return false;
        begin = i + 1;
    }
    return begin != 0 && is_value(line.at + begin, line.n - begin);
}

/* Is one of the first lines of a table one of values? The first one names its
 * columns. */
static bool has_rows(struct text text)
{
    struct text line;

    for (unsigned i = 0; i < LINES && next_line(&text, &line); i++)
        if (i != 0 && is_row(line))
            return true;
    return text.n == 0 && text.at[-1] != '\n';
}

/* Is it samples of a trace port, in some form? */
static bool is_port(const uint8_t *bytes, size_t n, struct text text)
{
    switch (etm_port_form_of(bytes, n)) {
    case ETM_PORT_FORM_TEXT:
        return etm_port_form_is_samples(text.at, text.n);
    case ETM_PORT_FORM_CSV:
        return has_rows(text);
    case ETM_PORT_FORM_VCD:
    case ETM_PORT_FORM_OPENOCD:
    case ETM_PORT_FORM_AUTO:
    case ETM_PORT_FORM_RECORDS:
    case ETM_PORT_FORM_ETB:
    case ETM_PORT_FORM_BYTES:
        break;
    }
    return true;
}

const char *etm_other_text(const uint8_t *bytes, size_t n, bool framed)
{
    size_t mark = etm_mark_size(bytes, n);
    struct text text = {bytes + mark, n - mark};
    const char *what;

    if (text.n > ENOUGH)
        text.n = ENOUGH;
    if (!is_utf8(text.at, text.n) || (n < TELLING && bytes[n - 1] != '\n'))
        return NULL;
    what = etm_memory_text(bytes, n);
    if (what != NULL)
        return what;
    if (!is_port(bytes, n, text))
        return "it is text, neither trace nor samples of a trace port: give "
               "the file with the bytes that were traced";
    return framed ? "it is text, not frames: convert a hexadecimal dump with "
                    "'xxd -r -p', without its addresses; for samples of a "
                    "trace port, use the framing port"
                  : NULL;
}

bool etm_other_text_may_be(const uint8_t *bytes, size_t n)
{
    size_t mark = etm_mark_size(bytes, n);

    return n == mark || (n - mark < ENOUGH && is_utf8(bytes + mark, n - mark));
}
