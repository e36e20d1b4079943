/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios of requests and registers (test/README.md): what files share. */
#ifndef TEST_SETUP_SCENARIO_H
#define TEST_SETUP_SCENARIO_H

#include "../support/cases.h"
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
extern const char *const versions[VERSIONS];
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

/* A line about a request; `known`: there is such a line. */
bool request_line(struct words *w, bool *known);
bool expect_of_request(struct words *w, bool *known);

#endif
