/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets: the table of headers, and streams that break the rules. */
#include "../support/scarce.h"
#include "pft_cores.h"
#include "pft_util.h"

static void each_header_is_claimed_once(void **state)
{
    size_t n;
    const struct etm_pft_header_row *rows = etm_pft_header_rows(&n);

    (void)state;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        struct etm_pft_format f = etm_pft_format_of(&config);

        for (unsigned h = 0; h < 256; h++) {
            unsigned claims = 0;

            for (size_t i = 0; i < n; i++)
                if ((rows[i].only & ~f.only) == 0 &&
                    (h & rows[i].mask) == rows[i].value)
                    claims++;
            assert_int_equal(claims, 1);
        }
    }
    for (size_t i = 0; i < n; i++)
        assert_int_equal(rows[i].value & ~rows[i].mask, 0);
}

/* Table 4.1 once more, in another form. */
static enum etm_pft_header header_of(const struct etm_config *c, unsigned h)
{
    if ((h & 1) != 0)
        return ETM_PFT_HEADER_BRANCH;
    if (h >= 0x80)
        return !c->cycle_accurate && h < 0x84 ? ETM_PFT_HEADER_RESERVED
                                              : ETM_PFT_HEADER_ATOM;
    switch (h) {
    case 0x00:
        return ETM_PFT_HEADER_A_SYNC;
    case 0x08:
        return ETM_PFT_HEADER_I_SYNC;
    case 0x0c:
        return ETM_PFT_HEADER_TRIGGER;
    case 0x3c:
        return c->minor == 1 && c->virtualization ? ETM_PFT_HEADER_VMID
                                                  : ETM_PFT_HEADER_RESERVED;
    case 0x42:
    case 0x46:
        return ETM_PFT_HEADER_TIMESTAMP;
    case 0x66:
        return ETM_PFT_HEADER_IGNORE;
    case 0x6e:
        return c->context_id_bytes != 0 ? ETM_PFT_HEADER_CONTEXT_ID
                                        : ETM_PFT_HEADER_RESERVED;
    case 0x72:
        return ETM_PFT_HEADER_WAYPOINT_UPDATE;
    case 0x76:
        return ETM_PFT_HEADER_EXCEPTION_RETURN;
    default:
        return ETM_PFT_HEADER_RESERVED;
    }
}

static void each_header_begins_what_the_table_says(void **state)
{
    (void)state;
    for (unsigned c = 0; c < N_CONFIGS; c++) {
        struct etm_config config = config_number(c);
        struct etm_pft_format f = etm_pft_format_of(&config);
        struct etm_pft_table table;

        etm_pft_table_init(&table, &f);
        for (unsigned h = 0; h < 256; h++)
            assert_int_equal(table.kind[h], header_of(&config, h));
    }
}

/* `bytes` after an A-sync: a packet of `kind` and `size` bytes, then the rest
 * unsynchronized. */
static void assert_breaks(const struct etm_config *config, const uint8_t *bytes,
                          size_t n, enum etm_packet_kind kind, uint32_t size)
{
    uint8_t stream[8192];
    struct etm_vec out;

    memcpy(stream, a_sync, sizeof a_sync);
    memcpy(stream + sizeof a_sync, bytes, n);
    decode_all(config, stream, sizeof a_sync + n, &out);
    assert_int_equal(out.n, n > size ? 3 : 2);
    assert_int_equal(packet_at(&out, 1)->kind, kind);
    assert_int_equal(packet_at(&out, 1)->size, size);
    assert_int_equal(packet_at(&out, 1)->fields, 0);
    if (n > size) {
        assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_UNSYNCHRONIZED);
        assert_int_equal(packet_at(&out, 2)->size, n - size);
    }
    assert_covers(&out, stream, sizeof a_sync + n);
    etm_vec_fini(&out);
}
#define ASSERT_BREAKS(config, kind, size, ...)                                 \
    assert_breaks(config, (const uint8_t[]){__VA_ARGS__},                      \
                  sizeof((uint8_t[]){__VA_ARGS__}), kind, size)

/* E-02 */
static void reserved_header_is_one_byte_and_ends_synchronization(void **state)
{
    (void)state;
    ASSERT_BREAKS(&flow, ETM_PACKET_RESERVED, 1, 0x80, 0x84, 0x84);
    ASSERT_BREAKS(&flow, ETM_PACKET_RESERVED, 1, 0x82, 0x84);
    ASSERT_BREAKS(&a9, ETM_PACKET_RESERVED, 1, 0x3c, 0x12, 0x84);
    ASSERT_BREAKS(&a9, ETM_PACKET_RESERVED, 1, 0x6e, 0x84);
    ASSERT_BREAKS(&a9, ETM_PACKET_RESERVED, 1, 0x7e);
}

static void short_a_sync_is_bad_for_its_zeros(void **state)
{
    (void)state;
    ASSERT_BREAKS(&flow, ETM_PACKET_BAD, 1, 0x00, 0x84, 0x84);
    ASSERT_BREAKS(&flow, ETM_PACKET_BAD, 4, 0x00, 0x00, 0x00, 0x00, 0x80, 0x84);
    ASSERT_BREAKS(&flow, ETM_PACKET_BAD, 6, 0, 0, 0, 0, 0, 0, 0x84);
}

static void reserved_fifth_address_byte_is_bad(void **state)
{
    (void)state;
    for (uint8_t last = 0; last < 8; last++) {
        ASSERT_BREAKS(&flow, ETM_PACKET_BAD, 4, 0x81, 0x80, 0x80, 0x80, last,
                      0x84);
        ASSERT_BREAKS(&a9, ETM_PACKET_BAD, 5, 0x72, 0x81, 0x80, 0x80, 0x80,
                      (uint8_t)(last | 0x40), 0x84);
    }
    ASSERT_BREAKS(&flow, ETM_PACKET_BAD, 5, 0x72, 0x81, 0x80, 0x80, 0x80, 0x20,
                  0x84);
}

static void a_sync_may_begin_where_an_address_breaks(void **state)
{
    static const uint8_t stream[] = {0,    0, 0, 0, 0, 0x80, 0x81, 0x80, 0x80,
                                     0x80, 0, 0, 0, 0, 0,    0x80, 0x84};
    struct etm_vec out;

    (void)state;
    decode_all(&flow, stream, sizeof stream, &out);
    assert_int_equal(out.n, 4);
    assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_BAD);
    assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_A_SYNC);
    assert_int_equal(packet_at(&out, 2)->size, 6);
    assert_int_equal(packet_at(&out, 3)->kind, ETM_PACKET_ATOM);
    etm_vec_fini(&out);
}

static void long_a_sync_is_one_packet(void **state)
{
    static const size_t zeros[] = {6, 7, 100, ETM_PACKET_BYTES_MAX - 1};
    static uint8_t stream[2 * ETM_PACKET_BYTES_MAX];

    (void)state;
    for (size_t i = 0; i < sizeof zeros / sizeof zeros[0]; i++) {
        size_t n = sizeof a_sync + zeros[i] + 2;
        struct etm_vec out;

        memset(stream, 0, n);
        stream[5] = stream[n - 2] = 0x80;
        stream[n - 1] = 0x84;
        decode_all(&flow, stream, n, &out);
        assert_int_equal(out.n, 3);
        assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_A_SYNC);
        assert_int_equal(packet_at(&out, 1)->size, zeros[i] + 1);
        assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_ATOM);
        etm_vec_fini(&out);
    }
}

/* An A-sync is a packet, and no packet is longer than that. */
/* E-441 */
static void a_sync_longer_than_a_packet_is_bad_up_to_its_end(void **state)
{
    static uint8_t stream[6 + ETM_PACKET_BYTES_MAX + 2];
    struct etm_vec out;

    (void)state;
    stream[5] = stream[sizeof stream - 2] = 0x80;
    stream[sizeof stream - 1] = 0x84;
    decode_all(&flow, stream, sizeof stream, &out);
    assert_int_equal(out.n, 4);
    assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_BAD);
    assert_int_equal(packet_at(&out, 1)->size, ETM_PACKET_BYTES_MAX);
    assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_A_SYNC);
    assert_int_equal(packet_at(&out, 2)->size, 1);
    assert_int_equal(packet_at(&out, 3)->kind, ETM_PACKET_ATOM);
    etm_vec_fini(&out);
}

/*
 * Bytes before an A-sync were lost, so that a timestamp, a branch or a context
 * ID takes its first zeros. E-441
 */
static void a_sync_is_found_though_a_packet_took_its_zeros(void **state)
{
    static const struct {
        uint8_t bytes[16];
        size_t n;
        uint32_t taken, bad; /* sizes of the packets */
    } cases[] = {
        {{0x42, 0x93, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80}, 8, 3, 4},
        {{0x81, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80}, 7, 2, 4},
        {{0x6e, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80}, 7, 5, 1},
        {{0x6e, 0x11, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80}, 8, 5, 2},
    };
    struct etm_config config = flow;
    uint8_t stream[32];
    struct etm_vec out;

    (void)state;
    config.context_id_bytes = 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = sizeof a_sync + cases[i].n + 1;

        memcpy(stream, a_sync, sizeof a_sync);
        memcpy(stream + sizeof a_sync, cases[i].bytes, cases[i].n);
        stream[n - 1] = 0x84;
        decode_all(&config, stream, n, &out);
        assert_covers(&out, stream, n);
        assert_int_equal(out.n, 5);
        assert_int_equal(packet_at(&out, 1)->size, cases[i].taken);
        assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_BAD);
        assert_int_equal(packet_at(&out, 2)->size, cases[i].bad);
        assert_int_equal(packet_at(&out, 3)->kind, ETM_PACKET_A_SYNC);
        assert_int_equal(packet_at(&out, 3)->size, 1);
        assert_int_equal(packet_at(&out, 4)->kind, ETM_PACKET_ATOM);
        assert_same_in_steps(&config, stream, n, &out);
        etm_vec_fini(&out);
    }
}

/*
 * Bytes before an A-sync were lost, and what is left looks like an I-sync,
 * which would have all of it within its address, information byte and context
 * ID. That byte is never 0. E-441
 */
static void a_sync_is_not_within_an_i_sync(void **state)
{
    static const uint8_t address[] = {0x93, 0x05, 0x81, 0x77};
    struct etm_config config = flow;
    struct etm_vec out;

    (void)state;
    config.context_id_bytes = 4;
    for (size_t left = 0; left <= sizeof address; left++) {
        uint8_t stream[32] = {0, 0, 0, 0, 0, 0x80, 0x08};
        size_t n = 7 + left + 5;

        memcpy(stream + 7, address, left);
        stream[n++] = 0x80;
        memset(stream + n, 0x84, 4);
        n += 4;
        decode_all(&config, stream, n, &out);
        assert_covers(&out, stream, n);
        assert_int_equal(out.n, 7);
        assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_BAD);
        assert_int_equal(packet_at(&out, 1)->size, 5);
        assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_A_SYNC);
        assert_int_equal(packet_at(&out, 2)->size, left + 2);
        assert_int_equal(packet_at(&out, 3)->kind, ETM_PACKET_ATOM);
        assert_same_in_steps(&config, stream, n, &out);
        etm_vec_fini(&out);
    }
}

/* Its zeros are no A-sync if other bytes follow them. */
static void zeros_in_an_i_sync_are_its_own(void **state)
{
    static const uint8_t stream[] = {0, 0, 0, 0, 0, 0x80, 0x08, 0x93,
                                     0, 0, 0, 0, 0, 0,    0x07, 0x80};
    struct etm_config config = flow;
    struct etm_vec out;

    (void)state;
    config.context_id_bytes = 4;
    decode_all(&config, stream, sizeof stream, &out);
    assert_int_equal(out.n, 2);
    assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_I_SYNC);
    assert_int_equal(packet_at(&out, 1)->context_id, 0x80070000);
    assert_same_in_steps(&config, stream, sizeof stream, &out);
    etm_vec_fini(&out);
}

/* Four zeros are not enough, and bytes that were lost separate them. */
static void zeros_that_are_too_few_are_no_a_sync(void **state)
{
    static const uint8_t bytes[] = {0, 0, 0, 0, 0, 0x80, 0x81, 0, 0, 0};
    static const uint8_t rest[] = {0, 0, 0x80, 0x84};
    struct etm_pft_decoder d;
    struct etm_vec out;

    (void)state;
    ASSERT_BREAKS(&flow, ETM_PACKET_BAD, 3, 0, 0, 0, 0x80, 0x84);
    etm_vec_init(&out, sizeof(struct etm_packet), NULL);
    etm_pft_decoder_init(&d, &flow);
    assert_int_equal(etm_pft_decoder_push(&d, bytes, sizeof bytes, &out),
                     ETM_OK);
    assert_int_equal(etm_pft_decoder_gap(&d, &out), ETM_OK);
    assert_int_equal(etm_pft_decoder_push(&d, rest, sizeof rest, &out), ETM_OK);
    assert_int_equal(etm_pft_decoder_finish(&d, &out), ETM_OK);
    assert_int_equal(out.n, 4);
    assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_BAD);
    assert_int_equal(packet_at(&out, 3)->kind, ETM_PACKET_UNSYNCHRONIZED);
    assert_int_equal(packet_at(&out, 3)->size, sizeof rest);
    etm_vec_fini(&out);
}

/* Then the last five zeros are the A-sync, as in any unsynchronized bytes. */
static void endless_zeros_are_bad_and_resynchronize(void **state)
{
    static uint8_t stream[2 * ETM_PACKET_BYTES_MAX];
    size_t n = sizeof a_sync + ETM_PACKET_BYTES_MAX + 12;
    struct etm_vec out;

    (void)state;
    stream[5] = stream[n - 2] = 0x80;
    stream[n - 1] = 0x84;
    decode_all(&flow, stream, n, &out);
    assert_int_equal(out.n, 5);
    assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_BAD);
    assert_int_equal(packet_at(&out, 1)->size, ETM_PACKET_BYTES_MAX);
    assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_UNSYNCHRONIZED);
    assert_int_equal(packet_at(&out, 2)->size, 5);
    assert_int_equal(packet_at(&out, 3)->kind, ETM_PACKET_A_SYNC);
    assert_int_equal(packet_at(&out, 3)->size, 6);
    assert_int_equal(packet_at(&out, 4)->kind, ETM_PACKET_ATOM);
    etm_vec_fini(&out);
}

static void unsynchronized_zeros_before_the_last_five_are_skipped(void **state)
{
    static const uint8_t stream[] = {0x80, 0x00, 0x80, 0x00, 0x00, 0x00,
                                     0x00, 0x00, 0x00, 0x00, 0x80, 0x84};
    struct etm_vec out;

    (void)state;
    for (size_t step = 1; step <= sizeof stream; step++) {
        decode_in_steps(&flow, stream, sizeof stream, step, &out);
        assert_int_equal(out.n, 3);
        assert_int_equal(packet_at(&out, 0)->kind, ETM_PACKET_UNSYNCHRONIZED);
        assert_int_equal(packet_at(&out, 0)->size, 5);
        assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_A_SYNC);
        assert_int_equal(packet_at(&out, 1)->size, 6);
        assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_ATOM);
        etm_vec_fini(&out);
    }
}

/* Reserved bits may become anything; nothing is refused for them. E-44 */
static void reserved_payload_bits_do_not_matter(void **state)
{
    static const uint8_t plain[] = {0x81, 0x80, 0x80, 0x80, 0x48, 0x82, 0x01,
                                    0x08, 0x00, 0x00, 0x00, 0xc0, 0x21};
    static const uint8_t noisy[] = {0x81, 0x80, 0x80, 0x80, 0xc8, 0xa2, 0xc1,
                                    0x08, 0x00, 0x00, 0x00, 0xc0, 0xb0};
    uint8_t stream[32];
    struct etm_vec a, b;

    (void)state;
    memcpy(stream, a_sync, sizeof a_sync);
    memcpy(stream + sizeof a_sync, plain, sizeof plain);
    decode_all(&flow, stream, sizeof a_sync + sizeof plain, &a);
    memcpy(stream + sizeof a_sync, noisy, sizeof noisy);
    decode_all(&flow, stream, sizeof a_sync + sizeof noisy, &b);
    assert_int_equal(a.n, 3);
    assert_int_equal(packet_at(&a, 1)->exception, 0x11);
    assert_int_equal(packet_at(&a, 2)->kind, ETM_PACKET_I_SYNC);
    for (size_t i = 0; i < b.n; i++) /* the byte as it was */
        ((struct etm_packet *)b.data)[i].info = packet_at(&a, i)->info;
    assert_same_packets(&a, &b);
    etm_vec_fini(&a);
    etm_vec_fini(&b);
}

/* It has no meaning in a waypoint update, whose address begins with bit 1.
 * E-54 */
static void bit_0_of_a_waypoint_update_does_not_matter(void **state)
{
    static const uint8_t stream[] = {0,    0,    0,    0,    0,    0x80, 0x72,
                                     0x83, 0x02, 0x72, 0x82, 0x02, 0x84};
    struct etm_vec out;

    (void)state;
    decode_all(&flow, stream, sizeof stream, &out);
    assert_int_equal(out.n, 4);
    assert_int_equal(packet_at(&out, 1)->kind, ETM_PACKET_WAYPOINT_UPDATE);
    assert_int_equal(packet_at(&out, 2)->kind, ETM_PACKET_WAYPOINT_UPDATE);
    assert_int_equal(packet_at(&out, 2)->size, 3);
    assert_int_equal(packet_at(&out, 1)->address, packet_at(&out, 2)->address);
    assert_int_equal(packet_at(&out, 1)->fields, packet_at(&out, 2)->fields);
    etm_vec_fini(&out);
}

/* The same bit patterns in v1.0, whose ETMCCER[29:26] and Hyp are reserved. */
static void v1_0_has_no_hyp_and_short_timestamps(void **state)
{
    static const uint8_t stream[] = {
        0,    0,    0,    0,    0,    0x80,                   /* A-sync */
        0x08, 0x00, 0x00, 0x00, 0x80, 0x03,                   /* Hyp */
        0x81, 0x80, 0x80, 0x80, 0x48, 0x80, 0x20,             /* Hyp */
        0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x84, /* 48 bits */
    };
    struct etm_config config = flow;
    struct etm_vec out;

    (void)state;
    config.minor = 0;
    config.timestamp_64bit = true;
    decode_all(&config, stream, sizeof stream, &out);
    assert_int_equal(out.n, 5);
    assert_int_equal(packet_at(&out, 1)->fields, ETM_FIELD_ADDRESS);
    assert_int_equal(packet_at(&out, 2)->fields, ETM_FIELD_ADDRESS |
                                                     ETM_FIELD_EXCEPTION_0 |
                                                     ETM_FIELD_EXCEPTION_1);
    assert_int_equal(packet_at(&out, 3)->value, 0xffffffffffff);
    assert_int_equal(packet_at(&out, 4)->kind, ETM_PACKET_ATOM);
    etm_vec_fini(&out);
}

/* E-52 */
static void v1_1_has_hyp(void **state)
{
    static const uint8_t stream[] = {0,    0,    0,    0,    0,    0x80, 0x08,
                                     0x00, 0x00, 0x00, 0x80, 0x03, 0x81, 0x80,
                                     0x80, 0x80, 0x48, 0x80, 0x20};
    struct etm_vec out;

    (void)state;
    decode_all(&flow, stream, sizeof stream, &out);
    assert_int_equal(out.n, 3);
    assert_true((packet_at(&out, 1)->fields & ETM_FIELD_HYP) != 0);
    assert_true((packet_at(&out, 2)->fields & ETM_FIELD_HYP) != 0);
    etm_vec_fini(&out);
}

/* E in the last of two to four bytes announces exception bytes; the same bit
 * of a short waypoint update has no meaning. */
static void exception_byte_follows_a_short_address(void **state)
{
    static const uint8_t stream[] = {0,    0,    0,    0,    0,
                                     0x80, 0x81, 0x42, 0x1c,       /* 2 */
                                     0x81, 0x82, 0x43, 0x9c, 0x01, /* 3 */
                                     0x72, 0x81, 0x42,             /* update */
                                     0x84};
    struct etm_vec out;

    (void)state;
    decode_all(&flow, stream, sizeof stream, &out);
    assert_int_equal(out.n, 5);
    assert_int_equal(packet_at(&out, 1)->address, 2 << 6);
    assert_int_equal(packet_at(&out, 1)->exception, 0x0e);
    assert_int_equal(packet_at(&out, 2)->address_bits, 19);
    assert_int_equal(packet_at(&out, 2)->exception, 0x1e);
    assert_int_equal(packet_at(&out, 3)->size, 3);
    assert_int_equal(packet_at(&out, 3)->fields, ETM_FIELD_ADDRESS);
    assert_int_equal(packet_at(&out, 4)->kind, ETM_PACKET_ATOM);
    etm_vec_fini(&out);
}

static void context_id_comes_last_in_an_i_sync(void **state)
{
    static const uint8_t stream[] = {
        0,    0,    0,    0,    0,    0x80,             /* A-sync */
        0x08, 0x01, 0x00, 0x00, 0x80, 0x2d, 0xc4, 0x01, /* count */
        0x78, 0x56, 0x34, 0x12,                         /* ID */
        0x08, 0x00, 0x00, 0x00, 0x80, 0x01, 0x78, 0x56,
        0x34, 0x12, 0x6e, 0xef, 0xbe, 0xad, 0xde};
    struct etm_config config = a15;
    struct etm_vec out;

    (void)state;
    config.context_id_bytes = 4;
    decode_all(&config, stream, sizeof stream, &out);
    assert_int_equal(out.n, 4);
    assert_int_equal(packet_at(&out, 1)->isa, ETM_ISA_THUMBEE);
    assert_int_equal(packet_at(&out, 1)->cycle_count, 17);
    assert_int_equal(packet_at(&out, 1)->context_id, 0x12345678);
    assert_int_equal(packet_at(&out, 2)->context_id, 0x12345678);
    assert_int_equal(packet_at(&out, 2)->cycle_bytes, 0);
    assert_int_equal(packet_at(&out, 3)->kind, ETM_PACKET_CONTEXT_ID);
    assert_int_equal(packet_at(&out, 3)->context_id, 0xdeadbeef);
    etm_vec_fini(&out);
}

/* The fifth byte of a count has no C bit. */
static void cycle_count_has_32_bits(void **state)
{
    static const uint8_t stream[] = {0,    0,    0,    0,    0,    0x80,
                                     0xfc, 0xff, 0xff, 0xff, 0xff, 0x84};
    struct etm_vec out;

    (void)state;
    decode_all(&a9, stream, sizeof stream, &out);
    assert_int_equal(out.n, 3);
    assert_int_equal(packet_at(&out, 1)->cycle_count, 0xffffffff);
    assert_int_equal(packet_at(&out, 2)->cycle_count, 1);
    etm_vec_fini(&out);
}

static void gap_breaks_the_packet_and_the_synchronization(void **state)
{
    static const uint8_t first[] = {0, 0, 0, 0, 0, 0x80, 0x84, 0x81, 0x80};
    static const uint8_t second[] = {0x84, 0, 0, 0};
    static const uint8_t third[] = {0, 0, 0x80, 0, 0, 0, 0, 0, 0x80, 0x84};
    static const uint8_t kinds[] = {ETM_PACKET_A_SYNC,
                                    ETM_PACKET_ATOM,
                                    ETM_PACKET_BAD,
                                    ETM_PACKET_UNSYNCHRONIZED,
                                    ETM_PACKET_UNSYNCHRONIZED,
                                    ETM_PACKET_A_SYNC,
                                    ETM_PACKET_ATOM};
    struct etm_pft_decoder d;
    struct etm_vec out;

    (void)state;
    etm_vec_init(&out, sizeof(struct etm_packet), NULL);
    etm_pft_decoder_init(&d, &flow);
    assert_int_equal(etm_pft_decoder_push(&d, first, sizeof first, &out), 0);
    assert_int_equal(etm_pft_decoder_gap(&d, &out), ETM_OK);
    assert_int_equal(etm_pft_decoder_push(&d, second, sizeof second, &out), 0);
    assert_int_equal(etm_pft_decoder_gap(&d, &out), ETM_OK);
    assert_int_equal(etm_pft_decoder_push(&d, third, sizeof third, &out), 0);
    assert_int_equal(etm_pft_decoder_gap(&d, &out), ETM_OK);
    assert_int_equal(etm_pft_decoder_finish(&d, &out), ETM_OK);
    assert_int_equal(out.n, sizeof kinds);
    for (size_t i = 0; i < out.n; i++)
        assert_int_equal(packet_at(&out, i)->kind, kinds[i]);
    assert_int_equal(packet_at(&out, 2)->fields, 0);
    assert_int_equal(packet_at(&out, 3)->size, 4);
    assert_int_equal(packet_at(&out, 4)->size, 3);
    assert_int_equal(packet_at(&out, 6)->offset, 22);
    etm_vec_fini(&out);
}

static void no_memory_is_reported(void **state)
{
    struct scarce scarce = {0};
    const struct etm_allocator none = {scarce_resize, &scarce};
    struct etm_pft_decoder d;
    struct etm_vec out;

    (void)state;
    etm_vec_init(&out, sizeof(struct etm_packet), &none);
    etm_pft_decoder_init(&d, &flow);
    assert_int_equal(etm_pft_decoder_push(&d, a_sync, sizeof a_sync, &out),
                     ETM_ERR_MEMORY);
    assert_int_equal(etm_pft_decoder_finish(&d, &out), ETM_ERR_MEMORY);
    assert_int_equal(out.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_header_is_claimed_once),
        cmocka_unit_test(each_header_begins_what_the_table_says),
        cmocka_unit_test(reserved_header_is_one_byte_and_ends_synchronization),
        cmocka_unit_test(short_a_sync_is_bad_for_its_zeros),
        cmocka_unit_test(reserved_fifth_address_byte_is_bad),
        cmocka_unit_test(a_sync_may_begin_where_an_address_breaks),
        cmocka_unit_test(long_a_sync_is_one_packet),
        cmocka_unit_test(a_sync_longer_than_a_packet_is_bad_up_to_its_end),
        cmocka_unit_test(a_sync_is_found_though_a_packet_took_its_zeros),
        cmocka_unit_test(a_sync_is_not_within_an_i_sync),
        cmocka_unit_test(zeros_in_an_i_sync_are_its_own),
        cmocka_unit_test(zeros_that_are_too_few_are_no_a_sync),
        cmocka_unit_test(endless_zeros_are_bad_and_resynchronize),
        cmocka_unit_test(unsynchronized_zeros_before_the_last_five_are_skipped),
        cmocka_unit_test(reserved_payload_bits_do_not_matter),
        cmocka_unit_test(bit_0_of_a_waypoint_update_does_not_matter),
        cmocka_unit_test(v1_0_has_no_hyp_and_short_timestamps),
        cmocka_unit_test(v1_1_has_hyp),
        cmocka_unit_test(exception_byte_follows_a_short_address),
        cmocka_unit_test(context_id_comes_last_in_an_i_sync),
        cmocka_unit_test(cycle_count_has_32_bits),
        cmocka_unit_test(gap_breaks_the_packet_and_the_synchronization),
        cmocka_unit_test(no_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
