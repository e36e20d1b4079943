/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of the traced program: memory by address, security state and
 * context ID (ETM architecture, chapter 9).
 */
#ifndef ETM_IMAGE_H
#define ETM_IMAGE_H

#include <etm/status.h>
#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Decoders cache what they have read of an image; whether they see a later
 * change is undefined. If code changes while it is traced (because it modifies
 * itself, or other code is loaded), finish the decoder at the change, add a
 * region that hides the old one or change the borrowed bytes, and make a new
 * decoder for the rest of the trace, which starts at a synchronization point.
 * Code of several contexts does not need this: see struct etm_space.
 *
 * An image that does not change may be used by any number of decoders and
 * threads at the same time.
 */
struct etm_image;

/* Where a region is visible. Zero means: everywhere. */
struct etm_space {
    enum etm_tri secure; /* ETM_TRUE: Secure state only; ETM_FALSE: Non-secure
                            only; ETM_UNKNOWN: both */
    bool has_context;    /* only in this context */
    uint32_t context_id;
};

/*
 * Make an empty image. On success *image is owned by the caller. `allocator` is
 * copied; NULL: malloc. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_image_new(struct etm_image **image,
                  const struct etm_allocator *allocator);

/* Accepts NULL. No decoder may use it any more. */
void etm_image_free(struct etm_image *image);

/*
 * Add code memory: `size` bytes at `address`, as they are in memory. The bytes
 * are borrowed until the image is freed. `space` may be NULL: visible
 * everywhere. A region added later hides an earlier one where they overlap; one
 * for a given context or security state hides one for all of them. A region may
 * not wrap round the end of the 32-bit address space. ETM_ERR_ARGUMENT,
 * ETM_ERR_MEMORY.
 */
int etm_image_add(struct etm_image *image, uint32_t address,
                  const uint8_t *bytes, size_t size,
                  const struct etm_space *space);

/* The same, but the image keeps a copy of the bytes. Errors as for
 * etm_image_add(). */
int etm_image_add_copy(struct etm_image *image, uint32_t address,
                       const uint8_t *bytes, size_t size,
                       const struct etm_space *space);

/*
 * Read up to `size` bytes at `address`, as seen in `space` (whose `secure` may
 * be unknown). Returns the number of bytes read; less than `size` if the memory
 * ends before.
 */
size_t etm_image_read(const struct etm_image *image, uint32_t address,
                      const struct etm_space *space, uint8_t *bytes,
                      size_t size);

/*
 * Number of regions; and one of them, in the order in which they were added.
 * `address`, `size` and `space` may be NULL. ETM_ERR_NOT_FOUND: no such index.
 */
size_t etm_image_regions(const struct etm_image *image);
int etm_image_region(const struct etm_image *image, size_t index,
                     uint32_t *address, size_t *size, struct etm_space *space);

#ifdef __cplusplus
}
#endif
#endif
