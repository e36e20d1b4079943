/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A macrocell's register values explained in words, and the mistakes in them.
 *
 * The values may come from a dump, from a capture, or from a setup that is to
 * be programmed. A register that is not among them is unknown: instead of what
 * depends on it, the explanation says that it is unknown. Values are
 * interpreted as the macrocell's version defines them, ETMv1.0 to ETMv3.5,
 * PFTv1.0 and PFTv1.1 (ETM architecture, chapter 3).
 */
#ifndef ETM_EXPLAIN_H
#define ETM_EXPLAIN_H

#include <etm/macrocell.h>
#include <etm/symbol.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What to explain. Zero means default for every field. */
struct etm_explain_config {
    size_t size; /* sizeof this struct, or 0 */

    /* Values by name, or by number if the name is empty or unknown. The last of
     * several values for one register counts. */
    const struct etm_register *registers;
    size_t n_registers;

    /*
     * The macrocell. Registers among the values have precedence: ETMIDR (ETMCCR
     * in v1.x) for its version, ETMCCR, ETMCCER and ETMSCR for the rest. NULL:
     * only these registers describe it. Without ETMCCR its resources are
     * unknown, and the largest possible number of each is assumed.
     */
    const struct etm_macrocell_config *macrocell;

    const struct etm_names *names; /* names of addresses; NULL: none */
};

/* What a sentence is about, in the order of output. X(NAME, text) */
#define ETM_TOPIC_LIST(X)                                                      \
    X(MACROCELL, "macrocell")                                                  \
    X(MODES, "modes")                                                          \
    X(TRACE_ENABLE, "instruction trace")                                       \
    X(VIEW_DATA, "data trace")                                                 \
    X(TRIGGER, "trigger")                                                      \
    X(COMPARATORS, "comparators")                                              \
    X(COUNTERS, "counters")                                                    \
    X(SEQUENCER, "sequencer")                                                  \
    X(OUTPUTS, "inputs and outputs")                                           \
    X(FIFO, "FIFO")                                                            \
    X(STATE, "state")

enum etm_topic {
#define ETM_TOPIC_ENUM(name, text) ETM_TOPIC_##name,
    ETM_TOPIC_LIST(ETM_TOPIC_ENUM)
#undef ETM_TOPIC_ENUM
};

/* "macrocell", "modes", ...; never NULL, static storage. */
const char *etm_topic_name(enum etm_topic topic);

/* One sentence. Its pointers are valid until the function returns. */
struct etm_explain_line {
    enum etm_topic topic;
    const char *subject; /* a part of the topic: "range 3", "precision" */
    const char *text;    /* with a full stop, without a line feed */
    /* The registers from which it was derived. */
    const uint32_t *registers;
    size_t n_registers;
    bool known; /* false: it says what is unknown */
};

/* A return value other than 0 stops. */
typedef int etm_explain_fn(void *context, const struct etm_explain_line *line);

/*
 * Explain all values: `line` is called for each sentence, grouped by topic.
 * Returns ETM_OK; ETM_ERR_ARGUMENT; ETM_ERR_CONFIG: neither the values nor
 * `macrocell` give a known version, *diag says why; or what `line` returned.
 */
int etm_explain(const struct etm_explain_config *config, etm_explain_fn *line,
                void *context, struct etm_diag *diag);

/*
 * An event in words (3.6), for instance "counter 2 at zero and address in range
 * 3", "always", "never". Only bits [16:0] of `event` are used. Writes at most
 * `capacity` bytes including the terminator and returns `text`.
 */
const char *etm_event_words(uint32_t event, char *text, size_t capacity);

/* How serious a mistake is. */
#define ETM_SEVERITY_LIST(X)                                                   \
    X(UNPREDICTABLE, "unpredictable") /* the specification says so */          \
    X(ADVICE, "advice")               /* allowed, but probably not intended */

enum etm_severity {
#define ETM_SEVERITY_ENUM(name, text) ETM_SEVERITY_##name,
    ETM_SEVERITY_LIST(ETM_SEVERITY_ENUM)
#undef ETM_SEVERITY_ENUM
};

/* "unpredictable" or "advice"; never NULL, static storage. */
const char *etm_severity_name(enum etm_severity severity);

/* Rules. X(NAME, id for programs, section of the ETM architecture) */
#define ETM_LINT_LIST(X)                                                       \
    X(DATA_EXCLUDED, "data-excluded", "2.6.4")                                 \
    X(RANGE_EMPTY, "range-empty", "3.5.10")                                    \
    X(RANGE_TYPES, "range-types", "2.7.7")                                     \
    X(RANGE_TOP, "range-top", "2.7.7")                                         \
    X(VALUE_MISPLACED, "value-misplaced", "3.5.10")                            \
    X(VALUE_IN_RANGE, "value-in-range", "2.8.2")                               \
    X(RESERVED_TYPE, "reserved-type", "3.5.10")                                \
    X(NO_FETCH, "no-fetch", "3.5.6")                                           \
    X(NO_DATA_ADDRESS, "no-data-address", "2.2.1")                             \
    X(UNALIGNED, "unaligned", "2.7.1")                                         \
    X(LANES, "lanes", "2.8.3")                                                 \
    X(UNMASKED_LANES, "unmasked-lanes", "2.8.2")                               \
    X(VALUE_UNDER_MASK, "value-under-mask", "3.5.11")                          \
    X(START_AND_STOP, "start-and-stop", "2.6.4")                               \
    X(EXACT_VIEW, "exact-view", "2.6.5")                                       \
    X(STALL_AND_SUPPRESS, "stall-and-suppress", "2.6.6")                       \
    X(FIFO_LEVEL, "fifo-level", "3.5.8")                                       \
    X(NO_FIFOFULL, "no-fifofull", "2.6.6")                                     \
    X(CPRT_FILTER, "cprt-filter", "2.6.5")                                     \
    X(RESOURCE, "resource", "3.6.1")                                           \
    X(SELECTION, "selection", "3.5.7")                                         \
    X(EXTENDED_INPUT, "extended-input", "3.5.20")                              \
    X(TRANSITION, "transition", "3.5.13")                                      \
    X(SEQUENCER_STATE, "sequencer-state", "3.5.13")                            \
    X(COUNT_SOURCE, "count-source", "3.5.12")                                  \
    X(COUNTER_VALUE, "counter-value", "2.2.3")                                 \
    X(WHILE_TRACING, "while-tracing", "3.4.3")                                 \
    X(CORE_SELECT, "core-select", "3.5.1")                                     \
    X(PORT, "port", "3.5.1")                                                   \
    X(PORT_OFF, "port-off", "3.5.1")                                           \
    X(SYNC_PERIOD, "sync-period", "3.5.17")                                    \
    X(IMPRECISE_TRACE, "imprecise-trace", "2.6.4")                             \
    X(IMPRECISE_VIEW, "imprecise-view", "2.6.5")                               \
    X(NO_STOP, "no-stop", "2.6.4")                                             \
    X(LATCHED_POINT, "latched-point", "7.6.1")                                 \
    X(NEVER_MATCHES, "never-matches", "7.6")                                   \
    X(NOTHING_TRACED, "nothing-traced", "2.6.4")                               \
    X(NO_DATA_TRACED, "no-data-traced", "2.6.5")                               \
    X(VIEW_IGNORED, "view-ignored", "3.5.9")                                   \
    X(RESERVED_BITS, "reserved-bits", "3.1")                                   \
    X(NO_REGISTER, "no-register", "3.4")                                       \
    X(READ_ONLY, "read-only", "3.1")                                           \
    X(SAVE_RESTORE, "save-restore", "3.5.24")                                  \
    X(EXACT_REGION, "exact-region", "2.7.4")                                   \
    X(INEXACT_EVENT, "inexact-event", "2.7.4")                                 \
    X(JTAG_POWER, "jtag-power", "3.2.5")                                       \
    X(JTAG_SHARED, "jtag-shared", "3.5.1")                                     \
    X(TRACE_ID, "trace-id", "3.5.23")                                          \
    X(IDENTITY, "identity", "3.5.2")                                           \
    X(NO_FEATURE, "no-feature", "3.5.1")

enum etm_lint_rule {
#define ETM_LINT_ENUM(name, id, section) ETM_LINT_##name,
    ETM_LINT_LIST(ETM_LINT_ENUM)
#undef ETM_LINT_ENUM
        ETM_LINT_RULES
};

/* "range-empty", ...; never NULL, static storage. */
const char *etm_lint_id(enum etm_lint_rule rule);

struct etm_lint {
    enum etm_lint_rule rule;
    enum etm_severity severity;
    uint32_t number;     /* of the register, or ETM_REGISTER_NONE */
    const char *section; /* of the ETM architecture; static storage */
    char text[256];      /* one sentence without a full stop */
    uint64_t reserve[2];
};

/*
 * Find the mistakes in the values. Writes at most `capacity` of them, in the
 * order of the rules, and returns how many there are, or a negative status as
 * for etm_explain(). A rule that needs an unknown value finds nothing.
 */
int etm_lint_values(const struct etm_explain_config *config,
                    struct etm_lint *lints, size_t capacity,
                    struct etm_diag *diag);

/* One register access of a program that sets up the macrocell. */
struct etm_lint_access {
    uint32_t number;
    uint32_t value; /* the value written or read */
    bool write;
};

/*
 * Find the mistakes in a sequence of accesses (3.4.3, 3.5.1, 3.5.13, 3.5.24):
 * registers written without the programming bit in effect, the selected core
 * changed with power on, save and restore out of sequence. `config` describes
 * the macrocell; its values are those of the registers before the first access.
 * Without a value for ETMCR, it is as after a reset. Results as for
 * etm_lint_values(),
 * but in the order of the accesses.
 */
int etm_lint_accesses(const struct etm_explain_config *config,
                      const struct etm_lint_access *accesses, size_t n,
                      struct etm_lint *lints, size_t capacity,
                      struct etm_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
