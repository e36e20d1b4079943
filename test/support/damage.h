/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Captures with a bit flipped: what is still decoded? For the robustness test
 * and the bench of the same name.
 */
#ifndef ETM_TEST_SUPPORT_DAMAGE_H
#define ETM_TEST_SUPPORT_DAMAGE_H

#include "capture.h"

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
 * Decode one source of a file with the library's deframer, gaps and all, into
 * instructions. ETM_OK or the first status that was not.
 */
int etm_damage_decode(const struct etm_test_capture *source,
                      const uint8_t *file, size_t n,
                      struct etm_test_elements *out);

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
