/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a formatted capture: cut or whole, the same comes out. */
#include "fuzz.h"

#include <etm/port.h>

struct sum {
    uint64_t bytes;
    uint64_t hash;
    uint64_t events;
    struct etm_frame_counts counts;
};

static void add(struct sum *sum, const struct etm_deframed *made)
{
    size_t at = 0;

    for (size_t i = 0; i < made->n_runs; i++) {
        const struct etm_frame_run *run = &made->runs[i];

        if (run->stream != sum->bytes)
            abort();
        for (uint32_t k = 0; k < run->n; k++, at++)
            sum->hash = (sum->hash ^ made->bytes[at] ^
                         etm_frame_run_file(run, k) << 8) *
                        UINT64_C(0x100000001b3);
        sum->bytes += run->n;
    }
    if (at != made->n_bytes)
        abort();
    for (size_t i = 0; i < made->n_events; i++)
        sum->events = sum->events * 31 + made->events[i].file +
                      made->events[i].n * 7 + made->events[i].kind;
}

static struct sum deframe(enum etm_frame_layout layout, uint8_t id,
                          const uint8_t *bytes, size_t n, size_t step)
{
    struct etm_deframer_config config = {
        .size = sizeof config, .layout = layout, .id = id};
    struct etm_deframer *d;
    struct etm_deframed made;
    struct sum sum = {0};

    if (etm_deframer_new(&d, &config) != ETM_OK)
        abort();
    for (size_t at = 0; at < n; at += step) {
        if (etm_deframer_push(d, bytes + at, n - at < step ? n - at : step) !=
            ETM_OK)
            abort();
        etm_deframer_take(d, &made);
        add(&sum, &made);
    }
    if (etm_deframer_finish(d) != ETM_OK)
        abort();
    etm_deframer_take(d, &made);
    add(&sum, &made);
    sum.counts = *etm_deframer_counts(d);
    etm_deframer_free(d);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum etm_frame_layout layouts[] = {
        ETM_FRAME_ALIGNED, ETM_FRAME_TPIU, ETM_FRAME_DSTREAM};
    enum etm_frame_layout layout;
    struct sum whole, cut;
    uint8_t id;
    size_t step;

    if (size < 3)
        return 0;
    layout = layouts[data[0] % 3];
    id = data[1] % ETM_ID_TRIGGER;
    step = data[2] % 40 + 1u;
    data += 3;
    size -= 3;
    whole = deframe(layout, id, data, size, size + 1);
    cut = deframe(layout, id, data, size, step);
    if (whole.bytes != cut.bytes || whole.hash != cut.hash ||
        whole.events != cut.events ||
        memcmp(&whole.counts, &cut.counts, sizeof cut.counts) != 0)
        abort();
    return 0;
}
