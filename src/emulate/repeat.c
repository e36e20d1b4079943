/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Detecting endless loops. A program that waits in a branch to itself, or goes
 * from fault to fault because it was made for another core, would run forever.
 * What the processor does follows from its state, so a state that occurs twice
 * repeats forever, if nothing from outside can change it. The state is stored
 * after twice as many instructions each time, and compared when the program
 * reaches the same address (Brent's algorithm to find a cycle), registers
 * first. It is also stored at a branch to itself, if nothing can change it any
 * more.
 */
#include "emulate/machine.h"

#include <string.h>

/* Instructions before the state is stored for the first time. */
#define FIRST 65536u
/* Comparisons of all memory before the next time. */
#define TRIES 4u

#define NO_ADDRESS 0xffffffffu /* odd: no instruction stands there */

/* The state that determines future interrupts, except for their times: see
 * quiet() and coming(). */
static struct etm_m_state m_state(const struct etm_emulator *e)
{
    struct etm_m_state m = e->m;

    m.systick_due = 0;
    return m;
}

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t hash_of(const struct etm_emulator *e)
{
    const struct etm_memory *m = e->memory.data;
    uint64_t h = 1, word;

    for (size_t i = 0; i < e->memory.n; i++) {
        size_t n = (size_t)m[i].last - m[i].base + 1; /* whole pages */

        for (size_t k = 0; k < n; k += sizeof word) {
            memcpy(&word, m[i].bytes + k, sizeof word);
            h = mix(h, word);
        }
    }
    return h;
}

/* What is still to come is pending already, and was not taken. */
static bool quiet(struct etm_emulator *e)
{
    const struct etm_interrupt *list = e->interrupts.data;

    for (size_t i = 0; i < e->interrupts.n; i++)
        if (list[i].at != UINT64_MAX && !*etm_machine_pending(e, &list[i]))
            return false;
    return e->m.systick_due == UINT64_MAX || (e->m.systick_control & 2) == 0 ||
           e->m.pending[ETM_M_SYS_TICK];
}

/* The time to everything that comes by itself. For repeated interrupts it can
 * be the same again; for one that comes once it never is. */
static uint64_t coming(const struct etm_emulator *e)
{
    const struct etm_interrupt *list = e->interrupts.data;
    uint64_t due = e->m.systick_due, h;

    h = mix(1, due == UINT64_MAX ? due : due - e->result.cycles);
    for (size_t i = 0; i < e->interrupts.n; i++)
        h = mix(h,
                list[i].at == UINT64_MAX ? UINT64_MAX : list[i].at - e->clock);
    return h;
}

/* Whether interrupts make no difference: none has come since, and none will
 * that is not pending already; or the time to the next ones is the same. */
static bool interrupts_repeat(struct etm_emulator *e)
{
    return (e->repeat.accepted == e->accepted && quiet(e)) ||
           e->repeat.coming == coming(e);
}

static bool registers_differ(struct etm_emulator *e)
{
    struct etm_repeat *r = &e->repeat;

    /* in a counting loop the same register differs each time */
    for (unsigned i = 0; i < 15; i++) {
        unsigned n = (r->differed + i) % 15;

        if (etm_machine_get(e, etm_machine_register(n)) != r->registers[n]) {
            r->differed = n;
            return true;
        }
    }
    return false;
}

static bool same(struct etm_emulator *e, uint32_t psr)
{
    struct etm_repeat *r = &e->repeat;
    struct etm_m_state m = m_state(e);

    if (r->irq != e->irq || r->fiq != e->fiq || !interrupts_repeat(e) ||
        r->psr != psr || registers_differ(e) ||
        r->features_at != e->features_at || memcmp(&m, &r->m, sizeof m) != 0 ||
        e->unicorn.context_save(e->uc, r->now) != UC_ERR_OK ||
        memcmp(r->now, r->then, e->unicorn.context_size(e->uc)) != 0)
        return false;
    if (hash_of(e) == r->memory)
        return true;
    if (++r->tries == TRIES)
        r->at = NO_ADDRESS;
    return false;
}

static void keep(struct etm_emulator *e, uint32_t at, uint32_t psr)
{
    struct etm_repeat *r = &e->repeat;

    r->tries = 0;
    r->at = NO_ADDRESS;
    if (e->unicorn.context_save(e->uc, r->then) != UC_ERR_OK)
        return;
    for (unsigned i = 0; i < 15; i++)
        r->registers[i] = etm_machine_get(e, etm_machine_register(i));
    r->at = at;
    r->psr = psr;
    r->accepted = e->accepted;
    r->coming = coming(e);
    r->irq = e->irq;
    r->fiq = e->fiq;
    r->features_at = e->features_at;
    r->m = m_state(e);
    r->memory = hash_of(e);
}

void etm_machine_repeat_begin(struct etm_emulator *e)
{
    struct etm_repeat *r = &e->repeat;

    *r = (struct etm_repeat){.at = NO_ADDRESS, .next = UINT64_MAX};
    if (e->ends_repeating &&
        e->unicorn.context_alloc(e->uc, &r->then) == UC_ERR_OK &&
        e->unicorn.context_alloc(e->uc, &r->now) == UC_ERR_OK)
        r->next = FIRST;
}

void etm_machine_repeat_end(struct etm_emulator *e)
{
    if (e->repeat.then != NULL)
        (void)e->unicorn.context_free(e->repeat.then);
    if (e->repeat.now != NULL)
        (void)e->unicorn.context_free(e->repeat.now);
}

void etm_machine_repeat_forget(struct etm_emulator *e)
{
    e->repeat.at = NO_ADDRESS;
}

bool etm_machine_repeats(struct etm_emulator *e, uint32_t at, uint32_t psr)
{
    struct etm_repeat *r = &e->repeat;

    if (at == r->at && same(e, psr))
        return true;
    if (e->result.instructions >= r->next) {
        r->next *= 2;
        keep(e, at, psr);
    } else if (at == e->current.address && r->next != UINT64_MAX && quiet(e) &&
               (at != r->at || r->accepted != e->accepted)) {
        keep(e, at, psr); /* a branch to itself need not wait so long */
    }
    return false;
}
