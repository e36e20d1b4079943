/* SPDX-License-Identifier: Apache-2.0 */
/* Without libarchive. */
#include "input/sigrok.h"

bool etm_sigrok_possible(void)
{
    return false;
}

int etm_sigrok_convert(struct etm_file *file, const char *path,
                       const struct etm_sigrok_limits *limits,
                       const struct etm_allocator *allocator,
                       struct etm_diag *diag)
{
    (void)file;
    (void)path;
    (void)limits;
    (void)allocator;
    (void)diag;
    return ETM_OK;
}
