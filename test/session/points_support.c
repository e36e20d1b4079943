/* SPDX-License-Identifier: Apache-2.0 */
#include "points_support.h"

#include "trace.h"

#include <etm/write.h>

#include <stdlib.h>
#include <string.h>

#define EVENTS 12000u
#define BYTES 400000u
#define CODE 0x8000u

/* Two loops; an instruction of the first one leads to either. */
static const uint32_t program[] = {
    0xe1a00000, /* 8000 mov r0, r0 */
    0xe1a00000, /* 8004 mov r0, r0 */
    0xe12fff10, /* 8008 bx r0 */
    0xe1a00000, /* 800c mov r0, r0 */
    0xeafffffa  /* 8010 b 8000 */
};

static struct etm_event events[EVENTS];

static size_t begin_trace(size_t n, uint32_t at)
{
    events[n] = (struct etm_event){
        .kind = ETM_EVENT_TRACE_ON,
        .cycles = n == 0 ? 0 : 70,
        .u.trace_on = {.reason = ETM_TRACE_ON_START,
                       .at = {.address = at, .isa = ETM_ISA_ARM}}};
    return n + 1;
}

static size_t execute(const struct etm_config *config)
{
    static const uint32_t after[] = {0x8004, 0x8008, 0, 0x8010, 0x8000};
    uint32_t at = CODE, random = 1;
    /* in ETMv1 there is a point at each indirect branch */
    size_t all = config->protocol == ETM_PROTOCOL_ETMV1 ? 800 : EVENTS, n = 0;

    events[n++] = (struct etm_event){.kind = ETM_EVENT_CONTEXT,
                                     .u.context.context_id = 0x1234};
    n = begin_trace(n, at);
    while (n + 4 < all) {
        uint32_t i = (at - CODE) / 4, next = after[i];

        if (next == 0)
            next = etm_test_random(&random) % 2 != 0 ? 0x8000 : 0x800c;
        events[n++] = (struct etm_event){
            .kind = ETM_EVENT_INSN,
            .cycles = 1 + etm_test_random(&random) % 3,
            .u.insn = {.address = at,
                       .opcode = program[i],
                       .isa = ETM_ISA_ARM,
                       .size = 4,
                       .passed = true,
                       .next = {.address = next, .isa = ETM_ISA_ARM}}};
        at = next;
        if (config->timestamps && n % 500 == 0) {
            events[n] = (struct etm_event){.kind = ETM_EVENT_TIMESTAMP,
                                           .u.timestamp.value = 1000 + 10 * n};
            n++;
        }
        if (n >= all / 2 && n < all / 2 + 3) {
            events[n++] = (struct etm_event){.kind = ETM_EVENT_TRACE_OFF};
            n = begin_trace(n, at);
        }
    }
    return n;
}

void write_kind(const struct kind *kind)
{
    static uint8_t bytes[BYTES];
    bool etmv1 = kind->config.protocol == ETM_PROTOCOL_ETMV1;
    struct etm_snapshot_writer_config how = {.directory = in_directory("")};
    struct etm_snapshot_core core = {.type = "Cortex-A9"};
    struct etm_snapshot_buffer buffer = {.framing = kind->framing};
    struct etm_generator_config generator = {.config = &kind->config,
                                             .full_addresses = etmv1};
    struct etm_register registers[32];
    struct etm_snapshot_source source = {.config = &kind->config,
                                         .registers = registers};
    struct etm_snapshot_writer *w;
    uint8_t code[sizeof program];
    size_t n = trace_make(&generator, events, execute(&kind->config), bytes,
                          sizeof bytes);
    int count = etm_config_to_registers(&kind->config, registers, 32);

    assert_in_range(count, 1, 32);
    source.n_registers = (size_t)count;
    for (size_t i = 0; i < sizeof code; i++)
        code[i] = (uint8_t)(program[i / 4] >> 8 * (i % 4));
    OK(etm_snapshot_writer_new(&w, &how, NULL));
    OK(etm_snapshot_add_core(w, &core, NULL, NULL));
    OK(etm_snapshot_add_memory(w, 0, "code.bin", CODE, code, sizeof code, NULL,
                               NULL));
    OK(etm_snapshot_add_buffer(w, &buffer, NULL, NULL));
    OK(etm_snapshot_add_source(w, &source, NULL, NULL));
    OK(etm_snapshot_add_trace(w, 0, bytes, n, NULL));
    OK(etm_snapshot_writer_finish(w, NULL));
    etm_snapshot_writer_free(w);
}

struct etm_session *open_written(const struct etm_allocator *allocator)
{
    struct etm_session_options options = {.size = sizeof options,
                                          .allocator = allocator};
    struct etm_session *session = NULL;

    (void)etm_session_open(&session, in_directory(""), &options, NULL);
    return session;
}

struct etm_session *open_kind(const struct kind *kind,
                              const struct etm_allocator *allocator)
{
    struct etm_session *session;

    write_kind(kind);
    session = open_written(allocator);
    assert_non_null(session);
    assert_int_equal(etm_session_sources(session), 1);
    return session;
}

static int keep(void *context, const struct etm_point *point)
{
    struct points *points = context;

    assert_true(points->n < POINTS);
    points->all[points->n++] = *point;
    return points->n == points->stop_at ? 7 : 0;
}

int find_points(const struct etm_session *session, const struct etm_point *from,
                struct points *points)
{
    struct etm_session_points how = {.size = sizeof how,
                                     .point = keep,
                                     .context = points,
                                     .from = from,
                                     .end = &points->end};

    points->n = 0;
    points->end = (struct etm_point){.size = sizeof points->end};
    return etm_session_find_points(session, 0, &how, NULL);
}

void decode_from(const struct etm_session *session, uint64_t begin,
                 struct etm_test_elements *elements)
{
    struct etm_session_run run = {.size = sizeof run,
                                  .level = ETM_LEVEL_INSTRUCTIONS,
                                  .elements = etm_test_collect,
                                  .context = elements,
                                  .begin = begin};

    elements->n = 0;
    OK(etm_session_run_source(session, 0, &run, NULL));
}
