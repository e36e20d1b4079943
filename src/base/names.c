/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of the public enumerations. */
#include <etm/element.h>
#include <etm/packet.h>
#include <etm/status.h>
#include <etm/types.h>

#define TEXT(name, text) text,
#define LOOK_UP(list, index)                                                   \
    do {                                                                       \
        static const char *const texts[] = {list(TEXT)};                       \
        size_t i = (size_t)(index);                                            \
        return i < sizeof texts / sizeof *texts ? texts[i] : "?";              \
    } while (0)

const char *etm_status_text(int status)
{
#define STATUS_CASE(name, number, text)                                        \
    case number:                                                               \
        return text;
    switch (status) { ETM_STATUS_LIST(STATUS_CASE) }
#undef STATUS_CASE
    return "unknown status";
}

const char *etm_isa_name(enum etm_isa isa)
{
    LOOK_UP(ETM_ISA_LIST, isa);
}

const char *etm_protocol_name(enum etm_protocol protocol)
{
    LOOK_UP(ETM_PROTOCOL_LIST, protocol);
}

const char *etm_framing_name(enum etm_framing framing)
{
    LOOK_UP(ETM_FRAMING_LIST, framing);
}

const char *etm_port_form_name(enum etm_port_form form)
{
    LOOK_UP(ETM_PORT_FORM_LIST, form);
}

const char *etm_packet_kind_name(enum etm_packet_kind kind)
{
    LOOK_UP(ETM_PACKET_LIST, kind);
}

const char *etm_element_kind_name(enum etm_element_kind kind)
{
    LOOK_UP(ETM_ELEMENT_LIST, kind);
}

const char *etm_trace_on_name(enum etm_trace_on_reason reason)
{
    LOOK_UP(ETM_TRACE_ON_LIST, reason);
}

const char *etm_lost_name(enum etm_lost_reason reason)
{
    LOOK_UP(ETM_LOST_LIST, reason);
}

const char *etm_insn_type_name(enum etm_insn_type type)
{
    LOOK_UP(ETM_INSN_TYPE_LIST, type);
}

const char *etm_exception_name(enum etm_exception_type type)
{
    LOOK_UP(ETM_EXCEPTION_LIST, type);
}

const char *etm_data_status_name(enum etm_data_status status)
{
    LOOK_UP(ETM_DATA_LIST, status);
}
