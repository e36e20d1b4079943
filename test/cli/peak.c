/* SPDX-License-Identifier: Apache-2.0 */
/* Run a command, and fail if it had more memory at a time than it should.
 * Usage: peak MEGABYTES COMMAND ARGUMENT... */
#define _DEFAULT_SOURCE

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rusage usage;
    long most;
    int status;
    pid_t child;

    if (argc < 3)
        return 99;
    child = fork();
    if (child < 0)
        return 99;
    if (child == 0) {
        (void)execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (waitpid(child, &status, 0) < 0 ||
        getrusage(RUSAGE_CHILDREN, &usage) != 0)
        return 99;
    most = strtol(argv[1], NULL, 10) * 1024; /* ru_maxrss is in KiB */
    if (usage.ru_maxrss > most)
        fprintf(stderr, "peak: %ld KiB, more than %ld\n", usage.ru_maxrss,
                most);
    if (!WIFEXITED(status))
        return 98;
    return usage.ru_maxrss > most ? 97 : WEXITSTATUS(status);
}
