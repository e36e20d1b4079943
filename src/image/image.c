/* SPDX-License-Identifier: Apache-2.0 */
#include "image/image.h"

#include <string.h>

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
    etm_vec_init(&new_image->contexts, sizeof(uint32_t), &a);
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
    etm_vec_fini(&image->contexts);
    etm_alloc_free(&a, image);
}

/* The first context ID that is not below this one; their number: none. */
static size_t find_context(const struct etm_image *image, uint32_t context_id)
{
    const uint32_t *contexts = image->contexts.data;
    size_t low = 0, high = image->contexts.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (contexts[middle] < context_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool etm_image_names(const struct etm_image *image, uint32_t context_id)
{
    size_t i = find_context(image, context_id);

    return i < image->contexts.n &&
           ((const uint32_t *)image->contexts.data)[i] == context_id;
}

static int name_context(struct etm_image *image, uint32_t context_id)
{
    size_t i = find_context(image, context_id), n = image->contexts.n;
    uint32_t *contexts;
    int status;

    if (etm_image_names(image, context_id))
        return ETM_OK;
    status = etm_vec_append(&image->contexts, &context_id, 1);
    if (status != ETM_OK)
        return status;
    contexts = image->contexts.data;
    memmove(&contexts[i + 1], &contexts[i], (n - i) * sizeof *contexts);
    contexts[i] = context_id;
    return ETM_OK;
}

/* What is more particular comes first; among equals, what came later. */
static unsigned rank(const struct etm_space *space)
{
    return (space->has_context ? 2u : 0u) +
           (space->secure != ETM_UNKNOWN ? 1u : 0u);
}

/* Regions are kept with the one to be asked first at the front. */
static int insert(struct etm_image *image, const struct etm_region *region)
{
    struct etm_region *regions;
    size_t at = 0;
    int status = ETM_OK;

    if (region->space.has_context)
        status = name_context(image, region->space.context_id);
    if (status == ETM_OK)
        status = etm_vec_append(&image->regions, region, 1);
    if (status != ETM_OK)
        return status;
    regions = image->regions.data;
    while (rank(&regions[at].space) > rank(&region->space))
        at++;
    memmove(&regions[at + 1], &regions[at],
            (image->regions.n - 1 - at) * sizeof *regions);
    regions[at] = *region;
    if (rank(&region->space) != 0)
        image->particular = true;
    if (region->space.secure != ETM_UNKNOWN)
        image->by_security = true;
    return ETM_OK;
}

static int add(struct etm_image *image, uint32_t address, const uint8_t *bytes,
               size_t size, const struct etm_space *space, void *copy)
{
    struct etm_region region = {.address = address,
                                .size = size,
                                .bytes = bytes,
                                .copy = copy,
                                .order = image->regions.n};

    if (space != NULL)
        region.space = *space;
    return insert(image, &region);
}

static bool wraps(uint32_t address, size_t size)
{
    return (uint64_t)size > UINT64_C(0x100000000) - address;
}

int etm_image_add(struct etm_image *image, uint32_t address,
                  const uint8_t *bytes, size_t size,
                  const struct etm_space *space)
{
    if (image == NULL || (bytes == NULL && size != 0) || wraps(address, size))
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

    if (image == NULL || (bytes == NULL && size != 0) || wraps(address, size))
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

static bool visible(const struct etm_region *region,
                    const struct etm_space *space)
{
    if (region->space.secure != ETM_UNKNOWN && space->secure != ETM_UNKNOWN &&
        region->space.secure != space->secure)
        return false;
    return !region->space.has_context ||
           (space->has_context &&
            region->space.context_id == space->context_id);
}

const uint8_t *etm_image_span(const struct etm_image *image, uint32_t address,
                              const struct etm_space *space, size_t *n)
{
    static const struct etm_space anywhere;
    const struct etm_region *regions = image->regions.data;
    uint64_t limit = UINT64_C(0x100000000) - address;

    if (space == NULL)
        space = &anywhere;
    *n = 0;
    for (size_t i = 0; i < image->regions.n; i++) {
        const struct etm_region *region = &regions[i];
        if (!visible(region, space))
            continue;
        if (region->address > address) { /* may begin inside a later one */
            uint64_t distance = region->address - address;
            if (region->size != 0 && distance < limit)
                limit = distance;
        } else if (address - region->address < region->size) {
            uint64_t left = region->size - (address - region->address);
            *n = (size_t)(left < limit ? left : limit);
            return region->bytes + (address - region->address);
        }
    }
    return NULL;
}

size_t etm_image_read(const struct etm_image *image, uint32_t address,
                      const struct etm_space *space, uint8_t *bytes,
                      size_t size)
{
    size_t done = 0;

    while (done < size && (uint64_t)address + done <= UINT32_MAX) {
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
    return image->regions.n;
}

int etm_image_region(const struct etm_image *image, size_t index,
                     uint32_t *address, size_t *size, struct etm_space *space)
{
    const struct etm_region *regions = image->regions.data;

    for (size_t i = 0; i < image->regions.n; i++) {
        if (regions[i].order != index)
            continue;
        if (address != NULL)
            *address = regions[i].address;
        if (size != NULL)
            *size = regions[i].size;
        if (space != NULL)
            *space = regions[i].space;
        return ETM_OK;
    }
    return ETM_ERR_NOT_FOUND;
}
