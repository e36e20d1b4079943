/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building a capture: shared by the readers of snapshots and raw files.
 * Functions return ETM_OK or an error; ETM_ERR_MEMORY may leave *diag
 * unchanged, but etm_build_end() sets it.
 */
#ifndef ETM_INPUT_BUILD_H
#define ETM_INPUT_BUILD_H

#include "input/capture.h"
#include "input/file.h"

/* Begin an empty capture. */
int etm_build_begin(struct etm_capture *capture, const char *path,
                    const struct etm_allocator *allocator);

/* The last call: closes the capture if `status` is an error. Returns it. */
int etm_build_end(struct etm_capture *capture, int status,
                  struct etm_diag *diag);

/* A file with code that was opened (code.c): as a whole, as an ELF file, or
 * both. */
struct etm_capture_program {
    struct etm_file_id id;
    struct etm_file file; /* `bytes` is NULL: not as a whole */
    struct etm_elf *elf;  /* NULL: not as an ELF file */
    unsigned records;     /* how often its records were decoded */
};

/* Notes made alike: from one format, or with one consequence (notes.c). */
struct etm_note_kind {
    char text[96];    /* that format, or the consequence; cut */
    const char *last; /* the last one that was kept; NULL: it is forgotten */
    size_t n;         /* all */
    bool fault;
};

/* Add a note, formatted as by printf(). Of those with one format only the first
 * ETM_NOTES_OF_A_KIND are kept; etm_build_sum_up(), which etm_build_end()
 * calls, adds how many more there were. doc/reliability.md */
#define ETM_NOTES_OF_A_KIND 16u
int etm_build_note(struct etm_capture *capture, const char *format, ...);
int etm_build_sum_up(struct etm_capture *capture);

/* Remove the notes that begin so, none of which is a fault: they are not true
 * any more. */
void etm_build_forget_notes(struct etm_capture *capture, const char *beginning);

/* Keep the path of a file that is read. */
int etm_build_file(struct etm_capture *capture, const char *path);

/* Add a mapping; its texts are copied. */
int etm_build_mapping(struct etm_capture *capture,
                      const struct etm_mapping *mapping);

/* Add a note about something that could not be read, and the consequence, which
 * is its kind. */
int etm_build_fault(struct etm_capture *capture, const struct etm_diag *diag,
                    const char *and_so);

/* Join several files, which are kept, to one: their bytes one after the other,
 * in memory or, if they are long, in a file (spool.h). `path` is for
 * messages. */
int etm_build_join(struct etm_file *joined, const struct etm_file *files,
                   size_t n, const char *path,
                   const struct etm_allocator *allocator,
                   struct etm_diag *diag);

/*
 * Add a buffer that holds the files' bytes one after the other, joined if there
 * are several. Takes ownership of the files, also on failure. `path` is that of
 * the first one.
 */
int etm_build_buffer(struct etm_capture *capture, const char *name,
                     const char *path, enum etm_framing framing,
                     struct etm_file *files, size_t n, struct etm_diag *diag);

/*
 * Add a buffer for a pipe that is read once, whose beginning is `head`. Takes
 * ownership of the pipe, also on failure.
 */
int etm_build_pipe(struct etm_capture *capture, const char *path,
                   enum etm_framing framing, struct etm_pipe *pipe,
                   const struct etm_file *head);

/* Replace the bytes of a buffer by others, which it takes over, with or without
 * frames. */
void etm_build_replace(struct etm_capture *capture,
                       struct etm_capture_buffer *buffer,
                       enum etm_framing framing, struct etm_vec *bytes);

/*
 * Convert a buffer with samples of a port (ETM_FRAMING_PORT) that carried the
 * frames of a TPIU to the bytes of the TPIU (ETM_FRAMING_TPIU). ETM_ERR_FORMAT,
 * ETM_ERR_CONFIG, ETM_ERR_UNSUPPORTED: as for a port's reader.
 */
int etm_build_port_frames(struct etm_capture *capture, size_t buffer,
                          struct etm_diag *diag);

/* swo.c: the only buffer is that of an SWO pin: replace it by the bytes in it,
 * without frames until more is known. `baud` is bits a second, 0: the pulses
 * tell. Errors as for etm_build_port_frames(). */
int etm_build_swo(struct etm_capture *capture, size_t buffer, uint64_t baud,
                  struct etm_diag *diag);

/* Notes on what was found there. */
int etm_build_swo_notes(struct etm_capture *capture, const char *path,
                        const struct etm_swo_facts *swo);

/* perf.c: may a file that begins so be one of Linux's perf? It is one if it has
 * that many bytes. */
#define ETM_PERF_LEAST 16u
bool etm_may_be_perf(const uint8_t *bytes, size_t n);

/*
 * The only buffer is such a file: replace it by buffers and sources of the
 * trace in it. Of the options the profile is used, others are a contradiction.
 * ETM_ERR_FORMAT, ETM_ERR_CONFIG, ETM_ERR_MEMORY.
 */
int etm_build_perf(struct etm_capture *capture,
                   const struct etm_raw_options *options,
                   struct etm_diag *diag);

/* look.c: reverse the bytes of a new buffer if that was told (E-353), and see
 * what they show of frames. `path` is for messages. ETM_ERR_IO,
 * ETM_ERR_MEMORY. */
int etm_build_look(struct etm_capture *capture,
                   struct etm_capture_buffer *buffer, const char *path,
                   struct etm_diag *diag);

/* Remove the last buffer again. */
void etm_build_drop_buffer(struct etm_capture *capture);

/* Add an empty core or source; its index is the last. */
int etm_build_core(struct etm_capture *capture, const char *name,
                   const char *type);
int etm_build_source(struct etm_capture *capture, const char *name,
                     const char *type);

static inline struct etm_capture_core *
etm_build_core_at(struct etm_capture *capture, size_t index)
{
    return (struct etm_capture_core *)capture->cores.data + index;
}

static inline struct etm_capture_source *
etm_build_source_at(struct etm_capture *capture, size_t index)
{
    return (struct etm_capture_source *)capture->sources.data + index;
}

/*
 * Add a piece of a binary file to a core's code: `memory` has address, offset,
 * space and length (UINT64_MAX: the rest of the file). If the file is too
 * short, the available part is used, and that is a fault. `where` and `line`
 * are for errors.
 */
int etm_build_memory(struct etm_capture *capture, size_t core, const char *path,
                     const struct etm_capture_memory *memory, const char *where,
                     uint64_t line, struct etm_diag *diag);

/* code.c: a file with code, opened once for the capture, which keeps it open:
 * as a whole, or as an ELF file at its own addresses. ETM_ERR_IO,
 * ETM_ERR_FORMAT, ETM_ERR_MEMORY. */
int etm_build_program(struct etm_capture *capture, const char *path,
                      struct etm_file *file, struct etm_diag *diag);
int etm_build_program_elf(struct etm_capture *capture, const char *path,
                          struct etm_elf **elf, struct etm_diag *diag);
void etm_build_close_programs(struct etm_capture *capture);
void etm_build_free_memory(struct etm_capture *capture,
                           struct etm_capture_memory *memory);

/* Has the core the names of this file? */
bool etm_build_has_names(const struct etm_capture_core *core,
                         const struct etm_elf *elf);

/* Add an ELF file to a core's code; takes a reference of its own. Adding it
 * again for the same space changes nothing. One more than ETM_CORE_PROGRAMS is
 * a fault. */
int etm_build_elf(struct etm_capture *capture, size_t core, struct etm_elf *elf,
                  const struct etm_space *space);

/* Add the symbols and source lines of an ELF file to a core whose code exists
 * already. */
int etm_build_names(struct etm_capture *capture, size_t core,
                    struct etm_elf *elf, const struct etm_space *space);

/*
 * Add a file of Intel HEX or S-records (records.h) to the code of `n` cores.
 * One without an end record is a fault. Each time the records are decoded,
 * which takes memory, so that is done ETM_RECORDS_USES times for a file.
 * ETM_ERR_IO, ETM_ERR_FORMAT, ETM_ERR_UNSUPPORTED, ETM_ERR_MEMORY.
 */
#define ETM_RECORDS_USES 64u
int etm_build_records(struct etm_capture *capture, size_t first, size_t n,
                      const char *path, const struct etm_space *space,
                      struct etm_diag *diag);

/* Add "FILE" or "FILE@ADDRESS" to every core's code. */
int etm_build_images(struct etm_capture *capture, const char *const *images,
                     size_t n, struct etm_diag *diag);

/* What is known of a source besides its registers. */
struct etm_source_facts {
    enum etm_protocol protocol; /* ETM_PROTOCOL_NONE: not known */
    int minor;                  /* -1: not known */
    enum etm_profile profile;
};

/*
 * Make the source's configuration from its registers and from the facts, which
 * replace missing registers; notes say so. On success the source is decodable.
 */
int etm_build_configure(struct etm_capture *capture, size_t source,
                        const struct etm_source_facts *facts,
                        struct etm_diag *diag);

/* Does a source's file have the register of that number? */
bool etm_build_has_register(const struct etm_capture_source *source,
                            uint32_t number);

/* Set why a source cannot be decoded, formatted as by printf(). */
int etm_build_why_not(struct etm_capture *capture, size_t source,
                      const char *format, ...);

#endif
