/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__unix__) || defined(__APPLE__)
#define _POSIX_C_SOURCE 200809L
#define HAS_SOCKETS 1
#endif

#include "input/socket.h"

#include "input/text.h"

#include <string.h>

static const char prefix[] = "tcp:";
#define PREFIX (sizeof prefix - 1)

#ifdef HAS_SOCKETS
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long a server may take to answer, and how often is looked whether the
 * user has not that much patience: milliseconds. */
#define ANSWER 10000
#define LOOK 200

bool etm_socket_is(const char *path)
{
    struct stat info;

    return strncmp(path, prefix, PREFIX) == 0 && stat(path, &info) != 0;
}

struct address {
    char host[256];
    const char *port;
};

/* HOST:PORT, [HOST]:PORT, or :PORT of this machine. */
static bool take_apart(const char *path, struct address *a)
{
    const char *host = path + PREFIX, *colon = strrchr(host, ':');
    size_t n;

    if (colon == NULL || colon[1] == '\0')
        return false;
    n = (size_t)(colon - host);
    a->port = colon + 1;
    if (n >= 2 && host[0] == '[' && host[n - 1] == ']') {
        host++;
        n -= 2;
    }
    if (n >= sizeof a->host || memchr(host, '\0', n) != NULL)
        return false;
    memcpy(a->host, n != 0 ? host : "localhost", n != 0 ? n : 9);
    a->host[n != 0 ? n : 9] = '\0';
    return true;
}

static int fail(struct etm_diag *diag, const char *path, const char *why)
{
    return etm_text_fail(diag, ETM_ERR_IO, path, ETM_DIAG_NONE,
                         "cannot connect: %s", why);
}

/* Wait for the answer. 0, or what is wrong. */
static int await(int fd, const volatile int *interrupted)
{
    struct pollfd one = {.fd = fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;

    for (int waited = 0; waited < ANSWER; waited += LOOK) {
        int n = poll(&one, 1, LOOK);

        if (n > 0)
            return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0
                       ? error
                       : errno;
        if (n < 0 && errno != EINTR)
            return errno;
        if (interrupted != NULL && *interrupted != 0)
            return EINTR;
    }
    return ETIMEDOUT;
}

/* A connection to one address of the host. 0, or what is wrong. */
static int connect_to(const struct addrinfo *to,
                      const volatile int *interrupted, int *fd)
{
    int one = socket(to->ai_family, to->ai_socktype, to->ai_protocol);
    int error = 0, flags;

    if (one < 0)
        return errno;
    (void)fcntl(one, F_SETFD, FD_CLOEXEC);
    flags = fcntl(one, F_GETFL);
    (void)fcntl(one, F_SETFL, flags | O_NONBLOCK);
    if (connect(one, to->ai_addr, to->ai_addrlen) != 0)
        error = errno == EINPROGRESS || errno == EINTR ? await(one, interrupted)
                                                       : errno;
    if (error != 0) {
        close(one);
        return error;
    }
    (void)fcntl(one, F_SETFL, flags);
    *fd = one;
    return 0;
}

int etm_socket_open(int *fd, const char *path, const volatile int *interrupted,
                    struct etm_diag *diag)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *all = NULL;
    struct address a;
    int error;

    *fd = -1;
    if (!take_apart(path, &a) || etm_socket_port(path) == 0)
        return etm_text_fail(diag, ETM_ERR_IO, path, ETM_DIAG_NONE,
                             "it is not of the form tcp:HOST:PORT");
    error = getaddrinfo(a.host, a.port, &hints, &all);
    if (error != 0)
        return fail(diag, path, gai_strerror(error));
    error = EHOSTUNREACH;
    for (const struct addrinfo *to = all; to != NULL && *fd < 0;
         to = to->ai_next)
        error = connect_to(to, interrupted, fd);
    freeaddrinfo(all);
    return *fd >= 0 ? ETM_OK : fail(diag, path, strerror(error));
}

#else

bool etm_socket_is(const char *path)
{
    return strncmp(path, prefix, PREFIX) == 0;
}

int etm_socket_open(int *fd, const char *path, const volatile int *interrupted,
                    struct etm_diag *diag)
{
    (void)interrupted;
    *fd = -1;
    return etm_text_fail(diag, ETM_ERR_IO, path, ETM_DIAG_NONE,
                         "connections are not supported here");
}

#endif

unsigned etm_socket_port(const char *path)
{
    const char *at = strrchr(path, ':');
    unsigned port = 0;

    for (at = at != NULL ? at + 1 : ""; *at >= '0' && *at <= '9'; at++) {
        port = 10 * port + (unsigned)(*at - '0');
        if (port > 65535)
            return 0;
    }
    return *at == '\0' ? port : 0;
}
