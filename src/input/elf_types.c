/* SPDX-License-Identifier: Apache-2.0 */
#include "input/elf_types.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* No program nests as deep; what claims to is damaged. */
#define LEVELS 32u
#define DIMENSIONS 8u

bool etm_elf_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute),
                             type) != NULL;
}

uint32_t etm_elf_type_size(Dwarf_Die *type)
{
    Dwarf_Word size;

    return dwarf_aggregate_size(type, &size) == 0 && size <= UINT32_MAX
               ? (uint32_t)size
               : 0;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name, uint64_t otherwise)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute),
                           &value) == 0
               ? value
               : otherwise;
}

/* "uint16_t", "struct sensor *": as it is called in the program, without
 * qualifiers. */
static void name_type(Dwarf_Die *given, char *text, size_t size)
{
    Dwarf_Die type = *given;
    unsigned pointers = 0;
    const char *name = NULL;
    size_t n;

    for (unsigned level = 0; level < LEVELS && name == NULL; level++) {
        int tag = dwarf_tag(&type);

        name = dwarf_diename(&type);
        pointers += tag == DW_TAG_pointer_type;
        if (name == NULL && tag == DW_TAG_subroutine_type)
            name = "function";
        else if (name == NULL && !etm_elf_type_of(&type, &type))
            name = tag == DW_TAG_enumeration_type ? "enum"
                   : pointers != 0                ? "void"
                                                  : "?";
    }
    n = (size_t)snprintf(text, size, "%s", name ? name : "?");
    for (unsigned i = 0; i < pointers && n + 3 <= size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s*", i == 0 ? " " : "");
}

static int encoding_of(Dwarf_Die *type)
{
    return (int)number_of(type, DW_AT_encoding, 0);
}

static bool is_signed(int encoding)
{
    return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

static enum etm_scalar_kind kind_of(Dwarf_Die *type)
{
    switch (dwarf_tag(type)) {
    case DW_TAG_enumeration_type:
        return ETM_SCALAR_ENUM;
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
        return ETM_SCALAR_POINTER;
    case DW_TAG_base_type:
        break;
    default:
        return ETM_SCALAR_RAW;
    }
    switch (encoding_of(type)) {
    case DW_ATE_signed:
    case DW_ATE_signed_char:
        return ETM_SCALAR_SIGNED;
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
        return ETM_SCALAR_UNSIGNED;
    case DW_ATE_boolean:
        return ETM_SCALAR_BOOLEAN;
    case DW_ATE_float:
        return ETM_SCALAR_FLOAT;
    default:
        return ETM_SCALAR_RAW;
    }
}

/* ---- Members ------------------------------------------------------------- */

/* A member of a struct: bytes from the beginning of it; of a bit-field, those
 * that have a bit of it, and where it is in them. */
struct member {
    uint32_t offset, size;
    uint32_t bits, shift; /* bits 0: it is no bit-field */
    Dwarf_Die type;
};

static uint64_t location_of(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    Dwarf_Op *op;
    size_t n;

    if (dwarf_attr(die, DW_AT_data_member_location, &attribute) == NULL)
        return 0; /* of a union */
    if (dwarf_formudata(&attribute, &value) == 0)
        return value;
    /* DWARF 2 has an expression */
    return dwarf_getlocation(&attribute, &op, &n) == 0 && n == 1 &&
                   op->atom == DW_OP_plus_uconst
               ? op->number
               : UINT32_MAX;
}

/* Bits are counted from the least significant one of the first byte; in
 * big-endian programs from the most significant one (DWARF 5, 5.7.6). */
static bool place_bits(struct member *m, uint64_t bit, bool big)
{
    uint64_t bytes = (bit % 8 + m->bits + 7) / 8;

    if (bytes > 8)
        return false;
    m->offset = (uint32_t)(bit / 8);
    m->size = (uint32_t)bytes;
    m->shift = (uint32_t)(big ? 8 * bytes - bit % 8 - m->bits : bit % 8);
    return true;
}

static bool member_of(Dwarf_Die *die, bool big, struct member *m)
{
    uint64_t at = location_of(die), bit;
    int tag = dwarf_tag(die);

    if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
        dwarf_hasattr(die, DW_AT_external) || /* static, of C++ */
        at >= UINT32_MAX || !etm_elf_type_of(die, &m->type))
        return false;
    m->offset = (uint32_t)at;
    m->size = etm_elf_type_size(&m->type);
    m->shift = 0;
    m->bits = (uint32_t)number_of(die, DW_AT_bit_size, 0);
    if (m->bits == 0)
        return true;
    bit = number_of(die, DW_AT_data_bit_offset, UINT64_MAX);
    if (bit == UINT64_MAX && dwarf_hasattr(die, DW_AT_bit_offset)) {
        /* DWARF 3, 5.5.6: from the most significant bit of a whole unit */
        uint64_t unit = 8 * number_of(die, DW_AT_byte_size, m->size);
        uint64_t from = number_of(die, DW_AT_bit_offset, 0);

        bit = 8 * at + (big ? from : unit - from - m->bits);
    }
    return place_bits(m, bit == UINT64_MAX ? 8 * at : bit, big);
}

static bool is_structure(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
           tag == DW_TAG_class_type;
}

/* ---- Arrays -------------------------------------------------------------- */

struct array {
    Dwarf_Die type; /* of its elements, */
    uint32_t size;  /* and bytes of one */
    unsigned n;
    uint64_t counts[DIMENSIONS];
};

static bool array_of(Dwarf_Die *die, struct array *a)
{
    Dwarf_Die child;

    a->n = 0;
    if (dwarf_tag(die) != DW_TAG_array_type ||
        !etm_elf_type_of(die, &a->type) ||
        (a->size = etm_elf_type_size(&a->type)) == 0 ||
        number_of(die, DW_AT_GNU_vector, 0) != 0 ||
        dwarf_child(die, &child) != 0)
        return false;
    do {
        uint64_t last = number_of(&child, DW_AT_upper_bound, UINT64_MAX);
        uint64_t n =
            number_of(&child, DW_AT_count, last == UINT64_MAX ? 0 : last + 1);

        if (dwarf_tag(&child) != DW_TAG_subrange_type)
            continue;
        if (a->n == DIMENSIONS || (n == 0 && a->n != 0) || n > UINT32_MAX)
            return false;
        a->counts[a->n++] = n;
    } while (dwarf_siblingof(&child, &child) == 0);
    return a->n != 0;
}

/* Elements of one index of dimension `i`. */
static uint64_t stride_of(const struct array *a, unsigned i)
{
    uint64_t n = 1;

    while (++i < a->n)
        n *= a->counts[i];
    return n;
}

/* Up to DWARF 2, the enumerators say whether their type is signed. */
static bool has_negative(Dwarf_Die *type)
{
    Dwarf_Die die;

    if (dwarf_child(type, &die) != 0)
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword value;

        if (dwarf_attr(&die, DW_AT_const_value, &attribute) != NULL &&
            dwarf_whatform(&attribute) == DW_FORM_sdata &&
            dwarf_formsdata(&attribute, &value) == 0 && value < 0)
            return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* ---- What is at a byte --------------------------------------------------- */

struct seek {
    unsigned n; /* scalars to pass over */
    struct etm_scalar *scalar;
    uint32_t address; /* of what is looked at */
    size_t length;    /* of the name up to it */
    unsigned level;
};

static void name_more(struct seek *s, const char *dot, const char *name)
{
    size_t room = sizeof s->scalar->name - s->length;
    int n = snprintf(s->scalar->name + s->length, room, "%s%s", dot, name);

    s->length += n >= 0 && (size_t)n < room ? (size_t)n : room - 1;
}

static bool is_scalar(struct seek *s, Dwarf_Die *given, const struct member *m)
{
    struct etm_scalar *scalar = s->scalar;
    Dwarf_Die type, under;

    if (m->size == 0 || m->size > 8 || dwarf_peel_type(given, &type) != 0)
        return false;
    if (s->n != 0) {
        s->n--;
        return false;
    }
    scalar->address = s->address;
    scalar->size = m->size;
    scalar->bits = (uint8_t)m->bits;
    scalar->shift = (uint8_t)m->shift;
    scalar->kind = (uint8_t)kind_of(&type);
    scalar->is_signed = scalar->kind == ETM_SCALAR_SIGNED;
    scalar->type = dwarf_dieoffset(&type);
    if (scalar->kind == ETM_SCALAR_ENUM && !etm_elf_type_of(&type, &under))
        scalar->is_signed = has_negative(&type);
    else if (scalar->kind == ETM_SCALAR_ENUM &&
             dwarf_peel_type(&under, &under) == 0)
        scalar->is_signed = is_signed(encoding_of(&under));
    name_type(given, scalar->type_name, sizeof scalar->type_name);
    return true;
}

static bool seek_in(struct seek *s, const struct member *m, uint32_t at);

static bool seek_member(struct seek *s, Dwarf_Die *type, uint32_t at)
{
    const struct seek here = *s;
    Dwarf_Die die;

    if (dwarf_child(type, &die) != 0)
        return false;
    do {
        struct member m;
        const char *name;

        if (!member_of(&die, s->scalar->big_endian, &m) || at < m.offset ||
            at - m.offset >= m.size)
            continue;
        name = dwarf_diename(&die);
        if (name != NULL && dwarf_tag(&die) == DW_TAG_member)
            name_more(s, here.length != 0 ? "." : "", name);
        s->address = here.address + m.offset;
        if (seek_in(s, &m, at - m.offset))
            return true;
        s->address = here.address;
        s->length = here.length;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

static bool seek_element(struct seek *s, const struct array *a, uint32_t at)
{
    uint64_t index = at / a->size;
    const struct member m = {.size = a->size, .type = a->type};

    s->address += (uint32_t)index * a->size;
    for (unsigned i = 0; i < a->n; i++) {
        uint64_t stride = stride_of(a, i);
        char text[24];

        (void)snprintf(text, sizeof text, "[%u]", (unsigned)(index / stride));
        name_more(s, "", text);
        index %= stride;
    }
    return seek_in(s, &m, at % a->size);
}

/* `at`: a byte of a member, or of what is treated as one. */
static bool seek_in(struct seek *s, const struct member *m, uint32_t at)
{
    Dwarf_Die given = m->type, type;
    struct array array;
    bool found;

    if (s->level == LEVELS || dwarf_peel_type(&given, &type) != 0)
        return false;
    s->level++;
    if (is_structure(&type))
        found = seek_member(s, &type, at);
    else if (array_of(&type, &array))
        found = seek_element(s, &array, at);
    else
        found = is_scalar(s, &given, m);
    s->level--;
    return found;
}

bool etm_elf_type_scalar(Dwarf_Die *type, uint32_t at, unsigned n,
                         struct etm_scalar *scalar)
{
    struct seek s = {.n = n,
                     .scalar = scalar,
                     .address = scalar->address,
                     .length = strlen(scalar->name)};
    const struct member all = {.size = etm_elf_type_size(type), .type = *type};

    return seek_in(&s, &all, at);
}

/* ---- Names --------------------------------------------------------------- */

static bool step_member(Dwarf_Die *type, const char *name, size_t n,
                        uint32_t *offset)
{
    Dwarf_Die die, inner;
    struct member m;

    if (!is_structure(type) || dwarf_child(type, &die) != 0)
        return false;
    do {
        const char *own = dwarf_diename(&die);
        uint32_t within = 0;

        /* a bit-field has no bytes of its own */
        if (!member_of(&die, false, &m) || m.bits != 0)
            continue;
        if (own != NULL && dwarf_tag(&die) == DW_TAG_member) {
            if (strlen(own) != n || memcmp(own, name, n) != 0)
                continue;
            *type = m.type;
        } else { /* a struct without a name, a base class */
            if (dwarf_peel_type(&m.type, &inner) != 0 ||
                !step_member(&inner, name, n, &within))
                continue;
            *type = inner;
        }
        *offset += m.offset + within;
        return true;
    } while (dwarf_siblingof(&die, &die) == 0);
    return false;
}

/* "[1][2]"; *path moves behind it. All dimensions have to be there. */
static bool step_element(Dwarf_Die *type, const char **path, uint32_t *offset)
{
    struct array a;
    uint64_t index = 0;

    if (!array_of(type, &a))
        return false;
    for (unsigned i = 0; i < a.n; i++) {
        const char *digits = *path + 1;
        char *end;
        unsigned long n;

        if (**path != '[' || *digits < '0' || *digits > '9')
            return false;
        n = strtoul(digits, &end, 10);
        if (*end != ']' || n > UINT32_MAX ||
            (a.counts[i] != 0 && n >= a.counts[i]))
            return false;
        index += n * stride_of(&a, i);
        *path = end + 1;
    }
    *offset += (uint32_t)index * a.size;
    *type = a.type;
    return true;
}

bool etm_elf_type_path(Dwarf_Die *type, const char *path, uint32_t *offset)
{
    *offset = 0;
    while (*path != '\0') {
        Dwarf_Die peeled;

        if (dwarf_peel_type(type, &peeled) != 0)
            return false;
        if (*path == '.') {
            size_t n = strcspn(++path, ".[");

            if (!step_member(&peeled, path, n, offset))
                return false;
            path += n;
        } else if (!step_element(&peeled, &path, offset)) {
            return false;
        }
        *type = peeled;
    }
    return true;
}

const char *etm_elf_type_enumerator(Dwarf_Die *type, uint64_t value,
                                    uint64_t mask)
{
    Dwarf_Die die;

    if (dwarf_child(type, &die) != 0)
        return NULL;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Sword own;

        if (dwarf_tag(&die) == DW_TAG_enumerator &&
            dwarf_formsdata(dwarf_attr(&die, DW_AT_const_value, &attribute),
                            &own) == 0 &&
            (((uint64_t)own ^ value) & mask) == 0)
            return dwarf_diename(&die);
    } while (dwarf_siblingof(&die, &die) == 0);
    return NULL;
}
