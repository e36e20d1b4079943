/* SPDX-License-Identifier: Apache-2.0 */
/* The text form of what was executed: instructions and ranges. */
#include "write/text.h"

#include <stdlib.h>

static size_t set_of(const struct etm_disasm_insn *insn)
{
    uint32_t h = insn->address * 0x9e3779b1u ^ insn->opcode;

    h ^= (uint32_t)insn->isa << 7 ^ (uint32_t)insn->it << 3;
    return (h ^ h >> 15) & (ETM_TEXT_SETS - 1);
}

void etm_text_symbol(struct etm_out *out, const struct etm_text_entry *entry)
{
    if (!entry->symbol)
        return;
    ETM_OUT(out, " <");
    etm_out_text(out, entry->symbol);
    if (entry->symbol_offset > 0) {
        ETM_OUT(out, "+0x");
        etm_out_hex_short(out, entry->symbol_offset);
    }
    etm_out_char(out, '>');
}

/* Append what fits: a name may be as long as it likes. */
static void append(struct etm_text_entry *entry, const char *text)
{
    size_t room = sizeof entry->text - entry->n;
    size_t n = strlen(text);

    if (n > room)
        n = room;
    memcpy(entry->text + entry->n, text, n);
    entry->n = (uint8_t)(entry->n + n);
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
        !names->symbol(names->context, (uint32_t)strtoul(hash + 1, NULL, 0),
                       &symbol))
        return;
    append(entry, " <");
    append(entry, symbol.name);
    if (symbol.offset > 0) {
        char number[16] = "+0x";
        size_t n = 3;

        for (unsigned shift = 32; shift > 0; shift -= 4)
            if (symbol.offset >> (shift - 4) > 0)
                number[n++] =
                    "0123456789abcdef"[symbol.offset >> (shift - 4) & 0xfu];
        append(entry, number);
    }
    append(entry, ">");
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
    while (entry->n > 0 && entry->text[entry->n - 1] == ' ')
        entry->n--;
}

static void fill(struct etm_listing *l, struct etm_text_entry *entry,
                 const struct etm_disasm_insn *insn)
{
    const struct etm_names *names = &l->source.names;
    struct etm_symbol symbol;
    struct etm_source_line line;

    entry->n = 0;
    entry->symbol = entry->file = entry->source = NULL;
    if (names->symbol &&
        names->symbol(names->context, insn->address, &symbol)) {
        entry->symbol = symbol.name;
        entry->symbol_offset = symbol.offset;
    }
    if (l->config.lines && names->line &&
        names->line(names->context, insn->address, &line)) {
        entry->file = line.file;
        entry->source = line.text;
        entry->line = line.line;
    }
    if (insn->isa != ETM_ISA_UNKNOWN)
        render(l, entry, insn);
}

const struct etm_text_entry *
etm_text_look_up(struct etm_listing *l, const struct etm_disasm_insn *insn)
{
    struct etm_text *text = l->state;
    size_t set = set_of(insn);
    struct etm_text_tag *tags = text->tags[set];
    size_t way;

    for (way = 0; way < ETM_TEXT_WAYS; way++)
        if (tags[way].used && tags[way].address == insn->address &&
            tags[way].opcode == insn->opcode && tags[way].isa == insn->isa &&
            tags[way].it == insn->it)
            return &text->entries[set][way];
    way = text->oldest[set]++ % ETM_TEXT_WAYS;
    tags[way] = (struct etm_text_tag){.address = insn->address,
                                      .opcode = insn->opcode,
                                      .isa = insn->isa,
                                      .it = insn->it,
                                      .used = true};
    fill(l, &text->entries[set][way], insn);
    return &text->entries[set][way];
}

void etm_text_count(struct etm_listing *l, uint64_t cycles)
{
    struct etm_text *text = l->state;

    if (cycles == ETM_CYCLES_UNKNOWN)
        text->total_partial = true;
    else
        text->total += cycles;
}

/*
 * The time that has passed up to here, with a + when parts of it are not
 * known, and the cycles of this instruction. Nothing is counted in a trace
 * that is not cycle-accurate.
 */
static void put_cycles(struct etm_listing *l, uint64_t cycles)
{
    struct etm_text *text = l->state;
    struct etm_out *out = &l->out;

    if (!l->config.cycles)
        return;
    if (cycles == ETM_CYCLES_UNKNOWN && !l->trace.cycle_accurate) {
        ETM_OUT(out, "         -        -  ");
        return;
    }
    etm_text_count(l, cycles);
    etm_out_decimal_width(out, text->total, 10);
    etm_out_char(out, text->total_partial ? '+' : ' ');
    if (cycles == ETM_CYCLES_UNKNOWN)
        ETM_OUT(out, "       -");
    else if (cycles == 0)
        ETM_OUT(out, "        ");
    else
        etm_out_decimal_width(out, cycles, 8);
    ETM_OUT(out, "  ");
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
            etm_text_symbol(out, entry);
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
    etm_out_text(out, entry->file);
    etm_out_char(out, ':');
    etm_out_decimal(out, entry->line);
    if (entry->source) {
        ETM_OUT(out, "  ");
        etm_out_text(out, entry->source);
    }
    etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(out, '\n');
}

/*
 * Follow the IT state (ARMv7 A2.5.2) over consecutive instructions: the
 * mnemonics inside an IT block depend on it. Returns the state of this one.
 */
static uint8_t follow_it(struct etm_text *text, const struct etm_element *e)
{
    uint32_t opcode = e->u.insn.opcode;
    uint8_t it = text->it;

    if (e->u.insn.address != text->next || e->u.insn.isa == ETM_ISA_ARM)
        it = 0;
    text->next = e->u.insn.address + e->u.insn.size;
    if (e->u.insn.isa != ETM_ISA_ARM && e->u.insn.size == 2 &&
        (opcode & 0xff00u) == 0xbf00u && (opcode & 0xfu) != 0)
        text->it = (uint8_t)opcode;
    else if ((it & 7u) == 0)
        text->it = 0;
    else
        text->it = (uint8_t)((it & 0xe0u) | ((unsigned)it << 1 & 0x1fu));
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

/* Most texts are short: the size of the first copy is known. */
static void put_text(struct etm_out *out, const struct etm_text_entry *entry)
{
    memcpy(out->next, entry->text, 64);
    if (entry->n > 64)
        memcpy(out->next + 64, entry->text + 64, entry->n - 64u);
    out->next += entry->n;
}

void etm_text_insn(struct etm_listing *l, const struct etm_element *e)
{
    uint8_t it = follow_it(l->state, e);
    struct etm_disasm_insn insn = {
        .address = e->u.insn.address,
        .opcode = e->u.insn.opcode,
        .isa = e->u.insn.isa,
        .size = e->u.insn.size,
        .it = it ? (uint8_t)(0x10u | it >> 4) : 0,
        .direct = e->u.insn.type == ETM_INSN_TYPE_DIRECT,
    };
    const struct etm_text_entry *entry = etm_text_look_up(l, &insn);
    struct etm_out *out = &l->out;

    show_place(l, entry);
    etm_text_offset(l, e->offset);
    put_cycles(l, e->u.insn.cycles);
    put_mark(l, e->u.insn.type, e->u.insn.exec);
    put_text(out, entry);
    if (e->u.insn.exec == ETM_FALSE)
        etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(out, '\n');
}

/* What ended the range, in a word. */
static const char *ending(const struct etm_element *e)
{
    if (e->u.range.last_type == ETM_INSN_TYPE_BARRIER)
        return "barrier";
    if (!is_branch(e->u.range.last_type))
        return "";
    if (e->u.range.last_flags & ETM_INSN_LINK)
        return "call";
    if (e->u.range.last_flags & ETM_INSN_RETURN)
        return "return";
    return e->u.range.last_type == ETM_INSN_TYPE_DIRECT ? "branch" : "indirect";
}

void etm_text_range(struct etm_listing *l, const struct etm_element *e)
{
    struct etm_disasm_insn at = {.address = e->u.range.start};
    const struct etm_text_entry *entry = etm_text_look_up(l, &at);
    const char *word = ending(e);
    struct etm_out *out = &l->out;

    etm_text_offset(l, e->offset);
    put_cycles(l, e->u.range.cycles);
    etm_out_hex32(out, e->u.range.start);
    etm_out_char(out, '-');
    etm_out_hex32(out, e->u.range.end);
    etm_out_decimal_width(out, e->u.range.n, 6);
    ETM_OUT(out, "  ");
    put_mark(l, e->u.range.last_type, e->u.range.last_exec);
    etm_out_word(out, word);
    if (entry->symbol) {
        etm_out_blanks(out, 8 - strlen(word));
        etm_text_symbol(out, entry);
    }
    if (e->u.range.last_exec == ETM_FALSE)
        etm_text_colour(l, ETM_COLOUR_NONE);
    etm_out_char(out, '\n');
}
