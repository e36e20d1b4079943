/* SPDX-License-Identifier: Apache-2.0 */
/* Text that is not trace in any form: a program's source, a log, a web page. */
#ifndef ETM_INPUT_OTHER_TEXT_H
#define ETM_INPUT_OTHER_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* What the bytes of a file are, as a clause; NULL: no text, or samples of a
 * trace port. */
const char *etm_other_text(const uint8_t *bytes, size_t n);

#endif
