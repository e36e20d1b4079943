/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction of any set: its bytes, and what all decoders share. */
#include "isa/decode.h"

void etm_decode_rows(const struct etm_decode *d,
                     const struct etm_decode_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((d->op & rows[i].mask) == rows[i].value) {
            rows[i].decode(d);
            return;
        }
    }
    etm_decode_undefined(d);
}

void etm_decode_nothing(const struct etm_decode *d)
{
    (void)d;
}

void etm_decode_undefined(const struct etm_decode *d)
{
    d->insn->undefined = true;
    d->insn->trap = ETM_TRAP_UDF;
}

void etm_decode_svc(const struct etm_decode *d)
{
    d->insn->trap = ETM_TRAP_SVC;
}

void etm_decode_smc(const struct etm_decode *d)
{
    d->insn->trap = ETM_TRAP_SMC;
}

void etm_decode_hvc(const struct etm_decode *d)
{
    d->insn->trap = ETM_TRAP_HVC;
}

void etm_decode_bkpt(const struct etm_decode *d)
{
    d->insn->trap = ETM_TRAP_BKPT;
}

/* A data instruction without any transfer (ETM architecture, 4.10.2). */
void etm_decode_clrex(const struct etm_decode *d)
{
    etm_note_transfers(d->insn, ETM_TRANSFER_OTHER, ETM_DIRECTION_NONE, 0, 0);
}

void etm_decode_barrier(const struct etm_decode *d)
{
    static const uint8_t barriers[4] = {ETM_BARRIER_DSB, ETM_BARRIER_DMB,
                                        ETM_BARRIER_ISB, ETM_BARRIER_NONE};

    d->insn->barrier = barriers[etm_bits(d->op, 5, 4)];
    d->insn->type = ETM_INSN_TYPE_BARRIER;
}

static unsigned count_ones(uint32_t bits)
{
    unsigned n = 0;

    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

void etm_note_list(struct etm_insn *insn, bool load, uint8_t base,
                   bool writeback, uint16_t registers)
{
    struct etm_transfers *transfers = etm_note_transfers(
        insn, ETM_TRANSFER_CORE, etm_direction(load), count_ones(registers), 4);

    transfers->multiple = true;
    transfers->base = base;
    transfers->registers = registers;
    for (unsigned r = 0; r < 16; r++) {
        if (etm_bit(registers, r)) {
            transfers->first = (uint8_t)r;
            break;
        }
    }
    if (load && etm_bit(registers, ETM_REGISTER_PC)) {
        etm_note_pc_load(insn);
        /* POP {.., pc} and its longer spelling */
        if (base == ETM_REGISTER_SP && writeback)
            etm_note_return(insn);
    }
}

void etm_note_rfe(struct etm_insn *insn, uint8_t base)
{
    struct etm_transfers *transfers =
        etm_note_transfers(insn, ETM_TRANSFER_CORE, ETM_DIRECTION_LOAD, 2, 4);

    /* The PC, then the CPSR, which has no register number. */
    transfers->multiple = true;
    transfers->base = base;
    transfers->first = ETM_REGISTER_PC;
    transfers->pc = true;
    etm_note_exception_return(insn);
}

void etm_note_srs(struct etm_insn *insn)
{
    struct etm_transfers *transfers =
        etm_note_transfers(insn, ETM_TRANSFER_CORE, ETM_DIRECTION_STORE, 2, 4);

    /* The LR, then the SPSR; the base is the SP of the mode named. */
    transfers->multiple = true;
    transfers->base = ETM_REGISTER_SP;
    transfers->first = ETM_REGISTER_LR;
}

static uint16_t halfword(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] | (uint32_t)bytes[1] << 8);
}

/* False: the bytes are too few. */
static bool decode_thumb(struct etm_insn *insn, enum etm_isa isa,
                         enum etm_profile profile, uint32_t address,
                         const uint8_t *bytes, size_t n)
{
    uint16_t first;

    if (n < 2)
        return false;
    first = halfword(bytes);
    /* A6.1: 0b11101, 0b11110 and 0b11111 begin a 32-bit instruction */
    if (first < 0xe800) {
        etm_insn_decode_thumb16(insn, isa, profile, address, first);
        return true;
    }
    if (n < 4)
        return false;
    etm_insn_decode_thumb32(insn, isa, profile, address,
                            (uint32_t)first << 16 | halfword(bytes + 2));
    return true;
}

void etm_insn_decode(struct etm_insn *insn, enum etm_isa isa,
                     enum etm_profile profile, uint32_t address,
                     const uint8_t *bytes, size_t n)
{
    switch (isa) {
    case ETM_ISA_UNKNOWN:
        break;
    case ETM_ISA_ARM:
        if (n < 4)
            break;
        etm_insn_decode_arm(insn, profile, address,
                            (uint32_t)halfword(bytes + 2) << 16 |
                                halfword(bytes));
        return;
    case ETM_ISA_THUMB:
    case ETM_ISA_THUMBEE:
        if (!decode_thumb(insn, isa, profile, address, bytes, n))
            break;
        return;
    case ETM_ISA_JAZELLE:
        etm_insn_decode_jazelle(insn, address, bytes, n);
        return;
    }
    etm_decode_begin(insn, 0, 0);
}

uint8_t etm_it_advance(uint8_t state, const struct etm_insn *insn)
{
    if (insn->it != 0)
        return insn->it;
    /* ITAdvance(), A2.5.2: the last one when only the ending 1 is left */
    if ((state & 7) == 0)
        return 0;
    return (uint8_t)((state & 0xe0) | ((state << 1) & 0x1f));
}
