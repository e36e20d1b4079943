/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/timeline.h"

#include <stdlib.h>
#include <string.h>

static uint32_t *find(const struct etm_cli_timeline *t, const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    size_t i;

    for (const char *at = name; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    i = hash & (t->n_index - 1);
    while (t->index[i] != 0 &&
           strcmp(t->names[t->index[i] - 1].text, name) != 0)
        i = (i + 1) & (t->n_index - 1);
    return &t->index[i];
}

static bool make_room(struct etm_cli_timeline *t)
{
    size_t n = t->n_index != 0 ? 2 * t->n_index : 256;
    struct etm_cli_drawn_name *names;
    uint32_t *index;

    if (2 * t->n_names < t->n_index)
        return true;
    names = realloc(t->names, n * sizeof *names);
    if (names)
        t->names = names;
    index = calloc(n, sizeof *index);
    if (!names || !index) {
        free(index);
        return false;
    }
    free(t->index);
    t->index = index;
    t->n_index = n;
    for (size_t i = 0; i < t->n_names; i++)
        *find(t, t->names[i].text) = (uint32_t)i + 1;
    return true;
}

uint32_t etm_cli_timeline_name(struct etm_cli_timeline *t, const char *name)
{
    size_t size = strlen(name) + 1;
    uint32_t *at;
    char *text;

    if (!make_room(t)) {
        t->failed = true;
        return 0;
    }
    at = find(t, name);
    if (*at != 0)
        return *at;
    text = malloc(size);
    if (!text) {
        t->failed = true;
        return 0;
    }
    memcpy(text, name, size);
    t->names[t->n_names] = (struct etm_cli_drawn_name){.text = text};
    *at = (uint32_t)++t->n_names;
    return *at;
}

void etm_cli_timeline_names_free(struct etm_cli_timeline *t)
{
    for (size_t i = 0; i < t->n_names; i++)
        free(t->names[i].text);
    free(t->names);
    free(t->index);
}
