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

/* archive.c: the same of zip archives, by the names of the files in them. */
const char *etm_archive_kind(const uint8_t *bytes, size_t n);
/* Is a whole one a session of sigrok? */
bool etm_archive_is_sigrok(const uint8_t *bytes, size_t n);

/* May a zip archive begin so? It does if so many bytes do. */
#define ETM_ARCHIVE_LEAST 4u
bool etm_archive_may_be(const uint8_t *bytes, size_t n);

#endif
