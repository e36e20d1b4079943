/* SPDX-License-Identifier: Apache-2.0 */
/* The client's packets, and who answers them. */
#define _POSIX_C_SOURCE 200809L
#include "gdb/server.h"

#include <stdlib.h>
#include <strings.h>

static void ignored(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    (void)s;
    (void)text;
}

/* Hg: whose registers; Hc: who moves. */
static void choose_thread(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    bool moves = etm_gdb_take_char(text, 'c');
    const struct etm_gdb_thread *thread;
    int64_t number;

    if (!moves && !etm_gdb_take_char(text, 'g')) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    if (!etm_gdb_take_thread(text, &number) || !etm_gdb_is_end(text) ||
        (number > 0 && !etm_gdb_thread_of(s, number))) {
        etm_gdb_put_error(&s->reply);
        return;
    }
    thread = etm_gdb_thread_of(s, number);
    if (thread && moves) {
        s->core = thread->core;
        s->told = (uint32_t)number;
    } else if (thread) {
        s->thread = (uint32_t)number;
    }
    etm_gdb_put(&s->reply, "OK");
}

static void is_alive(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    int64_t number;

    if (etm_gdb_take_thread(text, &number) &&
        etm_gdb_thread_frames(s, (uint32_t)number))
        etm_gdb_put(&s->reply, "OK");
    else
        etm_gdb_put_error(&s->reply);
}

static void detach(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    (void)text;
    s->leaving = true;
    etm_gdb_put(&s->reply, "OK");
}

static void kill_target(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    (void)text;
    s->leaving = true; /* there is no reply */
}

/* What has happened cannot be changed. */
static void refuse(struct etm_gdb_server *s, struct etm_gdb_text *text)
{
    (void)text;
    etm_gdb_put_error(&s->reply);
}

static const struct row {
    const char *word;
    etm_gdb_packet_fn *function;
} rows[] = {
    {"?", etm_gdb_tell_stop},
    {"g", etm_gdb_read_registers},
    {"p", etm_gdb_read_register},
    {"m", etm_gdb_read_memory},
    {"vCont", etm_gdb_continue},
    {"vFile:", etm_gdb_file},
    {"vKill", detach},
    {"b", etm_gdb_back},
    {"H", choose_thread},
    {"T", is_alive},
    {"Z", etm_gdb_insert},
    {"z", etm_gdb_remove},
    {"q", etm_gdb_query},
    {"Q", etm_gdb_set},
    {"D", detach},
    {"k", kill_target},
    {"G", refuse},
    {"P", refuse},
    {"M", refuse},
    {"X", refuse},
    {"", ignored},
};

static void answer(struct etm_gdb_server *s)
{
    struct etm_gdb_text text = {s->input.text, s->input.text + s->input.n};
    const struct row *row = rows;

    if (!s->no_ack)
        etm_gdb_send(s, "+", 1);
    s->reply.n = 0;
    while (!etm_gdb_take_word(&text, row->word))
        row++;
    row->function(s, &text);
    if (row->function != kill_target)
        etm_gdb_send_reply(s, &s->reply);
}

static size_t read_code(void *context, uint32_t address, uint8_t *bytes,
                        size_t size)
{
    const struct etm_gdb_history *h = context;

    return etm_session_read(h->session, h->source, address, NULL, bytes, size);
}

/* Processors of the M profile without an FPU; of others it is an option. */
static bool may_have_fpu(const struct etm_gdb_core *core)
{
    static const char *const without[] = {
        "Cortex-M0", "Cortex-M0+", "Cortex-M1", "Cortex-M3", "Cortex-M23"};
    const char *type = core->info->core_type;

    for (size_t i = 0; type && i < sizeof without / sizeof *without; i++)
        if (strcasecmp(type, without[i]) == 0)
            return false;
    return true;
}

/* A core begins where the trace ends: what led there is before it. */
static int begin_core(struct etm_gdb_server *s, size_t i)
{
    const struct etm_gdb_config *config = s->config;
    struct etm_gdb_core *core = &s->cores[i];
    int status;

    core->info = etm_session_source(config->session, config->sources[i]);
    etm_gdb_history_init(&core->history, config->session, config->sources[i],
                         config->jobs);
    core->code = (struct etm_gdb_code){read_code, &core->history,
                                       core->info->config.profile};
    etm_gdb_track_init(&core->track, &core->history, &core->info->config,
                       etm_gdb_read_constants, core);
    core->program = s->program;
    if (core->code.profile == ETM_PROFILE_M)
        core->never = etm_gdb_program_never(s->program, may_have_fpu(core));
    core->track.empty.exceptions.never = core->never;
    status = etm_gdb_stacks_init(&core->stacks, &core->history,
                                 config->task_variable);
    if (status == ETM_OK)
        status = etm_gdb_walk_last(&core->history, &core->place);
    core->empty = status != ETM_OK;
    return status;
}

/* Bytes of the buffer of branches, if none are asked for: as GDB does. */
#define RECORD_SIZE (UINT64_C(64) << 10)

static int begin(struct etm_gdb_server *s)
{
    int status = ETM_ERR_NOT_FOUND;

    etm_vec_init(&s->threads, sizeof(struct etm_gdb_thread),
                 &etm_allocator_malloc);
    etm_vec_init(&s->breakpoints, sizeof(uint32_t), &etm_allocator_malloc);
    etm_vec_init(&s->watches, sizeof(struct etm_gdb_watch),
                 &etm_allocator_malloc);
    etm_gdb_document_init(&s->branches);
    etm_gdb_document_init(&s->libraries);
    etm_gdb_document_init(&s->list);
    s->record_size = RECORD_SIZE;
    etm_gdb_frames_init(&s->frames);
    s->stops_at_gaps = true;
    s->cores = calloc(s->config->n_sources, sizeof *s->cores);
    s->program = etm_gdb_program_new(s->config->session);
    if (!s->cores || !s->program)
        return ETM_ERR_MEMORY;
    for (; s->n_cores < s->config->n_sources; s->n_cores++) {
        int begun = begin_core(s, s->n_cores);

        if (begun != ETM_OK && begun != ETM_ERR_NOT_FOUND) {
            s->n_cores++;
            return begun;
        }
        if (begun == ETM_OK && status != ETM_OK) {
            s->core = s->n_cores;
            status = ETM_OK;
        }
    }
    if (status != ETM_OK)
        return status;
    s->thread = etm_gdb_thread_running(s, s->core);
    return s->thread != 0 ? ETM_OK : ETM_ERR_MEMORY;
}

static void end(struct etm_gdb_server *s)
{
    for (size_t i = 0; i < s->n_cores; i++) {
        etm_gdb_stacks_fini(&s->cores[i].stacks);
        etm_gdb_history_fini(&s->cores[i].history);
    }
    free(s->cores);
    etm_gdb_program_free(s->program);
    etm_gdb_frames_fini(&s->frames);
    etm_gdb_document_fini(&s->branches);
    etm_gdb_document_fini(&s->libraries);
    etm_gdb_document_fini(&s->list);
    etm_gdb_close_files(s);
    etm_vec_fini(&s->threads);
    etm_vec_fini(&s->breakpoints);
    etm_vec_fini(&s->watches);
}

int etm_gdb_serve(const struct etm_gdb_config *config)
{
    struct etm_gdb_server *s = calloc(1, sizeof *s);
    int status = ETM_ERR_MEMORY;

    if (!s)
        return status;
    s->config = config;
    status = begin(s);
    while (status == ETM_OK && !s->leaving && etm_gdb_receive(s, answer))
        continue;
    end(s);
    free(s);
    return status;
}
