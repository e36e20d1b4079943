/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/walk/imprint.h"
#include "flow/etmv1/flow.h"
#include "proto/etmv1.h"

/* The records from the first one that a cursor will read. */
static void queue(const struct etm_etmv1_flow *flow,
                  struct etm_imprint *imprint)
{
    const struct etm_etmv1_record *r = flow->records.data;
    uint64_t from = flow->next;

    if (flow->has_leading && flow->leading.record < from)
        from = flow->leading.record;
    etm_imprint_put(imprint, flow->next - from);
    etm_imprint_put(imprint, flow->first + flow->records.n - from);
    for (size_t i = (size_t)(from - flow->first); i < flow->records.n; i++) {
        etm_imprint_put(imprint, r[i].offset);
        etm_imprint_put(imprint, r[i].cycles);
        etm_imprint_put(imprint, r[i].pins);
        etm_imprint_put(imprint, r[i].status);
        etm_imprint_put(imprint, r[i].flags);
    }
}

/* A place among the packets, counted from the status cursor; all places before
 * it are equal. */
static void place(const struct etm_etmv1_flow *flow,
                  const struct etm_etmv1_place *p, struct etm_imprint *imprint)
{
    bool ahead = p->record >= flow->next;

    etm_imprint_put(imprint, ahead);
    etm_imprint_put(imprint, ahead ? p->record - flow->next : 0);
    etm_imprint_put(imprint, ahead ? p->half : 0);
}

static void start(const struct etm_etmv1_start *s, struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, s->pending);
    if (!s->pending)
        return;
    etm_imprint_put(imprint, s->periodic);
    etm_imprint_put(imprint, s->reason);
    etm_imprint_put(imprint, s->isa);
    etm_imprint_put(imprint, s->address);
    etm_imprint_put(imprint, s->offset);
    etm_imprint_put(imprint, s->has_context);
    etm_imprint_put(imprint, s->has_context ? s->context_id : 0);
}

/* The status at the cursor found no code before all of it had come. */
static void told(const struct etm_etmv1_flow *flow, struct etm_imprint *imprint)
{
    const struct etm_etmv1_record *r = flow->records.data;
    size_t at = (size_t)(flow->next - flow->first);

    etm_imprint_put(imprint,
                    at < flow->records.n && flow->told == r[at].offset + 1);
}

void etm_etmv1_imprint(const struct etm_etmv1_decoder *d,
                       const struct etm_etmv1_flow *flow,
                       struct etm_imprint *imprint)
{
    etm_imprint_put(imprint, d->offset);
    etm_imprint_bytes(imprint, d->record, d->n);
    etm_walk_imprint(&flow->walk, flow->index, false, imprint);
    queue(flow, imprint);
    place(flow, &flow->bytes, imprint);
    etm_imprint_put(imprint, flow->has_leading);
    if (flow->has_leading) {
        etm_imprint_put(imprint, flow->next - flow->leading.record);
        etm_imprint_put(imprint, flow->leading.half);
    }
    etm_imprint_put(imprint, flow->waits);
    etm_imprint_put(imprint, flow->behind_td);
    etm_imprint_put(imprint, flow->has_status);
    if (flow->has_status) {
        etm_imprint_put(imprint, flow->status.offset);
        etm_imprint_put(imprint, flow->status.value);
        etm_imprint_put(imprint, flow->status.fields);
    }
    etm_imprint_put(imprint, flow->aligned);
    etm_imprint_put(imprint, flow->cut);
    etm_imprint_put(imprint, flow->skipped_known);
    etm_imprint_put(imprint, flow->synced);
    etm_imprint_put(imprint, flow->base_valid);
    etm_imprint_put(imprint, flow->base_valid ? flow->base : 0);
    etm_imprint_put(imprint, flow->base_valid ? flow->base_jazelle : 0);
    etm_imprint_put(imprint, flow->data_valid);
    etm_imprint_put(imprint, flow->data_valid ? flow->data_base : 0);
    etm_imprint_put(imprint, flow->half);
    etm_imprint_put(imprint, flow->arrived);
    told(flow, imprint);
    start(&flow->start, imprint);
}
