/* SPDX-License-Identifier: Apache-2.0 */
/* A whole file as bytes: mapped where that is possible, else read. */
#ifndef ETM_INPUT_FILE_H
#define ETM_INPUT_FILE_H

#include "base/alloc.h"

#include <etm/port.h>
#include <etm/status.h>

struct etm_file {
    const uint8_t *bytes; /* not NULL */
    size_t n;
    bool mapped;
    int opened; /* 1 more than the descriptor of etm_file_read(); 0: none */
};

/*
 * Can a regular file of so many bytes be mapped, with some room left? Not if it
 * is too large for the addresses of this host, which may have 32 bits. "-" is
 * standard input.
 */
bool etm_file_fits(const char *path, uint64_t size);

/* Says in *diag that it cannot. Returns ETM_ERR_IO. */
int etm_file_too_large(struct etm_diag *diag, const char *path);

/*
 * Open a file; "-" is standard input. Other files name it, as a snapshot its
 * code, and what has no end must not be waited for: devices and pipes are
 * refused. On failure *file is empty: ETM_ERR_IO, also of a file that does not
 * fit, ETM_ERR_MEMORY.
 */
int etm_file_open(struct etm_file *file, const char *path,
                  const struct etm_allocator *allocator, struct etm_diag *diag);

/*
 * The same of a capture, which is read for a long time, and may be a device.
 * Where it is mapped, a file that another program makes shorter meanwhile ends
 * this one (SIGBUS), as a disk does that fails. So it stays open, if
 * descriptors are plenty, and is read: that can fail.
 */
int etm_file_open_capture(struct etm_file *file, const char *path,
                          const struct etm_allocator *allocator,
                          struct etm_diag *diag);

/* What a file is called in messages: "standard input" for "-". */
const char *etm_file_name(const char *path);

/* Bytes of a file that is `opened`, by any thread. Or ETM_ERR_IO:
 * etm_file_why() says in *diag why they are not there any more, and returns
 * that. */
int etm_file_read(int opened, uint64_t at, uint8_t *bytes, size_t n);
int etm_file_why(int opened, uint64_t before, const char *path,
                 struct etm_diag *diag);

/*
 * A file could not be opened, and *diag says why. The line of another one that
 * names it says more: that is where it is missing. Returns ETM_ERR_IO.
 */
int etm_file_named(struct etm_diag *diag, const char *where, uint64_t line,
                   const char *path);

/*
 * Bytes of a mapped file that will not be read again soon need no memory: they
 * come out of the file if they are. Whole pages of them.
 */
void etm_file_forget(const uint8_t *bytes, size_t n);

/*
 * As etm_frame_survey(), with memory for a few megabytes of a mapped file.
 * `first`: bytes before the first whole frame, 0 to 15 (ETM_FRAME_ALIGNED).
 */
int etm_file_survey(struct etm_frame_counts *counts,
                    enum etm_frame_layout layout, unsigned first,
                    const struct etm_file *file,
                    const struct etm_allocator *allocator);

/*
 * The bytes may be written from now on; the file stays as it is. False: there
 * is no memory for that.
 */
bool etm_file_own(const struct etm_file *file);

/* Accepts an empty one. */
void etm_file_close(struct etm_file *file,
                    const struct etm_allocator *allocator);

#endif
