/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage: the code of the program, executed or not, and its lines. */
#include "isa/it.h"
#include "write/coverage.h"

#include <stdlib.h>
#include <string.h>

static int take_stretch(void *context, const struct etm_line_range *range)
{
    struct etm_covering *c = context;

    return etm_vec_append(&c->stretches, range, 1);
}

static int compare_stretches(const void *a, const void *b)
{
    const struct etm_line_range *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return strcmp(x->file, y->file);
}

/* Files of which several units have the lines say the same of an address. */
static void order(struct etm_vec *stretches)
{
    struct etm_line_range *all = stretches->data;
    size_t kept = 0;

    if (stretches->n != 0)
        qsort(all, stretches->n, sizeof *all, compare_stretches);
    for (size_t i = 0; i < stretches->n; i++)
        if (kept == 0 || compare_stretches(&all[kept - 1], &all[i]) != 0)
            all[kept++] = all[i];
    stretches->n = kept;
}

/* The code that is being read: up to `at`, with the IT state there (ARMv7,
 * A2.5.2). */
struct reading {
    struct etm_covering *covering;
    uint64_t at;
    uint8_t it;
};

/* Is the condition of an instruction one that can fail? */
static bool is_conditional(const struct etm_insn *insn, uint8_t it)
{
    return (insn->flags & ETM_INSN_CONDITIONAL) != 0 ||
           ((it & 0xfu) != 0 && it >> 4 < 14);
}

static int take_insn(struct reading *r, const struct etm_insn *insn,
                     uint32_t address, struct etm_covered *line)
{
    bool branch = insn->type == ETM_INSN_TYPE_DIRECT ||
                  insn->type == ETM_INSN_TYPE_INDIRECT;
    bool conditional = is_conditional(insn, r->it);

    r->it = etm_it_advance(r->it, insn->it);
    line->insns++;
    line->ran +=
        etm_covering_most(r->covering, address, (uint64_t)address + 1) != 0;
    if (!conditional)
        return ETM_OK;
    return etm_covering_add_branch(
        r->covering,
        &(struct etm_covered){.kind = branch ? ETM_COVERED_BRANCH
                                             : ETM_COVERED_CONDITION,
                              .file = line->file,
                              .line = line->line,
                              .address = address},
        true);
}

/* The texts of the file of a line. */
static void find_texts(const struct etm_names *names,
                       const struct etm_line_range *range,
                       struct etm_covered *covered)
{
    struct etm_source_line line = {.texts = NULL};

    if (!names->line ||
        names->line(names->context, range->start, &line) != ETM_OK ||
        line.line != range->line || !line.text)
        return;
    covered->texts = line.texts;
    covered->n_texts = line.n_texts;
}

/* The instructions of a stretch. */
static int read_stretch(struct reading *r, const struct etm_line_range *range,
                        struct etm_covered *line)
{
    const struct etm_config *config = r->covering->source->config;
    enum etm_isa isa = (enum etm_isa)range->isa;
    uint32_t address = range->start;
    struct etm_insn insn;
    int status = ETM_OK;

    if (isa == ETM_ISA_UNKNOWN && config && config->profile == ETM_PROFILE_M)
        isa = ETM_ISA_THUMB;
    if (isa != ETM_ISA_ARM && isa != ETM_ISA_THUMB)
        return ETM_OK;
    if (r->at != range->start || isa == ETM_ISA_ARM)
        r->it = 0;
    while (status == ETM_OK && address < range->end &&
           etm_covering_read(r->covering, address, isa, &insn)) {
        status = take_insn(r, &insn, address, line);
        address += insn.size;
    }
    r->at = address;
    return status;
}

int etm_covering_lines(struct etm_covering *c)
{
    const struct etm_names *names = &c->source->names;
    int status =
        names->lines ? names->lines(names->context, take_stretch, c) : ETM_OK;

    order(&c->stretches);
    return status;
}

int etm_covering_code(struct etm_covering *c)
{
    const struct etm_names *names = &c->source->names;
    struct reading r = {.covering = c, .at = UINT64_MAX};
    const struct etm_line_range *all = c->stretches.data;
    int status = ETM_OK;

    for (size_t i = 0; i < c->stretches.n && status == ETM_OK; i++) {
        struct etm_covered line = {
            .kind = ETM_COVERED_LINE, .file = all[i].file, .line = all[i].line};

        find_texts(names, &all[i], &line);
        status = read_stretch(&r, &all[i], &line);
        if (status == ETM_OK)
            status = etm_covering_add(c, &line, false);
    }
    return status;
}
