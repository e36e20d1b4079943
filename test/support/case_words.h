/* SPDX-License-Identifier: Apache-2.0 */
/* Words of cases that more than one room has (test/README.md). */
#ifndef TEST_SUPPORT_CASE_WORDS_H
#define TEST_SUPPORT_CASE_WORDS_H

#include "cases.h"
#include "fields.h"

#include <etm/types.h>

#include <stdint.h>

/* The value of a `WORD=VALUE`; NULL: it is another word. */
char *value_of(char *word, const char *name);

/* False: it is wrong. */
bool number(const char *text, int base, uint64_t *value);

/* A number is as `text` says: `5`, `3-7`. */
bool expected_number(const char *what, uint64_t is, const char *text, int base);

/* Words that have a number. */
struct named {
    const char *name;
    int value;
};

#define NAMED(list, word, value)                                               \
    named(list, sizeof(list) / sizeof *(list), word, value)

/* False: it is wrong. */
bool named(const struct named *list, size_t n, const char *word, int *value);

#define NAME_IN(list, value)                                                   \
    name_in(list, sizeof(list) / sizeof *(list), (int)(value))

const char *name_in(const struct named *list, size_t n, int value);

extern const struct named protocols[6], statuses[7];

/* `21` `00*16` `01..0e`: added to `*n` bytes, at most `most`. */
bool take_bytes(const struct words *w, unsigned first, uint8_t *bytes,
                size_t *n, size_t most);

/* The words from `from` on, a blank before each. */
void add_words(struct scenario_text *t, const struct words *w, unsigned from,
               unsigned to);

/* The words from number `from` on are among those of a text (among()), which is
 * freed. */
bool all_among(const struct words *w, unsigned from, struct scenario_text *is);

/* The words from number `from` on are all of a text, which is freed; `head`: see
 * case_given(). */
bool all_words(const struct words *w, unsigned from, struct scenario_text *is,
               size_t head);

/* Both are the same words, `expected` from its word number `first` on; `17*3`
 * and `1..e` in it are several ones. Frees `is`. */
bool same_text(struct words *w, unsigned first, struct scenario_text *is);

/* The fields that are not 0: " NAME", " NAME=NUMBER" (decimal). */
void add_fields(struct scenario_text *t, const struct field *fields,
                const void *of);

/*
 * Whichever call for memory of an act fails, it alone or with all after it, the
 * act says so, and nothing is left; with all its memory it has this status.
 * There are at least so many calls.
 */
bool each_call_fails(int (*act)(const struct etm_allocator *allocator),
                     int status, size_t least);

#endif
