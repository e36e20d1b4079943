/* SPDX-License-Identifier: Apache-2.0 */
/* Trace of something else than an ETM or PTM, recognized by its bytes. */
#ifndef ETM_INPUT_OTHER_TRACE_H
#define ETM_INPUT_OTHER_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a stream that are worth looking at. */
#define ETM_OTHER_TRACE_BYTES ((size_t)64 * 1024)

/* The one of these that is decoded. */
#define ETM_OTHER_ITM "ITM"

/* What the bytes of one source evidently are ("ITM"), if this is no trace of an
 * ETM or PTM; NULL: nothing that is known (doc/errata.md, E-612). */
const char *etm_other_trace_name(const uint8_t *bytes, size_t n);

/* One and the same byte, and more than once: nothing was traced. */
bool etm_bytes_are_one(const uint8_t *bytes, size_t n);

#endif
