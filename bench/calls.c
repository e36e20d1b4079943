/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many ranges a second become calls (etm/program.h), decoding not included:
 * the elements of each source of the captures, again and again.
 *
 *     calls CAPTURE...
 */
#define _POSIX_C_SOURCE 200809L
#include "measure.h"

#include <etm/program.h>
#include <etm/session.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGES 40e6 /* of each source */

struct kept {
    struct etm_element *elements;
    size_t n, room;
    double ranges, calls;
    const struct etm_session *session;
    size_t source;
};

static int keep(void *context, const struct etm_element *elements, size_t n)
{
    struct kept *k = context;

    if (k->n + n > k->room) {
        k->room = 2 * (k->n + n);
        k->elements = realloc(k->elements, k->room * sizeof *k->elements);
        if (k->elements == NULL)
            return ETM_ERR_MEMORY;
    }
    memcpy(k->elements + k->n, elements, n * sizeof *elements);
    k->n += n;
    for (size_t i = 0; i < n; i++)
        k->ranges += elements[i].kind == ETM_ELEMENT_RANGE;
    return ETM_OK;
}

static int count(void *context, const struct etm_call *calls, size_t n)
{
    struct kept *k = context;

    (void)calls;
    k->calls += (double)n;
    return ETM_OK;
}

static int find_symbol(void *context, uint32_t address,
                       struct etm_symbol *symbol)
{
    const struct kept *k = context;

    return etm_session_symbol(k->session, k->source, address, symbol);
}

/* As a decoder gives them: some hundred elements at a time. */
static void run(struct kept *k, const char *name)
{
    struct etm_calls_config config = {
        .size = sizeof config,
        .calls = count,
        .context = k,
        .names = {.symbol = find_symbol, .context = k}};
    struct etm_calls *calls;
    double begin, times = 0;

    begin = etm_bench_now();
    for (; k->ranges != 0 && times * k->ranges < RANGES; times++) {
        if (etm_calls_new(&calls, &config) != ETM_OK)
            return;
        for (size_t i = 0; i < k->n; i += 256)
            (void)etm_calls_elements(calls, k->elements + i,
                                     k->n - i < 256 ? k->n - i : 256);
        (void)etm_calls_finish(calls);
        etm_calls_free(calls);
    }
    begin = etm_bench_now() - begin;
    if (k->ranges == 0)
        return;
    printf("%-40s %8.0f ranges: %6.1f million/s, %5.1f ns each, %4.1f %% "
           "entered or left\n",
           name, k->ranges, times * k->ranges / begin * 1e3,
           begin / (times * k->ranges), k->calls / times / k->ranges * 100);
}

static int capture(const char *path)
{
    struct etm_session *session;
    struct etm_diag diag = {0};
    int status = etm_session_open(&session, path, NULL, &diag);

    if (status != ETM_OK) {
        fprintf(stderr, "%s: %s\n", path, diag.what);
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < etm_session_sources(session); i++) {
        struct kept k = {.session = session, .source = i};
        struct etm_session_run how = {
            .size = sizeof how, .elements = keep, .context = &k};
        char name[256];

        snprintf(name, sizeof name, "%s %s", path,
                 etm_session_source(session, i)->name);
        if (etm_session_run_source(session, i, &how, &diag) == ETM_OK)
            run(&k, name);
        free(k.elements);
    }
    etm_session_free(session);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    int status = EXIT_SUCCESS;

    for (int i = 1; i < argc; i++)
        if (capture(argv[i]) != EXIT_SUCCESS)
            status = EXIT_FAILURE;
    return status;
}
