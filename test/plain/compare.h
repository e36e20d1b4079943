/* SPDX-License-Identifier: Apache-2.0 */
/* The library's decoder beside the plain one. */
#ifndef TEST_PLAIN_COMPARE_H
#define TEST_PLAIN_COMPARE_H

#include "support/random.h"

#include <etm/config.h>
#include <etm/decode.h>

/* Both decoders say the same of these bytes, at both levels: NULL, or what is
 * not so. */
const char *plain_differs(const struct etm_config *config,
                          const struct etm_image *image, const uint8_t *bytes,
                          size_t n, struct random *r);

void plain_compare_free(void);

#endif
