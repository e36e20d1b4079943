/* SPDX-License-Identifier: Apache-2.0 */
#include "input/build.h"

#include "input/bypass.h"
#include "input/elf.h"
#include "input/pipe.h"
#include "input/port_reader.h"
#include "input/spool.h"
#include "input/text.h"
#include "port/frame.h"

#include <stdio.h>
#include <string.h>

int etm_build_begin(struct etm_capture *capture, const char *path,
                    const struct etm_allocator *allocator)
{
    *capture =
        (struct etm_capture){.allocator = etm_allocator_or_default(allocator)};
    etm_vec_init(&capture->buffers, sizeof(struct etm_capture_buffer),
                 allocator);
    etm_vec_init(&capture->sources, sizeof(struct etm_capture_source),
                 allocator);
    etm_vec_init(&capture->cores, sizeof(struct etm_capture_core), allocator);
    etm_vec_init(&capture->files, sizeof(char *), allocator);
    etm_vec_init(&capture->mappings, sizeof(struct etm_mapping), allocator);
    etm_vec_init(&capture->notes, sizeof(char *), allocator);
    etm_vec_init(&capture->programs, sizeof(struct etm_capture_program),
                 allocator);
    etm_vec_init(&capture->kinds, sizeof(struct etm_note_kind), allocator);
    etm_vec_init(&capture->faults, sizeof(char *), allocator);
    capture->path = etm_text_copy(&capture->allocator, path, strlen(path));
    return capture->path == NULL ? ETM_ERR_MEMORY : ETM_OK;
}

/* Does the buffer belong to sources whose trace is a stream of bytes? */
static bool has_bytes(const struct etm_capture *capture, size_t buffer)
{
    const struct etm_capture_source *s = capture->sources.data;
    bool found = false;

    for (size_t i = 0; i < capture->sources.n; i++) {
        const size_t *buffers = s[i].buffers.data;

        for (size_t k = 0; k < s[i].buffers.n; k++) {
            if (buffers[k] != buffer || !s[i].decodable)
                continue;
            if (s[i].config.protocol != ETM_PROTOCOL_ETMV3 &&
                s[i].config.protocol != ETM_PROTOCOL_PFT)
                return false;
            found = true;
        }
    }
    return found;
}

/* Byte `at` of the buffer is within a packet of a source: 1 or 0, or
 * ETM_ERR_MEMORY. */
static int is_within(const struct etm_capture *capture, size_t buffer,
                     size_t at)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    const struct etm_capture_source *s = capture->sources.data;

    for (size_t i = 0; i < capture->sources.n; i++) {
        const size_t *buffers = s[i].buffers.data;

        for (size_t k = 0; k < s[i].buffers.n; k++) {
            int found;

            if (buffers[k] != buffer || !s[i].decodable)
                continue;
            found = etm_bypass_within(&s[i].config, b[buffer].bytes,
                                      b[buffer].n, at, &capture->allocator);
            if (found != 0)
                return found;
        }
    }
    return 0;
}

/* A formatter in bypass mode fills the last word of the memory, with what would
 * be decoded as a branch. doc/errata.md, E-334 */
static int cut_stop(struct etm_capture *capture)
{
    struct etm_capture_buffer *b = capture->buffers.data;
    int status = ETM_OK;

    for (size_t i = 0; i < capture->buffers.n && status == ETM_OK; i++) {
        size_t n;

        if (b[i].framing != ETM_FRAMING_NONE || b[i].pipe != NULL ||
            b[i].n % 4 != 0 || !has_bytes(capture, i))
            continue;
        n = etm_bypass_size(b[i].bytes, b[i].n);
        if (n == b[i].n)
            continue;
        status = is_within(capture, i, n);
        if (status != 0) {
            status = status > 0 ? ETM_OK : status;
            continue;
        }
        b[i].stop = b[i].n - n;
        b[i].n = n;
        status = etm_build_note(capture,
                                "%s: its last %zu bytes are those that a "
                                "formatter in bypass appends to the trace",
                                b[i].name, b[i].stop);
    }
    return status;
}

int etm_build_end(struct etm_capture *capture, int status,
                  struct etm_diag *diag)
{
    if (status == ETM_OK)
        status = cut_stop(capture);
    if (status == ETM_OK)
        status = etm_build_sum_up(capture);
    if (status == ETM_ERR_MEMORY)
        etm_text_fail(diag, status, capture->path, ETM_DIAG_NONE, "%s",
                      etm_status_text(status));
    if (status != ETM_OK)
        etm_capture_close(capture);
    return status;
}

static void free_mapping(struct etm_capture *capture,
                         const struct etm_mapping *m)
{
    /* they are copies of its own */
    etm_alloc_free(&capture->allocator, (void *)(uintptr_t)m->path);
    etm_alloc_free(&capture->allocator, (void *)(uintptr_t)m->file);
}

int etm_build_mapping(struct etm_capture *capture,
                      const struct etm_mapping *mapping)
{
    const struct etm_allocator *a = &capture->allocator;
    struct etm_mapping m = *mapping;
    int status = ETM_ERR_MEMORY;

    m.path = etm_text_copy(a, mapping->path, strlen(mapping->path));
    if (mapping->file != NULL)
        m.file = etm_text_copy(a, mapping->file, strlen(mapping->file));
    if (m.path != NULL && (m.file != NULL || mapping->file == NULL))
        status = etm_vec_append(&capture->mappings, &m, 1);
    if (status != ETM_OK)
        free_mapping(capture, &m);
    return status;
}

static void free_buffer(struct etm_capture *capture,
                        struct etm_capture_buffer *b)
{
    struct etm_file file = {b->bytes, b->n + b->stop, b->mapped, b->opened};

    if (b->pipe == NULL)
        etm_file_close(&file, &capture->allocator);
    etm_pipe_close(b->pipe);
    etm_alloc_free(&capture->allocator, b->name);
    etm_alloc_free(&capture->allocator, b->path);
    etm_alloc_free(&capture->allocator, b->signals);
    etm_alloc_free(&capture->allocator, b->unread);
    etm_alloc_free(&capture->allocator, b->swo.wrong);
}

static int join_in_memory(struct etm_file *joined, const struct etm_file *files,
                          size_t n, const struct etm_allocator *allocator)
{
    struct etm_vec bytes;
    int status;

    etm_vec_init(&bytes, 1, allocator);
    status = etm_vec_reserve(&bytes, 1); /* so that `data` is not NULL */
    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = etm_vec_append(&bytes, files[i].bytes, files[i].n);
    if (status != ETM_OK)
        etm_vec_fini(&bytes);
    *joined = (struct etm_file){.bytes = bytes.data, .n = bytes.n};
    return status;
}

/* Bytes that are copied before the memory of a mapped file is given back. */
#define PIECE ((size_t)1 << 22)

static int join_in_file(struct etm_file *joined, const struct etm_file *files,
                        size_t n, const char *path, struct etm_diag *diag)
{
    struct etm_spool spool;
    int status = etm_spool_open(&spool, path, diag);

    if (status != ETM_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        for (size_t at = 0; at < files[i].n && status == ETM_OK; at += PIECE) {
            size_t piece = files[i].n - at < PIECE ? files[i].n - at : PIECE;

            status = etm_spool_write(&spool, files[i].bytes + at, piece, diag);
            if (files[i].mapped)
                etm_file_forget(files[i].bytes + at, piece);
        }
    }
    if (status == ETM_OK)
        status = etm_spool_map(&spool, joined, diag);
    etm_spool_close(&spool);
    return status;
}

int etm_build_join(struct etm_file *joined, const struct etm_file *files,
                   size_t n, const char *path,
                   const struct etm_allocator *allocator, struct etm_diag *diag)
{
    uint64_t all = 0;

    for (size_t i = 0; i < n; i++)
        all += files[i].n;
    if (all > ETM_SPOOL_KEPT && etm_spool_possible())
        return join_in_file(joined, files, n, path, diag);
    return join_in_memory(joined, files, n, allocator);
}

/* Add a buffer. On failure its contents are freed. */
static int add_buffer(struct etm_capture *capture, const char *name,
                      const char *path, const struct etm_capture_buffer *bytes,
                      struct etm_diag *diag)
{
    struct etm_capture_buffer b = *bytes;
    int status = etm_build_look(capture, &b, path, diag);

    b.name = etm_text_copy(&capture->allocator, name, strlen(name));
    b.path = etm_text_copy(&capture->allocator, path, strlen(path));
    if (b.name == NULL || b.path == NULL)
        status = ETM_ERR_MEMORY;
    if (status == ETM_OK)
        status = etm_vec_append(&capture->buffers, &b, 1);
    if (status != ETM_OK)
        free_buffer(capture, &b);
    return status;
}

/* Add a note about a buffer, with its file unless that is its name. */
static int note_buffer(struct etm_capture *capture,
                       const struct etm_capture_buffer *b, const char *what)
{
    if (strcmp(b->name, b->path) == 0)
        return etm_build_note(capture, "%s%s", etm_file_name(b->name), what);
    return etm_build_note(capture, "%s%s: %s", b->name, what, b->path);
}

/* Note that its words were in the wrong byte order. */
static int note_swapped(struct etm_capture *capture,
                        const struct etm_capture_buffer *b)
{
    char what[160];

    if (b->reversed)
        snprintf(what, sizeof what,
                 ": its %u-bit words are stored in the wrong byte order: their "
                 "bytes are reversed, and offsets are those after that",
                 8u * b->swapped);
    else
        snprintf(what, sizeof what,
                 ": its %u-bit words are stored in the wrong byte order; "
                 "objcopy -I binary -O binary --reverse-bytes=%u corrects this",
                 8u * b->swapped, (unsigned)b->swapped);
    return note_buffer(capture, b, what);
}

/* Add notes about odd frames of a buffer. */
static int note_frames(struct etm_capture *capture,
                       const struct etm_capture_buffer *b)
{
    size_t n = b->n - b->first_frame;
    char what[96];
    int status = ETM_OK;

    if (b->framing != ETM_FRAMING_CORESIGHT && !b->doubt)
        return ETM_OK;
    if (b->swapped != 0 && !b->reversed)
        return ETM_OK;
    if (b->first_frame != 0 && !b->bare) {
        snprintf(what, sizeof what,
                 " begins within a frame: the first whole one is at byte %u",
                 b->first_frame);
        status = note_buffer(capture, b, what);
    } else if (b->bare) {
        status = note_buffer(capture, b,
                             " seems to hold the bytes of one source without "
                             "frames (framing none; in a snapshot "
                             "format=source_data)");
    } else if (b->doubt) {
        status =
            note_buffer(capture, b,
                        " seems not to begin with a frame, and it is not clear "
                        "where the first one is: remove 1 to 15 bytes (tail -c "
                        "+2 to +16), and keep what shows only the trace IDs of "
                        "its sources, with the least damage");
    }
    if (status == ETM_OK && b->framing == ETM_FRAMING_CORESIGHT &&
        b->pipe == NULL && n % 16 != 0) {
        snprintf(what, sizeof what,
                 ": %zu byte%s not a whole number of 16-byte frames", n,
                 n == 1 ? " is" : "s are");
        status = note_buffer(capture, b, what);
    }
    return status;
}

/* Add notes about what is odd in the last buffer. */
static int note_last(struct etm_capture *capture)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    int status = ETM_OK;

    b += capture->buffers.n - 1;
    if (b->n == 0 && b->pipe == NULL)
        return note_buffer(capture, b, " is empty");
    if (b->swapped != 0)
        status = note_swapped(capture, b);
    if (status == ETM_OK && b->synchronized)
        status = note_buffer(
            capture, b,
            " contains halfword synchronization packets, which memory never "
            "has: it is read as the stream of a TPIU");
    else if (status == ETM_OK)
        status = note_frames(capture, b);
    return status;
}

int etm_build_buffer(struct etm_capture *capture, const char *name,
                     const char *path, enum etm_framing framing,
                     struct etm_file *files, size_t n, struct etm_diag *diag)
{
    struct etm_file file = files[0];
    int status = ETM_OK;

    if (n > 1) {
        status =
            etm_build_join(&file, files, n, path, &capture->allocator, diag);
        for (size_t i = 0; i < n; i++)
            etm_file_close(&files[i], &capture->allocator);
    }
    if (status == ETM_OK)
        status = add_buffer(capture, name, path,
                            &(struct etm_capture_buffer){
                                .framing = framing,
                                .bytes = file.bytes,
                                .n = file.n,
                                .mapped = file.mapped,
                                .opened = file.opened,
                            },
                            diag);
    return status == ETM_OK ? note_last(capture) : status;
}

void etm_build_drop_buffer(struct etm_capture *capture)
{
    struct etm_capture_buffer *buffers = capture->buffers.data;

    free_buffer(capture, &buffers[--capture->buffers.n]);
}

int etm_build_pipe(struct etm_capture *capture, const char *path,
                   enum etm_framing framing, struct etm_pipe *pipe,
                   const struct etm_file *head)
{
    int status = add_buffer(capture, path, path,
                            &(struct etm_capture_buffer){.framing = framing,
                                                         .bytes = head->bytes,
                                                         .n = head->n,
                                                         .pipe = pipe},
                            NULL);

    return status == ETM_OK ? note_last(capture) : status;
}

void etm_build_replace(struct etm_capture *capture,
                       struct etm_capture_buffer *b, enum etm_framing framing,
                       struct etm_vec *bytes)
{
    struct etm_file file = {b->bytes, b->n, b->mapped, b->opened};

    etm_file_close(&file, &capture->allocator);
    b->framing = framing;
    b->form = ETM_PORT_FORM_AUTO;
    b->bytes = bytes->data;
    b->n = bytes->n;
    b->mapped = false;
    b->opened = 0;
    etm_vec_init(bytes, 1, &capture->allocator);
}

static void free_core(struct etm_capture *capture, struct etm_capture_core *c)
{
    struct etm_capture_memory *memory = c->memory.data;

    etm_image_free(c->image);
    for (size_t i = 0; i < c->memory.n; i++)
        etm_build_free_memory(capture, &memory[i]);
    etm_vec_fini(&c->memory);
    etm_vec_fini(&c->programs);
    etm_vec_fini(&c->registers);
    etm_alloc_free(&capture->allocator, c->name);
    etm_alloc_free(&capture->allocator, c->type);
}

static void free_source(struct etm_capture *capture,
                        struct etm_capture_source *s)
{
    etm_vec_fini(&s->registers);
    etm_vec_fini(&s->buffers);
    etm_alloc_free(&capture->allocator, s->name);
    etm_alloc_free(&capture->allocator, s->type);
    etm_alloc_free(&capture->allocator, s->why_not);
}

int etm_build_core(struct etm_capture *capture, const char *name,
                   const char *type)
{
    const struct etm_allocator *a = &capture->allocator;
    struct etm_capture_core core = {.profile = ETM_PROFILE_UNKNOWN};
    int status = etm_image_new(&core.image, a);

    etm_vec_init(&core.registers, sizeof(struct etm_register), a);
    etm_vec_init(&core.memory, sizeof(struct etm_capture_memory), a);
    etm_vec_init(&core.programs, sizeof(size_t), a);
    core.name = etm_text_copy(a, name, strlen(name));
    core.type = etm_text_copy(a, type, strlen(type));
    if (core.name == NULL || core.type == NULL)
        status = ETM_ERR_MEMORY;
    if (status == ETM_OK)
        status = etm_vec_append(&capture->cores, &core, 1);
    if (status != ETM_OK)
        free_core(capture, &core);
    return status;
}

int etm_build_source(struct etm_capture *capture, const char *name,
                     const char *type)
{
    const struct etm_allocator *a = &capture->allocator;
    struct etm_capture_source source = {.core = -1};
    int status = ETM_OK;

    etm_vec_init(&source.registers, sizeof(struct etm_register), a);
    etm_vec_init(&source.buffers, sizeof(size_t), a);
    source.name = etm_text_copy(a, name, strlen(name));
    source.type = etm_text_copy(a, type, strlen(type));
    if (source.name == NULL || source.type == NULL)
        status = ETM_ERR_MEMORY;
    if (status == ETM_OK)
        status = etm_vec_append(&capture->sources, &source, 1);
    if (status != ETM_OK)
        free_source(capture, &source);
    return status;
}

void etm_capture_close(struct etm_capture *capture)
{
    struct etm_capture_buffer *buffers = capture->buffers.data;
    char **notes = capture->notes.data, **files = capture->files.data;

    if (capture->allocator.resize == NULL)
        return;
    for (size_t i = 0; i < capture->sources.n; i++)
        free_source(capture, etm_build_source_at(capture, i));
    for (size_t i = 0; i < capture->cores.n; i++)
        free_core(capture, etm_build_core_at(capture, i));
    etm_build_close_programs(capture);
    for (size_t i = 0; i < capture->buffers.n; i++)
        free_buffer(capture, &buffers[i]);
    for (size_t i = 0; i < capture->notes.n; i++)
        etm_alloc_free(&capture->allocator, notes[i]);
    for (size_t i = 0; i < capture->files.n; i++)
        etm_alloc_free(&capture->allocator, files[i]);
    for (size_t i = 0; i < capture->mappings.n; i++)
        free_mapping(capture,
                     (const struct etm_mapping *)capture->mappings.data + i);
    etm_vec_fini(&capture->sources);
    etm_vec_fini(&capture->cores);
    etm_vec_fini(&capture->buffers);
    etm_vec_fini(&capture->files);
    etm_vec_fini(&capture->mappings);
    etm_vec_fini(&capture->notes);
    etm_vec_fini(&capture->kinds);
    etm_vec_fini(&capture->faults);
    etm_alloc_free(&capture->allocator, capture->path);
    *capture = (struct etm_capture){0};
}
