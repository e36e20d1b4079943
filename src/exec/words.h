/* SPDX-License-Identifier: Apache-2.0 */
/* A line of text, cut into words. Nothing in it is terminated. */
#ifndef ETM_EXEC_WORDS_H
#define ETM_EXEC_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etm_word {
    const char *text;
    size_t n;
};

/* Get the next word of a line, which becomes the rest; false: no more. */
bool etm_word_next(struct etm_word *line, struct etm_word *word);

bool etm_word_is(const struct etm_word *word, const char *text);

/* Is it that text, in letters of either case? */
bool etm_word_is_like(const struct etm_word *word, const char *text);
bool etm_word_begins(const struct etm_word *word, const char *text);

/* Does it contain the text, without regard to case? */
bool etm_word_holds(const struct etm_word *word, const char *text);

/*
 * Cut at the first `c`: *word becomes what is before it, *after what comes
 * after. False and nothing changed: there is none.
 */
bool etm_word_cut(struct etm_word *word, char c, struct etm_word *behind);

/* "key=value": does it begin with the key? *value is what follows the =. */
bool etm_word_key(const struct etm_word *word, const char *key,
                  struct etm_word *value);

/* The whole word as a number up to `most`; 0x before hexadecimal digits is
 * always allowed, and needed in a decimal one. */
bool etm_word_hex(const struct etm_word *word, uint64_t most, uint64_t *value);
bool etm_word_dec(const struct etm_word *word, uint64_t most, uint64_t *value);

#endif
