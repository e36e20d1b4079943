/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/subjects.h"

#include <stdlib.h>
#include <string.h>

/* The map knows as many functions as the engine. */
static bool map_functions(struct etm_cli_subjects *s,
                          const struct etm_cli_replay *replay)
{
    size_t n = etm_calls_functions(replay->calls), room = 2 * n;
    uint32_t *functions;

    if (n <= s->n_functions)
        return true;
    functions = realloc(s->functions, room * sizeof *functions);
    if (!functions)
        return false;
    memset(functions + s->n_functions, 0,
           (room - s->n_functions) * sizeof *functions);
    s->functions = functions;
    s->n_functions = room;
    return true;
}

static size_t add(struct etm_cli_subjects *s,
                  const struct etm_cli_replay *replay,
                  const struct etm_call *call)
{
    const struct etm_function *f =
        etm_calls_function(replay->calls, call->function);
    struct etm_cli_subject *row;
    char text[ETM_CLI_CALL_NAME];

    if (s->n == s->room) {
        size_t room = s->room != 0 ? 2 * s->room : 64;
        struct etm_cli_subject *rows = realloc(s->rows, room * sizeof *rows);

        if (!rows)
            return SIZE_MAX;
        s->rows = rows;
        s->room = room;
    }
    row = &s->rows[s->n];
    *row = (struct etm_cli_subject){
        .name = strdup(etm_cli_call_name(replay, call, text)),
        .address = f ? f->address : 0,
        .exception = f == NULL,
        .inlined = (call->flags & ETM_CALL_INLINED) != 0,
        .type = call->exception_type,
        .irq = call->irq,
        .least = UINT64_MAX};
    return row->name ? s->n++ : SIZE_MAX;
}

size_t etm_cli_subject_of(struct etm_cli_subjects *s,
                          const struct etm_cli_replay *replay,
                          const struct etm_call *call)
{
    size_t row;

    if (call->function == ETM_CALL_NO_FUNCTION) {
        for (size_t i = 0; i < s->n; i++)
            if (s->rows[i].exception &&
                s->rows[i].type == call->exception_type &&
                s->rows[i].irq == call->irq)
                return i;
        return add(s, replay, call);
    }
    if (!map_functions(s, replay))
        return SIZE_MAX;
    if (s->functions[call->function] != 0)
        return s->functions[call->function] - 1;
    row = add(s, replay, call);
    if (row != SIZE_MAX)
        s->functions[call->function] = (uint32_t)row + 1;
    return row;
}

static void add_cost(struct etm_call_cost *to, struct etm_call_cost cost)
{
    to->instructions += cost.instructions;
    to->cycles += cost.cycles;
}

int etm_cli_subjects_count(struct etm_cli_subjects *s,
                           const struct etm_cli_replay *replay,
                           const struct etm_call *call)
{
    size_t i = etm_cli_subject_of(s, replay, call);
    struct etm_cli_subject *row;
    uint64_t duration;

    if (i == SIZE_MAX)
        return ETM_ERR_MEMORY;
    row = &s->rows[i];
    if (call->kind == ETM_CALL_ENTER) {
        row->calls += (call->flags & ETM_CALL_NO_CALLER) == 0;
        return ETM_OK;
    }
    add_cost(&row->self, call->self);
    if ((call->flags & ETM_CALL_RECURSIVE) == 0)
        add_cost(&row->total, call->total);
    if (!etm_cli_is_complete(replay, call))
        return ETM_OK;
    duration = etm_cli_duration(replay, call);
    row->complete++;
    row->whole += duration;
    row->least = duration < row->least ? duration : row->least;
    row->most = duration > row->most ? duration : row->most;
    return ETM_OK;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

/* What costs as much comes in the order of names, addresses and numbers. */
static int by_name(const struct etm_cli_subject *a,
                   const struct etm_cli_subject *b)
{
    int order = strcmp(a->name, b->name);

    if (order == 0)
        order = (a->address > b->address) - (a->address < b->address);
    return order;
}

static int by_instructions(const void *x, const void *y)
{
    const struct etm_cli_subject *a = x, *b = y;
    int order = compare(a->self.instructions, b->self.instructions);

    if (order == 0)
        order = compare(a->total.instructions, b->total.instructions);
    return order != 0 ? order : by_name(a, b);
}

static int by_cycles(const void *x, const void *y)
{
    const struct etm_cli_subject *a = x, *b = y;
    int order = compare(a->self.cycles, b->self.cycles);

    return order != 0 ? order : by_instructions(x, y);
}

void etm_cli_subjects_order(struct etm_cli_subjects *s, bool cycles)
{
    if (s->n != 0)
        qsort(s->rows, s->n, sizeof *s->rows,
              cycles ? by_cycles : by_instructions);
}

void etm_cli_subjects_free(struct etm_cli_subjects *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->rows[i].name);
    free(s->rows);
    free(s->functions);
    *s = (struct etm_cli_subjects){0};
}
