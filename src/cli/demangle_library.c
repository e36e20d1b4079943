/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demangle_library.h"

#include <libiberty/demangle.h>

/* C++ (Itanium C++ ABI, 5.1), and Rust in both of its forms: the legacy one and
 * v0 (RFC 2603), without the hashes that tell namesakes apart. */
char *etm_cli_demangle_text(const char *name)
{
    return cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
}
