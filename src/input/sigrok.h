/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of sigrok (.sr): zip archives of metadata and samples in pieces. */
#ifndef ETM_INPUT_SIGROK_H
#define ETM_INPUT_SIGROK_H

#include "input/file.h"

/* Can they be read? sigrok_none.c: builds without libarchive cannot. */
bool etm_sigrok_possible(void);

/*
 * Replace such a file by a value change dump of its channels. ETM_ERR_FORMAT,
 * ETM_ERR_MEMORY.
 */
int etm_sigrok_convert(struct etm_file *file, const char *path,
                       const struct etm_allocator *allocator,
                       struct etm_diag *diag);

#endif
