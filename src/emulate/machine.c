/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What all files of the emulator need of the machine: its registers, the batch
 * of events, and the end of the run.
 */
#include "emulate/machine.h"

#include <string.h>

uint32_t etm_machine_get(const struct etm_emulator *e, int reg)
{
    uint32_t value = 0;

    e->unicorn.reg_read(e->uc, reg, &value);
    return value;
}

void etm_machine_set(struct etm_emulator *e, int reg, uint32_t value)
{
    if (e->unicorn.reg_write(e->uc, reg, &value) != UC_ERR_OK)
        etm_machine_fail(e, ETM_ERR_UNSUPPORTED,
                         "Unicorn refuses to set a register");
}

int etm_machine_register(unsigned number)
{
    static const int special[3] = {UC_ARM_REG_SP, UC_ARM_REG_LR, UC_ARM_REG_PC};

    return number < 13 ? UC_ARM_REG_R0 + (int)number : special[number - 13];
}

uint32_t etm_machine_psr(const struct etm_emulator *e)
{
    return etm_machine_get(e, UC_ARM_REG_CPSR);
}

void etm_machine_fail(struct etm_emulator *e, int status, const char *what)
{
    if (e->status == ETM_OK) {
        e->status = status;
        strncpy(e->failure, what, sizeof e->failure - 1);
    }
    e->stop = ETM_STOP_FAILED;
    e->done = true;
}

struct etm_place etm_machine_place(const struct etm_emulator *e,
                                   uint32_t address, uint32_t psr)
{
    bool thumb = e->profile == ETM_PROFILE_M || (psr & ETM_PSR_T) != 0;

    return (struct etm_place){.address = address,
                              .isa = thumb ? ETM_ISA_THUMB : ETM_ISA_ARM};
}

void etm_machine_flush(struct etm_emulator *e)
{
    int status = 0;

    if (e->n_batch != 0 && e->events != NULL)
        status = e->events(e->context, e->batch, e->n_batch);
    e->n_batch = 0;
    if (status != 0)
        etm_machine_fail(e, status, "");
}

struct etm_event *etm_machine_event(struct etm_emulator *e,
                                    enum etm_event_kind kind, uint64_t own)
{
    struct etm_event *event;

    /* Only an instruction that is not an Arm one makes as many. */
    if (e->n_batch == ETM_BATCH) {
        etm_machine_fail(e, ETM_ERR_UNSUPPORTED,
                         "an instruction with too many transfers");
        e->n_batch = ETM_BATCH - 1;
    }
    event = &e->batch[e->n_batch++];
    memset(event, 0, sizeof *event);
    event->kind = (uint8_t)kind;
    event->cycles = e->owed + own;
    e->result.cycles += own;
    e->owed = 0;
    return event;
}

void etm_machine_owe(struct etm_emulator *e, uint64_t cycles)
{
    e->owed += cycles;
    e->result.cycles += cycles;
}

void etm_machine_data(struct etm_emulator *e, uint32_t address, uint32_t value,
                      uint8_t size, bool store)
{
    struct etm_event *event = etm_machine_event(e, ETM_EVENT_DATA, 1);

    event->u.data.address = address;
    event->u.data.value = size < 4 ? value & ((1u << (8 * size)) - 1) : value;
    event->u.data.size = size;
    event->u.data.store = store;
    e->result.transfers++;
}

void etm_machine_end(struct etm_emulator *e, enum etm_run_end end,
                     uint32_t address)
{
    if (e->done)
        return;
    e->done = true;
    e->result.end = (uint8_t)end;
    e->result.address = address;
}

void etm_emulator_registers(const struct etm_emulator *e,
                            uint32_t registers[16])
{
    for (unsigned r = 0; r < 15; r++)
        registers[r] = etm_machine_get(e, etm_machine_register(r));
    registers[15] = e->current.address;
}
