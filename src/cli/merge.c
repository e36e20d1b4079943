/* SPDX-License-Identifier: Apache-2.0 */
/* etm merge: adding up lines of counts. */
#include "cli/args.h"
#include "cli/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of counts: it ends with "n":NUMBER}. */
static bool add_line(struct etm_cli_tally *t, char *line)
{
    static const char mark[] = "\"n\":";
    char *at = NULL, *end;
    uint64_t n;

    for (char *p = line; (p = strstr(p, mark)) != NULL; p++)
        at = p + sizeof mark - 1;
    if (!at || line[0] != '{' || *at < '0' || *at > '9')
        return false;
    errno = 0;
    n = strtoull(at, &end, 10);
    /* the last line may have no end, and others that of Windows */
    if (end == at || errno != 0 || *end != '}' ||
        end[1 + strspn(end + 1, "\r\n")] != '\0')
        return false;
    *at = '\0';
    if (etm_cli_tally_add(t, line, n))
        return true;
    etm_cli_error("out of memory");
    exit(ETM_EXIT_UNREADABLE);
}

static int add_file(struct etm_cli_tally *t, const char *path)
{
    bool input = strcmp(path, "-") == 0;
    FILE *file = input ? stdin : fopen(path, "r");
    static const char mark[] = "\xef\xbb\xbf"; /* of byte order, in UTF-8 */
    char line[4096]; /* names of functions and files are limited to less */
    unsigned long number = 0;
    int status = ETM_EXIT_OK;

    if (!file) {
        etm_cli_error("%s: %s", etm_cli_path(path), strerror(errno));
        return ETM_EXIT_UNREADABLE;
    }
    while (status == ETM_EXIT_OK && fgets(line, sizeof line, file)) {
        size_t skip = 0;

        if (number++ == 0 && strncmp(line, mark, sizeof mark - 1) == 0)
            skip = sizeof mark - 1;
        if (add_line(t, line + skip))
            continue;
        etm_cli_error("%s:%lu: not a line of counts, as 'etm decode --stats' "
                      "and 'etm coverage --format jsonl' print",
                      etm_cli_path(path), number);
        status = ETM_EXIT_UNREADABLE;
    }
    if (ferror(file)) {
        etm_cli_error("%s: %s", etm_cli_path(path), strerror(errno));
        status = ETM_EXIT_UNREADABLE;
    }
    if (status == ETM_EXIT_OK && number == 0)
        etm_cli_error("%s: there are no counts in it", etm_cli_path(path));
    if (!input)
        (void)fclose(file);
    return status;
}

static const char help[] =
    "usage: etm merge FILE... [-o FILE]\n"
    "\n"
    "Add up what 'etm decode --stats' or 'etm coverage --format jsonl' "
    "printed\nfor runs, shards or sources (- is standard input). Merged files "
    "can be\nmerged again.\n"
    "\n"
    "  etm coverage run1 --format jsonl >a\n"
    "  etm coverage run2 --format jsonl >b\n"
    "  etm merge a b -o both\n"
    "  etm decode capture --stats --shard 1/2 >a\n"
    "  etm decode capture --stats --shard 2/2 >b\n"
    "  etm merge a b -o whole\n";

enum option_id { OUTPUT, HELP };

static const struct etm_cli_option rows[] = {
    {"-o", OUTPUT, true},
    {"--help", HELP, false},
    {"-h", HELP, false},
};

static int apply(enum option_id id, const char *value, const char **to)
{
    switch (id) {
    case OUTPUT:
        *to = value;
        return -1;
    case HELP:
        fputs(help, stdout);
        return ETM_EXIT_OK;
    }
    return ETM_EXIT_USAGE;
}

/* Parse the command line: files are moved to the front of argv; -1 to go on. */
static int parse(int argc, char **argv, int *n, const char **to)
{
    struct etm_cli_args args =
        etm_cli_args_of("merge", rows, sizeof rows / sizeof *rows, argc, argv);

    *n = 0;
    while (etm_cli_args_next(&args)) {
        if (args.id == ETM_CLI_OPERAND)
            argv[(*n)++] = args.value;
        else
            args.status = apply((enum option_id)args.id, args.value, to);
    }
    if (args.status >= 0 || *n != 0)
        return args.status;
    return etm_cli_usage("merge", "merge: no file is given");
}

int etm_cli_merge(int argc, char **argv)
{
    struct etm_cli_output output = {0};
    struct etm_cli_tally tally = {0};
    const char *to = NULL;
    int n, status = parse(argc, argv, &n, &to);

    if (status >= 0)
        return status;
    status = ETM_EXIT_OK;
    for (int i = 0; i < n && status == ETM_EXIT_OK; i++)
        status = add_file(&tally, argv[i]);
    if (status == ETM_EXIT_OK)
        status = etm_cli_output_open(&output, to, NULL);
    if (status == ETM_EXIT_OK) {
        bool good = etm_cli_tally_print(&tally, ETM_CLI_JSONL_END, &output);

        if (!good)
            etm_cli_error("out of memory");
        status = etm_cli_output_close(&output);
        status = good ? status : ETM_EXIT_UNREADABLE;
    }
    if (tally.full)
        etm_cli_error("a sum is too large: n of %" PRIu64 " is at least that",
                      UINT64_MAX);
    etm_cli_tally_free(&tally);
    return status;
}
