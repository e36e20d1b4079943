/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and source lines of a source's processor. */
#include "input/elf.h"
#include "session/session.h"

#include <etm/program.h>

#include <string.h>

/* The ELF files of a processor, the last one given first: its code is visible
 * where several overlap. */
static const struct etm_capture_memory *
next_file(const struct etm_capture_core *core, size_t *i)
{
    const struct etm_capture_memory *memory = core->memory.data;
    const size_t *programs = core->programs.data;

    return *i > 0 ? &memory[programs[--*i]] : NULL;
}

static struct etm_elf *next_elf(const struct etm_capture_core *core, size_t *i)
{
    const struct etm_capture_memory *memory = next_file(core, i);

    return memory ? memory->elf : NULL;
}

/* Is what is seen in one never seen in the other? Which of the two an address
 * is in is not asked: where both have something else nothing is known of it
 * (doc/errata.md, E-368). */
static bool excludes(const struct etm_space *a, const struct etm_space *b)
{
    return (a->has_context && b->has_context &&
            a->context_id != b->context_id) ||
           (a->secure != ETM_UNKNOWN && b->secure != ETM_UNKNOWN &&
            a->secure != b->secure);
}

int etm_session_load_symbols(const struct etm_session *session, size_t source)
{
    const struct etm_capture_core *core;
    struct etm_elf *elf;
    int status = ETM_OK;
    size_t i;

    if (!session || !etm_session_source(session, source))
        return ETM_ERR_ARGUMENT;
    core = etm_session_core(session, source);
    i = core ? core->programs.n : 0;
    while (status == ETM_OK && i > 0 && (elf = next_elf(core, &i)) != NULL)
        status = etm_elf_load_symbols(elf);
    return status;
}

int etm_session_symbol(const struct etm_session *session, size_t source,
                       uint32_t address, struct etm_symbol *symbol)
{
    const struct etm_capture_memory *file, *first = NULL;
    const struct etm_capture_core *core;
    struct etm_symbol other;
    size_t i;

    if (!etm_session_source(session, source) || !symbol)
        return ETM_ERR_NOT_FOUND;
    core = etm_session_core(session, source);
    i = core ? core->programs.n : 0;
    while (i > 0 && (file = next_file(core, &i)) != NULL) {
        if (first && !excludes(&first->space, &file->space))
            continue;
        if (etm_elf_symbol(file->elf, address, first ? &other : symbol)) {
            if (first && (other.offset != symbol->offset ||
                          strcmp(other.name, symbol->name) != 0))
                return ETM_ERR_NOT_FOUND;
            first = first ? first : file;
        } else if (etm_elf_lacks_symbols(file->elf)) {
            return ETM_ERR_MEMORY;
        }
    }
    return first ? ETM_OK : ETM_ERR_NOT_FOUND;
}

int etm_session_line(const struct etm_session *session, size_t source,
                     uint32_t address, struct etm_source_line *line)
{
    const struct etm_capture_memory *file, *first = NULL;
    const struct etm_capture_core *core;
    struct etm_source_line other;
    size_t i;

    if (!etm_session_source(session, source) || !line)
        return ETM_ERR_NOT_FOUND;
    core = etm_session_core(session, source);
    i = core ? core->programs.n : 0;
    while (i > 0 && (file = next_file(core, &i)) != NULL) {
        bool found;

        if (first && !excludes(&first->space, &file->space))
            continue;
        found = etm_elf_line(file->elf, address, first ? &other : line);
        if (etm_elf_lacks_lines(file->elf))
            return ETM_ERR_MEMORY;
        if (found && first &&
            (other.line != line->line || strcmp(other.file, line->file) != 0))
            return ETM_ERR_NOT_FOUND;
        if (found && !first)
            first = file;
    }
    return first ? ETM_OK : ETM_ERR_NOT_FOUND;
}

int etm_session_isa(const struct etm_session *session, size_t source,
                    uint32_t address, enum etm_isa *isa)
{
    const struct etm_capture_memory *file, *first = NULL;
    const struct etm_capture_core *core;
    char found = 0;
    size_t i;

    if (!etm_session_source(session, source) || !isa)
        return ETM_ERR_NOT_FOUND;
    core = etm_session_core(session, source);
    i = core ? core->programs.n : 0;
    while (i > 0 && (file = next_file(core, &i)) != NULL) {
        char kind;

        if (first && !excludes(&first->space, &file->space))
            continue;
        if (etm_elf_load_symbols(file->elf) != ETM_OK)
            return ETM_ERR_MEMORY;
        kind = etm_elf_mapping(file->elf, address, NULL);
        if (kind == 0)
            continue;
        if (first && kind != found)
            return ETM_ERR_NOT_FOUND;
        first = first ? first : file;
        found = kind;
    }
    *isa = found == 'a'   ? ETM_ISA_ARM
           : found == 't' ? ETM_ISA_THUMB
                          : ETM_ISA_UNKNOWN;
    return first ? ETM_OK : ETM_ERR_NOT_FOUND;
}

int etm_session_inlined(const struct etm_session *session, size_t source,
                        uint32_t address, struct etm_inlined *inlined,
                        size_t *n)
{
    const struct etm_capture_core *core;
    struct etm_symbol symbol;
    struct etm_elf *elf;
    int status;
    size_t i;

    if (!session || !etm_session_source(session, source) || !inlined || !n)
        return ETM_ERR_ARGUMENT;
    if (!etm_elf_is_built())
        return ETM_ERR_UNSUPPORTED;
    core = etm_session_core(session, source);
    i = core ? core->programs.n : 0;
    status = etm_session_symbol(session, source, address, &symbol);
    while (status == ETM_OK && i > 0 && (elf = next_elf(core, &i)) != NULL)
        if (etm_elf_symbol(elf, address, &symbol))
            return etm_elf_inlined(elf, address, inlined, n);
    *n = 0;
    return status == ETM_ERR_NOT_FOUND ? ETM_OK : status;
}

/* Code in a file that is hidden by another file is not found by lookups. */
struct walk {
    const struct etm_session *session;
    size_t source;
    etm_line_fn *line;
    etm_function_fn *function;
    void *context;
};

static int give_line(void *context, const struct etm_line_range *range)
{
    const struct walk *w = context;
    struct etm_source_line line;
    int status = etm_session_line(w->session, w->source, range->start, &line);

    if (status == ETM_ERR_MEMORY)
        return status;
    if (status != ETM_OK || line.line != range->line ||
        strcmp(line.file, range->file) != 0)
        return ETM_OK;
    return w->line(w->context, range);
}

static int give_function(void *context, const struct etm_function *function)
{
    const struct walk *w = context;
    struct etm_symbol symbol;
    int status =
        etm_session_symbol(w->session, w->source, function->address, &symbol);

    if (status == ETM_ERR_MEMORY)
        return status;
    if (status != ETM_OK || symbol.offset != 0 ||
        strcmp(symbol.name, function->name) != 0)
        return ETM_OK;
    return w->function(w->context, function);
}

static int walk_lines(struct etm_elf *elf, struct walk *w)
{
    return etm_elf_walk_lines(elf, give_line, w);
}

static int walk_functions(struct etm_elf *elf, struct walk *w)
{
    return etm_elf_walk_functions(elf, give_function, w);
}

/* Each file of the walk's source. */
static int walk_files(struct walk *w,
                      int (*file)(struct etm_elf *elf, struct walk *w))
{
    const struct etm_capture_core *core =
        etm_session_core(w->session, w->source);
    size_t i = core ? core->programs.n : 0;
    struct etm_elf *elf;
    int status = ETM_OK;

    while (status == ETM_OK && i > 0 && (elf = next_elf(core, &i)) != NULL)
        status = file(elf, w);
    return status;
}

int etm_session_lines(const struct etm_session *session, size_t source,
                      etm_line_fn *fn, void *context)
{
    struct walk walk = {session, source, fn, NULL, context};

    if (!session || !etm_session_source(session, source) || !fn)
        return ETM_ERR_ARGUMENT;
    return walk_files(&walk, walk_lines);
}

int etm_session_functions(const struct etm_session *session, size_t source,
                          etm_function_fn *fn, void *context)
{
    struct walk walk = {session, source, NULL, fn, context};

    if (!session || !etm_session_source(session, source) || !fn)
        return ETM_ERR_ARGUMENT;
    return walk_files(&walk, walk_functions);
}
