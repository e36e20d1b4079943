/* SPDX-License-Identifier: Apache-2.0 */
/* Values of scalars as numbers. */
#include "../support/test.h"
#include "cli/value.h"

/* What values are called is none of this test's. */
int etm_cli_programs_scalar(struct etm_cli_programs *programs, uint32_t address,
                            unsigned n, const struct etm_scalar **scalar)
{
    (void)programs, (void)address, (void)n, (void)scalar;
    return ETM_ERR_NOT_FOUND;
}

const char *etm_cli_programs_enumerator(struct etm_cli_programs *programs,
                                        const struct etm_scalar *scalar,
                                        uint64_t value)
{
    (void)programs, (void)scalar, (void)value;
    return NULL;
}

const char *etm_cli_demangle_symbol(struct etm_cli_demangler *demangler,
                                    const char *symbol)
{
    (void)demangler;
    return symbol;
}

static const char *number(uint8_t kind, uint32_t size, uint64_t raw)
{
    static char text[ETM_CLI_VALUE];
    const struct etm_scalar scalar = {
        .size = size, .kind = kind, .is_signed = kind == ETM_SCALAR_SIGNED};
    struct etm_cli_value value = etm_cli_value_of(&scalar, raw);

    return etm_cli_value_number(&scalar, &value, text);
}

TEST(floats_have_the_fewest_digits_that_read_back)
{
    static const struct {
        uint64_t bits;
        uint32_t size;
        const char *text;
    } rows[] = {
        {0xbfb999999999999a, 8, "-0.1"},
        {0x3fd3333333333334, 8, "0.30000000000000004"},
        {0x0000000000000001, 8, "4.94065645841247e-324"},
        {0x7fefffffffffffff, 8, "1.7976931348623157e+308"},
        {0x7ff0000000000000, 8, "inf"},
        {0x3dcccccd, 4, "0.1"},
        {0x3f9e0664, 4, "1.23457"},
        {0x3f9e0652, 4, "1.2345679"},
        {0x00000001, 4, "1.4013e-45"},
        {0x2e66, 2, "0.099976"},
        {0x3c00, 2, "1"},
        {0x3c01, 2, "1.001"},
        {0x7bff, 2, "65504"},
        {0x0001, 2, "5.9605e-08"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(
            number(ETM_SCALAR_FLOAT, rows[i].size, rows[i].bits), rows[i].text);
}

TEST(each_float_of_two_bytes_has_digits_of_its_own)
{
    double before = -1;

    for (uint64_t bits = 0; bits < 0x7c00; bits++) {
        double value = strtod(number(ETM_SCALAR_FLOAT, 2, bits), NULL);

        assert_true(value > before);
        before = value;
    }
}

TEST(integers_have_their_sign)
{
    assert_string_equal(number(ETM_SCALAR_SIGNED, 1, 0xff), "-1");
    assert_string_equal(number(ETM_SCALAR_UNSIGNED, 1, 0xff), "255");
    assert_string_equal(number(ETM_SCALAR_SIGNED, 8, UINT64_MAX), "-1");
}
