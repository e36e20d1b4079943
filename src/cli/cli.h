/* SPDX-License-Identifier: Apache-2.0 */
/* The `etm` command: shared by its files. */
#ifndef ETM_CLI_CLI_H
#define ETM_CLI_CLI_H

#include <etm/session.h>
#include <etm/setup.h>
#include <etm/write.h>
#include <time.h>

/* Exit status (doc/elements.md). */
enum { ETM_EXIT_OK = 0, ETM_EXIT_UNREADABLE = 1, ETM_EXIT_USAGE = 2 };

/* Subcommands, also as a set of bits. */
enum etm_cli_command {
    ETM_CLI_INFO = 1u << 0,
    ETM_CLI_PACKETS = 1u << 1,
    ETM_CLI_DECODE = 1u << 2,
    ETM_CLI_INDEX = 1u << 3,
    ETM_CLI_PROFILE = 1u << 4,
    ETM_CLI_CALLS = 1u << 5,
    ETM_CLI_EXCEPTIONS = 1u << 6,
    ETM_CLI_TIMELINE = 1u << 7,
    ETM_CLI_SPLIT = 1u << 8,
    ETM_CLI_COVERAGE = 1u << 9,
    ETM_CLI_GDB = 1u << 10,
    ETM_CLI_VARIABLES = 1u << 11,
    ETM_CLI_REPORT = 1u << 12,
    ETM_CLI_DIFF = 1u << 13,
    ETM_CLI_TOP = 1u << 14
};

/* Commands that show what the program did, by cli/view.h. */
#define ETM_CLI_VIEWS                                                          \
    ((unsigned)ETM_CLI_PROFILE | ETM_CLI_CALLS | ETM_CLI_EXCEPTIONS |          \
     ETM_CLI_TIMELINE | ETM_CLI_VARIABLES | ETM_CLI_REPORT)

/* Commands for which the code of the program is needed. */
#define ETM_CLI_NEED_CODE                                                      \
    ((unsigned)ETM_CLI_DECODE | ETM_CLI_COVERAGE | ETM_CLI_VIEWS)

enum etm_cli_colour { ETM_CLI_AUTO = 0, ETM_CLI_NEVER, ETM_CLI_ALWAYS };

/* --core, and what it implies. */
struct etm_cli_core {
    const char *name; /* as given; NULL: it is not */
    struct etm_config config;
    struct etm_register registers[2];
    struct etm_session_fallback fallback;
};

/* Of commands that show what the program did; as given, or NULL. */
struct etm_cli_view_options {
    const char *by, *function, *annotate, *task_variable, *watch;
    uint64_t minimum_duration; /* in the unit of the view; 0: all */
    bool callers, callees, summary, no_demangle, inlined;
    bool depth_told;
    uint32_t depth;
};

/* Of etm diff. */
struct etm_cli_diff_options {
    unsigned ignored; /* of enum etm_cli_ignored */
    uint64_t context; /* items around a difference */
    uint64_t window;  /* in which both sides are brought in step again */
    uint64_t lines;   /* of a difference that are shown on a side; 0: all */
    bool packets;     /* instead of elements */
    bool lines_told;
};

/* The command line. The arrays have room for every argument. */
struct etm_cli_options {
    enum etm_cli_command command;
    const char *name; /* of the command */
    const char *capture;
    const char **sources; /* as given */
    size_t n_sources;
    const char *format;     /* "text", "jsonl"; of packets also "vcd" */
    bool format_told;       /* else counts are JSON Lines, for `etm merge` */
    const char *level_name; /* as given; or NULL */
    enum etm_level level;
    bool level_told;
    const char *output;    /* NULL: standard output */
    const char *directory; /* of split: what -o says there */
    const char *listen;    /* HOST:PORT; NULL: standard input and output */
    bool no_pager;
    bool lines, cycles, no_offset;
    unsigned jobs; /* threads; 0: as many as there are cores */
    const char *from, *to, *last, *shard, *index; /* as given; or NULL */
    bool stats, merge;
    bool itm_text;      /* --itm-text: of this port: */
    unsigned itm_port;  /* 0 to 255 */
    uint64_t every;     /* bytes between points of an index; 0: all */
    const char **given; /* names of the options */
    size_t n_given;
    struct etm_cli_view_options view;
    struct etm_cli_diff_options diff;
    uint64_t interval; /* of top: milliseconds between frames, */
    bool once;         /* or one is all */
    struct etm_session_options session;
    struct etm_register *registers; /* with those of: */
    const char *dump;               /* a file; or NULL */
    const char **images;
    struct etm_cli_core core;
};

/* Where the results go. */
struct etm_cli_output {
    int fd;
    const char *name; /* for messages */
    bool terminal;
    bool paged;  /* a pager shows what is written, from the first byte on */
    size_t tail; /* bytes that were written of the last line */
    bool closed; /* the reader of the output has gone */
    bool failed; /* a message was printed */
    bool unread; /* some file could not be read to its end; which, and why: */
    struct etm_diag unread_why;
    /* NULL; or what is written goes here instead (--merge) */
    etm_write_fn *keep;
    void *keep_context;
    size_t n; /* bytes that were printed but not written yet */
    char text[8192];
};

/* A bar on standard error, when it takes long. */
struct etm_cli_progress {
    bool wanted;
    bool shown;
    struct timespec start, last;
    size_t part, parts;  /* sources */
    uint64_t begin, end; /* what of the total is done at all; end 0: all */
    const char *hint;    /* after the bar; or NULL */
};

/* A capture with the chosen sources. */
struct etm_cli_capture {
    struct etm_session *session;
    size_t *sources; /* indexes in the session */
    size_t n_sources;
};

/* Can --core, if it is given, be that of a source? An exit status; the message
 * is printed. */
int etm_cli_core_fits(const struct etm_cli_options *options,
                      const struct etm_cli_capture *capture);

/* The whole of a text file ("-" is standard input) of less than 1 MB, with a 0
 * after it, which the caller frees; NULL after a message. */
char *etm_cli_text_read(const char *path, size_t *length);

/* Read a text with registers, and say what was passed over. A status of the
 * library; *diag has the file as its source. */
int etm_cli_setup_read(const char *path, const char *text, size_t length,
                       struct etm_setup *setup, struct etm_diag *diag);

/*
 * The registers of a dump or a setup ("-" is standard input), with their names.
 * -1, and the caller frees *registers; or an exit status after a message.
 */
int etm_cli_dump_read(const char *path, struct etm_register **registers,
                      size_t *n);

/* Add the registers of the dump in the options, except those given by --reg.
 * -1, or an exit status after a message. */
int etm_cli_dump_add(struct etm_cli_options *options);

/* What --core implies becomes part of the options of the session. -1, or an
 * exit status after a message. */
int etm_cli_core_add(struct etm_cli_options *options);

/*
 * Read the command line. Returns an exit status, or -1 to go on; `options` is
 * to be freed in any case.
 */
int etm_cli_parse(struct etm_cli_options *options, int argc, char **argv);
void etm_cli_options_free(struct etm_cli_options *options);

/* Number of threads requested, or of cores. */
unsigned etm_cli_threads(const struct etm_cli_options *options);

/* Print the help of the command, or of all if none was named. */
int etm_cli_help(const struct etm_cli_options *options);

/* Print the help of a command by its name, which reads a capture; NULL: of all.
 * An exit status. */
int etm_cli_help_of(const char *command);

/* Nothing was asked for: the help of all, as wrong usage. */
int etm_cli_help_missing(void);

int etm_cli_info(const struct etm_cli_options *options,
                 struct etm_cli_output *output);
int etm_cli_packets(const struct etm_cli_options *options,
                    struct etm_cli_output *output);
int etm_cli_decode(const struct etm_cli_options *options,
                   struct etm_cli_output *output);
int etm_cli_port_text(const struct etm_cli_options *options,
                      struct etm_cli_output *output);

int etm_cli_index(const struct etm_cli_options *options,
                  struct etm_cli_output *output);
int etm_cli_split(const struct etm_cli_options *options,
                  struct etm_cli_output *output);
int etm_cli_top(const struct etm_cli_options *options,
                struct etm_cli_output *output);
int etm_cli_gdb(const struct etm_cli_options *options,
                struct etm_cli_output *output);

/* The address that is given as a number, or that of the variable of this name
 * in one of the programs, and its size in bytes: 0 if that is not known; `size`
 * may be NULL. */
bool etm_cli_variable(const struct etm_session *session, const char *name,
                      uint32_t *address, uint32_t *size);
/* Has some program the variable that --task-variable names, or is there none?
 * An exit status; the message is printed. */
int etm_cli_variable_check(const struct etm_cli_options *options,
                           const struct etm_session *session);

/* A whole command, from its name on. An exit status. */
int etm_cli_diff(int argc, char **argv);
int etm_cli_merge(int argc, char **argv);
int etm_cli_configure(int argc, char **argv);
int etm_cli_explain(int argc, char **argv);
int etm_cli_record(int argc, char **argv);

/* "etm: ..." on standard error, one line. */
#if defined(__GNUC__)
#define ETM_CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define ETM_CLI_PRINTF(text, first)
#endif
void etm_cli_error(const char *format, ...) ETM_CLI_PRINTF(1, 2);
/* Its beginning, where the line is written in parts. */
void etm_cli_error_begin(void);
/* Print why a function returned this status; *diag may be empty. */
void etm_cli_diag(int status, const struct etm_diag *diag);

/* A number up to `most` at *text: decimal, also with zeros in front, or
 * hexadecimal after 0x. Moves *text after it. False: there is none, or it is
 * larger. All whole numbers of the command line are read here. */
bool etm_cli_take_number(const char **text, uint64_t most, uint64_t *value);

/* A text that is a number as etm_cli_take_number() reads it, and no more. */
bool etm_cli_number(const char *text, uint64_t most, uint64_t *value);

/* A number with K, M or G after it (of 1024); false if it is none. */
bool etm_cli_bytes(const char *text, uint64_t *value);

/* A word of the command line for a message: an empty one is made visible. */
static inline const char *etm_cli_word(const char *word)
{
    return *word != '\0' ? word : "\"\"";
}

/* The ending of "byte" and other nouns for n of them. */
static inline const char *etm_cli_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Bytes of a regular file; 0 for others. */
uint64_t etm_cli_file_size(int fd);

/* Is this output, or NULL, a regular file that is also an input, or NULL?
 * Writing it would destroy the input. The second function prints the
 * message. */
bool etm_cli_is_input(const char *path, const char *input);
bool etm_cli_would_replace(const char *path, const char *input,
                           const char *what);

/* With a session none of whose files it may be. An exit status; the message is
 * printed. */
int etm_cli_output_open(struct etm_cli_output *output, const char *path,
                        const struct etm_session *session);
int etm_cli_output_close(struct etm_cli_output *output);

/* What --color says, of the whole command. */
void etm_cli_colour_choose(enum etm_cli_colour colour);
bool etm_cli_colours(const struct etm_cli_output *output);
bool etm_cli_error_colours(void);

/* Show the output in the pager of the user, if there is one; messages go there,
 * too, as they do with git. */
void etm_cli_pager_start(struct etm_cli_output *output);
bool etm_cli_pager_runs(void);
/* Wait until the user has left it. */
void etm_cli_pager_end(void);

/* Flush standard output of stdio; a reader that has gone away is no error.
 * False with the message printed. */
bool etm_cli_stdout_flush(void);

/* An etm_write_fn; `context` is a struct etm_cli_output. */
int etm_cli_write(void *context, const char *text, size_t n);
void etm_cli_print(struct etm_cli_output *output, const char *format, ...)
    ETM_CLI_PRINTF(2, 3);
/* Print n characters as they are. */
void etm_cli_put(struct etm_cli_output *output, const char *text, size_t n);
/* Text from a file: control characters and line ends are replaced by '?'. */
void etm_cli_put_plain(struct etm_cli_output *output, const char *text,
                       size_t n);
/* A name of a symbol or a file as it is shown (etm_name_shown()). */
void etm_cli_put_name(struct etm_cli_output *output, const char *name);
/* A name of a symbol or a file as a JSON string, whatever has to be escaped in
 * it. Returns `json`. */
#define ETM_CLI_JSON (6 * ETM_NAME_SHOWN + 16)
const char *etm_cli_json_name(const char *name, char json[ETM_CLI_JSON]);
/* A sentence, in lines of 80 columns. */
void etm_cli_put_sentence(struct etm_cli_output *output, const char *text);
/* Write what was printed. ETM_OK or ETM_ERR_STOPPED. */
int etm_cli_flush(struct etm_cli_output *output);

/* Where on the terminal a listing scrolls, there is no bar; `output` is NULL if
 * the output comes at the end, or not on the terminal. */
void etm_cli_progress_start(struct etm_cli_progress *progress,
                            const struct etm_cli_output *output, size_t parts);
void etm_cli_progress_show(struct etm_cli_progress *progress, uint64_t done,
                           uint64_t total);
/* Without a known total: "1234 instructions". */
void etm_cli_progress_count(struct etm_cli_progress *progress, uint64_t done,
                            const char *what);
void etm_cli_progress_stop(struct etm_cli_progress *progress);

/*
 * Open the capture, choose the requested sources, and open the output: a file
 * is not touched if there is nothing to write. Without --source: all, or if
 * `decodable`, all that can be decoded; skipped ones are reported. An exit
 * status; the message is printed.
 */
int etm_cli_open(struct etm_cli_capture *capture,
                 const struct etm_cli_options *options,
                 struct etm_cli_output *output, bool decodable);
void etm_cli_close(struct etm_cli_capture *capture);

/* From now on the first Ctrl-C is the end of standard input. */
void etm_cli_interrupt_ends_input(void);

/* From now on the first Ctrl-C makes this not 0, which ends a connection. */
const volatile int *etm_cli_interrupt_ends_connection(void);

/* From now on the first Ctrl-C is reported by etm_cli_interrupted(). */
void etm_cli_interrupt_watch(void);
bool etm_cli_interrupted(void);

/* From now on Ctrl-C and SIGTERM end the command behind a whole line of its
 * output, and when the pager has ended. */
void etm_cli_interrupt_at_lines(void);
/* Is the output within a line? Outside of one, a signal that came within ends
 * the command. */
void etm_cli_interrupt_line(bool within);
/* Has a signal come within the line? */
bool etm_cli_interrupt_pending(void);

/* From now on, if a part of a mapped file is gone, the command ends with a
 * message; the system would end it without one. */
void etm_cli_watch_files(void);

/* The exit status for the status of a run; prints the message if there is
 * one. */
int etm_cli_status(int status, const struct etm_diag *diag,
                   const struct etm_cli_output *output);

/* What a file is called in messages: "standard input" for "-". */
const char *etm_cli_path(const char *path);

/* Did a run end early, because a file could not be read further? */
bool etm_cli_is_unread(int status);

/* The exit status for a run of one source of several. If only its file could
 * not be read to the end, the others are not affected, and output->unread makes
 * the command fail after them. What several have in common is reported once. */
int etm_cli_source_status(int status, const struct etm_diag *diag,
                          struct etm_cli_output *output);

/* "PTM_0 (0x13): PFT 1.1, Cortex-A15 cpu_3" */
void etm_cli_title(const struct etm_source_info *info, char *text,
                   size_t capacity);

/* `status`, or that names are missing, with *diag. */
int etm_cli_names_status(const struct etm_session_names *names, int status,
                         struct etm_diag *diag);

#endif
