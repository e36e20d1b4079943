/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a listing that were made before it was known what comes before them:
 * appended they are the text of the whole, wherever it was cut. */
#include "../support/test.h"
#include "listing.h"

#define ELEMENTS 60u
#define MOST 12u /* of a part */
#define ROUNDS 2000u

static uint32_t state = 1;

static uint32_t any(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

/* Short functions, and places in none. */
static int symbol_at(void *context, uint32_t address, struct etm_symbol *symbol)
{
    static const char *const names[] = {"f", "g", "h"};
    uint32_t i = address / 32 % 4;

    (void)context;
    if (i == 3)
        return ETM_ERR_NOT_FOUND;
    *symbol = (struct etm_symbol){.name = names[i], .offset = address % 32};
    return ETM_OK;
}

/* Lines of two files, which functions share, and places in none. */
static int line_at(void *context, uint32_t address,
                   struct etm_source_line *line)
{
    static const char *const files[] = {"f.c", "g.c"};

    (void)context;
    if (address % 16 < 4)
        return ETM_ERR_NOT_FOUND;
    *line = (struct etm_source_line){.file = files[address / 128 % 2],
                                     .line = 1 + address / 64 % 2};
    return ETM_OK;
}

/* The next instruction, or one elsewhere: some IT, and some in their blocks. */
static void put_insn(struct etm_element *e, uint32_t *address)
{
    static const uint32_t opcodes[] = {
        0x2001, 0xbf08, 0xbf05, 0x4770,     0xf04f0001, 0x3801,
        0xbf00, 0x2100, 0x4408, 0xe3a00001, 0xe0800001};
    uint32_t i = any(COUNT(opcodes));

    if (any(6) == 0)
        *address = 0x8000 + 2 * any(64);
    e->kind = ETM_ELEMENT_INSN;
    e->u.insn.address = *address;
    e->u.insn.opcode = opcodes[i];
    e->u.insn.isa = i >= 9 ? ETM_ISA_ARM : ETM_ISA_THUMB;
    e->u.insn.size = opcodes[i] > 0xffff ? 4 : 2;
    e->u.insn.exec = (uint8_t)any(3);
    e->u.insn.type = i == 3 ? ETM_INSN_TYPE_INDIRECT : ETM_INSN_TYPE_OTHER;
    e->u.insn.cycles = any(9) == 0 ? ETM_CYCLES_UNKNOWN : any(4);
    *address += e->u.insn.size;
}

static void put_range(struct etm_element *e, uint32_t address)
{
    e->kind = ETM_ELEMENT_RANGE;
    e->u.range.start = address;
    e->u.range.end = address + 4;
    e->u.range.last_address = address + 2;
    e->u.range.n = 2;
    e->u.range.isa = ETM_ISA_THUMB;
    e->u.range.last_type = ETM_INSN_TYPE_OTHER;
    e->u.range.cycles = any(7);
}

/* A gap, which may be longer than a column of totals is wide. */
static void put_gap(struct etm_element *e)
{
    e->kind = ETM_ELEMENT_CYCLES;
    e->u.cycles.n = any(100);
    for (uint32_t digits = any(16); digits > 0; digits--)
        e->u.cycles.n = 10 * e->u.cycles.n + any(10);
    if (any(8) == 0)
        e->u.cycles.n = ETM_CYCLES_UNKNOWN;
}

static void make(struct etm_element *elements)
{
    uint32_t address = 0x8000;

    memset(elements, 0, ELEMENTS * sizeof *elements);
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        struct etm_element *e = &elements[i];
        uint32_t kind = any(24);

        e->offset = i;
        e->since_known = any(2);
        e->since = any(9);
        if (kind == 0) {
            e->kind = ETM_ELEMENT_TRACE_ON;
            e->u.trace_on.reason = ETM_TRACE_ON_OVERFLOW;
        } else if (kind == 1) {
            e->kind = ETM_ELEMENT_LOST;
            e->u.lost.reason = ETM_LOST_BAD_PACKET;
        } else if (kind == 2) {
            e->kind = ETM_ELEMENT_EXCEPTION;
            e->u.exception.type = ETM_EXCEPTION_SVC;
        } else if (kind == 3) {
            e->kind = ETM_ELEMENT_NO_IMAGE;
        } else if (kind == 4) {
            put_gap(e);
        } else if (kind == 5) {
            put_range(e, address);
        } else if (kind == 6) {
            e->kind = ETM_ELEMENT_TRIGGER;
        } else {
            put_insn(e, &address);
        }
    }
}

static void begin(struct etm_listing **listing,
                  const struct etm_listing_config *config)
{
    const struct etm_config trace = {
        .protocol = ETM_PROTOCOL_ETMV3, .minor = 4, .cycle_accurate = true};
    struct etm_listing_source source = {
        .config = &trace, .names = {.symbol = symbol_at, .line = line_at}};

    assert_ok(etm_listing_new(listing, config));
    assert_ok(etm_listing_begin(*listing, &source));
}

static void show(struct etm_listing *listing, const struct etm_element *e,
                 size_t n)
{
    assert_ok(etm_listing_elements(listing, e, n));
}

static void make_part(struct etm_listing *other,
                      struct etm_listing_portion **part,
                      const struct etm_element *e, size_t n)
{
    assert_ok(etm_listing_portion_begin(other, part));
    show(other, e, n);
    assert_ok(etm_listing_portion_end(other));
}

/* Some of them through parts that `other` makes, the later one first as often
 * as not, and some as ever. */
static void show_parts(struct etm_listing *listing, struct etm_listing *other,
                       const struct etm_element *e)
{
    struct etm_listing_portion *parts[2] = {NULL, NULL};
    size_t n[2];

    for (size_t left = ELEMENTS; left > 0; e += n[0] + n[1]) {
        for (unsigned i = 0; i < 2; i++) {
            n[i] = any(MOST + 1);
            n[i] = n[i] < left ? n[i] : left;
            left -= n[i];
        }
        if (any(6) == 0) {
            show(listing, e, n[0] + n[1]);
            continue;
        }
        for (unsigned i = 0, first = any(2); i < 2; i++)
            make_part(other, &parts[i ^ first], e + ((i ^ first) ? n[0] : 0),
                      n[i ^ first]);
        for (unsigned i = 0; i < 2; i++)
            assert_ok(etm_listing_append(listing, parts[i]));
    }
    etm_listing_portion_free(parts[0]);
    etm_listing_portion_free(parts[1]);
}

static void compare(const char *format, bool lines, bool cycles)
{
    static struct written whole, parts, nothing;
    struct etm_listing_config config = {.format = format,
                                        .write = take_text,
                                        .context = &whole,
                                        .cycles = cycles,
                                        .lines = lines};
    struct etm_element elements[ELEMENTS];
    struct etm_listing *listing, *other;

    whole.n = parts.n = nothing.n = 0;
    make(elements);
    begin(&listing, &config);
    show(listing, elements, ELEMENTS);
    assert_ok(etm_listing_flush(listing));
    etm_listing_free(listing);

    config.context = &parts;
    begin(&listing, &config);
    config.context = &nothing;
    begin(&other, &config);
    show_parts(listing, other, elements);
    assert_ok(etm_listing_flush(listing));
    etm_listing_free(listing);
    etm_listing_free(other);
    assert_int_equal(nothing.n, 0);
    assert_string_equal(parts.text, whole.text);
}

TEST(parts_of_text_are_the_text_of_the_whole)
{
    for (unsigned i = 0; i < ROUNDS; i++)
        compare("text", i & 1, i & 2);
}

TEST(parts_of_lines_are_the_lines_of_the_whole)
{
    for (unsigned i = 0; i < ROUNDS / 10; i++)
        compare("jsonl", false, i & 1);
}
