/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What no capture has, written by hand from the specification, and what
 * trc_pkt_lister makes of it: each row is a heading of doc/comparison.md. One
 * that it reads like us is there to show that the row beside it is no mistake
 * in the making.
 */
#define _POSIX_C_SOURCE 200809L /* popen(), mkdtemp() */
#include "../support/test.h"
#include "support/capture.h"
#include "support/element_text.h"

#include <etm/decode.h>

#include <unistd.h>

#define ADDRESS 0x8000u

#define A_SYNC "000000000080"
#define MOV_ARM "0100a0e1" /* mov r0, r1 */
#define MOV_THUMB "c046"   /* mov r8, r8 */

struct row {
    const char *heading;
    const char *type, *core; /* as a snapshot has them */
    uint32_t etmidr, etmccer;
    const char *code, *trace;
    const char *theirs, *ours; /* a part of what comes out */
};

#define ETMV3(idr) "ETM3.5", "Cortex-A7", idr, 0
#define PFT "PTM1.1", "Cortex-A15", 0x411cf312, 0x04000000

static const struct row rows[] = {
    /* 7.7.2: five zeros or more */
    {"A-sync", ETMV3(0x410cf250), MOV_ARM MOV_ARM MOV_ARM,
     A_SYNC "082100800000"
            "84"
            "000000000080"
            "84",
     "0x8004:[0x8008]", "range 8000-8008 arm n=2"},
    {"A-sync", ETMV3(0x410cf250), MOV_ARM MOV_ARM MOV_ARM,
     A_SYNC "082100800000"
            "84"
            "00000000000080"
            "84",
     "BAD_PACKET_SEQ", "range 8000-8008 arm n=2"},
    /* 7.3.5 */
    {"Cancelled instructions", ETMV3(0x410cf250), MOV_ARM MOV_ARM,
     A_SYNC "082100800000"
            "88"
            "8d808080483c"
            "84",
     "range=0x8004:[0x8008]",
     "range 8000-8004 arm n=1 last=8000 other exec=true cycles=null\n"
     "13 exception irq number=14 return=8004 cancels=8004"},
    {"Where exceptions return", ETMV3(0x410cf250), MOV_ARM MOV_ARM,
     A_SYNC "082100800000"
            "88"
            "8d808080481c"
            "84",
     "EXCEPTION(excep num (0x0e) )", "exception irq number=14 return=8008\n"},
    /* 7.3.5: a direct branch changes state without a packet */
    {"BLX to an address", ETMV3(0x410cf250),
     "000000fa" MOV_ARM MOV_THUMB MOV_THUMB MOV_THUMB MOV_THUMB,
     A_SYNC "082100800000"
            "84"
            "88",
     "range=0x8008:[0x800c] num_i(1) last_sz(4) (ISA=A32)",
     "range 8008-800c thumb n=2"},
    /* 4.5.4, ETMIDR[18] = 0 */
    {"Halves", ETMV3(0x4108f250), "00f000f8" MOV_THUMB MOV_THUMB,
     A_SYNC "082101800000"
            "88",
     "range=0x8004:[0x8006]", "range 8000-8004 thumb n=1"},
    /* IHI 0035B: only an exception is no atom */
    {"Information without an exception", PFT,
     "1eff2fe1" MOV_ARM "feffffea", /* bx lr; b . */
     A_SYNC "080080000021"
            "838080804801",
     "EXCEPTION(pref ret addr:0x8000; excep num (0x00) )",
     "range 8000-8004 arm n=1 last=8000 indirect"},
    {"ThumbEE", PFT, MOV_THUMB "fee7" MOV_THUMB, /* b . */
     A_SYNC "080180000025"
            "84",
     "UNSUPPORTED_ISA", "range 8000-8004 thumbee n=2"},
    {"ThumbEE", PFT, MOV_THUMB "fee7" MOV_THUMB,
     A_SYNC "080180000021"
            "84",
     "range=0x8000:[0x8004]", "range 8000-8004 thumb n=2"},
    {"The last halfword", PFT, MOV_THUMB "fee7",
     A_SYNC "080180000021"
            "84",
     "ADDR_NACC( 0x8002 )", "range 8000-8004 thumb n=2"},
    /* the handler, a branch to itself at 0x8008, is in Hyp mode */
    {"State after an exception", PFT, MOV_ARM MOV_ARM "feffffea",
     A_SYNC "080080000021"
            "8580818048"
            "9d20"
            "84",
     "EXCEPTION(pref ret addr:0x8000; excep num (0x0e) )\n",
     "context arm ns hyp"},
    {"Where exceptions return", PFT, MOV_ARM MOV_ARM "feffffea",
     A_SYNC "080080000021"
            "7203"
            "818080804812",
     "EXCEPTION(pref ret addr:0x8008; excep num (0x09) )",
     "exception undefined number=9 return=8004"},
    {"Where exceptions return", PFT, MOV_ARM MOV_ARM,
     A_SYNC "080080000021"
            "818080804810",
     "EXCEPTION(pref ret addr:0x8000; excep num (0x08) )",
     "exception reset number=8\n"},
};

static char directory[] = "/tmp/etm-lister-XXXXXX";

static size_t from_hex(const char *text, uint8_t *bytes)
{
    size_t n = 0;
    char digits[3] = "";

    for (; *text != 0; text += 2) {
        memcpy(digits, text, 2);
        bytes[n++] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return n;
}

static void path_of(const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", directory, name);
}

static void write_file(const char *name, const void *bytes, size_t n)
{
    char path[64];
    FILE *file;

    path_of(name, path);
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

static const char *const files[] = {"snapshot.ini", "trace.ini", "cpu.ini",
                                    "etm.ini",      "code.bin",  "trace.bin"};

static void write_snapshot(const struct row *row)
{
    uint8_t bytes[256];
    char text[512];
    size_t n = from_hex(row->code, bytes);

    write_file("code.bin", bytes, n);
    snprintf(text, sizeof text,
             "[device]\nname=cpu_0\nclass=core\ntype=%s\n[dump]\n"
             "file=code.bin\naddress=0x%x\nlength=%zu\n",
             row->core, ADDRESS, n);
    write_text("cpu.ini", text);
    write_file("trace.bin", bytes, from_hex(row->trace, bytes));
    snprintf(text, sizeof text,
             "[device]\nname=ETM_0\nclass=trace_source\ntype=%s\n[regs]\n"
             "ETMCR=0\nETMIDR=0x%x\nETMCCER=0x%x\nETMTRACEIDR=0x10\n",
             row->type, (unsigned)row->etmidr, (unsigned)row->etmccer);
    write_text("etm.ini", text);
    write_text("snapshot.ini",
               "[snapshot]\nversion=1.0\n[device_list]\ndevice0=cpu.ini\n"
               "device1=etm.ini\n[trace]\nmetadata=trace.ini\n");
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=ETB_0\n"
               "file=trace.bin\nformat=source_data\n[source_buffers]\n"
               "ETM_0=ETB_0\n[core_trace_sources]\ncpu_0=ETM_0\n");
}

/* False: it is not here. */
static bool list(char *text, size_t capacity)
{
    char command[256];
    FILE *pipe;
    size_t n;

    snprintf(command, sizeof command,
             "trc_pkt_lister -ss_dir %s -decode_only "
             "-logfilename /dev/stdout 2>/dev/null",
             directory);
    pipe = popen(command, "r");
    if (pipe == NULL)
        return false;
    n = fread(text, 1, capacity - 1, pipe);
    text[n] = 0;
    (void)pclose(pipe); /* damage is a failure to it */
    return n != 0;
}

static void decode(const struct row *row, char *text, size_t capacity)
{
    const struct etm_register registers[] = {
        {.name = "ETMIDR", .number = 0x79, .value = row->etmidr},
        {.name = "ETMCCER", .number = 0x7a, .value = row->etmccer}};
    struct etm_test_elements elements = {NULL, 0, 0};
    struct etm_image *image;
    struct etm_config config;
    uint8_t code[256], trace[256];
    size_t n = from_hex(row->code, code), at = 0;
    char line[ETM_ELEMENT_TEXT_MAX];

    assert_ok(etm_config_from_registers(&config, ETM_PROTOCOL_NONE, registers,
                                        COUNT(registers), NULL));
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add(image, ADDRESS, code, n, NULL));
    n = from_hex(row->trace, trace);
    assert_ok(
        etm_test_decode(&config, image, ETM_LEVEL_RANGES, trace, n, &elements));
    for (size_t i = 0; i < elements.n && at < capacity; i++)
        at += (size_t)snprintf(text + at, capacity - at, "%s\n",
                               etm_element_text(&elements.all[i], line));
    free(elements.all);
    etm_image_free(image);
}

TEST(each_difference_is_as_it_is_said_to_be)
{
    static char theirs[16384], ours[4096];

    for (size_t i = 0; i < COUNT(rows); i++) {
        decode(&rows[i], ours, sizeof ours);
        if (strstr(ours, rows[i].ours) == NULL)
            fail_msg("%s (%zu): of us:\n%s", rows[i].heading, i, ours);
    }
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_snapshot(&rows[i]);
        if (!list(theirs, sizeof theirs))
            skip();
        if (strstr(theirs, rows[i].theirs) == NULL)
            fail_msg("%s (%zu): of it:\n%s", rows[i].heading, i, theirs);
    }
}

/* It tells of each change of the context, and of none here. */
TEST(it_keeps_the_state_of_before_an_exception)
{
    static char theirs[16384];
    const char *exception;

    for (size_t i = 0; i < COUNT(rows); i++) {
        if (strcmp(rows[i].heading, "State after an exception") != 0)
            continue;
        write_snapshot(&rows[i]);
        if (!list(theirs, sizeof theirs))
            skip();
        exception = strstr(theirs, "ELEM_EXCEPTION");
        assert_non_null(exception);
        assert_non_null(strstr(exception, "ELEM_INSTR_RANGE"));
        assert_null(strstr(exception, "ELEM_PE_CONTEXT"));
    }
}

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
    char path[64];

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        path_of(files[i], path);
        (void)unlink(path);
    }
    return rmdir(directory);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
