/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "record_support.h"
#include "../support/test.h"
#include "emulate/emulate.h"

#include <etm/model.h>

#include <sys/wait.h>
#include <unistd.h>

static const char *command, *programs;
static char directory[64];

bool record_setup(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: test ETM PROGRAMS\n", stderr);
        exit(2);
    }
    command = argv[1];
    programs = argv[2];
    return etm_emulator_available();
}

int folder_make(void **state)
{
    (void)state;
    strcpy(directory, "etm-record-XXXXXX");
    return mkdtemp(directory) == NULL ? -1 : 0;
}

int folder_clear(void **state)
{
    char line[256];

    (void)state;
    snprintf(line, sizeof line, "rm -r '%s'", directory);
    return system(line);
}

const char *snapshot(void)
{
    static char path[128];

    snprintf(path, sizeof path, "%s/s", directory);
    return path;
}

const char *beside(const char *suffix)
{
    static char path[160];

    snprintf(path, sizeof path, "%s.%s", snapshot(), suffix);
    return path;
}

FILE *open_beside(const char *suffix, const char *mode)
{
    FILE *file = fopen(beside(suffix), mode);

    assert_non_null(file);
    return file;
}

void record(const char *program, const char *format, ...)
{
    char options[1024], line[2048];
    const char *to = snapshot();
    va_list list;

    va_start(list, format);
    vsnprintf(options, sizeof options, format, list);
    va_end(list);
    snprintf(line, sizeof line,
             "'%s' record %s%s%s%s %s -o %s --log %s.log >%s.out 2>%s.err "
             "</dev/null || { cat %s.err >&2; false; }",
             command, program ? programs : "", program ? "/" : "",
             program ? program : "", program ? ".elf" : "", options, to, to, to,
             to, to);
    if (system(line) != 0)
        fail_msg("%s", line);
}

/* Room for one more, doubling. */
static void *more(void *array, size_t n, size_t width)
{
    if (n != 0 && (n & (n - 1)) != 0)
        return array;
    array = realloc(array, (n == 0 ? 1 : 2 * n) * width);
    assert_non_null(array);
    return array;
}

static void add_step(struct run *run, struct step step)
{
    run->steps = more(run->steps, run->n_steps, sizeof *run->steps);
    step.context_id = run->context_id;
    step.context_known = run->context_known;
    step.begins = run->begins;
    run->begins = false;
    run->steps[run->n_steps++] = step;
}

static void add_transfer(struct run *run, struct transfer transfer)
{
    run->transfers =
        more(run->transfers, run->n_transfers, sizeof *run->transfers);
    run->transfers[run->n_transfers++] = transfer;
}

/* MCR, MRC, MCRR, MRRC and the like: no memory takes part. */
static bool is_cprt(const struct step *step)
{
    uint32_t op = step->opcode;

    if (step->isa == ETM_ISA_ARM)
        return (op & 0x0f000010) == 0x0e000010 ||
               (op & 0x0fe00000) == 0x0c400000;
    return (op & 0xef000010) == 0xee000010 || (op & 0xefe00000) == 0xec400000;
}

static void cancel(struct run *run)
{
    size_t last = run->n_steps - 1;

    assert_true(run->n_steps > 0);
    if (!run->keeps_aborted)
        run->n_steps--;
    /* what it moved before it was cancelled stays in nobody's place */
    while (run->n_transfers > 0 && run->transfers[run->n_transfers - 1].insn ==
                                       run->steps[last].address)
        run->n_transfers--;
}

static void take_event(struct run *run, const struct etm_event *e)
{
    if (run->n_steps > 0 || e->kind == ETM_EVENT_INSN)
        run->cycles += e->cycles;
    if (e->kind == ETM_EVENT_INSN) {
        run->stacking = false;
        add_step(run, (struct step){.address = e->u.insn.address,
                                    .opcode = e->u.insn.opcode,
                                    .isa = e->u.insn.isa,
                                    .exec = e->u.insn.passed ? ETM_TRUE
                                                             : ETM_FALSE});
    } else if (e->kind == ETM_EVENT_DATA && !run->stacking &&
               !is_cprt(&run->steps[run->n_steps - 1])) {
        add_transfer(run, (struct transfer){
                              .value = e->u.data.value,
                              .address = e->u.data.address,
                              .size = e->u.data.size,
                              .store = e->u.data.store,
                              .insn = run->steps[run->n_steps - 1].address});
    } else if (e->kind == ETM_EVENT_STACKING) {
        run->stacking = true;
    } else if (e->kind == ETM_EVENT_EXCEPTION) {
        run->n_exceptions++;
        if (e->u.exception.cancels)
            cancel(run);
    } else if (e->kind == ETM_EVENT_CONTEXT) {
        run->context_id = e->u.context.context_id;
        run->context_known = true;
    }
}

static int take_events(void *context, const struct etm_event *events, size_t n)
{
    for (size_t i = 0; i < n; i++)
        take_event(context, &events[i]);
    return ETM_OK;
}

void read_events(enum etm_profile profile, etm_event_fn *events, void *context)
{
    struct etm_execution_reader_config config = {
        .profile = profile, .events = events, .context = context};
    struct etm_execution_reader *reader;
    struct etm_diag diag = {0};
    FILE *file = open_beside("log", "rb");
    char text[4096];
    int status = ETM_OK;
    size_t n;

    assert_ok(etm_execution_reader_new(&reader, &config));
    while (status == ETM_OK && (n = fread(text, 1, sizeof text, file)) > 0)
        status = etm_execution_reader_push(reader, text, n, &diag);
    if (status == ETM_OK)
        status = etm_execution_reader_finish(reader, &diag);
    if (status != ETM_OK)
        fail_msg("log:%u: %s", (unsigned)diag.line, diag.what);
    etm_execution_reader_free(reader);
    fclose(file);
}

void read_log(struct run *run, enum etm_profile profile, const char *version)
{
    *run = (struct run){.cycles_known = true,
                        .keeps_aborted = strncmp(version, "v1", 2) == 0 ||
                                         strncmp(version, "v2", 2) == 0};
    read_events(profile, take_events, run);
}

static void add_cycles(struct run *run, uint64_t cycles)
{
    if (cycles == ETM_CYCLES_UNKNOWN)
        run->cycles_known = false;
    else
        run->cycles += cycles;
}

static void take_element(struct run *run, const struct etm_element *e)
{
    /* where a prefetch abort comes from there is no code, as a rule */
    if (run->no_image && e->kind != ETM_ELEMENT_CYCLES &&
        !(e->kind == ETM_ELEMENT_EXCEPTION &&
          e->u.exception.type == ETM_EXCEPTION_PREFETCH_ABORT))
        run->n_lost++;
    if (e->kind != ETM_ELEMENT_CYCLES || !run->no_image)
        run->no_image = e->kind == ETM_ELEMENT_NO_IMAGE;
    if (e->kind != ETM_ELEMENT_END)
        run->rest = e->kind == ETM_ELEMENT_CYCLES && !run->no_image &&
                            e->u.cycles.n != ETM_CYCLES_UNKNOWN
                        ? e->u.cycles.n
                        : 0;
    switch ((enum etm_element_kind)e->kind) {
    case ETM_ELEMENT_INSN:
        add_cycles(run, e->u.insn.cycles);
        add_step(run, (struct step){.address = e->u.insn.address,
                                    .opcode = e->u.insn.opcode,
                                    .isa = e->u.insn.isa,
                                    .exec = e->u.insn.exec});
        break;
    case ETM_ELEMENT_CYCLES:
        add_cycles(run, e->u.cycles.n);
        break;
    case ETM_ELEMENT_DATA:
        assert_true(e->u.data.status == ETM_DATA_OK ||
                    e->u.data.status == ETM_DATA_STORE_FAILED);
        add_transfer(run,
                     (struct transfer){.value = e->u.data.value,
                                       .address = e->u.data.address,
                                       .size = e->u.data.size,
                                       .store = e->u.data.store == ETM_TRUE,
                                       .insn = e->u.data.insn});
        break;
    case ETM_ELEMENT_CONTEXT:
        run->context_known = e->u.context.context_id_known;
        run->context_id = e->u.context.context_id;
        break;
    case ETM_ELEMENT_EXCEPTION:
        run->n_exceptions++;
        break;
    case ETM_ELEMENT_NO_IMAGE:
        break;
    case ETM_ELEMENT_LOST:
        if (e->u.lost.reason == ETM_LOST_TRUNCATED)
            run->truncated = true;
        else
            run->n_lost++;
        break;
    case ETM_ELEMENT_TRACE_ON:
        run->begins = true;
        run->n_overflows += e->u.trace_on.reason == ETM_TRACE_ON_OVERFLOW;
        break;
    case ETM_ELEMENT_TRIGGER:
        run->n_triggers++;
        break;
    case ETM_ELEMENT_RANGE:
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_TIMESTAMP:
    case ETM_ELEMENT_END:
    case ETM_ELEMENT_SOFTWARE: /* of an ITM, which nothing here records */
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        break;
    }
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    for (size_t i = 0; i < n; i++)
        take_element(context, &elements[i]);
    return ETM_OK;
}

void decode(struct run *run)
{
    struct etm_session_run how = {.level = ETM_LEVEL_INSTRUCTIONS,
                                  .elements = take_elements,
                                  .context = run};
    struct etm_session *session;
    struct etm_diag diag = {0};

    *run = (struct run){.cycles_known = true};
    if (etm_session_open(&session, snapshot(), NULL, &diag) != ETM_OK)
        fail_msg("%s:%u: %s", diag.source, (unsigned)diag.line, diag.what);
    assert_int_equal(etm_session_sources(session), 1);
    if (etm_session_run_source(session, 0, &how, &diag) != ETM_OK)
        fail_msg("%s", diag.what);
    etm_session_free(session);
}

void runs_free(struct run *ran, struct run *told)
{
    struct run *runs[] = {ran, told};

    for (size_t i = 0; i < COUNT(runs); i++)
        if (runs[i] != NULL) {
            free(runs[i]->steps);
            free(runs[i]->transfers);
        }
}
