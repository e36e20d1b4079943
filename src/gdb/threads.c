/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb/goto.h"
#include "gdb/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void etm_gdb_follow(struct etm_gdb_core *core)
{
    struct etm_gdb_place place;

    if (!core->follows || core->empty)
        return;
    core->follows = false;
    if (etm_gdb_goto_time(&core->history, core->time, &place) == ETM_OK)
        core->place = place;
}

const struct etm_gdb_insn *etm_gdb_insn_at(struct etm_gdb_core *core)
{
    const struct etm_gdb_stretch *stretch;

    etm_gdb_follow(core);
    if (core->empty ||
        etm_gdb_history_stretch(&core->history, core->place.stretch,
                                &stretch) != ETM_OK)
        return NULL;
    return core->place.insn < stretch->insns.n
               ? &etm_gdb_insns(stretch)[core->place.insn]
               : NULL;
}

void etm_gdb_moved(struct etm_gdb_server *s)
{
    struct etm_gdb_core *core = &s->cores[s->core];
    uint64_t time;

    s->frames_of = 0;
    if (s->n_cores == 1 || core->empty ||
        !etm_gdb_time_at(&core->history, &core->place, &time))
        return;
    for (size_t i = 0; i < s->n_cores; i++) {
        s->cores[i].follows = i != s->core;
        s->cores[i].time = time;
    }
}

static struct etm_gdb_thread
identify(size_t core, const struct etm_calls *calls, uint32_t task)
{
    const struct etm_call_task *known = &calls->tasks[task].known;

    if (known->value_known)
        return (struct etm_gdb_thread){core, ETM_GDB_BY_VALUE, known->value};
    if (known->context_id_known)
        return (struct etm_gdb_thread){core, ETM_GDB_BY_CONTEXT,
                                       known->context_id};
    return (struct etm_gdb_thread){core, ETM_GDB_BY_NUMBER, task};
}

static bool is_same(const struct etm_gdb_thread *a,
                    const struct etm_gdb_thread *b)
{
    return a->core == b->core && a->ident == b->ident && a->value == b->value;
}

/* Its number; 0: out of memory. */
static uint32_t number_of(struct etm_gdb_server *s,
                          const struct etm_gdb_thread *thread)
{
    const struct etm_gdb_thread *rows = s->threads.data;

    for (size_t i = 0; i < s->threads.n; i++)
        if (is_same(&rows[i], thread))
            return (uint32_t)i + 1;
    return etm_vec_append(&s->threads, thread, 1) == ETM_OK
               ? (uint32_t)s->threads.n
               : 0;
}

static const struct etm_calls *calls_of(struct etm_gdb_core *core)
{
    const struct etm_calls *calls;

    etm_gdb_follow(core);
    return !core->empty && etm_gdb_stacks_at(&core->stacks, &core->place,
                                             &calls) == ETM_OK
               ? calls
               : NULL;
}

uint32_t etm_gdb_thread_running(struct etm_gdb_server *s, size_t core)
{
    const struct etm_calls *calls = calls_of(&s->cores[core]);
    struct etm_gdb_thread thread;

    if (!calls)
        return 0;
    thread = identify(core, calls, calls->task);
    return number_of(s, &thread);
}

static bool is_there(const struct etm_calls *calls, uint32_t task)
{
    const struct etm_task *t = &calls->tasks[task];

    return task == calls->task || (t->waiting && t->frames.n != 0);
}

int etm_gdb_threads_now(struct etm_gdb_server *s, struct etm_vec *numbers)
{
    for (size_t i = 0; i < s->n_cores; i++) {
        const struct etm_calls *calls = calls_of(&s->cores[i]);

        for (uint32_t task = 0; calls && task < calls->n_tasks; task++) {
            const struct etm_gdb_thread thread = identify(i, calls, task);
            uint32_t number = is_there(calls, task) ? number_of(s, &thread) : 0;

            if (number != 0 && etm_vec_append(numbers, &number, 1) != ETM_OK)
                return ETM_ERR_MEMORY;
        }
    }
    return ETM_OK;
}

const struct etm_gdb_thread *etm_gdb_thread_of(const struct etm_gdb_server *s,
                                               int64_t number)
{
    return number > 0 && (uint64_t)number <= s->threads.n
               ? (const struct etm_gdb_thread *)s->threads.data + number - 1
               : NULL;
}

void etm_gdb_thread_name(struct etm_gdb_server *s, uint32_t number, char *text,
                         size_t capacity)
{
    const struct etm_gdb_thread *t = etm_gdb_thread_of(s, number);
    const char *name = s->cores[t->core].info->name;
    char task[32];

    switch (t->ident) {
    case ETM_GDB_BY_CONTEXT:
        (void)snprintf(task, sizeof task, "context 0x%08" PRIx32, t->value);
        break;
    case ETM_GDB_BY_VALUE:
        (void)snprintf(task, sizeof task, "task 0x%08" PRIx32, t->value);
        break;
    case ETM_GDB_BY_NUMBER:
        (void)snprintf(task, sizeof task, "task %" PRIu32, t->value);
        break;
    }
    (void)snprintf(text, capacity, "%s, %s", name, task);
}

/* The task of an engine that has this number. False: it is not there. */
static bool find_task(const struct etm_calls *calls,
                      const struct etm_gdb_thread *thread, uint32_t *task)
{
    for (*task = 0; *task < calls->n_tasks; ++*task) {
        const struct etm_gdb_thread other =
            identify(thread->core, calls, *task);

        if (is_same(thread, &other))
            return is_there(calls, *task);
    }
    return false;
}

bool etm_gdb_thread_frames(struct etm_gdb_server *s, uint32_t number)
{
    const struct etm_gdb_thread *thread = etm_gdb_thread_of(s, number);
    struct etm_gdb_core *core = thread ? &s->cores[thread->core] : NULL;
    const struct etm_calls *calls = core ? calls_of(core) : NULL;
    const struct etm_gdb_insn *insn = calls ? etm_gdb_insn_at(core) : NULL;
    const struct etm_gdb_registers *registers = NULL;
    struct etm_gdb_climb how;
    struct etm_gdb_now now;
    uint32_t task;

    if (s->frames_of != 0 && s->frames_of == number)
        return true;
    if (!insn || !find_task(calls, thread, &task))
        return false;
    now = (struct etm_gdb_now){insn->address, (enum etm_isa)insn->isa};
    if (task != calls->task)
        now.pc = calls->tasks[task].wait;
    s->frames_of = 0;
    how = (struct etm_gdb_climb){.program = s->program,
                                 .code = &core->code,
                                 .links = {.never = core->never,
                                           .to_handler = s->to_handler,
                                           .to_thread = s->to_thread}};
    if (task == calls->task &&
        etm_gdb_track_at(&core->track, &core->place, &registers) == ETM_OK)
        how.links.seen = &core->track.here.exceptions;
    else
        registers = NULL;
    if (etm_gdb_frames_of(&s->frames, &how, calls, task, now) != ETM_OK)
        return false;
    if (registers)
        etm_gdb_frames_know(&s->frames, registers);
    s->frames_of = number;
    return true;
}
