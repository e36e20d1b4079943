/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The return stack (PFT architecture, 4.13). A macrocell has 0 to 15 entries
 * and does not say how many; they are always among the decoder's 16 newest.
 * There are more places than that, because the one after the newest may be
 * written before it is known whether anything is to be pushed.
 *
 * An entry is the number of the step at the return address, so that pushing and
 * popping are one memory access. If there is no such step, or step numbers are
 * about to change, the address is kept.
 */
#ifndef ETM_FLOW_RETSTACK_H
#define ETM_FLOW_RETSTACK_H

#include "base/imprint.h"
#include "image/block.h"

#define ETM_RETSTACK_SIZE 32u /* places, a power of two */
#define ETM_RETSTACK_MAX 16u  /* entries */

struct etm_return {
    uint32_t address;
    uint8_t isa; /* enum etm_isa */
};

struct etm_retstack {
    uint32_t step[ETM_RETSTACK_SIZE]; /* 0: see `to` */
    struct etm_return to[ETM_RETSTACK_SIZE];
    uint32_t top; /* index of the newest entry plus one; modulo the size */
    uint32_t n;
};

static inline void etm_retstack_clear(struct etm_retstack *s)
{
    s->n = 0;
}

/* `step` is the number of the step at `to`, or 0. */
static inline void etm_retstack_push(struct etm_retstack *s,
                                     struct etm_return to, uint32_t step)
{
    s->step[s->top % ETM_RETSTACK_SIZE] = step;
    s->to[s->top % ETM_RETSTACK_SIZE] = to;
    s->top++;
    if (s->n < ETM_RETSTACK_MAX)
        s->n++;
}

/* Where entry i, 0 for the newest, returns to; `steps` are the current ones. */
static inline struct etm_return etm_retstack_get(const struct etm_retstack *s,
                                                 const struct etm_step *steps,
                                                 uint32_t i)
{
    uint32_t place = (s->top - 1 - i) % ETM_RETSTACK_SIZE;
    const struct etm_step *step = &steps[s->step[place]];

    return s->step[place] == 0 ? s->to[place]
                               : (struct etm_return){step->start, step->isa};
}

/* False when it is empty. */
static inline bool etm_retstack_pop(struct etm_retstack *s,
                                    const struct etm_step *steps,
                                    struct etm_return *to)
{
    if (s->n == 0)
        return false;
    *to = etm_retstack_get(s, steps, 0);
    s->n--;
    s->top--;
    return true;
}

/* Step numbers are about to change. */
static inline void etm_retstack_forget_steps(struct etm_retstack *s,
                                             const struct etm_step *steps)
{
    for (uint32_t i = 0; i < s->n; i++)
        s->to[(s->top - 1 - i) % ETM_RETSTACK_SIZE] =
            etm_retstack_get(s, steps, i);
    for (uint32_t i = 0; i < ETM_RETSTACK_SIZE; i++)
        s->step[i] = 0;
}

/* The newest entry first; step numbers are those of one cache. */
static inline void etm_retstack_imprint(const struct etm_retstack *stack,
                                        const struct etm_step *steps,
                                        struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, stack->n);
    for (uint32_t i = 0; i < stack->n; i++) {
        struct etm_return to = etm_retstack_get(stack, steps, i);

        etm_imprint_put(imprint, (uint64_t)to.address << 8 | to.isa);
    }
}

#endif
