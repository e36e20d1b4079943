/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of requests and registers (test/README.md): what files share. */
#ifndef TEST_SETUP_SCENARIO_H
#define TEST_SETUP_SCENARIO_H

#include "../support/case_words.h"
#include "../support/core.h"

#include <etm/setup.h>

#define MOST_REGISTERS 200u

/* A macrocell, and values of its registers. */
struct subject {
    struct etm_config config;
    struct etm_macrocell_config macrocell;
    struct etm_register registers[MOST_REGISTERS];
    struct etm_explain_config explain;
};

extern struct subject subject;

/* "v3.4", "pft1.1"; its place in the list of all, or that many. */
#define VERSIONS 14u
unsigned version_of(const char *word);

/* Are the first `n` bytes of a word this name? */
bool is_name(const char *name, const char *word, size_t n);

/* Hexadecimal, `always` or `never`, joined by '|'. */
bool number_of(const char *text, uint32_t *value);

/* The next word, from *at on: false, or a register and a value. */
bool register_word(char *word, uint32_t *number, uint32_t *value);

bool put(struct subject *s, uint32_t number, uint32_t value);

/* Nothing is asked for; what is asked has to be asked again. */
void request_begin(void);
void request_changes(void);

/* "NAME&MASK=VALUE", or "NAME=VALUE" for all bits */
bool register_mask(char *word, uint32_t *number, uint32_t *mask,
                   uint32_t *value);

/* The registers of the request, if there is a macrocell to ask, or those that
 * were read, and those that `reg` gave after it. */
bool setup_of(struct etm_setup *setup, struct etm_setup_script *script,
              const char *base);

/* The registers of the request as a script, to be freed; NULL: it cannot be
 * written, and *diag says why; `diag` NULL: that is wrong. */
char *script_text(enum etm_setup_format format, struct etm_diag *diag);
bool format_of(const char *word, enum etm_setup_format *format);

/* No chip, no text that was read; what was read, or NULL; what a script is to
 * have of the chip. */
void chip_begin(void);
const struct etm_setup *chip_setup(void);
void chip_script(struct etm_setup_script *script);

extern const struct verb request_verbs[], request_expected[], chip_verbs[],
    chip_expected[];

#endif
