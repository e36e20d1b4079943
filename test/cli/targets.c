/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Write code each word of which may be jumped to, and the trace of a program
 * that jumps there: to all of them, in an order without any, and most of them
 * twice. Usage: targets pft|etmv3 WORDS CODE TRACE
 */
#include <etm/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x01000000u
#define BX_R0 0xe12fff10u
#define NOP 0xe1a00000u

static int write_bytes(void *context, const uint8_t *bytes, size_t n)
{
    FILE *file = context;

    return fwrite(bytes, 1, n, file) == n ? 0 : -1;
}

/* Each second word is a branch. */
static uint32_t opcode(uint32_t word)
{
    return word % 2 != 0 ? BX_R0 : NOP;
}

static int write_code(const char *name, uint32_t words)
{
    FILE *file = fopen(name, "wb");

    if (!file)
        return -1;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = opcode(i);
        uint8_t bytes[4];

        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(word >> 8 * k);
        if (fwrite(bytes, 1, sizeof bytes, file) != sizeof bytes)
            return -1;
    }
    return fclose(file);
}

/* The instructions from one word to the next branch, which leads to another. */
static int push(struct etm_generator *g, uint32_t word, uint32_t to)
{
    struct etm_event event = {.kind = ETM_EVENT_INSN};
    int status = ETM_OK;

    for (bool last = false; status == ETM_OK && !last; word++) {
        last = opcode(word) == BX_R0;
        event.u.insn.address = BASE + 4 * word;
        event.u.insn.opcode = opcode(word);
        event.u.insn.isa = ETM_ISA_ARM;
        event.u.insn.size = 4;
        event.u.insn.passed = true;
        if (last)
            event.u.insn.next = (struct etm_place){.address = BASE + 4 * to,
                                                   .isa = ETM_ISA_ARM};
        status = etm_generator_push(g, &event, 1);
    }
    return status;
}

int main(int argc, char **argv)
{
    struct etm_config config = {.size = sizeof config};
    struct etm_generator_config how = {
        .size = sizeof how, .config = &config, .bytes = write_bytes};
    struct etm_event on = {.kind = ETM_EVENT_TRACE_ON};
    struct etm_generator *g;
    uint32_t words, at = 0;
    int status;

    if (argc != 5)
        return 99;
    words = (uint32_t)strtoul(argv[2], NULL, 10) & ~UINT32_C(1);
    config.protocol =
        strcmp(argv[1], "pft") == 0 ? ETM_PROTOCOL_PFT : ETM_PROTOCOL_ETMV3;
    config.minor = config.protocol == ETM_PROTOCOL_PFT ? 1 : 5;
    how.context = fopen(argv[4], "wb");
    if (!how.context || write_code(argv[3], words) != 0 ||
        etm_generator_new(&g, &how) != ETM_OK)
        return 99;
    on.u.trace_on.at = (struct etm_place){.address = BASE, .isa = ETM_ISA_ARM};
    status = etm_generator_push(g, &on, 1);
    for (uint32_t i = 0; i < words + words / 2 && status == ETM_OK; i++) {
        /* an odd number, and no factor of what `words` are */
        uint32_t to = (uint32_t)((uint64_t)(i + 1) * 2654435761u % words);

        status = push(g, at, to);
        at = to;
    }
    if (status == ETM_OK)
        status = etm_generator_finish(g);
    etm_generator_free(g);
    return fclose(how.context) == 0 && status == ETM_OK ? 0 : 99;
}
