/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saving and restoring the trace registers through ETMOSSRR (3.5.24, 3.8). The
 * number, order and meaning of the words are the macrocell's own; here they are
 * the registers that exist in the order of table 3-87, those of later versions
 * after them, and a word for what no register shows.
 */
#include "model/registers.h"

/* Instead of a register number: the state items written while the programming
 * bit was set (3.4.4). */
#define HIDDEN 0xffffu

/* Ranges of table 3-87, then what it leaves out because its versions had none,
 * but which would be lost. */
static const struct {
    uint16_t first, last;
} ranges[] = {
    {0x000, 0x000}, {0x002, 0x004}, {0x006, 0x06f},
    {0x078, 0x078}, {0x07b, 0x07b}, {0x080, 0x080},
    {0x070, 0x070}, {0x07c, 0x07f}, {0x090, 0x090},
};

void etm_regfile_saved_set(struct etm_regfile *r)
{
    r->saved_count = 0;
    if ((r->flags[ETM_REG_OSSRR] & ETM_REG_EXISTS) == 0)
        return;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        for (uint16_t n = ranges[i].first; n <= ranges[i].last; n++) {
            if ((r->flags[n] & ETM_REG_EXISTS) != 0)
                r->saved[r->saved_count++] = n;
        }
    }
    r->saved[r->saved_count++] = HIDDEN;
}

static enum etm_access_result misused(struct etm_regfile *r)
{
    r->mistakes |= ETM_MISTAKE_OS_SAVE_RESTORE;
    return ETM_ACCESS_UNPREDICTABLE;
}

enum etm_access_result etm_regfile_save(struct etm_regfile *r, uint32_t *value)
{
    uint16_t number;

    switch ((enum etm_ossrr_state)r->ossrr_state) {
    case ETM_OSSRR_FIRST:
        r->ossrr_state = ETM_OSSRR_READY;
        r->ossrr_index = 0;
        *value = r->saved_count;
        return ETM_ACCESS_OK;
    case ETM_OSSRR_READY:
    case ETM_OSSRR_SAVE:
        break;
    case ETM_OSSRR_RESTORE:
        return misused(r);
    }
    if (r->ossrr_index == r->saved_count)
        return misused(r);
    r->ossrr_state = ETM_OSSRR_SAVE;
    number = r->saved[r->ossrr_index++];
    *value = number == HIDDEN ? r->kept : r->value[number];
    return ETM_ACCESS_OK;
}

/* Set a register to a restored word, reduced to a possible value, without the
 * effects of a write. */
static void put_back(struct etm_regfile *r, uint16_t number, uint32_t value)
{
    uint32_t mask = r->writable[number];

    if (number == ETM_REG_SR)
        mask |= ETM_SR_OVERFLOW; /* read-only, but it would be lost */
    if (number == ETM_REG_SQR && (value & 3) == 3)
        value = 0;
    if (number == ETM_REG_FFLR) {
        if (r->config.fifo_level_ignored || value > r->fifo_size)
            value = r->fifo_size;
    }
    r->value[number] = (r->value[number] & ~mask) | (value & mask);
}

enum etm_access_result etm_regfile_restore(struct etm_regfile *r,
                                           uint32_t value)
{
    uint16_t number;

    switch ((enum etm_ossrr_state)r->ossrr_state) {
    case ETM_OSSRR_READY:
    case ETM_OSSRR_RESTORE:
        break;
    case ETM_OSSRR_FIRST:
    case ETM_OSSRR_SAVE:
        return misused(r);
    }
    if (r->ossrr_index == r->saved_count)
        return misused(r);
    r->ossrr_state = ETM_OSSRR_RESTORE;
    number = r->saved[r->ossrr_index++];
    if (number == HIDDEN)
        r->kept = (uint8_t)value;
    else
        put_back(r, number, value);
    r->generation++;
    return ETM_ACCESS_OK;
}
