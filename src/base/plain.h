/* SPDX-License-Identifier: Apache-2.0 */
/* Text from files, such as symbol names, that goes to a terminal. */
#ifndef ETM_BASE_PLAIN_H
#define ETM_BASE_PLAIN_H

#include <stdbool.h>

/*
 * Is a character printable, after `before` ('\0' at the beginning)? A terminal
 * interprets others as commands: control characters, and U+0080 to U+009F,
 * which are two bytes of UTF-8.
 */
static inline bool etm_is_plain(char before, char c)
{
    unsigned char u = (unsigned char)c;

    return u >= ' ' && u != 0x7f &&
           !((unsigned char)before == 0xc2 && u >= 0x80 && u < 0xa0);
}

#endif
