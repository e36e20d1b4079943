/* SPDX-License-Identifier: Apache-2.0 */
/* Places in the capture of packets that are named long after. */
#include "../input/support.h"

#include <etm/port.h>
#include <etm/session.h>

#include <stdio.h>
#include <string.h>

#define ID 0x10u
#define OTHER 0x20u /* in between, so that there are many places */

/* So many times tracing begins and is broken off before anything was executed:
 * trace of PFT with a reserved header. */
#define TIMES 60000u

static void frame(struct etm_framer *framer, const uint8_t *bytes, size_t n)
{
    assert_int_equal(etm_framer_push(framer, ID, bytes, n), ETM_OK);
    assert_int_equal(etm_framer_push(framer, OTHER, bytes, 1), ETM_OK);
}

static void write_capture(void)
{
    static const uint8_t begin[] = {0,    0,    0,    0,    0,    0x80, 0x08,
                                    0x00, 0x80, 0x00, 0x00, 0x21, 0x82};
    static const uint8_t known[] = {0,    0,    0,    0,    0,    0x80, 0x08,
                                    0x00, 0x80, 0x00, 0x00, 0x21, 0x84};
    /* b . */
    static const uint8_t code[] = {0xfe, 0xff, 0xff, 0xea};
    struct etm_framer_config config = {.layout = ETM_FRAME_ALIGNED};
    struct etm_framer *framer;
    const uint8_t *bytes;
    size_t n;

    assert_int_equal(etm_framer_new(&framer, &config), ETM_OK);
    for (unsigned i = 0; i < TIMES; i++)
        frame(framer, begin, sizeof begin);
    frame(framer, known, sizeof known);
    assert_int_equal(etm_framer_flush(framer), ETM_OK);
    etm_framer_take(framer, &bytes, &n);
    write_file("trace.bin", bytes, n);
    etm_framer_free(framer);
    write_file("code.bin", code, sizeof code);
}

static int take(void *context, const struct etm_element *elements, size_t n)
{
    uint64_t *place = context;

    for (size_t i = 0; i < n; i++)
        if (elements[i].kind == ETM_ELEMENT_CONTEXT) {
            assert_int_equal(*place, 0);
            *place = elements[i].offset;
        }
    return 0;
}

/* The first I-sync of all has said it: after the ID and the A-sync. */
static void a_context_that_comes_late_has_its_place(void **state)
{
    const struct etm_register id = {"ETMTRACEIDR", 0x80, ID};
    char path[600], trace[600];
    const char *image = path;
    const struct etm_session_options options = {
        .protocol = ETM_PROTOCOL_PFT,
        .framing = ETM_FRAMING_CORESIGHT,
        .registers = &id,
        .n_registers = 1,
        .images = &image,
        .n_images = 1,
    };
    struct etm_session *session;

    (void)state;
    write_capture();
    snprintf(path, sizeof path, "%s@0x8000", in_directory("code.bin"));
    snprintf(trace, sizeof trace, "%s", in_directory("trace.bin"));
    assert_int_equal(etm_session_open(&session, trace, &options, NULL), ETM_OK);
    for (unsigned jobs = 1; jobs < 5; jobs++) {
        uint64_t place = 0;
        const struct etm_session_run run = {
            .elements = take, .context = &place, .jobs = jobs};

        assert_int_equal(etm_session_run_source(session, 0, &run, NULL),
                         ETM_OK);
        assert_int_equal(place, 7);
    }
    etm_session_free(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_context_that_comes_late_has_its_place),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
