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

struct etm_snapshot {
    struct etm_capture *capture;
    char *directory;             /* "" or ends with a separator */
    bool images;                 /* the caller has code for all cores */
    struct etm_vec core_files;   /* struct etm_ini, one for each core */
    struct etm_vec source_files; /* struct etm_ini, one for each source */
    struct etm_diag diag; /* of what failed last: the snapshot, or a part of it
                             that it can do without */
    struct etm_diag last; /* why the last part that was skipped was */
};

/*
 * Keys and sections of a file. `known` ends with NULL; a name that ends with
 * '*' stands for all that begin so.
 */

/* A key twice is an error, one that is not known a note. */
int etm_snapshot_check_keys(struct etm_snapshot *snapshot,
                            const struct etm_ini *ini,
                            const struct etm_ini_section *section,
                            const char *const *known);

/* A section that is not known is a note: others add theirs. */
int etm_snapshot_check_sections(struct etm_snapshot *snapshot,
                                const struct etm_ini *ini,
                                const char *const *known);

/* An error at a line of a file (0: at none), made like printf(). */
int etm_snapshot_fail(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                      unsigned line, const char *format, ...);

/*
 * What a part of the snapshot came to that the rest can do without: an error
 * but want of memory becomes a fault of the capture. ETM_OK, ETM_ERR_MEMORY.
 */
int etm_snapshot_do_without(struct etm_snapshot *snapshot, int status,
                            const char *and_so);

/* The same of a source, which is kept and not decoded. */
int etm_snapshot_why_not(struct etm_snapshot *snapshot, size_t source);

/* device.c: read a device's file into a core, a source, or nothing. */
int etm_snapshot_device(struct etm_snapshot *snapshot, const char *path,
                        const struct etm_ini *list, unsigned line);

/* device.c: the registers and the type of a source into its configuration. */
int etm_snapshot_configure(struct etm_snapshot *snapshot, size_t source);

/* dumps.c: the [dump] sections of a core. */
int etm_snapshot_dumps(struct etm_snapshot *snapshot, size_t core);

/* dumps.c: traced cores without any [dump] get the code of another one of their
 * profile (E-314), which becomes a fault. Call it once, after
 * etm_snapshot_dumps() of all cores. */
int etm_snapshot_borrow(struct etm_snapshot *snapshot);

/*
 * snapshot_cores.c: sources that no line gives a core. `guess`: no section is
 * there for such lines, and a single core, or one with the same number, is that
 * of a source. Where there is code, it is a fault that it is not known, or only
 * guessed, whose it is.
 */
int etm_snapshot_pair(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                      bool guess);

/*
 * snapshot_cores.c: the trace ID of a source whose file does not give it. It is
 * alone in its buffer, and one trace ID is: a note says so. *id is 0 otherwise.
 * ETM_ERR_MEMORY.
 */
int etm_snapshot_only_id(struct etm_snapshot *snapshot, size_t source,
                         uint8_t *id);

/*
 * snapshot_cores.c: trace IDs in a buffer, of its first MiB, that are those of
 * no device become a fault (E-317). `path` is for messages. ETM_ERR_MEMORY.
 */
int etm_snapshot_strangers(struct etm_snapshot *snapshot, const char *path);

/* trace_ini.c: buffers, and which source is where. */
int etm_snapshot_trace(struct etm_snapshot *snapshot, const char *path);

#endif
