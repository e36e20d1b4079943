/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EXC_RETURN, which LR holds in handlers of the M profile, is right or not
 * known. test_values.c compares it with that of an emulator; here is what its
 * programs do not do.
 *
 *     test_exceptions PROGRAMS
 */
#include "gdb/program.h"
#include "gdb/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ENTRY 0x100u
#define LR 14u

/* Instructions. */
#define NOP 0xbf00u
#define MOVS_R0_0 0x2000u
#define MOVS_R0_2 0x2002u
#define MOVS_R0_3 0x2003u
#define MSR_CONTROL_R0 0xf3808814u
#define MSR_CONTROL_R1 0xf3818814u
#define PUSH_R4_LR 0xb510u
#define POP_R4_PC 0xbd10u
#define POP_W_R4_LR 0xe8bd4010u
#define LDM_R0_R4_LR 0xe8b04010u
#define MVN_LR_2 0xf06f0e02u
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

/* What a handler finds that does nothing, and returns. */
static uint32_t probe(struct machine *m)
{
    uint32_t value;

    interrupt(m, true);
    value = link(m);
    run(m, BX_LR);
    take(m, ETM_ELEMENT_EXCEPTION_RETURN);
    return value;
}

static void after_a_reset_it_is_the_main_stack(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0xfffffff9);
    interrupt(&m, true);
    run(&m, PUSH_R4_LR);
    assert_int_equal(probe(&m), 0xfffffff1);
    run(&m, POP_R4_PC);
    take(&m, ETM_ELEMENT_EXCEPTION_RETURN);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0xfffffff9);
}

static void in_the_middle_nothing_is_known(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY + 0x100);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0);
    /* but a handler interrupts a handler */
    interrupt(&m, true);
    run(&m, NOP);
    assert_int_equal(link(&m), 0);
    interrupt(&m, true);
    assert_int_equal(link(&m), 0xfffffff1);
}

static void a_gap_ends_what_is_known(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY);
    run(&m, NOP);
    take(&m, ETM_ELEMENT_LOST);
    assert_int_equal(probe(&m), 0);
}

static void control_selects_the_stack(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY);
    run(&m, MOVS_R0_2);
    run(&m, MSR_CONTROL_R0);
    assert_int_equal(probe(&m), 0xfffffffd);
    run(&m, MSR_CONTROL_R1); /* which has anything */
    assert_int_equal(probe(&m), 0);
}

static void unprivileged_code_cannot_select_it(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY);
    run(&m, MOVS_R0_3);
    run(&m, MSR_CONTROL_R0); /* unprivileged, and on the process stack */
    assert_int_equal(probe(&m), 0xfffffffd);
    run(&m, MOVS_R0_0);
    run(&m, MSR_CONTROL_R0); /* may be without effect: or was it privileged? */
    assert_int_equal(probe(&m), 0);
}

static void a_handler_selects_it_by_its_return(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY + 0x100);
    run(&m, NOP);
    interrupt(&m, true);
    run(&m, MVN_LR_2);
    run(&m, BX_LR);
    take(&m, ETM_ELEMENT_EXCEPTION_RETURN);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0xfffffffd);
    /* saved and restored, around a call or not */
    interrupt(&m, true);
    run(&m, PUSH_R4_LR);
    run(&m, NOP);
    run(&m, POP_W_R4_LR);
    run(&m, BX_LR);
    take(&m, ETM_ELEMENT_EXCEPTION_RETURN);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0xfffffffd);
    /* loaded from elsewhere, as when tasks are switched */
    interrupt(&m, true);
    run(&m, LDM_R0_R4_LR);
    run(&m, BX_LR);
    take(&m, ETM_ELEMENT_EXCEPTION_RETURN);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0);
}

static void handlers_take_each_others_place(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY);
    run(&m, NOP);
    interrupt(&m, true);
    interrupt(&m, true); /* late, in place of the first one */
    assert_int_equal(link(&m), 0xfffffff9);
    run(&m, BX_LR);
    take(&m, ETM_ELEMENT_EXCEPTION_RETURN);
    interrupt(&m, false); /* at its return */
    assert_int_equal(link(&m), 0xfffffff9);
    run(&m, BX_LR);
    take(&m, ETM_ELEMENT_EXCEPTION_RETURN);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0xfffffff9);
}

static void more_handlers_than_are_followed(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY);
    for (unsigned i = 0; i < 3 * ETM_GDB_HANDLERS_MOST; i++) {
        run(&m, NOP);
        interrupt(&m, true);
        assert_true(link(&m) == 0xfffffff1 || i == 0);
    }
    for (unsigned i = 0; i < 3 * ETM_GDB_HANDLERS_MOST; i++) {
        run(&m, BX_LR);
        take(&m, ETM_ELEMENT_EXCEPTION_RETURN);
    }
    run(&m, NOP);
    assert_int_equal(probe(&m), 0);
}

static void with_an_fpu_it_is_not_known(void **state)
{
    struct machine m;

    (void)state;
    begin(&m, ENTRY);
    m.values.exceptions.never.floats = false;
    run(&m, NOP);
    assert_int_equal(probe(&m), 0);
    interrupt(&m, true);
    run(&m, NOP);
    assert_int_equal(probe(&m), 0);
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

static void what_a_program_never_does_is_in_its_code(void **state)
{
    static const char changed[] = "test_exceptions.elf";
    char path[512];
    struct etm_gdb_never never;

    (void)state;
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(after_a_reset_it_is_the_main_stack),
        cmocka_unit_test(in_the_middle_nothing_is_known),
        cmocka_unit_test(a_gap_ends_what_is_known),
        cmocka_unit_test(control_selects_the_stack),
        cmocka_unit_test(unprivileged_code_cannot_select_it),
        cmocka_unit_test(a_handler_selects_it_by_its_return),
        cmocka_unit_test(handlers_take_each_others_place),
        cmocka_unit_test(more_handlers_than_are_followed),
        cmocka_unit_test(with_an_fpu_it_is_not_known),
        cmocka_unit_test(what_a_program_never_does_is_in_its_code)};

    folder = argc > 1 ? argv[1] : ".";
    return cmocka_run_group_tests(tests, NULL, NULL);
}
