/* SPDX-License-Identifier: Apache-2.0 */
/* etm record: run a program, or read an execution, and make its trace. */
#define _POSIX_C_SOURCE 200809L /* fileno() */
#include "cli/record.h"
#include "cli/args.h"
#include "cli/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The core has to exist in that version of the architecture. */
static int check_version(const struct etm_cli_record *r)
{
    struct etm_macrocell_config macrocell = {0};
    struct etm_config config = {0};
    struct etm_diag diag = {0};
    int status = etm_core_macrocell(r->core, r->options->version, &macrocell,
                                    &config, &diag);

    if (status != ETM_ERR_ARGUMENT)
        return ETM_EXIT_OK; /* any other error comes with the macrocell */
    etm_cli_diag(status, &diag);
    return ETM_EXIT_USAGE;
}

static int core_of(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    const char *name = o->core ? o->core
                       : o->program
                           ? etm_cli_record_core(o->program, &r->looks_m)
                       : r->m_log ? ETM_CLI_USUAL_M_CORE
                                  : ETM_CLI_USUAL_CORE;

    r->core = etm_cli_core(name);
    return r->core ? check_version(r) : ETM_EXIT_USAGE;
}

/* What the program prints, perhaps on the terminal where the progress is. */
static void print(void *context, const char *text, size_t n)
{
    struct etm_cli_record *r = context;

    etm_cli_progress_stop(&r->progress);
    (void)fwrite(text, 1, n, stdout);
}

/* Report the end of a run. What was recorded so far is always written. */
static void tell_end(const struct etm_cli_record *r,
                     const struct etm_run_result *result)
{
    char fault[ETM_CLI_FAULT];

    (void)etm_cli_fault_text(result, fault);
    if (result->end == ETM_RUN_END_EXIT)
        etm_cli_error("the program ended with status %" PRIu32,
                      result->exit_status);
    else if (result->end == ETM_RUN_END_LIMIT && !r->options->limit_told)
        etm_cli_error("%s, at 0x%08" PRIx32 "; it is %" PRIu64
                      " unless --limit N or --limit none says otherwise",
                      etm_run_end_text(ETM_RUN_END_LIMIT), result->address,
                      r->options->limit);
    else
        etm_cli_error("%s, at 0x%08" PRIx32 "%s%s",
                      etm_run_end_text((enum etm_run_end)result->end),
                      result->address, fault[0] != '\0' ? "; " : "", fault);
    if (r->looks_m && result->end != ETM_RUN_END_EXIT &&
        result->fault != ETM_RUN_FAULT_NONE)
        etm_cli_error("note: it says nothing of its processor and was run on "
                      "a " ETM_CLI_USUAL_CORE ", but looks like a program for "
                      "an M-profile one: --core " ETM_CLI_USUAL_M_CORE
                      ", for example");
}

/* Does the core load the PC of a load multiple first (ETMIDR[16])? */
static bool loads_pc_first(const struct etm_cli_record *r)
{
    struct etm_macrocell_config macrocell = {0};
    struct etm_config config = {0};

    return etm_core_macrocell(r->core, r->options->version, &macrocell, &config,
                              NULL) == ETM_OK &&
           config.pc_first;
}

static int run_program(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    struct etm_emulator_config config = {.size = sizeof config,
                                         .program = o->program,
                                         .core = r->core->name,
                                         .pc_first = loads_pc_first(r),
                                         .limit = o->limit,
                                         .ends_repeating = !o->limit_told,
                                         .regions = o->regions,
                                         .n_regions = o->n_regions,
                                         .usual_memory = true,
                                         .interrupts = o->interrupts,
                                         .n_interrupts = o->n_interrupts,
                                         .events = etm_cli_record_events,
                                         .output = print,
                                         .context = r};
    struct etm_run_result result = {0};
    char fault[ETM_CLI_FAULT];
    struct etm_emulator *emulator;
    struct etm_diag diag = {0};
    int status = etm_emulator_new(&emulator, &config, &diag);

    if (status == ETM_OK)
        status =
            etm_cli_record_begin(r) == ETM_EXIT_OK ? ETM_OK : ETM_ERR_STOPPED;
    if (status == ETM_OK)
        status = etm_emulator_run(emulator, &result, &diag);
    etm_cli_progress_stop(&r->progress);
    etm_emulator_free(emulator);
    if (status == ETM_OK && !etm_cli_stdout_flush()) {
        r->failed = true;
        status = ETM_ERR_IO;
    }
    if (r->interrupted && status == ETM_ERR_STOPPED) {
        (void)etm_cli_fault_text(&result, fault);
        etm_cli_error("interrupted, near 0x%08" PRIx32
                      "%s%s: the trace up to there is kept",
                      r->last, fault[0] != '\0' ? "; " : "", fault);
        return ETM_EXIT_OK;
    }
    if (status == ETM_OK) {
        tell_end(r, &result);
        return ETM_EXIT_OK;
    }
    if (!r->failed)
        etm_cli_diag(status, diag.what[0] != '\0' ? &diag : &r->diag);
    return ETM_EXIT_UNREADABLE;
}

static int read_all(struct etm_cli_record *r,
                    struct etm_execution_reader *reader, const char *path,
                    struct etm_diag *diag)
{
    static char text[1 << 16];
    FILE *file = r->input;
    int status = etm_execution_reader_push(reader, r->head, r->n_head, diag);

    while (status == ETM_OK && !feof(file) && !etm_cli_interrupted()) {
        size_t n = fread(text, 1, sizeof text, file);

        if (ferror(file) && !etm_cli_interrupted()) {
            (void)snprintf(diag->source, sizeof diag->source, "%s", path);
            (void)snprintf(diag->what, sizeof diag->what, "%s",
                           strerror(errno));
            diag->line = diag->offset = diag->address = ETM_DIAG_NONE;
            return ETM_ERR_IO;
        }
        status = etm_execution_reader_push(reader, text, n, diag);
        r->read += n;
    }
    etm_cli_progress_stop(&r->progress);
    /* an incomplete line does not count */
    if (etm_cli_interrupted() &&
        (status == ETM_OK || status == ETM_ERR_STOPPED))
        return ETM_OK;
    return status == ETM_OK ? etm_execution_reader_finish(reader, diag)
                            : status;
}

static int read_execution(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    const char *path = o->tarmac ? o->tarmac : o->execution;
    struct etm_execution_reader_config config = {
        .format = o->tarmac ? ETM_EXECUTION_TARMAC : ETM_EXECUTION_LOG,
        .name = path,
        .profile = r->core->profile,
        .period = o->period,
        .cpu = o->cpu,
        .events = etm_cli_record_events,
        .context = r};
    struct etm_execution_reader *reader;
    struct etm_diag diag = {0};
    int status = ETM_ERR_MEMORY;

    if (etm_cli_record_begin(r) != ETM_EXIT_OK)
        return ETM_EXIT_UNREADABLE;
    config.pc_first = r->config.pc_first;
    if (etm_execution_reader_new(&reader, &config) == ETM_OK) {
        r->reader = reader;
        r->size = etm_cli_file_size(fileno(r->input));
        r->read = r->n_head;
        status = read_all(r, reader, path, &diag);
        r->reader = NULL;
    }
    if (status == ETM_OK && !etm_cli_record_tell(r, reader)) {
        etm_execution_reader_free(reader);
        return ETM_EXIT_UNREADABLE;
    }
    etm_execution_reader_free(reader);
    if (status == ETM_OK)
        return ETM_EXIT_OK;
    if (!r->failed && status != ETM_ERR_FORMAT && status != ETM_ERR_IO)
        etm_cli_diag(status, r->diag.what[0] != '\0' ? &r->diag : &diag);
    else if (!r->failed)
        etm_cli_diag(status, &diag);
    return ETM_EXIT_UNREADABLE;
}

/* What was recorded. Cancelled instructions did not run. */
static void tell_counts(const struct etm_cli_record *r)
{
    uint64_t n_ran = r->n_insn - r->n_cancelled;

    etm_cli_error(
        "%" PRIu64 " instruction%s, %" PRIu64 " exception%s, %" PRIu64
        " transfer%s, %" PRIu64 " cycle%s: %" PRIu64 " byte%s of trace",
        n_ran, etm_cli_plural(n_ran), r->n_exception,
        etm_cli_plural(r->n_exception), r->n_data, etm_cli_plural(r->n_data),
        r->n_cycle, etm_cli_plural(r->n_cycle), r->n_byte,
        etm_cli_plural(r->n_byte));
}

int etm_cli_record(int argc, char **argv)
{
    struct etm_cli_record_options options;
    struct etm_cli_record r = {.options = &options};
    int status = etm_cli_record_parse(&options, argc, argv);

    if (status < 0) {
        bool log = options.execution || options.tarmac;

        etm_cli_interrupt_watch();
        etm_cli_progress_start(&r.progress, NULL, 1);
        r.progress.hint = "Ctrl-C ends it and keeps the trace";
        status = log ? etm_cli_record_open(&r) : ETM_EXIT_OK;
        if (status == ETM_EXIT_OK)
            status = core_of(&r);
        if (status == ETM_EXIT_OK)
            status = log ? read_execution(&r) : run_program(&r);
        if (status == ETM_EXIT_OK)
            status = etm_cli_record_finish(&r);
        if (status == ETM_EXIT_OK)
            tell_counts(&r);
        etm_cli_record_free(&r);
    }
    etm_cli_record_options_free(&options);
    return status;
}
