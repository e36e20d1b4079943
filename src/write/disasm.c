/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction as text, through Capstone. */
#include "write/disasm.h"

#include <etm/write.h>
#include <string.h>

#ifdef ETM_HAVE_CAPSTONE

#include <capstone/capstone.h>

enum { HANDLE_ARM, HANDLE_THUMB };

bool etm_write_disassembles(void)
{
    return true;
}

void etm_disassembler_init(struct etm_disassembler *d, enum etm_profile profile)
{
    int thumb = CS_MODE_THUMB;

    *d = (struct etm_disassembler){0};
    if (profile == ETM_PROFILE_M)
        thumb |= CS_MODE_MCLASS;
    for (int i = 0; i < 2; i++) {
        int mode = i == HANDLE_ARM ? CS_MODE_ARM : thumb;
        csh handle;
        cs_err error = cs_open(CS_ARCH_ARM, (cs_mode)mode, &handle);

        d->open[i] = error == CS_ERR_OK;
        d->failed = d->failed || error == CS_ERR_MEM;
        if (d->open[i])
            d->handles[i] = handle;
    }
}

void etm_disassembler_fini(struct etm_disassembler *d)
{
    for (int i = 0; i < 2; i++) {
        csh handle = d->handles[i];

        if (d->open[i])
            (void)cs_close(&handle);
        d->open[i] = false;
    }
}

static void put_halfword(uint8_t **at, uint32_t halfword)
{
    *(*at)++ = (uint8_t)halfword;
    *(*at)++ = (uint8_t)(halfword >> 8);
}

/*
 * The instruction's bytes in the order of memory. Inside an IT block an IT
 * instruction for this one alone goes before it, because the mnemonic's
 * condition, and whether it sets flags, follow from it.
 */
static size_t code_bytes(const struct etm_disasm_insn *insn, uint8_t bytes[6])
{
    uint8_t *at = bytes;

    if (insn->isa == ETM_ISA_ARM) {
        put_halfword(&at, insn->opcode);
        put_halfword(&at, insn->opcode >> 16);
        return 4;
    }
    if (insn->it)
        put_halfword(&at, 0xbf08u | (uint32_t)(insn->it & 0xfu) << 4);
    if (insn->size == 4)
        put_halfword(&at, insn->opcode >> 16);
    put_halfword(&at, insn->opcode);
    return (size_t)(at - bytes);
}

static size_t join(const cs_insn *insn, char *text, size_t capacity)
{
    size_t n = strlen(insn->mnemonic);
    size_t m = strlen(insn->op_str);

    if (n + m + 10 > capacity)
        return 0;
    memcpy(text, insn->mnemonic, n);
    if (m > 0) {
        do
            text[n++] = ' ';
        while (n < 8);
        memcpy(text + n, insn->op_str, m);
    }
    text[n + m] = '\0';
    return n + m;
}

size_t etm_disassemble(struct etm_disassembler *d,
                       const struct etm_disasm_insn *insn, char *text,
                       size_t capacity)
{
    int which = insn->isa == ETM_ISA_ARM ? HANDLE_ARM : HANDLE_THUMB;
    bool in_it = insn->it && insn->isa != ETM_ISA_ARM;
    uint8_t bytes[6];
    cs_insn *list;
    size_t n, length = 0;

    if (insn->isa == ETM_ISA_UNKNOWN || insn->isa == ETM_ISA_JAZELLE ||
        !d->open[which])
        return 0;
    n = code_bytes(insn, bytes);
    n = cs_disasm(d->handles[which], bytes, n,
                  (uint64_t)insn->address - (in_it ? 2 : 0), in_it ? 2 : 1,
                  &list);
    if (n == (in_it ? 2 : 1) && list[n - 1].size == insn->size)
        length = join(&list[n - 1], text, capacity);
    if (n > 0)
        cs_free(list, n);
    else if (cs_errno(d->handles[which]) == CS_ERR_MEM)
        d->failed = true;
    return length;
}

#else

bool etm_write_disassembles(void)
{
    return false;
}

void etm_disassembler_init(struct etm_disassembler *d, enum etm_profile profile)
{
    (void)profile;
    *d = (struct etm_disassembler){0};
}

void etm_disassembler_fini(struct etm_disassembler *d)
{
    (void)d;
}

size_t etm_disassemble(struct etm_disassembler *d,
                       const struct etm_disasm_insn *insn, char *text,
                       size_t capacity)
{
    (void)d;
    (void)insn;
    if (capacity > 0)
        *text = '\0';
    return 0;
}

#endif
