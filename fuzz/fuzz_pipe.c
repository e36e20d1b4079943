/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a raw file in any framing that comes through a pipe: what is
 * read as it comes, and what is kept first, are the elements of a file, or it
 * is refused in the same words.
 */
#include "fuzz.h"
#include "sum.h"

#include <etm/session.h>

/* Bytes at the end of the last file that are no trace; of a pipe that is read
 * as it comes, all are (E-334). */
static uint64_t stop;

/* What is in a capture, or why it is refused. */
static int read_all(const char *path, const struct etm_session_options *options,
                    struct sum *sum)
{
    const struct etm_session_run how = {
        .size = sizeof how, .elements = add, .context = sum};
    struct etm_session *session;
    struct etm_diag diag = {0};
    size_t sources;
    int status = etm_session_open(&session, path, options, &diag);

    *sum = (struct sum){0, 0};
    stop = 0;
    if (status == ETM_OK) {
        if (etm_session_buffers(session) != 0)
            stop = etm_session_buffer(session, 0)->stop;
        sources = etm_session_sources(session);
        for (size_t i = 0; i < sources && status == ETM_OK; i++)
            status = etm_session_run_source(session, i, &how, &diag);
        etm_session_free(session);
    }
    if (status != ETM_OK) {
        must(diag.what[0] != '\0');
        *sum = (struct sum){0, mix(0, diag.what, strlen(diag.what))};
    }
    return status;
}

static int read_pipe(const uint8_t *bytes, size_t n,
                     const struct etm_session_options *options, struct sum *sum)
{
    char path[32];
    int ends[2], status;

    must(pipe(ends) == 0 && write(ends[1], bytes, n) == (ssize_t)n);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    status = read_all(path, options, sum);
    close(ends[0]);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t kind = take(&data, &size), form = take(&data, &size);
    static const uint8_t widths[] = {0, 4, 8, 16};
    static const struct etm_register id = {"ETMTRACEIDR", ETM_REGISTER_NONE,
                                           0x10};
    struct etm_session_options options = {
        .size = sizeof options,
        .protocol = (enum etm_protocol)(kind % 8 % (ETM_PROTOCOL_MTB + 1)),
        .framing = (enum etm_framing)(kind / 8 % (ETM_FRAMING_ORBFLOW + 1)),
        .framing_told = true,
        .form = (enum etm_port_form)(form & 7),
        .port_width = widths[form >> 3 & 3],
        .reverse_bytes = 1,
        .wrapped = ETM_FALSE,
        .registers = &id,
        .n_registers = form >> 7};
    struct sum file, kept, once;
    int status, status_once;

    size = size < 32768 ? size : 32768; /* a pipe has room for it */
    write_file("trace", data, size);
    status = read_all(in_directory("trace"), &options, &file);
    must(read_pipe(data, size, &options, &kept) == status);
    must(kept.n == file.n && kept.hash == file.hash);
    if (stop != 0)
        return 0;
    options.once = true;
    status_once = read_pipe(data, size, &options, &once);
    must((status_once == ETM_OK) == (status == ETM_OK) && once.n == file.n);
    /* What the bytes look like is not said of what is not read. */
    must((status_once == status && once.hash == file.hash) ||
         options.protocol == ETM_PROTOCOL_NONE);
    return 0;
}
