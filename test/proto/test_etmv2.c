/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: tables, the packets of the FIFO and the port (ETM architecture,
 * chapter 6). */
#include "proto/etmv2.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct etm_config config(unsigned width, unsigned context)
{
    return (struct etm_config){.protocol = ETM_PROTOCOL_ETMV2,
                               .port_width = (uint8_t)width,
                               .context_id_bytes = (uint8_t)context,
                               .data_value = true,
                               .data_address = true};
}

/* V2-PIPE-01: table 6-1; SIG-02: four pins, and no TRACESYNC */
static void each_status_is_claimed_once(void **state)
{
    const struct etm_etmv2_status_row *rows = etm_etmv2_statuses;

    (void)state;
    for (unsigned status = 0; status < 16; status++) {
        unsigned claims = 0;

        for (size_t i = 0; i < ETM_ETMV2_STATUSES; i++)
            claims += (status & rows[i].mask) == rows[i].value;
        assert_int_equal(claims, 1);
        /* bit 0 says that packets are output, but for TD */
        assert_int_equal(etm_etmv2_status_row(status)->pushes,
                         (status & 1) != 0 && status != ETM_ETMV2_TD);
    }
    assert_int_equal(etm_etmv2_status_row(0xb)->phantom, ETM_TRUE);
    assert_int_equal(etm_etmv2_status_row(0xb)->insn, ETM_FALSE);
    assert_int_equal(etm_etmv2_status_row(0xc)->phantom, ETM_FALSE);
    assert_int_equal(etm_etmv2_status_row(0xc)->insn, ETM_TRUE);
    assert_int_equal(etm_etmv2_status_row(0x5)->insn, ETM_UNKNOWN);
}

/* V2-HDR-01: table 6-2; V2-PKT-06: the filler is reserved */
static void each_header_is_claimed_once(void **state)
{
    size_t n;
    const struct etm_etmv2_header_row *rows = etm_etmv2_header_rows(&n);
    unsigned counts[64] = {0};

    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned claims = 0;

        for (size_t i = 0; i < n; i++)
            if ((byte & rows[i].mask) == rows[i].value) {
                claims++;
                counts[rows[i].kind]++;
            }
        assert_int_equal(claims, 1);
    }
    assert_int_equal(counts[ETM_PACKET_BRANCH_ADDRESS], 128);
    assert_int_equal(counts[ETM_PACKET_NORMAL_DATA], 16);
    assert_int_equal(counts[ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER], 16);
    assert_int_equal(counts[ETM_PACKET_OUT_OF_ORDER_DATA], 32);
    assert_int_equal(counts[ETM_PACKET_VALUE_NOT_TRACED], 2);
    assert_int_equal(counts[ETM_PACKET_CONTEXT_ID], 2);
    assert_int_equal(counts[ETM_PACKET_RESERVED], 60);
}

/* V2-TFO-01, V2-TFO-02, V2-TFO-15, V2-TFO-17: table 6-4, example 6-1 */
static void trace_fifo_offsets_on_the_pins(void **state)
{
    static const struct {
        uint8_t value, pins;
    } known[] = {{0, 0x09},  {1, 0x19},  {15, 0xf9}, {16, 0x0b}, {31, 0xfb},
                 {32, 0x0d}, {47, 0xfd}, {48, 0x0f}, {63, 0xff}, {64, 0x01},
                 {79, 0xf1}, {80, 0x03}, {95, 0xf3}};

    (void)state;
    for (size_t i = 0; i < COUNT(known); i++)
        assert_int_equal(etm_etmv2_tfo_pins(known[i].value), known[i].pins);
    for (unsigned value = 0; value <= ETM_ETMV2_TFO_MAX; value++) {
        assert_true(etm_etmv2_is_tfo(etm_etmv2_tfo_pins(value)));
        assert_int_equal(etm_etmv2_tfo_value(etm_etmv2_tfo_pins(value)), value);
    }
    for (unsigned pins = 0; pins < 16; pins++)
        assert_int_equal(etm_etmv2_is_tfo(pins),
                         pins % 2 == 1 && pins != 5 && pins != 7);
}

struct vector {
    const char *bytes;
    size_t n;
    struct etm_packet packet;
    unsigned context; /* bytes of a context ID */
    bool tfo;
};

#define BYTES(text) (text), sizeof(text) - 1
#define ADDRESS(v, n, b, i)                                                    \
    .address = (v), .address_bytes = (n), .address_bits = (b), .isa = (i),     \
    .fields = ETM_FIELD_ADDRESS

/* V2-BR-01, V2-BR-02, V2-TFOP-01 to -04, V2-TFOP-10, V2-DATA-01 to -03,
 * V2-DATA-08, V2-DATA-09, V2-HDR-03 to -06, V2-MISS-01, V2-MISS-02, V2-CTX-01,
 * V2-CTX-05, V2-RULE-08. Addresses are before the shift. */
static const struct vector vectors[] = {
    {BYTES("\x81\x80\x81\x80\x08"),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      ADDRESS(0x8000 >> 2, 5, 30, ETM_ISA_ARM)},
     0,
     false},
    {BYTES("\x8d\x80\x80\x80\x48"), /* IRQ, low vectors, E = 1 */
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .address = 0x18 >> 2,
      .address_bytes = 5,
      .address_bits = 30,
      .isa = ETM_ISA_ARM,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CANCEL},
     0,
     false},
    {BYTES("\x89\x80\xfe\xff\x0f"), /* data abort, high vectors */
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      ADDRESS(0xffff0010u >> 2, 5, 30, ETM_ISA_ARM)},
     0,
     false},
    {BYTES("\x8d\x80\xfe\xff\x4f"),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      .address = 0xffff0018u >> 2,
      .address_bytes = 5,
      .address_bits = 30,
      .isa = ETM_ISA_ARM,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CANCEL},
     0,
     false},
    {BYTES("\x81\x80\x82\x80\x10"),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      ADDRESS(0x8000 >> 1, 5, 31, ETM_ISA_THUMB)},
     0,
     false},
    {BYTES("\xff\xff\xff\xff\x1f"),
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      ADDRESS(0xfffffffeu >> 1, 5, 31, ETM_ISA_THUMB)},
     0,
     false},
    {BYTES("\xbd\xd6\x7a"), /* A[19] is the highest that changed (6.7.1) */
     {.kind = ETM_PACKET_BRANCH_ADDRESS,
      ADDRESS((0x123d5678 >> 2) & 0xfffff, 3, 20, ETM_ISA_UNKNOWN)},
     0,
     false},
    {BYTES("\x01"),
     {.kind = ETM_PACKET_BRANCH_ADDRESS, ADDRESS(0, 1, 6, ETM_ISA_UNKNOWN)},
     0,
     false},
    {BYTES("\x20\x5a\x00\x80\x00\x00"),
     {.kind = ETM_PACKET_I_SYNC,
      .reason = ETM_SYNC_TRACE_ON,
      .address = 0x8000,
      .address_bytes = 4,
      .address_bits = 32,
      .isa = ETM_ISA_ARM,
      .context_id = 0x5a,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CONTEXT_ID},
     1,
     true},
    {BYTES("\x60\x01\x80\x00\x00"),
     {.kind = ETM_PACKET_I_SYNC,
      .reason = ETM_SYNC_DEBUG_EXIT,
      ADDRESS(0x8000, 4, 32, ETM_ISA_THUMB)},
     0,
     true},
    {BYTES("\xc0\x78\x56\x34\x12\x01\x80\x00\x00\x83\x01"), /* LSM at 0x8000,
                                                               0x8084 */
     {.kind = ETM_PACKET_LSIP_I_SYNC,
      .reason = ETM_SYNC_OVERFLOW,
      .address = 0x8000,
      .address_bytes = 4,
      .address_bits = 32,
      .isa = ETM_ISA_THUMB,
      .context_id = 0x12345678,
      .address2 = 0x41,
      .address2_bytes = 2,
      .address2_bits = 13,
      .fields = ETM_FIELD_ADDRESS | ETM_FIELD_CONTEXT_ID},
     4,
     true},
    {BYTES("\xa0\x00\x80\x00\x00\x81\x90\x81\x80\x08"), /* LSM at 0x8000,
                                                              0x9000 in full */
     {.kind = ETM_PACKET_LSIP_I_SYNC,
      .reason = ETM_SYNC_TRACE_ON,
      .address = 0x8000,
      .address_bytes = 4,
      .address_bits = 32,
      .isa = ETM_ISA_ARM,
      .address2 = 0x9000 >> 2,
      .address2_bytes = 5,
      .address2_bits = 30,
      .isa2 = ETM_ISA_ARM,
      .fields = ETM_FIELD_ADDRESS},
     0,
     true},
    {BYTES("\x26\x80\x80\x88\x80\x00\x11"), /* A, SS = 1, address 0x20000 in
                                               full */
     {.kind = ETM_PACKET_NORMAL_DATA,
      .address = 0x20000,
      .address_bytes = 5,
      .address_bits = 32,
      .value = 0x11,
      .value_bytes = 1,
      .fields = ETM_FIELD_A | ETM_FIELD_ADDRESS | ETM_FIELD_VALUE},
     0,
     false},
    {BYTES("\x02"),
     {.kind = ETM_PACKET_NORMAL_DATA, .fields = ETM_FIELD_VALUE},
     0,
     false},
    {BYTES("\x0a\x34\x12"),
     {.kind = ETM_PACKET_NORMAL_DATA,
      .value = 0x1234,
      .value_bytes = 2,
      .fields = ETM_FIELD_VALUE},
     0,
     false},
    {BYTES("\x0e\x78\x56\x34\x12"),
     {.kind = ETM_PACKET_NORMAL_DATA,
      .value = 0x12345678,
      .value_bytes = 4,
      .fields = ETM_FIELD_VALUE},
     0,
     false},
    {BYTES("\x78\x7f"),
     {.kind = ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER,
      .tag = 2,
      .address = 0x7f,
      .address_bytes = 1,
      .address_bits = 7,
      .fields = ETM_FIELD_A | ETM_FIELD_ADDRESS},
     0,
     false},
    {BYTES("\x50"), {.kind = ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER}, 0, false},
    {BYTES("\x64\xff"),
     {.kind = ETM_PACKET_OUT_OF_ORDER_DATA,
      .tag = 3,
      .value = 0xff,
      .value_bytes = 1,
      .fields = ETM_FIELD_VALUE},
     0,
     false},
    {BYTES("\x6a"), {.kind = ETM_PACKET_VALUE_NOT_TRACED}, 0, false},
    {BYTES("\x6e\x34\x12"),
     {.kind = ETM_PACKET_CONTEXT_ID,
      .context_id = 0x1234,
      .fields = ETM_FIELD_CONTEXT_ID},
     2,
     false},
};

/* V2-TFOP-12, E-251, E-252 */
static void packets_of_the_fifo_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(vectors); i++) {
        const struct vector *v = &vectors[i];
        struct etm_config c = config(8, v->context);
        struct etm_etmv2_fifo fifo;
        struct etm_packet p;
        const uint8_t *bytes = (const uint8_t *)v->bytes;
        bool ends;

        etm_etmv2_fifo_init(&fifo, &c);
        for (size_t n = 0; n < v->n; n++)
            assert_int_equal(
                etm_etmv2_parse(&fifo, v->tfo, bytes, n, &p, &ends),
                ETM_ETMV2_INCOMPLETE);
        assert_int_equal(etm_etmv2_parse(&fifo, v->tfo, bytes, v->n, &p, &ends),
                         ETM_ETMV2_COMPLETE);
        assert_true(ends);
        p.header = 0;
        assert_memory_equal(&p, &v->packet, sizeof p);
    }
}

/* V2-HDR-02: the bit that says that another packet of the group follows */
static void packets_of_the_fifo_are_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(vectors); i++) {
        const struct vector *v = &vectors[i];
        struct etm_config c = config(8, v->context);
        uint8_t bytes[ETM_ETMV2_PACKET_MAX];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);
        bool last = v->tfo || v->packet.kind == ETM_PACKET_BRANCH_ADDRESS;

        assert_int_equal(etm_etmv2_put(&c, &v->packet, false, &w), ETM_OK);
        assert_int_equal(etm_writer_size(&w), v->n);
        assert_memory_equal(bytes, v->bytes, v->n);
        w = etm_writer_of(bytes, sizeof bytes);
        assert_int_equal(etm_etmv2_put(&c, &v->packet, true, &w),
                         last ? ETM_ERR_ARGUMENT : ETM_OK);
        if (!last)
            assert_int_equal(bytes[0], (uint8_t)v->bytes[0] | 0x80);
    }
}

/* V2-BR-05, V2-TFOP-01, V2-HDR-07, V2-CTX-01 */
static void reserved_bytes_are_no_packets(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        bool tfo;
    } wrong[] = {{"\x81\x80\x80\x80\x00", 5, false}, /* no marker */
                 {"\x81\x80\x80\x80\x20", 5, false},
                 {"\x81\x80\x80\x80\x50", 5, false}, /* E in Thumb state */
                 {"\x81\x80\x80\x80\x88", 5, false}, /* a sixth byte */
                 {"\x66", 1, false},
                 {"\x12", 1, false},
                 {"\x6e", 1, false}, /* context IDs are not traced */
                 {"\x01\x00\x80\x00\x00", 5, true},
                 {"\x26\x80\x80\x80\x80\x80", 6, false}};
    struct etm_config c = config(8, 0);
    struct etm_etmv2_fifo fifo;
    struct etm_packet p;
    bool ends;

    (void)state;
    etm_etmv2_fifo_init(&fifo, &c);
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_int_equal(etm_etmv2_parse(&fifo, wrong[i].tfo,
                                         (const uint8_t *)wrong[i].bytes,
                                         wrong[i].n, &p, &ends),
                         ETM_ETMV2_RESERVED);
}

/* V2-DATA-03, MF-12: without value tracing SS stands for no bytes; E-267 */
static void sizes_mean_nothing_without_values(void **state)
{
    struct etm_config c = config(8, 0);
    struct etm_etmv2_fifo fifo;
    struct etm_packet p;
    bool ends;

    (void)state;
    c.data_value = c.data_address = false;
    etm_etmv2_fifo_init(&fifo, &c);
    assert_int_equal(
        etm_etmv2_parse(&fifo, false, (const uint8_t *)"\xae", 1, &p, &ends),
        ETM_ETMV2_COMPLETE);
    assert_false(ends);
    assert_int_equal(p.fields, ETM_FIELD_A);
}

/* V2-HDR-05: leading zeros go; CFG-05 */
static void values_have_as_few_bytes_as_hold_them(void **state)
{
    static const struct {
        uint32_t value;
        uint8_t header;
    } sizes[] = {{0, 0x02},         {1, 0x06},      {0xff, 0x06},
                 {0x100, 0x0a},     {0xffff, 0x0a}, {0x10000, 0x0e},
                 {0xffffffff, 0x0e}};
    struct etm_config c = config(8, 0);

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct etm_packet p = {.kind = ETM_PACKET_NORMAL_DATA,
                               .fields = ETM_FIELD_VALUE,
                               .value = sizes[i].value};
        uint8_t bytes[8];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_etmv2_put(&c, &p, false, &w), ETM_OK);
        assert_int_equal(bytes[0], sizes[i].header);
    }
}

struct address {
    uint32_t value;
    const char *bytes;
    size_t n;
};

/* A packet with this address, of no size that is asked for. */
static void assert_address(struct etm_packet p, const struct address *address)
{
    struct etm_config c = config(8, 0);
    uint8_t bytes[8];
    struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

    p.address = address->value;
    assert_int_equal(etm_etmv2_put(&c, &p, false, &w), ETM_OK);
    assert_int_equal(etm_writer_size(&w), address->n);
    assert_memory_equal(bytes, address->bytes, address->n);
}

/* V2-BR-02: six bits, then seven a byte. */
static void branch_addresses_have_as_few_bytes_as_hold_them(void **state)
{
    static const struct address addresses[] = {
        {0, BYTES("\x01")},
        {0x3f, BYTES("\x7f")},
        {0x40, BYTES("\x81\x01")},
        {0x1fff, BYTES("\xff\x7f")},
        {0x2000, BYTES("\x81\x80\x01")},
        {0x7ffffff, BYTES("\xff\xff\xff\x7f")}};

    (void)state;
    for (size_t i = 0; i < COUNT(addresses); i++)
        assert_address((struct etm_packet){.kind = ETM_PACKET_BRANCH_ADDRESS},
                       &addresses[i]);
}

/* V2-DATA-02: seven bits a byte, and four in the fifth; E-250 */
static void data_addresses_have_as_few_bytes_as_hold_them(void **state)
{
    static const struct address addresses[] = {
        {0, BYTES("\x22\x00")},
        {0x7f, BYTES("\x22\x7f")},
        {0x80, BYTES("\x22\x80\x01")},
        {0xfffffff, BYTES("\x22\xff\xff\xff\x7f")},
        {0x10000000, BYTES("\x22\x80\x80\x80\x80\x01")}};
    const struct etm_packet p = {.kind = ETM_PACKET_NORMAL_DATA,
                                 .fields = ETM_FIELD_A | ETM_FIELD_ADDRESS |
                                           ETM_FIELD_VALUE};

    (void)state;
    for (size_t i = 0; i < COUNT(addresses); i++)
        assert_address(p, &addresses[i]);
}

#define PACKET(name, ...)                                                      \
    {                                                                          \
        .kind = ETM_PACKET_##name, __VA_ARGS__                                 \
    }

/* V2-CTX-01, V2-TFOP-03 (6.4.5, 6.5.4): of a context ID as many bytes as the
 * macrocell traces. */
static void context_ids_have_the_size_that_is_traced(void **state)
{
    static const uint8_t kinds[] = {ETM_PACKET_CONTEXT_ID, ETM_PACKET_I_SYNC,
                                    ETM_PACKET_LSIP_I_SYNC};

    (void)state;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        for (unsigned n = 1; n <= 4; n *= 2) {
            struct etm_packet p = {.kind = kinds[i],
                                   .fields = ETM_FIELD_CONTEXT_ID,
                                   .isa = ETM_ISA_ARM,
                                   .isa2 = ETM_ISA_ARM,
                                   .context_id = UINT32_MAX >> (32 - 8 * n)};
            struct etm_config c = config(8, 0);
            uint8_t bytes[ETM_ETMV2_PACKET_MAX];
            struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

            c.context_id_bytes = (uint8_t)n;
            assert_int_equal(etm_etmv2_put(&c, &p, false, &w), ETM_OK);
            if (n == 4)
                continue;
            p.context_id++;
            w = etm_writer_of(bytes, sizeof bytes);
            assert_int_equal(etm_etmv2_put(&c, &p, false, &w),
                             ETM_ERR_ARGUMENT);
            assert_int_equal(etm_writer_size(&w), 0);
        }
    }
}

/* Tables 6-2, 6-3, 6-7 and 6-9 */
static void what_the_fifo_cannot_say_is_refused(void **state)
{
    static const struct etm_packet refused[] = {
        PACKET(NORMAL_DATA, .fields = 0), /* values are traced */
        PACKET(NORMAL_DATA, .fields = ETM_FIELD_VALUE, .value = 1ull << 32),
        PACKET(NORMAL_DATA, .fields = ETM_FIELD_VALUE, .value = 0x100,
               .value_bytes = 1),
        PACKET(NORMAL_DATA, .fields = ETM_FIELD_VALUE, .value_bytes = 3),
        PACKET(NORMAL_DATA, .fields = ETM_FIELD_VALUE, .value_bytes = 8),
        PACKET(NORMAL_DATA, .fields = ETM_FIELD_VALUE | ETM_FIELD_A,
               .address = 0x80, .address_bytes = 1),
        PACKET(NORMAL_DATA, .fields = ETM_FIELD_VALUE | ETM_FIELD_A,
               .address_bytes = 6),
        PACKET(OUT_OF_ORDER_PLACEHOLDER, .tag = 4),
        PACKET(OUT_OF_ORDER_DATA, .fields = ETM_FIELD_VALUE | ETM_FIELD_A),
        PACKET(CONTEXT_ID, .fields = ETM_FIELD_CONTEXT_ID),
        PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_CANCEL),
        PACKET(BRANCH_ADDRESS, .fields = ETM_FIELD_CANCEL,
               .isa = ETM_ISA_THUMB),
        PACKET(BRANCH_ADDRESS, .address = 0x40, .address_bytes = 1),
        PACKET(BRANCH_ADDRESS, .address_bytes = 5),
        PACKET(BRANCH_ADDRESS, .isa = ETM_ISA_JAZELLE),
        PACKET(I_SYNC, .isa = ETM_ISA_ARM, .reason = 4),
        PACKET(I_SYNC, .isa = ETM_ISA_ARM, .address = 2),
        PACKET(I_SYNC, .isa = ETM_ISA_THUMB, .address = 1),
        PACKET(I_SYNC, .isa = ETM_ISA_JAZELLE),
        PACKET(LSIP_I_SYNC, .isa = ETM_ISA_ARM, .isa2 = ETM_ISA_JAZELLE),
        PACKET(I_SYNC, .isa = ETM_ISA_ARM, .context_id = 1),
        PACKET(TIMESTAMP, .value = 1)};
    struct etm_config c = config(8, 0);

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        uint8_t bytes[ETM_ETMV2_PACKET_MAX];
        struct etm_writer w = etm_writer_of(bytes, sizeof bytes);

        assert_int_equal(etm_etmv2_put(&c, &refused[i], false, &w),
                         ETM_ERR_ARGUMENT);
        assert_int_equal(etm_writer_size(&w), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_status_is_claimed_once),
        cmocka_unit_test(each_header_is_claimed_once),
        cmocka_unit_test(trace_fifo_offsets_on_the_pins),
        cmocka_unit_test(packets_of_the_fifo_are_read),
        cmocka_unit_test(packets_of_the_fifo_are_written),
        cmocka_unit_test(reserved_bytes_are_no_packets),
        cmocka_unit_test(sizes_mean_nothing_without_values),
        cmocka_unit_test(values_have_as_few_bytes_as_hold_them),
        cmocka_unit_test(branch_addresses_have_as_few_bytes_as_hold_them),
        cmocka_unit_test(data_addresses_have_as_few_bytes_as_hold_them),
        cmocka_unit_test(context_ids_have_the_size_that_is_traced),
        cmocka_unit_test(what_the_fifo_cannot_say_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
