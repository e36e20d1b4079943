/* SPDX-License-Identifier: Apache-2.0 */
/* The code of a capture's cores: pieces of binary files, ELF files, records. */
#include "input/build.h"
#include "input/elf.h"
#include "input/records.h"
#include "input/text.h"

#include <string.h>

/* Programs */

/* What was opened of a file, which may be nothing yet. NULL: no memory. */
static struct etm_capture_program *program_at(struct etm_capture *capture,
                                              const char *path)
{
    struct etm_capture_program *programs = capture->programs.data;
    struct etm_capture_program program = {.elf = NULL};
    bool known = etm_file_identify(path, &program.id);

    /* the last one is the likeliest */
    for (size_t i = known ? capture->programs.n : 0; i-- > 0;)
        if (programs[i].id.number == program.id.number &&
            programs[i].id.device == program.id.device)
            return &programs[i];
    if (etm_vec_append(&capture->programs, &program, 1) != ETM_OK)
        return NULL;
    programs = capture->programs.data;
    return &programs[capture->programs.n - 1];
}

int etm_build_program(struct etm_capture *capture, const char *path,
                      struct etm_file *file, struct etm_diag *diag)
{
    struct etm_capture_program *p = program_at(capture, path);
    int status = ETM_OK;

    if (p == NULL)
        return ETM_ERR_MEMORY;
    if (p->file.bytes == NULL)
        status = etm_file_open(&p->file, path, &capture->allocator, diag);
    if (status == ETM_OK)
        *file = p->file;
    else
        p->file.bytes = NULL;
    return status;
}

int etm_build_program_elf(struct etm_capture *capture, const char *path,
                          struct etm_elf **elf, struct etm_diag *diag)
{
    struct etm_capture_program *p = program_at(capture, path);
    int status = ETM_OK;

    if (p == NULL)
        return ETM_ERR_MEMORY;
    if (p->elf == NULL)
        status = etm_elf_open(&p->elf, path, 0, &capture->allocator, diag);
    *elf = p->elf;
    return status;
}

void etm_build_close_programs(struct etm_capture *capture)
{
    struct etm_capture_program *programs = capture->programs.data;

    for (size_t i = 0; i < capture->programs.n; i++) {
        etm_elf_release(programs[i].elf);
        if (programs[i].file.bytes != NULL)
            etm_file_close(&programs[i].file, &capture->allocator);
    }
    etm_vec_fini(&capture->programs);
}

/* Pieces of memory */

void etm_build_free_memory(struct etm_capture *capture,
                           struct etm_capture_memory *m)
{
    struct etm_file file = {.bytes = m->bytes, .n = m->n};

    if (m->elf != NULL)
        etm_elf_release(m->elf);
    else if (!m->shared)
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
        etm_build_free_memory(capture, m);
    return status;
}

int etm_build_memory(struct etm_capture *capture, size_t core, const char *path,
                     const struct etm_capture_memory *memory, const char *where,
                     uint64_t line, struct etm_diag *diag)
{
    struct etm_capture_memory m = *memory;
    struct etm_file file;
    int status = etm_build_program(capture, path, &file, diag);

    /* the line that names the file is more useful than the file */
    if (status == ETM_ERR_IO)
        (void)etm_file_named(diag, where, line, path);
    if (status != ETM_OK)
        return status;
    if (etm_records_kind(file.bytes, file.n) != ETM_RECORDS_NONE)
        return etm_text_fail(diag, ETM_ERR_FORMAT, where, line,
                             "the records in %s have addresses of their own, "
                             "and need none",
                             path);
    m.bytes = file.bytes;
    m.n = file.n;
    m.shared = true;
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
    struct etm_capture_program *p;
    struct etm_records records;
    struct etm_diag cut;
    struct etm_file file;
    int status = etm_build_program(capture, path, &file, diag);

    if (status != ETM_OK)
        return status;
    p = program_at(capture, path);
    if (p == NULL)
        return ETM_ERR_MEMORY;
    if (p->records++ == ETM_RECORDS_USES)
        return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, path, ETM_DIAG_NONE,
                             "its records are used more than %u times",
                             ETM_RECORDS_USES);
    status = etm_records_read(&records, etm_records_kind(file.bytes, file.n),
                              file.bytes, file.n, path, a, diag);
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

static bool same_space(const struct etm_space *a, const struct etm_space *b)
{
    return a->secure == b->secure && a->has_context == b->has_context &&
           (!a->has_context || a->context_id == b->context_id);
}

/* Has the core this file, in that space (NULL: in any)? */
static bool has_elf(const struct etm_capture_core *core,
                    const struct etm_elf *elf, const struct etm_space *space)
{
    const struct etm_capture_memory *memory = core->memory.data;
    const size_t *programs = core->programs.data;

    for (size_t i = core->programs.n; i-- > 0;) {
        const struct etm_capture_memory *m = &memory[programs[i]];

        if (m->elf == elf && (space == NULL || same_space(&m->space, space)))
            return true;
    }
    return false;
}

bool etm_build_has_names(const struct etm_capture_core *core,
                         const struct etm_elf *elf)
{
    return has_elf(core, elf, NULL);
}

static int tell_too_many(struct etm_capture *capture, const char *path,
                         bool code)
{
    struct etm_diag diag;

    (void)etm_text_fail(&diag, ETM_ERR_UNSUPPORTED, path, ETM_DIAG_NONE,
                        "a core has at most %u programs with names",
                        ETM_CORE_PROGRAMS);
    return etm_build_fault(capture, &diag,
                           code ? "this code is skipped"
                                : "its names are left out");
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
    if (has_elf(c, elf, &m.space))
        return ETM_OK;
    if (c->programs.n == ETM_CORE_PROGRAMS)
        return tell_too_many(capture, path, code);
    m.bytes = etm_elf_bytes(elf, &m.n);
    m.length = m.n;
    m.path = etm_text_copy(a, path, strlen(path));
    status = m.path == NULL ? ETM_ERR_MEMORY : ETM_OK;
    if (status == ETM_OK && code)
        status = etm_elf_add_to_image(elf, c->image, &m.space);
    if (status == ETM_OK)
        status = etm_vec_append(&c->programs, &c->memory.n, 1);
    if (status == ETM_OK) {
        m.elf = elf;
        status = etm_vec_append(&c->memory, &m, 1);
        if (status != ETM_OK)
            c->programs.n--;
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
