/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The return stack (PFT architecture, 4.13). A macrocell has 0 to 15 entries
 * and does not say how many; the decoder's 16 newest always hold them. There
 * are more places than that: the one behind the newest may be written to before
 * it is known whether there is anything to push.
 *
 * An entry is one number, so that pushing and popping need no jump:
 *
 *     63           32 31    24 23                 0
 *     address         isa      number of a step, or 0 (struct etm_step)
 */
#ifndef ETM_FLOW_RETSTACK_H
#define ETM_FLOW_RETSTACK_H

#include <etm/types.h>

#define ETM_RETSTACK_SIZE 32u /* places, a power of two */
#define ETM_RETSTACK_MAX 16u  /* entries */
#define ETM_RETSTACK_STEP UINT32_C(0xffffff)

struct etm_retstack {
    uint64_t entry[ETM_RETSTACK_SIZE];
    uint32_t top; /* of the newest entry, plus one; modulo the size */
    uint32_t n;
};

static inline uint64_t etm_retstack_entry(uint32_t address, uint8_t isa,
                                          uint32_t step)
{
    return (uint64_t)address << 32 | (uint32_t)isa << 24 | step;
}

static inline void etm_retstack_clear(struct etm_retstack *s)
{
    s->n = 0;
}

static inline void etm_retstack_push(struct etm_retstack *s, uint64_t entry)
{
    s->entry[s->top % ETM_RETSTACK_SIZE] = entry;
    s->top++;
    if (s->n < ETM_RETSTACK_MAX)
        s->n++;
}

/* False when it is empty. */
static inline bool etm_retstack_pop(struct etm_retstack *s, uint32_t *address,
                                    uint8_t *isa)
{
    uint64_t entry;

    if (s->n == 0)
        return false;
    s->n--;
    s->top--;
    entry = s->entry[s->top % ETM_RETSTACK_SIZE];
    *address = (uint32_t)(entry >> 32);
    *isa = (uint8_t)(entry >> 24);
    return true;
}

/* The numbers of steps mean nothing any more. */
static inline void etm_retstack_forget_steps(struct etm_retstack *s)
{
    for (unsigned i = 0; i < ETM_RETSTACK_SIZE; i++)
        s->entry[i] &= ~(uint64_t)ETM_RETSTACK_STEP;
}

#endif
