/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/values.h"

#include "isa/decode.h"

#include <string.h>

/* Values of instructions before the first one may still come, as if they were
 * of these. */
#define INSNS_UNSURE 256u

/* R0 to R3, R12 and LR: what an exception of the M profile leaves unknown, and
 * what its return loads (ARMv7-M ARM, B1.5.6); with the stack pointer, which
 * may be the other one. */
#define STACKED UINT16_C(0x700f)

void etm_gdb_values_init(struct etm_gdb_values *v,
                         const struct etm_config *config,
                         etm_gdb_constants_fn *constants, void *context)
{
    memset(v, 0, sizeof *v);
    v->profile = config->profile;
    v->has_values = config->data_value;
    v->constants = constants;
    v->context = context;
}

static void forget(struct etm_gdb_values *v, uint16_t registers)
{
    v->registers.known &= (uint16_t)~registers;
}

static void learn(struct etm_gdb_values *v, unsigned reg, uint32_t value)
{
    if (reg >= 15)
        return;
    v->registers.known |= (uint16_t)(1u << reg);
    v->registers.value[reg] = value;
}

static uint32_t *owing(struct etm_gdb_values *v, uint32_t address,
                       uint32_t *bit)
{
    uint32_t i = (address >> 1) * UINT32_C(0x9e3779b1) >> 20;

    *bit = UINT32_C(1) << (i & 31u);
    return &v->owing[i % ETM_GDB_OWING_BITS / 32];
}

/* All transfers of the last instruction that come at once have come. */
static void close(struct etm_gdb_values *v)
{
    uint32_t bit, *word = owing(v, v->address, &bit);

    if (v->open && v->transfers < v->expected)
        *word |= bit;
    v->open = false;
}

static uint32_t extend(const struct etm_gdb_values *v, uint32_t value,
                       unsigned size)
{
    uint32_t mask = size < 4 ? (UINT32_C(1) << 8 * size) - 1 : UINT32_MAX;

    value &= mask;
    if (v->sign_extend && size < 4 && (value & (mask ^ mask >> 1)) != 0)
        value |= ~mask;
    return value;
}

/* What an instruction loads from constants. */
static void load_constants(struct etm_gdb_values *v,
                           const struct etm_insn *insn)
{
    const struct etm_gdb_effect *e = &v->effect;
    const struct etm_transfers *t = &insn->transfers;
    uint8_t bytes[4] = {0};

    /* of several registers, each of its own place, literals are none */
    if (!e->address_known || t->count != 1 || t->first >= 15 ||
        t->direction != ETM_DIRECTION_LOAD || e->loaded != 1u << t->first ||
        t->size > sizeof bytes ||
        v->constants(v->context, e->address, bytes, t->size) != t->size)
        return;
    learn(v, t->first,
          extend(v,
                 bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24,
                 t->size));
}

static void apply(struct etm_gdb_values *v, uint8_t exec)
{
    const struct etm_gdb_effect *e = &v->effect;

    for (unsigned r = 0; r < 15; r++) {
        bool told = (e->told >> r & 1u) != 0;

        if ((e->written >> r & 1u) == 0)
            continue;
        /* whether it was executed or not, if that is the same */
        if (exec == ETM_UNKNOWN && !(told && etm_gdb_knows(&v->registers, r) &&
                                     v->registers.value[r] == e->value[r]))
            forget(v, (uint16_t)(1u << r));
        else if (told)
            learn(v, r, e->value[r]);
        else
            forget(v, (uint16_t)(1u << r));
    }
}

static void follow(struct etm_gdb_values *v, const struct etm_element *e,
                   const struct etm_insn *insn)
{
    struct etm_gdb_exceptions *x = &v->exceptions;

    if (v->profile != ETM_PROFILE_M)
        return;
    if (x->never.entry_known && e->u.insn.address == x->never.entry)
        etm_gdb_exceptions_reset(x);
    etm_gdb_exceptions_insn(x, insn, e->u.insn.exec == ETM_TRUE, &v->effect,
                            &v->registers);
}

static void take_insn(struct etm_gdb_values *v, const struct etm_element *e)
{
    uint32_t op = e->u.insn.opcode;
    uint8_t bytes[4] = {(uint8_t)op, (uint8_t)(op >> 8), (uint8_t)(op >> 16),
                        (uint8_t)(op >> 24)};
    struct etm_insn insn;

    if (e->u.insn.isa != ETM_ISA_ARM && e->u.insn.size == 4) {
        /* the first halfword is in the upper bits */
        bytes[0] = (uint8_t)(op >> 16);
        bytes[1] = (uint8_t)(op >> 24);
        bytes[2] = (uint8_t)op;
        bytes[3] = (uint8_t)(op >> 8);
    }
    close(v);
    v->insns++;
    if (e->u.insn.exec == ETM_FALSE)
        return;
    etm_insn_decode(&insn, (enum etm_isa)e->u.insn.isa, v->profile,
                    e->u.insn.address, bytes, e->u.insn.size);
    etm_gdb_operate(&v->effect, &insn, (enum etm_isa)e->u.insn.isa,
                    e->u.insn.address, &v->registers);
    follow(v, e, &insn);
    v->open = e->u.insn.exec == ETM_TRUE;
    v->address = e->u.insn.address;
    v->opcode = op;
    v->expected = insn.transfers.count;
    v->transfers = 0;
    v->size = insn.transfers.size;
    v->sign_extend = insn.transfers.sign_extend;
    apply(v, e->u.insn.exec);
    if (v->open)
        load_constants(v, &insn);
}

/* A register that the transfers of the last instruction show. */
static void take_base(struct etm_gdb_values *v, const struct etm_element *e)
{
    const struct etm_gdb_effect *f = &v->effect;

    if (f->base >= 15 || !e->u.data.address_known ||
        e->u.data.index == ETM_DATA_INDEX_UNKNOWN || e->u.data.size == 0)
        return;
    learn(v, f->base,
          e->u.data.address - (uint32_t)e->u.data.index * v->size +
              (uint32_t)f->base_after);
}

static void take_data(struct etm_gdb_values *v, const struct etm_element *e)
{
    unsigned reg = e->u.data.reg;
    uint32_t bit, *word;

    if (!v->open || !e->u.data.insn_known || e->u.data.insn != v->address)
        return;
    word = owing(v, v->address, &bit);
    if (v->insns < INSNS_UNSURE || (*word & bit) != 0 ||
        v->transfers++ >= v->expected || e->u.data.status != ETM_DATA_OK)
        return;
    take_base(v, e);
    if (!v->has_values || !e->u.data.value_known ||
        e->u.data.reg_kind != ETM_REGISTER_CORE || reg >= 15)
        return;
    if (e->u.data.store == ETM_FALSE && (v->effect.loaded >> reg & 1u) != 0 &&
        e->u.data.size != 0)
        learn(v, reg, extend(v, (uint32_t)e->u.data.value, e->u.data.size));
    else if (e->u.data.store == ETM_TRUE && e->u.data.size == 4 &&
             (v->effect.written >> reg & 1u) == 0)
        learn(v, reg, (uint32_t)e->u.data.value);
}

static void take_exception(struct etm_gdb_values *v,
                           const struct etm_element *e)
{
    /* it did not complete, and will be executed again, or never */
    if ((e->u.exception.return_known &&
         e->u.exception.return_address == v->address) ||
        e->u.exception.type == ETM_EXCEPTION_DATA_ABORT ||
        e->u.exception.type == ETM_EXCEPTION_ASYNC_DATA_ABORT)
        forget(v, v->effect.written);
    close(v);
    if (e->u.exception.type == ETM_EXCEPTION_DEBUG_HALT ||
        e->u.exception.type == ETM_EXCEPTION_RESET)
        forget(v, ETM_GDB_ALL_REGISTERS);
    else if (v->profile == ETM_PROFILE_M)
        forget(v, STACKED);
    else
        forget(v, ETM_GDB_BANKED);
    if (v->profile == ETM_PROFILE_M &&
        etm_gdb_exceptions_enter(&v->exceptions, e) != 0)
        learn(v, ETM_REGISTER_LR, etm_gdb_exceptions_link(&v->exceptions, 0));
}

static void take_return(struct etm_gdb_values *v)
{
    close(v);
    if (v->profile == ETM_PROFILE_M)
        etm_gdb_exceptions_return(&v->exceptions, v->opcode, &v->registers);
    forget(v, v->profile == ETM_PROFILE_M ? STACKED : ETM_GDB_BANKED);
}

void etm_gdb_values_take(struct etm_gdb_values *v, const struct etm_element *e)
{
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_INSN:
        take_insn(v, e);
        break;
    case ETM_ELEMENT_DATA:
        take_data(v, e);
        break;
    case ETM_ELEMENT_TRACE_ON:
    case ETM_ELEMENT_LOST:
    case ETM_ELEMENT_NO_IMAGE:
    case ETM_ELEMENT_RANGE:
        v->open = false;
        forget(v, ETM_GDB_ALL_REGISTERS);
        etm_gdb_exceptions_forget(&v->exceptions);
        break;
    case ETM_ELEMENT_EXCEPTION:
        take_exception(v, e);
        break;
    case ETM_ELEMENT_EXCEPTION_RETURN:
        take_return(v);
        break;
    case ETM_ELEMENT_CONTEXT:
    case ETM_ELEMENT_CYCLES:
    case ETM_ELEMENT_TIMESTAMP:
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_END:
    case ETM_ELEMENT_SOFTWARE:
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        break;
    }
}
