/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv1: packets to the bytes of a record. */
#include "proto/etmv1.h"

static int encode_pipestat(const struct etm_packet *packet,
                           struct etm_writer *w)
{
    bool sync = (packet->fields & ETM_FIELD_ADDRESS) != 0;

    if (packet->value > ETM_ETMV1_TD)
        return ETM_ERR_ARGUMENT;
    etm_writer_u8(w, (uint8_t)(packet->value | (sync ? ETM_SAMPLE_SYNC : 0u)));
    return ETM_OK;
}

static int encode_trace_packet(const struct etm_config *config,
                               const struct etm_packet *packet,
                               struct etm_writer *w)
{
    unsigned bytes = etm_sample_size(config) - 1;

    if (packet->value >> etm_sample_width(config) != 0 ||
        (packet->value_bytes != 0 && packet->value_bytes != bytes))
        return ETM_ERR_ARGUMENT;
    etm_writer_le(w, packet->value, bytes);
    return ETM_OK;
}

int etm_etmv1_encode(const struct etm_config *config,
                     const struct etm_packet *packet, struct etm_writer *w)
{
    struct etm_writer start = *w;
    int status = ETM_ERR_ARGUMENT;

    if (packet->kind == ETM_PACKET_UNSYNCHRONIZED ||
        packet->kind == ETM_PACKET_BAD)
        status = ETM_ERR_UNSUPPORTED;
    else if (packet->kind == ETM_PACKET_PIPESTAT)
        status = encode_pipestat(packet, w);
    else if (packet->kind == ETM_PACKET_TRACE_PACKET)
        status = encode_trace_packet(config, packet, w);
    if (status == ETM_OK && w->full)
        status = ETM_ERR_ARGUMENT;
    if (status != ETM_OK)
        *w = start;
    return status;
}
