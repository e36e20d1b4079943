/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a listing: their text, whatever the format. */
#include "write/part.h"

/* Amount of text that is worth a write of its own. */
#define ENOUGH 8192u

/* Get room for the next text, instead of the full buffer. */
static int next_chunk(struct etm_listing_portion *p)
{
    struct etm_part_chunk *chunks;

    if (p->n_chunks == p->chunks.n) {
        struct etm_part_chunk chunk = {NULL, 0};

        /* filled before it is read: no need to touch it here */
        chunk.text =
            p->allocator.resize(p->allocator.context, NULL, ETM_OUT_BUFFER);
        if (!chunk.text)
            return ETM_ERR_MEMORY;
        if (etm_vec_append(&p->chunks, &chunk, 1) != ETM_OK) {
            etm_alloc_free(&p->allocator, chunk.text);
            return ETM_ERR_MEMORY;
        }
    }
    chunks = p->chunks.data;
    p->listing->out.start = p->listing->out.next = chunks[p->n_chunks].text;
    p->listing->out.end = p->listing->out.start + ETM_OUT_BUFFER;
    return ETM_OK;
}

/* An etm_write_fn: the text stays where it is, and the listing continues in
 * another buffer. */
static int keep(void *context, const char *text, size_t n)
{
    struct etm_listing_portion *p = context;
    struct etm_part_chunk *chunks = p->chunks.data;

    (void)text;
    chunks[p->n_chunks++].n = n;
    p->size += n;
    return next_chunk(p);
}

static struct etm_listing_portion *new_part(const struct etm_allocator *a)
{
    struct etm_listing_portion *p = etm_alloc_zero(a, sizeof *p);

    if (!p)
        return NULL;
    p->allocator = *a;
    etm_vec_init(&p->chunks, sizeof(struct etm_part_chunk), a);
    etm_vec_init(&p->held, sizeof(struct etm_element), a);
    etm_vec_init(&p->totals, sizeof(struct etm_part_total), a);
    return p;
}

int etm_listing_portion_begin(struct etm_listing *l,
                              struct etm_listing_portion **part)
{
    struct etm_listing_portion *p;
    int status;

    if (!l || !part || l->part)
        return ETM_ERR_ARGUMENT;
    etm_listing_need_source(l);
    if (!*part)
        *part = new_part(&l->out.allocator);
    p = *part;
    if (!p)
        return ETM_ERR_MEMORY;
    p->n_chunks = 0;
    p->size = 0;
    p->held.n = 0;
    p->totals.n = 0;
    p->known = !l->format->part_begin;
    p->out = l->out;
    p->listing = l;
    status = next_chunk(p);
    if (status != ETM_OK) {
        p->listing = NULL;
        return status;
    }
    l->part = p;
    l->out.write = keep;
    l->out.context = p;
    l->out.status = ETM_OK;
    if (l->format->part_begin)
        l->format->part_begin(l);
    return ETM_OK;
}

int etm_listing_portion_end(struct etm_listing *l)
{
    struct etm_listing_portion *p = l ? l->part : NULL;
    int status;

    if (!p)
        return ETM_ERR_ARGUMENT;
    if (l->format->part_end)
        l->format->part_end(l);
    status = etm_out_flush(&l->out);
    l->out = p->out;
    l->part = NULL;
    p->listing = NULL;
    return status;
}

uint64_t etm_part_at(const struct etm_listing_portion *p)
{
    const struct etm_out *out = &p->listing->out;

    return p->size + (uint64_t)(out->next - out->start);
}

void etm_part_total(struct etm_listing *l, uint64_t cycles, bool partial)
{
    struct etm_part_total total = {
        .at = etm_part_at(l->part), .cycles = cycles, .partial = partial};

    if (etm_vec_append(&l->part->totals, &total, 1) != ETM_OK)
        l->out.status = ETM_ERR_MEMORY;
}

static int write_text(struct etm_out *out, const char *text, size_t n)
{
    if (n < ENOUGH) {
        etm_out_bytes(out, text, n);
        return out->status;
    }
    if (etm_out_flush(out) == ETM_OK)
        out->status = out->write(out->context, text, n);
    return out->status;
}

/* Advance by `n` bytes of a chunk. */
static void pass(const struct etm_part_chunk *chunk, struct etm_part_cursor *c,
                 size_t n)
{
    c->done += n;
    c->at += n;
    if (c->at == chunk->n) {
        c->chunk++;
        c->at = 0;
    }
}

void etm_part_skip(const struct etm_listing_portion *p,
                   struct etm_part_cursor *c, size_t n)
{
    pass((const struct etm_part_chunk *)p->chunks.data + c->chunk, c, n);
}

int etm_part_copy(struct etm_listing *l, const struct etm_listing_portion *p,
                  struct etm_part_cursor *c, uint64_t to)
{
    const struct etm_part_chunk *chunks = p->chunks.data;

    while (c->done < to && l->out.status == ETM_OK) {
        const struct etm_part_chunk *chunk = &chunks[c->chunk];
        size_t n = chunk->n - c->at;

        if (n > to - c->done)
            n = (size_t)(to - c->done);
        (void)write_text(&l->out, chunk->text + c->at, n);
        pass(chunk, c, n);
    }
    return l->out.status;
}

int etm_listing_append(struct etm_listing *l,
                       const struct etm_listing_portion *p)
{
    struct etm_part_cursor cursor = {0};

    if (!l || !p || l->part || p->listing)
        return ETM_ERR_ARGUMENT;
    etm_listing_need_source(l);
    if (l->format->part_append)
        return l->format->part_append(l, p);
    return etm_part_copy(l, p, &cursor, p->size);
}

void etm_listing_portion_free(struct etm_listing_portion *p)
{
    struct etm_allocator a;
    struct etm_part_chunk *chunks;

    if (!p)
        return;
    a = p->allocator;
    chunks = p->chunks.data;
    for (size_t i = 0; i < p->chunks.n; i++)
        etm_alloc_free(&a, chunks[i].text);
    etm_vec_fini(&p->chunks);
    etm_vec_fini(&p->held);
    etm_vec_fini(&p->totals);
    etm_alloc_free(&a, p);
}
