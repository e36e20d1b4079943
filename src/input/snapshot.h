/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A snapshot directory while it is read:
 *
 *     snapshot.ini   [device_list] files of devices, [trace] metadata=
 *     device files   [device] name, class, type; [regs]; [dump], [dump1] ...
 *     trace.ini      [trace_buffers], a section for each, [source_buffers],
 *                    [core_trace_sources]; [timestamp], which is not used
 */
#ifndef ETM_INPUT_SNAPSHOT_H
#define ETM_INPUT_SNAPSHOT_H

#include "input/build.h"
#include "input/ini.h"

/* What a snapshot may have (doc/reliability.md): devices and buffers are found
 * by comparing names, and a file that is named again is decoded again. */
#define ETM_SNAPSHOT_DEVICES 1024u
#define ETM_SNAPSHOT_BUFFERS 1024u
#define ETM_SNAPSHOT_USES 16u /* of one file as trace */

struct etm_snapshot {
    struct etm_capture *capture;
    char *directory;             /* "" or ends with a separator */
    char *root;                  /* the same folder, without links */
    bool outside;                /* files outside of it are read, too */
    char *passed;                /* the last path that was allowed */
    bool images;                 /* the caller has code for all cores */
    size_t devices;              /* that were listed */
    struct etm_vec core_files;   /* struct etm_ini, one for each core */
    struct etm_vec source_files; /* struct etm_ini, one for each source */
    struct etm_diag diag; /* of what failed last: the snapshot, or an optional
                             part of it */
    struct etm_diag last; /* why the last skipped part was skipped */
};

/*
 * snapshot_path.c: the path of a file that the snapshot names, to be freed. In
 * its folder, or anywhere if that is allowed; never a device, a pipe or a
 * socket: ETM_ERR_IO, with the place `where` that names it. ETM_ERR_MEMORY.
 */
int etm_snapshot_path(struct etm_snapshot *snapshot, const char *where,
                      uint64_t line, const char *name, char **path);

/* A folder without links; NULL: no memory. */
char *etm_snapshot_root(const struct etm_allocator *allocator,
                        const char *directory);

/*
 * snapshot_faults.c: keys and sections of a file. `known` ends with NULL; one
 * that ends with '*' stands for all that begin so.
 */

/* A duplicate key is an error, an unknown one a note. */
int etm_snapshot_check_keys(struct etm_snapshot *snapshot,
                            const struct etm_ini *ini,
                            const struct etm_ini_section *section,
                            const char *const *known);

/* An unknown section is a note: other tools add their own. */
int etm_snapshot_check_sections(struct etm_snapshot *snapshot,
                                const struct etm_ini *ini,
                                const char *const *known);

/* An error at a line of a file (0: no line), formatted as by printf(). */
int etm_snapshot_fail(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                      unsigned line, const char *format, ...);

/*
 * Handle the status of an optional part of the snapshot: an error other than
 * lack of memory becomes a fault of the capture. ETM_OK, ETM_ERR_MEMORY.
 */
int etm_snapshot_do_without(struct etm_snapshot *snapshot, int status,
                            const char *and_so);

/*
 * Handle the status of a source, which is kept but not decoded if its error is
 * no lack of memory. ETM_OK, ETM_ERR_MEMORY.
 */
int etm_snapshot_why_not(struct etm_snapshot *snapshot, size_t source);

/* device.c: read a device's file into a core, a source, or nothing. */
int etm_snapshot_device(struct etm_snapshot *snapshot, const char *path,
                        const struct etm_ini *list, unsigned line);

/* device.c: make the configuration of a source from its registers and type. */
int etm_snapshot_configure(struct etm_snapshot *snapshot, size_t source);

/* dumps.c: the [dump] sections of a core. */
int etm_snapshot_dumps(struct etm_snapshot *snapshot, size_t core);

/* dumps.c: traced cores without any [dump] get the code of another one of their
 * profile (E-314), which becomes a fault. Call it once, after
 * etm_snapshot_dumps() of all cores. */
int etm_snapshot_borrow(struct etm_snapshot *snapshot);

/*
 * snapshot_cores.c: sources to which no line gives a core. `guess`: there is no
 * section for such lines, and the only core, or one with the same number,
 * belongs to a source. If there is code, it is a fault that the core is unknown
 * or only guessed.
 */
int etm_snapshot_pair(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                      bool guess);

/*
 * snapshot_cores.c: the trace ID of a source whose file does not give it: if it
 * is the only one in its buffer, and this has only one trace ID, that one, with
 * a note. Otherwise *id is 0. ETM_ERR_MEMORY.
 */
int etm_snapshot_only_id(struct etm_snapshot *snapshot, size_t source,
                         uint8_t *id);

/*
 * snapshot_cores.c: trace IDs in the first MiB of a buffer that belong to no
 * device become a fault (E-317). `path` is for messages. ETM_ERR_MEMORY.
 */
int etm_snapshot_strangers(struct etm_snapshot *snapshot, const char *path);

/* trace_ini.c: buffers, and which source is where. */
int etm_snapshot_trace(struct etm_snapshot *snapshot, const char *path);

#endif
