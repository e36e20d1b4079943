/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records that programmers of memory read: Intel HEX (Intel, Hexadecimal
 * Object File Format Specification, revision A) and Motorola S-records. Each
 * line has bytes and their address.
 */
#ifndef ETM_INPUT_RECORDS_H
#define ETM_INPUT_RECORDS_H

#include "base/vec.h"

#include <etm/types.h>

enum etm_records_kind {
    ETM_RECORDS_NONE,
    ETM_RECORDS_INTEL,
    ETM_RECORDS_MOTOROLA
};

/* Bytes that stand together. */
struct etm_records_run {
    uint32_t address;
    size_t at, n; /* in `bytes` */
};

struct etm_records {
    struct etm_vec bytes; /* uint8_t */
    struct etm_vec runs;  /* struct etm_records_run, in the order of the file */
    bool ended;           /* there is an end record */
};

/* The kind of a file by its first line. */
enum etm_records_kind etm_records_kind(const uint8_t *bytes, size_t n);

/*
 * Read a file of that kind. Lines end with CR, LF or both; more records may
 * follow an end record, as in joined files. `path` is for errors, which name
 * the line. On success the caller frees what is in *records; on failure nothing
 * is left. ETM_ERR_FORMAT, ETM_ERR_MEMORY.
 */
int etm_records_read(struct etm_records *records, enum etm_records_kind kind,
                     const uint8_t *bytes, size_t n, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag);

void etm_records_fini(struct etm_records *records);

#endif
