/* SPDX-License-Identifier: Apache-2.0 */
/* A part that is told to end gives what a capture of so many bytes gives, also
 * those that are held back because they might have shifted by bits. */
#include "../input/support.h"
#include "../support/test.h"
#include "support/capture.h"

#include <etm/session.h>

#define MOST 200000u

/* Of the first `n` bytes of a PFT, as much as can be known without code:
 * triggers, and syncs. */
static void decode(size_t n, uint64_t end, unsigned jobs,
                   struct etm_test_elements *elements)
{
    static const uint8_t sync[] = {0,    0,    0,    0,    0,    0x80,
                                   0x08, 0x00, 0x00, 0x10, 0x00, 0x21};
    static uint8_t bytes[MOST];
    const struct etm_session_options options = {.protocol = ETM_PROTOCOL_PFT};
    const struct etm_session_run run = {.elements = etm_test_collect,
                                        .context = elements,
                                        .end = end,
                                        .jobs = jobs};
    struct etm_session *session;

    memset(bytes, 0x0c, MOST);
    for (size_t i = 0; i + sizeof sync < MOST; i += 1000)
        memcpy(bytes + i, sync, sizeof sync);
    write_file("trace.bin", bytes, n);
    OK(etm_session_open(&session, in_directory("trace.bin"), &options, NULL));
    OK(etm_session_run_source(session, 0, &run, NULL));
    etm_session_free(session);
}

TEST(a_part_has_all_before_its_end)
{
    static const size_t ends[] = {13, 700, 999, 5500, 9999, 40000};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct etm_test_elements whole = {0}, part = {0};

        decode(ends[i], 0, 1, &whole);
        decode(MOST, ends[i], 1 + (unsigned)i % 3, &part);
        assert_true(whole.n > 0);
        assert_true(etm_test_same_all(&whole, &part));
        free(whole.all);
        free(part.all);
    }
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
