/* SPDX-License-Identifier: Apache-2.0 */
/* The replay: a capture, through the call engine, to a view. */
#include "cli/view.h"

#include "cli/pass.h"
#include "cli/profile_samples.h"
#include "cli/timed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct etm_cli_view *const views[] = {
    &etm_cli_profile_code_text, &etm_cli_profile_code_jsonl,
    &etm_cli_annotation,        &etm_cli_profile_text,
    &etm_cli_profile_jsonl,     &etm_cli_profile_folded,
    &etm_cli_profile_callgrind, &etm_cli_profile_speedscope,
    &etm_cli_profile_pprof,     &etm_cli_calls_text,
    &etm_cli_calls_jsonl,       &etm_cli_exceptions_text,
    &etm_cli_exceptions_jsonl,  &etm_cli_timeline_perfetto,
    &etm_cli_timeline_chrome,   &etm_cli_timeline_ctf,
    &etm_cli_variables_text,    &etm_cli_variables_jsonl,
    &etm_cli_variables_csv,     &etm_cli_report_html,
};

struct replaying {
    struct etm_cli_pass pass; /* the first member */
    struct etm_cli_replay replay;
    struct etm_cli_timed *timed;     /* NULL: calls need no times */
    struct etm_cli_samples *samples; /* NULL: the source has calls */
    bool gap;                        /* no code has come since it began */
};

/* Does a view look at it? The code behind a gap is its end. */
static bool is_looked_at(struct replaying *r, uint8_t kind)
{
    switch ((enum etm_element_kind)kind) {
    case ETM_ELEMENT_TRACE_ON:
    case ETM_ELEMENT_LOST:
    case ETM_ELEMENT_NO_IMAGE:
        r->gap = true;
        return true;
    case ETM_ELEMENT_RANGE:
    case ETM_ELEMENT_INSN:
        if (!r->gap)
            return false;
        r->gap = false;
        return true;
    case ETM_ELEMENT_TRIGGER:
    case ETM_ELEMENT_TIMESTAMP:
        return true;
    case ETM_ELEMENT_DATA:
        return r->replay.options->view.watch != NULL ||
               r->replay.view->command == ETM_CLI_VARIABLES;
    case ETM_ELEMENT_EXCEPTION:
        return r->replay.info->config.protocol == ETM_PROTOCOL_ITM;
    case ETM_ELEMENT_SOFTWARE:
    case ETM_ELEMENT_PC_SAMPLE:
    case ETM_ELEMENT_EVENT_COUNTER:
    case ETM_ELEMENT_LOCAL_TIMESTAMP:
        return true;
    case ETM_ELEMENT_CONTEXT:
    case ETM_ELEMENT_EXCEPTION_RETURN:
    case ETM_ELEMENT_CYCLES:
    case ETM_ELEMENT_END:
        break;
    }
    return false;
}

static bool wants_insns(const struct replaying *r)
{
    return r->replay.view->insn &&
           (r->replay.cycles || !r->replay.view->insn_for_cycles);
}

/* One after the other, to the engine and to the view. */
static int replay_insns(struct replaying *r, const struct etm_element *elements,
                        size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (r->timed && elements[i].kind == ETM_ELEMENT_TIMESTAMP)
            status = etm_cli_timed_timestamp(r->timed, &elements[i]);
        if (status == ETM_OK)
            status = etm_calls_elements(r->replay.calls, &elements[i], 1);
        if (status == ETM_OK && elements[i].kind == ETM_ELEMENT_INSN)
            status = r->replay.view->insn(&r->replay, &elements[i]);
    }
    return status;
}

/* Elements to the engine, and those that the view looks at to it, in order. */
static int replay_elements(struct replaying *r,
                           const struct etm_element *elements, size_t n)
{
    int status = ETM_OK;
    size_t from = 0;

    for (size_t i = 0;
         (r->replay.view->element || r->timed) && i < n && status == ETM_OK;
         i++) {
        if (!is_looked_at(r, elements[i].kind))
            continue;
        status = etm_calls_elements(r->replay.calls, elements + from, i - from);
        if (status == ETM_OK && r->timed &&
            elements[i].kind == ETM_ELEMENT_TIMESTAMP)
            status = etm_cli_timed_timestamp(r->timed, &elements[i]);
        if (status == ETM_OK && r->replay.view->element)
            r->replay.view->element(&r->replay, &elements[i]);
        from = i;
    }
    return status == ETM_OK
               ? etm_calls_elements(r->replay.calls, elements + from, n - from)
               : status;
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct replaying *r = context;
    int status;

    n = etm_cli_pass_take(&r->pass, elements, n);
    if (r->samples) {
        status = etm_cli_samples_take(r->samples, elements, n);
    } else {
        status = r->replay.view->elements
                     ? r->replay.view->elements(&r->replay, elements, n)
                     : ETM_OK;
        if (status == ETM_OK)
            status = wants_insns(r) ? replay_insns(r, elements, n)
                                    : replay_elements(r, elements, n);
    }
    return etm_cli_pass_taken(&r->pass, status);
}

/* What the view makes of calls; nobody may want more of it. */
static int take_calls(void *context, const struct etm_call *calls, size_t n)
{
    struct replaying *r = context;
    int status = ETM_OK;

    if (r->timed)
        status = etm_cli_timed_calls(r->timed, calls, n);
    if (status == ETM_OK && r->replay.view->calls &&
        (!r->timed || r->replay.view->timed))
        status = r->replay.view->calls(&r->replay, calls, n);
    return status == ETM_OK &&
                   (r->replay.output->closed || r->replay.output->failed)
               ? ETM_ERR_STOPPED
               : status;
}

static size_t read_code(void *context, uint32_t address, uint8_t *bytes,
                        size_t size)
{
    const struct replaying *r = context;

    return etm_session_read(r->replay.session, r->replay.source, address, NULL,
                            bytes, size);
}

static int find_inlined(void *context, uint32_t address,
                        struct etm_inlined *inlined, size_t *n)
{
    const struct replaying *r = context;

    return etm_session_inlined(r->replay.session, r->replay.source, address,
                               inlined, n);
}

static bool wants_times(const struct replaying *r)
{
    return r->replay.times &&
           (r->replay.view->times == ETM_CLI_ALL_TIMES ||
            (r->replay.view->times == ETM_CLI_FOR_DURATIONS &&
             r->replay.unit == ETM_TIME_TICKS));
}

/* What the source counts, and what its durations are in. */
static int find_unit(struct replaying *r, struct etm_diag *diag)
{
    struct etm_cli_replay *p = &r->replay;
    int status = ETM_OK;

    p->unit = etm_time_unit_of(&p->info->config);
    p->cycles = p->unit != ETM_TIME_INSTRUCTIONS;
    p->when = (struct etm_cli_when){0};
    p->times = false;
    if (p->cycles && r->replay.view->times == ETM_CLI_FOR_DURATIONS)
        return ETM_OK;
    status = etm_cli_has_times(p->session, p->source, &p->times, diag);
    if (p->unit == ETM_TIME_INSTRUCTIONS && p->times)
        p->unit = ETM_TIME_TICKS;
    return status;
}

/* The profile of a source that has no calls, but samples. */
static int run_samples(struct replaying *r, const struct etm_session_run *run,
                       struct etm_diag *diag)
{
    int status;

    r->samples = etm_cli_samples_new(&r->replay);
    if (!r->samples)
        return ETM_ERR_MEMORY;
    status = etm_cli_pass_run(&r->pass, r->replay.session, r->replay.source,
                              run, diag);
    if (status == ETM_OK || etm_cli_is_unread(status))
        etm_cli_samples_show(r->samples, r->replay.view->format);
    etm_cli_samples_free(r->samples);
    r->samples = NULL;
    etm_cli_demangler_clear(r->replay.demangler);
    return status;
}

static int run(struct replaying *r, struct etm_diag *diag)
{
    const struct etm_cli_options *o = r->replay.options;
    struct etm_session_run run = {.size = sizeof run,
                                  .elements = take_elements,
                                  .jobs = etm_cli_threads(o)};
    struct etm_calls_config config = {.size = sizeof config,
                                      .calls = take_calls,
                                      .context = r,
                                      .names = r->replay.names,
                                      .code = read_code,
                                      .code_context = r};
    int status;

    etm_cli_pass_begin(&r->pass, &run);
    if ((r->replay.view->elements && !r->replay.view->ranges) ||
        wants_insns(r) || o->view.inlined)
        run.level = ETM_LEVEL_INSTRUCTIONS;
    if (etm_cli_is_itm(&r->replay) &&
        r->replay.view->command == ETM_CLI_PROFILE)
        return run_samples(r, &run, diag);
    if (o->view.inlined) {
        config.inlined = find_inlined;
        config.inlined_context = r;
    }
    if (o->view.task_variable)
        config.has_task_variable =
            etm_cli_variable(r->replay.session, o->view.task_variable,
                             &config.task_variable, NULL);
    status = etm_calls_new(&r->replay.calls, &config);
    if (status == ETM_OK && wants_times(r))
        status = etm_cli_timed_new(&r->timed, &r->replay, r->replay.view);
    if (status == ETM_OK && r->replay.merged)
        status = etm_cli_merged_source(r->replay.merged, r->replay.info);
    if (status == ETM_OK && r->replay.view->source)
        status = r->replay.view->source(&r->replay);
    if (status == ETM_OK)
        status = etm_cli_pass_run(&r->pass, r->replay.session, r->replay.source,
                                  &run, diag);
    /* also if it failed, for what came before */
    if (status == ETM_OK || etm_cli_is_unread(status)) {
        int ended = etm_calls_finish(r->replay.calls);

        if (ended == ETM_OK && r->timed)
            ended = etm_cli_timed_finish(r->timed);
        if (ended == ETM_OK && r->replay.view->end_source)
            ended = r->replay.view->end_source(&r->replay);
        if (status == ETM_OK)
            status = ended;
    }
    etm_cli_timed_free(r->timed);
    r->timed = NULL;
    etm_calls_free(r->replay.calls);
    r->replay.calls = NULL;
    etm_cli_demangler_clear(r->replay.demangler);
    return status;
}

static int replay_source(struct replaying *r)
{
    struct etm_session_names names = {.session = r->replay.session,
                                      .source = r->replay.source};
    struct etm_diag diag = {0};
    int status;

    r->replay.info = etm_session_source(r->replay.session, r->replay.source);
    r->replay.names = etm_session_names_of(&names);
    r->gap = false;
    status = find_unit(r, &diag);
    if (status == ETM_OK)
        status = run(r, &diag);
    etm_cli_progress_stop(&r->pass.progress);
    if (status == ETM_OK)
        etm_cli_pass_tell(&r->pass, r->replay.options, r->replay.session,
                          r->replay.source);
    status = etm_cli_names_status(&names, status, &diag);
    return etm_cli_source_status(status, &diag, r->replay.output);
}

/* An exit status. */
static int begin_merged(struct replaying *r)
{
    r->replay.merged = etm_cli_merged_new(
        r->replay.output, r->replay.view->format, r->replay.view->tells_time);
    if (!r->replay.merged) {
        etm_cli_error("out of memory");
        return ETM_EXIT_UNREADABLE;
    }
    return ETM_EXIT_OK;
}

/* The profile of an ITM is one of samples. */
static bool is_shown(const struct replaying *r)
{
    const struct etm_source_info *info =
        etm_session_source(r->replay.session, r->replay.source);

    return r->replay.view->command != ETM_CLI_PROFILE ||
           info->config.protocol != ETM_PROTOCOL_ITM ||
           etm_cli_samples_fit(r->replay.options, r->replay.view->format);
}

/* Can it be told what is inlined? An exit status. */
static int check_inlined(const struct replaying *r)
{
    struct etm_inlined inlined;
    size_t n = 1;

    if (!r->replay.options->view.inlined ||
        etm_session_inlined(r->replay.session, 0, 0, &inlined, &n) !=
            ETM_ERR_UNSUPPORTED)
        return ETM_EXIT_OK;
    etm_cli_error("--inlined is not available: this build cannot read debug "
                  "information, as it was built without elfutils");
    return ETM_EXIT_UNREADABLE;
}

static int replay_all(struct replaying *r,
                      const struct etm_cli_capture *capture)
{
    const struct etm_cli_options *options = r->replay.options;
    int status = etm_cli_variable_check(options, capture->session);

    if (status == ETM_EXIT_OK)
        status = check_inlined(r);
    if (status == ETM_EXIT_OK && options->merge)
        status = begin_merged(r);
    if (status == ETM_EXIT_OK && r->replay.view->prepare)
        status = r->replay.view->prepare(&r->replay);
    if (status == ETM_EXIT_OK && r->replay.view->begin)
        r->replay.view->begin(&r->replay);
    for (size_t i = 0; i < capture->n_sources && status == ETM_EXIT_OK &&
                       !r->replay.output->closed;
         i++) {
        r->replay.source = capture->sources[i];
        if (!is_shown(r)) {
            if (options->n_sources != 0 || capture->n_sources == 1)
                etm_cli_error(
                    "%s: an ITM traces no instructions; samples of its DWT "
                    "have a profile by function, as text, jsonl or folded",
                    etm_session_source(capture->session, capture->sources[i])
                        ->name);
            continue;
        }
        status = etm_cli_pass_find(&r->pass, options, capture, i);
        if (status == ETM_EXIT_OK)
            status = replay_source(r);
    }
    etm_cli_silent_tell(&r->pass.silent, capture->session);
    if (r->replay.merged)
        status = etm_cli_merged_end(r->replay.merged, status);
    if (status == ETM_EXIT_OK && r->replay.view->end) {
        int ended = r->replay.view->end(&r->replay);

        if (ended == ETM_ERR_MEMORY)
            etm_cli_error("out of memory");
        if (ended != ETM_OK)
            status = ETM_EXIT_UNREADABLE;
    }
    if (r->replay.view->free)
        r->replay.view->free(&r->replay);
    return status;
}

/* The first one of the command, if no format was asked for. */
static const struct etm_cli_view *find_view(const struct etm_cli_options *o)
{
    for (size_t i = 0; i < sizeof views / sizeof *views; i++)
        if (views[i]->command == o->command &&
            (!views[i]->fits || views[i]->fits(o)) &&
            (!o->format_told || strcmp(views[i]->format, o->format) == 0))
            return views[i];
    return NULL; /* the options were checked */
}

int etm_cli_view(const struct etm_cli_options *options,
                 struct etm_cli_output *output)
{
    struct replaying r = {.replay = {.options = options, .output = output}};
    struct etm_cli_capture capture;
    int status;

    r.replay.view = find_view(options);
    status = etm_cli_open(&capture, options, output, true);
    if (status != ETM_EXIT_OK)
        return status;
    if (r.replay.view->binary && output->terminal) {
        etm_cli_error("%s: --format %s is a file: use -o FILE", options->name,
                      r.replay.view->format);
        etm_cli_close(&capture);
        return ETM_EXIT_USAGE;
    }
    r.replay.damage = &r.pass.damage;
    r.replay.session = capture.session;
    r.replay.n_sources = capture.n_sources;
    r.replay.demangler = etm_cli_demangler_new(options->view.no_demangle);
    r.replay.state = calloc(1, r.replay.view->state_size + 1);
    if (!r.replay.state) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    } else {
        etm_cli_progress_start(&r.pass.progress, NULL, capture.n_sources);
        status = replay_all(&r, &capture);
    }
    etm_cli_merged_free(r.replay.merged);
    free(r.replay.state);
    etm_cli_demangler_free(r.replay.demangler);
    etm_cli_close(&capture);
    return status;
}
