/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of lint: X(RULE, its id for programs, section of the ETM
 * architecture). */
#ifndef ETM_SETUP_LINT_RULES_H
#define ETM_SETUP_LINT_RULES_H

#define ETM_LINT_LIST(X)                                                       \
    X(ETM_LINT_DATA_EXCLUDED, "data-excluded", "2.6.4")                        \
    X(ETM_LINT_RANGE_EMPTY, "range-empty", "3.5.10")                           \
    X(ETM_LINT_RANGE_TYPES, "range-types", "2.7.7")                            \
    X(ETM_LINT_RANGE_TOP, "range-top", "2.7.7")                                \
    X(ETM_LINT_VALUE_MISPLACED, "value-misplaced", "3.5.10")                   \
    X(ETM_LINT_VALUE_IN_RANGE, "value-in-range", "2.8.2")                      \
    X(ETM_LINT_RESERVED_TYPE, "reserved-type", "3.5.10")                       \
    X(ETM_LINT_NO_FETCH, "no-fetch", "3.5.6")                                  \
    X(ETM_LINT_NO_DATA_ADDRESS, "no-data-address", "2.2.1")                    \
    X(ETM_LINT_UNALIGNED, "unaligned", "2.7.1")                                \
    X(ETM_LINT_LANES, "lanes", "2.8.3")                                        \
    X(ETM_LINT_UNMASKED_LANES, "unmasked-lanes", "2.8.2")                      \
    X(ETM_LINT_VALUE_UNDER_MASK, "value-under-mask", "3.5.11")                 \
    X(ETM_LINT_START_AND_STOP, "start-and-stop", "2.6.4")                      \
    X(ETM_LINT_EXACT_VIEW, "exact-view", "2.6.5")                              \
    X(ETM_LINT_STALL_AND_SUPPRESS, "stall-and-suppress", "2.6.6")              \
    X(ETM_LINT_FIFO_LEVEL, "fifo-level", "3.5.8")                              \
    X(ETM_LINT_NO_FIFOFULL, "no-fifofull", "2.6.6")                            \
    X(ETM_LINT_CPRT_FILTER, "cprt-filter", "2.6.5")                            \
    X(ETM_LINT_RESOURCE, "resource", "3.6.1")                                  \
    X(ETM_LINT_SELECTION, "selection", "3.5.7")                                \
    X(ETM_LINT_EXTENDED_INPUT, "extended-input", "3.5.20")                     \
    X(ETM_LINT_TRANSITION, "transition", "3.5.13")                             \
    X(ETM_LINT_SEQUENCER_STATE, "sequencer-state", "3.5.13")                   \
    X(ETM_LINT_COUNT_SOURCE, "count-source", "3.5.12")                         \
    X(ETM_LINT_COUNTER_VALUE, "counter-value", "2.2.3")                        \
    X(ETM_LINT_WHILE_TRACING, "while-tracing", "3.4.3")                        \
    X(ETM_LINT_CORE_SELECT, "core-select", "3.5.1")                            \
    X(ETM_LINT_PORT, "port", "3.5.1")                                          \
    X(ETM_LINT_PORT_OFF, "port-off", "3.5.1")                                  \
    X(ETM_LINT_SYNC_PERIOD, "sync-period", "3.5.17")                           \
    X(ETM_LINT_IMPRECISE_TRACE, "imprecise-trace", "2.6.4")                    \
    X(ETM_LINT_IMPRECISE_VIEW, "imprecise-view", "2.6.5")                      \
    X(ETM_LINT_NO_STOP, "no-stop", "2.6.4")                                    \
    X(ETM_LINT_LATCHED_POINT, "latched-point", "7.6.1")                        \
    X(ETM_LINT_NEVER_MATCHES, "never-matches", "7.6")                          \
    X(ETM_LINT_NOTHING_TRACED, "nothing-traced", "2.6.4")                      \
    X(ETM_LINT_NO_DATA_TRACED, "no-data-traced", "2.6.5")                      \
    X(ETM_LINT_VIEW_IGNORED, "view-ignored", "3.5.9")                          \
    X(ETM_LINT_RESERVED_BITS, "reserved-bits", "3.1")                          \
    X(ETM_LINT_NO_REGISTER, "no-register", "3.4")                              \
    X(ETM_LINT_READ_ONLY, "read-only", "3.1")                                  \
    X(ETM_LINT_SAVE_RESTORE, "save-restore", "3.5.24")                         \
    X(ETM_LINT_EXACT_REGION, "exact-region", "2.7.4")                          \
    X(ETM_LINT_INEXACT_EVENT, "inexact-event", "2.7.4")                        \
    X(ETM_LINT_JTAG_POWER, "jtag-power", "3.2.5")                              \
    X(ETM_LINT_JTAG_SHARED, "jtag-shared", "3.5.1")                            \
    X(ETM_LINT_TRACE_ID, "trace-id", "3.5.23")                                 \
    X(ETM_LINT_IDENTITY, "identity", "3.5.2")                                  \
    X(ETM_LINT_NO_FEATURE, "no-feature", "3.5.1")

#endif
