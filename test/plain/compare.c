/* SPDX-License-Identifier: Apache-2.0 */
#include "compare.h"

#include "plain.h"

#include "support/element_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct etm_test_elements ours, theirs;

/* The library's decoder, in pieces of up to `most` bytes. */
static void decode(const struct etm_config *config,
                   const struct etm_image *image, enum etm_level level,
                   const uint8_t *bytes, size_t n, size_t most,
                   struct random *r)
{
    struct etm_decoder_config how =
        etm_test_collecting(config, image, level, &theirs);
    struct etm_decoder *d;

    assert_int_equal(etm_decoder_new(&d, &how), ETM_OK);
    for (size_t at = 0, piece; at < n; at += piece) {
        piece = 1 + random_below(r, (uint32_t)most);
        if (piece > n - at)
            piece = n - at;
        assert_int_equal(etm_decoder_push(d, bytes + at, piece), ETM_OK);
    }
    assert_int_equal(etm_decoder_finish(d), ETM_OK);
    etm_decoder_free(d);
}

static void print(const char *who, const struct etm_test_elements *all,
                  size_t i)
{
    char text[ETM_ELEMENT_TEXT_MAX];

    if (i < all->n)
        printf("%s %zu: at byte %llu %s\n", who, i,
               (unsigned long long)all->all[i].offset,
               etm_element_text(&all->all[i], text));
}

static void show_difference(enum etm_level level, const uint8_t *bytes,
                            size_t n, size_t at)
{
    size_t from = 0, to;

    if (at < theirs.n && theirs.all[at].offset > 20)
        from = (size_t)theirs.all[at].offset - 20;
    to = n - from > 40 ? from + 40 : n;
    printf("%s:\n", level == ETM_LEVEL_RANGES ? "ranges" : "instructions");
    for (size_t i = at < 4 ? 0 : at - 4; i < at + 3; i++) {
        print("plain  ", &ours, i);
        print("decoder", &theirs, i);
    }
    printf("bytes from %zu on:", from);
    for (size_t i = from; i < to; i++)
        printf(" %02x", bytes[i]);
    printf("\n");
}

const char *plain_differs(const struct etm_config *config,
                          const struct etm_image *image, const uint8_t *bytes,
                          size_t n, struct random *r)
{
    static const enum etm_level levels[] = {ETM_LEVEL_INSTRUCTIONS,
                                            ETM_LEVEL_RANGES};

    for (unsigned l = 0; l < 2; l++) {
        size_t most = random_chance(r, 50) ? n + 1 : 100, at = 0;

        assert_true(plain_decode(config, image, levels[l], bytes, n, &ours));
        decode(config, image, levels[l], bytes, n, most, r);
        for (size_t i = 0; i < theirs.n; i++)
            if (theirs.all[i].kind == ETM_ELEMENT_DATA) /* no registers */
                theirs.all[i].u.data.reg_kind = theirs.all[i].u.data.reg = 0;
        while (at < ours.n && at < theirs.n &&
               etm_test_same(&ours.all[at], &theirs.all[at]))
            at++;
        if (at == ours.n && at == theirs.n)
            continue;
        show_difference(levels[l], bytes, n, at);
        return "another element";
    }
    return NULL;
}

void plain_compare_free(void)
{
    free(ours.all);
    free(theirs.all);
}
