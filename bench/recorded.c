/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots as streams of the benchmark: bench/record.sh makes long ones. */
#include "streams.h"

#include "memory.h"

#include <etm/session.h>

#include <stdio.h>
#include <string.h>

/* The bytes of the source, up to as many as are wanted. */
struct taking {
    struct etm_bench_stream *stream;
    size_t most;
};

static int take(void *context, const uint8_t *bytes, size_t n)
{
    struct taking *t = context;
    size_t left = t->most - t->stream->n;

    memcpy(t->stream->bytes + t->stream->n, bytes, n < left ? n : left);
    t->stream->n += n < left ? n : left;
    return 0;
}

static uint32_t value_of(const struct etm_source_info *source, const char *name)
{
    for (size_t i = 0; i < source->n_registers; i++)
        if (source->registers[i].number == etm_register_number(name))
            return (uint32_t)source->registers[i].value;
    return 0;
}

/* The largest region of the image: the programs here have just one of code. */
static bool take_code(struct etm_bench_stream *s, const struct etm_image *image)
{
    for (size_t i = 0; i < etm_image_regions(image); i++) {
        uint32_t address;
        size_t size;

        if (etm_image_region(image, i, &address, &size, NULL) == ETM_OK &&
            size > s->code_size) {
            s->code_address = address;
            s->code_size = size;
        }
    }
    if (s->code_size == 0)
        return false;
    s->code = etm_bench_memory(s->code_size);
    return etm_image_read(image, s->code_address, NULL, s->code,
                          s->code_size) == s->code_size &&
           etm_image_new(&s->image, NULL) == ETM_OK &&
           etm_image_add(s->image, s->code_address, s->code, s->code_size,
                         NULL) == ETM_OK;
}

static bool take_source(struct etm_bench_stream *s,
                        const struct etm_session *session, size_t bytes)
{
    const struct etm_source_info *source = etm_session_source(session, 0);
    struct taking taking = {s, bytes};
    struct etm_session_run run = {
        .size = sizeof run, .bytes = take, .context = &taking};
    uint64_t all = etm_session_bytes(session, 0);

    if (source == NULL || source->why_not != NULL || source->image == NULL ||
        !take_code(s, source->image))
        return false;
    if (taking.most == 0 || taking.most > all)
        taking.most = (size_t)all;
    s->config = source->config;
    s->etmcr = value_of(source, "ETMCR");
    s->etmidr = value_of(source, "ETMIDR");
    s->etmccer = value_of(source, "ETMCCER");
    s->rival = s->config.protocol == ETM_PROTOCOL_PFT ||
               (s->config.protocol == ETM_PROTOCOL_ETMV3 &&
                !s->config.data_address && !s->config.data_value);
    s->bytes = etm_bench_memory(taking.most);
    if (etm_session_run_source(session, 0, &run, NULL) != ETM_OK)
        return false;
    s->period = s->n;
    return s->n != 0;
}

bool etm_bench_recorded_init(struct etm_bench_stream *stream, const char *path,
                             size_t bytes)
{
    const char *name = strrchr(path, '/');
    struct etm_session *session;
    struct etm_diag diag;
    bool usable;

    memset(stream, 0, sizeof *stream);
    stream->name = name != NULL && name[1] != '\0' ? name + 1 : path;
    if (etm_session_open(&session, path, NULL, &diag) != ETM_OK) {
        printf("%s: %s, left out\n", path, diag.what);
        return false;
    }
    usable = take_source(stream, session, bytes);
    etm_session_free(session);
    if (!usable) {
        printf("%s: no source with code, left out\n", path);
        etm_bench_stream_fini(stream);
    }
    return usable;
}
