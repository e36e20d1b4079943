/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers of the command line. */
#include "cli/cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool etm_cli_take_number(const char **text, uint64_t most, uint64_t *value)
{
    bool hexadecimal =
        (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X');
    char *end;

    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *value = strtoull(*text, &end, hexadecimal ? 16 : 10);
    *text = end;
    return errno == 0 && *value <= most;
}

bool etm_cli_number(const char *text, uint64_t most, uint64_t *value)
{
    return etm_cli_take_number(&text, most, value) && *text == '\0';
}

bool etm_cli_bytes(const char *text, uint64_t *value)
{
    static const char units[] = "KMG";
    const char *unit;

    if (!etm_cli_take_number(&text, UINT64_MAX, value))
        return false;
    unit = *text != '\0' ? strchr(units, *text) : NULL;
    for (long i = unit ? unit - units : -1; i >= 0; i--) {
        if (*value > UINT64_MAX / 1024)
            return false;
        *value *= 1024;
    }
    return unit ? text[1] == '\0' : *text == '\0';
}
