/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 16-bit instructions of Thumb (A6.2) and, where ThumbEE gives the
 * encodings 0xc000 to 0xcfff another meaning, of ThumbEE (A9).
 */
#include "isa/it.h"
#include "isa/table.h"

static void branch(const struct etm_decode *d)
{
    uint32_t offset = etm_sign_extend(etm_bits(d->op, 10, 0), 11) << 1;

    etm_note_direct(d->insn, d->address + 4 + offset, d->isa);
}

static void branch_on_condition(const struct etm_decode *d)
{
    uint32_t offset = etm_sign_extend(etm_bits(d->op, 7, 0), 8) << 1;

    etm_note_direct(d->insn, d->address + 4 + offset, d->isa);
    etm_note_condition(d->insn, etm_bits(d->op, 11, 8));
}

/* CBZ and CBNZ go forward only; their condition is not one of the flags. */
static void compare_and_branch(const struct etm_decode *d)
{
    uint32_t offset = etm_bits(d->op, 9, 9) << 6 | etm_bits(d->op, 7, 3) << 1;

    etm_note_direct(d->insn, d->address + 4 + offset, d->isa);
    etm_note_flag(d->insn, ETM_INSN_CONDITIONAL);
}

static void bx(const struct etm_decode *d)
{
    etm_note_indirect(d->insn);
    if (etm_register_at(d->op, 3) == ETM_REGISTER_LR)
        etm_note_return(d->insn);
}

static void blx_register(const struct etm_decode *d)
{
    etm_note_indirect(d->insn);
    etm_note_flag(d->insn, ETM_INSN_LINK);
}

static void add_to_pc(const struct etm_decode *d)
{
    etm_note_indirect(d->insn);
}

static void move_to_pc(const struct etm_decode *d)
{
    etm_note_indirect(d->insn);
    if (etm_register_at(d->op, 3) == ETM_REGISTER_LR)
        etm_note_return(d->insn);
}

static void it_or_hint(const struct etm_decode *d)
{
    d->insn->it = etm_it_begun(d->op);
}

static uint8_t low_register(uint32_t op, unsigned low)
{
    return (uint8_t)etm_bits(op, low + 2, low);
}

/* 0100 1ttt iiii iiii */
static void load_literal(const struct etm_decode *d)
{
    etm_note_single(d->insn, true, 4, ETM_REGISTER_PC, low_register(d->op, 8));
}

/* 0101 ooom mmnn nttt: which one is for ooo (A6.2.4) */
static void load_store_register(const struct etm_decode *d)
{
    static const struct {
        bool load;
        uint8_t size;
        bool sign_extend;
    } kinds[8] = {
        {false, 4, false}, /* STR */
        {false, 2, false}, /* STRH */
        {false, 1, false}, /* STRB */
        {true, 1, true},   /* LDRSB */
        {true, 4, false},  /* LDR */
        {true, 2, false},  /* LDRH */
        {true, 1, false},  /* LDRB */
        {true, 2, true},   /* LDRSH */
    };
    uint32_t kind = etm_bits(d->op, 11, 9);

    etm_note_single(d->insn, kinds[kind].load, kinds[kind].size,
                    low_register(d->op, 3), low_register(d->op, 0))
        ->sign_extend = kinds[kind].sign_extend;
}

/* 011B Liii iinn nttt */
static void load_store_immediate(const struct etm_decode *d)
{
    etm_note_single(d->insn, etm_bit(d->op, 11), etm_bit(d->op, 12) ? 1 : 4,
                    low_register(d->op, 3), low_register(d->op, 0));
}

/* 1000 Liii iinn nttt */
static void load_store_halfword(const struct etm_decode *d)
{
    etm_note_single(d->insn, etm_bit(d->op, 11), 2, low_register(d->op, 3),
                    low_register(d->op, 0));
}

/* 1001 Lttt iiii iiii */
static void load_store_stack(const struct etm_decode *d)
{
    etm_note_single(d->insn, etm_bit(d->op, 11), 4, ETM_REGISTER_SP,
                    low_register(d->op, 8));
}

/* 1011 010M rrrr rrrr: M is the LR */
static void push(const struct etm_decode *d)
{
    uint32_t registers = etm_bits(d->op, 7, 0) | etm_bits(d->op, 8, 8)
                                                     << ETM_REGISTER_LR;

    etm_note_list(d->insn, false, ETM_REGISTER_SP, true, (uint16_t)registers);
}

/* 1011 110P rrrr rrrr: P is the PC */
static void pop(const struct etm_decode *d)
{
    uint32_t registers = etm_bits(d->op, 7, 0) | etm_bits(d->op, 8, 8)
                                                     << ETM_REGISTER_PC;

    etm_note_list(d->insn, true, ETM_REGISTER_SP, true, (uint16_t)registers);
}

/* 1100 Lnnn rrrr rrrr; LDM writes its base back unless it loads it */
static void load_store_multiple(const struct etm_decode *d)
{
    bool load = etm_bit(d->op, 11);
    uint8_t base = low_register(d->op, 8);

    etm_note_list(d->insn, load, base, !load || !etm_bit(d->op, base),
                  (uint16_t)etm_bits(d->op, 7, 0));
}

/*
 * HB, HBL, HBP and HBLP go to a handler at an offset from TEECR's handler
 * base register: known to the processor only, hence indirect.
 */
static void handler_branch(const struct etm_decode *d)
{
    etm_note_indirect(d->insn);
}

static void handler_branch_with_link(const struct etm_decode *d)
{
    etm_note_indirect(d->insn);
    etm_note_flag(d->insn, ETM_INSN_LINK);
}

/* 1100 100i iinn nttt: LDR (immediate) with a negative offset */
static void ee_load(const struct etm_decode *d)
{
    etm_note_single(d->insn, true, 4, low_register(d->op, 3),
                    low_register(d->op, 0));
}

/* 1100 1011 iiii ittt: LDR from the literal pool at R10 */
static void ee_load_literal(const struct etm_decode *d)
{
    etm_note_single(d->insn, true, 4, 10, low_register(d->op, 0));
}

/* 1100 11Si iiii ittt: LDR, STR at R9 */
static void ee_load_store_frame(const struct etm_decode *d)
{
    etm_note_single(d->insn, !etm_bit(d->op, 9), 4, 9, low_register(d->op, 0));
}

/* Encodings 0xc000 to 0xcfff in ThumbEE state (A9.2, A9.5). */
static void thumbee(const struct etm_decode *d)
{
    static const struct etm_decode_row rows[] = {
        /* 1100 0000 iiih hhhh */
        {0xff00, 0xc000, handler_branch}, /* HBP */
        /* 1100 001L hhhh hhhh */
        {0xff00, 0xc200, handler_branch},           /* HB */
        {0xff00, 0xc300, handler_branch_with_link}, /* HBL */
        /* 1100 01ii iiih hhhh */
        {0xfc00, 0xc400, handler_branch_with_link}, /* HBLP */
        {0xfe00, 0xc800, ee_load},
        /* 1100 1010 nmmm mnnn */
        {0xff00, 0xca00, etm_decode_nothing}, /* CHKA */
        {0xff00, 0xcb00, ee_load_literal},
        {0xfc00, 0xcc00, ee_load_store_frame},
    };

    etm_decode_rows(d, rows, ETM_COUNT_OF(rows));
}

/* clang-format off */
#define ROWS(X, a, b)                                                          \
    /* 01000100 10..., 01000110 10..., 01000111 . mmmm (0)(0)(0) */            \
    X(a, b, 0xff87, 0x4487, add_to_pc)                                         \
    X(a, b, 0xff87, 0x4687, move_to_pc)                                        \
    X(a, b, 0xff87, 0x4700, bx)                                                \
    X(a, b, 0xff87, 0x4780, blx_register)                                      \
    X(a, b, 0xf800, 0x4800, load_literal)                                      \
    X(a, b, 0xf000, 0x5000, load_store_register)                               \
    X(a, b, 0xe000, 0x6000, load_store_immediate)                              \
    X(a, b, 0xf000, 0x8000, load_store_halfword)                               \
    X(a, b, 0xf000, 0x9000, load_store_stack)                                  \
    /* 1011 .... .... ....: miscellaneous (A6.2.5) */                          \
    X(a, b, 0xff00, 0xb000, etm_decode_nothing) /* ADD, SUB SP */              \
    X(a, b, 0xf500, 0xb100, compare_and_branch)                                \
    X(a, b, 0xff00, 0xb200, etm_decode_nothing) /* SXTH .. UXTB */             \
    X(a, b, 0xfe00, 0xb400, push)                                              \
    X(a, b, 0xffe0, 0xb640, etm_decode_nothing) /* SETEND */                   \
    X(a, b, 0xffe0, 0xb660, etm_decode_nothing) /* CPS */                      \
    X(a, b, 0xffc0, 0xba80, etm_decode_undefined)                              \
    X(a, b, 0xff00, 0xba00, etm_decode_nothing) /* REV, REV16, REVSH */        \
    X(a, b, 0xfe00, 0xbc00, pop)                                               \
    X(a, b, 0xff00, 0xbe00, etm_decode_bkpt)                                   \
    X(a, b, 0xff00, 0xbf00, it_or_hint)                                        \
    X(a, b, 0xf000, 0xb000, etm_decode_undefined)                              \
    X(a, b, 0xf000, 0xc000, load_store_multiple)                               \
    X(a, b, 0xff00, 0xde00, etm_decode_undefined) /* UDF */                    \
    X(a, b, 0xff00, 0xdf00, etm_decode_svc)                                    \
    X(a, b, 0xf000, 0xd000, branch_on_condition)                               \
    X(a, b, 0xf800, 0xe000, branch)                                            \
    /* shift, add, compare, data processing, ADR: 0x0000 to 0xafff */          \
    X(a, b, 0x8000, 0x0000, etm_decode_nothing)                                \
    X(a, b, 0xf000, 0xa000, etm_decode_nothing)
/* clang-format on */

ETM_DECODE_TABLE(etm_table_thumb16, ROWS, 8, 4);

void etm_insn_decode_thumb16(struct etm_insn *insn, enum etm_isa isa,
                             enum etm_profile profile, uint32_t address,
                             uint16_t opcode)
{
    struct etm_decode d = {insn, opcode, address, isa, profile};

    etm_decode_begin(insn, opcode, 2);
    if (isa == ETM_ISA_THUMBEE && (opcode & 0xf000) == 0xc000)
        thumbee(&d);
    else
        etm_decode_table(&d, &etm_table_thumb16);
}
