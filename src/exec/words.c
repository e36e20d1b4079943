/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/words.h"

#include "base/number.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool etm_word_next(struct etm_word *line, struct etm_word *word)
{
    size_t n = 0;

    while (line->n > 0 && is_blank(*line->text)) {
        line->text++;
        line->n--;
    }
    while (n < line->n && !is_blank(line->text[n]))
        n++;
    *word = (struct etm_word){line->text, n};
    line->text += n;
    line->n -= n;
    return n > 0;
}

bool etm_word_is(const struct etm_word *word, const char *text)
{
    return strlen(text) == word->n && memcmp(word->text, text, word->n) == 0;
}

bool etm_word_is_like(const struct etm_word *word, const char *text)
{
    return strlen(text) == word->n && etm_fold_like(word->text, text, word->n);
}

bool etm_word_begins(const struct etm_word *word, const char *text)
{
    size_t n = strlen(text);

    return n <= word->n && etm_fold_like(word->text, text, n);
}

bool etm_word_holds(const struct etm_word *word, const char *text)
{
    size_t n = strlen(text);

    for (size_t i = 0; i + n <= word->n; i++) {
        if (etm_fold_like(word->text + i, text, n))
            return true;
    }
    return false;
}

bool etm_word_cut(struct etm_word *word, char c, struct etm_word *behind)
{
    const char *at = word->n == 0 ? NULL : memchr(word->text, c, word->n);

    if (at == NULL)
        return false;
    behind->text = at + 1;
    behind->n = word->n - (size_t)(at + 1 - word->text);
    word->n = (size_t)(at - word->text);
    return true;
}

bool etm_word_key(const struct etm_word *word, const char *key,
                  struct etm_word *value)
{
    size_t n = strlen(key);

    if (word->n <= n || word->text[n] != '=' || memcmp(word->text, key, n) != 0)
        return false;
    *value = (struct etm_word){word->text + n + 1, word->n - n - 1};
    return true;
}

bool etm_word_hex(const struct etm_word *word, uint64_t most, uint64_t *value)
{
    return etm_number_read(word->text, word->n, 16, most, value);
}

bool etm_word_dec(const struct etm_word *word, uint64_t most, uint64_t *value)
{
    return etm_number_read(word->text, word->n, 10, most, value);
}
