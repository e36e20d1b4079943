/* SPDX-License-Identifier: Apache-2.0 */
#include "session/stretch.h"

/* Bytes that a worker decodes before it checks whether to stop. The fast path
 * stops before the end of each piece. */
#define PIECE 65536u

void etm_stretch_init(struct etm_stretch *s, const struct etm_portions *how,
                      bool counts, const struct etm_allocator *allocator)
{
    *s = (struct etm_stretch){.how = how, .counts = counts};
    etm_vec_init(&s->bytes, 1, allocator);
    etm_vec_init(&s->gaps, sizeof(struct etm_stretch_gap), allocator);
    etm_imprint_init(&s->before, allocator);
    etm_imprint_init(&s->behind, allocator);
}

void etm_stretch_fini(struct etm_stretch *s)
{
    etm_vec_fini(&s->bytes);
    etm_vec_fini(&s->gaps);
    etm_imprint_fini(&s->before);
    etm_imprint_fini(&s->behind);
    if (s->portion != NULL)
        s->how->free(s->how->context, s->portion);
}

/* Take up to `warm` bytes from the end of the previous stretch, with the gaps
 * before them: gaps after its last byte belong to this one. */
static int take_warm_up(struct etm_stretch *s, const struct etm_stretch *before,
                        size_t warm)
{
    const struct etm_stretch_gap *gaps = before->gaps.data;
    size_t end = before->bytes.n, from = end - warm, n = before->gaps.n, first;
    int status;

    while (n > 0 && gaps[n - 1].at >= end)
        n--;
    if (n > ETM_STRETCH_GAPS && gaps[n - ETM_STRETCH_GAPS - 1].at >= from)
        from = gaps[n - ETM_STRETCH_GAPS - 1].at + 1;
    for (first = n; first > 0 && gaps[first - 1].at >= from;)
        first--;
    status = etm_vec_append(
        &s->bytes, (const uint8_t *)before->bytes.data + from, end - from);
    for (size_t i = first; i < n && status == ETM_OK; i++) {
        struct etm_stretch_gap gap = {gaps[i].at - from, gaps[i].lost};

        status = etm_vec_append(&s->gaps, &gap, 1);
    }
    s->warm = end - from;
    s->warm_gaps = n - first;
    return status;
}

int etm_stretch_begin(struct etm_stretch *s, uint64_t begin, size_t size,
                      const struct etm_stretch *before, size_t warm)
{
    s->begin = begin;
    s->size = size;
    s->warm = 0;
    s->warm_gaps = 0;
    s->bytes.n = 0;
    s->gaps.n = 0;
    s->synced = s->margin = s->near = s->searched = 0;
    s->carried = (struct etm_carried_sets){0, 0};
    s->complete = s->counted = s->broken = false;
    s->state = ETM_STRETCH_FILLING;
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
        /* a gap at `to` belongs to the bytes after it, if there are any */
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

struct making {
    struct etm_stretch *stretch;
    bool refused; /* a function of the portion has failed */
};

/* When counting executions it continues to the end of the piece: what was
 * counted must not depend on where elements came. */
static int make(void *context, const struct etm_element *elements, size_t n)
{
    struct making *m = context;
    struct etm_stretch *s = m->stretch;

    s->elements += n;
    if (!m->refused)
        m->refused = s->elements >= s->most ||
                     s->how->elements(s->portion, elements, n) != ETM_OK;
    return m->refused && !s->counts ? ETM_ERR_STOPPED : ETM_OK;
}

static int tell_number(void *context, const struct etm_element *elements,
                       size_t n)
{
    struct etm_stretch *s = context;

    (void)elements;
    s->elements += n;
    return ETM_OK;
}

/* Decode bytes up to `to`; false if it is to stop. */
static bool work_on(struct etm_stretch *s, struct etm_decoder *d, size_t from,
                    size_t to, const atomic_bool *ending)
{
    while (from < to) {
        size_t piece = to - from < PIECE ? to - from : PIECE;

        if ((ending != NULL &&
             atomic_load_explicit(ending, memory_order_relaxed)) ||
            s->elements >= s->most)
            return false;
        s->broken = etm_stretch_feed(s, d, from, from + piece) != ETM_OK;
        if (s->broken)
            return false;
        from += piece;
    }
    return true;
}

void etm_stretch_restart(const struct etm_stretch *s, struct etm_decoder *d)
{
    etm_decoder_restart(d, s->begin - s->warm);
    etm_decoder_remember(d, &s->memory);
}

/* Decode up to the beginning of the stretch. */
static bool warm_up(struct etm_stretch *s, struct etm_decoder *d,
                    const atomic_bool *ending)
{
    bool on;

    s->elements = 0;
    etm_decoder_redirect(d, etm_stretch_drop, NULL);
    etm_stretch_restart(s, d);
    etm_decoder_warm_up(d, true);
    on = work_on(s, d, 0, s->warm, ending);
    etm_decoder_warm_up(d, false);
    return on;
}

void etm_stretch_work(struct etm_stretch *s, struct etm_decoder *d,
                      const atomic_bool *ending)
{
    struct making making = {s, false};
    bool on;

    if (!warm_up(s, d, ending) ||
        s->how->begin(s->how->context, s->thread, &s->portion) != ETM_OK)
        return;
    s->counted = s->counts;
    etm_decoder_imprint(d, &s->before);
    etm_decoder_mark(d);
    etm_decoder_redirect(d, make, &making);
    on = work_on(s, d, s->warm, s->bytes.n, ending);
    etm_decoder_redirect(d, etm_stretch_drop, NULL);
    on = s->how->end(s->portion) == ETM_OK && on && !making.refused;
    etm_decoder_imprint(d, &s->behind);
    s->carried = etm_decoder_carried(d);
    s->pending = etm_decoder_pending(d);
    s->cycles = etm_decoder_take_cycles(d);
    s->complete = on;
}

int etm_stretch_recount(struct etm_stretch *s, struct etm_decoder *d)
{
    if (s->broken || !warm_up(s, d, NULL))
        return ETM_ERR_MEMORY;
    etm_decoder_redirect(d, tell_number, s);
    (void)work_on(s, d, s->warm, s->bytes.n, NULL);
    etm_decoder_redirect(d, etm_stretch_drop, NULL);
    return s->broken ? ETM_ERR_MEMORY : ETM_OK;
}
