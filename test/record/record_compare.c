/* SPDX-License-Identifier: Apache-2.0 */
#include "record_compare.h"
#include "../support/core.h"
#include "../support/test.h"

const struct program arm7[3] = PROGRAMS("arm7tdmi", "arm7tdmi", A, IRQ_FIQ);
const struct program arm9[3] = PROGRAMS("arm926", "arm926ej-s", A, IRQ_FIQ);
const struct program arm10[3] = PROGRAMS("arm926", "arm1020e", A, IRQ_FIQ);

/* In PFT a context holds from the next waypoint on: a few instructions. */
enum { CONTEXT_LAG = 8 };

static bool same_context(const struct run *ran, size_t i,
                         const struct step *told)
{
    const struct step *a = &ran->steps[i];

    if (!told->context_known || !a->context_known || i < CONTEXT_LAG)
        return true;
    return told->context_id == a->context_id ||
           ran->steps[i - CONTEXT_LAG].context_id == told->context_id;
}

void same_steps(const struct run *ran, const struct run *told, size_t tail,
                const char *what)
{
    if (told->n_lost != 0)
        fail_msg("%s: trace was lost", what);
    for (size_t i = 0; i < told->n_steps && i < ran->n_steps; i++) {
        const struct step *a = &ran->steps[i], *b = &told->steps[i];

        if (a->address != b->address || a->opcode != b->opcode ||
            a->isa != b->isa || (b->exec != ETM_UNKNOWN && a->exec != b->exec))
            fail_msg("%s: instruction %zu of %zu: 0x%08x (%08x) ran, but "
                     "0x%08x (%08x) was decoded; condition %u, %u",
                     what, i, ran->n_steps, (unsigned)a->address,
                     (unsigned)a->opcode, (unsigned)b->address,
                     (unsigned)b->opcode, a->exec, b->exec);
        if (!same_context(ran, i, b))
            fail_msg("%s: instruction %zu: context 0x%x, not 0x%x", what, i,
                     (unsigned)b->context_id, (unsigned)a->context_id);
    }
    if (told->n_steps > ran->n_steps || told->n_steps + tail < ran->n_steps)
        fail_msg("%s: %zu instructions ran, %zu were decoded", what,
                 ran->n_steps, told->n_steps);
}

void same_transfers(const struct run *ran, const struct run *told, size_t tail,
                    const char *what)
{
    for (size_t i = 0; i < told->n_transfers && i < ran->n_transfers; i++) {
        const struct transfer *a = &ran->transfers[i];
        const struct transfer *b = &told->transfers[i];

        if (a->address != b->address || a->value != b->value ||
            a->size != b->size || a->store != b->store || a->insn != b->insn)
            fail_msg("%s: transfer %zu of 0x%08x: %s%u 0x%08x = 0x%llx, but "
                     "of 0x%08x: %s%u 0x%08x = 0x%llx was decoded",
                     what, i, (unsigned)a->insn, a->store ? "w" : "r", a->size,
                     (unsigned)a->address, (unsigned long long)a->value,
                     (unsigned)b->insn, b->store ? "w" : "r", b->size,
                     (unsigned)b->address, (unsigned long long)b->value);
    }
    if (told->n_transfers > ran->n_transfers ||
        told->n_transfers + tail < ran->n_transfers)
        fail_msg("%s: %zu transfers were made, %zu were decoded", what,
                 ran->n_transfers, told->n_transfers);
}

/* How many instructions at the end the trace does not tell: PFT none after
 * the last waypoint. The FIFO of the others is drained. */
size_t tail_of(const char *version)
{
    return version[0] == 'p' ? 30 : 0;
}

/*
 * All the cycles of a source add up to the time that passed: but for what came
 * before the first packet, and after the last waypoint; and the port of ETMv1
 * and ETMv2 goes on while the FIFO is drained.
 */
void same_cycles(const struct run *ran, const struct run *told,
                 const char *version, const char *what)
{
    bool port = version[0] == 'v' && version[1] < '3';
    uint64_t slack = version[0] == 'p' ? 40 : version[1] == '3' ? 2 : 0;
    uint64_t cycles = told->cycles - (port ? told->rest : 0);

    if (cycles > ran->cycles || cycles + slack < ran->cycles)
        fail_msg("%s: %llu cycles passed, %llu were decoded", what,
                 (unsigned long long)ran->cycles, (unsigned long long)cycles);
}

/* The log has both parts of each transfer, a trace can have one of them. */
void keep_the_part(struct run *ran, const char *options)
{
    bool addresses = strstr(options, "--data value") == NULL;
    bool values = strstr(options, "--data address") == NULL;

    for (size_t i = 0; i < ran->n_transfers; i++) {
        if (!addresses)
            ran->transfers[i].address = 0;
        if (!values)
            ran->transfers[i].value = 0;
    }
}

/* Record it, and hold the trace against the log. */
void comes_back(const struct program *p, const char *version,
                const char *options, bool data)
{
    char what[700];
    struct run ran, told;

    snprintf(what, sizeof what, "%s --core %s --etm %s %s %s", p->name, p->core,
             version, p->interrupts, options);
    record(p->name, "--core %s --etm %s %s %s", p->core, version, p->interrupts,
           options);
    read_log(&ran, p->profile, version);
    keep_the_part(&ran, options);
    decode(&told);
    assert_true(ran.n_steps > 300);
    same_steps(&ran, &told, tail_of(version), what);
    if (strstr(options, "--cycle-accurate") != NULL)
        same_cycles(&ran, &told, version, what);
    if (told.n_steps == ran.n_steps)
        assert_int_equal(told.n_exceptions, ran.n_exceptions);
    if (data)
        same_transfers(&ran, &told, tail_of(version), what);
    else
        assert_int_equal(told.n_transfers, 0);
    runs_free(&ran, &told);
}

/* Record with the registers that ask for something. */
void record_request(const struct program *p, const char *version,
                    const struct etm_request *request,
                    struct etm_config *config)
{
    struct etm_macrocell_config macrocell = {0};
    struct etm_setup setup = {0};
    struct etm_diag diag = {0};
    char text[8192];
    FILE *file;

    assert_ok(etm_core_macrocell(core_named(p->core), version, &macrocell,
                                 config, &diag));
    if (etm_configure(&setup, request, &macrocell, NULL, &diag) != ETM_OK)
        fail_msg("%s: %s", version, diag.what);
    assert_true(etm_setup_write(&setup, ETM_SETUP_FORMAT_TABLE, NULL, text,
                                sizeof text, &diag) > 0);
    file = open_beside("setup", "wb");
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    record(p->name, "--core %s --etm %s --setup %s %s", p->core, version,
           beside("setup"), p->interrupts);
}
