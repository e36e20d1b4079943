/* SPDX-License-Identifier: Apache-2.0 */
#include "trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct trace {
    uint8_t *bytes;
    size_t n, room;
};

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    struct trace *trace = context;

    if (n > trace->room - trace->n)
        return ETM_ERR_MEMORY;
    memcpy(trace->bytes + trace->n, bytes, n);
    trace->n += n;
    return ETM_OK;
}

size_t trace_make(struct etm_generator_config *how,
                  const struct etm_event *events, size_t n, uint8_t *bytes,
                  size_t room)
{
    struct trace trace = {.bytes = bytes, .room = room};
    struct etm_generator *g;

    how->size = sizeof *how;
    how->bytes = keep;
    how->context = &trace;
    assert_int_equal(etm_generator_new(&g, how), ETM_OK);
    assert_int_equal(etm_generator_push(g, events, n), ETM_OK);
    assert_int_equal(etm_generator_finish(g), ETM_OK);
    etm_generator_free(g);
    return trace.n;
}
