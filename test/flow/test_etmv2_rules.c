/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: single rules of chapter 6 of the ETM architecture. */
#include "etmv2_util.h"

/* V2-BR-08: an address in a cycle without an instruction is that of the last
 * one; V2-BR-10: of several the last counts. */
static void address_may_come_after_its_instruction(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+2010800000 IE DW+8180818008 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8010 arm e12fff1e indirect exec=true return\n"
              "6 insn 8000 arm=true\n22 end\n");
    s = begin();
    put(s, "TFO+2010800000 DE+8f80818008 DW+8180818008 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8010 arm e12fff1e indirect exec=true return\n"
              "6 insn 8000 arm=true\n32 end\n");
}

/* V2-CTX-03: the Context ID may come in place of the data of its MCR;
 * V2-CTX-04, V2-UNK-03: it is read where no code is known. */
static void context_id_needs_no_data_and_no_code(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.context_id_bytes = 1;
    s->config.cprt = true;
    s->no_vectors = true;
    put(s, "TFO+205a20800000 DE+6e11 DE+8d80808048 DE+6e22 DE+8180818008 IE "
           "drain");
    expect(s, "0 trace_on start\n0 context arm context_id=5a\n"
              "2 insn 8020 arm ee113f10 other exec=true\n"
              "2 context arm context_id=11\n"
              "4 exception irq number=6 return=8024 cancels=8024\n"
              "6 no_image 18\n"
              "6 context arm context_id=22\n"
              "10 insn 8000 arm=true\n42 end\n");
}

/* DYN-01 to DYN-03: the code of each context, from the next instruction on. */
static void context_id_selects_the_code(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.context_id_bytes = 1;
    s->another = true;
    put(s, "TFO+205a00800000 DE+6e11 IE drain");
    expect(s, "0 trace_on start\n0 context arm context_id=5a\n"
              "2 insn 8000 arm=true\n2 context arm context_id=11\n"
              "4 insn 8004 arm e1a03003 other exec=true\n"
              "18 end\n");
}

/* V2-LSM-08: an instruction cannot have more packets than transfers. */
static void packets_beyond_the_transfers_belong_to_nobody(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+2004800000 DE+2611 DW+0622 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8004 arm e5910000 other exec=true\n"
              "2 data insn=8004 value=11 size=4 store=false index=0 ok r0\n"
              "4 data insn=null value=22 size=0 store=null index=255 ok\n"
              "6 insn 8008 arm e8b0003e other exec=true\n20 end\n");
}

/* What breaks in the cycle of its status takes the instruction with it; what
 * breaks later does not. E-277 */
static void status_before_the_cycle_of_the_damage_was_executed(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, TFO_8000 "IE drain DE+12 IE drain " TFO_8000 "IE drain");
    expect(s, "0 trace_on start\n0 context arm\n2 insn 8000 arm=true\n"
              "12 lost bad_packet 4\n16 trace_on start\n"
              "18 insn 8000 arm=true\n28 end\n");
    s = begin();
    put(s, TFO_8000 "IE drain DE+8180808088 IE*4 drain " TFO_8000 "IE drain");
    expect(s, "0 trace_on start\n0 context arm\n2 insn 8000 arm=true\n"
              "12 insn 8004 arm e5910000 other exec=true\n"
              "12 lost bad_packet 10\n22 trace_on start\n"
              "24 insn 8000 arm=true\n34 end\n");
}

/* The second half of a BL aborts: what was moved by the instruction before it
 * was moved. E-278 */
static void abort_between_the_halves_leaves_older_data(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+2008800000 DE+0611 IN DE+81a0828010 IE DE+8980808008 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8008 arm e8b0003e other exec=true\n"
              "2 data insn=8008 value=11 size=4 store=false index=4 ok r5\n"
              "4 insn 800c arm 0a000002 direct exec=false conditional\n"
              "6 insn 8010 arm e12fff1e indirect exec=true return\n"
              "6 context thumb\n"
              "10 insn 9000 thumb f000f802 direct exec=true link\n"
              "10 exception data_abort number=4 return=9000 cancels=null\n"
              "10 context arm\n12 insn 10 arm=true\n36 end\n");
}

/* E-272: data without an instruction go on after the address before them, but
 * not where tracing begins again, or after damage. */
static void no_address_goes_on_after_a_gap(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, TFO_8000 "DE+a68080888000110622 drain TFO+4000800000 DE+0633 drain");
    expect(
        s,
        "0 trace_on start\n"
        "0 context arm\n"
        "2 insn 8000 arm=true\n"
        "2 data insn=null addr=20000 value=11 size=0 store=null index=255 ok\n"
        "2 data insn=null addr=20004 value=22 size=0 store=null index=255 ok\n"
        "30 trace_on overflow\n"
        "32 insn 8000 arm=true\n"
        "32 data insn=null value=33 size=0 store=null index=255 ok\n"
        "46 end\n");
    s = begin();
    put(s, TFO_8000 "DE+a68080888000110622 drain");
    record(s, ETM_ETMV2_WT, 0);
    put(s, TFO_8000 "DE+0633 drain");
    expect(
        s,
        "0 trace_on start\n"
        "0 context arm\n"
        "2 insn 8000 arm=true\n"
        "2 data insn=null addr=20000 value=11 size=0 store=null index=255 ok\n"
        "2 data insn=null addr=20004 value=22 size=0 store=null index=255 ok\n"
        "30 lost bad_packet 2\n"
        "32 trace_on start\n"
        "34 insn 8000 arm=true\n"
        "34 data insn=null value=33 size=0 store=null index=255 ok\n"
        "48 end\n");
}

/* V2-PHAN-04: a branch that was predicted wrong has a status of its own;
 * V2-PIPE-05: waits are no instructions. */
static void mispredicted_branch_is_an_instruction(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+200c800000 IE WT*3 IE drain WT*4 TFO+400c800000 IN drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 800c arm 0a000002 direct exec=true conditional\n"
              "10 insn 801c arm=true\n"
              "20 trace_on overflow\n"
              "22 insn 800c arm 0a000002 direct exec=false conditional\n"
              "32 end\n");
}

/* V2-MISS-05, V2-MISS-07: the value of a load that missed may come after a
 * restart, or never; then the next miss with its tag has the slot. */
static void value_may_come_after_a_restart_or_never(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+2004800000 DE+74 IE drain WT TFO+4004800000 DW+2455 DE+2611 IE "
           "drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8004 arm e5910000 other exec=true\n"
              "4 insn 8008 arm e8b0003e other exec=true\n"
              "16 trace_on overflow\n"
              "18 data insn=8004 value=55 size=4 store=false index=0 ok r0\n"
              "20 insn 8004 arm e5910000 other exec=true\n"
              "20 data insn=8004 value=11 size=4 store=false index=0 ok r0\n"
              "22 insn 8008 arm e8b0003e other exec=true\n36 end\n");
    s = begin();
    s->config.data_address = false;
    put(s, "TFO+2004800000 DE+74 drain WT TFO+4004800000 DE+74 DW+2455 drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8004 arm e5910000 other exec=true\n"
              "16 trace_on overflow\n"
              "18 insn 8004 arm e5910000 other exec=true\n"
              "18 data insn=8004 value=null size=4 store=false index=0 ok r0\n"
              "20 data insn=8004 value=55 size=4 store=false index=0 ok r0\n"
              "34 end\n");
}

/* DBG-04, V2-LSM-03: packets may be missing at the end, since an overflow is
 * not reported after Debug state; TraceEnable alone takes nothing away. E-377
 */
static void debug_state_may_hide_an_overflow(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+2008800000 DE+0611 DW+54 drain WT TFO+6004800000 DW+2455 IE "
           "drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8008 arm e8b0003e other exec=true\n"
              "2 data insn=8008 value=11 size=4 store=false index=255 ok\n"
              "20 trace_on debug_exit\n"
              "22 data insn=8008 value=55 size=4 store=false index=255 ok\n"
              "24 insn 8004 arm e5910000 other exec=true\n36 end\n");
    s = begin();
    s->config.data_address = false;
    put(s, "TFO+2008800000 DE+0611 drain WT TFO+2004800000 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8008 arm e8b0003e other exec=true\n"
              "2 data insn=8008 value=11 size=4 store=false index=4 ok r5\n"
              "18 trace_on start\n"
              "20 insn 8004 arm e5910000 other exec=true\n30 end\n");
}

/* V2-TFOP-07: an instruction in progress is the one that the TFO packet names,
 * never that of a handler */
static void after_an_exception_nothing_is_in_progress(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+2008800000 DW+8380818048 DW+2611 IE drain");
    expect(s, "0 trace_on start\n"
              "2 exception undefined number=1 return=null cancels=null\n"
              "4 data insn=null value=11 size=0 store=null index=255 ok\n"
              "0 context arm\n"
              "6 insn 8004 arm e5910000 other exec=true\n26 end\n");
    /* nor is the first one of the handler the first since tracing began, which
     * a branch address may follow */
    s = begin();
    put(s, "TFO+2008800000 DW+8380818048 IE DW+07 IE drain");
    expect(s, "0 trace_on start\n"
              "2 exception undefined number=1 return=null cancels=null\n"
              "0 context arm\n"
              "4 insn 8004 arm e5910000 other exec=true\n"
              "6 lost image_mismatch 0\n"
              "8 insn 800c arm 0a000002 direct exec=true conditional\n"
              "24 end\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(address_may_come_after_its_instruction),
        cmocka_unit_test(context_id_needs_no_data_and_no_code),
        cmocka_unit_test(context_id_selects_the_code),
        cmocka_unit_test(packets_beyond_the_transfers_belong_to_nobody),
        cmocka_unit_test(status_before_the_cycle_of_the_damage_was_executed),
        cmocka_unit_test(abort_between_the_halves_leaves_older_data),
        cmocka_unit_test(no_address_goes_on_after_a_gap),
        cmocka_unit_test(mispredicted_branch_is_an_instruction),
        cmocka_unit_test(value_may_come_after_a_restart_or_never),
        cmocka_unit_test(debug_state_may_hide_an_overflow),
        cmocka_unit_test(after_an_exception_nothing_is_in_progress),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
