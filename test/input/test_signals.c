/* SPDX-License-Identifier: Apache-2.0 */
/* Which signals of a value change dump the list of signals means. */
#include "port_support.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct etm_port_reader_config four = {
    .port = {.protocol = ETM_PROTOCOL_ETMV3, .width = 4},
    .form = ETM_PORT_FORM_VCD};

#define VALUES "$enddefinitions $end #0 b0101100011 ! b1 \" #1\n"

/* Bits of a bus in the order of their indices, whatever stands on the left. */
static void parts_of_buses_may_be_meant(void **state)
{
    static const struct {
        const char *signals, *declared;
        uint64_t data;
        uint8_t control;
    } rows[] = {
        {"tracedata=D[3:0],tracectl=D[9]", "D", 3, 0},
        {"tracedata=D[3:0],tracectl=D[8]", "D [9:0]", 3, 1},
        {"tracedata=D[5:2],tracectl=D[0]", "D [9:0]", 8, 1},
        {"tracedata=D[2:5],tracectl=D[0]", "D [9:0]", 8, 1},
        {"tracedata=D[7..4],tracectl=D[0]", "D [9:0]", 6, 1},
        {"tracedata=D(7-4),tracectl=D(0)", "D(9-0)", 6, 1},
        {"tracedata=D(7 downto 4),tracectl=D(0)", "D [9:0]", 6, 1},
        {"tracedata=D<7:4>,tracectl=D<0>", "D(9 downto 0)", 6, 1},
        {"tracedata=D[1:0],D[7:6],tracectl=D[9]", "D<9:0>", 7, 0},
        {"tracedata=D[17:14],tracectl=D[10]", "D [19:10]", 6, 1},
        /* index 0 is on the left */
        {"tracedata=D[3:0],tracectl=D[9]", "D [0:9]", 10, 1},
        {"tracedata=D(0 to 3),tracectl=D(9)", "D(0 to 9)", 10, 1},
        {"tracedata=top/a|D[7:4],tracectl=a|D[0]", "top/a|D[9:0]", 6, 1},
        {"tracedata=D[7:4],tracectl=C", "D [9:0]", 6, 1},
    };
    struct etm_port_reader_config c = four;
    char text[512], signals[512];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct etm_port_sample all[] = {
            {rows[i].data, rows[i].control, 0}};

        (void)snprintf(signals, sizeof signals, "%s,traceclk=#",
                       rows[i].signals);
        (void)snprintf(text, sizeof text,
                       "$var wire 10 ! %s $end $var wire 1 \" C $end\n" VALUES,
                       rows[i].declared);
        c.signals = signals;
        expect_samples(&c, text, strlen(text), all, COUNT(all));
    }
}

static void a_part_may_be_of_single_bits(void **state)
{
    static const char text[] =
        "$var wire 1 a D[4] $end $var wire 1 b D[5] $end\n"
        "$var wire 1 c D[6] $end $var wire 1 d D[7] $end\n"
        "$var wire 1 e D[0] $end $enddefinitions $end\n"
        "#0 0a 1b 1c 0d 1e #1\n";
    static const struct etm_port_sample all[] = {{6, 1, 0}};
    struct etm_port_reader_config c = four;

    (void)state;
    c.signals = "tracedata=D[7:4],tracectl=D[0],traceclk=#";
    expect_samples(&c, text, strlen(text), all, COUNT(all));
}

static void a_part_that_a_bus_does_not_have_is_refused(void **state)
{
    static const char text[] =
        "$var wire 10 ! D [9:0] $end $var wire 1 \" C $end\n" VALUES;
    static const struct {
        const char *signals, *part;
    } rows[] = {
        {"tracedata=D[10:7],tracectl=C,traceclk=#", "no variable D[10:7]"},
        {"tracedata=D[3:0],tracectl=D[10],traceclk=#", "no variable D[10]"},
        {"tracedata=E[3:0],tracectl=C,traceclk=#", "no variable E[3:0]"},
        {"tracedata=[3:0],tracectl=C,traceclk=#", "no variable [3:0]"},
    };
    struct etm_port_reader_config c = four;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        c.signals = rows[i].signals;
        expect_fault(&c, text, strlen(text), ETM_ERR_FORMAT, 2, ETM_DIAG_NONE,
                     rows[i].part);
    }
}

/* Thousands of scopes, each in the one before, with the signals in all of them:
 * this takes no longer than as many beside each other. */
static void signals_are_found_in_any_depth(void **state)
{
    enum { DEPTH = 20000, LINE = 128 };
    const struct etm_port_sample *made;
    struct etm_port_reader_config c = four;
    char *text = malloc((size_t)DEPTH * LINE), *out = text;
    struct etm_diag diag = {0};
    struct etm_vec samples;

    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; i < DEPTH; i++)
        out += sprintf(out,
                       "$scope module s%u $end $var wire 4 ! TRACEDATA $end "
                       "$var wire 1 %u D $end\n",
                       i, i);
    out += sprintf(out, "$enddefinitions $end #0 b101 ! 1%d #1\n", DEPTH - 2);
    c.signals = "tracectl=s19997.s19998.D,traceclk=#";
    assert_int_equal(
        read_port(&c, text, (size_t)(out - text), 65536, &samples, &diag),
        ETM_OK);
    assert_int_equal(samples.n, 1);
    made = samples.data;
    assert_int_equal(made->data, 5);
    assert_int_equal(made->control, 1);
    etm_vec_fini(&samples);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_buses_may_be_meant),
        cmocka_unit_test(a_part_may_be_of_single_bits),
        cmocka_unit_test(a_part_that_a_bus_does_not_have_is_refused),
        cmocka_unit_test(signals_are_found_in_any_depth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
