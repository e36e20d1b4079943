/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing: packets, elements and counts as text or for other programs, samples
 * for waveform viewers, and captures as snapshots.
 */
#ifndef ETM_WRITE_H
#define ETM_WRITE_H

#include <etm/decode.h>
#include <etm/port.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Listings ------------------------------------------------------------ */

/*
 * Packets, elements and execution counts in a format that is chosen by name: as
 * text, for people or for programs. doc/elements.md specifies the JSON Lines
 * format; the text format is meant for people and may change.
 *
 *     struct etm_session_names named = {session, source, false};
 *     struct etm_listing_source of = {
 *         .name = info->name, .names = etm_session_names_of(&named)};
 *
 *     etm_listing_new(&listing, &(struct etm_listing_config){
 *         .format = "lcov", .write = write, .context = file});
 *     etm_listing_begin(listing, &of);
 *     etm_listing_counts(listing, counts);
 *     etm_listing_finish(listing);
 *     etm_listing_free(listing);
 */

/* What a format has a form for. */
enum etm_listing_input {
    ETM_LISTING_ELEMENTS = 1u << 0,
    ETM_LISTING_PACKETS = 1u << 1,
    ETM_LISTING_COUNTS = 1u << 2
};

/* A format. */
struct etm_listing_format {
    const char *name;        /* "lcov" */
    const char *extension;   /* that files usually have: "info" */
    const char *description; /* in a few words */
    unsigned takes;          /* bits of enum etm_listing_input */
    bool one_source;         /* the output has room for one source only */
    bool port_only;          /* of ETMv1 or ETMv2 */
};

/* Format n, from 0; NULL after the last: "text", "jsonl", "lcov", "vcd". */
const struct etm_listing_format *etm_listing_formats(size_t n);

/* The format of that name. ETM_ERR_NOT_FOUND: there is none, and *format is
 * NULL. */
int etm_listing_format_find(const char *name,
                            const struct etm_listing_format **format);

struct etm_session;

/* The names of the program of a session's source. The struct must live as long
 * as what is made of it. */
struct etm_session_names {
    const struct etm_session *session;
    size_t source;
    bool failed; /* out of memory: names are missing */
};

struct etm_names etm_session_names_of(struct etm_session_names *names);

struct etm_listing;

struct etm_listing_config {
    size_t size;        /* sizeof this struct, or 0 */
    const char *format; /* its name */
    etm_write_fn *write;
    void *context;    /* of `write` */
    bool colour;      /* text: ANSI colours */
    bool cycles;      /* text: columns of cycle counts; jsonl: etm_element.since
                         of data, triggers and contexts */
    bool lines;       /* text: source lines, where they change */
    unsigned threads; /* text: number of listings like this one, among which the
                         memory for disassembly is shared out; 0: 1 */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
    size_t sizeof_element; /* sizeof(struct etm_element), of those that it gets;
                              0: that in the first version of the library */
    bool no_offset; /* text and jsonl of elements and packets: without their
                       places, for tools that compare lines */
};

/*
 * Make a listing. On success *listing is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT, ETM_ERR_NOT_FOUND (no such format),
 * ETM_ERR_MEMORY.
 */
int etm_listing_new(struct etm_listing **listing,
                    const struct etm_listing_config *config);

/* What a listing must know about the source whose trace follows. */
struct etm_listing_source {
    size_t size;                     /* sizeof this struct, or 0 */
    const char *title;               /* "PTM_0 (0x13): PFT 1.1"; NULL: none */
    const struct etm_config *config; /* copied; NULL where not needed */
    struct etm_names names;          /* functions may be NULL */
    uint8_t id;                      /* trace ID */
    const char *name; /* "PTM_0"; NULL: none. It and what `names` gives must
                         live until the listing has ended */
    /* Of counts: the code, in which branches that did not run are found, and
     * why there may be more that was executed; both may be NULL. Borrowed until
     * the next source. */
    const struct etm_image *image;
    const struct etm_gaps *gaps;
    /* And how often each instruction passed, and failed, as ranges of one: then
     * conditions are known. NULL: as far as ranges end with them. */
    const struct etm_counts *conditions;
};

/*
 * Write the beginning of a source's trace, elements, packets, or how often its
 * code was executed. Each returns ETM_OK or what `write` returned; after an
 * error, every later call returns the same error and writes nothing. Before the
 * first begin, nothing is known about the source. ETM_ERR_ARGUMENT: a pointer
 * is NULL. ETM_ERR_UNSUPPORTED: the format has no form for these, or for this
 * source. Begin only: ETM_ERR_ARGUMENT: a wrong size; ETM_ERR_UNSUPPORTED: a
 * member of a later version is set. Counts only, after which the listing can
 * still be used: ETM_ERR_MEMORY; ETM_ERR_NOT_FOUND: the code has no source
 * lines, which lcov needs.
 *
 * `bytes` are the bytes of all packets, one packet after the other.
 */
int etm_listing_begin(struct etm_listing *listing,
                      const struct etm_listing_source *source);
int etm_listing_elements(struct etm_listing *listing,
                         const struct etm_element *elements, size_t n);
int etm_listing_packets(struct etm_listing *listing,
                        const struct etm_packet *packets, size_t n,
                        const uint8_t *bytes);

int etm_listing_counts(struct etm_listing *listing,
                       const struct etm_counts *counts);

/*
 * What counts say of a function, a conditional branch, another conditional
 * instruction, or a line of the program, executed or not.
 */
enum etm_covered_kind {
    ETM_COVERED_FUNCTION = 0,
    ETM_COVERED_BRANCH,
    ETM_COVERED_CONDITION,
    ETM_COVERED_LINE
};

struct etm_covered {
    const char *file; /* NULL: not known; never of a line */
    const char *name; /* of a function; of a branch and a condition, the one
                         that they are in; NULL: not known */
    const char *const *texts; /* of a line, if its file can be read: the text
                                 of all lines of that, from the first one on */
    size_t n_texts;
    uint64_t n;     /* executions; of a branch, how often it was taken; of a
                       condition, how often it passed */
    uint64_t other; /* of these two, how often not */
    uint64_t open;  /* and how often the trace does not tell which */
    uint32_t line;
    uint32_t address; /* not of a line */
    uint32_t offset;  /* of a branch and a condition, from its function */
    uint32_t insns;   /* of a line, as far as its code is known; how many of */
    uint32_t ran;     /* these were executed */
    uint8_t kind;     /* enum etm_covered_kind */
};

/* Called for each, which is valid only during the call. A return value other
 * than 0 stops, and is returned. */
typedef int etm_covered_fn(void *context, const struct etm_covered *covered);

/*
 * Give what counts say of the program of a source, of which `names` and `image`
 * are used: by file, and in it functions, branches, conditions and lines, in
 * the order of lines and addresses. Those without a file come first. Branches
 * and conditions that were not reached are found where lines are known.
 * ETM_ERR_ARGUMENT, ETM_ERR_MEMORY, or what `fn` returned.
 */
int etm_covered_walk(const struct etm_listing_source *source,
                     const struct etm_counts *counts, etm_covered_fn *fn,
                     void *context);

/* Write everything that is held back. Errors as for etm_listing_elements(). */
int etm_listing_flush(struct etm_listing *listing);

/* The end of the output: write what comes after everything else, and flush.
 * Errors as for etm_listing_elements(). */
int etm_listing_finish(struct etm_listing *listing);

/*
 * The listing of a portion of the trace, for programs that process elements in
 * the threads that decode them (struct etm_portions of <etm/session.h>). Each
 * thread has a listing of its own, with the same configuration and source, and
 * makes portions before it is known what precedes them. Appended in order to
 * the listing that writes, they give what it would have written for all their
 * elements, byte for byte.
 */
struct etm_listing_portion;

/*
 * From here on elements go to a portion, and `write` is not called. *portion is
 * NULL, or an earlier one that was ended, to be reused. On success the caller
 * owns it, and may free it only after its end. ETM_ERR_ARGUMENT: a portion is
 * open already; ETM_ERR_MEMORY.
 */
int etm_listing_portion_begin(struct etm_listing *listing,
                              struct etm_listing_portion **portion);

/* Complete the portion. ETM_ERR_ARGUMENT: none is open; ETM_ERR_MEMORY: it
 * cannot be used. */
int etm_listing_portion_end(struct etm_listing *listing);

/* Write a complete portion, which is not changed. Errors as for
 * etm_listing_elements(); ETM_ERR_ARGUMENT. */
int etm_listing_append(struct etm_listing *listing,
                       const struct etm_listing_portion *portion);

/* Accepts NULL. */
void etm_listing_portion_free(struct etm_listing_portion *portion);

/* Accepts NULL. Does not flush. */
void etm_listing_free(struct etm_listing *listing);

/*
 * Samples of a trace port as a value change dump (IEEE 1364) for waveform
 * viewers: TRACECLK and, for a normal port, PIPESTAT, TRACEPKT and TRACESYNC,
 * or TRACECTL and TRACEDATA. The signals of a demultiplexed port end with A and
 * B; in a multiplexed port, PINS[0] is pin 38, PINS[1] pin 36 ... (ETM
 * architecture, table 8-7). The frequency of the port is not known: edges of
 * TRACECLK are 10 ns apart, and the pins change halfway between them.
 */
struct etm_vcd_writer;

struct etm_vcd_writer_config {
    size_t size;                        /* sizeof this struct, or 0 */
    const struct etm_port_config *port; /* copied */
    const char *scope; /* name of the scope of the signals; copied; NULL:
                          "etm" */
    bool single; /* PIPESTAT0, PIPESTAT1 ... instead of a bus PIPESTAT, for
                    readers without buses, such as sigrok up to 0.5.2 */
    etm_write_fn *write;
    void *context;                         /* of `write` */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * On success *writer is owned by the caller; on failure it is NULL.
 * ETM_ERR_ARGUMENT; as etm_port_check(); ETM_ERR_UNSUPPORTED: a port of more
 * than 32 bits; ETM_ERR_MEMORY.
 */
int etm_vcd_writer_new(struct etm_vcd_writer **writer,
                       const struct etm_vcd_writer_config *config,
                       struct etm_diag *diag);

/* Write samples, borrowed for the call. ETM_OK, ETM_ERR_MEMORY, or what `write`
 * returned; after an error nothing more is written. */
int etm_vcd_writer_push(struct etm_vcd_writer *writer,
                        const struct etm_port_sample *samples, size_t n);

/* The end: write everything that is held back. Errors as above. */
int etm_vcd_writer_finish(struct etm_vcd_writer *writer);

/* Accepts NULL. Does not finish. */
void etm_vcd_writer_free(struct etm_vcd_writer *writer);

/* Whether this build can disassemble, that is, was built with Capstone. */
bool etm_write_disassembles(void);

/* ---- Snapshots ----------------------------------------------------------- */

/*
 * Writing a snapshot: the directory of files with which debuggers and CoreSight
 * tools exchange captures. snapshot.ini names the others: a file for each
 * processor (registers, memory) and each trace source (registers), trace.ini
 * for the buffers, and the trace itself. <etm/session.h> reads snapshots.
 */

struct etm_snapshot_writer;

struct etm_snapshot_writer_config {
    size_t size;           /* sizeof this struct, or 0 */
    const char *directory; /* created if it does not exist. Files of an earlier
                              snapshot in it are replaced when this one is
                              finished: until then the names of new files end
                              with "~new" */
    const struct etm_allocator *allocator; /* copied; NULL: malloc */
};

/*
 * Begin a snapshot. On success *writer is owned by the caller; on failure it
 * is NULL. ETM_ERR_ARGUMENT, ETM_ERR_IO, ETM_ERR_MEMORY.
 */
int etm_snapshot_writer_new(struct etm_snapshot_writer **writer,
                            const struct etm_snapshot_writer_config *config,
                            struct etm_diag *diag);

/*
 * The functions below copy what they are given. They return ETM_OK;
 * ETM_ERR_ARGUMENT: an invalid name (letters, digits, and "._-" are allowed), a
 * name already in use, a file name that the snapshot itself uses (snapshot.ini,
 * trace.ini, device_N.ini), an index that does not exist, or the snapshot is
 * finished; ETM_ERR_IO;
 * ETM_ERR_MEMORY; or what their comments say. *diag, which may be NULL, tells
 * more. `index`, if not NULL, receives the number of what was added, from 0.
 */

struct etm_snapshot_core {
    size_t size;                          /* sizeof this struct, or 0 */
    const char *name;                     /* NULL: "cpu_0", "cpu_1" ... */
    const char *type;                     /* "Cortex-M3"; NULL: unknown */
    const struct etm_register *registers; /* "R15", "CPSR"; no numbers */
    size_t n_registers;
};

int etm_snapshot_add_core(struct etm_snapshot_writer *writer,
                          const struct etm_snapshot_core *core, size_t *index,
                          struct etm_diag *diag);

/*
 * Memory of a core: `n` bytes at `address`, written to a file of that name; if
 * `n` is 0, all bytes of the file, which must exist (otherwise ETM_ERR_IO). It
 * may not wrap round the end of the 32-bit address space. `space` may be NULL.
 */
int etm_snapshot_add_memory(struct etm_snapshot_writer *writer, size_t core,
                            const char *file, uint32_t address,
                            const uint8_t *bytes, size_t n,
                            const struct etm_space *space,
                            struct etm_diag *diag);

/* Memory of a core in `n_pieces` pieces, one after the other in one file, and
 * each a [dump] of its own. */
struct etm_snapshot_piece {
    uint32_t address;
    const uint8_t *bytes;
    size_t n; /* not 0 */
};

int etm_snapshot_add_pieces(struct etm_snapshot_writer *writer, size_t core,
                            const char *file,
                            const struct etm_snapshot_piece *pieces,
                            size_t n_pieces, const struct etm_space *space,
                            struct etm_diag *diag);

/*
 * The program of a core: copies the ELF file, and records which part of it
 * belongs to which address. ETM_ERR_FORMAT: not a little-endian 32-bit ELF file
 * with segments to load.
 */
int etm_snapshot_add_program(struct etm_snapshot_writer *writer, size_t core,
                             const char *path, struct etm_diag *diag);

struct etm_snapshot_buffer {
    size_t size;      /* sizeof this struct, or 0 */
    const char *name; /* NULL: "ETB_0" ... */
    const char *file; /* NULL: "cstrace.bin", "cstrace_1.bin" ... */
    /*
     * How trace is wrapped in the file. NONE and PORT: one source only. PORT:
     * samples as text; the port of an ETMv3 is as its ETMCR says, or 8 pins
     * wide without it. TPIU and DSTREAM: with a full synchronization before the
     * first frame and after every full_sync frames.
     */
    enum etm_framing framing;
    uint32_t full_sync; /* frames; 0: 64 */
};

int etm_snapshot_add_buffer(struct etm_snapshot_writer *writer,
                            const struct etm_snapshot_buffer *buffer,
                            size_t *index, struct etm_diag *diag);

#define ETM_SNAPSHOT_NONE SIZE_MAX

struct etm_snapshot_source {
    size_t size;      /* sizeof this struct, or 0 */
    const char *name; /* NULL: "ETM_0", "PTM_0" ... */
    const char *type; /* NULL: from the configuration: "ETM3.4", "PTM1.0" */
    const struct etm_config *config;      /* protocol, version, trace ID, port
                                             width */
    const struct etm_register *registers; /* ETMCR, ETMIDR ... */
    size_t n_registers;
    size_t core;   /* index; ETM_SNAPSHOT_NONE: not known */
    size_t buffer; /* index */
};

/* ETM_ERR_CONFIG: the trace ID is not one of a source, already used in this
 * buffer, or not that of ETMTRACEIDR, if this is among the registers; or the
 * buffer cannot hold this source's trace. */
int etm_snapshot_add_source(struct etm_snapshot_writer *writer,
                            const struct etm_snapshot_source *source,
                            size_t *index, struct etm_diag *diag);

/* The next bytes of a source's stream (ETMv1, ETMv2: records of samples). They
 * may be divided into calls anywhere. */
int etm_snapshot_add_trace(struct etm_snapshot_writer *writer, size_t source,
                           const uint8_t *bytes, size_t n,
                           struct etm_diag *diag);

/* Fill the last frames, and write the files that describe the capture. Nothing
 * can be added afterwards, also if this failed. */
int etm_snapshot_writer_finish(struct etm_snapshot_writer *writer,
                               struct etm_diag *diag);

/* Accepts NULL. Does not finish the snapshot: the files written so far get
 * their names. */
void etm_snapshot_writer_free(struct etm_snapshot_writer *writer);

/*
 * Give a snapshot up. Accepts NULL. The files written are removed, and so is
 * the directory if it was created here and nothing else is in it.
 */
void etm_snapshot_writer_discard(struct etm_snapshot_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
