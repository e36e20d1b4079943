/* SPDX-License-Identifier: Apache-2.0 */
/* The code in a snapshot: the sections [dump], [dump1] ... of its cores. */
#include "input/elf.h"
#include "input/elf_segments.h"
#include "input/records.h"
#include "input/snapshot.h"
#include "input/text.h"

#include <stdio.h>
#include <string.h>

/*
 * Names of address spaces. Only the security state matters: Hyp mode is
 * Non-secure before Armv8.4.
 */
static bool take_space(const char *name, enum etm_tri *secure)
{
    static const struct {
        const char *name;
        enum etm_tri secure;
    } rows[] = {
        {"", ETM_UNKNOWN},    {"any", ETM_UNKNOWN}, {"p", ETM_UNKNOWN},
        {"el0", ETM_UNKNOWN}, {"el1", ETM_UNKNOWN}, {"s", ETM_TRUE},
        {"sp", ETM_TRUE},     {"el1s", ETM_TRUE},   {"el0s", ETM_TRUE},
        {"el2s", ETM_TRUE},   {"el3", ETM_TRUE},    {"n", ETM_FALSE},
        {"ns", ETM_FALSE},    {"np", ETM_FALSE},    {"h", ETM_FALSE},
        {"el1n", ETM_FALSE},  {"el0n", ETM_FALSE},  {"el1ns", ETM_FALSE},
        {"el0ns", ETM_FALSE}, {"el2", ETM_FALSE},   {"el2n", ETM_FALSE},
        {"el2ns", ETM_FALSE}, {"secure", ETM_TRUE}, {"nonsecure", ETM_FALSE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (etm_text_same(name, rows[i].name)) {
            *secure = rows[i].secure;
            return true;
        }
    }
    return false;
}

/* The number of a key; false, with an error, if it is not a number or too
 * large. */
static int take_number(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                       const struct etm_ini_section *section, const char *key,
                       uint64_t *number)
{
    const struct etm_ini_entry *e = etm_ini_find(ini, section, key);

    if (e == NULL || etm_text_number(e->value, number))
        return ETM_OK;
    return etm_snapshot_fail(snapshot, ini, e->line,
                             "%s is \"%s\": not a number", key, e->value);
}

/* Limits and space of a [dump]; `address` and `context` may have any size. */
static int take_limits(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                       const struct etm_ini_section *section,
                       struct etm_capture_memory *m, uint64_t *address)
{
    const struct etm_ini_entry *space = etm_ini_find(ini, section, "space");
    const struct etm_ini_entry *context =
        etm_ini_find(ini, section, "context_id");
    uint64_t id = 0;
    int status = take_number(snapshot, ini, section, "address", address);

    m->length = UINT64_MAX;
    if (status == ETM_OK)
        status = take_number(snapshot, ini, section, "length", &m->length);
    if (m->length == 0) /* nothing would be no dump */
        m->length = UINT64_MAX;
    if (status == ETM_OK)
        status = take_number(snapshot, ini, section, "offset", &m->offset);
    if (status == ETM_OK)
        status = take_number(snapshot, ini, section, "context_id", &id);
    if (status != ETM_OK)
        return status;
    if (id > UINT32_MAX)
        return etm_snapshot_fail(snapshot, ini, context->line,
                                 "context_id has more than 32 bits");
    m->space.has_context = context != NULL;
    m->space.context_id = (uint32_t)id;
    if (space == NULL)
        return ETM_OK;
    m->space_name = space->value;
    if (!take_space(space->value, &m->space.secure))
        return etm_snapshot_fail(snapshot, ini, space->line,
                                 "unknown address space %s", space->value);
    return ETM_OK;
}

/* Does a source that is decoded here trace this core? */
static bool is_needed(struct etm_capture *capture, size_t core)
{
    for (size_t i = 0; i < capture->sources.n; i++) {
        const struct etm_capture_source *s = etm_build_source_at(capture, i);

        if (s->decodable && s->core == (int)core)
            return true;
    }
    return false;
}

/*
 * Is an ELF file given as a binary at an address, so that its header would be
 * code (E-372)? A file that cannot be read is not. ETM_ERR_MEMORY.
 */
static int find_elsewhere(struct etm_snapshot *snapshot, const char *path,
                          uint32_t address, bool *elsewhere)
{
    struct etm_file file;
    int status = etm_build_program(snapshot->capture, path, &file, NULL);

    *elsewhere =
        status == ETM_OK && etm_elf_elsewhere(file.bytes, file.n, address);
    return status == ETM_ERR_MEMORY ? status : ETM_OK;
}

static int tell_address(struct etm_snapshot *snapshot,
                        const struct etm_ini *ini,
                        const struct etm_ini_section *section, const char *file)
{
    const struct etm_ini_entry *e = etm_ini_find(ini, section, "address");

    (void)etm_snapshot_fail(snapshot, ini, e->line,
                            "%s in [%s] applies to a binary, but %s is an ELF "
                            "file, which has its own addresses",
                            e->key, section->name, file);
    return etm_build_fault(snapshot->capture, &snapshot->diag,
                           "its segments are loaded at their own addresses");
}

/* A file with addresses of its own cannot be used in part. */
static int tell_part(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                     const struct etm_ini_section *section,
                     const struct etm_capture_memory *m)
{
    const struct etm_ini_entry *e =
        etm_ini_find(ini, section, m->offset != 0 ? "offset" : "length");

    if (m->offset == 0 && m->length == UINT64_MAX)
        return ETM_OK;
    (void)etm_snapshot_fail(
        snapshot, ini, e->line,
        "%s in [%s] applies to a binary, which has an address", e->key,
        section->name);
    return etm_build_fault(snapshot->capture, &snapshot->diag,
                           "all of the file is used");
}

/* An ELF file needs no address, nor do records. */
static int add_program(struct etm_snapshot *snapshot, size_t core,
                       const char *path, const struct etm_space *space,
                       const struct etm_ini *ini, unsigned line)
{
    struct etm_capture *capture = snapshot->capture;
    struct etm_elf *elf;
    struct etm_file file;
    int status = etm_build_program(capture, path, &file, &snapshot->diag);

    if (status == ETM_ERR_IO)
        return etm_file_named(&snapshot->diag, ini->path, line, path);
    if (status != ETM_OK)
        return status;
    if (etm_records_kind(file.bytes, file.n) != ETM_RECORDS_NONE)
        return etm_build_records(capture, core, 1, path, space,
                                 &snapshot->diag);
    if (!etm_elf_is(file.bytes, file.n))
        return etm_snapshot_fail(snapshot, ini, line,
                                 "address is missing, and %s is not an ELF "
                                 "file",
                                 path);
    status = etm_build_program_elf(capture, path, &elf, &snapshot->diag);
    return status == ETM_OK ? etm_build_elf(capture, core, elf, space) : status;
}

/*
 * The piece of memory that was added last may be a segment of an ELF file at
 * its load address, described for tools without ELF support. Then the file has
 * names, too.
 */
static int add_names(struct etm_capture *capture, size_t core)
{
    struct etm_capture_core *c = etm_build_core_at(capture, core);
    const struct etm_capture_memory *memory = c->memory.data;
    const struct etm_capture_memory *last = &memory[c->memory.n - 1];
    const struct etm_space space = last->space;
    struct etm_elf *elf;
    int status;

    if (!etm_elf_belongs(last->bytes, last->n, last->offset, last->address))
        return ETM_OK;
    status = etm_build_program_elf(capture, last->path, &elf, NULL);
    if (status == ETM_ERR_MEMORY)
        return status;
    /* without names it is an ordinary binary */
    if (status != ETM_OK || etm_build_has_names(c, elf))
        return ETM_OK;
    return etm_build_names(capture, core, elf, &space);
}

static int take_dump(struct etm_snapshot *snapshot, size_t core,
                     const struct etm_ini *ini,
                     const struct etm_ini_section *section)
{
    static const char *const keys[] = {
        "file", "address", "length", "offset", "space", "context_id", NULL};
    struct etm_capture *capture = snapshot->capture;
    const struct etm_ini_entry *file = etm_ini_find(ini, section, "file");
    bool has_address = etm_ini_find(ini, section, "address") != NULL;
    bool elsewhere = false;
    struct etm_capture_memory m = {0};
    uint64_t address = 0;
    char *path;
    int status = etm_snapshot_check_keys(snapshot, ini, section, keys);

    if (status == ETM_OK)
        status = take_limits(snapshot, ini, section, &m, &address);
    if (status != ETM_OK)
        return status;
    if (file == NULL || file->value[0] == '\0')
        return etm_snapshot_fail(snapshot, ini, section->line,
                                 "[%s] has no file", section->name);
    if (address > UINT32_MAX) {
        if (is_needed(capture, core))
            return etm_snapshot_fail(snapshot, ini, section->line,
                                     "the address of [%s] has more than 32 "
                                     "bits",
                                     section->name);
        /* A 64-bit core, whose trace is not decoded here. */
        return etm_build_note(
            capture,
            "%s:%u: [%s] is skipped: its address has more than 32 bits",
            ini->path, section->line, section->name);
    }
    m.address = (uint32_t)address;
    status =
        etm_snapshot_path(snapshot, ini->path, file->line, file->value, &path);
    if (status != ETM_OK)
        return status;
    if (has_address && m.offset == 0)
        status = find_elsewhere(snapshot, path, m.address, &elsewhere);
    if (status == ETM_OK && elsewhere) {
        status = tell_address(snapshot, ini, section, file->value);
        has_address = false;
        m.length = UINT64_MAX;
    }
    if (has_address && status == ETM_OK)
        status = etm_build_memory(capture, core, path, &m, ini->path,
                                  file->line, &snapshot->diag);
    if (has_address && status == ETM_OK)
        status = add_names(capture, core);
    if (!has_address && status == ETM_OK)
        status = add_program(snapshot, core, path, &m.space, ini, file->line);
    if (!has_address && status == ETM_OK)
        status = tell_part(snapshot, ini, section, &m);
    etm_alloc_free(&capture->allocator, path);
    return status;
}

/* The [dump] sections of a file for a core, which need not be its own. */
static int take_dumps(struct etm_snapshot *snapshot, size_t core,
                      const struct etm_ini *ini)
{
    const struct etm_ini_section *sections = ini->sections.data;
    struct etm_capture *capture = snapshot->capture;
    struct etm_capture_core *c = etm_build_core_at(capture, core);
    int status = ETM_OK;

    for (size_t i = 0; i < ini->sections.n && status == ETM_OK; i++) {
        if (!etm_text_begins(sections[i].name, "dump"))
            continue;
        status = take_dump(snapshot, core, ini, &sections[i]);
        if (status == ETM_OK)
            continue;
        status =
            etm_snapshot_do_without(snapshot, status, "this code is skipped");
        if (status == ETM_OK && c->code_missing == NULL)
            c->code_missing =
                ((char **)capture->faults.data)[capture->faults.n - 1];
    }
    return status;
}

int etm_snapshot_dumps(struct etm_snapshot *snapshot, size_t core)
{
    return take_dumps(snapshot, core,
                      (const struct etm_ini *)snapshot->core_files.data + core);
}

/* A core that may see the same memory, the first of the same type if there is
 * one, with code that could be read completely. -1: none. */
static int find_lender(const struct etm_capture *capture, size_t core)
{
    const struct etm_capture_core *cores = capture->cores.data;
    int found = -1;

    for (size_t i = 0; i < capture->cores.n; i++) {
        if (cores[i].memory.n == 0 || cores[i].code_missing != NULL ||
            cores[i].profile != cores[core].profile)
            continue;
        if (etm_text_same(cores[i].type, cores[core].type))
            return (int)i;
        if (found < 0)
            found = (int)i;
    }
    return found;
}

int etm_snapshot_borrow(struct etm_snapshot *snapshot)
{
    struct etm_capture *capture = snapshot->capture;
    const struct etm_ini *files = snapshot->core_files.data;
    const struct etm_capture_core *cores = capture->cores.data;
    struct etm_vec lenders; /* int: chosen before any core has borrowed */
    int status = ETM_OK;

    etm_vec_init(&lenders, sizeof(int), &capture->allocator);
    for (size_t i = 0; i < capture->cores.n && status == ETM_OK; i++) {
        bool bare = cores[i].memory.n == 0 && cores[i].code_missing == NULL;
        int lender =
            bare && is_needed(capture, i) ? find_lender(capture, i) : -1;

        status = etm_vec_append(&lenders, &lender, 1);
    }
    for (size_t i = 0; i < lenders.n && status == ETM_OK; i++) {
        int lender = ((const int *)lenders.data)[i];
        char and_so[96];

        if (lender < 0)
            continue;
        (void)etm_snapshot_fail(snapshot, &files[i], 0, "%s has no [dump]",
                                cores[i].name);
        snprintf(and_so, sizeof and_so, "the code of %.48s is used",
                 cores[lender].name);
        status = etm_build_fault(capture, &snapshot->diag, and_so);
        if (status == ETM_OK)
            status = take_dumps(snapshot, i, &files[lender]);
    }
    etm_vec_fini(&lenders);
    return status;
}
