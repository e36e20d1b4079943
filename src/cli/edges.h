/* SPDX-License-Identifier: Apache-2.0 */
/* Who called whom: `etm profile --callers`, `--callees`. */
#ifndef ETM_CLI_EDGES_H
#define ETM_CLI_EDGES_H

#include "cli/subjects.h"

struct etm_cli_edge {
    uint32_t from, to; /* numbers of subjects; UINT32_MAX: no caller */
    uint64_t calls;
    struct etm_call_cost total;
    const char *caller, *callee; /* once they are ordered */
};

struct etm_cli_callers {
    uint32_t *rows; /* of the frames of a task, from the bottom */
    size_t n, room;
};

/* Zero-initialise it. */
struct etm_cli_edges {
    struct etm_cli_edge *rows;
    size_t n, room;
    uint32_t *index; /* row + 1, by a hash of both; or 0 */
    size_t n_index;
    struct etm_cli_callers tasks[ETM_CALL_TASKS];
};

/* Count a call, after etm_cli_subjects_count(). ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_edges_count(struct etm_cli_edges *edges,
                        struct etm_cli_subjects *subjects,
                        const struct etm_cli_replay *replay,
                        const struct etm_call *call);

/* Order them by cost, and note the names of the subjects, before these are
 * ordered. */
void etm_cli_edges_order(struct etm_cli_edges *edges,
                         const struct etm_cli_subjects *subjects, bool cycles);

/* NULL after the last. */
const struct etm_cli_edge *etm_cli_edges_at(const struct etm_cli_edges *edges,
                                            size_t index);

/* profile.c: an object of JSON for a function or exception, and for an edge
 * (doc/elements.md). */
void etm_cli_subject_json(struct etm_cli_replay *replay,
                          const struct etm_cli_subject *subject);
void etm_cli_edge_json(struct etm_cli_replay *replay,
                       const struct etm_cli_edge *edge);

void etm_cli_edges_free(struct etm_cli_edges *edges);

#endif
