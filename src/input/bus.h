/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The range in the name of a bus, as simulators, analysers and synthesis tools
 * write it: D[31:0], D[31..0], D(31 downto 0), D<31:0>, D(0 to 31), D(31-0);
 * and of a single bit: D[3], D(3), D<3>.
 */
#ifndef ETM_INPUT_BUS_H
#define ETM_INPUT_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct etm_bus {
    size_t length;      /* of the name before the range */
    uint32_t low, high; /* equal if there is one number only */
    bool descending;    /* the highest index is on the left */
    bool range;         /* there are two numbers */
};

/* Read what is at the end of a name of `n` characters. False: it has no such
 * end. */
bool etm_bus_read(const char *name, size_t n, struct etm_bus *bus);

#endif
