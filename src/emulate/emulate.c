/* SPDX-License-Identifier: Apache-2.0 */
/* Making an emulator, and querying it. */
#include "emulate/machine.h"

#include "base/size.h"
#include "input/text.h"

#include <string.h>

#define DEFAULT_CORE "cortex-a9"
#define MAX_IRQ 239u

/*
 * Unicorn's models of processors. If it does not have one, the nearest one of
 * that architecture is used: TI925T has the ARM9TDMI's Armv4T, the Cortex-R5
 * serves for all of the R profile.
 */
static const struct {
    const char *processor;
    int model;
} models[] = {
    {"arm7tdmi", UC_CPU_ARM_TI925T},     {"arm9tdmi", UC_CPU_ARM_TI925T},
    {"arm920t", UC_CPU_ARM_TI925T},      {"arm926ej-s", UC_CPU_ARM_926},
    {"arm1020e", UC_CPU_ARM_1026},       {"arm1022e", UC_CPU_ARM_1026},
    {"arm1026ej-s", UC_CPU_ARM_1026},    {"arm1136jf-s", UC_CPU_ARM_1136},
    {"arm1176jzf-s", UC_CPU_ARM_1176},   {"cortex-m3", UC_CPU_ARM_CORTEX_M3},
    {"cortex-m4", UC_CPU_ARM_CORTEX_M4}, {"cortex-r4", UC_CPU_ARM_CORTEX_R5},
    {"cortex-r5", UC_CPU_ARM_CORTEX_R5}, {"cortex-a5", UC_CPU_ARM_CORTEX_A9},
    {"cortex-a7", UC_CPU_ARM_CORTEX_A7}, {"cortex-a8", UC_CPU_ARM_CORTEX_A8},
    {"cortex-a9", UC_CPU_ARM_CORTEX_A9}, {"cortex-a15", UC_CPU_ARM_CORTEX_A15},
};

#define NO_MODEL (-1)

static int model_of(const struct etm_core *core)
{
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        if (strcmp(models[i].processor, core->processor) == 0)
            return models[i].model;
    }
    return NO_MODEL;
}

static int refuse(struct etm_diag *diag, const char *source, const char *what)
{
    return etm_text_fail(diag, ETM_ERR_CONFIG, source, ETM_DIAG_NONE, "%s",
                         what);
}

static int take_interrupts(struct etm_emulator *e,
                           const struct etm_emulator_config *config,
                           struct etm_diag *diag)
{
    struct etm_interrupt *list;
    bool is_m = e->profile == ETM_PROFILE_M;
    int status = etm_vec_append(&e->interrupts, config->interrupts,
                                config->n_interrupts);

    if (status != ETM_OK)
        return status;
    list = e->interrupts.data;
    for (size_t i = 0; i < e->interrupts.n; i++) {
        bool for_a = list[i].kind == ETM_INTERRUPT_IRQ ||
                     list[i].kind == ETM_INTERRUPT_FIQ;

        if (list[i].kind > ETM_INTERRUPT_NMI)
            return refuse(diag, "interrupt", "there is no such interrupt");
        if (for_a == is_m)
            return refuse(
                diag,
                etm_interrupt_kind_name((enum etm_interrupt_kind)list[i].kind),
                is_m ? "an M-profile core has no such interrupt; it has irqN, "
                       "systick, pendsv and nmi"
                     : "this core has no such interrupt; it has irq and fiq");
        if (list[i].number > MAX_IRQ)
            return refuse(diag, "interrupt", "irqN goes from 0 to 239");
        if (list[i].at == 0)
            list[i].at = list[i].every;
    }
    return ETM_OK;
}

/* Priorities that the caller has set in the interrupt controller. */
static void take_priorities(struct etm_emulator *e)
{
    const struct etm_interrupt *list = e->interrupts.data;

    for (size_t i = 0; i < e->interrupts.n; i++) {
        if (!list[i].prioritized)
            continue;
        if (list[i].kind == ETM_INTERRUPT_IRQ_N)
            e->m.priority[16 + list[i].number] = list[i].priority;
        else if (list[i].kind == ETM_INTERRUPT_SYS_TICK)
            e->m.priority[15] = list[i].priority;
        else if (list[i].kind == ETM_INTERRUPT_PEND_SV)
            e->m.priority[14] = list[i].priority;
    }
}

static int open_unicorn(struct etm_emulator *e, struct etm_diag *diag)
{
    uc_mode mode = e->profile == ETM_PROFILE_M ? UC_MODE_THUMB | UC_MODE_MCLASS
                                               : UC_MODE_ARM;
    uc_err error;
    int status = etm_unicorn_load(&e->unicorn, diag);

    if (status != ETM_OK)
        return status;
    error = e->unicorn.open(UC_ARCH_ARM, mode, &e->uc);
    if (error == UC_ERR_OK)
        error = e->unicorn.ctl(e->uc, UC_CTL_WRITE(UC_CTL_CPU_MODEL, 1),
                               model_of(e->core));
    if (error != UC_ERR_OK)
        return etm_text_fail(diag, ETM_ERR_UNSUPPORTED, e->core->name,
                             ETM_DIAG_NONE, "Unicorn: %s",
                             e->unicorn.strerror(error));
    return ETM_OK;
}

static int build(struct etm_emulator *e,
                 const struct etm_emulator_config *config,
                 struct etm_diag *diag)
{
    const char *line =
        config->command_line != NULL ? config->command_line : config->program;
    int status;

    e->command_line = etm_text_copy(&e->allocator, line, strlen(line));
    e->cache = etm_alloc_zero(&e->allocator, ETM_CACHE_SIZE * sizeof *e->cache);
    if (e->command_line == NULL || e->cache == NULL)
        return ETM_ERR_MEMORY;
    status = take_interrupts(e, config, diag);
    if (status == ETM_OK)
        status = open_unicorn(e, diag);
    if (status == ETM_OK)
        status = etm_machine_load(e, config, diag);
    if (status != ETM_OK)
        return status;
    etm_m_reset(e);
    take_priorities(e);
    return etm_machine_hook(e) ? ETM_OK : ETM_ERR_MEMORY;
}

int etm_emulator_new(struct etm_emulator **emulator,
                     const struct etm_emulator_config *config,
                     struct etm_diag *diag)
{
    struct etm_allocator a = etm_allocator_or_default(config->allocator);
    const char *name = config->core != NULL ? config->core : DEFAULT_CORE;
    const struct etm_core *core;
    struct etm_emulator *e;
    int status;

    *emulator = NULL;
    if (config->program == NULL)
        return etm_text_fail(diag, ETM_ERR_ARGUMENT, "", ETM_DIAG_NONE,
                             "no program");
    if (etm_core_find(name, &core) != ETM_OK || model_of(core) == NO_MODEL)
        return refuse(diag, name, "a core that the emulator does not know");
    e = etm_alloc_zero(&a, sizeof *e);
    if (e == NULL)
        return ETM_ERR_MEMORY;
    e->allocator = a;
    e->core = core;
    e->profile = core->profile;
    e->pc_first = config->pc_first;
    e->limit = config->limit != 0 ? config->limit : UINT64_MAX;
    e->ends_repeating = e->limit == UINT64_MAX || config->ends_repeating;
    e->events = config->events;
    e->output = config->output;
    e->step = config->step;
    e->context = config->context;
    etm_vec_init(&e->memory, sizeof(struct etm_memory), &a);
    etm_vec_init(&e->segments, sizeof(struct etm_memory), &a);
    etm_vec_init(&e->interrupts, sizeof(struct etm_interrupt), &a);
    status = build(e, config, diag);
    if (status != ETM_OK)
        etm_emulator_free(e);
    else
        *emulator = e;
    return status;
}

struct etm_place etm_emulator_start(const struct etm_emulator *emulator)
{
    return (struct etm_place){.address = emulator->start & ~1u,
                              .isa = (emulator->start & 1) != 0 ? ETM_ISA_THUMB
                                                                : ETM_ISA_ARM};
}

void etm_emulator_free(struct etm_emulator *emulator)
{
    struct etm_allocator allocator;

    if (emulator == NULL)
        return;
    allocator = emulator->allocator;
    if (emulator->uc != NULL)
        (void)emulator->unicorn.close(emulator->uc);
    etm_machine_unload(emulator);
    etm_vec_fini(&emulator->memory);
    etm_vec_fini(&emulator->segments);
    etm_vec_fini(&emulator->interrupts);
    etm_alloc_free(&allocator, emulator->command_line);
    etm_alloc_free(&allocator, emulator->cache);
    etm_alloc_free(&allocator, emulator);
}

bool etm_emulator_available(void)
{
    return true;
}
