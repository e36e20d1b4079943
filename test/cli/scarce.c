/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that runs out, for LD_PRELOAD: SCARCE_AT is the number of the
 * allocation that fails, from 1; and all that follow fail too, unless
 * SCARCE_ONCE is set. What becomes of it goes to the file SCARCE_FILE: "short"
 * if one failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* glibc's own, which these stand before */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_long taken;
static long limit; /* 0: before main() and libraries' constructors */
static bool once;

static void note(void)
{
    const char *path = getenv("SCARCE_FILE");
    int fd = path != NULL ? open(path, O_WRONLY | O_CREAT, 0666) : -1;

    if (fd >= 0) {
        (void)!write(fd, "short\n", 6);
        close(fd);
    }
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("SCARCE_AT");

    once = getenv("SCARCE_ONCE") != NULL;
    limit = at != NULL ? atol(at) : 0;
}

static bool is_short(void)
{
    long n;

    if (limit == 0)
        return false;
    n = atomic_fetch_add(&taken, 1) + 1;
    if (once ? n != limit : n < limit)
        return false;
    if (n == limit)
        note();
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return is_short() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return is_short() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return is_short() ? NULL : __libc_realloc(old, size);
}
