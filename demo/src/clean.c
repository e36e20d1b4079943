/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"

/* A spike is a sample that none of its neighbours confirms. */
static int16_t without_spikes(struct history *history, int16_t sample)
{
    history->samples[history->n++ % WINDOW] = sample;
    return history->n < WINDOW ? sample : median(history->samples, WINDOW);
}

/* A low pass of the first order. */
static int16_t without_noise(struct history *history, int16_t sample)
{
    history->smooth += sample - history->smooth / 16;
    return (int16_t)(history->smooth / 16);
}

static int16_t within_range(struct history *history, int16_t sample)
{
    (void)history;
    if (sample < 0)
        return 0;
    return sample > 1000 ? 1000 : sample;
}

int16_t clean(struct history *history, int16_t sample)
{
    static int16_t (*const stages[])(struct history *, int16_t) = {
        without_spikes, without_noise, within_range};

    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        sample = stages[i](history, sample);
    return sample;
}
