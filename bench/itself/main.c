/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library itself as a program that is traced: some hundred kilobytes of
 * code that is as it is, written to do something and not to be measured. It
 * makes trace of random programs in every protocol, also by a macrocell that
 * leaves some of it out, decodes it at every level, and writes what it finds.
 */
#include "workload.h"

#include <etm/decode.h>
#include <etm/macrocell.h>

#include "model/registers.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 6000u /* bytes of trace made at a time, about */

struct kind {
    enum etm_protocol protocol;
    uint8_t minor;
    bool cycles, stack, data;
};

static const struct kind kinds[] = {
    {ETM_PROTOCOL_PFT, 1, false, false, false},
    {ETM_PROTOCOL_ETMV3, 5, false, false, false},
    {ETM_PROTOCOL_PFT, 1, true, false, false},
    {ETM_PROTOCOL_ETMV3, 4, false, false, true},
    {ETM_PROTOCOL_PFT, 1, false, true, false},
    {ETM_PROTOCOL_ETMV3, 5, true, false, false},
    {ETM_PROTOCOL_ETMV1, 3, false, false, false},
    {ETM_PROTOCOL_ETMV2, 1, false, false, true},
    {ETM_PROTOCOL_PFT, 0, true, false, false},
    {ETM_PROTOCOL_ETMV3, 0, true, false, true},
    {ETM_PROTOCOL_ETMV1, 2, false, false, true},
};

static struct {
    uint8_t bytes[2 * ROOM];
    size_t n;
} trace;

/* What was written, in a few bits, so that none of it is for nothing. */
static uint32_t sum;

static void check(bool good, const char *what)
{
    if (good)
        return;
    printf("itself: %s\n", what);
    exit(EXIT_FAILURE);
}

static int keep(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    check(n <= sizeof trace.bytes - trace.n, "too much trace");
    memcpy(trace.bytes + trace.n, bytes, n);
    trace.n += n;
    return ETM_OK;
}

static void put(const char *format, ...)
{
    char line[160];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (const char *c = line; *c != '\0'; c++)
        sum = (sum << 5 | sum >> 27) ^ (uint8_t)*c;
}

static int put_packets(void *context, const struct etm_packet *packets,
                       size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++)
        if (packets[i].kind != ETM_PACKET_ATOM &&
            packets[i].kind != ETM_PACKET_P_HEADER)
            put("%lu %u+%u %lx\n", (unsigned long)packets[i].offset,
                packets[i].kind, packets[i].size,
                (unsigned long)packets[i].value);
    return ETM_OK;
}

static int put_elements(void *context, const struct etm_element *elements,
                        size_t n)
{
    unsigned *lines = context;

    for (size_t i = 0; i < n; i++) {
        const struct etm_element *e = &elements[i];

        /* the trace of a port ends within what it says of an instruction */
        check(e->kind != ETM_ELEMENT_LOST ||
                  e->u.lost.reason == ETM_LOST_TRUNCATED,
              "trace is lost");
        if (e->kind == ETM_ELEMENT_RANGE) {
            sum += e->u.range.end ^ e->u.range.n;
            if (++*lines % 8 == 0)
                put("%08lx-%08lx %lu\n", (unsigned long)e->u.range.start,
                    (unsigned long)e->u.range.end, (unsigned long)e->u.range.n);
        } else if (e->kind == ETM_ELEMENT_INSN) {
            sum += e->u.insn.address ^ e->u.insn.opcode;
        } else if (e->kind == ETM_ELEMENT_DATA) {
            put("%08lx\n", (unsigned long)e->u.data.address);
        }
    }
    return ETM_OK;
}

static int put_count(void *context, const struct etm_count *count)
{
    (void)context;
    sum += count->start ^ (uint32_t)count->n;
    return ETM_OK;
}

static struct etm_config config_of(const struct kind *kind)
{
    return (struct etm_config){.size = sizeof(struct etm_config),
                               .protocol = kind->protocol,
                               .profile = ETM_PROFILE_A,
                               .minor = kind->minor,
                               .trace_id = 0x10,
                               .cycle_accurate = kind->cycles,
                               .return_stack_implemented = kind->stack,
                               .return_stack = kind->stack,
                               .alternative_branches =
                                   kind->protocol == ETM_PROTOCOL_ETMV3 &&
                                   kind->minor > 3,
                               .data_address = kind->data,
                               .data_value = kind->data};
}

static void generate(const struct etm_config *config,
                     struct etm_bench_walk *walk)
{
    struct etm_generator_config how = {
        .size = sizeof how, .config = config, .bytes = keep};
    struct etm_event events[ETM_BENCH_EVENTS];
    struct etm_generator *generator;
    int status = etm_generator_new(&generator, &how);

    check(status == ETM_OK, "no generator");
    events[0] = etm_bench_walk_on(walk);
    status = etm_generator_push(generator, events, 1);
    while (status == ETM_OK && trace.n < ROOM)
        status = etm_generator_push(generator, events,
                                    etm_bench_walk_next(walk, events));
    check(status == ETM_OK, "the generator stopped");
    etm_generator_free(generator);
}

/* A quarter of the program is traced. */
static void program(struct etm_macrocell *m, const struct etm_config *config,
                    const struct etm_bench_walk *walk)
{
    const struct etm_bench_program *p = walk->program;
    uint32_t control = (config->cycle_accurate ? ETM_CR_CYCLE_ACCURATE : 0) |
                       (config->return_stack ? ETM_CR_RETURN_STACK : 0);
    const uint32_t registers[][2] = {
        {ETM_REG_CR, control | ETM_CR_PROGRAMMING},
        {ETM_REG_TRIGGER, 0x406f},
        {ETM_REG_TSSCR, 0},
        {ETM_REG_TEEVR, 0x6f},
        {ETM_REG_TECR1, 1},
        {ETM_REG_ACVR1, p->address + (uint32_t)p->size / 4},
        {ETM_REG_ACVR1 + 1, p->address + (uint32_t)p->size / 2},
        {ETM_REG_ACTR1, 0x19},
        {ETM_REG_ACTR1 + 1, 0x19},
        {ETM_REG_CNTRLDVR1, 100},
        {ETM_REG_CNTENR1, 0x10},
        {ETM_REG_CNTRLDEVR1, 0x40},
        {ETM_REG_CR, control},
    };

    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        check(etm_macrocell_write(m, registers[i][0], ETM_ACCESS_DEBUGGER,
                                  registers[i][1]) == ETM_ACCESS_OK,
              "a register is not taken");
}

static void filter(const struct etm_config *config, struct etm_bench_walk *walk)
{
    static const struct etm_macrocell_pins pins = {true, true, true, true,
                                                   false};
    struct etm_macrocell_config how = {.size = sizeof how,
                                       .config = config,
                                       .ccr = 4u | 2u << 13 | 1u << 26,
                                       .scr = 0x7104,
                                       .fifo_size = 255};
    struct etm_macrocell_output output = {.size = sizeof output, .bytes = keep};
    struct etm_event events[ETM_BENCH_EVENTS];
    struct etm_macrocell *m;
    int status = etm_macrocell_new(&m, &how, NULL);

    check(status == ETM_OK, "no macrocell");
    etm_macrocell_set_pins(m, &pins);
    status = etm_macrocell_connect(m, &output);
    program(m, config, walk);
    for (unsigned i = 0; status == ETM_OK && trace.n < ROOM && i < 4000; i++)
        status =
            etm_macrocell_run(m, events, etm_bench_walk_next(walk, events));
    check(status == ETM_OK, "the macrocell stopped");
    etm_macrocell_free(m);
}

static void decode(const struct etm_config *config,
                   const struct etm_image *image, enum etm_level level)
{
    unsigned lines = 0;
    struct etm_decoder_config how = {.size = sizeof how,
                                     .config = config,
                                     .image = image,
                                     .level = level,
                                     .elements = put_elements,
                                     .context = &lines};
    struct etm_decoder *decoder;
    int status = etm_decoder_new(&decoder, &how);

    check(status == ETM_OK, "no decoder");
    status = etm_decoder_push(decoder, trace.bytes, trace.n);
    if (status == ETM_OK)
        status = etm_decoder_finish(decoder);
    if (status == ETM_OK && level >= ETM_LEVEL_COUNTS)
        status = etm_decoder_counts(decoder, put_count, NULL);
    check(status == ETM_OK, "the decoder stopped");
    etm_decoder_free(decoder);
}

static void list(const struct etm_config *config)
{
    struct etm_packet_decoder_config how = {
        .size = sizeof how, .config = config, .packets = put_packets};
    struct etm_packet_decoder *decoder;
    int status = etm_packet_decoder_new(&decoder, &how);

    check(status == ETM_OK, "no decoder of packets");
    status = etm_packet_decoder_push(decoder, trace.bytes, trace.n);
    if (status == ETM_OK)
        status = etm_packet_decoder_finish(decoder);
    check(status == ETM_OK, "the decoder of packets stopped");
    etm_packet_decoder_free(decoder);
}

static void turn(uint32_t which)
{
    const struct kind *kind = &kinds[which % (sizeof kinds / sizeof *kinds)];
    struct etm_config config = config_of(kind);
    struct etm_bench_program p;
    struct etm_bench_walk walk;
    struct etm_image *image;
    bool filtered =
        which % 2 != 0 && !kind->data && kind->protocol >= ETM_PROTOCOL_ETMV3;

    etm_bench_program_init(&p, 40 + which % 160,
                           kind->protocol == ETM_PROTOCOL_PFT);
    check(etm_image_new(&image, NULL) == ETM_OK &&
              etm_image_add(image, p.address, p.code, p.size, NULL) == ETM_OK,
          "no image");
    etm_bench_walk_init(&walk, &p, kind->data);
    walk.random = which;
    trace.n = 0;
    if (filtered)
        filter(&config, &walk);
    else
        generate(&config, &walk);
    list(&config);
    for (unsigned level = 0; level <= ETM_LEVEL_COVERAGE; level++)
        decode(&config, image, (enum etm_level)level);
    etm_image_free(image);
    etm_bench_program_fini(&p);
}

int main(void)
{
    for (uint32_t which = 0;; which++) {
        turn(which);
        if (which % 1000 == 999)
            printf("%lu turns, %08lx\n", (unsigned long)which + 1,
                   (unsigned long)sum);
    }
}
