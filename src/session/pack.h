/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements in a quarter of their size, for those that one thread makes and
 * another one gives: what goes through memory is what costs. Ranges and
 * instructions are 16 bytes if their numbers are small enough; all others, an
 * unusual one too, keep the whole of their bytes behind a mark.
 */
#ifndef ETM_SESSION_PACK_H
#define ETM_SESSION_PACK_H

#include "base/vec.h"

#include <etm/element.h>

struct etm_packed {
    uint32_t address;
    uint32_t more;   /* range: size, instructions, bytes of the last one;
                        instruction: opcode */
    uint16_t cycles; /* 0xffff: not known */
    uint8_t kind;    /* 0: an element follows, in whole records */
    uint8_t behind;  /* bytes from the offset of the element before */
    uint8_t state;   /* instruction set, type, whether it passed */
    uint8_t flags;
    uint8_t size; /* of an instruction */
    uint8_t source;
};

/* Append elements to a vector of struct etm_packed. *offset: of the element
 * before; moves on. ETM_OK or ETM_ERR_MEMORY. */
int etm_pack(struct etm_vec *packed, const struct etm_element *elements,
             size_t n, uint64_t *offset);

/*
 * Elements from packed[*at] on, up to `end` records and `n` elements. Moves
 * *at and *offset on; returns the number of elements.
 */
size_t etm_unpack(const struct etm_packed *packed, size_t *at, size_t end,
                  uint64_t *offset, struct etm_element *elements, size_t n);

#endif
