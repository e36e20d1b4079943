/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of a capture, read from files but not decoded: buffers of bytes,
 * trace sources with their registers, processors with their code.
 */
#ifndef ETM_INPUT_CAPTURE_H
#define ETM_INPUT_CAPTURE_H

#include "base/vec.h"
#include "port/frame.h"

#include <etm/config.h>
#include <etm/decode.h>
#include <etm/port.h>
#include <etm/session.h>
#include <etm/types.h>

struct etm_elf;
struct etm_file;
struct etm_pipe;

/* What was found when a pin with SWO was read. */
struct etm_swo_facts {
    uint32_t baud; /* bits a second; 0: not known */
    bool manchester;
    uint64_t *wrong; /* indexes of bytes with a wrong start or stop bit, owned
                        by the buffer, and the number of them */
    size_t n_wrong;
};

/* What is known of memory that was written in a circle. */
struct etm_wrap_facts {
    uint64_t pointer;                     /* 0: not given, or it is in order */
    enum etm_tri wrapped;                 /* something was overwritten */
    const struct etm_register *registers; /* of the buffer, too */
    size_t n_registers;
};

/* It was put in the order of time. */
struct etm_wrap {
    size_t pointer; /* byte of the file, the oldest one; 0: it was in order */
    bool cut;       /* or there is nothing from there on */
};

struct etm_capture_buffer {
    char *name; /* "ETB_0" */
    char *path; /* file that was read */
    enum etm_framing framing;
    uint8_t first_frame; /* bytes before the first whole frame (0 to 15) of
                            ETM_FRAMING_CORESIGHT */
    bool synchronized;   /* ETM_FRAMING_TPIU, declared to be
                            ETM_FRAMING_CORESIGHT: E-316 */
    bool doubt;          /* that may be wrong: see etm_frame_phase() */
    bool made;           /* its frames were made here of packets: none is
                            incomplete */
    struct etm_swo_facts swo;
    struct etm_wrap wrap;
    uint8_t swapped;         /* see etm_frame_swapped(); or what was reversed */
    bool reversed;           /* the bytes of these words were */
    bool bare;               /* see etm_frame_unlikely() */
    bool blocks;             /* ETM_FRAMING_DSTREAM: etm_frame_blocks() */
    bool guessed;            /* the bytes alone showed the framing */
    enum etm_port_form form; /* of ETM_FRAMING_PORT: never AUTO */
    char *signals;           /* of a value change dump (vcd.h); NULL: by name */
    uint8_t port_width;      /* pins of TRACEDATA, as given; 0: not given */
    const uint8_t *bytes;    /* mapped or read; valid until the capture is
                                closed */
    size_t n;
    size_t stop;             /* bytes after them that are no trace: E-334 */
    struct etm_diag *unread; /* why there are no more: invalid samples follow in
                                the file; NULL: that is all */
    bool mapped;
    int opened;            /* as of struct etm_file */
    struct etm_pipe *pipe; /* not NULL: read once, as it comes (pipe.h); `bytes`
                              are its beginning, until they are read */
};

/* A piece of memory or an ELF file that holds code. */
struct etm_capture_memory {
    char *path;
    uint32_t address; /* of the first byte (binary) */
    uint64_t offset;  /* in the file */
    uint64_t length;  /* bytes */
    struct etm_space space;
    char *space_name;    /* as written in the snapshot; NULL */
    struct etm_elf *elf; /* not NULL: an ELF file */
    const uint8_t *bytes;
    size_t n;
    bool shared;  /* the bytes belong to an earlier piece, or to a program */
    bool records; /* they are decoded from records, not the file's own */
};

/* A file with code that was opened once, however often it is named. */
struct etm_capture_program;

/* Programs of a core that are asked for names, at most: each address is looked
 * for in all of them. */
#define ETM_CORE_PROGRAMS 1024u

struct etm_capture_core {
    char *name; /* "cpu_0" */
    char *type; /* "Cortex-A7"; may be empty */
    enum etm_profile profile;
    struct etm_vec registers; /* struct etm_register */
    struct etm_vec memory;    /* struct etm_capture_memory */
    struct etm_vec programs;  /* size_t: those of `memory` that are ELF files */
    struct etm_image *image;  /* everything in `memory` */
    const char *code_missing; /* the first fault about code that could not be
                                 read; NULL: none */
};

struct etm_capture_source {
    char *name;               /* "PTM_0" */
    char *type;               /* "PTM1.1", "ITM" ... as written */
    struct etm_vec registers; /* struct etm_register */
    struct etm_config config; /* valid if `decodable` */
    uint8_t id;               /* trace ID; 0 for an unformatted stream */
    bool decodable;
    bool configured;        /* it was decodable before trace IDs were
                               compared */
    char *why_not;          /* if not decodable: one clause that says why */
    bool guessed;           /* the bytes alone showed the protocol, and */
    uint8_t n_guessed;      /* this many registers, the last ones */
    int core;               /* index in cores, -1: none is known */
    struct etm_vec buffers; /* size_t: indexes in buffers */
};

struct etm_capture {
    struct etm_allocator allocator;
    char *path;
    bool raw;               /* a raw file: it has no configuration of its own */
    uint8_t reverse;        /* as of struct etm_raw_options */
    uint8_t live;           /* the source of a connection that is read as it
                               comes, if it was not given; 0: it was */
    struct etm_vec buffers; /* struct etm_capture_buffer */
    struct etm_vec sources; /* struct etm_capture_source */
    struct etm_vec cores;   /* struct etm_capture_core */
    struct etm_vec programs; /* struct etm_capture_program */
    struct etm_vec files;    /* char *: paths of the files that a snapshot's
                                trace and description were read from */
    struct etm_vec mappings; /* struct etm_mapping, with texts of their own */
    struct etm_vec notes;  /* char *: notes for the user, e.g. on sections that
                              were skipped */
    struct etm_vec kinds;  /* of notes: struct etm_note_kind of build.h */
    struct etm_vec faults; /* const char *: the notes about what could not be
                              read */
};

/* Options for a raw file. */
struct etm_raw_options {
    enum etm_protocol protocol; /* ETM_PROTOCOL_NONE: not given */
    enum etm_profile profile;
    enum etm_framing framing;
    bool framing_told; /* ETM_FRAMING_NONE was given, too */
    enum etm_port_form form;
    const char *signals;    /* NULL: not given */
    uint8_t port_width;     /* 0: not given */
    uint64_t baud;          /* of SWO; 0: the pulses tell */
    uint64_t write_pointer; /* of memory; 0: not given */
    enum etm_tri wrapped;
    const struct etm_register *registers;
    size_t n_registers;
    const char *const *images; /* "FILE" or "FILE@ADDRESS" */
    size_t n_images;
    const char *sysroot; /* where the files named by a perf file are; NULL:
                            at their original paths */
    bool allow_outside;  /* a snapshot may name files outside of its folder */
    bool once;           /* read a pipe once, if nothing needs all of it */
    bool reconnect;      /* as in struct etm_session_options, */
    const volatile int *interrupted; /* and so is this */
    uint8_t reverse;       /* bytes of words to reverse, 2, 4 or 8; 1: none; 0:
                              as frames in memory show it */
    struct etm_file *file; /* not NULL: what was read of it; taken over */
    /* of a source whose registers above do not include them */
    const struct etm_register *fallback;
    size_t n_fallback;
};

/*
 * Read a capture of the kind that the path shows, a snapshot or a file.
 * On success the caller closes *capture; on failure nothing is left open and
 * *diag says what and where. ETM_ERR_IO, ETM_ERR_FORMAT, ETM_ERR_CONFIG,
 * ETM_ERR_MEMORY.
 */
int etm_capture_open(struct etm_capture *capture, const char *path,
                     const struct etm_raw_options *options,
                     const struct etm_allocator *allocator,
                     struct etm_diag *diag);

/*
 * Read a snapshot: `path` is the directory or its snapshot.ini. Of the options
 * (NULL: none) `images`, which are added to every core's code, and
 * `allow_outside` are used. Errors as for etm_capture_open().
 */
int etm_capture_open_snapshot(struct etm_capture *capture, const char *path,
                              const struct etm_raw_options *options,
                              const struct etm_allocator *allocator,
                              struct etm_diag *diag);

/*
 * Read a raw trace file; "-" is standard input. Without a trace ID in the
 * registers, a formatted file gets one source for each trace ID in it. Errors
 * as for etm_capture_open().
 */
int etm_capture_open_raw(struct etm_capture *capture, const char *path,
                         const struct etm_raw_options *options,
                         const struct etm_allocator *allocator,
                         struct etm_diag *diag);

/*
 * Configure a source of a raw file again, after registers were added to it.
 * ETM_ERR_CONFIG, ETM_ERR_MEMORY.
 */
int etm_capture_configure_raw(struct etm_capture *capture, size_t source,
                              enum etm_protocol protocol,
                              struct etm_diag *diag);

/* The only buffer of a raw file, which becomes empty, as it was read; what was
 * reversed in it stays so. */
struct etm_file etm_capture_release_raw(struct etm_capture *capture);

/* Is it a directory that `perf record --kcore` has written? */
bool etm_is_perf_folder(const char *path);

/*
 * Read the file of perf in it, with the kernel's code, which takes precedence
 * over all images, as it is what was in memory: kernels change their own code
 * when they start. Errors as for etm_capture_open().
 */
int etm_capture_open_perf_folder(struct etm_capture *capture, const char *path,
                                 const struct etm_raw_options *options,
                                 const struct etm_allocator *allocator,
                                 struct etm_diag *diag);

/* look.c: whether the sources of a buffer are wrapped in frames, and in which.
 */
bool etm_buffer_layout(const struct etm_capture_buffer *buffer,
                       enum etm_frame_layout *layout);

/* What the first `n` bytes of such a buffer have. ETM_ERR_MEMORY. */
int etm_buffer_survey(const struct etm_capture_buffer *buffer, size_t n,
                      const struct etm_allocator *allocator,
                      struct etm_frame_counts *counts);

/* Accepts one that failed to open. */
void etm_capture_close(struct etm_capture *capture);

#endif
