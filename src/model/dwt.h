/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The comparators of the DWT, a unit of M-profile processors beside the
 * macrocell: comparator n drives EmbeddedICE input n + 1 (ARMv7-M Architecture
 * Reference Manual, DDI 0403, C1.8; E-580. The manual of Cortex-M3, DDI 0337,
 * has ETMTRIGGER[3:0] and ETMTRIGINOTD[3:0]). The address is compared with
 * DWT_COMP without the low bits that DWT_MASK counts. Inputs that compare
 * instructions are sampled before each instruction, whether or not it passes
 * its condition, the others before each transfer, by its address.
 *
 * The registers have the addresses that they have in memory as their numbers,
 * which are above those of the macrocell.
 */
#ifndef ETM_MODEL_DWT_H
#define ETM_MODEL_DWT_H

#include "model/registers.h"

#include <etm/model.h>

/* Debug Exception and Monitor Control Register: bit 24 switches the DWT on. */
#define ETM_REG_DEMCR UINT32_C(0xe000edfc)
#define ETM_DEMCR_TRCENA (UINT32_C(1) << 24)

/* Registers of comparator 0; each comparator has 16 bytes. */
#define ETM_REG_DWT_COMP0 UINT32_C(0xe0001020)
#define ETM_REG_DWT_MASK0 UINT32_C(0xe0001024)
#define ETM_REG_DWT_FUNCTION0 UINT32_C(0xe0001028)
#define ETM_DWT_STRIDE UINT32_C(16)

#define ETM_DWT_COMPARATORS 4u

/* DWT_FUNCTIONn[3:0]: what gives the event that the macrocell sees. Others give
 * none; nor do comparisons of cycles and values, bits [7] and [8], which are
 * not modelled. Bits that only show something are ignored. */
enum etm_dwt_function {
    ETM_DWT_INSN = 8, /* an instruction at the address */
    ETM_DWT_LOAD,
    ETM_DWT_STORE,
    ETM_DWT_TRANSFER /* either */
};
#define ETM_DWT_FUNCTION UINT32_C(0x18f)

/* Low bits of an address that a comparator can ignore: IMPLEMENTATION DEFINED,
 * these are those of Cortex-M3 and Cortex-M4. */
#define ETM_DWT_MOST_MASK 15u

/* All values may come from a file. */
struct etm_dwt {
    uint32_t demcr;
    struct etm_dwt_comparator {
        uint32_t comp, mask, function;
    } comparators[ETM_DWT_COMPARATORS];
};

/* Whether a register is beside the macrocell, not in it. */
static inline bool etm_register_beside(uint32_t number)
{
    return number >= ETM_REGISTERS;
}

/* Comparators that a macrocell of that profile, with that many EmbeddedICE
 * inputs, has beside it. */
static inline unsigned etm_dwt_count(enum etm_profile profile, unsigned eices)
{
    if (profile != ETM_PROFILE_M)
        return 0;
    return eices < ETM_DWT_COMPARATORS ? eices : ETM_DWT_COMPARATORS;
}

/* The value of a register; NULL if it is not one of so many comparators. */
uint32_t *etm_dwt_register(struct etm_dwt *dwt, unsigned count,
                           uint32_t number);

/* Whether the comparator compares instructions, loads or stores. */
static inline bool etm_dwt_sees_insns(const struct etm_dwt_comparator *c)
{
    return (c->function & ETM_DWT_FUNCTION) == ETM_DWT_INSN;
}
static inline bool etm_dwt_sees_loads(const struct etm_dwt_comparator *c)
{
    uint32_t function = c->function & ETM_DWT_FUNCTION;

    return function == ETM_DWT_LOAD || function == ETM_DWT_TRANSFER;
}
static inline bool etm_dwt_sees_stores(const struct etm_dwt_comparator *c)
{
    uint32_t function = c->function & ETM_DWT_FUNCTION;

    return function == ETM_DWT_STORE || function == ETM_DWT_TRANSFER;
}

/* The address without what the mask ignores is that of the comparator. */
static inline bool etm_dwt_matches(const struct etm_dwt_comparator *c,
                                   uint32_t address)
{
    return address >> (c->mask & 31u) << (c->mask & 31u) == c->comp;
}

/* Whether it is on, and some comparator compares for the macrocell. */
bool etm_dwt_compares(const struct etm_dwt *dwt);

/* The EmbeddedICE inputs that an event samples, input n in bit n-1, and which
 * of them match. */
uint8_t etm_dwt_sample(const struct etm_dwt *dwt, const struct etm_event *event,
                       uint8_t *matches);

#endif
