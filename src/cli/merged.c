/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/merged.h"

#include "cli/json.h"
#include "cli/part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Lines of one time, as they are in a file: this, and the text. */
struct entry {
    uint64_t ticks; /* UINT64_MAX: no time of the source is known */
    uint32_t n;     /* bytes of text */
    uint32_t known;
};

struct source {
    char *name;
    FILE *file;
    struct entry next; /* when it is read; n 0: there is none */
    bool timed;        /* a time is known, */
    bool lines;        /* and there was a line */
};

struct text {
    char *bytes;
    size_t n, room;
};

/* How lines get their time. */
enum form { TEXT = 0, JSONL, AS_IS };

struct etm_cli_merged {
    struct etm_cli_output *output;
    enum form form;
    struct source *sources;
    size_t n_sources;
    size_t width;        /* of their names */
    bool head;           /* what is written is a heading */
    struct entry entry;  /* else, of this time */
    struct text heading; /* of all sources */
    struct text text;    /* of the current entry, or of the one that is read */
};

static int append(struct text *t, const char *bytes, size_t n)
{
    if (n > t->room - t->n) {
        size_t room = 2 * (t->n + n) + 256;
        char *larger = realloc(t->bytes, room);

        if (!larger)
            return ETM_ERR_MEMORY;
        t->bytes = larger;
        t->room = room;
    }
    memcpy(t->bytes + t->n, bytes, n);
    t->n += n;
    return ETM_OK;
}

static int keep(void *context, const char *text, size_t n)
{
    struct etm_cli_merged *m = context;

    return append(m->head ? &m->heading : &m->text, text, n);
}

static int fail(struct etm_cli_merged *m)
{
    if (!m->output->failed)
        etm_cli_error("--merge: a temporary file: %s", strerror(errno));
    m->output->failed = true;
    return ETM_ERR_STOPPED;
}

/* The entry is complete. */
static int put_entry(struct etm_cli_merged *m)
{
    struct source *s = &m->sources[m->n_sources - 1];
    int status = etm_cli_flush(m->output);

    if (status != ETM_OK || m->head || m->text.n == 0)
        return status;
    m->entry.n = (uint32_t)m->text.n;
    m->text.n = 0;
    s->lines = true;
    return fwrite(&m->entry, sizeof m->entry, 1, s->file) == 1 &&
                   fwrite(m->text.bytes, 1, m->entry.n, s->file) == m->entry.n
               ? ETM_OK
               : fail(m);
}

/* An unnamed file where temporary files go. */
static FILE *make_file(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    FILE *file;
    int fd;

    if (!folder || *folder == '\0')
        folder = "/tmp";
    if (snprintf(path, sizeof path, "%s/etm-XXXXXX", folder) >=
        (int)sizeof path) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    fd = mkstemp(path);
    if (fd < 0)
        return NULL;
    (void)unlink(path);
    file = fdopen(fd, "w+");
    if (!file)
        (void)close(fd);
    return file;
}

struct etm_cli_merged *etm_cli_merged_new(struct etm_cli_output *output,
                                          const char *format, bool tells_time)
{
    struct etm_cli_merged *m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    m->output = output;
    if (strcmp(format, "jsonl") == 0)
        m->form = tells_time ? AS_IS : JSONL;
    m->head = true;
    output->keep = keep;
    output->keep_context = m;
    return m;
}

void etm_cli_merged_free(struct etm_cli_merged *m)
{
    if (!m)
        return;
    m->output->keep = NULL;
    for (size_t i = 0; i < m->n_sources; i++) {
        free(m->sources[i].name);
        if (m->sources[i].file)
            (void)fclose(m->sources[i].file);
    }
    free(m->sources);
    free(m->heading.bytes);
    free(m->text.bytes);
    free(m);
}

int etm_cli_merged_source(struct etm_cli_merged *m,
                          const struct etm_source_info *info)
{
    struct source *sources;
    size_t width = strlen(info->name);
    int status = m->n_sources != 0 ? put_entry(m) : etm_cli_flush(m->output);

    if (status != ETM_OK)
        return status;
    sources = realloc(m->sources, (m->n_sources + 1) * sizeof *sources);
    if (!sources)
        return ETM_ERR_MEMORY;
    m->sources = sources;
    sources += m->n_sources;
    *sources = (struct source){.file = make_file()};
    if (!sources->file)
        return fail(m);
    m->n_sources++;
    sources->name = malloc(width + 1);
    if (!sources->name)
        return ETM_ERR_MEMORY;
    memcpy(sources->name, info->name, width + 1);
    m->width = width > m->width ? width : m->width;
    m->head = true;
    return ETM_OK;
}

int etm_cli_merged_at(struct etm_cli_merged *m,
                      const struct etm_clock_time *time)
{
    int status = put_entry(m);

    m->head = !time;
    if (!time)
        return status;
    m->sources[m->n_sources - 1].timed |= time->known;
    m->entry = (struct entry){
        .ticks = time->known || time->ticks != 0 ? time->ticks : UINT64_MAX,
        .known = time->known};
    return status;
}

static void put_prefix(struct etm_cli_merged *m, const struct source *s)
{
    if (s->next.known)
        etm_cli_print(m->output, "%14" PRIu64 "  ", s->next.ticks);
    else
        etm_cli_print(m->output, "%14s  ", "-");
    etm_cli_put_name(m->output, s->name);
    etm_cli_print(m->output, "%*s", (int)(m->width - strlen(s->name) + 1), "");
}

/* One line, with its end if it has one. */
static void put_line(struct etm_cli_merged *m, const struct source *s,
                     const char *line, size_t n)
{
    size_t end = n != 0 && line[n - 1] == '\n' ? n - 1 : n;

    switch (m->form) {
    case TEXT:
        put_prefix(m, s);
        break;
    case JSONL:
        if (end == 0 || line[end - 1] != '}')
            break;
        end--;
        etm_cli_put(m->output, line, end);
        etm_cli_json_time(m->output, "time",
                          &(struct etm_clock_time){.ticks = s->next.ticks,
                                                   .known = s->next.known});
        line += end;
        n -= end;
        break;
    case AS_IS:
        break;
    }
    etm_cli_put(m->output, line, n);
}

/* The lines of a source; NULL: the headings. Between sources there are empty
 * ones. */
static void put_lines(struct etm_cli_merged *m, const struct source *s,
                      const char *at, size_t n)
{
    while (n > 0) {
        const char *end = memchr(at, '\n', n);
        size_t length = end ? (size_t)(end - at) + 1 : n;

        if (length > 1 && s)
            put_line(m, s, at, length);
        else if (length > 1)
            etm_cli_put(m->output, at, length);
        at += length;
        n -= length;
    }
}

static bool read_entry(struct source *s)
{
    if (fread(&s->next, sizeof s->next, 1, s->file) == 1)
        return true;
    s->next.n = 0;
    return !ferror(s->file);
}

/* The source whose next lines come first; NULL after the last. */
static struct source *first_of(struct etm_cli_merged *m)
{
    struct source *first = NULL;

    for (size_t i = 0; i < m->n_sources; i++) {
        struct source *s = &m->sources[i];

        if (s->next.n != 0 && (!first || s->next.ticks < first->next.ticks))
            first = s;
    }
    return first;
}

static int put_all(struct etm_cli_merged *m)
{
    struct source *s;

    for (size_t i = 0; i < m->n_sources; i++) {
        s = &m->sources[i];
        if (s->lines && !s->timed)
            etm_cli_error("%s: there is no timestamp in it: its lines are "
                          "last, and have no time",
                          s->name);
        rewind(s->file);
        if (!read_entry(s))
            return fail(m);
    }
    while ((s = first_of(m)) != NULL) {
        m->text.n = 0;
        while (m->text.room < s->next.n) /* it had this room once */
            if (append(&m->text, "", 1) != ETM_OK)
                return ETM_ERR_MEMORY;
        if (fread(m->text.bytes, 1, s->next.n, s->file) != s->next.n)
            return fail(m);
        put_lines(m, s, m->text.bytes, s->next.n);
        if (m->output->closed || m->output->failed)
            return ETM_ERR_STOPPED;
        if (!read_entry(s))
            return fail(m);
    }
    return ETM_OK;
}

static int finish(struct etm_cli_merged *m)
{
    int status = m->n_sources != 0 ? put_entry(m) : etm_cli_flush(m->output);

    if (m->output->closed || m->output->failed)
        return ETM_ERR_STOPPED;
    for (size_t i = 0; i < m->n_sources && status == ETM_OK; i++)
        if (fflush(m->sources[i].file) != 0)
            status = fail(m);
    if (status != ETM_OK)
        return status;
    m->output->keep = NULL;
    put_lines(m, NULL, m->heading.bytes, m->heading.n);
    if (m->form == TEXT && m->heading.n != 0)
        etm_cli_put(m->output, "\n", 1);
    status = put_all(m);
    return status == ETM_OK ? etm_cli_flush(m->output) : status;
}

int etm_cli_merged_end(struct etm_cli_merged *m, int status)
{
    int ended = finish(m);

    if (status != ETM_EXIT_OK || ended == ETM_OK || m->output->closed)
        return status;
    if (ended == ETM_ERR_MEMORY)
        etm_cli_error("out of memory");
    return ETM_EXIT_UNREADABLE;
}

int etm_cli_merged_fits(const struct etm_cli_capture *capture)
{
    for (size_t i = 0; i < capture->n_sources && capture->n_sources > 1; i++) {
        const struct etm_source_info *info =
            etm_session_source(capture->session, capture->sources[i]);
        struct etm_diag diag = {0};
        const char *why;
        int status = etm_cli_why_no_times(capture->session, capture->sources[i],
                                          &why, &diag);

        if (status != ETM_OK) {
            etm_cli_diag(status, &diag);
            return ETM_EXIT_UNREADABLE;
        }
        if (!why)
            continue;
        etm_cli_error("%s (0x%02x): --merge: it has no time in common with the "
                      "other sources: %s",
                      info->name, info->id, why);
        return ETM_EXIT_USAGE;
    }
    return ETM_EXIT_OK;
}
