/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coprocessor, VFP and Advanced SIMD instructions, which ARM and 32-bit Thumb
 * encode alike: only their transfers matter, and the CP15 barriers.
 *
 * Data processing among them is not decoded further: it transfers nothing and
 * does not write the PC (MRC and VMRS with Rt = 15 write the flags).
 */
#include "isa/decode.h"

/* Coprocessors 10 and 11 are the extension registers (A5.6). */
static bool is_extension(uint32_t op)
{
    return etm_bits(op, 11, 9) == 5;
}

/*
 * The "2" forms, LDC2, MCR2 ...: condition field 1111 in ARM, bit 28 in Thumb.
 * None of them exists for the extension registers.
 */
static bool is_second_form(const struct etm_decode *d)
{
    return etm_bits(d->op, 31, 28) == 15;
}

/* Vd:D and D:Vd, the number of a single and a double register. */
static uint8_t single_register(uint32_t op)
{
    return (uint8_t)(etm_bits(op, 15, 12) << 1 | etm_bits(op, 22, 22));
}

static uint8_t double_register(uint32_t op)
{
    return (uint8_t)(etm_bits(op, 22, 22) << 4 | etm_bits(op, 15, 12));
}

/* LDC, STC; VLDR, VSTR, VLDM, VSTM (A7.6). */
static void load_store(const struct etm_decode *d)
{
    uint32_t op = d->op;
    bool load = etm_bit(op, 20);
    bool p = etm_bit(op, 24), u = etm_bit(op, 23), w = etm_bit(op, 21);
    bool doubles = etm_bit(op, 8);
    unsigned words = etm_bits(op, 7, 0);
    struct etm_transfers *transfers;

    if (!is_extension(op)) {
        /* The coprocessor decides the number of words (4.11.2). */
        transfers = etm_note_transfers(d->insn, ETM_TRANSFER_COPROCESSOR,
                                       etm_direction(load), 0, 4);
        transfers->multiple = true;
        transfers->base = etm_register_at(op, 16);
        transfers->cp =
            (uint8_t)(etm_bits(op, 11, 8) | etm_bits(op, 22, 22) << 4);
        return;
    }
    if (is_second_form(d) || (p == u && w)) {
        etm_decode_undefined(d);
        return;
    }
    /*
     * P = 1, W = 0: VLDR, VSTR; the immediate is an offset. Else it counts
     * words; an odd count of a D list is FLDMX or FSTMX, whose last word is
     * only stepped over (E-431).
     */
    if (p && !w)
        words = doubles ? 2 : 1;
    else if (doubles)
        words &= ~1u;
    transfers = etm_note_transfers(
        d->insn, doubles ? ETM_TRANSFER_VFP_DOUBLE : ETM_TRANSFER_VFP_SINGLE,
        etm_direction(load), words, 4);
    transfers->multiple = doubles || !p || w;
    transfers->base = etm_register_at(op, 16);
    transfers->first = doubles ? double_register(op) : single_register(op);
}

/* MCRR, MRRC, and VMOV of two core registers (A7.9). */
static void two_registers(const struct etm_decode *d)
{
    uint32_t op = d->op;
    struct etm_transfers *transfers;

    if (is_extension(op) && (is_second_form(d) || (op & 0xd0) != 0x10)) {
        etm_decode_undefined(d);
        return;
    }
    transfers = etm_note_transfers(d->insn, ETM_TRANSFER_CPRT,
                                   etm_direction(etm_bit(op, 20)), 2, 4);
    transfers->multiple = true;
    transfers->first = etm_register_at(op, 12);
    transfers->second = etm_register_at(op, 16);
}

/*
 * Barriers that Armv6 knew as CP15 operations (A3.8.3). They stay
 * MCR instructions, with a transfer.
 */
static void cp15_barrier(const struct etm_decode *d)
{
    /* .... 1110 0000 0111 tttt 1111 ooo1 mmmm: opc2 and CRm */
    switch (d->op & 0x0fff0fff) {
    case 0x0e070f95:
        etm_note_barrier(d->insn, ETM_BARRIER_ISB);
        break;
    case 0x0e070f9a:
        etm_note_barrier(d->insn, ETM_BARRIER_DSB);
        break;
    case 0x0e070fba:
        etm_note_barrier(d->insn, ETM_BARRIER_DMB);
        break;
    default:
        break;
    }
}

/* MCR, MRC; VMOV, VDUP, VMRS, VMSR (A7.8): one word without an address. */
static void one_register(const struct etm_decode *d)
{
    struct etm_transfers *transfers;

    if (is_extension(d->op) && is_second_form(d)) {
        etm_decode_undefined(d);
        return;
    }
    transfers = etm_note_transfers(d->insn, ETM_TRANSFER_CPRT,
                                   etm_direction(etm_bit(d->op, 20)), 1, 4);
    transfers->first = etm_register_at(d->op, 12);
    if (!is_second_form(d))
        cp15_barrier(d);
}

/* CDP, and data processing of the extension registers. */
static void data_operation(const struct etm_decode *d)
{
    if (is_extension(d->op) && is_second_form(d))
        etm_decode_undefined(d);
}

void etm_decode_coprocessor(const struct etm_decode *d)
{
    static const struct etm_decode_row rows[] = {
        /* 1100 010. .... .... .... .... .... .... */
        {0x0fe00000, 0x0c400000, two_registers},
        /* 1100 000. .... */
        {0x0fe00000, 0x0c000000, etm_decode_undefined},
        /* 110. .... .... */
        {0x0e000000, 0x0c000000, load_store},
        /* 1110 .... .... .... .... .... ...1 .... */
        {0x0f000010, 0x0e000010, one_register},
        /* 1110 .... .... .... .... .... ...0 .... */
        {0x0f000010, 0x0e000000, data_operation},
    };

    etm_decode_rows(d, rows, ETM_COUNT_OF(rows));
}

/*
 * Registers of a load/store of multiple structures by bits [11:8] (A7.7), 0
 * where UNDEFINED, and the alignments (bits [5:4]) and sizes that are UNDEFINED
 * with it: a bit for each value.
 */
static const struct structures {
    uint8_t registers;
    uint8_t bad_align;
    uint8_t bad_size;
} structures[16] = {
    [0x0] = {4, 0x0, 0x8}, /* VLD4 */
    [0x1] = {4, 0x0, 0x8}, /* VLD4, every second register */
    [0x2] = {4, 0x0, 0x0}, /* VLD1, four registers */
    [0x3] = {4, 0x0, 0x8}, /* VLD2, two pairs */
    [0x4] = {3, 0xc, 0x8}, /* VLD3 */
    [0x5] = {3, 0xc, 0x8}, /* VLD3, every second register */
    [0x6] = {3, 0xc, 0x0}, /* VLD1, three registers */
    [0x7] = {1, 0xc, 0x0}, /* VLD1, one register */
    [0x8] = {2, 0x8, 0x8}, /* VLD2 */
    [0x9] = {2, 0x8, 0x8}, /* VLD2, every second register */
    [0xa] = {2, 0x8, 0x0}, /* VLD1, two registers */
};

/*
 * Whether the index and alignment bits [7:4] of a load/store of one element
 * are UNDEFINED: `n` elements (1 to 4) of 1 << `size` bytes (A8.8.321 ff.).
 */
static bool lane_is_undefined(unsigned n, unsigned size, uint32_t align)
{
    switch (n) {
    case 1:
        if (size == 2)
            return (align & 4) != 0 || ((align & 3) != 0 && (align & 3) != 3);
        return size == 0 ? (align & 1) != 0 : (align & 2) != 0;
    case 2:
        return size == 2 && (align & 2) != 0;
    case 3:
        return size == 2 ? (align & 3) != 0 : (align & 1) != 0;
    default:
        return size == 2 && (align & 3) == 3;
    }
}

/* Whether a load of one element to all lanes is UNDEFINED; *size becomes that
 * of the element. */
static bool all_lanes_are_undefined(unsigned n, uint32_t op, unsigned *size)
{
    bool a = etm_bit(op, 4);

    if (!etm_bit(op, 21)) /* no such store exists */
        return true;
    *size = etm_bits(op, 7, 6);
    if (n == 4 && *size == 3 && a) {
        *size = 2;
        return false;
    }
    if (*size == 3)
        return true;
    return (n == 1 && *size == 0 && a) || (n == 3 && a);
}

void etm_decode_simd_load_store(const struct etm_decode *d)
{
    uint32_t op = d->op;
    const struct structures *s = &structures[etm_bits(op, 11, 8)];
    unsigned count, size, type;
    struct etm_transfers *transfers;
    bool undefined;

    if (!etm_bit(op, 23)) {
        /* .... .... 0DL0 nnnn dddd type size mmmm: all of `s` registers,
         * two words each */
        count = 2u * s->registers;
        size = 4;
        undefined = s->registers == 0 ||
                    etm_bit(s->bad_align, etm_bits(op, 5, 4)) ||
                    etm_bit(s->bad_size, etm_bits(op, 7, 6));
    } else {
        /* .... .... 1DL0 nnnn dddd ssnn .... mmmm: nn + 1 elements */
        count = etm_bits(op, 9, 8) + 1;
        size = etm_bits(op, 11, 10);
        undefined = size == 3
                        ? all_lanes_are_undefined(count, op, &size)
                        : lane_is_undefined(count, size, etm_bits(op, 7, 4));
        size = 1u << size;
    }
    if (undefined || d->profile == ETM_PROFILE_M) {
        etm_decode_undefined(d);
        return;
    }
    transfers = etm_note_transfers(d->insn, ETM_TRANSFER_VFP_DOUBLE,
                                   etm_direction(etm_bit(op, 21)), count, size);
    transfers->multiple = true; /* VLDn and VSTn with any n (4.10.1) */
    transfers->base = etm_register_at(op, 16);
    /* a word of VLD1's structures is a word of a register; the others deal
     * their elements out over several */
    type = etm_bits(op, 11, 8);
    if (!etm_bit(op, 23) &&
        (type == 0x2 || type == 0x6 || type == 0x7 || type == 0xa))
        transfers->first = double_register(op);
}
