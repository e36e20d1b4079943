/* SPDX-License-Identifier: Apache-2.0 */
/* What the bytes of a raw file told, as options that say it. */
#include "cli/guess.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(struct etm_cli_guessed *g, const char *format, ...)
{
    size_t n = strlen(g->text);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(g->text + n, sizeof g->text - n, format, arguments);
    va_end(arguments);
}

void etm_cli_guess_options(struct etm_cli_guessed *g,
                           enum etm_protocol protocol,
                           const struct etm_register *registers, size_t n)
{
    if (protocol != ETM_PROTOCOL_NONE)
        add(g, " --protocol %s", etm_protocol_name(protocol));
    for (size_t i = 0; i < n; i++)
        add(g, " --reg %s=0x%08" PRIx64, registers[i].name, registers[i].value);
}

/* What was taken from the bytes of a source; empty: nothing was. */
static void take(struct etm_cli_guessed *g, const struct etm_session *session,
                 size_t source)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    size_t told = info->n_registers - info->n_guessed;

    g->text[0] = '\0';
    for (size_t i = 0; i < info->n_buffers; i++) {
        const struct etm_buffer_info *b = etm_session_buffer(
            session, etm_session_source_buffer(session, source, i));

        if (b->guessed)
            add(g, " --framing %s", etm_framing_name(b->framing));
    }
    etm_cli_guess_options(
        g, info->guessed ? info->config.protocol : ETM_PROTOCOL_NONE,
        info->n_guessed > 0 ? info->registers + told : NULL, info->n_guessed);
}

/* How many of the chosen sources have the same options as one of them; *first:
 * none of these comes before it. */
static size_t count(const struct etm_cli_capture *capture, size_t of,
                    const struct etm_cli_guessed *g, bool *first)
{
    struct etm_cli_guessed other;
    size_t n = 0;

    *first = true;
    for (size_t i = 0; i < capture->n_sources; i++) {
        take(&other, capture->session, capture->sources[i]);
        if (strcmp(other.text, g->text) != 0)
            continue;
        *first = *first && i >= of;
        n++;
    }
    return n;
}

/* Name the chosen sources that have these options. */
static void name_sources(const struct etm_cli_capture *capture,
                         const struct etm_cli_guessed *g, char *text,
                         size_t capacity)
{
    struct etm_cli_guessed other;

    text[0] = '\0';
    for (size_t i = 0; i < capture->n_sources; i++) {
        size_t n = strlen(text);

        take(&other, capture->session, capture->sources[i]);
        if (strcmp(other.text, g->text) == 0)
            (void)snprintf(
                text + n, capacity - n, " --source %s",
                etm_session_source(capture->session, capture->sources[i])
                    ->name);
    }
}

void etm_cli_guess_tell(const struct etm_cli_capture *capture,
                        const struct etm_cli_options *options)
{
    struct etm_cli_guessed g;
    char sources[256];
    bool first;

    for (size_t i = 0; i < capture->n_sources; i++) {
        take(&g, capture->session, capture->sources[i]);
        if (count(capture, i, &g, &first) == capture->n_sources)
            sources[0] = '\0';
        else
            name_sources(capture, &g, sources, sizeof sources);
        if (first && g.text[0] != '\0')
            etm_cli_error("%s: as its bytes look, it is read with%s%s",
                          etm_cli_path(options->capture), sources, g.text);
    }
}
