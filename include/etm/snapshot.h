/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a snapshot: the directory of files with which debuggers and CoreSight
 * tools exchange captures. snapshot.ini names the others: a file for each
 * processor (registers, memory) and each trace source (registers), trace.ini
 * for the buffers, and the trace itself. <etm/session.h> reads snapshots.
 */
#ifndef ETM_SNAPSHOT_H
#define ETM_SNAPSHOT_H

#include <etm/config.h>
#include <etm/image.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etm_snapshot_writer;

struct etm_snapshot_writer_config {
    size_t size;           /* sizeof this struct, or 0 */
    const char *directory; /* created if it does not exist. Files of an earlier
                              snapshot in it are replaced when this one is
                              finished: until then the names of new files end
                              with "~new" */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Begin a snapshot. On success *writer is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT, ETM_ERR_IO, ETM_ERR_MEMORY.
 */
int etm_snapshot_writer_new(struct etm_snapshot_writer **writer,
                            const struct etm_snapshot_writer_config *config,
                            struct etm_diag *diag);

/*
 * The functions below copy what they are given. They return ETM_OK;
 * ETM_ERR_ARGUMENT: an invalid name (letters, digits, and "._-" are allowed), a
 * name already in use, a file name that the snapshot itself uses (snapshot.ini,
 * trace.ini, device_N.ini), an index that does not exist, or the snapshot is
 * finished; ETM_ERR_IO;
 * ETM_ERR_MEMORY; or what their comments say. *diag, which may be NULL, tells
 * more. `index`, if not NULL, receives the number of what was added, from 0.
 */

struct etm_snapshot_core {
    size_t size;                          /* sizeof this struct, or 0 */
    const char *name;                     /* NULL: "cpu_0", "cpu_1" ... */
    const char *type;                     /* "Cortex-M3"; NULL: unknown */
    const struct etm_register *registers; /* "R15", "CPSR"; no numbers */
    size_t n_registers;
};

int etm_snapshot_add_core(struct etm_snapshot_writer *writer,
                          const struct etm_snapshot_core *core, size_t *index,
                          struct etm_diag *diag);

/*
 * Memory of a core: `n` bytes at `address`, written to a file of that name; if
 * `n` is 0, all bytes of the file, which must exist (otherwise ETM_ERR_IO). It
 * may not wrap round the end of the 32-bit address space. `space` may be NULL.
 */
int etm_snapshot_add_memory(struct etm_snapshot_writer *writer, size_t core,
                            const char *file, uint32_t address,
                            const uint8_t *bytes, size_t n,
                            const struct etm_space *space,
                            struct etm_diag *diag);

/*
 * The program of a core: copies the ELF file, and records which part of it
 * belongs to which address. ETM_ERR_FORMAT: not a little-endian 32-bit ELF file
 * with segments to load.
 */
int etm_snapshot_add_program(struct etm_snapshot_writer *writer, size_t core,
                             const char *path, struct etm_diag *diag);

struct etm_snapshot_buffer {
    size_t size;      /* sizeof this struct, or 0 */
    const char *name; /* NULL: "ETB_0" ... */
    const char *file; /* NULL: "cstrace.bin", "cstrace_1.bin" ... */
    /*
     * How trace is wrapped in the file. NONE and PORT: one source only. PORT:
     * samples as text; the port of an ETMv3 is as its ETMCR says, or 8 pins
     * wide without it. TPIU and DSTREAM: with a full synchronization before the
     * first frame and after every full_sync frames.
     */
    enum etm_framing framing;
    uint32_t full_sync; /* frames; 0: 64 */
};

int etm_snapshot_add_buffer(struct etm_snapshot_writer *writer,
                            const struct etm_snapshot_buffer *buffer,
                            size_t *index, struct etm_diag *diag);

#define ETM_SNAPSHOT_NONE SIZE_MAX

struct etm_snapshot_source {
    size_t size;      /* sizeof this struct, or 0 */
    const char *name; /* NULL: "ETM_0", "PTM_0" ... */
    const char *type; /* NULL: from the configuration: "ETM3.4", "PTM1.0" */
    const struct etm_config *config;      /* protocol, version, trace ID, port
                                             width */
    const struct etm_register *registers; /* ETMCR, ETMIDR ... */
    size_t n_registers;
    size_t core;   /* index; ETM_SNAPSHOT_NONE: not known */
    size_t buffer; /* index */
};

/* ETM_ERR_CONFIG: the trace ID is not one of a source, already used in this
 * buffer, or not that of ETMTRACEIDR, if this is among the registers; or the
 * buffer cannot hold this source's trace. */
int etm_snapshot_add_source(struct etm_snapshot_writer *writer,
                            const struct etm_snapshot_source *source,
                            size_t *index, struct etm_diag *diag);

/* The next bytes of a source's stream (ETMv1, ETMv2: records of samples). They
 * may be divided into calls anywhere. */
int etm_snapshot_add_trace(struct etm_snapshot_writer *writer, size_t source,
                           const uint8_t *bytes, size_t n,
                           struct etm_diag *diag);

/* Fill the last frames, and write the files that describe the capture. Nothing
 * can be added afterwards, also if this failed. */
int etm_snapshot_writer_finish(struct etm_snapshot_writer *writer,
                               struct etm_diag *diag);

/* Accepts NULL. Does not finish the snapshot: the files written so far get
 * their names. */
void etm_snapshot_writer_free(struct etm_snapshot_writer *writer);

/*
 * The same for a snapshot that is given up: the files written are removed, and
 * so is the directory if it was created here and nothing else is in it.
 */
void etm_snapshot_writer_discard(struct etm_snapshot_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
