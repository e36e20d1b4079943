/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/timed.h"

#include <stdlib.h>

/* The times at which the frames of a task were entered, from the bottom. */
struct entered {
    struct etm_clock_time *rows;
    size_t room;
};

struct etm_cli_timed {
    struct etm_cli_replay *replay;
    const struct etm_cli_view *view;
    struct etm_clock *clock;
    struct entered tasks[ETM_CALL_TASKS];
};

static struct etm_clock_time *frame_of(struct etm_cli_timed *t,
                                       const struct etm_call *call)
{
    struct entered *task = &t->tasks[call->task];

    if (call->depth >= task->room) {
        size_t room = 2 * (size_t)call->depth + 64;
        struct etm_clock_time *rows = realloc(task->rows, room * sizeof *rows);

        if (!rows)
            return NULL;
        task->rows = rows;
        task->room = room;
    }
    return &task->rows[call->depth];
}

/* Of what passed since its beginning, as much as its task executed. */
static uint64_t duration_of(const struct etm_cli_replay *r,
                            const struct etm_call *call)
{
    uint64_t own = etm_cli_in_unit(r, call->total);
    uint64_t all =
        etm_cli_in_unit(r, call->at) - etm_cli_in_unit(r, call->from);
    uint64_t ticks = r->when.time.ticks - r->when.from.ticks;

    return own >= all ? ticks
                      : (uint64_t)((double)ticks * (double)own / (double)all);
}

static int take(void *context, void *item, const struct etm_clock_time *time)
{
    struct etm_cli_timed *t = context;
    struct etm_cli_replay *r = t->replay;
    const struct etm_call *call = item;

    r->when = (struct etm_cli_when){.time = *time};
    if (call->kind != ETM_CALL_SWITCH) {
        struct etm_clock_time *from = frame_of(t, call);

        if (!from)
            return ETM_ERR_MEMORY;
        if (call->kind == ETM_CALL_ENTER)
            *from = *time;
        r->when.from = *from;
        r->when.duration = duration_of(r, call);
    }
    return t->view->timed ? t->view->timed(r, call, 1)
                          : t->view->calls(r, call, 1);
}

int etm_cli_timed_new(struct etm_cli_timed **timed,
                      struct etm_cli_replay *replay,
                      const struct etm_cli_view *view)
{
    const struct etm_clock_config config = {
        .size = sizeof config,
        .take = take,
        .context = calloc(1, sizeof **timed),
        .sizeof_item = sizeof(struct etm_call)};
    struct etm_cli_timed *t = config.context;
    int status;

    *timed = NULL;
    if (!t)
        return ETM_ERR_MEMORY;
    t->replay = replay;
    t->view = view;
    status = etm_clock_new(&t->clock, &config);
    if (status != ETM_OK)
        free(t);
    else
        *timed = t;
    return status;
}

void etm_cli_timed_free(struct etm_cli_timed *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < ETM_CALL_TASKS; i++)
        free(t->tasks[i].rows);
    etm_clock_free(t->clock);
    free(t);
}

int etm_cli_timed_calls(struct etm_cli_timed *t, const struct etm_call *calls,
                        size_t n)
{
    enum etm_time_unit unit = etm_cli_cost_unit(t->replay);
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        status = etm_clock_hold(t->clock, etm_call_place(&calls[i], unit),
                                &calls[i]);
    return status;
}

int etm_cli_timed_timestamp(struct etm_cli_timed *t,
                            const struct etm_element *element)
{
    if (element->u.timestamp.value == ETM_TIMESTAMP_UNKNOWN)
        return ETM_OK;
    return etm_clock_timestamp(t->clock, etm_cli_now(t->replay),
                               element->u.timestamp.value);
}

int etm_cli_timed_finish(struct etm_cli_timed *t)
{
    return etm_clock_finish(t->clock);
}
