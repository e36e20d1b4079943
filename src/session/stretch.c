/* SPDX-License-Identifier: Apache-2.0 */
#include "session/stretch.h"

/* Bytes that a worker decodes before it looks up. */
#define PIECE 4096u

void etm_stretch_init(struct etm_stretch *s,
                      const struct etm_allocator *allocator)
{
    *s = (struct etm_stretch){.state = ETM_STRETCH_READY};
    etm_vec_init(&s->bytes, 1, allocator);
    etm_vec_init(&s->gaps, sizeof(struct etm_stretch_gap), allocator);
    etm_vec_init(&s->packed, sizeof(struct etm_packed), allocator);
    for (unsigned i = 0; i <= ETM_STRETCH_MARKS; i++)
        etm_imprint_init(&s->marks[i].imprint, allocator);
}

void etm_stretch_fini(struct etm_stretch *s)
{
    etm_vec_fini(&s->bytes);
    etm_vec_fini(&s->gaps);
    etm_vec_fini(&s->packed);
    for (unsigned i = 0; i <= ETM_STRETCH_MARKS; i++)
        etm_imprint_fini(&s->marks[i].imprint);
}

/* The last `warm` bytes of the stretch before, with their gaps. */
static int take_warm_up(struct etm_stretch *s, const struct etm_stretch *before,
                        size_t warm)
{
    const struct etm_stretch_gap *gaps = before->gaps.data;
    size_t from = before->bytes.n - warm;
    int status = etm_vec_append(
        &s->bytes, (const uint8_t *)before->bytes.data + from, warm);

    for (size_t i = 0; i < before->gaps.n && status == ETM_OK; i++) {
        struct etm_stretch_gap gap = gaps[i];

        if (gap.at < from)
            continue;
        gap.at -= from;
        status = etm_vec_append(&s->gaps, &gap, 1);
    }
    s->warm = warm;
    return status;
}

int etm_stretch_begin(struct etm_stretch *s, uint64_t begin, size_t size,
                      const struct etm_stretch *before, size_t warm)
{
    s->begin = begin;
    s->size = size;
    s->warm = 0;
    s->bytes.n = 0;
    s->gaps.n = 0;
    s->state = ETM_STRETCH_READY;
    s->n_marks = 0;
    s->packed.n = 0;
    s->offset = 0;
    s->done = 0;
    s->status = ETM_OK;
    atomic_store(&s->cancel, false);
    if (before == NULL)
        return ETM_OK;
    return take_warm_up(s, before,
                        warm < before->bytes.n ? warm : before->bytes.n);
}

int etm_stretch_push(struct etm_stretch *s, const uint8_t *bytes, size_t *n)
{
    size_t room = s->size - (s->bytes.n - s->warm);

    if (*n > room)
        *n = room;
    return etm_vec_append(&s->bytes, bytes, *n);
}

int etm_stretch_gap(struct etm_stretch *s, uint64_t lost)
{
    struct etm_stretch_gap gap = {s->bytes.n, lost};

    return etm_vec_append(&s->gaps, &gap, 1);
}

int etm_stretch_feed(const struct etm_stretch *s, struct etm_decoder *d,
                     size_t from, size_t to)
{
    const struct etm_stretch_gap *gaps = s->gaps.data;
    const uint8_t *bytes = s->bytes.data;
    int status = ETM_OK;

    for (size_t i = 0; i < s->gaps.n && status == ETM_OK; i++) {
        /* one at `to` is of the bytes behind it, if there are any */
        if (gaps[i].at < from ||
            (gaps[i].at >= to && (gaps[i].at > to || to != s->bytes.n)))
            continue;
        if (gaps[i].at > from)
            status = etm_decoder_push(d, bytes + from, gaps[i].at - from);
        from = gaps[i].at;
        if (status == ETM_OK)
            status = etm_decoder_gap(d, gaps[i].lost);
    }
    if (status == ETM_OK && from < to)
        status = etm_decoder_push(d, bytes + from, to - from);
    return status;
}

int etm_stretch_drop(void *context, const struct etm_element *elements,
                     size_t n)
{
    (void)context;
    (void)elements;
    (void)n;
    return ETM_OK;
}

static int keep(void *context, const struct etm_element *elements, size_t n)
{
    struct etm_stretch *s = context;

    return etm_pack(&s->packed, elements, n, &s->offset);
}

/* From one mark to the next; false where it is to end. */
static bool work_on(struct etm_stretch *s, struct etm_decoder *d, size_t to)
{
    while (s->done < to) {
        size_t piece = to - s->done < PIECE ? to - s->done : PIECE;

        if (atomic_load_explicit(&s->cancel, memory_order_relaxed) ||
            s->packed.n >= s->most)
            return false;
        s->status = etm_stretch_feed(s, d, s->done, s->done + piece);
        if (s->status != ETM_OK)
            return false;
        s->done += piece;
    }
    return true;
}

void etm_stretch_work(struct etm_stretch *s, struct etm_decoder *d,
                      etm_stretch_mark_fn *mark, void *context)
{
    bool on;

    s->status = etm_decoder_restart(d, s->begin - s->warm);
    if (s->status != ETM_OK)
        return;
    etm_decoder_redirect(d, etm_stretch_drop, NULL);
    on = work_on(s, d, s->warm);
    etm_decoder_redirect(d, keep, s);
    for (unsigned i = 0; on; i++) {
        etm_decoder_imprint(d, &s->marks[i].imprint);
        s->marks[i].records = s->packed.n;
        s->marks[i].offset = s->offset;
        mark(context);
        on = i < ETM_STRETCH_MARKS &&
             work_on(s, d, etm_stretch_mark_at(s, i + 1));
    }
}
