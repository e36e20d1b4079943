/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The resources of a macrocell at work (ETM architecture, chapter 2):
 * comparators, counters, sequencer, start/stop block, events, TraceEnable and
 * ViewData. The input is what the processor does, the output what is to be
 * traced.
 *
 *   etm_resources_pins, _context    whenever they change
 *   etm_resources_insn, _transfer   the items of one cycle, in trace order
 *   etm_resources_cycle             ends the cycle and gives the outputs
 *
 * An instruction comes before its own transfers (2.11.1). All results of a
 * cycle come at its end, because an event sees a resource as active for the
 * whole cycle in which it matched at all.
 *
 * Registers are turned into tables when programming ends, so that a cycle
 * costs a few tests for each comparator that something selects. What the
 * registers select but the macrocell lacks, or a reserved encoding, never
 * matches.
 */
#ifndef ETM_MODEL_RESOURCES_H
#define ETM_MODEL_RESOURCES_H

#include "model/registers.h"

/* Items of each kind that one cycle can hold. */
#define ETM_RESOURCES_ITEMS 32u

/* Comparators by resource number: SAC n is bit n-1, ARC n bit 15+n. */
#define ETM_MATCH_SACS UINT32_C(0x0000ffff)
#define ETM_MATCH_ARCS UINT32_C(0x00ff0000)
#define ETM_MATCH_PROHIBITED (UINT32_C(1) << 31) /* only in an owner */

struct etm_resources_config {
    size_t size;
    unsigned version;    /* ETM_V3_4 ... */
    bool security;       /* ETMIDR[19] */
    bool split;          /* not ETMIDR[18]: 32-bit Thumb instructions count as
                            two (4.5.4) */
    bool no_fetch;       /* ETMSCR[17]: no fetch comparison */
    bool virtualization; /* Hyp mode and VMID: v3.5, PFT v1.1 */
    struct etm_resource_counts counts;

    /* What the architecture leaves to the macrocell. */
    bool late_events;          /* the enabling events reach TraceEnable and
                                  ViewData one cycle later (2.6.4, 2.6.5) */
    bool exact_ranges_fire;    /* before v3.3: an exact range matches for one
                                  cycle, as from v3.3 on (tables 2-8, 2-9) */
    bool ranges_follow_data;   /* a sticky range of instructions matches until
                                  the last data instruction completes, not up
                                  to the next instruction (2.7.6) */
    bool no_cprt;              /* coprocessor transfers are not supported, and
                                  leave the comparators alone (2.7.9) */
    bool no_view_data;         /* there are no ViewData registers */
    bool no_timestamps;        /* not ETMCCER[22]: no timestamp event */
    bool outputs_low_disabled; /* external outputs are LOW, not held, without
                                  non-invasive debug (2.14) */
};

/* Inputs of the macrocell. Kept from cycle to cycle, except for
 * eice_sampled. */
struct etm_resource_pins {
    uint8_t ext_in;       /* external input n in bit n-1 */
    uint8_t eice;         /* EmbeddedICE comparator n in bit n-1 */
    uint8_t eice_sampled; /* those at a sample point now (7.6.3); before v3.4
                             the level of `eice` counts at all times */
    uint16_t mmd;         /* memory map decoder n in bit n-1 */
    uint32_t ext_ext[8];  /* extended external input n in word n/32, bit n%32;
                             numbers from 0 */
    bool no_noninvasive;  /* non-invasive debug is disabled (2.14) */
};

/* State of the processor for the items that follow. */
struct etm_resource_context {
    uint32_t context_id;
    bool non_secure; /* means nothing without Security Extensions */
    bool user;       /* User mode */
    bool prohibited; /* in a prohibited region (2.6.2) */
    bool hyp;        /* Hyp mode, and the virtual machine: */
    uint8_t vmid;    /* these mean nothing without virtualization */
};

/* An instruction that reached Execute. */
struct etm_resource_insn {
    uint32_t address; /* without the T bit */
    uint8_t isa;      /* enum etm_isa */
    uint8_t size;     /* bytes */
    bool passed;      /* condition; CBZ and CBNZ: the branch was taken */
    bool cancelled;   /* by an exception */
    uint8_t hint;     /* of a DBG instruction plus 1; 0: it is none */
};

/*
 * What etm_resources_insn() returns for an instruction; it is passed with its
 * transfers, however late they come (2.11.2).
 */
struct etm_resource_owner {
    uint32_t matches; /* instruction comparators, ETM_MATCH_... */
    uint32_t number;  /* counts instructions */
};

enum etm_transfer_phase {
    ETM_TRANSFER_NORMAL = 0, /* address and value together */
    ETM_TRANSFER_WAITS,      /* out of order: the value comes later */
    ETM_TRANSFER_RETURNED    /* now it has come (2.7.4, table 2-6) */
};

/* One transfer of at most a word; a doubleword is two (2.8.3). */
struct etm_resource_transfer {
    struct etm_resource_owner owner;
    uint32_t address;
    uint32_t value;
    uint8_t size;  /* 1, 2 or 4 bytes */
    uint8_t phase; /* enum etm_transfer_phase */
    bool store;
    bool big_endian;
    bool failed;   /* synchronous abort, or a store-exclusive that failed */
    bool cprt;     /* to or from a coprocessor: no address */
    bool stacking; /* of no instruction: M profile, by the processor itself.
                      TraceEnable stays as it is */
    bool follows;  /* not the first of its load/store multiple; before v2.0 only
                      the first depends on ViewData (2.6.5) */
};

struct etm_resource_outputs {
    /* Item n of the cycle in bit n, in the order of the calls. */
    uint32_t insns;     /* instructions to be traced */
    uint32_t transfers; /* transfers at which TraceEnable was HIGH by itself:
                           their instruction is traced, from the middle on if it
                           is an older one */
    uint32_t view;      /* transfers to be traced if their instruction is */
    bool trace_enable;  /* level after the last item of the cycle; it only
                           changes with items here */
    bool trigger;       /* a trigger is output */
    bool timestamp;     /* the timestamp event is active */
    bool full_region;   /* FIFOFULL may be asserted (3.5.8) */
    uint8_t ext_out;    /* external output n in bit n-1 */
};

/* Private from here on: public fields only for embedding. */

/* An event, with its operands as places in a vector of 128 resources. */
struct etm_event_logic {
    uint8_t a, b;
    uint8_t truth; /* bit A + 2B; in a constant event all bits are equal */
};

struct etm_sac {
    uint32_t address;
    uint32_t dvc_value, dvc_mask;
    uint8_t size;  /* 1, 2 or 4 */
    uint8_t type;  /* ETMACTR[2:0] */
    uint8_t dvc;   /* enum etm_dvc_mode */
    uint8_t cidc;  /* 0: none */
    uint8_t state; /* ETMACTR[11:10], from v3.5 on [13:10] */
    bool hyp;      /* ETMACTR[14]: in Hyp mode too */
    bool vmid;     /* ETMACTR[15]: only for the VMID of ETMVMIDCVR */
    bool exact;
};

enum etm_dvc_mode { ETM_DVC_NONE = 0, ETM_DVC_EQUAL, ETM_DVC_DIFFERENT };

/* Resources by number, 64 in a word. */
struct etm_resource_set {
    uint64_t word[2];
};

struct etm_resources {
    struct etm_resources_config config;
    unsigned version;

    /* Made of the registers. */
    struct etm_sac sacs[16];
    /* The addresses of `sacs` in arrays; of ranges, the last minus the
     * first. */
    uint32_t at[16], low[8], span[8];
    uint32_t insn_used, data_used; /* comparators that something selects */
    uint32_t resources_used;       /* those that an event selects */
    uint32_t plain; /* instruction comparators that depend on the address
                       only, */
    uint32_t plain_modes, plain_hyp; /* outside Hyp mode and in it */
    uint32_t fires;                  /* ranges that are not sticky */
    uint32_t fetches;                /* what compares at the Fetch stage */
    uint32_t waits;                  /* exact comparators that wait for data */
    uint32_t te_matches, start, stop;
    uint16_t te_mmds;
    uint8_t start_eice, stop_eice;
    bool te_exclude, te_start_stop, start_stop_present;
    uint32_t vd_include, vd_exclude;
    uint16_t vd_include_mmds, vd_exclude_mmds;
    bool vd_exclude_only;
    uint32_t full_matches; /* FIFOFULL region */
    uint16_t full_mmds;
    bool full_exclude;
    bool cprt, cprt_filter;
    bool data_only, privileged_hints;
    bool eice_modes;    /* ETMEIBCR is there */
    uint8_t eice_latch; /* ETMEIBCR */
    uint8_t ext_ext_select[4];
    uint32_t cidc_value[3], cidc_mask;
    uint8_t vmid_value;
    uint16_t reload[4];
    struct etm_event_logic trigger, trace_enable, view_data, timestamp;
    struct etm_event_logic count[4], reload_event[4], sequence[6], ext_out[4];
    bool timestamp_present;
    bool changing;       /* an event depends on a resource that changes */
    uint8_t live_counts; /* counters that an event can move */
    uint8_t live_ext_out;
    bool live_sequencer;

    /* State that ETMCR[10] holds (3.4.4). */
    uint16_t counter[4];
    uint8_t state; /* of the sequencer, less one */
    bool started;
    bool triggered;
    uint8_t held; /* enum etm_resources_hold */

    /* Other state. */
    struct etm_resource_pins pins;
    struct etm_resource_context context;
    uint8_t cidcs;           /* those that match; bit 3: the VMID comparator */
    uint8_t eice_held;       /* sampled */
    uint8_t instrumentation; /* resource n in bit n-1 */
    uint32_t sticky;         /* ranges that match until the next item */
    uint32_t hidden;         /* but not for events: v1.x, cancelled */
    uint32_t number;         /* of the next instruction */
    bool high;               /* TraceEnable */
    bool late_trace, late_view;
    bool last_view; /* of the last transfer that did not follow another */
    uint8_t last_ext_out;
    bool last_timestamp;

    /* The cycle so far. */
    struct {
        uint32_t first; /* number of its first instruction */
        uint8_t insns, transfers;
        uint32_t matches;              /* as events see them */
        uint32_t allowed;              /* not in a prohibited region */
        uint32_t insn_ok, transfer_ok; /* except for the enabling event */
        uint32_t view_ok, view_always, view_follows;
        uint16_t mmds;
        uint8_t hint_now; /* instrumentation active in this cycle */
        uint8_t cidcs;
        bool active, judged;         /* start/stop block */
        bool non_secure, prohibited; /* of its items */
    } now;
};

/* Begin with no resource active. */
void etm_resources_init(struct etm_resources *r,
                        const struct etm_resources_config *config);

/* The configuration of a register file. */
struct etm_resources_config
etm_resources_config_of(const struct etm_regfile *file);

/*
 * Programming has ended: take all registers, and the state items among them
 * (ETMCNTVR, ETMSQR, ETMSR[3:2]). `value` is indexed by register number.
 */
void etm_resources_program(struct etm_resources *r, const uint32_t *value);

/* Write the state items back to where etm_resources_program() reads them. */
void etm_resources_save(const struct etm_resources *r, uint32_t *value);

/* What stops the state items; nothing is traced then. */
enum etm_resources_hold {
    ETM_RESOURCES_RUN = 0,
    ETM_RESOURCES_PROGRAMMING, /* ETMCR[10] (3.4.4) */
    ETM_RESOURCES_LOCKED       /* the OS lock, no power (3.8.2): instrumentation
                                  resources are stopped, too */
};

void etm_resources_hold(struct etm_resources *r, enum etm_resources_hold held);

void etm_resources_pins(struct etm_resources *r,
                        const struct etm_resource_pins *pins);
void etm_resources_context(struct etm_resources *r,
                           const struct etm_resource_context *context);

/* More than ETM_RESOURCES_ITEMS of a kind in one cycle: the last ones share
 * the last bit of the outputs. */
struct etm_resource_owner
etm_resources_insn(struct etm_resources *r,
                   const struct etm_resource_insn *insn);
void etm_resources_transfer(struct etm_resources *r,
                            const struct etm_resource_transfer *transfer);

/*
 * `outstanding`: a data instruction of an earlier cycle has not completed, so
 * that TraceEnable cannot fall (2.6.4).
 */
void etm_resources_cycle(struct etm_resources *r, bool outstanding,
                         struct etm_resource_outputs *out);

/*
 * Skip at most `cycles` cycles without items that are like the previous one
 * except for counters that count down. Returns their number; 0: the next one is
 * different, and needs etm_resources_cycle().
 */
uint64_t etm_resources_skip(struct etm_resources *r, uint64_t cycles);

/* Whether a cycle in which these resources are active changes no counter, no
 * state and no output. */
bool etm_resources_stand(const struct etm_resources *r,
                         const struct etm_resource_set *set);

/* Hint of a DBG instruction plus 1, or 0 (2.9.2). */
uint8_t etm_resources_hint(uint8_t isa, uint32_t opcode);

/* Resources by their number, the first one of each kind (3.6.1, table 3-81). */
enum {
    ETM_RESOURCE_ADDRESS = 0x00,
    ETM_RESOURCE_RANGE = 0x10,
    ETM_RESOURCE_INSTRUMENTATION = 0x18,
    ETM_RESOURCE_EICE = 0x20,
    ETM_RESOURCE_MEMORY_MAP = 0x30,
    ETM_RESOURCE_COUNTER = 0x40,
    ETM_RESOURCE_STATE = 0x50, /* of the sequencer: state 1 */
    ETM_RESOURCE_CONTEXT_ID = 0x58,
    ETM_RESOURCE_VMID = 0x5b,
    ETM_RESOURCE_START_STOP = 0x5f,
    ETM_RESOURCE_EXTERNAL = 0x60,
    ETM_RESOURCE_SELECTOR = 0x68, /* of extended external inputs */
    ETM_RESOURCE_NON_SECURE = 0x6d,
    ETM_RESOURCE_PROHIBITED = 0x6e,
    ETM_RESOURCE_ALWAYS = 0x6f, /* and, as an event, this alone */
    /* places of our own: the latched inputs, and what is never active */
    ETM_RESOURCE_EICE_LATCH = 0x28,
    ETM_RESOURCE_FALSE = 0x7f
};

/* The event NOT A that is never active. */
#define ETM_EVENT_NEVER (UINT32_C(1) << 14 | ETM_RESOURCE_ALWAYS)

/* The number of an event's function, its operands 0 (A) and 1 (B), and whether
 * the function uses them (3.6.3). */
static inline unsigned etm_event_number(uint32_t event)
{
    return event >> 14 & 7u;
}

static inline unsigned etm_event_operand(uint32_t event, unsigned operand)
{
    return operand == 0 ? event & 0x7fu : event >> 7 & 0x7fu;
}

static inline bool etm_event_uses(uint32_t event, unsigned operand)
{
    return operand == 0 || etm_event_number(event) >= 2;
}

/* A function (table 3-82). */
struct etm_event_function {
    uint8_t truth; /* by what is active: bit 0 for neither, 1 for A, 2 for B, 3
                      for both */
    bool not_a, not_b, either; /* else both, if B is used */
};

const struct etm_event_function *etm_event_function(uint32_t event);

/* Whether the macrocell has the resource of that number. */
bool etm_resource_exists(const struct etm_resources_config *config,
                         unsigned number);

/* Shared by the files of the resources. */

/* `latch`: this event sees EmbeddedICE inputs latched (table 7-21). */
struct etm_event_logic
etm_event_compile(const struct etm_resources_config *config, uint32_t event,
                  bool latch);

static inline unsigned etm_resource_active(const struct etm_resource_set *set,
                                           unsigned place)
{
    return (unsigned)(set->word[place >> 6] >> (place & 63u)) & 1u;
}

/* Level of an event (3.6.2). */
static inline bool etm_event_active(const struct etm_event_logic *event,
                                    const struct etm_resource_set *set)
{
    unsigned a = etm_resource_active(set, event->a);
    unsigned b = etm_resource_active(set, event->b);

    return (unsigned)event->truth >> (a + 2u * b) & 1u;
}

static inline bool etm_event_never(const struct etm_event_logic *event)
{
    return event->truth == 0;
}

void etm_resources_comparators(struct etm_resources *r, const uint32_t *value);
uint32_t etm_resources_match_insn(const struct etm_resources *r,
                                  const struct etm_resource_insn *insn);
/* Comparators of instructions with this address, whatever else they depend
 * on. */
uint32_t etm_resources_candidates(const struct etm_resources *r,
                                  uint32_t address);
uint32_t etm_resources_match_data(const struct etm_resources *r,
                                  const struct etm_resource_transfer *t);

/* What filters select, and the steps of one item. */
void etm_resources_filters(struct etm_resources *r, const uint32_t *value);
void etm_resources_filter_insn(struct etm_resources *r, uint32_t matches,
                               bool allowed);
/* An item that may start or stop: the block is active for it (2.6.4). */
bool etm_resources_start_stop(struct etm_resources *r, bool start, bool stop);
/* The end of a cycle: inputs that are latched act in the next one, too. */
void etm_resources_maintain(struct etm_resources *r);
void etm_resources_filter_transfer(struct etm_resources *r,
                                   const struct etm_resource_transfer *t,
                                   uint32_t matches);
void etm_resources_filter_cycle(struct etm_resources *r, bool trace_event,
                                bool view_event, bool outstanding,
                                struct etm_resource_outputs *out);

/* resources_state.c: all resources as the events of this cycle see them (table
 * 3-81). */
struct etm_resource_set etm_resources_active(const struct etm_resources *r);

/* Whether events see the state of the processor in the next cycle, too: the
 * items of this cycle were not executed in another one. */
bool etm_resources_state_lasts(const struct etm_resources *r);
/* External outputs then. */
uint8_t etm_resources_outputs(const struct etm_resources *r,
                              const struct etm_resource_set *set);
/* Counters and sequencer: one clock. */
void etm_resources_count(struct etm_resources *r,
                         const struct etm_resource_set *set);
void etm_resources_sequence(struct etm_resources *r,
                            const struct etm_resource_set *set);

#endif
