/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames in which bytes were lost or came twice: what does it cost? For the
 * test and the bench of the same name.
 */
#ifndef ETM_TEST_SUPPORT_SLIP_H
#define ETM_TEST_SUPPORT_SLIP_H

#include <etm/port.h>

/* The bytes of each source of a capture. */
struct etm_test_framed {
    enum etm_frame_layout layout;
    const uint8_t *bytes;
    size_t n;
    uint8_t *streams[ETM_ID_RESERVED];
    size_t sizes[ETM_ID_RESERVED];
};

/* `bytes` are borrowed until fini. */
void etm_test_framed_init(struct etm_test_framed *framed,
                          enum etm_frame_layout layout, const uint8_t *bytes,
                          size_t n);
void etm_test_framed_fini(struct etm_test_framed *framed);

struct etm_test_slip {
    size_t at;
    unsigned lost;  /* so many bytes from `at` on are left out, or */
    unsigned twice; /* come a second time */
};

/*
 * The bytes of all sources that are wrong or missing: of each its bytes without
 * the slip against those with it, less what is the same at the beginning and at
 * the end.
 */
size_t etm_test_slip_cost(const struct etm_test_framed *framed,
                          const struct etm_test_slip *slip);

/* The value that `percent` of `n` do not exceed; sorts them. */
size_t etm_test_percentile(size_t *values, size_t n, unsigned percent);

#endif
