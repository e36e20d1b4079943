/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file as bytes: mapped where that is possible, else read. */
#ifndef ETM_INPUT_FILE_H
#define ETM_INPUT_FILE_H

#include "base/alloc.h"

#include <etm/status.h>

struct etm_file {
    const uint8_t *bytes; /* not NULL */
    size_t n;
    bool mapped;
};

/*
 * Open a file; "-" is standard input. On failure *file is empty: ETM_ERR_IO,
 * ETM_ERR_MEMORY.
 */
int etm_file_open(struct etm_file *file, const char *path,
                  const struct etm_allocator *allocator, struct etm_diag *diag);

/* Accepts an empty one. */
void etm_file_close(struct etm_file *file,
                    const struct etm_allocator *allocator);

#endif
