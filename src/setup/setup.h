/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files about setups. */
#ifndef ETM_SETUP_SETUP_H
#define ETM_SETUP_SETUP_H

#include <etm/setup.h>

/* Whether there can be such a register, in the macrocell or beside it. */
bool etm_setup_known(uint32_t number);

/* Whether a register of the macrocell is programmed: not if it identifies the
 * macrocell, and not a management register. */
bool etm_setup_programmable(uint32_t number);

/* The name of one of the features that these bits of ETMCR switch on, such as
 * "timestamps", and without its bits in *bits; NULL if there is none. */
const char *etm_control_feature(uint32_t *bits);

/* Growing text in a buffer of the caller; `n` also counts what does not fit. */
struct etm_setup_text {
    char *text;
    size_t capacity;
    size_t n;
};

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void etm_setup_print(struct etm_setup_text *out, const char *format, ...);

/* Whether the setup has registers beside the macrocell. */
bool etm_setup_any_beside(const struct etm_setup *setup);

/* A title that is one line of comment, whatever is in it. */
void etm_setup_comment(struct etm_setup_text *out, const char *title);

/* sysfs.c: the setup as commands for the driver; and one such command, `name`
   being the attribute and `value` what is written to it. */
struct etm_setup_sysfs {
    uint32_t address, counter, context; /* the indexes written last */
};

int etm_setup_write_sysfs(const struct etm_setup *setup,
                          const struct etm_setup_script *script,
                          struct etm_setup_text *out, struct etm_diag *diag);

/* Whether the driver has this attribute. */
bool etm_setup_is_sysfs(const char *name);

/* NULL if it is understood, otherwise what is wrong with it. */
const char *etm_setup_read_sysfs(struct etm_setup *setup,
                                 struct etm_setup_sysfs *state,
                                 const char *name, const char *value);

#endif
