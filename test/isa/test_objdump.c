/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The classifier against the disassembler of GNU binutils: encodings are
 * written to a file, in pieces, and the lines that come back are parsed.
 */
#define _POSIX_C_SOURCE 200809L
#include "../support/test.h"
#include "judge.h"

#define ADDRESS 0x40000000u
#define PIECE 1000000u /* encodings */

/* Halfwords between 16-bit encodings: nops that end an IT block. */
#define THUMB16_STRIDE 10u

static const char *const objdumps[] = {"arm-none-eabi-objdump",
                                       "arm-linux-gnueabihf-objdump",
                                       "arm-linux-gnueabi-objdump", "objdump"};

/* The first objdump that knows Arm, or NULL. */
static const char *find_objdump(void)
{
    for (size_t i = 0; i < sizeof(objdumps) / sizeof(objdumps[0]); i++) {
        char command[128];

        snprintf(command, sizeof(command),
                 "%s -i 2>/dev/null | grep -q '^ *arm'", objdumps[i]);
        if (system(command) == 0)
            return objdumps[i];
    }
    return NULL;
}

/* A piece of code: the opcodes, and the address of each. */
struct piece {
    const uint32_t *opcodes;
    size_t n;
    uint32_t stride; /* bytes from one to the next */
    bool shifted;    /* a nop stands before them */
};

static void write_piece(const struct piece *piece, enum etm_isa isa, FILE *file)
{
    static const uint8_t nop[2] = {0x00, 0xbf};

    if (piece->shifted)
        fwrite(nop, 1, 2, file);
    for (size_t i = 0; i < piece->n; i++) {
        uint32_t opcode = piece->opcodes[i];
        uint32_t word = opcode;
        uint8_t bytes[4];

        if (isa == ETM_ISA_THUMB && piece->stride == 4)
            word = opcode << 16 | opcode >> 16;
        else if (isa == ETM_ISA_THUMB)
            word = opcode | 0xbf000000u;
        for (unsigned k = 0; k < 4; k++)
            bytes[k] = (uint8_t)(word >> (8 * k));
        fwrite(bytes, 1, 4, file);
        for (uint32_t k = 4; k < piece->stride; k += 2)
            fwrite(nop, 1, 2, file);
    }
}

/* A line of disassembly: "40000000:\tadd\tr1, pc, #1\t@ 0x1". */
struct line {
    uint32_t address;
    char mnemonic[32];
    char operands[160];
};

static bool parse_line(struct line *line, char *text)
{
    char *end, *mnemonic, *operands;

    line->address = (uint32_t)strtoull(text, &end, 16);
    if (end == text || end[0] != ':' || end[1] != '\t')
        return false;
    mnemonic = end + 2;
    mnemonic[strcspn(mnemonic, "\n")] = '\0';
    operands = mnemonic + strcspn(mnemonic, "\t");
    if (*operands != '\0')
        *operands++ = '\0';
    operands[strcspn(operands, "\t;@<")] = '\0';
    snprintf(line->mnemonic, sizeof(line->mnemonic), "%s", mnemonic);
    snprintf(line->operands, sizeof(line->operands), "%s", operands);
    return true;
}

/*
 * Compare what stands at the address of each encoding. A line's size is known
 * with the line after it.
 */
static void compare_lines(struct trial *trial, const struct piece *piece,
                          FILE *lines)
{
    uint32_t base = ADDRESS + (piece->shifted ? 2 : 0);
    struct line line = {0};
    bool pending = false;
    char text[512];
    size_t seen = 0;

    for (;;) {
        bool more = fgets(text, sizeof(text), lines) != NULL;
        struct line next;

        if (more && !parse_line(&next, text))
            continue;
        if (pending && line.address >= base &&
            (line.address - base) % piece->stride == 0) {
            size_t i = (line.address - base) / piece->stride;
            uint32_t opcode = piece->opcodes[i];
            uint32_t after = more ? next.address : line.address + 4;
            struct verdict verdict;

            assert_true(i < piece->n);
            judge_text(&verdict, line.mnemonic, line.operands);
            verdict.size = (uint8_t)(after - line.address);
            /* a prefix with the nop after it */
            if (piece->stride != 4 && opcode >= 0xe800)
                opcode = opcode << 16 | 0xbf00;
            trial_compare(trial, opcode, line.address, &verdict, line.mnemonic,
                          line.operands);
            seen++;
        }
        if (!more)
            break;
        line = next;
        pending = true;
    }
    /* every encoding got a line of its own */
    assert_int_equal(seen, piece->n);
}

static void judge_piece(struct trial *trial, const char *objdump,
                        const struct piece *piece)
{
    char command[256];
    FILE *code = tmpfile();
    FILE *lines;

    assert_non_null(code);
    write_piece(piece, trial->isa, code);
    assert_int_equal(fflush(code), 0);
    snprintf(command, sizeof(command),
             "LC_ALL=C %s -z -b binary -m arm %s -D --no-show-raw-insn "
             "--adjust-vma=0x%x /dev/fd/%d",
             objdump, trial->isa == ETM_ISA_THUMB ? "-M force-thumb" : "",
             ADDRESS, fileno(code));
    lines = popen(command, "r");
    assert_non_null(lines);
    compare_lines(trial, piece, lines);
    assert_int_equal(pclose(lines), 0);
    fclose(code);
}

static void judge_samples(struct trial *trial, const char *objdump,
                          uint32_t (*sample)(uint64_t), uint64_t n)
{
    uint32_t *opcodes = calloc(PIECE, sizeof(*opcodes));
    struct piece piece = {opcodes, 0, 4, false};

    assert_non_null(opcodes);
    for (uint64_t i = 0; i < n; i += piece.n) {
        piece.n = n - i < PIECE ? (size_t)(n - i) : PIECE;
        for (size_t k = 0; k < piece.n; k++)
            opcodes[k] = sample(i + k);
        judge_piece(trial, objdump, &piece);
        /* Thumb branches count from an aligned address, or not: try both. */
        piece.shifted = trial->isa == ETM_ISA_THUMB && !piece.shifted;
    }
    free(opcodes);
}

static const char *objdump_or_skip(void)
{
    const char *objdump = find_objdump();

    if (objdump == NULL) {
        print_message("no objdump that knows Arm: skipped\n");
        skip();
    }
    return objdump;
}

TEST(objdump_agrees_on_arm)
{
    struct trial trial = {.judge = JUDGE_OBJDUMP, .isa = ETM_ISA_ARM};
    const char *objdump = objdump_or_skip();

    judge_samples(&trial, objdump, sample_arm, samples_arm());
    assert_true(trial_passes(&trial));
}

static void objdump_agrees_on_all_of_thumb(void **state)
{
    static uint32_t opcodes[0x10000];
    struct trial trial = {.judge = JUDGE_OBJDUMP, .isa = ETM_ISA_THUMB};
    const char *objdump = objdump_or_skip();
    struct piece all = {opcodes, 0x10000, THUMB16_STRIDE, false};

    (void)state;
    for (uint32_t i = 0; i < 0x10000; i++)
        opcodes[i] = i;
    judge_piece(&trial, objdump, &all);
    judge_samples(&trial, objdump, sample_thumb32, samples_thumb32());
    assert_true(trial_passes(&trial));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest thumb[] = {
        cmocka_unit_test(objdump_agrees_on_all_of_thumb),
    };

    /* Two processes, so that two processors share the work. */
    if (argc > 1 && argv[1][0] == 'a')
        return tests_run();
    return cmocka_run_group_tests(thumb, NULL, NULL);
}
