/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols and source lines of a source, for outputs. */
#include <etm/session.h>
#include <etm/write.h>

static int take(struct etm_session_names *names, int status)
{
    if (status == ETM_ERR_MEMORY)
        names->failed = true;
    return status;
}

static int find_symbol(void *context, uint32_t address,
                       struct etm_symbol *symbol)
{
    struct etm_session_names *names = context;

    return take(names, etm_session_symbol(names->session, names->source,
                                          address, symbol));
}

static int find_line(void *context, uint32_t address,
                     struct etm_source_line *line)
{
    struct etm_session_names *names = context;

    return take(names,
                etm_session_line(names->session, names->source, address, line));
}

static int all_lines(void *context, etm_line_fn *fn, void *fn_context)
{
    const struct etm_session_names *names = context;

    return etm_session_lines(names->session, names->source, fn, fn_context);
}

static int all_functions(void *context, etm_function_fn *fn, void *fn_context)
{
    const struct etm_session_names *names = context;

    return etm_session_functions(names->session, names->source, fn, fn_context);
}

struct etm_names etm_session_names_of(struct etm_session_names *names)
{
    return (struct etm_names){.symbol = find_symbol,
                              .line = find_line,
                              .context = names,
                              .lines = all_lines,
                              .functions = all_functions};
}
