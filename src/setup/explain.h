/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by explain*.c and lint*.c: the registers as far as they are known,
 * what selects what, and building sentences.
 */
#ifndef ETM_SETUP_EXPLAIN_H
#define ETM_SETUP_EXPLAIN_H

#include "model/dwt.h"
#include "model/resources.h"
#include "port/pins.h"

#include <etm/setup.h>

#if defined(__GNUC__)
#define ETM_WORDS_PRINTF(text, first)                                          \
    __attribute__((format(printf, text, first)))
#else
#define ETM_WORDS_PRINTF(text, first)
#endif

/* Bits of the units that something selects. SAC n is bit n-1. */
struct etm_selected {
    uint16_t sacs;
    uint8_t arcs;
    uint16_t mmds;
};

/* Who uses what. */
struct etm_uses {
    struct etm_selected trace;        /* ETMTECR1, ETMTECR2 */
    uint16_t start, stop;             /* ETMTSSCR */
    uint8_t start_eice, stop_eice;    /* ETMTESSEICR */
    struct etm_selected view_include; /* ETMVDCR1 to 3 */
    struct etm_selected view_exclude;
    struct etm_selected fifofull; /* ETMFFRR */
    /* Resources used by events: by those that enable TraceEnable and ViewData;
     * by those of counters, the sequencer and the trigger; by all others. */
    struct etm_resource_set enabling, derived, other;
    uint8_t counters; /* counter n in bit n-1: something uses it */
    bool sequencer;
};

struct etm_view {
    unsigned version; /* ETM_V3_4 ... */
    bool pft, security;
    bool identified;      /* by ETMIDR, or ETMCCR in v1.x; or by the caller */
    bool counts_known;    /* ETMCCR is */
    bool extension_known; /* ETMCCER is */
    bool system_known;    /* ETMSCR is */
    bool has_file;        /* `file` is valid: there is such a macrocell */
    char why_not[256];    /* otherwise */
    struct etm_resource_counts counts;
    struct etm_resources_config resources; /* for etm_resource_exists() */
    bool known[ETM_REGISTERS];
    uint32_t value[ETM_REGISTERS]; /* 0 where it is not known */
    struct etm_dwt dwt;            /* beside it: values, */
    struct etm_dwt dwt_known;      /* and 1 where they are known */
    struct etm_config config;
    struct etm_macrocell_config macrocell;
    bool interfaces_known;
    struct etm_uses uses;
    struct etm_regfile file;
    const struct etm_names *names;
};

/* As etm_explain(). */
int etm_view_init(struct etm_view *view,
                  const struct etm_explain_config *config,
                  struct etm_diag *diag);

/* Whether an event that matters uses a resource, by number. */
bool etm_watched(const struct etm_view *view, unsigned number);

/* Whether range n or address comparator n, from 1, itself is used. */
bool etm_range_used(const struct etm_view *view, unsigned n);
bool etm_single_used(const struct etm_view *view, unsigned n);

/* Comparators of the DWT beside the macrocell. */
static inline unsigned etm_view_dwts(const struct etm_view *view)
{
    return etm_dwt_count(view->config.profile, view->counts.eices);
}

/* Of registers in the macrocell and beside it. */
bool etm_view_knows(const struct etm_view *view, uint32_t number);

/* Whether there is that register, as far as this is known. */
bool etm_view_exists(const struct etm_view *view, uint32_t number);

/* Bits that may be 1; all of them if this is not known. */
uint32_t etm_view_defined(const struct etm_view *view, uint32_t number);

/* Whether data trace is switched on, or may be: then ViewData matters. */
bool etm_view_data(const struct etm_view *view);

/* Registers with events. The user says what the event affects. */
enum etm_event_user {
    ETM_EVENT_TRACE = 0, /* enabling events */
    ETM_EVENT_VIEW,
    ETM_EVENT_DERIVED, /* trigger, counters, sequencer */
    ETM_EVENT_OTHER
};

struct etm_event_place {
    uint32_t number;
    enum etm_event_user user;
    uint8_t counter; /* from 1; 0: none */
    bool sequencer;
};

/* Place n from 0; false after the last. */
bool etm_event_place(unsigned n, struct etm_event_place *place);

/* Whether the event has an effect: not if it is that of a counter that nothing
 * uses. */
bool etm_event_matters(const struct etm_view *view,
                       const struct etm_event_place *place);

/* The value of an event if it is the same whatever the resources do. */
enum etm_constant { ETM_VARIES = 0, ETM_ALWAYS, ETM_NEVER };

enum etm_constant etm_event_constant(uint32_t event);

/* Whether all registers that can use counters and the sequencer are known. */
bool etm_roots_known(const struct etm_view *view);

/* A growing text; what does not fit is cut off. */
struct etm_words {
    char *text;
    size_t capacity, n;
};

static inline struct etm_words etm_words_on(char *text, size_t capacity)
{
    text[0] = '\0';
    return (struct etm_words){text, capacity, 0};
}

void etm_words_add(struct etm_words *words, const char *format, ...)
    ETM_WORDS_PRINTF(2, 3);

/* "a", "a and b", "a, b and c": before item `i` of `n`. `last` is " and " or
   " or ". */
void etm_words_between(struct etm_words *words, unsigned i, unsigned n,
                       const char *last);

/* "1", "1 and 2", "1 to 4": the numbers, from 1, of the bits of `set`. */
void etm_words_numbers(struct etm_words *words, uint32_t set, const char *last);

void etm_words_event(struct etm_words *words, uint32_t event);

/* "0x00008000 (main+0x10)" */
void etm_words_address(struct etm_words *words, const struct etm_view *view,
                       uint32_t address);

/* A number of `bits` bits, those of `mask` ignored: "0x12xx". */
void etm_words_masked(struct etm_words *words, uint32_t value, uint32_t mask,
                      unsigned bits);

/* Address comparator n or range n, from 1, with all its conditions; or what is
 * not known about it. */
void etm_words_sac(struct etm_words *words, const struct etm_view *view,
                   unsigned n);
void etm_words_arc(struct etm_words *words, const struct etm_view *view,
                   unsigned n);

/* EmbeddedICE comparator n, from 1, and what it matches, if that is known. */
void etm_words_eice(struct etm_words *words, const struct etm_view *view,
                    unsigned n);

/* Fields of an Address Access Type. */
static inline unsigned etm_actr_type(uint32_t actr)
{
    return actr & 7u;
}
static inline bool etm_actr_data(uint32_t actr)
{
    return etm_actr_type(actr) >= 4;
}
static inline unsigned etm_actr_bytes(uint32_t actr)
{
    static const uint8_t sizes[4] = {1, 2, 1, 4};

    return sizes[actr >> 3 & 3];
}
/* Exact match bit: ETMv2.0 to ETMv3.5. */
static inline bool etm_actr_exact(const struct etm_view *view, uint32_t actr)
{
    return view->version >= ETM_V2_0 && !view->pft && (actr >> 7 & 1) != 0;
}

static inline bool etm_bit(uint32_t value, unsigned n)
{
    return (value >> n & 1) != 0;
}

/* Whether only EmbeddedICE comparators can start and stop the start/stop block:
 * ETMTSSCR then selects nothing, if it exists (2.6.4). */
static inline bool etm_points_by_eice(const struct etm_view *view)
{
    return view->counts_known && view->counts.sac_pairs == 0 &&
           view->counts.start_stop_eice;
}

/* ETMOSLSR: [0] up to v3.4 and PFT 1.0, then [3] (IHI 0014Q, table 3.94). */
static inline bool etm_has_os_lock(uint32_t oslsr)
{
    return (oslsr & 9u) != 0;
}

static inline unsigned etm_bits(uint32_t value)
{
    unsigned n = 0;

    for (; value != 0; value &= value - 1)
        n++;
    return n;
}

/* ETMCR: the code of the port's size and mode (tables 3-6, 2-17, 2-18). */
static inline unsigned etm_port_code(const struct etm_view *view)
{
    uint32_t cr = view->value[ETM_REG_CR];

    return (cr >> 4 & 7) |
           (view->version >= ETM_V3_0 ? (cr >> 21 & 1) << 3 : 0);
}
static inline unsigned etm_port_mode_code(const struct etm_view *view)
{
    uint32_t cr = view->value[ETM_REG_CR];

    return (cr >> 16 & 3) | (cr >> 13 & 1) << 2;
}

/* The output of sentences. */
struct etm_explain {
    struct etm_view view;
    etm_explain_fn *line;
    void *context;
    enum etm_topic topic;
    int status; /* what `line` returned, once it is not 0 */
};

/* One sentence about `subject`, derived from `n` registers. */
void etm_explain_say(struct etm_explain *x, const char *subject,
                     const uint32_t *numbers, size_t n, const char *format, ...)
    ETM_WORDS_PRINTF(5, 6);

/* One sentence about `subject`, derived from one register. */
#define ETM_SAY(x, subject, number, ...)                                       \
    etm_explain_say((x), (subject), &(const uint32_t){(number)}, 1, __VA_ARGS__)

/*
 * If some of these registers exist but are not known: says so, and what is not
 * known without them (a clause), and returns true.
 */
bool etm_explain_unknown(struct etm_explain *x, const char *subject,
                         const uint32_t *numbers, size_t n, const char *what);

void etm_explain_macrocell(struct etm_explain *x); /* explain_macrocell.c */
void etm_explain_modes(struct etm_explain *x);     /* explain_modes.c */
void etm_explain_port(struct etm_explain *x);      /* explain_port.c */
void etm_explain_trace(struct etm_explain *x);     /* explain_trace.c */
void etm_explain_view_data(struct etm_explain *x);
void etm_explain_comparators(struct etm_explain *x); /* explain_resources.c */
void etm_explain_dwt(struct etm_explain *x);         /* explain_dwt.c */
void etm_explain_trigger(struct etm_explain *x);
void etm_explain_counters(struct etm_explain *x);
void etm_explain_sequencer(struct etm_explain *x);
void etm_explain_outputs(struct etm_explain *x); /* explain_outputs.c */
void etm_explain_fifo(struct etm_explain *x);
void etm_explain_state(struct etm_explain *x); /* explain_state.c */

/*
 * Why TraceEnable or ViewData is imprecise: reason n from 0, false after the
 * last (2.6.4, 2.6.5). Only what is known counts.
 */
bool etm_imprecise_trace(const struct etm_view *view, unsigned n, char *text,
                         size_t capacity);
bool etm_imprecise_view(const struct etm_view *view, unsigned n, char *text,
                        size_t capacity);

/* The output of findings. */
struct etm_lints {
    const struct etm_view *view;
    struct etm_lint *lints;
    size_t capacity, n;
};

void etm_lint_add(struct etm_lints *l, enum etm_lint_rule rule,
                  enum etm_severity severity, uint32_t number,
                  const char *format, ...) ETM_WORDS_PRINTF(5, 6);

/* ETM_ERR_ARGUMENT: there is no place for `capacity` mistakes. */
int etm_lint_room(const struct etm_lint *lints, size_t capacity,
                  struct etm_diag *diag);

/* Bits of a register that select units, by their numbers. */
uint32_t etm_lint_selection_bits(uint32_t number);

/* Bits that must not be written with 1, apart from those. */
uint32_t etm_lint_reserved_bits(const struct etm_view *view, uint32_t number,
                                uint32_t value);

void etm_lint_comparators(struct etm_lints *l); /* lint_comparators.c */
void etm_lint_selections(struct etm_lints *l);  /* lint_selections.c */
void etm_lint_dwt(struct etm_lints *l);         /* explain_dwt.c */
void etm_lint_events(struct etm_lints *l);      /* lint_events.c */
void etm_lint_control(struct etm_lints *l);     /* lint_control.c */
void etm_lint_registers(struct etm_lints *l);

#endif
