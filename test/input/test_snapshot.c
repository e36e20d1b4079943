/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot directories: what is read. Dumps of memory are in
   test_snapshot_dumps.c. */
#include "snapshot_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void a_whole_snapshot_is_read(void **state)
{
    const struct etm_register *r;
    uint8_t bytes[4];

    (void)state;
    write_good();
    open_good();
    assert_int_equal(capture.notes.n, 0);
    assert_int_equal(capture.buffers.n, 1);
    assert_string_equal(buffer_at(0)->name, "ETB_0");
    assert_int_equal(buffer_at(0)->framing, ETM_FRAMING_CORESIGHT);
    assert_int_equal(buffer_at(0)->n, 32);
    assert_true(buffer_at(0)->mapped);
    assert_int_equal(capture.cores.n, 1);
    assert_string_equal(core_at(0)->name, "cpu_0");
    assert_string_equal(core_at(0)->type, "Cortex-A15");
    assert_int_equal(core_at(0)->profile, ETM_PROFILE_A);
    assert_int_equal(core_at(0)->registers.n, 2);
    r = core_at(0)->registers.data;
    assert_string_equal(r[0].name, "R15");
    assert_int_equal(r[0].value, 0xc0008000);
    assert_int_equal(r[0].number, ETM_REGISTER_NONE);
    assert_int_equal(memory_at(0, 0)->address, 0x8000);
    assert_int_equal(memory_at(0, 0)->length, 0x20);
    assert_int_equal(etm_image_read(core_at(0)->image, 0x801e, NULL, bytes, 4),
                     2);
    assert_memory_equal(bytes, code + 0x1e, 2);
    assert_int_equal(capture.sources.n, 1);
    assert_string_equal(source_at(0)->name, "PTM_0");
    assert_string_equal(source_at(0)->type, "PTM1.1");
    assert_true(source_at(0)->decodable);
    assert_null(source_at(0)->why_not);
    assert_int_equal(source_at(0)->id, 0x13);
    assert_int_equal(source_at(0)->core, 0);
    assert_int_equal(source_at(0)->config.protocol, ETM_PROTOCOL_PFT);
    assert_int_equal(source_at(0)->config.trace_id, 0x13);
    assert_int_equal(source_at(0)->config.profile, ETM_PROFILE_A);
    assert_true(source_at(0)->config.cycle_accurate);
    r = source_at(0)->registers.data;
    assert_string_equal(r[1].name, "ETMIDR");
    assert_int_equal(r[1].number, 0x79);
    assert_int_equal(source_at(0)->buffers.n, 1);
    etm_capture_close(&capture);
}

static void the_ini_file_itself_may_be_named(void **state)
{
    (void)state;
    write_good();
    assert_int_equal(etm_capture_open_snapshot(&capture,
                                               in_directory("snapshot.ini"),
                                               NULL, NULL, NULL),
                     ETM_OK);
    assert_int_equal(capture.sources.n, 1);
    etm_capture_close(&capture);
}

/* However the folder is written, errors name the file in it. */
static void a_folder_may_end_with_a_slash(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct etm_diag diag = {0};
        char folder[600];

        snprintf(folder, sizeof folder, "%s", in_directory(""));
        if (i == 0)
            folder[strlen(folder) - 1] = '\0';
        assert_int_not_equal(
            etm_capture_open_snapshot(&capture, folder, NULL, NULL, &diag),
            ETM_OK);
        assert_string_equal(diag.source, in_directory("snapshot.ini"));
        etm_capture_close(&capture);
    }
}

static void registers_are_written_in_many_ways(void **state)
{
    static const struct {
        const char *name;
        uint32_t number;
        uint64_t value;
    } expected[] = {
        {"R15", ETM_REGISTER_NONE, 0x123456789},
        {"CPSR", ETM_REGISTER_NONE, 467},
        {"SCTLR", 15, 1},
        {"R1", 7, 2},
        {"X", 9, 0xff},
    };
    const struct etm_register *r;

    (void)state;
    write_good();
    write_text("cpu.ini",
               "[DEVICE]\r\nName = cpu_0 ; the first\r\nCLASS=Core\r\n"
               "[Regs]\r\nR15(size:64) = 0x123456789\r\nCPSR = 467 # ok\r\n"
               "SCTLR(0xf)=0x1\r\nR1 ( id:7 , size:32 )=2\r\n"
               "X(9 ,size:8)=0xFF\r\nQ0(size:128)=0x1\r\n"
               "[extendregs]\r\nanything=at all\r\n");
    open_good();
    assert_int_equal(core_at(0)->registers.n, 5);
    r = core_at(0)->registers.data;
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(r[i].name, expected[i].name);
        assert_int_equal(r[i].number, expected[i].number);
        assert_int_equal(r[i].value, expected[i].value);
    }
    assert_true(has_note("Q0(size:128) is skipped"));
    assert_string_equal(core_at(0)->type, "");
    etm_capture_close(&capture);
}

static void a_buffer_may_come_in_several_files(void **state)
{
    (void)state;
    write_good();
    write_file("a.bin", "0123456789abcdef", 16);
    write_file("b.bin", "ABCDEFGHIJKLMNOP", 16);
    write_text("trace.ini",
               "[trace_buffers]\nbuffers = one, two,\n[one]\n"
               "file = a.bin , b.bin\nformat=Dstream_CoreSight\n[two]\n"
               "name=ETB\nfile=b.bin\n[source_buffers]\nptm_0=ONE,etb\n"
               "nobody=one\n[core_trace_sources]\ncpu_0=PTM_0\ncpu_9=PTM_0\n");
    open_good();
    assert_int_equal(capture.buffers.n, 2);
    assert_string_equal(buffer_at(0)->name, "one");
    assert_int_equal(buffer_at(0)->framing, ETM_FRAMING_DSTREAM);
    assert_int_equal(buffer_at(0)->n, 32);
    assert_false(buffer_at(0)->mapped);
    assert_memory_equal(buffer_at(0)->bytes, "0123456789abcdefABCDEFGHIJKLMNOP",
                        32);
    assert_int_equal(buffer_at(1)->framing, ETM_FRAMING_CORESIGHT);
    assert_int_equal(source_at(0)->buffers.n, 2);
    assert_int_equal(((const size_t *)source_at(0)->buffers.data)[1], 1);
    assert_true(has_note("ETB: format is not given; coresight is assumed"));
    assert_true(has_note("there is no device called nobody"));
    assert_true(has_note("there is no core called cpu_9"));
    etm_capture_close(&capture);
}

static void formats_are_those_of_the_tools(void **state)
{
    static const struct {
        const char *name;
        enum etm_framing framing;
    } rows[] = {
        {"coresight", ETM_FRAMING_CORESIGHT},
        {"dstream_coresight", ETM_FRAMING_DSTREAM},
        {"source_data", ETM_FRAMING_NONE},
        {"tpiu", ETM_FRAMING_TPIU},
        {"trace_port", ETM_FRAMING_PORT},
        {"TPIU", ETM_FRAMING_TPIU},
    };
    char text[256];

    (void)state;
    write_good();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text,
                 "[trace_buffers]\nbuffers=b\n[b]\nfile=trace.bin\n"
                 "format=%s\n",
                 rows[i].name);
        write_text("trace.ini", text);
        open_good();
        assert_int_equal(buffer_at(0)->framing, rows[i].framing);
        /* One buffer and one core: they belong together. */
        assert_int_equal(source_at(0)->buffers.n, 1);
        assert_int_equal(source_at(0)->core, 0);
        /* An unformatted stream has no trace ID. */
        assert_int_equal(source_at(0)->id,
                         rows[i].framing == ETM_FRAMING_NONE ||
                                 rows[i].framing == ETM_FRAMING_PORT
                             ? 0
                             : 0x13);
        assert_int_equal(source_at(0)->config.trace_id, source_at(0)->id);
        etm_capture_close(&capture);
    }
}

static void sources_of_other_kinds_are_named_and_passed_over(void **state)
{
    static const char *const types[] = {"STM",    "ETM4.2", "ETMv4",
                                        "PTM2.0", "ETE1",   "ELA"};
    char text[256];

    (void)state;
    write_good();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_0\nclass=trace_source\ntype=%s\n[regs]\n"
                 "STMTCSR(0xE80)=0x00200006\n",
                 types[i]);
        write_text("ptm.ini", text);
        open_good();
        assert_false(source_at(0)->decodable);
        assert_non_null(strstr(source_at(0)->why_not, types[i]));
        assert_int_equal(source_at(0)->id, 0x20);
        assert_int_equal(source_at(0)->buffers.n, 1);
        etm_capture_close(&capture);
    }
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n");
    open_good();
    assert_false(source_at(0)->decodable);
    etm_capture_close(&capture);
}

static void devices_of_other_classes_do_not_count(void **state)
{
    (void)state;
    write_good();
    write_text("snapshot.ini",
               "[clusters]\ncluster0=cpu_0\n[device_list]\na=cpu.ini\n"
               "b=ptm.ini\nc=etb.ini\n[trace]\nmetadata=trace.ini\n");
    write_text("etb.ini", "[device]\nname=ETB_0\nclass=trace_sink\n"
                          "type=ETB\nlocation=somewhere\nvendor=x\n");
    open_good();
    assert_int_equal(capture.sources.n, 1);
    assert_int_equal(capture.cores.n, 1);
    assert_true(has_note("vendor in [device] is ignored"));
    etm_capture_close(&capture);
}

/* Its type tells. E-315 */
static void a_macrocell_is_a_source_by_any_class(void **state)
{
    static const char *const classes[] = {"tracesource", "trace", "ETM"};
    char text[200];

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        write_good();
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_0\nclass=%s\ntype=PTM1.1\n[regs]\n"
                 "ETMTRACEIDR=0x13\n",
                 classes[i]);
        write_text("ptm.ini", text);
        open_good();
        assert_int_equal(capture.sources.n, 1);
        assert_true(source_at(0)->decodable);
        assert_true(has_note("of type PTM1.1 is assumed to be a trace source"));
        etm_capture_close(&capture);
    }
}

/* So do those of both, where there is no class at all. E-315 */
static void devices_without_a_class_are_what_their_types_say(void **state)
{
    (void)state;
    write_good();
    write_text("cpu.ini", "[device]\nname=cpu_0\ntype=Cortex-A9\n"
                          "[dump]\nfile=code.bin\naddress=0x8000\n");
    write_text("ptm.ini", "[device]\nname=PTM_0\ntype=PTM1.0\n[regs]\n"
                          "ETMTRACEIDR=0x13\n");
    open_good();
    assert_int_equal(capture.cores.n, 1);
    assert_int_equal(core_at(0)->profile, ETM_PROFILE_A);
    assert_int_equal(core_at(0)->memory.n, 1);
    assert_int_equal(capture.sources.n, 1);
    assert_true(source_at(0)->decodable);
    assert_int_equal(source_at(0)->core, 0);
    assert_true(has_note(
        "cpu.ini:1: class (none) of type Cortex-A9 is assumed to be a core"));
    assert_true(has_note("ptm.ini:1: class (none) of type PTM1.0 is assumed to "
                         "be a trace source"));
    etm_capture_close(&capture);
}

/* Lists may come in pieces. E-315 */
static void sections_of_one_name_are_one_list(void **state)
{
    (void)state;
    write_good();
    write_text("snapshot.ini",
               "[device_list]\na=cpu.ini\n[trace]\nmetadata=trace.ini\n"
               "[Device_List]\nb=ptm.ini\na=two.ini\n");
    write_text("two.ini", "[device]\nname=PTM_1\nclass=trace_source\n"
                          "type=PTM1.1\n[regs]\nETMTRACEIDR=0x14\n");
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=b,c\n[b]\nfile=trace.bin\n[c]\n"
               "file=trace.bin\n[source_buffers]\nPTM_0=b\n[source_buffers]\n"
               "PTM_1=c\nPTM_0=c\n[core_trace_sources]\ncpu_0=PTM_0\n"
               "[core_trace_sources]\ncpu_0=PTM_1\n");
    open_good();
    assert_int_equal(capture.sources.n, 2);
    assert_int_equal(source_at(0)->buffers.n, 2);
    assert_int_equal(source_at(1)->buffers.n, 1);
    assert_int_equal(source_at(0)->core, 0);
    assert_int_equal(source_at(1)->core, 0);
    etm_capture_close(&capture);
}

static void
what_missing_registers_would_say_is_assumed_with_a_note(void **state)
{
    (void)state;
    write_good();
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.0\n[regs]\nETMTRACEIDR=0x10\n");
    open_good();
    assert_int_equal(source_at(0)->config.protocol, ETM_PROTOCOL_PFT);
    assert_int_equal(source_at(0)->config.minor, 0);
    assert_true(has_note("PTM_0: ETMIDR is not given; PFT 1.0 is assumed"));
    assert_true(has_note("PTM_0: ETMCR is not given; 0 is assumed"));
    assert_true(has_note("PTM_0: ETMCCER is not given; 0 is assumed"));
    etm_capture_close(&capture);
    write_text("cpu.ini", "[device]\nname=cpu_0\nclass=core\ntype=Cortex-M3\n");
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=ETM3.4\n[regs]\nETMTRACEIDR=2\nETMCR=0\n");
    open_good();
    assert_int_equal(source_at(0)->config.minor, 4);
    assert_int_equal(source_at(0)->config.profile, ETM_PROFILE_M);
    assert_true(source_at(0)->config.alternative_branches);
    assert_true(has_note("ETMv3.4 with alternative branch encoding"));
    assert_int_equal(capture.notes.n, 1);
    etm_capture_close(&capture);
}

/* E-365; the values are those of dumps and manuals. */
static void missing_etmccer_is_that_of_the_chip(void **state)
{
    static const struct {
        const char *idr, *note;
        bool long_stamps, binary, virtualization;
    } chips[] = {
        {"0x411CF301", "0x000008ea of a PTM-A9", false, false, false},
        {"0x411CF312", "0x34c01ac2 of a PTM-A15", true, true, true},
        {"0x410CF252", "0x344008f2 of an ETM-A7", true, true, true},
        {"0x4114F253", "0x18541800 of an ETM-M3", false, true, false},
        {"0x511CF312", "0 is assumed", false, false, false},
    };
    char text[200];

    (void)state;
    for (size_t i = 0; i < 2 * sizeof chips / sizeof *chips; i++) {
        const struct etm_config *c;
        bool given = i % 2 != 0;

        write_good();
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_0\nclass=trace_source\n[regs]\n"
                 "ETMIDR=%s\nETMCR=0\nETMTRACEIDR=0x10\n%s",
                 chips[i / 2].idr, given ? "ETMCCER=0\n" : "");
        write_text("ptm.ini", text);
        open_good();
        c = &source_at(0)->config;
        assert_int_equal(c->timestamp_64bit,
                         !given && chips[i / 2].long_stamps);
        assert_int_equal(c->timestamp_binary, !given && chips[i / 2].binary);
        assert_int_equal(c->virtualization,
                         !given && chips[i / 2].virtualization);
        assert_int_equal(has_note(chips[i / 2].note), !given);
        etm_capture_close(&capture);
    }
}

static void registers_count_more_than_the_type(void **state)
{
    (void)state;
    write_good();
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.0\n[regs]\nETMIDR=0x411CF312\n"
                          "ETMTRACEIDR=0x13\nETMCR=0\nETMCCER=0\n");
    open_good();
    assert_int_equal(source_at(0)->config.minor, 1);
    assert_true(has_note("PTM_0 is called PTM1.0, but its registers say "
                         "PFT 1.1"));
    etm_capture_close(&capture);
}

static void odd_buffers_are_noted(void **state)
{
    (void)state;
    write_good();
    write_file("trace.bin", code, 31);
    open_good();
    assert_true(has_note("31 bytes are not a whole number"));
    etm_capture_close(&capture);
    write_file("trace.bin", code, 0);
    open_good();
    assert_true(has_note("ETB_0 is empty"));
    assert_non_null(buffer_at(0)->bytes);
    etm_capture_close(&capture);
}

static void a_64_bit_core_that_is_not_traced_does_no_harm(void **state)
{
    (void)state;
    write_good();
    write_text("snapshot.ini",
               "[device_list]\na=cpu.ini\nb=ptm.ini\nc=big.ini\n[trace]\n"
               "metadata=trace.ini\n");
    write_text("big.ini", "[device]\nname=big\nclass=core\n"
                          "type=Cortex-A57\n[dump]\nfile=code.bin\n"
                          "address=0xffffffc000080000\nspace=EL1N\n");
    open_good();
    assert_int_equal(core_at(1)->memory.n, 0);
    assert_true(has_note("[dump] is skipped: its address"));
    etm_capture_close(&capture);
}

/* Tools add sections of their own. Arm DS-5 writes [timestamp] in front of all
 * others, which tells how fast they count. */
static void sections_that_are_not_known_are_passed_over(void **state)
{
    (void)state;
    write_good();
    write_text("trace.ini",
               "; DS-5 trace metadata\n\n; timestamp metadata\n[timestamp]\n"
               "frequency=25000000\n\n" TRACE);
    open_good();
    assert_int_equal(capture.notes.n, 0);
    assert_true(source_at(0)->decodable);
    etm_capture_close(&capture);
    write_text("trace.ini", TRACE "[moon]\nx=y\n");
    write_text("snapshot.ini", SNAPSHOT "[surprise]\n");
    write_text("cpu.ini", CPU "[what]\nx=y\n" DUMP);
    open_good();
    assert_true(has_note("trace.ini:11: unknown section [moon]"));
    assert_true(has_note("snapshot.ini:8: unknown section [surprise]"));
    assert_true(has_note("cpu.ini:9: unknown section [what]"));
    assert_int_equal(core_at(0)->memory.n, 1);
    etm_capture_close(&capture);
}

/* As Arm DS-5 reads them. */
static void sources_may_be_known_by_their_place(void **state)
{
    (void)state;
    write_good();
    write_text("ptm.ini",
               "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n"
               "location=DAP[1]:0x2001C000\n[regs]\nETMTRACEIDR=0x13\n");
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=b\n[b]\nfile=trace.bin\n"
               "[source_buffers]\n[core_trace_sources]\n"
               "cpu_1=PTM_0\ncpu_0=@DAP[1]:0x2001C000\ncpu_0=@DAP[2]\n");
    open_good();
    assert_int_equal(source_at(0)->core, 0);
    assert_int_equal(source_at(0)->buffers.n, 1); /* it is the only one */
    assert_true(has_note("no trace source called @DAP[2]"));
    etm_capture_close(&capture);
    /* of several, the one that is there; none if that is not certain */
    write_text("snapshot.ini", "[snapshot]\nversion=1.0\n[device_list]\n"
                               "d0=cpu.ini\nd1=ptm.ini\nd2=two.ini\n"
                               "[trace]\nmetadata=trace.ini\n");
    write_text("two.ini", "[device]\nname=PTM_1\nclass=trace_source\n"
                          "type=PTM1.1\nlocation=DAP[2]\n"
                          "[regs]\nETMTRACEIDR=0x14\n");
    open_good();
    assert_int_equal(source_at(1)->core, 0);
    assert_false(has_note("no trace source called"));
    etm_capture_close(&capture);
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.1\nlocation=DAP[2]\n"
                          "[regs]\nETMTRACEIDR=0x13\n");
    open_good();
    assert_true(has_note("no trace source called @DAP[2]"));
    etm_capture_close(&capture);
}

static void images_are_added_to_every_core(void **state)
{
    char elf[600], binary[700];
    const char *images[2] = {elf, binary};
    uint8_t bytes[2];

    (void)state;
    need_elfutils();
    write_good();
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\n"
                            "file=trace.bin\n[core_trace_sources]\n");
    snprintf(elf, sizeof elf, "%s/two_states.elf", getenv("ETM_TEST_DATA"));
    snprintf(binary, sizeof binary, "%s@0x90000", in_directory("code.bin"));
    assert_int_equal(
        etm_capture_open_snapshot(
            &capture, in_directory(""),
            &(struct etm_raw_options){.images = images, .n_images = 2}, NULL,
            NULL),
        ETM_OK);
    /* The source has no core: it gets one for the images. */
    assert_int_equal(capture.cores.n, 2);
    assert_int_equal(source_at(0)->core, 1);
    for (size_t i = 0; i < 2; i++) {
        const struct etm_image *image = core_at(i)->image;

        assert_int_equal(etm_image_read(image, 0x90000, NULL, bytes, 1), 1);
        assert_int_equal(bytes[0], code[0]);
        assert_int_equal(etm_image_read(image, 0x804a, NULL, bytes, 2), 2);
        assert_memory_equal(bytes, "\x70\x47", 2);
    }
    assert_ptr_equal(memory_at(0, 1)->elf, memory_at(1, 0)->elf);
    etm_capture_close(&capture);
}

/* The path of a capture among those that are not part of the project. */
static const char *shared(const char *name)
{
    static char path[600];
    const char *root = getenv("ETM_SHARED");
    FILE *stream;

    snprintf(path, sizeof path, "%s/captures/%s/snapshot.ini",
             root != NULL ? root : "", name);
    stream = fopen(path, "rb");
    if (stream == NULL) {
        print_message("skipped: there is no %s\n", path);
        skip();
    } else {
        fclose(stream);
    }
    return path;
}

static void the_tc2_capture_is_read(void **state)
{
    (void)state;
    assert_int_equal(
        etm_capture_open_snapshot(&capture, shared("tc2"), NULL, NULL, NULL),
        ETM_OK);
    assert_int_equal(capture.notes.n, 0);
    assert_int_equal(capture.cores.n, 5);
    assert_int_equal(capture.sources.n, 6);
    assert_int_equal(buffer_at(0)->n, 32768);
    for (size_t i = 0; i < 5; i++) {
        assert_true(source_at(i)->decodable);
        assert_int_equal(source_at(i)->id, 0x10 + i);
        assert_int_equal(source_at(i)->core, i);
        assert_int_equal(source_at(i)->config.protocol,
                         i < 3 ? ETM_PROTOCOL_ETMV3 : ETM_PROTOCOL_PFT);
        assert_int_equal(source_at(i)->config.minor, i < 3 ? 5 : 1);
        assert_int_equal(memory_at(i, 0)->length, 0x50000);
    }
    assert_string_equal(source_at(5)->name, "ITM_0");
    assert_true(source_at(5)->decodable);
    assert_int_equal(source_at(5)->config.protocol, ETM_PROTOCOL_ITM);
    assert_int_equal(source_at(5)->id, 0x20);
    etm_capture_close(&capture);
}

static void the_snowball_capture_is_read(void **state)
{
    (void)state;
    assert_int_equal(etm_capture_open_snapshot(&capture, shared("snowball"),
                                               NULL, NULL, NULL),
                     ETM_OK);
    assert_int_equal(capture.sources.n, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(source_at(i)->id, 0x10 + i);
        assert_int_equal(source_at(i)->config.minor, 0);
        assert_true(source_at(i)->config.timestamps);
        assert_false(source_at(i)->config.timestamp_binary);
    }
    etm_capture_close(&capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_whole_snapshot_is_read),
        TEST(the_ini_file_itself_may_be_named),
        TEST(a_folder_may_end_with_a_slash),
        TEST(registers_are_written_in_many_ways),
        TEST(a_buffer_may_come_in_several_files),
        TEST(formats_are_those_of_the_tools),
        TEST(sources_of_other_kinds_are_named_and_passed_over),
        TEST(devices_of_other_classes_do_not_count),
        TEST(a_macrocell_is_a_source_by_any_class),
        TEST(devices_without_a_class_are_what_their_types_say),
        TEST(sections_of_one_name_are_one_list),
        TEST(missing_etmccer_is_that_of_the_chip),
        TEST(what_missing_registers_would_say_is_assumed_with_a_note),
        TEST(registers_count_more_than_the_type),
        TEST(odd_buffers_are_noted),
        TEST(a_64_bit_core_that_is_not_traced_does_no_harm),
        TEST(sections_that_are_not_known_are_passed_over),
        TEST(sources_may_be_known_by_their_place),
        TEST(images_are_added_to_every_core),
        TEST(the_tc2_capture_is_read),
        TEST(the_snowball_capture_is_read),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
