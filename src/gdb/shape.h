/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a function has done to the stack at one of its instructions: where its
 * frame is, and which registers it has saved where.
 */
#ifndef ETM_GDB_SHAPE_H
#define ETM_GDB_SHAPE_H

#include <etm/types.h>

#define ETM_GDB_R7 7u
#define ETM_GDB_R11 11u
#define ETM_GDB_SP 13u
#define ETM_GDB_LR 14u
#define ETM_GDB_PC 15u

/*
 * The canonical frame address (CFA) is the stack pointer before the call. It is
 * register `base` plus `offset`; `depth` below it is the stack pointer.
 */
struct etm_gdb_shape {
    uint8_t base;
    int32_t offset;
    uint32_t depth;
    uint16_t saved; /* a bit for each of R0 to R15 that is in memory, */
    int32_t at[16]; /* at this distance from the CFA */
};

/* An empty one: nothing was done yet. */
static inline struct etm_gdb_shape etm_gdb_shape_of_entry(void)
{
    return (struct etm_gdb_shape){.base = ETM_GDB_SP};
}

/* How code is read. */
struct etm_gdb_code {
    size_t (*read)(void *context, uint32_t address, uint8_t *bytes,
                   size_t size);
    void *context;
    enum etm_profile profile;
};

/*
 * From the instructions between the beginning of a function and an address in
 * it, as far as no branch comes: what its prologue does. As debuggers do for
 * code that no .debug_frame describes.
 */
void etm_gdb_shape_scan(struct etm_gdb_shape *shape,
                        const struct etm_gdb_code *code, enum etm_isa isa,
                        uint32_t start, uint32_t address);

/*
 * An epilogue undoes exactly what is left of the frame. False: at the address
 * there is none.
 */
bool etm_gdb_shape_epilogue(struct etm_gdb_shape *shape,
                            const struct etm_gdb_code *code, enum etm_isa isa,
                            uint32_t address);

#endif
