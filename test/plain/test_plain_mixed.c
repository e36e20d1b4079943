/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets that are whole, but not in an order that a macrocell makes: those of
 * a random execution, of which some are missing, come twice or stand elsewhere,
 * with made ones between them. The library's decoder, fast paths and all, and
 * the plain one of plain.h must make the same of them.
 * ETM_TEST_ROUNDS=N takes N executions, ETM_TEST_SEED=N begins with another
 * one. The argument is what to compare: "pft", "etmv3" or "etmv3-data".
 */
#include "compare.h"
#include "plain_packets.h"

#include "../support/setting.h"
#include "support/trial.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROUNDS 1500u
#define MIXES 4u      /* of one execution */
#define PACKETS 3000u /* of the execution in one mix */
#define ROOM 256u     /* for one packet, and what is put before it */
#define LONGEST 60u   /* bytes of a packet that is taken */
#define MOST (1u << 19)

static struct trial trial;
static uint8_t mixed[MOST];
static size_t n_mixed;

static uint32_t below(uint32_t n)
{
    return random_below(&trial.r, n);
}

static bool chance(uint32_t percent)
{
    return random_chance(&trial.r, percent);
}

static bool is_pft(void)
{
    return trial.config.protocol == ETM_PROTOCOL_PFT;
}

static void put(uint32_t byte)
{
    mixed[n_mixed++] = (uint8_t)byte;
}

static void copy(const struct etm_packet *p)
{
    if (p->size > LONGEST)
        return;
    memcpy(mixed + n_mixed, trial.bytes + p->offset, p->size);
    n_mixed += p->size;
}

/* `n` bytes of 7 bits, each but the last with bit 7. */
static void put_groups(unsigned n, uint32_t last_below)
{
    for (; n > 1; n--)
        put(0x80 | below(128));
    put(below(last_below));
}

/* 4.5.4 and 7.3.5: address bytes of any place in the program; `excepts`: an
 * exception information byte follows. */
static void put_address(bool excepts)
{
    const struct etm_config *c = &trial.config;
    const struct slot *s = &trial.program.slots[below(trial.program.n_slots)];
    bool alternative = is_pft() || (c->minor >= 4 && c->alternative_branches);
    unsigned shift = s->isa == ETM_ISA_ARM       ? 2
                     : s->isa == ETM_ISA_JAZELLE ? 0
                                                 : 1;
    unsigned n = chance(50) ? 5 : 1 + below(5);
    uint64_t bits = ((UINT64_C(1) << 32 | s->address) >> shift) << 1 | 1;

    if (excepts && (n == 1 || !alternative))
        n = 5;
    for (unsigned i = 1; i < n; i++, bits >>= 7)
        put(0x80 | (uint32_t)(bits & 0x7f));
    if (n == 5 || (n > 1 && alternative))
        put((uint32_t)(bits & 0x3f) | (excepts ? 0x40 : 0));
    else
        put((uint32_t)(bits & 0x7f));
}

/* A cycle count in the form of the protocol. */
static void put_cycles(void)
{
    bool more = chance(20);

    if (!is_pft()) {
        put_groups(more ? 2 : 1, 128);
        return;
    }
    put(below(16) << 2 | (more ? 0x40 : 0));
    if (more)
        put(below(128));
}

static void put_pft_cycles(void)
{
    if (is_pft() && trial.config.cycle_accurate)
        put_cycles();
}

static void put_branch(void)
{
    put_address(false);
    put_pft_cycles();
}

static void put_exception(void)
{
    bool more = chance(10) && (is_pft() || trial.config.minor >= 4);

    put_address(true);
    put(below(128) & (chance(40) ? 0x61 : 0x7f));
    if (more) {
        mixed[n_mixed - 1] |= 0x80;
        put(!is_pft() && chance(40) ? 0x40 | below(16) : below(64));
    }
    put_pft_cycles();
}

static void put_context_bytes(void)
{
    for (unsigned i = 0; i < trial.config.context_id_bytes; i++)
        put(below(3));
}

/* The information byte of an I-sync at *s, and its address with the T bit. */
static uint32_t information(const struct slot *s, unsigned reason,
                            uint32_t *address)
{
    uint32_t info = 1 | reason << 5 | (chance(30) ? 8 : 0);

    *address = s->address;
    if (s->isa == ETM_ISA_JAZELLE && is_pft())
        *address &= ~UINT32_C(3);
    else if (s->isa == ETM_ISA_JAZELLE)
        info |= 0x10;
    else if (s->isa != ETM_ISA_ARM)
        *address |= 1;
    return s->isa == ETM_ISA_THUMBEE ? info | 4 : info;
}

static void put_word(uint32_t word)
{
    for (unsigned i = 0; i < 32; i += 8)
        put(word >> i & 0xff);
}

static void put_i_sync(void)
{
    const struct slot *s = &trial.program.slots[below(trial.program.n_slots)];
    const bool cycles = trial.config.cycle_accurate;
    unsigned reason = below(4);
    uint32_t address, info = information(s, reason, &address);
    bool counted = cycles && reason != 0 && chance(50);
    bool two = reason != 0 && chance(20); /* 7.7.3: load/store in progress */

    if (is_pft()) {
        put(0x08);
        put_word(address);
        put(info);
        if (cycles && reason != 0)
            put_cycles();
        put_context_bytes();
        return;
    }
    if (trial.config.data_only) { /* without an address: 7.7.3 */
        put(0x08);
        put_context_bytes();
        put(info & 0x69);
        return;
    }
    put(counted ? 0x70 : 0x08);
    if (counted)
        put_cycles();
    put_context_bytes();
    put(info | (two ? 0x80 : 0));
    put_word(address);
    if (two)
        put_address(chance(10));
}

static void put_timestamp(void)
{
    put(0x42);
    if (chance(30))
        put_groups(trial.config.timestamp_64bit ? 9 : 7, 64);
    else
        put_groups(1, 128);
    put_pft_cycles();
}

static void put_small(void)
{
    static const uint8_t headers[] = {0x0c, 0x66, 0x76, 0x7e};

    put(headers[below(is_pft() ? 3 : 4)]);
}

static void put_context_id(void)
{
    if (trial.config.context_id_bytes == 0)
        return;
    put(0x6e);
    put_context_bytes();
}

static void put_update_or_count(void)
{
    if (is_pft()) {
        put(0x72);
        put_address(false);
    } else if (trial.config.cycle_accurate) {
        put(0x04);
        put_cycles();
    }
}

static void put_atoms(void)
{
    if (!is_pft())
        put(0x84 + 4 * below(4));
    else if (trial.config.cycle_accurate)
        put(0x80 | below(16) << 2 | below(2) << 1);
    else
        put(0x84 | below(2) << 1);
}

/* 7.4: any data packet, of any value */
static void put_data(void)
{
    static const struct {
        uint8_t header;
        bool address, value;
    } rows[] = {
        {0x02, false, true},  {0x06, false, true},  {0x22, true, true},
        {0x26, true, true},   {0x2a, true, true},   {0x54, false, false},
        {0x74, true, false},  {0x58, false, false}, {0x78, true, false},
        {0x20, false, true},  {0x24, false, true},  {0x44, false, true},
        {0x6a, false, false}, {0x7a, true, false},  {0x62, false, false},
        {0x50, false, false}};
    const struct etm_config *c = &trial.config;
    unsigned i = below(sizeof rows / sizeof *rows);

    if (!c->data_address && !c->data_value)
        return;
    put(rows[i].header);
    if (rows[i].address && c->data_address)
        put_groups(chance(50) ? 1 : 5, 32);
    for (unsigned k = rows[i].header >> 2 & 3;
         k > 0 && rows[i].value && c->data_value; k--)
        put(below(256));
}

static void put_made(void)
{
    static void (*const kinds[])(void) = {
        put_branch,    put_exception, put_exception,       put_i_sync,
        put_timestamp, put_small,     put_context_id,      put_branch,
        put_exception, put_i_sync,    put_update_or_count, put_data,
        put_atoms,     put_small};

    kinds[below(sizeof kinds / sizeof *kinds)]();
}

static void mix(const struct plain_packets *all)
{
    uint32_t rate = 1 + below(12);
    size_t n = all->n < PACKETS ? all->n : PACKETS;
    size_t from = below((uint32_t)(all->n - n + 1));

    n_mixed = 0;
    for (size_t i = from; i < from + n && n_mixed < MOST - ROOM; i++) {
        uint32_t kind = chance(rate) ? below(5) : 5;

        if (kind == 0)
            continue;
        if (kind == 1)
            copy(&all->all[i]);
        if (kind == 2)
            copy(&all->all[below((uint32_t)all->n)]);
        for (uint32_t k = kind == 3 || kind == 4 ? 1 + below(3) : 0; k > 0; k--)
            put_made();
        copy(&all->all[i]);
    }
}

static void compare(enum etm_protocol protocol, bool data)
{
    unsigned long n = setting("ETM_TEST_ROUNDS", ROUNDS);
    unsigned long seed = setting("ETM_TEST_SEED", 1);

    for (unsigned long i = 0; i < n; i++) {
        struct plain_packets all = {0};
        struct etm_image *image;
        char name[64];

        if (data)
            trial_make_data(&trial, seed + i);
        else if ((seed + i) % 4 == 0)
            trial_make_calm(&trial, protocol, seed + i);
        else
            trial_make(&trial, protocol, seed + i, false);
        image = program_image(&trial.program);
        plain_packets(&trial.config, trial.bytes, trial.n, &all);
        for (unsigned k = 0; k < MIXES && all.n != 0; k++) {
            mix(&all);
            snprintf(name, sizeof name, "ETM_TEST_SEED=%lu, mix %u", seed + i,
                     k);
            plain_compare(name, &trial.config, image, mixed, n_mixed, &trial.r);
        }
        free(all.all);
        etm_image_free(image);
    }
}

static void pft_packets_in_any_order(void **state)
{
    (void)state;
    compare(ETM_PROTOCOL_PFT, false);
}

static void etmv3_packets_in_any_order(void **state)
{
    (void)state;
    compare(ETM_PROTOCOL_ETMV3, false);
}

static void etmv3_data_packets_in_any_order(void **state)
{
    (void)state;
    compare(ETM_PROTOCOL_ETMV3, true);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        struct CMUnitTest test;
    } tests[] = {
        {"pft", cmocka_unit_test(pft_packets_in_any_order)},
        {"etmv3", cmocka_unit_test(etmv3_packets_in_any_order)},
        {"etmv3-data", cmocka_unit_test(etmv3_data_packets_in_any_order)},
    };
    int failed = -1;

    for (unsigned i = 0; argc > 1 && i < 3; i++)
        if (strcmp(argv[1], tests[i].name) == 0) {
            const struct CMUnitTest one[] = {tests[i].test};

            failed = cmocka_run_group_tests(one, NULL, NULL);
        }
    plain_compare_free();
    return failed;
}
