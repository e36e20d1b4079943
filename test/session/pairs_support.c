/* SPDX-License-Identifier: Apache-2.0 */
#include "pairs_support.h"

#include <string.h>

#define SKIP 0x1a000001u     /* bne to the pair after the next */
#define INDIRECT 0xe12fff1eu /* bx lr */

uint8_t code[8 * PAIRS_MOST];
struct stream stream;
static uint32_t pairs, first_of_all;

const struct etm_config configs[7] = {
    {.protocol = ETM_PROTOCOL_PFT, .minor = 1},
    {.protocol = ETM_PROTOCOL_PFT, .minor = 1, .cycle_accurate = true},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 5},
    {.protocol = ETM_PROTOCOL_ETMV3, .minor = 5, .cycle_accurate = true},
    {.protocol = ETM_PROTOCOL_ETMV3,
     .minor = 3,
     .data_address = true,
     .data_value = true},
    {.protocol = ETM_PROTOCOL_ETMV1,
     .minor = 2,
     .thumb32_split = true,
     .data_address = true},
    {.protocol = ETM_PROTOCOL_ETMV2, .minor = 1, .thumb32_split = true},
};

const enum etm_level levels[LEVELS] = {ETM_LEVEL_RANGES, ETM_LEVEL_INSTRUCTIONS,
                                       ETM_LEVEL_COUNTS, ETM_LEVEL_COVERAGE};

int keep_bytes(void *context, const uint8_t *bytes, size_t n)
{
    (void)context;
    assert_true(n <= BYTES - stream.n);
    memcpy(stream.data + stream.n, bytes, n);
    stream.n += n;
    return ETM_OK;
}

static bool always(uint32_t pair)
{
    return pair >= pairs || pair % 97 == 96;
}

static uint32_t word_of(uint32_t pair, uint32_t i)
{
    if (i == 0)
        return first_of_all;
    if (pair >= pairs) /* b to the first one */
        return 0xea000000u | ((0u - 2 * pair - 3) & 0xffffffu);
    return pair % 97 == 96 ? INDIRECT : SKIP;
}

void write_code(uint32_t n, uint32_t first)
{
    pairs = n;
    first_of_all = first;
    for (uint32_t at = 0; at < 8 * (n + 2); at++)
        code[at] = (uint8_t)(word_of(at / 8, at / 4 % 2) >> 8 * (at % 4));
}

struct etm_image *image_of_code(void)
{
    struct etm_image *image;

    OK(etm_image_new(&image, NULL));
    OK(etm_image_add(image, BASE, code, 8 * (pairs + 2), NULL));
    return image;
}

static struct etm_place place(uint32_t pair)
{
    return (struct etm_place){.address = BASE + 8 * pair, .isa = ETM_ISA_ARM};
}

/* A pair, with the transfer of a load; returns the one that comes next. */
static uint32_t execute(struct etm_generator *g, uint32_t pair,
                        uint32_t *random)
{
    bool passed = always(pair) || etm_test_random(random) % 3 != 0;
    uint32_t next = pair >= pairs ? 0 : passed ? pair + 2 : pair + 1;
    struct etm_event e[3] = {{.kind = ETM_EVENT_INSN, .cycles = 1},
                             {.kind = ETM_EVENT_DATA},
                             {.kind = ETM_EVENT_INSN, .cycles = 1}};

    for (uint32_t i = 0; i < 2; i++) {
        e[2 * i].u.insn.address = BASE + 8 * pair + 4 * i;
        e[2 * i].u.insn.opcode = word_of(pair, i);
        e[2 * i].u.insn.isa = ETM_ISA_ARM;
        e[2 * i].u.insn.size = 4;
        e[2 * i].u.insn.passed = i == 0 || passed;
    }
    if (passed)
        e[2].u.insn.next = place(next);
    OK(etm_generator_push(g, e, 1));
    if (first_of_all == LOAD) {
        e[1].u.data.address = etm_test_random(random);
        e[1].u.data.value = etm_test_random(random);
        e[1].u.data.size = 4;
        OK(etm_generator_push(g, e + 1, 1));
    }
    OK(etm_generator_push(g, e + 2, 1));
    return next;
}

void trace_pairs(const struct etm_config *config, uint32_t n)
{
    struct etm_generator_config how = {.config = config, .bytes = keep_bytes};
    struct etm_event on = {.kind = ETM_EVENT_TRACE_ON};
    struct etm_generator *g;
    uint32_t random = 1, pair = 0;

    on.u.trace_on.reason = ETM_TRACE_ON_START;
    on.u.trace_on.at = place(0);
    OK(etm_generator_new(&g, &how));
    OK(etm_generator_push(g, &on, 1));
    for (; n != 0; n--)
        pair = execute(g, pair, &random);
    OK(etm_generator_finish(g));
    etm_generator_free(g);
}
