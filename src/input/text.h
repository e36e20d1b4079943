/* SPDX-License-Identifier: Apache-2.0 */
/* Text that comes from files and command lines: copies, paths, numbers. */
#ifndef ETM_INPUT_TEXT_H
#define ETM_INPUT_TEXT_H

#include "base/alloc.h"

#include <etm/types.h>

/* A copy of the first `n` bytes, terminated; NULL: no memory. */
char *etm_text_copy(const struct etm_allocator *allocator, const char *text,
                    size_t n);

/* A new text made like printf(); NULL: no memory. */
char *etm_text_print(const struct etm_allocator *allocator, const char *format,
                     ...);

/*
 * The path of `name` as seen from `directory`, which is "" or ends with a
 * separator. An absolute name stays as it is. Backslashes in it separate
 * directories, too. NULL: no memory.
 */
char *etm_text_path(const struct etm_allocator *allocator,
                    const char *directory, const char *name);

/* Length of the directory part of a path, with its separator; 0: none. */
size_t etm_text_directory(const char *path);

/* Equal without regard to the case of ASCII letters. */
bool etm_text_same(const char *a, const char *b);

/* Does it begin with this, without regard to case? */
bool etm_text_begins(const char *text, const char *beginning);

/*
 * A whole text as a number: decimal, or hexadecimal after 0x. False if it is
 * none or does not fit.
 */
bool etm_text_number(const char *text, uint64_t *number);

/*
 * Cut the next item from a list with commas: blanks around it are removed, and
 * *rest is advanced after the comma. NULL at the end. Writes into the text.
 */
char *etm_text_item(char **rest);

/*
 * Fill *diag (may be NULL) with a sentence made like printf() about the file
 * or thing `source`, at `line` (ETM_DIAG_NONE: none). Returns `status`.
 */
int etm_text_fail(struct etm_diag *diag, int status, const char *source,
                  uint64_t line, const char *format, ...);

#endif
