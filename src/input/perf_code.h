/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code that a file of Linux's perf names: files that processes have mapped
 * to be executed, by address. Functions return ETM_OK or ETM_ERR_MEMORY, if
 * nothing else is said.
 */
#ifndef ETM_INPUT_PERF_CODE_H
#define ETM_INPUT_PERF_CODE_H

#include "input/build.h"

/* Records that count, by their type. */
#define ETM_PERF_MMAP 1u
#define ETM_PERF_COMM 3u
#define ETM_PERF_MMAP2 10u
#define ETM_PERF_BUILD_ID 67u

#define ETM_PERF_ID 20u /* bytes of a build ID, at most */

/* A number of a record: little-endian, as the whole file is. */
static inline uint64_t etm_perf_word(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

/* Which build of a file: `n` bytes of the record that says so; 0: not told. */
struct etm_perf_build {
    const uint8_t *id;
    unsigned n;
};

/* A mapping, or, without a path, the moment when a process began to run another
 * program. Bytes of the file at `offset` are at `start`. */
struct etm_perf_mapping {
    uint32_t pid;
    uint64_t time;  /* each CPU has records of its own in the file */
    uint64_t order; /* of the records, where that does not tell */
    uint64_t start, end, offset;
    const char *path;
    struct etm_perf_build build;
};

struct etm_perf_build_id {
    const char *path;
    struct etm_perf_build build;
};

/* A stretch of addresses that only mapping `from` has. */
struct etm_perf_piece {
    size_t from;
    uint64_t start, end;
};

/* What records have told; they are borrowed. Zero: nothing. */
struct etm_perf_code {
    struct etm_vec mappings; /* struct etm_perf_mapping */
    struct etm_vec ids;      /* struct etm_perf_build_id */
};

void etm_perf_code_init(struct etm_perf_code *code,
                        const struct etm_allocator *allocator);
void etm_perf_code_fini(struct etm_perf_code *code);

/* A record: its type, its flags (`misc`), its time or 0, and what is after its
 * header. Others than those above are skipped. */
int etm_perf_code_take(struct etm_perf_code *code, uint32_t type, uint16_t misc,
                       uint64_t time, const uint8_t *at, size_t n);

/*
 * When all records were taken: what is mapped is in the order of files and
 * addresses. `pieces` and `contested`, of struct etm_perf_piece, are filled:
 * what only one mapping has, in their order, and what several have.
 */
int etm_perf_code_divide(struct etm_perf_code *code, struct etm_vec *pieces,
                         struct etm_vec *contested);

/*
 * perf_load.c: the code goes to the first core: out of files below `sysroot`
 * (NULL: as they are named), or of the cache of perf that this is. What is not
 * there is told, as a fault if `alone`: nobody gave other code.
 */
int etm_perf_code_load(struct etm_perf_code *code, struct etm_capture *capture,
                       const char *sysroot, bool alone, struct etm_diag *diag);

#endif
