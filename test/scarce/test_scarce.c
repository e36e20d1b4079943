/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation that fails at every N-th call, once and for good, in whatever the
 * public functions do: they say so, or go on without; nothing leaks. Functions
 * of values.c must not ask for memory at all. These functions stand before
 * those of the C library, so that what other libraries allocate fails, too;
 * each failure is tried in a process of its own, for libraries that do not
 * survive it.
 */
#define _POSIX_C_SOURCE 200809L
#include "scarce.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void __libc_free(void *old);

static struct {
    bool on, for_good, failed;
    bool own; /* what does not come through `scarce` does not count, */
    bool in;  /* and this does */
    size_t calls, fail_at; /* from 1; 0: none */
    long live;
} heap;

static bool is_short(void)
{
    if (!heap.on || (heap.own && !heap.in))
        return false;
    heap.calls++;
    if (heap.fail_at == 0 || heap.calls < heap.fail_at ||
        (heap.calls > heap.fail_at && !heap.for_good))
        return false;
    heap.failed = true;
    errno = ENOMEM;
    return true;
}

static void *count(void *made)
{
    heap.live += heap.on && heap.in >= heap.own && made != NULL;
    return made;
}

void *malloc(size_t size)
{
    return is_short() ? NULL : count(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
    return is_short() ? NULL : count(__libc_calloc(n, size));
}

void *realloc(void *old, size_t size)
{
    if (size > 0 && is_short())
        return NULL;
    if (old != NULL && size > 0)
        return __libc_realloc(old, size);
    heap.live -= heap.on && heap.in >= heap.own && old != NULL;
    return count(__libc_realloc(old, size));
}

void free(void *old)
{
    heap.live -= heap.on && heap.in >= heap.own && old != NULL;
    __libc_free(old);
}

static void *resize(void *context, void *old, size_t size)
{
    void *made = NULL;

    (void)context;
    heap.in = true;
    if (size == 0)
        free(old);
    else
        made = realloc(old, size);
    heap.in = false;
    return made;
}

const struct etm_allocator scarce = {.resize = resize};

static int run(const struct exercise *e, size_t fail_at, bool for_good)
{
    int status;

    heap.calls = 0;
    heap.live = 0;
    heap.failed = false;
    heap.fail_at = fail_at;
    heap.for_good = for_good;
    heap.on = true;
    status = e->run();
    heap.on = false;
    return status;
}

enum { SURVIVED = 100, WRONG_STATUS, LEAKED, COMPLETE };

/* In a process of its own: how it ended; above 128: by that signal. */
static int attempt(const struct exercise *e, size_t fail_at, bool for_good)
{
    pid_t child;
    int ended;

    fflush(NULL);
    child = fork();
    if (child == 0) {
        int status = run(e, fail_at, for_good);

        if (!heap.failed)
            _exit(COMPLETE);
        if (status != ETM_OK && status != ETM_ERR_MEMORY)
            _exit(WRONG_STATUS);
        _exit(heap.live != 0 ? LEAKED : SURVIVED);
    }
    if (child < 0 || waitpid(child, &ended, 0) != child)
        abort();
    return WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
}

/* All of them; beyond 400 failures, one in some. */
static unsigned fail(const struct exercise *e, bool own)
{
    unsigned wrong = 0;
    size_t all, step;
    int status;

    heap.own = own;
    (void)e->run(); /* what is made once */
    status = run(e, 0, false);
    all = heap.calls;
    step = 1 + all / 400;
    if (status != ETM_OK || all == 0 || heap.live != 0) {
        printf("# %s: status %d, %zu allocations, %ld left\n", e->name, status,
               all, heap.live);
        return 1;
    }
    for (int for_good = 0; for_good < 2; for_good++)
        for (size_t at = 1; at <= all; at += at < 50 ? 1 : step) {
            int end = attempt(e, at, for_good != 0);

            if (end == SURVIVED || end == COMPLETE)
                continue;
            wrong++;
            if (wrong < 6)
                printf("# %s: allocation %zu of %zu%s: %s (%d)\n", e->name, at,
                       all, for_good ? " and all that follow" : "",
                       end == WRONG_STATUS ? "another error"
                       : end == LEAKED     ? "a leak"
                                           : "the process died",
                       end);
        }
    return wrong;
}

/* libdw ends the process if it gets no memory, and loses some. */
static bool has_libdw(const char *name)
{
    static const char *const all[] = {"program",  "symbols", "text",
                                      "jsonl",    "covered", "snapshot",
                                      "discarded"};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i], name) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    const struct exercise *const lists[] = {core_exercises, capture_exercises};
    const char *only = argc > 1 ? argv[1] : NULL;
    unsigned wrong = 0;

    for (int i = 0; i < 2; i++)
        for (const struct exercise *e = lists[i]; e->name != NULL; e++)
            if (only == NULL || strcmp(only, e->name) == 0) {
                unsigned n = fail(e, i == 1 && has_libdw(e->name));

                printf("%s %s\n", n == 0 ? "ok" : "not ok", e->name);
                wrong += n;
            }
    heap.own = false;
    for (const struct exercise *e = values; e->name != NULL; e++) {
        int status;

        (void)e->run();
        status = run(e, 0, false);
        if (status != ETM_OK || heap.calls != 0) {
            printf("not ok %s: status %d, %zu allocations\n", e->name, status,
                   heap.calls);
            wrong++;
        }
    }
    return wrong != 0;
}
