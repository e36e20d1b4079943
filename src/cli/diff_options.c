/* SPDX-License-Identifier: Apache-2.0 */
/* The options of etm diff. */
#include "cli/args.h"
#include "cli/diff.h"

#include <string.h>

static int set_ignored(struct etm_cli_options *o, const char *value)
{
    static const char *const names[] = {
        "timestamps", "cycles", "context", "sync", "data", "exec", NULL};

    for (const char *at = value;; at++) {
        size_t n = strcspn(at, ",");
        char word[16] = "";
        int i;

        memcpy(word, at, n < sizeof word ? n : sizeof word - 1);
        i = etm_cli_choose(o->name, "--ignore", word, names);
        if (i < 0)
            return ETM_EXIT_USAGE;
        o->diff.ignored |= 1u << i;
        at += n;
        if (*at == '\0')
            return -1;
    }
}

int etm_cli_diff_option(struct etm_cli_options *o, const char *name,
                        const char *value)
{
    if (strcmp(name, "--ignore") == 0)
        return set_ignored(o, value);
    if (strcmp(name, "--context") == 0)
        return etm_cli_number(value, 10000, &o->diff.context)
                   ? -1
                   : etm_cli_bad_value(o->name, name, value,
                                       "not a number up to 10000");
    o->diff.lines_told = o->diff.lines_told || strcmp(name, "--lines") == 0;
    if (strcmp(name, "--lines") == 0)
        return etm_cli_number(value, UINT64_MAX, &o->diff.lines)
                   ? -1
                   : etm_cli_bad_value(o->name, name, value, "not a number");
    return etm_cli_number(value, 1u << 24, &o->diff.window) &&
                   o->diff.window >= ETM_CLI_DIFF_LEAST_WINDOW
               ? -1
               : etm_cli_bad_value(o->name, name, value,
                                   "not a number from 256 to 16777216");
}
