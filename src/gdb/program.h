/* SPDX-License-Identifier: Apache-2.0 */
/* What the ELF files of a capture say beyond its session: .debug_frame, and
 * which memory is written. Empty in a build without elfutils. */
#ifndef ETM_GDB_PROGRAM_H
#define ETM_GDB_PROGRAM_H

#include "gdb/exceptions.h"
#include "gdb/shape.h"

#include <etm/session.h>

struct etm_gdb_program;

/* All that the session names; those that cannot be read are left out. NULL: out
 * of memory. */
struct etm_gdb_program *etm_gdb_program_new(const struct etm_session *session);
/* One file alone. */
struct etm_gdb_program *etm_gdb_program_of(const char *path);
void etm_gdb_program_free(struct etm_gdb_program *program);

/* What .debug_frame says of an instruction; its `depth` only if it tells by the
 * stack pointer. False: nothing, or nothing that is an offset. */
bool etm_gdb_program_shape(const struct etm_gdb_program *program,
                           uint32_t address, struct etm_gdb_shape *shape);

/* What code of the M profile certainly never does: all of it is looked through.
 * Zero if there is code that cannot be. `fpu`: the processor may have one. */
struct etm_gdb_never
etm_gdb_program_never(const struct etm_gdb_program *program, bool fpu);

/* Is a function that begins there the first one after a reset, or main()? It
 * runs in Thread mode. */
bool etm_gdb_program_begins(const struct etm_gdb_program *program,
                            uint32_t address);

/* The address of the first segment of an ELF file. False: it cannot be read. */
bool etm_gdb_program_base(const char *path, uint32_t *address);

/* Does a program write there: is its value in the file only that of the start?
 */
bool etm_gdb_program_writes(const struct etm_gdb_program *program,
                            uint32_t address);

#endif
