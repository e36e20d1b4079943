/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A snapshot while it is written. snapshot.c has its directory,
 * snapshot_files.c its files, snapshot_add.c collects its contents,
 * snapshot_trace.c wraps the trace, snapshot_ini.c writes the descriptions.
 */
#ifndef ETM_WRITE_SNAPSHOT_H
#define ETM_WRITE_SNAPSHOT_H

#include "base/vec.h"

#include <etm/port.h>
#include <etm/write.h>
#include <stdio.h>

enum { ETM_SNAPSHOT_NAME = 64 }; /* with its terminator */

struct etm_snap_memory {
    char file[ETM_SNAPSHOT_NAME];
    uint32_t address;
    bool piece; /* of a file: offset and length count */
    uint32_t offset, length;
    struct etm_space space;
};

struct etm_snap_core {
    char name[ETM_SNAPSHOT_NAME];
    char type[ETM_SNAPSHOT_NAME];
    struct etm_vec registers; /* struct etm_register */
    struct etm_vec memory;    /* struct etm_snap_memory */
};

struct etm_snap_buffer {
    char name[ETM_SNAPSHOT_NAME];
    char file[ETM_SNAPSHOT_NAME];
    enum etm_framing framing;
    FILE *out;
    struct etm_framer *framer;
    bool used;        /* by a source */
    uint64_t written; /* bytes */
    bool stops;       /* the last byte that is not 0 is 01 */
};

struct etm_snap_source {
    char name[ETM_SNAPSHOT_NAME];
    char type[ETM_SNAPSHOT_NAME];
    struct etm_config config;
    struct etm_vec registers;
    size_t core, buffer;
    /* PORT: the port; ETMv1, ETMv2: a record that is not complete; others: */
    struct etm_port_config port;
    uint8_t record[4];
    uint8_t n_record;
    struct etm_packer *packer;
};

/*
 * A file that was written. Until the snapshot is complete it has a temporary
 * name, so that an earlier snapshot is kept if this one fails.
 */
struct etm_snap_file {
    char *path;
    char *new_path; /* NULL: it is written in place */
    FILE *out;      /* NULL: it is closed */
};

struct etm_snapshot_writer {
    struct etm_allocator allocator;
    char *directory; /* with a separator after it */
    struct etm_vec cores, buffers, sources;
    struct etm_vec files;    /* struct etm_snap_file: those that were written */
    bool directory_was_made; /* it was not there before */
    bool finished;
};

/* Fill *diag (may be NULL) about a file or thing; returns `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
int etm_snap_fail(struct etm_diag *diag, int status, const char *source,
                  const char *format, ...);

/* Refuse to add anything once it is finished. */
int etm_snap_open_still(const struct etm_snapshot_writer *writer,
                        struct etm_diag *diag);

/* Report lack of memory, which needs no further text. */
int etm_snap_no_memory(struct etm_diag *diag);

/* The path of a file of the snapshot, which the caller frees; NULL: out of
 * memory. */
char *etm_snap_path(const struct etm_snapshot_writer *writer, const char *file);

/* Was a file of this name written, or begun? Then there cannot be another one.
 * Returns its present path; NULL: it was not. */
const char *etm_snap_wrote(const struct etm_snapshot_writer *writer,
                           const char *file);

/* A file of the snapshot, to be written. ETM_ERR_IO, ETM_ERR_MEMORY. */
int etm_snap_create(struct etm_snapshot_writer *writer, const char *file,
                    FILE **out, struct etm_diag *diag);

/* Close it; reports deferred errors. Accepts NULL. */
int etm_snap_close(struct etm_snapshot_writer *writer, FILE *out,
                   struct etm_diag *diag);

/* Replace old files by the new ones; or remove the new ones. */
int etm_snap_replace(struct etm_snapshot_writer *writer, struct etm_diag *diag);
void etm_snap_remove_files(struct etm_snapshot_writer *writer);

/* Their names; the files are closed. */
void etm_snap_free_files(struct etm_snapshot_writer *writer);

/* Open a buffer's file and what wraps its trace. */
int etm_snap_open(struct etm_snapshot_writer *writer,
                  struct etm_snap_buffer *buffer, uint32_t full_sync,
                  struct etm_diag *diag);

/* Open a source whose trace is written as samples of a port. */
int etm_snap_open_port(struct etm_snapshot_writer *writer,
                       struct etm_snap_source *source, struct etm_diag *diag);

/* Write what is held back, and close the file. */
int etm_snap_end(struct etm_snapshot_writer *writer,
                 struct etm_snap_buffer *buffer, struct etm_diag *diag);

/* snapshot.ini and the files that it names. */
int etm_snap_describe(struct etm_snapshot_writer *writer,
                      struct etm_diag *diag);

static inline struct etm_snap_core *
etm_snap_core(const struct etm_snapshot_writer *w, size_t i)
{
    return (struct etm_snap_core *)w->cores.data + i;
}

static inline struct etm_snap_buffer *
etm_snap_buffer(const struct etm_snapshot_writer *w, size_t i)
{
    return (struct etm_snap_buffer *)w->buffers.data + i;
}

static inline struct etm_snap_source *
etm_snap_source(const struct etm_snapshot_writer *w, size_t i)
{
    return (struct etm_snap_source *)w->sources.data + i;
}

#endif
