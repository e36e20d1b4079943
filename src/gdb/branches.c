/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/branches.h"

#include <inttypes.h>

/* `end` is the address of its last instruction. */
static void put_block(struct etm_gdb_document *document, uint32_t begin,
                      uint32_t end)
{
    etm_gdb_document_print(
        document, "<block begin=\"0x%" PRIx32 "\" end=\"0x%" PRIx32 "\"/>",
        begin, end);
}

int etm_gdb_branches(struct etm_gdb_history *h,
                     const struct etm_gdb_place *place, size_t n,
                     struct etm_gdb_document *document)
{
    uint32_t begin = 0, end = 0;
    bool any = false;

    etm_gdb_document_put(document, "<!DOCTYPE btrace SYSTEM \"btrace.dtd\">"
                                   "<btrace version=\"1.0\">");
    for (uint64_t at = place->stretch + 1; at > 0 && n > 0; at--) {
        const struct etm_gdb_stretch *s;
        int status = etm_gdb_history_stretch(h, at - 1, &s);
        size_t i;

        if (status != ETM_OK)
            return status;
        i = at - 1 == place->stretch ? place->insn + (size_t)1 : s->insns.n;
        for (; i > 0 && n > 0; i--) {
            const struct etm_gdb_insn *insn = &etm_gdb_insns(s)[i - 1];

            if (any && insn->address + insn->size != begin) {
                put_block(document, begin, end);
                any = false;
                n--;
            }
            if (!any)
                end = insn->address;
            any = true;
            begin = insn->address;
        }
    }
    if (any && n > 0)
        put_block(document, begin, end);
    etm_gdb_document_put(document, "</btrace>");
    return document->status;
}
