/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/shape.h"

#include "isa/insn.h"

/* Of these instructions a prologue is made (ARMv7-A ARM, A8.8). */
enum act {
    ACT_NONE,
    ACT_PUSH,
    ACT_PUSH_ONE,
    ACT_PUSH_FLOATS,
    ACT_DROP,
    ACT_BASE
};

struct form {
    uint32_t mask, value;
    enum act act;
};

static const struct form thumb16[] = {
    {0xfe00, 0xb400, ACT_PUSH}, /* PUSH {..., LR} */
    {0xff80, 0xb080, ACT_DROP}, /* SUB SP, SP, #4 * imm7 */
    {0xff00, 0xaf00, ACT_BASE}, /* ADD R7, SP, #4 * imm8 */
};

static const struct form thumb32[] = {
    {0xffff0000, 0xe92d0000, ACT_PUSH},        /* PUSH.W */
    {0xffff0fff, 0xf84d0d04, ACT_PUSH_ONE},    /* STR Rt, [SP, #-4]! */
    {0xffbf0e00, 0xed2d0a00, ACT_PUSH_FLOATS}, /* VPUSH */
    {0xfbff8f00, 0xf1ad0d00, ACT_DROP},        /* SUB.W SP, SP, #const */
    {0xfbff8f00, 0xf2ad0d00, ACT_DROP},        /* SUBW SP, SP, #imm12 */
};

static const struct form arm[] = {
    {0xffff0000, 0xe92d0000, ACT_PUSH},        /* STMDB SP!, {...} */
    {0xffff0fff, 0xe52d0004, ACT_PUSH_ONE},    /* STR Rt, [SP, #-4]! */
    {0xffbf0e00, 0xed2d0a00, ACT_PUSH_FLOATS}, /* VPUSH */
    {0xfffff000, 0xe24dd000, ACT_DROP},        /* SUB SP, SP, #const */
    {0xfffff000, 0xe28db000, ACT_BASE},        /* ADD R11, SP, #const */
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

/* The constant that SUB SP or ADD R7 and R11 has. */
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
    if ((op & 0xfbff0000u) == 0xf2ad0000u) /* imm12 */
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

static void take(struct etm_gdb_shape *s, const struct etm_insn *insn,
                 enum etm_isa isa)
{
    uint32_t op = insn->opcode;

    switch (act_of(insn, isa)) {
    case ACT_NONE:
        break;
    case ACT_PUSH:
        push(s, insn->size == 2 ? (op & 0xffu) | (op & 0x100u) << 6
                                : op & 0xffffu);
        break;
    case ACT_PUSH_ONE:
        push(s, 1u << (op >> 12 & 15u));
        break;
    case ACT_PUSH_FLOATS: /* imm8 words */
        s->depth += 4 * (op & 0xffu);
        break;
    case ACT_DROP:
        s->depth += constant(insn, isa);
        break;
    case ACT_BASE:
        s->base = isa == ETM_ISA_ARM ? ETM_GDB_R11 : ETM_GDB_R7;
        s->offset = (int32_t)(s->depth - constant(insn, isa));
        break;
    }
    if (s->base == ETM_GDB_SP)
        s->offset = (int32_t)s->depth;
}

void etm_gdb_shape_scan(struct etm_gdb_shape *shape,
                        const struct etm_gdb_code *code, enum etm_isa isa,
                        uint32_t start, uint32_t address)
{
    *shape = etm_gdb_shape_of_entry();
    while (start < address) {
        struct etm_insn insn;
        uint8_t bytes[4];
        size_t n = code->read(code->context, start, bytes, sizeof bytes);

        etm_insn_decode(&insn, isa, code->profile, start, bytes, n);
        if (insn.size == 0 || insn.type == ETM_INSN_TYPE_DIRECT ||
            insn.type == ETM_INSN_TYPE_INDIRECT)
            break;
        take(shape, &insn, isa);
        start += insn.size;
    }
}
