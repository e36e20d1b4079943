/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences and mistakes on their way to the caller. */
#include "setup/explain.h"
#include "setup/lint_rules.h"

#include <stdarg.h>
#include <stdio.h>

static void give(struct etm_explain *x, const char *subject,
                 const uint32_t *numbers, size_t n, const char *text,
                 bool known)
{
    struct etm_explain_line line = {
        .topic = x->topic,
        .subject = subject,
        .text = text,
        .registers = numbers,
        .n_registers = n,
        .known = known,
    };

    if (x->status == 0)
        x->status = x->line(x->context, &line);
}

void etm_explain_say(struct etm_explain *x, const char *subject,
                     const uint32_t *numbers, size_t n, const char *format, ...)
{
    char text[2048];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    give(x, subject, numbers, n, text, true);
}

/* Dumps cannot contain write-only registers (table 3-3, note d). */
static bool all_write_only(const struct etm_view *view, const uint32_t *numbers,
                           size_t n)
{
    if (!view->has_file || !view->extension_known)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (etm_register_beside(numbers[i]) ||
            (view->file.flags[numbers[i]] & ETM_REG_READS) != 0)
            return false;
    }
    return true;
}

bool etm_explain_unknown(struct etm_explain *x, const char *subject,
                         const uint32_t *numbers, size_t n, const char *what)
{
    const struct etm_view *view = &x->view;
    uint32_t missing[40];
    size_t count = 0;
    char text[1024];
    struct etm_words w = etm_words_on(text, sizeof text);

    for (size_t i = 0; i < n && count < 40; i++) {
        if (etm_view_exists(view, numbers[i]) &&
            !etm_view_knows(view, numbers[i]))
            missing[count++] = numbers[i];
    }
    if (count == 0)
        return false;
    etm_words_add(&w, "Not known without ");
    for (size_t i = 0; i < count; i++) {
        const char *name = etm_register_name(missing[i]);

        etm_words_between(&w, (unsigned)i, (unsigned)count, " and ");
        etm_words_add(&w, "%s", name != NULL ? name : "?");
    }
    if (all_write_only(view, missing, count))
        etm_words_add(&w, ", which %s write-only", count == 1 ? "is" : "are");
    etm_words_add(&w, ": %s.", what);
    give(x, subject, missing, count, text, false);
    return true;
}

#define SECTION(rule, id, section) [rule] = section,

void etm_lint_add(struct etm_lints *l, enum etm_lint_rule rule,
                  enum etm_severity severity, uint32_t number,
                  const char *format, ...)
{
    static const char *const sections[] = {ETM_LINT_LIST(SECTION)};
    va_list arguments;
    struct etm_lint *lint;

    if (l->n++ >= l->capacity)
        return;
    lint = &l->lints[l->n - 1];
    *lint = (struct etm_lint){.rule = rule,
                              .severity = severity,
                              .number = number,
                              .section = sections[rule]};
    va_start(arguments, format);
    (void)vsnprintf(lint->text, sizeof lint->text, format, arguments);
    va_end(arguments);
}
