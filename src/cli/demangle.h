/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of C++ and Rust as their source has them; in a build without libiberty,
 * as the program has them.
 */
#ifndef ETM_CLI_DEMANGLE_H
#define ETM_CLI_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

struct etm_cli_demangler;

/* `plain`: names stay as they are in the program. NULL: out of memory. */
struct etm_cli_demangler *etm_cli_demangler_new(bool plain);

/* The name of function `number`, which is `name` in its program; "copy
 * (inlined)" is another function than "copy". Valid up to the next clear.
 * `demangler` may be NULL. */
const char *etm_cli_demangle(struct etm_cli_demangler *demangler, size_t number,
                             const char *name, bool inlined);

/* The name of a symbol that has no number, and whose `name` stays where it is;
 * valid up to the next one. `demangler` may be NULL. */
const char *etm_cli_demangle_symbol(struct etm_cli_demangler *demangler,
                                    const char *name);

/* Is `name`, of a program, what `wanted` says: as it is, or demangled, with or
 * without parameters? */
bool etm_cli_demangle_same(struct etm_cli_demangler *demangler,
                           const char *name, const char *wanted);

/* Forget all functions: their numbers will be those of others. */
void etm_cli_demangler_clear(struct etm_cli_demangler *demangler);
void etm_cli_demangler_free(struct etm_cli_demangler *demangler);

#endif
