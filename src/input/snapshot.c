/* SPDX-License-Identifier: Apache-2.0 */
/* snapshot.ini, and what concerns all files of a snapshot. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_STAT 1
#endif

#include "input/snapshot.h"

#include "input/text.h"

#include <string.h>

#ifdef HAS_STAT
#include <sys/stat.h>
#endif

static bool is_directory(const char *path)
{
#ifdef HAS_STAT
    struct stat info;

    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
#else
    (void)path;
    return false;
#endif
}

/* [snapshot]: the version of the format. */
static int check_version(struct etm_snapshot *snapshot,
                         const struct etm_ini *ini)
{
    static const char *const keys[] = {"version", "description", NULL};
    const struct etm_ini_section *section = etm_ini_section(ini, "snapshot");
    const struct etm_ini_entry *version;
    int status;

    if (section == NULL)
        return ETM_OK;
    status = etm_snapshot_check_keys(snapshot, ini, section, keys);
    version = etm_ini_find(ini, section, "version");
    if (status == ETM_OK && version != NULL &&
        strcmp(version->value, "1") != 0 &&
        strncmp(version->value, "1.", 2) != 0)
        return etm_snapshot_fail(
            snapshot, ini, version->line,
            "version %s of the snapshot format is not supported, only 1.x is",
            version->value);
    return status;
}

/* A section [device_list]: any keys, each names the file of a device. */
static int take_devices(struct etm_snapshot *snapshot,
                        const struct etm_ini *ini,
                        const struct etm_ini_section *section)
{
    const struct etm_allocator *a = &snapshot->capture->allocator;
    int status = ETM_OK;

    for (size_t i = 0; i < section->n && status == ETM_OK; i++) {
        const struct etm_ini_entry *e = etm_ini_entry(ini, section, i);
        char *path;

        if (snapshot->devices++ == ETM_SNAPSHOT_DEVICES)
            return etm_snapshot_fail(snapshot, ini, e->line,
                                     "there are more than %u devices",
                                     ETM_SNAPSHOT_DEVICES);
        status =
            etm_snapshot_path(snapshot, ini->path, e->line, e->value, &path);
        if (status == ETM_OK)
            status = etm_snapshot_device(snapshot, path, ini, e->line);
        status =
            etm_snapshot_do_without(snapshot, status, "the device is skipped");
        etm_alloc_free(a, path);
    }
    return status;
}

static int read_devices(struct etm_snapshot *snapshot,
                        const struct etm_ini *ini)
{
    const struct etm_ini_section *section = etm_ini_section(ini, "device_list");
    int status = ETM_OK;

    if (section == NULL)
        return etm_snapshot_fail(snapshot, ini, 0,
                                 "there is no section [device_list], as the "
                                 "snapshot.ini of a snapshot has");
    for (; section != NULL && status == ETM_OK;
         section = etm_ini_another(ini, section))
        status = take_devices(snapshot, ini, section);
    return status;
}

static int read_trace(struct etm_snapshot *snapshot, const struct etm_ini *ini)
{
    static const char *const keys[] = {"metadata", NULL};
    const struct etm_ini_section *section = etm_ini_section(ini, "trace");
    const struct etm_ini_entry *metadata =
        etm_ini_find(ini, section, "metadata");
    const struct etm_allocator *a = &snapshot->capture->allocator;
    char *path;
    int status;

    if (metadata == NULL)
        return etm_snapshot_fail(snapshot, ini, 0,
                                 "there is no trace: metadata in [trace] is "
                                 "missing");
    status = etm_snapshot_check_keys(snapshot, ini, section, keys);
    if (status != ETM_OK)
        return status;
    status = etm_snapshot_path(snapshot, ini->path, metadata->line,
                               metadata->value, &path);
    if (status != ETM_OK)
        return status;
    status = etm_snapshot_trace(snapshot, path);
    if (status == ETM_ERR_IO && snapshot->diag.line == ETM_DIAG_NONE)
        status =
            etm_file_named(&snapshot->diag, ini->path, metadata->line, path);
    etm_alloc_free(a, path);
    return status;
}

/* Do two sources share a buffer that is formatted, or one that is not? */
static bool share_buffer(const struct etm_capture *capture,
                         const struct etm_capture_source *a,
                         const struct etm_capture_source *b, bool formatted)
{
    const struct etm_capture_buffer *buffers = capture->buffers.data;
    const size_t *x = a->buffers.data, *y = b->buffers.data;

    for (size_t i = 0; i < a->buffers.n; i++) {
        for (size_t k = 0; k < b->buffers.n; k++) {
            if (x[i] == y[k] &&
                formatted == (buffers[x[i]].framing != ETM_FRAMING_NONE))
                return true;
        }
    }
    return false;
}

/* Another source with its trace ID in a formatted buffer; -1: none. */
static int find_rival(const struct etm_capture *capture, size_t source)
{
    const struct etm_capture_source *all = capture->sources.data;

    for (size_t k = 0; k < capture->sources.n; k++) {
        if (k != source && all[k].configured && all[k].id == all[source].id &&
            share_buffer(capture, &all[k], &all[source], true))
            return (int)k;
    }
    return -1;
}

/* Without frames there is the trace of one source. The user may know which one,
 * and use --source. */
static int check_unformatted(struct etm_snapshot *snapshot)
{
    const struct etm_capture *capture = snapshot->capture;
    const struct etm_capture_source *all = capture->sources.data;
    const struct etm_ini *files = snapshot->source_files.data;
    struct etm_diag diag;
    int status = ETM_OK;

    for (size_t i = 1; i < capture->sources.n && status == ETM_OK; i++) {
        for (size_t k = 0; k < i && status == ETM_OK; k++) {
            if (!all[i].decodable || !all[k].decodable ||
                !share_buffer(capture, &all[i], &all[k], false))
                continue;
            (void)etm_text_fail(&diag, ETM_ERR_FORMAT, files[i].path,
                                ETM_DIAG_NONE,
                                "%s is in one buffer with %s, without frames "
                                "to tell them apart",
                                all[i].name, all[k].name);
            status = etm_build_fault(snapshot->capture, &diag,
                                     "its trace may be that of another");
        }
    }
    return status;
}

/*
 * A trace ID in a formatted buffer belongs to one source. If two have it, it is
 * not known whose trace it is, and the output for either would be made up.
 */
static int check_ids(struct etm_snapshot *snapshot)
{
    struct etm_capture *capture = snapshot->capture;
    const struct etm_ini *files = snapshot->source_files.data;
    int status = ETM_OK;

    for (size_t i = 0; i < capture->sources.n; i++)
        etm_build_source_at(capture, i)->configured =
            etm_build_source_at(capture, i)->decodable;
    for (size_t i = 0; i < capture->sources.n && status == ETM_OK; i++) {
        const struct etm_capture_source *s = etm_build_source_at(capture, i);
        int rival = s->configured ? find_rival(capture, i) : -1;

        if (rival < 0)
            continue;
        (void)etm_snapshot_fail(
            snapshot, &files[i], 0,
            "%s has trace ID 0x%02x, which is that of %s in the same buffer",
            s->name, (unsigned)s->id,
            etm_build_source_at(capture, (size_t)rival)->name);
        status = etm_snapshot_why_not(snapshot, i);
    }
    return status;
}

/*
 * Make configurations from registers. If this is impossible for one source, as
 * for a macrocell without power, the others are still decoded.
 */
static int configure_sources(struct etm_snapshot *snapshot)
{
    struct etm_capture *capture = snapshot->capture;
    int status = ETM_OK;

    for (size_t i = 0; i < capture->sources.n && status == ETM_OK; i++) {
        if (etm_build_source_at(capture, i)->why_not != NULL)
            continue; /* its registers could not be read */
        status = etm_snapshot_configure(snapshot, i);
        if (status == ETM_ERR_CONFIG || status == ETM_ERR_FORMAT)
            status = etm_snapshot_why_not(snapshot, i);
    }
    return status;
}

/* Something was skipped: is there still a source to decode? */
static int check_rest(struct etm_snapshot *snapshot)
{
    const struct etm_capture *capture = snapshot->capture;
    const struct etm_capture_source *sources = capture->sources.data;

    for (size_t i = 0; i < capture->sources.n; i++) {
        if (sources[i].decodable && sources[i].buffers.n != 0)
            return ETM_OK;
    }
    snapshot->diag = snapshot->last;
    return snapshot->last.status;
}

/* Everything that snapshot.ini names. */
static int read_snapshot(struct etm_snapshot *snapshot,
                         const struct etm_ini *ini)
{
    static const char *const sections[] = {
        "snapshot", "device_list", "trace",
        /* groups of cores, and settings of debuggers: not needed here */
        "clusters", "global", NULL};
    struct etm_capture *capture = snapshot->capture;
    int status = etm_snapshot_check_sections(snapshot, ini, sections);

    if (status == ETM_OK)
        status = check_version(snapshot, ini);
    if (status == ETM_OK)
        status = read_devices(snapshot, ini);
    if (status == ETM_OK)
        status = read_trace(snapshot, ini);
    if (status == ETM_OK)
        status = configure_sources(snapshot);
    if (status == ETM_OK)
        status = check_ids(snapshot);
    if (status == ETM_OK)
        status = check_unformatted(snapshot);
    if (status == ETM_OK)
        status = check_rest(snapshot);
    if (status == ETM_OK)
        status = etm_snapshot_strangers(snapshot, ini->path);
    for (size_t i = 0; i < capture->cores.n && status == ETM_OK; i++)
        status = etm_snapshot_dumps(snapshot, i);
    return status;
}

/* Sources whose core is not known still use the code that the caller gave. */
static int add_images(struct etm_capture *capture, const char *const *images,
                      size_t n, struct etm_diag *diag)
{
    bool missing = false;
    int status = ETM_OK;

    for (size_t i = 0; i < capture->sources.n; i++) {
        const struct etm_capture_source *s = etm_build_source_at(capture, i);

        missing = missing || (s->decodable && s->core < 0);
    }
    if (n == 0)
        return ETM_OK;
    if (missing)
        status = etm_build_core(capture, "", "");
    for (size_t i = 0; i < capture->sources.n && status == ETM_OK; i++) {
        struct etm_capture_source *s = etm_build_source_at(capture, i);

        if (s->decodable && s->core < 0)
            s->core = (int)capture->cores.n - 1;
    }
    return status == ETM_OK ? etm_build_images(capture, images, n, diag)
                            : status;
}

static void close_files(struct etm_vec *files)
{
    struct etm_ini *ini = files->data;

    for (size_t i = 0; i < files->n; i++)
        etm_ini_close(&ini[i]);
    etm_vec_fini(files);
}

/* The snapshot's folder, and the path of its snapshot.ini: that in a directory,
 * which may not lead out of it either, or the file that is named. */
static int find_folder(struct etm_snapshot *snapshot, const char *path,
                       char **file)
{
    const struct etm_allocator *a = &snapshot->capture->allocator;
    bool directory = is_directory(path);
    size_t n = directory ? strlen(path) : etm_text_directory(path);
    const char *slash = directory && n > 0 && path[n - 1] != '/' ? "/" : "";

    snapshot->directory = etm_text_print(a, "%.*s%s", (int)n, path, slash);
    if (snapshot->directory != NULL)
        snapshot->root = etm_snapshot_root(a, snapshot->directory);
    if (snapshot->root == NULL)
        return ETM_ERR_MEMORY;
    if (directory)
        return etm_snapshot_path(snapshot, path, ETM_DIAG_NONE, "snapshot.ini",
                                 file);
    *file = etm_text_copy(a, path, strlen(path));
    return *file != NULL ? ETM_OK : ETM_ERR_MEMORY;
}

int etm_capture_open_snapshot(struct etm_capture *capture, const char *path,
                              const struct etm_raw_options *options,
                              const struct etm_allocator *allocator,
                              struct etm_diag *diag)
{
    static const struct etm_raw_options none = {0};
    const struct etm_raw_options *o = options != NULL ? options : &none;
    struct etm_snapshot snapshot = {.capture = capture,
                                    .images = o->n_images != 0,
                                    .outside = o->allow_outside};
    struct etm_ini ini = {0};
    char *file = NULL;
    int status = etm_build_begin(capture, path, allocator);
    struct etm_allocator *a = &capture->allocator;

    etm_vec_init(&snapshot.core_files, sizeof(struct etm_ini), a);
    etm_vec_init(&snapshot.source_files, sizeof(struct etm_ini), a);
    if (status == ETM_OK)
        status = find_folder(&snapshot, path, &file);
    if (status == ETM_OK)
        status = etm_build_file(capture, file);
    if (status == ETM_OK)
        status = etm_ini_open(&ini, file, a, &snapshot.diag);
    if (status == ETM_OK)
        status = read_snapshot(&snapshot, &ini);
    if (status == ETM_OK)
        status = !snapshot.images ? etm_snapshot_borrow(&snapshot)
                                  : add_images(capture, o->images, o->n_images,
                                               &snapshot.diag);
    if (status != ETM_OK && diag != NULL)
        *diag = snapshot.diag;
    etm_ini_close(&ini);
    close_files(&snapshot.core_files);
    close_files(&snapshot.source_files);
    etm_alloc_free(a, snapshot.directory);
    etm_alloc_free(a, snapshot.root);
    etm_alloc_free(a, snapshot.passed);
    etm_alloc_free(a, file);
    return etm_build_end(capture, status, diag);
}
