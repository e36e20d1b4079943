/* SPDX-License-Identifier: Apache-2.0 */
/* The macrocell as one object: <etm/macrocell.h>. */
#ifndef ETM_MODEL_MACROCELL_H
#define ETM_MODEL_MACROCELL_H

#include "model/registers.h"

struct etm_macrocell {
    struct etm_allocator allocator;
    struct etm_regfile registers;
};

#endif
