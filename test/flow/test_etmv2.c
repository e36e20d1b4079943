/* SPDX-License-Identifier: Apache-2.0 */
/* ETMv2: cycles to elements (ETM architecture, chapter 6). */
#include "etmv2_util.h"

/* V2-FILT-01, V2-TFO-05, V2-PIPE-03, V2-DATA-04: data that come with a later
 * status belong to the last data instruction */
static void data_may_come_with_a_later_status(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, TFO_8000 "IE IE DE+26808088800011 drain");
    expect(s, "0 trace_on start\n0 context arm\n2 insn 8000 arm=true\n"
              "4 insn 8004 arm e5910000 other exec=true\n"
              "6 insn 8008 arm e8b0003e other exec=true\n"
              "6 data insn=8008 addr=20000 value=11 size=4 store=false "
              "index=4 ok r5\n"
              "26 end\n");
}

/* V2-PHAN-01, V2-PHAN-02, V2-PHAN-07 */
static void folded_branches_are_two_instructions(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+200c800000 PTIE PNIE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 800c arm 0a000002 direct exec=true conditional\n"
              "2 insn 801c arm=true\n"
              "4 lost image_mismatch 8\n"
              "12 end\n");
    s = begin();
    put(s, "TFO+200c800000 PNIE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 800c arm 0a000002 direct exec=false conditional\n"
              "2 insn 8010 arm e12fff1e indirect exec=true return\n"
              "12 end\n");
    s = begin();
    put(s, "TFO+200c800000 PTIE DW+8d80808048 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 800c arm 0a000002 direct exec=true conditional\n"
              "4 exception irq number=6 return=801c cancels=801c\n"
              "6 insn 18 arm=true\n"
              "22 end\n");
}

/* V2-PHAN-06: only direct branches are folded. V2-UNK-01: the next address puts
 * it right */
static void a_phantom_that_is_no_branch_is_a_mismatch(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, TFO_8000 "PTIE IE DE+8180818008 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 lost image_mismatch 6\n"
              "8 insn 8000 arm=true\n"
              "22 end\n");
}

/* V2-EXC-01 to -06, BRX-08, BRX-10 to -14, BRX-17, V2-PIPE-10 */
static void each_vector_has_its_exception(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+2014800000 DE+8580808008 " /* svc */
           "IE DE+8d80808048 "             /* IRQ, then FIQ, prefetch abort */
           "DN+8f80808048 IN DN+8780808048 DE+8180808048 " /* reset */
           "IE DE+8980808048 IE DE+8980808008 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8014 arm ef000001 other exec=true\n"
              "2 exception svc number=2 return=8018 cancels=null\n"
              "4 insn 8 arm=true\n"
              "6 exception irq number=6 return=c cancels=c\n"
              "8 exception fiq number=7 return=18 cancels=18\n"
              "10 insn 1c arm=false\n"
              "12 no_image 20\n"
              "12 exception prefetch_abort number=3 return=20 cancels=20\n"
              "14 exception reset number=0 return=null cancels=c\n"
              "16 insn 0 arm=true\n"
              "18 exception async_data_abort number=4 return=4 cancels=4\n"
              "20 insn 10 arm=true\n22 insn 14 arm=true\n"
              "22 exception data_abort number=4 return=14 cancels=null\n"
              "24 insn 10 arm=true\n82 end\n");
}

/* CFG-14, BRX-08: with HIVECS low addresses are ordinary ones */
static void high_vectors(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.high_vectors = true;
    put(s, "TFO+2010800000 DE+8d80808008 DW+8d80feff0f IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8010 arm e12fff1e indirect exec=true return\n"
              "4 exception irq number=6 return=18 cancels=null\n"
              "6 insn ffff0018 arm=true\n32 end\n");
}

/* V2-EXC-05, BRX-11: what an aborted instruction moved is void */
static void data_of_an_aborted_instruction_are_dropped(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+2004800000 DE+26808088800055 DW+8980808008 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8004 arm e5910000 other exec=true\n"
              "4 exception data_abort number=4 return=8004 cancels=null\n"
              "6 insn 10 arm=true\n36 end\n");
    s = begin();
    put(s, "TFO+2004800000 DE+a68080888000118980808008 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8004 arm e5910000 other exec=true\n"
              "2 exception data_abort number=4 return=8004 cancels=null\n"
              "4 insn 10 arm=true\n36 end\n");
}

/* V2-LSM-01 to -03, DAT-02: the packets are the last transfers */
static void transfers_count_from_the_last_one_back(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+2008800000 DE+a680808880001102 DW+6a DE+0633 IE drain");
    expect(
        s,
        "0 trace_on start\n0 context arm\n"
        "2 insn 8008 arm e8b0003e other exec=true\n"
        "2 data insn=8008 addr=20000 value=11 size=4 store=false index=1 ok "
        "r2\n"
        "2 data insn=8008 addr=20004 value=0 size=4 store=false index=2 ok r3\n"
        "4 data insn=8008 addr=20008 value=null size=4 store=false index=3 "
        "not_traced r4\n"
        "6 insn 800c arm 0a000002 direct exec=true conditional\n"
        "6 data insn=8008 addr=2000c value=33 size=4 store=false index=4 ok "
        "r5\n"
        "8 insn 801c arm=true\n34 end\n");
}

/* V2-MISS-01 to -05, V2-MISS-08 to -10: tags, doublewords, values that nobody
 * waits for */
static void values_of_load_misses_come_later(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+2008800000 DE+70 DW+dc5c IE DW+0455 DW+e4666477 "
           "DW+2c44332211 IE DW+6401 DW+0402 drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8008 arm e8b0003e other exec=true\n"
              "6 insn 800c arm 0a000002 direct exec=true conditional\n"
              "8 data insn=8008 value=55 size=4 store=false index=2 ok r3\n"
              "10 data insn=8008 value=66 size=4 store=false index=3 ok r4\n"
              "10 data insn=8008 value=77 size=4 store=false index=4 ok r5\n"
              "14 insn 801c arm=true\n48 end\n");
}

/* V2-TFOP-04 to -06: the multiple counts as executed */
static void tracing_begins_in_a_load_store_multiple(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+a00880000007 DE+2611 DW+02 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "0 insn 8008 arm e8b0003e other exec=true\n"
              "2 insn 800c arm 0a000002 direct exec=true conditional\n"
              "2 data insn=8008 value=11 size=4 store=false index=3 ok r4\n"
              "4 data insn=8008 value=0 size=4 store=false index=4 ok r5\n"
              "6 insn 801c arm=true\n20 end\n");
}

/* V2-TFOP-07: a branch address without a status names the next instruction; or
 * the multiple has a status as any other. E-263 */
static void tracing_begins_after_a_load_store_multiple(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.data_address = false;
    put(s, "TFO+2008800000 DW+07 DW+2611 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "4 data insn=8008 value=11 size=4 store=false index=4 ok r5\n"
              "6 insn 800c arm 0a000002 direct exec=true conditional\n"
              "18 end\n");
    s = begin();
    s->config.data_address = false;
    put(s, "TFO+2008800000 DE+07 DW+2611 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8008 arm e8b0003e other exec=true\n"
              "4 data insn=8008 value=11 size=4 store=false index=4 ok r5\n"
              "6 insn 800c arm 0a000002 direct exec=true conditional\n"
              "18 end\n");
}

/* V2-CTX-01, V2-CTX-02, CTX-06: the context ID is not known after a reset */
static void context_ids(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.context_id_bytes = 1;
    put(s,
        "TFO+205a00800000 IE DE+6e11 IE DE+ee228180808048 IE DW+6e33 IE drain");
    expect(s, "0 trace_on start\n0 context arm context_id=5a\n"
              "2 insn 8000 arm=true\n"
              "4 insn 8004 arm e5910000 other exec=true\n"
              "4 context arm context_id=11\n"
              "6 insn 8008 arm e8b0003e other exec=true\n"
              "8 exception reset number=0 return=null cancels=800c\n"
              "8 context arm\n10 insn 0 arm=true\n"
              "12 context arm context_id=33\n14 insn 4 arm=true\n36 end\n");
}

/* V2-UNK-01 to -03; DYN-04 */
static void code_that_is_not_known(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->no_vectors = true;
    put(s, "TFO+2004800000 IE DE+8d80808048 IE DE+26808080800011 IE "
           "DE+8180818008 IE drain");
    expect(s,
           "0 trace_on start\n0 context arm\n"
           "2 insn 8004 arm e5910000 other exec=true\n"
           "4 exception irq number=6 return=8008 cancels=8008\n"
           "6 no_image 18\n"
           "8 data insn=null addr=0 value=11 size=0 store=null index=255 ok\n"
           "14 insn 8000 arm=true\n46 end\n");
}

/* V2-CYC-01 to -03, V2-CYC-02: each record is a cycle, but for those without
 * trace; that of a trigger counts, that of a TFO is its gap's (E-258) */
static void cycles(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.cycle_accurate = true;
    put(s, "WT WT " TFO_8000 "WT IE WT*3 tick tick IE! IE tick drain WT*5 "
           "TFO+4000800000 IE drain");
    expect(s, "4 trace_on start\n4 cycles null\n4 context arm\n"
              "8 insn 8000 arm=true cycles=2\n20 trigger\n"
              "20 insn 8004 arm e5910000 other exec=true cycles=6\n"
              "22 insn 8008 arm e8b0003e other exec=true cycles=1\n"
              "36 trace_on overflow\n36 cycles null\n"
              "38 insn 8000 arm=true cycles=1\n48 cycles 4\n48 end\n");
}

/* E-309: waits that no instruction ends, and cycles of code that is not known,
 * are given before what is lost, and before the end. Those before the first TFO
 * are nobody's. */
static void cycles_after_the_last_instruction(void **state)
{
    struct stream *s = begin();

    (void)state;
    s->config.cycle_accurate = true;
    s->no_vectors = true;
    put(s, "tick tick " TFO_8000 "IE drain tick tick DE+12 tick IE drain ");
    put(s, "tick TFO+2004800000 IE drain IE DE+8d80808048 IE*3 drain tick");
    expect(s, "0 lost unsynchronized 4\n"
              "4 trace_on start\n4 cycles null\n4 context arm\n"
              "6 insn 8000 arm=true cycles=1\n"
              "20 cycles 6\n20 lost bad_packet 8\n"
              "28 trace_on start\n28 cycles null\n"
              "30 insn 8004 arm e5910000 other exec=true cycles=1\n"
              "40 insn 8008 arm e8b0003e other exec=true cycles=5\n"
              "42 exception irq number=6 return=800c cancels=800c\n"
              "44 no_image 18\n54 cycles 6\n54 end\n");
    s = begin();
    s->config.cycle_accurate = true;
    put(s, TFO_8000 "IE drain tick tick tick");
    s->n--;
    expect(s, "0 trace_on start\n0 cycles null\n0 context arm\n"
              "2 insn 8000 arm=true cycles=1\n"
              "16 cycles 6\n16 lost truncated 1\n17 end\n");
}

/* V2-TFO-06, V2-TFO-07: the address is that of the instruction in whose cycle
 * it is */
static void a_periodic_tfo_stands_for_an_instruction(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, TFO_8000 "IE TFO+0004800000 IE TFO+0000800000 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n2 insn 8000 arm=true\n"
              "4 insn 8004 arm e5910000 other exec=true\n"
              "6 insn 8008 arm e8b0003e other exec=true\n"
              "8 lost image_mismatch 0\n8 insn 8000 arm=true\n"
              "10 insn 8004 arm e5910000 other exec=true\n36 end\n");
    s->level = ETM_LEVEL_RANGES;
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 range 8000-800c arm n=3 last=8008 other exec=true\n"
              "8 lost image_mismatch 0\n"
              "8 range 8000-8008 arm n=2 last=8004 other exec=true\n"
              "36 end\n");
}

/* V2-BR-03, V2-BR-04, MF-14, MF-28: compressed addresses; broadcast */
static void branch_addresses(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+2010800000 DE+0d DE+01 IE DE+11 IE drain");
    expect(s, "0 trace_on start\n0 context arm\n"
              "2 insn 8010 arm e12fff1e indirect exec=true return\n"
              "4 insn 8018 arm eafffff8 direct exec=true\n"
              "6 insn 8000 arm=true\n"
              "8 insn 8004 arm e5910000 other exec=true\n"
              "8 lost image_mismatch 0\n"
              "10 insn 8020 arm ee113f10 other exec=true\n18 end\n");
}

/* V2-OVF-01, DBG-03, V2-MISS-07, E-268 */
static void restarts(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, TFO_8000 "IE drain WT TFO+4000800000 IE drain WT*2 TFO+6004800000 "
                    "IE drain");
    expect(s, "0 trace_on start\n0 context arm\n2 insn 8000 arm=true\n"
              "14 trace_on overflow\n16 insn 8000 arm=true\n"
              "30 trace_on debug_exit\n"
              "32 insn 8004 arm e5910000 other exec=true\n42 end\n");
}

/* V2-TRG-02: in a gap there is nothing that could be lost with a trigger */
static void trigger_without_trace(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "WT! " TFO_8000 "IE drain");
    expect(s, "0 trigger\n2 trace_on start\n2 context arm\n"
              "4 insn 8000 arm=true\n14 end\n");
    s = begin();
    put(s, "WT!");
    expect(s, "0 trigger\n2 end\n");
}

/* V2-RULE-06, V2-SYNC-01, V2-TRG-05: what is lost is reported, and a trigger
 * all the same */
static void damage_and_gaps(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "IE*2 IE! TFO+0000800000 IE drain");
    record(s, ETM_ETMV2_WT, 0);
    put(s, "IE IE " TFO_8000 "IE drain DE+12 IE");
    expect(s, "4 trigger\n0 lost unsynchronized 6\n6 trace_on start\n"
              "6 context arm\n6 insn 8000 arm=true\n"
              "8 insn 8004 arm e5910000 other exec=true\n"
              "18 lost bad_packet 6\n24 trace_on start\n"
              "26 insn 8000 arm=true\n36 lost bad_packet 4\n40 end\n");
    s = begin();
    put(s, TFO_8000 "IE drain IE IE " TFO_8000 "IE drain DE+0e11");
    decode(s, 3, 14);
    assert_string_equal(
        s->text, "0 trace_on start\n0 context arm\n2 insn 8000 arm=true\n"
                 "12 insn 8004 arm e5910000 other exec=true\n"
                 "14 lost bad_frame 18\n16 trace_on start\n"
                 "18 insn 8000 arm=true\n"
                 "28 insn 8004 arm e5910000 other exec=true\n"
                 "28 lost truncated 2\n30 end\n");
    /* a cycle whose packet is missing with the bytes */
    s = begin();
    put(s, TFO_8000 "IE drain DE+0e11 IE drain " TFO_8000 "IE drain");
    decode(s, 3, 14);
    assert_string_equal(
        s->text, "0 trace_on start\n0 context arm\n2 insn 8000 arm=true\n"
                 "12 insn 8004 arm e5910000 other exec=true\n"
                 "12 lost bad_frame 20\n16 trace_on start\n"
                 "18 insn 8000 arm=true\n28 end\n");
}

/* V2-TFO-17, E-397: what TD may not say is reported, and what stands before the
 * next TFO is lost */
static void a_reserved_value_where_trace_is_disabled(void **state)
{
    struct stream *s = begin();

    (void)state;
    record(s, ETM_ETMV2_TD, 0x25); /* nothing is known yet */
    put(s, TFO_8000 "IE drain IE WT");
    record(s, ETM_ETMV2_TD, 0x25);
    put(s, "IE " TFO_8000 "IE drain DE+12");
    record(s, ETM_ETMV2_TD, 0x25);
    put(s, "IE");
    expect(s, "0 lost unsynchronized 2\n2 trace_on start\n2 context arm\n"
              "4 insn 8000 arm=true\n"
              "14 insn 8004 arm e5910000 other exec=true\n"
              "18 lost bad_packet 4\n22 trace_on start\n"
              "24 insn 8000 arm=true\n34 lost bad_packet 6\n40 end\n");
}

/* CFG-12, MF-22, V2-TFO-06: BL is traced as two */
static void halves_of_an_instruction(void **state)
{
    struct stream *s = begin();

    (void)state;
    put(s, "TFO+2001900000 IE IE IE drain");
    expect(s, "0 trace_on start\n0 context thumb\n"
              "4 insn 9000 thumb f000f802 direct exec=true link\n"
              "6 insn 9008 thumb 46c0 other exec=true\n12 end\n");
    s = begin(); /* each half may have the TFO */
    put(s, "TFO+2001900000 TFO+0001900000 IE IE drain");
    expect(s, "0 trace_on start\n0 context thumb\n"
              "4 insn 9000 thumb f000f802 direct exec=true link\n"
              "6 insn 9008 thumb 46c0 other exec=true\n24 end\n");
    s = begin();
    put(s, "TFO+2001900000 IE TFO+0003900000 IE drain");
    expect(s, "0 trace_on start\n0 context thumb\n"
              "4 insn 9000 thumb f000f802 direct exec=true link\n"
              "6 insn 9008 thumb 46c0 other exec=true\n24 end\n");
    s = begin(); /* an interrupt between them */
    put(s, "TFO+2001900000 IE DW+8d80808048 IE drain");
    expect(s, "0 trace_on start\n0 context thumb\n"
              "4 exception irq number=6 return=9000 cancels=9000\n"
              "4 context arm\n6 insn 18 arm=true\n22 end\n");
    s = begin(); /* and one that cancels the second half, which comes later */
    put(s, "TFO+2001900000 IE DE+8d80808048 IE drain TFO+2003900000 IE IE "
           "drain");
    expect(s, "0 trace_on start\n0 context thumb\n"
              "4 exception irq number=6 return=9002 cancels=9000\n"
              "4 context arm\n6 insn 18 arm=true\n22 trace_on start\n"
              "22 context thumb\n"
              "24 insn 9000 thumb f000f802 direct exec=true link\n"
              "26 insn 9008 thumb 46c0 other exec=true\n34 end\n");
    s = begin(); /* which it does, whatever was cancelled in the meantime */
    put(s, "TFO+2001900000 IE DE+8d80808048 DE+8f80808048 drain "
           "TFO+2018000000 IE drain TFO+2003900000 IE IE drain");
    expect(s, "0 trace_on start\n0 context thumb\n"
              "4 exception irq number=6 return=9002 cancels=9000\n"
              "4 context arm\n"
              "6 exception fiq number=7 return=18 cancels=18\n"
              "32 trace_on start\n34 insn 18 arm=true\n"
              "44 trace_on start\n44 context thumb\n"
              "46 insn 9000 thumb f000f802 direct exec=true link\n"
              "48 insn 9008 thumb 46c0 other exec=true\n56 end\n");
    s = begin(); /* and so it does where tracing begins */
    put(s, "TFO+2003900000 IE IE drain");
    expect(s, "0 trace_on start\n0 context thumb\n"
              "2 insn 9000 thumb f000f802 direct exec=true link\n"
              "4 insn 9008 thumb 46c0 other exec=true\n12 end\n");
}

static void memory_may_be_short_at_any_time(void **state)
{
    struct stream *s = begin();
    size_t n = 0;

    (void)state;
    put(s, "TFO+2004800000 DE+26808088800055 DW+8980808008 IE DE+7801 IE "
           "DE+8d80808048 DW+4855 IE TFO+0018000000 IE*4 DE+a6028180818008 "
           "IE*9 drain");
    while (decode_with(s, n) != ETM_OK) {
        assert_int_equal(decode_with(s, n), ETM_ERR_MEMORY);
        n++;
    }
    assert_true(n > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_may_come_with_a_later_status),
        cmocka_unit_test(folded_branches_are_two_instructions),
        cmocka_unit_test(a_phantom_that_is_no_branch_is_a_mismatch),
        cmocka_unit_test(each_vector_has_its_exception),
        cmocka_unit_test(high_vectors),
        cmocka_unit_test(data_of_an_aborted_instruction_are_dropped),
        cmocka_unit_test(transfers_count_from_the_last_one_back),
        cmocka_unit_test(values_of_load_misses_come_later),
        cmocka_unit_test(tracing_begins_in_a_load_store_multiple),
        cmocka_unit_test(tracing_begins_after_a_load_store_multiple),
        cmocka_unit_test(context_ids),
        cmocka_unit_test(code_that_is_not_known),
        cmocka_unit_test(cycles),
        cmocka_unit_test(cycles_after_the_last_instruction),
        cmocka_unit_test(a_periodic_tfo_stands_for_an_instruction),
        cmocka_unit_test(branch_addresses),
        cmocka_unit_test(restarts),
        cmocka_unit_test(trigger_without_trace),
        cmocka_unit_test(damage_and_gaps),
        cmocka_unit_test(a_reserved_value_where_trace_is_disabled),
        cmocka_unit_test(halves_of_an_instruction),
        cmocka_unit_test(memory_may_be_short_at_any_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
