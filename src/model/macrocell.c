/* SPDX-License-Identifier: Apache-2.0 */
/* The public side of the register file. */
#include "model/macrocell.h"

#include "base/alloc.h"

int etm_macrocell_new(struct etm_macrocell **macrocell,
                      const struct etm_macrocell_config *config,
                      struct etm_diag *diag)
{
    struct etm_allocator allocator;
    struct etm_macrocell *m;
    int status;

    *macrocell = NULL;
    /* Before a field is read that an older caller's struct may not have. */
    status = etm_regfile_check_size(config, diag);
    if (status != ETM_OK)
        return status;
    allocator = etm_allocator_or_default(config->allocator);
    m = etm_alloc_zero(&allocator, sizeof *m);
    if (m == NULL)
        return ETM_ERR_MEMORY;
    m->allocator = allocator;
    status = etm_regfile_init(&m->registers, config, diag);
    if (status != ETM_OK)
        etm_alloc_free(&allocator, m);
    else
        *macrocell = m;
    return status;
}

void etm_macrocell_free(struct etm_macrocell *macrocell)
{
    struct etm_allocator allocator;

    if (macrocell == NULL)
        return;
    allocator = macrocell->allocator;
    etm_alloc_free(&allocator, macrocell);
}

enum etm_access_result etm_macrocell_read(struct etm_macrocell *macrocell,
                                          uint32_t number,
                                          enum etm_access access,
                                          uint32_t *value)
{
    return etm_regfile_read(&macrocell->registers, number, access, value);
}

enum etm_access_result etm_macrocell_write(struct etm_macrocell *macrocell,
                                           uint32_t number,
                                           enum etm_access access,
                                           uint32_t value)
{
    return etm_regfile_write(&macrocell->registers, number, access, value);
}

uint32_t etm_macrocell_coprocessor(const struct etm_macrocell *macrocell,
                                   unsigned crn, unsigned crm, unsigned opc2)
{
    return etm_regfile_coprocessor(&macrocell->registers, crn, crm, opc2);
}

uint64_t etm_jtag_scan(uint32_t number, bool write, uint32_t value)
{
    return (uint64_t)write << 39 | (uint64_t)(number & 0x7f) << 32 |
           (write ? value : 0);
}

uint32_t etm_macrocell_scan(struct etm_macrocell *macrocell, uint64_t scan)
{
    uint32_t number = (uint32_t)(scan >> 32) & 0x7f;
    uint32_t value = 0;

    if ((scan >> 39 & 1) != 0)
        etm_macrocell_write(macrocell, number, ETM_ACCESS_JTAG, (uint32_t)scan);
    else
        etm_macrocell_read(macrocell, number, ETM_ACCESS_JTAG, &value);
    return value;
}

void etm_macrocell_reset(struct etm_macrocell *macrocell)
{
    etm_regfile_reset(&macrocell->registers);
}

void etm_macrocell_power(struct etm_macrocell *macrocell, bool debug, bool core)
{
    etm_regfile_power(&macrocell->registers, debug, core);
}

void etm_macrocell_pins(struct etm_macrocell *macrocell,
                        const struct etm_macrocell_pins *pins)
{
    macrocell->registers.pins = *pins;
}

uint32_t etm_macrocell_mistakes(struct etm_macrocell *macrocell)
{
    uint32_t mistakes = macrocell->registers.mistakes;

    macrocell->registers.mistakes = 0;
    return mistakes;
}

const char *etm_mistake_text(enum etm_mistake mistake)
{
    switch (mistake) {
#define ETM_MISTAKE_CASE(name, bit, text)                                      \
    case ETM_MISTAKE_##name:                                                   \
        return text;
        ETM_MISTAKE_LIST(ETM_MISTAKE_CASE)
#undef ETM_MISTAKE_CASE
    }
    return "unknown mistake";
}
