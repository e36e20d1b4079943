/* SPDX-License-Identifier: Apache-2.0 */
/* The texts of the public enumerations, and names compared. */
#include "base/name.h"

#include "base/fold.h"
#include "base/lists.h"

#include <etm/decode.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/types.h>

#define ETM_STATUS_LIST(X)                                                     \
    X(ETM_OK, "success")                                                       \
    X(ETM_ERR_ARGUMENT, "invalid argument")                                    \
    X(ETM_ERR_MEMORY, "out of memory")                                         \
    X(ETM_ERR_IO, "cannot read or write a file")                               \
    X(ETM_ERR_FORMAT, "file format not understood")                            \
    X(ETM_ERR_CONFIG, "contradictory or missing configuration")                \
    X(ETM_ERR_UNSUPPORTED, "not supported by this build or this macrocell")    \
    X(ETM_ERR_NOT_FOUND, "no such thing")                                      \
    X(ETM_ERR_STOPPED, "stopped by the caller")

const char *etm_status_text(int status)
{
    switch ((enum etm_status)status) {
        ETM_STATUS_LIST(ETM_NAME_CASE)
    }
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

#define ETM_PROTOCOL_LIST(X)                                                   \
    X(ETM_PROTOCOL_NONE, "none")                                               \
    X(ETM_PROTOCOL_ETMV1, "etmv1")                                             \
    X(ETM_PROTOCOL_ETMV2, "etmv2")                                             \
    X(ETM_PROTOCOL_ETMV3, "etmv3")                                             \
    X(ETM_PROTOCOL_PFT, "pft")                                                 \
    X(ETM_PROTOCOL_ITM, "itm")                                                 \
    X(ETM_PROTOCOL_MTB, "mtb")

const char *etm_protocol_name(enum etm_protocol protocol)
{
    ETM_RETURN_NAME(ETM_PROTOCOL_LIST, protocol);
}

#define ETM_FRAMING_LIST(X)                                                    \
    X(ETM_FRAMING_NONE, "none")                                                \
    X(ETM_FRAMING_CORESIGHT, "coresight")                                      \
    X(ETM_FRAMING_DSTREAM, "dstream")                                          \
    X(ETM_FRAMING_TPIU, "tpiu")                                                \
    X(ETM_FRAMING_PORT, "port")                                                \
    X(ETM_FRAMING_TPIU_PORT, "tpiu-port")                                      \
    X(ETM_FRAMING_SWO, "swo")                                                  \
    X(ETM_FRAMING_MTB, "mtb")                                                  \
    X(ETM_FRAMING_ORBFLOW, "orbflow")

const char *etm_framing_name(enum etm_framing framing)
{
    ETM_RETURN_NAME(ETM_FRAMING_LIST, framing);
}

#define ETM_PORT_FORM_LIST(X)                                                  \
    X(ETM_PORT_FORM_AUTO, "auto")                                              \
    X(ETM_PORT_FORM_TEXT, "text")                                              \
    X(ETM_PORT_FORM_VCD, "vcd")                                                \
    X(ETM_PORT_FORM_OPENOCD, "openocd")                                        \
    X(ETM_PORT_FORM_RECORDS, "records")                                        \
    X(ETM_PORT_FORM_ETB, "etb")                                                \
    X(ETM_PORT_FORM_BYTES, "bytes")                                            \
    X(ETM_PORT_FORM_CSV, "csv")

const char *etm_port_form_name(enum etm_port_form form)
{
    ETM_RETURN_NAME(ETM_PORT_FORM_LIST, form);
}

const char *etm_packet_kind_name(enum etm_packet_kind kind)
{
    if ((unsigned)kind > ETM_PACKET_HARDWARE)
        ETM_RETURN_NAME(ETM_MTB_PACKET_LIST, (enum etm_mtb_packet_kind)kind);
    if (kind > ETM_PACKET_TFO)
        ETM_RETURN_NAME(ETM_ITM_PACKET_LIST, (enum etm_itm_packet_kind)kind);
    ETM_RETURN_NAME(ETM_PACKET_LIST, kind);
}

const char *etm_element_kind_name(enum etm_element_kind kind)
{
    ETM_RETURN_NAME(ETM_ELEMENT_LIST, kind);
}

#define ETM_GAP_LIST(X)                                                        \
    X(ETM_GAP_OFF, "off")                                                      \
    X(ETM_GAP_OVERFLOW, "overflow")                                            \
    X(ETM_GAP_LOST, "lost")                                                    \
    X(ETM_GAP_NO_CODE, "no_code")

const char *etm_gap_name(enum etm_gap gap)
{
    ETM_RETURN_NAME(ETM_GAP_LIST, gap);
}

#define ETM_TRACE_ON_LIST(X)                                                   \
    X(ETM_TRACE_ON_START, "start")                                             \
    X(ETM_TRACE_ON_OVERFLOW, "overflow")                                       \
    X(ETM_TRACE_ON_DEBUG_EXIT, "debug_exit")

const char *etm_trace_on_name(enum etm_trace_on_reason reason)
{
    ETM_RETURN_NAME(ETM_TRACE_ON_LIST, reason);
}

#define ETM_LOST_LIST(X)                                                       \
    X(ETM_LOST_UNSYNCHRONIZED, "unsynchronized")                               \
    X(ETM_LOST_BAD_PACKET, "bad_packet")                                       \
    X(ETM_LOST_BAD_FRAME, "bad_frame")                                         \
    X(ETM_LOST_IMAGE_MISMATCH, "image_mismatch")                               \
    X(ETM_LOST_TRUNCATED, "truncated")

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

#define ETM_EXCEPTION_ACTION_LIST(X)                                           \
    X(ETM_EXCEPTION_UNTOLD, "untold")                                          \
    X(ETM_EXCEPTION_ENTER, "enter")                                            \
    X(ETM_EXCEPTION_EXIT, "exit")                                              \
    X(ETM_EXCEPTION_RETURN, "return")

const char *etm_exception_action_name(enum etm_exception_action action)
{
    ETM_RETURN_NAME(ETM_EXCEPTION_ACTION_LIST, action);
}

#define ETM_PC_LIST(X)                                                         \
    X(ETM_PC_RUNNING, "running")                                               \
    X(ETM_PC_SLEEPING, "sleeping")                                             \
    X(ETM_PC_PROHIBITED, "prohibited")

const char *etm_pc_state_name(enum etm_pc_state state)
{
    ETM_RETURN_NAME(ETM_PC_LIST, state);
}

#define ETM_ITM_RELATION_LIST(X)                                               \
    X(ETM_ITM_SYNCHRONOUS, "synchronous")                                      \
    X(ETM_ITM_STAMP_DELAYED, "timestamp_delayed")                              \
    X(ETM_ITM_EVENT_DELAYED, "event_delayed")                                  \
    X(ETM_ITM_BOTH_DELAYED, "both_delayed")

const char *etm_itm_relation_name(enum etm_itm_relation relation)
{
    ETM_RETURN_NAME(ETM_ITM_RELATION_LIST, relation);
}

#define ETM_ITM_COUNTER_LIST(X)                                                \
    X(ETM_ITM_COUNTER_CPI, "cpi")                                              \
    X(ETM_ITM_COUNTER_EXC, "exc")                                              \
    X(ETM_ITM_COUNTER_SLEEP, "sleep")                                          \
    X(ETM_ITM_COUNTER_LSU, "lsu")                                              \
    X(ETM_ITM_COUNTER_FOLD, "fold")                                            \
    X(ETM_ITM_COUNTER_CYC, "cyc")

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
