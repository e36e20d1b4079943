/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot directories: which core a source is of, and which trace ID it has,
 * where nothing tells it. */
#include "snapshot_support.h"

#include <stdio.h>

/* Two cores and two sources, of which nothing tells which belong together. */
static void write_two(const char *second_core, const char *second_source)
{
    char text[400];

    write_good();
    write_text("snapshot.ini",
               "[device_list]\na=cpu.ini\nb=ptm.ini\nc=cpu1.ini\nd=ptm1.ini\n"
               "[trace]\nmetadata=trace.ini\n");
    snprintf(text, sizeof text, "[device]\nname=%s\nclass=core\n" DUMP,
             second_core);
    write_text("cpu1.ini", text);
    snprintf(text, sizeof text,
             "[device]\nname=%s\nclass=trace_source\ntype=PTM1.1\n[regs]\n"
             "ETMTRACEIDR=0x14\n",
             second_source);
    write_text("ptm1.ini", text);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\n"
                            "file=trace.bin\n");
}

/* E-318 */
static void cores_without_a_list_are_those_with_the_number(void **state)
{
    (void)state;
    write_two("cpu_1", "PTM_1");
    open_good();
    assert_int_equal(source_at(0)->core, 0);
    assert_int_equal(source_at(1)->core, 1);
    assert_true(has_fault("trace.ini: the trace may be that of another core: "
                          "PTM_1 is assumed to be the source of cpu_1"));
    etm_capture_close(&capture);
    write_two("cpu_2", "PTM_1"); /* no core */
    open_good();
    assert_int_equal(source_at(0)->core, -1);
    assert_int_equal(source_at(1)->core, -1);
    assert_true(has_fault("trace.ini: no core's code is used: it is unknown "
                          "which core PTM_0 traces: a line CORE=PTM_0 in "
                          "[core_trace_sources] is missing"));
    etm_capture_close(&capture);
    write_two("big_0", "PTM_1"); /* two with one number */
    open_good();
    assert_int_equal(source_at(0)->core, -1);
    etm_capture_close(&capture);
    write_two("cpu_1", "ETM_0");
    open_good();
    assert_int_equal(source_at(0)->core, -1);
    etm_capture_close(&capture);
    write_two("cpu_1", "other");
    open_good();
    assert_int_equal(source_at(0)->core, -1);
    etm_capture_close(&capture);
}

/* Whatever the type of a macrocell is written like, as far as it is taken. */
static void sources_of_any_type_have_cores(void **state)
{
    static const char *const types[] = {"type=PTM1.1\n", "type=PFT1.1\n",
                                        "type=ptm\n", ""};
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        write_two("cpu_1", "PTM_1");
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_1\nclass=trace_source\n%s[regs]\n"
                 "ETMIDR=0x411CF312\nETMTRACEIDR=0x14\n",
                 types[i]);
        write_text("ptm1.ini", text);
        open_good();
        assert_true(source_at(1)->decodable);
        assert_int_equal(source_at(1)->core, 1);
        assert_true(has_fault("PTM_1 is assumed to be the source of cpu_1"));
        etm_capture_close(&capture);
    }
}

/* An ITM traces no core, and a core without a dump has no code to miss. */
static void a_source_without_a_core_is_reported_if_there_is_code(void **state)
{
    (void)state;
    write_two("cpu_1", "PTM_1");
    write_text("trace.ini", TRACE "[moon]\n");
    open_good();
    assert_int_equal(source_at(1)->core, -1);
    assert_false(has_fault("which core PTM_0"));
    assert_false(has_fault("which core PTM_1")); /* it is in no buffer */
    etm_capture_close(&capture);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\nfile=trace.bin\n"
                            "[core_trace_sources]\ncpu_0=PTM_0\n");
    open_good();
    assert_true(has_fault("which core PTM_1"));
    etm_capture_close(&capture);
    write_text("ptm1.ini", "[device]\nname=ITM\nclass=trace_source\n"
                           "type=ITM\n");
    open_good();
    assert_false(has_fault("core"));
    etm_capture_close(&capture);
    write_two("cpu_2", "PTM_1");
    write_text("cpu.ini", CPU);
    write_text("cpu1.ini", "[device]\nname=cpu_2\nclass=core\n");
    open_good();
    assert_false(has_fault("core"));
    etm_capture_close(&capture);
}

/* Where a tool did not write ETMTRACEIDR, and frames tell it. */
static void the_only_trace_id_is_that_of_the_only_source(void **state)
{
    static const char ptm[] =
        "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n"
        "[regs]\nETMCR=0x10001000\nETMIDR=0x411CF312\n";
    uint8_t trace[32] = {0x27, 0x08};
    struct etm_diag diag;

    (void)state;
    trace[16] = 0x27;
    write_good();
    write_text("ptm.ini", ptm);
    write_file("trace.bin", trace, sizeof trace);
    open_good();
    assert_int_equal(source_at(0)->id, 0x13);
    assert_int_equal(source_at(0)->config.trace_id, 0x13);
    assert_true(has_note("PTM_0: ETMTRACEIDR is not given; 0x13 is used, the "
                         "only trace ID in ETB_0"));
    etm_capture_close(&capture);
    trace[16] = 0x29; /* another one */
    write_file("trace.bin", trace, sizeof trace);
    assert_int_equal(etm_capture_open_snapshot(&capture, in_directory(""), NULL,
                                               NULL, &diag),
                     ETM_ERR_FORMAT);
    trace[16] = 0x27;
    write_two("cpu_1", "PTM_1"); /* and another source */
    write_text("ptm.ini", ptm);
    write_file("trace.bin", trace, sizeof trace);
    open_good();
    assert_string_equal(source_at(0)->why_not,
                        "ETMTRACEIDR of PTM_0 is 0 or missing: its trace "
                        "cannot be distinguished from others in b");
    etm_capture_close(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(cores_without_a_list_are_those_with_the_number),
        TEST(sources_of_any_type_have_cores),
        TEST(a_source_without_a_core_is_reported_if_there_is_code),
        TEST(the_only_trace_id_is_that_of_the_only_source),
    };

    return cmocka_run_group_tests_name("input/snapshot_cores", tests,
                                       make_directory, remove_directory);
}
