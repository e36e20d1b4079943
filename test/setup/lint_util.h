/* SPDX-License-Identifier: Apache-2.0 */
/* A rule finds a mistake, and nothing where it is put right. */
#ifndef TEST_SETUP_LINT_UTIL_H
#define TEST_SETUP_LINT_UTIL_H

#include "explain_util.h"

/* The register that it names is one of those, or none; of transitions it is
 * that without an event. */
static inline void assert_names(const struct etm_lint *lint,
                                const struct value *values)
{
    if (lint->number == ETM_REGISTER_NONE || lint->rule == ETM_LINT_TRANSITION)
        return;
    while (values->number != ETM_REGISTER_NONE &&
           values->number != lint->number)
        values++;
    if (values->number == ETM_REGISTER_NONE)
        fail_msg("%s names 0x%03x", etm_lint_id(lint->rule),
                 (unsigned)lint->number);
}

/* Of a plain setup with `wrong` in it the rule says so; with `right` not. */
static inline void both(unsigned version, enum etm_lint_rule rule,
                        enum etm_severity severity, const struct value *wrong,
                        const struct value *right)
{
    struct setting s;
    struct etm_lint lint;

    plain(&s, version);
    put_all(&s, wrong);
    if (linted(&s, rule, &lint) == 0)
        fail_msg("%s does not fire in %02x", etm_lint_id(rule), version);
    assert_int_equal(lint.severity, severity);
    assert_true(strlen(lint.text) > 10);
    assert_true(strlen(lint.section) >= 3);
    assert_names(&lint, wrong);
    plain(&s, version);
    put_all(&s, right);
    if (linted(&s, rule, &lint) != 0)
        fail_msg("%s in %02x: %s", etm_lint_id(rule), version, lint.text);
}

/* The version knows no such mistake. */
static inline void never(unsigned version, enum etm_lint_rule rule,
                         const struct value *values)
{
    struct setting s;
    struct etm_lint lint;

    plain(&s, version);
    put_all(&s, values);
    if (linted(&s, rule, &lint) != 0)
        fail_msg("%s in %02x: %s", etm_lint_id(rule), version, lint.text);
}

#define U ETM_SEVERITY_UNPREDICTABLE
#define A ETM_SEVERITY_ADVICE
#define VALUES(...)                                                            \
    (const struct value[])                                                     \
    {                                                                          \
        __VA_ARGS__, END                                                       \
    }

#endif
