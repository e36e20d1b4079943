/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm profile --format callgrind, for KCachegrind and callgrind_annotate: what
 * each instruction cost, and what calls cost that it made (the Callgrind format
 * specification in Valgrind's manual).
 */
#include "cli/subjects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NOTHING UINT32_MAX /* no function: the instruction itself */

/* What an instruction, as part of a function, cost: itself, or by calls of
 * another function. */
struct cost_row {
    uint32_t function, address, callee; /* subjects; NOTHING */
    uint64_t calls;
    struct etm_call_cost cost;
};

/* A function that runs, and the instruction that called it. */
struct frame {
    uint32_t function, site;
};

struct stack {
    struct frame *frames; /* from the bottom */
    size_t n, room;
};

struct callgrind {
    struct etm_cli_subjects subjects;
    struct cost_row *rows;
    size_t n, room;
    uint32_t *index; /* row + 1, by a hash; or 0 */
    size_t n_index;
    struct stack stacks[ETM_CALL_TASKS];
    uint32_t task;      /* that runs */
    uint32_t last;      /* instruction */
    uint32_t left_site; /* of the last frame that was left */
    bool cycles;        /* all sources have some */
    struct etm_call_cost whole;
};

static bool has_cycles(const struct etm_source_info *info)
{
    return info->why_not || info->config.protocol == ETM_PROTOCOL_ITM ||
           (info->config.cycle_accurate && !info->config.data_only);
}

static void begin(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;
    size_t n = etm_session_sources(r->session);

    c->cycles = n != 0;
    for (size_t i = 0; i < n; i++)
        c->cycles &= has_cycles(etm_session_source(r->session, i));
    etm_cli_print(r->output,
                  "# callgrind format\nversion: 1\ncreator: etm\n"
                  "positions: instr line\nevents: Instructions%s\n",
                  c->cycles ? " Cycles" : "");
}

static uint32_t *find(const struct callgrind *c, const struct cost_row *row)
{
    uint64_t hash = (((uint64_t)row->function << 32 | row->address) ^
                     (uint64_t)row->callee << 16) *
                    UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (c->n_index - 1);

    while (c->index[i] != 0) {
        const struct cost_row *other = &c->rows[c->index[i] - 1];

        if (other->function == row->function &&
            other->address == row->address && other->callee == row->callee)
            break;
        i = (i + 1) & (c->n_index - 1);
    }
    return &c->index[i];
}

static bool grow(struct callgrind *c)
{
    size_t room = c->room != 0 ? 2 * c->room : 1024;
    struct cost_row *rows = realloc(c->rows, room * sizeof *rows);
    uint32_t *index = calloc(2 * room, sizeof *index);

    if (rows)
        c->rows = rows;
    if (!rows || !index) {
        free(index);
        return false;
    }
    free(c->index);
    c->index = index;
    c->n_index = 2 * room;
    c->room = room;
    for (size_t i = 0; i < c->n; i++)
        *find(c, &rows[i]) = (uint32_t)i + 1;
    return true;
}

static int add(struct callgrind *c, const struct cost_row *add)
{
    struct cost_row *row;
    uint32_t *at;

    if (c->n == c->room && !grow(c))
        return ETM_ERR_MEMORY;
    at = find(c, add);
    if (*at == 0) {
        c->rows[c->n] = (struct cost_row){.function = add->function,
                                          .address = add->address,
                                          .callee = add->callee};
        *at = (uint32_t)++c->n;
    }
    row = &c->rows[*at - 1];
    row->calls += add->calls;
    row->cost.instructions += add->cost.instructions;
    row->cost.cycles += add->cost.cycles;
    return ETM_OK;
}

static bool push(struct stack *s, struct frame frame)
{
    if (s->n == s->room) {
        size_t room = s->room != 0 ? 2 * s->room : 64;
        struct frame *frames = realloc(s->frames, room * sizeof *frames);

        if (!frames)
            return false;
        s->frames = frames;
        s->room = room;
    }
    s->frames[s->n++] = frame;
    return true;
}

/* A call counts where it is made, and costs there what it cost when it has
 * returned. One in place of another was made where that was. */
static int take_call(struct etm_cli_replay *r, const struct etm_call *call)
{
    struct callgrind *c = r->state;
    struct stack *s = &c->stacks[call->task];
    size_t callee = etm_cli_subject_of(&c->subjects, r, call);
    struct cost_row row = {.callee = (uint32_t)callee};
    struct frame frame = {.function = (uint32_t)callee, .site = c->last};

    if (callee == SIZE_MAX)
        return ETM_ERR_MEMORY;
    if (call->kind == ETM_CALL_LEAVE) {
        c->left_site = s->frames[--s->n].site;
        row.cost = call->total;
        row.address = c->left_site;
    } else {
        if ((call->flags & ETM_CALL_TAIL) != 0)
            frame.site = c->left_site;
        row.calls = 1;
        row.address = frame.site;
    }
    if (s->n != 0) {
        int status;

        row.function = s->frames[s->n - 1].function;
        status = add(c, &row);
        if (status != ETM_OK)
            return status;
    }
    return call->kind == ETM_CALL_LEAVE || push(s, frame) ? ETM_OK
                                                          : ETM_ERR_MEMORY;
}

static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct etm_cli_replay *r = context;
    struct callgrind *c = r->state;
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (calls[i].kind == ETM_CALL_SWITCH)
            c->task = calls[i].task;
        else
            status = take_call(r, &calls[i]);
    }
    return status;
}

static int take_insn(struct etm_cli_replay *r, const struct etm_element *e)
{
    struct callgrind *c = r->state;
    const struct stack *s = &c->stacks[c->task];
    struct cost_row row = {.address = e->u.insn.address,
                           .callee = NOTHING,
                           .cost = {.instructions = 1}};

    c->last = e->u.insn.address;
    if (s->n == 0)
        return ETM_OK;
    row.function = s->frames[s->n - 1].function;
    if (e->u.insn.cycles != ETM_CYCLES_UNKNOWN)
        row.cost.cycles = e->u.insn.cycles;
    return add(c, &row);
}

static int by_place(const void *x, const void *y)
{
    const struct cost_row *a = x, *b = y;

    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    /* calls come behind what the instruction itself costs */
    return (a->callee + 1 > b->callee + 1) - (a->callee + 1 < b->callee + 1);
}

static void put_text(struct etm_cli_replay *r, const char *key,
                     const char *text)
{
    etm_cli_print(r->output, "%s=", key);
    etm_cli_put_name(r->output, text);
    etm_cli_put(r->output, "\n", 1);
}

/* Line 0 without debug information. */
static struct etm_source_line line_of(struct etm_cli_replay *r,
                                      uint32_t address)
{
    struct etm_source_line line;

    if (r->names.line(r->names.context, address, &line) != ETM_OK)
        line = (struct etm_source_line){.file = "???"};
    return line;
}

static void put_row(struct etm_cli_replay *r, const struct cost_row *row,
                    uint32_t line)
{
    struct callgrind *c = r->state;

    if (row->callee != NOTHING) {
        const struct etm_cli_subject *s = &c->subjects.rows[row->callee];
        struct etm_source_line to = line_of(r, s->address);

        put_text(r, "cfi", to.file);
        put_text(r, "cfn", s->name);
        etm_cli_print(r->output, "calls=%" PRIu64 " 0x%x %u\n", row->calls,
                      (unsigned)s->address, (unsigned)to.line);
    }
    etm_cli_print(r->output, "0x%x %u %" PRIu64, (unsigned)row->address,
                  (unsigned)line, row->cost.instructions);
    if (c->cycles)
        etm_cli_print(r->output, " %" PRIu64, row->cost.cycles);
    etm_cli_put(r->output, "\n", 1);
}

/* The rows of one function, from `i` on. */
static size_t put_function(struct etm_cli_replay *r, size_t i)
{
    const struct callgrind *c = r->state;
    uint32_t function = c->rows[i].function;
    const struct etm_cli_subject *s = &c->subjects.rows[function];
    struct etm_source_line line = line_of(r, s->address);
    const char *file = line.file;

    put_text(r, "fl", file);
    put_text(r, "fn", s->name);
    for (; i < c->n && c->rows[i].function == function; i++) {
        line = line_of(r, c->rows[i].address);
        if (strcmp(line.file, file) != 0)
            put_text(r, "fi", line.file); /* from another file */
        file = line.file;
        put_row(r, &c->rows[i], line.line);
    }
    etm_cli_put(r->output, "\n", 1);
    return i;
}

/* Of one source. */
static void forget(struct callgrind *c)
{
    etm_cli_subjects_free(&c->subjects);
    free(c->rows);
    free(c->index);
    c->rows = NULL;
    c->index = NULL;
    c->n = c->room = c->n_index = 0;
    c->task = c->last = 0;
    for (size_t i = 0; i < ETM_CALL_TASKS; i++)
        c->stacks[i].n = 0;
}

static int end_source(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;
    struct etm_call_cost all = etm_calls_cost(r->calls);

    c->whole.instructions += all.instructions;
    c->whole.cycles += all.cycles - etm_calls_gap_cycles(r->calls);
    put_text(r, "\nob", r->info->name);
    if (c->n != 0)
        qsort(c->rows, c->n, sizeof *c->rows, by_place);
    for (size_t i = 0; i < c->n;)
        i = put_function(r, i);
    forget(c);
    return ETM_OK;
}

static int end(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;

    etm_cli_print(r->output, "totals: %" PRIu64, c->whole.instructions);
    if (c->cycles)
        etm_cli_print(r->output, " %" PRIu64, c->whole.cycles);
    etm_cli_put(r->output, "\n", 1);
    return ETM_OK;
}

static void free_callgrind(struct etm_cli_replay *r)
{
    struct callgrind *c = r->state;

    forget(c);
    for (size_t i = 0; i < ETM_CALL_TASKS; i++)
        free(c->stacks[i].frames);
}

const struct etm_cli_view etm_cli_profile_callgrind = {
    .command = ETM_CLI_PROFILE,
    .format = "callgrind",
    .state_size = sizeof(struct callgrind),
    .begin = begin,
    .calls = take_calls,
    .insn = take_insn,
    .end_source = end_source,
    .end = end,
    .free = free_callgrind,
};
