/* SPDX-License-Identifier: Apache-2.0 */
/* Notes on a capture: what is odd in its files, and what could not be read. A
 * file may give rise to the same note any number of times, and each would be a
 * line for people to read, so of each kind there are a few, and then how many
 * more there would be. */
#include "input/build.h"

#include "input/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* printf() into new memory; NULL: no memory. */
static char *print(const struct etm_allocator *allocator, const char *format,
                   va_list list)
{
    char text[512];

    vsnprintf(text, sizeof text, format, list);
    return etm_text_copy(allocator, text, strlen(text));
}

/* Append a text (NULL: no memory), or free it. */
static int append(struct etm_capture *capture, struct etm_vec *texts,
                  char *text)
{
    int status;

    if (text == NULL)
        return ETM_ERR_MEMORY;
    status = etm_vec_append(texts, &text, 1);
    if (status != ETM_OK)
        etm_alloc_free(&capture->allocator, text);
    return status;
}

int etm_build_file(struct etm_capture *capture, const char *path)
{
    return append(capture, &capture->files,
                  etm_text_copy(&capture->allocator, path, strlen(path)));
}

/* The kind of a note, with this one counted. NULL: no memory. */
static struct etm_note_kind *count(struct etm_capture *capture,
                                   const char *text, bool fault)
{
    struct etm_note_kind *kinds = capture->kinds.data;
    struct etm_note_kind kind = {.n = 1, .fault = fault};

    /* as many as there are calls in the source */
    (void)snprintf(kind.text, sizeof kind.text, "%s", text);
    for (size_t i = 0; i < capture->kinds.n; i++) {
        if (kinds[i].fault == fault && strcmp(kinds[i].text, kind.text) == 0) {
            kinds[i].n++;
            return &kinds[i];
        }
    }
    if (etm_vec_append(&capture->kinds, &kind, 1) != ETM_OK)
        return NULL;
    kinds = capture->kinds.data;
    return &kinds[capture->kinds.n - 1];
}

static int keep(struct etm_capture *capture, const char *format, va_list list)
{
    return append(capture, &capture->notes,
                  print(&capture->allocator, format, list));
}

static int add(struct etm_capture *capture, const char *format, ...)
{
    va_list list;
    int status;

    va_start(list, format);
    status = keep(capture, format, list);
    va_end(list);
    return status;
}

static char *last_note(const struct etm_capture *capture)
{
    return ((char **)capture->notes.data)[capture->notes.n - 1];
}

int etm_build_note(struct etm_capture *capture, const char *format, ...)
{
    struct etm_note_kind *kind = count(capture, format, false);
    va_list list;
    int status;

    if (kind == NULL)
        return ETM_ERR_MEMORY;
    if (kind->n > ETM_NOTES_OF_A_KIND)
        return ETM_OK;
    va_start(list, format);
    status = keep(capture, format, list);
    va_end(list);
    if (status == ETM_OK)
        kind->last = last_note(capture);
    return status;
}

void etm_build_forget_notes(struct etm_capture *capture, const char *beginning)
{
    struct etm_note_kind *kinds = capture->kinds.data;
    char **notes = capture->notes.data;
    size_t kept = 0;

    for (size_t i = 0; i < capture->notes.n; i++) {
        if (strncmp(notes[i], beginning, strlen(beginning)) != 0) {
            notes[kept++] = notes[i];
            continue;
        }
        for (size_t k = 0; k < capture->kinds.n; k++)
            if (kinds[k].last == notes[i])
                kinds[k].last = NULL;
        etm_alloc_free(&capture->allocator, notes[i]);
    }
    capture->notes.n = kept;
}

static int add_fault(struct etm_capture *capture)
{
    char *note = last_note(capture);

    return etm_vec_append(&capture->faults, &note, 1);
}

int etm_build_fault(struct etm_capture *capture, const struct etm_diag *diag,
                    const char *and_so)
{
    struct etm_note_kind *kind = count(capture, and_so, true);
    char line[24] = "";
    int status;

    if (kind == NULL)
        return ETM_ERR_MEMORY;
    if (kind->n > ETM_NOTES_OF_A_KIND)
        return ETM_OK;
    if (diag->line != ETM_DIAG_NONE)
        snprintf(line, sizeof line, ":%llu", (unsigned long long)diag->line);
    status =
        add(capture, "%s%s: %s: %s", diag->source, line, and_so, diag->what);
    if (status == ETM_OK)
        kind->last = last_note(capture);
    return status == ETM_OK ? add_fault(capture) : status;
}

int etm_build_sum_up(struct etm_capture *capture)
{
    const struct etm_note_kind *kinds = capture->kinds.data;
    int status = ETM_OK;

    for (size_t i = 0; i < capture->kinds.n && status == ETM_OK; i++) {
        size_t more = kinds[i].n - ETM_NOTES_OF_A_KIND;

        if (kinds[i].n <= ETM_NOTES_OF_A_KIND || kinds[i].last == NULL)
            continue;
        status = add(capture, "%zu more like this: %s", more, kinds[i].last);
        if (status == ETM_OK && kinds[i].fault)
            status = add_fault(capture);
    }
    return status;
}

int etm_build_why_not(struct etm_capture *capture, size_t source,
                      const char *format, ...)
{
    struct etm_capture_source *s = etm_build_source_at(capture, source);
    va_list list;

    va_start(list, format);
    etm_alloc_free(&capture->allocator, s->why_not);
    s->why_not = print(&capture->allocator, format, list);
    va_end(list);
    s->decodable = false;
    return s->why_not == NULL ? ETM_ERR_MEMORY : ETM_OK;
}
