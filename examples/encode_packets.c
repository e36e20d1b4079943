/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From packets to the bytes on the wire: those that decode_buffer.c decodes.
 *
 *     cc encode_packets.c $(pkg-config --cflags --libs libetm)
 */
#include <etm/etm.h>

#include <stdio.h>

static int write_packet(const struct etm_packet *packet)
{
    struct etm_config config = {0};
    uint8_t bytes[ETM_PACKET_ENCODED_MAX];
    int n;

    config.size = sizeof config;
    config.protocol = ETM_PROTOCOL_PFT;
    n = etm_packet_encode(&config, packet, bytes, sizeof bytes);
    for (int i = 0; i < n; i++)
        printf("%02x ", (unsigned)bytes[i]);
    if (n < 0)
        fprintf(stderr, "%s: %s\n",
                etm_packet_kind_name((enum etm_packet_kind)packet->kind),
                etm_status_text(n));
    else
        printf("  %s\n",
               etm_packet_kind_name((enum etm_packet_kind)packet->kind));
    return n < 0;
}

int main(void)
{
    struct etm_packet packets[4] = {{0}};
    int failed = 0;

    packets[0].kind = ETM_PACKET_A_SYNC;

    packets[1].kind = ETM_PACKET_I_SYNC;
    packets[1].isa = ETM_ISA_THUMB;
    packets[1].address = 0x8000;
    packets[1].address_bits = 32;
    packets[1].reason = ETM_SYNC_TRACE_ON;

    packets[2].kind = ETM_PACKET_ATOM;
    packets[2].count = 3;
    packets[2].value = ETM_ATOM_E | ETM_ATOM_E << 2 | ETM_ATOM_N << 4;

    /* Bits [12:1] of 0x9000; those above are the same as before. */
    packets[3].kind = ETM_PACKET_BRANCH_ADDRESS;
    packets[3].address = (0x9000 & 0x1fff) >> 1;
    packets[3].address_bits = 12;

    for (int i = 0; i < 4; i++)
        failed |= write_packet(&packets[i]);
    return failed;
}
