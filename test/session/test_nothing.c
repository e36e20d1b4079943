/* SPDX-License-Identifier: Apache-2.0 */
/* What <etm/types.h> says of NULL: what is freed, what has no bytes, what
 * nothing can be made of. */
#include "../support/core.h"

#include <etm/decode.h>
#include <etm/macrocell.h>
#include <etm/model.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/program.h>
#include <etm/session.h>
#include <etm/setup.h>
#include <etm/write.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void nothing_is_freed(void **state)
{
    (void)state;
    etm_counts_free(NULL);
    etm_decoder_free(NULL);
    etm_deframer_free(NULL);
    etm_execution_reader_free(NULL);
    etm_execution_writer_free(NULL);
    etm_framer_free(NULL);
    etm_generator_free(NULL);
    etm_image_free(NULL);
    etm_listing_free(NULL);
    etm_listing_portion_free(NULL);
    etm_macrocell_free(NULL);
    etm_packer_free(NULL);
    etm_packet_decoder_free(NULL);
    etm_realigner_free(NULL);
    etm_session_free(NULL);
    etm_snapshot_writer_discard(NULL);
    etm_snapshot_writer_free(NULL);
    etm_symbols_free(NULL);
    etm_unpacker_free(NULL);
    etm_vcd_writer_free(NULL);
}

/* Without a place for it, and without what it is made of. */
#define MAKES_NOTHING(type, make)                                              \
    do {                                                                       \
        struct type *made;                                                     \
        assert_int_equal(make(NULL, NULL), ETM_ERR_ARGUMENT);                  \
        assert_int_equal(make(&made, NULL), ETM_ERR_ARGUMENT);                 \
    } while (0)

static void nothing_is_made_of_nothing(void **state)
{
    struct etm_macrocell *macrocell;
    struct etm_session *session;
    struct etm_snapshot_writer *snapshot;
    struct etm_symbols *symbols;
    struct etm_vcd_writer *vcd;

    (void)state;
    MAKES_NOTHING(etm_decoder, etm_decoder_new);
    MAKES_NOTHING(etm_deframer, etm_deframer_new);
    MAKES_NOTHING(etm_execution_reader, etm_execution_reader_new);
    MAKES_NOTHING(etm_execution_writer, etm_execution_writer_new);
    MAKES_NOTHING(etm_framer, etm_framer_new);
    MAKES_NOTHING(etm_generator, etm_generator_new);
    MAKES_NOTHING(etm_listing, etm_listing_new);
    MAKES_NOTHING(etm_packer, etm_packer_new);
    MAKES_NOTHING(etm_packet_decoder, etm_packet_decoder_new);
    MAKES_NOTHING(etm_realigner, etm_realigner_new);
    MAKES_NOTHING(etm_unpacker, etm_unpacker_new);
    assert_int_equal(etm_counts_new(NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_image_new(NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_new(NULL, NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_macrocell_new(&macrocell, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_session_open(NULL, "x", NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_session_open(&session, NULL, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_session_find_points(NULL, 0, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_writer_new(NULL, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_snapshot_writer_new(&snapshot, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_symbols_open(NULL, "x", NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_symbols_open(&symbols, NULL, NULL, NULL),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_vcd_writer_new(NULL, NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_vcd_writer_new(&vcd, NULL, NULL), ETM_ERR_ARGUMENT);
}

static void nothing_is_configured_by_nothing(void **state)
{
    struct etm_config config = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_macrocell_config macrocell = {0};

    (void)state;
    assert_int_equal(etm_config_check(NULL, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_config_to_registers(NULL, NULL, 0), ETM_ERR_ARGUMENT);
    assert_true(etm_config_to_registers(&config, NULL, 16) > 0);
    assert_int_equal(
        etm_config_from_registers(&config, ETM_PROTOCOL_PFT, NULL, 1, NULL),
        ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_config_from_registers(NULL, ETM_PROTOCOL_PFT, NULL, 0, NULL),
        ETM_ERR_ARGUMENT);
    assert_int_equal(
        etm_config_from_registers(&config, ETM_PROTOCOL_PFT, NULL, 0, NULL),
        ETM_OK);
    assert_int_equal(etm_register_number(NULL), ETM_REGISTER_NONE);
    assert_int_equal(etm_core_macrocell(NULL, NULL, &macrocell, &config, NULL),
                     ETM_ERR_ARGUMENT);
}

static void a_capture_needs_what_is_counted(void **state)
{
    static const char *const images[] = {NULL};
    struct etm_session_options options = {.n_images = 1};
    struct etm_session *session;
    struct etm_diag diag;

    (void)state;
    assert_int_equal(etm_session_open(&session, "x", &options, &diag),
                     ETM_ERR_ARGUMENT);
    assert_null(session);
    assert_string_equal(diag.what, "the images are NULL");
    options.images = images;
    assert_int_equal(etm_session_open(&session, "x", &options, &diag),
                     ETM_ERR_ARGUMENT);
    assert_string_equal(diag.what, "the name of an image is NULL");
    options = (struct etm_session_options){.n_registers = 1};
    assert_int_equal(etm_session_open(&session, "x", &options, &diag),
                     ETM_ERR_ARGUMENT);
    assert_string_equal(diag.what, "the registers are NULL");
}

static void *no_memory(void *context, void *old, size_t size)
{
    (void)context;
    (void)old;
    (void)size;
    return NULL;
}

static int no_text(void *context, const char *text, size_t n)
{
    (void)context;
    (void)text;
    (void)n;
    return ETM_OK;
}

/* struct etm_diag, which may have had anything in it before, is that of the
 * failure. */
#define DIAGNOSED(expected, call)                                              \
    do {                                                                       \
        memset(&diag, 0x55, sizeof diag);                                      \
        assert_int_equal(call, expected);                                      \
        assert_int_equal(diag.status, expected);                               \
        assert_non_null(memchr(diag.what, 0, sizeof diag.what));               \
        assert_true(diag.what[0] != '\0');                                     \
        assert_non_null(memchr(diag.source, 0, sizeof diag.source));           \
    } while (0)

static void every_failure_has_a_diagnosis(void **state)
{
    static const struct etm_allocator none = {no_memory, NULL};
    struct etm_config config = {.protocol = ETM_PROTOCOL_PFT};
    struct etm_macrocell_config cell = {.config = &config, .allocator = &none};
    struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV3, .width = 8};
    struct etm_vcd_writer_config dump = {
        .port = &port, .write = no_text, .allocator = &none};
    struct etm_macrocell *macrocell;
    struct etm_vcd_writer *vcd;
    struct etm_diag diag;

    (void)state;
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_config_check(NULL, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_config_from_registers(
                                    &config, ETM_PROTOCOL_PFT, NULL, 1, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_session_open(NULL, "x", NULL, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_snapshot_writer_new(NULL, NULL, &diag));
    DIAGNOSED(ETM_ERR_MEMORY, etm_macrocell_new(&macrocell, &cell, &diag));
    DIAGNOSED(ETM_ERR_MEMORY, etm_vcd_writer_new(&vcd, &dump, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_vcd_writer_new(NULL, &dump, &diag));
    dump.size = 3;
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_vcd_writer_new(&vcd, &dump, &diag));
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_port_check(NULL, &diag));
    port.size = 3;
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_port_check(&port, &diag));
    port.size = 0;
    port.protocol = ETM_PROTOCOL_NONE;
    DIAGNOSED(ETM_ERR_ARGUMENT, etm_port_check(&port, &diag));
}

static void an_image_that_is_none_has_nothing(void **state)
{
    struct etm_image *image;
    uint8_t byte;

    (void)state;
    assert_int_equal(etm_image_regions(NULL), 0);
    assert_int_equal(etm_image_region(NULL, 0, NULL, NULL, NULL),
                     ETM_ERR_NOT_FOUND);
    assert_int_equal(etm_image_read(NULL, 0, NULL, &byte, 1), 0);
    assert_int_equal(etm_image_new(&image, NULL), ETM_OK);
    assert_int_equal(etm_image_add(image, 0, NULL, 1, NULL), ETM_ERR_ARGUMENT);
    assert_int_equal(etm_image_add(image, 0, NULL, 0, NULL), ETM_OK);
    assert_int_equal(etm_image_add_copy(image, 0, NULL, 0, NULL), ETM_OK);
    assert_int_equal(etm_image_read(image, 0, NULL, NULL, 0), 0);
    etm_image_free(image);
}

static int take(void *context, const struct etm_element *elements, size_t n)
{
    (void)context;
    (void)elements;
    (void)n;
    return ETM_OK;
}

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    (void)context;
    (void)packets;
    (void)n;
    return ETM_OK;
}

static int write_text(void *context, const char *text, size_t n)
{
    (void)context;
    (void)text;
    (void)n;
    return ETM_OK;
}

static int take_events(void *context, const struct etm_event *events, size_t n)
{
    (void)context;
    (void)events;
    (void)n;
    return ETM_OK;
}

static void no_bytes_need_no_place(void **state)
{
    static const enum etm_protocol all[] = {
        ETM_PROTOCOL_ETMV1, ETM_PROTOCOL_ETMV2, ETM_PROTOCOL_ETMV3,
        ETM_PROTOCOL_PFT};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct etm_config config = {.protocol = all[i]};
        struct etm_decoder_config how = {.config = &config, .elements = take};
        struct etm_packet_decoder_config what = {.config = &config,
                                                 .packets = take_packets};
        struct etm_port_config port = {.protocol = all[i], .width = 8};
        struct etm_decoder *decoder;
        struct etm_packet_decoder *packets;
        struct etm_unpacker *unpacker;
        struct etm_packer *packer;

        assert_int_equal(etm_decoder_new(&decoder, &how), ETM_OK);
        assert_int_equal(etm_decoder_push(decoder, NULL, 0), ETM_OK);
        assert_int_equal(etm_decoder_finish(decoder), ETM_OK);
        etm_decoder_free(decoder);
        assert_int_equal(etm_packet_decoder_new(&packets, &what), ETM_OK);
        assert_int_equal(etm_packet_decoder_push(packets, NULL, 0), ETM_OK);
        etm_packet_decoder_free(packets);
        if (i < 2) /* what they trace are samples, no bytes */
            continue;
        assert_int_equal(etm_unpacker_new(&unpacker, &port), ETM_OK);
        assert_int_equal(etm_unpacker_push(unpacker, NULL, 0), ETM_OK);
        etm_unpacker_free(unpacker);
        assert_int_equal(etm_packer_new(&packer, &port), ETM_OK);
        assert_int_equal(etm_packer_push(packer, NULL, 0), ETM_OK);
        etm_packer_free(packer);
    }
}

static void no_frames_need_no_place(void **state)
{
    struct etm_deframer_config config = {.id = 0x10};
    struct etm_deframer *deframer;
    struct etm_framer_config way = {.layout = ETM_FRAME_ALIGNED};
    struct etm_framer *framer;

    (void)state;
    assert_int_equal(etm_deframer_new(&deframer, &config), ETM_OK);
    assert_int_equal(etm_deframer_push(deframer, NULL, 0), ETM_OK);
    etm_deframer_free(deframer);
    assert_int_equal(etm_framer_new(&framer, &way), ETM_OK);
    assert_int_equal(etm_framer_push(framer, 0x10, NULL, 0), ETM_OK);
    etm_framer_free(framer);
}

/* Those that write text: packets, elements, events and samples of which there
 * are none, and text without a character. */
static void nothing_is_written_of_nothing(void **state)
{
    struct etm_listing_config listing = {.write = write_text};
    const struct etm_listing_source source = {.id = 1};
    struct etm_execution_writer_config events = {.write = write_text};
    struct etm_execution_reader_config text = {.events = take_events};
    const struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV1,
                                         .width = 8};
    struct etm_vcd_writer_config waves = {.port = &port, .write = write_text};
    struct etm_execution_writer *writer;
    struct etm_execution_reader *reader;
    struct etm_vcd_writer *vcd;
    struct etm_listing *l;
    struct etm_setup setup;

    (void)state;
    for (size_t i = 0; etm_listing_formats(i) != NULL; i++) {
        if ((etm_listing_formats(i)->takes & ETM_LISTING_ELEMENTS) == 0)
            continue;
        listing.format = etm_listing_formats(i)->name;
        assert_int_equal(etm_listing_new(&l, &listing), ETM_OK);
        assert_int_equal(etm_listing_begin(l, &source), ETM_OK);
        assert_int_equal(etm_listing_elements(l, NULL, 0), ETM_OK);
        assert_int_equal(etm_listing_packets(l, NULL, 0, NULL), ETM_OK);
        assert_int_equal(etm_listing_flush(l), ETM_OK);
        etm_listing_free(l);
    }
    assert_int_equal(etm_execution_writer_new(&writer, &events), ETM_OK);
    assert_int_equal(etm_execution_writer_push(writer, NULL, 0), ETM_OK);
    assert_int_equal(etm_execution_writer_finish(writer), ETM_OK);
    etm_execution_writer_free(writer);
    for (unsigned i = 0; i < 2; i++) {
        text.format = i == 0 ? ETM_EXECUTION_LOG : ETM_EXECUTION_TARMAC;
        assert_int_equal(etm_execution_reader_new(&reader, &text), ETM_OK);
        assert_int_equal(etm_execution_reader_push(reader, NULL, 0, NULL),
                         ETM_OK);
        (void)etm_execution_reader_finish(reader, NULL);
        assert_int_equal(etm_execution_reader_push(reader, NULL, 0, NULL),
                         ETM_ERR_ARGUMENT);
        etm_execution_reader_free(reader);
    }
    assert_int_equal(etm_vcd_writer_new(&vcd, &waves, NULL), ETM_OK);
    assert_int_equal(etm_vcd_writer_push(vcd, NULL, 0), ETM_OK);
    assert_int_equal(etm_vcd_writer_finish(vcd), ETM_OK);
    etm_vcd_writer_free(vcd);
    assert_int_equal(etm_setup_read(&setup, NULL, 0, NULL), ETM_ERR_FORMAT);
    assert_int_equal(setup.n, 0);
}

static void nothing_happens_in_no_time(void **state)
{
    static const enum etm_protocol all[] = {
        ETM_PROTOCOL_ETMV1, ETM_PROTOCOL_ETMV2, ETM_PROTOCOL_ETMV3,
        ETM_PROTOCOL_PFT};
    const struct etm_realigner_config realigner = {.hold = 0};
    struct etm_macrocell_config what = {0};
    struct etm_macrocell *macrocell;
    struct etm_realigner *r;
    struct etm_config config = {0};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct etm_config traced = {.protocol = all[i]};
        struct etm_generator_config how = {.config = &traced};
        struct etm_generator *generator;

        assert_int_equal(etm_generator_new(&generator, &how), ETM_OK);
        assert_int_equal(etm_generator_push(generator, NULL, 0), ETM_OK);
        assert_int_equal(etm_generator_finish(generator), ETM_OK);
        etm_generator_free(generator);
    }
    assert_int_equal(etm_realigner_new(&r, &realigner), ETM_OK);
    assert_int_equal(etm_realigner_push(r, NULL, 0), ETM_OK);
    assert_int_equal(etm_realigner_finish(r), ETM_OK);
    etm_realigner_free(r);
    assert_int_equal(
        etm_core_macrocell(core_named("cortex-a9"), NULL, &what, &config, NULL),
        ETM_OK);
    assert_int_equal(etm_macrocell_new(&macrocell, &what, NULL), ETM_OK);
    assert_int_equal(etm_macrocell_run(macrocell, NULL, 0), ETM_OK);
    assert_int_equal(etm_macrocell_finish(macrocell), ETM_OK);
    etm_macrocell_free(macrocell);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_freed),
        cmocka_unit_test(nothing_is_made_of_nothing),
        cmocka_unit_test(nothing_is_configured_by_nothing),
        cmocka_unit_test(a_capture_needs_what_is_counted),
        cmocka_unit_test(every_failure_has_a_diagnosis),
        cmocka_unit_test(an_image_that_is_none_has_nothing),
        cmocka_unit_test(no_bytes_need_no_place),
        cmocka_unit_test(no_frames_need_no_place),
        cmocka_unit_test(nothing_is_written_of_nothing),
        cmocka_unit_test(nothing_happens_in_no_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
