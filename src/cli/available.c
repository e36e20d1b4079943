/* SPDX-License-Identifier: Apache-2.0 */
/* What is available in a capture that lacks what was requested. */
#define _POSIX_C_SOURCE 200809L
#include "cli/available.h"

#include <stdio.h>
#include <sys/stat.h>

/* A capture that was opened correctly rarely has more. */
#define MOST 8u

/* A list of words with commas between them. */
struct words {
    char *text;
    size_t capacity, n;
    unsigned said;
};

static void say(struct words *w, const char *word)
{
    int n;

    if (w->said > MOST || w->n >= w->capacity)
        return;
    n = snprintf(w->text + w->n, w->capacity - w->n, "%s%s",
                 w->said > 0 ? ", " : "", w->said == MOST ? "..." : word);
    w->n += n > 0 ? (size_t)n : 0;
    w->said++;
}

const char *etm_cli_sources_available(const struct etm_session *session,
                                      char *text, size_t capacity)
{
    struct words w = {text, capacity, 0, 0};
    char word[96];

    text[0] = '\0';
    for (size_t i = 0; i < etm_session_sources(session); i++) {
        const struct etm_source_info *info = etm_session_source(session, i);

        (void)snprintf(word, sizeof word, "%s%.64s (0x%02x)",
                       w.said == 0 ? ": there is " : "", info->name, info->id);
        say(&w, word);
    }
    return text;
}

bool etm_cli_is_empty(const struct etm_session *session, size_t source)
{
    size_t n = etm_session_source(session, source)->n_buffers;
    struct stat status;

    for (size_t i = 0; i < n; i++) {
        const struct etm_buffer_info *buffer = etm_session_buffer(
            session, etm_session_source_buffer(session, source, i));

        /* what is read as it comes has no number of bytes, either */
        if (buffer->bytes != 0 || stat(buffer->path, &status) != 0 ||
            !S_ISREG(status.st_mode) || status.st_size != 0)
            return false;
    }
    return n != 0;
}

const char *etm_cli_ids_available(const struct etm_session *session,
                                  size_t source, char *text, size_t capacity)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct words w = {text, capacity, 0, 0};
    bool available[ETM_ID_RESERVED] = {false};

    text[0] = '\0';
    for (size_t n = 0; n < info->n_buffers; n++) {
        size_t i = etm_session_source_buffer(session, source, n);
        const struct etm_buffer_info *buffer = etm_session_buffer(session, i);
        struct etm_frame_counts counts;

        /* a pipe that was read is not available any more */
        if (buffer->bytes == 0 || buffer->framing == ETM_FRAMING_NONE ||
            buffer->framing == ETM_FRAMING_PORT ||
            etm_session_count(session, i, &counts) != ETM_OK)
            continue;
        for (unsigned id = 1; id < ETM_ID_RESERVED; id++)
            available[id] |= counts.bytes[id] != 0;
    }
    if (info->id < ETM_ID_RESERVED && available[info->id])
        return text; /* so that is not the reason */
    for (unsigned id = 1; id < ETM_ID_RESERVED; id++) {
        char word[64];

        if (!available[id])
            continue;
        (void)snprintf(word, sizeof word, "%s0x%02x",
                       w.said == 0 ? "; the trace IDs there are " : "", id);
        say(&w, word);
    }
    return text;
}
