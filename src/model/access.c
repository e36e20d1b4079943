/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading and writing registers through the interfaces of the macrocell, and
 * which accesses power and locks permit (3.2, 3.9).
 */
#include "model/registers.h"

/* Unlocks ETMLAR (3.5.28) and locks ETMOSLAR (3.5.24). */
#define KEY 0xc5acce55u

/* Whether the access is by a debugger in the sense of ETMCR[23:22]. A debugger
 * that makes the halted core use CP14 counts as software (3.2.1). */
static bool by_debugger(enum etm_access access)
{
    switch (access) {
    case ETM_ACCESS_DEBUGGER:
    case ETM_ACCESS_JTAG:
        return true;
    case ETM_ACCESS_SOFTWARE:
    case ETM_ACCESS_COPROCESSOR:
    case ETM_ACCESS_COPROCESSOR_USER:
        break;
    }
    return false;
}

/* Whether the CoreSight lock applies to this access, and is set (3.5.28). */
static bool locked(const struct etm_regfile *r, enum etm_access access)
{
    return access == ETM_ACCESS_SOFTWARE && r->lock;
}

/* Does the interface exist, and does it lead to this register (3.2)? */
static enum etm_access_result reach(const struct etm_regfile *r,
                                    uint32_t number, enum etm_access access)
{
    bool there = false;

    switch (access) {
    case ETM_ACCESS_SOFTWARE:
    case ETM_ACCESS_DEBUGGER:
        there = (r->interfaces & ETM_INTERFACE_MEMORY) != 0;
        break;
    case ETM_ACCESS_COPROCESSOR:
        there = (r->interfaces & ETM_INTERFACE_COPROCESSOR) != 0;
        /* Up to v3.2 the other registers have no encoding (3.2.2). */
        if (there && r->version < ETM_V3_3 && number >= 0x80)
            return ETM_ACCESS_UNPREDICTABLE;
        break;
    case ETM_ACCESS_COPROCESSOR_USER:
        if ((r->interfaces & ETM_INTERFACE_COPROCESSOR) != 0)
            return ETM_ACCESS_ERROR;
        break;
    case ETM_ACCESS_JTAG:
        /* Seven bits of address; with the core, the TAP has no power
           (3.2.1, 3.9.3). */
        there = (r->interfaces & ETM_INTERFACE_JTAG) != 0 && number < 0x80 &&
                r->core_power;
        break;
    }
    return there && number < ETM_REGISTERS ? ETM_ACCESS_OK
                                           : ETM_ACCESS_IMPOSSIBLE;
}

/*
 * Tables 3-88 to 3-97. The last rows of 3-94 and 3-95 let software write
 * ETMOSLAR and other management registers although the lock is set; the tables
 * for two power domains do not, nor does 3.5.28: they are not followed. ETMv3.5
 * and PFT 1.1: the OS lock keeps debuggers out, and software restores the
 * registers after it (IHI 0035B, table 3.93).
 */
static enum etm_access_result
permission(const struct etm_regfile *r, uint32_t number, enum etm_access access)
{
    enum etm_access_result result = reach(r, number, access);
    enum etm_access_result ok = ETM_ACCESS_OK;
    bool by_hand = etm_version_saves_by_hand(r->version);

    if (result != ETM_ACCESS_OK || access == ETM_ACCESS_JTAG)
        return result;
    if (!r->debug_power || (r->version < ETM_V3_3 && !r->core_power))
        return ETM_ACCESS_IMPOSSIBLE;
    if (locked(r, access))
        ok = ETM_ACCESS_IGNORED;
    if (number == ETM_REG_OSSRR && by_hand)
        return ETM_ACCESS_UNPREDICTABLE;
    /* The tables say nothing about registers that do not exist. */
    if ((r->flags[number] & ETM_REG_EXISTS) == 0)
        return ETM_ACCESS_OK;
    switch (number) {
    case ETM_REG_LAR:
    case ETM_REG_PDSR:
    case ETM_REG_OSLSR:
        return ETM_ACCESS_OK;
    case ETM_REG_OSLAR:
        if (!r->core_power)
            return by_hand ? ETM_ACCESS_ERROR : ETM_ACCESS_UNPREDICTABLE;
        return ok;
    case ETM_REG_OSSRR:
        if (!r->core_power || r->sticky || !r->os_lock)
            return ETM_ACCESS_UNPREDICTABLE;
        return ok;
    }
    if ((r->flags[number] & ETM_REG_MANAGEMENT) != 0)
        return ok;
    if (!r->core_power ||
        (by_hand ? r->os_lock && by_debugger(access) : r->sticky || r->os_lock))
        return ETM_ACCESS_ERROR;
    return ok;
}

/* ETMPDSR (table 3-56); reading it clears the sticky bit. */
static uint32_t read_power(struct etm_regfile *r, enum etm_access access)
{
    uint32_t value = (uint32_t)r->core_power | (uint32_t)r->sticky << 1;

    /* [5] of v3.5 and PFT 1.1 is ETMOSLSR[1] */
    if (etm_version_saves_by_hand(r->version) && r->core_power)
        value |= (uint32_t)r->os_lock << 5;
    if (r->core_power && !locked(r, access))
        r->sticky = false;
    return value;
}

/* The value of a register that may be read. */
static uint32_t fetch(struct etm_regfile *r, uint32_t number,
                      enum etm_access access)
{
    switch (number) {
    case ETM_REG_SR:
        return etm_regfile_status(r);
    case ETM_REG_SCR:
        return etm_regfile_system(r);
    case ETM_REG_OSLSR:
        return (etm_version_saves_by_hand(r->version) ? 8u : 1u) |
               (uint32_t)r->os_lock << 1;
    case ETM_REG_PDSR:
        return read_power(r, access);
    case ETM_REG_CLAIMSET:
        return 0xff; /* how many bits the tag has (3.5.27) */
    case ETM_REG_LSR:
        /* Table 3-62: an access to which the lock does not apply sees none. */
        if (access != ETM_ACCESS_SOFTWARE)
            return 0;
        return 1 | (uint32_t)r->lock << 1;
    case ETM_REG_AUTHSTATUS:
        return etm_regfile_auth(r);
    }
    return r->value[number];
}

enum etm_access_result etm_regfile_read(struct etm_regfile *r, uint32_t number,
                                        enum etm_access access, uint32_t *value)
{
    enum etm_access_result result = permission(r, number, access);

    *value = 0;
    if (number == ETM_REG_OSSRR && result == ETM_ACCESS_UNPREDICTABLE)
        r->mistakes |= ETM_MISTAKE_OS_SAVE_RESTORE;
    if (result != ETM_ACCESS_OK && result != ETM_ACCESS_IGNORED)
        return result;
    if ((r->flags[number] & ETM_REG_EXISTS) == 0)
        return ETM_ACCESS_OK; /* reads as zero (3.2.2, 3.2.3) */
    if ((r->flags[number] & ETM_REG_READS) == 0) {
        /* ETMOSLAR and ETMLAR read as zero by their description. */
        if (number < ETM_REG_OSLAR)
            r->mistakes |= ETM_MISTAKE_WRITE_ONLY;
        return ETM_ACCESS_OK;
    }
    if (number == ETM_REG_OSSRR)
        return result == ETM_ACCESS_OK ? etm_regfile_save(r, value) : result;
    *value = fetch(r, number, access);
    return ETM_ACCESS_OK;
}

/* The locks themselves; whether `number` is one. */
static bool write_lock(struct etm_regfile *r, uint32_t number,
                       enum etm_access access, uint32_t value)
{
    if (number == ETM_REG_LAR) {
        if (access == ETM_ACCESS_SOFTWARE)
            r->lock = value != KEY;
        return true;
    }
    if (number == ETM_REG_OSLAR) {
        r->os_lock = value == KEY;
        r->ossrr_state = ETM_OSSRR_FIRST;
        r->generation++;
        return true;
    }
    return false;
}

/*
 * ETMCR[23:22] (3.5.1). The locks are exempt: otherwise an operating system
 * that restores an ETMCR with [23] set could neither finish nor unlock.
 */
static bool write_disabled(const struct etm_regfile *r, uint32_t number,
                           bool debugger)
{
    uint32_t bit =
        debugger ? ETM_CR_NO_DEBUGGER_WRITES : ETM_CR_NO_SOFTWARE_WRITES;

    return (r->value[ETM_REG_CR] & bit) != 0 && number != ETM_REG_LAR &&
           number != ETM_REG_OSLAR && number != ETM_REG_OSSRR;
}

enum etm_access_result etm_regfile_write(struct etm_regfile *r, uint32_t number,
                                         enum etm_access access, uint32_t value)
{
    enum etm_access_result result = permission(r, number, access);

    if (number == ETM_REG_OSSRR && result == ETM_ACCESS_UNPREDICTABLE)
        r->mistakes |= ETM_MISTAKE_OS_SAVE_RESTORE;
    if (result != ETM_ACCESS_OK)
        return result;
    if (write_disabled(r, number, by_debugger(access)))
        return ETM_ACCESS_IGNORED;
    if ((r->flags[number] & ETM_REG_EXISTS) == 0) {
        r->mistakes |= ETM_MISTAKE_RESERVED_REGISTER;
        return ETM_ACCESS_OK;
    }
    if ((r->flags[number] & ETM_REG_WRITES) == 0) {
        r->mistakes |= ETM_MISTAKE_READ_ONLY;
        return ETM_ACCESS_OK;
    }
    if (number == ETM_REG_OSSRR)
        return etm_regfile_restore(r, value);
    if (!write_lock(r, number, access, value))
        etm_regfile_store(r, number, by_debugger(access), value);
    return ETM_ACCESS_OK;
}

uint32_t etm_regfile_coprocessor(const struct etm_regfile *r, unsigned crn,
                                 unsigned crm, unsigned opc2)
{
    unsigned last = r->version < ETM_V3_3 ? 0 : 7;

    if (crn > last || crm > 15 || opc2 > 7)
        return ETM_REGISTER_NONE;
    return crn << 7 | opc2 << 4 | crm;
}
