/* SPDX-License-Identifier: Apache-2.0 */
/* A build without elfutils: no ELF files, so nothing is known of them. */
#include "gdb/program.h"

struct etm_gdb_program {
    char none;
};

struct etm_gdb_program *etm_gdb_program_new(const struct etm_session *session)
{
    static struct etm_gdb_program none;

    (void)session;
    return &none;
}

struct etm_gdb_program *etm_gdb_program_of(const char *path)
{
    (void)path;
    return etm_gdb_program_new(NULL);
}

void etm_gdb_program_free(struct etm_gdb_program *program)
{
    (void)program;
}

bool etm_gdb_program_shape(const struct etm_gdb_program *program,
                           uint32_t address, struct etm_gdb_shape *shape)
{
    (void)program;
    (void)address;
    (void)shape;
    return false;
}

bool etm_gdb_program_writes(const struct etm_gdb_program *program,
                            uint32_t address)
{
    (void)program;
    (void)address;
    return false;
}

struct etm_gdb_never
etm_gdb_program_never(const struct etm_gdb_program *program, bool fpu)
{
    (void)program;
    return (struct etm_gdb_never){.floats = !fpu};
}

bool etm_gdb_program_begins(const struct etm_gdb_program *program,
                            uint32_t address)
{
    (void)program;
    (void)address;
    return false;
}

bool etm_gdb_program_base(const char *path, uint32_t *address)
{
    (void)path;
    (void)address;
    return false;
}
