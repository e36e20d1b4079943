/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the server, and what its files give one another. */
#ifndef ETM_GDB_SERVER_H
#define ETM_GDB_SERVER_H

#include "gdb/document.h"
#include "gdb/frames.h"
#include "gdb/gdb.h"
#include "gdb/packet.h"
#include "gdb/track.h"
#include "gdb/walk.h"

/*
 * The number of R0 for GDB, and after it of R1: behind all others, so that `g`,
 * which gives the first ones, need not give them, and GDB asks for each alone.
 */
#define ETM_GDB_R0_NUMBER 26u

/* Files that GDB may have open at a time. */
#define ETM_GDB_FILES 16u

/* A source: a processor. */
struct etm_gdb_core {
    const struct etm_source_info *info;
    struct etm_gdb_history history;
    struct etm_gdb_stacks stacks;
    struct etm_gdb_track track;
    struct etm_gdb_code code;
    const struct etm_gdb_program *program;
    struct etm_gdb_never never;
    struct etm_gdb_place place;
    bool empty;   /* no instruction is in its trace */
    bool follows; /* another core has moved: go to this time, when needed */
    uint64_t time;
};

/* A task of a core, and what makes it the same one at another place. */
enum etm_gdb_ident { ETM_GDB_BY_CONTEXT, ETM_GDB_BY_VALUE, ETM_GDB_BY_NUMBER };

struct etm_gdb_thread {
    size_t core;
    enum etm_gdb_ident ident;
    uint32_t value;
};

struct etm_gdb_server {
    const struct etm_gdb_config *config;
    struct etm_gdb_program *program;
    struct etm_gdb_core *cores;
    size_t n_cores, core;       /* the one that moves */
    struct etm_vec threads;     /* struct etm_gdb_thread: those ever seen; its
                                   number in the protocol is the index plus 1 */
    uint32_t thread;            /* whose registers are asked for; its number */
    uint32_t told;              /* the one that the client believes to run */
    struct etm_vec breakpoints; /* uint32_t */
    struct etm_vec watches;     /* struct etm_gdb_watch */
    bool stops_at_gaps;
    bool returned; /* to a breakpoint, from a function: GDB may be about to
                      print what that returned in R0 and R1, and would take
                      what is unavailable for 0; an error prevents it, once */
    bool arriving; /* a command has led here, of which the client knows nothing
                      yet: its next step is to this place */

    uint32_t to_handler,
        to_thread; /* EXC_RETURN that the user has told, or 0 */
    bool hinted;   /* at what telling it is good for */
    bool
        cut; /* at the last stop GDB could not find the caller for want of it */

    struct etm_gdb_frames frames; /* of a thread: */
    uint32_t frames_of;           /* this one; 0: of none */

    struct etm_gdb_document libraries; /* once they were asked for */
    bool program_told; /* GDB has asked which program runs: it has none */
    int files[ETM_GDB_FILES]; /* that are open: descriptor + 1, or 0 */

    bool records;                     /* branches are asked for, */
    uint64_t record_size;             /* in a buffer of so many bytes */
    struct etm_gdb_document branches; /* that are being read */

    bool no_ack, leaving, interrupted, closed;
    struct etm_gdb_input input;
    struct etm_gdb_document list; /* what else is being read */
    struct etm_gdb_reply reply, said;
    char stop[128]; /* the last stop reply */
    char framed[ETM_GDB_FRAMED_MOST];
};

/* A packet's function fills the reply, which is empty: left like that, it says
 * that the packet is not known. */
typedef void etm_gdb_packet_fn(struct etm_gdb_server *server,
                               struct etm_gdb_text *text);

/* client.c */
void etm_gdb_send(struct etm_gdb_server *server, const char *text, size_t n);
void etm_gdb_send_reply(struct etm_gdb_server *server,
                        const struct etm_gdb_reply *reply);
/* Wait for characters, and answer each packet; NULL: drop it, because another
 * one is being answered. False: the client has gone. */
typedef void etm_gdb_answer_fn(struct etm_gdb_server *server);
bool etm_gdb_receive(struct etm_gdb_server *server, etm_gdb_answer_fn *answer);
/* A text for the user, at once. */
void etm_gdb_say(struct etm_gdb_server *server, const char *text);
/* Has the client sent Ctrl-C? */
bool etm_gdb_poll_interrupt(void *server);

/* query.c */
etm_gdb_packet_fn etm_gdb_query, etm_gdb_set;

/* inspect.c */
etm_gdb_packet_fn etm_gdb_read_registers, etm_gdb_read_register,
    etm_gdb_read_memory;

/* Memory that never changes; `core` is a struct etm_gdb_core. */
size_t etm_gdb_read_constants(void *core, uint32_t address, uint8_t *bytes,
                              size_t size);

/* resume.c */
etm_gdb_packet_fn etm_gdb_continue, etm_gdb_back, etm_gdb_insert,
    etm_gdb_remove, etm_gdb_tell_stop;

/* monitor.c: a command line. */
void etm_gdb_monitor(struct etm_gdb_server *server, char *line);

/* libraries.c */
/* A session's mappings. */
void etm_gdb_list_libraries(const struct etm_session *session,
                            struct etm_gdb_document *document);
/* The program that all traced processes run; NULL: not known, or several. GDB
 * has it as its program, not as a library. */
const struct etm_mapping *
etm_gdb_main_program(const struct etm_session *session);
etm_gdb_packet_fn etm_gdb_put_offsets; /* qOffsets: where it was loaded */
etm_gdb_packet_fn etm_gdb_file;        /* vFile */
void etm_gdb_close_files(struct etm_gdb_server *server);

/* callers.c */
/* The callers where the core is that moves. */
void etm_gdb_say_callers(struct etm_gdb_server *server);
/* EXC_RETURN as the user says that it is. */
void etm_gdb_tell_links(struct etm_gdb_server *server, const char *text);
/* GDB finds no caller for want of it: say once what can be done. */
void etm_gdb_hint_links(struct etm_gdb_server *server);

/* threads.c */
/* The task that runs on a core. 0: it has none, or out of memory. */
uint32_t etm_gdb_thread_running(struct etm_gdb_server *server, size_t core);
/* The threads that there are now: their numbers are appended. ETM_OK or
 * ETM_ERR_MEMORY. */
int etm_gdb_threads_now(struct etm_gdb_server *server, struct etm_vec *numbers);
/* A thread by its number; NULL: there is no such. */
const struct etm_gdb_thread *
etm_gdb_thread_of(const struct etm_gdb_server *server, int64_t number);
/* What it is called. */
void etm_gdb_thread_name(struct etm_gdb_server *server, uint32_t number,
                         char *text, size_t capacity);
/* Make the registers and stack of a thread those of server->frames. False: it
 * is not there now, or the trace cannot be read. */
bool etm_gdb_thread_frames(struct etm_gdb_server *server, uint32_t number);

/* The instruction at which a core is; NULL: the trace cannot be read. */
const struct etm_gdb_insn *etm_gdb_insn_at(struct etm_gdb_core *core);

/* The core that moves has: the others follow it by time, if there are times,
 * and nothing that was worked out is valid. */
void etm_gdb_moved(struct etm_gdb_server *server);
/* Go where another core has led. */
void etm_gdb_follow(struct etm_gdb_core *core);

#endif
