/* SPDX-License-Identifier: Apache-2.0 */
/* Calls added up by the functions that led to them: a tree. */
#ifndef ETM_CLI_CALLS_TREE_H
#define ETM_CLI_CALLS_TREE_H

#include "cli/subjects.h"

struct etm_cli_node {
    uint32_t parent; /* node 0 is above all tasks; its own parent is itself */
    uint32_t subject;
    uint32_t child, next; /* the first that was met, and the one after it; 0:
                             none */
    uint32_t last;        /* child */
    uint64_t calls;
    struct etm_call_cost self, total; /* total: by etm_cli_tree_sum() */
};

/* Zero-initialise it. */
struct etm_cli_tree {
    struct etm_cli_subjects subjects;
    struct etm_cli_node *nodes;
    size_t n, room;
    uint32_t *index; /* node, by a hash of parent and subject; or 0 */
    size_t n_index;
    uint32_t now[ETM_CALL_TASKS]; /* the topmost frame of each task; 0: none */
};

/* Count a call that is entered or left. ETM_OK or ETM_ERR_MEMORY. */
int etm_cli_tree_take(struct etm_cli_tree *tree,
                      const struct etm_cli_replay *replay,
                      const struct etm_call *call);

/* Add up what each node costs with all below it. */
void etm_cli_tree_sum(struct etm_cli_tree *tree);

/* All nodes, each before those below it; NULL after the last. */
const struct etm_cli_node *etm_cli_tree_first(const struct etm_cli_tree *tree);
const struct etm_cli_node *etm_cli_tree_next(const struct etm_cli_tree *tree,
                                             const struct etm_cli_node *node);

/* Nodes above it, and the one directly above it; NULL: none. */
unsigned etm_cli_tree_depth(const struct etm_cli_tree *tree,
                            const struct etm_cli_node *node);
const struct etm_cli_node *etm_cli_tree_parent(const struct etm_cli_tree *tree,
                                               const struct etm_cli_node *node);

static inline const char *etm_cli_tree_name(const struct etm_cli_tree *tree,
                                            const struct etm_cli_node *node)
{
    return tree->subjects.rows[node->subject].name;
}

void etm_cli_tree_free(struct etm_cli_tree *tree);

#endif
