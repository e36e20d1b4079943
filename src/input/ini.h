/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An ini file: sections of keys with values, in the order of the file.
 *
 *     ; a comment, also # and after a value
 *     [section]
 *     key = value
 *     key = "value with ; in it"
 */
#ifndef ETM_INPUT_INI_H
#define ETM_INPUT_INI_H

#include "base/vec.h"

struct etm_ini_entry {
    const char *key;
    char *value; /* may be modified by its reader */
    unsigned line;
};

struct etm_ini_section {
    const char *name;
    unsigned line;
    size_t first, n; /* in entries */
};

struct etm_ini {
    struct etm_allocator allocator;
    char *path;
    char *text;
    struct etm_vec sections; /* struct etm_ini_section */
    struct etm_vec entries;  /* struct etm_ini_entry */
};

/*
 * Read a file. ETM_ERR_IO; ETM_ERR_FORMAT: *diag has the line; on failure *ini
 * is empty. Sections of the same name are kept separate.
 */
int etm_ini_open(struct etm_ini *ini, const char *path,
                 const struct etm_allocator *allocator, struct etm_diag *diag);
/* Accepts an empty one. */
void etm_ini_close(struct etm_ini *ini);

/* The first section of that name, without case; NULL: none. */
const struct etm_ini_section *etm_ini_section(const struct etm_ini *ini,
                                              const char *name);
/* The next section of the same name; NULL: none. */
const struct etm_ini_section *
etm_ini_another(const struct etm_ini *ini,
                const struct etm_ini_section *section);

/* Entry `i` of a section, 0 to n - 1. */
struct etm_ini_entry *etm_ini_entry(const struct etm_ini *ini,
                                    const struct etm_ini_section *section,
                                    size_t i);

/*
 * The entry of that key in a section (which may be NULL), without case; NULL:
 * none.
 */
struct etm_ini_entry *etm_ini_find(const struct etm_ini *ini,
                                   const struct etm_ini_section *section,
                                   const char *key);

#endif
