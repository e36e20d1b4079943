/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names. The text of a value of an enumeration whose values are a list of
 * X(VALUE, text):
 *
 *     const char *etm_look_name(enum etm_look look)
 *     {
 *         ETM_RETURN_NAME(ETM_LOOK_LIST, look);
 *     }
 *
 * The compiler warns of a value that the list lacks. "?" for any other value:
 * it may come from a caller.
 */
#ifndef ETM_BASE_NAME_H
#define ETM_BASE_NAME_H

#include <stdbool.h>

#define ETM_NAME_CASE(value, text)                                             \
    case value:                                                                \
        return text;

#define ETM_RETURN_NAME(list, value)                                           \
    do {                                                                       \
        switch (value) {                                                       \
            list(ETM_NAME_CASE)                                                \
        }                                                                      \
        return "?";                                                            \
    } while (0)

/* Names of processors: equal without case, hyphens, underscores and blanks. */
bool etm_same_name(const char *a, const char *b);

/* Does a name begin with another one? */
bool etm_name_begins(const char *name, const char *beginning);

#endif
