/* SPDX-License-Identifier: Apache-2.0 */
#include "image/image.h"

#include <string.h>

static void init_pieces(struct etm_pieces *pieces,
                        const struct etm_allocator *allocator)
{
    for (size_t i = 0; i < 3; i++)
        etm_vec_init(&pieces->of[i], sizeof(struct etm_piece), allocator);
}

static void fini_pieces(struct etm_pieces *pieces)
{
    for (size_t i = 0; i < 3; i++)
        etm_vec_fini(&pieces->of[i]);
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
    etm_vec_init(&new_image->contexts, sizeof(struct etm_image_context), &a);
    init_pieces(&new_image->everywhere, &a);
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
    for (size_t i = 0; i < image->contexts.n; i++) {
        struct etm_image_context *context =
            (struct etm_image_context *)image->contexts.data + i;
        fini_pieces(context->pieces);
        etm_alloc_free(&a, context->pieces);
    }
    etm_vec_fini(&image->regions);
    etm_vec_fini(&image->contexts);
    fini_pieces(&image->everywhere);
    etm_alloc_free(&a, image);
}

/* The index of the first context ID that is not below this one; the number of
 * context IDs if there is none. */
static size_t find_context(const struct etm_image *image, uint32_t context_id)
{
    const struct etm_image_context *contexts = image->contexts.data;
    size_t low = 0, high = image->contexts.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (contexts[middle].id < context_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The pieces of regions for that context only; NULL: there are none. */
static struct etm_pieces *pieces_of(const struct etm_image *image,
                                    uint32_t context_id)
{
    const struct etm_image_context *contexts = image->contexts.data;
    size_t i = find_context(image, context_id);

    return i < image->contexts.n && contexts[i].id == context_id
               ? contexts[i].pieces
               : NULL;
}

bool etm_image_names(const struct etm_image *image, uint32_t context_id)
{
    return pieces_of(image, context_id) != NULL;
}

/* The pieces of regions for that context only, which are made if there are
 * none. NULL: no memory. */
static struct etm_pieces *name_context(struct etm_image *image,
                                       uint32_t context_id)
{
    struct etm_allocator *a = &image->contexts.allocator;
    size_t i = find_context(image, context_id), n = image->contexts.n;
    struct etm_image_context context = {context_id,
                                        pieces_of(image, context_id)};
    struct etm_image_context *contexts;

    if (context.pieces != NULL)
        return context.pieces;
    if (etm_vec_reserve(&image->contexts, 1) != ETM_OK)
        return NULL;
    context.pieces = etm_alloc_zero(a, sizeof *context.pieces);
    if (context.pieces == NULL)
        return NULL;
    init_pieces(context.pieces, a);
    contexts = image->contexts.data;
    memmove(&contexts[i + 1], &contexts[i], (n - i) * sizeof *contexts);
    contexts[i] = context;
    image->contexts.n++;
    return context.pieces;
}

/* The index of the first piece that ends at or after that address; the number
 * of pieces if there is none. Files usually list memory upwards, so the last
 * piece is checked first. */
static size_t find_piece(const struct etm_vec *pieces, uint32_t address)
{
    const struct etm_piece *piece = pieces->data;
    size_t low = 0, high = pieces->n;

    if (high > 0 && piece[high - 1].last < address)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (piece[middle].last < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Add a region over all earlier ones; there is room for two more pieces. */
static void lay_over(struct etm_vec *pieces, struct etm_piece over)
{
    struct etm_piece *all = pieces->data, parts[3];
    size_t first = find_piece(pieces, over.address), end = first, n = 0;

    while (end < pieces->n && all[end].address <= over.last)
        end++;
    if (first < end && all[first].address < over.address) {
        parts[n] = all[first];
        parts[n++].last = over.address - 1;
    }
    parts[n++] = over;
    if (first < end && all[end - 1].last > over.last) {
        parts[n] = all[end - 1];
        parts[n++].address = over.last + 1;
    }
    memmove(&all[first + n], &all[end], (pieces->n - end) * sizeof *all);
    memcpy(&all[first], parts, n * sizeof *all);
    pieces->n = pieces->n - (end - first) + n;
}

static int insert(struct etm_image *image, const struct etm_region *region)
{
    const struct etm_space *space = &region->space;
    struct etm_pieces *pieces = space->has_context
                                    ? name_context(image, space->context_id)
                                    : &image->everywhere;
    struct etm_vec *of;

    if (pieces == NULL)
        return ETM_ERR_MEMORY;
    of = &pieces->of[space->secure];
    if (etm_vec_reserve(of, 2) != ETM_OK ||
        etm_vec_append(&image->regions, region, 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    if (region->size != 0)
        lay_over(of, (struct etm_piece){region->address,
                                        region->address +
                                            (uint32_t)(region->size - 1),
                                        image->regions.n - 1});
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
    const struct etm_vec *of[2];
    size_t n;
};

static void add_layer(struct layer *layer, const struct etm_pieces *pieces,
                      enum etm_tri secure)
{
    if (pieces->of[secure].n != 0)
        layer->of[layer->n++] = &pieces->of[secure];
}

/* Regions of a security state hide those of all. */
static size_t add_layers(struct layer *layers, const struct etm_pieces *pieces,
                         enum etm_tri secure)
{
    layers[0].n = layers[1].n = 0;
    if (secure != ETM_TRUE)
        add_layer(&layers[0], pieces, ETM_FALSE);
    if (secure != ETM_FALSE)
        add_layer(&layers[0], pieces, ETM_TRUE);
    add_layer(&layers[1], pieces, ETM_UNKNOWN);
    return 2;
}

/* The piece at that address, that of the latest region; otherwise NULL, and
 * *limit is reduced to the distance of the next piece. */
static const struct etm_piece *piece_at(const struct layer *layer,
                                        uint32_t address, uint64_t *limit)
{
    const struct etm_piece *best = NULL;

    for (size_t i = 0; i < layer->n; i++) {
        const struct etm_piece *piece = layer->of[i]->data;
        size_t k = find_piece(layer->of[i], address);

        if (k == layer->of[i]->n)
            continue;
        piece += k;
        if (piece->address <= address) {
            if (best == NULL || piece->region > best->region)
                best = piece;
        } else if (piece->address - address < *limit) {
            *limit = piece->address - address;
        }
    }
    return best;
}

/* The number of bytes at `address` that no later region of the layer hides. */
static uint64_t bare(const struct layer *layer, const struct etm_piece *best,
                     uint32_t address, uint64_t limit)
{
    uint64_t left = (uint64_t)best->last - address + 1;

    if (left > limit)
        left = limit;
    for (size_t i = 0; i < layer->n && layer->n > 1; i++) {
        const struct etm_piece *piece = layer->of[i]->data;
        size_t k = find_piece(layer->of[i], address);

        for (; k < layer->of[i]->n && piece[k].address < address + left; k++) {
            if (piece[k].region > best->region) {
                left = piece[k].address - address;
                break;
            }
        }
    }
    return left;
}

const uint8_t *etm_image_span(const struct etm_image *image, uint32_t address,
                              const struct etm_space *space, size_t *n)
{
    static const struct etm_space anywhere;
    const struct etm_region *regions = image->regions.data;
    const struct etm_pieces *own = NULL;
    uint64_t limit = UINT64_C(0x100000000) - address;
    struct layer layers[4];
    size_t n_layers = 0;

    if (space == NULL)
        space = &anywhere;
    *n = 0;
    if (space->has_context && image->contexts.n != 0)
        own = pieces_of(image, space->context_id);
    if (own != NULL)
        n_layers += add_layers(layers, own, space->secure);
    n_layers +=
        add_layers(&layers[n_layers], &image->everywhere, space->secure);
    for (size_t i = 0; i < n_layers; i++) {
        uint64_t next = limit; /* may begin inside one of a later layer */
        const struct etm_piece *piece = piece_at(&layers[i], address, &next);

        if (piece != NULL) {
            const struct etm_region *region = &regions[piece->region];

            *n = (size_t)bare(&layers[i], piece, address, limit);
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
