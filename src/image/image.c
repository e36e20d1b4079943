/* SPDX-License-Identifier: Apache-2.0 */
#include "image/image.h"

#include <string.h>

static void init_runs(struct etm_vec *runs,
                      const struct etm_allocator *allocator)
{
    for (size_t i = 0; i < 3; i++)
        etm_vec_init(&runs[i], sizeof(struct etm_run), allocator);
}

static void fini_runs(struct etm_vec *runs)
{
    for (size_t i = 0; i < 3; i++) {
        struct etm_run *run = runs[i].data;

        for (size_t k = 0; k < runs[i].n; k++)
            etm_vec_fini(&run[k].pieces);
        etm_vec_fini(&runs[i]);
    }
}

int etm_image_new(struct etm_image **image,
                  const struct etm_allocator *allocator)
{
    struct etm_allocator a = etm_allocator_or_default(allocator);
    struct etm_image *new_image;

    if (image == NULL)
        return ETM_ERR_ARGUMENT;
    *image = NULL;
    new_image = etm_alloc_zero(&a, sizeof *new_image);
    if (new_image == NULL)
        return ETM_ERR_MEMORY;
    etm_vec_init(&new_image->regions, sizeof(struct etm_region), &a);
    init_runs(new_image->everywhere, &a);
    init_runs(new_image->own, &a);
    *image = new_image;
    return ETM_OK;
}

void etm_image_free(struct etm_image *image)
{
    struct etm_allocator a;

    if (image == NULL)
        return;
    a = image->regions.allocator;
    for (size_t i = 0; i < image->regions.n; i++) {
        struct etm_region *region =
            (struct etm_region *)image->regions.data + i;
        etm_alloc_free(&a, region->copy);
    }
    etm_vec_fini(&image->regions);
    fini_runs(image->everywhere);
    fini_runs(image->own);
    etm_alloc_free(&a, image);
}

/* The index of the first piece that ends at or after that place; the number of
 * pieces if there is none. */
static size_t find_piece(const struct etm_vec *pieces, uint64_t place)
{
    const struct etm_piece *piece = pieces->data;
    size_t low = 0, high = pieces->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (piece[middle].last < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where an address of a context begins in etm_piece.first. */
static uint64_t place_of(uint32_t context_id, uint32_t address)
{
    return (uint64_t)context_id << 32 | address;
}

bool etm_image_names(const struct etm_image *image, uint32_t context_id)
{
    for (size_t i = 0; i < 3; i++) {
        const struct etm_run *runs = image->own[i].data;

        for (size_t k = 0; k < image->own[i].n; k++) {
            const struct etm_vec *pieces = &runs[k].pieces;
            size_t at = find_piece(pieces, place_of(context_id, 0));

            if (at < pieces->n &&
                ((const struct etm_piece *)pieces->data)[at].first >> 32 ==
                    context_id)
                return true;
        }
    }
    return false;
}

/* Of two runs: the pieces of the later one, and what they do not hide of the
 * earlier one. ETM_ERR_MEMORY: nothing was changed. */
static int merge(struct etm_run *earlier, struct etm_run *later)
{
    struct etm_piece *old = earlier->pieces.data, *out;
    const struct etm_piece *new = later->pieces.data;
    size_t n_old = earlier->pieces.n, n_new = later->pieces.n, i = 0, n = 0;
    struct etm_vec all;

    etm_vec_init(&all, sizeof *out, &earlier->pieces.allocator);
    /* each new piece may divide an old one */
    if (etm_vec_reserve(&all, n_old + 2 * n_new) != ETM_OK)
        return ETM_ERR_MEMORY;
    out = all.data;
    for (size_t k = 0; k < n_new; k++) {
        while (i < n_old && old[i].last < new[k].first)
            out[n++] = old[i++];
        if (i < n_old && old[i].first < new[k].first) {
            out[n] = old[i];
            out[n++].last = new[k].first - 1;
        }
        out[n++] = new[k];
        while (i < n_old && old[i].last <= new[k].last)
            i++;
        if (i < n_old && old[i].first <= new[k].last)
            old[i].first = new[k].last + 1;
    }
    while (i < n_old)
        out[n++] = old[i++];
    all.n = n;
    etm_vec_fini(&earlier->pieces);
    etm_vec_fini(&later->pieces);
    *earlier = (struct etm_run){all, later->newest};
    return ETM_OK;
}

/* Merge runs until each is twice as long as the next one. */
static int shorten(struct etm_vec *runs)
{
    struct etm_run *run = runs->data;

    while (runs->n > 1 &&
           run[runs->n - 2].pieces.n < 2 * run[runs->n - 1].pieces.n) {
        if (merge(&run[runs->n - 2], &run[runs->n - 1]) != ETM_OK)
            return ETM_ERR_MEMORY;
        runs->n--;
    }
    return ETM_OK;
}

/* Does the run end before that place? */
static bool ends_before(const struct etm_run *run, uint64_t place)
{
    const struct etm_piece *pieces = run->pieces.data;

    return pieces[run->pieces.n - 1].last < place;
}

/* A region over all earlier ones; ETM_ERR_MEMORY. */
static int lay_over(struct etm_vec *runs, const struct etm_piece *over)
{
    struct etm_run *last = runs->data, run;
    int status = shorten(runs);

    if (status != ETM_OK)
        return status;
    if (runs->n != 0 && ends_before(&last[runs->n - 1], over->first)) {
        status = etm_vec_append(&last[runs->n - 1].pieces, over, 1);
        if (status == ETM_OK)
            last[runs->n - 1].newest = over->region;
        return status;
    }
    run.newest = over->region;
    etm_vec_init(&run.pieces, sizeof *over, &runs->allocator);
    status = etm_vec_append(&run.pieces, over, 1);
    if (status == ETM_OK)
        status = etm_vec_append(runs, &run, 1);
    if (status != ETM_OK)
        etm_vec_fini(&run.pieces);
    return status;
}

static int insert(struct etm_image *image, const struct etm_region *region)
{
    const struct etm_space *space = &region->space;
    struct etm_vec *runs = space->has_context ? image->own : image->everywhere;
    const uint64_t first =
        place_of(space->has_context ? space->context_id : 0, region->address);
    const struct etm_piece over = {first, first + region->size - 1,
                                   image->regions.n};
    int status = etm_vec_reserve(&image->regions, 1);

    if (status == ETM_OK && region->size != 0)
        status = lay_over(&runs[space->secure], &over);
    if (status == ETM_OK)
        status = etm_vec_append(&image->regions, region, 1);
    if (status != ETM_OK)
        return status;
    image->particular |= space->has_context || space->secure != ETM_UNKNOWN;
    image->by_security |= space->secure != ETM_UNKNOWN;
    return ETM_OK;
}

static int add(struct etm_image *image, uint32_t address, const uint8_t *bytes,
               size_t size, const struct etm_space *space, void *copy)
{
    struct etm_region region = {
        .address = address, .size = size, .bytes = bytes, .copy = copy};

    if (space != NULL)
        region.space = *space;
    return insert(image, &region);
}

static bool wraps(uint32_t address, size_t size)
{
    return (uint64_t)size > UINT64_C(0x100000000) - address;
}

static bool is_space(const struct etm_space *space)
{
    return space == NULL || space->secure == ETM_UNKNOWN ||
           space->secure == ETM_FALSE || space->secure == ETM_TRUE;
}

int etm_image_add(struct etm_image *image, uint32_t address,
                  const uint8_t *bytes, size_t size,
                  const struct etm_space *space)
{
    if (image == NULL || (bytes == NULL && size != 0) || wraps(address, size) ||
        !is_space(space))
        return ETM_ERR_ARGUMENT;
    return add(image, address, bytes, size, space, NULL);
}

int etm_image_add_copy(struct etm_image *image, uint32_t address,
                       const uint8_t *bytes, size_t size,
                       const struct etm_space *space)
{
    const struct etm_allocator *a;
    uint8_t *copy;
    int status;

    if (image == NULL || (bytes == NULL && size != 0) || wraps(address, size) ||
        !is_space(space))
        return ETM_ERR_ARGUMENT;
    a = &image->regions.allocator;
    copy = a->resize(a->context, NULL, size != 0 ? size : 1);
    if (copy == NULL)
        return ETM_ERR_MEMORY;
    if (size != 0)
        memcpy(copy, bytes, size);
    status = add(image, address, copy, size, space, copy);
    if (status != ETM_OK)
        etm_alloc_free(a, copy);
    return status;
}

/* The visible pieces of one rank: of up to two security states, if the state is
 * not known. */
struct layer {
    const struct etm_vec *runs[2];
    size_t n;
    uint64_t context; /* its place */
};

static void add_layer(struct layer *layer, const struct etm_vec *runs)
{
    if (runs->n != 0)
        layer->runs[layer->n++] = runs;
}

/* Regions of a security state hide those of all. */
static size_t add_layers(struct layer *layers, const struct etm_vec *runs,
                         enum etm_tri secure, uint32_t context_id)
{
    for (size_t i = 0; i < 2; i++)
        layers[i] = (struct layer){.context = place_of(context_id, 0)};
    if (secure != ETM_TRUE)
        add_layer(&layers[0], &runs[ETM_FALSE]);
    if (secure != ETM_FALSE)
        add_layer(&layers[0], &runs[ETM_TRUE]);
    add_layer(&layers[1], &runs[ETM_UNKNOWN]);
    return 2;
}

/* The piece at that place, if it is of a later region than *best; otherwise
 * *limit is reduced to the distance of the next piece. */
static void find_in_run(const struct etm_run *run, uint64_t place,
                        const struct etm_piece **best, uint64_t *limit)
{
    const struct etm_piece *piece = run->pieces.data;
    size_t k = find_piece(&run->pieces, place);

    if (k == run->pieces.n)
        return;
    piece += k;
    if (piece->first > place) {
        if (piece->first - place < *limit)
            *limit = piece->first - place;
    } else if (*best == NULL || piece->region > (*best)->region) {
        *best = piece;
    }
}

/* The piece at that place, that of the latest region; NULL: *limit is at most
 * the distance of the next piece. */
static const struct etm_piece *piece_at(const struct layer *layer,
                                        uint64_t place, uint64_t *limit)
{
    const struct etm_piece *best = NULL;

    for (size_t i = 0; i < layer->n; i++) {
        const struct etm_run *runs = layer->runs[i]->data;

        for (size_t k = 0; k < layer->runs[i]->n; k++)
            find_in_run(&runs[k], place, &best, limit);
    }
    return best;
}

/* How many of `left` bytes at that place no later region in the run hides. */
static uint64_t bare_of_run(const struct etm_run *run, size_t region,
                            uint64_t place, uint64_t left)
{
    const struct etm_piece *piece = run->pieces.data;
    size_t k;

    if (run->newest <= region)
        return left;
    for (k = find_piece(&run->pieces, place);
         k < run->pieces.n && piece[k].first < place + left; k++)
        if (piece[k].region > region)
            return piece[k].first - place;
    return left;
}

/* The number of bytes at that place that no later region of the layer hides. */
static uint64_t bare(const struct layer *layer, const struct etm_piece *best,
                     uint64_t place, uint64_t limit)
{
    uint64_t left = best->last - place + 1;

    if (left > limit)
        left = limit;
    for (size_t i = 0; i < layer->n; i++) {
        const struct etm_run *runs = layer->runs[i]->data;

        for (size_t k = 0; k < layer->runs[i]->n; k++)
            left = bare_of_run(&runs[k], best->region, place, left);
    }
    return left;
}

const uint8_t *etm_image_span(const struct etm_image *image, uint32_t address,
                              const struct etm_space *space, size_t *n)
{
    static const struct etm_space anywhere;
    const struct etm_region *regions = image->regions.data;
    uint64_t limit = UINT64_C(0x100000000) - address;
    struct layer layers[4];
    size_t n_layers = 0;

    if (space == NULL)
        space = &anywhere;
    *n = 0;
    if (space->has_context)
        n_layers +=
            add_layers(layers, image->own, space->secure, space->context_id);
    n_layers +=
        add_layers(&layers[n_layers], image->everywhere, space->secure, 0);
    for (size_t i = 0; i < n_layers; i++) {
        uint64_t next = limit; /* may begin inside one of a later layer */
        uint64_t place = layers[i].context | address;
        const struct etm_piece *piece = piece_at(&layers[i], place, &next);

        if (piece != NULL) {
            const struct etm_region *region = &regions[piece->region];

            *n = (size_t)bare(&layers[i], piece, place, limit);
            return region->bytes + (address - region->address);
        }
        limit = next;
    }
    return NULL;
}

size_t etm_image_read(const struct etm_image *image, uint32_t address,
                      const struct etm_space *space, uint8_t *bytes,
                      size_t size)
{
    size_t done = 0;

    while (image != NULL && bytes != NULL && done < size &&
           (uint64_t)address + done <= UINT32_MAX) {
        size_t n;
        const uint8_t *span =
            etm_image_span(image, address + (uint32_t)done, space, &n);
        if (span == NULL)
            break;
        if (n > size - done)
            n = size - done;
        memcpy(bytes + done, span, n);
        done += n;
    }
    return done;
}

size_t etm_image_regions(const struct etm_image *image)
{
    return image == NULL ? 0 : image->regions.n;
}

int etm_image_region(const struct etm_image *image, size_t index,
                     uint32_t *address, size_t *size, struct etm_space *space)
{
    const struct etm_region *regions;

    if (image == NULL || index >= image->regions.n)
        return ETM_ERR_NOT_FOUND;
    regions = image->regions.data;
    if (address != NULL)
        *address = regions[index].address;
    if (size != NULL)
        *size = regions[index].size;
    if (space != NULL)
        *space = regions[index].space;
    return ETM_OK;
}
