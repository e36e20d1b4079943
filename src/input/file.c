/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_MMAP 1
#endif

#include "input/file.h"

#include "base/vec.h"
#include "input/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef HAS_MMAP
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

/* The bytes of an empty file. */
static const uint8_t nothing[1];

/* Regular files of up to so many bytes are read at once. A larger one is
 * mapped: if it becomes shorter then, whoever reads the mapping is killed
 * (SIGBUS), so captures stay open and are read instead. doc/reliability.md */
#define READ_MOST ((uint64_t)32 << 20)

static const char unreadable[] = "cannot read the file: ";

static int cannot_read(struct etm_diag *diag, const char *path, int error)
{
    return etm_text_fail(diag, ETM_ERR_IO, path[0] != '\0' ? path : "\"\"",
                         ETM_DIAG_NONE, "%s%s", unreadable, strerror(error));
}

int etm_file_too_large(struct etm_diag *diag, const char *path)
{
    return etm_text_fail(diag, ETM_ERR_IO, path, ETM_DIAG_NONE,
                         "%stoo large for the addresses of this machine",
                         unreadable);
}

int etm_file_named(struct etm_diag *diag, const char *where, uint64_t line,
                   const char *path)
{
    const size_t n = sizeof unreadable - 1;
    char why[sizeof diag->what] = "";

    if (diag != NULL && strncmp(diag->what, unreadable, n) == 0)
        (void)snprintf(why, sizeof why, ": %s", diag->what + n);
    return etm_text_fail(diag, ETM_ERR_IO, where, line,
                         "cannot read the file %s%s", path, why);
}

/* Read to the end. */
static int read_all(struct etm_file *file, FILE *stream, const char *path,
                    const struct etm_allocator *allocator,
                    struct etm_diag *diag)
{
    struct etm_vec bytes;
    size_t n;

    etm_vec_init(&bytes, 1, allocator);
    do {
        if (etm_vec_reserve(&bytes, 65536) != ETM_OK) {
            etm_vec_fini(&bytes);
            return ETM_ERR_MEMORY;
        }
        errno = 0;
        n = fread((uint8_t *)bytes.data + bytes.n, 1, bytes.capacity - bytes.n,
                  stream);
        bytes.n += n;
    } while (n != 0);
    if (ferror(stream)) {
        etm_vec_fini(&bytes);
        return cannot_read(diag, path, errno);
    }
    *file = (struct etm_file){.bytes = bytes.data, .n = bytes.n};
    return ETM_OK;
}

static int read_path(struct etm_file *file, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    FILE *stream = fopen(path, "rb");
    int status;

    if (stream == NULL)
        return cannot_read(diag, path, errno);
    status = read_all(file, stream, path, allocator, diag);
    fclose(stream);
    return status;
}

const char *etm_file_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

#ifdef HAS_MMAP
/* The size from which on it is tried whether a file, and what decoding needs
 * besides, fits into memory: with 64-bit addresses any file fits. */
#define LARGE (SIZE_MAX / 4)
#define ROOM ((size_t)256 << 20)

bool etm_file_fits(const char *path, uint64_t size)
{
    bool standard = strcmp(path, "-") == 0;
    void *bytes = MAP_FAILED;
    int fd = STDIN_FILENO;

    if (size <= LARGE)
        return true;
    if (size > SIZE_MAX - ROOM)
        return false;
    if (!standard)
        fd = open(path, O_RDONLY);
    if (fd < 0)
        return true; /* opening it will report what is wrong */
    /* the mapping may extend beyond the end of the file */
    bytes = mmap(NULL, (size_t)size + ROOM, PROT_READ, MAP_PRIVATE, fd, 0);
    if (!standard)
        close(fd);
    if (bytes == MAP_FAILED)
        return false;
    munmap(bytes, (size_t)size + ROOM);
    return true;
}

/* Captures stay open only with descriptors below this: a snapshot may have
 * hundreds, and other files need some, too. */
#define DESCRIPTORS 32

/* 1 more than a descriptor of a file that stays open; 0: it does not. */
static int stay_open(int fd)
{
    int other = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (other >= DESCRIPTORS) {
        close(other);
        return 0;
    }
    return other + 1;
}

static bool is_short(const struct stat *info)
{
    return S_ISREG(info->st_mode) && info->st_size >= 0 &&
           (uint64_t)info->st_size <= READ_MOST;
}

static int cut_off(struct etm_diag *diag, const char *path, uint64_t before,
                   uint64_t left)
{
    return etm_text_fail(diag, ETM_ERR_IO, path, ETM_DIAG_NONE,
                         "%sit had %llu bytes, but only %llu are left",
                         unreadable, (unsigned long long)before,
                         (unsigned long long)left);
}

/* Read `n` bytes, all that an open file has. */
static int read_short(struct etm_file *file, int fd, size_t n, const char *path,
                      const struct etm_allocator *allocator,
                      struct etm_diag *diag)
{
    uint8_t *bytes;
    size_t have = 0;

    if (n == 0)
        return ETM_OK; /* or one that does not say how much it has (/proc) */
    bytes = etm_alloc_zero(allocator, n);
    if (bytes == NULL)
        return etm_text_fail(diag, ETM_ERR_MEMORY, path, ETM_DIAG_NONE, "%s",
                             etm_status_text(ETM_ERR_MEMORY));
    while (have < n) {
        ssize_t some = pread(fd, bytes + have, n - have, (off_t)have);

        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0) {
            int status = some < 0 ? cannot_read(diag, path, errno)
                                  : cut_off(diag, path, n, have);

            etm_alloc_free(allocator, bytes);
            return status;
        }
        have += (size_t)some;
    }
    *file = (struct etm_file){.bytes = bytes, .n = n};
    return ETM_OK;
}

/* A short regular file, which is not standard input. False: it is none, or has
 * no size. */
static bool try_short(struct etm_file *file, const char *path, int *status,
                      const struct etm_allocator *allocator,
                      struct etm_diag *diag)
{
    struct stat info;
    bool is;
    int fd;

    if (strcmp(path, "-") == 0 || stat(path, &info) != 0 || !is_short(&info))
        return false;
    fd = open(path, O_RDONLY);
    if (fd < 0)
        return false;
    is = fstat(fd, &info) == 0 && is_short(&info) && info.st_size > 0;
    if (is)
        *status =
            read_short(file, fd, (size_t)info.st_size, path, allocator, diag);
    close(fd);
    return is;
}

/*
 * Map a regular file. False: it has to be read instead, if it is not too large.
 * Other files are not even opened: closing a pipe would break it for its
 * writer.
 */
static bool map(struct etm_file *file, const char *path, bool stays,
                bool *too_large)
{
    bool standard = strcmp(path, "-") == 0;
    int opened = 0;
    struct stat info;
    void *bytes = MAP_FAILED;
    int fd = STDIN_FILENO;

    /* standard input only from its beginning: otherwise its size does not say
     * what is left */
    if (standard && lseek(fd, 0, SEEK_CUR) != 0)
        return false;
    if (!standard && (stat(path, &info) != 0 || !S_ISREG(info.st_mode)))
        return false;
    if (!standard)
        fd = open(path, O_RDONLY);
    if (fd < 0)
        return false;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
        *too_large = !etm_file_fits(path, (uint64_t)info.st_size);
        if (!*too_large)
            bytes =
                mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (bytes != MAP_FAILED && stays)
        opened = stay_open(fd);
    if (!standard)
        close(fd);
    if (bytes == MAP_FAILED)
        return false;
    *file = (struct etm_file){bytes, (size_t)info.st_size, true, opened};
    return true;
}

/* A device, a pipe or a socket: it may have no end, or nothing may come. */
static bool is_stream(const char *path)
{
    struct stat info;

    return strcmp(path, "-") != 0 && stat(path, &info) == 0 &&
           !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool etm_file_identify(const char *path, struct etm_file_id *id)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return false;
    *id = (struct etm_file_id){(uint64_t)info.st_dev, (uint64_t)info.st_ino};
    return true;
}

int etm_file_read(int opened, uint64_t at, uint8_t *bytes, size_t n)
{
    while (n != 0) {
        ssize_t some = pread(opened - 1, bytes, n, (off_t)at);

        if (some < 0 && errno == EINTR)
            continue;
        if (some <= 0)
            return ETM_ERR_IO;
        bytes += some;
        at += (uint64_t)some;
        n -= (size_t)some;
    }
    return ETM_OK;
}

int etm_file_why(int opened, uint64_t before, const char *path,
                 struct etm_diag *diag)
{
    struct stat info;

    path = etm_file_name(path);
    if (fstat(opened - 1, &info) != 0)
        return cannot_read(diag, path, errno);
    if ((uint64_t)info.st_size >= before)
        return cannot_read(diag, path, EIO);
    return cut_off(diag, path, before, (uint64_t)info.st_size);
}
#else
bool etm_file_fits(const char *path, uint64_t size)
{
    (void)path;
    (void)size;
    return true;
}

static bool try_short(struct etm_file *file, const char *path, int *status,
                      const struct etm_allocator *allocator,
                      struct etm_diag *diag)
{
    (void)file;
    (void)path;
    (void)status;
    (void)allocator;
    (void)diag;
    return false;
}

static bool map(struct etm_file *file, const char *path, bool stays,
                bool *too_large)
{
    (void)file;
    (void)path;
    (void)stays;
    (void)too_large;
    return false;
}

static bool is_stream(const char *path)
{
    (void)path;
    return false;
}

bool etm_file_identify(const char *path, struct etm_file_id *id)
{
    (void)path;
    (void)id;
    return false;
}

/* None stays open. */
int etm_file_read(int opened, uint64_t at, uint8_t *bytes, size_t n)
{
    (void)opened;
    (void)at;
    (void)bytes;
    (void)n;
    return ETM_ERR_IO;
}

int etm_file_why(int opened, uint64_t before, const char *path,
                 struct etm_diag *diag)
{
    (void)opened;
    (void)before;
    return cannot_read(diag, path, EIO);
}
#endif

void etm_file_close(struct etm_file *file,
                    const struct etm_allocator *allocator)
{
    if (file->bytes != NULL && file->bytes != nothing) {
        /* The bytes were ours to write once. */
        void *bytes = (void *)(uintptr_t)file->bytes;

        if (!file->mapped)
            etm_alloc_free(allocator, bytes);
#ifdef HAS_MMAP
        else
            munmap(bytes, file->n);
        if (file->opened != 0)
            close(file->opened - 1);
#endif
    }
    *file = (struct etm_file){.bytes = NULL};
}

static int open_file(struct etm_file *file, const char *path, bool stays,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag)
{
    bool too_large = false;
    int status;

    *file = (struct etm_file){.bytes = nothing};
    if (!stays && is_stream(path))
        return etm_text_fail(diag, ETM_ERR_IO, path, ETM_DIAG_NONE,
                             "%sit is a device or a pipe", unreadable);
    if (!stays && try_short(file, path, &status, allocator, diag))
        return status;
    if (map(file, path, stays, &too_large)) {
        /* there were no descriptors to let it stay open */
        if (stays && file->opened == 0 && file->n <= READ_MOST) {
            etm_file_close(file, allocator);
            return read_path(file, path, allocator, diag);
        }
        return ETM_OK;
    }
    if (too_large)
        return etm_file_too_large(diag, path);
    if (strcmp(path, "-") == 0)
        return read_all(file, stdin, etm_file_name(path), allocator, diag);
    return read_path(file, path, allocator, diag);
}

bool etm_file_own(const struct etm_file *file)
{
#ifdef HAS_MMAP
    void *bytes = (void *)(uintptr_t)file->bytes;

    return !file->mapped ||
           mprotect(bytes, file->n, PROT_READ | PROT_WRITE) == 0;
#else
    return !file->mapped;
#endif
}

int etm_file_open(struct etm_file *file, const char *path,
                  const struct etm_allocator *allocator, struct etm_diag *diag)
{
    return open_file(file, path, false, allocator, diag);
}

int etm_file_open_capture(struct etm_file *file, const char *path,
                          const struct etm_allocator *allocator,
                          struct etm_diag *diag)
{
    return open_file(file, path, true, allocator, diag);
}
