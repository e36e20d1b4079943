/* SPDX-License-Identifier: Apache-2.0 */
/* Setups as text and back. */
#ifndef TEST_SETUP_TEXT_UTIL_H
#define TEST_SETUP_TEXT_UTIL_H

#include "rig.h"

#include <stdlib.h>

static const enum etm_setup_format formats[] = {
    ETM_SETUP_FORMAT_TABLE, ETM_SETUP_FORMAT_C,     ETM_SETUP_FORMAT_OPENOCD,
    ETM_SETUP_FORMAT_GDB,   ETM_SETUP_FORMAT_JLINK, ETM_SETUP_FORMAT_PYOCD};

/* The text of a setup; to be freed. */
static inline char *text_of(const struct etm_setup *setup,
                            enum etm_setup_format format,
                            const struct etm_setup_script *script)
{
    struct etm_diag diag;
    int n = etm_setup_write(setup, format, script, NULL, 0, &diag);
    char *text;

    if (n < 0)
        print_message("%s\n", diag.what);
    assert_true(n > 0);
    text = malloc((size_t)n + 1);
    assert_non_null(text);
    assert_int_equal(
        etm_setup_write(setup, format, script, text, (size_t)n + 1, &diag), n);
    assert_int_equal(strlen(text), n);
    return text;
}

static inline void read_back(const char *text, struct etm_setup *setup)
{
    struct etm_diag diag;
    int status = etm_setup_read(setup, text, strlen(text), &diag);

    if (status != ETM_OK)
        print_message("line %u: %s\n", (unsigned)diag.line, diag.what);
    assert_int_equal(status, ETM_OK);
}

/* A request that uses much of what there is. */
static inline void make_busy(struct rig *g, const char *core)
{
    static const struct etm_request_match in[] = {
        {.range = true, .from = 0x8000, .to = 0x80ff}};
    static const struct etm_request_match start[] = {{.from = 0x9000}};
    static const struct etm_request_match stop[] = {{.from = 0x9100}};

    rig_make(g, core, NULL);
    g->request.include = in;
    g->request.n_include = 1;
    g->request.start = start;
    g->request.n_start = 1;
    g->request.stop = stop;
    g->request.n_stop = 1;
    g->request.cycle_accurate = true;
    g->request.context_id_bytes = 4;
    g->request.trigger = (struct etm_request_condition){
        .what = ETM_CONDITION_MATCH, .match = {.from = 0x8010}, .times = 7};
    rig_configure(g);
}

#endif
