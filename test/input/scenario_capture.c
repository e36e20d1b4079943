/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of snapshots and raw files, which are opened when something is expected
 * of them. */
#include "scenario.h"

#include "snapshot_support.h"

#include <etm/decode.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMAGES 4u
#define REGISTERS 8u

static struct subject {
    bool open, skipped;
    bool told;    /* there are options: else NULL is given */
    char raw[64]; /* the name of a raw file; empty: a snapshot */
    int status;
    struct etm_diag diag;
    struct etm_raw_options options;
    char paths[IMAGES][700];
    const char *images[IMAGES];
    struct etm_register registers[REGISTERS];
} subject;

/* ---- The good snapshot --------------------------------------------------- */

static const struct {
    const char *name, *file, *text;
} good[] = {
    {"SNAPSHOT", "snapshot.ini", SNAPSHOT},
    {"CPU", NULL, CPU},
    {"DUMP", NULL, DUMP},
    {"", "cpu.ini", CPU DUMP},
    {"PTM", "ptm.ini", PTM},
    {"TRACE", "trace.ini", TRACE},
};

const char *good_file(const char *name)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (good[i].file != NULL && strcmp(good[i].file, name) == 0)
            return good[i].text;
    return NULL;
}

const char *good_part(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (strlen(good[i].name) == n && memcmp(good[i].name, name, n) == 0)
            return good[i].text;
    return NULL;
}

/* ---- Opening ------------------------------------------------------------- */

void capture_begin(void)
{
    if (subject.open)
        etm_capture_close(&capture);
    subject.open = false;
}

void capture_reset(void)
{
    capture_begin();
    memset(&subject, 0, sizeof subject);
}

/* snapshot: a good one, in an empty folder */
bool good_snapshot(struct words *w)
{
    if (w->n != 1)
        return wrong("snapshot");
    capture_reset();
    empty_directory(NULL);
    write_good();
    return true;
}

bool stopped(void)
{
    return subject.skipped;
}

bool need_elf_files(struct words *w)
{
    (void)w;
#ifndef HAVE_ELFUTILS
    subject.skipped = true;
    cases.n_expected++;
#endif
    return true;
}

/* NAME, NAME@ADDRESS: of the folder; `data/NAME` of test/data; `=TEXT` as it
 * stands */
static bool add_image(const char *name)
{
    size_t n = subject.options.n_images;
    const char *path = strncmp(name, "data/", 5) == 0 ? data_path(name + 5)
                       : *name == '='                 ? name + 1
                                                      : in_directory(name);

    if (n == IMAGES)
        return wrong("too many images");
    snprintf(subject.paths[n], sizeof *subject.paths, "%s", path);
    subject.images[n] = subject.paths[n];
    subject.options.images = subject.images;
    subject.options.n_images++;
    return true;
}

/* NAME:VALUE */
static bool add_register(char *name)
{
    size_t n = subject.options.n_registers;
    char *text = strchr(name, ':');
    uint64_t is;

    if (n == REGISTERS || text == NULL)
        return wrong("reg=NAME:VALUE");
    *text++ = 0;
    if (!number(text, 16, &is))
        return false;
    snprintf(subject.registers[n].name, sizeof subject.registers[n].name, "%s",
             name);
    subject.registers[n].number = etm_register_number(name);
    subject.registers[n].value = is;
    subject.options.registers = subject.registers;
    subject.options.n_registers++;
    return true;
}

static const struct named framings[] = {
    {"none", ETM_FRAMING_NONE},       {"coresight", ETM_FRAMING_CORESIGHT},
    {"dstream", ETM_FRAMING_DSTREAM}, {"tpiu", ETM_FRAMING_TPIU},
    {"port", ETM_FRAMING_PORT},
};

static const struct named profiles[] = {
    {"unknown", ETM_PROFILE_UNKNOWN},
    {"a", ETM_PROFILE_A},
    {"r", ETM_PROFILE_R},
    {"m", ETM_PROFILE_M},
};

static bool option(char *word)
{
    struct etm_raw_options *o = &subject.options;
    char *is;
    int n;

    subject.told = subject.told || value_of(word, "raw") == NULL;
    if ((is = value_of(word, "image")) != NULL)
        return add_image(is);
    if ((is = value_of(word, "reg")) != NULL)
        return add_register(is);
    if ((is = value_of(word, "raw")) != NULL) {
        snprintf(subject.raw, sizeof subject.raw, "%s", is);
    } else if ((is = value_of(word, "protocol")) != NULL) {
        if (!NAMED(protocols, is, &n))
            return false;
        o->protocol = (enum etm_protocol)n;
    } else if ((is = value_of(word, "profile")) != NULL) {
        if (!NAMED(profiles, is, &n))
            return false;
        o->profile = (enum etm_profile)n;
    } else if ((is = value_of(word, "framing")) != NULL) {
        if (!NAMED(framings, is, &n))
            return false;
        o->framing = (enum etm_framing)n;
        o->framing_told = true;
    } else {
        return wrong("not known: %s", word);
    }
    return true;
}

/* open [raw=NAME] [protocol=NAME] [profile=LETTER] [framing=NAME]
 * [reg=NAME:VALUE] [image=FILE]: as the command line says; nothing is kept of
 * the line before */
bool open_options(struct words *w)
{
    bool well = true;

    capture_reset();
    for (unsigned i = 1; i < w->n && well; i++)
        well = option(w->word[i]);
    return well;
}

static int open_with(const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    const struct etm_raw_options *options =
        subject.told ? &subject.options : NULL;

    return subject.raw[0] != 0
               ? etm_capture_open_raw(&capture, in_directory(subject.raw),
                                      options, allocator, diag)
               : etm_capture_open_snapshot(&capture, in_directory(""), options,
                                           allocator, diag);
}

static bool is_open(void)
{
    if (!subject.open) {
        memset(&subject.diag, 0, sizeof subject.diag);
        subject.status = open_with(NULL, &subject.diag);
        subject.open = subject.status == ETM_OK;
    }
    return subject.open ||
           wrong("%s:%u: %s", subject.diag.source, (unsigned)subject.diag.line,
                 subject.diag.what);
}

/* FILE, FILE:LINE: does it end so? */
static bool is_place(const struct etm_diag *diag, char *place)
{
    char *line = strrchr(place, ':');
    size_t n = strlen(diag->source), wanted;
    uint64_t value = diag->line;

    if (line != NULL) {
        *line++ = 0;
        if (!number(line, 10, &value))
            return false;
    }
    wanted = strlen(place);
    return (n >= wanted && strcmp(diag->source + n - wanted, place) == 0 &&
            diag->line == value) ||
           wrong("it is at %s:%u", diag->source, (unsigned)diag->line);
}

/* refused STATUS FILE[:LINE] "TEXT": nothing stays open. */
bool capture_refused(struct words *w)
{
    const char *text = w->n == 4 ? quoted(w->word[3]) : NULL;
    struct etm_diag diag = {0};
    int status, is;

    if (text == NULL || !NAMED(statuses, w->word[1], &status))
        return wrong("refused STATUS FILE:LINE \"TEXT\"");
    capture_begin();
    is = open_with(NULL, &diag);
    if (is == ETM_OK)
        etm_capture_close(&capture);
    if (is != status || diag.status != status)
        return wrong("status %d: %s", is, diag.what);
    if (strstr(diag.what, text) == NULL || strchr(diag.what, '\n') != NULL)
        return wrong("it says \"%s\"", diag.what);
    if (capture.sources.data != NULL)
        return wrong("something stays open");
    is = open_with(NULL, NULL);
    etm_capture_close(&capture);
    return (is == status || wrong("status %d without a diag", is)) &&
           is_place(&diag, w->word[2]);
}

/* With ever more memory. */
static bool scarce_memory(void)
{
    int status = ETM_ERR_MEMORY;
    size_t n;

    for (n = 0; status == ETM_ERR_MEMORY && n < 10000; n++) {
        struct scarce scarce = {.left = n};
        struct etm_allocator allocator = {scarce_resize, &scarce};
        struct etm_diag diag = {0};

        status = open_with(&allocator, &diag);
        etm_capture_close(&capture);
        if ((status == ETM_ERR_MEMORY && diag.status != ETM_ERR_MEMORY) ||
            (scarce.failed && status != ETM_ERR_MEMORY))
            return wrong("status %d after %zu calls", status, n);
    }
    return status == ETM_OK || wrong("status %d, %zu calls", status, n);
}

/* One call fails, and those after it do not: that is not taken for a fault of
 * the files, and nothing stays. */
static bool faulty_memory(void)
{
    bool failed = true;
    size_t n = 0;

    for (; failed && n < 10000; n++) {
        struct faulty memory = {.fail_at = n + 1};
        const struct etm_allocator allocator = {faulty_resize, &memory};
        int status = open_with(&allocator, NULL);

        failed = memory.calls >= memory.fail_at;
        etm_capture_close(&capture);
        if (status != (failed ? ETM_ERR_MEMORY : ETM_OK))
            return wrong("status %d when call %zu failed", status, n + 1);
        if (memory.live != 0)
            return wrong("%ld blocks stay when call %zu failed", memory.live,
                         n + 1);
    }
    return n > 30 || wrong("only %zu calls", n);
}

bool capture_scarce(void)
{
    capture_begin();
    return scarce_memory() && faulty_memory();
}

/* ---- What is in it ------------------------------------------------------- */

static void tell_registers(struct scenario_text *t, const struct etm_vec *list)
{
    const struct etm_register *r = list->data;

    for (size_t i = 0; i < list->n; i++) {
        text_add(t, " %s", r[i].name);
        if (r[i].number != ETM_REGISTER_NONE)
            text_add(t, "/%x", (unsigned)r[i].number);
        text_add(t, "=%" PRIx64, r[i].value);
    }
    text_add(t, " registers=%zu", list->n);
}

static const char *name_in(const struct named *list, size_t n, int value)
{
    for (size_t i = 0; i < n; i++)
        if (list[i].value == value)
            return list[i].name;
    return "?";
}

#define NAME_IN(list, value)                                                   \
    name_in(list, sizeof(list) / sizeof *(list), (int)(value))

static void tell_config(struct scenario_text *t, const struct etm_config *c)
{
    const struct {
        const char *name;
        bool is;
    } flags[] = {
        {"cycle_accurate", c->cycle_accurate},
        {"timestamps", c->timestamps},
        {"timestamp_64bit", c->timestamp_64bit},
        {"timestamp_binary", c->timestamp_binary},
        {"virtualization", c->virtualization},
        {"alternative_branches", c->alternative_branches},
        {"security", c->security},
    };

    text_add(t, " protocol=%s minor=%u profile=%s trace_id=%x sync=%x",
             NAME_IN(protocols, c->protocol), c->minor,
             NAME_IN(profiles, c->profile), c->trace_id,
             (unsigned)c->sync_period);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].is)
            text_add(t, " %s", flags[i].name);
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
    tell_registers(t, &s->registers);
}

static void tell_core(struct scenario_text *t, size_t i)
{
    const struct etm_capture_core *c = core_at(i);
    unsigned programs = 0;

    for (size_t k = 0; k < c->memory.n; k++)
        programs += memory_at(i, k)->elf != NULL;
    text_add(t, " name=%s type=%s profile=%s memory=%zu elf=%u", c->name,
             c->type, NAME_IN(profiles, c->profile), c->memory.n, programs);
    if (c->code_missing != NULL)
        text_add(t, " code_missing");
    tell_registers(t, &c->registers);
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
    text_add(t, " sources=%zu cores=%zu buffers=%zu notes=%zu faults=%zu",
             capture.sources.n, capture.cores.n, capture.buffers.n,
             capture.notes.n, capture.faults.n);
}

/* Each word is in it; `!WORD`: is not. */
static bool has_words(const struct scenario_text *is, const struct words *w,
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
    n = etm_image_read(core_at(core)->image, (uint32_t)address, &space, bytes,
                       w->n - 4);
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

/* without FILE[:LINE] "TEXT": this alone is reported, and the source of the
 * good snapshot is decoded without. */
bool capture_without(struct words *w)
{
    const char *text = w->n == 3 ? quoted(w->word[2]) : NULL;
    const char *fault;
    char place[200];

    cases.n_expected++;
    if (text == NULL)
        return wrong("without FILE:LINE \"TEXT\"");
    if (!is_open())
        return false;
    fault = capture.faults.n == 1 ? *(const char **)capture.faults.data : "";
    snprintf(place, sizeof place, "/%s: ", w->word[1]);
    if (strstr(fault, place) == NULL || strstr(fault, text) == NULL)
        return wrong("%zu faults: %s", capture.faults.n, fault);
    return (source_at(0)->decodable && source_at(0)->buffers.n == 1) ||
           wrong("the source is not decoded");
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
    if (strcmp(what, "source") == 0 && i < capture.sources.n) {
        tell_source(t, i);
    } else if (strcmp(what, "core") == 0 && i < capture.cores.n) {
        tell_core(t, i);
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
static bool expect_why(const struct words *w)
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

bool capture_expect(struct words *w)
{
    const char *what = w->word[1];
    struct scenario_text text = {0};
    unsigned from;
    bool is_good;

    if (!is_open())
        return false;
    if (strcmp(what, "fault") == 0)
        return expect_texts(w, &capture.faults, true) &&
               expect_texts(w, &capture.notes, true);
    if (strcmp(what, "nofault") == 0)
        return expect_texts(w, &capture.faults, false);
    if (strcmp(what, "note") == 0)
        return expect_texts(w, &capture.notes, true);
    if (strcmp(what, "nonote") == 0)
        return expect_texts(w, &capture.notes, false);
    if (strcmp(what, "why") == 0)
        return expect_why(w);
    if (strcmp(what, "code") == 0 && w->n > 4)
        return expect_code(w);
    is_good = tell(w, &text, &from) && has_words(&text, w, from);
    free(text.text);
    return is_good;
}
