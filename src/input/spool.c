/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_MMAP 1
#endif

#include "input/spool.h"

#include "input/text.h"

#ifdef HAS_MMAP
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool etm_spool_possible(void)
{
    return true;
}

static int fail(const struct etm_spool *spool, struct etm_diag *diag,
                const char *what, int error)
{
    return etm_text_fail(diag, ETM_ERR_IO, spool->name, ETM_DIAG_NONE,
                         "%s (TMPDIR): %s", what, strerror(error));
}

/* A new file without a name; -1. */
static int open_nameless(void)
{
    const char *directory = getenv("TMPDIR");
    char path[4096];
    int fd;

    if (directory == NULL || directory[0] == '\0')
        directory = "/tmp";
    if ((size_t)snprintf(path, sizeof path, "%s/etm-XXXXXX", directory) >=
        sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkstemp(path);
    if (fd >= 0)
        (void)unlink(path);
    return fd;
}

int etm_spool_open(struct etm_spool *spool, const char *name,
                   struct etm_diag *diag)
{
    *spool = (struct etm_spool){
        .name = name, .fd = open_nameless(), .most = UINT64_MAX};
    if (spool->fd < 0)
        return fail(spool, diag, "a temporary file cannot be created", errno);
    return ETM_OK;
}

static const char cannot_keep[] = "it cannot be kept in a temporary file";

int etm_spool_write(struct etm_spool *spool, const uint8_t *bytes, size_t n,
                    struct etm_diag *diag)
{
    if (n > spool->most - spool->size)
        return etm_text_fail(diag, ETM_ERR_IO, spool->name, ETM_DIAG_NONE,
                             "more than %llu bytes came, which are not kept in "
                             "a temporary file: give a file",
                             (unsigned long long)spool->most);
    while (n != 0) {
        ssize_t written = write(spool->fd, bytes, n);

        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return fail(spool, diag, cannot_keep, errno);
        bytes += written;
        n -= (size_t)written;
        spool->size += (size_t)written;
    }
    return ETM_OK;
}

int etm_spool_map(const struct etm_spool *spool, struct etm_file *file,
                  struct etm_diag *diag)
{
    void *bytes = MAP_FAILED;

    errno = EFBIG;
    if (spool->size <= SIZE_MAX)
        bytes = mmap(NULL, (size_t)spool->size, PROT_READ, MAP_PRIVATE,
                     spool->fd, 0);
    if (bytes == MAP_FAILED)
        return fail(spool, diag, cannot_keep, errno);
    *file = (struct etm_file){bytes, (size_t)spool->size, true, 0};
    return ETM_OK;
}

void etm_spool_close(struct etm_spool *spool)
{
    close(spool->fd);
    spool->fd = -1;
}

#else

bool etm_spool_possible(void)
{
    return false;
}

int etm_spool_open(struct etm_spool *spool, const char *name,
                   struct etm_diag *diag)
{
    *spool = (struct etm_spool){.name = name, .fd = -1};
    return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, name, ETM_DIAG_NONE,
                         "temporary files are not supported here");
}

int etm_spool_write(struct etm_spool *spool, const uint8_t *bytes, size_t n,
                    struct etm_diag *diag)
{
    (void)spool;
    (void)bytes;
    (void)n;
    (void)diag;
    return ETM_ERR_ARGUMENT;
}

int etm_spool_map(const struct etm_spool *spool, struct etm_file *file,
                  struct etm_diag *diag)
{
    (void)spool;
    (void)file;
    (void)diag;
    return ETM_ERR_ARGUMENT;
}

void etm_spool_close(struct etm_spool *spool)
{
    (void)spool;
}

#endif
