/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot that was written, read again. */
#define _XOPEN_SOURCE 700
#include "../support/test.h"
#include "snapshot_folder.h"

#include <etm/session.h>
#include <etm/write.h>

#include <sys/stat.h>
#include <unistd.h>

static const struct etm_register pft_registers[] = {
    {.name = "ETMCR", .value = 0x0000d000},
    {.name = "ETMIDR", .value = 0x411cf312},
    {.name = "ETMCCER", .value = 0x34c01ac2},
};

/* Bytes that no other source has. */
static void fill(uint8_t *bytes, size_t n, unsigned seed)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)((i * 7 + seed) % 251);
}

struct stream {
    uint8_t bytes[4096];
    size_t n;
};

static int take(void *context, const uint8_t *bytes, size_t n)
{
    struct stream *s = context;

    assert_true(n <= sizeof s->bytes - s->n);
    memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
    return ETM_OK;
}

static void stream_of(const struct etm_session *session, size_t source,
                      struct stream *stream)
{
    struct etm_session_run run = {.bytes = take, .context = stream};

    stream->n = 0;
    assert_ok(etm_session_run_source(session, source, &run, NULL));
}

/* The end of the snapshot, which is read. */
static struct etm_session *open_it(void)
{
    struct etm_session *session;

    assert_ok(etm_snapshot_writer_finish(w, NULL));
    if (etm_session_open(&session, directory, NULL, &diag) != ETM_OK)
        fail_msg("%s:%u: %s", diag.source, (unsigned)diag.line, diag.what);
    return session;
}

/* Two cores, two sources in one buffer of frames, pushed in turns. */
static void two_sources(enum etm_framing framing)
{
    static const char *const names[][2] = {{"PTM_0", "cpu_0"},
                                           {"PTM_1", "cpu_1"}};
    static const uint8_t ids[] = {0x10, 0x21};
    static struct stream stream;
    struct etm_session *session;
    uint8_t sent[2][1000];

    assert_ok(BUFFER(.framing = framing, .full_sync = 5));
    for (size_t i = 0; i < 2; i++) {
        struct etm_register registers[4] = {
            pft_registers[0],
            pft_registers[1],
            pft_registers[2],
            {.name = "ETMTRACEIDR", .value = ids[i]}};
        struct etm_snapshot_core core = {.type = "Cortex-A15"};
        struct etm_snapshot_source source = {.config = PFT(ids[i]),
                                             .registers = registers,
                                             .n_registers = 4,
                                             .core = i};
        size_t index;

        assert_ok(etm_snapshot_add_core(w, &core, &index, NULL));
        assert_int_equal(index, i);
        assert_ok(etm_snapshot_add_source(w, &source, &index, NULL));
        assert_int_equal(index, i);
        fill(sent[i], sizeof sent[i], (unsigned)i);
    }
    for (size_t at = 0; at < 2000; at += 50)
        assert_ok(trace(at / 50 % 2, sent[at / 50 % 2] + at / 100 * 50, 50));
    session = open_it();
    assert_int_equal(etm_session_sources(session), 2);
    assert_int_equal(etm_session_buffer(session, 0)->framing, framing);
    for (size_t i = 0; i < 2; i++) {
        const struct etm_source_info *info = etm_session_source(session, i);

        assert_string_equal(info->name, names[i][0]);
        assert_string_equal(info->type, "PTM1.1");
        assert_string_equal(info->core, names[i][1]);
        assert_string_equal(info->core_type, "Cortex-A15");
        assert_int_equal(info->id, ids[i]);
        assert_true(info->config.cycle_accurate);
        assert_int_equal(info->config.context_id_bytes, 4);
        stream_of(session, i, &stream);
        assert_int_equal(stream.n, 1000);
        assert_memory_equal(stream.bytes, sent[i], 1000);
    }
    etm_session_free(session);
}

IN_A_FOLDER(frames_hold_several_sources)
{
    two_sources(ETM_FRAMING_CORESIGHT);
}

IN_A_FOLDER(a_tpiu_stream_holds_several_sources)
{
    two_sources(ETM_FRAMING_TPIU);
}

IN_A_FOLDER(a_dstream_capture_holds_several_sources)
{
    two_sources(ETM_FRAMING_DSTREAM);
}

/* Each has a file and a name, its own or one that is made for it. */
IN_A_FOLDER(each_buffer_comes_back_with_its_source)
{
    static const enum etm_framing framings[] = {
        ETM_FRAMING_NONE, ETM_FRAMING_CORESIGHT, ETM_FRAMING_NONE};
    static const char *const files[] = {"a.bin", "b.bin", "c.bin"},
                             *const names[] = {NULL, "ETF", NULL},
                             *const seen[] = {"ETB_0", "ETF", "ETB_2"};
    static struct stream stream;
    struct etm_session *session;
    uint8_t sent[3][500];

    for (size_t i = 0; i < 3; i++) {
        assert_ok(
            BUFFER(.name = names[i], .file = files[i], .framing = framings[i]));
        assert_ok(SOURCE(.config = PFT(framings[i] != ETM_FRAMING_NONE),
                         .registers = pft_registers, .n_registers = 3,
                         .core = ETM_SNAPSHOT_NONE, .buffer = i));
        fill(sent[i], sizeof sent[i], (unsigned)i);
        assert_ok(trace(i, sent[i], sizeof sent[i]));
    }
    session = open_it();
    assert_int_equal(etm_session_sources(session), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(etm_session_buffer(session, i)->name, seen[i]);
        assert_int_equal(etm_session_buffer(session, i)->framing, framings[i]);
        stream_of(session, i, &stream);
        assert_int_equal(stream.n, sizeof sent[i]);
        assert_memory_equal(stream.bytes, sent[i], sizeof sent[i]);
    }
    etm_session_free(session);
}

/* Whatever it ends with: 01 and zeros are no stop sequence here. E-334 */
TEST(a_plain_stream_comes_back)
{
    static const uint8_t ends[3][4] = {
        {0, 0, 0, 0}, {5, 1, 0, 0}, {5, 5, 5, 1}};
    static struct stream stream;
    struct etm_session *session;
    uint8_t sent[500];

    for (size_t i = 0; i < 6; i++) {
        size_t n = 499 + i % 2;

        assert_int_equal(make(NULL), 0);
        fill(sent, sizeof sent, 3);
        memcpy(sent + n - 4, ends[i / 2], 4);
        assert_ok(BUFFER(.name = "ETF", .file = "etf.bin"));
        assert_ok(SOURCE(.name = "PTM_A", .config = PFT(0),
                         .registers = pft_registers, .n_registers = 3,
                         .core = ETM_SNAPSHOT_NONE));
        assert_ok(trace(0, sent, n));
        session = open_it();
        assert_string_equal(etm_session_buffer(session, 0)->name, "ETF");
        stream_of(session, 0, &stream);
        assert_int_equal(stream.n, n);
        assert_memory_equal(stream.bytes, sent, n);
        etm_session_free(session);
        assert_int_equal(clear(NULL), 0);
    }
}

/* The text of a file of the snapshot. */
static const char *text_of(const char *name)
{
    static char text[4096];
    FILE *file = fopen(within(name), "rb");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return text;
}

/* What can be read there, up to 8 bytes, are these. */
static void reads(struct etm_session *session, uint32_t address,
                  const struct etm_space *space, const uint8_t *bytes, size_t n)
{
    uint8_t got[8];

    assert_int_equal(
        etm_session_read(session, 0, address, space, got, sizeof got), n);
    assert_memory_equal(got, bytes, n);
}

IN_A_FOLDER(memory_and_registers_of_a_core_come_back)
{
    static const uint8_t code[] = {1, 2, 3, 4, 5, 6, 7, 8},
                         seen[] = {1, 2, 3, 4, 1, 2, 3, 4};
    const struct etm_snapshot_piece pieces[] = {{0xa000, code + 4, 2},
                                                {0x9000, code, 4}};
    const struct etm_snapshot_piece none = {0x8000, code, 0};
    const struct etm_space secure = {.secure = ETM_TRUE};
    const struct etm_register registers[] = {{.name = "R15", .value = 0x8000},
                                             {.name = "CPSR", .value = 0x1d3}};
    struct etm_register ids[] = {
        pft_registers[0],
        pft_registers[1],
        {.name = "ETMTRACEIDR", .value = 0x10},
        {.name = "ETMCCER", .number = ETM_REGISTER_NONE},
        {.name = "OWN", .number = 0x3a0, .value = 1},
        {.name = "ETMSCR", .number = 5}};
    struct etm_session *session;

    assert_ok(CORE(.name = "main", .registers = registers, .n_registers = 2));
    assert_ok(memory("code.bin", 0x8000, code, 8));
    assert_ok(memory("byte.bin", 0xb000, code, 1));
    assert_ok(etm_snapshot_add_memory(w, 0, "code2.bin", 0x8004, code, 4,
                                      &secure, NULL));
    /* pieces are in one file: a log may be of a hundred thousand places */
    assert_ok(etm_snapshot_add_pieces(w, 0, "p.bin", pieces, 2, NULL, NULL));
    assert_refused(
        etm_snapshot_add_pieces(w, 1, "q.bin", pieces, 2, NULL, NULL));
    assert_refused(
        etm_snapshot_add_pieces(w, 0, "q.bin", &none, 1, NULL, NULL));
    assert_refused(
        etm_snapshot_add_pieces(w, 0, "q.bin", pieces, 0, NULL, NULL));
    assert_refused(etm_snapshot_add_pieces(w, 0, "q.bin", NULL, 1, NULL, NULL));
    assert_refused(etm_snapshot_add_pieces(w, 0, NULL, pieces, 2, NULL, NULL));
    assert_ok(BUFFER(.framing = ETM_FRAMING_CORESIGHT));
    assert_ok(SOURCE(.config = PFT(0x10), .registers = ids, .n_registers = 6));
    session = open_it();
    reads(session, 0x8000, &(struct etm_space){.secure = ETM_FALSE}, code, 8);
    reads(session, 0x8000, &secure, seen, 8);
    reads(session, 0x9000, NULL, code, 4);
    reads(session, 0xb000, NULL, code, 1);
    reads(session, 0xa000, NULL, code + 4, 2);
    etm_session_free(session);
    /* a core without a type has none, not an empty one */
    assert_non_null(strstr(text_of("device_0.ini"), "class=core\n"));
    assert_null(strstr(text_of("device_0.ini"), "type="));
    /* registers of the core have a name and no number */
    assert_non_null(strstr(text_of("device_0.ini"), "\nR15=0x00008000\n"));
    assert_non_null(strstr(text_of("device_0.ini"), "\nCPSR=0x000001D3\n"));
    /* those of a macrocell have one: their own, or that of the name */
    assert_non_null(strstr(text_of("device_1.ini"), "\nETMTRACEIDR(0x080)=0x"));
    assert_non_null(strstr(text_of("device_1.ini"), "\nETMCCER(0x07A)=0x"));
    assert_non_null(strstr(text_of("device_1.ini"), "\nOWN(0x3A0)=0x00000001"));
    assert_non_null(strstr(text_of("device_1.ini"), "\nETMSCR(0x005)=0x"));
}

/* Just enough of an ELF file: two segments. */
static void write_elf(const char *path)
{
    uint8_t elf[200] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    elf[16] = 2;
    elf[18] = 40;
    elf[28] = 52;
    elf[40] = 52;
    elf[42] = 32;
    elf[44] = 2;
    for (size_t i = 0; i < 2; i++) {
        uint8_t *h = elf + 52 + 32 * i;

        h[0] = 1;
        h[4] = (uint8_t)(120 + 40 * i);
        h[9] = (uint8_t)(0x80 + 0x10 * i);
        h[16] = h[20] = 40;
        h[24] = 5;
    }
    for (size_t i = 120; i < 200; i++)
        elf[i] = (uint8_t)i;
    assert_int_equal(fwrite(elf, 1, sizeof elf, file), sizeof elf);
    assert_int_equal(fclose(file), 0);
}

IN_A_FOLDER(a_program_is_copied_and_its_pieces_named)
{
    char path[400];
    uint8_t got[2];
    struct etm_session *session;

    snprintf(path, sizeof path, "%s", beside("program.elf"));
    write_elf(path);
    /* one of an earlier snapshot is replaced */
    assert_int_equal(rename(path, within("program.elf")), 0);
    assert_int_equal(truncate(within("program.elf"), 120), 0);
    write_elf(path);
    assert_ok(CORE(.name = NULL));
    assert_ok(etm_snapshot_add_program(w, 0, path, NULL));
    assert_int_equal(remove(path), 0);
    assert_int_equal(etm_snapshot_add_program(w, 0, path, &diag), ETM_ERR_IO);
    /* the copy itself, in place */
    assert_ok(etm_snapshot_add_program(w, 0, within("program.elf"), &diag));
    assert_ok(BUFFER(.framing = ETM_FRAMING_NONE));
    assert_ok(
        SOURCE(.config = PFT(0), .registers = pft_registers, .n_registers = 3));
    session = open_it();
    assert_int_equal(etm_session_read(session, 0, 0x8001, NULL, got, 2), 2);
    assert_int_equal(got[0], 121);
    assert_int_equal(etm_session_read(session, 0, 0x9027, NULL, got, 2), 1);
    assert_int_equal(got[0], 199);
    etm_session_free(session);
}

static const uint8_t bytes[] = {1, 2, 3};

/* One file of a snapshot does not replace another. */
IN_A_FOLDER(a_program_with_the_name_of_a_part_is_refused)
{
    static const char *const names[] = {"cstrace.bin", "trace.ini",
                                        "snapshot.ini", "device_12.ini"};

    assert_ok(CORE(.name = NULL));
    assert_ok(CORE(.name = NULL));
    assert_ok(BUFFER(.framing = ETM_FRAMING_NONE));
    for (size_t i = 0; i < COUNT(names); i++) {
        write_elf(beside(names[i]));
        refused_for(etm_snapshot_add_program(w, 0, beside(names[i]), &diag),
                    "there is already a file called ");
        assert_refused(memory(names[i], 0, bytes, 3));
    }
    assert_ok(memory("code.bin", 0, bytes, 3));
    /* the same code for two cores */
    assert_ok(
        etm_snapshot_add_memory(w, 1, "code.bin", 0, bytes, 3, NULL, &diag));
    assert_refused(
        etm_snapshot_add_memory(w, 1, "code.bin", 0, bytes, 2, NULL, &diag));
    assert_refused(BUFFER(.framing = ETM_FRAMING_NONE, .file = "code.bin"));
    assert_ok(BUFFER(.framing = ETM_FRAMING_NONE, .file = "device_x.ini"));
    assert_refused(BUFFER(.framing = ETM_FRAMING_NONE, .file = "device_0.ini"));
}

/* Who took the right to write it away wants to keep it. */
IN_A_FOLDER(a_file_that_nobody_may_write_stays)
{
    FILE *file = fopen(within("kept"), "wb");

    assert_non_null(file);
    fclose(file);
    assert_int_equal(chmod(within("kept"), 0444), 0);
    assert_ok(CORE(.name = NULL));
    if (access(within("kept"), W_OK) == 0) {
        print_message("skipped: root may write everything\n");
        skip();
    }
    assert_int_equal(memory("kept", 0, bytes, 3), ETM_ERR_IO);
    assert_non_null(strstr(diag.what, "cannot be written: "));
}

IN_A_FOLDER(samples_become_lines)
{
    /* PIPESTAT and TRACEPKT of three cycles */
    static const uint8_t records[] = {0x84, 0x4f, 0x07, 0x00, 0x01, 0xa5};

    assert_ok(BUFFER(.framing = ETM_FRAMING_PORT));
    assert_ok(SOURCE(.config = CONFIG(ETM_PROTOCOL_ETMV1, .minor = 2),
                     .core = ETM_SNAPSHOT_NONE));
    for (size_t i = 0; i < sizeof records; i++)
        assert_ok(trace(0, &records[i], 1));
    assert_ok(etm_snapshot_writer_finish(w, NULL));
    assert_string_equal(text_of("cstrace.bin"), "1 4 4f\n0 7 00\n0 1 a5\n");
}

/* A port of 16 pins: the last sample is filled up. */
IN_A_FOLDER(a_stream_goes_over_a_port)
{
    const struct etm_register registers[] = {
        {.name = "ETMCR", .value = 0x00000020},
        {.name = "ETMIDR", .value = 0x4104f231}};
    static struct stream stream;
    struct etm_session *session;
    uint8_t sent[101];

    fill(sent, sizeof sent, 1);
    assert_ok(BUFFER(.framing = ETM_FRAMING_PORT));
    assert_ok(SOURCE(.config = CONFIG(ETM_PROTOCOL_ETMV3, .minor = 1),
                     .registers = registers, .n_registers = 2,
                     .core = ETM_SNAPSHOT_NONE));
    for (size_t i = 0; i < sizeof sent; i++)
        assert_ok(trace(0, &sent[i], 1));
    session = open_it();
    stream_of(session, 0, &stream);
    assert_int_equal(stream.n, 102);
    assert_memory_equal(stream.bytes, sent, 101);
    assert_int_equal(stream.bytes[101], 0x66); /* ignore */
    etm_session_free(session);
}
