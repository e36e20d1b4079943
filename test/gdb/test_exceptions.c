/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EXC_RETURN, which LR holds in handlers of the M profile, is right or not
 * known. test_values.c compares it with that of an emulator; here is what its
 * programs do not do.
 *
 *     test_exceptions PROGRAMS
 */
#include "../support/test.h"
#include "gdb/program.h"
#include "gdb/values.h"

#define ENTRY 0x100u
#define LR 14u
#define BX_LR 0x4770u

static const char *folder;

struct machine {
    struct etm_gdb_values values;
    uint32_t pc;
};

static size_t no_constants(void *context, uint32_t address, uint8_t *bytes,
                           size_t size)
{
    (void)context;
    (void)address;
    (void)bytes;
    (void)size;
    return 0;
}

static void begin(struct machine *m, uint32_t pc)
{
    const struct etm_config config = {.protocol = ETM_PROTOCOL_ETMV3,
                                      .profile = ETM_PROFILE_M};

    etm_gdb_values_init(&m->values, &config, no_constants, NULL);
    m->values.exceptions.never = (struct etm_gdb_never){
        .floats = true, .entry_known = true, .entry = ENTRY};
    m->pc = pc;
}

static void run(struct machine *m, uint32_t opcode)
{
    struct etm_element e = {.kind = ETM_ELEMENT_INSN};

    e.u.insn.isa = ETM_ISA_THUMB;
    e.u.insn.size = opcode > 0xffff ? 4 : 2;
    e.u.insn.exec = ETM_TRUE;
    e.u.insn.address = m->pc;
    e.u.insn.opcode = opcode;
    etm_gdb_values_take(&m->values, &e);
    m->pc += e.u.insn.size;
}

static void take(struct machine *m, enum etm_element_kind kind)
{
    const struct etm_element e = {.kind = (uint8_t)kind};

    etm_gdb_values_take(&m->values, &e);
}

static void interrupt(struct machine *m, bool return_known)
{
    struct etm_element e = {.kind = ETM_ELEMENT_EXCEPTION};

    e.u.exception.type = ETM_EXCEPTION_SYS_TICK;
    e.u.exception.return_known = return_known;
    e.u.exception.return_address = m->pc;
    etm_gdb_values_take(&m->values, &e);
}

/* LR; 0: it is not known. */
static uint32_t link(const struct machine *m)
{
    const struct etm_gdb_registers *r = &m->values.registers;

    return etm_gdb_knows(r, LR) ? r->value[LR] : 0;
}

/* One step of a scenario, as the rows below have them. */
static void step(struct machine *m, const char *word)
{
    static const struct {
        const char *name;
        uint32_t opcode;
    } instructions[] = {{"nop", 0xbf00},
                        {"movs_r0_0", 0x2000},
                        {"movs_r0_2", 0x2002},
                        {"movs_r0_3", 0x2003},
                        {"msr_control_r0", 0xf3808814},
                        {"msr_control_r1", 0xf3818814},
                        {"push_r4", 0xb410},
                        {"push_r4_lr", 0xb510},
                        {"pop_r4_pc", 0xbd10},
                        {"pop_w_r4_lr", 0xe8bd4010},
                        {"push_w_lr", 0xf84ded04},
                        {"pop_w_lr", 0xf85deb04},
                        {"strd_r4_lr_sp", 0xe9cd4e00},
                        {"ldrd_r4_lr_sp", 0xe9dd4e00},
                        {"ldm_r0_r4_lr", 0xe8b04010},
                        {"mvn_lr_2", 0xf06f0e02}};
    bool probe = strncmp(word, "probe=", 6) == 0;
    uint32_t wanted = 0;

    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (strcmp(word, instructions[i].name) == 0) {
            run(m, instructions[i].opcode);
            return;
        }
    if (!probe && strncmp(word, "link=", 5) != 0 &&
        strstr("interrupt_at_return bx_lr lost fpu", word) == NULL)
        fail_msg("not a step: %s", word);
    if (probe || strncmp(word, "link=", 5) == 0)
        wanted = (uint32_t)strtoul(strchr(word, '=') + 1, NULL, 16);
    if (probe || strncmp(word, "interrupt", 9) == 0)
        interrupt(m, strcmp(word, "interrupt_at_return") != 0);
    if (strchr(word, '=') != NULL && link(m) != wanted)
        fail_msg("%s: %x", word, (unsigned)link(m));
    if (probe || strcmp(word, "bx_lr") == 0)
        run(m, BX_LR);
    if (probe || strcmp(word, "bx_lr") == 0 || strcmp(word, "return") == 0)
        take(m, ETM_ELEMENT_EXCEPTION_RETURN);
    if (strcmp(word, "lost") == 0)
        take(m, ETM_ELEMENT_LOST);
    if (strcmp(word, "fpu") == 0)
        m->values.exceptions.never.floats = false;
}

/* Begins at the entry, or elsewhere. "probe=LR" is what a handler finds that
 * does nothing, and returns; 0 is not known. */
TEST(exc_return_is_right_or_not_known)
{
    static const struct {
        const char *name;
        uint32_t begin;
        const char *steps;
    } rows[] = {
        {"after a reset it is the main stack", ENTRY,
         "nop probe=fffffff9 interrupt push_r4_lr probe=fffffff1 pop_r4_pc "
         "return nop probe=fffffff9"},
        {"in the middle nothing is known, but a handler interrupts a handler",
         ENTRY + 0x100,
         "nop probe=0 interrupt nop link=0 interrupt link=fffffff1"},
        {"a gap ends what is known", ENTRY, "nop lost probe=0"},
        {"CONTROL selects the stack; R1 has anything", ENTRY,
         "movs_r0_2 msr_control_r0 probe=fffffffd msr_control_r1 probe=0"},
        {"unprivileged code cannot select it: or was it privileged?", ENTRY,
         "movs_r0_3 msr_control_r0 probe=fffffffd movs_r0_0 msr_control_r0 "
         "probe=0"},
        {"a handler selects it by its return, saves it around a call or not, "
         "and loads it from elsewhere as when tasks are switched",
         ENTRY + 0x100,
         "nop interrupt mvn_lr_2 bx_lr nop probe=fffffffd interrupt push_r4_lr "
         "nop pop_w_r4_lr bx_lr nop probe=fffffffd interrupt ldm_r0_r4_lr "
         "bx_lr "
         "nop probe=0"},
        {"handlers take each other's place: late, and at a return", ENTRY,
         "nop interrupt interrupt link=fffffff9 bx_lr interrupt_at_return "
         "link=fffffff9 bx_lr nop probe=fffffff9"},
        {"LR is saved alone, or as the second of two", ENTRY,
         "nop interrupt push_w_lr mvn_lr_2 pop_w_lr bx_lr nop probe=fffffff9 "
         "interrupt strd_r4_lr_sp mvn_lr_2 ldrd_r4_lr_sp bx_lr nop "
         "probe=fffffff9"},
        {"what others are saved with is not LR", ENTRY,
         "nop interrupt push_r4 pop_w_r4_lr bx_lr nop probe=0"},
        {"with an FPU it is not known", ENTRY,
         "fpu nop probe=0 interrupt nop probe=0"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[256];
        struct machine m;

        print_message("%s\n", rows[i].name);
        begin(&m, rows[i].begin);
        (void)snprintf(text, sizeof text, "%s", rows[i].steps);
        for (char *w = strtok(text, " "); w != NULL; w = strtok(NULL, " "))
            step(&m, w);
    }
}

TEST(more_handlers_than_are_followed)
{
    struct machine m;

    begin(&m, ENTRY);
    for (unsigned i = 0; i < 3 * ETM_GDB_HANDLERS_MOST; i++) {
        step(&m, "nop");
        step(&m, "interrupt");
        step(&m, i == 0 ? "link=fffffff9" : "link=fffffff1");
    }
    for (unsigned i = 0; i < 3 * ETM_GDB_HANDLERS_MOST; i++)
        step(&m, "bx_lr");
    step(&m, "nop");
    step(&m, "probe=0");
}

static struct etm_gdb_never never_of(const char *path, bool fpu)
{
    struct etm_gdb_program *program = etm_gdb_program_of(path);
    struct etm_gdb_never never;

    assert_non_null(program);
    never = etm_gdb_program_never(program, fpu);
    etm_gdb_program_free(program);
    return never;
}

static uint32_t word(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
           (uint32_t)at[3] << 24;
}

/* Write a program anew, with another instruction where it begins. */
static void change(const char *from, const char *to, uint32_t opcode)
{
    static uint8_t bytes[1 << 20];
    const uint8_t instruction[] = {(uint8_t)(opcode >> 16),
                                   (uint8_t)(opcode >> 24), (uint8_t)opcode,
                                   (uint8_t)(opcode >> 8)};
    const uint8_t *segment;
    FILE *file = fopen(from, "rb");
    size_t n;

    assert_non_null(file);
    n = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    segment = bytes + word(bytes + 28);
    memcpy(bytes + word(segment + 4) + (word(bytes + 24) & ~1u) -
               word(segment + 8),
           instruction, sizeof instruction);
    file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

TEST(what_a_program_never_does_is_in_its_code)
{
    static const char changed[] = "test_exceptions.elf";
    char path[512];
    struct etm_gdb_never never;

    (void)snprintf(path, sizeof path, "%s/recurse-m3.elf", folder);
    never = never_of(path, true);
    assert_true(never.selects_stack && never.floats && never.entry_known);
    change(path, changed, 0xf3808809u); /* MSR PSP, R0 */
    never = never_of(changed, true);
    assert_true(!never.selects_stack && never.floats);
    change(path, changed, 0xf3808814u); /* MSR CONTROL, R0 */
    assert_false(never_of(changed, true).selects_stack);
    change(path, changed, 0xeeb00a40u); /* VMOV S0, S0 */
    never = never_of(changed, true);
    assert_true(never.selects_stack && !never.floats);
    assert_true(never_of(changed, false).floats);
    (void)remove(changed);
    never = never_of("no-such-file", true);
    assert_true(!never.selects_stack && !never.floats && !never.entry_known);
}

int main(int argc, char **argv)
{
    folder = argc > 1 ? argv[1] : ".";
    return tests_run();
}
