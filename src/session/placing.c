/* SPDX-License-Identifier: Apache-2.0 */
/* Output of a stream, with offsets in the file. */
#include "session/reading.h"

#include "base/receiver.h"

/* Packets with places in the file instead of offsets in the stream: the same
 * ones if there is no difference, otherwise copies; NULL: out of memory. */
static const struct etm_packet *
place_packets(struct etm_reading *r, const struct etm_packet *packets, size_t n)
{
    struct etm_packet *copy;

    if (etm_places_same(r->places) && r->part.from == 0)
        return packets;
    r->scratch_packets.n = 0;
    if (etm_vec_append(&r->scratch_packets, packets, n) != ETM_OK)
        return NULL;
    copy = r->scratch_packets.data;
    for (size_t i = 0; i < n; i++)
        copy[i].offset =
            r->part.from + etm_places_find(r->places, copy[i].offset);
    return copy;
}

int etm_reading_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    struct etm_reading *r = context;
    const struct etm_packet *placed;
    const uint8_t *bytes = r->pending.data;
    int status;

    if (n == 0)
        return ETM_OK;
    placed = place_packets(r, packets, n);
    if (placed == NULL)
        return ETM_ERR_MEMORY;
    bytes += packets[0].offset - r->pending_offset;
    status = r->run->packets(r->run->context, placed, n, bytes);
    r->settled = packets[n - 1].offset + packets[n - 1].size;
    return status;
}

void etm_scratch_init(struct etm_scratch *s,
                      const struct etm_allocator *allocator)
{
    etm_vec_init(&s->elements, sizeof(struct etm_element), allocator);
    etm_places_view_init(&s->view, allocator);
}

void etm_scratch_fini(struct etm_scratch *s)
{
    etm_vec_fini(&s->elements);
    etm_places_view_fini(&s->view);
}

/* Get a view with the places of all the elements. */
static int look_at(struct etm_reading *r, struct etm_places_view *view,
                   const struct etm_element *elements, size_t n)
{
    uint64_t least = elements[0].offset, most = elements[0].offset;
    int status;

    for (size_t i = 1; i < n; i++) {
        least = elements[i].offset < least ? elements[i].offset : least;
        most = elements[i].offset > most ? elements[i].offset : most;
    }
    pthread_mutex_lock(&r->lock);
    status = etm_places_view_begin(view, r->places, least, most);
    pthread_mutex_unlock(&r->lock);
    return status;
}

/*
 * Elements with places in the file instead of offsets in the stream: the same
 * ones if there is no difference, otherwise copies in `scratch`; NULL: out of
 * memory. The stream may be read on meanwhile.
 */
static const struct etm_element *place(struct etm_reading *r,
                                       struct etm_scratch *scratch,
                                       const struct etm_element *elements,
                                       size_t n)
{
    struct etm_places_view *view = &scratch->view;
    struct etm_element *copy;

    /* what is read later does not change the places of these bytes */
    if (!atomic_load_explicit(&r->moved, memory_order_acquire))
        return elements;
    scratch->elements.n = 0;
    if (etm_vec_append(&scratch->elements, elements, n) != ETM_OK ||
        look_at(r, view, elements, n) != ETM_OK)
        return NULL;
    copy = scratch->elements.data;
    for (size_t i = 0; i < n; i++)
        copy[i].offset =
            r->part.from + etm_places_view_find(view, copy[i].offset);
    pthread_mutex_lock(&r->lock);
    etm_places_view_end(view);
    pthread_mutex_unlock(&r->lock);
    return copy;
}

/* Everything up to an offset in the stream was given. */
static void settle(struct etm_reading *r, uint64_t offset)
{
    pthread_mutex_lock(&r->lock);
    if (offset > r->settled)
        r->settled = offset;
    pthread_mutex_unlock(&r->lock);
}

static int give(struct etm_reading *r, const struct etm_element *elements,
                size_t n)
{
    uint64_t last;

    if (n == 0)
        return ETM_OK;
    last = elements[n - 1].offset;
    if (r->run->elements)
        elements = place(r, &r->scratch, elements, n);
    if (!r->run->packets)
        settle(r, last);
    if (!r->run->elements)
        return ETM_OK;
    return elements != NULL
               ? etm_receiver_give(
                     &(struct etm_receiver){r->run->elements, r->run->context,
                                            r->run->sizeof_element},
                     elements, n)
               : ETM_ERR_MEMORY;
}

/* Only the last packet before the end of a buffer is truncated. Where the part
 * ends before it, that is no damage: how many elements come before such a
 * one. */
static size_t before_cut(const struct etm_element *elements, size_t n)
{
    size_t i = 0;

    while (i < n && !(elements[i].kind == ETM_ELEMENT_LOST &&
                      elements[i].u.lost.reason == ETM_LOST_TRUNCATED))
        i++;
    return i;
}

int etm_reading_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct etm_reading *r = context;
    int status = ETM_OK;

    /* one `end` for all buffers */
    if (n > 0 && elements[n - 1].kind == ETM_ELEMENT_END && !r->last_buffer)
        n--;
    if (r->part.cut) {
        size_t m = before_cut(elements, n);

        status = give(r, elements, m);
        if (m == n)
            return status;
        elements += m + 1;
        n -= m + 1;
    }
    return status == ETM_OK ? give(r, elements, n) : status;
}

/* Portions made by other threads, with places in the file. */
struct portion {
    struct etm_reading *reading;
    void *made;    /* of run->portions */
    uint64_t last; /* offset in the stream of the last element */
    struct etm_scratch scratch;
};

static int begin_portion(void *context, unsigned thread, void **portion)
{
    struct etm_reading *r = context;
    const struct etm_portions *how = r->run->portions;
    struct portion *p = *portion;

    if (p == NULL) {
        p = etm_alloc_zero(&r->session->allocator, sizeof *p);
        if (p == NULL)
            return ETM_ERR_MEMORY;
        p->reading = r;
        etm_scratch_init(&p->scratch, &r->session->allocator);
        *portion = p;
    }
    p->last = 0;
    return how->begin(how->context, thread, &p->made);
}

static int portion_elements(void *portion, const struct etm_element *elements,
                            size_t n)
{
    struct portion *p = portion;
    struct etm_reading *r = p->reading;

    p->last = elements[n - 1].offset;
    elements = place(r, &p->scratch, elements, n);
    return elements != NULL
               ? etm_receiver_give(
                     &(struct etm_receiver){r->run->portions->elements, p->made,
                                            r->run->sizeof_element},
                     elements, n)
               : ETM_ERR_MEMORY;
}

static int end_portion(void *portion)
{
    struct portion *p = portion;

    return p->reading->run->portions->end(p->made);
}

static int take_portion(void *context, void *portion)
{
    struct etm_reading *r = context;
    const struct portion *p = portion;

    settle(r, p->last);
    return r->run->portions->take(r->run->portions->context, p->made);
}

static void free_portion(void *context, void *portion)
{
    struct etm_reading *r = context;
    struct portion *p = portion;

    if (p->made != NULL)
        r->run->portions->free(r->run->portions->context, p->made);
    etm_scratch_fini(&p->scratch);
    etm_alloc_free(&r->session->allocator, p);
}

struct etm_portions etm_reading_portions(struct etm_reading *r)
{
    const struct etm_portions *how = r->run->portions;

    return (struct etm_portions){.size = sizeof(struct etm_portions),
                                 .begin = begin_portion,
                                 .elements = portion_elements,
                                 .end = end_portion,
                                 .take = take_portion,
                                 .free = free_portion,
                                 .context = r,
                                 .element_size = how->element_size};
}
