/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <string.h>

/* Append to a terminated text of at most `capacity` bytes. */
static void append(char *text, size_t capacity, const char *more)
{
    size_t n = strlen(text);
    size_t room = capacity - n - 1;
    size_t wanted = strlen(more);

    if (wanted > room)
        wanted = room;
    memcpy(text + n, more, wanted);
    text[n + wanted] = '\0';
}

int etm_diag_begin(struct etm_diag *diag, int status, const char *source)
{
    if (diag == NULL)
        return status;
    *diag = (struct etm_diag){.status = status,
                              .line = ETM_DIAG_NONE,
                              .offset = ETM_DIAG_NONE,
                              .address = ETM_DIAG_NONE};
    if (source != NULL)
        append(diag->source, sizeof diag->source, source);
    return status;
}

void etm_diag_text(struct etm_diag *diag, const char *text)
{
    if (diag != NULL)
        append(diag->what, sizeof diag->what, text);
}

int etm_diag_say(struct etm_diag *diag, int status, const char *source,
                 const char *what)
{
    (void)etm_diag_begin(diag, status, source);
    etm_diag_text(diag, what);
    return status;
}

void etm_diag_dec(struct etm_diag *diag, uint64_t value)
{
    char digits[21];
    char *p = digits + sizeof digits - 1;

    *p = '\0';
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    etm_diag_text(diag, p);
}

void etm_diag_hex(struct etm_diag *diag, uint64_t value)
{
    char digits[19];
    char *p = digits + sizeof digits - 1;

    *p = '\0';
    do {
        *--p = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value != 0);
    *--p = 'x';
    *--p = '0';
    etm_diag_text(diag, p);
}
