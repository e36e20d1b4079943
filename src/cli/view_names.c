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

uint64_t etm_cli_now(const struct etm_cli_replay *replay)
{
    return etm_cli_in_unit(replay, etm_calls_cost(replay->calls));
}

const char *etm_cli_unit_name(const struct etm_cli_replay *replay)
{
    if (etm_cli_is_itm(replay))
        return "ticks";
    return replay->cycles ? "cycles" : "instructions";
}
