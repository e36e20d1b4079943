/* SPDX-License-Identifier: Apache-2.0 */
/* etm top: hot functions, exceptions and losses, while the trace comes. */
#define _XOPEN_SOURCE 700
#include "cli/top.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>

/* Lines of a frame beside those of functions. */
#define OTHER_LINES 12u
#define FUNCTIONS 20u

struct watching {
    const struct etm_cli_options *options;
    struct etm_cli_top *top;
    struct etm_cli_top_frame frame;
    struct timespec last; /* frame */
    uint64_t interval;    /* ms */
};

static uint64_t elapsed(const struct timespec *since)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)((now.tv_sec - since->tv_sec) * 1000 +
                      (now.tv_nsec - since->tv_nsec) / 1000000);
}

static int show(struct watching *w, bool end)
{
    int status;

    w->frame.end = end;
    w->frame.number++;
    status = etm_cli_top_show(w->top, &w->frame);
    (void)clock_gettime(CLOCK_MONOTONIC, &w->last);
    return status;
}

static int show_if_due(struct watching *w)
{
    return !w->options->once && elapsed(&w->last) >= w->interval
               ? show(w, false)
               : ETM_OK;
}

static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct watching *w = context;
    int status = etm_cli_top_count(w->top, elements, n);

    return status == ETM_OK ? show_if_due(w) : status;
}

/* Nothing comes at the moment: show what is known. */
static int take_pause(void *context)
{
    struct watching *w = context;

    return !w->options->once && w->top->now != 0 ? show(w, false) : ETM_OK;
}

/* How many functions have room. */
static size_t room_of(const struct etm_cli_options *o,
                      const struct etm_cli_output *output)
{
    struct winsize size = {0};

    if (o->diff.lines_told)
        return o->diff.lines != 0 ? (size_t)o->diff.lines : SIZE_MAX;
    if (output->terminal && ioctl(output->fd, TIOCGWINSZ, &size) == 0 &&
        size.ws_row > OTHER_LINES)
        return size.ws_row - OTHER_LINES;
    return FUNCTIONS;
}

static int watch_source(struct watching *w, const struct etm_session *session,
                        size_t source, struct etm_cli_silent *silent)
{
    const struct etm_source_info *info = etm_session_source(session, source);
    struct etm_session_names names = {.session = session, .source = source};
    struct etm_session_run run = {.size = sizeof run,
                                  .elements = take_elements,
                                  .idle = take_pause,
                                  .context = w,
                                  .jobs = etm_cli_threads(w->options)};
    struct etm_diag diag = {0};
    int status, shown = ETM_OK;

    *w->top = (struct etm_cli_top){
        .names = etm_session_names_of(&names),
        .samples = info->config.protocol == ETM_PROTOCOL_ITM,
        .cycles = info->config.cycle_accurate && !info->config.data_only};
    w->frame.info = info;
    w->frame.number = 0;
    (void)clock_gettime(CLOCK_MONOTONIC, &w->last);
    status = etm_session_run_source(session, source, &run, &diag);
    if (status == ETM_OK || etm_cli_is_unread(status))
        shown = show(w, true);
    if (status == ETM_OK)
        status = shown;
    if (status == ETM_OK)
        etm_cli_damage_tell(&w->top->damage, session, source, true, silent);
    etm_cli_top_free(w->top);
    etm_cli_demangler_clear(w->frame.demangler);
    status = etm_cli_names_status(&names, status, &diag);
    return etm_cli_source_status(status, &diag, w->frame.output);
}

static void end_after(int number)
{
    (void)number;
    (void)raise(SIGINT); /* as if the user had done it */
}

/* --once of a server, which may have no end: it has one then. */
static void limit_time(uint64_t ms)
{
    const struct itimerval timer = {
        .it_value = {.tv_sec = (time_t)(ms / 1000),
                     .tv_usec = (suseconds_t)(ms % 1000 * 1000)}};
    struct sigaction action = {.sa_handler = end_after};

    (void)sigaction(SIGALRM, &action, NULL);
    (void)setitimer(ITIMER_REAL, &timer, NULL);
}

int etm_cli_top(const struct etm_cli_options *options,
                struct etm_cli_output *output)
{
    struct etm_cli_capture capture;
    struct etm_cli_silent silent = {.n = 0};
    struct watching w = {.options = options, .interval = options->interval};
    int status = etm_cli_open(&capture, options, output, true);

    if (status != ETM_EXIT_OK)
        return status;
    output->paged = false;
    w.top = calloc(1, sizeof *w.top);
    w.frame.output = output;
    w.frame.demangler = etm_cli_demangler_new(options->view.no_demangle);
    w.frame.most = room_of(options, output);
    w.frame.jsonl = strcmp(options->format, "jsonl") == 0;
    w.frame.in_place = output->terminal && !w.frame.jsonl && !options->once;
    if (!w.top) {
        etm_cli_error("out of memory");
        status = ETM_EXIT_UNREADABLE;
    }
    if (options->once && strncmp(options->capture, "tcp:", 4) == 0)
        limit_time(w.interval);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed; i++)
        status = watch_source(&w, capture.session, capture.sources[i], &silent);
    etm_cli_silent_tell(&silent, capture.session);
    etm_cli_demangler_free(w.frame.demangler);
    free(w.top);
    etm_cli_close(&capture);
    return status;
}
