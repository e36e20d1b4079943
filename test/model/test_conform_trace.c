/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A whole macrocell, in what the specification says by the way: what counts
 * as an instruction or a transfer, resets, permissions. Rows of the conformance
 * list stand above the tests.
 */
#include "macrocell_code.h"

#define LDRD 0xe1c100d0u
#define PLD 0xf5d1f000u

static const struct etm_config v34_data = {.protocol = ETM_PROTOCOL_ETMV3,
                                           .minor = 4,
                                           .data_address = true,
                                           .data_value = true};

/* Which external outputs were on at any time. */
static unsigned outputs_seen(const struct cell *c)
{
    unsigned seen = 0;

    for (size_t i = 0; i < c->n_signals; i++)
        seen |= c->signals[i].ext_out;
    return seen;
}

/* MC-ADR-20: a CBZ that does not branch has failed */
static void compare_and_branch_fails_if_it_does_not_branch(void **state)
{
    const struct etm_event events[] = {
        after(1, failing(thumb(0x100, 0xb108))), /* CBZ r0, 0x106 */
        after(1, thumb(0x102, 0xbf00)),
        after(1, to(thumb(0x104, 0xb110), place(0x10c, ETM_ISA_THUMB))),
        after(1, thumb(0x10c, 0xbf00)),
    };
    struct cell *c = make(&v34);

    (void)state;
    single(c, 0, 0x100, 0x0b); /* failed */
    single(c, 1, 0x100, 0x0a); /* passed */
    single(c, 2, 0x104, 0x0b);
    single(c, 3, 0x104, 0x0a);
    for (unsigned n = 0; n < 4; n++)
        poke(c, ETM_REG_EXTOUTEVR1 + n, n);
    program_end(c, cell_control(&v34));
    run(c, events, COUNT(events));
    finish(c);
    assert_int_equal(outputs_seen(c), 1 | 8);
    cell_end(c);
}

/* MC-ADR-21, V3-EXC-12, -14: what a prefetch abort cancels is compared if it is
   traced, and not if it has no event of its own */
static void aborted_instruction_is_compared_if_it_is_traced(void **state)
{
    for (unsigned traced = 0; traced < 2; traced++) {
        const struct etm_event events[] = {
            nop(0x100),
            nop(0x104),
            after(1, exception(ETM_EXCEPTION_PREFETCH_ABORT, traced,
                               place(0x0c, ETM_ISA_ARM))),
            nop(0x0c),
        };
        struct cell *c = make(&v34);

        (void)state;
        single(c, 0, traced ? 0x104 : 0x108, 0x19);
        poke(c, ETM_REG_EXTOUTEVR1, 0);
        program_end(c, cell_control(&v34));
        run(c, events, COUNT(events));
        finish(c);
        assert_int_equal(outputs_seen(c), traced);
        cell_end(c);
    }
}

/* MC-ADR-22, V3-EXC-13: a null pointer check that stops a transfer aborts it */
static void null_pointer_check_is_an_abort(void **state)
{
    static const enum etm_exception_type types[] = {
        ETM_EXCEPTION_JAZELLE_THUMBEE, ETM_EXCEPTION_DATA_ABORT,
        ETM_EXCEPTION_ASYNC_DATA_ABORT};

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        const struct etm_event events[] = {
            after(1, insn(0x100, ETM_ISA_THUMBEE, 0x6808, 2, true, 0)),
            load(0x2000, 1),
            after(1, exception(types[i], true, place(0x10, ETM_ISA_ARM))),
            nop(0x10),
        };
        struct cell *c = make(&v34);

        single(c, 0, 0x2000, 0x9d);
        single(c, 1, 0x2000, 0x1d);
        poke(c, ETM_REG_EXTOUTEVR1, 0);
        poke(c, ETM_REG_EXTOUTEVR1 + 1, 1);
        program_end(c, cell_control(&v34));
        run(c, events, COUNT(events));
        finish(c);
        /* the exact one matches no aborted transfer (table 2-5) */
        assert_int_equal(outputs_seen(c), i == 2 ? 3 : 2);
        cell_end(c);
    }
}

/* MC-ADR-24: PLD moves no data; those after it are of the load before */
static void preload_is_no_transfer(void **state)
{
    const struct etm_event events[] = {
        nop(0x0fc),
        after(1, arm(0x100, LDR)),
        after(1, arm(0x104, PLD)),
        load(0x2000, 1),
        nop(0x108),
    };
    struct cell *c = make(&v34_data);

    (void)state;
    single(c, 0, 0x100, 0x19);
    poke(c, ETM_REG_VDCR1, 1); /* only of the instruction at 0x100 */
    poke(c, ETM_REG_VDCR3, 0);
    program_end(c, cell_control(&v34_data));
    TRACES(c, events, "on:start fc 100 104 data:2000=1 108");
    cell_end(c);
}

/* MC-ADR-25: each word by itself, of a load multiple and a doubleword */
static void words_of_an_instruction_are_compared_one_by_one(void **state)
{
    for (unsigned pair = 0; pair < 2; pair++) {
        const struct etm_event events[] = {
            after(1, arm(0x100, pair ? LDRD : LDM)),
            after(1, load(0x2000, 1)),
            after(1, load(0x2004, 2)),
            after(1, pair ? idle(1) : load(0x2008, 3)),
            nop(0x104),
        };
        struct cell *c = make(&v34_data);
        uint64_t cycles[2] = {0, 0};

        (void)state;
        single(c, 0, 0x2000, 0x1d);
        single(c, 1, 0x2004, 0x1d);
        poke(c, ETM_REG_EXTOUTEVR1, 0);
        poke(c, ETM_REG_EXTOUTEVR1 + 1, 1);
        program_end(c, cell_control(&v34_data));
        run(c, events, COUNT(events));
        finish(c);
        for (size_t i = 0; i < c->n_signals; i++)
            for (unsigned n = 0; n < 2; n++)
                if ((unsigned)c->signals[i].ext_out >> n & 1u)
                    cycles[n] = c->signals[i].cycle;
        assert_true(cycles[0] != 0);
        assert_int_equal(cycles[1], cycles[0] + 1);
        cell_end(c);
    }
}

/* MC-VD-17: a load multiple of which ViewData takes the first word only */
static void words_not_viewed_are_marked(void **state)
{
    const struct etm_event events[] = {
        after(1, arm(0x100, LDM)), load(0x2000, 1), load(0x2004, 2),
        load(0x2008, 3),           nop(0x104),
    };
    struct cell *c = make(&v34_data);

    (void)state;
    single(c, 0, 0x2000, 0x1d);
    poke(c, ETM_REG_VDCR1, 1);
    poke(c, ETM_REG_VDCR3, 0);
    program_end(c, cell_control(&v34_data));
    run(c, events, COUNT(events));
    finish(c);
    assert_int_equal(count_packets(c, ETM_PACKET_NORMAL_DATA), 1);
    assert_int_equal(find_packet(c, ETM_PACKET_NORMAL_DATA, 0)->address,
                     0x2000);
    assert_int_equal(count_packets(c, ETM_PACKET_VALUE_NOT_TRACED), 2);
    cell_end(c);
}

/* MC-CID-06, MC-GEN-13, MC-PRG-01: a reset of the processor is an exception in
   the trace; no register changes, and the context ID is the last one known */
static void processor_reset_changes_no_register(void **state)
{
    const struct etm_event before[] = {context(0x77, 0), nop(0x100)};
    const struct etm_event reset[] = {
        after(1, exception(ETM_EXCEPTION_RESET, true, place(0, ETM_ISA_ARM))),
        nop(0x0),
        nop(0x4),
    };
    struct etm_event all[COUNT(before) + COUNT(reset)];
    struct etm_macrocell_signals s;
    struct cell *c = make(&v34);
    uint32_t values[2][ETM_REG_TRACEIDR];

    (void)state;
    poke(c, ETM_REG_CIDCVR1, 0x77);
    poke(c, ETM_REG_CIDCMR, 0);
    poke(c, ETM_REG_EXTOUTEVR1, 0x58);
    program_end(c, cell_control(&v34));
    run(c, before, COUNT(before));
    for (uint32_t n = 0; n < ETM_REG_TRACEIDR; n++)
        (void)etm_macrocell_read(c->m, n, c->access, &values[0][n]);
    run(c, reset, COUNT(reset));
    etm_macrocell_get_signals(c->m, &s);
    assert_int_equal(s.ext_out, 1);
    finish(c);
    for (uint32_t n = 0; n < ETM_REG_TRACEIDR; n++)
        (void)etm_macrocell_read(c->m, n, c->access, &values[1][n]);
    assert_memory_equal(values[0], values[1], sizeof values[0]);
    memcpy(all, before, sizeof before);
    memcpy(all + COUNT(before), reset, sizeof reset);
    assert_string_equal(decode_text(c, all, COUNT(all)),
                        "on:start exc:reset 0 4");
    cell_end(c);
}

/* MC-PRG-24: the count of cycles begins again, which is traced as 0, whichever
   of the two bits stopped the trace; E-201, V3-CC-05 */
static void cycle_count_begins_again_after_programming(void **state)
{
    (void)state;
    for (unsigned power = 0; power < 2; power++) {
        struct etm_event events[] = {nop(0x100), nop(0x104), nop(0x108),
                                     nop(0x10c), nop(0x110), nop(0x114)};
        struct etm_config trace = v34;
        uint32_t control;
        struct cell *c;

        trace.cycle_accurate = true;
        c = make(&trace);
        control = cell_control(&trace);
        program_end(c, control);
        run(c, events, 2);
        poke(c, ETM_REG_CR, control | ETM_CR_PROGRAMMING);
        if (power) {
            poke(c, ETM_REG_CR,
                 control | ETM_CR_PROGRAMMING | ETM_CR_POWER_DOWN);
            poke(c, ETM_REG_CR, control | ETM_CR_PROGRAMMING);
        }
        run(c, events + 2, 2);
        poke(c, ETM_REG_CR, control);
        run(c, events + 4, 2);
        finish(c);
        assert_string_equal(decode_text(c, events, COUNT(events)),
                            "on:start gap:? 100 104 on:start gap:? 110 114");
        cell_end(c);
    }
}

/* MC-SEC-04: a value that comes back inside a prohibited region; V3-OOO-14,
   V3-PROH-03 */
static void late_value_is_traced_in_a_prohibited_region(void **state)
{
    static const struct etm_macrocell_pins pins = {.niden = true};
    struct etm_event waits = load(0x2000, 0),
                     comes = {.kind = ETM_EVENT_DATA_VALUE, .cycles = 1};
    struct etm_config trace = v34_data;
    struct cell *c;

    (void)state;
    waits.u.data.tag = 1;
    comes.u.data_value.tag = 1;
    comes.u.data_value.value = 0x1234;
    trace.security = true;
    c = make(&trace);
    etm_macrocell_set_pins(c->m, &pins);
    program_end(c, cell_control(&trace));
    {
        const struct etm_event events[] = {
            go_to(non_secure(place(0x100, ETM_ISA_ARM))),
            after(1, arm(0x100, LDR)),
            waits,
            after(1, arm(0x104, 0xe1600070)), /* SMC */
            after(1, exception(ETM_EXCEPTION_SMC, false,
                               place(0xc0de08, ETM_ISA_ARM))),
            nop(0xc0de08),
            comes,
            nop(0xc0de0c),
        };

        TRACES(c, events, "on:start 100 104 exc:smc data:2000=1234");
    }
    cell_end(c);
}

/* MC-SEC-01: what leads there is still traced, but not where to, and so are its
   data, in whatever cycle they come; E-207 */
static void data_of_what_leads_into_a_prohibited_region_are_traced(void **state)
{
    static const struct etm_macrocell_pins pins = {.niden = true};

    (void)state;
    for (uint64_t cycles = 0; cycles < 3; cycles++) {
        const struct etm_event events[] = {
            go_to(non_secure(place(0x100, ETM_ISA_ARM))),
            nop(0x100),
            after(1, to(arm(0x104, 0xe8918003), /* LDM r1, {r0, r1, pc} */
                        place(0xc0de00, ETM_ISA_ARM))),
            load(0x2000, 1),
            after(cycles, load(0x2004, 2)),
            after(cycles, load(0x2008, 0xc0de00)),
            nop(0xc0de00),
            after(1, arm(0xc0de04, LDR)),
            load(0x3000, 3),
        };
        struct etm_config trace = v34_data;
        struct cell *c;

        trace.security = true;
        c = make(&trace);
        etm_macrocell_set_pins(c->m, &pins);
        program_end(c, cell_control(&trace));
        TRACES(c, events,
               "on:start 100 104 data:2000=1 data:2004=2 data:2008=c0de00");
        assert_int_equal(count_packets(c, ETM_PACKET_BRANCH_ADDRESS), 1);
        for (size_t i = 0; i < c->n_packets; i++)
            if (c->packets[i].kind == ETM_PACKET_BRANCH_ADDRESS)
                assert_int_equal(c->packets[i].address, 0);
        cell_end(c);
    }
}

/* MC-SEC-01: data that come when tracing has stopped do not begin it again,
   with an address of the region; E-207 */
static void data_begin_no_trace_in_a_prohibited_region(void **state)
{
    static const struct etm_macrocell_pins pins = {.niden = true};
    const struct etm_event events[] = {
        go_to(non_secure(place(0x100, ETM_ISA_ARM))),
        after(1, arm(0x100, LDR)),
        after(1, arm(0x104, 0xe1600070)), /* SMC */
        after(1, exception(ETM_EXCEPTION_SMC, false,
                           place(0xc0de08, ETM_ISA_ARM))),
        nop(0xc0de08),
        load(0x2000, 1),
        nop(0xc0de0c),
    };
    struct etm_config trace = v34_data;
    struct cell *c;

    (void)state;
    trace.security = true;
    c = make(&trace);
    etm_macrocell_set_pins(c->m, &pins);
    program_end(c, cell_control(&trace));
    TRACES(c, events, "on:start 100 104 exc:smc");
    cell_end(c);
}

/* E-208: the last instruction before an access has completed, with its data;
   where it led the next one tells, and the trace is as without the access */
static void branch_before_an_access_leads_to_what_comes_next(void **state)
{
    struct etm_config traces[] = {
        {.protocol = ETM_PROTOCOL_ETMV1, .minor = 3},
        {.protocol = ETM_PROTOCOL_ETMV2, .minor = 1},
        {.protocol = ETM_PROTOCOL_ETMV3, .minor = 4},
    };
    const struct etm_event events[] = {
        nop(0x100),          after(1, arm(0x104, 0xe8918003)),
        load(0x2000, 1),     load(0x2004, 2),
        load(0x2008, 0x200), nop(0x200),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(traces); i++) {
        char without[4096];

        traces[i].data_address = traces[i].data_value = true;
        for (unsigned reads = 0; reads < 3; reads++) {
            struct cell *c = make(&traces[i]);

            program_end(c, cell_control(&traces[i]));
            run(c, events, 5);
            for (unsigned k = 0; k < reads; k++)
                (void)peek(c, ETM_REG_SR);
            run(c, events + 5, 1);
            finish(c);
            assert_string_equal(decode_text(c, events, COUNT(events)),
                                "on:start 100 104 data:2000=1 data:2004=2 "
                                "data:2008=200 200");
            if (reads == 0)
                snprintf(without, sizeof without, "%s", bytes_text(c));
            /* an access ends the cycle, which the ports of others show */
            if (traces[i].protocol == ETM_PROTOCOL_ETMV3)
                assert_string_equal(bytes_text(c), without);
            cell_end(c);
        }
    }
}

/* E-208: an exception does not tell where the branch before it led */
static void
branch_before_an_access_and_an_exception_ends_the_trace(void **state)
{
    const struct etm_event events[] = {
        nop(0x100), after(1, arm(0x104, 0xe12fff1e)),
        after(1, exception(ETM_EXCEPTION_IRQ, false, place(0x18, ETM_ISA_ARM))),
        nop(0x18), nop(0x1c)};
    const struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                                     .minor = 4};
    struct cell *c = make(&trace);

    (void)state;
    program_end(c, cell_control(&trace));
    run(c, events, 2);
    (void)peek(c, ETM_REG_SR);
    run(c, events + 2, 3);
    finish(c);
    assert_string_equal(decode_text(c, events, COUNT(events)),
                        "on:start 100 104 on:start 18 1c");
    cell_end(c);
}

/* MC-SEC-16: before v3.2 there are no pins that could prohibit */
static void nothing_is_prohibited_before_v3_2(void **state)
{
    static const struct etm_macrocell_pins closed = {0};

    (void)state;
    for (uint8_t minor = 1; minor < 3; minor++) {
        const struct etm_event events[] = {nop(0x100), nop(0x104)};
        const struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                                         .minor = minor};
        struct cell *c = make(&trace);

        etm_macrocell_set_pins(c->m, &closed);
        program_end(c, cell_control(&trace));
        TRACES(c, events, minor < 2 ? "on:start 100 104" : "");
        cell_end(c);
    }
}

/* MC-GEN-11: bits of ETMIDR say how branches, 32-bit Thumb instructions and
   loads of the PC are traced; who reads them understands */
static void bits_of_the_id_select_what_is_generated(void **state)
{
    const struct etm_event events[] = {
        after(1, to(thumb(0x100, 0x4718), place(0x3000, ETM_ISA_THUMB))),
        after(1, thumb(0x3000, 0xf3af8000)),   /* NOP.W */
        after(1, to(thumb(0x3004, 0xe8918002), /* LDM r1, {r1, pc} */
                    place(0x100, ETM_ISA_THUMB))),
        load(0x2000, 1),
        load(0x2004, 0x101),
        after(1, thumb(0x100, 0x4718)),
    };
    static struct text bytes[8];

    (void)state;
    for (unsigned bits = 0; bits < 8; bits++) {
        struct etm_config trace = v34_data;
        struct etm_event run_events[COUNT(events)];
        struct cell *c;

        trace.alternative_branches = bits & 1u;
        trace.thumb32_split = bits & 2u;
        trace.pc_first = bits & 4u;
        memcpy(run_events, events, sizeof events);
        if (trace.pc_first) { /* it comes first on the bus */
            run_events[3] = events[4];
            run_events[4] = events[3];
        }
        c = make(&trace);
        program_end(c, cell_control(&trace));
        run(c, run_events, COUNT(events));
        finish(c);
        (void)as_text(&bytes[bits], c->bytes, c->n_bytes);
        assert_string_equal(decode_text(c, run_events, COUNT(events)),
                            trace.pc_first
                                ? "on:start 100 3000 3004 data:2004=101 "
                                  "data:2000=1 100"
                                : "on:start 100 3000 3004 data:2000=1 "
                                  "data:2004=101 100");
        cell_end(c);
        for (unsigned other = 0; other < bits; other++)
            assert_string_not_equal(bytes[bits].text, bytes[other].text);
    }
}

/* ETMv3.5 and PFT v1.1: ETMACTR[14] and [15] in a whole macrocell. E-210 */
static void a_guest_or_its_hypervisor_is_traced(void **state)
{
    static const struct {
        uint32_t control;
        const char *text;
    } rows[] = {
        {0x0019, "on:start 100 104 on:start 110"}, /* all but Hyp mode */
        {0x4019, "on:start 100 104 108 10c 110"},  /* and Hyp mode */
        {0x8019, "on:start 100 104"},              /* one guest */
        {0x4819, "on:start 108 10c"},              /* Hyp mode alone */
    };
    struct etm_place host = non_secure(place(0x108, ETM_ISA_ARM));
    const struct etm_event events[] = {
        go_to(non_secure(place(0x100, ETM_ISA_ARM))),
        context(0, 5),
        nop(0x100),
        after(1, to(arm(0x104, 0xe3a00000), non_secure(host))),
        nop(0x108),
        nop(0x10c),
        context(0, 6),
        nop(0x110),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct etm_event all[COUNT(events)];
        struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                                   .minor = 5,
                                   .security = true,
                                   .virtualization = true};
        struct cell *c;

        memcpy(all, events, sizeof events);
        all[3].u.insn.next.hyp = true; /* HVC, or what leads there */
        all[5].u.insn.next = non_secure(place(0x110, ETM_ISA_ARM));
        c = make(&trace);
        for (unsigned n = 0; n < 2; n++) {
            poke(c, ETM_REG_ACVR1 + n, n == 0 ? 0x100 : 0x200);
            poke(c, ETM_REG_ACTR1 + n, rows[i].control);
        }
        poke(c, ETM_REG_VMIDCVR, 5);
        poke(c, ETM_REG_TECR1, 1);
        program_end(c, cell_control(&trace));
        TRACES(c, all, rows[i].text);
        cell_end(c);
    }
}

/* MC-MMD-01, MF-35: what ETMASICCR says is for the decoders outside; their
   outputs are inputs here */
static void asic_control_is_kept_for_the_outside(void **state)
{
    struct etm_event pins = {.kind = ETM_EVENT_PINS, .cycles = 1};
    struct etm_event idles = idle(3);
    struct cell *c = make(&v34);

    (void)state;
    poke(c, ETM_REG_ASICCR, 0x5a);
    poke(c, ETM_REG_EXTOUTEVR1, 0x3f); /* decoder 16 */
    program_end(c, cell_control(&v34));
    assert_int_equal(peek(c, ETM_REG_ASICCR), 0x5a);
    run(c, &pins, 1);
    run(c, &idles, 1);
    assert_int_equal(outputs_seen(c), 0);
    pins.u.pins.mmd = 0x8000;
    run(c, &pins, 1);
    run(c, &idles, 1);
    assert_int_equal(outputs_seen(c), 1);
    cell_end(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compare_and_branch_fails_if_it_does_not_branch),
        cmocka_unit_test(aborted_instruction_is_compared_if_it_is_traced),
        cmocka_unit_test(null_pointer_check_is_an_abort),
        cmocka_unit_test(preload_is_no_transfer),
        cmocka_unit_test(words_of_an_instruction_are_compared_one_by_one),
        cmocka_unit_test(words_not_viewed_are_marked),
        cmocka_unit_test(processor_reset_changes_no_register),
        cmocka_unit_test(cycle_count_begins_again_after_programming),
        cmocka_unit_test(late_value_is_traced_in_a_prohibited_region),
        cmocka_unit_test(
            data_of_what_leads_into_a_prohibited_region_are_traced),
        cmocka_unit_test(data_begin_no_trace_in_a_prohibited_region),
        cmocka_unit_test(branch_before_an_access_leads_to_what_comes_next),
        cmocka_unit_test(
            branch_before_an_access_and_an_exception_ends_the_trace),
        cmocka_unit_test(nothing_is_prohibited_before_v3_2),
        cmocka_unit_test(bits_of_the_id_select_what_is_generated),
        cmocka_unit_test(a_guest_or_its_hypervisor_is_traced),
        cmocka_unit_test(asic_control_is_kept_for_the_outside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
