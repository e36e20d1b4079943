/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot directories: what is refused, and what the rest is read without. */
#define _XOPEN_SOURCE 700

#include "../support/scarce.h"
#include "snapshot_support.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opening must fail, and nothing stays open. */
static void refuse(int status, const char *source, unsigned line,
                   const char *part)
{
    struct etm_diag diag;

    assert_int_equal(etm_capture_open_snapshot(&capture, in_directory(""), NULL,
                                               NULL, &diag),
                     status);
    expect_diag(&diag, status, source, line, part);
    assert_null(capture.sources.data);
    assert_int_equal(
        etm_capture_open_snapshot(&capture, in_directory(""), NULL, NULL, NULL),
        status);
    etm_capture_close(&capture);
}

/* The same, with one file rewritten in a good snapshot. */
static void refuse_file(const char *name, const char *text, int status,
                        unsigned line, const char *part)
{
    char source[64];

    write_good();
    write_text(name, text);
    snprintf(source, sizeof source, "/%s", name);
    refuse(status, source, line, part);
}

/* One file rewritten in a good snapshot: what is wrong in `line` of it is
 * reported, and the source is decoded without. Stays open. */
static void read_without(const char *name, const char *text, unsigned line,
                         const char *part)
{
    char what[256];

    write_good();
    write_text(name, text);
    open_good();
    snprintf(what, sizeof what, line != 0 ? "/%s:%u: " : "/%s: ", name, line);
    if (capture.faults.n != 1 || !has_fault(what) || !has_fault(part))
        fail_msg("%s %s: %s", what, part,
                 capture.faults.n != 0 ? *(char **)capture.faults.data : "");
    assert_true(source_at(0)->decodable);
    assert_int_equal(source_at(0)->buffers.n, 1);
}

static void errors_of_the_list_name_file_and_line(void **state)
{
    (void)state;
    refuse_file("snapshot.ini", "[snapshot]\nversion=2.0\n", ETM_ERR_FORMAT, 2,
                "version 2.0");
    refuse_file("snapshot.ini", "[snapshot]\nversion=1\n", ETM_ERR_FORMAT, 0,
                "no section [device_list]");
    refuse_file("snapshot.ini", "[device_list]\na=cpu.ini\n", ETM_ERR_FORMAT, 0,
                "there is no trace");
    refuse_file("snapshot.ini",
                "[device_list]\na=gone.ini\n[trace]\nmetadata=trace.ini\n",
                ETM_ERR_IO, 2, "cannot read the file");
    refuse_file("snapshot.ini",
                "[device_list]\na=cpu.ini\n[trace]\nmetadata=gone.ini\n",
                ETM_ERR_IO, 4, "gone.ini");
    refuse_file("snapshot.ini", "nonsense", ETM_ERR_FORMAT, 1, "neither");
    empty_directory(NULL);
    refuse(ETM_ERR_IO, "snapshot.ini", 0, "cannot read");
}

/* What a device's file does not say is reported, and the rest is read. */
static void errors_of_devices_name_file_and_line(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *part;
    } devices[] = {
        {"[regs]\nR0=1\n", 0, "no section [device]"},
        {"nonsense", 1, "neither a section nor"},
        {"[device]\nname=a\n", 1, "[device] has no class"},
        {"[device]\nclass=core\n", 1, "[device] has no name"},
        {"[device]\nname=a\nname=b\nclass=core\n", 3,
         "name was already given in line 2"},
    };
    static const struct {
        const char *text, *part;
    } registers[] = {
        {CPU "R1=twelve\n" DUMP, "R1 is \"twelve\": not a number"},
        {CPU "R1=\n" DUMP, "R1 has no value"},
        {CPU "R1(size:16)=0x10000\n" DUMP, "more than 16 bits"},
        {CPU "R1(=1\n" DUMP, "neither NAME"},
        {CPU "R1(x)=1\n" DUMP, "neither NAME"},
        {CPU "R 1=1\n" DUMP, "neither NAME"},
        {CPU "(1)=1\n" DUMP, "neither NAME"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof devices / sizeof *devices; i++) {
        read_without("cpu.ini", devices[i].text, devices[i].line,
                     devices[i].part);
        assert_int_equal(capture.cores.n, 0);
        etm_capture_close(&capture);
    }
    for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++) {
        write_good();
        write_text("cpu.ini", registers[i].text);
        open_good();
        assert_true(has_note("cpu.ini:9: "));
        assert_true(has_note(registers[i].part));
        assert_int_equal(capture.faults.n, 0);
        assert_int_equal(core_at(0)->memory.n, 1);
        etm_capture_close(&capture);
    }
    refuse_file("ptm.ini", "[device]\nname=CPU_0\nclass=trace_source\n",
                ETM_ERR_FORMAT, 2, "already a device called CPU_0");
    refuse_file("ptm.ini", PTM "ETMCR=twelve\n", ETM_ERR_FORMAT, 10,
                "ETMCR is \"twelve\": not a number");
}

/* Only those that tell of the format of the trace are needed. */
static void a_register_that_is_not_needed_does_not_stop_its_source(void **state)
{
    static const char *const rows[][2] = {
        {"ETMACVR1=twelve\n", "ETMACVR1 is \"twelve\": not a number"},
        {"ETMSR(0x004)=-\n", "ETMSR(0x004) is \"-\": not a number"},
        {"LOCAL(size:8)=0x100\n", "more than 8 bits"},
        {"ETMACVR1(x)=1\n", "neither NAME"},
        {"ETMACVR1=0x100000000\n", "more than 32 bits"},
    };
    static const char *const needed[][2] = {
        {"ETMIDR=0x411CF3XX\n", "not a number"},
        {"etmtraceidr(x)=1\n", "neither NAME"},
        {"OURS(0x07a)=none\n", "OURS(0x07a) is \"none\": not a number"},
        {"ETMCR(size:8)=0x100\n", "more than 8 bits"},
    };
    char text[512];

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_good();
        snprintf(text, sizeof text, "%s%sETMSYNCFR=0x200\n", PTM, rows[i][0]);
        write_text("ptm.ini", text);
        open_good();
        assert_true(has_fault("ptm.ini:10: the register is skipped: "));
        assert_true(has_fault(rows[i][1]));
        assert_true(source_at(0)->decodable);
        assert_int_equal(source_at(0)->config.sync_period, 0x200);
        etm_capture_close(&capture);
    }
    for (unsigned i = 0; i < sizeof needed / sizeof *needed; i++) {
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n"
                 "[regs]\n%s",
                 needed[i][0]);
        refuse_file("ptm.ini", text, ETM_ERR_FORMAT, 6, needed[i][1]);
    }
}

/* A list may name what is not there. */
static void a_missing_device_does_not_stop_the_others(void **state)
{
    (void)state;
    read_without("snapshot.ini",
                 "[device_list]\na=cpu.ini\nb=gone.ini\nc=ptm.ini\n[trace]\n"
                 "metadata=trace.ini\n",
                 3, "the device is skipped: cannot read the file");
    assert_int_equal(core_at(0)->memory.n, 1);
    etm_capture_close(&capture);
}

static void errors_of_register_values_name_file_and_line(void **state)
{
    (void)state;
    refuse_file("ptm.ini", PTM "ETMSYNCFR=0x100000400\n", ETM_ERR_CONFIG, 10,
                "ETMSYNCFR is 0x100000400: more than 32 bits");
    refuse_file("ptm.ini",
                "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n"
                "[regs]\nETMIDR(0x079)=0x411CFF12\n",
                ETM_ERR_CONFIG, 6, "ETMIDR is 0x411cff12");
    refuse_file("ptm.ini",
                "[device]\nname=PTM_0\nclass=trace_source\ntype=ETM3.5\n"
                "[regs]\nETMIDR(0x079)=0x411CF312\n",
                ETM_ERR_CONFIG, 6, "the protocol is pft, not etmv3");
    refuse_file("ptm.ini",
                "[device]\nname=PTM_0\nclass=trace_source\ntype=ETM\n",
                ETM_ERR_CONFIG, 0, "ETMIDR is missing");
    refuse_file("ptm.ini",
                "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM\n[regs]\n"
                "ETMTRACEIDR=0x75\n",
                ETM_ERR_CONFIG, 6, "reserved trace ID");
    refuse_file("ptm.ini",
                "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM\n",
                ETM_ERR_FORMAT, 0, "ETMTRACEIDR of PTM_0 is 0 or missing");
    write_good();
    write_text("cpu.ini", "[device]\nname=cpu_0\nclass=core\ntype=Cortex-M3\n");
    refuse(ETM_ERR_CONFIG, "/ptm.ini", 0, "M-profile");
}

/* E-321. Nobody knows whose the trace is: neither is decoded, a third one is.
 */
static void two_sources_with_one_trace_id_are_passed_over(void **state)
{
    (void)state;
    write_good();
    write_text("snapshot.ini",
               "[device_list]\na=cpu.ini\nb=ptm.ini\nc=ptm2.ini\n[trace]\n"
               "metadata=trace.ini\n");
    write_text("ptm2.ini", "[device]\nname=PTM_1\nclass=trace_source\n"
                           "type=PTM1.1\n[regs]\nETMTRACEIDR=0x13\n");
    write_text("trace.ini", TRACE "cpu_1=PTM_1\n[source_buffers]\n");
    open_good(); /* the second is in no buffer */
    assert_true(has_note("PTM_1 is in no buffer"));
    etm_capture_close(&capture);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\n"
                            "file=trace.bin\n");
    refuse(ETM_ERR_FORMAT, "/ptm2.ini", 0, "0x13, which is that of PTM_0");
    write_text("snapshot.ini",
               "[device_list]\na=cpu.ini\nb=ptm.ini\nc=ptm2.ini\nd=ptm3.ini\n"
               "[trace]\nmetadata=trace.ini\n");
    write_text("ptm3.ini", "[device]\nname=PTM_2\nclass=trace_source\n"
                           "type=PTM1.1\n[regs]\nETMTRACEIDR=0x14\n");
    open_good();
    assert_string_equal(source_at(0)->why_not,
                        "PTM_0 has trace ID 0x13, which is that of PTM_1 in "
                        "the same buffer");
    assert_false(source_at(1)->decodable);
    assert_true(source_at(2)->decodable);
    etm_capture_close(&capture);
}

/* E-330. Of a buffer without frames, too: but somebody may know it. */
static void two_sources_without_frames_are_reported(void **state)
{
    (void)state;
    write_good();
    write_text("snapshot.ini",
               "[device_list]\na=cpu.ini\nb=ptm.ini\nc=ptm2.ini\n[trace]\n"
               "metadata=trace.ini\n");
    write_text("ptm2.ini", "[device]\nname=PTM_1\nclass=trace_source\n"
                           "type=PTM1.1\n[regs]\nETMTRACEIDR=0x14\n");
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\n"
                            "file=trace.bin\nformat=source_data\n");
    open_good();
    assert_true(source_at(0)->decodable);
    assert_true(source_at(1)->decodable);
    assert_int_equal(capture.faults.n, 1);
    assert_true(
        has_fault("ptm2.ini: its trace may be that of another: PTM_1 is "
                  "in one buffer with PTM_0, without frames"));
    etm_capture_close(&capture);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\n"
                            "file=trace.bin\nformat=source_data\n"
                            "[source_buffers]\nPTM_1=b\n");
    open_good();
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
}

/* Registers of a macrocell without power are not what they should be: that is
 * reported, and the other sources are decoded. */
static void one_source_does_not_stop_another(void **state)
{
    static const char *const registers[][2] = {
        {"ETMIDR=0\nETMTRACEIDR=0x14\n", "ETMIDR is 0x0"},
        {"ETMIDR=0xffffffff\nETMTRACEIDR=0x14\n", "ETMIDR is 0xffffffff"},
        {"ETMTRACEIDR=0x7f\n", "a reserved trace ID"},
        {"ETMTRACEIDR=0\n", "ETMTRACEIDR of PTM_1 is 0 or missing"},
    };
    char text[256];

    (void)state;
    for (unsigned i = 0; i < 2 * sizeof registers / sizeof *registers; i++) {
        /* without a buffer no trace ID is needed */
        bool buffer = i % 2 != 0 || i == 6;

        write_good();
        write_text("snapshot.ini",
                   "[device_list]\na=cpu.ini\nc=ptm2.ini\nb=ptm.ini\n[trace]\n"
                   "metadata=trace.ini\n");
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_1\nclass=trace_source\ntype=PTM1.1\n"
                 "[regs]\n%s",
                 registers[i / 2][0]);
        write_text("ptm2.ini", text);
        if (buffer)
            write_text("trace.ini",
                       "[trace_buffers]\nbuffers=b\n[b]\nfile=trace.bin\n"
                       "[source_buffers]\nPTM_0=b\nPTM_1=b\n");
        open_good();
        assert_false(source_at(0)->decodable);
        assert_non_null(strstr(source_at(0)->why_not, registers[i / 2][1]));
        assert_true(source_at(1)->decodable);
        assert_int_equal(source_at(1)->id, 0x13);
        etm_capture_close(&capture);
    }
}

/* The trace is there without its code, and with other code. E-322: that of a
 * space that is not known. */
static void errors_of_dumps_name_file_and_line(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *part;
    } rows[] = {
        {"[dump1]\nfile=gone.bin\naddress=0\n", 14, "gone.bin: No such file"},
        {"[dump1]\nfile=code.bin\naddress=0\noffset=65\n", 14, "too short"},
        {"[dump1]\nfile=code.bin\naddress=0\noffset=64\nlength=1\n", 14,
         "too short: it has 64 bytes, but 1 from offset 64"},
        {"[dump1]\naddress=0\n", 13, "[dump1] has no file"},
        {"[dump1]\nfile=code.bin\n", 14, "address is missing"},
        {"[dump1]\nfile=gone.bin\n", 14, "gone.bin"},
        {"[dump1]\nfile=code.bin\naddress=xyz\n", 15, "address is \"xyz\""},
        {"[dump1]\nfile=code.bin\naddress=0\nspace=moon\n", 16,
         "this code is skipped: unknown address space moon"},
        {"[dump1]\nfile=code.bin\naddress=0\ncontext_id=0x100000000\n", 16,
         "context_id has more than 32 bits"},
        {"[dump1]\nfile=code.bin\naddress=0xffffffc1\n", 14,
         "fit in 32-bit addresses"},
        {"[dump1]\nfile=code.bin\naddress=0x100000000\n", 13,
         "more than 32 bits"},
    };
    char text[512];

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, CPU DUMP "%s", rows[i].text);
        read_without("cpu.ini", text, rows[i].line, rows[i].part);
        assert_true(core_at(0)->code_missing);
        assert_int_equal(core_at(0)->memory.n, 1);
        etm_capture_close(&capture);
    }
}

/* E-323 */
static void of_a_dump_that_is_cut_short_the_rest_is_taken(void **state)
{
    uint8_t bytes[64];

    (void)state;
    read_without("cpu.ini", CPU "[dump]\nfile=code.bin\naddress=0\nlength=65\n",
                 10, "the available part is used: the file ");
    assert_int_equal(etm_image_read(core_at(0)->image, 0, NULL, bytes, 64), 64);
    etm_capture_close(&capture);
    read_without("cpu.ini",
                 CPU "[dump]\nfile=code.bin\naddress=0\nlength=64\noffset=1\n",
                 10, "too short");
    assert_int_equal(etm_image_read(core_at(0)->image, 0, NULL, bytes, 64), 63);
    assert_int_equal(bytes[0], code[1]);
    etm_capture_close(&capture);
}

static void errors_of_the_trace_name_file_and_line(void **state)
{
    (void)state;
    refuse_file("trace.ini", "[source_buffers]\na=b\n", ETM_ERR_FORMAT, 0,
                "no list of buffers");
    refuse_file("trace.ini", "[trace_buffers]\nbuffers=b\n", ETM_ERR_FORMAT, 2,
                "the section [b] of the buffer is missing");
    refuse_file("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\nname=x\n",
                ETM_ERR_FORMAT, 3, "[b] has no file");
    refuse_file("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\nfile=no.bin\n",
                ETM_ERR_IO, 4, "no.bin");
    refuse_file("trace.ini",
                "[trace_buffers]\nbuffers=b\n[b]\nfile=trace.bin,no.bin\n",
                ETM_ERR_IO, 4, "no.bin");
    refuse_file("trace.ini",
                "[trace_buffers]\nbuffers=b\n[b]\nfile=trace.bin\nformat=x\n",
                ETM_ERR_FORMAT, 5, "unknown buffer format x");
    refuse_file("trace.ini",
                "[trace_buffers]\nbuffers=b,b\n[b]\nfile=trace.bin\n",
                ETM_ERR_FORMAT, 3, "already a buffer called b");
    refuse_file("trace.ini",
                "[trace_buffers]\nbuffers=b\n[b]\nfile=trace.bin\n"
                "[source_buffers]\nPTM_0=c\n",
                ETM_ERR_FORMAT, 6, "there is no buffer called c");
    write_good();
    write_text("trace.ini", TRACE "[spare]\nfile=gone.bin\n");
    open_good();
    assert_true(has_note("[spare] is skipped"));
    etm_capture_close(&capture);
}

static struct etm_diag outside;

/* Open the snapshot, with files outside of it or not, and close it. */
static int open_outside(bool allow)
{
    const struct etm_raw_options options = {.allow_outside = allow};
    int status = etm_capture_open_snapshot(&capture, in_directory(""), &options,
                                           NULL, &outside);

    etm_capture_close(&capture);
    return status;
}

/* A snapshot from anybody may not show the files of who reads it. */
static void files_outside_of_the_folder_need_permission(void **state)
{
    static const char *const names[] = {"../etm-other.bin", "link",
                                        "folder/../../etm-other.bin",
                                        "..\\etm-other.bin"};
    char path[PATH_MAX], text[PATH_MAX + 100];

    (void)state;
    write_good();
    write_file("../etm-other.bin", "0123456789abcdef", 16);
    assert_int_equal(symlink("../etm-other.bin", in_directory("link")), 0);
    assert_non_null(realpath(in_directory("../etm-other.bin"), path));
    for (unsigned i = 0; i < 5; i++) {
        snprintf(text, sizeof text,
                 "[trace_buffers]\nbuffers=b\n[b]\nfile=%s\n",
                 i < 4 ? names[i] : path);
        write_text("trace.ini", text);
        assert_int_equal(open_outside(false), ETM_ERR_IO);
        assert_int_equal(outside.line, 4);
        assert_non_null(strstr(outside.what, "(--allow-outside permits it)"));
        assert_int_equal(open_outside(true), i == 2 ? ETM_ERR_IO : ETM_OK);
    }
    /* it is the same folder, whatever it is called */
    assert_non_null(realpath(in_directory(""), path));
    snprintf(text, sizeof text,
             "[trace_buffers]\nbuffers=b\n[b]\nfile=%s/./trace.bin\n", path);
    write_text("trace.ini", text);
    assert_int_equal(open_outside(false), ETM_OK);
    write_text("trace.ini", TRACE);
    write_text("cpu.ini", CPU "[dump]\nfile=link\naddress=0\n");
    open_good();
    assert_true(has_fault("cannot read the file link: it is outside of"));
    etm_capture_close(&capture);
    write_text("snapshot.ini", SNAPSHOT "[device_list]\nz=../x.ini\n");
    open_good();
    assert_true(has_fault("cannot read the file ../x.ini: it is outside of"));
    etm_capture_close(&capture);
    assert_int_equal(unlink(in_directory("snapshot.ini")), 0);
    assert_int_equal(symlink("../etm-other.bin", in_directory("snapshot.ini")),
                     0);
    assert_int_equal(open_outside(false), ETM_ERR_IO);
    unlink(in_directory("../etm-other.bin"));
}

/* They would be read, or waited for, without an end. */
static void devices_and_pipes_are_no_code(void **state)
{
    (void)state;
    write_good();
    assert_int_equal(mkfifo(in_directory("pipe"), 0600), 0);
    write_text("cpu.ini",
               CPU "[dump]\nfile=pipe\naddress=0\n[dump1]\n"
                   "file=/dev/zero\naddress=0\n[dump2]\nfile=pipe\n");
    write_text("snapshot.ini", SNAPSHOT "[device_list]\nz=/dev/zero\n");
    open_good();
    assert_true(has_fault("cannot read the file /dev/zero: it is a device"));
    assert_true(has_fault("pipe: it is a device, a pipe or a socket"));
    assert_int_equal(core_at(0)->memory.n, 0);
    etm_capture_close(&capture);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\nfile=pipe\n");
    assert_int_equal(open_outside(true), ETM_ERR_IO);
    assert_string_equal(outside.what,
                        "cannot read the file pipe: it is a device, a pipe or "
                        "a socket");
    assert_int_equal(outside.line, 4);
}

static void a_buffer_that_cannot_be_read_does_not_stop_others(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *part;
    } rows[] = {
        {"", 2, "the section [c] of the buffer is missing"},
        {"[c]\nname=x\n", 5, "the buffer is skipped: [c] has no file"},
        {"[c]\nfile=no.bin\n", 6, "no.bin: No such file or directory"},
        {"[c]\nfile=trace.bin,no.bin\n", 6, "no.bin"},
        {"[c]\nfile=trace.bin\nformat=x\n", 7, "unknown buffer format x"},
        {"[c]\nfile=trace.bin\nsignals=a=b\n", 7, "dumps and tables only"},
        {"[c]\nfile=trace.bin\nname=B\n", 5, "already a buffer called B"},
        {"[c]\nfile=trace.bin\nformat=tpiu_port\n", 7,
         "unknown buffer format tpiu_port: samples of a TPIU's port"},
    };
    char text[512];

    (void)state;
    for (unsigned i = 0; i < 3 * sizeof rows / sizeof *rows; i++) {
        static const char *const of[] = {"[source_buffers]\nPTM_0=c,b\n",
                                         "[source_buffers]\nPTM_0=b\nPTM_1=c\n",
                                         ""};

        snprintf(text, sizeof text,
                 "[trace_buffers]\nbuffers=%s\n[b]\nfile=trace.bin\n%s%s",
                 i / 3 == 6 ? "b,c" : "c,b", rows[i / 3].text, of[i % 3]);
        if (i % 3 < 2) {
            read_without("trace.ini", text, rows[i / 3].line, rows[i / 3].part);
            assert_string_equal(buffer_at(0)->name, "b");
            assert_false(has_note("not in the list of buffers"));
            etm_capture_close(&capture);
        } else { /* nobody says who is in the other one */
            write_good();
            write_text("trace.ini", text);
            refuse(i / 3 == 2 || i / 3 == 3 ? ETM_ERR_IO : ETM_ERR_FORMAT,
                   "/trace.ini", rows[i / 3].line, "");
        }
    }
}

/* Opens the snapshot with ever more memory. */
static void want_memory(const char *const *images, size_t n_images)
{
    int status = ETM_ERR_MEMORY;
    size_t n;

    for (n = 0; status == ETM_ERR_MEMORY && n < 10000; n++) {
        struct scarce scarce = {.left = n};
        struct etm_allocator allocator = {scarce_resize, &scarce};
        struct etm_raw_options options = {.images = images,
                                          .n_images = n_images};
        struct etm_diag diag;

        status = etm_capture_open_snapshot(&capture, in_directory(""), &options,
                                           &allocator, &diag);
        if (status == ETM_ERR_MEMORY)
            assert_int_equal(diag.status, ETM_ERR_MEMORY);
        if (scarce.failed)
            assert_int_equal(status, ETM_ERR_MEMORY);
        etm_capture_close(&capture);
    }
    assert_int_equal(status, ETM_OK);
    assert_true(n > 30);
}

static void every_lack_of_memory_is_reported(void **state)
{
    char image[600];
    const char *images[1] = {image};

    (void)state;
    need_elfutils();
    write_good();
    snprintf(image, sizeof image, "%s/two_states.elf", getenv("ETM_TEST_DATA"));
    write_text("trace.ini", TRACE "cpu_7=PTM_0\n");
    want_memory(images, 1);
}

/* Nor is it taken for something that the rest can do without. */
static void lack_of_memory_is_no_fault(void **state)
{
    (void)state;
    write_good();
    write_text("snapshot.ini",
               "[device_list]\na=cpu.ini\nb=ptm.ini\nc=gone.ini\nd=ptm2.ini\n"
               "e=ptm3.ini\n[trace]\nmetadata=trace.ini\n");
    write_text("cpu.ini", CPU "R1=x\n" DUMP
                              "[dump1]\nfile=code.bin\naddress=0\nlength=65\n"
                              "[dump2]\nfile=gone.bin\naddress=0\n");
    write_text("ptm2.ini", "[device]\nname=PTM_1\nclass=trace_source\n"
                           "type=PTM1.1\n[regs]\nETMTRACEIDR=x\n");
    write_text("ptm3.ini", "[device]\nname=PTM_2\nclass=trace_source\n"
                           "type=PTM1.1\n[regs]\nETMTRACEIDR=0x71\n");
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=b,c\n[b]\nfile=trace.bin\n"
               "[c]\nfile=gone.bin\n[source_buffers]\nPTM_0=c,b\n");
    open_good();
    assert_int_equal(capture.faults.n, 4);
    etm_capture_close(&capture);
    want_memory(NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(errors_of_the_list_name_file_and_line),
        TEST(errors_of_devices_name_file_and_line),
        TEST(a_register_that_is_not_needed_does_not_stop_its_source),
        TEST(errors_of_register_values_name_file_and_line),
        TEST(two_sources_with_one_trace_id_are_passed_over),
        TEST(two_sources_without_frames_are_reported),
        TEST(one_source_does_not_stop_another),
        TEST(errors_of_dumps_name_file_and_line),
        TEST(of_a_dump_that_is_cut_short_the_rest_is_taken),
        TEST(a_missing_device_does_not_stop_the_others),
        TEST(files_outside_of_the_folder_need_permission),
        TEST(devices_and_pipes_are_no_code),
        TEST(a_buffer_that_cannot_be_read_does_not_stop_others),
        TEST(errors_of_the_trace_name_file_and_line),
        TEST(every_lack_of_memory_is_reported),
        TEST(lack_of_memory_is_no_fault),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
