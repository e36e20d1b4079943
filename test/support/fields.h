/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of structs by their names: `NAME`, `NAME=NUMBER`. */
#ifndef TEST_SUPPORT_FIELDS_H
#define TEST_SUPPORT_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

struct field {
    const char *name;
    size_t at, size;
    bool flag;
};

#define FIELD(type, field) FIELD_AS(#field, type, field)
#define FIELD_AS(name, type, field)                                            \
    {                                                                          \
        name, offsetof(struct type, field), sizeof(((struct type *)0)->field), \
            _Generic(((struct type *)0)->field, bool                           \
                     : true, default                                           \
                     : false)                                                  \
    }
#define NO_FIELD                                                               \
    {                                                                          \
        NULL, 0, 0, false                                                      \
    }

/*
 * What a word says goes into *of: `NAME` is 1, `NAME=no` is 0, numbers are of
 * this base; 0: decimal, or 0x.... False: there is no such field (the list ends
 * with NO_FIELD), or it is no number.
 */
bool field_set(const struct field *fields, void *of, const char *word,
               int base);

/* The number in a field of *of. */
void field_put(const struct field *field, void *of, unsigned long long value);
unsigned long long field_value(const struct field *field, const void *of);

/* What a configuration has, but for its protocol and profile. */
extern const struct field config_fields[];

#endif
