/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of what was executed: instructions and ranges. */
#include "isa/it.h"
#include "write/part.h"
#include "write/text.h"

#include <stdlib.h>

/* A name that lives as long as the program, cut once: a listing shows it again
 * and again, and it may have megabytes. */
static const char *shown(struct etm_text *text, const char *name)
{
    size_t n = sizeof text->cuts / sizeof *text->cuts;
    struct etm_text_cut *c = &text->cuts[((uintptr_t)name >> 4) % n];

    if (memchr(name, '\0', ETM_NAME_SHOWN + 1) != NULL)
        return name;
    if (c->name != name)
        (void)etm_name_shown(name, c->shown);
    c->name = name;
    return c->shown;
}

static void put_symbol(struct etm_listing *l, const char *symbol,
                       uint32_t offset)
{
    struct etm_out *out = &l->out;

    ETM_OUT(out, " <");
    etm_out_plain(out, shown(l->state, symbol));
    if (offset > 0) {
        ETM_OUT(out, "+0x");
        etm_out_hex_short(out, offset);
    }
    etm_out_char(out, '>');
}

/* " <symbol+0x14>" kept with the name, if there is room for it and nothing has
 * to be replaced. */
static void render_name(struct etm_text_name *name)
{
    const char *end = memchr(name->symbol, '\0', sizeof name->text);
    char *at = name->text;
    size_t n;

    if (end == NULL ||
        (size_t)(end - name->symbol) + sizeof " <+0x12345678>" - 1 >
            sizeof name->text)
        return;
    n = (size_t)(end - name->symbol);
    for (size_t i = 0, length; i < n; i += length) {
        bool plain;

        length = etm_character(name->symbol + i, n - i, &plain);
        if (!plain)
            return;
    }
    at = ETM_PUT(at, " <");
    at = etm_put(at, name->symbol, n);
    if (name->offset > 0) {
        at = ETM_PUT(at, "+0x");
        at = etm_put_hex_short(at, name->offset);
    }
    *at++ = '>';
    name->n = (uint8_t)(at - name->text);
}

/* The symbol of an address, looked up once. */
static const struct etm_text_name *name_of(struct etm_listing *l,
                                           uint32_t address)
{
    const struct etm_names *names = &l->source.names;
    struct etm_text *text = l->state;
    struct etm_text_name *name =
        &text->names[(address ^ address >> 13) / 2 % ETM_TEXT_NAMES];
    struct etm_symbol symbol;

    if (name->used && name->address == address)
        return name;
    name->address = address;
    name->used = true;
    name->symbol = NULL;
    name->n = 0;
    if (names->symbol &&
        names->symbol(names->context, address, &symbol) == ETM_OK) {
        name->symbol = symbol.name;
        name->offset = symbol.offset;
        render_name(name);
    }
    return name;
}

static void put_name(struct etm_listing *l, const struct etm_text_name *name)
{
    struct etm_out *out = &l->out;

    if (name->n != 0) {
        memcpy(out->next, name->text, sizeof name->text);
        out->next += name->n;
    } else if (name->symbol) {
        put_symbol(l, name->symbol, name->offset);
    }
}

void etm_text_symbol(struct etm_listing *l, uint32_t address)
{
    put_name(l, name_of(l, address));
}

/* Append what fits: a name may have any length, and any bytes. */
static void append(struct etm_text_entry *entry, const char *text)
{
    const char *end = memchr(text, '\0', ETM_TEXT_MOST);
    size_t left = end != NULL ? (size_t)(end - text) : ETM_TEXT_MOST, length;

    for (; left > 0 && entry->n < ETM_TEXT_MOST; left -= length) {
        bool plain;

        length = etm_character(text, left, &plain);
        if (plain && length > ETM_TEXT_MOST - entry->n)
            break; /* not a part of it */
        if (!plain) {
            entry->text[entry->n++] = '?';
            length = length != 0 ? length : 1;
        }
        for (size_t i = 0; plain && i < length; i++)
            entry->text[entry->n++] = text[i];
        text += length;
    }
}

static void append_hex(struct etm_text_entry *entry, uint32_t value,
                       unsigned bytes)
{
    char digits[9];

    for (unsigned i = 0; i < bytes; i++)
        memcpy(digits + (size_t)2 * i,
               etm_out_hex + 2 * (value >> (8 * (bytes - 1 - i)) & 0xffu), 2);
    digits[(size_t)2 * bytes] = '\0';
    append(entry, digits);
}

/* The symbol at a direct branch's target: its last operand is "#0x...". */
static void append_target(const struct etm_listing *l,
                          struct etm_text_entry *entry, const char *text)
{
    const struct etm_names *names = &l->source.names;
    const char *hash = strrchr(text, '#');
    struct etm_symbol symbol;

    if (!hash || !names->symbol ||
        names->symbol(names->context, (uint32_t)strtoul(hash + 1, NULL, 0),
                      &symbol) != ETM_OK)
        return;
    append(entry, " <");
    append(entry, symbol.name);
    if (symbol.offset > 0) {
        char number[16] = "+0x";

        (void)etm_put_hex_short(number + 3, symbol.offset);
        append(entry, number);
    }
    append(entry, ">");
}

void etm_text_check_disassembler(struct etm_listing *l)
{
    const struct etm_text *text = l->state;

    if (text->disassembler.failed && l->out.status == ETM_OK)
        l->out.status = ETM_ERR_MEMORY;
}

/* "e1a00000  mov r0, r0"; Thumb shows its halfwords apart. */
static void render(struct etm_listing *l, struct etm_text_entry *entry,
                   const struct etm_disasm_insn *insn)
{
    struct etm_text *text = l->state;
    char line[128];

    append_hex(entry, insn->address, 4);
    append(entry, "  ");
    if (insn->isa != ETM_ISA_ARM && insn->size == 4) {
        append_hex(entry, insn->opcode >> 16, 2);
        append(entry, " ");
        append_hex(entry, insn->opcode & 0xffffu, 2);
    } else {
        append_hex(entry, insn->opcode, insn->size < 4 ? insn->size : 4);
        append(entry, insn->size >= 4   ? " "
                      : insn->size == 2 ? "     "
                                        : "       ");
    }
    if (etm_disassemble(&text->disassembler, insn, line, sizeof line) > 0) {
        append(entry, "  ");
        append(entry, line);
        if (insn->direct)
            append_target(l, entry, line);
    }
    etm_text_check_disassembler(l);
    while (entry->n > 0 && entry->text[entry->n - 1] == ' ')
        entry->n--;
}

static void fill(struct etm_listing *l, struct etm_text_entry *entry,
                 const struct etm_disasm_insn *insn)
{
    const struct etm_names *names = &l->source.names;
    struct etm_symbol symbol;
    struct etm_source_line line;

    *entry = (struct etm_text_entry){.address = insn->address,
                                     .opcode = insn->opcode,
                                     .isa = insn->isa,
                                     .it = insn->it};
    if (names->symbol &&
        names->symbol(names->context, insn->address, &symbol) == ETM_OK) {
        entry->symbol = symbol.name;
        entry->symbol_offset = symbol.offset;
    }
    if (l->config.lines && names->line &&
        names->line(names->context, insn->address, &line) == ETM_OK) {
        entry->file = line.file;
        entry->source = line.text;
        entry->line = line.line;
    }
    render(l, entry, insn);
}

/* The text of an instruction; `spare` is for one that cannot be kept. */
static const struct etm_text_entry *look_up(struct etm_listing *l,
                                            const struct etm_disasm_insn *insn,
                                            struct etm_text_entry *spare)
{
    struct etm_text *text = l->state;
    struct etm_text_cache *cache = &text->cache;
    struct etm_text_entry *before = NULL, *entry;

    if (text->last != 0) {
        before = etm_text_cache_at(cache, text->last);
        if (before->behind != 0) {
            entry = etm_text_cache_at(cache, before->behind);
            if (etm_text_is_of(entry, insn)) {
                text->last = entry->number;
                return entry;
            }
        }
    }
    entry = etm_text_cache_find(cache, insn);
    if (!entry) {
        fill(l, spare, insn);
        entry = etm_text_cache_keep(cache, spare);
        /* what came before may be forgotten */
        if (cache->n == 1)
            before = NULL;
    }
    if (before)
        before->behind = entry->number;
    text->last = entry->number;
    return entry;
}

void etm_text_count(struct etm_listing *l, uint64_t cycles)
{
    struct etm_text *text = l->state;

    if (cycles == ETM_CYCLES_UNKNOWN)
        text->total_partial = true;
    else
        text->total += cycles;
}

void etm_text_put_total(struct etm_out *out, uint64_t cycles, bool partial)
{
    etm_out_decimal_width(out, cycles, 10);
    etm_out_char(out, partial ? '+' : ' ');
}

/*
 * The time that has passed up to here, with a + when parts of it are not
 * known, and the cycles of this instruction. A trace that is not cycle-accurate
 * has no such columns.
 */
static void put_cycles(struct etm_listing *l, uint64_t cycles)
{
    struct etm_text *text = l->state;
    struct etm_out *out = &l->out;

    if (!l->config.cycles || !l->trace.cycle_accurate)
        return;
    etm_text_count(l, cycles);
    if (l->part)
        etm_part_total(l, text->total, text->total_partial);
    etm_text_put_total(out, text->total, text->total_partial);
    if (cycles == ETM_CYCLES_UNKNOWN)
        ETM_OUT(out, "       -");
    else if (cycles == 0)
        ETM_OUT(out, "        ");
    else
        etm_out_decimal_width(out, cycles, 8);
    ETM_OUT(out, "  ");
}

void etm_text_put_since(struct etm_listing *l, const struct etm_element *e)
{
    const struct etm_text *text = l->state;
    uint64_t total = text->total + e->since;

    if (!l->config.cycles || !l->trace.cycle_accurate ||
        l->trace.protocol != ETM_PROTOCOL_ETMV3 || l->trace.data_only)
        return;
    if (e->since_known) {
        if (l->part)
            etm_part_total(l, total, text->total_partial);
        etm_text_put_total(&l->out, total, text->total_partial);
        ETM_OUT(&l->out, "          ");
    } else if (e->kind == ETM_ELEMENT_DATA) {
        ETM_OUT(&l->out, "                     ");
    }
}

/* A line for the function and one for the source line when they change. */
static void show_place(struct etm_listing *l,
                       const struct etm_text_entry *entry)
{
    struct etm_text *text = l->state;
    struct etm_out *out = &l->out;

    if (entry->symbol != text->function) {
        text->function = entry->symbol;
        text->file = NULL;
        if (entry->symbol) {
            etm_text_colour(l, ETM_COLOUR_TITLE);
            put_symbol(l, entry->symbol, entry->symbol_offset);
            etm_out_char(out, ':');
            etm_text_colour(l, ETM_COLOUR_NONE);
            etm_out_char(out, '\n');
        }
    }
    if (!entry->file || (text->file && entry->line == text->line &&
                         strcmp(entry->file, text->file) == 0))
        return;
    text->file = entry->file;
    text->line = entry->line;
    etm_text_colour(l, ETM_COLOUR_NOTE);
    ETM_OUT(out, "   ");
    etm_out_plain(out, shown(text, entry->file));
    etm_out_char(out, ':');
    etm_out_decimal(out, entry->line);
    if (entry->source) {
        ETM_OUT(out, "  ");
        etm_out_plain(out, shown(text, entry->source));
    }
    etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(out, '\n');
}

uint8_t etm_text_follow_it(struct etm_text *text, const struct etm_element *e)
{
    bool thumb16 = e->u.insn.isa != ETM_ISA_ARM && e->u.insn.size == 2;
    uint8_t it = text->it;

    if (e->u.insn.address != text->next || e->u.insn.isa == ETM_ISA_ARM)
        it = 0;
    text->next = e->u.insn.address + e->u.insn.size;
    text->it = etm_it_advance(it, thumb16 ? etm_it_begun(e->u.insn.opcode) : 0);
    return it;
}

static bool is_branch(unsigned type)
{
    return type == ETM_INSN_TYPE_DIRECT || type == ETM_INSN_TYPE_INDIRECT;
}

/* ">" a branch that was taken, "-" a condition that failed. */
static void put_mark(struct etm_listing *l, unsigned type, unsigned exec)
{
    if (exec == ETM_FALSE) {
        etm_text_colour(l, ETM_COLOUR_DIM);
        ETM_OUT(&l->out, "- ");
    } else if (exec == ETM_TRUE && is_branch(type)) {
        etm_text_colour(l, ETM_COLOUR_TAKEN);
        ETM_OUT(&l->out, "> ");
        etm_text_colour(l, ETM_COLOUR_NONE);
    } else {
        ETM_OUT(&l->out, "  ");
    }
}

void etm_text_insn(struct etm_listing *l, const struct etm_element *e)
{
    uint8_t it = etm_text_follow_it(l->state, e);
    struct etm_disasm_insn insn = {
        .address = e->u.insn.address,
        .opcode = e->u.insn.opcode,
        .isa = e->u.insn.isa,
        .size = e->u.insn.size,
        .it = it ? (uint8_t)(0x10u | it >> 4) : 0,
        .direct = e->u.insn.type == ETM_INSN_TYPE_DIRECT,
    };
    union {
        struct etm_text_entry entry;
        char room[sizeof(struct etm_text_entry) + ETM_TEXT_MOST + 8];
    } spare;
    const struct etm_text_entry *entry = look_up(l, &insn, &spare.entry);
    struct etm_out *out = &l->out;

    show_place(l, entry);
    etm_text_offset(l, e->offset);
    put_cycles(l, e->u.insn.cycles);
    put_mark(l, e->u.insn.type, e->u.insn.exec);
    etm_out_upto(out, etm_put_ready(etm_out_at(out), entry->text, entry->n));
    if (e->u.insn.exec == ETM_FALSE)
        etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(out, '\n');
}

/* What ended the range, in a word; the first two are no branch. */
enum { NOTHING, BARRIER, CALL, RETURN, BRANCH, INDIRECT };

static const struct etm_out_name endings[] = {
    ETM_OUT_NAME(""),       ETM_OUT_NAME("barrier"), ETM_OUT_NAME("call"),
    ETM_OUT_NAME("return"), ETM_OUT_NAME("branch"),  ETM_OUT_NAME("indirect"),
};

static unsigned ending(const struct etm_element *e)
{
    if (e->u.range.last_type == ETM_INSN_TYPE_BARRIER)
        return BARRIER;
    if (!is_branch(e->u.range.last_type))
        return NOTHING;
    if (e->u.range.last_flags & ETM_INSN_LINK)
        return CALL;
    if (e->u.range.last_flags & ETM_INSN_RETURN)
        return RETURN;
    return e->u.range.last_type == ETM_INSN_TYPE_DIRECT ? BRANCH : INDIRECT;
}

/* At least 6 characters. */
static char *put_count(char *at, uint32_t n)
{
    char digits[16] = {0};
    size_t size = (size_t)(etm_put_decimal(digits, n) - digits);

    memset(at, ' ', 6);
    at += size < 6 ? 6 - size : 0;
    memcpy(at, digits, sizeof digits);
    return at + size;
}

/* The ending, and the name in a column after it. */
static char *put_ending(char *at, unsigned which, bool name)
{
    const struct etm_out_name *word = &endings[which];

    memcpy(at, word->text, 8);
    if (!name)
        return at + word->n;
    memset(at + word->n, ' ', 8);
    return at + 8;
}

void etm_text_range(struct etm_listing *l, const struct etm_element *e)
{
    const struct etm_text_name *name = name_of(l, e->u.range.start);
    struct etm_out *out = &l->out;
    char *at;

    etm_text_offset(l, e->offset);
    put_cycles(l, e->u.range.cycles);
    at = etm_put_hex32(etm_out_at(out), e->u.range.start);
    *at++ = '-';
    at = etm_put_hex32(at, e->u.range.end);
    at = put_count(at, e->u.range.n);
    etm_out_upto(out, ETM_PUT(at, "  "));
    put_mark(l, e->u.range.last_type, e->u.range.last_exec);
    at = put_ending(etm_out_at(out), ending(e), name->symbol != NULL);
    etm_out_upto(out, at);
    put_name(l, name);
    if (e->u.range.last_exec == ETM_FALSE)
        etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(out, '\n');
}
