/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chips: what each needs before trace comes out of it. Adding one is adding a
 * row to the table in chips.c, with the public document that has its values; a
 * value that none has is left out, and `unconfirmed` says so.
 */
#ifndef ETM_SETUP_CHIP_H
#define ETM_SETUP_CHIP_H

#include <etm/setup.h>

/* For which way out a write is needed. */
enum etm_chip_when {
    ETM_CHIP_1_PIN = 1,
    ETM_CHIP_2_PINS = 2,
    ETM_CHIP_4_PINS = 4,
    ETM_CHIP_2_OR_MORE = ETM_CHIP_2_PINS | ETM_CHIP_4_PINS,
    ETM_CHIP_PORT = ETM_CHIP_1_PIN | ETM_CHIP_2_OR_MORE,
    ETM_CHIP_SWO = 8,
    ETM_CHIP_PADS = ETM_CHIP_PORT | ETM_CHIP_SWO,
    ETM_CHIP_ETB = 16,
    ETM_CHIP_WAIT = 128 /* nothing is written: wait until it is so */
};

/* Bits of a register of the chip, to be changed; if `clear` is all ones, its
 * value. */
struct etm_chip_write {
    uint32_t address; /* from the base of the part */
    uint32_t clear, set;
    uint8_t when;     /* enum etm_chip_when */
    const char *name; /* of the register, as its manual has it */
    const char *why;
};

#define ETM_CHIP_PARTS 4u

struct etm_chip_row {
    struct etm_chip about;
    /* What names of its chips begin with, separated by blanks; with a dot at
     * the end, whole names. */
    const char *names;
    struct etm_chip_part {
        const struct etm_chip_write *writes; /* in this order */
        size_t n;
        uint32_t base; /* of what the writes are to */
    } parts[ETM_CHIP_PARTS];
    uint32_t etb, funnel; /* addresses; 0: there is none, or it is not known */
    uint8_t etm_port, itm_port; /* inputs of the funnel, by bit */
    uint32_t clock;             /* of the TPIU in Hz, where it does not depend
                                   on the program; 0: it does */
};

/* The row of a chip of the table; NULL for NULL and for any other. */
const struct etm_chip_row *etm_chip_row(const struct etm_chip *chip);

#endif
