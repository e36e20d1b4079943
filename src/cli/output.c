/* SPDX-License-Identifier: Apache-2.0 */
/* Results and messages. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the next character that is not plain is, or the end of `n` bytes. */
static size_t plain_until(const char *text, size_t n, size_t *skip)
{
    size_t at = 0, length;

    for (*skip = 0; at < n; at += length) {
        bool plain;

        length = etm_character(text + at, n - at, &plain);
        if (!plain) {
            *skip = length != 0 ? length : 1;
            break;
        }
    }
    return at;
}

/* Messages may contain text from files, and a message has one line. */
static void put_plain(const char *text)
{
    for (size_t left = strlen(text), skip; left > 0;) {
        size_t n = plain_until(text, left, &skip);

        (void)fwrite(text, 1, n, stderr);
        if (skip != 0)
            fputc('?', stderr);
        text += n + skip;
        left -= n + skip;
    }
}

void etm_cli_error_begin(void)
{
    fputs(etm_cli_error_colours() ? "\033[1;31metm:\033[m " : "etm: ", stderr);
}

void etm_cli_error(const char *format, ...)
{
    char text[8192];
    va_list arguments;

    etm_cli_error_begin();
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_plain(text);
    fputc('\n', stderr);
}

const char *etm_cli_path(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

void etm_cli_diag(int status, const struct etm_diag *diag)
{
    const char *source = etm_cli_path(diag->source);
    bool said = diag->what[0] != '\0';

    etm_cli_error_begin();
    /* a register is named once, as is standard input */
    if (source[0] != '\0' &&
        (diag->line != ETM_DIAG_NONE ||
         strncmp(diag->what, source, strlen(source)) != 0)) {
        put_plain(source);
        if (said && diag->line != ETM_DIAG_NONE)
            fprintf(stderr, ":%" PRIu64, diag->line);
        fputs(": ", stderr);
    }
    put_plain(said ? diag->what : etm_status_text(status));
    if (said && diag->offset != ETM_DIAG_NONE)
        fprintf(stderr, " (at byte %" PRIu64 ")", diag->offset);
    if (said && diag->address != ETM_DIAG_NONE)
        fprintf(stderr, " (at address 0x%08" PRIx64 ")", diag->address);
    fputc('\n', stderr);
}

/* Is a file of this path, or standard input, the regular file `target`? */
static bool is_file(const struct stat *target, const char *path)
{
    struct stat file;
    bool there = path && (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &file)
                                                 : stat(path, &file)) == 0;

    return there && S_ISREG(target->st_mode) && file.st_dev == target->st_dev &&
           file.st_ino == target->st_ino;
}

uint64_t etm_cli_file_size(int fd)
{
    struct stat file;

    return fstat(fd, &file) == 0 && S_ISREG(file.st_mode)
               ? (uint64_t)file.st_size
               : 0;
}

bool etm_cli_is_input(const char *path, const char *input)
{
    struct stat target;

    return path && stat(path, &target) == 0 && is_file(&target, input);
}

bool etm_cli_would_replace(const char *path, const char *input,
                           const char *what)
{
    if (!etm_cli_is_input(path, input))
        return false;
    etm_cli_error("%s: the output would replace %s", path, what);
    return true;
}

/* Writing over an input would destroy it, and its mapped bytes. Returns what it
 * is; or NULL. */
static const char *read_as(const struct stat *target,
                           const struct etm_session *session)
{
    const char *path;

    for (size_t i = 0; i < etm_session_buffers(session); i++)
        if (is_file(target, etm_session_buffer(session, i)->path))
            return "the trace";
    for (size_t i = 0; (path = etm_session_code_file(session, i)) != NULL; i++)
        if (is_file(target, path))
            return "the code";
    for (size_t i = 0; (path = etm_session_file(session, i)) != NULL; i++)
        if (is_file(target, path))
            return "a file of the snapshot";
    return NULL;
}

int etm_cli_output_open(struct etm_cli_output *output, const char *path,
                        const struct etm_session *session)
{
    const char *what = NULL;
    struct stat target;

    if (path && strcmp(path, "-") == 0)
        path = NULL;
    *output = (struct etm_cli_output){.fd = STDOUT_FILENO,
                                      .name = path ? path : "standard output"};
    if (session &&
        (path ? stat(path, &target) : fstat(STDOUT_FILENO, &target)) == 0)
        what = read_as(&target, session);
    if (what) {
        etm_cli_error("%s: the output would replace %s", output->name, what);
        output->failed = true;
        return ETM_EXIT_UNREADABLE;
    }
    if (path)
        output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (output->fd < 0) {
        etm_cli_error("%s: %s", etm_cli_word(path), strerror(errno));
        output->failed = true;
        return ETM_EXIT_UNREADABLE;
    }
    output->terminal = isatty(output->fd);
    return ETM_EXIT_OK;
}

int etm_cli_flush(struct etm_cli_output *output)
{
    size_t n = output->n;

    output->n = 0;
    return n > 0 ? etm_cli_write(output, output->text, n) : ETM_OK;
}

int etm_cli_output_close(struct etm_cli_output *output)
{
    (void)etm_cli_flush(output);
    etm_cli_interrupt_line(false);
    if (etm_cli_pager_runs())
        etm_cli_pager_end();
    else if (output->fd > STDOUT_FILENO && close(output->fd) != 0 &&
             !output->failed) {
        etm_cli_error("%s: %s", output->name, strerror(errno));
        output->failed = true;
    }
    return output->failed ? ETM_EXIT_UNREADABLE : ETM_EXIT_OK;
}

bool etm_cli_stdout_flush(void)
{
    if (fflush(stdout) == 0 || errno == EPIPE)
        return true;
    etm_cli_error("standard output: %s", strerror(errno));
    return false;
}

/* Cut a file back to its last whole line. */
static void cut_line(struct etm_cli_output *output)
{
    struct stat file;
    off_t end = lseek(output->fd, 0, SEEK_CUR);

    if (end >= (off_t)output->tail && fstat(output->fd, &file) == 0 &&
        S_ISREG(file.st_mode))
        (void)!ftruncate(output->fd, end - (off_t)output->tail);
    output->tail = 0;
}

/* Write something of it; what was written, or -1. */
static ssize_t write_some(struct etm_cli_output *output, const char *text,
                          size_t n)
{
    ssize_t written;

    do {
        const char *end =
            etm_cli_interrupt_pending() ? memchr(text, '\n', n) : NULL;

        written = write(output->fd, text, end ? (size_t)(end - text) + 1 : n);
    } while (written < 0 && errno == EINTR);
    if (written > 0) {
        size_t tail = 0;

        while (tail < (size_t)written &&
               text[(size_t)written - 1 - tail] != '\n')
            tail++;
        output->tail = tail == (size_t)written ? output->tail + tail : tail;
    }
    return written;
}

int etm_cli_write(void *context, const char *text, size_t n)
{
    struct etm_cli_output *output = context;

    if (output->closed || output->failed)
        return ETM_ERR_STOPPED;
    if (output->keep)
        return output->keep(output->keep_context, text, n);
    if (output->paged && n > 0)
        etm_cli_pager_start(output);
    while (n > 0) {
        ssize_t written;

        etm_cli_interrupt_line(true);
        written = write_some(output, text, n);
        if (written < 0) {
            output->closed = errno == EPIPE;
            output->failed = !output->closed;
            if (output->failed)
                etm_cli_error("%s: %s", output->name, strerror(errno));
            cut_line(output);
        }
        etm_cli_interrupt_line(output->tail != 0);
        if (written < 0)
            return ETM_ERR_STOPPED;
        text += written;
        n -= (size_t)written;
    }
    return ETM_OK;
}

void etm_cli_print(struct etm_cli_output *output, const char *format, ...)
{
    va_list arguments;
    int n = 0;

    /* once into the remaining room, and if that is not enough, into all of
     * it */
    for (int i = 0; i < 2; i++) {
        size_t room = sizeof output->text - output->n;

        va_start(arguments, format);
        n = vsnprintf(output->text + output->n, room, format, arguments);
        va_end(arguments);
        if (n < 0)
            return;
        if ((size_t)n < room) {
            output->n += (size_t)n;
            return;
        }
        if (i == 0)
            (void)etm_cli_flush(output);
    }
    output->n = sizeof output->text - 1;
}

void etm_cli_put(struct etm_cli_output *output, const char *text, size_t n)
{
    if (n > sizeof output->text - output->n)
        (void)etm_cli_flush(output);
    if (n > sizeof output->text) {
        (void)etm_cli_write(output, text, n);
        return;
    }
    memcpy(output->text + output->n, text, n);
    output->n += n;
}

void etm_cli_put_plain(struct etm_cli_output *output, const char *text,
                       size_t n)
{
    while (n > 0) {
        size_t skip, some = plain_until(text, n, &skip);

        etm_cli_put(output, text, some);
        if (skip != 0)
            etm_cli_put(output, "?", 1);
        text += some + skip;
        n -= some + skip;
    }
}

void etm_cli_put_name(struct etm_cli_output *output, const char *name)
{
    char cut[ETM_NAME_SHOWN + 1];
    const char *shown = etm_name_shown(name, cut);

    etm_cli_put_plain(output, shown, strlen(shown));
}

const char *etm_cli_json_name(const char *name, char json[ETM_CLI_JSON])
{
    char cut[ETM_NAME_SHOWN + 1];

    return etm_json_string(etm_name_shown(name, cut), json, ETM_CLI_JSON);
}

void etm_cli_put_sentence(struct etm_cli_output *out, const char *text)
{
    size_t column = 2;

    etm_cli_print(out, "  ");
    for (const char *word = text; *word != '\0';) {
        size_t n = strcspn(word, " ");

        if (word != text && column + 1 + n > 80) {
            etm_cli_print(out, "\n    ");
            column = 4;
        } else if (word != text) {
            etm_cli_print(out, " ");
            column++;
        }
        etm_cli_put_plain(out, word, n);
        column += n;
        word += n;
        word += strspn(word, " ");
    }
    etm_cli_print(out, "\n");
}

int etm_cli_status(int status, const struct etm_diag *diag,
                   const struct etm_cli_output *output)
{
    if (output->failed)
        return ETM_EXIT_UNREADABLE;
    if (status == ETM_OK || output->closed)
        return ETM_EXIT_OK;
    etm_cli_diag(status, diag);
    return ETM_EXIT_UNREADABLE;
}

int etm_cli_names_status(const struct etm_session_names *names, int status,
                         struct etm_diag *diag)
{
    if (status != ETM_OK || !names->failed)
        return status;
    *diag = (struct etm_diag){.status = ETM_ERR_MEMORY,
                              .line = ETM_DIAG_NONE,
                              .offset = ETM_DIAG_NONE,
                              .address = ETM_DIAG_NONE,
                              .what = "names are missing: out of memory"};
    return ETM_ERR_MEMORY;
}

bool etm_cli_is_unread(int status)
{
    return status == ETM_ERR_FORMAT || status == ETM_ERR_IO;
}

int etm_cli_source_status(int status, const struct etm_diag *diag,
                          struct etm_cli_output *output)
{
    const struct etm_diag *why = &output->unread_why;

    if (!etm_cli_is_unread(status))
        return etm_cli_status(status, diag, output);
    if (output->unread && why->line == diag->line &&
        strcmp(why->source, diag->source) == 0 &&
        strcmp(why->what, diag->what) == 0)
        return ETM_EXIT_OK;
    status = etm_cli_status(status, diag, output);
    if (status == ETM_EXIT_OK || output->failed)
        return status;
    output->unread = true;
    output->unread_why = *diag;
    return ETM_EXIT_OK;
}
