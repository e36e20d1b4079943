/* SPDX-License-Identifier: Apache-2.0 */
/* etm gdb: a debugger goes through the trace. */
#define _POSIX_C_SOURCE 200809L
#include "gdb/gdb.h"
#include "cli/args.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Only this machine, unless a host is given. */
#define LOOPBACK "127.0.0.1"
#define HOST_MOST 256u

/* HOST:PORT, [HOST]:PORT, :PORT or PORT. False: it is none of these. */
static bool split_address(const char *text, char *host, size_t capacity,
                          const char **port)
{
    const char *colon = strrchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : 0;
    uint64_t number;

    *port = colon ? colon + 1 : text;
    if (!etm_cli_number(*port, 65535, &number))
        return false;
    if (n >= 2 && text[0] == '[' && text[n - 1] == ']') {
        text++;
        n -= 2;
    }
    if (n == 0) {
        text = LOOPBACK;
        n = strlen(LOOPBACK);
    }
    if (n >= capacity)
        return false;
    memcpy(host, text, n);
    host[n] = '\0';
    return true;
}

/* A socket that listens there. -1 after a message. */
static int listen_at(const char *address, const struct addrinfo *at)
{
    int fd = -1, yes = 1;

    for (; at && fd < 0; at = at->ai_next) {
        fd = socket(at->ai_family, at->ai_socktype, at->ai_protocol);
        if (fd < 0)
            continue;
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
        if (bind(fd, at->ai_addr, at->ai_addrlen) != 0 || listen(fd, 1) != 0) {
            int why = errno;

            (void)close(fd);
            errno = why;
            fd = -1;
        }
    }
    if (fd < 0)
        etm_cli_error("--listen %s: %s", address, strerror(errno));
    return fd;
}

/* Say where, with the port that was chosen for 0. */
static void tell_address(int fd)
{
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    char host[64], port[16];

    if (getsockname(fd, (struct sockaddr *)&at, &size) == 0 &&
        getnameinfo((struct sockaddr *)&at, size, host, sizeof host, port,
                    sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) == 0)
        etm_cli_error(strchr(host, ':') ? "waiting for a debugger at [%s]:%s"
                                        : "waiting for a debugger at %s:%s",
                      host, port);
}

/* Wait for one client. Its socket; -1 after a message. */
static int wait_for_client(const char *address)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                                   .ai_flags = AI_PASSIVE};
    struct addrinfo *found = NULL;
    char host[HOST_MOST];
    const char *port = NULL;
    int fd, client, why;

    (void)split_address(address, host, sizeof host, &port);
    why = getaddrinfo(host, port, &hints, &found);
    if (why != 0) {
        etm_cli_error("--listen %s: %s", address, gai_strerror(why));
        return -1;
    }
    fd = listen_at(address, found);
    freeaddrinfo(found);
    if (fd < 0)
        return -1;
    tell_address(fd);
    do
        client = accept(fd, NULL, NULL);
    while (client < 0 && errno == EINTR);
    if (client < 0)
        etm_cli_error("--listen %s: %s", address, strerror(errno));
    (void)close(fd);
    return client;
}

static int serve(const struct etm_cli_options *options,
                 const struct etm_cli_capture *capture, int in, int out)
{
    struct etm_gdb_config config = {.session = capture->session,
                                    .sources = capture->sources,
                                    .n_sources = capture->n_sources,
                                    .jobs = etm_cli_threads(options),
                                    .in = in,
                                    .out = out};
    uint32_t variable;
    int status;

    if (options->view.task_variable &&
        etm_cli_variable(capture->session, options->view.task_variable,
                         &variable, NULL))
        config.task_variable = &variable;
    status = etm_gdb_serve(&config);
    if (status == ETM_ERR_NOT_FOUND)
        etm_cli_error("%s: no instruction is in its trace: is the code given "
                      "(--image)?",
                      etm_cli_path(options->capture));
    else if (status != ETM_OK)
        etm_cli_error("%s: %s", etm_cli_path(options->capture),
                      etm_status_text(status));
    return status == ETM_OK ? ETM_EXIT_OK : ETM_EXIT_UNREADABLE;
}

/* Is the command line consistent? -1, or an exit status after a message. */
static int check(const struct etm_cli_options *o)
{
    char host[HOST_MOST];
    const char *port;

    if (o->listen)
        return split_address(o->listen, host, sizeof host, &port)
                   ? -1
                   : etm_cli_bad_value(o->name, "--listen", o->listen,
                                       "not HOST:PORT");
    if (strcmp(o->capture, "-") == 0)
        return etm_cli_usage(o->name, "-: standard input is the debugger's, "
                                      "without --listen");
    if (isatty(STDIN_FILENO))
        return etm_cli_usage(o->name,
                             "standard input is a terminal, not a debugger: "
                             "use --listen, or GDB's 'target remote | etm gdb "
                             "...'");
    return -1;
}

int etm_cli_gdb(const struct etm_cli_options *options,
                struct etm_cli_output *output)
{
    struct etm_cli_options o = *options;
    struct etm_cli_capture capture;
    int in = STDIN_FILENO, out = STDOUT_FILENO, status;

    o.no_pager = true;
    if (o.listen && strcmp(o.listen, "-") == 0)
        o.listen = NULL;
    status = check(&o);
    if (status >= 0)
        return status;
    status = etm_cli_open(&capture, &o, output, true);
    if (status != ETM_EXIT_OK)
        return status;
    status = etm_cli_variable_check(&o, capture.session);
    if (status == ETM_EXIT_OK && o.listen) {
        in = out = wait_for_client(o.listen);
        status = in < 0 ? ETM_EXIT_UNREADABLE : ETM_EXIT_OK;
    }
    if (status == ETM_EXIT_OK)
        status = serve(&o, &capture, in, out);
    if (o.listen && in >= 0)
        (void)close(in);
    etm_cli_close(&capture);
    return status;
}
