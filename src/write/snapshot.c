/* SPDX-License-Identifier: Apache-2.0 */
/* A snapshot from its directory to its end. */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_MKDIR 1
#endif

#include "write/snapshot.h"

#include "base/size.h"

#include <errno.h>
#include <string.h>

#ifdef HAS_MKDIR
#include <sys/stat.h>
#endif

int etm_snap_open_still(const struct etm_snapshot_writer *w,
                        struct etm_diag *diag)
{
    return w->finished ? etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                                       "the snapshot is finished")
                       : ETM_OK;
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
    struct etm_snapshot_writer_config own;
    struct etm_snapshot_writer *w;
    struct etm_allocator a;
    size_t n;
    int status;

    if (writer == NULL)
        return etm_snap_fail(diag, ETM_ERR_ARGUMENT, NULL,
                             "no place for the writer is given");
    *writer = NULL;
    status = ETM_TAKE(etm_snapshot_writer_config, &own, config, diag);
    if (status != ETM_OK)
        return status;
    config = &own;
    if (config->directory == NULL || config->directory[0] == '\0')
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
    if (w == NULL)
        return;
    close_all(w);
    etm_snap_remove_files(w);
    /* it stays if there is anything else in it */
    if (w->directory_was_made)
        (void)remove(w->directory);
    etm_snapshot_writer_free(w);
}

void etm_snapshot_writer_free(struct etm_snapshot_writer *w)
{
    struct etm_allocator a;

    if (w == NULL)
        return;
    a = w->allocator;
    close_all(w);
    (void)etm_snap_replace(w, NULL);
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
    etm_snap_free_files(w);
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
    return status == ETM_OK ? etm_snap_replace(w, diag) : status;
}
