/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code that a file of Linux's perf names: files that processes have mapped
 * to be executed, by address. Functions return ETM_OK or ETM_ERR_MEMORY unless
 * stated otherwise.
 */
#ifndef ETM_INPUT_PERF_CODE_H
#define ETM_INPUT_PERF_CODE_H

#include "base/bytes.h"
#include "input/build.h"

/* Types of the records that are used. */
#define ETM_PERF_MMAP 1u
#define ETM_PERF_COMM 3u
#define ETM_PERF_MMAP2 10u
#define ETM_PERF_BUILD_ID 67u

#define ETM_PERF_ID 20u /* bytes of a build ID, at most */

/* The build of a file: an ID of `n` bytes of the record; 0: not given. */
struct etm_perf_build {
    const uint8_t *id;
    unsigned n;
};

/* A mapping, or, without a path, the moment when a process began to run another
 * program. Bytes of the file at `offset` are at `start`. */
struct etm_perf_mapping {
    uint32_t pid;
    uint64_t time;  /* each CPU has records of its own in the file */
    uint64_t order; /* order of the records, if the time is not enough */
    uint64_t start, end, offset;
    const char *path;
    struct etm_perf_build build;
    bool program; /* the first one of its process */
};

struct etm_perf_build_id {
    const char *path;
    struct etm_perf_build build;
    size_t number; /* in the file */
};

/* A stretch of addresses that only mapping `from` has. */
struct etm_perf_piece {
    size_t from;
    uint64_t start, end;
};

/* Contents of records, which are borrowed. Zero: nothing. */
struct etm_perf_code {
    struct etm_vec mappings; /* struct etm_perf_mapping */
    struct etm_vec ids;      /* struct etm_perf_build_id */
};

void etm_perf_code_init(struct etm_perf_code *code,
                        const struct etm_allocator *allocator);
void etm_perf_code_fini(struct etm_perf_code *code);

/* Take a record: its type, its flags (`misc`), its time or 0, and its contents
 * after the header. Types other than those above are skipped. */
int etm_perf_code_take(struct etm_perf_code *code, uint32_t type, uint16_t misc,
                       uint64_t time, const uint8_t *at, size_t n);

/*
 * After all records were taken: sort mappings by file and address, and fill
 * `pieces` and `contested` (struct etm_perf_piece): what only one mapping has,
 * in their order, and what several have.
 */
int etm_perf_code_divide(struct etm_perf_code *code, struct etm_vec *pieces,
                         struct etm_vec *contested);

/*
 * perf_load.c: add the code to the first core: from files below `sysroot`
 * (NULL: their original paths), or from the cache of perf there. What is
 * missing is noted, as a fault if `alone`: no other code was given.
 */
int etm_perf_code_load(struct etm_perf_code *code, struct etm_capture *capture,
                       const char *sysroot, bool alone, struct etm_diag *diag);

#endif
