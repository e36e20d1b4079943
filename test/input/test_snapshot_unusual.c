/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot directories: what says nothing, or not what was meant. It does not
 * keep the rest from being read, and is reported. */
#include "snapshot_support.h"

#include <stdio.h>

static const struct etm_register *register_at(size_t i)
{
    assert_true(i < source_at(0)->registers.n);
    return (const struct etm_register *)source_at(0)->registers.data + i;
}

/* E-313 */
static void values_have_more_after_them_or_none(void **state)
{
    (void)state;
    write_good();
    write_text("cpu.ini", "[device]\nname=cpu_0\nclass=core\n"
                          "type=Cortex-A15\n[regs]\nR15=\nCPSR=0x1D3 (RW)\n"
                          "R1=0x10 or so\n" DUMP);
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.1\n[regs]\n"
                          "ETMCR(0x000)=0x10001000 (RW)\n"
                          "ETMIDR(0x079)=0x411CF312\t(RO, id)  ; it is\n"
                          "ETMCCER(0x07A)=0x34C01AC2 as read\n"
                          "ETMSYNCFR=\nETMTSEVR=  ; nothing\n"
                          "ETMTRACEIDR(0x080)=\"0x00000013\"\n");
    open_good();
    assert_true(source_at(0)->decodable);
    assert_int_equal(source_at(0)->registers.n, 4);
    assert_int_equal(register_at(0)->value, 0x10001000);
    assert_int_equal(register_at(1)->value, 0x411CF312);
    assert_int_equal(register_at(2)->value, 0x34C01AC2);
    assert_int_equal(source_at(0)->id, 0x13);
    assert_int_equal(core_at(0)->registers.n, 2);
    assert_int_equal(core_at(0)->memory.n, 1);
    assert_true(
        has_note("ptm.ini:6: (RW) after the value of ETMCR(0x000) is ignored"));
    assert_false(has_fault("(R"));
    assert_true(has_fault("ptm.ini:8: it is skipped: there is unexpected text "
                          "after the value of ETMCCER(0x07A): \"as read\""));
    assert_true(has_fault(
        "ptm.ini:9: the register is skipped: ETMSYNCFR has no value"));
    assert_true(has_fault("ptm.ini:10: the register is skipped: ETMTSEVR"));
    assert_true(has_note("cpu.ini:6: R15 has no value: it is skipped"));
    assert_false(has_fault("cpu.ini:6"));
    etm_capture_close(&capture);
}

/* One that tells the format is as if its line were not there. E-313 */
static void a_register_without_a_value_is_not_given(void **state)
{
    (void)state;
    write_good();
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.0\n[regs]\nETMCR=\nETMIDR=\n"
                          "ETMTRACEIDR=0x13\n");
    open_good();
    assert_true(source_at(0)->decodable);
    assert_int_equal(source_at(0)->config.minor, 0); /* the type's */
    assert_true(
        has_fault("ptm.ini:6: the register is skipped: ETMCR has no value"));
    assert_true(has_fault("ptm.ini:7: the register is skipped: ETMIDR"));
    etm_capture_close(&capture);
}

/* A number must be one, whatever stands after it. */
static void half_a_number_is_none(void **state)
{
    static const char *const values[] = {
        "0x411CF3XX",    "(RW)",        "0x",
        "RW 0x411CF312", "0x 411CF312", "0x00000000000000000000000000411CF312"};
    struct etm_diag diag;
    char text[200];

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        write_good();
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n"
                 "[regs]\nETMTRACEIDR=0x13\nETMIDR=%s\n",
                 values[i]);
        write_text("ptm.ini", text);
        assert_int_equal(etm_capture_open_snapshot(&capture, in_directory(""),
                                                   NULL, NULL, &diag),
                         ETM_ERR_FORMAT);
        assert_int_equal(diag.line, 7);
    }
}

/* Records say where they go, and so does an ELF file: there is no part of the
 * file that goes there. E-319 */
static void a_part_is_one_of_a_binary(void **state)
{
    static const char *const parts[] = {"offset=1\n", "length=2\n",
                                        "length=0\n", "offset=0\n", ""};
    char text[400], fault[100];

    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        write_good();
        write_text("code.hex", ":021000000102EB\n:0110100003DC\n:00000001FF\n");
        snprintf(text, sizeof text, CPU "[dump]\nfile=code.hex\n%s", parts[i]);
        write_text("cpu.ini", text);
        open_good();
        assert_int_equal(core_at(0)->memory.n, 2); /* all of it */
        snprintf(fault, sizeof fault,
                 "cpu.ini:11: all of the file is used: %.6s in [dump] applies "
                 "to a binary, which has an address",
                 parts[i]);
        assert_int_equal(has_fault(fault), i < 2);
        assert_int_equal(capture.faults.n, i < 2);
        etm_capture_close(&capture);
    }
}

/* With code of its own a source is not without any. E-318 */
static void code_that_is_given_is_used_without_a_core(void **state)
{
    const char *image = in_directory("code.bin@0x8000");
    char path[400];
    struct etm_diag diag;

    (void)state;
    snprintf(path, sizeof path, "%s", image);
    image = path;
    write_good();
    write_text("snapshot.ini", "[device_list]\na=cpu.ini\nb=ptm.ini\n"
                               "c=cpu1.ini\n[trace]\nmetadata=trace.ini\n");
    write_text("cpu1.ini", "[device]\nname=other\nclass=core\n" DUMP);
    write_text("cpu.ini", "[device]\nname=one\nclass=core\n" DUMP);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\n"
                            "file=trace.bin\n");
    open_good();
    assert_true(has_fault("trace.ini: no core's code is used: it is unknown "
                          "which core PTM_0 traces"));
    etm_capture_close(&capture);
    assert_int_equal(
        etm_capture_open_snapshot(
            &capture, in_directory(""),
            &(struct etm_raw_options){.images = &image, .n_images = 1}, NULL,
            &diag),
        ETM_OK);
    assert_true(has_fault("trace.ini: only the code of --image is used: it is "
                          "unknown which core PTM_0 traces"));
    assert_false(has_fault("no core's code"));
    assert_true(source_at(0)->core >= 0);
    assert_int_equal(core_at((size_t)source_at(0)->core)->memory.n, 1);
    etm_capture_close(&capture);
}

/* Frames with a byte of ID and 15 bytes of trace each; of ID 0 there is none
 * left at the end. */
static void write_frames(const unsigned *ids, size_t n)
{
    uint8_t trace[16 * 12] = {0};

    assert_true(n <= 12);
    for (size_t i = 0; i < n; i++) {
        trace[16 * i] = (uint8_t)(ids[i] << 1 | 1);
        for (unsigned k = 1; k < 15; k++)
            trace[16 * i + k] = 0x66;
    }
    write_file("trace.bin", trace, sizeof trace);
}

/* Its trace would be decoded twice. E-383 */
static void a_source_is_in_a_buffer_once(void **state)
{
    (void)state;
    write_good();
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=b,c\n[b]\nname=ETB\nfile=trace.bin\n"
               "[c]\nfile=trace.bin\n[source_buffers]\nPTM_0=b,c,ETB\n"
               "[source_buffers]\nPTM_0=b\n[core_trace_sources]\n"
               "cpu_0=PTM_0\n");
    open_good();
    assert_int_equal(source_at(0)->buffers.n, 2);
    assert_int_equal(((const size_t *)source_at(0)->buffers.data)[1], 1);
    assert_true(has_note("trace.ini:9: PTM_0 is in ETB already: skipped"));
    assert_true(has_note("trace.ini:11: PTM_0 is in b already: skipped"));
    etm_capture_close(&capture);
}

/* E-317 */
static void a_trace_id_without_a_device_is_reported(void **state)
{
    static const unsigned known[] = {0x13, 0x13, 0x13};
    static const unsigned one[] = {0x13, 0x14, 0x14};
    static const unsigned little[] = {0x13, 0x14, 0x13};
    static const unsigned many[] = {0x13, 0x21, 0x21, 0x14, 0x14, 0x15,
                                    0x15, 0x16, 0x16, 0x17, 0x17};

    (void)state;
    write_good();
    write_frames(known, 3);
    open_good();
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
    write_frames(one, 3);
    open_good();
    assert_int_equal(capture.faults.n, 1);
    assert_true(has_fault("snapshot.ini: some trace is skipped: no device of "
                          "the snapshot has trace ID 0x14"));
    etm_capture_close(&capture);
    write_frames(little, 3);
    open_good();
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
    write_frames(many, 11);
    open_good();
    assert_true(has_fault("has trace IDs 0x14, 0x15, 0x16, 0x17, 0x21"));
    etm_capture_close(&capture);
    /* a device of another kind is one, and so may be one without an ID */
    write_frames(one, 3);
    write_text("snapshot.ini", "[device_list]\na=cpu.ini\nb=ptm.ini\n"
                               "c=itm.ini\n[trace]\nmetadata=trace.ini\n");
    write_text("itm.ini", "[device]\nname=ITM\nclass=trace_source\ntype=ITM\n"
                          "[regs]\nITMTCR=0x00140001\n");
    open_good();
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
    write_text("itm.ini", "[device]\nname=ITM\nclass=trace_source\ntype=ITM\n");
    open_good();
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
    write_text("itm.ini", "[device]\nname=ITM\nclass=trace_source\ntype=ITM\n"
                          "[regs]\nITMTCR=0x00150001\n");
    open_good();
    assert_true(has_fault("trace ID 0x14"));
    etm_capture_close(&capture);
    /* nor is a source without frames in the frames of others */
    write_text("snapshot.ini", "[device_list]\na=cpu.ini\nb=ptm.ini\n"
                               "c=itm.ini\n[trace]\nmetadata=trace.ini\n");
    write_text("itm.ini", "[device]\nname=PTM_1\nclass=trace_source\n"
                          "type=PTM1.1\n");
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=b,c\n[b]\nfile=trace.bin\n"
               "[c]\nfile=code.bin\nformat=source_data\n"
               "[source_buffers]\nPTM_0=b\nPTM_1=c\n"
               "[core_trace_sources]\ncpu_0=PTM_0,PTM_1\n");
    open_good();
    assert_int_equal(source_at(1)->id, 0);
    assert_true(source_at(1)->decodable);
    assert_true(has_fault("trace ID 0x14"));
    etm_capture_close(&capture);
    /* what was passed over may be the one */
    write_text("itm.ini", "[nothing]\n");
    open_good();
    assert_false(has_fault("trace ID"));
    etm_capture_close(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(values_have_more_after_them_or_none),
        TEST(a_register_without_a_value_is_not_given),
        TEST(half_a_number_is_none),
        TEST(a_part_is_one_of_a_binary),
        TEST(code_that_is_given_is_used_without_a_core),
        TEST(a_source_is_in_a_buffer_once),
        TEST(a_trace_id_without_a_device_is_reported),
    };

    return cmocka_run_group_tests_name("input/snapshot_unusual", tests,
                                       make_directory, remove_directory);
}
