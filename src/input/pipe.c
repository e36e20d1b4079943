/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_PIPES 1
#endif

#include "input/pipe.h"

#include "base/vec.h"

#ifdef HAS_PIPES
#include "input/spool.h"
#include "input/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that are read at a time: as many as a pipe holds. */
#define PIECE ((size_t)65536)

/* Maximum number of bytes of the beginning that are examined. */
#define LOOK ((size_t)1 << 20)

struct etm_pipe {
    struct etm_allocator allocator;
    int fd;
    const char *name; /* for messages; as long as the capture */
    char *path;
    struct etm_vec bytes; /* uint8_t: that came, */
    size_t taken;         /* number of these that were taken */
    bool begun;
    bool ended;
    bool too_large; /* a regular file, which cannot be mapped */
};

static int fail(const struct etm_pipe *p, struct etm_diag *diag,
                const char *what, int error)
{
    return etm_text_fail(diag, ETM_ERR_IO, p->name, ETM_DIAG_NONE, "%s: %s",
                         what, strerror(error));
}

/* Whether it is a regular file that can be mapped: not if it is read from the
 * middle on or too large. */
static bool is_file(const char *path, bool standard, const struct stat *info,
                    bool *too_large)
{
    if (!S_ISREG(info->st_mode) ||
        (standard && lseek(STDIN_FILENO, 0, SEEK_CUR) != 0))
        return false;
    *too_large = !etm_file_fits(path, (uint64_t)info->st_size);
    return !*too_large;
}

int etm_pipe_open(struct etm_pipe **pipe, const char *path,
                  const struct etm_allocator *allocator, struct etm_diag *diag)
{
    bool standard = strcmp(path, "-") == 0;
    bool too_large = false;
    struct etm_pipe *p;
    struct stat info;

    *pipe = NULL;
    if (standard ? fstat(STDIN_FILENO, &info) != 0 : stat(path, &info) != 0)
        return ETM_OK; /* opening it will report what is wrong */
    if (S_ISDIR(info.st_mode) || is_file(path, standard, &info, &too_large))
        return ETM_OK;
    p = etm_alloc_zero(allocator, sizeof *p);
    if (p == NULL)
        return ETM_ERR_MEMORY;
    p->allocator = *allocator;
    p->too_large = too_large;
    p->fd = STDIN_FILENO;
    etm_vec_init(&p->bytes, 1, allocator);
    p->path = etm_text_copy(allocator, path, strlen(path));
    p->name = p->path != NULL ? etm_file_name(p->path) : NULL;
    if (p->path != NULL && !standard)
        p->fd = open(path, O_RDONLY);
    if (p->path != NULL && p->fd >= 0) {
        *pipe = p;
        return ETM_OK;
    }
    if (p->path != NULL)
        (void)fail(p, diag, "cannot read the file", errno);
    standard = p->path != NULL;
    etm_pipe_close(p);
    return standard ? ETM_ERR_IO : ETM_ERR_MEMORY;
}

void etm_pipe_close(struct etm_pipe *p)
{
    struct etm_allocator allocator;

    if (p == NULL)
        return;
    allocator = p->allocator;
    if (p->fd > STDIN_FILENO)
        close(p->fd);
    etm_vec_fini(&p->bytes);
    etm_alloc_free(&allocator, p->path);
    etm_alloc_free(&allocator, p);
}

/* Read the next bytes after those that are there. Waits for them. */
static int read_more(struct etm_pipe *p, struct etm_diag *diag)
{
    ssize_t n;

    if (p->ended)
        return ETM_OK;
    if (etm_vec_reserve(&p->bytes, PIECE) != ETM_OK)
        return ETM_ERR_MEMORY;
    do {
        n = read(p->fd, (uint8_t *)p->bytes.data + p->bytes.n, PIECE);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return fail(p, diag, "cannot read the file", errno);
    p->bytes.n += (size_t)n;
    p->ended = n == 0;
    return ETM_OK;
}

bool etm_pipe_look(struct etm_pipe *p, const uint8_t **bytes, size_t *n,
                   int *status, struct etm_diag *diag)
{
    size_t before = p->bytes.n;

    *status = before < LOOK ? read_more(p, diag) : ETM_OK;
    *bytes = p->bytes.data;
    *n = p->bytes.n;
    return *status == ETM_OK && p->bytes.n > before;
}

int etm_pipe_wait(struct etm_pipe *p, int patience, bool *ready,
                  struct etm_diag *diag)
{
    struct pollfd one = {.fd = p->fd, .events = POLLIN};

    *ready = true;
    if (p->taken < p->bytes.n || p->ended)
        return ETM_OK;
    /* an error is found by reading */
    if (patience >= 0 && poll(&one, 1, patience) == 0) {
        *ready = false;
        return ETM_OK;
    }
    p->bytes.n = p->taken = 0;
    return read_more(p, diag);
}

size_t etm_pipe_take(struct etm_pipe *p, size_t most, const uint8_t **bytes)
{
    size_t n = p->bytes.n - p->taken;

    if (n > most)
        n = most;
    *bytes = n != 0 ? (const uint8_t *)p->bytes.data + p->taken : NULL;
    p->taken += n;
    p->begun = true;
    return n;
}

bool etm_pipe_begun(const struct etm_pipe *p)
{
    return p->begun;
}

/* Write everything that is there and that comes to a file. */
static int keep_in_file(struct etm_pipe *p, struct etm_file *file,
                        struct etm_diag *diag)
{
    struct etm_spool spool;
    int status = etm_spool_open(&spool, p->name, diag);

    if (status != ETM_OK)
        return status;
    spool.most = ETM_SPOOL_PIPE;
    while (status == ETM_OK && p->bytes.n != 0) {
        status = etm_spool_write(&spool, p->bytes.data, p->bytes.n, diag);
        p->bytes.n = 0;
        if (status == ETM_OK)
            status = read_more(p, diag);
    }
    if (status == ETM_OK)
        status = etm_spool_map(&spool, file, diag);
    etm_spool_close(&spool);
    return status;
}

int etm_pipe_keep(struct etm_pipe *p, struct etm_file *file,
                  struct etm_diag *diag)
{
    static const uint8_t nothing[1];
    int status = ETM_OK;

    *file = (struct etm_file){.bytes = nothing};
    if (p->too_large)
        return etm_file_too_large(diag, p->name);
    while (status == ETM_OK && !p->ended && p->bytes.n < ETM_SPOOL_KEPT)
        status = read_more(p, diag);
    if (status != ETM_OK)
        return status;
    if (p->ended) {
        if (p->bytes.data == NULL)
            return ETM_ERR_MEMORY;
        *file = (struct etm_file){.bytes = p->bytes.data, .n = p->bytes.n};
        etm_vec_init(&p->bytes, 1, &p->allocator);
        return ETM_OK;
    }
    return keep_in_file(p, file, diag);
}

#else

int etm_pipe_open(struct etm_pipe **pipe, const char *path,
                  const struct etm_allocator *allocator, struct etm_diag *diag)
{
    (void)path;
    (void)allocator;
    (void)diag;
    *pipe = NULL;
    return ETM_OK;
}

/* None was opened. */
void etm_pipe_close(struct etm_pipe *p)
{
    (void)p;
}

bool etm_pipe_look(struct etm_pipe *p, const uint8_t **bytes, size_t *n,
                   int *status, struct etm_diag *diag)
{
    (void)p;
    (void)bytes;
    (void)n;
    (void)diag;
    *status = ETM_ERR_ARGUMENT;
    return false;
}

int etm_pipe_wait(struct etm_pipe *p, int patience, bool *ready,
                  struct etm_diag *diag)
{
    (void)p;
    (void)patience;
    (void)ready;
    (void)diag;
    return ETM_ERR_ARGUMENT;
}

size_t etm_pipe_take(struct etm_pipe *p, size_t most, const uint8_t **bytes)
{
    (void)p;
    (void)most;
    (void)bytes;
    return 0;
}

bool etm_pipe_begun(const struct etm_pipe *p)
{
    (void)p;
    return false;
}

int etm_pipe_keep(struct etm_pipe *p, struct etm_file *file,
                  struct etm_diag *diag)
{
    (void)p;
    (void)file;
    (void)diag;
    return ETM_ERR_ARGUMENT;
}

#endif
