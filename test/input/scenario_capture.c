/* SPDX-License-Identifier: Apache-2.0 */
/* What is expected of a capture that is open. */
#include "scenario.h"

#include <etm/decode.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- What is in it ------------------------------------------------------- */

void tell_registers(struct scenario_text *t, const struct etm_register *r,
                    size_t n)
{
    for (size_t i = 0; i < n; i++) {
        text_add(t, " %s", r[i].name);
        if (r[i].number != ETM_REGISTER_NONE)
            text_add(t, "/%x", (unsigned)r[i].number);
        text_add(t, "=%" PRIx64, r[i].value);
    }
    text_add(t, " registers=%zu", n);
}

void tell_config(struct scenario_text *t, const struct etm_config *c)
{
    text_add(t,
             " protocol=%s minor=%u profile=%s trace_id=%x sync=%x "
             "context_bytes=%u width=%u endian=%s",
             NAME_IN(protocols, c->protocol), c->minor,
             NAME_IN(profiles, c->profile), c->trace_id,
             (unsigned)c->sync_period, c->context_id_bytes, c->port_width,
             NAME_IN(endians, c->endian));
    add_fields(t, config_fields, c);
}

static void tell_source(struct scenario_text *t, size_t i)
{
    const struct etm_capture_source *s = source_at(i);
    const size_t *buffers = s->buffers.data;

    text_add(t, " name=%s type=%s id=%x core=%d buffers=", s->name, s->type,
             s->id, s->core);
    for (size_t k = 0; k < s->buffers.n; k++)
        text_add(t, "%s%zu", k != 0 ? "," : "", buffers[k]);
    if (s->decodable) {
        text_add(t, " decodable");
        tell_config(t, &s->config);
    }
    if ((s->why_not == NULL) != s->decodable)
        (void)wrong("it does not say why it is not decoded");
    tell_registers(t, s->registers.data, s->registers.n);
}

static void tell_core(struct scenario_text *t, size_t i)
{
    const struct etm_capture_core *c = core_at(i);
    unsigned programs = 0;

    for (size_t k = 0; k < c->memory.n; k++)
        programs += memory_at(i, k)->elf != NULL;
    text_add(t, " name=%s type=%s profile=%s memory=%zu elf=%u regions=%zu",
             c->name, c->type, NAME_IN(profiles, c->profile), c->memory.n,
             programs, etm_image_regions(c->image));
    if (c->code_missing != NULL)
        text_add(t, " code_missing");
    tell_registers(t, c->registers.data, c->registers.n);
}

static void tell_memory(struct scenario_text *t, size_t core, size_t i)
{
    static const char *const secure[] = {"unknown", "false", "true"};
    const struct etm_capture_memory *m = memory_at(core, i);

    text_add(t,
             " address=%x length=%" PRIx64 " offset=%" PRIx64
             " secure=%s space=%s",
             (unsigned)m->address, m->length, m->offset,
             secure[m->space.secure == ETM_FALSE  ? 1
                    : m->space.secure == ETM_TRUE ? 2
                                                  : 0],
             m->space_name != NULL ? m->space_name : "none");
    if (m->elf != NULL)
        text_add(t, " elf");
}

static void tell_buffer(struct scenario_text *t, size_t i)
{
    const struct etm_capture_buffer *b = buffer_at(i);

    text_add(t, " name=%s framing=%s n=%zu", b->name,
             NAME_IN(framings, b->framing), b->n);
    if (b->mapped)
        text_add(t, " mapped");
    text_add(t, " bytes=");
    for (size_t k = 0; k < b->n && k < 64; k++)
        text_add(t, "%02x", b->bytes[k]);
}

static void tell_counts(struct scenario_text *t)
{
    text_add(t,
             " sources=%zu cores=%zu buffers=%zu notes=%zu faults=%zu"
             " mappings=%zu",
             capture.sources.n, capture.cores.n, capture.buffers.n,
             capture.notes.n, capture.faults.n, capture.mappings.n);
}

/* Each word is in it; `!WORD`: is not. */
bool has_words(const struct scenario_text *is, const struct words *w,
               unsigned from)
{
    for (unsigned i = from; i < w->n; i++) {
        bool no = w->word[i][0] == '!', found = false;
        const char *word = w->word[i] + no;

        for (const char *at = is->text; (at = strstr(at, word)) != NULL; at++)
            if (at != is->text && at[-1] == ' ' &&
                strchr(" ", at[strlen(word)]) != NULL)
                found = true;
        if (found == no)
            return wrong("%s: it is%s", w->word[i], is->text);
    }
    return w->n > from || wrong("what is expected?");
}

/* ---- Expectations -------------------------------------------------------- */

/* code CORE ADDRESS[/secure][/normal][/context=N] BYTE ... [none]: these bytes;
 * `none`: there are no more */
static bool expect_code(struct words *w)
{
    struct etm_space space = {.secure = ETM_UNKNOWN};
    uint64_t core, address, byte;
    uint8_t bytes[64];
    size_t n = 0;

    if (w->n < 5)
        return wrong("code CORE ADDRESS BYTE ...");
    for (char *at = strchr(w->word[3], '/'); at != NULL; at = strchr(at, '/')) {
        *at++ = 0;
        if (strncmp(at, "context=", 8) == 0) {
            space.has_context = true;
            space.context_id = (uint32_t)strtoul(at + 8, NULL, 16);
        } else {
            space.secure = *at == 's' ? ETM_TRUE : ETM_FALSE;
        }
    }
    if (!number(w->word[2], 10, &core) || !number(w->word[3], 16, &address))
        return false;
    if (core >= capture.cores.n)
        return wrong("there are %zu cores", capture.cores.n);
    if (w->n - 4 > sizeof bytes)
        return wrong("too many bytes");
    n = subject.is_session
            ? etm_session_read(subject.session, core, (uint32_t)address, &space,
                               bytes, w->n - 4)
            : etm_image_read(core_at(core)->image, (uint32_t)address, &space,
                             bytes, w->n - 4);
    for (unsigned i = 0; i < w->n - 4; i++) {
        if (strcmp(w->word[4 + i], "none") == 0)
            return n == i || wrong("there are %zu bytes", n);
        if (!number(w->word[4 + i], 16, &byte))
            return false;
        if (i >= n || bytes[i] != byte)
            return i >= n ? wrong("there are %zu bytes", n)
                          : wrong("byte %u is %02x", i, bytes[i]);
    }
    return true;
}

static bool expect_texts(const struct words *w, const struct etm_vec *list,
                         bool wanted)
{
    const char *const *texts = list->data;

    for (unsigned i = 2; i < w->n; i++) {
        const char *part = quoted(w->word[i]);
        bool found = part != NULL && part[0] == 0;

        if (part == NULL)
            return wrong("not in quotes: %s", w->word[i]);
        for (size_t k = 0; k < list->n; k++)
            found = found || strstr(texts[k], part) != NULL;
        if (found != wanted)
            return wrong("%s: the last of %zu is \"%s\"", part, list->n,
                         list->n != 0 ? texts[list->n - 1] : "");
    }
    return w->n > 2 || wrong("what is expected?");
}

/* The object that words are about, `*from` is the first word about it. */
static bool tell(struct words *w, struct scenario_text *t, unsigned *from)
{
    const char *what = w->word[1];
    uint64_t i = 0, k = 0;

    *from = 2;
    if (strcmp(what, "capture") == 0) {
        tell_counts(t);
        return true;
    }
    if (w->n < 3 || !number(w->word[(*from)++], 10, &i))
        return wrong("%s N", what);
    if (subject.is_session && session_tell(what, (size_t)i, t))
        return !cases.failed;
    if (strcmp(what, "source") == 0 && i < capture.sources.n) {
        tell_source(t, i);
    } else if (strcmp(what, "core") == 0 && i < capture.cores.n) {
        tell_core(t, i);
    } else if (strcmp(what, "mapping") == 0 && i < capture.mappings.n) {
        tell_mapping(t, i);
    } else if (strcmp(what, "buffer") == 0 && i < capture.buffers.n) {
        tell_buffer(t, i);
    } else if (strcmp(what, "memory") == 0 && i < capture.cores.n && w->n > 3) {
        if (!number(w->word[(*from)++], 10, &k))
            return false;
        if (k >= core_at(i)->memory.n)
            return wrong("there are %zu", core_at(i)->memory.n);
        tell_memory(t, i, k);
    } else {
        return wrong("there is no %s %u", what, (unsigned)i);
    }
    return !cases.failed;
}

/* why N "TEXT": why a source is not decoded */
static bool expect_why(struct words *w)
{
    uint64_t i;
    const char *text = w->n == 4 ? quoted(w->word[3]) : NULL, *why;

    if (text == NULL || !number(w->word[2], 10, &i) || i >= capture.sources.n)
        return wrong("why N \"TEXT\"");
    why = source_at(i)->why_not;
    if (source_at(i)->decodable || why == NULL)
        return wrong("it is decoded");
    return strstr(why, text) != NULL || wrong("it says \"%s\"", why);
}

static bool expect_fault(struct words *w)
{
    return expect_texts(w, &capture.faults, true) &&
           expect_texts(w, &capture.notes, true);
}

static bool expect_nofault(struct words *w)
{
    return expect_texts(w, &capture.faults, false);
}

static bool expect_note(struct words *w)
{
    return expect_texts(w, &capture.notes, strcmp(w->word[1], "note") == 0);
}

bool capture_expect(struct words *w)
{
    static const struct verb expected[] = {
        {"fault", expect_fault}, {"nofault", expect_nofault},
        {"note", expect_note},   {"nonote", expect_note},
        {"why", expect_why},     {"symbol", perf_symbol},
        {"code", expect_code},   {NULL, NULL},
    };
    const struct verb *const lists[] = {session_expected, names_expected,
                                        expected, NULL};
    struct scenario_text text = {0};
    unsigned from;
    bool good, known = false;

    if (!subject_is_open())
        return false;
    good = case_verb(lists + (subject.is_session ? 0 : 2), 1, w, &known);
    if (known)
        return good;
    good = tell(w, &text, &from) && has_words(&text, w, from);
    free(text.text);
    return good;
}
