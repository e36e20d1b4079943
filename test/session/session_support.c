/* SPDX-License-Identifier: Apache-2.0 */
#include "session_support.h"

struct demo demos[2] = {{.core = "cortex-m3", .id = 0x10},
                        {.core = "cortex-a9", .id = 0x11}};

static void read_file(const char *path, struct demo *demo)
{
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    demo->file = malloc(1 << 16);
    assert_non_null(demo->file);
    demo->n = fread(demo->file, 1, 1 << 16, file);
    assert_in_range(demo->n, 1600, (1 << 16) - 1);
    fclose(file);
}

int open_demos(void **state)
{
    const char *folder = getenv("ETM_DEMO");

    assert_non_null(folder);
    for (size_t i = 0; i < 2; i++) {
        struct demo *demo = &demos[i];
        char path[1024];

        snprintf(path, sizeof path, "%s/%s/cstrace.bin", folder, demo->core);
        read_file(path, demo);
        snprintf(path, sizeof path, "%s/%s/snapshot.ini", folder, demo->core);
        OK(etm_session_open(&demo->session, path, NULL, NULL));
        see(demo->session, 0, &demo->whole);
    }
    return make_directory(state);
}

int close_demos(void **state)
{
    for (size_t i = 0; i < 2; i++) {
        forget(&demos[i].whole);
        free(demos[i].file);
        etm_session_free(demos[i].session);
    }
    return remove_directory(state);
}

struct etm_session *open_like(const struct demo *demo, const char *name,
                              enum etm_framing framing)
{
    const struct etm_source_info *info = etm_session_source(demo->session, 0);
    const char *code = etm_session_code_file(demo->session, 0);
    const struct etm_session_options options = {.framing = framing,
                                                .profile = info->config.profile,
                                                .registers = info->registers,
                                                .n_registers =
                                                    info->n_registers,
                                                .images = &code,
                                                .n_images = 1};
    struct etm_session *session;
    struct etm_diag diag = {0};

    if (etm_session_open(&session, in_directory(name), &options, &diag) !=
        ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
    assert_int_equal(etm_session_sources(session), 1);
    return session;
}

struct etm_session *see_like(const struct demo *demo, const uint8_t *bytes,
                             size_t n, enum etm_framing framing,
                             struct seen *seen)
{
    struct etm_session *session;

    write_file("trace.bin", bytes, n);
    session = open_like(demo, "trace.bin", framing);
    see(session, 0, seen);
    return session;
}

static void append(void **all, size_t *n, const void *more, size_t count,
                   size_t width)
{
    if (count == 0)
        return;
    *all = realloc(*all, (*n + count) * width);
    assert_non_null(*all);
    memcpy((char *)*all + *n * width, more, count * width);
    *n += count;
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct seen *seen = context;

    return etm_test_collect(&seen->elements, elements, n);
}

static int take_packets(void *context, const struct etm_packet *packets,
                        size_t n, const uint8_t *bytes)
{
    struct seen *seen = context;
    void *all = seen->packets;
    size_t size = 0;

    for (size_t i = 0; i < n; i++)
        size += packets[i].size;
    append(&all, &seen->n_packets, packets, n, sizeof *packets);
    seen->packets = all;
    all = seen->bytes;
    append(&all, &seen->n_bytes, bytes, size, 1);
    seen->bytes = all;
    return ETM_OK;
}

static int take_bytes(void *context, const uint8_t *bytes, size_t n)
{
    struct seen *seen = context;
    void *all = seen->stream;

    append(&all, &seen->n_stream, bytes, n, 1);
    seen->stream = all;
    return ETM_OK;
}

static int take_buffer(void *context, size_t buffer)
{
    struct seen *seen = context;

    assert_true(seen->n_buffers < 8);
    seen->buffers[seen->n_buffers++] = buffer;
    return ETM_OK;
}

static int take_gap(void *context, uint64_t lost)
{
    struct seen *seen = context;

    seen->lost += lost;
    seen->n_gaps++;
    seen->gap_at = seen->n_packets;
    return ETM_OK;
}

int see_what(const struct etm_session *session, size_t source,
             struct seen *seen, struct etm_diag *diag)
{
    struct etm_session_run run = {.level = ETM_LEVEL_INSTRUCTIONS,
                                  .elements = take_elements,
                                  .packets = take_packets,
                                  .bytes = take_bytes,
                                  .buffer = take_buffer,
                                  .gap = take_gap,
                                  .context = seen};

    forget(seen);
    return etm_session_run_source(session, source, &run, diag);
}

void see(const struct etm_session *session, size_t source, struct seen *seen)
{
    struct etm_diag diag = {0};

    if (see_what(session, source, seen, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
}

void see_packets(const struct etm_session *session, uint64_t begin,
                 struct seen *seen)
{
    const struct etm_session_run run = {
        .packets = take_packets, .context = seen, .begin = begin};

    forget(seen);
    OK(etm_session_run_source(session, 0, &run, NULL));
}

void forget(struct seen *seen)
{
    free(seen->elements.all);
    free(seen->packets);
    free(seen->bytes);
    free(seen->stream);
    *seen = (struct seen){0};
}

bool same_execution(const struct etm_test_elements *a,
                    const struct etm_test_elements *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        struct etm_element x = a->all[i], y = b->all[i];

        x.offset = y.offset = 0;
        x.source = y.source = 0;
        if (!etm_test_same(&x, &y))
            return false;
    }
    return true;
}

void expect_like(const struct demo *demo, const struct seen *seen)
{
    const struct seen *whole = &demo->whole;

    assert_int_equal(seen->n_stream, whole->n_stream);
    assert_memory_equal(seen->stream, whole->stream, whole->n_stream);
    assert_int_equal(seen->n_packets, whole->n_packets);
    assert_true(same_execution(&seen->elements, &whole->elements));
}

size_t count_kind(const struct etm_test_elements *elements,
                  enum etm_element_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < elements->n; i++)
        n += elements->all[i].kind == (uint8_t)kind;
    return n;
}
