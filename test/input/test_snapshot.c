/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshot directories: what is read, and what is refused. */
#include "../support/scarce.h"
#include "support.h"

#include "input/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SNAPSHOT                                                               \
    "[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu.ini\n"                \
    "device1=ptm.ini\n[trace]\nmetadata=trace.ini\n"
#define CPU                                                                    \
    "[device]\nname=cpu_0\nclass=core\ntype=Cortex-A15\n\n[regs]\n"            \
    "R15=0xC0008000\nCPSR=0x1D3\n"
#define DUMP "[dump]\nfile=code.bin\naddress=0x8000\nlength=0x20\n"
#define PTM                                                                    \
    "[device]\nname=PTM_0\nclass=trace_source\ntype=PTM1.1\n[regs]\n"          \
    "ETMCR(0x000)=0x10001000\nETMIDR(0x079)=0x411CF312\n"                      \
    "ETMCCER(0x07A)=0x34C01AC2\nETMTRACEIDR(0x080)=0x00000013\n"
#define TRACE                                                                  \
    "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=ETB_0\n"                \
    "file=trace.bin\nformat=coresight\n[source_buffers]\nPTM_0=ETB_0\n"        \
    "[core_trace_sources]\ncpu_0=PTM_0\n"

static struct etm_capture capture;
static uint8_t code[64];

/* A snapshot that is as it should be. */
static void write_good(void)
{
    uint8_t trace[32] = {0};

    for (unsigned i = 0; i < sizeof code; i++)
        code[i] = (uint8_t)(i + 1);
    write_file("code.bin", code, sizeof code);
    write_file("trace.bin", trace, sizeof trace);
    write_text("snapshot.ini", SNAPSHOT);
    write_text("cpu.ini", CPU DUMP);
    write_text("ptm.ini", PTM);
    write_text("trace.ini", TRACE);
}

static void open_good(void)
{
    struct etm_diag diag = {0};
    int status = etm_capture_open_snapshot(&capture, in_directory(""), NULL, 0,
                                           NULL, &diag);

    if (status != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
}

static const struct etm_capture_source *source_at(size_t i)
{
    assert_true(i < capture.sources.n);
    return (const struct etm_capture_source *)capture.sources.data + i;
}

static const struct etm_capture_core *core_at(size_t i)
{
    assert_true(i < capture.cores.n);
    return (const struct etm_capture_core *)capture.cores.data + i;
}

static const struct etm_capture_buffer *buffer_at(size_t i)
{
    assert_true(i < capture.buffers.n);
    return (const struct etm_capture_buffer *)capture.buffers.data + i;
}

static const struct etm_capture_memory *memory_at(size_t core, size_t i)
{
    assert_true(i < core_at(core)->memory.n);
    return (const struct etm_capture_memory *)core_at(core)->memory.data + i;
}

/* Is there a note that holds this part? */
static bool has_note(const char *part)
{
    const char *const *notes = capture.notes.data;

    for (size_t i = 0; i < capture.notes.n; i++) {
        if (strstr(notes[i], part) != NULL)
            return true;
    }
    return false;
}

/* Opening must fail, and nothing stays open. */
static void refuse(int status, const char *source, unsigned line,
                   const char *part)
{
    struct etm_diag diag;

    assert_int_equal(etm_capture_open_snapshot(&capture, in_directory(""), NULL,
                                               0, NULL, &diag),
                     status);
    expect_diag(&diag, status, source, line, part);
    assert_null(capture.sources.data);
    assert_int_equal(etm_capture_open_snapshot(&capture, in_directory(""), NULL,
                                               0, NULL, NULL),
                     status);
    etm_capture_close(&capture);
}

/* The same, with one file written anew in a good snapshot. */
static void refuse_file(const char *name, const char *text, int status,
                        unsigned line, const char *part)
{
    char source[64];

    write_good();
    write_text(name, text);
    snprintf(source, sizeof source, "/%s", name);
    refuse(status, source, line, part);
}

/* What could not be read, told with this part of a sentence. */
static bool has_fault(const char *part)
{
    const char *const *faults = capture.faults.data;

    for (size_t i = 0; i < capture.faults.n; i++) {
        if (strstr(faults[i], part) != NULL)
            return has_note(part);
    }
    return false;
}

/* One file written anew in a good snapshot: what is wrong in `line` of it is
 * told, and the source is decoded without. Stays open. */
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
                                               NULL, 0, NULL, NULL),
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
            etm_capture_open_snapshot(&capture, folder, NULL, 0, NULL, &diag),
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
    assert_true(has_note("Q0(size:128) is passed over"));
    assert_string_equal(core_at(0)->type, "");
    etm_capture_close(&capture);
}

static void dumps_have_offset_length_and_space(void **state)
{
    struct etm_space secure = {.secure = ETM_TRUE};
    struct etm_space normal = {.secure = ETM_FALSE};
    struct etm_space task = {.has_context = true, .context_id = 5};
    const struct etm_image *image;
    uint8_t byte;

    (void)state;
    write_good();
    write_text("cpu.ini",
               CPU "[dump1]\nfile=\"code.bin\"\naddress=0x1000\noffset=16\n"
                   "space=S\n[dump2]\nfile=code.bin\naddress=4096\nlength=1\n"
                   "space=EL1N\n[DUMP]\nfile=code.bin\naddress=0x2000\n"
                   "context_id=5\nspace=any\n[dump]\nfile=code.bin\n"
                   "address=0xffffffc0\n");
    open_good();
    assert_int_equal(core_at(0)->memory.n, 4);
    assert_int_equal(memory_at(0, 0)->length, 48);
    assert_string_equal(memory_at(0, 0)->space_name, "S");
    assert_int_equal(memory_at(0, 1)->length, 1);
    assert_null(memory_at(0, 3)->space_name);
    image = core_at(0)->image;
    assert_int_equal(etm_image_read(image, 0x1000, &secure, &byte, 1), 1);
    assert_int_equal(byte, code[16]);
    assert_int_equal(etm_image_read(image, 0x1000, &normal, &byte, 1), 1);
    assert_int_equal(byte, code[0]);
    assert_int_equal(etm_image_read(image, 0x1001, &normal, &byte, 1), 0);
    assert_int_equal(etm_image_read(image, 0x2000, &task, &byte, 1), 1);
    task.context_id = 6;
    assert_int_equal(etm_image_read(image, 0x2000, &task, &byte, 1), 0);
    assert_int_equal(etm_image_read(image, 0xffffffff, NULL, &byte, 1), 1);
    assert_int_equal(byte, code[63]);
    etm_capture_close(&capture);
}

static void space_names_tell_the_security_state(void **state)
{
    static const struct {
        const char *name;
        enum etm_tri secure;
    } rows[] = {
        {"", ETM_UNKNOWN},    {"Any", ETM_UNKNOWN}, {"S", ETM_TRUE},
        {"EL1S", ETM_TRUE},   {"el3", ETM_TRUE},    {"SP", ETM_TRUE},
        {"N", ETM_FALSE},     {"NS", ETM_FALSE},    {"H", ETM_FALSE},
        {"EL2", ETM_FALSE},   {"EL1N", ETM_FALSE},  {"NP", ETM_FALSE},
        {"EL0", ETM_UNKNOWN}, {"P", ETM_UNKNOWN},
    };
    char text[512];

    (void)state;
    write_good();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(text, sizeof text, CPU DUMP "space=%s\n", rows[i].name);
        write_text("cpu.ini", text);
        open_good();
        assert_int_equal(memory_at(0, 0)->space.secure, rows[i].secure);
        etm_capture_close(&capture);
    }
}

/* A piece of an ELF file where its program header puts it has the names of the
 * file; anywhere else it is a plain binary. E-153 */
static void a_dump_may_be_a_piece_of_an_elf_file(void **state)
{
    static const char *const addresses[] = {"0x8000", "0x9000"};
    char text[600];

    (void)state;
    need_elfutils();
    write_good();
    for (unsigned i = 0; i < 2; i++) {
        unsigned n_elf = 0;

        snprintf(text, sizeof text,
                 CPU "[dump]\nfile=%s/two_states.elf\naddress=%s\n"
                     "offset=0x74\nlength=0x20\n",
                 getenv("ETM_TEST_DATA"), addresses[i]);
        write_text("cpu.ini", text);
        open_good();
        for (size_t k = 0; k < core_at(0)->memory.n; k++)
            n_elf += memory_at(0, k)->elf != NULL;
        assert_int_equal(n_elf, i == 0);
        etm_capture_close(&capture);
    }
}

static void a_dump_may_be_an_elf_file(void **state)
{
    char text[600];
    uint8_t bytes[2];

    (void)state;
    need_elfutils();
    write_good();
    snprintf(text, sizeof text, CPU "[dump]\nfile=%s/two_states.elf\n",
             getenv("ETM_TEST_DATA"));
    write_text("cpu.ini", text);
    open_good();
    assert_non_null(memory_at(0, 0)->elf);
    assert_int_equal(etm_image_read(core_at(0)->image, 0x804a, NULL, bytes, 2),
                     2);
    assert_memory_equal(bytes, "\x70\x47", 2);
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
    static const char *const types[] = {"ITM",    "STM",  "ETM4.2", "ETMv4",
                                        "PTM2.0", "ETE1", "ELA"};
    char text[256];

    (void)state;
    write_good();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        snprintf(text, sizeof text,
                 "[device]\nname=PTM_0\nclass=trace_source\ntype=%s\n[regs]\n"
                 "ITMTCR(0x3A0)=0x00200006\n",
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
    assert_true(has_note("vendor in [device] is passed over"));
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

/* What a device's file does not tell is told, and read is the rest. */
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
        {CPU "R1=\n" DUMP, "not a number"},
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
        assert_true(has_fault("ptm.ini:10: the register is passed over: "));
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
                 3, "the device is passed over: cannot read the file");
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
static void two_sources_without_frames_are_told(void **state)
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
                  "in one buffer with PTM_0, and no frames"));
    etm_capture_close(&capture);
    write_text("trace.ini", "[trace_buffers]\nbuffers=b\n[b]\n"
                            "file=trace.bin\nformat=source_data\n"
                            "[source_buffers]\nPTM_1=b\n");
    open_good();
    assert_int_equal(capture.faults.n, 0);
    etm_capture_close(&capture);
}

/* Registers of a macrocell without power are not what they should be: that is
 * told, and the other sources are decoded. */
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
        {"[dump1]\nfile=code.bin\naddress=0\noffset=65\n", 14, "cut short"},
        {"[dump1]\nfile=code.bin\naddress=0\noffset=64\nlength=1\n", 14,
         "cut short: it has 64 bytes, and 1 from offset 64"},
        {"[dump1]\naddress=0\n", 13, "[dump1] has no file"},
        {"[dump1]\nfile=code.bin\n", 14, "address is missing"},
        {"[dump1]\nfile=gone.bin\n", 14, "gone.bin"},
        {"[dump1]\nfile=code.bin\naddress=xyz\n", 15, "address is \"xyz\""},
        {"[dump1]\nfile=code.bin\naddress=0\nspace=moon\n", 16,
         "this code is passed over: unknown address space moon"},
        {"[dump1]\nfile=code.bin\naddress=0\ncontext_id=0x100000000\n", 16,
         "context_id has more than 32 bits"},
        {"[dump1]\nfile=code.bin\naddress=0xffffffc1\n", 14,
         "beyond 32-bit addresses"},
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
                 10, "what it has is taken: the file ");
    assert_int_equal(etm_image_read(core_at(0)->image, 0, NULL, bytes, 64), 64);
    etm_capture_close(&capture);
    read_without("cpu.ini",
                 CPU "[dump]\nfile=code.bin\naddress=0\nlength=64\noffset=1\n",
                 10, "cut short");
    assert_int_equal(etm_image_read(core_at(0)->image, 0, NULL, bytes, 64), 63);
    assert_int_equal(bytes[0], code[1]);
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
    assert_true(has_note("[dump] is passed over: its address"));
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
    assert_true(has_note("[spare] is passed over"));
    etm_capture_close(&capture);
}

static void a_buffer_that_cannot_be_read_does_not_stop_others(void **state)
{
    static const struct {
        const char *text;
        unsigned line;
        const char *part;
    } rows[] = {
        {"", 2, "the section [c] of the buffer is missing"},
        {"[c]\nname=x\n", 5, "the buffer is passed over: [c] has no file"},
        {"[c]\nfile=no.bin\n", 6, "no.bin: No such file or directory"},
        {"[c]\nfile=trace.bin,no.bin\n", 6, "no.bin"},
        {"[c]\nfile=trace.bin\nformat=x\n", 7, "unknown buffer format x"},
        {"[c]\nfile=trace.bin\nsignals=a=b\n", 7, "dumps and tables only"},
        {"[c]\nfile=trace.bin\nname=B\n", 5, "already a buffer called B"},
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
static void sources_may_be_told_by_their_place(void **state)
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
    assert_int_equal(etm_capture_open_snapshot(&capture, in_directory(""),
                                               images, 2, NULL, NULL),
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

/* Opens the snapshot with ever more memory. */
static void want_memory(const char *const *images, size_t n_images)
{
    int status = ETM_ERR_MEMORY;
    size_t n;

    for (n = 0; status == ETM_ERR_MEMORY && n < 10000; n++) {
        struct scarce scarce = {.left = n};
        struct etm_allocator allocator = {scarce_resize, &scarce};
        struct etm_diag diag;

        status = etm_capture_open_snapshot(&capture, in_directory(""), images,
                                           n_images, &allocator, &diag);
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
        etm_capture_open_snapshot(&capture, shared("tc2"), NULL, 0, NULL, NULL),
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
    assert_false(source_at(5)->decodable);
    assert_int_equal(source_at(5)->id, 0x20);
    etm_capture_close(&capture);
}

static void the_snowball_capture_is_read(void **state)
{
    (void)state;
    assert_int_equal(etm_capture_open_snapshot(&capture, shared("snowball"),
                                               NULL, 0, NULL, NULL),
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

#define TEST(name) cmocka_unit_test_setup(name, empty_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_whole_snapshot_is_read),
        TEST(the_ini_file_itself_may_be_named),
        TEST(a_folder_may_end_with_a_slash),
        TEST(registers_are_written_in_many_ways),
        TEST(dumps_have_offset_length_and_space),
        TEST(space_names_tell_the_security_state),
        TEST(a_dump_may_be_an_elf_file),
        TEST(a_dump_may_be_a_piece_of_an_elf_file),
        TEST(a_buffer_may_come_in_several_files),
        TEST(formats_are_those_of_the_tools),
        TEST(sources_of_other_kinds_are_named_and_passed_over),
        TEST(devices_of_other_classes_do_not_count),
        TEST(what_missing_registers_would_say_is_assumed_with_a_note),
        TEST(registers_count_more_than_the_type),
        TEST(odd_buffers_are_noted),
        TEST(errors_of_the_list_name_file_and_line),
        TEST(errors_of_devices_name_file_and_line),
        TEST(a_register_that_is_not_needed_does_not_stop_its_source),
        TEST(errors_of_register_values_name_file_and_line),
        TEST(two_sources_with_one_trace_id_are_passed_over),
        TEST(two_sources_without_frames_are_told),
        TEST(one_source_does_not_stop_another),
        TEST(errors_of_dumps_name_file_and_line),
        TEST(of_a_dump_that_is_cut_short_the_rest_is_taken),
        TEST(a_missing_device_does_not_stop_the_others),
        TEST(a_buffer_that_cannot_be_read_does_not_stop_others),
        TEST(a_64_bit_core_that_is_not_traced_does_no_harm),
        TEST(errors_of_the_trace_name_file_and_line),
        TEST(sections_that_are_not_known_are_passed_over),
        TEST(sources_may_be_told_by_their_place),
        TEST(images_are_added_to_every_core),
        TEST(every_lack_of_memory_is_reported),
        TEST(lack_of_memory_is_no_fault),
        TEST(the_tc2_capture_is_read),
        TEST(the_snowball_capture_is_read),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
