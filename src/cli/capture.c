/* SPDX-License-Identifier: Apache-2.0 */
/* Opening the capture and choosing its sources. */
#include "cli/available.h"
#include "cli/guess.h"
#include "cli/merged.h"
#include "cli/part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void etm_cli_title(const struct etm_source_info *info, char *text,
                   size_t capacity)
{
    char protocol[32];
    char core[128] = "";

    if (info->why_not)
        (void)snprintf(protocol, sizeof protocol, "%s", info->type);
    else
        (void)etm_config_title(&info->config, protocol, sizeof protocol);
    if (info->core && info->core[0] != '\0')
        (void)snprintf(core, sizeof core, ", %s%s%s",
                       info->core_type ? info->core_type : "",
                       info->core_type && info->core_type[0] ? " " : "",
                       info->core);
    (void)snprintf(text, capacity, "%s (0x%02x): %s%s", info->name, info->id,
                   protocol, core);
}

/* The sources that --source names, in the order of the capture. */
static int choose_named(struct etm_cli_capture *capture,
                        const struct etm_cli_options *options, bool *chosen)
{
    for (size_t i = 0; i < options->n_sources; i++) {
        size_t index;

        if (etm_session_find(capture->session, options->sources[i], &index) !=
            ETM_OK) {
            char available[ETM_CLI_AVAILABLE];

            etm_cli_error("%s: no trace source %s%s",
                          etm_cli_path(options->capture), options->sources[i],
                          etm_cli_sources_available(capture->session, available,
                                                    sizeof available));
            return ETM_EXIT_UNREADABLE;
        }
        chosen[index] = true;
    }
    return ETM_EXIT_OK;
}

/* Report what cannot be decoded, and skip it unless it was requested. */
static int pass_over(struct etm_cli_capture *capture,
                     const struct etm_cli_options *options)
{
    const struct etm_source_info *refused = NULL;
    size_t n = 0;

    for (size_t i = 0; i < capture->n_sources; i++) {
        const struct etm_source_info *info =
            etm_session_source(capture->session, capture->sources[i]);

        if (!info->why_not) {
            capture->sources[n++] = capture->sources[i];
            continue;
        }
        refused = info;
        if (options->n_sources > 0)
            break;
    }
    if (refused && (options->n_sources > 0 || n == 0)) {
        bool riddle = refused->type[0] == '\0' &&
                      refused->config.protocol == ETM_PROTOCOL_NONE;

        etm_cli_error("%s: source %s (0x%02x) cannot be decoded: %s%s",
                      etm_cli_path(options->capture), refused->name,
                      refused->id, refused->why_not,
                      riddle ? " ('etm info' says more)" : "");
        return ETM_EXIT_UNREADABLE;
    }
    for (size_t i = 0; i < etm_session_sources(capture->session); i++) {
        const struct etm_source_info *info =
            etm_session_source(capture->session, i);

        if (info->why_not && options->n_sources == 0)
            etm_cli_error("skipping %s (0x%02x): %s", info->name, info->id,
                          info->why_not);
    }
    capture->n_sources = n;
    return ETM_EXIT_OK;
}

static int choose_sources(struct etm_cli_capture *capture,
                          const struct etm_cli_options *options, bool decodable,
                          size_t n)
{
    bool *chosen = calloc(n + 1, sizeof *chosen);
    int status;

    if (!chosen) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    status = choose_named(capture, options, chosen);
    for (size_t i = 0; i < n; i++)
        if (chosen[i] || options->n_sources == 0)
            capture->sources[capture->n_sources++] = i;
    free(chosen);
    if (status == ETM_EXIT_OK && decodable)
        status = pass_over(capture, options);
    if (n == 0 && options->command != ETM_CLI_INFO)
        etm_cli_error("%s: %s", etm_cli_path(options->capture),
                      etm_session_buffers(capture->session) == 1 &&
                              etm_session_buffer(capture->session, 0)->bytes ==
                                  0
                          ? "the file is empty"
                          : "it contains no trace source");
    return status;
}

/* Report buffers that do not begin with a frame, end in what is no trace
 * (E-334), or have the wrong byte order, unless that was `told`; `etm info` has
 * this among its notes. */
static void tell_order(const struct etm_session *session, bool told)
{
    for (size_t i = 0; i < etm_session_buffers(session); i++) {
        const struct etm_buffer_info *info = etm_session_buffer(session, i);

        if (info->reversed && !told)
            etm_cli_error("%s: its %u-bit words are stored in the wrong byte "
                          "order: it is read as with --reverse-bytes %u",
                          etm_cli_path(info->path), 8u * info->swapped,
                          (unsigned)info->swapped);
        if (info->stop != 0)
            etm_cli_error("%s: 01 and zeros at its end, %" PRIu64
                          " byte%s, are no trace: a formatter in bypass "
                          "appends them",
                          etm_cli_path(info->path), info->stop,
                          etm_cli_plural(info->stop));
        if (info->swapped != 0 && !info->reversed)
            etm_cli_error("%s: its %u-bit words are stored in the wrong byte "
                          "order ('etm info' shows how to correct this)",
                          etm_cli_path(info->path), 8u * info->swapped);
        else if (info->bare)
            etm_cli_error("%s seems to hold the bytes of one source without "
                          "frames (try --framing none)",
                          etm_cli_path(info->path));
        else if (info->first_frame != 0)
            etm_cli_error("%s begins within a frame: skipping %u byte%s",
                          etm_cli_path(info->path), info->first_frame,
                          etm_cli_plural(info->first_frame));
        else if (info->doubt)
            etm_cli_error("%s seems not to begin with a frame ('etm info' says "
                          "what to do)",
                          etm_cli_path(info->path));
    }
}

/* Why no source that was chosen has code. NULL: one has, or the capture names
 * none for them. */
static const char *no_code(const struct etm_cli_capture *capture)
{
    const char *why = NULL;

    for (size_t i = 0; i < capture->n_sources; i++) {
        const struct etm_source_info *info =
            etm_session_source(capture->session, capture->sources[i]);

        if (info->image && etm_image_regions(info->image) != 0)
            return NULL;
        if (!why)
            why = info->code_missing;
    }
    return why;
}

/* Report what could not be read; `etm info` has it among its notes. Without any
 * code the program cannot be decoded. */
static int tell_faults(const struct etm_cli_capture *capture,
                       const struct etm_cli_options *options)
{
    size_t n = etm_session_faults(capture->session);
    bool decodes = (options->command & ETM_CLI_NEED_CODE) != 0 ||
                   (options->command == ETM_CLI_DIFF && !options->diff.packets);
    const char *why = decodes ? no_code(capture) : NULL;

    if (why) {
        etm_cli_error(
            "there is no code to decode with (use --image FILE): %s%s", why,
            n > 1 ? "; 'etm info' lists more" : "");
        return ETM_EXIT_UNREADABLE;
    }
    for (size_t i = 0; i < n; i++)
        etm_cli_error("%s", etm_session_fault(capture->session, i));
    return ETM_EXIT_OK;
}

/* Is the trace read once, from its beginning on? Then a pipe is read as it
 * comes. What is a percentage or a time depends on all of it. */
static bool once(const struct etm_cli_options *o)
{
    return o->command != ETM_CLI_INFO && !o->from && !o->last && !o->shard &&
           !o->merge && !(o->to && strchr(o->to, '%'));
}

static bool is_server(const struct etm_cli_options *o)
{
    return strncmp(o->capture, "tcp:", 4) == 0;
}

/* Of a server only one source can be read as it comes: that which was chosen by
 * its trace ID. *with has room for its register. */
static void choose_live(const struct etm_cli_options *o,
                        struct etm_session_options *session,
                        struct etm_register *with)
{
    uint64_t id;

    for (size_t i = 0; i < session->n_registers; i++) {
        with[i] = session->registers[i];
        if (strcmp(with[i].name, "ETMTRACEIDR") == 0)
            return;
    }
    if (o->n_sources != 1 ||
        !etm_cli_number(o->sources[0], ETM_ID_RESERVED - 1, &id) || id == 0)
        return;
    with[session->n_registers] =
        (struct etm_register){.name = "ETMTRACEIDR",
                              .number = etm_register_number("ETMTRACEIDR"),
                              .value = id};
    session->registers = with;
    session->n_registers++;
}

/* Say what is not clear of a server: that nothing can be seen yet, or which
 * source it is. */
static void tell_server(const struct etm_cli_options *o,
                        const struct etm_session *session)
{
    const struct etm_source_info *info;

    if (!session) {
        if (!once(o) || (o->session.protocol == ETM_PROTOCOL_NONE &&
                         !o->core.name && o->session.n_registers == 0))
            etm_cli_error("%s: what comes is kept until it ends, or Ctrl-C%s",
                          o->capture,
                          once(o) ? "; with --protocol or --core it is read as "
                                    "it comes"
                                  : "");
        return;
    }
    if (etm_session_sources(session) != 1 || o->n_sources != 0)
        return;
    info = etm_session_source(session, 0);
    if (info->id != 0 && etm_session_bytes(session, 0) == 0)
        etm_cli_error("%s: trace ID 0x%02x is read, as it comes (--source "
                      "chooses another)",
                      o->capture, info->id);
}

/* The session, and a message if there is none. */
static int open_session(struct etm_session **session,
                        const struct etm_cli_options *o)
{
    struct etm_session_options options = o->session;
    struct etm_register *with =
        calloc(o->session.n_registers + 1, sizeof *with);
    struct etm_diag diag = {0};
    int status = ETM_ERR_MEMORY;

    *session = NULL;
    options.once = once(o);
    options.guess = o->command != ETM_CLI_INFO;
    options.protocol_sure = o->n_sources != 0;
    if (with && is_server(o)) {
        choose_live(o, &options, with);
        options.interrupted = etm_cli_interrupt_ends_connection();
        tell_server(o, NULL);
    }
    if (strcmp(o->capture, "-") == 0)
        etm_cli_interrupt_ends_input();
    if (with)
        status = etm_session_open(session, o->capture, &options, &diag);
    if (status != ETM_OK)
        etm_cli_diag(status, &diag);
    else if (is_server(o))
        tell_server(o, *session);
    free(with);
    return status == ETM_OK ? ETM_EXIT_OK : ETM_EXIT_UNREADABLE;
}

int etm_cli_open(struct etm_cli_capture *capture,
                 const struct etm_cli_options *options,
                 struct etm_cli_output *output, bool decodable)
{
    int status;
    size_t n;

    *capture = (struct etm_cli_capture){0};
    status = open_session(&capture->session, options);
    if (status != ETM_EXIT_OK)
        return status;
    if (options->command != ETM_CLI_INFO)
        tell_order(capture->session, options->session.reverse_bytes != 0);
    n = etm_session_sources(capture->session);
    capture->sources = calloc(n + 1, sizeof *capture->sources);
    if (!capture->sources) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    } else {
        status = choose_sources(capture, options, decodable, n);
    }
    if (status == ETM_EXIT_OK)
        status = etm_cli_core_fits(options, capture);
    if (status == ETM_EXIT_OK && options->command != ETM_CLI_INFO)
        status = tell_faults(capture, options);
    for (size_t i = 0; i < capture->n_sources && status == ETM_EXIT_OK; i++)
        status =
            etm_cli_part_fits(options, capture->session, capture->sources[i]);
    if (status == ETM_EXIT_OK && options->merge)
        status = etm_cli_merged_fits(capture);
    if (status == ETM_EXIT_OK &&
        (etm_cli_would_replace(options->output, options->index, "the index") ||
         etm_cli_would_replace(options->output, options->dump, "the dump")))
        status = ETM_EXIT_UNREADABLE;
    if (status == ETM_EXIT_OK)
        status = etm_cli_output_open(output, options->output, capture->session);
    if (status == ETM_EXIT_OK && options->command != ETM_CLI_INFO)
        etm_cli_guess_tell(capture, options);
    output->paged = output->terminal && !options->no_pager;
    if (status != ETM_EXIT_OK)
        etm_cli_close(capture);
    return status;
}

void etm_cli_close(struct etm_cli_capture *capture)
{
    etm_session_free(capture->session);
    free(capture->sources);
    *capture = (struct etm_cli_capture){0};
}
