/* SPDX-License-Identifier: Apache-2.0 */
/* The classifier against Capstone, in process, over the encoding space. */
#include <stdio.h>

#ifndef ETM_HAVE_CAPSTONE

int main(void)
{
    printf("built without Capstone: skipped\n");
    return 77; /* "skipped" to Meson */
}

#else

#include "judge.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <capstone/capstone.h>

#define ADDRESS 0x40000000u

struct capstone {
    csh handle;
    cs_insn *insn;
};

static void open_capstone(struct capstone *c, cs_mode mode)
{
    assert_int_equal(cs_open(CS_ARCH_ARM, mode, &c->handle), CS_ERR_OK);
    c->insn = cs_malloc(c->handle);
    assert_non_null(c->insn);
}

static void close_capstone(struct capstone *c)
{
    cs_free(c->insn, 1);
    cs_close(&c->handle);
}

/* One instruction of up to four bytes, in memory order in `word`. */
static void judge(struct capstone *c, struct trial *trial, uint32_t opcode,
                  uint32_t word, uint32_t address)
{
    uint8_t bytes[4];
    const uint8_t *code = bytes;
    size_t n = sizeof(bytes);
    uint64_t next = address;
    struct verdict verdict = {0};

    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
    if (!cs_disasm_iter(c->handle, &code, &n, &next, c->insn)) {
        trial_compare(trial, opcode, address, &verdict, "?", "");
        return;
    }
    judge_text(&verdict, c->insn->mnemonic, c->insn->op_str);
    verdict.size = (uint8_t)c->insn->size;
    trial_compare(trial, opcode, address, &verdict, c->insn->mnemonic,
                  c->insn->op_str);
}

/* Capstone remembers an IT block: let it end. */
static void end_it_block(struct capstone *c)
{
    static const uint8_t nops[8] = {0x00, 0xbf, 0x00, 0xbf,
                                    0x00, 0xbf, 0x00, 0xbf};
    const uint8_t *code = nops;
    size_t n = sizeof(nops);
    uint64_t address = 0;

    while (cs_disasm_iter(c->handle, &code, &n, &address, c->insn))
        ;
}

static void capstone_agrees_on_arm(void **state)
{
    struct trial trial = {.judge = JUDGE_CAPSTONE, .isa = ETM_ISA_ARM};
    struct capstone c;

    (void)state;
    open_capstone(&c, CS_MODE_ARM);
    for (uint64_t i = 0; i < samples_arm(); i++) {
        uint32_t opcode = sample_arm(i);

        judge(&c, &trial, opcode, opcode, ADDRESS + 4 * (uint32_t)(i & 0xffff));
    }
    close_capstone(&c);
    assert_true(trial_passes(&trial));
}

static struct trial judge_all_of_thumb(cs_mode mode, enum etm_profile profile)
{
    struct trial trial = {
        .judge = JUDGE_CAPSTONE, .isa = ETM_ISA_THUMB, .profile = profile};
    struct capstone c;

    open_capstone(&c, mode);
    for (uint32_t opcode = 0; opcode < 0x10000; opcode++) {
        /* 32-bit prefixes come with a second halfword of 0 */
        judge(&c, &trial, opcode < 0xe800 ? opcode : opcode << 16, opcode,
              ADDRESS + 2 * opcode);
        if ((opcode & 0xff00) == 0xbf00)
            end_it_block(&c);
    }
    for (uint64_t i = 0; i < samples_thumb32(); i++) {
        uint32_t opcode = sample_thumb32(i);

        judge(&c, &trial, opcode, opcode << 16 | opcode >> 16,
              ADDRESS + 2 * (uint32_t)(i & 0xffff));
    }
    close_capstone(&c);
    return trial;
}

static void capstone_agrees_on_all_of_thumb(void **state)
{
    struct trial trial = judge_all_of_thumb(CS_MODE_THUMB, ETM_PROFILE_A);

    (void)state;
    assert_true(trial_passes(&trial));
}

/* Some allowed differences are of instructions that M does not have. */
static void capstone_agrees_on_thumb_of_the_m_profile(void **state)
{
    struct trial trial = judge_all_of_thumb(
        (cs_mode)(CS_MODE_THUMB | CS_MODE_MCLASS), ETM_PROFILE_M);

    (void)state;
    trial_passes(&trial); /* prints */
    assert_int_equal(trial.different, 0);
    assert_true(trial.branches > 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest arm[] = {
        cmocka_unit_test(capstone_agrees_on_arm),
    };
    const struct CMUnitTest thumb[] = {
        cmocka_unit_test(capstone_agrees_on_all_of_thumb),
        cmocka_unit_test(capstone_agrees_on_thumb_of_the_m_profile),
    };

    /* Two processes, so that two processors share the work. */
    if (argc > 1 && argv[1][0] == 'a')
        return cmocka_run_group_tests(arm, NULL, NULL);
    return cmocka_run_group_tests(thumb, NULL, NULL);
}

#endif
