/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stop sequence of a formatter in bypass mode, a byte 01 and zeros (E-334),
 * or the same bytes within a packet: only the packets before them show which.
 */
#include "input/bypass.h"

#include "proto/etmv3.h"
#include "proto/pft.h"

/* Packets are read from the last A-sync within this many bytes. */
#define TAIL 65536u

/* Where the last A-sync before `at` begins (ETM architecture 7.7.2); at: there
 * is none. */
static size_t last_a_sync(const uint8_t *bytes, size_t at)
{
    size_t least = at > TAIL ? at - TAIL : 0;

    for (size_t end = at; end >= least + 6; end--) {
        const uint8_t *p = bytes + end - 6;

        if (p[5] == 0x80 && (p[0] | p[1] | p[2] | p[3] | p[4]) == 0)
            return end - 6;
    }
    return at;
}

static int read_etmv3(const struct etm_config *config, const uint8_t *bytes,
                      size_t n, struct etm_vec *packets)
{
    struct etm_etmv3_decoder d;
    int status;

    etm_etmv3_decoder_init(&d, config);
    status = etm_etmv3_decoder_push(&d, bytes, n, packets);
    return status == ETM_OK ? etm_etmv3_decoder_finish(&d, packets) : status;
}

static int read_pft(const struct etm_config *config, const uint8_t *bytes,
                    size_t n, struct etm_vec *packets)
{
    struct etm_pft_decoder d;
    int status;

    etm_pft_decoder_init(&d, config);
    status = etm_pft_decoder_push(&d, bytes, n, packets);
    return status == ETM_OK ? etm_pft_decoder_finish(&d, packets) : status;
}

/* The byte is neither the first of a packet nor lost. */
static bool is_within(const struct etm_packet *p, uint64_t at)
{
    bool lost =
        p->kind == ETM_PACKET_UNSYNCHRONIZED ||
        (p->kind == ETM_PACKET_BAD && (p->fields & ETM_FIELD_TRUNCATED) == 0);

    return p->offset < at && p->offset + p->size > at && !lost;
}

int etm_bypass_within(const struct etm_config *config, const uint8_t *bytes,
                      size_t n, size_t at,
                      const struct etm_allocator *allocator)
{
    size_t from = last_a_sync(bytes, at);
    struct etm_vec packets;
    const struct etm_packet *p;
    int status;

    if (from == at)
        return 0;
    etm_vec_init(&packets, sizeof *p, allocator);
    if (config->protocol == ETM_PROTOCOL_ETMV3)
        status = read_etmv3(config, bytes + from, n - from, &packets);
    else
        status = read_pft(config, bytes + from, n - from, &packets);
    p = packets.data;
    for (size_t i = 0; i < packets.n && status == ETM_OK; i++)
        if (is_within(&p[i], at - from))
            status = 1;
    etm_vec_fini(&packets);
    return status;
}
