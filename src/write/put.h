/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pieces of text, put one after the other at a place that is in a local
 * variable. Each put returns the place after its text. A struct etm_out keeps
 * its place in memory, which for the compiler any written character might
 * change: frequent lines are made here, and etm_out_at() and etm_out_upto()
 * convert between the two.
 *
 * Some puts copy more than they keep, at most ETM_PUT_SPILL bytes after their
 * text; the room for a line of struct etm_out has place for that.
 */
#ifndef ETM_WRITE_PUT_H
#define ETM_WRITE_PUT_H

#include "write/out.h"

#define ETM_PUT_SPILL 80u

/* "00" "01" ... "99" */
extern const char etm_put_pairs[201];

/* "00 " "01 " ... "ff ": three characters of four bytes. */
extern const char etm_put_bytes[256][4];

/* A copy of a size that the compiler knows, of which `n` bytes are used. */
struct etm_piece {
    uint8_t n;
    char text[ETM_PUT_SPILL - 1];
};

/* Bytes of a transfer's value that are shown: those that the instruction
 * transfers, those of a word if it is not known (one packet is 32 bits at most,
 * 7.4.1), and more if the trace has more (E-341): a truncated value would look
 * right. */
static inline unsigned etm_put_value_bytes(uint64_t value, unsigned size)
{
    unsigned n = size >= 1 && size <= 8 ? size : 4;

    while (n < 8 && value >> 8 * n != 0)
        n++;
    return n;
}

static inline char *etm_out_at(const struct etm_out *out)
{
    return out->next;
}

static inline void etm_out_upto(struct etm_out *out, char *at)
{
    out->next = at;
}

static inline char *etm_put(char *at, const char *text, size_t n)
{
    memcpy(at, text, n);
    return at + n;
}

/* A string literal. */
#define ETM_PUT(at, literal) etm_put((at), (literal), sizeof(literal) - 1)

static inline char *etm_put_piece(char *at, const struct etm_piece *piece)
{
    memcpy(at, piece->text, sizeof piece->text);
    return at + piece->n;
}

static inline char *etm_put_name(char *at, const struct etm_out_name *name)
{
    memcpy(at, name->text, sizeof name->text);
    return at + name->n;
}

/* Eight digits, and as many as `bytes` lowest bytes have. */
static inline char *etm_put_hex32(char *at, uint32_t value)
{
    memcpy(at, etm_out_hex + 2 * (value >> 24), 2);
    memcpy(at + 2, etm_out_hex + 2 * (value >> 16 & 0xffu), 2);
    memcpy(at + 4, etm_out_hex + 2 * (value >> 8 & 0xffu), 2);
    memcpy(at + 6, etm_out_hex + 2 * (value & 0xffu), 2);
    return at + 8;
}

static inline char *etm_put_hex(char *at, uint64_t value, unsigned bytes)
{
    for (; bytes > 0; at += 2)
        memcpy(at, etm_out_hex + 2 * (value >> (8 * --bytes) & 0xffu), 2);
    return at;
}

char *etm_put_long_decimal(char *at, uint64_t value);

/* Up to 20 digits. Most numbers are small. */
static inline char *etm_put_decimal(char *at, uint64_t value)
{
    if (value < 10) {
        *at = (char)('0' + value);
        return at + 1;
    }
    if (value < 100)
        return etm_put(at, etm_put_pairs + 2 * value, 2);
    return etm_put_long_decimal(at, value);
}

/*
 * Numbers that grow slowly: the high digits of the last one are kept.
 * Zero-initialise it.
 */
struct etm_slow_number {
    uint64_t high; /* the number without the digits not kept */
    uint8_t n;     /* digits kept; 0: none yet */
    char text[16];
};

/* As few hexadecimal digits as there are, without 0x. */
char *etm_put_hex_short(char *at, uint64_t value);

char *etm_put_new_decimal(char *at, struct etm_slow_number *last,
                          uint64_t value);
char *etm_put_new_offset(char *at, struct etm_slow_number *last,
                         uint64_t value);

static inline char *etm_put_slow_decimal(char *at, struct etm_slow_number *last,
                                         uint64_t value)
{
    uint64_t high = value / 10000;
    unsigned low = (unsigned)(value % 10000);

    if (high != last->high || last->n == 0)
        return etm_put_new_decimal(at, last, value);
    memcpy(at, last->text, sizeof last->text);
    at += last->n;
    memcpy(at, etm_put_pairs + (size_t)2 * (low / 100), 2);
    memcpy(at + 2, etm_put_pairs + (size_t)2 * (low % 100), 2);
    return at + 4;
}

/* At least eight characters, hexadecimal, filled with blanks on the left. */
static inline char *etm_put_slow_offset(char *at, struct etm_slow_number *last,
                                        uint64_t value)
{
    if (value >> 8 != last->high || last->n == 0)
        return etm_put_new_offset(at, last, value);
    memcpy(at, last->text, sizeof last->text);
    return etm_put(at + last->n, etm_out_hex + 2 * (value & 0xffu), 2);
}

/* A text of any length, of which 48 bytes can be read in any case: most texts
 * are short, and the size of the first copy is known. */
static inline char *etm_put_ready(char *at, const char *text, size_t n)
{
    memcpy(at, text, 48);
    if (n > 48)
        memcpy(at + 48, text + 48, n - 48);
    return at + n;
}

#endif
