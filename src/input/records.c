/* SPDX-License-Identifier: Apache-2.0 */
#include "input/records.h"

#include "base/bytes.h"
#include "base/mark.h"
#include "base/number.h"
#include "input/text.h"

#include <string.h>

/* Bytes of the longest record: an S-record's count, and what it counts. */
#define LONGEST 260u

/* Types of Intel's records. */
enum { DATA, END, SEGMENT, START_SEGMENT, LINEAR, START_LINEAR };

struct reader {
    struct etm_records *records;
    const uint8_t *bytes;
    size_t n, at;
    unsigned line;
    const char *path;
    struct etm_diag *diag;
    /* the line at hand */
    const char *text;
    size_t length;
    /* and its bytes */
    uint8_t row[LONGEST];
    size_t count;
    uint32_t base;    /* Intel: of the addresses to come */
    bool segmented;   /* and these wrap round within 64 KB */
    uint64_t counted; /* Motorola: records with data */
};

enum etm_records_kind etm_records_kind(const uint8_t *bytes, size_t n)
{
    size_t mark = etm_mark_size(bytes, n), i;
    const char *c = (const char *)bytes + mark;
    bool motorola;

    n -= mark;
    motorola = n > 2 && c[0] == 'S' && c[1] >= '0' && c[1] <= '9';
    i = motorola ? 2 : 1;
    if (!motorola && (n == 0 || c[0] != ':'))
        return ETM_RECORDS_NONE;
    while (i < n && etm_digit(c[i]) < ETM_NO_DIGIT)
        i++;
    /* shorter than any record, or not followed by a line end */
    if (i < 10 || (i < n && c[i] != '\r' && c[i] != '\n' && c[i] != ' '))
        return ETM_RECORDS_NONE;
    return motorola ? ETM_RECORDS_MOTOROLA : ETM_RECORDS_INTEL;
}

static int wrong(const struct reader *r, const char *what)
{
    return etm_text_fail(r->diag, ETM_ERR_FORMAT, r->path, r->line, "%s", what);
}

/* Blanks, and what systems fill the last block of a file with. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\0' || c == '\032';
}

/* The next line that is not blank. False: there is none. */
static bool next_line(struct reader *r)
{
    while (r->at < r->n) {
        const char *text = (const char *)r->bytes + r->at;
        size_t left = r->n - r->at, n = 0;

        while (n < left && text[n] != '\r' && text[n] != '\n')
            n++;
        r->at += n + 1; /* beyond all of it if nothing ends the last line */
        if (n + 1 < left && text[n] == '\r' && text[n + 1] == '\n')
            r->at++;
        r->line++;
        while (n > 0 && is_blank(text[n - 1]))
            n--;
        while (n > 0 && is_blank(text[0])) {
            text++;
            n--;
        }
        r->text = text;
        r->length = n;
        if (n != 0)
            return true;
    }
    return false;
}

/* The bytes of a record, from digit `from` of its line on, whose sum must be
 * `sum`; the first one is the number of those after it minus `more`. */
static int take_row(struct reader *r, size_t from, unsigned more, uint8_t sum)
{
    size_t digits = r->length - from;
    uint8_t added = 0;

    for (size_t i = from; i < r->length; i++)
        if (etm_digit(r->text[i]) == ETM_NO_DIGIT)
            return wrong(r, "a digit of the record is not hexadecimal");
    if (digits < 2 || digits % 2 != 0 || digits / 2 > LONGEST)
        return wrong(r, "the record does not have the length that it gives");
    r->count = digits / 2;
    for (size_t i = 0; i < r->count; i++) {
        r->row[i] = (uint8_t)(etm_digit(r->text[from + 2 * i]) << 4 |
                              etm_digit(r->text[from + 2 * i + 1]));
        added = (uint8_t)(added + r->row[i]);
    }
    if (r->count != (size_t)r->row[0] + 1 + more)
        return wrong(r, "the record does not have the length that it gives");
    if (added != sum)
        return wrong(r, "the record's checksum is wrong");
    return ETM_OK;
}

/* Put `n` bytes of the row at an address. */
static int add(struct reader *r, uint32_t address, size_t at, size_t n)
{
    struct etm_records *records = r->records;
    struct etm_records_run *runs = records->runs.data, *last = NULL;
    struct etm_records_run run = {address, records->bytes.n, n};
    int status;

    records->ended = false;
    if (n == 0)
        return ETM_OK;
    status = etm_vec_append(&records->bytes, r->row + at, n);
    if (status != ETM_OK)
        return status;
    if (records->runs.n != 0)
        last = &runs[records->runs.n - 1];
    if (last == NULL || last->address + (uint64_t)last->n != address)
        return etm_vec_append(&records->runs, &run, 1);
    last->n += n;
    return ETM_OK;
}

/* Data with a base address: what goes beyond 64 KB of a segment, or beyond the
 * last address, wraps round. */
static int take_data(struct reader *r)
{
    uint32_t offset = etm_be(r->row + 1, 2), address = r->base + offset;
    uint64_t room = r->segmented ? UINT64_C(0x10000) - offset
                                 : UINT64_C(0x100000000) - address;
    size_t n = r->row[0], first = n < room ? n : (size_t)room;
    int status = add(r, address, 4, first);

    return status == ETM_OK && first < n
               ? add(r, r->segmented ? r->base : 0, 4 + first, n - first)
               : status;
}

static int take_intel(struct reader *r)
{
    static const uint8_t lengths[] = {0, 0, 2, 4, 2, 4};
    int status;

    if (r->text[0] != ':')
        return wrong(r, "an Intel HEX record begins with ':'");
    status = take_row(r, 1, 4, 0);
    if (status != ETM_OK)
        return status;
    if (r->row[3] > START_LINEAR)
        return wrong(r, "the record's type is not from 00 to 05");
    if (r->row[3] != DATA && r->row[0] != lengths[r->row[3]])
        return wrong(r, "a record of that type has a different length");
    switch (r->row[3]) {
    case DATA:
        return take_data(r);
    case SEGMENT:
    case LINEAR:
        r->segmented = r->row[3] == SEGMENT;
        r->base = etm_be(r->row + 4, 2) << (r->segmented ? 4 : 16);
        break;
    case END:
        r->records->ended = true;
        r->segmented = false;
        r->base = 0;
        break;
    default: /* where the program begins */
        break;
    }
    return ETM_OK;
}

static int take_motorola(struct reader *r)
{
    /* bytes of the address, or of the number of records */
    static const uint8_t widths[] = {2, 2, 3, 4, 0, 2, 3, 4, 3, 2};
    unsigned type = r->length > 1 ? (unsigned)(r->text[1] - '0') : 10;
    unsigned width = type < 10 ? widths[type] : 0;
    uint32_t told;
    int status;

    if (r->text[0] != 'S' || width == 0)
        return wrong(r, "an S-record begins with S0 to S3 or S5 to S9");
    status = take_row(r, 2, 0, 0xff);
    if (status != ETM_OK)
        return status;
    if (r->row[0] < width + 1 || (type >= 5 && r->row[0] != width + 1))
        return wrong(r, "a record of that type has a different length");
    told = etm_be(r->row + 1, width);
    if (type >= 1 && type <= 3) {
        r->counted++;
        if ((uint64_t)told + r->row[0] - width - 1 > UINT64_C(0x100000000))
            return wrong(r, "the record does not fit in 32-bit addresses");
        return add(r, told, 1 + width, r->row[0] - width - 1);
    }
    if (type == 5 || type == 6) { /* modulo the number of bits */
        if (told != (r->counted & ((UINT64_C(1) << 8 * width) - 1)))
            return wrong(r, "a different number of data records precedes it");
        r->counted = 0;
    } else if (type >= 7) {
        r->records->ended = true;
        r->counted = 0;
    }
    return ETM_OK;
}

int etm_records_read(struct etm_records *records, enum etm_records_kind kind,
                     const uint8_t *bytes, size_t n, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    struct reader r = {.records = records,
                       .bytes = bytes,
                       .n = n,
                       .path = path,
                       .diag = diag,
                       .at = etm_mark_size(bytes, n)};
    int status = ETM_OK;

    etm_vec_init(&records->bytes, 1, allocator);
    etm_vec_init(&records->runs, sizeof(struct etm_records_run), allocator);
    records->ended = false;
    while (status == ETM_OK && next_line(&r))
        status = kind == ETM_RECORDS_INTEL ? take_intel(&r) : take_motorola(&r);
    if (status == ETM_OK && records->bytes.n == 0) {
        r.line = 1;
        status = wrong(&r, "there are no records with data");
    }
    if (status != ETM_OK)
        etm_records_fini(records);
    return status;
}

void etm_records_fini(struct etm_records *records)
{
    etm_vec_fini(&records->bytes);
    etm_vec_fini(&records->runs);
}
