/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/shape.h"

#include "isa/insn.h"

/* Of these instructions prologues and epilogues are made (ARMv7-A ARM, A8.8).
 */
enum act {
    ACT_NONE,
    ACT_PUSH,
    ACT_PUSH_ONE,
    ACT_PUSH_FLOATS,
    ACT_DROP, /* SUB SP, SP, #n */
    ACT_BASE, /* ADD R7 or R11, SP, #n */
    /* an epilogue: */
    ACT_POP,
    ACT_POP_ONE,
    ACT_POP_FLOATS,
    ACT_RAISE, /* ADD SP, SP, #n */
    ACT_RETURN /* BX LR */
};

struct form {
    uint32_t mask, value;
    enum act act;
};

static const struct form thumb16[] = {
    {0xfe00, 0xb400, ACT_PUSH}, /* PUSH {..., LR} */
    {0xff80, 0xb080, ACT_DROP}, /* #4 * imm7, */
    {0xff80, 0xb000, ACT_RAISE},  {0xff00, 0xaf00, ACT_BASE}, /* #4 * imm8 */
    {0xfe00, 0xbc00, ACT_POP}, /* POP {..., PC} */
    {0xffff, 0x4770, ACT_RETURN},
};

static const struct form thumb32[] = {
    {0xffff0000, 0xe92d0000, ACT_PUSH},        /* PUSH.W */
    {0xffff0fff, 0xf84d0d04, ACT_PUSH_ONE},    /* STR Rt, [SP, #-4]! */
    {0xffbf0e00, 0xed2d0a00, ACT_PUSH_FLOATS}, /* VPUSH */
    {0xfbff8f00, 0xf1ad0d00, ACT_DROP},        /* SUB.W #const */
    {0xfbff8f00, 0xf2ad0d00, ACT_DROP},        /* SUBW #imm12 */
    {0xffff0000, 0xe8bd0000, ACT_POP},         /* POP.W */
    {0xffff0fff, 0xf85d0b04, ACT_POP_ONE},     /* LDR Rt, [SP], #4 */
    {0xffbf0e00, 0xecbd0a00, ACT_POP_FLOATS},  /* VPOP */
    {0xfbff8f00, 0xf10d0d00, ACT_RAISE},       /* ADD.W #const */
    {0xfbff8f00, 0xf20d0d00, ACT_RAISE},       /* ADDW #imm12 */
};

static const struct form arm[] = {
    {0xffff0000, 0xe92d0000, ACT_PUSH},        /* STMDB SP!, {...} */
    {0xffff0fff, 0xe52d0004, ACT_PUSH_ONE},    /* STR Rt, [SP, #-4]! */
    {0xffbf0e00, 0xed2d0a00, ACT_PUSH_FLOATS}, /* VPUSH */
    {0xfffff000, 0xe24dd000, ACT_DROP},        /* SUB SP, SP, #const */
    {0xfffff000, 0xe28db000, ACT_BASE},        /* ADD R11, SP, #const */
    {0xffff0000, 0xe8bd0000, ACT_POP},         /* LDMIA SP!, {...} */
    {0xffff0fff, 0xe49d0004, ACT_POP_ONE},     /* LDR Rt, [SP], #4 */
    {0xffbf0e00, 0xecbd0a00, ACT_POP_FLOATS},  /* VPOP */
    {0xfffff000, 0xe28dd000, ACT_RAISE},       /* ADD SP, SP, #const */
    {0xffffffff, 0xe12fff1e, ACT_RETURN},
};

static enum act act_of(const struct etm_insn *insn, enum etm_isa isa)
{
    const struct form *forms = isa == ETM_ISA_ARM ? arm : thumb32;
    size_t n = isa == ETM_ISA_ARM ? sizeof arm / sizeof *arm
                                  : sizeof thumb32 / sizeof *thumb32;

    if (insn->size == 2) {
        forms = thumb16;
        n = sizeof thumb16 / sizeof *thumb16;
    }
    for (size_t i = 0; i < n; i++)
        if ((insn->opcode & forms[i].mask) == forms[i].value)
            return forms[i].act;
    return ACT_NONE;
}

/* The constant that is added or subtracted. */
static uint32_t constant(const struct etm_insn *insn, enum etm_isa isa)
{
    uint32_t op = insn->opcode;
    uint32_t value = op & 0xffu, turn;

    if (insn->size == 2)
        return (op & 0xff00u) == 0xaf00u ? 4 * value : 4 * (op & 0x7fu);
    if (isa == ETM_ISA_ARM) { /* A5.2.4 */
        turn = 2 * (op >> 8 & 15u);
        return turn == 0 ? value : value >> turn | value << (32 - turn);
    }
    if ((op & 0x02000000u) != 0) /* imm12 */
        return (op >> 15 & 0x800u) | (op >> 4 & 0x700u) | value;
    turn = (op >> 22 & 0x10u) | (op >> 11 & 0xeu) | (op >> 7 & 1u); /* A6.3.2 */
    if (turn >= 8) {
        value |= 0x80u;
        return value >> turn | value << (32 - turn);
    }
    return turn == 0 ? value : 0;
}

static void save(struct etm_gdb_shape *s, unsigned reg, int32_t at)
{
    if ((s->saved >> reg & 1u) == 0) {
        s->saved = (uint16_t)(s->saved | 1u << reg);
        s->at[reg] = at;
    }
}

static void push(struct etm_gdb_shape *s, uint32_t registers)
{
    uint32_t n = 0;

    for (unsigned r = 0; r < 16; r++)
        n += registers >> r & 1u;
    s->depth += 4 * n;
    n = 0;
    for (unsigned r = 0; r < 16; r++)
        if ((registers >> r & 1u) != 0)
            save(s, r, (int32_t)(4 * n++) - (int32_t)s->depth);
}

/* Registers that are pushed or popped; bit 8 of 16-bit instructions is LR or
 * PC. */
static uint32_t registers_of(const struct etm_insn *insn, enum act act)
{
    uint32_t op = insn->opcode;

    if (act == ACT_PUSH_ONE || act == ACT_POP_ONE)
        return 1u << (op >> 12 & 15u);
    if (insn->size == 4)
        return op & 0xffffu;
    return (op & 0xffu) | (op & 0x100u) << (act == ACT_PUSH ? 6 : 7);
}

static void take(struct etm_gdb_shape *s, const struct etm_insn *insn,
                 enum etm_isa isa)
{
    enum act act = act_of(insn, isa);

    switch (act) {
    case ACT_PUSH:
    case ACT_PUSH_ONE:
        push(s, registers_of(insn, act));
        break;
    case ACT_PUSH_FLOATS: /* imm8 words */
        s->depth += 4 * (insn->opcode & 0xffu);
        break;
    case ACT_DROP:
        s->depth += constant(insn, isa);
        break;
    case ACT_BASE:
        s->base = isa == ETM_ISA_ARM ? ETM_GDB_R11 : ETM_GDB_R7;
        s->offset = (int32_t)(s->depth - constant(insn, isa));
        break;
    case ACT_NONE:
    case ACT_POP:
    case ACT_POP_ONE:
    case ACT_POP_FLOATS:
    case ACT_RAISE:
    case ACT_RETURN:
        break;
    }
    if (s->base == ETM_GDB_SP)
        s->offset = (int32_t)s->depth;
}

/* The instruction at an address; of size 0: it is not known. */
static void fetch(struct etm_insn *insn, const struct etm_gdb_code *code,
                  enum etm_isa isa, uint32_t address)
{
    uint8_t bytes[4];
    size_t n = code->read(code->context, address, bytes, sizeof bytes);

    etm_insn_decode(insn, isa, code->profile, address, bytes, n);
}

/* More instructions are in no epilogue. */
#define EPILOGUE_MOST 8u

/* Offsets count from the stack pointer, until the CFA is known. */
bool etm_gdb_shape_epilogue(struct etm_gdb_shape *s,
                            const struct etm_gdb_code *code, enum etm_isa isa,
                            uint32_t address)
{
    bool returns = false;

    *s = etm_gdb_shape_of_entry();
    for (unsigned i = 0; !returns; i++) {
        struct etm_insn insn;
        uint32_t popped = 0;
        enum act act;

        fetch(&insn, code, isa, address);
        if (insn.size == 0 || i == EPILOGUE_MOST)
            return false;
        act = act_of(&insn, isa);
        if (act == ACT_POP || act == ACT_POP_ONE)
            popped = registers_of(&insn, act);
        else if (act == ACT_POP_FLOATS)
            s->depth += 4 * (insn.opcode & 0xffu);
        else if (act == ACT_RAISE)
            s->depth += constant(&insn, isa);
        else if (act != ACT_RETURN)
            return false;
        for (unsigned r = 0; r < 16; r++)
            if ((popped >> r & 1u) != 0) {
                save(s, r == ETM_GDB_PC ? ETM_GDB_LR : r, (int32_t)s->depth);
                s->depth += 4;
            }
        returns = act == ACT_RETURN || (popped >> ETM_GDB_PC & 1u) != 0;
        address += insn.size;
    }
    for (unsigned r = 0; r < 16; r++)
        s->at[r] -= (int32_t)s->depth;
    s->offset = (int32_t)s->depth;
    return true;
}

void etm_gdb_shape_scan(struct etm_gdb_shape *shape,
                        const struct etm_gdb_code *code, enum etm_isa isa,
                        uint32_t start, uint32_t address)
{
    *shape = etm_gdb_shape_of_entry();
    while (start < address) {
        struct etm_insn insn;

        fetch(&insn, code, isa, start);
        if (insn.size == 0 || insn.type == ETM_INSN_TYPE_DIRECT ||
            insn.type == ETM_INSN_TYPE_INDIRECT)
            break;
        take(shape, &insn, isa);
        start += insn.size;
    }
}
