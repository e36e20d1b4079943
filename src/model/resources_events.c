/* SPDX-License-Identifier: Apache-2.0 */
/* Resource numbers and the logic of events (ETM architecture 3.6). */
#include "model/resources.h"

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
    return within(number, ETM_RESOURCE_EICE, count);
}

bool etm_resource_exists(const struct etm_resources_config *config,
                         unsigned number)
{
    const struct etm_resource_counts *c = &config->counts;
    unsigned version = config->version;

    switch (number >> 4) {
    case 0x0: /* single address comparators */
        return within(number, ETM_RESOURCE_ADDRESS, 2u * c->sac_pairs);
    case 0x1: /* address ranges; instrumentation from v3.3 on */
        return within(number, ETM_RESOURCE_RANGE, c->sac_pairs) ||
               (version >= ETM_V3_3 &&
                within(number, ETM_RESOURCE_INSTRUMENTATION,
                       c->instrumentation));
    case 0x2:
        return eice_exists(config, number);
    case 0x3:
        return within(number, ETM_RESOURCE_MEMORY_MAP, c->mmds);
    case 0x4:
        return within(number, ETM_RESOURCE_COUNTER, c->counters);
    case 0x5: /* sequencer; context ID and VMID comparators; start/stop */
        return (c->sequencer && within(number, ETM_RESOURCE_STATE, 3)) ||
               (config->virtualization && number == ETM_RESOURCE_VMID) ||
               (version >= ETM_V2_0 &&
                (within(number, ETM_RESOURCE_CONTEXT_ID, c->cidcs) ||
                 (c->start_stop && number == ETM_RESOURCE_START_STOP)));
    case 0x6: /* inputs; the state of the processor; always true */
        return within(number, ETM_RESOURCE_EXTERNAL, c->ext_in) ||
               (version >= ETM_V3_1 &&
                within(number, ETM_RESOURCE_SELECTOR, c->extsels)) ||
               (version >= ETM_V3_2 && (number == ETM_RESOURCE_NON_SECURE ||
                                        number == ETM_RESOURCE_PROHIBITED)) ||
               number == ETM_RESOURCE_ALWAYS;
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
    bool fixed_a =
        logic->a == ETM_RESOURCE_ALWAYS || logic->a == ETM_RESOURCE_FALSE;
    bool fixed_b =
        logic->b == ETM_RESOURCE_ALWAYS || logic->b == ETM_RESOURCE_FALSE;
    unsigned a = logic->a == ETM_RESOURCE_ALWAYS,
             b = logic->b == ETM_RESOURCE_ALWAYS;

    if (!fixed_a || !fixed_b)
        return;
    logic->truth = (unsigned)logic->truth >> (a + 2u * b) & 1u ? 0xf : 0x0;
    logic->a = logic->b = ETM_RESOURCE_FALSE;
}

const struct etm_event_function *etm_event_function(uint32_t event)
{
    static const struct etm_event_function functions[8] = {
        {.truth = 0xa},                                /* A */
        {.truth = 0x5, .not_a = true},                 /* NOT A */
        {.truth = 0x8},                                /* A AND B */
        {.truth = 0x4, .not_a = true},                 /* NOT A AND B */
        {.truth = 0x1, .not_a = true, .not_b = true},  /* NOT A AND NOT B */
        {.truth = 0xe, .either = true},                /* A OR B */
        {.truth = 0xd, .either = true, .not_a = true}, /* NOT A OR B */
        {0x7, true, true, true},                       /* NOT A OR NOT B */
    };

    return &functions[etm_event_number(event)];
}

struct etm_event_logic
etm_event_compile(const struct etm_resources_config *config, uint32_t event,
                  bool latch)
{
    struct etm_event_logic logic = {.truth = etm_event_function(event)->truth};

    logic.a = place(config, etm_event_operand(event, 0), latch);
    /* The field of B has no meaning if the function does not use it. */
    logic.b = etm_event_uses(event, 1)
                  ? place(config, etm_event_operand(event, 1), latch)
                  : ETM_RESOURCE_FALSE;
    fold(&logic);
    return logic;
}
