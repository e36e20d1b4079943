/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of `etm record`. */
#ifndef ETM_CLI_RECORD_H
#define ETM_CLI_RECORD_H

#include "cli/cli.h"
#include "emulate/emulate.h"

#include <etm/macrocell.h>
#include <etm/model.h>
#include <etm/setup.h>
#include <etm/write.h>
#include <stdio.h>

/* The command line. */
struct etm_cli_record_options {
    const char *program, *directory;
    const char *core, *version, *setup;
    const char *execution, *tarmac, *log;
    const char *cpu; /* of the Tarmac log */
    uint64_t period; /* units of time a cycle, in it */
    struct etm_emulator_region *regions;
    size_t n_regions;
    struct etm_interrupt *interrupts;
    size_t n_interrupts;
    uint64_t limit;  /* instructions; UINT64_MAX: none */
    bool limit_told; /* else it is the usual one */
    bool has_framing;
    enum etm_framing framing;
    bool has_id;
    uint8_t trace_id;
    uint64_t fifo; /* bytes; UINT64_MAX: without an end; 0: the core's */
    struct etm_register *registers; /* --reg */
    size_t n_registers;
    const char *asks; /* the last option that gave one of its fields, or NULL */
    struct etm_request request;
};

/* As etm_cli_parse(). */
int etm_cli_record_parse(struct etm_cli_record_options *options, int argc,
                         char **argv);
void etm_cli_record_options_free(struct etm_cli_record_options *options);

/* The default limit of a program: a bare-metal one seldom ends. */
#define ETM_CLI_USUAL_LIMIT UINT64_C(10000000)

/* The default processors: of any, and of the M profile. */
#define ETM_CLI_USUAL_CORE "cortex-a9"
#define ETM_CLI_USUAL_M_CORE "cortex-m3"

/* The one that a program was built for, if its ELF file says so. *m_profile: it
 * does not, and looks like a program of the M profile. */
const char *etm_cli_record_core(const char *program, bool *m_profile);

/* Code that is only known because it ran: pages of bytes, by address. */
struct etm_cli_code {
    struct etm_cli_area *of[256]; /* by bits [31:24]; NULL: none */
    size_t n;                     /* pages */
    bool changed;                 /* not all of it was the same each time */
    uint32_t changed_at; /* the first instruction that differs from an earlier
                            one */
};

/* Remember an instruction, replacing what was there. False: no memory. */
bool etm_cli_code_add(struct etm_cli_code *code, const struct etm_event *insn);

/* Make it the memory of a core. A status of <etm/types.h>. */
int etm_cli_code_write(const struct etm_cli_code *code,
                       struct etm_snapshot_writer *writer, size_t core,
                       struct etm_diag *diag);
void etm_cli_code_free(struct etm_cli_code *code);

/* A recording. */
struct etm_cli_record {
    const struct etm_cli_record_options *options;
    const struct etm_core *core;
    bool looks_m;             /* nothing says that it is that one, and ... */
    struct etm_config config; /* of the trace */
    struct etm_macrocell *macrocell;
    struct etm_snapshot_writer *snapshot;
    struct etm_execution_writer *writer; /* of the log; NULL */
    FILE *log;
    struct etm_cli_code code;
    struct etm_setup setup;
    FILE *input; /* the log that is read; NULL: none */
    char *head;  /* its first bytes, which were looked at before; or NULL */
    size_t n_head;
    bool m_log; /* of an M-profile processor, if no --core says which */
    const struct etm_execution_reader *reader; /* of the execution, while it is
                                                  read; NULL: none */
    uint32_t last;                             /* address */
    uint64_t last_line; /* and line of the last instruction; 0: none */
    uint64_t n_event;   /* that the macrocell was given */
    uint64_t n_insn, n_cancelled, n_exception, n_data, n_cycle, n_byte;
    bool
        vector_moved; /* the last exception's is not where it was up to Armv5 */
    bool failed;      /* a message was printed */
    bool interrupted; /* Ctrl-C: the execution ends here */
    bool complete;    /* the snapshot is written; else it is removed */
    struct etm_cli_progress progress;
    uint64_t size, read; /* bytes of the execution; 0: not known */
    struct etm_diag diag;
};

/* Open the log that is read, and look which processor it is of if nothing says
 * so; an exit status, the message is printed. */
int etm_cli_record_open(struct etm_cli_record *record);

/* Report what is to be said of the log. False: it has no instruction. */
bool etm_cli_record_tell(const struct etm_cli_record *record,
                         const struct etm_execution_reader *reader);

/* Macrocell, snapshot and log; an exit status, the message is printed. */
int etm_cli_record_begin(struct etm_cli_record *record);

/* An etm_event_fn; `context` is a struct etm_cli_record. */
int etm_cli_record_events(void *context, const struct etm_event *events,
                          size_t n);

/* The end of the execution. */
int etm_cli_record_finish(struct etm_cli_record *record);
void etm_cli_record_free(struct etm_cli_record *record);

#endif
