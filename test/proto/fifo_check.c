/* SPDX-License-Identifier: Apache-2.0 */
/* What a row says of a packet in the FIFO of ETMv2. */
#include "encoding.h"
#include "proto/etmv2.h"

#include <string.h>

/* Is it written with the bytes of the row, and as one that another follows? */
static bool written(const struct row *row, bool last)
{
    uint8_t bytes[ETM_ETMV2_PACKET_MAX];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
    bool more = !last && (row->bytes[0] & ETM_ETMV2_MORE) != 0;

    if (etm_etmv2_put(row->config, row->packet, more, &w) != ETM_OK)
        return wrong("it is refused");
    if (etm_writer_size(&w) != row->n || memcmp(bytes, row->bytes, row->n) != 0)
        return wrong("it has other bytes");
    w = etm_writer_of(bytes, sizeof bytes);
    if (etm_etmv2_put(row->config, row->packet, !more, &w) !=
        (last ? ETM_ERR_ARGUMENT : ETM_OK))
        return wrong("that another follows is not said");
    return last || bytes[0] == (row->bytes[0] ^ ETM_ETMV2_MORE) ||
           wrong("another header where another follows");
}

static bool read(const struct row *row, bool last)
{
    bool reserved = row->packet->kind == ETM_PACKET_RESERVED, ends = false;
    struct etm_etmv2_fifo fifo;
    struct etm_packet is;

    etm_etmv2_fifo_init(&fifo, row->config);
    for (size_t n = 0; n < row->n && !reserved; n++)
        if (etm_etmv2_parse(&fifo, row->first, row->bytes, n, &is, &ends) !=
            ETM_ETMV2_INCOMPLETE)
            return wrong("%zu bytes are enough", n);
    if (etm_etmv2_parse(&fifo, row->first, row->bytes, row->n, &is, &ends) !=
        (reserved ? ETM_ETMV2_RESERVED : ETM_ETMV2_COMPLETE))
        return wrong("it is not a packet, or not reserved");
    is.header = 0;
    return reserved ||
           (ends == (last || (row->bytes[0] & ETM_ETMV2_MORE) == 0) &&
            memcmp(&is, row->packet, sizeof is) == 0) ||
           wrong("the packet is not as written");
}

bool fifo_check(const struct row *row)
{
    bool last = row->first || row->packet->kind == ETM_PACKET_BRANCH_ADDRESS;

    if (row->n_packets != 1 || row->n_gaps != 0)
        return wrong("one packet of the FIFO is in a row");
    return (row->way == '<' || read(row, last)) &&
           (row->way == '>' || written(row, last));
}
