/* SPDX-License-Identifier: Apache-2.0 */
/* Pieces of very frequent lines, without printf(). `at` is where the text
 * continues; returns the place after what was put. */
#ifndef ETM_CLI_PUT_H
#define ETM_CLI_PUT_H

#include <etm/types.h>

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline char *etm_cli_put_text(char *at, const char *text)
{
    size_t n = strlen(text);

    memcpy(at, text, n);
    return at + n;
}

/* At least `width` characters. */
static inline char *etm_cli_put_decimal(char *at, uint64_t value, size_t width)
{
    char digits[20];
    size_t n = 0;

    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    for (; width > n; width--)
        *at++ = ' ';
    while (n > 0)
        *at++ = digits[--n];
    return at;
}

/* "0x0001f438" */
static inline char *etm_cli_put_hex(char *at, uint32_t value, unsigned digits)
{
    at = etm_cli_put_text(at, "0x");
    while (digits > 0)
        *at++ = "0123456789abcdef"[value >> 4 * --digits & 0xf];
    return at;
}

/* Executed code, as a part of an object: its source, and its address. */
static inline char *etm_cli_put_code(char *at, unsigned id, uint32_t start,
                                     uint32_t end, unsigned isa, uint64_t insns)
{
    at = etm_cli_put_decimal(etm_cli_put_text(at, "\"src\":"), id, 0);
    at = etm_cli_put_hex(etm_cli_put_text(at, ",\"start\":\""), start, 8);
    at = etm_cli_put_hex(etm_cli_put_text(at, "\",\"end\":\""), end, 8);
    at = etm_cli_put_text(at, "\",\"isa\":\"");
    at = etm_cli_put_text(at, etm_isa_name((enum etm_isa)isa));
    at = etm_cli_put_text(at, "\",\"insns\":");
    return etm_cli_put_decimal(at, insns, 0);
}

#endif
