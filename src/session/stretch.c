/* SPDX-License-Identifier: Apache-2.0 */
#include "session/stretch.h"

/* Bytes that a worker decodes before it looks up. */
#define PIECE 4096u

void etm_stretch_init(struct etm_stretch *s, const struct etm_portions *how,
                      const struct etm_allocator *allocator)
{
    *s = (struct etm_stretch){.state = ETM_STRETCH_READY, .how = how};
    s->parts = how->element_size != 0 ? ETM_STRETCH_PARTS : 1;
    etm_vec_init(&s->bytes, 1, allocator);
    etm_vec_init(&s->gaps, sizeof(struct etm_stretch_gap), allocator);
    for (unsigned i = 0; i <= ETM_STRETCH_PARTS; i++)
        etm_imprint_init(&s->marks[i], allocator);
    etm_vec_init(&s->counts, sizeof(struct etm_count), allocator);
}

void etm_stretch_fini(struct etm_stretch *s)
{
    etm_vec_fini(&s->bytes);
    etm_vec_fini(&s->gaps);
    for (unsigned i = 0; i <= ETM_STRETCH_PARTS; i++)
        etm_imprint_fini(&s->marks[i]);
    for (unsigned i = 0; i < ETM_STRETCH_PARTS; i++)
        if (s->portions[i].made != NULL)
            s->how->free(s->how->context, s->portions[i].made);
    etm_vec_fini(&s->counts);
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
    s->elements = 0;
    s->counts.n = 0;
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

static int make(void *context, const struct etm_element *elements, size_t n)
{
    struct etm_stretch *s = context;

    s->elements += n;
    s->portion->elements += n;
    return s->how->elements(s->portion->made, elements, n);
}

static int keep_count(void *context, const struct etm_count *count)
{
    struct etm_stretch *s = context;

    return etm_vec_append(&s->counts, count, 1);
}

/* From one mark to the next; false where it is to end. */
static bool work_on(struct etm_stretch *s, struct etm_decoder *d, size_t to)
{
    while (s->done < to) {
        size_t piece = to - s->done < PIECE ? to - s->done : PIECE;

        if (atomic_load_explicit(&s->cancel, memory_order_relaxed) ||
            s->elements >= s->most)
            return false;
        s->status = etm_stretch_feed(s, d, s->done, s->done + piece);
        if (s->status != ETM_OK)
            return false;
        s->done += piece;
    }
    return true;
}

/* From mark `i` to the next one; false where it is to end. */
static bool work_on_portion(struct etm_stretch *s, struct etm_decoder *d,
                            unsigned i)
{
    int status;
    bool on;

    s->portion = &s->portions[i];
    s->portion->elements = 0;
    s->status = s->how->begin(s->how->context, s->thread, &s->portion->made);
    if (s->status != ETM_OK)
        return false;
    on = work_on(s, d, etm_stretch_mark_at(s, i + 1));
    status = s->how->end(s->portion->made);
    if (s->status == ETM_OK)
        s->status = status;
    if (on && s->status == ETM_OK && i + 1 == s->parts)
        s->status = etm_decoder_take_counts(d, keep_count, s);
    return on && s->status == ETM_OK;
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
    etm_decoder_redirect(d, make, s);
    etm_decoder_drop_counts(d);
    for (unsigned i = 0; on; i++) {
        etm_decoder_imprint(d, &s->marks[i]);
        mark(context);
        on = i < s->parts && work_on_portion(s, d, i);
    }
}
