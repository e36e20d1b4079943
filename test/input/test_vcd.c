/* SPDX-License-Identifier: Apache-2.0 */
/* Value change dumps of a trace port. */
#include "port_support.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct etm_port_reader_config dump_of(enum etm_protocol protocol,
                                             uint8_t width)
{
    return (struct etm_port_reader_config){.port = port_of(protocol, width),
                                           .form = ETM_PORT_FORM_VCD};
}

static void expect_vcd(const struct etm_port_reader_config *config,
                       const char *text, const struct etm_port_sample *expected,
                       size_t n)
{
    expect_samples(config, text, strlen(text), expected, n);
}

static void refuse_vcd(const struct etm_port_reader_config *config,
                       const char *text, uint64_t line, const char *part)
{
    expect_fault(config, text, strlen(text), ETM_ERR_FORMAT, line,
                 ETM_DIAG_NONE, part);
}

#define HEADER_V1                                                              \
    "$date today $end $version any $end\n"                                     \
    "$timescale 1 ns $end\n"                                                   \
    "$scope module top $end\n"                                                 \
    "$scope module etm $end\n"                                                 \
    "$var wire 3 ! PIPESTAT [2:0] $end\n"                                      \
    "$var wire 8 \" TRACEPKT[7:0] $end\n"                                      \
    "$var wire 1 # TRACESYNC $end\n"                                           \
    "$var wire 1 $ TRACECLK $end\n"                                            \
    "$upscope $end $upscope $end\n"                                            \
    "$var real 64 % voltage $end\n"                                            \
    "$enddefinitions $end\n"

/* As sigrok-cli 0.7 begins a dump that it makes of plain bytes. */
static void a_line_of_sigrok_may_come_first(void **state)
{
#define EDGE HEADER_V1 "#5 b0 ! b1 \" 0# 0$\n#10 1$\n"
    static const struct etm_port_sample samples[] = {{1, 0, 0}};
    static const char sigrok[] = "META samplerate: 10000000\n" EDGE;
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    expect_vcd(&c, EDGE, samples, 1);
    expect_vcd(&c, sigrok, samples, 1);
    assert_int_equal(
        etm_port_form_of((const uint8_t *)sigrok, sizeof sigrok - 1),
        ETM_PORT_FORM_VCD);
    refuse_vcd(&c, "$date $end\nMETA 1\n", 2, "not a command of a value");
    refuse_vcd(&c, "\nMETA 1\n", 2, "not a command of a value");
    refuse_vcd(&c, "samplerate: 1\n", 1, "not a command of a value");
}

/* SIG-01, PORT-MODE-03: rising edges only. */
static void pins_are_sampled_at_rising_edges(void **state)
{
    static const char text[] =
        HEADER_V1 "$dumpvars b111 ! b0 \" 0# 0$ r1.8 % $end\n"
                  "#5 1$\n"
                  "#8 b11 !\nb01001111 \"\n1#\n"
                  "#10 0$ r2.5 %\n"
                  "#15 1$\n"
                  "#18 b0 ! 0#\n"
                  "#20 0$\n"
                  "$comment #21 1$ $end\n"
                  "#25 1$\n";
    static const struct etm_port_sample samples[] = {
        {0, 0, 7}, {0x4f, 1, 3}, {0x4f, 0, 0}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    expect_vcd(&c, text, samples, COUNT(samples));
}

/* An analyser that has TRACECLK as its clock: E-345. */
static void times_may_be_samples(void **state)
{
    static const char text[] =
        "$var wire 3 ! PIPESTAT $end $var wire 8 \" TRACEPKT $end\n"
        "$var wire 1 # TRACESYNC $end $var wire 1 $ TRACECLK $end\n"
        "$enddefinitions $end\n"
        "#10 b111 ! b0 \" 0# 0$\n"
        "#20 b11 ! b1 \"\n"
        "#30\n"
        "#60 b10 \"\n"
        "#65 b11 \" 1#\n"
        "#70\n";
    static const struct etm_port_sample each[] = {
        {0, 0, 7}, {1, 0, 3}, {1, 0, 3}, {2, 0, 3}, {3, 1, 3}};
    static const struct etm_port_sample tens[] = {
        {0, 0, 7}, {1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {2, 0, 3}};
    static const struct etm_port_sample fives[] = {
        {0, 0, 7}, {0, 0, 7}, {1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {1, 0, 3},
        {1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {1, 0, 3}, {2, 0, 3}, {3, 1, 3}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    c.signals = "traceclk=#";
    expect_vcd(&c, text, each, COUNT(each));
    c.port.half_rate = true;
    expect_vcd(&c, text, each, COUNT(each));
    c.signals = "traceclk=#10";
    expect_vcd(&c, text, tens, COUNT(tens));
    c.signals = "traceclk=#5,pipestat=PIPESTAT";
    expect_vcd(&c, text, fives, COUNT(fives));
}

static void the_last_time_is_a_sample_if_it_has_values(void **state)
{
    static const char text[] =
        "$var wire 3 ! PIPESTAT $end $var wire 8 \" TRACEPKT $end\n"
        "$var wire 1 # TRACESYNC $end $enddefinitions $end\n"
        "b111 ! b0 \" 0# #1 #2 b11 ! b1 \"";
    static const struct etm_port_sample samples[] = {{0, 0, 7}, {1, 0, 3}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    c.signals = "traceclk=#";
    expect_vcd(&c, text, samples, COUNT(samples));
    c.signals = "traceclk=#1";
    expect_vcd(&c, text, samples, COUNT(samples));
    /* a leap that no period is meant for takes no memory */
    refuse_vcd(&c,
               "$var wire 3 ! PIPESTAT $end $var wire 8 \" TRACEPKT $end\n"
               "$var wire 1 # TRACESYNC $end $enddefinitions $end\n"
               "#0 b111 ! b0 \" 0#\n#1000000000000 0#\n",
               4, "a million samples");
}

/* What changes with the clock was there only after it. E-160 */
static void changes_at_the_edge_come_after_it(void **state)
{
    static const char text[] = HEADER_V1 "#0 b111 ! b0 \" 0# 0$\n"
                                         "#5 b11 ! 1$ b1 \"\n"
                                         "#5 1#\n"
                                         "#10 0$\n"
                                         "#15 1$ b0 !";
    static const struct etm_port_sample samples[] = {{0, 0, 7}, {1, 1, 3}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    expect_vcd(&c, text, samples, COUNT(samples));
}

static void half_rate_ports_are_sampled_at_both_edges(void **state)
{
    static const char text[] = HEADER_V1 "#0 b111 ! b0 \" 0# 0$\n"
                                         "#5 1$\n"
                                         "#8 b11 ! b1 \"\n"
                                         "#10 0$\n";
    static const struct etm_port_sample samples[] = {{0, 0, 7}, {1, 0, 3}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    c.port.half_rate = true;
    expect_vcd(&c, text, samples, COUNT(samples));
}

/* x and z: what is no packet reads as 0, what has no status is no trace; an
 * edge from or to x is none. E-161 */
static void pins_that_nothing_drives_carry_no_trace(void **state)
{
    static const char text[] =
        HEADER_V1 "#0 bx ! bx \" x# x$\n"
                  "#5 1$\n"
                  "#6 0$\n"
                  "#7 1$\n"               /* nothing is known */
                  "#10 0$ b01x ! b1 \"\n" /* one bit of the status is not */
                  "#15 1$\n"
                  "#18 bz0011 \" b11 ! z#\n"
                  "#20 0$ \n"
                  "#25 1$\n"
                  "#30 x$ #31 1$ #32 z$ #33 0$\n";
    static const struct etm_port_sample samples[] = {
        {0, 0, 7}, {0, 0, 7}, {0x3, 0, 3}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    expect_vcd(&c, text, samples, COUNT(samples));
}

/* SIG-02; single signals, whatever separates the number from the name. */
static void signals_may_be_single_bits(void **state)
{
    static const char text[] =
        "$timescale 10 ns $end $scope module logic $end\n"
        "$var wire 1 a PIPESTAT0 $end $var wire 1 b PIPESTAT[1] $end\n"
        "$var wire 1 c pipestat_2 $end $var wire 1 d PipeStat3 $end\n"
        "$var wire 1 e TRACEPKT0 $end $var wire 1 f TRACEPKT1 $end\n"
        "$var wire 1 g TRACEPKT2 $end $var wire 1 h TRACEPKT [3] $end\n"
        "$var wire 1 i trace_clk $end $upscope $end\n"
        "$enddefinitions $end\n"
        "#0 1a 0b 1c 1d 0e 1f 0g 1h 0i #1 1i #2 0i";
    static const struct etm_port_sample samples[] = {{0xa, 0, 0xd}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV2, 4);

    (void)state;
    expect_vcd(&c, text, samples, COUNT(samples));
}

static void a_list_names_the_signals(void **state)
{
    static const char text[] =
        "$scope module a $end $var wire 16 ! D [15:0] $end\n"
        "$var wire 1 \" CLK $end $upscope $end\n"
        "$scope module b $end $var wire 1 # CLK $end\n"
        "$var wire 3 $ S [0:2] $end $var wire 1 % PIPESTAT $end\n"
        "$upscope $end $enddefinitions $end\n"
        "#0 b0101000000001001 ! 0\" 0# b100 $ 1% #1 1\" #2 1# #3 0#";
    static const struct etm_port_sample samples[] = {{0x9, 1, 0x1}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 4);

    (void)state;
    /* S has its index 0 on the left */
    c.signals = "pipestat=b.S,tracepkt=D[0],D[1],D[2],D[3],tracesync=D[12],"
                "traceclk=b.CLK";
    expect_vcd(&c, text, samples, COUNT(samples));
    c.signals = "PIPESTAT=S,TRACEPKT=D[3:0],TRACESYNC=D[14],TRACECLK=a.CLK";
    expect_vcd(&c, text, samples, COUNT(samples));
    c.signals = "pipestat=S,tracepkt=D,tracesync=D[14],traceclk=CLK";
    refuse_vcd(&c, text, 5, "TRACECLK is in several places");
    c.signals = "pipestat=S,tracepkt=D,tracesync=E,traceclk=a.CLK";
    refuse_vcd(&c, text, 5, "no variable E");
    c.signals = "tracepkt=D,tracesync=D[4],traceclk=a.CLK";
    refuse_vcd(&c, text, 5, "PIPESTAT[1] is not in the dump");
    c.signals = "pipestat=b.S,tracepkt=D[16]";
    refuse_vcd(&c, text, 5, "no variable D");
}

/* As Saleae's and libsigrok's users call them, and fst2vcd writes strings. */
static void names_may_have_blanks_and_strings_no_size(void **state)
{
    static const char text[] =
        "$scope module logic $end $var string 0 ! state of it $end\n"
        "$var wire 1 0 Channel 0 $end $var wire 1 1 Channel 1 $end\n"
        "$var wire 1 2 Channel 2 $end $upscope $end $enddefinitions $end\n"
        "#0 sIDLE ! 10 01 02\n#1 12 #2 00 11 #3 sRUN !\n#4 02";
    static const struct etm_port_sample samples[] = {{1, 0, 0}, {0, 1, 0}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV3, 1);

    (void)state;
    c.signals = "tracedata=Channel 0,tracectl=Channel 1, traceclk= Channel2";
    expect_vcd(&c, text, samples, COUNT(samples));
    c.signals = "tracedata=Channel 0,tracectl= ,traceclk=Channel 2";
    expect_fault(&c, text, strlen(text), ETM_ERR_CONFIG, ETM_DIAG_NONE,
                 ETM_DIAG_NONE, "no name");
}

/* PORT-SIG-01: bit k - 1 is trace signal k. */
static void a_probe_may_be_one_bus(void **state)
{
    static const char text[] = "$var wire 3 x PIPESTAT $end\n"
                               "$var wire 20 ! POD $end $var wire 1 # CK $end\n"
                               "$enddefinitions $end\n"
                               "#0 b10100101011000 ! b111 x 0# #1 1#";
    static const struct etm_port_sample v1[] = {{0x95, 1, 0}};
    static const struct etm_port_sample v2[] = {{0x295, 0, 8}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    c.signals = "pins=POD,traceclk=CK";
    expect_vcd(&c, text, v1, COUNT(v1));
    c = dump_of(ETM_PROTOCOL_ETMV2, 16);
    c.signals = "pins=POD,traceclk=CK";
    expect_vcd(&c, text, v2, COUNT(v2));
}

static void a_list_that_is_none_is_refused(void **state)
{
    static const struct {
        const char *signals, *part;
    } rows[] = {
        {"PIPESTAT", "ROLE=NAME"},
        {"status=S", "no signal of that name: status"},
        {"traceclk=#0", "not a number of time units: 0"},
        {"traceclk=#1ns", "not a number of time units: 1ns"},
        {"pipestat=", "no name"},
        {"pipestat=A,,B", "no name"},
        {"pipestat=A,verylongnameofsomething=B", "verylongname"},
    };
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        c.signals = rows[i].signals;
        expect_fault(&c, HEADER_V1, strlen(HEADER_V1), ETM_ERR_CONFIG,
                     ETM_DIAG_NONE, ETM_DIAG_NONE, rows[i].part);
    }
}

/* SIG-03: ETMv3 is sampled at both edges. */
static void etmv3_has_tracectl_and_tracedata(void **state)
{
    static const char text[] =
        "$var wire 1 ! TRACECTL $end $var wire 32 \" TRACEDATA $end\n"
        "$var wire 1 # TRACECLK $end $enddefinitions $end\n"
        "#0 0! b10010001101000101011001111000 \" 0#\n"
        "#1 1# #2 1! b11 \" #3 0# #4 x! #5 1#";
    static const struct etm_port_sample samples[] = {
        {0x12345678, 0, 0}, {3, 1, 0}, {1, 1, 0}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV3, 32);

    (void)state;
    expect_vcd(&c, text, samples, COUNT(samples));
}

/* A TPIU that formats continuously needs no TRACECTL; where there is one, it
 * counts. E-332 */
static void frames_of_a_tpiu_need_no_tracectl(void **state)
{
    static const char without[] =
        "$var wire 4 ! TRACED $end $var wire 1 # TRACECK $end\n"
        "$enddefinitions $end\n"
        "#0 b1010 ! 0# #1 1# #2 bx1 ! #3 0#";
    static const char with[] =
        "$var wire 4 ! TRACED $end $var wire 1 # TRACECK $end\n"
        "$var wire 1 c TRACECTL $end $enddefinitions $end\n"
        "#0 b1010 ! 0# 0c #1 1# #2 b11 ! 1c #3 0# #4 xc #5 1#";
    static const struct etm_port_sample all[] = {{0xa, 0, 0}, {1, 0, 0}};
    static const struct etm_port_sample some[] = {
        {0xa, 0, 0}, {3, 1, 0}, {1, 1, 0}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV3, 4);

    (void)state;
    refuse_vcd(&c, without, 2,
               "TRACECTL is not in the dump: name it with "
               "--signals, or use --framing tpiu-port");
    c.formatted = true;
    expect_vcd(&c, without, all, COUNT(all));
    expect_vcd(&c, with, some, COUNT(some));
}

/* PORT-MUX-01: pins 38, 36 ... of a port of 4 bits; PORT-MUX-04. */
static void multiplexed_ports_are_read_from_their_pins(void **state)
{
    static const char text[] = "$var wire 4 ! CON [3:0] $end\n"
                               "$var wire 1 # TRACECLK $end\n"
                               "$enddefinitions $end\n"
                               "#0 b1011 ! 0# #1 1#\n"
                               "#2 b1101 ! #3 0#\n"
                               "#4 bx ! #5 1# #6 0#";
    /* rising: PIPESTAT 011, TRACEPKT[0] 1; falling: TRACESYNC 1, TRACEPKT[1]
       0, [2] 1, [3] 1 */
    static const struct etm_port_sample samples[] = {{0xd, 1, 3}, {0, 0, 7}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 4);

    (void)state;
    c.port.mode = ETM_PORT_MULTIPLEXED;
    c.signals = "pins=CON";
    expect_vcd(&c, text, samples, COUNT(samples));
    c.signals = NULL;
    refuse_vcd(&c, text, 3, "PINS[0]");
}

/* E-530: edges may have been while TRACECLK was not known, as after $dumpoff;
 * but not if nothing came before, or nothing comes after. */
static void cycles_while_the_clock_is_unknown_are_lost(void **state)
{
    static const char rising[] =
        HEADER_V1 "#0 x$ #1 b0 ! b1 \" 0# 0$ #2 1$ #3 0$ b10 \"\n"
                  "#4 $dumpoff x$ bx ! bx \" $end\n"
                  "#9 $dumpon 0$ b100 ! b11 \" $end #10 1$ #11 x$";
    static const struct etm_port_sample of_rising[] = {
        {1, 0, 0}, {0, 0, ETM_PORT_LOST}, {3, 0, 4}};
    /* the second cycle has its falling edge elsewhere */
    static const char pairs[] = "$var wire 4 ! PINS [3:0] $end\n"
                                "$var wire 1 # TRACECLK $end\n"
                                "$enddefinitions $end\n"
                                "#0 b0001 ! 1# #1 0# #2 1# #3 b0 ! 0#\n"
                                "#4 b0010 ! #5 1# #6 x# #7 0# #8 1#\n"
                                "#9 b0 ! #10 0#";
    static const struct etm_port_sample of_pairs[] = {
        {0, 1, 1}, {0, 0, ETM_PORT_LOST}, {0, 0, 2}};
    static const char stream[] =
        "$var wire 1 ! TRACEDATA $end $var wire 1 # TRACECTL $end\n"
        "$var wire 1 $ TRACECLK $end $enddefinitions $end\n"
        "#0 1! 0# 0$ #1 1$ #2 x$ #3 0$ #4 1$";
    static const struct etm_port_sample of_stream[] = {{1, 0, 0}, {1, 0, 0}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    expect_vcd(&c, rising, of_rising, COUNT(of_rising));
    c.port.width = 4;
    c.port.mode = ETM_PORT_MULTIPLEXED;
    expect_vcd(&c, pairs, of_pairs, COUNT(of_pairs));
    /* its bits show it */
    c = dump_of(ETM_PROTOCOL_ETMV3, 1);
    expect_vcd(&c, stream, of_stream, COUNT(of_stream));
}

/* E-531: its time begins again, and its variables may be others. */
static void another_dump_may_follow_in_the_same_file(void **state)
{
#define OTHER "$date later $end\n" SECOND
#define SECOND                                                                 \
    "$scope module top $end\n"                                                 \
    "$var wire 1 ! TRACECLK $end $var wire 1 a TRACESYNC $end\n"               \
    "$var wire 8 b TRACEPKT[7:0] $end $var wire 3 c PIPESTAT[2:0] $end\n"      \
    "$upscope $end $enddefinitions $end\n"
#define FIRST HEADER_V1 "#5 b100 ! b1 \" 1# 0$\n#10 1$\n#20 0$\n"
    static const char joined[] =
        FIRST "#29 b101 !\n#30 1$\n" OTHER "#0 1! b10 b b11 c #3 0!\n"
              "#4 1! 0a #5 0! " OTHER "#1 0! #2 1!";
    static const struct etm_port_sample all[] = {{1, 1, 4},
                                                 {1, 1, 5},
                                                 {0, 0, ETM_PORT_LOST},
                                                 {2, 0, 3},
                                                 {0, 0, ETM_PORT_LOST},
                                                 {0, 0, 7}};
    static const char sampled[] = HEADER_V1
        "#0 b1 ! b1 \" 0#\n#1 b10 !\n" HEADER_V1 "#7 b11 ! b1 \" 0#\n#9";
    static const struct etm_port_sample of_sampled[] = {
        {1, 0, 1}, {1, 0, 2}, {0, 0, ETM_PORT_LOST}, {1, 0, 3}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    expect_vcd(&c, joined, all, COUNT(all));
    refuse_vcd(&c, FIRST "$scope module a $end", 15, "before $enddef");
    refuse_vcd(&c, FIRST "$var wire 1 ! TRACECLK $end\n$enddefinitions $end\n",
               16, "PIPESTAT[0] is not in the dump");
    c.signals = "traceclk=#";
    expect_vcd(&c, sampled, of_sampled, COUNT(of_sampled));
}

#define META "META samplerate: 1000\n"
#define MORE "#0 1! b10 b b11 c #3 0!\n#4 1!"
/* E-531: the first dump was cut anywhere in its values, in a word or between
 * two, with or without a line of sigrok before the second one. */
static void a_cut_dump_may_be_followed_by_another(void **state)
{
    static const char *const ends[] = {
        "",      "\n",     "#",        "#3",       "#30 b1 ",  "#30 b",
        "#30 1", "#30 b1", "#30 b101", "#30 b1 !", "#30 b1\n", "#30 r1.5 "};
    static const char *const begins[] = {
        "$date now $end ", "$version a 1.0 $end ", "$timescale 1 ns $end ",
        "$comment # 1! $end ", ""};
    static const struct etm_port_sample all[] = {
        {1, 1, 4}, {0, 0, ETM_PORT_LOST}, {2, 0, 3}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);
    char text[1024];

    (void)state;
    for (size_t i = 0; i < COUNT(ends); i++)
        for (size_t k = 0; k < COUNT(begins); k++) {
            (void)snprintf(text, sizeof text, "%s%s%s%s", FIRST, ends[i],
                           begins[k], SECOND "#0 1! b10 b b11 c #3 0!\n#4 1!");
            expect_vcd(&c, text, all, COUNT(all));
        }
    expect_vcd(&c, FIRST META SECOND MORE, all, COUNT(all));
    refuse_vcd(&c, FIRST META "again", 16, "neither a time");
    /* identifiers may have any character */
    expect_vcd(&c, FIRST "#21 1$da b1 $e b1 date\n", all, 1);
}

/* PORT-DEMUX-01: suffix B comes first. */
static void demultiplexed_ports_have_two_of_each(void **state)
{
    static const char text[] =
        "$var wire 3 ! PIPESTAT_A [2:0] $end $var wire 4 a TRACEPKTA [3:0] "
        "$end $var wire 1 b TRACESYNCA $end\n"
        "$var wire 3 \" PIPESTAT_B [2:0] $end $var wire 4 c TRACEPKTB [3:0] "
        "$end $var wire 1 d TRACESYNCB $end\n"
        "$var wire 1 # TRACECLK $end $enddefinitions $end\n"
        "#0 b1 ! b10 a 0b b11 \" b100 c 1d 0# #1 1#\n"
        "#2 bx ! #3 0# #4 1#";
    static const struct etm_port_sample samples[] = {
        {4, 1, 3}, {2, 0, 1}, {0, 0, 7}, {0, 0, 7}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 4);

    (void)state;
    c.port.mode = ETM_PORT_DEMULTIPLEXED;
    expect_vcd(&c, text, samples, COUNT(samples));
}

static void the_same_signal_in_two_scopes_is_one(void **state)
{
    static const char text[] =
        "$scope module a $end $var wire 3 ! PIPESTAT [2:0] $end\n"
        "$var wire 4 \" TRACEPKT [3:0] $end $var wire 1 # TRACESYNC $end\n"
        "$var wire 1 $ TRACECLK $end $upscope $end\n"
        "$scope module b $end $var wire 3 ! PIPESTAT [2:0] $end\n"
        "$var wire 1 $ TRACECLK $end $upscope $end\n"
        "$enddefinitions $end #0 b10 ! b1 \" 1# 0$ #1 1$";
    static const struct etm_port_sample samples[] = {{1, 1, 2}};
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 4);

    (void)state;
    expect_vcd(&c, text, samples, COUNT(samples));
}

static void fault_in_a_dump_has_its_line(void **state)
{
    static const struct {
        const char *text;
        uint64_t line;
        const char *part;
    } rows[] = {
        {"$date\ntoday", 2, "before $enddefinitions"},
        {"hello", 1, "not a command"},
        {"\n\n$end", 3, "$end without a command"},
        {"$upscope $end", 1, "no scope"},
        {"$scope $end", 1, "a type and a name"},
        {"$scope module a $end\n$var wire 1 ! $end", 2, "a type, a size"},
        {"$var wire x ! A $end", 1, "not the size"},
        {"$var wire 0 ! TRACECLK $end $enddefinitions $end", 1,
         "TRACECLK is not in the dump"},
        {"$var wire 3 longerthan8 PIPESTAT $end", 1, "more than 8"},
        {"$var wire 3 ! PIPESTAT [2:0] $end\n$enddefinitions $end", 2,
         "TRACECLK is not in the dump: name it with --signals (there are "
         "PIPESTAT)"},
        {HEADER_V1 "#0\n#x", 13, "#x: no time"},
        {HEADER_V1 "#7\n#6", 13, "time goes backwards"},
        {HEADER_V1 "#0 b102 !", 12, "not a binary number"},
        {HEADER_V1 "#0 b !", 12, "not a binary number"},
        {HEADER_V1 "#0 b101", 12, "within a value"},
        {HEADER_V1 "#0 1", 12, "without an identifier"},
        {HEADER_V1 "#0\n7!", 13, "neither a time nor a value"},
    };
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        refuse_vcd(&c, rows[i].text, rows[i].line, rows[i].part);
}

static void a_dump_tells_the_width_of_its_port(void **state)
{
    static const char narrow[] =
        "$var wire 3 ! PIPESTAT $end $var wire 4 \" TRACEPKT $end\n"
        "$enddefinitions $end";
    struct etm_port_config v1 = port_of(ETM_PROTOCOL_ETMV1, 0);
    struct etm_port_config v3 = port_of(ETM_PROTOCOL_ETMV3, 0);
    static const char data[] =
        "$var wire 2 ! TRACEDATA $end $enddefinitions $end";
    unsigned width;

    (void)state;
    assert_int_equal(
        etm_vcd_width(&v1, NULL, HEADER_V1, strlen(HEADER_V1), &width), ETM_OK);
    assert_int_equal(width, 8);
    assert_int_equal(etm_vcd_width(&v1, NULL, narrow, strlen(narrow), &width),
                     ETM_OK);
    assert_int_equal(width, 4);
    assert_int_equal(etm_vcd_width(&v3, NULL, data, strlen(data), &width),
                     ETM_OK);
    assert_int_equal(width, 2);
    assert_int_equal(etm_vcd_width(&v1, NULL, "$date", 5, &width), ETM_OK);
    assert_int_equal(width, 0);
}

static void failing_allocation_is_reported(void **state)
{
    static const char text[] = HEADER_V1 "#0 b111 ! b0 \" 0# 0$\n"
                                         "#5 1$ #6 0$ #7 1$\n";
    struct etm_port_reader_config c = dump_of(ETM_PROTOCOL_ETMV1, 8);

    (void)state;
    expect_scarcity(c, text, strlen(text));
    c.signals = "pipestat=PIPESTAT";
    expect_scarcity(c, text, strlen(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_may_be_samples),
        cmocka_unit_test(the_last_time_is_a_sample_if_it_has_values),
        cmocka_unit_test(a_line_of_sigrok_may_come_first),
        cmocka_unit_test(pins_are_sampled_at_rising_edges),
        cmocka_unit_test(changes_at_the_edge_come_after_it),
        cmocka_unit_test(half_rate_ports_are_sampled_at_both_edges),
        cmocka_unit_test(pins_that_nothing_drives_carry_no_trace),
        cmocka_unit_test(signals_may_be_single_bits),
        cmocka_unit_test(a_list_names_the_signals),
        cmocka_unit_test(names_may_have_blanks_and_strings_no_size),
        cmocka_unit_test(a_probe_may_be_one_bus),
        cmocka_unit_test(a_list_that_is_none_is_refused),
        cmocka_unit_test(etmv3_has_tracectl_and_tracedata),
        cmocka_unit_test(frames_of_a_tpiu_need_no_tracectl),
        cmocka_unit_test(multiplexed_ports_are_read_from_their_pins),
        cmocka_unit_test(cycles_while_the_clock_is_unknown_are_lost),
        cmocka_unit_test(another_dump_may_follow_in_the_same_file),
        cmocka_unit_test(a_cut_dump_may_be_followed_by_another),
        cmocka_unit_test(demultiplexed_ports_have_two_of_each),
        cmocka_unit_test(the_same_signal_in_two_scopes_is_one),
        cmocka_unit_test(fault_in_a_dump_has_its_line),
        cmocka_unit_test(a_dump_tells_the_width_of_its_port),
        cmocka_unit_test(failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
