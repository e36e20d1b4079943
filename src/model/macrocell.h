/* SPDX-License-Identifier: Apache-2.0 */
/* The macrocell as one object: <etm/macrocell.h>. */
#ifndef ETM_MODEL_MACROCELL_H
#define ETM_MODEL_MACROCELL_H

#include "model/execute.h"

struct etm_macrocell {
    struct etm_allocator allocator;
    struct etm_regfile registers;
    struct etm_dwt dwt; /* beside it */
    struct etm_execute *execute; /* NULL until it is connected or runs */
    bool ran;
};

#endif
