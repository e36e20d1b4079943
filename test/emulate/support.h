/* SPDX-License-Identifier: Apache-2.0 */
/* Running a program and keeping what it did. */
#ifndef EMULATE_SUPPORT_H
#define EMULATE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "emulate/emulate.h"
#include "isa/insn.h"

#include <etm/setup.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

#define A9                                                                     \
    (struct etm_emulator_config)                                               \
    {                                                                          \
        .core = "Cortex-A9"                                                    \
    }
#define M3                                                                     \
    (struct etm_emulator_config)                                               \
    {                                                                          \
        .core = "Cortex-M3"                                                    \
    }

struct recording {
    struct etm_emulator *emulator;
    struct etm_vec events; /* struct etm_event */
    char output[512];
    size_t n_output;
    struct etm_run_result result;
    enum etm_profile profile;
};

/* A program of test/programs, or a path. `config` says the rest. */
void recording_open(struct recording *r, const char *program,
                    struct etm_emulator_config config);
void recording_run(struct recording *r);
void recording_close(struct recording *r);

const struct etm_event *recording_event(const struct recording *r, size_t i);

/* An ELF file of one segment at address 0, which is also its entry; remove
 * it after use. */
const char *make_elf(const void *bytes, size_t n, uint32_t entry);

/* Runs such a file to its end. */
void run_code(struct recording *r, const void *code, size_t n, uint32_t entry,
              struct etm_emulator_config config);

#endif
