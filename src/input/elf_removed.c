/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source lines of code that the linker removed (--gc-sections). Its sequences
 * stay in the line table, all at address 0. Where there is code near address 0,
 * as in the flash memory of many microcontrollers, they overlap its lines, and
 * libdw, which sorts all rows of a unit by address, mixes them. So they are
 * moved to the end of memory before libdw reads the table (doc/errata.md,
 * E-363).
 *
 * To find them the line programs are run, of which only the addresses matter
 * here (DWARF 5, 6.2.4 and 6.2.5; versions 2 to 4 differ in the header alone).
 */
#include "input/elf_private.h"

#include "base/cursor.h"

#include <string.h>

enum {
    /* standard opcodes */
    COPY = 1,
    ADVANCE_PC,
    ADVANCE_LINE,
    SET_FILE,
    SET_COLUMN,
    NEGATE_STMT,
    SET_BASIC_BLOCK,
    CONST_ADD_PC,
    FIXED_ADVANCE_PC,
    /* extended ones, after a 0 and their length */
    END_SEQUENCE = 1,
    SET_ADDRESS = 2
};

/* Code that begins here is not near address 0: no function is as long. */
#define NEAR (UINT32_C(1) << 20)

/* A sequence that begins at address 0. */
struct sequence {
    uint64_t end;
    uint8_t *operand; /* of its only SET_ADDRESS: four bytes */
};

struct table {
    bool big;             /* endian */
    uint64_t first;       /* address at which the first other one begins */
    struct etm_vec zeros; /* struct sequence */
};

/* The program of one unit, and its state. */
struct program {
    struct etm_cursor c;
    unsigned least; /* bytes of an instruction, at least */
    unsigned line_range;
    unsigned opcode_base;
    uint8_t lengths[256]; /* operands of the standard opcodes */
    uint64_t address, start;
    const uint8_t *operand; /* of the last SET_ADDRESS, of `size` bytes */
    size_t size;
    unsigned set; /* how many of these the sequence has */
};

static uint64_t number(const struct table *t, struct etm_cursor *c, size_t n)
{
    uint64_t value = 0;

    if (!t->big)
        return etm_cursor_le(c, (unsigned)n);
    while (n-- > 0)
        value = value << 8 | etm_cursor_u8(c);
    return value;
}

/* An unsigned LEB128; a signed one is passed over in the same way. */
static uint64_t leb128(struct etm_cursor *c)
{
    uint64_t value = 0;
    uint8_t byte = 0x80;

    for (unsigned shift = 0; (byte & 0x80) != 0 && !c->short_read; shift += 7) {
        byte = etm_cursor_u8(c);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
    }
    return value;
}

static int end_sequence(struct table *t, struct program *p)
{
    struct sequence s = {p->address, (uint8_t *)(uintptr_t)p->operand};
    int status = ETM_OK;

    if (p->set != 0 && p->start != 0 && p->start < t->first)
        t->first = p->start;
    if (p->set == 1 && p->start == 0 && p->size == 4)
        status = etm_vec_append(&t->zeros, &s, 1);
    p->set = 0;
    p->address = 0;
    return status;
}

static int take_extended(struct table *t, struct program *p)
{
    uint64_t n = leb128(&p->c);
    struct etm_cursor c;
    uint8_t opcode;

    if (n == 0 || n > (uint64_t)(p->c.end - p->c.next))
        return ETM_OK;
    c = etm_cursor_of(p->c.next, (size_t)n);
    p->c.next += n;
    opcode = etm_cursor_u8(&c);
    if (opcode == END_SEQUENCE)
        return end_sequence(t, p);
    if (opcode != SET_ADDRESS || n > 9)
        return ETM_OK;
    p->operand = c.next;
    p->size = (size_t)n - 1;
    p->address = number(t, &c, p->size);
    if (p->set++ == 0)
        p->start = p->address;
    return ETM_OK;
}

static int take_opcode(struct table *t, struct program *p)
{
    unsigned opcode = etm_cursor_u8(&p->c);

    if (opcode == 0)
        return take_extended(t, p);
    if (opcode < p->opcode_base && opcode == ADVANCE_PC) {
        p->address += leb128(&p->c) * p->least;
    } else if (opcode < p->opcode_base && opcode == FIXED_ADVANCE_PC) {
        p->address += number(t, &p->c, 2);
    } else if (opcode < p->opcode_base && opcode != CONST_ADD_PC) {
        for (unsigned i = 0; i < p->lengths[opcode]; i++)
            (void)leb128(&p->c);
    } else {
        opcode = opcode < p->opcode_base ? 255 : opcode;
        p->address +=
            (uint64_t)((opcode - p->opcode_base) / p->line_range) * p->least;
    }
    return ETM_OK;
}

/* The header of a unit after its length; a length in it has `width` bytes. */
static bool take_header(const struct table *t, struct program *p, size_t width)
{
    uint64_t version = number(t, &p->c, 2), left;
    struct etm_cursor c;

    if (version < 2 || version > 5)
        return false;
    if (version == 5)
        (void)number(t, &p->c, 2); /* sizes of an address and a selector */
    left = number(t, &p->c, width);
    if (left > (uint64_t)(p->c.end - p->c.next))
        return false;
    c = etm_cursor_of(p->c.next, (size_t)left);
    p->c.next += left;
    p->least = etm_cursor_u8(&c);
    (void)number(t, &c, version >= 4 ? 3 : 2); /* up to line_base */
    p->line_range = etm_cursor_u8(&c);
    p->opcode_base = etm_cursor_u8(&c);
    for (unsigned i = 1; i < p->opcode_base; i++)
        p->lengths[i] = etm_cursor_u8(&c);
    return !c.short_read && p->line_range != 0;
}

static int take_units(struct table *t, const uint8_t *bytes, size_t n)
{
    struct etm_cursor c = etm_cursor_of(bytes, n);
    int status = ETM_OK;

    while (c.next != c.end && status == ETM_OK) {
        struct program p = {.set = 0};
        uint64_t left = number(t, &c, 4);
        size_t width = left == UINT32_MAX ? 8 : 4;

        if (width == 8)
            left = number(t, &c, 8);
        if (left > (uint64_t)(c.end - c.next))
            break;
        p.c = etm_cursor_of(c.next, (size_t)left);
        c.next += left;
        if (!take_header(t, &p, width))
            continue;
        while (p.c.next != p.c.end && status == ETM_OK)
            status = take_opcode(t, &p);
    }
    return status;
}

/* The lowest address of a section with code, and the end of that; UINT64_MAX:
 * there is none. */
static uint64_t first_code(const struct etm_elf *elf, uint64_t *end)
{
    const uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
    uint64_t first = UINT64_MAX;
    Elf_Scn *scn = NULL;
    GElf_Shdr s;

    *end = 0;
    while ((scn = elf_nextscn(elf->elf, scn)) != NULL) {
        if (gelf_getshdr(scn, &s) == NULL || (s.sh_flags & flags) != flags ||
            s.sh_size == 0 || s.sh_addr >= first)
            continue;
        first = s.sh_addr;
        *end = first + s.sh_size;
    }
    return first;
}

/* May it be a sequence of code that is there: up to `end`, or less if another
 * one begins before? It does not end within a function. */
static bool fits(struct etm_elf *elf, const struct sequence *s, uint64_t end)
{
    struct etm_symbol symbol;

    return s->end != 0 && s->end <= end &&
           (!etm_elf_symbol(elf, (uint32_t)s->end - 1 + elf->bias, &symbol) ||
            symbol.size == 0 || symbol.offset + 1 == symbol.size);
}

/* Of the sequences at address 0 one may be that of the code there: the longest
 * that fits. The others go to ETM_ELF_REMOVED. */
static void move(struct etm_elf *elf, const struct table *t, uint64_t end)
{
    const struct sequence *all = t->zeros.data, *real = NULL;

    for (size_t i = 0; i < t->zeros.n; i++)
        if (fits(elf, &all[i], end) && (real == NULL || all[i].end > real->end))
            real = &all[i];
    for (size_t i = 0; i < t->zeros.n; i++)
        if (&all[i] != real)
            memset(all[i].operand, 0xff, 4);
}

/* What is compressed, in the form of today or that of old, is taken apart as
 * libdw would do next. */
static const Elf_Data *data_of(Elf_Scn *scn, const GElf_Shdr *s, bool old)
{
    int status = 0;

    if (old)
        status = elf_compress_gnu(scn, 0, 0);
    else if ((s->sh_flags & SHF_COMPRESSED) != 0)
        status = elf_compress(scn, 0, 0);
    return status < 0 ? NULL : elf_getdata(scn, NULL);
}

static const Elf_Data *find_table(const struct etm_elf *elf)
{
    Elf_Scn *scn = NULL;
    size_t names;
    GElf_Shdr s;

    if (elf_getshdrstrndx(elf->elf, &names) != 0)
        return NULL;
    while ((scn = elf_nextscn(elf->elf, scn)) != NULL) {
        const char *name = gelf_getshdr(scn, &s) != NULL
                               ? elf_strptr(elf->elf, names, s.sh_name)
                               : NULL;

        if (name != NULL && (strcmp(name, ".debug_line") == 0 ||
                             strcmp(name, ".zdebug_line") == 0))
            return data_of(scn, &s, name[1] == 'z');
    }
    return NULL;
}

int etm_elf_move_removed(struct etm_elf *elf)
{
    uint64_t end, first = first_code(elf, &end);
    struct table t = {.first = UINT64_MAX};
    const Elf_Data *data;
    GElf_Ehdr header;
    int status;

    elf->first_code = first != UINT64_MAX ? first : 0;
    if (first >= NEAR || (data = find_table(elf)) == NULL ||
        data->d_buf == NULL || gelf_getehdr(elf->elf, &header) == NULL)
        return ETM_OK;
    t.big = header.e_ident[EI_DATA] == ELFDATA2MSB;
    etm_vec_init(&t.zeros, sizeof(struct sequence), &elf->allocator);
    status = take_units(&t, data->d_buf, data->d_size);
    if (status == ETM_OK && t.zeros.n != 0)
        status = etm_elf_load_symbols(elf);
    if (status == ETM_OK && t.zeros.n != 0) {
        if (first != 0 || etm_elf_mapping(elf, elf->bias, NULL) == 'd')
            end = 0; /* there are vectors, or nothing */
        move(elf, &t, end < t.first ? end : t.first);
    }
    etm_vec_fini(&t.zeros);
    return status;
}
