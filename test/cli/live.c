/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run a command whose standard input goes on: a file is written there, and
 * nothing more. When it has printed all that it will for now, or nothing in so
 * many seconds, it is interrupted, like by Ctrl-C. Its output is ours, and so
 * is its exit status; 97 if it printed nothing before the interrupt.
 * Usage: live SECONDS FILE COMMAND ARGUMENT...
 */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define QUIET 1000 /* milliseconds without output */

static pid_t start(char **command, int *in, int *out)
{
    int to[2], from[2];
    pid_t child;

    if (pipe(to) != 0 || pipe(from) != 0)
        return -1;
    child = fork();
    if (child == 0) {
        (void)signal(SIGINT, SIG_DFL); /* shells ignore it in the background */
        (void)signal(SIGPIPE, SIG_DFL);
        (void)dup2(to[0], STDIN_FILENO);
        (void)dup2(from[1], STDOUT_FILENO);
        for (int i = 0; i < 2; i++) {
            close(to[i]);
            close(from[i]);
        }
        (void)execvp(command[0], command);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    *in = to[1];
    *out = from[0];
    (void)fcntl(*in, F_SETFL, O_NONBLOCK);
    return child;
}

/* What there is of its output; false at the end. */
static int hand_on(int out, size_t *printed)
{
    char bytes[4096];
    ssize_t n = read(out, bytes, sizeof bytes);

    if (n > 0 && write(STDOUT_FILENO, bytes, (size_t)n) == n)
        *printed += (size_t)n;
    return n > 0;
}

int main(int argc, char **argv)
{
    char bytes[4096];
    size_t n = 0, at = 0, printed = 0, before;
    int in, out, file, status, patience, more = 1;
    pid_t child;

    if (argc < 4 || (file = open(argv[2], O_RDONLY)) < 0)
        return 99;
    patience = 1000 * atoi(argv[1]);
    (void)signal(SIGPIPE, SIG_IGN);
    child = start(argv + 3, &in, &out);
    if (child < 0)
        return 99;
    while (more) {
        struct pollfd fds[2] = {{.fd = out, .events = POLLIN},
                                {.fd = in, .events = POLLOUT}};
        ssize_t done;

        if (at == n) {
            done = read(file, bytes, sizeof bytes);
            n = done > 0 ? (size_t)done : 0;
            at = 0;
        }
        if (n == 0)
            fds[1].fd = -1; /* all was written, and nothing follows */
        if (poll(fds, 2, printed != 0 ? QUIET : patience) <= 0)
            break;
        if ((fds[1].revents & (POLLOUT | POLLERR)) != 0) {
            done = write(in, bytes + at, n - at);
            if (done < 0 && errno != EAGAIN)
                return 98;
            at += done > 0 ? (size_t)done : 0;
        }
        if (fds[0].revents != 0)
            more = hand_on(out, &printed);
    }
    before = printed;
    (void)kill(child, SIGINT);
    while (more)
        more = hand_on(out, &printed);
    if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return 98; /* the signal ended it */
    return before == 0 ? 97 : WEXITSTATUS(status);
}
