/* SPDX-License-Identifier: Apache-2.0 */
/* Types shared by all parts of the library. */
#ifndef ETM_TYPES_H
#define ETM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Structs may get more members at their end in later versions (doc/abi.md).
 *
 * Many begin with `size`: sizeof the struct as the caller was compiled with it.
 * 0 is the size in the first version of the library: members that were added
 * later are not looked at. Members that the caller's struct does not have count
 * as 0. If it has members that this version of the library does not know, they
 * must be 0: ETM_ERR_UNSUPPORTED. Where a function fills such a struct, `size`
 * says how far, and must be set before.
 *
 * Others have a `reserve`, whose place later members take: it is 0.
 */

/* A truth value that the trace may leave open. Zero is "unknown". */
enum etm_tri {
    ETM_UNKNOWN = 0,
    ETM_FALSE = 1,
    ETM_TRUE = 2,
};

/* Instruction set states (ETM architecture, Glossary). Zero is "unknown". */
#define ETM_ISA_LIST(X)                                                        \
    X(UNKNOWN, "unknown")                                                      \
    X(ARM, "arm")                                                              \
    X(THUMB, "thumb")                                                          \
    X(THUMBEE, "thumbee")                                                      \
    X(JAZELLE, "jazelle")

enum etm_isa {
#define ETM_ISA_ENUM(name, text) ETM_ISA_##name,
    ETM_ISA_LIST(ETM_ISA_ENUM)
#undef ETM_ISA_ENUM
};

/* "arm", "thumb", ...; never NULL, static storage. */
const char *etm_isa_name(enum etm_isa isa);

/* Trace protocols. Zero is "none". ITM: what software writes to the stimulus
 * ports of an Instrumentation Trace Macrocell, and the packets of the DWT. */
#define ETM_PROTOCOL_LIST(X)                                                   \
    X(NONE, "none")                                                            \
    X(ETMV1, "etmv1")                                                          \
    X(ETMV2, "etmv2")                                                          \
    X(ETMV3, "etmv3")                                                          \
    X(PFT, "pft")                                                              \
    X(ITM, "itm")

enum etm_protocol {
#define ETM_PROTOCOL_ENUM(name, text) ETM_PROTOCOL_##name,
    ETM_PROTOCOL_LIST(ETM_PROTOCOL_ENUM)
#undef ETM_PROTOCOL_ENUM
};

/* "etmv3", "pft", ...; never NULL, static storage. */
const char *etm_protocol_name(enum etm_protocol protocol);

/*
 * Does the stream of this protocol consist of the cycles of a trace port, one
 * record each (etm/port.h)? Others consist of bytes, and have A-syncs, five or
 * more bytes of 0 and one of 0x80, by which a decoder synchronizes (PFT
 * architecture 4.2.1; ETM architecture 7.7.2).
 */
static inline bool etm_protocol_is_port(enum etm_protocol protocol)
{
    switch (protocol) {
    case ETM_PROTOCOL_ETMV1:
    case ETM_PROTOCOL_ETMV2:
        return true;
    case ETM_PROTOCOL_NONE:
    case ETM_PROTOCOL_ETMV3:
    case ETM_PROTOCOL_PFT:
    case ETM_PROTOCOL_ITM:
        break;
    }
    return false;
}

/* How trace sources are wrapped in the bytes of a buffer. */
#define ETM_FRAMING_LIST(X)                                                    \
    X(NONE, "none")           /* one source's bytes: `source_data` */          \
    X(CORESIGHT, "coresight") /* aligned formatter frames */                   \
    X(DSTREAM, "dstream")     /* frames with FSYNC: `dstream_coresight` */     \
    X(TPIU, "tpiu")           /* a TPIU stream with FSYNC and HSYNC */         \
    X(PORT, "port")           /* trace port samples without a formatter */     \
    X(TPIU_PORT, "tpiu-port") /* samples of a TPIU's port that carry its       \
                                 stream; once read, it is that: TPIU */        \
    X(SWO, "swo")             /* a pin in UART code; once read, its bytes are  \
                                 a stream of a TPIU or one source's */

enum etm_framing {
#define ETM_FRAMING_ENUM(name, text) ETM_FRAMING_##name,
    ETM_FRAMING_LIST(ETM_FRAMING_ENUM)
#undef ETM_FRAMING_ENUM
};

/* "none", "coresight", ...; never NULL, static storage. */
const char *etm_framing_name(enum etm_framing framing);

/* How the samples of a trace port are written in a file. */
#define ETM_PORT_FORM_LIST(X)                                                  \
    X(AUTO, "auto") /* text, vcd, csv, openocd, by what the file shows */      \
    X(TEXT, "text") /* numbers in hexadecimal, one sample a line */            \
    X(VCD, "vcd")   /* value change dump (IEEE 1364): pins and clock */        \
    X(OPENOCD, "openocd") /* OpenOCD's `etm dump` */                           \
    X(RECORDS, "records") /* v1, v2: 2 bytes a sample, 3 with 16 pins */       \
    X(ETB, "etb")         /* v1, v2: 32-bit words of an Embedded Trace         \
                             Buffer for ETM7 to ETM10, the lowest byte first   \
                           */                                                  \
    X(BYTES, "bytes")     /* v1, v2, 4 pins: a byte a sample */                \
    X(CSV, "csv")         /* a table of an analyser: a column each pin */

enum etm_port_form {
#define ETM_PORT_FORM_ENUM(name, text) ETM_PORT_FORM_##name,
    ETM_PORT_FORM_LIST(ETM_PORT_FORM_ENUM)
#undef ETM_PORT_FORM_ENUM
};

/* "auto", "text", ...; never NULL, static storage. */
const char *etm_port_form_name(enum etm_port_form form);

/*
 * Architecture profile of the traced processor. It determines the meaning of
 * exception numbers (ETM architecture, 7.3.5). Zero means unknown: an A or R
 * profile is assumed.
 */
enum etm_profile {
    ETM_PROFILE_UNKNOWN = 0,
    ETM_PROFILE_A,
    ETM_PROFILE_R,
    ETM_PROFILE_M,
};

/* Byte order of the processor's data. Zero means unknown. */
enum etm_endian {
    ETM_ENDIAN_UNKNOWN = 0,
    ETM_ENDIAN_LITTLE,
    ETM_ENDIAN_BE8, /* byte-invariant big-endian: the bytes of each access are
                       reversed */
    ETM_ENDIAN_BE32 /* word-invariant big-endian: bytes and halfwords have other
                       addresses than in BE8 */
};

/*
 * The one allocator hook. `resize` behaves like realloc(): `old` may be NULL, a
 * `size` of 0 frees `old` and returns NULL, and on failure NULL is returned and
 * `old` stays valid. `context` is passed to it. An object keeps a copy of the
 * hook until it is freed.
 */
struct etm_allocator {
    void *(*resize)(void *context, void *old, size_t size);
    void *context;
};

#ifdef __cplusplus
}
#endif
#endif
