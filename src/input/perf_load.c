/* SPDX-License-Identifier: Apache-2.0 */
/* Finding, checking and loading the files whose code perf recorded. */
#include "input/perf_code.h"

#include "input/elf.h"
#include "input/elf_segments.h"
#include "input/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of missing files that are listed one by one. */
#define MOST_NOTES 16u

/* Everything that is needed to load. */
struct loader {
    struct etm_perf_code *code;
    struct etm_capture *capture;
    const char *sysroot;
    struct etm_diag *diag;
    struct etm_vec pieces;    /* struct etm_perf_piece by mapping */
    struct etm_vec contested; /* struct etm_perf_piece */
    size_t missing;           /* files, of which the first is: */
    const char *first;
    struct etm_diag why;
};

/* The build that was mapped: from the mapping, or otherwise from the list of
 * all. */
static struct etm_perf_build build_of(const struct etm_perf_code *code,
                                      const struct etm_perf_mapping *m)
{
    const struct etm_perf_build_id *ids = code->ids.data;
    size_t low = 0, high = code->ids.n;

    if (m->build.n != 0)
        return m->build;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (strcmp(ids[middle].path, m->path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->ids.n && strcmp(ids[low].path, m->path) == 0
               ? ids[low].build
               : m->build;
}

/* By path; of one path, the first in the file comes first. */
static int by_path(const void *x, const void *y)
{
    const struct etm_perf_build_id *a = x, *b = y;
    int order = strcmp(a->path, b->path);

    return order != 0 ? order
                      : (a->number > b->number) - (a->number < b->number);
}

/* The path of a build in perf's cache: .build-id/ab/cdef.../elf below it. */
static char *in_cache(const struct loader *l, struct etm_perf_build build)
{
    static const char hex[] = "0123456789abcdef";
    char text[2 * ETM_PERF_ID + 1] = "";

    for (unsigned i = 0; i < build.n; i++) {
        text[2 * i] = hex[build.id[i] >> 4];
        text[2 * i + 1] = hex[build.id[i] & 15];
        text[2 * i + 2] = '\0';
    }
    return etm_text_print(&l->capture->allocator, "%s/.build-id/%.2s/%s/elf",
                          l->sysroot, text, text + 2);
}

/* Older versions of perf list no sizes, and a shorter ID (of 16 bytes, as with
 * --build-id=md5) with zeros after it. */
static bool is_build(struct etm_perf_build build, const uint8_t *id, size_t n)
{
    if (n > build.n || (n < build.n && build.n != ETM_PERF_ID))
        return false;
    for (size_t i = n; i < build.n; i++)
        if (build.id[i] != 0)
            return false;
    return memcmp(id, build.id, n) == 0;
}

/* Is it the program that ran? */
static int check(const struct etm_file *file, const char *path,
                 struct etm_perf_build build, struct etm_diag *why)
{
    struct etm_elf_segment s;
    const uint8_t *id;
    size_t n;

    if (!etm_elf_segment(file->bytes, file->n, 0, &s))
        return etm_text_fail(why, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                             "not an ELF file for 32-bit Arm");
    n = etm_elf_build_id(file->bytes, file->n, &id);
    if (build.n != 0 && n != 0 && !is_build(build, id, n))
        return etm_text_fail(why, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                             "not the build that was traced");
    return ETM_OK;
}

/* Open one of the places where a file may be. */
static int try_file(struct loader *l, char *path, struct etm_perf_build build,
                    struct etm_file *file, struct etm_diag *why)
{
    const struct etm_allocator *a = &l->capture->allocator;
    int status =
        path == NULL ? ETM_ERR_MEMORY : etm_file_open(file, path, a, why);

    if (status == ETM_OK) {
        status = check(file, path, build, why);
        if (status != ETM_OK)
            etm_file_close(file, a);
    }
    return status;
}

/* Find the file of a mapping; the caller then owns *path. If it is missing, the
 * error is that of the place with its name. */
static int find_file(struct loader *l, const struct etm_perf_mapping *m,
                     struct etm_file *file, char **path, struct etm_diag *why)
{
    const struct etm_allocator *a = &l->capture->allocator;
    struct etm_perf_build build = build_of(l->code, m);
    struct etm_diag ignored;
    int status, cached;

    *path = etm_text_print(a, "%s%s", l->sysroot, m->path);
    status = try_file(l, *path, build, file, why);
    if (status != ETM_OK && status != ETM_ERR_MEMORY && build.n != 0) {
        etm_alloc_free(a, *path);
        *path = in_cache(l, build);
        cached = try_file(l, *path, build, file, &ignored);
        /* that memory ends says nothing of the file */
        if (cached == ETM_OK || cached == ETM_ERR_MEMORY)
            status = cached;
    }
    if (status != ETM_OK) {
        etm_alloc_free(a, *path);
        *path = NULL;
    }
    return status;
}

/* The pieces of one mapping, as far as the file goes. */
static int add_code(struct loader *l, const struct etm_perf_mapping *m,
                    const struct etm_perf_piece *pieces, size_t n,
                    const struct etm_file *file, const char *path)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        struct etm_capture_memory memory = {
            .address = (uint32_t)pieces[i].start,
            .offset = m->offset + (pieces[i].start - m->start),
            .length = pieces[i].end - pieces[i].start};

        if (memory.offset >= file->n)
            continue;
        if (memory.length > file->n - memory.offset)
            memory.length = file->n - memory.offset;
        status = etm_build_memory(l->capture, 0, path, &memory, path,
                                  ETM_DIAG_NONE, l->diag);
    }
    return status;
}

/* The distance of a mapping from the addresses in the headers of its file.
 * False: they have none for it. */
static bool find_distance(const struct etm_perf_mapping *m,
                          const struct etm_file *file, uint32_t *distance)
{
    uint64_t end = m->offset + (m->end - m->start);
    struct etm_elf_segment s;

    for (size_t i = 0; etm_elf_segment(file->bytes, file->n, i, &s); i++) {
        if (s.offset >= end || s.offset + (uint64_t)s.size <= m->offset)
            continue;
        *distance = (uint32_t)(m->start - m->offset + s.offset) - s.address;
        return true;
    }
    return false;
}

/* Tell of a mapping, and add the names of its file. One whose names cannot be
 * read still has code. */
static int add_mapping(struct loader *l, const struct etm_perf_mapping *m,
                       const struct etm_file *file, const char *path)
{
    struct etm_mapping mapping = {.path = m->path,
                                  .file = path,
                                  .offset = m->offset,
                                  .length = m->end - m->start,
                                  .address = (uint32_t)m->start,
                                  .program = m->program};
    struct etm_elf *elf;
    int status;

    mapping.moved_known = file && find_distance(m, file, &mapping.moved);
    status = etm_build_mapping(l->capture, &mapping);
    if (status != ETM_OK || !mapping.moved_known)
        return status;
    status =
        etm_elf_open(&elf, path, mapping.moved, &l->capture->allocator, NULL);
    if (status != ETM_OK) /* code may be without names */
        return status == ETM_ERR_MEMORY ? status : ETM_OK;
    status = etm_build_names(l->capture, 0, elf, NULL);
    etm_elf_release(elf);
    return status;
}

/* A file that cannot be used. */
static int miss(struct loader *l, const struct etm_perf_mapping *m,
                const struct etm_diag *why)
{
    int status = add_mapping(l, m, NULL, NULL);

    if (status != ETM_OK)
        return status;
    if (l->missing++ == 0) {
        l->first = m->path;
        l->why = *why;
    }
    if (l->missing > MOST_NOTES)
        return ETM_OK;
    return etm_build_note(l->capture, "%s: no code of %s at 0x%08llx: %s",
                          l->capture->path, m->path,
                          (unsigned long long)m->start, why->what);
}

/* Load a mapping with the `n` pieces that only it has. */
static int load_mapping(struct loader *l, const struct etm_perf_mapping *m,
                        const struct etm_perf_piece *pieces, size_t n)
{
    struct etm_diag why = {0};
    struct etm_file file;
    char *path;
    int status = find_file(l, m, &file, &path, &why);

    if (status == ETM_ERR_MEMORY)
        return status;
    if (status != ETM_OK)
        return miss(l, m, &why);
    if (m->offset >= file.n) {
        (void)etm_text_fail(&why, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
                            "shorter than the file that was traced");
        etm_file_close(&file, &l->capture->allocator);
        etm_alloc_free(&l->capture->allocator, path);
        return miss(l, m, &why);
    }
    status = add_code(l, m, pieces, n, &file, path);
    if (status == ETM_OK)
        status = add_mapping(l, m, &file, path);
    etm_file_close(&file, &l->capture->allocator);
    etm_alloc_free(&l->capture->allocator, path);
    return status;
}

static int load_all(struct loader *l)
{
    const struct etm_perf_mapping *m = l->code->mappings.data;
    const struct etm_perf_piece *pieces = l->pieces.data;
    int status = ETM_OK;

    for (size_t i = 0, n; i < l->pieces.n && status == ETM_OK; i += n) {
        for (n = 1;
             i + n < l->pieces.n && pieces[i + n].from == pieces[i].from;)
            n++;
        status = load_mapping(l, &m[pieces[i].from], &pieces[i], n);
    }
    return status;
}

/* Add one note for everything that is missing. */
static int tell_missing(struct loader *l, bool alone)
{
    struct etm_capture_core *core = etm_build_core_at(l->capture, 0);
    struct etm_diag what;
    char others[64] = "";
    int status;

    if (l->missing == 0 || !alone)
        return ETM_OK;
    if (l->missing > 1)
        snprintf(others, sizeof others, ", and %zu other%s", l->missing - 1,
                 l->missing == 2 ? "" : "s");
    (void)etm_text_fail(&what, ETM_ERR_IO, l->capture->path, ETM_DIAG_NONE,
                        "%s (%s)%s; --sysroot says where the files of the "
                        "traced machine are",
                        l->first, l->why.what, others);
    status = etm_build_fault(l->capture, &what, "code is missing");
    if (status == ETM_OK)
        core->code_missing =
            ((char **)l->capture->faults.data)[l->capture->faults.n - 1];
    return status;
}

static int tell_contested(struct loader *l, bool alone)
{
    const struct etm_perf_piece *c = l->contested.data;
    struct etm_diag what;
    char others[64] = "";

    if (l->contested.n == 0)
        return ETM_OK;
    if (l->contested.n > 1)
        snprintf(others, sizeof others, ", and at %zu other places",
                 l->contested.n - 1);
    (void)etm_text_fail(&what, ETM_ERR_FORMAT, l->capture->path, ETM_DIAG_NONE,
                        "several files were mapped at 0x%08llx%s, and the "
                        "trace does not say which of them ran; --image gives "
                        "the right one",
                        (unsigned long long)c->start, others);
    if (!alone)
        return etm_build_note(l->capture, "%s: %s", what.source, what.what);
    return etm_build_fault(l->capture, &what, "code is left out");
}

int etm_perf_code_load(struct etm_perf_code *code, struct etm_capture *capture,
                       const char *sysroot, bool alone, struct etm_diag *diag)
{
    struct loader l = {.code = code,
                       .capture = capture,
                       .sysroot = sysroot != NULL ? sysroot : "",
                       .diag = diag};
    int status;

    etm_vec_init(&l.pieces, sizeof(struct etm_perf_piece), &capture->allocator);
    etm_vec_init(&l.contested, sizeof(struct etm_perf_piece),
                 &capture->allocator);
    if (code->ids.n != 0)
        qsort(code->ids.data, code->ids.n, code->ids.width, by_path);
    status = etm_perf_code_divide(code, &l.pieces, &l.contested);
    if (status == ETM_OK)
        status = load_all(&l);
    if (status == ETM_OK)
        status = tell_missing(&l, alone);
    if (status == ETM_OK)
        status = tell_contested(&l, alone);
    etm_vec_fini(&l.pieces);
    etm_vec_fini(&l.contested);
    return status;
}
