/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trace that comes through a pipe: standard input, a FIFO, a device. Either it
 * is read once, as it comes, or it is kept until its end, so that it can be
 * read like a file. A file that is too large to be mapped is read once, too,
 * and cannot be kept.
 */
#ifndef ETM_INPUT_PIPE_H
#define ETM_INPUT_PIPE_H

#include "input/file.h"

struct etm_pipe;

struct etm_pipe_options {
    bool reconnect; /* a connection that is lost is none that has ended */
    uint64_t most;  /* bytes that etm_pipe_keep() keeps in a file at most */
    const volatile int *interrupted; /* not NULL: when it is not 0, the pipe or
                                        connection has ended */
};

/*
 * Open a pipe, or connect to a server (socket.h). *pipe is NULL if `path` is
 * neither, or pipes are not supported here: then use etm_file_open().
 * ETM_ERR_IO, ETM_ERR_MEMORY.
 */
int etm_pipe_open(struct etm_pipe **pipe, const char *path,
                  const struct etm_pipe_options *options,
                  const struct etm_allocator *allocator, struct etm_diag *diag);

/* Before anything is taken: what came and comes are packets (orbflow.h), and
 * what is looked at from now on, and taken, are frames. *bytes, *n: those of
 * what came, as of etm_pipe_look(). ETM_ERR_MEMORY; ETM_ERR_FORMAT: all came,
 * and there is no packet. */
int etm_pipe_unpack(struct etm_pipe *pipe, const uint8_t **bytes, size_t *n,
                    struct etm_diag *diag);

/* The source of the first of these packets; 0: none has come. */
uint8_t etm_pipe_first_id(const struct etm_pipe *pipe);

/* Is it a connection, which may have no end? */
bool etm_pipe_is_live(const struct etm_pipe *pipe);

/* Before something is taken: has a connection been lost since the last call?
 * What is taken next does not go on where that ended. */
bool etm_pipe_broken(struct etm_pipe *pipe);

/* Accepts NULL. */
void etm_pipe_close(struct etm_pipe *pipe);

/*
 * Look at the beginning, which was not taken yet, after waiting for more of it.
 * It is valid until the next call of a function below. False: there is no more,
 * or no room for more. ETM_ERR_IO, ETM_ERR_MEMORY in *status.
 */
bool etm_pipe_look(struct etm_pipe *pipe, const uint8_t **bytes, size_t *n,
                   int *status, struct etm_diag *diag);

/*
 * Wait until something can be taken or the end is reached, at most `patience`
 * milliseconds (-1: forever). *ready is false if nothing has come. ETM_ERR_IO,
 * ETM_ERR_MEMORY.
 */
int etm_pipe_wait(struct etm_pipe *pipe, int patience, bool *ready,
                  struct etm_diag *diag);

/*
 * Take what has come, at most `most` bytes; valid until the next call. None:
 * the end, if etm_pipe_wait() said that it was ready.
 */
size_t etm_pipe_take(struct etm_pipe *pipe, size_t most, const uint8_t **bytes);

/* Whether something was taken, which cannot be read again. */
bool etm_pipe_begun(const struct etm_pipe *pipe);

/*
 * Read to the end. What is too long for memory goes to an unnamed file in the
 * directory TMPDIR, or /tmp, which is mapped. On failure *file is empty:
 * ETM_ERR_IO, also of a file that is no pipe, ETM_ERR_MEMORY.
 */
int etm_pipe_keep(struct etm_pipe *pipe, struct etm_file *file,
                  struct etm_diag *diag);

#endif
