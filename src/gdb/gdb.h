/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GDB's remote protocol over a recorded trace: a debugger goes through it in
 * both directions. doc/gdb.md says what it sees.
 *
 *   packet.c    the packets of the protocol
 *   serve.c     which packet is answered by whom; client.c: reading, writing
 *   query.c     what the server can do, and the description of the target
 *   inspect.c   registers and memory
 *   resume.c    going on and stopping
 *   monitor.c   commands of its own; report.c: lists
 *   threads.c   sources and tasks
 *   libraries.c  mappings of a traced process
 *   callers.c   callers that GDB does not find
 *   frames.c    registers and stack, by the callers of a function
 *   track.c     registers at a place; values.c: as instructions and data tell
 *               them; operate*.c: what instructions do; memory.c: variables
 *   exceptions.c  what LR holds in handlers of the M profile
 *   shape.c     what functions have saved where; program.c: as ELF files say
 *   stack.c     the callers at a place
 *   walk.c      going through a history; goto.c: finding a place in it
 *   branches.c  the history for GDB's own branch recording
 *   history.c   the instructions of a source
 *
 * Only the `etm` command has this room.
 */
#ifndef ETM_GDB_GDB_H
#define ETM_GDB_GDB_H

#include <etm/session.h>

struct etm_gdb_config {
    const struct etm_session *session;
    const size_t *sources; /* of the session; those that can be decoded */
    size_t n_sources;      /* at least 1 */
    unsigned jobs;         /* threads that decode */
    const uint32_t *task_variable; /* its address; or NULL */
    int in, out;                   /* the client; they stay open */
};

/*
 * Serve one client until it leaves. ETM_OK; ETM_ERR_NOT_FOUND: no instruction
 * is in the trace; ETM_ERR_MEMORY; errors of etm_session_run_source() at the
 * beginning. Later ones are told to the client.
 */
int etm_gdb_serve(const struct etm_gdb_config *config);

#endif
