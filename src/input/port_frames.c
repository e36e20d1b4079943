/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bytes that a TPIU sent, from samples of its port (<etm/types.h>,
 * ETM_FRAMING_TPIU_PORT). All of them are converted at once: the trace sources
 * in them have to be known, and they are much shorter than the file.
 */
#include "base/diag.h"
#include "input/build.h"
#include "input/port_reader.h"
#include "port/frame.h"

#include <string.h>

/* Pins of a port if the size is not given, as for any other port. */
#define DEFAULT_WIDTH 8u

/* Bytes of the file that are read at a time. */
#define PIECE ((size_t)1 << 16)

static int find_width(const struct etm_capture_buffer *b,
                      struct etm_port_config *port)
{
    unsigned width = b->port_width;
    int status = ETM_OK;

    if (width == 0)
        status = etm_port_form_width(b->form, port, b->signals, b->bytes, b->n,
                                     &width);
    port->width = (uint8_t)(width != 0 ? width : DEFAULT_WIDTH);
    return status;
}

/* Convert the samples made by the last call to bytes, also those before an
 * invalid one. */
static int unpack(struct etm_unpacker *u, struct etm_vec *samples,
                  struct etm_vec *bytes, int status)
{
    struct etm_unpacked made;

    if (status != ETM_OK && status != ETM_ERR_FORMAT)
        return status;
    if (etm_unpacker_push(u, samples->data, samples->n) != ETM_OK)
        return ETM_ERR_MEMORY;
    samples->n = 0;
    etm_unpacker_take(u, &made);
    return etm_vec_append(bytes, made.bytes, made.n_bytes) == ETM_OK
               ? status
               : ETM_ERR_MEMORY;
}

static int read_samples(const struct etm_capture_buffer *b,
                        struct etm_port_reader *reader, struct etm_unpacker *u,
                        struct etm_vec *bytes, struct etm_diag *diag)
{
    size_t piece = etm_port_reader_piece(reader, PIECE), kept = 0;
    struct etm_vec samples;
    int status = ETM_OK;

    etm_vec_init(&samples, sizeof(struct etm_port_sample), &u->allocator);
    for (size_t at = 0, n; at < b->n && status == ETM_OK; at += n) {
        n = b->n - at < piece ? b->n - at : piece;
        status = etm_port_reader_push(reader, b->bytes + at, n, &samples, diag);
        status = unpack(u, &samples, bytes, status);
        if (b->mapped && at + n - kept >= PIECE) {
            etm_file_forget(b->bytes + kept, at + n - kept);
            kept = at + n;
        }
    }
    if (status == ETM_OK)
        status = unpack(u, &samples, bytes,
                        etm_port_reader_finish(reader, &samples, diag));
    /* the incomplete byte may be the rest of one */
    if ((status == ETM_OK || status == ETM_ERR_FORMAT) && u->fill > 0 &&
        etm_vec_append(bytes, &u->byte, 1) != ETM_OK)
        status = ETM_ERR_MEMORY;
    etm_vec_fini(&samples);
    return status;
}

static int read_port(const struct etm_capture_buffer *b, struct etm_vec *bytes,
                     uint64_t *bits, const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    struct etm_port_reader_config config = {
        .port = {.protocol = ETM_PROTOCOL_ETMV3, .allocator = allocator},
        .form = b->form,
        .signals = b->signals,
        .formatted = true,
    };
    struct etm_port_reader reader = {0};
    struct etm_unpacker u;
    int status = find_width(b, &config.port);

    if (status == ETM_OK)
        status = etm_port_reader_init(&reader, &config, diag);
    if (status == ETM_OK)
        status = etm_unpacker_init(&u, &config.port);
    if (status == ETM_OK) {
        status = read_samples(b, &reader, &u, bytes, diag);
        *bits = u.bits;
        etm_unpacker_fini(&u);
    }
    etm_port_reader_fini(&reader);
    return status;
}

/* The file has an invalid sample. The buffer gets what precedes it, if
 * anything, and a run that reaches its end reports the line. */
static int keep_what_was_read(struct etm_capture_buffer *b,
                              const struct etm_vec *stream,
                              const struct etm_allocator *allocator,
                              const struct etm_diag *diag)
{
    if (stream->n == 0)
        return ETM_ERR_FORMAT;
    b->unread = etm_alloc_zero(allocator, sizeof *b->unread);
    if (b->unread == NULL)
        return ETM_ERR_MEMORY;
    *b->unread = *diag;
    return ETM_OK;
}

int etm_build_port_frames(struct etm_capture *capture, size_t buffer,
                          struct etm_diag *diag)
{
    const struct etm_allocator *allocator = &capture->allocator;
    struct etm_capture_buffer *b =
        (struct etm_capture_buffer *)capture->buffers.data + buffer;
    struct etm_diag why;
    struct etm_vec bytes, stream;
    uint64_t bits = 0;
    int status, aligned;

    (void)etm_diag_begin(&why, ETM_OK, NULL);
    etm_vec_init(&bytes, 1, allocator);
    etm_vec_init(&stream, 1, allocator);
    status = etm_vec_reserve(&stream, 1); /* so that `data` is not NULL */
    if (status == ETM_OK)
        status = read_port(b, &bytes, &bits, allocator, &why);
    if (why.source[0] == '\0')
        strncat(why.source, b->path, sizeof why.source - 1);
    if (status == ETM_OK || status == ETM_ERR_FORMAT) {
        aligned = etm_frame_align(bytes.data, bits, &stream);
        status = aligned != ETM_OK ? aligned : status;
    }
    if (status == ETM_ERR_FORMAT)
        status = keep_what_was_read(b, &stream, allocator, &why);
    etm_vec_fini(&bytes);
    if (status != ETM_OK) {
        etm_vec_fini(&stream);
        if (status != ETM_ERR_MEMORY && diag != NULL)
            *diag = why;
        return status;
    }
    etm_build_replace(capture, b, ETM_FRAMING_TPIU, &stream);
    return ETM_OK;
}
