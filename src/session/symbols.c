/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and source lines of a source's processor. */
#include "input/elf.h"
#include "session/session.h"

/* The ELF files of a processor, the last one given first: it is the one whose
 * code is seen where several overlap. */
static struct etm_elf *next_elf(const struct etm_capture_core *core, size_t *i)
{
    const struct etm_capture_memory *memory = core->memory.data;

    while (*i > 0) {
        --*i;
        if (memory[*i].elf)
            return memory[*i].elf;
    }
    return NULL;
}

int etm_session_symbol(const struct etm_session *session, size_t source,
                       uint32_t address, struct etm_symbol *symbol)
{
    const struct etm_capture_core *core;
    struct etm_elf *elf;
    size_t i;

    if (!etm_session_source(session, source) || !symbol)
        return ETM_ERR_NOT_FOUND;
    core = etm_session_core(session, source);
    i = core ? core->memory.n : 0;
    while (i > 0 && (elf = next_elf(core, &i)) != NULL)
        if (etm_elf_symbol(elf, address, symbol))
            return ETM_OK;
    return ETM_ERR_NOT_FOUND;
}

int etm_session_line(const struct etm_session *session, size_t source,
                     uint32_t address, struct etm_source_line *line)
{
    const struct etm_capture_core *core;
    struct etm_elf *elf;
    size_t i;

    if (!etm_session_source(session, source) || !line)
        return ETM_ERR_NOT_FOUND;
    core = etm_session_core(session, source);
    i = core ? core->memory.n : 0;
    while (i > 0 && (elf = next_elf(core, &i)) != NULL)
        if (etm_elf_line(elf, address, line))
            return ETM_OK;
    return ETM_ERR_NOT_FOUND;
}
