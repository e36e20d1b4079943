/* SPDX-License-Identifier: Apache-2.0 */
/* The directory and the files of a snapshot. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_MKDIR 1
#endif

#include "write/snapshot.h"

#include "base/diag.h"
#include "base/size.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#ifdef HAS_MKDIR
#include <sys/stat.h>
#include <unistd.h>
#endif

int etm_snap_fail(struct etm_diag *diag, int status, const char *source,
                  const char *format, ...)
{
    va_list list;

    etm_diag_begin(diag, status, source);
    if (diag == NULL)
        return status;
    va_start(list, format);
    vsnprintf(diag->what, sizeof diag->what, format, list);
    va_end(list);
    return status;
}

int etm_snap_open_still(const struct etm_snapshot_writer *w,
                        struct etm_diag *diag)
{
    return w->finished ? etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                                       "the snapshot is finished")
                       : ETM_OK;
}

int etm_snap_no_memory(struct etm_diag *diag)
{
    return etm_snap_fail(diag, ETM_ERR_MEMORY, NULL, "out of memory");
}

char *etm_snap_path(const struct etm_snapshot_writer *w, const char *file)
{
    size_t n = strlen(w->directory), m = strlen(file);
    char *path = etm_alloc_zero(&w->allocator, n + m + 1);

    if (path != NULL) {
        memcpy(path, w->directory, n);
        memcpy(path + n, file, m);
    }
    return path;
}

const char *etm_snap_wrote(const struct etm_snapshot_writer *w,
                           const char *file)
{
    const struct etm_snap_file *files = w->files.data;
    size_t n = strlen(w->directory);

    for (size_t i = 0; i < w->files.n; i++)
        if (strcmp(files[i].path + n, file) == 0)
            return files[i].new_path != NULL ? files[i].new_path
                                             : files[i].path;
    return NULL;
}

/* No link that leads elsewhere, and no device. */
static bool is_plain_file(const char *path)
{
#ifdef HAS_MKDIR
    struct stat info;

    return lstat(path, &info) == 0 && S_ISREG(info.st_mode);
#else
    (void)path;
    return true;
#endif
}

/* Links and devices are kept, and their targets are written. A write-protected
 * file is kept, too, although its directory alone would allow replacing it. */
static bool is_replaced(const char *path)
{
#ifdef HAS_MKDIR
    struct stat info;

    return lstat(path, &info) != 0 ||
           (S_ISREG(info.st_mode) && access(path, W_OK) == 0);
#else
    (void)path;
    return true;
#endif
}

static void free_file(struct etm_snapshot_writer *w, struct etm_snap_file *file)
{
    etm_alloc_free(&w->allocator, file->path);
    etm_alloc_free(&w->allocator, file->new_path);
}

int etm_snap_create(struct etm_snapshot_writer *w, const char *file, FILE **out,
                    struct etm_diag *diag)
{
    static const char suffix[] = "~new"; /* no name of a file has it */
    struct etm_snap_file f = {.path = etm_snap_path(w, file)};
    size_t n = f.path != NULL ? strlen(f.path) : 0;
    bool in_place = true;
    int status = ETM_OK;

    *out = NULL;
    if (f.path != NULL)
        f.new_path = etm_alloc_zero(&w->allocator, n + sizeof suffix);
    if (f.new_path == NULL || etm_vec_reserve(&w->files, 1) != ETM_OK) {
        free_file(w, &f);
        return etm_snap_no_memory(diag);
    }
    memcpy(f.new_path, f.path, n);
    memcpy(f.new_path + n, suffix, sizeof suffix);
    if (is_replaced(f.path))
        in_place = (*out = fopen(f.new_path, "wb")) == NULL && errno == EACCES;
    if (in_place) { /* a directory may not permit new files */
        etm_alloc_free(&w->allocator, f.new_path);
        f.new_path = NULL;
        *out = fopen(f.path, "wb");
    }
    if (*out != NULL) {
        f.out = *out;
        return etm_vec_append(&w->files, &f, 1);
    }
    status = etm_snap_fail(diag, ETM_ERR_IO, f.path, "cannot be written: %s",
                           strerror(errno));
    free_file(w, &f);
    return status;
}

/* Replace old files by the new ones. */
static int replace(struct etm_snapshot_writer *w, struct etm_diag *diag)
{
    struct etm_snap_file *files = w->files.data;

    for (size_t i = 0; i < w->files.n; i++) {
        if (files[i].new_path == NULL)
            continue;
        /* on some systems renaming does not replace a file */
        if (rename(files[i].new_path, files[i].path) != 0 &&
            (remove(files[i].path) != 0 ||
             rename(files[i].new_path, files[i].path) != 0))
            return etm_snap_fail(diag, ETM_ERR_IO, files[i].path,
                                 "cannot be written: %s", strerror(errno));
        etm_alloc_free(&w->allocator, files[i].new_path);
        files[i].new_path = NULL;
    }
    return ETM_OK;
}

int etm_snap_close(struct etm_snapshot_writer *w, FILE *out,
                   struct etm_diag *diag)
{
    struct etm_snap_file *files = w->files.data;
    const char *path = NULL;
    bool failed;

    if (out == NULL)
        return ETM_OK;
    for (size_t i = 0; i < w->files.n; i++) {
        if (files[i].out != out)
            continue;
        path = files[i].path;
        files[i].out = NULL;
    }
    /* why an earlier write failed is not known any more, but likely the same */
    errno = 0;
    failed = ferror(out) != 0;
    failed = fclose(out) != 0 || failed;
    if (!failed)
        return ETM_OK;
    return etm_snap_fail(diag, ETM_ERR_IO, path, "cannot be written%s%s",
                         errno != 0 ? ": " : "",
                         errno != 0 ? strerror(errno) : "");
}

static int make_directory(const char *path, bool *made, struct etm_diag *diag)
{
#ifdef HAS_MKDIR
    struct stat info;

    *made = mkdir(path, 0777) == 0;
    if (*made)
        return ETM_OK;
    if (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return ETM_OK;
    return etm_snap_fail(diag, ETM_ERR_IO, path, "cannot be created: %s",
                         errno == EEXIST ? "it is a file" : strerror(errno));
#else
    (void)path;
    (void)diag;
    *made = false;
    return ETM_OK;
#endif
}

int etm_snapshot_writer_new(struct etm_snapshot_writer **writer,
                            const struct etm_snapshot_writer_config *config,
                            struct etm_diag *diag)
{
    struct etm_snapshot_writer *w;
    struct etm_allocator a;
    size_t n;
    int status;

    if (writer == NULL)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "no place for the writer is given");
    *writer = NULL;
    if (config == NULL || !etm_size_fits(config->size, sizeof *config) ||
        config->directory == NULL || config->directory[0] == '\0')
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "no directory for the snapshot is given");
    a = etm_allocator_or_default(config->allocator);
    w = etm_alloc_zero(&a, sizeof *w);
    if (w == NULL)
        return etm_snap_no_memory(diag);
    w->allocator = a;
    etm_vec_init(&w->cores, sizeof(struct etm_snap_core), &a);
    etm_vec_init(&w->buffers, sizeof(struct etm_snap_buffer), &a);
    etm_vec_init(&w->sources, sizeof(struct etm_snap_source), &a);
    etm_vec_init(&w->files, sizeof(struct etm_snap_file), &a);
    n = strlen(config->directory);
    w->directory = etm_alloc_zero(&a, n + 2);
    if (w->directory == NULL) {
        status = etm_snap_no_memory(diag);
    } else {
        memcpy(w->directory, config->directory, n);
        if (w->directory[n - 1] != '/')
            w->directory[n] = '/';
        status =
            make_directory(config->directory, &w->directory_was_made, diag);
    }
    if (status != ETM_OK) {
        etm_snapshot_writer_free(w);
        return status;
    }
    *writer = w;
    return ETM_OK;
}

static void close_all(struct etm_snapshot_writer *w)
{
    for (size_t i = 0; i < w->buffers.n; i++) {
        struct etm_snap_buffer *b = etm_snap_buffer(w, i);

        if (b->out != NULL)
            (void)fclose(b->out);
        b->out = NULL;
    }
}

void etm_snapshot_writer_discard(struct etm_snapshot_writer *w)
{
    struct etm_snap_file *files;

    if (w == NULL)
        return;
    close_all(w);
    files = w->files.data;
    for (size_t i = 0; i < w->files.n; i++) {
        const char *path =
            files[i].new_path != NULL ? files[i].new_path : files[i].path;

        if (is_plain_file(path))
            (void)remove(path);
        etm_alloc_free(&w->allocator, files[i].new_path);
        files[i].new_path = NULL;
    }
    /* it stays if there is anything else in it */
    if (w->directory_was_made)
        (void)remove(w->directory);
    etm_snapshot_writer_free(w);
}

void etm_snapshot_writer_free(struct etm_snapshot_writer *w)
{
    struct etm_allocator a;
    struct etm_snap_file *files;

    if (w == NULL)
        return;
    a = w->allocator;
    close_all(w);
    (void)replace(w, NULL);
    for (size_t i = 0; i < w->cores.n; i++) {
        etm_vec_fini(&etm_snap_core(w, i)->registers);
        etm_vec_fini(&etm_snap_core(w, i)->memory);
    }
    for (size_t i = 0; i < w->buffers.n; i++)
        etm_framer_free(etm_snap_buffer(w, i)->framer);
    for (size_t i = 0; i < w->sources.n; i++) {
        etm_packer_free(etm_snap_source(w, i)->packer);
        etm_vec_fini(&etm_snap_source(w, i)->registers);
    }
    files = w->files.data;
    for (size_t i = 0; i < w->files.n; i++)
        free_file(w, &files[i]);
    etm_vec_fini(&w->files);
    etm_vec_fini(&w->cores);
    etm_vec_fini(&w->buffers);
    etm_vec_fini(&w->sources);
    etm_alloc_free(&a, w->directory);
    etm_alloc_free(&a, w);
}

int etm_snapshot_writer_finish(struct etm_snapshot_writer *w,
                               struct etm_diag *diag)
{
    int status = etm_snap_open_still(w, diag);

    w->finished = true;
    for (size_t i = 0; i < w->buffers.n && status == ETM_OK; i++)
        status = etm_snap_end(w, etm_snap_buffer(w, i), diag);
    if (status == ETM_OK)
        status = etm_snap_describe(w, diag);
    return status == ETM_OK ? replace(w, diag) : status;
}
