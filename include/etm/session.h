/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A session ties a capture together: its buffers, its trace sources with
 * their configurations, the processors and their code. It goes all the way from
 * a file to packets or elements.
 *
 *     struct etm_session *session;
 *     struct etm_diag diag;
 *
 *     if (etm_session_open(&session, "snapshot", NULL, &diag) != ETM_OK)
 *         return report(&diag);
 *     for (size_t i = 0; i < etm_session_sources(session); i++)
 *         etm_session_run_source(session, i, &(struct etm_session_run){
 *             .size = sizeof(struct etm_session_run),
 *             .elements = print_elements}, &diag);
 *     etm_session_free(session);
 *
 * Several threads may run sources of one session at the same time, unless its
 * allocator forbids it. Only symbols and source lines are limited to one thread
 * at a time: see etm_session_load_symbols().
 */
#ifndef ETM_SESSION_H
#define ETM_SESSION_H

#include <etm/decode.h>
#include <etm/port.h>

#ifdef __cplusplus
extern "C" {
#endif

struct etm_session;

/*
 * How to open a capture. For a snapshot only `images`, `profile`, `endian`,
 * `high_vectors`, `coprocessor_words` and `allocator` are used, and giving
 * `protocol`, `framing`, `registers` or trace-port options is a contradiction
 * (ETM_ERR_CONFIG). So are different values for the same thing. For a file of
 * Linux's perf, `sysroot` is used as well.
 */
struct etm_session_options {
    size_t size;                /* sizeof this struct, or 0 */
    enum etm_protocol protocol; /* of a raw file; ETM_PROTOCOL_NONE: none */
    enum etm_profile profile;
    enum etm_framing framing;
    const struct etm_register *registers;
    size_t n_registers;
    const char *const *images; /* "FILE" (ELF, Intel HEX, S-records) or
                                  "FILE@ADDRESS": a binary; or ELF of type DYN,
                                  to whose addresses it is added */
    size_t n_images;
    const struct etm_allocator *allocator; /* copied; NULL: malloc */

    /* Trace ports, ETM_FRAMING_PORT and ETM_FRAMING_TPIU_PORT, and SWO: */
    enum etm_port_form form; /* AUTO: by what the file shows */
    const char *signals;     /* VCD: "pipestat=NAME,NAME,traceclk=NAME" ...;
                                NULL: by the names of the specification */
    uint8_t port_width; /* pins; 0: not given. ETMv1, ETMv2: of TRACEPKT, 4,
                           8 or 16. Others: of TRACEDATA, 1 to 64, over
                           ETMCR: they may be those of a TPIU */

    /* ETMv1, ETMv2: what their registers do not say. */
    bool high_vectors;                /* HIVECS */
    enum etm_endian endian;           /* of data */
    uint8_t coprocessor_words[16][2]; /* as in struct etm_config; ETMv1 */

    /* The trace will be read once, from its beginning, by one run. Then a pipe
     * is read as it comes: what was read needs no memory, and nothing waits for
     * the end of the pipe. Otherwise a pipe is read to its end first and, if it
     * is long, kept in an unnamed file in the directory TMPDIR, or /tmp. This
     * is always done if all of it is needed to identify it: with frames and no
     * ETMTRACEIDR, and for a port's samples in OpenOCD's form or as a table. */
    bool once;

    /* A perf file names the files that processes executed. They are looked
     * for below this directory ("/mnt/target") and, by build ID, in a cache of
     * perf there ("/home/me/.debug"); NULL: at their original paths. */
    const char *sysroot;

    /* ETM_FRAMING_NONE in `framing` was given explicitly: ETM_ERR_CONFIG if
     * the capture has its own framing. */
    bool framing_told;

    /* Of a raw file: conclude from its bytes what is not given of framing,
     * protocol and registers, if they leave no doubt. A pipe is kept for this
     * if neither a protocol nor ETMIDR is given (or a framing, if `fallback`
     * has registers); else it is read as it comes, and nothing is concluded. */
    bool guess;

    /*
     * Memory of a raw file whose words have their bytes in reverse order, as if
     * a big-endian processor had stored them: 2, 4 or 8 bytes; 1: there is no
     * such; 0: if the bytes show it (doc/errata.md, E-353).
     */
    uint8_t reverse_bytes;

    /* What is known of the processor; NULL: nothing. */
    const struct etm_session_fallback *fallback;

    /* Of a raw file with several trace IDs: `protocol` and the registers are
     * those of each. Otherwise a source whose bytes evidently are the trace of
     * something else, such as an ITM, is not decoded. */
    bool protocol_sure;

    /* ETM_FRAMING_SWO: bits a second; 0: the shortest pulses tell. */
    uint64_t baud;

    /* Memory that was written in a circle: the oldest byte of a raw file, where
     * the next one would be written; it becomes the first one, offset 0. 0: not
     * given, or registers tell (ETB_RWP ...). ETM_FALSE: nothing is there. */
    uint64_t write_pointer;
    enum etm_tri wrapped;

    /* A snapshot names the files that it consists of. They are read only in its
     * folder, wherever links lead; true: anywhere. Devices and pipes that it
     * names are never read. */
    bool allow_outside;

    /* Of a server (tcp:HOST:PORT): a connection that is lost is made again,
     * and the trace goes on behind a gap. Then only `interrupted` ends it. */
    bool reconnect;

    /* Not NULL: when it is not 0, as a handler of signals may set it, a pipe or
     * a connection has ended. It must live as long as the session. */
    const volatile int *interrupted;
};

/* What the sources have if the capture and the other options do not say it. */
struct etm_session_fallback {
    size_t size;                          /* sizeof this struct, or 0 */
    const struct etm_register *registers; /* of a raw file */
    size_t n_registers;
    enum etm_profile profile;
};

/*
 * Open a capture: a snapshot's directory, its snapshot.ini, a file of Linux's
 * perf or the directory of `perf record --kcore`, whose copy of the kernel's
 * memory takes precedence over all images, or a raw trace file ("-" is standard
 * input; "tcp:HOST:PORT" is read from a server, whose port 3402 means
 * ETM_FRAMING_ORBFLOW if no framing is given). `options` may be NULL.
 * On success *session is owned by the caller; on failure it is NULL and *diag
 * says what and where. ETM_ERR_ARGUMENT, ETM_ERR_IO, ETM_ERR_FORMAT,
 * ETM_ERR_CONFIG, ETM_ERR_UNSUPPORTED, ETM_ERR_MEMORY.
 */
int etm_session_open(struct etm_session **session, const char *path,
                     const struct etm_session_options *options,
                     struct etm_diag *diag);

/* Accepts NULL. Everything that the session returned becomes invalid. */
void etm_session_free(struct etm_session *session);

/* One trace source, in the order of the capture. */
struct etm_source_info {
    const char *name;      /* "PTM_0" */
    const char *type;      /* as the capture calls it: "PTM1.1", "ITM"; or "" */
    const char *why_not;   /* NULL; or why it cannot be decoded: a clause */
    const char *core;      /* "cpu_0"; NULL: no processor is known */
    const char *core_type; /* "Cortex-A7"; NULL or "": unknown */
    struct etm_config config; /* if why_not is set: as far as it is known */
    const struct etm_register *registers;
    size_t n_registers;
    const struct etm_image *image; /* the core's code; NULL: none */
    size_t n_buffers;              /* buffers that hold its trace */
    uint8_t id;                    /* trace ID, 0 for an unformatted stream */
    /* NULL; or the capture names more code, which could not be read: the first
     * etm_session_fault() about it */
    const char *code_missing;
    /* What the bytes alone told (`guess` of the options): the protocol, and the
     * last registers of `registers`. */
    bool guessed;
    size_t n_guessed;
};

/* Number of sources; and one of them, NULL if there is no such index. */
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
    /* Frames probably do not begin at the first byte, but it is not clear where
       they do, so nothing was skipped. */
    bool doubt;
    /* The bytes of each word were stored the wrong way round, as was given or
       as they show: 2, 4 or 8 bytes; 0: no sign of it. */
    uint8_t swapped;
    /* ETM_FRAMING_CORESIGHT: it looks like the bytes of one source, without
       frames. */
    bool bare;
    /* ETM_FRAMING_DSTREAM: in blocks of 512 bytes, of which the last eight are
       no trace (ETM_FRAME_DSTREAM). */
    bool blocks;
    bool guessed; /* the bytes alone told the framing (options, `guess`) */
    /* `swapped`, and put right before anything else: offsets are those after
       that. Otherwise the bytes are read as they are. */
    bool reversed;
    /* ETM_FRAMING_NONE: so many bytes follow in the file, which a formatter in
     * bypass mode has appended to the trace: 01 and zeros (etm_bypass_size()).
     * They are neither in `bytes` nor in packets. */
    uint64_t stop;
};

/* Number of buffers; and one of them, NULL if there is no such index. */
size_t etm_session_buffers(const struct etm_session *session);
const struct etm_buffer_info *
etm_session_buffer(const struct etm_session *session, size_t index);

/* Index of the n-th buffer of a source; SIZE_MAX if it has fewer. */
size_t etm_session_source_buffer(const struct etm_session *session,
                                 size_t source, size_t n);

/*
 * The path of file `n`, from 0, that holds code of a processor; NULL after the
 * last. A file appears once for each use of it.
 */
const char *etm_session_code_file(const struct etm_session *session, size_t n);

/* A file that a traced process had mapped to be executed: what a perf.data
 * tells of them. */
struct etm_mapping {
    const char *path; /* as it was on the traced machine: "/lib/libc.so.6" */
    const char *file; /* the path of the file whose code is used for it; NULL:
                         it was not found */
    uint64_t offset;  /* in the file: bytes from there on are at: */
    uint32_t address;
    uint64_t length; /* bytes */
    /* Addresses in memory are those in the headers of the ELF file plus
     * `moved`, modulo 2^32; if `file` is one. */
    bool moved_known;
    bool program; /* the first one of a process: the program that it runs */
    uint32_t moved;
};

/* Mapping `n`, from 0, by path and address; NULL after the last. It is valid as
 * long as the session. Those of which no part is used as code, because several
 * files were mapped there, are left out. */
const struct etm_mapping *etm_session_mapping(const struct etm_session *session,
                                              size_t n);

/* The path of file `n`, from 0, with a snapshot's trace or its description;
 * NULL after the last. */
const char *etm_session_file(const struct etm_session *session, size_t n);

/*
 * Count what is in a formatted buffer: trace IDs, bad frames, padding. For a
 * buffer without frames all its bytes are those of ID 0. ETM_ERR_ARGUMENT,
 * ETM_ERR_MEMORY.
 */
int etm_session_count(const struct etm_session *session, size_t buffer,
                      struct etm_frame_counts *counts);

/* Notes about the capture, such as sections that were skipped: their number,
 * and a sentence each, which is valid as long as the session; NULL after the
 * last. */
size_t etm_session_notes(const struct etm_session *session);
const char *etm_session_note(const struct etm_session *session, size_t index);

/* The notes among these about what could not be read in a snapshot and was
 * skipped (devices, buffers, code), or may be wrong. NULL after the last. */
size_t etm_session_faults(const struct etm_session *session);
const char *etm_session_fault(const struct etm_session *session, size_t index);

/*
 * Called with packets in the order of the stream. `offset` of each is its place
 * in the capture file. `bytes` are the bytes of all packets, one packet after
 * the other. A return value other than 0 stops the run.
 */
typedef int etm_session_packet_fn(void *context,
                                  const struct etm_packet *packets, size_t n,
                                  const uint8_t *bytes);

/*
 * Called between packets where `lost` bytes of the capture could not be used (a
 * broken frame): what follows does not continue what came before. Decoders
 * begin again there, at the next A-sync.
 */
typedef int etm_session_gap_fn(void *context, uint64_t lost);

/*
 * Called before the trace of each buffer; `buffer` is its index in the
 * session. What follows is no continuation of what came before.
 */
typedef int etm_session_buffer_fn(void *context, size_t buffer);

/* Called now and then: `done` of `total` bytes of the capture were read;
 * `total` is 0 if it is not known. A return value other than 0 stops the run.
 */
typedef int etm_session_progress_fn(void *context, uint64_t done,
                                    uint64_t total);

/*
 * Called before a run waits for more of a pipe (see `once` of the options):
 * everything decoded so far was given. A return value other than 0 stops the
 * run.
 */
typedef int etm_session_idle_fn(void *context);

/* How a run of a part of a capture begins. */
enum etm_session_start {
    /* Afresh, at the last synchronization that begins at or before the
     * beginning of the part: nothing before it is decoded. */
    ETM_START_SYNC = 0,
    /*
     * In the middle: with the elements that a run of the whole has from there
     * on, up to the end of the part and without an `end`. So the elements of
     * adjoining parts are those of the whole. To find its state a decoder reads
     * a mebibyte before the part; it does not know what is older (a context or
     * a timestamp given only once, cycles accumulated without an instruction).
     */
    ETM_START_JOIN
};

/*
 * Functions that process elements in the threads that decode them, instead of
 * moving all elements to the calling thread, which costs as much as decoding.
 * They can write listings, too (struct etm_listing_portion of <etm/write.h>).
 * The trace is cut into portions of some thousand elements each. A thread
 * begins a portion, gives it elements in order, and always ends it; several
 * threads do so at a time, in any order of portions. Portions that are right
 * are taken in the order of the trace, one at a time, by whichever thread is
 * done. Others are discarded, and their part of the trace is decoded again: its
 * elements, and all elements of a run with one thread, go to `elements` of
 * struct etm_session_run, in order between the portions and from any thread. No
 * function may be NULL.
 */
struct etm_portions {
    size_t size; /* sizeof this struct, or 0 */
    /*
     * *portion is NULL, or one that was taken or discarded before and is to be
     * reused. `thread` is less than `jobs`. Calls from one thread never
     * overlap, nor do those of `take` and of `elements` of the run.
     */
    int (*begin)(void *context, unsigned thread, void **portion);
    int (*elements)(void *portion, const struct etm_element *elements,
                    size_t n);
    int (*end)(void *portion);
    /* A return value other than 0 stops the run. If another function returns
     * one, the trace of its portion is decoded again. */
    int (*take)(void *context, void *portion);
    /* All portions are freed at the end of the run. */
    void (*free)(void *context, void *portion);
    void *context;
    /* Approximate bytes of a portion per element, by which memory is bounded;
     * 0: next to none, as for counts. */
    size_t element_size;
};

/*
 * What to do with a source. Every function may be NULL; only what is requested
 * is done.
 */
struct etm_session_run {
    size_t size;          /* sizeof this struct, or 0 */
    enum etm_level level; /* of the elements */
    etm_element_fn *elements;
    etm_session_packet_fn *packets;
    etm_bytes_fn *bytes; /* of the source's stream */
    etm_session_buffer_fn *buffer;
    etm_session_progress_fn *progress;
    void *context; /* of all of them */
    /*
     * Threads that decode elements, including the calling thread, which also
     * reads; 0 and 1: only that one; more than 16 count as 16. Without
     * `portions`, the functions are called by the calling thread only. Elements
     * and their order do not depend on the number, but may come a few megabytes
     * of trace later. More than one thread needs a thread-safe allocator; with
     * `packets` or `bytes` there is only one.
     */
    unsigned jobs;
    /*
     * A part of the capture: from byte `begin` up to byte `end`, counted
     * through the buffers of the source, one after the other; an `end` of 0 is
     * that of the capture. With ETM_START_JOIN both are rounded down to whole
     * frames and records. Samples (ETM_FRAMING_PORT) belong to the part in
     * which they end; all before it are read, but not decoded. A part gives
     * only elements and, with ETM_START_SYNC, packets; otherwise
     * ETM_ERR_ARGUMENT.
     */
    uint64_t begin, end;
    enum etm_session_start start;
    /* Process elements in their threads; NULL: no. Needs `elements`. */
    const struct etm_portions *portions;
    /*
     * Called at the end of a run with ETM_LEVEL_COUNTS or ETM_LEVEL_COVERAGE,
     * once for each range that was executed, in the order of etm_counts_walk();
     * NULL: not wanted.
     */
    etm_count_fn *counts;
    etm_session_idle_fn *idle;
    /* Set to the cycles of these ranges, before `counts` is called, which may
     * be NULL; NULL: not wanted. */
    uint64_t *cycles;
    etm_session_gap_fn *gap; /* with `packets` */
    size_t sizeof_element;   /* as in struct etm_decoder_config; for `portions`,
                                too */
};

/* Bytes of a source's buffers, for a part of them; 0 if a pipe is read as it
 * comes. */
uint64_t etm_session_bytes(const struct etm_session *session, size_t source);

/*
 * Read a source's trace from its beginning to its end. Memory is bounded,
 * however long the capture is. Offsets of packets and elements are those in
 * the capture file; in the samples of a trace port, the number of the sample.
 * The elements of a source end with one `end` element, even if its trace is in
 * several buffers.
 *
 * The stream of a buffer without frames is realigned where the bits of a narrow
 * trace port were shifted (struct etm_realigner): bytes that cannot be trusted
 * are missing from it, and the elements have a `lost` there.
 *
 * ETM_ERR_ARGUMENT; ETM_ERR_UNSUPPORTED: packets or elements of a source that
 * cannot be decoded; ETM_ERR_CONFIG: there is no such trace port;
 * ETM_ERR_FORMAT: invalid samples of a port, with or without frames;
 * ETM_ERR_IO: a pipe or file cannot be read, or a file has become shorter: what
 * came before is given, without an `end`;
 * ETM_ERR_MEMORY; or what a function returned. For a pipe that is read as it
 * comes, a second run, or one of a part that does not begin at its beginning,
 * is ETM_ERR_ARGUMENT.
 */
int etm_session_run_source(const struct etm_session *session, size_t source,
                           const struct etm_session_run *run,
                           struct etm_diag *diag);

/*
 * A synchronization point, at which decoding can begin. PFT and ETMv3: an
 * A-sync with an I-sync after it (PFT architecture 4.5; ETM
 * architecture 7.7.2, 7.7.3). ETMv2: the cycle of a TFO (6.5.1). ETMv1: the
 * branch whose full address an address packet offset selects (5.5.4, 5.6.1;
 * doc/errata.md, E-190). ITM: a synchronization packet (ARMv7-M ARM, D4.2.1).
 * An MTB has none: decoding can begin with any of its packets. Fields that are
 * not known are 0; which are known depends on the protocol and the trace.
 */
struct etm_point {
    size_t size;       /* sizeof this struct, or 0 */
    uint64_t offset;   /* in the file of its buffer, as those of packets and
                          elements: a byte, or the number of a sample */
    uint64_t position; /* bytes through all buffers of the source, as `begin` of
                          struct etm_session_run; */
    uint64_t stream;   /* and in the bytes of the source alone */
    uint64_t time;     /* of the last complete timestamp before it that tells
                          one (E-320), after the last damage; ticks */
    uint64_t cycles; /* before it (E-342): those of the elements that a run from
                        here gives are to be added */
    uint32_t address;    /* of the I-sync or branch, */
    uint32_t context_id; /* and its context ID */
    uint8_t isa;         /* enum etm_isa, of the address */
    uint8_t reason;      /* enum etm_sync_reason */
    bool position_known; /* not for samples (ETM_FRAMING_PORT) */
    bool time_known;
    bool cycles_known;  /* of cycle-accurate ETMv3 and PFT (E-191) */
    bool address_known; /* with `isa`; a TFO comes out of the FIFO later */
    bool has_reason;    /* the same */
    bool context_id_known;
};

/* A return value other than 0 stops the search. *point is valid during the
 * call. */
typedef int etm_point_fn(void *context, const struct etm_point *point);

/* How to look for points. Every pointer but `point` may be NULL. */
struct etm_session_points {
    size_t size; /* sizeof this struct, or 0 */
    etm_point_fn *point;
    etm_session_progress_fn *progress;
    etm_session_idle_fn *idle;
    void *context; /* of all of them */
    /*
     * A point of the same source, of which only `position`, `stream`, `time`
     * and `cycles` are used: only points after it are given, as a search of the
     * whole gives them, and what comes before it is not searched. Its position
     * must be known, so a search of samples (ETM_FRAMING_PORT) always begins at
     * their beginning. If its cycles are not, those of later points are not
     * either; if its time is not, the same holds up to the next complete
     * timestamp.
     */
    const struct etm_point *from;
    /*
     * Set if everything was read: `stream` is the length of the source's
     * trace, `time` that of the last timestamp that tells one, `cycles` the sum
     * of all elements; the rest is 0. Its `size` has to be set before the call;
     * if the call fails, nothing is changed.
     */
    struct etm_point *end;
    /* The packets in which points are looked for, before the points that they
     * complete; stops the search as `point` does. */
    etm_session_packet_fn *packets;
};

/*
 * Find the synchronization points of a source, in the order of its trace, by
 * its packets alone: no code is needed. To decode from one, give its `position`
 * as `begin` of a run with ETM_START_SYNC: the elements are those of the whole
 * from there on, but without what only packets before the point told, such as
 * return addresses, or a context or a time that is not repeated.
 *
 * A point is given as soon as its cycles are known: some packets later if they
 * belong to an instruction that is still to come. At most 63 points wait
 * (E-344). If a file cannot be read to its end, those before that place are
 * given. Memory is bounded, and a pipe is read as by etm_session_run_source().
 *
 * ETM_ERR_ARGUMENT, also if the position of `from` is not known; the other
 * errors of etm_session_run_source(); or what a function returned: then no
 * function is called again.
 */
int etm_session_find_points(const struct etm_session *session, size_t source,
                            const struct etm_session_points *how,
                            struct etm_diag *diag);

/*
 * Build the symbol tables now instead of at the first lookup. From then on any
 * number of threads may look up symbols of this source at the same time.
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_session_load_symbols(const struct etm_session *session, size_t source);

/*
 * The symbol or the source line of an address in the program of a source's
 * processor. Tables are built at the first lookup: only one thread at a time
 * may look up anything in a session, except symbols whose tables were built
 * before (etm_session_load_symbols()); one thread may look up source lines
 * meanwhile. Of several ELF files the one given last counts; but where programs
 * of different contexts or security states differ at an address, nothing is
 * found. ETM_ERR_NOT_FOUND; ETM_ERR_MEMORY: whether there is one is not known.
 */
int etm_session_symbol(const struct etm_session *session, size_t source,
                       uint32_t address, struct etm_symbol *symbol);
int etm_session_line(const struct etm_session *session, size_t source,
                     uint32_t address, struct etm_source_line *line);

/*
 * All code that has source lines in the program of a source's processor, and
 * all its functions, executed or not; in no particular order. What these
 * lookups do not find is left out: what is hidden by an ELF file that was given
 * later. Without debug information, or in a build without elfutils, `fn` is not
 * called. ETM_ERR_ARGUMENT; ETM_ERR_MEMORY; or what `fn` returned.
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
 * What the bytes of a source reveal about its configuration. A field is unknown
 * if configurations that differ in it explain the bytes about equally well.
 */
struct etm_guess {
    enum etm_protocol protocol; /* ETM_PROTOCOL_NONE: neither fits */
    /* More than a few per cent of the bytes are not explained: this is the best
     * guess, but not a good one. */
    bool weak;
    enum etm_tri cycle_accurate;
    enum etm_tri alternative_branches; /* ETMv3 */
    enum etm_tri data_address;         /* ETMv3 */
    enum etm_tri data_value;           /* ETMv3 */
    enum etm_tri data_only;            /* ETMv3 */
    enum etm_tri timestamps;           /* whether there are any */
    enum etm_tri timestamp_binary;     /* natural binary, not Gray */
    int context_id_bytes;              /* 0, 1, 2, 4; -1: unknown */
    int timestamp_bits;                /* 48, 64; 0: unknown */
    uint64_t a_syncs;      /* A-sync packets, with the best configuration if
                              there is one */
    uint64_t i_syncs;      /* I-sync packets of all forms */
    uint64_t bad_bytes;    /* not explained, from where decoding begins on */
    uint64_t sample_bytes; /* bytes that were looked at */
    const char *other;     /* what they are instead ("ITM" ...); or NULL */
    /*
     * A configuration that decodes the bytes: what is known, and the simplest
     * value of what is not. Its protocol is that of the guess. The return stack
     * of PFT is on, which changes nothing if it was off.
     */
    struct etm_config config;
    uint64_t reserve[4];
};

/*
 * Try configurations on the beginning of a source's stream (64 KiB of it) and
 * keep those that leave the least unexplained. `protocol` restricts the search
 * unless it is ETM_PROTOCOL_NONE. What does not affect the format of packets is
 * not guessed: return stack, branch broadcast, barriers as waypoints.
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY.
 */
int etm_session_guess(const struct etm_session *session, size_t source,
                      enum etm_protocol protocol, struct etm_guess *guess);

/*
 * The registers to give for such a configuration: ETMCR, and those whose
 * absence would stand for something else. Returns their number, 0 if the guess
 * is weak or none.
 */
size_t etm_guess_registers(const struct etm_guess *guess,
                           struct etm_register registers[3]);

/*
 * Guess the framing of a buffer that was opened without frames
 * (ETM_FRAMING_NONE): samples of a trace port as text or in a file of OpenOCD's
 * "etm dump", frames with the synchronization packets of a TPIU, or frames in
 * memory. *framing is that of the buffer if nothing else is found, and always
 * if it has frames or is a pipe that is read as it comes. ETM_ERR_ARGUMENT,
 * ETM_ERR_MEMORY.
 */
int etm_session_guess_framing(const struct etm_session *session, size_t buffer,
                              enum etm_framing *framing);

#ifdef __cplusplus
}
#endif
#endif
