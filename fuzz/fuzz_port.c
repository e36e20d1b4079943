/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of trace port samples: cut or whole, the same comes
 * out, and nothing that the port does not have. */
#include "fuzz.h"
#include "input/port_reader.h"

static int read_port(const struct etm_port_reader_config *config,
                     const uint8_t *bytes, size_t n, size_t step,
                     struct etm_vec *samples, struct etm_diag *diag)
{
    struct etm_port_reader reader;
    int status = etm_port_reader_init(&reader, config, diag);

    etm_vec_init(samples, sizeof(struct etm_port_sample), NULL);
    for (size_t at = 0; at < n && status == ETM_OK; at += step)
        status = etm_port_reader_push(
            &reader, bytes + at, n - at < step ? n - at : step, samples, diag);
    if (status == ETM_OK)
        status = etm_port_reader_finish(&reader, samples, diag);
    etm_port_reader_fini(&reader);
    return status;
}

static bool same(const struct etm_vec *a, const struct etm_vec *b)
{
    const struct etm_port_sample *x = a->data, *y = b->data;

    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++)
        if (x[i].data != y[i].data || x[i].control != y[i].control ||
            x[i].status != y[i].status)
            return false;
    return true;
}

static void check(const struct etm_port_reader_config *config,
                  const struct etm_vec *samples)
{
    const struct etm_port_sample *s = samples->data;
    unsigned width = config->port.width;

    for (size_t i = 0; i < samples->n; i++)
        if ((width < 64 && s[i].data >> width != 0) || s[i].control > 1 ||
            (s[i].status > 15 && s[i].status != ETM_PORT_LOST))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t widths[] = {4, 8, 16, 1};
    static const char *const signals[] = {
        NULL, "traceclk=C", "pipestat=A,B,tracepkt=D[3]",
        "tracedata=D[7:0],tracectl=C,traceclk=#"};
    struct etm_port_reader_config config = {.port.width = 8};
    struct etm_vec whole, cut;
    struct etm_diag a = {0}, b = {0};
    int status;

    if (size < 3)
        return 0;
    config.port.protocol =
        (enum etm_protocol)(ETM_PROTOCOL_ETMV1 + (data[0] & 3));
    config.port.width = widths[data[0] >> 2 & 3];
    config.port.mode = (enum etm_port_mode)(data[0] >> 4 & 3);
    config.port.half_rate = data[0] >> 7 != 0;
    config.form = (enum etm_port_form)(data[1] & 7);
    config.signals = signals[data[1] >> 3 & 3];
    status = read_port(&config, data + 3, size - 3, size, &whole, &a);
    if (read_port(&config, data + 3, size - 3, data[2] % 40 + 1u, &cut, &b) !=
            status ||
        a.line != b.line || a.offset != b.offset || !same(&whole, &cut))
        abort();
    if (status == ETM_OK)
        check(&config, &whole);
    etm_vec_fini(&whole);
    etm_vec_fini(&cut);
    return 0;
}
