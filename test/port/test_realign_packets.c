/* SPDX-License-Identifier: Apache-2.0 */
/* Random valid streams of ETMv3 and PFT have no A-sync but where the encoder
 * put one. */
#include "../proto/any_bytes.h"
#include "../support/test.h"
#include "realign_support.h"

#include <etm/packet.h>

#define BYTES 10000u /* of which packets are made */
#define PACKETS 3000u
#define STREAMS 400u

static struct {
    struct random r;
    struct etm_config config;
    uint8_t bytes[PACKETS * ETM_PACKET_ENCODED_MAX];
    size_t n, packets;
} stream;

/* As many zeros as packets can have. */
static void make_zeros(struct etm_packet *p)
{
    uint32_t zeros = (uint32_t)random_next(&stream.r);

    if ((zeros & 1) != 0)
        p->address = p->address2 = 0;
    if ((zeros & 2) != 0)
        p->context_id = 0;
    if ((zeros & 4) != 0)
        p->cycle_count = 0;
    if ((zeros & 8) != 0 &&
        (p->kind == ETM_PACKET_TIMESTAMP || p->kind == ETM_PACKET_VMID))
        p->value = 0;
    /* Leading zero bytes of a data value are not sent (7.4.2). */
    if ((zeros & 16) != 0 && p->value_bytes != 0 &&
        (p->fields & ETM_FIELD_VALUE) != 0)
        p->value = UINT64_C(1) << (8 * p->value_bytes - 8);
}

static void put(const struct etm_packet *p)
{
    int n = etm_packet_encode(&stream.config, p, stream.bytes + stream.n,
                              ETM_PACKET_ENCODED_MAX);

    assert_true(n > 0 && ++stream.packets <= PACKETS);
    stream.n += (size_t)n;
}

static int take(void *context, const struct etm_packet *packets, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        struct etm_packet p = packets[i];

        if (p.kind == ETM_PACKET_UNSYNCHRONIZED || p.kind == ETM_PACKET_BAD ||
            p.kind == ETM_PACKET_RESERVED || p.kind == ETM_PACKET_A_SYNC)
            continue;
        make_zeros(&p);
        put(&p);
        if (random_chance(&stream.r, 3))
            put(&(struct etm_packet){.kind = ETM_PACKET_A_SYNC,
                                     .size = 6 + random_below(&stream.r, 4)});
    }
    return ETM_OK;
}

static void survive(enum etm_protocol protocol)
{
    size_t packets = 0;

    for (unsigned i = 0; i < STREAMS; i++) {
        static uint8_t bytes[BYTES];
        struct etm_packet_decoder_config how = {.config = &stream.config,
                                                .packets = take};
        struct etm_packet_decoder *d;

        stream.r.state = i;
        do
            stream.config = any_config(protocol, &stream.r);
        while (etm_packet_decoder_new(&d, &how) != ETM_OK);
        any_bytes(bytes, sizeof bytes, &stream.r);
        stream.n = stream.packets = 0;
        put(&(struct etm_packet){.kind = ETM_PACKET_A_SYNC});
        assert_ok(etm_packet_decoder_push(d, bytes, sizeof bytes));
        assert_ok(etm_packet_decoder_finish(d));
        etm_packet_decoder_free(d);
        assert_valid_stream_survives(stream.bytes, stream.n);
        packets += stream.packets;
    }
    assert_true(packets > STREAMS * 500);
}

/* V3-AS-02, V3-AS-08 */
TEST(valid_etmv3_streams_survive_at_every_offset)
{
    survive(ETM_PROTOCOL_ETMV3);
}

TEST(valid_pft_streams_survive_at_every_offset)
{
    survive(ETM_PROTOCOL_PFT);
}
