/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/variables.h"

static const struct etm_cli_variables_form *
form_of(const struct etm_cli_replay *r)
{
    const char *format = r->options->format;

    return r->options->view.watch ? etm_cli_variables_list(format)
                                  : etm_cli_variables_sum(format);
}

static int take(void *context, void *item, const struct etm_clock_time *time)
{
    struct etm_cli_replay *r = context;

    return form_of(r)->sight(r, item, time);
}

static int hold(struct etm_cli_replay *r, struct etm_cli_sight *sight)
{
    struct etm_cli_variables *v = r->state;

    return v->clock ? etm_clock_hold(v->clock, etm_cli_now(r), sight)
                    : take(r, sight, &(struct etm_clock_time){0});
}

static void take_element(struct etm_cli_replay *r, const struct etm_element *e)
{
    struct etm_cli_variables *v = r->state;

    etm_cli_sights_element(&v->sights, e);
    if (v->sights.status == ETM_OK && v->clock &&
        e->kind == ETM_ELEMENT_TIMESTAMP &&
        e->u.timestamp.value != ETM_TIMESTAMP_UNKNOWN)
        v->sights.status =
            etm_clock_timestamp(v->clock, etm_cli_now(r), e->u.timestamp.value);
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    const struct etm_cli_replay *r = context;
    const struct etm_cli_variables *v = r->state;

    (void)calls;
    (void)n;
    return v->sights.status;
}

static int prepare(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    v->sights.take = hold;
    return etm_cli_sights_open(&v->sights, r);
}

static int begin_source(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;
    const struct etm_clock_config config = {.size = sizeof config,
                                            .take = take,
                                            .context = r,
                                            .sizeof_item =
                                                sizeof(struct etm_cli_sight)};

    etm_cli_sights_source(&v->sights);
    form_of(r)->head(r);
    return r->times ? etm_clock_new(&v->clock, &config) : ETM_OK;
}

static int end_source(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    if (v->sights.status == ETM_OK && v->clock)
        v->sights.status = etm_clock_finish(v->clock);
    etm_clock_free(v->clock);
    v->clock = NULL;
    if (v->sights.status == ETM_OK)
        form_of(r)->end(r);
    if (v->sights.transfers.all == 0 && !etm_cli_is_itm(r))
        etm_cli_error("%s: no data transfers are in the trace", r->info->name);
    else if (v->sights.transfers.without_address == v->sights.transfers.all &&
             v->sights.transfers.shown == 0)
        etm_cli_error("%s: no data transfer has an address: it is not known of "
                      "which variables they are",
                      r->info->name);
    else if (v->sights.transfers.without_value == v->sights.transfers.all)
        etm_cli_error("%s: no data transfer has a value: what is known is when "
                      "variables are accessed",
                      r->info->name);
    return v->sights.status;
}

static int end(struct etm_cli_replay *r)
{
    const struct etm_cli_variables *v = r->state;

    etm_cli_watch_unseen(&v->sights.watch);
    return ETM_OK;
}

static void free_all(struct etm_cli_replay *r)
{
    struct etm_cli_variables *v = r->state;

    etm_clock_free(v->clock);
    etm_cli_variables_sum_free(v);
    etm_cli_sights_free(&v->sights);
}

#define VIEW(text, told)                                                       \
    {                                                                          \
        .command = ETM_CLI_VARIABLES, .format = text,                          \
        .state_size = sizeof(struct etm_cli_variables), .prepare = prepare,    \
        .source = begin_source, .calls = take_calls, .element = take_element,  \
        .end_source = end_source, .end = end, .free = free_all,                \
        .tells_time = told                                                     \
    }

const struct etm_cli_view etm_cli_variables_text = VIEW("text", false);
const struct etm_cli_view etm_cli_variables_jsonl = VIEW("jsonl", true);
const struct etm_cli_view etm_cli_variables_csv = VIEW("csv", true);
