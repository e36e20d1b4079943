/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a snapshot, which replace earlier ones when it is complete. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_LSTAT 1
#endif

#include "write/snapshot.h"

#include "base/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#ifdef HAS_LSTAT
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
#ifdef HAS_LSTAT
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
#ifdef HAS_LSTAT
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

int etm_snap_replace(struct etm_snapshot_writer *w, struct etm_diag *diag)
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

void etm_snap_remove_files(struct etm_snapshot_writer *w)
{
    struct etm_snap_file *files = w->files.data;

    for (size_t i = 0; i < w->files.n; i++) {
        const char *path =
            files[i].new_path != NULL ? files[i].new_path : files[i].path;

        if (is_plain_file(path))
            (void)remove(path);
        etm_alloc_free(&w->allocator, files[i].new_path);
        files[i].new_path = NULL;
    }
}

void etm_snap_free_files(struct etm_snapshot_writer *w)
{
    struct etm_snap_file *files = w->files.data;

    for (size_t i = 0; i < w->files.n; i++)
        free_file(w, &files[i]);
    etm_vec_fini(&w->files);
}
