/* SPDX-License-Identifier: Apache-2.0 */
/* Files of trace port samples in units of a fixed size, and which form a file
 * has. */
#include "port_support.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct etm_port_reader_config
reader(enum etm_protocol protocol, uint8_t width, enum etm_port_form form)
{
    return (struct etm_port_reader_config){.port = port_of(protocol, width),
                                           .form = form};
}

static void records_hold_one_sample(void **state)
{
    static const uint8_t narrow[] = {0x83, 0x4f, 0x07, 0x00, 0x00, 0xff};
    static const uint8_t wide[] = {0x0f, 0x34, 0x12, 0x04, 0xff, 0xff};
    static const struct etm_port_sample v1[] = {
        {0x4f, 1, 3}, {0x00, 0, 7}, {0xff, 0, 0}};
    static const struct etm_port_sample v2[] = {{0x1234, 0, 15},
                                                {0xffff, 0, 4}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 8, ETM_PORT_FORM_RECORDS);

    (void)state;
    expect_samples(&c, narrow, sizeof narrow, v1, COUNT(v1));
    c = reader(ETM_PROTOCOL_ETMV2, 16, ETM_PORT_FORM_RECORDS);
    expect_samples(&c, wide, sizeof wide, v2, COUNT(v2));
}

/* E-351: the others keep their numbers. */
static void record_that_no_port_has_is_lost(void **state)
{
    static const uint8_t status[] = {0x07, 0x00, 0x08, 0x00, 0x83, 0x4f};
    static const uint8_t sync[] = {0x0f, 0x00, 0x80, 0x00};
    static const uint8_t data[] = {0x07, 0x00, 0x07, 0x10};
    static const uint8_t cut[] = {0x07, 0x00, 0x07};
    static const struct etm_port_sample one[] = {
        {0, 0, 7}, {0, 0, ETM_PORT_LOST}, {0x4f, 1, 3}};
    static const struct etm_port_sample two[] = {{0, 0, 15},
                                                 {0, 0, ETM_PORT_LOST}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 8, ETM_PORT_FORM_RECORDS);

    (void)state;
    expect_samples(&c, status, sizeof status, one, 3);
    expect_samples(&c, cut, sizeof cut, one, 2);
    c = reader(ETM_PROTOCOL_ETMV2, 8, ETM_PORT_FORM_RECORDS);
    expect_samples(&c, sync, sizeof sync, two, 2);
    c = reader(ETM_PROTOCOL_ETMV1, 4, ETM_PORT_FORM_RECORDS);
    expect_samples(&c, data, sizeof data, one, 2);
}

/* CAP-01, CAP-02, CAP-03, CAP-07 */
static void etb_word_has_its_earliest_sample_lowest(void **state)
{
    /* statuses 7 6 5, packets 1 2 c, the second with TRACESYNC; the upper
       byte is not used */
    static const uint8_t four[] = {0x0f, 0x96, 0x65, 0xee};
    /* status 3 packet a5 sync; status 6 packet 5a */
    static const uint8_t eight[] = {0x2b, 0x6d, 0x2d, 0xff};
    /* status 4 packet beef sync */
    static const uint8_t sixteen[] = {0x7c, 0xf7, 0x0d, 0xa0};
    static const struct etm_port_sample s4[] = {
        {0x1, 0, 7}, {0x2, 1, 6}, {0xc, 0, 5}};
    static const struct etm_port_sample s8[] = {{0xa5, 1, 3}, {0x5a, 0, 6}};
    static const struct etm_port_sample s16[] = {{0xbeef, 1, 4}};
    static const struct etm_port_sample lost[] = {{0, 0, ETM_PORT_LOST}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 4, ETM_PORT_FORM_ETB);

    (void)state;
    expect_samples(&c, four, 4, s4, 3);
    c.port.width = 8;
    expect_samples(&c, eight, 4, s8, 2);
    c.port.width = 16;
    expect_samples(&c, sixteen, 4, s16, 1);
    expect_samples(&c, eight, 3, lost, 1);
}

/* CAP-06: signal 4 is PIPESTAT[3] in ETMv2 (table 8-2). E-164 */
static void etb_word_of_etmv2_has_four_bits_of_status(void **state)
{
    static const uint8_t word[] = {0x2b, 0x6d, 0x2d, 0x00};
    static const struct etm_port_sample samples[] = {{0xa5, 0, 11},
                                                     {0x5a, 0, 6}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV2, 8, ETM_PORT_FORM_ETB);

    (void)state;
    expect_samples(&c, word, 4, samples, 2);
}

/* CAP-04 */
static void bytes_hold_a_sample_of_a_narrow_port(void **state)
{
    static const uint8_t bytes[] = {0x0f, 0x96, 0x65};
    static const struct etm_port_sample samples[] = {
        {0x1, 0, 7}, {0x2, 1, 6}, {0xc, 0, 5}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 4, ETM_PORT_FORM_BYTES);

    (void)state;
    expect_samples(&c, bytes, 3, samples, 3);
    c.port.width = 8;
    expect_fault(&c, bytes, 3, ETM_ERR_CONFIG, ETM_DIAG_NONE, ETM_DIAG_NONE,
                 "4 bits");
}

/* The words of a 4-bit ETB have three cycles, and OpenOCD cuts out a single
 * bit of status for the second and third: they are read as they stand. E-165 */
static void openocd_file_of_a_narrow_etb_is_read_as_it_stands(void **state)
{
    static const uint8_t bytes[] = {
        0, 0, 0, 4, 0, 0, 0x10, 0x00, 0, 0, 0, 2, /* ETMCR: 4 pins */
        0, 0, 0, 3, 0, 0, 0,    0x0f, 0, 0, 0, 0,
        0, 0, 0, 1, 0, 0, 0,    0x02, 0, 0, 0, 0, /* was 3, 5 or 7 */
    };
    static const struct etm_port_sample samples[] = {{0xf, 0, 3}, {0x2, 0, 1}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 4, ETM_PORT_FORM_OPENOCD);

    (void)state;
    expect_samples(&c, bytes, sizeof bytes, samples, 2);
}

static const uint8_t openocd[] = {
    0, 0, 0, 4, 0, 0, 0x10, 0x10, 0, 0, 0, 3, /* status, ETMCR, 3 samples */
    0, 0, 0, 3, 0, 0, 0,    0x4f, 0, 0, 0, 1, /* WT 4f, TRACESYNC */
    0, 0, 0, 0, 0, 0, 0,    0x08, 0, 0, 0, 2, /* a trigger in place of IE */
    0, 0, 0, 7, 0, 0, 0,    0x00, 0, 0, 0, 0, /* TD */
};

static void openocd_keeps_the_status_that_a_trigger_replaced(void **state)
{
    static const struct etm_port_sample samples[] = {
        {0x4f, 1, 3}, {0x08, 0, 6}, {0x00, 0, 7}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 8, ETM_PORT_FORM_OPENOCD);

    (void)state;
    expect_samples(&c, openocd, sizeof openocd, samples, 3);
}

static void
openocd_file_that_is_damaged_is_reported_with_its_offset(void **state)
{
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 8, ETM_PORT_FORM_OPENOCD);
    uint8_t bytes[sizeof openocd + 12];

    (void)state;
    expect_fault(&c, openocd, sizeof openocd - 12, ETM_ERR_FORMAT,
                 ETM_DIAG_NONE, 36, "1 samples too early");
    expect_fault(&c, openocd, sizeof openocd - 1, ETM_ERR_FORMAT, ETM_DIAG_NONE,
                 36, "within a sample");
    expect_fault(&c, openocd, 0, ETM_ERR_FORMAT, ETM_DIAG_NONE, 0,
                 "within a sample");
    memcpy(bytes, openocd, sizeof openocd);
    memset(bytes + sizeof openocd, 0, 12);
    expect_fault(&c, bytes, sizeof bytes, ETM_ERR_FORMAT, ETM_DIAG_NONE, 48,
                 "after the last one");
    bytes[24 + 3] = 8;
    expect_fault(&c, bytes, sizeof openocd, ETM_ERR_FORMAT, ETM_DIAG_NONE, 24,
                 "PIPESTAT is 0x8");
    bytes[24 + 3] = 0;
    bytes[24 + 6] = 1;
    expect_fault(&c, bytes, sizeof openocd, ETM_ERR_FORMAT, ETM_DIAG_NONE, 24,
                 "TRACEPKT is 0x108");
    bytes[24 + 6] = 0;
    bytes[36 + 11] = 4;
    expect_fault(&c, bytes, sizeof openocd, ETM_ERR_FORMAT, ETM_DIAG_NONE, 36,
                 "flags is 0x4");
}

static void units_are_not_those_of_etmv3(void **state)
{
    static const enum etm_port_form forms[] = {
        ETM_PORT_FORM_RECORDS, ETM_PORT_FORM_ETB, ETM_PORT_FORM_BYTES,
        ETM_PORT_FORM_OPENOCD};

    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct etm_port_reader_config c =
            reader(ETM_PROTOCOL_ETMV3, 4, forms[i]);

        expect_fault(&c, openocd, 12, ETM_ERR_CONFIG, ETM_DIAG_NONE,
                     ETM_DIAG_NONE, "ETMv1 and ETMv2");
    }
    expect_fault(
        &(struct etm_port_reader_config){.port = port_of(ETM_PROTOCOL_ETMV2, 8),
                                         .form = ETM_PORT_FORM_OPENOCD},
        openocd, 12, ETM_ERR_CONFIG, ETM_DIAG_NONE, ETM_DIAG_NONE, "ETMv1");
}

static void a_file_shows_its_form(void **state)
{
    static const struct {
        const char *text;
        enum etm_port_form form;
    } rows[] = {
        {"", ETM_PORT_FORM_TEXT},
        {"0 4 4f\n", ETM_PORT_FORM_TEXT},
        {"# comment", ETM_PORT_FORM_TEXT},
        {"$date today $end", ETM_PORT_FORM_VCD},
        {"\n \t$timescale", ETM_PORT_FORM_VCD},
        {"META samplerate: 1", ETM_PORT_FORM_VCD}, /* all that came so far */
        {"META", ETM_PORT_FORM_TEXT},
        {"$", ETM_PORT_FORM_TEXT},
        {"$1", ETM_PORT_FORM_TEXT},
    };
    uint32_t etmcr = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_int_equal(etm_port_form_of((const uint8_t *)rows[i].text,
                                          strlen(rows[i].text)),
                         rows[i].form);
    assert_int_equal(etm_port_form_of(openocd, sizeof openocd),
                     ETM_PORT_FORM_OPENOCD);
    assert_int_equal(etm_port_form_of(openocd, sizeof openocd - 12),
                     ETM_PORT_FORM_TEXT);
    assert_true(etm_port_openocd_header(openocd, sizeof openocd, &etmcr));
    assert_int_equal(etmcr, 0x1010);
}

static void reader_of_text_is_that_of_the_port(void **state)
{
    static const struct etm_port_sample samples[] = {{0x4f, 1, 3}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 8, ETM_PORT_FORM_TEXT);

    (void)state;
    expect_samples(&c, "1 3 4f", 6, samples, 1);
    expect_fault(&c, "1 3 4f\n1 8 0\n", 13, ETM_ERR_FORMAT, 2, ETM_DIAG_NONE,
                 "PIPESTAT");
    c.form = ETM_PORT_FORM_AUTO;
    expect_fault(&c, "", 0, ETM_ERR_ARGUMENT, ETM_DIAG_NONE, ETM_DIAG_NONE, "");
    c.form = ETM_PORT_FORM_TEXT;
    c.port.width = 12;
    expect_fault(&c, "", 0, ETM_ERR_CONFIG, ETM_DIAG_NONE, ETM_DIAG_NONE,
                 "12 bits");
}

/* As editors and other tools begin a text in UTF-8. */
static void text_may_begin_with_a_byte_order_mark(void **state)
{
    static const char text[] = "\xef\xbb\xbf# samples\n0 4f\n1 5\n";
    static const char at_once[] = "\xef\xbb\xbf"
                                  "0 4f\n1 5";
    static const char dump[] = "\xef\xbb\xbf"
                               "$var wire 8 ! TRACEDATA $end\n"
                               "$var wire 1 # TRACECTL $end\n"
                               "$var wire 1 $ TRACECLK $end\n"
                               "$enddefinitions $end\n"
                               "#0 b01001111 ! 0# 0$\n#5 1$\n"
                               "#6 b101 ! 1#\n#10 0$\n";
    static const char table[] = "\xef\xbb\xbf"
                                "TRACEDATA,TRACECTL,TRACECLK\n"
                                "1,0,0\n1,0,1\n1,1,1\n1,1,0\n";
    static const struct etm_port_sample samples[] = {{0x4f, 0, 0}, {5, 1, 0}};
    static const struct etm_port_sample narrow[] = {{1, 0, 0}, {1, 1, 0}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV3, 8, ETM_PORT_FORM_TEXT);

    (void)state;
    expect_samples(&c, text, strlen(text), samples, 2);
    expect_samples(&c, at_once, strlen(at_once), samples, 2);
    c.form = ETM_PORT_FORM_VCD;
    expect_samples(&c, dump, strlen(dump), samples, 2);
    c = reader(ETM_PROTOCOL_ETMV3, 1, ETM_PORT_FORM_CSV);
    expect_samples(&c, table, strlen(table), narrow, 2);
#define FORM(text) etm_port_form_of((const uint8_t *)(text), strlen(text))
    assert_int_equal(FORM(text), ETM_PORT_FORM_TEXT);
    assert_int_equal(FORM(dump), ETM_PORT_FORM_VCD);
    assert_int_equal(FORM(table), ETM_PORT_FORM_CSV);
#undef FORM
}

/* Only a whole mark, at the very beginning, is no part of the text; bytes of
 * other forms are samples. */
static void what_is_no_byte_order_mark_is_refused(void **state)
{
    static const char *const texts[] = {"\xef\xbb"
                                        "0 4f\n",
                                        "\xef\xbb", "\xef",
                                        "\xef\xbb\xbf\xef\xbb\xbf"
                                        "0 4f\n"};
    static const uint8_t records[] = {0x07, 0xef, 0x03, 0xbb};
    static const uint8_t marked[] = {0xef, 0xbb, 0xbf, 0xef};
    static const struct etm_port_sample samples[] = {{0xef, 0, 7},
                                                     {0xbb, 0, 3}};
    static const struct etm_port_sample lost[] = {{0, 0, ETM_PORT_LOST},
                                                  {0, 0, ETM_PORT_LOST}};
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV3, 8, ETM_PORT_FORM_TEXT);

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++)
        expect_fault(&c, texts[i], strlen(texts[i]), ETM_ERR_FORMAT, 1,
                     ETM_DIAG_NONE, "0xef");
    c = reader(ETM_PROTOCOL_ETMV1, 8, ETM_PORT_FORM_RECORDS);
    expect_samples(&c, records, sizeof records, samples, 2);
    expect_samples(&c, marked, sizeof marked, lost, 2);
}

static void failing_allocation_is_reported(void **state)
{
    struct etm_port_reader_config c =
        reader(ETM_PROTOCOL_ETMV1, 8, ETM_PORT_FORM_OPENOCD);

    (void)state;
    expect_scarcity(c, openocd, sizeof openocd);
    c.form = ETM_PORT_FORM_TEXT;
    expect_scarcity(c, "0 0 0\n1 3 44\n", 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_hold_one_sample),
        cmocka_unit_test(record_that_no_port_has_is_lost),
        cmocka_unit_test(etb_word_has_its_earliest_sample_lowest),
        cmocka_unit_test(etb_word_of_etmv2_has_four_bits_of_status),
        cmocka_unit_test(bytes_hold_a_sample_of_a_narrow_port),
        cmocka_unit_test(openocd_file_of_a_narrow_etb_is_read_as_it_stands),
        cmocka_unit_test(openocd_keeps_the_status_that_a_trigger_replaced),
        cmocka_unit_test(
            openocd_file_that_is_damaged_is_reported_with_its_offset),
        cmocka_unit_test(units_are_not_those_of_etmv3),
        cmocka_unit_test(a_file_shows_its_form),
        cmocka_unit_test(reader_of_text_is_that_of_the_port),
        cmocka_unit_test(text_may_begin_with_a_byte_order_mark),
        cmocka_unit_test(what_is_no_byte_order_mark_is_refused),
        cmocka_unit_test(failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
