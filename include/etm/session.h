/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session ties a capture together: its buffers, its trace sources with
 * their configurations, the processors and their code. It is the whole way
 * from a file to packets or elements.
 *
 *     struct etm_session *session;
 *     struct etm_diag diag;
 *
 *     if (etm_session_open(&session, "snapshot", NULL, &diag) != ETM_OK)
 *         return report(&diag);
 *     for (size_t i = 0; i < etm_session_sources(session); i++)
 *         etm_session_run(session, i, &(struct etm_session_run){
 *             .size = sizeof(struct etm_session_run),
 *             .elements = print_elements}, &diag);
 *     etm_session_free(session);
 *
 * Several threads may run sources of one session at the same time, unless its
 * allocator forbids it. Only symbols and source lines are for one thread at a
 * time: see etm_session_load_symbols().
 */
#ifndef ETM_SESSION_H
#define ETM_SESSION_H

#include <etm/config.h>
#include <etm/coverage.h>
#include <etm/decode.h>
#include <etm/element.h>
#include <etm/image.h>
#include <etm/packet.h>
#include <etm/port.h>
#include <etm/status.h>
#include <etm/symbol.h>

#ifdef __cplusplus
extern "C" {
#ifdef __GNUC__ /* g++ -Wshadow: a function has the name of a struct */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#endif

struct etm_session;

/*
 * How to open a capture. For a snapshot only `images`, `profile`, `endian`,
 * `high_vectors`, `coprocessor_words` and `allocator` count, and giving
 * `protocol`, `framing`, `registers` or what belongs to a port is a
 * contradiction (ETM_ERR_CONFIG). So is what two places tell differently. It
 * is the same for a file of Linux's perf, but for `sysroot`, which counts.
 */
struct etm_session_options {
    size_t size;                /* sizeof this struct, or 0 */
    enum etm_protocol protocol; /* of a raw file; ETM_PROTOCOL_NONE: not told */
    enum etm_profile profile;
    enum etm_framing framing;
    const struct etm_register *registers;
    size_t n_registers;
    const char *const *images; /* "FILE" (ELF, Intel HEX, S-records) or
                                  "FILE@ADDRESS": a binary; or ELF of type DYN,
                                  to whose addresses it is added */
    size_t n_images;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */

    /* Trace ports, ETM_FRAMING_PORT and ETM_FRAMING_TPIU_PORT: */
    enum etm_port_form form; /* AUTO: by what the file shows */
    const char *signals;     /* VCD: "pipestat=NAME,NAME,traceclk=NAME" ...;
                                NULL: by the names of the specification */
    uint8_t port_width;      /* pins; 0: not told. ETMv1, ETMv2: of TRACEPKT, 4,
                                8 or 16. Others: of TRACEDATA, 1 to 64, whatever
                                ETMCR says: they may be those of a TPIU */

    /* ETMv1, ETMv2: what their registers do not tell, or were not asked. */
    bool high_vectors;                /* HIVECS */
    enum etm_endian endian;           /* of data */
    uint8_t coprocessor_words[16][2]; /* as in struct etm_config; ETMv1 */

    /*
     * The trace will be read once, from its beginning, by one run. Then a pipe
     * is read as it comes: no memory is needed for what went by, and nothing
     * waits for its end. Else a pipe is read to its end first and, if it is
     * long, kept in a file without a name in the directory TMPDIR, or /tmp.
     * That is done in any case if all is needed to know what it is: with
     * frames and no ETMTRACEIDR, and of a port's samples in a form of OpenOCD,
     * or as a table.
     */
    bool once;

    /*
     * A file of perf names the files that processes executed. They are looked
     * for below this directory ("/mnt/target"), and, by build ID, as in a cache
     * of perf ("/home/me/.debug"); NULL: where they were.
     */
    const char *sysroot;

    /* ETM_FRAMING_NONE in `framing` was asked for, too: ETM_ERR_CONFIG where
     * the capture brings its own framing. */
    bool framing_told;
};

/*
 * Open a capture: a snapshot's directory, its snapshot.ini, a file of Linux's
 * perf or the directory of `perf record --kcore`, whose copy of the kernel's
 * memory is stronger than all images, or a raw trace file ("-" is standard
 * input). `options` may be NULL. On success *session is
 * owned by the caller; on failure it is NULL and *diag says what and where.
 * ETM_ERR_ARGUMENT, ETM_ERR_IO, ETM_ERR_FORMAT, ETM_ERR_CONFIG,
 * ETM_ERR_UNSUPPORTED, ETM_ERR_MEMORY.
 */
int etm_session_open(struct etm_session **session, const char *path,
                     const struct etm_session_options *options,
                     struct etm_diag *diag);

/* Accepts NULL. Whatever the session gave out is gone afterwards. */
void etm_session_free(struct etm_session *session);

/* One trace source, in the order of the capture. */
struct etm_source_info {
    const char *name;      /* "PTM_0" */
    const char *type;      /* as the capture calls it: "PTM1.1", "ITM"; or "" */
    const char *why_not;   /* NULL; or why it cannot be decoded: a clause */
    const char *core;      /* "cpu_0"; NULL: no processor is known */
    const char *core_type; /* "Cortex-A7"; NULL or "" : not told */
    struct etm_config config; /* if why_not is set: as far as it is known */
    const struct etm_register *registers;
    size_t n_registers;
    const struct etm_image *image; /* the core's code; NULL: none */
    size_t n_buffers;              /* buffers that hold its trace */
    uint8_t id;                    /* trace ID, 0 for an unformatted stream */
    /* NULL; or the capture names more code, which could not be read: the first
       etm_session_fault() that tells of it */
    const char *code_missing;
};

/* Number of sources; and one of them, NULL if there is no such. */
size_t etm_session_sources(const struct etm_session *session);
const struct etm_source_info *
etm_session_source(const struct etm_session *session, size_t index);

/*
 * The source that `text` names: its name, or its trace ID as a number
 * (decimal, or hexadecimal after 0x). ETM_ERR_NOT_FOUND.
 */
int etm_session_find(const struct etm_session *session, const char *text,
                     size_t *index);

/* One buffer of trace. */
struct etm_buffer_info {
    const char *name; /* "ETB_0" */
    const char *path; /* the file */
    uint64_t bytes;   /* 0 if a pipe is read as it comes */
    enum etm_framing framing;
    enum etm_port_form form; /* of ETM_FRAMING_PORT; else AUTO */
    /* ETM_FRAMING_CORESIGHT: the bytes before the first whole frame, 0 to 15.
       They are the rest of one that began before the capture, and skipped. */
    uint8_t first_frame;
    /* Frames hardly begin at the first byte, but it is not clear where they
       do: nothing was skipped. */
    bool doubt;
    /* The bytes of each word were stored the wrong way round, as the A-syncs of
       ETMv3 and PFT show: 2, 4 or 8 bytes; 0: nothing speaks for it. They are
       read as they are. */
    uint8_t swapped;
    /* ETM_FRAMING_CORESIGHT: it looks like the bytes of one source, without
       frames. */
    bool bare;
    /* ETM_FRAMING_DSTREAM: in blocks of 512 bytes, of which the last eight are
       no trace (ETM_FRAME_DSTREAM). */
    bool blocks;
};

/* Number of buffers; and one of them, NULL if there is no such. */
size_t etm_session_buffers(const struct etm_session *session);
const struct etm_buffer_info *
etm_session_buffer(const struct etm_session *session, size_t index);

/* Index of the n-th buffer of a source; SIZE_MAX if it has fewer. */
size_t etm_session_source_buffer(const struct etm_session *session,
                                 size_t source, size_t n);

/*
 * The path of file `n`, from 0, that holds code of a processor; NULL: there
 * are not so many. A file comes once for each place that it was given for.
 */
const char *etm_session_code_file(const struct etm_session *session, size_t n);

/* The same of the files that a snapshot's trace and its description are in. */
const char *etm_session_file(const struct etm_session *session, size_t n);

/*
 * Count what is in a formatted buffer: trace IDs, bad frames, padding. For a
 * buffer without frames all its bytes are those of ID 0. ETM_ERR_ARGUMENT,
 * ETM_ERR_MEMORY.
 */
int etm_session_count(const struct etm_session *session, size_t buffer,
                      struct etm_frame_counts *counts);

/* Remarks about the capture: sections that were passed over, and the like; a
 * sentence each, which lives as long as the session. NULL: there are not so
 * many. */
size_t etm_session_notes(const struct etm_session *session);
const char *etm_session_note(const struct etm_session *session, size_t index);

/* Those of the remarks that tell what of a snapshot could not be read, and was
 * passed over (devices, buffers, code), or may be wrong. NULL: there are not so
 * many. */
size_t etm_session_faults(const struct etm_session *session);
const char *etm_session_fault(const struct etm_session *session, size_t index);

/*
 * Called with packets in the order of the stream. `offset` of each is its
 * place in the capture file. `bytes` are those of the first packet; each
 * packet's follow those of the one before. A return value other than 0 stops
 * the run.
 */
typedef int etm_session_packet_fn(void *context,
                                  const struct etm_packet *packets, size_t n,
                                  const uint8_t *bytes);

/* Called with the bytes of a source's stream. */
typedef int etm_session_bytes_fn(void *context, const uint8_t *bytes, size_t n);

/*
 * Called before the trace of each buffer; `buffer` is its index in the
 * session. What follows is no continuation of what came before.
 */
typedef int etm_session_buffer_fn(void *context, size_t buffer);

/* Called now and then: `done` of `total` bytes of the capture are read; 0: so
 * many as there will be. */
typedef void etm_session_progress_fn(void *context, uint64_t done,
                                     uint64_t total);

/*
 * Called before a run waits for more of a pipe (see `once` of the options):
 * all that is known was given. A return value other than 0 stops the run.
 */
typedef int etm_session_idle_fn(void *context);

/* How a run of a part of a capture begins. */
enum etm_session_start {
    /* Afresh, at the last synchronization that begins at or before the
     * beginning of the part: nothing before it is decoded. */
    ETM_START_SYNC = 0,
    /*
     * In the middle: with the elements that a run of the whole has from there
     * on, and up to the end of the part without an `end`. So the elements of
     * parts that adjoin are those of the whole. To know where it is a decoder
     * reads a mebibyte before the part; what is older than that it does not
     * know (a context or a timestamp that was told once, cycles that add up
     * without an instruction).
     */
    ETM_START_JOIN
};

/*
 * What is made of elements by the threads that decode them, in place of
 * bringing them all to the calling thread, which costs as much as decoding
 * does. The trace is cut into portions, of some thousand elements each. A
 * thread begins a portion, gives it elements in order, and always ends it;
 * several threads do so at a time, and in any order of portions. Those that are
 * right are taken in the order of the trace, one at a time, by whichever thread
 * is done; others are forgotten, and that part of the trace is decoded again:
 * such elements, and all of a run with one thread, come to `elements` of struct
 * etm_session_run, in their place between the portions and from whichever
 * thread.
 */
struct etm_portions {
    size_t size; /* sizeof this struct, or 0 */
    /*
     * In *portion is NULL, or one that was taken or forgotten before and shall
     * be used again. `thread` is less than `jobs`. Functions of one thread are
     * called one after the other, and so are `take` and `elements` of the run.
     */
    int (*begin)(void *context, unsigned thread, void **portion);
    int (*elements)(void *portion, const struct etm_element *elements,
                    size_t n);
    int (*end)(void *portion);
    /* A return value other than 0 stops the run. Where others return one, what
     * they were to make a portion of is decoded again. */
    int (*take)(void *context, void *portion);
    /* All portions are freed at the end of the run. */
    void (*free)(void *context, void *portion);
    void *context;
    /* Bytes that an element becomes in a portion, about: memory is bounded by
     * it. 0: next to none, for counts. */
    size_t element_size;
};

/*
 * What to make of a source. Every function may be NULL; only what is asked
 * for is done.
 */
struct etm_session_run {
    size_t size;          /* sizeof this struct, or 0 */
    enum etm_level level; /* of the elements */
    etm_element_fn *elements;
    etm_session_packet_fn *packets;
    etm_session_bytes_fn *bytes;
    etm_session_buffer_fn *buffer;
    etm_session_progress_fn *progress;
    void *context; /* of all of them */
    /*
     * Threads that decode elements; the one that calls, which reads too, is one
     * of them, and all of them with 0 and 1; more than 16 are 16. The functions
     * are called by the calling thread only, but with `portions`, and with the
     * same elements in the same order for every number; elements may come a few
     * megabytes of trace later. More than one needs an allocator that threads
     * may use; with `packets` or `bytes` there is only one.
     */
    unsigned jobs;
    /*
     * A part of the capture: from byte `begin` up to byte `end`, counted
     * through the buffers of the source, one behind the other; an `end` of 0
     * is that of the capture. With ETM_START_JOIN both are rounded down to
     * whole frames and records. Of samples (ETM_FRAMING_PORT) those belong to
     * a part that end in it; all before it are read, but not decoded. Only
     * elements can be had of a part, and with ETM_START_SYNC packets:
     * ETM_ERR_ARGUMENT.
     */
    uint64_t begin, end;
    enum etm_session_start start;
    /* What threads make of elements; NULL: nothing. Needs `elements`. */
    const struct etm_portions *portions;
    /*
     * Called at the end of a run with ETM_LEVEL_COUNTS or ETM_LEVEL_COVERAGE,
     * once for each range that was executed, in the order of etm_counts_walk();
     * NULL: not wanted.
     */
    etm_count_fn *counts;
    etm_session_idle_fn *idle;
    /* Becomes the cycles of these ranges, before `counts` is called; NULL: not
     * wanted. */
    uint64_t *cycles;
};

/* Bytes of a source's buffers, for a part of them; 0 if a pipe is read as it
 * comes. */
uint64_t etm_session_bytes(const struct etm_session *session, size_t source);

/*
 * Read a source's trace from its beginning to its end. Memory is bounded,
 * however long the capture is. Offsets of packets and elements are those in
 * the capture file; in the samples of a trace port, the number of the sample.
 * The elements of a source end with one `end` element, also when its trace
 * stands in several buffers.
 *
 * The stream of a buffer without frames is put right where the bits of a
 * narrow trace port have moved (struct etm_realigner): bytes that cannot be
 * trusted are missing from it, and the elements have a `lost` there.
 *
 * ETM_ERR_ARGUMENT; ETM_ERR_UNSUPPORTED: packets or elements of a source that
 * cannot be decoded; ETM_ERR_CONFIG: its trace port cannot be like that;
 * ETM_ERR_FORMAT: samples of a port, with frames or without, that are none;
 * ETM_ERR_IO: a pipe or a file cannot be read, as when it is shorter than it
 * was: what came before is given, without an `end`;
 * ETM_ERR_MEMORY; or what a function returned. Of a pipe that is read as it
 * comes a second run, or one of a part that does not begin where it does, is
 * ETM_ERR_ARGUMENT.
 */
int etm_session_run(const struct etm_session *session, size_t source,
                    const struct etm_session_run *run, struct etm_diag *diag);

/*
 * Make the tables of symbols ready that are else made when they are first
 * asked for. From then on any number of threads may look up symbols of this
 * source at a time.
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_session_load_symbols(const struct etm_session *session, size_t source);

/*
 * The symbol or the source line of an address in the program of a source's
 * processor. Tables are made when they are first asked for: only one thread
 * at a time may look up in a session, but for symbols that were made ready
 * beforehand; source lines may be looked up beside them. ETM_ERR_NOT_FOUND;
 * ETM_ERR_MEMORY: it may be there.
 */
int etm_session_symbol(const struct etm_session *session, size_t source,
                       uint32_t address, struct etm_symbol *symbol);
int etm_session_line(const struct etm_session *session, size_t source,
                     uint32_t address, struct etm_source_line *line);

/*
 * All code that has source lines in the program of a source's processor, and
 * all its functions, executed or not; in no particular order. Nothing comes of
 * a program without debug information, or in a build without elfutils.
 * ETM_ERR_ARGUMENT; ETM_ERR_MEMORY; or what `fn` returned.
 */
int etm_session_lines(const struct etm_session *session, size_t source,
                      etm_line_fn *fn, void *context);
int etm_session_functions(const struct etm_session *session, size_t source,
                          etm_function_fn *fn, void *context);

/* Code of a source's processor, as etm_image_read(); 0 without an image. */
size_t etm_session_read(const struct etm_session *session, size_t source,
                        uint32_t address, const struct etm_space *space,
                        uint8_t *bytes, size_t size);

/*
 * What the bytes of a source tell of its configuration. A field is unknown
 * when configurations that differ in it explain the bytes about as well.
 */
struct etm_guess {
    enum etm_protocol protocol; /* ETM_PROTOCOL_NONE: neither fits */
    /* More than a few of a hundred bytes are not explained: what stands here
     * is the best there is, and not good. */
    bool weak;
    enum etm_tri cycle_accurate;
    enum etm_tri alternative_branches; /* ETMv3 */
    enum etm_tri data_address;         /* ETMv3 */
    enum etm_tri data_value;           /* ETMv3 */
    enum etm_tri data_only;            /* ETMv3 */
    enum etm_tri timestamps;           /* whether there are any */
    enum etm_tri timestamp_64bit;      /* 64 bits, not 48 */
    enum etm_tri timestamp_binary;     /* natural binary, not Gray */
    int context_id_bytes;              /* 0, 1, 2, 4; -1: unknown */
    uint64_t a_syncs;      /* A-sync packets, with the best configuration */
    uint64_t i_syncs;      /* I-sync packets of all forms */
    uint64_t bad_bytes;    /* bytes behind the first A-sync not explained */
    uint64_t sample_bytes; /* bytes that were looked at */
    /*
     * A configuration that decodes the bytes: what is known, and the plainest
     * value of what is not. Its protocol is that of the guess.
     */
    struct etm_config config;
};

/*
 * Try configurations on the beginning of a source's stream (64 KiB of it) and
 * keep those that leave the least unexplained. `protocol` restricts the
 * search unless it is ETM_PROTOCOL_NONE. What the format of packets does not
 * depend on is not guessed: return stack, branch broadcast, barriers as
 * waypoints. ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_session_guess(const struct etm_session *session, size_t source,
                      enum etm_protocol protocol, struct etm_guess *guess);

/*
 * How the bytes of a buffer look to be framed that is opened without frames
 * (ETM_FRAMING_NONE): as samples of a trace port in text or in a file of
 * OpenOCD's "etm dump", frames with the synchronization packets of a TPIU,
 * frames in memory. *framing is that of the buffer if nothing else shows, and
 * always if it has frames or is a pipe that is read as it comes.
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_session_guess_framing(const struct etm_session *session, size_t buffer,
                              enum etm_framing *framing);

/*
 * Name and version of a configuration's protocol: "ETMv3.5", "PFT 1.1".
 * Writes at most `capacity` bytes with the terminator; returns `text`.
 */
const char *etm_config_title(const struct etm_config *config, char *text,
                             size_t capacity);

#ifdef __cplusplus
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif
}
#endif
#endif
