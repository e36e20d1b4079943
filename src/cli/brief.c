/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/brief.h"

#include <stdlib.h>
#include <string.h>

/* A task may be suspended for long: no more than this waits for it. */
#define WAITING_MOST ((size_t)1 << 16)

static int append(struct etm_cli_brief *b, const struct etm_cli_replay *r,
                  const struct etm_call *call)
{
    if (b->n == b->room) {
        size_t room = 2 * b->room + 64;
        struct etm_cli_waiting *rows = realloc(b->rows, room * sizeof *rows);

        if (!rows)
            return ETM_ERR_MEMORY;
        b->rows = rows;
        b->room = room;
    }
    b->rows[b->n++] = (struct etm_cli_waiting){
        *call, r->when, b->ran[call->task], call->kind != ETM_CALL_ENTER};
    return ETM_OK;
}

/* The ENTER that waits for this LEAVE; SIZE_MAX: it was shown. */
static size_t beginning_of(const struct etm_cli_brief *b,
                           const struct etm_call *call)
{
    for (size_t i = b->n; i > 0; i--) {
        const struct etm_call *c = &b->rows[i - 1].call;

        if (c->kind == ETM_CALL_ENTER && c->task == call->task &&
            c->depth == call->depth)
            return i - 1;
    }
    return SIZE_MAX;
}

/* What is long, is so with all that called it. */
static void keep(struct etm_cli_brief *b, size_t from,
                 const struct etm_call *call)
{
    for (size_t i = 0; i <= from && from < b->n; i++)
        if (b->rows[i].call.task == call->task)
            b->rows[i].stays = true;
}

/* How long each task has run. */
static void pass_time(struct etm_cli_brief *b, const struct etm_cli_replay *r,
                      const struct etm_call *call)
{
    uint64_t now = r->unit == ETM_TIME_TICKS ? r->when.time.ticks
                                             : etm_cli_in_unit(r, call->at);

    if (now > b->last) {
        b->ran[b->task] += now - b->last;
        b->last = now;
    }
    if (call->kind != ETM_CALL_LEAVE)
        b->task = call->task;
}

/* Show those at the front that stay, or have run long enough to do so. */
static int show_front(struct etm_cli_brief *b, struct etm_cli_replay *r,
                      etm_cli_brief_fn *show)
{
    const struct etm_cli_when when = r->when;
    size_t n = 0;
    int status = ETM_OK;

    for (; n < b->n && status == ETM_OK; n++) {
        const struct etm_cli_waiting *w = &b->rows[n];

        if (!w->stays && b->n < WAITING_MOST &&
            b->ran[w->call.task] - w->ran < r->options->view.minimum_duration)
            break;
        r->when = w->when;
        status = show(r, &w->call);
    }
    if (n != 0)
        memmove(b->rows, b->rows + n, (b->n - n) * sizeof *b->rows);
    b->n -= n;
    r->when = when;
    return status;
}

int etm_cli_brief_take(struct etm_cli_brief *b, struct etm_cli_replay *r,
                       const struct etm_call *call, etm_cli_brief_fn *show)
{
    size_t from = SIZE_MAX;
    int status = ETM_OK;

    if (r->options->view.minimum_duration == 0)
        return show(r, call);
    pass_time(b, r, call);
    if (call->kind == ETM_CALL_LEAVE)
        from = beginning_of(b, call);
    if (from != SIZE_MAX && etm_cli_is_complete(r, call) &&
        etm_cli_duration(r, call) < r->options->view.minimum_duration) {
        b->n--;
        memmove(b->rows + from, b->rows + from + 1,
                (b->n - from) * sizeof *b->rows);
    } else {
        keep(b, from, call);
        status = append(b, r, call);
    }
    return status == ETM_OK ? show_front(b, r, show) : status;
}

int etm_cli_brief_end(struct etm_cli_brief *b, struct etm_cli_replay *r,
                      etm_cli_brief_fn *show)
{
    int status;

    for (size_t i = 0; i < b->n; i++)
        b->rows[i].stays = true;
    status = show_front(b, r, show);
    memset(b->ran, 0, sizeof b->ran);
    b->task = 0;
    b->last = 0;
    return status;
}

void etm_cli_brief_free(struct etm_cli_brief *b)
{
    free(b->rows);
    *b = (struct etm_cli_brief){0};
}
