/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures with a bit flipped: what is still decoded? For the robustness test
 * and the bench of the same name.
 */
#ifndef ETM_TEST_SUPPORT_DAMAGE_H
#define ETM_TEST_SUPPORT_DAMAGE_H

#include "capture.h"

#include <etm/port.h>

#define ETM_DAMAGE_SOURCES 5

/* A capture and its sources, decoded undamaged. */
struct etm_damage {
    struct etm_test_capture sources[ETM_DAMAGE_SOURCES];
    struct etm_test_elements whole[ETM_DAMAGE_SOURCES];
    size_t n;
    uint64_t instructions; /* of all sources */
};

/* The sources whose names begin with `capture`; false: files are missing. */
bool etm_damage_open(struct etm_damage *damage, const char *capture);
void etm_damage_close(struct etm_damage *damage);

/*
 * Decode one source of a file of aligned frames with the library's deframer,
 * gaps and all, into instructions. ETM_OK or the first status that was not.
 */
int etm_damage_decode(const struct etm_test_capture *source,
                      const uint8_t *file, size_t n,
                      struct etm_test_elements *out);

/* etm_damage_decode() with other frames, and what describes the source. */
int etm_damage_decode_as(const struct etm_config *config,
                         const struct etm_image *image,
                         enum etm_frame_layout layout, const uint8_t *file,
                         size_t n, struct etm_test_elements *out);

/* Instructions as numbers: address, instruction set and condition result.
 * Returns how many; the caller frees *keys. */
size_t etm_damage_keys(const struct etm_test_elements *elements,
                       uint64_t **keys);

/* The length of the longest common subsequence. */
uint64_t etm_damage_common(const uint64_t *a, size_t n, const uint64_t *b,
                           size_t m);

/*
 * How many instructions of `whole` (address, instruction set and condition
 * result) also stand in `damaged`, in the same order: the longest common
 * subsequence.
 */
uint64_t etm_damage_kept(const struct etm_test_elements *whole,
                         const struct etm_test_elements *damaged);

/*
 * Where bit `bit` of byte `i` of a source's stream stands in the file: bit 0
 * of an even byte is kept in the last byte of its frame.
 */
uint64_t etm_damage_place(const struct etm_test_capture *source, size_t i,
                          unsigned bit);

#endif
