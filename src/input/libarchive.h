/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of libarchive that are used, found when they are needed. */
#ifndef ETM_INPUT_LIBARCHIVE_H
#define ETM_INPUT_LIBARCHIVE_H

#include <etm/types.h>

#include <archive.h>
#include <archive_entry.h>
#include <stdbool.h>
#include <stddef.h>

/* X(type of what it returns, name, arguments) */
#define ETM_LIBARCHIVE_LIST(X)                                                 \
    X(struct archive *, archive_read_new, (void))                              \
    X(int, archive_read_support_format_zip, (struct archive *))                \
    X(int, archive_read_open_memory, (struct archive *, const void *, size_t)) \
    X(int, archive_read_next_header,                                           \
      (struct archive *, struct archive_entry **))                             \
    X(la_ssize_t, archive_read_data, (struct archive *, void *, size_t))       \
    X(const char *, archive_entry_pathname, (struct archive_entry *))          \
    X(const char *, archive_error_string, (struct archive *))                  \
    X(int, archive_read_free, (struct archive *))

struct etm_libarchive {
#define ETM_LIBARCHIVE_MEMBER(type, name, arguments) type(*name) arguments;
    ETM_LIBARCHIVE_LIST(ETM_LIBARCHIVE_MEMBER)
#undef ETM_LIBARCHIVE_MEMBER
};

/* ETM_ERR_UNSUPPORTED: it cannot be loaded. `path` is what is to be read. */
int etm_libarchive_load(struct etm_libarchive *library, const char *path,
                        struct etm_diag *diag);

#endif
