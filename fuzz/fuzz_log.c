/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as an execution log, or as one in Tarmac: cut or whole, the same
 * events come of it, and what is written of them is read again. */
#include "fuzz.h"

#include <etm/model.h>

#define MOST 4096u

struct events {
    struct etm_event of[MOST];
    size_t n;
};

static int keep(void *context, const struct etm_event *events, size_t n)
{
    struct events *all = context;

    if (n > MOST - all->n)
        n = MOST - all->n;
    memcpy(all->of + all->n, events, n * sizeof *events);
    all->n += n;
    return all->n == MOST ? 1 : 0;
}

static int read_log(struct events *all, uint8_t kind, const char *text,
                    size_t n, size_t step)
{
    const struct etm_execution_reader_config config = {
        .size = sizeof config,
        .format = kind & 1 ? ETM_EXECUTION_TARMAC : ETM_EXECUTION_LOG,
        .profile = kind & 2 ? ETM_PROFILE_M : ETM_PROFILE_UNKNOWN,
        .pc_first = (kind & 4) != 0,
        .events = keep,
        .context = all};
    struct etm_execution_reader *reader;
    struct etm_diag diag = {0};
    int status = ETM_OK;

    all->n = 0;
    must(etm_execution_reader_new(&reader, &config) == ETM_OK);
    for (size_t at = 0; at < n && status == ETM_OK; at += step)
        status = etm_execution_reader_push(
            reader, text + at, n - at < step ? n - at : step, &diag);
    if (status == ETM_OK)
        status = etm_execution_reader_finish(reader, &diag);
    must(status != ETM_ERR_FORMAT || diag.what[0] != '\0');
    etm_execution_reader_free(reader);
    return status;
}

struct text {
    char of[1 << 20];
    size_t n;
};

static int put(void *context, const char *bytes, size_t n)
{
    struct text *text = context;

    if (n > sizeof text->of - text->n)
        return 1;
    memcpy(text->of + text->n, bytes, n);
    text->n += n;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct events whole, cut;
    static struct text text;
    const uint8_t kind = take(&data, &size), step = take(&data, &size);
    const struct etm_execution_writer_config config = {
        .size = sizeof config,
        .profile = kind & 2 ? ETM_PROFILE_M : ETM_PROFILE_UNKNOWN,
        .write = put,
        .context = &text};
    struct etm_execution_writer *writer;
    int status = read_log(&whole, kind, (const char *)data, size, size + 1);

    must(read_log(&cut, kind, (const char *)data, size, step % 40 + 1u) ==
         status);
    if (status != ETM_OK)
        return 0;
    must(whole.n == cut.n &&
         memcmp(whole.of, cut.of, whole.n * sizeof *whole.of) == 0);
    text.n = 0;
    must(etm_execution_writer_new(&writer, &config) == ETM_OK);
    status = etm_execution_writer_push(writer, whole.of, whole.n);
    if (status == ETM_OK && etm_execution_writer_finish(writer) == ETM_OK)
        must(read_log(&cut, kind & 6, text.of, text.n, text.n + 1) == ETM_OK &&
             cut.n == whole.n);
    etm_execution_writer_free(writer);
    return 0;
}
