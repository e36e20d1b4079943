/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The streams of bench/streams.c as snapshots, which every tool reads: what
 * listing.py and start.py measure with. Without a folder, their names.
 *
 *     ETM_SHARED=../shared listing [NUMBER FOLDER MEGABYTES]
 */
#include "streams.h"

#include <etm/write.h>

#include <stdio.h>
#include <stdlib.h>

static void check(int status, const struct etm_diag *diag)
{
    if (status == ETM_OK)
        return;
    fprintf(stderr, "%s: %s\n", diag->source, diag->what);
    exit(EXIT_FAILURE);
}

static void add_source(struct etm_snapshot_writer *writer,
                       const struct etm_bench_stream *s, struct etm_diag *diag)
{
    struct etm_register registers[] = {
        {"ETMCR", etm_register_number("ETMCR"), s->etmcr},
        {"ETMIDR", etm_register_number("ETMIDR"), s->etmidr},
        {"ETMCCER", etm_register_number("ETMCCER"), s->etmccer},
        {"ETMTRACEIDR", etm_register_number("ETMTRACEIDR"), s->config.trace_id},
    };
    struct etm_snapshot_source source = {
        .size = sizeof source,
        .config = &s->config,
        .registers = registers,
        .n_registers = sizeof registers / sizeof *registers,
    };

    check(etm_snapshot_add_source(writer, &source, NULL, diag), diag);
}

static void write_snapshot(const struct etm_bench_stream *s,
                           const char *directory)
{
    struct etm_snapshot_writer_config how = {.size = sizeof how,
                                             .directory = directory};
    /* a type that has what the configuration says, with OpenCSD too */
    struct etm_snapshot_core core = {
        .size = sizeof core,
        .type = s->config.protocol == ETM_PROTOCOL_PFT ? "Cortex-A15"
                                                       : "Cortex-A7"};
    struct etm_snapshot_buffer buffer = {.size = sizeof buffer,
                                         .framing = ETM_FRAMING_CORESIGHT};
    struct etm_snapshot_writer *writer;
    struct etm_diag diag = {0};

    check(etm_snapshot_writer_new(&writer, &how, &diag), &diag);
    check(etm_snapshot_add_core(writer, &core, NULL, &diag), &diag);
    check(etm_snapshot_add_memory(writer, 0, "code.bin", s->code_address,
                                  s->code, s->code_size, NULL, &diag),
          &diag);
    check(etm_snapshot_add_buffer(writer, &buffer, NULL, &diag), &diag);
    add_source(writer, s, &diag);
    check(etm_snapshot_add_trace(writer, 0, s->bytes, s->n, &diag), &diag);
    check(etm_snapshot_writer_finish(writer, &diag), &diag);
    etm_snapshot_writer_free(writer);
}

int main(int argc, char **argv)
{
    struct etm_bench_stream s;
    size_t index;

    if (argc != 4) {
        for (size_t i = 0; i < etm_bench_streams(); i++)
            printf("%zu %s\n", i, etm_bench_stream_name(i));
        return EXIT_SUCCESS;
    }
    index = strtoul(argv[1], NULL, 0);
    if (index >= etm_bench_streams() ||
        !etm_bench_stream_init(&s, index,
                               (size_t)(strtod(argv[3], NULL) * 1e6)))
        return EXIT_FAILURE;
    write_snapshot(&s, argv[2]);
    etm_bench_stream_fini(&s);
    return EXIT_SUCCESS;
}
