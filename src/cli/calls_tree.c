/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/calls_tree.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *find(const struct etm_cli_tree *t, uint32_t parent,
                      uint32_t subject)
{
    uint64_t hash =
        ((uint64_t)parent << 32 | subject) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(hash >> 32) & (t->n_index - 1);

    while (t->index[i] != 0 && (t->nodes[t->index[i]].parent != parent ||
                                t->nodes[t->index[i]].subject != subject))
        i = (i + 1) & (t->n_index - 1);
    return &t->index[i];
}

static bool grow(struct etm_cli_tree *t)
{
    size_t room = t->room != 0 ? 2 * t->room : 256;
    struct etm_cli_node *nodes = realloc(t->nodes, room * sizeof *nodes);
    uint32_t *index = calloc(2 * room, sizeof *index);

    if (nodes)
        t->nodes = nodes;
    if (!nodes || !index) {
        free(index);
        return false;
    }
    free(t->index);
    t->index = index;
    t->n_index = 2 * room;
    t->room = room;
    if (t->n == 0)
        t->nodes[t->n++] = (struct etm_cli_node){0};
    for (size_t i = 1; i < t->n; i++)
        *find(t, nodes[i].parent, nodes[i].subject) = (uint32_t)i;
    return true;
}

/* Node 0: out of memory. */
static uint32_t child_of(struct etm_cli_tree *t, uint32_t parent,
                         uint32_t subject)
{
    struct etm_cli_node *above;
    uint32_t *at;

    if (t->n == t->room && !grow(t))
        return 0;
    at = find(t, parent, subject);
    if (*at != 0)
        return *at;
    *at = (uint32_t)t->n++;
    t->nodes[*at] = (struct etm_cli_node){.parent = parent, .subject = subject};
    above = &t->nodes[parent];
    if (above->child == 0)
        above->child = *at;
    else
        t->nodes[above->last].next = *at;
    above->last = *at;
    return *at;
}

int etm_cli_tree_take(struct etm_cli_tree *t,
                      const struct etm_cli_replay *replay,
                      const struct etm_call *call)
{
    uint32_t *now = &t->now[call->task];
    struct etm_cli_node *node;
    size_t subject;

    if (call->kind == ETM_CALL_ENTER) {
        subject = etm_cli_subject_of(&t->subjects, replay, call);
        if (subject == SIZE_MAX)
            return ETM_ERR_MEMORY;
        *now = child_of(t, *now, (uint32_t)subject);
        if (*now == 0)
            return ETM_ERR_MEMORY;
        t->nodes[*now].calls++;
        return ETM_OK;
    }
    node = &t->nodes[*now];
    node->self.instructions += call->self.instructions;
    node->self.cycles += call->self.cycles;
    *now = node->parent;
    return ETM_OK;
}

void etm_cli_tree_sum(struct etm_cli_tree *t)
{
    /* a node comes behind the one above it */
    for (size_t i = 0; i < t->n; i++)
        t->nodes[i].total = t->nodes[i].self;
    for (size_t i = t->n; i-- > 1;) {
        struct etm_cli_node *above = &t->nodes[t->nodes[i].parent];

        above->total.instructions += t->nodes[i].total.instructions;
        above->total.cycles += t->nodes[i].total.cycles;
    }
}

static const struct etm_cli_node *at(const struct etm_cli_tree *t, uint32_t i)
{
    return i != 0 ? &t->nodes[i] : NULL;
}

const struct etm_cli_node *etm_cli_tree_first(const struct etm_cli_tree *t)
{
    return t->n != 0 ? at(t, t->nodes[0].child) : NULL;
}

const struct etm_cli_node *etm_cli_tree_next(const struct etm_cli_tree *t,
                                             const struct etm_cli_node *node)
{
    if (node->child != 0)
        return &t->nodes[node->child];
    while (node->next == 0) {
        if (node->parent == 0)
            return NULL;
        node = &t->nodes[node->parent];
    }
    return &t->nodes[node->next];
}

const struct etm_cli_node *etm_cli_tree_parent(const struct etm_cli_tree *t,
                                               const struct etm_cli_node *node)
{
    return at(t, node->parent);
}

unsigned etm_cli_tree_depth(const struct etm_cli_tree *t,
                            const struct etm_cli_node *node)
{
    unsigned depth = 0;

    while ((node = etm_cli_tree_parent(t, node)) != NULL)
        depth++;
    return depth;
}

void etm_cli_tree_free(struct etm_cli_tree *t)
{
    etm_cli_subjects_free(&t->subjects);
    free(t->nodes);
    free(t->index);
    *t = (struct etm_cli_tree){0};
}
