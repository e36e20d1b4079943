/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges are counted as they are; instructions as the ranges that they make,
 * and whether each passed its condition. */
#include "cli/counting.h"

/* A range of one execution has ended. */
static int close_range(struct etm_cli_counting *x)
{
    int status = x->open.n != 0 ? etm_counts_add(x->ranges, &x->open) : ETM_OK;

    x->open.n = 0;
    return status;
}

/* The instruction alone, as a range. */
static struct etm_count count_of(const struct etm_element *e)
{
    return (struct etm_count){.n = 1,
                              .start = e->u.insn.address,
                              .end = e->u.insn.address + e->u.insn.size,
                              .insns = 1,
                              .last_address = e->u.insn.address,
                              .isa = e->u.insn.isa,
                              .last_type = e->u.insn.type,
                              .last_exec = e->u.insn.exec,
                              .last_flags = e->u.insn.flags};
}

static int take_insn(struct etm_cli_counting *x, const struct etm_element *e)
{
    const struct etm_count one = count_of(e);
    bool branch = one.last_type == ETM_INSN_TYPE_DIRECT ||
                  one.last_type == ETM_INSN_TYPE_INDIRECT;
    int status = ETM_OK;

    if (x->open.n != 0 && (x->open.end != one.start || x->open.isa != one.isa))
        status = close_range(x);
    if (status == ETM_OK && !branch && one.last_exec != ETM_UNKNOWN)
        status = etm_counts_add(x->conditions, &one);
    if (x->open.n != 0) {
        uint32_t start = x->open.start, insns = x->open.insns + 1;

        x->open = one;
        x->open.start = start;
        x->open.insns = insns;
    } else {
        x->open = one;
    }
    return status == ETM_OK && branch ? close_range(x) : status;
}

static int take_range(struct etm_cli_counting *x, const struct etm_element *e)
{
    return etm_counts_add(
        x->ranges, &(struct etm_count){.n = 1,
                                       .start = e->u.range.start,
                                       .end = e->u.range.end,
                                       .insns = e->u.range.n,
                                       .last_address = e->u.range.last_address,
                                       .isa = e->u.range.isa,
                                       .last_type = e->u.range.last_type,
                                       .last_exec = e->u.range.last_exec,
                                       .last_flags = e->u.range.last_flags});
}

int etm_cli_counting_take(struct etm_cli_counting *x,
                          const struct etm_element *elements, size_t n)
{
    int status = ETM_OK;

    for (size_t i = 0; i < n && status == ETM_OK; i++) {
        if (elements[i].kind == ETM_ELEMENT_RANGE)
            status = take_range(x, &elements[i]);
        else if (elements[i].kind == ETM_ELEMENT_INSN)
            status = take_insn(x, &elements[i]);
        else if (elements[i].kind != ETM_ELEMENT_DATA)
            status = close_range(x);
    }
    return status;
}

int etm_cli_counting_begin(struct etm_cli_counting *x, bool insns)
{
    int status;

    *x = (struct etm_cli_counting){.ranges = NULL};
    status = etm_counts_new(&x->ranges, NULL);
    return status == ETM_OK && insns ? etm_counts_new(&x->conditions, NULL)
                                     : status;
}

int etm_cli_counting_end(struct etm_cli_counting *x)
{
    return close_range(x);
}

void etm_cli_counting_free(struct etm_cli_counting *x)
{
    etm_counts_free(x->ranges);
    etm_counts_free(x->conditions);
    *x = (struct etm_cli_counting){.ranges = NULL};
}
