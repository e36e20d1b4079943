/* SPDX-License-Identifier: Apache-2.0 */
/* Trace port samples as text. */
#include "pins_support.h"

/* `step` characters at a time. */
static int parse(const struct etm_port_config *config, const char *characters,
                 size_t step, struct etm_vec *samples, struct etm_diag *diag)
{
    struct etm_port_text text;
    size_t n = strlen(characters);
    int status = ETM_OK;

    etm_vec_init(samples, sizeof(struct etm_port_sample), NULL);
    etm_port_text_init(&text, config);
    for (size_t at = 0; at < n && status == ETM_OK; at += step)
        status =
            etm_port_text_push(&text, characters + at,
                               step < n - at ? step : n - at, samples, diag);
    return status == ETM_OK ? etm_port_text_finish(&text, samples, diag)
                            : status;
}

static void lines_are_samples(void **state)
{
    static const char characters[] = "# TRACECTL TRACEDATA\n"
                                     "0 4f\n"
                                     "\n"
                                     "  1\t0C  # trigger\r\n"
                                     "0 0000000000000000000a#\n"
                                     "1 3";
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 8);
    struct etm_vec samples, expected;
    struct etm_diag diag;

    (void)state;
    etm_vec_init(&expected, sizeof(struct etm_port_sample), NULL);
    vec_add_sample(&expected, 0, 0x4f);
    vec_add_sample(&expected, 1, 0x0c);
    vec_add_sample(&expected, 0, 0x0a);
    vec_add_sample(&expected, 1, 0x03);
    for (size_t step = 1; step < sizeof characters; step++) {
        assert_int_equal(parse(&config, characters, step, &samples, &diag),
                         ETM_OK);
        assert_samples_equal(&samples, &expected);
        etm_vec_fini(&samples);
    }
    etm_vec_fini(&expected);
}

static void etmv1_has_three_columns(void **state)
{
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV1, 8);
    struct etm_vec samples;

    (void)state;
    assert_int_equal(parse(&config, "0 4 4f\n1 7 0\n", 3, &samples, NULL),
                     ETM_OK);
    assert_int_equal(samples.n, 2);
    assert_int_equal(sample_at(&samples, 0)->control, 0);
    assert_int_equal(sample_at(&samples, 0)->status, 4);
    assert_int_equal(sample_at(&samples, 0)->data, 0x4f);
    assert_int_equal(sample_at(&samples, 1)->control, 1);
    assert_int_equal(sample_at(&samples, 1)->status, 7);
    etm_vec_fini(&samples);
}

static void assert_fault(enum etm_protocol protocol, const char *characters,
                         uint64_t line, const char *what, size_t n)
{
    struct etm_port_config config = port_of(protocol, 8);
    struct etm_vec samples;
    struct etm_diag diag;

    for (size_t step = 1; step < 8; step++) {
        assert_int_equal(parse(&config, characters, step, &samples, &diag),
                         ETM_ERR_FORMAT);
        assert_int_equal(diag.status, ETM_ERR_FORMAT);
        assert_int_equal(diag.line, line);
        assert_string_equal(diag.what, what);
        assert_int_equal(samples.n, n);
        etm_vec_fini(&samples);
    }
}

static void a_fault_is_reported_with_its_line(void **state)
{
#define NUMBERS "a line of port samples has the numbers "
#define PINS "the number of pins comes from ETMCR, or "
    static const char v3[] = NUMBERS "TRACECTL TRACEDATA";
    static const char v1[] = NUMBERS "TRACESYNC PIPESTAT TRACEPKT";

    (void)state;
    assert_fault(ETM_PROTOCOL_ETMV3, "0 84\n1 ff # a\n0 100\n", 3,
                 "TRACEDATA is larger than 0xff; " PINS "--port-width", 2);
    assert_fault(ETM_PROTOCOL_ETMV3, "2 84\n", 1,
                 "TRACECTL is larger than 0x1; " NUMBERS "TRACECTL TRACEDATA",
                 0);
    assert_fault(ETM_PROTOCOL_ETMV3, "0 84\n#\n0\n0 84\n", 3, v3, 1);
    assert_fault(ETM_PROTOCOL_ETMV3, "0 84 1\n", 1, v3, 0);
    assert_fault(ETM_PROTOCOL_ETMV3, "0 84\n0", 2, v3, 1);
    assert_fault(ETM_PROTOCOL_ETMV1, "0 4\n", 1, v1, 0);
    assert_fault(ETM_PROTOCOL_ETMV3, "0 0x84\n", 1,
                 "the character 0x78 is not a hexadecimal digit", 0);
    assert_fault(ETM_PROTOCOL_ETMV3, "0 84\n\xff", 2,
                 "the character 0xff is not a hexadecimal digit", 1);
    assert_fault(ETM_PROTOCOL_ETMV1, "0 8 1\n", 1,
                 "PIPESTAT is larger than 0x7; " NUMBERS
                 "TRACESYNC PIPESTAT TRACEPKT",
                 0);
    assert_fault(ETM_PROTOCOL_ETMV1, "1 7 1\n2 7 1\n", 2,
                 "TRACESYNC is larger than 0x1; " NUMBERS
                 "TRACESYNC PIPESTAT TRACEPKT",
                 1);
    assert_fault(ETM_PROTOCOL_ETMV2, "1 8 1\n", 1,
                 "TRACESYNC is larger than 0x0; " NUMBERS
                 "TRACESYNC PIPESTAT TRACEPKT",
                 0);
}

static void a_64_bit_number_does_not_wrap(void **state)
{
    struct etm_port_config config = port_of(ETM_PROTOCOL_ETMV3, 64);
    struct etm_vec samples;

    (void)state;
    assert_int_equal(parse(&config, "0 10000000000000000", 5, &samples, NULL),
                     ETM_ERR_FORMAT);
    etm_vec_fini(&samples);
    assert_int_equal(parse(&config, "0 ffffffffffffffff", 5, &samples, NULL),
                     ETM_OK);
    assert_int_equal(sample_at(&samples, 0)->data, UINT64_MAX);
    etm_vec_fini(&samples);
}

static void what_is_written_is_read(void **state)
{
    static const enum etm_protocol protocols[] = {
        ETM_PROTOCOL_ETMV1, ETM_PROTOCOL_ETMV2, ETM_PROTOCOL_ETMV3};
    uint64_t random = 3;

    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        enum etm_protocol protocol = protocols[i % 3];
        bool v3 = protocol == ETM_PROTOCOL_ETMV3;
        struct etm_port_config config =
            port_of(protocol, v3 ? 1 + random_next(&random) % 64 : 16);
        struct etm_port_sample sample = {
            (uint64_t)random_next(&random) << 32 | random_next(&random),
            (uint8_t)(random_next(&random) % 2), 0};
        char line[ETM_PORT_LINE_MAX];
        struct etm_vec samples;
        size_t n;

        if (protocol == ETM_PROTOCOL_ETMV2)
            sample.control = 0;
        if (!v3)
            sample.status = random_next(&random) % 8;
        sample.data &=
            config.width == 64 ? UINT64_MAX : (UINT64_C(1) << config.width) - 1;
        n = etm_port_text_line(&config, &sample, line);
        assert_int_equal(n, strlen(line));
        assert_true(n < ETM_PORT_LINE_MAX);
        assert_int_equal(parse(&config, line, 4, &samples, NULL), ETM_OK);
        assert_int_equal(samples.n, 1);
        assert_int_equal(sample_at(&samples, 0)->data, sample.data);
        assert_int_equal(sample_at(&samples, 0)->control, sample.control);
        assert_int_equal(sample_at(&samples, 0)->status, sample.status);
        etm_vec_fini(&samples);
    }
}

static void lines_have_as_many_digits_as_the_port_needs(void **state)
{
    struct etm_port_config v1 = port_of(ETM_PROTOCOL_ETMV1, 8);
    struct etm_port_config v3 = port_of(ETM_PROTOCOL_ETMV3, 24);
    struct etm_port_sample sample = {0x4f, 0, 4};
    char line[ETM_PORT_LINE_MAX];

    (void)state;
    etm_port_text_line(&v1, &sample, line);
    assert_string_equal(line, "0 4 4f\n");
    etm_port_text_line(&v3, &sample, line);
    assert_string_equal(line, "0 00004f\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_samples),
        cmocka_unit_test(etmv1_has_three_columns),
        cmocka_unit_test(a_fault_is_reported_with_its_line),
        cmocka_unit_test(a_64_bit_number_does_not_wrap),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(lines_have_as_many_digits_as_the_port_needs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
