/* SPDX-License-Identifier: Apache-2.0 */
/* Captures of ETMv1 and ETMv2: the same cycles in every form of file. */
#include "../support/scarce.h"
#include "port_example.h"

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

/* Elements of bytes `begin` to `end` of the file, after those of *out. */
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

    if (etm_session_run_source(session, 0, &run, &diag) != ETM_OK)
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
 * the first sample; and after the end of the file nothing is left. */
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

/* SIG-02, V2-SYNC-01: a TFO, and after it the packet with the address. */
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

/* E-165: sixteen WT in first cycles of words, none in another */
static void openocd_file_of_a_narrow_etb_is_reported(void **state)
{
    const struct etm_session_options o = {.protocol = ETM_PROTOCOL_ETMV1,
                                          .framing = ETM_FRAMING_PORT};
    uint8_t file[12 + 12 * 48] = {[11] = 48};

    (void)state;
    for (unsigned i = 0; i < 48; i++)
        file[12 + 12 * i + 3] = i % 3 == 0 ? 3 : 1;
    for (unsigned i = 0; i < 4; i++) {
        struct etm_session *session;

        file[7] = i == 1 ? 0x10 : 0;             /* 8 pins */
        file[12 + 12 * 4 + 3] = i == 2 ? 3 : 1;  /* it has another bit */
        file[12 + 12 * 45 + 3] = i == 3 ? 1 : 3; /* and one less */
        write_file("narrow.oocd", file, sizeof file);
        session = open_port("narrow.oocd", &o);
        assert_int_equal(etm_session_faults(session), i == 0);
        if (i == 0)
            assert_non_null(strstr(etm_session_fault(session, 0),
                                   "OpenOCD kept only one bit of PIPESTAT"));
        etm_session_free(session);
    }
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
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                     ETM_ERR_FORMAT);
    expect_diag(&diag, ETM_ERR_FORMAT, "a.vcd", 3, "$end without a command");
    etm_session_free(session);
    o.signals = "clock=C";
    session = open_port("a.vcd", &o);
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                     ETM_ERR_CONFIG);
    expect_diag(&diag, ETM_ERR_CONFIG, "a.vcd", 0, "no signal of that name");
    etm_session_free(session);
    o.signals = NULL;
    o.form = ETM_PORT_FORM_OPENOCD;
    write_file("a.oocd", "\x00\x00\x00", 3);
    session = open_port("a.oocd", &o);
    assert_int_equal(etm_session_run_source(session, 0, &run, &diag),
                     ETM_ERR_FORMAT);
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
                status = etm_session_run_source(session, 0, &run, NULL);
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
        cmocka_unit_test(openocd_file_of_a_narrow_etb_is_reported),
        cmocka_unit_test(fault_in_a_port_capture_names_file_and_place),
        cmocka_unit_test(impossible_records_are_lost_in_their_place),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
