/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the traced processes had mapped: a list of libraries, and their files.
 * GDB asks the target for these unless it is told where they are (set sysroot).
 * Only files of the list can be read.
 */
#define _POSIX_C_SOURCE 200809L
#include "gdb/server.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is it a further part of a file that was listed? */
static bool is_listed(const struct etm_session *session, size_t n)
{
    const struct etm_mapping *m = etm_session_mapping(session, n);

    for (size_t i = 0; i < n; i++) {
        const struct etm_mapping *other = etm_session_mapping(session, i);

        if (strcmp(other->path, m->path) == 0 && other->moved == m->moved)
            return true;
    }
    return false;
}

/* Where the first segment of a file is: by that GDB moves all of them. */
static uint32_t base_of(const struct etm_mapping *m)
{
    uint32_t first;

    if (m->moved_known && etm_gdb_program_base(m->file, &first))
        return first + m->moved;
    return m->address - (uint32_t)m->offset;
}

const struct etm_mapping *
etm_gdb_main_program(const struct etm_session *session)
{
    const struct etm_mapping *m, *found = NULL;

    for (size_t i = 0; (m = etm_session_mapping(session, i)) != NULL; i++) {
        if (!m->program || !m->file)
            continue;
        if (found &&
            (strcmp(found->path, m->path) != 0 || found->moved != m->moved))
            return NULL;
        found = found ? found : m;
    }
    return found;
}

void etm_gdb_put_offsets(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    const struct etm_mapping *m = etm_gdb_main_program(s->config->session);

    (void)text;
    if (!m || (m->moved == 0 && !s->program_told))
        return; /* not known here */
    etm_gdb_put(&s->reply, "TextSeg=");
    etm_gdb_put_number(&s->reply, base_of(m));
}

void etm_gdb_list_libraries(const struct etm_session *session,
                            struct etm_gdb_document *document)
{
    const struct etm_mapping *m, *program = etm_gdb_main_program(session);

    etm_gdb_document_put(document, "<library-list>");
    for (size_t i = 0; (m = etm_session_mapping(session, i)) != NULL; i++) {
        if (is_listed(session, i) ||
            (program && strcmp(program->path, m->path) == 0 &&
             program->moved == m->moved))
            continue;
        etm_gdb_document_put(document, "<library name=\"");
        etm_gdb_document_name(document, m->path);
        etm_gdb_document_print(
            document, "\"><segment address=\"0x%" PRIx32 "\"/></library>",
            base_of(m));
    }
    etm_gdb_document_put(document, "</library-list>");
}

/* Errors of the protocol's file operations (GDB manual, "Errno Values"). */
enum { NO_ENTRY = 2, BAD_FILE = 9, INVALID = 22, TOO_MANY = 24 };

static void put_failure(struct etm_gdb_server *s, unsigned error)
{
    s->reply.n = 0;
    etm_gdb_put(&s->reply, "F-1,");
    etm_gdb_put_number(&s->reply, error);
}

static void put_result(struct etm_gdb_server *s, uint64_t value)
{
    etm_gdb_put_char(&s->reply, 'F');
    etm_gdb_put_number(&s->reply, value);
}

/* The file here of a path there; NULL: there is none. */
static const char *file_of(const struct etm_session *session, const char *path)
{
    const struct etm_mapping *m;

    for (size_t i = 0; (m = etm_session_mapping(session, i)) != NULL; i++)
        if (m->file && strcmp(m->path, path) == 0)
            return m->file;
    return NULL;
}

/* PATH in hexadecimal digits, FLAGS, MODE: only reading is possible. */
static void open_file(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    char path[4096];
    size_t n = etm_gdb_take_bytes(text, path, sizeof path - 1), slot = 0;
    const char *file;

    path[n] = '\0';
    file = etm_gdb_take_word(text, ",0,") && strlen(path) == n
               ? file_of(s->config->session, path)
               : NULL;
    while (slot < ETM_GDB_FILES && s->files[slot] != 0)
        slot++;
    if (!file || slot == ETM_GDB_FILES) {
        put_failure(s, file ? TOO_MANY : NO_ENTRY);
        return;
    }
    s->files[slot] = open(file, O_RDONLY | O_CLOEXEC) + 1;
    if (s->files[slot] == 0)
        put_failure(s, NO_ENTRY);
    else
        put_result(s, slot);
}

/* A file that is open; NULL after a reply. */
static int *take_file(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    uint64_t slot;

    if (etm_gdb_take_hex(text, &slot) && slot < ETM_GDB_FILES &&
        s->files[slot] != 0)
        return &s->files[slot];
    put_failure(s, BAD_FILE);
    return NULL;
}

static void close_file(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    int *file = take_file(s, text);

    if (!file)
        return;
    (void)close(*file - 1);
    *file = 0;
    put_result(s, 0);
}

/* FILE,COUNT,OFFSET */
static void read_file(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    char bytes[ETM_GDB_PACKET_MOST / 2];
    int *file = take_file(s, text);
    uint64_t count, offset;
    ssize_t n;

    if (!file)
        return;
    if (!etm_gdb_take_char(text, ',') || !etm_gdb_take_hex(text, &count) ||
        !etm_gdb_take_char(text, ',') || !etm_gdb_take_hex(text, &offset) ||
        !etm_gdb_is_end(text) || offset > INT32_MAX) {
        put_failure(s, INVALID);
        return;
    }
    n = pread(*file - 1, bytes, count < sizeof bytes ? count : sizeof bytes,
              (off_t)offset);
    if (n < 0) {
        put_failure(s, INVALID);
        return;
    }
    put_result(s, (uint64_t)n);
    etm_gdb_put_char(&s->reply, ';');
    for (ssize_t i = 0; i < n; i++)
        etm_gdb_put_char(&s->reply, bytes[i]);
}

/* 1 to 8 bytes. */
static void put_big(struct etm_gdb_reply *to, uint64_t value, unsigned bytes)
{
    while (bytes-- > 0)
        etm_gdb_put_char(to, (char)(uint8_t)(value >> 8 * bytes));
}

/* A regular file of some size (GDB manual, "struct stat"). */
static void tell_size(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    int *file = take_file(s, text);
    struct stat known;

    if (!file)
        return;
    if (fstat(*file - 1, &known) != 0) {
        put_failure(s, BAD_FILE);
        return;
    }
    etm_gdb_put(&s->reply, "F40;");
    put_big(&s->reply, 0, 8);       /* device, inode */
    put_big(&s->reply, 0100444, 4); /* mode */
    put_big(&s->reply, 1, 4);       /* links */
    put_big(&s->reply, 0, 8);       /* user, group */
    put_big(&s->reply, 0, 4);       /* device */
    put_big(&s->reply, (uint64_t)known.st_size, 8);
    put_big(&s->reply, 512, 8); /* of blocks */
    put_big(&s->reply, ((uint64_t)known.st_size + 511) / 512, 8);
    put_big(&s->reply, 0, 8); /* times of access and change */
    put_big(&s->reply, 0, 4); /* and of status */
}

void etm_gdb_file(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    if (!etm_session_mapping(s->config->session, 0))
        return; /* there are no files here */
    if (etm_gdb_take_word(text, "setfs:"))
        put_result(s, 0);
    else if (etm_gdb_take_word(text, "open:"))
        open_file(s, text);
    else if (etm_gdb_take_word(text, "pread:"))
        read_file(s, text);
    else if (etm_gdb_take_word(text, "fstat:"))
        tell_size(s, text);
    else if (etm_gdb_take_word(text, "close:"))
        close_file(s, text);
}

void etm_gdb_close_files(struct etm_gdb_server *s)
{
    for (size_t i = 0; i < ETM_GDB_FILES; i++)
        if (s->files[i] != 0)
            (void)close(s->files[i] - 1);
}
