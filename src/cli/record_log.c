/* SPDX-License-Identifier: Apache-2.0 */
/* The log that etm record reads, and what there is to say of it. */
#include "cli/record.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEAD = 1 << 16, /* bytes of a log in which its processor shows */
    STEP = 10,      /* units of time: no processor's cycle is said to be that */
    ENOUGH = 4      /* instructions */
};

/* An etm_event_fn. */
static int drop(void *context, const struct etm_event *events, size_t n)
{
    (void)context;
    (void)events;
    (void)n;
    return ETM_OK;
}

/* Is it the log of an M-profile processor? */
static bool is_m(const struct etm_cli_record *r)
{
    struct etm_execution_reader_config config = {
        .format = ETM_EXECUTION_TARMAC, .cpu = r->options->cpu, .events = drop};
    struct etm_execution_report report = {0};
    struct etm_execution_reader *reader;

    if (etm_execution_reader_new(&reader, &config) != ETM_OK)
        return false;
    (void)etm_execution_reader_push(reader, r->head, r->n_head, NULL);
    etm_execution_reader_report(reader, &report);
    etm_execution_reader_free(reader);
    return report.profile == ETM_PROFILE_M;
}

int etm_cli_record_open(struct etm_cli_record *r)
{
    const struct etm_cli_record_options *o = r->options;
    const char *path = o->tarmac ? o->tarmac : o->execution;

    r->input = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!r->input) {
        etm_cli_error("%s: %s", etm_cli_path(path), strerror(errno));
        return ETM_EXIT_UNREADABLE;
    }
    if (!o->tarmac || o->core)
        return ETM_EXIT_OK;
    r->head = malloc(HEAD);
    /* an error comes again */
    r->n_head = r->head ? fread(r->head, 1, HEAD, r->input) : 0;
    r->m_log = r->n_head > 0 && is_m(r);
    if (r->m_log)
        etm_cli_error("note: %s is of an M-profile processor, taken to be "
                      "a " ETM_CLI_USUAL_M_CORE "; --core for another",
                      etm_cli_path(path));
    return ETM_EXIT_OK;
}

/* What the trace lacks, because no macrocell has it. */
static void tell_aarch64(const struct etm_execution_report *report,
                         const char *path)
{
    if (report->instructions == 0)
        etm_cli_error("%s: all %" PRIu64
                      " instructions are AArch64 code, which ETMv1 to ETMv3.5 "
                      "and PFT cannot trace; the first is in line %" PRIu64,
                      etm_cli_path(path), report->aarch64,
                      report->aarch64_line);
    else
        etm_cli_error("%s: %" PRIu64 " of %" PRIu64
                      " instructions are AArch64 code, which ETMv1 to ETMv3.5 "
                      "and PFT cannot trace: they are left out; the first is "
                      "in line %" PRIu64,
                      etm_cli_path(path), report->aarch64,
                      report->aarch64 + report->instructions,
                      report->aarch64_line);
}

bool etm_cli_record_tell(const struct etm_cli_record *r,
                         const struct etm_execution_reader *reader)
{
    const struct etm_cli_record_options *o = r->options;
    const char *path = o->tarmac ? o->tarmac : o->execution;
    struct etm_execution_report report = {0};

    etm_execution_reader_report(reader, &report);
    if (report.not_understood > 0)
        etm_cli_error(
            "%s: %" PRIu64 " of %" PRIu64
            " lines were not understood; the first is line %" PRIu64 "%s%s",
            etm_cli_path(path), report.not_understood, report.lines,
            report.first, report.text[0] != '\0' ? ": " : "", report.text);
    if (report.aarch64 > 0)
        tell_aarch64(&report, path);
    else if (r->n_insn == 0)
        etm_cli_error("%s: it contains no instruction", etm_cli_path(path));
    if (report.profile == ETM_PROFILE_M && r->core->profile != ETM_PROFILE_M)
        etm_cli_error("note: %s is of an M-profile processor, but a %s is not: "
                      "--core " ETM_CLI_USUAL_M_CORE ", for example",
                      etm_cli_path(path), r->core->name);
    if (report.step >= STEP && report.instructions >= ENOUGH && o->period == 0)
        etm_cli_error("note: %s: all times are multiples of %" PRIu64
                      "; if that is a cycle, as in logs of gem5, use --period "
                      "%" PRIu64,
                      etm_cli_path(path), report.step, report.step);
    return r->n_insn > 0;
}
