/* SPDX-License-Identifier: Apache-2.0 */
#include "base/name.h"

#include <etm/program.h>

#define ETM_CALL_LIST(X)                                                       \
    X(ETM_CALL_ENTER, "enter")                                                 \
    X(ETM_CALL_LEAVE, "leave")                                                 \
    X(ETM_CALL_SWITCH, "switch")

const char *etm_call_kind_name(enum etm_call_kind kind)
{
    ETM_RETURN_NAME(ETM_CALL_LIST, kind);
}

#define ETM_CALL_FLAG_LIST(X)                                                  \
    X(ETM_CALL_EXCEPTION, "exception")                                         \
    X(ETM_CALL_TAIL, "tail")                                                   \
    X(ETM_CALL_NO_CALLER, "no_caller")                                         \
    X(ETM_CALL_UNWOUND, "unwound")                                             \
    X(ETM_CALL_CUT, "cut")                                                     \
    X(ETM_CALL_GAP, "gap")                                                     \
    X(ETM_CALL_UNTIMED, "untimed")                                             \
    X(ETM_CALL_RECURSIVE, "recursive")                                         \
    X(ETM_CALL_INLINED, "inlined")

const char *etm_call_flag_name(enum etm_call_flag flag)
{
    ETM_RETURN_NAME(ETM_CALL_FLAG_LIST, flag);
}

#define ETM_TIME_UNIT_LIST(X)                                                  \
    X(ETM_TIME_INSTRUCTIONS, "instructions")                                   \
    X(ETM_TIME_CYCLES, "cycles")                                               \
    X(ETM_TIME_TICKS, "ticks")                                                 \
    X(ETM_TIME_LOCAL_TICKS, "local ticks")

const char *etm_time_unit_name(enum etm_time_unit unit)
{
    ETM_RETURN_NAME(ETM_TIME_UNIT_LIST, unit);
}
