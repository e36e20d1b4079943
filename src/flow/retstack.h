/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The return stack (PFT architecture, 4.13). A macrocell has 0 to 15 entries
 * and does not say how many; the decoder's 16 newest always hold them.
 */
#ifndef ETM_FLOW_RETSTACK_H
#define ETM_FLOW_RETSTACK_H

#include <etm/types.h>

#define ETM_RETSTACK_SIZE 16u

struct etm_retstack {
    uint32_t address[ETM_RETSTACK_SIZE];
    uint8_t isa[ETM_RETSTACK_SIZE];
    uint32_t top; /* of the newest entry, plus one; modulo the size */
    uint32_t n;
};

static inline void etm_retstack_clear(struct etm_retstack *s)
{
    s->n = 0;
}

static inline void etm_retstack_push(struct etm_retstack *s, uint32_t address,
                                     uint8_t isa)
{
    s->address[s->top % ETM_RETSTACK_SIZE] = address;
    s->isa[s->top % ETM_RETSTACK_SIZE] = isa;
    s->top++;
    if (s->n < ETM_RETSTACK_SIZE)
        s->n++;
}

/* False when it is empty. */
static inline bool etm_retstack_pop(struct etm_retstack *s, uint32_t *address,
                                    uint8_t *isa)
{
    if (s->n == 0)
        return false;
    s->n--;
    s->top--;
    *address = s->address[s->top % ETM_RETSTACK_SIZE];
    *isa = s->isa[s->top % ETM_RETSTACK_SIZE];
    return true;
}

#endif
