/* SPDX-License-Identifier: Apache-2.0 */
/* Setups as values, and the procedure that programs the model with one. */
#include "setup/setup.h"

#include "base/diag.h"
#include "base/name.h"
#include "base/size.h"
#include "model/macrocell.h"

#include <stdarg.h>
#include <stdio.h>

/* Unlocks ETMLAR (3.5.28). */
#define KEY UINT32_C(0xc5acce55)

/* Reads of ETMSR before it counts as stuck. */
#define PATIENCE 10000

#define ETM_SETUP_FORMAT_LIST(X)                                               \
    X(ETM_SETUP_FORMAT_TABLE, "table")                                         \
    X(ETM_SETUP_FORMAT_C, "c")                                                 \
    X(ETM_SETUP_FORMAT_OPENOCD, "openocd")                                     \
    X(ETM_SETUP_FORMAT_GDB, "gdb")                                             \
    X(ETM_SETUP_FORMAT_SYSFS, "sysfs")                                         \
    X(ETM_SETUP_FORMAT_JLINK, "jlink")                                         \
    X(ETM_SETUP_FORMAT_PYOCD, "pyocd")

const char *etm_setup_format_name(enum etm_setup_format format)
{
    ETM_RETURN_NAME(ETM_SETUP_FORMAT_LIST, format);
}

#define ETM_LOOK_LIST(X)                                                       \
    X(ETM_LOOK_EXECUTE, "executed")                                            \
    X(ETM_LOOK_PASSED, "passed")                                               \
    X(ETM_LOOK_FAILED, "failed")                                               \
    X(ETM_LOOK_FETCH, "fetched")                                               \
    X(ETM_LOOK_TRANSFER, "load or store")                                      \
    X(ETM_LOOK_LOAD, "load")                                                   \
    X(ETM_LOOK_STORE, "store")

const char *etm_look_name(enum etm_look look)
{
    ETM_RETURN_NAME(ETM_LOOK_LIST, look);
}

#define ETM_CONDITION_LIST(X)                                                  \
    X(ETM_CONDITION_NONE, "nothing")                                           \
    X(ETM_CONDITION_ALWAYS, "always")                                          \
    X(ETM_CONDITION_MATCH, "instructions or transfers")                        \
    X(ETM_CONDITION_EXTERNAL, "external input")                                \
    X(ETM_CONDITION_EXTENDED, "extended external input")                       \
    X(ETM_CONDITION_ICE, "EmbeddedICE comparator")                             \
    X(ETM_CONDITION_MEMORY_MAP, "memory map decoder")                          \
    X(ETM_CONDITION_INSTRUMENTATION, "instrumentation")                        \
    X(ETM_CONDITION_CONTEXT_ID, "context ID")                                  \
    X(ETM_CONDITION_STARTED, "start/stop block")                               \
    X(ETM_CONDITION_NON_SECURE, "non-secure state")                            \
    X(ETM_CONDITION_PROHIBITED, "tracing prohibited")                          \
    X(ETM_CONDITION_CHAIN, "chain complete")                                   \
    X(ETM_CONDITION_EVERY, "period")                                           \
    X(ETM_CONDITION_VMID, "VMID")

const char *etm_condition_name(enum etm_condition condition)
{
    ETM_RETURN_NAME(ETM_CONDITION_LIST, condition);
}

int etm_setup_set(struct etm_setup *setup, uint32_t number, uint32_t value)
{
    size_t i = 0;

    if (!setup || !etm_setup_known(number))
        return ETM_ERR_ARGUMENT;
    while (i < setup->n && i < ETM_SETUP_CAPACITY &&
           setup->values[i].number != number)
        i++;
    if (i == ETM_SETUP_CAPACITY)
        return ETM_ERR_ARGUMENT;
    setup->values[i].number = number;
    setup->values[i].value = value;
    if (i == setup->n)
        setup->n++;
    return ETM_OK;
}

int etm_setup_get(const struct etm_setup *setup, uint32_t number,
                  uint32_t *value)
{
    *value = 0;
    for (size_t i = 0; i < setup->n; i++) {
        if (setup->values[i].number == number) {
            *value = setup->values[i].value;
            return ETM_OK;
        }
    }
    return ETM_ERR_NOT_FOUND;
}

bool etm_setup_known(uint32_t number)
{
    return number < ETM_REGISTERS || etm_register_name(number) != NULL;
}

bool etm_setup_any_beside(const struct etm_setup *setup)
{
    bool any = false;

    for (size_t i = 0; i < setup->n; i++)
        any = any || etm_register_beside(setup->values[i].number);
    return any;
}

bool etm_setup_programmable(uint32_t number)
{
    switch (number) {
    case ETM_REG_CCR:
    case ETM_REG_SR:
    case ETM_REG_SCR:
    case ETM_REG_IDR:
    case ETM_REG_CCER:
    case ETM_REG_IDR2:
        return false;
    }
    return number < ETM_REG_OSLAR;
}

int etm_setup_script_of(struct etm_setup_script *script,
                        const struct etm_macrocell_config *macrocell,
                        struct etm_diag *diag)
{
    struct etm_setup_script own = {0};
    struct etm_regfile file;
    int status;

    if (!script || !macrocell)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "script", "none given");
    status = etm_regfile_init(&file, macrocell, diag);
    if (status == ETM_OK) {
        own.interfaces = file.interfaces;
        own.no_lock = file.version < ETM_V3_2;
        own.os_lock = (file.flags[ETM_REG_OSLAR] & ETM_REG_EXISTS) != 0;
        own.no_status = file.version < ETM_V1_2;
        own.shared = file.version >= ETM_V3_2 &&
                     (file.value[ETM_REG_SCR] >> 12 & 7) != 0;
    }
    ETM_GIVE(etm_setup_script, script, &own);
    return status;
}

/* State of the procedure. */
struct programming {
    struct etm_macrocell *macrocell;
    enum etm_access access;
    struct etm_diag *diag;
};

static int refused(struct programming *p, uint32_t number, const char *what)
{
    const char *name = etm_register_name(number);
    int status = etm_diag_begin(p->diag, ETM_ERR_CONFIG, name);

    if (name) {
        etm_diag_text(p->diag, name);
    } else {
        etm_diag_text(p->diag, "register ");
        etm_diag_hex(p->diag, number);
    }
    etm_diag_text(p->diag, what);
    return status;
}

static int write_but(struct programming *p, uint32_t number, uint32_t value,
                     uint32_t forgiven)
{
    enum etm_access_result result =
        etm_macrocell_write(p->macrocell, number, p->access, value);
    uint32_t mistakes = etm_macrocell_mistakes(p->macrocell) & ~forgiven;
    unsigned n = 0;
    int status;

    switch (result) {
    case ETM_ACCESS_OK:
        break;
    case ETM_ACCESS_IGNORED:
        return refused(p, number, ": the write was ignored");
    case ETM_ACCESS_ERROR:
        return refused(p, number, ": the write gave a bus error");
    case ETM_ACCESS_UNPREDICTABLE:
        return refused(p, number, ": the write is UNPREDICTABLE");
    case ETM_ACCESS_IMPOSSIBLE:
        return refused(p, number,
                       ": no power, or no such interface to write it by");
    }
    if (mistakes == 0)
        return ETM_OK;
    while ((mistakes >> n & 1) == 0)
        n++;
    status = refused(p, number, " = ");
    etm_diag_hex(p->diag, value);
    etm_diag_text(p->diag, ": ");
    etm_diag_text(p->diag, etm_mistake_text((enum etm_mistake)(1 << n)));
    return status;
}

static int write_one(struct programming *p, uint32_t number, uint32_t value)
{
    return write_but(p, number, value, 0);
}

static int read_one(struct programming *p, uint32_t number, uint32_t *value)
{
    enum etm_access_result result =
        etm_macrocell_read(p->macrocell, number, p->access, value);

    if (result != ETM_ACCESS_OK && result != ETM_ACCESS_IGNORED)
        return refused(p, number,
                       result == ETM_ACCESS_IMPOSSIBLE
                           ? ": no power, or no such interface to read it by"
                           : ": cannot be read");
    return ETM_OK;
}

/* Wait until ETMSR[1] is `set` (3.4.3). v1.0 and v1.1 do not have it. */
static int wait_for(struct programming *p, bool set)
{
    const struct etm_regfile *file = &p->macrocell->registers;
    uint32_t value = 0;
    int status = ETM_OK;

    if (file->version < ETM_V1_2)
        return ETM_OK;
    for (int i = 0; i < PATIENCE && status == ETM_OK; i++) {
        status = read_one(p, ETM_REG_SR, &value);
        if (status == ETM_OK && ((value & ETM_SR_PROGRAMMING) != 0) == set)
            return ETM_OK;
    }
    if (status != ETM_OK)
        return status;
    return refused(p, ETM_REG_SR, ": bit [1] does not follow ETMCR[10]");
}

/* Unlock and power up, so that the registers can be accessed. */
static int open_up(struct programming *p)
{
    const struct etm_regfile *file = &p->macrocell->registers;
    uint32_t value;
    int status = ETM_OK;

    if (file->version >= ETM_V3_2 && p->access == ETM_ACCESS_SOFTWARE)
        status = write_one(p, ETM_REG_LAR, KEY);
    /* Without OS lock there is no sticky bit either (doc/errata.md, E-401). */
    if ((file->flags[ETM_REG_OSLAR] & ETM_REG_EXISTS) == 0)
        return status;
    /* The sticky bit of ETMPDSR is cleared by reading it (3.5.25). */
    if (status == ETM_OK)
        status = read_one(p, ETM_REG_PDSR, &value);
    if (status == ETM_OK)
        status = write_one(p, ETM_REG_OSLAR, 0);
    return status;
}

/* What is beside the macrocell, before what uses it. */
static int write_beside(struct programming *p, const struct etm_setup *setup)
{
    int status = ETM_OK;

    for (size_t i = 0; i < setup->n && status == ETM_OK; i++)
        if (etm_register_beside(setup->values[i].number))
            status =
                write_one(p, setup->values[i].number, setup->values[i].value);
    return status;
}

/* Select another core, with power off so that the macrocell synchronizes to it;
 * the programming bit is in effect already (3.5.1, [27:25]). `cr` has the new
 * one after.
 */
static int select_core(struct programming *p, uint32_t *cr, uint32_t wanted)
{
    const uint32_t mask = ETM_CR_CORE_SELECT;
    int status = ETM_OK;

    if (p->macrocell->registers.version < ETM_V3_2 ||
        ((*cr ^ wanted) & mask) == 0)
        return ETM_OK;
    status = write_one(p, ETM_REG_CR, *cr | ETM_CR_POWER_DOWN);
    *cr = (*cr & ~mask) | (wanted & mask);
    if (status == ETM_OK)
        status = write_one(p, ETM_REG_CR, *cr | ETM_CR_POWER_DOWN);
    if (status == ETM_OK)
        status = write_one(p, ETM_REG_CR, *cr);
    return status == ETM_OK ? wait_for(p, true) : status;
}

int etm_setup_apply(const struct etm_setup *setup,
                    struct etm_macrocell *macrocell, enum etm_access access,
                    struct etm_diag *diag)
{
    struct programming p = {macrocell, access, diag};
    uint32_t cr, value;
    int status;

    if (!setup || !macrocell || setup->n > ETM_SETUP_CAPACITY)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "setup", "none given");
    (void)etm_macrocell_mistakes(macrocell);
    status = open_up(&p);
    if (status == ETM_OK)
        status = read_one(&p, ETM_REG_CR, &cr);
    if (status == ETM_OK)
        status = write_beside(&p, setup);
    if (status != ETM_OK)
        return status;
    /* Power first: without it, writes of all other bits may be dropped (3.5.1),
     * including the programming bit. */
    if ((cr & ETM_CR_POWER_DOWN) != 0) {
        cr &= ~(uint32_t)ETM_CR_POWER_DOWN;
        status = write_but(&p, ETM_REG_CR, cr, ETM_MISTAKE_CONTROL);
    }
    cr |= ETM_CR_PROGRAMMING;
    if (status == ETM_OK)
        status = write_one(&p, ETM_REG_CR, cr);
    if (status == ETM_OK)
        status = wait_for(&p, true);
    if (etm_setup_get(setup, ETM_REG_CR, &value) == ETM_OK) {
        if (status == ETM_OK)
            status = select_core(&p, &cr, value);
        cr = (value & ~(uint32_t)ETM_CR_POWER_DOWN) | ETM_CR_PROGRAMMING;
    }
    if (status == ETM_OK)
        status = write_one(&p, ETM_REG_CR, cr);
    for (size_t i = 0; i < setup->n && status == ETM_OK; i++) {
        uint32_t number = setup->values[i].number;
        uint8_t flags;

        if (etm_register_beside(number)) /* written before */
            continue;
        flags = macrocell->registers.flags[number];
        /* a dump has zeros for it, and Linux's driver writes them */
        if ((flags & ETM_REG_EXISTS) == 0 && setup->values[i].value == 0)
            continue;
        /* up to v3.0, counters and sequencer (3.4.4) */
        if ((flags & (ETM_REG_EXISTS | ETM_REG_WRITES)) == ETM_REG_EXISTS)
            continue;
        if (number != ETM_REG_CR && etm_setup_programmable(number))
            status = write_one(&p, number, setup->values[i].value);
    }
    if (status == ETM_OK)
        status = write_one(&p, ETM_REG_CR, cr & ~(uint32_t)ETM_CR_PROGRAMMING);
    if (status == ETM_OK)
        status = wait_for(&p, false);
    return status;
}

void etm_setup_print(struct etm_setup_text *out, const char *format, ...)
{
    size_t room = out->n < out->capacity ? out->capacity - out->n : 0;
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(room ? out->text + out->n : NULL, room, format, arguments);
    va_end(arguments);
    if (n > 0)
        out->n += (size_t)n;
}

/* A name of a file may have line feeds, and what ends a comment of C. */
void etm_setup_comment(struct etm_setup_text *out, const char *title)
{
    size_t left = strlen(title), length;

    for (char before = '\0'; left > 0; before = title[-1]) {
        bool plain;

        length = etm_character(title, left, &plain);
        length = length != 0 ? length : 1;
        etm_setup_print(out, "%s%.*s",
                        before == '*' && *title == '/' ? " " : "",
                        plain ? (int)length : 1, plain ? title : "?");
        title += length;
        left -= length;
    }
}
