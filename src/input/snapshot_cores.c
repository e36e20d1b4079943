/* SPDX-License-Identifier: Apache-2.0 */
/* Finding the core and the trace ID of a source of a snapshot, if they are not
 * given. */
#include "input/snapshot.h"
#include "input/text.h"
#include "port/frame.h"

#include <stdio.h>
#include <string.h>

/* Does it trace what a processor executes? Without a type it may: its registers
 * identify the macrocell. */
static bool traces_core(const struct etm_capture_source *s)
{
    return s->type[0] == '\0' || etm_text_begins(s->type, "ETM") ||
           etm_text_begins(s->type, "PTM") || etm_text_begins(s->type, "PFT");
}

/* The number at the end of a name; false: there is none. */
static bool number_of(const char *name, uint64_t *number)
{
    const char *digits = name + strlen(name);

    while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
        digits--;
    return etm_text_number(digits, number);
}

/* The only core with a number; -1: none, or several. */
static int core_with(struct etm_capture *capture, uint64_t number)
{
    uint64_t other;
    int found = -1;

    for (size_t i = 0; i < capture->cores.n; i++) {
        if (!number_of(etm_build_core_at(capture, i)->name, &other) ||
            other != number)
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

/*
 * cpu_0 and PTM_0, cpu_1 and PTM_1: by their numbers, if each source has a core
 * and each core at most one. Nothing else is certain enough (E-318).
 */
static void pair_by_number(struct etm_capture *capture)
{
    size_t n = capture->sources.n;
    uint64_t number, other;

    for (size_t i = 0; i < n; i++) {
        const struct etm_capture_source *s = etm_build_source_at(capture, i);

        if (!traces_core(s))
            continue;
        if (!number_of(s->name, &number) || core_with(capture, number) < 0)
            return;
        for (size_t k = 0; k < i; k++) {
            const struct etm_capture_source *t =
                etm_build_source_at(capture, k);

            if (traces_core(t) && number_of(t->name, &other) && other == number)
                return;
        }
    }
    for (size_t i = 0; i < n; i++) {
        struct etm_capture_source *s = etm_build_source_at(capture, i);

        if (traces_core(s) && number_of(s->name, &number))
            s->core = core_with(capture, number);
    }
}

static bool has_code(const struct etm_snapshot *snapshot)
{
    const struct etm_ini *files = snapshot->core_files.data;

    for (size_t i = 0; i < snapshot->core_files.n; i++) {
        const struct etm_ini_section *sections = files[i].sections.data;

        for (size_t k = 0; k < files[i].sections.n; k++)
            if (etm_text_begins(sections[k].name, "dump"))
                return true;
    }
    return false;
}

/* Report that cores have code, but which core a source traces is unknown or
 * only guessed. */
static int tell(const struct etm_snapshot *snapshot, const char *path,
                bool guessed)
{
    struct etm_capture *capture = snapshot->capture;
    struct etm_diag diag;
    int status = ETM_OK;

    for (size_t i = 0; i < capture->sources.n && status == ETM_OK; i++) {
        const struct etm_capture_source *s = etm_build_source_at(capture, i);

        if (!traces_core(s) || s->buffers.n == 0 || (s->core >= 0 && !guessed))
            continue;
        (void)etm_text_fail(
            &diag, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
            "%s is assumed to be the source of %s, by its number: "
            "[core_trace_sources] is missing",
            s->name,
            s->core >= 0 ? etm_build_core_at(capture, (size_t)s->core)->name
                         : "");
        if (s->core < 0)
            (void)etm_text_fail(&diag, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                                "it is unknown which core %s traces: a line "
                                "CORE=%s in [core_trace_sources] is missing",
                                s->name, s->name);
        status = etm_build_fault(capture, &diag,
                                 s->core >= 0 ? "the trace may be that of "
                                                "another core"
                                 : snapshot->images
                                     ? "only the code of --image is used"
                                     : "no core's code is used");
    }
    return status;
}

int etm_snapshot_pair(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                      bool guess)
{
    struct etm_capture *capture = snapshot->capture;
    bool several = capture->cores.n > 1;

    for (size_t i = 0; guess && i < capture->sources.n; i++)
        if (capture->cores.n == 1)
            etm_build_source_at(capture, i)->core = 0;
    if (guess && several)
        pair_by_number(capture);
    return has_code(snapshot) ? tell(snapshot, ini->path, guess && several)
                              : ETM_OK;
}

/* Does a buffer have the trace of only one source, according to trace.ini? */
static bool is_alone(struct etm_capture *capture, size_t source, size_t buffer)
{
    for (size_t i = 0; i < capture->sources.n; i++) {
        const struct etm_capture_source *s = etm_build_source_at(capture, i);
        const size_t *used = s->buffers.data;

        for (size_t k = 0; k < s->buffers.n; k++)
            if (i != source && used[k] == buffer)
                return false;
    }
    return true;
}

int etm_snapshot_only_id(struct etm_snapshot *snapshot, size_t source,
                         uint8_t *id)
{
    struct etm_capture *capture = snapshot->capture;
    const struct etm_capture_source *s = etm_build_source_at(capture, source);
    size_t buffer = *(const size_t *)s->buffers.data;
    const struct etm_capture_buffer *b =
        (const struct etm_capture_buffer *)capture->buffers.data + buffer;
    struct etm_frame_counts counts;
    unsigned n = 0;
    int status;

    *id = 0;
    if (s->buffers.n != 1 || !is_alone(capture, source, buffer))
        return ETM_OK;
    status = etm_buffer_survey(b, b->n, &capture->allocator, &counts);
    for (unsigned i = 1; i < ETM_ID_RESERVED && status == ETM_OK; i++) {
        if (counts.bytes[i] != 0) {
            *id = (uint8_t)i;
            n++;
        }
    }
    if (n != 1)
        *id = 0;
    if (status != ETM_OK || n != 1)
        return status;
    return etm_build_note(
        capture,
        "%s: ETMTRACEIDR is not given; 0x%02x is used, the only trace ID in %s",
        s->name, (unsigned)*id, b->name);
}

/* Bytes of a buffer that are searched for trace IDs, which is quick. */
#define LOOKED_AT ((size_t)1 << 20)

/* More unknown trace IDs are hardly those of an intact capture. */
#define MOST_STRANGERS 8u

/* Is a source without a trace ID perhaps in the buffer? */
static bool may_be_in(const struct etm_capture_source *s, size_t buffer)
{
    const size_t *used = s->buffers.data;

    for (size_t i = 0; i < s->buffers.n; i++)
        if (used[i] == buffer)
            return true;
    return s->buffers.n == 0;
}

/* Are all trace IDs of a buffer reliable, and were all devices read? */
static bool is_clear(struct etm_snapshot *snapshot, size_t buffer)
{
    struct etm_capture *capture = snapshot->capture;
    const struct etm_capture_buffer *b =
        (const struct etm_capture_buffer *)capture->buffers.data + buffer;

    if (b->framing == ETM_FRAMING_NONE || b->framing == ETM_FRAMING_PORT ||
        b->doubt || b->bare || (b->swapped != 0 && !b->reversed) ||
        snapshot->last.status != ETM_OK)
        return false;
    for (size_t i = 0; i < capture->sources.n; i++)
        if (etm_build_source_at(capture, i)->id == 0 &&
            may_be_in(etm_build_source_at(capture, i), buffer))
            return false;
    return true;
}

/* Count the bytes of each trace ID, over all reliable buffers. */
static int look_for_ids(struct etm_snapshot *snapshot,
                        uint64_t bytes[ETM_ID_RESERVED])
{
    struct etm_capture *capture = snapshot->capture;
    const struct etm_capture_buffer *b = capture->buffers.data;
    int status = ETM_OK;

    for (size_t i = 0; i < capture->buffers.n && status == ETM_OK; i++) {
        size_t n = b[i].n < LOOKED_AT ? b[i].n : LOOKED_AT;
        struct etm_frame_counts counts;

        if (!is_clear(snapshot, i))
            continue;
        status = etm_buffer_survey(&b[i], n, &capture->allocator, &counts);
        for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++)
            bytes[id] += counts.bytes[id];
    }
    return status;
}

int etm_snapshot_strangers(struct etm_snapshot *snapshot, const char *path)
{
    struct etm_capture *capture = snapshot->capture;
    uint64_t bytes[ETM_ID_RESERVED] = {0};
    struct etm_diag diag;
    char list[64] = "";
    size_t at = 0;
    unsigned n = 0;
    int status = look_for_ids(snapshot, bytes);

    if (status != ETM_OK)
        return status;
    for (size_t i = 0; i < capture->sources.n; i++)
        bytes[etm_build_source_at(capture, i)->id % ETM_ID_RESERVED] = 0;
    for (unsigned id = 1; id < ETM_ID_RESERVED; id++) {
        if (bytes[id] < ETM_FRAME_BYTES) /* that may be damage */
            continue;
        if (n < MOST_STRANGERS)
            at += (size_t)snprintf(list + at, sizeof list - at, "%s0x%02x",
                                   n == 0 ? "" : ", ", id);
        n++;
    }
    if (n == 0)
        return ETM_OK;
    (void)etm_text_fail(&diag, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                        "no device of the snapshot has trace ID%s %s%s",
                        n == 1 ? "" : "s", list,
                        n > MOST_STRANGERS ? " ..." : "");
    return etm_build_fault(capture, &diag, "some trace is skipped");
}
