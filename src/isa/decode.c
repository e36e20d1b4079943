/* SPDX-License-Identifier: Apache-2.0 */
/* What the decoders of all instruction sets share. */
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
