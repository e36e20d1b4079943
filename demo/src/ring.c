/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

bool ring_put(struct ring *ring, int16_t sample)
{
    uint32_t head = ring->head;

    if (head - ring->tail == RING_SIZE)
        return false; /* full: the newest sample is lost */
    ring->samples[head % RING_SIZE] = sample;
    ring->head = head + 1;
    return true;
}

bool ring_get(struct ring *ring, int16_t *sample)
{
    uint32_t tail = ring->tail;

    if (tail == ring->head)
        return false;
    *sample = ring->samples[tail % RING_SIZE];
    ring->tail = tail + 1;
    return true;
}
