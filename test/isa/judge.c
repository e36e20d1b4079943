/* SPDX-License-Identifier: Apache-2.0 */
#include "judge.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "eq" to "le", "al", or nothing; ".w" or ".n" may follow. */
static bool is_condition(const char *text)
{
    static const char *const conditions[] = {
        "",   "eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl",
        "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al",
    };
    size_t n = strcspn(text, ".");

    if (text[n] != '\0' && strcmp(text + n, ".w") != 0 &&
        strcmp(text + n, ".n") != 0)
        return false;
    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        if (strlen(conditions[i]) == n && memcmp(conditions[i], text, n) == 0)
            return true;
    }
    return false;
}

/* `mnemonic` is `base` with a condition; an S may stand before or after. */
static bool is_base(const char *mnemonic, const char *base, bool may_set_flags)
{
    size_t n = strlen(base);

    if (strncmp(mnemonic, base, n) != 0)
        return false;
    if (is_condition(mnemonic + n))
        return true;
    return may_set_flags && mnemonic[n] == 's' &&
           is_condition(mnemonic + n + 1);
}

static bool is_one_of(const char *mnemonic, const char *const *bases, size_t n,
                      bool may_set_flags)
{
    for (size_t i = 0; i < n; i++) {
        if (is_base(mnemonic, bases[i], may_set_flags))
            return true;
    }
    return false;
}
#define IS_ONE_OF(mnemonic, bases, s)                                          \
    is_one_of(mnemonic, bases, sizeof(bases) / sizeof((bases)[0]), s)

/* The number of a core register's name at `text`, or -1. */
static int register_number(const char *text, size_t n)
{
    static const char *const names[16] = {"r0",  "r1", "r2", "r3", "r4",  "r5",
                                          "r6",  "r7", "r8", "r9", "r10", "r11",
                                          "r12", "sp", "lr", "pc"};
    static const char *const other[4] = {"sb", "sl", "fp", "ip"};

    for (int i = 0; i < 16; i++) {
        if (strlen(names[i]) == n && memcmp(names[i], text, n) == 0)
            return i;
    }
    for (int i = 0; i < 4; i++) {
        if (n == 2 && memcmp(other[i], text, n) == 0)
            return 9 + i;
    }
    return -1;
}

/* The registers in braces, "{r0, r4-r6, pc}". */
static uint16_t register_list(const char *operands)
{
    const char *text = strchr(operands, '{');
    uint32_t list = 0;
    int before = -1;

    if (text == NULL)
        return 0;
    for (text++; *text != '\0' && *text != '}';) {
        size_t n = strcspn(text, ",-} ");
        int number = register_number(text, n);

        for (int i = before; number >= 0 && i >= 0 && i < number; i++)
            list |= 1u << i;
        if (number >= 0)
            list |= 1u << number;
        before = text[n] == '-' ? number : -1;
        text += n;
        text += strspn(text, ",- ");
    }
    return (uint16_t)list;
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The last operand as a number: "0x1234", "#0x1234", "r0, 0x1234". */
static bool target_of(const char *operands, uint32_t *target)
{
    const char *last = strrchr(operands, ',');
    char *end;

    last = last == NULL ? operands : last + 1;
    last += strspn(last, " #");
    if (*last < '0' || *last > '9')
        return false;
    *target = (uint32_t)strtoull(last, &end, 16);
    return true;
}

/* LDR and STR of a size, which may be exclusive or unprivileged. */
static bool load_or_store(struct verdict *verdict, const char *mnemonic)
{
    static const struct {
        const char *suffix;
        uint8_t count, size;
    } rows[] = {{"", 1, 4},    {"t", 1, 4},   {"b", 1, 1},  {"bt", 1, 1},
                {"sb", 1, 1},  {"sbt", 1, 1}, {"h", 1, 2},  {"ht", 1, 2},
                {"sh", 1, 2},  {"sht", 1, 2}, {"d", 2, 4},  {"ex", 1, 4},
                {"exb", 1, 1}, {"exh", 1, 2}, {"exd", 2, 4}};
    bool load = starts_with(mnemonic, "ldr");

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if ((load || starts_with(mnemonic, "str")) &&
            is_base(mnemonic + 3, rows[i].suffix, false)) {
            verdict->direction =
                load ? ETM_DIRECTION_LOAD : ETM_DIRECTION_STORE;
            verdict->count = rows[i].count;
            verdict->transfer_size = rows[i].size;
            return true;
        }
    return false;
}

/* The transfers that a mnemonic stands for. */
static void transfers_of(struct verdict *verdict, const char *mnemonic)
{
    enum { L = ETM_DIRECTION_LOAD, S = ETM_DIRECTION_STORE };
    static const struct {
        const char *base;
        uint8_t direction, count, size;
    } rows[] = {
        {"tbb", L, 1, 1},
        {"tbh", L, 1, 2},
        {"mcr", S, 1, 4},
        {"mcr2", S, 1, 4},
        {"mrc", L, 1, 4},
        {"mrc2", L, 1, 4},
        {"mcrr", S, 2, 4},
        {"mcrr2", S, 2, 4},
        {"mrrc", L, 2, 4},
        {"mrrc2", L, 2, 4},
        {"swp", ETM_DIRECTION_SWAP, 2, 4},
        {"swpb", ETM_DIRECTION_SWAP, 2, 1},
    };

    verdict->has_transfers = load_or_store(verdict, mnemonic);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!is_base(mnemonic, rows[i].base, false))
            continue;
        verdict->has_transfers = true;
        verdict->direction = rows[i].direction;
        verdict->count = rows[i].count;
        verdict->transfer_size = rows[i].size;
        return;
    }
    if (starts_with(mnemonic, "rfe") || starts_with(mnemonic, "srs")) {
        verdict->has_transfers = true;
        verdict->direction = mnemonic[0] == 'r' ? L : S;
        verdict->count = 2;
        verdict->transfer_size = 4;
    }
}

void judge_text(struct verdict *verdict, const char *mnemonic,
                const char *operands)
{
    static const char *const branches[] = {"b",   "bl",   "blx", "bx",  "bxj",
                                           "cbz", "cbnz", "tbb", "tbh", "eret"};
    static const char *const loads[] = {"ldr", "ldrt"};
    static const char *const operations[] = {
        "and", "eor", "sub", "rsb", "add", "adc",  "sbc",
        "rsc", "orr", "mov", "bic", "mvn", "lsl",  "lsr",
        "asr", "ror", "rrx", "adr", "orn", "addw", "subw"};
    bool to_pc = starts_with(operands, "pc,") || strcmp(operands, "pc") == 0;

    *verdict = (struct verdict){0};
    transfers_of(verdict, mnemonic);
    verdict->defined =
        !starts_with(mnemonic, "udf") && strcmp(mnemonic, "trap") != 0;
    if (starts_with(mnemonic, "ldm") || starts_with(mnemonic, "stm") ||
        starts_with(mnemonic, "pop") || starts_with(mnemonic, "push")) {
        verdict->has_list = true;
        verdict->registers = register_list(operands);
        verdict->has_transfers = true;
        verdict->direction = mnemonic[0] == 'l' || mnemonic[1] == 'o'
                                 ? ETM_DIRECTION_LOAD
                                 : ETM_DIRECTION_STORE;
        verdict->transfer_size = 4;
        verdict->branch = (mnemonic[0] == 'l' || mnemonic[1] == 'o') &&
                          (verdict->registers & 0x8000) != 0;
    } else if (IS_ONE_OF(mnemonic, branches, false)) {
        verdict->branch = true;
        verdict->direct = mnemonic[0] != 't' && mnemonic[0] != 'e' &&
                          target_of(operands, &verdict->target);
        verdict->target &= ~1u;
    } else if (starts_with(mnemonic, "rfe")) {
        verdict->branch = true;
    } else if (IS_ONE_OF(mnemonic, loads, false)) {
        verdict->branch = to_pc;
    } else if (IS_ONE_OF(mnemonic, operations, true)) {
        verdict->branch = to_pc;
    }
}

/* Whether the transfers of core registers are those that the judge has. */
static bool same_transfers(const struct etm_transfers *ours,
                           const struct verdict *verdict, bool is_complete)
{
    unsigned count = verdict->count;

    if (!verdict->has_transfers)
        return !is_complete || (ours->kind != ETM_TRANSFER_CORE &&
                                ours->kind != ETM_TRANSFER_TABLE);
    if (verdict->has_list)
        for (unsigned i = 0; i < 16; i++)
            count += verdict->registers >> i & 1;
    return ours->direction == verdict->direction && ours->count == count &&
           ours->size == verdict->transfer_size;
}

/*
 * Whether the judge knows the architecture up to Armv7 and no other, so that
 * what it does not say counts as well. objdump knows later ones, and Capstone
 * keeps much of the A profile in M.
 */
static bool knows_armv7_only(const struct trial *trial)
{
    return trial->judge == JUDGE_CAPSTONE && trial->profile != ETM_PROFILE_M;
}

static enum claim claim_of(const struct etm_insn *insn,
                           const struct verdict *verdict, bool is_armv7)
{
    bool direct = insn->type == ETM_INSN_TYPE_DIRECT;
    bool branch = direct || insn->type == ETM_INSN_TYPE_INDIRECT;
    uint16_t registers = insn->transfers.registers;

    if (verdict->size != 0 && verdict->size != insn->size)
        return CLAIM_SIZE;
    if (verdict->branch != branch)
        return branch ? CLAIM_NO_BRANCH : CLAIM_BRANCH;
    if (branch && verdict->direct != direct)
        return CLAIM_KIND;
    if (direct && verdict->target != insn->target)
        return CLAIM_TARGET;
    /* A PUSH or POP of one register may be encoded as STR or LDR. */
    if (registers == 0 && !insn->transfers.multiple &&
        insn->transfers.kind == ETM_TRANSFER_CORE)
        registers = (uint16_t)(1u << insn->transfers.first);
    if (verdict->has_list && verdict->registers != registers)
        return CLAIM_REGISTERS;
    if (verdict->size != 0 && !insn->undefined &&
        !same_transfers(&insn->transfers, verdict, is_armv7))
        return CLAIM_TRANSFERS;
    if (is_armv7 && verdict->defined && insn->undefined)
        return CLAIM_DEFINED;
    return CLAIM_NONE;
}

static const char *const claim_names[] = {
    [CLAIM_NONE] = "none",           [CLAIM_BRANCH] = "branch",
    [CLAIM_NO_BRANCH] = "no branch", [CLAIM_KIND] = "direct or indirect",
    [CLAIM_TARGET] = "target",       [CLAIM_SIZE] = "size",
    [CLAIM_REGISTERS] = "registers", [CLAIM_TRANSFERS] = "transfers",
    [CLAIM_DEFINED] = "defined"};

static const char *judge_name(enum judge judge)
{
    return judge == JUDGE_CAPSTONE ? "capstone" : "objdump";
}

static void decode(struct etm_insn *insn, const struct trial *trial,
                   uint32_t address, uint32_t opcode)
{
    uint32_t word = opcode;
    uint8_t bytes[4];

    /* Thumb opcodes have the first halfword on top. */
    if (trial->isa != ETM_ISA_ARM && opcode > 0xffff)
        word = opcode << 16 | opcode >> 16;
    for (unsigned i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
    etm_insn_decode(insn, trial->isa, trial->profile, address, bytes,
                    sizeof(bytes));
}

static bool is_allowed(const struct allowed *row, enum claim claim,
                       uint32_t opcode)
{
    return row->claim == claim && (opcode & row->mask) == row->value &&
           (row->should == 0 || (opcode & row->should) != row->right);
}

static bool is_for(const struct allowed *row, const struct trial *trial)
{
    return (row->judges & trial->judge) != 0 && row->isa == trial->isa;
}

void trial_compare(struct trial *trial, uint32_t opcode, uint32_t address,
                   const struct verdict *verdict, const char *mnemonic,
                   const char *operands)
{
    struct etm_insn insn;
    enum claim claim;

    decode(&insn, trial, address, opcode);
    claim = claim_of(&insn, verdict, knows_armv7_only(trial));
    trial->compared++;
    if (claim == CLAIM_NONE) {
        trial->branches += verdict->branch;
        return;
    }
    for (size_t i = 0; i < allowed_differences_n; i++) {
        const struct allowed *row = &allowed_differences[i];

        if (is_for(row, trial) && is_allowed(row, claim, opcode)) {
            trial->hits[i]++;
            return;
        }
    }
    if (trial->different++ < 40)
        printf("%s, %s %08" PRIx32 " at %08" PRIx32 ": \"%s %s\": %s; "
               "we: type %s, target %08" PRIx32 ", size %u\n",
               judge_name(trial->judge), etm_isa_name(trial->isa), opcode,
               address, mnemonic, operands, claim_names[claim],
               etm_insn_type_name((enum etm_insn_type)insn.type), insn.target,
               (unsigned)insn.size);
}

bool trial_passes(const struct trial *trial)
{
    bool passes = trial->different == 0;

    printf("%s, %s: %" PRIu64 " encodings, %" PRIu64 " branches, %" PRIu64
           " differences that are not allowed\n",
           judge_name(trial->judge), etm_isa_name(trial->isa), trial->compared,
           trial->branches, trial->different);
    for (size_t i = 0; i < allowed_differences_n; i++) {
        const struct allowed *row = &allowed_differences[i];

        if (!is_for(row, trial))
            continue;
        printf("  %10" PRIu64 " times allowed: %08" PRIx32 "/%08" PRIx32
               " %s: %s\n",
               trial->hits[i], row->mask, row->value, claim_names[row->claim],
               row->reason);
        if (trial->hits[i] == 0)
            passes = false;
    }
    return passes;
}

/* splitmix64 of n: any sample can be had without those before it. */
static uint64_t scramble(uint64_t n)
{
    n = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    n = (n ^ n >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    n = (n ^ n >> 27) * UINT64_C(0x94d049bb133111eb);
    return n ^ n >> 31;
}

/* 16 bits; half of the nibbles are of the values with a meaning. */
static uint32_t fields(uint64_t random, unsigned nibbles)
{
    static const uint8_t favoured[8] = {15, 15, 15, 0, 0, 14, 13, 1};
    uint32_t value = 0;

    for (unsigned i = 0; i < nibbles; i++) {
        uint32_t byte = (uint32_t)(random >> (8 * i)) & 0xff;
        uint32_t nibble = (byte & 0x80) != 0 ? favoured[byte & 7] : (byte & 15);

        value = value << 4 | nibble;
    }
    return value;
}

static uint64_t rounds(uint64_t n)
{
    const char *full = getenv("ETM_TEST_FULL");

    return full != NULL && strcmp(full, "1") == 0 ? 8 * n : n;
}

uint64_t samples_arm(void)
{
    return rounds(160) * SAMPLES_ARM_ROUND;
}

uint64_t samples_thumb32(void)
{
    return rounds(110) * SAMPLES_THUMB32_ROUND;
}

/*
 * Encodings with every bit fixed, which chance would not find. They stand at
 * the beginning of the second round.
 */
static const uint32_t special_arm[] = {
    0xe160006e, 0xf57ff01f, 0xf57ff04f, 0xf57ff05f, 0xf57ff06f, 0xee070f95,
    0xee070f9a, 0xee070fba, 0xe12fff1e, 0xe1a0f00e, 0xe1b0f00e, 0xe25ef004,
    0xe49df004, 0xe8bd8000, 0xe8fd8000, 0xf8bd0a00, 0xe7f000f0, 0xe320f003,
};

static const uint32_t special_thumb32[] = {
    0xf3bf8f0f, 0xf3bf8f1f, 0xf3bf8f2f, 0xf3bf8f4f, 0xf3bf8f5f, 0xf3bf8f6f,
    0xf3de8f00, 0xf3de8f04, 0xf3ce8f00, 0xee070f95, 0xee070f9a, 0xee070fba,
    0xe8dff001, 0xe8dff011, 0xe9bdc000, 0xf85dfb04, 0xe8bd8010, 0xf3af8003,
    0xf7f0a000, 0xf7f08000, 0xf7e08000, 0xf7fffffe, 0xf000e800, 0xf000f800,
};

uint32_t sample_arm(uint64_t n)
{
    uint32_t group = (uint32_t)(n % SAMPLES_ARM_ROUND);
    uint32_t rest = fields(scramble(n), 4);
    uint64_t special = n - SAMPLES_ARM_ROUND;

    if (special < sizeof(special_arm) / sizeof(special_arm[0]))
        return special_arm[special];
    return (group >> 4) << 20 | (rest >> 12 & 15) << 16 |
           (rest >> 4 & 255) << 8 | (group & 15) << 4 | (rest & 15);
}

uint32_t sample_thumb32(uint64_t n)
{
    uint32_t group = (uint32_t)(n % SAMPLES_THUMB32_ROUND);
    uint32_t rest = fields(scramble(n), 3);
    uint64_t special = n - SAMPLES_THUMB32_ROUND;

    if (special < sizeof(special_thumb32) / sizeof(special_thumb32[0]))
        return special_thumb32[special];
    /* 0xe800 to 0xffff */
    return ((group >> 4) + 0xe800u) << 16 | (group & 15) << 12 | rest;
}
