/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of what perf recorded. These records describe it
 * (tools/lib/perf/include/perf/event.h and include/uapi/linux/perf_event.h of
 * Linux):
 *
 *     MMAP, MMAP2   a process has mapped a file, at an address
 *     COMM          it has a new name: if it runs another program, what it had
 *                   mapped before is gone
 *     BUILD_ID      which build of a file that was
 *
 * The trace does not say which process runs: Linux traces no context ID of
 * these macrocells. So all processes share one address space here, and where
 * two of them differ, the code of neither is used (E-364).
 */
#include "input/perf_code.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

/* Flags of records. */
#define CPU_MODE 7u
#define MODE_USER 2u
#define MMAP_DATA (1u << 13) /* of MMAP: it is not executed */
#define COMM_EXEC (1u << 13)
#define MMAP_HAS_ID (1u << 14) /* of MMAP2 */
#define ID_HAS_SIZE (1u << 15) /* of BUILD_ID */

#define PROT_EXECUTE 4u
#define BEYOND UINT64_C(0x100000000) /* after the last address */

void etm_perf_code_init(struct etm_perf_code *code,
                        const struct etm_allocator *allocator)
{
    etm_vec_init(&code->mappings, sizeof(struct etm_perf_mapping), allocator);
    etm_vec_init(&code->ids, sizeof(struct etm_perf_build_id), allocator);
}

void etm_perf_code_fini(struct etm_perf_code *code)
{
    etm_vec_fini(&code->mappings);
    etm_vec_fini(&code->ids);
}

/* The name at the end of a record. NULL: it is not terminated, or not that of a
 * file: "[vdso]", "//anon". */
static const char *file_name(const uint8_t *at, size_t n)
{
    const char *name = (const char *)at;

    if (memchr(at, '\0', n) == NULL || name[0] != '/' || name[1] == '/')
        return NULL;
    return name;
}

static int add_mapping(struct etm_perf_code *code, struct etm_perf_mapping *m)
{
    m->order = code->mappings.n;
    return etm_vec_append(&code->mappings, m, 1);
}

/* pid, tid, address, length, offset in the file; of MMAP2 then either device
 * and inode or a build ID, protection and flags; its name. */
static int take_mapping(struct etm_perf_code *code, bool second, uint16_t misc,
                        uint64_t time, const uint8_t *at, size_t n)
{
    size_t head = second ? 64 : 32;
    struct etm_perf_mapping m;
    uint64_t length;

    if (n <= head || (misc & CPU_MODE) != MODE_USER ||
        (second ? (etm_le(at + 56, 4) & PROT_EXECUTE) == 0
                : (misc & MMAP_DATA) != 0))
        return ETM_OK;
    m = (struct etm_perf_mapping){.pid = (uint32_t)etm_le(at, 4),
                                  .time = time,
                                  .start = etm_le(at + 8, 8),
                                  .offset = etm_le(at + 24, 8),
                                  .path = file_name(at + head, n - head)};
    length = etm_le(at + 16, 8);
    if (m.path == NULL || length == 0 || m.start >= BEYOND ||
        length > BEYOND - m.start)
        return ETM_OK;
    m.end = m.start + length;
    if (second && (misc & MMAP_HAS_ID) != 0 && at[32] <= ETM_PERF_ID)
        m.build = (struct etm_perf_build){at + 36, at[32]};
    return add_mapping(code, &m);
}

/* pid, the build ID and its size, the name of the file */
static int take_build_id(struct etm_perf_code *code, uint16_t misc,
                         const uint8_t *at, size_t n)
{
    struct etm_perf_build_id id;

    if (n <= 28)
        return ETM_OK;
    id.number = code->ids.n;
    id.path = file_name(at + 28, n - 28);
    id.build.id = at + 4;
    id.build.n = (misc & ID_HAS_SIZE) != 0 ? at[4 + ETM_PERF_ID] : ETM_PERF_ID;
    if (id.path == NULL || id.build.n > ETM_PERF_ID)
        return ETM_OK;
    return etm_vec_append(&code->ids, &id, 1);
}

int etm_perf_code_take(struct etm_perf_code *code, uint32_t type, uint16_t misc,
                       uint64_t time, const uint8_t *at, size_t n)
{
    struct etm_perf_mapping other = {.time = time};

    switch (type) {
    case ETM_PERF_MMAP:
    case ETM_PERF_MMAP2:
        return take_mapping(code, type == ETM_PERF_MMAP2, misc, time, at, n);
    case ETM_PERF_COMM:
        if (n < 4 || (misc & COMM_EXEC) == 0)
            return ETM_OK;
        other.pid = (uint32_t)etm_le(at, 4);
        return add_mapping(code, &other);
    case ETM_PERF_BUILD_ID:
        return take_build_id(code, misc, at, n);
    default:
        return ETM_OK;
    }
}

#define COMPARE(a, b)                                                          \
    do {                                                                       \
        if ((a) != (b))                                                        \
            return (a) < (b) ? -1 : 1;                                         \
    } while (0)

static int by_process(const void *x, const void *y)
{
    const struct etm_perf_mapping *a = x, *b = y;

    COMPARE(a->pid, b->pid);
    COMPARE(a->time, b->time);
    COMPARE(a->order, b->order);
    return 0;
}

/* By file, and where it is in memory. */
static int by_file(const void *x, const void *y)
{
    const struct etm_perf_mapping *a = x, *b = y;
    int c = strcmp(a->path, b->path);

    if (c != 0)
        return c;
    COMPARE(a->build.n, b->build.n);
    c = a->build.n == 0 ? 0 : memcmp(a->build.id, b->build.id, a->build.n);
    if (c != 0)
        return c;
    COMPARE(a->start - a->offset, b->start - b->offset);
    COMPARE(a->start, b->start);
    return 0;
}

/* Drop what a process had mapped before it ran another program, and the entries
 * that mark this moment. */
static void drop_replaced(struct etm_vec *mappings)
{
    struct etm_perf_mapping *m = mappings->data;
    size_t kept = 0, first = 0; /* `first` of the current process */
    uint32_t pid = 0;

    for (size_t i = 0; i < mappings->n; i++) {
        if (m[i].pid != pid)
            first = kept;
        pid = m[i].pid;
        if (m[i].path == NULL) {
            kept = first;
            continue;
        }
        m[i].program = kept == first;
        m[kept++] = m[i];
    }
    mappings->n = kept;
}

static bool same_file(const struct etm_perf_mapping *a,
                      const struct etm_perf_mapping *b)
{
    return strcmp(a->path, b->path) == 0 && a->build.n == b->build.n &&
           (a->build.n == 0 ||
            memcmp(a->build.id, b->build.id, a->build.n) == 0);
}

/* Join mappings, sorted by_file(), that are equal or contiguous. */
static void join(struct etm_vec *mappings)
{
    struct etm_perf_mapping *m = mappings->data;
    size_t last = 0;

    for (size_t i = 1; i < mappings->n; i++) {
        if (same_file(&m[last], &m[i]) && m[i].start <= m[last].end &&
            m[last].start - m[last].offset == m[i].start - m[i].offset) {
            if (m[i].end > m[last].end)
                m[last].end = m[i].end;
            m[last].program = m[last].program || m[i].program;
        } else {
            m[++last] = m[i];
        }
    }
    mappings->n = last + 1;
}

/* Where a mapping begins or ends. */
struct edge {
    uint64_t at;
    size_t from;
    bool begins;
};

static int by_address(const void *x, const void *y)
{
    const struct edge *a = x, *b = y;

    COMPARE(a->at, b->at);
    COMPARE(a->from, b->from);
    return 0;
}

static int by_mapping(const void *x, const void *y)
{
    const struct etm_perf_piece *a = x, *b = y;

    COMPARE(a->from, b->from);
    COMPARE(a->start, b->start);
    return 0;
}

/* Add a piece between two edges: it is in `n` mappings, whose numbers add up to
 * `sum`. */
static int add_piece(struct etm_vec *pieces, struct etm_vec *contested,
                     size_t n, size_t sum, uint64_t start, uint64_t end)
{
    const struct etm_perf_piece piece = {n == 1 ? sum : 0, start, end};

    if (n == 0 || start == end)
        return ETM_OK;
    return etm_vec_append(n == 1 ? pieces : contested, &piece, 1);
}

/* Find what only one mapping has, in their order; and what several have. */
static int divide(const struct etm_vec *mappings, struct etm_vec *pieces,
                  struct etm_vec *contested)
{
    const struct etm_perf_mapping *m = mappings->data;
    struct etm_vec edges;
    const struct edge *e;
    size_t n = 0, sum = 0;
    int status = ETM_OK;

    etm_vec_init(&edges, sizeof *e, &pieces->allocator);
    for (size_t i = 0; i < mappings->n && status == ETM_OK; i++) {
        const struct edge ends[] = {{m[i].start, i, true},
                                    {m[i].end, i, false}};

        status = etm_vec_append(&edges, ends, 2);
    }
    if (status == ETM_OK)
        qsort(edges.data, edges.n, sizeof *e, by_address);
    e = edges.data;
    for (size_t i = 0; i < edges.n && status == ETM_OK; i++) {
        if (i > 0)
            status = add_piece(pieces, contested, n, sum, e[i - 1].at, e[i].at);
        n = e[i].begins ? n + 1 : n - 1;
        sum = e[i].begins ? sum + e[i].from : sum - e[i].from;
    }
    if (status == ETM_OK && pieces->n != 0)
        qsort(pieces->data, pieces->n, sizeof(struct etm_perf_piece),
              by_mapping);
    etm_vec_fini(&edges);
    return status;
}

int etm_perf_code_divide(struct etm_perf_code *code, struct etm_vec *pieces,
                         struct etm_vec *contested)
{
    struct etm_vec *mappings = &code->mappings;

    if (mappings->n != 0)
        qsort(mappings->data, mappings->n, sizeof(struct etm_perf_mapping),
              by_process);
    drop_replaced(mappings);
    if (mappings->n == 0)
        return ETM_OK;
    qsort(mappings->data, mappings->n, sizeof(struct etm_perf_mapping),
          by_file);
    join(mappings);
    return divide(mappings, pieces, contested);
}
