/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pins and clock edges of the trace port (ETM architecture, 2.10, chapter 8).
 *
 *                      TRACECLK edges that count     cycles
 *     normal           rising, at half rate both     one an edge
 *     multiplexed      both                          one a pair of edges, the
 *                                                    rising one first
 *     demultiplexed    rising, at half rate both     two an edge, B before A
 *     ETMv3            both (2.10.2)                 one an edge
 */
#include "port/pins.h"

#include "base/diag.h"

#define SIGNALS 20 /* trace signals of one connector (8.2) */
#define MUX_PINS 10

static uint64_t low_bits(uint64_t value, unsigned n)
{
    return value & ((UINT64_C(1) << n) - 1);
}

int etm_port_clock_init(struct etm_port_clock *clock,
                        const struct etm_port_config *config,
                        struct etm_diag *diag)
{
    struct etm_port_config own;
    int status = etm_port_config_take(&own, config, diag);

    if (status != ETM_OK)
        return status;
    *clock = (struct etm_port_clock){.config = own};
    if (own.width <= 32)
        return ETM_OK;
    status = etm_diag_begin(diag, ETM_ERR_UNSUPPORTED, NULL);
    etm_diag_text(diag, "no connector is specified for ports of more than 32 "
                        "bits");
    return status;
}

/* Whether both edges of TRACECLK are sampled, not only the rising one. */
static bool both_edges(const struct etm_port_config *config)
{
    return etm_port_is_stream(config) || config->half_rate ||
           config->mode == ETM_PORT_MULTIPLEXED;
}

/* Table 8-2: trace signal k is bit k - 1. */
static uint64_t signals_of(const struct etm_port_config *config,
                           const struct etm_port_sample *sample)
{
    uint64_t data = low_bits(sample->data, config->width);
    unsigned control = sample->control & 1;

    if (config->protocol == ETM_PROTOCOL_ETMV1)
        return (sample->status & 7u) | control << 3 | data << 4;
    if (config->protocol == ETM_PROTOCOL_ETMV2)
        return (sample->status & 15u) | data << 4;
    /* Signals 3 to 5 are wired so that a capture device for ETMv1 or ETMv2
     * sees a status that it stores, TR or TD (table 8-4). */
    return (data & 1) | control << 1 | 4 | (data >> 1 & 0x7fff) << 5 |
           (data >> 16) << SIGNALS;
}

static struct etm_port_sample sample_of(const struct etm_port_config *config,
                                        uint64_t signals)
{
    struct etm_port_sample sample = {0};

    if (etm_port_is_stream(config)) {
        sample.control = (uint8_t)(signals >> 1 & 1);
        sample.data = (signals & 1) | (signals >> 5 & 0x7fff) << 1 |
                      (signals >> SIGNALS & 0xffff) << 16;
    } else {
        bool v1 = config->protocol == ETM_PROTOCOL_ETMV1;

        sample.status = (uint8_t)(signals & (v1 ? 7 : 15));
        sample.control = v1 ? (uint8_t)(signals >> 3 & 1) : 0;
        sample.data = signals >> 4 & 0xffff;
    }
    sample.data = low_bits(sample.data, config->width);
    return sample;
}

/* Table 8-8: the trace signal of each pin of a multiplexed port, at the rising
 * and at the falling edge. */
static const uint8_t mux_signals[2][MUX_PINS] = {
    {1, 2, 3, 5, 9, 11, 13, 15, 17, 19},
    {4, 6, 7, 8, 10, 12, 14, 16, 18, 20},
};

static uint64_t mux_join(uint64_t rising, uint64_t falling)
{
    uint64_t signals = 0;

    for (unsigned i = 0; i < MUX_PINS; i++) {
        signals |= (rising >> i & 1) << (mux_signals[0][i] - 1);
        signals |= (falling >> i & 1) << (mux_signals[1][i] - 1);
    }
    return signals;
}

static uint64_t mux_split(uint64_t signals, bool falling)
{
    uint64_t pins = 0;

    for (unsigned i = 0; i < MUX_PINS; i++)
        pins |= (signals >> (mux_signals[falling][i] - 1) & 1) << i;
    return pins;
}

/* Edges to samples. */

static int add_signals(struct etm_port_clock *clock, uint64_t signals,
                       struct etm_vec *samples)
{
    struct etm_port_sample all[2] = {{.status = ETM_PORT_LOST},
                                     sample_of(&clock->config, signals)};
    bool lost =
        clock->missing && clock->begun && !etm_port_is_stream(&clock->config);

    clock->begun = true;
    clock->missing = false;
    return lost ? etm_vec_append(samples, all, 2)
                : etm_vec_append(samples, &all[1], 1);
}

void etm_port_clock_miss(struct etm_port_clock *clock)
{
    clock->half = false;
    clock->missing = true;
}

static int sample_multiplexed(struct etm_port_clock *clock,
                              const struct etm_port_edge *edge,
                              struct etm_vec *samples)
{
    bool paired = clock->half && !edge->rising;

    /* The capture missed an edge: one half is not enough. */
    if (clock->half == edge->rising)
        clock->missing = true;
    clock->half = edge->rising;
    if (!paired) {
        clock->first = *edge;
        return ETM_OK;
    }
    return add_signals(clock, mux_join(clock->first.pins, edge->pins), samples);
}

int etm_port_clock_sample(struct etm_port_clock *clock,
                          const struct etm_port_edge *edges, size_t n,
                          struct etm_vec *samples)
{
    bool both = both_edges(&clock->config);
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        uint64_t pins = edges[i].pins;

        if (!both && !edges[i].rising)
            continue;
        switch (clock->config.mode) {
        case ETM_PORT_NORMAL:
            status = add_signals(clock, pins, samples);
            break;
        case ETM_PORT_MULTIPLEXED:
            status = sample_multiplexed(clock, &edges[i], samples);
            break;
        case ETM_PORT_DEMULTIPLEXED:
            /* 8.2.5: what has suffix B comes first. */
            status = add_signals(clock, pins >> SIGNALS, samples);
            if (status == ETM_OK)
                status = add_signals(clock, low_bits(pins, SIGNALS), samples);
            break;
        }
    }
    return status;
}

/* Samples to edges. */

/* The pins have this value for one period of the port. */
static int drive_pins(struct etm_port_clock *clock, uint64_t pins,
                      struct etm_vec *edges)
{
    struct etm_port_edge edge = {pins, !clock->falling};
    int status = etm_vec_append(edges, &edge, 1);

    if (both_edges(&clock->config)) {
        clock->falling = !clock->falling;
        return status;
    }
    edge.rising = false;
    return status == ETM_OK ? etm_vec_append(edges, &edge, 1) : status;
}

static int drive_sample(struct etm_port_clock *clock,
                        const struct etm_port_sample *sample,
                        struct etm_vec *edges)
{
    uint64_t signals = signals_of(&clock->config, sample);
    int status;

    switch (clock->config.mode) {
    case ETM_PORT_NORMAL:
        break;
    case ETM_PORT_MULTIPLEXED:
        status = drive_pins(clock, mux_split(signals, false), edges);
        if (status != ETM_OK)
            return status;
        return drive_pins(clock, mux_split(signals, true), edges);
    case ETM_PORT_DEMULTIPLEXED:
        clock->half = !clock->half;
        if (clock->half) {
            clock->sample = *sample;
            return ETM_OK;
        }
        signals |= signals_of(&clock->config, &clock->sample) << SIGNALS;
        break;
    }
    return drive_pins(clock, signals, edges);
}

int etm_port_clock_drive(struct etm_port_clock *clock,
                         const struct etm_port_sample *samples, size_t n,
                         struct etm_vec *edges)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = drive_sample(clock, &samples[i], edges);
    return status;
}

int etm_port_clock_finish(struct etm_port_clock *clock, struct etm_vec *edges)
{
    /* PIPESTAT is TD and TRACEPKT[0] is LOW: trace disabled (4.4.2). */
    const struct etm_port_sample disabled = {.status = 7};

    if (clock->config.mode != ETM_PORT_DEMULTIPLEXED || !clock->half)
        return ETM_OK;
    return drive_sample(clock, &disabled, edges);
}
