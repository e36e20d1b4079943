/* SPDX-License-Identifier: Apache-2.0 */
/* Resource numbers and the logic of events (ETM architecture 3.6). */
#include "model/resources.h"

#define TRUE 0x6fu /* external input 16 (3.6.1) */

/* Numbers from `first` on, `count` of them. */
static bool within(unsigned number, unsigned first, unsigned count)
{
    return number >= first && number - first < count;
}

static bool eice_exists(const struct etm_resources_config *config,
                        unsigned number)
{
    unsigned count = config->counts.eices;

    /* Before v3.4 both or none (2.2.1). */
    if (config->version < ETM_V3_4 && count > 2)
        count = 2;
    return within(number, 0x20, count);
}

bool etm_resource_exists(const struct etm_resources_config *config,
                         unsigned number)
{
    const struct etm_resource_counts *c = &config->counts;
    unsigned version = config->version;

    switch (number >> 4) {
    case 0x0: /* single address comparators */
        return within(number, 0x00, 2u * c->sac_pairs);
    case 0x1: /* address ranges; instrumentation from v3.3 on */
        return within(number, 0x10, c->sac_pairs) ||
               (version >= ETM_V3_3 &&
                within(number, 0x18, c->instrumentation));
    case 0x2:
        return eice_exists(config, number);
    case 0x3:
        return within(number, 0x30, c->mmds);
    case 0x4:
        return within(number, 0x40, c->counters);
    case 0x5: /* sequencer; context ID and VMID comparators; start/stop */
        return (c->sequencer && within(number, 0x50, 3)) ||
               (config->virtualization && number == 0x5b) ||
               (version >= ETM_V2_0 && (within(number, 0x58, c->cidcs) ||
                                        (c->start_stop && number == 0x5f)));
    case 0x6: /* inputs; the state of the processor; always true */
        return within(number, 0x60, c->ext_in) ||
               (version >= ETM_V3_1 && within(number, 0x68, c->extsels)) ||
               (version >= ETM_V3_2 && (number == 0x6d || number == 0x6e)) ||
               number == 0x6f;
    default:
        return false;
    }
}

/* Place of a resource in the vector; one that does not exist is FALSE. */
static uint8_t place(const struct etm_resources_config *config, unsigned number,
                     bool latch)
{
    if (!etm_resource_exists(config, number))
        return ETM_RESOURCE_FALSE;
    if (latch && number >> 4 == 0x2)
        return (uint8_t)(ETM_RESOURCE_EICE_LATCH + (number & 7u));
    return (uint8_t)number;
}

/* Make an event that depends on nothing a constant, so that it is not evaluated
 * in each cycle. */
static void fold(struct etm_event_logic *logic)
{
    bool fixed_a = logic->a == TRUE || logic->a == ETM_RESOURCE_FALSE;
    bool fixed_b = logic->b == TRUE || logic->b == ETM_RESOURCE_FALSE;
    unsigned a = logic->a == TRUE, b = logic->b == TRUE;

    if (!fixed_a || !fixed_b)
        return;
    logic->truth = (unsigned)logic->truth >> (a + 2u * b) & 1u ? 0xf : 0x0;
    logic->a = logic->b = ETM_RESOURCE_FALSE;
}

struct etm_event_logic
etm_event_compile(const struct etm_resources_config *config, uint32_t event,
                  bool latch)
{
    /* Table 3-82: bit 0 for neither active, 1 for A, 2 for B, 3 for both. */
    static const uint8_t truth[8] = {
        0xa, /* A */
        0x5, /* NOT A */
        0x8, /* A AND B */
        0x4, /* NOT A AND B */
        0x1, /* NOT A AND NOT B */
        0xe, /* A OR B */
        0xd, /* NOT A OR B */
        0x7  /* NOT A OR NOT B */
    };
    unsigned function = event >> 14 & 7u;
    struct etm_event_logic logic = {.truth = truth[function]};

    logic.a = place(config, event & 0x7fu, latch);
    /* The field of B has no meaning if the function does not use it. */
    logic.b = function < 2 ? ETM_RESOURCE_FALSE
                           : place(config, event >> 7 & 0x7fu, latch);
    fold(&logic);
    return logic;
}
