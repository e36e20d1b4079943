/* SPDX-License-Identifier: Apache-2.0 */
/* A listing: what all formats have in common. */
#include "write/part.h"

#include "base/size.h"

void etm_listing_free(struct etm_listing *listing)
{
    struct etm_allocator allocator;

    if (!listing)
        return;
    allocator = listing->out.allocator;
    if (listing->state && listing->format->fini)
        listing->format->fini(listing);
    etm_alloc_free(&allocator, listing->state);
    etm_out_fini(&listing->out);
    etm_alloc_free(&allocator, listing);
}

int etm_listing_begin(struct etm_listing *listing,
                      const struct etm_listing_source *source)
{
    struct etm_listing_source own;
    struct etm_config trace = {0};
    int status;

    if (!listing)
        return ETM_ERR_ARGUMENT;
    status = ETM_TAKE(etm_listing_source, &own, source, NULL);
    if (status == ETM_OK && own.config)
        status = ETM_TAKE(etm_config, &trace, own.config, NULL);
    if (status != ETM_OK)
        return status;
    listing->source = own;
    listing->trace = trace;
    listing->source.config = NULL;
    listing->broadcast = (struct etm_broadcast){0};
    for (size_t i = 0; i < 256; i++)
        listing->listed[i].n = 0;
    listing->format->begin(listing);
    listing->source.title = NULL;
    listing->begun = true;
    return listing->out.status;
}

void etm_listing_need_source(struct etm_listing *listing)
{
    static const struct etm_listing_source unknown;

    if (!listing->begun)
        (void)etm_listing_begin(listing, &unknown);
}

/* Hold or write elements of the current part, up to where everything is known.
 * Returns their number. */
static size_t add_to_part(struct etm_listing *l,
                          const struct etm_element *elements, size_t n)
{
    struct etm_listing_portion *p = l->part;
    size_t i = 0;

    for (; i < n && !p->known && l->out.status == ETM_OK; i++) {
        etm_out_line(&l->out);
        /* ranges depend on nothing, and many are all that there is */
        if ((p->held.n == 0 && elements[i].kind == ETM_ELEMENT_RANGE) ||
            !l->format->part_holds(l, &elements[i]))
            l->format->element(l, &elements[i]);
        else if (etm_vec_append(&p->held, &elements[i], 1) != ETM_OK)
            l->out.status = ETM_ERR_MEMORY;
    }
    return i;
}

static int list(struct etm_listing *listing, const struct etm_element *elements,
                size_t n)
{
    size_t i = listing->part ? add_to_part(listing, elements, n) : 0;

    for (; i < n && listing->out.status == ETM_OK; i++) {
        etm_out_line(&listing->out);
        listing->format->element(listing, &elements[i]);
    }
    return listing->out.status;
}

int etm_listing_elements(struct etm_listing *listing,
                         const struct etm_element *elements, size_t n)
{
    size_t size = listing->config.sizeof_element;
    const unsigned char *from = (const void *)elements;

    if (!elements && n > 0)
        return ETM_ERR_ARGUMENT;
    if (!listing->format->element)
        return ETM_ERR_UNSUPPORTED;
    etm_listing_need_source(listing);
    if (size == sizeof *elements)
        return list(listing, elements, n);
    while (n > 0 && listing->out.status == ETM_OK) {
        struct etm_element own[16];
        size_t piece = n < 16 ? n : 16;

        etm_size_convert(own, sizeof *own, from, size, piece);
        (void)list(listing, own, piece);
        from += piece * size;
        n -= piece;
    }
    return listing->out.status;
}

/* Does its line depend on the packet alone? */
static bool stands_alone(const struct etm_packet *packet)
{
    return packet->size == 1 && (packet->kind == ETM_PACKET_P_HEADER ||
                                 packet->kind == ETM_PACKET_ATOM);
}

static bool is_listed(const struct etm_listed *row,
                      const struct etm_packet *packet)
{
    return row->n != 0 && row->kind == packet->kind &&
           row->value == packet->value && row->count == packet->count &&
           row->cycle_count == packet->cycle_count &&
           row->fields == packet->fields;
}

static void keep(struct etm_listed *row, const struct etm_packet *packet,
                 const char *text, size_t n)
{
    if (n > sizeof row->text)
        return;
    *row = (struct etm_listed){.value = packet->value,
                               .cycle_count = packet->cycle_count,
                               .fields = packet->fields,
                               .kind = packet->kind,
                               .count = packet->count,
                               .n = (uint8_t)n};
    memcpy(row->text, text, n);
}

static void list_packet(struct etm_listing *l, const struct etm_packet *packet,
                        const uint8_t *bytes)
{
    struct etm_listed *row = &l->listed[*bytes];
    bool alone = stands_alone(packet);
    const char *text;

    l->format->place(l, packet->offset);
    if (alone && is_listed(row, packet)) {
        memcpy(l->out.next, row->text, sizeof row->text);
        l->out.next += row->n;
        return;
    }
    etm_describe(&l->description, packet, &l->broadcast, &l->trace);
    text = l->out.next;
    l->format->packet(l, packet, &l->description, bytes);
    if (alone)
        keep(row, packet, text, (size_t)(l->out.next - text));
}

int etm_listing_packets(struct etm_listing *listing,
                        const struct etm_packet *packets, size_t n,
                        const uint8_t *bytes)
{
    if ((!packets || !bytes) && n > 0)
        return ETM_ERR_ARGUMENT;
    if ((listing->format->about.takes & ETM_LISTING_PACKETS) == 0)
        return ETM_ERR_UNSUPPORTED;
    etm_listing_need_source(listing);
    if (listing->format->record) {
        for (size_t i = 0; i < n && listing->out.status == ETM_OK; i++)
            listing->format->record(listing, &packets[i]);
        return listing->out.status;
    }
    for (size_t i = 0; i < n && listing->out.status == ETM_OK; i++) {
        etm_broadcast_apply(&listing->broadcast, &listing->trace, &packets[i]);
        etm_out_line(&listing->out);
        list_packet(listing, &packets[i], bytes);
        bytes += packets[i].size;
    }
    return listing->out.status;
}

int etm_listing_counts(struct etm_listing *listing,
                       const struct etm_counts *counts)
{
    int status;

    if (!counts)
        return ETM_ERR_ARGUMENT;
    if (!listing->format->counts)
        return ETM_ERR_UNSUPPORTED;
    etm_listing_need_source(listing);
    if (listing->out.status != ETM_OK)
        return listing->out.status;
    status = listing->format->counts(listing, counts);
    return listing->out.status != ETM_OK ? listing->out.status : status;
}

int etm_listing_finish(struct etm_listing *listing)
{
    if (listing->out.status == ETM_OK && listing->format->finish)
        listing->format->finish(listing);
    return etm_out_flush(&listing->out);
}

int etm_listing_flush(struct etm_listing *listing)
{
    return etm_out_flush(&listing->out);
}
