/* SPDX-License-Identifier: Apache-2.0 */
/* Where the bytes of a source's stream stand in the capture. */
#include "session/places.h"

#include <etm/port.h>

#include <string.h>

/* An element may name a packet that came so many bytes before the last one
 * that was given. */
#define LOOK_BACK 65536u

/* Fewer stretches than this are not worth tidying up, */
#define FEW 64u
/* and more of them only come of trace that yields nothing for long. */
#define MANY 65536u

void etm_places_init(struct etm_places *p,
                     const struct etm_allocator *allocator)
{
    *p = (struct etm_places){0};
    etm_vec_init(&p->all, sizeof(struct etm_place), allocator);
}

void etm_places_fini(struct etm_places *p)
{
    etm_vec_fini(&p->all);
}

/* The place of byte `i` of a stretch. */
static uint64_t file_at(const struct etm_place *place, uint64_t i)
{
    if (place->unit == ETM_PLACE_FRAMES)
        return place->file + i + (place->at + i) / ETM_FRAME_DATA;
    return place->file + (place->at + 8 * i) / place->width;
}

static bool follows(const struct etm_place *place, const struct etm_place *next)
{
    uint64_t at = place->unit == ETM_PLACE_FRAMES
                      ? (place->at + place->n) % ETM_FRAME_DATA
                      : (place->at + 8 * place->n) % place->width;

    return place->unit == next->unit && place->width == next->width &&
           at == next->at && place->stream + place->n == next->stream &&
           file_at(place, place->n) == next->file;
}

int etm_places_add(struct etm_places *p, const struct etm_place *place)
{
    struct etm_place *last = p->all.data;

    if (p->all.n > 0 && follows(&last[p->all.n - 1], place)) {
        last[p->all.n - 1].n += place->n;
        return ETM_OK;
    }
    return etm_vec_append(&p->all, place, 1);
}

bool etm_places_same(const struct etm_places *p)
{
    const struct etm_place *all = p->all.data;

    return p->all.n == 0 || (p->all.n == 1 && all->unit == ETM_PLACE_SAMPLES &&
                             all->width == 8 && all->file == all->stream);
}

/* The stretch that an offset is in, or the one before it. */
static size_t bisect(const struct etm_places *p, uint64_t offset)
{
    const struct etm_place *all = p->all.data;
    size_t from = 0, to = p->all.n;

    while (to - from > 1) {
        size_t middle = from + (to - from) / 2;

        if (all[middle].stream <= offset)
            from = middle;
        else
            to = middle;
    }
    return from;
}

uint64_t etm_places_near(const struct etm_places *p, uint64_t offset,
                         size_t *hint)
{
    const struct etm_place *all = p->all.data;
    size_t i = *hint;

    if (p->all.n == 0)
        return offset;
    if (i >= p->all.n)
        i = bisect(p, offset);
    while (i > 0 && all[i].stream > offset)
        i--;
    while (i + 1 < p->all.n && all[i + 1].stream <= offset)
        i++;
    *hint = i;
    if (offset <= all[i].stream)
        return all[i].file;
    offset -= all[i].stream;
    if (offset >= all[i].n)
        return file_at(&all[i], all[i].n - 1) + 1;
    return file_at(&all[i], offset);
}

uint64_t etm_places_find(struct etm_places *p, uint64_t offset)
{
    return etm_places_near(p, offset, &p->hint);
}

/* The first stretch, not before `from`, that reaches beyond `offset`. */
static size_t stretch_of(const struct etm_places *p, size_t from,
                         uint64_t offset)
{
    const struct etm_place *all = p->all.data;

    while (from + 1 < p->all.n && all[from + 1].stream <= offset)
        from++;
    return from;
}

void etm_places_forget(struct etm_places *p, uint64_t settled, uint64_t made)
{
    struct etm_place *all = p->all.data;
    size_t begin, end;

    if (p->all.n < FEW)
        return;
    begin = stretch_of(p, 0, settled > LOOK_BACK ? settled - LOOK_BACK : 0);
    if (begin >= FEW) {
        etm_vec_drop(&p->all, begin);
        p->hint = 0;
    }
    if (p->all.n < MANY)
        return;
    /* Nothing was given for long: what comes of that will name where it
     * began, or where it ended. */
    begin = stretch_of(p, 0, settled + LOOK_BACK) + 1;
    end = stretch_of(p, 0, made > LOOK_BACK ? made - LOOK_BACK : 0);
    if (end <= begin)
        return;
    memmove(all + begin, all + end, (p->all.n - end) * sizeof *all);
    p->all.n -= end - begin;
    p->hint = 0;
}
