/* SPDX-License-Identifier: Apache-2.0 */
/* The command `etm record` itself: what it prints, what it refuses. */
#include "../support/test.h"
#include "record_support.h"

#include "emulate/emulate.h"

static bool emulator;

/* A log is an execution as good as the one it was written of. */
IN_A_FOLDER(a_log_gives_the_same_trace)
{
    char options[1400], line[1400];

    if (!emulator)
        skip();
    assert_int_equal(
        record(snapshot(),
               arguments_of("nested-a9", "--core cortex-a9 --context-id 4 "
                                         "--interrupt irq/500 --timestamps")),
        0);
    snprintf(options, sizeof options,
             "'%s' record --execution %s.log --core cortex-a9 --context-id 4 "
             "--timestamps -o %s.2 --log %s.2.log 2>/dev/null && "
             "cmp %s.log %s.2.log && cmp %s/cstrace.bin %s.2/cstrace.bin",
             etm_command(), snapshot(), snapshot(), snapshot(), snapshot(),
             snapshot(), snapshot(), snapshot());
    assert_int_equal(system(options), 0);
    /* and without the program the code of the log is enough to decode it */
    snprintf(line, sizeof line,
             "'%s' decode %s --level instructions --format jsonl >%s.a && "
             "'%s' decode %s.2 --level instructions --format jsonl >%s.b && "
             "cmp %s.a %s.b",
             etm_command(), snapshot(), snapshot(), etm_command(), snapshot(),
             snapshot(), snapshot(), snapshot());
    assert_int_equal(system(line), 0);
}

/* Is there this text in a file of the last recording? */
static bool says(const char *suffix, const char *text)
{
    char path[160], got[4096];
    FILE *file;
    size_t n;

    snprintf(path, sizeof path, "%s.%s", snapshot(), suffix);
    file = fopen(path, "rb");
    assert_non_null(file);
    n = fread(got, 1, sizeof got - 1, file);
    got[n] = '\0';
    fclose(file);
    return strstr(got, text) != NULL;
}

IN_A_FOLDER(what_the_program_prints_is_printed)
{
    if (!emulator)
        skip();
    assert_int_equal(
        record(snapshot(), arguments_of("hello-a9", "--core cortex-a9")), 0);
    assert_true(says("out", "hello"));
    assert_true(says("err", "the program ended with status 7"));
    assert_int_equal(
        record(snapshot(),
               arguments_of("hello-a9", "--core cortex-a9 --limit 100")),
        0);
    assert_true(says("err", "limit of instructions"));
    assert_true(says("err", "100 instructions"));
}

/* Memory that a program needs can be given, and is asked for where it runs into
 * its lack. */
IN_A_FOLDER(a_fault_says_what_is_missing)
{
    if (!emulator)
        skip();
    /* a program for another processor */
    assert_int_equal(
        record(snapshot(),
               arguments_of("recurse-a9", "--core arm7tdmi --limit 1000")),
        0);
    assert_true(says("err", "; the instruction at 0x00000124 is undefined"));
    assert_int_equal(
        record(snapshot(),
               arguments_of("hello-a9", "--core cortex-a9 "
                                        "--memory 0x20000000-0x20001000 "
                                        "--memory 0x40000000-0x40000004")),
        0);
    assert_true(says("err", "the program ended with status 7"));
    assert_false(says("err", ";"));
}

/* A reader that has gone away wants no more; the recording does. */
IN_A_FOLDER(nobody_needs_to_read_what_the_program_prints)
{
    struct run told;
    char line[1024];

    if (!emulator)
        skip();
    snprintf(line, sizeof line,
             "{ '%s' record %s -o %s 2>%s.err; echo $? >%s.status; } | true",
             etm_command(), arguments_of("hello-a9", ""), snapshot(),
             snapshot(), snapshot());
    assert_int_equal(system(line), 0);
    assert_true(says("status", "0"));
    assert_true(says("err", "the program ended with status 7"));
    decode(&told, snapshot());
    assert_true(told.n_steps > 4000);
    run_free(&told);
}

/* A recording that fails late leaves the one before it. */
IN_A_FOLDER(a_failed_recording_replaces_nothing)
{
    char line[2048];

    snprintf(line, sizeof line,
             "rm -rf %s && printf 'version 1\\n"
             "place 00008000\\n00008000 e3a00003\\n' >%s.log && "
             "'%s' record --execution %s.log -o %s 2>/dev/null && "
             "cp -r %s %s.before && echo nonsense >>%s.log && "
             "! '%s' record --execution %s.log -o %s 2>/dev/null && "
             "diff -r %s %s.before && rm -r %s.before",
             snapshot(), snapshot(), etm_command(), snapshot(), snapshot(),
             snapshot(), snapshot(), snapshot(), etm_command(), snapshot(),
             snapshot(), snapshot(), snapshot(), snapshot());
    assert_int_equal(system(line), 0);
}

IN_A_FOLDER(mistakes_are_said_in_one_line)
{
    static const struct {
        const char *arguments;
        int status;
        const char *what;
    } rows[] = {
        {"", 2, "what to record?"},
        {"no-such.elf", 1, NULL},
        {"x.elf --core z80", 2, "no such core"},
        {"x.elf --interrupt irq", 2, "NAME@COUNT"},
        {"x.elf --interrupt irq240@1", 2, "NAME@COUNT"},
        {"x.elf --interrupt irq@1x", 2, "NAME@COUNT"},
        {"x.elf --framing paper", 2, "not one of"},
        {"x.elf --trace-id 0x70", 2, "0x6f"},
        {"x.elf --reg ETMX=1", 2, "no register"},
        {"x.elf --reg ETMCR", 2, "NAME=VALUE"},
        {"x.elf --data all", 2, "both"},
        {"x.elf --context-id 3", 2, "0, 1, 2 or 4"},
        {"x.elf --fifo 0", 2, "neither"},
        {"x.elf --nonsense", 2, "no such option"},
        {"x.elf --limit", 2, "neither a number"},
        {"x.elf --memory 0x1000", 2, "not of the form FROM-TO"},
        {"x.elf --memory 0x1000-0x1000", 2, "not of the form FROM-TO"},
        {"x.elf --memory 0-0x100000001", 2, "not of the form FROM-TO"},
        {"--execution a --memory 0-1", 2, "--memory is for running"},
        {"x.elf y.elf", 2, "only one program"},
        {"--execution a --tarmac b", 2, "only one execution"},
        {"--execution no-such.log --data address,value", 1, "no-such.log"},
        {"--execution a --limit 5", 2, "is for running"},
        {"x.elf --cpu cpu0", 2, "--tarmac only"},
        {"x.elf --setup f --timestamps", 2, "--timestamps: --setup"},
        {"x.elf --setup f --port-width 8", 2, "--port-width: --setup"},
        {"--execution no-such.log", 1, "no-such.log"},
        {"--execution /dev/null --etm v9", 2, "v9: no such version"},
        /* which macrocell it is was not asked for */
        {"--execution /dev/null --data both", 1,
         "cortex-a9: this macrocell has no trace of data"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = record(snapshot(), rows[i].arguments);

        if (status != rows[i].status ||
            !says("err", rows[i].what ? rows[i].what : "etm: ")) {
            char line[256];

            snprintf(line, sizeof line, "cat %s.err", snapshot());
            (void)!system(line);
            fail_msg("%s: %d", rows[i].arguments, status);
        }
    }
}

/* A copy of a program without its build attributes (their section has no type),
 * and whose entry is in that state: 0 (Arm, or none) or 1 (Thumb). */
static void copy_without_attributes(const char *program, uint8_t state,
                                    const char *to)
{
    static uint8_t bytes[1 << 20];
    char path[1400];
    FILE *file;
    size_t n, table;

    snprintf(path, sizeof path, "%s", arguments_of(program, ""));
    path[strlen(path) - 1] = '\0'; /* a blank */
    file = fopen(path, "rb");
    assert_non_null(file);
    n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    bytes[24] = (uint8_t)((bytes[24] & 0xfe) | state);
    table = bytes[32] | (size_t)bytes[33] << 8 | (size_t)bytes[34] << 16;
    for (size_t at = table; at + 40 <= n; at += 40) {
        if (memcmp(bytes + at + 4, "\3\0\0\x70", 4) == 0)
            bytes[at + 4] = bytes[at + 7] = 0;
    }
    file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

/* A program that says nothing of its processor is run on a Cortex-A9; one for
 * the M profile does not get far there. */
IN_A_FOLDER(a_program_of_the_m_profile_that_does_not_say_so)
{
    static const char hint[] = "looks like a program for an M-profile one";
    static const uint8_t udf[] = {0xf0, 0, 0xf0, 0xe7, 0xf0, 0, 0xf0, 0xe7};
    char elf[160], line[400];
    FILE *file;

    if (!emulator)
        skip();
    snprintf(elf, sizeof elf, "%s.elf", snapshot());
    /* with a table of vectors, whatever its entry is */
    copy_without_attributes("nested-m3", 0, elf);
    snprintf(line, sizeof line, "%s --limit 100000", elf);
    assert_int_equal(record(snapshot(), line), 0);
    assert_true(says("err", hint));
    /* without one */
    copy_without_attributes("hello-m3", 1, elf);
    assert_int_equal(record(snapshot(), line), 0);
    assert_true(says("err", hint));
    assert_true(says("err", "--core cortex-m3"));
    snprintf(line, sizeof line, "%s --core cortex-m3", elf);
    assert_int_equal(record(snapshot(), line), 0);
    assert_true(says("err", "the program ended with status"));
    assert_false(says("err", hint));
    snprintf(line, sizeof line, "%s --core cortex-a9 --limit 100000", elf);
    assert_int_equal(record(snapshot(), line), 0);
    assert_false(says("err", hint));
    /* those of other profiles fail for other reasons: UDF at 0 and 4, which is
     * its own handler */
    copy_without_attributes("recurse-a9", 0, elf);
    file = fopen(elf, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0x80, SEEK_SET), 0);
    assert_int_equal(fwrite(udf, 1, sizeof udf, file), sizeof udf);
    fclose(file);
    snprintf(line, sizeof line, "%s --limit 1000", elf);
    assert_int_equal(record(snapshot(), line), 0);
    assert_true(says("err", "is undefined"));
    assert_false(says("err", hint));
}

/* What the emulator cannot do is said by name. */
IN_A_FOLDER(big_endian_programs_are_refused)
{
    if (!emulator)
        skip();
    assert_int_equal(
        record(snapshot(), arguments_of("../data/two_states_be8", "")), 1);
    assert_true(says("err", "big-endian programs cannot be run"));
}

/* The emulator is loaded by who runs a program, and by no other command. */
IN_A_FOLDER(only_running_a_program_needs_unicorn)
{
    char line[1400], found[256];

    if (!emulator || getenv("ETM_OWN_LIBRARIES") != NULL)
        skip();
    /* a library that is none stands before the one that is */
    snprintf(found, sizeof found,
             "mkdir %s.lib && : >%s.lib/libunicorn.so.2 && "
             "LD_LIBRARY_PATH=%s.lib:$LD_LIBRARY_PATH",
             snapshot(), snapshot(), snapshot());
    snprintf(line, sizeof line,
             "%s '%s' record %s -o %s.none >%s.out 2>%s.err; "
             "test $? -eq 1 && test $(wc -l <%s.err) -eq 1 && test ! -s %s.out",
             found, etm_command(), arguments_of("hello-a9", ""), snapshot(),
             snapshot(), snapshot(), snapshot(), snapshot());
    assert_int_equal(system(line), 0);
    assert_true(says("err", "Unicorn cannot be loaded"));
    snprintf(line, sizeof line, "rm -r %s.lib && %s '%s' --version >/dev/null",
             snapshot(), found, etm_command());
    assert_int_equal(system(line), 0);
}

static void assert_recorded_as(const char *arguments, const char *core)
{
    struct etm_session *session;

    assert_int_equal(record(snapshot(), arguments), 0);
    assert_ok(etm_session_open(&session, snapshot(), NULL, NULL));
    assert_string_equal(etm_session_source(session, 0)->core_type, core);
    etm_session_free(session);
}

/* The ELF file says what it was compiled for. */
IN_A_FOLDER(a_program_names_its_processor)
{
    static const struct {
        const char *program, *options, *core;
    } rows[] = {{"hello-m3", "", "Cortex-M3"},
                {"hello-arm7tdmi", "", "ARM7TDMI"},
                {"hello-arm7tdmi", "--core arm7tdmi-large", "ARM7TDMI"},
                {"hello-a9", "", "Cortex-A9"},
                {"hello-a9", "--core cortex-a9r0p0", "Cortex-A9"}};

    if (!emulator)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_recorded_as(arguments_of(rows[i].program, rows[i].options),
                           rows[i].core);
    }
}

/* A program whose build attributes have another Tag_CPU_arch, 6, after the
 * name of the processor; its arguments. */
static const char *for_architecture(const char *program, const char *name,
                                    uint8_t before, uint8_t architecture)
{
    static uint8_t bytes[1 << 16];
    static char path[512];
    uint8_t mark[16];
    size_t n, length = strlen(name) + 1, at = 0;
    FILE *file;

    (void)snprintf(path, sizeof path, "%s", arguments_of(program, ""));
    path[strlen(path) - 1] = '\0'; /* the blank before no options */
    file = fopen(path, "rb");
    assert_non_null(file);
    n = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    memcpy(mark, name, length);
    mark[length++] = 6;
    mark[length++] = before;
    while (at + length <= n && memcmp(bytes + at, mark, length) != 0)
        at++;
    assert_true(at + length <= n);
    bytes[at + length - 1] = architecture;
    (void)snprintf(path, sizeof path, "%s.elf", snapshot());
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Compilers seldom name the processor: its architecture tells enough. */
IN_A_FOLDER(a_program_names_its_architecture)
{
    static const struct {
        const char *program, *name;
        uint8_t before, architecture; /* Tag_CPU_arch */
        const char *core;
    } rows[] = {{"hello-m3", "7-M", 10, 13, "Cortex-M4"},
                {"hello-m3", "7-M", 10, 11, "Cortex-M3"},
                {"hello-arm7tdmi", "4T", 2, 1, "ARM7TDMI"},
                {"hello-arm7tdmi", "4T", 2, 5, "ARM926EJ-S"},
                {"hello-arm7tdmi", "4T", 2, 6, "ARM1136JF-S"},
                {"hello-arm7tdmi", "4T", 2, 7, "ARM1176JZF-S"},
                {"hello-arm7tdmi", "4T", 2, 8, "Cortex-A9"},
                {"hello-arm7tdmi", "4T", 2, 9, "ARM1176JZF-S"},
                {"hello-arm7tdmi", "4T", 2, 10, "Cortex-A9"},
                {"hello-arm7tdmi", "4T", 2, 99, "Cortex-A9"}};

    if (!emulator)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_recorded_as(for_architecture(rows[i].program, rows[i].name,
                                            rows[i].before,
                                            rows[i].architecture),
                           rows[i].core);
    }
}

/* A core with a larger macrocell runs the same programs. */
IN_A_FOLDER(a_core_runs_programs_whatever_its_macrocell)
{
    if (!emulator)
        skip();
    assert_int_equal(record(snapshot(), arguments_of("hello-arm7tdmi",
                                                     "--core arm9tdmi-large")),
                     0);
}

/* The pieces of the ELF file bring its symbols. */
IN_A_FOLDER(a_recording_has_symbols)
{
    struct etm_session *session;
    struct etm_symbol symbol;
    struct run told;
    bool symbols = false;

#ifdef HAVE_ELFUTILS
    symbols = emulator;
#endif
    if (!symbols)
        skip();
    assert_int_equal(record(snapshot(), arguments_of("moves-a9", "")), 0);
    decode(&told, snapshot());
    assert_ok(etm_session_open(&session, snapshot(), NULL, NULL));
    assert_ok(etm_session_symbol(session, 0, told.steps[0].address, &symbol));
    assert_string_equal(symbol.name, "_start");
    etm_session_free(session);
    run_free(&told);
}

static void write_file(const char *suffix, const char *text)
{
    char path[160];
    FILE *file;

    snprintf(path, sizeof path, "%s.%s", snapshot(), suffix);
    file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

IN_A_FOLDER(a_tarmac_log_is_recorded)
{
    char arguments[256];
    struct run told;

    write_file("tarmac",
               "1 clk IT (1) 00008000 e3a00001 A svc_s : MOV r0,#1\n"
               "2 clk IT (2) 00008004 e5801000 A svc_s : STR r1,[r0]\n"
               "2 clk MW4 00000001 00000007\n"
               "3 clk IT what is this\n"
               "3 clk IT (3) 00008008 eafffffc A svc_s : B 0x8000\n"
               "4 clk IT (4) 00008000 e3a00001 A svc_s : MOV r0,#1\n");
    snprintf(arguments, sizeof arguments,
             "--tarmac %s.tarmac --core cortex-r4 --data both", snapshot());
    assert_int_equal(record(snapshot(), arguments), 0);
    assert_true(says("err", "1 of 6 lines were not understood; the first is "
                            "line 4: 3 clk IT what is this"));
    assert_true(says("err", "4 instructions"));
    decode(&told, snapshot());
    assert_int_equal(told.n_steps, 4);
    assert_int_equal(told.steps[2].opcode, 0xeafffffc);
    assert_int_equal(told.n_transfers, 1);
    assert_int_equal(told.transfers[0].value, 7);
    run_free(&told);
}

/* The example of doc/execution-log.md, from standard input. */
IN_A_FOLDER(an_execution_is_recorded)
{
    char line[512];
    struct run told;

    write_file("txt", "version 1\n"
                      "place 00008000\n"
                      "00008000 e3a00003\n"
                      "00008004 e2500001\n"
                      "00008008 1afffffd\n"
                      "00008004 e2500001 +4\n"
                      "00008008 1afffffd fail\n"
                      "0000800c e5801000 w4:00009000=12345678\n"
                      "00008010 e12fff11 next=00009000:t\n"
                      "exception irq +2 to=00000018:a\n"
                      "00000018 e25ef004 next=00009000:t\n"
                      "00009000 4770 next=00008014:a\n");
    snprintf(
        line, sizeof line,
        "'%s' record --execution - --core cortex-r4 -o %s <%s.txt 2>%s.err",
        etm_command(), snapshot(), snapshot(), snapshot());
    assert_int_equal(system(line), 0);
    assert_true(says("err", "9 instructions, 1 exception, 1 transfer, 14 "
                            "cycles"));
    decode(&told, snapshot());
    assert_int_equal(told.n_steps, 9);
    assert_int_equal(told.n_exceptions, 1);
    assert_int_equal(told.steps[6].isa, ETM_ISA_ARM);
    assert_int_equal(told.steps[8].isa, ETM_ISA_THUMB);
    assert_int_equal(told.n_lost, 0);
    run_free(&told);
}

IN_A_FOLDER(a_mistake_in_a_log_is_named_with_its_line)
{
    char arguments[256];

    write_file("txt", "8000 e3a00001\n8008 e3a00001\n");
    snprintf(arguments, sizeof arguments, "--execution %s.txt", snapshot());
    assert_int_equal(record(snapshot(), arguments), 1);
    assert_true(says("err", ".txt:2: the instruction in line 1 leads to "
                            "0x00008004"));
    /* record() writes the log there */
    write_file("log", "8000 e3a00001\n");
    snprintf(arguments, sizeof arguments, "--execution %s.log", snapshot());
    assert_int_equal(record(snapshot(), arguments), 1);
    assert_true(says("err", "the log would replace what is read"));
    assert_true(says("log", "8000 e3a00001"));
}

int main(int argc, char **argv)
{
    emulator = record_setup(argc, argv);
    return tests_run();
}
