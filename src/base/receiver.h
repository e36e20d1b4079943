/* SPDX-License-Identifier: Apache-2.0 */
/* Elements for a caller whose struct etm_element may have another size
 * (doc/abi.md). */
#ifndef ETM_BASE_RECEIVER_H
#define ETM_BASE_RECEIVER_H

#include <etm/decode.h>

struct etm_receiver {
    etm_element_fn *elements;
    void *context;
    size_t size; /* of the caller's element; 0: that in the first version */
};

/* Is this the size of an element in some version? */
bool etm_receiver_is_valid(size_t size);

/* Returns what the caller's function returns. */
int etm_receiver_give(const struct etm_receiver *receiver,
                      const struct etm_element *elements, size_t n);

#endif
