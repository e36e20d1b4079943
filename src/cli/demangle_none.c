/* SPDX-License-Identifier: Apache-2.0 */
/* Replacement of demangling in a build without libiberty. */
#include "cli/demangle_library.h"

#include <stddef.h>

char *etm_cli_demangle_text(const char *name)
{
    (void)name;
    return NULL;
}
