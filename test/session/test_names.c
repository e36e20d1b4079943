/* SPDX-License-Identifier: Apache-2.0 */
/* Names of addresses where memory is short: a lookup that could not be done
 * says so, and does not pass for one that found nothing. */
#include "../input/support.h"
#include "../support/scarce.h"

#include <etm/program.h>
#include <etm/session.h>

#include <stdio.h>
#include <string.h>

#define THUMB_FUNCTION 0x800au
#define NOWHERE 0x70000000u

static struct etm_session *open_file(const char *program, struct faulty *memory)
{
    const struct etm_allocator allocator = {faulty_resize, memory};
    char path[600], trace[600];
    const char *image = path;
    struct etm_session_options options = {.size = sizeof options,
                                          .protocol = ETM_PROTOCOL_PFT,
                                          .images = &image,
                                          .n_images = 1,
                                          .allocator = &allocator};
    struct etm_session *session;
    struct etm_diag diag;

    snprintf(path, sizeof path, "%s", data_path(program));
    snprintf(trace, sizeof trace, "%s", in_directory("trace.bin"));
    assert_int_equal(etm_session_open(&session, trace, &options, &diag),
                     ETM_OK);
    return session;
}

static struct etm_session *open_program(struct faulty *memory)
{
    return open_file("two_states.elf", memory);
}

enum what { SYMBOL, LINE, ISA, INLINED, LINES, FUNCTIONS, WHATS };

static int any_line(void *context, const struct etm_line_range *line)
{
    (void)line;
    ++*(unsigned *)context;
    return ETM_OK;
}

static int any_function(void *context, const struct etm_function *function)
{
    (void)function;
    ++*(unsigned *)context;
    return ETM_OK;
}

/* Its status; *found is as much as was found. */
static int look_up(const struct etm_session *session, enum what what,
                   uint32_t address, unsigned *found)
{
    struct etm_symbol symbol;
    struct etm_source_line line = {0};
    struct etm_inlined inlined[4];
    size_t n = 4;
    enum etm_isa isa = ETM_ISA_UNKNOWN;
    int status;

    *found = 0;
    switch (what) {
    case SYMBOL:
        status = etm_session_symbol(session, 0, address, &symbol);
        *found = status == ETM_OK;
        return status;
    case LINE:
        status = etm_session_line(session, 0, address, &line);
        if (status == ETM_OK)
            *found = line.text != NULL ? 2 : 1;
        return status;
    case ISA:
        status = etm_session_isa(session, 0, address, &isa);
        *found = status == ETM_OK ? isa : ETM_ISA_UNKNOWN;
        return status;
    case INLINED:
        status = etm_session_inlined(session, 0, address, inlined, &n);
        *found = (unsigned)n;
        return status;
    case LINES:
        return etm_session_lines(session, 0, any_line, found);
    case FUNCTIONS:
        return etm_session_functions(session, 0, any_function, found);
    case WHATS:
        break;
    }
    return ETM_ERR_ARGUMENT;
}

static void try_all(enum what what, uint32_t address)
{
    unsigned wanted, found;
    int status = ETM_ERR_MEMORY;

    for (size_t n = 0; status == ETM_ERR_MEMORY || n < 2; n++) {
        struct faulty memory = {0};
        struct etm_session *session = open_program(&memory);
        struct etm_session *whole = open_program(&(struct faulty){0});
        size_t calls = memory.calls;
        int right = look_up(whole, what, address, &wanted);

        assert_int_not_equal(right, ETM_ERR_MEMORY);
        memory.fail_at = n == 0 ? 0 : calls + n;
        status = look_up(session, what, address, &found);
        if (n == 1)
            assert_int_equal(status, ETM_ERR_MEMORY);
        if (status != ETM_ERR_MEMORY) {
            assert_int_equal(status, right);
            assert_int_equal(found, wanted);
        }
        /* and once there is more it is known */
        assert_int_equal(look_up(session, what, address, &found), right);
        assert_int_equal(found, wanted);
        etm_session_free(session);
        etm_session_free(whole);
        assert_int_equal(memory.live, 0);
        assert_true(n < 1000);
    }
}

static void a_lookup_without_memory_is_none(void **state)
{
    (void)state;
    need_elfutils();
    write_file("trace.bin", "\0", 1);
    for (enum what what = SYMBOL; what < WHATS; what++) {
        try_all(what, THUMB_FUNCTION);
        try_all(what, NOWHERE);
    }
}

/* test/programs/inlined.c */
static void inlined_functions_are_found(void **state)
{
    static const struct {
        uint32_t address;
        const char *names; /* from the outermost one on */
        uint32_t begin;    /* of the innermost one */
    } rows[] = {{0x80, "", 0},
                {0xa2, "", 0},
                {0xa4, "both limit ", 0xa4},
                {0xac, "both limit ", 0xa4},
                {0xae, "both limit ", 0xae},
                {0xb8, "both ", 0xa4},
                {0xba, "mean ", 0xba},
                {0xcc, "mean ", 0xba},
                {0xc0, "", 0},
                {0x70000000, "", 0}};
    struct etm_session *session;
    struct etm_inlined inlined[4], other[1];
    size_t n;

    (void)state;
    need_elfutils();
    write_file("trace.bin", "\0", 1);
    session = open_file("../programs/inlined-m3.elf", &(struct faulty){0});
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char names[64] = "";

        n = 4;
        assert_int_equal(
            etm_session_inlined(session, 0, rows[i].address, inlined, &n),
            ETM_OK);
        for (size_t k = 0; k < n; k++)
            strcat(strcat(names, inlined[k].name), " ");
        assert_string_equal(names, rows[i].names);
        if (n != 0)
            assert_int_equal(inlined[n - 1].address, rows[i].begin);
    }
    /* one that is inlined twice; and no more than there is room for */
    n = 4;
    assert_int_equal(etm_session_inlined(session, 0, 0xac, inlined, &n),
                     ETM_OK);
    n = 1;
    assert_int_equal(etm_session_inlined(session, 0, 0xae, other, &n), ETM_OK);
    assert_int_equal(n, 1);
    assert_true(other[0].instance == inlined[0].instance);
    n = 2;
    assert_int_equal(etm_session_inlined(session, 0, 0xae, inlined + 2, &n),
                     ETM_OK);
    assert_true(inlined[3].instance != inlined[1].instance);
    n = 1;
    assert_int_equal(etm_session_inlined(session, 1, 0xae, other, &n),
                     ETM_ERR_ARGUMENT);
    assert_int_equal(etm_session_inlined(session, 0, 0xae, other, NULL),
                     ETM_ERR_ARGUMENT);
    etm_session_free(session);
}

/* Arm ELF, 5.5.5 */
static void mapping_symbols_tell_what_is_at_an_address(void **state)
{
    struct etm_session *session;
    enum etm_isa isa;

    (void)state;
    need_elfutils();
    write_file("trace.bin", "\0", 1);
    session = open_file("../../demo/cortex-m3/sensor.elf", &(struct faulty){0});
    assert_int_equal(etm_session_isa(session, 0, 0x3fa, &isa), ETM_OK);
    assert_int_equal(isa, ETM_ISA_THUMB);
    assert_int_equal(etm_session_isa(session, 0, 0x400, &isa), ETM_OK);
    assert_int_equal(isa, ETM_ISA_UNKNOWN); /* a table */
    assert_int_equal(etm_session_isa(session, 0, NOWHERE, &isa),
                     ETM_ERR_NOT_FOUND);
    etm_session_free(session);
}

/* Whose lookups only say yes or no. */
static void symbols_without_memory_are_not_opened(void **state)
{
    char path[600];
    int status = ETM_ERR_MEMORY;

    (void)state;
    need_elfutils();
    snprintf(path, sizeof path, "%s", data_path("two_states.elf"));
    for (size_t n = 1; status == ETM_ERR_MEMORY; n++) {
        struct faulty memory = {.fail_at = n};
        const struct etm_allocator allocator = {faulty_resize, &memory};
        struct etm_symbols *symbols;
        struct etm_diag diag = {0};
        uint32_t address;
        size_t calls;

        status = etm_symbols_open(&symbols, path, &allocator, &diag);
        if (status != ETM_OK) {
            assert_int_equal(status, ETM_ERR_MEMORY);
            assert_int_equal(diag.status, ETM_ERR_MEMORY);
            assert_string_not_equal(diag.what, "");
            assert_null(symbols);
        } else {
            calls = memory.calls;
            memory.fail_at = calls + 1;
            assert_int_equal(
                etm_symbols_find(symbols, "sized", &address, NULL, NULL),
                ETM_OK);
            assert_int_equal(etm_symbols_at(symbols, address,
                                            &(struct etm_symbol){.name = NULL}),
                             ETM_OK);
            assert_int_equal(memory.calls, calls);
        }
        etm_symbols_free(symbols);
        assert_int_equal(memory.live, 0);
        assert_true(n < 1000);
    }
}

static int look_back(void *context, const struct etm_function *function)
{
    const struct etm_session *session = context;
    struct etm_symbol symbol;

    assert_int_equal(etm_session_symbol(session, 0, function->address, &symbol),
                     ETM_OK);
    assert_string_equal(symbol.name, function->name);
    assert_int_equal(symbol.offset, 0);
    assert_string_not_equal(function->name, "first");
    return ETM_OK;
}

/* Of two programs in one place, as a boot loader and what it loads, the last
 * one given is what is seen: "first" of the other is after its code. */
static void hidden_functions_are_not_given(void **state)
{
    char hidden[600], seen[600], trace[600];
    const char *images[] = {hidden, seen};
    const struct etm_session_options options = {.size = sizeof options,
                                                .protocol = ETM_PROTOCOL_PFT,
                                                .images = images,
                                                .n_images = 2};
    struct etm_session *session;
    struct etm_symbol symbol;
    unsigned found = 0;

    (void)state;
    snprintf(hidden, sizeof hidden, "%s", data_path("copies.elf"));
    snprintf(seen, sizeof seen, "%s", data_path("two_states.elf"));
    snprintf(trace, sizeof trace, "%s", in_directory("trace.bin"));
    assert_int_equal(etm_session_open(&session, trace, &options, NULL), ETM_OK);
    assert_int_equal(etm_session_symbol(session, 0, 0x80d8, &symbol), ETM_OK);
    assert_string_equal(symbol.name, "second"); /* after the end of the last */
    assert_int_equal(etm_session_functions(session, 0, look_back, session),
                     ETM_OK);
    assert_int_equal(etm_session_functions(session, 0, any_function, &found),
                     ETM_OK);
    assert_true(found > 4);
    etm_session_free(session);
}

/* A snapshot of a core with two programs. `more` is after the file of each in
 * its [dump]. */
static struct etm_session *open_two(const char *one, const char *more_one,
                                    const char *two, const char *more_two)
{
    const struct etm_session_options options = {.size = sizeof options,
                                                .allow_outside = true};
    struct etm_session *session;
    char text[1500], path[600];

    write_text("snapshot.ini", "[snapshot]\nversion=1.0\n[device_list]\n"
                               "device0=cpu.ini\ndevice1=ptm.ini\n"
                               "[trace]\nmetadata=trace.ini\n");
    snprintf(path, sizeof path, "%s", data_path(one));
    snprintf(text, sizeof text,
             "[device]\nname=cpu_0\nclass=core\ntype=Cortex-A9\n"
             "[dump1]\nfile=%s\n%s\n[dump2]\nfile=%s\n%s\n",
             path, more_one, data_path(two), more_two);
    write_text("cpu.ini", text);
    write_text("ptm.ini", "[device]\nname=PTM_0\nclass=trace_source\n"
                          "type=PTM1.0\n[regs]\nETMTRACEIDR=0x10\n");
    write_text("trace.ini",
               "[trace_buffers]\nbuffers=buffer0\n[buffer0]\nname=ETB_0\n"
               "file=trace.bin\nformat=source_data\n[source_buffers]\n"
               "PTM_0=ETB_0\n[core_trace_sources]\ncpu_0=PTM_0\n");
    assert_int_equal(etm_session_open(&session, in_directory("snapshot.ini"),
                                      &options, NULL),
                     ETM_OK);
    return session;
}

/* What is found of an address that both have, and of one that only
 * copies.elf has. */
static void expect_names(struct etm_session *session, const char *both,
                         unsigned line)
{
    struct etm_source_line at;
    struct etm_symbol symbol;

    assert_int_equal(etm_session_symbol(session, 0, 0x8010, &symbol),
                     both != NULL ? ETM_OK : ETM_ERR_NOT_FOUND);
    if (both != NULL)
        assert_string_equal(symbol.name, both);
    assert_int_equal(etm_session_line(session, 0, 0x8014, &at),
                     line != 0 ? ETM_OK : ETM_ERR_NOT_FOUND);
    if (line != 0)
        assert_int_equal(at.line, line);
    assert_int_equal(etm_session_symbol(session, 0, 0x80d8, &symbol), ETM_OK);
    assert_string_equal(symbol.name, "second");
    assert_int_equal(etm_session_line(session, 0, 0x80d8, &at), ETM_OK);
    etm_session_free(session);
}

/* E-368: programs at one address, each in a context or world of its own. */
static void programs_that_exclude_each_other_have_no_names(void **state)
{
    static const char copies[] = "copies.elf", states[] = "two_states.elf";

    (void)state;
    expect_names(open_two(copies, "context_id=1", states, "context_id=2"), NULL,
                 0);
    expect_names(open_two(states, "space=S", copies, "space=NS"), NULL, 0);
    /* pieces at addresses, as for tools that know no ELF files */
    expect_names(open_two(copies, "address=0x8000\noffset=0x74\ncontext_id=1",
                          states, "address=0x8000\noffset=0x74\ncontext_id=2"),
                 NULL, 0);
    /* one program in two contexts */
    expect_names(open_two(copies, "context_id=1", copies, "context_id=2"),
                 "square", 7);
    /* the last one hides the first, or may */
    expect_names(open_two(copies, "context_id=1", states, "context_id=1"),
                 "thumb_function", 17);
    expect_names(open_two(states, "", copies, "context_id=1"), "square", 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lookup_without_memory_is_none),
        cmocka_unit_test(inlined_functions_are_found),
        cmocka_unit_test(mapping_symbols_tell_what_is_at_an_address),
        cmocka_unit_test(symbols_without_memory_are_not_opened),
        cmocka_unit_test(hidden_functions_are_not_given),
        cmocka_unit_test(programs_that_exclude_each_other_have_no_names),
    };

    return cmocka_run_group_tests_name("session/names", tests, make_directory,
                                       remove_directory);
}
