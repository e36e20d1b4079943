/* SPDX-License-Identifier: Apache-2.0 */
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
 * exception; to stop, it returns a value other than 0.
 */
#ifndef ETM_STATUS_H
#define ETM_STATUS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, number, text) */
#define ETM_STATUS_LIST(X)                                                     \
    X(OK, 0, "success")                                                        \
    X(ERR_ARGUMENT, -1, "invalid argument")                                    \
    X(ERR_MEMORY, -2, "out of memory")                                         \
    X(ERR_IO, -3, "cannot read or write a file")                               \
    X(ERR_FORMAT, -4, "file format not understood")                            \
    X(ERR_CONFIG, -5, "contradictory or missing configuration")                \
    X(ERR_UNSUPPORTED, -6, "not supported by this build or this macrocell")    \
    X(ERR_NOT_FOUND, -7, "no such thing")                                      \
    X(ERR_STOPPED, -8, "stopped by the caller")

enum etm_status {
#define ETM_STATUS_ENUM(name, number, text) ETM_##name = (number),
    ETM_STATUS_LIST(ETM_STATUS_ENUM)
#undef ETM_STATUS_ENUM
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

#ifdef __cplusplus
}
#endif
#endif
