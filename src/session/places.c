/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of a source's stream are in the capture. */
#include "session/places.h"

#include <etm/port.h>

#include <string.h>

/* An element may refer to a packet up to this many bytes before the last one
 * that was given: in the longest warm-up of a thread that decodes ahead
 * (parallel_state.h), or, except for the one of etm_places_keep(), near it. */
#define LOOK_BACK 131072u

/* Fewer blocks are not worth tidying up; there are more only if trace yields
 * nothing for long. */
#define FEW 1u
#define MANY 64u

void etm_places_view_init(struct etm_places_view *view,
                          const struct etm_allocator *allocator)
{
    *view = (struct etm_places_view){.kept = UINT64_MAX};
    etm_vec_init(&view->blocks, sizeof(struct etm_place_block *), allocator);
}

void etm_places_view_fini(struct etm_places_view *view)
{
    etm_vec_fini(&view->blocks);
}

void etm_places_init(struct etm_places *p,
                     const struct etm_allocator *allocator)
{
    *p = (struct etm_places){.published = 0};
    etm_vec_init(&p->fresh, sizeof(struct etm_place_block *), allocator);
    etm_vec_init(&p->spare, sizeof(struct etm_place_block *), allocator);
    etm_places_view_init(&p->view, allocator);
}

static struct etm_place_block *at(const struct etm_vec *blocks, size_t i)
{
    return ((struct etm_place_block **)blocks->data)[i];
}

static void free_blocks(struct etm_vec *blocks, size_t from)
{
    for (size_t i = from; i < blocks->n; i++)
        etm_alloc_free(&blocks->allocator, at(blocks, i));
    etm_vec_fini(blocks);
}

void etm_places_fini(struct etm_places *p)
{
    /* the first fresh block may be the last published one */
    free_blocks(&p->fresh, p->published != 0 ? 1 : 0);
    free_blocks(&p->spare, 0);
    free_blocks(&p->view.blocks, 0);
}

/* The place of byte `i` of a stretch. */
static uint64_t file_at(const struct etm_place *place, uint64_t i)
{
    if (place->unit == ETM_PLACE_FRAMES)
        return place->file + i + (place->at + i) / ETM_FRAME_DATA;
    return place->file + (place->at + 8 * i) / place->width;
}

static struct etm_place unfold(const struct etm_place_block *block, size_t i)
{
    const struct etm_place_kept *place = &block->all[i];

    return (struct etm_place){.stream = block->stream + place->stream,
                              .file = block->file + place->file,
                              .n = place->n,
                              .unit = place->unit,
                              .width = place->width,
                              .at = place->at};
}

/* Does it continue the last stretch of the block? */
static bool follows(const struct etm_place_block *block,
                    const struct etm_place *next)
{
    struct etm_place place = unfold(block, block->n - 1);
    uint64_t bit;

    if (place.stream + place.n != next->stream || place.unit != next->unit ||
        place.width != next->width || file_at(&place, place.n) != next->file)
        return false;
    bit = place.unit == ETM_PLACE_FRAMES
              ? (place.at + place.n) % ETM_FRAME_DATA
              : (place.at + 8 * place.n) % place.width;
    return bit == next->at;
}

/* Can it be kept in this block? */
static bool fits(const struct etm_place_block *block,
                 const struct etm_place *place)
{
    return block->n < ETM_PLACES_BLOCK && place->file >= block->file &&
           place->file - block->file <= UINT32_MAX &&
           place->stream - block->stream <= UINT32_MAX;
}

/* Another block to add to; NULL if there is no memory. */
static struct etm_place_block *another(struct etm_places *p)
{
    struct etm_place_block *block;

    if (p->spare.n != 0)
        block = at(&p->spare, --p->spare.n);
    else
        block = etm_alloc_zero(&p->fresh.allocator, sizeof *block);
    if (block == NULL)
        return NULL;
    block->n = 0;
    block->views = 0;
    if (etm_vec_append(&p->fresh, &block, 1) == ETM_OK)
        return block;
    etm_alloc_free(&p->fresh.allocator, block);
    return NULL;
}

int etm_places_add(struct etm_places *p, const struct etm_place *place)
{
    struct etm_place_block *block =
        p->fresh.n != 0 ? at(&p->fresh, p->fresh.n - 1) : NULL;
    size_t fixed = p->fresh.n == 1 ? p->published : 0;

    if (place->unit != ETM_PLACE_SAMPLES || place->width != 8 ||
        place->file != place->stream)
        p->moved = true;
    if (block != NULL && !place->apart && block->n > fixed &&
        follows(block, place) &&
        block->all[block->n - 1].n <= UINT32_MAX - place->n) {
        block->all[block->n - 1].n += (uint32_t)place->n;
        return ETM_OK;
    }
    if (block == NULL || !fits(block, place)) {
        block = another(p);
        if (block == NULL)
            return ETM_ERR_MEMORY;
        block->stream = place->stream;
        block->file = place->file;
    }
    block->all[block->n++] = (struct etm_place_kept){
        .stream = (uint32_t)(place->stream - block->stream),
        .file = (uint32_t)(place->file - block->file),
        .n = (uint32_t)place->n,
        .unit = place->unit,
        .width = place->width,
        .at = place->at};
    return ETM_OK;
}

int etm_places_publish(struct etm_places *p)
{
    size_t known = p->published != 0 ? 1 : 0;
    int status;

    if (p->fresh.n == 0)
        return ETM_OK;
    status = etm_vec_append(&p->view.blocks,
                            (struct etm_place_block **)p->fresh.data + known,
                            p->fresh.n - known);
    if (status != ETM_OK)
        return status;
    etm_vec_drop(&p->fresh, p->fresh.n - 1);
    p->published = p->view.last_n = at(&p->fresh, 0)->n;
    return ETM_OK;
}

bool etm_places_same(const struct etm_places *p)
{
    return !p->moved;
}

/* The block that an offset is in, or the one before it. */
static size_t bisect(const struct etm_vec *blocks, uint64_t offset)
{
    size_t from = 0, to = blocks->n;

    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;

        if (at(blocks, middle)->stream <= offset)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* The stretch of a block that an offset in it belongs to, or the one before
 * it. */
static size_t bisect_block(const struct etm_place_block *block, size_t n,
                           uint64_t offset)
{
    size_t from = 0, to = n;

    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;

        if (block->all[middle].stream <= offset)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* Make the block of an offset the current one. */
static void choose_block(struct etm_places_view *v, uint64_t offset)
{
    if (v->block < v->blocks.n && offset >= at(&v->blocks, v->block)->stream &&
        (v->block + 1 == v->blocks.n ||
         offset < at(&v->blocks, v->block + 1)->stream))
        return;
    v->block = bisect(&v->blocks, offset);
    v->place = SIZE_MAX;
}

/* The stretch that an offset is in, or the one before it. */
static void look(struct etm_places_view *v, uint64_t offset)
{
    const struct etm_place_block *block;
    uint64_t within;
    size_t n;

    choose_block(v, offset);
    block = at(&v->blocks, v->block);
    n = v->block + 1 == v->blocks.n ? v->last_n : block->n;
    within = offset > block->stream ? offset - block->stream : 0;
    if (v->place >= n)
        v->place = bisect_block(block, n, within);
    while (v->place > 0 && block->all[v->place].stream > within)
        v->place--;
    while (v->place + 1 < n && block->all[v->place + 1].stream <= within)
        v->place++;
    v->found = unfold(block, v->place);
}

uint64_t etm_places_view_find(struct etm_places_view *v, uint64_t offset)
{
    const struct etm_place *found = &v->found;

    if (offset - found->stream < found->n)
        return file_at(found, offset - found->stream);
    if (offset == v->kept)
        return v->kept_file;
    if (v->blocks.n == 0)
        return offset;
    look(v, offset);
    if (offset <= found->stream)
        return found->file;
    if (offset - found->stream >= found->n)
        return file_at(found, found->n - 1) + 1;
    return file_at(found, offset - found->stream);
}

uint64_t etm_places_find(struct etm_places *p, uint64_t offset)
{
    return etm_places_view_find(&p->view, offset);
}

int etm_places_view_begin(struct etm_places_view *view, struct etm_places *p,
                          uint64_t least, uint64_t most)
{
    const struct etm_vec *all = &p->view.blocks;
    size_t from = bisect(all, least), to = bisect(all, most), n;

    view->blocks.n = 0;
    view->block = view->place = SIZE_MAX;
    view->found.n = 0;
    view->kept = p->view.kept;
    view->kept_file = p->view.kept_file;
    if (all->n == 0)
        return ETM_OK;
    n = to - from + 1;
    if (etm_vec_append(&view->blocks,
                       (struct etm_place_block **)all->data + from,
                       n) != ETM_OK)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < n; i++)
        at(&view->blocks, i)->views++;
    view->last_n = to + 1 == all->n ? p->view.last_n : at(all, to)->n;
    return ETM_OK;
}

void etm_places_view_end(struct etm_places_view *view)
{
    for (size_t i = 0; i < view->blocks.n; i++)
        at(&view->blocks, i)->views--;
    view->blocks.n = 0;
}

void etm_places_keep(struct etm_places *p, uint64_t offset)
{
    struct etm_places_view *v = &p->view;

    if (offset == v->kept)
        return;
    if (offset != UINT64_MAX)
        v->kept_file = etm_places_view_find(v, offset);
    v->kept = offset;
}

/* Remove blocks from `from` to before `to`, except for those that have views,
 * and all after them. */
static void take_away(struct etm_places *p, size_t from, size_t to)
{
    struct etm_vec *all = &p->view.blocks;
    struct etm_place_block **blocks = all->data;
    size_t end = from;

    while (end < to && blocks[end]->views == 0)
        end++;
    if (end == from ||
        etm_vec_append(&p->spare, blocks + from, end - from) != ETM_OK)
        return;
    memmove(blocks + from, blocks + end, (all->n - end) * sizeof(*blocks));
    all->n -= end - from;
    p->view.block = p->view.place = SIZE_MAX;
}

void etm_places_forget(struct etm_places *p, uint64_t settled, uint64_t made)
{
    const struct etm_vec *all = &p->view.blocks;

    if (all->n > FEW)
        take_away(p, 0,
                  bisect(all, settled > LOOK_BACK ? settled - LOOK_BACK : 0));
    if (all->n < MANY)
        return;
    /* Nothing was given for long: the elements that follow will refer to the
     * beginning or the end of this. */
    take_away(p, bisect(all, settled + LOOK_BACK) + 1,
              bisect(all, made > LOOK_BACK ? made - LOOK_BACK : 0));
}
