/* SPDX-License-Identifier: Apache-2.0 */
/* Registers as the files of a snapshot's devices have them:
 * `NAME(0x079, size:32)=0x10 (RW)`. */
#ifndef ETM_REGS_DEVICE_H
#define ETM_REGS_DEVICE_H

#include "base/number.h"

#include <etm/config.h>

#include <string.h>

/* What is in brackets after a register's name. */
struct etm_register_brackets {
    uint64_t number; /* ETM_REGISTER_NONE: not given */
    uint64_t bits;   /* its size; 64: not given */
};

static inline bool etm_register_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* "0x079", "id:0x079" or "size:32", without blanks around it. */
static inline bool etm_register_item(const char *item, size_t n,
                                     struct etm_register_brackets *brackets)
{
    if (n >= 5 && etm_fold_begins(item, "size:"))
        return etm_number_read(item + 5, n - 5, 10, UINT64_MAX,
                               &brackets->bits) &&
               brackets->bits != 0;
    if (n >= 3 && etm_fold_begins(item, "id:")) {
        item += 3;
        n -= 3;
    }
    return etm_number_read(item, n, 10, UINT64_MAX, &brackets->number);
}

/* "(0x079)", "(size:64)", "(0x079, size:32)": the end of it; NULL: it is
 * something else. */
static inline const char *
etm_register_brackets(const char *text, struct etm_register_brackets *brackets)
{
    *brackets = (struct etm_register_brackets){ETM_REGISTER_NONE, 64};
    if (*text != '(')
        return NULL;
    do {
        const char *item = text + 1;
        size_t n;

        while (etm_register_is_blank(*item))
            item++;
        text = item + strcspn(item, ",)");
        for (n = (size_t)(text - item);
             n > 0 && etm_register_is_blank(item[n - 1]); n--)
            ;
        if (!etm_register_item(item, n, brackets))
            return NULL;
    } while (*text == ',');
    return *text == ')' ? text + 1 : NULL;
}

/* Is this, after a value, a word on how the register is accessed? It does not
 * affect the value (E-313). */
static inline bool etm_register_is_access(const char *text)
{
    return text[0] == '(' && text[strlen(text) - 1] == ')';
}

#endif
