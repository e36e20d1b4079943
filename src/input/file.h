/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file as bytes: read if it is short, otherwise mapped if possible. */
#ifndef ETM_INPUT_FILE_H
#define ETM_INPUT_FILE_H

#include "base/alloc.h"

#include <etm/port.h>
#include <etm/types.h>

struct etm_file {
    const uint8_t *bytes; /* not NULL */
    size_t n;
    bool mapped;
    int opened; /* 1 more than the descriptor of etm_file_read(); 0: none */
};

/*
 * Can a regular file of that size be mapped, with some room left? Not if it is
 * too large for the addresses of this host, which may have 32 bits. "-" is
 * standard input.
 */
bool etm_file_fits(const char *path, uint64_t size);

/* Says in *diag that it cannot. Returns ETM_ERR_IO. */
int etm_file_too_large(struct etm_diag *diag, const char *path);

/*
 * Open a file; "-" is standard input. For files that are named by other files,
 * such as the code of a snapshot: devices and pipes, which may have no end, are
 * refused. One of up to 32 MiB is read at once: ETM_ERR_IO if it becomes
 * shorter meanwhile; later that changes nothing. On failure *file is empty:
 * ETM_ERR_IO, also of a file that does not fit, ETM_ERR_MEMORY.
 */
int etm_file_open(struct etm_file *file, const char *path,
                  const struct etm_allocator *allocator, struct etm_diag *diag);

/*
 * Open a capture, which is read for a long time, and may be a device.
 * If it were mapped, truncating it meanwhile, or a failing disk, would kill the
 * process (SIGBUS). So it stays open, if there are enough descriptors, and is
 * read: this can report an error.
 */
int etm_file_open_capture(struct etm_file *file, const char *path,
                          const struct etm_allocator *allocator,
                          struct etm_diag *diag);

/* Which file a path leads to, whatever it is called there. False: there is
 * none, or this system does not tell. */
struct etm_file_id {
    uint64_t device, number;
};
bool etm_file_identify(const char *path, struct etm_file_id *id);

/* What a file is called in messages: "standard input" for "-". */
const char *etm_file_name(const char *path);

/* Read bytes of a file that is `opened`, from any thread. ETM_ERR_IO: they
 * cannot be read any more; etm_file_why() sets *diag to the reason, and returns
 * that status. */
int etm_file_read(int opened, uint64_t at, uint8_t *bytes, size_t n);
int etm_file_why(int opened, uint64_t before, const char *path,
                 struct etm_diag *diag);

/*
 * A file could not be opened, and *diag says why: set its place to the line of
 * the file that names it, which is more useful. Returns ETM_ERR_IO.
 */
int etm_file_named(struct etm_diag *diag, const char *where, uint64_t line,
                   const char *path);

/*
 * Release the memory of bytes of a mapped file that will not be read again
 * soon; whole pages only. They can still be read from the file.
 */
void etm_file_forget(const uint8_t *bytes, size_t n);

/*
 * Make the bytes writable, without changing the file. False: out of memory.
 */
bool etm_file_own(const struct etm_file *file);

/*
 * reverse.c: reverse the bytes of each word of 2, 4 or 8 bytes; what is no
 * whole word at the end is kept. Of a file, what was opened is closed.
 * ETM_ERR_IO, ETM_ERR_MEMORY: it is unchanged. `path` is for messages.
 */
void etm_bytes_reverse(uint8_t *to, const uint8_t *from, size_t n,
                       unsigned word);
int etm_file_reverse(struct etm_file *file, unsigned word, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag);

/* Accepts an empty one. */
void etm_file_close(struct etm_file *file,
                    const struct etm_allocator *allocator);

#endif
