/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer for the output of text. */
#include "write/put.h"

#include <etm/types.h>

/* clang-format off */
#define ROW(h)                                                                 \
    h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7"                            \
    h "8" h "9" h "a" h "b" h "c" h "d" h "e" h "f"

const char etm_out_hex[513] =
    ROW("0") ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7")
    ROW("8") ROW("9") ROW("a") ROW("b") ROW("c") ROW("d") ROW("e") ROW("f");
/* clang-format on */

int etm_out_init(struct etm_out *out, etm_write_fn *write, void *context,
                 const struct etm_allocator *allocator)
{
    *out = (struct etm_out){.write = write, .context = context};
    out->allocator = etm_allocator_or_default(allocator);
    out->start = etm_alloc_zero(&out->allocator, ETM_OUT_BUFFER);
    if (!out->start)
        return ETM_ERR_MEMORY;
    out->next = out->start;
    out->end = out->start + ETM_OUT_BUFFER;
    return ETM_OK;
}

void etm_out_fini(struct etm_out *out)
{
    etm_alloc_free(&out->allocator, out->start);
    out->start = out->next = out->end = NULL;
}

int etm_out_flush(struct etm_out *out)
{
    size_t n = (size_t)(out->next - out->start);

    /* After an error the text is dropped: the caller stops soon. */
    out->next = out->start;
    if (n > 0 && out->status == ETM_OK)
        out->status = out->write(out->context, out->start, n);
    return out->status;
}

void etm_out_bytes(struct etm_out *out, const char *text, size_t n)
{
    while (n > 0) {
        size_t room = (size_t)(out->end - out->next);
        size_t part = n < room ? n : room;

        etm_out_put(out, text, part);
        text += part;
        n -= part;
        if (n > 0)
            (void)etm_out_flush(out);
    }
    etm_out_line(out);
}

void etm_out_text(struct etm_out *out, const char *text)
{
    etm_out_bytes(out, text, strlen(text));
}

void etm_out_plain(struct etm_out *out, const char *text)
{
    char cut[ETM_NAME_SHOWN + 1];
    const char *at = etm_name_shown(text, cut);
    size_t left = strlen(at), n = 0;

    while (n < left) {
        bool plain;
        size_t length = etm_character(at + n, left - n, &plain);

        if (plain) {
            n += length;
            continue;
        }
        etm_out_bytes(out, at, n);
        /* source lines have tabs, which do no harm */
        etm_out_bytes(out, at[n] == '\t' ? "\t" : "?", 1);
        n += length != 0 ? length : 1;
        at += n;
        left -= n;
        n = 0;
    }
    etm_out_bytes(out, at, n);
}

/* clang-format off */
#define TENS(t)                                                                \
    t "0" t "1" t "2" t "3" t "4" t "5" t "6" t "7" t "8" t "9"

const char etm_put_pairs[201] =
    TENS("0") TENS("1") TENS("2") TENS("3") TENS("4")
    TENS("5") TENS("6") TENS("7") TENS("8") TENS("9");

#define BYTES(h)                                                               \
    h "0 ", h "1 ", h "2 ", h "3 ", h "4 ", h "5 ", h "6 ", h "7 ",            \
    h "8 ", h "9 ", h "a ", h "b ", h "c ", h "d ", h "e ", h "f "

const char etm_put_bytes[256][4] = {
    BYTES("0"), BYTES("1"), BYTES("2"), BYTES("3"),
    BYTES("4"), BYTES("5"), BYTES("6"), BYTES("7"),
    BYTES("8"), BYTES("9"), BYTES("a"), BYTES("b"),
    BYTES("c"), BYTES("d"), BYTES("e"), BYTES("f")};
/* clang-format on */

static unsigned decimal_digits(uint64_t value)
{
    unsigned n = 1;

    for (; value >= 10000; value /= 10000)
        n += 4;
    return n + (value >= 10) + (value >= 100) + (value >= 1000);
}

char *etm_put_long_decimal(char *at, uint64_t value)
{
    char *end = at + decimal_digits(value);

    at = end;
    for (; value >= 100; value /= 100) {
        at -= 2;
        memcpy(at, etm_put_pairs + 2 * (value % 100), 2);
    }
    if (value >= 10)
        memcpy(at - 2, etm_put_pairs + 2 * value, 2);
    else
        at[-1] = (char)('0' + value);
    return end;
}

char *etm_put_new_decimal(char *at, struct etm_slow_number *last,
                          uint64_t value)
{
    char *end = etm_put_decimal(at, value);

    last->n = 0;
    if (value >= 10000) {
        last->high = value / 10000;
        last->n = (uint8_t)(end - at - 4);
        memcpy(last->text, at, last->n);
    }
    return end;
}

static unsigned hex_digits(uint64_t value)
{
    unsigned n = 1;

    while (n < 16 && value >> (4 * n))
        n++;
    return n;
}

void etm_out_decimal(struct etm_out *out, uint64_t value)
{
    out->next = etm_put_decimal(out->next, value);
}

void etm_out_decimal_width(struct etm_out *out, uint64_t value, unsigned width)
{
    unsigned n = decimal_digits(value);

    if (n < width)
        etm_out_blanks(out, width - n);
    etm_out_decimal(out, value);
}

char *etm_put_hex_short(char *at, uint64_t value)
{
    for (unsigned n = hex_digits(value); n-- > 0;)
        *at++ = "0123456789abcdef"[value >> (4 * n) & 0xfu];
    return at;
}

void etm_out_hex_short(struct etm_out *out, uint64_t value)
{
    out->next = etm_put_hex_short(out->next, value);
}

char *etm_put_new_offset(char *at, struct etm_slow_number *last, uint64_t value)
{
    unsigned n = hex_digits(value);
    char *end = at;

    for (unsigned i = n; i < 8; i++)
        *end++ = ' ';
    end = etm_put_hex_short(end, value);
    last->n = 0;
    if (n > 2) {
        last->high = value >> 8;
        last->n = (uint8_t)(end - at - 2);
        memcpy(last->text, at, last->n);
    }
    return end;
}
