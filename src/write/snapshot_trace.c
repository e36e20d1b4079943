/* SPDX-License-Identifier: Apache-2.0 */
/* The trace of a snapshot: frames, samples as text, or the plain stream. */
#include "port/pins.h"
#include "proto/sample.h"
#include "write/snapshot.h"

#include <errno.h>
#include <string.h>

enum { FULL_SYNC = 64 };

/* Framers and packers have no diagnosis: they only run out of memory. */
static int told(int status, struct etm_diag *diag)
{
    return status == ETM_ERR_MEMORY ? etm_snap_no_memory(diag) : status;
}

int etm_snap_open(struct etm_snapshot_writer *w, struct etm_snap_buffer *b,
                  uint32_t full_sync, struct etm_diag *diag)
{
    bool port =
        b->framing == ETM_FRAMING_TPIU || b->framing == ETM_FRAMING_DSTREAM;
    struct etm_framer_config config = {.allocator = &w->allocator};
    int status = ETM_OK;

    if (port) {
        config.layout = ETM_FRAME_TPIU;
        config.full_sync = full_sync != 0 ? full_sync : FULL_SYNC;
    }
    if (port || b->framing == ETM_FRAMING_CORESIGHT)
        status = told(etm_framer_new(&b->framer, &config), diag);
    if (status == ETM_OK)
        status = etm_snap_create(w, b->file, &b->out, diag);
    return status;
}

static int put(struct etm_snap_buffer *b, const void *bytes, size_t n,
               struct etm_diag *diag)
{
    const uint8_t *at = bytes;
    size_t last = n;

    while (last > 0 && at[last - 1] == 0)
        last--;
    if (last > 0)
        b->stops = at[last - 1] == 1;
    b->written += n;
    if (n > 0 && fwrite(bytes, 1, n, b->out) != n)
        return etm_snap_fail(diag, ETM_ERR_IO, b->file,
                             "the trace cannot be written: %s",
                             strerror(errno));
    return ETM_OK;
}

static int put_frames(struct etm_snap_buffer *b, struct etm_diag *diag)
{
    const uint8_t *bytes;
    size_t n;

    etm_framer_take(b->framer, &bytes, &n);
    return put(b, bytes, n, diag);
}

static bool is_samples(const struct etm_snap_source *s)
{
    return etm_protocol_is_port(s->config.protocol);
}

int etm_snap_open_port(struct etm_snapshot_writer *w, struct etm_snap_source *s,
                       struct etm_diag *diag)
{
    const struct etm_register *r = s->registers.data;
    int status = ETM_OK;

    s->port = (struct etm_port_config){
        .protocol = s->config.protocol, .width = 8, .allocator = &w->allocator};
    if (is_samples(s)) {
        s->port.width = (uint8_t)etm_sample_width(&s->config);
        return ETM_OK;
    }
    for (size_t i = 0; i < s->registers.n && status == ETM_OK; i++) {
        if (r[i].number == etm_register_number("ETMCR"))
            status = etm_port_from_etmcr(&s->port, (uint32_t)r[i].value, diag);
    }
    if (status != ETM_OK)
        return status;
    return told(etm_packer_new(&s->packer, &s->port), diag);
}

static int put_lines(struct etm_snap_buffer *b, struct etm_snap_source *s,
                     struct etm_diag *diag)
{
    const struct etm_port_sample *samples;
    char line[ETM_PORT_LINE_MAX];
    int status = ETM_OK;
    size_t n;

    etm_packer_take(s->packer, &samples, &n);
    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status =
            put(b, line, etm_port_text_line(&s->port, &samples[i], line), diag);
    return status;
}

/* What looks like the stop sequence of a bypassed formatter is taken for one
 * (doc/errata.md, E-334): then there has to be one after it. */
static int put_stop(struct etm_snapshot_writer *w, struct etm_snap_buffer *b,
                    struct etm_diag *diag)
{
    static const uint8_t stop[] = {1, 0, 0, 0};

    if (b->framing != ETM_FRAMING_NONE || !b->stops || b->written % 4 != 0)
        return ETM_OK;
    for (size_t i = 0; i < w->sources.n; i++) {
        const struct etm_snap_source *s = etm_snap_source(w, i);

        if (etm_snap_buffer(w, s->buffer) == b && !is_samples(s))
            return put(b, stop, sizeof stop, diag);
    }
    return ETM_OK;
}

int etm_snap_end(struct etm_snapshot_writer *w, struct etm_snap_buffer *b,
                 struct etm_diag *diag)
{
    int status = ETM_OK, closed;

    if (b->framer != NULL)
        status = told(etm_framer_flush(b->framer), diag);
    if (status == ETM_OK && b->framer != NULL)
        status = put_frames(b, diag);
    for (size_t i = 0; i < w->sources.n && status == ETM_OK; i++) {
        struct etm_snap_source *s = etm_snap_source(w, i);

        if (etm_snap_buffer(w, s->buffer) != b || s->packer == NULL)
            continue;
        status = told(etm_packer_drain(s->packer), diag);
        if (status == ETM_OK)
            status = put_lines(b, s, diag);
    }
    if (status == ETM_OK)
        status = put_stop(w, b, diag);
    closed = etm_snap_close(w, b->out, diag);
    b->out = NULL;
    return status == ETM_OK ? closed : status;
}

/* Records to lines of text; one may come in pieces. */
static int put_samples(struct etm_snap_buffer *b, struct etm_snap_source *s,
                       const uint8_t *bytes, size_t n, struct etm_diag *diag)
{
    unsigned size = etm_sample_size(&s->config);
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        struct etm_port_sample sample;
        char line[ETM_PORT_LINE_MAX];

        s->record[s->n_record++] = bytes[i];
        if (s->n_record < size)
            continue;
        s->n_record = 0;
        sample.control = (s->record[0] & ETM_SAMPLE_SYNC) != 0;
        sample.status = s->record[0] & ETM_SAMPLE_STATUS;
        sample.data = s->record[1];
        if (size > 2)
            sample.data |= (uint64_t)s->record[2] << 8;
        status =
            put(b, line, etm_port_text_line(&s->port, &sample, line), diag);
    }
    return status;
}

int etm_snapshot_add_trace(struct etm_snapshot_writer *w, size_t source,
                           const uint8_t *bytes, size_t n,
                           struct etm_diag *diag)
{
    struct etm_snap_source *s;
    struct etm_snap_buffer *b;
    int status;

    if (source >= w->sources.n)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL, "no such source");
    s = etm_snap_source(w, source);
    b = etm_snap_buffer(w, s->buffer);
    if (b->out == NULL)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, b->name,
                             "the snapshot is finished");
    if (bytes == NULL && n != 0)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, s->name,
                             "the trace is NULL");
    if (b->framing == ETM_FRAMING_PORT && is_samples(s))
        return put_samples(b, s, bytes, n, diag);
    if (b->framing == ETM_FRAMING_PORT) {
        status = told(etm_packer_push(s->packer, bytes, n), diag);
        return status == ETM_OK ? put_lines(b, s, diag) : status;
    }
    if (b->framer == NULL)
        return put(b, bytes, n, diag);
    status =
        told(etm_framer_push(b->framer, s->config.trace_id, bytes, n), diag);
    return status == ETM_OK ? put_frames(b, diag) : status;
}
