/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a capture, without decoding what comes before: its synchronization
 * points, and the last instructions, decoded from the last of these.
 *
 *     cc last.c $(pkg-config --cflags --libs libetm-capture)
 *     ./a.out demo/cortex-m3
 *
 * It takes the options of options.h.
 */
#include "options.h"

static int keep(void *context, const struct etm_point *point)
{
    *(struct etm_point *)context = *point;
    printf("byte %8llu", (unsigned long long)point->position);
    if (point->address_known)
        printf("  at 0x%08lx", (unsigned long)point->address);
    if (point->time_known)
        printf("  time %llu", (unsigned long long)point->time);
    printf("\n");
    return 0;
}

static int elements(void *context, const struct etm_element *e, size_t n)
{
    unsigned long *total = (unsigned long *)context;

    for (size_t i = 0; i < n; i++)
        if (e[i].kind == ETM_ELEMENT_RANGE)
            *total += e[i].u.range.n;
    return 0;
}

int main(int argc, char **argv)
{
    struct etm_session *session = NULL;
    struct etm_session_points search = {0};
    struct etm_session_run run = {0};
    struct etm_point last = {0};
    struct etm_diag diag;
    unsigned long instructions = 0;
    size_t source;
    int status;

    if (example_open(&session, &source, argc, argv) != ETM_OK)
        return 1;
    search.size = sizeof search;
    search.point = keep;
    search.context = &last;
    status = etm_session_find_points(session, source, &search, &diag);
    run.size = sizeof run;
    run.elements = elements;
    run.context = &instructions;
    run.begin = last.position;
    if (status == ETM_OK)
        status = etm_session_run_source(session, source, &run, &diag);
    if (status == ETM_OK)
        printf("%lu instructions after the last point\n", instructions);
    else
        fprintf(stderr, "%s: %s\n", diag.source, diag.what);
    etm_session_free(session);
    return status != ETM_OK;
}
