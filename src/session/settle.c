/* SPDX-License-Identifier: Apache-2.0 */
#include "session/settle.h"

#include "input/build.h"
#include "input/file.h"
#include "input/other_trace.h"
#include "input/port_reader.h"
#include "input/wrap.h"
#include "port/frame.h"
#include "regs/regs.h"
#include "session/judge.h"

#include <stdio.h>
#include <string.h>

/* The registers of the given numbers are told by a configuration. */
static bool tells(const struct etm_config *c, const char *name)
{
    bool idr = c->alternative_branches ||
               (c->protocol == ETM_PROTOCOL_ETMV3 && c->minor < 4);
    bool ccer = c->timestamp_64bit || c->timestamp_binary || c->virtualization;

    return strcmp(name, "ETMCR") == 0 || (idr && strcmp(name, "ETMIDR") == 0) ||
           (ccer && strcmp(name, "ETMCCER") == 0);
}

size_t etm_guess_registers(const struct etm_guess *guess,
                           struct etm_register registers[3])
{
    struct etm_register all[16];
    int n = etm_config_to_registers(&guess->config, all, 16);
    size_t found = 0;

    if (guess->protocol == ETM_PROTOCOL_NONE || guess->weak)
        return 0;
    for (int i = 0; i < n && i < 16 && found < 3; i++)
        if (tells(&guess->config, all[i].name))
            registers[found++] = all[i];
    return found;
}

static int reopen(struct etm_session *session, const char *path,
                  const struct etm_raw_options *options, struct etm_diag *diag)
{
    struct etm_raw_options o = *options;
    struct etm_capture before = session->capture;
    uint8_t reversed = etm_session_capture_buffer(session, 0)->reversed
                           ? etm_session_capture_buffer(session, 0)->swapped
                           : 0;
    bool plain =
        etm_session_capture_buffer(session, 0)->framing == ETM_FRAMING_NONE;
    struct etm_wrap wrap = etm_session_capture_buffer(session, 0)->wrap;
    struct etm_file file = etm_capture_release_raw(&before);
    struct etm_capture_buffer *b;
    int status;

    o.file = &file;
    if (reversed != 0)
        o.reverse = 1; /* that was done */
    status = etm_capture_open_raw(&session->capture, path, &o,
                                  &session->allocator, diag);
    b = session->capture.buffers.data;
    if (status == ETM_OK && reversed != 0) {
        b->swapped = reversed;
        b->reversed = true;
    }
    if (status == ETM_OK)
        status = etm_wrap_note(&session->capture, b, &wrap);
    if (status == ETM_OK)
        b->guessed = plain && o.framing != ETM_FRAMING_NONE &&
                     o.framing != ETM_FRAMING_ORBFLOW; /* a note tells */
    etm_file_close(&file, &session->allocator);        /* unless it was taken */
    etm_capture_close(&before);
    return status;
}

/* Can the framing be used that the bytes show? Samples of a port only if it is
 * clear whose. */
static bool is_usable(const struct etm_session *session,
                      enum etm_framing framing)
{
    const struct etm_capture_buffer *b = etm_session_capture_buffer(session, 0);
    enum etm_protocol protocol =
        etm_session_capture_source(session, 0)->config.protocol;

    if (framing == ETM_FRAMING_PORT)
        return etm_protocol_is_port(protocol) ||
               etm_port_form_of(b->bytes, b->n) == ETM_PORT_FORM_OPENOCD;
    return framing != ETM_FRAMING_NONE && !etm_protocol_is_port(protocol);
}

/* The framing in the bytes, once their order is right. */
static int find_framing(const struct etm_session *session, unsigned word,
                        enum etm_framing *framing)
{
    const struct etm_capture_buffer *b = etm_session_capture_buffer(session, 0);
    size_t n = b->n + b->stop;
    uint8_t *reversed;
    int status;

    if (word == 0)
        return etm_guess_framing(b->bytes, n, &session->allocator, framing);
    n = n < ETM_FRAME_SEARCH ? n : ETM_FRAME_SEARCH;
    reversed = etm_alloc_zero(&session->allocator, n);
    if (reversed == NULL)
        return ETM_ERR_MEMORY;
    etm_bytes_reverse(reversed, b->bytes, n, word);
    status = etm_guess_framing(reversed, n, &session->allocator, framing);
    etm_alloc_free(&session->allocator, reversed);
    return status;
}

/*
 * The framing of the bytes on SWO: a TPIU's, if they have frames, or none, if
 * they are one source's, which is an ITM. Where damage leaves both open, a
 * macrocell that was told is behind a TPIU (E-623).
 */
static int framing_of_swo(const struct etm_session *session,
                          const struct etm_raw_options *o,
                          enum etm_framing *framing)
{
    const struct etm_capture_buffer *b = etm_session_capture_buffer(session, 0);
    int status = find_framing(session, 0, framing);
    bool framed = *framing != ETM_FRAMING_NONE && *framing != ETM_FRAMING_PORT;

    if (!framed && etm_other_trace_name(b->bytes, b->n) == NULL)
        framed = o->protocol != ETM_PROTOCOL_ITM &&
                 (o->protocol != ETM_PROTOCOL_NONE || o->n_registers != 0 ||
                  o->n_fallback != 0);
    *framing = framed ? ETM_FRAMING_TPIU : ETM_FRAMING_NONE;
    return status;
}

static int settle_swo(struct etm_session *session, const char *path,
                      struct etm_raw_options *o, struct etm_diag *diag)
{
    struct etm_capture_buffer *b = session->capture.buffers.data;
    const struct etm_swo_facts facts = b->swo;
    enum etm_framing framing;
    int status = framing_of_swo(session, o, &framing);

    b->swo.wrong = NULL; /* the buffer after it gets them */

    o->framing = framing;
    o->framing_told = true;
    o->form = ETM_PORT_FORM_AUTO;
    o->signals = NULL;
    if (status == ETM_OK)
        status = reopen(session, path, o, diag);
    else
        etm_capture_close(&session->capture);
    if (status != ETM_OK) {
        etm_alloc_free(&session->allocator, facts.wrong);
        return status;
    }
    b = session->capture.buffers.data;
    b->swo = facts;
    return etm_build_swo_notes(&session->capture, path, &facts);
}

int etm_session_settle(struct etm_session *session, const char *path,
                       const struct etm_raw_options *options, bool guess,
                       struct etm_diag *diag)
{
    const struct etm_capture_buffer *b = session->capture.buffers.data;
    const struct etm_capture_source *s = session->capture.sources.data;
    struct etm_raw_options o = *options;
    enum etm_framing framing = ETM_FRAMING_NONE;
    unsigned word = 0;
    int status = ETM_OK;

    if (!session->capture.raw || b->pipe != NULL || b->n == 0 ||
        b->framing == ETM_FRAMING_PORT)
        return ETM_OK;
    if (o.reverse == 0 && (session->capture.sources.n == 0 ||
                           !etm_protocol_is_port(s->config.protocol)))
        status = etm_order_find(b, o.framing_told, &session->allocator, &word);
    if (word != 0)
        o.reverse = (uint8_t)word;
    if (status == ETM_OK && o.framing == ETM_FRAMING_SWO)
        return settle_swo(session, path, &o, diag);
    guess = guess && o.framing == ETM_FRAMING_NONE && !o.framing_told;
    if (status == ETM_OK && guess)
        status = find_framing(session, word, &framing);
    if (status == ETM_OK && guess && is_usable(session, framing))
        o.framing = framing;
    if (status == ETM_OK && o.framing == options->framing && word == 0)
        return ETM_OK;
    if (status == ETM_OK)
        status = reopen(session, path, &o, diag);
    else
        etm_capture_close(&session->capture);
    if (status == ETM_OK && o.framing == ETM_FRAMING_SWO)
        status = settle_swo(session, path, &o, diag);
    return status;
}

/* What a source's bytes show. */
struct shown {
    struct etm_guess guess;
    bool fits; /* they are trace, and what is known of it agrees */
};

static bool has_register(const struct etm_source_info *info, const char *name)
{
    return etm_register_find(info->registers, info->n_registers,
                             etm_register_number(name)) != NULL;
}

/* Does the guess contradict the ETMIDR that is known? */
static bool contradicts(const struct etm_source_info *info,
                        const struct etm_guess *guess)
{
    return has_register(info, "ETMIDR") &&
           guess->alternative_branches != ETM_UNKNOWN &&
           info->config.alternative_branches !=
               (guess->alternative_branches == ETM_TRUE);
}

/* `told`: the protocol of the source was given, and is not only that of the
 * processor. */
static int look_at_source(const struct etm_session *session, size_t source,
                          bool told, struct shown *shown)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_guess *g = &shown->guess;
    enum etm_protocol known =
        told && !info->why_not ? info->config.protocol : ETM_PROTOCOL_NONE;
    int status = etm_session_guess(session, source, known, &shown->guess);

    shown->fits =
        status == ETM_OK && g->protocol != ETM_PROTOCOL_NONE && !g->weak &&
        (info->why_not ||
         (g->protocol == info->config.protocol && !contradicts(info, g)));
    return status;
}

/* ETMCR[29], which bytes cannot show (3.5.1): a guess has it set. */
#define RETURN_STACK (UINT64_C(1) << 29)

/* Trace of less than this is too little to doubt that what is not given of a
 * protocol that is, is 0. */
#define LITTLE 256u

/* Is a register given, or does what is known of the source say the same? A
 * version that is known implies the rest of what identifies a macrocell. */
static bool is_known(const struct etm_source_info *info, const char *name,
                     const struct etm_guess *guess)
{
    if (has_register(info, name))
        return true;
    if (info->why_not || strcmp(name, "ETMCR") == 0)
        return false;
    return has_register(info, "ETMIDR") ||
           (strcmp(name, "ETMIDR") == 0 && info->config.alternative_branches &&
            guess->config.alternative_branches);
}

/* Take the registers that are not known from the bytes. */
static int take_registers(struct etm_session *session, size_t source,
                          const struct shown *shown, bool *changed,
                          struct etm_diag *diag)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct etm_capture_source *s =
        etm_build_source_at(&session->capture, source);
    struct etm_register registers[3];
    size_t n = etm_guess_registers(&shown->guess, registers), taken = 0;
    bool told = info->why_not == NULL, zero = true;

    for (size_t i = 0; i < n; i++) {
        if (is_known(info, registers[i].name, &shown->guess))
            continue;
        zero = zero && strcmp(registers[i].name, "ETMCR") == 0 &&
               (registers[i].value & ~RETURN_STACK) == 0;
        registers[taken++] = registers[i];
    }
    /* that is what is assumed without them */
    if (told && (zero || shown->guess.sample_bytes < LITTLE))
        return ETM_OK;
    *changed = true;
    s->guessed = !told;
    s->n_guessed = (uint8_t)taken;
    if (etm_vec_append(&s->registers, registers, taken) != ETM_OK)
        return ETM_ERR_MEMORY;
    return etm_capture_configure_raw(&session->capture, source,
                                     shown->guess.protocol, diag);
}

static const char *protocol_words(enum etm_protocol protocol)
{
    return protocol == ETM_PROTOCOL_PFT ? "PFT" : "ETMv3";
}

/* A source is not decoded: neither its bytes nor anything else tells how. */
static int tell_riddle(struct etm_session *session, size_t source,
                       const struct etm_guess *g)
{
    struct etm_capture *capture = &session->capture;
    const struct etm_capture_buffer *b = capture->buffers.data;
    enum etm_framing framing = ETM_FRAMING_NONE;

    if (b->framing == ETM_FRAMING_NONE &&
        etm_guess_framing(b->bytes, b->n, &session->allocator, &framing) !=
            ETM_OK)
        return ETM_ERR_MEMORY;
    if (framing == ETM_FRAMING_PORT)
        return etm_build_why_not(
            capture, source,
            "it looks like samples of a trace port: give --framing port, and "
            "--core NAME or --protocol");
    if (g->sample_bytes == 0)
        return etm_build_why_not(capture, source, "the file is empty");
    if (etm_bytes_are_one(b->bytes, b->n))
        return etm_build_why_not(capture, source,
                                 "all its bytes are 0x%02x: nothing was traced",
                                 b->bytes[0]);
    if (g->protocol != ETM_PROTOCOL_NONE)
        return etm_build_why_not(
            capture, source,
            "its bytes look only a little like %s (%llu of %llu are not "
            "explained): give --core NAME or --protocol",
            protocol_words(g->protocol), (unsigned long long)g->bad_bytes,
            (unsigned long long)g->sample_bytes);
    return etm_build_why_not(
        capture, source,
        "its bytes do not tell the protocol%s: give --core NAME or --protocol",
        g->a_syncs == 0 ? " (none of them is an A-sync)" : "");
}

/* What is assumed for all sources, and was not given for one, contradicts its
 * bytes; or it belongs to something else than the others, as to an ITM. */
static bool is_other(const struct etm_session *session, size_t source,
                     const struct shown *shown, size_t fitting)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    const struct etm_guess *g = &shown->guess;

    if (info->why_not || shown->fits)
        return false;
    if (g->protocol == ETM_PROTOCOL_NONE)
        return fitting != 0;
    return !g->weak;
}

static int tell_other(struct etm_session *session, size_t source,
                      const struct shown *shown)
{
    char title[32];

    (void)etm_config_title(&etm_session_source(session, source)->config, title,
                           sizeof title);
    if (shown->guess.protocol == ETM_PROTOCOL_NONE)
        return etm_build_why_not(&session->capture, source,
                                 "its bytes are not %s, as those of another "
                                 "source",
                                 title);
    return etm_build_why_not(
        &session->capture, source, "its bytes look like %s%s, not like %s",
        protocol_words(shown->guess.protocol),
        shown->guess.alternative_branches == ETM_TRUE
            ? " of an M-profile processor (alternative branch encoding)"
            : "",
        title);
}

static int settle_source(struct etm_session *session, size_t source,
                         const struct shown *shown, bool *changed,
                         struct etm_diag *diag)
{
    const struct etm_source_info *info = etm_session_source(session, source);

    if (shown->fits && !has_register(info, "ETMCR"))
        return take_registers(session, source, shown, changed, diag);
    if (!info->why_not)
        return ETM_OK;
    *changed = true;
    return tell_riddle(session, source, &shown->guess);
}

/* Is there something to conclude from the bytes of a source? */
static bool is_open(const struct etm_session *session, size_t source, bool told)
{
    const struct etm_source_info *info = etm_session_source(session, source);

    return !etm_source_is_other(session, source) &&
           !etm_protocol_is_port(info->config.protocol) &&
           info->config.protocol != ETM_PROTOCOL_MTB &&
           (!told || info->why_not || !has_register(info, "ETMCR"));
}

int etm_session_settle_sources(struct etm_session *session, bool told,
                               bool *changed, struct etm_diag *diag)
{
    size_t n = session->capture.sources.n, fitting = 0;
    struct shown *all;
    int status = ETM_OK;

    *changed = false;
    if (!session->capture.raw || n == 0 ||
        etm_session_capture_buffer(session, 0)->pipe != NULL ||
        etm_session_capture_buffer(session, 0)->framing == ETM_FRAMING_PORT)
        return ETM_OK;
    all = etm_alloc_zero(&session->allocator, n * sizeof *all);
    if (all == NULL)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (is_open(session, i, told))
            status = look_at_source(session, i, told, &all[i]);
        fitting += all[i].fits;
    }
    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (!is_open(session, i, told))
            continue;
        if (!told && is_other(session, i, &all[i], fitting)) {
            *changed = true;
            status = tell_other(session, i, &all[i]);
        } else {
            status = settle_source(session, i, &all[i], changed, diag);
        }
    }
    etm_alloc_free(&session->allocator, all);
    return status;
}
