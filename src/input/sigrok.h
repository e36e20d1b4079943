/* SPDX-License-Identifier: Apache-2.0 */
/* Sessions of sigrok (.sr): zip archives of metadata and samples in pieces. */
#ifndef ETM_INPUT_SIGROK_H
#define ETM_INPUT_SIGROK_H

#include "input/file.h"

/* Can they be read? sigrok_none.c: builds without libarchive cannot. */
bool etm_sigrok_possible(void);

/* Bytes of an archive, unpacked, which may be a few kilobytes that claim to be
 * any number of them. doc/reliability.md */
struct etm_sigrok_limits {
    size_t samples;
    size_t changes; /* of the dump that is made of them */
    size_t metadata;
};

#define ETM_SIGROK_LIMITS                                                      \
    {                                                                          \
        .samples = (size_t)1 << 30, .changes = (size_t)1 << 31,                \
        .metadata = (size_t)1 << 20                                            \
    }

/*
 * Replace such a file by a value change dump of its channels. ETM_ERR_FORMAT,
 * ETM_ERR_MEMORY; ETM_ERR_UNSUPPORTED: it is beyond a limit.
 */
int etm_sigrok_convert(struct etm_file *file, const char *path,
                       const struct etm_sigrok_limits *limits,
                       const struct etm_allocator *allocator,
                       struct etm_diag *diag);

#endif
