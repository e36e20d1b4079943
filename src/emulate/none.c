/* SPDX-License-Identifier: Apache-2.0 */
/* Replacement of the emulator in a build without Unicorn. */
#include "emulate/emulate.h"

#include "input/text.h"

int etm_emulator_new(struct etm_emulator **emulator,
                     const struct etm_emulator_config *config,
                     struct etm_diag *diag)
{
    (void)config;
    *emulator = NULL;
    return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, "emulator", ETM_DIAG_NONE,
                         "this etm cannot run programs: it was built without "
                         "Unicorn");
}

struct etm_place etm_emulator_start(const struct etm_emulator *emulator)
{
    (void)emulator;
    return (struct etm_place){0};
}

int etm_emulator_run(struct etm_emulator *emulator,
                     struct etm_run_result *result, struct etm_diag *diag)
{
    (void)emulator;
    (void)diag;
    *result = (struct etm_run_result){0};
    return ETM_ERR_UNSUPPORTED;
}

void etm_emulator_registers(const struct etm_emulator *emulator,
                            uint32_t registers[16])
{
    (void)emulator;
    for (unsigned r = 0; r < 16; r++)
        registers[r] = 0;
}

size_t etm_emulator_read(const struct etm_emulator *emulator, uint32_t address,
                         uint8_t *bytes, size_t n)
{
    (void)emulator;
    (void)address;
    (void)bytes;
    (void)n;
    return 0;
}

void etm_emulator_free(struct etm_emulator *emulator)
{
    (void)emulator;
}

bool etm_emulator_available(void)
{
    return false;
}
