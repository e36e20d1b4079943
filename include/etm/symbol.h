/* SPDX-License-Identifier: Apache-2.0 */
/* Names and source lines of the traced program. */
#ifndef ETM_SYMBOL_H
#define ETM_SYMBOL_H

#include <etm/status.h>
#include <etm/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The symbol at an address. */
struct etm_symbol {
    const char *name; /* valid as long as the session or etm_symbols */
    uint32_t offset;  /* address minus the symbol's address */
    uint32_t size;    /* of the symbol in bytes; 0: not known */
    uint64_t reserve[2];
};

/* The line of the source file that an instruction came from. */
struct etm_source_line {
    const char *file; /* valid as long as the session */
    const char *text; /* the text of the line; NULL: not available */
    uint32_t line;    /* counted from 1 */
    uint64_t reserve[2];
};

/* A stretch of code that came from one line. */
struct etm_line_range {
    const char *file; /* valid as long as the session */
    uint32_t line;    /* counted from 1 */
    uint32_t start;
    uint32_t end; /* exclusive */
};

/* A function of the program. */
struct etm_function {
    const char *name; /* valid as long as the session */
    uint32_t address; /* without the Thumb bit */
    uint32_t size;    /* bytes; 0: not known */
};

/* Called for each line range or function, which is valid only during the call.
 * A return value other than 0 stops, and is returned. */
typedef int etm_line_fn(void *context, const struct etm_line_range *line);
typedef int etm_function_fn(void *context, const struct etm_function *function);

/*
 * How an output looks up names. `context` is passed to all functions. `symbol`
 * and `line` return whether they know the address; they are called once for
 * each new address, not for each instruction. `lines` and `functions` call `fn`
 * for all that there are, and return ETM_OK, what `fn` returned, or another
 * error; only what needs all of them, such as a tracefile of lcov, calls these.
 */
struct etm_names {
    bool (*symbol)(void *context, uint32_t address, struct etm_symbol *symbol);
    bool (*line)(void *context, uint32_t address, struct etm_source_line *line);
    void *context;
    int (*lines)(void *context, etm_line_fn *fn, void *fn_context);
    int (*functions)(void *context, etm_function_fn *fn, void *fn_context);
};

/* The symbols of one ELF file, without a capture. */
struct etm_symbols;

/*
 * Open an ELF file for 32-bit Arm. On success *symbols is owned by the caller;
 * on failure it is NULL. `allocator` is copied; NULL: malloc. ETM_ERR_ARGUMENT;
 * ETM_ERR_IO; ETM_ERR_FORMAT; ETM_ERR_UNSUPPORTED: built without elfutils;
 * ETM_ERR_MEMORY.
 */
int etm_symbols_open(struct etm_symbols **symbols, const char *path,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag);

/* Accepts NULL. The names become invalid. */
void etm_symbols_free(struct etm_symbols *symbols);

/* Find the function or label that `address` belongs to. Returns whether there
 * is one. */
bool etm_symbols_at(struct etm_symbols *symbols, uint32_t address,
                    struct etm_symbol *symbol);

/*
 * Find the function or label of that name: its address without the Thumb bit,
 * its size in bytes (0: not known) and its instruction set. `size` and `isa`
 * may be NULL. A global one is preferred to a local one; of several, the one at
 * the lowest address is found. Returns whether there is one.
 */
bool etm_symbols_find(struct etm_symbols *symbols, const char *name,
                      uint32_t *address, uint32_t *size, enum etm_isa *isa);

/* How many there are to choose from, as static functions of several files: 0 or
 * 1; more where none of that name is global. */
size_t etm_symbols_count(struct etm_symbols *symbols, const char *name);

/*
 * Add the file's code to an image, which borrows the bytes: the image must be
 * freed before the symbols. ETM_ERR_MEMORY; ETM_ERR_UNSUPPORTED.
 */
struct etm_image;
int etm_symbols_code(const struct etm_symbols *symbols,
                     struct etm_image *image);

/* Find the variable of that name: its address, and its size in bytes (0: not
 * known). Returns whether there is one. */
bool etm_symbols_variable(struct etm_symbols *symbols, const char *name,
                          uint32_t *address, uint32_t *size);

#ifdef __cplusplus
}
#endif
#endif
