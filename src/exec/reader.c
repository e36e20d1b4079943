/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of the reader, and lines. */
#include "exec/reader.h"

#include "base/diag.h"
#include "base/mark.h"
#include "base/size.h"

#include <string.h>

static void copy_text(char *to, size_t capacity, const char *from)
{
    size_t n = from == NULL ? 0 : strlen(from);

    if (n >= capacity)
        n = capacity - 1;
    if (n > 0)
        memcpy(to, from, n);
    to[n] = '\0';
}

int etm_execution_reader_new(struct etm_execution_reader **reader,
                             const struct etm_execution_reader_config *config)
{
    struct etm_execution_reader_config own;
    struct etm_execution_reader *r;
    struct etm_allocator a;
    int status;

    if (reader == NULL)
        return ETM_ERR_ARGUMENT;
    *reader = NULL;
    status = ETM_TAKE(etm_execution_reader_config, &own, config, NULL);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (config->events == NULL ||
        (config->format != ETM_EXECUTION_LOG &&
         config->format != ETM_EXECUTION_TARMAC) ||
        (unsigned)config->profile > ETM_PROFILE_M)
        return ETM_ERR_ARGUMENT;
    a = etm_allocator_or_default(config->allocator);
    r = etm_alloc_zero(&a, sizeof *r);
    if (r == NULL)
        return ETM_ERR_MEMORY;
    r->allocator = a;
    r->receive = config->events;
    r->context = config->context;
    r->format = config->format;
    r->profile = config->profile;
    r->pc_first = config->pc_first;
    r->now.isa = config->profile == ETM_PROFILE_M ? ETM_ISA_THUMB : ETM_ISA_ARM;
    copy_text(r->name, sizeof r->name, config->name);
    copy_text(r->tarmac.cpu, sizeof r->tarmac.cpu, config->cpu);
    r->tarmac.period = config->period;
    r->tarmac.fixed = config->profile != ETM_PROFILE_UNKNOWN;
    r->tarmac.m_profile = config->profile == ETM_PROFILE_M;
    r->tarmac.now = r->now;
    etm_vec_init(&r->line, sizeof(char), &a);
    etm_vec_init(&r->events, sizeof(struct etm_event), &a);
    etm_vec_init(&r->lines, sizeof(uint64_t), &a);
    *reader = r;
    return ETM_OK;
}

void etm_execution_reader_free(struct etm_execution_reader *r)
{
    struct etm_allocator a;

    if (r == NULL)
        return;
    a = r->allocator;
    etm_vec_fini(&r->line);
    etm_vec_fini(&r->events);
    etm_vec_fini(&r->lines);
    etm_alloc_free(&a, r);
}

void etm_execution_reader_report(const struct etm_execution_reader *reader,
                                 struct etm_execution_report *report)
{
    *report = reader->report;
}

uint64_t etm_execution_reader_line(const struct etm_execution_reader *reader,
                                   size_t i)
{
    const uint64_t *lines = reader->lines.data;

    return i < reader->delivered ? lines[i] : 0;
}

/* Keep the status permanently, and set the diagnosis. */
static int end(struct etm_execution_reader *r, int status,
               struct etm_diag *diag)
{
    if (r->status == ETM_OK && status != ETM_OK) {
        r->status = status;
        if (status != ETM_ERR_FORMAT) {
            etm_diag_begin(&r->diag, status, r->name);
            etm_diag_text(&r->diag, etm_status_text(status));
        }
    }
    if (r->status != ETM_OK && diag != NULL)
        *diag = r->diag;
    return r->status;
}

static int take_line(struct etm_execution_reader *r, const char *text, size_t n)
{
    size_t mark = r->report.lines++ == 0 ? etm_mark_size(text, n) : 0;
    struct etm_word line = {text + mark, n - mark};
    int status;

    r->line_number = r->report.lines;
    status = r->format == ETM_EXECUTION_LOG ? etm_log_line(r, line)
                                            : etm_tarmac_line(r, line);
    return status == ETM_OK ? etm_pending_flush(r, false) : status;
}

/* Nothing comes after the end of the text; an error before it stays. */
static int check_open(const struct etm_execution_reader *r,
                      struct etm_diag *diag)
{
    if (r->status != ETM_OK || !r->finished)
        return ETM_OK;
    return etm_diag_say(diag, ETM_ERR_ARGUMENT, r->name,
                        "the text has already ended");
}

/* A piece of a line that has not ended. */
static int keep(struct etm_execution_reader *r, const char *text, size_t n)
{
    if (r->overlong)
        return ETM_OK;
    if (n <= ETM_LINE_MAX - r->line.n)
        return etm_vec_append(&r->line, text, n);
    if (r->format == ETM_EXECUTION_LOG) {
        r->report.lines++;
        return etm_reader_fail(r, "the line has more than %u characters",
                               ETM_LINE_MAX);
    }
    r->overlong = true;
    r->line.n = 0;
    return ETM_OK;
}

static int end_line(struct etm_execution_reader *r)
{
    int status = take_line(r, r->line.data, r->line.n);

    r->line.n = 0;
    r->overlong = false;
    return status;
}

int etm_execution_reader_push(struct etm_execution_reader *r, const char *text,
                              size_t n, struct etm_diag *diag)
{
    int status = check_open(r, diag);

    if (status != ETM_OK)
        return status;
    if (text == NULL && n > 0)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, r->name,
                            "the text is NULL");
    status = r->status;
    while (n > 0 && status == ETM_OK) {
        const char *end_of_line = memchr(text, '\n', n);
        size_t piece = end_of_line == NULL ? n : (size_t)(end_of_line - text);

        if (end_of_line != NULL && r->line.n == 0 && !r->overlong &&
            piece <= ETM_LINE_MAX) {
            status = take_line(r, text, piece);
        } else {
            status = keep(r, text, piece);
            if (status == ETM_OK && end_of_line != NULL)
                status = end_line(r);
        }
        piece += end_of_line != NULL;
        text += piece;
        n -= piece;
    }
    return end(r, status, diag);
}

int etm_execution_reader_finish(struct etm_execution_reader *r,
                                struct etm_diag *diag)
{
    int status = check_open(r, diag);

    if (status != ETM_OK)
        return status;
    status = r->status;
    r->finished = true;
    if (status == ETM_OK && (r->line.n > 0 || r->overlong))
        status = end_line(r);
    if (status == ETM_OK && r->format == ETM_EXECUTION_TARMAC)
        status = etm_tarmac_finish(r);
    if (status == ETM_OK)
        status = etm_pending_finish(r);
    return end(r, status, diag);
}
