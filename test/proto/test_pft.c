/* SPDX-License-Identifier: Apache-2.0 */
/* PFT packets: the table of headers, and what the tables of encodings
 * (pft*.enc) cannot say. */
#include "../support/scarce.h"
#include "pft_util.h"

static const struct etm_config flow = {.protocol = ETM_PROTOCOL_PFT,
                                       .minor = 1,
                                       .return_stack = true,
                                       .virtualization = true};

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

/* In v1.0 ETMCCER[29:26] and Hyp are reserved; etm_config_check() refuses such
 * a configuration, but the decoder does not rely on it. */
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

static void bits_of_an_address_by_its_bytes(void **state)
{
    (void)state;
    assert_int_equal(etm_pft_address_bits(0, ETM_ISA_UNKNOWN), 0);
    assert_int_equal(etm_pft_address_bits(1, ETM_ISA_UNKNOWN), 6);
    assert_int_equal(etm_pft_address_bits(4, ETM_ISA_UNKNOWN), 26);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_ARM), 30);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_THUMB), 31);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_JAZELLE), 32);
    assert_int_equal(etm_pft_address_bits(5, ETM_ISA_UNKNOWN), 0);
    assert_int_equal(etm_pft_address_bits(6, ETM_ISA_ARM), 0);
}

static void nothing_is_written_where_it_does_not_fit(void **state)
{
    const struct etm_packet k = {.kind = ETM_PACKET_I_SYNC, .isa = ETM_ISA_ARM};
    uint8_t bytes[6];

    (void)state;
    for (size_t n = 0; n <= sizeof bytes; n++) {
        struct etm_writer w = etm_writer_of(bytes, n);

        assert_int_equal(etm_pft_encode(&flow, &k, &w),
                         n < 6 ? ETM_ERR_ARGUMENT : ETM_OK);
        assert_int_equal(etm_writer_size(&w), n < 6 ? 0 : 6);
        assert_false(w.full);
    }
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
        cmocka_unit_test(v1_0_has_no_hyp_and_short_timestamps),
        cmocka_unit_test(bits_of_an_address_by_its_bytes),
        cmocka_unit_test(nothing_is_written_where_it_does_not_fit),
        cmocka_unit_test(no_memory_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
