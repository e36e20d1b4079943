/* SPDX-License-Identifier: Apache-2.0 */
/* Names and source lines of the traced program. */
#ifndef ETM_SYMBOL_H
#define ETM_SYMBOL_H

#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands at an address. */
struct etm_symbol {
    const char *name; /* static as long as the session is */
    uint32_t offset;  /* address minus the symbol's */
    uint32_t size;    /* of the symbol in bytes; 0: not known */
};

/* The line of the source file that an instruction came from. */
struct etm_source_line {
    const char *file; /* static as long as the session is */
    const char *text; /* the line itself; NULL: not at hand */
    uint32_t line;    /* counted from 1 */
};

/*
 * How an output asks for names: `context` is handed through. Each returns
 * whether it knows the address. They are asked once for each new address, not
 * once for each instruction.
 */
struct etm_names {
    bool (*symbol)(void *context, uint32_t address, struct etm_symbol *symbol);
    bool (*line)(void *context, uint32_t address, struct etm_source_line *line);
    void *context;
};

#ifdef __cplusplus
}
#endif
#endif
