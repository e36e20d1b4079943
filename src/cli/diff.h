/* SPDX-License-Identifier: Apache-2.0 */
/*
 * etm diff: two traces, side by side. Both are read at a time, each in a thread
 * of its own, into a window of items: packets or elements. Items are the same
 * if their lines in JSON Lines are, apart from the place in the capture, the
 * trace ID, and what is to be ignored; so a hash of these stands for each.
 */
#ifndef ETM_CLI_DIFF_H
#define ETM_CLI_DIFF_H

#include "cli/cli.h"

/* What --ignore leaves out. */
enum etm_cli_ignored {
    ETM_CLI_IGNORE_TIMESTAMPS = 1u << 0,
    ETM_CLI_IGNORE_CYCLES = 1u << 1,
    ETM_CLI_IGNORE_CONTEXT = 1u << 2,
    ETM_CLI_IGNORE_SYNC = 1u << 3,
    ETM_CLI_IGNORE_DATA = 1u << 4,
    ETM_CLI_IGNORE_EXEC = 1u << 5
};

/* diff_key.c: is it left out as a whole? */
bool etm_cli_diff_ignores_element(const struct etm_element *element,
                                  unsigned ignored);
bool etm_cli_diff_ignores_packet(const struct etm_packet *packet,
                                 unsigned ignored);

/* The hash of a line of JSON Lines. */
uint64_t etm_cli_diff_key(const char *line, size_t n, unsigned ignored);

/* diff_match.c: an edit: so many items are only in A, then so many only in B,
 * and then so many are in both. */
struct etm_cli_diff_edit {
    size_t a, b, same;
};

struct etm_cli_diff_edits {
    struct etm_cli_diff_edit *rows;
    size_t n, room;
};

int etm_cli_diff_add(struct etm_cli_diff_edits *edits,
                     const struct etm_cli_diff_edit *edit);

/* The windows in which to get in step again. */
struct etm_cli_diff_windows {
    const uint64_t *a,
        *b;          /* the items that follow, the first of which differ */
    size_t n_a, n_b; /* at least 1 */
    bool end;        /* both traces end with them */
    bool whole;      /* the edits are to go to the end */
    size_t most;     /* edits that are tried */
    bool sure;       /* false: nothing is found if they are too many */
};

/*
 * The fewest edits after which both are in step for a while, or end. Some items
 * are always passed if it is `sure`. *found: false, and there are none.
 * ETM_OK, ETM_ERR_MEMORY.
 */
int etm_cli_diff_match(const struct etm_cli_diff_windows *windows,
                       struct etm_cli_diff_edits *edits, bool *found);

/* diff_anchor.c: edits up to the last stretch that is once in each window; for
 * differences that are too long to be found by the fewest edits. */
int etm_cli_diff_anchor(const struct etm_cli_diff_windows *windows,
                        struct etm_cli_diff_edits *edits, bool *found);

/* diff_side.c */
struct etm_cli_diff_side;

struct etm_cli_diff_side_config {
    const struct etm_cli_options *options;
    const struct etm_session *session;
    size_t source;
    const char *format; /* of the text of items */
    enum etm_level level;
    unsigned jobs;
    bool packets; /* instead of elements */
    bool text;    /* it is wanted */
};

/* Begin to read a source. ETM_OK, ETM_ERR_MEMORY. */
int etm_cli_diff_side_new(struct etm_cli_diff_side **side,
                          const struct etm_cli_diff_side_config *config);
/* Accepts NULL. Reading ends. */
void etm_cli_diff_side_free(struct etm_cli_diff_side *side);

/* How many items are there, behind the current place? Waits for so many; fewer
 * are the last. SIZE_MAX: out of memory. */
size_t etm_cli_diff_side_wait(struct etm_cli_diff_side *side, size_t n);
/* The hash of one of those, from 0. */
uint64_t etm_cli_diff_side_hash(const struct etm_cli_diff_side *side, size_t i);
/* Pass n of those. */
void etm_cli_diff_side_pass(struct etm_cli_diff_side *side, size_t n);

/* An item behind the current place, or one of the last before it: back 1 is the
 * one that was passed last, at most that of --context. */
struct etm_cli_diff_item {
    uint64_t number; /* from 1 */
    uint64_t offset; /* in its capture */
    bool there;      /* false: behind the last one */
    const char *text;
    size_t n; /* bytes of text: whole lines */
};
struct etm_cli_diff_item
etm_cli_diff_side_item(const struct etm_cli_diff_side *side, size_t i,
                       size_t back);

/* After the end: why there are no more, a status, and what could not be
 * decoded. */
int etm_cli_diff_side_status(struct etm_cli_diff_side *side,
                             struct etm_diag *diag);
void etm_cli_diff_side_damage(const struct etm_cli_diff_side *side,
                              uint64_t *places, uint64_t *bytes);

/* diff_show.c: the differences of two sources. */
struct etm_cli_diff_show {
    struct etm_cli_output *output;
    struct etm_cli_diff_side *sides[2];
    const struct etm_source_info *infos[2];
    bool jsonl, quiet, colours;
    uint64_t context, lines; /* lines 0: all */

    uint64_t same, only[2], hunks;
    uint64_t first[2], first_offset[2]; /* items; where it begins */
    uint64_t before, after; /* items in both: not shown yet, still to show */
    uint64_t run[2];        /* items only on one side, one after the other */
    bool within;            /* a difference */
};

/* n items are in both, or only on one side; they are passed. */
void etm_cli_diff_show_same(struct etm_cli_diff_show *show, size_t n);
void etm_cli_diff_show_only(struct etm_cli_diff_show *show, unsigned side,
                            size_t n);
/* What is said before and behind all. */
void etm_cli_diff_show_begin(struct etm_cli_diff_show *show);
void etm_cli_diff_show_end(struct etm_cli_diff_show *show);

/* diff_words.c: the command lines of both sides. Each has room for all words.
 */
struct etm_cli_diff_words {
    char **argv[2];
    int argc[2];
};

/* -1, or an exit status after a message. Free them in any case. */
int etm_cli_diff_words(struct etm_cli_diff_words *words, int argc, char **argv);
void etm_cli_diff_words_free(struct etm_cli_diff_words *words);

/* diff_options.c: the least --window. */
#define ETM_CLI_DIFF_LEAST_WINDOW 256u

/* An option that other commands have not. -1, or an exit status after a
 * message. */
int etm_cli_diff_option(struct etm_cli_options *options, const char *name,
                        const char *value);

#endif
