/* SPDX-License-Identifier: Apache-2.0 */
#include "side.h"

#include <stdlib.h>
#include <string.h>

static void must(int status)
{
    if (status != ETM_OK)
        abort();
}

void side_init(struct side *s, const struct etm_config *config,
               const struct etm_image *image, enum etm_level level)
{
    struct etm_allocator a = etm_allocator_or_default(NULL);

    memset(s, 0, sizeof *s);
    s->row = etm_protocol_row(config->protocol);
    s->row->init(&s->proto, config);
    must(s->row->flow_init(&s->flow, config, image, level, &a));
    etm_vec_init(&s->packets, sizeof(struct etm_packet), &a);
    etm_vec_init(&s->elements, sizeof(struct etm_element), &a);
    etm_imprint_init(&s->imprint, &a);
}

void side_fini(struct side *s)
{
    s->row->flow_fini(&s->flow);
    etm_vec_fini(&s->packets);
    etm_vec_fini(&s->elements);
    etm_imprint_fini(&s->imprint);
}

void side_flow(struct side *s)
{
    must(s->row->flow_push(&s->flow, s->packets.data, s->packets.n,
                           &s->elements));
    s->packets.n = 0;
}

void side_push(struct side *s, const uint8_t *bytes, size_t n)
{
    must(s->row->push(&s->proto, bytes, n, &s->packets));
    side_flow(s);
}

void side_finish(struct side *s, uint64_t offset)
{
    must(s->row->finish(&s->proto, &s->packets));
    side_flow(s);
    must(s->row->flow_finish(&s->flow, offset, &s->elements));
}
