/* SPDX-License-Identifier: Apache-2.0 */
/* Programming the macrocell, step by step (3.4.3). */
#include "setup/steps.h"

#include "model/dwt.h"

/* Where M-profile processors have their ETM. */
#define BASE_M UINT32_C(0xe0041000)

/* Unlocks ETMLAR (3.5.28). */
#define KEY UINT32_C(0xc5acce55)

void etm_steps_section(struct etm_steps *s, const char *why)
{
    s->take(s, &(struct etm_step){.kind = ETM_STEP_SECTION, .why = why});
}

void etm_steps_write(struct etm_steps *s, uint32_t address, uint32_t value,
                     const char *name, const char *why)
{
    s->take(s, &(struct etm_step){.kind = ETM_STEP_WRITE,
                                  .address = address,
                                  .value = value,
                                  .name = name,
                                  .why = why});
}

static void take_as(struct etm_steps *s, enum etm_step_kind kind,
                    const struct etm_step *bits)
{
    struct etm_step step = *bits;

    step.kind = kind;
    s->take(s, &step);
}

void etm_steps_change(struct etm_steps *s, const struct etm_step *bits)
{
    take_as(s, ETM_STEP_CHANGE, bits);
}

void etm_steps_wait(struct etm_steps *s, const struct etm_step *bits)
{
    take_as(s, ETM_STEP_WAIT, bits);
}

bool etm_script_by_memory(const struct etm_setup_script *script)
{
    return script->interfaces == 0 ||
           (script->interfaces & ETM_INTERFACE_MEMORY) != 0;
}

uint32_t etm_script_base(const struct etm_setup_script *script)
{
    if (!etm_script_by_memory(script))
        return 0;
    return script->base == 0 ? BASE_M : script->base;
}

/* A register of the macrocell. */
static uint32_t address_of(const struct etm_setup_script *script,
                           uint32_t number)
{
    return etm_script_base(script) + 4 * number;
}

static void write_register(struct etm_steps *s,
                           const struct etm_setup_script *script,
                           const struct etm_setup_value *v, const char *why)
{
    const char *name = etm_register_name(v->number);

    etm_steps_write(s, address_of(script, v->number), v->value,
                    name ? name : "", why);
}

static void change_control(struct etm_steps *s,
                           const struct etm_setup_script *script,
                           uint32_t clear, uint32_t set, const char *why)
{
    etm_steps_change(
        s, &(struct etm_step){.address = address_of(script, ETM_REG_CR),
                              .mask = clear,
                              .value = set,
                              .name = "ETMCR",
                              .why = why});
}

/* ETMSR[1] follows ETMCR[10], except in v1.0 and v1.1. */
static void wait_for(struct etm_steps *s, const struct etm_setup_script *script,
                     bool set)
{
    if (!script->no_status)
        etm_steps_wait(s, &(struct etm_step){
                              .address = address_of(script, ETM_REG_SR),
                              .mask = ETM_SR_PROGRAMMING,
                              .value = set ? ETM_SR_PROGRAMMING : 0,
                              .name = "ETMSR",
                              .why = set ? "it has stopped" : "it is running"});
}

void etm_steps_beside(struct etm_steps *s, const struct etm_setup *setup)
{
    for (size_t i = 0; i < setup->n; i++) {
        const struct etm_setup_value *v = &setup->values[i];
        struct etm_step step = {.address = v->number,
                                .value = v->value,
                                .name = etm_register_name(v->number)};

        if (!etm_register_beside(v->number))
            continue;
        if (v->number == ETM_REG_DEMCR) /* other bits are the debugger's */
            etm_steps_change(s, &step);
        else
            etm_steps_write(s, step.address, step.value, step.name, NULL);
    }
}

void etm_steps_stop(struct etm_steps *s, const struct etm_setup_script *script)
{
    const struct etm_setup_value unlock = {ETM_REG_LAR, KEY};
    const struct etm_setup_value os = {ETM_REG_OSLAR, 0};

    if (etm_script_by_memory(script) && !script->no_lock)
        write_register(s, script, &unlock, "unlock");
    if (etm_script_by_memory(script) && script->os_lock) {
        s->take(s,
                &(struct etm_step){.kind = ETM_STEP_READ,
                                   .address = address_of(script, ETM_REG_PDSR),
                                   .name = "ETMPDSR",
                                   .why = "clears the sticky bit"});
        write_register(s, script, &os, "unlock");
    }
    /* Without power, writes of all other bits may be dropped (3.5.1). */
    change_control(s, script, ETM_CR_POWER_DOWN, 0, "power up");
    change_control(s, script, 0, ETM_CR_PROGRAMMING, "programming bit");
    wait_for(s, script, true);
}

/* Another core is selected with power off, so that the macrocell synchronizes
 * to it (3.5.1, [27:25]). */
static void select_core(struct etm_steps *s,
                        const struct etm_setup_script *script, uint32_t control)
{
    change_control(s, script, 0, ETM_CR_POWER_DOWN, "power off, for its core");
    change_control(s, script, ETM_CR_CORE_SELECT, control & ETM_CR_CORE_SELECT,
                   "the core");
    change_control(s, script, ETM_CR_POWER_DOWN, 0, "power up");
    wait_for(s, script, true);
}

void etm_steps_program(struct etm_steps *s, const struct etm_setup *setup,
                       const struct etm_setup_script *script)
{
    const struct etm_setup_value lock = {ETM_REG_LAR, 0};
    const uint32_t off = ETM_CR_POWER_DOWN | ETM_CR_PROGRAMMING;
    struct etm_setup_value control = {.number = ETM_REG_CR};
    bool told = etm_setup_get(setup, ETM_REG_CR, &control.value) == ETM_OK;
    uint32_t value = control.value & ~off;

    if (told && script->shared)
        select_core(s, script, value);
    control.value = value | ETM_CR_PROGRAMMING;
    if (told)
        write_register(s, script, &control, NULL);
    for (size_t i = 0; i < setup->n; i++) {
        const struct etm_setup_value *v = &setup->values[i];

        if (v->number != ETM_REG_CR && etm_setup_programmable(v->number))
            write_register(s, script, v, NULL);
    }
    control.value = value;
    if (told)
        write_register(s, script, &control, "it runs");
    else
        change_control(s, script, off, 0, "it runs");
    wait_for(s, script, false);
    if (etm_script_by_memory(script) && !script->no_lock)
        write_register(s, script, &lock, "lock");
}
