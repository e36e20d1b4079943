/* SPDX-License-Identifier: Apache-2.0 */
/* Run a command, and fail if what it writes to standard error does not come in
 * whole lines: those of several commands would be mixed.
 * Usage: whole COMMAND ARGUMENT... */
#define _GNU_SOURCE

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    static char piece[1 << 16];
    int ends[2], broken = 0, lines = 0, status;
    ssize_t n;
    pid_t child;

    /* a pipe that keeps what is written at a time apart */
    if (argc < 2 || pipe2(ends, O_DIRECT) != 0)
        return 99;
    child = fork();
    if (child == 0) {
        (void)dup2(ends[1], STDERR_FILENO);
        execvp(argv[1], argv + 1);
        _exit(99);
    }
    close(ends[1]);
    while ((n = read(ends[0], piece, sizeof piece)) > 0) {
        lines++;
        broken += piece[n - 1] != '\n';
        (void)fwrite(piece, 1, (size_t)n, stderr);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status == 99 << 8)
        return 99;
    fprintf(stderr, "%d pieces, %d of them are no line\n", lines, broken);
    return lines > 0 && broken == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
