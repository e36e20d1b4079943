/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a capture on disk: a file of perf, a file in frames, the files
 * of a snapshot, a programmer's records. Whatever can be opened is decoded, and
 * searched for synchronization points: from one on there must be the same ones
 * as in a search of the whole.
 */
#include "fuzz.h"

#include <etm/session.h>

static int add(void *context, const struct etm_element *elements, size_t n)
{
    uint64_t *sum = context;

    for (size_t i = 0; i < n; i++)
        *sum += elements[i].offset;
    return ETM_OK;
}

#define POINTS 256u

struct points {
    struct etm_point of[POINTS];
    size_t n;
};

static int take_point(void *context, const struct etm_point *point)
{
    struct points *all = context;

    if (all->n == POINTS)
        return 1;
    all->of[all->n++] = *point;
    return 0;
}

static void search(const struct etm_session *session, size_t source,
                   const struct etm_point *from, struct points *found)
{
    const struct etm_session_points how = {.size = sizeof how,
                                           .point = take_point,
                                           .context = found,
                                           .from = from};
    struct etm_diag diag;

    found->n = 0;
    (void)etm_session_find_points(session, source, &how, &diag);
}

static void find_points(const struct etm_session *session, size_t source)
{
    static struct points all, rest;
    size_t at;

    search(session, source, NULL, &all);
    at = all.n / 2;
    if (at == all.n || !all.of[at].position_known)
        return;
    search(session, source, &all.of[at], &rest);
    if (rest.n < all.n - at - 1)
        abort();
    for (size_t i = 0; at + 1 + i < all.n; i++) {
        const struct etm_point *a = &all.of[at + 1 + i], *b = &rest.of[i];

        if (a->position != b->position || a->stream != b->stream ||
            a->address_known != b->address_known || a->address != b->address ||
            a->isa != b->isa || a->context_id != b->context_id)
            abort();
    }
}

static void open_and_run(const char *path,
                         const struct etm_session_options *options)
{
    struct etm_session *session;
    struct etm_diag diag;
    uint64_t sum = 0;
    const struct etm_session_run run = {
        .size = sizeof run, .context = &sum, .elements = add};

    if (etm_session_open(&session, path, options, &diag) != ETM_OK) {
        if (diag.what[0] == '\0')
            abort();
        return;
    }
    for (size_t i = 0; i < etm_session_sources(session); i++) {
        (void)etm_session_run_source(session, i, &run, &diag);
        find_points(session, i);
    }
    etm_session_free(session);
}

/* Files that end with a zero. */
static void open_snapshot(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"snapshot.ini", "trace.ini", "cpu.ini",
                                        "source.ini", "buffer.bin"};
    const size_t n = sizeof names / sizeof *names;

    for (size_t i = 0; i < n; i++) {
        const uint8_t *end = i + 1 < n ? memchr(data, '\0', size) : NULL;
        size_t part = end != NULL ? (size_t)(end - data) : size;

        write_file(names[i], data, part);
        data += part + (end != NULL);
        size -= part + (end != NULL);
    }
    open_and_run(in_directory("snapshot.ini"), NULL);
}

/* All bytes are the code, and a few of them the trace. */
static void open_records(const uint8_t *data, size_t size)
{
    char image[128];
    const char *const images[] = {image};
    const struct etm_session_options options = {.size = sizeof options,
                                                .protocol = ETM_PROTOCOL_PFT,
                                                .images = images,
                                                .n_images = 1};

    write_file("code", data, size);
    snprintf(image, sizeof image, "%s", in_directory("code"));
    write_file("trace", data, size < 64 ? size : 64);
    open_and_run(in_directory("trace"), &options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum etm_framing framings[] = {
        ETM_FRAMING_CORESIGHT, ETM_FRAMING_TPIU, ETM_FRAMING_DSTREAM};
    struct etm_session_options options = {.size = sizeof options,
                                          .protocol = ETM_PROTOCOL_PFT};

    if (size < 2)
        return 0;
    switch (data[0] % 4) {
    case 0:
        write_file("perf.data", data + 1, size - 1);
        open_and_run(in_directory("perf.data"), NULL);
        break;
    case 1:
        options.framing = framings[data[1] % 3];
        write_file("frames", data + 2, size - 2);
        open_and_run(in_directory("frames"), &options);
        break;
    case 2:
        open_snapshot(data + 1, size - 1);
        break;
    default:
        open_records(data + 1, size - 1);
        break;
    }
    return 0;
}
