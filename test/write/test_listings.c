/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements, packets and counts as they are written, to the byte: what each of
 * the cases below becomes in each format stands in golden/FORMAT under its
 * name.
 *
 *     test_listings FOLDER          compare
 *     test_listings FOLDER rebase   write the files again: read the difference
 */
#include "../support/scenario.h"
#include "listing.h"

#include <etm/decode.h>

/* ---- Names of a program -------------------------------------------------- */

struct place {
    const char *function, *file, *text;
    uint32_t start, end, line;
};

/* What a terminal may take for a command stands in names, too. */
static const struct place places[] = {
    {"main", "main.c", "    return 0;", 0x8000, 0x8004, 12},
    {"main", NULL, NULL, 0x8000, 0x9000, 0},
    {"a\033[7m\nb\177\302\233\303\233", "f\033.c",
     "\tx;\033\r \302\237\302\240y", 0x9000, 0x9100, 7},
    {"loop", "loop.c", NULL, 0x1000, 0x1008, 10},
    {"loop", "loop.c", NULL, 0x1008, 0x1010, 11},
    {"idle", "idle.c", NULL, 0x1100, 0x1104, 5},
};

static const struct place *place_at(uint32_t address)
{
    for (size_t i = 0; i < COUNT(places); i++)
        if (address >= places[i].start && address < places[i].end)
            return &places[i];
    return NULL;
}

static int symbol(void *context, uint32_t address, struct etm_symbol *symbol)
{
    const struct place *p = place_at(address);

    (void)context;
    if (p == NULL)
        return ETM_ERR_NOT_FOUND;
    *symbol =
        (struct etm_symbol){.name = p->function, .offset = address & 0xff};
    return ETM_OK;
}

static int line(void *context, uint32_t address, struct etm_source_line *line)
{
    const struct place *p = place_at(address);

    (void)context;
    if (p == NULL || p->file == NULL)
        return ETM_ERR_NOT_FOUND;
    *line = (struct etm_source_line){
        .file = p->file, .text = p->text, .line = p->line};
    return ETM_OK;
}

/* Of the part that is counted. */
static int lines(void *context, etm_line_fn *fn, void *fn_context)
{
    int status = ETM_OK;

    (void)context;
    for (const struct place *p = places + 3; p < places + 6 && status == ETM_OK;
         p++)
        status =
            fn(fn_context, &(struct etm_line_range){p->file, p->line, p->start,
                                                    p->end, ETM_ISA_ARM, true});
    return status;
}

static int functions(void *context, etm_function_fn *fn, void *fn_context)
{
    int status = fn(fn_context, &(struct etm_function){"loop", 0x1000, 0x10});

    (void)context;
    return status == ETM_OK
               ? fn(fn_context, &(struct etm_function){"idle", 0x1100, 4})
               : status;
}

static const struct etm_names names = {
    .symbol = symbol, .line = line, .lines = lines, .functions = functions};

/* ---- Elements ------------------------------------------------------------ */

#define E(KIND, ...)                                                           \
    {                                                                          \
        .kind = ETM_ELEMENT_##KIND, .source = 16, .offset = 0x1a3, __VA_ARGS__ \
    }
#define CONTEXT(...) E(CONTEXT, .u.context = {__VA_ARGS__})
#define EXCEPTION(...) E(EXCEPTION, .u.exception = {__VA_ARGS__})
#define RANGE(...) E(RANGE, .u.range = {__VA_ARGS__})
#define INSN(...) E(INSN, .u.insn = {__VA_ARGS__})
#define DATA(...) E(DATA, .u.data = {__VA_ARGS__})
#define NO_IMAGE(at) E(NO_IMAGE, .u.no_image.address = at)
#define GAP(length) E(CYCLES, .u.cycles.n = length)

static const struct etm_element events[] = {
    E(TRACE_ON, .u.trace_on.reason = ETM_TRACE_ON_OVERFLOW),
    E(TRACE_ON, .u.trace_on.reason = ETM_TRACE_ON_DEBUG_EXIT),
    E(LOST, .u.lost = {ETM_LOST_BAD_PACKET, 1}),
    E(LOST, .u.lost = {ETM_LOST_TRUNCATED, 20}),
    E(LOST, .u.lost = {ETM_LOST_IMAGE_MISMATCH, 99}),
    NO_IMAGE(0x18),
    NO_IMAGE(0xffff0018),
    E(EXCEPTION_RETURN, .since = 0),
    E(TRIGGER, .since = 0),
    /* a double could not hold 64 bits */
    E(TIMESTAMP, .u.timestamp.value = UINT64_MAX),
    E(TIMESTAMP, .u.timestamp.value = ETM_TIMESTAMP_UNKNOWN),
    GAP(12),
    GAP(ETM_CYCLES_UNKNOWN),
    E(END, .since = 0),
};

static const struct etm_element contexts[] = {
    CONTEXT(.isa = ETM_ISA_ARM),
    CONTEXT(.isa = ETM_ISA_ARM, .secure = ETM_FALSE, .hyp = ETM_TRUE,
            .context_id_known = true, .context_id = 0x101, .vmid_known = true,
            .vmid = 3),
    CONTEXT(.isa = ETM_ISA_UNKNOWN, .secure = ETM_TRUE,
            .context_id_known = true, .context_id = UINT32_MAX),
};

static const struct etm_element exceptions[] = {
    EXCEPTION(.type = ETM_EXCEPTION_IRQ_N, .number = 17, .irq = 1),
    EXCEPTION(.type = ETM_EXCEPTION_IRQ_N, .number = 24, .irq = 8, .resume = 3),
    EXCEPTION(.type = ETM_EXCEPTION_SVC, .number = 17, .cancels_known = true,
              .cancels = 0x8000, .return_known = true, .return_address = 0x8004,
              .resume = 2),
};

#define WORD .address_known = true, .address = 0x20000010, .value_known = true
#define NOT_KNOWN .index = ETM_DATA_INDEX_UNKNOWN

static const struct etm_element data[] = {
    DATA(WORD, .value = 0x2a, .size = 4, .store = ETM_FALSE),
    DATA(WORD, .value = 0x2a, .size = 1, .store = ETM_FALSE),
    /* E-341: more than it transfers */
    DATA(WORD, .value = 0x12a, .size = 1, .store = ETM_FALSE),
    DATA(WORD, .value = 0x12002a, .size = 2, .store = ETM_TRUE, .index = 1,
         .be8 = ETM_FALSE),
    DATA(WORD, .value = 0x2a, .size = 4, .store = ETM_FALSE,
         .reg_kind = ETM_REGISTER_CORE, .reg = 3, .insn_known = true,
         .insn = 0x8002),
    DATA(WORD, .value = 0x2a, .size = 4, .store = ETM_TRUE,
         .reg_kind = ETM_REGISTER_CORE, .reg = 14, .insn_known = true,
         .insn = 0x8002, .be8 = ETM_TRUE),
    DATA(.address_known = true, .address = 0x20000010, .size = 4,
         .store = ETM_TRUE, .reg_kind = ETM_REGISTER_D_HIGH, .reg = 14,
         .status = ETM_DATA_NOT_TRACED),
    DATA(.reg_kind = ETM_REGISTER_XPSR, NOT_KNOWN),
    DATA(.reg_kind = ETM_REGISTER_S, .reg = 14, NOT_KNOWN),
    DATA(.reg_kind = ETM_REGISTER_D_LOW, .reg = 14, NOT_KNOWN),
    DATA(.status = ETM_DATA_SUPPRESSED, NOT_KNOWN),
    /* nobody's: a word, as packets are (7.4.1) */
    DATA(.value_known = true, .value = 0xab, NOT_KNOWN),
};

static const struct etm_element ranges[] = {
    RANGE(.isa = ETM_ISA_ARM, .start = 0x8010, .end = 0x8020, .n = 4,
          .last_address = 0x801c, .last_type = ETM_INSN_TYPE_DIRECT,
          .last_exec = ETM_TRUE, .last_flags = ETM_INSN_LINK,
          .cycles = ETM_CYCLES_UNKNOWN),
    RANGE(.isa = ETM_ISA_ARM, .start = 0x7000, .end = 0x8020, .n = 4,
          .last_type = ETM_INSN_TYPE_DIRECT, .last_exec = ETM_FALSE,
          .cycles = UINT64_C(18446744073709551614)),
    RANGE(.isa = ETM_ISA_THUMB, .start = 0x8000, .end = 0x8010, .n = 8,
          .last_type = ETM_INSN_TYPE_INDIRECT, .last_flags = ETM_INSN_RETURN),
    RANGE(.isa = ETM_ISA_ARM, .start = 0x9000, .end = 0x9004, .n = 1,
          .last_type = ETM_INSN_TYPE_BARRIER, .last_exec = ETM_UNKNOWN),
};

#define THUMB(at, code, bytes, ...)                                            \
    INSN(.isa = ETM_ISA_THUMB, .address = at, .opcode = code, .size = bytes,   \
         .exec = ETM_TRUE, __VA_ARGS__)
#define NOP(at, n) THUMB(at, 0xbf00, 2, .cycles = n)

/* As many digits as the instruction is long, the first halfword first. The
 * targets of branches have names: its first instruction no offset. */
static const struct etm_element insns[] = {
    THUMB(0x8000, 0x4770, 2, .type = ETM_INSN_TYPE_INDIRECT),
    THUMB(0x8002, 0xe7fd, 2, .type = ETM_INSN_TYPE_DIRECT), /* b 8000 */
    THUMB(0x8004, 0xe7fd, 2, .type = ETM_INSN_TYPE_DIRECT), /* b 8002 */
    INSN(.isa = ETM_ISA_THUMB, .address = 0x8006, .opcode = 0xf7ffffe5,
         .size = 4, .exec = ETM_FALSE, .type = ETM_INSN_TYPE_DIRECT,
         .cycles = ETM_CYCLES_UNKNOWN),
    NOP(0x800a, 12),
    INSN(.isa = ETM_ISA_JAZELLE, .address = 0xc0021166, .opcode = 0xb1,
         .size = 1),
    /* the condition of an instruction in an IT block is in its mnemonic */
    THUMB(0x8010, 0xbf0c, 2, .cycles = 0), /* ite eq */
    THUMB(0x8012, 0x2001, 2, .cycles = 0),
    THUMB(0x8014, 0x2002, 2, .cycles = 0),
};

/* Nothing of a program's file is a command to a terminal. */
static const struct etm_element hostile[] = {
    INSN(.isa = ETM_ISA_ARM, .address = 0x9004, .opcode = 0xeafffffe, .size = 4,
         .type = ETM_INSN_TYPE_DIRECT, .cycles = 0),
    NO_IMAGE(0x9000),
    RANGE(.isa = ETM_ISA_ARM, .start = 0x9000, .end = 0x9004, .n = 1,
          .last_type = ETM_INSN_TYPE_DIRECT, .last_exec = ETM_TRUE,
          .cycles = ETM_CYCLES_UNKNOWN),
};

/* Gaps count into the total, and an unknown one makes it a lower bound. */
static const struct etm_element cycles[] = {
    NOP(0x8000, 3),          GAP(100),        NOP(0x8002, 0),
    GAP(ETM_CYCLES_UNKNOWN), NOP(0x8004, 20),
};

/* What comes between two instructions does not count, but has its time. */
static const struct etm_element since[] = {
    NOP(0x8000, 3),
    E(TRIGGER, .since_known = true, .since = 4),
    E(CONTEXT, .since_known = false),
    E(DATA, .since_known = true),
    E(DATA, .since_known = false),
    E(TRIGGER, .since_known = true, .since = UINT32_MAX),
    NOP(0x8002, 9),
};

/* All characters of a value are printable, or none is shown; a port of three
 * digits; what has wrapped, and how late a timestamp may be. */
#define SOFTWARE(...) E(SOFTWARE, .u.software = {__VA_ARGS__})
static const struct etm_element itm[] = {
    SOFTWARE(0, 1, 0x7e),
    SOFTWARE(1, 1, 0x1f),
    SOFTWARE(9, 2, 0x2061),
    SOFTWARE(255, 4, 0x64636261),
    SOFTWARE(31, 4, 0x7f636261),
    E(EVENT_COUNTER, .u.event_counter.counters = 1),
    E(EVENT_COUNTER, .u.event_counter.counters = 0x3f),
    E(LOCAL_TIMESTAMP, .u.local_timestamp = {ETM_ITM_SYNCHRONOUS, 5, 1005}),
    E(LOCAL_TIMESTAMP, .u.local_timestamp = {ETM_ITM_STAMP_DELAYED, 0, 1005}),
    E(LOCAL_TIMESTAMP,
      .u.local_timestamp = {ETM_ITM_BOTH_DELAYED, UINT32_MAX, UINT64_MAX}),
    E(PC_SAMPLE, .u.pc_sample.address = 0x8002),
    E(PC_SAMPLE, .u.pc_sample.state = 1),
};

static const struct etm_element lost[] = {E(LOST, .since = 0)};

/* ---- Traces -------------------------------------------------------------- */

#define V3                                                                     \
    "etmv3 minor=5 data_address data_value security timestamps "               \
    "timestamp_64bit timestamp_binary"
#define V3_CYCLES                                                              \
    "etmv3 minor=4 cycle_accurate context_id_bytes=4 alternative_branches"
#define PFT                                                                    \
    "pft minor=1 security virtualization context_id_bytes=1 vmid timestamps"

/* I-sync at 0x8000, ARM, Non-secure, periodic (7.11.2). */
#define I_SYNC "08 09 00 80 00 00 "

/* ---- Counts -------------------------------------------------------------- */

/* A loop from 0x1000 that is left the fourth time. */
#define LOOP(times, exec)                                                      \
    {                                                                          \
        .n = times, .start = 0x1000, .end = 0x1010, .insns = 4,                \
        .last_address = 0x100c, .isa = ETM_ISA_ARM,                            \
        .last_type = ETM_INSN_TYPE_DIRECT, .last_exec = exec,                  \
        .last_flags = ETM_INSN_CONDITIONAL                                     \
    }
static const struct etm_count loop[] = {LOOP(3, ETM_TRUE), LOOP(1, ETM_FALSE)};

/* ---- Cases --------------------------------------------------------------- */

static const struct listing_case {
    const char *name;
    const char *config, *title;
    const struct etm_element *e;
    size_t n;
    const char *bytes; /* of a trace, hexadecimal */
    bool counts, named, cycles, lines, colour;
    bool disassembled; /* text: differs in a build without */
    bool is_text;      /* other formats show nothing of it */
} cases[] = {
#define OF(list) .e = list, .n = COUNT(list)
    {"events", OF(events)},
    {"contexts", OF(contexts)},
    {"exceptions", OF(exceptions)},
    {"data", OF(data)},
    {"ranges show where they are", PFT, "PTM_0 (0x10)", OF(ranges),
     .named = true},
    {"instructions", PFT, OF(insns), .named = true, .lines = true,
     .disassembled = true},
    {"names are plain", NULL, "E\033TM", OF(hostile), .named = true,
     .lines = true, .disassembled = true, .is_text = true},
    {"cycles have a running total", V3_CYCLES, OF(cycles), .cycles = true,
     .disassembled = true, .is_text = true},
    {"data have their cycle", V3_CYCLES, OF(since), .cycles = true,
     .disassembled = true},
    {"since is a key only if asked for", V3_CYCLES, OF(since),
     .disassembled = true},
    {"cycles of data alone have no column", "etmv3 cycle_accurate data_only",
     .e = &data[7], 1, .cycles = true, .is_text = true},
    {"cycles that are not traced have no column", V3, OF(cycles),
     .cycles = true, .disassembled = true, .is_text = true},
    {"what an ITM says", OF(itm), .named = true},
    {"colours of an ITM", NULL, "ITM", OF(itm), .colour = true,
     .is_text = true},
    {"colours of contexts", OF(contexts), .colour = true, .is_text = true},
    {"colours of events", OF(events), .colour = true, .is_text = true},
    {"colours of exceptions", OF(exceptions), .colour = true, .is_text = true},
    {"colours of what is lost", NULL, "PTM_0 (0x10)", OF(lost), .colour = true,
     .is_text = true},
    {"colours of lines", NULL, "PTM_0 (0x10)", .e = &insns[2], 2, .named = true,
     .lines = true, .colour = true, .disassembled = true, .is_text = true},
#undef OF
    /* P-header 0x84: E; branch to +8; trigger, ignore, exception exit */
    {"ETMv3 flow", V3, .bytes = I_SYNC "84 05 0c 66 76"},
    /* Five bytes name the instruction set; AltISA stays until it is given
     * again (7.3.5). */
    {"a branch to ThumbEE", V3,
     .bytes = I_SYNC "81 80 80 80 50 40 81 80 80 80 10 81 80 80 80 50 00"},
    /* An address of five bytes needs no I-sync before it, nor does one that is
     * compressed against it (7.3.5). */
    {"an address of five bytes is whole", V3,
     .bytes = "01 d7 ba 86 db 0d 05 f7 9f e9 b4 1b"},
    {"ETMv3 cycles and contexts", V3_CYCLES,
     .bytes = "70 0a 44 33 22 11 21 01 80 00 00 04 87 01 6e 05 00 00 00"},
    /* Data with an address and a value (7.4); compression against the last. */
    {"ETMv3 data", V3,
     .bytes =
         I_SYNC "2e 90 80 80 80 02 2a 00 00 00 22 14 7a 18 74 1c 28 cd ab"},
    /* 7.7.4: of zero the macrocell does not know the time */
    {"an ETMv3 timestamp is whole or null", V3,
     .bytes = "42 05 46 81 80 80 80 80 80 80 80 00 "
              "42 80 80 80 80 80 80 80 80 00"},
    {"bad bytes", V3, .bytes = "08 09 00"},
    {"no bytes of ETMv3", V3, .bytes = "70 01 02"},
    /* I-sync at 0x8000, Thumb, Secure, trace on; context ID 7 */
    {"PFT flow", PFT, .bytes = "08 01 80 00 00 21 07 88 6e 09 3c 05 76"},
    {"PFT cycle counts", "pft minor=1 security cycle_accurate",
     .bytes = "08 00 80 00 00 01 8c"},
    /* Table 5-1: the names of all statuses; TRACESYNC; a trigger. */
    {"ETMv1 cycles", "etmv1 minor=3", .bytes = "83 4f 06 05"},
    /* Table 6-1; a TFO of 0 (EX-03), and the packet after it. */
    {"ETMv2 cycles", "etmv2 port_width=16", .bytes = "07 09 66 04 20 00"},
    {"counts", .title = "PTM 0", .counts = true, .named = true},
};

/* ---- What is written ----------------------------------------------------- */

struct listed {
    struct etm_listing *listing;
    const uint8_t *stream;
};

static int list_packets(void *context, const struct etm_packet *packets,
                        size_t n)
{
    const struct listed *l = context;

    return etm_listing_packets(l->listing, packets, n,
                               l->stream + packets[0].offset);
}

/* Lists the packets of a stream, behind an A-sync; records of ETMv1 and ETMv2
 * need none. */
static void list_trace(struct etm_listing *listing,
                       const struct etm_config *trace, const char *bytes)
{
    uint8_t stream[256] = {0, 0, 0, 0, 0, 0x80};
    struct listed l = {listing, stream};
    const struct etm_packet_decoder_config config = {
        .config = trace, .packets = list_packets, .context = &l};
    struct etm_packet_decoder *decoder;
    size_t n = etm_protocol_is_port(trace->protocol) ? 0 : 6;

    for (const char *at = bytes; *at != '\0'; at += 2 + (at[2] == ' '))
        stream[n++] = (uint8_t)strtoul(at, NULL, 16);
    assert_ok(etm_packet_decoder_new(&decoder, &config));
    assert_ok(etm_packet_decoder_push(decoder, stream, n));
    assert_ok(etm_packet_decoder_finish(decoder));
    etm_packet_decoder_free(decoder);
}

static struct etm_counts *make_counts(void)
{
    struct etm_counts *counts;

    assert_ok(etm_counts_new(&counts, NULL));
    for (size_t i = 0; i < COUNT(loop); i++)
        assert_ok(etm_counts_add(counts, &loop[i]));
    return counts;
}

static void list_counts(struct etm_listing *listing)
{
    struct etm_counts *counts = make_counts();

    assert_ok(etm_listing_counts(listing, counts));
    etm_counts_free(counts);
}

/* Under its name, in this format. */
static void list_case(const struct listing_case *c, const char *format,
                      struct written *w)
{
    const struct etm_listing_config config = {.format = format,
                                              .write = take_text,
                                              .context = w,
                                              .cycles = c->cycles,
                                              .lines = c->lines,
                                              .colour = c->colour};
    struct etm_config trace;
    struct etm_listing_source source = {.size = sizeof source,
                                        .title = c->title,
                                        .name = c->title,
                                        .config = &trace,
                                        .id = 16};
    struct etm_listing *listing;

    if (c->config != NULL)
        assert_true(etm_scenario_config_of(&trace, c->config));
    else
        source.config = NULL;
    if (c->named)
        source.names = names;
    assert_ok(etm_listing_new(&listing, &config));
    assert_ok(etm_listing_begin(listing, &source));
    if (c->e != NULL)
        assert_ok(etm_listing_elements(listing, c->e, c->n));
    if (c->bytes != NULL)
        list_trace(listing, &trace, c->bytes);
    if (c->counts)
        list_counts(listing);
    assert_ok(etm_listing_finish(listing));
    etm_listing_free(listing);
}

static const char *folder;
static bool rebase;

/* Each case under its name; those with instructions are another file of text.
 */
static void in_file(const char *name, const char *format, bool disassembled)
{
    static struct written w, expected;
    const struct etm_listing_format *of;
    char path[1000], head[200];
    FILE *file;

    assert_ok(etm_listing_format_find(format, &of));
    memset(&w, 0, sizeof w);
    for (const struct listing_case *c = cases; c < cases + COUNT(cases); c++) {
        unsigned is = c->counts  ? ETM_LISTING_COUNTS
                      : c->bytes ? ETM_LISTING_PACKETS
                                 : ETM_LISTING_ELEMENTS;

        if (!(of->takes & is) || (strcmp(format, "text") != 0 && c->is_text) ||
            (strcmp(format, "text") == 0 && c->disassembled != disassembled))
            continue;
        snprintf(head, sizeof head, "== %s\n", c->name);
        (void)take_text(&w, head, strlen(head));
        list_case(c, format, &w);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, rebase ? "wb" : "rb");
    assert_non_null(file);
    expected.n = rebase ? fwrite(w.text, 1, w.n, file)
                        : fread(expected.text, 1, sizeof w.text - 1, file);
    expected.text[expected.n] = '\0';
    assert_int_equal(fclose(file), 0);
    if (!rebase && strcmp(expected.text, w.text) != 0)
        fail_msg("%s is\n%s", path, w.text);
}

TEST(listings_are_the_golden_ones)
{
    static const char *const formats[] = {"text",      "jsonl", "lcov",
                                          "cobertura", "gcovr", "source"};

    for (size_t i = 0; i < COUNT(formats); i++)
        in_file(formats[i], formats[i], false);
    if (etm_write_disassembles())
        in_file("disassembly", "text", true);
}

/* ---- What of it is not text for text ------------------------------------- */

/* Tables 5-1 and 6-1. */
TEST(statuses_have_their_names)
{
    static const char *const words[] = {"etmv1 minor=3", "etmv2 port_width=16"};
    static const char *const all[2][16] = {
        {"IE", "ID", "IN", "WT", "BE", "BD", "TR", "TD"},
        {"IE", "DE", "IN", "DN", "WT", "DW", "TR", "TD", "PTIE", "PTDE", "PTIN",
         "PTDN", "PNIE", "PNDE", "PNIN", "PNDN"}};
    static struct written w;

    for (unsigned i = 0; i < 24; i++) {
        unsigned v2 = i >= 8, status = i - 8 * v2;
        char bytes[16], expected[64];
        const struct listing_case c = {.config = words[v2], .bytes = bytes};

        snprintf(bytes, sizeof bytes, v2 ? "%02x 00 00" : "%02x 00", status);
        w.n = 0;
        list_case(&c, "jsonl", &w);
        snprintf(expected, sizeof expected,
                 "\"status\":\"%s\",\"tracesync\":%s}", all[v2][status],
                 v2 ? "null" : "false");
        assert_non_null(strstr(w.text, expected));
    }
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

#define MANY_LINES 8000u

static int many_lines(void *context, etm_line_fn *fn, void *fn_context)
{
    int status = ETM_OK;

    (void)context;
    for (uint32_t i = 0; i < MANY_LINES && status == ETM_OK; i++)
        status =
            fn(fn_context,
               &(struct etm_line_range){"gone.c", i + 1, 0x1000 + 4 * i,
                                        0x1004 + 4 * i, ETM_ISA_ARM, true});
    return status;
}

/* Of a file that is not there, too, and more than a buffer holds. */
TEST(each_line_of_a_large_file_is_listed)
{
    static const struct {
        const char *format, *row;
    } all[] = {{"lcov", "DA:%u,"},
               {"cobertura", "<line number=\"%u\""},
               {"gcovr", "\"line_number\":%u"},
               {"source", "#####:%5u:"}};
    struct etm_counts *counts = make_counts();

    for (size_t i = 0; i < COUNT(all); i++) {
        static struct written w;
        struct etm_listing *l = new_listing(all[i].format, &w);
        const char *at = w.text;

        assert_ok(etm_listing_begin(
            l, &(struct etm_listing_source){.names = {.lines = many_lines}}));
        assert_ok(etm_listing_counts(l, counts));
        assert_ok(etm_listing_finish(l));
        for (unsigned n = 5; n <= MANY_LINES; n++) { /* loop[] is before */
            char row[40];

            snprintf(row, sizeof row, all[i].row, n);
            at = strstr(at, row);
            assert_non_null(at);
        }
        etm_listing_free(l);
    }
    etm_counts_free(counts);
}

/* Another processor may have run the same code. */
TEST(counts_of_sources_are_added)
{
    static struct written w;
    static const char *const rows[] = {
        "\nfunction loop called 12\n", "\n       12:   11:\n",
        "\nbranch  0 taken 9\n", "\nbranch  1 taken 3 (fallthrough)\n"};
    struct etm_listing *l = new_listing("source", &w);
    struct etm_counts *counts = make_counts();

    for (size_t i = 0; i < 3; i++) {
        assert_ok(
            etm_listing_begin(l, &(struct etm_listing_source){.names = names}));
        assert_ok(etm_listing_counts(l, counts));
    }
    assert_ok(etm_listing_finish(l));
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_non_null(strstr(w.text, rows[i]));
    etm_listing_free(l);
    etm_counts_free(counts);
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

int main(int argc, char **argv)
{
    if (argc < 2)
        return 99;
    folder = argv[1];
    rebase = argc > 2;
    return tests_run();
}
