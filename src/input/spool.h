/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that are too long for memory, kept in an unnamed file in the directory
 * TMPDIR or /tmp. Afterwards they are a mapped file like any other.
 */
#ifndef ETM_INPUT_SPOOL_H
#define ETM_INPUT_SPOOL_H

#include "input/file.h"

/* Maximum number of bytes kept in memory. */
#define ETM_SPOOL_KEPT ((size_t)1 << 24)

struct etm_spool {
    const char *name; /* of what is kept, for messages; borrowed */
    int fd;
    uint64_t size; /* bytes that were written */
    uint64_t most; /* and that may be */
};

/* Of a pipe, which may have no end, so much is kept. doc/reliability.md */
#define ETM_SPOOL_PIPE (UINT64_C(64) << 30)

/* Whether there are such files and mapped ones here. */
bool etm_spool_possible(void);

/* On success etm_spool_close() is due. ETM_ERR_IO. A file is kept whole; the
 * caller may set `most`. */
int etm_spool_open(struct etm_spool *spool, const char *name,
                   struct etm_diag *diag);

/* Append bytes. ETM_ERR_IO, also of more than `most`. */
int etm_spool_write(struct etm_spool *spool, const uint8_t *bytes, size_t n,
                    struct etm_diag *diag);

/* Map everything written, which must not be empty; the caller closes *file. On
 * failure it is unchanged: ETM_ERR_IO. */
int etm_spool_map(const struct etm_spool *spool, struct etm_file *file,
                  struct etm_diag *diag);

void etm_spool_close(struct etm_spool *spool);

#endif
