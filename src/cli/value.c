/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t etm_cli_join_bytes(const uint8_t *bytes, unsigned n, bool big)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value = value << 8 | bytes[big ? i : n - 1 - i];
    return value;
}

void etm_cli_split_bytes(uint64_t value, uint8_t *bytes, unsigned n, bool big)
{
    for (unsigned i = 0; i < n; i++)
        bytes[big ? n - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* IEEE 754, binary16, or Arm's alternative form of it, in which these bits are
 * numbers, too: none has infinities in practice. */
static double half_of(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023);
    double value = exponent == 0 ? ldexp(fraction, -24)
                   : exponent == 31
                       ? (fraction == 0 ? (double)INFINITY : (double)NAN)
                       : ldexp(fraction + 1024, exponent - 25);

    return (bits >> 15 & 1) != 0 ? -value : value;
}

static double float_of(uint64_t bits, unsigned size)
{
    uint32_t word = (uint32_t)bits;
    float single;
    double number;

    if (size == 2)
        return half_of(bits);
    if (size == 4) {
        memcpy(&single, &word, sizeof single);
        return (double)single;
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

struct etm_cli_value etm_cli_value_of(const struct etm_scalar *s, uint64_t raw)
{
    unsigned bits = s->bits != 0 ? s->bits : 8u * s->size;
    struct etm_cli_value v = {.is_signed = s->is_signed,
                              .bits = raw >> s->shift};

    if (bits < 64) {
        uint64_t sign = UINT64_C(1) << (bits - 1);

        v.bits &= (UINT64_C(1) << bits) - 1;
        if (s->is_signed)
            v.bits = (v.bits ^ sign) - sign;
    }
    v.is_float = s->kind == ETM_SCALAR_FLOAT &&
                 (s->size == 2 || s->size == 4 || s->size == 8);
    if (v.is_float)
        v.number = float_of(v.bits, s->size);
    return v;
}

bool etm_cli_value_less(const struct etm_cli_value *a,
                        const struct etm_cli_value *b)
{
    if (a->is_float)
        return a->number < b->number;
    return a->is_signed ? (int64_t)a->bits < (int64_t)b->bits
                        : a->bits < b->bits;
}

/* The fewest digits that read back as the number, of those that may be needed;
 * 5 are enough for all of binary16. */
static void put_float(double number, unsigned size, char text[ETM_CLI_VALUE])
{
    int digits = size == 8 ? 15 : size == 4 ? 6 : 5;
    int most = size == 8 ? 17 : size == 4 ? 9 : 5;
    double back;

    do {
        (void)snprintf(text, ETM_CLI_VALUE, "%.*g", digits, number);
        back = strtod(text, NULL);
    } while (digits++ < most && back != number &&
             (size == 8 || (float)back != (float)number));
}

const char *etm_cli_value_number(const struct etm_scalar *s,
                                 const struct etm_cli_value *v,
                                 char text[ETM_CLI_VALUE])
{
    if (v->is_float)
        put_float(v->number, s->size, text);
    else if (v->is_signed)
        (void)snprintf(text, ETM_CLI_VALUE, "%" PRId64, (int64_t)v->bits);
    else
        (void)snprintf(text, ETM_CLI_VALUE, "%" PRIu64, v->bits);
    return text;
}

/* "&main": pointers to code have the Thumb bit. */
static const char *name_target(const struct etm_cli_replay *r,
                               struct etm_cli_programs *programs,
                               uint32_t target, char text[ETM_CLI_VALUE])
{
    const struct etm_scalar *object;
    struct etm_symbol symbol;

    if (etm_cli_programs_scalar(programs, target, 0, &object) == ETM_OK &&
        object->address == target) {
        (void)snprintf(text, ETM_CLI_VALUE, "&%s", object->name);
        return text;
    }
    if (!r->names.symbol ||
        r->names.symbol(r->names.context, target & ~UINT32_C(1), &symbol) !=
            ETM_OK ||
        symbol.offset != 0)
        return NULL;
    (void)snprintf(text, ETM_CLI_VALUE, "%.*s", (int)ETM_CLI_VALUE - 1,
                   etm_cli_demangle_symbol(r->demangler, symbol.name));
    return text;
}

const char *etm_cli_value_name(const struct etm_cli_replay *r,
                               struct etm_cli_programs *programs,
                               const struct etm_scalar *s,
                               const struct etm_cli_value *v,
                               char text[ETM_CLI_VALUE])
{
    switch ((enum etm_scalar_kind)s->kind) {
    case ETM_SCALAR_ENUM:
        return etm_cli_programs_enumerator(programs, s, v->bits);
    case ETM_SCALAR_POINTER:
        return name_target(r, programs, (uint32_t)v->bits, text);
    case ETM_SCALAR_BOOLEAN:
        return v->bits == 0 ? "false" : v->bits == 1 ? "true" : NULL;
    case ETM_SCALAR_RAW:
    case ETM_SCALAR_UNSIGNED:
    case ETM_SCALAR_SIGNED:
    case ETM_SCALAR_FLOAT:
        break;
    }
    return NULL;
}

const char *etm_cli_value_text(const struct etm_scalar *s,
                               const struct etm_cli_value *v, const char *name,
                               char text[ETM_CLI_VALUE])
{
    char number[ETM_CLI_VALUE];

    if (etm_cli_value_is_hex(s))
        (void)snprintf(number, sizeof number, "0x%0*" PRIx64, 2 * (int)s->size,
                       v->bits);
    else
        (void)etm_cli_value_number(s, v, number);
    if (!name)
        (void)snprintf(text, ETM_CLI_VALUE, "%.*s", (int)ETM_CLI_VALUE - 1,
                       number);
    else if (s->kind == ETM_SCALAR_BOOLEAN)
        (void)snprintf(text, ETM_CLI_VALUE, "%s", name);
    else
        (void)snprintf(text, ETM_CLI_VALUE, "%.200s (%.32s)", name, number);
    return text;
}
