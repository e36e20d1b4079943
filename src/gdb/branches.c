/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/branches.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int put(struct etm_vec *text, const char *words)
{
    return etm_vec_append(text, words, strlen(words));
}

/* `end` is the address of its last instruction. */
static int put_block(struct etm_vec *text, uint32_t begin, uint32_t end)
{
    char words[64];

    (void)snprintf(words, sizeof words,
                   "<block begin=\"0x%" PRIx32 "\" end=\"0x%" PRIx32 "\"/>",
                   begin, end);
    return put(text, words);
}

int etm_gdb_branches(struct etm_gdb_history *h,
                     const struct etm_gdb_place *place, size_t n,
                     struct etm_vec *text)
{
    int status = put(text, "<!DOCTYPE btrace SYSTEM \"btrace.dtd\">"
                           "<btrace version=\"1.0\">");
    uint32_t begin = 0, end = 0;
    bool any = false;

    for (uint64_t at = place->stretch + 1; at > 0 && n > 0 && status == ETM_OK;
         at--) {
        const struct etm_gdb_stretch *s;
        size_t i;

        status = etm_gdb_history_stretch(h, at - 1, &s);
        if (status != ETM_OK)
            return status;
        i = at - 1 == place->stretch ? place->insn + (size_t)1 : s->insns.n;
        for (; i > 0 && n > 0 && status == ETM_OK; i--) {
            const struct etm_gdb_insn *insn = &etm_gdb_insns(s)[i - 1];

            if (any && insn->address + insn->size != begin) {
                status = put_block(text, begin, end);
                any = false;
                n--;
            }
            if (!any)
                end = insn->address;
            any = true;
            begin = insn->address;
        }
    }
    if (status == ETM_OK && any && n > 0)
        status = put_block(text, begin, end);
    return status == ETM_OK ? put(text, "</btrace>") : status;
}
