/* SPDX-License-Identifier: Apache-2.0 */
/* Long dumps and tables of a trace port; short ones are in vcd.scn and
 * csv.scn. */
#include "../support/test.h"
#include "port_support.h"

/* Rows whose columns are known do not wait, and many different numbers without
 * a letter are decimal. */
TEST(long_tables_have_the_same_rows)
{
    enum { ROWS = 20000 };
    struct etm_port_reader_config c = {
        .port = {.protocol = ETM_PROTOCOL_ETMV3, .width = 8},
        .form = ETM_PORT_FORM_CSV,
        .signals = "tracedata=D[7:0],tracectl=C,traceclk=#"};
    char *text = malloc(ROWS * 16 + 16), *out = text;
    struct etm_diag diag = {0};
    struct etm_vec samples;

    assert_non_null(text);
    out += sprintf(out, "Time,D,C\n");
    for (unsigned i = 0; i < ROWS; i++)
        out += sprintf(out, "%u,%u,0\n", i, i % 100);
    assert_ok(read_port(&c, text, (size_t)(out - text), 4096, &samples, &diag));
    assert_int_equal(samples.n, ROWS);
    for (unsigned i = 0; i < ROWS; i++) {
        const struct etm_port_sample *s = samples.data;

        assert_int_equal(s[i].data, i % 100);
    }
    etm_vec_fini(&samples);
    out += sprintf(out, "1,7a,0\n");
    assert_int_equal(
        read_port(&c, text, (size_t)(out - text), 4096, &samples, &diag),
        ETM_ERR_FORMAT);
    assert_int_equal(samples.n, ROWS);
    assert_int_equal(diag.line, ROWS + 2);
    assert_string_equal(diag.what,
                        "column D: 7a is not a decimal number of 8 bits");
    etm_vec_fini(&samples);
    free(text);
}

/* Thousands of scopes, each in the one before, with the signals in all of them:
 * this takes no longer than as many beside each other. */
TEST(signals_are_found_in_any_depth)
{
    enum { DEPTH = 20000, LINE = 128 };
    const struct etm_port_sample *made;
    struct etm_port_reader_config c = {
        .port = {.protocol = ETM_PROTOCOL_ETMV3, .width = 4},
        .form = ETM_PORT_FORM_VCD,
        .signals = "tracectl=s19997.s19998.D,traceclk=#"};
    char *text = malloc((size_t)DEPTH * LINE), *out = text;
    struct etm_diag diag = {0};
    struct etm_vec samples;

    assert_non_null(text);
    for (unsigned i = 0; i < DEPTH; i++)
        out += sprintf(out,
                       "$scope module s%u $end $var wire 4 ! TRACEDATA $end "
                       "$var wire 1 %u D $end\n",
                       i, i);
    out += sprintf(out, "$enddefinitions $end #0 b101 ! 1%d #1\n", DEPTH - 2);
    assert_ok(
        read_port(&c, text, (size_t)(out - text), 65536, &samples, &diag));
    assert_int_equal(samples.n, 1);
    made = samples.data;
    assert_int_equal(made->data, 5);
    assert_int_equal(made->control, 1);
    etm_vec_fini(&samples);
    free(text);
}
