/* SPDX-License-Identifier: Apache-2.0 */
/* The table of formats: each takes what it says, and its form is as its readers
 * want it. */
#include "../support/test.h"
#include "listing.h"

#include <etm/decode.h>

/* Two functions in two files; the last instruction of the first has no line. */
static int symbol(void *context, uint32_t address, struct etm_symbol *found)
{
    (void)context;
    *found = (struct etm_symbol){.name = address < 0x1100 ? "main" : "idle",
                                 .offset = address & 0xff};
    return ETM_OK;
}

static int line(void *context, uint32_t address, struct etm_source_line *found)
{
    (void)context;
    *found = (struct etm_source_line){
        .file = address < 0x1100 ? "main.c" : "idle.c",
        .line = address < 0x1100 ? 10 + (address - 0x1000) / 8 : 5};
    return ETM_OK;
}

static int lines(void *context, etm_line_fn *fn, void *fn_context)
{
    static const struct etm_line_range all[] = {
        {"main.c", 10, 0x1000, 0x1008, ETM_ISA_ARM, true},
        {"main.c", 11, 0x1008, 0x1010, ETM_ISA_ARM, true},
        {"idle.c", 5, 0x1100, 0x1104, ETM_ISA_ARM, true}};
    int status = ETM_OK;

    (void)context;
    for (size_t i = 0; i < COUNT(all) && status == ETM_OK; i++)
        status = fn(fn_context, &all[i]);
    return status;
}

static int functions(void *context, etm_function_fn *fn, void *fn_context)
{
    static const struct etm_function all[] = {{"main", 0x1000, 0x10},
                                              {"idle", 0x1100, 4}};
    int status = ETM_OK;

    (void)context;
    for (size_t i = 0; i < COUNT(all) && status == ETM_OK; i++)
        status = fn(fn_context, &all[i]);
    return status;
}

static const struct etm_names names = {
    .symbol = symbol, .line = line, .lines = lines, .functions = functions};

/* A loop from 0x1000 that is left the fourth time. */
static struct etm_counts *make_counts(void)
{
    static const struct etm_count rows[] = {
        {.n = 3,
         .start = 0x1000,
         .end = 0x1010,
         .insns = 4,
         .last_address = 0x100c,
         .isa = ETM_ISA_ARM,
         .last_type = ETM_INSN_TYPE_DIRECT,
         .last_exec = ETM_TRUE,
         .last_flags = ETM_INSN_CONDITIONAL},
        {.n = 1,
         .start = 0x1000,
         .end = 0x1010,
         .insns = 4,
         .last_address = 0x100c,
         .isa = ETM_ISA_ARM,
         .last_type = ETM_INSN_TYPE_DIRECT,
         .last_exec = ETM_FALSE,
         .last_flags = ETM_INSN_CONDITIONAL}};
    struct etm_counts *counts;

    assert_ok(etm_counts_new(&counts, NULL));
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_ok(etm_counts_add(counts, &rows[i]));
    return counts;
}

static void list_counts(const char *format, struct written *w)
{
    const struct etm_listing_source source = {
        .title = "PTM_0", .name = "PTM 0", .names = names};
    struct etm_listing *l = new_listing(format, w);
    struct etm_counts *counts = make_counts();

    assert_ok(etm_listing_begin(l, &source));
    assert_ok(etm_listing_counts(l, counts));
    assert_ok(etm_listing_finish(l));
    etm_counts_free(counts);
    etm_listing_free(l);
}

TEST(lcov_has_lines_functions_and_branches)
{
    static struct written w;

    list_counts("lcov", &w);
    assert_string_equal(w.text, "TN:PTM_0\n"
                                "SF:idle.c\n"
                                "FN:5,idle\nFNDA:0,idle\nFNF:1\nFNH:0\n"
                                "DA:5,0\nLF:1\nLH:0\n"
                                "end_of_record\n"
                                "SF:main.c\n"
                                "FN:10,main\nFNDA:4,main\nFNF:1\nFNH:1\n"
                                "BRDA:11,4108,0,3\nBRDA:11,4108,1,1\n"
                                "BRF:2\nBRH:2\n"
                                "DA:10,4\nDA:11,4\nLF:2\nLH:2\n"
                                "end_of_record\n");
}

TEST(cobertura_has_a_package_for_each_folder)
{
    static struct written w;

    list_counts("cobertura", &w);
    assert_string_equal(
        w.text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net"
                "/xml/coverage-04.dtd\">\n"
                "<coverage line-rate=\"0.6666\" branch-rate=\"1.0000\" comple"
                "xity=\"0.0\" lines-covered=\"2\" lines-valid=\"3\" branches-"
                "covered=\"2\" branches-valid=\"2\" timestamp=\"0\" version="
                "\"etm\">\n"
                "<sources><source>.</source></sources>\n"
                "<packages>\n"
                "<package name=\"\" line-rate=\"0.6666\" branch-rate=\"1.0000"
                "\" complexity=\"0.0\">\n"
                "<classes>\n"
                "<class name=\"idle.c\" filename=\"idle.c\" line-rate=\"0.000"
                "0\" branch-rate=\"1.0000\" complexity=\"0.0\">\n"
                "<methods>\n"
                "<method name=\"idle\" signature=\"\" line-rate=\"0.0000\" br"
                "anch-rate=\"1.0000\" complexity=\"0.0\"><lines><line number="
                "\"5\" hits=\"0\"/></lines></method>\n"
                "</methods>\n"
                "<lines>\n"
                "<line number=\"5\" hits=\"0\" branch=\"false\"/>\n"
                "</lines>\n"
                "</class>\n"
                "<class name=\"main.c\" filename=\"main.c\" line-rate=\"1.000"
                "0\" branch-rate=\"1.0000\" complexity=\"0.0\">\n"
                "<methods>\n"
                "<method name=\"main\" signature=\"\" line-rate=\"1.0000\" br"
                "anch-rate=\"1.0000\" complexity=\"0.0\"><lines><line number="
                "\"10\" hits=\"4\"/></lines></method>\n"
                "</methods>\n"
                "<lines>\n"
                "<line number=\"10\" hits=\"4\" branch=\"false\"/>\n"
                "<line number=\"11\" hits=\"4\" branch=\"true\" condition-cov"
                "erage=\"100% (2/2)\"><conditions><condition number=\"0\" typ"
                "e=\"jump\" coverage=\"100%\"/></conditions></line>\n"
                "</lines>\n"
                "</class>\n"
                "</classes>\n"
                "</package>\n"
                "</packages>\n"
                "</coverage>\n");
}

TEST(gcovr_has_branches_with_their_lines)
{
    static struct written w;

    list_counts("gcovr", &w);
    assert_string_equal(
        w.text,
        "{\"gcovr/format_version\":\"0.3\",\n"
        "\"files\":[\n"
        "{\"file\":\"idle.c\",\"lines\":[\n"
        "{\"line_number\":5,\"count\":0,\"branches\":[],\"gcovr/nonco"
        "de\":false,\"gcovr/excluded\":false}],\"functions\":[\n"
        "{\"name\":\"idle\",\"lineno\":5,\"execution_count\":0}]},\n"
        "{\"file\":\"main.c\",\"lines\":[\n"
        "{\"line_number\":10,\"count\":4,\"branches\":[],\"gcovr/nonc"
        "ode\":false,\"gcovr/excluded\":false},\n"
        "{\"line_number\":11,\"count\":4,\"branches\":[{\"count\":3,"
        "\"fallthrough\":false,\"throw\":false},{\"count\":1,\"fallthr"
        "ough\":true,\"throw\":false}],\"gcovr/noncode\":false,\"gcov"
        "r/excluded\":false}],\"functions\":[\n"
        "{\"name\":\"main\",\"lineno\":10,\"execution_count\":4}]}]}\n");
}

TEST(source_has_counts_before_its_lines)
{
    static struct written w;

    list_counts("source", &w);
    assert_string_equal(w.text, "        -:    0:Source:idle.c\n"
                                "function idle called 0\n"
                                "    #####:    5:\n"
                                "        -:    0:Source:main.c\n"
                                "function main called 4\n"
                                "        4:   10:\n"
                                "        4:   11:\n"
                                "branch  0 taken 3\n"
                                "branch  1 taken 1 (fallthrough)\n");
}

TEST(text_has_the_shares_of_each_file)
{
    static struct written w;

    list_counts("text", &w);
    assert_string_equal(
        w.text, "PTM_0\n"
                "16 instructions executed\n"
                "\n"
                "  lines              branches           functions          "
                "instructions        file\n"
                " 100.0% 2/2          100.0% 2/2          100.0% 1/1          "
                "                 -  main.c\n"
                "   0.0% 0/1                           -    0.0% 0/1          "
                "                 -  one other file\n"
                "  66.6% 2/3          100.0% 2/2           50.0% 1/2          "
                "                 -  total\n");
}

/* Of a trace with gaps no format calls what was not seen not executed. */
TEST(gaps_are_told_in_each_format)
{
    static const char *const all[] = {"text", "lcov", "cobertura", "gcovr",
                                      "source"};
    static const struct etm_gaps gaps = {
        .n = {[ETM_GAP_OFF] = 1, [ETM_GAP_LOST] = 2}};
    const struct etm_listing_source source = {
        .size = sizeof source, .names = names, .gaps = &gaps};
    struct etm_counts *counts = make_counts();

    for (size_t i = 0; i < COUNT(all); i++) {
        static struct written w;
        struct etm_listing *l = new_listing(all[i], &w);

        assert_ok(etm_listing_begin(l, &source));
        assert_ok(etm_listing_counts(l, counts));
        assert_ok(etm_listing_finish(l));
        assert_non_null(strstr(
            w.text, "tracing was off 1 time, trace was lost 2 times: code that "
                    "was not seen may have been executed then"));
        assert_null(strstr(w.text, "not executed"));
        assert_null(strstr(w.text, "#####"));
        etm_listing_free(l);
    }
    etm_counts_free(counts);
}

/* The first time that tracing begins is the beginning of the trace, whichever
 * part of it has that; it comes back from Debug state to where it was. */
TEST(gaps_are_between_the_first_instruction_and_the_last)
{
    static const struct etm_element all[] = {
        {.kind = ETM_ELEMENT_TRACE_ON, .u.trace_on.reason = ETM_TRACE_ON_START},
        {.kind = ETM_ELEMENT_TRACE_ON,
         .u.trace_on.reason = ETM_TRACE_ON_DEBUG_EXIT},
        {.kind = ETM_ELEMENT_TRACE_ON, .u.trace_on.reason = ETM_TRACE_ON_START},
        {.kind = ETM_ELEMENT_TRACE_ON,
         .u.trace_on.reason = ETM_TRACE_ON_OVERFLOW},
        {.kind = ETM_ELEMENT_LOST},
        {.kind = ETM_ELEMENT_NO_IMAGE},
        {.kind = ETM_ELEMENT_END}};

    for (size_t part = 0; part <= COUNT(all); part++) {
        struct etm_gaps gaps = {.on = false}, later = {.on = false};

        etm_gaps_add(&gaps, all, part);
        etm_gaps_add(&later, all + part, COUNT(all) - part);
        etm_gaps_join(&gaps, &later);
        assert_int_equal(gaps.n[ETM_GAP_OFF], 1);
        assert_int_equal(gaps.n[ETM_GAP_OVERFLOW], 1);
        assert_int_equal(gaps.n[ETM_GAP_LOST], 1);
        assert_int_equal(gaps.n[ETM_GAP_NO_CODE], 1);
        assert_int_equal(etm_gaps_count(&gaps), 4);
    }
}

TEST(lcov_of_code_without_lines_is_refused)
{
    static struct written w;
    const struct etm_listing_source source = {.names = {.symbol = symbol}};
    struct etm_listing *l = new_listing("lcov", &w);
    struct etm_counts *counts = make_counts();

    assert_ok(etm_listing_begin(l, &source));
    assert_int_equal(etm_listing_counts(l, counts), ETM_ERR_NOT_FOUND);
    /* another source may have lines */
    assert_ok(
        etm_listing_begin(l, &(struct etm_listing_source){.names = names}));
    assert_ok(etm_listing_counts(l, counts));
    assert_ok(etm_listing_finish(l));
    assert_int_equal(strncmp(w.text, "TN:\nSF:idle.c\n", 14), 0);
    etm_counts_free(counts);
    etm_listing_free(l);
}

TEST(vcd_is_of_one_source_with_a_port)
{
    static struct written w;
    const struct etm_config v1 = {.protocol = ETM_PROTOCOL_ETMV1};
    const struct etm_config pft = {.protocol = ETM_PROTOCOL_PFT};
    const struct etm_packet cycle[] = {
        {.kind = ETM_PACKET_PIPESTAT, .size = 2, .value = 3},
        {.kind = ETM_PACKET_TRACE_PACKET, .size = 0, .value = 0x4f}};
    struct etm_listing_source source = {.config = &v1};
    const uint8_t bytes[2] = {0};
    struct etm_listing *l = new_listing("vcd", &w);

    assert_ok(etm_listing_begin(l, &source));
    assert_ok(etm_listing_packets(l, cycle, 2, bytes));
    assert_ok(etm_listing_finish(l));
    assert_non_null(strstr(w.text, "TRACEPKT [7:0] $end\n"));
    assert_non_null(strstr(w.text, "\nb01001111 "));
    assert_int_equal(etm_listing_begin(l, &source), ETM_ERR_UNSUPPORTED);
    etm_listing_free(l);
    source.config = &pft;
    l = new_listing("vcd", &w);
    assert_int_equal(etm_listing_begin(l, &source), ETM_ERR_UNSUPPORTED);
    assert_int_equal(etm_listing_finish(l), ETM_ERR_UNSUPPORTED);
    etm_listing_free(l);
}

/* A format refuses what it does not take, and writes nothing of it. */
TEST(each_format_takes_what_it_says)
{
    const struct etm_listing_format *format, *found;
    const struct etm_config v1 = {.protocol = ETM_PROTOCOL_ETMV1};
    const struct etm_listing_source source = {.config = &v1, .names = names};
    const struct etm_element end = {.kind = ETM_ELEMENT_END};
    const struct etm_packet packet = {.kind = ETM_PACKET_TRIGGER, .size = 1};
    const uint8_t byte = 0x0c;
    struct etm_counts *counts = make_counts();

    for (size_t i = 0; (format = etm_listing_formats(i)) != NULL; i++) {
        static struct written w;
        struct etm_listing *l = new_listing(format->name, &w);
        unsigned took = 0;

        assert_ok(etm_listing_format_find(format->name, &found));
        assert_true(found == format);
        assert_true(*format->extension != '\0' && *format->description != '\0');
        assert_ok(etm_listing_begin(l, &source));
        if (etm_listing_elements(l, &end, 1) == ETM_OK)
            took |= ETM_LISTING_ELEMENTS;
        if (etm_listing_packets(l, &packet, 1, &byte) == ETM_OK)
            took |= ETM_LISTING_PACKETS;
        if (etm_listing_counts(l, counts) == ETM_OK)
            took |= ETM_LISTING_COUNTS;
        assert_int_equal(took, format->takes);
        assert_int_equal(etm_listing_counts(l, NULL), ETM_ERR_ARGUMENT);
        assert_ok(etm_listing_finish(l));
        etm_listing_free(l);
    }
    assert_int_equal(etm_listing_format_find("xml", &found), ETM_ERR_NOT_FOUND);
    assert_null(found);
    assert_int_equal(etm_listing_format_find(NULL, &found), ETM_ERR_ARGUMENT);
    etm_counts_free(counts);
}
