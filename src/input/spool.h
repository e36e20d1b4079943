/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that are kept in a file without a name, in the directory TMPDIR or
 * /tmp, where they are too long for memory. Afterwards they are a mapped file
 * like any other.
 */
#ifndef ETM_INPUT_SPOOL_H
#define ETM_INPUT_SPOOL_H

#include "input/file.h"

/* Bytes that memory is long enough for. */
#define ETM_SPOOL_KEPT ((size_t)1 << 24)

struct etm_spool {
    const char *name; /* of what is kept, for messages; borrowed */
    int fd;
    uint64_t size; /* bytes that were written */
};

/* Whether there are such files and mapped ones here. */
bool etm_spool_possible(void);

/* On success etm_spool_close() is due. ETM_ERR_IO. */
int etm_spool_open(struct etm_spool *spool, const char *name,
                   struct etm_diag *diag);

/* More bytes, after those that are there. ETM_ERR_IO. */
int etm_spool_write(struct etm_spool *spool, const uint8_t *bytes, size_t n,
                    struct etm_diag *diag);

/* All that was written, and something was; the caller closes *file. On failure
 * that is as it was: ETM_ERR_IO. */
int etm_spool_map(const struct etm_spool *spool, struct etm_file *file,
                  struct etm_diag *diag);

void etm_spool_close(struct etm_spool *spool);

#endif
