/* SPDX-License-Identifier: Apache-2.0 */
/* All sentences, topic by topic. */
#include "setup/explain.h"

#include "base/diag.h"

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

int etm_explain(const struct etm_explain_config *config, etm_explain_fn *line,
                void *context, struct etm_diag *diag)
{
    static const struct {
        enum etm_topic topic;
        void (*say)(struct etm_explain *x);
    } topics[] = {
        {ETM_TOPIC_MACROCELL, etm_explain_macrocell},
        {ETM_TOPIC_MODES, etm_explain_modes},
        {ETM_TOPIC_MODES, etm_explain_port},
        {ETM_TOPIC_TRACE_ENABLE, etm_explain_trace},
        {ETM_TOPIC_VIEW_DATA, etm_explain_view_data},
        {ETM_TOPIC_TRIGGER, etm_explain_trigger},
        {ETM_TOPIC_COMPARATORS, etm_explain_comparators},
        {ETM_TOPIC_COMPARATORS, etm_explain_dwt},
        {ETM_TOPIC_COUNTERS, etm_explain_counters},
        {ETM_TOPIC_SEQUENCER, etm_explain_sequencer},
        {ETM_TOPIC_OUTPUTS, etm_explain_outputs},
        {ETM_TOPIC_FIFO, etm_explain_fifo},
        {ETM_TOPIC_STATE, etm_explain_state},
    };
    struct etm_explain x = {.line = line, .context = context};
    int status = etm_view_init(&x.view, config, diag);

    if (status != ETM_OK)
        return status;
    if (line == NULL)
        return etm_diag_say(diag, ETM_ERR_ARGUMENT, "line", "nobody listens");
    for (size_t i = 0; i < sizeof topics / sizeof *topics && x.status == 0;
         i++) {
        x.topic = topics[i].topic;
        topics[i].say(&x);
    }
    return x.status;
}
