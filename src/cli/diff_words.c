/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of etm diff is two, of which each has one capture. */
#include "cli/diff.h"

#include "cli/args.h"
#include "cli/view.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX 4u /* "--a-" */

/* Is it an option of a capture, which may be given for one side? */
static bool is_of_capture(const char *name)
{
    static const char *const both[] = {
        "--color",    "--colour", "--no-color", "--no-colour",
        "--no-pager", "--help",   "--version"};

    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        if (strcmp(name, both[i]) == 0)
            return false;
    return name[1] == '-' && etm_cli_option_of_all(name);
}

/* All options, and those of captures again for each side. The names of these
 * are in one allocation, which the first one begins. */
static struct etm_cli_option *make_options(size_t *n, char **names)
{
    size_t n_rows, room = 0;
    const struct etm_cli_option *rows = etm_cli_capture_options(&n_rows);
    struct etm_cli_option *all = malloc(3 * n_rows * sizeof *all);
    char *at;

    for (size_t i = 0; i < n_rows; i++)
        room += 2 * (strlen(rows[i].name) + PREFIX);
    at = *names = malloc(room);
    *n = n_rows;
    if (!all || !at) {
        free(all);
        return NULL;
    }
    memcpy(all, rows, n_rows * sizeof *all);
    for (size_t i = 0; i < n_rows; i++)
        for (char side = 'a'; side <= 'b' && is_of_capture(rows[i].name);
             side++) {
            all[*n] = rows[i];
            all[(*n)++].name = at;
            *at++ = '-';
            *at++ = '-';
            *at++ = side;
            memcpy(at, rows[i].name + 1, strlen(rows[i].name));
            at += strlen(rows[i].name);
        }
    for (size_t i = 0; i < *n; i++)
        all[i].id = (int)i;
    return all;
}

static void add(struct etm_cli_diff_words *w, unsigned side, char *word)
{
    w->argv[side][w->argc[side]++] = word;
}

/* An option for the sides in question, as it was or without the prefix. */
static void add_option(struct etm_cli_diff_words *w,
                       const struct etm_cli_args *args,
                       const struct etm_cli_option *options, size_t n_common)
{
    const char *name = args->name;
    int value = options[args->id].value;
    bool common = (size_t)args->id < n_common;

    for (unsigned side = 0; side < 2; side++) {
        char *word = (char *)(uintptr_t)name;

        if (!common && name[2] != "ab"[side])
            continue;
        if (!common) /* the name in the table of all */
            for (size_t i = 0; i < n_common; i++)
                if (strcmp(options[i].name + 2, name + PREFIX) == 0 &&
                    options[i].name[1] == '-')
                    word = (char *)(uintptr_t)options[i].name;
        if (value == ETM_CLI_PERHAPS && args->value)
            word = args->argv[args->at - 1]; /* with its value */
        add(w, side, word);
        if (value == 1)
            add(w, side, args->value);
    }
}

int etm_cli_diff_words(struct etm_cli_diff_words *w, int argc, char **argv)
{
    static char etm[] = "etm", diff[] = "diff", end[] = "--";
    size_t n = 0, n_common, captures = 0;
    char *names = NULL, *paths[2] = {NULL, NULL};
    struct etm_cli_option *options = make_options(&n, &names);
    struct etm_cli_args args = etm_cli_args_of("diff", options, n, argc, argv);

    *w = (struct etm_cli_diff_words){0};
    (void)etm_cli_capture_options(&n_common);
    for (unsigned side = 0; side < 2; side++) {
        /* a word of the user may become two */
        w->argv[side] = calloc(2 * (size_t)argc + 5, sizeof *w->argv[side]);
        if (w->argv[side]) {
            add(w, side, etm);
            add(w, side, diff);
        }
    }
    if (!options || !w->argv[0] || !w->argv[1]) {
        etm_cli_error("out of memory");
        args.status = ETM_EXIT_UNREADABLE;
    }
    while (args.status < 0 && etm_cli_args_next(&args)) {
        if (args.id != ETM_CLI_OPERAND)
            add_option(w, &args, options, n_common);
        else if (captures < 2)
            paths[captures++] = args.value;
        else
            args.status = etm_cli_usage("diff", "%s: only two captures",
                                        etm_cli_word(args.value));
    }
    for (unsigned side = 0; side < 2 && args.status < 0; side++)
        if (paths[side]) {
            add(w, side, end);
            add(w, side, paths[side]);
        }
    free(names);
    free(options);
    return args.status;
}

void etm_cli_diff_words_free(struct etm_cli_diff_words *w)
{
    free(w->argv[0]);
    free(w->argv[1]);
}
