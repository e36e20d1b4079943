/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that is no trace is refused in the same words through a pipe that is
 * read once, however it comes, whatever is declared of it.
 */
#define _POSIX_C_SOURCE 200809L
#include "../input/support.h"
#include "../support/receive.h"
#include "../support/test.h"

#include <etm/session.h>

#include <unistd.h>

#define MOST 512u

#define BEGINS(text) text, sizeof(text) - 1

/* What it begins with, zeros up to so many bytes, and a part of the sentence;
 * "": it is not refused as another kind. */
static const struct {
    const char *begin;
    size_t n, size;
    const char *says;
} kinds[] = {
    {BEGINS("PERFILE2\150"), 12, "a truncated perf file"},
    {BEGINS("PERFI"), 5, ""},
    {BEGINS("PERFILE2\150"), 200, "own configuration"},
    {BEGINS("2ELIFREP"), 100, "big-endian"},
    {BEGINS("\177ELF"), 100, "an ELF file"},
    {BEGINS("\037\213\010"), 50, "zcat"},
    {BEGINS("PK\003\004"), 60, "a zip archive"},
    {BEGINS("\377\376h\0e\0l\0l\0o\0\n"), 12, "UTF-16"},
    {BEGINS("\n <!DOCTYPE html>\n<html>"), 24, "a web page"},
    {BEGINS("libsigrok 0.5.2\nAcquisition with 1/8 channels at 1 MHz\n"), 55,
     "sigrok's output"},
    {BEGINS("GROUP CREATE A = A1 A0 ;\nRADIX HEX;\nPATTERN\n0> 1\n"), 48,
     "Quartus"},
    {BEGINS("\0\0\0\0\0\0\0\1\111"), 300, ""},
    {BEGINS("trace.bin"), 300, ""},
    {BEGINS("\200\200\010\204\204\204\204"), 64, ""},
};

/* Framings that are read as they come, and the forms of samples. */
static const struct {
    enum etm_framing framing;
    enum etm_port_form form;
} declared[] = {
    {ETM_FRAMING_NONE, ETM_PORT_FORM_AUTO},
    {ETM_FRAMING_CORESIGHT, ETM_PORT_FORM_AUTO},
    {ETM_FRAMING_TPIU, ETM_PORT_FORM_AUTO},
    {ETM_FRAMING_DSTREAM, ETM_PORT_FORM_AUTO},
    {ETM_FRAMING_ORBFLOW, ETM_PORT_FORM_AUTO},
    {ETM_FRAMING_PORT, ETM_PORT_FORM_AUTO},
    {ETM_FRAMING_PORT, ETM_PORT_FORM_TEXT},
    {ETM_FRAMING_PORT, ETM_PORT_FORM_BYTES},
};

RECEIVE(pass_over, const uint8_t *)

/* Packets of orbuculum are missed when no more come. */
static int try_open(const char *path, size_t how, bool once,
                    struct etm_diag *diag)
{
    static const struct etm_register id = {"ETMTRACEIDR", ETM_REGISTER_NONE,
                                           0x10};
    const struct etm_session_options options = {
        .size = sizeof options,
        .protocol = ETM_PROTOCOL_ETMV3,
        .framing = declared[how].framing,
        .framing_told = true,
        .form = declared[how].form,
        .registers = &id,
        .n_registers = declared[how].framing != ETM_FRAMING_NONE &&
                       declared[how].framing != ETM_FRAMING_PORT,
        .once = once};
    const struct etm_session_run run = {.size = sizeof run, .bytes = pass_over};
    struct etm_session *session;
    int status;

    *diag = (struct etm_diag){.what = ""};
    status = etm_session_open(&session, path, &options, diag);
    if (status != ETM_OK)
        return status;
    if (etm_session_sources(session) != 0)
        status = etm_session_run_source(session, 0, &run, diag);
    etm_session_free(session);
    return status;
}

/* Through a pipe, `piece` bytes at a time. */
static int try_pipe(const uint8_t *bytes, size_t n, size_t piece, size_t how,
                    struct etm_diag *diag)
{
    pid_t child = write_pipe("trace", bytes, n, piece);
    int status = try_open(in_directory("trace"), how, true, diag);

    end_pipe(child, "trace");
    return status;
}

static void it_is_refused_in_the_words_for_a_file(size_t kind, size_t how)
{
    uint8_t bytes[MOST] = {0};
    const size_t n = kinds[kind].size, pieces[] = {n, 7};
    struct etm_diag file, pipe;
    int status;

    memcpy(bytes, kinds[kind].begin, kinds[kind].n);
    write_file("trace", bytes, n);
    status = try_open(in_directory("trace"), how, false, &file);
    unlink(in_directory("trace"));
    assert_true(kinds[kind].says[0] == '\0' || status != ETM_OK);
    assert_non_null(strstr(file.what, kinds[kind].says));
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(try_pipe(bytes, n, pieces[i], how, &pipe), status);
        assert_string_equal(pipe.what, file.what);
    }
}

TEST_BETWEEN(whatever_is_declared, empty_directory, NULL)
{
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t how = 0; how < sizeof declared / sizeof *declared; how++)
            it_is_refused_in_the_words_for_a_file(kind, how);
}

int main(void)
{
    return tests_run_between(make_directory, remove_directory);
}
