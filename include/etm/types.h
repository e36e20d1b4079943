/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types shared by all parts of the library: status codes and diagnostics, what
 * the specifications have names for, callbacks, and the names of a program.
 */
#ifndef ETM_TYPES_H
#define ETM_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status codes, diagnostics, version ---------------------------------- */

/*
 * Status codes and diagnostics, and the version of the library.
 *
 * Every function that can fail returns an int: ETM_OK (0) or a negative enum
 * etm_status. These codes report misuse, lack of memory and files that cannot
 * be read. Damage inside the trace is never a status: it is data (a `bad`
 * packet, a `lost` element), and decoding goes on.
 *
 * Pointers passed to a function must not be NULL unless the comment of the
 * function or of the struct member allows it. NULL is always allowed for an
 * object to be freed, for an array of 0 bytes or values, and for struct
 * etm_diag. Functions that make an object (..._new, ..._open), and those that
 * describe a configuration or an image, return ETM_ERR_ARGUMENT if something
 * they need is NULL. So do all that return a status, if an array is NULL whose
 * number of bytes or values is not 0; the object is as before then.
 *
 * A callback must not change or free the object that calls it. It may call
 * functions that take this object as const, and any function on other objects.
 * A decoder refuses all others with ETM_ERR_ARGUMENT; elsewhere the behaviour
 * is undefined. A callback must return normally, not by longjmp() or a C++
 * exception.
 *
 * A callback has its `context` first, and returns an int: 0 to go on; any other
 * value stops the function that calls it, which returns that value. Those that
 * are asked for something do as the functions of the library do: lookups
 * (struct etm_names) return a status, those that read memory (etm_code_fn) the
 * number of bytes.
 *
 * A lookup by what the caller has (a name, an address, a number) returns a
 * status: ETM_ERR_NOT_FOUND if there is no such thing. Lists are counted or
 * enumerated by an index from 0, and give NULL behind the last entry. What
 * converts between a value and its name (etm_..._name(), etm_register_number())
 * returns what it is converted to.
 */

enum etm_status {
    ETM_OK = 0,
    ETM_ERR_ARGUMENT = -1,
    ETM_ERR_MEMORY = -2,
    ETM_ERR_IO = -3,
    ETM_ERR_FORMAT = -4,
    ETM_ERR_CONFIG = -5,
    ETM_ERR_UNSUPPORTED = -6,
    ETM_ERR_NOT_FOUND = -7,
    ETM_ERR_STOPPED = -8,
};

/* The text of a status code; never NULL, static storage. */
const char *etm_status_text(int status);

/* The version of these headers. */
#define ETM_VERSION_MAJOR 0
#define ETM_VERSION_MINOR 1
#define ETM_VERSION_PATCH 0
#define ETM_VERSION "0.1.0"

/* The version of the library that the program runs with; ETM_VERSION is the
 * version that it was compiled with. Returns never NULL, static storage. */
const char *etm_version(void);

/* No offset or address is known. */
#define ETM_DIAG_NONE UINT64_MAX

/*
 * What went wrong and where. The caller owns it; functions that take a
 * struct etm_diag * accept NULL and write nothing then. Texts are always
 * terminated.
 */
struct etm_diag {
    int status;       /* the code that the function returned */
    char what[256];   /* one sentence without a full stop */
    char source[256]; /* file, section or register concerned; may be empty */
    uint64_t line;    /* line in a text file, counted from 1; ETM_DIAG_NONE */
    uint64_t offset;  /* byte offset in the source; ETM_DIAG_NONE */
    uint64_t address; /* address in the traced program; ETM_DIAG_NONE */
    uint64_t reserve[4];
};

/* ---- What the specifications have names for ------------------------------ */

/* Types shared by all parts of the library. */

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
enum etm_isa {
    ETM_ISA_UNKNOWN,
    ETM_ISA_ARM,
    ETM_ISA_THUMB,
    ETM_ISA_THUMBEE,
    ETM_ISA_JAZELLE,
};

/* "arm", "thumb", ...; never NULL, static storage. */
const char *etm_isa_name(enum etm_isa isa);

/* Trace protocols. Zero is "none". ITM: what software writes to the stimulus
 * ports of an Instrumentation Trace Macrocell, and the packets of the DWT. MTB:
 * the packets that a Micro Trace Buffer writes into memory. */
enum etm_protocol {
    ETM_PROTOCOL_NONE,
    ETM_PROTOCOL_ETMV1,
    ETM_PROTOCOL_ETMV2,
    ETM_PROTOCOL_ETMV3,
    ETM_PROTOCOL_PFT,
    ETM_PROTOCOL_ITM,
    ETM_PROTOCOL_MTB,
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
    case ETM_PROTOCOL_MTB:
        break;
    }
    return false;
}

/* Is it that of an ETM or a PTM, whose registers say what its trace means? */
static inline bool etm_protocol_is_macrocell(enum etm_protocol protocol)
{
    return protocol >= ETM_PROTOCOL_ETMV1 && protocol <= ETM_PROTOCOL_PFT;
}

/* How trace sources are wrapped in the bytes of a buffer. */
enum etm_framing {
    ETM_FRAMING_NONE,      /* one source's bytes: `source_data` */
    ETM_FRAMING_CORESIGHT, /* aligned formatter frames */
    ETM_FRAMING_DSTREAM,   /* frames with FSYNC: `dstream_coresight` */
    ETM_FRAMING_TPIU,      /* a TPIU stream with FSYNC and HSYNC */
    ETM_FRAMING_PORT,      /* trace port samples without a formatter */
    ETM_FRAMING_TPIU_PORT, /* samples of a TPIU's port that carry its stream;
                              once read, it is that: TPIU */
    ETM_FRAMING_SWO, /* an SWO pin; once read, its bytes are a stream of a TPIU
                        or one source's */
    ETM_FRAMING_MTB, /* the memory of a Micro Trace Buffer; once read, its bytes
                        are one source's */
    ETM_FRAMING_ORBFLOW, /* packets of orbuculum; once read, they are frames:
                            CORESIGHT */
};

/* "none", "coresight", ...; never NULL, static storage. */
const char *etm_framing_name(enum etm_framing framing);

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

/* ---- Callbacks ----------------------------------------------------------- */

/* Receives consecutive bytes. */
typedef int etm_bytes_fn(void *context, const uint8_t *bytes, size_t n);

/* Receives text in large pieces. */
typedef int etm_write_fn(void *context, const char *text, size_t n);

/*
 * Write `text` as a JSON string with quotes: at most `capacity` bytes including
 * the terminator, cut off if it does not fit. Bytes that are not UTF-8 become
 * U+FFFD; what is not plain (etm_character()) is escaped. Returns `out`.
 */
const char *etm_json_string(const char *text, char *out, size_t capacity);

/*
 * The character at the beginning of `n` bytes of UTF-8: how many bytes it has,
 * 1 to 4, or 0 if they are no character. *plain: it is one that a terminal
 * shows, and not a control character, a line or paragraph separator, one that
 * changes the direction of writing (U+061C, U+200E, U+200F, U+202A to U+202E,
 * U+2066 to U+2069), or one that XML does not have (U+FFFE, U+FFFF).
 */
size_t etm_character(const char *text, size_t n, bool *plain);

/*
 * A name as listings show it. One of more than ETM_NAME_SHOWN bytes is cut:
 * `cut` gets its beginning, an ellipsis and eight hexadecimal digits of a sum
 * of all of it, so that names that begin alike stay different; and is returned.
 * Otherwise `name` is.
 */
#define ETM_NAME_SHOWN 1000
const char *etm_name_shown(const char *name, char cut[ETM_NAME_SHOWN + 1]);

/* ---- Names of the traced program ----------------------------------------- */

/* The symbol at an address. */
struct etm_symbol {
    const char *name; /* valid as long as the session or etm_symbols */
    uint32_t offset;  /* address minus the symbol's address */
    uint32_t size;    /* of the symbol in bytes; 0: not known */
    uint64_t reserve[2];
};

/* The line of the source file that an instruction came from. */
struct etm_source_line {
    const char *file; /* valid as long as the session */
    const char *text; /* the text of the line; NULL: not available */
    uint32_t line;    /* counted from 1 */
    /* Where `text` is available: that of all lines of the file, from the first
     * one on. */
    uint32_t n_texts;
    const char *const *texts;
    uint64_t reserve[1];
};

/* A function whose code was put into that of another one, by its debug
 * information. */
struct etm_inlined {
    const char *name;  /* mangled, if it has such a name; valid as long as the
                          session */
    uint64_t instance; /* which place it was put to: another number for each */
    uint32_t address;  /* where it begins there */
    uint64_t reserve[2];
};

/* A stretch of code, without data, that came from one line. */
struct etm_line_range {
    const char *file; /* valid as long as the session */
    uint32_t line;    /* counted from 1 */
    uint32_t start;
    uint32_t end;   /* exclusive */
    uint8_t isa;    /* enum etm_isa */
    bool statement; /* a statement begins there; else it is a part of one that
                       was moved away from the rest */
};

/* A function of the program. */
struct etm_function {
    const char *name; /* valid as long as the session */
    uint32_t address; /* without the Thumb bit */
    uint32_t size;    /* bytes; 0: not known */
};

/* Called for each line range or function, which is valid only during the call.
 * A return value other than 0 stops, and is returned. */
typedef int etm_line_fn(void *context, const struct etm_line_range *line);
typedef int etm_function_fn(void *context, const struct etm_function *function);

/*
 * How an output looks up names. `context` is passed to all functions. `symbol`
 * and `line` return ETM_OK if they know the address; without a name the output
 * has the address alone, whatever else they return. They are called once for
 * each new address, not for each instruction. `lines` and `functions` call `fn`
 * for all that there are, and return ETM_OK, what `fn` returned, or another
 * error; only what needs all of them, such as a tracefile of lcov, calls these.
 */
struct etm_names {
    int (*symbol)(void *context, uint32_t address, struct etm_symbol *symbol);
    int (*line)(void *context, uint32_t address, struct etm_source_line *line);
    void *context;
    int (*lines)(void *context, etm_line_fn *fn, void *fn_context);
    int (*functions)(void *context, etm_function_fn *fn, void *fn_context);
};

#ifdef __cplusplus
}
#endif
#endif
