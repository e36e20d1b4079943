/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of libetm that allocate. */
#include "scarce.h"

#include "../support/receive.h"

#include <stdlib.h>
#include <string.h>

RECEIVE(take_elements, const struct etm_element *)
RECEIVE(take_packets, const struct etm_packet *)
RECEIVE(take_bytes, const uint8_t *)
RECEIVE_ONE(take_count, const struct etm_count *)

static int take_events(void *context, const struct etm_event *e, size_t n)
{
    (void)e;
    (void)n;
    if (context != NULL)
        (void)etm_execution_reader_line(*(void **)context, 0);
    return ETM_OK;
}

/* Thumb: nop, nop, b to the first; at 0x8000. */
static const uint8_t code[] = {0x00, 0xbf, 0x00, 0xbf, 0xfc, 0xe7};

/* As many instructions as this, so that whatever grows has grown. */
#define INSNS 3000u

static struct etm_event insn(size_t i)
{
    struct etm_event e = {.kind = ETM_EVENT_INSN, .cycles = 1};

    e.u.insn.address = 0x8000 + (uint32_t)(i % 3) * 2;
    e.u.insn.opcode = i % 3 == 2 ? 0xe7fc : 0xbf00;
    e.u.insn.isa = ETM_ISA_THUMB;
    e.u.insn.size = 2;
    e.u.insn.passed = true;
    e.u.insn.next.isa = ETM_ISA_UNKNOWN;
    if (i % 3 == 2)
        e.u.insn.next =
            (struct etm_place){.address = 0x8000, .isa = ETM_ISA_THUMB};
    return e;
}

/* Static: the allocator is not asked for it. */
static const struct etm_event *execution(size_t *n)
{
    static struct etm_event events[INSNS + 1];

    events[0] = (struct etm_event){.kind = ETM_EVENT_TRACE_ON};
    events[0].u.trace_on.at =
        (struct etm_place){.address = 0x8000, .isa = ETM_ISA_THUMB};
    for (size_t i = 0; i < INSNS; i++)
        events[i + 1] = insn(i);
    *n = INSNS + 1;
    return events;
}

struct stream {
    uint8_t bytes[65536];
    size_t n;
};

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    struct stream *s = context;

    if (n > sizeof s->bytes - s->n)
        n = sizeof s->bytes - s->n;
    memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
    return ETM_OK;
}

static const struct etm_config pft = {
    .protocol = ETM_PROTOCOL_PFT, .minor = 1, .sync_period = 100};

static int generator(void)
{
    static struct stream stream;
    const struct etm_generator_config config = {
        .config = &pft, .bytes = keep, .context = &stream};
    struct etm_generator *made;
    size_t n;
    const struct etm_event *events = execution(&n);
    int status = etm_generator_new(&made, &config);

    THEN(etm_generator_push(made, events, n));
    THEN(etm_generator_finish(made));
    etm_generator_free(made);
    return status;
}

/* The trace of the execution, made once. */
static const struct stream *trace(void)
{
    static struct stream stream;
    const struct etm_generator_config config = {
        .config = &pft, .bytes = keep, .context = &stream};
    struct etm_generator *made;
    size_t n;
    const struct etm_event *events = execution(&n);

    if (stream.n == 0 && etm_generator_new(&made, &config) == ETM_OK) {
        (void)etm_generator_push(made, events, n);
        (void)etm_generator_finish(made);
        etm_generator_free(made);
    }
    return &stream;
}

static int image(void)
{
    struct etm_image *made;
    struct etm_space space;
    uint32_t address;
    uint8_t byte;
    size_t size;
    int status = etm_image_new(&made, NULL);

    THEN(etm_image_add(made, 0x8000, code, sizeof code, NULL));
    for (uint32_t at = 0x10000; at < 0x20000; at += 0x1000)
        THEN(etm_image_add_copy(made, at, code, sizeof code, NULL));
    if (status == ETM_OK && (etm_image_regions(made) != 17 ||
                             etm_image_read(made, 0x8000, NULL, &byte, 1) != 1))
        abort();
    THEN(etm_image_region(made, 0, &address, &size, &space));
    etm_image_free(made);
    return status;
}

static int counts(void)
{
    struct etm_counts *made;
    struct etm_count count = {.n = 1, .insns = 1};
    int status = etm_counts_new(&made, NULL);

    for (uint32_t i = 0; i < 2000; i++) {
        count.start = 0x8000 + 2 * (i * 37 % 1999);
        count.end = count.start + 2;
        count.last_address = count.start;
        count.isa = ETM_ISA_THUMB;
        THEN(etm_counts_add(made, &count));
    }
    THEN(etm_counts_walk(made, take_count, NULL));
    etm_counts_free(made);
    return status;
}

static int decode(enum etm_level level)
{
    const struct stream *s = trace();
    struct etm_image *made;
    struct etm_decoder *decoder = NULL;
    struct etm_decoder_config config = {.size = sizeof config,
                                        .config = &pft,
                                        .level = level,
                                        .elements = take_elements};
    int status = etm_image_new(&made, NULL);

    THEN(etm_image_add(made, 0x8000, code, sizeof code, NULL));
    config.image = made;
    THEN(etm_decoder_new(&decoder, &config));
    THEN(etm_decoder_push(decoder, s->bytes, s->n));
    THEN(etm_decoder_gap(decoder, 3));
    THEN(etm_decoder_push(decoder, s->bytes, s->n));
    THEN(etm_decoder_finish(decoder));
    if (level == ETM_LEVEL_COUNTS) {
        THEN(etm_decoder_counts(decoder, take_count, NULL));
        if (status == ETM_OK)
            (void)etm_decoder_counted_cycles(decoder);
    }
    THEN(etm_decoder_reset(decoder));
    THEN(etm_decoder_push(decoder, s->bytes, s->n));
    etm_decoder_free(decoder);
    etm_image_free(made);
    return status;
}

static int ranges(void)
{
    return decode(ETM_LEVEL_RANGES);
}

static int decode_counts(void)
{
    return decode(ETM_LEVEL_COUNTS);
}

static int packets(void)
{
    const struct stream *s = trace();
    const struct etm_packet_decoder_config config = {.config = &pft,
                                                     .packets = take_packets};
    struct etm_packet_decoder *made;
    int status = etm_packet_decoder_new(&made, &config);

    THEN(etm_packet_decoder_push(made, s->bytes, s->n));
    THEN(etm_packet_decoder_gap(made));
    THEN(etm_packet_decoder_push(made, s->bytes, s->n));
    THEN(etm_packet_decoder_finish(made));
    etm_packet_decoder_free(made);
    return status;
}

static int frames(void)
{
    const struct stream *s = trace();
    const struct etm_framer_config config = {.layout = ETM_FRAME_ALIGNED};
    const struct etm_deframer_config back = {.layout = ETM_FRAME_ALIGNED,
                                             .id = 0x10};
    struct etm_framer *framer;
    struct etm_deframer *deframer = NULL;
    struct etm_deframed made;
    struct etm_frame_counts counted;
    const uint8_t *bytes = NULL;
    size_t n = 0;
    int status = etm_framer_new(&framer, &config);

    THEN(etm_framer_push(framer, 0x10, s->bytes, s->n));
    THEN(etm_framer_push(framer, 0x11, s->bytes, s->n));
    THEN(etm_framer_flush(framer));
    if (status == ETM_OK)
        etm_framer_take(framer, &bytes, &n);
    THEN(etm_deframer_new(&deframer, &back));
    THEN(etm_deframer_push(deframer, bytes, n));
    THEN(etm_deframer_push(deframer, bytes, n));
    THEN(etm_deframer_finish(deframer));
    if (status == ETM_OK) {
        etm_deframer_take(deframer, &made);
        (void)etm_deframer_counts(deframer);
    }
    THEN(etm_frame_survey(&counted, ETM_FRAME_TPIU, bytes, n, NULL));
    etm_deframer_free(deframer);
    etm_framer_free(framer);
    return status;
}

static int pins(void)
{
    const struct stream *s = trace();
    const struct etm_port_config config = {.protocol = ETM_PROTOCOL_ETMV3,
                                           .width = 4};
    struct etm_packer *packer;
    struct etm_unpacker *unpacker = NULL;
    const struct etm_port_sample *samples = NULL;
    struct etm_unpacked made;
    size_t n = 0;
    int status = etm_packer_new(&packer, &config);

    THEN(etm_packer_push(packer, s->bytes, s->n));
    THEN(etm_packer_trigger(packer));
    THEN(etm_packer_idle(packer, 300));
    THEN(etm_packer_drain(packer));
    if (status == ETM_OK)
        etm_packer_take(packer, &samples, &n);
    THEN(etm_unpacker_new(&unpacker, &config));
    THEN(etm_unpacker_push(unpacker, samples, n));
    if (status == ETM_OK) {
        etm_unpacker_take(unpacker, &made);
        (void)etm_unpacker_counts(unpacker);
    }
    etm_unpacker_free(unpacker);
    etm_packer_free(packer);
    return status;
}

static int realigner(void)
{
    const struct stream *s = trace();
    const struct etm_realigner_config config = {.hold = 0};
    struct etm_realigner *made;
    struct etm_realigned out;
    int status = etm_realigner_new(&made, &config);

    THEN(etm_realigner_push(made, s->bytes, s->n));
    THEN(etm_realigner_finish(made));
    if (status == ETM_OK)
        etm_realigner_take(made, &out);
    etm_realigner_free(made);
    return status;
}

static int macrocell(void)
{
    static const struct etm_macrocell_pins pins_of;
    const struct etm_macrocell_output output = {.bytes = take_bytes};
    struct etm_macrocell_config config = {.size = sizeof config};
    struct etm_config trace_config = {0};
    struct etm_macrocell_signals signals;
    struct etm_macrocell *made = NULL;
    const struct etm_core *core;
    struct etm_event place = {.kind = ETM_EVENT_PLACE};
    struct etm_setup setup = {0};
    uint32_t value;
    size_t n;
    const struct etm_event *events = execution(&n);
    int status = etm_core_find("Cortex-A9", &core);

    THEN(etm_core_macrocell(core, NULL, &config, &trace_config, NULL));
    THEN(etm_macrocell_new(&made, &config, NULL));
    if (status != ETM_OK)
        return status;
    THEN(etm_macrocell_connect(made, &output));
    etm_macrocell_power(made, true, true);
    etm_macrocell_set_pins(made, &pins_of);
    (void)etm_macrocell_write(made, 0, ETM_ACCESS_DEBUGGER, 0x400);
    (void)etm_macrocell_read(made, 0, ETM_ACCESS_DEBUGGER, &value);
    (void)etm_macrocell_scan(made, etm_jtag_scan(0, false, 0));
    (void)etm_macrocell_coprocessor(made, 0, 0, 0);
    (void)etm_setup_set(&setup, 0, 0);
    (void)etm_setup_apply(&setup, made, ETM_ACCESS_DEBUGGER, NULL);
    place.u.place.at =
        (struct etm_place){.address = 0x8000, .isa = ETM_ISA_THUMB};
    THEN(etm_macrocell_run(made, &place, 1));
    THEN(etm_macrocell_run(made, events + 1, n - 1));
    (void)etm_macrocell_taken(made);
    THEN(etm_macrocell_finish(made));
    etm_macrocell_get_signals(made, &signals);
    etm_macrocell_trace_config(made, &trace_config);
    (void)etm_macrocell_mistakes(made);
    etm_macrocell_reset(made);
    etm_macrocell_free(made);
    return status;
}

struct text {
    char of[1 << 18];
    size_t n;
};

static int keep_text(void *context, const char *text, size_t n)
{
    struct text *t = context;

    if (n > sizeof t->of - t->n)
        n = sizeof t->of - t->n;
    memcpy(t->of + t->n, text, n);
    t->n += n;
    return ETM_OK;
}

static int execution_log(void)
{
    static struct text text;
    const struct etm_execution_writer_config write = {.write = keep_text,
                                                      .context = &text};
    void *reading = NULL;
    const struct etm_execution_reader_config read = {
        .name = "log", .events = take_events, .context = &reading};
    struct etm_execution_report report;
    struct etm_execution_writer *writer;
    struct etm_execution_reader *reader = NULL;
    size_t n;
    const struct etm_event *events = execution(&n);
    int status = etm_execution_writer_new(&writer, &write);

    text.n = 0;
    THEN(etm_execution_writer_push(writer, events, n));
    THEN(etm_execution_writer_finish(writer));
    THEN(etm_execution_reader_new(&reader, &read));
    reading = reader;
    THEN(etm_execution_reader_push(reader, text.of, text.n, NULL));
    THEN(etm_execution_reader_finish(reader, NULL));
    if (status == ETM_OK)
        etm_execution_reader_report(reader, &report);
    etm_execution_reader_free(reader);
    etm_execution_writer_free(writer);
    return status;
}

static int read_setup(void)
{
    static const char text[] = "ETMCR = 0x400\n";
    static struct etm_setup setup;
    static struct etm_setup_listing listing;
    int status = etm_setup_read(&setup, text, sizeof text - 1, NULL);

    THEN(etm_setup_read_listing(&setup, &listing, text, sizeof text - 1, NULL));
    return status;
}

const struct exercise core_exercises[] = {
    {"generator", generator},
    {"image", image},
    {"counts", counts},
    {"ranges", ranges},
    {"counting", decode_counts},
    {"packets", packets},
    {"frames", frames},
    {"pins", pins},
    {"realigner", realigner},
    {"macrocell", macrocell},
    {"setup", read_setup},
    {"log", execution_log},
    {NULL, NULL},
};
