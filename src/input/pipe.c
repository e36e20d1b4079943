/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_PIPES 1
#endif

#include "input/pipe.h"

#include "base/vec.h"

#ifdef HAS_PIPES
#include "input/orbflow.h"
#include "input/socket.h"
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

/* Milliseconds after which it is looked whether the user has interrupted, and
 * after which a lost connection is tried again. */
#define LOOK_AGAIN 200

/* Maximum number of bytes of the beginning that are examined. */
#define LOOK ((size_t)1 << 20)

/* They are examined as a whole each time, so not for every byte of a sender
 * that writes them one by one: when there are half as many more, or this many;
 * or if nothing comes for this long, in milliseconds. */
#define ENOUGH_MORE ((size_t)4096)
#define PAUSE 1

struct etm_pipe {
    struct etm_allocator allocator;
    int fd;
    const char *name; /* for messages; as long as the capture */
    char *path;
    struct etm_vec bytes; /* uint8_t: that came, */
    size_t taken;         /* number of these that were taken */
    bool begun;
    bool ended;
    uint64_t most;  /* that are kept */
    bool too_large; /* a regular file, which cannot be mapped */
    /* of a connection: */
    bool connected; /* it is one, whose fd is -1 while it is lost */
    bool reconnect, broken, any; /* any: a byte has come */
    bool idle;                   /* none has since it was made */
    size_t broken_at; /* number of the bytes that came before it was lost */
    const volatile int *interrupted;
    /* not NULL: the bytes that come are those packets, ours the frames */
    struct etm_orbflow *orbflow;
    uint8_t *raw; /* PIECE bytes of them */
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

/* Is it a pipe? Of a name that cannot be opened, opening it reports what is
 * wrong. */
static bool is_pipe(const char *path, bool *too_large)
{
    bool standard = strcmp(path, "-") == 0;
    struct stat info;

    if (etm_socket_is(path))
        return true;
    if (standard ? fstat(STDIN_FILENO, &info) != 0 : stat(path, &info) != 0)
        return false;
    return !S_ISDIR(info.st_mode) && !is_file(path, standard, &info, too_large);
}

static int open_fd(struct etm_pipe *p, struct etm_diag *diag)
{
    if (etm_socket_is(p->path)) {
        p->connected = true;
        return etm_socket_open(&p->fd, p->path, p->interrupted, diag);
    }
    if (strcmp(p->path, "-") == 0)
        return ETM_OK;
    p->fd = open(p->path, O_RDONLY);
    return p->fd >= 0 ? ETM_OK : fail(p, diag, "cannot read the file", errno);
}

int etm_pipe_open(struct etm_pipe **pipe, const char *path,
                  const struct etm_pipe_options *options,
                  const struct etm_allocator *allocator, struct etm_diag *diag)
{
    bool too_large = false;
    struct etm_pipe *p;
    int status = ETM_ERR_MEMORY;

    *pipe = NULL;
    if (!is_pipe(path, &too_large))
        return ETM_OK;
    p = etm_alloc_zero(allocator, sizeof *p);
    if (p == NULL)
        return ETM_ERR_MEMORY;
    p->allocator = *allocator;
    p->too_large = too_large;
    p->fd = STDIN_FILENO;
    p->reconnect = options->reconnect;
    p->most = options->most;
    p->interrupted = options->interrupted;
    etm_vec_init(&p->bytes, 1, allocator);
    p->path = etm_text_copy(allocator, path, strlen(path));
    p->name = p->path != NULL ? etm_file_name(p->path) : NULL;
    if (p->path != NULL)
        status = open_fd(p, diag);
    if (status == ETM_OK)
        *pipe = p;
    else
        etm_pipe_close(p);
    return status;
}

void etm_pipe_close(struct etm_pipe *p)
{
    struct etm_allocator allocator;

    if (p == NULL)
        return;
    allocator = p->allocator;
    if (p->fd > STDIN_FILENO)
        close(p->fd);
    if (p->orbflow != NULL)
        etm_orbflow_fini(p->orbflow);
    etm_alloc_free(&allocator, p->orbflow);
    etm_alloc_free(&allocator, p->raw);
    etm_vec_fini(&p->bytes);
    etm_alloc_free(&allocator, p->path);
    etm_alloc_free(&allocator, p);
}

static bool is_interrupted(const struct etm_pipe *p)
{
    return p->interrupted != NULL && *p->interrupted != 0;
}

/* No more packets come. */
static int end_packets(struct etm_pipe *p, struct etm_diag *diag)
{
    int status = etm_orbflow_break(p->orbflow, &p->bytes);

    if (status == ETM_OK && p->any && p->orbflow->good == 0 &&
        !is_interrupted(p))
        return etm_text_fail(diag, ETM_ERR_FORMAT, p->name, ETM_DIAG_NONE,
                             "no packet of orbflow is in it");
    return status;
}

/* Put frames in the place of the packets that came. */
static int unpack_bytes(struct etm_pipe *p)
{
    struct etm_vec packets = p->bytes;
    int status;

    etm_vec_init(&p->bytes, 1, &p->allocator);
    status = etm_vec_reserve(&p->bytes, 1); /* so that `data` is not NULL */
    if (status == ETM_OK)
        status =
            etm_orbflow_push(p->orbflow, packets.data, packets.n, &p->bytes);
    etm_vec_fini(&packets);
    return status;
}

int etm_pipe_unpack(struct etm_pipe *p, const uint8_t **bytes, size_t *n,
                    struct etm_diag *diag)
{
    int status = ETM_ERR_MEMORY;

    p->broken = false; /* damaged packets tell */
    p->raw = etm_alloc_zero(&p->allocator, PIECE);
    p->orbflow = etm_alloc_zero(&p->allocator, sizeof *p->orbflow);
    if (p->raw != NULL && p->orbflow != NULL)
        status = etm_orbflow_init(p->orbflow, &p->allocator);
    if (status == ETM_OK)
        status = unpack_bytes(p);
    if (status == ETM_OK && p->ended)
        status = end_packets(p, diag);
    *bytes = p->bytes.data;
    *n = p->bytes.n;
    return status;
}

/* The next bytes are there, or the end. False: not in `patience` milliseconds;
 * -1: forever. */
static bool wait_for_bytes(const struct etm_pipe *p, int patience)
{
    struct pollfd one = {.fd = p->fd, .events = POLLIN};

    while (!is_interrupted(p)) {
        int most = p->interrupted != NULL ? LOOK_AGAIN : -1;
        int now =
            patience >= 0 && (most < 0 || patience < most) ? patience : most;

        /* an error is found by reading */
        if (poll(&one, 1, now) != 0 && !is_interrupted(p))
            return true;
        if (patience >= 0 && (patience -= now) <= 0)
            return false;
    }
    return true;
}

/* Connect again, in `patience` milliseconds. A server that is not there may
 * come; one that closed the last connection without a byte is not asked at
 * once. */
static bool connect_again(struct etm_pipe *p, int patience)
{
    while (!is_interrupted(p) &&
           (p->idle ||
            etm_socket_open(&p->fd, p->path, p->interrupted, NULL) != ETM_OK)) {
        int now =
            patience >= 0 && patience < LOOK_AGAIN ? patience : LOOK_AGAIN;

        p->idle = false;
        (void)poll(NULL, 0, now);
        if (patience >= 0 && (patience -= now) <= 0)
            return false;
    }
    p->idle = true;
    return true;
}

/* The connection was lost, or the pipe has ended. */
static int end_of(struct etm_pipe *p, struct etm_diag *diag)
{
    int status = ETM_OK;

    if (p->connected && p->reconnect && !is_interrupted(p)) {
        close(p->fd);
        p->fd = -1;
        if (!p->broken && p->any && p->orbflow == NULL) { /* its frames tell */
            p->broken = true;
            p->broken_at = p->bytes.n;
        }
        return p->orbflow != NULL ? etm_orbflow_break(p->orbflow, &p->bytes)
                                  : ETM_OK;
    }
    p->ended = true;
    if (p->orbflow != NULL)
        status = end_packets(p, diag);
    if (status == ETM_OK && p->connected && !p->any && !is_interrupted(p))
        return etm_text_fail(diag, ETM_ERR_IO, p->name, ETM_DIAG_NONE,
                             "the connection was closed before anything came");
    return status;
}

/* Read the next bytes after those that are there, which may give none. Waits
 * for them. */
static int read_some(struct etm_pipe *p, struct etm_diag *diag)
{
    ssize_t n = 0;

    if (p->fd < 0 && !connect_again(p, -1))
        return ETM_OK;
    if (etm_vec_reserve(&p->bytes, PIECE) != ETM_OK)
        return ETM_ERR_MEMORY;
    if (!is_interrupted(p) && wait_for_bytes(p, -1) && !is_interrupted(p)) {
        do {
            n = read(p->fd,
                     p->orbflow != NULL ? p->raw
                                        : (uint8_t *)p->bytes.data + p->bytes.n,
                     PIECE);
        } while (n < 0 && errno == EINTR && !is_interrupted(p));
    }
    if (n < 0 && !is_interrupted(p) && !(p->connected && p->reconnect))
        return fail(p, diag,
                    p->connected ? "the connection is lost"
                                 : "cannot read the file",
                    errno);
    if (n <= 0)
        return end_of(p, diag);
    p->any = true;
    p->idle = false;
    if (p->orbflow != NULL)
        return etm_orbflow_push(p->orbflow, p->raw, (size_t)n, &p->bytes);
    p->bytes.n += (size_t)n;
    return ETM_OK;
}

/* Until there are more, or it is the end. */
static int read_more(struct etm_pipe *p, struct etm_diag *diag)
{
    size_t before = p->bytes.n;
    int status = ETM_OK;

    while (status == ETM_OK && !p->ended && p->bytes.n == before)
        status = read_some(p, diag);
    return status;
}

bool etm_pipe_look(struct etm_pipe *p, const uint8_t **bytes, size_t *n,
                   int *status, struct etm_diag *diag)
{
    size_t before = p->bytes.n;
    size_t more = before / 2 < ENOUGH_MORE ? before / 2 : ENOUGH_MORE;

    *status = before < LOOK ? read_more(p, diag) : ETM_OK;
    while (*status == ETM_OK && !p->ended && p->fd >= 0 &&
           p->bytes.n > before && p->bytes.n - before < more &&
           wait_for_bytes(p, PAUSE))
        *status = read_some(p, diag);
    *bytes = p->bytes.data;
    *n = p->bytes.n;
    return *status == ETM_OK && p->bytes.n > before;
}

int etm_pipe_wait(struct etm_pipe *p, int patience, bool *ready,
                  struct etm_diag *diag)
{
    int status = ETM_OK;

    *ready = true;
    if (p->taken < p->bytes.n || p->ended)
        return ETM_OK;
    p->bytes.n = p->taken = p->broken_at = 0;
    while (status == ETM_OK && p->bytes.n == 0 && !p->ended) {
        if (patience >= 0 && !(p->fd < 0 ? connect_again(p, patience)
                                         : wait_for_bytes(p, patience))) {
            *ready = false;
            return ETM_OK;
        }
        status = read_some(p, diag);
        if (patience >= 0 && p->bytes.n == 0 && !p->ended) {
            *ready = false; /* a part of a packet has no frames */
            return status;
        }
    }
    return status;
}

bool etm_pipe_broken(struct etm_pipe *p)
{
    bool broken =
        p->broken && p->taken == p->broken_at && p->bytes.n != p->broken_at;

    if (broken)
        p->broken = false;
    return broken;
}

bool etm_pipe_is_live(const struct etm_pipe *p)
{
    return p->connected;
}

uint8_t etm_pipe_first_id(const struct etm_pipe *p)
{
    return p->orbflow != NULL ? p->orbflow->first : 0;
}

size_t etm_pipe_take(struct etm_pipe *p, size_t most, const uint8_t **bytes)
{
    bool breaks = p->broken && p->taken < p->broken_at;
    size_t n = (breaks ? p->broken_at : p->bytes.n) - p->taken;

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
    spool.most = p->most;
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
                  const struct etm_pipe_options *options,
                  const struct etm_allocator *allocator, struct etm_diag *diag)
{
    (void)path;
    (void)options;
    (void)allocator;
    (void)diag;
    *pipe = NULL;
    return ETM_OK;
}

int etm_pipe_unpack(struct etm_pipe *p, const uint8_t **bytes, size_t *n,
                    struct etm_diag *diag)
{
    (void)p;
    (void)bytes;
    (void)n;
    (void)diag;
    return ETM_ERR_ARGUMENT;
}

bool etm_pipe_broken(struct etm_pipe *p)
{
    (void)p;
    return false;
}

bool etm_pipe_is_live(const struct etm_pipe *p)
{
    (void)p;
    return false;
}

uint8_t etm_pipe_first_id(const struct etm_pipe *p)
{
    (void)p;
    return 0;
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
