/* SPDX-License-Identifier: Apache-2.0 */
/* What counts say of a program (etm/write.h, struct etm_covered): shared by the
 * formats that show it. */
#ifndef ETM_WRITE_COVERAGE_H
#define ETM_WRITE_COVERAGE_H

#include "base/vec.h"
#include "isa/insn.h"
#include "write/listing.h"

#include <etm/write.h>

/* Code from `at` up to the next one was executed n times. */
struct etm_change {
    uint64_t at; /* one more than 32 bits: the end of memory */
    uint64_t n;
};

/* What is being found out. */
struct etm_covering {
    const struct etm_listing_source *source;
    struct etm_vec changes;     /* struct etm_change, in order */
    struct etm_vec stretches;   /* struct etm_line_range, in order */
    struct etm_vec conditional; /* uint32_t: addresses, in order */
    struct etm_vec all;         /* struct etm_fact */
    bool conditions; /* the table of these is walked, not that of ranges */
};

struct etm_fact {
    struct etm_covered covered;
    bool conditional; /* a branch that has a condition of its own */
};

/* coverage_sums.c */
int etm_covering_add(struct etm_covering *c, const struct etm_covered *covered,
                     bool conditional);
/* Add a branch or a condition; its function is looked up. */
int etm_covering_add_branch(struct etm_covering *c, struct etm_covered *covered,
                            bool conditional);
int etm_covering_count(struct etm_covering *c, const struct etm_counts *counts);

/* From now on it is known which addresses have a branch or a condition. */
int etm_covering_note_conditional(struct etm_covering *c);
bool etm_covering_is_conditional(const struct etm_covering *c,
                                 uint32_t address);

/* The greatest number of executions between two addresses. */
uint64_t etm_covering_most(const struct etm_covering *c, uint64_t start,
                           uint64_t end);

/* The order of addresses, for qsort() and bsearch(). */
int etm_covering_compare(const void *a, const void *b);

/* The first stretch that reaches behind an address. */
size_t etm_covering_stretch(const struct etm_covering *c, uint32_t address);

/* The instruction at an address; false: its code is not known. */
bool etm_covering_read(const struct etm_covering *c, uint32_t address,
                       enum etm_isa isa, struct etm_insn *insn);

/* The line of an address. */
bool etm_covering_line(const struct etm_covering *c, uint32_t address,
                       struct etm_source_line *line);

/* coverage_code.c: the code of the program by address, and what is known of it
 * without having been executed: its lines and conditional instructions. */
int etm_covering_lines(struct etm_covering *c);
int etm_covering_code(struct etm_covering *c);

/* coverage_lines.c: how often each line was executed. */
int etm_covering_entries(struct etm_covering *c,
                         const struct etm_counts *counts);

/* coverage.c: append what there is of a source (struct etm_covered); and make
 * one of several sources, or copies of a function, in order. */
int etm_covered_gather(struct etm_vec *all, const struct etm_listing *listing,
                       const struct etm_counts *counts);
void etm_covered_join(struct etm_vec *all);

/* The facts of one file, by kind, and what of them was executed; of branches
 * there are twice as many outcomes. */
#define ETM_COVERED_KINDS 4u
struct etm_covered_file {
    const char *name; /* NULL: of code without lines */
    const struct etm_covered *facts[ETM_COVERED_KINDS];
    size_t n[ETM_COVERED_KINDS], hit[ETM_COVERED_KINDS];
    uint64_t insns, ran;
};

/* The first file of facts that were joined; returns how many of them are its
 * own. */
size_t etm_covered_file(struct etm_covered_file *file,
                        const struct etm_covered *all, size_t n);

/* A branch or a condition: it has two outcomes. */
static inline bool etm_covered_is_two(const struct etm_covered *c)
{
    return c->kind == ETM_COVERED_BRANCH || c->kind == ETM_COVERED_CONDITION;
}

/* The text of a line of the file of a line; NULL: not known. */
static inline const char *etm_covered_text(const struct etm_covered *c,
                                           uint32_t line)
{
    return c->texts && line - 1 < c->n_texts ? c->texts[line - 1] : NULL;
}

/* The branches of a line: how many there are. `*from` are those of this and
 * later lines, and is moved after them. */
static inline size_t etm_covered_of_line(const struct etm_covered **from,
                                         const struct etm_covered *end,
                                         uint32_t line)
{
    size_t n = 0;

    while (*from < end && (*from)->line < line)
        ++*from;
    for (; *from < end && (*from)->line == line; n++)
        ++*from;
    return n;
}

/* coverage_doc.c: what there is of all sources, of a format that shows them
 * together. */
struct etm_coverage_doc {
    struct etm_vec facts; /* struct etm_covered */
    struct etm_gaps gaps;
    bool begun;
};

int etm_coverage_doc_add(struct etm_coverage_doc *doc,
                         const struct etm_listing *listing,
                         const struct etm_counts *counts);
void etm_coverage_doc_free(struct etm_coverage_doc *doc);

/* The counts of a listing whose format has a struct etm_coverage_doc as its
 * state and needs source lines; and its end. */
int etm_coverage_doc_counts(struct etm_listing *listing,
                            const struct etm_counts *counts);
void etm_coverage_doc_fini(struct etm_listing *listing);

/* What gaps there are, and what that means for the rest; nothing if there are
 * none. `name`: of the source, or NULL. */
void etm_coverage_put_gaps(struct etm_out *out, const struct etm_gaps *gaps,
                           const char *name);

/* "0.7833" */
void etm_coverage_put_rate(struct etm_out *out, uint64_t part, uint64_t whole);

#endif
