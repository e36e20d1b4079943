/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks: which stack runs. One that does not run keeps its frames. */
#include "analyze/calls.h"

/* What passed since then, in a task that did not run. */
static void add_away(struct etm_calls *c, struct etm_task *task)
{
    task->away.instructions += c->at.instructions - task->left_at.instructions;
    task->away.cycles += c->at.cycles - task->left_at.cycles;
}

/* Frames of the task that runs count as open ones. */
static void count_open(struct etm_calls *c, const struct etm_vec *frames,
                       bool open)
{
    const struct etm_frame *frame = frames->data;

    for (size_t i = 0; i < frames->n; i++) {
        uint32_t function = frame[i].function;

        if (function != ETM_CALL_NO_FUNCTION)
            etm_functions_row(&c->functions, function)->open +=
                open ? 1u : UINT32_MAX; /* - 1 */
    }
}

/* From now on `task` runs. */
static void choose(struct etm_calls *c, uint32_t task)
{
    struct etm_task *t = c->now;

    count_open(c, &t->frames, false);
    count_open(c, &t->inlined, false);
    t->left_at = c->at;
    t->turn = ++c->turn;
    c->task = task;
    c->now = t = &c->tasks[task];
    add_away(c, t);
    t->waiting = false;
    t->turn = c->turn;
    t->kept = t->frames.n;
    count_open(c, &t->frames, true);
    count_open(c, &t->inlined, true);
}

static void go_on(struct etm_calls *c, uint32_t task)
{
    choose(c, task);
    etm_stack_switched(c);
}

/* Leave what a task that does not run still has. */
static void give_up(struct etm_calls *c, uint32_t task)
{
    uint32_t now = c->task;
    const struct etm_task was = *c->now;

    choose(c, task);
    etm_stack_unwind(c, 0, ETM_CALL_CUT);
    choose(c, now);
    c->tasks[now].turn = was.turn;
    c->tasks[now].kept = was.kept;
}

static void begin_task(struct etm_calls *c, uint32_t task, uint32_t address)
{
    struct etm_task *t = &c->tasks[task];
    struct etm_call_task known = {.context_id_known =
                                      c->now->known.context_id_known,
                                  .context_id = c->now->known.context_id,
                                  .address = address};

    t->known = known;
    t->waiting = false;
    t->kept = 0;
    t->left_at = c->at;
    t->away = (struct etm_call_cost){0};
}

/* A task that nothing is known of; the longest unused one, where they are too
 * many. */
static uint32_t new_task(struct etm_calls *c, uint32_t address)
{
    uint32_t oldest = c->task;

    if (c->n_tasks < ETM_CALL_TASKS) {
        oldest = c->n_tasks++;
    } else {
        for (uint32_t i = 0; i < c->n_tasks; i++)
            if (i != c->task &&
                (oldest == c->task || c->tasks[i].turn < c->tasks[oldest].turn))
                oldest = i;
        give_up(c, oldest);
    }
    begin_task(c, oldest, address);
    return oldest;
}

void etm_tasks_init(struct etm_calls *c)
{
    for (size_t i = 0; i < ETM_CALL_TASKS; i++) {
        etm_vec_init(&c->tasks[i].frames, sizeof(struct etm_frame),
                     &c->allocator);
        etm_vec_init(&c->tasks[i].inlined, sizeof(struct etm_frame),
                     &c->allocator);
    }
    c->now = c->tasks;
    c->n_tasks = 1;
}

void etm_tasks_fini(struct etm_calls *c)
{
    for (size_t i = 0; i < ETM_CALL_TASKS; i++) {
        etm_vec_fini(&c->tasks[i].frames);
        etm_vec_fini(&c->tasks[i].inlined);
    }
}

static bool same_context(const struct etm_task *a, const struct etm_task *b)
{
    return a->known.context_id_known == b->known.context_id_known &&
           a->known.context_id == b->known.context_id;
}

void etm_tasks_context(struct etm_calls *c, uint32_t context_id)
{
    struct etm_task *now = c->now;
    uint32_t found = c->task;

    if (now->known.context_id_known && now->known.context_id == context_id)
        return;
    if (now->known.context_id_known) {
        for (uint32_t i = 0; i < c->n_tasks; i++) {
            const struct etm_task *t = &c->tasks[i];

            if (i != c->task && t->known.context_id_known &&
                t->known.context_id == context_id &&
                (found == c->task || t->turn > c->tasks[found].turn))
                found = i;
        }
        if (found == c->task)
            found = new_task(c, c->end);
        if (c->status != ETM_OK)
            return;
        go_on(c, found);
        if (c->after <= ETM_AFTER_INDIRECT)
            c->after = ETM_AFTER_SWITCH;
    }
    now = c->now;
    now->known.context_id_known = true;
    now->known.context_id = context_id;
}

/* The task of this context that has waited longest for the address, and whose
 * value is that of the task variable, if that was stored. */
static uint32_t waiting_at(const struct etm_calls *c, uint32_t address)
{
    uint32_t found = c->task;

    for (uint32_t i = 0; i < c->n_tasks; i++) {
        const struct etm_task *t = &c->tasks[i];

        if (i != c->task && t->waiting && t->wait == address &&
            same_context(t, c->now) &&
            (!c->value_known || !t->known.value_known ||
             t->known.value == c->value) &&
            (found == c->task || t->turn < c->tasks[found].turn))
            found = i;
    }
    return found;
}

static uint32_t of_value(const struct etm_calls *c)
{
    for (uint32_t i = 0; i < c->n_tasks; i++)
        if (c->tasks[i].known.value_known &&
            c->tasks[i].known.value == c->value &&
            same_context(&c->tasks[i], c->now))
            return i;
    return c->task;
}

static void suspend(struct etm_calls *c, const uint32_t *wait)
{
    struct etm_task *now = c->now;

    now->waiting = wait != NULL;
    now->wait = wait ? *wait : 0;
}

static void note_value(struct etm_calls *c)
{
    struct etm_task *now = c->now;

    if (c->value_known) {
        now->known.value_known = true;
        now->known.value = c->value;
    }
    c->value_known = false;
}

void etm_tasks_resume(struct etm_calls *c, uint32_t address,
                      const uint32_t *wait)
{
    uint32_t found = waiting_at(c, address);

    if (found == c->task && c->value_known)
        found = of_value(c);
    if (found == c->task)
        found = new_task(c, address);
    if (c->status != ETM_OK)
        return;
    suspend(c, wait);
    go_on(c, found);
    note_value(c);
}

bool etm_tasks_waiting(struct etm_calls *c, uint32_t address)
{
    uint32_t found = waiting_at(c, address);

    if (found == c->task)
        return false;
    suspend(c, NULL);
    go_on(c, found);
    return true;
}

void etm_tasks_take_turns(struct etm_calls *c, uint32_t address)
{
    uint32_t found = waiting_at(c, address);

    if (found != c->task) {
        suspend(c, &address);
        go_on(c, found);
    }
}

bool etm_tasks_by_value(struct etm_calls *c, uint32_t wait)
{
    const struct etm_task *now = c->now;
    uint32_t found;

    if (c->value_known && now->known.value_known &&
        now->known.value != c->value) {
        found = of_value(c);
        if (found != c->task) {
            suspend(c, &wait);
            go_on(c, found);
            note_value(c);
            return true;
        }
    }
    note_value(c);
    return false;
}

bool etm_tasks_mistaken(struct etm_calls *c, uint32_t address)
{
    struct etm_task *now = c->now;
    uint32_t wait = now->wait;

    if (now->kept == 0 || now->kept != now->frames.n)
        return false;
    for (uint32_t i = 0; i < c->n_tasks; i++) {
        const struct etm_task *t = &c->tasks[i];
        const struct etm_frame *top = etm_task_top(t);

        if (i != c->task && t->waiting && t->wait == wait && top &&
            same_context(t, now) && top->return_known &&
            top->return_address == address) {
            suspend(c, &wait);
            go_on(c, i);
            return true;
        }
    }
    return false;
}

void etm_tasks_end(struct etm_calls *c)
{
    etm_stack_unwind(c, 0, ETM_CALL_CUT);
    for (uint32_t i = 0; i < c->n_tasks; i++)
        if (i != c->task && c->tasks[i].frames.n != 0)
            give_up(c, i);
}
