/* SPDX-License-Identifier: Apache-2.0 */
/* Opening a capture, and describing its contents. */
#include "session/session.h"

#include "base/diag.h"
#include "base/size.h"
#include "input/socket.h"
#include "regs/regs.h"
#include "session/port_source.h"
#include "session/settle.h"

/* The default options. */
static const struct etm_session_options no_options = {
    .size = sizeof(struct etm_session_options)};

static int out_of_memory(struct etm_diag *diag, const char *path)
{
    (void)etm_diag_begin(diag, ETM_ERR_MEMORY, path);
    etm_diag_text(diag, etm_status_text(ETM_ERR_MEMORY));
    return ETM_ERR_MEMORY;
}

/* Does anything tell how a raw file is to be read, so that its bytes are not
 * needed for that? */
static bool is_told(const struct etm_session_options *options)
{
    const struct etm_register *r = options->registers;
    size_t n = options->n_registers;

    return etm_register_find(r, n, etm_register_number("ETMIDR")) != NULL ||
           etm_register_find(r, n, etm_register_number("ETMCCR")) != NULL ||
           options->protocol != ETM_PROTOCOL_NONE ||
           (options->fallback && options->fallback->n_registers != 0 &&
            (options->framing_told || options->framing != ETM_FRAMING_NONE));
}

static int open_capture(struct etm_session *session, const char *path,
                        const struct etm_session_options *options,
                        struct etm_diag *diag)
{
    const struct etm_session_fallback none = {.n_registers = 0};
    const struct etm_session_fallback *fallback =
        options->fallback ? options->fallback : &none;
    const struct etm_raw_options raw = {
        .protocol = options->protocol,
        .profile = options->profile,
        .framing = options->framing,
        .framing_told = options->framing_told,
        .form = options->form,
        .signals = options->signals,
        .port_width = options->port_width,
        .baud = options->baud,
        .write_pointer = options->write_pointer,
        .wrapped = options->wrapped,
        .registers = options->registers,
        .n_registers = options->n_registers,
        .images = options->images,
        .n_images = options->n_images,
        .sysroot = options->sysroot,
        .allow_outside = options->allow_outside,
        .once = options->once && !(options->guess && !is_told(options)),
        .reconnect = options->reconnect,
        .interrupted = options->interrupted,
        .reverse = options->reverse_bytes,
        .fallback = fallback->registers,
        .n_fallback = fallback->n_registers,
    };
    int status = etm_capture_open(&session->capture, path, &raw,
                                  &session->allocator, diag);

    if (status == ETM_OK)
        status = etm_session_settle(session, path, &raw, options->guess, diag);
    return status == ETM_ERR_MEMORY ? out_of_memory(diag, path) : status;
}

static int describe_source(const struct etm_session *session, size_t index,
                           const struct etm_session_options *options,
                           struct etm_source_info *info, struct etm_diag *diag)
{
    const struct etm_capture_source *source =
        etm_session_capture_source(session, index);
    const struct etm_capture_core *core = etm_session_core(session, index);
    int status;

    *info = (struct etm_source_info){
        .name = source->name ? source->name : "",
        .type = source->type ? source->type : "",
        .id = source->id,
        .registers = source->registers.data,
        .n_registers = source->registers.n,
        .n_buffers = source->buffers.n,
        .guessed = source->guessed,
        .n_guessed = source->n_guessed,
    };
    if (source->decodable)
        info->config = source->config;
    if (!source->decodable)
        info->why_not =
            source->why_not ? source->why_not : "its type is not known";
    /* the ID of the stream, which an unformatted one does not have */
    info->config.trace_id = source->id;
    if (core) {
        bool named = core->name && core->name[0] != '\0'; /* that of a raw file
                                                             has no name */

        info->core = named ? core->name : NULL;
        info->core_type = named ? core->type : NULL;
        info->image = core->image;
        info->code_missing = core->code_missing;
        if (info->config.profile == ETM_PROFILE_UNKNOWN)
            info->config.profile = core->profile;
    }
    if (info->config.profile == ETM_PROFILE_UNKNOWN && options->fallback)
        info->config.profile = options->fallback->profile;
    if (options->profile != ETM_PROFILE_UNKNOWN)
        info->config.profile = options->profile;
    if (info->why_not)
        return ETM_OK;
    status =
        etm_port_source_complete(session, index, options, &info->config, diag);
    return status == ETM_OK ? etm_config_check(&info->config, diag) : status;
}

static int describe(struct etm_session *session, const char *path,
                    const struct etm_session_options *options,
                    struct etm_diag *diag)
{
    size_t n_sources = session->capture.sources.n;
    size_t n_buffers = session->capture.buffers.n;

    etm_vec_fini(&session->sources);
    etm_vec_fini(&session->buffers);
    etm_vec_init(&session->sources, sizeof(struct etm_source_info),
                 &session->allocator);
    etm_vec_init(&session->buffers, sizeof(struct etm_buffer_info),
                 &session->allocator);
    for (size_t i = 0; i < n_sources; i++) {
        struct etm_source_info info;
        int status = describe_source(session, i, options, &info, diag);

        if (status != ETM_OK)
            return status;
        if (etm_vec_append(&session->sources, &info, 1) != ETM_OK)
            return out_of_memory(diag, path);
    }
    for (size_t i = 0; i < n_buffers; i++) {
        const struct etm_capture_buffer *buffer =
            etm_session_capture_buffer(session, i);
        struct etm_buffer_info info = {
            .name = buffer->name ? buffer->name : "",
            .path = buffer->path ? buffer->path : "",
            .bytes = buffer->pipe == NULL ? buffer->n : 0,
            .framing = buffer->framing,
            .form = buffer->form,
            .first_frame = buffer->first_frame,
            .doubt = buffer->doubt,
            .swapped = buffer->swapped,
            .reversed = buffer->reversed,
            .bare = buffer->bare,
            .blocks = buffer->blocks,
            .guessed = buffer->guessed,
            .stop = buffer->stop,
        };

        if (etm_vec_append(&session->buffers, &info, 1) != ETM_OK)
            return out_of_memory(diag, path);
    }
    return ETM_OK;
}

/* Is the protocol given, and not only that of the processor? */
static bool is_protocol_told(const struct etm_session_options *options)
{
    return options->protocol != ETM_PROTOCOL_NONE || !options->fallback ||
           options->fallback->n_registers == 0;
}

/* Conclude from the bytes what nothing else tells, and describe it. */
static int conclude(struct etm_session *session, const char *path,
                    const struct etm_session_options *options,
                    struct etm_diag *diag)
{
    bool changed = false;
    int status = etm_session_settle_sources(session, is_protocol_told(options),
                                            &changed, diag);

    if (status == ETM_ERR_MEMORY)
        return out_of_memory(diag, path);
    return status == ETM_OK && changed ? describe(session, path, options, diag)
                                       : status;
}

/* What is wrong with the arguments; NULL: nothing. */
static const char *misuse(const char *path,
                          const struct etm_session_options *options)
{
    if (!path)
        return "no capture is named";
    if ((unsigned)options->framing > ETM_FRAMING_ORBFLOW)
        return "there is no such framing";
    if (options->framing == ETM_FRAMING_MTB &&
        options->protocol != ETM_PROTOCOL_NONE &&
        options->protocol != ETM_PROTOCOL_MTB)
        return "the framing mtb holds the packets of an MTB, and no other "
               "protocol";
    if (options->protocol == ETM_PROTOCOL_MTB &&
        options->framing != ETM_FRAMING_NONE &&
        options->framing != ETM_FRAMING_MTB)
        return "the packets of an MTB have no frames: the framing is mtb";
    if ((unsigned)options->form > ETM_PORT_FORM_CSV)
        return "there is no such form of samples";
    if (options->reverse_bytes > 8 ||
        (options->reverse_bytes & (options->reverse_bytes - 1)) != 0)
        return "words of that size are not reversed";
    if (!options->registers && options->n_registers != 0)
        return "the registers are NULL";
    if (!options->images && options->n_images != 0)
        return "the images are NULL";
    for (size_t i = 0; i < options->n_images; i++)
        if (!options->images[i])
            return "the name of an image is NULL";
    return NULL;
}

/* The memory of an MTB holds the bytes of one source, whose protocol the
 * framing says, and the other way round. */
static void take_mtb(struct etm_session_options *options)
{
    if (options->framing != ETM_FRAMING_MTB &&
        options->protocol != ETM_PROTOCOL_MTB)
        return;
    options->framing = ETM_FRAMING_NONE;
    options->framing_told = true;
    options->protocol = ETM_PROTOCOL_MTB;
}

/* The port of orbuculum at which it sends packets. */
#define ORBFLOW_PORT 3402u

static void take_server(struct etm_session_options *options, const char *path)
{
    if (!options->framing_told && options->framing == ETM_FRAMING_NONE &&
        etm_socket_is(path) && etm_socket_port(path) == ORBFLOW_PORT)
        options->framing = ETM_FRAMING_ORBFLOW;
}

int etm_session_open(struct etm_session **session, const char *path,
                     const struct etm_session_options *options,
                     struct etm_diag *diag)
{
    struct etm_session_options own;
    struct etm_session_fallback fallback;
    struct etm_allocator allocator;
    struct etm_session *s;
    const char *wrong;
    int status;

    if (!session)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, path,
                            "no place for the session is given");
    *session = NULL;
    status = ETM_TAKE(etm_session_options, &own,
                      options ? options : &no_options, diag);
    if (status == ETM_OK && own.fallback) {
        status = ETM_TAKE(etm_session_fallback, &fallback, own.fallback, diag);
        own.fallback = &fallback;
    }
    if (status != ETM_OK)
        return status;
    options = &own;
    wrong = misuse(path, options);
    if (wrong)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, path, wrong);
    take_mtb(&own);
    take_server(&own, path);
    allocator = etm_allocator_or_default(options->allocator);
    s = etm_alloc_zero(&allocator, sizeof *s);
    if (!s)
        return out_of_memory(diag, path);
    s->allocator = allocator;
    status = open_capture(s, path, options, diag);
    if (status != ETM_OK) {
        etm_alloc_free(&allocator, s);
        return status;
    }
    status = etm_session_name_others(s, is_protocol_told(options),
                                     options->protocol_sure);
    status = status == ETM_OK ? describe(s, path, options, diag)
                              : out_of_memory(diag, path);
    if (status == ETM_OK && options->guess)
        status = conclude(s, path, options, diag);
    if (status != ETM_OK) {
        etm_session_free(s);
        return status;
    }
    *session = s;
    return ETM_OK;
}
