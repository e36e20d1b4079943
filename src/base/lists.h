/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of the values of public enumerations that more than one file needs:
 * X(VALUE, text). What has a name of its own only has its list beside the
 * function that returns it; see ETM_RETURN_NAME() of "base/name.h", by which
 * the compiler finds a value that a list lacks.
 */
#ifndef ETM_BASE_LISTS_H
#define ETM_BASE_LISTS_H

#define ETM_ISA_LIST(X)                                                        \
    X(ETM_ISA_UNKNOWN, "unknown")                                              \
    X(ETM_ISA_ARM, "arm")                                                      \
    X(ETM_ISA_THUMB, "thumb")                                                  \
    X(ETM_ISA_THUMBEE, "thumbee")                                              \
    X(ETM_ISA_JAZELLE, "jazelle")

#define ETM_PACKET_LIST(X)                                                     \
    X(ETM_PACKET_UNSYNCHRONIZED, "unsynchronized")                             \
    X(ETM_PACKET_BAD, "bad")                                                   \
    X(ETM_PACKET_RESERVED, "reserved")                                         \
    X(ETM_PACKET_A_SYNC, "a_sync")                                             \
    X(ETM_PACKET_I_SYNC, "i_sync")                                             \
    X(ETM_PACKET_I_SYNC_CYCLE_COUNT, "i_sync_cycle_count")                     \
    X(ETM_PACKET_LSIP_I_SYNC, "lsip_i_sync")                                   \
    X(ETM_PACKET_P_HEADER, "p_header")                                         \
    X(ETM_PACKET_ATOM, "atom")                                                 \
    X(ETM_PACKET_BRANCH_ADDRESS, "branch_address")                             \
    X(ETM_PACKET_WAYPOINT_UPDATE, "waypoint_update")                           \
    X(ETM_PACKET_CYCLE_COUNT, "cycle_count")                                   \
    X(ETM_PACKET_CONTEXT_ID, "context_id")                                     \
    X(ETM_PACKET_VMID, "vmid")                                                 \
    X(ETM_PACKET_TIMESTAMP, "timestamp")                                       \
    X(ETM_PACKET_TRIGGER, "trigger")                                           \
    X(ETM_PACKET_IGNORE, "ignore")                                             \
    X(ETM_PACKET_EXCEPTION_ENTRY, "exception_entry")                           \
    X(ETM_PACKET_EXCEPTION_EXIT, "exception_exit")                             \
    X(ETM_PACKET_NORMAL_DATA, "normal_data")                                   \
    X(ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER, "out_of_order_placeholder")         \
    X(ETM_PACKET_OUT_OF_ORDER_DATA, "out_of_order_data")                       \
    X(ETM_PACKET_VALUE_NOT_TRACED, "value_not_traced")                         \
    X(ETM_PACKET_DATA_SUPPRESSED, "data_suppressed")                           \
    X(ETM_PACKET_STORE_FAILED, "store_failed")                                 \
    X(ETM_PACKET_PIPESTAT, "pipestat")                                         \
    X(ETM_PACKET_TRACE_PACKET, "trace_packet")                                 \
    X(ETM_PACKET_TFO, "tfo")

#define ETM_ITM_PACKET_LIST(X)                                                 \
    X(ETM_PACKET_SYNCHRONIZATION, "synchronization")                           \
    X(ETM_PACKET_OVERFLOW, "overflow")                                         \
    X(ETM_PACKET_LOCAL_TIMESTAMP, "local_timestamp")                           \
    X(ETM_PACKET_GLOBAL_TIMESTAMP_1, "global_timestamp_1")                     \
    X(ETM_PACKET_GLOBAL_TIMESTAMP_2, "global_timestamp_2")                     \
    X(ETM_PACKET_EXTENSION, "extension")                                       \
    X(ETM_PACKET_STIMULUS_PORT_PAGE, "stimulus_port_page")                     \
    X(ETM_PACKET_INSTRUMENTATION, "instrumentation")                           \
    X(ETM_PACKET_EVENT_COUNTER, "event_counter")                               \
    X(ETM_PACKET_EXCEPTION_TRACE, "exception_trace")                           \
    X(ETM_PACKET_PC_SAMPLE, "pc_sample")                                       \
    X(ETM_PACKET_DATA_TRACE_PC, "data_trace_pc")                               \
    X(ETM_PACKET_DATA_TRACE_ADDRESS, "data_trace_address")                     \
    X(ETM_PACKET_DATA_TRACE_MATCH, "data_trace_match")                         \
    X(ETM_PACKET_DATA_TRACE_VALUE, "data_trace_value")                         \
    X(ETM_PACKET_HARDWARE, "hardware")

#define ETM_MTB_PACKET_LIST(X) X(ETM_PACKET_EXECUTION_TRACE, "execution_trace")

#define ETM_ALL_PACKET_LIST(X)                                                 \
    ETM_PACKET_LIST(X) ETM_ITM_PACKET_LIST(X) ETM_MTB_PACKET_LIST(X)

#define ETM_ELEMENT_LIST(X)                                                    \
    X(ETM_ELEMENT_TRACE_ON, "trace_on")                                        \
    X(ETM_ELEMENT_LOST, "lost")                                                \
    X(ETM_ELEMENT_CONTEXT, "context")                                          \
    X(ETM_ELEMENT_RANGE, "range")                                              \
    X(ETM_ELEMENT_INSN, "insn")                                                \
    X(ETM_ELEMENT_NO_IMAGE, "no_image")                                        \
    X(ETM_ELEMENT_EXCEPTION, "exception")                                      \
    X(ETM_ELEMENT_EXCEPTION_RETURN, "exception_return")                        \
    X(ETM_ELEMENT_DATA, "data")                                                \
    X(ETM_ELEMENT_CYCLES, "cycles")                                            \
    X(ETM_ELEMENT_TIMESTAMP, "timestamp")                                      \
    X(ETM_ELEMENT_TRIGGER, "trigger")                                          \
    X(ETM_ELEMENT_END, "end")                                                  \
    X(ETM_ELEMENT_SOFTWARE, "software")                                        \
    X(ETM_ELEMENT_PC_SAMPLE, "pc_sample")                                      \
    X(ETM_ELEMENT_EVENT_COUNTER, "event_counter")                              \
    X(ETM_ELEMENT_LOCAL_TIMESTAMP, "local_timestamp")

#define ETM_INSN_TYPE_LIST(X)                                                  \
    X(ETM_INSN_TYPE_OTHER, "other")                                            \
    X(ETM_INSN_TYPE_DIRECT, "direct")                                          \
    X(ETM_INSN_TYPE_INDIRECT, "indirect")                                      \
    X(ETM_INSN_TYPE_BARRIER, "barrier")

#define ETM_EXCEPTION_LIST(X)                                                  \
    X(ETM_EXCEPTION_RESERVED, "reserved")                                      \
    X(ETM_EXCEPTION_RESET, "reset")                                            \
    X(ETM_EXCEPTION_UNDEFINED, "undefined")                                    \
    X(ETM_EXCEPTION_SVC, "svc")                                                \
    X(ETM_EXCEPTION_SMC, "smc")                                                \
    X(ETM_EXCEPTION_HVC, "hvc")                                                \
    X(ETM_EXCEPTION_PREFETCH_ABORT, "prefetch_abort")                          \
    X(ETM_EXCEPTION_DATA_ABORT, "data_abort")                                  \
    X(ETM_EXCEPTION_ASYNC_DATA_ABORT, "async_data_abort")                      \
    X(ETM_EXCEPTION_IRQ, "irq")                                                \
    X(ETM_EXCEPTION_FIQ, "fiq")                                                \
    X(ETM_EXCEPTION_NMI, "nmi")                                                \
    X(ETM_EXCEPTION_DEBUG_HALT, "debug_halt")                                  \
    X(ETM_EXCEPTION_JAZELLE_THUMBEE, "jazelle_thumbee")                        \
    X(ETM_EXCEPTION_GENERIC, "generic")                                        \
    X(ETM_EXCEPTION_HYP_ENTRY, "hyp_entry")                                    \
    X(ETM_EXCEPTION_HARD_FAULT, "hard_fault")                                  \
    X(ETM_EXCEPTION_MEM_MANAGE, "mem_manage")                                  \
    X(ETM_EXCEPTION_BUS_FAULT, "bus_fault")                                    \
    X(ETM_EXCEPTION_USAGE_FAULT, "usage_fault")                                \
    X(ETM_EXCEPTION_DEBUG_MONITOR, "debug_monitor")                            \
    X(ETM_EXCEPTION_PEND_SV, "pend_sv")                                        \
    X(ETM_EXCEPTION_SYS_TICK, "sys_tick")                                      \
    X(ETM_EXCEPTION_IRQ_N, "irqN")                                             \
    X(ETM_EXCEPTION_THREAD, "thread")                                          \
    X(ETM_EXCEPTION_SECURE_FAULT, "secure_fault")

#define ETM_DATA_LIST(X)                                                       \
    X(ETM_DATA_OK, "ok")                                                       \
    X(ETM_DATA_NOT_TRACED, "not_traced")                                       \
    X(ETM_DATA_SUPPRESSED, "suppressed")                                       \
    X(ETM_DATA_STORE_FAILED, "store_failed")

#endif
