/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ETMv1 against the trace analyser of OpenOCD (etm load, etm image, etm
 * analyze): random programs, traced by the generator, decoded by both
 * (doc/comparison.md). Without OpenOCD there is nothing to test.
 */
#define _POSIX_C_SOURCE 200809L

#include "../support/random.h"
#include "../support/test.h"
#include "openocd.h"

#include "input/port_reader.h"

#include <etm/decode.h>
#include <etm/model.h>

#define IMAGE 0x800u /* bytes, from address 0 */
#define PROGRAM 0x400u
#define STEPS 1500u

static struct {
    struct random r;
    struct etm_config config;
    char folder[64];
    unsigned wait; /* cycles between instructions, for the FIFO to drain */
    bool trigger;  /* in the middle */
    uint8_t image[IMAGE];
    size_t n_events, n;
    struct etm_event events[OPENOCD_MAX];
    uint8_t bytes[1u << 20];
    struct openocd_listing expected, ours, theirs;
} t;

enum op { NOP, ADDNE, B, BEQ, BX, MOV_PC, SVC, LDR, LDRB, LDRH, STR, LDM, OPS };

static const uint32_t opcodes[OPS] = {
    0xe1a00000, 0x12800001, 0xea000000, 0x0a000000, 0xe12fff1e, 0xe1a0f00e,
    0xef000000, 0xe5920000, 0xe5d20000, 0xe1d200b0, 0xe5820000, 0xe8920003};

static uint32_t opcode_at(uint32_t address)
{
    const uint8_t *b = &t.image[address];

    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 |
           (uint32_t)b[3] << 24;
}

static void put(uint32_t address, uint32_t opcode)
{
    for (unsigned i = 0; i < 4; i++)
        t.image[address + i] = (uint8_t)(opcode >> (8 * i));
}

static uint32_t anywhere(void)
{
    return PROGRAM + 4 * random_below(&t.r, (IMAGE - PROGRAM) / 4);
}

static void make_program(void)
{
    for (uint32_t a = 0; a < PROGRAM; a += 4)
        put(a, 0xe25ef004); /* subs pc, lr, #4 */
    for (uint32_t a = PROGRAM; a < IMAGE; a += 4) {
        uint32_t op = random_chance(&t.r, 40) ? NOP : random_below(&t.r, OPS);
        uint32_t opcode = opcodes[op];

        if (op == B || op == BEQ)
            opcode |= ((anywhere() - a - 8) >> 2) & 0xffffff;
        put(a, opcode);
    }
}

static struct etm_event *event(enum etm_event_kind kind)
{
    struct etm_event *e = &t.events[t.n_events++];

    assert_true(t.n_events <= OPENOCD_MAX);
    memset(e, 0, sizeof *e);
    e->kind = (uint8_t)kind;
    e->cycles = 1 + random_below(&t.r, 3) + t.wait;
    return e;
}

static void on(uint32_t address)
{
    struct etm_event *e = event(ETM_EVENT_TRACE_ON);

    e->u.trace_on.reason = ETM_TRACE_ON_START;
    e->u.trace_on.at.address = address;
    e->u.trace_on.at.isa = ETM_ISA_ARM;
}

/* The transfers of a data instruction. */
static void move(uint32_t opcode)
{
    unsigned n = opcode == opcodes[LDM] ? 2 : 1, size = 4;
    uint32_t address = 0x20000 + 4 * random_below(&t.r, 64);

    if (opcode == opcodes[LDRB])
        size = 1;
    else if (opcode == opcodes[LDRH])
        size = 2;
    for (unsigned i = 0; i < n; i++) {
        struct etm_event *e = event(ETM_EVENT_DATA);

        e->cycles += t.wait;
        if (i == 0)
            t.expected.addresses[t.expected.n_addresses++] = address;
        e->u.data.address = address + 4 * i;
        e->u.data.size = (uint8_t)size;
        e->u.data.store = opcode == opcodes[STR];
        e->u.data.value = (uint32_t)random_next(&t.r) >> (32 - 8 * size);
        t.expected.values[t.expected.n_values++] = (uint32_t)e->u.data.value;
    }
}

static uint32_t interrupt(uint32_t vector, enum etm_exception_type type)
{
    struct etm_event *e = event(ETM_EVENT_EXCEPTION);

    e->u.exception.type = (uint8_t)type;
    e->u.exception.cancels = type == ETM_EXCEPTION_IRQ;
    e->u.exception.next.address = vector;
    e->u.exception.next.isa = ETM_ISA_ARM;
    return vector;
}

/* One instruction; where the program goes on. */
static uint32_t step(uint32_t pc)
{
    uint32_t opcode = opcode_at(pc), next = pc + 4;
    struct openocd_insn *x = &t.expected.insns[t.expected.n_insns];
    struct etm_event *e = event(ETM_EVENT_INSN);
    bool interrupted = pc >= PROGRAM && random_chance(&t.r, 1);
    bool conditional = opcode >> 28 != 0xe;

    *x = (struct openocd_insn){pc, opcode,
                               !conditional || random_chance(&t.r, 50),
                               opcode == opcodes[SVC]};
    if (pc < PROGRAM || opcode == opcodes[BX] || opcode == opcodes[MOV_PC])
        next = anywhere();
    else if ((opcode >> 24 & 0xf) == 0xa && x->passed)
        next = pc + 8 + (uint32_t)((int32_t)(opcode << 8) >> 6);
    if (next >= IMAGE)
        next = PROGRAM; /* after the last one nothing is known */
    e->u.insn.address = pc;
    e->u.insn.opcode = opcode;
    e->u.insn.isa = ETM_ISA_ARM;
    e->u.insn.size = 4;
    e->u.insn.passed = x->passed;
    e->u.insn.next.address = next;
    e->u.insn.next.isa = ETM_ISA_ARM;
    if (interrupted)
        return interrupt(0x18, ETM_EXCEPTION_IRQ);
    t.expected.n_insns++;
    if (x->svc)
        return interrupt(0x08, ETM_EXCEPTION_SVC);
    if ((opcode & 0x0c000000) == 0x04000000 || opcode == opcodes[LDRH] ||
        opcode == opcodes[LDM])
        move(opcode);
    return next;
}

static void make_execution(void)
{
    uint32_t pc = PROGRAM;

    t.n_events = 0;
    t.expected.n_insns = t.expected.n_values = t.expected.n_addresses = 0;
    t.expected.n_triggers = t.trigger;
    put(IMAGE - 4, opcodes[BX]); /* and none runs over the end */
    on(pc);
    for (unsigned i = 0; i < STEPS; i++) {
        pc = step(pc);
        if (t.trigger && i == STEPS / 2)
            event(ETM_EVENT_TRIGGER);
        if (random_chance(&t.r, 1)) {
            event(ETM_EVENT_TRACE_OFF);
            pc = anywhere();
            on(pc);
        }
    }
    event(ETM_EVENT_TRACE_OFF);
    event(ETM_EVENT_IDLE)->cycles = 100;
}

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    assert_true(n <= sizeof t.bytes - t.n);
    memcpy(t.bytes + t.n, bytes, n);
    t.n += n;
    return ETM_OK;
}

static void generate(void)
{
    struct etm_generator_config options = {.size = sizeof options,
                                           .config = &t.config,
                                           .bytes = keep,
                                           .fifo_size = 255};
    struct etm_generator *g;

    t.n = 0;
    assert_ok(etm_generator_new(&g, &options));
    assert_ok(etm_generator_push(g, t.events, t.n_events));
    assert_ok(etm_generator_finish(g));
    etm_generator_free(g);
}

static int take(void *context, const struct etm_element *e, size_t n)
{
    struct openocd_listing *l = context;

    for (size_t i = 0; i < n; i++, e++) {
        if (e->kind == ETM_ELEMENT_INSN)
            l->insns[l->n_insns++] =
                (struct openocd_insn){e->u.insn.address, e->u.insn.opcode,
                                      e->u.insn.exec == ETM_TRUE, false};
        l->n_triggers += e->kind == ETM_ELEMENT_TRIGGER;
        if (e->kind == ETM_ELEMENT_DATA && e->u.data.value_known)
            l->values[l->n_values++] = (uint32_t)e->u.data.value;
        if (e->kind == ETM_ELEMENT_DATA && e->u.data.index == 0 &&
            e->u.data.address_known)
            l->addresses[l->n_addresses++] = e->u.data.address;
        assert_int_not_equal(e->kind, ETM_ELEMENT_LOST);
    }
    return ETM_OK;
}

static void decode(void)
{
    struct etm_decoder_config options = {.size = sizeof options,
                                         .config = &t.config,
                                         .level = ETM_LEVEL_INSTRUCTIONS,
                                         .elements = take,
                                         .context = &t.ours};
    struct etm_decoder *d;
    struct etm_image *image;

    t.ours.n_insns = t.ours.n_values = 0;
    t.ours.n_addresses = t.ours.n_triggers = 0;
    assert_ok(etm_image_new(&image, NULL));
    assert_ok(etm_image_add_copy(image, 0, t.image, IMAGE, NULL));
    options.image = image;
    assert_ok(etm_decoder_new(&d, &options));
    assert_ok(etm_decoder_push(d, t.bytes, t.n));
    assert_ok(etm_decoder_finish(d));
    etm_decoder_free(d);
    etm_image_free(image);
}

/* How many instructions are right, from the first one on; all of them if *all
 * becomes true. */
static size_t right_insns(const struct openocd_listing *l, bool with_svc,
                          bool *all)
{
    size_t n = 0;

    *all = false;
    for (size_t i = 0; i < t.expected.n_insns; i++) {
        const struct openocd_insn *e = &t.expected.insns[i], *x = &l->insns[n];

        if (e->svc && !with_svc)
            continue;
        if (n >= l->n_insns || e->address != x->address ||
            e->opcode != x->opcode || e->passed != x->passed)
            return n;
        n++;
    }
    *all = n == l->n_insns;
    return n;
}

static void same_insns(const struct openocd_listing *l, bool with_svc,
                       const char *who)
{
    bool all;
    size_t n = right_insns(l, with_svc, &all);

    if (!all)
        fail_msg("%s, v1.%u, %u pins: only %zu of %zu instructions are right",
                 who, t.config.minor, t.config.port_width, n,
                 t.expected.n_insns);
}

static void same_data(const struct openocd_listing *l)
{
    if (t.config.data_value) {
        assert_int_equal(l->n_values, t.expected.n_values);
        assert_memory_equal(l->values, t.expected.values,
                            l->n_values * sizeof *l->values);
    }
    if (t.config.data_address) {
        assert_int_equal(l->n_addresses, t.expected.n_addresses);
        assert_memory_equal(l->addresses, t.expected.addresses,
                            l->n_addresses * sizeof *l->addresses);
    }
}

/* The file is one of ours too: its samples are those of the stream. */
static void same_samples(void)
{
    struct etm_port_reader_config config = {
        .port = {.size = sizeof config.port,
                 .protocol = ETM_PROTOCOL_ETMV1,
                 .width = t.config.port_width},
        .form = ETM_PORT_FORM_OPENOCD};
    size_t size = t.config.port_width == 16 ? 3 : 2, n;
    struct etm_port_reader reader;
    const struct etm_port_sample *x;
    struct etm_vec samples;
    uint8_t piece[999];
    char path[128];
    FILE *file;

    snprintf(path, sizeof path, "%s/dump", t.folder);
    file = fopen(path, "rb");
    assert_non_null(file);
    etm_vec_init(&samples, sizeof *x, NULL);
    assert_ok(etm_port_reader_init(&reader, &config, NULL));
    while ((n = fread(piece, 1, sizeof piece, file)) != 0)
        assert_ok(etm_port_reader_push(&reader, piece, n, &samples, NULL));
    assert_ok(etm_port_reader_finish(&reader, &samples, NULL));
    fclose(file);
    x = samples.data;
    assert_int_equal(samples.n, t.n / size);
    for (size_t i = 0; i < samples.n; i++) {
        const uint8_t *b = &t.bytes[i * size];

        assert_int_equal(x[i].status, b[0] & 7);
        assert_int_equal(x[i].control, b[0] >> 7);
        assert_int_equal(x[i].data, b[1] | (size == 3 ? b[2] << 8 : 0));
    }
    etm_port_reader_fini(&reader);
    etm_vec_fini(&samples);
}

static void begin(unsigned minor, unsigned pins, uint64_t seed)
{
    memset(&t.config, 0, sizeof t.config);
    t.config.protocol = ETM_PROTOCOL_ETMV1;
    t.config.minor = (uint8_t)minor;
    t.config.port_width = (uint8_t)pins;
    t.wait = pins == 4 ? 12 : 5;
    t.trigger = pins != 4;
    t.r.state = seed;
    if (!openocd_usable(t.folder, &t.config))
        skip();
}

static void run_both(void)
{
    make_program();
    make_execution();
    generate();
    decode();
    same_insns(&t.ours, true, "we");
    same_data(&t.ours);
    assert_int_equal(t.ours.n_triggers, t.expected.n_triggers);
    openocd_write(t.folder, &t.config, t.image, IMAGE, t.bytes, t.n);
    openocd_run(t.folder, &t.theirs);
    same_samples();
}

static void compare(void)
{
    run_both();
    same_insns(&t.theirs, false, "OpenOCD");
    same_data(&t.theirs);
    assert_int_equal(t.theirs.n_triggers, t.expected.n_triggers);
}

/* OpenOCD differs. What doc/comparison.md explains has to occur. */
static bool differs(void)
{
    bool all;

    run_both();
    assert_true(right_insns(&t.theirs, false, &all) > 20);
    return !all;
}

/* V1-RSN-01, V1-BR-03, V1-APO-02, V1-PKT-02 to V1-PKT-04 */
TEST(instructions_are_those_of_openocd)
{
    static const unsigned pins[] = {4, 8, 16};

    for (unsigned minor = 0; minor < 4; minor++)
        for (unsigned i = 0; i < 3; i++) {
            begin(minor, pins[i], minor * 3 + i);
            compare();
        }
}

/* V1-DATA-02, V1-DATA-03, V1-DATA-04 */
TEST(values_are_those_of_openocd)
{
    for (unsigned i = 0; i < 2; i++) {
        begin(2, 8, 100 + i);
        t.config.data_value = true;
        t.config.data_address = i != 0;
        compare();
    }
}

/* V1-RULE-04, V1-APO-02 */
TEST(addresses_after_others_are_lost_by_openocd)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 8; i++) {
        begin(2, 8, 200 + i);
        t.wait = 0;
        t.trigger = false;
        t.config.data_value = t.config.data_address = true;
        n += differs();
    }
    assert_true(n > 0);
}

/* V1-TRG-02 */
TEST(trigger_within_a_packet_is_taken_for_a_half_by_openocd)
{
    unsigned n = 0;

    for (unsigned i = 0; i < 8; i++) {
        begin(0, 4, 300 + i);
        t.trigger = true;
        n += differs();
    }
    assert_true(n > 0);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(t.folder, "openocd-XXXXXX");
    return mkdtemp(t.folder) == NULL;
}

static int clear_folder(void **state)
{
    char line[128];

    (void)state;
    snprintf(line, sizeof line, "rm -r '%s'", t.folder);
    return system(line);
}

int main(void)
{
    return tests_run_between(make_folder, clear_folder);
}
