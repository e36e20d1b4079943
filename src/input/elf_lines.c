/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines of addresses (DWARF). */
#include "input/elf_private.h"

#include "input/text.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_units(const void *x, const void *y)
{
    const struct etm_elf_unit_row *a = x, *b = y;

    return a->low < b->low ? -1 : a->low > b->low;
}

/* libdw and libelf report out of memory only in errno. libdw changes the
 * headers of compressed sections when it unpacks them, in the bytes that
 * elf_memory() was given. */
static int open_dwarf(struct etm_elf *elf)
{
    int status;

    if (elf->dwarf != NULL || !etm_file_own(&elf->file))
        return ETM_OK;
    status = etm_elf_move_removed(elf);
    if (status != ETM_OK)
        return status;
    errno = 0;
    elf->dwarf = dwarf_begin_elf(elf->elf, DWARF_C_READ, NULL);
    return elf->dwarf == NULL && errno == ENOMEM ? ETM_ERR_MEMORY : ETM_OK;
}

int etm_elf_next_unit(struct etm_elf *elf, Dwarf_Off *offset, Dwarf_Die *unit)
{
    Dwarf_Off at = *offset;
    size_t header;
    int status = open_dwarf(elf);

    if (elf->dwarf == NULL)
        return status;
    errno = 0;
    while (dwarf_nextcu(elf->dwarf, at, offset, &header, NULL, NULL, NULL) ==
           0) {
        if (dwarf_offdie(elf->dwarf, at + header, unit) != NULL)
            return 1;
        if (errno == ENOMEM)
            break;
        at = *offset;
    }
    return errno == ENOMEM ? ETM_ERR_MEMORY : 0;
}

/* Find the code of each compilation unit; its lines are loaded when needed. */
int etm_elf_load_units(struct etm_elf *elf)
{
    const struct etm_elf_unit_row *rows;
    Dwarf_Off offset = 0;
    Dwarf_Die die;
    int more;

    if (elf->has_units)
        return ETM_OK;
    elf->units.n = 0;
    while ((more = etm_elf_next_unit(elf, &offset, &die)) > 0) {
        struct etm_elf_unit_row row = {.die = dwarf_dieoffset(&die)};
        Dwarf_Addr base;
        ptrdiff_t i = 0;

        while ((i = dwarf_ranges(&die, i, &base, &row.low, &row.high)) > 0)
            if (etm_vec_append(&elf->units, &row, 1) != ETM_OK)
                return ETM_ERR_MEMORY;
        if (i < 0 && errno == ENOMEM)
            return ETM_ERR_MEMORY;
    }
    if (more < 0)
        return more;
    if (elf->units.n != 0)
        qsort(elf->units.data, elf->units.n, elf->units.width, compare_units);
    rows = elf->units.data;
    if (etm_elf_cover_make(&elf->unit_cover, elf->units.n, &elf->allocator) !=
        ETM_OK)
        return ETM_ERR_MEMORY;
    for (size_t i = 0; i < elf->units.n; i++)
        etm_elf_cover_put(&elf->unit_cover, i, rows[i].high);
    elf->has_units = true;
    return ETM_OK;
}

/*
 * A relative name starts from the directory of the ELF file (if the compiler
 * left out the directory), or otherwise from the current one.
 */
static int open_source(const struct etm_elf *elf, const char *path,
                       struct etm_file *file)
{
    const struct etm_allocator *a = &elf->allocator;
    char *beside;
    int status;

    if (path[0] == '/' || etm_text_directory(elf->path) == 0)
        return etm_file_open(file, path, a, NULL);
    beside = etm_text_print(a, "%.*s%s", (int)etm_text_directory(elf->path),
                            elf->path, path);
    if (beside == NULL)
        return ETM_ERR_MEMORY;
    status = etm_file_open(file, beside, a, NULL);
    etm_alloc_free(a, beside);
    return status == ETM_ERR_IO ? etm_file_open(file, path, a, NULL) : status;
}

/* Cut a source file into lines. */
static int read_source(const struct etm_elf *elf, struct etm_elf_source *source)
{
    const struct etm_allocator *allocator = &elf->allocator;
    struct etm_file file;
    char *next;
    int status = open_source(elf, source->path, &file);

    /* A source file that does not exist is no error. */
    if (status != ETM_OK)
        return status == ETM_ERR_MEMORY ? status : ETM_OK;
    source->text = etm_text_copy(allocator, (const char *)file.bytes, file.n);
    etm_file_close(&file, allocator);
    if (source->text == NULL)
        return ETM_ERR_MEMORY;
    for (next = source->text; *next != '\0';) {
        size_t n = strcspn(next, "\r\n");
        char *end = next + n;

        status = etm_vec_append(&source->lines, &next, 1);
        if (status != ETM_OK)
            return status;
        next = end + (end[0] == '\r' && end[1] == '\n');
        next += *next != '\0';
        *end = '\0';
    }
    return ETM_OK;
}

/* The source file of that path, read when it is first wanted. */
static const struct etm_elf_source *source_of(struct etm_elf *elf,
                                              const char *path)
{
    struct etm_elf_source source = {.path = path};
    struct etm_elf_source *sources = elf->sources.data;

    /* The last one is the likeliest. */
    for (size_t i = elf->sources.n; i-- > 0;) {
        if (sources[i].path == path || strcmp(sources[i].path, path) == 0)
            return &sources[i];
    }
    etm_vec_init(&source.lines, sizeof(char *), &elf->allocator);
    elf->lacks_lines = true; /* otherwise it is returned */
    if (read_source(elf, &source) == ETM_OK &&
        etm_vec_append(&elf->sources, &source, 1) == ETM_OK) {
        elf->lacks_lines = false;
        return (struct etm_elf_source *)elf->sources.data + elf->sources.n - 1;
    }
    etm_alloc_free(&elf->allocator, source.text);
    etm_vec_fini(&source.lines);
    return NULL;
}

size_t etm_elf_units_before(const struct etm_elf *elf, uint64_t address)
{
    const struct etm_elf_unit_row *rows = elf->units.data;
    size_t low = 0, high = elf->units.n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (rows[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool etm_elf_unit_at(const struct etm_elf *elf, uint64_t address, size_t *i,
                     Dwarf_Die *die)
{
    const struct etm_elf_unit_row *rows = elf->units.data;

    while ((*i = etm_elf_cover_before(&elf->unit_cover, *i, address)) != 0) {
        --*i;
        if (dwarf_offdie(elf->dwarf, rows[*i].die, die) != NULL)
            return true;
    }
    return false;
}

/*
 * The line record of an address. Several units may claim one: code that the
 * linker removed is at address 0 in what tells where the code of a unit is.
 */
static Dwarf_Line *record_of(const struct etm_elf *elf, uint64_t address)
{
    size_t i = etm_elf_units_before(elf, address);
    unsigned left = ETM_ELF_UNITS_ASKED;
    Dwarf_Line *record = NULL;
    Dwarf_Die die;

    while (record == NULL && left-- > 0 &&
           etm_elf_unit_at(elf, address, &i, &die))
        record = dwarf_getsrc_die(&die, address);
    return record;
}

bool etm_elf_line(struct etm_elf *elf, uint32_t address,
                  struct etm_source_line *line)
{
    const struct etm_elf_source *source;
    const char *path;
    Dwarf_Line *record;
    int number;

    elf->lacks_lines = etm_elf_load_units(elf) != ETM_OK;
    if (elf->lacks_lines)
        return false;
    errno = 0;
    record = record_of(elf, address - elf->bias);
    if (record == NULL || dwarf_lineno(record, &number) != 0 || number <= 0) {
        elf->lacks_lines = record == NULL && errno == ENOMEM;
        return false;
    }
    path = dwarf_linesrc(record, NULL, NULL);
    if (path == NULL)
        return false;
    *line = (struct etm_source_line){.file = path, .line = (uint32_t)number};
    source = source_of(elf, path);
    if (source != NULL && (size_t)number <= source->lines.n) {
        line->texts = source->lines.data;
        line->n_texts = (uint32_t)source->lines.n;
        line->text = line->texts[number - 1];
    }
    return true;
}

bool etm_elf_lacks_lines(const struct etm_elf *elf)
{
    return elf->lacks_lines;
}

void etm_elf_close_lines(struct etm_elf *elf)
{
    struct etm_elf_source *sources = elf->sources.data;

    for (size_t i = 0; i < elf->sources.n; i++) {
        etm_alloc_free(&elf->allocator, sources[i].text);
        etm_vec_fini(&sources[i].lines);
    }
    etm_vec_fini(&elf->sources);
    etm_vec_fini(&elf->units);
    etm_elf_cover_free(&elf->unit_cover, &elf->allocator);
    dwarf_end(elf->dwarf);
    elf->dwarf = NULL;
}
