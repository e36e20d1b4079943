/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong in the files of a snapshot, and what is not known there. */
#include "input/snapshot.h"

#include "input/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int etm_snapshot_fail(struct etm_snapshot *snapshot, const struct etm_ini *ini,
                      unsigned line, const char *format, ...)
{
    char text[256];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return etm_text_fail(&snapshot->diag, ETM_ERR_FORMAT, ini->path,
                         line != 0 ? line : ETM_DIAG_NONE, "%s", text);
}

int etm_snapshot_do_without(struct etm_snapshot *snapshot, int status,
                            const char *and_so)
{
    if (status == ETM_OK || status == ETM_ERR_MEMORY)
        return status;
    snapshot->last = snapshot->diag;
    return etm_build_fault(snapshot->capture, &snapshot->diag, and_so);
}

int etm_snapshot_why_not(struct etm_snapshot *snapshot, size_t source)
{
    snapshot->last = snapshot->diag;
    return etm_build_why_not(snapshot->capture, source, "%s",
                             snapshot->diag.what);
}

static bool is_known(const char *name, const char *const *known)
{
    for (; *known != NULL; known++) {
        size_t n = strlen(*known);

        if ((*known)[n - 1] == '*') {
            char beginning[32] = "";

            memcpy(beginning, *known, n - 1);
            if (etm_text_begins(name, beginning))
                return true;
        } else if (etm_text_same(name, *known)) {
            return true;
        }
    }
    return false;
}

int etm_snapshot_check_keys(struct etm_snapshot *snapshot,
                            const struct etm_ini *ini,
                            const struct etm_ini_section *section,
                            const char *const *known)
{
    int status = ETM_OK;

    for (size_t i = 0; i < section->n && status == ETM_OK; i++) {
        const struct etm_ini_entry *e = etm_ini_entry(ini, section, i);
        const struct etm_ini_entry *first = etm_ini_find(ini, section, e->key);

        if (first != e)
            return etm_snapshot_fail(snapshot, ini, e->line,
                                     "%s was already given in line %u", e->key,
                                     first->line);
        if (!is_known(e->key, known))
            status = etm_build_note(snapshot->capture,
                                    "%s:%u: %s in [%s] is ignored", ini->path,
                                    e->line, e->key, section->name);
    }
    return status;
}

int etm_snapshot_check_sections(struct etm_snapshot *snapshot,
                                const struct etm_ini *ini,
                                const char *const *known)
{
    const struct etm_ini_section *sections = ini->sections.data;
    int status = ETM_OK;

    for (size_t i = 0; i < ini->sections.n && status == ETM_OK; i++) {
        if (!is_known(sections[i].name, known))
            status = etm_build_note(
                snapshot->capture, "%s:%u: unknown section [%s] is ignored",
                ini->path, sections[i].line, sections[i].name);
    }
    return status;
}
