/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots, raw files and sessions of them, which are opened when something is
 * expected of them. */
#include "scenario.h"

#include "snapshot_support.h"

#include <etm/decode.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct subject subject;

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

static void close_it(void)
{
    if (subject.is_session)
        session_close();
    else
        etm_capture_close(&capture);
}

void capture_begin(void)
{
    if (subject.open)
        close_it();
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

/* need NAME: a file as of subject_path(), or `elfutils` */
bool need_file(struct words *w)
{
    FILE *file = w->n == 2 ? fopen(subject_path(w->word[1]), "rb") : NULL;

    if (file != NULL)
        fclose(file);
    subject.skipped = file == NULL;
    cases.n_expected += subject.skipped;
    return w->n == 2 || wrong("need NAME");
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

/* NAME: of the folder; `data/NAME` `demo/NAME` `shared/NAME`: of test/data, of
 * demo, of the captures of chips; `=TEXT` as it stands */
const char *subject_path(const char *name)
{
    static const char *const folders[][2] = {{"data/", "ETM_TEST_DATA"},
                                             {"demo/", "ETM_DEMO"},
                                             {"shared/", "ETM_SHARED"}};
    static char path[1024];

    snprintf(path, sizeof path, "%s",
             *name == '=' ? name + 1 : in_directory(name));
    for (size_t i = 0; i < 3; i++) {
        size_t n = strlen(folders[i][0]);
        const char *folder = getenv(folders[i][1]);

        if (strncmp(name, folders[i][0], n) == 0)
            snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "",
                     name + n);
    }
    return path;
}

/* NAME, NAME@ADDRESS */
static bool add_image(const char *name)
{
    size_t n = subject.options.n_images;

    if (n == IMAGES)
        return wrong("too many images");
    snprintf(subject.paths[n], sizeof *subject.paths, "%s", subject_path(name));
    subject.images[n] = subject.paths[n];
    subject.options.images = subject.images;
    subject.options.n_images++;
    return true;
}

/* NAME:VALUE, at the end of a list of `*n` */
static bool add_register(char *name, struct etm_register *list, size_t *n)
{
    char *text = strchr(name, ':');
    uint64_t is;

    if (*n == REGISTERS || text == NULL)
        return wrong("reg=NAME:VALUE");
    *text++ = 0;
    if (!number(text, 16, &is))
        return false;
    snprintf(list[*n].name, sizeof list->name, "%s", name);
    list[*n].number = etm_register_number(name);
    list[(*n)++].value = is;
    subject.options.registers = subject.registers;
    return true;
}

const struct named framings[6] = {
    {"none", ETM_FRAMING_NONE},       {"coresight", ETM_FRAMING_CORESIGHT},
    {"dstream", ETM_FRAMING_DSTREAM}, {"tpiu", ETM_FRAMING_TPIU},
    {"port", ETM_FRAMING_PORT},       {"tpiu_port", ETM_FRAMING_TPIU_PORT},
};

const struct named profiles[4] = {
    {"unknown", ETM_PROFILE_UNKNOWN},
    {"a", ETM_PROFILE_A},
    {"r", ETM_PROFILE_R},
    {"m", ETM_PROFILE_M},
};

const struct named endians[4] = {
    {"unknown", ETM_ENDIAN_UNKNOWN},
    {"little", ETM_ENDIAN_LITTLE},
    {"be8", ETM_ENDIAN_BE8},
    {"be32", ETM_ENDIAN_BE32},
};

/* `found`: it is the name of such a field. */
static bool named_option(char *word, bool *found)
{
    static const struct {
        const char *name;
        const struct named *list;
        size_t n, at;
    } fields[] = {
#define OPTION(name, list)                                                     \
    {#name, list, sizeof(list) / sizeof *(list),                               \
     offsetof(struct etm_session_options, name)}
        OPTION(protocol, protocols), OPTION(profile, profiles),
        OPTION(framing, framings),   OPTION(endian, endians),
        OPTION(form, forms),
    };

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *is = value_of(word, fields[i].name);
        int value;

        if (is == NULL)
            continue;
        *found = true;
        if (!named(fields[i].list, fields[i].n, is, &value))
            return false;
        memcpy((char *)&subject.options + fields[i].at, &value, sizeof value);
    }
    return true;
}

#define F(field) FIELD(etm_session_options, field)
static const struct field plain_options[] = {
    F(high_vectors),
    F(guess),
    F(allow_outside),
    FIELD_AS("width", etm_session_options, port_width),
    FIELD_AS("reverse", etm_session_options, reverse_bytes),
    NO_FIELD,
};
#undef F

/* The registers and the profile of the processor, where nothing else tells
 * them. */
static bool fallback_option(char *word, bool *found)
{
    struct etm_session_fallback *f = &subject.fallback;
    char *reg = value_of(word, "fallback"), *letter;
    int profile;

    letter = value_of(word, "fallback_profile");
    *found = reg != NULL || letter != NULL;
    if (!*found)
        return true;
    subject.options.fallback = f;
    f->registers = subject.fallback_registers;
    if (reg != NULL)
        return add_register(reg, subject.fallback_registers, &f->n_registers);
    if (!NAMED(profiles, letter, &profile))
        return false;
    f->profile = (enum etm_profile)profile;
    return true;
}

static bool option(char *word)
{
    struct etm_session_options *o = &subject.options;
    bool found = false;
    char *is;

    subject.told = subject.told || value_of(word, "raw") == NULL;
    if ((is = value_of(word, "image")) != NULL)
        return add_image(is);
    if ((is = value_of(word, "reg")) != NULL)
        return add_register(is, subject.registers, &o->n_registers);
    if (strcmp(word, "sysroot") == 0) {
        static char root[600];

        snprintf(root, sizeof root, "%.*s", (int)strlen(in_directory("")) - 1,
                 in_directory(""));
        o->sysroot = root;
        return true;
    }
    if ((is = value_of(word, "raw")) != NULL) {
        snprintf(subject.raw, sizeof subject.raw, "%s", is);
        return true;
    }
    if ((is = value_of(word, "signals")) != NULL) {
        snprintf(subject.signals, sizeof subject.signals, "%s", is);
        o->signals = subject.signals;
        return true;
    }
    o->framing_told = o->framing_told || value_of(word, "framing") != NULL;
    if (!named_option(word, &found) ||
        (!found && !fallback_option(word, &found)))
        return false;
    return found || field_set(plain_options, o, word, 10) ||
           wrong("not known: %s", word);
}

/* open [raw=NAME] [sysroot] OPTION ...: as the command line says; nothing is
 * kept of the line before */
bool open_options(struct words *w)
{
    bool well = true;

    capture_reset();
    for (unsigned i = 1; i < w->n && well; i++)
        well = option(w->word[i]);
    return well;
}

/* session NAME OPTION ...: opened as a session, from the folder, or as
 * subject_path() says */
bool session_options(struct words *w)
{
    bool well = true;

    capture_reset();
    subject.is_session = true;
    if (w->n < 2)
        return wrong("session NAME");
    snprintf(subject.raw, sizeof subject.raw, "%s", w->word[1]);
    for (unsigned i = 2; i < w->n && well; i++)
        well = option(w->word[i]);
    return well;
}

int subject_open(const struct etm_allocator *allocator, struct etm_diag *diag)
{
    const struct etm_session_options *o = &subject.options;
    const struct etm_raw_options raw = {.protocol = o->protocol,
                                        .profile = o->profile,
                                        .framing = o->framing,
                                        .framing_told = o->framing_told,
                                        .registers = o->registers,
                                        .n_registers = o->n_registers,
                                        .images = o->images,
                                        .n_images = o->n_images,
                                        .sysroot = o->sysroot};
    const struct etm_raw_options *options = subject.told ? &raw : NULL;

    if (subject.is_session)
        return session_open(allocator, diag);
    return subject.raw[0] != 0
               ? etm_capture_open_raw(&capture, in_directory(subject.raw),
                                      options, allocator, diag)
               : etm_capture_open_snapshot(&capture, in_directory(""), options,
                                           allocator, diag);
}

bool subject_is_open(void)
{
    if (!subject.open) {
        memset(&subject.diag, 0, sizeof subject.diag);
        subject.status = subject_open(NULL, &subject.diag);
        subject.open = subject.status == ETM_OK;
    }
    return subject.open ||
           wrong("%s:%u: %s", subject.diag.source, (unsigned)subject.diag.line,
                 subject.diag.what);
}

/* FILE, FILE:LINE: is it that file of the folder, or that name? */
static bool is_place(const struct etm_diag *diag, char *place)
{
    char *line = strrchr(place, ':');
    uint64_t value = diag->line;

    if (line != NULL) {
        *line++ = 0;
        if (!number(line, 10, &value))
            return false;
    }
    return ((strcmp(diag->source, place) == 0 ||
             strcmp(diag->source, subject_path(place + (*place == '/'))) ==
                 0) &&
            diag->line == value) ||
           wrong("it is at %s:%u", diag->source, (unsigned)diag->line);
}

bool says(const struct etm_diag *diag, char *place, const char *text)
{
    if (strstr(diag->what, text) == NULL || strchr(diag->what, '\n') != NULL)
        return wrong("it says \"%s\"", diag->what);
    return is_place(diag, place);
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
    is = subject_open(NULL, &diag);
    if (is == ETM_OK)
        close_it();
    if (is != status || diag.status != status)
        return wrong("status %d: %s", is, diag.what);
    if (capture.sources.data != NULL)
        return wrong("something stays open");
    is = subject_open(NULL, NULL);
    close_it();
    return (is == status || wrong("status %d without a diag", is)) &&
           says(&diag, w->word[2], text);
}

/* A fault of memory is not taken for one of the files. */
static int open_and_run(const struct etm_allocator *allocator)
{
    struct etm_diag diag = {0};
    int status = subject_open(allocator, &diag);

    if (status == ETM_OK && subject.is_session)
        status = session_run(&diag);
    close_it();
    return status == ETM_ERR_MEMORY ? diag.status : status;
}

bool capture_scarce(void)
{
    capture_begin();
    return each_call_fails(open_and_run, ETM_OK, 30);
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
    if (!subject_is_open())
        return false;
    fault = capture.faults.n == 1 ? *(const char **)capture.faults.data : "";
    snprintf(place, sizeof place, "/%s: ", w->word[1]);
    if (strstr(fault, place) == NULL || strstr(fault, text) == NULL)
        return wrong("%zu faults: %s", capture.faults.n, fault);
    return (source_at(0)->decodable && source_at(0)->buffers.n == 1) ||
           wrong("the source is not decoded");
}
