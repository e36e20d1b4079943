/* SPDX-License-Identifier: Apache-2.0 */
/* How views call what they show. */
#include "cli/view.h"

#include <stdio.h>
#include <string.h>

const char *etm_cli_call_name(const struct etm_cli_replay *replay,
                              const struct etm_call *call,
                              char text[ETM_CLI_CALL_NAME])
{
    const struct etm_function *f =
        etm_calls_function(replay->calls, call->function);

    if (f && f->name)
        return etm_cli_demangle(replay->demangler, call->function, f->name,
                                (call->flags & ETM_CALL_INLINED) != 0);
    if (f)
        snprintf(text, ETM_CLI_CALL_NAME, "0x%08x", (unsigned)f->address);
    else if (call->exception_type == ETM_EXCEPTION_IRQ_N)
        snprintf(text, ETM_CLI_CALL_NAME, "[irq%u]", (unsigned)call->irq);
    else
        snprintf(
            text, ETM_CLI_CALL_NAME, "[%s]",
            etm_exception_name((enum etm_exception_type)call->exception_type));
    return text;
}

bool etm_cli_call_is(const struct etm_cli_replay *replay,
                     const struct etm_call *call, const char *name)
{
    const struct etm_function *f =
        etm_calls_function(replay->calls, call->function);
    char text[ETM_CLI_CALL_NAME];

    return f && f->name
               ? etm_cli_demangle_same(replay->demangler, f->name, name)
               : strcmp(etm_cli_call_name(replay, call, text), name) == 0;
}

const char *etm_cli_task_name(const struct etm_cli_replay *replay,
                              const struct etm_call_task *known, unsigned task,
                              struct etm_cli_task_name *name)
{
    const char *variable = replay->options->view.task_variable;

    if (known->value_known)
        snprintf(name->text, sizeof name->text, "%.64s 0x%08x", variable,
                 (unsigned)known->value);
    else if (known->context_id_known)
        snprintf(name->text, sizeof name->text, "context 0x%x",
                 (unsigned)known->context_id);
    else
        snprintf(name->text, sizeof name->text, "task %u", task);
    return name->text;
}

bool etm_cli_is_complete(const struct etm_cli_replay *replay,
                         const struct etm_call *call)
{
    const struct etm_cli_when *when = &replay->when;
    unsigned gap = replay->cycles ? ETM_CALL_UNTIMED : ETM_CALL_GAP;

    if ((call->flags & (ETM_CALL_NO_CALLER | ETM_CALL_CUT | gap)) != 0)
        return false;
    return replay->unit != ETM_TIME_TICKS ||
           (when->from.sure && when->time.sure &&
            when->from.ticks <= when->time.ticks);
}

uint64_t etm_cli_duration(const struct etm_cli_replay *replay,
                          const struct etm_call *call)
{
    return replay->unit == ETM_TIME_TICKS
               ? replay->when.duration
               : etm_cli_in_unit(replay, call->total);
}

static bool in_ticks(const struct etm_cli_replay *replay)
{
    return replay->merged || replay->unit == ETM_TIME_TICKS;
}

bool etm_cli_time(const struct etm_cli_replay *replay,
                  const struct etm_call *call,
                  const struct etm_clock_time *when, uint64_t *time)
{
    *time = in_ticks(replay) ? when->ticks : etm_cli_in_unit(replay, call->at);
    return !in_ticks(replay) || when->known;
}

const char *etm_cli_time_unit_name(const struct etm_cli_replay *replay)
{
    return in_ticks(replay) ? etm_time_unit_name(ETM_TIME_TICKS)
                            : etm_cli_unit_name(replay);
}
