/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many instructions a second the macrocell in software traces, fed from
 * memory: register setups by protocol, over and over the same small program.
 *
 *   model [--million N] [--only TEXT]
 */
#include <etm/macrocell.h>

#include "model/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EVENTS 60000u
#define FAR 0x20000u

struct setup {
    const char *name;
    enum etm_protocol protocol;
    uint8_t minor;
    uint32_t control; /* ETMCR */
    bool data;        /* the execution has transfers */
    bool range;       /* an include range over half of the program */
    bool counts;      /* a counter and a trigger on an address */
};

static const struct setup setups[] = {
    {"pft all", ETM_PROTOCOL_PFT, 1, 0, false, false, false},
    {"pft range", ETM_PROTOCOL_PFT, 1, 0, false, true, false},
    {"pft return stack", ETM_PROTOCOL_PFT, 1, ETM_CR_RETURN_STACK, false, false,
     false},
    {"pft cycles", ETM_PROTOCOL_PFT, 1, ETM_CR_CYCLE_ACCURATE, false, false,
     false},
    {"pft counter, trigger", ETM_PROTOCOL_PFT, 1, 0, false, true, true},
    {"etmv3 all", ETM_PROTOCOL_ETMV3, 4, 0, false, false, false},
    {"etmv3 range", ETM_PROTOCOL_ETMV3, 4, 0, false, true, false},
    {"etmv3 cycles", ETM_PROTOCOL_ETMV3, 4, ETM_CR_CYCLE_ACCURATE, false, false,
     false},
    {"etmv3 counter, trigger", ETM_PROTOCOL_ETMV3, 4, 0, false, true, true},
    {"etmv3 all, transfers not traced", ETM_PROTOCOL_ETMV3, 4, 0, true, false,
     false},
    {"etmv3 data", ETM_PROTOCOL_ETMV3, 4,
     ETM_CR_DATA_ADDRESS | ETM_CR_DATA_VALUE, true, false, false},
};

static struct etm_event events[EVENTS];

static int count_bytes(void *context, const uint8_t *bytes, size_t n)
{
    (void)bytes;
    *(uint64_t *)context += n;
    return ETM_OK;
}

static struct etm_event insn(uint32_t address, uint32_t opcode)
{
    struct etm_event e = {.kind = ETM_EVENT_INSN, .cycles = 1};

    e.u.insn.address = address;
    e.u.insn.opcode = opcode;
    e.u.insn.isa = ETM_ISA_ARM;
    e.u.insn.size = 4;
    e.u.insn.passed = true;
    return e;
}

static struct etm_event lead(struct etm_event e, uint32_t to)
{
    e.u.insn.next = (struct etm_place){.address = to, .isa = ETM_ISA_ARM};
    return e;
}

/*
 * A loop of blocks: five instructions that are no branches, one of them a
 * load, then a conditional branch, a call and a return. Returns the number of
 * events; *insns those that are instructions. It ends where it began.
 */
static size_t make(bool data, size_t *insns)
{
    size_t n = 0;
    uint32_t pc = 0x8000;

    *insns = 0;
    while (n + 40 < EVENTS) {
        bool last = n + 80 >= EVENTS;

        for (unsigned i = 0; i < 5; i++, pc += 4) {
            events[n++] = insn(pc, i == 2 ? 0xe5910000 : 0xe0811002);
            if (i == 2 && data) {
                struct etm_event *e = &events[n++];

                *e = (struct etm_event){.kind = ETM_EVENT_DATA};
                e->u.data.address = 0x20000000 + 8 * (pc & 0xffff);
                e->u.data.value = pc * 2654435761u;
                e->u.data.size = 4;
            }
        }
        events[n] = insn(pc, 0x1a000000); /* BNE, not taken */
        events[n++].u.insn.passed = false;
        pc += 4;
        /* BL to a function of two instructions */
        events[n++] =
            lead(insn(pc, 0xeb000000 | (((FAR - 8) / 4) & 0xffffff)), pc + FAR);
        events[n++] = insn(pc + FAR, 0xe0811002);
        events[n++] = lead(insn(pc + FAR + 4, 0xe12fff1e), pc + 4);
        pc += 4;
        *insns += 9;
        if (last || pc > 0x9000) { /* B back */
            uint32_t offset = (0x8000u - pc - 8) / 4 & 0xffffff;

            events[n++] = lead(insn(pc, 0xea000000 | offset), 0x8000);
            *insns += 1;
            pc = 0x8000;
            if (last)
                break;
        }
    }
    return n;
}

static void poke(struct etm_macrocell *m, uint32_t number, uint32_t value)
{
    if (etm_macrocell_write(m, number, ETM_ACCESS_DEBUGGER, value) !=
        ETM_ACCESS_OK)
        exit(1);
}

static void program(struct etm_macrocell *m, const struct setup *s)
{
    bool pft = s->protocol == ETM_PROTOCOL_PFT;

    poke(m, ETM_REG_CR, s->control | ETM_CR_PROGRAMMING | 4u << 4);
    poke(m, ETM_REG_TRIGGER, s->counts ? 0x4000 | 0x40 : 0x406f);
    poke(m, ETM_REG_TSSCR, 0);
    poke(m, ETM_REG_TEEVR, 0x6f);
    poke(m, ETM_REG_TECR1, s->range ? 1 : 0x01000000);
    poke(m, ETM_REG_ACVR1, 0x8000);
    poke(m, ETM_REG_ACVR1 + 1, 0x8800);
    poke(m, ETM_REG_ACTR1, 0x19);
    poke(m, ETM_REG_ACTR1 + 1, 0x19);
    poke(m, ETM_REG_ACVR1 + 2, 0x8020);
    poke(m, ETM_REG_ACTR1 + 2, 0x19);
    poke(m, ETM_REG_CNTRLDVR1, 1000);
    poke(m, ETM_REG_CNTENR1, s->counts ? 2 : 0x406f);
    for (uint32_t n = 0; n < 2; n++)
        poke(m, ETM_REG_CNTRLDEVR1 + n, 0x406f);
    poke(m, ETM_REG_CNTENR1 + 1, 0x406f);
    if (pft)
        poke(m, ETM_REG_TSEVR, 0x406f);
    if (!pft) {
        poke(m, ETM_REG_VDEVR, 0x6f);
        poke(m, ETM_REG_VDCR1, 0);
        poke(m, ETM_REG_VDCR3, 0x10000);
    }
    poke(m, ETM_REG_CR, s->control | 4u << 4);
}

/* Processor time: other programs do not count. */
static double now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int measure(const struct setup *s, double million)
{
    static const struct etm_macrocell_pins pins = {true, true, true, true,
                                                   false};
    struct etm_config trace = {.protocol = s->protocol,
                               .minor = s->minor,
                               .return_stack_implemented =
                                   s->protocol == ETM_PROTOCOL_PFT};
    struct etm_macrocell_config config = {.size = sizeof config,
                                          .config = &trace,
                                          .ccr = 4u | 2u << 13 | 1u << 26,
                                          .scr = 0x7104,
                                          .fifo_size = 255};
    uint64_t bytes = 0;
    struct etm_macrocell_output output = {
        .size = sizeof output, .bytes = count_bytes, .context = &bytes};
    struct etm_macrocell *m;
    size_t insns, n = make(s->data, &insns);
    double rounds = million * 1e6 / (double)insns, start, taken;

    if (s->protocol == ETM_PROTOCOL_ETMV3)
        config.ccr |= 2u << 4;
    if (etm_macrocell_new(&m, &config, NULL) != ETM_OK)
        return 1;
    etm_macrocell_set_pins(m, &pins);
    if (etm_macrocell_connect(m, &output) != ETM_OK)
        return 1;
    program(m, s);
    start = now();
    for (double i = 0; i < rounds; i++)
        if (etm_macrocell_run(m, events, n) != ETM_OK)
            return 1;
    taken = now() - start;
    rounds = (double)(uint64_t)rounds + 1;
    printf("%-34s %7.1f M insn/s  %6.3f bytes/insn\n", s->name,
           rounds * (double)insns / taken / 1e6,
           (double)bytes / (rounds * (double)insns));
    etm_macrocell_free(m);
    return 0;
}

int main(int argc, char **argv)
{
    const char *only = NULL;
    double million = 20;

    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--million") == 0)
            million = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--only") == 0)
            only = argv[i + 1];
    }
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++)
        if (only == NULL || strstr(setups[i].name, only) != NULL)
            if (measure(&setups[i], million) != 0)
                return 1;
    return 0;
}
