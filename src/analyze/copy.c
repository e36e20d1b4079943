/* SPDX-License-Identifier: Apache-2.0 */
/* Another engine in the state of this one: for those who go back. */
#include "analyze/calls.h"

#include <string.h>

static int copy_vec(struct etm_vec *to, const struct etm_vec *from)
{
    to->n = 0;
    return from->n == 0 ? ETM_OK : etm_vec_append(to, from->data, from->n);
}

static int copy_functions(struct etm_functions *to,
                          const struct etm_functions *from)
{
    int status = copy_vec(&to->rows, &from->rows);

    if (status == ETM_OK)
        status = copy_vec(&to->index, &from->index);
    /* recent lookups may be those of any time */
    if (status == ETM_OK)
        memcpy(to->places.data, from->places.data,
               ETM_FUNCTION_PLACES * sizeof(struct etm_function_place));
    to->status = from->status;
    return status;
}

static int copy_task(struct etm_task *to, const struct etm_task *from)
{
    struct etm_vec frames = to->frames;
    int status = copy_vec(&frames, &from->frames);

    *to = *from;
    to->frames = frames;
    return status;
}

int etm_calls_copy(struct etm_calls *to, const struct etm_calls *from)
{
    int status = copy_functions(&to->functions, &from->functions);

    for (size_t i = 0; i < ETM_CALL_TASKS && status == ETM_OK; i++)
        if (i < from->n_tasks)
            status = copy_task(&to->tasks[i], &from->tasks[i]);
        else
            to->tasks[i].frames.n = 0;
    if (status != ETM_OK)
        return status;
    /* what is inlined at an address is looked up by each on its own */
    memcpy(to->waiting, from->waiting, sizeof to->waiting);
    to->n_waiting = from->n_waiting;
    to->ticking = from->ticking;
    to->low = from->low;
    to->span = from->span;
    to->after = from->after;
    to->last_isa = from->last_isa;
    to->last_address = from->last_address;
    to->end = from->end;
    to->at = from->at;
    to->now = &to->tasks[from->task];
    to->task = from->task;
    to->n_tasks = from->n_tasks;
    to->turn = from->turn;
    to->offset = from->offset;
    to->timestamp = from->timestamp;
    to->source = from->source;
    to->gap_at = from->gap_at;
    to->gap_open = from->gap_open;
    to->gaps = from->gaps;
    to->timed_gaps = from->timed_gaps;
    to->gap_cycles = from->gap_cycles;
    to->value_known = from->value_known;
    to->value = from->value;
    to->status = from->status;
    to->n_batch = 0;
    return ETM_OK;
}
