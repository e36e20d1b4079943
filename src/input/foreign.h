/* SPDX-License-Identifier: Apache-2.0 */
/* Files of other kinds, which people give instead of trace. */
#ifndef ETM_INPUT_FOREIGN_H
#define ETM_INPUT_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * "a ...: what to do with it", by what is in it; static storage. NULL: it may
 * be trace, or samples of a trace port. `n` bytes are the whole file or its
 * beginning.
 */
const char *etm_foreign_kind(const uint8_t *bytes, size_t n);

/* Can more bytes after these tell whether it is one of these? Bytes of trace
 * soon cannot. */
bool etm_foreign_may_be(const uint8_t *bytes, size_t n);

/* archive.c: what a zip archive is, by the names of the files in it. NULL: it
 * is none. */
const char *etm_archive_kind(const uint8_t *bytes, size_t n);
/* Is a whole one a session of sigrok? */
bool etm_archive_is_sigrok(const uint8_t *bytes, size_t n);

/* May a zip archive begin so? It does if so many bytes do. */
#define ETM_ARCHIVE_LEAST 4u
bool etm_archive_may_be(const uint8_t *bytes, size_t n);

#endif
