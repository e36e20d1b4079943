/* SPDX-License-Identifier: Apache-2.0 */
/* A raw trace file, and the options for it. */
#include "input/build.h"
#include "input/foreign.h"
#include "input/port_reader.h"
#include "input/reader.h"
#include "input/sigrok.h"
#include "input/spool.h"
#include "input/text.h"
#include "input/wrap.h"
#include "port/frame.h"
#include "regs/cores.h"
#include "regs/regs.h"

#include <etm/port.h>

#include <string.h>

/* The caller's register of that number; NULL: none. */
static const struct etm_register *given(const struct etm_raw_options *o,
                                        uint32_t number)
{
    return etm_register_find(o->registers, o->n_registers, number);
}

/* The register with the trace ID. */
static const struct etm_register *trace_id_of(const struct etm_raw_options *o)
{
    return given(o, 0x80);
}

/* Whether ETMIDR or ETMCCR is among them. */
static bool tells_version(const struct etm_raw_options *o)
{
    return given(o, 0x79) != NULL || given(o, 0x01) != NULL;
}

static bool is_empty(const struct etm_capture *capture)
{
    const struct etm_capture_buffer *b = capture->buffers.data;

    return b->n == 0 && b->pipe == NULL;
}

static int configure(struct etm_capture *capture, size_t source,
                     const struct etm_source_facts *facts,
                     struct etm_diag *diag)
{
    struct etm_capture_source *s = etm_build_source_at(capture, source);
    uint8_t id = s->id;
    int status = etm_build_configure(capture, source, facts, diag);

    /* the stream is not formatted, and has no trace ID, whatever ETMTRACEIDR
     * was */
    if (id == 0)
        s->id = s->config.trace_id = 0;
    return status;
}

/*
 * One source with the caller's registers. `id` goes into ETMTRACEIDR unless
 * that is among them; 0: an unformatted stream.
 */
static int add_source(struct etm_capture *capture,
                      const struct etm_raw_options *options, unsigned id,
                      struct etm_diag *diag)
{
    struct etm_source_facts facts = {options->protocol, -1, options->profile};
    struct etm_register id_register = {
        .name = "ETMTRACEIDR", .number = 0x80, .value = id};
    struct etm_capture_source *s;
    bool told =
        options->protocol != ETM_PROTOCOL_NONE || tells_version(options);
    char name[8] = "trace";
    int status;

    if (id != 0) {
        memcpy(name, "0x00", 5);
        name[2] = "0123456789abcdef"[id >> 4 & 7];
        name[3] = "0123456789abcdef"[id & 15];
    }
    status = etm_build_source(capture, name, "");
    if (status != ETM_OK)
        return status;
    s = etm_build_source_at(capture, capture->sources.n - 1);
    s->core = 0;
    s->id = (uint8_t)id;
    status =
        etm_vec_append(&s->registers, options->registers, options->n_registers);
    if (status == ETM_OK && id != 0 && trace_id_of(options) == NULL)
        status = etm_vec_append(&s->registers, &id_register, 1);
    if (status == ETM_OK)
        status = etm_vec_append(&s->buffers, &(size_t){0}, 1);
    if (status != ETM_OK)
        return status;
    if (!told)
        return etm_build_why_not(capture, capture->sources.n - 1, "%s",
                                 is_empty(capture)
                                     ? "the file is empty"
                                     : "neither its protocol nor ETMIDR is "
                                       "given");
    return configure(capture, capture->sources.n - 1, &facts, diag);
}

int etm_capture_configure_raw(struct etm_capture *capture, size_t source,
                              enum etm_protocol protocol, struct etm_diag *diag)
{
    struct etm_source_facts facts = {protocol, -1,
                                     etm_build_core_at(capture, 0)->profile};

    return configure(capture, source, &facts, diag);
}

/* The profile that was given is used, but it gives exceptions their names, and
 * macrocells of the M profile belong to no other. */
static int tell_profile(struct etm_capture *capture,
                        const struct etm_raw_options *o)
{
    const struct etm_register *idr = given(o, 0x79);
    enum etm_profile is = idr != NULL ? etm_profile_of_idr((uint32_t)idr->value)
                                      : ETM_PROFILE_UNKNOWN;
    struct etm_diag diag;

    if (is == ETM_PROFILE_UNKNOWN || o->profile == ETM_PROFILE_UNKNOWN ||
        (is == ETM_PROFILE_M) == (o->profile == ETM_PROFILE_M))
        return ETM_OK;
    (void)etm_text_fail(
        &diag, ETM_ERR_CONFIG, "ETMIDR", ETM_DIAG_NONE,
        "0x%08lx is that of a macrocell of %s", (unsigned long)idr->value,
        is == ETM_PROFILE_M ? "M-profile processors"
                            : "processors of another profile than M");
    return etm_build_fault(
        capture, &diag, "exceptions are those of the profile that was given");
}

/* E-165 */
static int tell_cut(struct etm_capture *capture, const char *path)
{
    struct etm_diag diag;

    (void)etm_text_fail(&diag, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                        "OpenOCD kept only one bit of PIPESTAT in two of three "
                        "cycles, as it does for an ETB with 4 pins (the ETB's "
                        "words are complete: --port-format etb)");
    return etm_build_fault(capture, &diag, "this is not what ran");
}

/* A file of OpenOCD has the value of ETMCR, and is the trace of an ETMv1. */
static int add_openocd(struct etm_capture *capture,
                       const struct etm_raw_options *options,
                       struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    struct etm_raw_options with = *options;
    struct etm_register etmcr = {.name = "ETMCR", .number = 0};
    struct etm_vec registers;
    uint32_t value;
    int status;

    if (b->form != ETM_PORT_FORM_OPENOCD ||
        !etm_port_openocd_header(b->bytes, b->n, &value))
        return add_source(capture, options, 0, diag);
    etmcr.value = value;
    etm_vec_init(&registers, sizeof etmcr, &capture->allocator);
    status = etm_vec_append(&registers, &etmcr, 1);
    /* another value is a contradiction, and reported as such */
    if (status == ETM_OK)
        status = etm_vec_append(&registers, options->registers,
                                options->n_registers);
    with.registers = registers.data;
    with.n_registers = registers.n;
    if (with.protocol == ETM_PROTOCOL_NONE && !tells_version(options))
        with.protocol = ETM_PROTOCOL_ETMV1;
    if (status == ETM_OK)
        status = add_source(capture, &with, 0, diag);
    etm_vec_fini(&registers);
    if (status == ETM_OK && etm_port_openocd_is_cut(b->bytes, b->n))
        status = tell_cut(capture, b->path);
    return status;
}

/* One source for each trace ID that a formatted file holds. */
static int add_found(struct etm_capture *capture,
                     const struct etm_raw_options *options,
                     struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    struct etm_frame_counts counts;
    int status = etm_buffer_survey(b, b->n, &capture->allocator, &counts);

    for (unsigned id = 1; id < ETM_ID_RESERVED && status == ETM_OK; id++) {
        if (counts.bytes[id] != 0)
            status = add_source(capture, options, id, diag);
    }
    if (status == ETM_OK && capture->sources.n == 0)
        status = etm_build_note(capture, "%s: no trace ID occurs in it",
                                etm_file_name(b->path));
    return status;
}

static int add_sources(struct etm_capture *capture,
                       const struct etm_raw_options *options,
                       struct etm_diag *diag)
{
    const struct etm_register *id = trace_id_of(options);
    const struct etm_capture_buffer *b = capture->buffers.data;
    bool formatted =
        b->framing != ETM_FRAMING_NONE && b->framing != ETM_FRAMING_PORT;

    if (!formatted)
        return add_openocd(capture, options, diag);
    if (id == NULL && capture->live != 0)
        return add_source(capture, options, capture->live, diag);
    if (id == NULL)
        return add_found(capture, options, diag);
    if (id->value == 0 || id->value >= ETM_ID_RESERVED)
        return etm_text_fail(
            diag, ETM_ERR_CONFIG, "ETMTRACEIDR", ETM_DIAG_NONE,
            "ETMTRACEIDR is 0x%llx, which is not the trace ID of a source",
            (unsigned long long)id->value);
    return add_source(capture, options, (unsigned)id->value, diag);
}

static struct etm_wrap_facts wrap_facts(const struct etm_raw_options *o)
{
    return (struct etm_wrap_facts){o->write_pointer, o->wrapped, o->registers,
                                   o->n_registers};
}

/* Put memory in the order of time. */
static int unwrap(struct etm_capture *capture, struct etm_file *file,
                  struct etm_wrap *wrap, const struct etm_raw_options *o,
                  struct etm_diag *diag)
{
    const struct etm_wrap_facts facts = wrap_facts(o);
    const char *path = capture->path;
    int status;

    if (o->framing == ETM_FRAMING_SWO || o->framing == ETM_FRAMING_TPIU_PORT ||
        o->framing == ETM_FRAMING_ORBFLOW)
        return etm_text_fail(diag, ETM_ERR_CONFIG, path, ETM_DIAG_NONE,
                             "a write pointer is for memory, not for pins");
    status = etm_wrap_find(wrap, &facts, file, path, diag);
    return status == ETM_OK
               ? etm_wrap_undo(wrap, file, path, &capture->allocator, diag)
               : status;
}

/* Of packets, of which no source has come: they were unpacked already, and
 * cannot be kept. */
static int no_source(const char *path, struct etm_diag *diag)
{
    return etm_text_fail(diag, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                         "no packet of orbflow with a trace ID is in it");
}

/* The trace, from a file or a pipe. */
static int open_trace(struct etm_capture *capture, const char *path,
                      const struct etm_raw_options *o,
                      const struct etm_reader **reader, struct etm_diag *diag)
{
    static const uint8_t nothing[1];
    struct etm_beginning b = {.options = o,
                              .source_known = trace_id_of(o) != NULL,
                              .head = {.bytes = nothing},
                              .diag = diag};
    const struct etm_wrap_facts facts = wrap_facts(o);
    const bool wraps = o->file == NULL && etm_wrap_is_told(&facts);
    const struct etm_pipe_options pipe = {o->reconnect, ETM_SPOOL_PIPE,
                                          o->interrupted};
    static const struct etm_sigrok_limits limits = ETM_SIGROK_LIMITS;
    struct etm_wrap wrap = {.pointer = 0};
    struct etm_file file;
    int status = ETM_OK;

    if (o->file == NULL)
        status = etm_pipe_open(&b.pipe, path, &pipe, &capture->allocator, diag);
    if (b.pipe != NULL && o->once && o->reverse <= 1 && !wraps) {
        *reader = etm_reader_of_pipe(&b);
        capture->live = b.live;
        status = b.status;
        if (status == ETM_OK && *reader != NULL)
            return etm_build_pipe(capture, path,
                                  b.unpacked ? ETM_FRAMING_CORESIGHT
                                             : (*reader)->buffer,
                                  b.pipe, &b.head);
        if (status == ETM_OK && b.unpacked)
            status = no_source(path, diag);
    }
    if (o->file != NULL) {
        file = *o->file;
        *o->file = (struct etm_file){.bytes = NULL};
    } else if (status == ETM_OK) {
        status =
            b.pipe != NULL
                ? etm_pipe_keep(b.pipe, &file, diag)
                : etm_file_open_capture(&file, path, &capture->allocator, diag);
    }
    etm_pipe_close(b.pipe);
    if (status != ETM_OK)
        return status;
    if (etm_sigrok_possible() && etm_archive_is_sigrok(file.bytes, file.n))
        status =
            etm_sigrok_convert(&file, path, &limits, &capture->allocator, diag);
    *reader = etm_reader_of(o, file.bytes, file.n);
    if (status == ETM_OK && !(*reader)->described && wraps)
        status = unwrap(capture, &file, &wrap, o, diag);
    if (status != ETM_OK) {
        etm_file_close(&file, &capture->allocator);
        return status;
    }
    status = etm_build_buffer(capture, path, path, (*reader)->buffer, &file, 1,
                              diag);
    return status == ETM_OK
               ? etm_wrap_note(capture, capture->buffers.data, &wrap)
               : status;
}

/* The caller's registers, and those that are used where these lack them. */
static int add_registers(struct etm_vec *all, const struct etm_raw_options *o)
{
    int status = etm_vec_append(all, o->registers, o->n_registers);

    for (size_t i = 0; i < o->n_fallback && status == ETM_OK; i++) {
        if (given(o, etm_register_number(o->fallback[i].name)) == NULL)
            status = etm_vec_append(all, &o->fallback[i], 1);
    }
    return status;
}

/* Of memory that seems to have been written in a circle, E-643. */
static int tell_seam(struct etm_capture *capture,
                     const struct etm_raw_options *o)
{
    const struct etm_capture_buffer *b = capture->buffers.data;
    const bool mtb = o->protocol == ETM_PROTOCOL_MTB;
    struct etm_diag diag;
    size_t seam = 0;

    if (b->pipe != NULL || b->wrap.pointer != 0 || b->wrap.cut)
        return ETM_OK;
    if (mtb)
        seam = etm_wrap_seam(b->bytes, b->n);
    else if (b->framing == ETM_FRAMING_CORESIGHT && b->first_frame == 0 &&
             !b->doubt && !b->bare)
        seam = etm_frame_seam(b->bytes, b->n);
    if (seam == 0)
        return ETM_OK;
    (void)etm_text_fail(&diag, ETM_ERR_FORMAT, b->path, ETM_DIAG_NONE,
                        mtb ? "its packets break off at byte 0x%zx, and go on "
                              "from its end at its beginning"
                            : "its last frame ends at byte 0x%zx, and older "
                              "trace follows",
                        seam);
    return etm_build_fault(
        capture, &diag,
        "it seems to have been written in a circle (try --write-pointer)");
}

/* The sources of a file that has no configuration of its own. */
static int open_sources(struct etm_capture *capture,
                        const struct etm_raw_options *options,
                        struct etm_diag *diag)
{
    struct etm_raw_options o = *options;
    struct etm_vec all;
    int status;

    etm_vec_init(&all, sizeof(struct etm_register), &capture->allocator);
    status = add_registers(&all, options);
    o.registers = all.data;
    o.n_registers = all.n;
    capture->raw = true;
    if (status == ETM_OK)
        status = add_sources(capture, &o, diag);
    if (status == ETM_OK)
        status = tell_profile(capture, &o);
    if (status == ETM_OK)
        status = tell_seam(capture, &o);
    etm_vec_fini(&all);
    return status;
}

struct etm_file etm_capture_release_raw(struct etm_capture *capture)
{
    struct etm_capture_buffer *b = capture->buffers.data;
    struct etm_file file = {b->bytes, b->n + b->stop, b->mapped, b->opened};

    b->bytes = NULL;
    b->n = b->stop = 0;
    b->opened = 0;
    return file;
}

int etm_capture_open_raw(struct etm_capture *capture, const char *path,
                         const struct etm_raw_options *options,
                         const struct etm_allocator *allocator,
                         struct etm_diag *diag)
{
    static const struct etm_raw_options none = {0};
    const struct etm_raw_options *o = options != NULL ? options : &none;
    int status = etm_build_begin(capture, path, allocator);
    const struct etm_reader *reader = NULL;

    capture->reverse = o->reverse;
    if (status == ETM_OK)
        status = open_trace(capture, path, o, &reader, diag);
    if (status == ETM_OK)
        status = etm_build_core(capture, "", "");
    if (status == ETM_OK) {
        etm_build_core_at(capture, 0)->profile = o->profile;
        status = reader->open(capture, o, diag);
    }
    if (status == ETM_OK && !reader->described && o->sysroot != NULL)
        status = etm_text_fail(diag, ETM_ERR_CONFIG, path, ETM_DIAG_NONE,
                               "a sysroot is for a perf file only");
    /* what the caller gives hides the code named in a perf file */
    if (status == ETM_OK)
        status = etm_build_images(capture, o->images, o->n_images, diag);
    if (status == ETM_OK && !reader->described)
        status = open_sources(capture, o, diag);
    return etm_build_end(capture, status, diag);
}
