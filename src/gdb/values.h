/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of registers, put back together from the instructions that ran,
 * from constants of the program, and from the data that were traced: right, or
 * not known. A register is known until something unknown is written to it.
 */
#ifndef ETM_GDB_VALUES_H
#define ETM_GDB_VALUES_H

#include "gdb/exceptions.h"

#include <etm/config.h>
#include <etm/decode.h>

/* Read memory that never changes: constants of the program. Returns the number
 * of bytes. */
typedef size_t etm_gdb_constants_fn(void *context, uint32_t address,
                                    uint8_t *bytes, size_t size);

/* Instructions by a hash of their addresses. */
#define ETM_GDB_OWING_BITS 4096u

struct etm_gdb_values {
    struct etm_gdb_registers registers;
    struct etm_gdb_exceptions exceptions; /* M profile; `never` may be set */

    /* The last instruction, whose transfers follow it. */
    bool open;
    uint32_t address, opcode;
    uint8_t expected, transfers; /* numbers of transfers; those that came */
    uint8_t size;                /* of one transfer */
    bool sign_extend;
    struct etm_gdb_effect effect;
    uint64_t insns; /* so far */

    /* Instructions not all of whose transfers came. Those that come when it has
     * been executed again may be of either time: they are not used. */
    uint32_t owing[ETM_GDB_OWING_BITS / 32];

    enum etm_profile profile;
    bool has_values; /* data values are traced */
    etm_gdb_constants_fn *constants;
    void *context;
};

void etm_gdb_values_init(struct etm_gdb_values *values,
                         const struct etm_config *config,
                         etm_gdb_constants_fn *constants, void *context);

/* Take the next element, of ETM_LEVEL_INSTRUCTIONS. Before an `insn` is taken,
 * the registers are those that it finds. */
void etm_gdb_values_take(struct etm_gdb_values *values,
                         const struct etm_element *element);

#endif
