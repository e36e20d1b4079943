/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a script does, one step after the other, whatever its language: the
 * functions here give the steps, and forms.c prints them.
 *
 *   steps.c  the macrocell, by the procedure of 3.4.3
 *   path.c   the rest of the chip, and reading a buffer out
 *   forms.c  steps as text
 */
#ifndef ETM_SETUP_STEPS_H
#define ETM_SETUP_STEPS_H

#include "setup/setup.h"

enum etm_step_kind {
    ETM_STEP_SECTION, /* what the next ones are for: `why` */
    ETM_STEP_WRITE,
    ETM_STEP_CHANGE, /* clear the bits of `mask`, then set those of `value` */
    ETM_STEP_WAIT,   /* until the bits of `mask` are `value` */
    ETM_STEP_READ,   /* for its effect */
    ETM_STEP_DRAIN_ETB, /* read the buffer at `address` into a file */
    ETM_STEP_DRAIN_TMC,
    ETM_STEP_CAPTURE_SWO /* `value` baud of a clock of `mask` Hz; bypass of the
                            formatter if there is an `address` */
};

struct etm_step {
    enum etm_step_kind kind;
    uint32_t address, mask, value;
    const char *name; /* of the register */
    const char *why;  /* NULL: the name says it */
};

struct etm_steps {
    void (*take)(struct etm_steps *steps, const struct etm_step *step);
    bool no_setup; /* the registers of the setup are given in another way */
};

void etm_steps_section(struct etm_steps *s, const char *why);
void etm_steps_write(struct etm_steps *s, uint32_t address, uint32_t value,
                     const char *name, const char *why);
void etm_steps_change(struct etm_steps *s, const struct etm_step *bits);
void etm_steps_wait(struct etm_steps *s, const struct etm_step *bits);

/* Whether the macrocell's registers are in memory; else only JTAG remains. */
bool etm_script_by_memory(const struct etm_setup_script *script);

/* The address of ETMCR; by JTAG 0, so that an address is four times the number
 * of a register. */
uint32_t etm_script_base(const struct etm_setup_script *script);

/* The registers beside the macrocell (etm_register_beside()). */
void etm_steps_beside(struct etm_steps *s, const struct etm_setup *setup);

/* Unlock the macrocell and set its programming bit: it stops. */
void etm_steps_stop(struct etm_steps *s, const struct etm_setup_script *script);

/* After that: all values, then clear the programming bit and lock. */
void etm_steps_program(struct etm_steps *s, const struct etm_setup *setup,
                       const struct etm_setup_script *script);

/* path.c: a script with a path; check first. */
int etm_path_check(const struct etm_setup_script *script,
                   struct etm_diag *diag);
void etm_path_steps(struct etm_steps *s, const struct etm_setup *setup,
                    const struct etm_setup_script *script);

/* forms.c: a script, or what comes before the table. */
int etm_form_write(enum etm_setup_format format, const struct etm_setup *setup,
                   const struct etm_setup_script *script,
                   struct etm_setup_text *out, struct etm_diag *diag);

#endif
