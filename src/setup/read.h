/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading texts with registers, from the ground up:
 *
 *   line.c         words and numbers
 *   read_store.c   what the text says about registers, and where they are
 *   read_number.c  what people call the registers
 *   read_define.c  names that the text defines
 *   read_value.c   expressions
 *   read_assign.c  statements that write memory
 *   read_write.c   commands that do
 *   read_memory.c  memory as debuggers list it
 *   read_names.c   lines with the name of a register and its value
 *   read_echo.c    the files of Linux's driver
 *   read_source.c  C: statements and definitions
 *   read.c         lines, and which of these forms they have
 *
 * A text is read three times. At first its macros and procedures are found,
 * then what kind of text it is and which addresses in it are those of the
 * macrocell, and in the end the values.
 */
#ifndef ETM_SETUP_READ_H
#define ETM_SETUP_READ_H

#include "setup/line.h"
#include "setup/setup.h"

#include "model/registers.h"

/* Size of the memory of a macrocell's registers, and its alignment. */
#define ETM_READ_FRAME 0x1000u

/* What a line was. */
enum etm_read_result {
    ETM_READ_TAKEN,
    ETM_READ_OTHER, /* it has not this form */
    ETM_READ_WRONG  /* it has, but with a mistake: the diag says which */
};

/* How a text gives a value. */
enum etm_read_way {
    ETM_READ_NAMED,  /* a list with the names of registers */
    ETM_READ_LISTED, /* what was read from memory */
    ETM_READ_WRITTEN /* what a script writes */
};

enum etm_read_known {
    ETM_READ_KNOWN,
    ETM_READ_UNKNOWN,   /* depends on what is read from the hardware */
    ETM_READ_UNDEFINED, /* on a name that the text does not define */
    ETM_READ_AMBIGUOUS  /* a number that may be octal, decimal or hexadecimal */
};

/* Where an expression is stored. */
enum etm_read_at { ETM_READ_AT_NONE, ETM_READ_AT_MEMORY, ETM_READ_AT_REGISTER };

struct etm_value {
    uint32_t number; /* the value, or the place: an address or a number */
    enum etm_read_known known; /* not: `number` is without meaning */
    enum etm_read_at place;
    uint8_t scale;        /* a pointer: the size of what it points to; else 0 */
    struct etm_span word; /* why it is not known */
};

/* A variable, a macro, or a procedure. */
struct etm_read_name {
    char name[40];
    uint8_t length;
    char parameters[80]; /* separated by commas or blanks */
    char body[160];      /* a macro: what it stands for */
    const char *text;    /* a procedure: its lines, up to `end` */
    const char *end;
    struct etm_value value;
    char word[40]; /* of the value */
    bool macro, source;
    bool called; /* a procedure: somewhere in the text */
};

#define ETM_READ_NAMES 512
#define ETM_READ_FRAMES 64
#define ETM_READ_VAGUE 64

struct etm_reader {
    struct etm_setup *setup;
    struct etm_setup_listing *about;
    struct etm_diag *diag; /* never NULL */
    uint64_t line;
    bool survey; /* not the last time */

    /* What the text is. */
    bool script;   /* commands, of which not all are about the macrocell */
    bool terminal; /* commands and answers */
    bool source;   /* C */
    bool array;    /* ... of which only a list of numbers and values counts */
    bool devices;  /* a snapshot's file: registers are only in [regs] */
    bool inside;   /* ... and this is the current section */
    bool prose;    /* a print in words, of which not all are understood */
    bool comment;  /* of C, over several lines */

    /* Numbers without 0x in lists of names. */
    bool with_0x, with_letters, of_eight;

    /* Blocks of memory. */
    struct etm_read_frame {
        uint32_t base;
        uint32_t sum;    /* of its contents */
        bool programs;   /* the programming bit, and other registers */
        bool control;    /* ... that bit */
        bool identified; /* ETMIDR, ETMDEVTYPE */
        bool other;      /* ... and it is another block */
    } frames[ETM_READ_FRAMES];
    size_t n_frames;
    uint32_t frame; /* that of the macrocell, or ETM_READ_NO_FRAME */
    uint32_t accesses;

    /* Registers whose last value is not known. */
    struct etm_read_vague {
        uint32_t number;
        enum etm_read_known known;
        uint64_t line;
        char word[40];
    } vague[ETM_READ_VAGUE];
    size_t n_vague;

    /* What is passed over. */
    uint32_t elsewhere;  /* accesses to other blocks */
    uint32_t other;      /* ... one of these */
    uint32_t nowhere;    /* accesses to addresses that are not known */
    char nowhere_at[40]; /* ... because of this name */

    /* A place that a command reads, whose value the next line has. */
    struct etm_value awaited;
    bool awaits;

    struct etm_setup_sysfs sysfs, listed;
    char device[80];        /* the directory of Linux's driver */
    bool devices_elsewhere; /* ... and there are others */

    struct etm_read_name names[ETM_READ_NAMES];
    size_t n_names;
    unsigned depth;          /* of an expression */
    unsigned steps;          /* of an expression that are left */
    unsigned long all_steps; /* ... of all of them */

    /* Reads a part of the text, for procedures. */
    enum etm_read_result (*run)(struct etm_reader *r, const char *text,
                                const char *end);
    unsigned calls; /* of procedures, one in another */
    unsigned runs;  /* of lines of procedures that are left */
};

#define ETM_READ_CALLS 8

#define ETM_READ_NO_FRAME 1u

/* read_store.c */

/* A mistake in this line: `what`, and the word that is wrong if n is not 0.
 * Returns ETM_READ_WRONG. */
enum etm_read_result etm_read_wrong(struct etm_reader *r, const char *what,
                                    struct etm_span word);

/* A register has this value. */
enum etm_read_result etm_read_register(struct etm_reader *r, uint32_t number,
                                       struct etm_value value,
                                       enum etm_read_way source);

/* Memory has this value. */
enum etm_read_result etm_read_access(struct etm_reader *r, uint32_t address,
                                     struct etm_value value,
                                     enum etm_read_way source);

/* One of both, or memory at an address that is not known. */
enum etm_read_result etm_read_place(struct etm_reader *r,
                                    struct etm_value place,
                                    struct etm_value value,
                                    enum etm_read_way source);

/* What has been stored there, or unknown. */
struct etm_value etm_read_stored(const struct etm_reader *r,
                                 struct etm_value place);

/* Before the last time: choose the block of the macrocell. WRONG: it may be one
 * of several. */
enum etm_read_result etm_read_choose(struct etm_reader *r);

/* In the end: leave out what is not known, and say so. */
enum etm_read_result etm_read_finish(struct etm_reader *r);

/* read_number.c */

/* The register that people call so, or the first one of an array;
 * ETM_REGISTER_NONE. */
uint32_t etm_read_number(struct etm_span name);
uint32_t etm_read_array(struct etm_span name);

/* The register in C: `ETM->CR`, `etm.ACVR`, `ETMCR`. The name of an array is
 * that of its first register. */
uint32_t etm_read_path(struct etm_span path);

/* read_define.c */

void etm_read_define(struct etm_reader *r, struct etm_span name,
                     struct etm_value value);
struct etm_read_name *etm_read_find(struct etm_reader *r, struct etm_span name);

/* A further name, which hides others; NULL: it is too long, or there are too
 * many. */
struct etm_read_name *etm_read_push(struct etm_reader *r, struct etm_span name);

/* The parameters of a macro or procedure as variables, with the values of the
 * arguments; n_names is to be restored after it. */
void etm_read_bind(struct etm_reader *r, const char *parameters,
                   const struct etm_value *arguments, size_t n);

/* ... with values that are not known. */
void etm_read_bind_none(struct etm_reader *r, const char *parameters);

/* Read the lines of a procedure with these arguments: OTHER if nothing in them
 * writes memory. */
enum etm_read_result etm_read_run(struct etm_reader *r,
                                  struct etm_read_name *procedure,
                                  const struct etm_value *arguments, size_t n);

/* A constant that texts use without a definition. */
bool etm_read_constant(struct etm_span name, uint32_t *value);

/* read_value.c */

/* The value of an expression; numbers without 0x have `base`, or are those of C
 * if it is 0. */
struct etm_value etm_read_value(struct etm_reader *r, const char *text,
                                unsigned base);

/* Where an expression is stored. */
struct etm_value etm_read_lvalue(struct etm_reader *r, const char *text);

/* read_assign.c */

/* An assignment or a call. */
enum etm_read_result etm_read_statement(struct etm_reader *r, const char *text);

/* Whether an `=` in a text assigns. */
bool etm_read_assigns(const char *text);

/* read_write.c */
enum etm_read_result etm_read_command(struct etm_reader *r, const char *line);

/* read_memory.c */
enum etm_read_result etm_read_memory(struct etm_reader *r, const char *line);

/* A command that reads; what it asks for may be in the next line. */
enum etm_read_result etm_read_query(struct etm_reader *r, const char *line);

/* ... a value alone. */
enum etm_read_result etm_read_answer(struct etm_reader *r, const char *line);

/* read_names.c */
enum etm_read_result etm_read_named(struct etm_reader *r, const char *line);
enum etm_read_result etm_read_prose(struct etm_reader *r, const char *line);

/* read_echo.c */
enum etm_read_result etm_read_echo(struct etm_reader *r, const char *line);
enum etm_read_result etm_read_attribute(struct etm_reader *r, const char *line);

/* read_source.c */
enum etm_read_result etm_read_source(struct etm_reader *r, const char *text,
                                     const char *end);
#endif
