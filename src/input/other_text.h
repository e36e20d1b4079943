/* SPDX-License-Identifier: Apache-2.0 */
/* Text instead of trace. */
#ifndef ETM_INPUT_OTHER_TEXT_H
#define ETM_INPUT_OTHER_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the bytes of a file, which are declared to have frames or not, are: a
 * clause that says what to do. NULL: no text; or without frames, samples of a
 * trace port. */
const char *etm_other_text(const uint8_t *bytes, size_t n, bool framed);

/* Can more bytes after these change what etm_other_text() says of them? */
bool etm_other_text_may_be(const uint8_t *bytes, size_t n);

#endif
