/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pass.h"

int etm_cli_pass_find(struct etm_cli_pass *p,
                      const struct etm_cli_options *options,
                      const struct etm_cli_capture *capture, size_t i)
{
    p->progress.part = i;
    return etm_cli_part_find(options, capture->session, capture->sources[i],
                             &p->part);
}

static int show_progress(void *context, uint64_t done, uint64_t total)
{
    struct etm_cli_pass *p = context;

    etm_cli_progress_show(&p->progress, done, total);
    return ETM_OK;
}

void etm_cli_pass_begin(struct etm_cli_pass *p, struct etm_session_run *run)
{
    p->damage = (struct etm_cli_damage){.part = etm_cli_part_is_part(&p->part)};
    p->ended = false;
    p->progress.begin = run->begin = p->part.begin;
    p->progress.end = run->end = p->part.end;
    run->start = p->part.start;
    run->progress = show_progress;
    run->context = p;
}

size_t etm_cli_pass_take(struct etm_cli_pass *p,
                         const struct etm_element *elements, size_t n)
{
    size_t before = etm_cli_part_before_end(&p->part, elements, n);

    etm_cli_damage_add(&p->damage, elements, before);
    p->ended = before < n;
    return before;
}

int etm_cli_pass_run(struct etm_cli_pass *p, const struct etm_session *session,
                     size_t source, const struct etm_session_run *run,
                     struct etm_diag *diag)
{
    int status = p->part.nothing
                     ? ETM_OK
                     : etm_session_run_source(session, source, run, diag);

    return status == ETM_ERR_STOPPED && p->ended ? ETM_OK : status;
}

void etm_cli_pass_tell(struct etm_cli_pass *p,
                       const struct etm_cli_options *options,
                       const struct etm_session *session, size_t source)
{
    etm_cli_damage_tell(&p->damage, session, source,
                        etm_cli_part_is_whole(&p->part), &p->silent);
    etm_cli_part_tell(&p->part, options, etm_session_source(session, source));
}
