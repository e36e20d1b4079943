/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a program, numbered in the order in which they are met. */
#ifndef ETM_ANALYZE_FUNCTIONS_H
#define ETM_ANALYZE_FUNCTIONS_H

#include "base/vec.h"

#include <etm/types.h>

#define ETM_NO_FUNCTION UINT32_MAX

struct etm_function_row {
    struct etm_function function;
    uint32_t open;  /* frames of it in the task that runs */
    uint32_t whole; /* itself; of split-off code, the function it belongs to */
    bool returns_twice; /* setjmp() and its like */
    bool inlined;       /* its code is that of others; by its name */
};

/* What an address was found to be. */
struct etm_function_place {
    uint32_t address;
    uint32_t function;
};

#define ETM_FUNCTION_PLACES 4096u

struct etm_functions {
    struct etm_names names;
    struct etm_vec rows;   /* struct etm_function_row */
    struct etm_vec places; /* of recent lookups, by a hash of the address */
    struct etm_vec index; /* uint32_t, number + 1 or 0, by start address or name
                           */
    int status;           /* ETM_ERR_MEMORY: a row is missing */
};

int etm_functions_init(struct etm_functions *functions,
                       const struct etm_names *names,
                       const struct etm_allocator *allocator);
void etm_functions_fini(struct etm_functions *functions);

/* The function that an address belongs to; ETM_NO_FUNCTION: no symbol does. */
uint32_t etm_functions_at(struct etm_functions *functions, uint32_t address);

/* The function that an address belongs to; without a symbol, one that begins
 * there. */
uint32_t etm_functions_from(struct etm_functions *functions, uint32_t address);

/* The function of this name as an inlined one. */
uint32_t etm_functions_inlined(struct etm_functions *functions,
                               const struct etm_inlined *inlined);

static inline struct etm_function_row *
etm_functions_row(const struct etm_functions *functions, uint32_t index)
{
    return (struct etm_function_row *)functions->rows.data + index;
}

#endif
