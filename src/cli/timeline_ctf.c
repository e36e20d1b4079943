/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trace of the Common Trace Format, version 1.8 (diamon.org/ctf): a directory
 * of streams, one for each track, and of `metadata`, which describes them. The
 * names of tracks are in an enumeration there, so it is written last.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/timeline.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC UINT32_C(0xc1fc1fc1) /* of packets, 5.1 */

/* Of events; values are of a type of numbers each. */
enum { ENTER, LEAVE, MARK, UNSIGNED, HEXADECIMAL, SIGNED, FLOAT };

struct track {
    uint32_t number; /* source and track */
    char *name;
};

struct etm_cli_ctf {
    FILE *files[ETM_CLI_TRACKS]; /* of the current source */
    struct track *tracks;
    size_t n_tracks, room;
    char source[128];
    bool failed; /* a message was printed */
};

static void fail(struct etm_cli_replay *r, const char *what)
{
    struct etm_cli_timeline *t = r->state;

    if (!t->ctf->failed)
        etm_cli_error("%s/%s: %s", r->options->directory, what,
                      strerror(errno));
    t->ctf->failed = true;
    r->output->failed = true;
}

static FILE *create(struct etm_cli_replay *r, const char *name)
{
    char path[4096];
    FILE *file = NULL;

    if (snprintf(path, sizeof path, "%s/%s", r->options->directory, name) <
        (int)sizeof path)
        file = fopen(path, "wb");
    else
        errno = ENAMETOOLONG;
    if (!file)
        fail(r, name);
    return file;
}

static void put_number(FILE *file, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        fputc((int)(value >> (8 * i) & 0xff), file);
}

static void put_string(FILE *file, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, file);
}

static uint32_t number_of(const struct etm_cli_timeline *t, unsigned track)
{
    return t->source << 16 | track;
}

/* The head of an event; NULL after a message. */
static FILE *begin_event(struct etm_cli_replay *r, unsigned track,
                         uint64_t time, unsigned id)
{
    struct etm_cli_timeline *t = r->state;
    FILE **file = &t->ctf->files[track];
    char name[64];

    if (t->ctf->failed)
        return NULL;
    if (!*file) {
        snprintf(name, sizeof name, "source%u_track%u", (unsigned)t->source,
                 track);
        *file = create(r, name);
        if (!*file)
            return NULL;
        put_number(*file, MAGIC, 4);
    }
    put_number(*file, time, 8);
    put_number(*file, id, 1);
    put_number(*file, number_of(t, track), 4);
    return *file;
}

static void put_track(struct etm_cli_replay *r, unsigned track,
                      const char *name)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_ctf *c = t->ctf;
    char whole[256];

    if (track == ETM_CLI_TRACK_SOURCE) {
        snprintf(c->source, sizeof c->source, "%s", r->info->name);
        return;
    }
    if (c->n_tracks == c->room) {
        size_t room = 2 * c->room + 16;
        struct track *tracks = realloc(c->tracks, room * sizeof *tracks);

        if (!tracks) {
            t->failed = true;
            return;
        }
        c->tracks = tracks;
        c->room = room;
    }
    snprintf(whole, sizeof whole, "%s: %s", c->source, name);
    c->tracks[c->n_tracks] =
        (struct track){number_of(t, track), malloc(strlen(whole) + 1)};
    if (c->tracks[c->n_tracks].name)
        strcpy(c->tracks[c->n_tracks++].name, whole);
    else
        t->failed = true;
}

static const char *name_of(const struct etm_cli_timeline *t, uint32_t name)
{
    return name != 0 ? t->names[name - 1].text : "";
}

static void begin(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  uint32_t name)
{
    FILE *file = begin_event(r, track, time, ENTER);

    if (file)
        put_string(file, name_of(r->state, name));
}

static void end(struct etm_cli_replay *r, unsigned track, uint64_t time,
                uint32_t name, unsigned flags)
{
    FILE *file = begin_event(r, track, time, LEAVE);
    char text[ETM_CLI_FLAGS];
    const char *words = etm_cli_timeline_flags(flags, text);

    if (!file)
        return;
    put_string(file, name_of(r->state, name));
    /* babeltrace2 2.0 shows the string before in place of an empty one */
    put_string(file, words ? words : "-");
}

static void mark(struct etm_cli_replay *r, unsigned track, uint64_t time,
                 uint32_t name)
{
    FILE *file = begin_event(r, track, time, MARK);

    if (file)
        put_string(file, name_of(r->state, name));
}

static void count(struct etm_cli_replay *r, unsigned track, uint64_t time,
                  const struct etm_cli_drawn_value *value)
{
    const struct etm_cli_value *v = &value->value;
    unsigned id = v->is_float                           ? FLOAT
                  : v->is_signed                        ? SIGNED
                  : etm_cli_value_is_hex(value->scalar) ? HEXADECIMAL
                                                        : UNSIGNED;
    FILE *file = begin_event(r, track, time, id);
    uint64_t bits = v->bits;

    if (!file)
        return;
    if (v->is_float)
        memcpy(&bits, &v->number, sizeof bits);
    put_string(file, value->scalar->name);
    put_number(file, bits, 8);
    put_string(file, value->name != 0 ? name_of(r->state, value->name) : "-");
}

static const struct etm_cli_sink sink = {put_track, begin, end, mark, count};

/* Its streams would be taken for some of this trace. */
static bool is_empty(const char *directory)
{
    DIR *dir = opendir(directory);
    const struct dirent *entry;
    bool empty = true;

    if (!dir)
        return false;
    while ((entry = readdir(dir)) != NULL)
        empty = empty && entry->d_name[0] == '.';
    (void)closedir(dir);
    return empty;
}

static int prepare(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    const char *directory = r->options->directory;
    int status = etm_cli_timeline_prepare(r);

    if (status != ETM_EXIT_OK)
        return status;
    t->ctf = calloc(1, sizeof *t->ctf);
    if (!t->ctf) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    if (mkdir(directory, 0777) == 0)
        return ETM_EXIT_OK;
    if (errno == EEXIST && is_empty(directory))
        return ETM_EXIT_OK;
    if (errno == EEXIST)
        errno = ENOTEMPTY;
    etm_cli_error("%s: %s", directory, strerror(errno));
    return ETM_EXIT_UNREADABLE;
}

static void close_file(struct etm_cli_replay *r, FILE *file, const char *name)
{
    bool failed = ferror(file) != 0;

    if (fclose(file) != 0 || failed)
        fail(r, name);
}

static int end_source(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    int status = etm_cli_timeline_end_source(r);

    for (size_t i = 0; i < ETM_CLI_TRACKS; i++)
        if (t->ctf->files[i]) {
            close_file(r, t->ctf->files[i], "a stream");
            t->ctf->files[i] = NULL;
        }
    return status;
}

static void put_quoted(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '"' || c == '\\')
            fputc('\\', file);
        fputc(c < ' ' || c == 0x7f ? '?' : c, file);
    }
    fputc('"', file);
}

static void put_event(FILE *file, unsigned id, const char *name,
                      const char *fields)
{
    fprintf(file,
            "event {\n    name = \"%s\";\n    id = %u;\n"
            "    fields := struct { %s };\n};\n\n",
            name, id, fields);
}

static void put_value(FILE *file, unsigned id, const char *type)
{
    char fields[64];

    (void)snprintf(fields, sizeof fields, "string name; %s value; string text;",
                   type);
    put_event(file, id, "value", fields);
}

static void put_metadata(const struct etm_cli_ctf *c, FILE *file)
{
    fprintf(file,
            "/* CTF 1.8 */\n\n"
            "typealias integer { size = 8; align = 8; signed = false; } := "
            "uint8_t;\n"
            "typealias integer { size = 32; align = 8; signed = false; } := "
            "uint32_t;\n"
            "typealias integer { size = 64; align = 8; signed = false; } := "
            "uint64_t;\n"
            "typealias integer { size = 64; align = 8; signed = false; "
            "base = 16; } := hex64_t;\n"
            "typealias integer { size = 64; align = 8; signed = true; } := "
            "int64_t;\n"
            "typealias floating_point { exp_dig = 11; mant_dig = 53; "
            "align = 8; } := double_t;\n\n"
            "trace {\n    major = 1;\n    minor = 8;\n    byte_order = le;\n"
            "    packet.header := struct { uint32_t magic; };\n};\n\n"
            "env {\n    tracer_name = \"libetm\";\n};\n\n"
            "/* A tick of the timestamps, a cycle or an instruction. */\n"
            "clock {\n    name = ticks;\n    freq = 1000000000;\n};\n\n"
            "typealias integer {\n    size = 64; align = 8; signed = false;\n"
            "    map = clock.ticks.value;\n} := ticks_t;\n\n"
            "stream {\n"
            "    event.header := struct { ticks_t timestamp; uint8_t id; };\n"
            "    event.context := struct {\n        enum : uint32_t {");
    for (size_t i = 0; i < c->n_tracks; i++) {
        fprintf(file, "%s\n            ", i != 0 ? "," : "");
        put_quoted(file, c->tracks[i].name);
        fprintf(file, " = %" PRIu32, c->tracks[i].number);
    }
    fprintf(file, "\n        } track;\n    };\n};\n\n");
    put_event(file, ENTER, "enter", "string name;");
    put_event(file, LEAVE, "leave", "string name; string flags;");
    put_event(file, MARK, "mark", "string name;");
    put_value(file, UNSIGNED, "uint64_t");
    put_value(file, HEXADECIMAL, "hex64_t");
    put_value(file, SIGNED, "int64_t");
    put_value(file, FLOAT, "double_t");
}

static int end_trace(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    FILE *file = t->ctf->failed ? NULL : create(r, "metadata");

    if (file) {
        put_metadata(t->ctf, file);
        close_file(r, file, "metadata");
    }
    return t->ctf->failed ? ETM_ERR_STOPPED : etm_cli_timeline_end(r);
}

static void free_trace(struct etm_cli_replay *r)
{
    struct etm_cli_timeline *t = r->state;
    struct etm_cli_ctf *c = t->ctf;

    for (size_t i = 0; c && i < ETM_CLI_TRACKS; i++)
        if (c->files[i])
            (void)fclose(c->files[i]);
    for (size_t i = 0; c && i < c->n_tracks; i++)
        free(c->tracks[i].name);
    if (c)
        free(c->tracks);
    free(c);
    etm_cli_timeline_free(r);
}

const struct etm_cli_view etm_cli_timeline_ctf = {
    .command = ETM_CLI_TIMELINE,
    .format = "ctf",
    .state_size = sizeof(struct etm_cli_timeline),
    .sink = &sink,
    .prepare = prepare,
    .source = etm_cli_timeline_source,
    .calls = etm_cli_timeline_calls,
    .element = etm_cli_timeline_element,
    .end_source = end_source,
    .end = end_trace,
    .free = free_trace,
};
