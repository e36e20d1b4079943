/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a stream in which bits were shifted: cut or whole, the same
 * comes out, and runs cover the bytes. */
#include "fuzz.h"

#include <etm/port.h>

struct sum {
    uint64_t bytes, hash;
};

static void add(struct etm_realigner *r, struct sum *sum)
{
    struct etm_realigned made;

    etm_realigner_take(r, &made);
    must(made.n_runs > 0 || made.n_bytes == 0);
    sum->hash = mix(sum->hash, made.bytes, made.n_bytes);
    sum->bytes += made.n_bytes;
}

static struct sum realign(uint32_t hold, const uint8_t *bytes, size_t n,
                          size_t step)
{
    const struct etm_realigner_config config = {.size = sizeof config,
                                                .hold = hold};
    struct etm_realigner *r;
    struct sum sum = {0};

    must(etm_realigner_new(&r, &config) == ETM_OK);
    for (size_t at = 0; at < n; at += step) {
        must(etm_realigner_push(r, bytes + at, n - at < step ? n - at : step) ==
             ETM_OK);
        add(r, &sum);
    }
    must(etm_realigner_finish(r) == ETM_OK);
    add(r, &sum);
    etm_realigner_free(r);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t hold = take(&data, &size), step = take(&data, &size);
    const uint32_t bytes = hold < ETM_REALIGN_HOLD_MIN ? 0 : hold;
    struct sum whole = realign(bytes, data, size, size + 1);
    struct sum cut = realign(bytes, data, size, step % 40 + 1u);

    must(whole.bytes == cut.bytes && whole.hash == cut.hash);
    return 0;
}
