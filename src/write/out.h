/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A buffer for the output of text, and fast functions to put numbers into it.
 * etm_out_line() makes room for ETM_OUT_LINE bytes. The puts below do not check
 * for room: between two calls of etm_out_line() or etm_out_text() no more than
 * that may be put. Text of unknown length goes through etm_out_text(), which
 * leaves that room after it again.
 */
#ifndef ETM_WRITE_OUT_H
#define ETM_WRITE_OUT_H

#include "base/alloc.h"

#include <etm/write.h>
#include <string.h>

#define ETM_OUT_LINE 1024u
#define ETM_OUT_BUFFER 65536u

struct etm_out {
    char *start;
    char *next;
    char *end;
    etm_write_fn *write;
    void *context;
    int status; /* error returned by `write`, or ETM_OK */
    struct etm_allocator allocator;
};

/* "00" "01" ... "ff" */
extern const char etm_out_hex[513];

/* ETM_OK or ETM_ERR_MEMORY. */
int etm_out_init(struct etm_out *out, etm_write_fn *write, void *context,
                 const struct etm_allocator *allocator);
void etm_out_fini(struct etm_out *out);

/* Write what is held back. Returns `status`. */
int etm_out_flush(struct etm_out *out);

/* `n` bytes of any length; room for ETM_OUT_LINE more afterwards. */
void etm_out_bytes(struct etm_out *out, const char *text, size_t n);
void etm_out_text(struct etm_out *out, const char *text);

/* Text from a file, a name or a line of source, as it is shown
 * (etm_name_shown()), with '?' for each character that is not plain. */
void etm_out_plain(struct etm_out *out, const char *text);

/* Up to 20 digits. */
void etm_out_decimal(struct etm_out *out, uint64_t value);

/* At least `width` characters, filled with blanks on the left. */
void etm_out_decimal_width(struct etm_out *out, uint64_t value, unsigned width);

/* As few digits as the value needs. */
void etm_out_hex_short(struct etm_out *out, uint64_t value);

/*
 * A short text that is put often: the copy has a size that the compiler knows.
 * It writes beyond `n`, where there is room for a line.
 */
struct etm_out_name {
    char text[47];
    uint8_t n;
};
#define ETM_OUT_NAME(literal)                                                  \
    {                                                                          \
        literal, sizeof(literal) - 1                                           \
    }

static inline void etm_out_line(struct etm_out *out)
{
    if ((size_t)(out->end - out->next) < ETM_OUT_LINE)
        (void)etm_out_flush(out);
}

static inline void etm_out_char(struct etm_out *out, char c)
{
    *out->next++ = c;
}

static inline void etm_out_put(struct etm_out *out, const char *text, size_t n)
{
    memcpy(out->next, text, n);
    out->next += n;
}

/* A short text that is known to fit. */
static inline void etm_out_word(struct etm_out *out, const char *text)
{
    etm_out_put(out, text, strlen(text));
}

static inline void etm_out_name(struct etm_out *out,
                                const struct etm_out_name *name)
{
    memcpy(out->next, name->text, sizeof name->text);
    out->next += name->n;
}

/* Up to 100 blanks. */
static inline void etm_out_blanks(struct etm_out *out, size_t n)
{
    memset(out->next, ' ', n);
    out->next += n;
}

/* A string literal. */
#define ETM_OUT(out, literal) etm_out_put((out), (literal), sizeof(literal) - 1)

/* Two, four, eight digits. */
static inline void etm_out_hex8(struct etm_out *out, unsigned value)
{
    etm_out_put(out, etm_out_hex + 2 * (value & 0xffu), 2);
}

static inline void etm_out_hex16(struct etm_out *out, unsigned value)
{
    etm_out_hex8(out, value >> 8);
    etm_out_hex8(out, value);
}

static inline void etm_out_hex32(struct etm_out *out, uint32_t value)
{
    etm_out_hex16(out, value >> 16);
    etm_out_hex16(out, value);
}

/* The `bytes` lowest bytes, 1 to 8, two digits each, the highest first. */
static inline void etm_out_hex_bytes(struct etm_out *out, uint64_t value,
                                     unsigned bytes)
{
    while (bytes > 0)
        etm_out_hex8(out, (unsigned)(value >> (8 * --bytes)) & 0xffu);
}

#endif
