/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder's interface: what it refuses, and how it ends. */
#include "../support/scarce.h"
#include "../support/test.h"

#include <etm/decode.h>
#include <etm/packet.h>

/* A-sync, I-sync at 8000 (start), E, trigger, I-sync at 8000 (overflow). */
static const uint8_t trace[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08,
                                0x00, 0x80, 0x00, 0x00, 0x21, 0x84, 0x0c,
                                0x08, 0x00, 0x80, 0x00, 0x00, 0x41};

static const struct etm_config pft = {.size = sizeof(struct etm_config),
                                      .protocol = ETM_PROTOCOL_PFT,
                                      .minor = 1};

struct heard {
    unsigned calls, elements, ends;
    unsigned stop_at; /* this call returns 42; 0: none */
};

static int hear(void *context, const struct etm_element *elements, size_t n)
{
    struct heard *heard = context;

    heard->calls++;
    heard->elements += (unsigned)n;
    for (size_t i = 0; i < n; i++)
        heard->ends += elements[i].kind == ETM_ELEMENT_END;
    return heard->calls == heard->stop_at ? 42 : 0;
}

static struct etm_decoder_config how(struct heard *heard)
{
    return (struct etm_decoder_config){.size =
                                           sizeof(struct etm_decoder_config),
                                       .config = &pft,
                                       .elements = hear,
                                       .context = heard};
}

TEST(what_cannot_be_is_refused)
{
    struct heard heard = {0};
    struct etm_config none = pft;
    struct etm_decoder_config config = how(&heard);
    struct etm_decoder *decoder = (struct etm_decoder *)&heard;

    none.protocol = ETM_PROTOCOL_NONE;
    assert_refused(etm_decoder_new(NULL, &config));
    assert_refused(etm_decoder_new(&decoder, NULL));
    assert_null(decoder);
    config.elements = NULL;
    assert_refused(etm_decoder_new(&decoder, &config));
    config = how(&heard);
    config.config = NULL;
    assert_refused(etm_decoder_new(&decoder, &config));
    config = how(&heard);
    config.level = (enum etm_level)7;
    assert_refused(etm_decoder_new(&decoder, &config));
    config = how(&heard);
    config.config = &none;
    assert_int_not_equal(etm_decoder_new(&decoder, &config), ETM_OK);
    assert_null(decoder);
    assert_int_equal(heard.calls, 0);
    etm_decoder_free(NULL);
}

TEST(nothing_but_an_end)
{
    struct heard heard = {0};
    struct etm_decoder_config config = how(&heard);
    struct etm_decoder *decoder;

    assert_ok(etm_decoder_new(&decoder, &config));
    assert_ok(etm_decoder_push(decoder, NULL, 0));
    assert_int_equal(heard.calls, 0);
    assert_ok(etm_decoder_finish(decoder));
    assert_int_equal(heard.elements, 1);
    assert_int_equal(heard.ends, 1);
    etm_decoder_free(decoder);
}

TEST(callback_stops_a_push)
{
    struct heard heard = {.stop_at = 1};
    struct etm_decoder_config config = how(&heard);
    struct etm_decoder *decoder;

    assert_ok(etm_decoder_new(&decoder, &config));
    assert_int_equal(etm_decoder_push(decoder, trace, sizeof trace), 42);
    assert_int_equal(heard.calls, 1);
    etm_decoder_free(decoder);
}

/* What comes after that is no continuation: it would be decoded wrongly. */
TEST(a_stopped_decoder_stays_stopped)
{
    struct heard heard = {.stop_at = 1};
    struct etm_decoder_config config = how(&heard);
    struct etm_decoder *decoder;

    assert_ok(etm_decoder_new(&decoder, &config));
    assert_int_equal(etm_decoder_push(decoder, trace, sizeof trace), 42);
    assert_int_equal(etm_decoder_push(decoder, trace, sizeof trace), 42);
    assert_int_equal(etm_decoder_push(decoder, NULL, 0), 42);
    assert_int_equal(etm_decoder_gap(decoder, 16), 42);
    assert_int_equal(etm_decoder_finish(decoder), 42);
    assert_int_equal(heard.calls, 1);
    etm_decoder_free(decoder);
}

TEST(memory_that_comes_back_is_no_continuation)
{
    unsigned failed = 0;

    for (unsigned n = 1; n < 64; n++) {
        struct heard heard = {0};
        struct scarce scarce = {.left = n};
        struct etm_allocator allocator = {scarce_resize, &scarce};
        struct etm_decoder_config config = how(&heard);
        struct etm_decoder *decoder;
        int status;

        config.allocator = &allocator;
        if (etm_decoder_new(&decoder, &config) != ETM_OK)
            continue;
        status = etm_decoder_push(decoder, trace, sizeof trace);
        scarce.left = UINT32_MAX;
        assert_int_equal(etm_decoder_finish(decoder), status);
        assert_int_equal(heard.ends, status == ETM_OK);
        failed += status == ETM_ERR_MEMORY;
        etm_decoder_free(decoder);
    }
    assert_int_not_equal(failed, 0);
}

static int hear_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    struct heard *heard = context;

    (void)packets;
    heard->calls++;
    heard->elements += (unsigned)n;
    return heard->calls == heard->stop_at ? 42 : 0;
}

TEST(a_stopped_packet_decoder_stays_stopped)
{
    struct heard heard = {.stop_at = 1};
    struct etm_packet_decoder_config config = {
        .config = &pft, .packets = hear_packets, .context = &heard};
    struct etm_packet_decoder *decoder;

    assert_ok(etm_packet_decoder_new(&decoder, &config));
    assert_int_equal(etm_packet_decoder_push(decoder, trace, sizeof trace), 42);
    assert_int_equal(etm_packet_decoder_push(decoder, trace, sizeof trace), 42);
    assert_int_equal(etm_packet_decoder_gap(decoder), 42);
    assert_int_equal(etm_packet_decoder_finish(decoder), 42);
    assert_int_equal(heard.calls, 1);
    etm_packet_decoder_free(decoder);
}

struct packet_caller {
    struct etm_packet_decoder *decoder;
    unsigned calls;
};

static int call_back(void *context, const struct etm_packet *packets, size_t n)
{
    struct packet_caller *caller = context;

    (void)packets;
    (void)n;
    caller->calls++;
    assert_refused(
        etm_packet_decoder_push(caller->decoder, trace, sizeof trace));
    assert_refused(etm_packet_decoder_gap(caller->decoder));
    assert_refused(etm_packet_decoder_finish(caller->decoder));
    return 0;
}

/* The packets that it is given stand in the decoder. */
TEST(a_function_of_packets_cannot_change_the_decoder)
{
    struct packet_caller caller = {NULL, 0};
    struct etm_packet_decoder_config config = {
        .config = &pft, .packets = call_back, .context = &caller};

    assert_ok(etm_packet_decoder_new(&caller.decoder, &config));
    assert_ok(etm_packet_decoder_push(caller.decoder, trace, sizeof trace));
    assert_int_equal(caller.calls, 1);
    assert_ok(etm_packet_decoder_finish(caller.decoder));
    etm_packet_decoder_free(caller.decoder);
}

struct row_caller {
    struct etm_decoder *decoder;
    unsigned rows;
};

static int take_row(void *context, const struct etm_count *row)
{
    struct row_caller *caller = context;

    assert_int_equal(row->n, 1);
    caller->rows++;
    assert_refused(etm_decoder_push(caller->decoder, trace, sizeof trace));
    assert_refused(etm_decoder_gap(caller->decoder, 1));
    assert_refused(etm_decoder_finish(caller->decoder));
    assert_refused(etm_decoder_reset(caller->decoder));
    assert_refused(etm_decoder_counts(caller->decoder, take_row, caller));
    return 0;
}

/* The rows that it is given stand in the decoder. */
TEST(a_function_of_counts_cannot_change_the_decoder)
{
    /* A-sync, I-sync at 8000 (Thumb), an E atom; b . */
    static const uint8_t bytes[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08,
                                    0x01, 0x80, 0x00, 0x00, 0x01, 0x84};
    static const uint8_t loop[] = {0xfe, 0xe7};
    struct heard heard = {0};
    struct etm_decoder_config config = how(&heard);
    struct row_caller caller = {NULL, 0};
    struct etm_image *image;

    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x8000, loop, sizeof loop, NULL));
    config.image = image;
    config.level = ETM_LEVEL_COVERAGE;
    assert_ok(etm_decoder_new(&caller.decoder, &config));
    assert_ok(etm_decoder_push(caller.decoder, bytes, sizeof bytes));
    assert_ok(etm_decoder_finish(caller.decoder));
    assert_ok(etm_decoder_counts(caller.decoder, take_row, &caller));
    assert_int_equal(caller.rows, 1);
    assert_ok(etm_decoder_reset(caller.decoder));
    etm_decoder_free(caller.decoder);
    etm_image_free(image);
}

TEST(callback_stops_a_finish)
{
    struct heard heard = {.stop_at = 2};
    struct etm_decoder_config config = how(&heard);
    struct etm_decoder *decoder;

    assert_ok(etm_decoder_new(&decoder, &config));
    assert_ok(etm_decoder_push(decoder, trace, sizeof trace));
    assert_int_equal(heard.calls, 1);
    assert_int_equal(heard.ends, 0);
    assert_int_equal(etm_decoder_finish(decoder), 42);
    assert_int_equal(heard.ends, 1);
    etm_decoder_free(decoder);
}

TEST(gap_before_anything_is_lost_bytes)
{
    struct heard heard = {0};
    struct etm_decoder_config config = how(&heard);
    struct etm_decoder *decoder;

    assert_ok(etm_decoder_new(&decoder, &config));
    assert_ok(etm_decoder_gap(decoder, 16));
    assert_ok(etm_decoder_finish(decoder));
    assert_int_equal(heard.elements, 2); /* lost, end */
    etm_decoder_free(decoder);
}

/* All there is, as a push does: the next one may be long in coming. */
TEST(gap_gives_what_was_before_it)
{
    /* A-sync, I-sync at 8000 (Thumb), three instructions: nop */
    static const uint8_t etmv3[] = {0x00, 0x00, 0x00, 0x00, 0x00, 0x80, 0x08,
                                    0x21, 0x01, 0x80, 0x00, 0x00, 0x8c};
    static const uint8_t nops[] = {0x00, 0xbf, 0x00, 0xbf, 0x00, 0xbf};
    const struct etm_config v3 = {.protocol = ETM_PROTOCOL_ETMV3, .minor = 4};
    struct heard heard = {0};
    struct etm_decoder_config config = how(&heard);
    struct etm_decoder *decoder;
    struct etm_image *image;
    unsigned before;

    config.config = &v3;
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, 0x8000, nops, sizeof nops, NULL));
    config.image = image;
    assert_ok(etm_decoder_new(&decoder, &config));
    assert_ok(etm_decoder_push(decoder, etmv3, sizeof etmv3));
    before = heard.elements;
    assert_ok(etm_decoder_gap(decoder, 16));
    assert_int_equal(heard.elements, before + 1); /* range */
    assert_ok(etm_decoder_finish(decoder));
    assert_int_equal(heard.elements, before + 3); /* lost, end */
    etm_decoder_free(decoder);
    etm_image_free(image);
}

static int keep_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    char *kinds = context;

    for (size_t i = 0; i < n; i++) {
        size_t end = strlen(kinds);

        kinds[end] = packets[i].kind == ETM_PACKET_BAD       ? 'b'
                     : packets[i].kind == ETM_PACKET_I_SYNC  ? 'i'
                     : packets[i].kind == ETM_PACKET_A_SYNC  ? 'a'
                     : packets[i].kind == ETM_PACKET_TRIGGER ? 't'
                     : packets[i].kind == ETM_PACKET_ATOM    ? 'e'
                                                             : '?';
        kinds[end + 1] = '\0';
    }
    return 0;
}

/* Of a packet that a gap cuts, what came is bad; then an A-sync is needed. */
TEST(gap_cuts_a_packet)
{
    char kinds[32] = "";
    const struct etm_packet_decoder_config config = {.size = sizeof config,
                                                     .config = &pft,
                                                     .packets = keep_packets,
                                                     .context = kinds};
    struct etm_packet_decoder *decoder;

    assert_ok(etm_packet_decoder_new(&decoder, &config));
    assert_ok(etm_packet_decoder_push(decoder, trace, 16));
    assert_ok(etm_packet_decoder_gap(decoder));
    assert_ok(etm_packet_decoder_push(decoder, trace, sizeof trace));
    assert_ok(etm_packet_decoder_finish(decoder));
    assert_string_equal(kinds, "aietbaieti");
    etm_packet_decoder_free(decoder);
}

/* The configuration is copied, and so is the source's ID to its elements. */
static int see_source(void *context, const struct etm_element *elements,
                      size_t n)
{
    unsigned *wrong = context;

    for (size_t i = 0; i < n; i++)
        *wrong += elements[i].source != 0x55;
    return 0;
}

TEST(nothing_goes_on_after_the_end)
{
    const uint8_t byte = 0;
    struct heard heard = {0};
    const struct etm_decoder_config options = how(&heard);
    const struct etm_packet_decoder_config packet_options = {
        .config = &pft, .packets = hear_packets, .context = &heard};
    struct etm_packet_decoder *packets;
    struct etm_decoder *decoder;

    assert_ok(etm_decoder_new(&decoder, &options));
    assert_refused(etm_decoder_push(decoder, NULL, 1));
    assert_ok(etm_decoder_push(decoder, NULL, 0));
    assert_ok(etm_decoder_finish(decoder));
    assert_refused(etm_decoder_push(decoder, &byte, 1));
    assert_refused(etm_decoder_gap(decoder, 1));
    assert_refused(etm_decoder_finish(decoder));
    etm_decoder_free(decoder);
    assert_ok(etm_packet_decoder_new(&packets, &packet_options));
    assert_refused(etm_packet_decoder_push(packets, NULL, 1));
    assert_ok(etm_packet_decoder_push(packets, NULL, 0));
    assert_ok(etm_packet_decoder_finish(packets));
    assert_refused(etm_packet_decoder_push(packets, &byte, 1));
    assert_refused(etm_packet_decoder_gap(packets));
    assert_refused(etm_packet_decoder_finish(packets));
    etm_packet_decoder_free(packets);
}

TEST(nothing_is_no_decoder)
{
    const uint8_t byte = 0;

    assert_refused(etm_decoder_push(NULL, &byte, 1));
    assert_refused(etm_decoder_gap(NULL, 1));
    assert_refused(etm_decoder_finish(NULL));
    assert_refused(etm_packet_decoder_push(NULL, &byte, 1));
    assert_refused(etm_packet_decoder_gap(NULL));
    assert_refused(etm_packet_decoder_finish(NULL));
}

TEST(elements_carry_the_id_of_their_source)
{
    struct etm_config mine = pft;
    unsigned wrong = 0;
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &mine,
                                        .elements = see_source,
                                        .context = &wrong};
    struct etm_decoder *decoder;

    mine.trace_id = 0x55;
    assert_ok(etm_decoder_new(&decoder, &config));
    memset(&mine, 0, sizeof mine);
    assert_ok(etm_decoder_push(decoder, trace, sizeof trace));
    assert_ok(etm_decoder_finish(decoder));
    assert_int_equal(wrong, 0);
    etm_decoder_free(decoder);
}
