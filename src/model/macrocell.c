/* SPDX-License-Identifier: Apache-2.0 */
/* The public functions of the register file, and of what uses it. */
#include "model/macrocell.h"

#include "base/alloc.h"
#include "base/diag.h"
#include "base/name.h"
#include "base/size.h"

int etm_macrocell_new(struct etm_macrocell **macrocell,
                      const struct etm_macrocell_config *config,
                      struct etm_diag *diag)
{
    struct etm_macrocell_config own;
    struct etm_allocator allocator;
    struct etm_macrocell *m;
    int status;

    if (macrocell == NULL) {
        status = etm_diag_begin(diag, ETM_ERR_ARGUMENT, NULL);
        etm_diag_text(diag, "no place for the macrocell is given");
        return status;
    }
    *macrocell = NULL;
    status = ETM_TAKE(etm_macrocell_config, &own, config, diag);
    if (status != ETM_OK)
        return status;
    allocator = etm_allocator_or_default(own.allocator);
    m = etm_alloc_zero(&allocator, sizeof *m);
    if (m == NULL)
        return etm_diag_say(diag, ETM_ERR_MEMORY, NULL,
                            etm_status_text(ETM_ERR_MEMORY));
    m->allocator = allocator;
    status = etm_regfile_init(&m->registers, &own, diag);
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
    etm_execute_free(macrocell->execute);
    etm_alloc_free(&allocator, macrocell);
}

/* Before registers are read: update them from the resources. */
static struct etm_regfile *observe(struct etm_macrocell *macrocell)
{
    if (macrocell->execute != NULL)
        etm_execute_observe(macrocell->execute);
    return &macrocell->registers;
}

static void changed(struct etm_macrocell *macrocell)
{
    if (macrocell->execute != NULL)
        etm_execute_registers(macrocell->execute);
}

/* The value of a register beside the macrocell, which is in memory and has no
 * lock; NULL if the access does not reach it. */
static uint32_t *beside(struct etm_macrocell *macrocell, uint32_t number,
                        enum etm_access access)
{
    const struct etm_regfile *file = &macrocell->registers;

    if (access != ETM_ACCESS_SOFTWARE && access != ETM_ACCESS_DEBUGGER)
        return NULL;
    return etm_dwt_register(
        &macrocell->dwt, etm_dwt_count(file->trace.profile, file->counts.eices),
        number);
}

enum etm_access_result etm_macrocell_read(struct etm_macrocell *macrocell,
                                          uint32_t number,
                                          enum etm_access access,
                                          uint32_t *value)
{
    struct etm_regfile *file = observe(macrocell);
    const uint32_t *there = beside(macrocell, number, access);

    if (there == NULL)
        return etm_regfile_read(file, number, access, value);
    *value = *there;
    return ETM_ACCESS_OK;
}

enum etm_access_result etm_macrocell_write(struct etm_macrocell *macrocell,
                                           uint32_t number,
                                           enum etm_access access,
                                           uint32_t value)
{
    struct etm_regfile *file = observe(macrocell);
    uint32_t *there = beside(macrocell, number, access);
    enum etm_access_result result = ETM_ACCESS_OK;

    if (there != NULL)
        *there = value;
    else
        result = etm_regfile_write(file, number, access, value);
    changed(macrocell);
    if (there != NULL && macrocell->execute != NULL)
        etm_execute_fast_setup(macrocell->execute);
    return result;
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
    etm_regfile_reset(observe(macrocell));
    changed(macrocell);
    if (macrocell->execute != NULL)
        macrocell->execute->r.instrumentation = 0;
}

void etm_macrocell_power(struct etm_macrocell *macrocell, bool debug, bool core)
{
    etm_regfile_power(observe(macrocell), debug, core);
    changed(macrocell);
}

void etm_macrocell_set_pins(struct etm_macrocell *macrocell,
                            const struct etm_macrocell_pins *pins)
{
    macrocell->registers.pins = *pins;
    if (macrocell->execute != NULL)
        etm_execute_permit(macrocell->execute);
}

uint32_t etm_macrocell_mistakes(struct etm_macrocell *macrocell)
{
    uint32_t mistakes = macrocell->registers.mistakes;

    macrocell->registers.mistakes = 0;
    return mistakes;
}

static int execution(struct etm_macrocell *macrocell)
{
    int status;

    if (macrocell->execute != NULL)
        return ETM_OK;
    status = etm_execute_new(&macrocell->execute, &macrocell->registers,
                             &macrocell->dwt, &macrocell->allocator);
    if (status == ETM_OK)
        etm_execute_registers(macrocell->execute);
    return status;
}

int etm_macrocell_connect(struct etm_macrocell *macrocell,
                          const struct etm_macrocell_output *output)
{
    int status = macrocell == NULL || output == NULL ? ETM_ERR_ARGUMENT
                                                     : execution(macrocell);

    if (status == ETM_OK && macrocell->ran)
        status = ETM_ERR_ARGUMENT;
    if (status != ETM_OK)
        return status;
    status = etm_execute_connect(macrocell->execute, output);
    if (status == ETM_OK) /* it may run already */
        etm_execute_restart(macrocell->execute);
    return status;
}

int etm_macrocell_run(struct etm_macrocell *macrocell,
                      const struct etm_event *events, size_t n)
{
    int status;

    if (macrocell == NULL || (events == NULL && n > 0))
        return ETM_ERR_ARGUMENT;
    status = execution(macrocell);
    macrocell->ran = true;
    return status != ETM_OK ? status
                            : etm_execute_run(macrocell->execute, events, n);
}

uint64_t etm_macrocell_taken(const struct etm_macrocell *macrocell)
{
    const struct etm_execute *x = macrocell->execute;

    if (x == NULL)
        return 0;
    return x->status == ETM_OK ? x->given : x->group;
}

int etm_macrocell_finish(struct etm_macrocell *macrocell)
{
    int status = macrocell == NULL ? ETM_ERR_ARGUMENT : execution(macrocell);

    return status != ETM_OK ? status : etm_execute_finish(macrocell->execute);
}

void etm_macrocell_get_signals(const struct etm_macrocell *macrocell,
                               struct etm_macrocell_signals *signals)
{
    *signals = (struct etm_macrocell_signals){0};
    if (macrocell->execute == NULL)
        return;
    *signals = macrocell->execute->signals;
    signals->cycle = macrocell->execute->now;
}

void etm_macrocell_trace_config(const struct etm_macrocell *macrocell,
                                struct etm_config *config)
{
    etm_execute_config(&macrocell->registers, config);
}

#define ETM_MISTAKE_LIST(X)                                                    \
    X(ETM_MISTAKE_RESERVED_REGISTER,                                           \
      "a register that does not exist was written")                            \
    X(ETM_MISTAKE_READ_ONLY, "a read-only register was written")               \
    X(ETM_MISTAKE_WRITE_ONLY, "a write-only register was read")                \
    X(ETM_MISTAKE_RESERVED_BITS, "reserved bits were written with ones")       \
    X(ETM_MISTAKE_RESERVED_VALUE, "a field was written with a reserved value") \
    X(ETM_MISTAKE_TRACING,                                                     \
      "a register was written without the programming bit")                    \
    X(ETM_MISTAKE_CONTROL,                                                     \
      "bits of ETMCR were changed without the programming bit in effect")      \
    X(ETM_MISTAKE_SUPPRESS_AND_STALL,                                          \
      "data suppression and stalling were both switched on")                   \
    X(ETM_MISTAKE_PORT, "the trace port has no such size or mode")             \
    X(ETM_MISTAKE_CORE_SELECT,                                                 \
      "the core selected does not exist, or was changed with power on")        \
    X(ETM_MISTAKE_OS_SAVE_RESTORE, "ETMOSSRR was used out of its sequence")

const char *etm_mistake_text(enum etm_mistake mistake)
{
    switch (mistake) {
        ETM_MISTAKE_LIST(ETM_NAME_CASE)
    }
    return "unknown mistake";
}
