/* SPDX-License-Identifier: Apache-2.0 */
/* A program, how it runs, and what it did. */
#ifndef EMULATE_RECORDING_H
#define EMULATE_RECORDING_H

#include "../support/cases.h"
#include "base/vec.h"
#include "emulate/emulate.h"
#include "isa/insn.h"

struct recording {
    struct etm_emulator *emulator;
    struct etm_vec events; /* struct etm_event */
    struct scenario_text output;
    struct etm_run_result result;
    enum etm_profile profile;
    int status; /* of the emulator, or of its run */
    struct etm_diag diag;
    uint8_t *memory; /* at the start; check_run() makes the stores there */
};

/* The programs' memory: code, data, stacks. */
#define MEMORY 0x44000u

/* An ELF file with one segment at address 0; remove it after use. */
const char *make_elf(const void *bytes, size_t n, uint32_t entry);

/* Runs it, and keeps what it did; closed in any case. */
void recording_run(struct recording *r, struct etm_emulator_config config);
void recording_close(struct recording *r);

/* What is in memory, as far as there is any; freed by the caller. */
uint8_t *recording_memory(const struct recording *r);

static inline const struct etm_event *event_of(const struct recording *r,
                                               size_t i)
{
    return (const struct etm_event *)r->events.data + i;
}

/* What holds of any run; the debugger may have written into memory, too. */
bool check_run(const struct recording *r, bool debugger_writes);

#endif
