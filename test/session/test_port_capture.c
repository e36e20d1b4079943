/* SPDX-License-Identifier: Apache-2.0 */
/* Captures of ETMv1 and ETMv2: the same cycles in every form of file. */
#include "../support/scarce.h"
#include "session_support.h"

#include <etm/write.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* PIPESTAT of ETMv1, table 5-1 */
enum { IE, ID, IN, WT, BE, BD, TR, TD };

/*
 * Example 5-1 of the specification (EX-01): a port of 8 pins, cycle-accurate,
 * data values. Before it tracing begins at 0x1000, behind it are the cycles
 * that the example leaves out: the address packet offset of the branch.
 */
static const struct etm_port_sample example[] = {
    {0x80, 1, BE}, {0xa0, 0, IE}, {0x80, 0, IE}, {0x80, 0, WT}, {0x10, 0, WT},
    {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, IE},
    {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD},
    {0x11, 0, ID}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD},
    {0x01, 0, TD}, {0x11, 0, ID}, {0x22, 0, WT}, {0x01, 0, TD}, {0x01, 0, TD},
    {0x11, 0, WT}, {0x22, 0, WT}, {0x33, 0, WT}, {0x44, 0, WT}, {0x01, 0, ID},
    {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, TD}, {0x01, 0, IE}, {0x00, 1, BE},
    {0x00, 0, IE}, {0x00, 0, IE}, {0x00, 0, TD},
};
#define N COUNT(example)

/* MOV r2, #0x20000; LDRB, LDRH, LDR r0, [r2]; NOP; B 0x1000 */
static const uint8_t code[] = {0x02, 0x28, 0xa0, 0xe3, 0x00, 0x00, 0xd2, 0xe5,
                               0xb0, 0x00, 0xd2, 0xe1, 0x00, 0x00, 0x92, 0xe5,
                               0x00, 0x00, 0xa0, 0xe1, 0xf9, 0xff, 0xff, 0xea};

static const struct etm_register etmcr[] = {
    {"ETMCR", 0, 0x1014}, {"ETMCCR", 1, UINT32_C(0x30000000)}};

/* What a raw file of the example is opened with. */
static struct etm_session_options options_of(const char *const *image)
{
    return (struct etm_session_options){.framing = ETM_FRAMING_PORT,
                                        .registers = etmcr,
                                        .n_registers = 2,
                                        .endian = ETM_ENDIAN_LITTLE,
                                        .images = image,
                                        .n_images = 1};
}

static const char *image_of(void)
{
    static char image[1100];

    write_file("code.bin", code, sizeof code);
    snprintf(image, sizeof image, "%s@0x1000", in_directory("code.bin"));
    return image;
}

/* Room for the lines of the example, and for others between them. */
#define TEXT_MAX (N * 40)

/* The line of a sample behind the `n` characters that are there. */
static size_t add_line(char text[TEXT_MAX], size_t n,
                       const struct etm_port_sample *sample)
{
    int more = snprintf(text + n, TEXT_MAX - n, "%x %x %02x\n", sample->control,
                        sample->status, (unsigned)sample->data);

    assert_true(more > 0 && n + (size_t)more < TEXT_MAX);
    return n + (size_t)more;
}

static void write_samples(const char *name)
{
    char text[TEXT_MAX];
    size_t n = 0;

    for (size_t i = 0; i < N; i++)
        n = add_line(text, n, &example[i]);
    write_file(name, text, n);
}

static void write_records(const char *name)
{
    uint8_t bytes[2 * N];

    for (size_t i = 0; i < N; i++) {
        bytes[2 * i] =
            (uint8_t)(example[i].status | (unsigned)example[i].control << 7);
        bytes[2 * i + 1] = (uint8_t)example[i].data;
    }
    write_file(name, bytes, sizeof bytes);
}

/* The highest byte first. */
static void put_be32(uint8_t *out, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static void write_openocd(const char *name)
{
    uint8_t bytes[12 * (N + 1)];

    put_be32(bytes, 4);
    put_be32(bytes + 4, 0x1014);
    put_be32(bytes + 8, (uint32_t)N);
    for (size_t i = 0; i < N; i++) {
        put_be32(bytes + 12 * (i + 1), example[i].status);
        put_be32(bytes + 12 * (i + 1) + 4, (uint32_t)example[i].data);
        put_be32(bytes + 12 * (i + 1) + 8, example[i].control);
    }
    write_file(name, bytes, sizeof bytes);
}

/* Two cycles a word, the first one lowest. */
static void write_etb(const char *name)
{
    uint8_t bytes[2 * N];

    assert_int_equal(N % 2, 0);
    for (size_t i = 0; i < N; i += 2) {
        uint32_t word = 0;

        for (unsigned k = 0; k < 2; k++)
            word |=
                (example[i + k].status | (uint32_t)example[i + k].data << 3 |
                 (uint32_t)example[i + k].control << 11)
                << 12 * k;
        for (unsigned k = 0; k < 4; k++)
            bytes[2 * i + k] = (uint8_t)(word >> 8 * k);
    }
    write_file(name, bytes, sizeof bytes);
}

struct text {
    char all[16384];
    size_t n;
};

static int take_text(void *context, const char *text, size_t n)
{
    struct text *t = context;

    assert_true(t->n + n < sizeof t->all);
    memcpy(t->all + t->n, text, n);
    t->n += n;
    return ETM_OK;
}

static void write_port_vcd(const char *name, enum etm_port_mode mode,
                           bool half_rate)
{
    const struct etm_port_config port = {.protocol = ETM_PROTOCOL_ETMV1,
                                         .width = 8,
                                         .mode = mode,
                                         .half_rate = half_rate};
    struct text text = {.n = 0};
    const struct etm_vcd_writer_config config = {
        .port = &port, .write = take_text, .context = &text};
    struct etm_vcd_writer *writer;

    assert_int_equal(etm_vcd_writer_new(&writer, &config, NULL), ETM_OK);
    assert_int_equal(etm_vcd_writer_push(writer, example, N), ETM_OK);
    assert_int_equal(etm_vcd_writer_finish(writer), ETM_OK);
    etm_vcd_writer_free(writer);
    write_file(name, text.all, text.n);
}

static void write_vcd(const char *name)
{
    write_port_vcd(name, ETM_PORT_NORMAL, false);
}

static struct etm_session *open_port(const char *name,
                                     const struct etm_session_options *options)
{
    struct etm_session *session;
    struct etm_diag diag = {0};

    if (etm_session_open(&session, in_directory(name), options, &diag) !=
        ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
    return session;
}

/* The example as it was: instructions, data, cycles, and each at its cycle. */
static void expect_example(const struct seen *s)
{
    static const struct {
        uint32_t address;
        uint64_t offset, cycles;
    } insns[] = {{0x1000, 9, 9},  {0x1004, 15, 6}, {0x1008, 21, 6},
                 {0x100c, 29, 8}, {0x1010, 33, 4}, {0x1014, 34, 1}};
    static const struct {
        uint32_t value;
        uint8_t size;
    } data[] = {{0x11, 1}, {0x2211, 2}, {0x44332211, 4}};
    size_t n = 0, m = 0;

    for (size_t i = 0; i < s->elements.n; i++) {
        const struct etm_element *e = &s->elements.all[i];

        if (e->kind == ETM_ELEMENT_INSN) {
            assert_true(n < COUNT(insns));
            assert_int_equal(e->u.insn.address, insns[n].address);
            assert_int_equal(e->offset, insns[n].offset);
            assert_int_equal(e->u.insn.cycles, insns[n].cycles);
            n++;
        } else if (e->kind == ETM_ELEMENT_DATA) {
            assert_true(m < COUNT(data));
            assert_int_equal(e->u.data.value, data[m].value);
            assert_int_equal(e->u.data.size, data[m].size);
            m++;
        }
    }
    assert_int_equal(n, COUNT(insns));
    assert_int_equal(m, COUNT(data));
    assert_int_equal(s->elements.all[s->elements.n - 1].offset, N);
}

/* EX-01, SIG-04: the number of the sample is the offset. */
static void every_form_of_file_gives_the_same(void **state)
{
    static const struct {
        const char *name;
        enum etm_port_form form, shown;
        void (*write)(const char *name);
    } forms[] = {
        {"a.txt", ETM_PORT_FORM_AUTO, ETM_PORT_FORM_TEXT, write_samples},
        {"a.vcd", ETM_PORT_FORM_AUTO, ETM_PORT_FORM_VCD, write_vcd},
        {"a.oocd", ETM_PORT_FORM_AUTO, ETM_PORT_FORM_OPENOCD, write_openocd},
        {"a.rec", ETM_PORT_FORM_RECORDS, ETM_PORT_FORM_RECORDS, write_records},
        {"a.etb", ETM_PORT_FORM_ETB, ETM_PORT_FORM_ETB, write_etb},
    };
    const char *image = image_of();

    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct etm_session_options options = options_of(&image);
        struct etm_session *session;
        struct seen seen = {0};

        forms[i].write(forms[i].name);
        options.form = forms[i].form;
        session = open_port(forms[i].name, &options);
        assert_int_equal(etm_session_buffer(session, 0)->form, forms[i].shown);
        assert_int_equal(etm_session_source(session, 0)->config.port_width, 8);
        see(session, 0, &seen);
        expect_example(&seen);
        assert_int_equal(seen.n_stream, 2 * N);
        assert_int_equal(seen.n_bytes, 2 * N);
        assert_memory_equal(seen.bytes, seen.stream, 2 * N);
        assert_int_equal(seen.n_packets, 2 * N);
        for (size_t k = 0; k < seen.n_packets; k++)
            assert_int_equal(seen.packets[k].offset, k / 2);
        forget(&seen);
        etm_session_free(session);
    }
}

/* Elements of bytes `begin` to `end` of the file, behind those of *out. */
static void add_part(const struct etm_session *session, uint64_t begin,
                     uint64_t end, enum etm_session_start start,
                     struct etm_test_elements *out)
{
    struct etm_session_run run = {.size = sizeof run,
                                  .level = ETM_LEVEL_INSTRUCTIONS,
                                  .elements = etm_test_collect,
                                  .context = out,
                                  .begin = begin,
                                  .end = end,
                                  .start = start};
    struct etm_diag diag = {0};

    if (etm_session_run(session, 0, &run, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
}

/* Wherever a file is cut, also in the middle of a line or a unit. */
static void parts_of_samples_are_the_whole(void **state)
{
    static const struct {
        const char *name;
        enum etm_port_form form;
        void (*write)(const char *name);
    } forms[] = {{"a.txt", ETM_PORT_FORM_TEXT, write_samples},
                 {"a.vcd", ETM_PORT_FORM_VCD, write_vcd},
                 {"a.oocd", ETM_PORT_FORM_OPENOCD, write_openocd},
                 {"a.rec", ETM_PORT_FORM_RECORDS, write_records},
                 {"a.etb", ETM_PORT_FORM_ETB, write_etb}};
    const char *image = image_of();
    struct etm_test_elements whole = {0}, parts = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct etm_session_options options = options_of(&image);
        struct etm_session *session;
        uint64_t bytes;

        forms[i].write(forms[i].name);
        options.form = forms[i].form;
        session = open_port(forms[i].name, &options);
        bytes = etm_session_bytes(session, 0);
        whole.n = 0;
        add_part(session, 0, 0, ETM_START_SYNC, &whole);
        for (uint64_t cut = 1; cut < bytes; cut++) {
            parts.n = 0;
            add_part(session, 0, cut, ETM_START_JOIN, &parts);
            add_part(session, cut, 0, ETM_START_JOIN, &parts);
            assert_int_equal(parts.n, whole.n);
            for (size_t k = 0; k < whole.n; k++)
                assert_true(etm_test_same(&parts.all[k], &whole.all[k]));
        }
        etm_session_free(session);
    }
    free(whole.all);
    free(parts.all);
}

/* A part begins afresh at the last branch that tells its whole address: here
 * the first sample; and behind the end of the file nothing is left. */
static void a_part_of_samples_begins_at_a_full_address(void **state)
{
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    struct etm_test_elements whole = {0}, part = {0};
    struct etm_session *session;
    char text[TEXT_MAX];
    size_t n = 0, second;

    (void)state;
    for (size_t i = 0; i < N; i++)
        n = add_line(text, n, &example[i]);
    second = n; /* where the second time begins */
    for (size_t i = 0; i < N; i++)
        n = add_line(text, n, &example[i]);
    write_file("twice.txt", text, n);
    session = open_port("twice.txt", &options);
    add_part(session, 0, 0, ETM_START_SYNC, &whole);
    for (size_t begin = 1; begin < n; begin += 7) {
        part.n = 0;
        add_part(session, begin, 0, ETM_START_SYNC, &part);
        assert_true(part.n > 10);
        assert_int_equal(part.all[0].kind, ETM_ELEMENT_TRACE_ON);
        assert_int_equal(part.all[0].offset, begin < second ? 0 : N);
        for (size_t k = 1; k <= 10; k++)
            assert_true(
                etm_test_same(&part.all[part.n - k], &whole.all[whole.n - k]));
    }
    etm_session_free(session);
    free(whole.all);
    free(part.all);
}

/* PORT-MODE-01, PORT-MODE-02: table 2-17, bits [13] and [17:16] of ETMCR. */
static void every_mode_of_the_port_gives_the_same(void **state)
{
    static const struct {
        uint32_t bits;
        enum etm_port_mode mode;
        bool half_rate;
    } modes[] = {{0, ETM_PORT_NORMAL, false},
                 {0x10000, ETM_PORT_MULTIPLEXED, false},
                 {0x20000, ETM_PORT_DEMULTIPLEXED, false},
                 {0x02000, ETM_PORT_NORMAL, true},
                 {0x22000, ETM_PORT_DEMULTIPLEXED, true}};
    const char *image = image_of();

    (void)state;
    for (size_t i = 0; i < COUNT(modes); i++) {
        struct etm_register registers[2] = {etmcr[0], etmcr[1]};
        struct etm_session_options options = options_of(&image);
        struct etm_session *session;
        struct seen seen = {0};

        registers[0].value |= modes[i].bits;
        options.registers = registers;
        write_port_vcd("mode.vcd", modes[i].mode, modes[i].half_rate);
        session = open_port("mode.vcd", &options);
        see(session, 0, &seen);
        expect_example(&seen);
        forget(&seen);
        etm_session_free(session);
    }
}

/* CFG-08: bits of ETMCR that ETMv1.0 does not have say nothing. */
static void old_ports_have_no_modes(void **state)
{
    static const struct etm_register registers[2] = {{"ETMCR", 0, 0x33010},
                                                     {"ETMCCR", 1, 0}};
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    options.registers = registers;
    write_vcd("old.vcd");
    session = open_port("old.vcd", &options);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 2 * N);
    forget(&seen);
    etm_session_free(session);
}

/* Cycles of a port look like nothing but themselves. */
static void nothing_is_guessed_of_a_port(void **state)
{
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    struct etm_session *session;
    struct etm_guess guess;

    (void)state;
    write_samples("a.txt");
    session = open_port("a.txt", &options);
    assert_int_equal(etm_session_guess(session, 0, ETM_PROTOCOL_ETMV1, &guess),
                     ETM_OK);
    assert_int_equal(guess.protocol, ETM_PROTOCOL_NONE);
    assert_int_equal(guess.sample_bytes, 2 * N);
    etm_session_free(session);
}

/* Bytes of one source are records too; then offsets are those of bytes. */
static void unframed_records_have_offsets_of_their_bytes(void **state)
{
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    struct etm_session *session;
    struct seen seen = {0};

    (void)state;
    write_records("a.rec");
    options.framing = ETM_FRAMING_NONE;
    session = open_port("a.rec", &options);
    see(session, 0, &seen);
    assert_int_equal(seen.n_stream, 2 * N);
    assert_int_equal(seen.packets[3].offset, 3);
    assert_int_equal(seen.elements.all[seen.elements.n - 1].offset, 2 * N);
    forget(&seen);
    etm_session_free(session);
}

/* TCD-04, TCD-09: a capture device may leave out cycles without trace. E-162 */
static void cycles_without_trace_may_be_missing(void **state)
{
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    struct etm_session *full, *sparse;
    struct seen a = {0}, b = {0};
    static const struct etm_port_sample disabled = {0, 0, TD};
    char text[TEXT_MAX];
    size_t n = 0;

    (void)state;
    write_samples("a.txt");
    for (size_t i = 0; i < N; i++) {
        /* not between a branch and its address packet offset */
        if (i % 3 == 0 && i != 36)
            n = add_line(text, n, &disabled);
        n = add_line(text, n, &example[i]);
    }
    write_file("b.txt", text, n);
    full = open_port("a.txt", &options);
    sparse = open_port("b.txt", &options);
    see(full, 0, &a);
    see(sparse, 0, &b);
    assert_int_equal(a.n_stream, 2 * N);
    assert_true(b.n_stream > a.n_stream);
    assert_true(same_execution(&a.elements, &b.elements));
    forget(&a);
    forget(&b);
    etm_session_free(full);
    etm_session_free(sparse);
}

/* SIG-02, V2-SYNC-01: a TFO, and behind it the packet with the address. */
static void etmv2_is_decoded_from_its_samples(void **state)
{
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    struct etm_session *session;
    struct seen seen = {0};
    uint32_t next = 0x1000;

    (void)state;
    options.registers = NULL;
    options.n_registers = 0;
    options.protocol = ETM_PROTOCOL_ETMV2;
    write_text("v2.txt", "0 7 09\n0 0 20\n0 0 00\n0 0 10\n0 2 00\n0 0 00\n"
                         "0 7 00\n");
    session = open_port("v2.txt", &options);
    see(session, 0, &seen);
    assert_int_equal(count_kind(&seen.elements, ETM_ELEMENT_INSN), 5);
    for (size_t i = 0; i < seen.elements.n; i++) {
        const struct etm_element *e = &seen.elements.all[i];

        if (e->kind != ETM_ELEMENT_INSN)
            continue;
        assert_int_equal(e->u.insn.address, next);
        assert_int_equal(e->u.insn.exec, next == 0x100c ? ETM_FALSE : ETM_TRUE);
        next += 4;
    }
    forget(&seen);
    etm_session_free(session);
}

/*
 * CAP-06, V2-TFO-10: words of an ETB, three cycles of a port of 4 pins each.
 * The halves of the TFO are in two cycles, and a folded branch needs
 * PIPESTAT[3]: B was taken to MOV. E-164 */
static void etb_of_etmv2_has_its_fourth_status_bit(void **state)
{
    static const uint8_t cycles[][2] = {
        {TD, 9}, {0, 0}, {0, 0}, {0, 2}, {2, 0}, {0, 0},
        {8, 0},  {4, 1}, {4, 0}, {4, 0}, {4, 0}, {4, 0},
    };
    static const uint32_t expected[] = {0x1000, 0x1004, 0x1008, 0x100c,
                                        0x1010, 0x1014, 0x1000};
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    uint8_t bytes[4 * COUNT(cycles) / 3];
    struct etm_session *session;
    struct seen seen = {0};
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(cycles); i++) {
        /* PIPESTAT[2:0], TRACEPKT[3:0], PIPESTAT[3] */
        bytes[i / 3 * 4 + i % 3] =
            (uint8_t)((cycles[i][0] & 7u) | (unsigned)cycles[i][1] << 3 |
                      (unsigned)cycles[i][0] >> 3 << 7);
        bytes[i / 3 * 4 + 3] = 0;
    }
    write_file("v2.etb", bytes, sizeof bytes);
    options.registers = NULL;
    options.n_registers = 0;
    options.protocol = ETM_PROTOCOL_ETMV2;
    options.port_width = 4;
    options.form = ETM_PORT_FORM_ETB;
    session = open_port("v2.etb", &options);
    see(session, 0, &seen);
    for (size_t i = 0; i < seen.elements.n; i++) {
        const struct etm_element *e = &seen.elements.all[i];

        if (e->kind != ETM_ELEMENT_INSN)
            continue;
        assert_true(n < COUNT(expected));
        assert_int_equal(e->u.insn.address, expected[n++]);
    }
    assert_int_equal(n, COUNT(expected));
    forget(&seen);
    etm_session_free(session);
}

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

/* CFG-14, CFG-15, E-166 */
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
    refuse("a.txt", &o, "high vectors are told for ETMv1 and ETMv2");
    o.high_vectors = false;
    o.endian = ETM_ENDIAN_BE8;
    refuse("a.txt", &o, "byte order is told for ETMv1 and ETMv2");
    write_snapshot("SCTLR=0x0\n");
    o = (struct etm_session_options){.endian = ETM_ENDIAN_BE8};
    refuse("snapshot.ini", &o, "another byte order");
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
        etm_session_run(session, 0, &(struct etm_session_run){0}, NULL),
        ETM_ERR_FORMAT);
    etm_session_free(session);
    o.framing = ETM_FRAMING_TPIU_PORT;
    o.signals = "tracedata=D0,traceclk=TRACECK";
    refuse_as(ETM_ERR_FORMAT, "a.vcd", &o, "no variable D0");
    o.signals = NULL;
    o.port_width = 8;
    refuse_as(ETM_ERR_FORMAT, "a.vcd", &o, "TRACEDATA[4] is not in the dump");
}

static void fault_in_a_port_capture_names_file_and_place(void **state)
{
    struct etm_session_options o = {.protocol = ETM_PROTOCOL_ETMV1,
                                    .framing = ETM_FRAMING_PORT};
    struct etm_session_run run = {.elements = etm_test_collect};
    struct etm_test_elements elements = {0};
    struct etm_session *session;
    struct etm_diag diag = {0};

    (void)state;
    run.context = &elements;
    write_text("a.vcd", "$date\n$end\n$end");
    session = open_port("a.vcd", &o);
    assert_int_equal(etm_session_run(session, 0, &run, &diag), ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "a.vcd", 3, "no command ends here");
    etm_session_free(session);
    o.signals = "clock=C";
    session = open_port("a.vcd", &o);
    assert_int_equal(etm_session_run(session, 0, &run, &diag), ETM_ERR_CONFIG);
    expect_diag(&diag, ETM_ERR_CONFIG, "a.vcd", 0, "no signal of that name");
    etm_session_free(session);
    o.signals = NULL;
    o.form = ETM_PORT_FORM_OPENOCD;
    write_file("a.oocd", "\x00\x00\x00", 3);
    session = open_port("a.oocd", &o);
    assert_int_equal(etm_session_run(session, 0, &run, &diag), ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "a.oocd", 0, "within a sample");
    etm_session_free(session);
    free(elements.all);
}

/* The next instruction of samples `from` to `to`, from element *i on. */
static const struct etm_element *
next_insn(const struct etm_test_elements *elements, size_t *i, uint64_t from,
          uint64_t to)
{
    while (*i < elements->n) {
        const struct etm_element *e = &elements->all[(*i)++];

        if (e->kind == ETM_ELEMENT_INSN && e->offset >= from && e->offset < to)
            return e;
    }
    return NULL;
}

/* The same instructions, six or more. */
static void expect_insns(const struct etm_test_elements *a,
                         const struct etm_test_elements *b, uint64_t from,
                         uint64_t to)
{
    const struct etm_element *x, *y;
    size_t i = 0, k = 0, n = 0;

    while ((x = next_insn(a, &i, from, to)) != NULL) {
        y = next_insn(b, &k, from, to);
        assert_non_null(y);
        assert_true(etm_test_same(x, y));
        n++;
    }
    assert_null(next_insn(b, &k, from, to));
    assert_true(n >= 6);
}

/*
 * E-351: the example four times over, with three records in the second that no
 * port has, and half a record at the end. What was decoded before stays, the
 * others keep their numbers, and the flow begins again with the third.
 */
static void impossible_records_are_lost_in_their_place(void **state)
{
    static const size_t wrong[] = {N + 12, N + 13, N + 20};
    const char *image = image_of();
    struct etm_session_options options = options_of(&image);
    uint8_t bytes[4 * 2 * N + 1];
    struct etm_session *session;
    struct seen seen = {0}, good = {0};
    uint64_t lost = 0;

    (void)state;
    options.form = ETM_PORT_FORM_RECORDS;
    for (size_t i = 0; i < 4 * N; i++) {
        bytes[2 * i] = (uint8_t)(example[i % N].status |
                                 (example[i % N].control != 0 ? 0x80 : 0));
        bytes[2 * i + 1] = (uint8_t)example[i % N].data;
    }
    bytes[8 * N] = 0x07;
    write_file("a.rec", bytes, 8 * N);
    session = open_port("a.rec", &options);
    see(session, 0, &good);
    etm_session_free(session);
    for (size_t i = 0; i < COUNT(wrong); i++)
        bytes[2 * wrong[i]] |= 0x40;
    write_file("a.rec", bytes, sizeof bytes);
    session = open_port("a.rec", &options);
    see(session, 0, &seen);
    etm_session_free(session);
    for (size_t i = 0; i < seen.elements.n; i++) {
        const struct etm_element *e = &seen.elements.all[i];

        if (e->kind == ETM_ELEMENT_LOST &&
            e->u.lost.reason == ETM_LOST_BAD_FRAME)
            lost += e->u.lost.bytes;
    }
    /* and what cannot be used up to the next address */
    assert_in_range(lost, 2 * COUNT(wrong) + 2, 2 * N);
    expect_insns(&good.elements, &seen.elements, 0, N);
    expect_insns(&good.elements, &seen.elements, 2 * N, 4 * N);
    assert_int_equal(seen.n_stream, 2 * (4 * N - COUNT(wrong)));
    for (size_t k = 0; k < seen.n_packets; k++)
        assert_true(seen.packets[k].offset < 4 * N);
    forget(&seen);
    forget(&good);
}

static void every_failing_allocation_is_reported(void **state)
{
    static const char *const names[] = {"a.vcd", "a.oocd", "a.txt"};
    const char *image = image_of();

    (void)state;
    write_vcd("a.vcd");
    write_openocd("a.oocd");
    write_samples("a.txt");
    for (size_t i = 0; i < COUNT(names); i++) {
        bool failed = true;

        for (size_t n = 0; failed; n++) {
            struct scarce scarce = {.left = n};
            struct etm_allocator allocator = {scarce_resize, &scarce};
            struct etm_session_options options = options_of(&image);
            struct etm_session_run run = {.elements = etm_test_collect};
            struct etm_test_elements elements = {0};
            struct etm_session *session;
            int status;

            options.allocator = &allocator;
            options.signals = i == 0 ? "pipestat=PIPESTAT" : NULL;
            status = etm_session_open(&session, in_directory(names[i]),
                                      &options, NULL);
            run.context = &elements;
            if (status == ETM_OK)
                status = etm_session_run(session, 0, &run, NULL);
            failed = scarce.failed;
            assert_int_equal(status, failed ? ETM_ERR_MEMORY : ETM_OK);
            etm_session_free(session);
            free(elements.all);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_file_gives_the_same),
        cmocka_unit_test(parts_of_samples_are_the_whole),
        cmocka_unit_test(a_part_of_samples_begins_at_a_full_address),
        cmocka_unit_test(every_mode_of_the_port_gives_the_same),
        cmocka_unit_test(old_ports_have_no_modes),
        cmocka_unit_test(nothing_is_guessed_of_a_port),
        cmocka_unit_test(unframed_records_have_offsets_of_their_bytes),
        cmocka_unit_test(cycles_without_trace_may_be_missing),
        cmocka_unit_test(etmv2_is_decoded_from_its_samples),
        cmocka_unit_test(etb_of_etmv2_has_its_fourth_status_bit),
        cmocka_unit_test(snapshot_of_a_port_is_decoded),
        cmocka_unit_test(snapshot_tells_the_form_of_samples),
        cmocka_unit_test(the_core_tells_vectors_and_byte_order),
        cmocka_unit_test(what_contradicts_the_capture_is_refused),
        cmocka_unit_test(options_stand_in_for_what_the_capture_does_not_tell),
        cmocka_unit_test(port_of_an_untold_width_has_8_pins),
        cmocka_unit_test(width_of_a_dump_is_that_of_its_signals),
        cmocka_unit_test(port_of_a_tpiu_is_not_that_of_etmcr),
        cmocka_unit_test(frames_of_a_tpiu_come_off_its_port),
        cmocka_unit_test(fault_in_a_port_capture_names_file_and_place),
        cmocka_unit_test(impossible_records_are_lost_in_their_place),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
