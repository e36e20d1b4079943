/* SPDX-License-Identifier: Apache-2.0 */
/* All sentences, topic by topic. */
#include "setup/explain.h"

#include "base/diag.h"

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
