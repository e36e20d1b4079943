/* SPDX-License-Identifier: Apache-2.0 */
/* The library's decoder beside the plain one, for the tests of all protocols.
 * They fail the test where something is another. */
#ifndef TEST_PLAIN_COMPARE_H
#define TEST_PLAIN_COMPARE_H

#include "support/random.h"

#include <etm/config.h>
#include <etm/decode.h>

/* Both decoders say the same of these bytes, at both levels. */
void plain_compare(const char *name, const struct etm_config *config,
                   const struct etm_image *image, const uint8_t *bytes,
                   size_t n, struct random *r);

/* Copy with damage: a few bits fall over, or a stretch is missing. `n` is not
 * 0. Returns the new size. */
size_t plain_damage(uint8_t *to, const uint8_t *bytes, size_t n,
                    struct random *r);

void plain_compare_free(void);

#endif
