/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of one trace source, in any order.
 *
 * The capture is cut into stretches of as many bytes. A stretch is decoded when
 * somebody goes there, as a part that adjoins the ones beside it
 * (ETM_START_JOIN): all stretches together have the elements of the whole. So
 * nothing has to be read when a capture is opened, and memory is that of a few
 * stretches. What lies far away is looked through by counts, many stretches at
 * a time and on several threads.
 */
#ifndef ETM_GDB_HISTORY_H
#define ETM_GDB_HISTORY_H

#include "base/vec.h"

#include <etm/session.h>

#define ETM_GDB_STRETCH_BYTES (UINT64_C(64) << 10)

/* One executed instruction. */
struct etm_gdb_insn {
    uint64_t offset; /* of its element */
    uint32_t address;
    uint32_t opcode;
    uint32_t cycles;                      /* UINT32_MAX: not known */
    uint8_t isa, type, exec, flags, size; /* as of an `insn` element */
};

/* What happened between two instructions. */
struct etm_gdb_event {
    struct etm_element element;
    uint32_t before; /* this instruction of the stretch; their number: the first
                        one behind it */
};

struct etm_gdb_stretch {
    uint64_t number;
    uint64_t used;         /* when it was, by a counter; 0: it holds nothing */
    struct etm_vec insns;  /* struct etm_gdb_insn */
    struct etm_vec events; /* struct etm_gdb_event */
};

#define ETM_GDB_STRETCHES_KEPT 4u

struct etm_gdb_history {
    const struct etm_session *session;
    size_t source;
    unsigned jobs;
    uint64_t bytes;       /* of the buffers of the source */
    uint64_t n_stretches; /* at least 1 */
    uint64_t uses;
    bool has_points;       /* they were looked for (gdb/goto.h): */
    struct etm_vec points; /* struct etm_point; the first of each stretch */
    struct etm_gdb_stretch kept[ETM_GDB_STRETCHES_KEPT];
};

/* Before an instruction is executed: it is the current one. */
struct etm_gdb_place {
    uint64_t stretch;
    uint32_t insn; /* of those of the stretch */
};

void etm_gdb_history_init(struct etm_gdb_history *history,
                          const struct etm_session *session, size_t source,
                          unsigned jobs);
void etm_gdb_history_fini(struct etm_gdb_history *history);

/* Decode a stretch, or find it decoded. It stays valid until
 * ETM_GDB_STRETCHES_KEPT - 1 others were asked for. Errors as for
 * etm_session_run_source(); *stretch is NULL then. */
int etm_gdb_history_stretch(struct etm_gdb_history *history, uint64_t number,
                            const struct etm_gdb_stretch **stretch);

static inline const struct etm_gdb_insn *
etm_gdb_insns(const struct etm_gdb_stretch *stretch)
{
    return stretch->insns.data;
}

static inline const struct etm_gdb_event *
etm_gdb_events(const struct etm_gdb_stretch *stretch)
{
    return stretch->events.data;
}

/* An instruction as an element. */
struct etm_element etm_gdb_element_of(const struct etm_gdb_insn *insn);

/* The number of its events before those that come before instruction `insn`. */
size_t etm_gdb_events_before(const struct etm_gdb_stretch *stretch,
                             uint32_t insn);

/* The elements of some stretches, for those that need no single instructions:
 * `run` has the level and the functions. Errors as for
 * etm_session_run_source(). */
int etm_gdb_history_run(const struct etm_gdb_history *history, uint64_t first,
                        uint64_t n, struct etm_session_run run);

/* What to look for. */
enum etm_gdb_access { ETM_GDB_WRITES = 1u << 0, ETM_GDB_READS = 1u << 1 };

struct etm_gdb_watch {
    uint32_t address, size;
    unsigned accesses; /* enum etm_gdb_access */
};

struct etm_gdb_wanted {
    const uint32_t *addresses; /* instructions */
    size_t n_addresses;
    const struct etm_gdb_watch *watches;
    size_t n_watches;
    uint32_t kinds; /* of elements: ETM_GDB_KIND(), or ETM_GDB_GAPS */
    bool anything;  /* any instruction */
};

#define ETM_GDB_KIND(kind) (UINT32_C(1) << (kind))

/* Where trace is missing. */
#define ETM_GDB_GAPS                                                           \
    (ETM_GDB_KIND(ETM_ELEMENT_TRACE_ON) | ETM_GDB_KIND(ETM_ELEMENT_LOST) |     \
     ETM_GDB_KIND(ETM_ELEMENT_NO_IMAGE))

static inline bool etm_gdb_is_kind(const struct etm_element *element,
                                   uint32_t kinds)
{
    return (kinds >> element->kind & 1u) != 0;
}

bool etm_gdb_is_wanted(const struct etm_gdb_wanted *wanted, uint32_t address);

/* The first watchpoint that an element is an access of; NULL: none. */
const struct etm_gdb_watch *etm_gdb_watched(const struct etm_gdb_wanted *wanted,
                                            const struct etm_element *element);

/* Is any of it in these stretches? Errors as for etm_session_run_source(). */
int etm_gdb_history_has(const struct etm_gdb_history *history, uint64_t first,
                        uint64_t n, const struct etm_gdb_wanted *wanted,
                        bool *has);

#endif
