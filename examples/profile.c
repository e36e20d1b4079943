/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a program spends its instructions: those of each function, in the
 * order in which the functions were first entered.
 *
 *     cc profile.c $(pkg-config --cflags --libs libetm-capture)
 *     ./a.out demo/cortex-m3
 *
 * It takes the options of options.h.
 */
#include "options.h"

#define FUNCTIONS 256

struct profile {
    struct etm_session *session;
    const char *names[FUNCTIONS];
    unsigned long instructions[FUNCTIONS];
    size_t n, source;
};

static void count(struct profile *profile, uint32_t address, unsigned long n)
{
    struct etm_symbol symbol;
    const char *name = "?";
    size_t i = 0;

    if (etm_session_symbol(profile->session, profile->source, address,
                           &symbol) == ETM_OK)
        name = symbol.name;
    while (i < profile->n && strcmp(profile->names[i], name) != 0)
        i++;
    if (i == FUNCTIONS)
        return;
    if (i == profile->n)
        profile->names[profile->n++] = name;
    profile->instructions[i] += n;
}

static int elements(void *context, const struct etm_element *e, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (e[i].kind == ETM_ELEMENT_RANGE)
            count((struct profile *)context, e[i].u.range.last_address,
                  e[i].u.range.n);
    return 0;
}

int main(int argc, char **argv)
{
    static struct profile profile;
    struct etm_session_run run = {0};
    struct etm_diag diag;
    int status;

    if (example_open(&profile.session, &profile.source, argc, argv) != ETM_OK)
        return 1;
    run.size = sizeof run;
    run.elements = elements;
    run.context = &profile;
    status =
        etm_session_run_source(profile.session, profile.source, &run, &diag);
    if (status != ETM_OK)
        fprintf(stderr, "%s: %s\n", diag.source, diag.what);
    for (size_t i = 0; i < profile.n; i++)
        printf("%8lu %s\n", profile.instructions[i], profile.names[i]);
    etm_session_free(profile.session);
    return status != ETM_OK;
}
