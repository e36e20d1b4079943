/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700

#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[256];

int make_directory(void **state)
{
    const char *parent = getenv("TMPDIR");

    (void)state;
    snprintf(directory, sizeof directory, "%s/etm-input-XXXXXX",
             parent != NULL ? parent : P_tmpdir);
    return mkdtemp(directory) == NULL ? -1 : 0;
}

/* Everything below it goes. */
static int empty(const char *path)
{
    DIR *dir = opendir(path);
    struct dirent *entry;

    if (dir == NULL)
        return -1;
    while ((entry = readdir(dir)) != NULL) {
        char name[1024];

        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (empty(name) == 0)
            rmdir(name);
        else
            unlink(name);
    }
    closedir(dir);
    return 0;
}

int empty_directory(void **state)
{
    (void)state;
    return empty(directory);
}

int remove_directory(void **state)
{
    empty_directory(state);
    return rmdir(directory);
}

const char *in_directory(const char *name)
{
    static char paths[4][600];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

const char *data_path(const char *name)
{
    static char path[600];

    snprintf(path, sizeof path, "%s/%s", getenv("ETM_TEST_DATA"), name);
    return path;
}

void copy_data(const char *name)
{
    static uint8_t bytes[1 << 16];
    FILE *stream = fopen(data_path(name), "rb");
    size_t n;

    assert_non_null(stream);
    n = fread(bytes, 1, sizeof bytes, stream);
    assert_true(n < sizeof bytes);
    assert_int_equal(fclose(stream), 0);
    write_file(name, bytes, n);
}

void need_elfutils(void)
{
#ifndef HAVE_ELFUTILS
    print_message("skipped: this build reads no ELF files\n");
    skip();
#endif
}

void write_file(const char *name, const void *bytes, size_t n)
{
    FILE *stream = fopen(in_directory(name), "wb");

    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, n, stream), n);
    assert_int_equal(fclose(stream), 0);
}

pid_t write_pipe(const char *name, const uint8_t *bytes, size_t n, size_t piece)
{
    const char *path = in_directory(name);
    pid_t child;

    assert_int_equal(mkfifo(path, 0600), 0);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        int fd = open(path, O_WRONLY);

        for (ssize_t done = 1; n != 0 && done > 0; n -= (size_t)done) {
            done = write(fd, bytes, n < piece ? n : piece);
            if (done <= 0)
                break;
            bytes += done;
            if ((size_t)done < n)
                poll(NULL, 0, 1);
        }
        _exit(0);
    }
    return child;
}

void end_pipe(pid_t child, const char *name)
{
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(unlink(in_directory(name)), 0);
}

void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

void expect_diag(const struct etm_diag *diag, int status, const char *source,
                 unsigned line, const char *part)
{
    size_t n = strlen(diag->source), wanted = strlen(source);

    assert_int_equal(diag->status, status);
    if (strstr(diag->what, part) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", diag->what, part);
    if (strchr(diag->what, '\n') != NULL)
        fail_msg("\"%s\" is more than one line", diag->what);
    if (n < wanted || strcmp(diag->source + n - wanted, source) != 0)
        fail_msg("the source is \"%s\", not \"%s\"", diag->source, source);
    if (line != 0)
        assert_int_equal(diag->line, line);
}
