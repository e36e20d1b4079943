/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random programs whose every instruction is known without decoding it: the
 * tests' own idea of the code, independent of src/isa.
 */
#ifndef TEST_SUPPORT_PROGRAM_H
#define TEST_SUPPORT_PROGRAM_H

#include "random.h"

#include <etm/config.h>
#include <etm/decode.h>

/* What an instruction does to the flow. */
enum slot_class {
    SLOT_OTHER,
    SLOT_DIRECT,
    SLOT_INDIRECT,
    SLOT_ISB,
    SLOT_DSB_DMB
};

enum slot_flag {
    SLOT_CONDITIONAL = 1 << 0, /* may fail its condition */
    SLOT_LINK = 1 << 1,
    SLOT_RETURN = 1 << 2,
    SLOT_EXCEPTION_RETURN = 1 << 3,
    SLOT_INTERWORKS = 1 << 4, /* may change between ARM and Thumb */
    SLOT_TO_JAZELLE = 1 << 5,
    SLOT_SVC = 1 << 6,
    SLOT_SMC = 1 << 7,
    SLOT_HVC = 1 << 8,
    SLOT_BKPT = 1 << 9,
    SLOT_UDF = 1 << 10,
    SLOT_IN_IT = 1 << 11 /* never a target */
};

struct slot {
    uint32_t address;
    uint32_t opcode; /* 32-bit Thumb: first halfword high; Jazelle: first byte
                        low */
    uint8_t isa;     /* enum etm_isa */
    uint8_t size;
    uint8_t class;   /* enum slot_class */
    uint8_t encoder; /* of direct branches, see program.c */
    uint16_t flags;
    uint16_t target; /* direct: slot */
};

#define PROGRAM_SLOTS 6000u
#define PROGRAM_REGIONS 10u
#define NO_SLOT 0xffffu
#define VECTORS 8u /* the first slots, but with the M profile */

struct region {
    uint32_t address;
    uint32_t size;
    uint16_t first, n; /* slots */
    uint8_t isa;
    bool vectors; /* one ARM branch for each exception vector; of ETMv1 and
                     ETMv2 an indirect one, and at 0xffff0000 if they are high
                   */
};

struct program {
    const struct etm_config *config;
    struct slot slots[PROGRAM_SLOTS];
    unsigned n_slots;
    struct region regions[PROGRAM_REGIONS];
    unsigned n_regions;
    uint8_t bytes[PROGRAM_SLOTS * 5];
};

/* Make a program for a configuration, which it borrows. */
void program_make(struct program *program, const struct etm_config *config,
                  struct random *r);

/* Its code as an image; the bytes are borrowed. Fails the test on errors. */
struct etm_image *program_image(const struct program *program);

/* The slot at an address, or NULL. */
const struct slot *program_at(const struct program *program, uint32_t address,
                              enum etm_isa isa);

/* A random slot of an instruction set, or NO_SLOT. */
unsigned program_any(const struct program *program, struct random *r,
                     enum etm_isa isa);

/* The ARM slot at an exception vector (offset 0 to 0x1c), or NO_SLOT. */
unsigned program_vector(const struct program *program, uint32_t offset);

/* A random configuration of PFT (minor 0 and 1) or ETMv3 (minor 0 to 5) for
 * program flow, of those that make sense. */
void config_make(struct etm_config *config, enum etm_protocol protocol,
                 struct random *r);

/* The whole configuration in one line, for messages. */
void config_print(const struct etm_config *config);

#endif
