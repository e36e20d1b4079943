/* SPDX-License-Identifier: Apache-2.0 */
/* What the loops of the fast way of PFT leave to functions, which they call
 * without stopping. */
#include "flow/pft_walk.h"

struct etm_element *etm_pft_give_context(struct etm_follow *f,
                                         struct etm_element *e, unsigned isa,
                                         uint64_t offset)
{
    etm_follow_context_changed(f, offset);
    f->isa = (uint8_t)isa;
    return etm_follow_tell(f, e);
}

uint64_t etm_pft_long_count(uint64_t bytes)
{
    uint8_t p[ETM_PFT_COUNT_BYTES];
    uint32_t count;
    unsigned n;

    for (unsigned i = 0; i < ETM_PFT_COUNT_BYTES; i++)
        p[i] = (uint8_t)(bytes >> 8 * i);
    n = etm_pft_count(p, &count);
    return (uint64_t)n << 32 | count;
}

/* An A-sync that ends among the bytes that can be read: its size, or 0. */
static unsigned a_sync(const uint8_t *p)
{
    unsigned n = 0;

    while (n < ETM_PFT_WINDOW && p[n] == 0)
        n++;
    return n >= ETM_PFT_A_SYNC_ZEROS && n < ETM_PFT_WINDOW && p[n] == 0x80
               ? n + 1
               : 0;
}

/* A timestamp packet; as timestamp() of pft_flow.c. */
static struct etm_pft_aside timestamp(struct etm_pft_flow *flow,
                                      const struct etm_pft_decoder *d,
                                      const uint8_t *p, uint64_t offset,
                                      struct etm_element *e)
{
    struct etm_pft_aside aside = {.e = e};
    struct etm_packet packet;
    uint64_t time;

    etm_pft_decoder_look(d, p, offset, &packet);
    aside.size = packet.size;
    aside.cycles = packet.cycle_count;
    if (etm_pft_flow_time(flow, &packet, &time)) {
        etm_pft_element(e, &flow->follow, ETM_ELEMENT_TIMESTAMP, offset)
            ->u.timestamp.value = time;
        aside.e++;
    }
    return aside;
}

struct etm_pft_aside etm_pft_flow_aside(struct etm_pft_flow *flow,
                                        const struct etm_pft_decoder *d,
                                        const uint8_t *p, uint64_t offset,
                                        struct etm_element *e)
{
    struct etm_pft_aside aside = {.e = e};
    enum etm_element_kind kind = ETM_ELEMENT_TRIGGER;

    switch ((enum etm_pft_header)d->table.kind[*p]) {
    case ETM_PFT_HEADER_TIMESTAMP:
        return timestamp(flow, d, p, offset, e);
    case ETM_PFT_HEADER_A_SYNC:
        aside.size = a_sync(p);
        return aside;
    case ETM_PFT_HEADER_IGNORE:
        aside.size = 1;
        return aside;
    case ETM_PFT_HEADER_EXCEPTION_RETURN:
        kind = ETM_ELEMENT_EXCEPTION_RETURN;
        break;
    case ETM_PFT_HEADER_TRIGGER:
        break;
    case ETM_PFT_HEADER_RESERVED:
    case ETM_PFT_HEADER_BRANCH:
    case ETM_PFT_HEADER_ATOM:
    case ETM_PFT_HEADER_I_SYNC:
    case ETM_PFT_HEADER_VMID:
    case ETM_PFT_HEADER_CONTEXT_ID:
    case ETM_PFT_HEADER_WAYPOINT_UPDATE:
        return aside;
    }
    etm_pft_element(e, &flow->follow, kind, offset);
    aside.e++;
    aside.size = 1;
    return aside;
}
