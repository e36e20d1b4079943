/* SPDX-License-Identifier: Apache-2.0 */
#include "session_support.h"

const char *demo_path(const char *core, const char *file)
{
    static char path[1024];
    const char *demo = getenv("ETM_DEMO");

    assert_non_null(demo);
    snprintf(path, sizeof path, "%s/%s/%s", demo, core, file);
    return path;
}

struct etm_session *open_demo(const char *core)
{
    struct etm_session *session;

    assert_int_equal(
        etm_session_open(&session, demo_path(core, "snapshot.ini"), NULL, NULL),
        ETM_OK);
    return session;
}

uint8_t *read_whole(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    long size;

    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    bytes = malloc((size_t)size + 1);
    assert_non_null(bytes);
    *n = fread(bytes, 1, (size_t)size, file);
    assert_int_equal(*n, size);
    fclose(file);
    return bytes;
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

void see(const struct etm_session *session, size_t source, struct seen *seen)
{
    struct etm_session_run run = {.level = ETM_LEVEL_INSTRUCTIONS,
                                  .elements = take_elements,
                                  .packets = take_packets,
                                  .bytes = take_bytes,
                                  .buffer = take_buffer,
                                  .context = seen};
    struct etm_diag diag = {0};

    forget(seen);
    if (etm_session_run_source(session, source, &run, &diag) != ETM_OK)
        fail_msg("%s: %s", diag.source, diag.what);
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

size_t count_kind(const struct etm_test_elements *elements,
                  enum etm_element_kind kind)
{
    size_t n = 0;

    for (size_t i = 0; i < elements->n; i++)
        n += elements->all[i].kind == (uint8_t)kind;
    return n;
}
