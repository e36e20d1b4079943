/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and memory: what is not known is unavailable, never 0. */
#include "gdb/memory.h"
#include "gdb/server.h"

/* The status register's number for GDB, CPSR or xPSR, and its bits that the
 * instruction set tells (ARMv7-A ARM, B1.3.3; ARMv7-M ARM, B1.4.2). */
#define STATUS 25u
#define CPSR_T (1u << 5)
#define CPSR_J (1u << 24)
#define XPSR_T (1u << 24)

/* The bits that are known; others are 0, and have no name in the description of
 * the target. False: none. */
static bool status_of(const struct etm_gdb_server *s, uint32_t *value)
{
    const struct etm_gdb_thread *thread = etm_gdb_thread_of(s, s->thread);
    struct etm_gdb_core *core = &s->cores[thread->core];
    const struct etm_gdb_insn *insn = etm_gdb_insn_at(core);

    *value = 0;
    if (!insn)
        return false;
    if (core->code.profile == ETM_PROFILE_M) {
        *value = XPSR_T;
        return true;
    }
    if (insn->isa == ETM_ISA_THUMB || insn->isa == ETM_ISA_THUMBEE)
        *value |= CPSR_T;
    if (insn->isa == ETM_ISA_JAZELLE || insn->isa == ETM_ISA_THUMBEE)
        *value |= CPSR_J;
    return true;
}

static void put_unknown(struct etm_gdb_reply *reply)
{
    etm_gdb_put(reply, "xxxxxxxx");
}

static void put_register(struct etm_gdb_server *s, unsigned reg)
{
    uint32_t status;

    if (reg < 16 && (s->frames.known >> reg & 1u) != 0)
        etm_gdb_put_word(&s->reply, s->frames.registers[reg]);
    else if (reg == STATUS && status_of(s, &status))
        etm_gdb_put_word(&s->reply, status);
    else
        put_unknown(&s->reply);
}

void etm_gdb_read_registers(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    if (!etm_gdb_is_end(text) || !etm_gdb_thread_frames(s, s->thread)) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    for (unsigned r = 2; r < 16; r++) /* R0 and R1 are asked for alone */
        put_register(s, r);
    put_register(s, STATUS);
}

void etm_gdb_read_register(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    uint64_t reg;

    if (!etm_gdb_take_hex(text, &reg) || !etm_gdb_is_end(text) ||
        (reg >= 16 && reg != STATUS && reg - ETM_GDB_R0_NUMBER > 1) ||
        !etm_gdb_thread_frames(s, s->thread)) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    if (reg >= ETM_GDB_R0_NUMBER)
        reg -= ETM_GDB_R0_NUMBER;
    if (reg < 2 && s->returned && (s->frames.known >> reg & 1u) == 0) {
        s->returned = false;
        etm_gdb_put(&s->reply, "E.the trace does not tell the value");
        return;
    }
    put_register(s, (unsigned)reg);
}

size_t etm_gdb_read_constants(void *context, uint32_t address, uint8_t *bytes,
                              size_t size)
{
    const struct etm_gdb_core *core = context;

    for (size_t i = 0; i < size; i++)
        if (etm_gdb_program_writes(core->program, address + (uint32_t)i))
            return 0;
    return core->code.read(core->code.context, address, bytes, size);
}

/* Some bytes: what was traced comes first. Bit i of the result: bytes[i] is
 * known. */
static uint64_t read_some(struct etm_gdb_server *s, struct etm_gdb_core *core,
                          uint32_t address, uint8_t *bytes, size_t n)
{
    const struct etm_config *config = &core->info->config;
    uint64_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (etm_gdb_read_constants(core, address + (uint32_t)i, &bytes[i], 1) ==
            1)
            known |= UINT64_C(1) << i;
    if (known == 0 && config->data_address && config->data_value)
        known =
            etm_gdb_memory_at(&core->history, &core->place, address, bytes, n);
    for (size_t i = 0; i < n; i++)
        if ((known >> i & 1u) == 0 &&
            etm_gdb_frames_byte(&s->frames, address + (uint32_t)i, &bytes[i]))
            known |= UINT64_C(1) << i;
    return known;
}

void etm_gdb_read_memory(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    const struct etm_gdb_thread *thread = etm_gdb_thread_of(s, s->thread);
    uint64_t address, size;

    if (!etm_gdb_take_hex(text, &address) || !etm_gdb_take_char(text, ',') ||
        !etm_gdb_take_hex(text, &size) || !etm_gdb_is_end(text) ||
        address > UINT32_MAX || !thread ||
        !etm_gdb_thread_frames(s, s->thread)) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    if (size > (ETM_GDB_PACKET_MOST - 1) / 2)
        size = (ETM_GDB_PACKET_MOST - 1) / 2;
    if (size > UINT32_MAX - address + 1)
        size = UINT32_MAX - address + 1;
    for (uint64_t i = 0; i < size; i += ETM_GDB_MEMORY_MOST) {
        uint8_t bytes[ETM_GDB_MEMORY_MOST] = {0};
        size_t n = size - i < sizeof bytes ? (size_t)(size - i) : sizeof bytes;
        uint64_t known = read_some(s, &s->cores[thread->core],
                                   (uint32_t)(address + i), bytes, n);
        size_t whole = 0;

        while (whole < n && (known >> whole & 1u) != 0)
            whole++;
        etm_gdb_put_bytes(&s->reply, bytes, whole);
        if (whole < n)
            break;
    }
    if (s->reply.n == 0 && size != 0)
        etm_gdb_put_error(&s->reply);
}
