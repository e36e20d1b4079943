/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Through libarchive. A session has a file `metadata`, an ini file:
 *
 *     [device 1]
 *     capturefile=logic-1
 *     samplerate=24 MHz
 *     unitsize=1
 *     probe1=TRACECLK
 *
 * and samples of `unitsize` bytes, in which probe N is bit N - 1, in
 * `logic-1-1`, `logic-1-2` ..., or in older ones all in `logic-1`.
 */
#include "input/sigrok.h"

#include "base/vec.h"
#include "input/libarchive.h"
#include "input/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS 64u
#define NAME 64u
#define UNIT_MOST 8u

/* Picoseconds of a second. */
#define SECOND UINT64_C(1000000000000)

struct piece {
    unsigned number;
    size_t at, n; /* in the samples */
};

struct session {
    const struct etm_sigrok_limits *limits;
    struct etm_libarchive library;
    char capture[NAME]; /* "logic-1" */
    char names[CHANNELS][NAME];
    unsigned unit;         /* bytes of a sample */
    uint64_t rate;         /* samples a second; 0: not known */
    struct etm_vec bytes;  /* of all pieces, in the order of the archive */
    struct etm_vec pieces; /* struct piece */
    struct etm_vec metadata;
};

bool etm_sigrok_possible(void)
{
    return true;
}

static int fail(struct etm_diag *diag, const char *path, const char *what)
{
    return etm_text_fail(diag, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                         "a session of sigrok: %s", what);
}

static int too_large(struct etm_diag *diag, const char *path, size_t most,
                     const char *what)
{
    return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, path, ETM_DIAG_NONE,
                         "a session of sigrok with more than %zu MiB of %s: "
                         "convert a part of it with sigrok-cli -O vcd",
                         most >> 20, what);
}

/* "24 MHz", "24000000" */
static uint64_t rate_of(const char *text)
{
    static const char units[] = "kMG";
    char *end;
    double rate = strtod(text, &end);
    const char *unit;

    end += strspn(end, " ");
    unit = *end != '\0' ? strchr(units, *end) : NULL;
    for (long i = unit != NULL ? unit - units : -1; i >= 0; i--)
        rate *= 1000;
    return rate >= 1 && rate < (double)SECOND ? (uint64_t)rate : 0;
}

static void copy_name(char to[NAME], const char *from)
{
    size_t n = strlen(from);

    n = n < NAME - 1 ? n : NAME - 1;
    for (size_t i = 0; i < n; i++) /* names of a dump have no blanks */
        to[i] = from[i] > ' ' ? from[i] : '_';
    to[n] = '\0';
}

/* A line of the metadata. */
static void take_line(struct session *s, char *line)
{
    char *value = strchr(line, '=');
    unsigned long n;

    if (value == NULL)
        return;
    *value++ = '\0';
    value[strcspn(value, "\r")] = '\0';
    if (strcmp(line, "capturefile") == 0) {
        copy_name(s->capture, value);
    } else if (strcmp(line, "samplerate") == 0) {
        s->rate = rate_of(value);
    } else if (strcmp(line, "unitsize") == 0) {
        n = strtoul(value, NULL, 10);
        s->unit = n <= UNIT_MOST ? (unsigned)n : 0;
    } else if (strncmp(line, "probe", 5) == 0) {
        n = strtoul(line + 5, NULL, 10);
        if (n >= 1 && n <= CHANNELS)
            copy_name(s->names[n - 1], value);
    }
}

/* The metadata of the first device. */
static int take_metadata(struct session *s, const char *path,
                         struct etm_diag *diag)
{
    char *at, *next;
    unsigned devices = 0;
    int status = etm_vec_append(&s->metadata, "", 1);

    if (status != ETM_OK)
        return status;
    for (at = s->metadata.data; at != NULL; at = next) {
        next = strchr(at, '\n');
        if (next != NULL)
            *next++ = '\0';
        if (at[0] == '[')
            devices += strncmp(at, "[device", 7) == 0;
        else if (devices == 1)
            take_line(s, at);
    }
    if (s->capture[0] == '\0' || s->unit == 0)
        return fail(diag, path, "it has no samples of logic channels");
    return ETM_OK;
}

static int append_data(const struct session *s, struct archive *a,
                       struct etm_vec *to, const char *path,
                       struct etm_diag *diag)
{
    size_t most = to == &s->metadata ? s->limits->metadata : s->limits->samples;
    char bytes[65536];
    la_ssize_t n;

    while ((n = s->library.archive_read_data(a, bytes, sizeof bytes)) > 0) {
        if ((size_t)n > most - to->n)
            return too_large(diag, path, most,
                             to == &s->metadata ? "metadata" : "samples");
        if (etm_vec_append(to, bytes, (size_t)n) != ETM_OK)
            return ETM_ERR_MEMORY;
    }
    return n == 0 ? ETM_OK
                  : fail(diag, path, s->library.archive_error_string(a));
}

/* A file of samples: its number, 0 if it has none; false: it is another one. */
static bool is_piece(const struct session *s, const char *name,
                     unsigned *number)
{
    size_t n = strlen(s->capture);

    if (strncmp(name, s->capture, n) != 0)
        return false;
    *number = 0;
    if (name[n] == '\0')
        return true;
    *number = (unsigned)strtoul(name + n + 1, NULL, 10);
    return name[n] == '-' && *number != 0;
}

static int take_piece(struct session *s, struct archive *a, unsigned number,
                      const char *path, struct etm_diag *diag)
{
    struct piece piece = {number, s->bytes.n, 0};
    int status = append_data(s, a, &s->bytes, path, diag);

    piece.n = s->bytes.n - piece.at;
    return status == ETM_OK ? etm_vec_append(&s->pieces, &piece, 1) : status;
}

/* All files of the archive: the metadata first, then the samples. */
static int read_archive(struct session *s, const struct etm_file *file,
                        bool samples, const char *path, struct etm_diag *diag)
{
    struct archive *a = s->library.archive_read_new();
    struct archive_entry *entry;
    int status = a != NULL ? ETM_OK : ETM_ERR_MEMORY, more = ARCHIVE_OK;

    if (status == ETM_OK &&
        (s->library.archive_read_support_format_zip(a) != ARCHIVE_OK ||
         s->library.archive_read_open_memory(a, file->bytes, file->n) !=
             ARCHIVE_OK))
        status = fail(diag, path, s->library.archive_error_string(a));
    while (status == ETM_OK && (more = s->library.archive_read_next_header(
                                    a, &entry)) == ARCHIVE_OK) {
        const char *name = s->library.archive_entry_pathname(entry);
        unsigned number;

        if (!samples && name != NULL && strcmp(name, "metadata") == 0)
            status = append_data(s, a, &s->metadata, path, diag);
        else if (samples && name != NULL && is_piece(s, name, &number))
            status = take_piece(s, a, number, path, diag);
    }
    if (status == ETM_OK && more != ARCHIVE_EOF)
        status = fail(diag, path, s->library.archive_error_string(a));
    (void)s->library.archive_read_free(a);
    return status;
}

static int by_number(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    return (x->number > y->number) - (x->number < y->number);
}

static int print(struct etm_vec *text, const char *line, int n)
{
    return n > 0 ? etm_vec_append(text, line, (size_t)n) : ETM_OK;
}

/* The identifier of a channel: a printable character. */
static char code_of(unsigned channel)
{
    return (char)('!' + channel);
}

static int declare(const struct session *s, struct etm_vec *text)
{
    char line[NAME + 64];
    int status = ETM_OK;

    if (s->rate != 0)
        status = print(text, line,
                       snprintf(line, sizeof line, "$timescale 1 ps $end\n"));
    for (unsigned i = 0; i < CHANNELS && status == ETM_OK; i++)
        if (s->names[i][0] != '\0')
            status =
                print(text, line,
                      snprintf(line, sizeof line, "$var wire 1 %c %s $end\n",
                               code_of(i), s->names[i]));
    return status == ETM_OK
               ? print(text, line,
                       snprintf(line, sizeof line, "$enddefinitions $end\n"))
               : status;
}

/* Picoseconds, or samples. */
static uint64_t time_of(const struct session *s, uint64_t sample)
{
    if (s->rate == 0)
        return sample;
    return sample / s->rate * SECOND +
           (uint64_t)((double)(sample % s->rate) * (double)SECOND /
                          (double)s->rate +
                      0.5);
}

/* What has changed at a sample. */
static int put_changes(const struct session *s, struct etm_vec *text,
                       uint64_t sample, uint64_t value, uint64_t changed)
{
    char line[32];
    int status =
        print(text, line,
              snprintf(line, sizeof line, "#%" PRIu64, time_of(s, sample)));

    for (unsigned i = 0; i < CHANNELS && status == ETM_OK; i++)
        if ((changed >> i & 1) != 0) {
            line[0] = ' ';
            line[1] = (value >> i & 1) != 0 ? '1' : '0';
            line[2] = code_of(i);
            status = etm_vec_append(text, line, 3);
        }
    return status == ETM_OK ? etm_vec_append(text, "\n", 1) : status;
}

static int put_samples(const struct session *s, struct etm_vec *text,
                       const char *path, struct etm_diag *diag)
{
    const struct piece *pieces = s->pieces.data;
    uint64_t used = 0, last = 0, sample = 0;
    int status = ETM_OK;

    for (unsigned i = 0; i < CHANNELS; i++)
        used |= (uint64_t)(s->names[i][0] != '\0') << i;
    for (size_t p = 0; p < s->pieces.n; p++) {
        const uint8_t *at = (const uint8_t *)s->bytes.data + pieces[p].at;

        for (size_t n = pieces[p].n / s->unit;
             n > 0 && status == ETM_OK && text->n <= s->limits->changes;
             n--, sample++) {
            uint64_t value = 0;

            for (unsigned k = 0; k < s->unit; k++)
                value |= (uint64_t)*at++ << (8 * k);
            value &= used;
            if (sample == 0 || value != last)
                status = put_changes(s, text, sample, value,
                                     sample == 0 ? used : value ^ last);
            last = value;
        }
    }
    /* the last levels last until the end */
    if (status == ETM_OK && sample != 0)
        status = put_changes(s, text, sample, last, 0);
    return status == ETM_OK && text->n > s->limits->changes
               ? too_large(diag, path, s->limits->changes, "changes")
               : status;
}

int etm_sigrok_convert(struct etm_file *file, const char *path,
                       const struct etm_sigrok_limits *limits,
                       const struct etm_allocator *allocator,
                       struct etm_diag *diag)
{
    struct session s = {.limits = limits};
    struct etm_vec text;
    int status;

    etm_vec_init(&text, 1, allocator);
    etm_vec_init(&s.bytes, 1, allocator);
    etm_vec_init(&s.metadata, 1, allocator);
    etm_vec_init(&s.pieces, sizeof(struct piece), allocator);
    status = etm_libarchive_load(&s.library, path, diag);
    if (status == ETM_OK)
        status = read_archive(&s, file, false, path, diag);
    if (status == ETM_OK)
        status = take_metadata(&s, path, diag);
    if (status == ETM_OK)
        status = read_archive(&s, file, true, path, diag);
    if (status == ETM_OK && s.pieces.n > 1)
        qsort(s.pieces.data, s.pieces.n, sizeof(struct piece), by_number);
    if (status == ETM_OK)
        status = declare(&s, &text);
    if (status == ETM_OK)
        status = put_samples(&s, &text, path, diag);
    etm_vec_fini(&s.bytes);
    etm_vec_fini(&s.metadata);
    etm_vec_fini(&s.pieces);
    if (status == ETM_OK) {
        etm_file_close(file, allocator);
        *file = (struct etm_file){.bytes = text.data, .n = text.n};
    } else {
        etm_vec_fini(&text);
    }
    return status;
}
