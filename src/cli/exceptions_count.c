/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/exceptions.h"

#include <stdlib.h>
#include <string.h>

static void widen(struct etm_cli_spread *s, uint64_t value)
{
    s->least = s->n == 0 || value < s->least ? value : s->least;
    s->most = value > s->most ? value : s->most;
    s->whole += value;
    s->n++;
}

static struct etm_cli_exception *more_of(struct etm_cli_exceptions *x,
                                         size_t subject)
{
    if (subject >= x->n_more) {
        size_t n = 2 * subject + 16;
        struct etm_cli_exception *more = realloc(x->more, n * sizeof *more);

        if (!more)
            return NULL;
        memset(more + x->n_more, 0, (n - x->n_more) * sizeof *more);
        x->more = more;
        x->n_more = n;
    }
    return &x->more[subject];
}

/* Is it known how long it is since the last entry? */
static bool is_interval(const struct etm_cli_replay *r,
                        const struct etm_call *c,
                        const struct etm_cli_exception *m)
{
    uint32_t gaps = c->gaps - m->gaps;
    uint32_t timed = r->cycles ? c->timed_gaps - m->timed_gaps : 0;

    if (r->unit == ETM_TIME_TICKS)
        return r->when.time.sure && m->when.sure &&
               r->when.time.ticks >= m->when.ticks;
    return gaps <= timed;
}

static void count_entry(struct etm_cli_exceptions *x,
                        const struct etm_cli_replay *r,
                        const struct etm_call *c, struct etm_cli_exception *m)
{
    uint64_t now = r->unit == ETM_TIME_TICKS ? r->when.time.ticks
                                             : etm_cli_in_unit(r, c->at);

    if (m->entries++ != 0 && is_interval(r, c, m))
        widen(&m->intervals, now - m->last);
    m->chained += x->ended && x->ended_at == c->at.instructions &&
                  x->ended_gaps == c->gaps;
    x->starting_gaps = c->gaps;
    m->last = now;
    m->gaps = c->gaps;
    m->timed_gaps = c->timed_gaps;
    if (x->nested[c->task] > m->nesting)
        m->nesting = x->nested[c->task];
    x->nested[c->task]++;
}

static void count_exit(struct etm_cli_exceptions *x,
                       const struct etm_cli_replay *r, const struct etm_call *c,
                       struct etm_cli_exception *m)
{
    uint64_t duration = etm_cli_duration(r, c);
    unsigned bucket = 0;

    x->nested[c->task]--;
    /* one that never ran gives way to a later one (late arrival) */
    x->ended = (c->flags & ETM_CALL_CUT) == 0 && c->total.instructions != 0;
    x->ended_at = c->at.instructions;
    x->ended_gaps = c->gaps;
    if (!etm_cli_is_complete(r, c))
        return;
    while (duration >> bucket != 0 && bucket < ETM_CLI_BUCKETS - 1)
        bucket++;
    m->durations[bucket]++;
}

static int take_call(struct etm_cli_exceptions *x,
                     const struct etm_cli_replay *r, const struct etm_call *c)
{
    struct etm_cli_exception *m;
    size_t subject;
    int status = etm_cli_subjects_count(&x->subjects, r, c);

    if (status == ETM_OK)
        status = etm_cli_edges_count(&x->edges, &x->subjects, r, c);
    if (c->gaps != x->starting_gaps)
        x->starting = 0; /* the beginning of its handler is not in the trace */
    if (status != ETM_OK || (c->flags & ETM_CALL_EXCEPTION) == 0)
        return status;
    subject = etm_cli_subject_of(&x->subjects, r, c);
    m = subject != SIZE_MAX ? more_of(x, subject) : NULL;
    if (!m)
        return ETM_ERR_MEMORY;
    if (c->kind == ETM_CALL_ENTER)
        count_entry(x, r, c, m);
    else
        count_exit(x, r, c, m);
    x->starting = c->kind == ETM_CALL_ENTER ? subject + 1 : 0;
    return ETM_OK;
}

/* The first instruction of a handler has all cycles since the exception was
 * taken; in PFT, the last one of a range has those of all. */
void etm_cli_exceptions_insn(struct etm_cli_exceptions *x,
                             const struct etm_cli_replay *r,
                             const struct etm_element *e)
{

    if (x->starting != 0 && r->cycles &&
        r->info->config.protocol != ETM_PROTOCOL_PFT &&
        e->u.insn.cycles != ETM_CYCLES_UNKNOWN)
        widen(&x->more[x->starting - 1].starts, e->u.insn.cycles);
    x->starting = 0;
}

/* What is measured in ticks is counted when the time is known. */
int etm_cli_exceptions_calls(struct etm_cli_exceptions *x,
                             const struct etm_cli_replay *r,
                             const struct etm_call *calls, size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++)
        if (calls[i].kind != ETM_CALL_SWITCH && r->unit != ETM_TIME_TICKS)
            status = take_call(x, r, &calls[i]);
    return status;
}

int etm_cli_exceptions_timed(struct etm_cli_exceptions *x,
                             const struct etm_cli_replay *r,
                             const struct etm_call *calls, size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        const struct etm_call *c = &calls[i];
        struct etm_cli_exception *m;
        size_t subject;

        if (c->kind != ETM_CALL_SWITCH && r->unit == ETM_TIME_TICKS)
            status = take_call(x, r, c);
        if (status != ETM_OK || c->kind != ETM_CALL_ENTER ||
            (c->flags & ETM_CALL_EXCEPTION) == 0)
            continue;
        subject = etm_cli_subject_of(&x->subjects, r, c);
        m = subject != SIZE_MAX ? more_of(x, subject) : NULL;
        if (!m)
            return ETM_ERR_MEMORY;
        if (m->timed++ == 0)
            m->first = r->when.time;
        m->when = r->when.time;
    }
    return status;
}

void etm_cli_exceptions_free(struct etm_cli_exceptions *x)
{
    free(x->more);
    etm_cli_edges_free(&x->edges);
    etm_cli_subjects_free(&x->subjects);
    *x = (struct etm_cli_exceptions){0};
}
