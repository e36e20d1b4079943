/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the PFT packets share. */
#ifndef ETM_TEST_PFT_UTIL_H
#define ETM_TEST_PFT_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../support/xorshift.h"
#include "proto/pft.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t a_sync[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80};

/* Everything that decides the format: v1.0 and v1.1, cycle-accurate or not,
 * context ID of 0, 1, 2, 4 bytes, timestamps of 48 and 64 bits, VMID. */
#define N_CONFIGS 64u

static inline struct etm_config config_number(unsigned i)
{
    static const uint8_t context_id_bytes[4] = {0, 1, 2, 4};

    return (struct etm_config){
        .size = sizeof(struct etm_config),
        .protocol = ETM_PROTOCOL_PFT,
        .minor = i & 1,
        .cycle_accurate = (i & 2) != 0,
        .context_id_bytes = context_id_bytes[i >> 2 & 3],
        .timestamp_64bit = (i & 16) != 0,
        .virtualization = (i & 32) != 0,
    };
}

static inline uint32_t random_below(uint64_t *state, uint32_t n)
{
    return random_next(state) % n;
}

static inline const struct etm_packet *packet_at(const struct etm_vec *v,
                                                 size_t i)
{
    assert_true(i < v->n);
    return (const struct etm_packet *)v->data + i;
}

/* The packets of a whole stream, in pieces of `step` bytes, each in a buffer of
 * its own: nothing before it is read. */
static inline void decode_in_steps(const struct etm_config *config,
                                   const uint8_t *bytes, size_t n, size_t step,
                                   struct etm_vec *out)
{
    struct etm_pft_decoder d;

    etm_vec_init(out, sizeof(struct etm_packet), NULL);
    etm_pft_decoder_init(&d, config);
    for (size_t i = 0; i < n; i += step) {
        size_t size = n - i < step ? n - i : step;
        uint8_t *piece = malloc(size);

        assert_non_null(piece);
        memcpy(piece, bytes + i, size);
        assert_int_equal(etm_pft_decoder_push(&d, piece, size, out), ETM_OK);
        free(piece);
    }
    assert_int_equal(etm_pft_decoder_finish(&d, out), ETM_OK);
}

static inline void decode_all(const struct etm_config *config,
                              const uint8_t *bytes, size_t n,
                              struct etm_vec *out)
{
    decode_in_steps(config, bytes, n, n != 0 ? n : 1, out);
}

static inline void assert_same_packets(const struct etm_vec *a,
                                       const struct etm_vec *b)
{
    assert_int_equal(a->n, b->n);
    if (a->n != 0)
        assert_memory_equal(a->data, b->data, a->n * sizeof(struct etm_packet));
}

/* The packets cover a stream of `n` bytes once, in order. */
static inline void assert_covers(const struct etm_vec *packets,
                                 const uint8_t *bytes, size_t n)
{
    uint64_t offset = 0;

    for (size_t i = 0; i < packets->n; i++) {
        const struct etm_packet *k = packet_at(packets, i);

        assert_int_equal(k->offset, offset);
        assert_in_range(k->size, 1, ETM_PACKET_BYTES_MAX);
        assert_true(offset + k->size <= n);
        assert_int_equal(k->header, bytes[offset]);
        offset += k->size;
    }
    assert_int_equal(offset, n);
}

/* A random packet that `config` can send, all fields given. */
struct etm_packet random_packet(const struct etm_config *config,
                                uint64_t *state);

#endif
