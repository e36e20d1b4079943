/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of the public enumerations, and names compared. */
#include "base/name.h"

#include "base/fold.h"

#include <etm/decode.h>
#include <etm/packet.h>
#include <etm/types.h>

const char *etm_status_text(int status)
{
#define STATUS_CASE(name, number, text)                                        \
    case number:                                                               \
        return text;
    switch (status) {
        ETM_STATUS_LIST(STATUS_CASE)
    }
#undef STATUS_CASE
    return "unknown status";
}

const char *etm_version(void)
{
    return ETM_VERSION;
}

const char *etm_isa_name(enum etm_isa isa)
{
    ETM_RETURN_NAME(ETM_ISA_LIST, isa);
}

const char *etm_protocol_name(enum etm_protocol protocol)
{
    ETM_RETURN_NAME(ETM_PROTOCOL_LIST, protocol);
}

const char *etm_framing_name(enum etm_framing framing)
{
    ETM_RETURN_NAME(ETM_FRAMING_LIST, framing);
}

const char *etm_port_form_name(enum etm_port_form form)
{
    ETM_RETURN_NAME(ETM_PORT_FORM_LIST, form);
}

/* In the order of their numbers. */
#define ETM_ALL_PACKETS(X) ETM_PACKET_LIST(X) ETM_ITM_PACKET_LIST(X)

const char *etm_packet_kind_name(enum etm_packet_kind kind)
{
    ETM_RETURN_NAME(ETM_ALL_PACKETS, kind);
}

const char *etm_element_kind_name(enum etm_element_kind kind)
{
    ETM_RETURN_NAME(ETM_ELEMENT_LIST, kind);
}

const char *etm_trace_on_name(enum etm_trace_on_reason reason)
{
    ETM_RETURN_NAME(ETM_TRACE_ON_LIST, reason);
}

const char *etm_lost_name(enum etm_lost_reason reason)
{
    ETM_RETURN_NAME(ETM_LOST_LIST, reason);
}

const char *etm_insn_type_name(enum etm_insn_type type)
{
    ETM_RETURN_NAME(ETM_INSN_TYPE_LIST, type);
}

const char *etm_exception_name(enum etm_exception_type type)
{
    ETM_RETURN_NAME(ETM_EXCEPTION_LIST, type);
}

const char *etm_exception_action_name(enum etm_exception_action action)
{
    ETM_RETURN_NAME(ETM_EXCEPTION_ACTION_LIST, action);
}

const char *etm_pc_state_name(enum etm_pc_state state)
{
    ETM_RETURN_NAME(ETM_PC_LIST, state);
}

const char *etm_itm_relation_name(enum etm_itm_relation relation)
{
    ETM_RETURN_NAME(ETM_ITM_RELATION_LIST, relation);
}

const char *etm_itm_counter_name(enum etm_itm_counter counter)
{
    ETM_RETURN_NAME(ETM_ITM_COUNTER_LIST, counter);
}

const char *etm_data_status_name(enum etm_data_status status)
{
    ETM_RETURN_NAME(ETM_DATA_LIST, status);
}

static const char *skip_separators(const char *name)
{
    while (*name == '-' || *name == '_' || *name == ' ')
        name++;
    return name;
}

/* What comes behind the beginning of a name; NULL: it begins otherwise. */
static const char *behind(const char *name, const char *beginning)
{
    for (;;) {
        name = skip_separators(name);
        beginning = skip_separators(beginning);
        if (*beginning == '\0')
            return name;
        if (etm_fold(*name++) != etm_fold(*beginning++))
            return NULL;
    }
}

bool etm_same_name(const char *a, const char *b)
{
    const char *rest = behind(a, b);

    return rest && *rest == '\0';
}

bool etm_name_begins(const char *name, const char *beginning)
{
    return behind(name, beginning) != NULL;
}
