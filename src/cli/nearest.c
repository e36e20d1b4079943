/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the name that a word of the command line is closest to. */
#include "cli/args.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Longer words are not compared: no name is as long. */
#define LONGEST 31u

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* How many characters have to be inserted, removed or exchanged with their
 * neighbour, or, which counts twice, replaced (optimal string alignment); case
 * does not count. */
static unsigned distance(const char *a, const char *b)
{
    unsigned rows[3][LONGEST + 1]; /* by the length of the beginning of a */
    size_t n = strlen(a), m = strlen(b);

    for (size_t j = 0; j <= m; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3];
        const unsigned *two_above = rows[(i + 1) % 3];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            int x = tolower((unsigned char)a[i - 1]);
            int y = tolower((unsigned char)b[j - 1]);

            row[j] = least(least(above[j], row[j - 1]) + 1,
                           above[j - 1] + (x != y ? 2 : 0));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2]) &&
                y == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void etm_cli_nearest_try(struct etm_cli_nearest *nearest, const char *name)
{
    size_t dashes = strspn(name, "-"), n = strlen(nearest->word);
    unsigned d;

    if (n > LONGEST || strlen(name) > LONGEST ||
        strncmp(nearest->word, name, dashes) != 0)
        return;
    n -= dashes;
    d = distance(nearest->word + dashes, name + dashes);
    /* a word may be the beginning of a name: --itm for --itm-text */
    if (n >= 3 && d > 1 && strncmp(nearest->word, name, n + dashes) == 0)
        d = 1;
    if (3 * (size_t)d > n || (nearest->name && d >= nearest->distance))
        return;
    nearest->distance = d;
    nearest->name = name;
}

const char *etm_cli_nearest_text(struct etm_cli_nearest *nearest)
{
    nearest->text[0] = '\0';
    if (nearest->name)
        (void)snprintf(nearest->text, sizeof nearest->text,
                       "; did you mean '%s'?", nearest->name);
    return nearest->text;
}

const struct etm_core *etm_cli_core(const char *name)
{
    struct etm_cli_nearest nearest = {.word = name};
    const struct etm_core *core;

    if (etm_core_find(name, &core) == ETM_OK)
        return core;
    for (size_t i = 0; (core = etm_cores(i)) != NULL; i++)
        etm_cli_nearest_try(&nearest, core->name);
    etm_cli_error(
        "--core %s: no such core ('etm configure --core list' shows them)%s",
        etm_cli_word(name), etm_cli_nearest_text(&nearest));
    return NULL;
}
