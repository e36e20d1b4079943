/* SPDX-License-Identifier: Apache-2.0 */
/* Elements as text. The form may change; that it does is seen here. */
#include "../support/test.h"
#include "listing.h"

#define ELEMENT(KIND, ...)                                                     \
    (&(struct etm_element){                                                    \
        .kind = ETM_ELEMENT_##KIND, .offset = 0x1a3, __VA_ARGS__})

TEST(events_stand_out)
{
    assert_element(
        "text", ELEMENT(TRACE_ON, .u.trace_on.reason = ETM_TRACE_ON_OVERFLOW),
        "     1a3  == trace on: overflow\n");
    assert_element("text", ELEMENT(LOST, .u.lost = {ETM_LOST_BAD_PACKET, 1}),
                   "     1a3  !! 1 byte lost: bad_packet\n");
    assert_element("text", ELEMENT(LOST, .u.lost = {ETM_LOST_TRUNCATED, 20}),
                   "     1a3  !! 20 bytes lost: truncated\n");
    assert_element("text", ELEMENT(NO_IMAGE, .u.no_image.address = 0x18),
                   "     1a3  !! no code is known at 00000018\n");
    assert_element("text", ELEMENT(EXCEPTION_RETURN, .u = {{0}}),
                   "     1a3  ** exception return\n");
    assert_element("text", ELEMENT(TRIGGER, .u = {{0}}),
                   "     1a3  ** trigger\n");
    assert_element("text", ELEMENT(END, .u = {{0}}),
                   "     1a3  == end of trace\n");
    assert_element("text", ELEMENT(TIMESTAMP, .u.timestamp.value = 5000),
                   "     1a3  -- timestamp 5000\n");
    assert_element(
        "text", ELEMENT(TIMESTAMP, .u.timestamp.value = ETM_TIMESTAMP_UNKNOWN),
        "     1a3  -- timestamp unknown\n");
    assert_element("text", ELEMENT(CYCLES, .u.cycles.n = 12),
                   "     1a3  -- 12 cycles without trace\n");
    assert_element("text", ELEMENT(CYCLES, .u.cycles.n = ETM_CYCLES_UNKNOWN),
                   "     1a3  -- an unknown number of cycles without trace\n");
}

TEST(context_shows_what_is_known)
{
    struct etm_element *e = ELEMENT(CONTEXT, .u.context.isa = ETM_ISA_ARM);

    assert_element("text", e, "     1a3  -- context: arm\n");
    e->u.context.secure = ETM_FALSE;
    e->u.context.hyp = ETM_TRUE;
    e->u.context.context_id_known = e->u.context.vmid_known = true;
    e->u.context.context_id = 0x101;
    e->u.context.vmid = 3;
    assert_element("text", e,
                   "     1a3  -- context: arm, non-secure, Hyp mode, context "
                   "ID 0x00000101, VMID 3\n");
}

TEST(exception_names_what_it_cancels)
{
    struct etm_element *e =
        ELEMENT(EXCEPTION, .u.exception.type = ETM_EXCEPTION_IRQ_N);

    e->u.exception.number = 17;
    e->u.exception.irq = 1;
    assert_element("text", e, "     1a3  ** exception: irq1 (17)\n");
    e->u.exception.type = ETM_EXCEPTION_SVC;
    e->u.exception.cancels_known = e->u.exception.return_known = true;
    e->u.exception.cancels = 0x8000;
    e->u.exception.return_address = 0x8004;
    e->u.exception.resume = 2;
    assert_element("text", e,
                   "     1a3  ** exception: svc (17), cancels 00008000 after "
                   "transfer 2, returns to 00008004\n");
}

TEST(data_names_its_register)
{
    struct etm_element *e = ELEMENT(DATA, .u.data.store = ETM_FALSE);

    e->u.data.address_known = e->u.data.value_known = true;
    e->u.data.address = 0x20000010;
    e->u.data.value = 0x2a;
    e->u.data.size = 4;
    assert_element("text", e, "     1a3       load  [20000010] = 0000002a\n");
    e->u.data.size = 1; /* E-341 */
    assert_element("text", e, "     1a3       load  [20000010] = 2a\n");
    e->u.data.value = 0x12a;
    assert_element("text", e, "     1a3       load  [20000010] = 012a\n");
    e->u.data.value = 0x2a;
    e->u.data.size = 4;
    e->u.data.reg_kind = ETM_REGISTER_CORE;
    e->u.data.reg = 3;
    e->u.data.insn_known = true;
    e->u.data.insn = 0x8002;
    assert_element("text", e,
                   "     1a3       load  r3 <- [20000010] = 0000002a  by "
                   "00008002\n");
    e->u.data.store = ETM_TRUE;
    e->u.data.reg = 14;
    e->u.data.be8 = ETM_TRUE;
    assert_element("text", e,
                   "     1a3       store lr -> [20000010] = 0000002a "
                   "big-endian  by 00008002\n");
    e->u.data.reg_kind = ETM_REGISTER_D_HIGH;
    e->u.data.status = ETM_DATA_NOT_TRACED;
    e->u.data.value_known = e->u.data.insn_known = false;
    e->u.data.be8 = ETM_UNKNOWN;
    assert_element("text", e,
                   "     1a3       store d14.high -> [20000010] "
                   "(not_traced)\n");
    e->u.data.store = ETM_UNKNOWN;
    e->u.data.reg_kind = ETM_REGISTER_XPSR;
    e->u.data.address_known = false;
    e->u.data.status = ETM_DATA_OK;
    assert_element("text", e, "     1a3       data  psr [?]\n");
    e->u.data.reg_kind = ETM_REGISTER_S;
    assert_element("text", e, "     1a3       data  s14 [?]\n");
    e->u.data.reg_kind = ETM_REGISTER_D_LOW;
    assert_element("text", e, "     1a3       data  d14.low [?]\n");
}

static int names_symbol(void *context, uint32_t address,
                        struct etm_symbol *symbol)
{
    (void)context;
    if (address < 0x8000 || address >= 0x9000)
        return ETM_ERR_NOT_FOUND;
    *symbol = (struct etm_symbol){
        .name = "main", .offset = address - 0x8000, .size = 0x1000};
    return ETM_OK;
}

static int names_line(void *context, uint32_t address,
                      struct etm_source_line *line)
{
    (void)context;
    *line = (struct etm_source_line){
        .file = "main.c", .text = "    return 0;", .line = 12};
    return address < 0x8004 ? ETM_OK : ETM_ERR_NOT_FOUND;
}

static struct etm_element insn(uint32_t address, uint32_t opcode, unsigned size)
{
    struct etm_element e = {.kind = ETM_ELEMENT_INSN, .offset = 7};

    e.u.insn.isa = ETM_ISA_THUMB;
    e.u.insn.address = address;
    e.u.insn.opcode = opcode;
    e.u.insn.size = (uint8_t)size;
    e.u.insn.exec = ETM_TRUE;
    return e;
}

/* List elements with names and columns. */
static void list(struct written *w, struct etm_listing_config config,
                 const struct etm_config *trace, const struct etm_element *e,
                 size_t n)
{
    struct etm_listing_source source = {.title = "PTM_0 (0x10)",
                                        .config = trace};
    struct etm_listing *listing;

    memset(w, 0, sizeof *w);
    config.format = "text";
    config.write = take_text;
    config.context = w;
    source.names.symbol = names_symbol;
    source.names.line = names_line;
    assert_ok(etm_listing_new(&listing, &config));
    assert_ok(etm_listing_begin(listing, &source));
    assert_ok(etm_listing_elements(listing, e, n));
    assert_ok(etm_listing_flush(listing));
    etm_listing_free(listing);
}

TEST(ranges_show_where_they_are)
{
    static struct written w;
    struct etm_element e = {.kind = ETM_ELEMENT_RANGE, .offset = 0x123456789};
    const struct etm_config trace = {.protocol = ETM_PROTOCOL_PFT};

    e.u.range.isa = ETM_ISA_ARM;
    e.u.range.start = 0x8010;
    e.u.range.end = 0x8020;
    e.u.range.n = 4;
    e.u.range.last_type = ETM_INSN_TYPE_DIRECT;
    e.u.range.last_exec = ETM_TRUE;
    e.u.range.last_flags = ETM_INSN_LINK;
    list(&w, (struct etm_listing_config){0}, &trace, &e, 1);
    assert_string_equal(w.text,
                        "PTM_0 (0x10)\n123456789  00008010-00008020     4  > "
                        "call     <main+0x10>\n");
    e.u.range.last_exec = ETM_FALSE;
    e.u.range.last_flags = 0;
    e.u.range.start = 0x7000;
    list(&w, (struct etm_listing_config){0}, &trace, &e, 1);
    assert_string_equal(w.text, "PTM_0 (0x10)\n123456789  "
                                "00007000-00008020     4  - branch\n");
}

/* "  > c0021166  d0ea", up to the disassembly. */
TEST(instructions_show_opcode_and_function)
{
    static struct written w;
    struct etm_element e[3] = {insn(0x8000, 0x4770, 2),
                               insn(0x8002, 0xf7ffffe5, 4),
                               insn(0x8006, 0xbf00, 2)};
    const struct etm_config trace = {.protocol = ETM_PROTOCOL_PFT};
    const char *line;

    e[0].u.insn.type = ETM_INSN_TYPE_INDIRECT;
    e[1].u.insn.type = ETM_INSN_TYPE_DIRECT;
    e[1].u.insn.exec = ETM_FALSE;
    list(&w, (struct etm_listing_config){.lines = true}, &trace, e, 3);
    line = strstr(w.text, "\n <main>:\n   main.c:12      return 0;\n"
                          "       7  > 00008000  4770");
    assert_non_null(line);
    line = strstr(line, "\n       7  - 00008002  f7ff ffe5");
    assert_non_null(line);
    line = strstr(line, "\n       7    00008006  bf00");
    assert_non_null(line);
    assert_null(strstr(line, "main.c"));
    if (etm_write_disassembles()) {
        assert_non_null(strstr(w.text, "bx      lr\n"));
        assert_non_null(strstr(w.text, "#0x7fd0\n"));
    }
    /* the targets of branches have names: its first instruction no offset */
    e[0] = insn(0x8002, 0xe7fd, 2); /* b 8000 */
    e[1] = insn(0x8004, 0xe7fd, 2); /* b 8002 */
    e[0].u.insn.type = e[1].u.insn.type = ETM_INSN_TYPE_DIRECT;
    list(&w, (struct etm_listing_config){0}, &trace, e, 2);
    if (etm_write_disassembles()) {
        assert_non_null(strstr(w.text, "#0x8000 <main>\n"));
        assert_non_null(strstr(w.text, "#0x8002 <main+0x2>\n"));
    }
}

/* The condition of an instruction in an IT block is in its mnemonic. */
TEST(it_block_gives_conditions)
{
    static struct written w;
    struct etm_element e[3] = {insn(0x8000, 0xbf0c, 2), /* ite eq */
                               insn(0x8002, 0x2001, 2),
                               insn(0x8004, 0x2002, 2)};
    const struct etm_config trace = {.protocol = ETM_PROTOCOL_PFT};

    if (!etm_write_disassembles()) {
        print_message("skipped: this build does not disassemble\n");
        skip();
    }
    list(&w, (struct etm_listing_config){0}, &trace, e, 3);
    assert_non_null(strstr(w.text, "moveq   r0, #1\n"));
    assert_non_null(strstr(w.text, "movne   r0, #2\n"));
}

/* Gaps count into the total, and an unknown one makes it a lower bound. */
TEST(cycles_have_a_running_total)
{
    static struct written w;
    struct etm_element e[5] = {insn(0x8000, 0xbf00, 2),
                               {0},
                               insn(0x8002, 0xbf00, 2),
                               {0},
                               insn(0x8004, 0xbf00, 2)};
    const struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                                     .cycle_accurate = true};
    const struct etm_listing_config columns = {.cycles = true};

    e[0].u.insn.cycles = 3;
    e[1].kind = e[3].kind = ETM_ELEMENT_CYCLES;
    e[1].u.cycles.n = 100;
    e[2].u.insn.cycles = 0;
    e[3].u.cycles.n = ETM_CYCLES_UNKNOWN;
    e[4].u.insn.cycles = 20;
    list(&w, columns, &trace, e, 5);
    assert_non_null(strstr(w.text, "\n       7           3        3    "
                                   "00008000  bf00"));
    assert_non_null(strstr(w.text, "\n       7         103             "
                                   "00008002  bf00"));
    assert_non_null(strstr(w.text, "\n       7         123+      20    "
                                   "00008004  bf00"));
}

/* What comes between two instructions does not count, but has its time. */
TEST(data_have_their_cycle)
{
    static struct written w;
    struct etm_element e[4] = {insn(0x8000, 0xbf00, 2),
                               {.kind = ETM_ELEMENT_TRIGGER},
                               {.kind = ETM_ELEMENT_DATA},
                               insn(0x8002, 0xbf00, 2)};
    struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3,
                               .cycle_accurate = true};
    const struct etm_listing_config columns = {.cycles = true};

    e[0].u.insn.cycles = 3;
    e[1].since_known = true;
    e[1].since = 4;
    e[3].u.insn.cycles = 9;
    list(&w, columns, &trace, e, 4);
    assert_non_null(strstr(w.text, "\n       0           7           "
                                   "** trigger\n"
                                   "       0                       "
                                   "     data  [?]\n"
                                   "       7          12        9    "
                                   "00008002"));
    trace.data_only = true;
    list(&w, columns, &trace, &e[2], 1);
    assert_non_null(strstr(w.text, "\n       0       data  [?]\n"));
}

TEST(cycles_that_are_not_traced_have_no_column)
{
    static struct written w;
    struct etm_element e = insn(0x8000, 0xbf00, 2);
    const struct etm_config trace = {.protocol = ETM_PROTOCOL_ETMV3};

    e.u.insn.cycles = ETM_CYCLES_UNKNOWN;
    list(&w, (struct etm_listing_config){.cycles = true}, &trace, &e, 1);
    assert_non_null(strstr(w.text, "\n       7    00008000  bf00"));
}

TEST(colours_only_if_asked_for)
{
    static struct written w;
    struct etm_element e = {.kind = ETM_ELEMENT_LOST};

    list(&w, (struct etm_listing_config){0}, NULL, &e, 1);
    assert_null(strchr(w.text, '\033'));
    list(&w, (struct etm_listing_config){.colour = true}, NULL, &e, 1);
    assert_string_equal(w.text, "\033[1mPTM_0 (0x10)\033[0m\n"
                                "       0  \033[1;31m!! 0 bytes lost: "
                                "unsynchronized\033[0m\n");
    e = insn(0x8000, 0x4770, 2);
    list(&w, (struct etm_listing_config){.colour = true, .lines = true}, NULL,
         &e, 1);
    assert_non_null(strstr(w.text, "m   main.c:12      return 0;\033[0m\n"));
}

static int long_symbol(void *context, uint32_t address,
                       struct etm_symbol *symbol)
{
    *symbol = (struct etm_symbol){.name = context, .offset = address};
    return ETM_OK;
}

/* C++ makes names of thousands of characters, and each line would have them. */
TEST(a_long_symbol_is_cut)
{
    static struct written w;
    static char name[200001];
    char cut[ETM_NAME_SHOWN + 1];
    struct etm_listing *listing = new_listing("text", &w);
    struct etm_listing_source source = {
        .names = {.symbol = long_symbol, .context = name}};
    struct etm_element e = *ELEMENT(NO_IMAGE, .u.no_image.address = 0);

    memset(name, 'x', sizeof name - 1);
    assert_ok(etm_listing_begin(listing, &source));
    assert_ok(etm_listing_elements(listing, &e, 1));
    assert_ok(etm_listing_flush(listing));
    assert_null(strstr(w.text, name));
    assert_ptr_equal(etm_name_shown(name, cut), cut);
    assert_non_null(strstr(w.text, cut));
    assert_string_equal(w.text + w.n - 2, ">\n");
    etm_listing_free(listing);
}

/* The table of texts grows while they are shown. */
TEST(texts_of_many_instructions_are_right_again)
{
    static struct written w;
    struct etm_listing *listing = new_listing("text", &w);
    struct etm_listing_source source = {0};

    assert_ok(etm_listing_begin(listing, &source));
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 40000; i++) {
            struct etm_element e = insn(0x10000 + 2 * i, 0xbf00, 2);
            char expected[32];
            size_t before = w.n;

            if (i % 1000 != 0) {
                assert_ok(etm_listing_elements(listing, &e, 1));
                continue;
            }
            assert_ok(etm_listing_flush(listing));
            before = w.n = 0;
            assert_ok(etm_listing_elements(listing, &e, 1));
            assert_ok(etm_listing_flush(listing));
            snprintf(expected, sizeof expected, "%08x  bf00",
                     (unsigned)e.u.insn.address);
            assert_non_null(strstr(w.text + before, expected));
        }
    }
    etm_listing_free(listing);
}

static int hostile_symbol(void *context, uint32_t address,
                          struct etm_symbol *symbol)
{
    (void)context;
    *symbol = (struct etm_symbol){.name = "a\033[7m\nb\177\302\233\303\233",
                                  .offset = address & 0xff};
    return ETM_OK;
}

static int hostile_line(void *context, uint32_t address,
                        struct etm_source_line *line)
{
    (void)context;
    (void)address;
    *line = (struct etm_source_line){
        .file = "f\033.c", .text = "\tx;\033\r \302\237\302\240y", .line = 7};
    return ETM_OK;
}

/* A terminal takes nothing of a program's file for a command. */
TEST(names_are_plain)
{
    static struct written w;
    struct etm_listing_config config = {
        .format = "text", .write = take_text, .context = &w, .lines = true};
    struct etm_listing_source source = {
        .title = "E\033TM",
        .names = {.symbol = hostile_symbol, .line = hostile_line}};
    const struct etm_element e[] = {
        {.kind = ETM_ELEMENT_INSN,
         .u.insn = {.address = 0x8004,
                    .opcode = 0xeafffffe, /* b 0x8004 */
                    .isa = ETM_ISA_ARM,
                    .size = 4,
                    .type = ETM_INSN_TYPE_DIRECT,
                    .cycles = ETM_CYCLES_UNKNOWN}},
        {.kind = ETM_ELEMENT_NO_IMAGE, .u.no_image.address = 0x8000},
        {.kind = ETM_ELEMENT_RANGE,
         .u.range = {.start = 0x8000,
                     .end = 0x8004,
                     .n = 1,
                     .isa = ETM_ISA_ARM,
                     .last_type = ETM_INSN_TYPE_DIRECT,
                     .last_exec = ETM_TRUE,
                     .cycles = ETM_CYCLES_UNKNOWN}},
    };
    struct etm_listing *listing;

    memset(&w, 0, sizeof w);
    assert_ok(etm_listing_new(&listing, &config));
    assert_ok(etm_listing_begin(listing, &source));
    assert_ok(etm_listing_elements(listing, e, 3));
    assert_ok(etm_listing_flush(listing));
    etm_listing_free(listing);
    assert_null(strpbrk(w.text, "\033\177\r"));
    assert_memory_equal(w.text, "E?TM\n", 5);
    assert_non_null(strstr(
        w.text, " <a?[7m?b??\303\233+0x4>:\n   f?.c:7  \tx;?? ?\302\240y\n"));
    if (etm_write_disassembles())
        assert_non_null(strstr(w.text, "#0x8004 <a?[7m?b??\303\233+0x4>\n"));
    assert_non_null(strstr(w.text, "known at 00008000 <a?[7m?b??\303\233>\n"));
    assert_non_null(strstr(w.text, "branch   <a?[7m?b??\303\233>\n"));
}

/* How often the program's names and lines are asked for. */
struct asked {
    unsigned symbols, lines;
};

static int count_symbol(void *context, uint32_t address,
                        struct etm_symbol *symbol)
{
    struct asked *asked = context;

    asked->symbols++;
    *symbol = (struct etm_symbol){.name = "f", .offset = address & 0xff};
    return ETM_OK;
}

static int count_line(void *context, uint32_t address,
                      struct etm_source_line *line)
{
    struct asked *asked = context;

    asked->lines++;
    *line = (struct etm_source_line){.file = "f.c", .line = address};
    return ETM_OK;
}

/* What listing some ranges and instructions twice asks for. */
static struct asked ask(const char *format, bool insns, bool lines)
{
    static struct written w;
    struct asked asked = {0, 0};
    struct etm_listing_config config = {
        .format = format, .write = take_text, .context = &w, .lines = lines};
    struct etm_listing_source source = {.names = {.symbol = count_symbol,
                                                  .line = count_line,
                                                  .context = &asked}};
    struct etm_listing *listing;

    memset(&w, 0, sizeof w);
    assert_ok(etm_listing_new(&listing, &config));
    assert_ok(etm_listing_begin(listing, &source));
    for (uint32_t i = 0; i < 20; i++) {
        struct etm_element e = {.kind = ETM_ELEMENT_RANGE};

        e.u.range.start = 0x8000 + 16 * (i % 10);
        e.u.range.n = 4;
        if (insns)
            e = insn(0x8000 + 16 * (i % 10), 0xbf00, 2);
        assert_ok(etm_listing_elements(listing, &e, 1));
    }
    etm_listing_free(listing);
    return asked;
}

/* The tables of a large program take longer to read than a short listing. */
TEST(names_are_asked_for_where_they_are_shown)
{
    struct asked asked = ask("jsonl", false, false);

    assert_int_equal(asked.symbols + asked.lines, 0);
    asked = ask("jsonl", true, false);
    assert_int_equal(asked.symbols + asked.lines, 0);
    asked = ask("text", false, false);
    assert_int_equal(asked.symbols, 10);
    assert_int_equal(asked.lines, 0);
    asked = ask("text", true, false);
    assert_int_equal(asked.symbols, 10);
    assert_int_equal(asked.lines, 0);
    asked = ask("text", true, true);
    assert_int_equal(asked.symbols, 10);
    assert_int_equal(asked.lines, 10);
}

static int name_of_source(void *context, uint32_t address,
                          struct etm_symbol *symbol)
{
    const char *const *name = context;

    *symbol = (struct etm_symbol){.name = *name, .offset = address & 0xff};
    return ETM_OK;
}

/* The same instruction at the same address, and other names there. */
TEST(another_source_has_names_of_its_own)
{
    static struct written w;
    static const char *const names[] = {"one", "other"};
    struct etm_listing *listing = new_listing("text", &w);
    struct etm_element e = insn(0x8004, 0xe7fe, 2); /* b 0x8004 */

    e.u.insn.type = ETM_INSN_TYPE_DIRECT;
    for (size_t i = 0; i < 2; i++) {
        struct etm_listing_source source = {
            .names = {.symbol = name_of_source, .context = (void *)&names[i]}};
        size_t before = w.n;

        assert_ok(etm_listing_begin(listing, &source));
        for (unsigned twice = 0; twice < 2; twice++)
            assert_ok(etm_listing_elements(listing, &e, 1));
        assert_ok(etm_listing_flush(listing));
        assert_non_null(strstr(w.text + before, names[i]));
        assert_null(strstr(w.text + before, names[1 - i]));
    }
    etm_listing_free(listing);
}
