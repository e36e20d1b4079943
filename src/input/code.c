/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a capture's cores: pieces of binary files, ELF files, records. */
#include "input/build.h"
#include "input/elf.h"
#include "input/records.h"
#include "input/text.h"

#include <string.h>

static void drop(struct etm_capture *capture, struct etm_capture_memory *m)
{
    struct etm_file file = {m->bytes, m->n, m->mapped, 0};

    if (!m->shared)
        etm_file_close(&file, &capture->allocator);
    etm_alloc_free(&capture->allocator, m->path);
    etm_alloc_free(&capture->allocator, m->space_name);
}

/* Do the piece's limits fit the file and the address space? */
static int check_limits(struct etm_capture *capture,
                        struct etm_capture_memory *m, const char *where,
                        uint64_t line, struct etm_diag *diag)
{
    uint64_t there = m->offset < m->n ? m->n - m->offset : 0;
    struct etm_diag cut;
    int status;

    if (m->length > there || m->offset > m->n) {
        status = etm_text_fail(&cut, ETM_ERR_FORMAT, where, line,
                               "the file %s is too short: it has %zu byte%s, "
                               "but %llu from offset %llu on are needed",
                               m->path, m->n, m->n == 1 ? "" : "s",
                               (unsigned long long)m->length,
                               (unsigned long long)m->offset);
        if (there == 0) {
            if (diag != NULL)
                *diag = cut;
            return status;
        }
        m->length = there;
        status = etm_build_fault(capture, &cut, "the available part is used");
        if (status != ETM_OK)
            return status;
    }
    if (m->length > UINT64_C(0x100000000) - m->address)
        return etm_text_fail(
            diag, ETM_ERR_FORMAT, where, line,
            "%llu bytes at 0x%08lx do not fit in 32-bit addresses: %s",
            (unsigned long long)m->length, (unsigned long)m->address, m->path);
    return ETM_OK;
}

/* The piece that was added last, if it is of the same file, so that thousands
 * of pieces do not need thousands of mappings. Otherwise NULL. An ELF file that
 * only has the names for a piece may come after it. */
static const struct etm_capture_memory *
piece_before(const struct etm_capture_core *core, const char *path)
{
    const struct etm_capture_memory *m = core->memory.data;

    for (size_t i = core->memory.n; i-- > 0;) {
        bool own = m[i].elf == NULL && !m[i].records;

        if (m[i].elf == NULL || i + 1 < core->memory.n)
            return own && strcmp(m[i].path, path) == 0 ? &m[i] : NULL;
    }
    return NULL;
}

/* Add a piece with its bytes, of which it takes ownership, also on failure. */
static int add_piece(struct etm_capture *capture, size_t core,
                     struct etm_capture_memory *m, const char *path,
                     const char *where, uint64_t line, struct etm_diag *diag)
{
    const struct etm_allocator *a = &capture->allocator;
    struct etm_capture_core *c = etm_build_core_at(capture, core);
    const char *space = m->space_name;
    int status = ETM_OK;

    m->elf = NULL;
    m->path = etm_text_copy(a, path, strlen(path));
    m->space_name =
        space == NULL ? NULL : etm_text_copy(a, space, strlen(space));
    if (m->path == NULL || (space != NULL && m->space_name == NULL))
        status = ETM_ERR_MEMORY;
    if (m->length == UINT64_MAX)
        m->length = m->offset > m->n ? 0 : m->n - m->offset;
    if (status == ETM_OK)
        status = check_limits(capture, m, where, line, diag);
    if (status == ETM_OK && m->length != 0)
        status = etm_image_add(c->image, m->address, m->bytes + m->offset,
                               (size_t)m->length, &m->space);
    if (status == ETM_OK)
        status = etm_vec_append(&c->memory, m, 1);
    if (status != ETM_OK)
        drop(capture, m);
    return status;
}

int etm_build_memory(struct etm_capture *capture, size_t core, const char *path,
                     const struct etm_capture_memory *memory, const char *where,
                     uint64_t line, struct etm_diag *diag)
{
    const struct etm_capture_memory *before =
        piece_before(etm_build_core_at(capture, core), path);
    struct etm_capture_memory m = *memory;
    struct etm_file file;
    int status = ETM_OK;

    if (before != NULL)
        file = (struct etm_file){before->bytes, before->n, before->mapped, 0};
    else
        status = etm_file_open(&file, path, &capture->allocator, diag);
    if (status != ETM_OK) {
        /* The line that names the file is more useful than the file. */
        if (status == ETM_ERR_IO)
            (void)etm_file_named(diag, where, line, path);
        return status;
    }
    if (before == NULL &&
        etm_records_kind(file.bytes, file.n) != ETM_RECORDS_NONE) {
        etm_file_close(&file, &capture->allocator);
        return etm_text_fail(diag, ETM_ERR_FORMAT, where, line,
                             "the records in %s have addresses of their own, "
                             "and need none",
                             path);
    }
    m.bytes = file.bytes;
    m.n = file.n;
    m.mapped = file.mapped;
    m.shared = before != NULL;
    return add_piece(capture, core, &m, path, where, line, diag);
}

/* Add runs of records for some cores; the first piece owns all bytes. */
static int add_runs(struct etm_capture *capture, size_t first, size_t n,
                    const char *path, const struct etm_space *space,
                    struct etm_records *records, struct etm_diag *diag)
{
    const struct etm_records_run *runs = records->runs.data;
    bool shared = false;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        for (size_t k = 0; k < records->runs.n && status == ETM_OK; k++) {
            struct etm_capture_memory m = {.address = runs[k].address,
                                           .offset = runs[k].at,
                                           .length = runs[k].n,
                                           .bytes = records->bytes.data,
                                           .n = records->bytes.n,
                                           .shared = shared,
                                           .records = true};

            if (space != NULL)
                m.space = *space;
            shared = true;
            status = add_piece(capture, first + i, &m, path, path,
                               ETM_DIAG_NONE, diag);
        }
    }
    if (shared) /* the owner frees them */
        etm_vec_init(&records->bytes, 1, &capture->allocator);
    return status;
}

int etm_build_records(struct etm_capture *capture, size_t first, size_t n,
                      const char *path, const struct etm_space *space,
                      struct etm_diag *diag)
{
    const struct etm_allocator *a = &capture->allocator;
    struct etm_records records;
    struct etm_diag cut;
    struct etm_file file;
    int status = etm_file_open(&file, path, a, diag);

    if (status != ETM_OK)
        return status;
    status = etm_records_read(&records, etm_records_kind(file.bytes, file.n),
                              file.bytes, file.n, path, a, diag);
    etm_file_close(&file, a);
    if (status != ETM_OK)
        return status;
    status = add_runs(capture, first, n, path, space, &records, diag);
    if (status == ETM_OK && !records.ended) {
        (void)etm_text_fail(
            &cut, ETM_ERR_FORMAT, path, ETM_DIAG_NONE,
            "there is no end record: the file may be truncated");
        status = etm_build_fault(capture, &cut, "the available part is used");
    }
    etm_records_fini(&records);
    return status;
}

/* Add an ELF file to a core; `code`: what it loads is memory, too. */
static int hold_elf(struct etm_capture *capture, size_t core,
                    struct etm_elf *elf, const struct etm_space *space,
                    bool code)
{
    const struct etm_allocator *a = &capture->allocator;
    struct etm_capture_core *c = etm_build_core_at(capture, core);
    struct etm_capture_memory m = {0};
    const char *path = etm_elf_path(elf);
    int status;

    if (space != NULL)
        m.space = *space;
    m.bytes = etm_elf_bytes(elf, &m.n);
    m.length = m.n;
    m.path = etm_text_copy(a, path, strlen(path));
    status = m.path == NULL ? ETM_ERR_MEMORY : ETM_OK;
    if (status == ETM_OK && code)
        status = etm_elf_add_to_image(elf, c->image, &m.space);
    if (status == ETM_OK) {
        m.elf = elf;
        status = etm_vec_append(&c->memory, &m, 1);
    }
    if (status == ETM_OK)
        etm_elf_hold(elf);
    else
        etm_alloc_free(a, m.path);
    return status;
}

int etm_build_elf(struct etm_capture *capture, size_t core, struct etm_elf *elf,
                  const struct etm_space *space)
{
    return hold_elf(capture, core, elf, space, true);
}

int etm_build_names(struct etm_capture *capture, size_t core,
                    struct etm_elf *elf, const struct etm_space *space)
{
    return hold_elf(capture, core, elf, space, false);
}

/* A binary at an address, for every core. */
static int add_binary(struct etm_capture *capture, const char *path,
                      uint64_t address, const char *text, struct etm_diag *diag)
{
    struct etm_capture_memory m = {.length = UINT64_MAX};
    int status = ETM_OK;

    if (address > UINT32_MAX)
        return etm_text_fail(diag, ETM_ERR_ARGUMENT, text, ETM_DIAG_NONE,
                             "the address 0x%llx has more than 32 bits",
                             (unsigned long long)address);
    m.address = (uint32_t)address;
    for (size_t i = 0; i < capture->cores.n && status == ETM_OK; i++)
        status =
            etm_build_memory(capture, i, path, &m, text, ETM_DIAG_NONE, diag);
    return status;
}

/* One ELF file, shared by all cores. */
static int add_elf(struct etm_capture *capture, const char *path,
                   uint64_t address, struct etm_diag *diag)
{
    struct etm_elf *elf;
    int status =
        etm_elf_open(&elf, path, (uint32_t)address, &capture->allocator, diag);

    for (size_t i = 0; i < capture->cores.n && status == ETM_OK; i++)
        status = etm_build_elf(capture, i, elf, NULL);
    etm_elf_release(elf);
    return status;
}

static int add_image(struct etm_capture *capture, const char *text,
                     struct etm_diag *diag)
{
    const char *at = strrchr(text, '@');
    uint64_t address = 0;
    bool has_address = at != NULL && etm_text_number(at + 1, &address);
    char *path =
        etm_text_copy(&capture->allocator, text,
                      has_address ? (size_t)(at - text) : strlen(text));
    enum etm_records_kind records;
    struct etm_file file;
    bool is_elf;
    int status;

    if (path == NULL)
        return ETM_ERR_MEMORY;
    if (strcmp(path, "-") == 0)
        status = etm_text_fail(diag, ETM_ERR_ARGUMENT, text, ETM_DIAG_NONE,
                               "standard input cannot be read as code");
    else
        status = etm_file_open(&file, path, &capture->allocator, diag);
    if (status == ETM_ERR_IO && at != NULL && !has_address)
        etm_text_fail(diag, status, text, ETM_DIAG_NONE,
                      "there is no such file, and %s is not an address",
                      at[1] != '\0' ? at + 1 : "nothing");
    if (status == ETM_OK && file.n == 0) {
        etm_file_close(&file, &capture->allocator);
        status = etm_text_fail(diag, ETM_ERR_FORMAT, text, ETM_DIAG_NONE,
                               "the file is empty");
    }
    if (status == ETM_OK) {
        is_elf = etm_elf_is(file.bytes, file.n);
        records = etm_records_kind(file.bytes, file.n);
        etm_file_close(&file, &capture->allocator);
        if (records != ETM_RECORDS_NONE && has_address)
            status = etm_text_fail(diag, ETM_ERR_FORMAT, text, ETM_DIAG_NONE,
                                   "the records in %s have addresses of their "
                                   "own: give it without @%s",
                                   path, at + 1);
        else if (records != ETM_RECORDS_NONE)
            status = etm_build_records(capture, 0, capture->cores.n, path, NULL,
                                       diag);
        else if (is_elf && address <= UINT32_MAX)
            status = add_elf(capture, path, address, diag);
        else if (has_address)
            status = add_binary(capture, path, address, text, diag);
        else
            status =
                etm_text_fail(diag, ETM_ERR_FORMAT, text, ETM_DIAG_NONE,
                              "neither ELF nor Intel HEX nor S-records; for "
                              "a binary, give its address: "
                              "FILE@ADDRESS");
    }
    etm_alloc_free(&capture->allocator, path);
    return status;
}

int etm_build_images(struct etm_capture *capture, const char *const *images,
                     size_t n, struct etm_diag *diag)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = add_image(capture, images[i], diag);
    return status;
}
