/* SPDX-License-Identifier: Apache-2.0 */
/* Finding full branch addresses of an ETMv1, where decoding can begin, in the
 * packets alone (ETM architecture 5.5.4, 5.6). */
#include "proto/etmv1_full.h"
#include "proto/etmv1_fifo.h"

#define WINDOW ETM_FULL_ADDRESS_WINDOW

/* A FIFO with the records that are present, numbered from 0. */
static struct etm_etmv1_fifo present(const struct etm_full_address *full,
                                     const struct etm_config *config,
                                     struct etm_etmv1_record *records)
{
    struct etm_etmv1_fifo fifo;

    etm_etmv1_fifo_init(&fifo, config, NULL);
    fifo.records.data = records;
    for (unsigned i = 0; i < full->n; i++) {
        const struct etm_full_address_record *r =
            &full->records[(full->first + i) % WINDOW];

        fifo.behind_td = r->behind_td;
        etm_etmv1_fifo_put(&fifo, r->status, r->sync, r->pins, r->offset);
    }
    return fifo;
}

/* The address of the branch that is next, if it is certainly its own. */
static enum etm_etmv1_read read_address(const struct etm_etmv1_fifo *fifo,
                                        struct etm_etmv1_target *target)
{
    struct etm_etmv1_place at = {.half = 0};
    struct etm_etmv1_offset offset;
    enum etm_etmv1_read read;

    read = etm_etmv1_read_offset(fifo, fifo->next, &offset);
    if (read != ETM_READ_OK)
        return read;
    if (offset.abandoned || offset.value == ETM_ETMV1_NO_OFFSET)
        return ETM_READ_BROKEN;
    read = etm_etmv1_find_sync(fifo, fifo->next, offset.value, &at.record);
    for (uint64_t q = offset.next; q <= at.record; q++) {
        const struct etm_etmv1_record *r = etm_etmv1_fifo_at(fifo, q);

        if (r != NULL && etm_etmv1_is_branch(r)) /* it may be that one's */
            return ETM_READ_BROKEN;
    }
    return read == ETM_READ_OK ? etm_etmv1_read_target(fifo, &at, target)
                               : read;
}

/* Can decoding begin there? */
static bool take(struct etm_full_address *full,
                 const struct etm_etmv1_fifo *fifo,
                 const struct etm_etmv1_target *target)
{
    const struct etm_etmv1_address *a = &target->address;
    enum etm_isa isa;

    if (a->n < ETM_ETMV1_ADDRESS_MAX || etm_etmv1_is_no_address(fifo, a))
        return false;
    full->address = etm_etmv1_destination(a->bits, a->jazelle, &isa);
    full->isa = (uint8_t)isa;
    full->reason =
        etm_etmv1_is_normal(a->reason) ? ETM_SYNC_PERIODIC : a->reason;
    full->context_id_known = target->has_context;
    full->context_id = target->context_id;
    return true;
}

/* Search the present records, from the oldest one on. */
static bool look(struct etm_full_address *full, const struct etm_config *config)
{
    struct etm_etmv1_record records[WINDOW];
    struct etm_etmv1_fifo fifo = present(full, config, records);

    for (; full->n != 0; fifo.next++) {
        const struct etm_full_address_record *r = &full->records[full->first];
        enum etm_etmv1_read read = ETM_READ_BROKEN;
        struct etm_etmv1_target target;

        if (etm_etmv1_is_branch(&records[fifo.next]))
            read = read_address(&fifo, &target);
        if (read == ETM_READ_MORE && full->n < WINDOW)
            return false;
        full->offset = r->offset;
        full->stream = r->stream;
        full->first = (uint8_t)((full->first + 1) % WINDOW);
        full->n--;
        if (read == ETM_READ_OK && take(full, &fifo, &target))
            return true;
    }
    return false;
}

static void put(struct etm_full_address *full, const struct etm_packet *p)
{
    struct etm_full_address_record *r =
        &full->records[(full->first + full->n) % WINDOW];

    if (full->status.status == ETM_ETMV1_TD) { /* they carry nothing */
        full->behind_td = true;
        return;
    }
    *r = full->status;
    r->pins = (uint16_t)p->value;
    r->behind_td = full->behind_td;
    full->behind_td = false;
    full->n++;
}

bool etm_full_address_apply(struct etm_full_address *full,
                            const struct etm_config *config,
                            const struct etm_packet *p)
{
    if (p->kind == ETM_PACKET_PIPESTAT) {
        full->status = (struct etm_full_address_record){
            .offset = p->offset,
            .stream = full->bytes,
            .status = (uint8_t)p->value,
            .sync = (p->fields & ETM_FIELD_ADDRESS) != 0};
        full->has_status = true;
    } else if (p->kind == ETM_PACKET_TRACE_PACKET && full->has_status) {
        put(full, p);
        full->has_status = false;
    } else { /* the stream is broken here */
        full->n = 0;
        full->has_status = false;
        full->behind_td = false;
    }
    full->bytes += p->size;
    return p->kind == ETM_PACKET_TRACE_PACKET && look(full, config);
}
