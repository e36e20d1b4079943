/* SPDX-License-Identifier: Apache-2.0 */
/* Any numbers as the samples of a port of any width: cut or whole, the same
 * comes out. Any bytes sent through a port come back. And any times as changes
 * of an SWO pin. */
#include "fuzz.h"
#include "port/manchester.h"

#include <etm/port.h>

#define MOST 512u

struct sum {
    uint64_t bytes, hash;
    struct etm_port_counts counts;
};

static struct sum unpack(const struct etm_port_config *config,
                         const struct etm_port_sample *samples, size_t n,
                         size_t step)
{
    struct etm_unpacker *unpacker;
    struct etm_unpacked made;
    struct sum sum = {0};

    must(etm_unpacker_new(&unpacker, config) == ETM_OK);
    for (size_t at = 0; at < n; at += step) {
        must(etm_unpacker_push(unpacker, samples + at,
                               n - at < step ? n - at : step) == ETM_OK);
        etm_unpacker_take(unpacker, &made);
        sum.bytes += made.n_bytes;
        sum.hash = mix(sum.hash, made.bytes, made.n_bytes);
    }
    sum.counts = *etm_unpacker_counts(unpacker);
    etm_unpacker_free(unpacker);
    return sum;
}

/* What a packer makes of bytes is these bytes, and idle cycles after them. */
static void round_trip(const struct etm_port_config *config,
                       const uint8_t *bytes, size_t n)
{
    struct etm_packer *packer;
    const struct etm_port_sample *samples;
    struct etm_unpacker *unpacker;
    struct etm_unpacked made;
    size_t n_samples;

    if (etm_packer_new(&packer, config) != ETM_OK)
        return;
    must(etm_packer_push(packer, bytes, n) == ETM_OK &&
         etm_packer_drain(packer) == ETM_OK);
    etm_packer_take(packer, &samples, &n_samples);
    must(etm_unpacker_new(&unpacker, config) == ETM_OK &&
         etm_unpacker_push(unpacker, samples, n_samples) == ETM_OK);
    etm_unpacker_take(unpacker, &made);
    must(made.n_bytes >= n && (n == 0 || memcmp(made.bytes, bytes, n) == 0));
    etm_unpacker_free(unpacker);
    etm_packer_free(packer);
}

static void swo(const uint8_t *data, size_t size)
{
    static struct etm_pin_change changes[MOST];
    struct etm_vec bytes, wrong;
    uint64_t time = 0, period;
    size_t n = 0;

    for (; n < MOST && n < size; n++) {
        time += 1 + (uint64_t)(data[n] & 0x3f) * (data[n] & 0x80 ? 1000u : 1u);
        changes[n].time = time;
        changes[n].level = (uint8_t)(data[n] == 0x55 ? 2 : n & 1);
    }
    period = etm_uart_period(changes, n);
    if (period == 0)
        return;
    etm_vec_init(&bytes, sizeof(uint8_t), NULL);
    etm_vec_init(&wrong, sizeof(uint64_t), NULL);
    must(etm_uart_bytes(changes, n, period, &bytes, &wrong) == ETM_OK);
    if (etm_manchester_fits(changes, n, period))
        must(etm_manchester_bytes(changes, n, period, &bytes, &wrong) ==
             ETM_OK);
    etm_vec_fini(&bytes);
    etm_vec_fini(&wrong);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct etm_port_sample samples[MOST];
    struct etm_port_config config = {.size = sizeof config};
    const uint8_t kind = take(&data, &size), width = take(&data, &size);
    const uint8_t step = take(&data, &size);
    struct sum whole, cut;
    size_t n = 0;

    if (kind % 8 == 7) {
        swo(data, size);
        return 0;
    }
    config.protocol = (enum etm_protocol)(ETM_PROTOCOL_ETMV3 + (kind & 1));
    config.width = width;
    if (etm_port_check(&config, NULL) != ETM_OK)
        return 0;
    round_trip(&config, data, size);
    for (; n < MOST && size >= 10; n++, data += 10, size -= 10) {
        memcpy(&samples[n].data, data, sizeof samples[n].data);
        if (width < 64)
            samples[n].data &= (UINT64_C(1) << width) - 1;
        samples[n].control = data[8] & 1;
        samples[n].status = data[9] & 15;
    }
    whole = unpack(&config, samples, n, MOST);
    cut = unpack(&config, samples, n, step % 7 + 1u);
    must(whole.bytes == cut.bytes && whole.hash == cut.hash &&
         memcmp(&whole.counts, &cut.counts, sizeof cut.counts) == 0);
    return 0;
}
