/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot's trace.ini: buffers, and which source is in which. */
#include "input/file.h"
#include "input/port_reader.h"
#include "input/snapshot.h"
#include "input/text.h"
#include "input/wrap.h"

#include <string.h>

/* A file with trace, and how often it was named. */
struct used {
    struct etm_file_id id;
    unsigned n;
};

/* While the file is read. */
struct reader {
    struct etm_snapshot *snapshot;
    struct etm_capture *capture;
    struct etm_ini ini;
    struct etm_vec sections; /* const char *: of the buffers, in order */
    struct etm_vec refused;  /* const char *: of those that were skipped */
    struct etm_vec used;     /* struct used: the files with trace */
    size_t listed;           /* buffers */
};

/* "trace_port", and with a form of samples after it "trace_port_etb" ... */
static bool take_port_format(const char *format, enum etm_port_form *form)
{
    static const char port[] = "trace_port_";

    if (!etm_text_begins(format, port))
        return false;
    for (unsigned i = ETM_PORT_FORM_TEXT; i <= ETM_PORT_FORM_CSV; i++) {
        *form = (enum etm_port_form)i;
        if (etm_text_same(format + sizeof port - 1, etm_port_form_name(*form)))
            return true;
    }
    return false;
}

static bool take_format(const char *format, enum etm_framing *framing,
                        enum etm_port_form *form)
{
    static const struct {
        const char *name;
        enum etm_framing framing;
    } rows[] = {
        {"coresight", ETM_FRAMING_CORESIGHT},
        {"dstream_coresight", ETM_FRAMING_DSTREAM},
        {"tpiu", ETM_FRAMING_TPIU},
        {"source_data", ETM_FRAMING_NONE},
        {"trace_port", ETM_FRAMING_PORT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (etm_text_same(format, rows[i].name)) {
            *framing = rows[i].framing;
            return true;
        }
    }
    *framing = ETM_FRAMING_PORT;
    return take_port_format(format, form);
}

/* A copy of a list, which may be modified. */
static char *list_of(const struct reader *r, const char *text)
{
    return etm_text_copy(&r->capture->allocator, text, strlen(text));
}

/* How often the file at a path is used as trace, with this time. */
static int count_use(struct reader *r, const char *path, unsigned *n)
{
    struct used *used = r->used.data;
    struct used use = {.n = 1};

    *n = 1;
    if (!etm_file_identify(path, &use.id))
        return ETM_OK;
    for (size_t i = 0; i < r->used.n; i++) {
        if (used[i].id.number == use.id.number &&
            used[i].id.device == use.id.device) {
            *n = ++used[i].n;
            return ETM_OK;
        }
    }
    return etm_vec_append(&r->used, &use, 1);
}

/* Open a file of a buffer, and add it to `files`. */
static int open_file(struct reader *r, const struct etm_ini_entry *e,
                     const char *path, struct etm_vec *files)
{
    const struct etm_allocator *a = &r->capture->allocator;
    struct etm_diag *diag = &r->snapshot->diag;
    struct etm_file file;
    unsigned uses;
    int status = count_use(r, path, &uses);

    if (status == ETM_OK &&
        (uses > ETM_SNAPSHOT_USES || r->used.n > ETM_SNAPSHOT_BUFFERS))
        return etm_snapshot_fail(
            r->snapshot, &r->ini, e->line,
            uses > ETM_SNAPSHOT_USES
                ? "a file is trace %u times already: %s"
                : "there are more than %u files of trace: %s is not read",
            uses > ETM_SNAPSHOT_USES ? ETM_SNAPSHOT_USES : ETM_SNAPSHOT_BUFFERS,
            path);
    if (status == ETM_OK)
        status = etm_build_file(r->capture, path);
    if (status == ETM_OK)
        status = etm_file_open_capture(&file, path, a, diag);
    if (status == ETM_ERR_IO)
        (void)etm_file_named(diag, r->ini.path, e->line, path);
    if (status != ETM_OK)
        return status;
    status = etm_vec_append(files, &file, 1);
    if (status != ETM_OK)
        etm_file_close(&file, a);
    return status;
}

/* Open all files of a buffer. `files` holds struct etm_file. */
static int open_files(struct reader *r, const struct etm_ini_entry *e,
                      char *list, struct etm_vec *files, char **first)
{
    char *name;

    while ((name = etm_text_item(&list)) != NULL) {
        char *path;
        int status =
            etm_snapshot_path(r->snapshot, r->ini.path, e->line, name, &path);

        if (status == ETM_OK)
            status = open_file(r, e, path, files);
        if (*first == NULL)
            *first = path;
        else
            etm_alloc_free(&r->capture->allocator, path);
        if (status != ETM_OK)
            return status;
    }
    return ETM_OK;
}

static struct etm_capture_buffer *last_buffer(const struct reader *r)
{
    return (struct etm_capture_buffer *)r->capture->buffers.data +
           r->capture->buffers.n - 1;
}

/* Put memory that was written in a circle in the order of time: write_pointer,
 * and wrapped, 0 or 1 (wrap.h). */
static int unwrap(struct reader *r, const struct etm_ini_section *section,
                  struct etm_vec *files, struct etm_wrap *wrap)
{
    const struct etm_ini_entry *pointer =
        etm_ini_find(&r->ini, section, "write_pointer");
    const struct etm_ini_entry *wrapped =
        etm_ini_find(&r->ini, section, "wrapped");
    struct etm_wrap_facts facts = {.pointer = 0};
    struct etm_file *file = files->data;
    uint64_t told = 0;
    int status;

    *wrap = (struct etm_wrap){.pointer = 0};
    if (pointer == NULL)
        return ETM_OK;
    if (!etm_text_number(pointer->value, &facts.pointer))
        return etm_snapshot_fail(r->snapshot, &r->ini, pointer->line,
                                 "write_pointer is not a number");
    if (wrapped != NULL &&
        (!etm_text_number(wrapped->value, &told) || told > 1))
        return etm_snapshot_fail(r->snapshot, &r->ini, wrapped->line,
                                 "wrapped is neither 0 nor 1");
    if (files->n != 1)
        return etm_snapshot_fail(r->snapshot, &r->ini, pointer->line,
                                 "a write_pointer is for one file");
    if (wrapped != NULL)
        facts.wrapped = told != 0 ? ETM_TRUE : ETM_FALSE;
    status =
        etm_wrap_find(wrap, &facts, file, section->name, &r->snapshot->diag);
    return status == ETM_OK
               ? etm_wrap_undo(wrap, file, section->name,
                               &r->capture->allocator, &r->snapshot->diag)
               : status;
}

/* The bytes of a buffer, from one file or several. */
static int add_buffer(struct reader *r, const char *name,
                      const struct etm_ini_section *section,
                      enum etm_framing framing)
{
    const struct etm_ini_entry *e = etm_ini_find(&r->ini, section, "file");
    const struct etm_allocator *a = &r->capture->allocator;
    char *list = list_of(r, e->value);
    char *path = NULL;
    struct etm_wrap wrap;
    struct etm_vec files;
    int status = ETM_ERR_MEMORY;

    etm_vec_init(&files, sizeof(struct etm_file), a);
    if (list != NULL)
        status = open_files(r, e, list, &files, &path);
    if (status == ETM_OK)
        status = unwrap(r, section, &files, &wrap);
    if (status == ETM_OK) {
        status = etm_build_buffer(r->capture, name, path, framing, files.data,
                                  files.n, &r->snapshot->diag);
        if (status == ETM_OK)
            status = etm_wrap_note(r->capture, last_buffer(r), &wrap);
    } else {
        for (size_t i = 0; i < files.n; i++)
            etm_file_close((struct etm_file *)files.data + i, a);
    }
    etm_vec_fini(&files);
    etm_alloc_free(a, path);
    etm_alloc_free(a, list);
    return status;
}

/* Set what is given about the samples of the last buffer. */
static int set_port(struct reader *r, enum etm_port_form form,
                    const struct etm_ini_entry *signals)
{
    struct etm_capture_buffer *b = last_buffer(r);

    if (form != ETM_PORT_FORM_AUTO)
        b->form = form;
    if (signals == NULL)
        return ETM_OK;
    if (!etm_port_form_is_named(b->form))
        return etm_snapshot_fail(r->snapshot, &r->ini, signals->line,
                                 "names of signals are for value change dumps "
                                 "and tables only");
    b->signals = list_of(r, signals->value);
    return b->signals != NULL ? ETM_OK : ETM_ERR_MEMORY;
}

/* The buffer of a name or of a section's name; -1: none. */
static int find_buffer(const struct reader *r, const char *name)
{
    const struct etm_capture_buffer *buffers = r->capture->buffers.data;
    const char *const *sections = r->sections.data;

    for (size_t i = 0; i < r->capture->buffers.n; i++) {
        if (etm_text_same(buffers[i].name, name))
            return (int)i;
    }
    for (size_t i = 0; i < r->capture->buffers.n; i++) {
        if (etm_text_same(sections[i], name))
            return (int)i;
    }
    return -1;
}

/* The section of one buffer. */
static int take_buffer(struct reader *r, const char *item, unsigned line)
{
    static const char *const keys[] = {
        "name", "file", "format", "signals", "write_pointer", "wrapped", NULL};
    struct etm_snapshot *snapshot = r->snapshot;
    const struct etm_ini *ini = &r->ini;
    const struct etm_ini_section *section = etm_ini_section(ini, item);
    const struct etm_ini_entry *name = etm_ini_find(ini, section, "name");
    const struct etm_ini_entry *file = etm_ini_find(ini, section, "file");
    const struct etm_ini_entry *format = etm_ini_find(ini, section, "format");
    const char *text;
    enum etm_framing framing = ETM_FRAMING_CORESIGHT;
    enum etm_port_form form = ETM_PORT_FORM_AUTO;
    int status;

    if (section == NULL)
        return etm_snapshot_fail(snapshot, ini, line,
                                 "the section [%s] of the buffer is missing",
                                 item);
    status = etm_snapshot_check_keys(snapshot, ini, section, keys);
    if (status != ETM_OK)
        return status;
    if (file == NULL || file->value[0] == '\0')
        return etm_snapshot_fail(snapshot, ini, section->line,
                                 "[%s] has no file", section->name);
    text = name != NULL && name->value[0] != '\0' ? name->value : section->name;
    if (format == NULL)
        status = etm_build_note(
            r->capture, "%s: format is not given; coresight is assumed", text);
    else if (!take_format(format->value, &framing, &form))
        return etm_snapshot_fail(
            snapshot, ini, format->line, "unknown buffer format %s%s",
            format->value,
            etm_text_begins(format->value, "tpiu")
                ? ": samples of a TPIU's port are read from a raw file only, "
                  "with --framing tpiu-port"
                : ": known are coresight, tpiu, dstream_coresight, "
                  "source_data, trace_port");
    if (find_buffer(r, text) >= 0)
        return etm_snapshot_fail(snapshot, ini, section->line,
                                 "there is already a buffer called %s", text);
    if (status == ETM_OK)
        status = add_buffer(r, text, section, framing);
    if (status != ETM_OK)
        return status;
    status = set_port(r, form, etm_ini_find(ini, section, "signals"));
    if (status == ETM_OK)
        status = etm_vec_append(&r->sections, &section->name, 1);
    if (status != ETM_OK)
        etm_build_drop_buffer(r->capture);
    return status;
}

/* Read a buffer; one that cannot be read does not stop others. */
static int try_buffer(struct reader *r, const char *item, unsigned line)
{
    const struct etm_ini_section *section = etm_ini_section(&r->ini, item);
    int status;

    r->listed++;
    status = take_buffer(r, item, line);
    if (status != ETM_OK && section != NULL &&
        etm_vec_append(&r->refused, &section->name, 1) != ETM_OK)
        return ETM_ERR_MEMORY;
    return etm_snapshot_do_without(r->snapshot, status,
                                   "the buffer is skipped");
}

static int take_buffers(struct reader *r)
{
    static const char *const keys[] = {"buffers", NULL};
    struct etm_snapshot *snapshot = r->snapshot;
    const struct etm_ini_section *section =
        etm_ini_section(&r->ini, "trace_buffers");
    const struct etm_ini_entry *e = etm_ini_find(&r->ini, section, "buffers");
    char *list, *rest, *item;
    int status;

    if (section == NULL || e == NULL || e->value[0] == '\0')
        return etm_snapshot_fail(snapshot, &r->ini,
                                 section != NULL ? section->line : 0,
                                 "there is no list of buffers: buffers in "
                                 "[trace_buffers] is missing");
    status = etm_snapshot_check_keys(snapshot, &r->ini, section, keys);
    if (status != ETM_OK)
        return status;
    rest = list = list_of(r, e->value);
    if (list == NULL)
        return ETM_ERR_MEMORY;
    while (status == ETM_OK && (item = etm_text_item(&rest)) != NULL) {
        if (item[0] == '\0')
            continue;
        if (r->listed == ETM_SNAPSHOT_BUFFERS) {
            status = etm_snapshot_fail(snapshot, &r->ini, e->line,
                                       "there are more than %u buffers",
                                       ETM_SNAPSHOT_BUFFERS);
            break;
        }
        status = try_buffer(r, item, e->line);
    }
    etm_alloc_free(&r->capture->allocator, list);
    return status;
}

/* The only source whose file has this location; -1: none. */
static int find_location(const struct reader *r, const char *location)
{
    const struct etm_ini *files = r->snapshot->source_files.data;
    int found = -1;

    for (size_t i = 0; i < r->capture->sources.n; i++) {
        const struct etm_ini_entry *e = etm_ini_find(
            &files[i], etm_ini_section(&files[i], "device"), "location");

        if (e == NULL || !etm_text_same(e->value, location))
            continue;
        if (found >= 0)
            return -1;
        found = (int)i;
    }
    return found;
}

/* A source by its name, or by its location as in Arm DS-5: "@LOCATION". */
static int find_source(const struct reader *r, const char *name)
{
    for (size_t i = 0; i < r->capture->sources.n; i++) {
        if (etm_text_same(etm_build_source_at(r->capture, i)->name, name))
            return (int)i;
    }
    return name[0] == '@' ? find_location(r, name + 1) : -1;
}

static int find_core(const struct reader *r, const char *name)
{
    for (size_t i = 0; i < r->capture->cores.n; i++) {
        if (etm_text_same(etm_build_core_at(r->capture, i)->name, name))
            return (int)i;
    }
    return -1;
}

/* A source is listed for a buffer that does not exist. */
static int no_buffer(struct reader *r, unsigned line, const char *name)
{
    int status = etm_snapshot_fail(r->snapshot, &r->ini, line,
                                   "there is no buffer called %s", name);

    /* the reason why one was skipped is more useful */
    if (r->listed != r->capture->buffers.n)
        return etm_build_note(r->capture, "%s:%u: %s", r->ini.path, line,
                              r->snapshot->diag.what);
    return etm_snapshot_do_without(r->snapshot, status, "it is skipped");
}

/* Put a source into a buffer: once, however often it is listed (E-383). */
static int put_into(struct reader *r, const struct etm_ini_entry *e,
                    struct etm_capture_source *source, size_t buffer,
                    const char *name)
{
    const size_t *buffers = source->buffers.data;

    for (size_t i = 0; i < source->buffers.n; i++)
        if (buffers[i] == buffer)
            return etm_build_note(r->capture,
                                  "%s:%u: %s is in %s already: skipped",
                                  r->ini.path, e->line, source->name, name);
    return etm_vec_append(&source->buffers, &buffer, 1);
}

/* SOURCE=BUFFER,BUFFER */
static int take_source_buffers(struct reader *r, const struct etm_ini_entry *e)
{
    int index = find_source(r, e->key);
    struct etm_capture_source *source;
    char *list, *rest, *item;
    int status = ETM_OK;

    if (index < 0)
        return etm_build_note(r->capture,
                              "%s:%u: there is no device called %s: skipped",
                              r->ini.path, e->line, e->key);
    source = etm_build_source_at(r->capture, (size_t)index);
    rest = list = list_of(r, e->value);
    if (list == NULL)
        return ETM_ERR_MEMORY;
    while (status == ETM_OK && (item = etm_text_item(&rest)) != NULL) {
        int found = find_buffer(r, item);

        if (item[0] == '\0')
            continue;
        if (found >= 0)
            status = put_into(r, e, source, (size_t)found, item);
        else
            status = no_buffer(r, e->line, item);
    }
    etm_alloc_free(&r->capture->allocator, list);
    return status;
}

/* [source_buffers]; without it, or if it is empty, a single buffer belongs to
 * all. */
static int take_all_source_buffers(struct reader *r)
{
    const struct etm_ini_section *section =
        etm_ini_section(&r->ini, "source_buffers");
    bool told = false;
    int status = ETM_OK;

    for (; section != NULL; section = etm_ini_another(&r->ini, section)) {
        told = told || section->n != 0;
        for (size_t i = 0; i < section->n && status == ETM_OK; i++)
            status = take_source_buffers(r, etm_ini_entry(&r->ini, section, i));
    }
    for (size_t i = 0; i < r->capture->sources.n && status == ETM_OK; i++) {
        struct etm_capture_source *s = etm_build_source_at(r->capture, i);
        size_t first = 0;

        if (!told && r->listed == 1 && r->capture->buffers.n == 1)
            status = etm_vec_append(&s->buffers, &first, 1);
        else if (s->buffers.n == 0)
            status = etm_build_note(r->capture, "%s is in no buffer%s", s->name,
                                    r->listed != r->capture->buffers.n
                                        ? " that could be read"
                                        : ": [source_buffers] does not name "
                                          "it");
    }
    return status;
}

/* CORE=SOURCE,SOURCE */
static int take_core_sources(struct reader *r, const struct etm_ini_entry *e)
{
    int core = find_core(r, e->key);
    char *list, *rest, *item;
    int status = ETM_OK;

    if (core < 0)
        return etm_build_note(r->capture,
                              "%s:%u: there is no core called %s: skipped",
                              r->ini.path, e->line, e->key);
    rest = list = list_of(r, e->value);
    if (list == NULL)
        return ETM_ERR_MEMORY;
    while (status == ETM_OK && (item = etm_text_item(&rest)) != NULL) {
        int source = find_source(r, item);

        if (source >= 0)
            etm_build_source_at(r->capture, (size_t)source)->core = core;
        else
            status = etm_build_note(
                r->capture,
                "%s:%u: there is no trace source called %s: skipped",
                r->ini.path, e->line, item);
    }
    etm_alloc_free(&r->capture->allocator, list);
    return status;
}

/* [core_trace_sources], and what it does not say. */
static int take_all_core_sources(struct reader *r)
{
    const struct etm_ini_section *first =
        etm_ini_section(&r->ini, "core_trace_sources");
    int status = ETM_OK;

    for (const struct etm_ini_section *s = first; s != NULL;
         s = etm_ini_another(&r->ini, s)) {
        for (size_t i = 0; i < s->n && status == ETM_OK; i++)
            status = take_core_sources(r, etm_ini_entry(&r->ini, s, i));
    }
    return status == ETM_OK
               ? etm_snapshot_pair(r->snapshot, &r->ini, first == NULL)
               : status;
}

/* Sections that nothing refers to, such as unlisted buffers, are skipped with a
 * note. */
static int check_sections(struct reader *r)
{
    static const char *const known[] = {"trace_buffers", "source_buffers",
                                        "core_trace_sources",
                                        /* how fast timestamps count */
                                        "timestamp"};
    const struct etm_ini_section *sections = r->ini.sections.data;
    const char *const *buffers = r->sections.data;
    const char *const *refused = r->refused.data;
    int status = ETM_OK;

    for (size_t i = 0; i < r->ini.sections.n && status == ETM_OK; i++) {
        const struct etm_ini_section *s = &sections[i];
        bool found = false;

        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            found = found || etm_text_same(s->name, known[k]);
        for (size_t k = 0; k < r->sections.n; k++)
            found = found || etm_text_same(s->name, buffers[k]);
        for (size_t k = 0; k < r->refused.n; k++)
            found = found || etm_text_same(s->name, refused[k]);
        if (found)
            continue;
        if (etm_ini_find(&r->ini, s, "file") == NULL)
            status = etm_build_note(r->capture,
                                    "%s:%u: unknown section [%s] is ignored",
                                    r->ini.path, s->line, s->name);
        else
            status = etm_build_note(
                r->capture,
                "%s:%u: [%s] is skipped: it is not in the list of buffers",
                r->ini.path, s->line, s->name);
    }
    return status;
}

int etm_snapshot_trace(struct etm_snapshot *snapshot, const char *path)
{
    struct reader r = {.snapshot = snapshot, .capture = snapshot->capture};
    const struct etm_allocator *a = &snapshot->capture->allocator;
    int status = etm_build_file(snapshot->capture, path);

    if (status == ETM_OK)
        status = etm_ini_open(&r.ini, path, a, &snapshot->diag);
    etm_vec_init(&r.sections, sizeof(const char *), a);
    etm_vec_init(&r.refused, sizeof(const char *), a);
    etm_vec_init(&r.used, sizeof(struct used), a);
    if (status == ETM_OK)
        status = take_buffers(&r);
    if (status == ETM_OK)
        status = check_sections(&r);
    if (status == ETM_OK)
        status = take_all_source_buffers(&r);
    if (status == ETM_OK)
        status = take_all_core_sources(&r);
    etm_vec_fini(&r.sections);
    etm_vec_fini(&r.refused);
    etm_vec_fini(&r.used);
    etm_ini_close(&r.ini);
    return status;
}
