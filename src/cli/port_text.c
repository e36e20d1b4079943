/* SPDX-License-Identifier: Apache-2.0 */
/* etm decode --itm-text: the bytes that a program wrote to a stimulus port. */
#include "cli/pass.h"

struct printing {
    struct etm_cli_pass pass; /* the first member */
    struct etm_cli_output *output;
    uint8_t port;
};

/* As many bytes as were written at a time, the lowest first. */
static int take_elements(void *context, const struct etm_element *elements,
                         size_t n)
{
    struct printing *p = context;

    n = etm_cli_pass_take(&p->pass, elements, n);
    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];
        char text[4];

        if (e->kind != ETM_ELEMENT_SOFTWARE || e->u.software.port != p->port)
            continue;
        for (unsigned k = 0; k < sizeof text; k++)
            text[k] = (char)(e->u.software.value >> (8 * k) & 0xffu);
        etm_cli_put(p->output, text, e->u.software.size);
    }
    return etm_cli_pass_taken(&p->pass, p->output->closed || p->output->failed
                                            ? ETM_ERR_STOPPED
                                            : ETM_OK);
}

/* A pipe has nothing at the moment: show what has come. */
static int show_text(void *context)
{
    struct printing *p = context;

    etm_cli_flush(p->output);
    return ETM_OK;
}

static int print_source(struct printing *p,
                        const struct etm_cli_options *options,
                        const struct etm_session *session, size_t source)
{
    struct etm_session_run run = {.size = sizeof run,
                                  .elements = take_elements,
                                  .idle = show_text,
                                  .jobs = 1};
    struct etm_diag diag = {0};
    int status;

    etm_cli_pass_begin(&p->pass, &run);
    status = etm_cli_pass_run(&p->pass, session, source, &run, &diag);
    if (status == ETM_ERR_STOPPED) /* nobody reads on */
        status = ETM_OK;
    etm_cli_progress_stop(&p->pass.progress);
    if (status == ETM_OK)
        etm_cli_pass_tell(&p->pass, options, session, source);
    return etm_cli_source_status(status, &diag, p->output);
}

static bool is_itm(const struct etm_cli_capture *capture, size_t i)
{
    return etm_session_source(capture->session, capture->sources[i])
               ->config.protocol == ETM_PROTOCOL_ITM;
}

int etm_cli_port_text(const struct etm_cli_options *options,
                      struct etm_cli_output *output)
{
    struct printing p = {.output = output, .port = (uint8_t)options->itm_port};
    struct etm_cli_capture capture;
    size_t n = 0;
    int status = etm_cli_open(&capture, options, output, true);

    if (status != ETM_EXIT_OK)
        return status;
    for (size_t i = 0; i < capture.n_sources; i++)
        n += is_itm(&capture, i);
    if (n == 0) {
        etm_cli_error("%s: --itm-text: none of its sources is an ITM",
                      etm_cli_path(options->capture));
        status = ETM_EXIT_UNREADABLE;
    }
    etm_cli_progress_start(&p.pass.progress, output, capture.n_sources);
    for (size_t i = 0;
         i < capture.n_sources && status == ETM_EXIT_OK && !output->closed;
         i++) {
        if (!is_itm(&capture, i))
            continue;
        status = etm_cli_pass_find(&p.pass, options, &capture, i);
        if (status == ETM_EXIT_OK)
            status =
                print_source(&p, options, capture.session, capture.sources[i]);
    }
    etm_cli_silent_tell(&p.pass.silent, capture.session);
    etm_cli_close(&capture);
    return output->failed ? ETM_EXIT_UNREADABLE : status;
}
