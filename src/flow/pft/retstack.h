/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The return stack (PFT architecture, 4.13). A macrocell has 0 to 15 entries
 * and does not say how many; they are always among the decoder's 16 newest.
 */
#ifndef ETM_FLOW_RETSTACK_H
#define ETM_FLOW_RETSTACK_H

#include "base/imprint.h"

#include <stdbool.h>
#include <stdint.h>

#define ETM_RETSTACK_SIZE 16u /* entries, a power of two */

struct etm_return {
    uint32_t address;
    uint8_t isa; /* enum etm_isa */
};

struct etm_retstack {
    struct etm_return to[ETM_RETSTACK_SIZE];
    uint32_t top; /* index of the newest entry plus one; modulo the size */
    uint32_t n;
};

static inline void etm_retstack_clear(struct etm_retstack *s)
{
    s->n = 0;
}

static inline void etm_retstack_push(struct etm_retstack *s, uint32_t address,
                                     uint8_t isa)
{
    s->to[s->top++ % ETM_RETSTACK_SIZE] = (struct etm_return){address, isa};
    s->n += s->n < ETM_RETSTACK_SIZE;
}

/* Entry i, 0 for the newest. */
static inline const struct etm_return *
etm_retstack_at(const struct etm_retstack *s, uint32_t i)
{
    return &s->to[(s->top - 1 - i) % ETM_RETSTACK_SIZE];
}

/* Take the newest entry away; there is one. */
static inline void etm_retstack_drop(struct etm_retstack *s)
{
    s->n--;
    s->top--;
}

/* The newest entry first. */
static inline void etm_retstack_imprint(const struct etm_retstack *stack,
                                        struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, stack->n);
    for (uint32_t i = 0; i < stack->n; i++) {
        const struct etm_return *to = etm_retstack_at(stack, i);

        etm_imprint_put(imprint, (uint64_t)to->address << 8 | to->isa);
    }
}

#endif
