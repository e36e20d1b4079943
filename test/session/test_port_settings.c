/* SPDX-License-Identifier: Apache-2.0 */
/* What tells how the samples of a port are to be read: a snapshot, registers,
 * options, and the file itself. */
#include "port_example.h"

/* A snapshot of the example: what its files tell of the processor. */
static void write_snapshot(const char *regs)
{
    char text[512];

    write_file("code.bin", code, sizeof code);
    write_text("snapshot.ini", "[snapshot]\nversion=1.0\n[device_list]\n"
                               "a=core.ini\nb=etm.ini\n[trace]\n"
                               "metadata=trace.ini\n");
    snprintf(text, sizeof text,
             "[device]\nname=cpu\nclass=core\ntype=ARM926EJ-S\n[regs]\n%s"
             "[dump1]\nfile=code.bin\naddress=0x1000\n",
             regs);
    write_text("core.ini", text);
    write_text("etm.ini", "[device]\nname=ETM_0\nclass=trace_source\n"
                          "type=ETM1.3\n[regs]\nETMCR(0x000)=0x1014\n"
                          "ETMCCR(0x001)=0x30000000\n");
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=port\n[port]\nname=port\n"
               "file=port.txt\nformat=trace_port\n[source_buffers]\n"
               "ETM_0=port\n[core_trace_sources]\ncpu=ETM_0\n");
    write_samples("port.txt");
}

static void snapshot_of_a_port_is_decoded(void **state)
{
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    write_snapshot("SCTLR=0x0\n");
    session = open_port("snapshot.ini", NULL);
    assert_string_equal(etm_session_source(session, 0)->name, "ETM_0");
    assert_int_equal(etm_session_buffer(session, 0)->framing, ETM_FRAMING_PORT);
    see(session, 0, &seen);
    expect_example(&seen);
    forget(&seen);
    etm_session_free(session);
}

/* A snapshot says what its files do not show. */
static void snapshot_tells_the_form_of_samples(void **state)
{
    static const struct {
        const char *format, *signals;
        void (*write)(const char *name);
        const char *fault;
    } rows[] = {
        {"trace_port_text", "", write_samples, NULL},
        {"trace_port_records", "", write_records, NULL},
        {"trace_port_etb", "", write_etb, NULL},
        {"trace_port_vcd", "signals=traceclk=TRACECLK\n", write_vcd, NULL},
        {"trace_port", "signals=pipestat=PIPESTAT\n", write_vcd, NULL},
        {"source_data", "", write_records, NULL},
        {"trace_port_text", "signals=a=b\n", write_samples,
         "value change dumps and tables"},
        {"trace_port_fst", "", write_samples, "unknown buffer format"},
        {"trace_port_auto", "", write_samples, "unknown buffer format"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_session *session;
        struct etm_diag diag = {0};
        struct seen seen = {0};
        char text[512];

        write_snapshot("SCTLR=0x0\n");
        snprintf(text, sizeof text,
                 "[trace_buffers]\nbuffers=port\n[port]\nfile=port.bin\n"
                 "format=%s\n%s[source_buffers]\nETM_0=port\n"
                 "[core_trace_sources]\ncpu=ETM_0\n",
                 rows[i].format, rows[i].signals);
        write_text("trace.ini", text);
        rows[i].write("port.bin");
        if (rows[i].fault != NULL) {
            assert_int_equal(etm_session_open(&session,
                                              in_directory("snapshot.ini"),
                                              NULL, &diag),
                             ETM_ERR_FORMAT);
            expect_diag(&diag, ETM_ERR_FORMAT, "trace.ini",
                        rows[i].signals[0] != '\0' ? 6 : 5, rows[i].fault);
            continue;
        }
        session = open_port("snapshot.ini", NULL);
        see(session, 0, &seen);
        assert_int_equal(count_kind(&seen.elements, ETM_ELEMENT_INSN), 6);
        assert_int_equal(count_kind(&seen.elements, ETM_ELEMENT_DATA), 3);
        forget(&seen);
        etm_session_free(session);
    }
}

/* CFG-14, CFG-15, E-166, V3-CFG-19 */
static void the_core_tells_vectors_and_byte_order(void **state)
{
    static const struct {
        const char *regs;
        bool high;
        enum etm_endian endian;
    } rows[] = {
        {"", false, ETM_ENDIAN_UNKNOWN},
        {"CPSR=0x1d3\n", false, ETM_ENDIAN_UNKNOWN},
        {"SCTLR=0x0\n", false, ETM_ENDIAN_LITTLE},
        {"CP15_SCTLR=0x2000\n", true, ETM_ENDIAN_LITTLE},
        {"SCTLR(size:32)=0x80\n", false, ETM_ENDIAN_BE32},
        {"SCTLR=0x2000080\nCPSR=0x200\n", false, ETM_ENDIAN_BE32},
        {"SCTLR=0x2000000\n", false, ETM_ENDIAN_BE8},
        {"SCTLR=0x2000000\nCPSR=0x1d3\n", false, ETM_ENDIAN_LITTLE},
        {"CPSR=0x3d3\n", false, ETM_ENDIAN_BE8},
        {"NOSCTLR=0x2080\n", false, ETM_ENDIAN_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct etm_config *c;
        struct etm_session *session;

        write_snapshot(rows[i].regs);
        session = open_port("snapshot.ini", NULL);
        c = &etm_session_source(session, 0)->config;
        assert_int_equal(c->high_vectors, rows[i].high);
        assert_int_equal(c->endian, rows[i].endian);
        etm_session_free(session);
    }
}

static void refuse_as(int status, const char *name,
                      const struct etm_session_options *options,
                      const char *part)
{
    struct etm_session *session;
    struct etm_diag diag = {0};

    assert_int_equal(
        etm_session_open(&session, in_directory(name), options, &diag), status);
    assert_null(session);
    if (strstr(diag.what, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", diag.what, part);
}

static void refuse(const char *name, const struct etm_session_options *options,
                   const char *part)
{
    refuse_as(ETM_ERR_CONFIG, name, options, part);
}

static void what_contradicts_the_capture_is_refused(void **state)
{
    static const struct etm_register mine[] = {{"ETMCR", 0, 0x1010}};
    const char *image = image_of();
    struct etm_session_options o = options_of(&image);

    (void)state;
    write_samples("a.txt");
    write_openocd("a.oocd");
    o.port_width = 16;
    refuse("a.txt", &o, "ETMCR has a port of 8 bits, not of 16");
    o.port_width = 0;
    o.signals = "traceclk=CLK";
    refuse("a.txt", &o, "value change dumps and tables");
    o.signals = NULL;
    o.framing = ETM_FRAMING_NONE;
    o.form = ETM_PORT_FORM_TEXT;
    refuse("a.txt", &o, "framing port only");
    o = options_of(&image);
    o.registers = mine;
    o.n_registers = 1;
    refuse("a.oocd", &o, "ETMCR is 0x1014");
    o = (struct etm_session_options){.protocol = ETM_PROTOCOL_PFT};
    o.port_width = 8;
    refuse("a.txt", &o, "ETMv1 and ETMv2");
    o.port_width = 0;
    o.high_vectors = true;
    refuse("a.txt", &o, "high vectors are given for ETMv1 and ETMv2");
    o.high_vectors = false;
    o.endian = ETM_ENDIAN_BE8;
    refuse("a.txt", &o, "byte order is given for ETMv1 and ETMv2");
    write_snapshot("SCTLR=0x0\n");
    o = (struct etm_session_options){.endian = ETM_ENDIAN_BE8};
    refuse("snapshot.ini", &o, "a byte order other");
    o = (struct etm_session_options){.high_vectors = true};
    refuse("snapshot.ini", &o, "vectors are low");
    o = (struct etm_session_options){.port_width = 8};
    refuse("snapshot.ini", &o, "own configuration");
    o = (struct etm_session_options){.form = ETM_PORT_FORM_TEXT};
    refuse("snapshot.ini", &o, "own configuration");
    o = (struct etm_session_options){.signals = "traceclk=A"};
    refuse("snapshot.ini", &o, "own configuration");
}

static void options_stand_in_for_what_the_capture_does_not_tell(void **state)
{
    struct etm_session_options o = {.protocol = ETM_PROTOCOL_ETMV1,
                                    .framing = ETM_FRAMING_PORT,
                                    .port_width = 16,
                                    .high_vectors = true,
                                    .endian = ETM_ENDIAN_BE32};
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    write_text("wide.txt", "1 7 1234\n0 7 fedc");
    session = open_port("wide.txt", &o);
    assert_int_equal(etm_session_source(session, 0)->config.port_width, 16);
    assert_true(etm_session_source(session, 0)->config.high_vectors);
    assert_int_equal(etm_session_source(session, 0)->config.endian,
                     ETM_ENDIAN_BE32);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 6);
    assert_memory_equal(seen.stream, "\x87\x34\x12\x07\xdc\xfe", 6);
    assert_int_equal(seen.packets[3].offset, 1);
    forget(&seen);
    etm_session_free(session);
    write_snapshot("");
    o = (struct etm_session_options){.high_vectors = true,
                                     .endian = ETM_ENDIAN_BE8};
    session = open_port("snapshot.ini", &o);
    assert_true(etm_session_source(session, 0)->config.high_vectors);
    assert_int_equal(etm_session_source(session, 0)->config.endian,
                     ETM_ENDIAN_BE8);
    etm_session_free(session);
}

/* Neither ETMCR nor the caller tells a width. E-96, E-163 */
static void port_of_an_untold_width_has_8_pins(void **state)
{
    const struct etm_session_options v1 = {.protocol = ETM_PROTOCOL_ETMV1,
                                           .framing = ETM_FRAMING_PORT};
    const struct etm_session_options v3 = {.protocol = ETM_PROTOCOL_ETMV3,
                                           .framing = ETM_FRAMING_PORT};
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    write_text("v3.txt", "0 a5\n0 5a\n");
    session = open_port("v3.txt", &v3);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 2);
    assert_memory_equal(seen.stream, "\xa5\x5a", 2);
    forget(&seen);
    etm_session_free(session);
    write_text("v1.txt", "0 3 a5\n0 7 5a\n");
    session = open_port("v1.txt", &v1);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 4);
    assert_memory_equal(seen.stream, "\x03\xa5\x07\x5a", 4);
    forget(&seen);
    etm_session_free(session);
}

/* Of a value change dump, the pins tell the width of the port. E-96, E-163 */
static void width_of_a_dump_is_that_of_its_signals(void **state)
{
    const struct etm_session_options o = {.protocol = ETM_PROTOCOL_ETMV1,
                                          .framing = ETM_FRAMING_PORT};
    const struct etm_session_options v3 = {.protocol = ETM_PROTOCOL_ETMV3,
                                           .framing = ETM_FRAMING_PORT};
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    write_text("a.vcd",
               "$var wire 3 ! PIPESTAT $end $var wire 16 a TRACEPKT $end\n"
               "$var wire 1 b TRACESYNC $end $var wire 1 c TRACECLK $end\n"
               "$enddefinitions $end #0 b11 ! b1001000110100 a 1b 0c #1 1c\n");
    session = open_port("a.vcd", &o);
    assert_int_equal(etm_session_source(session, 0)->config.port_width, 16);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 3);
    assert_memory_equal(seen.stream, "\x83\x34\x12", 3);
    forget(&seen);
    etm_session_free(session);
    write_text("b.vcd",
               "$var wire 1 ! TRACECTL $end $var wire 16 a TRACEDATA $end\n"
               "$var wire 1 c TRACECLK $end $enddefinitions $end\n"
               "#0 0! b1001000110100 a 0c #1 1c\n");
    session = open_port("b.vcd", &v3);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 2);
    assert_memory_equal(seen.stream, "\x34\x12", 2);
    forget(&seen);
    etm_session_free(session);
}

/* What the port of a TPIU is like, ETMCR does not tell. E-331 */
static void port_of_a_tpiu_is_not_that_of_etmcr(void **state)
{
    static const struct etm_register cycles[] = {{"ETMCR", 0, 0x1000}};
    static const struct etm_register wide[] = {{"ETMCR", 0, 0x40}};
    struct etm_session_options o = {.protocol = ETM_PROTOCOL_PFT,
                                    .framing = ETM_FRAMING_PORT,
                                    .registers = cycles,
                                    .n_registers = 1};
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    write_text("a.txt", "0 a5\n0 5a\n");
    write_text("a.vcd",
               "$var wire 1 ! TRACECTL $end $var wire 16 a TRACEDATA $end\n"
               "$var wire 1 c TRACECLK $end $enddefinitions $end\n"
               "#0 0! b1001000110100 a 0c #1 1c #2 b1000000000001 a #3 0c\n");
    session = open_port("a.txt", &o);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 2);
    assert_memory_equal(seen.stream, "\xa5\x5a", 2);
    forget(&seen);
    etm_session_free(session);
    session = open_port("a.vcd", &o);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 4);
    assert_memory_equal(seen.stream, "\x34\x12\x01\x10", 4);
    forget(&seen);
    etm_session_free(session);
    o.protocol = ETM_PROTOCOL_ETMV3;
    o.registers = wide;
    o.port_width = 8;
    session = open_port("a.vcd", &o);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 2);
    assert_memory_equal(seen.stream, "\x34\x01", 2);
    forget(&seen);
    etm_session_free(session);
}

/* Frames with the trace of a PFT (ID 0x12) and something else in them. */
static size_t make_tpiu(uint8_t *out, size_t capacity)
{
    static const uint8_t trace[] = {0,    0,    0,    0,    0,    0x80, 0x08,
                                    0x00, 0x80, 0x00, 0x00, 0x21, 0x84, 0x86};
    const struct etm_framer_config config = {
        .layout = ETM_FRAME_TPIU, .full_sync = 2, .half_sync = 11};
    struct etm_framer *framer;
    const uint8_t *bytes;
    size_t n;

    assert_int_equal(etm_framer_new(&framer, &config), ETM_OK);
    for (unsigned i = 0; i < 20; i++) {
        assert_int_equal(etm_framer_push(framer, 0x12, trace, sizeof trace),
                         ETM_OK);
        assert_int_equal(
            etm_framer_push(framer, 1, (const uint8_t *)"\xff\xff\xff", 3),
            ETM_OK);
    }
    assert_int_equal(etm_framer_flush(framer), ETM_OK);
    etm_framer_take(framer, &bytes, &n);
    assert_in_range(n, 1, capacity);
    memcpy(out, bytes, n);
    etm_framer_free(framer);
    return n;
}

/* Four pins of a microcontroller from half a byte on: no TRACECTL. E-332 */
static void frames_of_a_tpiu_come_off_its_port(void **state)
{
    static const char header[] =
        "$scope module libsigrok $end\n"
        "$var wire 1 ! TRACED0 $end $var wire 1 a TRACED1 $end\n"
        "$var wire 1 b TRACED2 $end $var wire 1 c TRACED3 $end\n"
        "$var wire 1 d TRACECK $end $upscope $end $enddefinitions $end\n"
        "#0 0d\n";
    struct etm_session_options o = {.protocol = ETM_PROTOCOL_PFT,
                                    .framing = ETM_FRAMING_TPIU};
    struct etm_session *session;
    struct seen whole = {0}, seen = {0};
    uint8_t bytes[1024];
    char text[65536];
    size_t n = make_tpiu(bytes, sizeof bytes), end;

    (void)state;
    write_file("a.tpiu", bytes, n);
    session = open_port("a.tpiu", &o);
    assert_int_equal(etm_session_sources(session), 2);
    see(session, 1, &whole);
    etm_session_free(session);
    end = (size_t)snprintf(text, sizeof text, "%s", header);
    for (size_t i = 1; i < 2 * n; i++) {
        unsigned pins = bytes[i / 2] >> i % 2 * 4;

        end += (size_t)snprintf(text + end, sizeof text - end,
                                "#%zu %u! %ua %ub %uc\n#%zu %ud\n", 10 * i,
                                pins & 1, pins >> 1 & 1, pins >> 2 & 1,
                                pins >> 3 & 1, 10 * i + 5, (unsigned)(i % 2));
    }
    assert_true(end < sizeof text);
    write_file("a.vcd", text, end);
    o.framing = ETM_FRAMING_TPIU_PORT;
    session = open_port("a.vcd", &o);
    assert_int_equal(etm_session_buffer(session, 0)->framing, ETM_FRAMING_TPIU);
    assert_int_equal(etm_session_sources(session), 2);
    see(session, 1, &seen);
    assert_int_equal(seen.n_stream, whole.n_stream);
    assert_memory_equal(seen.stream, whole.stream, whole.n_stream);
    forget(&seen);
    forget(&whole);
    etm_session_free(session);
    /* without frames nobody knows which cycles have trace */
    o.framing = ETM_FRAMING_PORT;
    session = open_port("a.vcd", &o);
    assert_int_equal(
        etm_session_run_source(session, 0, &(struct etm_session_run){0}, NULL),
        ETM_ERR_FORMAT);
    etm_session_free(session);
    o.framing = ETM_FRAMING_TPIU_PORT;
    o.signals = "tracedata=D0,traceclk=TRACECK";
    refuse_as(ETM_ERR_FORMAT, "a.vcd", &o, "no variable D0");
    o.signals = NULL;
    o.port_width = 8;
    refuse_as(ETM_ERR_FORMAT, "a.vcd", &o, "TRACEDATA[4] is not in the dump");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snapshot_of_a_port_is_decoded),
        cmocka_unit_test(snapshot_tells_the_form_of_samples),
        cmocka_unit_test(the_core_tells_vectors_and_byte_order),
        cmocka_unit_test(what_contradicts_the_capture_is_refused),
        cmocka_unit_test(options_stand_in_for_what_the_capture_does_not_tell),
        cmocka_unit_test(port_of_an_untold_width_has_8_pins),
        cmocka_unit_test(width_of_a_dump_is_that_of_its_signals),
        cmocka_unit_test(port_of_a_tpiu_is_not_that_of_etmcr),
        cmocka_unit_test(frames_of_a_tpiu_come_off_its_port),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
