/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytecodes of Jazelle state: their lengths, and the branches among them that
 * ETMv3 takes as direct (ETM architecture, 4.10.3). Lengths and operands are
 * those of the Java virtual machine, with the "quick" forms of its first
 * edition, which the hardware may run.
 *
 * What data a bytecode transfers is IMPLEMENTATION DEFINED (4.10.2, 7.4.8):
 * every bytecode may have some, and none says how many.
 */
#include "base/bytes.h"
#include "isa/decode.h"

enum bytecode {
    IINC = 0x84,
    IFEQ = 0x99,
    GOTO = 0xa7,
    JSR = 0xa8,
    RET = 0xa9,
    TABLESWITCH = 0xaa,
    LOOKUPSWITCH = 0xab,
    IRETURN = 0xac,
    RETURN = 0xb1,
    INVOKEVIRTUAL = 0xb6,
    INVOKEDYNAMIC = 0xba,
    ATHROW = 0xbf,
    WIDE = 0xc4,
    IFNULL = 0xc6,
    GOTO_W = 0xc8,
    JSR_W = 0xc9,
    BREAKPOINT = 0xca,
    INVOKEVIRTUAL_QUICK = 0xd6,
    INVOKEVIRTUALOBJECT_QUICK = 0xdb,
    INVOKEVIRTUAL_QUICK_W = 0xe2,
    PUTFIELD_QUICK_W = 0xe4
};

/* Lengths in bytes of bytecodes first to last; the rest has 1. */
static const struct {
    uint8_t first, last, size;
} lengths[] = {
    {0x10, 0x10, 2}, /* bipush */
    {0x11, 0x11, 3}, /* sipush */
    {0x12, 0x12, 2}, /* ldc */
    {0x13, 0x14, 3}, /* ldc_w, ldc2_w */
    {0x15, 0x19, 2}, /* iload .. aload */
    {0x36, 0x3a, 2}, /* istore .. astore */
    {0x84, 0x84, 3}, /* iinc */
    {0x99, 0xa8, 3}, /* ifeq .. jsr */
    {0xa9, 0xa9, 2}, /* ret */
    {0xb2, 0xb8, 3}, /* getstatic .. invokestatic */
    {0xb9, 0xba, 5}, /* invokeinterface, invokedynamic */
    {0xbb, 0xbb, 3}, /* new */
    {0xbc, 0xbc, 2}, /* newarray */
    {0xbd, 0xbd, 3}, /* anewarray */
    {0xc0, 0xc1, 3}, /* checkcast, instanceof */
    {0xc5, 0xc5, 4}, /* multianewarray */
    {0xc6, 0xc7, 3}, /* ifnull, ifnonnull */
    {0xc8, 0xc9, 5}, /* goto_w, jsr_w */
    {0xcb, 0xcb, 2}, /* ldc_quick */
    {0xcc, 0xd9, 3}, /* ldc_w_quick .. invokestatic_quick */
    {0xda, 0xda, 5}, /* invokeinterface_quick */
    {0xdb, 0xdb, 3}, /* invokevirtualobject_quick */
    {0xdd, 0xde, 3}, /* new_quick, anewarray_quick */
    {0xdf, 0xdf, 4}, /* multianewarray_quick */
    {0xe0, 0xe4, 3}, /* checkcast_quick .. putfield_quick_w */
};

/*
 * Length of a switch: padding to a multiple of 4, then its table. Lengths that
 * 8 bits do not hold become 255; no walk goes past a switch. 0: the available
 * bytes do not say.
 */
static uint8_t switch_length(uint32_t address, const uint8_t *bytes, size_t n)
{
    size_t start = 4 - (address & 3);
    bool table = bytes[0] == TABLESWITCH;
    size_t header = start + (table ? 12 : 8);
    uint64_t length;

    if (n < header)
        return 0;
    if (table)
        length = header + 4 * (1 + (uint64_t)(etm_be(bytes + start + 8, 4) -
                                              etm_be(bytes + start + 4, 4)));
    else
        length = header + 8 * (uint64_t)etm_be(bytes + start + 4, 4);
    return (uint8_t)(length < 255 ? length : 255);
}

static bool is_switch(uint8_t code)
{
    return code == TABLESWITCH || code == LOOKUPSWITCH;
}

/* Of all but the switches; 0: the available bytes do not say. */
static uint8_t fixed_length(const uint8_t *bytes, size_t n)
{
    if (bytes[0] == WIDE)
        return n < 2 ? 0 : bytes[1] == IINC ? 6 : 4;
    for (size_t i = 0; i < ETM_COUNT_OF(lengths); i++) {
        if (bytes[0] >= lengths[i].first && bytes[0] <= lengths[i].last)
            return lengths[i].size;
    }
    return 1;
}

static uint8_t bytecode_length(uint32_t address, const uint8_t *bytes, size_t n)
{
    uint8_t size;

    if (n == 0)
        return 0;
    if (is_switch(bytes[0]))
        return switch_length(address, bytes, n);
    size = fixed_length(bytes, n);
    return n < size ? 0 : size;
}

/* Reserved codes; the quick forms end at 0xe4 and leave out 0xdc. */
static bool is_reserved(uint8_t code)
{
    return code == BREAKPOINT || code == 0xdc || code > PUTFIELD_QUICK_W;
}

static void direct(struct etm_insn *insn, uint32_t address,
                   const uint8_t *bytes)
{
    uint32_t offset = insn->size == 5
                          ? etm_be(bytes + 1, 4)
                          : etm_sign_extend(etm_be(bytes + 1, 2), 16);

    etm_note_direct(insn, address + offset, ETM_ISA_JAZELLE);
    if (bytes[0] == JSR || bytes[0] == JSR_W)
        etm_note_flag(insn, ETM_INSN_LINK);
    else if (bytes[0] != GOTO && bytes[0] != GOTO_W)
        etm_note_flag(insn, ETM_INSN_CONDITIONAL);
}

static bool is_direct(uint8_t code)
{
    return (code >= IFEQ && code <= JSR) || (code >= IFNULL && code <= JSR_W);
}

static bool is_return(const uint8_t *bytes)
{
    uint8_t code = bytes[0] == WIDE ? bytes[1] : bytes[0];

    return code == RET || (code >= IRETURN && code <= RETURN);
}

static bool is_call(uint8_t code)
{
    return (code >= INVOKEVIRTUAL && code <= INVOKEDYNAMIC) ||
           (code >= INVOKEVIRTUAL_QUICK && code <= INVOKEVIRTUALOBJECT_QUICK) ||
           code == INVOKEVIRTUAL_QUICK_W;
}

/*
 * `opcode` holds the first bytes of the bytecode, up to four, in the order of
 * their addresses.
 */
void etm_insn_decode_jazelle(struct etm_insn *insn, uint32_t address,
                             const uint8_t *bytes, size_t n)
{
    uint8_t size = bytecode_length(address, bytes, n);

    etm_decode_begin(insn, 0, 0);
    if (size == 0)
        return;
    insn->size = size;
    insn->opcode = etm_be(bytes, size < 4 ? size : 4);
    etm_note_transfers(insn, ETM_TRANSFER_OTHER, ETM_DIRECTION_NONE, 0, 0);
    if (is_reserved(bytes[0])) {
        insn->undefined = true;
        insn->trap = ETM_TRAP_UDF;
    } else if (is_direct(bytes[0])) {
        direct(insn, address, bytes);
    } else if (is_return(bytes)) {
        etm_note_indirect(insn);
        etm_note_return(insn);
    } else if (is_call(bytes[0])) {
        etm_note_indirect(insn);
        etm_note_flag(insn, ETM_INSN_LINK);
    } else if (is_switch(bytes[0]) || bytes[0] == ATHROW) {
        etm_note_indirect(insn);
    }
}
