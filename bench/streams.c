/* SPDX-License-Identifier: Apache-2.0 */
#include "streams.h"

#include "capture.h"
#include "memory.h"
#include "workload.h"

#include <etm/model.h>
#include <etm/packet.h>

#include <stdio.h>
#include <string.h>

#define FUNCTIONS 8192u

/* Trace that is generated before it repeats. */
#define GENERATED ((size_t)1 << 20)

/* One stream: a capture's source, or a generated one. */
struct row {
    const char *name;
    const char *source; /* NULL: generated */
    enum etm_protocol protocol;
    uint8_t minor;
    bool cycle_accurate;
    bool return_stack;
    bool data; /* addresses and values of data too */
};

static const struct row rows[] = {
    {"TC2 0x13, PFT 1.1 CA", "tc2/0x13", ETM_PROTOCOL_PFT, 1, true, false,
     false},
    {"Snowball 0x10, PFT 1.0 CA", "snowball/0x10", ETM_PROTOCOL_PFT, 0, true,
     false, false},
    {"TC2 0x10, ETMv3.5 CA", "tc2/0x10", ETM_PROTOCOL_ETMV3, 5, true, false,
     false},
    {"made: PFT 1.1", NULL, ETM_PROTOCOL_PFT, 1, false, false, false},
    {"made: PFT 1.1, return stack", NULL, ETM_PROTOCOL_PFT, 1, false, true,
     false},
    {"made: PFT 1.1 CA", NULL, ETM_PROTOCOL_PFT, 1, true, false, false},
    {"made: ETMv3.5, ARM", NULL, ETM_PROTOCOL_ETMV3, 5, false, false, false},
    {"made: ETMv3.5 CA, ARM", NULL, ETM_PROTOCOL_ETMV3, 5, true, false, false},
    {"made: ETMv3.5 with data", NULL, ETM_PROTOCOL_ETMV3, 5, false, false,
     true},
    {"made: ETMv1.3", NULL, ETM_PROTOCOL_ETMV1, 3, false, false, false},
    {"made: ETMv1.3 with data", NULL, ETM_PROTOCOL_ETMV1, 3, false, false,
     true},
    {"made: ETMv2.1", NULL, ETM_PROTOCOL_ETMV2, 1, false, false, false},
    {"made: ETMv2.1 with data", NULL, ETM_PROTOCOL_ETMV2, 1, false, false,
     true},
};

size_t etm_bench_streams(void)
{
    return sizeof rows / sizeof rows[0];
}

const char *etm_bench_stream_name(size_t index)
{
    return rows[index].name;
}

/* A growing array of bytes. */
struct bytes {
    uint8_t *data;
    size_t n, capacity;
};

static int append(void *context, const uint8_t *bytes, size_t n)
{
    struct bytes *out = context;

    if (out->capacity - out->n < n) {
        out->capacity = 2 * out->capacity + n;
        out->data = realloc(out->data, out->capacity);
        if (out->data == NULL)
            abort();
    }
    memcpy(out->data + out->n, bytes, n);
    out->n += n;
    return ETM_OK;
}

/* From the first I-sync to the last whole packet. */
struct cut {
    bool any;
    uint64_t first, end;
};

static bool is_i_sync(unsigned kind)
{
    return kind == ETM_PACKET_I_SYNC || kind == ETM_PACKET_I_SYNC_CYCLE_COUNT;
}

static int look(void *context, const struct etm_packet *packets, size_t n)
{
    struct cut *cut = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_packet *p = &packets[i];

        if (is_i_sync(p->kind) && !cut->any) {
            cut->first = p->offset;
            cut->any = true;
        }
        if (p->kind != ETM_PACKET_BAD)
            cut->end = p->offset + p->size;
    }
    return ETM_OK;
}

static struct cut find_cut(const struct etm_bench_stream *s,
                           const uint8_t *from, size_t n)
{
    struct cut cut = {0};
    struct etm_packet_decoder_config how = {.size = sizeof how,
                                            .config = &s->config,
                                            .packets = look,
                                            .context = &cut};
    struct etm_packet_decoder *decoder;

    if (etm_packet_decoder_new(&decoder, &how) != ETM_OK ||
        etm_packet_decoder_push(decoder, from, n) != ETM_OK)
        abort();
    etm_packet_decoder_free(decoder);
    return cut;
}

/*
 * Repeat `from` up to the size wanted: an A-sync, its first I-sync, which tells
 * where the program goes on, and what follows up to the last whole packet.
 */
static bool repeat(struct etm_bench_stream *s, const uint8_t *from, size_t n,
                   size_t wanted)
{
    static const uint8_t a_sync[6] = {0, 0, 0, 0, 0, 0x80};
    struct cut cut = find_cut(s, from, n);
    size_t rest = (size_t)(cut.end - cut.first);

    if (!cut.any) {
        printf("%s: no synchronization, left out\n", s->name);
        return false;
    }
    s->period = sizeof a_sync + rest;
    s->n = (wanted + s->period - 1) / s->period * s->period;
    s->bytes = etm_bench_memory(s->n);
    for (size_t at = 0; at < s->n; at += s->period) {
        memcpy(s->bytes + at, a_sync, sizeof a_sync);
        memcpy(s->bytes + at + sizeof a_sync, from + cut.first, rest);
    }
    return true;
}

static void set_code(struct etm_bench_stream *s, uint32_t address,
                     const uint8_t *code, size_t size)
{
    s->code_address = address;
    s->code_size = size;
    s->code = etm_bench_memory(size);
    memcpy(s->code, code, size);
    if (etm_image_new(&s->image, NULL) != ETM_OK ||
        etm_image_add(s->image, address, s->code, size, NULL) != ETM_OK)
        abort();
}

static bool open_capture(struct etm_bench_stream *s, const struct row *row,
                         size_t wanted)
{
    const struct etm_test_source *source = etm_test_source(row->source);
    struct etm_test_capture capture;
    bool usable;

    if (!etm_test_open(source, &capture))
        return false;
    s->config = capture.config;
    s->etmcr = source->etmcr;
    s->etmidr = source->etmidr;
    s->etmccer = source->etmccer;
    set_code(s, source->address, capture.program.data, capture.program.n);
    usable = repeat(s, capture.stream.bytes, capture.stream.n, wanted);
    etm_test_close(&capture);
    return usable;
}

/* One record for each cycle of a trace port: no A-sync, no packets to begin
 * with, and nothing that it could be repeated by. */
static bool is_port(const struct row *row)
{
    return row->protocol == ETM_PROTOCOL_ETMV1 ||
           row->protocol == ETM_PROTOCOL_ETMV2;
}

static void make_config(struct etm_bench_stream *s, const struct row *row)
{
    struct etm_register registers[64];
    int n;

    s->config =
        (struct etm_config){.size = sizeof s->config,
                            .protocol = row->protocol,
                            .profile = ETM_PROFILE_A,
                            .minor = row->minor,
                            .trace_id = 0x10,
                            .cycle_accurate = row->cycle_accurate,
                            .return_stack_implemented = row->return_stack,
                            .return_stack = row->return_stack,
                            .security = !is_port(row),
                            .data_address = row->data,
                            .data_value = row->data};
    if (row->protocol == ETM_PROTOCOL_ETMV3)
        s->config.alternative_branches = true;
    if (!s->rival)
        return; /* the registers are for OpenCSD */
    n = etm_config_to_registers(&s->config, registers, 64);
    for (int i = 0; i < n; i++) {
        if (registers[i].number == etm_register_number("ETMCR"))
            s->etmcr = (uint32_t)registers[i].value;
        if (registers[i].number == etm_register_number("ETMIDR"))
            s->etmidr = (uint32_t)registers[i].value;
        if (registers[i].number == etm_register_number("ETMCCER"))
            s->etmccer = (uint32_t)registers[i].value;
    }
    if (n < 0 || s->etmidr == 0)
        abort();
}

static bool generate(struct etm_bench_stream *s, const struct row *row,
                     size_t wanted)
{
    struct bytes out = {NULL, 0, 0};
    struct etm_generator_config how = {.size = sizeof how,
                                       .config = &s->config,
                                       .bytes = append,
                                       .context = &out};
    struct etm_bench_program program;
    struct etm_bench_walk walk;
    struct etm_event events[ETM_BENCH_EVENTS];
    struct etm_generator *generator;
    bool usable;
    int status;

    make_config(s, row);
    /* OpenCSD loses Thumb state at ETMv3 branches */
    etm_bench_program_init(&program, FUNCTIONS,
                           row->protocol == ETM_PROTOCOL_PFT);
    etm_bench_walk_init(&walk, &program, row->data);
    set_code(s, program.address, program.code, program.size);
    if (etm_generator_new(&generator, &how) != ETM_OK)
        abort();
    events[0] = etm_bench_walk_on(&walk);
    status = etm_generator_push(generator, events, 1);
    while (status == ETM_OK && out.n < (is_port(row) ? wanted : GENERATED))
        status = etm_generator_push(generator, events,
                                    etm_bench_walk_next(&walk, events));
    if (status != ETM_OK)
        abort();
    etm_generator_free(generator);
    etm_bench_program_fini(&program);
    if (is_port(row)) {
        s->bytes = out.data;
        s->n = s->period = out.n;
        return true;
    }
    usable = repeat(s, out.data, out.n, wanted);
    free(out.data);
    return usable;
}

bool etm_bench_stream_init(struct etm_bench_stream *stream, size_t index,
                           size_t bytes)
{
    bool usable;

    memset(stream, 0, sizeof *stream);
    stream->name = rows[index].name;
    stream->rival = !is_port(&rows[index]) && !rows[index].data;
    usable = rows[index].source != NULL
                 ? open_capture(stream, &rows[index], bytes)
                 : generate(stream, &rows[index], bytes);
    if (!usable)
        etm_bench_stream_fini(stream);
    return usable;
}

void etm_bench_stream_fini(struct etm_bench_stream *stream)
{
    etm_image_free(stream->image);
    free(stream->code);
    free(stream->bytes);
    memset(stream, 0, sizeof *stream);
}
