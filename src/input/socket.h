/* SPDX-License-Identifier: Apache-2.0 */
/* Trace that a server sends over a network: "tcp:HOST:PORT". A connection is
 * read as a pipe is (pipe.h). */
#ifndef ETM_INPUT_SOCKET_H
#define ETM_INPUT_SOCKET_H

#include <etm/types.h>

/* Is it the name of a server, and not that of a file? */
bool etm_socket_is(const char *path);

/* Its port, 0: it has none, or it is no number. */
unsigned etm_socket_port(const char *path);

/*
 * Connect; an interrupted call ends if *interrupted is not 0 then (NULL: there
 * is none). *fd is -1 on failure: ETM_ERR_IO, with what is wrong.
 */
int etm_socket_open(int *fd, const char *path, const volatile int *interrupted,
                    struct etm_diag *diag);

#endif
