/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets: the facts on the wire, one plain value each, without pointers.
 *
 * A packet says what is in the trace stream, and nothing that would need
 * the program image or an earlier packet: a compressed address is given as
 * the bits received. Elements (etm/decode.h) and listings of packets
 * (etm/write.h) have complete ones.
 */
#ifndef ETM_PACKET_H
#define ETM_PACKET_H

#include <etm/config.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The specification's names (ETM architecture 7.2, table 7-1;
 * PFT architecture, chapter 4).
 *
 * unsynchronized: bytes before synchronization, at most ETM_PACKET_BYTES_MAX in
 * one packet. A stream is synchronized by its first A-sync, or from its first
 * byte on by an I-sync that is not periodic. bad: bytes that violate the format
 * of the packet they began, or a packet cut off by the end of the stream.
 * reserved: one header byte without a meaning in this version. After `bad` and
 * `reserved` the stream is unsynchronized up to the next A-sync.
 *
 * a_sync: six bytes or more, less (at least the last one, 0x80) if damage made
 * a packet before it take some of its zeros.
 */
enum etm_packet_kind {
    ETM_PACKET_UNSYNCHRONIZED,
    ETM_PACKET_BAD,
    ETM_PACKET_RESERVED,
    ETM_PACKET_A_SYNC,
    ETM_PACKET_I_SYNC,
    ETM_PACKET_I_SYNC_CYCLE_COUNT,
    ETM_PACKET_LSIP_I_SYNC,
    ETM_PACKET_P_HEADER,
    ETM_PACKET_ATOM,
    ETM_PACKET_BRANCH_ADDRESS,
    ETM_PACKET_WAYPOINT_UPDATE,
    ETM_PACKET_CYCLE_COUNT,
    ETM_PACKET_CONTEXT_ID,
    ETM_PACKET_VMID,
    ETM_PACKET_TIMESTAMP,
    ETM_PACKET_TRIGGER,
    ETM_PACKET_IGNORE,
    ETM_PACKET_EXCEPTION_ENTRY,
    ETM_PACKET_EXCEPTION_EXIT,
    ETM_PACKET_NORMAL_DATA,
    ETM_PACKET_OUT_OF_ORDER_PLACEHOLDER,
    ETM_PACKET_OUT_OF_ORDER_DATA,
    ETM_PACKET_VALUE_NOT_TRACED,
    ETM_PACKET_DATA_SUPPRESSED,
    ETM_PACKET_STORE_FAILED,
    ETM_PACKET_PIPESTAT,
    ETM_PACKET_TRACE_PACKET,
    ETM_PACKET_TFO,
};

/*
 * The packets of an ITM and of the DWT behind it, numbered after those of the
 * ETM protocols: etm_packet.kind is one of either (ARMv7-M Architecture
 * Reference Manual, appendix D4). They have `unsynchronized`, `bad` and
 * `reserved`, too, but decoding goes on with the byte after these.
 *
 * hardware: a hardware source packet of another kind or size.
 */
enum etm_itm_packet_kind {
    ETM_PACKET_SYNCHRONIZATION = ETM_PACKET_TFO + 1,
    ETM_PACKET_OVERFLOW,
    ETM_PACKET_LOCAL_TIMESTAMP,
    ETM_PACKET_GLOBAL_TIMESTAMP_1,
    ETM_PACKET_GLOBAL_TIMESTAMP_2,
    ETM_PACKET_EXTENSION,
    ETM_PACKET_STIMULUS_PORT_PAGE,
    ETM_PACKET_INSTRUMENTATION,
    ETM_PACKET_EVENT_COUNTER,
    ETM_PACKET_EXCEPTION_TRACE,
    ETM_PACKET_PC_SAMPLE,
    ETM_PACKET_DATA_TRACE_PC,
    ETM_PACKET_DATA_TRACE_ADDRESS,
    ETM_PACKET_DATA_TRACE_MATCH,
    ETM_PACKET_DATA_TRACE_VALUE,
    ETM_PACKET_HARDWARE,
};

/* The packet of a Micro Trace Buffer, numbered after these (CoreSight MTB-M0+
 * Technical Reference Manual, 2.3.1). There are also `bad` and `ignore`: memory
 * that was never written. */
enum etm_mtb_packet_kind {
    ETM_PACKET_EXECUTION_TRACE = ETM_PACKET_HARDWARE + 1,
};

/* "branch_address", ...; never NULL, static storage. For all of them. */
const char *etm_packet_kind_name(enum etm_packet_kind kind);

/* The longest packet that a decoder outputs, in bytes. */
#define ETM_PACKET_BYTES_MAX 4096u

/* What a packet contains: bits of etm_packet.fields. */
enum etm_packet_field {
    ETM_FIELD_EXCEPTION_0 = 1u << 0, /* exception information byte 0, or the
                                        information byte of a waypoint update */
    ETM_FIELD_EXCEPTION_1 = 1u << 1, /* exception information byte 1 */
    ETM_FIELD_EXCEPTION_2 = 1u << 2, /* exception information byte 2 */
    ETM_FIELD_DEPRECATED = 1u << 3,  /* five-byte ARM exception; `exception` is
                                        EEE (ETMv3 table 7-8) */
    ETM_FIELD_CANCEL = 1u << 4,      /* Can: the last instruction was
                                        cancelled */
    ETM_FIELD_NS = 1u << 5,          /* Non-secure */
    ETM_FIELD_ALT_ISA = 1u << 6,     /* AltISA */
    ETM_FIELD_HYP = 1u << 7,         /* Hyp mode */
    ETM_FIELD_CYCLES = 1u << 8,      /* cycle_count was traced */
    ETM_FIELD_CONTEXT_ID = 1u << 9,  /* context_id was traced */
    ETM_FIELD_ADDRESS = 1u << 10,    /* address bytes were traced */
    ETM_FIELD_VALUE = 1u << 11,      /* a data value was traced (for SS = 0,
                                        value and value_bytes are 0) */
    ETM_FIELD_BE = 1u << 12,         /* BE bit of a 5-byte data address */
    ETM_FIELD_A = 1u << 13,          /* A bit of a data header */
    ETM_FIELD_R = 1u << 14,          /* R bit of a timestamp header: the
                                        clock frequency changed */
    ETM_FIELD_TRUNCATED = 1u << 15   /* bad: cut off by the end of the stream */
};

/* I-sync reason codes (ETM architecture, table 7-23). */
enum etm_sync_reason {
    ETM_SYNC_PERIODIC = 0,
    ETM_SYNC_TRACE_ON = 1,
    ETM_SYNC_OVERFLOW = 2,
    ETM_SYNC_DEBUG_EXIT = 3
};

/* Atoms, two bits each in etm_packet.value. */
enum etm_atom {
    ETM_ATOM_E = 0, /* executed, condition passed */
    ETM_ATOM_N = 1, /* condition failed */
    ETM_ATOM_W = 2  /* cycle boundary (ETMv3, cycle-accurate) */
};

/* What a local timestamp of an ITM says of the packets before it, TC (ARMv7-M
 * ARM, D4.2.4). */
enum etm_itm_relation {
    ETM_ITM_SYNCHRONOUS,   /* they are of that time */
    ETM_ITM_STAMP_DELAYED, /* it is later than they */
    ETM_ITM_EVENT_DELAYED, /* they are later than the event */
    ETM_ITM_BOTH_DELAYED,
};

/* "synchronous", ...; never NULL, static storage. */
const char *etm_itm_relation_name(enum etm_itm_relation relation);

/* The counters of a DWT, from bit 0 of an event_counter on (D4.3.1). */
enum etm_itm_counter {
    ETM_ITM_COUNTER_CPI,
    ETM_ITM_COUNTER_EXC,
    ETM_ITM_COUNTER_SLEEP,
    ETM_ITM_COUNTER_LSU,
    ETM_ITM_COUNTER_FOLD,
    ETM_ITM_COUNTER_CYC,
};

/* "cpi", ...; never NULL, static storage. */
const char *etm_itm_counter_name(enum etm_itm_counter counter);

/* What TRACEPKT carries in a cycle (ETM architecture 5.4, 6.1). */
enum etm_packet_use {
    ETM_USE_NOTHING = 0, /* no packets */
    ETM_USE_PACKETS,     /* packets from the FIFO */
    ETM_USE_IF_ANY,      /* packets, if the FIFO has any in this cycle */
    ETM_USE_STATUS,      /* the status that a trigger replaced */
    ETM_USE_TFO,         /* a trace FIFO offset, or half of it (ETMv2) */
    ETM_USE_GAP,         /* the gap nibble after a TFO (ETMv2) */
    ETM_USE_RESERVED,    /* TD with a reserved value (ETMv2) */
    ETM_USE_UNKNOWN      /* before synchronization (ETMv2) */
};

/*
 * One packet. Fields that a kind does not use are zero.
 *
 * address, address_bits: the address bits received, right-aligned, and their
 * number. Branch address, waypoint update, LSiP's second address: the bits
 * before they are shifted as the instruction set requires (6, 13 ... 32 bits;
 * ETM architecture 7.3.5 and table 7-6). Data: the low bits of the data address
 * (7, 14 ... 32). I-sync: all 32 bits without the T bit, and `isa` from the
 * information byte and T.
 *
 * isa: set for an I-sync or an address of five bytes (ETM_ISA_THUMB also means
 * ThumbEE: see ETM_FIELD_ALT_ISA); otherwise ETM_ISA_UNKNOWN.
 *
 * ETMv1 and ETMv2 have one pipestat and one trace_packet for each cycle.
 * pipestat: `value` is PIPESTAT as on the pins; ETM_FIELD_ADDRESS is set for
 * TRACESYNC (ETMv1: an address begins on TRACEPKT in this cycle). trace_packet:
 * `value` is TRACEPKT in value_bytes bytes, `info` the PIPESTAT of the same
 * cycle, `use` what the pins carry. ETMv2: if `use` is ETM_USE_PACKETS, `count`
 * half bytes are valid, from the lowest. A cycle of a TFO has a `tfo` instead
 * of the trace_packet, with the same fields; when the offset is complete, it is
 * in `address` (ETM_FIELD_ADDRESS). Pins that cannot be interpreted are
 * `unsynchronized` or `bad`, also with the same fields.
 *
 * ITM. `value` and value_bytes: the payload of an `instrumentation` packet,
 * whose port (0 to 31 of a page) is `tag`; the page of a stimulus_port_page; a
 * local timestamp (0 bytes: the short form), with `tag` as enum
 * etm_itm_relation; TS[25:0] of a global_timestamp_1, with `tag` 1 if the bits
 * above have changed (Wrap), and ETM_FIELD_R; TS[63:26] or TS[47:26] of a
 * global_timestamp_2; EX of an `extension`, with `tag` 1 if its source is
 * hardware; ETM_ITM_COUNTER_... of an event_counter. exception_trace:
 * `exception`, and in `reason` enum etm_exception_action. pc_sample: `address`
 * if ETM_FIELD_ADDRESS, otherwise `value` of 0 (asleep) or 0xff (not to be
 * shown). data_trace_...: the comparator in `tag`; an `address` (of _address 16
 * bits); of _value `value`, and `reason` 1 if it was written. hardware: the
 * discriminator in `tag`.
 *
 * MTB. execution_trace: `address` is where it went, `address2` where it came
 * from; ETM_FIELD_A: not from an instruction, but an exception or a PC update
 * in Debug state; `reason` is ETM_SYNC_TRACE_ON in the first one after tracing
 * began (the S bit).
 */
struct etm_packet {
    uint64_t offset;      /* of the first byte, in bytes of the stream */
    uint64_t value;       /* data value; timestamp bits; VMID; atoms: two
                             bits each, the oldest lowest; TRACEPKT */
    uint32_t size;        /* bytes in the stream */
    uint32_t address;     /* address bits received */
    uint32_t address2;    /* LSiP: bits of the second address */
    uint32_t cycle_count; /* processor cycles */
    uint32_t context_id;
    uint16_t fields;       /* ETM_FIELD_... */
    uint16_t exception;    /* Excp[8:0], or EEE */
    uint8_t kind;          /* enum etm_packet_kind */
    uint8_t header;        /* the first byte on the wire */
    uint8_t info;          /* information byte of an I-sync or a waypoint
                              update; exception information byte 0 */
    uint8_t isa;           /* enum etm_isa */
    uint8_t reason;        /* enum etm_sync_reason */
    uint8_t address_bits;  /* number of valid bits in address */
    uint8_t address_bytes; /* number of address bytes on the wire */
    uint8_t address2_bits;
    uint8_t address2_bytes;
    uint8_t isa2;        /* LSiP: as isa, for the second address */
    uint8_t value_bytes; /* bytes of value on the wire; 0 to 9 */
    uint8_t count;       /* number of atoms, 0 to 16 */
    uint8_t tag;         /* TT of out-of-order packets, 1 to 3 */
    uint8_t resume;      /* Resume[3:0] */
    uint8_t cycle_bytes; /* bytes of the cycle count on the wire */
    uint8_t use;         /* enum etm_packet_use, of a trace_packet */
    uint8_t reserve[8];  /* 0 */
};

/*
 * The time of a raw timestamp: converts Gray code if the configuration says so
 * (PFT architecture, 4.12; ETMCCER[28]).
 */
uint64_t etm_timestamp_time(const struct etm_config *config, uint64_t raw);

/*
 * Can the cycle count of a gap be trusted, at whose end tracing restarts for
 * this reason (enum etm_sync_reason, but not ETM_SYNC_PERIODIC)? After an
 * overflow it cannot in ETMv3.0, v3.5 and PFT from v1.1 on, nor after Debug
 * state in ETMv3.0 and PFT from v1.1 on (ETM architecture, 7.3.4 and the text
 * of v3.5; PFT architecture, 4.6). ETMv1 and ETMv2 do not count gaps.
 */
bool etm_gap_is_reliable(const struct etm_config *config, unsigned reason);

/*
 * Packets of a byte stream.
 *
 * `packets` is called with arrays of packets, in stream order. A return value
 * other than 0 stops the decoder: push returns it, and so does every later call
 * except free, without doing anything. The packets do not depend on how the
 * input is divided into calls.
 */
struct etm_packet_decoder;

typedef int etm_packet_fn(void *context, const struct etm_packet *packets,
                          size_t n);

struct etm_packet_decoder_config {
    size_t size;                     /* sizeof this struct, or 0 */
    const struct etm_config *config; /* copied */
    etm_packet_fn *packets;
    void *context;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Make a decoder. On success *decoder is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT, ETM_ERR_CONFIG, ETM_ERR_UNSUPPORTED (protocol),
 * ETM_ERR_MEMORY.
 */
int etm_packet_decoder_new(struct etm_packet_decoder **decoder,
                           const struct etm_packet_decoder_config *config);

/* Feed bytes; they are borrowed for the call. ETM_ERR_MEMORY, or what `packets`
 * returned; both stop the decoder. ETM_ERR_ARGUMENT, also after
 * etm_packet_decoder_finish(). */
int etm_packet_decoder_push(struct etm_packet_decoder *decoder,
                            const uint8_t *bytes, size_t n);

/*
 * Bytes of the stream were lost here: an incomplete packet is `bad`, and the
 * decoder looks for the next A-sync. Offsets do not count lost bytes. Errors as
 * for etm_packet_decoder_push().
 */
int etm_packet_decoder_gap(struct etm_packet_decoder *decoder);

/* End of the stream: outputs the rest as `bad` or `unsynchronized`. Nothing may
 * be pushed after it. Errors as for etm_packet_decoder_push(). */
int etm_packet_decoder_finish(struct etm_packet_decoder *decoder);

/* Accepts NULL. */
void etm_packet_decoder_free(struct etm_packet_decoder *decoder);

/*
 * Encode one packet: what the decoder makes of the bytes has the same fields.
 * The bytes may differ from those that a packet was decoded from in bits that
 * should be zero and in what only the decoder sets (`header`, `info`). The form
 * is determined by `fields` and by address_bytes, value_bytes and cycle_bytes
 * (0: as few as possible). Writes at most `capacity` bytes and returns their
 * number. ETM_ERR_ARGUMENT: this configuration has no such packet (nor any an
 * `a_sync` of less than six bytes), a value does not fit into the packet, or
 * the packet does not fit into `capacity`; ETM_ERR_UNSUPPORTED:
 * `unsynchronized` and `bad` have no encoding.
 */
int etm_packet_encode(const struct etm_config *config,
                      const struct etm_packet *packet, uint8_t *bytes,
                      size_t capacity);

/* Room for the longest encoding of any packet. */
#define ETM_PACKET_ENCODED_MAX 32u

#ifdef __cplusplus
}
#endif
#endif
