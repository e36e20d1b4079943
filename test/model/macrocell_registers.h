/* SPDX-License-Identifier: Apache-2.0 */
/* Random values in the registers of a macrocell, about what a random execution
 * does. */
#ifndef TEST_MODEL_MACROCELL_REGISTERS_H
#define TEST_MODEL_MACROCELL_REGISTERS_H

#include "macrocell_select.h"

#include "model/macrocell.h"

static inline bool chance(struct round *g, unsigned percent)
{
    return random_chance(&g->r, percent);
}

static inline uint32_t below(struct round *g, uint32_t n)
{
    return random_below(&g->r, n);
}

/* An event of a kind that was executed; NULL: none was met. */
static inline const struct etm_event *some(struct round *g,
                                           enum etm_event_kind kind)
{
    for (unsigned n = 0; n < 30; n++) {
        const struct etm_event *e =
            &g->done.events[below(g, (uint32_t)g->done.n)];

        if (e->kind == kind)
            return e;
    }
    return NULL;
}

static inline void comparator(struct round *g, struct cell *c, unsigned n)
{
    const struct etm_event *e = some(g, ETM_EVENT_DATA);
    bool data = e != NULL && chance(g, g->calm ? 3 : 30);
    uint32_t type = data ? 4 + below(g, 3) : below(g, g->calm ? 2 : 4);
    uint32_t at, control, mask, value;

    if (!data)
        e = some(g, ETM_EVENT_INSN);
    at = e == NULL ? 0 : data ? e->u.data.address : e->u.insn.address;
    control = type | (chance(g, 70) ? 3u : below(g, 4)) << 3;
    control |= chance(g, 70) && g->config.virtualization ? 0x4000 : 0;
    control |= chance(g, 10) ? below(g, 16) << 10 : 0;
    control |= chance(g, 10) ? below(g, 4) << 8 : 0;
    control |= chance(g, 15) ? 1u << 7 : 0;
    control |= data && chance(g, 25) ? below(g, 4) << 5 : 0;
    poke(c, ETM_REG_ACVR1 + n, at);
    poke(c, ETM_REG_ACTR1 + n, control);
    value = data ? (uint32_t)e->u.data.value : 0;
    mask = chance(g, 50) ? 0xffffff00 : 0;
    if (g->config.minor >= 3 && (control >> 3 & 3) != 3) {
        uint32_t unit = (control >> 3 & 3) == 1 ? 0xffff : 0xff;

        value = (value & unit) * (unit == 0xff ? 0x01010101 : 0x00010001);
        mask = 0;
    }
    poke(c, ETM_REG_DCVR1 + n, value & ~mask);
    poke(c, ETM_REG_DCMR1 + n, mask);
    if (chance(g, 30))
        return;
    poke(c, ETM_REG_ACVR1 + n + 1, at + 1 + below(g, 1u << below(g, 12)));
    poke(c, ETM_REG_ACTR1 + n + 1, control & ~0x60u);
}

static inline uint32_t event(struct round *g)
{
    static const uint8_t resources[] = {
        0x00, 0x02, 0x05, 0x10, 0x11, 0x12, 0x20, 0x22, 0x30, 0x34,
        0x40, 0x41, 0x42, 0x50, 0x51, 0x52, 0x58, 0x59, 0x5f, 0x60,
        0x61, 0x68, 0x6a, 0x6d, 0x6e, 0x6f, 0x00, 0x10, 0x13,
    };

    return below(g, 8) << 14 | resources[below(g, sizeof resources)] |
           (uint32_t)resources[below(g, sizeof resources)] << 7;
}

static inline void derived(struct round *g, struct cell *c)
{
    bool pft = g->config.protocol == ETM_PROTOCOL_PFT;

    for (uint32_t n = 0; n < 4; n++) {
        poke(c, ETM_REG_CNTRLDVR1 + n, below(g, 20));
        poke(c, ETM_REG_CNTENR1 + n, event(g));
        poke(c, ETM_REG_CNTRLDEVR1 + n, chance(g, 50) ? 0x406f : event(g));
    }
    for (uint32_t n = 0; n < 6; n++)
        poke(c, ETM_REG_SQ12EVR + n, event(g));
    for (uint32_t n = 0; n < 3; n++) {
        const struct etm_event *e = some(g, ETM_EVENT_CONTEXT);

        poke(c, ETM_REG_CIDCVR1 + n, e == NULL ? 0 : e->u.context.context_id);
    }
    if (pft || g->config.minor >= 1)
        poke(c, ETM_REG_EXTINSELR, (uint32_t)random_next(&g->r));
    if (pft || g->config.minor >= 4)
        poke(c, ETM_REG_TESSEICR,
             random_few(&g->r, 8) | random_few(&g->r, 8) << 16);
    if (pft || g->config.minor >= 4)
        poke(c, ETM_REG_EIBCR, below(g, 256));
    /* one between two transfers has a say in where elements stand */
    if (!config_traces_data(&g->config) && chance(g, 50))
        poke(c, ETM_REG_TRIGGER, event(g));
}

static inline void filters(struct round *g, struct cell *c)
{
    bool pft = g->config.protocol == ETM_PROTOCOL_PFT;

    poke(c, ETM_REG_SYNCFR, g->config.sync_period);
    poke(c, ETM_REG_TEEVR, chance(g, g->calm ? 90 : 60) ? 0x6f : event(g));
    poke(c, ETM_REG_TECR1,
         random_few(&g->r, chance(g, 80) ? 8 : 24) |
             (uint32_t)chance(g, 60) << 24 |
             (uint32_t)chance(g, g->calm ? 5 : 25) << 25);
    poke(c, ETM_REG_TSSCR, g->calm ? 0 : random_few(&g->r, 32));
    if (pft)
        return;
    poke(c, ETM_REG_TECR2, random_few(&g->r, 16));
    poke(c, ETM_REG_VDEVR, chance(g, g->calm ? 80 : 60) ? 0x6f : event(g));
    poke(c, ETM_REG_VDCR1,
         chance(g, g->calm ? 10 : 100) ? random_few(&g->r, 32) : 0);
    poke(c, ETM_REG_VDCR2, chance(g, 20) ? random_few(&g->r, 32) : 0);
    poke(c, ETM_REG_VDCR3,
         random_few(&g->r, 16) | (uint32_t)chance(g, 60) << 16);
}

/* Random values in the registers that select. */
static inline void program_random(struct round *g, struct cell *c)
{
    program_begin(c);
    program_nothing(c);
    for (unsigned n = 0; n < 16; n += 2)
        comparator(g, c, n);
    if (!g->calm || chance(g, 60))
        derived(g, c);
    filters(g, c);
    program_end(c, cell_control(&g->config));
}

static inline void print_registers(const struct cell *c)
{
    for (unsigned n = 0; n < 0x91; n++)
        if (c->m->registers.value[n] != 0)
            printf("%03x %08x\n", n, c->m->registers.value[n]);
}

#endif
